"""Transports in a battle of the 3rd edition: getting in, getting out, and out of a wreck."""

from __future__ import annotations

import pytest
from tests.support.classic import UnitSpec, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.errors import IllegalChoice
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.procedures.passengers import aboard, may_get_out
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase


def rhino(*words: str, capacity: int = 10) -> UnitSpec:
    """A transport of 4" by 3" that faces east, so that its rear is to the west."""
    return unit(
        1,
        "VEHICLE",
        "TANK",
        "TRANSPORT",
        *words,
        name="Rhino",
        base="hull 4x3in",
        height=2.0,
        AV="11/11/10",
        abilities=[f"TRANSPORT CAPACITY {capacity}"],
    )


def inside(spec: UnitSpec, transport: int = 0) -> UnitSpec:
    """A unit that begins the phase in a transport."""
    return spec.having(embarked=transport, deployed=True)


def drive(battle: ClassicBattle, unit_id: str, x: float, y: float, facing: float = 0.0) -> None:
    """Move a unit of one model straight to a place."""
    battle.answer(Pick(unit_id))
    if battle.decision.kind == "select-move":
        battle.answer(Pick("normal"))
    row = battle.scene.units[battle.scene.by_id[unit_id]].rows[0]
    place = (round(x * 1000), round(y * 1000), 0, round(facing * 1000))
    battle.answer(Place((ModelMove(row, (place,)),)))


def kinds(battle: ClassicBattle) -> list[str]:
    """The keys that may be picked now."""
    return [option.key for option in battle.options()]


@pytest.mark.rule("3e.core.vehicles.embarking", "3e.core.vehicles.capacity")
def test_a_squad_that_has_come_to_the_hatches_gets_in() -> None:
    battle = scene([rhino().at(30, 20), unit(4).at(26.5, 18.4, apart=1.1, rank=1)], unit(1).at(60, 40))
    battle.answer(Pick("a.2"))
    battle.answer(battle.decision.default())
    assert battle.decision.kind == "embark"
    battle.answer(Pick("a.1"))
    state = battle.state
    assert aboard(state, 0) == [1]
    assert standing(state, 1) == []
    assert len(living(state, 1)) == 4
    assert "a.2:disembark" not in kinds(battle), "nobody gets in and out in one turn"
    assert "a.1" in kinds(battle), "the vehicle has not moved yet"


@pytest.mark.rule("3e.core.vehicles.embarking", "3e.core.vehicles.capacity")
@pytest.mark.parametrize(
    ("models", "capacity", "x"),
    [pytest.param(4, 3, 26.5, id="too many"), pytest.param(4, 10, 24.0, id='one is further than 2" from the hatch')],
)
def test_who_does_not_fit_or_is_too_far_away_is_not_asked(models: int, capacity: int, x: float) -> None:
    squad = unit(models).at(x, 18.4, apart=1.1, rank=1)
    battle = scene([rhino(capacity=capacity).at(30, 20), squad], unit(1).at(60, 40))
    battle.answer(Pick("a.2"))
    battle.answer(battle.decision.default())
    assert battle.decision.kind != "embark"


@pytest.mark.rule("3e.core.vehicles.disembarking")
def test_who_gets_out_before_the_vehicle_moves_moves_normally_and_so_does_the_vehicle() -> None:
    battle = scene([rhino().at(30, 20), inside(unit(5))], unit(1).at(60, 40))
    battle.answer(Pick("a.2:disembark"))
    assert battle.decision.kind == "disembark"
    battle.answer(battle.decision.default())
    state = battle.state
    rows = standing(state, 1)
    assert len(rows) == 5
    assert gaps(battle.scene, state, rows, [0]).max() <= 3.0
    assert {"a.1", "a.2"} <= set(kinds(battle))
    assert state.units[1].has(Deed.DISEMBARKED)
    assert state.units[1].moved, "they count as having moved"


@pytest.mark.rule("3e.core.vehicles.disembarking")
def test_after_a_move_of_twelve_inches_they_get_out_and_go_no_further() -> None:
    battle = scene([rhino().at(30, 20), inside(unit(5))], unit(1).at(60, 40))
    drive(battle, "a.1", 42, 20)
    battle.answer(Pick("a.2:disembark"))
    battle.answer(battle.decision.default())
    assert len(standing(battle.state, 1)) == 5
    assert battle.decision is None or battle.decision.kind != "select-unit-to-move" or "a.2" not in kinds(battle)


