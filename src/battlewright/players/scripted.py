"""Players that do as they are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from battlewright.core.battle import Seat
from battlewright.core.decisions import Answer
from battlewright.core.errors import BattlewrightError

__all__ = ["DefaultPlayer", "ScriptedPlayer"]


class DefaultPlayer:
    """Gives every decision its default.

    Args:
        seed: not used; every player can be made alike.
    """

    name = "default"

    def __init__(self, seed: int = 0) -> None:
        pass

    def decide(self, seat: Seat[Any, Any]) -> Answer:
        """See :class:`~battlewright.players.player.Player`.

        Raises:
            BattlewrightError: when it is not this seat's turn to decide.
        """
        if seat.decision is None:
            raise BattlewrightError("there is nothing to decide at this seat")
        return seat.decision.default()


class ScriptedPlayer:
    """Gives the answers of a list, in order."""

    name = "scripted"

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = iter(answers)

    def decide(self, seat: Seat[Any, Any]) -> Answer:
        """See :class:`~battlewright.players.player.Player`.

        Raises:
            BattlewrightError: when the list is used up.
        """
        answer = next(self._answers, None)
        if answer is None:
            raise BattlewrightError("the script of answers is used up")
        return answer
