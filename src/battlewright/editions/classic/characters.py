"""What an edition decides about characters, psychic powers and special rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from battlewright.editions.classic.profiles import CharacterKind
from battlewright.editions.classic.special_rules import Registry
from battlewright.editions.classic.state import ClassicUnit, Phase

__all__ = ["CharacterRules", "Declaration"]


class Declaration(StrEnum):
    """When a player says which units his characters join."""

    START_OF_TURN = "before any move"
    END_OF_MOVEMENT = "when the character has moved"


@dataclass(frozen=True)
class CharacterRules:
    """What is decided about characters.

    Attributes:
        special_rules: by name, what each special rule does.
        joining_declared: when a player says which units his characters join.
        why_not_join: rule and clause for each reason why a character may not join a unit, by his kind, the phase, and
            inches to it.
        may_leave: whether he leaves the unit that he has joined, by his kind, the phase, the unit, and inches to it.
    """

    special_rules: Registry
    joining_declared: Callable[[], Declaration]
    why_not_join: Callable[[CharacterKind, Phase, float], list[tuple[str, str]]]
    may_leave: Callable[[CharacterKind, Phase, ClassicUnit, float], bool]
