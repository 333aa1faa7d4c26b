"""Squadrons of the 6th edition, and the vehicles that they leave behind."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import battlewright.report.classic  # noqa: F401  (registers the formatters)
from battlewright.core.decisions import SIDES, ModelMove, Options, Pick, Place
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.events import VehicleLeftBehind
from battlewright.editions.classic.missions import mission_of
from battlewright.editions.classic.procedures.aiming import targets_of
from battlewright.editions.classic.procedures.counting import victory_points
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.vehicle_hits import harm_vehicle
from battlewright.editions.classic.scene import ClassicBattle, own_rows, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.vehicles import stood_still, went_flat_out
from battlewright.editions.happenings import StageResolved
from battlewright.editions.placing.formations import towards
from battlewright.editions.sixth.missions import for_units, most_in_reserve, secondaries
from battlewright.editions.sixth.vehicles import left_behind
from battlewright.report.narrate import Names, Narrator
from battlewright.server.scenes import make_scene
from support.classic import UnitSpec, printed_weapon, scene, unit

_A, _B = SIDES
FIRST = frozenset({0})


def sentinels(*points: Sequence[float], words: Sequence[str] = ("WALKER",), **more: Any) -> UnitSpec:
    one: dict[str, Any] = {"WS": 3, "S": 5, "I": 3, "A": 1, "HP": 2, "AV": "12/10/10"} | more
    return unit(len(points), "VEHICLE", *words, name="Sentinels", base="60mm", height=2.0, **one).on(*points)


def three(**flags: Any) -> UnitSpec:
    """The nearest to the enemy, on the right, is Immobilised."""
    return sentinels((26, 20), (22, 20), (18, 20)).having(**{"immobilised": FIRST} | flags)


def sixth(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="6", **{"alone": True} | more)


def to(points: Mapping[int, tuple[float, float]]) -> Place:
    return Place(tuple(ModelMove(row, ((round(x * 1000), round(y * 1000), 0, 0),)) for row, (x, y) in points.items()))


AWAY = to({1: (17, 18), 2: (13, 18)})


def moved(battle: ClassicBattle, answer: Place = AWAY) -> ClassicBattle:
    """The first unit has been moved, and its owner's Movement phase is over."""
    battle.answer(Pick("a.1"))
    battle.answer(answer)
    while battle.decision is not None and battle.decision.kind == "select-unit-to-move":
        battle.answer(Pick("end"))
    return battle


@pytest.mark.rule("6e.outside.squadrons")
def test_an_immobilised_mate_that_is_left_is_a_unit_of_its_own() -> None:
    battle = moved(sixth([three(), unit(3).at(60, 10)], unit(3).at(60, 40)))
    state, units = battle.state, battle.scene.units
    assert [each.id for each in units] == ["a.1", "a.2", "b.1", "a.1.1", "a.1.2", "a.1.3"]
    assert [standing(state, each) for each in (0, 3, 4, 5)] == [[1, 2], [0], [], []]
    assert (state.units[0].immobilised, state.units[3].immobilised) == (frozenset(), FIRST)
    assert (state.units[0].moved, state.units[3].moved) == (True, False)
    (event,) = [each for each in battle.events if isinstance(each, VehicleLeftBehind)]
    (line,) = Narrator(Names.of_armies(battle.header.armies)).tell(event)
    assert line.text == "Sentinels leaves Sentinels, no. 1 behind, which is a unit of its own from now on"
    assert tuple(line.rules) == ("6e.outside.squadrons",)


@pytest.mark.rule("6e.outside.squadrons")
def test_it_is_the_owner_who_chooses_to_leave_it() -> None:
    battle = sixth([three()], unit(3).at(60, 40))
    battle.answer(Pick("a.1"))
    torn = to({1: (22, 26), 2: (18, 15)})
    assert [each.rule for each in battle.check(torn)] == ["6e.outside.squadrons"]
    assert battle.check(to({1: (25.5, 24), 2: (23, 17)})) == []  # linked through the one that stays
    moved(near := sixth([three()], unit(3).at(60, 40)), to({1: (22, 22), 2: (18, 22)}))
    assert standing(near.state, 0) == [0, 1, 2]
    assert [near.state.units[each].models for each in near.scene.parts] == [(), (), ()]
    assert left_behind([True, True, False], [[True, False, False], [False, True, True], [False, True, True]]) == [0]
    assert left_behind([True, True], [[True, False], [False, True]]) == []


