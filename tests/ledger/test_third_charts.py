"""The charts of the 3rd edition: to hit, to wound, saves, Leadership."""

from __future__ import annotations

import pytest

from battlewright.core.rulebook import entry
from battlewright.editions.classic.charts import (
    armour_stands,
    best_save,
    d3,
    hit_on,
    passes_characteristic_test,
    passes_leadership_test,
    strike_on,
    wound_on,
)

TEN = range(1, 11)


def printed(needed: int | None) -> str:
    return "-" if needed is None else f"{needed}+"


@pytest.mark.rule("3e.outside.bs-table", "3e.core.shooting.to-hit")
def test_what_hits_depends_on_ballistic_skill_only() -> None:
    assert {str(bs): printed(hit_on(bs)) for bs in range(1, 6)} == entry("3e.outside.bs-table").table
    assert hit_on(4) == 3
    assert hit_on(0) is None
    assert [hit_on(bs) for bs in range(6, 11)] == [2] * 5


@pytest.mark.rule("3e.outside.ws-table", "3e.core.assault.to-hit")
def test_what_hits_in_close_combat_compares_weapon_skills() -> None:
    chart = {f"attacker {ws}": {str(other): printed(strike_on(ws, other)) for other in TEN} for ws in TEN}
    assert chart["attacker 4"]["3"] == "3+"
    for ws in TEN:
        for other in TEN:
            expected = 3 if ws > other else 5 if other > 2 * ws else 4
            assert strike_on(ws, other) == expected, (ws, other)
    assert chart == entry("3e.outside.ws-table").table


@pytest.mark.rule("3e.outside.wound-table", "3e.core.shooting.to-wound")
def test_what_wounds_compares_strength_with_toughness() -> None:
    chart = {f"strength {s}": {str(t): printed(wound_on(s, t)) for t in TEN} for s in TEN}
    assert chart == entry("3e.outside.wound-table").table
    for strength in TEN:
        for toughness in TEN:
            more = toughness - strength
            expected = None if more > 3 else 6 if more > 1 else max(2, 4 + more)
            assert wound_on(strength, toughness) == expected, (strength, toughness)
    assert wound_on(0, 3) is None


@pytest.mark.rule("3e.outside.ap", "3e.outside.armour-save", "3e.core.shooting.armour-save")
def test_ap_cancels_saves_of_its_number_and_above() -> None:
    assert not armour_stands(3, 3)
    assert armour_stands(3, 4)
    assert armour_stands(6, None)
    assert [armour_stands(save, 3) for save in (2, 3, 4, 5, 6)] == [True, False, False, False, False]
    assert not armour_stands(None, None)


@pytest.mark.rule(
    "3e.outside.one-save",
    "3e.outside.cover-save",
    "3e.outside.invulnerable",
    "3e.core.shooting.one-save",
    "3e.core.shooting.cover-save",
    "3e.core.shooting.invulnerable-save",
)
def test_one_save_is_tried_the_best_that_stands() -> None:
    assert best_save(5, None, 4) == 4
    assert best_save(3, 5, 4) == 3
    assert best_save(None, 5, None) == 5
    assert best_save(None, None, 5) == 5
    assert best_save(None, None, None) is None


@pytest.mark.rule("3e.outside.ld-test", "3e.core.fundamentals.leadership-test")
def test_a_leadership_test_passes_on_the_value_or_less() -> None:
    assert passes_leadership_test(8, 8)
    assert not passes_leadership_test(9, 8)


@pytest.mark.rule("3e.core.fundamentals.characteristic-test", "3e.core.fundamentals.d3")
def test_small_dice() -> None:
    assert [d3(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert passes_characteristic_test(4, 4)
    assert not passes_characteristic_test(5, 4)
    assert not passes_characteristic_test(6, 10)
