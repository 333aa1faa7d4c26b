"""Moving on foot: who may not move, who counts as having moved, terrain by class, who has a second move."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import ClassicUnit, Deed, MoveKind

__all__ = [
    "SecondMove",
    "TerrainClass",
    "fleet_move",
    "is_difficult_to_cross",
    "terrain_class",
    "terrain_test_dice",
    "unit_has_moved",
    "why_no_second_move",
    "why_unit_may_not_move",
]


class TerrainClass(StrEnum):
    """How the players have agreed to treat a piece of terrain."""

    CLEAR = "clear"
    DIFFICULT = "difficult"
    IMPASSABLE = "impassable"


@rule("3e.core.movement.terrain-classes", "4e.core.movement.impassable", "6e.core.movement.impassable")
def terrain_class(agreed: TerrainClass | None, *, hill: bool) -> TerrainClass:
    """The class of a piece of terrain: as agreed; without a word hills are clear, all else is difficult.

    RULING: 3e.core.movement.terrain-classes a piece that nobody has spoken of and that is no hill is difficult.
    """
    if agreed is not None:
        return agreed
    return TerrainClass.CLEAR if hill else TerrainClass.DIFFICULT


@rule("3e.core.movement.obstacles")
def is_difficult_to_cross(found: TerrainClass, *, linear_obstacle: bool) -> bool:
    """Whether a move over it is one through difficult terrain: over difficult terrain, and over any wall or hedge."""
    return found is TerrainClass.DIFFICULT or (linear_obstacle and found is not TerrainClass.IMPASSABLE)


@rule("3e.core.movement.extra-terrain-die", "4e.move-through-cover.extra-die", "4e.core.movement.move-through-cover")
@rule("4e.character-movement.move-through-cover", "6e.core.special-rules.move-through-cover")
@rule("6e.core.movement.monstrous")
def terrain_test_dice(abilities: Collection[str]) -> int:
    """How many D6 a unit's terrain test takes, the highest of which counts: 2, or 3 if it moves through cover."""
    return 3 if "MOVE THROUGH COVER" in abilities else 2


@rule("3e.core.movement.whole-unit-moved", "4e.core.movement.whole-unit-moved")
def unit_has_moved(distances: Sequence[float]) -> bool:
    """Whether a unit counts as having moved for shooting: any of its models has moved.

    Args:
        distances: inches that each model has moved; turning on the spot is 0.
    """
    return any(distance > TOLERANCE for distance in distances)


@rule("3e.core.movement.locked-and-pinned", "4e.core.movement.locked-and-pinned", "6e.core.movement.gone-to-ground")
def why_unit_may_not_move(unit: ClassicUnit, *, in_combat: bool) -> list[tuple[str, str]]:
    """Why a unit may not move in the Movement phase: rule and clause for each reason; none when it may."""
    found = []
    if in_combat:
        found.append(("3e.core.movement.locked-and-pinned", "is in close combat"))
    if unit.pinned:
        found.append(("3e.core.movement.locked-and-pinned", "is pinned"))
    return found


# -- moves in place of shooting ---------------------------------------------------------------------------------

_FLEET = frozenset({"FLEET", "FLEET OF FOOT", "FLEET OF CLAW"})


@dataclass(frozen=True, slots=True)
class SecondMove:
    """A move that a unit may make in the Shooting phase in place of shooting.

    Attributes:
        way: the way of moving, ``label`` what it is called.
        rule: that allows it.
        dice: D6 of which the highest is its inches; 0 where it is as long as that way of moving allows.
        adds_up: whether the dice are added up instead.
        rerolls: whether the dice may be thrown again.
        ends_turn: whether the unit does not assault after it.
    """

    way: MoveKind
    label: str
    rule: str
    dice: int = 1
    adds_up: bool = False
    rerolls: bool = False
    ends_turn: bool = False


@rule("3e.core.movement.fleet", "4e.fleet.move", "4e.fleet.ignores-terrain", "4e.beasts-cavalry.fleet")
def fleet_move(traits: Collection[str], kinds: Collection[Kind]) -> SecondMove | None:
    """The move of fleet troops: D6", not slowed by terrain, after which they may assault; nobody else has one.

    Args:
        traits: what every model of the unit has; ``kinds`` what its models are.
    """
    return SecondMove(MoveKind.FLEET, "fleet", "3e.core.movement.fleet") if _FLEET & set(traits) else None


@rule("3e.core.movement.fleet", "4e.fleet.not-if-shot", "6e.core.movement.run", "6e.core.movement.gone-to-ground")
@rule("6e.tank-shock-limits.no-flat-out", "6e.disembark-timing.vehicle-frozen-afterwards")
@rule("6e.emergency-disembarkation.no-voluntary-actions", "6e.outside.flat-out")
@rule("6e.walker-shooting.cannot-run", "6e.outside.squadrons")
def why_no_second_move(unit: ClassicUnit, *, in_combat: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not move in place of shooting: rule and clause for each reason; none when it may."""
    found = []
    if unit.has(Deed.FIRED):
        found.append(("3e.core.movement.fleet", "has shot this turn"))
    if unit.has(Deed.BOOSTED):
        found.append(("4e.turbo-boosters.no-shoot-charge", "used turbo boosters this turn"))
    if unit.has(Deed.DASHED):
        found.append(("3e.core.movement.fleet", "has moved so already"))
    if unit.has(Deed.TANK_SHOCKED):
        found.append(("6e.tank-shock-limits.no-flat-out", "made a tank shock this turn"))
    if unit.has(Deed.FROZEN):
        found.append(("6e.disembark-timing.vehicle-frozen-afterwards", "let a unit out after it had moved"))
    if unit.has(Deed.EMERGENCY):
        found.append(("6e.emergency-disembarkation.no-voluntary-actions", "got out in an emergency this turn"))
    disabled = unit.stunned | unit.immobilised
    if disabled and disabled.issuperset(unit.models):
        found.append(("6e.outside.stunned", "is stunned or immobilised"))
    if in_combat or unit.pinned or unit.falling_back or unit.embarked >= 0:
        found.append(("3e.core.movement.fleet", "is in close combat, pinned, falling back or aboard"))
    return found
