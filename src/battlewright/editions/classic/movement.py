"""What an edition, and its players' switches, decide about movement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from battlewright.editions.classic.state import ClassicUnit

__all__ = ["MovementRules"]


@dataclass(frozen=True)
class MovementRules:
    """What is decided about movement.

    Attributes:
        why_no_march: rule and clause for each reason why a unit may not march, with inches to the nearest enemy.
        accident_dice: the dice that a model of a kind throws for what its moves of a phase had to do with terrain.
    """

    why_no_march: Callable[[ClassicUnit, float | None], list[tuple[str, str]]]
    accident_dice: Callable[..., int]
