"""How a table stands and what has happened at it, as one seat may know."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from battlewright.server.messages.words import Message, Side

__all__ = [
    "CardShown",
    "Counter",
    "EventItem",
    "Events",
    "LogLine",
    "Standing",
    "StateNow",
    "UnitView",
    "View",
]


class UnitView(BaseModel):
    """What changes about a unit; further fields are the edition's own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    side: Side
    models: list[int]


class View(BaseModel):
    """What changes, as far as this seat may see it; further fields are the edition's own.

    ``position`` holds a row per model: x, y, z in thousandths of an inch, facing in thousandths of a degree.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    position: list[tuple[int, int, int, int]]
    wounds: list[int]
    on_table: list[bool]
    units: list[UnitView]
    round: int
    turn: Side
    phase: str
    step: int
    vp: tuple[int, int]


class Counter(Message):
    """Something that is counted beside victory points, and each side's number."""

    name: str
    values: tuple[int, int]


class CardShown(Message):
    """A card that a side has, as far as this seat may know, and the rule it is."""

    side: Side
    name: str
    rule: str


class Standing(Message):
    """What players keep beside the table: whose each deployment zone is (by its name), counters, cards."""

    zones: dict[str, Side] = {}
    counters: list[Counter] = []
    cards: list[CardShown] = []


class StateNow(Message):
    """The table as it stands now. ``number`` rises by one with each that this seat is sent."""

    type: Literal["state"] = "state"
    number: int
    view: View
    standing: Standing = Standing()


class LogLine(Message):
    """One line of the log, shown at its level and the more talkative ones (brief, rolls, full)."""

    text: str
    level: Literal["brief", "rolls", "full"]
    side: Side | None = None
    heading: bool = False
    rules: list[str] = []


class EventItem(Message):
    """The event of number ``n`` (counted from 0, as this seat sees them) and how it is told."""

    n: int
    event: dict[str, Any]
    lines: list[LogLine]


class Events(Message):
    """What has happened. Replaces everything that the client holds from number ``since`` on (after an undo, less)."""

    type: Literal["events"] = "events"
    since: int
    era: int
    items: list[EventItem]
