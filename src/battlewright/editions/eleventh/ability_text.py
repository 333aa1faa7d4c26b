"""Core abilities and weapon abilities as text: the forms of chapter 24, and what they are read into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from battlewright.core.dice import DiceExpression, parse_dice
from battlewright.core.errors import DiceSyntaxError, ProfileError
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.keywords import keyword_list

__all__ = [
    "CoreAbility",
    "CoreAbilityName",
    "WeaponAbility",
    "WeaponAbilityName",
    "capitals",
    "fixed",
    "has_ability",
    "parse_ability",
    "parse_core_ability",
    "parse_weapon_ability",
]


class CoreAbilityName(StrEnum):
    """The core abilities of chapter 24."""

    DAMAGED = "DAMAGED"
    DEADLY_DEMISE = "DEADLY DEMISE"
    DEEP_STRIKE = "DEEP STRIKE"
    FEEL_NO_PAIN = "FEEL NO PAIN"
    FIGHTS_FIRST = "FIGHTS FIRST"
    FIRING_DECK = "FIRING DECK"
    HOVER = "HOVER"
    INFILTRATORS = "INFILTRATORS"
    LEADER = "LEADER"
    LONE_OPERATIVE = "LONE OPERATIVE"
    SCOUTS = "SCOUTS"
    STEALTH = "STEALTH"
    SUPER_HEAVY_WALKER = "SUPER-HEAVY WALKER"
    SUPPORT = "SUPPORT"


class Harm(StrEnum):
    """Kinds of wounds that a Feel No Pain may be limited to."""

    PSYCHIC = "psychic attacks"
    MORTAL = "mortal wounds"


class WeaponAbilityName(StrEnum):
    """The weapon abilities of chapter 24, and HUNTER (04.01). PISTOL is CLOSE-QUARTERS under its older name."""

    ANTI = "ANTI"
    ASSAULT = "ASSAULT"
    BLAST = "BLAST"
    CLEAVE = "CLEAVE"
    CLOSE_QUARTERS = "CLOSE-QUARTERS"
    DEVASTATING_WOUNDS = "DEVASTATING WOUNDS"
    EXTRA_ATTACKS = "EXTRA ATTACKS"
    HAZARDOUS = "HAZARDOUS"
    HEAVY = "HEAVY"
    HUNTER = "HUNTER"
    IGNORES_COVER = "IGNORES COVER"
    INDIRECT_FIRE = "INDIRECT FIRE"
    LANCE = "LANCE"
    LETHAL_HITS = "LETHAL HITS"
    MELTA = "MELTA"
    ONE_SHOT = "ONE SHOT"
    PRECISION = "PRECISION"
    PSYCHIC = "PSYCHIC"
    RAPID_FIRE = "RAPID FIRE"
    SUSTAINED_HITS = "SUSTAINED HITS"
    TORRENT = "TORRENT"
    TWIN_LINKED = "TWIN-LINKED"


_Name = TypeVar("_Name", CoreAbilityName, WeaponAbilityName)
_NEEDS_VALUE = frozenset(
    {
        WeaponAbilityName.CLEAVE,
        WeaponAbilityName.MELTA,
        WeaponAbilityName.RAPID_FIRE,
        WeaponAbilityName.SUSTAINED_HITS,
    }
)
_MAY_HAVE_VALUE = _NEEDS_VALUE | {WeaponAbilityName.BLAST}


@dataclass(frozen=True, slots=True)
class CoreAbility:
    """A core ability of a datasheet.

    Attributes:
        value: the number or dice behind Deadly Demise, Firing Deck and Damaged.
        distance: inches, for Scouts and Lone Operative (12 in its plain form).
        threshold: the lowest die that keeps a wound, for Feel No Pain.
        against: the wounds that it works against, for a Feel No Pain that does not against all.
    """

    name: CoreAbilityName
    value: DiceExpression | None = None
    distance: float | None = None
    threshold: int | None = None
    against: tuple[Harm, ...] = ()

    def __str__(self) -> str:
        text = self.name.value.title()
        if self.value is not None:
            return f"{text} {self.value}"
        if self.threshold is not None:
            limit = f" against {' and '.join(self.against)}" if self.against else ""
            return f"{text} {self.threshold}+{limit}"
        return f'{text} {self.distance:g}"' if self.distance is not None else text


@dataclass(frozen=True, slots=True)
class WeaponAbility:
    """An ability in a weapon's profile.

    Attributes:
        value: X of BLAST X, CLEAVE X, MELTA X, RAPID FIRE X, SUSTAINED HITS X; None where there is none.
        keyword: the keyword of ANTI, an expression; empty otherwise.
        threshold: the lowest unmodified wound roll of ANTI that is critical.
        gate: keywords printed after a colon; the ability works only against units with one of them. Empty when it
            works against any.
    """

    name: WeaponAbilityName
    value: DiceExpression | None = None
    keyword: str = ""
    threshold: int | None = None
    gate: frozenset[str] = frozenset()

    def __str__(self) -> str:
        text = str(self.name)
        if self.keyword:
            text += f"-{self.keyword}"
        if self.threshold is not None:
            text += f" {self.threshold}+"
        if self.value is not None:
            text += f" {self.value}"
        return f"{text}: {'/'.join(sorted(self.gate))}" if self.gate else text


def fixed(number: int) -> DiceExpression:
    """A number that needs no dice."""
    return DiceExpression(0, 0, number)


@rule(
    "11e.24.01.01-with-the-x-ability.number-ignored-effect",
    "11e.24.01.01-with-the-x-ability.number-ignored-selection",
    "11e.24.01.01-with-the-x-ability.example-deadly-demise",
)
def has_ability(abilities: Iterable[CoreAbility | WeaponAbility], name: CoreAbilityName | WeaponAbilityName) -> bool:
    """Whether an ability of that name is among them; the number behind it plays no part (24.01.01)."""
    return any(each.name == name for each in abilities)


# --- reading abilities -----------------------------------------------------------------------------------------

_TYPOGRAPHY = str.maketrans({"−": "-", "–": "-", "‑": "-", "‐": "-", "”": '"', "“": '"', "″": '"', "’": "'"})
_CORE = re.compile(r"([A-Z' -]+?)[ :]*(?:(\d+(?:\.\d+)?)\s*(?:\"|IN\b|INCH(?:ES)?)|(\d)\+|(\d*D\d(?:[+-]\d+)?|\d+))?")
_DAMAGED = re.compile(r"DAMAGED:? 1 ?- ?(\d+)\b.*")
_ANTI = re.compile(r"(ANTI|HUNTER)-(.+?)(?: (\d)\+)?")
_VALUED = re.compile(r"([A-Z -]+?)(?: ((?:\d*D\d(?:[+-]\d+)?)|\d+))?")
_ALIASES = {
    "PISTOL": WeaponAbilityName.CLOSE_QUARTERS,
    "CLOSE QUARTERS": WeaponAbilityName.CLOSE_QUARTERS,
    "TWIN LINKED": WeaponAbilityName.TWIN_LINKED,
    "SUPER HEAVY WALKER": CoreAbilityName.SUPER_HEAVY_WALKER,
    "SCOUT": CoreAbilityName.SCOUTS,
    "INFILTRATE": CoreAbilityName.INFILTRATORS,
}
_PLAIN_LONE_OPERATIVE = 12.0


def capitals(text: str) -> str:
    """The text in capitals, single-spaced, with plain hyphens and quotes."""
    return " ".join(text.translate(_TYPOGRAPHY).upper().split())


@rule("11e.24.01-abilities.bracket-notation")
def parse_ability(text: str) -> CoreAbility | WeaponAbility:
    """Read an ability as printed: in square brackets it is a weapon ability, without them a core ability.

    Raises:
        ProfileError: when it is none of chapter 24, or lacks the number it needs.
    """
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        return parse_weapon_ability(stripped)
    return parse_core_ability(stripped)


@rule(
    "11e.24.08-deadly-demise.form",
    "11e.24.12-feel-no-pain.form",
    "11e.24.31-scouts.form",
    "11e.24.39-damaged.form",
    "11e.24.02-duplicated-abilities.core-number-is-duplicate",
)
def parse_core_ability(text: str) -> CoreAbility:
    """Read ``"Deep Strike"``, ``"Feel No Pain 5+"``, ``"Scouts 7\\""``, ``"Deadly Demise D3"``, ``"Damaged 5"``.

    Raises:
        ProfileError: when it is no core ability of chapter 24, or lacks the number it needs.
    """
    printed = capitals(text)
    if old_form := _DAMAGED.fullmatch(printed):
        return CoreAbility(CoreAbilityName.DAMAGED, value=fixed(int(old_form[1])))
    match = _CORE.fullmatch(printed)
    name = _name(match[1], CoreAbilityName) if match else None
    if match is None or name is None:
        raise _unknown(text, "core ability", CoreAbilityName)
    distance = float(match[2]) if match[2] else None
    threshold = int(match[3]) if match[3] else None
    value = parse_dice(match[4]) if match[4] else None
    number = value.bonus if value is not None and not value.is_random else None
    match name:
        case CoreAbilityName.FEEL_NO_PAIN if threshold is not None and 2 <= threshold <= 6 and distance is None:
            return CoreAbility(name, threshold=threshold)
        case CoreAbilityName.SCOUTS | CoreAbilityName.LONE_OPERATIVE:
            if distance is None and number is not None:
                distance = float(number)
            if distance is None and name is CoreAbilityName.LONE_OPERATIVE and value is None and threshold is None:
                distance = _PLAIN_LONE_OPERATIVE
            if distance:
                return CoreAbility(name, distance=distance)
        case CoreAbilityName.DEADLY_DEMISE if value is not None:
            return CoreAbility(name, value=value)
        case CoreAbilityName.FIRING_DECK | CoreAbilityName.DAMAGED if number:
            return CoreAbility(name, value=value)
        case _ if name not in _CORE_FORMS and match[2] is match[3] is match[4] is None:
            return CoreAbility(name)
    raise ProfileError(f'"{text.strip()}" is not how {name} is written', expected=_CORE_FORMS.get(name, str(name)))


_CORE_FORMS: Mapping[CoreAbilityName, str] = {
    CoreAbilityName.FEEL_NO_PAIN: "FEEL NO PAIN 5+",
    CoreAbilityName.SCOUTS: 'SCOUTS 6"',
    CoreAbilityName.LONE_OPERATIVE: 'LONE OPERATIVE or LONE OPERATIVE 15"',
    CoreAbilityName.DEADLY_DEMISE: "DEADLY DEMISE D3",
    CoreAbilityName.FIRING_DECK: "FIRING DECK 2",
    CoreAbilityName.DAMAGED: "DAMAGED 5",
}
_WEAPON_FORMS: Mapping[WeaponAbilityName, str] = {
    WeaponAbilityName.ANTI: "ANTI-VEHICLE 4+",
    WeaponAbilityName.BLAST: "BLAST or BLAST 2",
    WeaponAbilityName.CLEAVE: "CLEAVE 1",
    WeaponAbilityName.HUNTER: "HUNTER-VEHICLE",
    WeaponAbilityName.MELTA: "MELTA 2",
    WeaponAbilityName.RAPID_FIRE: "RAPID FIRE 1",
    WeaponAbilityName.SUSTAINED_HITS: "SUSTAINED HITS 1",
}


@rule(
    "11e.24.03-anti.form",
    "11e.24.06-cleave.form",
    "11e.24.25-melta.form",
    "11e.24.27-pistol.same-as-close-quarters",
    "11e.24.30-rapid-fire.form",
    "11e.24.36-sustained-hits.form",
)
def parse_weapon_ability(text: str) -> WeaponAbility:
    """Read ``"RAPID FIRE 1"``, ``"ANTI-VEHICLE 4+"``, ``"SUSTAINED HITS D3: INFANTRY/BEASTS"``, brackets or not.

    Raises:
        ProfileError: when it is no weapon ability of chapter 24, or lacks the number it needs.
    """
    printed = capitals(text.strip().removeprefix("[").removesuffix("]"))
    head, _, tail = (part.strip() for part in printed.partition(":"))
    gate = keyword_list(tail)
    anti = _ANTI.fullmatch(head)
    if anti and anti[1] == "HUNTER" and not anti[3]:
        return WeaponAbility(WeaponAbilityName.HUNTER, gate=keyword_list(anti[2]) | gate)
    if anti and anti[1] == "ANTI" and anti[3] and 2 <= int(anti[3]) <= 6:
        return WeaponAbility(WeaponAbilityName.ANTI, keyword=anti[2], threshold=int(anti[3]), gate=gate)
    match = _VALUED.fullmatch(head)
    is_anti = anti is not None and anti[1] == "ANTI"
    name = WeaponAbilityName.ANTI if is_anti else _name(match[1] if match else head, WeaponAbilityName)
    if name is None:
        raise _unknown(text, "weapon ability", WeaponAbilityName)
    written = match[2] if match else None
    is_whole = (written is not None) if name in _NEEDS_VALUE else (written is None or name in _MAY_HAVE_VALUE)
    is_whole = is_whole and name is not WeaponAbilityName.ANTI and (bool(gate) or name is not WeaponAbilityName.HUNTER)
    if match is None or not is_whole:
        raise ProfileError(
            f'"{text.strip()}" is not how [{name}] is written', expected=_WEAPON_FORMS.get(name, str(name))
        )
    try:
        value = parse_dice(written) if written else None
    except DiceSyntaxError as fault:
        raise ProfileError(f'"{text.strip()}": {fault.what}', expected=fault.expected) from fault
    return WeaponAbility(name, value=value, gate=gate)


def _name(text: str, names: type[_Name]) -> _Name | None:
    alias = _ALIASES.get(text.strip())
    if isinstance(alias, names):
        return alias
    return next((name for name in names if name == text.strip()), None)


def _unknown(text: str, what: str, names: type[StrEnum]) -> ProfileError:
    stripped = text.strip()
    bare = re.sub(r"[\d\"+\[\]]|:.*", "", capitals(stripped)).strip()
    return ProfileError(f'"{stripped}" is no {what} of the 11th edition', nearest=_nearest(bare, names))


@lru_cache(maxsize=4096)
def _nearest(text: str, names: type[StrEnum]) -> str | None:
    close = get_close_matches(text, [str(name) for name in names], n=1, cutoff=0.5)
    if not close:
        return None
    forms = (*_CORE_FORMS.items(), *_WEAPON_FORMS.items())
    return next((form for name, form in forms if name == close[0]), close[0]).partition(" or ")[0]
