"""The secondary mission cards of the event pack: what each scores at the end of a turn, fixed and tactical.

A card is a function of what its owner sees and of how it is played; it returns victory points, none when its
condition is not met. It is asked at the end of every turn, the owner's and the opponent's; a card that scores at one
of them alone looks whose turn it is. What happens when a card is drawn stands in ``secondaries``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from battlewright.core.decisions import opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.table import Edge, ObjectiveRole
from battlewright.editions.eleventh.in_range import is_unit_in_range
from battlewright.editions.eleventh.look import Look
from battlewright.editions.eleventh.scene import standing
from battlewright.editions.eleventh.whereabouts import (
    distance_to_centre,
    edges_near,
    is_wholly_in_no_mans_land,
    is_wholly_within,
    is_within,
    territory_of,
    zone_of,
)

__all__ = ["SECONDARIES", "SecondaryCard", "assassination_at_once", "chosen_for"]

Points: TypeAlias = Callable[[Look, bool], int]
"""(what the owner sees, whether the card is fixed) to victory points."""

TACTICAL_LIMIT = 5
"""The most that a tactical card which scores for each unit gives."""
GRIEVOUS, BIG, LEADER = 13, 10, 4
"""Models of a unit (A Grievous Blow), Wounds of a model (Bring it Down), Wounds of a CHARACTER (Assassination)."""


@dataclass(frozen=True, slots=True)
class SecondaryCard:
    """A secondary mission card: its name, the rule it is, what it scores, and whether it may be fixed."""

    name: str
    rule: str
    score: Points
    fixed: bool


SECONDARIES: dict[str, SecondaryCard] = {}
"""The eighteen cards by the key of their names, in a fixed order."""


def _card(name: str, *, fixed: bool = False) -> Callable[[Points], Points]:
    def register(score: Points) -> Points:
        rules: Mapping[str, tuple[str, ...]] = vars(score)
        key = name.lower().replace("'", "").replace(" ", "-")
        SECONDARIES[key] = SecondaryCard(name, rules["__rules__"][0], score, fixed)
        return score

    return register


def _own_turn(look: Look) -> bool:
    return look.state.turn == look.side


def _opponents_turn(look: Look) -> bool:
    """End of the opponent's turn, or of round 5."""
    return not _own_turn(look) or look.is_last_turn


def chosen_for(look: Look, card: str) -> int | None:
    """What was picked for a card of the side, a unit or an objective."""
    return next((number for side, key, number in look.book.chosen if (side, key) == (look.side, card)), None)


@rule("11e.core.secondary.tactical-cap")
def _capped(points: int) -> int:
    """A tactical card that scores for each unit gives at most 5."""
    return min(points, TACTICAL_LIMIT)


# -- destroying ---------------------------------------------------------------------------------------------------


@_card("A Grievous Blow", fixed=True)
@rule("11e.core.secondary.a-grievous-blow")
def a_grievous_blow(look: Look, fixed: bool) -> int:
    """Any turn: for enemy units of starting strength 13 or more destroyed, fixed 4 each, tactical 5."""
    count = sum(look.state.units[kill.unit].starting_strength >= GRIEVOUS for kill in look.kills)
    return 4 * count if fixed else _capped(5 * count)


def _slain(look: Look) -> list[int]:
    return [row for row in look.book.slain if look.scene.models[row].side != look.side]


@_card("Assassination", fixed=True)
@rule("11e.core.secondary.assassination")
def assassination(look: Look, fixed: bool) -> int:
    """Tactical, any turn: 5 if an enemy CHARACTER model died this turn or all are dead. Fixed: scored at once.

    RULING: 11e.core.secondary.assassination "all are dead" asks for an enemy army that had a CHARACTER.
    """
    if fixed:
        return 0
    scene = look.scene
    leaders = [model.row for model in scene.models if model.side != look.side and model.profile.is_character]
    died = any(scene.models[row].profile.is_character for row in _slain(look))
    return 5 if died or (leaders and not look.state.wounds[leaders].any()) else 0


