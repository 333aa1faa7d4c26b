"""Keeping the book of a mission: how each turn begins, who is destroyed, who leaves the battlefield."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.book import Kill
from battlewright.editions.eleventh.in_range import objectives_in_range
from battlewright.editions.eleventh.scene import Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.whereabouts import areas_of

__all__ = ["begin_turn", "note_left", "note_removed", "settle_turn"]


# -- turns --------------------------------------------------------------------------------------------------------


def begin_turn(scene: Scene, state: EleventhState) -> None:
    """Open the page of a new turn: who lives, who stands where, who controls what."""
    alive = frozenset(int(unit.index) for unit in scene.units if living(state, unit.index))
    there = frozenset(unit for unit in alive if standing(state, unit))
    state.book = replace(
        state.book,
        alive=alive,
        standing=there,
        control=state.control,
        on_objective=frozenset((unit, goal) for unit in there for goal in objectives_in_range(scene, state, unit)),
        in_area=frozenset((unit, area) for unit in there for area in areas_of(scene, state, unit)),
        kills=(),
        kills_before=state.book.kills,
        slain=(),
        left=frozenset(),
    )


@rule("11e.core.mission.leaving-the-battlefield")
def settle_turn(scene: Scene, state: EleventhState) -> None:
    """Before a turn is scored: note who died or left the battlefield without anybody having said so."""
    book = state.book
    known = {kill.unit for kill in book.kills}
    more = tuple(Kill(unit) for unit in sorted(book.alive - known) if not living(state, unit))
    gone = frozenset(unit for unit in book.standing if not standing(state, unit))
    if more or not gone <= book.left:
        state.book = replace(book, kills=book.kills + more, left=book.left | gone)


# -- what happens -------------------------------------------------------------------------------------------------


def note_removed(scene: Scene, state: EleventhState, rows: Sequence[int], gone: Iterable[int], by: int) -> None:
    """Models were destroyed, and with them these units, by a unit (or -1); one that perished by its own doing was
    destroyed by nobody."""
    book = state.book
    on_objective = by >= 0 and bool(objectives_in_range(scene, state, by))
    kills = tuple(Kill(int(unit)) if unit == by else Kill(int(unit), by, on_objective) for unit in gone)
    state.book = replace(
        book,
        slain=book.slain + tuple(rows),
        kills=book.kills + kills,
        left=book.left.union(kill.unit for kill in kills),
    )


@rule("11e.core.mission.leaving-the-battlefield")
def note_left(state: EleventhState, unit: int) -> None:
    """A unit left the battlefield alive: it embarked, or was put into reserves."""
    state.book = replace(state.book, left=state.book.left | {int(unit)})
