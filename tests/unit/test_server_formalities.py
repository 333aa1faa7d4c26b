"""Decisions with one possible answer: which count as formalities, and what an undo makes of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.classic import scene, unit

from battlewright.armies import load_army
from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, Decision, Option, Options, answer_to_json
from battlewright.core.dice import SeededDice
from battlewright.core.record import header_to_json
from battlewright.editions.classic.state import Phase
from battlewright.players import make_player
from battlewright.report.narrate import Names
from battlewright.server.formalities import is_formality
from battlewright.server.messages import Role
from battlewright.server.table import Opening, Table
from battlewright.server.views import Audience
from battlewright.start import Battle as Started

BOTH: tuple[Role, ...] = ("a", "b")


def moving(*, alone: bool = False) -> Battle[Any, Any]:
    """A battle in a Movement phase with one unit that may move."""
    return scene(unit(1).at(10, 10), unit(1).at(50, 40), phase=Phase.MOVEMENT, dice=SeededDice(1), alone=alone)


def only(battle: Battle[Any, Any], side: int, *labels: str) -> Battle[Any, Any]:
    """The same battle with another decision in place of its own: these options, asked of a side."""
    options = [Option(label, label) for label in labels]
    battle.decision = Decision(SIDES[side], "test", "What now?", "3e.core.turn", Options(options, rule="3e.core.turn"))
    return battle


def test_a_formality_has_one_option_and_nothing_to_decline() -> None:
    assert is_formality(only(moving(), 0, "end"))
    assert not is_formality(only(moving(), 0, "go", "pass"))
    assert not is_formality(only(moving(), 0))


def test_what_the_opponent_chooses_in_my_turn_is_asked_of_him_as_how_quickly_he_answers_would_tell() -> None:
    assert not is_formality(only(moving(), 1, "decline"))


def test_nothing_is_a_formality_before_the_battle() -> None:
    army = load_army("third-orks-500")
    battle = Started.start((army, army), "3", seed=1)
    assert int(battle.state.round) == 0
    assert not is_formality(only(battle, int(battle.state.turn), "go on"))


def test_nothing_is_a_formality_while_something_is_hidden_from_the_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = only(moving(), 0, "end")
    whole = battle.rules.visible_state

    def less(scene: Any, state: Any, side: Any) -> Any:
        seen = whole(scene, state, side)
        seen.vp = (seen.vp[0] + 1, seen.vp[1])
        return seen

    monkeypatch.setattr(type(battle.rules), "visible_state", lambda self, *given: less(*given))
    assert not is_formality(battle)


def test_only_whoever_chooses_is_told_that_it_is_a_formality() -> None:
    battle = only(moving(), 0, "end")
    names = Names(("A", "B"), {}, ())
    told = {role: json.loads(Audience(role, names).decision_of(battle, "id")) for role in ("a", "b", "watch", "both")}
    assert {role: said["formality"] for role, said in told.items()} == {
        "a": True,
        "b": False,
        "watch": False,
        "both": True,
    }


@pytest.fixture(scope="module")
def table() -> Table:
    """A table at which a battle has come to just after a formality of the side that goes first."""
    armies = load_army("third-marines-500"), load_army("third-orks-500")
    battle = Started.start(armies, "3", seed=5)
    opening = Opening("battle", json.dumps(header_to_json(battle.header)), b"key")
    table = next(each for each in Table.open(opening) if each is not None)
    player = make_player("heuristic", "3", seed=1)
    while table.battle.decision is not None:
        decision, role = table.battle.decision, BOTH[table.battle.decision.side]
        formal = is_formality(table.battle)
        chosen = answer_to_json(player.decide(table.battle.seat(decision.side)))
        before = table.battle.record[-1].side if table.battle.record else None
        assert table.answer(role, table.decision, chosen, BOTH).store is not None
        after = table.battle.decision
        if formal and before == decision.side and after is not None and after.side == decision.side:
            return table
    raise AssertionError("there was never a formality")


def test_an_undo_goes_back_to_the_last_choice_and_takes_formalities_with_it(table: Table) -> None:
    side = table.battle.record[-1].side
    formal = len(table.battle.record) - 1
    while is_formality(table.battle.look_back(formal - 1)):
        formal -= 1
    reply = table.undo("both", ("both",), asks=False)
    assert reply.keep == formal - 1
    assert table.battle.decision is not None
    assert table.battle.decision.side == side
    assert not is_formality(table.battle)
