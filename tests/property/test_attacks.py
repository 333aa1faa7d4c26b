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

from attack_literal import Models, literally
from attack_scenes import group, number, save, volley
from battlewright.attacks.description import (
    Allocation,
    AttackDice,
    Emit,
    Packet,
    Policy,
    RerollWhich,
    SaveTable,
    Target,
    Volley,
)
from battlewright.attacks.distributions import Odds
from battlewright.attacks.exact import best_choices, exact
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core.dice import SeededDice

SQUAD = group(3, 2)
TOUGH = group(3, 2, fnp=5)
LEADER = group(1, 3, character=True)
ATTACHED = (group(2, 2), LEADER)
ATTACHED_SAVES = (save(5), save(3))
PICKED = Target(ATTACHED, precision_group=1)
EVEN = Target((group(2), group(1, 2), group(2)), Allocation.EVEN)
IN_ORDER = Target((group(2, 2, fnp=6), group(2)), Allocation.IN_ORDER)
TAKE, DECLINE = {"lethal": "take"}, {"lethal": "decline"}


def policy(choices: dict[str, str] | None = None, **rerolls: str) -> Policy:
    return Policy({name: RerollWhich(which) for name, which in rerolls.items()}, choices or {})


def rending(tables: tuple[SaveTable, ...], target: Target, attacks: int = 2, stage: int = 0) -> Volley:
    """Critical wounds are packets with saves of their own."""
    plain = volley(attacks, 3, 4, target=target, saves=tables, devastating=True)
    packets = (Packet("damage", number("D3")), Packet("devastating", saves=(save(None),) * len(tables), stage=stage))
    return Volley(plain.name, plain.dice, plain.entry, plain.steps, packets, tables, target)


def mortals(count: int | str, target: Target, *, keeps_group: bool = True, saved: bool = False) -> Volley:
    """Besides each hit's damage, mortal wounds that spill."""
    plain = volley(2, 4, None, target=target, saves=(save(4),) * len(target.groups))
    packets = (
        Packet("damage", number(2)),
        Packet("mortal", number(count), saved=saved, spills=True, stage=1, keeps_group=keeps_group),
    )
    return Volley(
        plain.name, plain.dice, (*plain.entry, Emit("mortal")), plain.steps, packets, plain.saves, plain.target
    )


