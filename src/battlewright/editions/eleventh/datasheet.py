"""Datasheets: the roster's printed text read once into typed profiles (02, and the forms of chapter 24).

``"-"``, ``"*"`` and ``"N/A"`` become ``None``: such a characteristic is never rolled against and never modified.
Characteristics written with a plus sign keep their number (``"3+"`` is 3); AP keeps its sign (``"-1"`` is -1).
What is printed but unknown here is never an error of the reading: it is listed under ``unknown``, for the unit's
list of rules that are not enforced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from battlewright.core import roster
from battlewright.core.dice import DiceExpression, parse_dice
from battlewright.core.errors import DiceSyntaxError, ProfileError
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.ability_text import (
    CoreAbility,
    CoreAbilityName,
    Harm,
    WeaponAbility,
    WeaponAbilityName,
    capitals,
    fixed,
    has_ability,
    parse_ability,
    parse_core_ability,
    parse_weapon_ability,
)
from battlewright.editions.eleventh.keywords import keywords_of_models

__all__ = [
    "CoreAbility",
    "CoreAbilityName",
    "Harm",
    "ModelProfile",
    "WeaponAbility",
    "WeaponAbilityName",
    "WeaponProfile",
    "fixed",
    "has_ability",
    "parse_ability",
    "parse_core_ability",
    "parse_weapon_ability",
    "read_model",
    "read_weapon",
    "weapons_with",
]


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """One model's characteristics (M in inches) and what its datasheet gives it.

    Attributes:
        keywords: the model's own, in capitals, faction keywords and datasheet name included.
        unknown: names of abilities that are none of chapter 24.
        invulnerable_ranged: an invulnerable save that holds against ranged attacks alone; ``invulnerable_melee`` one
            against melee attacks alone.
    """

    name: str
    move: DiceExpression | None
    toughness: int
    save: int | None
    invulnerable: int | None
    wounds: int
    leadership: int | None
    objective_control: int | None
    keywords: frozenset[str] = frozenset()
    abilities: tuple[CoreAbility, ...] = ()
    unknown: tuple[str, ...] = ()
    invulnerable_ranged: int | None = None
    invulnerable_melee: int | None = None

    @property
    def feel_no_pain(self) -> int | None:
        """The best Feel No Pain of the model, the instance its controller would choose (24.02), or None."""
        return self.feel_no_pain_against()

    def feel_no_pain_against(self, *harm: Harm) -> int | None:
        """The best Feel No Pain of the model against wounds of these kinds."""
        return min(
            (
                each.threshold
                for each in self.abilities
                if each.threshold is not None and (not each.against or not set(harm).isdisjoint(each.against))
            ),
            default=None,
        )

    @property
    def is_character(self) -> bool:
        """Whether the model is a CHARACTER."""
        return "CHARACTER" in self.keywords

    def has(self, name: CoreAbilityName) -> bool:
        """Whether the model has the ability, whatever number stands behind it (24.01.01)."""
        return has_ability(self.abilities, name)

    def instances(self, name: CoreAbilityName) -> tuple[CoreAbility, ...]:
        """Every instance of the ability that the model has."""
        return tuple(each for each in self.abilities if each.name is name)


@dataclass(frozen=True, slots=True)
class WeaponProfile:
    """One way to use a weapon.

    Attributes:
        name: the weapon's name; ``profile`` the profile's own, empty when there is only one.
        range: inches, None for a melee weapon.
        skill: BS of a ranged weapon, WS of a melee weapon; None where it is not needed.
        strength: None for ``"-"``; where a rule needs it, 1 is used.
        armour_penetration: 0 or negative.
        unknown: weapon abilities that are none of chapter 24.
    """

    name: str
    profile: str
    melee: bool
    range: float | None
    attacks: DiceExpression
    skill: int | None
    strength: DiceExpression | None
    armour_penetration: int
    damage: DiceExpression
    abilities: tuple[WeaponAbility, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """The weapon's name with its profile's."""
        return f"{self.name} ({self.profile})" if self.profile not in ("", self.name) else self.name

    @property
    def strength_in_use(self) -> DiceExpression:
        """The S that a rule uses: 1 where the weapon has none."""
        return _strength_in_use(self.strength)

    def has(self, name: WeaponAbilityName) -> bool:
        """Whether the profile has the ability, whatever number or keywords stand behind it (24.01.01)."""
        return has_ability(self.abilities, name)

    def instances(self, name: WeaponAbilityName) -> tuple[WeaponAbility, ...]:
        """Every instance of the ability that the profile has."""
        return tuple(each for each in self.abilities if each.name is name)


@rule("11e.ds-weapons.missing-s-is-one", "11e.core.02-no-strength")
def _strength_in_use(strength: DiceExpression | None) -> DiceExpression:
    return strength if strength is not None else fixed(1)


@rule("11e.24.01-abilities.named-by-ability", "11e.24.01-abilities.weapon-in-profile")
def weapons_with(weapons: Iterable[WeaponProfile], name: WeaponAbilityName) -> tuple[WeaponProfile, ...]:
    """The weapons that a rule means when it names an ability in brackets: those whose own profile has it."""
    return tuple(weapon for weapon in weapons if weapon.has(name))


# --- reading profiles ------------------------------------------------------------------------------------------

_NONE = frozenset({"", "-", "*", "N/A"})


@rule(
    "11e.ds-profile.characteristics-list",
    "11e.ds-profile.sv-dice-result",
    "11e.ds-profile.insv-dice-result",
    "11e.ds-profile.insv-optional",
    "11e.ds-profile.ld-dice-result",
    "11e.24.01-abilities.core-on-datasheet",
    "11e.ds-abilities.listed-here",
)
def read_model(model: roster.Model) -> ModelProfile:
    """Read a model's characteristics and abilities.

    Raises:
        ProfileError: naming the model and the characteristic that is missing or cannot be read.
    """
    printed, where = model.characteristics, model.name
    wounds = _number(printed, "W", where)
    if wounds < 1:
        raise ProfileError(f"W {wounds} is out of bounds", where=where, expected="1 or more")
    move = _printed(printed, "M", where).rstrip('"')
    abilities: list[CoreAbility] = []
    unknown: list[str] = []
    for ability in model.abilities:
        try:
            abilities.append(parse_core_ability(ability.name))
        except ProfileError:
            unknown.append(ability.name)
    return ModelProfile(
        name=model.name,
        move=None if move in _NONE else _dice(move, "M", where),
        toughness=_number(printed, "T", where),
        save=_threshold(printed, "Sv", where),
        invulnerable=_threshold(printed, "InSv", where, required=False),
        wounds=wounds,
        leadership=_threshold(printed, "Ld", where),
        objective_control=_optional_number(printed, "OC", where),
        keywords=keywords_of_models((model.keywords,)),
        abilities=tuple(abilities),
        unknown=tuple(unknown),
        invulnerable_ranged=_threshold(printed, "InSv ranged", where, required=False),
        invulnerable_melee=_threshold(printed, "InSv melee", where, required=False),
    )


@rule(
    "11e.ds-weapons.characteristics-list",
    "11e.ds-weapons.range-melee",
    "11e.ds-weapons.skill-per-weapon",
    "11e.24.01-abilities.weapon-in-profile",
    "11e.ds-random.operator-part-of-d",
)
def read_weapon(profile: roster.WeaponProfile, name: str) -> WeaponProfile:
    """Read a weapon's characteristics and abilities; R "Melee" makes it a melee weapon.

    Raises:
        ProfileError: naming the weapon and the characteristic that is missing or cannot be read.
    """
    printed = profile.characteristics
    where = f"{name} ({profile.name})" if profile.name else name
    reach = capitals(printed.get("R", "MELEE" if profile.melee else ""))
    melee = profile.melee or reach == "MELEE"
    abilities: list[WeaponAbility] = []
    unknown: list[str] = []
    for text in profile.abilities:
        try:
            abilities.append(parse_weapon_ability(text))
        except ProfileError:
            unknown.append(text)
    skill = "WS" if melee else "BS"
    strength = _printed(printed, "S", where)
    return WeaponProfile(
        name=name,
        profile=profile.name,
        melee=melee,
        range=None if melee else _inches(reach, where),
        attacks=_dice(_printed(printed, "A", where), "A", where),
        skill=_threshold(printed, skill, where, required=False),
        strength=None if strength in _NONE else _dice(strength, "S", where),
        armour_penetration=-abs(_number(printed, "AP", where)),
        damage=_dice(_printed(printed, "D", where), "D", where),
        abilities=tuple(abilities),
        unknown=tuple(unknown),
    )


def _printed(printed: Mapping[str, str], key: str, where: str) -> str:
    if key not in printed:
        raise ProfileError(f"the characteristic {key} is missing", where=where)
    return capitals(str(printed[key]))


def _dice(text: str, key: str, where: str) -> DiceExpression:
    try:
        return parse_dice(text)
    except DiceSyntaxError as fault:
        raise ProfileError(f'{key} "{text}" cannot be read', where=where, expected="a number or dice") from fault


def _number(printed: Mapping[str, str], key: str, where: str) -> int:
    found = _optional_number(printed, key, where)
    if found is None:
        raise ProfileError(f"{key} has no number", where=where, expected="a number")
    return found


def _optional_number(printed: Mapping[str, str], key: str, where: str) -> int | None:
    text = _printed(printed, key, where)
    if text in _NONE:
        return None
    if not re.fullmatch(r"[+-]?\d{1,3}", text):
        raise ProfileError(f'{key} "{text}" cannot be read', where=where, expected="a number")
    return int(text)


def _threshold(printed: Mapping[str, str], key: str, where: str, *, required: bool = True) -> int | None:
    """A dice result such as ``"3+"``; None for ``"-"`` and, if not required, where it is missing."""
    text = _printed(printed, key, where) if required else capitals(str(printed.get(key, "")))
    if text in _NONE:
        return None
    if not re.fullmatch(r"\d{1,2}\+?", text):
        raise ProfileError(f'{key} "{text}" cannot be read', where=where, expected="a dice result such as 3+")
    return int(text.rstrip("+"))


def _inches(text: str, where: str) -> float:
    if not re.fullmatch(r"\d{1,3}(\.\d+)?( ?\"| ?IN)?", text):
        raise ProfileError(f'R "{text}" cannot be read', where=where, expected='Melee or a range such as 24"')
    return float(text.rstrip('"IN '))
