"""Moving on foot: who may not move, who counts as having moved, terrain by class, who has a second move."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import ClassicUnit, Deed

__all__ = [
    "TerrainClass",
    "is_difficult_to_cross",
    "may_pass_between_friends",
    "terrain_class",
    "terrain_test_dice",
    "unit_has_moved",
    "why_no_fleet_move",
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


@rule("3e.core.movement.not-through-friends", "4e.core.movement.one-inch", "6e.core.movement.one-inch")
def may_pass_between_friends(kind: Kind, gap: float, width: float) -> bool:
    """Whether a model's way may lead between two friendly models: its base has to fit, unless it flies over them.

    Args:
        gap: inches between the two; ``width`` of the model's base.
    """
    return kind in (Kind.JUMP, Kind.JETBIKE) or gap >= width - TOLERANCE


@rule("3e.core.movement.locked-and-pinned", "4e.core.movement.locked-and-pinned")
def why_unit_may_not_move(unit: ClassicUnit, *, in_combat: bool) -> list[tuple[str, str]]:
    """Why a unit may not move in the Movement phase: rule and clause for each reason; none when it may."""
    found = []
    if in_combat:
        found.append(("3e.core.movement.locked-and-pinned", "is in close combat"))
    if unit.pinned:
        found.append(("3e.core.movement.locked-and-pinned", "is pinned"))
    return found


@rule("3e.core.movement.fleet", "4e.fleet.move", "4e.fleet.not-if-shot")
def why_no_fleet_move(
    abilities: Collection[str], unit: ClassicUnit, *, in_combat: bool = False
) -> list[tuple[str, str]]:
    """Why a unit may not move D6" in place of shooting: rule and clause for each reason; none when it may.

    The move ignores terrain and does not bar an assault; nobody but fleet troops has one.
    """
    found = []
    if not {"FLEET", "FLEET OF FOOT", "FLEET OF CLAW"} & set(abilities):
        found.append(("3e.core.movement.fleet", "is not fleet of foot"))
    if unit.has(Deed.FIRED):
        found.append(("3e.core.movement.fleet", "has shot this turn"))
    if in_combat or unit.pinned or unit.falling_back:
        found.append(("3e.core.movement.fleet", "is in close combat, pinned or falling back"))
    return found