SMALL: dict[str, tuple[Volley, Policy]] = {
    name: case if isinstance(case, tuple) else (case, Policy())
    for name, case in {
        # one mechanism at a time
        "plain": volley(3, 3, 4, target=SQUAD, saves=4),
        "no hit roll": volley(3, None, 4, target=SQUAD, saves=4),
        "no wound roll": volley(3, 3, None, target=SQUAD, saves=4),
        "only saves": volley(4, None, None, target=SQUAD, saves=4),
        "no saves": volley(3, 3, 4, target=SQUAD),
        "critical hit 5": volley(3, 6, 4, critical_hit=5, target=SQUAD, sustained=1),
        "critical wound 4": volley(3, 3, 6, critical_wound=4, target=SQUAD, devastating=True),
        "random attacks": volley("D3", 3, 4, target=SQUAD, saves=4),
        "random attacks of two weapons": volley([AttackDice(2, number("D3")), AttackDice(1, number(1))], 4, None),
        "D6 attacks": volley("D6-1", 5, None, target=SQUAD),
        "damage 2": volley(3, 3, 4, target=SQUAD, saves=4, damage=2),
        "damage 3": volley(3, 3, 4, target=SQUAD, saves=4, damage=3),
        "damage D3": volley(3, 3, 4, target=SQUAD, saves=4, damage="D3"),
        "damage D6+1": volley(2, 3, 4, target=group(2, 5), saves=4, damage="D6+1"),
        "damage 2D6": volley(2, 3, None, target=group(1, 9), damage="2D6"),
        "damage 0": volley(2, 3, 4, target=SQUAD, damage=0),
        "wounded first": volley(3, 3, None, target=group([1, 2, 3], 3), damage=2),
        "feel no pain 5": volley(3, 3, 4, target=TOUGH, saves=4),
        "feel no pain 2": volley(3, 3, None, target=group(2, 2, fnp=2), damage=3),
        "sustained 1": volley(2, 3, 4, target=SQUAD, saves=4, sustained=1),
        "sustained 2": volley(2, 3, 4, target=SQUAD, saves=4, sustained=2),
        "sustained D3": volley(2, 3, 4, target=SQUAD, saves=4, sustained="D3"),
        "lethal taken": (volley(3, 3, 5, target=SQUAD, saves=4, lethal=True), policy(TAKE)),
        "lethal declined": (volley(3, 3, 5, target=SQUAD, saves=4, lethal=True), policy(DECLINE)),
        "devastating": volley(3, 3, 4, target=SQUAD, saves=4, devastating=True, damage=3),
        "reroll ones to hit": volley(2, 3, 4, target=SQUAD, reroll_hit="ones"),
        "reroll hits": volley(2, 4, 4, target=SQUAD, reroll_hit="failures"),
        "reroll wounds": volley(3, 4, 4, target=SQUAD, reroll_wound="all"),
        "fish for criticals": (
            volley(2, 3, 4, target=SQUAD, reroll_hit="noncritical", sustained=1),
            policy(hit="noncritical"),
        ),
        "reroll all to wound": (volley(2, 4, 4, target=SQUAD, reroll_wound="all"), policy(wound="all")),
        "reroll damage": volley(2, 3, None, target=group(1, 9), damage="D6", reroll_damage="all"),
        "reroll damage ones": volley(2, 3, None, target=group(1, 9), damage="D6", reroll_damage="ones"),
        "reroll saves": volley(3, None, None, target=SQUAD, saves=save(4, "failures")),
        "reroll save ones": volley(3, None, None, target=SQUAD, saves=save(5, "ones")),
        "mortal wounds": mortals(3, Target((SQUAD,))),
        "D3 mortal wounds": mortals("D3", Target((TOUGH,))),
        "saved mortal wounds": mortals("D3", Target(ATTACHED), saved=True),
        # pairs on one group
        "sustained lethal": (volley(2, 3, 4, target=SQUAD, saves=4, sustained=1, lethal=True), policy(TAKE)),
        "sustained D3 lethal": (volley(2, 3, 4, target=SQUAD, saves=4, sustained="D3", lethal=True), policy(TAKE)),
        "sustained devastating": volley(2, 3, 4, target=SQUAD, saves=4, sustained=2, devastating=True, damage=2),
        "lethal devastating taken": (
            volley(3, 3, 5, target=SQUAD, saves=4, lethal=True, devastating=True, damage=2),
            policy(TAKE),
        ),
        "lethal devastating declined": (
            volley(3, 3, 5, target=SQUAD, saves=4, lethal=True, devastating=True, damage=2),
            policy(DECLINE),
        ),
        "all three": (
            volley(2, 3, 5, target=TOUGH, saves=4, sustained=1, lethal=True, devastating=True, damage=2),
            policy(TAKE),
        ),
        "devastating feel no pain": volley(3, 3, 4, target=TOUGH, saves=4, devastating=True, damage=3),
        "devastating D3": volley(3, 3, 4, target=TOUGH, saves=4, devastating=True, damage="D3"),
        "devastating rerolled": volley(2, 4, 4, target=SQUAD, saves=3, devastating=True, reroll_wound="failures"),
        "devastating fished": (
            volley(2, 4, 4, target=SQUAD, saves=3, devastating=True, damage=2, reroll_wound="noncritical"),
            policy(wound="noncritical"),
        ),
        "lethal rerolled": (volley(2, 4, 5, target=SQUAD, lethal=True, reroll_hit="failures"), policy(TAKE)),
        "sustained rerolled ones": volley(2, 4, 4, target=SQUAD, sustained="D3", reroll_hit="ones"),
        "random everything": volley("D3", 3, 4, target=TOUGH, saves=4, damage="D3", sustained="D3", devastating=True),
        "damage rerolled, feel no pain": volley(
            2, None, 3, target=group(1, 6, fnp=5), damage="D6", reroll_damage="all"
        ),
        "rending": rending((save(3),), Target((SQUAD,))),
        "rending later": rending((save(3),), Target((TOUGH,)), 3, stage=1),
        # several groups
        "two groups, same save": volley(4, 3, None, target=ATTACHED, saves=4),
        "two groups, sorted": volley(5, None, None, target=ATTACHED, saves=ATTACHED_SAVES),
        "two groups, worse behind": volley(5, None, None, target=ATTACHED, saves=(save(3), save(6))),
        "three groups, sorted": volley(
            5, None, None, target=[group(1), group(1), group(1, 2)], saves=[save(6), save(4), save(2)]
        ),
        "sorted, wounded leader": volley(
            4, 3, None, target=[group(1, 2), group([1], 3, character=True)], saves=ATTACHED_SAVES
        ),
        "sorted D3": volley(4, 3, None, target=ATTACHED, saves=ATTACHED_SAVES, damage="D3"),
        "sorted, feel no pain in front": volley(
            4, 3, None, target=[group(2, 2, fnp=4), LEADER], saves=ATTACHED_SAVES, damage=2
        ),
        "sorted, feel no pain behind": volley(
            4, 3, None, target=[group(2, 2), group(1, 3, fnp=4)], saves=ATTACHED_SAVES, damage=2
        ),
        "sorted devastating": volley(3, 3, 3, target=ATTACHED, saves=ATTACHED_SAVES, damage=2, devastating=True),
        "sorted devastating sustained": volley(
            2, 3, 3, target=ATTACHED, saves=ATTACHED_SAVES, damage="D3", devastating=True, sustained=1
        ),
        "sorted odd table": volley(
            4, None, None, target=ATTACHED, saves=[SaveTable((True, False, True, False, True, False)), save(3)]
        ),
        "sorted, front rerolls": volley(4, None, None, target=ATTACHED, saves=(save(5, "failures"), save(3))),
        "sorted, leader rerolls": volley(4, None, None, target=ATTACHED, saves=(save(5), save(3, "ones"))),
        "picked leader": volley(4, None, None, target=PICKED, saves=ATTACHED_SAVES, precision=1),
        "picked leader devastating": volley(3, 3, 3, target=PICKED, saves=ATTACHED_SAVES, damage=2, devastating=True),
        "picked leader, loose mortals": mortals(2, PICKED, keeps_group=False),
        "picked leader, mortals follow": mortals(4, PICKED),
        "picked leader rerolls": volley(4, None, None, target=PICKED, saves=(save(5), save(3, "failures"))),
        "rending sorted": rending(ATTACHED_SAVES, Target(ATTACHED), 3),
        "rending sorted, leader rerolls": rending((save(5), save(3, "failures")), Target(ATTACHED), 3, stage=1),
        "mortals across groups": mortals("D6", Target((group(2, 2, fnp=5), group(1, 3)))),
        # other allocations
        "even": volley(5, 3, None, target=EVEN, saves=[save(3), save(5), save(None)]),
        "even D3": volley(4, 3, None, target=EVEN, saves=[save(3), save(5), save(6)], damage="D3"),
        "even twice": rending((save(3), save(5), save(6)), EVEN, 3),
        "even, later": rending((save(3), save(5), save(6)), EVEN, 3, stage=1),
        "even spilling": mortals(3, EVEN),
        "in order": volley(5, 3, None, target=IN_ORDER, saves=[save(3), save(5)]),
        "in order devastating": volley(
            3, 3, 4, target=IN_ORDER, saves=[save(3), save(5, "failures")], devastating=True, damage=2
        ),
    }.items()
}


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

