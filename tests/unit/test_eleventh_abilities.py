"""Abilities of the 11th edition as encoded: what each effect does to attacks, models and units, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.abilities import ability, both, condition, criticals, effect, faces, volley, when, with_ability
from tests.support.eleventh import UnitSpec, attached, decision, scene, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.core.roster import Ability, AbilitySource, Role
from battlewright.editions.eleventh import charge, command, damage, fight, in_range, movement, shooting
from battlewright.editions.eleventh.abilities import read_ability
from battlewright.editions.eleventh.abilities.in_force import profile_in_force
from battlewright.editions.eleventh.pools import target_view
from battlewright.editions.eleventh.questions import EleventhQuestions
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from battlewright.editions.eleventh.switchboard import EleventhSwitchboard
from battlewright.editions.eleventh.targeting import AttackKind, Targeting
from battlewright.editions.eleventh.visibility import lone_operative_reach

GUN = weapon("Gun")
BLADE = weapon("Blade", melee=True)
DICE = weapon("Dice", D="D6")


def shooters(*abilities: Ability, models: int = 1, keywords: tuple[str, ...] = ("INFANTRY",), **more: Any) -> UnitSpec:
    """Models with a gun, a blade and a weapon of random damage, at one end of the table."""
    made = unit(models, *keywords, weapons=(GUN, BLADE, DICE), **more)
    return with_ability(made, *abilities).at(10, 10)


def targets(*abilities: Ability, models: int = 1, keywords: tuple[str, ...] = ("INFANTRY",), **more: Any) -> UnitSpec:
    """Models ten inches away from the shooters."""
    return with_ability(unit(models, *keywords, name="Target", **more), *abilities).at(10, 20)


def shot(*abilities: Ability, at: UnitSpec | None = None, weapon: int = 0, phase: Phase = Phase.SHOOTING) -> Any:
    """The attack of shooters with these abilities."""
    battle = scene(shooters(*abilities), at or targets(), phase=phase)
    return volley(battle, 0, 1, weapon=weapon)


def shot_at(*abilities: Ability, weapon: int = 0, phase: Phase = Phase.SHOOTING, **more: Any) -> Any:
    """The attack of plain shooters on a target with these abilities."""
    battle = scene(shooters(), targets(*abilities, **more), phase=phase)
    return volley(battle, 0, 1, weapon=weapon)


PLAIN = {"hit": (3, 4, 5, 6), "wound": (4, 5, 6), "save": (3, 4, 5, 6)}
VEHICLE = condition("target-has-keyword", keyword="VEHICLE")
FIGHTING = condition("phase-is", phase="fight")


def test_without_an_ability_the_attack_is_as_printed() -> None:
    made = shot()
    assert {step: faces(made, step) for step in PLAIN} == PLAIN


# --- effects on the attacks of the bearers ------------------------------------------------------------------------

OWN = {
    "+1 to hit": (effect("roll-modifier", operation="add", roll="hit", value=1), "hit", (2, 3, 4, 5, 6)),
    "+1 to wound": (effect("roll-modifier", operation="add", roll="wound", value=1), "wound", (3, 4, 5, 6)),
    "+3 S wounds on 3": (effect("stat-modifier", operation="add", stat="S", value=3), "wound", (3, 4, 5, 6)),
    "double S wounds on 2": (effect("stat-modifier", operation="add", stat="S", value=4), "wound", (2, 3, 4, 5, 6)),
    "AP -1 added": (effect("stat-modifier", operation="add", stat="AP", value=-1), "save", (4, 5, 6)),
    "AP improved": (effect("stat-modifier", operation="improve", stat="AP", value=2), "save", (5, 6)),
    "BS improved": (effect("stat-modifier", operation="improve", stat="BS", value=1), "hit", (2, 3, 4, 5, 6)),
    "+1 for its bearers": (
        effect("roll-modifier", "self", operation="add", roll="hit", value=1),
        "hit",
        (2, 3, 4, 5, 6),
    ),
    "+1 in a sequence": (
        {"type": "sequence", "steps": [effect("roll-modifier", operation="add", roll="hit", value=1)]},
        "hit",
        (2, 3, 4, 5, 6),
    ),
}


@pytest.mark.parametrize("name", OWN)
def test_an_effect_on_own_attacks_changes_the_dice_that_succeed(name: str) -> None:
    does, step, expected = OWN[name]
    assert faces(shot(ability(does)), step) == expected


def test_a_modifier_names_the_ability_that_it_comes_from() -> None:
    made = shot(ability(effect("roll-modifier", operation="add", roll="hit", value=1), "Steady hands"))
    assert [(each.rule, each.amount) for each in made.steps[0].modifiers] == [("Steady hands", 1)]


def test_the_limit_of_hit_modifiers_holds_for_abilities_together() -> None:
    plus = effect("roll-modifier", operation="add", roll="hit", value=1)
    made = shot(ability(plus, "One"), ability(plus, "Two"))
    assert faces(made, "hit") == (2, 3, 4, 5, 6)
    assert len(made.steps[0].modifiers) == 2


@pytest.mark.parametrize(("roll", "step"), [("hit", "hit"), ("wound", "wound")])
@pytest.mark.parametrize(("subset", "widest"), [("ones", "ones"), ("all-failures", "failures")])
def test_a_re_roll_reaches_the_dice_that_it_names(roll: str, step: str, subset: str, widest: str) -> None:
    made = shot(ability(effect("re-roll", roll=roll, subset=subset)))
    found = next(each for each in made.steps if each.name == step).reroll
    assert found is not None
    assert found.widest == widest


def test_of_two_re_rolls_the_wider_is_taken() -> None:
    ones, failures = (effect("re-roll", roll="hit", subset=each) for each in ("ones", "all-failures"))
    made = shot(ability(failures, "Wide"), ability(ones, "Narrow"))
    assert made.steps[0].reroll.rule == "Wide"


def test_a_damage_roll_may_be_made_again() -> None:
    made = shot(ability(effect("re-roll", roll="damage", subset="all-failures")), weapon=2)
    assert made.packets[0].reroll_damage.widest == "all"


def test_a_hit_may_be_critical_on_less_than_six() -> None:
    assert criticals(shot(ability(effect("roll-modifier", operation="crit-on", roll="hit", value=5))), "hit") == (5, 6)


def test_a_wound_may_be_critical_on_less_than_six() -> None:
    assert criticals(shot(ability(effect("roll-modifier", roll="wound", critical_on=5))), "wound") == (5, 6)


def test_lethal_hits_by_an_ability_give_the_choice_on_a_critical_hit() -> None:
    made = shot(ability(effect("keyword-grant", keywords=["Lethal Hits"])))
    assert made.steps[0].outcomes[2].choice is not None


def test_sustained_hits_by_an_ability_add_a_hit() -> None:
    made = shot(ability(effect("keyword-grant", keyword="Sustained Hits", value=2)))
    assert made.steps[0].outcomes[2].emits[1].count.values == (2,)


def test_devastating_wounds_by_an_ability_make_mortal_wounds() -> None:
    made = shot(ability(effect("keyword-grant", keywords=["Devastating Wounds"])))
    assert [packet.name for packet in made.packets] == ["damage", "devastating"]


def test_anti_by_an_ability_lowers_the_critical_wound() -> None:
    made = shot(ability(effect("keyword-grant", keywords=["Anti-INFANTRY 4+"])))
    assert criticals(made, "wound") == (4, 5, 6)


def test_ignores_cover_by_an_ability_takes_cover_away() -> None:
    at = targets(Ability("Stealth"))
    assert faces(shot(at=at), "hit") == (4, 5, 6)
    assert faces(shot(ability(effect("keyword-grant", keywords=["Ignores Cover"])), at=at), "hit") == PLAIN["hit"]


def test_more_attacks_and_more_damage() -> None:
    made = shot(
        ability(effect("stat-modifier", operation="add", stat="A", value=2), "Faster"),
        ability(effect("stat-modifier", operation="add", stat="D", value=1), "Harder"),
    )
    assert made.dice[0].each.values == (3,)
    assert made.packets[0].damage.values == (2,)


def test_an_effect_for_melee_weapons_leaves_shooting_alone() -> None:
    given = ability(effect("roll-modifier", operation="add", roll="hit", value=1, weapon_type="melee"))
    battle = scene(shooters(given), with_ability(unit(1, name="Target")).at(10, 11.5), phase=Phase.FIGHT)
    assert faces(volley(battle, 0, 1, weapon=1), "hit") == (2, 3, 4, 5, 6)
    assert faces(shot(given), "hit") == PLAIN["hit"]


# --- conditions ---------------------------------------------------------------------------------------------------

BETTER = effect("roll-modifier", operation="add", roll="hit", value=1)


@pytest.mark.parametrize(("keyword", "hit"), [("INFANTRY", True), ("VEHICLE", False), ("INFANTRY/VEHICLE", True)])
def test_a_condition_on_the_targets_keyword(keyword: str, hit: bool) -> None:
    made = shot(ability(when(condition("target-has-keyword", keyword=keyword), BETTER)))
    assert (2 in faces(made, "hit")) is hit


@pytest.mark.parametrize(("phase", "holds"), [("shooting", True), ("fight", False)])
def test_a_condition_on_the_phase(phase: str, holds: bool) -> None:
    made = shot(ability(when(condition("phase-is", phase=phase), BETTER)))
    assert (2 in faces(made, "hit")) is holds


@pytest.mark.parametrize(("turn", "holds"), [("your", True), ("opponent", False)])
def test_a_condition_on_the_turn(turn: str, holds: bool) -> None:
    made = shot(ability(when(condition("player-turn-is", turn=turn), BETTER)))
    assert (2 in faces(made, "hit")) is holds


def test_a_condition_on_the_kind_of_attack() -> None:
    assert 2 in faces(shot(ability(when(condition("attack-is-type", attack_type="ranged"), BETTER))), "hit")
    assert 2 not in faces(shot(ability(when(condition("attack-is-type", attack_type="melee"), BETTER))), "hit")


def test_conditions_joined_by_and_or_and_not() -> None:
    infantry, vehicle = condition("target-has-keyword", keyword="INFANTRY"), VEHICLE
    assert 2 not in faces(shot(ability(when(both(infantry, vehicle), BETTER))), "hit")
    assert 2 in faces(shot(ability(when({"operator": "or", "operands": [infantry, vehicle]}, BETTER))), "hit")
    assert 2 in faces(shot(ability(when({"operator": "not", "operands": [vehicle]}, BETTER))), "hit")
    assert 2 in faces(shot(ability(when({**vehicle, "negated": True}, BETTER))), "hit")


def test_a_condition_on_a_charge_made_this_turn() -> None:
    given = ability(when(condition("charged-this-turn"), BETTER))
    foe = unit(1, name="Target").at(10, 11.5)
    charged = scene(shooters(given).having(charged=True), foe, phase=Phase.FIGHT)
    stood = scene(shooters(given), foe, phase=Phase.FIGHT)
    assert 2 in faces(volley(charged, 0, 1, weapon=1), "hit")
    assert 2 not in faces(volley(stood, 0, 1, weapon=1), "hit")


def test_a_condition_on_the_strength_of_the_target() -> None:
    given = ability(when(condition("unit-below-half-strength", subject="target"), BETTER))
    weak = targets(models=5).having(wounds=(1, 1, 0, 0, 0))
    whole = scene(shooters(given), targets(models=5), phase=Phase.SHOOTING)
    broken = scene(shooters(given), weak, phase=Phase.SHOOTING)
    assert 2 not in faces(volley(whole, 0, 1), "hit")
    assert 2 in faces(volley(broken, 0, 1), "hit")


def test_a_condition_on_battle_shock_of_the_target() -> None:
    given = ability(when(condition("is-battle-shocked", subject="target"), BETTER))
    battle = scene(shooters(given), targets().having(battle_shocked=True), phase=Phase.SHOOTING)
    assert 2 in faces(volley(battle, 0, 1), "hit")
    assert 2 not in faces(shot(given), "hit")


def test_a_condition_on_the_round() -> None:
    given = ability(when(condition("battle-round", max=3), BETTER))
    early = scene(shooters(given), targets(), phase=Phase.SHOOTING, battle_round=3)
    late = scene(shooters(given), targets(), phase=Phase.SHOOTING, battle_round=4)
    assert 2 in faces(volley(early, 0, 1), "hit")
    assert 2 not in faces(volley(late, 0, 1), "hit")


# --- effects on attacks against the bearers' unit -------------------------------------------------------------------

AGAINST = {
    "-1 to hit it": (effect("roll-modifier", "attacker", operation="subtract", roll="hit", value=1), "hit", (4, 5, 6)),
    "-1 to wound": (
        effect("roll-modifier", "attacker", operation="subtract", roll="wound", value=1),
        "wound",
        (5, 6),
    ),
    "incoming": (effect("roll-modifier", operation="subtract", roll="hit", value=1, incoming=True), "hit", (4, 5, 6)),
    "AP worsened": (effect("stat-modifier", "attacker", operation="worsen", stat="AP", value=1), "save", PLAIN["save"]),
    "+1 to save": (effect("roll-modifier", operation="add", roll="save", value=1), "save", (2, 3, 4, 5, 6)),
    "cover": (effect("ability-grant", ability_id="benefit-of-cover"), "hit", (4, 5, 6)),
    "+1 T": (effect("stat-modifier", operation="add", stat="T", value=1), "wound", (5, 6)),
    "Sv 2+": (effect("stat-modifier", operation="set", stat="Sv", value=2), "save", (2, 3, 4, 5, 6)),
    "InSv 2+": (effect("invulnerable-save", invuln_sv=2), "save", (2, 3, 4, 5, 6)),
    "Stealth": (effect("keyword-grant", keywords=["Stealth"]), "hit", (4, 5, 6)),
}


@pytest.mark.parametrize("name", AGAINST)
def test_an_effect_in_defence_changes_the_dice_that_succeed(name: str) -> None:
    does, step, expected = AGAINST[name]
    assert faces(shot_at(ability(does)), step) == expected


def test_a_worse_save_is_not_taken_for_a_better_one() -> None:
    assert (
        faces(shot_at(ability(effect("stat-modifier", operation="set", stat="Sv", value=6))), "save") == PLAIN["save"]
    )


@pytest.mark.parametrize(("S", "wound"), [("5", (4, 5, 6)), ("4", (4, 5, 6))])
def test_a_worse_wound_roll_where_s_exceeds_t(S: str, wound: tuple[int, ...]) -> None:
    stronger = condition("attack-stat-compare", attacker_stat="S", comparison="greater-than", target_stat="T")
    given = ability(when(stronger, effect("roll-modifier", operation="subtract", roll="wound", value=1)))
    attackers = unit(1, weapons=(weapon("Gun", S=S),)).at(10, 10)
    assert faces(volley(scene(attackers, targets(given), phase=Phase.SHOOTING), 0, 1), "wound") == wound


def test_damage_is_one_less_and_never_less_than_one() -> None:
    battle = scene(shooters(), targets(ability(effect("damage-reduction", reduction=1))), phase=Phase.SHOOTING)
    assert volley(battle, 0, 1, weapon=2).packets[0].damage.values == (1, 1, 2, 3, 4, 5)


def test_damage_is_halved_and_rounded_up() -> None:
    battle = scene(shooters(), targets(ability(effect("damage-reduction", reduction="half"))), phase=Phase.SHOOTING)
    assert volley(battle, 0, 1, weapon=2).packets[0].damage.values == (1, 1, 2, 2, 3, 3)


def test_feel_no_pain_by_an_ability_is_rolled_in_attacks_and_for_mortal_wounds() -> None:
    given = ability(when(condition("is-attached"), effect("feel-no-pain", threshold=5)))
    leader = with_ability(unit(1, "INFANTRY", "CHARACTER", name="Leader"), given)
    both_units = attached(unit(2), leader).at(10, 20)
    battle = scene(shooters(), both_units, phase=Phase.SHOOTING, dice=[("feel-no-pain", [5, 4])])
    assert {model.profile.feel_no_pain for model in target_view(battle.scene, battle.state, 1).models} == {5}
    assert damage.wounds_not_kept(battle, 1, 2) == 1


# --- leaders, bearers, auras, armies ---------------------------------------------------------------------------------


def led(given: Ability, *, fallen: bool = False) -> Battle11:
    """Two bodyguards with a leader who has the ability, against a target."""
    leader = with_ability(unit(1, "INFANTRY", "CHARACTER", name="Leader", weapons=(GUN,)), given)
    mine = attached(unit(2, weapons=(GUN,)), leader).at(10, 10)
    return scene(mine.having(wounds=(1, 1, 0)) if fallen else mine, targets(), phase=Phase.SHOOTING)


LEADING = ability(when(condition("is-attached"), BETTER))


@pytest.mark.rule("11e.core.19.04-shared-abilities")
def test_a_leaders_ability_reaches_the_whole_unit_until_the_leader_dies() -> None:
    assert faces(volley(led(LEADING), 0, 1), "hit") == (2, 3, 4, 5, 6)
    assert faces(volley(led(LEADING, fallen=True), 0, 1), "hit") == PLAIN["hit"]


@pytest.mark.rule("11e.core.19.04-killed-by-attack")
def test_an_ability_lasts_until_the_attacks_that_killed_its_source_are_resolved() -> None:
    battle = led(LEADING, fallen=True)
    battle.state.fallen = (2,)
    assert faces(volley(battle, 0, 1), "hit") == (2, 3, 4, 5, 6)
    battle.state.fallen = ()
    assert faces(volley(battle, 0, 1), "hit") == PLAIN["hit"]


@pytest.mark.rule("11e.core.19.04-leading-without-bodyguard")
def test_a_leader_keeps_its_ability_without_bodyguard() -> None:
    battle = led(LEADING)
    battle.state.wounds[:2] = 0
    assert faces(volley(battle, 0, 1, row=2), "hit") == (2, 3, 4, 5, 6)


def test_while_leading_means_nothing_to_a_unit_of_its_own() -> None:
    assert faces(shot(LEADING), "hit") == PLAIN["hit"]


@pytest.mark.rule("11e.core.19.04-model-abilities")
def test_what_one_model_has_stays_with_that_model() -> None:
    battle = led(ability(effect("roll-modifier", "self", operation="add", roll="hit", value=1)))
    assert faces(volley(battle, 0, 1, row=0), "hit") == PLAIN["hit"]
    assert faces(volley(battle, 0, 1, row=2), "hit") == (2, 3, 4, 5, 6)
    saved = led(ability(effect("invulnerable-save", "bearer", invuln_sv=4)))
    assert [saved.scene.models[row].profile.invulnerable for row in range(3)] == [None, None, 4]


def auras(given: Ability, distance: float) -> Battle11:
    """Shooters, and beside them, so many inches away, a unit with an aura."""
    source = with_ability(unit(1, name="Banner"), given).at(10 + distance + 32 / 25.4, 10)
    return scene([shooters(), source], targets(), phase=Phase.SHOOTING)


AURA = ability(
    effect("roll-modifier", "friendly-within-aura", operation="add", roll="hit", value=1),
    scope="aura-6",
    behavior="aura",
)


@pytest.mark.parametrize(("distance", "reached"), [(5.9, True), (6.1, False)])
def test_an_aura_reaches_friends_within_its_inches(distance: float, reached: bool) -> None:
    assert (2 in faces(volley(auras(AURA, distance), 0, 2), "hit")) is reached


def test_two_auras_of_one_name_count_once() -> None:
    twice = [with_ability(unit(1, name=f"Banner {n}"), AURA).at(14, 8 + 2 * n) for n in range(2)]
    battle = scene([shooters(), *twice], targets(), phase=Phase.SHOOTING)
    assert len(volley(battle, 0, 3).steps[0].modifiers) == 1


def test_an_aura_on_enemies_makes_their_attacks_worse() -> None:
    given = ability(
        effect("roll-modifier", "enemy-within-aura", operation="subtract", roll="hit", value=1), scope="aura-9"
    )
    near = with_ability(unit(1, name="Horror"), given).at(10, 18)
    assert faces(volley(scene(shooters(), [targets(), near], phase=Phase.SHOOTING), 0, 1), "hit") == (4, 5, 6)
    far = with_ability(unit(1, name="Horror"), given).at(10, 25)
    assert faces(volley(scene(shooters(), [targets(), far], phase=Phase.SHOOTING), 0, 1), "hit") == PLAIN["hit"]


def test_a_detachment_rule_asks_for_keywords_of_the_unit() -> None:
    given = ability(
        effect("roll-modifier", "all-friendly", operation="add", roll="hit", value=1),
        scope="any-on-battlefield",
        source=AbilitySource.DETACHMENT,
        applies_to={"required_keywords": ["Mounted"]},
    )
    assert faces(shot(given), "hit") == PLAIN["hit"]
    riders = scene(shooters(given, keywords=("MOUNTED",)), targets(), phase=Phase.SHOOTING)
    assert faces(volley(riders, 0, 1), "hit") == (2, 3, 4, 5, 6)


# --- units beyond attacks --------------------------------------------------------------------------------------------


def alone(given: Ability, **more: Any) -> Battle11:
    """One unit with the ability, and an enemy far away."""
    return scene(shooters(given, **more), unit(1, name="Target").at(10, 50))


def test_a_better_move() -> None:
    battle = alone(ability(effect("stat-modifier", operation="add", stat="M", value=3)))
    assert movement.move_distances(battle, 0) == {0: 9000}


def test_a_move_of_its_own_stands_in_the_profile() -> None:
    battle = alone(ability(effect("stat-modifier", "self", operation="add", stat="M", value=3)))
    assert battle.scene.models[0].profile.move.bonus == 9  # type: ignore[union-attr]


def test_more_wounds_from_the_start() -> None:
    battle = alone(ability(effect("stat-modifier", "self", operation="add", stat="W", value=2)))
    assert battle.state.wounds[0] == 3


def test_more_objective_control() -> None:
    battle = alone(ability(effect("objective-control-modifier", operation="add", value=2)))
    assert in_range.objective_control(battle.scene, battle.state, 0) == 3


def test_less_objective_control_within_an_aura() -> None:
    given = ability(
        effect("objective-control-modifier", "enemy-within-aura", operation="subtract", value=1), scope="aura-6"
    )
    battle = scene(shooters(), with_ability(unit(1, name="Target"), given).at(10, 14))
    assert in_range.objective_control(battle.scene, battle.state, 0) == 0


def test_better_leadership() -> None:
    battle = alone(ability(effect("leadership-modifier", operation="improve", value=1)))
    assert command.best_leadership(battle.scene, battle.state, 0) == 6


def test_fights_first_by_an_ability() -> None:
    battle = alone(ability(effect("fight-first")), models=2)
    assert fight.has_fights_first(battle.scene, battle.state, 0)
    assert not fight.has_fights_first(battle.scene, battle.state, 1)


def test_lone_operative_by_an_ability() -> None:
    battle = alone(ability(effect("ability-grant", "self", ability_id="lone-operative")))
    assert lone_operative_reach(battle.scene, battle.state, 0) == 12


def test_deep_strike_by_an_ability() -> None:
    battle = alone(ability(effect("deep-strike")))
    assert profile_in_force(battle.scene, battle.state, 0).has("DEEP STRIKE")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("grant", "flag", "may"),
    [
        ("charge-after-advance", "advanced", True),
        ("charge-after-advance", "fell_back", False),
        ("charge-after-fall-back", "fell_back", True),
        ("shoot-after-fall-back", "fell_back", False),
    ],
)
def test_a_charge_in_spite_of_an_earlier_move(grant: str, flag: str, may: bool) -> None:
    given = ability(effect("ability-grant", ability_id=grant))
    battle = scene(shooters(given).having(**{flag: True}), targets(), phase=Phase.MOVEMENT)
    assert charge.may_declare_charge(battle.scene, battle.state, 0) is may


def test_shooting_in_spite_of_a_fall_back_move() -> None:
    given = ability(effect("fallback-and-act"))
    battle = scene([shooters(given).having(fell_back=True), shooters().at(30, 10).having(fell_back=True)], targets())
    assert shooting.is_eligible_to_shoot(battle.scene, battle.state, 0)
    assert not shooting.is_eligible_to_shoot(battle.scene, battle.state, 1)


def test_assault_by_an_ability_lets_a_unit_shoot_after_an_advance() -> None:
    given = ability(effect("keyword-grant", keywords=["Assault"], weapon_type="ranged"))
    battle = scene(shooters(given).having(advanced=True), targets(), phase=Phase.SHOOTING)
    assert shooting.shooting_types(battle.scene, battle.state, 0) == (AttackKind.ASSAULT,)
    gun = battle.scene.models[0].weapons[0].profiles[0]
    assert Targeting(battle.scene, battle.state, 0, AttackKind.ASSAULT).eligible(0, gun) == (1,)


def test_a_better_charge_roll() -> None:
    given = ability(effect("roll-modifier", operation="add", roll="charge", value=2))
    battle = scene(shooters(given), targets().at(10, 18.5), phase=Phase.CHARGE, dice=[("charge", [3, 3])])
    battle.answer("a.1")
    while battle.decision is not None and battle.decision.kind != "choose-charge-targets":
        battle.answer(decision(battle).choices.default())
    assert battle.decision is not None
    assert "(8 inches)" in battle.decision.prompt


@pytest.mark.parametrize(("answer", "dice", "inches"), [("re-roll", [("charge-reroll", [5, 5])], 10), ("keep", [], 4)])
def test_a_charge_roll_made_again(answer: str, dice: list[tuple[str, list[int]]], inches: int) -> None:
    given = ability(effect("re-roll", roll="charge", subset="all-failures"))
    foe = targets().at(10, 14)
    battle = scene(shooters(given), foe, phase=Phase.CHARGE, dice=[("charge", [2, 2]), *dice])
    battle.answer("a.1")
    assert decision(battle).kind == "re-roll-by-ability"
    battle.answer(answer)
    assert f"({inches} inches)" in decision(battle).prompt


def test_an_advance_roll_made_again() -> None:
    given = ability(effect("re-roll", result_scope="any-result", roll="advance"))
    dice = [("advance", [1]), ("advance-reroll", [6])]
    battle = scene(shooters(given), unit(1, name="Target").at(10, 50), dice=dice)
    battle.answer("a.1")
    battle.answer("advance")
    assert decision(battle).choices.default() == Pick("re-roll")
    battle.answer("re-roll")
    assert "6 rolled" in decision(battle).prompt


# --- all or nothing ---------------------------------------------------------------------------------------------------

REFUSED = {
    "activated": ability(BETTER, behavior="activated"),
    "for a phase only": ability(BETTER, duration="phase"),
    "with a trigger": ability(BETTER, trigger={"event": "start-of-phase"}),
    "limited": ability(BETTER, usage={"frequency": "once-per-turn"}),
    "approximate": ability(BETTER, approximate=True),
    "disputed": ability(BETTER, disputed=True),
    "an unknown effect": ability(effect("mortal-wounds", amount=1)),
    "an unknown condition": ability(when(condition("moon-is-full"), BETTER)),
    "an unknown parameter": ability(when(condition("target-has-keyword", keyword="ORKS", near=3), BETTER)),
    "an unknown key": ability(effect("roll-modifier", operation="add", roll="hit", value=1, weapon="Gun")),
    "half understood": ability({"type": "sequence", "steps": [BETTER, effect("mortal-wounds", amount=1)]}),
    "whose strength": ability(when(condition("unit-below-half-strength"), BETTER)),
    "a mark as keyword": ability(when(condition("target-has-keyword", keyword="A"), BETTER)),
    "whose rolls": ability(effect("roll-modifier", operation="subtract", roll="wound", value=1)),
    "an aura on the unit": ability(BETTER, scope="aura-6"),
    "attack under no attack": ability(when(VEHICLE, effect("feel-no-pain", threshold=5))),
    "no number": ability(effect("roll-modifier", operation="add", roll="hit", value="D3")),
    "no JSON": Ability("Made up", encoding="{"),
    "no object": Ability("Made up", encoding="[1]"),
    "deep": Ability("Made up", encoding="[" * 100_000),
    "a text for an effect": Ability("Made up", encoding=json.dumps({"behavior": "passive", "effect": {"type": 3}})),
    "nothing": Ability("Made up"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_understood_as_a_whole_has_no_effect_and_says_why(name: str) -> None:
    given = REFUSED[name]
    reading = read_ability(given)
    assert not reading.clauses
    assert reading.missing
    assert not reading.is_enforced
    made = shot(given)
    assert {step: faces(made, step) for step in PLAIN} == PLAIN
    unit_of = scene(shooters(given), targets()).scene.units[0].roster
    assert EleventhSwitchboard().enforcement(unit_of).not_enforced == ("Made up",)


def test_a_unit_tells_which_abilities_are_enforced() -> None:
    given = (ability(BETTER, "Known"), ability(effect("mortal-wounds"), "Unknown"), Ability("Stealth"))
    found = EleventhSwitchboard().enforcement(scene(shooters(*given)).scene.units[0].roster)
    assert found.enforced == ("Known", "Stealth")
    assert found.not_enforced == ("Unknown",)


def test_what_works_for_whole_units_alone_is_not_enforced_where_others_have_joined() -> None:
    given = ability(effect("damage-reduction", "self", reduction=1))
    single = scene(shooters(), targets(given), phase=Phase.SHOOTING)
    assert volley(single, 0, 1, weapon=2).packets[0].damage.values[-1] == 5
    leader = with_ability(unit(1, "CHARACTER", name="Leader"), given)
    joined = scene(shooters(), attached(unit(2), leader).at(10, 20), phase=Phase.SHOOTING)
    assert volley(joined, 0, 1, weapon=2).packets[0].damage.values[-1] == 6
    assert EleventhSwitchboard().enforcement(joined.scene.units[1].roster).not_enforced == ("Made up",)


def test_an_enhancement_for_its_unit_works_in_a_unit_of_bearers_or_while_leading() -> None:
    alone_for = ability(BETTER, source=AbilitySource.ENHANCEMENT)
    assert faces(shot(alone_for), "hit") == (2, 3, 4, 5, 6)
    assert faces(volley(led(alone_for), 0, 1, row=2), "hit") == PLAIN["hit"]
    leading = ability(when(condition("model-is-leader"), BETTER), source=AbilitySource.ENHANCEMENT)
    assert faces(volley(led(leading), 0, 1), "hit") == (2, 3, 4, 5, 6)


def test_the_encoding_of_a_core_ability_is_not_read_beside_its_name() -> None:
    given = ability(BETTER, "Stealth")
    assert faces(shot(given), "hit") == PLAIN["hit"]


# --- the odds ---------------------------------------------------------------------------------------------------------


def asked(attacker: UnitSpec, target: UnitSpec, **settings: Any) -> Any:
    """The first volley of a question about two units."""
    battle = scene(attacker, target)
    first, second = (battle.scene.units[index].roster for index in range(2))
    volleys, _ = EleventhQuestions().volleys(first, second, weapon="Gun", settings=settings)
    return volleys[0]


def test_the_odds_see_the_abilities_of_both_units() -> None:
    given = ability(effect("roll-modifier", "attacker", operation="subtract", roll="wound", value=1))
    made = asked(shooters(ability(BETTER)), targets(given))
    assert faces(made, "hit") == (2, 3, 4, 5, 6)
    assert faces(made, "wound") == (5, 6)


def test_the_odds_see_what_an_ability_makes_of_profiles() -> None:
    fnp = ability(when(condition("unit-has-keyword", keyword="INFANTRY"), effect("feel-no-pain", threshold=5)))
    made = asked(shooters(), targets(fnp, ability(effect("invulnerable-save", "self", invuln_sv=2), "Shield")))
    assert made.target.groups[0].feel_no_pain == 5
    assert faces(made, "save") == (2, 3, 4, 5, 6)


def test_the_odds_know_leaders() -> None:
    leader = with_ability(unit(1, "CHARACTER", name="Leader"), LEADING)
    assert 2 in faces(asked(attached(unit(2, weapons=(GUN,)), leader).at(10, 10), targets()), "hit")
    assert leader.components[0].role is Role.UNIT
