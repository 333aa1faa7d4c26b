"""How fast the odds of an attack are: run with ``pytest tests/bench/bench_odds.py`` (pytest-benchmark)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from attack_scenes import group, save, volley
from battlewright.attacks.chains import space_of
from battlewright.attacks.description import Volley
from battlewright.attacks.exact import exact
from battlewright.attacks.sample import sample
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core.dice import SeededDice

Benchmark = Callable[..., Any]

TYPICAL: dict[str, Volley] = {  # goal 0.1 ms
    "ten attacks": volley(10, 3, 4, target=group(10), saves=4),
    "sustained, damage 2": volley(20, 3, 4, target=group(10, 2), saves=4, damage=2, sustained=1),
    "sustained, lethal": volley(20, 3, 4, target=group(10, 2), saves=4, damage=2, sustained=1, lethal=True),
    "feel no pain": volley(20, 3, 4, target=group(10, 2, fnp=5), saves=4, damage=2, sustained=1),
    "devastating, feel no pain": volley(20, 3, 4, target=group(10, 2, fnp=5), saves=4, damage=2, devastating=True),
    "all of it": volley(
        20, 3, 4, target=group(10, 2, fnp=5), saves=4, damage=2, sustained=1, lethal=True, devastating=True
    ),
    "damage D6": volley(12, 3, 3, target=group(5, 4, fnp=5), saves=4, damage="D6", devastating=True),
}
LARGE: dict[str, Volley] = {  # goal 1 ms
    "120 devastating, feel no pain": volley(120, 3, 4, target=group(20, 2, fnp=5), saves=4, damage=2, devastating=True),
    "120 D3, sustained": volley(
        120, 3, 4, target=group(20, 3, fnp=5), saves=4, damage="D3", devastating=True, sustained=1
    ),
    "20 D6 attacks": volley("20D6", 3, 4, target=group(20, 2), saves=4, damage=2, sustained=1),
}
ATTACHED = [group(20, 2, fnp=5), group(1, 5, fnp=5, character=True)]
RETINUE = [group(10, 2, fnp=5), group(5, 3, fnp=5), group(1, 5, fnp=5, character=True)]
GROUPS: dict[str, Volley] = {  # goal 5 ms
    "20 into two groups": volley(20, 3, 4, target=ATTACHED, saves=[save(4), save(2)], damage=2, devastating=True),
    "120 into two groups": volley(120, 3, 4, target=ATTACHED, saves=[save(4), save(2)], damage=2, devastating=True),
    "120 into three groups": volley(
        120, 3, 4, target=RETINUE, saves=[save(4), save(3), save(2)], damage=2, devastating=True, sustained=1
    ),
}


@pytest.mark.parametrize("name", [*TYPICAL, *LARGE, *GROUPS])
def test_exact(benchmark: Benchmark, name: str) -> None:
    """The distribution alone, the target's states known from earlier questions."""
    attack = (TYPICAL | LARGE | GROUPS)[name]
    odds = benchmark(exact, attack)
    assert abs(odds.damage.sum() - 1) < 1e-9


@pytest.mark.parametrize("name", ["devastating, feel no pain", "120 into two groups"])
def test_exact_of_a_new_target(benchmark: Benchmark, name: str) -> None:
    """The same with a target that was never asked about."""
    attack = (TYPICAL | LARGE | GROUPS)[name]

    def ask() -> object:
        space_of.cache_clear()
        return exact(attack)

    benchmark(ask)


@pytest.mark.parametrize("name", ["ten attacks", "all of it"])
def test_sample(benchmark: Benchmark, name: str) -> None:
    """100,000 trials; goal 3 million attacks a second."""
    attack = TYPICAL[name]
    benchmark(sample, attack, trials=100_000)


@pytest.mark.parametrize("name", ["ten attacks", "all of it", "20 into two groups"])
def test_resolve(benchmark: Benchmark, name: str) -> None:
    """One resolution, throw by throw."""
    attack = (TYPICAL | GROUPS)[name]
    dice = SeededDice(1)
    benchmark(lambda: simulate(attack, SimulatedHost(attack, dice)))
