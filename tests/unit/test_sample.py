"""The sampler agrees with the exact odds within its own standard errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from attack_cases import LARGE, SMALL
from attack_scenes import group, volley
from battlewright.attacks.exact import exact
from battlewright.attacks.sample import sample

TRIALS = 20_000
FAR = 5.0
"""Standard errors; chance alone strays so far once in two million times, and the seeds are fixed."""


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_samples_agree_with_the_exact_odds(name: str) -> None:
    attack, decided = SMALL.get(name) or LARGE[name]
    found = sample(attack, decided, trials=TRIALS, seed=7)
    wanted = exact(attack, decided)
    for sampled, true in ((found.damage, wanted.damage), (found.slain, wanted.slain)):
        assert len(sampled) == len(true)
        error = np.sqrt(true * (1 - true) / TRIALS) + 1 / TRIALS
        assert (np.abs(sampled - true) < FAR * error).all()
    assert abs(found.mean_damage - wanted.mean_damage) <= FAR * found.mean_damage_error + 1e-9
    assert found.choices == wanted.choices


@pytest.mark.parametrize(
    "name", ["plain", "all three", "sorted devastating", "in order", "even D3", "random everything"]
)
def test_stages_agree_too(name: str) -> None:
    attack, decided = SMALL[name]
    for sampled, true in zip(sample(attack, decided, trials=TRIALS).stages, exact(attack, decided).stages, strict=True):
        assert (sampled.name, sampled.volley) == (true.name, true.volley)
        assert sampled.rolled == pytest.approx(true.rolled, abs=0.05)
        assert sampled.passed == pytest.approx(true.passed, abs=0.05)
        assert sampled.critical == pytest.approx(true.critical, abs=0.05)


def test_a_seed_repeats_a_sample_and_another_does_not() -> None:
    attack = LARGE["attached D3"][0]
    one, same, other = (sample(attack, trials=1000, seed=seed) for seed in (1, 1, 2))
    assert (one.damage == same.damage).all()
    assert (one.damage != other.damage).any()


def test_standard_errors_shrink_with_the_trials() -> None:
    attack = LARGE["twenty"][0]
    few, many = sample(attack, trials=1000), sample(attack, trials=16_000)
    assert few.mean_damage_error == pytest.approx(4 * many.mean_damage_error, rel=0.1)
    assert many.error(0.5) == pytest.approx(0.5 / 16_000**0.5)
    assert exact(attack).mean_damage_error == 0.0
    assert exact(attack).error(0.5) == 0.0


def test_volleys_in_sequence_and_what_earlier_ones_left() -> None:
    first, second = LARGE["attached"][0], LARGE["attached D3"][0]
    wanted = exact([first, second])
    together = sample([first, second], trials=TRIALS)
    after = sample(second, target_state=exact(first).state, trials=TRIALS)
    for found in (together, after):
        assert abs(found.mean_damage - wanted.mean_damage) < FAR * found.mean_damage_error


def test_effects_are_counted() -> None:
    attack = volley(6, 4, None, target=group(1, 3), saves=4)
    stun = replace(attack, packets=(replace(attack.packets[0], effect="stunned"),))
    found = sample(stun, trials=TRIALS)
    np.testing.assert_allclose(found.effects["stunned"], exact(stun).effects["stunned"], atol=0.02)
    assert found.mean_damage == 0.0
