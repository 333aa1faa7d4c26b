"""The example of a bot plays a whole battle."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from support.serving import Served

BOT = Path(__file__).resolve().parents[2] / "examples" / "bot.py"


def test_the_bot_plays_a_whole_battle_against_the_computer(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    bot = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bot)
    server = Served(tmp_path)
    try:
        battle = server.battle(seats=["person", "computer"])
        ended = bot.play(server.address, battle["battle"], battle["tokens"]["a"])
        assert ended["result"]["rounds"] == 5
        made = bot.set_up(server.address)
        assert len(made) == 2
    finally:
        server.stop()
