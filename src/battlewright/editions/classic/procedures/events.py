"""What can happen while armies of the 3rd edition are set up and move, besides the events that are shared."""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.decisions import Side
from battlewright.core.events import Event

__all__ = ["AssaultFellShort", "CharacterJoined", "CharacterLeft", "ForceChecked", "TerrainDared", "TerrainTested"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceChecked(Event):
    """An army was held against its chart: a sentence for each fault, none where it keeps to it."""

    side: Side
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssaultFellShort(Event):
    """A unit does not reach enemies that it wanted to assault: it stays there, or has moved as far as it could."""

    unit: str
    targets: tuple[str, ...]
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainTested(Event):
    """A unit took a terrain test: its dice, the inches that they allow, the models that were declared to enter."""

    unit: str
    faces: tuple[int, ...]
    allowed: int
    entering: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainDared(Event):
    """Models threw dice for moving in difficult terrain: for each its row and its dice; ``lost`` are those removed."""

    unit: str
    dice: tuple[tuple[int, tuple[int, ...]], ...]
    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterJoined(Event):
    """An independent character joined a unit."""

    unit: str
    joined: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterLeft(Event):
    """An independent character left the unit that he had joined."""

    unit: str
    left: str
