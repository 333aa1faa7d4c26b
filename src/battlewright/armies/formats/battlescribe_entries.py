"""Entries of catalogues, links followed: what may be selected, at what cost, within what bounds.

A link and the entry that it points to are one :class:`Entry`: the link's name and costs win, everything else adds up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from battlewright.armies.formats.battlescribe_selection import POINTS
from battlewright.armies.formats.battlescribe_xml import XmlNode

__all__ = ["MAX_LINKS", "Entry", "Index", "number_of"]

MAX_LINKS = 12
"""How many entries may be nested in each other, links followed."""
_UNBOUNDED = 10_000


def number_of(text: str, default: float = 0) -> float:
    """A number of a catalogue; anything senseless is the default."""
    try:
        value = float(text)
    except ValueError:
        return default
    return value if abs(value) < 1e6 else default


@dataclass(frozen=True, slots=True)
class Index:
    """Every element of some catalogues that has an id."""

    by_id: Mapping[str, XmlNode]

    @classmethod
    def of(cls, roots: list[XmlNode]) -> Index:
        """The elements below these roots; of two with one id the first counts."""
        found: dict[str, XmlNode] = {}
        for root in roots:
            for node in root.walk():
                if key := node.get("id"):
                    found.setdefault(key, node)
        return cls(found)

    def target(self, link: XmlNode) -> XmlNode | None:
        """What a link points to."""
        return self.by_id.get(link.get("targetId"))


class Entry:
    """A selection entry, or a group of such, links followed.

    Attributes:
        above: the ids of the entries that it is nested in, its own included: a circle of links ends there.
    """

    def __init__(self, index: Index, node: XmlNode, above: tuple[str, ...] = ()) -> None:
        self._index = index
        target = index.target(node) if node.tag == "entryLink" else None
        self.nodes = (node,) if target is None else (node, target)
        self.above = (*above, *(each.get("id") for each in self.nodes))
        self.is_dangling = node.tag == "entryLink" and target is None

    @property
    def name(self) -> str:
        """What it is called, the link's name first."""
        return next((name for each in self.nodes if (name := each.get("name"))), "")

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the link and of the entry."""
        return frozenset(each.get("id") for each in self.nodes)

    @property
    def is_group(self) -> bool:
        """Whether it is a group, of which no copy is selected itself."""
        return self.nodes[-1].tag == "selectionEntryGroup"

    @property
    def kind(self) -> str:
        """``"unit"``, ``"model"`` or ``"upgrade"``."""
        return self.nodes[-1].get("type", "upgrade")

    @property
    def is_hidden(self) -> bool:
        """Whether it is hidden unless something unhides it."""
        return any(each.get("hidden") == "true" for each in self.nodes)

    @property
    def cost(self) -> float:
        """The points of one copy."""
        for node in self.nodes:
            for each in node.listed("costs"):
                if each.get("name").lower() in POINTS:
                    return number_of(each.get("value"))
        return 0

    @cached_property
    def cost_ids(self) -> frozenset[str]:
        """The ids of the cost that counts points."""
        return frozenset(
            each.get("typeId")
            for node in self.nodes
            for each in node.listed("costs")
            if each.get("name").lower() in POINTS
        )

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The fewest and the most copies within one copy of what it is nested in."""
        least, most = 0, _UNBOUNDED
        for node in self.nodes:
            for each in node.listed("constraints"):
                if each.get("field") != "selections" or each.get("scope") not in ("parent", "self"):
                    continue
                value = int(number_of(each.get("value"), -1))
                if value < 0 or each.get("percentValue") == "true":
                    continue
                if each.get("type") == "min":
                    least = max(least, value)
                elif each.get("type") == "max" and value > 0:
                    most = min(most, value)
        return min(least, most), most

    @property
    def default_number(self) -> int:
        """How many copies a new list has."""
        stated = next((each.get("defaultAmount") for each in self.nodes if each.get("defaultAmount")), "")
        first = stated.split(",")[0]
        return max(self.bounds[0], int(first) if first.isdecimal() and len(first) < 4 else 0)

    @property
    def default_id(self) -> str:
        """The id of a group's default entry."""
        ids = (each.get("defaultSelectionEntryId") for each in self.nodes)
        return next((each for each in ids if each), "")

    @cached_property
    def children(self) -> tuple[Entry, ...]:
        """Entries and groups nested in it, in the order that the catalogue shows them."""
        if len(self.above) > 2 * MAX_LINKS:
            return ()
        found = []
        for node in self.nodes:
            for each in node.listed("selectionEntries", "selectionEntryGroups", "entryLinks"):
                if each.tag not in ("selectionEntry", "selectionEntryGroup", "entryLink"):
                    continue
                entry = Entry(self._index, each, self.above)
                if not entry.is_dangling and not entry.ids & set(self.above):
                    found.append(entry)
        return tuple(sorted(found, key=lambda entry: number_of(entry.nodes[0].get("sortIndex"), 1000)))

    def infos(self) -> Iterator[tuple[XmlNode, tuple[XmlNode, ...]]]:
        """Profiles and rules of the entry, each with the links that it was reached by."""
        for node in self.nodes:
            yield from self._infos(node, (), 0)

    def _infos(
        self, node: XmlNode, links: tuple[XmlNode, ...], depth: int
    ) -> Iterator[tuple[XmlNode, tuple[XmlNode, ...]]]:
        for each in node.listed("profiles", "rules", "infoLinks", "infoGroups"):
            if each.tag in ("profile", "rule"):
                yield each, links
            elif each.tag == "infoGroup" and depth < MAX_LINKS:
                yield from self._infos(each, links, depth + 1)
            elif each.tag == "infoLink" and (target := self._index.target(each)) is not None:
                if target.tag == "infoGroup" and depth < MAX_LINKS:
                    yield from self._infos(target, (*links, each), depth + 1)
                elif target.tag in ("profile", "rule"):
                    yield target, (*links, each)

    def categories(self) -> list[tuple[str, str]]:
        """Ids and names of its categories, the primary first."""
        found = []
        for node in self.nodes:
            for each in node.listed("categoryLinks"):
                target = self._index.target(each)
                name = each.get("name") or (target.get("name") if target else "")
                found.append((each.get("primary") != "true", each.get("targetId"), name))
        return [(key, name) for _, key, name in sorted(found, key=lambda each: each[0])]

    def modifiers(self) -> Iterator[XmlNode]:
        """Modifiers of the entry itself, those in groups with the conditions of their groups."""
        for node in self.nodes:
            yield from modifiers_of(node)


def modifiers_of(node: XmlNode) -> Iterator[XmlNode]:
    """Modifiers of an element; one within a group has the conditions of the group added to its own."""
    yield from node.listed("modifiers")
    for group in node.listed("modifierGroups"):
        conditions = [each for each in group.children if each.tag in ("conditions", "conditionGroups", "repeats")]
        for inner in modifiers_of(group):
            yield XmlNode("modifier", inner.attributes, inner.line, [*inner.children, *conditions], inner.text)
