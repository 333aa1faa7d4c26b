"""The worked examples of the 11th edition's text on characteristics, keywords and abilities, each one in a battle.

The dice of a scene are written so that they would come to something else were the example not followed.
"""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.core import roster
from battlewright.core.decisions import AttackDeclaration
from battlewright.core.table import Objective
from battlewright.editions.eleventh import damage, setup
from battlewright.editions.eleventh.abilities.in_force import characteristic_in_force
from battlewright.editions.eleventh.attacking import make_attacks, resolve_attacks
from battlewright.editions.eleventh.events import StageResolved
from battlewright.editions.eleventh.modifiers import Characteristic
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from battlewright.odds import volley
from support.abilities import ability, both, condition, effect, when, with_ability
from support.combat import AttackKind, aim, attack, broken, declare, events_of, run, stages, wounds
from support.eleventh import UnitSpec, attached, decision, rules_broken, scene, shift, unit, weapon

Dice = tuple[str, tuple[int, ...]]
BLADE = weapon("Blade", melee=True)


def shot(gun: roster.Weapon, target: UnitSpec, *dice: Dice, own: tuple[roster.Ability, ...] = ()) -> Battle11:
    """One model with the gun shoots once at the unit 10" away, with these dice."""
    battle = scene(
        with_ability(unit(1, weapons=[gun]), *own).at(10, 10), target.at(10, 20), phase=Phase.SHOOTING, dice=list(dice)
    )
    attack(battle, aim("b.1", 0))
    return battle


def struck(target: UnitSpec, *dice: Dice, own: tuple[roster.Ability, ...] = ()) -> Battle11:
    """One model fights the unit in front of it with a blade of WS 3+, with these dice."""
    battle = scene(
        with_ability(unit(1, weapons=[BLADE]), *own).at(10, 10), target.at(10, 12), phase=Phase.FIGHT, dice=list(dice)
    )
    attack(battle, aim("b.1", 0), kind=AttackKind.FIGHT)
    return battle


def hurt(battle: Battle11) -> int:
    """Wounds that the only model of b.1 has lost."""
    return 6 - wounds(battle, "b.1")[0]


def needed(battle: Battle11, stage: str) -> int:
    return stages(battle, stage)[0].needed


def run_attack(battle: Battle11, *uses: tuple[AttackDeclaration, ...]) -> None:
    """Let the first unit make these attacks, whatever is left of the script."""
    run(resolve_attacks(battle, 0, declare(*uses), AttackKind.NORMAL))


TARGET = unit(1, W=6)
HIT, WOUND = ("hit", (3,)), ("wound", (4,))


# --- modifiers of characteristics (02.02.01) -------------------------------------------------------------------------


@pytest.mark.rule("11e.ds-modifier-basics.plus-example-ap")
def test_example_plus_1_ap_improves_minus_2_to_minus_3() -> None:
    gun, better = weapon("Gun", AP=-2), ability(effect("stat-modifier", stat="AP", operation="add", value=-1))
    five = ("save", (5,))  # 5 - 2 is a save of 3+, 5 - 3 is none
    assert hurt(shot(gun, TARGET, HIT, WOUND, five)) == 0
    assert hurt(shot(gun, TARGET, HIT, WOUND, five, own=(better,))) == 1


@pytest.mark.rule("11e.ds-modifier-basics.minus-example-sv")
def test_example_minus_1_sv_worsens_3_plus_to_4_plus() -> None:
    worse = ability(
        effect("stat-modifier", "enemy-within-aura", stat="Sv", operation="subtract", value=1), scope="aura-12"
    )
    three = ("save", (3,))
    assert hurt(shot(weapon(), TARGET, HIT, WOUND, three)) == 0
    assert hurt(shot(weapon(), TARGET, HIT, WOUND, three, own=(worse,))) == 1
    assert hurt(shot(weapon(), TARGET, HIT, WOUND, ("save", (4,)), own=(worse,))) == 0


