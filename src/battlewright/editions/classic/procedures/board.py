"""The table as the rules of the 3rd edition ask of it: distances, contact, sight, cover, ways to the edge.

Everything here reads the state and changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Base, Point, Pose, to_inches
from battlewright.core.decisions import Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, furthest_edge, separation_matrix, touches_polygon
from battlewright.core.sight import Prisms, Visibility, feature_prisms, visibility, visible_shares
from battlewright.core.table import Edge, TerrainArea
from battlewright.editions.classic.cover import COVER, CoverKind, cover_save, gives_cover
from battlewright.editions.classic.procedures.field import area_holds, field_of, hull_around, outline_of, wreck_id
from battlewright.editions.classic.procedures.ground import footing_of
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.pursuit import may_move_in_combat
from battlewright.editions.classic.scene import ModelInfo, Scene, standing
from battlewright.editions.classic.sight import LARGE, Body, combats_hide_nobody, possible_targets
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.vehicles import facing_of

__all__ = [
    "Source",
    "area_cover",
    "bodies_between",
    "body_of",
    "box_of",
    "combat_of",
    "contact_gaps",
    "cover_against",
    "enemies_on_table",
    "facing_towards",
    "feature_saves",
    "free_in_combat",
    "furthest_part",
    "gaps",
    "in_combat",
    "is_difficult",
    "is_in_cover",
    "is_over_difficult",
    "nearest_enemy",
    "own_edge",
    "place_of_mount",
    "pose_of",
    "prism_of",
    "save_of",
    "seen_by",
    "seen_from_mount",
    "shares_seen",
    "swept_into",
    "target_units",
    "touched_units",
    "unit_gap",
    "unit_in",
    "walls_of",
    "wrecks_under",
]

Floats = NDArray[np.float64]
Source: TypeAlias = int | Point
"""From where something comes: a model's row, or a point of the table in inches."""
_SPOT, _SPOT_HEIGHT = Base.parse("1mm"), 0.5
_BARREL = 0.1
"""Inches that a barrel is thick."""


# -- where models stand -----------------------------------------------------------------------------------------


def pose_of(state: ClassicState, row: int) -> Pose:
    """Where a model stands."""
    return Pose.from_row(state.position[row])


def unit_in(state: ClassicState, row: int) -> int:
    """The unit among whose models a model stands: for a joined character the one that it has joined."""
    return next(number for number, unit in enumerate(state.units) if row in unit.models)


@rule("6e.skimmer-measuring.hull", "6e.walker-measuring.base-or-hull")
def gaps(scene: Scene, state: ClassicState, rows: Sequence[int], others: Sequence[int]) -> Floats:
    """(n, m): inches from base edge to base edge, 0 in contact."""
    mine, theirs = to_inches(state.position[list(rows)]), to_inches(state.position[list(others)])
    found = separation_matrix(scene.bases.some_at(rows, mine), scene.bases.some_at(others, theirs))
    return np.asarray(np.where(found <= TOLERANCE, 0.0, found), dtype=np.float64)


def unit_gap(scene: Scene, state: ClassicState, unit: int, other: int) -> float:
    """Inches between the nearest standing models of two units that both have some."""
    return float(gaps(scene, state, standing(state, unit), standing(state, other)).min())


def furthest_part(scene: Scene, state: ClassicState, row: int, other: int) -> float:
    """Inches from the base of ``other`` to the furthest part of a model's base."""
    models = scene.models
    return furthest_edge(models[row].base, pose_of(state, row), models[other].base, pose_of(state, other))


def enemies_on_table(scene: Scene, state: ClassicState, side: Side) -> list[int]:
    """The units of the other side that have models on the table."""
    return [int(unit.index) for unit in scene.units_of(opponent(side)) if standing(state, unit.index)]


def nearest_enemy(scene: Scene, state: ClassicState, unit: int) -> float | None:
    """Inches to the nearest enemy unit, None where there is none."""
    enemies = enemies_on_table(scene, state, scene.units[unit].side)
    return min((unit_gap(scene, state, unit, enemy) for enemy in enemies), default=None)


