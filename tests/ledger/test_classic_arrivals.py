"""Coming into play as it is played: deep strike, infiltrators, scouts, in every classic edition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.core.decisions import ModelMove, Place
from battlewright.core.roster import Component
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.arrivals import infiltrates, lands_at
from battlewright.editions.classic.markers import Scatter
from battlewright.editions.classic.procedures.reserves import roll_for_reserves
from battlewright.editions.classic.procedures.setup import deployment_space
from battlewright.editions.classic.reserves import arrives, arrives_on
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Deed, Phase
from support.classic import UnitSpec, printed_weapon, scene, unit

ONE_INCH = "25.4mm"
HIT = ("scatter", [6, 1, 1])
EAST = ("scatter", [1, 1, 1])
"""An arrow due east."""


def drop(count: int = 5, kind: str = "INFANTRY") -> UnitSpec:
    return unit(count, kind, abilities=["Deep Strike"], base=ONE_INCH).having(in_reserves=True, arriving=True)


def to(row: int, x: float, y: float) -> Place:
    return Place((ModelMove(row, ((round(1000 * x), round(1000 * y), 0, 0),)),))


def landed(edition: str, x: float, y: float, *dice: tuple[str, list[int]], foe: tuple[float, float]) -> ClassicBattle:
    watcher = unit(1, base=ONE_INCH).at(70, 2)
    battle = scene([drop(), watcher], unit(1, base=ONE_INCH).at(*foe), edition=edition, dice=list(dice))
    battle.answer("deep-strike")
    battle.answer(to(0, x, y))
    return battle


def places(battle: ClassicBattle) -> list[tuple[float, float]]:
    state = battle.state
    return [
        (float(state.position[row, 0]) / 1000, float(state.position[row, 1]) / 1000)
        for row in range(5)
        if state.on_table[row]
    ]


@pytest.mark.rule("3e.core.missions.deep-strike")
def test_third_a_unit_lands_within_the_marker_and_neither_moves_nor_charges() -> None:
    battle = landed("3", 30, 20, EAST, ("scatter-distance", [3, 4]), foe=(60, 40))
    there = places(battle)
    assert there[0] == (37.0, 20.0)
    assert len(there) == 5
    assert all(((x - 37) ** 2 + (y - 20) ** 2) ** 0.5 <= 2.0 for x, y in there)
    mine = battle.state.units[0]
    assert mine.has(Deed.DEEP_STRUCK)
    assert mine.moved
    assert [option.key for option in battle.options()] == ["a.2", "end"]


@pytest.mark.rule("3e.core.missions.deep-strike")
def test_third_a_marker_on_an_enemy_loses_the_unit() -> None:
    battle = landed("3", 30, 20, EAST, ("scatter-distance", [3, 4]), foe=(37, 20.5))
    assert places(battle) == []
    assert not battle.state.units[0].in_reserves


@pytest.mark.rule("4e.core.missions.deep-strike")
def test_fourth_models_stand_in_rings_and_those_by_enemies_are_lost() -> None:
    battle = landed("4", 30, 20, HIT, foe=(32.6, 20))
    there = places(battle)
    assert (30.0, 20.0) in there
    assert len(there) == 4


@pytest.mark.rule("4e.core.missions.deep-strike")
def test_fourth_off_the_table_all_are_lost() -> None:
    battle = landed("4", 68, 20, EAST, ("scatter-distance", [3, 4]), foe=(10, 40))
    assert places(battle) == []
    assert lands_at((68, 20), Scatter(hit=False, degrees=0.0), (3, 4)) == pytest.approx((75, 20))


@pytest.mark.rule("3e.core.missions.deep-strike", "3e.core.missions.reserves")
def test_a_unit_that_could_may_still_come_from_the_edge() -> None:
    battle = scene([drop()], unit(1).at(60, 40))
    assert [option.key for option in battle.options()] == ["deep-strike", "edge"]
    battle.answer("edge")
    assert battle.decision is not None
    assert battle.decision.kind == "arrive"


@pytest.mark.rule("4e.core.missions.reserves")
def test_fourth_reserves_arrive_on_four_three_and_two() -> None:
    assert [arrives_on(turn) for turn in range(1, 6)] == [None, 4, 3, 2, 2]
    assert [arrives(arrives_on(2), face) for face in (3, 4)] == [False, True]


# -- infiltrators and scouts ------------------------------------------------------------------------------------


@pytest.mark.rule("4e.infiltrate.deploy", "4e.infiltrate.otherwise-normal", "4e.infiltrate.lost-with-transport")
def test_fourth_infiltrators_are_set_up_ahead_where_the_mission_allows_it() -> None:
    assert infiltrates({"INFILTRATE"}, mission_allows=True)
    assert not infiltrates({"INFILTRATE"}, mission_allows=False)
    assert not infiltrates({"INFILTRATE"}, mission_allows=True, has_transport=True)
    assert not infiltrates({"SCOUTS"}, mission_allows=True)
    ahead = unit(1, abilities=["Infiltrate"], base=ONE_INCH)
    battle = scene(ahead, unit(1, base=ONE_INCH).at(36, 40), edition="4", phase=Phase.SETUP, mission="recon-gamma")
    space = deployment_space(battle.scene, battle.state, 0)
    assert space.check(to(0, 36, 20.9)) == []
    assert space.check(to(0, 36, 21.1))
    bricks = ((0.0, 36.0), (72.0, 36.0), (72.0, 36.5), (0.0, 36.5))
    wall = TerrainArea("wall", bricks, features=(TerrainFeature("wall", bricks, height=9.0),))
    foe = unit(1, base=ONE_INCH).at(36, 40)
    hidden = scene(ahead, foe, edition="4", phase=Phase.SETUP, mission="recon-gamma", terrain=[wall])
    space = deployment_space(hidden.scene, hidden.state, 0)
    assert space.check(to(0, 36, 26.9)) == [], '12" where no enemy sees it'
    assert space.check(to(0, 36, 27.1))


@pytest.mark.rule("4e.infiltrate.lost-with-transport")
def test_who_has_a_transport_of_its_own_does_not_infiltrate() -> None:
    rhino = unit(1, "VEHICLE", name="Rhino", base="hull 4x3in", abilities=["Transport Capacity 10"])
    scouts = unit(1, abilities=["Infiltrate"], base=ONE_INCH)
    riders = replace(scouts, components=(Component("Squad", points=100, embarked_in="Rhino"),))
    for squad, ahead in ((scouts, True), (riders, False)):
        battle = scene([squad, rhino], unit(1, base=ONE_INCH).at(36, 46), edition="4", phase=Phase.SETUP,
                       mission="recon-gamma")  # fmt: skip
        space = deployment_space(battle.scene, battle.state, 0)
        assert (space.check(to(0, 36, 20)) == []) is ahead, "outside its zone"


@pytest.mark.rule("4e.infiltrate.no-earlier-reserves")
def test_fourth_infiltrators_in_reserve_come_no_earlier() -> None:
    assert arrives_on(1) is None
    held = unit(1, abilities=["Infiltrate"]).having(in_reserves=True)
    battle = scene([held, unit(1).at(10, 10)], unit(1).at(36, 40), edition="4", phase=Phase.START_OF_TURN, game_turn=1)
    roll_for_reserves(battle)
    assert battle.state.units[0].in_reserves
    assert not battle.state.units[0].arriving


def set_up(edition: str, *abilities: str) -> ClassicBattle:
    """A battle in which everybody is deployed by default, up to the moves of scouts."""
    one = unit(2, abilities=abilities, base=ONE_INCH, weapons=[printed_weapon()])
    battle = scene(one, one, edition=edition, phase=Phase.SETUP)
    while battle.decision is not None and battle.decision.kind in ("choose-zone", "select-unit-to-deploy", "deploy"):
        battle.answer(battle.decision.default())
    return battle


@pytest.mark.rule("4e.scouts.free-move", "4e.scouts.before-first-turn-roll", "3e.core.missions.set-up")
@pytest.mark.parametrize("edition", ["3", "4"])
def test_scouts_move_before_it_is_known_who_begins(edition: str) -> None:
    battle = set_up(edition, "Scouts")
    assert battle.decision is not None
    assert battle.decision.kind == "select-scouts"
    assert battle.state.phase == Phase.SETUP
    side = battle.decision.side
    battle.answer(battle.options()[0].key)
    assert battle.decision.kind == "move-normal"
    battle.answer(battle.decision.default())
    assert battle.decision.side != side
    battle.answer("end")
    begin(battle)
    assert battle.state.phase != Phase.SETUP
    assert not any(each.acted or each.moved for each in battle.state.units)


@pytest.mark.rule("3e.core.missions.set-up")
def test_without_scouts_the_battle_begins() -> None:
    battle = set_up("3")
    begin(battle)
    assert battle.state.phase != Phase.SETUP


def begin(battle: ClassicBattle) -> None:
    """The first turn, whoever has to say who takes it."""
    while battle.decision is not None and battle.decision.kind == "choose-first-turn":
        battle.answer(battle.decision.default())
