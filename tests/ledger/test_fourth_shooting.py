"""The Shooting phase of the 4th edition: charts, weapon types, target priority, sight, cover, night, markers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.ledger.test_third_shooting_phase import BOLTER, LASCANNON, answer, fire, losses
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, squad, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.core.dice import DiceExpression
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic import charts
from battlewright.editions.classic.attack import compile_volley, draft_attack
from battlewright.editions.classic.casualties import Candidate as Casualty
from battlewright.editions.classic.casualties import eligible, next_casualties, remove
from battlewright.editions.classic.cover import cover_save
from battlewright.editions.classic.draft import AttackContext, PenetrationDice
from battlewright.editions.classic.firing import Firing, assault_shots, bars_assault, heavy_shots, pistol_shots
from battlewright.editions.classic.measuring import may_measure_first
from battlewright.editions.classic.night import NightShot, night_shot, spotting_distance
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import may_fire_part
from battlewright.editions.classic.procedures.resolving_fire import is_torrent
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.target import kills_outright, majority_or_highest_toughness
from battlewright.editions.classic.targets import Candidate, nearest_target, separate_targets
from battlewright.editions.fourth.attack import ATTACK
from battlewright.editions.fourth.covering import cover_of_model, cover_of_unit
from battlewright.editions.fourth.firing import deeds_of, fires_as_moved, rapid_fire_shots, weapons_allowed
from battlewright.editions.fourth.laying import scatter_dice
from battlewright.editions.fourth.shooting import SHOOTING, why_no_fire
from battlewright.editions.fourth.sight import size_of
from battlewright.editions.fourth.targets import (
    hold_priority,
    may_be_ignored,
    needs_no_test,
    passes_by_itself,
    target_faults,
)

ONE, TWO = DiceExpression(0, 0, 1), DiceExpression(0, 0, 2)
CANNON = printed_weapon("Cannon", "HEAVY 1", S=4, AP=5, R='48"')
MISSILE = printed_weapon("Missile", "HEAVY 1", "BLAST", S=4, AP=6, R='48"')
MORTAR = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", R='48"', S=4, AP=6)
WOODS = ((0.0, 18.0), (60.0, 18.0), (60.0, 26.0), (0.0, 26.0))


def shooting(
    a: UnitSpec | Sequence[UnitSpec], b: UnitSpec | Sequence[UnitSpec], dice: object, **more: object
) -> ClassicBattle:
    return scene(a, b, phase=Phase.SHOOTING, alone=True, dice=dice, edition="4", **more)  # type: ignore[arg-type]


def offered(battle: ClassicBattle) -> list[str]:
    assert battle.decision is not None
    return [option.key for option in battle.decision.options()]


def foe(distance: float, number: int = 1, **more: bool) -> Candidate:
    return Candidate(unit=number, distance=distance, **more)  # type: ignore[arg-type]


def woods(tag: str = "woods") -> TerrainArea:
    return TerrainArea("cover", WOODS, tags=frozenset({"area", tag}))


# -- charts -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.shooting.to-hit", "4e.core.shooting.to-wound", "4e.core.shooting.instant-death")
@pytest.mark.rule("4e.core.shooting.armour-save", "4e.core.shooting.one-save", "4e.core.shooting.cover-table")
def test_charts() -> None:
    assert [charts.hit_on(skill) for skill in (0, 1, 3, 5, 8)] == [None, 6, 4, 2, 2]
    assert [charts.wound_on(4, toughness) for toughness in (1, 3, 4, 5, 7, 8)] == [2, 3, 4, 5, 6, None]
    assert charts.armour_stands(3, 4)
    assert not charts.armour_stands(3, 3)
    assert charts.best_save(3, 5, 4) == 3
    assert [cover_save(kind) for kind in ("bushes", "woods", "ruins", "bunker")] == [6, 5, 4, 3]
    assert kills_outright(8, 4)
    assert not kills_outright(7, 4)


@pytest.mark.rule("4e.core.shooting.mixed-toughness")
def test_in_a_tie_the_higher_toughness_counts() -> None:
    three, four = squad(model(T=3)).models[0], squad(model(T=4)).models[0]
    assert majority_or_highest_toughness([three, three, four]) == 3
    assert majority_or_highest_toughness([three, three, four, four]) == 4


@pytest.mark.rule("4e.core.fundamentals.dice", "4e.core.fundamentals.leadership-test")
@pytest.mark.rule("4e.core.fundamentals.characteristic-test", "4e.core.fundamentals.profile")
def test_tests_and_profiles() -> None:
    assert [charts.d3(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert charts.passes_leadership_test(8, 8)
    assert not charts.passes_leadership_test(9, 8)
    assert charts.passes_characteristic_test(4, 4)
    assert not charts.passes_characteristic_test(6, 7)
    assert (model().toughness, model().leadership, model().save) == (4, 8, 3)
    armour = model("VEHICLE", AV="12/11/10").armour
    assert armour is not None
    assert (armour.front, armour.side, armour.rear) == (12, 11, 10)


# -- weapons ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.weapons.rapid-fire", "4e.core.weapons.pistol", "4e.core.weapons.assault")
@pytest.mark.rule("4e.core.weapons.heavy")
def test_weapon_types() -> None:
    rifle, pistol = weapon("RAPID FIRE"), weapon("PISTOL")
    assert rapid_fire_shots(rifle, Firing(distance=12.0)) == TWO
    assert rapid_fire_shots(rifle, Firing(distance=13.0)) == ONE
    assert rapid_fire_shots(rifle, Firing(moved=True, distance=12.0)) == TWO
    assert rapid_fire_shots(rifle, Firing(moved=True, distance=13.0)) is None
    for moved in (False, True):
        assert bars_assault(deeds_of(model(), rifle, Firing(moved=moved, distance=10.0), TWO))
    assert pistol_shots(pistol, Firing()) == TWO
    assert pistol_shots(pistol, Firing(moved=True)) == ONE
    assert bars_assault(deeds_of(model(), pistol, Firing(), TWO))
    assert bars_assault(deeds_of(model(), pistol, Firing(once=True), ONE)) == []
    gun = weapon("ASSAULT 2")
    assert assault_shots(gun, Firing(moved=True)) == TWO
    assert bars_assault(deeds_of(model(), gun, Firing(), TWO)) == []
    assert heavy_shots(weapon("HEAVY 3"), Firing(moved=True)) is None
    assert bars_assault(deeds_of(model(), weapon("HEAVY 3"), Firing(), TWO))


@pytest.mark.rule("4e.bikes.rapid-fire-moving", "4e.bikes.heavy-after-move", "4e.bikes.assault-after-fire")
@pytest.mark.rule("4e.jetbikes.rapid-fire-moving", "4e.jetbikes.heavy-after-move")
@pytest.mark.parametrize("kind", ["BIKE", "JETBIKE"])
def test_riders_fire_on_the_move_and_may_charge(kind: str) -> None:
    rider = model(kind)
    for gun in (weapon("RAPID FIRE"), weapon("HEAVY 1")):
        assert not fires_as_moved(rider, gun, moved=True)
        assert bars_assault(deeds_of(rider, gun, Firing(), ONE)) == []
    assert rapid_fire_shots(weapon("RAPID FIRE"), Firing(moved=False, distance=23.0)) == ONE
    assert fires_as_moved(rider, weapon("PISTOL"), moved=True)


@pytest.mark.rule("4e.jet-packs.rapid-fire", "4e.jet-packs.assault-after-rapid-fire")
@pytest.mark.rule("4e.slow-and-purposeful.shoots-stationary")
def test_jet_packs_and_the_slow_and_purposeful() -> None:
    pack, slow = model("JUMP TROOPS", "JET PACK"), model(abilities=("Slow and Purposeful",))
    assert not fires_as_moved(pack, weapon("RAPID FIRE"), moved=True)
    assert fires_as_moved(pack, weapon("HEAVY 1"), moved=True)
    assert bars_assault(deeds_of(pack, weapon("RAPID FIRE"), Firing(), ONE)) == []
    assert not fires_as_moved(slow, weapon("HEAVY 1"), moved=True)


@pytest.mark.rule("4e.monstrous.two-weapons", "4e.bikes.weapons-per-rider", "4e.jetbikes.weapons-per-rider")
def test_how_many_weapons_a_model_fires() -> None:
    assert weapons_allowed(model()) == 1
    assert weapons_allowed(model("MONSTROUS CREATURE")) == 2
    assert weapons_allowed(model("BIKE")) == weapons_allowed(model("JETBIKE")) == 1
    assert weapons_allowed(model("BIKE", abilities=("Two Riders",))) == 2
    assert weapons_allowed(model("JETBIKE", abilities=("Two Riders",))) == 2


@pytest.mark.rule("4e.monstrous.two-weapons")
def test_a_monstrous_creature_fires_two_of_its_three_weapons() -> None:
    guns = [printed_weapon(name, "ASSAULT 1") for name in ("First", "Second", "Third")]
    monster = unit(1, "MONSTROUS CREATURE", base="60mm", weapons=guns).at(10, 8)
    battle = shooting(monster, unit(3, Sv="-").at(10, 20), [("hit", [1]), ("hit", [1])])
    battle.answer(Pick("a.1"))
    answer(battle, {"select-target": "b.1"})
    assert offered(battle) == ["weapon:0", "weapon:1", "weapon:2", "hold"]
    battle.answer(Pick("weapon:1"))
    assert offered(battle) == ["weapon:0", "weapon:2", "hold"]
    battle.answer(Pick("weapon:2"))
    told = next(event for event in battle.events if event.kind == "attacks-declared").to_json()
    assert [pool[0] for pool in told["pools"]] == ["Second", "Third"]


@pytest.mark.rule("4e.core.weapons.combi")
def test_the_second_part_of_a_combi_weapon_fires_once_a_game() -> None:
    assert may_fire_part(1, set(), set())
    assert not may_fire_part(1, set(), {1})
    assert may_fire_part(0, set(), {1})


@pytest.mark.rule("4e.core.weapons.twin-linked", "4e.core.weapons.melta", "4e.core.weapons.lance")
@pytest.mark.rule("4e.core.weapons.rending", "4e.core.weapons.poisoned", "4e.core.weapons.choppa")
def test_special_properties() -> None:
    man, tank = squad(model()), squad(model("VEHICLE", AV="14/12/10"))
    near, far = AttackContext(skill=4, half_range=True), AttackContext(skill=4)
    assert draft_attack(ATTACK, weapon("TWIN-LINKED"), far, man).reroll_hits is not None
    assert draft_attack(ATTACK, weapon("MELTA"), near, tank).penetration is PenetrationDice.TWO
    assert draft_attack(ATTACK, weapon("MELTA"), far, tank).penetration is PenetrationDice.ONE
    assert draft_attack(ATTACK, weapon("LANCE"), far, tank).armour_limit == 12
    rending = draft_attack(ATTACK, weapon("RENDING"), far, man)
    assert (rending.rends_on_hit, rending.bursts_on) == (6, 6)
    assert draft_attack(ATTACK, weapon("POISONED"), far, man).wound_on == 4
    assert draft_attack(ATTACK, weapon("POISONED 2"), far, man).wound_on == 2
    assert draft_attack(ATTACK, weapon("CHOPPA", melee=True), far, man).best_armour == 4


@pytest.mark.rule("4e.core.weapons.gets-hot")
@pytest.mark.parametrize(("kind", "overheats"), [("ASSAULT 1", 1), ("ASSAULT 2", 2), ("ASSAULT 3", 3)])
def test_weapons_get_hot_the_sooner_the_more_they_fire(kind: str, overheats: int) -> None:
    drafted = draft_attack(ATTACK, weapon(kind, "GETS HOT"), AttackContext(skill=4), squad(model()))
    assert drafted.overheats_on == overheats


@pytest.mark.rule("4e.core.weapons.gets-hot", "4e.core.weapons.blast")
def test_a_blast_weapon_that_gets_hot_wounds_its_firer_too() -> None:
    cannon = printed_weapon("Plasma cannon", "HEAVY 1", "BLAST", "GETS HOT", S=7, AP=2, R='36"')
    for save, left in ((2, 0), (3, 1)):
        battle = shooting(
            unit(1, weapons=[cannon]).at(10, 8), unit(3).at(10, 20), [("hit", [1]), ("gets-hot-save", [save])]
        )  # fmt: skip
        fire(battle)
        assert len(standing(battle.state, 0)) == left


@pytest.mark.rule("4e.core.shooting.casualties", "4e.core.shooting.order")
def test_range_is_measured_to_models_in_sight() -> None:
    bricks = ((8.0, 15.0), (12.0, 15.0), (12.0, 16.0), (8.0, 16.0))
    wall = TerrainArea("wall", bricks, features=(TerrainFeature("wall", bricks, height=9.0),))
    gun = printed_weapon("Gun", "HEAVY 1", S=4, AP=5, R='12"')
    battle = shooting(unit(1, weapons=[gun]).at(10, 8), unit(2).on((10, 19), (18, 21)), [], terrain=[wall])
    seen = seen_by(battle.scene, battle.state, 0)
    assert seen == {2}, "the nearer one is behind the wall"
    fire(battle)
    assert "attacks-lost" in [event.kind for event in battle.events]
    assert "attacks-declared" not in [event.kind for event in battle.events]


@pytest.mark.rule("4e.core.weapons.sniper")
def test_snipers() -> None:
    rifle = weapon("SNIPER", S="3")
    man = draft_attack(ATTACK, rifle, AttackContext(skill=2), squad(model(T=8)))
    assert (man.hit_on, man.wound_on, man.pins) == (2, 4, True)
    tank = draft_attack(ATTACK, rifle, AttackContext(skill=2), squad(model("VEHICLE")))
    assert (tank.strength, tank.penetration) == (0, PenetrationDice.TWO)


@pytest.mark.rule("4e.core.weapons.power-weapon", "4e.core.weapons.power-fist", "4e.core.weapons.lightning-claw")
def test_close_combat_weapons_as_attacks() -> None:
    context, man = AttackContext(skill=4, strength=4), squad(model())
    assert draft_attack(ATTACK, weapon("POWER WEAPON", melee=True), context, man).ignores_armour
    fist = draft_attack(ATTACK, weapon("POWER FIST", melee=True), context, man)
    assert (fist.strength, fist.ignores_armour) == (8, True)
    claw = draft_attack(ATTACK, weapon("LIGHTNING CLAW", melee=True), context, man)
    assert claw.reroll_wounds is not None


@pytest.mark.rule("4e.core.weapons.rim")
def test_a_vehicle_under_the_rim_takes_half_the_strength() -> None:
    gun = weapon("ORDNANCE 1", S="9")
    half = draft_attack(ATTACK, gun, AttackContext(skill=4, half_strength=True), squad(model("VEHICLE")))
    assert half.strength == 4


# -- whom -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.shooting.target-priority", "4e.core.shooting.ignored-targets")
@pytest.mark.rule("4e.core.shooting.large-targets")
def test_who_needs_a_test_to_fire_at_whom() -> None:
    near, far = foe(10, 1), foe(18, 2)
    tank, far_tank = foe(20, 3, is_large=True), foe(30, 4, is_large=True)
    assert nearest_target([near, far]) == 1
    assert needs_no_test(near, [far, tank])
    assert not needs_no_test(far, [near, tank])
    assert needs_no_test(tank, [near, far, far_tank]), "nearer small units are ignored"
    assert not needs_no_test(far_tank, [near, tank])
    fleeing = foe(5, 5, falls_back=True)
    assert may_be_ignored(fleeing)
    assert needs_no_test(near, [fleeing, far])


@pytest.mark.rule("4e.core.shooting.target-priority")
@pytest.mark.parametrize(("faces", "target"), [([4, 4], "b.2"), ([5, 4], "b.1")])
def test_after_a_failed_test_the_nearest_is_fired_at(faces: list[int], target: str) -> None:
    enemies = [unit(1, name="Near").at(10, 18), unit(1, name="Far").at(20, 24)]
    battle = shooting(unit(1, weapons=[CANNON]).at(10, 8), enemies, [("target priority", faces), ("hit", [1])])
    fire(battle, target="b.2")
    told = next(event for event in battle.events if event.kind == "attacks-declared").to_json()
    assert told["pools"][0][2] == target


def mortar_and_cannon(*dice: tuple[str, list[int]]) -> ClassicBattle:
    """A unit with both sees b.2 and b.3, and not b.1, which is nearest."""
    outline = ((5.0, 10.0), (15.0, 10.0), (15.0, 18.0), (5.0, 18.0))
    wood = TerrainArea("wood", outline, height=5.0, tags=frozenset({"area", "woods"}))
    guns = mixed("Guns", unit(1, weapons=[MORTAR]), unit(1, weapons=[CANNON])).on((10, 8), (11.2, 8))
    foes = [unit(1).at(10, 20), unit(1).at(30, 8), unit(1).at(36, 8)]
    return shooting(guns, foes, list(dice), terrain=[wood])


@pytest.mark.rule("4e.core.shooting.target-priority", "4e.core.shooting.automatic-priority")
def test_whom_a_unit_does_not_see_counts_for_its_barrages_alone() -> None:
    assert held(mortar_and_cannon(), Aim(2)) == Aim(2), "the nearest that it sees needs no test"
    assert held(mortar_and_cannon(("target priority", [6, 6])), Aim(3)) == Aim(2), "nor is it forced upon b.1"
    assert held(mortar_and_cannon(), Aim(1)) == Aim(1, barrages_only=True)


def held(battle: ClassicBattle, aim: Aim) -> Aim:
    """What is fired at in the end, with everything that the first unit has."""
    doing = hold_priority(battle, 0, aim)
    try:
        next(doing)
        doing.send(Pick("all"))
    except StopIteration as done:
        found: Aim = done.value
        return found
    raise AssertionError("more is asked")


@pytest.mark.rule("4e.core.shooting.automatic-priority", "4e.monstrous.free-target")
@pytest.mark.rule("4e.vehicle-target-choice.auto-pass")
def test_vehicles_monsters_and_barrages_choose_freely() -> None:
    assert passes_by_itself([Kind.VEHICLE], [False])
    assert passes_by_itself([Kind.MONSTROUS], [False, False])
    assert passes_by_itself([Kind.INFANTRY] * 3, [True, True])
    assert not passes_by_itself([Kind.INFANTRY] * 3, [True, False])
    monster = unit(1, "MONSTROUS CREATURE", base="60mm", weapons=[CANNON]).at(10, 8)
    battle = shooting(monster, [unit(1).at(10, 18), unit(1).at(20, 24)], [("hit", [1])])
    fire(battle, target="b.2")
    told = next(event for event in battle.events if event.kind == "attacks-declared").to_json()
    assert told["pools"][0][2] == "b.2", "no test was taken"


@pytest.mark.rule("4e.vehicles-as-targets.nearest-vehicle", "4e.vehicles-as-targets.farther-vehicle")
def test_the_nearest_vehicle_may_be_fired_at_a_farther_one_after_a_test() -> None:
    squad_, tank, other = (
        unit(1).at(10, 13),
        unit(1, "VEHICLE", name="Tank", AV="14/14/14").at(20, 23),
        unit(1, "VEHICLE", name="Other", AV="14/14/14").at(40, 30),
    )
    guns = unit(1, weapons=[LASCANNON]).at(10, 8)
    battle = shooting(guns, [squad_, tank, other], [("hit", [1])])
    fire(battle, target="b.2")
    assert battle.state.units[0].target == 2
    battle = shooting(guns, [squad_, tank, other], [("target priority", [5, 4]), ("hit", [1])])
    fire(battle, target="b.3")
    assert battle.state.units[0].target == 1, "9 is more than the Leadership of 8, and the squad is nearest"


@pytest.mark.rule("4e.core.shooting.lone-characters", "4e.shooting-at-characters.lone-closest-only")
@pytest.mark.rule("4e.shooting-at-characters.monster-always")
def test_a_lone_character_is_a_target_while_he_is_nearest() -> None:
    captain = foe(14, 1, lone_character=True)
    everybody = SHOOTING.is_possible_target
    assert target_faults(captain, [(foe(10, 2), 3.0)], everybody)
    assert target_faults(captain, [(foe(15, 2), 3.0)], everybody) == []
    tyrant = foe(20, 1, lone_character=True, is_monstrous=True)
    assert target_faults(tyrant, [(foe(8, 2), 3.0)], everybody) == []
    lone = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain").at(10, 22)
    for at, keys in ((18.0, ["b.2", "none"]), (25.0, ["b.1", "b.2", "none"])):
        battle = shooting(unit(1, weapons=[BOLTER]).at(10, 8), [lone, unit(3).at(14, at)], [])
        battle.answer(Pick("a.1"))
        assert offered(battle) == keys


@pytest.mark.rule("4e.shooting-at-characters.attached-not-target", "4e.shooting-at-characters.monster-in-monsters")
def test_a_character_in_a_unit_is_no_target_of_his_own() -> None:
    assert separate_targets(4, [7, 8]) == [4]
    guard = unit(2, "MONSTROUS CREATURE", base="40mm", name="Guard").at(10, 20, apart=3)
    tyrant = unit(1, "MONSTROUS CREATURE", "INDEPENDENT CHARACTER", base="60mm", name="Tyrant").at(10, 24)
    battle = shooting(unit(1, weapons=[BOLTER]).at(10, 8), [guard, tyrant], [])
    state = battle.state
    state.units[2].joined, state.units[2].models, state.units[1].models = 1, (), (1, 2, 3)
    battle.answer(Pick("a.1"))
    assert offered(battle) == ["b.1", "none"]


@pytest.mark.rule("4e.character-shooting-phase.as-others", "4e.character-fire.same-target")
def test_a_character_fires_his_own_weapon_at_the_target_of_his_unit() -> None:
    sergeant = unit(1, BS=5, weapons=[printed_weapon("Plasma pistol", "PISTOL", R='12"', S=7, AP=2)])
    firers = mixed("Firers", unit(2, weapons=[CANNON]), sergeant).at(10, 8)
    enemies = [unit(1, T=4, name="A").at(10, 18), unit(1, name="B").at(20, 30)]
    battle = shooting(firers, enemies, [("hit", [1, 1]), ("hit", [2, 1]), ("wound", [1])])
    fire(battle, target="b.1")
    told = next(event for event in battle.events if event.kind == "attacks-declared").to_json()
    assert told["pools"] == [["Cannon", 2, "b.1"], ["Plasma pistol", 1, "b.1"]], "his BS of 5 hits on a 2"


@pytest.mark.rule("4e.core.shooting.who-may-fire")
def test_who_may_fire() -> None:
    state = shooting(unit(1, weapons=[BOLTER]).at(10, 8), unit().at(10, 20), None).state
    mine = state.units[0]
    assert why_no_fire(mine) == []
    assert why_no_fire(mine, in_combat=True)
    mine.falling_back = True
    assert why_no_fire(mine) == [], "one that falls back shoots as having moved"
    mine.pinned = True
    assert why_no_fire(mine)
    mine.pinned = False
    mine.did(Deed.FIRED)
    assert why_no_fire(mine)


@pytest.mark.rule("4e.core.fundamentals.declare-before-measuring")
def test_a_target_that_turns_out_too_far_costs_the_shots() -> None:
    assert not may_measure_first(has_targeter=False)
    battle = shooting(unit(1, weapons=[BOLTER]).at(10, 5), unit().at(10, 31), [])
    fire(battle)
    assert "attacks-lost" in [event.kind for event in battle.events]


# -- sight and cover --------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.fundamentals.sizes")
def test_sizes() -> None:
    assert size_of(model("INFANTRY", "SWARM")) == 1
    assert size_of(model()) == size_of(model("BIKE")) == size_of(model("CAVALRY")) == size_of(model("JUMP TROOPS")) == 2
    assert size_of(model("VEHICLE")) == size_of(model("MONSTROUS CREATURE")) == 3


@pytest.mark.rule("4e.core.shooting.line-of-sight", "4e.core.shooting.models-rarely-block")
def test_troops_hide_nobody_vehicles_do() -> None:
    gun, target = unit(1, weapons=[CANNON]).at(10, 8), unit(1, name="Target").at(10, 30)
    for kind, base, seen in (("INFANTRY", "60mm", True), ("VEHICLE", "hull 6x4in", False)):
        screen = unit(
            1, kind, base=base, height=3.0, name="Screen", **({"AV": "10/10/10"} if kind == "VEHICLE" else {})
        )
        for side in ("a", "b"):
            own = [gun, screen.at(10, 18)] if side == "a" else gun
            foes = target if side == "a" else [target, screen.at(10, 18)]
            battle = shooting(own, foes, [])
            battle.answer(Pick("a.1"))
            there = battle.decision is not None and battle.decision.kind == "select-target"
            assert (there and "b.1" in offered(battle)) is seen, (kind, side)


@pytest.mark.rule("4e.core.shooting.majority-cover")
def test_a_unit_has_cover_when_more_than_half_of_it_has() -> None:
    assert cover_of_unit([5, 5, 5, None, None]) == 5
    assert cover_of_unit([5, 5, None, None]) is None
    assert cover_of_unit([4, 5, 5]) == 5
    targets = unit(5, T=3, Sv="-").on(*((10 + 2 * i, 16.0) for i in range(2)), *((10 + 2 * i, 20) for i in range(3)))
    dice = [("hit", [4]), ("wound", [4]), ("save", [5])]
    battle = shooting(unit(1, weapons=[CANNON]).at(10, 2), targets, dice, terrain=[woods()])
    fire(battle)
    assert losses(battle, 1) == 0, "a model in the open saves with the cover of the others"


@pytest.mark.rule("4e.small-targets.cover-bonus", "4e.stealth.cover-bonus")
def test_stealth_and_small_targets_improve_cover() -> None:
    for name in ("Stealth", "Small Targets"):
        assert cover_of_model(model(abilities=(name,)), 5, False) == 4
        assert cover_of_model(model(abilities=(name,)), None, False) is None
    assert cover_of_model(model(abilities=("Stealth",)), 4, False) == 3
    assert cover_of_model(model(), 5, False) == 5


@pytest.mark.rule("4e.swarms.rules", "4e.vulnerable-blasts.double-wounds")
def test_a_swarm_in_cover_saves_better_and_loses_two_wounds_to_a_blast() -> None:
    swarm = unit(1, "INFANTRY", "SWARM", base="40mm", W=3, T=4, Sv="-").at(10, 22)
    for face, left in ((4, 3), (3, 1)):
        dice = [("hit", [4]), ("wound", [4]), ("save", [face])]
        battle = shooting(unit(1, weapons=[MISSILE]).at(10, 8), swarm, dice, terrain=[woods()])
        fire(battle)
        assert int(battle.state.wounds[1]) == left


# -- casualties -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.shooting.casualties", "4e.core.shooting.excess-lost", "4e.core.shooting.whole-models")
def test_casualties() -> None:
    two = [Casualty(row=0), Casualty(row=1), Casualty(row=2, in_range=False), Casualty(row=3, visible=False)]
    assert [each.row for each in eligible(two)] == [0, 1]
    assert next_casualties(two) == [0, 1]
    assert remove(two, 5) == {0: 0, 1: 0, 2: 1, 3: 1}
    three = [Casualty(row=row, left=3, wounds=3) for row in range(3)]
    assert sorted(remove(three, 4).values()) == [0, 2, 3]
    targets = unit(3, T=3, Sv="-").on((10, 30), (12, 30), (10, 36))
    battle = shooting(
        unit(3, weapons=[printed_weapon("Gun", "HEAVY 1")]).at(10, 8),
        targets,
        [("hit", [4, 4, 4]), ("wound", [4, 4, 4]), ("losses", [1, 1])],
    )
    fire(battle, name_model="none")
    assert standing(battle.state, 1) == [5], "the third wound is lost, for the last model is out of range"


@pytest.mark.rule("4e.core.shooting.torrent-of-fire")
def test_a_torrent_of_fire_makes_the_model_named_save_against_the_wound_its_owner_picks() -> None:
    assert is_torrent(3, 3)
    assert not is_torrent(2, 3)
    targets = mixed("Targets", unit(2, T=4, Sv="3+"), unit(1, name="Leader", T=4, Sv="3+")).at(10, 20)
    guns = mixed("Guns", unit(2, weapons=[CANNON]), unit(1, weapons=[LASCANNON])).at(10, 8)
    dice = [
        ("hit", [4, 4]),
        ("wound", [4, 4]),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [2]),
        ("save", [3]),
        ("losses", [1, 1]),
    ]
    battle = shooting(guns, targets, dice)
    battle.answer(Pick("a.1"))
    while battle.decision is not None and battle.decision.kind != "name-model":
        answer(battle, {"select-target": "b.1"})
    assert battle.decision is not None
    assert battle.decision.side == 0
    battle.answer(Pick("model:5"))
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.side) == ("select-wound", 1)
    battle.answer(Pick("wound:0"))
    while battle.decision is not None and battle.decision.kind not in ("select-unit-to-shoot",):
        answer(battle)
    assert 5 not in standing(battle.state, 1), "he has failed his save against the cannon"
    assert losses(battle, 1) == 2, "and the lascannon has taken one of the others"
    told = next(event for event in battle.events if event.kind == "model-named").to_json()
    assert (told["unit"], told["target"], told["model"], told["saved"]) == ("a.1", "b.1", 5, False)
    assert told["wound"] == CANNON.name


@pytest.mark.rule("4e.core.shooting.order")
def test_hits_wounds_saves_and_pinning_come_in_this_order() -> None:
    rifle = printed_weapon("Rifle", "HEAVY 1", "SNIPER", R='36"')
    dice = [("hit", [4]), ("wound", [4]), ("save", [1]), ("pinning", [6, 5])]
    battle = shooting(unit(1, weapons=[rifle]).at(10, 8), unit(5, Sv="4+").at(10, 20), dice)
    fire(battle)
    assert battle.state.units[1].pinned


@pytest.mark.rule("4e.feel-no-pain.roll", "4e.feel-no-pain.not-instant-death", "4e.feel-no-pain.not-power-weapons")
def test_feel_no_pain_in_an_attack_written_down() -> None:
    tough = squad(model(abilities=("Feel No Pain",), W=2))
    context = AttackContext(skill=4, strength=4)

    def ignored(gun: object) -> int | None:
        volley = compile_volley(ATTACK, gun, 1, context, tough)  # type: ignore[arg-type]
        return volley.target.groups[0].feel_no_pain

    assert ignored(weapon(S="4")) == 4
    assert ignored(weapon(S="8")) is None
    assert ignored(weapon("POWER WEAPON", melee=True)) is None
    assert ignored(weapon(melee=True)) == 4


# -- night ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.missions.night-fighting")
def test_at_night_one_sees_two_dice_times_three_inches_and_scatters_further_beyond() -> None:
    sight = spotting_distance((3, 4))
    assert sight == 21.0
    assert night_shot(weapon("RAPID FIRE"), 22.0, sight) is NightShot.NONE
    assert night_shot(weapon("ORDNANCE 1"), 22.0, sight) is NightShot.BLIND
    cannon = printed_weapon("Battle cannon", "ORDNANCE 1", "BLAST", R='72"', S=8, AP=3)
    tank = unit(1, "VEHICLE", name="Tank", base="hull 6x4in", weapons=[cannon]).at(30, 4)
    dice = [("night", [1, 1]), ("scatter", [1, 1, 1]), ("scatter-distance", [5, 3])]
    battle = shooting(tank, unit(1).at(30, 40), dice, dark=True)
    fire(battle)
    laid = next(event for event in battle.events if event.kind == "marker-laid").to_json()
    assert laid["centre"] == [38000, 40000], "five inches and three more"


@pytest.mark.rule("4e.night-vision.reroll", "4e.night-vision.second-stands")
def test_with_night_vision_the_dice_are_thrown_again_and_the_second_throw_stands() -> None:
    seer = unit(1, weapons=[BOLTER], abilities=("Night Vision",)).at(10, 8)
    for key, dice, lost in (
        ("again", [("night", [3, 4]), ("night", [1, 1])], True),
        ("keep", [("night", [3, 4]), ("hit", [1])], False),
    ):
        battle = shooting(seer, unit().at(10, 24), dice, dark=True)
        fire(battle, reroll_sight=key)
        assert ("attacks-lost" in [event.kind for event in battle.events]) is lost


@pytest.mark.rule("4e.night-vision.character-gives", "4e.night-vision.unit-gives")
@pytest.mark.parametrize("seers", ["character", "unit"])
def test_a_character_and_his_unit_give_each_other_night_vision(seers: str) -> None:
    captain = unit(
        1,
        "INFANTRY",
        "INDEPENDENT CHARACTER",
        name="Captain",
        weapons=[BOLTER],
        abilities=("Night Vision",) if seers == "character" else (),
    ).at(12, 8)
    men = unit(1, weapons=[BOLTER], abilities=("Night Vision",) if seers == "unit" else ()).at(10, 8)
    battle = shooting(
        [men, captain],
        unit().at(10, 20),
        [("night", [1, 1]), ("night", [3, 4]), ("hit", [1] * 4)],
        dark=True,
    )
    state = battle.state
    state.units[1].joined, state.units[1].models, state.units[0].models = 0, (), (0, 1)
    battle.answer(Pick("a.1"))
    answer(battle, {"select-target": "b.1"})
    while battle.decision is not None and battle.decision.kind == "select-weapon":
        answer(battle)
    assert battle.decision is not None
    assert battle.decision.kind == "reroll-sight"
    battle.answer(Pick("again"))


# -- markers ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.weapons.blast")
def test_blasts_are_laid_one_by_one_with_the_hole_over_a_model() -> None:
    targets = unit(3, name="Targets", T=4, Sv="-").on((10, 24), (11, 24), (10.5, 24.86))
    dice = [("hit", [4]), ("hit", [2]), ("hit", [4]), ("wound", [1] * 3), ("wound", [1] * 3)]
    battle = shooting(unit(3, weapons=[MISSILE]).at(10, 8), targets, dice)
    fire(battle)
    laid = [event.to_json() for event in battle.events if event.kind == "marker-laid"]
    assert [each["hits"] for each in laid] == [3, 3]
    middles = {(10000, 24000), (11000, 24000), (10500, 24860)}
    for each in laid:
        assert min((each["centre"][0] - x) ** 2 + (each["centre"][1] - y) ** 2 for x, y in middles) <= 493**2


@pytest.mark.rule("4e.core.weapons.template")
def test_a_template_leaves_no_cover() -> None:
    flamer = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", R='8"', S=4, AP=5)
    battle = shooting(
        unit(1, weapons=[flamer]).at(10, 14),
        unit(2, T=4, Sv="-").on((10, 19), (10, 21)),
        [("wound", [4, 1]), ("losses", [1, 1])],
        terrain=[woods()],
    )
    fire(battle)
    assert losses(battle, 1) == 1


@pytest.mark.rule("4e.core.weapons.ordnance", "4e.core.weapons.barrage")
def test_how_far_markers_scatter() -> None:
    assert scatter_dice(barrage=False, seen=True, moved=False) == 1
    assert scatter_dice(barrage=False, seen=True, moved=True) == 2
    assert scatter_dice(barrage=True, seen=True, moved=True) == 1
    assert scatter_dice(barrage=True, seen=False, moved=False) == 2
    ridge = ((0.0, 14.0), (60.0, 14.0), (60.0, 15.0), (0.0, 15.0))
    dice = [("scatter", [1, 1, 1]), ("scatter-distance", [2, 5])]
    hill = TerrainArea("hill", ridge, features=(TerrainFeature("ridge", ridge, height=9.0),))
    battle = shooting(unit(1, weapons=[MORTAR]).at(10, 4), unit(1, T=4, Sv="-").at(10, 28), dice, terrain=[hill])
    fire(battle)
    laid = next(event for event in battle.events if event.kind == "marker-laid").to_json()
    assert laid["centre"] == [15000, 28000], "unseen: the higher of two dice"
    assert living(battle.state, 1)


# -- pinning ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.shooting.pinning", "4e.core.shooting.pinning-details")
def test_a_unit_that_loses_somebody_to_a_pinning_weapon_tests_each_time_but_not_for_losses() -> None:
    rifle = printed_weapon("Rifle", "HEAVY 1", "SNIPER", R='36"')
    snipers = [unit(1, weapons=[rifle]).at(10, 8), unit(1, weapons=[rifle], name="Second").at(14, 8)]
    targets = unit(4, Sv="-", name="Targets").at(10, 20)
    dice = [("hit", [4]), ("wound", [4]), ("pinning", [4, 4]), ("hit", [4]), ("wound", [4]), ("pinning", [5, 4])]
    battle = shooting(snipers, targets, dice)
    fire(battle)
    fire(battle, "a.2")
    if battle.decision is not None:
        battle.answer(Pick("end"))
    assert battle.state.units[2].pinned, "half of it is lost, and no test for that is asked of the pinned"


@pytest.mark.rule("4e.core.shooting.pinning-details")
def test_the_fearless_are_not_pinned_and_a_charge_ends_it() -> None:
    rifle = printed_weapon("Rifle", "HEAVY 1", "SNIPER", R='36"')
    brave = unit(5, Sv="-", abilities=("Fearless",)).at(10, 20)
    battle = shooting(unit(1, weapons=[rifle]).at(10, 8), brave, [("hit", [4]), ("wound", [4])])
    fire(battle)
    assert not battle.state.units[1].pinned
    assert SHOOTING.charge_ends_pinning
