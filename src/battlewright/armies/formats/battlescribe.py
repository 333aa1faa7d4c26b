"""BattleScribe rosters (``.ros``, ``.rosz``) and New Recruit's JSON of classic game systems.

Such rosters carry the statistics of everything in them, so that they need no data set. A roster of the edition that
the data set is of is read as New Recruit's JSON of it would be.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from battlewright.armies.formats.adapter import Adapter, forms_for, named_edition
from battlewright.armies.formats.battlescribe_selection import Selection, as_document, points_of, selection_of
from battlewright.armies.formats.battlescribe_units import Built, has_models, units_of
from battlewright.armies.formats.battlescribe_xml import looks_like_xml, parse_xml
from battlewright.armies.formats.json_tree import as_dict, as_text, dicts
from battlewright.armies.formats.newrecruit_json import NEWRECRUIT_JSON
from battlewright.armies.parsed import MAX_UNITS
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army, Unresolved

__all__ = ["BATTLESCRIBE", "CLASSIC", "CLASSIC_JSON"]

CLASSIC = ("3", "4", "6")
"""The editions whose rosters bring their own statistics."""
_FACTION = re.compile(r"\s*\([^()]*\)\s*$")


def _detects(source: Source) -> bool:
    return looks_like_xml(source, "roster", "catalogue", "gameSystem")


def _load(source: Source, edition: str | None) -> Army:
    root = parse_xml(source)
    if root.tag != "roster":
        raise ArmyError(
            "is a catalogue, not a roster; battlewright army catalogue takes units from it", where=source.where
        )
    document = {"roster": as_document(root)}
    if _edition(document, source, edition) in CLASSIC:
        return _classic(document, source, edition)
    if "name" not in document["roster"]:
        raise ArmyError("the roster has no name", where=source.where)
    return NEWRECRUIT_JSON.load(Source(json.dumps(document), source.where), edition)


def _detects_json(source: Source) -> bool:
    if not NEWRECRUIT_JSON.detects(source):
        return False
    found = re.search(r'"gameSystemName"\s*:\s*"([^"]{1,200})"', source.text)
    return found is not None and named_edition(found[1]) in CLASSIC


def _load_json(source: Source, edition: str | None) -> Army:
    document = as_dict(source.json)
    _edition(document, source, edition)
    return _classic(document, source, edition)


def _edition(document: dict[str, Any], source: Source, wanted: str | None) -> str | None:
    """The edition of a roster's game system.

    Raises:
        ArmyError: it is another than the one that is wanted.
    """
    roster = as_dict(document.get("roster"))
    system = as_text(roster.get("gameSystemName")) or as_text(document.get("gameSystemName"))
    found = named_edition(system)
    if wanted is not None and found is not None and found != wanted:
        text = f'the list itself is of another edition: "{system[:60]}"'
        raise ArmyError(text, where=source.where, expected=forms_for(wanted))
    return found


def _classic(document: dict[str, Any], source: Source, edition: str | None) -> Army:
    roster = as_dict(document.get("roster"))
    reader = _Reader(source)
    factions: list[str] = []
    for force in dicts(roster.get("forces")):
        factions.append(_FACTION.sub("", as_text(force.get("catalogueName"))))
        for node in dicts(force.get("selections")):
            reader.top(selection_of(node, source.where))
    if not reader.units:
        raise ArmyError("the roster names no units", where=source.where)
    faction = next((each for each in factions if each), "")
    name = as_text(roster.get("name")) or as_text(document.get("name")) or faction or source.where
    return reader.army(name, _edition(document, source, edition) or CLASSIC[0], faction, points_of(roster))


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self.units: list[Built] = []
        self.notes: list[Unresolved] = []

    def top(self, selection: Selection) -> None:
        """A selection directly under the force: a setting, or an entry of the list."""
        if len(self.units) >= MAX_UNITS:
            raise ArmyError(f"the roster has more than {MAX_UNITS} entries", where=self._source.where)
        if has_models(selection):
            self._unit(selection)
            return
        points = sum(each.points for each in selection.walk())
        if selection.kind in ("unit", "model"):
            text = f'the unit "{selection.name}" has no model with a profile'
            self.notes.append(Unresolved(selection.line, text))
        elif points:
            text = f'the selection "{selection.name}" costs points but is no unit'
            self.notes.append(Unresolved(selection.line, text))

    def _unit(self, selection: Selection) -> None:
        try:
            built = units_of(selection, self._source.where)
        except ArmyError as fault:
            self.notes.append(Unresolved(selection.line, fault.what))
            return
        self.units += built
        for each in built:
            self.notes += [Unresolved(each.line, note, fatal=False) for note in each.notes]
        self.notes += _reconciled(selection, built)

    def army(self, name: str, edition: str, faction: str, stated: float | None) -> Army:
        """The army of everything read so far, held against the roster's total."""
        units = [replace(built.unit, id=f"a.{number}") for number, built in enumerate(self.units, 1)]
        total = sum(unit.points for unit in units)
        if stated is None:
            text = f"the list states no total; its units cost {total} points"
            self.notes.append(Unresolved(None, text, fatal=False))
        elif round(stated) != total:
            self.notes.append(Unresolved(None, f"the units cost {total} points, but the list states {stated:g}"))
        self.notes.sort(key=lambda each: (not each.fatal, each.line is None, each.line or 0))
        return Army(
            name=name,
            edition=edition,
            faction=faction,
            units=tuple(units),
            points=total if stated is None else round(stated),
            unresolved=tuple(dict.fromkeys(self.notes)),
        )


def _reconciled(selection: Selection, built: tuple[Built, ...]) -> Iterator[Unresolved]:
    """What of an entry's own points, models and weapons is not found again in its units."""
    line, name = selection.line, selection.name
    points = round(sum(each.points for each in selection.walk()))
    made = sum(each.unit.points for each in built)
    if points != made:
        yield Unresolved(line, f"{name} costs {points} points, but its parts cost {made}")
    models = sum(each.number for each in selection.walk() if each.kind == "model")
    there = sum(len(each.unit.models) for each in built)
    if models > there:
        yield Unresolved(line, f"{name} counts {models} models, but {there} have a profile")
    for each in built:
        carried = Counter(weapon.name for model in each.unit.models for weapon in model.weapons)
        for weapon, count in each.bought.items():
            if carried[weapon] != count:
                text = f'{name} counts {count} of "{weapon}", but its models carry {carried[weapon]}'
                yield Unresolved(line, text)


BATTLESCRIBE = Adapter("BattleScribe's roster", _detects, _load)
CLASSIC_JSON = Adapter("New Recruit's JSON of a classic edition", _detects_json, _load_json)
