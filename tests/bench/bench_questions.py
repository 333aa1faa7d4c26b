"""Exact odds in text, reading included: a typical volley in 0.1 ms, 120 attacks with every trick in 1 ms."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.odds import volley

QUESTIONS = {
    "10 attacks, lethal hits": ("A10 BS3+ S4 AP-1 D1 [LETHAL HITS]", "T4 Sv3+ W2 x10"),
    "20 attacks, two abilities, feel no pain": (
        "A20 BS3+ S4 AP-1 D1 [SUSTAINED HITS 1, LETHAL HITS]",
        "T5 Sv3+ W2 FNP5+ x10",
    ),
    "6 attacks of D6 damage": ("A6 BS3+ S10 AP-3 DD6+1", "T9 Sv3+ InSv5+ W12 x2"),
    "120 attacks, devastating wounds, feel no pain": (
        "A120 BS3+ S5 AP-1 D2 [DEVASTATING WOUNDS]",
        "T4 Sv3+ W2 FNP5+ x20",
    ),
    "two groups with saves of their own": (
        "A30 BS3+ S5 AP-2 D2",
        "T4 Sv3+ W2 x9 + T4 Sv3+ InSv4+ W3 x1",
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question(benchmark: Any, name: str) -> None:
    attack, target = QUESTIONS[name]
    assert benchmark(volley, attack, target).mean_damage > 0
