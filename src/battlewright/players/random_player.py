"""A player that plays legally and without a plan."""

from __future__ import annotations

import random
from typing import Any

from battlewright.core.battle import Seat
from battlewright.core.decisions import Answer
from battlewright.core.errors import BattlewrightError

__all__ = ["RandomPlayer"]


class RandomPlayer:
    """Draws some legal answer to every decision, with a generator of its own.

    Args:
        seed: makes it repeatable; it has nothing to do with the battle's dice.
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def decide(self, seat: Seat[Any, Any]) -> Answer:
        """See :class:`~battlewright.players.player.Player`.

        Raises:
            BattlewrightError: when it is not this seat's turn to decide.
        """
        if seat.decision is None:
            raise BattlewrightError("there is nothing to decide at this seat")
        return seat.decision.sample(self._rng)
