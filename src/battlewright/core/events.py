"""What happened: frozen records that the log, the page, statistics and players read.

An event holds numbers, ids, the dice and the rules that caused it, and who may see it; sentences are made from it
afterwards, by formatters. Each edition adds its own kinds by deriving from :class:`Event`; a kind is named by its
class, and its JSON form is made of its fields.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

from battlewright.core.decisions import Side
from battlewright.core.dice import Roll

__all__ = ["Event", "ModelsMoved", "ModelsRemoved", "PhaseBegan", "Rolled", "event_kinds"]

_KINDS: dict[str, type[Event]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The base of every event.

    Attributes:
        rules: ids of the rules that caused it.
        seen_by: the only side that may see it, or None for everybody.
    """

    kind: ClassVar[str] = "event"
    rules: tuple[str, ...] = ()
    seen_by: Side | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # A dataclass with slots is built twice; the second class, which has the slots, stands in the table.
        cls.kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()
        _KINDS[cls.kind] = cls

    def to_json(self) -> dict[str, Any]:
        """The event as JSON: its kind and its fields."""
        return {"kind": self.kind, **{item.name: _json(getattr(self, item.name)) for item in dataclasses.fields(self)}}


def _json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _json(getattr(value, item.name)) for item in dataclasses.fields(value)}
    return value


def event_kinds() -> dict[str, type[Event]]:
    """Every kind of event that has been defined, by name."""
    return dict(_KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Event):
    """Dice were thrown for a unit (printed id; empty where no unit is meant).

    Attributes:
        needed: what a die has to show at least to succeed; None where that does not decide.
        result: what the dice came to in whatever was rolled for, where that is another number than their sum.
    """

    roll: Roll
    side: Side
    unit: str = ""
    needed: int | None = None
    result: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseBegan(Event):
    """A phase (or the battle, a round, a turn) began."""

    name: str
    round: int
    turn: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsMoved(Event):
    """Models of a unit moved or were set up.

    Attributes:
        how: the kind of move, ``"normal"``, ``"set-up"``.
        paths: for each model its row and its waypoints, the place it left first (none for a set-up).
    """

    unit: str
    how: str
    paths: tuple[tuple[int, tuple[tuple[int, int, int, int], ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsRemoved(Event):
    """Models of a unit left the battlefield; ``why`` is ``"destroyed"``, ``"incoherent"`` and the like."""

    unit: str
    models: tuple[int, ...]
    why: str
    details: tuple[str, ...] = field(default=())
