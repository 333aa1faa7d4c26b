"""What the classic editions share of dice, tests, profiles and the turn, as each of their books has it."""

from __future__ import annotations

import pytest

from battlewright.core.dice import Roll
from battlewright.core.errors import BadInput
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.charts import d3, passes_characteristic_test, passes_leadership_test
from battlewright.editions.classic.frames import SetUpStep, StartStep, set_up_steps, start_of_turn_steps
from battlewright.editions.classic.markers import Scatter, scatter_of, scattered
from battlewright.editions.classic.morale import LeadershipSource, below_half, best_leadership, passes_morale_test
from battlewright.editions.classic.procedures.covering import cover_against, is_in_cover
from battlewright.editions.classic.state import MoveKind, Phase
from battlewright.editions.classic.terms import after_reroll, may_reroll
from battlewright.editions.fourth.movement import hovers
from support.classic import model, printed_weapon, scene, unit


@pytest.mark.rule("4e.core.fundamentals.dice", "6e.core.fundamentals.dice", "6e.core.fundamentals.reroll-once")
@pytest.mark.rule("6e.outside.scatter-die")
def test_dice() -> None:
    assert [d3(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert sum(scatter_of(face, (1, 1)).hit for face in range(1, 7)) == 2
    assert scattered((10, 10), Scatter(hit=True), 6) == (10, 10)
    assert scattered((10, 10), Scatter(hit=False), 6) == pytest.approx((16, 10))
    roll = Roll("hit", 6, (2,))
    assert may_reroll(roll, 0)
    again = after_reroll(roll, 0, 1)
    assert again.unmodified == (1,)
    with pytest.raises(BadInput):
        after_reroll(again, 0, 6)


@pytest.mark.rule("4e.core.fundamentals.leadership-test", "6e.core.fundamentals.leadership-test")
@pytest.mark.rule("6e.core.fundamentals.highest-value", "4e.core.fundamentals.insane-heroism")
def test_leadership() -> None:
    assert [passes_leadership_test(total, 8) for total in (8, 9)] == [True, False]
    assert best_leadership([LeadershipSource(7), LeadershipSource(9)]) == 9
    assert passes_morale_test((1, 1), -3)
    assert not passes_morale_test((1, 2), 2)


@pytest.mark.rule("4e.core.fundamentals.characteristic-test", "6e.core.fundamentals.characteristic-test")
def test_characteristic_tests() -> None:
    assert [passes_characteristic_test(face, 4) for face in (1, 4, 5)] == [True, True, False]
    assert not passes_characteristic_test(6, 10)
    assert passes_characteristic_test(1, 1)
    assert not passes_characteristic_test(1, 0)


@pytest.mark.rule("4e.core.fundamentals.profile", "6e.core.fundamentals.profile")
def test_profiles() -> None:
    trooper, tank = model("INFANTRY"), model("VEHICLE")
    assert (trooper.weapon_skill, trooper.leadership, trooper.save) == (4, 8, 3)
    assert tank.armour is not None
    assert (tank.armour.front, tank.armour.side, tank.armour.rear) == (12, 10, 10)


@pytest.mark.rule("4e.bikes.as-infantry", "4e.jetbikes.as-infantry", "4e.bikes.toughness", "4e.jetbikes.toughness")
@pytest.mark.parametrize("kind", ["BIKE", "JETBIKE"])
def test_bikes_have_toughness_one_higher_and_no_armour_values(kind: str) -> None:
    rider = model(kind, T="4(5)")
    assert rider.armour is None
    assert (rider.base_toughness, rider.toughness) == (4, 5)


@pytest.mark.rule("4e.core.fundamentals.below-half")
def test_below_half() -> None:
    assert [below_half(left, 10) for left in (5, 4)] == [False, True]


@pytest.mark.rule("4e.core.turn.sequence", "4e.core.turn.game-length", "6e.core.turn.sequence")
@pytest.mark.parametrize("edition", ["4", "6"])
def test_a_turn_goes_through_its_phases_and_on_to_the_other_player(edition: str) -> None:
    gun = unit(1, weapons=[printed_weapon()])
    battle = scene(gun.at(10, 10), gun.at(30, 10), edition=edition, phase=Phase.START_OF_TURN, game_turn=6)
    seen = []
    while battle.decision is not None:
        seen.append((int(battle.decision.side), battle.state.phase))
        battle.answer("end")
    assert seen[:2] == [(0, Phase.MOVEMENT), (0, Phase.SHOOTING)]
    assert (1, Phase.MOVEMENT) in seen
    assert battle.result is not None


@pytest.mark.rule("4e.core.turn.sequence", "6e.core.turn.start")
def test_what_a_turn_begins_with() -> None:
    assert start_of_turn_steps()[0] is StartStep.RESERVES
    assert StartStep.FALL_BACK in start_of_turn_steps()


@pytest.mark.rule("4e.scouts.before-first-turn-roll")
def test_scouts_come_before_the_roll_for_the_first_turn() -> None:
    steps = set_up_steps()
    assert steps.index(SetUpStep.UNITS) < steps.index(SetUpStep.SCOUTS) < steps.index(SetUpStep.FIRST_TURN)


@pytest.mark.rule("6e.core.turn.movement-order")
def test_sixth_reserves_come_on_before_units_that_flee_move() -> None:
    a = [
        unit(1, base="25.4mm").having(in_reserves=True),
        unit(1, base="25.4mm", Ld="2").at(30, 20).having(falling_back=True),
    ]
    battle = scene(a, unit(1).at(60, 40), edition="6", phase=Phase.START_OF_TURN, game_turn=4)
    assert battle.decision is not None
    assert battle.decision.kind == "arrive"
    assert battle.state.position[1].tolist()[:2] == [30_000, 20_000]
    battle.answer(battle.decision.default())
    assert battle.state.position[1].tolist()[:2] != [30_000, 20_000] or not battle.state.units[1].falling_back


@pytest.mark.rule("6e.core.turn.who-charges", "4e.core.turn.sequence")
@pytest.mark.parametrize("edition", ["4", "6"])
def test_only_the_active_player_charges(edition: str) -> None:
    battle = scene(unit(1).at(10, 10), unit(1).at(12, 10), edition=edition, phase=Phase.ASSAULT, turn=1)
    assert battle.decision is not None
    assert battle.decision.side == 1
    assert [option.key for option in battle.options()] == ["b.1", "end"]


@pytest.mark.rule("4e.jetbikes.hover-no-cover", "4e.jetbikes.cover-inside", "4e.jetbikes.hover-height")
def test_a_jetbike_above_a_wood_has_no_cover_from_it() -> None:
    corners = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))
    wood = TerrainArea("wood", corners, height=3.0, tags=frozenset({"difficult", "area", "woods"}))
    for way, covered in ((MoveKind.NORMAL, False), (MoveKind.AMONG, True), ("", True)):
        bike = unit(1, "JETBIKE").at(15, 15).having(last_way=str(way))
        battle = scene(bike, unit(1).at(15, 30), edition="4", terrain=[wood])
        assert hovers(model("JETBIKE"), str(way)) is not covered
        assert is_in_cover(battle.scene, battle.state, 0) is covered
        assert (cover_against(battle.scene, battle.state, 0, 1) == 5) is covered
