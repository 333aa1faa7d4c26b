"""Transports of the 3rd edition, and psychic powers' frame."""

from __future__ import annotations

import pytest

from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.psychic import PsychicTest, is_nullified, psychic_test, why_no_power
from battlewright.editions.classic.transports import (
    Boarding,
    Leaving,
    access_sides,
    barred_models,
    capacity_of,
    deeds_of_disembarking,
    is_passenger_wounded,
    may_shoot_from_aboard,
    moves_after_disembarking,
    why_no_boarding,
    why_no_disembarking,
)

CLOSED, OPEN = frozenset({"VEHICLE", "TRANSPORT"}), frozenset({"VEHICLE", "TRANSPORT", "OPEN-TOPPED"})
SQUAD = (0.5, 1.0, 2.0)


def rules(found: list[tuple[str, str]]) -> list[str]:
    return [rule for rule, _ in found]


def test_a_vehicle_carries_what_its_entry_says() -> None:
    assert capacity_of({"SMOKE LAUNCHERS", "TRANSPORT CAPACITY 12"}) == 12
    assert capacity_of({"SMOKE LAUNCHERS"}) == 0


@pytest.mark.rule("3e.core.vehicles.embarking")
def test_every_model_has_to_reach_a_hatch() -> None:
    assert why_no_boarding(Boarding(gaps=SQUAD, capacity=10)) == []
    assert rules(why_no_boarding(Boarding(gaps=(*SQUAD, 2.1), capacity=10))) == ["3e.core.vehicles.embarking"]
    for bar in ({"locked": True}, {"falling_back": True}, {"got_out": True}):
        assert rules(why_no_boarding(Boarding(gaps=SQUAD, capacity=10, **bar))) == ["3e.core.vehicles.embarking"]


@pytest.mark.rule("3e.core.vehicles.embarking")
def test_hatches_are_where_the_entry_says_or_at_rear_and_sides() -> None:
    assert access_sides({"VEHICLE"}, {"ACCESS POINTS REAR"}) == ("rear",)
    assert access_sides({"VEHICLE"}, {"SMOKE LAUNCHERS"}) == ("rear", "left", "right")
    assert access_sides({"VEHICLE", "OPEN-TOPPED"}, set()) is None


@pytest.mark.rule("3e.core.vehicles.capacity")
def test_one_unit_and_characters_up_to_the_capacity() -> None:
    assert rules(why_no_boarding(Boarding(gaps=SQUAD, capacity=2))) == ["3e.core.vehicles.capacity"]
    assert why_no_boarding(Boarding(gaps=SQUAD, capacity=3)) == []
    second = Boarding(gaps=SQUAD, capacity=10, aboard=3, unit_aboard=True)
    assert rules(why_no_boarding(second)) == ["3e.core.vehicles.capacity"]
    captain = Boarding(gaps=(1.0,), capacity=10, aboard=9, unit_aboard=True, character=True)
    assert why_no_boarding(captain) == []
    assert why_no_boarding(Boarding(gaps=SQUAD, capacity=4, aboard=1)) == []
    assert barred_models({"NOT FOR TERMINATOR ARMOUR"}) == {"TERMINATOR ARMOUR"}
    for bar in ({"infantry": False}, {"barred": "TERMINATOR ARMOUR"}):
        assert rules(why_no_boarding(Boarding(gaps=SQUAD, capacity=10, **bar))) == ["3e.core.vehicles.capacity"]


@pytest.mark.rule("3e.core.vehicles.disembarking")
def test_out_before_the_vehicle_moves_or_after_twelve_inches_at_most() -> None:
    assert why_no_disembarking(Leaving(moved=0.0)) == why_no_disembarking(Leaving(moved=12.0)) == []
    assert rules(why_no_disembarking(Leaving(moved=12.1))) == ["3e.core.vehicles.disembarking"]
    assert why_no_disembarking(Leaving(got_in=True))
    assert moves_after_disembarking(0.0) == (True, True)
    assert moves_after_disembarking(4.0) == (False, False)


@pytest.mark.rule("3e.core.assault.from-a-transport", "3e.core.vehicles.disembarking")
def test_who_got_out_may_charge_in_the_same_turn() -> None:
    assert bars_assault(deeds_of_disembarking(Leaving(moved=8.0))) == []


@pytest.mark.rule("3e.core.vehicles.open-topped-fire")
def test_everyone_aboard_an_open_topped_vehicle_shoots() -> None:
    assert may_shoot_from_aboard(OPEN, 10) == 10
    assert may_shoot_from_aboard(CLOSED, 10) == 0
    assert may_shoot_from_aboard(CLOSED, 10, fire_points=2) == 2
    assert may_shoot_from_aboard(CLOSED, 1, fire_points=2) == 1


@pytest.mark.rule("3e.core.vehicles.destroyed-transport")
def test_passengers_are_wounded_on_four_and_more() -> None:
    assert [is_passenger_wounded(face) for face in range(1, 7)] == [False] * 3 + [True] * 3


@pytest.mark.rule("3e.core.characters.psychic-test")
def test_a_psyker_uses_one_power_in_a_turn_by_a_leadership_test() -> None:
    psyker = frozenset({"INFANTRY", "PSYKER"})
    assert why_no_power(psyker, 0) == []
    assert why_no_power(psyker, 1)
    assert why_no_power(psyker, 1, each_turn=2) == []
    assert why_no_power(frozenset({"INFANTRY"}), 0)
    assert why_no_power(psyker, 0, at_its_moment=False)
    assert why_no_power(psyker, 0, locked_out=True)
    assert psychic_test((4, 4), 8) == PsychicTest(works=True, perils=False)
    assert psychic_test((5, 4), 8) == PsychicTest(works=False, perils=False)


@pytest.mark.rule("3e.core.characters.perils")
def test_two_and_twelve_bring_perils() -> None:
    assert psychic_test((1, 1), 8) == PsychicTest(works=True, perils=True)
    assert psychic_test((6, 6), 10) == PsychicTest(works=False, perils=True)
    assert not any(psychic_test((a, b), 9).perils for a in range(1, 7) for b in range(1, 7) if 2 < a + b < 12)


@pytest.mark.rule("3e.core.characters.hood")
def test_a_hood_nullifies_with_the_higher_total() -> None:
    assert is_nullified((3, 9), (4, 9))
    assert not is_nullified((3, 9), (3, 9))
    assert not is_nullified((4, 8), (2, 9))
