"""Universal special rules of the 4th edition, and what joining does to those who have them."""

from __future__ import annotations

import math

import pytest
from tests.ledger.test_third_assault_phase import play
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.core.dice import SeededDice
from battlewright.core.events import ModelsMoved
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.armour import Verdict, verdict
from battlewright.editions.classic.bearers import (
    Bearer,
    acts_freely_after_rallying,
    attacking,
    bout_of,
    break_off,
    fate_when_caught,
    ignores_wound_on,
    may_rally_below_half,
    names_of_model,
    names_of_unit,
    passes,
    rallies_by_itself,
)
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.events import WoundIgnored
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.nerve import names_of, traits_of
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Bout, Caught, Encounter, Harm, Occasion, Test
from battlewright.editions.classic.state import Deed, MoveKind, Phase
from battlewright.editions.fourth.special_rules import ASTERISK, SPECIAL_RULES, is_held_in_one_hand

NOBODY: frozenset[str] = frozenset()
TOUCHING = 20.984


def bearers(squad: set[str], character: set[str]) -> tuple[Bearer, Bearer]:
    return Bearer(frozenset(squad)), Bearer(frozenset(character), joined=True)


def unit_has(name: str, squad: set[str], character: set[str]) -> bool:
    return name in names_of_unit(SPECIAL_RULES, bearers(squad, character))


def each_has(name: str, squad: set[str], character: set[str]) -> tuple[bool, bool]:
    """Whether a model of the squad has it, and whether the character who has joined it has."""
    found = bearers(squad, character)
    shared = names_of_unit(SPECIAL_RULES, found)
    first, second = (name in names_of_model(SPECIAL_RULES, bearer, shared) for bearer in found)
    return first, second


def bout(*names: str, strength: int = 4, initiative: int = 4, **more: object) -> Bout:
    charged = bool(more.get("charged", False))
    start = Bout(strength=strength, weapon_skill=4, initiative=initiative, attacks=1, charging=charged)
    return bout_of(SPECIAL_RULES, start, Occasion(names=frozenset(names), **more))  # type: ignore[arg-type]


def fight(a: UnitSpec, b: UnitSpec, *dice: tuple[str, list[int]]) -> ClassicBattle:
    return scene(a, b, phase=Phase.ASSAULT, alone=True, edition="4", dice=list(dice))


# -- joining ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.usr.asterisk-list")
def test_six_special_rules_are_lost_by_joining() -> None:
    lost = {name for name, special in SPECIAL_RULES.items() if special.lost_by_joining}
    assert lost == set(ASTERISK)
    assert len(lost) == 6
    for name in ASTERISK:
        assert not unit_has(name, {name}, set())


@pytest.mark.rule(
    "4e.usr.asterisk-character-loses", "4e.usr.asterisk-unit-loses", "4e.character-joining.abilities-lost"
)
def test_rules_with_an_asterisk_are_lost_on_both_sides_unless_all_have_them() -> None:
    assert each_has("SCOUTS", set(), {"SCOUTS"}) == (False, False)
    assert each_has("FLEET", {"FLEET"}, set()) == (False, False)
    assert not unit_has("INFILTRATE", {"INFILTRATE"}, set())
    assert each_has("FLEET", {"FLEET"}, {"FLEET"}) == (True, True)


@pytest.mark.rule("4e.character-joining.abilities-not-shared")
def test_other_rules_stay_with_whom_they_belong_to() -> None:
    assert each_has("FURIOUS CHARGE", set(), {"FURIOUS CHARGE"}) == (False, True)
    assert each_has("TRUE GRIT", {"TRUE GRIT"}, set()) == (True, False)


@pytest.mark.rule("4e.fearless.character-gains", "4e.fearless.character-loses")
def test_a_character_is_fearless_as_his_unit_is() -> None:
    assert each_has("FEARLESS", {"FEARLESS"}, set()) == (True, True)
    assert unit_has("FEARLESS", {"FEARLESS"}, set())
    assert each_has("FEARLESS", set(), {"FEARLESS"}) == (False, False)
    assert not unit_has("FEARLESS", set(), {"FEARLESS"})


