"""A battle as a row of moments, each holding what changed since the one before.

Works for every edition: what stands on the table, wounds, points, round and phase are in every state, the rest is
in the events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from battlewright.core.battle import Battle
from battlewright.core.decisions import Decision, Pick, Side
from battlewright.core.events import Event
from battlewright.core.header import Header

__all__ = ["Film", "Moment"]


@dataclass(frozen=True, slots=True)
class Moment:
    """The battle after an answer; the first is the battle before any.

    Attributes:
        number: answers given so far.
        side: who gave the last one; None before the first.
        choice: what was chosen, in words.
        changed: for each model that moved, lost wounds, came or went: row, x, y, z, facing (thousandths of an inch
            and of a degree), wounds, and 1 if it stands on the table.
        events: what has happened since the moment before.
    """

    number: int
    side: Side | None
    choice: str
    round: int
    turn: Side
    phase: str
    vp: tuple[int, int]
    changed: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]


class Film:
    """Watches a battle from its start: show it the battle before the first answer and after each.

    Attributes:
        header: of the battle that was watched; None before it was.
        moments: what was seen.
    """

    def __init__(self) -> None:
        self.header: Header | None = None
        self.moments: list[Moment] = []
        self._decision: Decision | None = None
        self._models = np.zeros((0, 6), np.int64)
        self._told = 0

    def __call__(self, battle: Battle[Any, Any]) -> None:
        """Look at the battle as it stands now."""
        state = battle.state
        now = np.column_stack((state.position, state.wounds, state.on_table)).astype(np.int64)
        if self.header is None:
            self.header, self._models = battle.header, np.full_like(now, -1)
        rows = np.flatnonzero((now != self._models).any(axis=1))
        last = battle.record[-1] if battle.record else None
        self.moments.append(
            Moment(
                len(battle.record),
                last.side if last else None,
                _in_words(self._decision, last.answer) if last and self._decision else "",
                state.round,
                state.turn,
                str(state.phase),
                state.vp,
                tuple((int(row), *map(int, now[row])) for row in rows),
                tuple(battle.events[self._told :]),
            )
        )
        self._models, self._told, self._decision = now, len(battle.events), battle.decision


def _in_words(decision: Decision, answer: object) -> str:
    """The question, and the label of the option that was picked."""
    if not isinstance(answer, Pick):
        return decision.prompt
    labels = {option.key: option.label for option in decision.options()}
    return f"{decision.prompt}: {labels.get(answer.option, answer.option)}"
