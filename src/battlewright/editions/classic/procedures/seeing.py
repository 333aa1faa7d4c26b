"""What models see of one another on the table: past terrain, wrecks, other models and close combats.

Everything here reads the state and changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, Point, Pose
from battlewright.core.prisms import Prisms, feature_prisms
from battlewright.core.rulebook import rule
from battlewright.core.shapes import touches_polygon
from battlewright.core.sight import visible_shares
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.cover import CoverKind
from battlewright.editions.classic.procedures.board import combat_of, pose_of, remembered, unit_in
from battlewright.editions.classic.procedures.field import area_holds, field_of, hull_around, outline_of, wreck_id
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.sight import LARGE, Body, combats_hide_nobody, possible_targets
from battlewright.editions.classic.state import ClassicState

__all__ = [
    "Source",
    "bodies_between",
    "body_of",
    "hovers",
    "place_of_mount",
    "prism_of",
    "seen_by",
    "seen_from_mount",
    "shares_seen",
    "target_units",
    "walls_of",
    "wrecks_under",
]

Floats = NDArray[np.float64]
Source: TypeAlias = int | Point
"""From where something comes: a model's row, or a point of the table in inches."""
_SPOT, _SPOT_HEIGHT = Base.parse("1mm"), 0.5
_BARREL = 0.1
"""Inches that a barrel is thick."""


@rule("4e.jetbikes.hover-height", "4e.jetbikes.hover-no-cover")
def hovers(scene: Scene, state: ClassicState, row: int) -> bool:
    """Whether a model hovers above the terrain that it is over."""
    way = state.units[unit_in(state, row)].last_way
    return scene.rules.movement.hovers(scene.models[row].profile, way)


def _seen_at(scene: Scene, state: ClassicState, row: int) -> Pose:
    """Where a model is for lines of sight: one that hovers is on top of the area terrain below it."""
    pose = pose_of(state, row)
    lift = scene.rules.flight.lift(scene.models[row].profile.keywords)
    if lift:
        return Pose(pose.x, pose.y, pose.z + lift, pose.facing)
    if not hovers(scene, state, row):
        return pose
    here = np.array([[pose.x, pose.y]])
    top = max((area.height for area in field_of(scene, state).areas if area_holds(area, here)[0]), default=0.0)
    return Pose(pose.x, pose.y, pose.z + top, pose.facing)


def body_of(scene: Scene, state: ClassicState, row: int) -> Body:
    """A model as sight knows it."""
    known = remembered(scene, state)
    if ("body", row) not in known:
        model, pose = scene.models[row], _seen_at(scene, state, row)
        known["body", row] = Body(
            row=row,
            unit=unit_in(state, row),
            side=model.side,
            base=model.base,
            pose=pose,
            height=model.height,
            is_vehicle=model.profile.is_vehicle,
            size=scene.rules.shooting.size_of(model.profile),
            shape=Prisms.of_models([model.base], np.array([pose], np.float64), [model.height]),
        )
    found: Body = known["body", row]
    return found


def seen_by(scene: Scene, state: ClassicState, row: int) -> frozenset[int]:
    """The enemy models that a model sees."""
    known = remembered(scene, state)
    if ("seen", row) not in known:
        side = scene.models[row].side
        others = [
            body_of(scene, state, int(other))
            for other in np.flatnonzero(state.on_table & (state.wounds > 0))
            if other != row and (scene.models[other].side != side or _hides_foes(scene, int(other)))
        ]
        seen = _visible(scene, state, row, others)
        seen -= _lost_in_woods(scene, state, row, sorted(seen))
        known["seen", row] = seen - _lost_behind_combats(scene, state, row, sorted(seen))
    found: frozenset[int] = known["seen", row]
    return found


def place_of_mount(pose: Pose, spot: Point) -> Point:
    """Where on the table a weapon is that stands so many inches ahead and to the left of the middle of its hull."""
    c, s = math.cos(math.radians(pose.facing)), math.sin(math.radians(pose.facing))
    return pose.x + spot[0] * c - spot[1] * s, pose.y + spot[0] * s + spot[1] * c