@pytest.mark.rule("4e.stubborn.character-gives", "4e.stubborn.unit-gives")
@pytest.mark.rule("4e.night-vision.character-gives", "4e.night-vision.unit-gives")
def test_stubbornness_and_night_vision_pass_both_ways() -> None:
    for name in ("STUBBORN", "NIGHT VISION"):
        for squad, character in (({name}, set[str]()), (set[str](), {name})):
            assert unit_has(name, squad, character)
            assert each_has(name, squad, character) == (True, True)
        assert not unit_has(name, set(), set())


@pytest.mark.rule("4e.usr.override")
def test_the_rule_is_the_books_whatever_a_list_says() -> None:
    assert bout("FURIOUS CHARGE", charged=True) == bout_of(
        SPECIAL_RULES,
        Bout(strength=4, weapon_skill=4, initiative=4, attacks=1, charging=True),
        Occasion(names=model(abilities=["Furious Charge"]).abilities, charged=True),
    )


# -- nerve ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.fearless.auto-pass", "4e.fearless.no-pinning")
def test_the_fearless_pass_everything() -> None:
    assert all(passes(SPECIAL_RULES, {"FEARLESS"}, test) for test in Test)
    assert not passes(SPECIAL_RULES, NOBODY, Test.LOSSES)


@pytest.mark.rule("4e.stubborn.as-fearless", "4e.stubborn.pinning-tested")
def test_the_stubborn_pass_all_but_pinning_tests() -> None:
    for test in (Test.LOSSES, Test.LOST_COMBAT, Test.TANK_SHOCK):
        assert passes(SPECIAL_RULES, {"STUBBORN"}, test)
    assert not passes(SPECIAL_RULES, {"STUBBORN"}, Test.PINNING)


@pytest.mark.rule("4e.stubborn.as-fearless")
@pytest.mark.parametrize(("options", "tests"), [({}, []), ({"stubborn": "no-modifiers"}, [8])])
def test_the_stubborn_may_be_agreed_to_test_without_modifiers(options: dict[str, str], tests: list[int]) -> None:
    rolls = [("lost combat", [4, 4])] if tests else [("save", [6])] * 4
    battle = scene(
        unit(4, I=5, A=1, WS=4).on((10, 20), (8.9, 20), (11.1, 20), (10, 18.9)),
        unit(2, I=1, Ld=8, abilities=("Stubborn",)).on((10, TOUCHING), (11.1, TOUCHING)),
        phase=Phase.ASSAULT, alone=True, edition="4", options=options,
        dice=[("hit", [4, 1, 1, 1]), ("wound", [4]), ("save", [1]), ("hit", [1]), *rolls],
    )  # fmt: skip
    play(battle)
    told = [event.to_json() for event in battle.events if event.kind == "leadership-tested"]
    assert [each["needed"] for each in told] == tests, "outnumbered four to one and below half makes no difference"


@pytest.mark.rule("4e.atsknf.regroup", "4e.atsknf.below-half", "4e.atsknf.regrouped-may-move")
def test_marines_regroup_by_themselves_however_few_and_act_at_once() -> None:
    marine = model(abilities=["And They Shall Know No Fear"]).abilities
    assert rallies_by_itself(SPECIAL_RULES, marine, ())
    assert may_rally_below_half(SPECIAL_RULES, marine)
    assert acts_freely_after_rallying(SPECIAL_RULES, marine)
    assert not acts_freely_after_rallying(SPECIAL_RULES, NOBODY)
    assert not may_rally_below_half(SPECIAL_RULES, NOBODY)


@pytest.mark.rule("4e.atsknf.not-destroyed-by-sweep")
def test_marines_who_are_caught_fight_on() -> None:
    marine = model(abilities=["And They Shall Know No Fear"]).abilities
    assert fate_when_caught(SPECIAL_RULES, marine) is Caught.LOCKED
    assert fate_when_caught(SPECIAL_RULES, NOBODY) is Caught.DESTROYED


@pytest.mark.rule("4e.tank-hunters.auto-pass-shock", "4e.tank-hunters.penetration-bonus")
def test_tank_hunters_stand_before_tanks_and_pierce_them() -> None:
    hunters = frozenset({"TANK HUNTERS"})
    assert passes(SPECIAL_RULES, hunters, Test.TANK_SHOCK)
    tank = Encounter(weapon=weapon("HEAVY 1", S=8), target=model("VEHICLE", AV="14/14/14"))
    context = attacking(SPECIAL_RULES, hunters, AttackContext(skill=4), tank)
    assert verdict(8 + 5 + sum(each.amount for each in context.penetration), 14) is Verdict.GLANCING


