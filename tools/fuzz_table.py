"""Search for failures of the table: ``python tools/fuzz_table.py [--kills 50] [--battles 20] [--seed N]``.

The server is killed at random moments while battles go on, and what comes back is held against what it had
acknowledged. Then whole battles are played over the WebSocket, and every message is held against the schema.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from battlewright.server.messages import SERVER_MESSAGE  # noqa: E402
from support.killing import kill_at_random  # noqa: E402
from support.serving import Served, play_out  # noqa: E402


def play_over_sockets(server: Served, number: int) -> int:
    """A whole battle of two persons with somebody who looks on; every message has the form of the schema."""
    battle = server.battle(("11", "11", "11", "3")[number % 4])
    with server.sit(battle, "a") as a, server.sit(battle, "b") as b, server.sit(battle, "watch") as watcher:
        play_out([a, b])
        proof = watcher.until("ended")["proof"]["seed"]
        for guest in (a, b, watcher):
            for message in guest.heard:
                SERVER_MESSAGE.validate_python(message)
                assert message["type"] == "ended" or proof not in str(message)
        return sum(len(guest.heard) for guest in (a, b, watcher))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Kill the table at random moments; play battles over sockets.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}", flush=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        answers = kill_at_random(Path(folder), options.kills, random.Random(options.seed))
    print(
        f"{options.kills} kills, {answers} answers acknowledged, none lost, {time.monotonic() - begun:.0f} s",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        server = Served(Path(folder))
        try:
            heard = sum(play_over_sockets(server, number) for number in range(options.battles))
        finally:
            server.stop()
    print(f"{options.battles} battles over sockets, {heard} messages, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
