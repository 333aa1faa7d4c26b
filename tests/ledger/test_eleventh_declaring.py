"""Selecting weapons and targets, and the shooting types that say which (04.01, 04.02, 10, 17.03, 24.07, 24.11)."""

from __future__ import annotations

import random

import pytest

from battlewright.core.decisions import Declare, Pick
from battlewright.editions.eleventh.attacking import AttackKind, DeclareSpace
from battlewright.editions.eleventh.shooting import is_eligible_to_shoot, shooting_types
from battlewright.editions.eleventh.state import Phase
from support.combat import aim, broken
from support.eleventh import attached, scene, unit, weapon

NORMAL, ASSAULT = AttackKind.NORMAL, AttackKind.ASSAULT
CLOSE, INDIRECT, FIGHT = AttackKind.CLOSE_QUARTERS, AttackKind.INDIRECT, AttackKind.FIGHT
RIFLE = weapon("Rifle")
PISTOL = weapon("Pistol", "PISTOL", R='12"')
SWORD = weapon("Sword", melee=True, A=4)
TARGETS = "11e.core.04.02-ranged-targets"


def shooters(*weapons, models=1, keywords=("INFANTRY",), **flags):
    return unit(models, *keywords, weapons=weapons, W=6).at(10, 10).having(**flags)


def facing(a, *foes, **more):
    """Side a's units against units of side b, in side a's Shooting phase."""
    return scene(a, list(foes), phase=Phase.SHOOTING, **more)


FOE = unit(1).at(10, 20)
ASIDE = unit(1).at(16, 18)
ENGAGED = unit(1).at(10, 12)
TANK = unit(1, "VEHICLE", base="60mm", name="Tank", W=10)


# -- how a unit may shoot ---------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.10.04-normal", "11e.core.10.05-assault", "11e.24.04-assault.unit-permission")
def test_a_unit_that_advanced_needs_one_assault_weapon():
    mixed = attached(unit(4, weapons=[RIFLE]), unit(1, weapons=[weapon("Carbine", "ASSAULT")])).at(10, 10)
    battle = facing([mixed.having(advanced=True), shooters(RIFLE, advanced=True).at(10, 5)], FOE)
    assert shooting_types(battle.scene, battle.state, 0) == (ASSAULT,)
    assert shooting_types(battle.scene, battle.state, 1) == ()
    battle.state.units[1].advanced = False
    assert shooting_types(battle.scene, battle.state, 1) == (NORMAL,)
    assert broken(battle, ASSAULT, aim("b.1", 4)) == set()
    assert broken(battle, ASSAULT, aim("b.1", 0)) == {"11e.core.10.05-assault"}


@pytest.mark.rule("11e.core.10.06-close-quarters", "11e.24.07-close-quarters.unit-permission")
def test_an_engaged_unit_needs_one_close_quarters_weapon_or_is_big():
    armed = attached(unit(4, weapons=[RIFLE]), unit(1, weapons=[PISTOL])).at(10, 10)
    battle = facing([armed, unit(1, weapons=[RIFLE]).at(30, 10), TANK.at(30, 30)], ENGAGED, unit(1).at(30, 12),
                    unit(1).at(30, 33))  # fmt: skip
    types = [shooting_types(battle.scene, battle.state, each) for each in range(3)]
    assert types == [(CLOSE,), (), (CLOSE,)]
    battle.state.units[0].advanced = True
    assert shooting_types(battle.scene, battle.state, 0) == ()


@pytest.mark.rule("11e.core.10.07-indirect", "11e.24.19-indirect-fire.unit-permission")
def test_one_indirect_fire_weapon_opens_indirect_shooting():
    mortar = attached(unit(2, weapons=[RIFLE]), unit(1, weapons=[weapon("Mortar", "INDIRECT FIRE")])).at(10, 10)
    battle = facing(mortar, FOE)
    assert shooting_types(battle.scene, battle.state, 0) == (NORMAL, INDIRECT)