@pytest.mark.rule("3e.core.vehicles.disembarking")
def test_after_more_than_twelve_inches_they_stay_inside() -> None:
    battle = scene([rhino("FAST").at(30, 20), inside(unit(5)), unit(1).at(5, 5)], unit(1).at(60, 40))
    drive(battle, "a.1", 42.1, 20)
    assert not may_get_out(battle.scene, battle.state, 1)
    assert kinds(battle) == ["a.3", "end"]
    assert standing(battle.state, 1) == []


@pytest.mark.rule("3e.core.vehicles.disembarking")
def test_nobody_is_placed_further_than_two_inches_from_a_hatch() -> None:
    battle = scene([rhino().at(30, 20), inside(unit(1))], unit(1).at(60, 40))
    battle.answer(Pick("a.2:disembark"))
    with pytest.raises(IllegalChoice, match="from the nearest hatch"):
        battle.answer(Place((ModelMove(1, ((34_600, 20_000, 0, 0),)),)))
    battle.answer(Place((ModelMove(1, ((25_600, 20_000, 0, 0),)),)))
    assert standing(battle.state, 1) == [1]


@pytest.mark.rule("3e.core.vehicles.capacity")
def test_a_character_who_gets_in_joins_the_squad_and_may_get_out_alone() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain").at(27, 20)
    battle = scene([rhino().at(30, 20), inside(unit(5)), captain], unit(1).at(60, 40))
    battle.answer(Pick("a.3"))
    battle.answer(battle.decision.default())
    battle.answer(Pick("a.1"))
    assert battle.state.units[2].joined == 1
    assert len(living(battle.state, 1)) == 6
    later = scene(
        [
            rhino().at(30, 20),
            inside(unit(5)).having(models=(1, 2, 3, 4, 5, 6)),
            unit(1, "INFANTRY", "INDEPENDENT CHARACTER").having(joined=1, models=()),
        ],
        unit(1).at(60, 40),
    )
    assert {"a.2:disembark", "a.3:disembark"} <= set(kinds(later))
    later.answer(Pick("a.3:disembark"))
    later.answer(later.decision.default())
    assert standing(later.state, 2) == [6]
    assert aboard(later.state, 0) == [1]


@pytest.mark.rule("3e.core.vehicles.destroyed-transport")
def test_passengers_of_a_destroyed_transport_are_wounded_on_four_and_more_and_may_save() -> None:
    from tests.ledger.test_third_vehicle_fire import fire, gunner, shot

    dice = shot(("penetrating table", [4]), ("passengers", [3, 4, 5, 6, 1]), ("save", [2, 3, 6]))
    carried = [rhino().at(30, 20), inside(unit(5), 1)]
    battle = scene([gunner().at(30, 5)], carried, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    state = battle.state
    assert len(standing(state, 2)) == 4, "three were wounded, two of them saved by 3+"
    assert state.units[2].embarked == -1
    assert state.units[2].spared == 1
    assert gaps(battle.scene, state, standing(state, 2), [1]).max() <= 2.0


@pytest.mark.rule("3e.core.vehicles.ordnance-table", "3e.core.vehicles.destroyed-transport")
def test_all_in_an_annihilated_vehicle_are_killed() -> None:
    from battlewright.editions.classic.procedures.vehicle_hits import destroy_vehicle

    battle = scene([unit(1).at(5, 5)], [rhino().at(30, 20), inside(unit(5), 1)], dice=[("explosion", [1])])
    for _ in destroy_vehicle(battle, 1, DamageResult.ANNIHILATED):
        raise AssertionError("there is nothing to choose")
    assert living(battle.state, 2) == []


@pytest.mark.rule("3e.core.missions.set-up", "3e.core.vehicles.capacity")
def test_a_unit_may_begin_the_battle_in_a_vehicle() -> None:
    battle = scene(
        [unit(5), rhino()], [unit(1)], phase=Phase.SETUP, dice=[("choose-zone", [1, 6]), ("first-turn", [6, 1])]
    )
    battle.answer(battle.decision.default())
    assert "a.1:in:a.2" in kinds(battle)
    battle.answer(Pick("a.1:in:a.2"))
    while battle.state.phase == Phase.SETUP:
        battle.answer(battle.decision.default())
    assert aboard(battle.state, 1) == [0]
    assert standing(battle.state, 1) != []
