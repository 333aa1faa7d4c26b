"""Reading real army lists into rosters, and the bundled sample armies.

::

    from battlewright.armies import load_army
    army = load_army("list.txt")          # a path, or the text itself; the format is recognised
    army.reconciled, army.unresolved      # whether it adds up, and what does not
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from battlewright.armies.attaching import attach_by_name, attached, split_units
from battlewright.armies.json_form import army_from_json, army_to_json
from battlewright.armies.judged import breaches_of, judged_report
from battlewright.armies.report import army_report
from battlewright.armies.samples import sample_armies
from battlewright.armies.single import find_unit, unit_of
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army, unprintable_text

if TYPE_CHECKING:
    from battlewright.armies.reading import Source

__all__ = [
    "army_from_json",
    "army_of_bytes",
    "army_report",
    "army_to_json",
    "attach_by_name",
    "attached",
    "breaches_of",
    "find_unit",
    "judged_report",
    "load_army",
    "sample_armies",
    "split_units",
    "unit_of",
]


def load_army(path_or_text: str | os.PathLike[str], edition: str | None = None) -> Army:
    """The army of a list in any supported format.

    Args:
        path_or_text: the path of a list, the list itself, or the name of a bundled sample army.
        edition: the edition that it is wanted for; None takes the list's own.

    Raises:
        ArmyError: no such file, not a list of a supported format, one with control characters in a name, or a list of
            another edition. A list that can be read but does not add up is returned, with the reasons in
            ``unresolved``.
    """
    from battlewright.armies.reading import read_source

    if isinstance(path_or_text, str) and not os.path.exists(path_or_text[:1024].replace("\0", "")):
        path_or_text = sample_armies().get(path_or_text, path_or_text)  # of another edition, it is refused as such
    return _read(read_source(path_or_text), edition)


def army_of_bytes(data: bytes, edition: str | None = None, where: str = "the list") -> Army:
    """The army of a list that was handed over, in any supported format; no file is ever looked for.

    Args:
        data: what stands in the list's file: text, or a packed roster.
        edition: the edition that it is wanted for; None takes the list's own.
        where: what to call it in complaints.

    Raises:
        ArmyError: as :func:`load_army`.
    """
    from battlewright.armies.reading import source_of_bytes

    return _read(source_of_bytes(data, where), edition)


def _read(source: Source, edition: str | None) -> Army:
    from battlewright.armies.formats import ADAPTERS
    from battlewright.armies.formats.adapter import forms_for

    for adapter in ADAPTERS:
        if adapter.detects(source):
            army = adapter.load(source, edition)
            if (text := unprintable_text(army)) is not None:
                raise ArmyError(f"{text[:60]!a} holds a control character", where=source.where)
            return army
    raise ArmyError(
        "no army list of a known format",
        where=source.where,
        expected=forms_for(edition) if edition else ", ".join(adapter.name for adapter in ADAPTERS),
    )
