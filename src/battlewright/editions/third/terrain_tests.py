"""Terrain in the 3rd edition: what infantry is slowed by, what riders and jump troops risk, cover, march moves.

Moves are told by what they do to a piece of difficult terrain: where they start, end and pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.profiles import Kind

__all__ = [
    "COVER",
    "CoverKind",
    "Crossing",
    "accident_dice",
    "cover_of",
    "entering_allowance",
    "higher_die",
    "is_removed",
    "leaving_allowance",
    "may_enter",
    "may_leave",
    "may_reroll_test",
    "must_test_for_distance",
]

MOVE = 6.0
"""Inches that a terrain test never lets a model exceed."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """What one model's move has to do with a piece of difficult terrain.

    Attributes:
        starts, ends: whether it stands in it before and after.
        passes: whether its way leads through it.
    """

    starts: bool = False
    ends: bool = False
    passes: bool = False

    @property
    def touches(self) -> bool:
        """Whether the move has anything to do with the terrain."""
        return self.starts or self.ends or self.passes


# -- infantry ---------------------------------------------------------------------------------------------------


@rule("3e.terrain.test", "3e.terrain.distribution", "3e.core.movement.difficult-terrain")
def higher_die(faces: Sequence[int]) -> int:
    """What a terrain test comes to: the highest of its dice, normally two, in inches."""
    return max(faces)


@rule(
    "3e.terrain.others-unaffected", "3e.core.movement.avoiding-terrain", "3e.jump.no-two-dice", "3e.cavalry.not-slowed"
)
def must_test_for_distance(kind: Kind, crossing: Crossing) -> bool:
    """Whether a model's move is limited by its unit's terrain test: infantry's that has to do with difficult terrain.

    Models that keep out of it move their full distance; jump troops, bikes and cavalry are not slowed; beasts are, as
    infantry.
    """
    return kind in (Kind.INFANTRY, Kind.BEAST, Kind.MONSTROUS, Kind.ARTILLERY) and crossing.touches


@rule("3e.terrain.enter-needs-six")
def may_enter(to_inside: float) -> bool:
    """Whether a model may try to enter: its ordinary move would place it completely inside.

    Args:
        to_inside: inches that it must move to be just completely inside.
    """
    return within(to_inside, MOVE)


@rule("3e.terrain.enter-cap", "3e.terrain.enter-minimum", "3e.terrain.never-over-six", "3e.terrain.no-withdrawal")
def entering_allowance(to_inside: float, rolled: int) -> float:
    """How far a model that enters may move, in inches: the number rolled, but always just inside; never over 6".

    Getting just inside is always possible, so that who has declared to enter has to.
    """
    return min(max(float(rolled), to_inside), MOVE)


@rule("3e.terrain.leave-cap", "3e.terrain.leave-touching-edge")
def leaving_allowance(to_outside: float, rolled: int, *, touches_edge: bool) -> float:
    """How far a model that leaves may move, in inches: the number rolled; one that touches the edge always just out.

    Args:
        to_outside: inches that it must move to be just completely outside.
    """
    return max(float(rolled), to_outside) if touches_edge else float(rolled)


@rule("3e.terrain.leave-short", "3e.terrain.leave-touching-edge")
def may_leave(to_outside: float, rolled: int, *, touches_edge: bool) -> bool:
    """Whether a model gets out: completely, or it has to stay inside."""
    return within(to_outside, leaving_allowance(to_outside, rolled, touches_edge=touches_edge))


@rule("3e.characters.terrain-reroll", "3e.characters.terrain-reroll-once", "3e.characters.joined-infantry-no-use")
def may_reroll_test(*, independent: bool, own_test: bool, rerolled_this_phase: bool) -> bool:
    """Whether a terrain test may be rolled again: an independent character's own, once in a phase.

    Args:
        own_test: whether it is his own, not the common test of a unit of infantry that he has joined.
    """
    return independent and own_test and not rerolled_this_phase


@rule("3e.characters.joined-still-ic")
def is_own_test(kind: Kind, *, joined: bool) -> bool:
    """Whether a character's test concerns him alone: where each model tests for itself, or where he is on his own."""
    return not joined or kind in (Kind.BIKE, Kind.JETBIKE, Kind.CAVALRY, Kind.JUMP)


# -- accidents --------------------------------------------------------------------------------------------------


@rule(
    "3e.jump.ignore-terrain",
    "3e.jump.end-test",
    "3e.cavalry.test",
    "3e.cavalry.start-or-through",
    "3e.bikes.test",
    "3e.bikes.start-inside",
)
@rule("3e.jump.only-own-models", "3e.cavalry.only-own-models", "3e.bikes.only-own-models", "3e.cavalry.each-move")
@rule("3e.jetbikes.start-test", "3e.jetbikes.end-test", "3e.jetbikes.both-tests", "3e.jetbikes.over-free")
@rule("3e.bikes.assault-test", "3e.jump.full-six", "3e.core.movement.dangerous-by-type")
def accident_dice(kind: Kind, crossing: Crossing) -> int:
    """How many accident dice a model throws for a move, in whichever phase it is made.

    Jump troops one when they land in difficult terrain; cavalry and bikes one for any move in, out or through;
    jetbikes one for starting and one for ending in it, none for what they fly over. Others none.
    """
    match kind:
        case Kind.JUMP:
            return int(crossing.ends)
        case Kind.CAVALRY | Kind.BIKE:
            return int(crossing.touches)
        case Kind.JETBIKE:
            return int(crossing.starts) + int(crossing.ends)
        case _:
            return 0


