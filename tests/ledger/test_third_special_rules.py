"""Special rules and wargear of the 3rd edition, as its table has them."""

from __future__ import annotations

import pytest
from tests.support.classic import model, weapon

from battlewright.editions.classic.arrivals import may_teleport, strikes_deep
from battlewright.editions.classic.bearers import (
    Bearer,
    acts_freely_after_rallying,
    attacking,
    bout_of,
    fate_when_caught,
    guarded,
    ignores_wound_on,
    may_rally_below_half,
    may_repeat,
    may_sweep,
    names_of_unit,
    passes,
    rallies_by_itself,
    wins_tie_break,
)
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.pursuit import Reaction
from battlewright.editions.classic.special_rules import Bout, Caught, Encounter, Guard, Harm, Occasion, Saves, Test
from battlewright.editions.classic.striking import Fighter, Reach, attacks_of
from battlewright.editions.classic.weapon_rules import may_repeat_a_miss
from battlewright.editions.third.pursuit import reactions
from battlewright.editions.third.special_rules import SPECIAL_RULES

NOBODY: frozenset[str] = frozenset()
FAR = [("3e.outside.rally-conditions", 'has an enemy 5.0" away; 6" or less')]
BOUT = Bout(strength=4, weapon_skill=4, initiative=4, attacks=1)


def bout(*names: str, charged: bool = False, second: bool = False, **more: object) -> Bout:
    start = Bout(strength=4, weapon_skill=4, initiative=4, attacks=1, charging=charged, two_weapons=second)
    return bout_of(SPECIAL_RULES, start, Occasion(names=frozenset(names), charged=charged, **more))  # type: ignore[arg-type]


# -- wargear ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.traits.terminator-armour")
def test_terminator_armour_saves_and_is_too_slow_to_sweep() -> None:
    worn = guarded(SPECIAL_RULES, {"TERMINATOR ARMOUR"}, Saves(3, None), Guard())
    assert worn == Saves(2, 5)
    squad = names_of_unit(SPECIAL_RULES, [Bearer(frozenset({"TERMINATOR"})), Bearer(NOBODY)])
    slow = not may_sweep(SPECIAL_RULES, squad)
    assert reactions(by_tie_roll=False, still_engaged=False, slow=slow) == (Reaction.CONSOLIDATE,)
    assert may_sweep(SPECIAL_RULES, {"INFANTRY"})
    assert may_teleport({"TERMINATOR"})
    assert strikes_deep({"TERMINATOR ARMOUR"})
    assert not may_teleport({"INFANTRY"})


@pytest.mark.rule("3e.core.traits.storm-shield")
def test_a_storm_shield_covers_one_opponent_in_close_combat() -> None:
    def save(invulnerable: int | None, *names: str, close_combat: bool = True, opponents: int = 1) -> int | None:
        guard = Guard(close_combat=close_combat, opponents=opponents)
        return guarded(SPECIAL_RULES, names, Saves(3, invulnerable), guard).invulnerable

    assert save(5, "STORM SHIELD") == 4
    assert save(None, "STORM SHIELD") == 4
    assert save(3, "STORM SHIELD") == 3
    assert save(5, "STORM SHIELD", opponents=2) == 5
    assert save(5, "STORM SHIELD", close_combat=False) == 5
    assert save(None) is None


@pytest.mark.rule("3e.core.traits.bionics")
def test_bionics_ignore_a_wound_on_a_six() -> None:
    assert ignores_wound_on(SPECIAL_RULES, {"BIONICS"}, Harm()) == (6, ("3e.core.traits.bionics",))
    assert ignores_wound_on(SPECIAL_RULES, NOBODY, Harm()) is None


@pytest.mark.rule("3e.core.traits.master-crafted")
def test_a_master_crafted_weapon_repeats_one_miss_in_a_turn() -> None:
    blade = weapon("MASTER-CRAFTED", melee=True)
    assert may_repeat_a_miss(blade, missed=True, used_this_turn=False)
    assert not may_repeat_a_miss(blade, missed=True, used_this_turn=True)
    assert not may_repeat_a_miss(blade, missed=False, used_this_turn=False)
    assert not may_repeat_a_miss(weapon(melee=True), missed=True, used_this_turn=False)


# -- close combat -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.traits.furious-charge")
def test_furious_charge() -> None:
    def fought(strength: int, initiative: int, *, charged: bool, names: frozenset[str]) -> tuple[int, int]:
        start = Bout(strength=strength, weapon_skill=4, initiative=initiative, attacks=1)
        found = bout_of(SPECIAL_RULES, start, Occasion(names=names, charged=charged))
        return found.strength, found.initiative

    furious = frozenset({"FURIOUS CHARGE"})
    assert fought(4, 4, charged=True, names=furious) == (5, 5)
    assert fought(4, 4, charged=False, names=furious) == (4, 4)
    assert fought(4, 4, charged=True, names=NOBODY) == (4, 4)
    assert fought(10, 9, charged=True, names=furious) == (10, 10)


