"""Decisions, lists of options, and the two forms of answers."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from battlewright.core.answers import fault_of
from battlewright.core.decisions import (
    SIDES,
    Answer,
    AttackDeclaration,
    Decision,
    Declare,
    ModelMove,
    Option,
    Options,
    Pick,
    Place,
    UnitId,
    Violation,
    answer_from_json,
    answer_to_json,
    format_answer,
    opponent,
    parse_answer,
)
from battlewright.core.errors import BadInput, EngineError, IllegalChoice

RULE = "test.rule"


def options(*keys: str, default: str | None = None) -> Options:
    return Options([Option(key, key.title(), key * 2) for key in keys], rule=RULE, default=default)


ANSWERS: list[tuple[Answer, str]] = [
    (Pick("a.3"), "pick a.3"),
    (Pick("two words"), "pick two words"),
    (Place(()), "place"),
    (Place((ModelMove(4, ()),)), "place 4:"),
    (Place((ModelMove(4, ((9250, 20000, 0, 90000),)),)), "place 4:9.25,20,0,90"),
    (
        Place((ModelMove(0, ((-1, -1000, -999, 359999), (0, 10**9, -(10**9), 1))), ModelMove(12, ((1, 2, 3, 4),)))),
        "place 0:-0.001,-1,-0.999,359.999>0,1000000,-1000000,0.001 12:0.001,0.002,0.003,0.004",
    ),
    (Declare(()), "declare"),
    (Declare((AttackDeclaration(4, 0, 1, "b.1"),)), "declare 4/0/1@b.1"),
    (
        Declare((AttackDeclaration(4, 0, 1, "b.1", 2), AttackDeclaration(5, 2, 0, "b.2"))),
        "declare 4/0/1@b.1*2 5/2/0@b.2",
    ),
]


@pytest.mark.parametrize(("answer", "text"), ANSWERS, ids=[text[:24] for _, text in ANSWERS])
def test_answers_have_two_forms_that_read_back(answer: Answer, text: str) -> None:
    assert format_answer(answer) == text
    assert parse_answer(text) == answer
    assert parse_answer(f"  {text}\n") == answer
    assert answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) == answer
    assert fault_of(answer) == ""


def test_text_snaps_to_thousandths() -> None:
    assert parse_answer("place 1:9.2504,+1.0,007,0.0006") == Place((ModelMove(1, ((9250, 1000, 7000, 1),)),))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pick",
        "pick ",
        "move 4",
        "place 4",
        "place 4:1,2,3",
        "place 4:1,2,3,4,5",
        "place :1,2,3,4",
        "place 4:1,2,3,x",
    ]
    + [
        f"place 4:{number},2,3,4"
        for number in ("nan", "inf", "-inf", "1e3", "1e999", "1_0", "0x1", "", ".", "١", "9" * 400)
    ]
    + ["place x:1,2,3,4", "place -1:1,2,3,4", "place 1.0:1,2,3,4", "place " + "9" * 5000 + ":1,2,3,4"]
    + ["declare 1/2@b.1", "declare 1/2/3", "declare 1/2/3@", "declare 1/2/3@b.1*", "declare 1/2/3@b.1*0"]
    + ["declare 1/2/3@b.1*-1", "declare 1/2/3@b.1*x", "declare -1/2/3@b.1", "declare 1/2/3/4@b.1", "declare a/b/c@d"],
    ids=lambda text: text[:32],
)
def test_other_text_is_refused_in_a_short_sentence(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_answer(text)
    assert len(str(caught.value)) < 200


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


MISSHAPEN: list[Any] = [
    *(None, 1, "pick", [], {}, {"kind": None}, {"kind": ["pick"]}, {"kind": "bet"}, {"kind": "x" * 10_000}),
    *({"kind": "pick"}, {"kind": "pick", "option": 3}, {"kind": "pick", "option": None}),
    *(
        {"kind": "place"},
        *({"kind": "place", "moves": moves} for moves in (None, 5, "ab", {"model": 1}, [None], ["ab"])),
    ),
    *({"kind": "place", "moves": [move]} for move in ([], 5, {}, {"model": 1}, {"path": []}, nested(200))),
    *(
        {"kind": "place", "moves": [{"model": model, "path": []}]}
        for model in (-1, True, 1.0, "1", None, 10**10, 10**5000, [1])
    ),
    *(
        {"kind": "place", "moves": [{"model": 1, "path": path}]}
        for path in (None, "abcd", {"x": 1}, [1], ["1234"], [[1, 2, 3]], [[1, 2, 3, 4, 5]], [{"0": 1}], [nested(900)])
    ),
    *(
        {"kind": "place", "moves": [{"model": 1, "path": [[1, value, 3, 4]]}]}
        for value in (1.5, 1.0, float("nan"), float("inf"), "1", None, True, 10**10, -(10**5000), nested(900))
    ),
    *({"kind": "declare", "attacks": attacks} for attacks in (None, {}, "ab", [None], [5], ["ab"], [[]], [{}])),
    *(
        {"kind": "declare", "attacks": [{"model": 1, "weapon": 0, "profile": 0, "target": "b.1", **wrong}]}
        for wrong in ({"model": -1}, {"weapon": None}, {"profile": 1.0}, {"target": 3}, {"count": 0}, {"count": "1"})
    ),
]


@pytest.mark.parametrize("data", MISSHAPEN, ids=range(len(MISSHAPEN)))
def test_json_of_any_other_shape_is_refused_in_a_short_sentence(data: Any) -> None:
    with pytest.raises(BadInput) as caught:
        answer_from_json(data)
    assert len(str(caught.value)) < 250


WRONG: list[Any] = [
    *(None, 5, "pick a", ("a",), Option("a", "A"), Pick(5), Pick(None)),  # type: ignore[arg-type]
    *(Place(moves) for moves in (None, [], 5, (5,), (None,), ("ab",))),  # type: ignore[arg-type]
    *(Place((ModelMove(model, ()),)) for model in (-1, True, 1.0, "1", 10**10)),  # type: ignore[arg-type]
    *(Place((ModelMove(1, path),)) for path in ([], None, (5,), ((1, 2, 3),), ([1, 2, 3, 4],))),  # type: ignore[arg-type]
    *(Place((ModelMove(1, ((1, 2, 3, value),)),)) for value in (1.0, True, "1", None, 10**10, -(10**10))),  # type: ignore[arg-type]
    *(Declare(attacks) for attacks in (None, [], (5,))),  # type: ignore[arg-type]
    Declare((AttackDeclaration(-1, 0, 0, "b.1"),)),
    Declare((AttackDeclaration(0, 0, 0, 5),)),  # type: ignore[arg-type]
    Declare((AttackDeclaration(0, 0, 0, "b.1", 0),)),
]


class Everything:
    """Choices that accept whatever reaches them."""

    def options(self) -> tuple[Option, ...]:
        return ()

    def check(self, answer: Answer) -> list[Violation]:
        return []

    def default(self) -> Answer:
        return Pick("x")

    def sample(self, rng: Any) -> Answer:
        return Pick("x")

    def describe(self) -> dict[str, Any]:
        return {"space": "everything"}


@pytest.mark.parametrize("answer", WRONG, ids=range(len(WRONG)))
def test_a_decision_refuses_values_that_could_not_be_written_down(answer: Any) -> None:
    violations = Decision(SIDES[0], "k", "p", RULE, Everything()).check(answer)
    assert [violation.rule for violation in violations] == [RULE]


@pytest.mark.parametrize("answer", [answer for answer, _ in ANSWERS], ids=lambda answer: type(answer).__name__)
def test_a_list_accepts_its_options_and_nothing_else(answer: Answer) -> None:
    decision = Decision(SIDES[0], "k", "p", RULE, options("a.3", "pass"))
    assert bool(decision.check(answer)) == (answer != Pick("a.3"))


def test_options_are_made_when_asked_for_and_once() -> None:
    made: list[int] = []

    def make() -> list[Option]:
        made.append(1)
        return [Option("a", "A", 1)]

    lazy = Options(make, rule=RULE)
    assert made == []
    assert lazy.check(Pick("a")) == []
    assert lazy.value_of(lazy.default()) == lazy.options()[0].value == 1
    assert made == [1]


def test_the_default_is_the_last_option_unless_another_is_named() -> None:
    assert options("a", "b").default() == Pick("b")
    assert options("a", "b", default="a").default() == Pick("a")
    with pytest.raises(EngineError, match="default"):
        options("a", "b", default="c").default()


def test_a_refusal_names_the_rule_and_what_could_be_chosen() -> None:
    (violation,) = options("a", "b").check(Pick("c"))
    assert str(violation) == '"c" is not among the options: a, b (test.rule)'
    with pytest.raises(IllegalChoice) as caught:
        options("a").value_of(Place(()))
    assert caught.value.violations[0].rule == RULE


def test_options_tell_where_they_lie_and_what_they_use() -> None:
    listed = (
        Option("a", "there", 1, point=(3.5, 2.0004)),
        Option("b", "with it", 2, weapons=("Bolter",)),
    )
    assert Options(listed, rule=RULE, marker=3.0).describe() == {
        "options": [
            {"key": "a", "label": "there", "point": [3500, 2000]},
            {"key": "b", "label": "with it", "weapons": ["Bolter"]},
        ],
        "marker": 3000,
    }


def test_a_choice_of_nothing_is_a_fault_of_ours() -> None:
    none = options()
    assert none.options() == ()
    assert none.describe() == {"options": []}
    assert none.check(Pick("a"))
    with pytest.raises(EngineError, match="without options"):
        none.default()
    with pytest.raises(EngineError, match="without options"):
        none.sample(random.Random(0))
    with pytest.raises(EngineError, match="same key"):
        options("a", "b", "a").options()


def test_a_sample_reaches_every_option() -> None:
    rng, listed = random.Random(0), options("a", "b", "c")
    assert {listed.sample(rng) for _ in range(50)} == {Pick("a"), Pick("b"), Pick("c")}


def test_a_decision_as_json_holds_no_value_of_an_option() -> None:
    choices = Options([Option("a", "A", object())], rule=RULE)
    decision = Decision(SIDES[1], "k", "p", RULE, choices, is_checkpoint=True, subject=UnitId(3))
    assert json.loads(json.dumps(decision.to_json())) == {
        "side": 1,
        "kind": "k",
        "prompt": "p",
        "rule": RULE,
        "checkpoint": True,
        "subject": 3,
        "options": [{"key": "a", "label": "A"}],
    }
    assert opponent(decision.side) == SIDES[0]
