"""Candidates for a target, as every classic edition sees them: units, and no characters apart from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule

__all__ = [
    "Candidate",
    "Possible",
    "nearest_target",
    "separate_targets",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An enemy unit that the shooters see.

    Attributes:
        unit: its index.
        distance: inches from the shooters to its nearest model.
        lone_character: whether it is an independent character that has joined no unit.
        in_range: whether it is within range of the shooters.
        damageable: whether some weapon of theirs can hurt it.
        nearest_is_joined: whether its nearest model is a character that has joined it.
    """

    unit: int
    distance: float
    lone_character: bool = False
    in_range: bool = True
    damageable: bool = True
    nearest_is_joined: bool = False


Possible = Callable[[Candidate], bool]


@rule("3e.char-shooting.joined-nearest-is-unit")
def nearest_target(candidates: Sequence[Candidate]) -> int | None:
    """The nearest target unit; where a joined character is the nearest model, that is his unit as a whole."""
    return min(candidates, key=lambda each: each.distance).unit if candidates else None


@rule("3e.char-shooting.upgrade-not-apart", "3e.char-shooting.joined-not-apart", "3e.core.characters.joined")
def separate_targets(unit: int, members: Sequence[int]) -> list[int]:
    """What can be chosen as target of a unit: the unit alone, none of its characters apart from it.

    Args:
        members: characters that belong to it or have joined it.
    """
    return [unit]