MOB = group(10, 2)
GUARD = (group(8, 2, fnp=6), group(1, 5, fnp=6, character=True))
GUARD_SAVES = (save(5), save(3))
LARGE: dict[str, tuple[Volley, Policy]] = {
    name: case if isinstance(case, tuple) else (case, Policy())
    for name, case in {
        "twenty": volley(20, 3, 4, target=MOB, saves=4),
        "sixty": volley(60, 4, 5, target=group(20), saves=5),
        "sustained": volley(20, 3, 4, target=MOB, saves=4, sustained=2),
        "sustained D3": volley(20, 3, 4, target=MOB, saves=4, sustained="D3"),
        "lethal": volley(20, 4, 5, target=MOB, saves=3, lethal=True),
        "lethal sustained": volley(20, 4, 5, target=MOB, saves=3, lethal=True, sustained=1, critical_hit=5),
        "devastating": volley(20, 3, 4, target=MOB, saves=3, devastating=True, damage=2),
        "devastating 3": volley(20, 3, 4, target=MOB, saves=3, devastating=True, damage=3),
        "all three": volley(20, 3, 5, target=MOB, saves=3, devastating=True, damage=2, lethal=True, sustained=1),
        "twin-linked devastating": (
            volley(12, 3, 4, target=MOB, saves=3, devastating=True, damage="D3", reroll_wound="all"),
            policy(wound="noncritical"),
        ),
        "feel no pain": volley(20, 3, 3, target=group(10, 2, fnp=5), saves=5, damage=2),
        "feel no pain, D6": volley(10, 3, 3, target=group(5, 4, fnp=5), saves=5, damage="D6"),
        "feel no pain, devastating": volley(20, 3, 3, target=group(10, 3, fnp=5), saves=5, damage=2, devastating=True),
        "monster": volley(12, 3, 3, target=group(1, 24), saves=3, damage="D6+1"),
        "monster rerolled": volley(8, 3, 3, target=group(1, 24, fnp=5), saves=3, damage="D6", reroll_damage="all"),
        "random attacks": volley("6D6", 4, 4, target=group(20), saves=5),
        "many weapons": volley([AttackDice(4, number("D3+1")), AttackDice(3, number(2))], 3, 3, target=MOB, saves=5),
        "rerolls": volley(16, 4, 4, target=MOB, saves=4, reroll_hit="failures", reroll_wound="ones"),
        "defender rerolls": volley(16, 3, 3, target=MOB, saves=save(4, "ones")),
        "attached": volley(20, 3, 4, target=GUARD, saves=GUARD_SAVES),
        "attached devastating": volley(20, 3, 4, target=GUARD, saves=GUARD_SAVES, damage=2, devastating=True),
        "attached D3": volley(24, 3, 3, target=GUARD, saves=GUARD_SAVES, damage="D3", sustained=1),
        "attached rerolls": volley(24, 3, 3, target=GUARD, saves=(save(5), save(3, "failures")), damage=2),
        "picked": volley(12, 3, 3, target=Target(GUARD, precision_group=1), saves=GUARD_SAVES, devastating=True),
        "three groups": volley(
            30, 3, 3, target=[group(4, 2), group(4, 1), group(1, 4)], saves=[save(6), save(4), save(2)], damage=2
        ),
        "rending": rending(GUARD_SAVES, Target(GUARD), 20),
        "mortals": replace(mortals("D3", Target(GUARD)), dice=(AttackDice(1, number(6)),)),
        "mixed armour": volley(
            24, 3, 4, target=Target((group(6), group(5)), Allocation.EVEN), saves=[save(3), save(4)]
        ),
        "nearest first": volley(
            20, 3, 3, target=Target((group(3, 2), group(6)), Allocation.IN_ORDER), saves=[save(3), save(5)]
        ),
        "a whole phase": volley(40, 3, 4, target=MOB, saves=3, damage="D3", sustained=1, lethal=True),
    }.items()
}
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