@pytest.mark.rule("11e.core.10-eligible-to-shoot", "11e.core.10-fell-back-or-acting")
def test_who_may_be_selected_to_shoot():
    units = [unit(1).at(10, 10), shooters(RIFLE, fell_back=True).at(20, 10), unit(1), unit(1).at(30, 10)]
    battle = facing(units, FOE)
    eligible = [is_eligible_to_shoot(battle.scene, battle.state, each) for each in range(4)]
    assert eligible == [True, False, False, True], "without guns; fell back; not on the battlefield"
    battle.answer("a.1")
    assert not is_eligible_to_shoot(battle.scene, battle.state, 0), "once in the phase"


@pytest.mark.rule("11e.core.17.03-not-eligibility")
def test_an_engaged_monster_nearby_makes_no_engaged_unit_eligible():
    battle = facing(shooters(RIFLE), unit(1, "MONSTER", W=9).at(10, 12))
    assert not is_eligible_to_shoot(battle.scene, battle.state, 0)


@pytest.mark.rule("11e.core.01.07-shocked-may-still-act")
def test_a_battle_shocked_unit_may_shoot():
    battle = facing(shooters(RIFLE, battle_shocked=True), FOE)
    assert is_eligible_to_shoot(battle.scene, battle.state, 0)


# -- ranged targets ---------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.04.01-ranged-weapons", "11e.core.04.02-ranged-targets")
def test_any_number_of_weapons_each_at_one_unit_in_range():
    battle = facing(shooters(RIFLE, RIFLE), unit(1).at(10, 20), unit(1).at(14, 20), unit(1).at(10, 40))
    assert broken(battle, NORMAL) == set(), "none at all"
    assert broken(battle, NORMAL, aim("b.1", 0), aim("b.2", 0, weapon=1)) == set()
    assert broken(battle, NORMAL, aim("b.3", 0)) == {TARGETS}, "28.7 inches away"
    assert broken(battle, NORMAL, aim("b.1", 0), aim("b.2", 0)) == {TARGETS}, "two targets"
    assert broken(battle, NORMAL, aim("b.1", 0, count=1)) == {TARGETS}, "ranged attacks are not divided"


@pytest.mark.rule("11e.core.04-steps", "11e.core.04.02-targets-before-dice", "11e.core.04.01-profiles")
def test_a_declaration_names_what_there_is():
    twin = weapon("Gun")
    battle = facing([shooters(twin, SWORD), unit(1).at(30, 30)], FOE)
    steps = "11e.core.04-steps"
    for wrong in (aim("b.1", 5), aim("b.1", 0, weapon=9), aim("a.2", 0), aim("a.9", 0)):
        assert broken(battle, NORMAL, wrong) == {steps}
    assert broken(battle, NORMAL, aim("b.1", 0, profile=3)) == {"11e.core.04.01-profiles"}
    assert broken(battle, NORMAL, aim("b.1", 0, weapon=1)) == {"11e.core.04.01-ranged-weapons"}
    space = DeclareSpace(battle, 0, NORMAL)
    assert [violation.rule for violation in space.check(Pick("end"))] == [steps]


@pytest.mark.rule("11e.core.04.01-profiles")
def test_a_weapon_is_used_in_one_profile():
    two = weapon("Plasma")
    both = type(two)("Plasma", (two.profiles[0], weapon("Plasma", S=8).profiles[0]))
    battle = facing(shooters(both), FOE)
    assert broken(battle, NORMAL, aim("b.1", 0, profile=1)) == set()
    assert broken(battle, NORMAL, aim("b.1", 0), aim("b.1", 0, profile=1)) == {"11e.core.04.01-profiles"}


