"""Laws of the core: what is printed reads back, and a battle is its header and its answers, however it is walked."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from battlewright.core.answers import fault_of
from battlewright.core.battle import Battle
from battlewright.core.decisions import (
    Answer,
    AttackDeclaration,
    Declare,
    ModelMove,
    Pick,
    Place,
    answer_from_json,
    answer_to_json,
    format_answer,
    parse_answer,
)
from battlewright.core.dice import DiceExpression, SeededDice, parse_dice
from battlewright.core.errors import BadInput, BattlewrightError, DiceSyntaxError, EngineError
from battlewright.core.record import Recorder, read_record
from battlewright.core.state import plain
from support.race import RaceState, finish, start

RaceBattle = Battle[None, RaceState]
EXAMPLES = settings(deadline=None, derandomize=True, max_examples=150)

lengths = st.integers(-(10**9), 10**9)
numbers = st.integers(0, 10**8)
keys = st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda text: text == text.strip())
ids = st.from_regex(r"[ab]\.[0-9]{1,3}", fullmatch=True)
moves = st.builds(ModelMove, numbers, st.lists(st.tuples(lengths, lengths, lengths, lengths), max_size=4).map(tuple))
attacks = st.builds(AttackDeclaration, numbers, numbers, numbers, ids, st.none() | st.integers(1, 10**8))
answers: st.SearchStrategy[Answer] = st.one_of(
    st.builds(Pick, keys),
    st.builds(Place, st.lists(moves, max_size=5).map(tuple)),
    st.builds(Declare, st.lists(attacks, max_size=5).map(tuple)),
)
_NAMES = ["kind", "option", "moves", "model", "path", "attacks", "weapon", "profile", "target", "count"]
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=5),
    max_leaves=12,
)


@EXAMPLES
@given(answers)
def test_answers_read_back_from_json_and_from_text(answer: Answer) -> None:
    assert answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) == answer
    assert parse_answer(format_answer(answer)) == answer
    assert fault_of(answer) == ""


@EXAMPLES
@given(anything, st.sampled_from(["pick", "place", "declare", "x"]))
def test_any_json_is_an_answer_that_reads_back_or_bad_input(data: Any, kind: str) -> None:
    for value in (data, {**data, "kind": kind} if isinstance(data, dict) else data):
        try:
            answer = answer_from_json(value)
        except BadInput:
            continue
        assert answer_from_json(answer_to_json(answer)) == answer
        assert fault_of(answer) == ""


@EXAMPLES
@given(st.text(max_size=30) | st.from_regex(r"(place|declare|pick) [-0-9.,:>/@*ab ]{0,30}", fullmatch=True))
def test_any_text_is_an_answer_that_reads_back_or_bad_input(text: str) -> None:
    try:
        answer = parse_answer(text)
    except BadInput:
        return
    assert parse_answer(format_answer(answer)) == answer


@EXAMPLES
@given(st.integers(0, 1000), st.sampled_from([2, 3, 6]), st.integers(-1000, 1000))
def test_dice_expressions_read_back(count: int, sides: int, bonus: int) -> None:
    expression = DiceExpression(count, sides if count else 0, bonus)
    assert parse_dice(str(expression)) == expression
    assert expression.minimum <= expression.mean <= expression.maximum


@EXAMPLES
@given(st.text(st.sampled_from("0123456789dD+- 36"), max_size=9))
def test_any_text_is_an_expression_that_reads_back_or_refused(text: str) -> None:
    try:
        expression = parse_dice(text)
    except DiceSyntaxError:
        return
    assert parse_dice(str(expression)) == expression


@settings(EXAMPLES, max_examples=40)
@given(st.integers(1, 12), st.sampled_from([2, 3, 6]), st.integers(-9, 9))
def test_weights_count_all_throws_and_lie_evenly(count: int, sides: int, bonus: int) -> None:
    expression = DiceExpression(count, sides, bonus)
    weights = expression.weights()
    assert sum(weights.values()) == sides**count
    assert list(weights) == list(range(expression.minimum, expression.maximum + 1))
    assert list(weights.values()) == list(weights.values())[::-1]


@settings(EXAMPLES, max_examples=40)
@given(st.integers(0, 2**256 - 1), st.lists(st.integers(0, 400), min_size=1, max_size=8))
def test_a_stream_is_the_same_in_whatever_pieces_it_is_thrown(seed: int, pieces: list[int]) -> None:
    dice, faces, place = SeededDice(seed), [], 0
    for count in pieces:
        thrown, place = dice.throw(place, count, 6, "x")
        faces += thrown
    assert tuple(faces) == SeededDice(seed).throw(0, sum(pieces), 6, "y")[0]
    assert set(faces) <= set(range(1, 7))


# -- walks through battles ---------------------------------------------------------------------------------------


def whole(battle: RaceBattle) -> tuple[Any, ...]:
    """Everything that a refused answer or a copy that is played must leave as it was."""
    return battle.checksum(), plain(battle.state), tuple(battle.events), tuple(battle.record), repr(battle.decision)


def step_answer(battle: RaceBattle, rng: random.Random) -> None:
    if battle.decision is not None:
        battle.answer(battle.decision.sample(rng), number=battle.number)


def step_undo(battle: RaceBattle, rng: random.Random) -> None:
    if battle.record:
        battle.undo()


def step_refused(battle: RaceBattle, rng: random.Random) -> None:
    before = whole(battle)
    for wrong in (Pick("nonsense"), Place(()), Declare(()), None):
        try:
            battle.answer(wrong)  # type: ignore[arg-type]
        except BattlewrightError:
            continue
        raise AssertionError(f"{wrong} was taken")
    assert whole(battle) == before


def step_fault(battle: RaceBattle, rng: random.Random) -> None:
    """The rule for throwing fails, whichever sum it sees."""
    if battle.decision is None or not battle.decision.is_checkpoint:
        return
    before = whole(battle)
    for total in range(1, 19):
        battle.rules.fault = total  # type: ignore[attr-defined]
        try:
            battle.answer("3")
        except EngineError:
            break
        battle.undo()
    battle.rules.fault = None  # type: ignore[attr-defined]
    assert whole(battle) == before


def step_copy(battle: RaceBattle, rng: random.Random) -> None:
    before, seed = whole(battle), rng.randrange(1000)
    one, other = battle.fork(), battle.fork().fork()
    assert one.checksum() == other.checksum() == before[0]
    assert one.record == other.record == battle.record
    assert finish(one, seed) == finish(other, seed)
    assert one.result == other.result
    assert one.events == other.events
    assert whole(battle) == before


def step_reseeded_copy(battle: RaceBattle, rng: random.Random) -> None:
    before, seed, luck = whole(battle), rng.randrange(1000), rng.randrange(1000)
    one, other = battle.fork(reseed=luck), battle.fork(reseed=luck)
    if one.decision is not None:
        assert one.number == battle.number
        step_answer(one, random.Random(seed))
        step_answer(other, random.Random(seed))
        other = other.fork()
    assert finish(one, seed) == finish(other, seed)
    assert whole(battle) == before


STEPS: list[Callable[[RaceBattle, random.Random], None]] = [
    step_answer,
    step_undo,
    step_refused,
    step_fault,
    step_copy,
    step_reseeded_copy,
]


@settings(EXAMPLES, max_examples=60)
@given(
    st.integers(0, 2**64),
    st.integers(0, 2**32),
    st.lists(st.sampled_from([step_answer] * 6 + STEPS), min_size=5, max_size=30),
)
def test_however_a_battle_is_walked_it_stays_its_header_and_its_answers(
    seed: int, draws: int, steps: list[Callable[[RaceBattle, random.Random], None]]
) -> None:
    battle, rng = start(seed=seed), random.Random(draws)
    for step in steps:
        step(battle, rng)
        if battle.decision is not None and battle.decision.is_checkpoint:
            assert battle.stack_is_resumable()
    again = start(seed=seed)
    again.replay(battle.record)
    assert whole(again) == whole(battle)
    assert again.result == battle.result


@settings(EXAMPLES, max_examples=20)
@given(st.integers(0, 2**64), st.integers(0, 2**32), st.lists(st.booleans(), max_size=40))
def test_a_file_follows_answers_and_undoing(tmp_path_factory: Any, seed: int, draws: int, forward: list[bool]) -> None:
    battle, rng = start(seed=seed), random.Random(draws)
    path: Path = tmp_path_factory.mktemp("saved") / "a.battle"
    recorder = Recorder(path, battle.header)
    for onward in forward:
        if onward and battle.decision is not None:
            battle.answer(battle.decision.sample(rng))
            recorder.append(battle.record[-1])
        elif battle.record:
            battle.undo()
            recorder.take_back()
        assert read_record(path) == (battle.header, battle.record)
    recorder.close()
