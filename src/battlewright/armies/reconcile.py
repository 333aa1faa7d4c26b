"""Holding an army against the totals of its own list; never against the data, whose points may be newer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from battlewright.armies.entries import Entry
from battlewright.armies.names import loose_key, name_key
from battlewright.armies.parsed import ParsedList, ParsedUnit
from battlewright.core.roster import Unresolved

__all__ = ["crown_by_heading", "reconcile"]


def crown_by_heading(parsed: ParsedList) -> None:
    """Where only the heading says who the warlord is, say it at the entry too."""
    if parsed.warlord and not any(unit.warlord for unit in parsed.units):
        for unit in _named(parsed, parsed.warlord[0])[:1]:
            unit.warlord = True


def reconcile(parsed: ParsedList, entries: Sequence[Entry]) -> list[Unresolved]:
    """Everything about the list that does not add up, each as one sentence."""
    return [
        *_points(parsed),
        *_units(parsed),
        *(each for unit in parsed.units for each in _stated_models(unit)),
        *(each for entry in entries for each in _models(entry)),
        *(each for entry in entries for each in _weapons(entry)),
        *_warlord(parsed),
        *_enhancements(parsed),
    ]


def _points(parsed: ParsedList) -> Iterator[Unresolved]:
    for unit in parsed.units:
        if unit.points is None:
            yield Unresolved(unit.line, f"{unit.name} states no points")
    total = sum(unit.points or 0 for unit in parsed.units)
    if parsed.points is None:
        yield Unresolved(None, f"the list states no total; its units cost {total} points", fatal=False)
    elif total != parsed.points:
        text = f"the units cost {total} points, but the list states {parsed.points}"
        yield Unresolved(parsed.points_line, text)


def _units(parsed: ParsedList) -> Iterator[Unresolved]:
    if parsed.units_stated is not None and parsed.units_stated != len(parsed.units):
        text = f"the list holds {len(parsed.units)} units, but states {parsed.units_stated}"
        yield Unresolved(parsed.units_line, text)


def _stated_models(unit: ParsedUnit) -> Iterator[Unresolved]:
    counted = unit.count_models()
    if counted is not None and unit.stated_models is not None and counted != unit.stated_models:
        yield Unresolved(unit.line, f"{unit.name} states {unit.stated_models} models, but tells of {counted}")


def _models(entry: Entry) -> Iterator[Unresolved]:
    count, sheet, unit = len(entry.models), entry.sheet, entry.parsed
    if count < sheet.least:
        yield Unresolved(unit.line, f"{unit.name} has {count} models, but a unit has at least {sheet.least}")
    elif count > sheet.most and not unit.models:
        text = f"{unit.name} has {count} models, but its datasheet speaks of at most {sheet.most}"
        yield Unresolved(unit.line, text, fatal=False)


def _weapons(entry: Entry) -> Iterator[Unresolved]:
    """What the models carry against what the list counts; anything else would be a fault of ours."""
    carried = Counter(name_key(weapon.name) for model in entry.models for weapon in model.weapons)
    listed: Counter[str] = Counter()
    for item in [*entry.parsed.items, *(item for group in entry.parsed.models for item in group.items)]:
        listed[name_key(item.name)] += item.count
    for name, count in carried.items():
        if name in listed and listed[name] != count:
            text = f'{entry.parsed.name} counts {listed[name]} of "{name}", but its models carry {count}'
            yield Unresolved(entry.parsed.line, text)


def _warlord(parsed: ParsedList) -> Iterator[Unresolved]:
    marked = [unit for unit in parsed.units if unit.warlord]
    if parsed.warlord:
        text, line = parsed.warlord
        named = _named(parsed, text)
        if not named:
            yield Unresolved(line, f'the warlord "{text}" is not in the list')
        elif marked and not any(unit in named for unit in marked):
            yield Unresolved(
                line, f'the warlord is "{text}" by the heading, but {marked[0].name} by its entry', fatal=False
            )
    elif not marked:
        yield Unresolved(None, "the list names no warlord", fatal=False)
    if len(marked) > 1:
        names = ", ".join(unit.name for unit in marked)
        yield Unresolved(marked[1].line, f"the list names {len(marked)} warlords: {names}", fatal=False)


def _enhancements(parsed: ParsedList) -> Iterator[Unresolved]:
    for name, bearer, line in parsed.enhancements:
        units = _named(parsed, bearer)
        if not units:
            yield Unresolved(line, f'"{bearer}", which is to have the enhancement "{name}", is not in the list')
        elif not any(name_key(item.name) == name_key(name) for unit in units for item in unit.enhancements):
            yield Unresolved(
                line, f'the heading gives "{bearer}" the enhancement "{name}", but its entry does not', fatal=False
            )


def _named(parsed: ParsedList, text: str) -> list[ParsedUnit]:
    """The entries that a heading means by ``"Char2: Blade Champion"``: the slot's when the list has it."""
    slot, _, name = text.rpartition(": ")
    same = [unit for unit in parsed.units if loose_key(unit.name) == loose_key(name)]
    return [unit for unit in same if slot and unit.slot == slot] or same