@rule("4e.vehicle-los.from-weapon")
@rule("6e.walker-shooting.range-and-sight")
def seen_from_mount(scene: Scene, state: ClassicState, row: int, spot: Point, *, top: bool) -> frozenset[int]:
    """The enemy models to which the line from a weapon on a vehicle is clear of terrain and of other models.

    Args:
        spot: of the weapon, in inches ahead and to the left of the middle of the hull.
        top: whether it stands on the hull; else half as high as the hull is.
    """
    known = remembered(scene, state)
    if ("mount", row, spot, top) not in known:
        me = body_of(scene, state, row)
        x, y = place_of_mount(me.pose, spot)
        up = me.height - _BARREL if top else me.height / 2
        eye = replace(me, base=_SPOT, pose=Pose(x, y, me.pose.z + up, me.pose.facing), height=_BARREL, shape=None)
        others = [
            body_of(scene, state, int(other))
            for other in np.flatnonzero(state.on_table & (state.wounds > 0))
            if other != row and (scene.models[other].side != me.side or _hides_foes(scene, int(other)))
        ]
        known["mount", row, spot, top] = _visible(scene, state, row, others, eye)
    found: frozenset[int] = known["mount", row, spot, top]
    return found


def _hides_foes(scene: Scene, row: int) -> bool:
    """Whether a model may hide enemies from friends of its own, too: vehicles, and whatever is of the largest size."""
    profile = scene.models[row].profile
    return profile.is_vehicle or scene.rules.shooting.size_of(profile) >= LARGE


def _visible(
    scene: Scene, state: ClassicState, row: int, others: Sequence[Body], eye: Body | None = None
) -> frozenset[int]:
    """The enemies among others that a model sees past bodies and terrain.

    Args:
        eye: the part of it that looks; all of it when None.

    RULING: 3e.core.vehicles.penetrating-table whoever stands on a wreck sees over it and is seen there.
    """
    sight, me = scene.rules.shooting, eye or body_of(scene, state, row)
    if not state.wrecks:
        return sight.visible(sight, me, others, walls_of(scene, state))
    mine = wrecks_under(scene, state, row)
    on = {other.row: wrecks_under(scene, state, other.row) - mine for other in others}
    found: set[int] = set()
    for under in sorted({frozenset(each) for each in on.values()}, key=sorted):
        walls = walls_of(scene, state, without=mine | under)
        found |= {each for each in sight.visible(sight, me, others, walls) if on[each] == under}
    return frozenset(found)


def wrecks_under(scene: Scene, state: ClassicState, row: int) -> frozenset[str]:
    """Ids of the hulls of wrecks that a model stands on, at least in part."""
    model, pose = scene.models[row], pose_of(state, row)
    return frozenset(
        feature.id
        for wreck in state.wrecks
        for area in field_of(scene, state).areas
        if area.id == wreck_id(wreck.row) and touches_polygon(model.base, pose, area.polygon)
        for feature in area.features
    )


def walls_of(scene: Scene, state: ClassicState, without: frozenset[str] = frozenset()) -> Prisms:
    """Every feature of the table as an obstacle to sight, those left out whose ids are named."""
    key = ("walls", state.wrecks, without)
    if key not in scene.cache:
        field = field_of(scene, state)
        places = [place for place, (_, feature) in enumerate(field.features()) if feature.id not in without]
        scene.cache[key] = feature_prisms(field).take(places)
    walls: Prisms = scene.cache[key]
    return walls


_SAMPLES = 49
"""Points along a line of sight by which its depth in area terrain is told."""


def _rises_above(scene: Scene, state: ClassicState, row: int, area: float) -> bool:
    model, stands = scene.models[row], float(state.position[row, 2]) / 1000
    return scene.rules.shooting.over_area(model.profile, stands, model.height, area)


def _lost_in_woods(scene: Scene, state: ClassicState, row: int, others: Sequence[int]) -> frozenset[int]:
    """Those of some models that area terrain hides, seen along the lines between the centres."""
    lost: set[int] = set()
    passes = scene.rules.shooting.through_area
    a, tall = pose_of(state, row), scene.rules.shooting.over_area
    profile, height = scene.models[row].profile, scene.models[row].height
    for area in scene.battlefield.areas:
        if area.height <= 0.0 or CoverKind.AREA not in area.tags or tall(profile, a.z, height, area.height):
            continue
        low = [other for other in others if not _rises_above(scene, state, other, area.height)]
        if not low:
            continue
        ends = state.position[low, :2] / 1000.0
        lines = np.linspace((a.x, a.y), ends, _SAMPLES, axis=1)
        inside = area_holds(area, lines.reshape(-1, 2)).reshape(len(low), _SAMPLES)
        depths = inside.mean(axis=1) * np.hypot(ends[:, 0] - a.x, ends[:, 1] - a.y)
        lost.update(
            other
            for other, within_it, depth in zip(low, inside, depths, strict=True)
            if within_it.any() and not passes(bool(within_it[0]), bool(within_it[-1]), float(depth))
        )
    return frozenset(lost)


