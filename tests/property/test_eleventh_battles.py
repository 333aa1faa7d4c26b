"""Whole battles of the 11th edition at random: what every decision promises, and what copies and records must keep."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from battlewright.core import roster
from battlewright.core.answers import AttackDeclaration, Declare, ModelMove, Pick, Place
from battlewright.core.decisions import (
    Answer,
    Decision,
    answer_from_json,
    answer_to_json,
    format_answer,
    parse_answer,
)
from battlewright.core.errors import IllegalChoice
from battlewright.core.state import plain
from battlewright.start import Battle, replay
from support.eleventh import attached, unit, weapon

BOLTER = weapon("Bolter", "RAPID FIRE 1", A=2)
FIST = weapon("Fist", melee=True, A=2, S=6, D=2)
LANCE = weapon("Lance", A=1, S=12, AP=-3, D="D6+1", R='48"')
PLASMA = weapon("Plasma", "HAZARDOUS", A=1, S=8, AP=-3, D=2)


def army(letter: str) -> roster.Army:
    captain = unit(1, "CHARACTER", "INFANTRY", weapons=(PLASMA, FIST), W=4, name="Captain")
    specs = [
        unit(5, "INFANTRY", "GRENADES", "SMOKE", weapons=(BOLTER, FIST), W=2, name="Squad"),
        attached(unit(3, weapons=(BOLTER, PLASMA, FIST), W=2, name="Veterans"), captain),
        unit(1, "VEHICLE", base="100x60mm", weapons=(LANCE, LANCE, FIST), W=10, T=9, abilities=("Deadly Demise 1",)),
        unit(5, weapons=(FIST,), M='10"', name="Runners"),
    ]
    units = tuple(roster.Unit(f"{letter}.{n}", s.name, s.components, s.models) for n, s in enumerate(specs, 1))
    return roster.Army(letter, "11", "", units)


def begin(seed: int) -> Battle:
    layout = ("battlefield_dominance_a", "open_table")[seed % 2]
    options = {"offer_command_re_roll": ("important", "all", "never")[seed % 3]}
    return Battle.start((army("a"), army("b")), seed=seed, layout=layout, options=options)


def odd_answer(models: int, rng: random.Random) -> Answer:
    """Answers of the right make that hardly ever make sense."""

    def place() -> int:
        return rng.choice([0, 1, -1, 10**9, -(10**9), 2**31 - 1, -(2**31) % 10**9, rng.randrange(-5000, 70_000)])

    def row() -> int:
        return rng.choice([0, models - 1, models, 10**9, rng.randrange(models)])

    def attack() -> AttackDeclaration:
        target = rng.choice(["a.1", "b.1", "b.2", "b.9", "", "x"])
        weapon_and_profile = rng.choice([0, 1, 9, 10**9]), rng.choice([0, 7])
        return AttackDeclaration(row(), *weapon_and_profile, target, rng.choice([None, 1, 99]))

    match rng.randrange(3):
        case 0:
            return Pick(rng.choice(["", "x", "end", "pass", "a.1", "b.1", "model:0", "model:99", "attacker", " "]))
        case 1:
            points = [[(place(), place(), place(), place()) for _ in range(rng.randrange(4))] for _ in range(3)]
            return Place(tuple(ModelMove(row(), tuple(path)) for path in points[: rng.randrange(4)]))
        case _:
            return Declare(tuple(attack() for _ in range(rng.randrange(4))))


def whole(battle: Battle) -> tuple[Any, ...]:
    return battle.checksum(), len(battle.record), repr(battle.decision), [repr(event) for event in battle.events]


def hold_the_promises(battle: Battle, decision: Decision, rng: random.Random) -> None:
    """Options and default are legal, everything can be written down, and refusing changes nothing."""
    before = whole(battle)
    json.dumps(decision.to_json())
    assert battle.stack_is_resumable() or not decision.is_checkpoint, list(battle.stack())
    for answer in (decision.default(), *(Pick(option.key) for option in decision.options())):
        assert battle.check(answer) == []
        assert answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) == answer
        assert parse_answer(format_answer(answer)) == answer
    for _ in range(3):
        odd = odd_answer(len(battle.scene.models), rng)
        violations = battle.check(odd)
        assert all(violation.rule and violation.text for violation in violations)
        if violations:
            with pytest.raises(IllegalChoice):
                battle.answer(odd)
        else:
            battle.answer(odd)
            battle.undo()
    assert whole(battle) == before


def hold_copies_together(battle: Battle, seed: int) -> None:
    """A copy and a copy of a copy go the same way, well past the next checkpoint, and the battle stays where it is."""
    before = whole(battle)
    one, other = battle.fork(), battle.fork().fork()
    assert one.checksum() == other.checksum() == battle.checksum()
    first, second = random.Random(seed), random.Random(seed)
    for _ in range(10):
        if one.decision is None or other.decision is None:
            break
        one.answer(one.decision.sample(first))
        other.answer(other.decision.sample(second))
        assert one.checksum() == other.checksum()
    assert whole(battle) == before


@pytest.mark.parametrize("seed", range(4))
def test_random_battles_keep_every_promise_and_replay(seed: int) -> None:
    battle, rng = begin(seed), random.Random(seed)
    while battle.decision is not None:
        decision = battle.decision
        hold_the_promises(battle, decision, rng)
        if battle.number == 1 or rng.random() < 0.15:
            hold_copies_together(battle, seed)
        answer = decision.sample(rng)
        assert battle.check(answer) == []
        battle.answer(answer)
        plain(battle.state)
        assert len(battle.record) < 2000
    json.dumps([event.to_json() for event in battle.events])
    assert battle.result is not None
    again = replay(battle.header, battle.record)
    assert whole(again) == whole(battle)
    for _ in range(len(battle.record)):
        battle.undo()
    assert whole(battle) == whole(begin(seed))


def test_a_model_that_nobody_has_is_refused_by_every_space() -> None:
    battle, rng, kinds = begin(1), random.Random(1), set()
    while battle.decision is not None:
        decision = battle.decision
        if not decision.options():
            kinds.add(decision.kind)
            for path in ((), ((1, 1, 0, 0),), ((1, 1, 0, 0), (2, 2, 0, 0))):
                assert battle.check(Place((ModelMove(10**6, path),)))
            assert battle.check(Declare((AttackDeclaration(10**6, 0, 0, "b.1"),)))
        battle.answer(decision.sample(rng))
    assert len(kinds) > 2
