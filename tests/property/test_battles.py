"""Whole battles of random and of planned play: what must always hold, replays, and copies made at every decision."""

from __future__ import annotations

import pytest

from battlewright.armies import load_army
from battlewright.core.decisions import Pick
from battlewright.core.errors import IllegalChoice
from battlewright.core.state import plain
from battlewright.players import make_player
from battlewright.start import Battle
from support.eleventh_invariants import invariants
from support.play import check_forks, check_replay, play

SMALL = "eleventh-necrons-500", "eleventh-tau-500"


def start(seed: int, armies: tuple[str, str] = SMALL, layout: str | None = None) -> Battle:
    a, b = (load_army(name) for name in armies)
    return Battle.start((a, b), "11", seed=seed, layout=layout)


@pytest.mark.parametrize(("seed", "layout"), [(1, "open_table"), (2, "battlefield_dominance_a")])
def test_a_random_battle_keeps_every_invariant_and_can_be_copied_anywhere(seed: int, layout: str) -> None:
    battle = play(start(seed, layout=layout), [make_player("random", "11", seed=side) for side in (0, 1)], invariants)
    check_replay(battle, start(seed, layout=layout))
    check_forks(battle, start(seed, layout=layout), to_the_end=4)


def test_a_planned_battle_keeps_every_invariant() -> None:
    battle = play(start(5), [make_player("heuristic", "11")] * 2, invariants)
    check_replay(battle, start(5))
    check_forks(battle, start(5), to_the_end=2, every=5)


def test_a_refused_answer_leaves_the_battle_as_it_was() -> None:
    battle = start(4)
    player = make_player("random", "11", seed=4)
    for _ in range(60):
        assert battle.decision is not None
        before = plain(battle.state), len(battle.events), len(battle.record), repr(battle.decision)
        with pytest.raises(IllegalChoice) as caught:
            battle.answer(Pick("no such option"))
        assert caught.value.violations
        assert (plain(battle.state), len(battle.events), len(battle.record), repr(battle.decision)) == before
        battle.answer(player.decide(battle.seat(battle.decision.side)))
