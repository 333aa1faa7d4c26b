"""A vehicle that stood still may turn to face its target, where its hull has the room for it."""

from __future__ import annotations

import pytest
from tests.support.classic import UnitSpec, printed_weapon, scene, unit

from battlewright.core.dice import SeededDice
from battlewright.editions.classic.state import Phase

GUN = printed_weapon("Hull cannon", "HEAVY 1", "HULL", S=7, AP=4, R='48"')
TANK = unit(1, "VEHICLE", "TANK", name="Tank", base="hull 6x2in", weapons=(GUN,), BS=4)
WALL = unit(1, "VEHICLE", "TANK", name="Wall", base="hull 6x2in", weapons=())


def asked(tank: UnitSpec, *friends: UnitSpec) -> list[str]:
    """The decisions of a tank that faces east when it fires to the north, at somebody far away."""
    battle = scene(
        [tank, *friends], unit(1).at(30, 40), edition="4", phase=Phase.SHOOTING, alone=True, dice=SeededDice(1)
    )
    kinds = []
    while battle.decision is not None and len(kinds) < 20:
        kinds.append(battle.decision.kind)
        battle.answer(battle.options()[0].key if battle.options() else battle.decision.default())
    return kinds


@pytest.mark.parametrize(("place", "room"), [((30, 20), True), ((30, 1.5), False)])
def test_it_needs_room_on_the_table(place: tuple[float, float], room: bool) -> None:
    assert ("turn-to-fire" in asked(TANK.at(*place))) == room


@pytest.mark.parametrize(("beside", "room"), [(2.2, False), (8.0, True)])
def test_it_needs_room_among_friends(beside: float, room: bool) -> None:
    assert ("turn-to-fire" in asked(TANK.at(30, 20), WALL.at(30, 20 - beside))) == room
