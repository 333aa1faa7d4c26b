"""Modifiers in the 11th edition: their order, their limits, rolls, and leave to ignore them."""

from __future__ import annotations

import pytest

from battlewright.core.dice import Modifier, parse_dice
from battlewright.editions.eleventh.modifiers import (
    LIMITS,
    Change,
    Characteristic,
    Limits,
    ModifierKind,
    Operation,
    charge_roll,
    detection_range,
    improve,
    kept_modifiers,
    lone_operative_distance,
    may_ignore,
    modified_amount,
    modified_hit_roll,
    modified_roll,
    modified_wound_roll,
    modify,
    roll_modifier,
    signed,
    without_harmful,
    worsen,
)
from battlewright.editions.eleventh.stratagems import cp_cost
from ledger import eleventh_builders as made
from support.abilities import ability, effect, volley, with_ability
from support.eleventh import scene, unit, weapon

M, T, SV, INSV, LD, OC = (Characteristic(name) for name in ("M", "T", "Sv", "InSv", "Ld", "OC"))
A, WS, BS, S, AP, D, RANGE = (Characteristic(name) for name in ("A", "WS", "BS", "S", "AP", "D", "Range"))

SET, MULTIPLY, ADD, DIVIDE, SUBTRACT = tuple(Operation)


def value(printed: int | None, *changes: tuple[Operation, int | None], limits: Limits | None = None) -> int | None:
    return modify(printed, [Change(*change) for change in changes], limits or Limits()).value


def limited(characteristic: Characteristic, printed: int, *changes: Change) -> int | None:
    return modify(printed, changes, LIMITS[characteristic]).value


def modifiers(*amounts: int) -> list[Modifier]:
    return [Modifier("", amount) for amount in amounts]


# --- the order of modifiers


@pytest.mark.rule("11e.ds-modifier-order.cumulative")
def test_modifiers_of_different_rules_all_count() -> None:
    assert value(6, (ADD, 2), (ADD, 1)) == 9


@pytest.mark.rule("11e.ds-modifier-order.order", "11e.ds-modifier-order.replace-first", "11e.core.01.05-modifier-order")
def test_a_value_is_worked_out_in_six_stages_however_the_rules_came() -> None:
    changes = [Change(SUBTRACT, 1), Change(DIVIDE, 2), Change(ADD, 3), Change(MULTIPLY, 2), Change(SET, 5)]
    worked = modify(7, changes)
    assert [float(step.after or 0) for step in worked.steps] == [5, 10, 13, 6.5, 5.5, 6]
    assert worked.value == 6
    assert (
        str(worked) == "7 -> 5 (set) -> 10 (multiply) -> 13 (add) -> 6.5 (divide) -> 5.5 (subtract) -> 6 (rounded up)"
    )
    assert value(8, (ADD, 2), (SET, 5)) == value(8, (SET, 5), (ADD, 2)) == 7


@pytest.mark.rule("11e.ds-modifier-order.replace-lock")
@pytest.mark.parametrize("set_to", [0, None])
def test_a_value_set_to_nothing_takes_no_other_modifier(set_to: int | None) -> None:
    changes = [Change(SET, set_to), Change(ADD, 1), Change(MULTIPLY, 2)]
    assert modify(2, changes, Limits(low=1)).value == set_to


@pytest.mark.rule(
    "11e.ds-modifier-order.multiply-before-add",
    "11e.ds-modifier-order.add-before-divide",
    "11e.ds-modifier-order.divide-before-subtract",
    "11e.ds-modifier-order.round-up-last",
)
def test_each_stage_comes_before_the_next() -> None:
    assert value(3, (ADD, 1), (MULTIPLY, 2)) == 7
    assert value(4, (DIVIDE, 2), (ADD, 2)) == 3
    assert value(6, (DIVIDE, 2), (SUBTRACT, 1)) == 2
    assert value(5, (DIVIDE, 2), (SUBTRACT, 1)) == 2
    assert value(5, (DIVIDE, 2)) == 3


# --- characteristics and their limits


@pytest.mark.rule("11e.ds-characteristic-modifiers.dash-star-na")
def test_a_dash_is_never_changed() -> None:
    assert modify(None, [signed(M, 3)], LIMITS[M]).value is None
    assert modify(None, [signed(OC, 1)], LIMITS[OC]).value is None


@pytest.mark.rule("11e.ds-characteristic-modifiers.ws-bs-all-weapons")
def test_a_change_of_skill_changes_every_weapon_that_uses_it() -> None:
    keen = with_ability(
        unit(1, weapons=[weapon("A", BS="3+"), weapon("B", BS="4+"), weapon("C", melee=True)]),
        ability(effect("stat-modifier", "self", stat="BS", operation="improve", value=1), scope="self"),
    )
    battle = scene(keen.at(10, 10), unit(1).at(10, 12))
    assert [volley(battle, 0, 1, weapon=place).step("hit").needed for place in range(3)] == [2, 3, 3]


