"""Falling back and crossfire in the 3rd edition."""

from __future__ import annotations

import pytest

from battlewright.core.table import Edge
from battlewright.editions.classic.assault import why_no_assault
from battlewright.editions.classic.falling_back import (
    Box,
    Outcome,
    counts_as_moved,
    fall_back_distance,
    must_fall_back,
    rally_when_assaulted,
    retreat_edge,
    unit_vector,
)
from battlewright.editions.classic.kinds import assault_reach, fall_back_dice, move_allowance, sweep_dice
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.third.falling_back import corridor_of, crossed, sets_crossfire
from battlewright.editions.third.kinds import KINDS, unit_type
from support.classic import rules_with, scene, unit

SQUAD: list[Box] = [(10 + i, 20, 11 + i, 21) for i in range(6)]
"""Six bases of an inch in a row, 6" wide."""


def box(x: float, y: float) -> Box:
    return (x - 0.5, y - 0.5, x + 0.5, y + 0.5)


def state_of(**flags: object) -> ClassicUnit:
    return scene(unit(5).at(10, 10).having(**flags), alone=True).state.units[0]  # type: ignore[arg-type]


@pytest.mark.rule("3e.fall-back.direction", "3e.fall-back.no-entry-edge")
def test_straight_to_the_owners_edge() -> None:
    assert retreat_edge(Edge.SOUTH, "") is Edge.SOUTH
    assert unit_vector(retreat_edge(Edge.SOUTH, "")) == (0, -1)


@pytest.mark.rule("3e.fall-back.entry-edge")
def test_who_came_from_another_edge_goes_back_to_it() -> None:
    assert retreat_edge(Edge.SOUTH, "west") is Edge.WEST


@pytest.mark.rule("3e.fall-back.distance", "3e.core.morale.fall-back")
def test_infantry_falls_back_two_dice() -> None:
    assert str(fall_back_dice(KINDS, [Kind.INFANTRY] * 5)) == "2D6"
    assert fall_back_distance(3 + 4, difficult=False) == 7


@pytest.mark.rule(
    "3e.outside.jump-fall-back",
    "3e.outside.bike-fall-back",
    "3e.outside.cavalry-fall-back",
    "3e.fall-back.types-override",
)
def test_faster_kinds_fall_back_three_dice() -> None:
    for kind, faces, inches in ((Kind.JUMP, (1, 4, 6), 11), (Kind.BIKE, (2, 2, 5), 9), (Kind.CAVALRY, (3, 3, 4), 10)):
        assert str(fall_back_dice(KINDS, [kind])) == "3D6"
        assert fall_back_distance(sum(faces), difficult=False) == inches
    assert str(fall_back_dice(KINDS, [Kind.BIKE, Kind.INFANTRY])) == "2D6"


@pytest.mark.rule("3e.fall-back.halved", "3e.core.morale.fall-back-terrain")
def test_difficult_terrain_halves_the_distance() -> None:
    assert fall_back_distance(9, difficult=True) == 4.5


@pytest.mark.rule("3e.fall-back.each-turn", "3e.outside.rally-time")
def test_a_unit_goes_on_falling_back_until_it_rallies() -> None:
    fleeing = state_of(falling_back=True)
    assert must_fall_back(fleeing)
    fleeing.did(Deed.RALLIED)
    assert not must_fall_back(fleeing)
    assert not must_fall_back(state_of())


@pytest.mark.rule("3e.fall-back.may-shoot")
def test_it_fires_as_a_unit_that_moved() -> None:
    assert counts_as_moved(state_of(falling_back=True))
    assert not counts_as_moved(state_of())


@pytest.mark.rule("3e.fall-back.no-assault", "3e.core.morale.no-charge")
def test_it_may_not_assault() -> None:
    assert why_no_assault(state_of(falling_back=True)) == [("3e.fall-back.no-assault", "is falling back")]
    assert why_no_assault(state_of()) == []


@pytest.mark.rule("3e.fall-back.charged-test", "3e.fall-back.charged-no-modifiers", "3e.fall-back.charged-anyone")
def test_assaulted_it_tests_at_once_without_modifiers() -> None:
    assert rally_when_assaulted((3, 4), 7) is Outcome.RALLIED


@pytest.mark.rule("3e.fall-back.charged-pass", "3e.fall-back.charged-fail")
def test_it_rallies_or_is_destroyed() -> None:
    assert rally_when_assaulted((2, 4), 7) is Outcome.RALLIED
    assert rally_when_assaulted((4, 4), 7) is Outcome.DESTROYED


