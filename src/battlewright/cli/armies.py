"""``battlewright army show`` and ``army list``; and reading the armies that other commands are given."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

import typer

from battlewright.cli.catalogues import catalogue
from battlewright.cli.common import AnyEdition, AsJson, edition_of, ordinal, print_json, say, screen
from battlewright.core.errors import ArmyError

if TYPE_CHECKING:
    from battlewright.core.roster import Army, Unresolved

__all__ = ["Attach", "Split", "add_to", "armies_for_battle", "read_army", "warnings_of", "with_attachments"]

Attach = Annotated[
    list[str] | None,
    typer.Option(
        "--attach", metavar="LEADER=UNIT", help="Attach a leader or support of the list to a unit; repeatable."
    ),
]

_MOST_WARNINGS = 8

Split = Annotated[
    list[str] | None,
    typer.Option("--split", metavar="UNIT", help="Split a unit in two where an ability allows it; repeatable."),
]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    army = typer.Typer(help="Read army lists of any supported format; name the bundled ones.", no_args_is_help=True)
    army.command("show")(_show)
    army.command("list")(_list)
    army.command("catalogue")(catalogue)
    app.add_typer(army, name="army")


def _show(
    file: Annotated[str, typer.Argument(help="An army list, its format recognised, or the name of a bundled army.")],
    edition: AnyEdition = None,
    attach: Attach = None,
    split: Split = None,
    as_json: AsJson = False,
) -> None:
    """Show an army as it is read: units, models, weapons, what is enforced, what does not add up, what is not legal."""
    from battlewright.armies import attached, judged_report, load_army, split_units

    army = load_army(file, edition_of(edition) if edition else None)
    report = judged_report(attached(split_units(army, split or ()), attach or ()))
    if as_json:
        print_json(report)
        return
    console = screen()
    console.print(_headline(report))
    console.print(_units(report))
    if missing := dict.fromkeys(name for unit in report["units"] for name in unit["not_enforced"]):
        console.print(_paragraph("Not enforced, without any effect in a battle: ", ", ".join(missing), "yellow"))
    for reason in report["unresolved"]:
        console.print(_paragraph("Does not add up: ", _reason(reason), "red"))
    for breach in report["breaches"]:
        console.print(_paragraph("Not legal: ", f"{breach['text']} ({breach['rule']})", "red"))
    for remark in report["remarks"]:
        console.print(_paragraph("To note: ", remark, "yellow"))


def _headline(report: dict[str, Any]) -> Any:
    from rich.text import Text

    facts = [f"{ordinal(report['edition'])} edition", report["faction"], *report["detachments"]]
    facts += [report["disposition"]] if report["disposition"] else []
    facts += [f"{report['points']} points", "reconciled" if report["reconciled"] else "NOT reconciled"]
    return Text.assemble((report["name"] or report["faction"], "bold"), "\n", ", ".join(facts))


def _units(report: dict[str, Any]) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("unit", "models", "points", "weapons", "enforced"):
        table.add_column(column, justify="right" if column in ("models", "points", "enforced") else "left")
    for unit in report["units"]:
        name = unit["name"] if unit["attached_to"] is None else f"  + {unit['name']}, with {unit['attached_to']}"
        weapons = ", ".join(f"{count} {weapon}" if count > 1 else weapon for weapon, count in unit["weapons"].items())
        counts = f"{len(unit['enforced'])} of {len(unit['enforced']) + len(unit['not_enforced'])}"
        table.add_row(Text(name), str(unit["models"]), str(unit["points"]), Text(weapons), counts)
    return table


def _paragraph(begin: str, text: str, style: str) -> Any:
    from rich.text import Text

    return Text.assemble((begin, style), text)


def _reason(reason: dict[str, Any]) -> str:
    where = "" if reason["line"] is None else f"line {reason['line']}: "
    nearest = "" if reason["nearest"] is None else f' (did you mean "{reason["nearest"]}"?)'
    return f"{where}{reason['text']}{nearest}"


def _list(edition: AnyEdition = None, as_json: AsJson = False) -> None:
    """Name the bundled armies."""
    from battlewright.armies import load_army, sample_armies

    wanted = edition_of(edition) if edition else None
    armies = {name: load_army(path) for name, path in sample_armies(wanted).items()}
    if as_json:
        print_json(
            [
                {
                    "name": name,
                    "edition": army.edition,
                    "faction": army.faction,
                    "points": army.points,
                    "units": len(army.units),
                }
                for name, army in armies.items()
            ]
        )
        return
    if not armies:
        say("No army is bundled" + (f" for the {ordinal(wanted)} edition." if wanted else "."))
    for name, army in armies.items():
        typer.echo(f"{name:<28} {ordinal(army.edition)} edition, {army.faction}, {army.points} points")


def armies_for_battle(files: tuple[str | None, str | None], edition: str, *, as_is: bool) -> tuple[Army, Army]:
    """The two armies of a battle; for a file that is not given stands the bundled army that is nearest in points.

    :func:`warnings_of` names afterwards what of a list has no effect.

    Raises:
        ArmyError: when a list cannot be read, or does not add up and ``as_is`` is not given; when no army is bundled.
    """
    from battlewright.armies import load_army, sample_armies

    given = [[] if file is None else [load_army(file, edition)] for file in files]
    if [] in given:
        bundled = [load_army(path) for path in sample_armies(edition).values()]
        if len(bundled) < given.count([]):
            raise ArmyError(
                f"too few armies are bundled for the {ordinal(edition)} edition", expected="the files of two lists"
            )
        given = [armies or bundled for armies in given]
    first, second = min(product(*given), key=_unlike)
    for army, file in zip((first, second), files, strict=True):
        if not as_is:
            _refuse(army, file or army.name)
    return first, second


def with_attachments(armies: tuple[Army, Army], attachments: Sequence[str], splits: Sequence[str]) -> tuple[Army, Army]:
    """The armies of a battle after what ``--split`` and ``--attach`` say: of side a, unless it begins with ``b:``.

    Raises:
        ArmyError: for what is not allowed.
    """
    from battlewright.armies import attached, split_units

    halves, joined = _by_side(splits), _by_side(attachments)
    first, second = (attached(split_units(army, halves[side]), joined[side]) for side, army in enumerate(armies))
    return first, second


def _by_side(sayings: Sequence[str]) -> tuple[list[str], list[str]]:
    said: tuple[list[str], list[str]] = ([], [])
    for saying in sayings:
        side, sign, rest = saying.partition(":")
        named = bool(sign) and side.strip().lower() in ("a", "b")
        said[named and side.strip().lower() == "b"].append(rest if named else saying)
    return said


def read_army(file: str, edition: str, *, as_is: bool) -> Army:
    """One army of a list file, or a bundled one by name, with the same warnings and refusals.

    Raises:
        ArmyError: when it cannot be read, or does not add up and ``as_is`` is not given.
    """
    from battlewright.armies import load_army

    army = load_army(file, edition)
    if not as_is:
        _refuse(army, file)
    for warning in warnings_of(army, file):
        say(warning)
    return army


def _unlike(armies: tuple[Army, ...]) -> tuple[bool, int, int]:
    """How badly two armies suit each other: an army against itself last, then by points, small battles first."""
    first, second = armies
    return first == second, abs(first.points - second.points), first.points


def _refuse(army: Army, where: str) -> None:
    fatal = [_reason_of(each) for each in army.unresolved if each.fatal]
    if fatal:
        more = f" (and {len(fatal) - 1} more; battlewright army show names them)" if len(fatal) > 1 else ""
        raise ArmyError(f"the list does not add up: {fatal[0]}{more}; --as-is plays it all the same", where=where)


def _reason_of(fault: Unresolved) -> str:
    return _reason({"line": fault.line, "text": fault.text, "nearest": fault.nearest})


def warnings_of(army: Army, where: str) -> list[str]:
    """What of a list has no effect, could not be reconciled without changing who stands on the table, or is not legal.

    To be said once nothing can be refused any more, so that a refusal stands alone.
    """
    from battlewright.armies import breaches_of

    reasons = [f"{where}: {_reason_of(each)}" for each in army.unresolved]
    reasons += [f"{where}: not legal: {each.text} ({each.rule})" for each in breaches_of(army)]
    if len(reasons) > _MOST_WARNINGS:
        more = f"{where}: {len(reasons) - _MOST_WARNINGS} more; battlewright army show names them"
        return [*reasons[:_MOST_WARNINGS], more]
    return reasons