@pytest.mark.rule("11e.ds-improve-worsen.improve-plus-type", "11e.ds-improve-worsen.worsen-plus-type")
@pytest.mark.parametrize(("operation", "whose", "ws"), [("add", "own", 2), ("subtract", "foe", 4)])
def test_example_ws_3_plus_improved_is_2_plus_and_worsened_4_plus(operation: str, whose: str, ws: int) -> None:
    target = "unit" if whose == "own" else "attacker"
    change = ability(effect("stat-modifier", target, stat="WS", operation=operation, value=1))
    mine, theirs = ((change,), ()) if whose == "own" else ((), (change,))
    for die in (ws - 1, ws):
        lands = [WOUND, ("save", (1,))] if die == ws else []
        battle = struck(with_ability(TARGET, *theirs), ("hit", (die,)), *lands, own=mine)
        assert needed(battle, "hit") == ws
        assert hurt(battle) == (die == ws)


@pytest.mark.rule("11e.ds-improve-worsen.improve-ap", "11e.ds-improve-worsen.worsen-ap")
@pytest.mark.parametrize(("printed", "changed", "in_use"), [(-1, -1, -2), (0, -1, -1), (-1, 1, 0), (0, 1, 0)])
def test_example_ap_minus_1_and_0_improved_and_worsened_by_1(printed: int, changed: int, in_use: int) -> None:
    better = ability(effect("stat-modifier", stat="AP", operation="improve", value=1))
    worse = ability(effect("attack-restriction", restriction="worsen-incoming-ap", value=1))
    mine, theirs = ((better,), ()) if changed < 0 else ((), (worse,))
    gun, target = weapon("Gun", AP=printed), with_ability(TARGET, *theirs)
    least = 3 - in_use
    assert hurt(shot(gun, target, HIT, WOUND, ("save", (least,)), own=mine)) == 0
    assert hurt(shot(gun, target, HIT, WOUND, ("save", (least - 1,)), own=mine)) == 1


@pytest.mark.rule("11e.ds-improve-worsen.improve-other")
def test_example_s_improved_by_1_is_1_more() -> None:
    stronger = ability(effect("stat-modifier", stat="S", operation="improve", value=1))
    three = ("wound", (3,))  # S 4 wounds T 4 on 4+, S 5 on 3+
    assert hurt(shot(weapon(), TARGET, HIT, three)) == 0
    assert hurt(shot(weapon(), TARGET, HIT, three, ("save", (1,)), own=(stronger,))) == 1


# --- modifiers of rolls ----------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.ds-roll-modifiers.above-maximum")
def test_example_a_d6_is_modified_above_6() -> None:
    faster = ability(effect("roll-modifier", operation="add", roll="advance", value=2))
    battle = scene(with_ability(unit(1), faster).at(10, 10), unit(1).at(40, 58), dice=[("advance", (6,))])
    battle.answer("a.1")
    battle.answer("advance")
    assert not rules_broken(battle, shift(battle, 0, 0, 14)), '6" and a roll of 6 + 2 = 8'
    assert rules_broken(battle, shift(battle, 0, 0, 14.1)) == {"11e.core.09.06-advance-move"}


@pytest.mark.rule("11e.ds-ignore-modifiers.example-move", "11e.ds-ignore-modifiers.all-or-some")
def test_example_of_plus_2_and_minus_2_m_the_minus_is_ignored() -> None:
    faster = ability(effect("stat-modifier", stat="M", operation="add", value=2), "Haste")
    immune = ability(effect("modifier-immunity", scope="characteristics"), "Unbound")
    mire = ability(
        effect("stat-modifier", "enemy-within-aura", stat="M", operation="subtract", value=2), scope="aura-12"
    )
    for abilities, most in (((faster,), 6), ((faster, immune), 8)):
        battle = scene(with_ability(unit(1), *abilities).at(10, 10), with_ability(unit(1), mire).at(10, 20))
        assert characteristic_in_force(battle.scene, battle.state, 0, Characteristic.M, 6) == most
        battle.answer("a.1")
        battle.answer("normal")
        assert not rules_broken(battle, shift(battle, 0, -most, 0))
        assert rules_broken(battle, shift(battle, 0, -most - 0.1, 0))


