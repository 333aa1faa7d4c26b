"""The units of a list held against their datasheets: what of them breaks a rule, and what cannot be judged (02)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.muster_units import (
    UnitSheet,
    WargearFault,
    composition_faults,
    sheet_of,
    unjudged_of,
    wargear_faults,
)

if TYPE_CHECKING:
    from battlewright.editions.eleventh.army_list import Entry, Muster

__all__ = ["composition", "unjudged_in", "wargear"]


def _sheets(muster: Muster) -> Iterator[tuple[Entry, UnitSheet | None]]:
    """The entries with their make-up, None where the data package does not know it."""
    for entry in muster.entries:
        record = muster.sheet(entry)
        yield entry, (sheet_of(record) if record is not None else None)


@rule("11e.ds-composition.number-and-types")
def composition(muster: Muster) -> Iterator[Violation]:
    """Units that are of no size or make-up that their datasheets allow."""
    for entry, sheet in _sheets(muster):
        for fault in composition_faults(sheet, [model.name for model in entry.rows]) if sheet is not None else ():
            yield Violation("11e.ds-composition.number-and-types", fault)


@rule("11e.ds-wargear.options", "11e.ds-wargear.only-listed")
def wargear(muster: Muster) -> Iterator[Violation]:
    """Weapons that neither default wargear nor wargear options give a unit.

    RULING: 11e.ds-wargear.only-listed what may be a weapon of the datasheet under the name of an older or newer list
    breaks no rule; :func:`unjudged_in` names it.
    """
    for entry, sheet in _sheets(muster):
        for fault in _faults(entry, sheet) if sheet is not None and sheet.is_complete else ():
            if not fault.may_be_renamed:
                yield Violation("11e.ds-wargear.only-listed", fault.text)


def _faults(entry: Entry, sheet: UnitSheet) -> list[WargearFault]:
    models = Counter(model.name for model in entry.rows)
    weapons = Counter(weapon.name for model in entry.rows for weapon in model.weapons if weapon.profiles)
    return wargear_faults(sheet, models, weapons)


def unjudged_in(muster: Muster) -> list[str]:
    """What of a list the data package cannot judge, one sentence each: units whose make-up it does not know, weapons
    whose names it does not know."""
    found = []
    for entry, sheet in _sheets(muster):
        if said := unjudged_of(entry.name, sheet):
            found.append(said)
        elif sheet is not None:
            renamed = [fault.weapon for fault in _faults(entry, sheet) if fault.may_be_renamed]
            found += [f'{entry.name}: the data package knows no "{name}" of it; it is not judged' for name in renamed]
    return list(dict.fromkeys(found))
