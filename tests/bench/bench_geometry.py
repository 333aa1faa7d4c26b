"""How fast the geometry is: distances, moves, sight. Run it by name: ``pytest tests/bench/bench_geometry.py``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from battlewright.core.prisms import Prisms, area_curtains, feature_prisms
from battlewright.core.shapes import Base, BaseSet, distance_matrix, overlap_matrix
from battlewright.core.sight import visibility_matrix
from battlewright.core.sweeps import Sweeps
from battlewright.core.table import Battlefield, load_battlefield
from battlewright.core.warm import warm_up

LAYOUT = Path(str(files("battlewright"))) / "editions" / "eleventh" / "layouts" / "battlefield_dominance_a.yaml"
BASES = {"round": Base.round(32), "oval": Base.oval(60, 35), "hull": Base.rectangle(4, 3)}


@pytest.fixture(scope="module")
def table() -> Battlefield:
    warm_up()
    return load_battlefield(LAYOUT)


@pytest.fixture(scope="module")
def poses() -> Any:
    rng = np.random.default_rng(1)
    return np.column_stack([rng.uniform(2, 42, 200), rng.uniform(2, 58, 200), np.zeros(200), rng.integers(0, 360, 200)])


@pytest.mark.parametrize("kind", BASES)
def test_distances_of_20_models_to_200(benchmark: Any, table: Battlefield, poses: Any, kind: str) -> None:
    everyone = BaseSet.of([BASES[kind]] * 200)
    mine = everyone.take(range(20))
    benchmark(lambda: distance_matrix(mine, poses[:20], everyone, poses))


@pytest.mark.parametrize("kind", BASES)
def test_legality_of_a_move_of_20_models_past_200(benchmark: Any, table: Battlefield, poses: Any, kind: str) -> None:
    """Passing over models and walls, keeping on the table, and standing on nobody at the end."""
    everyone = BaseSet.of([BASES[kind]] * 200)
    mine, others = everyone.take(range(20)), everyone.at(poses)
    ends = poses[:20] + np.array([3.0, 4.0, 0.0, 0.0])

    def check() -> None:
        sweeps = Sweeps.straight(mine, poses[:20], ends)
        sweeps.hit(others)
        sweeps.cross(table.arrays.features)
        sweeps.stay_on(44, 60)
        overlap_matrix(mine.at(ends), others)

    benchmark(check)


def unit(x: float, y: float, models: int = 10) -> Prisms:
    grid = np.array([(x + 1.6 * (i % 5), y + 1.6 * (i // 5), 0, 0) for i in range(models)], dtype=np.float64)
    return Prisms.of_models([BASES["round"]] * models, grid, 1.6)


PLACES = {"open": ((15, 15), (12, 27)), "partly": ((24, 20), (28, 48)), "hidden": ((8, 6), (30, 50))}


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("models", [0, 100])
def test_sight_of_10_models_on_10(benchmark: Any, table: Battlefield, poses: Any, where: str, models: int) -> None:
    (x, y), (u, v) = PLACES[where]
    obstacles = area_curtains(table).joined(feature_prisms(table))
    if models:
        obstacles = obstacles.joined(Prisms.of_models([BASES["round"]] * models, poses[:models], 1.6))
    observers, targets = unit(x, y), unit(u, v)
    benchmark(lambda: visibility_matrix(observers, targets, obstacles))


def test_shading_a_table_for_one_model(benchmark: Any, table: Battlefield) -> None:
    grid = np.array([(x, y, 0, 0) for x in range(1, 44) for y in range(1, 60)], dtype=np.float64)
    cells = Prisms.of_models([Base.round(1)] * len(grid), grid, 1.6)
    obstacles = area_curtains(table).joined(feature_prisms(table))
    observer = unit(20, 5, models=1)
    benchmark(lambda: visibility_matrix(observer, cells, obstacles))