@rule("11e.core.secondary.assassination")
def assassination_at_once(look: Look, row: int) -> int:
    """Fixed: 4 for an enemy CHARACTER model of W 4 or more the moment it is destroyed, 3 for another; 0 for others."""
    model = look.scene.models[row]
    if model.side == look.side or not model.profile.is_character:
        return 0
    return 4 if model.profile.wounds >= LEADER else 3


@_card("Bring it Down", fixed=True)
@rule("11e.core.secondary.bring-it-down")
def bring_it_down(look: Look, fixed: bool) -> int:
    """Any turn: for enemy models of W 10 or more destroyed, fixed 4 each, tactical 5 if any."""
    count = sum(look.scene.models[row].profile.wounds >= BIG for row in _slain(look))
    return 4 * count if fixed else _capped(5 * count)


@_card("No Prisoners")
@rule("11e.core.secondary.no-prisoners")
def no_prisoners(look: Look, fixed: bool) -> int:
    """Any turn: 2 per enemy unit destroyed, at most 5."""
    return _capped(2 * len(look.kills))


@_card("Overwhelming Force")
@rule("11e.core.secondary.overwhelming-force")
def overwhelming_force(look: Look, fixed: bool) -> int:
    """Any turn: 3 per destroyed enemy unit that began the turn on an objective, at most 5."""
    return _capped(3 * sum(look.began_on(kill.unit) for kill in look.kills))


# -- objectives ---------------------------------------------------------------------------------------------------


@_card("A Tempting Target")
@rule("11e.core.secondary.a-tempting-target")
def a_tempting_target(look: Look, fixed: bool) -> int:
    """E: 5 if the objective that the opponent picked is controlled."""
    return 5 if _own_turn(look) and chosen_for(look, "a-tempting-target") in look.held else 0


@_card("Burden of Trust")
@rule("11e.core.secondary.burden-of-trust")
def burden_of_trust(look: Look, fixed: bool) -> int:
    """End of the opponent's turn or of round 5: 2 per objective controlled with its guard in range, at most 5."""
    if not _opponents_turn(look):
        return 0
    guarded = {
        goal
        for side, goal, unit in look.book.guards
        if side == look.side and goal in look.held and is_unit_in_range(look.scene, look.state, unit, goal)
    }
    return _capped(2 * len(guarded))


@_card("Cleanse")
@rule("11e.core.secondary.cleanse")
def cleanse(look: Look, fixed: bool) -> int:
    """E: 2 for one objective cleansed in this turn, 5 for two or more."""
    return (0, 2, 5)[min(len(set(look.done("cleanse"))), 2)] if _own_turn(look) else 0


@_card("Defend Stronghold")
@rule("11e.core.secondary.defend-stronghold")
def defend_stronghold(look: Look, fixed: bool) -> int:
    """From round 2, end of the opponent's turn or of round 5: 3 for own home, or 5 if also no enemy is in own zone."""
    if look.round < 2 or not _opponents_turn(look) or look.home is None or look.home not in look.held:
        return 0
    zone = zone_of(look.scene, look.state, look.side)
    foes = any(is_within(look.scene, look.state, unit, zone) for unit in look.units(opponent(look.side)))
    return 3 if foes else 5


@_card("Forward Position")
@rule("11e.core.secondary.forward-position")
def forward_position(look: Look, fixed: bool) -> int:
    """E: 5 for the enemy home, or all expansions, or both."""
    expansions = [n for n, goal in enumerate(look.objectives) if goal.role is ObjectiveRole.EXPANSION]
    all_of_them = bool(expansions) and set(expansions) <= set(look.held)
    return 5 if _own_turn(look) and (look.holds_enemy_home or all_of_them) else 0


@_card("Secure No Man's Land")
@rule("11e.core.secondary.secure-no-mans-land")
def secure_no_mans_land(look: Look, fixed: bool) -> int:
    """E: 5 for two or more non-home objectives in No Man's Land."""
    return 5 if _own_turn(look) and sum(look.in_no_mans_land(n) for n in look.non_home) >= 2 else 0


# -- positions ----------------------------------------------------------------------------------------------------