@pytest.mark.rule("3e.outside.corridor", "3e.crossfire.corridor")
def test_the_corridor_is_as_wide_as_the_outermost_models() -> None:
    corridor = corridor_of(Edge.SOUTH, SQUAD)
    assert (corridor.low, corridor.high, corridor.front) == (10, 16, -20)
    assert corridor_of(Edge.EAST, SQUAD).front == 16
    assert not crossed(corridor, 9, [box(8.5, 12.5)])


@pytest.mark.rule("3e.crossfire.destroyed", "3e.core.morale.crossfire")
@pytest.mark.parametrize("edge", list(Edge))
def test_a_roll_that_reaches_an_enemy_on_the_way_destroys_the_unit(edge: Edge) -> None:
    x, y = unit_vector(edge)
    corridor = corridor_of(edge, [box(20, 20)])
    enemy = [box(20 + 8 * x, 20 + 8 * y)]
    assert crossed(corridor, 8, enemy)
    assert crossed(corridor, 12, enemy)
    assert not crossed(corridor, 6, enemy)
    assert not crossed(corridor, 8, [box(20 - 8 * x, 20 - 8 * y)])


@pytest.mark.rule("3e.crossfire.fought-this-turn", "3e.outside.crossfire-official")
def test_units_that_fought_this_turn_set_no_crossfire() -> None:
    assert sets_crossfire(state_of(), in_combat=False)
    for deed in (Deed.FOUGHT, Deed.SWEPT, Deed.CONSOLIDATED):
        enemy = state_of()
        enemy.did(deed)
        assert not sets_crossfire(enemy, in_combat=False)


@pytest.mark.rule("3e.crossfire.busy-units", "3e.core.morale.crossfire-exceptions")
def test_units_in_combat_pinned_or_falling_back_set_none() -> None:
    assert not sets_crossfire(state_of(), in_combat=True)
    assert not sets_crossfire(state_of(pinned=True), in_combat=False)
    assert not sets_crossfire(state_of(falling_back=True), in_combat=False)
    assert not crossed(corridor_of(Edge.SOUTH, SQUAD), 9, [])


@pytest.mark.rule(
    "3e.outside.jump-move",
    "3e.outside.bike-move",
    "3e.outside.jetbike-move",
    "3e.outside.cavalry-move",
    "3e.core.vehicles.movement",
    "3e.core.movement.infantry",
)
def test_how_far_each_kind_moves() -> None:
    inches = {kind: move_allowance(KINDS, kind) for kind in Kind}
    assert inches[Kind.INFANTRY] == inches[Kind.CAVALRY] == 6
    assert inches[Kind.JUMP] == inches[Kind.BIKE] == inches[Kind.JETBIKE] == inches[Kind.VEHICLE] == 12
    assert move_allowance(KINDS, Kind.VEHICLE, ["FAST"]) == 24
    assert move_allowance(KINDS, Kind.VEHICLE, ["WALKER"]) == 6


@pytest.mark.rule("3e.outside.cavalry-assault", "3e.core.assault.charge-reach", "3e.core.vehicles.walkers-in-assault")
def test_cavalry_assaults_twelve_inches() -> None:
    assert assault_reach(KINDS, Kind.CAVALRY) == 12
    assert assault_reach(KINDS, Kind.INFANTRY) == assault_reach(KINDS, Kind.JUMP) == 6
    assert assault_reach(KINDS, Kind.VEHICLE, ["WALKER"]) == 6


@pytest.mark.rule(
    "3e.outside.sweep-distance", "3e.core.assault.fast-sweeping-advance", "3e.core.assault.sweeping-advance"
)
def test_a_sweeping_advance_is_two_dice_or_three() -> None:
    assert str(sweep_dice(KINDS, [Kind.INFANTRY])) == "2D6"
    assert str(sweep_dice(KINDS, [Kind.CAVALRY])) == "3D6"


@pytest.mark.rule("3e.terms.infantry-default")
def test_every_kind_uses_the_general_rules_but_for_its_own() -> None:
    assert {unit_type(kind) for kind in Kind} == {"infantry", "bikes", "cavalry", "vehicles"}


@pytest.mark.rule("3e.terms.jump-type")
def test_jump_troops_are_infantry_or_a_type_of_their_own() -> None:
    settled, own = (rules_with("3", {"jump_type": value}) for value in ("infantry-with-jump-rules", "own-type"))
    assert settled.unit_type(Kind.JUMP) == "infantry"
    assert own.unit_type(Kind.JUMP) == "jump troops"
    assert own.unit_type(Kind.BIKE) == "bikes"
