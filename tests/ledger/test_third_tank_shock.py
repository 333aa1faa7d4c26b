"""Tank shock in a battle of the 3rd edition: the drive, the tests, stepping aside, death or glory."""

from __future__ import annotations

import pytest
from tests.support.classic import UnitSpec, printed_weapon, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.errors import IllegalChoice
from battlewright.editions.classic.procedures.board import gaps, pose_of
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed

MELTA = printed_weapon("Meltagun", "ASSAULT 1", S=8, AP=1, R='12"')


def tank(*words: str, name: str = "Tank", AV: str = "13/11/10") -> UnitSpec:
    return unit(1, "VEHICLE", *(words or ("TANK",)), name=name, base="hull 4x3in", height=2.0, AV=AV)


def shock(battle: ClassicBattle, inches: float = 12.0) -> None:
    """The tank a.1, which stands at (20, 20), drives east."""
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    battle.answer(Place((ModelMove(0, ((round(1000 * (20 + inches)), 20_000, 0, 0),)),)))


@pytest.mark.rule("3e.core.vehicles.tank-shock")
def test_units_that_pass_their_tests_step_aside_and_the_tank_drives_all_the_way() -> None:
    squads = [unit(3).on((26, 20.5), (26, 19), (26, 23)), unit(2).on((31, 20), (31, 21))]
    battle = scene([tank().at(20, 20)], squads, alone=True, dice=[("tank shock", [4, 4]), ("tank shock", [3, 4])])
    shock(battle)
    for _ in range(2):
        assert battle.decision.kind == "death-or-glory"
        battle.answer(Pick("aside"))
    state = battle.state
    assert pose_of(state, 0)[:2] == (32.0, 20.0)
    assert pose_of(state, 1)[:2] == pytest.approx((26, 22.0), abs=0.03), "to the nearer side, just beside the track"
    assert pose_of(state, 2)[:2] == pytest.approx((26, 18.0), abs=0.03)
    assert pose_of(state, 3)[:2] == (26, 23), "who is not in the way stays"
    assert gaps(battle.scene, state, [0], [1, 2, 3, 4, 5]).min() >= 0.0
    assert state.units[0].has(Deed.TANK_SHOCKED)
    assert state.units[0].moved_distance == 12_000


@pytest.mark.rule("3e.core.vehicles.tank-shock")
def test_a_unit_that_fails_its_test_falls_back_and_nobody_stands() -> None:
    battle = scene(
        [tank().at(20, 20)],
        unit(3).on((26, 20), (26, 21.5), (26, 18.5)),
        alone=True,
        dice=[("tank shock", [5, 4]), ("fall-back", [3, 4])],
    )
    shock(battle)
    state = battle.state
    assert state.units[1].falling_back
    assert [pose_of(state, row).y for row in (1, 2, 3)] == [27, 28.5, 25.5]
    assert pose_of(state, 0)[:2] == (32.0, 20.0)


@pytest.mark.rule("3e.core.vehicles.tank-shock")
@pytest.mark.parametrize("blocker", [pytest.param(0, id="a friend"), pytest.param(1, id="an enemy vehicle")])
def test_friends_and_vehicles_in_the_way_stop_the_tank(blocker: int) -> None:
    friend = [unit(1).at(60, 5), unit(1).at(28, 20)][1 - blocker]
    hulk = tank(name="Hulk", AV="10/10/10").at(*((29.5, 20) if blocker else (60, 40)))
    battle = scene([tank().at(20, 20), friend], [hulk])
    shock(battle)
    reached = 29.5 - 2 - 2 if blocker else 28 - 0.492 - 2
    assert pose_of(battle.state, 0).x == pytest.approx(reached, abs=0.005)


@pytest.mark.rule("3e.core.vehicles.tank-shock")
def test_only_tanks_drive_into_units_straight_and_no_further_than_they_move() -> None:
    battle = scene([tank().at(20, 20)], unit(1).at(26, 20))
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    bent = Place((ModelMove(0, ((25_000, 20_000, 0, 0), (25_000, 24_000, 0, 90_000))),))
    with pytest.raises(IllegalChoice, match="turns once"):
        battle.answer(bent)
    with pytest.raises(IllegalChoice, match='the most is 12"'):
        battle.answer(Place((ModelMove(0, ((32_100, 20_000, 0, 0),)),)))
    with pytest.raises(IllegalChoice, match="off the line"):
        battle.answer(Place((ModelMove(0, ((30_000, 20_000, 0, 45_000),)),)))
    light = scene([tank("FAST").at(20, 20)], unit(1).at(26, 20))
    light.answer(Pick("a.1"))
    assert light.decision.kind == "move-normal", "it has nothing to choose"


@pytest.mark.rule("3e.core.vehicles.tank-shock")
def test_a_drive_into_a_close_combat_is_refused() -> None:
    fighters = [tank().at(20, 20), unit(1, name="Friend").at(28, 20.985)]
    battle = scene(fighters, unit(1).at(28, 20))
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    with pytest.raises(IllegalChoice, match="into a close combat"):
        battle.answer(Place((ModelMove(0, ((32_000, 20_000, 0, 0),)),)))


@pytest.mark.rule("3e.core.vehicles.death-or-glory")
def test_a_model_that_stops_the_tank_lives_and_the_tank_ends_in_front_of_it() -> None:
    battle = scene(
        [tank().at(20, 20)],
        unit(2, weapons=[MELTA]).on((26, 20), (28, 20)),
        alone=True,
        dice=[("tank shock", [4, 4]), ("penetration", [6]), ("penetrating table", [1])],
    )
    shock(battle)
    battle.answer(Pick("model:2:0"))
    state = battle.state
    assert pose_of(state, 0).x == pytest.approx(28 - 0.492 - 2, abs=0.005), "no further than to who stands"
    assert state.units[0].stunned == {0}
    assert standing(state, 1) == [1, 2]
    assert pose_of(state, 2)[:2] == (28, 20)


@pytest.mark.rule("3e.core.vehicles.death-or-glory", "3e.core.vehicles.tank-shock")
def test_a_model_that_does_not_stop_the_tank_is_crushed_whatever_its_wounds() -> None:
    hero = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", W=3, abilities=["KRAK GRENADES"]).at(26, 20)
    battle = scene([tank().at(20, 20)], hero, alone=True, dice=[("tank shock", [4, 4]), ("penetration", [6])])
    shock(battle)
    keys = [option.key for option in battle.options()]
    assert keys == ["model:1:0", "model:1:1", "aside"], "a blow, a grenade, or none"
    battle.answer(Pick("model:1:1"))
    assert standing(battle.state, 1) == []
    assert pose_of(battle.state, 0).x == 32


@pytest.mark.rule("3e.core.vehicles.death-or-glory")
def test_the_odds_of_stopping_a_tank_are_those_counted_by_hand() -> None:
    from battlewright.odds import death_or_glory

    # S8 against 14: a glance on 6, half of whose results stop the tank.
    assert death_or_glory("BS4 S8 AP1", "AV14/12/10", edition="3") == pytest.approx(1 / 12)
    # S10 against 13: a glance on 3, a penetration on 4 and more, of whose results only lost armament lets it drive on.
    assert death_or_glory("BS4 S10 AP1", "AV13/12/10", edition="3") == pytest.approx(1 / 6 * 1 / 2 + 1 / 2 * 5 / 6)
    assert death_or_glory("BS2 S3 AP-", "AV14/12/10", edition="3") == 0.0
