"""The core's speed on the state of two armies of twenty units with ten models each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, ModelMove, Pick, Place
from battlewright.core.dice import SeededDice
from battlewright.core.header import Header
from battlewright.core.roster import Army, Component, Model, Unit
from battlewright.core.state import checksum
from battlewright.core.table import load_battlefield
from battlewright.editions import eleventh
from battlewright.editions.eleventh import objectives
from battlewright.editions.eleventh.rules import EleventhRules
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import EleventhState, Phase

LAYOUT = Path(eleventh.__file__).parent / "layouts" / "battlefield_dominance_a.yaml"
PRINTED = {"M": '6"', "T": "4", "Sv": "3+", "W": "2", "Ld": "7+", "OC": "2"}


def spread_out(scene: Scene, state: EleventhState) -> None:
    """Ten models of each unit in a row, in the Movement phase of round 2."""
    for unit in scene.units:
        for number, row in enumerate(unit.rows):
            state.position[row] = [1000 + 2000 * (unit.index % 20), 1500 * number + 30_000 * unit.side + 1000, 0, 0]
            state.on_table[row] = True
        state.units[unit.index].deployed = True
        state.units[unit.index].starting_strength = len(unit.rows)
    state.phase, state.round, state.turns, state.turn = Phase.MOVEMENT, 2, 3, SIDES[0]


@pytest.fixture(scope="module")
def battle() -> Battle[Any, Any]:
    models = (Model("Trooper", "32mm", 1.6, PRINTED, ("INFANTRY",)),) * 10
    armies = [
        Army(letter, "11", "", tuple(Unit(f"{letter}.{n}", "Squad", (Component("Squad"),), models) for n in range(20)))
        for letter in "ab"
    ]
    header = Header("11", (armies[0], armies[1]), "battlefield-dominance", load_battlefield(LAYOUT).to_json())
    return Battle(header, EleventhRules(), arrange=spread_out)


def test_fork_at_a_checkpoint(benchmark: Any, battle: Battle[Any, Any]) -> None:
    copy = battle.fork(reseed=1)
    copy._checkpoints[-1].answers = 1  # as at any checkpoint but the first
    benchmark(copy.fork)


def test_fork_with_dice_of_its_own(benchmark: Any, battle: Battle[Any, Any]) -> None:
    benchmark(battle.fork, reseed=5)


def test_state_copy(benchmark: Any, battle: Battle[Any, Any]) -> None:
    benchmark(battle.state.copy)


def test_checksum(benchmark: Any, battle: Battle[Any, Any]) -> None:
    benchmark(checksum, battle.state)


def test_control_of_all_objectives(benchmark: Any, battle: Battle[Any, Any]) -> None:
    benchmark(objectives.determine_control, battle.fork())


def test_form_of_a_placement_of_twenty_models(benchmark: Any, battle: Battle[Any, Any]) -> None:
    from battlewright.core.answers import fault_of

    placement = Place(tuple(ModelMove(row, ((row, 2000, 0, 0), (row, 3000, 0, 0))) for row in range(20)))
    assert benchmark(fault_of, placement) == ""


def test_options_of_a_checkpoint(benchmark: Any, battle: Battle[Any, Any]) -> None:
    decision = battle.decision
    if decision is None:
        pytest.skip("this battle has no decision")
    benchmark(decision.check, Pick("nothing"))


def test_a_thousand_dice(benchmark: Any) -> None:
    benchmark(lambda: SeededDice(7).throw(0, 1000, 6, "bench"))