@pytest.mark.rule("11e.core.04.02-ranged-targets", "11e.core.17.03-shooting-at-engaged", "11e.core.17.03-no-blast")
def test_engaged_units_are_spared_but_monsters_and_vehicles():
    friends = [shooters(RIFLE, weapon("Blaster", "BLAST")), unit(2).at(10, 18, apart=6)]
    battle = facing(friends, unit(1).at(10, 20), unit(1, "MONSTER", W=9).at(16, 20))
    assert broken(battle, NORMAL, aim("b.1", 0)) == {TARGETS}
    assert broken(battle, NORMAL, aim("b.2", 0)) == set()
    assert broken(battle, NORMAL, aim("b.2", 0, weapon=1)) == {"11e.core.17.03-no-blast"}
    battle.state.turn = 1
    assert broken(battle, NORMAL, aim("b.2", 0)) == {TARGETS}, "in the own Shooting phase only"


@pytest.mark.rule("11e.core.01.10-off-the-battlefield", "11e.core.01.04-measure-closest-points")
def test_who_is_off_the_battlefield_is_no_target_and_heights_count_in_distances():
    sniper = weapon("Sniper", R='10"')
    battle = facing(shooters(sniper), unit(1), FOE, unit(1).on((10, 18, 6)))
    assert broken(battle, NORMAL, aim("b.1", 0)) == {"11e.core.04-steps"}
    assert broken(battle, NORMAL, aim("b.2", 0)) == set(), "8.7 inches across"
    assert broken(battle, NORMAL, aim("b.3", 0)) == set(), "6.7 across and 6 up: 9.04"
    battle.state.position[3, 2] = 9000
    assert broken(battle, NORMAL, aim("b.3", 0)) == {TARGETS}, "6.7 across and 9 up: 11.2"


@pytest.mark.rule("11e.core.01.08-destroyed-keywords", "11e.core.17.03-shooting-at-engaged")
def test_a_destroyed_monster_no_longer_makes_its_unit_one():
    friends = [shooters(RIFLE), unit(1).at(16, 18)]
    beasts = attached(unit(1), unit(1, "MONSTER", W=9)).on((16, 20), (19, 20))
    assert broken(facing(friends, beasts), NORMAL, aim("b.1", 0)) == set()
    assert broken(facing(friends, beasts.having(wounds=(1, 0))), NORMAL, aim("b.1", 0)) == {TARGETS}


@pytest.mark.rule("11e.core.04.01-hunter")
def test_a_hunter_profile_reaches_only_its_prey():
    battle = facing(shooters(weapon("Lance", "HUNTER-VEHICLE")), FOE, TANK.at(14, 20))
    assert broken(battle, NORMAL, aim("b.1", 0)) == {"11e.core.04.01-hunter"}
    assert broken(battle, NORMAL, aim("b.2", 0)) == set()


@pytest.mark.rule("11e.core.10.06-other-models", "11e.core.10.06-close-quarters")
def test_in_close_quarters_small_models_use_close_quarters_weapons_at_their_enemies():
    battle = facing(shooters(PISTOL, RIFLE), ENGAGED, ASIDE)
    others = "11e.core.10.06-other-models"
    assert broken(battle, CLOSE, aim("b.1", 0)) == set()
    assert broken(battle, CLOSE, aim("b.1", 0, weapon=1)) == {others}
    assert broken(battle, CLOSE, aim("b.2", 0)) == {others}


@pytest.mark.rule("11e.core.10.06-close-quarters", "11e.core.10.06-blast")
def test_in_close_quarters_big_models_use_anything_but_blast_at_their_enemies():
    battle = facing(shooters(RIFLE, weapon("Blaster", "BLAST"), keywords=("VEHICLE",)), ENGAGED, ASIDE)
    assert broken(battle, CLOSE, aim("b.1", 0), aim("b.2", 0, weapon=1)) == set()
    assert broken(battle, CLOSE, aim("b.1", 0, weapon=1)) == {"11e.core.10.06-blast"}


