"""Killing the server at random moments, and holding what comes back against what it had acknowledged."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from battlewright.core.decisions import answer_from_json
from battlewright.core.record import record_of_bytes
from battlewright.server.views import as_json
from battlewright.start import replay
from support.serving import Guest, Served

__all__ = ["Survivor", "kill_at_random"]


class Survivor:
    """A battle that outlives its server: what was answered, and how much of it was acknowledged.

    Attributes:
        sent: every answer in order; the last one perhaps without an acknowledgement.
        accepted: how many were acknowledged.
    """

    def __init__(self, server: Served, **more: Any) -> None:
        self.server = server
        self.battle = server.battle(hot_seat=True, **more)
        self.sent: list[dict[str, Any]] = []
        self.accepted = 0
        self.is_over = False

    def play(self) -> None:
        """Answer as fast as may be, until the server is gone or the battle is over."""
        try:
            with self.server.sit(self.battle, "both") as guest:
                while not self.is_over:
                    self._answer(guest)
        except (ConnectionClosed, OSError, EOFError):
            return

    def _answer(self, guest: Guest) -> None:
        guest.settle()
        if guest.present is None:
            self.is_over = True
            return
        decision, answer = guest.present, guest.ask("default")["answer"]
        self.sent.append(answer)
        guest.say("answer", decision=decision["decision"], answer=answer)
        told = guest.until("accepted", "refused", "fault")
        if told["type"] == "fault":  # its worker died: what has not happened must not be in the record either
            assert "has not happened" in told["text"], told
            self.sent.pop()
            return
        assert told["type"] == "accepted", told
        self.accepted += 1

    def hold(self) -> None:
        """After a restart: every acknowledged answer is there, and the battle stands where they lead, by checksum."""
        path = f"/battles/{self.battle['battle']}/save?seat={self.battle['tokens']['both']}"
        status, text = self.server.ask("GET", path)
        assert status == 200, text
        header, records = record_of_bytes(text.encode())
        assert self.accepted <= len(records) <= len(self.sent), (self.accepted, len(records), len(self.sent))
        given = [answer_from_json(answer) for answer in self.sent[: len(records)]]
        assert [recorded.answer for recorded in records] == given
        battle = replay(header, records)
        with self.server.sit(self.battle, "both") as guest:
            view = guest.until("state")["view"]
        side = None if battle.decision is None else battle.decision.side
        seen = battle.rules.visible_state(battle.scene, battle.state, side)
        for name in ("position", "wounds", "on_table", "round", "turn", "phase", "step", "vp"):
            assert view[name] == json.loads(as_json(getattr(seen, name)))
        self.sent, self.accepted = self.sent[: len(records)], len(records)


def kill_at_random(folder: Path, kills: int, rng: random.Random, battles: int = 3, database: str | None = None) -> int:
    """Kill a server, and now and then one of its workers, while battles go on; returns how many answers were given."""
    server = Served(folder, database)
    total = 0
    try:
        playing = [Survivor(server) for _ in range(battles)]
        for _ in range(kills):
            playing = [each if not each.is_over else Survivor(server) for each in playing]
            threads = [threading.Thread(target=each.play) for each in playing]
            for thread in threads:
                thread.start()
            time.sleep(0.2 + rng.random())
            before = sum(each.accepted for each in playing)
            if rng.random() < 0.2:
                workers = server.processes()[1:]
                if workers:
                    os.kill(rng.choice(workers), signal.SIGKILL)
                time.sleep(0.2)
            server.stop(signal.SIGKILL)
            for thread in threads:
                thread.join()
            server.start()
            for each in playing:
                each.hold()
            total += before
    finally:
        server.stop()
    return total
