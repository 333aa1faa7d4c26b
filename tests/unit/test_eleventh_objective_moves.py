"""Consolidating towards an objective: what the space offers it also accepts."""

from __future__ import annotations

import random

import pytest

from battlewright.core.table import Objective
from battlewright.editions.eleventh.objective_moves import objective_space
from battlewright.editions.eleventh.state import Phase
from support.eleventh import scene, unit


@pytest.mark.rule("11e.core.12.08-objective")
def test_every_sample_of_a_consolidation_towards_an_objective_is_accepted() -> None:
    """In a battle a model was moved closer that could have ended in range (orks against orks, seed 3301)."""
    battle = scene(unit(6).at(16, 20, apart=1.6), phase=Phase.FIGHT, objectives=(Objective("centre", (20.0, 25.0)),))
    space = objective_space(battle, 0, 0, 3.0)
    moved = 0
    for seed in range(300):
        answer = space.sample(random.Random(seed))
        assert space.check(answer) == [], f"seed {seed}"
        moved += bool(answer.moves)
    assert moved
    assert space.check(space.default()) == []
