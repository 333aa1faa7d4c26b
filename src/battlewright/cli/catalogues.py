"""``battlewright army catalogue``: units of a player's own catalogues, listed or written out for an army file."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from battlewright.cli.common import AsJson, ordinal, print_json, say, screen
from battlewright.core.errors import ArmyError

if TYPE_CHECKING:
    from battlewright.armies.catalogue import Catalogue

__all__ = ["catalogue"]


def catalogue(
    files: Annotated[
        list[str],
        typer.Argument(
            help="A catalogue (.cat, .catz), those that it refers to, and its game system (.gst).", show_default=False
        ),
    ],
    take: Annotated[str | None, typer.Option("--take", help="A unit to write out in our army format.")] = None,
    models: Annotated[int | None, typer.Option("--models", min=1, help="How many models it is to have.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--with", help='What is bought for it, by name; "2x Name" for two. Repeatable.'),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the units of a catalogue, or write one out so that it can be put below "units:" in an army file."""
    from battlewright.armies.catalogue import read_catalogue

    found = read_catalogue(files)
    if found.missing:
        say(f"{found.name} refers to files that are not given: {', '.join(found.missing)}")
    if take is None:
        if models is not None or option:
            raise ArmyError("--models and --with say how a unit is taken", expected="--take NAME")
        _list(found, as_json=as_json)
        return
    units = found.take_all(take, models, option or ())
    if as_json:
        from battlewright.armies.writing import unit_entries

        entries = [entry for unit in units for entry in unit_entries(unit)]
        print_json({"catalogue": found.name, "edition": found.edition, "units": entries})
        return
    from battlewright.armies.writing import units_as_yaml

    typer.echo(units_as_yaml(units), nl=False)


def _list(found: Catalogue, *, as_json: bool) -> None:
    units = found.units()
    if as_json:
        print_json(
            {
                "catalogue": found.name,
                "edition": found.edition,
                "units": [asdict(unit) for unit in units],
                "missing": list(found.missing),
            }
        )
        return
    from rich.text import Text

    console = screen()
    edition = f", {ordinal(found.edition)} edition" if found.edition else ""
    console.print(Text.assemble((found.name, "bold"), f"{edition}, {len(units)} units"))
    console.print(_table(units))


def _table(units: Any) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("unit", "category", "models", "points"):
        table.add_column(column, justify="right" if column in ("models", "points") else "left")
    for unit in units:
        table.add_row(Text(unit.name), Text(unit.category), str(unit.models), str(unit.points))
    return table
