"""Walkers, skimmers and what vehicles of the 6th edition may be given: missiles, smoke, searchlights."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_third_vehicle_fire import fire
from tests.support.classic import UnitSpec, printed_weapon, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.dice import SeededDice
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.procedures.arming import Arm
from battlewright.editions.classic.procedures.board import facing_towards, pose_of
from battlewright.editions.classic.procedures.dashing import second_move_of
from battlewright.editions.classic.procedures.driving import meetings
from battlewright.editions.classic.procedures.movement import move_kinds
from battlewright.editions.classic.procedures.searchlights import is_lit, light_up
from battlewright.editions.classic.procedures.shelter import seen_of
from battlewright.editions.classic.procedures.shooting_phase import _from_weapon
from battlewright.editions.classic.procedures.smoke import launch, may_launch
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.vehicles import hovers_still, why_no_smoke
from battlewright.editions.sixth.charging import overwatches, why_no_charge
from battlewright.editions.sixth.covering import covers_of
from battlewright.editions.sixth.gunnery import may_light_up
from battlewright.editions.sixth.vehicles import settles_on

GUN = printed_weapon("Gun", "HEAVY 1", S=6, AP=4, R='48"')
RIFLE = printed_weapon("Rifle", "RAPID FIRE", R='24"')
WOOD = TerrainArea("wood", ((26, 17), (34, 17), (34, 23), (26, 23)), height=3.0, tags=frozenset({"area", "woods"}))


def sixth(*sides: Any, phase: Phase = Phase.SHOOTING, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="6", alone=True, phase=phase, **more)


def walker(**more: Any) -> UnitSpec:
    features = {"AV": "12/12/10", "WS": 4, "BS": 4, "S": 6, "I": 4, "A": 2, "HP": 3, **more}
    return unit(1, "VEHICLE", "WALKER", name="Dreadnought", base="60mm", height=2.5, **features)


def hull(*words: str, **more: Any) -> UnitSpec:
    features = {"AV": "11/11/10", "HP": 3, **more}
    return unit(1, "VEHICLE", *words, name="Hull", base="hull 4x3in", height=2.0, **features)


def keys(battle: ClassicBattle) -> list[str]:
    return [option.key for option in battle.options()]


def kinds(battle: ClassicBattle) -> list[str]:
    return [event.kind for event in battle.events]


# -- walkers ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.walker-shooting.run", "6e.walker-movement.as-infantry")
def test_a_walker_runs_in_place_of_shooting_and_does_not_charge_then() -> None:
    battle = sixth(walker(weapons=[GUN]).at(30, 10), unit(1).at(30, 30), dice=[("run", [4])])
    assert keys(battle) == ["a.1", "a.1:run", "end"]
    battle.answer(Pick("a.1:run"))
    battle.answer(battle.decision.default())
    mine = battle.state.units[0]
    assert mine.acted, "it shoots no more"
    assert why_no_charge(mine)


@pytest.mark.rule("6e.walker-shooting.cannot-run")
@pytest.mark.parametrize("flag", ["stunned", "immobilised"])
def test_a_stunned_or_immobilised_walker_does_not_run(flag: str) -> None:
    battle = sixth(walker(weapons=[GUN]).at(30, 10).having(**{flag: True}), unit(1).at(30, 30))
    assert second_move_of(battle.scene, battle.state, 0) is None
    assert "a.1:run" not in keys(battle)


@pytest.mark.rule("6e.walker-shooting.overwatch")
def test_a_walker_fires_overwatch_and_no_other_vehicle_does() -> None:
    def asked(target: UnitSpec) -> bool:
        charger = unit(3, S=8).at(30, 10)
        battle = sixth(charger, target, phase=Phase.ASSAULT, dice=SeededDice(3))
        found = []
        while battle.decision is not None:
            found.append(battle.decision.kind)
            picks = {"select-unit-to-assault": "a.1", "select-unit-assaulted": "b.1"}
            wanted = picks.get(battle.decision.kind)
            battle.answer(Pick(wanted) if wanted in keys(battle) else battle.decision.default())
        return "overwatch" in found

    assert asked(walker(weapons=[GUN, GUN]).at(31, 15))
    assert not asked(hull(weapons=[GUN, GUN]).at(31, 15))
    battle = sixth(walker().at(30, 10), hull().at(40, 30))
    assert [overwatches(battle.scene.models[row].profile) for row in (0, 1)] == [True, False]


@pytest.mark.rule("6e.walker-shooting.overwatch")
def test_overwatch_at_a_walker_meets_its_armour() -> None:
    dice = [("hit", [6]), ("penetration", [6]), ("charge", [1, 1])]
    squad = unit(1, weapons=[printed_weapon("Cannon", "ASSAULT 1", S=6, AP=4, R='24"')], W=3, T=8)
    battle = sixth(walker().at(30, 10), squad.at(30, 16), phase=Phase.ASSAULT, dice=dice)
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    assert battle.state.wounds[0] == 2, "6 and 6 glance on its front; then the charge falls short"


@pytest.mark.rule("6e.walker-shot-at.facing")
def test_the_way_its_body_faces_decides_which_side_of_a_walker_is_shot_at() -> None:
    battle = sixth(unit(1).at(30, 40), walker().on((30, 20, 0, 0)))
    assert facing_towards(battle.scene, battle.state, 1, (30, 40)) is Facing.SIDE, "it faces east, the firer is north"
    battle.state.position[1, 3] = 90_000
    assert facing_towards(battle.scene, battle.state, 1, (30, 40)) is Facing.FRONT


@pytest.mark.rule("6e.walker-measuring.weapons", "6e.skimmer-measuring.weapons-and-fire-points")
def test_range_runs_from_the_weapon_and_not_from_the_hull() -> None:
    turret = printed_weapon("Turret gun", "HEAVY 1", "TURRET", R='24"')
    front = printed_weapon("Hull gun", "HEAVY 1", "HULL", R='24"')
    for mine in (hull("SKIMMER", weapons=[turret, front]), walker(weapons=[turret, front])):
        battle = sixth(mine.on((30, 10, 0, 90)), unit(1).at(30, 30))
        model = battle.scene.models[0]
        arms = [Arm(0, place, model.weapons[place].profiles[0]) for place in (0, 1)]
        gaps = [_from_weapon(battle.scene, battle.state, arm, [1]) for arm in arms]
        assert gaps[0] == pytest.approx(20 - 0.492, abs=0.01), "from the middle, where the turret stands"
        assert gaps[1] == pytest.approx(gaps[0] - model.base.length / 2, abs=0.01)


@pytest.mark.rule("6e.walker-shooting.range-and-sight")
def test_a_weapon_behind_a_wall_sees_nothing_while_the_other_arm_does() -> None:
    left = printed_weapon("Left gun", "HEAVY 1", "LEFT SPONSON", R='48"')
    right = printed_weapon("Right gun", "HEAVY 1", "RIGHT SPONSON", R='48"')
    outline = ((28.2, 12.5), (29.8, 12.5), (29.8, 12.8), (28.2, 12.8))
    wall = TerrainFeature("wall", outline, 6.0, solid=True, tags=frozenset({"obstacle", "wall"}))
    yard = TerrainArea("yard", outline, features=(wall,))
    battle = sixth(
        walker(weapons=[left, right]).on((30, 10, 0, 90)),
        unit(1, T=8).at(30, 20),
        terrain=[yard],
        dice=[("hit", [1])],
    )
    fire(battle)
    declared = next(event for event in battle.events if event.kind == "attacks-declared").to_json()
    assert [pool[0] for pool in declared["pools"]] == ["Right gun"]


@pytest.mark.rule("6e.walker-rammed.may-fight-back")
def test_a_walker_that_has_been_rammed_strikes_the_tank_that_it_touches() -> None:
    tank = hull("TANK", AV="13/11/10").on((26.819, 20, 0, 0)).having(deeds=frozenset({Deed.TANK_SHOCKED, Deed.RAMMED}))
    mine = walker(A=2).at(30, 20)
    battle = sixth(tank, mine, phase=Phase.ASSAULT, dice=SeededDice(2))
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    assert "stage-resolved" in kinds(battle), "it strikes"
    assert battle.state.units[1].has(Deed.FOUGHT)


# -- skimmers ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.skimmer-damage.remove-stand", "6e.skimmer-damage.glued-stand", "6e.skimmer-damage.no-landing")
def test_a_skimmer_comes_down_only_when_it_is_immobilised_and_its_stand_can_be_taken_off() -> None:
    skims = {"VEHICLE", "SKIMMER"}
    assert hovers_still(skims, (), immobilised=False)
    assert not hovers_still(skims, (), immobilised=True)
    assert hovers_still(skims, {"FIXED STAND"}, immobilised=True)
    for abilities, sheltered in (((), True), (("Fixed Stand",), False)):
        skimmer = hull("SKIMMER", abilities=abilities).at(30, 20)
        battle = sixth(unit(1).at(30, 5), skimmer, terrain=[WOOD])
        assert not seen_of(battle.scene, battle.state, 1, 0).through_tall
        battle.state.units[1].immobilised = frozenset({1})
        assert seen_of(battle.scene, battle.state, 1, 0).through_tall is sheltered
    healthy = sixth(hull("SKIMMER").at(30, 20), unit(1).at(30, 40), phase=Phase.MOVEMENT)
    assert set(move_kinds(healthy.scene, healthy.state, 0)) == {"normal"}, "there is no landing"


@pytest.mark.rule("6e.skimmer-measuring.charged-or-rammed")
def test_a_ram_touches_a_skimmer_by_its_outline_however_high_it_hovers() -> None:
    battle = sixth([hull("TANK").on((20, 20, 0, 0))], hull("SKIMMER").on((30, 20, 0, 0)), phase=Phase.MOVEMENT)
    met = meetings(battle.scene, battle.state, 0, pose_of(battle.state, 0), 12.0)
    assert [(meeting.row, round(meeting.inches)) for meeting in met] == [(1, 6)]


# -- missiles, smoke --------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.hunter-killer-missile.additional-weapon", "6e.hunter-killer-missile.profile")
@pytest.mark.rule("6e.outside.hunter-killer-profile")
def test_a_hunter_killer_missile_is_one_more_weapon_that_is_fired_once_at_any_range() -> None:
    bolter = printed_weapon("Storm bolter", "ASSAULT 2", S=4, AP=5, R='24"')
    mine = hull(weapons=[bolter], abilities=["Hunter-Killer Missile"], BS=4).at(3, 3)
    dice = [("hit", [3]), ("penetration", [4])]
    battle = sixth(mine, hull(AV="12/12/12", HP=3).at(69, 40), dice=dice)
    missile = battle.scene.models[0].weapons[1].profiles[0]
    assert (missile.name, missile.strength.of(0), missile.ap, str(missile.type)) == (
        "hunter-killer missile", 8, 3, "heavy",
    )  # fmt: skip
    fire(battle, select_weapon="way:0")
    assert battle.state.wounds[1] == 2, "3 hits, 8 and 4 glance on 12"
    assert (0, 1) in battle.state.units[0].weapons_lost, "once"


@pytest.mark.rule("6e.smoke-launchers.use", "6e.smoke-launchers.even-if-shaken")
def test_smoke_is_used_in_place_of_fire_flat_out_or_running_once_and_in_any_state() -> None:
    def able(spec: UnitSpec) -> bool:
        battle = sixth(spec, unit(1).at(30, 40))
        return may_launch(battle.scene, battle.state, 0)

    smoky = hull(abilities=["Smoke Launchers"]).at(30, 10)
    assert able(smoky.having(moved_distance=12000, moved=True))
    assert able(smoky.having(stunned=True)), "no guns, and a stunned crew"
    assert able(smoky.having(shaken=True))
    for deed in (Deed.FIRED, Deed.FLAT_OUT, Deed.RAN):
        assert not able(smoky.having(deeds=frozenset({deed})))
    assert why_no_smoke(smoke=-1, launchers=True, fired=False), "once in a game"
    battle = sixth(hull(abilities=["Smoke Launchers"], weapons=[GUN]).at(30, 10), unit(1, T=8).at(30, 40))
    battle.answer(Pick("end"))
    assert battle.decision.kind == "select-unit-to-smoke"
    launch(battle, 0)
    assert not may_launch(battle.scene, battle.state, 0)


# -- searchlights -----------------------------------------------------------------------------------------------


def lamp(**more: Any) -> UnitSpec:
    return hull(abilities=["Searchlight"], weapons=[GUN], **more).at(30, 10)


@pytest.mark.rule("6e.searchlight.only-night", "6e.searchlight.light-up-target", "6e.searchlight.lights-itself")
@pytest.mark.parametrize("dark", [True, False])
def test_at_night_a_tank_that_has_fired_may_light_up_its_target_and_itself(dark: bool) -> None:
    assert may_light_up({"SEARCHLIGHT"}, dark=True, fired=True)
    assert not may_light_up({"SEARCHLIGHT"}, dark=True, fired=False)
    foes = [unit(2, T=8).at(30, 30), unit(2, T=8).at(40, 30)]
    battle = sixth(lamp(), foes, dark=dark, dice=[("hit", [1])])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    asked = battle.decision is not None and battle.decision.kind == "use-searchlight"
    assert asked is dark
    if dark:
        battle.answer(Pick("light"))
        assert [is_lit(battle.state, each) for each in range(3)] == [True, True, False]


@pytest.mark.rule("6e.searchlight.duration")
def test_light_lasts_through_the_next_player_turn() -> None:
    battle = sixth(lamp(), unit(1).at(30, 30), dark=True)
    light_up(battle, 0, 1)
    lit = []
    for _ in range(3):
        lit.append(is_lit(battle.state, 1))
        battle.state.turns += 1
    assert lit == [True, True, False]


@pytest.mark.rule("6e.searchlight.effect")
def test_who_is_lit_has_nothing_of_the_night_and_is_shot_at_however_far_he_is() -> None:
    gun = printed_weapon("Long gun", "HEAVY 1", S=6, AP=4, R='60"')
    for lit in (False, True):
        battle = sixth(unit(1, weapons=[gun]).at(30, 2), unit(1, T=8).at(30, 45), dark=True, dice=[("hit", [1])])
        near = sixth(unit(1, weapons=[gun]).at(30, 2), unit(1, T=8).at(30, 32), dark=True)
        if lit:
            for each in (battle, near):
                each.state.units[1].lit = each.state.turns
        assert covers_of(near.scene, near.state, 1, [1], [0])[1] == (None if lit else 5), "Shrouded at 30 inches"
        fire(battle)
        assert ("attacks-declared" in kinds(battle)) is lit
    assert living(battle.state, 1) == standing(battle.state, 1)


# -- over impassable terrain ------------------------------------------------------------------------------------


@pytest.mark.rule("6e.skimmer-movement.over-impassable")
def test_a_skimmer_stops_over_a_flat_spire_with_a_test_and_over_no_peak() -> None:
    corners = ((27, 17), (33, 17), (33, 23), (27, 23))

    def battle(*tags: str, words: tuple[str, ...] = ("SKIMMER",), dice: Any = ()) -> ClassicBattle:
        rock = TerrainArea("rock", corners, tags=frozenset({"impassable", *tags}))
        mine = hull(*words).on((30, 12, 0, 90))
        return sixth(mine, unit(1).at(60, 40), phase=Phase.MOVEMENT, terrain=[rock], dice=list(dice))

    over = Place((ModelMove(0, ((30000, 20000, 0, 90000),)),))
    assert settles_on({"flat"})
    spire = battle("flat", dice=[("vehicle-terrain", [4])])
    spire.answer(Pick("a.1"))
    spire.answer(over)
    assert pose_of(spire.state, 0).y == 20
    for peak in (battle(), battle("flat", words=("TANK",))):
        peak.answer(Pick("a.1"))
        if peak.decision.kind == "select-move":
            peak.answer(Pick("normal"))
        assert peak.check(over)