@rule("3e.jetbikes.single-test")
def one_die_in_a_phase(kind: Kind, crossings: Sequence[Crossing]) -> int:
    """The dice of a jetbike's moves in a phase by Ryjak's first reading: one at most."""
    return min(sum(accident_dice(kind, crossing) for crossing in crossings), 1)


def dice_of_each(kind: Kind, crossings: Sequence[Crossing]) -> int:
    """The dice of a model's move over several pieces of terrain, by the settled reading."""
    return sum(accident_dice(kind, crossing) for crossing in crossings)


@rule("3e.jetbikes.low-flying")
def flying_low(kind: Kind, crossings: Sequence[Crossing]) -> int:
    """The dice of a jetbike by LOKI's reading: within one piece it flies low, as a bike, and throws one."""
    if kind is not Kind.JETBIKE:
        return dice_of_each(kind, crossings)
    return sum(1 if crossing.starts and crossing.ends else accident_dice(kind, crossing) for crossing in crossings)


@rule("3e.jump.no-saves", "3e.cavalry.no-saves", "3e.bikes.no-saves", "3e.bikes.full-or-removed")
@rule("3e.jump.end-test", "3e.cavalry.test", "3e.bikes.test", "3e.jetbikes.start-test", "3e.jetbikes.end-test")
def is_removed(faces: Sequence[int]) -> bool:
    """Whether an accident removes the model: any die shows 1; no save of any kind is allowed. Else it moves in full."""
    return 1 in faces


# -- cover ------------------------------------------------------------------------------------------------------


class CoverKind(StrEnum):
    """How a piece of terrain that was agreed to be cover gives it."""

    AREA = "area"
    """Everything in it is in cover."""
    OBSTACLE = "obstacle"
    """Everything partly hidden by it is."""


COVER: dict[str, int] = {
    "hedge": 6,
    "bushes": 6,
    "fence": 6,
    "woods": 5,
    "crates": 5,
    "hill crest": 5,
    "ruins": 4,
    "wall": 4,
    "rubble": 4,
    "crater": 4,
    "wreck": 4,
    "trench": 4,
    "bunker": 3,
}
"""Cover saves by kind of terrain."""


@rule("3e.outside.cover-table", "3e.core.shooting.cover-woods", "3e.core.shooting.cover-other")
def cover_save(kind: str) -> int | None:
    """The cover save of a kind of terrain; None for one that gives none."""
    return COVER.get(kind)


@rule("3e.cover.agree-before", "3e.cover.area-type", "3e.cover.obstacle-type")
def gives_cover(agreed: CoverKind | None, *, inside: bool, partly_hidden: bool) -> bool:
    """Whether a piece of terrain gives a model cover, as the players agreed before the game; untagged pieces do not."""
    match agreed:
        case None:
            return False
        case CoverKind.AREA:
            return inside
        case CoverKind.OBSTACLE:
            return partly_hidden


@rule("3e.bikes.no-cover", "3e.cavalry.cover-stationary")
def cover_of(kind: Kind, save: int | None, *, moved_last: bool) -> int | None:
    """The cover save that a model really has: bikes none ever, cavalry only if its unit stood still when it last moved.

    Args:
        save: of the terrain that it is in or behind.
    """
    if kind in (Kind.BIKE, Kind.JETBIKE):
        return None
    return None if kind is Kind.CAVALRY and moved_last else save


@rule("3e.core.shooting.cover-bonus")
def improved_cover(save: int | None, bonus: int) -> int | None:
    """A cover save with a trait that improves it; in the open there is nothing to improve."""
    return None if save is None else max(save - bonus, 2)


# -- flying over enemies ----------------------------------------------------------------------------------------


@rule("3e.jump.not-over-enemies", "3e.jump.not-over-enemies-fall-back")
@rule("3e.jetbikes.not-skimmers", "3e.jetbikes.not-over-fall-back")
def may_pass_over_enemies(kind: Kind, keywords: frozenset[str] = frozenset()) -> bool:
    """Whether a model may move over enemy models, in whatever move: skimmers alone."""
    return "SKIMMER" in keywords and kind.is_vehicle


@rule("3e.movement.one-inch-movement", "3e.movement.one-inch-always", "3e.movement.one-inch-assault")
@rule("3e.jump.one-inch", "3e.jetbikes.one-inch", "3e.core.movement.one-inch")
def may_come_so_near(gap: float, *, into_combat: bool) -> bool:
    """Whether a model may come so near to an enemy model: 1" is the least, but for moves into close combat.

    Args:
        gap: inches between the bases.
    """
    return into_combat or gap >= 1.0 - TOLERANCE
