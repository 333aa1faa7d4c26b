"""Whole battles for tests: played by any players, with everything that must always hold checked after each answer."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from battlewright.core.battle import Battle
from battlewright.core.header import recorded_checksum
from battlewright.core.rulebook import is_known
from battlewright.core.state import State, plain
from battlewright.players import Player

__all__ = ["MOST_DECISIONS", "Invariants", "check_forks", "check_replay", "play"]

MOST_DECISIONS = 8000
"""No battle asks for more; one that does has lost its way."""

Invariants = Callable[[Battle[Any, Any], State], None]
"""What must hold after an answer: (battle, the state before it)."""


def play(battle: Battle[Any, Any], players: Sequence[Player], invariants: Invariants | None = None) -> Battle[Any, Any]:
    """Play to the end, or fail with the number of the answer after which something did not hold."""
    seen = 0
    while battle.decision is not None:
        side = battle.decision.side
        before = battle.state.copy()
        asked = repr(battle.decision)
        battle.answer(players[side].decide(battle.seat(side)))
        assert len(battle.record) <= MOST_DECISIONS, f"more than {MOST_DECISIONS} decisions, now {battle.decision!r}"
        try:
            plain(battle.state)
            for event in battle.events[seen:]:
                json.dumps(event.to_json())
                assert event.rules, f"{event.kind} cites no rule: {event!r}"
                for rule_id in event.rules:
                    assert is_known(rule_id), f"{event.kind} cites {rule_id}, which the rulebook does not hold"
            seen = len(battle.events)
            if invariants is not None:
                invariants(battle, before)
        except AssertionError as error:
            last = battle.record[-1]
            raise AssertionError(
                f"after answer {len(battle.record)} ({last.answer!r} to {asked}), seed {battle.header.seed}: {error}"
            ) from error
    assert battle.result is not None
    return battle


def check_replay(battle: Battle[Any, Any], again: Battle[Any, Any]) -> None:
    """A second battle from the same header, given the same answers, has every checksum in common."""
    again.replay(battle.record)
    assert again.decision is None
    assert again.checksum() == battle.checksum()
    assert [event.to_json() for event in again.events] == [event.to_json() for event in battle.events]


def check_forks(battle: Battle[Any, Any], again: Battle[Any, Any], *, to_the_end: int = 20, every: int = 1) -> None:
    """Walk the record in ``again``; fork at every decision and follow the copy past the next checkpoint.

    At ``to_the_end`` decisions, drawn by the battle's seed, copies are followed to the end. Checkpoints are checked
    for what is suspended at them.
    """
    answers = [recorded.answer for recorded in battle.record]
    rng = random.Random(battle.header.seed)
    whole = set(rng.sample(range(len(answers)), min(to_the_end, len(answers))))
    for number, recorded in enumerate(battle.record):
        assert again.decision is not None
        if again.decision.is_checkpoint:
            assert again.stack_is_resumable(), f"{again.decision!r}: {list(again.stack())}"
        if number % every == 0 or number in whole:
            copy = again.fork()
            assert repr(copy.decision) == repr(again.decision)
            _follow(copy, battle, number, to_end=number in whole)
        again.answer(recorded.answer)


def _follow(copy: Battle[Any, Any], battle: Battle[Any, Any], number: int, *, to_end: bool) -> None:
    for recorded in battle.record[number:]:
        copy.answer(recorded.answer)
        assert recorded_checksum(recorded.answer, copy.state) == recorded.checksum, (
            f"a copy made at answer {number + 1} goes another way"
        )
        if not to_end and copy.decision is not None and copy.decision.is_checkpoint:
            return
