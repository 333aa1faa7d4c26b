"""Weapons of the classic editions: range, Strength, AP, type and abilities, read once from the text of a roster.

A weapon's type stands among its abilities: ``[HEAVY 3]``, ``[ASSAULT 2, TWIN-LINKED]``, ``[RAPID FIRE]``. Abilities are
told apart by name; one that no edition knows is kept as text in ``unknown`` and has no effect.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core import roster
from battlewright.core.dice import DiceExpression, parse_dice
from battlewright.core.errors import DiceSyntaxError, ProfileError
from battlewright.core.rulebook import rule

__all__ = [
    "BARE",
    "AbilityName",
    "Strength",
    "WeaponAbility",
    "WeaponProfile",
    "WeaponType",
    "is_barrage",
    "is_blast",
    "is_dropped",
    "parse_ability",
    "read_weapon",
]

_RANGE = re.compile(r"(?P<inches>\d+(?:\.\d+)?)\"?")
_WITH_NUMBER = re.compile(r"(?P<name>[A-Z][A-Z' -]*?)\s*(?P<number>\d*[dD]\d+(?:[+-]\d+)?|\d+/\d+|\d+\+?)?")
_STRENGTH = re.compile(r"(?P<fixed>\d{1,2})|(?P<user>USER|AS USER|-)|\+(?P<more>\d)|X(?P<times>\d)", re.IGNORECASE)
_HIGHEST_STRENGTH = 10


class WeaponType(StrEnum):
    """How a weapon may be fired."""

    MELEE = "melee"
    ASSAULT = "assault"
    HEAVY = "heavy"
    ORDNANCE = "ordnance"
    PISTOL = "pistol"
    RAPID_FIRE = "rapid fire"
    SALVO = "salvo"


class AbilityName(StrEnum):
    """What a weapon can do besides; the number it may bring is the ability's."""

    ARMOURBANE = "ARMOURBANE"
    BARRAGE = "BARRAGE"
    BLAST = "BLAST"
    BLIND = "BLIND"
    BOMB = "BOMB"
    CHAINFIST = "CHAINFIST"
    CHOPPA = "CHOPPA"
    COMBI = "COMBI"
    CONCUSSIVE = "CONCUSSIVE"
    FLESHBANE = "FLESHBANE"
    FORCE = "FORCE"
    GAUSS = "GAUSS"
    GETS_HOT = "GETS HOT"
    GRENADE = "GRENADE"
    GUESS = "GUESS"
    HAYWIRE = "HAYWIRE"
    IGNORES_COVER = "IGNORES COVER"
    INTERCEPTOR = "INTERCEPTOR"
    LANCE = "LANCE"
    LARGE_BLAST = "LARGE BLAST"
    LIGHTNING_CLAW = "LIGHTNING CLAW"
    MASTER_CRAFTED = "MASTER-CRAFTED"
    MELTA = "MELTA"
    MINIMUM = "MINIMUM"
    ONE_HANDED = "ONE-HANDED"
    ONE_SHOT = "ONE SHOT"
    PINNING = "PINNING"
    POISONED = "POISONED"
    POWER_FIST = "POWER FIST"
    POWER_WEAPON = "POWER WEAPON"
    PSYCHIC = "PSYCHIC"
    RENDING = "RENDING"
    SHRED = "SHRED"
    SKYFIRE = "SKYFIRE"
    SNIPER = "SNIPER"
    SOUL_BLAZE = "SOUL BLAZE"
    SPECIALIST = "SPECIALIST"
    STRIKEDOWN = "STRIKEDOWN"
    TEMPLATE = "TEMPLATE"
    THUNDER_HAMMER = "THUNDER HAMMER"
    TORRENT = "TORRENT"
    TWIN_LINKED = "TWIN-LINKED"
    TWO_HANDED = "TWO-HANDED"
    UNWIELDY = "UNWIELDY"
    WITCHBLADE = "WITCHBLADE"


@dataclass(frozen=True, slots=True)
class WeaponAbility:
    """An ability with its number: ``POISONED 3`` wounds on 3+, ``MINIMUM 12`` does not fire at less than 12"."""

    name: AbilityName
    number: int | None = None

    def __str__(self) -> str:
        return str(self.name) if self.number is None else f"{self.name} {self.number}"


