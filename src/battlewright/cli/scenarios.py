"""``battlewright scenario run``: does a position come to what its file expects?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from battlewright.cli.common import AsJson, complain, print_json, say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    scenario = typer.Typer(help="Positions written down, played with scripted dice.", no_args_is_help=True)
    scenario.command("run")(_run)
    scenario.command("schema")(_schema)
    app.add_typer(scenario, name="scenario")


def _run(
    files: Annotated[list[Path], typer.Argument(help="Scenario files.")],
    as_json: AsJson = False,
) -> None:
    """Play scenarios through; exit code 1 when something in one of them does not come as expected."""
    from battlewright.scenarios import read_scenario, run_scenario

    reports = [run_scenario(read_scenario(file)) for file in files]
    if as_json:
        rows = [report.to_json() for report in reports]
        print_json(rows[0] if len(rows) == 1 else rows)
    for file, report in zip(files, reports, strict=True):
        if not report.passed:
            complain(f"{file}: {report.name}: {report.failure}")
        elif not as_json:
            say(f"passed: {report.name} ({report.steps} steps)")
    if not all(report.passed for report in reports):
        raise typer.Exit(1)


def _schema() -> None:
    """Print the JSON schema of the format."""
    from battlewright.scenarios import scenario_schema

    typer.echo(json.dumps(scenario_schema(), indent=2))
