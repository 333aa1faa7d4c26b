"""Weapon abilities of the 11th edition at work in an attack (chapter 24)."""

from __future__ import annotations

import pytest

from battlewright.attacks.description import RerollWhich
from battlewright.core.dice import Modifier
from battlewright.editions.eleventh.ability_text import WeaponAbilityName, parse_weapon_ability
from battlewright.editions.eleventh.attack import AttackContext, compile_volley
from battlewright.editions.eleventh.circumstances import has_cover
from battlewright.editions.eleventh.modifiers import Change, Operation
from battlewright.editions.eleventh.target import allocation_groups, precision_choices
from battlewright.editions.eleventh.weapon_abilities import (
    abilities_in_force,
    anti_threshold,
    hazard_rolls,
    heavy_applies,
    instances_to_choose,
    is_psychic_attack,
    rapid_fire_dice,
    within_half_range,
    without_excluded,
)
from ledger.eleventh_builders import attack, attacks, model, outcome, squad, weapon

INFANTRY = squad(*[model("INFANTRY")] * 5)
BEASTS = squad(*[model("BEASTS")] * 5)
MONSTER = squad(model("MONSTER", W=12))
VEHICLE = squad(model("VEHICLE", W=12))


# --- 24.01: keywords after an ability


@pytest.mark.rule("11e.24.01-abilities.keyword-gate")
def test_ignores_cover_with_keywords_works_against_those_keywords() -> None:
    gun = weapon("IGNORES COVER: MONSTER/VEHICLE", BS="3+")
    assert outcome(gun, VEHICLE, "hit", 3, cover=True) == "hit"
    assert outcome(gun, INFANTRY, "hit", 3, cover=True) == "miss"


@pytest.mark.rule("11e.24.01-abilities.keyword-gate-example-lethal")
def test_lethal_hits_against_vehicles_only() -> None:
    gun = weapon("LETHAL HITS: VEHICLE")
    assert attack(gun, VEHICLE, ("hit", "6"), ("save", "1"))[0].damage == 1
    assert attack(gun, INFANTRY, ("hit", "6"), ("wound", "1"))[0].damage == 0


@pytest.mark.rule("11e.24.01-abilities.keyword-gate-example-sustained")
def test_sustained_hits_against_infantry_or_beasts_only() -> None:
    gun = weapon("SUSTAINED HITS 1: INFANTRY/BEASTS")
    assert attack(gun, INFANTRY, ("hit", "6"), ("wound", "11"))[0].outcomes["wound"]["fail"] == 2
    assert attack(gun, BEASTS, ("hit", "6"), ("wound", "11"))[0].outcomes["wound"]["fail"] == 2
    assert attack(gun, MONSTER, ("hit", "6"), ("wound", "1"))[0].outcomes["wound"]["fail"] == 1


# --- 24.02: duplicated abilities


@pytest.mark.rule("11e.24.02-duplicated-abilities.not-cumulative")
def test_instances_of_one_ability_never_add_up() -> None:
    gun, granted = weapon("RAPID FIRE 1", A=2), (parse_weapon_ability("RAPID FIRE 2"),)
    assert attacks(gun, INFANTRY, half_range=True, granted=granted) == 4
    assert attacks(gun, INFANTRY, half_range=True, granted=granted, chosen=gun.abilities) == 3


@pytest.mark.rule(
    "11e.24.02-duplicated-abilities.weapon-number-is-duplicate",
    "11e.24.02-duplicated-abilities.weapon-selection-timing",
)
def test_the_controller_chooses_one_of_two_sustained_hits_each_time() -> None:
    gun = weapon("SUSTAINED HITS 1", "SUSTAINED HITS 2")
    one, two = instances_to_choose(gun)
    assert (str(one), str(two)) == ("SUSTAINED HITS 1", "SUSTAINED HITS 2")
    assert attack(gun, INFANTRY, ("hit", "6"), ("wound", "111"), chosen=(two,))[0].outcomes["wound"]["fail"] == 3
    assert attack(gun, INFANTRY, ("hit", "6"), ("wound", "11"), chosen=(one,))[0].outcomes["wound"]["fail"] == 2


