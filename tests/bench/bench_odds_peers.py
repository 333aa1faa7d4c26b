"""The same ten questions put to Battlewright and to other calculators, in one run.

Run with ``make bench ARGS="-k peers"``; the groups of the table are the questions. "exact" starts from the description
of an attack, as ``crunch`` starts from prepared profiles; "from text" is everything, reading included.
"""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.attacks.exact import exact
from bench.peers import QUESTIONS, as_crunch, as_icepool, as_volleys, as_warhammer_stats

asks_all = pytest.mark.parametrize("name", QUESTIONS)


def grouped(benchmark: Any, name: str) -> Any:
    benchmark.group = name
    return benchmark


@asks_all
def test_peers_battlewright_exact(benchmark: Any, name: str) -> None:
    volleys, policy = as_volleys(QUESTIONS[name])
    grouped(benchmark, name)(exact, volleys, policy)


@asks_all
def test_peers_battlewright_from_text(benchmark: Any, name: str) -> None:
    grouped(benchmark, name)(QUESTIONS[name].answer)


@asks_all
def test_peers_crunch_averages(benchmark: Any, name: str) -> None:
    grouped(benchmark, name)(as_crunch(QUESTIONS[name]))


@asks_all
def test_peers_icepool(benchmark: Any, name: str) -> None:
    pytest.importorskip("icepool")
    grouped(benchmark, name).pedantic(as_icepool(QUESTIONS[name]), rounds=5, warmup_rounds=1)


@asks_all
def test_peers_warhammer_stats(benchmark: Any, name: str) -> None:
    pytest.importorskip("warhammer_stats")
    grouped(benchmark, name).pedantic(as_warhammer_stats(QUESTIONS[name]), rounds=5, warmup_rounds=1)