@pytest.mark.rule("11e.ds-ignore-modifiers.example-hit", "11e.ds-ignore-modifiers.all-or-some")
def test_example_of_plus_1_and_minus_1_to_hit_the_minus_is_ignored() -> None:
    better = ability(effect("roll-modifier", operation="add", roll="hit", value=1), "Aim")
    free = ability(effect("roll-modifier", operation="ignore-modifiers", roll="hit", attack_type="ranged"), "Steady")
    target = with_ability(
        TARGET, ability(effect("roll-modifier", "attacker", operation="subtract", roll="hit", value=1))
    )
    assert hurt(shot(weapon(), target, ("hit", (2,)), own=(better,))) == 0, "+1 and -1"
    battle = shot(weapon(), target, ("hit", (2,)), WOUND, ("save", (1,)), own=(better, free))
    assert hurt(battle) == 1, "+1 alone"
    assert stages(battle, "hit")[0].modifiers == (("Aim", 1),)


@pytest.mark.rule("11e.ds-random.operator-part-of-d")
def test_example_of_d6_plus_1_the_1_is_no_modifier() -> None:
    gun = weapon("Gun", D="D6+1")
    battle = shot(gun, TARGET, HIT, WOUND, ("save", (1,)), ("damage", (3,)))
    thrown = stages(battle, "damage")[0]
    assert (hurt(battle), thrown.faces, thrown.modifiers, thrown.label) == (4, (3,), (), "D6+1")
    one = ability(effect("stat-modifier", stat="D", operation="set", value=1, incoming=True))
    battle = shot(gun, with_ability(TARGET, one), HIT, WOUND, ("save", (1,)), ("damage", (3,)))
    assert hurt(battle) == 1, "a D that is set to 1 is 1: the 1 of D6+1 is part of what is replaced"
    odds = volley("A1 BS2+ S8 AP-6 DD6+1", "T4 Sv- W20", edition="11")
    assert sorted(n for n, p in enumerate(odds.damage) if p) == [0, 2, 3, 4, 5, 6, 7]


# --- conditions (02.03) ----------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.ds-abilities.nested-condition", "11e.ds-abilities.example-rerolls")
@pytest.mark.parametrize(
    ("closest", "theirs", "fails", "again"),
    [
        ("b.1", False, (1, 2), (1,)),
        ("b.1", True, (1, 2), (1, 2)),
        ("b.2", True, (1, 2), ()),
    ],
    ids=["closest", "closest-and-on-their-objective", "not-the-closest"],
)
def test_example_re_rolls_against_the_closest_target_and_all_on_an_objective_of_the_opponent(
    closest: str, theirs: bool, fails: tuple[int, int], again: tuple[int, ...]
) -> None:
    near = condition("unit-within-range-of", target_type="closest-eligible")
    held = condition("within-range-of-objective", subject="target", controlled_by="opponent")
    ranged = {"weapon_type": "ranged"}
    ones = when(near, effect("re-roll", roll="hit", subset="ones", **ranged))
    every = when(both(near, held), effect("re-roll", roll="hit", result_scope="any-result", **ranged))
    marksmen = ability({"type": "sequence", "steps": [ones, every]}, "Marksmen")
    mine = with_ability(unit(2, weapons=[weapon()]), marksmen).at(20, 10, apart=4)
    foes = [unit(1).at(22, 20 if closest == "b.1" else 29), unit(1).at(22, 29 if closest == "b.1" else 20)]
    dice: list[Dice] = [("hit", fails), *([("hit-reroll", (1,) * len(again))] if again else [])]
    battle = scene(mine, foes, phase=Phase.SHOOTING, objectives=[Objective("o", (22.0, 20.0))], dice=dice)
    battle.state.control = (1 if theirs else 0,)
    target = "b.1"
    attack(battle, aim(target, 0, 1), answers=["failures" if len(again) > 1 else "ones"] if again else [])
    assert tuple(was for _, was, _ in stages(battle, "hit")[0].rerolls) == again


# --- keywords (02.05) ------------------------------------------------------------------------------------------------


def reaches(asked: str, *keywords: str, name: str = "Squad") -> bool:
    """Whether a rule that asks for these keywords lets the unit's only shooter hit with a 2."""
    bonus = effect("roll-modifier", operation="add", roll="hit", value=1)
    rule = ability(when(condition("unit-has-keyword", keyword=asked), bonus), "Keen")
    shooter = with_ability(unit(1, *keywords, weapons=[weapon()], name=name), rule).at(10, 10)
    battle = scene(shooter, TARGET.at(10, 20), phase=Phase.SHOOTING, dice=[("hit", (2,)), ("wound", (1,))])
    run_attack(battle, aim("b.1", 0))
    return bool(stages(battle, "wound"))


