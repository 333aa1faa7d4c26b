"""``battlewright rules`` and ``battlewright options``: looking things up."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from battlewright.cli.common import (
    AnyEdition,
    AsJson,
    Edition,
    edition_of,
    key_values,
    ordinal,
    print_json,
    say,
    screen,
    write_whole,
)
from battlewright.core.errors import BadInput, UnknownRule

__all__ = ["add_to"]

_MOST_FOUND = 2000
_ABOUT_TICKS = ("A ticked box is the default.", "Ticked is what you asked for, else the default.")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("rules")(_rules)
    app.command("options")(_options)


def _rules(
    query: Annotated[
        list[str] | None, typer.Argument(help="Words, a term in any language of the glossary, or an id.")
    ] = None,
    edition: AnyEdition = None,
    lang: Annotated[str | None, typer.Option(metavar="en|hu|ru|de", help="Language of the query's terms.")] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="How much of the rulebook is enforced.")] = False,
    diff: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="What edition B decides otherwise than A.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="The most entries to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Look up what a rule says, where the code applies it, and how much of an edition is enforced."""
    from battlewright.core.rulebook import LANGUAGES

    wanted = edition_of(edition) if edition else None
    if lang is not None and lang not in LANGUAGES:
        raise BadInput(f'there is no glossary for "{lang}"', where="--lang", expected="en, hu, ru or de")
    if diff is not None:
        _show_differences(edition_of(diff[0]), edition_of(diff[1]), as_json)
    elif coverage:
        _show_coverage(wanted, as_json)
    elif query:
        _show_found(" ".join(query), wanted, lang, limit, as_json)
    else:
        _show_chapters(wanted, as_json)


def _show_found(query: str, edition: str | None, lang: str | None, limit: int, as_json: bool) -> None:
    from battlewright.core import rulebook
    from battlewright.core.rulebook_report import search_report

    found = search_report(query, edition, lang, _MOST_FOUND)
    exact = [entry for entry in found if entry["id"] == query.strip()]
    shown = exact or found[:limit]
    if not shown and re.fullmatch(r"\s*\d+e\.\S+\s*", query):
        raise UnknownRule(query.strip(), rulebook.nearest_rule(query.strip()))
    if as_json:
        print_json(shown)
        return
    if not shown:
        say(f'Nothing in the rulebook answers to "{query}".')
        return
    console = screen()
    if exact:
        console.print(_card(exact[0]))
        return
    for entry in shown:
        console.print(_line(entry))
    if len(found) > len(shown):
        say(f"{len(found) - len(shown)} more; --limit shows more of them, a whole id shows one entry in full.")


def _line(entry: dict[str, Any]) -> Any:
    from rich.text import Text

    mark = " ✓" if entry["covered"] else ""
    return Text.assemble(
        (entry["id"], "bold"), (mark, "green"), (f"  {entry['chapter']}", "dim"), f"\n  {entry['rule']}"
    )


def _card(entry: dict[str, Any]) -> Any:
    from rich.text import Text

    text = Text.assemble((entry["id"], "bold"), f"\n{ordinal(entry['edition'])} edition, {entry['chapter']}")
    text.append(f" ({entry.get('section') or entry.get('where') or entry['kind']})", "dim")
    text.append(f"\n\n{entry['rule']}\n")
    for field in ("given", "when", "then", "values", "default", "note", "confidence"):
        if field in entry:
            text.append(f"\n{field:>10}  ", "dim")
            text.append(entry[field] if isinstance(entry[field], str) else json.dumps(entry[field], ensure_ascii=False))
    for term, words in entry["terms"].items():
        text.append(f"\n{'term':>10}  ", "dim")
        text.append(f"{term} = {', '.join(words)}")
    for number, place in enumerate(entry["code"] or ["nothing cites it yet"]):
        text.append(f"\n{'' if number else 'code':>10}  ", "dim")
        text.append(place)
    text.append(f"\n{'tested':>10}  ", "dim")
    text.append("yes" if entry["covered"] else "not yet", "green" if entry["covered"] else "yellow")
    return text


def _show_chapters(edition: str | None, as_json: bool) -> None:
    from battlewright.core.rulebook import EDITIONS
    from battlewright.core.rulebook_report import chapter_report

    wanted = (edition,) if edition else EDITIONS
    if as_json:
        print_json(
            {
                each: [
                    {
                        "id": row.chapter.id,
                        "title": row.chapter.title,
                        "book": row.chapter.book,
                        "entries": row.entries,
                        "covered": row.covered,
                    }
                    for row in chapter_report(each)
                ]
                for each in wanted
            }
        )
        return
    if edition is None:
        _show_coverage(None, False)
        say("Give words or an id to search, --edition for its chapters.")
        return
    table = _table(f"{ordinal(edition)} edition", "book", "chapter", "entries", "enforced")
    for row in chapter_report(edition):
        table.add_row(row.chapter.book, row.chapter.title, str(row.entries), str(row.covered))
    screen().print(table)