@pytest.mark.rule("3e.core.traits.counter-attack")
def test_troops_that_counter_attack_win_tie_breaks() -> None:
    fierce = {"COUNTER-ATTACK"}
    assert wins_tie_break(SPECIAL_RULES, fierce, NOBODY)
    assert not wins_tie_break(SPECIAL_RULES, NOBODY, fierce)
    assert not wins_tie_break(SPECIAL_RULES, fierce, fierce)


@pytest.mark.rule("3e.core.traits.true-grit")
def test_true_grit_swaps_the_charge_bonus_for_the_rifle() -> None:
    def attacks(*names: str, charged: bool, reach: Reach = Reach.CONTACT) -> int:
        found = bout(*names, charged=charged, free_hand=True, guns=(weapon("RAPID FIRE"),))
        fighter = Fighter(
            row=0,
            initiative=4,
            attacks=found.attacks,
            reach=reach,
            charging=found.charging,
            two_weapons=found.two_weapons,
        )
        return attacks_of(fighter)

    for charged in (False, True):
        assert attacks("TRUE GRIT", charged=charged) == 2
    assert attacks(charged=True) == 2
    assert attacks(charged=False) == 1
    assert attacks("TRUE GRIT", charged=True, reach=Reach.SUPPORT) == 1
    assert bout("TRUE GRIT", free_hand=True, guns=(weapon("HEAVY 1"),)) == BOUT


@pytest.mark.rule("3e.core.traits.tank-hunters")
def test_tank_hunters_penetrate_better_and_do_not_mind_tanks() -> None:
    gun, hunters = weapon("HEAVY 1"), frozenset({"TANK HUNTERS"})
    tank, trooper = (Encounter(weapon=gun, target=each) for each in (model("VEHICLE"), model()))
    context = attacking(SPECIAL_RULES, hunters, AttackContext(skill=4), tank)
    assert [modifier.amount for modifier in context.penetration] == [1]
    assert attacking(SPECIAL_RULES, NOBODY, AttackContext(skill=4), tank).penetration == ()
    assert attacking(SPECIAL_RULES, hunters, AttackContext(skill=4), trooper).penetration == ()
    assert passes(SPECIAL_RULES, hunters, Test.TANK_SHOCK)
    assert not passes(SPECIAL_RULES, hunters, Test.LOSSES)
    assert not passes(SPECIAL_RULES, NOBODY, Test.TANK_SHOCK)


# -- nerve ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.traits.resolute")
def test_resolute_troops_repeat_a_failed_morale_test_once() -> None:
    resolute = {"RESOLUTE"}
    assert may_repeat(SPECIAL_RULES, resolute, Test.LOSSES, passed=False, rerolled=False)
    assert not may_repeat(SPECIAL_RULES, resolute, Test.LOSSES, passed=False, rerolled=True)
    assert not may_repeat(SPECIAL_RULES, resolute, Test.LOSSES, passed=True, rerolled=False)
    assert not may_repeat(SPECIAL_RULES, resolute, Test.PINNING, passed=False, rerolled=False)
    assert not may_repeat(SPECIAL_RULES, NOBODY, Test.LOSSES, passed=False, rerolled=False)


@pytest.mark.rule("3e.core.traits.steadfast")
def test_steadfast_troops_regroup_below_half() -> None:
    assert may_rally_below_half(SPECIAL_RULES, {"STEADFAST"})
    assert not may_rally_below_half(SPECIAL_RULES, NOBODY)


@pytest.mark.rule("3e.core.morale.know-no-fear")
def test_who_knows_no_fear_regroups_by_himself_and_is_never_swept_away() -> None:
    brave = model(abilities=["And They Shall Know No Fear"]).abilities
    assert rallies_by_itself(SPECIAL_RULES, brave, ())
    assert not rallies_by_itself(SPECIAL_RULES, brave, FAR)
    assert not rallies_by_itself(SPECIAL_RULES, NOBODY, ())
    assert may_rally_below_half(SPECIAL_RULES, brave)
    assert acts_freely_after_rallying(SPECIAL_RULES, brave)
    assert fate_when_caught(SPECIAL_RULES, brave) is Caught.LOCKED
    assert fate_when_caught(SPECIAL_RULES, NOBODY) is Caught.DESTROYED
