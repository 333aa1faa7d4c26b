"""Moving over terrain (13.06): who passes through what, what is climbed, where a model may stand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, Pose
from battlewright.core.footprints import Footprints
from battlewright.core.rulebook import rule
from battlewright.core.shapes import (
    TOLERANCE,
    distance_edge_to_polygon,
    overlaps_polygon,
    wholly_within_polygon,
    within,
)
from battlewright.core.sweeps import path_crosses_polygon
from battlewright.core.table import Battlefield, Category, Floor, TerrainFeature
from battlewright.editions.placing import terrain
from battlewright.editions.placing.terrain import TerrainFacts

__all__ = [
    "LOW",
    "SOLID_HEIGHT",
    "climb_fault",
    "floor_at",
    "is_obstacle",
    "may_end_on",
    "may_stand_above_ground",
    "passes_through_dense",
    "passes_vertically_through_dense",
    "stands_in_solid",
    "terrain_facts",
]

LOW: Final = 2.0
"""The height, in inches, of the sections of a dense feature that every model passes over."""
SOLID_HEIGHT: Final = 3.0
"""Enclosed sections of dense features end no model's move up to this height, in inches."""
CLIMBING: Final = 0.5
"""How near to the feature a climbing model stays, in inches."""
_STEP: Final = 0.25

_FEET: Final = frozenset({"INFANTRY", "BEASTS", "BEAST", "SWARM"})
_STANDS_HIGH: Final = _FEET | {"FLY", "MONSTER"}


# -- who may do what (13.06) ------------------------------------------------------------------------------------


@rule("11e.core.13.06-dense-light-feet")
def passes_through_dense(keywords: Collection[str]) -> bool:
    """Whether a model with these keywords moves horizontally through dense features."""
    return "MOBILE" in keywords or not _FEET.isdisjoint(keywords)


@rule("11e.core.13.06-dense-light-feet")
def passes_vertically_through_dense(keywords: Collection[str]) -> bool:
    """Whether it also moves through their ceilings and floors."""
    return not _FEET.isdisjoint(keywords)


@rule("11e.core.13.06-ending-above-ground")
def may_stand_above_ground(keywords: Collection[str]) -> bool:
    """Whether a model with these keywords may end a move, or be set up, above ground level."""
    return not _STANDS_HIGH.isdisjoint(keywords)


@rule("11e.core.13.06-dense-others", "11e.core.13.06-exposed-and-light")
def is_obstacle(feature: TerrainFeature, keywords: Collection[str], z: float = 0.0) -> bool:
    """Whether a feature stops a model that moves horizontally at a height, in inches.

    Only dense features do, and only models that do not pass through them: where a section is more than 2" high and
    rises above the height at which the model moves. A feature is one section: layouts give walls as features.
    """
    if feature.category is not Category.DENSE or passes_through_dense(keywords):
        return False
    return feature.top > max(LOW, z) + TOLERANCE


# -- the terrain of a battlefield as moves need it --------------------------------------------------------------


@rule("11e.core.13.06-boundaries-do-not-slow", "11e.core.13.01-areas")
def terrain_facts(battlefield: Battlefield) -> TerrainFacts:
    """What of a battlefield stops moves: features alone matter, never the boundaries of areas (13.06).

    Walls are the dense features more than 2" high, solids those through whose lower sections no model may end.
    """
    features = [feature for _, feature in battlefield.features()]
    walls = [feature for feature in features if is_obstacle(feature, ())]
    solids = [feature for feature in features if feature.solid and feature.elevation < SOLID_HEIGHT]
    return TerrainFacts.made(battlefield, walls, solids, SOLID_HEIGHT)


# -- where a model may end (13.06) ------------------------------------------------------------------------------


@rule("11e.core.13.06-solid")
def stands_in_solid(facts: TerrainFacts, placed: Footprints, z: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,): which bases at heights z, inches, lie through an enclosed section 3" or less from the ground.

    RULING: 11e.core.13.06-solid we read it as the whole footprint of a feature marked solid: layouts give the walls,
    and the room behind them is no part of the feature.
    """
    return terrain.stands_in_solid(facts, placed, z)


def floor_at(battlefield: Battlefield, base: Base, pose: Pose) -> tuple[TerrainFeature, Floor] | None:
    """The floor on which a base stands wholly at its pose's height, or None."""
    for _, feature in battlefield.features():
        for floor in feature.floors:
            if abs(floor.elevation - pose.z) <= TOLERANCE and wholly_within_polygon(base, pose, floor.polygon):
                return feature, floor
    return None


