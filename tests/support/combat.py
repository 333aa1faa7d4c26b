"""Running procedures of the 11th edition by hand on a battle that waits, for what no decision leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from battlewright.core.battle import Procedure
from battlewright.core.decisions import Answer, AttackDeclaration, Decision, Declare, Pick
from battlewright.core.events import Event
from battlewright.editions.eleventh.attacking import AttackKind, DeclareSpace, resolve_attacks
from battlewright.editions.eleventh.events import StageResolved
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


def aim(
    target: str, *models: int, weapon: int = 0, profile: int = 0, count: int | None = None
) -> tuple[AttackDeclaration, ...]:
    """The same use of a weapon by each of these models (rows), aimed at a unit by its printed id."""
    return tuple(AttackDeclaration(model, weapon, profile, target, count) for model in models)


def declare(*uses: tuple[AttackDeclaration, ...]) -> Declare:
    """A declaration of these uses, in this order."""
    return Declare(tuple(attack for use in uses for attack in use))


def broken(battle: Battle11, kind: AttackKind, *uses: tuple[AttackDeclaration, ...], unit: str = "a.1") -> set[str]:
    """Ids of the rules that the unit's declaration would break."""
    space = DeclareSpace(battle, battle.scene.by_id[unit], kind)
    return {violation.rule for violation in space.check(declare(*uses))}


def attack(
    battle: Battle11,
    *uses: tuple[AttackDeclaration, ...],
    kind: AttackKind = AttackKind.NORMAL,
    unit: str = "a.1",
    answers: Sequence[Answer | str] = (),
) -> bool:
    """Let the unit make these attacks, with these answers; fails when the script has dice left."""
    index = battle.scene.by_id[unit]
    declaration = declare(*uses)
    violations = DeclareSpace(battle, index, kind).check(declaration)
    assert violations == [], f"refused: {[str(each) for each in violations]}"
    made = run(resolve_attacks(battle, index, declaration, kind), *answers)
    no_dice_left(battle)
    return made


def stages(battle: Battle11, name: str) -> list[StageResolved]:
    """What was thrown at a stage of the attacks so far."""
    return [event for event in events_of(battle, StageResolved) if event.stage == name]
