"""Terrain in the 3rd edition: how far infantry gets in and out of it, what riders and jump troops risk, cover.

Moves are told by what they do to a piece of difficult terrain: where they start, end and pass.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.kinds import KindRules, Risk
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.terrain import Crossing, accident_dice, dice_of_each

__all__ = [
    "cover_of",
    "entering_allowance",
    "flying_low",
    "leaving_allowance",
    "may_enter",
    "may_leave",
    "may_reroll_test",
    "one_die_in_a_phase",
    "rerolls_accident",
    "rerolls_distance",
]

MOVE = 6.0
"""Inches that a terrain test never lets a model exceed."""


# -- infantry ---------------------------------------------------------------------------------------------------


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


def rerolls_distance(profile: ModelProfile, *, alone: bool, rerolled: bool) -> bool:
    """Whether the dice for a unit's distance in difficult terrain may be thrown again.

    Args:
        profile: of its first model; ``alone`` whether that is the only one.
    """
    own = alone and is_own_test(profile.kind, joined=False)
    return may_reroll_test(independent=profile.is_independent, own_test=own, rerolled_this_phase=rerolled)


def rerolls_accident(profile: ModelProfile, *, joined: bool, rerolled: bool) -> bool:
    """Whether a model's accident die may be thrown again.

    Args:
        joined: whether it is a character with a unit.
    """
    own = is_own_test(profile.kind, joined=joined)
    return may_reroll_test(independent=profile.is_independent, own_test=own, rerolled_this_phase=rerolled)


# -- accidents --------------------------------------------------------------------------------------------------


@rule("3e.jetbikes.single-test")
def one_die_in_a_phase(rules: KindRules, crossings: Sequence[Crossing]) -> int:
    """The dice of a jetbike's moves in a phase by Ryjak's first reading: one at most."""
    return min(dice_of_each(rules, crossings), 1)


@rule("3e.jetbikes.low-flying")
def flying_low(rules: KindRules, crossings: Sequence[Crossing]) -> int:
    """The dice of a jetbike by LOKI's reading: within one piece it flies low, as a bike, and throws one."""
    if rules.risk is not Risk.BOTH:
        return dice_of_each(rules, crossings)
    return sum(
        1 if crossing.starts and crossing.ends else accident_dice(rules.risk, crossing) for crossing in crossings
    )


# -- cover ------------------------------------------------------------------------------------------------------


@rule("3e.bikes.no-cover", "3e.cavalry.cover-stationary")
def cover_of(kind: Kind, save: int | None, *, moved_last: bool) -> int | None:
    """The cover save that a model really has: bikes none ever, cavalry only if its unit stood still when it last moved.

    Args:
        save: of the terrain that it is in or behind.
    """
    if kind in (Kind.BIKE, Kind.JETBIKE):
        return None
    return None if kind is Kind.CAVALRY and moved_last else save
