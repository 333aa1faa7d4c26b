"""Candidates for a target, as every classic edition sees them: units, and no characters apart from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule

__all__ = [
    "Candidate",
    "Possible",
    "free_to_shoot",
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
        nearest_row: the row of its nearest model.
        is_monstrous: whether it is a monstrous creature.
        is_large: whether it is a large target: a vehicle, artillery or a monstrous creature.
        falls_back: whether it is falling back.
    """

    unit: int
    distance: float
    lone_character: bool = False
    in_range: bool = True
    damageable: bool = True
    nearest_is_joined: bool = False
    nearest_row: int | None = None
    is_monstrous: bool = False
    is_large: bool = False
    falls_back: bool = False


Possible = Callable[[Candidate], bool]


@rule("4e.core.shooting.target-priority")
@rule("3e.char-shooting.joined-nearest-is-unit")
def nearest_target(candidates: Sequence[Candidate]) -> int | None:
    """The nearest target unit; where a joined character is the nearest model, that is his unit as a whole."""
    return min(candidates, key=lambda each: each.distance).unit if candidates else None


@rule("4e.shooting-at-characters.attached-not-target")
@rule("3e.char-shooting.upgrade-not-apart", "3e.char-shooting.joined-not-apart", "3e.core.characters.joined")
def separate_targets(unit: int, members: Sequence[int]) -> list[int]:
    """What can be chosen as target of a unit: the unit alone, none of its characters apart from it.

    Args:
        members: characters that belong to it or have joined it.
    """
    return [unit]


@rule("3e.partial-contact.free-shoot")
def free_to_shoot(rows: Sequence[int], in_contact: Collection[int]) -> list[int]:
    """The models of a unit that was swept into which shoot under the normal rules: those that touch no enemy."""
    return [row for row in rows if row not in in_contact]