@pytest.mark.rule("11e.24.02-duplicated-abilities.weapon-keyword-is-duplicate")
def test_anti_with_two_keywords_forces_a_choice() -> None:
    gun = weapon("ANTI-VEHICLE 4+", "ANTI-INFANTRY 2+", S=1)
    vehicle, infantry = gun.abilities
    assert [each.keyword for each in abilities_in_force(gun, INFANTRY.keywords, chosen=(vehicle,))] == ["VEHICLE"]
    assert outcome(gun, INFANTRY, "wound", 3, chosen=(vehicle,)) == "fail"
    assert outcome(gun, INFANTRY, "wound", 3, chosen=(infantry,)) == "critical-wound"


# --- 24.03: ANTI


@pytest.mark.rule("11e.24.03-anti.critical-threshold", "11e.24.03-anti.keyword-required")
def test_anti_makes_critical_wounds_against_its_keyword_only() -> None:
    gun = weapon("ANTI-MONSTER 3+", S=4)
    assert outcome(gun, MONSTER, "wound", 3) == "critical-wound"
    assert outcome(gun, INFANTRY, "wound", 4) == "wound"


@pytest.mark.rule("11e.24.03-anti.unmodified-value")
def test_the_threshold_of_anti_is_compared_with_the_unmodified_die() -> None:
    gun, flyer = weapon("ANTI-FLY 4+", S=1), squad(model("FLY"))
    assert outcome(gun, flyer, "wound", 4, wound_modifiers=(Modifier("", -1),)) == "critical-wound"
    assert outcome(gun, flyer, "wound", 3, wound_modifiers=(Modifier("", 1),)) == "fail"


@pytest.mark.rule("11e.24.03-anti.example-vehicle", "11e.24.03-anti.example-psyker")
def test_the_worked_examples_of_anti() -> None:
    tank_killer, witch_hunter = weapon("ANTI-VEHICLE 4+", S=1), weapon("ANTI-PSYKER 2+", S=1)
    psyker = squad(model("PSYKER"))
    criticals = [die for die in range(1, 7) if outcome(tank_killer, VEHICLE, "wound", die) == "critical-wound"]
    assert criticals == [4, 5, 6]
    criticals = [die for die in range(1, 7) if outcome(witch_hunter, psyker, "wound", die) == "critical-wound"]
    assert criticals == [2, 3, 4, 5, 6]


@pytest.mark.rule("11e.ds-keywords.attacks-target-units")
def test_an_attack_asks_the_keywords_of_the_whole_unit() -> None:
    mixed = squad(*[model("INFANTRY")] * 4, model("INFANTRY", "CHARACTER"))
    gun = weapon("ANTI-CHARACTER 4+", S=1)
    assert outcome(gun, mixed, "wound", 4) == "critical-wound"
    assert anti_threshold(gun.abilities[0], mixed.keywords) == 4


# --- 24.05, 24.06, 24.30: additional attack dice


@pytest.mark.rule(
    "11e.24.05-blast.per-five-models",
    "11e.24.05-blast.round-down",
    "11e.24.05-blast.x-form-replaces",
    "11e.24.05-blast.example",
)
@pytest.mark.parametrize(
    ("ability", "printed", "models", "dice"),
    [
        ("BLAST", 2, 10, 4),
        ("BLAST", 1, 4, 1),
        ("BLAST", 1, 5, 2),
        ("BLAST", 1, 9, 2),
        ("BLAST", 1, 14, 3),
        ("BLAST 3", 1, 11, 7),
        ("BLAST 2", 3, 12, 7),
    ],
)
def test_blast_counts_full_fives(ability: str, printed: int, models: int, dice: int) -> None:
    assert attacks(weapon(ability, A=printed), squad(*[model("INFANTRY")] * models)) == dice


@pytest.mark.rule("11e.24.05-blast.counted-at-select-targets")
def test_blast_counts_the_models_of_the_select_targets_step() -> None:
    assert attacks(weapon("BLAST"), squad(*[model("INFANTRY")] * 4), target_models=10) == 3


@pytest.mark.rule(
    "11e.24.06-cleave.extra-dice",
    "11e.24.06-cleave.single-target-only",
    "11e.24.06-cleave.round-down",
    "11e.24.06-cleave.example",
    "11e.24.06-cleave.counted-at-select-targets",
)
def test_cleave_counts_full_fives_of_its_only_target() -> None:
    ten, nine, four = (squad(*[model("INFANTRY")] * count) for count in (10, 9, 4))
    assert attacks(weapon("CLEAVE 2", melee=True, A=5), ten) == 9
    assert attacks(weapon("CLEAVE 2", melee=True, A=5), ten, single_target=False) == 5
    assert [attacks(weapon("CLEAVE 1", melee=True, A=2), target) for target in (four, nine)] == [2, 3]
    assert attacks(weapon("CLEAVE 1", melee=True, A=3), squad(*[model("INFANTRY")] * 16)) == 6
    assert attacks(weapon("CLEAVE 1", melee=True, A=2), squad(*[model("INFANTRY")] * 8), target_models=15) == 5


