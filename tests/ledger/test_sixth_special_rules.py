"""Special rules of the 6th edition, by themselves and in battle."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_third_assault_phase import play
from tests.support.classic import UnitSpec, model, printed_weapon, scene, unit, weapon

from battlewright.attacks.description import RerollWhich
from battlewright.core.decisions import Pick
from battlewright.core.dice import Modifier
from battlewright.editions.classic.bearers import (
    Bearer,
    acts_freely_after_rallying,
    armed,
    attacking,
    bout_of,
    break_off,
    causes_fear,
    endures,
    fate_when_caught,
    guarded,
    ignores_wound_on,
    may_sweep,
    names_of_model,
    names_of_unit,
    nerve_modifiers,
    passes,
    pursuit_dice,
    rallies_by_itself,
    rampage_dice,
    regains_on,
)
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.joining import limits_together, may_leave, why_not_join
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.nerve import passes_without_roll
from battlewright.editions.classic.procedures.prowess import frighten, recover
from battlewright.editions.classic.profiles import CharacterKind, ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Bout, Caught, Encounter, Guard, Harm, Occasion, Saves, Test
from battlewright.editions.classic.state import ClassicUnit, Deed, Phase
from battlewright.editions.happenings import AttacksDeclared
from battlewright.editions.sixth.characters import why_no_host
from battlewright.editions.sixth.fighting import crashes_in
from battlewright.editions.sixth.special_rules import SPECIAL_RULES

NOBODY: frozenset[str] = frozenset()
TOUCHING = 20.984


def bout(*names: str, charged: bool = False, **more: Any) -> Bout:
    start = Bout(strength=4, weapon_skill=4, initiative=4, attacks=1, charging=charged)
    return bout_of(SPECIAL_RULES, start, Occasion(names=frozenset(names), charged=charged, **more))


def context(name: str, target: ModelProfile, *, melee: bool = True, **more: Any) -> AttackContext:
    encounter = Encounter(weapon=weapon(melee=melee), target=target, close_combat=melee, **more)
    return attacking(SPECIAL_RULES, {name}, AttackContext(skill=4), encounter)


def fight(a: UnitSpec, b: UnitSpec, *dice: tuple[str, list[int]]) -> ClassicBattle:
    return scene(a, b, phase=Phase.ASSAULT, alone=True, edition="6", dice=list(dice))


# -- characters ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.characters.joining")
def test_characters_join_within_two_inches_and_leave_in_the_movement_phase() -> None:
    independent, mine = CharacterKind.INDEPENDENT, ClassicUnit(0, (0, 1))  # type: ignore[arg-type]
    assert not why_not_join(independent, Phase.MOVEMENT, 2.0)
    assert why_not_join(independent, Phase.MOVEMENT, 2.1)
    assert may_leave(independent, Phase.MOVEMENT, mine, 2.5)
    assert not may_leave(independent, Phase.SHOOTING, mine, 2.5)
    mine.falling_back = True
    assert not may_leave(independent, Phase.MOVEMENT, mine, 2.5)
    mine = ClassicUnit(0, (0, 1))  # type: ignore[arg-type]
    assert not why_no_host([model(), model()], mine)
    assert why_no_host([model("VEHICLE")], mine)
    assert why_no_host([model("MONSTROUS CREATURE")], mine)


@pytest.mark.rule("6e.core.characters.rules-do-not-spread")
def test_rules_stay_with_their_bearers_unless_they_say_otherwise() -> None:
    squad, hero = Bearer(frozenset({"FLEET", "RAGE"})), Bearer(frozenset({"FURIOUS CHARGE", "STUBBORN"}), joined=True)
    shared = names_of_unit(SPECIAL_RULES, [squad, hero])
    assert shared == {"STUBBORN"}
    assert names_of_model(SPECIAL_RULES, squad, shared) == {"FLEET", "RAGE", "STUBBORN"}
    assert names_of_model(SPECIAL_RULES, hero, shared) == {"FURIOUS CHARGE", "STUBBORN"}
    assert limits_together({0: 6000, 1: 12000}, [1]) == {0: 6000, 1: 6000}


# -- nerve ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.special-rules.fearless", "6e.outside.fearless", "6e.core.special-rules.zealot")
def test_the_fearless_and_zealots_pass_every_test() -> None:
    for name in ("FEARLESS", "ZEALOT"):
        for test in (Test.LOSSES, Test.LOST_COMBAT, Test.PINNING, Test.REGROUP, Test.FEAR, Test.TANK_SHOCK):
            assert passes(SPECIAL_RULES, {name}, test)
    assert not passes(SPECIAL_RULES, NOBODY, Test.FEAR)
    assert context("ZEALOT", model(), first_round=True).reroll_hits is not None


@pytest.mark.rule("6e.core.special-rules.stubborn")
def test_the_stubborn_ignore_penalties() -> None:
    penalties = (Modifier("6e.core.assault.result", -3), Modifier("some bonus", 1))
    assert nerve_modifiers(SPECIAL_RULES, {"STUBBORN"}, penalties) == (Modifier("some bonus", 1),)
    assert nerve_modifiers(SPECIAL_RULES, NOBODY, penalties) == penalties


@pytest.mark.rule("6e.core.special-rules.know-no-fear")
def test_who_knows_no_fear() -> None:
    brave = model(abilities=["And They Shall Know No Fear"]).abilities
    assert rallies_by_itself(SPECIAL_RULES, brave, ())
    assert acts_freely_after_rallying(SPECIAL_RULES, brave)
    assert fate_when_caught(SPECIAL_RULES, brave) is Caught.LOCKED
    assert passes(SPECIAL_RULES, brave, Test.FEAR)
    assert not passes(SPECIAL_RULES, brave, Test.LOSSES)


@pytest.mark.rule("6e.core.special-rules.fear")
def test_those_who_touch_what_they_fear_test_or_fight_badly() -> None:
    for faces, afraid in (([4, 4], False), ([4, 5], True)):
        battle = scene(
            unit(1, "MONSTROUS CREATURE", abilities=("Fear",)).at(10, 20),
            unit(1, Ld=8).at(10, TOUCHING),
            alone=True,
            edition="6",
            dice=[("fear", faces)],
        )
        frighten(battle, [0, 1])
        assert battle.state.units[1].has(Deed.AFRAID) is afraid
        assert not battle.state.units[0].has(Deed.AFRAID)
    assert causes_fear(SPECIAL_RULES, {"FEAR"})
    assert not causes_fear(SPECIAL_RULES, NOBODY)


# -- wounds and saves ---------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.special-rules.feel-no-pain")
def test_feel_no_pain_ignores_wounds_on_five_but_no_instant_death() -> None:
    def needed(name: str, **harm: bool) -> int | None:
        found = ignores_wound_on(SPECIAL_RULES, {name}, Harm(**harm))
        return found[0] if found else None

    assert needed("FEEL NO PAIN") == 5
    assert needed("FEEL NO PAIN (4+)") == 4
    assert needed("FEEL NO PAIN", close_combat=True, denies_armour=True) == 5
    assert needed("FEEL NO PAIN", outright=True) is None


@pytest.mark.rule("6e.core.special-rules.daemon")
def test_a_daemon_is_saved_on_five_and_feared() -> None:
    assert guarded(SPECIAL_RULES, {"DAEMON"}, Saves(4, None), Guard()) == Saves(4, 5)
    assert guarded(SPECIAL_RULES, {"DAEMON"}, Saves(4, 3), Guard()) == Saves(4, 3)
    assert causes_fear(SPECIAL_RULES, {"DAEMON"})


@pytest.mark.rule("6e.core.special-rules.eternal-warrior")
@pytest.mark.parametrize(("abilities", "left"), [((), 0), (("Eternal Warrior",), 2)])
def test_an_eternal_warrior_loses_one_wound_to_instant_death(abilities: tuple[str, ...], left: int) -> None:
    battle = scene(
        unit(1, weapons=[printed_weapon("Cannon", "HEAVY 1", S=8)]).at(10, 10),
        unit(1, W=3, Sv="-", abilities=abilities).at(10, 20),
        phase=Phase.SHOOTING,
        alone=True,
        edition="6",
        dice=[("hit", [6]), ("wound", [6])],
    )
    battle.answer(Pick("a.1"))
    while battle.decision is not None:
        battle.answer(Pick("b.1") if battle.decision.kind == "select-target" else battle.decision.default())
    assert int(battle.state.wounds[1]) == left
    assert endures(SPECIAL_RULES, {"ETERNAL WARRIOR"})
    assert not endures(SPECIAL_RULES, NOBODY)


@pytest.mark.rule("6e.core.special-rules.it-will-not-die")
@pytest.mark.parametrize(("face", "left"), [(4, 1), (5, 2)])
def test_it_will_not_die_regains_a_wound_on_five(face: int, left: int) -> None:
    hydra = unit(1, W=3, abilities=("It Will Not Die",)).at(10, 20).having(wounds=[1])
    battle = scene(hydra, unit(1).at(60, 40), edition="6", dice=[("it-will-not-die", [face])])
    recover(battle)
    assert int(battle.state.wounds[0]) == left
    assert regains_on(SPECIAL_RULES, {"IT WILL NOT DIE"}) == 5


# -- close combat -----------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.special-rules.counter-attack", "6e.core.special-rules.furious-charge")
@pytest.mark.rule("6e.core.special-rules.rage")
def test_charging_and_being_charged() -> None:
    assert bout("COUNTER-ATTACK", charged_at=True).attacks == 2
    assert bout("COUNTER-ATTACK").attacks == 1
    assert bout("FURIOUS CHARGE", charged=True).strength == 5
    assert bout("FURIOUS CHARGE", charged=True).initiative == 4
    assert bout("FURIOUS CHARGE").strength == 4
    raging = bout("RAGE", charged=True)
    assert raging.attacks + raging.charging == 3
    assert bout("RAGE").attacks == 1


@pytest.mark.rule("6e.core.special-rules.hatred")
def test_hatred_rolls_misses_of_the_first_round_again() -> None:
    first = context("HATRED", model(), first_round=True).reroll_hits
    assert first is not None
    assert first.widest is RerollWhich.FAILURES
    assert context("HATRED", model()).reroll_hits is None
    assert context("HATRED", model(), melee=False, first_round=True).reroll_hits is None
    assert context("HATRED (ORKS)", model(), first_round=True).reroll_hits is None


@pytest.mark.rule("6e.core.special-rules.preferred-enemy", "6e.core.special-rules.monster-hunter")
def test_preferred_enemies_and_monsters() -> None:
    for melee in (True, False):
        found = context("PREFERRED ENEMY", model(), melee=melee)
        assert found.reroll_hits is not None
        assert found.reroll_wounds is not None
        assert found.reroll_hits.widest is found.reroll_wounds.widest is RerollWhich.ONES
    assert context("MONSTER HUNTER", model("MONSTROUS CREATURE")).reroll_wounds is not None
    assert context("MONSTER HUNTER", model()).reroll_wounds is None


@pytest.mark.rule("6e.core.special-rules.tank-hunters")
def test_tank_hunters_roll_failed_penetrations_again() -> None:
    battle = scene(
        unit(1, abilities=("Tank Hunters",), weapons=[printed_weapon("Cannon", "HEAVY 1", S=8)]).at(10, 10),
        unit(1, "VEHICLE", AV="14/14/14", HP=3, W=3, base="100mm").at(10, 24),
        phase=Phase.SHOOTING,
        alone=True,
        edition="6",
        dice=[("hit", [6]), ("penetration", [2]), ("penetration-reroll", [5])],
    )
    assert context("TANK HUNTERS", model("VEHICLE"), melee=False).reroll_penetration is not None
    assert context("TANK HUNTERS", model(), melee=False).reroll_penetration is None
    battle.answer(Pick("a.1"))
    while battle.decision is not None:
        battle.answer(Pick("b.1") if battle.decision.kind == "select-target" else battle.decision.default())


@pytest.mark.rule("6e.core.special-rules.rampage", "6e.core.special-rules.crusader", "6e.core.special-rules.smash")
def test_rampaging_crusading_and_smashing() -> None:
    rampage = rampage_dice(SPECIAL_RULES, {"RAMPAGE"}, outnumbered=True)
    assert rampage is not None
    assert (rampage.count, rampage.sides) == (1, 3)
    assert rampage_dice(SPECIAL_RULES, {"RAMPAGE"}, outnumbered=False) is None
    crusade = pursuit_dice(SPECIAL_RULES, {"CRUSADER"})
    assert crusade is not None
    assert crusade.sides == 3
    assert pursuit_dice(SPECIAL_RULES, NOBODY) is None
    claw = weapon(melee=True)
    assert armed(SPECIAL_RULES, {"SMASH"}, claw).ap == 2
    assert armed(SPECIAL_RULES, NOBODY, claw).ap is None
    assert armed(SPECIAL_RULES, {"SMASH"}, weapon()).ap == 5


@pytest.mark.rule("6e.core.special-rules.rampage")
def test_a_model_that_rampages_rolls_for_more_attacks_when_outnumbered() -> None:
    battle = fight(
        unit(1, I=5, W=5, abilities=("Rampage",)).at(10, 20),
        unit(2, I=1).on((10, TOUCHING), (11, TOUCHING)),
        ("rampage", [3]),
        ("hit", [1, 1, 1, 1]),
        ("hit", [1, 1]),
    )
    play(battle)
    assert in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("6e.core.special-rules.hammer-of-wrath", "6e.outside.hammer-of-wrath")
def test_hammer_of_wrath_comes_with_the_charge_in_contact() -> None:
    rider = model(abilities=["Hammer of Wrath"])
    assert crashes_in(rider, charged=True, in_contact=True)
    assert not crashes_in(rider, charged=False, in_contact=True)
    assert not crashes_in(rider, charged=True, in_contact=False)
    assert not crashes_in(model(), charged=True, in_contact=True)


@pytest.mark.rule("6e.core.special-rules.hit-and-run", "6e.core.special-rules.slow-and-purposeful")
@pytest.mark.parametrize(("face", "leaves"), [(4, True), (5, False)])
def test_hit_and_run_takes_an_initiative_test(face: int, leaves: bool) -> None:
    moves = [("break-off", [3, 3, 3])] if leaves else []
    battle = fight(
        unit(1, I=4, abilities=("Hit and Run",)).at(10, 20),
        unit(1, I=1).at(10, TOUCHING),
        ("hit", [1]),
        ("hit", [1]),
        ("initiative", [face]),
        *moves,
        *([("consolidation", [1])] if leaves else []),
    )
    play(battle, break_off="south")
    assert in_combat(battle.scene, battle.state, 0) is not leaves
    way = break_off(SPECIAL_RULES, {"HIT AND RUN"}, in_combat=True, fought=True)
    assert way is not None
    assert way.initiative_test
    assert not may_sweep(SPECIAL_RULES, {"SLOW AND PURPOSEFUL"})
    assert standing(battle.state, 0) == [0]


# -- elsewhere ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.embarked-fearless")
def test_a_unit_is_fearless_while_it_is_aboard() -> None:
    battle = scene(
        [unit(3).having(embarked=1), unit(1, "VEHICLE", "TRANSPORT", base="100mm", W=3).at(10, 10)],
        unit(1).at(60, 40),
        edition="6",
        alone=True,
    )
    assert passes_without_roll(battle.scene, battle.state, 0, Test.LOSSES)
    assert passes_without_roll(battle.scene, battle.state, 0, Test.PINNING)
    battle.state.units[0].embarked = -1
    assert not passes_without_roll(battle.scene, battle.state, 0, Test.PINNING)


@pytest.mark.rule("6e.core.special-rules.split-fire")
@pytest.mark.parametrize(("faces", "hits"), [([3, 4], [[1], [1]]), ([6, 5], [[1, 1]])])
def test_one_model_fires_at_another_target_when_the_unit_has_passed_a_test(
    faces: list[int], hits: list[list[int]]
) -> None:
    battle = scene(
        unit(2, abilities=("Split Fire",), weapons=[printed_weapon("Gun", "HEAVY 1")]).at(10, 10),
        [unit(1).at(10, 20), unit(1).at(16, 20)],
        phase=Phase.SHOOTING,
        alone=True,
        edition="6",
        dice=[("split fire", faces), *(("hit", each) for each in hits)],
    )
    battle.answer(Pick("a.1"))
    while battle.decision is not None:
        match battle.decision.kind:
            case "select-target":
                battle.answer(Pick("b.1"))
            case "split-fire":
                battle.answer(Pick("1:b.2"))
            case _:
                battle.answer(battle.decision.default())
    assert battle.state.units[0].target == 1
    declared = [event for event in battle.events if isinstance(event, AttacksDeclared)]
    assert [event.pools[0][2] for event in declared] == ["b.1", "b.2"][: len(hits)]
