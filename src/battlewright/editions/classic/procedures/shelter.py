"""What a firer sees of a vehicle: how much of the side that it fires at is hidden, by what, and how it moved."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from battlewright.core.bases import BaseKind
from battlewright.core.prisms import BOTTOM, TOP, Prisms
from battlewright.core.rulebook import rule
from battlewright.core.sight import visible_shares
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.gunnery import Seen
from battlewright.editions.classic.procedures.board import facing_towards, gaps, pose_of, unit_in
from battlewright.editions.classic.procedures.covering import save_of
from battlewright.editions.classic.procedures.field import area_holds, field_of
from battlewright.editions.classic.procedures.searchlights import is_lit
from battlewright.editions.classic.procedures.seeing import body_of, walls_of, wrecks_under
from battlewright.editions.classic.profiles import Facing, Kind
from battlewright.editions.classic.scene import Scene, traits_of_model
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.vehicles import hovers_still, stood_still, went_flat_out

__all__ = ["seen_of", "side_fired_at"]

_SAMPLES = 33
_SKIN = 0.05
"""Inches of a hull that stand for one of its sides."""
_LOW = 1.0
"""Inches up to which area terrain hides nothing of a vehicle."""
OTHER_MODELS = 5
"""The cover save behind other models, where vehicles have saves."""


@rule("4e.obscured.check-each-shot", "4e.fast-skimmers.no-immobile")
def seen_of(scene: Scene, state: ClassicState, row: int, firer: int) -> Seen:
    """What a firer sees of a vehicle.

    Terrain, wrecks, other vehicles and monstrous creatures hide it.
    """
    unit, model = state.units[unit_in(state, row)], scene.models[row]
    own = unit.side == state.turn
    deeds = unit.deeds if own else unit.deeds_before
    still = stood_still(row) in deeds
    hidden, cover = _hidden(scene, state, row, firer)
    instead: Facing | None = None
    if hidden > 0.0 and scene.rules.vehicles.fire.by_side:
        hidden, instead = side_fired_at(_own_side(scene, state, row, firer), _sides(scene, state, row, firer), hidden)
    skims = model.profile.has("SKIMMER") and row not in unit.immobilised and not unit.aloft
    hovers = hovers_still(model.profile.keywords, model.profile.abilities, immobilised=row in unit.immobilised)
    tall = [] if unit.aloft else _tall_areas(scene, state, row, firer, hovers=hovers)
    return Seen(
        hidden=hidden,
        cover=cover,
        instead=instead,
        through_tall=bool(tall),
        tall_cover=min((save for area in tall if (save := save_of(area.tags)) is not None), default=None),
        in_smoke=unit.smoke > 0,
        skims=skims,
        moved=0.0 if still else (unit.moved_distance if own else unit.moved_before) / 1000,
        displaced=0.0 if still else (unit.displaced if own else unit.displaced_before) / 1000,
        flat_out=went_flat_out(deeds, row),
        names=traits_of_model(scene, row),
        dark=_darkness(scene, state, row, firer),
        jinks=unit.evading > 0
        or (not unit.aloft and (model.has("JINK") or (model.has("SKIMMER") and not model.has("HEAVY")))),
    )


@rule("6e.core.shooting.night-fighting", "6e.outside.night-fighting", "6e.searchlight.effect")
def _darkness(scene: Scene, state: ClassicState, row: int, firer: int) -> int:
    """What darkness adds to a vehicle's cover, unless a searchlight lies on it."""
    if not state.dark or is_lit(state, unit_in(state, row)):
        return 0
    sees = "NIGHT VISION" in traits_of_model(scene, firer)
    distance = float(gaps(scene, state, [firer], [row]).min())
    return scene.rules.vehicles.fire.night_bonus(distance, sees_at_night=sees)


@rule("6e.outside.cover-obscured")
def side_fired_at(own: Facing, seen: Mapping[Facing, float], hidden: float) -> tuple[float, Facing | None]:
    """How much is hidden of the side that is fired at, and that side where it is not the one that the firer stands on.

    Args:
        own: the side that he stands on; ``seen`` the share that he sees of each side that is turned to him, nothing
            for a vehicle without sides.
        hidden: the share of the whole vehicle that he does not see.
    """
    if own not in seen:
        return hidden, None
    others = [side for side, share in seen.items() if side is not own and share > 0.0]
    if seen[own] > 0.0 or not others:
        return 1.0 - seen[own], None
    return 1.0, max(others, key=lambda side: seen[side])


def _own_side(scene: Scene, state: ClassicState, row: int, firer: int) -> Facing:
    return facing_towards(scene, state, row, pose_of(state, firer)[:2])