def box_of(scene: Scene, state: ClassicState, row: int) -> tuple[float, float, float, float]:
    """The least rectangle around a round base; for others the one around the circle about it."""
    pose, reach = pose_of(state, row), float(scene.reach[row])
    return pose.x - reach, pose.y - reach, pose.x + reach, pose.y + reach


def own_edge(scene: Scene, state: ClassicState, side: Side) -> Edge:
    """The table edge of a player: the one of his zone; the south for side a and the north for b where it has none."""
    named = state.zones[side]
    edge = scene.battlefield.zone(named).edge if named else None
    return edge or (Edge.SOUTH, Edge.NORTH)[side]


@rule("6e.walker-movement.facing")
@rule("6e.walker-shot-at.facing")
def facing_towards(scene: Scene, state: ClassicState, row: int, point: Point) -> Facing:
    """The side of a vehicle that a point lies on; see :func:`~battlewright.editions.classic.vehicles.facing_of`."""
    return facing_of(scene.models[row].base, pose_of(state, row), point)


# -- contact ----------------------------------------------------------------------------------------------------


def _locks(model: ModelInfo) -> bool:
    """Whether a model can be locked in close combat: anything but a vehicle without Weapon Skill."""
    return not model.profile.is_vehicle or model.profile.weapon_skill > 0


@rule("3e.core.vehicles.not-locked")
def touched_units(scene: Scene, state: ClassicState, unit: int, *, locked: bool = True) -> list[int]:
    """The enemy units that a unit touches.

    Args:
        locked: only those that it is locked with; a vehicle without Weapon Skill locks nobody.
    """
    known = _remembered(scene, state)
    key = ("touched", unit, locked)
    if key not in known:
        known[key] = _touched(scene, state, unit, locked=locked)
    found: list[int] = known[key]
    return found


def _touched(scene: Scene, state: ClassicState, unit: int, *, locked: bool) -> list[int]:
    """The enemy units that stand so near that no circle about a base tells them apart, measured properly."""
    if state.units[unit].aloft:
        return []
    rows = [row for row in standing(state, unit) if not locked or _locks(scene.models[row])]
    side = scene.units[unit].side
    there = np.flatnonzero(state.on_table & (state.wounds > 0))
    if not rows or not len(there):
        return []
    at = state.position[:, :2] / 1000.0
    away = np.hypot(*(at[there][None] - at[rows][:, None]).transpose(2, 0, 1))
    near = (away <= scene.reach[there][None] + scene.reach[rows][:, None] + 2 * TOLERANCE).any(axis=0)
    others = [
        int(row) for row in there[near] if scene.models[row].side != side and (not locked or _locks(scene.models[row]))
    ]
    others = [row for row in others if not state.units[unit_in(state, row)].aloft]
    if not others:
        return []
    apart = contact_gaps(scene, state, rows, others).min(axis=0)
    return sorted({unit_in(state, row) for row, gap in zip(others, apart, strict=True) if gap <= TOLERANCE})


@rule("6e.flyer-measuring.charge-contact")
def contact_gaps(scene: Scene, state: ClassicState, rows: Sequence[int], others: Sequence[int]) -> Floats:
    """(n, m): inches that keep models from contact, 0 in contact: with a hull above the table by its edge or its stand.

    RULING: 6e.flyer-measuring.charge-contact a model that stands beneath a hull is no nearer to contact for that.
    """
    flight = scene.rules.flight
    raised = [
        np.array([flight.lift(scene.models[row].profile.keywords) > 0.0 for row in each]) for each in (rows, others)
    ]
    found = gaps(scene, state, rows, others)
    if not (raised[0].any() or raised[1].any()):
        return found
    mine, theirs = to_inches(state.position[list(rows)]), to_inches(state.position[list(others)])
    hulls = separation_matrix(scene.bases.some_at(rows, mine), scene.bases.some_at(others, theirs))
    footing = footing_of(scene)
    stands = separation_matrix(footing.some_at(rows, mine), footing.some_at(others, theirs))
    apart = np.minimum(np.abs(hulls), np.maximum(stands, 0.0))
    apart = np.where(apart <= TOLERANCE, 0.0, apart)
    return np.asarray(np.where(raised[0][:, None] | raised[1][None, :], apart, found), dtype=np.float64)


