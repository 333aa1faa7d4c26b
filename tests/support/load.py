"""Bots in numbers, for measuring: each battle has two, and each answer's way there and back is timed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect

__all__ = ["Load", "Start", "cpu_of", "memory_of", "play_battle"]


@dataclass
class Load:
    """What was measured.

    Attributes:
        trips: seconds from sending an answer to the next thing that it led to (accepted, and what follows).
    """

    trips: list[float] = field(default_factory=list)
    answers: int = 0
    battles: int = 0

    def share(self, part: float) -> float:
        """The quantile of the trips, in milliseconds."""
        ordered = sorted(self.trips)
        return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


class Start:
    """Where bots wait until all of them are seated, so that opening battles is not measured with playing them.

    Args:
        bots: how many there are.
        seconds: how long they play from then on.
    """

    def __init__(self, bots: int, seconds: float = float("inf")) -> None:
        self._left, self._seconds = bots, seconds
        self._all = asyncio.Event()
        self.began, self.until = 0.0, float("inf")

    async def seated(self) -> None:
        """One is; returns when all are."""
        self._left -= 1
        if self._left == 0:
            self.began = time.monotonic()
            self.until = self.began + self._seconds
            self._all.set()
        await self._all.wait()

    async def reached(self) -> None:
        """When the last is seated."""
        await self._all.wait()


async def play_battle(
    address: str, battle: dict[str, Any], load: Load, *, most: int, pause: float, start: Start
) -> None:
    """Two bots play a battle: so many answers, or until a time; ``pause`` seconds of thought on average before each."""
    where = address.replace("http", "ws", 1)
    first, second = [f"{where}/ws/{battle['battle']}?seat={battle['tokens'][side]}" for side in "ab"]
    async with connect(first, max_size=2**26) as a, connect(second, max_size=2**26) as b:
        left = [most]
        await asyncio.gather(
            *(
                _bot(socket, load, left, pause, start, random.Random(f"{battle['battle']}{n}"))
                for n, socket in enumerate((a, b))
            )
        )
    load.battles += 1


async def _bot(socket: Any, load: Load, left: list[int], pause: float, start: Start, rng: random.Random) -> None:
    await socket.send(json.dumps({"type": "hello", "protocol": 1}))
    waiting: list[dict[str, Any]] = []
    while not waiting or waiting[-1]["type"] != "presence":
        waiting.append(json.loads(await socket.recv()))
    await start.seated()
    sent = 0.0
    while left[0] > 0 and time.monotonic() < start.until:
        try:
            message = waiting.pop(0) if waiting else json.loads(await asyncio.wait_for(socket.recv(), 1))
        except TimeoutError:
            continue
        kind = message["type"]
        if kind == "ended":
            left[0] = 0
        elif kind == "accepted":
            load.trips.append(time.perf_counter() - sent)
            load.answers += 1
            left[0] -= 1
        elif kind == "decision" and message["yours"]:
            await asyncio.sleep(rng.expovariate(1 / pause) if pause else 0)
            options = message["choices"].get("options")
            if options:
                answer = {"kind": "pick", "option": rng.choice(options)["key"]}
            else:
                answer = await _proposed(socket, rng, waiting)
            sent = time.perf_counter()
            await socket.send(json.dumps({"type": "answer", "decision": message["decision"], "answer": answer}))
        elif kind in ("refused", "fault"):
            raise AssertionError(message)


async def _proposed(socket: Any, rng: random.Random, waiting: list[dict[str, Any]]) -> Any:
    question = {"kind": "sample", "seed": rng.randrange(2**31)}
    await socket.send(json.dumps({"type": "ask", "ref": "s", "question": question}))
    while True:
        told = json.loads(await socket.recv())
        if told["type"] == "answered":
            return told["answer"]
        waiting.append(told)


def cpu_of(processes: list[int]) -> dict[int, float]:
    """Seconds of a processor that each process has used so far."""
    found = {}
    for each in processes:
        with open(f"/proc/{each}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        found[each] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def memory_of(processes: list[int]) -> dict[str, float]:
    """What processes take together, in MiB: proportional set size, and resident size."""
    found = {"pss": 0.0, "rss": 0.0}
    for each in processes:
        with open(f"/proc/{each}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                name = line.split(":")[0].lower()
                if name in found:
                    found[name] += int(line.split()[1]) / 1024
    return found
