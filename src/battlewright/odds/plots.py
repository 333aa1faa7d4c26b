"""Pictures of odds in files: distributions, two side by side, and the heat map of two armies.

Matplotlib is loaded when something is drawn. The colours are told apart by the colour-blind, and in a print without
colours by their lightness, hatching and marks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import shorten, wrap
from typing import Any

import numpy as np

from battlewright.core.errors import BadInput
from battlewright.odds.answer import Answer
from battlewright.odds.compare import Comparison
from battlewright.odds.matrix import Matrix, Way
from battlewright.odds.measures import Measure, distribution, mean, quantile

__all__ = ["plot_answer", "plot_comparison", "plot_matrix"]

_BLUE, _PALE_BLUE = "#0072B2", "#9ECBE8"
_RED, _PALE_RED = "#B34700", "#F2B48A"
_INK = "#222222"
_LEAST = 0.0005
_PANELS = ((Measure.SLAIN, "models slain"), (Measure.DAMAGE, "wounds removed"))
_MEASURED = {
    Measure.POINTS: "points destroyed on average",
    Measure.EARNED: "points destroyed for each point of the attacker",
    Measure.DAMAGE: "wounds removed on average",
    Measure.SLAIN: "models slain on average",
    Measure.P_DESTROYED: "probability to destroy the target, %",
}
_WAYS = {Way.BEST: "shooting or melee, whichever does more", Way.SHOOTING: "shooting", Way.MELEE: "melee"}
_MOST_TICKS = 26


def plot_answer(answer: Answer, path: Path) -> None:
    """Draw models slain and wounds removed: each number, "so many or more", the average and the quartiles.

    Args:
        path: of the picture; its ending says which kind it is (``.png``, ``.svg``, ``.pdf``).

    Raises:
        BadInput: for an ending that is no kind of picture.
        OSError: when the file cannot be written.
    """
    settings = f"  ({answer.told_settings})" if answer.told_settings else ""
    figure, panels = _figure(len(_PANELS), wrap(f"{answer.attack}  against  {answer.target}{settings}", 150))
    for axes, (measure, name) in zip(panels, _PANELS, strict=True):
        chances = distribution(answer, measure)
        low, high = _shown([chances])
        _bars(axes, chances, (low, high), 0.0, 0.86, _PALE_BLUE, _BLUE, "exactly so many")
        _at_least(axes, chances, (low, high), _RED, "-", "o", "so many or more")
        _summary(axes, chances, _INK, 1.06, (1.0, 1.1), "")
        _dress(axes, name, low, high)
    _legend(figure, panels[0])
    _save(figure, path)


def plot_comparison(comparison: Comparison, path: Path) -> None:
    """Draw two answers over each other, in the way of :func:`plot_answer`.

    Raises:
        BadInput: for an ending that is no kind of picture.
        OSError: when the file cannot be written.
    """
    first, second = comparison.first, comparison.second
    names = comparison.names
    lines = [f"{label}: {shorten(name, 150, placeholder=' ...')}" for label, name in zip("AB", names, strict=True)]
    figure, panels = _figure(len(_PANELS), lines)
    for axes, (measure, name) in zip(panels, _PANELS, strict=True):
        both = [distribution(answer, measure) for answer in (first, second)]
        low, high = _shown(both)
        styles = ((-0.21, _PALE_BLUE, _BLUE, "-", "o", "", "A"), (0.21, _PALE_RED, _RED, "--", "s", "////", "B"))
        for chances, (shift, pale, dark, line, mark, hatch, label) in zip(both, styles, strict=True):
            _bars(axes, chances, (low, high), shift, 0.42, pale, dark, f"{label}: exactly so many", hatch)
            _at_least(axes, chances, (low, high), dark, line, mark, f"{label}: so many or more")
            _summary(axes, chances, dark, 1.05 + 0.05 * (label == "B"), (float(label == "B"), 1.14), f"{label}: ")
        better = comparison.better[measure]
        told = f"A does better {better.first:.0%}, equal {better.equal:.0%}, B does better {better.second:.0%}"
        _dress(axes, f"{name}\n{told}", low, high)
    _legend(figure, panels[0])
    _save(figure, path)


def plot_matrix(
    matrix: Matrix, path: Path, measure: Measure = Measure.POINTS, way: Way = Way.BEST, most: float | None = None
) -> None:
    """Draw the heat map of two armies: a row for each attacker, a column for each target, a number in each cell.

    Args:
        most: the number that has the darkest colour; the largest in the matrix by default.

    Raises:
        BadInput: for an ending that is no kind of picture.
        OSError: when the file cannot be written.
    """
    scale = 100.0 if measure is Measure.P_DESTROYED else 1.0
    values = matrix.values(measure, way) * scale
    rows, columns = values.shape
    figure = _plain_figure(3.6 + 0.62 * columns, 2.6 + 0.42 * rows)
    axes = figure.subplots()
    top = most * scale if most else max(float(np.nanmax(values, initial=0.0)), 1e-9)
    image = axes.pcolormesh(
        np.ma.masked_invalid(values), cmap="YlGnBu", vmin=0.0, vmax=top, edgecolors="white", linewidth=1.0
    )
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            is_melee = way is Way.BEST and value > 0.005 * top and _is_melee(matrix, row, column, measure)
            axes.text(
                column + 0.5,
                row + 0.5,
                _number(value, top) + ("ᵐ" if is_melee else ""),
                ha="center",
                va="center",
                fontsize=7.5,
                color="white" if value > 0.55 * top else _INK,
            )
    axes.set_facecolor("#dddddd")
    axes.invert_yaxis()
    axes.set_xticks(
        np.arange(columns) + 0.5,
        [_short(name, 26) for name in matrix.targets],
        rotation=40,
        ha="left",
        rotation_mode="anchor",
    )
    axes.xaxis.tick_top()
    axes.set_yticks(np.arange(rows) + 0.5, [_short(name, 40) for name in matrix.attackers])
    axes.tick_params(length=0, labelsize=8)
    axes.spines[:].set_visible(False)
    figure.suptitle(f"{matrix.attacking_army} against {matrix.target_army}", fontsize=11, color=_INK)
    mark = "  (ᵐ: in melee)" if way is Way.BEST else ""
    bar = figure.colorbar(image, ax=axes, location="bottom", shrink=0.6, aspect=40, pad=0.02)
    bar.set_label(f"{_MEASURED[measure]}; {_WAYS[way]}{mark}", fontsize=8)
    bar.ax.tick_params(labelsize=8)
    bar.outline.set_visible(False)
    _save(figure, path)


def _is_melee(matrix: Matrix, row: int, column: int, measure: Measure) -> bool:
    best = matrix.cell(row, column, Way.BEST, measure)
    return best is not None and best is not matrix.cells[Way.SHOOTING][row][column]


def _number(value: float, top: float) -> str:
    told = f"{value:.0f}" if top >= 100 else f"{value:.1f}" if top >= 2 else f"{value:.2f}"
    return told if float(told) else "0"


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else name[: width - 1].rstrip() + "…"


# --- figures ---------------------------------------------------------------------------------------------------


def _plain_figure(width: float, height: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def _figure(panels: int, title: Sequence[str]) -> tuple[Any, Sequence[Any]]:
    figure = _plain_figure(5.6 * panels, 4.6)
    figure.suptitle("\n".join(title), fontsize=9.5, color=_INK, x=0.01, ha="left", linespacing=1.5)
    return figure, list(figure.subplots(1, panels, squeeze=False)[0])


def _shown(several: Sequence[Mapping[float, float]]) -> tuple[int, int]:
    """The lowest and the highest number that are worth drawing in any of the distributions."""
    likely = [int(number) for chances in several for number, p in chances.items() if p >= _LEAST]
    return min(likely), max(likely)


def _bars(
    axes: Any,
    chances: Mapping[float, float],
    shown: tuple[int, int],
    shift: float,
    width: float,
    face: str,
    edge: str,
    label: str,
    hatch: str = "",
) -> None:
    numbers = np.arange(shown[0], shown[1] + 1)
    heights = [100 * chances.get(int(number), 0.0) for number in numbers]
    outline = 0.8 if len(numbers) <= 40 else 0.0
    axes.bar(
        numbers + shift,
        heights,
        width,
        color=face,
        edgecolor=edge,
        linewidth=outline,
        hatch=hatch,
        label=label,
        zorder=2,
    )


def _at_least(
    axes: Any,
    chances: Mapping[float, float],
    shown: tuple[int, int],
    colour: str,
    line: str,
    mark: str,
    label: str,
) -> None:
    numbers = np.arange(shown[0], shown[1] + 1)
    shares = [100 * sum(p for amount, p in chances.items() if amount >= number) for number in numbers]
    size = 4.0 if len(numbers) <= _MOST_TICKS else 0.0
    axes.plot(numbers, shares, line, color=colour, marker=mark, markersize=size, linewidth=1.4, label=label, zorder=3)


def _summary(
    axes: Any, chances: Mapping[float, float], colour: str, height: float, told_at: tuple[float, float], name: str
) -> None:
    """Above the axes: the average as a diamond, the quartiles as a bar with the median in it, and their numbers."""
    across = axes.get_xaxis_transform()
    average = mean(chances)
    low, middle, high = (quantile(chances, share) for share in (0.25, 0.5, 0.75))
    more = {"transform": across, "clip_on": False, "zorder": 4}
    axes.plot([low, high], [height, height], "-", color=colour, linewidth=4, alpha=0.35, solid_capstyle="butt", **more)
    axes.plot([low, high], [height] * 2, "|", color=colour, markersize=8, markeredgewidth=1.8, **more)
    axes.plot([middle], [height], "|", color=colour, markersize=15, markeredgewidth=1.8, **more)
    axes.plot([average], [height], "D", color=colour, markersize=5.5, markeredgecolor="white", **more)
    axes.axvline(average, color=colour, linewidth=0.9, linestyle=":", zorder=1)
    told = f"{name}average {average:.2f}; quartiles {low:g}, {middle:g}, {high:g}"
    side = "right" if told_at[0] else "left"
    axes.text(*told_at, told, transform=axes.transAxes, ha=side, va="bottom", fontsize=8, color=colour)


def _dress(axes: Any, name: str, low: int, high: int) -> None:
    from matplotlib.ticker import MaxNLocator, MultipleLocator, PercentFormatter

    axes.set_xlabel(name, fontsize=9)
    axes.set_ylabel("probability", fontsize=9)
    axes.set_xlim(low - 0.7, high + 0.7)
    axes.set_ylim(0, 102)
    few = high - low <= _MOST_TICKS
    axes.xaxis.set_major_locator(MultipleLocator(1) if few else MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MultipleLocator(20))
    axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
    axes.grid(axis="y", color="#dddddd", linewidth=0.7, zorder=0)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def _legend(figure: Any, axes: Any) -> None:
    from matplotlib.lines import Line2D

    handles, labels = axes.get_legend_handles_labels()
    handles += [
        Line2D([], [], color="#666666", marker="D", linestyle=":", markersize=5),
        Line2D([], [], color="#666666", marker="|", linestyle="-", linewidth=4, alpha=0.5, markersize=9),
    ]
    labels += ["average", "quartiles and median"]
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=8, frameon=False)


def _save(figure: Any, path: Path) -> None:
    kinds = sorted(figure.canvas.get_supported_filetypes())
    kind = path.suffix.lstrip(".").lower()
    if kind not in kinds:
        raise BadInput(
            f'no picture can be written with the ending "{path.suffix}"', where=str(path), expected=".png, .svg or .pdf"
        )
    figure.savefig(path, dpi=150, metadata={"Date": None} if kind == "svg" else None)
