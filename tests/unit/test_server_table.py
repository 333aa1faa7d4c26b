"""The table over its WebSocket: seats, answers, what is refused, undo, rewind, coming back, the proof of the dice."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from battlewright.core.record import read_record
from battlewright.server.messages import SERVER_MESSAGE
from battlewright.server.settings import Limits
from battlewright.start import replay
from support.serving import Guest, Served, play_out


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("table"))
    yield server
    server.stop()
    assert "Traceback" not in server.log, server.log


def two(served: Served, **more: Any) -> tuple[dict[str, Any], Guest, Guest]:
    battle = served.battle(**more)
    return battle, served.sit(battle, "a"), served.sit(battle, "b")


def whose(*guests: Guest) -> tuple[Guest, Guest, dict[str, Any]]:
    """Who has to choose, the other, and the decision."""
    for guest in guests:
        guest.settle()
    mover = next(guest for guest in guests if guest.present is not None)
    assert mover.present is not None
    return mover, next(guest for guest in guests if guest is not mover), mover.present


# -- a whole battle -------------------------------------------------------------------------------------------------


def test_two_persons_and_a_watcher_see_a_battle_to_its_end_and_can_prove_its_dice(
    served: Served, tmp_path: Path
) -> None:
    battle, a, b = two(served)
    watcher = served.sit(battle, "watch")
    count = play_out([a, b])
    watcher.until("ended")
    for guest in (a, b, watcher):
        for message in guest.heard:
            SERVER_MESSAGE.validate_python(message)
        told = [item["n"] for message in guest.of("events") for item in message["items"]]
        assert told == list(range(len(told))), "events are numbered without gaps"
    ended = next(a.of("ended"))
    seed, commitment = ended["proof"]["seed"], a.welcome["commitment"]
    assert hashlib.sha256(seed.encode()).hexdigest() == commitment["digest"] == ended["proof"]["digest"]
    assert not commitment["given"]
    assert int(seed).bit_length() > 200
    status, text = served.ask("GET", f"/battles/{battle['battle']}/save?seat={battle['tokens']['a']}")
    assert status == 200
    file = tmp_path / "battle.jsonl"
    file.write_text(text, encoding="utf-8")
    header, records = read_record(file)
    assert header.seed == int(seed)
    assert len(records) == count
    result = replay(header, records).result
    assert result is not None
    assert list(result.score) == ended["result"]["score"]


def test_the_computer_plays_the_other_seat(served: Served) -> None:
    battle = served.battle(seats=["person", "computer"])
    with served.sit(battle, "a") as a:
        assert [seat["kind"] for seat in a.welcome["seats"]] == ["person", "computer"]
        for _ in range(12):
            assert a.answer(a.decision())["type"] == "accepted"
        a.settle()
        assert any(not message["yours"] for message in a.of("decision"))


def test_two_computers_play_while_somebody_looks_on(served: Served) -> None:
    battle = served.battle("3", seats=["computer", "computer"], players=["random", "default"])
    assert set(battle["tokens"]) == {"watch"}
    with served.sit(battle, "watch") as watcher:
        ended = watcher.until("ended")
    assert ended["result"]["rounds"] > 1
    assert not any(message["yours"] for message in watcher.of("decision"))


# -- seats ----------------------------------------------------------------------------------------------------------


def test_an_open_seat_is_taken_once(served: Served) -> None:
    battle = served.battle(seats=["person", "open"], title="Come <b>in</b>")
    assert set(battle["tokens"]) == {"a", "watch"}
    row = next(each for each in served.get("/battles") if each["battle"] == battle["battle"])
    assert (row["title"], row["open"]) == ("Come <b>in</b>", [1])
    with served.sit(battle, "a") as a:
        joined = served.post(f"/battles/{battle['battle']}/join", {})
        assert joined["side"] == 1
        assert a.until("presence", where=lambda said: said["seats"][1]["kind"] == "person")
        assert served.ask("POST", f"/battles/{battle['battle']}/join", {})[0] == 409
        assert all(each["battle"] != battle["battle"] for each in served.get("/battles"))
        with Guest(served.address, battle["battle"], joined["token"]) as b:
            assert b.welcome["you"] == "b"
            assert a.until("presence", where=lambda said: said["seats"][1]["here"])


def test_advice_is_what_a_computer_player_would_do(served: Served) -> None:
    _, a, b = two(served, edition="3")
    shot = 0
    for _ in range(400):
        mover, other, decision = whose(a, b)
        assert other.ask("advice")["fault"], "it is not theirs to choose"
        told = mover.ask("advice")
        assert (told["kind"], told["fault"]) == ("advice", "")
        if decision["kind"] == "select-unit-to-shoot" and mover.ask("default")["answer"]["option"] == "end":
            shot += told["answer"]["option"] != "end"
        assert mover.answer(decision, told["answer"])["type"] == "accepted"
        if shot:
            return
    pytest.fail("nobody was ever advised to shoot")


def test_whoever_asks_for_advice_may_answer_meanwhile(served: Served) -> None:
    _, a, b = two(served, edition="3")
    mover, _, decision = whose(a, b)
    mover.say("ask", ref="one", question={"kind": "advice"})
    mover.say("ask", ref="two", question={"kind": "advice"})
    assert mover.answer(decision)["type"] == "accepted"
    refs = {message["ref"] for message in mover.of("answered")}
    while not refs >= {"one", "two"}:
        refs.add(mover.until("answered")["ref"])


def test_a_hot_seat_plays_both_sides_and_may_take_its_battle_home(served: Served) -> None:
    battle = served.battle(hot_seat=True)
    with served.sit(battle, "both") as both:
        assert both.welcome["sides"] == [0, 1]
        assert play_out([both], most=20) == 20
        status, text = served.ask("GET", f"/battles/{battle['battle']}/save?seat={battle['tokens']['both']}")
        assert (status, text.count("\n")) == (200, 21)
        for _ in range(3):
            both.say("undo")
            assert both.until("undo-done")["done"]
        status, text = served.ask("GET", f"/battles/{battle['battle']}/save?seat={battle['tokens']['both']}")
        assert text.count("\n") == 18
        assert served.ask("GET", f"/battles/{battle['battle']}/save?seat={battle['tokens']['watch']}")[0] == 403


def test_a_request_that_is_too_long_is_hung_up_on(served: Served) -> None:
    with pytest.raises(InvalidMessage), connect(f"{served.address.replace('http', 'ws')}/ws/x?seat={'x' * 9000}"):
        pass


def test_whoever_has_no_link_gets_no_seat(served: Served) -> None:
    battle, other = served.battle(), served.battle()
    for token in ("", "x" * 32, "x" * 300, other["tokens"]["a"], "é\n"):
        with Guest(served.address, battle["battle"], "".join(f"%{ord(c):02x}" for c in token), hello=False) as nobody:
            told = nobody.hear()
            assert (told["code"], "Copy the whole link" in told["text"]) == ("not-yours", True)
            assert nobody.is_sent_away() == 4404


def test_whoever_says_no_hello_takes_a_place_all_the_same(served: Served) -> None:
    battle = served.battle()
    with ExitStack() as guests:
        for _ in range(Limits().watchers):
            guests.enter_context(served.sit(battle, "watch", hello=False))
        with served.sit(battle, "watch", hello=False) as late:
            assert late.hear()["code"] == "busy"
            assert late.is_sent_away() == 4429
        with served.sit(battle, "a") as player:
            assert player.welcome["you"] == "a"
    with served.sit(battle, "watch") as again:
        assert again.welcome["you"] == "watch"


def test_a_watcher_can_neither_answer_nor_ask_nor_take_back(served: Served) -> None:
    battle, a, _ = two(served)
    _, _, decision = whose(a, _)
    with served.sit(battle, "watch") as watcher:
        watcher.say("answer", decision=decision["decision"], answer={"kind": "pick", "option": "x"})
        assert watcher.until("refused", "fault")["code"] == "not-yours"
        assert "nothing for this seat" in watcher.ask("default")["fault"]
        watcher.say("undo")
        assert watcher.until("fault")["code"] == "not-yours"
        watcher.say("check", ref="c", answer={"kind": "pick", "option": "x"})
        assert watcher.until("fault")["code"] == "not-yours"


# -- answers ----------------------------------------------------------------------------------------------------------


def test_a_refused_answer_comes_back_with_its_violations_and_changes_nothing(served: Served) -> None:
    _, a, b = two(served)
    mover, other, decision = whose(a, b)
    other.settle()
    told = mover.answer(decision, {"kind": "pick", "option": "no such thing"})
    assert told["type"] == "refused"
    assert not told["late"]
    assert told["violations"][0]["rule"].startswith("11e.")
    assert "no such thing" in told["violations"][0]["text"]
    mover.say("check", ref="c1", answer={"kind": "place", "moves": []})
    assert mover.until("checked")["violations"]
    assert mover.settle() == other.settle() == []
    assert mover.answer(decision)["type"] == "accepted"


def test_a_late_answer_is_refused_and_so_is_the_others(served: Served) -> None:
    _, a, b = two(served)
    mover, other, decision = whose(a, b)
    default = mover.ask("default")["answer"]
    other.say("answer", decision=decision["decision"], answer=default)
    assert other.until("fault", "refused")["code"] == "not-yours"
    assert mover.answer(decision, default)["type"] == "accepted"
    again = mover.answer(decision, default)
    assert (again["type"], again["late"], again["violations"]) == ("refused", True, [])


def test_of_two_answers_to_one_decision_one_counts(served: Served) -> None:
    battle, a, b = two(served)
    mover, _, decision = whose(a, b)
    second = served.sit(battle, "a" if mover is a else "b")
    default = mover.ask("default")["answer"]
    for guest in (mover, second):
        guest.say("answer", decision=decision["decision"], answer=default)
    told = sorted(guest.until("accepted", "refused")["type"] for guest in (mover, second))
    assert told == ["accepted", "refused"]


def test_every_violation_of_a_placement_is_told(served: Served) -> None:
    _, a, b = two(served)
    for _ in range(200):
        mover, _, decision = whose(a, b)
        if "place" in decision["choices"]:
            rows = [each["model"] for each in decision["choices"]["models"]]
            far = [{"model": row, "path": [[900_000, 900_000, 0, 0]]} for row in rows]
            told = mover.answer(decision, {"kind": "place", "moves": far})
            assert told["type"] == "refused"
            assert len(told["violations"]) >= len(rows)
            return
        assert mover.answer(decision)["type"] == "accepted"
    raise AssertionError("no model was ever placed")


# -- undo, rewind, coming back ----------------------------------------------------------------------------------------


def test_an_undo_that_is_not_fair_needs_the_opponent(served: Served) -> None:
    battle, a, b = two(served)
    mover, other, decision = whose(a, b)
    era = mover.welcome["era"]
    while True:
        assert mover.answer(decision)["type"] == "accepted"
        now, _, decision = whose(a, b)
        if now is not mover:
            break
    other.answer(decision)
    mover.settle()
    mover.say("undo")
    assert not mover.until("undo-asked")["yours"]
    assert other.until("undo-asked")["yours"]
    other.say("undo-reply", agree=False)
    assert not mover.until("undo-done")["done"]
    mover.say("undo")
    other.until("undo-asked", where=lambda said: said["yours"])
    with served.sit(battle, other.welcome["you"]) as elsewhere:  # whoever comes back is asked once more
        assert elsewhere.until("undo-asked")["yours"]
    other.say("undo-reply", agree=True)
    assert mover.until("undo-done")["done"]
    again, _, undone = whose(a, b)
    assert again is mover
    assert next(message for message in reversed(mover.heard) if message["type"] == "events")["era"] == era + 1
    assert mover.answer(undone)["type"] == "accepted"
    other.say("undo-reply", agree=True)
    assert other.until("fault")["code"] == "not-yours"


def test_ones_own_step_is_taken_back_at_once_where_nothing_was_rolled(served: Served) -> None:
    """The unit that was selected to move is put back, before it moves."""
    _, a, b = two(served)
    for _ in range(300):
        mover, other, decision = whose(a, b)
        options = decision["choices"].get("options")
        picked = {"kind": "pick", "option": options[0]["key"]} if options else None
        assert mover.answer(decision, picked)["type"] == "accepted"
        now, _, following = whose(a, b)
        if now is mover and decision["kind"] == "select-unit-to-move":
            assert following["decision"] != decision["decision"]
            mover.say("undo")
            assert mover.until("undo-done", "undo-asked") == {"type": "undo-done", "done": True, "why": ""}
            assert other.until("undo-done")["done"]
            assert mover.decision()["kind"] == decision["kind"]
            stale = mover.answer(decision)
            assert (stale["type"], stale["late"]) == ("refused", True), "a decision that is asked anew has another id"
            return
    raise AssertionError("no unit was ever selected to move")


def test_a_seat_looks_back_without_taking_anything_back(served: Served) -> None:
    _, a, b = two(served)
    play_out([a, b], most=20)
    states = list(a.of("state"))
    a.say("rewind", to=0)
    first = a.until("rewound")
    assert first["view"]["on_table"] == states[0]["view"]["on_table"]
    a.say("rewind", to=10**8)
    last = a.until("rewound")
    assert last["view"] == list(a.of("state"))[-1]["view"]
    assert last["to"] == sum(len(message["items"]) for message in a.of("events"))
    assert whose(a, b)[2]["decision"], "the battle goes on where it stood"
    a.say("events", since=last["to"] - 1)
    assert [item["n"] for item in a.until("events")["items"]] == [last["to"] - 1]


def test_whoever_was_away_is_told_what_he_missed(served: Served) -> None:
    battle, a, b = two(served)
    play_out([a, b], most=15)
    known = sum(len(message["items"]) for message in a.of("events"))
    a.close()
    b.settle()
    while b.present is not None:
        b.answer(b.present)
        b.settle()
    with served.sit(battle, "a", since=known, era=a.welcome["era"]) as back:
        events = back.until("events")
        assert events["since"] == known
        view = back.until("state")["view"]
        play_out([back, b], most=5)
    with served.sit(battle, "a", since=3, era=99) as stranger:
        assert stranger.until("events")["since"] == 0, "what is known from another era counts for nothing"
    assert len(view["position"]) == 10


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_restart_loses_nothing_that_was_acknowledged(how: signal.Signals, tmp_path: Path) -> None:
    server = Served(tmp_path)
    battle, a, b = two(server)
    play_out([a, b], most=25)
    mover, _, decision = whose(a, b)
    view = list(mover.of("state"))[-1]["view"]
    events = [item for message in mover.of("events") for item in message["items"]]
    server.stop(how)
    server.start()
    try:
        side = "a" if mover is a else "b"
        with server.sit(battle, side) as back, server.sit(battle, "b" if side == "a" else "a") as other:
            assert back.until("events")["items"] == events
            assert back.until("state")["view"] == view
            assert back.decision()["decision"] == decision["decision"], "the id of a decision outlives the server"
            play_out([back, other], most=10)
    finally:
        server.stop()


def test_whoever_goes_while_his_answer_is_on_its_way_breaks_nothing(served: Served, tmp_path: Path) -> None:
    battle = served.battle(hot_seat=True)
    with served.sit(battle, "watch") as watcher:
        for _ in range(8):
            with served.sit(battle, "both") as both:
                decision = both.decision()
                answer = both.ask("default")["answer"]
                both.say("answer", decision=decision["decision"], answer=answer)
        with served.sit(battle, "both") as both:
            assert play_out([both], most=3) == 3
            both.settle()
            watcher.settle()
            events = [item for message in both.of("events") for item in message["items"]]
        told = [item for message in watcher.of("events") for item in message["items"]]
    assert [item["n"] for item in told] == list(range(len(told)))
    assert told == events
    _, text = served.ask("GET", f"/battles/{battle['battle']}/save?seat={battle['tokens']['both']}")
    file = tmp_path / "battle.jsonl"
    file.write_text(text, encoding="utf-8")
    replay(*read_record(file))


def test_a_battle_goes_on_when_the_worker_that_holds_it_dies(tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        battle = server.battle(hot_seat=True)
        with server.sit(battle, "both") as both:
            play_out([both], most=5)
            both.settle()
            view = list(both.of("state"))[-1]["view"]
            for worker in server.processes()[1:]:
                os.kill(worker, signal.SIGKILL)
            decision = both.decision()
            both.say("answer", decision=decision["decision"], answer={"kind": "pick", "option": "x"})
            assert both.until("fault", "refused")["type"] in ("fault", "refused")
            both.settle()
            assert list(both.of("state"))[-1]["view"] == view
            assert play_out([both], most=5) == 5
    finally:
        server.stop()


def test_nothing_is_taken_back_once_the_seed_is_known(served: Served) -> None:
    battle = served.battle(hot_seat=True)
    with served.sit(battle, "both") as both:
        play_out([both])
        both.say("undo")
        assert both.until("undo-done") == {"type": "undo-done", "done": False, "why": "the battle is over"}


# -- what is not heard ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-message"),
        ("{", "bad-message"),
        ("[" * 5000, "bad-message"),
        ('{"type": "dance"}', "bad-message"),
        ('{"type": "answer", "decision": "x", "answer": {"kind": "pick"}}', "bad-message"),
        ('{"type": "answer", "decision": "x", "answer": {"kind": "pick", "option": "a"}}', "hello-first"),
        ('{"type": "hello", "protocol": 99}', "protocol"),
        (json.dumps({"type": "rewind", "to": 10**30}), "bad-message"),
    ],
)
def test_what_is_no_message_is_told_so(served: Served, text: str, code: str) -> None:
    with Guest(served.address, *_seat(served), hello=False) as guest:
        guest.socket.send(text)
        assert guest.hear()["code"] == code
        guest.say("ping")
        assert guest.hear()["type"] == "pong"


def _seat(served: Served) -> tuple[str, str]:
    battle = served.battle("3")
    return battle["battle"], battle["tokens"]["a"]


def test_whoever_says_nothing_but_nonsense_is_sent_away(served: Served) -> None:
    with Guest(served.address, *_seat(served), hello=False) as guest:
        with suppress(ConnectionClosed):  # the server may hang up before the last of it
            for _ in range(40):
                guest.socket.send(b"\x00binary")
        guest.is_sent_away()
    with Guest(served.address, *_seat(served), hello=False) as guest:
        guest.socket.send("x" * 2_000_000)
        assert guest.is_sent_away() == 1009


def test_messages_come_only_so_fast(served: Served) -> None:
    with Guest(served.address, *_seat(served)) as guest:
        with suppress(ConnectionClosed):  # the server may hang up while we still shout
            for _ in range(2000):
                guest.say("ping")
        assert guest.until("fault")["code"] == "too-fast"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_other_pages_and_other_names_are_kept_out(served: Served, headers: dict[str, str], status: int) -> None:
    assert served.ask("POST", "/battles", {}, **headers)[0] == status
    battle, token = _seat(served)
    where = f"{served.address.replace('http', 'ws')}/ws/{battle}?seat={token}"
    if "Host" not in headers:
        with pytest.raises(InvalidStatus, match="403"), connect(where, additional_headers=headers):
            pass


def test_the_own_page_is_let_in_and_told_what_it_may_load(served: Served) -> None:
    battle, token = _seat(served)
    where = f"{served.address.replace('http', 'ws')}/ws/{battle}?seat={token}"
    with connect(where, origin=Origin(served.address)):
        pass

    for path in ("/", f"/play/{battle}", "/odds?x=1", "/api/health", "/api/nothing"):
        try:
            answer = urllib.request.urlopen(served.address + path)
        except urllib.error.HTTPError as error:
            answer = error  # type: ignore[assignment]
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "'unsafe-eval'" not in policy
        assert "script-src 'self';" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_a_body_that_is_too_large_is_not_taken(served: Served) -> None:
    assert served.ask("POST", "/armies", {"text": "x" * 5_000_000})[0] == 413


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ({"edition": "5"}, "edition"),
        ({"mission": "no such mission"}, "mission"),
        ({"options": {"no_such": "1"}}, "option"),
        ({"players": ["nobody", None]}, "player"),
        ({"armies": [{"id": "nothing"}, {"id": "nothing"}]}, "bundled"),
        ({"armies": [{}, {}]}, "id or bundled"),
        ({"hot_seat": True, "seats": ["person", "computer"]}, "hot seat"),
        ({"seed": str(2**256)}, "seed"),
        ({"armies": [{"bundled": "third-orks-500"}] * 2}, "edition"),
    ],
)
def test_a_battle_that_cannot_be_set_up_is_refused_in_a_sentence(
    served: Served, form: dict[str, Any], word: str
) -> None:
    armies = [{"bundled": "eleventh-tau-500"}, {"bundled": "eleventh-necrons-500"}]
    status, answer = served.ask("POST", "/battles", {"edition": "11", "armies": armies, **form})
    assert status in (404, 422), answer
    assert word in answer["error"]


def test_a_seed_that_was_given_is_said_to_be_given(served: Served) -> None:
    battle = served.battle(seed="7")
    with served.sit(battle, "watch") as watcher:
        commitment = watcher.welcome["commitment"]
    assert commitment["given"]
    assert commitment["digest"] == hashlib.sha256(b"7").hexdigest()