@pytest.mark.rule(
    "11e.ds-characteristic-modifiers.limits",
    "11e.ds-characteristic-modifiers.limits-at-the-end",
    "11e.core.01.05-characteristic-caps",
)
def test_limits_hold_at_the_end_and_not_between_modifiers() -> None:
    assert limited(WS, 5, worsen(WS, 2), improve(WS, 1)) == 6
    assert set(LIMITS) == set(Characteristic) - {Characteristic.W}


@pytest.mark.rule(
    "11e.ds-characteristic-modifiers.limit-m",
    "11e.ds-characteristic-modifiers.limit-t",
    "11e.ds-characteristic-modifiers.limit-oc",
    "11e.ds-characteristic-modifiers.limit-range",
    "11e.ds-characteristic-modifiers.limit-a",
    "11e.ds-characteristic-modifiers.limit-s",
)
def test_numbers_have_a_least_value() -> None:
    assert limited(M, 4, signed(M, -5)) == 1
    assert limited(T, 3, signed(T, -4)) == 1
    assert limited(OC, 1, signed(OC, -2)) == 0
    assert limited(RANGE, 6, signed(RANGE, -8)) == 1
    assert limited(A, 1, signed(A, -1)) == 1
    assert limited(S, 3, signed(S, -5)) == 1


@pytest.mark.rule("11e.ds-characteristic-modifiers.limit-ap", "11e.ds-characteristic-modifiers.limit-d")
def test_ap_ends_at_nought_and_damage_at_one() -> None:
    assert limited(AP, -1, worsen(AP, 2)) == 0
    assert limited(D, 1, signed(D, -1)) == 1


@pytest.mark.rule(
    "11e.ds-characteristic-modifiers.limit-sv",
    "11e.ds-characteristic-modifiers.limit-insv",
    "11e.ds-characteristic-modifiers.limit-ld",
    "11e.ds-characteristic-modifiers.limit-ws",
    "11e.ds-characteristic-modifiers.limit-bs",
)
def test_dice_results_have_a_best_and_some_a_worst_value() -> None:
    assert limited(SV, 2, improve(SV, 1)) == 2
    assert limited(SV, 6, worsen(SV, 3)) == 9
    assert limited(INSV, 3, improve(INSV, 2)) == 2
    assert (limited(LD, 6, improve(LD, 2)), limited(LD, 7, worsen(LD, 2))) == (5, 8)
    assert (limited(WS, 2, improve(WS, 1)), limited(WS, 5, worsen(WS, 2))) == (2, 6)
    assert (limited(BS, 3, improve(BS, 2)), limited(BS, 6, worsen(BS, 1))) == (2, 6)


# --- improving and worsening


@pytest.mark.rule(
    "11e.ds-modifier-basics.plus-improves",
    "11e.ds-modifier-basics.plus-example-ap",
    "11e.ds-modifier-basics.minus-worsens",
    "11e.ds-modifier-basics.minus-example-sv",
)
def test_plus_makes_better_and_minus_makes_worse() -> None:
    assert limited(S, 4, signed(S, 1)) == 5
    assert limited(LD, 7, signed(LD, 1)) == 6
    assert limited(AP, -2, signed(AP, 1)) == -3
    assert limited(T, 5, signed(T, -1)) == 4
    assert limited(WS, 3, signed(WS, -1)) == 4
    assert limited(SV, 3, signed(SV, -1)) == 4


@pytest.mark.rule("11e.ds-modifier-basics.modifier-defined", "11e.ds-modifier-basics.notation")
def test_what_alters_a_value_is_a_modifier() -> None:
    assert [modify(6, [signed(M, number)]).number for number in (1, 2, -1)] == [7, 8, 5]
    assert modify(6, [signed(M, 2)]).steps[0].change == Change(ADD, 2)
    assert modify(6, [signed(M, -1)]).steps[0].change == Change(SUBTRACT, 1)


@pytest.mark.rule("11e.ds-modifier-basics.modified-naming")
def test_a_roll_that_was_altered_is_called_modified() -> None:
    roll = modified_hit_roll(4, modifiers(1))
    assert (roll.unmodified, roll.modified) == (4, 5)


@pytest.mark.rule(
    "11e.ds-improve-worsen.counts-as-modifying",
    "11e.ds-improve-worsen.improve-plus-type",
    "11e.ds-improve-worsen.improve-ap",
    "11e.ds-improve-worsen.improve-other",
)
def test_improving() -> None:
    assert limited(LD, 5, improve(LD, 1)) == 5
    assert limited(WS, 3, improve(WS, 1)) == 2
    assert limited(LD, 8, improve(LD, 2)) == 6
    assert [limited(AP, printed, improve(AP, 1)) for printed in (-1, 0)] == [-2, -1]
    assert limited(S, 4, improve(S, 1)) == 5


