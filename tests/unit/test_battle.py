"""The battle's machinery, on a game small enough to be held in one's head.

Two sides take turns. Each turn its side picks how many dice to throw (a checkpoint), then whether to keep the sum
(between checkpoints). After three rounds the higher score wins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from battlewright.core.battle import Battle, Header, Procedure, Result, choose, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, Pick, Side, opponent
from battlewright.core.dice import ScriptedDice
from battlewright.core.errors import EngineError, IllegalChoice, ReplayMismatch, SaveError, ScriptError, StaleAnswer
from battlewright.core.record import Recorder, read_record
from battlewright.core.roster import Army
from battlewright.core.state import State, checksum, plain, stateful

RULE = "test.race"


@stateful
@dataclass(slots=True)
class RaceState(State):
    held: int = 0


def ask(side: Side, kind: str, keys: list[str], *, checkpoint: bool = False) -> Decision:
    options = Options([Option(key, key, key) for key in keys], rule=RULE)
    return Decision(side, kind, kind, RULE, options, is_checkpoint=checkpoint)


class Race:
    id = "race"
    fault: int | None = None
    """The sum of dice at which its rule for throwing fails."""

    def set_up(self, header: Header) -> tuple[None, RaceState]:
        none = np.zeros((0, 4), np.int32)
        return None, RaceState(none, np.zeros(0, np.int16), np.zeros(0, np.bool_), [])

    @resumable
    def resume(self, battle: Battle[None, RaceState]) -> Procedure[None]:
        state = battle.state
        while state.round < 3:
            yield from self.turn(battle)
            state.turn = opponent(state.turn)
            if state.turn == SIDES[0]:
                state.round += 1

    @resumable
    def turn(self, battle: Battle[None, RaceState]) -> Procedure[None]:
        picked = yield from choose(ask(battle.state.turn, "how-many", ["1", "2", "3"], checkpoint=True))
        yield from throw(battle, int(picked))

    def result(self, battle: Battle[None, RaceState]) -> Result:
        a, b = battle.state.vp
        return Result(None if a == b else SIDES[a < b], battle.state.vp, battle.state.round)

    def visible_state(self, scene: None, state: RaceState, side: Side | None) -> RaceState:
        return state.copy()


def throw(battle: Battle[None, RaceState], count: int) -> Procedure[None]:
    state, side = battle.state, battle.state.turn
    roll = battle.rolled(battle.roll(count, 6, "race"), side, RULE)
    if roll.total == battle.rules.fault:  # type: ignore[attr-defined]
        raise ZeroDivisionError("thirteen")
    if (yield from choose(ask(side, "keep", ["keep", "again", "pass"]))) == "again":
        roll = battle.rolled(battle.roll(count, 6, "race"), side, RULE)
        yield from choose(ask(opponent(side), "nod", ["nod"]))
    state.vp = (state.vp[0] + roll.total, state.vp[1]) if side == 0 else (state.vp[0], state.vp[1] + roll.total)


def start(seed: int = 1, **kwargs: object) -> Battle[None, RaceState]:
    army = Army("x", "race", "x", ())
    return Battle(Header("race", (army, army), "race", {}, seed=seed), Race(), **kwargs)  # type: ignore[arg-type]


def play(battle: Battle[None, RaceState], rng: random.Random) -> Iterator[None]:
    while battle.decision:
        yield
        battle.answer(battle.decision.sample(rng))


def finish(battle: Battle[None, RaceState], seed: int) -> str:
    for _ in play(battle, random.Random(seed)):
        pass
    return battle.checksum()


def test_a_battle_repeats_by_seed() -> None:
    ends = {finish(start(seed=5), 0) for _ in range(2)}
    assert len(ends) == 1


def test_a_copy_made_at_any_decision_goes_on_alike() -> None:
    battle = start(seed=3)
    for turn, _ in enumerate(play(battle, random.Random(0))):
        if battle.decision is not None and battle.decision.is_checkpoint:
            assert battle.stack_is_resumable(), list(battle.stack())
        copy, copy_of_copy = battle.fork(), battle.fork().fork()
        before = battle.checksum()
        assert copy.checksum() == copy_of_copy.checksum() == before
        assert finish(copy, turn) == finish(copy_of_copy, turn)
        assert battle.checksum() == before


def test_a_reseeded_copy_has_dice_of_its_own_and_can_be_copied_again() -> None:
    for answers in ([], ["3"]):
        battle = start(seed=3)
        for answer in answers:
            battle.answer(answer)
        copy = battle.fork(reseed=99)
        twin = copy.fork()
        assert copy.checksum() == twin.checksum()
        assert finish(copy, 7) == finish(twin, 7) != finish(battle, 7)


def test_undo_walks_back_through_every_decision() -> None:
    battle = start(seed=8)
    marks = [(battle.checksum(), len(battle.events), repr(battle.decision)) for _ in play(battle, random.Random(2))]
    for mark in reversed(marks):
        battle.undo()
        assert (battle.checksum(), len(battle.events), repr(battle.decision)) == mark


def test_a_refused_answer_changes_nothing() -> None:
    battle = start()
    before = battle.checksum(), len(battle.events)
    with pytest.raises(IllegalChoice) as caught:
        battle.answer("4")
    assert caught.value.violations[0].rule == RULE
    with pytest.raises(StaleAnswer):
        battle.answer("1", number=7)
    assert (battle.checksum(), len(battle.events)) == before


def test_an_engine_fault_leaves_the_battle_as_it_was() -> None:
    battle = start(dice=ScriptedDice([{"purpose": "race", "faces": [6, 6, 1]}]))
    battle.rules.fault = 13  # type: ignore[attr-defined]
    with pytest.raises(EngineError):
        battle.answer("3")
    assert repr(battle.decision) == repr(start().decision)
    assert battle.state.dice == 0
    assert battle.events == []


def test_replay_follows_the_record_and_names_the_first_difference() -> None:
    battle = start(seed=4)
    finish(battle, 1)
    again = start(seed=4)
    again.replay(battle.record)
    assert again.checksum() == battle.checksum()
    altered = list(battle.record)
    number = next(i for i, item in enumerate(altered) if item.answer == Pick("1"))
    altered[number] = type(altered[number])(altered[number].side, Pick("2"), altered[number].checksum)
    with pytest.raises(ReplayMismatch) as caught:
        start(seed=4).replay(altered)
    assert caught.value.number == number + 1


def test_a_script_must_be_used_up() -> None:
    dice = ScriptedDice([{"purpose": "race", "faces": [2]}])
    battle = start(dice=dice)
    battle.answer("1")
    battle.answer("keep")
    dice.finish(battle.state.dice)
    with pytest.raises(ScriptError):
        battle.answer("1")
    with pytest.raises(ScriptError):
        dice.finish(0)


def test_a_record_is_read_back_and_a_torn_last_line_is_passed_over(tmp_path: Path) -> None:
    battle = start(seed=4)
    path = tmp_path / "a.battle"
    recorder = Recorder(path, battle.header)
    finish(battle, 1)
    for recorded in battle.record:
        recorder.append(recorded)
    recorder.close()
    header, records = read_record(path)
    assert (header, records) == (battle.header, battle.record)
    path.write_text(path.read_text()[:-5])
    assert read_record(path)[1] == battle.record[:-1]
    path.write_text("")
    with pytest.raises(SaveError, match="empty"):
        read_record(path)


def test_a_checksum_refuses_floats_and_numpy_scalars() -> None:
    state = start().state
    for wrong in (np.int64(3), 0.5):
        state.held = wrong  # type: ignore[assignment]
        with pytest.raises(TypeError):
            plain(state)
    state.held = 0
    assert checksum(state) == checksum(state.copy())