@pytest.mark.rule("11e.24.30-rapid-fire.extra-dice", "11e.24.30-rapid-fire.example")
@pytest.mark.parametrize(
    ("ability", "printed", "distance", "dice"),
    [
        ("RAPID FIRE 2", 3, 12.0, 5),
        ("RAPID FIRE 2", 3, 12.5, 3),
        ("RAPID FIRE 1", 1, 6.0, 2),
    ],
)
def test_rapid_fire_adds_dice_within_half_range(ability: str, printed: int, distance: float, dice: int) -> None:
    gun = weapon(ability, A=printed, R='24"')
    assert attacks(gun, INFANTRY, half_range=within_half_range(distance, gun.range)) == dice


@pytest.mark.rule("11e.24.30-rapid-fire.measured-at-select-targets")
def test_half_range_is_judged_when_targets_are_selected() -> None:
    gun = weapon("RAPID FIRE 1", R='24"')
    judged = within_half_range(11, gun.range)
    assert not within_half_range(14, gun.range)
    assert rapid_fire_dice(gun.abilities[0], judged)[0] == 1
    assert attacks(gun, INFANTRY, half_range=judged) == 2


# --- 24.10: DEVASTATING WOUNDS


@pytest.mark.rule("11e.24.10-devastating-wounds.sequence-ends", "11e.24.10-devastating-wounds.mortal-equals-d")
def test_a_devastating_critical_wound_is_not_saved_and_inflicts_damage_as_mortal_wounds() -> None:
    target = squad(*[model("INFANTRY", W=3, Sv="2+", InSv="4+")] * 2)
    done, left = attack(weapon("DEVASTATING WOUNDS", D=2), target, ("hit", "4"), ("wound", "6"))
    assert done.packets == {"damage": 0, "devastating": 1}
    assert left == [1, 3]


@pytest.mark.rule("11e.24.10-devastating-wounds.after-normal-damage")
def test_devastating_wounds_come_after_normal_damage() -> None:
    target = squad(model("INFANTRY", Sv="2+"), model("INFANTRY", Sv="2+"))
    gun = weapon("DEVASTATING WOUNDS", A=2)
    volley = compile_volley(gun, 1, AttackContext(), target)
    assert [(packet.name, packet.stage) for packet in volley.packets] == [("damage", 0), ("devastating", 1)]
    _, left = attack(gun, target, ("hit", "44"), ("wound", "64"), ("save", "1"))
    assert left == [0, 0]


@pytest.mark.rule(
    "11e.24.10-devastating-wounds.one-model-per-critical",
    "11e.24.10-devastating-wounds.excess-lost",
    "11e.24.10-devastating-wounds.example-intercessors",
)
@pytest.mark.parametrize(("damage", "wounds"), [(3, 1), (4, 3), (3, 2)])
def test_one_critical_wound_destroys_one_model_at_most(damage: int, wounds: int) -> None:
    target = squad(*[model("INFANTRY", W=wounds)] * 5)
    _, left = attack(weapon("DEVASTATING WOUNDS", D=damage), target, ("hit", "4"), ("wound", "6"))
    assert left == [0, wounds, wounds, wounds, wounds]


# --- 24.12: Feel No Pain


@pytest.mark.rule("11e.core.05.04-feel-no-pain")
def test_feel_no_pain_is_rolled_for_every_wound_mortal_ones_too() -> None:
    target = squad(model("INFANTRY", W=3, abilities=("Feel No Pain 5+",)))
    _, left = attack(weapon(D=3), target, ("hit", "4"), ("wound", "4"), ("save", "1"), ("feel-no-pain", "546"))
    assert left == [2]
    gun = weapon("DEVASTATING WOUNDS", D=3)
    _, left = attack(gun, target, ("hit", "4"), ("wound", "6"), ("feel-no-pain", "541"))
    assert left == [1]