@pytest.mark.rule(
    "11e.ds-improve-worsen.worsen-plus-type", "11e.ds-improve-worsen.worsen-ap", "11e.ds-improve-worsen.worsen-other"
)
def test_worsening() -> None:
    assert limited(WS, 3, worsen(WS, 1)) == 4
    assert limited(SV, 4, worsen(SV, 2)) == 6
    assert [limited(AP, printed, worsen(AP, 1)) for printed in (-1, 0)] == [0, 0]
    assert limited(AP, 0, worsen(AP, 2), improve(AP, 1)) == 0
    assert limited(A, 3, worsen(A, 1)) == 2
    assert limited(T, 6, worsen(T, 2)) == 4


# --- rolls


@pytest.mark.rule(
    "11e.ds-roll-modifiers.after-rerolls", "11e.ds-roll-modifiers.unmodified", "11e.core.01.05-reroll-before-modifiers"
)
def test_modifiers_come_after_rerolls() -> None:
    assert modified_hit_roll(3, modifiers(1)).modified == 4
    assert modified_hit_roll(6, modifiers(-1)).unmodified == 6


@pytest.mark.rule("11e.ds-roll-modifiers.above-maximum", "11e.ds-roll-modifiers.minimum-one")
def test_a_result_may_go_above_the_die_but_not_below_one() -> None:
    assert modified_roll(6, modifiers(1)).modified == 7
    assert modified_roll(1, modifiers(-2)).modified == 1


@pytest.mark.rule(
    "11e.ds-roll-modifiers.hit-cap-upper",
    "11e.ds-roll-modifiers.hit-cap-lower",
    "11e.ds-roll-modifiers.wound-cap-upper",
    "11e.ds-roll-modifiers.wound-cap-lower",
    "11e.ds-roll-modifiers.cap-on-total",
    "11e.core.01.05-modifier-caps",
)
def test_modifiers_of_hit_and_wound_rolls_come_to_one_at_most() -> None:
    assert modified_hit_roll(3, modifiers(1, 1, 1)).modified == 4
    assert modified_hit_roll(4, modifiers(-1, -1)).modified == 3
    assert modified_wound_roll(3, modifiers(1, 1)).modified == 4
    assert modified_wound_roll(5, modifiers(-1, -2)).modified == 4
    assert modified_hit_roll(3, modifiers(1, 1, -1)).modified == 4


@pytest.mark.rule("11e.ds-roll-modifiers.charge-cap")
def test_a_charge_roll_counts_as_twelve_at_most() -> None:
    assert charge_roll((6, 5), modifiers(3)).modified == 12
    assert charge_roll((6, 4), modifiers(1)).modified == 11


# --- other modified rules


@pytest.mark.rule(
    "11e.ds-other-modified.detection-range-limits",
    "11e.ds-other-modified.lone-operative-limits",
    "11e.ds-other-modified.cp-increase-limit",
    "11e.ds-other-modified.cp-minimum",
    "11e.core.01.05-stratagem-cost-caps",
)
def test_distances_and_costs_have_limits_too() -> None:
    assert detection_range(12, [Change(SUBTRACT, 6)]).value == 9
    assert detection_range(24, [Change(ADD, 12)]).value == 30
    assert lone_operative_distance(12, [Change(SUBTRACT, 6)]).value == 9
    assert lone_operative_distance(12, [Change(ADD, 24)]).value == 30
    assert cp_cost(1, changes=(1, 1)) == 2
    assert cp_cost(1, changes=(-1, -1)) == 0


# --- ignoring modifiers


@pytest.mark.rule("11e.ds-ignore-modifiers.scope")
def test_leave_to_ignore_modifiers_covers_rolls_profiles_and_weapons() -> None:
    assert all(may_ignore(kind) for kind in ModifierKind)
    assert not may_ignore(ModifierKind.ROLL, {ModifierKind.PROFILE})


@pytest.mark.rule("11e.ds-ignore-modifiers.all-or-some", "11e.ds-ignore-modifiers.example-hit")
def test_all_or_some_modifiers_may_be_ignored() -> None:
    in_force = modifiers(1, -1)
    assert [roll_modifier(kept_modifiers(in_force, ignored)) for ignored in ((), (0, 1), (1,), (0,))] == [0, 0, 1, -1]
    assert modified_hit_roll(3, kept_modifiers(in_force, (1,))).modified == 4


@pytest.mark.rule("11e.ds-ignore-modifiers.example-move")
def test_the_harmful_modifier_of_a_move_may_be_ignored() -> None:
    assert modify(6, without_harmful(M, 6, [signed(M, 2), signed(M, -2)]), LIMITS[M]).value == 8


# --- random characteristics


@pytest.mark.rule("11e.ds-random.operator-part-of-d", "11e.core.01.05-value-after-operator")
def test_a_number_behind_an_operator_is_no_modifier() -> None:
    printed = made.weapon(D="D6+1").damage
    assert modified_amount(printed, [], LIMITS[D]).value(printed.minimum + 2) == 4
    assert not modified_amount(printed, [], LIMITS[D]).modifiers


def test_a_random_characteristic_is_modified_whatever_it_comes_to() -> None:
    halved = modified_amount(parse_dice("D6"), [Change(DIVIDE, 2), Change(ADD, 2)], LIMITS[D])
    assert halved.values == (2, 2, 3, 3, 4, 4)
