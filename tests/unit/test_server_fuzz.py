"""Whatever is said to the server: it does not fall over, and no battle changes but by an answer that is accepted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battlewright.core.record import read_record
from battlewright.start import replay
from support.serving import Guest, Served

SLOWLY = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("fuzz"))
    yield server
    server.stop()
    assert "Traceback" not in server.log, server.log


# -- over the WebSocket -----------------------------------------------------------------------------------------------

NUMBER = st.integers(-(10**6), 10**6)
ROW = st.integers(0, 30)
UNIT = st.sampled_from(["a.1", "a.2", "b.1", "b.9", "", "\x00", "<b>"])
REF = st.text(max_size=10)
WAYPOINT = st.tuples(NUMBER, NUMBER, st.sampled_from([0, 0, 3000]), st.integers(-10, 400_000)).map(list)
MOVE = st.fixed_dictionaries({"model": ROW, "path": st.lists(WAYPOINT, max_size=3)})
ATTACK = st.fixed_dictionaries(
    {"model": ROW, "weapon": st.integers(0, 3), "profile": st.integers(0, 2), "target": UNIT},
    optional={"count": st.none() | st.integers(1, 5)},
)
DECLARED = st.fixed_dictionaries({"kind": st.just("declare"), "attacks": st.lists(ATTACK, max_size=4)})
ANSWER = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.just("pick"), "option": st.sampled_from(["end", "pass", "a.1", "x"]) | st.text()}
    ),
    st.fixed_dictionaries({"kind": st.just("place"), "moves": st.lists(MOVE, max_size=6)}),
    DECLARED,
)
QUESTION = st.one_of(
    st.fixed_dictionaries({"kind": st.sampled_from(["default", "sample", "reach"])}),
    st.fixed_dictionaries({"kind": st.just("reach"), "models": st.lists(ROW, max_size=5)}),
    st.fixed_dictionaries({"kind": st.sampled_from(["sight", "range", "odds"]), "unit": UNIT, "target": UNIT}),
    st.fixed_dictionaries({"kind": st.just("odds"), "answer": DECLARED}),
)


def said(type_: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(type_), **fields})


LEGAL = st.one_of(
    said("answer", decision=REF, answer=ANSWER),
    said("check", ref=REF, answer=ANSWER),
    said("ask", ref=REF, question=QUESTION),
    said("undo"),
    said("undo-reply", agree=st.booleans()),
    said("rewind", to=st.integers(0, 200)),
    said("events", since=st.integers(0, 200)),
    said("hello", since=st.integers(0, 9)),
    said("ping"),
)
"""Messages such as the schema has them, most of them without sense."""
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@st.composite
def spoilt(draw: st.DrawFn) -> Any:
    """A message of the schema with one of its values put out of order."""
    message = draw(LEGAL)
    if isinstance(message, dict) and message:
        message = {**message, draw(st.sampled_from(sorted(message))): draw(ANYTHING)}
    return message


TEXTS = st.one_of(LEGAL.map(json.dumps), spoilt().map(json.dumps), ANYTHING.map(json.dumps), st.text(max_size=200))


class Fuzzed:
    """A hot seat that is told anything: its file shows at any time what the battle has become."""

    def __init__(self, server: Served, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.battle = server.battle(hot_seat=True, seed="7")
        self.answers = 0

    def say_all(self, texts: list[str]) -> None:
        """Say these to a seat of its own, a good answer after them, and hold the record against what was accepted."""
        with self.server.sit(self.battle, "both") as guest:
            for text in texts:
                guest.socket.send(text)
            heard = guest.settle()
            undone = sum(message["type"] == "undo-done" and message["done"] for message in heard)
            accepted = sum(message["type"] == "accepted" for message in heard)
            assert not [message for message in heard if message.get("code") == "internal"]
            self.answers += accepted - undone
            if guest.present is not None and guest.answer(guest.present)["type"] == "accepted":
                self.answers += 1
        self.hold()

    def hold(self) -> None:
        """The battle is the header and the accepted answers, each of them legal."""
        path = f"/battles/{self.battle['battle']}/save?seat={self.battle['tokens']['both']}"
        status, text = self.server.ask("GET", path)
        assert status == 200
        file = self.folder / "fuzzed.jsonl"
        file.write_text(text, encoding="utf-8")
        header, records = read_record(file)
        assert len(records) == self.answers
        replay(header, records)


@SLOWLY
@given(texts=st.lists(TEXTS, min_size=1, max_size=12))
def test_no_message_makes_the_server_stumble_or_changes_a_battle_illegally(
    served: Served, tmp_path: Path, texts: list[str]
) -> None:
    Fuzzed(served, tmp_path).say_all(texts)


_IDS = st.sampled_from(["present", "", "0" * 24, "x"])


@SLOWLY
@given(answer=ANSWER, id_=_IDS)
def test_an_answer_is_accepted_only_to_the_present_decision_and_only_if_it_is_legal(
    served: Served, tmp_path: Path, answer: dict[str, Any], id_: str
) -> None:
    fuzzed = Fuzzed(served, tmp_path)
    with fuzzed.server.sit(fuzzed.battle, "both") as guest:
        decision = guest.decision()
        guest.say("check", ref="c", answer=answer)
        checked = guest.until("checked", "fault")
        guest.say("answer", decision=decision["decision"] if id_ == "present" else id_, answer=answer)
        told = guest.until("accepted", "refused", "fault")
        legal = checked["type"] == "checked" and not checked["violations"]
        assert (told["type"] == "accepted") == (legal and id_ == "present")
        fuzzed.answers += told["type"] == "accepted"
    fuzzed.hold()


@SLOWLY
@given(data=st.lists(st.binary(max_size=60), min_size=1, max_size=5))
def test_bytes_are_no_messages(served: Served, data: list[bytes]) -> None:
    battle = served.battle("3", seats=["person", "person"])
    with Guest(served.address, battle["battle"], battle["tokens"]["a"], hello=False) as guest:
        for each in data:
            guest.socket.send(each)
            assert guest.hear()["code"] == "bad-message"


# -- over HTTP --------------------------------------------------------------------------------------------------------


def test_no_request_ends_in_an_error_of_the_server(served: Served) -> None:
    schema = schemathesis.openapi.from_url(f"{served.address}/api/openapi.json")
    asked = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()

        @settings(max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def hold(case: Any) -> None:
            response = case.call(timeout=120)
            assert response.status_code < 500 or response.status_code == 503, f"{case!r}: {response.text}"

        hold()
        asked += 1
    assert asked >= 15
