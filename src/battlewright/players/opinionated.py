"""A player with opinions: it has a handler for each kind of decision that it cares about, and leaves all others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from battlewright.core.battle import Seat
from battlewright.core.decisions import Answer, Decision
from battlewright.core.errors import BattlewrightError

__all__ = ["Handler", "Opinionated"]

Handler: TypeAlias = Callable[[Any, Seat[Any, Any], Decision, Any], Answer]
"""Answers a decision: given the player, its seat, the decision and the state as the seat sees it."""


class Opinionated(ABC):
    """Answers by rules of thumb and by the exact odds of attacks; what it has no opinion on, by the default.

    Args:
        seed: not used; the player draws nothing.
    """

    name = "heuristic"

    def __init__(self, seed: int = 0) -> None:
        self._scene: Any = None

    def decide(self, seat: Seat[Any, Any]) -> Answer:
        """See :class:`~battlewright.players.player.Player`.

        Raises:
            BattlewrightError: when it is not this seat's turn to decide.
        """
        decision = seat.decision
        if decision is None:
            raise BattlewrightError("there is nothing to decide at this seat")
        if self._scene is not seat.scene:
            self._scene = seat.scene
            self.sit_down(seat.scene)
        handler = self.handler(decision.kind)
        return decision.default() if handler is None else handler(self, seat, decision, seat.view())

    @abstractmethod
    def sit_down(self, scene: Any) -> None:
        """Get ready for the battle of a scene; whatever was thought of another one is forgotten."""

    @abstractmethod
    def handler(self, kind: str) -> Handler | None:
        """What answers decisions of a kind; None for those left to their default."""
