"""Striking in close combat in the 3rd edition: who is near enough to fight, and what players may agree on."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.striking import Reach

__all__ = ["frag_of_any_side", "reach_of", "whole_model_within"]


@rule("3e.terms.within-whole-model", "3e.terms.within-transport")
def whole_model_within(nearest: float, furthest: float, limit: float) -> bool:
    """Whether a model is within a distance by the strict method: the whole of it lies inside."""
    return within(furthest, limit)


@rule("3e.support.beyond-two", "3e.core.assault.engaged", "3e.core.assault.supporting")
def reach_of(gap: float, comrade: float, is_within: bool) -> Reach:
    """How near a model is to the enemy.

    Args:
        gap: inches to the nearest enemy model.
        comrade: inches to the nearest comrade in contact; it does not count.
        is_within: whether it is within 2" of one, as the players measure it.
    """
    if gap <= TOLERANCE:
        return Reach.CONTACT
    return Reach.SUPPORT if is_within else Reach.NONE


@rule("3e.special-attacks.frag-users")
def frag_of_any_side(holder_attacked: bool) -> bool:
    """The wider reading: those of any unit do."""
    return True
