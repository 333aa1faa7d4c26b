"""The attack sequence of the 11th edition (chapters 04 and 05): what dice mean, groups, order, pools."""

from __future__ import annotations

import pytest

from battlewright.core.dice import Modifier, parse_dice
from battlewright.core.errors import BadInput
from battlewright.editions.eleventh.attack import AttackContext, TargetView, attack_key, compile_volley, pool_identical
from battlewright.editions.eleventh.attack_steps import save_stops, wound_on
from battlewright.editions.eleventh.circumstances import close_quarters_penalties
from battlewright.editions.eleventh.modifiers import Characteristic, improve
from battlewright.editions.eleventh.target import allocation_groups, is_legal_order, toughness_against
from ledger.eleventh_builders import attack, model, outcome, squad, weapon

INFANTRY = squad(*[model("INFANTRY")] * 5)


# --- 05.01, 05.02


@pytest.mark.rule("11e.core.05.01-hit")
def test_one_misses_and_six_is_critical_whatever_the_modifiers() -> None:
    best, worst = weapon(BS="2+"), weapon(BS="6+")
    names = [outcome(best, INFANTRY, "hit", die, hit_modifiers=(Modifier("", 1),)) for die in range(1, 7)]
    assert names == ["miss", "hit", "hit", "hit", "hit", "critical-hit"]
    names = [outcome(worst, INFANTRY, "hit", die, hit_modifiers=(Modifier("", -1),)) for die in range(1, 7)]
    assert names == ["miss"] * 5 + ["critical-hit"]


@pytest.mark.rule("11e.core.05.02-wound", "11e.core.05.02-wound-table")
def test_the_wound_roll_compares_strength_and_toughness() -> None:
    assert [wound_on(strength, 4) for strength in (8, 7, 5, 4, 3, 2, 1)] == [2, 3, 3, 4, 5, 6, 6]
    assert wound_on(3, 5) == 5
    names = [outcome(weapon(S=4), INFANTRY, "wound", die) for die in range(1, 7)]
    assert names == ["fail"] * 3 + ["wound"] * 2 + ["critical-wound"]


@pytest.mark.rule("11e.core.13.08-effect", "11e.core.22.05-plunging-fire", "11e.core.01.05-skill-is-not-the-roll")
def test_cover_and_plunging_fire_change_the_skill_and_not_the_roll() -> None:
    gun = weapon(BS="3+")
    assert [outcome(gun, INFANTRY, "hit", die, cover=True) for die in (3, 4)] == ["miss", "hit"]
    assert outcome(gun, INFANTRY, "hit", 2, plunging=True) == "hit"
    assert outcome(gun, INFANTRY, "hit", 3, plunging=True, cover=True) == "hit"
    lowered = (Modifier("", -1), Modifier("", -1))
    assert [outcome(gun, INFANTRY, "hit", die, cover=True, hit_modifiers=lowered) for die in (4, 5)] == ["miss", "hit"]
    assert outcome(weapon(BS="6+"), INFANTRY, "hit", 6, cover=True) == "critical-hit"


@pytest.mark.rule(
    "11e.core.10.07-indirect-penalties", "11e.core.10.07-other-weapons", "11e.core.10.07-penalties-when-visible"
)
def test_indirect_shooting_needs_sixes_or_fours_with_a_spotter() -> None:
    from battlewright.attacks.description import RerollPermission, RerollWhich

    mortar = weapon("INDIRECT FIRE", BS="3+")
    assert [outcome(mortar, INFANTRY, "hit", die, indirect=True) for die in (5, 6)] == ["miss", "critical-hit"]
    assert [outcome(mortar, INFANTRY, "hit", die, indirect=True, spotted=True) for die in (3, 4)] == ["miss", "hit"]
    assert outcome(weapon(BS="3+"), INFANTRY, "hit", 3, indirect=True) == "hit"
    context = AttackContext(indirect=True, reroll_hits=RerollPermission(RerollWhich.ALL))
    step = compile_volley(weapon("INDIRECT FIRE", BS="4+"), 1, context, INFANTRY).step("hit")
    assert step.reroll is None
    assert (step.needed, [step.outcome(die).name for die in (4, 5)]) == (6, ["miss", "miss"])


