"""Decisions: who must choose, what may be chosen, which rule asks, and the answers to it.

A battle stops at a :class:`Decision`. Its *choices* are either :class:`Options`, a finite list computed when asked
for, or a :class:`Space` with a described extent (where models may be placed, which weapons fire at what). Both sort
of choices share four verbs: ``check`` names every rule an answer breaks, ``default`` is legal and lets the game go
on, ``sample`` draws some legal answer, ``describe`` is the JSON that a page or a bot works from.

Answers are plain immutable values with a JSON form and a short text form that parses back::

    {"kind": "pick", "option": "a.3"}                                  pick a.3
    {"kind": "place", "moves": [{"model": 4, "path": [[x, y, z, f]]}]}  place 4:9.25,20,0,90>12,20,0,90
    {"kind": "declare", "attacks": [{"model": 4, "weapon": 0, "profile": 0, "target": "b.1", "count": null}]}
                                                                       declare 4/0/0@b.1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NewType, Protocol, TypeAlias, TypeVar

from battlewright.core.errors import BadInput, IllegalChoice

__all__ = [
    "SIDES",
    "Answer",
    "AttackDeclaration",
    "Choices",
    "Decision",
    "Declare",
    "ModelId",
    "ModelMove",
    "Option",
    "Options",
    "Pick",
    "Place",
    "RandomSource",
    "Side",
    "Space",
    "UnitId",
    "Violation",
    "Waypoint",
    "answer_from_json",
    "answer_to_json",
    "format_answer",
    "opponent",
    "parse_answer",
]

Side = NewType("Side", int)
"""0 for the first army (letter a), 1 for the second (letter b)."""
ModelId = NewType("ModelId", int)
"""A model's row in the arrays of the state; never changes during a battle."""
UnitId = NewType("UnitId", int)
"""A unit's place in the list of units of the state; its printed form is the roster's ``"a.3"``."""

SIDES: tuple[Side, Side] = (Side(0), Side(1))

T = TypeVar("T")


def opponent(side: Side) -> Side:
    """The other side."""
    return SIDES[1 - side]


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason why an answer is refused: the rule it breaks and a plain sentence with the numbers."""

    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})"


@dataclass(frozen=True, slots=True)
class Pick:
    """The choice of one listed option, by its key."""

    option: str


Waypoint: TypeAlias = tuple[int, int, int, int]
"""x, y, z in thousandths of an inch and facing in thousandths of a degree from 0 to 359999."""


@dataclass(frozen=True, slots=True)
class ModelMove:
    """One model's way: the waypoints it passes in straight lines, the last being where it ends.

    A model that is set up has a path of one waypoint. A model that stays where it is may be left out. An empty path
    declares that the model cannot be placed.
    """

    model: int
    path: tuple[Waypoint, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """An ordered list of moves or set-ups, carried out in that order."""

    moves: tuple[ModelMove, ...]


@dataclass(frozen=True, slots=True)
class AttackDeclaration:
    """One use of one weapon: which model, which of its weapons and profiles, at which unit.

    Attributes:
        target: the target unit's printed id.
        count: how many of the weapon's attacks, where they are split between targets; None for all of them.
    """

    model: int
    weapon: int
    profile: int
    target: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Declare:
    """Every attack that a unit declares, before any die is rolled."""

    attacks: tuple[AttackDeclaration, ...]


Answer: TypeAlias = Pick | Place | Declare


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """The JSON form of an answer; :func:`answer_from_json` is its inverse."""
    match answer:
        case Pick(option):
            return {"kind": "pick", "option": option}
        case Place(moves):
            return {
                "kind": "place",
                "moves": [{"model": move.model, "path": [list(waypoint) for waypoint in move.path]} for move in moves],
            }
        case Declare(attacks):
            return {
                "kind": "declare",
                "attacks": [
                    {
                        "model": attack.model,
                        "weapon": attack.weapon,
                        "profile": attack.profile,
                        "target": attack.target,
                        "count": attack.count,
                    }
                    for attack in attacks
                ],
            }


def _whole(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 10**9:
        raise BadInput(f"{what} is {value!r}", expected="a whole number")
    return value


def answer_from_json(data: object) -> Answer:
    """Read the JSON form of an answer.

    Raises:
        BadInput: for a value of any other shape.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise BadInput("an answer has no kind", expected='an object with "kind": "pick", "place" or "declare"')
    try:
        match data["kind"]:
            case "pick":
                if not isinstance(data["option"], str):
                    raise BadInput("the option of an answer is no text", expected="an option's key")
                return Pick(data["option"])
            case "place":
                return Place(tuple(_move_from_json(move) for move in data["moves"]))
            case "declare":
                return Declare(tuple(_attack_from_json(attack) for attack in data["attacks"]))
    except (KeyError, TypeError) as error:
        raise BadInput(f"an answer of kind {data['kind']!r} is incomplete or misshapen: {error}") from error
    raise BadInput(f"an answer of kind {data['kind']!r} is unknown", expected="pick, place or declare")


