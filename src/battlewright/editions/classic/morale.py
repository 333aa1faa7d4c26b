"""Leadership and morale: when a unit tests, with what modifiers, and what an edition decides about it.

A test is 2D6 against Leadership, what modifiers have left of it. Modifiers are data, so that the number used and the
explanation shown are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.classic.charts import passes_leadership_test

__all__ = [
    "LeadershipSource",
    "MoraleRules",
    "RallyConditions",
    "below_half",
    "best_leadership",
    "half_strength_modifier",
    "leadership_used",
    "outnumbered_modifier",
    "passes_morale_test",
    "quarter_lost",
]


@rule("3e.fire-morale.quarter", "3e.fire-morale.current-strength", "3e.fire-morale.one-phase")
def quarter_lost(strength: int, lost: int) -> bool:
    """Whether a unit lost a quarter or more.

    Args:
        strength: models when the phase began, whatever the unit numbered at first.
        lost: models lost in that one phase that count.

    >>> quarter_lost(8, 2), quarter_lost(10, 2)
    (True, False)
    """
    return lost > 0 and 4 * lost >= strength


@rule("3e.outside.half-strength", "3e.core.fundamentals.below-half")
def below_half(left: int, begun: int) -> bool:
    """Whether fewer than half are left of those that the battle began with: models, for a single model wounds."""
    return 2 * left < begun


@rule("3e.outside.half-strength", "3e.core.assault.below-half-modifier")
def half_strength_modifier(left: int, begun: int) -> tuple[Modifier, ...]:
    """The modifier of a morale test for being below half strength."""
    return (Modifier("3e.outside.half-strength", -1),) if below_half(left, begun) else ()


@rule("3e.outside.outnumbered", "3e.core.assault.outnumbered-modifier")
def outnumbered_modifier(own: int, enemies: int) -> tuple[Modifier, ...]:
    """The modifier of a beaten unit that is outnumbered in its combat: -1, or -n where the enemy is n to 1, to -4.

    >>> outnumbered_modifier(4, 9)[0].amount, outnumbered_modifier(5, 5)
    (-2, ())
    """
    if enemies <= own:
        return ()
    times = enemies // own if own else 4
    return (Modifier("3e.outside.outnumbered", -min(max(times, 1), 4)),)


@dataclass(frozen=True, slots=True)
class LeadershipSource:
    """A model whose Leadership counts: its value, and whether it is a leader that the unit borrows it from."""

    leadership: int
    borrowed: bool = False


@rule("3e.char-leaders.leadership", "3e.core.morale.best-leadership", "3e.core.fundamentals.leadership-test")
def best_leadership(sources: Iterable[LeadershipSource]) -> int:
    """The Leadership of a unit: the best in it, that of a joined character included; 0 for nobody."""
    return max((source.leadership for source in sources), default=0)


def leadership_used(leadership: int, modifiers: Sequence[Modifier]) -> int:
    """The number that a test needs or less."""
    return leadership + sum(modifier.amount for modifier in modifiers)


@rule("3e.outside.two-always", "3e.outside.ld-test")
def passes_morale_test(faces: Sequence[int], leadership: int) -> bool:
    """Whether two dice pass a morale test: the Leadership or less, and a natural 2 always."""
    total = sum(faces)
    return total == 2 or passes_leadership_test(total, leadership)


@dataclass(frozen=True, slots=True, kw_only=True)
class RallyConditions:
    """What is asked of a unit that would rally.

    Attributes:
        left, begun: models now and when the battle began; of a single model wounds.
        in_formation: whether it is.
        nearest_enemy: inches to the nearest enemy model, None when there is none.
        has_leader: whether an independent character leads it.
        may_below_half: whether a special rule lets it rally below half strength.
    """

    left: int
    begun: int
    in_formation: bool
    nearest_enemy: float | None
    has_leader: bool = False
    may_below_half: bool = False


@dataclass(frozen=True)
class MoraleRules:
    """What an edition decides about morale.

    Attributes:
        losses_that_count: of models lost in a phase, and those of them lost with their transport.
        last_man_modifiers: of the test of a unit's last survivor, by models left and begun.
        why_no_rally: rule and clause for each reason why a unit may not try to rally.
        may_rally_in_cover: whether the attempt in cover is allowed, by whether it is the owner's movement phase.
        is_bound: whether a joined character whose unit is gone shares its fate.
    """

    losses_that_count: Callable[[int, int], int]
    last_man_modifiers: Callable[[int, int], tuple[Modifier, ...]]
    why_no_rally: Callable[[RallyConditions], list[tuple[str, str]]]
    may_rally_in_cover: Callable[[bool], bool]
    is_bound: Callable[[], bool]
