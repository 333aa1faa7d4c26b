"""The missions of the 6th edition."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.editions.classic import missions
from battlewright.editions.classic.missions import Mission

__all__ = ["MISSIONS", "TURNS", "find_mission"]

TURNS = 6
"""Game turns, unless a mission says otherwise."""

MISSIONS: Mapping[str, Mission] = {
    "patrol": Mission("patrol", TURNS, ("village", "open_table"), chart="standard", reserves=True),
    "night-fight": Mission("night-fight", TURNS, ("village", "open_table"), chart="standard", night=True),
}


def find_mission(name: str) -> Mission:
    """The mission of that name.

    Raises:
        BadInput: for an unknown name.
    """
    return missions.find_mission(MISSIONS, name)
