"""XML from strangers: no entities or document types, bounded in depth and number, every element with its line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["MAX_ELEMENTS", "MAX_NESTING", "XmlNode", "looks_like_xml", "parse_xml"]

MAX_NESTING = 120
"""How deep elements may be nested; a selection is two levels."""
MAX_ELEMENTS = 400_000
"""The most elements of one document."""
_MAX_TEXT = 20_000


@dataclass(slots=True)
class XmlNode:
    """One element, without its namespace.

    Attributes:
        line: where it begins, counted from 1.
        text: its own text, stripped; the bound of it is 20,000 characters.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[XmlNode] = field(default_factory=list)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute, stripped."""
        return self.attributes.get(name, default).strip()

    def first(self, tag: str) -> XmlNode | None:
        """The first child of that tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def listed(self, *tags: str) -> Iterator[XmlNode]:
        """The children of the list elements of these names: ``listed("costs")`` gives every cost."""
        for child in self.children:
            if child.tag in tags:
                yield from child.children

    def walk(self) -> Iterator[XmlNode]:
        """This element and all below it, in the order of the document."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class _Builder:
    """Builds the tree while the document is read, and stops where it goes out of bounds."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._open: list[XmlNode] = []
        self._texts: list[list[str]] = []
        self._count = 0
        self.root: XmlNode | None = None
        self.parser: Any = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        line = int(self.parser.CurrentLineNumber)
        if self._count > MAX_ELEMENTS:
            raise ArmyError(f"the file has more than {MAX_ELEMENTS} elements", where=self._source.where)
        if len(self._open) >= MAX_NESTING:
            raise ArmyError(f"elements are nested more than {MAX_NESTING} deep", where=self._source.at(line))
        node = XmlNode(tag.rpartition("}")[2], dict(attributes), line)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node
        self._open.append(node)
        self._texts.append([])

    def data(self, text: str) -> None:
        if self._texts:
            self._texts[-1].append(text)

    def end(self, tag: str) -> None:
        self._open.pop().text = "".join(self._texts.pop()).strip()[:_MAX_TEXT]

    def close(self) -> XmlNode | None:
        return self.root


def looks_like_xml(source: Source, *roots: str) -> bool:
    """Whether the text begins as XML does, with one of these elements near its top."""
    head = source.head
    return head.lstrip()[:1] == "<" and any(f"<{root}" in head for root in roots)


def parse_xml(source: Source) -> XmlNode:
    """The document's root element.

    Raises:
        ArmyError: it is malformed or cut short, declares a document type or entities, or goes out of bounds.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser, ParseError

    builder = _Builder(source)
    # The file was decoded as its declaration says; what is fed here is UTF-8, whatever stands there.
    parser = DefusedXMLParser(target=builder, forbid_dtd=True, encoding="utf-8")
    builder.parser = parser.parser
    try:
        parser.feed(source.text.lstrip().encode("utf-8", "surrogatepass"))
        parser.close()
    except ParseError as fault:
        line = getattr(fault, "position", (None, None))[0]
        raise ArmyError("the XML is broken or cut short", where=source.at(line)) from fault
    except DefusedXmlException as fault:
        raise ArmyError("the XML declares a document type or entities", where=source.where) from fault
    if builder.root is None:
        raise ArmyError("the XML is empty", where=source.where)
    return builder.root
