"""Whole battles: goals are 10 s, later 1.5 s, at 2,000 points with players that think, 0.5 s at random with 500."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.armies import load_army, sample_armies
from battlewright.players import make_player
from battlewright.start import Battle

SMALL = ("eleventh-necrons-500", "eleventh-tau-500")
MIDDLE = ("eleventh-marines-1000", "eleventh-tyranids-1000")


def play(names: tuple[str, str], player: str) -> int:
    """Play one battle to its end; returns the number of decisions."""
    known = sample_armies("11")
    first, second = (load_army(known[name]) for name in names)
    battle = Battle.start((first, second), "11", seed=1)
    players = [make_player(player, "11", seed=side) for side in (0, 1)]
    while battle.decision is not None:
        side = battle.decision.side
        battle.answer(players[side].decide(battle.seat(side)))
    return len(battle.record)


@pytest.mark.parametrize("player", ["default", "random", "heuristic"])
@pytest.mark.parametrize("names", [SMALL, MIDDLE], ids=["500", "1000"])
def test_a_battle(benchmark: Any, names: tuple[str, str], player: str) -> None:
    play(names, player)  # what is compiled on first use is compiled here
    assert benchmark.pedantic(play, (names, player), rounds=3, iterations=1) > 0
