"""What never changes during a battle: armies, models, weapons, bases, options, the battlefield."""

from __future__ import annotations

from typing import Any, Literal

from battlewright.server.messages.words import Message, Side

__all__ = [
    "ArmyCard",
    "BaseShape",
    "ModelCard",
    "ProfileCard",
    "Scene",
    "Switch",
    "UnitCard",
    "WeaponCard",
]


class BaseShape(Message):
    """A model's base: its text form, and its extents in millimetres; a hull has its corners about its centre."""

    text: str
    kind: Literal["round", "oval", "hull"]
    length: float
    width: float
    outline: list[tuple[float, float]] = []
    flying: bool = False


class ProfileCard(Message):
    """One way to use a weapon, as printed."""

    name: str
    melee: bool
    characteristics: dict[str, str]
    abilities: list[str]


class WeaponCard(Message):
    """One copy of a weapon; its place in the list is the number that a declaration names."""

    name: str
    profiles: list[ProfileCard]


class ModelCard(Message):
    """One model. ``row`` is its number in every message; ``height`` is in inches."""

    row: int
    unit: str
    name: str
    base: BaseShape
    height: float
    characteristics: dict[str, str]
    keywords: list[str]
    weapons: list[WeaponCard]
    abilities: list[str]
    character: bool = False


class UnitCard(Message):
    """One unit as its list has it: which of its rules the table enforces, and which have no effect."""

    id: str
    index: int
    side: Side
    name: str
    models: list[int]
    points: int
    enforced: list[str]
    not_enforced: list[str]
    part_of: str | None = None
    """The unit of the list that it is a model of until it is left behind by it."""


class ArmyCard(Message):
    """One side's army."""

    name: str
    side_name: str
    faction: str
    detachments: list[str]
    points: int


class Switch(Message):
    """An option of the edition with the value that this battle is played by."""

    name: str
    value: str
    default: str
    text: str
    rule: str


class Scene(Message):
    """What never changes during a battle.

    ``battlefield`` is its JSON form in inches (see docs/protocol.md): width, height, areas with features, zones,
    objectives. ``units`` stand in the order of the view's ``units``, ``models`` in the order of its arrays. ``phases``
    are those of a turn; both they and ``may_measure`` are told of battles that go on. ``engagement`` is how many inches
    apart bases of enemies may be to be engaged, where contact is not needed.
    """

    edition: str
    edition_title: str
    mission: str
    mission_title: str
    battlefield: dict[str, Any]
    armies: tuple[ArmyCard, ArmyCard]
    units: list[UnitCard]
    models: list[ModelCard]
    options: list[Switch]
    may_measure: bool = True
    phases: list[str] = []
    engagement: float | None = None
