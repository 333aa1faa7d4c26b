"""What every message is made of: its base, and the words for sides, seats, units, rows and places."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "PROTOCOL",
    "Message",
    "Number",
    "Ref",
    "Role",
    "Row",
    "SeatKind",
    "Side",
    "UnitName",
    "Waypoint",
]

PROTOCOL = 1
"""The version of the protocol; another one is refused at the hello."""

Side = Literal[0, 1]
"""0 for side a, 1 for side b."""
Role = Literal["a", "b", "both", "watch"]
"""What a link is for: one side, both sides at one screen (hot seat), or looking on."""
SeatKind = Literal["person", "computer", "open"]

Ref = Annotated[str, Field(max_length=64)]
"""A word of the client's own, sent back with what answers it."""
UnitName = Annotated[str, Field(min_length=1, max_length=32)]
"""A unit's printed id, ``"a.3"``."""
Number = Annotated[int, Field(strict=True, ge=-(10**9), le=10**9)]
Row = Annotated[int, Field(strict=True, ge=0, le=10**6)]
Waypoint = tuple[Number, Number, Number, Number]
"""x, y, z in thousandths of an inch, facing in thousandths of a degree."""


class Message(BaseModel):
    """The base of everything that is said; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)