# --- 24.15, 24.16: HAZARDOUS, HEAVY


@pytest.mark.rule("11e.24.15-hazardous.count", "11e.24.15-hazardous.shoot-and-fight", "11e.core.24-hazardous")
def test_one_hazard_roll_for_each_hazardous_weapon_selected() -> None:
    assert hazard_rolls([weapon("HAZARDOUS")] * 3 + [weapon()]) == 3
    assert hazard_rolls([weapon("HAZARDOUS", melee=True)]) == 1


STEADY = {"own_shooting_phase": True, "engaged": False, "set_up_this_turn": False}


@pytest.mark.rule("11e.24.16-heavy.plus-one-to-hit", "11e.24.16-heavy.moved-at-most-three", "11e.core.24-heavy")
def test_heavy_adds_one_to_hit_for_a_steady_unit() -> None:
    gun = weapon("HEAVY", BS="4+")
    assert outcome(gun, INFANTRY, "hit", 3, heavy=heavy_applies(**STEADY, moved=[0] * 5)) == "hit"
    assert outcome(gun, INFANTRY, "hit", 3, heavy=heavy_applies(**STEADY, moved=[3, 2, 3])) == "hit"
    assert outcome(gun, INFANTRY, "hit", 3, heavy=heavy_applies(**STEADY, moved=[0, 0, 3.5])) == "miss"
    assert outcome(weapon(BS="4+"), INFANTRY, "hit", 3, heavy=True) == "miss"


@pytest.mark.rule(
    "11e.24.16-heavy.own-shooting-phase", "11e.24.16-heavy.unengaged", "11e.24.16-heavy.not-set-up-this-turn"
)
@pytest.mark.parametrize("broken", [{"own_shooting_phase": False}, {"engaged": True}, {"set_up_this_turn": True}])
def test_heavy_gives_nothing_when_a_condition_is_missing(broken: dict[str, bool]) -> None:
    applies = heavy_applies(**{**STEADY, **broken}, moved=[0])
    assert outcome(weapon("HEAVY", BS="4+"), INFANTRY, "hit", 3, heavy=applies) == "miss"


# --- 24.18, 24.33: IGNORES COVER, Stealth


@pytest.mark.rule("11e.24.18-ignores-cover.no-cover")
def test_cover_counts_against_weapons_that_do_not_ignore_it() -> None:
    assert outcome(weapon("IGNORES COVER"), INFANTRY, "hit", 3, cover=True) == "hit"
    assert outcome(weapon(), INFANTRY, "hit", 3, cover=True) == "miss"


@pytest.mark.rule(
    "11e.24.18-ignores-cover.overrides-granted-cover", "11e.24.33-stealth.cover-vs-ranged", "11e.core.13.08-by-rule"
)
def test_stealth_is_cover_against_ranged_attacks_that_do_not_ignore_it() -> None:
    stealthy = squad(*[model("INFANTRY", abilities=("Stealth",))] * 5)
    assert outcome(weapon(), stealthy, "hit", 3) == "miss"
    assert outcome(weapon("IGNORES COVER"), stealthy, "hit", 3) == "hit"
    assert outcome(weapon(melee=True), stealthy, "hit", 3) == "hit"


@pytest.mark.rule("11e.24.33-stealth.every-model", "11e.24.33-stealth.cover-vs-ranged")
def test_one_model_without_stealth_switches_it_off() -> None:
    mixed = squad(*[model("INFANTRY", abilities=("Stealth",))] * 5, model("INFANTRY", "CHARACTER"), bodyguards=5)
    assert not has_cover(weapon(), (), AttackContext(), mixed)
    assert outcome(weapon(), mixed, "hit", 3) == "hit"


# --- 24.21, 24.38: LANCE, TWIN-LINKED


@pytest.mark.rule("11e.24.21-lance.plus-one-to-wound", "11e.24.21-lance.no-charge-no-bonus")
def test_lance_adds_one_to_wound_after_a_charge() -> None:
    spear = weapon("LANCE", melee=True)
    assert outcome(spear, INFANTRY, "wound", 3, charged=True) == "wound"
    assert outcome(spear, INFANTRY, "wound", 3) == "fail"


