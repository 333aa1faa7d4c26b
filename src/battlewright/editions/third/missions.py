"""The missions of the 3rd edition and the layouts they are played on."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.editions.classic.scene import Mission

__all__ = ["MISSIONS", "TURNS", "find_mission"]

TURNS = 6
"""Game turns, unless a mission says otherwise."""

MISSIONS: Mapping[str, Mission] = {
    "patrol": Mission("patrol", TURNS, ("open_table",)),
}


@rule("3e.core.turn.game-length")
def find_mission(name: str) -> Mission:
    """The mission of that name; spaces and capitals do not matter.

    Raises:
        BadInput: for an unknown name.
    """
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in MISSIONS:
        raise BadInput(f'there is no mission "{name}"', expected=" or ".join(sorted(MISSIONS)))
    return MISSIONS[key]
