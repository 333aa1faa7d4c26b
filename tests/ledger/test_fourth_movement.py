"""Movement in the 4th edition as it is played: ledger and core rules, scene by scene."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core.decisions import Pick, Place
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.assault import assault_through_difficult
from battlewright.editions.classic.events import FellBack
from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.footwork import terrain_test_dice, unit_has_moved, why_unit_may_not_move
from battlewright.editions.classic.formation import in_formation
from battlewright.editions.classic.kinds import THREE_D6, fall_back_dice, move_allowance
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.procedures.events import TerrainDared
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.prowess import guarded_profile
from battlewright.editions.classic.procedures.retreat import fall_back
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.procedures.shooting_phase import may_fire
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import ClassicUnit, Deed, MoveKind, Phase
from battlewright.editions.classic.target import kills_outright
from battlewright.editions.classic.terrain import Crossing, accident_dice, is_slowed_by, may_pass_over_enemies
from battlewright.editions.fourth.firing import fires_as_moved
from battlewright.editions.fourth.missions import comes_late
from battlewright.editions.fourth.movement import KINDS, boosters_protect
from battlewright.editions.fourth.sight import is_taller, size_of, size_of_area
from support.classic import mixed, model, printed_weapon, scene, unit, weapon
from support.moving import asked, faults, space_of, to, wood

ONE_INCH = "25.4mm"


def field(*units: Any, **features: Any) -> ClassicBattle:
    return scene(list(units), features.pop("b", ()), edition="4", **features)


# -- core rules -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.movement.infantry", "4e.core.movement.one-inch")
def test_infantry_moves_six_inches_and_keeps_an_inch_from_enemies() -> None:
    battle = field(unit(1, base=ONE_INCH).at(10, 10), b=unit(1, base=ONE_INCH).at(17, 10))
    assert faults(space_of(battle), to(0, (10, 16))) == []
    assert faults(space_of(battle), to(0, (10, 16.1)))
    assert faults(space_of(battle), to(0, (15.5, 10)))
    assert faults(space_of(battle), to(0, (15, 10))) == []


@pytest.mark.rule("4e.core.movement.whole-unit-moved", "4e.core.movement.locked-and-pinned")
def test_a_unit_has_moved_with_its_first_model_and_pinned_units_do_not() -> None:
    assert unit_has_moved([0.0, 0.5])
    assert not unit_has_moved([0.0, 0.0])
    assert why_unit_may_not_move(ClassicUnit(0, (), pinned=True), in_combat=False)
    assert why_unit_may_not_move(ClassicUnit(0, ()), in_combat=True)
    assert not why_unit_may_not_move(ClassicUnit(0, ()), in_combat=False)


@pytest.mark.rule("4e.core.movement.difficult-terrain")
def test_a_terrain_test_binds_the_whole_unit() -> None:
    battle = field(
        unit(2, base=ONE_INCH).on((10, 10), (10, 12)), terrain=[wood(12, 8, 20, 11)], dice=[("terrain-test", [2, 4])]
    )
    assert "3e.terrain.test" in faults(space_of(battle), to(0, (14, 10)), to(1, (13, 12)))
    space = asked(battle, "a.1", "terrain")
    assert faults(space, to(0, (14, 10)), to(1, (14, 12))) == []
    assert faults(space, to(0, (13, 10)), to(1, (14.2, 12)))


@pytest.mark.rule("4e.core.movement.difficult-terrain")
def test_a_unit_of_which_somebody_stands_in_a_wood_tests_or_stays() -> None:
    battle = field(unit(2, base=ONE_INCH).on((10, 10), (12, 10)), terrain=[wood(11.8, 8, 20, 12)])
    assert faults(space_of(battle), to(0, (10, 11)))


@pytest.mark.rule(
    "4e.core.movement.move-through-cover",
    "4e.move-through-cover.extra-die",
    "4e.character-movement.move-through-cover",
)
def test_moving_through_cover_takes_one_more_die_as_independent_characters_do() -> None:
    for one in (
        unit(1, abilities=["Move Through Cover"], base=ONE_INCH),
        unit(1, "INFANTRY", "INDEPENDENT CHARACTER", base=ONE_INCH),
    ):
        battle = field(one.at(10, 10), terrain=[wood(12, 8, 20, 12)], dice=[("terrain-test", [1, 2, 6])])
        assert terrain_test_dice(traits_of(battle.scene, battle.state, 0)) == 3
        space = asked(battle, "a.1", "terrain")
        assert faults(space, to(0, (16, 10))) == []


@pytest.mark.rule("4e.core.movement.dangerous-terrain")
def test_dangerous_terrain_wounds_on_a_one_and_armour_does_not_help() -> None:
    def after(dice: list[tuple[str, list[int]]], **printed: Any) -> list[int]:
        one = unit(1, base=ONE_INCH, W=2, **printed).at(10, 10)
        battle = field(one, terrain=[wood(12, 8, 20, 12, "dangerous")], dice=dice)
        battle.answer("a.1")
        battle.answer(Place((to(0, (14, 10)),)))
        return [int(left) for left in battle.state.wounds]

    assert after([("terrain-accident", [1])], Sv="2+") == [1]
    assert after([("terrain-accident", [2])]) == [2]
    assert after([("terrain-accident", [1]), ("invulnerable-save", [5])], InSv="5+") == [2]
    assert after([("terrain-accident", [1]), ("invulnerable-save", [4])], InSv="5+") == [1]


@pytest.mark.rule("4e.core.movement.impassable")
def test_nobody_enters_impassable_terrain() -> None:
    battle = field(unit(1, base=ONE_INCH).at(10, 10), terrain=[wood(12, 8, 20, 12, "impassable")])
    assert faults(space_of(battle), to(0, (14, 10)))


@pytest.mark.rule("4e.core.fundamentals.coherency")
def test_models_stay_within_two_inches() -> None:
    battle = field(unit(2, base=ONE_INCH).on((10, 10), (12, 10)))
    assert faults(space_of(battle), to(1, (13.5, 10)))
    assert faults(space_of(battle), to(1, (13, 10))) == []
    assert in_formation(gaps(battle.scene, battle.state, [0, 1], [0, 1]))


# -- unit types -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.unit-types.infantry-default", "4e.beasts-cavalry.otherwise-infantry")
def test_what_is_not_said_of_a_type_works_as_for_infantry() -> None:
    assert move_allowance(KINDS, Kind.CAVALRY) == move_allowance(KINDS, Kind.BEAST) == 6.0
    assert KINDS.of(Kind.MONSTROUS) == KINDS.of(Kind.INFANTRY)
    assert KINDS.of(Kind.CAVALRY).slowed
    for kind in (Kind.BIKE, Kind.JETBIKE):
        assert not kind.is_vehicle
        assert move_allowance(KINDS, kind) == 12.0


@pytest.mark.rule("4e.bikes.move", "4e.bikes.not-slowed", "4e.bikes.dangerous-test")
def test_bikes_move_twelve_through_a_wood_at_their_risk() -> None:
    three = unit(3, "BIKE", base=ONE_INCH, W=2).on((10, 9), (10, 11), (10, 13))
    battle = field(three, terrain=[wood(12, 5, 14, 12)], dice=[("terrain-accident", [1, 4])])
    assert faults(space_of(battle), to(0, (22.5, 9)))
    asked(battle, "a.1", "normal")
    battle.answer(Place((to(0, (22, 9)), to(1, (22, 11)), to(2, (22, 13)))))
    assert battle.state.wounds.tolist() == [1, 2, 2]
    assert not is_slowed_by(KINDS.of(Kind.BIKE), Crossing(passes=True))


@pytest.mark.rule("4e.jetbikes.move", "4e.jetbikes.fly-over-units", "4e.jetbikes.ignore-terrain")
def test_jetbikes_fly_over_units_and_terrain_without_dice() -> None:
    battle = field(
        unit(1, "JETBIKE", base=ONE_INCH).at(10, 10),
        b=unit(3, base=ONE_INCH).on((16, 9), (16, 10.5), (16, 12)),
        terrain=[wood(11, 5, 14, 15)],
        dice=[],
    )
    space = asked(battle, "a.1", "normal")
    assert faults(space, to(0, (22, 10))) == []
    assert faults(space, to(0, (22.5, 10)))
    assert faults(space, to(0, (17.2, 10)))
    battle.answer(Place((to(0, (22, 10)),)))
    assert battle.state.wounds[0] == 1


@pytest.mark.rule("4e.jetbikes.through-terrain")
def test_jetbikes_may_go_in_among_terrain_and_each_tests() -> None:
    four = unit(4, "JETBIKE", base=ONE_INCH).on((10, 7), (10, 9), (10, 11), (10, 13))
    battle = field(four, terrain=[wood(17, 5, 25, 15)], dice=[("terrain-accident", [2, 1, 3, 4])])
    asked(battle, "a.1", "among terrain")
    battle.answer(Place(tuple(to(row, (22, 7 + 2 * row)) for row in range(4))))
    assert battle.state.wounds.tolist() == [1, 0, 1, 1]
    assert battle.state.units[0].last_way == MoveKind.AMONG


@pytest.mark.rule("4e.jump-infantry.move", "4e.jump-infantry.over-terrain", "4e.jump-infantry.land-in-terrain")
def test_jump_infantry_jumps_over_everything_and_tests_where_it_lands() -> None:
    five = unit(5, "JUMP TROOPS", base=ONE_INCH, W=2).at(10, 10, apart=2)
    battle = field(
        five,
        b=unit(5, base=ONE_INCH).at(10, 13, apart=2),
        terrain=[wood(0, 16, 15, 24)],
        dice=[("terrain-accident", [1, 4, 5])],
    )
    space = asked(battle, "a.1", "normal")
    moves = tuple(to(row, (10 + 2 * row, 22)) for row in range(5))
    assert faults(space, *moves) == []
    assert faults(space, to(4, (18, 22.1)))
    battle.answer(Place(moves))
    assert battle.state.wounds[:5].tolist() == [1, 2, 2, 2, 2]
    assert may_pass_over_enemies(KINDS.of(Kind.JUMP))


@pytest.mark.rule("4e.jump-infantry.walk-option")
def test_jump_infantry_may_walk_and_then_rolls_for_terrain_as_infantry() -> None:
    battle = field(
        unit(1, "JUMP TROOPS", base=ONE_INCH).at(10, 10), terrain=[wood(12, 5, 20, 15)], dice=[("terrain-test", [2, 3])]
    )
    battle.answer("a.1")
    assert {"on foot", "on foot:terrain"} <= {option.key for option in battle.options()}
    space = asked(battle, "on foot:terrain")
    assert faults(space, to(0, (13, 10))) == []
    assert faults(space, to(0, (13.2, 10)))
    battle.answer(Place((to(0, (13, 10)),)))
    assert battle.state.wounds[0] == 1


@pytest.mark.rule("4e.jet-packs.move", "4e.jet-packs.variant")
def test_jet_packs_move_six_and_otherwise_as_jump_infantry() -> None:
    words = ("JUMP TROOPS", "JET PACK")
    assert move_allowance(KINDS, Kind.JUMP, words) == 6.0
    rules = KINDS.of(Kind.JUMP, words)
    assert (rules.flies, rules.slowed, rules.risk) == (True, False, KINDS.of(Kind.JUMP).risk)
    assert fall_back_dice(KINDS, [Kind.JUMP]) == THREE_D6


@pytest.mark.rule("4e.jet-packs.assault-move")
def test_jet_packs_move_again_in_the_assault_phase_even_away() -> None:
    one = unit(1, "JUMP TROOPS", "JET PACK", base=ONE_INCH).at(20, 10)
    battle = field(one, b=unit(1, base=ONE_INCH).at(34, 10), phase=Phase.ASSAULT)
    space = asked(battle, "a.1:thrust")
    assert faults(space, to(0, (14, 10))) == []
    assert faults(space, to(0, (13.8, 10)))


@pytest.mark.rule("4e.bikes.fall-back", "4e.jetbikes.fall-back", "4e.jump-infantry.fall-back")
@pytest.mark.rule("4e.beasts-cavalry.fall-back")
def test_fast_troops_fall_back_with_three_dice() -> None:
    for kind in (Kind.BIKE, Kind.JETBIKE, Kind.JUMP, Kind.BEAST, Kind.CAVALRY):
        assert fall_back_dice(KINDS, [kind]) == THREE_D6
    assert fall_back_dice(KINDS, [Kind.INFANTRY]) != THREE_D6


@pytest.mark.rule("4e.jump-infantry.fall-back-landing", "4e.bikes.charge-test", "4e.jetbikes.charge-test")
def test_where_terrain_endangers_whom() -> None:
    assert accident_dice(KINDS.of(Kind.JUMP).risk, Crossing(ends=True)) == 1
    assert accident_dice(KINDS.of(Kind.JUMP).risk, Crossing(passes=True)) == 0
    assert accident_dice(KINDS.of(Kind.BIKE).risk, Crossing(passes=True)) == 1
    assert accident_dice(KINDS.of(Kind.JETBIKE, way=MoveKind.AMONG).risk, Crossing(ends=True)) == 1


@pytest.mark.rule("4e.monstrous.terrain-reroll")
def test_a_monstrous_creature_may_throw_its_terrain_dice_again() -> None:
    battle = field(
        unit(1, "MONSTROUS CREATURE", base=ONE_INCH).at(10, 10),
        terrain=[wood(12, 5, 20, 15)],
        dice=[("terrain-test", [1, 2]), ("terrain-test", [3, 4])],
    )
    space = asked(battle, "a.1", "terrain", "again")
    assert faults(space, to(0, (14, 10))) == []
    assert faults(space, to(0, (14.2, 10)))


# -- special rules of movement ----------------------------------------------------------------------------------


@pytest.mark.rule("4e.fleet.move", "4e.fleet.ignores-terrain", "4e.beasts-cavalry.fleet")
def test_fleet_units_move_a_die_in_place_of_shooting() -> None:
    for one in (unit(1, abilities=["Fleet"], base=ONE_INCH), unit(1, "CAVALRY", base=ONE_INCH)):
        battle = field(
            one.at(10, 10),
            b=unit(1).at(40, 40),
            phase=Phase.SHOOTING,
            terrain=[wood(11, 5, 20, 15)],
            dice=[("fleet", [5])],
        )
        space = asked(battle, "a.1:fleet")
        assert faults(space, to(0, (15, 10))) == []
        assert faults(space, to(0, (15.2, 10)))


@pytest.mark.rule("4e.fleet.not-if-shot")
def test_a_unit_that_has_shot_has_no_fleet_move() -> None:
    one = unit(1, abilities=["Fleet"], weapons=[printed_weapon()]).at(10, 10).having(deeds=frozenset({Deed.FIRED}))
    battle = field(one, b=unit(1, weapons=[printed_weapon()]).at(20, 10), phase=Phase.SHOOTING)
    assert "a.1:fleet" not in {option.key for option in battle.options()}


@pytest.mark.rule("4e.usr.asterisk-unit-loses")
def test_a_unit_with_somebody_slower_has_no_fleet_move() -> None:
    both = mixed("Squad", unit(1, abilities=["Fleet"]), unit(1)).on((10, 10), (12, 10))
    battle = field(both, unit(1, abilities=["Fleet"]).at(30, 10), b=unit(1).at(60, 40), phase=Phase.SHOOTING)
    assert [option.key for option in battle.options()] == ["a.2:fleet", "end"]


@pytest.mark.rule("4e.turbo-boosters.speed", "4e.bikes.turbo", "4e.jetbikes.turbo")
@pytest.mark.parametrize("kind", ["BIKE", "JETBIKE"])
def test_bikes_may_use_turbo_boosters(kind: str) -> None:
    battle = field(unit(1, kind, base=ONE_INCH).at(10, 10))
    battle.answer("a.1")
    assert "turbo-boost" in {option.key for option in battle.options()}
    space = asked(battle, "turbo-boost")
    assert faults(space, to(0, (34, 10))) == []
    assert faults(space, to(0, (34.2, 10)))


@pytest.mark.rule("4e.turbo-boosters.no-shoot-charge")
def test_boosted_bikes_neither_shoot_nor_charge() -> None:
    battle = field(
        unit(1, "BIKE", base=ONE_INCH, weapons=[printed_weapon()]).at(10, 10),
        b=unit(1, base=ONE_INCH).at(35, 10),
        alone=True,
    )
    asked(battle, "a.1", "turbo-boost")
    battle.answer(Place((to(0, (30, 10)),)))
    assert battle.state.units[0].has(Deed.BOOSTED)
    assert not may_fire(battle.scene, battle.state, 0)
    assert bars_assault(battle.state.units[0].deeds)


@pytest.mark.rule("4e.turbo-boosters.invulnerable", "4e.turbo-boosters.eighteen")
@pytest.mark.parametrize(("inches", "save"), [(17, None), (18, 3)])
def test_boosters_make_the_save_invulnerable_after_eighteen_inches(inches: int, save: int | None) -> None:
    bike = unit(1, "BIKE", Sv="3+").at(10, 10)
    flown = {"deeds_before": frozenset({Deed.BOOSTED}), "displaced_before": 1000 * inches}
    battle = field(bike.having(**flown), b=unit(1, weapons=[printed_weapon()]).at(30, 10), turn=1, phase=Phase.SHOOTING)
    assert boosters_protect(battle.state.units[0]) is (save is not None)
    assert guarded_profile(battle.scene, battle.state, 0, close_combat=False).invulnerable == save


@pytest.mark.rule("4e.skilled-rider.reroll", "4e.character-movement.skilled-rider")
def test_skilled_riders_throw_dangerous_terrain_dice_again() -> None:
    for words in (("BIKE", "SKILLED RIDER"), ("BIKE", "INDEPENDENT CHARACTER")):
        battle = field(
            unit(1, *words, base=ONE_INCH).at(10, 10),
            terrain=[wood(12, 5, 14, 15)],
            dice=[("terrain-accident", [1]), ("terrain-accident", [3])],
        )
        asked(battle, "a.1", "normal")
        battle.answer(Place((to(0, (18, 10)),)))
        assert battle.state.wounds[0] == 1


@pytest.mark.rule("4e.slow-and-purposeful.always-difficult", "4e.core.movement.move-through-cover")
def test_slow_and_purposeful_troops_move_as_in_difficult_terrain() -> None:
    battle = field(
        unit(1, abilities=["Slow and Purposeful"], base=ONE_INCH).at(10, 10), dice=[("terrain-test", [2, 4])]
    )
    space = asked(battle, "a.1")
    assert faults(space, to(0, (14, 10))) == []
    assert faults(space, to(0, (14.2, 10)))


@pytest.mark.rule("4e.character-movement.by-type")
def test_characters_move_as_their_kind_of_troop() -> None:
    words = [(kind, "INDEPENDENT CHARACTER") for kind in ("INFANTRY", "CAVALRY", "BIKE")]
    battle = field(*(unit(1, *each).at(10 * number, 10) for number, each in enumerate(words, 1)))
    profiles = [each.profile for each in battle.scene.models]
    assert [move_allowance(KINDS, each.kind, each.keywords) for each in profiles] == [6.0, 6.0, 12.0]


@pytest.mark.rule("4e.character-movement.not-for-vehicles")
def test_a_skilled_passenger_does_nothing_for_his_vehicle() -> None:
    tank = unit(1, "VEHICLE", "TANK", "TRANSPORT", abilities=["Transport Capacity 10"], base="60mm").at(20, 20)
    rider = unit(1, "INFANTRY", "INDEPENDENT CHARACTER").having(embarked=0)
    battle = field(tank, rider, terrain=[wood(24, 10, 40, 30)], dice=[("vehicle-terrain", [1])], alone=True)
    battle.answer("a.1")
    while battle.decision is not None and battle.decision.kind != "move-normal":
        battle.answer(battle.decision.default())
    battle.answer(Place((to(0, (25, 20)),)))
    assert 0 in battle.state.units[0].immobilised


@pytest.mark.rule("4e.scouts.always-deploy")
def test_scouts_are_on_the_table_whatever_escalation_keeps_off_it() -> None:
    battle = field(unit(1, "BIKE", "SCOUTS"), unit(1, "BIKE"), unit(1, "INFANTRY"))
    assert [comes_late(battle.scene, number) for number in range(3)] == [False, True, False]


@pytest.mark.rule("4e.core.movement.area-terrain", "4e.core.fundamentals.sizes")
def test_area_terrain_is_looked_over_by_who_is_taller() -> None:
    trooper, monster, swarm = model("INFANTRY"), model("MONSTROUS CREATURE"), model("INFANTRY", "SWARM")
    assert [size_of(each) for each in (swarm, trooper, monster)] == [1, 2, 3]
    assert [size_of_area(height) for height in (1.0, 2.0, 4.0)] == [1, 2, 3]
    assert is_taller(trooper, 0.0, 1.2, 1.0)
    assert not is_taller(trooper, 0.0, 1.2, 2.0)
    assert is_taller(monster, 0.0, 2.5, 2.0)
    assert is_taller(trooper, 3.0, 1.2, 2.0)
    for height, seen in ((1.0, True), (4.0, False)):
        woods = replace(wood(16, 5, 24, 15), height=height)
        battle = field(unit(1).at(10, 10), b=unit(1).at(30, 10), terrain=[woods], phase=Phase.SHOOTING)
        assert (1 in seen_by(battle.scene, battle.state, 0)) is seen
    into = field(unit(1).at(14, 10), b=unit(1).at(20, 10), terrain=[replace(wood(16, 5, 24, 15), height=4.0)])
    assert 1 in seen_by(into.scene, into.state, 0)


@pytest.mark.rule("4e.core.movement.individual-features")
def test_past_single_features_true_sight_counts() -> None:
    for y, seen in ((10.0, False), (20.0, True)):
        corners = ((19.0, y - 3), (21.0, y - 3), (21.0, y + 3), (19.0, y + 3))
        wall = TerrainFeature("wall", corners, 4.0, tags=frozenset({"wall"}))
        area = TerrainArea("ground", ((18.0, 0.0), (22.0, 0.0), (22.0, 30.0), (18.0, 30.0)), features=(wall,))
        battle = field(unit(1).at(10, 10), b=unit(1).at(30, 10), terrain=[area], phase=Phase.SHOOTING)
        assert (1 in seen_by(battle.scene, battle.state, 0)) is seen


# -- charging, falling back, shooting by type -------------------------------------------------------------------


@pytest.mark.rule("4e.bikes.charge-not-slowed", "4e.jetbikes.charge-not-slowed", "4e.jump-infantry.charge")
@pytest.mark.rule("4e.beasts-cavalry.charge-terrain", "4e.beasts-cavalry.charge")
def test_whom_difficult_terrain_slows_in_a_charge() -> None:
    through = Crossing(passes=True)
    for kind in (Kind.BIKE, Kind.JETBIKE):
        assert not is_slowed_by(KINDS.of(kind, way=MoveKind.ASSAULT), through)
        assert assault_through_difficult(KINDS.of(kind, way=MoveKind.ASSAULT), (1, 1)) == 6.0
    on_foot = KINDS.of(Kind.JUMP, way=MoveKind.ASSAULT)
    assert is_slowed_by(on_foot, through)
    assert assault_through_difficult(on_foot, (2, 4)) == 4.0
    assert assault_through_difficult(KINDS.of(Kind.BEAST), (3, 5)) == 10.0
    assert KINDS.of(Kind.CAVALRY).assault == 12.0


@pytest.mark.rule("4e.bikes.charge-test", "4e.jetbikes.charge-test")
@pytest.mark.parametrize("kind", ["BIKE", "JETBIKE"])
def test_bikes_that_charge_through_a_wood_test_each(kind: str) -> None:
    battle = field(
        unit(2, kind, base=ONE_INCH, W=2).on((10, 10), (10, 12)),
        b=unit(2, base=ONE_INCH).on((15, 10), (15, 12)),
        phase=Phase.ASSAULT,
        terrain=[wood(11.5, 5, 12.5, 15)],
        alone=True,
    )
    battle.answer("a.1")
    battle.answer("b.1")
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    dared = next(each for each in battle.events if isinstance(each, TerrainDared))
    assert [(row, len(faces)) for row, faces in dared.dice] == [(0, 1), (1, 1)]


@pytest.mark.rule("4e.jump-infantry.fall-back-over", "4e.jump-infantry.fall-back")
def test_jump_infantry_flees_over_what_lies_in_its_way() -> None:
    for kind, dice, inches in (("JUMP TROOPS", [3, 3, 4], 10.0), ("INFANTRY", [5, 5], 5.0)):
        runner = unit(1, kind, base=ONE_INCH).at(10, 30)
        battle = field(runner, terrain=[wood(5, 23, 15, 27)], dice=[("fall-back", dice)])
        procedure = fall_back(battle, 0)
        with contextlib.suppress(StopIteration):
            next(procedure)
        fled = next(each for each in battle.events if isinstance(each, FellBack))
        assert fled.inches == inches


@pytest.mark.rule("4e.jump-infantry.shoot", "4e.beasts-cavalry.shoot", "4e.bikes.heavy-after-move")
def test_jump_infantry_and_cavalry_shoot_as_infantry() -> None:
    heavy, pistol = weapon("HEAVY 1"), weapon("PISTOL")
    for kind in ("JUMP TROOPS", "CAVALRY"):
        assert fires_as_moved(model(kind), heavy, True)
        assert fires_as_moved(model(kind), pistol, True)
    assert not fires_as_moved(model("BIKE"), heavy, True)


@pytest.mark.rule("4e.bikes.instant-death", "4e.jetbikes.instant-death")
def test_the_toughness_of_a_bike_does_not_count_for_instant_death() -> None:
    for printed, strength in (("4(5)", 8), ("3(4)", 6)):
        rider = model("JETBIKE", T=printed)
        assert kills_outright(strength, rider.base_toughness)
        assert not kills_outright(strength, rider.toughness)


@pytest.mark.rule("4e.bikes.move", "4e.jetbikes.move", "4e.jump-infantry.move", "4e.vehicle-movement.max-12")
@pytest.mark.rule("4e.walker-movement.move-6", "4e.core.movement.infantry")
def test_a_move_names_the_rule_of_its_kind() -> None:
    kinds = {"BIKE": "4e.bikes.move", "JETBIKE": "4e.jetbikes.move", "INFANTRY": "4e.core.movement.infantry"}
    specs = [unit(1, word, name=word).at(10, 10) for word in kinds]
    specs += [unit(1, "VEHICLE", *words, name="-".join(words)).at(10, 10) for words in ((), ("WALKER",), ("FAST",))]
    cites = [*kinds.values(), "4e.vehicle-movement.max-12", "4e.walker-movement.move-6", "4e.vehicle-movement.fast-24"]
    for spec, cite in zip(specs, cites, strict=True):
        battle = scene(spec, unit(1).at(60, 40), phase=Phase.MOVEMENT, alone=True, edition="4")
        battle.answer(Pick("a.1"))
        while battle.decision is not None and not battle.decision.kind.startswith("move-"):
            battle.answer(battle.decision.default())
        assert battle.decision is not None
        assert battle.decision.rule == cite
