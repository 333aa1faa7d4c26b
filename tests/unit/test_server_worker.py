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
from battlewright.server.worker import Worker
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


def test_the_table_used_longest_ago_is_put_away_and_opens_again_as_it_was(header: str) -> None:
    worker, answers = Worker(resident=2), []
    done(worker.do("open", (Opening("one", header, KEY),)))
    for _ in range(12):
        stand = worker.do("table", ("one", "stand"))
        role = "ab"[stand.turn]
        asked = worker.do("table", ("one", "join", role, 0, 0)).mine
        decision = next(json.loads(text) for text in asked if text.startswith('{"type":"decision"'))
        answer = json.loads(worker.do("table", ("one", "ask", role, "", {"kind": "default"})).mine[0])["answer"]
        reply = worker.do("table", ("one", "answer", role, decision["decision"], answer, ()))
        stored = dict(reply.store)
        assert stored.pop("n") == len(answers)
        answers.append(json.dumps(stored))
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


def test_frames_come_back_as_they_went() -> None:
    frame = pack((1, "table", ("x", Missing())))
    assert unpack(frame[4:]) == (1, "table", ("x", Missing()))