@pytest.mark.rule("11e.24.24-lone-operative.no-indirect", "11e.24.24-lone-operative.x-form-indirect")
@pytest.mark.parametrize(("ability", "limit"), [("Lone Operative", 12), ('Lone Operative 15"', 15)])
def test_a_lone_operative_far_away_is_no_target_of_indirect_fire(ability, limit):
    mortar = weapon("Mortar", "INDIRECT FIRE", R='48"')
    width = 32 / 25.4
    battle = facing(
        shooters(mortar, models=2).on((10, 10), (10, 10 - 0.5)),
        unit(1, abilities=(ability,)).at(10, 10 + limit + width),
    )
    assert broken(battle, INDIRECT, aim("b.1", 0)) == set()
    assert "11e.24.24-lone-operative.no-indirect" in broken(battle, INDIRECT, aim("b.1", 1))


# -- which weapons of a model -----------------------------------------------------------------------------------

EITHER_OR = "11e.24.07-close-quarters.either-or-per-model"


@pytest.mark.rule(
    "11e.24.07-close-quarters.either-or-per-model",
    "11e.core.04.01-close-quarters-or-others",
    "11e.24.07-close-quarters.choice-is-per-model",
    "11e.24.07-close-quarters.monster-vehicle-exempt",
    "11e.24.27-pistol.same-as-close-quarters",
)
def test_close_quarters_weapons_or_the_others_for_each_model():
    close = weapon("Handgun", "CLOSE-QUARTERS")
    guns = (PISTOL, close, RIFLE)
    battle = facing([shooters(*guns, models=2), shooters(*guns, keywords=("VEHICLE",)).at(14, 10)], FOE)
    assert broken(battle, NORMAL, aim("b.1", 0), aim("b.1", 0, weapon=1)) == set(), "a pistol is one of them"
    assert broken(battle, NORMAL, aim("b.1", 0), aim("b.1", 0, weapon=2)) == {EITHER_OR}
    assert broken(battle, NORMAL, aim("b.1", 0), aim("b.1", 1, weapon=2)) == set()
    assert broken(battle, NORMAL, aim("b.1", 2), aim("b.1", 2, weapon=2), unit="a.2") == set()


@pytest.mark.rule(
    "11e.24.26-one-shot.once-per-battle",
    "11e.24.26.01-multiple-one-shot.each-once",
    "11e.24.26-one-shot.returned-model",
)
def test_each_copy_of_a_one_shot_weapon_is_selected_once_in_a_battle():
    missile = weapon("Missile", "ONE SHOT")
    spent = shooters(missile, missile, models=2).having(one_shot=frozenset({(0, 0)}))
    battle = facing(spent, FOE)
    once = "11e.24.26-one-shot.once-per-battle"
    assert broken(battle, NORMAL, aim("b.1", 0)) == {once}, "destroyed and revived or not, the row remembers"
    assert broken(battle, NORMAL, aim("b.1", 0, weapon=1), aim("b.1", 1)) == set()


# -- fighting ---------------------------------------------------------------------------------------------------

ONE_WEAPON = "11e.core.04.01-melee-weapons"
MELEE_TARGETS = "11e.core.04.02-melee-targets"
TAIL = weapon("Tail", "EXTRA ATTACKS", melee=True, A=2)
HAMMER = weapon("Hammer", melee=True, A=3)


def brawl(*weapons, a=None, b=(ENGAGED,)):
    return scene(a or unit(1, weapons=weapons, W=6).at(10, 10), list(b), phase=Phase.FIGHT)


@pytest.mark.rule("11e.core.04.01-melee-weapons")
def test_a_fighting_model_uses_exactly_one_melee_weapon():
    battle = brawl(SWORD, HAMMER, RIFLE)
    assert broken(battle, FIGHT, aim("b.1", 0)) == set()
    assert broken(battle, FIGHT) == {ONE_WEAPON}
    assert broken(battle, FIGHT, aim("b.1", 0), aim("b.1", 0, weapon=1)) == {ONE_WEAPON}
    assert ONE_WEAPON in broken(battle, FIGHT, aim("b.1", 0), aim("b.1", 0, weapon=2))


