"""Answers to decisions, as a client gives them and the server proposes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from battlewright.server.messages.words import Message, Row, UnitName, Waypoint

__all__ = [
    "Answer",
    "AttackUse",
    "DeclareAnswer",
    "MoveOfModel",
    "PickAnswer",
    "PlaceAnswer",
]


class PickAnswer(Message):
    """The choice of one listed option, by its key."""

    kind: Literal["pick"] = "pick"
    option: Annotated[str, Field(max_length=2000)]


class MoveOfModel(Message):
    """One model's way; the last waypoint is where it ends."""

    model: Row
    path: Annotated[list[Waypoint], Field(max_length=64)]


class PlaceAnswer(Message):
    """Models moved or set up, in this order."""

    kind: Literal["place"] = "place"
    moves: Annotated[list[MoveOfModel], Field(max_length=500)]


class AttackUse(Message):
    """One use of one weapon by one model at one unit."""

    model: Row
    weapon: Row
    profile: Row
    target: UnitName
    count: Annotated[int, Field(strict=True, ge=1, le=10**6)] | None = None


class DeclareAnswer(Message):
    """Every attack of a unit."""

    kind: Literal["declare"] = "declare"
    attacks: Annotated[list[AttackUse], Field(max_length=2000)]


Answer = Annotated[PickAnswer | PlaceAnswer | DeclareAnswer, Field(discriminator="kind")]
