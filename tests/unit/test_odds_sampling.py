"""Questions that are sampled: because that is asked for, or because they are too large."""

from __future__ import annotations

import json

import pytest

from battlewright import odds
from battlewright.core.errors import BadInput
from battlewright.editions.edition import find_edition
from battlewright.odds.sampling import MOST_STATES, TRIALS, is_too_large, operations, states
from support.commands import Run, assert_bad_input

ASKED = ("A20 BS3+ S5 AP-1 D2 [DEVASTATING WOUNDS]", "T4 Sv3+ W3 x5 FNP6+")
HUGE = ("A400 BS3+ S5 AP-2 DD6 [LETHAL HITS, DEVASTATING WOUNDS]", "T4 Sv3+ W20 x300")


def volleys(attack: str, target: str) -> tuple[object, ...]:
    return find_edition("11").questions().volleys(attack, target)[0]


def test_a_sample_comes_near_the_exact_odds_and_says_how_near() -> None:
    exact, sampled = odds.volley(*ASKED), odds.volley(*ASKED, sample=40_000, seed=3)
    assert (exact.odds.trials, sampled.odds.trials) == (0, 40_000)
    assert exact.errors == {}
    for name, error in sampled.errors.items():
        assert 0 < error < 0.02
        assert abs(getattr(sampled, name) - getattr(exact, name)) < 5 * error
    again = odds.volley(*ASKED, sample=40_000, seed=3)
    assert [*again.damage] == [*sampled.damage]
    assert [*odds.volley(*ASKED, sample=40_000, seed=4).damage] != [*sampled.damage]


def test_what_is_too_large_is_sampled_unasked_and_the_best_choice_is_still_found() -> None:
    assert is_too_large(volleys(*HUGE))  # type: ignore[arg-type]
    answer = odds.volley(*HUGE)
    assert answer.odds.trials == TRIALS
    assert answer.asked_trials == 0
    (choice,) = answer.odds.choices.values()
    taken, declined = (odds.volley(*HUGE, lethal=way, sample=20_000).mean_damage for way in ("take", "decline"))
    assert choice == ("take" if taken > declined else "decline")


@pytest.mark.parametrize(
    ("target", "count"),
    [("T4 Sv3+ W3 x5", 16), ("T4 Sv3+ W2 x4 + T4 Sv2+ W4 {CHARACTER}", 13), ("T4 Sv3+ W9 x300", 2701)],
)
def test_states_are_counted_by_wounds(target: str, count: int) -> None:
    found = volleys("A4 BS3+ S4 AP0 D1", target)
    assert states(found) == count  # type: ignore[arg-type]
    assert is_too_large(found) is (count > MOST_STATES)  # type: ignore[arg-type]


def test_more_dice_are_more_work_and_ordinary_questions_are_exact() -> None:
    small, large = (volleys(f"A{n} BS3+ S4 AP0 D1", ASKED[1]) for n in (10, 100))
    assert operations(small) < operations(large) < 1e6  # type: ignore[arg-type]
    three = "T4 Sv3+ W2 x10 FNP6+ + T4 Sv4+ W2 x5 + T4 Sv2+ W4 FNP6+ {CHARACTER}"
    assert not is_too_large(volleys("A120 BS3+ S5 AP-2 DD3 [DEVASTATING WOUNDS, SUSTAINED HITS 1]", three))  # type: ignore[arg-type]


def test_the_command_says_that_and_why_it_sampled(run: Run) -> None:
    ran = run("odds", "--attack", ASKED[0], "--target", ASKED[1], "--sample", "5000", "--seed", "1", "--json")
    told = json.loads(ran.out)
    assert told["trials"] == 5000
    assert set(told["errors"]) == {"mean_damage", "mean_slain", "p_destroyed"}
    asked = run("odds", "--attack", ASKED[0], "--target", ASKED[1], "--sample", "5000")
    assert "5000 trials; standard errors" in asked.err
    assert "too large" not in asked.err
    assert "too large for exact odds" in run("odds", "--attack", HUGE[0], "--target", HUGE[1]).err


def test_bounds(run: Run) -> None:
    with pytest.raises(BadInput, match="trials are out of bounds"):
        odds.volley(*ASKED, sample=0)
    assert_bad_input(run("odds", "--attack", ASKED[0], "--target", ASKED[1], "--sample", "3000000"))
    assert_bad_input(run("odds", "--attack", ASKED[0], "--target", ASKED[1], "--sample", "10", "--seed", "-1"))
