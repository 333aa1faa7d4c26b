"""Moves of the classic editions in tests: ways written down, where a unit may move, what is wrong with a move."""

from __future__ import annotations

from battlewright.core.decisions import ModelMove, Place
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.procedures.movement import limits_of, move_space
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import MoveKind

__all__ = ["asked", "faults", "space_of", "to", "wood"]


def wood(x0: float, y0: float, x1: float, y1: float, *tags: str) -> TerrainArea:
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return TerrainArea("wood", corners, tags=frozenset(tags or ("difficult", "area", "woods")))


def to(row: int, *points: tuple[float, float]) -> ModelMove:
    return ModelMove(row, tuple((round(1000 * x), round(1000 * y), 0, 0) for x, y in points))


def space_of(battle: ClassicBattle, kind: MoveKind = MoveKind.NORMAL) -> MoveSpace:
    return move_space(battle.scene, battle.state, 0, kind, limits_of(battle.scene, battle.state, 0, kind))


def faults(space: MoveSpace, *moves: ModelMove) -> list[str]:
    return [violation.rule for violation in space.check(Place(moves))]


def asked(battle: ClassicBattle, *answers: str) -> MoveSpace:
    """The move that is asked for after these answers."""
    for answer in answers:
        battle.answer(answer)
    assert battle.decision is not None
    space = battle.decision.choices
    assert isinstance(space, MoveSpace)
    return space
