"""Damage tables as data: read from a file of the edition, and replaced by tables that two players have agreed on.

A table of the players is written down as text, which stands among the options in the header of a battle, so that a
saved battle needs no file to be played again::

    glancing: crew shaken / crew shaken / crew stunned / immobilised / armament destroyed / vehicle destroyed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from battlewright.core.errors import BadInput
from battlewright.core.plain_files import read_plain
from battlewright.editions.classic.armour import DamageResult, DamageTable, Results
from battlewright.editions.classic.attack import AttackRules
from battlewright.editions.switches import Switch

__all__ = [
    "BOOK",
    "NAME",
    "described",
    "read_damage_tables",
    "switch_of",
    "tables_from_file",
    "tables_from_text",
    "with_damage_tables",
]

NAME, BOOK = "damage_tables", "book"
"""The option, and its value where the tables are the edition's own."""
Tables = Mapping[str, DamageTable]
"""Damage tables by what they are called in files: ``glancing``, ``penetrating``."""
_LONGEST = 2000
_FACES = 6


@cache
def read_damage_tables(path: Path) -> Tables:
    """The damage tables of an edition's data file, read once.

    Raises:
        BadInput: when it cannot be read, or a table is no table; names it.
    """
    value = read_plain(path)
    if not isinstance(value, dict):
        raise BadInput("holds no damage tables", where=str(path))
    return {
        name: DamageTable(f"{name} table", _results(name, table, _KNOWN), table["rule"], table.get("confidence", ""))
        for name, table in value.items()
    }


def described(tables: Tables) -> list[str]:
    """The tables in words, a line for each: its results, and how sure their source is."""
    return [
        f"{table.name}{f' (confidence {table.confidence})' if table.confidence else ''}: "
        + ", ".join(f"{face} {result}" for face, result in enumerate(table.results, 1))
        for table in tables.values()
    ]


# -- the players' own -------------------------------------------------------------------------------------------


def tables_from_file(path: Path, book: Tables) -> str:
    """The tables of a file of the players as the text that stands in the header of a battle.

    Args:
        book: the edition's tables. A file may leave out those that stay as they are.

    Raises:
        BadInput: when the file cannot be read, or holds something else than damage tables of the edition.
    """
    value = read_plain(path)
    try:
        if not isinstance(value, dict) or not value:
            raise BadInput("holds no damage tables", expected=f"results of {' or '.join(book)}")
        return _text({name: _judged(str(name), table, book) for name, table in value.items()}, book)
    except BadInput as error:
        raise BadInput(error.what, where=str(path), expected=error.expected, nearest=error.nearest) from error


def tables_from_text(text: str, book: Tables) -> Mapping[str, Results]:
    """The results of the tables that a text replaces; none of them for ``book``.

    Raises:
        BadInput: when it is no such text.
    """
    if text == BOOK:
        return {}
    found: dict[str, Results] = {}
    if len(text) > _LONGEST:
        raise BadInput("the text is too long for damage tables", where=NAME, expected=f"at most {_LONGEST} characters")
    for part in text.split(";"):
        name, colon, results = (each.strip() for each in part.partition(":"))
        if not colon or name in found:
            expected = f'{BOOK}, a .yaml file, or "{next(iter(book))}: six results"'
            raise BadInput(f'"{part.strip()}" is no damage table', where=NAME, expected=expected)
        found[name] = _judged(name, [each.strip() for each in results.split("/")], book)
    return found


def _text(tables: Mapping[str, Results], book: Tables) -> str:
    """Tables as text, in the order of the book."""
    return "; ".join(f"{name}: {' / '.join(tables[name])}" for name in book if name in tables)


def with_damage_tables(attack: AttackRules, text: str, book: Tables) -> AttackRules:
    """What an edition decides about attacks, with the tables of the players in place of the book's."""
    theirs = {book[name].name: results for name, results in tables_from_text(text, book).items()}

    def own(table: DamageTable) -> DamageTable:
        results = theirs.get(table.name)
        return table if results is None else replace(table, results=results, confidence="")

    return replace(
        attack, glancing=own(attack.glancing), penetrating=own(attack.penetrating), ordnance=own(attack.ordnance)
    )


def switch_of(path: Path, rule_id: str) -> Switch:
    """The switch by which players agree on tables of their own.

    Args:
        path: the file of the edition's own, read when they are asked for.
    """
    return Switch(
        NAME,
        (BOOK,),
        rule_id,
        "The damage tables of vehicles: those of the book, or of your own from a file (damage_tables=FILE.yaml)",
        reads=lambda text: _text(tables_from_text(text, read_damage_tables(path)), read_damage_tables(path)),
        from_file=lambda file: tables_from_file(file, read_damage_tables(path)),
        notes=lambda: described(read_damage_tables(path)),
    )


# -- results ----------------------------------------------------------------------------------------------------

_KNOWN = frozenset(DamageResult) - {DamageResult.HULL_POINT}


def _judged(name: str, value: Any, book: Tables) -> Results:
    if name not in book:
        raise BadInput(f'there is no damage table "{name}"', where=NAME, expected=" or ".join(book))
    known = {result for table in book.values() for result in table.results}
    return _results(name, value, known)


def _results(name: str, value: Any, known: Any) -> Results:
    """Six results, from a list, from a mapping of 1 to 6, or from what stands under ``results``."""
    if isinstance(value, dict) and "results" in value:
        value = value["results"]
    if isinstance(value, dict):
        value = [value.get(face, value.get(str(face))) for face in range(1, _FACES + 1)] if len(value) == _FACES else []
    if not isinstance(value, list) or len(value) != _FACES:
        raise BadInput(f"the {name} table needs the results of 1 to 6", where=NAME)
    found = [_result(name, each, known) for each in value]
    return found[0], found[1], found[2], found[3], found[4], found[5]


def _result(name: str, value: Any, known: Sequence[DamageResult]) -> DamageResult:
    if value not in known:
        words = ", ".join(result for result in DamageResult if result in known)
        raise BadInput(f'"{value}" is no result of the {name} table', where=NAME, expected=words)
    return DamageResult(value)
