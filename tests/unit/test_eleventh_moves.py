"""Spaces of moves and set-ups: what they accept, refuse and propose."""

from __future__ import annotations

import random

import pytest

from battlewright.core.battle import Battle
from battlewright.core.decisions import Place
from battlewright.core.state import checksum
from battlewright.editions.eleventh.movement import normal_space
from battlewright.editions.eleventh.moves import MoveSpace, deployment_space
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from support.eleventh import UnitSpec, box, scene, shift, unit

CROWD = [
    unit(10).at(3, 20, rank=5),
    unit(5, base="40mm", name="Heavies").at(16, 20, apart=2, rank=3),
    unit(1, "VEHICLE", base="hull 5x3in", name="Tank", M='10"', height=3).at(30, 22, facing=30),
    unit(3, "MOUNTED", base="75x42mm", name="Riders", M='12"').at(26, 26, apart=4),
]
FOES = [unit(10, name="Foes").at(8, 30, rank=5), unit(1, "MONSTER", base="100mm", name="Beast").at(34, 30)]
RUINS = [box(2, 26.5, 9, 28, 5, solid=True, name="ruin"), box(20, 28, 32, 29, 2, name="wall")]


def move_of(battle: Battle11, index: int, inches: int = 6) -> MoveSpace:
    rows = battle.state.units[index].models
    return normal_space(battle.scene, battle.state, index, dict.fromkeys(rows, 1000 * inches))


@pytest.mark.parametrize("index", range(len(CROWD)))
def test_what_a_move_samples_it_accepts_and_checking_changes_nothing(index: int) -> None:
    battle = scene(CROWD, FOES, terrain=RUINS)
    space, rng, before = move_of(battle, index), random.Random(index), checksum(battle.state)
    samples = [space.sample(rng) for _ in range(60)]
    assert all(not space.check(answer) for answer in samples)
    assert len({str(answer) for answer in samples}) > 20
    assert checksum(battle.state) == before
    far = shift(battle, index, 0, 7)
    assert space.check(far) == space.check(far) != []
    assert checksum(battle.state) == before


@pytest.mark.parametrize(
    "spec", [unit(20), unit(3, base="170x109mm"), unit(1, base="hull 7x5in"), unit(30, base="28mm")], ids=str
)
def test_a_unit_is_deployed_where_the_space_proposes(spec: UnitSpec) -> None:
    battle = scene([spec, unit(10).at(10, 5)], phase=Phase.SETUP)
    space, rng = deployment_space(battle, 0), random.Random(1)
    assert space.default().moves
    assert not space.check(space.default())
    assert all(not space.check(space.sample(rng)) for _ in range(10))
    assert [each.rule for each in space.check(Place(()))] == ["11e.core.03.02-set-up-whole"]


def test_a_unit_without_room_may_stay_away() -> None:
    crowd = [unit(11, base="100mm", name=f"Crowd {y}").at(2, y, apart=4.0) for y in (2, 6, 10)]
    battle = scene([unit(10, base="60mm"), *crowd], phase=Phase.SETUP)
    space = deployment_space(battle, 0)
    assert space.default() == Place(())
    assert space.check(Place(())) == []


def test_battles_with_random_moves_run_to_their_end_and_replay() -> None:
    battle = scene([unit(5), unit(3, base="60mm")], [unit(5)], phase=Phase.SETUP)
    rng = random.Random(3)
    while battle.decision:
        battle.answer(battle.decision.sample(rng))
    again = Battle(battle.header, battle.rules)
    again.replay(battle.record)
    assert again.checksum() == battle.checksum()
