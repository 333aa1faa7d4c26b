"""New Recruit's JSON: a BattleScribe roster with its tree of selections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battlewright.armies.formats.adapter import Adapter, check_edition, over_data_set
from battlewright.armies.formats.json_tree import MAX_DEPTH, as_dict, as_list, as_text, count_of, dicts
from battlewright.armies.parsed import MAX_MODELS, MAX_UNITS, Item, ModelGroup, ParsedList, ParsedUnit
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["NEWRECRUIT_JSON"]


def _detects(source: Source) -> bool:
    return source.looks_like_json and '"roster"' in source.text and '"forces"' in source.text


def _parse(source: Source) -> ParsedList:
    document = as_dict(source.json)
    roster = as_dict(document.get("roster"))
    for key in ("gameSystemName", "name"):
        check_edition(as_text(document.get(key)), None, source)
    check_edition(as_text(roster.get("gameSystemName")), None, source)
    parsed = ParsedList(name=as_text(roster.get("name")) or as_text(document.get("name")), points=_points(roster))
    reader = _Reader(source, parsed)
    for force in dicts(roster.get("forces")):
        catalogue = as_text(force.get("catalogueName"))
        check_edition(catalogue, None, source)
        parsed.faction = parsed.faction or catalogue
        for selection in dicts(force.get("selections")):
            reader.top(selection)
    if not parsed.units:
        raise ArmyError("the roster names no units", where=source.where)
    return parsed


class _Reader:
    def __init__(self, source: Source, into: ParsedList) -> None:
        self._source, self._into = source, into

    def top(self, selection: dict[str, Any]) -> None:
        """A selection directly under the force: a setting, or an entry of the list."""
        name = as_text(selection.get("name"))
        if as_text(selection.get("type")) in ("model", "unit"):
            if len(self._into.units) >= MAX_UNITS:
                raise ArmyError(f"the roster has more than {MAX_UNITS} entries", where=self._source.where)
            self._into.units.append(self._unit(selection, name))
            return
        chosen = [as_text(each.get("name")) for each in dicts(selection.get("selections"))]
        key = name.lower()
        if key in ("detachment", "detachments", "detachment choice"):
            self._into.detachments += [(each, None) for each in chosen]
        elif "disposition" in key:
            self._into.dispositions += [(each, None) for each in chosen]
        elif _points(selection):
            self._into.note(None, f'the selection "{name}" costs points but is no unit', fatal=True)

    def _unit(self, selection: dict[str, Any], name: str) -> ParsedUnit:
        unit = ParsedUnit(name=name, points=_all_points(selection))
        categories = {as_text(each.get("name")).lower() for each in dicts(selection.get("categories"))}
        if "character" in categories or "epic hero" in categories:
            unit.keywords.append("CHARACTER")
        unit.warlord = "warlord" in categories
        if as_text(selection.get("type")) == "model":
            unit.stated_models = self._count(selection, MAX_MODELS)
        self._under(selection, unit, None, 0)
        return unit

    def _under(self, parent: dict[str, Any], unit: ParsedUnit, group: ModelGroup | None, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise ArmyError(f"selections are nested more than {MAX_DEPTH} deep", where=self._source.where)
        for selection in dicts(parent.get("selections")):
            name, inner = as_text(selection.get("name")), group
            if as_text(selection.get("type")) == "model":
                inner = ModelGroup(name, self._count(selection, MAX_MODELS))
                unit.models.append(inner)
            elif _is_mark(selection, unit):
                continue
            elif not _is_holder(selection):
                (group.items if group else unit.items).append(Item(name, self._count(selection)))
            self._under(selection, unit, inner, depth + 1)

    def _count(self, selection: dict[str, Any], most: int | None = None) -> int:
        where = f"{self._source.where}, {as_text(selection.get('name'))}"
        return count_of(selection.get("number"), where, most) if most else count_of(selection.get("number"), where)


def _is_mark(selection: dict[str, Any], unit: ParsedUnit) -> bool:
    """Whether the selection says something of the unit rather than being carried; then it is noted."""
    name, group = as_text(selection.get("name")), as_text(selection.get("group"))
    if name.lower() == "warlord":
        unit.warlord = True
    elif name.endswith(" Character"):
        unit.keywords.append("CHARACTER")
    elif group.lower().startswith("enhancement"):
        unit.enhancements.append(Item(name, 1))
    else:
        return False
    return True


def _is_holder(selection: dict[str, Any]) -> bool:
    """Whether the selection only groups others: it has children and belongs to no kind of weapon."""
    if not as_list(selection.get("selections")):
        return False
    return not any("weapon" in as_text(each.get("name")).lower() for each in dicts(selection.get("categories")))


def _points(node: dict[str, Any]) -> int | None:
    for cost in dicts(node.get("costs")):
        value = cost.get("value")
        if as_text(cost.get("name")).lower() == "pts" and isinstance(value, int | float) and abs(value) < 1e9:
            return int(value)
    return None


def _all_points(selection: dict[str, Any]) -> int:
    return sum(_points(node) or 0 for node in _tree(selection, 0))


def _tree(node: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
    yield node
    if depth <= MAX_DEPTH:
        for child in dicts(node.get("selections")):
            yield from _tree(child, depth + 1)


NEWRECRUIT_JSON = Adapter("New Recruit's JSON", _detects, over_data_set(_parse))
