"""Entries of a list, each with the datasheet and the models that it was found to stand for."""

from __future__ import annotations

from dataclasses import dataclass, field

from battlewright.armies.datasheet import Datasheet
from battlewright.armies.parsed import ParsedUnit
from battlewright.core.roster import Model

__all__ = [
    "Entry",
]


@dataclass(slots=True)
class Entry:
    """One entry of the list as resolved.

    Attributes:
        models: its models; their ``component`` is set when entries are joined to units.
        not_enforced: names of what has no effect, for want of a profile or rule.
    """

    parsed: ParsedUnit
    sheet: Datasheet
    models: list[Model] = field(default_factory=list)
    not_enforced: list[str] = field(default_factory=list)
