"""Abilities that are used at a moment and last for a time, and stratagems of detachments, as encoded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.abilities import ability, both, condition, effect, faces, volley, when, with_ability
from tests.support.eleventh import UnitSpec, decision, scene, unit, weapon

from battlewright.core.answers import AttackDeclaration, Declare
from battlewright.core.roster import Ability, AbilitySource
from battlewright.editions.eleventh.abilities import read_ability
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from battlewright.editions.eleventh.timed import detachment_stratagems

GUN = weapon("Gun")
BLADE = weapon("Blade", melee=True)
BOOST = effect("roll-modifier", operation="add", roll="hit", value=1)
WARD = effect("roll-modifier", "attacker", operation="subtract", roll="wound", value=1)
WHEN_FIGHTING = {"event": "selected-to-fight", "subject": "self", "optional": True}
WHEN_SHOOTING = {"event": "selected-to-shoot", "subject": "self", "optional": True}
ONCE = {"frequency": "n-per-battle", "count": 1}


def used(does: dict[str, Any] = BOOST, *, trigger: dict[str, Any], duration: str = "phase", **more: Any) -> Ability:
    return ability(does, behavior="activated", duration=duration, trigger=trigger, **more)


def stratagem(does: dict[str, Any], *, phases: tuple[str, ...], turn: str = "either", **more: Any) -> Ability:
    card = {"phases": list(phases), "turn": turn, "cost": 1}
    settings = {"behavior": "activated", "duration": "phase", "stratagem": True, "card": card, **more}
    return ability(does, "Bright Idea", source=AbilitySource.STRATAGEM, **settings)


def armed(*abilities: Ability, name: str = "Squad", keywords: tuple[str, ...] = ("INFANTRY",)) -> UnitSpec:
    return with_ability(unit(1, *keywords, weapons=(GUN, BLADE), W=9, name=name), *abilities)


def shooting_at(*abilities: Ability, target: UnitSpec | None = None, **more: Any) -> Battle11:
    """Side a's unit has just been selected to shoot at side b's."""
    settings = {"options": {"offer_command_re_roll": "never"}, "phase": Phase.SHOOTING, **more}
    friends = (armed(*abilities).at(10, 10), armed().at(20, 10))  # one that keeps the phase going
    battle = scene(friends, (target or armed(name="Target")).at(10, 20), **settings)
    battle.answer("a.1")
    return battle


def fighting(*abilities: Ability, **more: Any) -> Battle11:
    """Side a's unit has just been selected to fight."""
    battle = scene(armed(*abilities).at(10, 10), armed(name="Target").at(10, 12), phase=Phase.FIGHT, **more)
    while decision(battle).kind != "select-unit-to-fight":
        asked = decision(battle)
        if asked.kind == "use-rule":
            return battle
        battle.answer(asked.default())
    battle.answer("a.1")
    return battle


def dice(battle: Battle11, step: str, weapon: int = 0) -> tuple[int, ...]:
    """The dice that succeed in a step of an attack of the first unit at the enemy."""
    return faces(volley(battle, 0, int(battle.scene.by_id["b.1"]), weapon=weapon), step)


def kinds(battle: Battle11) -> list[str]:
    return [option.key for option in decision(battle).options()]


@pytest.mark.rule("11e.core.19.04-model-abilities", "11e.core.01.03-players-rules")
def test_an_ability_is_offered_when_its_unit_is_selected_and_lasts_until_the_phase_ends() -> None:
    battle = shooting_at(used(trigger=WHEN_SHOOTING))
    assert kinds(battle) == ["ability:a.1:0", "none"]
    battle.answer("ability:a.1:0")
    assert dice(battle, "hit") == (2, 3, 4, 5, 6)
    assert [event.ability for event in battle.events if event.kind == "ability-used"] == ["Made up"]  # type: ignore[attr-defined]
    while battle.state.phase == Phase.SHOOTING:
        battle.answer(decision(battle).default())
    assert battle.state.timed == ()
    assert dice(battle, "hit") == (3, 4, 5, 6)


def test_an_ability_that_is_declined_has_no_effect_and_is_not_used_up() -> None:
    battle = shooting_at(used(trigger=WHEN_SHOOTING, usage=ONCE))
    battle.answer("none")
    assert (battle.state.timed, battle.state.timed_once) == ((), ())
    assert dice(battle, "hit") == (3, 4, 5, 6)


def test_an_ability_that_is_not_optional_is_at_work_unasked() -> None:
    battle = shooting_at(used(trigger={**WHEN_SHOOTING, "optional": False}))
    assert decision(battle).kind == "declare-attacks"
    assert dice(battle, "hit") == (2, 3, 4, 5, 6)


