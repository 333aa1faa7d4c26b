"""Dice: expressions, the mapping from words to faces, the seeded stream and the scripted one."""

from __future__ import annotations

import itertools
import threading
from collections import Counter

import numpy as np
import pytest

from battlewright.core.dice import (
    DiceExpression,
    Modifier,
    Reroll,
    Roll,
    ScriptedDice,
    ScriptedRoll,
    SeededDice,
    face_of,
    parse_dice,
)
from battlewright.core.errors import BadInput, DiceSyntaxError, ScriptError


@pytest.mark.parametrize(
    ("text", "count", "sides", "bonus", "printed"),
    [
        ("3", 0, 0, 3, "3"),
        ("0", 0, 0, 0, "0"),
        ("+3", 0, 0, 3, "3"),
        ("-1", 0, 0, -1, "-1"),
        ("D6", 1, 6, 0, "D6"),
        ("1d6", 1, 6, 0, "D6"),
        (" 2D6 ", 2, 6, 0, "2D6"),
        ("D3+1", 1, 3, 1, "D3+1"),
        ("2 d 6 + 1", 2, 6, 1, "2D6+1"),
        ("D6-1", 1, 6, -1, "D6-1"),
        ("D6+0", 1, 6, 0, "D6"),
        ("1000D6+1000", 1000, 6, 1000, "1000D6+1000"),
    ],
)
def test_an_expression_is_read_and_printed(text: str, count: int, sides: int, bonus: int, printed: str) -> None:
    expression = parse_dice(text)
    assert expression == DiceExpression(count, sides, bonus)
    assert str(expression) == printed
    assert parse_dice(printed) == expression


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "D", "2D", "DD7", "D8", "D6D6", "D6+", "D6 1", "D6+D3", "--1", "1.5", "1e3", "nan", "x", "٣", "²"),
        *("0D6", "1001D6", "D6+1001", "D6-1001", "9" * 20, "9" * 5000, "D" + "9" * 5000),
    ],
    ids=lambda text: text[:12],
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(DiceSyntaxError) as caught:
        parse_dice(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["4", "D3", "D6", "2D6", "3D3+2", "2D6-1"])
def test_weights_count_every_throw(text: str) -> None:
    expression = parse_dice(text)
    faces = [range(1, expression.sides + 1)] * expression.count
    assert expression.weights() == Counter(sum(throw) + expression.bonus for throw in itertools.product(*faces))
    weights = expression.weights()
    assert (min(weights), max(weights)) == (expression.minimum, expression.maximum)
    mean = sum(value * weight for value, weight in weights.items()) / sum(weights.values())
    assert expression.mean == pytest.approx(mean)
    weights.clear()
    assert expression.weights()


