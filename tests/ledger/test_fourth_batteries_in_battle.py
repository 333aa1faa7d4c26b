"""Batteries of the 4th edition as they are played: moving, firing, charging, testing; and what combats hide."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_fourth_gunners import KANNON, RIFLE, battery
from tests.ledger.test_fourth_shooting import shooting
from tests.ledger.test_fourth_vehicle_moves import drive, keys, tank
from tests.ledger.test_third_vehicle_fire import fire
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, rules_with, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.procedures.field import hull_around
from battlewright.editions.classic.procedures.movement import limits_of
from battlewright.editions.classic.procedures.nerve import losses_call_for_a_test
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase
from battlewright.editions.fourth.sight import combat_hides
from battlewright.editions.fourth.special_rules import sentry_notices_within
from battlewright.editions.fourth.vehicles import obstacles_for_vehicles_only

WOOD = TerrainArea("wood", ((5, 20), (30, 20), (30, 30), (5, 30)), tags=frozenset({"difficult", "area", "woods"}))


def wall(x0: float, x1: float, y: float, *tags: str) -> TerrainArea:
    outline = ((x0, y), (x1, y), (x1, y + 0.3), (x0, y + 0.3))
    body = TerrainFeature("wall", outline, 4.0, solid=True, tags=frozenset({"obstacle", "wall", *tags}))
    return TerrainArea("yard", outline, features=(body,))


def guns(count: int, crew: int) -> UnitSpec:
    pieces = unit(count, "VEHICLE", "ARTILLERY", name="Gun", AV="10/10/10", base="60mm", weapons=[KANNON])
    return mixed("Battery", pieces, unit(crew, name="Crew", T=3, Sv="-", weapons=[RIFLE]))


def moving(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="4", alone=True, **more)


def to(row: int, x: float, y: float) -> ModelMove:
    return ModelMove(row, ((round(1000 * x), round(1000 * y), 0, 0),))


def lost_shots(battle: ClassicBattle) -> bool:
    return "attacks-lost" in [event.kind for event in battle.events]


# -- guns and crew ----------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.artillery.gun-dangerous-test")
def test_the_guns_alone_test_when_a_battery_moves_in_a_wood() -> None:
    mine = guns(2, 4).on((10, 21.5), (13, 21.5), (10, 19.2), (13, 19.2), (11.5, 19.2), (14.5, 19.2))
    dice = [("terrain-test", [3, 1]), ("terrain-accident", [1, 4])]
    battle = moving(mine, unit(1).at(60, 40), terrain=[WOOD], dice=dice)
    battle.answer(Pick("a.1"))
    battle.answer(Pick("terrain"))
    battle.answer(Place((to(0, 10, 23), to(1, 13, 23), to(2, 10, 21), to(3, 13, 21), to(4, 11.5, 21), to(5, 14.5, 21))))
    assert standing(battle.state, 0) == [1, 2, 3, 4, 5], "the first gun threw a 1"


@pytest.mark.rule("4e.artillery.gun-destroyed", "4e.artillery.gun-av", "4e.artillery.assaulted-random")
@pytest.mark.rule("4e.artillery.composition")
def test_a_gun_is_pierced_as_the_weapon_pierces() -> None:
    melta = printed_weapon("Melta", "ASSAULT 1", "MELTA", S=8, AP=1, R='12"')
    rifle = printed_weapon("Sniper", "HEAVY 1", "SNIPER", S=3, AP=6, R='36"')
    for gun, faces in ((melta, [1, 1]), (rifle, [4, 6])):
        battle = shooting(
            unit(1, weapons=[gun]).at(10, 15), guns(1, 4).on((10, 20), (12, 20), (8, 20), (14, 20), (6, 20)),
            [("hit", [4]), ("artillery-hits", [5]), ("penetration", faces)],
        )  # fmt: skip
        fire(battle)
        assert standing(battle.state, 1) == [2, 3, 4, 5], "two dice: 8 and 2, or 10 without the Strength"
    fist = printed_weapon("Power fist", "POWER FIST", melee=True)
    battle = scene(
        unit(1, A=1, W=9, weapons=[fist]).at(10, 17.835), guns(1, 2).on((10, 19.508), (11.7, 19), (8.2, 19)),
        phase=Phase.ASSAULT, alone=True, edition="4",
        dice=[("hit", [1, 1]), ("hit", [6]), ("artillery-hits", [5]), ("penetration", [2])],
    )  # fmt: skip
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    assert 1 not in standing(battle.state, 1), "8 and 2 are 10"


@pytest.mark.rule("4e.artillery.crew-to-move")
def test_a_gun_without_a_crewman_does_not_move() -> None:
    mine = guns(3, 2).on((10, 10), (13, 10), (16, 10), (10, 12), (13, 12))
    battle = moving(mine, unit(1).at(60, 40))
    assert sorted(limits_of(battle.scene, battle.state, 0)) == [0, 1, 3, 4]


@pytest.mark.rule("4e.artillery.crew-to-fire")
def test_the_crewman_beside_the_second_gun_serves_that_one() -> None:
    mine = guns(2, 1).on((10, 8), (16, 8), (18, 8))
    battle = shooting(mine, unit(1, T=8).at(16, 24), [("hit", [1])])
    fire(battle)
    assert battle.decision is None


@pytest.mark.rule("4e.artillery.los-both")
@pytest.mark.parametrize(("x", "lost"), [(9.0, True), (16.5, False)])
def test_a_gun_fires_only_at_what_its_crewman_sees_too(x: float, lost: bool) -> None:
    # A wall stands before the place on the left; the gun itself looks past its end.
    mine = battery(crew=1).on((12.6, 8), (x + 0.5 if x < 12 else 14.5, 8))
    battle = shooting(mine, unit(1, T=8).at(20, 24), None, terrain=[wall(2, 12.2, 9.5)])
    fire(battle)
    assert lost_shots(battle) is lost


@pytest.mark.rule("4e.artillery.range-from-crew")
@pytest.mark.parametrize(("option", "lost"), [("crew", False), ("gun", True)])
def test_range_is_the_crews_or_the_guns_where_the_players_say_so(option: str, lost: bool) -> None:
    # 60 mm and 25 mm: from edge to edge 36.8 inches from the gun, 35 from its crewman who stands before it.
    mine = battery(crew=1).on((10, 1.6), (10, 4.1))
    battle = shooting(mine, unit(1, T=8).at(10, 40.1), None, options={"artillery_range": option})
    fire(battle)
    assert lost_shots(battle) is lost


@pytest.mark.rule("4e.artillery.no-charge")
def test_gunners_charge_when_no_gun_is_left_and_not_before() -> None:
    def offered(*wounds: int) -> bool:
        mine = battery(crew=2).on((10, 10), (12, 10), (14, 10)).having(wounds=wounds)
        battle = scene(mine, unit(1).at(12, 14), phase=Phase.ASSAULT, alone=True, edition="4")
        return battle.decision is not None and "a.1" in keys(battle)

    assert not offered(1, 1, 1)
    assert offered(0, 1, 1)


@pytest.mark.rule("4e.artillery.morale-as-infantry")
def test_a_battery_that_has_lost_a_quarter_tests_as_infantry_does() -> None:
    battle = shooting(unit(1).at(60, 8), battery(crew=3).on((10, 24), (13, 24), (15, 24), (17, 24)), None)
    assert not losses_call_for_a_test(battle.scene, battle.state, 1)
    battle.state.wounds[4] = 0
    battle.state.on_table[4] = False
    assert losses_call_for_a_test(battle.scene, battle.state, 1), "one of four"


@pytest.mark.rule("4e.artillery.crew-dead")
def test_guns_are_taken_off_once_however_the_last_crewman_dies() -> None:
    dice = [("hit", [4]), ("artillery-hits", [1]), ("wound", [4])]
    mine = unit(1, weapons=[KANNON]).at(10, 8)
    battle = shooting(mine, battery(crew=1).on((10, 24), (13, 24)), dice)
    fire(battle, name_model="none")
    removed = [event for event in battle.events if event.kind == "models-removed"]
    assert [event.to_json()["why"] for event in removed].count("their crew is dead") == 1


# -- sight through combats --------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.movement.combat-as-terrain")
def test_a_combat_hides_who_stands_behind_it_unless_he_or_the_viewer_is_taller() -> None:
    assert combat_hides({1, 2}, 2, 2)
    assert not combat_hides({1, 2}, 2, 3)
    assert set(hull_around([(0, 0), (2, 0), (2, 2), (0, 2), (1, 1)])) == {(0, 0), (2, 0), (2, 2), (0, 2)}
    locked = unit(3, name="Locked").on((28, 20), (30, 20), (32, 20))
    foes = unit(3, name="Foes").on((28, 20.984), (30, 20.984), (32, 20.984))
    behind, beside, big = unit(1).at(30.9, 26), unit(1).at(45, 26), tank(name="Big").at(20, 26)
    battle = shooting([unit(1).at(30.9, 10), locked], [foes, behind, beside, big], None)
    seen = seen_by(battle.scene, battle.state, 0)
    assert (7 in seen, 8 in seen) == (False, True), "between the models as well as behind one"
    battle.state.position[9, :2] = [31000, 27500]
    assert 9 in seen_by(battle.scene, battle.state, 0), "a vehicle is taller than who fights there"
    battle.state.position[4:7, 1] += 3000
    assert 7 in seen_by(battle.scene, battle.state, 0), "nobody fights any longer"


# -- what players may agree on ----------------------------------------------------------------------------------


@pytest.mark.rule("4e.vehicle-terrain.vehicles-only-terrain")
@pytest.mark.parametrize("option", ["none", "obstacles"])
def test_infantry_crosses_a_ditch_freely_that_is_difficult_for_vehicles_only(option: str) -> None:
    assert obstacles_for_vehicles_only({"difficult", "ditch"})
    assert not obstacles_for_vehicles_only({"difficult", "woods"})
    options = {"terrain_for_vehicles_only": option}
    ditch = TerrainArea("ditch", ((5, 19), (60, 19), (60, 20), (5, 20)), tags=frozenset({"difficult", "ditch"}))
    battle = moving(
        [unit(1).at(10, 17), tank().on((40, 15, 0, 90))],
        unit(1).at(60, 46),
        terrain=[ditch],
        dice=[("vehicle-terrain", [3])],
        options=options,
    )
    battle.answer(Pick("a.1"))
    if option == "obstacles":
        battle.answer(Place((to(0, 10, 23),)))
    else:
        assert keys(battle) == ["normal", "terrain"]
        battle.answer(Pick("normal"))
        assert battle.check(Place((to(0, 10, 23),)))
        battle.answer(Place(()))
    drive(battle, "a.2", (40, 20.5))
    assert not battle.state.units[1].immobilised
    assert rules_with("4", options).vehicles.movement.for_vehicles_only({"ditch"}) is (option != "none")


@pytest.mark.rule("4e.night-vision.sentries")
def test_a_sentry_with_night_vision_notices_within_twice_its_initiative() -> None:
    assert sentry_notices_within(model(I=4, abilities=["Night Vision"])) == 8.0
    assert sentry_notices_within(model(I=4)) == 4.0
