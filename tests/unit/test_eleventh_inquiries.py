"""What a seat is told of attacks that may come: the circumstances that a battle would apply."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.editions.eleventh.inquiries import EleventhInquiries
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import MoveKind, Phase
from support.eleventh import UnitSpec, scene, unit, weapon

GUN = weapon("Gun", "HEAVY")


def told(mine: UnitSpec, theirs: UnitSpec, *, close: bool = False, **more: Any) -> dict[str, Any]:
    battle: Battle11 = scene(mine, theirs, **{"phase": Phase.SHOOTING, **more})
    return dict(EleventhInquiries().circumstances(battle.scene, battle.state, 0, 1, close=close))


@pytest.mark.rule("11e.24.16-heavy.moved-at-most-three", "11e.24.16-heavy.own-shooting-phase")
@pytest.mark.parametrize(
    ("flags", "phase", "helps"),
    [
        ({}, Phase.SHOOTING, True),
        ({"moved_as": MoveKind.NORMAL.value, "moved_distance": 3000}, Phase.SHOOTING, True),
        ({"moved_as": MoveKind.NORMAL.value, "moved_distance": 3100}, Phase.SHOOTING, False),
        ({"set_up_this_turn": True}, Phase.SHOOTING, False),
        ({}, Phase.MOVEMENT, True),
        ({}, Phase.FIGHT, False),
    ],
)
def test_heavy_helps_whom_it_would_help(flags: dict[str, Any], phase: Phase, helps: bool) -> None:
    mine = unit(1, weapons=(GUN,)).at(10, 10).having(**flags)
    assert told(mine, unit(1).at(10, 20), phase=phase)["stationary"] is helps


@pytest.mark.rule("11e.core.15.10-smokescreen")
def test_cover_of_a_smokescreen_is_told() -> None:
    mine, theirs = unit(1, weapons=(GUN,)).at(10, 10), unit(1, "SMOKE").at(10, 20)
    assert told(mine, theirs)["cover"] is False
    assert told(mine, theirs.having(smoke=True))["cover"] is True


def test_shooting_out_of_a_combat_is_told() -> None:
    tank = unit(1, "VEHICLE", weapons=(GUN,)).at(10, 10)
    assert told(tank, unit(1).at(10, 20))["close_quarters"] is False
    assert told(tank, unit(1).at(10, 12))["close_quarters"] is True


def test_a_damaged_model_is_told() -> None:
    def damaged(left: int, *, close: bool) -> bool:
        mine = unit(1, "VEHICLE", weapons=(GUN,), W=10, abilities=["Damaged 4"]).at(10, 10)
        battle = scene(mine, unit(1).at(10, 20), phase=Phase.SHOOTING)
        battle.state.wounds[0] = left
        return bool(EleventhInquiries().circumstances(battle.scene, battle.state, 0, 1, close=close)["damaged"])

    for close in (False, True):
        assert [damaged(left, close=close) for left in (5, 4)] == [False, True]
