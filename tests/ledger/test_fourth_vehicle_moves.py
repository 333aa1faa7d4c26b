"""Vehicles of the 4th edition that move, carry troops and drive into units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.classic import UnitSpec, model, printed_weapon, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.errors import IllegalChoice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.kinds import assault_reach, move_allowance
from battlewright.editions.classic.procedures.board import gaps, pose_of
from battlewright.editions.classic.procedures.damaging import settle_vehicle_turn
from battlewright.editions.classic.procedures.passengers import aboard, bought_for, may_get_out
from battlewright.editions.classic.profiles import Facing, Kind
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase, Wreck
from battlewright.editions.classic.terrain import Crossing, is_slowed_by
from battlewright.editions.classic.transports import (
    Boarding,
    Leaving,
    access_sides,
    capacity_of,
    may_shoot_from_aboard,
)
from battlewright.editions.classic.vehicles import is_walker
from battlewright.editions.fourth.table import FOURTH
from battlewright.editions.fourth.vehicles import (
    deeds_of_disembarking,
    is_abandoned,
    road_allowance,
    same_band,
    stays_in_the_way,
    terrain_result,
    terrain_tests,
    why_no_boarding,
    wreck_bars,
)
from battlewright.editions.third.formation import why_no_shooting

TANK, SKIMMER, WALKER = (frozenset({"VEHICLE", word}) for word in ("TANK", "SKIMMER", "WALKER"))
WOOD = Crossing(passes=True)
MELTA = printed_weapon("Meltagun", "ASSAULT 3", S=8, AP=1, R='12"')


def fourth(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="4", alone=True, **more)


def tank(*words: str, AV: str = "13/11/10", name: str = "Tank", **more: Any) -> UnitSpec:
    return unit(1, "VEHICLE", *(words or ("TANK",)), name=name, base="hull 4x3in", height=2.0, AV=AV, **more)


def rhino(*words: str) -> UnitSpec:
    return tank("TANK", "TRANSPORT", *words, AV="11/11/10", name="Rhino", abilities=["TRANSPORT CAPACITY 10"])


def inside(spec: UnitSpec, transport: int = 0) -> UnitSpec:
    return spec.having(embarked=transport, deployed=True)


def place(row: int, *points: Sequence[float]) -> Place:
    return Place((ModelMove(row, tuple((round(x * 1000), round(y * 1000), 0, 0) for x, y in points)),))


def drive(battle: ClassicBattle, unit_id: str, *points: Sequence[float]) -> None:
    battle.answer(Pick(unit_id))
    if battle.decision.kind == "select-move":
        battle.answer(Pick("normal"))
    battle.answer(place(battle.scene.units[battle.scene.by_id[unit_id]].rows[0], *points))


def shock(battle: ClassicBattle, inches: float = 12.0) -> None:
    """The tank a.1, which stands at (20, 20), drives east."""
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    battle.answer(place(0, (20 + inches, 20)))


def keys(battle: ClassicBattle) -> list[str]:
    return [option.key for option in battle.options()]


# -- profile and type -------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.vehicle-profile.own-rules", "4e.vehicle-profile.type", "4e.vehicle-profile.armour-value")
@pytest.mark.rule("4e.vehicle-profile.ballistic-skill", "4e.vehicle-profile.extra-characteristics")
@pytest.mark.rule("4e.vehicle-profile.walker-profile")
def test_a_vehicle_has_a_profile_of_its_own_and_a_walker_more() -> None:
    hull = model("VEHICLE", "TANK", "FAST", "SKIMMER", BS=3, AV="14/12/10")
    assert hull.is_vehicle
    assert (hull.toughness, hull.leadership, hull.save) == (0, 0, None)
    assert {"TANK", "FAST", "SKIMMER"} <= hull.keywords
    assert hull.armour is not None
    assert [hull.armour.of(face) for face in Facing] == [14, 12, 10]
    assert FOURTH.attack.hit_on(model("VEHICLE", BS=4, AV="11/11/10").ballistic_skill) == 3
    walker = model("VEHICLE", "WALKER", WS=4, BS=4, S=6, I=4, A=2, AV="12/12/10")
    assert (walker.weapon_skill, walker.ballistic_skill, walker.strength) == (4, 4, 6)
    assert (walker.initiative, walker.attacks) == (4, 2)


@pytest.mark.rule("4e.vehicle-profile.transport-capacity", "4e.vehicle-profile.fire-points")
@pytest.mark.rule("4e.vehicle-profile.access-points", "4e.access-points.every-transport")
@pytest.mark.rule("4e.access-points.open-topped-none", "4e.vehicle-types.walker")
def test_what_a_vehicles_entry_says_of_riding_in_it() -> None:
    entry = {"TRANSPORT CAPACITY 10", "ACCESS POINTS REAR"}
    assert capacity_of(entry) == 10
    assert may_shoot_from_aboard({"VEHICLE"}, 10, fire_points=2) == 2
    assert access_sides({"VEHICLE"}, entry) == ("rear",)
    assert set(access_sides({"VEHICLE"}, {"ACCESS POINTS: FRONT AND SIDES"}) or ()) == {"front", "left", "right"}
    assert access_sides({"VEHICLE"}, set()), "no closed transport is without a hatch"
    assert access_sides({"VEHICLE", "OPEN-TOPPED"}, set()) is None, "any part of it serves"
    assert is_walker(WALKER)
    assert not is_walker(TANK)


@pytest.mark.rule("4e.vehicle-types.open-topped")
def test_what_being_open_topped_brings() -> None:
    words = frozenset({"VEHICLE", "OPEN-TOPPED"})
    assert access_sides(words, set()) is None, "in and out over every side"
    assert may_shoot_from_aboard(words, 10) == 10, "everybody aboard shoots"
    assert Deed.LEFT_CLOSED not in deeds_of_disembarking(Leaving(moved=10.0, vehicle=words)), "they may charge"


# -- movement ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.vehicle-movement.max-12", "4e.vehicle-movement.fast-24", "4e.vehicle-types.fast")
@pytest.mark.rule("4e.walker-movement.move-6", "4e.walker-movement.charge-6", "4e.vehicle-movement.movement-phase-only")
def test_how_far_vehicles_move_and_that_walkers_alone_charge() -> None:
    kinds = FOURTH.movement.kinds
    assert move_allowance(kinds, Kind.VEHICLE, TANK) == 12
    assert move_allowance(kinds, Kind.VEHICLE, {"VEHICLE", "FAST"}) == 24
    assert move_allowance(kinds, Kind.VEHICLE, WALKER) == 6
    assert assault_reach(kinds, Kind.VEHICLE, TANK) == 0
    assert assault_reach(kinds, Kind.VEHICLE, WALKER) == 6
    battle = fourth([tank().at(20, 20)], unit(1).at(60, 40))
    with pytest.raises(IllegalChoice, match='the most is 12"'):
        drive(battle, "a.1", (32.1, 20))


@pytest.mark.rule("4e.vehicle-movement.pivot-free", "4e.vehicle-movement.forward-back")
def test_turns_cost_nothing_and_reversing_adds_up() -> None:
    battle = fourth([tank().at(20, 20)], unit(1).at(60, 40))
    battle.answer(Pick("a.1"))
    battle.answer(Pick("normal"))
    space = battle.decision.choices
    turned = Place((ModelMove(0, ((26_000, 20_000, 0, 90_000), (26_000, 26_000, 0, 90_000))),))
    assert space.check(turned) == []
    assert space.check(place(0, (27, 20), (22, 20))) == []
    assert space.check(place(0, (27, 20), (21.9, 20))) != []


@pytest.mark.rule("4e.vehicle-terrain.risk", "4e.vehicle-terrain.some-vehicles-test")
@pytest.mark.rule("4e.vehicle-dangerous-terrain.when", "4e.vehicle-dangerous-terrain.one-die")
@pytest.mark.rule("4e.vehicle-dangerous-terrain.two-dice", "4e.skimmer-movement.ignore-terrain")
def test_tanks_test_with_one_die_up_to_six_inches_and_two_beyond() -> None:
    assert terrain_tests(TANK, [WOOD], 6.0) == [1]
    assert terrain_tests(TANK, [WOOD], 9.0) == [2]
    assert terrain_tests(TANK, [Crossing(starts=True)], 6.0) == [1], "who leaves it tests, too"
    assert terrain_tests(TANK, [WOOD, Crossing(ends=True)], 9.0) == [2, 2]
    assert terrain_tests(TANK, [Crossing()], 9.0) == []
    assert terrain_tests(SKIMMER, [WOOD], 11.0) == []
    assert terrain_tests(WALKER, [WOOD], 5.0) == []


@pytest.mark.rule("4e.vehicle-dangerous-terrain.stuck-on-one", "4e.vehicle-dangerous-terrain.destroyed-on-double-one")
@pytest.mark.rule("4e.skimmer-movement.hover", "4e.walker-movement.dangerous-terrain")
def test_a_one_gets_it_stuck_and_two_destroy_it() -> None:
    two = [terrain_result(TANK, (a, b)) for a in range(1, 7) for b in range(1, 7)]
    assert two.count(DamageResult.IMMOBILISED) == 10
    assert two.count(DamageResult.DESTROYED) == 1
    assert [terrain_result(TANK, [face]) for face in range(1, 7)] == [DamageResult.IMMOBILISED] + [None] * 5
    assert terrain_tests(SKIMMER, [Crossing(ends=True)], 11.0) == [], "it may end over terrain without a test"
    assert terrain_tests(WALKER, [Crossing(ends=True, dangerous=True)], 5.0) == [1]
    assert terrain_result(WALKER, [1]) is DamageResult.IMMOBILISED


@pytest.mark.rule("4e.roads.bonus", "4e.roads.not-walkers-skimmers", "4e.roads.whole-move")
def test_a_road_lengthens_a_move_that_keeps_to_it() -> None:
    assert road_allowance(TANK, 12, whole_way=True) == 18
    assert road_allowance({"VEHICLE", "FAST"}, 24, whole_way=True) == 30
    assert road_allowance(TANK, 12, whole_way=False) == 12
    assert road_allowance({"VEHICLE", "FAST", "SKIMMER"}, 24, whole_way=True) == 24
    assert road_allowance(WALKER, 6, whole_way=True) == 6


WOODS = TerrainArea("wood", ((26, 10), (34, 10), (34, 30), (26, 30)), tags=frozenset({"difficult"}))
STREET = TerrainArea("road", ((10, 18), (60, 18), (60, 22), (10, 22)), tags=frozenset({"road"}))


@pytest.mark.rule("4e.vehicle-dangerous-terrain.stops-on-failure", "4e.vehicle-dangerous-terrain.stops-at-edge")
@pytest.mark.rule("4e.vehicle-dangerous-terrain.stuck-on-one")
def test_who_gets_stuck_while_driving_in_stops_at_the_edge() -> None:
    battle = fourth([tank().at(20, 20)], unit(1).at(60, 40), terrain=[WOODS], dice=[("vehicle-terrain", [1, 4])])
    drive(battle, "a.1", (30, 20))
    assert pose_of(battle.state, 0).x == pytest.approx(24, abs=0.06)
    assert battle.state.units[0].immobilised == {0}


@pytest.mark.rule("4e.vehicle-dangerous-terrain.destroyed-on-double-one", "4e.entangled.pinned")
def test_who_is_put_out_of_a_wreck_in_its_own_turn_is_pinned_for_the_next() -> None:
    dice = [("vehicle-terrain", [1, 1]), ("passengers", [1, 1, 1])]
    sides = [rhino().at(20, 20), inside(unit(3)), unit(1).at(5, 5)], unit(1).at(60, 40)
    battle = fourth(*sides, terrain=[WOODS], dice=dice)
    drive(battle, "a.1", (30, 20))
    assert battle.decision.kind == "bail-out"
    battle.answer(battle.decision.default())
    riders = battle.state.units[1]
    for pinned in (True, False):
        settle_vehicle_turn(battle)
        assert riders.pinned is pinned
        battle.state.turns += 2


@pytest.mark.rule("4e.walker-movement.difficult-terrain")
def test_a_walker_rolls_for_its_distance_as_infantry_does() -> None:
    walker = FOURTH.movement.kinds.of(Kind.VEHICLE, WALKER)
    assert is_slowed_by(walker, WOOD)
    assert not is_slowed_by(FOURTH.movement.kinds.of(Kind.VEHICLE, TANK), WOOD)
    legs = tank("WALKER", AV="12/12/10", WS=4, S=6, I=4, A=2).at(30, 20)
    battle = fourth([legs], unit(1).at(60, 40), terrain=[WOODS], dice=[("terrain-test", [2, 5])])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("terrain"))
    space = battle.decision.choices
    assert space.check(place(0, (30, 25))) == []
    assert space.check(place(0, (30, 25.1))) != []


@pytest.mark.rule("4e.roads.bonus", "4e.roads.whole-move", "4e.roads.excluded-actions")
def test_who_keeps_to_a_road_goes_further_and_does_nothing_else() -> None:
    battle = fourth([rhino().at(20, 20), inside(unit(5))], unit(1).at(60, 40), terrain=[STREET])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("road"))
    space = battle.decision.choices
    assert space.check(place(0, (38, 20))) == []
    assert space.check(place(0, (38.1, 20))) != []
    assert [each.rule for each in space.check(place(0, (30, 22)))] == ["4e.roads.whole-move"]
    battle.answer(place(0, (35, 20)))
    assert why_no_shooting(battle.state.units[0])
    assert not may_get_out(battle.scene, battle.state, 1)
    beside = fourth([tank().at(20, 25)], unit(1).at(60, 40), terrain=[STREET])
    beside.answer(Pick("a.1"))
    assert "road" not in keys(beside), "it starts off the road"


# -- transports -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.transports.capacity-limit", "4e.transports.model-restrictions", "4e.transports.infantry-only")
@pytest.mark.rule("4e.transport-use.one-unit", "4e.transport-use.dedicated", "4e.embarking.whole-unit")
def test_who_may_not_get_in() -> None:
    fine = Boarding(gaps=[1.0] * 10, capacity=10)
    assert why_no_boarding(fine) == []
    assert why_no_boarding(Boarding(gaps=[1.0] * 11, capacity=10))
    assert why_no_boarding(Boarding(gaps=[1.0], capacity=10, barred="TERMINATOR ARMOUR"))
    assert why_no_boarding(Boarding(gaps=[1.0], capacity=10, infantry=False))
    assert why_no_boarding(Boarding(gaps=[1.0] * 5, capacity=10, aboard=5, unit_aboard=True))
    reserved = why_no_boarding(Boarding(gaps=[1.0], capacity=10, reserved=True))
    assert [rule for rule, _ in reserved] == ["4e.transport-use.dedicated"]
    assert why_no_boarding(Boarding(gaps=[1.0] * 9 + [4.0], capacity=10)), "all get in, or none"


@pytest.mark.rule("4e.embarking.reach", "4e.embarking.vehicle-not-moved", "4e.embark-disembark.not-both")
@pytest.mark.rule("4e.access-points.within-two", "4e.transport-use.pool-transport", "4e.transport-use.no-splitting")
def test_a_squad_gets_in_and_the_vehicle_that_stood_drives_off() -> None:
    battle = fourth([rhino("HEAVY SUPPORT").at(30, 20), unit(4).at(26.5, 18.4, apart=1.1, rank=1)], unit(1).at(60, 40))
    assert bought_for(battle.scene, 0) is None, "it was taken as a choice of its own: anybody may use it"
    battle.answer(Pick("a.2"))
    battle.answer(battle.decision.default())
    battle.answer(Pick("a.1"))
    assert aboard(battle.state, 0) == [1]
    assert len(living(battle.state, 1)) == 4
    assert keys(battle) == ["a.1", "end"], "they do not get out again, and the vehicle may move"
    drive(battle, "a.1", (42, 20))
    assert pose_of(battle.state, 0).x == 42


@pytest.mark.rule("4e.embarking.vehicle-moved-first")
def test_a_vehicle_that_has_come_for_a_squad_moves_no_further() -> None:
    battle = fourth([rhino().at(25, 20), unit(4).at(26.5, 18.4, apart=1.1, rank=1)], unit(1).at(60, 40))
    battle.state.position[0, 0] = 36_000
    drive(battle, "a.1", (30, 20))
    battle.answer(Pick("a.2"))
    battle.answer(battle.decision.default())
    battle.answer(Pick("a.1"))
    assert battle.decision is None, "nobody is left who may move"


@pytest.mark.rule("4e.disembarking.before-or-after", "4e.disembarking.over-12", "4e.disembarking.after-move-no-move")
@pytest.mark.rule("4e.disembarking.vehicle-stops-after", "4e.embark-disembark.voluntary-movement-phase")
def test_after_a_move_up_to_twelve_inches_they_get_out_and_stay_there() -> None:
    battle = fourth([rhino().at(20, 20), inside(unit(5)), unit(1).at(5, 5)], unit(1).at(60, 40))
    assert "a.2:disembark" in keys(battle)
    drive(battle, "a.1", (28, 20))
    battle.answer(Pick("a.2:disembark"))
    battle.answer(battle.decision.default())
    assert keys(battle) == ["a.3", "end"]
    far = fourth([rhino("FAST").at(20, 20), inside(unit(5)), unit(1).at(5, 5)], unit(1).at(60, 40))
    drive(far, "a.1", (33, 20))
    assert not may_get_out(far.scene, far.state, 1)
    shooting = fourth([rhino().at(20, 20), inside(unit(5))], unit(1).at(60, 40), phase=Phase.SHOOTING)
    assert all("disembark" not in key for key in keys(shooting))


@pytest.mark.rule("4e.disembarking.before-move-free", "4e.disembarking.placement", "4e.disembarking.shoot-after")
def test_before_the_vehicle_moves_they_get_out_and_everybody_moves_freely() -> None:
    battle = fourth([rhino().at(20, 20), inside(unit(5))], unit(1).at(60, 40))
    battle.answer(Pick("a.2:disembark"))
    with pytest.raises(IllegalChoice, match="nearest hatch"):
        battle.answer(Place(tuple(ModelMove(row, ((9_000 + 1_000 * row, 10_000, 0, 0),)) for row in range(1, 6))))
    battle.answer(battle.decision.default())
    assert keys(battle) == ["a.1", "a.2", "end"]
    assert battle.state.units[1].moved, "they count as having moved when they shoot"


@pytest.mark.rule("4e.disembarking.enemy-blocks-exit")
def test_an_exit_that_enemies_stand_at_cannot_be_used() -> None:
    cramped = tank("TRANSPORT", name="Rhino", abilities=["TRANSPORT CAPACITY 10", "ACCESS POINTS REAR"])
    around = ((16.2, 20), (17.2, 22.9), (17.2, 17.1), (13.5, 20), (19.9, 23.1), (19.9, 16.9))
    ring = unit(6, base="60mm").on(*around)
    battle = fourth([cramped.at(20, 20), inside(unit(3))], ring)
    battle.answer(Pick("a.2:disembark"))
    assert battle.decision.default() == Place(()), "there is no room"
    with pytest.raises(IllegalChoice):
        battle.answer(place(1, (17.2, 20)))


@pytest.mark.rule("4e.disembarking.all-exits-blocked", "4e.embark-disembark.forced-exception")
def test_who_cannot_leave_a_wreck_is_lost_with_it() -> None:
    from battlewright.editions.classic.procedures.bailing_out import leave_the_wreck
    from battlewright.editions.classic.wrecks import PassengersFate

    cramped = tank("TRANSPORT", name="Rhino", abilities=["TRANSPORT CAPACITY 10", "ACCESS POINTS REAR"])
    around = ((16.2, 20), (17.2, 22.9), (17.2, 17.1), (13.5, 20), (19.9, 23.1), (19.9, 16.9))
    ring = unit(6, base="60mm").on(*around)
    for enemies, left in ((ring, 0), (unit(1).at(60, 40), 3)):
        battle = fourth([cramped.at(20, 20), inside(unit(3)).having(deeds=frozenset({"embarked"}))], enemies)
        battle.state.wounds[0], battle.state.on_table[0] = 0, False
        procedure = leave_the_wreck(battle, 0, PassengersFate(gets_out=True))
        decision = next(procedure, None)
        assert (decision is None) == (left == 0)
        if decision is not None:
            with pytest.raises(StopIteration):
                procedure.send(decision.default())
        assert len(living(battle.state, 1)) == left


@pytest.mark.rule("4e.disembarking.no-charge", "4e.disembarking.charge-open-topped")
@pytest.mark.rule("4e.disembarking.charge-land-raider", "4e.disembarking.charge-stationary")
def test_who_got_out_of_a_closed_vehicle_that_moved_does_not_charge() -> None:
    def barred(moved: float, *words: str) -> bool:
        return bool(bars_assault(deeds_of_disembarking(Leaving(moved=moved, vehicle=frozenset(words)))))

    assert barred(3.0, "VEHICLE")
    assert not barred(10.0, "VEHICLE", "OPEN-TOPPED")
    assert not barred(8.0, "VEHICLE", "LAND RAIDER")
    assert not barred(8.0, "VEHICLE", "LAND RAIDER CRUSADER"), "a variant"
    assert not barred(0.0, "VEHICLE")
    battle = fourth([rhino().at(20, 20), inside(unit(5)), unit(1).at(5, 5)], unit(1).at(60, 40))
    drive(battle, "a.1", (23, 20))
    battle.answer(Pick("a.2:disembark"))
    battle.answer(battle.decision.default())
    assert battle.state.units[1].has(Deed.LEFT_CLOSED)


@pytest.mark.rule("4e.transport-use.dedicated-character", "4e.transport-use.character-may-get-out")
@pytest.mark.rule("4e.transport-use.character-must-get-out")
def test_a_character_rides_with_the_squad_and_may_get_out_alone_but_not_stay_alone() -> None:
    def riders() -> list[UnitSpec]:
        captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain").having(joined=1, models=())
        return [rhino().at(20, 20), inside(unit(5)).having(models=(1, 2, 3, 4, 5, 6)), captain]

    assert why_no_boarding(Boarding(gaps=[1.0], capacity=10, aboard=8, unit_aboard=True, character=True)) == []
    battle = fourth(riders(), unit(1).at(60, 40))
    battle.answer(Pick("a.3:disembark"))
    battle.answer(battle.decision.default())
    assert standing(battle.state, 2) == [6]
    assert aboard(battle.state, 0) == [1]
    together = fourth(riders(), unit(1).at(60, 40))
    together.answer(Pick("a.2:disembark"))
    together.answer(together.decision.default())
    assert standing(together.state, 1) == [1, 2, 3, 4, 5, 6]
    assert aboard(together.state, 0) == []


# -- tank shock -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.tank-shock.declare", "4e.tank-shock.reach-check", "4e.tank-shock.models-dodge")
@pytest.mark.rule("4e.tank-shock.morale-test", "4e.vehicle-types.tank", "4e.death-or-glory.who")
def test_a_squad_that_holds_lets_the_tank_through() -> None:
    squad = unit(4).on((27, 21), (27, 20), (28.5, 20.8), (27, 24))
    battle = fourth([tank().at(20, 20)], squad, dice=[("tank shock", [4, 3])])
    shock(battle)
    assert battle.decision.kind == "death-or-glory"
    stands = {key.split(":")[1] for key in keys(battle) if key != "aside"}
    assert stands == {"1", "2", "3"}, "of those in the path one may stand"
    battle.answer(Pick("aside"))
    assert pose_of(battle.state, 0)[:2] == (32, 20)
    assert pose_of(battle.state, 4)[:2] == (27, 24)
    assert pose_of(battle.state, 1).y == pytest.approx(22.0, abs=0.05)
    light = fourth([tank("FAST").at(20, 20)], squad)
    light.answer(Pick("a.1"))
    assert light.decision.kind == "move-normal", "what is no tank has no choice"


@pytest.mark.rule("4e.tank-shock.morale-failed", "4e.tank-shock.not-reached", "4e.tank-shock.straight-line")
def test_who_fails_falls_back_and_who_is_not_reached_does_not_test() -> None:
    battle = fourth([tank().at(20, 20)], unit(3).at(27, 20), dice=[("tank shock", [5, 4]), ("fall-back", [3, 4])])
    shock(battle)
    assert battle.state.units[1].falling_back
    missed = fourth([tank().at(20, 20)], unit(1).at(36.5, 20), dice=[])
    missed.answer(Pick("a.1"))
    missed.answer(Pick("tank-shock"))
    with pytest.raises(IllegalChoice, match="turns once"):
        missed.answer(place(0, (25, 20), (28, 24)))
    missed.answer(place(0, (32, 20)))
    assert pose_of(missed.state, 0).x == 32


@pytest.mark.rule("4e.tank-shock.vehicles-not-moved", "4e.tank-shock.vehicle-stops-tank")
@pytest.mark.rule("4e.tank-shock.vehicle-dodges", "4e.tank-shock.no-friends", "4e.tank-shock.wrecks")
def test_what_stops_a_tank_and_what_makes_way_for_it() -> None:
    assert stays_in_the_way(13, 13, immobile=False)
    assert stays_in_the_way(14, 11, immobile=True)
    assert not stays_in_the_way(14, 11, immobile=False)
    strong = fourth([tank().at(20, 20)], tank(name="Hulk").at(30, 20))
    shock(strong)
    assert pose_of(strong.state, 0).x == pytest.approx(25, abs=0.01), 'it stops 1" short'
    weak = fourth([tank().at(20, 20)], tank("FAST", AV="11/11/10").at(30, 20))
    shock(weak)
    assert pose_of(weak.state, 0).x == 32
    assert abs(pose_of(weak.state, 1).y - 20) >= 3.0
    friend = fourth([tank().at(20, 20), unit(1).at(28, 20)], unit(3).at(30, 20))
    shock(friend)
    assert pose_of(friend.state, 0).x < 28
    assert wreck_bars(13, 14)
    assert wreck_bars(13, 13)
    hulk = tank(AV="14/14/14").at(30, 20).having(wounds=[0])
    barred = fourth([tank().at(20, 20)], [hulk, unit(1).at(60, 40)], wrecks=(Wreck(1, "wreck"),))
    shock(barred)
    assert pose_of(barred.state, 0).x == pytest.approx(25, abs=0.06)


@pytest.mark.rule("4e.death-or-glory.single-attack", "4e.death-or-glory.any-weapon", "4e.death-or-glory.auto-hit-front")
@pytest.mark.rule("4e.death-or-glory.success", "4e.death-or-glory.failure", "4e.death-or-glory.unit-gives-way")
def test_one_attack_on_the_front_armour_decides_between_death_and_glory() -> None:
    def stand(*dice: tuple[str, list[int]]) -> ClassicBattle:
        heroes = unit(2, weapons=[MELTA], abilities=["MELTA BOMBS"], W=3, Sv="2+", InSv="4+").on((27, 20), (28.5, 21))
        battle = fourth([tank(AV="14/12/10").at(20, 20)], heroes, dice=[("tank shock", [4, 4]), *dice])
        shock(battle)
        assert len([key for key in keys(battle) if key.startswith("model:1:")]) == 3, "a shot, a blow, a bomb"
        battle.answer(Pick("model:1:0"))
        return battle

    stunned = stand(("penetration", [6]), ("penetrating table", [1]))  # with AP 1 a glance penetrates
    assert stunned.state.units[0].stunned == {0}
    assert standing(stunned.state, 1) == [1, 2]
    assert pose_of(stunned.state, 0).x == pytest.approx(27 - 0.492 - 2, abs=0.01)
    failed = stand(("penetration", [5]))
    assert standing(failed.state, 1) == [2], "neither wounds nor saves help"
    assert pose_of(failed.state, 0).x == 32
    assert abs(pose_of(failed.state, 2).y - 20) >= 1.9


@pytest.mark.rule("4e.death-or-glory.success", "4e.death-or-glory.failure")
def test_an_immobilised_tank_stops_unless_the_players_go_by_the_letter() -> None:
    for options, left in (({}, [1, 2]), ({"death_or_glory": "by-the-letter"}, [2])):
        heroes = unit(2, weapons=[MELTA]).on((27, 20), (28.5, 21))
        dice = [("tank shock", [4, 4]), ("penetration", [6]), ("penetrating table", [3])]
        battle = fourth([tank(AV="14/12/10").at(20, 20)], heroes, dice=dice, options=options)
        shock(battle)
        battle.answer(Pick("model:1:0"))
        assert battle.state.units[0].immobilised == {0}
        assert standing(battle.state, 1) == left


@pytest.mark.rule("4e.passenger-casualties.must-get-out", "4e.passenger-casualties.table")
@pytest.mark.parametrize(("dice", "out"), [([("penetrating table", [1])], True), ([("glancing table", [1])], False)])
def test_who_pierces_a_transport_that_drives_at_him_puts_its_passengers_out(
    dice: list[tuple[str, list[int]]], out: bool
) -> None:
    rocket = printed_weapon("Rocket", "HEAVY 1", S=8, AP=3)
    hero = unit(2, weapons=[rocket]).on((27, 20), (28.5, 21))
    rolls = [("tank shock", [4, 4]), ("penetration", [6 if out else 3]), *dice]
    battle = fourth([rhino().at(20, 20), inside(unit(5))], hero, dice=rolls)
    shock(battle)
    battle.answer(Pick("model:6:0"))
    if not out:
        assert aboard(battle.state, 0) == [1], "a glancing hit leaves them where they are"
        return
    assert battle.decision.kind == "bail-out"
    battle.answer(battle.decision.default())
    assert standing(battle.state, 1) == [1, 2, 3, 4, 5]
    assert standing(battle.state, 2) == [6, 7], "a stunned crew stops"
    assert pose_of(battle.state, 0).x < 25


@pytest.mark.rule("4e.passenger-casualties.must-get-out", "4e.death-or-glory.failure")
def test_a_tank_that_drives_on_stops_short_of_the_passengers_that_it_has_lost() -> None:
    rocket, gun = printed_weapon("Rocket", "HEAVY 1", S=8, AP=3), printed_weapon("Bolter", "HEAVY 1", S=4, AP=5)
    armed = tank("TANK", "TRANSPORT", AV="11/11/10", name="Rhino", abilities=["TRANSPORT CAPACITY 10"], weapons=[gun])
    rolls = [("tank shock", [4, 4]), ("penetration", [6]), ("penetrating table", [2])]
    battle = fourth([armed.at(20, 20), inside(unit(5))], unit(2, weapons=[rocket]).on((27, 20), (28.5, 24)), dice=rolls)
    shock(battle)
    battle.answer(Pick("model:6:0"))
    battle.answer(battle.decision.default())
    assert standing(battle.state, 1) == [1, 2, 3, 4, 5]
    assert standing(battle.state, 2) == [7], "he has cost it a gun, and is crushed"
    assert all(gap > 0 for gap in gaps(battle.scene, battle.state, [0], [1, 2, 3, 4, 5])[0])


@pytest.mark.rule("4e.death-or-glory.auto-hit-front", "4e.tank-hunters.penetration-bonus")
def test_tank_hunters_who_stand_in_the_way_penetrate_better() -> None:
    rocket = printed_weapon("Rocket", "HEAVY 1", S=8, AP=3)
    hunter = unit(1, weapons=[rocket], abilities=["Tank Hunters"]).at(27, 20)
    dice = [("penetration", [5]), ("glancing table", [3])]
    battle = fourth([tank(AV="14/12/10").at(20, 20)], hunter, dice=dice)
    shock(battle)
    battle.answer(Pick("model:1:0"))
    assert battle.state.units[0].stunned == {0}, "8, 5 and 1 are 14"
    assert standing(battle.state, 1) == [1]


@pytest.mark.rule("4e.death-or-glory.walkers-too", "4e.death-or-glory.walker-removed")
def test_a_walker_may_stand_without_a_test_and_is_crushed_like_anybody() -> None:
    walker = tank("WALKER", AV="12/12/10", WS=4, S=6, I=4, A=2, name="Walker")
    battle = fourth([tank().at(20, 20)], walker.at(30, 20), dice=[("penetration", [1])])
    shock(battle)
    battle.answer(Pick("model:1:0"))
    assert standing(battle.state, 1) == []


# -- squadrons --------------------------------------------------------------------------------------------------


def squadron(*points: Sequence[float], words: Sequence[str] = ("FAST",), count: int = 3, **more: Any) -> UnitSpec:
    buggy = unit(count, "VEHICLE", *words, name="Buggies", base="hull 3x2in", height=2.0, AV="10/10/10", **more)
    return buggy.on(*points)


@pytest.mark.rule("4e.squadrons.single-default", "4e.squadrons.squadron-size", "4e.squadron-movement.same-band")
@pytest.mark.rule("4e.squadron-movement.coherency")
def test_a_squadron_keeps_together_at_one_speed() -> None:
    battle = fourth([squadron((20, 20), (20, 24), (20, 28)), tank().at(50, 10)], unit(1).at(60, 40))
    assert [len(info.rows) for info in battle.scene.units] == [3, 1, 1]
    assert same_band([5, 5, 9]) != []
    assert same_band([5, 5.5, 6]) == []
    battle.answer(Pick("a.1"))
    space = battle.decision.choices

    def to(*xs: float) -> Place:
        places = zip(range(3), xs, (20, 24, 28), strict=True)
        return Place(tuple(ModelMove(row, ((round(x * 1000), y * 1000, 0, 0),)) for row, x, y in places))

    assert space.check(to(25, 25, 25)) == []
    assert [each.rule for each in space.check(to(25, 25, 29))] == ["4e.squadron-movement.same-band"]
    apart = Place(tuple(ModelMove(row, ((25_000, y, 0, 0),)) for row, y in ((0, 18_000), (1, 24_000), (2, 28_000))))
    assert space.check(apart) == []
    too_far = Place(tuple(ModelMove(row, ((25_000, y, 0, 0),)) for row, y in ((0, 17_400), (1, 24_000), (2, 28_000))))
    assert space.check(too_far) != []


@pytest.mark.rule("4e.squadron-movement.stay-or-abandon", "4e.squadron-movement.abandoned-destroyed")
def test_who_is_left_behind_counts_as_destroyed() -> None:
    assert is_abandoned(immobilised=True, gap=4.1)
    assert is_abandoned(immobilised=False, stunned=True, gap=4.1)
    assert not is_abandoned(immobilised=True, gap=4.0)
    for x, left in ((29.0, [1, 2]), (22.0, [0, 1, 2])):
        bikes = squadron((20, 20), (20, 24), (20, 28)).having(immobilised=frozenset({0}))
        battle = fourth([bikes], unit(1).at(60, 40))
        battle.answer(Pick("a.1"))
        ends = ((1, 24_000), (2, 28_000))
        battle.answer(Place(tuple(ModelMove(row, ((round(x * 1000), y, 0, 0),)) for row, y in ends)))
        assert standing(battle.state, 0) == left


@pytest.mark.rule("4e.squadron-movement.tank-shock", "4e.squadron-movement.tank-shock-order")
@pytest.mark.rule("4e.squadron-movement.tank-shock-once", "4e.squadron-movement.tank-shock-glory")
def test_tanks_of_a_squadron_drive_side_by_side_and_the_squad_tests_once() -> None:
    tanks = squadron((20, 20), (20, 23), words=["TANK"], count=2)
    squad = unit(2, abilities=["KRAK GRENADES"]).on((27, 20), (27, 23.5))
    battle = fourth([tanks], squad, dice=[("tank shock", [4, 4])])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    battle.answer(place(0, (30, 20)))
    asked = 0
    while battle.decision is not None and battle.decision.kind == "death-or-glory":
        asked += 1
        battle.answer(Pick("aside"))
    assert asked == 2, "an attempt against each tank, and one test"
    assert [pose_of(battle.state, row)[:2] for row in (0, 1)] == [(30, 20), (30, 23)]


@pytest.mark.rule("4e.squadron-movement.tank-shock-broken")
def test_a_squadron_that_is_torn_apart_keeps_one_part() -> None:
    tanks = squadron((20, 20), (20, 23), words=["TANK"], count=2)
    battle = fourth([tanks], [unit(1).at(60, 40), tank(AV="14/14/14").at(26, 24.5)])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    battle.answer(place(0, (32, 20)))
    assert battle.decision.kind == "abandon-vehicles"
    battle.answer(Pick("keep:0"))
    assert standing(battle.state, 0) == [0]
