"""Two answers side by side, and the probability that one does better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battlewright.odds.answer import Answer
from battlewright.odds.measures import Measure, distribution, mean

__all__ = ["Better", "Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Better:
    """Two amounts, rolled independently of each other.

    Attributes:
        means: the average of the first and of the second.
        first, equal, second: probability that the first is more, that both are equal, that the second is more.
    """

    means: tuple[float, float]
    first: float
    equal: float
    second: float

    def to_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {"means": list(self.means), "first": self.first, "equal": self.equal, "second": self.second}


@dataclass(frozen=True)
class Comparison:
    """Two answers, and for each measure how often which of them does better.

    Attributes:
        better: for ``damage`` and ``slain``, and for ``points`` where the models of both targets cost some.
    """

    first: Answer
    second: Answer
    better: Mapping[Measure, Better]

    @property
    def names(self) -> tuple[str, str]:
        """What to call the two: their attack and target, and settings where these are all that differs."""
        asked = [f"{answer.attack} against {answer.target}" for answer in (self.first, self.second)]
        if asked[0] == asked[1]:
            asked = [
                f"{name}, {told}" if (told := answer.told_settings) else name
                for name, answer in zip(asked, (self.first, self.second), strict=True)
            ]
        return asked[0], asked[1]

    def to_json(self) -> dict[str, Any]:
        """Both answers and the comparison as JSON values."""
        return {
            "first": self.first.to_json(),
            "second": self.second.to_json(),
            "better": {measure.value: each.to_json() for measure, each in self.better.items()},
        }


def compare(first: Answer, second: Answer) -> Comparison:
    """Lay two answers side by side: two loadouts against one target, or one loadout against two targets.

    >>> from battlewright.odds import volley
    >>> bolter, plasma = (volley(weapon, "T4 Sv- W1") for weapon in ("A1 BS4+ S4 AP0 D1", "A1 BS4+ S8 AP0 D1"))
    >>> better = compare(bolter, plasma).better[Measure.SLAIN]
    >>> round(better.second, 4), round(better.equal, 4)
    (0.3125, 0.5417)
    """
    measures = [Measure.DAMAGE, Measure.SLAIN]
    if all(any(group.points for group in answer.odds.target.groups) for answer in (first, second)):
        measures.append(Measure.POINTS)
    return Comparison(first, second, {measure: _better(first, second, measure) for measure in measures})


def _better(first: Answer, second: Answer, measure: Measure) -> Better:
    one, other = distribution(first, measure), distribution(second, measure)
    more = equal = 0.0
    below = 0.0
    lesser = iter(sorted(other.items()))
    waiting = next(lesser, None)
    for amount, p in sorted(one.items()):
        while waiting is not None and waiting[0] < amount:
            below += waiting[1]
            waiting = next(lesser, None)
        more += p * below
        equal += p * other.get(amount, 0.0)
    return Better((mean(one), mean(other)), more, equal, max(1.0 - more - equal, 0.0))