# -- wounds -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.feel-no-pain.roll", "4e.feel-no-pain.not-instant-death", "4e.feel-no-pain.not-power-weapons")
def test_who_feels_no_pain_ignores_wounds_on_four_or_more() -> None:
    numb = {"FEEL NO PAIN"}
    found = ignores_wound_on(SPECIAL_RULES, numb, Harm())
    assert found is not None
    assert found[0] == 4
    assert ignores_wound_on(SPECIAL_RULES, numb, Harm(outright=True)) is None
    assert ignores_wound_on(SPECIAL_RULES, numb, Harm(close_combat=True, denies_armour=True)) is None
    assert ignores_wound_on(SPECIAL_RULES, numb, Harm(close_combat=True)) is not None


@pytest.mark.rule("4e.feel-no-pain.roll")
@pytest.mark.parametrize(("face", "left"), [(3, 0), (4, 1)])
def test_feel_no_pain_is_rolled_after_a_failed_save(face: int, left: int) -> None:
    battle = scene(
        unit(1, weapons=[printed_weapon("Gun", "HEAVY 1")]).at(10, 10),
        unit(1, abilities=("Feel No Pain",)).at(10, 20),
        phase=Phase.SHOOTING,
        alone=True,
        edition="4",
        dice=[("hit", [4]), ("wound", [4]), ("save", [1]), ("ignore-wound", [face])],
    )
    battle.answer(Pick("a.1"))
    while battle.decision is not None:
        battle.answer(Pick("b.1") if battle.decision.kind == "select-target" else battle.decision.default())
    assert any(isinstance(event, WoundIgnored) for event in battle.events)
    assert int(battle.state.wounds[1]) == left


# -- close combat -----------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.furious-charge.bonus")
def test_furious_chargers_are_stronger_and_quicker_in_the_turn_of_the_charge() -> None:
    found = bout("FURIOUS CHARGE", charged=True)
    assert (found.strength, found.initiative) == (5, 5)
    found = bout("FURIOUS CHARGE", charged=False)
    assert (found.strength, found.initiative) == (4, 4)


def hits_on(names: set[str], enemy: object, *, melee: bool = True) -> int | None:
    encounter = Encounter(
        weapon=weapon(melee=melee),
        target=enemy,
        target_names=frozenset({"ORKS"}),
        close_combat=melee,  # type: ignore[arg-type]
    )
    return attacking(SPECIAL_RULES, names, AttackContext(skill=3), encounter).needed


@pytest.mark.rule(
    "4e.preferred-enemy.hit-on-three", "4e.preferred-enemy.not-against", "4e.preferred-enemy.walkers-allowed"
)
def test_a_preferred_enemy_is_hit_on_three_or_more() -> None:
    hate = {"PREFERRED ENEMY (ORKS)"}
    assert hits_on(hate, model(WS=6)) == 3
    assert hits_on({"PREFERRED ENEMY"}, model(WS=6)) == 3
    assert hits_on({"PREFERRED ENEMY (ELDAR)"}, model(WS=6)) is None
    assert hits_on(hate, model(WS=6), melee=False) is None
    assert hits_on(hate, model("INFANTRY", "INDEPENDENT CHARACTER", WS=6)) is None
    assert hits_on(hate, model("MONSTROUS CREATURE", WS=6)) is None
    assert hits_on(hate, model("VEHICLE")) is None
    assert hits_on(hate, model("VEHICLE", "WALKER", WS=5, S=6, I=4, A=2)) == 3


@pytest.mark.rule("4e.true-grit.bolter-one-hand", "4e.true-grit.not-on-charge")
def test_a_boltgun_in_one_hand_gives_an_attack_but_not_in_a_charge() -> None:
    boltgun = weapon("RAPID FIRE", name="Boltgun")
    assert bout("TRUE GRIT", free_hand=True, guns=(boltgun,)).two_weapons
    charge = bout("TRUE GRIT", free_hand=True, guns=(boltgun,), charged=True)
    assert charge.charging
    assert not charge.two_weapons
    assert not bout("TRUE GRIT", free_hand=False, guns=(boltgun,)).two_weapons
    assert not bout(free_hand=True, guns=(boltgun,)).two_weapons


