"""What the readers of effects share: how the fields of a modifier are read, and whom an effect may reach."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from battlewright.editions.eleventh.abilities.language import Effect, NotUnderstood, Record, Whose

__all__ = ["ATTACKING", "TYPES", "Found", "melee_alone", "only", "reaching", "whole"]

Found: TypeAlias = Iterable[tuple[Effect, Whose]]
"""The effects that a reader found, each with whom it reaches."""
ATTACKING = (Whose.BEARER, Whose.UNIT, Whose.FRIENDS)
"""Those whose own attacks and models an effect may change."""
TYPES = ("weapon_type", "attack_type")
"""The fields that tell for which weapons an effect is."""


def only(modifier: Record, *known: str) -> None:
    """Refuse a modifier that says more than its reader knows.

    Raises:
        NotUnderstood: naming a field that is not known.
    """
    if extra := sorted(set(modifier) - set(known)):
        raise NotUnderstood(f"{extra[0]} in its modifier")


def melee_alone(modifier: Record) -> bool | None:
    """Whether the effect is for melee weapons alone, or for ranged ones; None for both.

    Raises:
        NotUnderstood: for weapons of another type.
    """
    said = {str(modifier[key]) for key in TYPES if modifier.get(key) is not None}
    match sorted(said):
        case [] | ["any"] | ["all"]:
            return None
        case ["melee"]:
            return True
        case ["ranged"]:
            return False
        case other:
            raise NotUnderstood(f"weapons of type {'/'.join(other)}")


def whole(modifier: Record, key: str = "value", low: int = 1, high: int = 20) -> int:
    """The whole number in a field.

    Raises:
        NotUnderstood: if it is none, or not between the bounds.
    """
    value = modifier.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise NotUnderstood(f"{key} {value}")
    return value


def reaching(whose: Whose, *allowed: Whose) -> None:
    """Refuse to reach others than those allowed.

    Raises:
        NotUnderstood: naming whom it would reach.
    """
    if whose not in allowed:
        raise NotUnderstood(f"for {whose}")
