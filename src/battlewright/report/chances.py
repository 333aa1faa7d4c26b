"""Distributions as text."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["bars", "bars_beside", "worth_showing"]

_EIGHTHS = " ▏▎▍▌▋▊▉"


def worth_showing(chances: Mapping[int, float], least: float = 0.0005) -> dict[int, float]:
    """The numbers from the first to the last whose probability is worth a line.

    >>> worth_showing({0: 0.00001, 1: 0.5, 2: 0.0, 3: 0.49999})
    {1: 0.5, 2: 0.0, 3: 0.49999}
    """
    likely = [number for number, chance in chances.items() if chance >= least]
    if not likely:
        return dict(chances)
    return {number: chances.get(number, 0.0) for number in range(min(likely), max(likely) + 1)}


def bars(chances: Mapping[int, float], width: int = 40, most: int = 24) -> list[str]:
    """A line for each number: its probability, a bar, and the probability of at least so many.

    Where there are more than ``most`` numbers, several share a line.

    >>> for line in bars({0: 0.25, 1: 0.75}, width=4): print(line)
      0   25.0%  █▍    100.0%
      1   75.0%  ████   75.0%
    """
    shown = worth_showing(chances)
    step = max(1, -(-len(shown) // most))
    numbers = sorted(shown)
    groups = [numbers[start : start + step] for start in range(0, len(numbers), step)]
    sums = [sum(shown[number] for number in group) for group in groups]
    labels = [str(group[0]) if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups]
    highest = max(sums, default=1.0) or 1.0
    column = max([3, *map(len, labels)])
    lines = []
    for group, label, chance in zip(groups, labels, sums, strict=True):
        at_least = sum(p for number, p in chances.items() if number >= group[0])
        lines.append(f"{label:>{column}}  {chance:6.1%}  {_bar(chance / highest, width):<{width}}  {at_least:6.1%}")
    return lines


def bars_beside(first: Mapping[int, float], second: Mapping[int, float], width: int = 30, most: int = 24) -> list[str]:
    """A line for each number with two bars, the first distribution's and the second's.

    >>> for line in bars_beside({0: 0.25, 1: 0.75}, {1: 1.0}, width=4): print(line)
      0   25.0%  █       0.0%
      1   75.0%  ███   100.0%  ████
    """
    likely = [number for chances in (first, second) for number in worth_showing(chances)]
    numbers = range(min(likely), max(likely) + 1)
    step = max(1, -(-len(numbers) // most))
    groups = [numbers[start : start + step] for start in range(0, len(numbers), step)]
    sums = [[sum(chances.get(number, 0.0) for number in group) for chances in (first, second)] for group in groups]
    highest = max(max(pair) for pair in sums) or 1.0
    labels = [str(group[0]) if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups]
    column = max([3, *map(len, labels)])
    return [
        (
            f"{label:>{column}}  {one:6.1%}  {_bar(one / highest, width):<{width}}"
            f"  {other:6.1%}  {_bar(other / highest, width)}"
        ).rstrip()
        for label, (one, other) in zip(labels, sums, strict=True)
    ]


def _bar(share: float, width: int) -> str:
    whole, rest = divmod(round(share * width * 8), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")