@pytest.mark.rule("4e.true-grit.no-combi", "4e.true-grit.grey-knights")
def test_combi_weapons_take_both_hands_and_storm_bolters_of_grey_knights_one() -> None:
    combi = weapon("RAPID FIRE", name="Combi-bolter")
    storm = weapon("ASSAULT 2", name="Storm bolter")
    assert not is_held_in_one_hand(combi, NOBODY)
    assert not is_held_in_one_hand(storm, NOBODY)
    assert is_held_in_one_hand(storm, frozenset({"GREY KNIGHTS"}))
    assert bout("TRUE GRIT", "GREY KNIGHTS", free_hand=True, guns=(storm,)).two_weapons
    assert not bout("TRUE GRIT", free_hand=True, guns=(combi,)).two_weapons


@pytest.mark.rule("4e.slow-and-purposeful.no-charge-bonus")
def test_the_slow_and_purposeful_have_no_attack_more_for_charging() -> None:
    assert not bout("SLOW AND PURPOSEFUL", charged=True).charging
    assert bout(charged=True).charging


# -- hit and run --------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.hit-and-run.choose", "4e.hit-and-run.must-have-fought", "4e.hit-and-run.auto-breakoff")
@pytest.mark.rule("4e.hit-and-run.distance", "4e.hit-and-run.enemy-consolidates")
def test_hit_and_run_units_leave_through_their_enemies_who_only_consolidate() -> None:
    battle = fight(
        unit(1, I=2, WS=4, abilities=("Hit and Run",)).at(10, 20),
        unit(1, I=6).at(10, TOUCHING),
        ("hit", [1]),
        ("hit", [1]),
        ("break-off", [2, 4, 5]),
    )
    play(battle, break_off="north")
    assert battle.state.position[0].tolist()[:2] == [10000, 31000]
    assert battle.state.units[1].has(Deed.CONSOLIDATED)
    assert break_off(SPECIAL_RULES, {"HIT AND RUN"}, in_combat=True, fought=False) is None
    assert break_off(SPECIAL_RULES, {"HIT AND RUN"}, in_combat=True, fought=True) is not None


@pytest.mark.rule("4e.hit-and-run.no-charge")
def test_leaving_a_combat_does_not_lead_into_another() -> None:
    battle = scene(
        unit(1, I=6, abilities=("Hit and Run",)).at(10, 20),
        [unit(1, I=1).at(10, TOUCHING), unit(1).at(10, 10)],
        phase=Phase.ASSAULT,
        alone=True,
        edition="4",
        dice=[("hit", [1]), ("hit", [1]), ("break-off", [2, 3, 4])],
    )
    play(battle, break_off="south")
    assert not in_combat(battle.scene, battle.state, 2)
    assert not in_combat(battle.scene, battle.state, 0)


# -- in battle ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.character-joining.abilities-not-shared")
def test_a_joined_character_keeps_his_own_rules_in_battle() -> None:
    hero = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", abilities=("Furious Charge", "Fleet"))
    battle = scene([hero.at(10, 10), unit(3).at(10, 12)], unit(1).at(60, 40), edition="4")
    state = battle.state
    state.units[0].joined = 1
    state.units[1].models = (*state.units[1].models, 0)
    state.units[0].models = ()
    assert "FURIOUS CHARGE" in names_of(battle.scene, state, 0)
    assert "FLEET" not in names_of(battle.scene, state, 0)
    assert "FURIOUS CHARGE" not in names_of(battle.scene, state, 1)
    assert "FLEET" not in traits_of(battle.scene, state, 1)
    assert len(standing(state, 1)) == 4
    assert mixed("Two", unit(1), unit(1)).name == "Two"


# -- counter-attack -----------------------------------------------------------------------------------------------


def prompts(battle: ClassicBattle, *picks: str) -> list[str]:
    """What is asked from here on, the first questions answered so and the others by default."""
    found, waiting = [], list(picks)
    while battle.decision is not None:
        found.append(battle.decision.prompt)
        battle.answer(Pick(waiting.pop(0)) if waiting else battle.decision.default())
    return found


