"""Running procedures of the 11th edition by hand on a battle that waits, for what no decision leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from battlewright.core.battle import Procedure
from battlewright.core.decisions import Answer, Decision, Pick
from battlewright.core.events import Event
from battlewright.editions.eleventh.scene import Battle11

T = TypeVar("T")
EventT = TypeVar("EventT", bound=Event)


def run(procedure: Procedure[T], *answers: Answer | str) -> T:
    """Drive a procedure with these answers, in turn; the legal default once they are used up.

    A plain text picks the option of that key. Fails when an answer is refused or left over.
    """
    return run_asking(procedure, *answers)[0]


def run_asking(procedure: Procedure[T], *answers: Answer | str) -> tuple[T, list[Decision]]:
    """As :func:`run`, with the decisions that came up."""
    waiting: Sequence[Answer | str] = list(answers)
    asked: list[Decision] = []
    answer: Any = None
    while True:
        try:
            decision = next(procedure) if answer is None else procedure.send(answer)
        except StopIteration as stop:
            assert not waiting, f"answers left over: {waiting}"
            return stop.value, asked
        asked.append(decision)
        if waiting:
            given, waiting = waiting[0], waiting[1:]
            answer = Pick(given) if isinstance(given, str) else given
        else:
            answer = decision.default()
        assert decision.check(answer) == [], f"{decision!r} refuses {answer}"


def events_of(battle: Battle11, kind: type[EventT]) -> list[EventT]:
    """The events of one kind, in order."""
    return [event for event in battle.events if isinstance(event, kind)]


def no_dice_left(battle: Battle11) -> None:
    """Fail when the battle's script has dice left."""
    battle.dice.finish(battle.state.dice)


def wounds(battle: Battle11, unit: str) -> list[int]:
    """Wounds left of each model of a unit, by its printed id."""
    index = battle.scene.by_id[unit]
    return [int(battle.state.wounds[row]) for row in battle.state.units[index].models]
