"""The three readers of an attack agree, and agree with every die worked through by the letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from attack_cases import LARGE, SMALL
from attack_literal import Models, literally
from attack_scenes import group, number, save, volley
from battlewright.attacks.description import (
    Allocation,
    AttackDice,
    Policy,
    RerollWhich,
    Target,
    Volley,
)
from battlewright.attacks.distributions import Odds
from battlewright.attacks.exact import best_choices, exact
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core.dice import SeededDice


def states(odds: Odds) -> dict[Models, float]:
    """Probability of each state, the slain left out."""
    found: dict[Models, float] = {}
    for p, models in odds.state.remaining(odds.target):
        found[models] = found.get(models, 0.0) + p
    return found


def living(models: Models) -> Models:
    return tuple(tuple(left for left in row if left) for row in models)


def assert_same(odds: Odds, wanted: dict[Models, Fraction], tolerance: float = 1e-12) -> None:
    expected: Counter[Any] = Counter()
    damage: Counter[int] = Counter()
    slain: Counter[int] = Counter()
    whole = sum(sum(group.remaining) for group in odds.target.groups)
    models = odds.target.models
    for left, p in wanted.items():
        expected[living(left)] += p  # type: ignore[assignment]
        damage[whole - sum(map(sum, left))] += p  # type: ignore[assignment]
        slain[models - sum(map(len, living(left)))] += p  # type: ignore[assignment]
    found = states(odds)
    for state in expected.keys() | found.keys():
        assert found.get(state, 0.0) == pytest.approx(float(expected[state]), abs=tolerance), state
    np.testing.assert_allclose(odds.damage, [float(damage[n]) for n in range(whole + 1)], rtol=0, atol=tolerance)
    np.testing.assert_allclose(odds.slain, [float(slain[n]) for n in range(models + 1)], rtol=0, atol=tolerance)
    assert odds.p_destroyed == pytest.approx(float(slain[models]), abs=tolerance)


@pytest.mark.parametrize("name", SMALL)
def test_exact_agrees_with_every_die_by_the_letter(name: str) -> None:
    attack, decided = SMALL[name]
    assert_same(exact(attack, decided), literally(attack, decided, decided.choices))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sorted D3", "sorted, leader rerolls"),
        ("picked leader", "two groups, sorted"),
        ("sorted devastating", "picked leader, loose mortals"),
        ("two groups, sorted", "picked leader rerolls"),
    ],
)
def test_volleys_in_sequence_agree_with_the_letter(first: str, second: str) -> None:
    one, two = SMALL[first][0], SMALL[second][0]
    assert_same(exact([one, two]), literally(two, start=literally(one)))


class Odometer:
    """Dice that run through every throw there is, one battle after the other."""

    def __init__(self) -> None:
        self.faces: list[int] = []
        self.sides: list[int] = []

    def throw(self, position: int, count: int, sides: int, purpose: str) -> tuple[tuple[int, ...], int]:
        for at in range(position, position + count):
            if at == len(self.faces):
                self.faces.append(1)
                self.sides.append(sides)
        return tuple(self.faces[position : position + count]), position + count

    def finish(self, position: int) -> None:
        pass

    def advance(self) -> bool:
        """Turn to the next throw; False after the last."""
        while self.faces and self.faces[-1] == self.sides[-1]:
            self.faces.pop()
            self.sides.pop()
        if self.faces:
            self.faces[-1] += 1
        return bool(self.faces)

    def weight(self) -> Fraction:
        p = Fraction(1)
        for sides in self.sides:
            p /= sides
        return p


WALKED = {
    1: (
        "sustained 1",
        "critical hit 5",
        "damage 2D6",
        "reroll damage",
        "saved mortal wounds",
        "sustained lethal",
        "devastating fished",
        "sorted, feel no pain in front",
        "picked leader devastating",
        "in order devastating",
        "rending sorted, leader rerolls",
        "even, later",
    ),
    2: (
        "no hit roll",
        "no wound roll",
        "only saves",
        "critical wound 4",
        "wounded first",
        "reroll saves",
        "mortal wounds",
        "lethal devastating taken",
        "lethal devastating declined",
        "two groups, same save",
        "two groups, sorted",
        "sorted, wounded leader",
        "sorted, feel no pain behind",
        "sorted, front rerolls",
        "sorted, leader rerolls",
        "picked leader",
        "picked leader, loose mortals",
        "picked leader, mortals follow",
        "picked leader rerolls",
        "even",
        "even spilling",
    ),
}


@pytest.mark.parametrize(("name", "attacks"), [(name, attacks) for attacks in WALKED for name in WALKED[attacks]])
def test_the_battles_own_resolution_walked_through_every_throw_agrees(name: str, attacks: int) -> None:
    attack, decided = SMALL[name]
    attack = replace(attack, dice=(AttackDice(1, number(attacks)),))
    dice = Odometer()
    found: Counter[Any] = Counter()
    while True:
        host = SimulatedHost(attack, dice, decided, decided.choices)
        simulate(attack, host)
        found[tuple(tuple(row) for row in host.wounds)] += dice.weight()  # type: ignore[assignment]
        if not dice.advance():
            break
    assert sum(found.values()) == 1
    assert_same(exact(attack, decided), dict(found))  # type: ignore[arg-type]


# -- larger volleys, sampled ------------------------------------------------------------------------------------------

TRIALS = 1000


def fit(counts: Sequence[float], probabilities: Sequence[float]) -> float:
    """The chance that sampling alone strays so far from the probabilities (chi-squared, rare values taken together)."""
    total = sum(counts)
    statistic, bins, seen, expected = 0.0, 0, 0.0, 0.0
    for count, p in zip(counts, probabilities, strict=True):
        seen += count
        expected += p * total
        if expected >= 5:
            statistic += (seen - expected) ** 2 / expected
            bins, seen, expected = bins + 1, 0.0, 0.0
    if expected:
        statistic += (seen - expected) ** 2 / expected
        bins += 1
    return float(chi2.sf(statistic, max(bins - 1, 1)))


@pytest.mark.parametrize("name", LARGE)
def test_seeded_resolutions_fit_the_exact_odds(name: str) -> None:
    attack, decided = LARGE[name]
    odds = exact(attack, decided)
    choices = best_choices(attack, decided)
    dice, position = SeededDice(sum(map(ord, name))), 0
    damage, slain = np.zeros(len(odds.damage)), np.zeros(len(odds.slain))
    for _ in range(TRIALS):
        host = SimulatedHost(attack, dice, decided, choices, position)
        damage[simulate(attack, host).damage] += 1
        slain[host.slain] += 1
        position = host.position
    assert fit(list(damage), list(odds.damage)) > 1e-3
    assert fit(list(slain), list(odds.slain)) > 1e-3


# -- properties -------------------------------------------------------------------------------------------------------


@st.composite
def volleys(draw: st.DrawFn) -> Volley:
    """Small volleys of every sort."""
    groups = [
        group(draw(st.integers(1, 3)), draw(st.integers(1, 3)), fnp=draw(st.sampled_from([None, None, 5, 3])))
        for _ in range(draw(st.integers(1, 2)))
    ]
    allocation = draw(st.sampled_from(list(Allocation)))
    target = Target(tuple(groups), allocation, draw(st.sampled_from([None, len(groups) - 1])))
    reroll = st.sampled_from([None, None, "ones", "failures", "noncritical", "all"])
    return volley(
        draw(st.sampled_from([1, 2, "D2"])),
        draw(st.integers(2, 6)),
        draw(st.integers(2, 6)),
        target=target,
        saves=[save(draw(st.sampled_from([None, 2, 3, 5])), draw(reroll)) for _ in groups],
        damage=draw(st.sampled_from([1, 2, "D2"])),
        critical_hit=draw(st.sampled_from([5, 6])),
        critical_wound=draw(st.sampled_from([3, 6])),
        sustained=draw(st.sampled_from([None, 1])),
        lethal=draw(st.booleans()),
        devastating=draw(st.booleans()),
        spills=draw(st.booleans()),
        reroll_hit=draw(reroll),
        reroll_wound=draw(reroll),
        reroll_damage=draw(reroll),
    )


RELAXED = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@RELAXED
@given(volleys(), st.sampled_from(list(RerollWhich)), st.sampled_from(["take", "decline"]))
def test_any_small_volley_agrees_with_the_letter(attack: Volley, which: RerollWhich, lethal: str) -> None:
    decided = Policy(dict.fromkeys(("hit", "wound", "save", "damage"), which), {"lethal": lethal})
    assert_same(exact(attack, decided), literally(attack, decided, decided.choices))


@RELAXED
@given(volleys())
def test_distributions_sum_to_one_and_best_is_best(attack: Volley) -> None:
    odds = exact(attack)
    assert odds.damage.sum() == pytest.approx(1.0, abs=1e-12)
    assert odds.slain.sum() == pytest.approx(1.0, abs=1e-12)
    assert sum(odds.state.probabilities) == pytest.approx(1.0, abs=1e-12)
    assert min(odds.damage) >= 0.0
    for way in ("take", "decline"):
        assert odds.mean_damage >= exact(attack, Policy(choices={"lethal": way})).mean_damage - 1e-12


@RELAXED
@given(volleys(), st.integers(0, 1000))
def test_a_resolution_ends_where_the_exact_odds_allow_it(attack: Volley, seed: int) -> None:
    host = SimulatedHost(attack, SeededDice(seed), choices={"lethal": "take"})
    done = simulate(attack, host)
    odds = exact(attack, Policy(choices={"lethal": "take"}))
    assert states(odds).get(living(tuple(tuple(row) for row in host.wounds)), 0.0) > 0.0
    assert odds.damage[done.damage] > 0.0


def test_thirty_larger_volleys_are_tried() -> None:
    assert len(LARGE) >= 30
    assert len(SMALL) >= 60
