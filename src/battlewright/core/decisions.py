"""Decisions: who must choose, what may be chosen, which rule asks, and the answers to it.

A battle stops at a :class:`Decision`. Its *choices* are either :class:`Options`, a finite list computed when asked
for, or a :class:`Space` with a described extent (where models may be placed, which weapons fire at what). Both sort
of choices share four verbs: ``check`` names every rule an answer breaks, ``default`` is legal and lets the game go
on, ``sample`` draws some legal answer, ``describe`` is the JSON that a page or a bot works from.

Answers and their forms stand in :mod:`battlewright.core.answers`; they can be imported from here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NewType, Protocol, TypeVar

from battlewright.core.answers import (
    Answer,
    AttackDeclaration,
    Declare,
    ModelMove,
    Pick,
    Place,
    Waypoint,
    answer_from_json,
    answer_to_json,
    fault_of,
    format_answer,
    parse_answer,
)
from battlewright.core.errors import EngineError, IllegalChoice

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
        key: what an answer names; unique within the decision, stable for a given state, without white space at its
            ends.
        label: what a person reads.
        value: what the asking rule gets; never leaves the process.
        point: where on the table it is, in inches, of options that are places.
        weapons: names of the weapons that it would use, of options that are such.
        settings: what else a question of its odds has to say, as settings of the edition; never leaves the process.
    """

    key: str
    label: str
    value: Any = None
    point: tuple[float, float] | None = None
    weapons: tuple[str, ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()

    def describe(self) -> dict[str, Any]:
        """What a client may know of it; the point in thousandths of an inch."""
        told: dict[str, Any] = {"key": self.key, "label": self.label}
        if self.point is not None:
            told["point"] = [round(1000 * value) for value in self.point]
        if self.weapons:
            told["weapons"] = list(self.weapons)
        return told


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
        marker: diameter in inches of the round marker that lies at the point of whichever option is picked.
    """

    __slots__ = ("_default", "_listed", "_make", "_marker", "_rule")

    def __init__(
        self,
        make: Callable[[], Iterable[Option]] | Sequence[Option],
        *,
        rule: str,
        default: str | None = None,
        marker: float | None = None,
    ) -> None:
        self._make = make
        self._rule = rule
        self._default = default
        self._marker = marker
        self._listed: tuple[Option, ...] | None = None

    def options(self) -> tuple[Option, ...]:
        """See :meth:`Choices.options`."""
        if self._listed is None:
            self._listed = tuple(self._make() if callable(self._make) else self._make)
            if len({option.key for option in self._listed}) < len(self._listed):
                raise EngineError(f"two options have the same key: {[option.key for option in self._listed]}")
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
        """See :meth:`Choices.default`.

        Raises:
            EngineError: when nothing can be chosen, or not the default: the rule should not have asked so.
        """
        listed = self._some()
        if self._default is None:
            return Pick(listed[-1].key)
        if all(option.key != self._default for option in listed):
            raise EngineError(f'the default "{self._default}" is not among the options')
        return Pick(self._default)

    def sample(self, rng: RandomSource) -> Answer:
        """See :meth:`Choices.sample`; every option is equally likely.

        Raises:
            EngineError: when nothing can be chosen.
        """
        listed = self._some()
        return Pick(listed[rng.randrange(len(listed))].key)

    def _some(self) -> tuple[Option, ...]:
        if not self.options():
            raise EngineError(f"a choice without options was asked for by {self._rule}")
        return self.options()

    def describe(self) -> dict[str, Any]:
        """See :meth:`Choices.describe`."""
        told: dict[str, Any] = {"options": [option.describe() for option in self.options()]}
        return told if self._marker is None else {**told, "marker": round(1000 * self._marker)}

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
        target: the unit that the subject's attacks are made at, where that has been settled.
    """

    __slots__ = ("choices", "is_checkpoint", "kind", "prompt", "rule", "side", "subject", "target")

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
        target: UnitId | None = None,
    ) -> None:
        self.side = side
        self.kind = kind
        self.prompt = prompt
        self.rule = rule
        self.choices = choices
        self.is_checkpoint = is_checkpoint
        self.subject = subject
        self.target = target

    def options(self) -> tuple[Option, ...]:
        """The listed options in a fixed order; empty when the choices are a space."""
        return self.choices.options()

    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the answer breaks, each with its numbers; an empty list accepts it.

        What is accepted can be written down and read back: an answer of any other make is refused here, before the
        choices see it.
        """
        fault = fault_of(answer)
        return [Violation(self.rule, fault)] if fault else self.choices.check(answer)

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
