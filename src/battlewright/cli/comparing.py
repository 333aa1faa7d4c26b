"""``battlewright compare``: one unit's attack on one target in several editions, from the same code."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from battlewright.cli.common import AsJson, edition_of, key_values, ordinal, print_json, screen
from battlewright.core.errors import BadInput

if TYPE_CHECKING:
    from battlewright.core.roster import Unit
    from battlewright.odds import Answer

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("compare")(_compare)


def _compare(
    unit: Annotated[str, typer.Argument(help='A unit of a bundled army, or a profile such as "A2 BS4 S4 AP5".')],
    against: Annotated[str | None, typer.Option(metavar="NAME", help="A unit is the target.")] = None,
    target: Annotated[str | None, typer.Option(metavar="PROFILE", help='By default "T4 Sv3+ W1 x10".')] = None,
    editions: Annotated[str, typer.Option(metavar="A,B,...", help="The editions to put side by side.")] = "3,4,6",
    weapon: Annotated[str | None, typer.Option(metavar="NAME", help="The unit's only weapon.")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="As for odds; repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Put one attack on one target to several editions: what comes of it in each, what differs, and why."""
    from battlewright.editions.edition import find_edition
    from battlewright.odds import volley

    wanted = [edition_of(text) for text in editions.split(",")]
    if len(dict.fromkeys(wanted)) < 2:
        raise BadInput(f'"{editions}" names no two editions', where="--editions", expected="two or more, as 3,4,6")
    for edition in wanted:
        if "table" not in find_edition(edition).parts:
            raise BadInput(f"the {ordinal(edition)} has other profiles", where="--editions", expected="3, 4 or 6")
    if against is not None and target is not None:
        raise BadInput("two targets are too many", where="--target", expected="--target or --against")
    attacker = _unit_of(unit, wanted)
    defender = _unit_of(against, wanted, must=True) if against is not None else target or "T4 Sv3+ W1 x10"
    settings: dict[str, Any] = dict(key_values(setting or [], "--set"))
    only: dict[str, Any] = {} if weapon is None or isinstance(attacker, str) else {"weapon": weapon}
    answers = [volley(attacker, defender, edition=edition, **only, **settings) for edition in wanted]
    changes = {f"{first}-{second}": _changes(first, second) for first, second in itertools.pairwise(wanted)}
    if as_json:
        print_json({"answers": {each.edition: each.to_json() for each in answers}, "why": changes})
        return
    _show(answers, changes)


def _unit_of(name: str, editions: Sequence[str], *, must: bool = False) -> str | Unit:
    """The unit of that name in the first of these editions of which a bundled army has it; else the text itself.

    The same datasheet is put to every edition, so that what differs is the rules.
    """
    from battlewright.armies import find_unit

    for edition in editions:
        try:
            return find_unit(name, edition)
        except BadInput as error:
            refused = error
    if must or not any(letter.isdigit() for letter in name):
        raise refused
    return name


def _changes(first: str, second: str) -> list[dict[str, Any]]:
    """What the second edition decides otherwise about attacks and shots than the first."""
    from battlewright.editions.edition import find_edition

    found = find_edition(first).diff(find_edition(second))
    return [
        {"entry": name, first: mine and mine.does, second: theirs and theirs.does}
        for name, (mine, theirs) in sorted(found.items())
        if name.startswith(("attack.", "shooting.shots"))
    ]


def _show(answers: Sequence[Answer], changes: dict[str, list[dict[str, Any]]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from battlewright.core.rulebook import entry, is_known

    console = screen()
    console.print(Text(f"{answers[0].attack} against {answers[0].target}", style="bold"))
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("")
    for answer in answers:
        table.add_column(f"{ordinal(answer.edition)} edition", justify="right")
    table.add_row("wounds removed", *(f"{each.mean_damage:.2f}" for each in answers))
    table.add_row("models slain", *(f"{each.mean_slain:.2f}" for each in answers))
    table.add_row("target destroyed", *(f"{each.p_destroyed:.1%}" for each in answers))
    names = dict.fromkeys((stage.volley, stage.name) for answer in answers for stage in answer.stages)
    for name in names:
        cells = []
        for answer in answers:
            alike = [each for each in answer.stages if (each.volley, each.name) == name]
            passed, rolled = sum(each.passed for each in alike), sum(each.rolled for each in alike)
            cells.append(f"{passed:.2f} of {rolled:.2f}" if alike else "")
        table.add_row(" ".join(part for part in name if part), *cells)
    console.print(table)
    for first, second in itertools.pairwise(answers):
        rows = changes[f"{first.edition}-{second.edition}"]
        console.print(Text(f"\nFrom the {ordinal(first.edition)} to the {ordinal(second.edition)}:", style="bold"))
        if not rows:
            console.print("  nothing about attacks is decided otherwise.")
        for row in rows:
            console.print(Text(f"  {row['entry']}", style="cyan"))
            for answer in (first, second):
                console.print(Text(f"    {ordinal(answer.edition)}  {row[answer.edition] or 'nothing of the kind'}"))
    for answer in answers:
        console.print(Text(f"\nAt work in the {ordinal(answer.edition)}:", style="bold"))
        for rule in answer.rules:
            text = entry(rule).rule if is_known(rule) else ""
            console.print(Text.assemble(("  " + rule, "dim"), f"  {text}"))
