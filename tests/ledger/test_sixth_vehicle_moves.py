"""Vehicles of the 6th edition that move, carry troops, drive into units and ram each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, unit, weapon

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.errors import IllegalChoice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.footwork import why_no_second_move
from battlewright.editions.classic.kinds import move_allowance
from battlewright.editions.classic.procedures.bailing_out import leave_the_wreck
from battlewright.editions.classic.procedures.board import facing_towards, gaps, in_combat, pose_of
from battlewright.editions.classic.procedures.boarding import still_one_unit
from battlewright.editions.classic.procedures.dashing import second_move_of
from battlewright.editions.classic.procedures.ground import flies_over
from battlewright.editions.classic.procedures.passengers import aboard, may_get_out
from battlewright.editions.classic.profiles import Facing, Kind
from battlewright.editions.classic.ramming import goes_on, ram_strength
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, MoveKind, Phase
from battlewright.editions.classic.tank_shock import is_crushed
from battlewright.editions.classic.terrain import Crossing
from battlewright.editions.classic.transports import Boarding, Leaving, access_sides, may_shoot_from_aboard
from battlewright.editions.classic.wrecks import PassengersFate
from battlewright.editions.sixth.firing import snaps
from battlewright.editions.sixth.movement import KINDS
from battlewright.editions.sixth.vehicles import (
    deeds_of_disembarking,
    jink_against_ram,
    may_reroll_terrain,
    moves_after_disembarking,
    terrain_result,
    terrain_tests,
    upgrades_of,
    why_no_boarding,
    why_no_disembarking,
)

WOOD = Crossing(passes=True)
TANK, SKIMMER, WALKER = (frozenset({"VEHICLE", word}) for word in ("TANK", "SKIMMER", "WALKER"))
BOMBS = ["MELTA BOMBS"]


def sixth(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="6", alone=True, **more)


def tank(*words: str, AV: str = "13/11/10", name: str = "Tank", **more: Any) -> UnitSpec:
    words = ("VEHICLE", *(words or ("TANK",)))
    return unit(1, *words, name=name, base="hull 4x3in", height=2.0, AV=AV, **{"HP": 3, **more})


def rhino(*words: str, sides: str = "REAR LEFT RIGHT") -> UnitSpec:
    able = ["TRANSPORT CAPACITY 10", f"ACCESS POINTS {sides}"]
    return tank("TANK", "TRANSPORT", *words, AV="11/11/10", name="Rhino", abilities=able)


def inside(spec: UnitSpec, transport: int = 0) -> UnitSpec:
    return spec.having(embarked=transport, deployed=True)


def place(row: int, *points: Sequence[float]) -> Place:
    return Place((ModelMove(row, tuple((round(x * 1000), round(y * 1000), 0, 0) for x, y in points)),))


def drive(battle: ClassicBattle, unit_id: str, *points: Sequence[float]) -> None:
    battle.answer(Pick(unit_id))
    if battle.decision.kind == "select-move":
        battle.answer(Pick("normal"))
    battle.answer(place(battle.scene.units[battle.scene.by_id[unit_id]].rows[0], *points))


def shock(battle: ClassicBattle, inches: float = 12.0, how: str = "tank-shock") -> None:
    """The tank a.1, which stands at (20, 20), drives east."""
    battle.answer(Pick("a.1"))
    battle.answer(Pick(how))
    battle.answer(place(0, (20 + inches, 20)))


def keys(battle: ClassicBattle) -> list[str]:
    return [option.key for option in battle.options()]


def ended_at(battle: ClassicBattle, x: float) -> bool:
    return pose_of(battle.state, 0).x == pytest.approx(x, abs=0.06)


# -- moving -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.heavy.speed-limit", "6e.outside.speed-bands", "6e.walker-movement.as-infantry")
@pytest.mark.rule("6e.fast.flat-out-twelve", "6e.fast-skimmer.flat-out-eighteen", "6e.outside.flat-out")
def test_how_far_vehicles_go_at_each_speed() -> None:
    def most(*words: str, way: MoveKind = MoveKind.NORMAL) -> float:
        return move_allowance(KINDS, Kind.VEHICLE, {"VEHICLE", *words}, way)

    assert (most("TANK"), most("FAST"), most("HEAVY"), most("WALKER")) == (12, 12, 6, 6)
    flat = MoveKind.FLAT_OUT
    assert (most(way=flat), most("FAST", way=flat), most("FAST", "SKIMMER", way=flat)) == (6, 12, 18)

    def second(*words: str, **flags: Any) -> MoveKind | None:
        battle = sixth([tank(*words).at(20, 20).having(**flags)], unit(1).at(60, 40), phase=Phase.SHOOTING)
        found = second_move_of(battle.scene, battle.state, 0)
        return found.way if found is not None else None

    assert second("TANK") is MoveKind.FLAT_OUT
    assert second("HEAVY") is None
    assert second("TANK", deeds=frozenset({Deed.TANK_SHOCKED})) is None


@pytest.mark.rule("6e.tank-shock-limits.no-flat-out", "6e.disembark-timing.vehicle-frozen-afterwards")
@pytest.mark.rule("6e.ram-limits.same-as-tank-shock")
def test_who_shocked_or_unloaded_on_the_move_does_not_go_flat_out() -> None:
    for deed in (Deed.TANK_SHOCKED, Deed.FROZEN):
        battle = sixth([tank().at(20, 20).having(deeds=frozenset({deed}))], unit(1).at(60, 40))
        assert why_no_second_move(battle.state.units[0])
    assert moves_after_disembarking(4.0) == (False, False)
    assert moves_after_disembarking(0.0) == (False, True)
    assert why_no_disembarking(Leaving(shocked=True)), "after a ram nobody gets out"


@pytest.mark.rule("6e.skimmer-movement.over-terrain", "6e.skimmer-movement.start-or-end-test")
@pytest.mark.rule("6e.walker-movement.terrain", "6e.walker-movement.failed-dangerous", "6e.dozer-blade.re-roll")
@pytest.mark.rule("6e.outside.dangerous-terrain")
def test_terrain_immobilises_on_a_one() -> None:
    assert terrain_tests(TANK, [WOOD], 10.0) == [1]
    assert terrain_tests(SKIMMER, [WOOD], 10.0) == []
    assert terrain_tests(SKIMMER, [Crossing(starts=True)], 10.0) == [1]
    assert terrain_tests(SKIMMER, [Crossing(starts=True), Crossing(ends=True)], 10.0) == [1]
    assert terrain_tests(SKIMMER, [Crossing(starts=True, ends=True)], 0.0) == []
    assert terrain_tests(WALKER, [WOOD], 5.0) == []
    assert terrain_tests(WALKER, [Crossing(ends=True, dangerous=True)], 5.0) == [1]
    for words in (TANK, SKIMMER, WALKER):
        assert [terrain_result(words, [face]) for face in (1, 2)] == [DamageResult.IMMOBILISED, None]
    assert may_reroll_terrain({"DOZER BLADE"}, 12.0, rerolled=False)
    assert not may_reroll_terrain({"DOZER BLADE"}, 12.0, rerolled=True)
    assert not may_reroll_terrain(set(), 6.0, rerolled=False)


@pytest.mark.rule("6e.dozer-blade.re-roll", "6e.vehicle-upgrades.optional")
@pytest.mark.parametrize(("again", "stuck"), [(1, True), (3, False)])
def test_a_dozer_blade_throws_a_failed_test_again(again: int, stuck: bool) -> None:
    wood = TerrainArea("wood", ((26, 10), (34, 10), (34, 30), (26, 30)), tags=frozenset({"difficult"}))
    dice = [("vehicle-terrain", [1]), ("vehicle-terrain", [again])]
    dozer = tank(abilities=["DOZER BLADE"]).at(20, 20)
    battle = sixth([dozer], unit(1).at(60, 40), terrain=[wood], dice=dice)
    drive(battle, "a.1", (30, 20))
    assert (0 in battle.state.units[0].immobilised) == stuck
    assert upgrades_of({"DOZER BLADE", "SEARCHLIGHT", "TURRET"}) == {"DOZER BLADE", "SEARCHLIGHT"}


@pytest.mark.rule("6e.skimmer-movement.over-models", "6e.skimmer-measuring.hull", "6e.walker-measuring.base-or-hull")
@pytest.mark.rule("6e.walker-movement.facing", "6e.walker-characteristics.profile")
def test_skimmers_pass_over_models_and_end_on_none() -> None:
    battle = sixth([tank("SKIMMER").at(20, 20)], unit(3).at(26, 20))
    assert flies_over(battle.scene, 0)
    assert gaps(battle.scene, battle.state, [0], [1])[0, 0] == pytest.approx(6 - 2 - 0.492, abs=0.01)
    battle.answer(Pick("a.1"))
    space = battle.decision.choices
    assert space.check(place(0, (31, 16))) == []
    assert space.check(place(0, (26, 20))) != []
    walker = tank("WALKER", AV="12/12/10", WS=4, S=6, I=4, A=2).at(20, 20, facing=90.0)
    behind = sixth([walker], unit(1).at(20, 5))
    assert facing_towards(behind.scene, behind.state, 0, pose_of(behind.state, 1)[:2]) is Facing.REAR
    profile = model("VEHICLE", "WALKER", WS=4, BS=3, S=5, I=3, A=1, AV="10/10/10", HP=2)
    assert (profile.weapon_skill, profile.strength, profile.initiative, profile.attacks) == (4, 5, 3, 1)


@pytest.mark.rule("6e.skimmer-movement.forced-stop")
def test_a_skimmer_that_has_to_stop_over_models_is_shifted_off_them() -> None:
    wood = TerrainArea("wood", ((30, 10), (40, 10), (40, 30), (30, 30)), tags=frozenset({"difficult"}))
    battle = sixth(
        [tank("SKIMMER").at(20, 20)],
        unit(2).on((27.5, 20), (27.5, 21.2)),
        terrain=[wood],
        dice=[("vehicle-terrain", [1])],
    )
    drive(battle, "a.1", (32, 20))
    assert 0 in battle.state.units[0].immobilised
    assert gaps(battle.scene, battle.state, [0], [1, 2]).min() >= 0.0
    assert abs(pose_of(battle.state, 0).x - 28) <= 5


@pytest.mark.rule("6e.tank-shock-reserve.allowed", "6e.tank-shock-reserve.declare-first")
def test_a_tank_from_reserve_says_before_it_comes_that_it_shocks() -> None:
    waiting = tank().having(in_reserves=True, arriving=True)
    battle = sixth([waiting], unit(2).on((36, 8), (36, 10)), dice=[("tank shock", [3, 4])])
    assert battle.decision.kind == "select-arrival"
    battle.answer(Pick("tank-shock"))
    battle.answer(Place((ModelMove(0, ((36_000, 2_100, 0, 90_000),)),)))
    assert battle.decision.kind == "tank-shock", "it drives on at once"
    battle.answer(Place((ModelMove(0, ((36_000, 9_000, 0, 90_000),)),)))
    assert battle.decision.kind == "death-or-glory"
    light = sixth([tank("FAST").having(in_reserves=True, arriving=True)], unit(1).at(36, 40))
    assert light.decision.kind == "arrive"


# -- transports -------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.disembark-timing.window", "6e.disembark-timing.vehicle-moves-afterwards")
@pytest.mark.rule("6e.disembark-timing.vehicle-frozen-afterwards", "6e.tank-shock-limits.no-transfer-after-shock")
def test_they_get_out_before_the_move_or_after_six_inches_at_most() -> None:
    assert why_no_disembarking(Leaving(moved=6.0)) == []
    assert why_no_disembarking(Leaving(moved=6.1))
    assert why_no_disembarking(Leaving(got_in=True))
    assert why_no_disembarking(Leaving(moved=4.0, shocked=True))
    battle = sixth([rhino().at(20, 20), inside(unit(5)), unit(1).at(5, 5)], unit(1).at(60, 40))
    battle.answer(Pick("a.2:disembark"))
    battle.answer(battle.decision.default())
    assert keys(battle) == ["a.1", "a.3", "end"], "getting out was their move, and the vehicle keeps its own"
    drive(battle, "a.1", (8.5, 20))
    after = sixth([rhino().at(20, 20), inside(unit(5)), unit(1).at(5, 5)], unit(1).at(60, 40))
    drive(after, "a.1", (26, 20))
    after.answer(Pick("a.2:disembark"))
    after.answer(after.decision.default())
    assert after.state.units[0].has(Deed.FROZEN)
    far = sixth([rhino().at(20, 20), inside(unit(5)), unit(1).at(5, 5)], unit(1).at(60, 40))
    drive(far, "a.1", (26.1, 20))
    assert not may_get_out(far.scene, far.state, 1)


@pytest.mark.rule("6e.disembark-placement.move-within-six", "6e.disembark-placement.forbidden-spots")
@pytest.mark.rule("6e.disembark-placement.whole-unit-coherent", "6e.disembark-placement.start-at-access-point")
def test_whole_bases_end_within_six_inches_of_the_hatch_coherent_and_clear_of_enemies() -> None:
    battle = sixth([rhino(sides="REAR").at(30, 20), inside(unit(2))], unit(1).at(23, 23))
    battle.answer(Pick("a.2:disembark"))
    space = battle.decision.choices

    def two(x: float, y: float, u: float, v: float) -> Place:
        ends = ((1, x, y), (2, u, v))
        return Place(tuple(ModelMove(row, ((round(a * 1000), round(b * 1000), 0, 0),)) for row, a, b in ends))

    assert space.check(two(22.5, 20, 24, 20)) == [], "5.992 inches to the far edge of the base"
    assert space.check(two(22.4, 20, 24, 20)) != []
    assert space.check(two(23.5, 21.5, 24, 20)) != [], "within 1 inch of an enemy"
    assert space.check(two(22.5, 20, 26.5, 20)) != [], "out of coherency"


@pytest.mark.rule("6e.after-disembarking.no-charge", "6e.open-topped.assault-vehicle", "6e.open-topped.access-anywhere")
@pytest.mark.rule("6e.after-disembarking.shoot-as-moved", "6e.outside.assault-vehicle")
def test_from_assault_vehicles_alone_they_charge() -> None:
    assert bars_assault(deeds_of_disembarking(Leaving(vehicle=frozenset({"VEHICLE"}))))
    assert not bars_assault(deeds_of_disembarking(Leaving(moved=6.0, vehicle=frozenset({"OPEN-TOPPED"}))))
    assert access_sides({"VEHICLE", "SKIMMER", "OPEN-TOPPED"}, set()) is None
    battle = sixth([rhino().at(20, 20), inside(unit(5))], unit(1).at(60, 40))
    battle.answer(Pick("a.2:disembark"))
    battle.answer(battle.decision.default())
    assert battle.state.units[1].moved
    assert bars_assault(battle.state.units[1].deeds), "even from a vehicle that stood"


@pytest.mark.rule("6e.after-disembarking.run-instead")
def test_who_got_out_may_run() -> None:
    runners = unit(5).at(20, 20).having(deeds=frozenset({Deed.DISEMBARKED, Deed.LEFT_CLOSED}), moved=True)
    battle = sixth([runners], unit(1).at(60, 40), phase=Phase.SHOOTING)
    found = second_move_of(battle.scene, battle.state, 0)
    assert found is not None
    assert found.way is MoveKind.RUN


@pytest.mark.rule("6e.emergency-disembarkation.trigger", "6e.emergency-disembarkation.any-hull-point")
@pytest.mark.rule("6e.emergency-disembarkation.no-voluntary-actions")
def test_an_emergency_opens_the_hull_and_ends_the_turn_of_those_who_use_it() -> None:
    points = [(x, y) for x in (9, 12, 15, 23.7) for y in range(10, 29, 3)]
    points += [(x, y) for x in (18, 21) for y in (10, 13, 16, 24, 27, 30)]
    blocked = unit(len(points), base="60mm", name="Crowd").on(*points)
    battle = sixth([rhino(sides="REAR").at(20, 20), inside(unit(3)), unit(1).at(50, 5)], blocked)
    battle.answer(Pick("a.2:disembark"))
    assert battle.decision.kind == "emergency"
    battle.answer(Pick("out"))
    battle.answer(battle.decision.default())
    mine = battle.state.units[1]
    assert len(standing(battle.state, 1)) == 3
    assert mine.has(Deed.EMERGENCY)
    assert bars_assault(mine.deeds)
    assert why_no_second_move(mine)
    assert mine.acted


@pytest.mark.rule("6e.emergency-disembarkation.impossible")
def test_where_not_everybody_finds_a_place_nobody_leaves() -> None:
    points = [(x, y) for x in range(9, 32, 3) for y in range(10, 32, 3) if abs(x - 20) > 3.3 or abs(y - 20) > 2.8]
    crowd = unit(len(points), base="70mm", name="Crowd").on(*points)
    battle = sixth([rhino().at(20, 20), inside(unit(10)), unit(1).at(50, 5)], crowd)
    battle.answer(Pick("a.2:disembark"))
    assert standing(battle.state, 1) == []
    assert aboard(battle.state, 0) == [1]
    assert battle.decision.kind == "select-unit-to-move", "there was nothing to choose"


def captain() -> UnitSpec:
    return unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain")


@pytest.mark.rule("6e.ic-transport.auto-join", "6e.ic-transport.join-by-boarding", "6e.outside.embark")
@pytest.mark.rule("6e.outside.capacity")
def test_who_boards_the_same_vehicle_is_one_unit() -> None:
    assert why_no_boarding(Boarding(gaps=[1.0], capacity=10, aboard=9, unit_aboard=True, character=True)) == []
    assert why_no_boarding(Boarding(gaps=[1.0], capacity=10, aboard=10, unit_aboard=True, character=True))
    assert why_no_boarding(Boarding(gaps=[1.0], capacity=10, shocked=True))
    battle = sixth([rhino().at(20, 20), inside(unit(5)), captain().at(17, 20)], unit(1).at(60, 40))
    battle.answer(Pick("a.3"))
    battle.answer(battle.decision.default())
    battle.answer(Pick("a.1"))
    assert battle.state.units[2].joined == 1
    assert len(living(battle.state, 1)) == 6


@pytest.mark.rule("6e.ic-transport.leave-together", "6e.ic-transport.split-by-staying", "6e.ic-transport.split-outside")
def test_they_leave_together_or_part_by_staying_or_by_two_inches_outside() -> None:
    def riders() -> ClassicBattle:
        squad = inside(unit(5)).having(models=(1, 2, 3, 4, 5, 6))
        return sixth([rhino().at(20, 20), squad, captain().having(joined=1, models=())], unit(1).at(60, 40))

    together = riders()
    together.answer(Pick("a.2:disembark"))
    together.answer(together.decision.default())
    assert together.state.units[2].joined == 1
    apart = riders()
    apart.answer(Pick("a.3:disembark"))
    apart.answer(place(6, (13.6, 20)))
    assert apart.state.units[2].joined == -1
    assert aboard(apart.state, 0) == [1], "the squad has stayed"
    assert still_one_unit(2.0)
    assert not still_one_unit(2.1)
    apart.answer(Pick("a.2:disembark"))
    near = ((1, 15.6), (2, 17.2))
    others = ((3, 17.2, 21.2), (4, 17.2, 18.8), (5, 15.8, 21.2))
    moves = [ModelMove(row, ((round(x * 1000), 20_000, 0, 0),)) for row, x in near]
    moves += [ModelMove(row, ((round(x * 1000), round(y * 1000), 0, 0),)) for row, x, y in others]
    apart.answer(Place(tuple(moves)))
    assert apart.state.units[2].joined == 1, "1.02 inches between them: one unit still"


# -- tank shock -------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.tank-shock.declare", "6e.tank-shock.aim-and-distance", "6e.tank-shock.minimum-speed")
@pytest.mark.rule("6e.tank-shock-limits.no-shock-after-transfer", "6e.disembark-timing.no-tank-shock-or-ram")
def test_a_tank_that_nobody_has_boarded_or_left_declares_how_far_it_goes() -> None:
    battle = sixth([tank().at(20, 20)], unit(1).at(60, 40))
    battle.answer(Pick("a.1"))
    assert keys(battle) == ["normal", "tank-shock", "ram"]
    battle.answer(Pick("tank-shock"))
    space = battle.decision.choices
    assert space.check(place(0, (33, 20))) != []
    assert space.check(place(0, (20, 20))) != [], "turning on the spot is not enough"
    assert space.check(place(0, (20.1, 20))) == []
    assert space.check(place(0, (32, 20))) == []
    for deed in (Deed.LOADED, Deed.UNLOADED):
        served = sixth([tank().at(20, 20).having(deeds=frozenset({deed}))], unit(1).at(60, 40))
        served.answer(Pick("a.1"))
        assert served.decision.kind == "move-normal"
    light = sixth([tank("FAST").at(20, 20)], unit(1).at(60, 40))
    light.answer(Pick("a.1"))
    assert light.decision.kind == "move-normal"


@pytest.mark.rule("6e.tank-shock.straight", "6e.tank-shock.nothing-hit", "6e.tank-shock.passed")
@pytest.mark.rule("6e.tank-shock.continues", "6e.tank-shock.morale")
def test_two_squads_test_in_order_of_contact_and_the_tank_goes_all_the_way() -> None:
    empty = sixth([tank().at(20, 20)], unit(1).at(60, 40), dice=[])
    shock(empty, 9)
    assert ended_at(empty, 29)
    squads = [unit(2, name="First").on((26, 20), (26, 22)), unit(2, name="Second").on((30.5, 20), (30.5, 22))]
    dice = [("tank shock", [4, 4]), ("tank shock", [4, 5]), ("fall-back", [3, 4])]
    battle = sixth([tank().at(20, 20)], squads, dice=dice)
    shock(battle)
    battle.answer(Pick("aside"))
    state = battle.state
    assert not state.units[1].falling_back
    assert state.units[2].falling_back
    assert pose_of(state, 1)[:2] == (26, 20), "the tank rolls through as though they were not there"
    assert ended_at(battle, 32)


@pytest.mark.rule("6e.tank-shock.through-enemies-not-friends", "6e.tank-shock.stop-one-inch")
@pytest.mark.rule("6e.tank-shock.not-against-locked", "6e.ram.not-buildings")
def test_what_stops_a_tank_one_inch_short() -> None:
    friend = sixth([tank().at(20, 20), unit(1).at(27.492, 20)], unit(2).at(30, 20), dice=[])
    shock(friend)
    assert ended_at(friend, 24), "the friend stands 5 inches ahead"
    hulk = sixth([tank().at(20, 20)], tank(AV="10/10/10").at(32, 20), dice=[])
    shock(hulk)
    assert ended_at(hulk, 27), "the enemy vehicle is 8 inches ahead"
    rock = TerrainArea("bunker", ((30, 15), (35, 15), (35, 25), (30, 25)), tags=frozenset({"impassable"}))
    for how in ("tank-shock", "ram"):
        wall = sixth([tank().at(20, 20)], unit(1).at(60, 40), terrain=[rock], dice=[])
        shock(wall, how=how)
        assert ended_at(wall, 27)
    locked = sixth([tank().at(20, 20), unit(1).at(28, 20.985)], unit(1).at(28, 20))
    locked.answer(Pick("a.1"))
    locked.answer(Pick("tank-shock"))
    with pytest.raises(IllegalChoice, match="close combat"):
        locked.answer(place(0, (32, 20)))


@pytest.mark.rule("6e.tank-shock.move-aside", "6e.tank-shock.crushed")
def test_models_under_the_hull_step_an_inch_clear_or_are_crushed() -> None:
    squad = unit(3).on((31, 20), (31, 21), (31, 23.5))
    battle = sixth([tank().at(20, 20)], squad, dice=[("tank shock", [4, 3])])
    shock(battle)
    battle.answer(Pick("aside"))
    state = battle.state
    assert len(standing(state, 1)) == 3
    assert gaps(battle.scene, state, [0], [1, 2, 3]).min() >= 1.0 - 0.002
    blocks = [(15, 22.1, 60, 40), (15, 0, 60, 17.9), (35.5, 17.9, 36, 22.1), (38, 17.9, 60, 22.1)]
    rocks = [
        TerrainArea(f"rock {n}", ((x, y), (u, y), (u, v), (x, v)), tags=frozenset({"impassable"}))
        for n, (x, y, u, v) in enumerate(blocks)
    ]
    mates = [(x, y) for x in (36.52, 37.5) for y in (18.45, 19.5, 20.5, 21.55)]
    squad = unit(9).on((33, 20), *mates)
    walled = sixth([tank().at(20, 20)], squad, terrain=rocks, dice=[("tank shock", [4, 3])])
    shock(walled)
    walled.answer(Pick("aside"))
    assert standing(walled.state, 1) == list(range(2, 10)), "no place near its comrades is an inch clear of the tank"


@pytest.mark.rule("6e.tank-shock-falling-back.auto-fail", "6e.tank-shock-falling-back.second-contact")
def test_who_falls_back_already_fails_without_dice() -> None:
    fleeing = unit(2, Ld=10).on((26, 20), (26, 21.5)).having(falling_back=True)
    battle = sixth([tank().at(20, 20)], fleeing, dice=[("fall-back", [3, 4])])
    shock(battle, 7)
    assert [pose_of(battle.state, row).y for row in (1, 2)] == [27, 28.5]
    caught = unit(1).at(25, 20)
    north = sixth([tank().at(25, 10, facing=90.0)], caught, dice=[("tank shock", [5, 5]), *2 * [("fall-back", [1, 2])]])
    north.answer(Pick("a.1"))
    north.answer(Pick("tank-shock"))
    north.answer(Place((ModelMove(0, ((25_000, 21_500, 0, 90_000),)),)))
    assert pose_of(north.state, 1).y == 26, "it fled twice along the tank's way, the second time without a test"


@pytest.mark.rule("6e.death-or-glory.who", "6e.death-or-glory.one-attack", "6e.death-or-glory.any-weapon")
@pytest.mark.rule("6e.death-or-glory.auto-hit-front", "6e.death-or-glory.crushed", "6e.death-or-glory.no-cover")
def test_one_of_those_in_the_path_strikes_once_and_is_removed_if_it_fails() -> None:
    gun = printed_weapon("Gun", "ASSAULT 3", S=8, AP=1)
    able = ["KRAK GRENADES"]
    places = ((27, 20), (27, 21), (28, 20.5), (27, 24), (27, 26))
    squad = unit(5, weapons=[gun], abilities=able, A=3, W=3, InSv="3+").on(*places)
    battle = sixth(
        [tank(AV="14/11/10").at(20, 20).having(smoke=1)], squad, dice=[("tank shock", [4, 4]), ("penetration", [5])]
    )
    shock(battle)
    assert {key.split(":")[1] for key in keys(battle) if key != "aside"} == {"1", "2", "3"}
    assert len([key for key in keys(battle) if key.startswith("model:1:")]) == 3
    battle.answer(Pick("model:1:0"))
    assert standing(battle.state, 1) == [2, 3, 4, 5]
    assert ended_at(battle, 32)


@pytest.mark.rule("6e.death-or-glory.artillery", "6e.death-or-glory.crushed")
def test_a_gun_that_fails_goes_with_one_of_its_crew() -> None:
    cannon = printed_weapon("Cannon", "HEAVY 1", S=8, AP=3)
    guns = unit(2, "VEHICLE", "ARTILLERY", name="Gun", base="40mm", AV="10/10/10", weapons=[cannon])
    crew = unit(4, "INFANTRY", name="Crew")
    places = ((27, 20), (27, 23), (29, 23), (29, 24.2), (29, 25.4), (29, 26.6))
    dice = [("tank shock", [3, 4]), ("penetration", [1]), ("losses", [1, 1])]
    battle = sixth([tank().at(20, 20)], mixed("Battery", guns, crew).on(*places), dice=dice)
    shock(battle)
    battle.answer(Pick("model:1:0"))
    assert standing(battle.state, 1) == [2, 3, 4, 5], "one gun and three of its crew remain"


@pytest.mark.rule("6e.death-or-glory.stopped")
def test_what_stops_a_tank_in_front_of_the_hero() -> None:
    for result in DamageResult:
        stops = result.destroys or result in (DamageResult.STUNNED, DamageResult.IMMOBILISED)
        assert is_crushed([result]) is not stops
    assert is_crushed([])


@pytest.mark.rule("6e.tank-shock-example.predator")
def test_worked_example_the_tank_shock_diagram() -> None:
    dragons = unit(5, name="Fire Dragons", abilities=BOMBS).on((26, 20), (26, 21), (26, 22.6), (26, 24.2), (26, 19))
    guardians = unit(4, name="Guardians").on((31, 20), (31, 21.2), (31, 22.4), (31, 23.6))
    dice = [("tank shock", [3, 4]), ("penetration", [1, 1]), ("tank shock", [6, 5]), ("fall-back", [4, 4])]
    battle = sixth([tank(name="Predator").at(20, 20)], [dragons, guardians], dice=dice)
    shock(battle)
    bomb = next(option.key for option in battle.options() if "(model 1) stands, Melta bomb" in option.label)
    battle.answer(Pick(bomb))
    state = battle.state
    assert standing(state, 1) == [2, 3, 4, 5], "the Exarch is removed, without a save"
    assert not state.units[1].falling_back
    assert state.units[2].falling_back
    assert min(pose_of(state, row).y for row in standing(state, 2)) >= 28, "towards their own edge"
    assert ended_at(battle, 32)


# -- ramming ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.ram.example-land-raider", "6e.ram.strength")
def test_worked_example_a_land_raider_rams_a_trukk() -> None:
    assert ram_strength(14, 10.0, tank=True) == 8
    assert ram_strength(10, 10.0, tank=False) == 3
    assert ram_strength(13, 11.0, tank=True) == 7
    assert ram_strength(11, 11.0, tank=False) == 4


@pytest.mark.rule("6e.ram.example-rhino", "6e.ram.strength")
def test_worked_example_a_rhino_rams_a_trukk() -> None:
    assert ram_strength(11, 10.0, tank=True) == 5
    assert ram_strength(10, 10.0, tank=False) == 3


@pytest.mark.rule("6e.ram.cruising-speed", "6e.ram.who", "6e.ram.both-hit", "6e.ram.resolve", "6e.ram.target-remains")
def test_a_ram_hits_both_vehicles_and_ends_at_one_that_stays() -> None:
    trukk = tank("FAST", "OPEN-TOPPED", AV="10/10/10", name="Trukk").at(30, 20, facing=90.0)
    battle = sixth([tank(AV="11/11/10").at(20, 20)], trukk, dice=[("penetration", [1]), ("penetration", [1])])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("ram"))
    space = battle.decision.choices
    assert space.check(place(0, (26, 20))) != []
    assert space.check(place(0, (26.5, 20))) == []
    battle.answer(place(0, (32, 20)))
    assert battle.state.units[0].has(Deed.RAMMED)
    assert ended_at(battle, 30 - 1.5 - 2), "its side is met after 6.5 inches: Strengths 4 and 2, which do nothing"


@pytest.mark.rule("6e.ram.target-explodes", "6e.ram.resolve")
def test_a_rammer_goes_on_only_through_what_explodes() -> None:
    assert goes_on([], DamageResult.EXPLODES)
    assert not goes_on([], DamageResult.DESTROYED)
    assert not goes_on([], None)
    assert not goes_on([DamageResult.STUNNED], DamageResult.EXPLODES)
    assert goes_on([DamageResult.SHAKEN], DamageResult.EXPLODES)


@pytest.mark.rule("6e.ram.infantry-in-path", "6e.walker-rammed.no-death-or-glory")
def test_infantry_is_shocked_first_and_a_rammed_walker_does_not_stand() -> None:
    walker = tank("WALKER", AV="12/12/10", WS=4, S=6, I=4, A=2).at(31, 20, facing=180.0)
    dice = [("tank shock", [3, 4]), ("penetration", [1]), ("penetration", [1])]
    battle = sixth([tank().at(20, 20)], [unit(1).at(25, 20), walker], dice=dice)
    shock(battle, how="ram")
    assert battle.decision.kind == "death-or-glory"
    battle.answer(Pick("aside"))
    assert battle.decision is None, "the walker is asked nothing"
    assert ended_at(battle, 27)


@pytest.mark.rule("6e.ram.snap-shots")
def test_who_has_rammed_makes_snap_shots_only() -> None:
    gun = weapon("ASSAULT 2")
    for deeds, snap in ((frozenset[str](), False), (frozenset({str(Deed.RAMMED)}), True)):
        battle = sixth([tank().at(20, 20).having(deeds=deeds)], unit(1).at(60, 40))
        assert snaps(battle.state.units[0], gun, False) is snap


@pytest.mark.rule("6e.transport-charged.passengers-not-locked")
def test_who_bails_out_among_enemies_is_not_locked_with_them() -> None:
    battle = sixth([rhino().at(20, 20), inside(unit(3))], unit(4, name="Orks").at(17.4, 17.8, apart=1.3, rank=1))
    battle.state.wounds[0], battle.state.on_table[0] = 0, False
    procedure = leave_the_wreck(battle, 0, PassengersFate(gets_out=True))
    decision = next(procedure)
    with pytest.raises(StopIteration):
        procedure.send(decision.default())
    assert len(standing(battle.state, 1)) == 3
    assert not in_combat(battle.scene, battle.state, 1)
    assert gaps(battle.scene, battle.state, standing(battle.state, 1), standing(battle.state, 2)).min() >= 1.0 - 0.002


@pytest.mark.rule("6e.open-topped.fire-anywhere")
def test_everybody_in_an_open_topped_vehicle_shoots() -> None:
    assert may_shoot_from_aboard({"VEHICLE", "OPEN-TOPPED"}, 12) == 12


@pytest.mark.rule("6e.ram-jink.cover-save", "6e.skimmer-special.jink")
def test_who_jinks_may_save_against_a_ram() -> None:
    assert jink_against_ram(SKIMMER, moved=True, flat_out=False) == 5
    assert jink_against_ram(SKIMMER, moved=True, flat_out=True) == 4
    assert jink_against_ram(SKIMMER, moved=False, flat_out=False) is None
    assert jink_against_ram({*SKIMMER, "HEAVY"}, moved=True, flat_out=False) is None
    assert jink_against_ram(TANK, moved=True, flat_out=False) is None
