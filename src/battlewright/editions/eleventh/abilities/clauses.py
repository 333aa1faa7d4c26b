"""An ability as it is understood: its effects with their conditions, and when its bearer may use it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from battlewright.editions.eleventh.abilities.language import Condition, Effect, Until, Whose

__all__ = [
    "Clause",
    "Marks",
    "Moment",
    "Reading",
    "Timing",
]


@dataclass(frozen=True, slots=True)
class Clause:
    """One effect of an ability with all that it depends on.

    Attributes:
        ability: the ability's name, the rule that explanations name.
        reach: inches, for effects on units around; None otherwise.
        conditions: all of them have to hold.
        whole_unit: whether it speaks of its bearers alone but can only be applied to whole units, so that it has no
            effect in a unit with other models.
    """

    ability: str
    effect: Effect
    whose: Whose
    reach: float | None = None
    conditions: tuple[Condition, ...] = ()
    whole_unit: bool = False

    @property
    def is_always_on(self) -> bool:
        """Whether it is in force on its bearers for as long as they live, whatever happens."""
        return self.whose is Whose.BEARER and not self.conditions


class Moment(StrEnum):
    """When an ability that does not always work may be used; each is an occasion of the same name."""

    SELECTED_TO_SHOOT = "selected-to-shoot"
    SELECTED_TO_FIGHT = "selected-to-fight"
    TARGETED = "targeted"
    FIGHT_BEGINS = "fight-begins"
    SELECTED_TO_MOVE = "selected-to-move"
    COMMAND_BEGINS = "command-begins"
    HAS_SHOT = "has-shot"


class Marks(StrEnum):
    """For whom an ability that marks an enemy unit works."""

    ATTACKERS = "attackers"
    """Units of the ability's player, when they attack the marked unit."""
    TARGET = "target"
    """The marked unit itself."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When an ability is used and how long it lasts.

    Attributes:
        is_optional: whether its player may leave it.
        once: whether each unit uses it once in the battle; of a stratagem, whether its player does.
        conditions: what is asked of the unit when it is used.
        phases: of a stratagem, those in which it may be used; ``turn`` ``"your-turn"``, ``"opponent-turn"`` or
            ``"either"``, ``cost`` its CP.
        marks: of an ability that marks an enemy unit, for whom it works then.
    """

    moments: tuple[Moment, ...]
    until: Until
    is_optional: bool = True
    once: bool = False
    conditions: tuple[Condition, ...] = ()
    phases: tuple[str, ...] = ()
    turn: str = ""
    cost: int = 0
    marks: Marks | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """An ability as read.

    Attributes:
        clauses: what it does; empty when anything is missing.
        missing: what is not understood, one short text each; empty when the ability is enforced.
        timing: when it is used; None for one that always works.
    """

    clauses: tuple[Clause, ...] = ()
    missing: tuple[str, ...] = ()
    timing: Timing | None = None

    @property
    def is_enforced(self) -> bool:
        """Whether the ability is understood as a whole, and so has its effect."""
        return bool(self.clauses) and not self.missing
