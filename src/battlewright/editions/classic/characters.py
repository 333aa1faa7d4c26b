"""What an edition decides about characters, psychic powers and special rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.battle import Procedure
from battlewright.core.roster import Army
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.psychic import Power, PsychicTest
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.special_rules import Registry
from battlewright.editions.classic.state import ClassicUnit

__all__ = ["CharacterRules", "Declaration"]


class Declaration(StrEnum):
    """When a player says which units his characters join."""

    START_OF_TURN = "before any move"
    END_OF_MOVEMENT = "when the character has moved"


def nothing_special(carrier: Collection[str]) -> frozenset[str]:
    """The special rules that somebody has for being in a vehicle of these keywords: none."""
    return frozenset()


@dataclass(frozen=True)
class CharacterRules:
    """What is decided about characters.

    Attributes:
        special_rules: by name, what each special rule does.
        joining_declared: when a player says which units his characters join.
        why_no_host: rule and clause for each reason why no character may join a unit as it is, by its models.
        why_not_fielded: rule and clause for each reason why characters of an army may not be taken.
        aboard: special rules that units have while they are in a transport.
        riding: likewise by the keywords of the vehicle.
        powers: psychic powers that are no weapons, by name.
        powers_each_turn: how many powers a psyker may use, or has charges for, in a turn, by what he has.
        psychic_test: what the dice of a psychic test come to, by his Leadership.
        perils_strength: Strength of the hit that perils bring; None where they take a wound without a roll.
        prepare: what characters do before the armies are set up: powers, warlords.
        is_denied: whether a power that has passed its test is undone: by whom, and on which unit, None for none.
    """

    special_rules: Registry
    joining_declared: Callable[[], Declaration]
    why_no_host: Callable[[Iterable[ModelProfile], ClassicUnit], list[tuple[str, str]]]
    why_not_fielded: Callable[[Army], list[tuple[str, str]]]
    aboard: frozenset[str]
    powers: Mapping[str, Power]
    powers_each_turn: Callable[[Collection[str]], int]
    psychic_test: Callable[[Sequence[int], int], PsychicTest]
    perils_strength: int | None
    prepare: Callable[[ClassicBattle], Procedure[None]]
    is_denied: Callable[[ClassicBattle, int, int | None], Procedure[bool]]
    riding: Callable[[Collection[str]], frozenset[str]] = nothing_special
