"""Answers that depend on nothing but where some units stand, kept in the scene under exactly that.

Copies of a battle share their scene, so what one of them has measured serves all. A key holds the positions
themselves, so that an answer can never be one for other positions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import EleventhState

__all__ = ["board_of", "place_of", "remembered"]

T = TypeVar("T")

_MOST = 20_000
"""Answers of one kind that are kept; when there are more, all are forgotten."""


def place_of(scene: Scene, state: EleventhState, unit: int) -> Hashable:
    """A key for where the unit's models stand and which of them are standing."""
    rows = scene.units[unit].rows
    first, last = rows[0], rows[-1] + 1
    here = state.position[first:last].tobytes()
    return unit, here, state.on_table[first:last].tobytes(), (state.wounds[first:last] > 0).tobytes()


def board_of(state: EleventhState) -> Hashable:
    """A key for where everybody stands and who is standing."""
    return state.position.tobytes(), state.on_table.tobytes(), (state.wounds > 0).tobytes()


def remembered(scene: Scene, kind: str, key: Hashable, work_out: Callable[[], T]) -> T:
    """The answer of that kind for that key, worked out unless it is known."""
    known = scene.cache.get(kind)
    if known is None:
        known = scene.cache[kind] = {}
    if key in known:
        return cast(T, known[key])
    if len(known) >= _MOST:
        known.clear()
    answer = known[key] = work_out()
    return answer
