"""Questions from a seat: they are answered in every edition, keep to it, and change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from battlewright.armies import load_army, sample_armies
from battlewright.core.bases import Pose
from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, ModelMove, Place, answer_to_json
from battlewright.editions.edition import find_edition
from battlewright.players import make_player
from battlewright.server.messages import SERVER_MESSAGE
from battlewright.server.questions import answer_question
from battlewright.start import Battle as Started
from support.small_armies import write_armies

SMALL = {"3": ("third-orks-500", "third-marines-500"), "6": ("sixth-orks-1500", "sixth-marines-1500")}


def started(edition: str, folder: Path) -> Battle[Any, Any]:
    files = write_armies(folder) if edition == "11" else [str(sample_armies()[name]) for name in SMALL[edition]]
    options = {"secondaries": "none"} if edition == "11" else {}
    first, second = (load_army(file) for file in files)
    return Started.start((first, second), edition, seed=3, options=options)


def moments(battle: Battle[Any, Any]) -> Iterator[Battle[Any, Any]]:
    """The battle at every decision of its first rounds: one where armies are large, else three."""
    last = 1 if battle.header.edition in SMALL and "1500" in SMALL[battle.header.edition][0] else 3
    players = [make_player("heuristic", battle.header.edition, seed=side) for side in SIDES]
    while battle.decision is not None and battle.state.round <= last:
        yield battle
        battle.answer(players[battle.decision.side].decide(battle.seat(battle.decision.side)))


def ask(battle: Battle[Any, Any], kind: str, **more: Any) -> dict[str, Any]:
    """A question of whoever has to choose, its answer checked against the schema."""
    assert battle.decision is not None
    fields = {"models": None, "answer": None, "unit": None, "target": None, "melee": False, "seed": 1}
    before = battle.checksum()
    found = answer_question(battle, [battle.decision.side], {**fields, "kind": kind, **more})
    assert battle.checksum() == before, "a question has changed the battle"
    SERVER_MESSAGE.validate_json(json.dumps({"type": "answered", "ref": "", "kind": kind, **found}))
    return found


def standing_units(battle: Battle[Any, Any], side: int) -> list[str]:
    state = battle.state
    return [
        info.id
        for info, unit in zip(battle.scene.units, state.units, strict=True)
        if unit.side == side and any(state.on_table[row] for row in unit.models)
    ]


@pytest.mark.parametrize("edition", ["3", "6", "11"])
def test_a_battle_answers_every_kind_of_question(edition: str, tmp_path: Path) -> None:
    battle, seen = started(edition, tmp_path), set()
    inquiries = find_edition(edition).inquiries()
    for number, now in enumerate(moments(battle)):
        assert now.decision is not None
        side = now.decision.side
        for kind in ("default", "sample"):
            found = ask(now, kind)
            assert found["answer"]
        reach = ask(now, "reach")
        if "reach" in reach:
            seen.add("reach")
            _is_honest(now, reach["reach"])
        mine, theirs = standing_units(now, side), standing_units(now, 1 - side)
        if mine and theirs and number % 5 == 0:
            seen |= _pairs(now, inquiries, mine[0], theirs[-1])
        if now.decision.choices.describe().get("space") == "declare":
            default = now.decision.default()
            odds = ask(now, "odds", answer=answer_to_json(default))
            targets = {attack["target"] for attack in answer_to_json(default)["attacks"]}
            assert {each["target"] for each in odds["odds"]} == targets
            assert all(sum(each["slain"].values()) == pytest.approx(1) for each in odds["odds"])
            seen.add("declared")
    assert seen >= {"reach", "sight", "odds"} | ({"declared", "range"} if edition == "11" else set())


@pytest.mark.parametrize("edition", ["3", "6"])
def test_weapons_to_choose_from_come_with_their_odds(edition: str, tmp_path: Path) -> None:
    told = set()
    for now in moments(started(edition, tmp_path)):
        assert now.decision is not None
        if now.decision.target is None or now.decision.subject is None:
            continue
        units = now.scene.units
        unit, target = units[now.decision.subject].id, units[now.decision.target].id
        for option in now.decision.choices.describe()["options"]:
            if "weapons" in option:
                found = ask(now, "odds", unit=unit, target=target, weapons=option["weapons"], melee=None)
                if "odds" in found:
                    assert found["odds"][0]["target"] == target
                    told.add((option["weapons"][0], round(found["odds"][0]["mean_damage"], 6)))
    assert len(told) > 4


def _pairs(battle: Battle[Any, Any], inquiries: Any, unit: str, target: str) -> set[str]:
    index = battle.scene.by_id[unit]
    seen = set()
    sight = ask(battle, "sight", unit=unit, target=target)["sight"]
    assert sight["visible"] == any(line["free"] for line in sight["lines"])
    seen.add("sight")
    distance = ask(battle, "range", unit=unit, target=target)
    if inquiries.may_measure(battle.scene, battle.state, index):
        assert distance["range"] >= 0
        seen.add("range")
    else:
        assert "measure" in distance["fault"]
        assert "range" not in distance
    odds = ask(battle, "odds", unit=unit, target=target, melee=True)
    if "odds" in odds:
        assert odds["odds"][0]["target"] == target
        seen.add("odds")
    return seen


def _is_honest(battle: Battle[Any, Any], reach: list[dict[str, Any]]) -> None:
    """No point of an outline lies further than the model may move; what lies within is passable by itself."""
    for each in reach[:2]:
        start = Pose.from_row(each["start"])
        assert each["most"] >= 0
        for x, y in each["outline"]:
            assert ((x / 1000 - start.x) ** 2 + (y / 1000 - start.y) ** 2) ** 0.5 <= each["most"] / 1000 + 0.002


def test_a_unit_of_one_model_may_move_where_its_reach_says(tmp_path: Path) -> None:
    for now in moments(started("11", tmp_path)):
        assert now.decision is not None
        found = ask(now, "reach").get("reach", [])
        if len(found) != 1 or found[0]["most"] == 0 or now.decision.kind == "move-scout":
            continue
        row, (x, y, z, facing) = found[0]["model"], found[0]["start"]
        outline = [point for point in found[0]["outline"] if point != (x, y)]
        assert outline
        for px, py in outline[::8]:
            inside = round(x + (px - x) * 0.999), round(y + (py - y) * 0.999)
            assert now.check(Place((ModelMove(row, ((*inside, z, facing),)),))) == []
        return
    raise AssertionError("no unit of one model has moved")


def test_questions_about_what_is_not_there_are_told_so(tmp_path: Path) -> None:
    battle = started("11", tmp_path)
    assert "no unit" in ask(battle, "sight", unit="a.99", target="b.1")["fault"]
    assert "not on the table" in ask(battle, "range", unit="a.1", target="b.1")["fault"]
    assert ask(battle, "odds")["fault"]
    assert "nothing moves" in ask(battle, "reach")["fault"]
    assert battle.decision is not None
    nobody = answer_question(battle, [SIDES[1 - battle.decision.side]], {"kind": "default"})
    assert "nothing for this seat" in nobody["fault"]
