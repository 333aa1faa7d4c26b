"""What a player is."""

from __future__ import annotations

from typing import Any, Protocol

from battlewright.core.battle import Seat
from battlewright.core.decisions import Answer

__all__ = ["Player"]


class Player(Protocol):
    """Answers the decisions of one side."""

    @property
    def name(self) -> str:
        """What to call it."""
        ...

    def decide(self, seat: Seat[Any, Any]) -> Answer:
        """An answer to the seat's present decision; it has to be legal."""
        ...
