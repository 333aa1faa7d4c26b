"""How fast the 11th edition looks and shoots. Run it by name: ``pytest tests/bench/bench_eleventh_combat.py``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from battlewright.core.table import load_battlefield
from battlewright.core.warm import warm_up
from battlewright.editions.eleventh import visibility
from battlewright.editions.eleventh.attacking import AttackKind, DeclareSpace, resolve_attacks
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from support.combat import run
from support.eleventh import UnitSpec, scene, unit, weapon

LAYOUT = Path(str(files("battlewright"))) / "editions" / "eleventh" / "layouts" / "battlefield_dominance_a.yaml"


def ten(x: float, y: float) -> UnitSpec:
    return unit(10, weapons=[weapon(A=2, R='48"')]).on(*((x + 2 * (i % 5), y + 2 * (i // 5)) for i in range(10)))


@pytest.fixture
def battle() -> Battle11:
    """Six units of ten on a tournament layout."""
    warm_up()
    sides = [[ten(3, 20), ten(12, 22), ten(24, 5)], [ten(15, 45), ten(20, 36), ten(2, 52)]]
    return scene(*sides, phase=Phase.SHOOTING, terrain=load_battlefield(LAYOUT).areas)


@pytest.mark.parametrize("target", [3, 4, 5])
def test_sight_from_ten_models_to_ten(benchmark: Any, battle: Battle11, target: int) -> None:
    """The goal is 0.2 ms."""
    state, scene_ = battle.state, battle.scene
    visibility.lines_between(scene_, state, 1, target)

    def look() -> None:
        visibility._standing(scene_, state).lines.clear()
        visibility.lines_between(scene_, state, 1, target)

    benchmark(look)


def test_twenty_attacks_resolved(benchmark: Any, battle: Battle11) -> None:
    declaration = DeclareSpace(battle, 1, AttackKind.NORMAL).default()
    before = battle.state.copy()

    def shoot() -> None:
        battle.state = before.copy()
        run(resolve_attacks(battle, 1, declaration, AttackKind.NORMAL))

    benchmark(shoot)


def test_a_default_declaration_checked(benchmark: Any, battle: Battle11) -> None:
    def declare() -> None:
        space = DeclareSpace(battle, 1, AttackKind.NORMAL)
        assert space.check(space.default()) == []

    benchmark(declare)
