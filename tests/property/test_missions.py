"""Random battles on every mission, with secondary missions: replay, copies and views keep their promises."""

from __future__ import annotations

import random

import pytest

from battlewright.armies import load_army
from battlewright.editions.eleventh.missions import MISSIONS
from battlewright.players import make_player
from battlewright.start import Battle
from support.eleventh_invariants import invariants
from support.play import check_forks, check_replay, play


def begin(mission: str, seed: int) -> Battle:
    layouts = MISSIONS[mission].layouts
    setting = ("choose", "tactical", "fixed")[seed % 3]
    return Battle.start(
        (load_army("eleventh-necrons-500"), load_army("eleventh-tau-500")),
        seed=seed,
        mission=mission,
        layout=layouts[seed % len(layouts)],
        options={"secondaries": setting},
    )


@pytest.mark.parametrize(("seed", "mission"), list(enumerate(MISSIONS)))
def test_random_battles_on_every_mission(seed: int, mission: str) -> None:
    battle = begin(mission, seed)
    players = [make_player("random", "11", seed=2 * seed + side) for side in (0, 1)]
    play(battle, players, invariants)
    check_replay(battle, begin(mission, seed))
    check_forks(battle, begin(mission, seed), to_the_end=1, every=29)


@pytest.mark.parametrize("mission", ["gather-intel", "death-trap", "punishment"])
def test_heuristic_battles_on_missions_of_every_sort(mission: str) -> None:
    battle = begin(mission, random.Random(mission).randrange(100))
    players = [make_player("heuristic", "11", seed=side) for side in (0, 1)]
    play(battle, players, invariants)
    assert battle.state.vp != (0, 0)
