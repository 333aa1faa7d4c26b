"""How long moves take to check and to find; run with ``pytest tests/bench/bench_moves.py``.

Aims, once the kernels are compiled: 0.1 ms to check a move of 20 models, 3 ms to find one for 10.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from battlewright.core.table import Battlefield
from battlewright.editions.eleventh import formations
from battlewright.editions.eleventh.movement import normal_space
from battlewright.editions.eleventh.moves import MoveSpace, deployment_space
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from battlewright.editions.eleventh.switchboard import EleventhSwitchboard
from support.eleventh import scene, shift, unit


def crowd(models: int, base: str = "32mm", *keywords: str) -> Battle11:
    """A unit in the middle of sixty friends and sixty enemies on a layout with terrain."""
    layout = Battlefield.from_json(EleventhSwitchboard().battlefield("battlefield_dominance_a"))
    friends = [unit(10, name=f"Friends {i}").at(2 + 7 * i, 8, rank=5, apart=1.4) for i in range(6)]
    foes = [unit(10, name=f"Foes {i}").at(2 + 7 * i, 30, rank=5, apart=1.4) for i in range(6)]
    mine = unit(models, *keywords, base=base).at(30, 13, rank=5, apart=1.4)
    return scene([mine, *friends], foes, terrain=layout.areas)


def fresh(battle: Battle11, inches: int = 6) -> MoveSpace:
    rows = battle.state.units[0].models
    return normal_space(battle.scene, battle.state, 0, dict.fromkeys(rows, 1000 * inches))


@pytest.mark.parametrize("models", [5, 10, 20])
def test_checking_a_move(benchmark: Any, models: int) -> None:
    battle = crowd(models, "28mm")
    space, answer = fresh(battle), shift(battle, 0, -2, 5)
    assert space.check(answer) == []
    benchmark(space.check, answer)


def test_checking_a_first_move(benchmark: Any) -> None:
    battle = crowd(10, "28mm")
    answer = shift(battle, 0, -2, 5)
    benchmark(lambda: fresh(battle).check(answer))


@pytest.mark.parametrize("goal", [(22, 30), (22, 5), (16, 40)])
@pytest.mark.parametrize(("models", "base", "keywords"), [(10, "28mm", ()), (1, "hull 5x3in", ("VEHICLE",))])
def test_finding_a_move(
    benchmark: Any, models: int, base: str, keywords: tuple[str, ...], goal: tuple[float, float]
) -> None:
    battle = crowd(models, base, *keywords)
    found = benchmark(lambda: formations.towards(fresh(battle), goal))
    assert fresh(battle).check(found) == []


def test_sampling_a_move(benchmark: Any) -> None:
    battle, rng = crowd(10, "28mm"), random.Random(1)
    benchmark(lambda: fresh(battle).sample(rng))


def test_deploying_twenty(benchmark: Any) -> None:
    battle = scene([unit(20), unit(10).at(20, 5, rank=5, apart=1.5)], phase=Phase.SETUP)
    benchmark(lambda: deployment_space(battle, 0).default())