def swept_into(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The enemy units that have swept into a unit and have not fought it yet."""
    mine = state.units
    return [each for each in touched_units(scene, state, unit) if mine[each].charged and not mine[unit].charged]


@rule("3e.partial-contact.contact-stay", "3e.drawn.contact-stay")
def free_in_combat(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The standing models of a unit that touch no enemy."""
    rows = standing(state, unit)
    foes = [row for enemy in touched_units(scene, state, unit) for row in standing(state, enemy)]
    if not foes:
        return rows
    touching = [row for row, gap in zip(rows, gaps(scene, state, rows, foes).min(axis=1), strict=True) if gap == 0.0]
    return may_move_in_combat(touching, rows)


@rule("6e.walker-assault.not-shot-while-locked", "3e.core.vehicles.not-locked")
def in_combat(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit is locked in close combat."""
    return bool(touched_units(scene, state, unit))


@rule("3e.core.assault.several-targets")
def combat_of(scene: Scene, state: ClassicState, unit: int, *, locked: bool = True) -> list[int]:
    """Every unit of the combat that a unit is in, itself among them: whoever is linked to it by contact."""
    found, waiting = {unit}, [unit]
    while waiting:
        for other in touched_units(scene, state, waiting.pop(), locked=locked):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)


# -- sight ------------------------------------------------------------------------------------------------------


def _stamp(scene: Scene, state: ClassicState) -> bytes:
    apart = bytes(bool(state.units[unit].models) for unit in scene.parts)
    return state.position.tobytes() + state.on_table.tobytes() + (state.wounds > 0).tobytes() + apart


def _remembered(scene: Scene, state: ClassicState) -> dict[Any, Any]:
    """Results that hold as long as nobody moves, falls or is left behind."""
    stamp = _stamp(scene, state)
    kept = scene.cache.get("third-board")
    if kept is None or kept[0] != stamp:
        kept = (stamp, {})
        scene.cache["third-board"] = kept
    found: dict[Any, Any] = kept[1]
    return found


@rule("4e.jetbikes.hover-height", "4e.jetbikes.hover-no-cover")
def _hovers(scene: Scene, state: ClassicState, row: int) -> bool:
    """Whether a model hovers above the terrain that it is over."""
    way = state.units[unit_in(state, row)].last_way
    return scene.rules.movement.hovers(scene.models[row].profile, way)


def _seen_at(scene: Scene, state: ClassicState, row: int) -> Pose:
    """Where a model is for lines of sight: one that hovers is on top of the area terrain below it."""
    pose = pose_of(state, row)
    lift = scene.rules.flight.lift(scene.models[row].profile.keywords)
    if lift:
        return Pose(pose.x, pose.y, pose.z + lift, pose.facing)
    if not _hovers(scene, state, row):
        return pose
    here = np.array([[pose.x, pose.y]])
    top = max((area.height for area in field_of(scene, state).areas if area_holds(area, here)[0]), default=0.0)
    return Pose(pose.x, pose.y, pose.z + top, pose.facing)


def body_of(scene: Scene, state: ClassicState, row: int) -> Body:
    """A model as sight knows it."""
    known = _remembered(scene, state)
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
    known = _remembered(scene, state)
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
    known = _remembered(scene, state)
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
    key = ("third-walls", state.wrecks, without)
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
    known = _remembered(scene, state)
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


# -- terrain ----------------------------------------------------------------------------------------------------

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
    return None if _hovers(scene, state, row) else area_cover(scene, state, pose_of(state, row))


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


def prism_of(scene: Scene, state: ClassicState, source: Source) -> Prisms:
    """A model, or the centre of a marker, as that from which one looks."""
    if isinstance(source, int):
        return body_of(scene, state, source).prism
    spot = np.array([(*source, 0.0, 0.0)], np.float64)
    return Prisms.of_models([_SPOT], spot, [_SPOT_HEIGHT])
