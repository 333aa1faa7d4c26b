"""What a live check says of a legal move that terrain will call for dice of."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.classic import UnitSpec, scene, unit
from tests.support.moving import to, wood

from battlewright.core.battle import Battle
from battlewright.core.decisions import Place, answer_to_json
from battlewright.core.dice import SeededDice
from battlewright.editions.classic.procedures.events import TerrainDared
from battlewright.editions.classic.state import Phase
from battlewright.editions.edition import find_edition
from battlewright.server.table import Table

ONE_INCH = "25.4mm"


def moving(edition: str, one: UnitSpec, *tags: str) -> Battle[Any, Any]:
    """A battle in which a unit is about to move with a wood in front of it."""
    battle = scene(
        one,
        unit(1).at(60, 40),
        phase=Phase.MOVEMENT,
        terrain=[wood(12, 5, 14, 12, *tags)],
        edition=edition,
        dice=SeededDice(2),
        alone=True,
    )
    battle.answer("a.1")
    if battle.decision is not None and battle.decision.options():
        battle.answer("normal")
    return battle


def warned(battle: Battle[Any, Any], *moves: Any) -> list[str]:
    decision = battle.decision
    assert decision is not None
    placement = Place(moves)
    assert decision.check(placement) == []
    inquiries = find_edition(battle.header.edition).inquiries()
    return [each.text for each in inquiries.warnings(battle.scene, battle.state, decision, placement)]


@pytest.mark.parametrize(("edition", "harm"), [("3", "is lost"), ("4", "loses a wound"), ("6", "loses a wound")])
def test_bikes_through_a_wood_are_warned_and_then_roll(edition: str, harm: str) -> None:
    three = unit(3, "BIKE", base=ONE_INCH).on((10, 9), (10, 11), (10, 13))
    battle = moving(edition, three)
    moves = (to(0, (22, 9)), to(1, (22, 11)), to(2, (22, 13)))
    assert warned(battle, *moves) == [f"2 models test for dangerous terrain: on a 1 it {harm}"]
    before = battle.checksum()
    warned(battle, *moves)
    assert battle.checksum() == before
    battle.answer(Place(moves))
    dared = [event for event in battle.events if isinstance(event, TerrainDared)]
    assert [len(event.dice) for event in dared] == [2]


def test_a_way_around_is_not_warned_of() -> None:
    three = unit(3, "BIKE", base=ONE_INCH).on((10, 9), (10, 11), (10, 13))
    assert warned(moving("4", three), to(0, (10, 15)), to(1, (10, 17)), to(2, (10, 19))) == []


def test_a_vehicle_is_warned_of_difficult_terrain() -> None:
    tank = unit(1, "VEHICLE", base=ONE_INCH, name="Tank").at(10, 9)
    assert warned(moving("3", tank), to(0, (16, 9))) == ["Tank tests for difficult terrain: a 1 stops it, or worse"]


def test_the_check_of_a_table_brings_warnings_beside_violations() -> None:
    three = unit(3, "BIKE", base=ONE_INCH).on((10, 9), (10, 11), (10, 13))
    table = Table.__new__(Table)
    table.battle, table.era = moving("4", three), 0
    good = Place((to(0, (22, 9)), to(1, (22, 11)), to(2, (22, 13))))
    told = json.loads(table.check("a", "1", answer_to_json(good)).mine[0])
    assert told["violations"] == []
    assert [each["rule"].partition(".")[0] for each in told["warnings"]] == ["4e"]
    far = json.loads(table.check("a", "2", answer_to_json(Place((to(0, (60, 9)),)))).mine[0])
    assert far["violations"]
    assert far["warnings"] == []
