"""Difficult terrain: what a move has to do with it, whom it slows and endangers; how near enemies one may come.

Moves are told by what they do to a piece of difficult terrain: where they start, end and pass.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.kinds import KindRules, Risk

__all__ = [
    "Crossing",
    "accident_dice",
    "dice_of_each",
    "dice_with_dangerous",
    "higher_die",
    "is_slowed_by",
    "may_come_so_near",
    "may_pass_over_enemies",
    "passes_over_terrain",
    "suffers_accident",
]


@dataclass(frozen=True, slots=True)
class Crossing:
    """What one model's move has to do with a piece of terrain.

    Attributes:
        starts, ends: whether it stands in it before and after.
        passes: whether its way leads through it.
        difficult: whether the piece slows; ``dangerous`` whether it endangers everybody who comes into it.
    """

    starts: bool = False
    ends: bool = False
    passes: bool = False
    difficult: bool = True
    dangerous: bool = False

    @property
    def touches(self) -> bool:
        """Whether the move has anything to do with the terrain."""
        return self.starts or self.ends or self.passes


@rule("3e.terrain.test", "3e.terrain.distribution", "3e.core.movement.difficult-terrain")
@rule("4e.core.movement.difficult-terrain", "6e.core.movement.difficult-terrain", "6e.outside.difficult-terrain")
def higher_die(faces: Sequence[int]) -> int:
    """What a terrain test comes to: the highest of its dice, normally two, in inches."""
    return max(faces)


@rule(
    "3e.terrain.others-unaffected", "3e.core.movement.avoiding-terrain", "3e.jump.no-two-dice", "3e.cavalry.not-slowed"
)
@rule("4e.bikes.not-slowed", "4e.jetbikes.ignore-terrain", "4e.jetbikes.through-terrain")
@rule("4e.core.movement.difficult-terrain", "6e.core.movement.difficult-terrain")
@rule("4e.walker-movement.difficult-terrain")
@rule("4e.artillery.slowed")
@rule("4e.bikes.charge-not-slowed", "4e.jetbikes.charge-not-slowed", "4e.jump-infantry.charge")
def is_slowed_by(rules: KindRules, crossing: Crossing) -> bool:
    """Whether a model's move is limited by its unit's terrain test: that of a kind which difficult terrain slows.

    Models that keep out of it move their full distance; infantry is slowed, and whoever moves as infantry does.
    """
    return rules.slowed and crossing.difficult and crossing.touches


@rule("3e.jump.ignore-terrain", "3e.jetbikes.over-free", "3e.core.units.jump-troops", "3e.core.units.jetbikes")
@rule("4e.jump-infantry.over-terrain", "4e.jetbikes.ignore-terrain", "6e.core.movement.jump")
@rule("4e.jump-infantry.fall-back-over")
@rule("6e.core.movement.jet-pack", "6e.core.movement.jetbike")
def passes_over_terrain(rules: KindRules) -> bool:
    """Whether a living model moves over terrain and friendly models; it may end on none of them."""
    return rules.flies


@rule("3e.jump.not-over-enemies", "3e.jump.not-over-enemies-fall-back")
@rule("3e.jetbikes.not-skimmers", "3e.jetbikes.not-over-fall-back")
@rule("4e.jetbikes.fly-over-units", "4e.jump-infantry.over-terrain", "6e.core.movement.one-inch")
def may_pass_over_enemies(rules: KindRules, keywords: Collection[str] = (), *, vehicle: bool = False) -> bool:
    """Whether a model may move over enemy models, in whatever move: skimmers, and kinds that fly over enemies."""
    return rules.over_enemies or (vehicle and "SKIMMER" in keywords)


@rule("3e.movement.one-inch-movement", "3e.movement.one-inch-always", "3e.movement.one-inch-assault")
@rule("3e.jump.one-inch", "3e.jetbikes.one-inch", "3e.core.movement.one-inch")
@rule("4e.core.movement.one-inch", "6e.core.movement.one-inch")
def may_come_so_near(gap: float, *, into_combat: bool) -> bool:
    """Whether a model may come so near to an enemy model: 1" is the least, but for moves into close combat.

    Args:
        gap: inches between the bases.
    """
    return into_combat or gap >= 1.0 - TOLERANCE


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
@rule("4e.bikes.dangerous-test", "4e.bikes.charge-test", "4e.jetbikes.through-terrain", "4e.jetbikes.charge-test")
@rule("4e.jetbikes.ignore-terrain", "4e.jump-infantry.land-in-terrain", "4e.jump-infantry.fall-back-landing")
@rule("6e.core.movement.jump", "6e.core.movement.jet-pack", "6e.core.movement.bike", "6e.core.movement.jetbike")
def accident_dice(risk: Risk, crossing: Crossing) -> int:
    """How many accident dice a model throws for what a move has to do with one piece of difficult terrain.

    In the 3rd edition jump troops one when they land in it; cavalry and bikes one for any move in, out or through;
    jetbikes one for starting and one for ending in it, none for what they fly over. Others none.
    """
    match risk:
        case Risk.NONE:
            return 0
        case Risk.LANDING:
            return int(crossing.ends)
        case Risk.EITHER:
            return int(crossing.starts or crossing.ends)
        case Risk.BOTH:
            return int(crossing.starts) + int(crossing.ends)
        case Risk.TOUCHING:
            return int(crossing.touches)


@rule("3e.jump.no-saves", "3e.cavalry.no-saves", "3e.bikes.no-saves", "3e.bikes.full-or-removed")
@rule("3e.jump.end-test", "3e.cavalry.test", "3e.bikes.test", "3e.jetbikes.start-test", "3e.jetbikes.end-test")
@rule("4e.core.movement.dangerous-terrain", "6e.core.movement.dangerous-terrain", "6e.outside.dangerous-terrain")
def suffers_accident(faces: Sequence[int]) -> bool:
    """Whether an accident harms the model: any die shows 1; armour does not help. Else it moves in full."""
    return 1 in faces


def dice_of_each(rules: KindRules, crossings: Sequence[Crossing]) -> int:
    """The dice of a model's move over several pieces of difficult terrain."""
    return sum(accident_dice(rules.risk, crossing) for crossing in crossings if crossing.difficult)


@rule("4e.core.movement.dangerous-terrain", "6e.core.movement.dangerous-terrain", "6e.outside.dangerous-terrain")
def dice_with_dangerous(rules: KindRules, crossings: Sequence[Crossing]) -> int:
    """The same where some terrain is dangerous to everybody: one die for each piece that a model comes into.

    Who flies over a piece, neither starting nor ending in it, does not come into it.
    """
    return sum(
        max(
            accident_dice(rules.risk, crossing) if crossing.difficult else 0,
            int(crossing.dangerous and (crossing.starts or crossing.ends or (crossing.passes and not rules.flies))),
        )
        for crossing in crossings
    )
