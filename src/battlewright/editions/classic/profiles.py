"""Profiles of the classic editions: the characteristics of models, read once from the text of a roster.

A living model has WS, BS, S, T, W, I, A, Ld from 0 to 10 and a save; a vehicle has BS and armour values, a walker
WS, S, I and A besides. A dash is 0: whatever has no characteristic can do nothing that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core import roster
from battlewright.core.errors import ProfileError
from battlewright.core.rulebook import rule

__all__ = [
    "Armour",
    "CharacterKind",
    "Facing",
    "Kind",
    "ModelProfile",
    "ability_name",
    "character_kind",
    "kind_of",
    "read_model",
    "with_implied",
]

_TOUGHNESS = re.compile(r"(?P<base>\d{1,2})(?:\((?P<used>\d{1,2})\))?")
_ARMOUR = re.compile(r"(?P<front>\d{1,2})/(?P<side>\d{1,2})/(?P<rear>\d{1,2})")
_SAVE = re.compile(r"(?P<needed>[1-7])\+")
_MOST = 10
ALIASES: Mapping[str, str] = {
    "AND THEY SHALL KNOW NO FEAR": "KNOW NO FEAR",
    "FLEET OF CLAW": "FLEET",
    "FLEET OF FOOT": "FLEET",
    "HIT & RUN": "HIT AND RUN",
    "SCOUT": "SCOUTS",
    "TANK HUNTER": "TANK HUNTERS",
    "VULNERABLE TO BLASTS AND TEMPLATES": "VULNERABLE TO BLASTS",
}
"""Special rules that lists spell otherwise, by the name that rules know them by."""


class Kind(StrEnum):
    """What a model is, as far as rules of its own go with it."""

    INFANTRY = "infantry"
    JUMP = "jump troops"
    BIKE = "bike"
    JETBIKE = "jetbike"
    CAVALRY = "cavalry"
    BEAST = "beast"
    MONSTROUS = "monstrous creature"
    ARTILLERY = "artillery"
    VEHICLE = "vehicle"

    @property
    def is_vehicle(self) -> bool:
        """Whether it has armour values in place of Toughness and Wounds."""
        return self is Kind.VEHICLE


_KEYWORDS: tuple[tuple[str, Kind], ...] = (
    ("VEHICLE", Kind.VEHICLE),
    ("JETBIKE", Kind.JETBIKE),
    ("BIKE", Kind.BIKE),
    ("CAVALRY", Kind.CAVALRY),
    ("BEAST", Kind.BEAST),
    ("MONSTROUS CREATURE", Kind.MONSTROUS),
    ("ARTILLERY", Kind.ARTILLERY),
    ("JUMP TROOPS", Kind.JUMP),
    ("INFANTRY", Kind.INFANTRY),
)
"""The keyword of each kind; the first that a model has decides."""


class CharacterKind(StrEnum):
    """The two kinds of character, and everybody else."""

    NONE = "none"
    UPGRADE = "upgrade"
    """Part of its unit for good."""
    INDEPENDENT = "independent"
    """Joins and leaves units."""


class Facing(StrEnum):
    """The sides of a vehicle that have armour of their own."""

    FRONT = "front"
    SIDE = "side"
    REAR = "rear"


@dataclass(frozen=True, slots=True)
class Armour:
    """The armour values of a vehicle."""

    front: int
    side: int
    rear: int

    def of(self, facing: Facing) -> int:
        """The armour value of one side."""
        match facing:
            case Facing.FRONT:
                return self.front
            case Facing.SIDE:
                return self.side
            case Facing.REAR:
                return self.rear

    def __str__(self) -> str:
        return f"{self.front}/{self.side}/{self.rear}"


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """The characteristics of a model.

    Attributes:
        toughness: with everything that adds to it for good (a bike).
        base_toughness: without.
        save: the armour save, None for none; ``invulnerable`` the other save.
        armour: of a vehicle, else None.
        keywords: in capitals.
        abilities: names of its special rules and wargear, as :func:`ability_name` gives them.
    """

    name: str
    kind: Kind
    weapon_skill: int = 0
    ballistic_skill: int = 0
    strength: int = 0
    toughness: int = 0
    base_toughness: int = 0
    wounds: int = 1
    initiative: int = 0
    attacks: int = 0
    leadership: int = 0
    save: int | None = None
    invulnerable: int | None = None
    armour: Armour | None = None
    keywords: frozenset[str] = frozenset()
    abilities: frozenset[str] = frozenset()
    character: CharacterKind = CharacterKind.NONE

    @property
    def is_vehicle(self) -> bool:
        """Whether it has armour values."""
        return self.armour is not None

    @property
    def is_character(self) -> bool:
        """Whether it is a character of either kind."""
        return self.character is not CharacterKind.NONE

    @property
    def is_independent(self) -> bool:
        """Whether it is an independent character."""
        return self.character is CharacterKind.INDEPENDENT

    def has(self, name: str) -> bool:
        """Whether it has a keyword, a special rule or wargear of that name (in capitals)."""
        return name in self.keywords or name in self.abilities


@rule("3e.terms.unit-types")
def kind_of(keywords: Collection[str], name: str = "") -> Kind:
    """The kind that a model's keywords name.

    Raises:
        ProfileError: when they name none.
    """
    for keyword, kind in _KEYWORDS:
        if keyword in keywords:
            return kind
    raise ProfileError(
        f"{name or 'a model'} has no unit type", expected=", ".join(keyword for keyword, _ in reversed(_KEYWORDS))
    )


@rule(
    "3e.characters.described",
    "3e.characters.retinue",
    "3e.characters.bought-upgrade",
    "3e.characters.upgrade",
    "3e.characters.independent",
    "4e.characters.kinds",
    "4e.characters.solo-not-ic",
    "4e.retinue.from-codex",
    "4e.retinue.cannot-leave",
)
def character_kind(keywords: Collection[str], *, with_retinue: bool) -> CharacterKind:
    """What kind of character a model is.

    Args:
        keywords: INDEPENDENT CHARACTER is one; INDEPENDENT WITHOUT RETINUE is one as long as it has no bodyguard;
            CHARACTER is a special type bought for a unit.
        with_retinue: whether its unit has other models that it was bought with.
    """
    if "INDEPENDENT CHARACTER" in keywords:
        return CharacterKind.INDEPENDENT
    if "INDEPENDENT WITHOUT RETINUE" in keywords:
        return CharacterKind.UPGRADE if with_retinue else CharacterKind.INDEPENDENT
    return CharacterKind.UPGRADE if "CHARACTER" in keywords else CharacterKind.NONE


@rule("6e.hover.as-fast-skimmer")
def with_implied(keywords: Collection[str]) -> frozenset[str]:
    """A model's keywords with those that go with them: a flyer that hovers does so as a fast skimmer."""
    found = frozenset(keywords)
    return found | {"FAST", "SKIMMER"} if {"FLYER", "HOVER"} <= found else found


