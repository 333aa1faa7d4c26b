"""The part that all text formats share: entries with their points, models, and what these carry.

A heading with points opens an entry. Under it stand bulleted lines, where one with deeper lines beneath or with a
colon is a group of models and any other is something carried; lines "4 with X, Y"; and annotations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from battlewright.armies.names import plain_spaces
from battlewright.armies.parsed import MAX_MODELS, MAX_UNITS, MAX_WEAPONS, Item, ModelGroup, ParsedList, ParsedUnit
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["BodyReader", "number", "split_items"]

_POINTS = r"[(\[]\s*(?P<points>\d[\d.,'’ ]*)\s*(?:pts?|points?)\b[^)\]]{0,40}[)\]]"
_HEADING = re.compile(
    rf"^(?:(?P<slot>[A-Za-z]{{2,12}}\d{{1,3}}):\s+)?(?:(?P<count>\d{{1,9}})\s?[x×]\s+)?(?P<name>\S.*?)\s*{_POINTS}"
    r"\s*(?::\s*(?P<rest>.*))?$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[•◦▪‣*·–-]\s+(?P<text>\S.*)$")
_TIMES = re.compile(r"^(?P<count>\d{1,9})\s?[x×]\s+(?P<name>\S.*)$", re.IGNORECASE)
_WITH = re.compile(r"^(?P<count>\d{1,9})\s+with\s+(?P<rest>\S.*)$", re.IGNORECASE)
_SPLIT = re.compile(r",\s+(?![^(\[]*[)\]])")
_ENHANCEMENT = re.compile(r"^(?:e|enhancements?)\s*:\s*(?P<name>\S.*)$", re.IGNORECASE)
_PRICED = re.compile(r"^(?P<name>\S.*?)\s*[(\[]\s*\+?\s*(?P<points>\d{1,4})\s*(?:pts?|points?)\s*[)\]]$", re.IGNORECASE)
_ATTACHED_AS = re.compile(r"^attached as\s*:\s*(?P<role>leader|support|bodyguard)\b.*$", re.IGNORECASE)
_LEADING = re.compile(r"^leading\s*:?\s+(?P<name>\S.*)$", re.IGNORECASE)
_ATTACHED_TO = re.compile(r"^attached to\s*:?\s+(?P<name>\S.*)$", re.IGNORECASE)
_ATTACHMENT = re.compile(
    r"^attachment:\s*(?P<role>leader|support)\s*->\s*(?P<name>\S.*?)(?:\s*\[.*\])?$", re.IGNORECASE
)
_EMBARKED = re.compile(r"^embarked (?:in|on|within)\s*:?\s+(?P<name>\S.*)$", re.IGNORECASE)
_KEYWORD = re.compile(r"^(?:mark of chaos|daemonic allegiance)\s*:\s*(?P<name>\S.*)$", re.IGNORECASE)
_GROUP = re.compile(r"^attached unit\s+\d{1,3}$", re.IGNORECASE)
_SECTION = re.compile(r"^(?:#{1,6}\s.*|[A-ZÀ-Þ][A-ZÀ-Þ0-9 ,&/'’-]{2,60}|[A-Z][A-Za-z /&'’-]{2,40}:)$")
_FOOTER = re.compile(r"^(?:created with|exported with|generated (?:by|with)|\++$|-{3,}$|={3,}$)", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")


def number(text: str) -> int:
    """A whole number as people write it: ``"1,995"``, ``"1 995"``.

    >>> number("1,995")
    1995
    """
    return int(re.sub(r"\D", "", text) or 0)


def split_items(text: str) -> list[str]:
    """The parts of a list with commas, those in brackets left alone."""
    return [part.strip() for part in _SPLIT.split(text) if part.strip()]


@dataclass(slots=True)
class _Node:
    """A bulleted line: ``items`` is None until a deeper line or a colon shows that it is a group of models."""

    name: str
    count: int | None
    line: int
    indent: int
    items: list[Item] | None = None


@dataclass(slots=True)
class BodyReader:
    """Reads the entries of a text list into a :class:`ParsedList`, line by line.

    Attributes:
        attached_sections: whether a heading ``A + B (points)`` only announces the entries that follow indented.
    """

    source: Source
    into: ParsedList
    attached_sections: bool = False
    ended: bool = field(default=False)
    _unit: ParsedUnit | None = field(default=None)
    _nodes: list[_Node] = field(default_factory=list)
    _group: str | None = field(default=None)

    def read(self, first: int) -> None:
        """Read from the line with that number, counted from 1, to the end."""
        for line_number, raw in enumerate(self.source.lines[first - 1 :], first):
            if raw.strip():
                self._line(raw, line_number)
        self._close()
        if not self.into.units:
            raise ArmyError("the list names no units", where=self.source.where)

    # Lines

    def _line(self, raw: str, line: int) -> None:
        raw = plain_spaces(raw)
        text = " ".join(raw.split())
        indent = len(raw) - len(raw.lstrip())
        if bullet := _BULLET.match(text):
            self._bulleted(bullet["text"], indent, line)
        elif _FOOTER.match(text):
            self.ended = True
        elif _GROUP.match(text):
            self._close()
            self._group = text
        elif self._annotation(text, line):
            pass
        elif heading := _HEADING.match(text):
            self._heading(heading, text, indent, line)
        elif group := _WITH.match(text):
            self._with(group, line)
        elif _SECTION.match(text):
            self._close()
            self._group = None
        elif self._unit and indent and (times := _TIMES.match(text)):
            self._continued(times, indent, line)
        else:
            self.into.note(line, f'the line "{text[:80]}" could not be read')

    def _heading(self, heading: re.Match[str], text: str, indent: int, line: int) -> None:
        self._close()
        if text.startswith("#"):
            self._group = None
            return
        name = heading["name"]
        if self.attached_sections and " + " in name and not heading["rest"]:
            self._group = f"{text} at {line}"
            return
        if self.attached_sections and not indent:
            self._group = None
        if len(self.into.units) >= MAX_UNITS:
            raise ArmyError(f"the list has more than {MAX_UNITS} entries", where=self.source.at(line))
        stated = int(heading["count"]) if heading["count"] else None
        self._check(stated, MAX_MODELS, line)
        self._unit = ParsedUnit(
            name=name,
            points=number(heading["points"]),
            line=line,
            stated_models=stated,
            slot=heading["slot"] or "",
            group=self._group,
        )
        if self._unit.slot.lower().startswith("char"):
            self._unit.keywords.append("CHARACTER")
        self.into.units.append(self._unit)
        if heading["rest"]:
            self._carried(heading["rest"], line, None)

    def _bulleted(self, text: str, indent: int, line: int) -> None:
        if self._unit is None:
            self.into.note(line, f'"{text[:80]}" stands under no entry', fatal=True)
            return
        if self._annotation(text, line, among_items=True):
            return
        parts = [] if ":" in text else split_items(text)
        if len(parts) > 1 and all(_is_mark(part) for part in parts):
            for part in parts:
                self._annotation(part, line)
            return
        name, _, rest = text.partition(":")
        times = _TIMES.match(name)
        count = int(times["count"]) if times else None
        self._check(count, MAX_WEAPONS, line)
        node = _Node((times["name"] if times else name).strip(), count, line, indent)
        top = self._nodes[-1] if self._nodes else None
        if rest.strip():
            node.items = []
            self._nodes.append(node)
            self._carried(rest.strip(), line, node)
        elif top is not None and indent > top.indent:
            top.items = top.items or []
            top.items.append(Item(node.name, count or 1, line))
        else:
            self._nodes.append(node)

    def _continued(self, times: re.Match[str], indent: int, line: int) -> None:
        """An indented line without a bullet goes on with what the bulleted line above it began."""
        item = Item(times["name"], int(times["count"]), line)
        self._check(item.count, MAX_WEAPONS, line)
        top = self._nodes[-1] if self._nodes else None
        if top is not None and top.items is not None:
            top.items.append(item)
        else:
            self._nodes.append(_Node(item.name, item.count, line, top.indent if top else indent))

    def _with(self, group: re.Match[str], line: int) -> None:
        if self._unit is None:
            self.into.note(line, f'"{group[0][:80]}" stands under no entry', fatal=True)
        else:
            self._carried(group[0], line, None)

    # What is carried

    def _carried(self, text: str, line: int, node: _Node | None) -> None:
        """Items after a colon or "with": for a group ``node``, or for the whole entry."""
        assert self._unit is not None
        group: ModelGroup | None = None
        each: int | None = None
        for part in split_items(text):
            if found := _WITH.match(part):
                models = int(found["count"])
                self._check(models, MAX_MODELS, line)
                part, each = found["rest"], models
                if node is None:
                    group = ModelGroup("", models, line)
                    self._unit.models.append(group)
            if self._annotation(part, line, among_items=True):
                continue
            times = _TIMES.match(part)
            count, name = (int(times["count"]), times["name"]) if times else (1, part)
            if each is not None:
                count *= each
            elif not times:
                # Without a number, and without "with", each model of the group has one.
                count = (node.count if node else self._unit.stated_models) or 1
            self._check(count, MAX_WEAPONS, line)
            into = group.items if group else node.items if node else self._unit.items
            assert into is not None
            into.append(Item(name, count, line))

    def _annotation(self, text: str, line: int, *, among_items: bool = False) -> bool:
        """Whether the text tells something of the entry other than what it carries; then it is noted.

        A name with a price is an enhancement; on a line of its own only a "+" tells it from the next entry.
        """
        unit = self._unit
        if unit is None:
            return False
        if text.lower() == "warlord":
            unit.warlord = True
        elif text.endswith(" Character") and not _TIMES.match(text):
            unit.keywords.append("CHARACTER")
        elif found := _ENHANCEMENT.match(text):
            for name in split_items(found["name"]):
                priced = _PRICED.match(name)
                unit.enhancements.append(Item(priced["name"] if priced else name, 1, line))
        elif (found := _PRICED.match(text)) and not _TIMES.match(text) and (among_items or "+" in text):
            unit.enhancements.append(Item(found["name"], 1, line))
        elif found := _ATTACHED_AS.match(text):
            unit.role = found["role"].lower()
        elif found := _ATTACHMENT.match(text):
            unit.role, unit.leads = found["role"].lower(), found["name"]
        elif found := _LEADING.match(text):
            unit.leads = found["name"]
        elif found := _ATTACHED_TO.match(text):
            unit.led_by += (
                re.split(r"\s*(?:,|&|\band\b)\s+", found["name"]) if "," in found["name"] else [found["name"]]
            )
        elif found := _KEYWORD.match(text):
            unit.keywords.append(found["name"].upper())
        elif found := _EMBARKED.match(text):
            unit.embarked_in = found["name"]
        else:
            return False
        return True

    # The end of an entry

    def _close(self) -> None:
        unit, self._unit = self._unit, None
        nodes, self._nodes = self._nodes, []
        if unit is None:
            return
        for node in nodes:
            if node.items is None:
                unit.items.append(Item(node.name, node.count or 1, node.line))
                continue
            name = _PARENTHESIS.sub("", node.name) or node.name
            count = node.count or 1
            self._check(count, MAX_MODELS, node.line)
            unit.models.append(ModelGroup(name, count, node.line, node.items))

    def _check(self, count: int | None, most: int, line: int) -> None:
        if count is not None and count > most:
            raise ArmyError(f"the list counts {count} of one thing, more than {most}", where=self.source.at(line))


def _is_mark(text: str) -> bool:
    return text.lower() == "warlord" or text.endswith(" Character")
