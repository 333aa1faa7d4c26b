"""The missions of the 3rd edition."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.core.rulebook import rule
from battlewright.editions.classic import missions
from battlewright.editions.classic.missions import Mission, Winning

__all__ = ["MISSIONS", "TURNS", "find_mission"]

TURNS = 6
"""Game turns, unless a mission says otherwise."""

_LONG = ("village", "open_table")
_QUARTERS = ("quarters",)

MISSIONS: Mapping[str, Mission] = {
    "patrol": Mission("patrol", TURNS, _LONG, chart="standard", reserves=True),
    "cleanse": Mission("cleanse", TURNS, _QUARTERS, Winning.QUARTERS, chart="standard"),
    "night-fight": Mission("night-fight", TURNS, _QUARTERS, chart="standard", night=True),
}


@rule("3e.core.turn.game-length")
def find_mission(name: str) -> Mission:
    """The mission of that name.

    Raises:
        BadInput: for an unknown name.
    """
    return missions.find_mission(MISSIONS, name)
