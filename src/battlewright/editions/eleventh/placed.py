"""What moves and set-ups of the 11th edition are judged by: facts, distances, rules (03, 13, 17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from battlewright.editions.eleventh.coherency import CLOSENESS
from battlewright.editions.eleventh.datasheet import CoreAbilityName
from battlewright.editions.eleventh.engagement import ENGAGEMENT_HEIGHT, ENGAGEMENT_RANGE
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.terrain import passes_through_dense, terrain_facts
from battlewright.editions.placing import placed
from battlewright.editions.placing.placed import Booleans, Box, Floats, Indices, Placed, PlacingRules, Surroundings
from battlewright.editions.placing.terrain import TerrainFacts

__all__ = [
    "PLACING",
    "Booleans",
    "Box",
    "Floats",
    "Indices",
    "ModelFacts",
    "Placed",
    "Surroundings",
    "model_facts",
    "terrain_of",
]


@dataclass(frozen=True, slots=True, eq=False)
class ModelFacts(placed.ModelFacts):
    """What moves need to know of every model, by row; never changes during a battle.

    Attributes:
        large: MONSTER or VEHICLE (17.01).
        aircraft: AIRCRAFT (23.02).
        dense: whether it moves horizontally through dense features (13.06).
        flies: can FLY (21.03).
        walks: Super-Heavy Walker (24.35).
        overhang: inches that its parts reach beyond its base (01.04).
    """

    large: Booleans
    aircraft: Booleans
    dense: Booleans
    flies: Booleans
    walks: Booleans
    overhang: Floats


def model_facts(scene: Scene) -> ModelFacts:
    """The facts of a scene; made once."""
    found = scene.cache.get("model-facts")
    if found is None:
        models = scene.models
        found = ModelFacts(
            unit=np.array([model.unit for model in models], np.intp),
            side=np.array([model.side for model in models], np.intp),
            height=np.array([model.height for model in models], np.float64),
            large=np.array([model.has("MONSTER") or model.has("VEHICLE") for model in models], np.bool_),
            aircraft=np.array([model.has("AIRCRAFT") for model in models], np.bool_),
            dense=np.array([passes_through_dense(model.profile.keywords) for model in models], np.bool_),
            flies=np.array([model.has("FLY") for model in models], np.bool_),
            walks=np.array([model.profile.has(CoreAbilityName.SUPER_HEAVY_WALKER) for model in models], np.bool_),
            overhang=np.array([model.overhang for model in models], np.float64),
        )
        scene.cache["model-facts"] = found
    return cast(ModelFacts, found)


def terrain_of(scene: Scene) -> TerrainFacts:
    """The terrain of a scene as moves need it; made once."""
    found = scene.cache.get("terrain-facts")
    if found is None:
        found = scene.cache["terrain-facts"] = terrain_facts(scene.battlefield)
    return cast(TerrainFacts, found)


PLACING: Final = PlacingRules(
    closeness=CLOSENESS,
    contact=ENGAGEMENT_RANGE,
    contact_height=ENGAGEMENT_HEIGHT,
    facts=model_facts,
    terrain=terrain_of,
    past_edge="11e.core.03.01-not-through-enemies",
    through="11e.core.03.01-not-through-enemies",
    walls="11e.core.13.06-dense-others",
    climbing="11e.core.13.06-climbing",
    whole="11e.core.03.02-set-up-whole",
)
