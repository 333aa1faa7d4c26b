"""A small table for missions: five objectives, some woods, territories that meet in the middle."""

from __future__ import annotations

from battlewright.core.table import Category, Objective, ObjectiveRole, TerrainArea

__all__ = ["CENTRAL", "EAST", "GOALS", "HOME", "PLACES", "THEIRS", "WEST", "WOODS"]

GOALS = [
    Objective("attacker-home", (22.0, 6.0), role=ObjectiveRole.HOME, owner="attacker"),
    Objective("defender-home", (22.0, 54.0), role=ObjectiveRole.HOME, owner="defender"),
    Objective("central", (22.0, 29.0), role=ObjectiveRole.CENTRAL),
    Objective("east", (38.0, 40.0), role=ObjectiveRole.EXPANSION),
    Objective("west", (6.0, 20.0), role=ObjectiveRole.EXPANSION),
]
HOME, THEIRS, CENTRAL, EAST, WEST = range(5)
"""Seen from side a, the Attacker; its territory is the southern half, so that east lies in enemy territory."""
PLACES = ["objective:attacker-home", "objective:defender-home", "objective:central", "objective:east", "objective:west"]


def wood(name: str, x: float, y: float, size: float = 6.0) -> TerrainArea:
    half = size / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return TerrainArea(name, outline, Category.EXPOSED)


WOODS = [wood(str(number), x, y) for number, (x, y) in enumerate([(10, 35), (34, 25), (10, 45), (34, 20), (5, 6)], 1)]
"""Four areas outside side a's zone, the third of them in enemy territory, and one in the zone."""