@pytest.mark.parametrize("spent", [False, True])
def test_what_is_for_once_in_the_battle_is_offered_once(spent: bool) -> None:
    more = {"timed_once": ((0, 0),)} if spent else {}
    battle = shooting_at(used(trigger=WHEN_SHOOTING, usage=ONCE), **more)
    assert (decision(battle).kind == "use-rule") is not spent


def test_an_attack_sequence_is_over_when_its_attacks_are_resolved() -> None:
    battle = shooting_at(used(trigger=WHEN_SHOOTING, duration="attack-sequence"))
    battle.answer("ability:a.1:0")
    assert battle.state.timed
    battle.answer(Declare((AttackDeclaration(0, 0, 0, "b.1"),)))
    while decision(battle).kind not in ("select-unit-to-shoot", "select-unit-to-charge"):
        battle.answer(decision(battle).default())
    assert battle.state.timed == ()


def test_melee_abilities_are_offered_when_selected_to_fight() -> None:
    blows = {"type": "sequence", "steps": [effect("stat-modifier", "self", operation="add", stat="S", value=3)]}
    battle = fighting(used(blows, trigger=WHEN_FIGHTING, scope="self"))
    battle.answer("ability:a.1:0")
    assert dice(battle, "wound", weapon=1) == (3, 4, 5, 6)


def test_an_ability_of_the_start_of_the_fight_phase_is_offered_there() -> None:
    start = {"event": "start-of-phase", "subject": "self", "optional": True}
    start["condition"] = condition("phase-is", phase="fight")  # type: ignore[assignment]
    battle = scene(armed(used(trigger=start)).at(10, 10), armed(name="Target").at(10, 12), phase=Phase.FIGHT, turn=1)
    assert kinds(battle) == ["ability:a.1:0", "none"]
    battle.answer("ability:a.1:0")
    copy = battle.fork()
    assert copy.checksum() == battle.checksum()
    assert dice(copy, "hit", weapon=1) == (2, 3, 4, 5, 6)


def test_a_condition_of_the_trigger_is_asked_of_the_unit() -> None:
    named = {**WHEN_FIGHTING, "subject": "friendly-unit", "condition": condition("unit-has-keyword", keyword="CHOSEN")}
    rule = used(trigger=named, source=AbilitySource.DETACHMENT)
    assert decision(fighting(rule)).kind != "use-rule"


@pytest.mark.parametrize(
    "trigger",
    [
        {"event": "on-unit-selected", "subject": "bearer"},
        {"event": "selected-to-shoot", "subject": "enemy-unit"},
        {"event": "selected-to-shoot", "subject": "self", "proximity": {"of": "self", "range": 8}},
        {"event": "start-of-phase", "subject": "self"},
    ],
)
def test_a_moment_that_is_not_known_leaves_the_ability_without_effect(trigger: dict[str, Any]) -> None:
    assert not read_ability(used(trigger=trigger)).is_enforced


def test_limits_durations_and_effects_that_do_not_suit_are_refused() -> None:
    assert not read_ability(used(trigger=WHEN_SHOOTING, usage={"frequency": "once-per-battle-round"})).is_enforced
    assert not read_ability(used(trigger=WHEN_SHOOTING, duration="until-next-command-phase")).is_enforced
    assert not read_ability(used(WARD, trigger=WHEN_SHOOTING)).is_enforced
    assert read_ability(used(trigger=WHEN_SHOOTING, usage={"frequency": "once-per-turn"})).is_enforced


# -- always at work after all --------------------------------------------------------------------------------------


def test_an_event_of_each_roll_a_lasting_reaction_and_a_turn_of_charging_need_no_timing() -> None:
    rolls = ability(BOOST, trigger={"event": "before-hit-roll", "subject": "self"})
    reaction = ability(WARD, behavior="reactive")
    charging = ability(when(condition("charged-this-turn"), BOOST), duration="turn")
    for each in (rolls, reaction, charging):
        reading = read_ability(each)
        assert reading.is_enforced
        assert reading.timing is None
    battle = scene(armed(rolls).at(10, 10), armed(reaction, name="Target").at(10, 20), phase=Phase.SHOOTING)
    assert dice(battle, "hit") == (2, 3, 4, 5, 6)
    assert dice(battle, "wound") == (5, 6)


def test_a_turn_without_a_beginning_and_a_reaction_of_other_kinds_stay_without_effect() -> None:
    assert not read_ability(ability(BOOST, duration="turn")).is_enforced
    assert not read_ability(ability(BOOST, behavior="reactive")).is_enforced
    assert not read_ability(ability(BOOST, trigger={"event": "before-hit-roll", "subject": "enemy-unit"})).is_enforced