@pytest.mark.rule("11e.ds-keywords.non-keyword-example")
def test_example_a_rule_for_non_vehicle_units() -> None:
    assert reaches("non-Vehicle", "INFANTRY")
    assert not reaches("non-Vehicle", "VEHICLE")
    assert not reaches("non-Vehicle", "VEHICLE", "WALKER")


@pytest.mark.rule("11e.ds-keywords.any-of-example")
@pytest.mark.parametrize("listed", ["Immortals, Deathmarks or Lychguard", "Immortals/Deathmarks/Lychguard"])
def test_example_an_immortals_deathmarks_or_lychguard_unit(listed: str) -> None:
    for name in ("Immortals", "Deathmarks", "Lychguard"):
        assert reaches(listed, "INFANTRY", "NECRONS", name=name)
    assert not reaches(listed, "INFANTRY", "NECRONS", name="Necron Warriors")


@pytest.mark.rule("11e.ds-keywords.adjacent-all")
def test_example_an_aeldari_guardians_unit() -> None:
    assert reaches("Aeldari Guardians", "INFANTRY", "AELDARI", "GUARDIANS")
    assert not reaches("Aeldari Guardians", "INFANTRY", "AELDARI")
    assert not reaches("Aeldari Guardians", "INFANTRY", "GUARDIANS")


@pytest.mark.rule("11e.ds-keywords.notation")
def test_example_vehicle_in_bold_capitals_is_a_keyword() -> None:
    gun = weapon("Gun", "ANTI-VEHICLE 4+", S=1)
    four: tuple[Dice, ...] = (HIT, ("wound", (4,)))
    assert hurt(shot(gun, unit(1, "VEHICLE", W=6), *four, ("save", (1,)))) == 1
    assert hurt(shot(gun, unit(1, "INFANTRY", W=6, name="Vehicle hunters"), *four)) == 0


# --- chapter 24 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.24.01-abilities.keyword-gate-example-lethal", "11e.24.01-abilities.keyword-gate")
def test_example_lethal_hits_vehicle_works_against_a_vehicle_unit_only() -> None:
    gun = weapon("Gun", "LETHAL HITS: VEHICLE")
    six = ("hit", (6,))
    tank = shot(gun, unit(1, "VEHICLE", W=6), six, ("save", (1,)))
    assert (hurt(tank), stages(tank, "wound")) == (1, [])
    assert hurt(shot(gun, TARGET, six, ("wound", (1,)))) == 0


@pytest.mark.rule("11e.24.01-abilities.keyword-gate-example-sustained", "11e.24.01-abilities.keyword-gate")
@pytest.mark.parametrize(("keyword", "hits"), [("INFANTRY", 2), ("BEASTS", 2), ("VEHICLE", 1)])
def test_example_sustained_hits_1_infantry_or_beasts(keyword: str, hits: int) -> None:
    gun = weapon("Gun", "SUSTAINED HITS 1: INFANTRY/BEASTS")
    battle = shot(gun, unit(1, keyword, W=6), ("hit", (6,)), ("wound", (1,) * hits))
    assert len(stages(battle, "wound")[0].faces) == hits


@pytest.mark.rule("11e.24.01.01-with-the-x-ability.example-deadly-demise")
@pytest.mark.parametrize("value", ["1", "D3", "D6"])
def test_example_each_of_deadly_demise_1_d3_and_d6_is_the_deadly_demise_ability(value: str) -> None:
    rolled = [("deadly-demise-wounds", (2,))] if value != "1" else []
    bomb = unit(1, abilities=[f"Deadly Demise {value}"]).at(10, 10)
    battle = scene(bomb, unit(1, W=6).at(10, 14), dice=[("deadly-demise", (6,)), *rolled])
    damage.lose_wounds(battle, 0, 1, "test")
    run(damage.resolve_destroyed(battle))
    assert hurt(battle) == {"1": 1, "D3": 2, "D6": 2}[value]


def before_the_first_turn(*models: UnitSpec) -> Battle11:
    """A unit of scouts in its zone when pre-battle abilities are resolved; models of several kinds are one unit."""
    scouts = models[0] if len(models) == 1 else attached(*models)
    return scene(scouts.at(10, 8), phase=Phase.SETUP, step=setup.PRE_BATTLE, dice=[])