def _show_coverage(edition: str | None, as_json: bool) -> None:
    from battlewright.core.rulebook_report import coverage_report

    report = coverage_report(edition)
    if as_json:
        print_json(report)
        return
    table = _table("Entries enforced by code and held by a test", "edition", "book", "entries", "enforced", "")
    for each, books in report.items():
        for book, counts in books.items():
            if counts["entries"]:
                share = f"{counts['covered'] / counts['entries']:.0%}"
                table.add_row(ordinal(each), book, str(counts["entries"]), str(counts["covered"]), share)
    screen().print(table)
    if edition:
        _show_chapters(edition, False)


def _show_differences(first: str, second: str, as_json: bool) -> None:
    from rich.text import Text

    from battlewright.editions.edition import find_edition

    edition = find_edition(first)
    found = edition.diff(find_edition(second))
    if as_json:
        print_json(
            [
                {"entry": name, "about": edition.about(name), first: _told(mine), second: _told(theirs)}
                for name, (mine, theirs) in sorted(found.items())
            ]
        )
        return
    console = screen()
    chapter = ""
    for name, pair in sorted(found.items()):
        if name.split(".")[0] != chapter:
            chapter = name.split(".")[0]
            console.print(Text(f"\n{chapter.replace('_', ' ').upper()}", style="bold"))
        is_clear = all(each is None or each.describes_itself for each in pair)
        what = "" if is_clear else f"  {edition.about(name)}"
        console.print(Text.assemble((f"  {name}", "cyan"), what))
        for number, each in zip((first, second), pair, strict=True):
            does = "has nothing of the kind" if each is None else each.does
            console.print(Text(f"    {ordinal(number)}  {does}"))
            if each is not None and each.origin is not None:
                cites = ", ".join(each.origin.rules)
                console.print(Text(f"         {each.origin.file}:{each.origin.line}  {cites}", style="dim"))
    say(f"{len(found)} entries of the table of rules are decided otherwise.")


def _told(decided: Any) -> dict[str, Any] | None:
    """How one edition decides an entry, as JSON values."""
    if decided is None:
        return None
    origin = decided.origin
    where = {} if origin is None else {"file": origin.file, "line": origin.line, "rules": list(origin.rules)}
    return {"does": decided.does, **where}


def _table(title: str, *columns: str) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for column in columns:
        table.add_column(column, justify="right" if column in ("entries", "enforced", "") else "left")
    return table


def _options(
    edition: Edition,
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write it as a page to tick and print.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="OUT", help="Write the sheet as a file for battle.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="K=V", help="Tick this on the sheet; repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print an edition's options and house rules as a sheet that two players can tick before a game."""
    from battlewright.editions.agreement import switch_rows, with_files

    wanted = edition_of(edition)
    rows = switch_rows(wanted)
    ticked = key_values(option or [], "--option")
    if ticked:
        ticked = with_files(wanted, ticked)
    if ticked or save:
        from battlewright.editions.edition import find_edition

        find_edition(wanted).switchboard().resolve_options(ticked)
    if html is not None:
        from battlewright.report.sheet import sheet_page

        write_whole(html, sheet_page(wanted, f"{ordinal(wanted)} edition", rows, ticked))
        say(f"Wrote {html}")
    if save is not None:
        from battlewright.editions.agreement import agreement_text

        write_whole(save, agreement_text(wanted, ticked))
        say(f"Wrote {save}")
    if (html or save) and not as_json:
        return
    if as_json:
        print_json(rows)
        return
    lines = [f"OPTIONS AND HOUSE RULES, {ordinal(wanted)} edition. {_ABOUT_TICKS[bool(ticked)]}", ""]
    for row in rows:
        lines += [*_sheet(row, ticked), ""]
    if not rows:
        lines += ["This edition has none.", ""]
    lines += ["Agreed by  ______________________   and  ______________________", ""]
    typer.echo("\n".join(lines), nl=False)


def _sheet(row: dict[str, Any], ticked: Mapping[str, str]) -> list[str]:
    said = textwrap.wrap(row["text"], 92, initial_indent="    ", subsequent_indent="    ")
    chosen = ticked.get(row["name"], row["default"])
    values = row["values"] if chosen in row["values"] else [*row["values"], chosen]
    boxes = [f"[{'x' if value == chosen else ' '}] {_word(value)}" for value in values]
    if row["name"]:
        for line in row["note"].splitlines():
            said += textwrap.wrap(line, 92, initial_indent="    ", subsequent_indent="      ")
    name = f"   --option {row['name']}=..." if row["name"] else ""
    return [f"{row['id']}{name}", *said, "    " + ("   ".join(boxes) or "[ ] agreed")]


def _word(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
