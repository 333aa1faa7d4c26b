"""A battle on the terminal: lines as they happen and, where there is a real terminal, the table below them.

Text from files is handed to Rich as plain text, never as markup.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

import battlewright.report.classic
import battlewright.report.eleventh  # noqa: F401  (registers its formatters)
from battlewright.core.bases import Point
from battlewright.core.battle import Battle
from battlewright.core.header import Result
from battlewright.core.rulebook import entry, is_known
from battlewright.core.table import Battlefield
from battlewright.report.board import Drawing
from battlewright.report.narrate import Level, Line, Names, Narrator

__all__ = ["BattleView", "result_in_words"]

_STYLES = ("cyan", "yellow")
_PAUSE = 0.06
"""Seconds between two drawings of the map, so that drawing does not slow the battle down."""
_SPARE = 8
"""Lines of a terminal that the log keeps; where the map leaves fewer, it is not drawn."""
_CELL = (1.0, 2.0)
"""Inches of the table that a character of the map stands for, across and down."""


class BattleView:
    """Shows a battle as it goes on: give it the battle before the first answer and after each.

    Use it as a context manager. The map is drawn only on a terminal that can move its cursor.

    Args:
        console: where to.
        level: how much is told.
    """

    def __init__(self, console: Console, level: Level) -> None:
        self.console = console
        self.level = level
        self._narrator: Narrator | None = None
        self._told = 0
        self._heading: Line | None = None
        able = console.is_terminal and not console.is_dumb_terminal
        self._live = Live(console=console, transient=True, auto_refresh=False) if able else None
        self._map: _Map | None = None
        self._shown_at = 0.0

    def __enter__(self) -> BattleView:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, battle: Battle[Any, Any]) -> None:
        """Tell what has happened since the last time."""
        if self._narrator is None:
            self._narrator = Narrator(Names.of_armies(battle.header.armies))
        for event in battle.events[self._told :]:
            for line in self._narrator.tell(event):
                self._show(line)
        self._told = len(battle.events)
        if self._live is not None and time.monotonic() - self._shown_at > _PAUSE:
            self._shown_at = time.monotonic()
            self._live.update(self._table(battle, self._narrator.names), refresh=True)

    def _show(self, line: Line) -> None:
        """Print a line; a heading waits until something stands under it."""
        if line.heading:
            self._heading = line
            return
        if not self.level.shows(line.level):
            return
        if self._heading is not None:
            heading, self._heading = self._heading, None
            self.console.print()
            self._print(heading, "bold")
        self._print(line, "" if line.level is Level.BRIEF else "dim")

    def _print(self, line: Line, style: str) -> None:
        text = Text(style=style, no_wrap=False, overflow="fold")
        if not line.heading:
            text.append("▌ " if line.level is Level.BRIEF else "▌   ", "" if line.side is None else _STYLES[line.side])
        text.append(line.text, _STYLES[line.side] if line.heading and line.side is not None else "")
        self.console.print(text)
        if self.level is Level.FULL and not line.heading:
            for rule in rules_behind(line):
                self.console.print(Text(f"      § {rule}", style="dim italic"))

    def _table(self, battle: Battle[Any, Any], names: Names) -> Group:
        state = battle.state
        if self._map is None:
            self._map = _Map(Battlefield.from_json(battle.header.battlefield))
        score = Text.assemble(
            (f"{names.sides[0]} {state.vp[0]}", f"bold {_STYLES[0]}"),
            " : ",
            (f"{state.vp[1]} {names.sides[1]}", f"bold {_STYLES[1]}"),
            f"   round {state.round}, {state.phase}, answer {len(battle.record)}",
        )
        if self.console.height < self._map.height + _SPARE:
            return Group(score)
        return Group(*self._map.lines(battle), score)


def rules_behind(line: Line) -> Iterator[str]:
    """The rules of a line with their ids."""
    for rule_id in line.rules:
        yield f"{entry(rule_id).rule} ({rule_id})" if is_known(rule_id) else rule_id


def result_in_words(result: Result, names: Names) -> str:
    """How a battle ended, as a sentence."""
    rounds = f"after {result.rounds} rounds"
    if result.winner is None:
        return f"A draw, {result.score[0]} to {result.score[1]}, {rounds}."
    ours, theirs = result.score[result.winner], result.score[1 - result.winner]
    return f"Victory for {names.sides[result.winner]}, {ours} to {theirs}, {rounds}."


class _Map:
    """The table as characters, a high one turned a quarter clockwise as in the drawings."""

    def __init__(self, field: Battlefield) -> None:
        self._field = field
        self._drawing = Drawing(field.width, field.height)
        across, down = self._drawing.size
        self._columns, self.height = round(across / _CELL[0]), round(down / _CELL[1])
        self._ground = [[(" ", "on grey15")] * self._columns for _ in range(self.height)]
        for line in range(self.height):
            for column in range(self._columns):
                x, y = (column + 0.5) * _CELL[0], (line + 0.5) * _CELL[1]
                if field.areas_at((y, x) if self._drawing.turned else (x, field.height - y)):
                    self._ground[line][column] = ("░", "grey50 on grey23")
        for objective in field.objectives:
            self._put(self._ground, objective.point, "◎", "bold white on grey15")

    def _put(self, cells: list[list[tuple[str, str]]], point: Point, mark: str, style: str) -> None:
        x, y = self._drawing.at(*point)
        column, line = int(x / _CELL[0]), int(y / _CELL[1])
        if 0 <= column < self._columns and 0 <= line < self.height:
            cells[line][column] = (mark, style)

    def lines(self, battle: Battle[Any, Any]) -> Iterator[Text]:
        """The lines of the map as the battle stands."""
        cells = [line.copy() for line in self._ground]
        first = sum(len(unit.models) for unit in battle.header.armies[0].units)
        places = battle.state.position / 1000
        for row in np.flatnonzero(battle.state.on_table):
            x, y = float(places[row, 0]), float(places[row, 1])
            self._put(cells, (x, y), "●", f"{_STYLES[int(row >= first)]} on grey15")
        for line in cells:
            yield Text.assemble(*line)
