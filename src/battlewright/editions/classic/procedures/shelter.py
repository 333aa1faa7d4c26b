"""What a firer sees of a vehicle: how much of the side that it fires at is hidden, by what, and how it moved."""

from __future__ import annotations

import numpy as np

from battlewright.core.rulebook import rule
from battlewright.core.sight import Prisms, visible_shares
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.gunnery import Seen
from battlewright.editions.classic.procedures.board import pose_of, unit_in
from battlewright.editions.classic.procedures.covering import save_of
from battlewright.editions.classic.procedures.field import area_holds, field_of
from battlewright.editions.classic.procedures.seeing import body_of, walls_of, wrecks_under
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.vehicles import hovers_still

__all__ = ["seen_of"]

_SAMPLES = 33
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
    hidden, cover = _hidden(scene, state, row, firer)
    skims = model.profile.has("SKIMMER") and row not in unit.immobilised and not unit.aloft
    hovers = hovers_still(model.profile.keywords, model.profile.abilities, immobilised=row in unit.immobilised)
    tall = [] if unit.aloft else _tall_areas(scene, state, row, firer, hovers=hovers)
    return Seen(
        hidden=hidden,
        cover=cover,
        through_tall=bool(tall),
        tall_cover=min((save for area in tall if (save := save_of(area.tags)) is not None), default=None),
        in_smoke=unit.smoke > 0,
        skims=skims,
        moved=(unit.moved_distance if own else unit.moved_before) / 1000,
        displaced=(unit.displaced if own else unit.displaced_before) / 1000,
        flat_out=Deed.FLAT_OUT in deeds,
        jinks=unit.evading > 0
        or (not unit.aloft and (model.has("JINK") or (model.has("SKIMMER") and not model.has("HEAVY")))),
    )


def _hidden(scene: Scene, state: ClassicState, row: int, firer: int) -> tuple[float, int | None]:
    """The share of a vehicle that is hidden, and the cover save that what hides most of it gives."""
    left_out = wrecks_under(scene, state, row) | wrecks_under(scene, state, firer)
    walls = walls_of(scene, state, without=left_out)
    features = [feature for _, feature in field_of(scene, state).features() if feature.id not in left_out]
    bodies = [
        int(other)
        for other in np.flatnonzero(state.on_table & (state.wounds > 0))
        if other not in (row, firer)
        and (scene.models[other].profile.is_vehicle or scene.models[other].profile.kind is Kind.MONSTROUS)
    ]
    target, observer = body_of(scene, state, row).prism, body_of(scene, state, firer).prism
    obstacles = walls.joined(*(body_of(scene, state, other).prism for other in bodies))
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
