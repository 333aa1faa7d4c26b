"""After a close combat of the 3rd edition: who has won, whether the enemy is caught, how winners react."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.decisions import SIDES, Side
from battlewright.core.rulebook import rule

__all__ = [
    "CONSOLIDATION",
    "Blow",
    "Reaction",
    "after_morale_test",
    "consolidation_distance",
    "is_drawn",
    "is_overtaken",
    "may_move_in_combat",
    "winner_by_wounds",
    "wounds_counted",
]

CONSOLIDATION = 3.0
"""Inches of a consolidation move."""


class Reaction(StrEnum):
    """What winners do."""

    SWEEP = "sweeping advance"
    CONSOLIDATE = "consolidate"


@dataclass(frozen=True, slots=True)
class Blow:
    """Unsaved wounds that arrived at one model, or at one pool of models.

    Attributes:
        wounds: that no save stopped.
        left: wounds that those who could suffer them had left.
    """

    wounds: int
    left: int


@rule(
    "3e.result.saved-excluded",
    "3e.result.overkill-excluded",
    "3e.result.partial-counts",
    "3e.result.regained-counts",
    "3e.cc-example.exarch-result",
    "3e.core.assault.result",
)
def wounds_counted(blow: Blow) -> int:
    """The wounds that count for the combat result: those really lost, also where an item regained them."""
    return min(blow.wounds, blow.left)


@rule("3e.result.sum", "3e.result.all-units", "3e.core.assault.result", "4e.core.assault.result")
@rule("6e.core.assault.result")
def winner_by_wounds(caused: Sequence[tuple[Side, int]]) -> Side | None:
    """The side that caused more lost wounds in this round of the combat, all its units together; None for a tie.

    Args:
        caused: for each unit its side and the wounds that it caused.
    """
    totals = [sum(wounds for side, wounds in caused if side == each) for each in SIDES]
    return None if totals[0] == totals[1] else SIDES[totals[1] > totals[0]]


@rule("3e.drawn.when", "3e.loser-morale.pass", "4e.core.assault.draw", "4e.core.assault.passed-test")
@rule("4e.walker-assault.loss-is-draw")
def is_drawn(winner: Side | None, held: Sequence[bool]) -> bool:
    """Whether a combat goes on as drawn: nobody has won, or every unit of the loser passed its morale test."""
    return winner is None or all(held)


@rule("3e.loser-morale.test", "3e.loser-morale.fail", "3e.loser-morale.pass", "3e.multi-combat.separate-tests")
def after_morale_test(passed: Sequence[bool]) -> list[bool]:
    """Which units of the losing side fall back: each takes a test of its own, and those that fail do."""
    return [not each for each in passed]


@rule("4e.core.assault.sweeping-advance", "6e.core.assault.sweeping-advance")
def is_overtaken(escape: int, sweep: int) -> bool:
    """Whether who runs is destroyed: the pursuers' D6 and Initiative are at least as high as his."""
    return sweep >= escape


# -- reactions --------------------------------------------------------------------------------------------------


@rule("3e.outside.consolidate-distance", "3e.consolidate.ignore-terrain", "3e.core.assault.consolidate")
def consolidation_distance(*, difficult: bool) -> float:
    """How far a unit consolidates, in inches; difficult terrain makes no difference."""
    return CONSOLIDATION


@rule("3e.drawn.contact-stay", "3e.partial-contact.contact-stay", "3e.partial-contact.others-move")
def may_move_in_combat(in_contact: Collection[int], rows: Sequence[int]) -> list[int]:
    """The models of a unit in combat that may move: those that touch no enemy."""
    return [row for row in rows if row not in in_contact]
