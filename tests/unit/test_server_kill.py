"""What was acknowledged survives a server that is killed at any moment."""

from __future__ import annotations

import random
from pathlib import Path

from support.killing import kill_at_random


def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    assert kill_at_random(tmp_path, 2, random.Random(1)) > 0
