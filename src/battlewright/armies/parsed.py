"""What an army list says, before anything is looked up: the one tree that every format is parsed into."""

from __future__ import annotations

from dataclasses import dataclass, field

from battlewright.core.roster import Unresolved

__all__ = ["MAX_MODELS", "MAX_UNITS", "MAX_WEAPONS", "Item", "ModelGroup", "ParsedList", "ParsedUnit"]

MAX_UNITS = 200
"""The most entries of one list."""
MAX_MODELS = 300
"""The most models of one entry."""
MAX_WEAPONS = 3000
"""The most copies of one weapon in one entry."""


@dataclass(slots=True)
class Item:
    """Something that a unit or its models carry.

    Attributes:
        count: copies carried by the whole group, already multiplied with the models that carry them.
    """

    name: str
    count: int
    line: int | None = None


@dataclass(slots=True)
class ModelGroup:
    """Models of a unit that the list tells together.

    Attributes:
        name: the kind of model; empty when the list gives only a number.
    """

    name: str
    count: int
    line: int | None = None
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class ParsedUnit:
    """One entry of the list.

    Attributes:
        points: its cost, enhancements included; None when not stated.
        line: where it stands.
        models: groups of models; empty when the list only tells what the entry carries.
        items: what the entry carries outside any group.
        stated_models: the number of models that its heading states.
        slot: the list's own mark for it, ``"Char2"``.
        role: ``"leader"``, ``"support"`` or ``"bodyguard"`` when the list says so.
        group: which attached unit it belongs to, when the list numbers them.
        leads: the name of the unit that it is said to lead.
        led_by: the names of those said to be attached to it.
        keywords: keywords that the list grants it, in capitals.
    """

    name: str
    points: int | None = None
    line: int | None = None
    models: list[ModelGroup] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    stated_models: int | None = None
    slot: str = ""
    role: str | None = None
    group: str | None = None
    leads: str | None = None
    led_by: list[str] = field(default_factory=list)
    enhancements: list[Item] = field(default_factory=list)
    warlord: bool = False
    keywords: list[str] = field(default_factory=list)
    embarked_in: str | None = None

    def count_models(self) -> int | None:
        """How many models its groups hold; None without groups."""
        return sum(group.count for group in self.models) if self.models else None


@dataclass(slots=True)
class ParsedList:
    """An army list as it stands.

    Attributes:
        points: the total that it states.
        units_stated: the number of units that it states.
        warlord: the unit that its heading calls the warlord, with the line.
        enhancements: what its heading says of enhancements: name, unit, line.
        notes: what could not be read, found while parsing.
    """

    name: str = ""
    faction: str = ""
    faction_line: int | None = None
    detachments: list[tuple[str, int | None]] = field(default_factory=list)
    dispositions: list[tuple[str, int | None]] = field(default_factory=list)
    points: int | None = None
    points_line: int | None = None
    units_stated: int | None = None
    units_line: int | None = None
    warlord: tuple[str, int | None] | None = None
    enhancements: list[tuple[str, str, int | None]] = field(default_factory=list)
    units: list[ParsedUnit] = field(default_factory=list)
    notes: list[Unresolved] = field(default_factory=list)

    def note(self, line: int | None, text: str, nearest: str | None = None, *, fatal: bool = False) -> None:
        """Remember something that did not go into the tree."""
        self.notes.append(Unresolved(line, text, nearest, fatal))
