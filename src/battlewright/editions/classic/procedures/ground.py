"""The table as moves of the 3rd edition need it: what stops whom, difficult terrain, and what placing models asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np

from battlewright.core.bases import Base
from battlewright.core.footprints import BaseSet, Footprints, Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, polygon_relations
from battlewright.core.sweeps import Sweeps
from battlewright.core.table import TerrainFeature
from battlewright.editions.classic.artillery import is_gun
from battlewright.editions.classic.cover import CoverKind
from battlewright.editions.classic.footwork import TerrainClass, is_difficult_to_cross, terrain_class
from battlewright.editions.classic.formation import COHERENCY
from battlewright.editions.classic.kinds import KindRules
from battlewright.editions.classic.procedures.field import WRECK, field_of, wreck_id
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.classic.terrain import may_pass_over_enemies, passes_over_terrain
from battlewright.editions.classic.vehicles import SQUADRON_COHERENCY, is_walker, may_be_in_squadron
from battlewright.editions.classic.wrecks import Leaves
from battlewright.editions.placing import placed
from battlewright.editions.placing.coherency import Closeness
from battlewright.editions.placing.placed import Booleans, Floats, PlacingRules
from battlewright.editions.placing.terrain import TerrainFacts

__all__ = [
    "PLACING",
    "Difficult",
    "ModelFacts",
    "are_driven",
    "barring_wrecks",
    "difficult_of",
    "flies_over",
    "footing_of",
    "is_squadron_vehicle",
    "kind_rules",
    "model_facts",
    "placing_of",
    "placing_of_skimmers",
    "terrain_for",
]

_EVERY_HEIGHT: Final = 1000.0
DANGEROUS: Final = "dangerous"
"""The tag of an area that endangers everybody who comes into it, in editions that know such."""


def kind_rules(scene: Scene, row: int, way: MoveKind = MoveKind.NORMAL) -> KindRules:
    """How a model moves, in some way of moving."""
    profile = scene.models[row].profile
    return scene.rules.movement.kinds.of(profile.kind, profile.keywords, way)


@rule("3e.core.vehicles.skimmers")
@rule("6e.skimmer-movement.over-models")
def flies_over(scene: Scene, row: int, way: MoveKind = MoveKind.NORMAL) -> bool:
    """Whether a model moves over terrain and friendly models: what flies, and skimmers; it may end on no model."""
    profile = scene.models[row].profile
    if profile.is_vehicle:
        return "SKIMMER" in profile.keywords or scene.rules.flight.lift(profile.keywords) > 0.0
    return passes_over_terrain(kind_rules(scene, row, way))


@dataclass(frozen=True, slots=True, eq=False)
class ModelFacts(placed.ModelFacts):
    """What moves need to know of every model, by row; never changes during a battle.

    Attributes:
        flies: whether it moves over terrain and friends; ``skims`` over enemies too.
    """

    flies: Booleans
    skims: Booleans


def _skims(scene: Scene, row: int) -> bool:
    profile = scene.models[row].profile
    return may_pass_over_enemies(kind_rules(scene, row), profile.keywords, vehicle=profile.is_vehicle)


def model_facts(scene: Scene) -> ModelFacts:
    """The facts of a scene; made once."""
    found = scene.cache.get("model-facts")
    if found is None:
        models = scene.models
        found = scene.cache["model-facts"] = ModelFacts(
            unit=np.array([model.unit for model in models], np.intp),
            side=np.array([model.side for model in models], np.intp),
            height=np.array([model.height for model in models], np.float64),
            flies=np.array([flies_over(scene, model.row) for model in models], np.bool_),
            skims=np.array([_skims(scene, model.row) for model in models], np.bool_),
        )
    return cast(ModelFacts, found)


@rule("3e.core.movement.terrain-classes")
def _terrain_of(scene: Scene) -> TerrainFacts:
    """What nobody enters: whatever is tagged impassable. Everything else is clear, or difficult where tagged so."""
    found = scene.cache.get("terrain-facts")
    if found is None:
        pieces = [
            TerrainFeature(each.id, each.polygon, each.height, tags=each.tags) for each in scene.battlefield.areas
        ]
        pieces += [feature for _, feature in scene.battlefield.features()]
        solid = [piece for piece in pieces if _class_of(piece.tags) is TerrainClass.IMPASSABLE]
        found = scene.cache["terrain-facts"] = TerrainFacts.made(scene.battlefield, solid, solid, _EVERY_HEIGHT)
    return cast(TerrainFacts, found)


@rule("6e.skimmer-movement.over-impassable")
def _terrain_of_skimmers(scene: Scene) -> TerrainFacts:
    """The same for skimmers, which may stop over some of it."""
    found = scene.cache.get("terrain-facts-of-skimmers")
    if found is None:
        whole, settles = _terrain_of(scene), scene.rules.vehicles.movement.settles_on
        solid = [piece for piece in whole.wall_features if not settles(piece.tags)]
        found = TerrainFacts.made(scene.battlefield, whole.wall_features, solid, _EVERY_HEIGHT)
        scene.cache["terrain-facts-of-skimmers"] = found
    return cast(TerrainFacts, found)


@rule("6e.skimmer-movement.over-impassable")
def placing_of_skimmers(scene: Scene, rows: Sequence[int], placing: PlacingRules) -> PlacingRules:
    """How models are placed that may be skimmers, which stop over what they can be set on top of."""
    skims = bool(rows) and all("SKIMMER" in scene.models[row].profile.keywords for row in rows)
    return replace(placing, terrain=_terrain_of_skimmers) if skims else placing


def footing_of(scene: Scene) -> BaseSet:
    """What of every model takes up ground, by row: its base, or the stand that holds it above the table; made once."""
    found = scene.cache.get("footing")
    if found is None:
        stands = [scene.rules.flight.stand(model.profile.keywords) for model in scene.models]
        found = scene.bases
        if any(stand is not None for stand in stands):
            found = BaseSet.of(
                [
                    model.base if stand is None else Base.round(stand)
                    for model, stand in zip(scene.models, stands, strict=True)
                ]
            )
        scene.cache["footing"] = found
    return cast(BaseSet, found)


PLACING: Final = PlacingRules(
    closeness=Closeness(COHERENCY),
    contact=TOLERANCE,
    contact_height=_EVERY_HEIGHT,
    facts=model_facts,
    terrain=_terrain_of,
    past_edge="3e.core.movement.terrain-classes",
    through="3e.core.movement.not-through-friends",
    walls="3e.core.movement.terrain-classes",
    climbing="3e.core.movement.terrain-classes",
    whole="3e.core.missions.set-up",
    footing=footing_of,
)


SQUADRON: Final = replace(PLACING, closeness=Closeness(SQUADRON_COHERENCY))
"""The same for the vehicles of a squadron."""


@rule("3e.core.vehicles.squadrons", "4e.squadron-movement.coherency", "6e.outside.squadrons")
def placing_of(scene: Scene, rows: Sequence[int]) -> PlacingRules:
    """How near to each other these models of one unit stay: 2", vehicles 4"."""
    return SQUADRON if rows and all(is_squadron_vehicle(scene, row) for row in rows) else PLACING


def is_squadron_vehicle(scene: Scene, row: int) -> bool:
    """Whether a model is a vehicle, and no gun of a battery."""
    return may_be_in_squadron(scene.models[row].profile)


def _class_of(tags: frozenset[str]) -> TerrainClass:
    """How the players treat a piece; one without a word about it is clear, since layouts say what is difficult."""
    agreed = next((each for each in (TerrainClass.IMPASSABLE, TerrainClass.DIFFICULT) if each in tags), None)
    return terrain_class(agreed, hill=agreed is None)


@rule("4e.wrecks.vehicle-lower-front", "4e.tank-shock.wrecks")
def barring_wrecks(scene: Scene, state: ClassicState, rows: Sequence[int]) -> list[TerrainFeature]:
    """The wrecks that are impassable for a unit of vehicles, for all that its weakest front armour says."""
    fronts = [armour.front for row in rows if (armour := scene.models[row].profile.armour) is not None]
    if not fronts or not state.wrecks:
        return []
    bars, least = scene.rules.vehicles.movement.wreck_bars, min(fronts)
    hulls = {wreck_id(wreck.row): wreck.row for wreck in state.wrecks if wreck.kind == Leaves.WRECK}
    return [
        TerrainFeature(area.id, area.polygon, scene.models[hulls[area.id]].height, tags=area.tags)
        for area in field_of(scene, state).areas
        if area.id in hulls
        and (armour := scene.models[hulls[area.id]].profile.armour) is not None
        and bars(least, armour.front)
    ]


def terrain_for(scene: Scene, state: ClassicState, rows: Sequence[int], facts: TerrainFacts) -> TerrainFacts:
    """The terrain of the table as these models meet it: to some vehicles some wrecks are impassable."""
    return facts.with_walls(barring_wrecks(scene, state, rows))


# -- difficult terrain ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Difficult:
    """The difficult terrain of a table, piece by piece.

    Attributes:
        ids: of the pieces; ``polygons`` their outlines.
        linear: (p,) which are obstacles to be crossed rather than ground to stand in.
        slowing: (p,) which slow; ``dangerous`` which endanger everybody who comes into them.
        boxes: (p, 4) x0, y0, x1, y1 around them, inches.
    """

    ids: tuple[str, ...]
    polygons: Polygons
    linear: Booleans
    slowing: Booleans
    dangerous: Booleans
    boxes: Floats

    def __len__(self) -> int:
        return len(self.ids)

    def touched(self, placed_models: Footprints) -> Booleans:
        """(n, p): which bases lie at least partly in which pieces; swept ones along their way."""
        if not len(self):
            return np.zeros((len(placed_models), 0), np.bool_)
        return Sweeps(placed_models, np.arange(len(placed_models)), len(placed_models)).cross(self.polygons)

    def inside(self, placed_models: Footprints) -> tuple[Booleans, Floats]:
        """(n, p): which bases lie completely in which pieces, and inches from base to outline."""
        if not len(self):
            none = np.zeros((len(placed_models), 0))
            return none.astype(np.bool_), none
        least, within = polygon_relations(placed_models, self.polygons)
        return np.asarray(within & (least >= -TOLERANCE) & ~self.linear, dtype=np.bool_), least


def are_driven(scene: Scene, rows: Sequence[int]) -> bool:
    """Whether all of these models are vehicles that neither walk nor are guns."""
    profiles = [scene.models[row].profile for row in rows]
    return all(each.is_vehicle and not is_walker(each.keywords) and not is_gun(each) for each in profiles)


def _slows(tags: frozenset[str], *, feature: bool = False) -> bool:
    """Whether a piece slows: difficult ground, and obstacles, which count so when they are crossed."""
    return is_difficult_to_cross(_class_of(tags), linear_obstacle=feature and CoverKind.OBSTACLE in tags)


@rule("3e.core.movement.terrain-classes", "3e.core.movement.obstacles")
@rule("4e.vehicle-terrain.vehicles-only-terrain")
def difficult_of(scene: Scene, state: ClassicState | None = None, *, drives: bool = False) -> Difficult:
    """The areas tagged as difficult or dangerous, and obstacles, which count as difficult when crossed; made once.

    Args:
        state: for the wrecks and craters on the table besides; None for the layout alone.
        drives: as they are for vehicles but walkers, for whom the players may have agreed on more.
    """
    only = scene.rules.vehicles.movement.for_vehicles_only
    settles = scene.rules.vehicles.movement.settles_on
    key = ("difficult-terrain", state.wrecks if state is not None else (), drives)
    found = scene.cache.get(key)
    if found is None:
        field = field_of(scene, state)
        pieces = [
            (area.id, area.polygon, False, area.tags)
            for area in field.areas
            if (_slows(area.tags) or DANGEROUS in area.tags or (drives and settles(area.tags)))
            and (drives or not only(area.tags))
        ]
        pieces += [
            (feature.id, feature.polygon, True, feature.tags)
            for _, feature in field.features()
            if WRECK not in feature.tags and _slows(feature.tags, feature=True) and (drives or not only(feature.tags))
        ]
        corners = [np.array(polygon) for _, polygon, _, _ in pieces]
        found = scene.cache[key] = Difficult(
            tuple(piece[0] for piece in pieces),
            Polygons.of([piece[1] for piece in pieces]),
            np.array([piece[2] for piece in pieces], np.bool_),
            np.array([_slows(tags, feature=linear) for _, _, linear, tags in pieces], np.bool_),
            np.array([DANGEROUS in piece[3] for piece in pieces], np.bool_),
            np.array([(*each.min(axis=0), *each.max(axis=0)) for each in corners], np.float64).reshape(-1, 4),
        )
    return cast(Difficult, found)
