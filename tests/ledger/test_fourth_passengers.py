"""Passengers of the 4th edition: their fire out of a vehicle, and getting out of one that is hit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.classic import UnitSpec, mixed, scene, unit
from tests.support.gunfire import asked, fire, gun, gunner, keys, results, tank

from battlewright.core.decisions import Pick
from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.procedures.fire_points import fires_aboard, has_moved, places_left
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.transports import Riding, fire_points_of, may_shoot_from_aboard
from battlewright.editions.classic.vehicles import Condition
from battlewright.editions.fourth.vehicles import fires_aboard as judged
from battlewright.editions.fourth.vehicles import leaves_open

Roll = tuple[str, Sequence[int]]
FOE = unit(10, name="Foes", Sv="2+", T=8).at(20, 30)
RIFLE = gun("Rifle", "RAPID FIRE", S=4, AP=5, R='24"')


def carrier(*words: str, points: int | None = None, abilities: Sequence[str] = (), **flags: Any) -> UnitSpec:
    """A transport without weapons that looks up the table."""
    given = ["Transport Capacity 12", *([f"Fire Points {points}"] if points is not None else []), *abilities]
    return tank(*words, abilities=given, name="Carrier").at(30, 15, facing=90).having(**flags)


def riders(models: int = 10, weapon: Any = RIFLE, **features: Any) -> UnitSpec:
    return unit(models, weapons=[weapon], name="Riders", **features).having(embarked=0)


def aboard(
    vehicle: UnitSpec, passengers: UnitSpec, *dice: Roll, edition: str = "4", foe: UnitSpec = FOE
) -> ClassicBattle:
    return scene([vehicle, passengers], foe, phase=Phase.SHOOTING, alone=True, edition=edition, dice=dice)


def shots(battle: ClassicBattle) -> list[int]:
    """How many dice were thrown to hit, roll by roll."""
    stages = [event for event in battle.events if event.kind == "stage-resolved"]
    return [len(each.faces) for each in stages if each.stage == "hit"]  # type: ignore[attr-defined]


# -- who may, and how many --------------------------------------------------------------------------------------


@pytest.mark.rule("4e.passenger-fire.may-shoot", "4e.passenger-fire.closed-number", "4e.vehicle-profile.fire-points")
def test_one_of_ten_fires_out_of_one_fire_point() -> None:
    assert fire_points_of({"TRANSPORT CAPACITY 12", "FIRE POINTS 2"}) == 2
    battle = aboard(carrier(points=1), riders(Sv="3+"), ("hit", [1]))
    assert keys(battle) == ["a.2", "end"]
    fire(battle, "a.2")
    assert shots(battle) == [1]
    assert places_left(battle.scene, battle.state, 0) == 0


@pytest.mark.rule("4e.passenger-fire.closed-number")
def test_their_owner_says_who_fires() -> None:
    men = mixed("Riders", riders(9), riders(1, gun("Plasma gun", "ASSAULT 1", S=7))).having(embarked=0)
    dice = [("hit", [1]), ("hit", [1])]
    battle = aboard(carrier(points=2), men, *dice)
    battle.answer(Pick("a.2"))
    battle.answer(Pick("b.1"))
    assert asked(battle) == "select-passenger"
    assert keys(battle) == ["model:10", "model:1"], "the strongest is offered first"
    battle.answer(Pick("model:10"))
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    assert shots(battle) == [1, 1]


@pytest.mark.rule("4e.passenger-fire.open-all", "4e.fire-points.closed-only")
def test_everybody_fires_over_the_sides_of_an_open_vehicle() -> None:
    assert may_shoot_from_aboard({"OPEN-TOPPED"}, 12) == 12
    battle = aboard(carrier("OPEN-TOPPED"), riders(12), ("hit", [1] * 12))
    fire(battle, "a.2")
    assert shots(battle) == [12]
    closed = aboard(carrier(), riders(12))
    assert closed.decision is None, "a closed vehicle without fire points lets nobody fire"


@pytest.mark.rule("4e.passenger-fire.may-shoot")
def test_range_and_sight_are_taken_from_the_hull_and_the_unit_fires_once() -> None:
    # 24" from the hull of 60 mm at y 15 is y 40.18, 24.98" from its middle; a man's base there is half an inch.
    near, far = unit(1, name="Near", T=8).at(30, 40.6), unit(1, name="Far", T=8).at(30, 41.5)
    battle = aboard(carrier("OPEN-TOPPED"), riders(2), ("hit", [1, 1]), foe=near)
    fire(battle, "a.2")
    assert shots(battle) == [2]
    assert battle.decision is None
    beyond = aboard(carrier("OPEN-TOPPED"), riders(2), foe=far)
    fire(beyond, "a.2")
    assert shots(beyond) == []


# -- by what the vehicle has done and suffered ------------------------------------------------------------------


@pytest.mark.rule("4e.passenger-fire.count-as-moved", "4e.passenger-fire.heavy-weapons")
def test_passengers_of_a_vehicle_that_moved_fire_as_having_moved() -> None:
    # 14" away: a rapid fire weapon is not fired so far after a move, and would be fired once standing still.
    still = aboard(carrier("OPEN-TOPPED"), riders(2), ("hit", [1, 1]))
    fire(still, "a.2")
    assert shots(still) == [2]
    moved = aboard(carrier("OPEN-TOPPED", moved=True, moved_distance=4000), riders(2))
    assert has_moved(moved.state, 1)
    fire(moved, "a.2")
    assert shots(moved) == []
    heavy = riders(2, gun("Heavy bolter", "HEAVY 3", S=5))
    assert aboard(carrier("OPEN-TOPPED", moved=True, moved_distance=2000), heavy).decision is None
    assert keys(aboard(carrier("OPEN-TOPPED"), heavy)) == ["a.2", "end"]
    slow = riders(2, gun("Heavy bolter", "HEAVY 3", S=5), abilities=("Slow and Purposeful",))
    assert keys(aboard(carrier("OPEN-TOPPED", moved=True, moved_distance=2000), slow)) == ["a.2", "end"]


@pytest.mark.rule("4e.passenger-fire.over-12-none")
def test_nobody_fires_out_of_a_vehicle_that_moved_more_than_twelve_inches() -> None:
    assert [judged(Riding(moved=inches)) for inches in (12.0, 13.0)] == [Readiness.FULL, Readiness.NONE]
    men = riders(2, gun("Shoota", "ASSAULT 2", S=4))
    assert keys(aboard(carrier("OPEN-TOPPED", "FAST", moved=True, moved_distance=12_000), men)) == ["a.2", "end"]
    assert aboard(carrier("OPEN-TOPPED", "FAST", moved=True, moved_distance=13_000), men).decision is None


@pytest.mark.rule("4e.crew-shaken.passengers-no-fire", "4e.crew-stunned.passengers-no-fire")
def test_nobody_fires_out_of_a_vehicle_whose_crew_is_dazed_but_they_get_out() -> None:
    for condition in (Condition(shaken=True), Condition(stunned=True)):
        assert judged(Riding(condition=condition)) is Readiness.NONE
    for flags in ({"shaken": True}, {"stunned": True}):
        inside = aboard(carrier("OPEN-TOPPED", **flags), riders(2))
        assert fires_aboard(inside.scene, inside.state, 1) is Readiness.NONE
        assert inside.decision is None
        outside = scene(
            [carrier("OPEN-TOPPED", **flags), riders(2)], FOE, phase=Phase.MOVEMENT, edition="4", dice=[("hit", [1, 1])]
        )
        out = next(key for key in keys(outside) if key.startswith("a.2"))
        outside.answer(Pick(out))
        assert outside.decision is not None
        outside.answer(outside.decision.default())
        assert len(standing(outside.state, 1)) == 2


@pytest.mark.rule("4e.core.weapons.gets-hot")
def test_a_weapon_that_gets_hot_kills_its_bearer_inside_the_vehicle() -> None:
    plasma = gun("Plasma gun", "ASSAULT 1", "GETS HOT", S=7)
    battle = aboard(carrier("OPEN-TOPPED"), riders(1, plasma, Sv="6+"), ("hit", [1]), ("gets-hot-save", [5]))
    fire(battle, "a.2")
    assert living(battle.state, 1) == []
    assert battle.state.destroyed == (1,)
    assert [event.unit for event in battle.events if event.kind == "unit-destroyed"] == ["a.2"]  # type: ignore[attr-defined]


# -- what it leaves open ----------------------------------------------------------------------------------------


def after_fire(passengers: UnitSpec, *weapons: Any) -> ClassicBattle:
    """A carrier whose passengers have fired, in the enemy's next Shooting phase: a lascannon pierces it with a 2."""
    vehicle = (
        carrier(points=2)
        if not weapons
        else tank(abilities=("Transport Capacity 12", "Fire Points 2"), weapons=weapons, name="Chimera").at(
            30, 15, facing=90
        )
    )
    dice: list[Roll] = [("hit", [1, 1]), ("hit", [4]), ("penetration", [6]), ("penetrating table", [2])]
    battle = scene([vehicle, passengers], [FOE, gunner().at(30, 40)], phase=Phase.SHOOTING, edition="4", dice=dice)
    fire(battle, "a.2", **({"select_weapon": "weapon:1"} if weapons else {}))
    while (battle.state.turn, battle.state.phase) != (1, Phase.SHOOTING):
        assert battle.decision is not None
        battle.answer(Pick("end") if "end" in keys(battle) else battle.decision.default())
    fire(battle, "b.2", "a.1")
    return battle


