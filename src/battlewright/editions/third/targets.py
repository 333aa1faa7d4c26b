"""Choosing a target in the 3rd edition: one unit at one unit, lone and joined characters."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.targets import Candidate, Possible

__all__ = [
    "damageable_too",
    "in_range_too",
    "joined_may_be_picked",
    "joined_never_picked",
    "lone_character_faults",
    "protectors",
    "sight_only",
    "target_faults",
]

ALONE = 6.0
"""Inches beyond which another target does not protect a lone character."""
NEAR = 12.0
"""Inches at which the nearest target may be chosen, character or not."""


@rule("3e.char-shooting.possible-target")
def sight_only(candidate: Candidate) -> bool:
    """Whether a unit that is seen counts as a possible target: always, out of range or not to be hurt as it may be."""
    return True


@rule("3e.char-shooting.possible-range")
def in_range_too(candidate: Candidate) -> bool:
    """The house rule that it must be in range besides."""
    return candidate.in_range


@rule("3e.char-shooting.possible-damage")
def damageable_too(candidate: Candidate) -> bool:
    """The house rule that some weapon of the firers must be able to hurt it."""
    return candidate.damageable


@rule("3e.char-shooting.over-six", "3e.char-shooting.possible-target", "3e.los.unseen-no-influence")
def protectors(character: Candidate, others: Sequence[tuple[Candidate, float]], counts: Possible) -> list[Candidate]:
    """The possible targets that stand near enough to protect a lone character.

    Args:
        others: the other enemy units that the shooters see, each with its distance to the character in inches.
        counts: whether a seen unit is a possible target.
    """
    return [other for other, gap in others if counts(other) and within(gap, ALONE)]


@rule(
    "3e.char-shooting.over-six",
    "3e.char-shooting.nearest-twelve",
    "3e.char-shooting.otherwise-not",
    "3e.shooting.unit-at-unit",
    "3e.core.shooting.one-target",
)
def lone_character_faults(
    character: Candidate, others: Sequence[tuple[Candidate, float]], counts: Possible
) -> list[tuple[str, str]]:
    """Why a lone character may not be chosen as target; nothing when he may.

    He may if he is more than 6" from every other possible target, or if he is the nearest target and no more than 12"
    away.
    """
    near = protectors(character, others, counts)
    if not near:
        return []
    possible = [other.distance for other, _ in others if counts(other)]
    nearest = all(character.distance <= distance + TOLERANCE for distance in possible)
    if nearest and within(character.distance, NEAR):
        return []
    return [("3e.char-shooting.otherwise-not", f'stands within {ALONE:g}" of another target and is not the nearest')]


@rule("3e.char-shooting.joined-nearest-option", "3e.char-shooting.joined-not-apart")
def joined_never_picked(candidate: Candidate) -> bool:
    """Whether a joined character may be picked out of his unit: never."""
    return False


@rule("3e.char-shooting.joined-nearest-option")
def joined_may_be_picked(candidate: Candidate) -> bool:
    """A reader's argument: if he is the nearest model and within 12"."""
    return candidate.nearest_is_joined and within(candidate.distance, NEAR)


@rule("3e.char-shooting.otherwise-not", "3e.core.units.large-creatures")
def target_faults(
    candidate: Candidate, others: Sequence[tuple[Candidate, float]], counts: Possible
) -> list[tuple[str, str]]:
    """Why a unit may not be chosen as target, beside the others that are seen: only lone characters are protected, and
    of them no large creature."""
    if candidate.is_monstrous or not candidate.lone_character:
        return []
    return lone_character_faults(candidate, others, counts)