@rule("11e.core.13.06-ending-above-ground", "11e.core.13.06-dense-others")
def may_end_on(
    battlefield: Battlefield, base: Base, pose: Pose, keywords: Collection[str], *, moved: bool = True
) -> bool:
    """Whether a model may end at the pose's height, or be set up there (``moved`` false).

    On the ground always. Above it only with the keywords for it and without overhang.
    RULING: 11e.core.13.06-dense-others we read it as holding for MONSTERS and those that FLY too, unless they pass
    vertically through dense features: what has climbed a dense feature comes down again.
    """
    if abs(pose.z) <= TOLERANCE:
        return True
    if not may_stand_above_ground(keywords):
        return False
    found = floor_at(battlefield, base, pose)
    if found is None:
        return False
    dense = found[0].category is Category.DENSE
    return not (moved and dense and not passes_vertically_through_dense(keywords))


# -- moving above the ground (13.06) ----------------------------------------------------------------------------


@rule("11e.core.13.06-climbing", "11e.core.13.06-dense-others")
def climb_fault(battlefield: Battlefield, base: Base, keywords: Collection[str], path: Sequence[Pose]) -> str | None:
    """What is wrong with a path that leaves the ground, as a clause; None when nothing is.

    The path begins where the model stands. Each leg is either horizontal or vertical. A vertical leg stays within
    half an inch of a feature at least as high as it goes. A horizontal leg above the ground keeps, at steps of a
    quarter of an inch, as near to one that reaches up to it: that is what crossing its top or a floor means.
    """
    features = [feature for _, feature in battlefield.features()]
    for start, end in itertools.pairwise(path):
        flat = math.hypot(end.x - start.x, end.y - start.y)
        if start.z != end.z:
            if flat > TOLERANCE:
                return "climbs and moves across in one line"
            fault = _vertical_fault(features, base, keywords, start, end)
        elif start.z > TOLERANCE:
            fault = _high_fault(features, base, keywords, start, end, flat)
        else:
            fault = None
        if fault:
            return fault
    return None


def _vertical_fault(
    features: list[TerrainFeature], base: Base, keywords: Collection[str], start: Pose, end: Pose
) -> str | None:
    low, high = min(start.z, end.z), max(start.z, end.z)
    if not _is_beside(features, base, end, high):
        return f'climbs to {high:g}" further than {CLIMBING:g}" from any feature of that height'
    if not passes_vertically_through_dense(keywords):
        for feature in features:
            if feature.category is not Category.DENSE:
                continue
            for floor in feature.floors:
                through = low + TOLERANCE < floor.elevation < high - TOLERANCE
                if through and overlaps_polygon(base, end, floor.polygon):
                    return f'climbs through the floor at {floor.elevation:g}" of {feature.id}'
    return None


def _high_fault(
    features: list[TerrainFeature], base: Base, keywords: Collection[str], start: Pose, end: Pose, flat: float
) -> str | None:
    for feature in features:
        if is_obstacle(feature, keywords, start.z) and path_crosses_polygon(base, [start, end], feature.polygon):
            return f"passes through {feature.id}"
    for pose in _steps(start, end, flat):
        if not _is_beside(features, base, pose, pose.z):
            return f'moves {pose.z:g}" above the ground with nothing to stand on at {pose.x:.1f}, {pose.y:.1f}'
    return None


def _steps(start: Pose, end: Pose, flat: float) -> Iterator[Pose]:
    count = max(1, math.ceil(flat / _STEP))
    for i in range(count + 1):
        part = i / count
        yield start._replace(x=start.x + part * (end.x - start.x), y=start.y + part * (end.y - start.y))


def _is_beside(features: list[TerrainFeature], base: Base, pose: Pose, height: float) -> bool:
    """Whether a base keeps to some part of a feature, a wall or a floor, that reaches up to a height."""
    for feature in features:
        parts = [(feature.top, feature.polygon), *((floor.elevation, floor.polygon) for floor in feature.floors)]
        for top, polygon in parts:
            if top >= height - TOLERANCE and within(distance_edge_to_polygon(base, pose, polygon), CLIMBING):
                return True
    return False
