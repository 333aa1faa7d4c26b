"""The missions of the 3rd edition: what they are played on and what decides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.editions.classic import scene as classic

__all__ = ["MISSIONS", "TURNS", "Mission", "Winning", "find_mission", "mission_of"]

TURNS = 6
"""Game turns, unless a mission says otherwise."""


class Winning(StrEnum):
    """What a mission is decided by."""

    VICTORY_POINTS = "victory points"
    QUARTERS = "table quarters, then victory points"


@dataclass(frozen=True, slots=True)
class Mission(classic.Mission):
    """A mission of the 3rd edition.

    Attributes:
        winning: what decides it.
        chart: what an army may be made of, the name of a force chart; "" where that is free.
        reserves: whether units may be held back.
        night: whether night fighting limits how far one sees.
    """

    winning: Winning = Winning.VICTORY_POINTS
    chart: str = ""
    reserves: bool = False
    night: bool = False


_LONG = ("village", "open_table")
_QUARTERS = ("quarters",)

MISSIONS: Mapping[str, Mission] = {
    "patrol": Mission("patrol", TURNS, _LONG, chart="standard", reserves=True),
    "cleanse": Mission("cleanse", TURNS, _QUARTERS, Winning.QUARTERS, chart="standard"),
    "night-fight": Mission("night-fight", TURNS, _QUARTERS, chart="standard", night=True),
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


def mission_of(scene: classic.Scene) -> Mission:
    """The mission of a scene as this edition knows it."""
    mission = scene.mission
    assert isinstance(mission, Mission)
    return mission