@pytest.mark.rule("11e.24.38-twin-linked.reroll-wound")
def test_twin_linked_lets_any_wound_roll_be_thrown_again() -> None:
    gun = weapon("TWIN-LINKED")
    done, _ = attack(gun, INFANTRY, ("hit", "4"), ("wound", "2"), ("wound-reroll", "5"), ("save", "6"))
    assert done.outcomes["wound"]["wound"] == 1
    permission = compile_volley(gun, 1, AttackContext(), INFANTRY).step("wound").reroll
    assert permission is not None
    assert permission.widest is RerollWhich.ALL


# --- 24.23, 24.36: LETHAL HITS, SUSTAINED HITS


@pytest.mark.rule("11e.24.23-lethal-hits.auto-wound-option", "11e.24.23-lethal-hits.no-wound-roll")
def test_a_lethal_hit_wounds_without_a_roll_and_so_never_critically() -> None:
    gun = weapon("LETHAL HITS", "DEVASTATING WOUNDS", S=1)
    done, _ = attack(gun, squad(model("INFANTRY", T=4)), ("hit", "6"), ("save", "2"))
    assert "wound" not in done.outcomes
    assert done.packets == {"damage": 1, "devastating": 0}
    assert done.damage == 1


@pytest.mark.rule("11e.24.23-lethal-hits.may-decline")
def test_the_automatic_wound_may_be_declined_for_the_chance_of_a_critical_one() -> None:
    gun = weapon("LETHAL HITS", "DEVASTATING WOUNDS", D=2)
    _, left = attack(gun, squad(model("INFANTRY", W=3)), ("hit", "6"), ("wound", "6"), lethal="decline")
    assert left == [1]


@pytest.mark.rule("11e.24.36-sustained-hits.extra-hits", "11e.24.36-sustained-hits.example")
def test_a_critical_hit_causes_additional_hits() -> None:
    done, _ = attack(weapon("SUSTAINED HITS 1", A=3), INFANTRY, ("hit", "641"), ("wound", "111"))
    assert done.outcomes["wound"]["fail"] == 3
    done, _ = attack(weapon("SUSTAINED HITS 2"), INFANTRY, ("hit", "6"), ("wound", "111"))
    assert done.outcomes["wound"]["fail"] == 3


@pytest.mark.rule("11e.24.36-sustained-hits.extra-are-not-critical", "11e.core.24-sustained-not-critical")
def test_additional_hits_are_not_critical() -> None:
    gun = weapon("SUSTAINED HITS 2", "LETHAL HITS")
    done, _ = attack(gun, INFANTRY, ("hit", "6"), ("wound", "11"), ("save", "6"))
    assert done.packets == {"damage": 1}
    assert done.outcomes["wound"]["fail"] == 2


# --- 24.25: MELTA


@pytest.mark.rule("11e.24.25-melta.adds-to-d", "11e.24.25-melta.example")
@pytest.mark.parametrize(
    ("ability", "printed", "reach", "distance", "die", "lost"),
    [("MELTA 3", "D3", 18, 9.0, 2, 5), ("MELTA 3", "D3", 18, 9.5, 2, 2), ("MELTA 2", "D6", 12, 6.0, 4, 6)],
)
def test_melta_adds_to_damage_within_half_range(
    ability: str, printed: str, reach: int, distance: float, die: int, lost: int
) -> None:
    gun = weapon(ability, D=printed, S=9, R=f'{reach}"')
    near = within_half_range(distance, gun.range)
    script = (("hit", "4"), ("wound", "4"), ("save", "1"), ("damage", str(die)))
    assert attack(gun, VEHICLE, *script, half_range=near)[0].damage == lost


@pytest.mark.rule("11e.24.25-melta.measured-at-select-targets", "11e.24.25-melta.duration")
def test_the_increased_damage_stays_until_the_attacks_are_resolved_and_no_longer() -> None:
    gun = weapon("MELTA 2", D="D6", A=2, R='12"', S=9)
    judged = within_half_range(6, gun.range)
    script = (("hit", "44"), ("wound", "44"), ("save", "11"), ("damage", "1"), ("damage", "2"))
    assert attack(gun, VEHICLE, *script, half_range=judged)[0].damage == 3 + 4
    assert not within_half_range(7, gun.range)
    assert str(gun.damage) == "D6"


def test_melta_is_added_before_damage_is_halved() -> None:
    gun = weapon("MELTA 2", D="D6", S=9)
    script = (("hit", "4"), ("wound", "4"), ("save", "1"), ("damage", "3"))
    halved = (Change(Operation.DIVIDE, 2),)
    assert attack(gun, VEHICLE, *script, half_range=True, damage_changes=halved)[0].damage == 3


