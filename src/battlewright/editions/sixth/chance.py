"""Chance among models in the 6th edition: random allocation."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.decisions import Side
from battlewright.core.rulebook import rule
from battlewright.editions.classic.scene import ClassicBattle

__all__ = ["at_random", "picked_by"]


@rule("6e.core.fundamentals.random-allocation", "6e.outside.random-allocation")
def picked_by(face: int, rows: Sequence[int]) -> int:
    """The model that a die with as many faces as there are models picks: each is as likely as any other.

    Args:
        face: from 1 to the number of ``rows``.
    """
    return rows[face - 1]


def at_random(battle: ClassicBattle, rows: Sequence[int], side: Side, rule_id: str) -> int:
    """One of these models by chance; a single one needs no die."""
    if len(rows) == 1:
        return rows[0]
    roll = battle.rolled(battle.roll(1, len(rows), "random-allocation"), side, rule_id)
    return picked_by(roll.total, rows)
