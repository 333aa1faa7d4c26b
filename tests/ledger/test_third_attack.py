"""Attacks of the 3rd edition, written down and resolved: hitting, wounding, saving, weapon abilities, armour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.attacks.description import RerollWhich, amount
from battlewright.core.dice import Modifier
from battlewright.editions.classic.armour import DamageResult, Verdict, verdict
from battlewright.editions.classic.attack import compile_volley, draft_attack
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.target import kills_outright, majority_or_lowest_toughness
from battlewright.editions.third.attack import ATTACK, groups_open_first, is_legal_order
from battlewright.editions.third.damage_tables import damage_tables
from support.classic import attack, model, squad, weapon

BOLTER = weapon("RAPID FIRE")
TROOPERS = squad(*[model()] * 5)
TANK = squad(model("VEHICLE", "TANK", AV="13/11/10", name="Tank"))


# -- saves ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.armour-save", "3e.outside.ap", "3e.core.shooting.order")
def test_a_shot_is_rolled_to_hit_to_wound_and_saved() -> None:
    done, left = attack(BOLTER, TROOPERS, ("hit", "334"), ("wound", "445"), ("save", "233"), count=3)
    assert done.damage == 1
    assert sorted(left) == [0, 1, 1, 1, 1]
    cancelled, _ = attack(weapon(AP=3), TROOPERS, ("hit", "3"), ("wound", "4"), ("save", "6"))
    assert cancelled.damage == 1


@pytest.mark.rule("3e.outside.invulnerable", "3e.core.shooting.invulnerable-save")
def test_an_invulnerable_save_stands_whatever_the_ap() -> None:
    target = squad(model(Sv="3+", InSv="5+"))
    volley = compile_volley(ATTACK, weapon(AP=2), 1, AttackContext(skill=4), target)
    assert volley.saves[0].label == "5+"
    assert attack(weapon(AP=2), target, ("hit", "3"), ("wound", "4"), ("save", "5"))[0].damage == 0


@pytest.mark.rule("3e.outside.cover-save", "3e.outside.one-save", "3e.core.assault.saves")
def test_cover_replaces_armour_against_fire_and_not_in_close_combat() -> None:
    covered = squad(*[model(Sv="5+")] * 2, cover=4)
    assert compile_volley(ATTACK, weapon(AP=4), 1, AttackContext(skill=4), covered).saves[0].label == "4+"
    assert compile_volley(ATTACK, weapon(melee=True), 1, AttackContext(skill=4), covered).saves[0].label == "5+"


# -- whom wounds go to ------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.hits-open-first", "3e.core.shooting.partly-in-cover")
def test_wounding_hits_go_to_models_in_the_open_first() -> None:
    target = squad(*[model()] * 8, cover=dict.fromkeys(range(5), 4))
    open_first, covered = groups_open_first(target)
    assert (open_first.models, covered.models) == ((5, 6, 7), (0, 1, 2, 3, 4))
    gun = weapon(AP=3)
    done, left = attack(gun, target, ("hit", "6666"), ("wound", "6666"), ("save", "666"), ("save", "1"), count=4)
    assert done.damage == 4
    assert left == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.rule("3e.mixed.armour-ignored", "3e.casualties.open-first")
def test_armour_has_no_say_in_the_order_of_a_mixed_unit() -> None:
    incubi, warrior = model(Sv="3+", name="Incubus"), model(Sv="5+", name="Warrior")
    groups = groups_open_first(squad(incubi, incubi, *[warrior] * 3, cover={4: 5}))
    assert [group.save for group in groups] == [3, 5, 5]
    assert is_legal_order(groups, (1, 0, 2))
    assert not is_legal_order(groups, (2, 0, 1))


@pytest.mark.rule("3e.outside.majority-toughness")
def test_most_models_toughness_is_used_or_the_lowest() -> None:
    assert majority_or_lowest_toughness(squad(*[model(T=4)] * 8, model(T=5)).models) == 4
    assert majority_or_lowest_toughness(squad(model(T=4), model(T=5)).models) == 4
    assert majority_or_lowest_toughness(squad(model(T=3), *[model(T=5)] * 2, *[model(T=4)] * 2).models) == 3


# -- several wounds and instant kills ---------------------------------------------------------------------------


@pytest.mark.rule("3e.instant-kill.trigger", "3e.outside.double-toughness", "3e.core.shooting.instant-death")
def test_strength_of_twice_the_toughness_kills_outright() -> None:
    assert not kills_outright(7, 4)
    assert kills_outright(8, 4)
    hero = squad(model(T=4, W=3))
    assert attack(weapon(S=8, AP=3), hero, ("hit", "3"), ("wound", "2"), ("save", "6"))[1] == [0]
    assert attack(weapon(S=7, AP=3), hero, ("hit", "3"), ("wound", "2"), ("save", "6"))[1] == [2]


@pytest.mark.rule("3e.instant-kill.unwounded-first")
def test_an_instant_kill_takes_an_unwounded_model_first() -> None:
    ogryns = squad(*[model(W=2)] * 3, remaining={1: 1})
    _, left = attack(weapon(S=8, AP=3), ogryns, ("hit", "3"), ("wound", "2"), ("save", "6"))
    assert sorted(left) == [0, 1, 2]


@pytest.mark.rule("3e.instant-kill.last-model")
def test_a_wounded_model_may_take_it_when_it_is_the_last() -> None:
    _, left = attack(
        weapon(S=8, AP=3), squad(model(W=3), remaining={0: 1}), ("hit", "3"), ("wound", "2"), ("save", "6")
    )
    assert left == [0]


@pytest.mark.rule("3e.multi-wound.whole-models")
def test_a_unit_loses_whole_models() -> None:
    target = squad(*[model(W=3)] * 4)
    script = (("hit", "6" * 7), ("wound", "6" * 7), ("save", "6" * 7))
    _, left = attack(weapon(AP=3), target, *script, count=7)
    assert left == [0, 0, 2, 3]


# -- weapon abilities -------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.weapons.twin-linked")
def test_a_twin_linked_weapon_throws_misses_again() -> None:
    volley = compile_volley(ATTACK, weapon("TWIN-LINKED"), 1, AttackContext(skill=4), TROOPERS)
    step = volley.step("hit")
    assert step.reroll is not None
    assert step.reroll.widest is RerollWhich.FAILURES
    assert volley.dice[0].each == amount(1)


@pytest.mark.rule("3e.core.weapons.gets-hot")
def test_a_one_to_hit_hits_the_firer() -> None:
    gun = weapon("RAPID FIRE", "GETS HOT", S=7, AP=2)
    done, _ = attack(gun, TROOPERS, ("hit", "12"), count=2)
    assert done.effects == {"gets hot": 1}
    assert attack(gun, TROOPERS, ("hit", "3"), ("wound", "2"), ("save", "6"))[0].effects == {}


@pytest.mark.rule("3e.core.weapons.rending")
def test_a_six_to_hit_rends() -> None:
    claws = weapon("RENDING", melee=True)
    done, _ = attack(claws, TROOPERS, ("hit", "65"), ("wound", "1"), ("save", "6"), count=2)
    assert done.packets["rending"] == 1
    assert done.damage == 1
    spared, _ = attack(claws, squad(model(InSv="5+")), ("hit", "6"), ("save", "5"))
    assert spared.damage == 0


@pytest.mark.rule("3e.core.weapons.rending")
def test_a_rending_penetration_die_of_six_adds_another() -> None:
    claws = weapon("RENDING", melee=True)
    script = (("hit", "6"), ("penetration", "6"), ("penetration-burst-6", "4"), ("penetrating table", "4"))
    assert attack(claws, TANK, *script)[0].packets[str(DamageResult.DESTROYED)] == 1
    assert attack(claws, TANK, ("hit", "6"), ("penetration", "5"))[0].damage == 0


@pytest.mark.rule("3e.core.weapons.sniper", "3e.outside.pinning-sources")
def test_a_sniper_hits_on_two_and_wounds_on_four_and_pins() -> None:
    rifle = weapon("SNIPER", S=2)
    volley = compile_volley(ATTACK, rifle, 1, AttackContext(skill=2), squad(model(T=8)))
    assert (volley.step("hit").needed, volley.step("wound").needed) == (2, 4)
    context = AttackContext(skill=2)
    assert draft_attack(ATTACK, rifle, context, TROOPERS).pins
    assert draft_attack(ATTACK, weapon("BARRAGE"), context, TROOPERS).pins
    assert not draft_attack(ATTACK, BOLTER, context, TROOPERS).pins


@pytest.mark.rule("3e.core.weapons.barrage-pins")
def test_a_barrage_pins() -> None:
    assert draft_attack(ATTACK, weapon("HEAVY 1", "BARRAGE"), AttackContext(skill=3), TROOPERS).pins


@pytest.mark.rule("3e.core.weapons.poison")
def test_poison_wounds_on_a_fixed_roll() -> None:
    tough = squad(model(T=8))
    for text, needed in (("POISONED", 4), ("POISONED 2+", 2)):
        volley = compile_volley(ATTACK, weapon(text, S=1), 1, AttackContext(skill=4), tough)
        assert volley.step("wound").needed == needed


@pytest.mark.rule("3e.core.weapons.gauss")
def test_gauss_always_wounds_on_a_six_and_glances_on_one() -> None:
    flayer = weapon("GAUSS", S=4)
    assert attack(flayer, squad(model(T=9, Sv="-")), ("hit", "3"), ("wound", "6"), ("save", "6"))[0].damage == 1
    glanced = attack(flayer, TANK, ("hit", "3"), ("penetration", "6"), ("glancing table", "1"))[0]
    assert glanced.effects == {str(DamageResult.SHAKEN): 1}
    assert attack(flayer, TANK, ("hit", "3"), ("penetration", "5"))[0].effects == {}


@pytest.mark.rule("3e.core.weapons.template")
def test_a_template_hits_without_a_roll_and_leaves_no_cover() -> None:
    flamer = weapon("TEMPLATE", R='8"')
    covered = squad(*[model(Sv="-")] * 5, cover=4)
    done, _ = attack(flamer, covered, ("wound", "446"), ("save", "666"), hits=amount(3))
    assert done.damage == 3


@pytest.mark.rule("3e.outside.power-weapon", "3e.core.assault.power-weapon")
def test_a_power_weapon_leaves_no_armour_save() -> None:
    sword = weapon("POWER WEAPON", melee=True)
    assert attack(sword, TROOPERS, ("hit", "4"), ("wound", "4"), ("save", "6"))[0].damage == 1


@pytest.mark.rule("3e.outside.power-fist-strength", "3e.outside.power-fist-saves", "3e.core.assault.power-fist")
def test_a_power_fist_doubles_strength_to_ten_and_ignores_armour() -> None:
    fist = weapon("POWER FIST", melee=True)
    for strength, made in ((4, 8), (6, 10)):
        assert draft_attack(ATTACK, fist, AttackContext(skill=4, strength=strength), TROOPERS).strength == made
    best = squad(model(Sv="2+"))
    assert attack(fist, best, ("hit", "4"), ("wound", "2"), ("save", "6"))[0].damage == 1


@pytest.mark.rule("3e.core.assault.choppa", "3e.core.assault.lightning-claw")
def test_choppas_and_lightning_claws() -> None:
    volley = compile_volley(ATTACK, weapon("CHOPPA", melee=True), 1, AttackContext(skill=4), squad(model(Sv="2+")))
    assert volley.saves[0].label == "4+"
    claws = compile_volley(
        ATTACK, weapon("LIGHTNING CLAW", melee=True), 1, AttackContext(skill=4, strength=4), TROOPERS
    )
    assert claws.step("wound").reroll is not None
    assert claws.saves[0].label == "no save"


# -- armour -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.vehicle-penetration", "3e.core.vehicles.penetration")
def test_equal_to_the_armour_glances_and_more_penetrates() -> None:
    assert verdict(8 + 4, 12) is Verdict.GLANCING
    assert verdict(8 + 5, 12) is Verdict.PENETRATING
    assert verdict(8 + 3, 12) is Verdict.NONE


@pytest.mark.rule(
    "3e.core.vehicles.glancing-table", "3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table"
)
def test_the_damage_tables() -> None:
    glancing, penetrating, ordnance = damage_tables().values()
    shaken, stunned = DamageResult.SHAKEN, DamageResult.STUNNED
    assert [glancing.result(face) for face in range(1, 7)] == [
        shaken,
        shaken,
        stunned,
        DamageResult.IMMOBILISED,
        DamageResult.ARMAMENT,
        DamageResult.DESTROYED,
    ]
    assert [penetrating.result(face) for face in (1, 2, 3, 4, 5, 6, 7)] == [
        stunned,
        DamageResult.ARMAMENT,
        DamageResult.IMMOBILISED,
        DamageResult.DESTROYED,
        DamageResult.THROWN,
        DamageResult.EXPLODES,
        DamageResult.EXPLODES,
    ]
    assert ordnance.result(1) is DamageResult.ARMAMENT
    assert ordnance.result(6) is DamageResult.ANNIHILATED


@pytest.mark.rule("3e.core.vehicles.open-topped-damage")
def test_open_topped_vehicles_add_one_on_the_tables() -> None:
    buggy = squad(model("VEHICLE", "OPEN-TOPPED", AV="10/10/10"))
    script = (("hit", "3"), ("penetration", "2"), ("glancing table", "5"))
    assert attack(weapon(S=8), buggy, *script)[0].damage == 1
    assert attack(weapon(S=8), squad(model("VEHICLE", AV="10/10/10")), *script)[0].damage == 0


@pytest.mark.rule("3e.core.vehicles.hull-down")
def test_penetrating_hits_on_a_vehicle_hull_down_only_glance() -> None:
    script = (("hit", "3"), ("penetration", "6"))
    hidden = replace(TANK, hull_down=True)
    assert attack(weapon(S=9), hidden, *script, ("glancing table", "3"))[0].effects == {str(DamageResult.STUNNED): 1}
    assert attack(weapon(S=9), TANK, *script, ("penetrating table", "6"))[0].damage == 1


@pytest.mark.rule("3e.core.weapons.melta", "3e.core.weapons.lance")
def test_melta_throws_two_dice_at_half_range_and_a_lance_sees_armour_twelve() -> None:
    melta = weapon("MELTA", S=8)
    near = (("hit", "3"), ("penetration", "14"), ("glancing table", "1"))
    assert attack(melta, TANK, *near, half_range=True)[0].effects == {str(DamageResult.SHAKEN): 1}
    assert attack(melta, TANK, ("hit", "3"), ("penetration", "4"))[0].effects == {}
    heavy = squad(model("VEHICLE", AV="14/14/14"))
    script = (("hit", "3"), ("penetration", "4"), ("glancing table", "1"))
    assert attack(weapon("LANCE", S=8), heavy, *script)[0].effects == {str(DamageResult.SHAKEN): 1}


@pytest.mark.rule("3e.core.weapons.ordnance-penetration", "3e.core.weapons.ordnance-rim")
def test_ordnance_takes_the_higher_of_two_dice_and_its_own_table() -> None:
    cannon = weapon("ORDNANCE 1", S=8)
    script = (("penetration", "3"), ("penetration-second", "6"), ("ordnance table", "3"))
    assert attack(cannon, TANK, *script, hits=amount(1))[0].packets[str(DamageResult.DESTROYED)] == 1
    glance = (("penetration", "5"), ("penetration-second-glancing", "1"), ("glancing table", "4"))
    assert attack(cannon, TANK, *glance, hits=amount(1))[0].effects == {str(DamageResult.IMMOBILISED): 1}
    rim = draft_attack(ATTACK, weapon("ORDNANCE 1", S=9), AttackContext(skill=3, half_strength=True), TANK)
    assert rim.strength == 5


@pytest.mark.rule("3e.core.vehicles.grenades")
def test_haywire_does_not_care_for_armour() -> None:
    grenade = weapon("HAYWIRE", melee=True)
    for die, found in ((1, Verdict.NONE), (2, Verdict.GLANCING), (5, Verdict.GLANCING), (6, Verdict.PENETRATING)):
        volley = compile_volley(ATTACK, grenade, 1, AttackContext(skill=4, automatic=True), TANK)
        assert volley.step("penetration").outcome(die).name == str(found)


def test_the_side_that_is_hit_has_armour_of_its_own() -> None:
    rear = replace(TANK, facing=Facing.REAR)
    context = AttackContext(skill=4, penetration=(Modifier("3e.core.traits.tank-hunters", 1),))
    assert compile_volley(ATTACK, weapon(S=4), 1, context, rear).step("penetration").needed == 5
    assert compile_volley(ATTACK, weapon(S=4), 1, context, TANK).step("penetration").needed is None