# -- stratagems of detachments -------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.15.01-sequence", "11e.core.15.01-once-per-phase", "11e.core.15.01-one-per-unit")
def test_a_stratagem_for_own_attacks_is_paid_for_when_its_unit_is_selected() -> None:
    battle = shooting_at(stratagems=(stratagem(BOOST, phases=("shooting",), turn="your-turn"),), cp=(2, 2))
    assert kinds(battle) == ["detachment-bright-idea:a.1", "none"]
    battle.answer("detachment-bright-idea:a.1")
    assert battle.state.cp == (1, 2)
    assert battle.state.units[0].stratagem == "detachment-bright-idea"
    assert dice(battle, "hit") == (2, 3, 4, 5, 6)


def test_without_command_points_nobody_is_asked() -> None:
    battle = shooting_at(stratagems=(stratagem(BOOST, phases=("shooting",), turn="your-turn"),), cp=(0, 0))
    assert decision(battle).kind == "declare-attacks"


@pytest.mark.rule("11e.core.15.01-sequence", "11e.core.01.03-active-while-attacking")
def test_a_stratagem_against_attacks_is_offered_to_the_target_before_they_are_resolved() -> None:
    ward = stratagem(WARD, phases=("shooting",), turn="opponent-turn", behavior="reactive")
    battle = shooting_at(stratagems=(ward,), cp=(2, 2))
    battle.answer(Declare((AttackDeclaration(0, 0, 0, "b.1"),)))
    asked = decision(battle)
    assert (asked.kind, asked.side) == ("use-rule", 1)
    battle.answer("detachment-bright-idea:b.1")
    assert battle.state.cp == (2, 1)
    assert battle.state.timed[0][0] == battle.scene.by_id["b.1"]
    assert dice(battle, "wound") == (5, 6)


def test_a_save_given_against_attacks_stands_in_the_profile_of_the_whole_unit() -> None:
    shield = effect("invulnerable-save", invuln_sv=4)
    given = stratagem(shield, phases=("shooting",), turn="opponent-turn", behavior="reactive")
    battle = shooting_at(stratagems=(given,), cp=(2, 2), target=with_ability(unit(1, Sv="6+", name="Target")))
    battle.answer(Declare((AttackDeclaration(0, 0, 0, "b.1"),)))
    battle.answer("detachment-bright-idea:b.1")
    assert dice(battle, "save") == (4, 5, 6)


def test_keywords_of_a_stratagem_limit_on_whom_it_is_used() -> None:
    chosen = stratagem(BOOST, phases=("shooting",), applies_to={"required_keywords": ["Chosen"]})
    assert decision(shooting_at(stratagems=(chosen,), cp=(2, 2))).kind == "declare-attacks"
    barred = stratagem(BOOST, phases=("shooting",), applies_to={"excluded_keywords": ["Infantry"]})
    assert decision(shooting_at(stratagems=(barred,), cp=(2, 2))).kind == "declare-attacks"
    ours = stratagem(BOOST, phases=("shooting",), applies_to={"required_keywords": ["Infantry"]})
    assert decision(shooting_at(stratagems=(ours,), cp=(2, 2))).kind == "use-rule"


@pytest.mark.parametrize("setting", ["core", "none"])
def test_the_switch_leaves_stratagems_of_detachments_out(setting: str) -> None:
    given = stratagem(BOOST, phases=("shooting",))
    options = {"stratagems": setting, "offer_command_re_roll": "never"}
    assert decision(shooting_at(stratagems=(given,), cp=(2, 2), options=options)).kind == "declare-attacks"


@pytest.mark.parametrize(
    "changed",
    [
        {"phases": ("movement",)},
        {"phases": ("shooting",), "duration": "turn"},
        {"phases": ("shooting",), "scope": "aura-6"},
        {"phases": ("shooting",), "trigger": {"event": "start-of-phase"}},
        {"phases": ("shooting",), "behavior": "reactive"},
        {"phases": ("shooting",), "approximate": True},
        {"phases": ("shooting",), "usage": {"frequency": "once-per-turn"}},
    ],
)
def test_a_stratagem_of_which_anything_is_not_told_has_no_effect(changed: dict[str, Any]) -> None:
    given = stratagem(BOOST, **changed)
    assert not read_ability(given).is_enforced
    battle = scene(armed().at(10, 10), armed().at(10, 20), stratagems=(given,))
    assert detachment_stratagems(battle.scene) == ()


def test_a_stratagem_without_its_card_has_no_effect() -> None:
    record = json.loads(stratagem(BOOST, phases=("shooting",)).encoding)
    del record["card"]
    assert not read_ability(Ability("Bright Idea", AbilitySource.STRATAGEM, json.dumps(record))).is_enforced


def test_a_stratagem_for_both_phases_is_offered_in_both() -> None:
    given = stratagem(when(both(condition("attack-is-type", attack_type="melee")), BOOST), phases=("shooting", "fight"))
    battle = scene(armed().at(10, 10), armed().at(10, 20), stratagems=(given,))
    assert [str(each.occasion) for each in detachment_stratagems(battle.scene)] == [
        *(["selected-to-shoot", "selected-to-fight"] * 2)
    ]
