"""A place towards a point: the table arranges a unit legally where its player points."""

from __future__ import annotations

from typing import Any

import pytest

import battlewright as bw
from battlewright.core.decisions import SIDES, Place, answer_from_json
from battlewright.players import best_player, make_player
from battlewright.server.questions import answer_question
from battlewright.server.scenes import make_scene
from battlewright.start import Battle

ARMIES = {"3": ("third-orks-500", "third-marines-500"), "11": ("eleventh-necrons-500", "eleventh-tau-500")}
MEASURED = {"3": False, "11": True}


def played_to(edition: str, kind: str) -> Battle:
    first, second = (bw.load_army(name) for name in ARMIES[edition])
    battle = Battle.start((first, second), edition, seed=5)
    players = [make_player(best_player(edition), edition, seed=1) for _ in SIDES]
    while battle.decision is not None and battle.decision.kind != kind:
        side = battle.decision.side
        battle.answer(players[side].decide(battle.seat(side)))
    assert battle.decision is not None
    return battle


def towards(battle: Battle, x: int, y: int) -> dict[str, Any]:
    return answer_question(battle, SIDES, {"kind": "towards", "point": [x, y]})


@pytest.mark.parametrize("edition", sorted(ARMIES))
def test_a_unit_is_set_up_and_moved_legally_towards_a_point(edition: str) -> None:
    battle = played_to(edition, "deploy")
    assert battle.decision is not None
    x0, y0, x1, y1 = battle.decision.choices.describe()["region"]
    placed = answer_from_json(towards(battle, (x0 + x1) // 2, (y0 + y1) // 2)["answer"])
    assert isinstance(placed, Place)
    assert placed.moves
    assert not battle.check(placed)

    battle = played_to(edition, "move-normal")
    assert battle.decision is not None
    start = battle.decision.choices.describe()["models"][0]["from"]
    goal = start[0], battle.scene.battlefield.height * 500
    moved = answer_from_json(towards(battle, *map(int, goal))["answer"])
    assert isinstance(moved, Place)
    assert moved.moves
    assert not battle.check(moved)


@pytest.mark.parametrize("edition", sorted(ARMIES))
def test_nothing_is_arranged_where_nothing_is_placed_and_the_scene_tells_the_turn(edition: str) -> None:
    battle = played_to(edition, "select-unit-to-move")
    assert "nothing is to be placed" in towards(battle, 0, 0)["fault"]
    scene = make_scene(battle.header, battle)
    assert {"movement", "shooting"} <= set(scene.phases)
    assert scene.may_measure is MEASURED[edition]
