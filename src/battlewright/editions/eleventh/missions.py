"""Missions: the primary card of each player, when it scores, and the limits on victory points.

A card is an object with two questions: what it scores at the end of its owner's Command phase, and at the end of
its owner's turn. Answers are (line, points) pairs; the limits are applied here, in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from battlewright.core.decisions import SIDES, Side, opponent
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.events import Scored

if TYPE_CHECKING:
    from battlewright.editions.eleventh.actions import Action
    from battlewright.editions.eleventh.scene import Battle11, Scene
    from battlewright.editions.eleventh.state import EleventhState

__all__ = [
    "MISSIONS",
    "BattlefieldDominance",
    "Mission",
    "PrimaryCard",
    "end_of_battle",
    "end_of_command_phase",
    "end_of_turn",
    "find_mission",
    "home_objective",
    "primary_points",
    "zone_name",
]

PRIMARY_LIMIT = 45
"""Primary victory points in a whole battle."""
ROUND_LIMIT = 15
"""Primary victory points in one battle round."""
LAST_ROUND = 5

Lines: TypeAlias = list[tuple[str, int]]


class PrimaryCard(Protocol):
    """A primary mission card."""

    name: str

    def command_phase(self, scene: Scene, state: EleventhState, side: Side) -> Lines:
        """What it scores at the time C: end of the owner's Command phase from round 2, in round 5 end of turn."""
        ...

    def own_turn(self, scene: Scene, state: EleventhState, side: Side) -> Lines:
        """What it scores at the time E: end of the owner's turn."""
        ...


class BattlefieldDominance:
    """Hold more than the other, and your home with them.

    E in rounds 1 and 2: 2 for more objectives than the opponent. C: 3 for each objective controlled; if home is
    among them, 2 more for each of the others.
    """

    name = "Battlefield Dominance"

    @rule("11e.core.primary.battlefield-dominance")
    def command_phase(self, scene: Scene, state: EleventhState, side: Side) -> Lines:
        """See the class."""
        held = controlled(state, side)
        home = home_objective(scene, state, side)
        lines = [(f"{len(held)} objectives controlled", 3 * len(held))]
        if home in held:
            lines.append(("home controlled with them", 2 * (len(held) - 1)))
        return lines

    @rule("11e.core.primary.battlefield-dominance")
    def own_turn(self, scene: Scene, state: EleventhState, side: Side) -> Lines:
        """See the class."""
        if state.round <= 2 and len(controlled(state, side)) > len(controlled(state, opponent(side))):
            return [("more objectives than the opponent", 2)]
        return []


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission: its name, the card of each side, and the layouts it may be played on.

    Attributes:
        layouts: file stems of the edition's layouts, the first being the default.
        actions: all actions of its cards (16); each says itself to whom it is offered.
    """

    name: str
    cards: tuple[PrimaryCard, PrimaryCard]
    layouts: tuple[str, ...]
    actions: tuple[Action, ...] = ()


_DOMINANCE = BattlefieldDominance()

MISSIONS: Mapping[str, Mission] = {
    "battlefield-dominance": Mission(
        "battlefield-dominance", (_DOMINANCE, _DOMINANCE), ("battlefield_dominance_a", "open_table")
    ),
}


def find_mission(name: str) -> Mission:
    """The mission of that name; spaces and capitals do not matter.

    Raises:
        BadInput: for an unknown name.
    """
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in MISSIONS:
        raise BadInput(f'there is no mission "{name}"', expected=" or ".join(sorted(MISSIONS)))
    return MISSIONS[key]


def controlled(state: EleventhState, side: Side) -> list[int]:
    """The objectives that the side controls."""
    return [number for number, holder in enumerate(state.control) if holder == side]


def zone_name(state: EleventhState, side: Side) -> str:
    """Which end of the table is the side's: ``"attacker"`` or ``"defender"``."""
    return "attacker" if side == state.attacker else "defender"


@rule("11e.core.mission.objectives")
def home_objective(scene: Scene, state: EleventhState, side: Side) -> int | None:
    """The side's home objective, or None where the layout has none."""
    owner = zone_name(state, side)
    for number, goal in enumerate(scene.battlefield.objectives):
        if goal.role is ObjectiveRole.HOME and goal.owner == owner:
            return number
    return None


# -- scoring ----------------------------------------------------------------------------------------------------


@rule("11e.core.mission.primary-limits")
def primary_points(points: int, this_round: int, in_all: int) -> int:
    """How many of the points count: 15 in a battle round and 45 in all, the surplus is ignored."""
    return max(0, min(points, ROUND_LIMIT - this_round, PRIMARY_LIMIT - in_all))


@rule("11e.core.mission.scoring-times")
def end_of_command_phase(battle: Battle11, side: Side) -> None:
    """Score the side's card at the end of its Command phase: from round 2, and not in round 5."""
    if 2 <= battle.state.round < LAST_ROUND:
        _score(battle, side, battle.scene.mission.cards[side].command_phase)


@rule("11e.core.mission.scoring-times")
def end_of_turn(battle: Battle11, side: Side) -> None:
    """Score the side's card at the end of its turn; in round 5 with what its Command phase would score."""
    card = battle.scene.mission.cards[side]
    if battle.state.round == LAST_ROUND:
        _score(battle, side, card.command_phase)
    _score(battle, side, card.own_turn)


def end_of_battle(battle: Battle11) -> None:
    """Score what is scored at the end of the battle; this mission has no such line."""


def _score(battle: Battle11, side: Side, ask: Callable[[Scene, EleventhState, Side], Lines]) -> None:
    state, card = battle.state, battle.scene.mission.cards[side]
    for line, points in ask(battle.scene, state, side):
        counted = primary_points(points, state.primary_this_round[side], state.primary[side])
        if not counted:
            continue
        state.primary = _add(state.primary, side, counted)
        state.primary_this_round = _add(state.primary_this_round, side, counted)
        state.vp = _add(state.vp, side, counted)
        battle.happened(
            Scored(
                side=side,
                card=card.name,
                line=line,
                points=counted,
                total=state.vp[side],
                rules=("11e.core.primary.battlefield-dominance", "11e.core.mission.primary-limits"),
            )
        )


def _add(pair: tuple[int, int], side: Side, points: int) -> tuple[int, int]:
    return (pair[0] + points, pair[1]) if side == SIDES[0] else (pair[0], pair[1] + points)