def _move_from_json(move: Mapping[str, Any]) -> ModelMove:
    path = []
    for waypoint in move["path"]:
        x, y, z, facing = (_whole(value, "a coordinate") for value in _four(waypoint))
        path.append((x, y, z, facing))
    return ModelMove(_whole(move["model"], "a model"), tuple(path))


def _four(waypoint: object) -> Sequence[object]:
    if not isinstance(waypoint, Sequence) or isinstance(waypoint, str) or len(waypoint) != 4:
        raise BadInput("a waypoint is misshapen", expected="four whole numbers: x, y, z, facing in thousandths")
    return waypoint


def _attack_from_json(attack: Mapping[str, Any]) -> AttackDeclaration:
    count = attack.get("count")
    if not isinstance(attack["target"], str):
        raise BadInput("the target of an attack is no text", expected="a unit's id")
    return AttackDeclaration(
        _whole(attack["model"], "a model"),
        _whole(attack["weapon"], "a weapon"),
        _whole(attack["profile"], "a profile"),
        attack["target"],
        None if count is None else _whole(count, "a number of attacks"),
    )


def format_answer(answer: Answer) -> str:
    """The short text form of an answer; :func:`parse_answer` is its inverse.

    >>> format_answer(Place((ModelMove(4, ((9250, 20000, 0, 90000),)),)))
    'place 4:9.25,20,0,90'
    """
    match answer:
        case Pick(option):
            return f"pick {option}"
        case Place(moves):
            return " ".join(
                ["place"]
                + [
                    f"{move.model}:" + ">".join(",".join(_milli(value) for value in point) for point in move.path)
                    for move in moves
                ]
            )
        case Declare(attacks):
            return " ".join(
                ["declare"]
                + [
                    f"{attack.model}/{attack.weapon}/{attack.profile}@{attack.target}"
                    + ("" if attack.count is None else f"*{attack.count}")
                    for attack in attacks
                ]
            )


def _milli(value: int) -> str:
    whole, rest = divmod(abs(value), 1000)
    text = f"{whole}.{rest:03d}".rstrip("0").rstrip(".") if rest else str(whole)
    return f"-{text}" if value < 0 else text


def parse_answer(text: str) -> Answer:
    """Read the short text form of an answer.

    Raises:
        BadInput: for text of any other shape.
    """
    kind, _, rest = text.strip().partition(" ")
    try:
        match kind:
            case "pick" if rest:
                return Pick(rest)
            case "place":
                return Place(tuple(_parse_move(move) for move in rest.split()))
            case "declare":
                return Declare(tuple(_parse_attack(attack) for attack in rest.split()))
    except ValueError as error:
        raise BadInput(f'"{text}" is no answer', expected="such as: place 4:9.25,20,0,90>12,20,0,90") from error
    raise BadInput(f'"{text}" is no answer', expected='"pick OPTION", "place MOVES" or "declare ATTACKS"')


def _parse_move(text: str) -> ModelMove:
    model, _, way = text.partition(":")
    path = []
    for point in way.split(">") if way else ():
        x, y, z, facing = (round(float(value) * 1000) for value in point.split(","))
        path.append((x, y, z, facing))
    return ModelMove(int(model), tuple(path))


def _parse_attack(text: str) -> AttackDeclaration:
    weapon_use, _, target = text.partition("@")
    model, weapon, profile = (int(value) for value in weapon_use.split("/"))
    target, _, count = target.partition("*")
    if not target:
        raise ValueError("no target")
    return AttackDeclaration(model, weapon, profile, target, int(count) if count else None)