@pytest.mark.rule("11e.core.15.09-snap-shooting", "11e.core.15.09-snap-not-critical")
def test_snap_shooting_hits_on_sixes_that_are_not_critical() -> None:
    names = [
        outcome(weapon("SUSTAINED HITS 1", BS="2+"), INFANTRY, "hit", die, snap=True, critical_hits=5)
        for die in (4, 5, 6)
    ]
    assert names == ["miss", "miss", "hit"]


@pytest.mark.rule("11e.core.10.06-monsters-and-vehicles", "11e.core.17.03-penalty")
def test_monsters_and_vehicles_shoot_and_are_shot_at_in_close_quarters_with_one_less() -> None:
    def penalties(*abilities: str, close: bool, big: bool, engaged: bool, at_big: bool) -> int:
        found = close_quarters_penalties(
            weapon(*abilities),
            close_quarters_shooting=close,
            shooter_is_monster_or_vehicle=big,
            engaged_with_target=engaged,
            target_is_engaged_monster_or_vehicle=at_big,
        )
        return len(found)

    assert penalties(close=True, big=True, engaged=True, at_big=False) == 1
    assert penalties("PISTOL", close=True, big=True, engaged=True, at_big=True) == 0
    assert penalties("PISTOL", close=True, big=False, engaged=True, at_big=False) == 0
    assert penalties(close=False, big=False, engaged=False, at_big=True) == 1
    assert penalties("PISTOL", close=False, big=False, engaged=False, at_big=True) == 1


@pytest.mark.rule("11e.core.05.02-mixed-toughness", "11e.core.19.02-toughness")
def test_the_toughest_bodyguard_counts_while_one_lives() -> None:
    guard, leader = model(T=4), model("CHARACTER", T=6)
    assert toughness_against(squad(guard, guard, leader, bodyguards=2)) == 4
    assert toughness_against(squad(leader, bodyguards=0)) == 6
    assert toughness_against(squad(guard, model(T=5))) == 5


# --- 05.03, 05.04


@pytest.mark.rule("11e.core.05.03-groups", "11e.core.05.04-select-model")
def test_there_is_a_group_for_each_character_and_for_each_set_of_equals() -> None:
    squadmates = [model("INFANTRY")] * 3 + [model("INFANTRY", Sv="2+")]
    target = squad(*squadmates, model("CHARACTER"), model("CHARACTER"), remaining={}, bodyguards=4)
    assert [group.models for group in allocation_groups(target)] == [(0, 1, 2), (3,), (4,), (5,)]
    wounded = squad(*[model(W=2)] * 3, remaining={1: 1})
    assert allocation_groups(wounded)[0].models == (1, 0, 2)


@pytest.mark.rule("11e.core.05.04-ap-and-invulnerable")
@pytest.mark.parametrize(
    ("printed", "melee", "stops"),
    [
        ({"InSv ranged": "4+"}, False, 3),
        ({"InSv ranged": "4+"}, True, 0),
        ({"InSv melee": "4+"}, True, 3),
        ({"InSv melee": "4+"}, False, 0),
        ({"InSv": "5+", "InSv ranged": "4+"}, False, 3),
        ({"InSv": "5+", "InSv ranged": "4+"}, True, 2),
        ({"InSv": "4+", "InSv ranged": "5+"}, False, 3),
    ],
)
def test_an_invulnerable_save_may_hold_against_attacks_of_one_kind_alone(
    printed: dict[str, str], melee: bool, stops: int
) -> None:
    target = squad(model("INFANTRY", Sv="6+", **printed))
    volley = compile_volley(weapon(melee=melee, AP=-3), 1, AttackContext(), target)
    assert sum(volley.saves[0].stops) == stops


