"""The server where things go wrong around it: disks, databases, processes, and clients that do not listen."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.sync.client import connect

from battlewright.core.errors import BadInput
from battlewright.server.frames import LENGTH, pack, unpack
from battlewright.server.hall import Connection
from battlewright.server.pool import WorkerFault, WorkerHandle
from battlewright.server.storage import BattleRow, Storage, StorageError, migrate
from battlewright.server.worker import Worker, serve
from support.serving import Served, play_out


def row() -> BattleRow:
    return BattleRow("battle", 1.5, 2.5, "playing", "", "{}", "{}", "{}", "ab" * 32, 0, False)


# -- starting -------------------------------------------------------------------------------------------------------


def refused(*options: str) -> str:
    """What ``serve`` says where it cannot begin."""
    command = [sys.executable, "-m", "battlewright", "serve", "--port", "0", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "The table is at" not in done.stdout
    sentence = done.stderr.strip()
    assert "\n" not in sentence
    assert "sqlalche.me" not in sentence
    return sentence


def test_a_database_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path) -> None:
    junk, folder, newer, foreign = (tmp_path / name for name in ("junk", "folder", "newer", "foreign"))
    junk.write_bytes(b"no database " * 500)
    folder.mkdir()
    with sqlite3.connect(newer) as database:
        database.executescript(
            "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999')"
        )
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE battles (x)")
    for file, words in (
        (junk, "no database of SQLite"),
        (folder, "cannot be opened"),
        (newer, "newer version"),
        (foreign, "not Battlewright's"),
        (junk / "below.sqlite", "File exists"),
    ):
        with pytest.raises(BadInput, match=words) as raised:
            asyncio.run(Storage(str(file)).open())
        assert str(file) in str(raised.value)
    assert "no database of SQLite" in refused("--database", str(junk)), "and the server ends with that sentence"


def test_an_address_that_is_taken_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"port {port}: Address already in use" in refused("--port", str(port), "--database", str(tmp_path / "x"))


def test_a_migration_that_is_cut_off_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_off(connection: sa.Connection) -> None:
        migrate(connection)
        raise OSError("the power fails")

    async def go() -> None:
        storage = Storage(str(tmp_path / "table.sqlite"))
        with monkeypatch.context() as patched:
            patched.setattr("battlewright.server.storage.migrate", cut_off)
            with pytest.raises(Exception, match="the power fails"):
                await storage.open()
        storage = Storage(str(tmp_path / "table.sqlite"))
        await storage.open()
        await storage.add_battle(row(), {"h": "a"})
        await storage.close()

    asyncio.run(go())


# -- a disk that is full ----------------------------------------------------------------------------------------------


def test_what_cannot_be_stored_has_not_happened_and_the_battle_goes_on_once_there_is_room(tmp_path: Path) -> None:
    served = Served(tmp_path)
    server = served.processes()[0]
    try:
        battle = served.battle(seats=["person", "computer"])
        with served.sit(battle, "a") as a:
            play = [a.answer(a.decision())["type"] for _ in range(3)]
            assert play == ["accepted"] * 3
            decision = a.decision()
            proposed = a.ask("default")["answer"]
            _, hard = resource.prlimit(server, resource.RLIMIT_FSIZE)
            resource.prlimit(server, resource.RLIMIT_FSIZE, (100, hard))
            told = a.answer(decision, proposed)
            assert told["type"] == "fault"
            assert "could not be stored and has not happened" in told["text"]
            again = a.until("decision")
            assert (again["yours"], again["decision"]) == (True, decision["decision"])
            status, refusal = served.ask("POST", "/battles", {"edition": "3", **_ARMIES})
            assert (status, "try again" in refusal["error"]) == (503, True)
            resource.prlimit(server, resource.RLIMIT_FSIZE, (hard, hard))
            a.settle()
            assert a.answer(again, proposed)["type"] == "accepted"
            for _ in range(5):
                assert a.answer(a.decision())["type"] == "accepted"
    finally:
        served.stop()
    assert "Traceback" not in served.log, served.log


_ARMIES: dict[str, Any] = {
    "armies": [{"bundled": "third-orks-500"}, {"bundled": "third-marines-500"}],
    "seats": ["person", "person"],
}


def test_the_writer_goes_on_after_whatever_fails(tmp_path: Path) -> None:
    def fails(connection: sa.Connection) -> None:
        raise RuntimeError("of no kind that a database knows")

    async def go() -> None:
        storage = Storage(str(tmp_path / "table.sqlite"))
        await storage.open()
        await storage.add_battle(row(), {"h": "a"})
        results = await asyncio.gather(
            storage.write(fails), storage.add_answer("battle", 0, "x"), return_exceptions=True
        )
        assert isinstance(results[0], StorageError)
        assert results[1] is None
        assert await storage.answers("battle") == ("x",)
        await storage.close()

    asyncio.run(go())


def test_a_battle_that_does_not_replay_is_told_of_in_a_sentence_and_harms_no_other(tmp_path: Path) -> None:
    served = Served(tmp_path)
    spoilt, sound = served.battle("3"), served.battle("3")
    for battle in (spoilt, sound):
        with served.sit(battle, "a") as a, served.sit(battle, "b") as b:
            assert play_out([a, b], most=4) == 4
    served.stop()
    with sqlite3.connect(tmp_path / "table.sqlite") as database:
        change = (
            'UPDATE answers SET data = replace(data, \'"checksum":"\', \'"checksum":"0\') WHERE battle = ? AND n = 2'
        )
        database.execute(change, (spoilt["battle"],))
    served.start()
    try:
        with served.sit(spoilt, "a", hello=False) as a:
            a.say("hello", protocol=1)
            told = a.until("fault")
            assert "cannot be opened" in told["text"]
            assert "answer 3" in told["text"]
        with served.sit(sound, "a") as a, served.sit(sound, "b") as b:
            assert play_out([a, b], most=2) == 2
    finally:
        served.stop()
    assert "Traceback" not in served.log, served.log


# -- processes --------------------------------------------------------------------------------------------------------


def test_a_worker_that_is_stuck_is_ended_and_another_takes_its_place() -> None:
    async def go() -> None:
        worker = WorkerHandle("stuck", silent=1.0)
        await worker.ask("memory")
        first = worker.pid
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        with pytest.raises(WorkerFault):
            await worker.ask("memory")
        await worker.ask("memory")
        assert worker.pid != first
        await worker.stop()

    asyncio.run(go())


def receive(connection: socket.socket) -> Any:
    size = LENGTH.unpack(connection.recv(LENGTH.size, socket.MSG_WAITALL))[0]
    return unpack(connection.recv(size, socket.MSG_WAITALL))


def test_a_worker_at_long_work_gives_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Worker):
        def do(self, what: str, arguments: tuple[Any, ...]) -> Any:
            return iter((None, None, "done"))

    monkeypatch.setattr("battlewright.server.worker._SIGN_OF_LIFE", -1.0)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        work = threading.Thread(target=serve, args=(theirs, Slow()), daemon=True)
        work.start()
        ours.sendall(pack((7, "long", ())))
        told = [receive(ours) for _ in range(4)]
        ours.shutdown(socket.SHUT_WR)
        work.join()
    assert [number for number, _ in told] == [0, 0, 0, 7]
    assert told[-1][1] == "done"


def test_workers_that_die_again_and_again_lose_no_answer(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        battle = served.battle(seats=["person", "computer"])
        with served.sit(battle, "a") as a:
            given = 0
            for _ in range(4):
                decision = a.decision()
                answer = a.ask("default")["answer"]
                for worker in served.processes()[1:]:
                    os.kill(worker, signal.SIGKILL)
                a.say("answer", decision=decision["decision"], answer=answer)
                told = a.until("accepted", "fault")
                if told["type"] == "fault":
                    assert "the battle stands as it was stored last" in told["text"]
                given += told["type"] == "accepted"
            assert a.answer(a.decision())["type"] == "accepted"
    finally:
        served.stop()
    assert "Traceback" not in served.log, served.log


# -- clients ----------------------------------------------------------------------------------------------------------


def test_a_client_that_takes_nothing_is_given_up_before_it_fills_the_memory() -> None:
    async def go() -> None:
        connection = Connection("watch", 100, 1000)
        connection.send("x" * 5000)
        assert not connection.lost.is_set(), "a single message may be as long as it has to be"
        connection.send("y")
        assert connection.lost.is_set()
        assert connection.waiting.empty()
        connection.send("z" * 10)
        assert connection.waiting.empty()
        many = Connection("watch", 100, 1000)
        for _ in range(300):
            many.send("x")
            assert await many.next() == "x"
        for _ in range(101):
            many.send("x")
        assert many.lost.is_set()

    asyncio.run(go())


@pytest.mark.parametrize(("header", "packed"), [({}, False), ({"X-Forwarded-For": "192.0.2.7"}, True)])
def test_messages_are_packed_for_those_who_are_elsewhere(tmp_path: Path, header: dict[str, str], packed: bool) -> None:
    served = Served(tmp_path)
    try:
        battle = served.battle("3")
        where = f"{served.address.replace('http', 'ws', 1)}/ws/{battle['battle']}?seat={battle['tokens']['a']}"
        with connect(where, additional_headers=header) as client:
            assert client.response is not None
            assert ("Sec-WebSocket-Extensions" in client.response.headers) == packed
            client.send('{"type": "hello", "protocol": 1}')
            assert '"welcome"' in str(client.recv())
    finally:
        served.stop()


def test_whoever_never_reads_delays_nobody(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        battle = served.battle()
        with served.sit(battle, "a") as a, served.sit(battle, "b") as b, served.sit(battle, "watch") as deaf:
            for _ in range(600):
                deaf.say("events", since=0)
            assert play_out([a, b], most=6) == 6
    finally:
        served.stop()
    assert "Traceback" not in served.log, served.log


def test_a_worker_that_ends_while_it_is_written_to_is_told_of_once() -> None:
    told: list[dict[str, Any]] = []

    class Pipe:
        """Breaks in the middle of a message, just after whoever reads has noticed."""

        def write(self, data: bytes) -> None:
            assert data

        async def drain(self) -> None:
            for done in handle._waiting.values():
                done.set_exception(WorkerFault("it has ended"))
            raise ConnectionResetError

    handle = WorkerHandle("broken")

    async def go() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
        handle._writer = Pipe()  # type: ignore[assignment]
        with pytest.raises(WorkerFault, match="cannot be reached"):
            await handle.ask("anything")
        gc.collect()
        handle._writer = None
        await handle.stop()

    asyncio.run(go())
    assert told == [], "nothing is complained of behind anybody's back"