@pytest.mark.rule("6e.outside.squadrons")
def test_nobody_leaves_a_stunned_mate() -> None:
    battle = sixth([three(immobilised=frozenset(), stunned=FIRST)], unit(3).at(60, 40))
    battle.answer(Pick("a.1"))
    assert [each.rule for each in battle.check(AWAY)] == ["6e.outside.squadrons"]
    assert battle.check(to({1: (22, 22), 2: (18, 22)})) == []


@pytest.mark.rule("6e.outside.squadrons")
def test_vehicles_go_flat_out_each_for_itself_and_may_leave_a_mate_by_that() -> None:
    bikes = sentinels((26, 20), (22, 20), (18, 20), words=["FAST", "SKIMMER"]).having(immobilised=FIRST)
    battle = sixth([bikes], unit(3).at(60, 40), phase=Phase.SHOOTING)
    while battle.decision is not None and "a.1:flat-out" not in (keys := [each.key for each in battle.options()]):
        battle.answer(Pick("ground" if "ground" in keys else keys[-1]))
    battle.answer(Pick("a.1:flat-out"))
    assert battle.check(to({0: (27, 20)})) != []
    assert battle.check(to({1: (22, 22)})) == []
    battle.answer(to({1: (10, 20), 2: (6, 20)}))
    assert [standing(battle.state, each) for each in (0, 2)] == [[1, 2], [0]]
    assert not battle.state.units[2].has(Deed.FLAT_OUT)


@pytest.mark.rule("6e.outside.squadrons", "6e.core.missions.purge-the-alien", "6e.core.missions.secondary-objectives")
def test_what_is_left_behind_counts_as_a_unit_and_what_is_not_yet_does_not() -> None:
    battle = moved(sixth([three(), unit(3).at(60, 10)], unit(3).at(60, 40), mission="purge-the-alien"))
    scene_, state = battle.scene, battle.state

    def points() -> int:
        return sum(line.points for line in for_units(scene_, state, _B))

    assert points() == 0
    assert victory_points(scene_, state, _B) == 100 // 3 // 2, "as points are counted elsewhere, half of its share"
    bury(battle, [0], "destroyed")
    assert (points(), state.destroyed) == (1, (3,))
    assert [line.what for line in secondaries(scene_, state, _B)] == ["first blood"]
    bury(battle, [1, 2], "destroyed")
    assert (points(), state.destroyed) == (2, (3, 0))
    bury(battle, [3, 4, 5], "destroyed")
    assert points() == 3, "never one for the units that no vehicle became"
    whole = sixth([three()], unit(3).at(60, 40), mission="purge-the-alien")
    bury(whole, [0, 1, 2], "destroyed")
    assert (sum(line.points for line in for_units(whole.scene, whole.state, _B)), whole.state.destroyed) == (1, (0,))
    assert [own_rows(whole.scene, whole.state, each) for each in whole.scene.parts] == [[], [], []]


@pytest.mark.rule("6e.outside.squadrons")
def test_enemies_aim_at_either_and_it_acts_by_itself() -> None:
    lascannon = printed_weapon("Lascannon", R='48"', S=9, AP=2)
    battle = moved(sixth([three(), unit(3).at(60, 10)], unit(3, weapons=[lascannon]).at(30, 30)))
    assert {aim.unit for aim in targets_of(battle.scene, battle.state, 2)} >= {0, 3}
    gun = printed_weapon("Multi-laser", "HEAVY 3", R='36"', S=6, AP=6)
    armed = sentinels((26, 20), (22, 20), (18, 20), weapons=[gun]).having(immobilised=FIRST)
    whole = moved(sixth([armed], unit(3).at(40, 20), alone=False))
    while whole.decision.kind != "select-unit-to-shoot":
        whole.answer(whole.decision.default())
    assert {"a.1", "a.1.1"} <= {option.key for option in whole.options()}
    again = whole.fork()
    again.answer(Pick("a.1.1"))
    whole.answer(Pick("a.1.1"))
    assert again.checksum() == whole.checksum()
    assert again.decision.subject == 2


@pytest.mark.rule("6e.outside.squadrons", "6e.core.missions.how-many-reserves")
def test_units_that_are_not_yet_are_neither_listed_nor_asked_for() -> None:
    free = sentinels((26, 20), (22, 20), (18, 20))
    battle = scene([free, unit(3).at(10, 10)], unit(3).at(60, 40), edition="6", phase=Phase.SETUP)
    assert most_in_reserve(len(list(battle.scene.listed(_A)))) == 1
    asked = set[str]()
    while battle.decision is not None and battle.state.phase == Phase.SETUP:
        asked |= {option.key for option in battle.options()} if isinstance(battle.decision.choices, Options) else set()
        battle.answer(battle.decision.choices.default())
    assert not [key for key in asked if "a.1." in key]
    assert mission_of(battle.scene)


