"""Modifiers of catalogues: what they change, judged by what has been selected.

Only what is selected within the unit is known when a unit is taken: a condition about the army counts the unit alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from battlewright.armies.formats.battlescribe_entries import Entry, modifiers_of, number_of
from battlewright.armies.formats.battlescribe_selection import Printed
from battlewright.armies.formats.battlescribe_xml import XmlNode

__all__ = ["Chosen", "cost_of", "is_for_all", "is_shown", "name_of", "printed_of"]

_MOST_TIMES = 1_000


@dataclass(slots=True, eq=False)
class Chosen:
    """An entry with the number of copies that were selected.

    Attributes:
        number: in all, those of all its parents counted together; of a group 1.
        parent: what it was selected within, groups included.
    """

    entry: Entry
    number: int
    parent: Chosen | None = None
    children: list[Chosen] = field(default_factory=list)

    def ancestors(self) -> list[Chosen]:
        """What it is within, the nearest first, groups left out."""
        found, node = [], self.parent
        while node is not None:
            if not node.entry.is_group:
                found.append(node)
            node = node.parent
        return found

    def is_like(self, child: str) -> bool:
        """Whether it is what a condition means: an entry or category by id, a kind, or anything."""
        if child in ("", "any") or child == self.entry.kind:
            return True
        return child in self.entry.ids or any(child == key for key, _ in self.entry.categories())

    def count(self, child: str, *, deep: bool, top: bool = True) -> int:
        """How many copies of something are selected within it."""
        total = 0
        for each in self.children:
            if each.entry.is_group:
                total += int(each.is_like(child) and child not in ("", "any")) * sum(c.number for c in each.children)
                total += each.count(child, deep=deep, top=False)
            else:
                if each.is_like(child):
                    total += each.number
                if deep:
                    total += each.count(child, deep=True, top=False)
        return total


def _holder(at: Chosen, scope: str) -> Chosen | None:
    """What a condition's scope means, seen from a selection."""
    line = [at, *at.ancestors()]
    match scope:
        case "self":
            return at
        case "parent":
            return line[1] if len(line) > 1 else line[0]
        case "root-entry" | "force" | "roster" | "primary-catalogue":
            return line[-1]
        case "unit" | "model" | "upgrade":
            return next((each for each in line if each.entry.kind == scope), None)
        case _:
            return next((each for each in line if scope in each.entry.ids), None)


def _counted(node: XmlNode, at: Chosen) -> float | None:
    """The number that a condition or repeat speaks of; None when it cannot be known here."""
    if node.get("field") != "selections":
        return None
    holder = _holder(at, node.get("scope"))
    if holder is None:
        return 0
    deep = node.get("includeChildSelections") == "true" or node.get("scope") in ("force", "roster", "root-entry")
    child = node.get("childId")
    own = holder.number if deep and holder.is_like(child) and child not in ("", "any") else 0
    return holder.count(child, deep=deep) + own


def _holds(node: XmlNode, at: Chosen) -> bool:
    kind, value = node.get("type"), number_of(node.get("value"))
    if kind in ("instanceOf", "notInstanceOf"):
        child, scope = node.get("childId"), node.get("scope")
        line = [at, *at.ancestors()]
        if scope == "ancestor":
            found = any(each.is_like(child) for each in line[1:])
        else:
            holder = _holder(at, scope)
            found = holder is not None and holder.is_like(child)
        return found == (kind == "instanceOf")
    count = _counted(node, at)
    if count is None:
        return False
    match kind:
        case "atLeast":
            return count >= value
        case "atMost":
            return count <= value
        case "equalTo":
            return count == value
        case "notEqualTo":
            return count != value
        case "lessThan":
            return count < value
        case "greaterThan":
            return count > value
    return False


def _applies(node: XmlNode, at: Chosen) -> bool:
    """Whether every condition, and every group of conditions, of a modifier is met."""
    return all(_holds(each, at) for each in node.listed("conditions")) and all(
        _group_holds(each, at) for each in node.listed("conditionGroups")
    )


