"""``battlewright odds``: what an attack does, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from battlewright.cli import odds_matrix
from battlewright.cli.common import AsJson, edition_of, key_values, print_json
from battlewright.cli.odds_question import Question, takes_question
from battlewright.core.errors import BadInput

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Register the command and those below it."""
    group = typer.Typer(
        help="Say what an attack does to a target: damage, models slain, stage by stage, exactly.",
        invoke_without_command=True,
        no_args_is_help=False,
    )
    group.callback()(takes_question(_odds))
    group.command("explain")(takes_question(_explain))
    odds_matrix.add_to(group)
    app.add_typer(group, name="odds")


def _odds(
    question: Question,
    context: typer.Context,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="K=V",
            help='Ask again with a change, side by side: attack="A4 ...", target=, unit=, weapon=, cover=. Repeatable.',
        ),
    ] = None,
    keys: Annotated[bool, typer.Option("--keys", help="List the settings that --set takes.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the distributions: .png, .svg.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what an attack does to a target: damage, models slain, stage by stage, exactly."""
    if context.invoked_subcommand is not None:
        if question != Question() or compare or plot or as_json or keys:
            raise BadInput(
                f"options stand behind {context.invoked_subcommand}",
                expected=f"battlewright odds {context.invoked_subcommand} ...",
            )
        return
    if keys:
        _show_keys(edition_of(question.edition), as_json)
    elif compare:
        _compare(question, compare, plot, as_json)
    else:
        _answer(question, plot, as_json)


def _answer(question: Question, plot: Path | None, as_json: bool) -> None:
    answer = question.ask()
    if plot is not None:
        from battlewright.odds.plots import plot_answer

        plot_answer(answer, plot)
    if as_json:
        print_json(answer.to_json())
        return
    from battlewright.cli.odds_show import show_answer

    show_answer(answer)


def _compare(question: Question, changes: list[str], plot: Path | None, as_json: bool) -> None:
    from battlewright.odds import compare

    for change in changes:
        if "=" not in change:
            raise BadInput(
                f'"{change}" does not say what changes',
                where="--compare",
                expected='attack="A4 ..." or target="T4 ..."',
            )
    comparison = compare(question.ask(), question.changed(key_values(changes, "--compare")).ask())
    if plot is not None:
        from battlewright.odds.plots import plot_comparison

        plot_comparison(comparison, plot)
    if as_json:
        print_json(comparison.to_json())
        return
    from battlewright.cli.odds_show import show_comparison

    show_comparison(comparison)


def _explain(question: Question, as_json: AsJson = False) -> None:
    """Say how an answer came about: each stage with what its dice mean and its rules."""
    from battlewright.odds import explain

    answer = question.ask()
    explained = explain(answer)
    if as_json:
        from battlewright.core.rulebook import entry

        told = [each.to_json() for each in explained]
        for stage in told:
            stage["rules"] = [{"id": rule, "rule": entry(rule).rule} for rule in stage["rules"]]
        print_json({**answer.to_json(), "explained": told})
        return
    from battlewright.cli.odds_show import show_explained

    show_explained(answer, explained)


def _show_keys(edition: str, as_json: bool) -> None:
    from battlewright.odds import keys

    known = keys(edition)
    if as_json:
        print_json(dict(known))
        return
    for key, meaning in known.items():
        typer.echo(f"{key:<18} {meaning}")
