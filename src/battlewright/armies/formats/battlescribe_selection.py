"""What BattleScribe rosters and catalogues have in common: a tree of selections with printed profiles.

A roster states it outright, as XML or (New Recruit) as JSON of the same names; a catalogue yields it when a unit is
taken. Texts of rules are left behind here: only their names go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from battlewright.armies.formats.battlescribe_xml import XmlNode
from battlewright.armies.formats.json_tree import MAX_DEPTH, as_dict, as_text, count_of, dicts
from battlewright.armies.parsed import MAX_WEAPONS
from battlewright.core.errors import ArmyError

__all__ = ["POINTS", "Printed", "Selection", "as_document", "points_of", "selection_of"]

POINTS = ("pts", "points", "point")
"""What the cost in points is called."""
_MAX_VALUE = 400
_LISTS = {
    "costs", "costLimits", "forces", "selections", "rules", "profiles", "categories", "characteristics", "attributes",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Printed:
    """A profile as printed.

    Attributes:
        kind: the name of its type: ``"Unit"``, ``"Weapon"``.
        values: by the name of the characteristic.
    """

    kind: str
    name: str
    values: dict[str, str]


@dataclass(slots=True)
class Selection:
    """One selection of a list.

    Attributes:
        kind: ``"unit"``, ``"model"`` or ``"upgrade"``.
        number: how many in all, those of all its parents counted together.
        points: its own cost for all of them, without what is below it.
        rules: names of special rules.
        categories: names, the primary first.
        line: where it stands, when the file tells.
        for_all: whether one copy serves every model of its unit; None where that is not known.
    """

    name: str
    kind: str = "upgrade"
    number: int = 1
    points: float = 0
    profiles: list[Printed] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    children: list[Selection] = field(default_factory=list)
    line: int | None = None
    for_all: bool | None = None

    def walk(self) -> Iterator[Selection]:
        """This selection and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


def as_document(node: XmlNode, depth: int = 0) -> dict[str, Any]:
    """A roster's XML as the JSON of the same roster, with the line of each element under ``"line"``."""
    found: dict[str, Any] = {**node.attributes, "line": node.line}
    if node.text:
        found["$text"] = node.text
    for child in node.children:
        if child.tag in _LISTS:
            found.setdefault(child.tag, []).extend(as_document(each, depth + 1) for each in child.children)
    return found


def points_of(node: dict[str, Any], key: str = "costs") -> float | None:
    """The cost in points that a node states for itself."""
    for cost in dicts(node.get(key)):
        if as_text(cost.get("name")).lower() in POINTS:
            value = _number(cost.get("value"))
            if value is not None:
                return value
    return None


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        return None
    return float(value)


def selection_of(node: dict[str, Any], where: str, depth: int = 0) -> Selection:
    """The selection that a node of a roster tells of.

    Raises:
        ArmyError: selections nested too deep, or a count beyond reason.
    """
    if depth > MAX_DEPTH:
        raise ArmyError(f"selections are nested more than {MAX_DEPTH} deep", where=where)
    name = as_text(node.get("name"))
    kind = as_text(node.get("type")).lower()
    categories = sorted(dicts(node.get("categories")), key=lambda each: str(each.get("primary")).lower() != "true")
    line = _number(node.get("line"))
    return Selection(
        name=name,
        kind=kind if kind in ("unit", "model") else "upgrade",
        number=count_of(_number(node.get("number")), f"{where}, {name}", MAX_WEAPONS),
        points=points_of(node) or 0,
        profiles=[_printed(each) for each in dicts(node.get("profiles")) if not _hidden(each)],
        rules=[rule for each in dicts(node.get("rules")) if not _hidden(each) and (rule := as_text(each.get("name")))],
        categories=[category for each in categories if (category := as_text(each.get("name")))],
        children=[selection_of(each, where, depth + 1) for each in dicts(node.get("selections"))],
        line=None if line is None else int(line),
    )


def _hidden(node: dict[str, Any]) -> bool:
    return str(node.get("hidden")).lower() == "true"


def _printed(node: dict[str, Any]) -> Printed:
    values = {
        as_text(each.get("name")): (as_text(each.get("$text")) or as_text(each.get("value")))[:_MAX_VALUE]
        for each in dicts(as_dict(node).get("characteristics"))
    }
    return Printed(as_text(node.get("typeName")), as_text(node.get("name")), values)
