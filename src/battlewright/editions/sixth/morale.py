"""Morale in the 6th edition: losses of two phases, no halving by terrain, regrouping in the teeth of the enemy."""

from __future__ import annotations

from dataclasses import replace

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.classic.morale import RallyConditions, all_losses
from battlewright.editions.fourth.morale import MORALE as FOURTHS

__all__ = ["MORALE", "any_may_try", "full_distance", "never_alone", "only_double_one", "unmodified"]

DOUBLE_ONE = 2


@rule("6e.core.morale.quarter-losses")
def unmodified(left: int, begun: int) -> tuple[Modifier, ...]:
    """The modifiers of a test for losses: none, below half or not."""
    return ()


@rule("6e.core.morale.fall-back")
def full_distance(total: int, difficult: bool) -> float:
    """How far a unit falls back, in inches: what was rolled; terrain makes no difference."""
    return float(total)


@rule("6e.core.morale.regroup-conditions")
def any_may_try(unit: RallyConditions) -> list[tuple[str, str]]:
    """Why a unit may not try to regroup: neither nearby enemies nor lost coherency hinder it."""
    return []


@rule("6e.core.morale.regroup")
def only_double_one(unit: RallyConditions, leadership: int) -> tuple[Modifier, ...]:
    """The modifiers of a test to regroup: with less than a quarter left only a double 1 passes, unless an independent
    character is with it."""
    if unit.has_leader or 4 * unit.left >= unit.begun:
        return ()
    return (Modifier("6e.core.morale.regroup", DOUBLE_ONE - leadership),)


def never_alone(left: int, begun: int, character: bool = False) -> bool:
    """Whether a unit's last survivor tests at the start of its turns: never."""
    return False


MORALE = replace(
    FOURTHS,
    losses_that_count=all_losses,
    own_losses_count=True,
    pinned_skip=False,
    rallies_on_the_run=False,
    regroups_when_charged=True,
    stays_down=True,
    losses_modifiers=unmodified,
    losses_in_movement=True,
    is_last_man=never_alone,
    fall_back_distance=full_distance,
    why_no_rally=any_may_try,
    rally_modifiers=only_double_one,
)
"""RULING: 6e.core.morale.quarter-losses units gone to ground test as all do, and get up when they fall back."""