def _sides(scene: Scene, state: ClassicState, row: int, firer: int) -> dict[Facing, float]:
    """The share that a firer sees of each side of a hull that is turned to him."""
    base, pose = scene.models[row].base, pose_of(state, row)
    if base.kind is not BaseKind.HULL:
        return {}
    here = pose_of(state, firer)
    c, s = math.cos(math.radians(pose.facing)), math.sin(math.radians(pose.facing))
    ahead, left = (here.x - pose.x) * c + (here.y - pose.y) * s, (here.y - pose.y) * c - (here.x - pose.x) * s
    along, across = base.length / 2, base.width / 2
    turned = [
        (Facing.FRONT, ahead > along, (along - _SKIN, -across, along, across)),
        (Facing.REAR, ahead < -along, (-along, -across, _SKIN - along, across)),
        (Facing.SIDE, left > across, (-along, across - _SKIN, along, across)),
        (Facing.SIDE, left < -across, (-along, -across, along, _SKIN - across)),
    ]
    body, obstacles = body_of(scene, state, row).prism, _obstacles(scene, state, row, firer)
    observer, found = body_of(scene, state, firer).prism, dict[Facing, float]()
    for facing, is_turned, (x0, y0, x1, y1) in turned:
        if is_turned:
            around = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
            corners = tuple((pose.x + x * c - y * s, pose.y + x * s + y * c) for x, y in around)
            skin = Prisms.of_polygons([corners], float(body.rows[0, BOTTOM]), float(body.rows[0, TOP]))
            found[facing] = float(visible_shares(observer, skin, obstacles)[0, 0]) if len(obstacles) else 1.0
    return found


def _bodies_between(scene: Scene, state: ClassicState, row: int, firer: int) -> list[int]:
    """The models that may hide a vehicle: other vehicles and monstrous creatures."""
    return [
        int(other)
        for other in np.flatnonzero(state.on_table & (state.wounds > 0))
        if other not in (row, firer)
        and (scene.models[other].profile.is_vehicle or scene.models[other].profile.kind is Kind.MONSTROUS)
    ]


def _obstacles(scene: Scene, state: ClassicState, row: int, firer: int) -> Prisms:
    """Everything that may hide a vehicle from a firer."""
    left_out = wrecks_under(scene, state, row) | wrecks_under(scene, state, firer)
    others = (body_of(scene, state, other).prism for other in _bodies_between(scene, state, row, firer))
    return walls_of(scene, state, without=left_out).joined(*others)


def _hidden(scene: Scene, state: ClassicState, row: int, firer: int) -> tuple[float, int | None]:
    """The share of a vehicle that is hidden, and the cover save that what hides most of it gives."""
    left_out = wrecks_under(scene, state, row) | wrecks_under(scene, state, firer)
    walls = walls_of(scene, state, without=left_out)
    features = [feature for _, feature in field_of(scene, state).features() if feature.id not in left_out]
    bodies = _bodies_between(scene, state, row, firer)
    target, observer = body_of(scene, state, row).prism, body_of(scene, state, firer).prism
    obstacles = _obstacles(scene, state, row, firer)
    share = _hidden_by(observer, target, obstacles)
    if share <= 0.0:
        return 0.0, None
    single: list[tuple[float, int | None]] = [
        (_hidden_by(observer, target, walls.take([number])), save_of(feature.tags))
        for number, feature in enumerate(features)
    ]
    single += [(_hidden_by(observer, target, body_of(scene, state, other).prism), OTHER_MODELS) for other in bodies]
    return share, max(single, key=lambda each: each[0])[1]


def _hidden_by(observer: Prisms, target: Prisms, obstacles: Prisms) -> float:
    if not len(obstacles):
        return 0.0
    return 1.0 - float(visible_shares(observer, target, obstacles)[0, 0])


@rule("4e.skimmer-movement.hover-no-cover")
def _tall_areas(scene: Scene, state: ClassicState, row: int, firer: int, *, hovers: bool) -> list[TerrainArea]:
    """Area terrain of some height that the vehicle stands in or that the line to it passes.

    Args:
        hovers: whether it hovers above the terrain that it is over, which gives it nothing then.
    """
    a, b = pose_of(state, firer), pose_of(state, row)
    line = np.linspace(a[:2], b[:2], _SAMPLES)
    return [
        area
        for area in field_of(scene, state).areas
        if area.height > _LOW
        and bool(area_holds(area, line).any())
        and not bool(area_holds(area, line[:1])[0])
        and not (hovers and bool(area_holds(area, line[-1:])[0]))
    ]