@pytest.mark.rule("11e.24.02-duplicated-abilities.scouts-example-shared")
def test_example_scouts_6_and_8_on_every_model_lets_select_8() -> None:
    battle = before_the_first_turn(unit(3, abilities=['Scouts 6"', 'Scouts 8"']))
    asked = scouting(battle)
    assert [option.key for option in asked.options()] == ["6", "8"]
    battle.answer("8")
    assert not rules_broken(battle, shift(battle, 0, 0, 8))
    assert rules_broken(battle, shift(battle, 0, 0, 8.1)) == {"11e.24.32-scout-move.maximum-distance"}


@pytest.mark.rule("11e.24.02-duplicated-abilities.scouts-example-mixed")
def test_example_one_model_with_scouts_6_and_five_with_8_select_6() -> None:
    guide = unit(1, "CHARACTER", "INFANTRY", abilities=['Scouts 6"'])
    battle = before_the_first_turn(unit(5, abilities=['Scouts 8"']), guide)
    assert scouting(battle).kind == "scout-move", "there is nothing to choose"
    assert not rules_broken(battle, shift(battle, 0, 0, 6))
    assert rules_broken(battle, shift(battle, 0, 0, 6.1)) == {"11e.24.32-scout-move.maximum-distance"}


def scouting(battle: Battle11) -> Any:
    """The decision after the unit has been selected to scout."""
    assert decision(battle).kind == "select-unit-to-scout"
    battle.answer("a.1")
    return decision(battle)


@pytest.mark.rule(
    "11e.24.02-duplicated-abilities.weapon-number-is-duplicate",
    "11e.24.02-duplicated-abilities.weapon-selection-timing",
)
@pytest.mark.parametrize(("picked", "hits"), [("instance:0", 2), ("instance:1", 3)])
def test_example_the_controller_selects_between_sustained_hits_1_and_2(picked: str, hits: int) -> None:
    gun = weapon("Gun", "SUSTAINED HITS 1", "SUSTAINED HITS 2")
    battle = scene(
        unit(1, weapons=[gun]).at(10, 10),
        TARGET.at(10, 20),
        phase=Phase.SHOOTING,
        dice=[("hit", (6,)), ("wound", (1,) * hits)],
    )
    attack(battle, aim("b.1", 0), answers=[picked])
    assert len(stages(battle, "wound")[0].faces) == hits


@pytest.mark.rule(
    "11e.24.02-duplicated-abilities.weapon-keyword-is-duplicate",
    "11e.24.02-duplicated-abilities.weapon-selection-timing",
)
@pytest.mark.parametrize(
    ("picked", "die", "wounded"), [("instance:0", 4, True), ("instance:1", 2, True), ("instance:0", 2, False)]
)
def test_example_the_controller_selects_between_anti_vehicle_4_and_anti_infantry_2(
    picked: str, die: int, wounded: bool
) -> None:
    gun = weapon("Gun", "ANTI-VEHICLE 4+", "ANTI-INFANTRY 2+", S=1)
    rider = unit(1, "VEHICLE", "INFANTRY", W=6, T=10).at(10, 20)
    saved = [("save", (1,))] if wounded else []
    battle = scene(
        unit(1, weapons=[gun]).at(10, 10), rider, phase=Phase.SHOOTING, dice=[HIT, ("wound", (die,)), *saved]
    )
    attack(battle, aim("b.1", 0), answers=[picked])
    assert hurt(battle) == wounded


@pytest.mark.rule("11e.24.03-anti.example-vehicle", "11e.24.03-anti.example-psyker")
@pytest.mark.parametrize(
    ("printed", "keyword", "die", "critical"),
    [
        ("ANTI-VEHICLE 4+", "VEHICLE", 4, True),
        ("ANTI-VEHICLE 4+", "VEHICLE", 3, False),
        ("ANTI-VEHICLE 4+", "PSYKER", 4, False),
        ("ANTI-PSYKER 2+", "PSYKER", 2, True),
        ("ANTI-PSYKER 2+", "VEHICLE", 2, False),
    ],
)
def test_example_anti_vehicle_4_and_anti_psyker_2_wound_critically(
    printed: str, keyword: str, die: int, critical: bool
) -> None:
    saved: list[Dice] = [("save", (1,))] if critical else []
    battle = shot(weapon("Gun", printed, S=1), unit(1, keyword, W=6, T=10), HIT, ("wound", (die,)), *saved)
    assert dict(stages(battle, "wound")[0].outcomes).get("critical-wound", 0) == critical