def test_models_with_other_invulnerable_saves_are_groups_of_their_own() -> None:
    shielded = model("INFANTRY", **{"InSv ranged": "5+"})
    assert len(allocation_groups(squad(shielded, model("INFANTRY"), shielded))) == 2


def test_models_of_one_group_with_different_feel_no_pain_are_kept_apart_but_together() -> None:
    hardy = model("INFANTRY", abilities=("Feel No Pain 5+",))
    groups = allocation_groups(squad(model("INFANTRY"), hardy, model("INFANTRY"), hardy))
    assert [(group.models, group.feel_no_pain, group.block) for group in groups] == [((1, 3), 5, 0), ((0, 2), None, 0)]


@pytest.mark.rule("11e.core.05.03-order", "11e.core.05.03-several-wounded")
def test_wounded_groups_go_first_and_characters_last() -> None:
    plain, tough, hero = model(W=2), model(W=2, Sv="2+"), model("CHARACTER", W=4)
    target = squad(plain, tough, tough, hero, hero, remaining={2: 1, 4: 3}, bodyguards=3)
    groups = allocation_groups(target)
    assert [group.models for group in groups] == [(2, 1), (0,), (4,), (3,)]
    assert is_legal_order(groups, (0, 1, 2, 3))
    assert not is_legal_order(groups, (1, 0, 2, 3))
    assert not is_legal_order(groups, (0, 2, 1, 3))
    assert not is_legal_order(groups, (0, 1, 3, 2))
    assert not is_legal_order(groups, (0, 1, 2))
    both = allocation_groups(squad(plain, tough, remaining={0: 1, 1: 1}))
    assert is_legal_order(both, (0, 1))
    assert is_legal_order(both, (1, 0))


@pytest.mark.rule("11e.core.05.04-save", "11e.core.05.04-ap-and-invulnerable", "11e.ds-weapons.ap-as-modifier")
def test_both_saves_are_tried_with_the_same_die_and_ap_touches_only_one() -> None:
    stopped = [die for die in range(1, 7) if save_stops(die, 3, 5, -3)]
    assert stopped == [5, 6]
    assert [die for die in range(1, 7) if save_stops(die, 3, None, -1)] == [4, 5, 6]
    assert [die for die in range(1, 7) if save_stops(die, 2, None, 0, modifier=1)] == [2, 3, 4, 5, 6]
    assert not any(save_stops(die, 7, None, 0, modifier=3) for die in range(1, 7))
    assert not any(save_stops(die, None, None, 0) for die in range(1, 7))


@pytest.mark.rule("11e.core.05.04-damage")
def test_damage_beyond_one_model_is_lost() -> None:
    target = squad(*[model(W=2)] * 3)
    done, left = attack(weapon(D=5, A=2), target, ("hit", "44"), ("wound", "44"), ("save", "11"))
    assert (left, done.damage) == ([0, 0, 2], 4)


def test_a_target_without_models_is_refused() -> None:
    with pytest.raises(BadInput):
        compile_volley(weapon(), 1, AttackContext(), TargetView(()))


# --- 04.03: identical attacks


@pytest.mark.rule("11e.core.04.03-identical-attacks", "11e.core.04.03-cover-splits-pools")
def test_identical_attacks_are_pooled_and_cover_splits_them() -> None:
    rifle, carbine, cannon = weapon(name="Rifle"), weapon(name="Carbine", A=2), weapon(name="Cannon", S=5)
    free, covered = AttackContext(), AttackContext(cover=True)
    pools = pool_identical([(rifle, 3, free), (carbine, 2, free), (cannon, 1, free), (rifle, 2, covered)], INFANTRY)
    assert [(pool.name, sum(d.weapons * d.each.values[0] for d in pool.dice)) for pool in pools] == [
        ("Rifle + Carbine", 7),
        ("Cannon", 1),
        ("Rifle", 2),
    ]
    high = squad(*[model(T=6)] * 5)
    assert attack_key(weapon(S=4), free, high) != attack_key(weapon(S=5), free, high)
    assert attack_key(weapon("RAPID FIRE 1"), free, high) == attack_key(weapon(), free, high)


