"""A worker process: tables that are put away and opened again, computer players who follow a battle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from battlewright.armies import load_army
from battlewright.core.record import header_to_json
from battlewright.server.frames import Missing, pack, unpack
from battlewright.server.table import Opening, Reply
from battlewright.server.thinking import Thought
from battlewright.server.worker import Line, Worker
from battlewright.start import Battle
from support.small_armies import write_armies

KEY = bytes(32)


def done(result: Any) -> Any:
    """What a worker's work comes to, however many stretches it takes."""
    if not isinstance(result, Iterator):
        return result
    last = None
    for last in result:
        if last is not None:
            break
    return last


@pytest.fixture
def header(tmp_path: Path) -> str:
    first, second = (load_army(file) for file in write_armies(tmp_path))
    battle = Battle.start((first, second), "11", seed=3, options={"secondaries": "none"})
    return json.dumps(header_to_json(battle.header))


def view_of(worker: Worker, name: str) -> Any:
    reply = worker.do("table", (name, "join", "watch", 0, 0))
    assert isinstance(reply, Reply)
    return next(json.loads(text)["view"] for text in reply.mine if text.startswith('{"type":"state"'))


def played(worker: Worker, name: str, count: int) -> list[str]:
    """Play a battle for so many answers, as proposed; what would be stored of them."""
    answers: list[str] = []
    for _ in range(count):
        stand = worker.do("table", (name, "stand"))
        role = "ab"[stand.turn]
        asked = worker.do("table", (name, "join", role, 0, 0)).mine
        decision = next(json.loads(text) for text in asked if text.startswith('{"type":"decision"'))
        answer = json.loads(worker.do("table", (name, "ask", role, "", {"kind": "default"})).mine[0])["answer"]
        reply = worker.do("table", (name, "answer", role, decision["decision"], answer, ()))
        stored = dict(reply.store)
        assert stored.pop("n") == len(answers)
        answers.append(json.dumps(stored))
    return answers


def test_the_table_used_longest_ago_is_put_away_and_opens_again_as_it_was(header: str) -> None:
    worker = Worker(resident=2)
    done(worker.do("open", (Opening("one", header, KEY),)))
    answers = played(worker, "one", 12)
    before = view_of(worker, "one")
    for name in ("two", "three"):
        done(worker.do("open", (Opening(name, header, KEY),)))
    assert isinstance(worker.do("table", ("one", "stand")), Missing)
    opened = done(worker.do("open", (Opening("one", header, KEY, 0, False, tuple(answers)),)))
    assert opened.number == 12
    assert view_of(worker, "one") == before


def test_a_player_follows_its_battle_by_the_answers_since(header: str) -> None:
    worker = Worker()
    thought = Thought("one", 0, "default", 1, 0, ())
    assert isinstance(done(worker.do("think", (thought,))), Missing)
    done(worker.do("open", (Opening("one", header, KEY),)))
    known: list[str] = []
    sent_all = False
    for _ in range(10):
        stand = worker.do("table", ("one", "stand"))
        side = stand.turn
        if sent_all:
            thought = Thought("one", side, "default", 1, len(known) - 1, (known[-1],))
        else:
            thought = Thought("one", side, "default", 1, 0, tuple(known), header)
        sent_all = True
        answer = done(worker.do("think", (thought,)))
        decision = next(
            json.loads(text)
            for text in worker.do("table", ("one", "join", "ab"[side], 0, 0)).mine
            if text.startswith('{"type":"decision"')
        )
        reply = worker.do("table", ("one", "answer", "ab"[side], decision["decision"], answer, ()))
        assert reply.store is not None, "what a player says is legal where the battle stands"
        stored = dict(reply.store)
        stored.pop("n")
        known.append(json.dumps(stored))


class Scribbler(Worker):
    """A worker that only notes what it is told to do."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []

    def do(self, what: str, arguments: tuple[Any, ...]) -> Any:
        self.done.append(f"{what} {arguments[-1]}")
        if what == "open":
            return iter([None] * 3 + ["opened"])
        if what == "fail":
            raise ValueError(what)
        return arguments[-1]


def test_answers_go_before_questions_and_long_work_and_these_get_their_turn() -> None:
    worker = Scribbler()
    line = Line(worker, most=3)
    line.add(0, "open", ("long",))
    line.add(1, "table", ("x", "ask", "question"))
    line.add(2, "desk", ("set up",))
    for number in range(3, 9):
        line.add(number, "table", ("x", "answer", f"answer {number}"))
    results = []
    while line:
        if (result := line.step()) is not None:
            results.append(result)
    assert worker.done[:4] == ["table answer 3", "table answer 4", "table answer 5", "open long"]
    assert [number for number, _ in results[:5]] == [3, 4, 5, 6, 7], "long work has begun meanwhile"
    assert {number for number, _ in results} == set(range(9))
    assert (0, "opened") in results
    assert (1, "question") in results


def test_what_fails_is_told_and_the_rest_goes_on() -> None:
    line = Line(Scribbler())
    line.add(1, "fail", ("x",))
    line.add(2, "table", ("x", "check", "fine"))
    results = [result for _ in range(2) if (result := line.step()) is not None]
    assert results[0] == (2, "fine")
    assert (results[1][0], results[1][1].text) == (1, "ValueError")


def test_of_two_openings_of_one_battle_the_later_one_counts(header: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asked for the first has gone meanwhile; what it opens must not take the place of what is played on."""
    monkeypatch.setattr("battlewright.server.table.STRETCH", -1.0)
    worker = Worker()
    done(worker.do("open", (Opening("one", header, KEY),)))
    answers = tuple(played(worker, "one", 3))
    worker.do("close", ("one",))
    first = worker.do("open", (Opening("one", header, KEY, 0, False, answers),))
    second = worker.do("open", (Opening("one", header, KEY, 0, False, answers[:2]),))
    assert [next(first), next(second)] == [None, None], "in stretches"
    assert done(second).number == 2
    assert isinstance(done(first), Missing)
    assert worker.do("table", ("one", "stand")).number == 2


def test_frames_come_back_as_they_went() -> None:
    frame = pack((1, "table", ("x", Missing())))
    assert unpack(frame[4:]) == (1, "table", ("x", Missing()))