@pytest.mark.rule("4e.counter-attack.move", "4e.counter-attack.terrain", "4e.counter-attack.no-bonus")
def test_those_who_are_charged_go_to_meet_the_enemy_as_in_a_charge_without_its_attack() -> None:
    wood = TerrainArea("wood", ((0, 13.2), (60, 13.2), (60, 40), (0, 40)), tags=frozenset({"difficult"}))
    squad = mixed("Target", unit(2, abilities=("Counter-Attack",), W=9, A=1)).on((10, 14), (13.5, 16.5))
    battle = scene(
        unit(1, W=9, I=1).at(10, 10),
        squad,
        phase=Phase.ASSAULT,
        alone=True,
        edition="4",
        terrain=[wood],
        dice=[("terrain", [6, 6]), ("terrain", [2, 3]), ("hit", [1, 1]), ("hit", [1, 1])],
    )
    asked = prompts(battle, "a.1", "b.1")
    assert "Target counter-attacks" in asked
    moves = [event for event in battle.events if isinstance(event, ModelsMoved) and event.unit == "b.1"]
    assert moves[0].how == MoveKind.ASSAULT
    ((_, (begun, *_, ended)),) = moves[0].paths
    assert 0.0 < math.hypot(ended[0] - begun[0], ended[1] - begun[1]) <= 3000.0
    assert battle.decision is None, "two attacks for two models that have one each: nobody has one more"


@pytest.mark.rule("4e.counter-attack.not-on-consolidation")
def test_nobody_counter_attacks_whom_the_enemy_reaches_by_consolidating() -> None:
    fresh = mixed("Fresh", unit(2, abilities=("Counter-Attack",))).on((10, 23), (13, 24))
    battle = scene(
        unit(1, I=5).at(10, 20),
        [unit(1, I=4).at(10, TOUCHING), fresh],
        phase=Phase.ASSAULT,
        alone=True,
        edition="4",
        dice=[("hit", [4]), ("wound", [4]), ("save", [1]), ("consolidation", [3])],
    )
    asked = prompts(battle)
    assert in_combat(battle.scene, battle.state, 0)
    assert not any("counter-attacks" in prompt for prompt in asked)
    charged = scene(unit(1, W=9).at(10, 19), fresh, phase=Phase.ASSAULT, alone=True, edition="4", dice=SeededDice(1))
    assert any("counter-attacks" in prompt for prompt in prompts(charged, "a.1", "b.1"))


# -- being caught -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.atsknf.not-destroyed-by-sweep", "4e.atsknf.no-retreat")
def test_marines_who_are_caught_by_more_of_them_suffer_for_it() -> None:
    marines = unit(2, I=1, abilities=("And They Shall Know No Fear",)).on((10, TOUCHING), (11, TOUCHING))
    battle = fight(
        unit(3, I=5, W=2).on((9, 20), (10, 20), (11, 20)),
        marines,
        ("hit", [4, 1, 1]),
        ("wound", [4]),
        ("save", [1]),
        ("hit", [1]),
        ("lost combat", [6, 6]),
        ("escape", [1]),
        ("sweeping advance", [6]),
        ("save", [1]),
    )
    play(battle, select_reaction="sweep")
    assert not battle.state.units[1].falling_back
    assert standing(battle.state, 1) == [], "three to one: more wounds for the one who was caught and stayed"


@pytest.mark.rule("4e.furious-charge.not-sweeping")
@pytest.mark.parametrize(("face", "caught"), [(2, False), (3, True)])
def test_the_quickness_of_the_charge_does_not_count_in_the_pursuit(face: int, caught: bool) -> None:
    flight = [] if caught else [("fall-back", [3, 3])]
    battle = scene(
        unit(1, I=4, abilities=("Furious Charge",)).at(30, 20),
        unit(2, I=4).on((30, 24), (31, 24.5)),
        phase=Phase.ASSAULT,
        alone=True,
        edition="4",
        dice=[
            ("hit", [4, 1]),
            ("wound", [3]),
            ("save", [1]),
            ("hit", [1]),
            ("lost combat", [6, 6]),
            ("escape", [3]),
            ("sweeping advance", [face]),
            *flight,
        ],
    )
    play(battle, ("a.1", "b.1"), select_reaction="sweep")
    assert (standing(battle.state, 1) == []) is caught
