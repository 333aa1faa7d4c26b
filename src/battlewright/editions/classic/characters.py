"""What an edition decides about characters, psychic powers and special rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.battle import Procedure
from battlewright.editions.classic.profiles import CharacterKind
from battlewright.editions.classic.psychic import Power, PsychicTest
from battlewright.editions.classic.scene import ClassicBattle
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
        powers: psychic powers that are no weapons, by name.
        powers_each_turn: how many powers a psyker may use, or has charges for, in a turn, by what he has.
        psychic_test: what the dice of a psychic test come to, by his Leadership.
        perils_strength: Strength of the hit that perils bring; None where they take a wound without a roll.
        is_denied: whether a power that has passed its test is undone: by whom, and on which unit, None for none.
    """

    special_rules: Registry
    joining_declared: Callable[[], Declaration]
    why_not_join: Callable[[CharacterKind, Phase, float], list[tuple[str, str]]]
    may_leave: Callable[[CharacterKind, Phase, ClassicUnit, float], bool]
    powers: Mapping[str, Power]
    powers_each_turn: Callable[[Collection[str]], int]
    psychic_test: Callable[[Sequence[int], int], PsychicTest]
    perils_strength: int | None
    is_denied: Callable[[ClassicBattle, int, int | None], Procedure[bool]]