@pytest.mark.rule("11e.24.05-blast.example", "11e.24.06-cleave.example", "11e.24.30-rapid-fire.example")
@pytest.mark.parametrize(
    ("gun", "models", "away", "dice"),
    [
        (weapon("Gun", "BLAST 2", A=3), 12, 10, 7),
        (weapon("Gun", "RAPID FIRE 1", A=1), 1, 10, 2),
        (weapon("Blade", "CLEAVE 1", melee=True, A=3), 16, 2, 6),
    ],
    ids=["blast-2-a-3-at-12-models", "rapid-fire-1-a-1-within-half-range", "cleave-1-a-3-at-16-models"],
)
def test_example_additional_attack_dice(gun: roster.Weapon, models: int, away: int, dice: int) -> None:
    melee = gun.profiles[0].melee
    phase, kind = (Phase.FIGHT, AttackKind.FIGHT) if melee else (Phase.SHOOTING, AttackKind.NORMAL)
    target = unit(models).at(10, 10 + away, rank=8)
    battle = scene(unit(1, weapons=[gun]).at(10, 10), target, phase=phase, dice=[("hit", (1,) * dice)])
    attack(battle, aim("b.1", 0), kind=kind)
    assert len(stages(battle, "hit")[0].faces) == dice


@pytest.mark.rule("11e.24.25-melta.example")
def test_example_melta_2_with_d6_does_d6_plus_2_within_half_range() -> None:
    gun = weapon("Gun", "MELTA 2", D="D6")
    for away, lost in ((12, 5), (12.2, 3)):
        battle = scene(
            unit(1, weapons=[gun], base="25mm").at(10, 10),
            unit(1, W=6, base="25mm").at(10, 10 + away + 25 / 25.4),
            phase=Phase.SHOOTING,
            dice=[HIT, WOUND, ("save", (1,)), ("damage", (3,))],
        )
        attack(battle, aim("b.1", 0))
        assert hurt(battle) == lost
    far, near = (volley("A1 BS2+ S8 AP-6 DD6 [MELTA 2]", "T4 Sv- W20", half_range=half) for half in (False, True))
    assert [max(n for n, p in enumerate(each.damage) if p) for each in (far, near)] == [6, 8]
    assert near.mean_damage / far.mean_damage == pytest.approx(5.5 / 3.5)


@pytest.mark.rule("11e.24.26.01-multiple-one-shot.each-once")
def test_example_two_hunter_killer_missiles_are_shot_once_each() -> None:
    missile = weapon("Hunter-killer missile", "ONE SHOT")
    battle = scene(
        unit(1, "VEHICLE", weapons=[missile, missile]).at(10, 10),
        TARGET.at(10, 20),
        phase=Phase.SHOOTING,
        dice=[("hit", (1,)), ("hit", (1,))],
    )
    first, second = aim("b.1", 0, weapon=0), aim("b.1", 0, weapon=1)
    run_attack(battle, first)
    assert broken(battle, AttackKind.NORMAL, first) == {"11e.24.26-one-shot.once-per-battle"}
    run_attack(battle, second)
    assert broken(battle, AttackKind.NORMAL, second) == {"11e.24.26-one-shot.once-per-battle"}
    battle.dice.finish(battle.state.dice)


@pytest.mark.rule("11e.24.36-sustained-hits.example")
def test_example_a_critical_hit_with_sustained_hits_2_hits_three_times() -> None:
    gun = weapon("Gun", "SUSTAINED HITS 2")
    battle = shot(gun, TARGET, ("hit", (6,)), ("wound", (4, 4, 4)), ("save", (1, 1, 1)))
    assert hurt(battle) == 3
    odds = volley("A1 BS2+ S8 AP-6 D1 [SUSTAINED HITS 2]", "T4 Sv- W20", edition="11")
    assert max(n for n, p in enumerate(odds.damage) if p) == 3


