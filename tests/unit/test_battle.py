"""The battle's machinery, on a game small enough to be held in one's head."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from battlewright.core.battle import Battle, Procedure, choose, resumable
from battlewright.core.decisions import SIDES, Pick, Place
from battlewright.core.dice import ScriptedDice, SeededDice
from battlewright.core.errors import (
    BattlewrightError,
    EngineError,
    IllegalChoice,
    ReplayMismatch,
    ScriptError,
    StaleAnswer,
)
from support.race import RULE, Race, RaceState, ask, finish, play, start


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


def test_a_copy_made_at_the_end_is_the_same_end() -> None:
    battle = start(seed=5)
    finish(battle, 3)
    copy = battle.fork()
    assert copy.decision is None
    assert (copy.checksum(), copy.result) == (battle.checksum(), battle.result)
    with pytest.raises(BattlewrightError, match="ended"):
        copy.answer("1")
    battle.undo()
    assert battle.result is None
    assert battle.decision is not None


def test_a_battle_goes_on_after_undo_as_if_it_had_not_been_answered() -> None:
    battle, other = start(seed=6), start(seed=6)
    for answer in ("2", "again", "nod", "3"):
        battle.answer(answer)
    for _ in range(3):
        battle.undo()
    other.answer("2")
    assert finish(battle, 9) == finish(other, 9)
    assert battle.record == other.record
    assert battle.events == other.events


def test_a_copy_does_not_go_back_beyond_its_making() -> None:
    battle = start(seed=3)
    battle.answer("2")
    copy = battle.fork(reseed=1)
    copy.answer("again")
    copy.undo()
    before = copy.checksum(), copy.events, repr(copy.decision), copy.dice
    with pytest.raises(BattlewrightError, match="beyond"):
        copy.undo()
    assert (copy.checksum(), copy.events, repr(copy.decision), copy.dice) == before
    with pytest.raises(BattlewrightError, match="nothing"):
        start().undo()


def test_undo_in_a_copy_brings_its_events_back_as_they_were() -> None:
    battle = start(seed=3)
    for answer in ("2", "keep", "1"):
        battle.answer(answer)
    copy = battle.fork()
    before = list(copy.events)
    copy.answer("again")
    copy.undo()
    assert copy.events == before == battle.events[1:]


def test_players_and_copies_do_not_see_the_seed() -> None:
    class Telling(Race):
        def set_up(self, header):  # type: ignore[no-untyped-def]
            return header.seed, super().set_up(header)[1]

    battle = Battle(start(seed=3).header, Telling())  # type: ignore[type-var]
    assert battle.header.seed == 3
    assert battle.seat(SIDES[0]).scene == 0
    assert battle.seat(SIDES[0]).fork(9).header.seed == 9


def test_a_seat_shows_a_decision_to_its_side_alone() -> None:
    battle = start()
    mine, theirs = battle.seat(SIDES[0]), battle.seat(SIDES[1])
    assert mine.decision is battle.decision
    assert [option.key for option in mine.options()] == ["1", "2", "3"]
    assert theirs.decision is None
    assert theirs.options() == ()
    assert theirs.check(Pick("7")) == []
    mine.view().vp = (99, 0)
    assert battle.state.vp == (0, 0)


def test_an_engine_fault_between_checkpoints_leaves_record_events_state_and_dice_as_they_were() -> None:
    battle = start(dice=ScriptedDice([{"purpose": "race", "faces": [2]}, {"purpose": "race", "faces": [6]}]))
    battle.answer("1")
    battle.rules.fault = 6  # type: ignore[attr-defined]
    battle.answer("keep")
    before = battle.checksum(), list(battle.events), list(battle.record), battle.state.dice, repr(battle.decision)
    for _ in range(2):
        with pytest.raises(EngineError, match="thirteen"):
            battle.answer("1")
        now = battle.checksum(), battle.events, battle.record, battle.state.dice, repr(battle.decision)
        assert now == before
    battle.undo()
    assert repr(battle.decision) == repr(ask(SIDES[0], "keep", []))


class Careless(Race):
    """A rule that answers "2" by putting a float into the state, "3" by contradicting what was checked."""

    @resumable
    def turn(self, battle: Battle[None, RaceState]) -> Procedure[None]:
        picked = yield from choose(ask(battle.state.turn, "how-many", ["1", "2", "3"], checkpoint=True))
        battle.state.held = object() if picked == "2" else 1  # type: ignore[assignment]
        if picked == "3":
            raise IllegalChoice([])
        yield from choose(ask(battle.state.turn, "go-on", ["yes"]))


@pytest.mark.parametrize("answer", ["2", "3"])
def test_a_fault_in_what_a_rule_leaves_behind_does_not_lose_the_answer_or_count_it(answer: str) -> None:
    battle = Battle(start().header, Careless())
    with pytest.raises(EngineError):
        battle.answer(answer)
    assert battle.record == []
    assert battle.decision is not None
    assert battle.decision.kind == "how-many"
    battle.answer("1")
    assert battle.number == 2


def test_an_interrupt_leaves_the_battle_as_it_was() -> None:
    class Interrupted(ScriptedDice):
        def throw(self, position: int, count: int, sides: int, purpose: str) -> tuple[tuple[int, ...], int]:
            if position == 1:
                raise KeyboardInterrupt
            return super().throw(position, count, sides, purpose)

    battle = start(dice=Interrupted([{"purpose": "race", "faces": [2]}, {"purpose": "race", "faces": [6]}]))
    battle.answer("1")
    with pytest.raises(KeyboardInterrupt):
        battle.answer("again")
    assert battle.decision is not None
    assert battle.decision.kind == "keep"
    battle.answer("keep")
    assert battle.state.vp == (2, 0)


@pytest.mark.parametrize("answer", [None, 1, ["1"], {"kind": "pick"}, Pick(1), Pick(None), Place(()), Place([])])  # type: ignore[arg-type]
def test_what_is_no_answer_is_refused(answer: object) -> None:
    battle = start()
    before = battle.checksum()
    with pytest.raises(IllegalChoice):
        battle.answer(answer)  # type: ignore[arg-type]
    assert battle.checksum() == before
    assert battle.record == []


def test_a_record_altered_in_any_one_place_is_found_out_there() -> None:
    battle = start(seed=4)
    finish(battle, 1)
    last = len(battle.record)
    for number, recorded in enumerate(battle.record):
        other = {"1": "2", "2": "3", "3": "1", "again": "keep"}.get(recorded.answer.option, "again")  # type: ignore[union-attr]
        alterations = [
            replace(recorded, side=SIDES[1 - recorded.side]),
            replace(recorded, checksum="0" * 16),
            replace(recorded, answer=Pick(other)),
            replace(recorded, answer=Pick("nonsense")),
        ]
        for altered in alterations:
            with pytest.raises(ReplayMismatch) as caught:
                start(seed=4).replay([*battle.record[:number], altered, *battle.record[number + 1 :]])
            assert caught.value.number == number + 1
        if number + 1 < last:
            with pytest.raises(ReplayMismatch):
                start(seed=4).replay([*battle.record[:number], *battle.record[number + 1 :]])
        with pytest.raises(ReplayMismatch):
            start(seed=4).replay([*battle.record[: number + 1], *battle.record[number:]])


def test_another_seed_is_found_out_at_the_first_throw() -> None:
    battle = start(seed=4)
    finish(battle, 1)
    with pytest.raises(ReplayMismatch) as caught:
        start(seed=40).replay(battle.record)
    assert caught.value.number <= 2


def test_a_battle_without_its_checkpoints_says_so() -> None:
    battle = start(seed=4, keep=False)
    battle.answer("1")
    battle.undo()
    battle.answer("1")
    battle.answer("keep")
    assert battle.record[-1].checksum == ""
    with pytest.raises(BattlewrightError, match="last checkpoint"):
        battle.undo()


@pytest.mark.parametrize("seed", [-1, 2**256, True, 1.0, "7"])
def test_a_seed_out_of_bounds_is_refused(seed: object) -> None:
    with pytest.raises(BattlewrightError, match="seed"):
        start(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(BattlewrightError, match="seed"):
        start().fork(reseed=seed)  # type: ignore[arg-type]
    assert SeededDice(2**256 - 1).throw(0, 3, 6, "x")[0] == (1, 6, 3)


# -- looking back ---------------------------------------------------------------------------------------------------


def test_a_battle_looks_back_to_any_answer_and_stays_where_it_is() -> None:
    battle, seen = start(seed=3), []
    while battle.decision is not None and len(battle.record) < 30:
        seen.append((battle.checksum(), repr(battle.decision)))
        battle.answer(battle.decision.default())
    here = battle.checksum()
    for thin in (False, True):
        if thin:
            battle.thin_out(recent=2, every=5)
        for number, then in enumerate(seen):
            past = battle.look_back(number)
            assert (past.checksum(), repr(past.decision)) == then
            assert len(past.record) == number
        assert battle.checksum() == here
    while battle.record:
        battle.undo()
        assert (battle.checksum(), repr(battle.decision)) == seen[len(battle.record)]


def test_a_battle_does_not_look_beyond_its_answers() -> None:
    with pytest.raises(BattlewrightError, match="have not been given"):
        start(seed=3).look_back(1)
