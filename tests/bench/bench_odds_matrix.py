"""How long army against army takes: twenty units against twenty, shooting and melee (goal 10 s)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battlewright.armies import load_army, sample_armies
from battlewright.core.roster import Army
from battlewright.odds import matrix


def twenty() -> Army:
    """The first twenty units of the bundled armies, as one army."""
    armies = [load_army(path) for path in sample_armies("11").values()]
    return replace(armies[0], units=tuple(unit for army in armies for unit in army.units)[:20])


def test_matrix_of_twenty_by_twenty(benchmark: Any) -> None:
    army = twenty()
    assert len(army.units) == 20
    benchmark.pedantic(matrix, (army, army), rounds=3, warmup_rounds=1)