@dataclass(frozen=True, slots=True)
class Strength:
    """The Strength of a weapon: a number, or made of its user's.

    Attributes:
        fixed: the number, None where the user's counts.
        times, more: what the user's is multiplied by and what is added.
    """

    fixed: int | None = None
    times: int = 1
    more: int = 0

    @rule("6e.core.fundamentals.modifier-order")
    def of(self, user: int) -> int:
        """The Strength in the hands of a user of that Strength, at most 10.

        >>> Strength(times=2).of(6)
        10
        """
        if self.fixed is not None:
            return self.fixed
        return min(user * self.times + self.more, _HIGHEST_STRENGTH)

    @property
    def in_short(self) -> str:
        """The number, or what makes it of the user's."""
        if self.fixed is not None:
            return f"S{self.fixed}"
        return "S user" + (f" ×{self.times}" if self.times != 1 else "") + (f" +{self.more}" if self.more else "")


@dataclass(frozen=True, slots=True)
class WeaponProfile:
    """One way to use a weapon.

    Attributes:
        range: inches; 0 for melee.
        ap: None for "-".
        shots: how many of an assault, heavy, ordnance or salvo weapon; 1 for others.
        shots_moved: how many of a salvo weapon whose bearer has moved; None for others.
        skill: a ballistic or weapon skill of its own, None for its user's.
        unknown: abilities without effect, as printed.
    """

    name: str
    type: WeaponType
    range: float
    strength: Strength
    ap: int | None
    shots: DiceExpression
    abilities: tuple[WeaponAbility, ...] = ()
    unknown: tuple[str, ...] = ()
    skill: int | None = None
    shots_moved: DiceExpression | None = None

    @property
    def melee(self) -> bool:
        """Whether it is used in close combat."""
        return self.type is WeaponType.MELEE

    @property
    def in_short(self) -> str:
        """Range, Strength, AP, type with its shots, and what it can do besides, as a player says it."""
        far = "" if self.melee or not self.range else f'{self.range:g}"'
        counts = self.type in (WeaponType.ASSAULT, WeaponType.HEAVY, WeaponType.ORDNANCE, WeaponType.SALVO)
        shots = f"{self.shots_moved}/{self.shots}" if self.shots_moved is not None else str(self.shots)
        kind = f"{self.type} {shots}" if counts else str(self.type)
        ap = "AP-" if self.ap is None else f"AP{self.ap}"
        besides = [str(ability).lower() for ability in self.abilities]
        return ", ".join(part for part in (far, self.strength.in_short, ap, kind, *besides) if part)

    def ability(self, name: AbilityName) -> WeaponAbility | None:
        """The ability of that name, if it has it."""
        return next((ability for ability in self.abilities if ability.name is name), None)

    def has(self, name: AbilityName) -> bool:
        """Whether it has the ability."""
        return self.ability(name) is not None


BARE = WeaponProfile("close combat attack", WeaponType.MELEE, 0.0, Strength(), None, DiceExpression(0, 0, 1))
"""An ordinary attack, of who has no close combat weapon."""


def is_blast(profile: WeaponProfile) -> bool:
    """Whether a weapon lays a marker that is aimed with a hit roll."""
    marker = profile.has(AbilityName.BLAST) or profile.has(AbilityName.LARGE_BLAST)
    return marker and profile.type is not WeaponType.ORDNANCE and not is_barrage(profile)


def is_barrage(profile: WeaponProfile) -> bool:
    """Whether a weapon fires at what it does not see, in some editions by guess."""
    return profile.has(AbilityName.BARRAGE) or profile.has(AbilityName.GUESS)


@rule("6e.bombs.movement-phase")
def is_dropped(weapon: WeaponProfile) -> bool:
    """Whether a weapon is a bomb, which is dropped in the Movement phase and never fired in the Shooting phase."""
    return weapon.has(AbilityName.BOMB)