@pytest.mark.parametrize("sides", [2, 3, 6])
def test_every_face_gets_its_share_of_words_to_one_word(sides: int) -> None:
    edges = [-(-(2**64) * face // sides) for face in range(sides + 1)]
    for face, (first, after) in enumerate(itertools.pairwise(edges), start=1):
        assert face_of(first, sides) == face == face_of(after - 1, sides)
        assert abs((after - first) * sides - 2**64) <= sides


def test_a_d3_is_a_d6_halved_and_rounded_up() -> None:
    words = np.random.PCG64(3).random_raw(500).tolist()
    assert [face_of(word, 3) for word in words] == [-(-face_of(word, 6) // 2) for word in words]


FIRST_FACES = {
    0: (4, 2, 1, 1, 5, 6, 4, 5, 4, 6, 5, 1, 6, 1, 5, 2, 6, 4, 2, 3),
    1: (4, 6, 1, 6, 2, 3, 5, 3, 4, 1, 5, 4, 2, 5, 2, 3, 1, 3, 2, 2),
    7: (4, 6, 5, 2, 2, 6, 1, 5, 5, 3, 2, 2, 2, 3, 4, 4, 6, 5, 4, 6),
    2**256 - 1: (1, 6, 3, 6, 1, 1, 1, 6, 4, 3, 3, 3, 4, 1, 3, 2, 4, 1, 5, 1),
}
"""Saved battles rest on these."""


@pytest.mark.parametrize("seed", FIRST_FACES)
def test_a_seed_gives_the_same_faces_for_ever(seed: int) -> None:
    assert SeededDice(seed).throw(0, 20, 6, "any") == (FIRST_FACES[seed], 20)


def test_the_place_in_the_stream_decides_not_the_order_of_asking() -> None:
    dice = SeededDice(7)
    late, end = dice.throw(3000, 5, 6, "late")
    assert end == 3005
    assert dice.throw(0, 20, 6, "early")[0] == FIRST_FACES[7]
    assert SeededDice(7).throw(0, 3005, 6, "all")[0][3000:] == late
    assert dice.throw(4, 0, 6, "none") == ((), 4)


def test_faces_are_those_of_the_mapping() -> None:
    words = np.random.PCG64(7).random_raw(300).tolist()
    for sides in (2, 3, 6):
        assert SeededDice(7).throw(0, 300, sides, "x")[0] == tuple(face_of(word, sides) for word in words)


def test_threads_that_share_a_stream_do_not_disturb_it() -> None:
    dice, expected = SeededDice(7), SeededDice(7).throw(0, 40_000, 6, "x")[0]
    got: dict[int, tuple[int, ...]] = {}

    def ask(thread: int) -> None:
        got[thread] = tuple(dice.throw(place, 1, 6, "x")[0][0] for place in range(40_000))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(got.values()) == {expected}


def test_a_commitment_hides_the_seed_and_fits_no_other() -> None:
    assert SeededDice(7).commitment() == "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"
    assert SeededDice(8).commitment() != SeededDice(7).commitment()


@pytest.mark.parametrize("seed", [-1, 2**256, True, 7.0, "7", None])
def test_a_seed_is_a_whole_number_within_bounds(seed: object) -> None:
    with pytest.raises(BadInput, match="seed"):
        SeededDice(seed)  # type: ignore[arg-type]


def test_a_seed_too_large_to_print_is_refused_in_words() -> None:
    with pytest.raises(BadInput) as caught:
        SeededDice(10**5000)
    assert "out of bounds" in str(caught.value)


def script() -> ScriptedDice:
    return ScriptedDice([ScriptedRoll("hit", (1, 6)), {"purpose": "charge", "faces": [3]}])


def test_a_script_serves_its_rolls_in_order_and_knows_when_it_is_used_up() -> None:
    dice = script()
    faces, place = dice.throw(0, 2, 6, "hit")
    assert (faces, place) == ((1, 6), 1)
    with pytest.raises(ScriptError, match='1 scripted rolls are left over, the first for "charge"'):
        dice.finish(place)
    faces, place = dice.throw(place, 1, 3, "charge")
    assert (faces, place) == ((3,), 2)
    dice.finish(place)
    with pytest.raises(ScriptError, match="dry at roll 3"):
        dice.throw(place, 1, 6, "hit")


@pytest.mark.parametrize(
    ("place", "count", "sides", "purpose"),
    [(0, 2, 6, "wound"), (0, 3, 6, "hit"), (0, 1, 6, "hit"), (0, 2, 3, "hit"), (1, 1, 2, "charge")],
)
def test_a_script_refuses_another_purpose_number_or_die(place: int, count: int, sides: int, purpose: str) -> None:
    with pytest.raises(ScriptError):
        script().throw(place, count, sides, purpose)


@pytest.mark.parametrize(
    "entry",
    [{}, {"purpose": "hit"}, {"faces": [1]}, {"purpose": 1, "faces": [1]}]
    + [{"purpose": "hit", "faces": faces} for faces in ("66", 6, [1.0], ["1"], [True], None)],
)
def test_a_misshapen_script_is_refused_when_it_is_made(entry: dict[str, object]) -> None:
    with pytest.raises(ScriptError, match="scripted roll 1"):
        ScriptedDice([entry])


def test_a_roll_keeps_what_was_thrown_thrown_again_and_added() -> None:
    roll = Roll("hit", 6, (1, 4, 2))
    again = roll.with_rerolls([Reroll(0, 1, 5, "r")]).with_modifiers([Modifier("m", 1)])
    assert roll.unmodified == (1, 4, 2)
    assert again.faces == (1, 4, 2)
    assert again.unmodified == (5, 4, 2)
    assert (roll.total, again.total) == (7, 11)
    assert again.modifiers == (Modifier("m", 1),)
