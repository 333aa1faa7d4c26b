"""The ground that models stand on: difficult terrain, and the cover that they have against what is fired at them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from battlewright.core.bases import Point, Pose
from battlewright.core.prisms import Prisms
from battlewright.core.rulebook import rule
from battlewright.core.sight import Visibility, visibility
from battlewright.editions.classic.cover import COVER, CoverKind, cover_save, gives_cover
from battlewright.editions.classic.procedures.board import pose_of, unit_in
from battlewright.editions.classic.procedures.field import area_holds, field_of
from battlewright.editions.classic.procedures.seeing import Source, body_of, hovers, prism_of, walls_of
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState

__all__ = [
    "area_cover",
    "cover_against",
    "covers_one_by_one",
    "feature_saves",
    "is_difficult",
    "is_in_cover",
    "is_over_difficult",
    "models_in_cover",
    "nearest_source",
    "save_of",
]

DIFFICULT = "difficult"
"""The tag of an area that is difficult terrain."""


def _agreed(tags: frozenset[str]) -> CoverKind | None:
    return next((kind for kind in CoverKind if kind in tags), None)


def save_of(tags: frozenset[str]) -> int | None:
    """The cover save of a piece of terrain with these tags."""
    return next((cover_save(kind) for kind in COVER if kind in tags), None)


def is_difficult(scene: Scene, points: Sequence[Point], state: ClassicState | None = None) -> bool:
    """Whether any of these points lies in difficult terrain; without a state in that of the layout alone."""
    where = np.array(points, np.float64).reshape(-1, 2)
    return any(bool(area_holds(area, where).any()) for area in field_of(scene, state).areas if DIFFICULT in area.tags)


def is_over_difficult(scene: Scene, state: ClassicState, row: int) -> bool:
    """Whether the middle of a model is over difficult terrain."""
    return is_difficult(scene, [pose_of(state, row)[:2]], state)


def is_in_cover(scene: Scene, state: ClassicState, row: int) -> bool:
    """Whether a model stands in area cover."""
    return _ground_cover(scene, state, row) is not None


@rule("4e.jetbikes.hover-no-cover", "4e.jetbikes.cover-inside")
def _ground_cover(scene: Scene, state: ClassicState, row: int) -> int | None:
    """The cover save that area terrain gives a model in it; none to one that hovers above it."""
    return None if hovers(scene, state, row) else area_cover(scene, state, pose_of(state, row))


def area_cover(scene: Scene, state: ClassicState, pose: Pose) -> int | None:
    """The cover save of the areas that a pose lies in, None in the open."""
    saves = []
    for area in field_of(scene, state).areas:
        inside = bool(area_holds(area, np.array([[pose.x, pose.y]]))[0])
        if gives_cover(_agreed(area.tags), inside=inside, partly_hidden=False):
            saves.append(save_of(area.tags))
    return min((save for save in saves if save is not None), default=None)


def feature_saves(scene: Scene, state: ClassicState) -> list[tuple[Prisms, int]]:
    """Every feature of the table that gives cover to what it hides, with the save that it gives."""
    walls, found = walls_of(scene, state), []
    for number, (_, feature) in enumerate(field_of(scene, state).features()):
        save = save_of(feature.tags) if CoverKind.OBSTACLE in feature.tags else None
        if save is not None:
            found.append((walls.take([number]), save))
    return found


def cover_against(scene: Scene, state: ClassicState, row: int, source: Source) -> int | None:
    """The cover save of a model from what comes from there: of the area that it stands in, of what partly hides it."""
    saves = [_ground_cover(scene, state, row)]
    mine, theirs = body_of(scene, state, row).prism, prism_of(scene, state, source)
    walls = walls_of(scene, state)
    for number, (_, feature) in enumerate(field_of(scene, state).features()):
        if CoverKind.OBSTACLE in feature.tags:
            hidden = visibility(theirs, mine, walls.take([number])) is not Visibility.FULL
            if gives_cover(CoverKind.OBSTACLE, inside=False, partly_hidden=hidden):
                saves.append(save_of(feature.tags))
    best = min((save for save in saves if save is not None), default=None)
    profile, moved = scene.models[row].profile, state.units[unit_in(state, row)].moved_last
    return scene.rules.shooting.cover_of(profile, best, moved)


@rule("3e.core.assault.cover-strikes-first", "3e.bikes.no-cover", "3e.cavalry.cover-stationary")
def models_in_cover(scene: Scene, state: ClassicState, unit: int, enemies: Sequence[int]) -> frozenset[int]:
    """The models of a unit that are in cover, or behind some, as these enemies come at them; whoever gains nothing from
    cover is not.

    Args:
        enemies: rows of theirs.
    """
    return frozenset(
        row
        for row in standing(state, unit)
        if not scene.models[row].profile.is_vehicle
        and cover_against(scene, state, row, nearest_source(state, enemies, row)) is not None
    )


def nearest_source(state: ClassicState, sources: Sequence[Source], row: int) -> Source:
    """That of several sources which lies nearest to a model, centre to centre."""
    here = pose_of(state, row)[:2]

    def away(source: Source) -> float:
        return math.dist(here, pose_of(state, source)[:2] if isinstance(source, int) else source)

    return min(sources, key=away)


@rule("3e.core.shooting.partly-in-cover", "3e.casualties.open-first")
def covers_one_by_one(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], sources: Sequence[Source]
) -> Mapping[int, int | None]:
    """The cover save of each of some models of a unit, from the nearest source; None in the open."""
    return {row: cover_against(scene, state, row, nearest_source(state, sources, row)) for row in rows}