@_card("Beacon")
@rule("11e.core.secondary.beacon")
def beacon(look: Look, fixed: bool) -> int:
    """End of the opponent's turn or of round 5: 3 for the picked unit out of the own zone, 5 out of the own territory.

    RULING: 11e.core.secondary.who-counts the beacon is one picked unit, not one among those counted for their
    position; it scores while battle-shocked.
    """
    unit = chosen_for(look, "beacon")
    if unit is None or not _opponents_turn(look) or not standing(look.state, unit):
        return 0
    if is_within(look.scene, look.state, unit, zone_of(look.scene, look.state, look.side)):
        return 0
    return 3 if is_within(look.scene, look.state, unit, territory_of(look.scene, look.state, look.side)) else 5


@_card("Behind Enemy Lines")
@rule("11e.core.secondary.behind-enemy-lines")
def behind_enemy_lines(look: Look, fixed: bool) -> int:
    """E: 3 per unit wholly in the enemy zone, at most 5."""
    if not _own_turn(look):
        return 0
    zone = zone_of(look.scene, look.state, opponent(look.side))
    there = sum(is_wholly_within(look.scene, look.state, unit, zone) for unit in look.counted_units(look.side))
    return _capped(3 * there)


@_card("Centre Ground")
@rule("11e.core.secondary.centre-ground")
def centre_ground(look: Look, fixed: bool) -> int:
    """E: with a unit within 3" of the centre, 3 if no enemy is within 3" of it, 5 if none is within 6".

    RULING: 11e.core.secondary.who-counts a battle-shocked enemy does not count for its owner, but it is there.
    """
    if not _own_turn(look):
        return 0

    def near(unit: int, reach: float) -> bool:
        return distance_to_centre(look.scene, look.state, unit) <= reach + TOLERANCE

    foes = list(look.units(opponent(look.side)))
    if not any(near(unit, 3.0) for unit in look.counted_units(look.side)) or any(near(foe, 3.0) for foe in foes):
        return 0
    return 3 if any(near(foe, 6.0) for foe in foes) else 5


@_card("Display of Might")
@rule("11e.core.secondary.display-of-might")
def display_of_might(look: Look, fixed: bool) -> int:
    """With more own than enemy units wholly in No Man's Land: E 2, end of the opponent's turn 5."""
    mine, theirs = (
        sum(is_wholly_in_no_mans_land(look.scene, look.state, unit) for unit in look.counted_units(side))
        for side in (look.side, opponent(look.side))
    )
    return (2 if _own_turn(look) else 5) if mine > theirs else 0


@_card("Engage on All Fronts", fixed=True)
@rule("11e.core.secondary.engage-on-all-fronts")
def engage_on_all_fronts(look: Look, fixed: bool) -> int:
    """E: presence in three or four table quarters, fixed 2 or 4, tactical 3 or 5."""
    quarters = look.quarters(look.counted_units(look.side)) if _own_turn(look) else 0
    return {3: (3, 2), 4: (5, 4)}.get(quarters, (0, 0))[fixed]


_OPPOSITE = {Edge.NORTH: Edge.SOUTH, Edge.SOUTH: Edge.NORTH, Edge.EAST: Edge.WEST, Edge.WEST: Edge.EAST}


@_card("Outflank")
@rule("11e.core.secondary.outflank")
def outflank(look: Look, fixed: bool) -> int:
    """E: 3 for a unit within 6" of an edge and out of the own territory; 5 for two at opposite edges, one out."""
    if not _own_turn(look):
        return 0
    mine = territory_of(look.scene, look.state, look.side)
    near = {unit: edges_near(look.scene, look.state, unit) for unit in look.counted_units(look.side)}
    out = [unit for unit in near if near[unit] and not is_within(look.scene, look.state, unit, mine)]
    for unit in out:
        opposite = {_OPPOSITE[edge] for edge in near[unit]}
        if any(opposite & edges for other, edges in near.items() if other != unit):
            return 5
    return 3 if out else 0


@_card("Plunder")
@rule("11e.core.secondary.plunder")
def plunder(look: Look, fixed: bool) -> int:
    """E: 5 if a terrain area was plundered in this turn."""
    return 5 if _own_turn(look) and look.done("plunder") else 0
