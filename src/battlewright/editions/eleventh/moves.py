"""Moving and setting up (03): placeholder until chapter 03 stands here; sets units up without a check."""

from __future__ import annotations

from typing import Any

from battlewright.core.decisions import Answer, ModelMove, Option, Place, RandomSource, Violation
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import MoveKind


class _Anywhere:
    def __init__(self, battle: Battle11, unit: int) -> None:
        self._rows = battle.state.units[unit].models
        self._column = 2000 * (unit + 1)

    def options(self) -> tuple[Option, ...]:
        return ()

    def check(self, answer: Answer) -> list[Violation]:
        return []

    def default(self) -> Answer:
        return Place(tuple(ModelMove(row, ((self._column, 2000 * i, 0, 0),)) for i, row in enumerate(self._rows)))

    def sample(self, rng: RandomSource) -> Answer:
        return self.default()

    def describe(self) -> dict[str, Any]:
        return {}


def deployment_space(battle: Battle11, unit: int) -> _Anywhere:
    """Anywhere."""
    return _Anywhere(battle, unit)


def carry_out(battle: Battle11, unit: int, placement: Place, kind: MoveKind) -> None:
    """Put the models where the placement says."""
    for move in placement.moves:
        battle.state.position[move.model] = move.path[-1]
        battle.state.on_table[move.model] = True
