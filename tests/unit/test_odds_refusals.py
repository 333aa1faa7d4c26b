"""Profiles that cannot be read are refused by the command: the place of the fault and the nearest valid form."""

from __future__ import annotations

import pytest

from battlewright import odds
from battlewright.core.errors import ProfileError
from support.commands import Run, assert_bad_input

ATTACK, TARGET = "A2 BS3+ S4 AP-1 D1", "T4 Sv3+ W2 x10"

ATTACKS = [
    ("A2 BS3", "attack, column 4", "BS3+"),
    ("A2 BS8+ S4 AP-1 D1", "attack, column 4", "BS6+"),
    ("A2 BS3+ S4 AP1 D1", "attack, column 12", "AP-1"),
    ("A2 BS3+ S4 AP-1 DD7", "attack, column 17", "DD6"),
    ("A2 BS3+ S4 AP-1 D2D4+1", "attack, column 17", "D2D3+1"),
    ("A2 BS3+ S4 AP-1 D0", "attack, column 17", "D1"),
    ("AD6-1 BS3+ S4 AP-1 D1", "attack, column 1", "A1"),
    (f"{ATTACK} [LETAL HITS]", "attack, column 21", "LETHAL HITS"),
    (f"{ATTACK} [HEAVY, RAPIT FIRE 1]", "attack, column 28", "RAPID FIRE 1"),
    (f"{ATTACK} x0", "attack, column 20", "x1"),
    (f"{ATTACK} + A1 BS3 S4 AP-1 D1", "attack, column 25", "BS3+"),
]
TARGETS = [
    ("T4 Sv3+ W0", "target, column 9", "W1"),
    ("T4 Sv3+ W2 x0", "target, column 12", "x1"),
    ("T4 Sv3+ W2 x5000", "target, column 12", "x1000"),
    ("T4 Sv3 W2", "target, column 4", "Sv3+"),
    ("T4 Sv3+ W2 FNP1+", "target, column 12", "FNP2+"),
    ("T4 Sv3+ InSv9+ W2", "target, column 9", "InSv6+"),
    (f"{TARGET} + T5 Sv2+ W0", "target, column 26", "W1"),
]
EXPECTED = [
    ("attack", "", "the attack is empty; expected A2 BS3+"),
    ("attack", f"{ATTACK} [FLYING]", "column 21: .*expected an ability such as LETHAL HITS"),
    ("attack", f"{ATTACK} [SUSTAINED HITS]", "column 21: .*expected SUSTAINED HITS 1"),
    ("attack", "A2 BS3+ S4 AP-1", "D is missing; expected A2 BS3+"),
    ("attack", "A2 BS3+ S4 AP-1 D", "column 17: D has no value"),
    ("attack", "A2 S4 AP-1 D1", r"BS is missing; expected BS3\+, WS3\+ or \[TORRENT\]"),
    ("attack", f"{ATTACK} [HEAVY", "column 20: .*never closed"),
    ("target", "", "the target is empty; expected T4 Sv3+"),
    ("target", "  ", "the target is empty; expected T4 Sv3+"),
    ("target", "T4 W2", "Sv is missing; expected T4 Sv3+"),
    ("target", "T4 Sv3+ W2 + ", "column 14: nothing stands here"),
]


@pytest.mark.parametrize(("attack", "place", "nearest"), ATTACKS)
def test_attacks(run: Run, attack: str, place: str, nearest: str) -> None:
    ran = run("odds", "--attack", attack, "--target", TARGET)
    assert_bad_input(ran)
    assert f"{place}: " in ran.err
    assert f'did you mean "{nearest}"' in ran.err


@pytest.mark.parametrize(("target", "place", "nearest"), TARGETS)
def test_targets(run: Run, target: str, place: str, nearest: str) -> None:
    ran = run("odds", "--attack", ATTACK, "--target", target)
    assert_bad_input(ran)
    assert f"{place}: " in ran.err
    assert f'did you mean "{nearest}"' in ran.err


@pytest.mark.parametrize(("option", "text", "told"), EXPECTED)
def test_what_stands_nowhere_is_told_by_an_example(run: Run, option: str, text: str, told: str) -> None:
    question = {"attack": ATTACK, "target": TARGET, option: text}
    assert_bad_input(run("odds", "--attack", question["attack"], "--target", question["target"]))
    with pytest.raises(ProfileError, match=told.replace("Sv3+", r"Sv3\+").replace("A2 BS3+", r"A2 BS3\+")):
        odds.volley(question["attack"], question["target"])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("A2 BS3 S4 AP-1 D1", "BS3"),
        ("A2 BS9+ S4 AP-1 D1", "BS9+"),
        ("A2 BS3+ S4 AP1 D1", "AP1"),
        ("A2 BS3+ S4 AP-1 DD7", "DD7"),
        ("A2 BS3+ S4 AP-1 D2D4+1", "D2D4+1"),
        ("A2 BS3+ S4 AP-1 D0", "D0"),
        (f"{ATTACK} x0", "x0"),
        (f"{ATTACK} [LETAL HITS]", "LETAL HITS"),
        (f"{ATTACK} [ANTI-VEHICEL]", "ANTI-VEHICEL"),
    ],
)
def test_the_nearest_form_put_in_its_place_can_be_read(text: str, fault: str) -> None:
    with pytest.raises(ProfileError) as refused:
        odds.volley(text, TARGET)
    told = refused.value
    assert int(told.where.rpartition(" ")[2]) == text.index(fault) + 1
    assert odds.volley(text.replace(fault, told.nearest or told.expected), TARGET).mean_damage > 0
