"""Terms that every chapter uses: which text counts, who the enemy is, what a re-roll may do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from battlewright.core.decisions import Side
from battlewright.core.dice import Reroll, Roll
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule

__all__ = ["after_reroll", "enemies_of", "in_force", "may_reroll"]

Answer = TypeVar("Answer")


@rule("3e.basis.authority")
def in_force(core: Answer, supplement: Answer | None) -> Answer:
    """The answer that counts where core rules and their official supplement differ: the supplement's where it has one.

    >>> in_force("6 inches", None), in_force("6 inches", "3 inches")
    ('6 inches', '3 inches')
    """
    return core if supplement is None else supplement


@rule("3e.terms.enemy")
def enemies_of(side: Side, sides: Sequence[Side]) -> list[int]:
    """The units that "the enemy" means for a side: those of the other side.

    Args:
        sides: whose each unit is, by index.
    """
    return [unit for unit, each in enumerate(sides) if each != side]


@rule("3e.terms.reroll-once", "3e.core.fundamentals.reroll-once")
@rule("4e.core.fundamentals.dice", "6e.core.fundamentals.reroll-once")
def may_reroll(roll: Roll, index: int) -> bool:
    """Whether a die may be rolled again: once only, whatever the number of rules that would permit it."""
    return all(reroll.index != index for reroll in roll.rerolls)


@rule("3e.terms.reroll-second-stands", "3e.core.fundamentals.reroll-once")
@rule("4e.core.fundamentals.dice", "6e.core.fundamentals.reroll-once")
def after_reroll(roll: Roll, index: int, face: int) -> Roll:
    """A roll with one die rolled again: the second result stands, also where it is worse.

    Raises:
        BadInput: when that die has been rolled again before.
    """
    if not may_reroll(roll, index):
        raise BadInput("a die is re-rolled once only", expected="a die that has not been re-rolled")
    return roll.with_rerolls((Reroll(index, roll.faces[index], face),))