@pytest.mark.rule("11e.24.29-psychic.psychic-attack-name", "11e.core.22.03-psychic")
@pytest.mark.parametrize(("printed", "lost"), [(("PSYCHIC",), 0), ((), 1)])
def test_example_an_ability_that_is_triggered_by_psychic_attacks(printed: tuple[str, ...], lost: int) -> None:
    ward = ability(effect("feel-no-pain", threshold=3, scope="psychic"), "Ward")
    kept: list[Dice] = [("feel-no-pain", (3,))] if printed else []
    battle = shot(weapon("Gun", *printed), with_ability(TARGET, ward), HIT, WOUND, ("save", (1,)), *kept)
    assert hurt(battle) == lost
    assert len([each for each in events_of(battle, StageResolved) if each.stage == "feel-no-pain"]) == len(kept)


@pytest.mark.rule("11e.24.24.01-attached-lone-operative.example-fifteen")
def test_example_lone_operative_15_of_the_bodyguard_is_used_for_the_whole_unit() -> None:
    agent = unit(1, "CHARACTER", "INFANTRY", abilities=["Lone Operative"], name="Agent")
    led = attached(unit(1, abilities=['Lone Operative 15"']), agent)
    for y, refused in ((25.9, set()), (26.4, {"11e.24.24-lone-operative.not-visible"})):
        target = led.on((10, y), (12, y))
        battle = scene(unit(1, weapons=[weapon()]).at(10, 10), target, phase=Phase.SHOOTING)
        assert bool(broken(battle, AttackKind.NORMAL, aim("b.1", 0))) is bool(refused)


@pytest.mark.rule("11e.24.24.01-attached-lone-operative.example-reactivation")
def test_example_lone_operative_is_active_again_once_the_bodyguard_has_fallen() -> None:
    agent = unit(1, "CHARACTER", "INFANTRY", abilities=["Lone Operative"], name="Agent")
    led = attached(unit(2), agent).at(10, 25)
    for standing, aimed in (((1, 1, 1), True), ((0, 1, 1), True), ((0, 0, 1), False)):
        battle = scene(unit(1, weapons=[weapon()]).at(12, 10), led.having(wounds=standing), phase=Phase.SHOOTING)
        assert bool(broken(battle, AttackKind.NORMAL, aim("b.1", 0))) is not aimed


@pytest.mark.rule("11e.ds-random.attacks-timing", "11e.ds-random.attacks-identical")
def test_example_random_attacks_of_each_weapon_are_rolled_in_resolve_attacks_and_grouped() -> None:
    storm = weapon("Storm", A="D6")
    battle = scene(
        unit(2, weapons=[storm]).at(10, 10),
        TARGET.at(10, 20),
        phase=Phase.SHOOTING,
        dice=[("attacks", (2, 3)), ("hit", (1, 1, 1, 1, 1))],
    )
    attack(battle, aim("b.1", 0, 1))
    assert len(stages(battle, "hit")) == 1


@pytest.mark.rule("11e.ds-random.attacks-timing")
def test_example_of_random_attacks_rolled_in_resolve_attacks_and_not_earlier() -> None:
    storm = weapon("Storm", A="D6")
    battle = scene(
        unit(2, weapons=[storm]).at(10, 10),
        [unit(1).at(10, 20), unit(1).at(14, 20)],
        phase=Phase.SHOOTING,
        dice=[("attacks", (2,)), ("hit", (1, 1)), ("attacks", (1,)), ("hit", (1,))],
    )
    before = battle.state.dice
    procedure = make_attacks(battle, 0, AttackKind.NORMAL)
    assert next(procedure).kind == "declare-attacks"
    asked = procedure.send(declare(aim("b.1", 0), aim("b.2", 1)))
    assert asked.kind == "select-target", "weapons and targets are selected"
    assert battle.state.dice == before, "and no die is thrown yet"
    with pytest.raises(StopIteration):
        procedure.send(asked.default())
    assert [event.target for event in stages(battle, "hit")] == ["b.1", "b.2"]
    battle.dice.finish(battle.state.dice)


@pytest.mark.rule("11e.24.10-devastating-wounds.example-intercessors")
def test_example_of_three_mortal_wounds_on_a_squad_of_two_wounds_each() -> None:
    gun = weapon("Gun", "DEVASTATING WOUNDS", D=3)
    battle = shot(gun, unit(5, W=2, name="Intercessor Squad"), ("hit", (4,)), ("wound", (6,)))
    assert sorted(wounds(battle, "b.1")) == [0, 2, 2, 2, 2]
