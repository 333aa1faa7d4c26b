"""Battlewright: a rules engine for Warhammer 40,000 in four editions. Unofficial, not affiliated.

    import battlewright as bw

    battle = bw.start_battle((army_a, army_b), edition="11", seed=7)
    while battle.decision:
        battle.answer(battle.decision.default())
    print(battle.result)

Names are loaded when they are first used, so that a question of odds loads no more than it needs.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from battlewright import players
    from battlewright.start import Battle, load_battle, start_battle

__all__ = ["Battle", "__version__", "load_battle", "players", "start_battle"]

__version__ = "0.1.0"

_WHERE = {
    "Battle": "battlewright.start",
    "load_battle": "battlewright.start",
    "start_battle": "battlewright.start",
    "load_army": "battlewright.armies",
}


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    if name in {"odds", "players"}:
        return importlib.import_module(f"battlewright.{name}")
    raise AttributeError(f"module 'battlewright' has no attribute {name!r}")
