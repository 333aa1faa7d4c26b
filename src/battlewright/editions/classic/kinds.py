"""How each kind of model moves: distances and dice that go with what it is, as data of an edition."""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.dice import DiceExpression

__all__ = ["THREE_D6", "TWO_D6", "KindRules"]

TWO_D6 = DiceExpression(2, 6, 0)
THREE_D6 = DiceExpression(3, 6, 0)


@dataclass(frozen=True, slots=True)
class KindRules:
    """The moves of one kind.

    Attributes:
        move: inches in the Movement phase.
        assault: inches of an assault move.
        fall_back: dice of a fall-back move; ``sweep`` of a sweeping advance.
    """

    move: float = 6.0
    assault: float = 6.0
    fall_back: DiceExpression = TWO_D6
    sweep: DiceExpression = TWO_D6
