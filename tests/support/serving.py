"""A server in a process of its own, and people who sit at its tables."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from support.small_armies import GOLD, GREEN

__all__ = ["Guest", "Served", "play_out"]

_PATIENCE = 120
"""Seconds after which something is taken to have got stuck."""
SMALL = {"3": ("third-orks-500", "third-marines-500"), "4": ("fourth-guard-500", "fourth-guard-500")}


class Served:
    """``battlewright serve`` on a free port; :meth:`start` begins it anew on the same database."""

    def __init__(self, folder: Path, database: str | None = None, *options: str) -> None:
        self.folder, self._options = folder, options
        self.database = database or f"sqlite:///{folder / 'table.sqlite'}"
        self.address = ""
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        log = self.folder / "serve.log"
        command = [
            sys.executable,
            "-m",
            "battlewright",
            "serve",
            "--port",
            str(self._port),
            "--database",
            self.database,
            "--a-minute",
            "1000",
            *self._options,
        ]
        with log.open("wb") as file:
            self._process = subprocess.Popen(command, stdout=file, stderr=file)
        give_up = time.monotonic() + _PATIENCE
        while time.monotonic() < give_up and self._process.poll() is None:
            said = log.read_text(encoding="utf-8")
            if "The table is at " in said:
                self.address = said.split("The table is at ")[1].split("/ ")[0]
                self._port = int(self.address.rpartition(":")[2])
                try:
                    self.get("/health")
                except OSError:
                    pass
                else:
                    return
            time.sleep(0.05)
        raise AssertionError(f"the server did not start: {log.read_text(encoding='utf-8')}")

    @property
    def log(self) -> str:
        """What it has complained of."""
        return (self.folder / "serve.log").read_text(encoding="utf-8")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(_PATIENCE)

    def processes(self) -> list[int]:
        """The ids of the server and its workers."""
        assert self._process is not None
        mine = self._process.pid
        found = [mine]
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                if int(stat.read_text().rpartition(")")[2].split()[1]) == mine:
                    found.append(int(stat.parent.name))
            except OSError:
                continue
        return found

    # -- over HTTP --------------------------------------------------------------------------------------------------

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The status and the answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api{path}", data, headers, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
                return answer.status, _read(answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            return error.code, _read(error.headers, error.read())

    def get(self, path: str) -> Any:
        """The answer to a question that is met."""
        status, answer = self.ask("GET", path)
        assert status == 200, answer
        return answer

    def post(self, path: str, body: Any) -> Any:
        """The answer to a request that is met."""
        status, answer = self.ask("POST", path, body)
        assert status == 200, answer
        return answer

    def battle(self, edition: str = "11", **more: Any) -> dict[str, Any]:
        """A small battle, between persons unless said otherwise."""
        if edition == "11":
            armies = [{"id": self.post("/armies", {"text": text})["id"]} for text in (GREEN, GOLD)]
            more = {"options": {"secondaries": "none"}, **more}
        else:
            armies = [{"bundled": name} for name in SMALL[edition]]
        return dict(
            self.post("/battles", {"edition": edition, "armies": armies, "seats": ["person", "person"], **more})
        )

    def sit(self, battle: dict[str, Any], role: str, **hello: Any) -> Guest:
        """Take a seat that a battle was made with."""
        return Guest(self.address, battle["battle"], battle["tokens"][role], **hello)


def _read(headers: Any, data: bytes) -> Any:
    return json.loads(data) if headers.get_content_type() == "application/json" else data.decode()


class Guest:
    """Somebody at a table, by a link's token.

    Attributes:
        heard: every message so far.
        present: the decision that waits for this guest, as far as it was heard.
    """

    def __init__(self, address: str, battle: str, token: str, *, hello: bool = True, **said: Any) -> None:
        self.heard: list[dict[str, Any]] = []
        self.present: dict[str, Any] | None = None
        where = f"{address.replace('http', 'ws', 1)}/ws/{battle}?seat={token}"
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(connect(where, max_size=2**26, open_timeout=_PATIENCE))
        self.welcome: dict[str, Any] = {}
        if hello:
            self.say("hello", **{"protocol": 1, **said})
            self.welcome = self.until("welcome")

    def say(self, type_: str, **fields: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"type": type_, **fields}))

    def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=_PATIENCE))
        self.heard.append(message)
        if message["type"] == "decision":
            self.present = message if message["yours"] else None
        elif message["type"] in ("ended", "accepted"):
            self.present = None
        return message

    def until(self, *types: str, where: Callable[[dict[str, Any]], bool] = lambda message: True) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message = self.hear()
            if message["type"] in types and where(message):
                return message

    def decision(self) -> dict[str, Any]:
        """The decision of one's own that waits, or the next one."""
        self.settle()
        if self.present is not None:
            return self.present
        return self.until("decision", where=lambda message: message["yours"])

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        """Ask a question and wait for its answer."""
        self.say("ask", ref="q", question={"kind": kind, **more})
        return self.until("answered")

    def answer(self, decision: dict[str, Any], answer: dict[str, Any] | None = None) -> dict[str, Any]:
        """Answer a decision, by what the server proposes unless told otherwise; what came of it."""
        given = self.ask("default")["answer"] if answer is None else answer
        self.say("answer", decision=decision["decision"], answer=given)
        return self.until("accepted", "refused", "fault")

    def settle(self) -> list[dict[str, Any]]:
        """Everything that has been sent before now."""
        before = len(self.heard)
        self.say("ping")
        self.until("pong")
        return self.heard[before:-1]

    def is_sent_away(self) -> int:
        """The code with which the server closes, after whatever it still says."""
        try:
            while True:
                self.hear()
        except ConnectionClosed:
            assert self.socket.close_code is not None
            return self.socket.close_code

    def close(self) -> None:
        """Go."""
        self._open.close()

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def of(self, type_: str) -> Iterator[dict[str, Any]]:
        """Every message of a type heard so far."""
        return (message for message in self.heard if message["type"] == type_)


def play_out(
    guests: list[Guest],
    choose: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda decision: None,
    most: int = 10**6,
) -> int:
    """Play a battle of these guests to its end, or for so many answers; returns how many were given."""
    given = 0
    while given < most:
        for guest in guests:
            guest.settle()
        asked = [(guest, guest.present) for guest in guests if guest.present is not None]
        if not asked:
            assert all(list(guest.of("ended")) for guest in guests), "nobody is asked, and the battle goes on"
            break
        guest, decision = asked[0]
        assert decision is not None
        told = guest.answer(decision, choose(decision))
        assert told["type"] == "accepted", told
        given += 1
    return given


def stop_all(processes: list[int]) -> None:
    """Kill processes at once."""
    for each in processes:
        os.kill(each, signal.SIGKILL)