class RandomSource(Protocol):
    """What ``sample`` draws with: the caller's own generator, never the battle's stream."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to ``stop - 1``."""
        ...

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen.

    Attributes:
        key: what an answer names; unique within the decision, stable for a given state.
        label: what a person reads.
        value: what the asking rule gets; never leaves the process.
    """

    key: str
    label: str
    value: Any = None


class Choices(Protocol):
    """The extent of a decision, finite or not."""

    def options(self) -> tuple[Option, ...]:
        """The options in a fixed order; empty for a space."""
        ...

    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the answer breaks; an empty list accepts it."""
        ...

    def default(self) -> Answer:
        """A legal answer that lets the game go on: pass, stay, or the best that one search finds."""
        ...

    def sample(self, rng: RandomSource) -> Answer:
        """Some legal answer; over many draws a variety of them."""
        ...

    def describe(self) -> dict[str, Any]:
        """What a page or a bot needs to build an answer, as JSON."""
        ...


Space = Choices
"""A decision's choices that cannot be listed; the protocol is the same, ``options`` is empty."""


class Options:
    """A finite list of options, computed on demand and only once.

    Args:
        make: computes the options; runs against the state as it stands at the decision.
        default: key of the default option; the last one when None (where rules put "pass").
        rule: the rule named when an answer is no option.
    """

    __slots__ = ("_default", "_listed", "_make", "_rule")

    def __init__(
        self, make: Callable[[], Iterable[Option]] | Sequence[Option], *, rule: str, default: str | None = None
    ) -> None:
        self._make = make
        self._rule = rule
        self._default = default
        self._listed: tuple[Option, ...] | None = None

    def options(self) -> tuple[Option, ...]:
        """See :meth:`Choices.options`."""
        if self._listed is None:
            self._listed = tuple(self._make() if callable(self._make) else self._make)
        return self._listed

    def check(self, answer: Answer) -> list[Violation]:
        """See :meth:`Choices.check`."""
        if not isinstance(answer, Pick):
            return [Violation(self._rule, "One of the listed options has to be picked")]
        if any(option.key == answer.option for option in self.options()):
            return []
        listed = ", ".join(option.key for option in self.options()[:12])
        return [Violation(self._rule, f'"{answer.option}" is not among the options: {listed}')]

    def default(self) -> Answer:
        """See :meth:`Choices.default`."""
        return Pick(self._default if self._default is not None else self.options()[-1].key)

    def sample(self, rng: RandomSource) -> Answer:
        """See :meth:`Choices.sample`; every option is equally likely."""
        listed = self.options()
        return Pick(listed[rng.randrange(len(listed))].key)

    def describe(self) -> dict[str, Any]:
        """See :meth:`Choices.describe`."""
        return {"options": [{"key": option.key, "label": option.label} for option in self.options()]}

    def value_of(self, answer: Answer) -> Any:
        """What the picked option stands for.

        Raises:
            IllegalChoice: when the answer picks none of the options.
        """
        if isinstance(answer, Pick):
            for option in self.options():
                if option.key == answer.option:
                    return option.value
        raise IllegalChoice(self.check(answer))


class Decision:
    """A choice that the battle waits for.

    Attributes:
        side: who must choose; not always the player whose turn it is.
        kind: a short stable name, ``"select-unit-to-shoot"``.
        prompt: one sentence for a person.
        rule: id of the rule that asks.
        choices: what may be chosen.
        is_checkpoint: whether the battle can be re-entered here from its state alone.
        subject: the unit that the choice is about, where there is one.
    """

    __slots__ = ("choices", "is_checkpoint", "kind", "prompt", "rule", "side", "subject")

    def __init__(
        self,
        side: Side,
        kind: str,
        prompt: str,
        rule: str,
        choices: Choices,
        *,
        is_checkpoint: bool = False,
        subject: UnitId | None = None,
    ) -> None:
        self.side = side
        self.kind = kind
        self.prompt = prompt
        self.rule = rule
        self.choices = choices
        self.is_checkpoint = is_checkpoint
        self.subject = subject

    def options(self) -> tuple[Option, ...]:
        """The listed options in a fixed order; empty when the choices are a space."""
        return self.choices.options()

    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the answer breaks, each with its numbers; an empty list accepts it."""
        return self.choices.check(answer)

    def default(self) -> Answer:
        """A legal answer that lets the game go on."""
        return self.choices.default()

    def sample(self, rng: RandomSource) -> Answer:
        """Some legal answer, drawn with the caller's generator."""
        return self.choices.sample(rng)

    def to_json(self) -> dict[str, Any]:
        """What a page or a bot needs to answer."""
        return {
            "side": self.side,
            "kind": self.kind,
            "prompt": self.prompt,
            "rule": self.rule,
            "checkpoint": self.is_checkpoint,
            "subject": self.subject,
            **self.choices.describe(),
        }

    def __repr__(self) -> str:
        return f"<Decision {self.kind} of side {self.side} by {self.rule}>"
