"""Distributions as text and as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["bars", "plot", "worth_showing"]

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


def _bar(share: float, width: int) -> str:
    whole, rest = divmod(round(share * width * 8), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def plot(path: Path, title: str, parts: Sequence[tuple[str, Mapping[int, float]]]) -> None:
    """Draw distributions side by side into a file; its ending says which kind of picture.

    Args:
        parts: what each counts, with its probabilities.

    Raises:
        ValueError: for an ending that is no kind of picture.
        OSError: when the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.2 * len(parts), 3.8), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=10)
    for axes, (name, chances), colour in zip(
        figure.subplots(1, len(parts), squeeze=False)[0], parts, ("#1f7fb4", "#c4512b", "#66664f"), strict=False
    ):
        shown = worth_showing(chances)
        axes.bar(list(shown), [100 * chance for chance in shown.values()], color=colour, width=0.85)
        axes.set_xlabel(name)
        axes.set_ylabel("probability, %")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