@pytest.mark.rule("6e.outside.squadrons")
def test_who_plays_at_random_or_to_win_moves_a_squadron_that_has_an_immobilised_mate() -> None:
    battle = sixth([three()], unit(3).at(60, 40))
    battle.answer(Pick("a.1"))
    space, rng = battle.decision.choices, random.Random(1)
    drawn = [space.sample(rng) for _ in range(20)]
    assert any(answer.moves for answer in drawn)
    assert not any(space.check(answer) for answer in drawn)
    assert {move.model for answer in drawn for move in answer.moves} <= {1, 2}
    goes = towards(space.mobile, (50.0, 20.0))
    assert {move.model for move in goes.moves} == {1, 2}
    assert space.check(goes) == []


@pytest.mark.rule("6e.outside.squadrons")
def test_the_table_knows_the_units_that_may_come() -> None:
    battle = sixth([three(), unit(3).at(60, 10)], unit(3).at(60, 40))
    cards = make_scene(battle.header, battle).units
    assert [(card.id, card.index, card.part_of) for card in cards[2:]] == [
        ("b.1", 2, None),
        ("a.1.1", 3, "a.1"),
        ("a.1.2", 4, "a.1"),
        ("a.1.3", 5, "a.1"),
    ]
    assert (cards[3].name, cards[3].models, cards[3].side) == ("Sentinels, no. 1", [0], 0)
    assert Names.of_armies(battle.header.armies).unit("a.1.3") == "Sentinels, no. 3"
    assert len(make_scene(battle.header).units) == 3


def bikes(**more: Any) -> UnitSpec:
    gun = printed_weapon("Gun", "HEAVY 1", "TURRET", R='48"')
    points = ((26, 20), (22, 20), (18, 20))
    return sentinels(*points, words=("FAST", "SKIMMER"), WS=0, AV="10/10/10", BS=4, weapons=[gun]).having(**more)


def gone_flat_out(battle: ClassicBattle, rows: Sequence[int]) -> ClassicBattle:
    battle.answer(Pick("a.1:flat-out"))
    battle.answer(to({row: (26 - 4 * row, 22) for row in rows}))
    return battle


@pytest.mark.rule("6e.outside.squadrons", "6e.outside.flat-out", "6e.outside.vehicle-shooting")
def test_vehicles_of_a_squadron_go_flat_out_each_by_itself_and_the_others_may_fire() -> None:
    battle = gone_flat_out(sixth([bikes()], unit(3).at(30, 40), phase=Phase.SHOOTING), [0])
    assert "a.1" in [option.key for option in battle.options()]
    assert "a.1:flat-out" not in [option.key for option in battle.options()]
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    rolled = [event for event in battle.events if isinstance(event, StageResolved) and event.stage == "hit"]
    assert [len(event.faces) for event in rolled] == [2], "two of three have fired"
    deeds = battle.state.units[0].deeds
    assert [went_flat_out(deeds, row) for row in (0, 1, 2)] == [True, False, False]
    assert {stood_still(1), stood_still(2)} <= deeds
    assert stood_still(0) not in deeds


@pytest.mark.rule("6e.outside.squadrons", "6e.outside.flat-out")
def test_a_squadron_that_has_gone_flat_out_as_a_whole_does_not_fire() -> None:
    battle = gone_flat_out(sixth([bikes()], unit(3).at(30, 40), phase=Phase.SHOOTING), [0, 1, 2])
    assert battle.decision is None or "a.1" not in [option.key for option in battle.options()]


@pytest.mark.rule("6e.outside.squadrons", "6e.skimmer-damage.immobilised-at-speed")
def test_only_the_vehicles_that_went_flat_out_crash_when_they_are_immobilised() -> None:
    battle = gone_flat_out(sixth([bikes()], unit(3).at(30, 40), phase=Phase.SHOOTING), [0])
    for row in (0, 1):
        for _ in harm_vehicle(battle, row, DamageResult.IMMOBILISED):
            raise AssertionError("nothing is asked")
    assert [int(battle.state.wounds[row]) for row in (0, 1)] == [0, 2]