# --- 24.28: PRECISION


@pytest.mark.rule(
    "11e.24.28-precision.select-character-group",
    "11e.24.28-precision.timing",
    "11e.24.28-precision.visibility-required",
    "11e.24.28-precision.one-visible-is-enough",
)
def test_precision_may_pick_a_character_that_an_attacking_model_sees() -> None:
    target = squad(*[model("INFANTRY")] * 3, model("INFANTRY", "CHARACTER", W=2), bodyguards=3)
    groups = allocation_groups(target)
    assert [group.is_character for group in groups] == [False, True]
    assert precision_choices(target, groups, [[0, 1], [0], [0, 3]]) == (1,)
    assert precision_choices(target, groups, [[0, 1], [2], []]) == ()
    _, left = attack(weapon("PRECISION"), target, ("hit", "4"), ("wound", "4"), ("save", "1"), precision=3)
    assert left == [1, 1, 1, 1]
    _, left = attack(weapon(), target, ("hit", "4"), ("wound", "4"), ("save", "1"), precision=3)
    assert left == [0, 1, 1, 2]


@pytest.mark.rule("11e.24.28-precision.duration")
def test_the_picked_group_stays_current_until_it_is_destroyed() -> None:
    target = squad(*[model("INFANTRY")] * 3, model("INFANTRY", "CHARACTER", W=2), bodyguards=3)
    gun = weapon("PRECISION", A=4)
    _, left = attack(gun, target, ("hit", "4444"), ("wound", "4444"), ("save", "1111"), precision=3)
    assert left == [0, 0, 1, 0]


@pytest.mark.rule("11e.24.28.01-precision-devastating.mortals-to-character")
def test_devastating_wounds_of_a_precise_attack_go_to_the_picked_character() -> None:
    target = squad(*[model("INFANTRY")] * 3, model("INFANTRY", "CHARACTER", W=4), bodyguards=3)
    gun = weapon("PRECISION", "DEVASTATING WOUNDS", D=2)
    assert attack(gun, target, ("hit", "4"), ("wound", "6"), precision=3)[1] == [1, 1, 1, 2]
    assert attack(gun, target, ("hit", "4"), ("wound", "6"))[1] == [0, 1, 1, 4]


@pytest.mark.rule("11e.24.28.01-precision-devastating.group-already-destroyed")
def test_that_priority_is_void_once_the_group_is_destroyed() -> None:
    target = squad(*[model("INFANTRY")] * 3, model("INFANTRY", "CHARACTER", W=2), bodyguards=3)
    gun = weapon("PRECISION", "DEVASTATING WOUNDS", D=2, A=2)
    _, left = attack(gun, target, ("hit", "44"), ("wound", "46"), ("save", "1"), precision=3)
    assert left == [0, 1, 1, 0]


# --- 24.29: PSYCHIC


@pytest.mark.rule("11e.24.29-psychic.ignore-skill-modifiers")
def test_a_psychic_attack_may_ignore_a_worse_skill() -> None:
    worse = (Change(Operation.ADD, 1, "hex"),)
    assert outcome(weapon("PSYCHIC", BS="3+"), INFANTRY, "hit", 3, skill_changes=worse) == "hit"
    assert outcome(weapon("PSYCHIC", BS="3+"), INFANTRY, "hit", 3, skill_changes=worse, ignored=frozenset()) == "miss"
    assert outcome(weapon(BS="3+"), INFANTRY, "hit", 3, skill_changes=worse) == "miss"


@pytest.mark.rule("11e.24.29-psychic.ignore-hit-modifiers")
def test_a_psychic_attack_may_ignore_some_hit_modifiers() -> None:
    both = (Modifier("aim", 1), Modifier("smoke", -1))
    assert outcome(weapon("PSYCHIC", BS="3+"), INFANTRY, "hit", 2, hit_modifiers=both) == "hit"
    assert outcome(weapon(BS="3+"), INFANTRY, "hit", 2, hit_modifiers=both) == "miss"


@pytest.mark.rule("11e.24.29-psychic.psychic-attack-name", "11e.core.22.03-psychic")
def test_attacks_with_psychic_weapons_are_psychic_attacks() -> None:
    assert is_psychic_attack(weapon("PSYCHIC"))
    assert not is_psychic_attack(weapon())


