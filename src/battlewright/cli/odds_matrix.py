"""``battlewright odds matrix``: each unit of one army against each unit of another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from battlewright.cli.common import AsJson, Edition, edition_of, key_values, print_json, say, screen
from battlewright.core.errors import BadInput

if TYPE_CHECKING:
    from battlewright.odds import Matrix, Measure, Way

__all__ = ["add_to"]

_SHADES = ((0.75, "bold white on color(25)"), (0.5, "white on color(31)"), (0.25, "black on color(116)"))
_WIDEST = 34


def add_to(group: typer.Typer) -> None:
    """Register the command below ``odds``."""
    group.command("matrix")(_matrix)


def _matrix(
    army_a: Annotated[str, typer.Argument(metavar="ARMY_A", help="The list that attacks, or a bundled army.")],
    army_b: Annotated[str, typer.Argument(metavar="ARMY_B", help="The list that is attacked.")],
    edition: Edition = "11",
    measure: Annotated[
        str, typer.Option(metavar="WHAT", help="points, earned, damage, slain or p_destroyed.")
    ] = "points",
    way: Annotated[str, typer.Option(metavar="HOW", help="best, shooting or melee.")] = "best",
    distance: Annotated[float | None, typer.Option("--range", metavar="INCHES", help="Between all units.")] = None,
    cover: Annotated[bool, typer.Option("--cover", help="Every target has the benefit of cover.")] = False,
    charged: Annotated[bool, typer.Option("--charged", help="Every attacker has charged.")] = False,
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="As odds takes them.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the heat map: .png, .svg.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what each unit of one army does to each unit of another, exactly."""
    from battlewright.armies import load_army
    from battlewright.odds import Measure, Way, matrix

    wanted = edition_of(edition)
    shown, how = _named(measure, Measure, "--measure"), _named(way, Way, "--way")
    settings: dict[str, Any] = key_values(setting or [], "--set")
    for name, value in (("range", distance), ("cover", cover or None), ("charged", charged or None)):
        if value is not None:
            settings.setdefault(name, value)
    found = matrix(load_army(army_a, wanted), load_army(army_b, wanted), wanted, **settings)
    if plot is not None:
        from battlewright.odds.plots import plot_matrix

        plot_matrix(found, plot, shown, how)
    if as_json:
        print_json(found.to_json())
    else:
        _show(found, shown, how)


def _named(text: str, names: Any, where: str) -> Any:
    key = text.strip().lower().replace("-", "_")
    if key in list(names):
        return names(key)
    from difflib import get_close_matches

    close = get_close_matches(key, list(names), n=1, cutoff=0.5)
    raise BadInput(f'there is no "{text}"', where=where, expected=", ".join(names), nearest=close[0] if close else None)


def _show(matrix: Matrix, measure: Measure, way: Way) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from battlewright.odds import Way

    values = matrix.values(measure, way)
    top = max((value for value in values.flat if value == value), default=0.0)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 0), pad_edge=False)
    table.add_column(Text(matrix.attacking_army), no_wrap=True)
    for number in range(1, len(matrix.targets) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for row, name in enumerate(matrix.attackers):
        cells = []
        for column in range(len(matrix.targets)):
            cell = matrix.cell(row, column, way, measure)
            melee = way is Way.BEST and cell is not None and cell is not matrix.cells[Way.SHOOTING][row][column]
            value = None if cell is None else cell.value(measure)
            cells.append(_cell(value, top, measure.value == "p_destroyed", melee))
        short = name if len(name) <= _WIDEST else name[: _WIDEST - 1] + "…"
        table.add_row(Text(f"{short} "), *cells)
    console = screen()
    console.print(table)
    for number, name in enumerate(matrix.targets, start=1):
        console.print(Text(f"{number:>3}  {name}"), no_wrap=True)
    told = {"best": "shooting, or melee (marked m) where it does more"}.get(way.value, way.value)
    say(f"{measure.value.replace('_', ' ')} on average; {told}; columns are the units of {matrix.target_army}")


def _cell(value: float | None, top: float, percent: bool, melee: bool) -> Any:
    from rich.text import Text

    if value is None:
        return Text("  -  ", style="dim")
    number = f"{value:.0%}" if percent else f"{value:.0f}" if top >= 100 else f"{value:.1f}"
    share = value / top if top else 0.0
    style = next((style for least, style in _SHADES if share >= least), "dim" if share < 0.02 else "")
    return Text(f" {number}{'m' if melee and share >= 0.005 else ' '}", style=style)
