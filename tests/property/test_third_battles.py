"""Whole battles of the 3rd edition by random play: what must always hold, replays, copies."""

from __future__ import annotations

import pytest

from battlewright.armies import load_army
from battlewright.players import make_player
from battlewright.start import Battle
from support.play import check_forks, check_replay, play
from support.third_invariants import invariants


def start(seed: int, mission: str, layout: str) -> Battle:
    a, b = load_army("third-marines-500"), load_army("third-orks-500")
    return Battle.start((a, b), "3", seed=seed, mission=mission, layout=layout)


@pytest.mark.parametrize(
    ("seed", "mission", "layout"), [(1, "patrol", "village"), (2, "patrol", "open_table"), (3, "cleanse", "quarters")]
)
def test_a_random_battle_keeps_every_invariant_and_can_be_copied_anywhere(seed: int, mission: str, layout: str) -> None:
    players = [make_player("random", "3", seed=side) for side in (0, 1)]
    battle = play(start(seed, mission, layout), players, invariants)
    check_replay(battle, start(seed, mission, layout))
    check_forks(battle, start(seed, mission, layout), to_the_end=2, every=5)