# --- 24.37: TORRENT


@pytest.mark.rule("11e.24.37-torrent.auto-hit")
def test_torrent_hits_without_a_roll() -> None:
    flamer = weapon("TORRENT", "SUSTAINED HITS 1", BS="N/A", A=4)
    done, _ = attack(flamer, INFANTRY, ("wound", "1111"), hit_modifiers=(Modifier("", -1),))
    assert "hit" not in done.outcomes
    assert done.outcomes["wound"]["fail"] == 4


@pytest.mark.rule("11e.24.37.01-torrent-exclusions.no-indirect-no-precision")
def test_torrent_excludes_indirect_fire_and_precision() -> None:
    granted = tuple(parse_weapon_ability(text) for text in ("PRECISION", "INDIRECT FIRE"))
    flamer = weapon("TORRENT")
    assert without_excluded((*flamer.abilities, *granted)) == flamer.abilities
    held = abilities_in_force(flamer, frozenset(), granted)
    assert [ability.name for ability in held] == [WeaponAbilityName.TORRENT]


# --- 24.39: Damaged


@pytest.mark.rule("11e.24.39-damaged.minus-one-to-hit")
def test_a_damaged_model_has_one_less_to_hit() -> None:
    for gun in (weapon(BS="3+"), weapon(melee=True, WS="3+")):
        assert [outcome(gun, INFANTRY, "hit", die, damaged=True) for die in (3, 4)] == ["miss", "hit"]


# --- 02: random characteristics and weapons in an attack


@pytest.mark.rule("11e.ds-random.attacks-timing", "11e.ds-random.attacks-identical", "11e.core.02-random-attacks")
def test_random_attacks_are_rolled_for_each_weapon_and_pooled() -> None:
    done, _ = attack(weapon(A="D3"), INFANTRY, ("attacks", "132"), ("hit", "111111"), count=3)
    assert done.attacks == 6


@pytest.mark.rule("11e.ds-random.damage-timing", "11e.ds-weapons.damage-per-attack", "11e.core.02-random-damage")
def test_random_damage_is_rolled_for_each_attack_that_damages() -> None:
    script = (("hit", "44"), ("wound", "66"), ("save", "11"), ("damage", "2"), ("damage", "5"))
    assert attack(weapon(D="D6", A=2, S=9), VEHICLE, *script)[0].damage == 7
    fixed = attack(weapon(D=2, S=9), VEHICLE, ("hit", "4"), ("wound", "6"), ("save", "1"))
    assert fixed[0].damage == 2


@pytest.mark.rule("11e.ds-random.damage-roll-name")
def test_leave_to_throw_damage_rolls_again_reaches_a_random_damage_only() -> None:
    from battlewright.attacks.description import RerollPermission

    again = RerollPermission(RerollWhich.FAILURES)
    rolled = compile_volley(weapon(D="D6"), 1, AttackContext(reroll_damage=again), VEHICLE).packets[0]
    printed = compile_volley(weapon(D=2), 1, AttackContext(reroll_damage=again), VEHICLE).packets[0]
    assert (rolled.reroll_damage, printed.reroll_damage) == (again, None)
    script = (("hit", "4"), ("wound", "6"), ("save", "1"), ("damage", "1"), ("damage-reroll", "6"))
    assert attack(weapon(D="D6", S=9), VEHICLE, *script, reroll_damage=again)[0].damage == 6


@pytest.mark.rule("11e.ds-random.other-per-model")
def test_a_random_strength_is_rolled_for_each() -> None:
    script = (("hit", "44"), ("strength", "1166"), ("wound-2", "2"), ("wound-6", "5"), ("save", "6"))
    done, _ = attack(weapon(S="2D6"), squad(model("INFANTRY", T=4)), *script, count=2)
    assert done.outcomes["strength"] == {"2+": 1, "3+": 0, "4+": 0, "5+": 0, "6+": 1}


@pytest.mark.rule("11e.ds-weapons.attacks-dice", "11e.ds-weapons.skill-per-weapon")
def test_a_weapon_makes_its_attacks_with_its_own_skill() -> None:
    assert attacks(weapon(A=3), INFANTRY) == 3
    rifle, cannon = weapon(BS="3+"), weapon(BS="4+")
    assert [outcome(gun, INFANTRY, "hit", 3) for gun in (rifle, cannon)] == ["hit", "miss"]