@rule("4e.core.fundamentals.profile", "6e.core.fundamentals.profile")
@rule("4e.bikes.as-infantry", "4e.jetbikes.as-infantry", "4e.bikes.toughness", "4e.jetbikes.toughness")
@rule("3e.core.fundamentals.profile", "3e.core.units.bike-toughness")
@rule("4e.vehicle-profile.own-rules", "4e.vehicle-profile.type", "4e.vehicle-profile.armour-value")
@rule("4e.vehicle-profile.ballistic-skill", "4e.vehicle-profile.extra-characteristics")
@rule("4e.vehicle-profile.walker-profile", "6e.walker-characteristics.profile")
@rule("4e.characters.upgrade-profile", "4e.special-characters.named-free")
def read_model(model: roster.Model, *, with_retinue: bool = False) -> ModelProfile:
    """Read a model of a roster. ``T4(5)`` is a Toughness of 4 that a bike makes 5.

    Raises:
        ProfileError: for a characteristic that cannot be read or that its kind must have, and for a missing kind.
    """
    keywords = with_implied(model.keywords)
    kind = kind_of(keywords, model.name)
    read = _Reader(model.name, model.characteristics)
    if kind.is_vehicle:
        armour, (base, used) = read.armour(), (0, 0)
    else:
        armour, (base, used) = None, read.toughness()
    return ModelProfile(
        name=model.name,
        kind=kind,
        weapon_skill=read.number("WS"),
        ballistic_skill=read.number("BS"),
        strength=read.number("S"),
        toughness=used,
        base_toughness=base,
        wounds=max(read.number("HP") if kind.is_vehicle else read.number("W"), 1),
        initiative=read.number("I"),
        attacks=read.number("A"),
        leadership=read.number("Ld"),
        save=read.save("Sv"),
        invulnerable=read.save("InSv"),
        armour=armour,
        keywords=keywords,
        abilities=frozenset(ability_name(ability.name) for ability in model.abilities),
        character=character_kind(keywords, with_retinue=with_retinue),
    )


def ability_name(printed: str) -> str:
    """The name of a special rule or piece of wargear as rules ask for it: in capitals, other spellings made one.

    >>> ability_name("And They Shall Know No Fear")
    'KNOW NO FEAR'
    """
    name = printed.strip().upper()
    return ALIASES.get(name, name)


class _Reader:
    """The characteristics of one model, each read where it stands."""

    def __init__(self, name: str, printed: Mapping[str, str]) -> None:
        self._name, self._printed = name, printed

    def _fault(self, key: str, expected: str) -> ProfileError:
        return ProfileError(f'{self._name}: {key} is "{self._printed.get(key, "")}"', expected=expected)

    def number(self, key: str) -> int:
        """A characteristic from 0 to 10; a dash or nothing at all is 0."""
        text = self._printed.get(key, "-").strip()
        if text in ("-", ""):
            return 0
        if not text.isdecimal() or int(text) > _MOST:
            raise self._fault(key, f"a number from 0 to {_MOST}, or -")
        return int(text)

    def toughness(self) -> tuple[int, int]:
        """The Toughness without and with what adds to it."""
        found = _TOUGHNESS.fullmatch(self._printed.get("T", "").strip())
        if found is None:
            raise self._fault("T", "a Toughness such as 4, or 4(5)")
        base, used = int(found["base"]), int(found["used"] or found["base"])
        if not 1 <= base <= _MOST or not 1 <= used <= _MOST:
            raise self._fault("T", f"a Toughness from 1 to {_MOST}")
        return base, used

    def save(self, key: str) -> int | None:
        """A save, None for a dash, for 7+ or for nothing at all."""
        text = self._printed.get(key, "-").strip()
        if text in ("-", ""):
            return None
        found = _SAVE.fullmatch(text)
        if found is None:
            raise self._fault(key, "a save such as 3+, or -")
        needed = int(found["needed"])
        return None if needed > 6 else max(needed, 2)

    def armour(self) -> Armour:
        """The armour values of a vehicle."""
        found = _ARMOUR.fullmatch(self._printed.get("AV", "").strip())
        if found is None:
            raise self._fault("AV", "front, side and rear armour such as 13/11/10")
        return Armour(int(found["front"]), int(found["side"]), int(found["rear"]))
