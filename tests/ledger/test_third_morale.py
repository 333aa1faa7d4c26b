"""Morale of the 3rd edition: losses by fire, the last man, rallying, the last chance, immunity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.editions.classic.bearers import passes
from battlewright.editions.classic.morale import (
    LeadershipSource,
    RallyConditions,
    below_half,
    best_leadership,
    half_strength_modifier,
    is_last_man,
    is_pinned_by,
    last_chance_survivors,
    last_man_acts,
    leadership_used,
    lost_combat_modifiers,
    may_rally_now,
    must_test_for_losses,
    outnumbered_modifier,
    passes_morale_test,
    quarter_lost,
)
from battlewright.editions.classic.special_rules import Test
from battlewright.editions.classic.state import Deed
from battlewright.editions.third.morale import (
    all_losses,
    last_chance,
    last_man_below_half,
    last_man_unmodified,
    only_losses_by_fire,
)
from battlewright.editions.third.special_rules import SPECIAL_RULES
from support.classic import rules_with

FIT = RallyConditions(left=7, begun=10, in_formation=True, nearest_enemy=10.0)
WHOLE = [True] * 5


# -- losses by fire ---------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.fire-morale.quarter", "3e.core.morale.quarter-losses")
def test_a_quarter_lost_in_one_phase_calls_for_a_test() -> None:
    assert must_test_for_losses(8, 2)
    assert not must_test_for_losses(8, 1)


@pytest.mark.rule("3e.fire-morale.current-strength")
def test_the_quarter_is_taken_of_the_strength_at_the_start_of_the_phase() -> None:
    assert quarter_lost(4, 1)
    assert not quarter_lost(12, 1)


@pytest.mark.rule("3e.fire-morale.one-phase")
def test_losses_of_two_phases_are_not_added_up() -> None:
    assert not quarter_lost(10, 2)
    assert quarter_lost(8, 2)


@pytest.mark.rule("3e.fire-morale.test-at-end")
def test_one_test_at_the_end_for_three_firing_units() -> None:
    assert must_test_for_losses(10, 1 + 1 + 1)
    assert not must_test_for_losses(5, 5)


@pytest.mark.rule("3e.fire-morale.transport-excluded", "3e.fire-morale.transport-counts")
def test_losses_with_the_transport_count_by_the_house_rule_alone() -> None:
    assert not must_test_for_losses(10, only_losses_by_fire(3, 3))
    assert must_test_for_losses(10, all_losses(3, 3))
    settled, house = (rules_with("3", {"transport_losses_count": value}).morale for value in ("no", "yes"))
    assert settled.losses_that_count(3, 3) == 0
    assert house.losses_that_count(3, 3) == 3


@pytest.mark.rule("3e.core.morale.pinned-skip", "3e.core.morale.vehicles")
def test_pinned_units_and_vehicles_do_not_test() -> None:
    assert not must_test_for_losses(8, 2, pinned=True)
    assert not must_test_for_losses(3, 1, vehicle=True)


# -- the last man -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.last-man.each-turn", "3e.core.morale.lone-survivor")
def test_the_last_of_eight_tests_at_the_start_of_its_turn() -> None:
    assert is_last_man(1, 8)
    assert not is_last_man(2, 8)
    assert not is_last_man(1, 1)
    assert not is_last_man(1, 8, character=True)


@pytest.mark.rule("3e.last-man.no-minus", "3e.last-man.minus-option")
def test_below_half_strength_counts_by_the_house_rule_alone() -> None:
    assert leadership_used(8, last_man_unmodified(1, 8)) == 8
    assert leadership_used(8, last_man_below_half(1, 8)) == 7
    for value, needed in (("no", 8), ("yes", 7)):
        rules = rules_with("3", {"last_man_below_half": value}).morale
        assert leadership_used(8, rules.last_man_modifiers(1, 8)) == needed


@pytest.mark.rule("3e.last-man.never-rally")
def test_the_last_man_can_never_rally() -> None:
    rules = rules_with("3").morale
    assert rules.why_no_rally(replace(FIT, left=1, begun=8, nearest_enemy=None))
    assert not rules.why_no_rally(replace(FIT, left=1, begun=2, nearest_enemy=None))


# -- tests ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.half-strength", "3e.core.fundamentals.below-half", "3e.core.assault.below-half-modifier")
def test_below_half_strength_takes_one_off() -> None:
    assert leadership_used(8, half_strength_modifier(4, 10)) == 7
    assert leadership_used(8, half_strength_modifier(5, 10)) == 8
    assert below_half(1, 3)


@pytest.mark.rule("3e.outside.outnumbered", "3e.core.assault.outnumbered-modifier", "3e.core.assault.losers-test")
def test_outnumbered_losers_have_a_penalty() -> None:
    assert leadership_used(8, outnumbered_modifier(4, 9)) <= 7
    assert [outnumbered_modifier(4, n)[0].amount for n in (5, 8, 12, 16, 40)] == [-1, -2, -3, -4, -4]
    assert outnumbered_modifier(5, 5) == ()
    assert leadership_used(8, lost_combat_modifiers(4, 10, 4, 9)) == 5


@pytest.mark.rule("3e.outside.two-always")
def test_a_natural_two_always_passes() -> None:
    assert passes_morale_test((1, 1), 1)
    assert not passes_morale_test((1, 2), 1)


@pytest.mark.rule("3e.last-man.pass", "3e.last-man.fail")
def test_the_last_man_acts_or_falls_back() -> None:
    assert last_man_acts((3, 4), 8)
    assert not last_man_acts((4, 5), 8)


@pytest.mark.rule("3e.last-chance.fail", "3e.last-chance.pass")
def test_the_last_chance_saves_or_removes_everybody() -> None:
    assert last_chance_survivors(range(6), passed=False) == []
    assert last_chance_survivors(range(6), passed=True) == [0, 1, 2, 3, 4, 5]


@pytest.mark.rule("3e.outside.ld-test")
@pytest.mark.parametrize(("faces", "passes"), [((3, 4), True), ((4, 4), True), ((4, 5), False)])
def test_leadership_or_less_passes(faces: tuple[int, int], passes: bool) -> None:
    assert passes_morale_test(faces, 8) is passes


@pytest.mark.rule("3e.char-leaders.leadership", "3e.core.morale.best-leadership")
def test_a_unit_uses_the_higher_leadership_of_its_leader() -> None:
    assert best_leadership([LeadershipSource(8)] * 5 + [LeadershipSource(9, borrowed=True)]) == 9
    assert best_leadership([LeadershipSource(8), LeadershipSource(7, borrowed=True)]) == 8


# -- rallying ---------------------------------------------------------------------------------------------------


def reasons(unit: RallyConditions, **options: str) -> list[str]:
    return [rule for rule, _ in rules_with("3", options).morale.why_no_rally(unit)]


@pytest.mark.rule("3e.outside.rally-conditions", "3e.rally.bans-apply", "3e.core.morale.regroup")
def test_half_strength_formation_and_distance_are_needed_to_rally() -> None:
    assert reasons(replace(FIT, left=5, nearest_enemy=6.5)) == []
    assert reasons(replace(FIT, left=4)) == ["3e.outside.rally-conditions"]
    assert reasons(replace(FIT, nearest_enemy=6.0)) == ["3e.outside.rally-conditions"]
    assert len(reasons(replace(FIT, left=4, nearest_enemy=3.0, in_formation=False))) == 3


@pytest.mark.rule("3e.formation.no-rally", "3e.fall-back.formation-not-reachable")
def test_out_of_formation_a_unit_cannot_rally() -> None:
    assert reasons(replace(FIT, in_formation=False)) == ["3e.formation.no-rally"]


@pytest.mark.rule("3e.char-leaders.always-rally")
def test_a_character_may_always_rally_his_unit_by_the_house_rule() -> None:
    led = replace(FIT, left=4, has_leader=True)
    assert reasons(led)
    assert reasons(led, characters_always_rally="yes") == []
    assert reasons(replace(led, has_leader=False), characters_always_rally="yes")


@pytest.mark.rule("3e.rally.in-cover", "3e.rally.whole-unit")
def test_the_whole_unit_must_be_in_cover() -> None:
    assert not may_rally_now([True] * 4 + [False], (), beaten_in_combat=False)
    assert may_rally_now(WHOLE, (), beaten_in_combat=False)


@pytest.mark.rule("3e.rally.once")
def test_one_attempt_in_a_phase() -> None:
    assert not may_rally_now(WHOLE, {Deed.TRIED_TO_RALLY}, beaten_in_combat=False)


@pytest.mark.rule("3e.rally.not-after-combat")
def test_no_rally_in_cover_in_the_turn_of_a_lost_combat() -> None:
    assert not may_rally_now(WHOLE, (), beaten_in_combat=True)


@pytest.mark.rule("3e.rally.any-phase", "3e.rally.movement-phase-only")
def test_rallying_in_cover_belongs_to_the_move_or_to_the_own_movement_phase() -> None:
    settled, narrow = (rules_with("3", {"rally_movement_phase_only": value}).morale for value in ("no", "yes"))
    assert settled.may_rally_in_cover(False)
    assert not narrow.may_rally_in_cover(False)
    assert narrow.may_rally_in_cover(True)


# -- the last chance --------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.last-chance.one-model", "3e.last-chance.same-turn", "3e.core.morale.table-edge")
def test_one_model_at_the_edge_is_enough() -> None:
    assert last_chance([True] + [False] * 5, []) == "test"
    assert last_chance([False] * 6, []) == "none"


@pytest.mark.rule("3e.last-chance.bans-apply", "3e.outside.last-chance-conditions")
def test_who_may_not_rally_leaves_the_table_untested() -> None:
    rules = rules_with("3").morale
    for unit in (replace(FIT, left=4), replace(FIT, in_formation=False)):
        assert last_chance([True] * 3, rules.why_no_rally(unit)) == "removed"


# -- characters, immunity, pinning ------------------------------------------------------------------------------


@pytest.mark.rule("3e.char-leaders.orphan")
def test_a_character_whose_unit_is_destroyed_is_bound_or_released() -> None:
    assert rules_with("3").morale.is_bound()
    assert not rules_with("3", {"orphaned_character": "released"}).morale.is_bound()


@pytest.mark.rule("3e.immunity.morale-not-leadership")
def test_ignoring_morale_tests_is_not_ignoring_leadership_tests() -> None:
    brave = {"IGNORES MORALE TESTS"}
    assert passes(SPECIAL_RULES, brave, Test.LOSSES)
    assert passes(SPECIAL_RULES, brave, Test.LOST_COMBAT)
    assert not passes(SPECIAL_RULES, brave, Test.PINNING)


@pytest.mark.rule("3e.immunity.leadership-all", "3e.core.morale.fearless", "3e.core.shooting.pinning-immunity")
def test_ignoring_leadership_tests_covers_both() -> None:
    for steady in ({"IGNORES LEADERSHIP TESTS"}, {"FEARLESS"}, {"VEHICLE"}):
        assert passes(SPECIAL_RULES, steady, Test.LOSSES)
        assert passes(SPECIAL_RULES, steady, Test.PINNING)
    assert not passes(SPECIAL_RULES, {"INFANTRY"}, Test.LOSSES)


@pytest.mark.rule("3e.outside.pinning-sources", "3e.core.shooting.pinning-test")
def test_losses_by_a_weapon_that_pins_call_for_one_test() -> None:
    assert is_pinned_by(2, pins=True)
    assert not is_pinned_by(0, pins=True)
    assert not is_pinned_by(2, pins=False)