def _group_holds(group: XmlNode, at: Chosen) -> bool:
    found = [_holds(each, at) for each in group.listed("conditions")]
    found += [_group_holds(each, at) for each in group.listed("conditionGroups")]
    return any(found) if group.get("type") == "or" else all(found)


def _times(node: XmlNode, at: Chosen) -> float:
    """How often a modifier is applied."""
    times = 1.0
    for each in node.listed("repeats"):
        count, step = _counted(each, at) or 0, number_of(each.get("value"), 1) or 1
        times = min(count / step // 1 * number_of(each.get("repeats"), 1), _MOST_TIMES)
    return times


def _changed(text: str, node: XmlNode, times: float) -> str:
    kind, value = node.get("type"), node.attributes.get("value", "")
    match kind:
        case "set":
            return value.strip()
        case "append":
            return f"{text}{node.get('join') or ' '}{value.strip()}".strip()
        case "prepend":
            return f"{value.strip()}{node.get('join') or ' '}{text}".strip()
        case "replace":
            return text.replace(node.get("arg"), value) if node.get("arg") else text
        case "increment" | "decrement":
            found = re.match(r"-?\d+", text)
            if found is None:
                return text
            change = number_of(value) * times * (1 if kind == "increment" else -1)
            return f"{int(found[0]) + change:g}{text[found.end() :]}"
        case "multiply":
            return f"{number_of(text) * number_of(value, 1):g}"
    return text


def name_of(chosen: Chosen) -> str:
    """An entry's name as modified."""
    name = chosen.entry.name
    for each in chosen.entry.modifiers():
        if each.get("field") == "name" and _applies(each, chosen):
            name = _changed(name, each, _times(each, chosen))
    return name


def cost_of(chosen: Chosen) -> float:
    """The points of one copy as modified."""
    cost = chosen.entry.cost
    for each in chosen.entry.modifiers():
        if each.get("field") in chosen.entry.cost_ids and _applies(each, chosen):
            value, times = number_of(each.get("value")), _times(each, chosen)
            match each.get("type"):
                case "set":
                    cost = value if times else cost
                case "increment":
                    cost += value * times
                case "decrement":
                    cost -= value * times
                case "multiply":
                    cost *= value
    return cost


def is_for_all(chosen: Chosen) -> bool | None:
    """Whether one copy serves the whole unit: its cost is counted for each model. None when it has no cost at all."""
    counted = any(
        each.get("field") in chosen.entry.cost_ids and any(True for _ in each.listed("repeats"))
        for each in chosen.entry.modifiers()
    )
    return True if counted else (False if chosen.entry.cost else None)


def is_shown(chosen: Chosen) -> bool:
    """Whether an entry may be selected where it stands."""
    return not _hidden(chosen.entry.is_hidden, chosen.entry.modifiers(), chosen)


def _hidden(hidden: bool, modifiers: Iterable[XmlNode], at: Chosen) -> bool:
    for each in modifiers:
        if each.get("field") == "hidden" and _applies(each, at):
            hidden = each.get("value") == "true"
    return hidden


def printed_of(chosen: Chosen) -> tuple[list[Printed], list[str]]:
    """The profiles and the names of rules of an entry, as modified."""
    profiles, rules = [], []
    for node, links in chosen.entry.infos():
        modifiers = [each for holder in (node, *links) for each in modifiers_of(holder)]
        plainly = any(holder.get("hidden") == "true" for holder in (node, *links))
        if _hidden(plainly, modifiers, chosen):
            continue
        met = [(each, _times(each, chosen)) for each in modifiers if _applies(each, chosen)]
        name = node.get("name")
        for each, times in met:
            if each.get("field") == "name" and times:
                name = _changed(name, each, times)
        if node.tag == "rule":
            rules.append(name)
            continue
        values: dict[str, str] = {}
        for characteristic in node.listed("characteristics"):
            text = characteristic.text or characteristic.get("value")
            for each, times in met:
                if each.get("field") == characteristic.get("typeId") and times:
                    text = _changed(text, each, times)
            values[characteristic.get("name")] = text[:400]
        profiles.append(Printed(node.get("typeName"), name, values))
    return profiles, rules