_TYPES = {str(kind).upper(): kind for kind in WeaponType if kind is not WeaponType.MELEE}
_NAMES = {str(name): name for name in AbilityName}
_NAMES |= {
    "FORCE WEAPON": AbilityName.FORCE,
    "GETS HOT!": AbilityName.GETS_HOT,
    "POISON": AbilityName.POISONED,
    "SPECIALIST WEAPON": AbilityName.SPECIALIST,
    "TWIN LINKED": AbilityName.TWIN_LINKED,
    "WITCH BLADE": AbilityName.WITCHBLADE,
}


def parse_ability(text: str) -> WeaponAbility | None:
    """The ability that a text such as ``POISONED 4+`` names; None when no edition knows it.

    >>> str(parse_ability("poisoned 3+")), parse_ability("shiny")
    ('POISONED 3', None)
    """
    name, number = _name_and_number(text)
    if name not in _NAMES:
        return None
    value = int(number.rstrip("+")) if number and number.rstrip("+").isdecimal() else None
    return WeaponAbility(_NAMES[name], value)


def _name_and_number(text: str) -> tuple[str, str | None]:
    found = _WITH_NUMBER.fullmatch(text.strip().upper().rstrip("!"))
    return (found["name"], found["number"]) if found else (text.strip().upper(), None)


def read_weapon(profile: roster.WeaponProfile, name: str = "") -> WeaponProfile:
    """Read a weapon of a roster; ``A`` is the number of shots where its type does not say it.

    A profile that has a name of its own is called by the weapon's with it: "Missile launcher (Krak)".

    Raises:
        ProfileError: for a range, Strength, AP or number of shots that cannot be read; names the weapon.
    """
    called = f"{name} ({profile.name})" if name and profile.name not in ("", name) else profile.name or name
    printed = profile.characteristics
    kind = WeaponType.MELEE if profile.melee else WeaponType.ASSAULT
    shots, moved = printed.get("A", "1"), ""
    abilities: list[WeaponAbility] = []
    unknown: list[str] = []
    for text in profile.abilities:
        word, number = _name_and_number(text)
        if word in _TYPES:
            kind, shots = _TYPES[word], number or shots
            fewer, _, shots = shots.rpartition("/")
            moved = fewer or moved
        elif (ability := parse_ability(text)) is not None:
            abilities.append(ability)
        else:
            unknown.append(text)
    try:
        number_of_shots = parse_dice(shots)
        shots_moved = parse_dice(moved) if moved else None
    except DiceSyntaxError as fault:
        raise ProfileError(f'{called}: "{shots}" is no number of shots', expected="a number or D6") from fault
    return WeaponProfile(
        name=called,
        type=kind,
        range=0.0 if profile.melee else _range(printed.get("R", ""), called),
        strength=_strength(printed.get("S", "User" if profile.melee else ""), called),
        ap=_ap(printed.get("AP", "-"), called),
        shots=number_of_shots,
        abilities=tuple(abilities),
        unknown=tuple(unknown),
        skill=_skill(printed.get("WS" if profile.melee else "BS"), called),
        shots_moved=shots_moved,
    )


def _range(text: str, name: str) -> float:
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise ProfileError(f'{name}: the range is "{text}"', expected='inches such as 24"')
    return float(found["inches"])


def _strength(text: str, name: str) -> Strength:
    found = _STRENGTH.fullmatch(text.strip())
    if found is None or (found["fixed"] and int(found["fixed"]) > _HIGHEST_STRENGTH):
        raise ProfileError(f'{name}: S is "{text}"', expected="a number from 0 to 10, User, +1 or x2")
    if found["fixed"]:
        return Strength(int(found["fixed"]))
    return Strength(times=int(found["times"] or 1), more=int(found["more"] or 0))


def _ap(text: str, name: str) -> int | None:
    if text.strip() in ("-", ""):
        return None
    if text.strip() not in "123456":
        raise ProfileError(f'{name}: AP is "{text}"', expected="1 to 6, or -")
    return int(text)


def _skill(text: str | None, name: str) -> int | None:
    if text is None or text.strip() in ("-", ""):
        return None
    if not text.strip().isdecimal() or int(text) > _HIGHEST_STRENGTH:
        raise ProfileError(f'{name}: the skill is "{text}"', expected="a number from 0 to 10")
    return int(text)
