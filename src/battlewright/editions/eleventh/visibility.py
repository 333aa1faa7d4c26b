"""Who sees whom, and who has cover (06.01, 13.08 to 13.11, 22.05, 24.24).

Geometry says what lines of sight reach; this module says what that means. Everything is asked for all models of one
unit against all models of another at once, and kept in the scene's cache under the positions that it depends on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import to_inches
from battlewright.core.prisms import Prisms
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.sight import Visibility, visibility_matrix
from battlewright.core.table import Category, TerrainArea, TerrainFeature
from battlewright.editions.eleventh.abilities.in_force import profile_in_force
from battlewright.editions.eleventh.core_abilities import lone_operative_range
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.measuring import distances
from battlewright.editions.eleventh.modifiers import Change, Operation, detection_range
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState

__all__ = [
    "Lines",
    "behind_smoke",
    "detection_ranges",
    "hidden_models",
    "is_obscuring",
    "is_unit_visible",
    "lines_between",
    "lone_operative_reach",
    "models_in_cover",
    "plunging_models",
    "visible_matrix",
    "visible_to_models",
]

DETECTION_RANGE = 15
"""Inches within which hidden models are seen (13.09)."""
_GONE_TO_GROUND = 3
_PLUNGE_FROM = 3.0
_PLUNGE_WITHIN = 12.0
_SOLID_TO = 3.0
_FLOOR = 0.1
_KEPT_POSITIONS = 8

Matrix = NDArray[np.bool_]


# -- lines of sight ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Terrain:
    """What the battlefield puts in the way of sight.

    Attributes:
        physical: features and floors at their true heights.
        all: these, and a curtain of any height over each obscuring area, its group the area's place.
        dense: the dense features alone, and their floors.
    """

    physical: Prisms
    all: Prisms
    dense: Prisms


@rule("11e.core.13.10-height-plays-no-part", "11e.core.13.11-solid")
def _terrain(scene: Scene) -> _Terrain:
    """The battlefield's obstacles to sight, made once.

    A feature is opaque to its top, so that no line passes its openings near the ground (13.11). Where its gaps begin
    above 3" lines pass them: a dense feature tagged ``gaps`` ends there for sight.
    """
    known: _Terrain | None = scene.cache.get("sight-terrain")
    if known is None:
        features = [feature for _, feature in scene.battlefield.features()]
        tops = [_sight_top(feature) for feature in features]
        polygons = [feature.polygon for feature in features]
        bottoms = [feature.elevation for feature in features]
        is_dense = [feature.category is Category.DENSE for feature in features]
        floors = Prisms.of_polygons(
            [floor.polygon for feature in features for floor in feature.floors],
            [floor.elevation - _FLOOR for feature in features for floor in feature.floors],
            [floor.elevation for feature in features for floor in feature.floors],
        )
        physical = Prisms.of_polygons(polygons, bottoms, tops).joined(floors)
        kept = [number for number, dense in enumerate(is_dense) if dense]
        dense = Prisms.of_polygons(
            [polygons[n] for n in kept], [bottoms[n] for n in kept], [tops[n] for n in kept]
        ).joined(floors)
        obscuring = [number for number, area in enumerate(scene.battlefield.areas) if is_obscuring(area)]
        curtains = Prisms.of_polygons([scene.battlefield.areas[n].polygon for n in obscuring], groups=obscuring)
        known = scene.cache["sight-terrain"] = _Terrain(physical, physical.joined(curtains), dense)
    return known


def _sight_top(feature: TerrainFeature) -> float:
    if feature.category is Category.DENSE and "gaps" in feature.tags:
        return min(feature.top, feature.elevation + _SOLID_TO)
    return feature.top


@dataclass(frozen=True, slots=True, eq=False)
class _Standing:
    """Where everybody stands, by row of the state, and the lines of sight found so far.

    Attributes:
        position: a copy of the state's positions.
        bodies: of all models.
        within: (n, areas): whether any part of a model's base is within an area.
    """

    position: NDArray[np.int32]
    bodies: Prisms
    within: Matrix
    lines: dict[tuple[int, int], Lines]
    dense: dict[tuple[int, int], Matrix]


def _standing(scene: Scene, state: EleventhState) -> _Standing:
    """What is known for these positions; of other positions the latest few are kept."""
    key = state.position.tobytes() + state.on_table.tobytes() + (state.wounds > 0).tobytes()
    kept: OrderedDict[bytes, _Standing] = scene.cache.setdefault("standing", OrderedDict())
    known = kept.get(key)
    if known is None:
        latest = next(reversed(kept.values())) if kept else None
        known = kept[key] = _stand(scene, state, latest)
        while len(kept) > _KEPT_POSITIONS:
            kept.popitem(last=False)
    return known


def _stand(scene: Scene, state: EleventhState, latest: _Standing | None) -> _Standing:
    """Where everybody stands now; only who has moved since the latest known positions is looked at anew."""
    position = state.position.copy()
    if latest is None:
        poses = to_inches(position)
        bodies = Prisms.of_models(scene.bases, poses, [model.height for model in scene.models])
        return _Standing(position, bodies, scene.battlefield.touch_areas(scene.bases.at(poses)), {}, {})
    moved = np.flatnonzero((position != latest.position).any(axis=1))
    if not moved.size:
        return _Standing(position, latest.bodies, latest.within, {}, {})
    within = latest.within.copy()
    within[moved] = scene.battlefield.touch_areas(scene.bases.take(moved).at(to_inches(position[moved])))
    heights = [model.height for model in scene.models]
    return _Standing(position, Prisms.of_models(scene.bases, to_inches(position), heights), within, {}, {})


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """What lines of sight reach between the models of two units, (n, m) each.

    Attributes:
        observers: rows of the n standing models that look.
        targets: rows of the m standing models looked at.
        seen: some part is seen, past terrain, obscuring areas and the models of other units (06.01, 13.10).
        full: every part that faces the observer is seen, past all these.
        clear: every part that faces the observer is seen as far as features and obscuring areas go (13.08).
    """

    observers: tuple[int, ...]
    targets: tuple[int, ...]
    seen: Matrix
    full: Matrix
    clear: Matrix


def lines_between(scene: Scene, state: EleventhState, unit: int, target: int) -> Lines:
    """The lines of sight from the standing models of a unit to those of another."""
    known = _standing(scene, state).lines
    if (unit, target) not in known:
        known[unit, target] = _look(scene, state, unit, target)
    return known[unit, target]


@rule(
    "11e.core.06.01-line-of-sight",
    "11e.core.06.01-what-blocks",
    "11e.core.06.01-visible",
    "11e.core.06.01-fully-visible",
    "11e.core.13.10-obscuring",
    "11e.core.13.10-upper-floors",
)
def _look(scene: Scene, state: EleventhState, unit: int, target: int) -> Lines:
    """Look from every model of a unit to every model of another (06.01, 13.10).

    Models of these two units never block, others do. Obscuring areas that observer or target is within, at any height,
    are left out; so are none of the features that stand in them.
    """
    observers, targets = standing(state, unit), standing(state, target)
    where, terrain = _standing(scene, state), _terrain(scene)
    clear = _visibility(where, observers, targets, terrain.all)
    owners = _owners(scene)
    others = state.on_table & (owners != unit) & (owners != target)
    seen = clear
    # Models can only take away from what terrain lets through.
    looking, shown = np.flatnonzero(clear.any(axis=1)), np.flatnonzero(clear.any(axis=0))
    if others.any() and looking.size:
        obstacles = terrain.all.joined(where.bodies.take(others))
        seen = clear.copy()
        seen[np.ix_(looking, shown)] = _visibility(
            where, [observers[place] for place in looking], [targets[place] for place in shown], obstacles
        )
    full = Visibility.FULL
    return Lines(tuple(observers), tuple(targets), seen > Visibility.NONE, seen == full, clear == full)


def _visibility(
    where: _Standing, observers: Sequence[int], targets: Sequence[int], obstacles: Prisms
) -> NDArray[np.int8]:
    """(n, m) of what rows see of rows; curtains over areas that either is within are left out."""
    looking, shown = list(observers), list(targets)
    return visibility_matrix(
        where.bodies.take(looking), where.bodies.take(shown), obstacles, where.within[looking], where.within[shown]
    )


def _owners(scene: Scene) -> NDArray[np.intp]:
    """(n,): the unit of each model."""
    known: NDArray[np.intp] | None = scene.cache.get("owners")
    if known is None:
        known = scene.cache["owners"] = np.array([model.unit for model in scene.models], np.intp)
    return known


def _clear_of_dense(scene: Scene, state: EleventhState, unit: int, target: int) -> Matrix:
    """(n, m): whether every part that faces the observer is seen as far as dense features go (13.11.01)."""
    where = _standing(scene, state)
    if (unit, target) not in where.dense:
        rows = standing(state, unit), standing(state, target)
        where.dense[unit, target] = _visibility(where, *rows, _terrain(scene).dense) == Visibility.FULL
    return where.dense[unit, target]


# -- terrain that hides -----------------------------------------------------------------------------------------


@rule("11e.core.13.10-obscuring", "11e.core.13.02-categories")
def is_obscuring(area: TerrainArea) -> bool:
    """Whether the area contains a light or a dense feature (13.10)."""
    return any(feature.category in (Category.LIGHT, Category.DENSE) for feature in area.features)


def _hides(scene: Scene, area: TerrainArea) -> bool:
    """Whether models within the area can be hidden: by light or dense features, or by dense ones alone (13.09)."""
    hiding = (Category.DENSE,) if scene.options["hidden_terrain"] == "dense" else (Category.LIGHT, Category.DENSE)
    return any(feature.category in hiding for feature in area.features)


def _light_feet(scene: Scene, rows: Sequence[int]) -> NDArray[np.bool_]:
    """Which models are INFANTRY, BEASTS or SWARM."""
    known: NDArray[np.bool_] | None = scene.cache.get("light-feet")
    if known is None:
        keywords = [model.profile.keywords for model in scene.models]
        known = np.array([keywords_match("INFANTRY/BEASTS/SWARM", each) for each in keywords], np.bool_)
        scene.cache["light-feet"] = known
    return known[list(rows)]


@rule("11e.core.13.09-hidden", "11e.core.13.09-first-turn", "11e.core.13.09-previous-turn")
def hidden_models(scene: Scene, state: EleventhState, rows: Sequence[int]) -> NDArray[np.bool_]:
    """Which models of one unit are hidden (13.09).

    INFANTRY, BEASTS or SWARM within an area with a light or dense feature, while their unit made no ranged attacks
    in this player turn or the one before.
    """
    found = np.zeros(len(rows), np.bool_)
    if not rows or has_shot_lately(state, scene.models[rows[0]].unit):
        return found
    hiding = np.array([_hides(scene, area) for area in scene.battlefield.areas], np.bool_)
    if not hiding.any():
        return found
    return np.asarray(
        _light_feet(scene, rows) & _standing(scene, state).within[list(rows)][:, hiding].any(axis=1), np.bool_
    )


def has_shot_lately(state: EleventhState, unit: int) -> bool:
    """Whether the unit made ranged attacks in this player turn or the one before it."""
    last = state.units[unit].last_shot
    return last > 0 and state.turns - last <= 1


@rule("11e.core.13.09-detection-range", "11e.core.13.09-detection-limits", "11e.core.13.11.01-gone-to-ground")
def detection_ranges(clear_of_dense: Matrix, changes: Sequence[Change] = ()) -> NDArray[np.int64]:
    """Inches at which hidden models are detected: 15, or 12 for one gone to ground behind a dense feature.

    Args:
        clear_of_dense: whether each model is fully visible as far as dense features go.
        changes: by other rules; the result stays between 9 and 30.
    """
    ground = Change(Operation.SUBTRACT, _GONE_TO_GROUND, "11e.core.13.11.01-gone-to-ground")
    usual = detection_range(DETECTION_RANGE, changes).number
    return np.where(clear_of_dense, usual, detection_range(DETECTION_RANGE, (*changes, ground)).number)


# -- visible ----------------------------------------------------------------------------------------------------


@rule(
    "11e.core.06.01-visible",
    "11e.core.13.09-detection-range",
    "11e.24.24-lone-operative.not-visible",
    "11e.24.24-lone-operative.x-form-visibility",
)
def visible_matrix(scene: Scene, state: EleventhState, unit: int, target: int) -> Matrix:
    """(n, m): which standing models of a unit see which standing models of an enemy unit.

    A line of sight reaches them, hidden models are within their detection range, and a Lone Operative unit is within
    the distance at which it can be seen.
    """
    lines = lines_between(scene, state, unit, target)
    if not lines.observers or not lines.targets:
        return lines.seen
    hidden = hidden_models(scene, state, lines.targets)
    lone = lone_operative_reach(scene, state, target)
    if lone is None and not hidden.any():
        return lines.seen
    gaps = distances(scene, state, lines.observers, lines.targets)
    visible = lines.seen & (
        ~hidden[None, :] | (gaps <= detection_ranges(_clear_of_dense(scene, state, unit, target)) + TOLERANCE)
    )
    if lone is not None:
        visible &= (gaps.min(axis=1) <= lone + TOLERANCE)[:, None]
    return np.asarray(visible, np.bool_)


@rule("11e.core.06.01-visible")
def visible_to_models(scene: Scene, state: EleventhState, unit: int, target: int) -> NDArray[np.bool_]:
    """(n,): which standing models of a unit see the target unit, that is, at least one of its models."""
    return np.asarray(visible_matrix(scene, state, unit, target).any(axis=1), np.bool_)


def is_unit_visible(scene: Scene, state: EleventhState, unit: int, target: int) -> bool:
    """Whether some model of the unit sees some model of the target."""
    return bool(visible_matrix(scene, state, unit, target).any())


def lone_operative_reach(scene: Scene, state: EleventhState, unit: int) -> float | None:
    """Inches beyond which the unit is not visible as a Lone Operative, None where that does not protect it (24.24)."""
    return lone_operative_range(profile_in_force(scene, state, row) for row in standing(state, unit))


# -- cover and height -------------------------------------------------------------------------------------------


@rule("11e.core.13.08-benefit-of-cover", "11e.core.13.08-per-attacker")
def models_in_cover(scene: Scene, state: EleventhState, unit: int, target: int) -> NDArray[np.bool_]:
    """(n,): against which standing models of the attacking unit the target has the benefit of cover (13.08).

    Each of its models is INFANTRY, BEASTS or SWARM within a terrain area, or is not fully visible to the attacking
    model because of intervening features or obscuring areas.
    """
    lines = lines_between(scene, state, unit, target)
    if not lines.targets:
        return np.zeros(len(lines.observers), np.bool_)
    sheltered = _light_feet(scene, lines.targets)
    if sheltered.any() and scene.battlefield.areas:
        sheltered = sheltered & _standing(scene, state).within[list(lines.targets)].any(axis=1)
    else:
        sheltered = np.zeros(len(lines.targets), np.bool_)
    return np.asarray((sheltered[None, :] | ~lines.clear).all(axis=1), np.bool_)


@rule("11e.core.15.10-smokescreen", "11e.core.13.08-by-rule")
def behind_smoke(scene: Scene, state: EleventhState, unit: int, target: int) -> NDArray[np.bool_]:
    """(n,): against which standing models of the attacking unit the target has cover by a Smokescreen (15.10).

    It has used one itself, or is not fully visible to the model because of the models of a unit that has. A unit is
    fully visible when all its models are (06.01).
    """
    observers, targets = standing(state, unit), standing(state, target)
    smoking = [
        index
        for index, each in enumerate(state.units)
        if each.smoke and each.side == state.units[target].side and index != unit
    ]
    if target in smoking:
        return np.ones(len(observers), np.bool_)
    rows = [row for index in smoking for row in standing(state, index)]
    if not rows or not targets:
        return np.zeros(len(observers), np.bool_)
    where = _standing(scene, state)
    seen = visibility_matrix(where.bodies.take(observers), where.bodies.take(targets), where.bodies.take(rows))
    return np.asarray((seen != Visibility.FULL).any(axis=1), np.bool_)


@rule("11e.core.22.05-plunging-fire", "11e.core.22.05-not-aircraft")
def plunging_models(scene: Scene, state: EleventhState, unit: int, target: int) -> NDArray[np.bool_]:
    """(n,): which standing models of the unit make plunging fire at the target (22.05).

    They see it, it has a model on the ground, and they stand 3" high or more, or are TOWERING within 12" of it. Never
    by or against AIRCRAFT.
    """
    lines = lines_between(scene, state, unit, target)
    none = np.zeros(len(lines.observers), np.bool_)
    targets, observers = list(lines.targets), list(lines.observers)
    if not targets or (state.position[targets, 2] > 0).all() or _any_has(scene, targets, "AIRCRAFT"):
        return none
    high = state.position[observers, 2] >= round((_PLUNGE_FROM - TOLERANCE) * 1000)
    towering = np.array([keywords_match("TOWERING", scene.models[row].profile.keywords) for row in observers])
    if towering.any():
        near = distances(scene, state, observers, targets).min(axis=1) <= _PLUNGE_WITHIN + TOLERANCE
        high = high | (towering & near)
    if not high.any():
        return none
    aircraft = np.array([keywords_match("AIRCRAFT", scene.models[row].profile.keywords) for row in observers])
    return np.asarray(high & ~aircraft & visible_to_models(scene, state, unit, target), np.bool_)


def _any_has(scene: Scene, rows: Sequence[int], keyword: str) -> bool:
    return any(keywords_match(keyword, scene.models[row].profile.keywords) for row in rows)