def test_changes_of_characteristics_show_in_the_description() -> None:
    context = AttackContext(
        strength_changes=(improve(Characteristic.S, 1, "brew"),), ap_changes=(improve(Characteristic.AP, 1),)
    )
    volley = compile_volley(weapon(S=4, A="D6"), 2, context, INFANTRY)
    assert volley.step("wound").needed == 3
    assert volley.saves[0].label == "Sv 3+ at AP-1: 4+"
    assert volley.dice[0].each.dice == parse_dice("D6")


@pytest.mark.rule("11e.core.05.03-split-pools")
def test_critical_wounds_with_a_better_ap_are_a_pool_of_their_own() -> None:
    better = {
        "critical_wound_ap": (improve(Characteristic.AP, 2),),
        "critical_wound_damage": (improve(Characteristic.D, 1),),
    }
    target = squad(*[model(W=2)] * 5)
    done, left = attack(weapon(A=2), target, ("hit", "44"), ("wound", "46"), ("save", "3"), ("save", "4"), **better)
    assert done.packets == {"damage": 1, "critical": 1}
    assert done.unsaved == {"damage": 0, "critical": 1}
    assert left == [0, 2, 2, 2, 2]
    _, left = attack(weapon("DEVASTATING WOUNDS"), target, ("hit", "4"), ("wound", "6"), **better)
    assert left == [0, 2, 2, 2, 2]


@pytest.mark.rule("11e.core.05.04-mortal-wounds-after", "11e.core.06.02-devastating-wounds", "11e.core.06.02-precision")
def test_mortal_wounds_of_a_pool_come_after_its_normal_damage_and_stay_on_one_model() -> None:
    target = squad(*[model("INFANTRY")] * 3, model("INFANTRY", "CHARACTER", W=4), bodyguards=3)
    gun = weapon("DEVASTATING WOUNDS", "PRECISION", D=3, A=2)
    _, left = attack(gun, target, ("hit", "44"), ("wound", "64"), ("save", "1"), precision=3)
    assert left == [1, 1, 1, 0]
    _, left = attack(gun, target, ("hit", "44"), ("wound", "64"), ("save", "1"))
    assert left == [0, 0, 1, 4]


@pytest.mark.rule("11e.core.24-lethal-and-critical-wounds", "11e.core.24-additional-attacks")
def test_additional_attacks_and_lethal_hits_work_together() -> None:
    gun = weapon("LETHAL HITS", "RAPID FIRE 1", "BLAST")
    done, _ = attack(gun, INFANTRY, ("hit", "666"), ("save", "666"), half_range=True)
    assert (done.attacks, done.packets) == (3, {"damage": 3})


@pytest.mark.rule("11e.core.05.04-damage-modifiers")
def test_melta_adds_before_damage_is_reduced() -> None:
    from battlewright.editions.eleventh.modifiers import Change, Operation

    reduced = (Change(Operation.SUBTRACT, 1), Change(Operation.DIVIDE, 2))
    damage = compile_volley(
        weapon("MELTA 2", D=3), 1, AttackContext(half_range=True, damage_changes=reduced), INFANTRY
    ).packets[0]
    assert damage.damage.values == (2,)


@pytest.mark.rule("11e.core.05.04-save-dice-modified-first")
def test_save_dice_are_modified_before_they_are_compared() -> None:
    helped = AttackContext(save_modifiers=(Modifier("", 1),))
    assert compile_volley(weapon(), 1, helped, INFANTRY).saves[0].stops == (False, True, True, True, True, True)
