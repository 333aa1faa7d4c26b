"""Missions of the classic editions: what they are played on and what decides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from battlewright.core.errors import BadInput
from battlewright.editions.classic import scene as classic

__all__ = ["Mission", "Winning", "find_mission", "mission_of"]


class Winning(StrEnum):
    """What a mission is decided by."""

    VICTORY_POINTS = "victory points"
    QUARTERS = "table quarters, then victory points"


@dataclass(frozen=True, slots=True)
class Mission(classic.Mission):
    """A mission of a classic edition.

    Attributes:
        winning: what decides it.
        chart: what an army may be made of, the name of a force chart; "" where that is free.
        reserves: whether units may be held back.
        deep_strike: whether units may arrive by deep strike.
        infiltrators: whether infiltrators are set up last, away from their zone.
        night: whether night fighting limits how far one sees.
    """

    winning: Winning = Winning.VICTORY_POINTS
    chart: str = ""
    reserves: bool = False
    deep_strike: bool = True
    infiltrators: bool = True
    night: bool = False


MissionT = TypeVar("MissionT", bound=Mission)


def find_mission(missions: Mapping[str, MissionT], name: str) -> MissionT:
    """The mission of that name; spaces and capitals do not matter.

    Raises:
        BadInput: for an unknown name.
    """
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in missions:
        raise BadInput(f'there is no mission "{name}"', expected=" or ".join(sorted(missions)))
    return missions[key]


def mission_of(scene: classic.Scene) -> Mission:
    """The mission of a scene as the classic editions know it."""
    mission = scene.mission
    assert isinstance(mission, Mission)
    return mission
