"""The answers beside those of other calculators, and why averages alone mislead."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright import odds
from bench.peers import QUESTIONS, Asked, as_crunch, as_icepool, as_warhammer_stats

asks_all = pytest.mark.parametrize("name", QUESTIONS)


@asks_all
def test_the_whole_distribution_is_that_of_a_general_dice_library(name: str) -> None:
    pytest.importorskip("icepool")
    answer = QUESTIONS[name].answer()
    die = as_icepool(QUESTIONS[name])()
    theirs = [float(die.probability(removed)) for removed in range(len(answer.damage))]
    np.testing.assert_allclose(answer.damage, theirs, rtol=0, atol=1e-12)


@asks_all
def test_the_closed_form_agrees_up_to_the_saves_and_then_overstates(name: str) -> None:
    asked = QUESTIONS[name]
    answer = asked.answer()
    theirs = {stage["name"]: stage["expected"] for stage in as_crunch(asked)()}
    assert theirs["attacks"] == pytest.approx(answer.stages[0].passed)
    saved = next(stage for stage in answer.stages if stage.name == "save")
    mortal = dict(saved.outcomes).get("devastating", 0.0)
    assert theirs["wounds"] == pytest.approx(saved.rolled + mortal)
    assert theirs["unsaved"] == pytest.approx(saved.passed)
    assert theirs["after-fnp"] >= answer.mean_damage - 1e-12
    assert theirs["models-killed"] >= answer.mean_slain - 1e-12


def test_damage_is_lost_with_the_model_that_it_slays() -> None:
    """Two packets of 2 on models of 3 wounds slay one model, not 4/3; without a save or a miss each slays at 2."""
    asked = Asked("4", 2, 8, 6, "2", 4, 3, 3, 5)
    answer = asked.answer()
    theirs = {stage["name"]: stage["expected"] for stage in as_crunch(asked)()}
    packets = 4 * (5 / 6) ** 2
    assert theirs["models-killed"] == pytest.approx(packets * 2 / 3)
    # n packets slay n // 2 models; n is a binomial of 4 at 25/36
    p = 25 / 36
    chances = [1, 4, 6, 4, 1]
    slain = sum(c * p**n * (1 - p) ** (4 - n) * (n // 2) for n, c in enumerate(chances))
    assert answer.mean_slain == pytest.approx(slain)


def test_what_the_closed_form_takes_from_averages() -> None:
    """A reduction, a random S and a modifier of saves, each where the attack always hits or the rest is simple."""
    sure = Asked("6", 2, 8, 6, "D3", 4, 3, 40, 9)
    reduced = crunched(sure, {"type": "damage-reduction", "value": 1})
    assert reduced["damage"] / reduced["unsaved"] == 1
    answer = odds.volley(sure.attack_text, sure.target_text, damage=-1)
    assert answer.mean_damage / answer.stages[-2].rolled == pytest.approx(4 / 3)

    random = Asked("6", 2, 4, 6, "1", 4, 3, 9, 9)
    assert crunched(random, S="D6")["wounds"] / crunched(random, S="D6")["hits"] == pytest.approx(2 / 6)
    answer = odds.volley(random.attack_text.replace("S4", "SD6"), random.target_text)
    by_strength = [1 / 6, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 4 / 6]  # S1 to S6 against T4
    assert answer.mean_damage == pytest.approx(5 * sum(by_strength) / 6)

    saved = Asked("6", 2, 8, 6, "1", 4, 3, 9, 9, invulnerable=5)
    theirs = crunched(saved, {"type": "save-mod", "value": 1})
    assert theirs["unsaved"] / theirs["wounds"] == pytest.approx(4 / 6)
    answer = odds.volley(saved.attack_text, saved.target_text, save=1)
    assert answer.stages[-3].passed / answer.stages[-3].rolled == pytest.approx(3 / 6)


def crunched(asked: Asked, *more: dict[str, object], **printed: str) -> dict[str, float]:
    return {stage["name"]: stage["expected"] for stage in as_crunch(asked, *more, **printed)()}


def test_an_older_edition_agrees_where_the_rules_do() -> None:
    pytest.importorskip("warhammer_stats")
    for name in ("ten attacks", "D6 damage", "feel no pain"):
        theirs = as_warhammer_stats(QUESTIONS[name])()
        assert theirs.kills_dist.mean() == pytest.approx(QUESTIONS[name].answer().mean_slain, abs=2e-3)
