"""The traps that calculators fall into, each with its exact fractions, asked as a player asks."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from battlewright import odds

F = Fraction
WOUND = F(5, 6)
"""S8 against T4."""


def assert_is(found: np.ndarray, *expected: Fraction | int) -> None:
    """The probabilities are exactly these fractions, and nothing lies beyond them."""
    assert sum(expected) == 1
    wanted = np.zeros(len(found))
    wanted[: len(expected)] = [float(p) for p in expected]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-14)


def thinned(hits: dict[int, Fraction], chance: Fraction) -> list[Fraction]:
    """How many of so many hits wound."""
    found = [F(0)] * (max(hits) + 1)
    for count, p in hits.items():
        for passed in product((0, 1), repeat=count):
            wounds = sum(passed)
            found[wounds] += p * chance**wounds * (1 - chance) ** (count - wounds)
    return found


def test_extra_hits_are_separate_packets_of_damage() -> None:
    # One critical hit and its extra hit on models of 3 wounds: 2, then 1 of 2. A single packet of 4 would slay one too.
    answer = odds.volley("A1 BS2+ S8 AP0 D2 [SUSTAINED HITS 1]", "T4 Sv- W3 x2", critical_hits=2)
    none = F(1, 6) + F(5, 6) * F(1, 36)
    assert_is(answer.damage, none, 0, F(5, 6) * F(10, 36), F(5, 6) * F(25, 36))
    small = odds.volley("A1 BS2+ S8 AP0 D2 [SUSTAINED HITS 1]", "T4 Sv- W1 x2", critical_hits=2)
    assert_is(small.slain, none, F(5, 6) * F(10, 36), F(5, 6) * F(25, 36))


def test_extra_hits_do_not_wound_by_themselves_with_lethal_hits() -> None:
    answer = odds.volley("A1 BS6+ S4 AP0 D1 [LETHAL HITS, SUSTAINED HITS 1]", "T4 Sv- W1 x3", lethal="take")
    assert_is(answer.damage, F(5, 6), F(1, 12), F(1, 12))


def test_each_critical_rolls_its_own_extra_hits() -> None:
    answer = odds.volley("A2 BS2+ S8 AP0 D1 [SUSTAINED HITS D3]", "T4 Sv- W1 x9", critical_hits=2)
    one = {0: F(1, 6), 2: F(5, 18), 3: F(5, 18), 4: F(5, 18)}
    hits: dict[int, Fraction] = {}
    for (a, p), (b, q) in product(one.items(), repeat=2):
        hits[a + b] = hits.get(a + b, F(0)) + p * q
    assert_is(answer.damage, *thinned(hits, WOUND))


def test_devastating_wounds_do_not_spill_over() -> None:
    answer = odds.volley("A1 S4 AP0 D5 [TORRENT, DEVASTATING WOUNDS]", "T8 Sv2+ W3 x2")
    assert_is(answer.damage, F(5, 6), 0, 0, F(1, 6))
    assert_is(answer.slain, F(5, 6), F(1, 6))


def test_damage_beyond_a_model_is_lost_before_the_next_packet() -> None:
    answer = odds.volley("A2 S8 AP0 D2 [TORRENT]", "T4 Sv- W3 x2")
    assert_is(answer.damage, F(1, 36), 0, F(10, 36), F(25, 36))
    assert_is(answer.slain, F(11, 36), F(25, 36))


def test_feel_no_pain_is_rolled_for_every_point_before_the_cap() -> None:
    answer = odds.volley("A1 S8 AP0 D3 [TORRENT]", "T4 Sv- W1 x2 FNP5+")
    assert_is(answer.slain, F(1, 6) + WOUND * F(1, 27), WOUND * F(26, 27))


def test_everything_but_criticals_can_be_thrown_again() -> None:
    asked = ("A1 BS4+ S8 AP0 D1 [SUSTAINED HITS 1]", "T4 Sv- W1 x5")
    fished = {0: F(5, 6) * F(1, 2), 1: F(5, 6) * F(2, 6), 2: F(1, 6) + F(5, 6) * F(1, 6)}
    assert_is(odds.volley(*asked, reroll_hits="noncritical").damage, *thinned(fished, WOUND))
    failures = {0: F(1, 4), 1: F(1, 2), 2: F(1, 4)}
    assert_is(odds.volley(*asked, reroll_hits="failures").damage, *thinned(failures, WOUND))


def test_a_critical_on_five_looks_at_the_unmodified_die() -> None:
    # With -1 to hit a 5 is a 4, which misses at BS6+: as a critical it hits. With +1 a 4 is a 5, yet no critical.
    asked = ("A1 BS6+ S8 AP0 D1 [SUSTAINED HITS 1]", "T4 Sv- W1 x5")
    assert_is(odds.volley(*asked, hit=-1, critical_hits=5).damage, *thinned({0: F(4, 6), 2: F(2, 6)}, WOUND))
    better = ("A1 BS5+ S8 AP0 D1 [SUSTAINED HITS 1]", "T4 Sv- W1 x5")
    hits = {0: F(3, 6), 1: F(1, 6), 2: F(2, 6)}
    assert_is(odds.volley(*better, hit=1, critical_hits=5).damage, *thinned(hits, WOUND))


def test_anti_makes_critical_wounds_that_devastating_passes_by_the_save() -> None:
    attack = "A1 S1 AP0 D1 [TORRENT, ANTI-INFANTRY 4+, DEVASTATING WOUNDS]"
    assert_is(odds.volley(attack, "T8 Sv2+ W1 {INFANTRY}").damage, F(1, 2), F(1, 2))
    assert_is(odds.volley(attack, "T8 Sv2+ W1 {VEHICLE}").damage, F(5, 6), F(1, 6))


def test_a_save_worse_than_six_is_none() -> None:
    attack = "A1 S8 AP-1 D1 [TORRENT]"
    assert_is(odds.volley(attack, "T4 Sv6+ W1").damage, F(1, 6), F(5, 6))
    assert_is(odds.volley(attack, "T4 Sv- W1").damage, F(1, 6), F(5, 6))
    assert_is(odds.volley("A1 S8 AP0 D1 [TORRENT]", "T4 Sv7+ W1", save=3).damage, F(1, 6), F(5, 6))
    # +1 to the roll of a Sv6+ at AP-1 makes it possible again, by a 6.
    assert_is(odds.volley(attack, "T4 Sv6+ W1", save=1).damage, F(1, 6) + F(5, 36), F(25, 36))


@pytest.mark.parametrize("settings", [{"hit": 1}, {"hit": 2}, {"stationary": True}, {"hit": 1, "stationary": True}])
def test_plus_one_and_plus_one_is_plus_one(settings: dict[str, object]) -> None:
    answer = odds.volley("A1 BS5+ S8 AP0 D1 [HEAVY]", "T4 Sv- W1", **settings)
    assert_is(answer.damage, 1 - F(3, 6) * WOUND, F(3, 6) * WOUND)


def test_slain_models_never_exceed_the_unit() -> None:
    answer = odds.volley("A300 BS2+ S8 AP-4 D3 [SUSTAINED HITS 3]", "T4 Sv3+ W1 x3")
    assert len(answer.slain) == len(answer.damage) == 4
    assert answer.mean_slain == pytest.approx(3)
    assert answer.p_destroyed == pytest.approx(1)


@pytest.mark.rule("11e.core.06.03-hazard-roll", "11e.24.15-hazardous.count", "11e.24.15-hazardous.timing")
def test_hazardous_weapons_threaten_their_bearers_whatever_they_hit() -> None:
    answer = odds.volley("A3 BS3+ S8 AP-3 D2 x3 [HAZARDOUS] + A2 BS3+ S4 AP0 D1 x2", "T4 Sv3+ W2 x10")
    wounds = answer.odds.effects["mortal wounds to the attacker"]
    assert_is(wounds, F(8, 27), F(12, 27), F(6, 27), F(1, 27))
    assert [volley.name for volley in answer.volleys][-1] == "hazard rolls"
    plain = odds.volley("A3 BS3+ S8 AP-3 D2 x3 + A2 BS3+ S4 AP0 D1 x2", "T4 Sv3+ W2 x10")
    assert [*answer.damage] == pytest.approx([*plain.damage])
    assert plain.odds.effects == {}
    for each in (answer, odds.volley(answer.attack, answer.target, sample=1000)):
        saves = [stage.passed for stage in each.stages if stage.name == "save"]
        assert each.stages[-2].rolled == pytest.approx(sum(saves))  # effects are no packets of damage