@pytest.mark.rule("4e.passenger-fire.counts-open-topped")
def test_fire_by_lightly_armoured_passengers_leaves_a_closed_vehicle_open() -> None:
    assert [leaves_open([save]) for save in (2, 3, 4, None)] == [False, False, True, True]
    open_ = after_fire(riders(2, Sv="5+"))
    assert open_.state.units[0].deeds_before >= {Deed.LEFT_OPEN}
    assert results(open_) == ["immobilised"], "2 and 1 for being open-topped"
    closed = after_fire(riders(2, Sv="3+"))
    assert results(closed) == ["armament destroyed"]


@pytest.mark.rule("4e.passenger-fire.built-in-exempt")
def test_lasguns_in_the_hull_leave_nothing_open() -> None:
    lasguns = [gun("Hull lasgun", "RAPID FIRE", "Built-in", S=3, AP="-", R='24"')] * 6
    battle = after_fire(riders(2, Sv="5+"), *lasguns)
    assert Deed.LEFT_OPEN not in battle.state.units[0].deeds_before
    declared = [event for event in battle.events if event.kind == "attacks-declared"]
    assert declared[0].pools == (("Hull lasgun", 2, "b.1"),)  # type: ignore[attr-defined]
    assert results(battle) == ["armament destroyed"]