def _combats(scene: Scene, state: ClassicState) -> list[tuple[frozenset[int], frozenset[int], TerrainArea]]:
    """The close combats: their units, the sizes of those who fight, and the ground between their models."""
    known = remembered(scene, state)
    if "combats" not in known:
        found: list[tuple[frozenset[int], frozenset[int], TerrainArea]] = []
        for info in scene.units:
            unit = int(info.index)
            if any(unit in units for units, _, _ in found) or not standing(state, unit):
                continue
            units = combat_of(scene, state, unit)
            if len(units) > 1:
                rows = [row for each in units for row in standing(state, each)]
                corners = [corner for row in rows for corner in outline_of(scene.models[row].base, pose_of(state, row))]
                sizes = frozenset(body_of(scene, state, row).size for row in rows)
                found.append((frozenset(units), sizes, TerrainArea("combat", hull_around(corners))))
        known["combats"] = found
    combats: list[tuple[frozenset[int], frozenset[int], TerrainArea]] = known["combats"]
    return combats


@rule("4e.core.movement.combat-as-terrain")
def _lost_behind_combats(scene: Scene, state: ClassicState, row: int, others: Sequence[int]) -> frozenset[int]:
    """Those of some models that combats hide which lie between, seen along the lines between the centres."""
    hides = scene.rules.shooting.combat_hides
    if hides is combats_hide_nobody or not others:
        return frozenset()
    lost: set[int] = set()
    me, a = body_of(scene, state, row), pose_of(state, row)
    for units, sizes, ground in _combats(scene, state):
        behind = [
            other
            for other in others
            if not {me.unit, unit_in(state, other)} & units and hides(sizes, me.size, body_of(scene, state, other).size)
        ]
        if behind:
            lines = np.linspace((a.x, a.y), state.position[behind, :2] / 1000.0, _SAMPLES, axis=1)
            inside = area_holds(ground, lines.reshape(-1, 2)).reshape(len(behind), _SAMPLES)
            lost.update(other for other, crossed in zip(behind, inside, strict=True) if crossed.any())
    return frozenset(lost)


def target_units(scene: Scene, state: ClassicState, rows: Iterable[int]) -> list[int]:
    """The enemy units of which any of these models sees something."""
    seen = {other for row in rows for other in seen_by(scene, state, row)}
    return possible_targets(sorted(seen), lambda row: unit_in(state, row))


def bodies_between(scene: Scene, state: ClassicState, units: Collection[int]) -> Prisms | None:
    """The models of all units but these as bodies that stand in the way; None when there are none."""
    rows = np.flatnonzero(state.on_table & (state.wounds > 0))
    others = [body_of(scene, state, int(row)) for row in rows if unit_in(state, int(row)) not in units]
    return others[0].prism.joined(*(body.prism for body in others[1:])) if others else None


def shares_seen(
    scene: Scene, state: ClassicState, sources: Sequence[Source], rows: Sequence[int], obstacles: Prisms
) -> Floats:
    """(n, m): how much of each of m models is seen from each of n places past obstacles, from 0 to 1."""
    first, *more = [prism_of(scene, state, source) for source in sources]
    mine, *others = [body_of(scene, state, row).prism for row in rows]
    return visible_shares(first.joined(*more), mine.joined(*others), obstacles)


def prism_of(scene: Scene, state: ClassicState, source: Source) -> Prisms:
    """A model, or the centre of a marker, as that from which one looks."""
    if isinstance(source, int):
        return body_of(scene, state, source).prism
    spot = np.array([(*source, 0.0, 0.0)], np.float64)
    return Prisms.of_models([_SPOT], spot, [_SPOT_HEIGHT])
