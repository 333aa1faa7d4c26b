"""The table ends as a person expects it to: without a trace, and at once when there is nothing to play."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.serving import Served


def test_who_is_impatient_sees_no_traceback(tmp_path: Path) -> None:
    server = Served(tmp_path)
    process = server._process
    assert process is not None
    server.battle()
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert server.log.strip().splitlines() == [f"The table is at {server.address}/ (Ctrl-C ends it)."]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--mission", "nowhere"), 'There is no mission "nowhere"; expected'),
        (("--edition", "4", "--option", "colour=blue"), 'The 4th edition has no option "colour"; expected'),
        ((__file__,), "test_server_ending.py: no army list of a known format; expected"),
    ],
)
def test_a_battle_that_cannot_be_set_up_ends_in_one_sentence(asked: tuple[str, ...], told: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "battlewright", "play", "--no-open", "--database", str(tmp_path / "battles.db")]
    done = subprocess.run([*command, *asked], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    (complaint,) = [line for line in done.stderr.splitlines() if not line.startswith("The table is at")]
    assert complaint.startswith("battlewright: ")
    assert told in complaint
