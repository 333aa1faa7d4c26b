"""Measure the table: ``python tools/measure_table.py [latency|memory]``; figures for docs/performance.md.

``latency``: fifty battles between bots go on at once; how long an answer takes until it is acknowledged, which is
after it has been stored. ``memory``: two hundred battles are opened and played some way; what all processes of the
server take.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from support.load import Load, memory_of, play_battle  # noqa: E402
from support.serving import Served  # noqa: E402

LISTS = {
    "small": ("11", ("eleventh-tau-500", "eleventh-necrons-500")),
    "large": ("11", ("eleventh-marines-1000", "eleventh-tyranids-1000")),
}


def battles(server: Served, count: int, size: str) -> list[dict[str, Any]]:
    """So many battles between persons."""
    edition, lists = LISTS[size]
    form = {"edition": edition, "armies": [{"bundled": name} for name in lists], "seats": ["person", "person"]}
    found: list[dict[str, Any]] = []
    while len(found) < count:
        found.append(server.post("/battles", form))
    return found


async def latency(server: Served, count: int, seconds: float, pause: float) -> None:
    """Bots that think for a while, and bots that do not."""
    made = battles(server, count, "small")
    for thought, length in ((pause, seconds), (0.0, seconds / 3)):
        load = Load()
        until = time.monotonic() + length
        await asyncio.gather(
            *(play_battle(server.address, each, load, most=10**6, pause=thought, until=until) for each in made)
        )
        shares = ", ".join(f"p{round(100 * part)} {load.share(part):.1f} ms" for part in (0.5, 0.95, 0.99))
        print(f"{count} battles, {thought:g} s of thought: {load.answers / length:.0f} answers a second, {shares}")
    print(memory_of(server.processes()))


async def memory(server: Served, count: int, answers: int) -> None:
    """Battles that are open, some way into the game, their seats taken."""
    print(f"no battle: {memory_of(server.processes())}")
    made = battles(server, count, "large")
    load = Load()
    for start in range(0, count, 20):
        await asyncio.gather(
            *(play_battle(server.address, each, load, most=answers, pause=0.0) for each in made[start : start + 20])
        )
    print(f"{count} open battles after {load.answers / count:.0f} answers each: {memory_of(server.processes())}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("latency", "memory"))
    parser.add_argument("--battles", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--answers", type=int, default=150)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        server = Served(Path(folder))
        try:
            if options.what == "latency":
                asyncio.run(latency(server, options.battles or 50, options.seconds, options.pause))
            else:
                asyncio.run(memory(server, options.battles or 200, options.answers))
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
