"""Questions of odds in text and their answers."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from battlewright import odds
from battlewright.core.errors import BadInput, ProfileError

SIX = range(1, 7)


def mean(answer: odds.Answer) -> float:
    return pytest.approx(answer.mean_damage, abs=1e-12)


def test_an_answer_holds_distributions_and_their_means() -> None:
    answer = odds.volley("A10 BS3+ S4 AP-1 D1 [LETHAL HITS]", "T4 Sv3+ W2 x10", reroll_hits="ones")
    hit, critical = Fraction(4, 6) * Fraction(7, 6), Fraction(1, 6) * Fraction(7, 6)
    assert mean(answer) == float(10 * (critical / 2 + (hit - critical) / 4))
    assert answer.damage.sum() == pytest.approx(1)
    assert answer.slain.sum() == pytest.approx(1)
    assert len(answer.slain) == 11
    assert answer.mean_slain == pytest.approx(float(answer.slain @ np.arange(11)))
    assert answer.p_destroyed == answer.slain[10]
    assert [stage.name for stage in answer.stages][:3] == ["attacks", "hit", "wound"]


def brute_force(attacks: int, wounds: int) -> dict[int, Fraction]:
    """BS3+, S4 against T4, AP-1 against Sv3+, D2, LETHAL HITS, against one model: every face of every die."""
    each: dict[int, Fraction] = {}
    for hit, wound, save in product(SIX, SIX, SIX):
        wounded = hit == 6 or (hit >= 3 and wound >= 4)
        lost = 2 if wounded and not (save > 1 and save - 1 >= 3) else 0
        each[lost] = each.get(lost, Fraction(0)) + Fraction(1, 216)
    total = {0: Fraction(1)}
    for _ in range(attacks):
        following: dict[int, Fraction] = {}
        for (so_far, p), (lost, q) in product(total.items(), each.items()):
            now = min(wounds, so_far + lost)
            following[now] = following.get(now, Fraction(0)) + p * q
        total = following
    return total


def test_the_odds_agree_with_every_face_of_every_die() -> None:
    answer = odds.volley("A3 BS3+ S4 AP-1 D2 [LETHAL HITS]", "T4 Sv3+ W5", lethal="take")
    expected = brute_force(3, 5)
    assert [*answer.damage] == pytest.approx([float(expected.get(lost, 0)) for lost in range(6)])


@pytest.mark.parametrize(
    ("attack", "target", "settings", "expected"),
    [
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {}, 6 * Fraction(4, 6) / 2),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"hit": 1}, 6 * Fraction(5, 6) / 2),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"hit": "+3"}, 6 * Fraction(5, 6) / 2),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"wound": -1}, 6 * Fraction(4, 6) * Fraction(2, 6)),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv4+ W9", {"save": 1}, 6 * Fraction(4, 6) / 2 * Fraction(2, 6)),
        ("A6 BS3+ S4 AP-1 D1", "T4 Sv4+ W9", {"ap": -1}, 6 * Fraction(4, 6) / 2 * Fraction(5, 6)),
        ("A6 BS3+ S4 AP-1 D1", "T4 Sv4+ W9", {"ap": 3}, 6 * Fraction(4, 6) / 2 * Fraction(3, 6)),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"strength": 1}, 6 * Fraction(4, 6) * Fraction(4, 6)),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"attacks": "-2"}, 4 * Fraction(4, 6) / 2),
        ("A1 BS3+ S4 AP0 D3", "T4 Sv- W9", {"damage": -1}, 2 * Fraction(4, 6) / 2),
        ("A1 BS3+ S4 AP0 D3", "T4 Sv- W9", {"halve_damage": "true"}, 2 * Fraction(4, 6) / 2),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"cover": True}, 6 * Fraction(3, 6) / 2),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"cover": "yes", "plunging": True}, 6 * Fraction(4, 6) / 2),
        ("A6 BS3+ S4 AP0 D1 [HEAVY]", "T4 Sv- W9", {"stationary": True}, 6 * Fraction(5, 6) / 2),
        ("A6 WS3+ S4 AP0 D1 [LANCE]", "T4 Sv- W9", {"charged": True}, 6 * Fraction(4, 6) * Fraction(4, 6)),
        ("A2 BS3+ S4 AP0 D1 [RAPID FIRE 2]", "T4 Sv- W9", {"half_range": True}, 4 * Fraction(4, 6) / 2),
        ('A2 BS3+ S4 AP0 D1 R24" [RAPID FIRE 2]', "T4 Sv- W9", {"range": 12}, 4 * Fraction(4, 6) / 2),
        ('A2 BS3+ S4 AP0 D1 R24" [RAPID FIRE 2]', "T4 Sv- W9", {"range": 13}, 2 * Fraction(4, 6) / 2),
        ("A6 BS3+ S4 AP0 D1 [INDIRECT FIRE]", "T4 Sv- W9", {"indirect": True}, 6 * Fraction(1, 6) / 2),
        ("A6 BS3+ S4 AP0 D1 [INDIRECT FIRE]", "T4 Sv- W9", {"indirect": 1, "spotted": 1}, 6 * Fraction(3, 6) / 2),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"critical_wounds": 2}, 6 * Fraction(4, 6) * Fraction(5, 6)),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9", {"reroll_wounds": "failures"}, 6 * Fraction(4, 6) * Fraction(3, 4)),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv4+ W9", {"reroll_saves": "failures"}, 6 * Fraction(4, 6) / 2 * Fraction(1, 4)),
        ("A1 BS3+ S4 AP0 DD6", "T4 Sv- W9", {"reroll_damage": "failures"}, Fraction(4, 6) / 2 * Fraction(17, 4)),
        ("A6 S4 AP0 D1 [TORRENT]", "T4 Sv- W9", {"hit": -1}, Fraction(6, 2)),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9 FNP5+", {}, 6 * Fraction(4, 6) / 2 * Fraction(4, 6)),
        ("A6 BS3+ S4 AP0 D1", "T4 Sv- W9 {STEALTH}", {}, 6 * Fraction(3, 6) / 2),
    ],
)
def test_every_setting_does_what_it_says(
    attack: str, target: str, settings: dict[str, object], expected: Fraction
) -> None:
    assert mean(odds.volley(attack, target, **settings)) == float(expected)


PLAIN, WEAPON = "A6 BS3+ S4 AP-1 D2", "A6 BS3+ S4 AP-1 D2 [LETHAL HITS, SUSTAINED HITS 2]"


@pytest.mark.parametrize(
    ("attack", "settings", "same"),
    [
        (PLAIN, {"grant": "lethal hits, SUSTAINED HITS 2"}, WEAPON),
        (WEAPON, {"without": "SUSTAINED HITS, [LETHAL HITS]"}, PLAIN),
        (WEAPON, {"without": "sustained hits 2"}, f"{PLAIN} [LETHAL HITS]"),
        (WEAPON, {"grant": "LETHAL HITS"}, WEAPON),
        (PLAIN, {"grant": "ANTI-INFANTRY 3+, DEVASTATING WOUNDS"}, f"{PLAIN} [ANTI-INFANTRY 3+, DEVASTATING WOUNDS]"),
        ("A6 BS3+ S4 AP-1 D2 [TORRENT]", {"without": "torrent"}, PLAIN),
    ],
)
def test_abilities_are_given_and_taken_away(attack: str, settings: dict[str, object], same: str) -> None:
    target = "T4 Sv3+ W2 x5 {INFANTRY}"
    assert [*odds.volley(attack, target, **settings).damage] == [*odds.volley(same, target).damage]  # type: ignore[arg-type]


def test_the_best_use_of_lethal_hits_is_found() -> None:
    attack = "A6 BS3+ S4 AP0 D3 [LETHAL HITS, DEVASTATING WOUNDS, ANTI-INFANTRY 2+]"
    target = "T4 Sv2+ W3 x10 {INFANTRY}"
    taken, declined, best = (odds.volley(attack, target, lethal=way) for way in ("take", "decline", "best"))
    assert declined.mean_damage > taken.mean_damage
    assert best.mean_damage == declined.mean_damage


def test_blast_counts_the_models_of_the_target() -> None:
    attack = "A1 BS3+ S4 AP0 D1 [BLAST]"
    assert odds.volley(attack, "T4 Sv- W1 x10").stages[0].passed == 3
    assert odds.volley(attack, "T4 Sv- W1", target_models=5).stages[0].passed == 2
    assert odds.volley(attack, "T4 Sv- W1", counted_models=10).stages[0].passed == 3


def test_several_weapons_fire_one_after_the_other_at_several_groups() -> None:
    target = "T4 Sv3+ W2 x4 + T4 Sv2+ W4 {CHARACTER}"
    answer = odds.volley("A4 BS3+ S4 AP0 D1 + A1 BS3+ S9 AP-3 D3", target, models=2)
    assert answer.stages[0].passed == 8
    assert len(answer.slain) == 6
    sniper = odds.volley("A4 BS2+ S9 AP-3 D4 [PRECISION]", target, precision=True)
    volley_at_guards = odds.volley("A4 BS2+ S9 AP-3 D4 [PRECISION]", target)
    assert sniper.mean_damage > volley_at_guards.mean_damage


def test_the_answer_in_json_is_what_scripts_read() -> None:
    answer = odds.volley("A2 BS3+ S4 AP-1 D1", "T4 Sv3+ W2 x2", cover=True)
    told = json.loads(json.dumps(answer.to_json()))
    assert set(told) >= {"damage", "slain", "mean_damage", "mean_slain", "p_destroyed", "stages", "rules"}
    assert sum(told["damage"].values()) == pytest.approx(1)
    assert told["mean_damage"] == pytest.approx(sum(int(n) * p for n, p in told["damage"].items()))
    assert {"11e.core.05.01-hit", "11e.core.13.08-effect"} <= set(told["rules"])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"hitt": 1}, 'did you mean "hit"'),
        ({"hit": "x"}, "a whole number from -100 to 100"),
        ({"critical_hits": 1}, "from 2 to 6"),
        ({"reroll_hits": "some"}, r"ones\|failures"),
        ({"lethal": "maybe"}, r"take\|decline\|best"),
        ({"cover": "perhaps"}, "true or false"),
        ({"range": 12}, "states no range"),
        ({"range": -1}, "inches"),
        ({"precision": True}, "no CHARACTER"),
        ({"grant": "LETAL HITS"}, 'did you mean "LETHAL HITS"'),
        ({"grant": "SUSTAINED HITS"}, "expected SUSTAINED HITS 1"),
        ({"without": "LETAL HITS"}, 'did you mean "LETHAL HITS"'),
        ({"stationary": True, "moved": True}, "exclude each other"),
        ({"models": 0}, "out of bounds"),
        ({"target_models": 0}, "out of bounds"),
        ({"edition": "5"}, "no edition"),
    ],
)
def test_settings_that_cannot_be_read_are_refused_in_one_sentence(settings: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        odds.volley("A2 BS3+ S4 AP-1 D1", "T4 Sv3+ W2 x2", **settings)  # type: ignore[arg-type]


def test_a_target_out_of_range_is_refused() -> None:
    with pytest.raises(BadInput, match="out of range"):
        odds.volley('A2 BS3+ S4 AP-1 D1 R24"', "T4 Sv3+ W2", range="25")


def test_an_edition_lists_its_settings() -> None:
    told = odds.keys("11")
    assert {"hit", "lethal", "half_range", "plunging"} <= set(told)
    assert all(told.values())
    with pytest.raises(ProfileError):
        odds.volley("A2 BS3", "T4 Sv3+ W2")
