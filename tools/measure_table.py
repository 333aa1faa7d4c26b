"""Measure the table: ``python tools/measure_table.py [latency|memory]``; figures for docs/performance.md.

``latency``: fifty battles between bots go on at once; how long an answer takes until it is acknowledged, which is
after it has been stored; at the same time, with ``--computers N``, so many battles between computer players, and, with
``--questions N``, so many guests of other battles who ask slow questions without a pause. ``memory``: two hundred
battles are opened and played some way; what all processes of the server take.

What else the machine does changes the times, but hardly the processor's time for each answer, which is told as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from support.load import Load, Start, cpu_of, memory_of, play_battle  # noqa: E402
from support.serving import Served  # noqa: E402

LISTS = {
    "small": ("11", ("eleventh-tau-500", "eleventh-necrons-500")),
    "large": ("11", ("eleventh-marines-1000", "eleventh-tyranids-1000")),
}


def battles(server: Served, count: int, size: str, kind: str = "person") -> list[dict[str, Any]]:
    """So many battles between persons, or between computers."""
    edition, lists = LISTS[size]
    form = {"edition": edition, "armies": [{"bundled": name} for name in lists], "seats": [kind, kind]}
    return [server.post("/battles", form) for _ in range(count)]


async def latency(server: Served, options: argparse.Namespace) -> None:
    """Bots that think for a while, and bots that do not."""
    made = battles(server, options.battles or 50, "small")
    beside = battles(server, options.computers, "large", "computer")
    asking = battles(server, options.questions, "large")
    await _measure(server, made, [], [], 0.5, 5, is_counted=False)  # what is loaded on first use is loaded by now
    for thought, length in ((options.pause, options.seconds), (0.0, options.seconds / 2)):
        await _measure(server, made, beside, asking, thought, length)
    print(memory_of(server.processes()))


async def _measure(
    server: Served,
    made: list[dict[str, Any]],
    beside: list[dict[str, Any]],
    asking: list[dict[str, Any]],
    thought: float,
    length: float,
    *,
    is_counted: bool = True,
) -> None:
    load, start = Load(), Start(2 * len(made), length)
    others = [asyncio.create_task(_watch(server.address, each)) for each in beside]
    others += [asyncio.create_task(_ask(server.address, each)) for each in asking]
    play = [play_battle(server.address, each, load, most=10**6, pause=thought, start=start) for each in made]
    playing = asyncio.gather(*play)
    await start.reached()
    before, mine = cpu_of(server.processes()), time.process_time()
    await playing
    took = time.monotonic() - start.began
    after, mine = cpu_of(server.processes()), time.process_time() - mine
    for each in others:
        each.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    if not is_counted:
        return
    shares = ", ".join(f"p{round(100 * part)} {load.share(part):.1f} ms" for part in (0.5, 0.95, 0.99))
    print(
        f"{len(made)} battles, {thought:g} s of thought: {load.answers / took:.0f} answers a second, {shares};"
        f" load {os.getloadavg()[0]:.1f}"
    )
    spent = [after[each] - before.get(each, 0.0) for each in sorted(after)]
    each_answer = ", ".join(f"{1000 * seconds / max(1, load.answers):.2f}" for seconds in spent if seconds > 0.05)
    told = f"ms of a processor for each answer: server and workers {each_answer}; the bots"
    print(f"  {told} {1000 * mine / max(1, load.answers):.2f}", flush=True)


async def _watch(address: str, battle: dict[str, Any]) -> None:
    """Somebody looks on at a battle of computers, which goes on as long as somebody does."""
    where = f"{address.replace('http', 'ws', 1)}/ws/{battle['battle']}?seat={battle['tokens']['watch']}"
    async with connect(where, max_size=2**26) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": 1}))
        async for _ in socket:
            pass


async def _ask(address: str, battle: dict[str, Any]) -> None:
    """Somebody deploys as proposed, and then asks for odds, sight and samples as fast as answers come."""
    where = address.replace("http", "ws", 1)
    a, b = [f"{where}/ws/{battle['battle']}?seat={battle['tokens'][side]}" for side in "ab"]
    async with connect(a, max_size=2**26) as first, connect(b, max_size=2**26) as second:
        with suppress(asyncio.CancelledError):
            await asyncio.gather(_deploy_and_ask(first), _deploy_and_ask(second))


async def _deploy_and_ask(socket: Any) -> None:
    await socket.send(json.dumps({"type": "hello", "protocol": 1}))
    places: list[str] = []
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "welcome":
            places = [unit["id"] for unit in message["scene"]["units"]]
        elif message["type"] == "decision" and message["yours"]:
            if message["kind"].startswith("select-unit-to-move"):
                break
            await socket.send(json.dumps({"type": "ask", "ref": "d", "question": {"kind": "default"}}))
            while (told := json.loads(await socket.recv()))["type"] != "answered":
                pass
            answer = {"type": "answer", "decision": message["decision"], "answer": told["answer"]}
            await socket.send(json.dumps(answer))
    mine = [name for name in places if name[0] == "a"]
    others = [name for name in places if name[0] == "b"]
    while True:
        for unit in mine:
            for target in others:
                for kind in ("odds", "sight"):
                    question = {"kind": kind, "unit": unit, "target": target}
                    await socket.send(json.dumps({"type": "ask", "ref": "q", "question": question}))
                    while json.loads(await socket.recv())["type"] not in ("answered", "fault"):
                        pass


async def memory(server: Served, count: int, answers: int) -> None:
    """Battles that are open, some way into the game, their seats taken."""
    print(f"no battle: {memory_of(server.processes())}")
    made = battles(server, count, "large")
    load = Load()
    for first in range(0, count, 20):
        some = made[first : first + 20]
        start = Start(2 * len(some))
        play = [play_battle(server.address, each, load, most=answers, pause=0.0, start=start) for each in some]
        await asyncio.gather(*play)
    print(f"{count} open battles after {load.answers / count:.0f} answers each: {memory_of(server.processes())}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("latency", "memory"))
    parser.add_argument("--battles", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--answers", type=int, default=150)
    parser.add_argument("--computers", type=int, default=0, help="battles between computer players meanwhile")
    parser.add_argument("--questions", type=int, default=0, help="battles in which slow questions are asked meanwhile")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        server = Served(Path(folder))
        try:
            if options.what == "latency":
                asyncio.run(latency(server, options))
            else:
                asyncio.run(memory(server, options.battles or 200, options.answers))
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
