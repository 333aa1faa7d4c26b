"""Rolling off: how the players of every edition let dice decide between them."""

from __future__ import annotations

from typing import Any

from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, Side
from battlewright.core.rulebook import rule
from battlewright.editions.happenings import RollOff

__all__ = ["roll_off"]


@rule("11e.core.01.05-roll-off")
def roll_off(battle: Battle[Any, Any], purpose: str, *rules: str) -> Side:
    """Each player rolls a D6, the higher wins, ties are rolled again (11th edition 01.05)."""
    thrown: list[tuple[int, int]] = []
    while True:
        a, b = battle.roll(2, 6, purpose).faces
        thrown.append((a, b))
        if a != b:
            winner = SIDES[b > a]
            battle.happened(RollOff(purpose=purpose, faces=tuple(thrown), winner=winner, rules=rules))
            return winner
