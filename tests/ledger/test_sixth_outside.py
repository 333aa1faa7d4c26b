"""What the 6th edition's vehicles rest on: turning, moving among models, sides, markers, wrecks, reserves, profiles."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.support.classic import UnitSpec, printed_weapon, scene, unit, weapon

import battlewright as bw
from battlewright.armies import load_army, sample_armies
from battlewright.core.bases import Base, Pose
from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.errors import IllegalChoice
from battlewright.editions.classic.gunnery import StruckFrom
from battlewright.editions.classic.procedures.board import pose_of
from battlewright.editions.classic.procedures.covering import area_cover, feature_saves
from battlewright.editions.classic.procedures.ground import difficult_of
from battlewright.editions.classic.procedures.reserves import roll_for_reserves
from battlewright.editions.classic.profile_text import parse_target
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase, Wreck
from battlewright.editions.classic.vehicles import facing_of
from battlewright.editions.sixth.gunnery import under_marker
from battlewright.editions.sixth.known import VEHICLES, spelled_attack, spelled_target


def sixth(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="6", alone=True, **more)


def tank(**more: Any) -> UnitSpec:
    features = {"HP": 3, "AV": "13/11/10", "name": "Tank", "base": "hull 4x3in", **more}
    return unit(1, "VEHICLE", "TANK", height=2.0, **features)


def drive(battle: ClassicBattle, x: float, y: float, facing: float = 0.0) -> None:
    battle.answer(Pick("a.1"))
    if battle.decision is not None and battle.decision.kind == "select-move":
        battle.answer(Pick("normal"))
    pose = (round(x * 1000), round(y * 1000), 0, round(facing * 1000))
    battle.answer(Place((ModelMove(0, (pose,)),)))


@pytest.mark.rule("6e.outside.pivoting")
def test_turning_on_the_spot_is_free_and_leaves_a_vehicle_stationary() -> None:
    battle = sixth([tank().at(20, 20)], unit(1).at(60, 40))
    drive(battle, 20, 20, 180)
    assert pose_of(battle.state, 0).facing == 180
    assert not battle.state.units[0].moved
    assert battle.state.units[0].moved_distance == 0
    whole = sixth([tank().at(20, 20)], unit(1).at(60, 40))
    drive(whole, 32, 20, 180)
    assert whole.state.units[0].moved_distance == 12_000, "the turn has cost nothing"


@pytest.mark.rule("6e.outside.no-moving-through-models")
def test_vehicles_do_not_drive_through_models_nor_end_within_an_inch_of_enemies() -> None:
    friends = unit(5, name="Friends").on(*((26, 16 + 2 * n) for n in range(5)))
    battle = sixth([tank().at(20, 20), friends], unit(1).at(60, 40))
    with pytest.raises(IllegalChoice):
        drive(battle, 31, 20)
    near = sixth([tank().at(20, 20)], unit(1).at(33, 20))
    with pytest.raises(IllegalChoice):
        drive(near, 29.8, 20)


@pytest.mark.rule("6e.outside.facing")
def test_the_lines_through_the_corners_of_the_hull_tell_its_sides() -> None:
    base, here = Base.parse("hull 4x4in"), Pose(20, 20, 0, 0)
    assert facing_of(base, here, (40, 20)) is Facing.FRONT
    assert facing_of(base, here, (0, 20)) is Facing.REAR
    assert facing_of(base, here, (20, 40)) is facing_of(base, here, (20, 0)) is Facing.SIDE
    lances = [printed_weapon("Lance", R='48"', S="8")]
    for x, left in ((32, 3), (8, 2)):
        battle = sixth([tank().at(20, 20)], unit(1, weapons=lances).at(x, 20), phase=Phase.SHOOTING, turn=1,
                       dice=[("hit", [4]), ("penetration", [2])])  # fmt: skip
        battle.answer(Pick("b.1"))
        battle.answer(Pick("a.1"))
        while battle.decision is not None:
            battle.answer(battle.decision.default())
        assert battle.state.wounds[0] == left, "10 does nothing to the front and glances on the rear"


@pytest.mark.rule("6e.outside.blast-vs-vehicle", "6e.core.weapons.blast-vehicles")
def test_a_marker_that_touches_the_hull_hits_with_all_its_strength() -> None:
    shell, mortar = weapon("BLAST"), weapon("BLAST", "BARRAGE")
    for hole in (True, False):
        assert under_marker(shell, hole).struck is StruckFrom.FIRER
        assert not under_marker(shell, hole).half
        assert under_marker(mortar, hole).struck is StruckFrom.FLANK
        assert not under_marker(mortar, hole).half


@pytest.mark.rule("6e.outside.wreck-terrain")
def test_a_wreck_is_difficult_and_dangerous_and_gives_a_five_up_save() -> None:
    battle = sixth([tank().at(20, 20).having(wounds=[0]), unit(1).at(20, 14)], unit(1).at(60, 40), dice=[
        ("terrain-test", [6, 6]), ("terrain-accident", [1]),
    ])  # fmt: skip
    battle.state.wrecks = (Wreck(0, "wreck"),)
    pieces = difficult_of(battle.scene, battle.state)
    assert pieces.slowing.all()
    assert pieces.dangerous.all()
    assert area_cover(battle.scene, battle.state, Pose(20, 20, 0, 0)) == 5
    assert [save for _, save in feature_saves(battle.scene, battle.state)] == [5]
    battle.answer(Pick("a.2"))
    battle.answer(Pick("terrain"))
    battle.answer(Place((ModelMove(1, ((20_000, 19_000, 0, 0),)),)))
    assert standing(battle.state, 1) == []


@pytest.mark.rule("6e.outside.ongoing-reserves")
def test_ongoing_reserves_come_without_a_die() -> None:
    waiting = unit(1).having(in_reserves=True, ongoing=True)
    battle = sixth([unit(1).at(20, 20), waiting], unit(1).at(60, 40), game_turn=3, dice=[])
    roll_for_reserves(battle)
    assert battle.state.units[1].arriving


@pytest.mark.rule("6e.outside.hunter-killer-profile")
def test_a_hunter_killer_missile_glances_armour_twelve_on_a_four() -> None:
    assert spelled_attack("BS4 Hunter-killer missile") == "BS4 A1 S8 AP3 [HEAVY 1, ONE SHOT]"
    answer = bw.odds.volley("BS4 Hunter-killer missile", "Chimera", edition="6")
    penetration = next(stage for stage in answer.stages if stage.name == "penetration")
    glances = dict(penetration.outcomes)["glancing hit"]
    assert glances == pytest.approx(2 / 3 * 1 / 6), "of the hits the fours"


@pytest.mark.rule("6e.outside.unit-profiles")
def test_vehicles_are_known_by_their_names() -> None:
    raider = parse_target(spelled_target("Land Raider")).models[0].profile
    assert raider.armour is not None
    assert (raider.armour.front, raider.armour.side, raider.armour.rear, raider.wounds) == (14, 14, 14, 4)
    assert {"TANK", "TRANSPORT 10"} <= raider.keywords
    barge = parse_target(spelled_target("command barge")).models[0].profile
    assert {"CHARIOT", "FAST", "OPEN-TOPPED", "SKIMMER"} <= barge.keywords
    assert barge.wounds == 3
    assert spelled_target("T4 Sv3+") == "T4 Sv3+"
    assert len(VEHICLES) == 23
    for name in VEHICLES:
        assert parse_target(spelled_target(name)).models[0].profile.is_vehicle
    listed = {unit.name: unit.models[0] for name in sample_armies("6") for unit in load_army(name).units}
    for name in set(listed) & set(VEHICLES):
        printed = listed[name].characteristics
        armour, points = re.match(r"AV (\S+) HP(\d)", VEHICLES[name]).groups()  # type: ignore[union-attr]
        assert (printed["AV"], printed["HP"]) == (armour, points), name