@pytest.mark.rule(
    "11e.24.11-extra-attacks.in-addition",
    "11e.24.11-extra-attacks.select-all",
    "11e.24.11-extra-attacks.one-other",
    "11e.24.11.01-only-extra-attacks.not-required",
)
def test_extra_attacks_come_all_and_on_top_of_one_other_weapon():
    battle = brawl(SWORD, HAMMER, TAIL, TAIL)
    sword, hammer = aim("b.1", 0), aim("b.1", 0, weapon=1)
    tails = (aim("b.1", 0, weapon=2), aim("b.1", 0, weapon=3))
    assert broken(battle, FIGHT, sword, *tails) == broken(battle, FIGHT, hammer, *tails) == set()
    assert broken(battle, FIGHT, sword, tails[0]) == {"11e.24.11-extra-attacks.select-all"}
    assert broken(battle, FIGHT, sword, hammer, *tails) == {"11e.24.11-extra-attacks.one-other"}
    assert broken(brawl(TAIL), FIGHT, aim("b.1", 0)) == set(), "the tail alone"


@pytest.mark.rule("11e.core.04.02-melee-targets")
def test_melee_targets_are_engaged_with_the_model_itself():
    two = unit(2, weapons=[SWORD]).on((10, 10), (12, 10))
    battle = brawl(a=two, b=(ENGAGED.at(9, 12), unit(1).at(14, 11)))
    assert broken(battle, FIGHT, aim("b.1", 0), aim("b.2", 1)) == set()
    assert broken(battle, FIGHT, aim("b.2", 0), aim("b.2", 1)) == {MELEE_TARGETS}


@pytest.mark.rule("11e.core.04.02-melee-targets")
def test_melee_attacks_are_divided_with_one_for_each_target_and_none_left_over():
    battle = brawl(SWORD, weapon("Claws", melee=True, A="D6"), b=(ENGAGED, unit(1).at(12, 11)))
    for first, second, refused in ((3, 1, set()), (4, 0, {MELEE_TARGETS}), (2, 1, {MELEE_TARGETS})):
        assert broken(battle, FIGHT, aim("b.1", 0, count=first), aim("b.2", 0, count=second)) == refused
    assert broken(battle, FIGHT, aim("b.1", 0), aim("b.2", 0)) == {MELEE_TARGETS}, "how many for each?"
    assert broken(battle, FIGHT, aim("b.1", 0, count=2), aim("b.1", 0, count=2)) == {MELEE_TARGETS}
    random_a = aim("b.1", 0, weapon=1, count=1), aim("b.2", 0, weapon=1, count=1)
    assert broken(battle, FIGHT, *random_a) == {MELEE_TARGETS}
    assert broken(battle, FIGHT, aim("b.1", 0, weapon=1)) == set()


# -- what every space promises ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(AttackKind))
def test_default_and_samples_are_legal_and_describe_lists_what_is_possible(kind):
    guns = (
        PISTOL,
        RIFLE,
        weapon("Mortar", "INDIRECT FIRE", "ASSAULT"),
        weapon("Missile", "ONE SHOT"),
        SWORD,
        TAIL,
        HAMMER,
    )
    near = kind in (CLOSE, FIGHT)
    foes = [ENGAGED, unit(3).at(6, 11)] if near else [FOE, unit(3).at(20, 20)]
    battle = facing(shooters(*guns, models=3), *foes)
    battle.state.units[0].snap_target = 1
    space = DeclareSpace(battle, 0, kind)
    assert space.options() == ()
    default = space.default()
    assert isinstance(default, Declare)
    assert default.attacks
    assert space.check(default) == []
    rng = random.Random(1)
    samples = {space.sample(rng) for _ in range(40)}
    assert len(samples) > 5
    assert [space.check(sample) for sample in samples] == [[]] * len(samples)
    described = space.describe()
    assert described["attack"] == kind
    assert all(use["targets"] for use in described["uses"])
