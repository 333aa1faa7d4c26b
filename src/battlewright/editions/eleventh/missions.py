"""Missions: which primary card each player has, and scoring the cards with their limits.

A mission pairs two force dispositions; each player's card is found from their own against the opponent's. It is named
by the card of side a (``"immovable-object"``), or by the pairing (``"take-and-hold-vs-purge-the-foe"``, side a first).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from battlewright.core.battle import Procedure
from battlewright.core.decisions import SIDES, Side, opponent
from battlewright.core.errors import BadInput
from battlewright.core.roster import Army
from battlewright.core.rulebook import rule
from battlewright.editions.drawing import drawn
from battlewright.editions.eleventh import mission_steps, secondaries
from battlewright.editions.eleventh.book import add_to
from battlewright.editions.eleventh.bookkeeping import settle_turn
from battlewright.editions.eleventh.cards import PRIMARIES, PrimaryCard
from battlewright.editions.eleventh.event_layouts import layouts_of_pairing
from battlewright.editions.eleventh.events import Scored
from battlewright.editions.eleventh.look import LAST_ROUND, Look, Time, home_objective
from battlewright.editions.eleventh.mission_actions import actions_of
from battlewright.editions.eleventh.whereabouts import zone_name

if TYPE_CHECKING:
    from battlewright.editions.eleventh.actions import Action
    from battlewright.editions.eleventh.scene import Battle11

__all__ = [
    "DISPOSITIONS",
    "MATRIX",
    "MISSIONS",
    "Mission",
    "choose_mission",
    "end_of_battle",
    "end_of_command_phase",
    "end_of_turn",
    "find_mission",
    "home_objective",
    "primary_points",
    "start_of_command_phase",
    "zone_name",
]

PRIMARY_LIMIT = 45
"""Primary victory points in a whole battle."""
ROUND_LIMIT = 15
"""Primary victory points in one battle round."""
PAINTED = 10
"""Victory points for a painted army."""

DISPOSITIONS = ("take-and-hold", "purge-the-foe", "disruption", "reconnaissance", "priority-assets")
"""The force dispositions, by key."""

_ROWS = {
    "take-and-hold": (
        "battlefield-dominance",
        "immovable-object",
        "determined-acquisition",
        "purge-and-secure",
        "inescapable-dominion",
    ),
    "purge-the-foe": ("unstoppable-force", "meatgrinder", "punishment", "consecrate", "destroyers-wrath"),
    "disruption": ("death-trap", "delaying-action", "outmanoeuvre", "smoke-and-mirrors", "locate-and-deny"),
    "reconnaissance": (
        "reconnaissance-sweep",
        "triangulation",
        "surveil-the-foe",
        "gather-intel",
        "search-and-scour",
    ),
    "priority-assets": ("secure-asset", "vital-link", "extract-relic", "vanguard-operation", "sabotage"),
}

MATRIX: Mapping[tuple[str, str], str] = {
    (own, theirs): card for own, row in _ROWS.items() for theirs, card in zip(DISPOSITIONS, row, strict=True)
}
"""The key of the primary card by (own disposition, opponent's disposition)."""


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission: its name, the disposition and card of each side, and the layouts it may be played on.

    Attributes:
        layouts: names of layouts, the first being the default.
        actions: all actions of its cards (16); each says itself to whom it is offered.
    """

    name: str
    dispositions: tuple[str, str]
    cards: tuple[PrimaryCard, PrimaryCard]
    layouts: tuple[str, ...]
    actions: tuple[Action, ...] = ()


@rule("11e.core.mission.primary-by-pairing")
def mission_of(own: str, theirs: str) -> Mission:
    """The mission of side a's disposition against side b's."""
    cards = PRIMARIES[MATRIX[own, theirs]], PRIMARIES[MATRIX[theirs, own]]
    first, second = sorted((own, theirs), key=DISPOSITIONS.index)
    layouts = (*layouts_of_pairing(f"{first}-vs-{second}"), "open_table")
    if own == theirs == "take-and-hold":
        layouts = ("battlefield_dominance_a", "open_table", *layouts[:-1])
    return Mission(MATRIX[own, theirs], (own, theirs), cards, layouts, actions_of(cards))


MISSIONS: Mapping[str, Mission] = {name: mission_of(*pair) for pair, name in MATRIX.items()}
"""The missions by the card of side a, Battlefield Dominance first."""


def find_mission(name: str) -> Mission:
    """The mission of that name, or of that pairing; spaces and capitals do not matter.

    Raises:
        BadInput: for an unknown name.
    """
    key = name.strip().lower().replace(" ", "-").replace("_", "-").replace("'", "")
    own, _, theirs = key.partition("-vs-")
    if (own, theirs) in MATRIX:
        key = MATRIX[own, theirs]
    if key not in MISSIONS:
        raise BadInput(f'there is no mission "{name}"', expected=" or ".join(sorted(MISSIONS)))
    return MISSIONS[key]


DRAWN, PAIRING = "drawn", "pairing"
MISSION_WORDS: Mapping[str, str] = {
    PAIRING: "as the two armies' force dispositions pair",
    DRAWN: "drawn with the dice, and its table with it",
}
"""What may stand for a mission's name."""


def choose_mission(
    mission: str | None, layout: str | None, armies: Sequence[Army], seed: int
) -> tuple[str, str | None]:
    """The mission and layout meant: by name, ``"pairing"`` (by the armies' dispositions), or ``"drawn"`` by the seed.

    Raises:
        BadInput: for an unknown mission, and for a pairing where an army has no disposition or a choice of several.
    """
    key = (mission or "battlefield-dominance").strip().lower()
    if key == DRAWN:
        found = list(MISSIONS.values())[drawn(seed, "mission", len(MISSIONS))]
        return found.name, layout or found.layouts[drawn(seed, "layout", len(found.layouts))]
    if key == PAIRING:
        return mission_of(_disposition(armies[0]), _disposition(armies[1])).name, layout
    return find_mission(key).name, layout


@rule("11e.core.mission.dispositions")
def _disposition(army: Army) -> str:
    """The key of the army's disposition: the one it was given, or the only one that its detachments offer."""
    offered = [army.disposition] if army.disposition else list(army.dispositions)
    keys = [each.lower().replace(" ", "-") for each in offered]
    if len(keys) != 1 or keys[0] not in DISPOSITIONS:
        said = f"a choice of dispositions, {', '.join(offered)}" if offered else "no force disposition"
        raise BadInput(f'the army "{army.name}" has {said}', expected="a list that names one, or a mission by name")
    return keys[0]


# -- when cards are scored and drawn ------------------------------------------------------------------------------


@rule("11e.core.mission.drawing-cards")
def start_of_command_phase(battle: Battle11) -> Procedure[None]:
    """What missions do as a turn begins: markers before the first, condemning, and a tactical player's two cards."""
    yield from mission_steps.start_of_turn(battle)
    yield from secondaries.start_of_command_phase(battle)


@rule("11e.core.mission.scoring-times")
def end_of_command_phase(battle: Battle11) -> Procedure[None]:
    """Score the turn player's card from round 2, not in round 5; a tactical player may replace a card once."""
    if 2 <= battle.state.round < LAST_ROUND:
        _score(battle, battle.state.turn, Time.COMMAND)
    yield from secondaries.end_of_command_phase(battle)


@rule("11e.core.mission.scoring-times", "11e.core.mission.scoring-secondaries")
def end_of_turn(battle: Battle11) -> Procedure[None]:
    """Score the primary cards, in round 5 with what the Command phase would score; then the secondary ones.

    The turn player's come first.
    """
    state = battle.state
    settle_turn(battle.scene, state)
    yield from mission_steps.end_of_turn(battle)
    if state.round == LAST_ROUND:
        _score(battle, state.turn, Time.COMMAND)
    _score(battle, state.turn, Time.TURN)
    _score(battle, opponent(state.turn), Time.OPPONENTS_TURN)
    yield from secondaries.end_of_turn(battle)


@rule("11e.core.mission.scoring-times", "11e.core.mission.end-of-battle-points", "11e.core.mission.painted-army")
def end_of_battle(battle: Battle11) -> None:
    """Score what is scored at the end of the battle: lines of the primary cards, and painted armies."""
    for side in SIDES:
        _score(battle, side, Time.BATTLE)
        if battle.scene.options["painted"] in ("both", "ab"[side]):
            _gain(battle, side, "Painted army", "a painted army", PAINTED, "11e.core.mission.painted-army")


# -- points ---------------------------------------------------------------------------------------------------------


@rule("11e.core.mission.primary-limits", "11e.core.mission.end-of-battle-points")
def primary_points(points: int, this_round: int, in_all: int, *, end_of_battle: bool = False) -> int:
    """How many of the points count: 15 in a battle round and 45 in all, the surplus is ignored.

    The limit of a round does not touch points given at the end of the battle.
    """
    room = PRIMARY_LIMIT - in_all
    return max(0, min(points, room if end_of_battle else min(room, ROUND_LIMIT - this_round)))


def _score(battle: Battle11, side: Side, time: Time) -> None:
    state, card = battle.state, battle.scene.mission.cards[side]
    for line, points in card.score(Look(battle.scene, state, side), time):
        counted = primary_points(
            points, state.primary_this_round[side], state.primary[side], end_of_battle=time is Time.BATTLE
        )
        if not counted:
            continue
        state.primary = add_to(state.primary, side, counted)
        if time is not Time.BATTLE:
            state.primary_this_round = add_to(state.primary_this_round, side, counted)
        _gain(battle, side, card.name, line, counted, card.rule, "11e.core.mission.primary-limits")


def _gain(battle: Battle11, side: Side, card: str, line: str, points: int, *rules: str) -> None:
    state = battle.state
    state.vp = add_to(state.vp, side, points)
    battle.happened(Scored(side=side, card=card, line=line, points=points, total=state.vp[side], rules=rules))