# -- getting out ------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.passenger-casualties.must-get-out", "4e.passenger-casualties.table")
def test_passengers_get_out_of_a_vehicle_that_survives_a_penetrating_hit() -> None:
    vehicle = tank(abilities=("Transport Capacity 10",), name="Carrier").at(30, 30, facing=270)
    men = unit(5, name="Riders").having(embarked=1)
    dice: list[Roll] = [("hit", [4]), ("penetration", [6]), ("penetrating table", [1])]
    battle = scene(gunner().at(30, 5), [vehicle, men], phase=Phase.SHOOTING, alone=True, edition="4", dice=dice)
    assert "bail-out" in fire(battle)
    assert results(battle) == ["crew stunned"]
    assert len(standing(battle.state, 2)) == len(living(battle.state, 2)) == 5
    assert not battle.state.units[2].pinned, "they are not entangled"
    dice = [("hit", [4]), ("penetration", [3]), ("glancing table", [1])]
    glanced = scene(gunner().at(30, 5), [vehicle, men], phase=Phase.SHOOTING, alone=True, edition="4", dice=dice)
    assert "bail-out" not in fire(glanced)
    assert standing(glanced.state, 2) == []


@pytest.mark.rule(
    "4e.passenger-casualties.must-get-out", "4e.access-points.within-two", "4e.vehicle-profile.access-points"
)
def test_a_full_load_finds_room_at_a_single_hatch() -> None:
    base, words = "hull 6.2x4.6in", ("VEHICLE", "SKIMMER")
    abilities = ("Transport Capacity 12", "Access Points: rear")
    vehicle = unit(1, *words, name="Serpent", base=base, abilities=abilities).at(30, 30, facing=270)
    men = unit(12, name="Riders").having(embarked=1)
    dice: list[Roll] = [("hit", [4]), ("penetration", [6]), ("penetrating table", [1])]
    battle = scene(gunner().at(30, 5), [vehicle, men], phase=Phase.SHOOTING, alone=True, edition="4", dice=dice)
    assert "bail-out" in fire(battle)
    rows = standing(battle.state, 2)
    assert len(rows) == 12
    assert all(battle.state.position[row, 1] > 31_000 for row in rows), "all of them about the rear"
