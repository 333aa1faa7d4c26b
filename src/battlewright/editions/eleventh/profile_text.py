"""Profiles in text: ``"A2 BS3+ S4 AP-1 D1 [RAPID FIRE 1]"`` against ``"T4 Sv3+ InSv4+ W2 FNP5+ x10 {INFANTRY}"``.

Several weapons, or several groups of models, are joined by `` + ``. What is wrong is named by its place, with the
nearest form that would be right. Reading and writing are each other's inverse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from battlewright.core.dice import DiceExpression, parse_dice
from battlewright.core.errors import DiceSyntaxError, ProfileError
from battlewright.editions.eleventh.ability_text import (
    CoreAbility,
    CoreAbilityName,
    WeaponAbility,
    WeaponAbilityName,
    has_ability,
    parse_weapon_ability,
)
from battlewright.editions.eleventh.datasheet import ModelProfile, WeaponProfile
from battlewright.editions.eleventh.keywords import keyword_list
from battlewright.editions.eleventh.target import TargetModel, TargetView
from battlewright.editions.profile_parts import MOST, Part, cut_into_parts, numbered

__all__ = ["TextWeapon", "format_attack", "format_target", "parse_attack", "parse_target"]

_ATTACK_FORM = "A2 BS3+ S4 AP-1 D1 [RAPID FIRE 1]"
_TARGET_FORM = "T4 Sv3+ W2 x10 {INFANTRY}"


@dataclass(frozen=True, slots=True)
class TextWeapon:
    """A weapon read from text and how many of it there are."""

    profile: WeaponProfile
    count: int = 1


# --- values ----------------------------------------------------------------------------------------------------


def _dice(part: Part, key: str, form: str) -> DiceExpression:
    token = part.need(key, form)
    try:
        dice = parse_dice(token.value)
    except DiceSyntaxError as fault:
        raise ProfileError(
            f'{key} "{token.value}" is no number of dice: {fault.what}',
            where=part.where(token.column),
            expected=f"{key}2, {key}D6 or {key}2D3+1",
            nearest=_nearest_dice(key, token.value),
        ) from fault
    if dice.minimum < 1:
        raise ProfileError(
            f'{key} "{token.value}" can be less than 1',
            where=part.where(token.column),
            expected=f"{key}1 or more",
            nearest=f"{key}1",
        )
    return dice


def _nearest_dice(key: str, text: str) -> str | None:
    """The same with the die that is nearest among those that the game has; None when it is not even like dice."""
    match = re.fullmatch(r"(\d*)D(\d*)([+-]\d+)?", text.upper())
    if match is None:
        return None
    sides = 3 if match[2] and int(match[2]) <= 4 else 6
    return f"{key}{match[1]}D{sides}{match[3] or ''}"


def _result(part: Part, key: str, low: int, high: int) -> int | None:
    """A dice result such as ``3+``; None for ``-``."""
    token = part.tokens[key]
    if token.value == "-":
        return None
    match = re.fullmatch(r"(\d+)(\+?)", token.value)
    number = int(match[1]) if match else 0
    if match is None or not match[2] or not low <= number <= high:
        raise ProfileError(
            f'"{key}{token.value}" is not how {key} is written',
            where=part.where(token.column),
            expected=f"{key}{low}+ to {key}{high}+",
            nearest=f"{key}{min(max(number, low), high)}+" if match else None,
        )
    return number


def _number(part: Part, key: str, form: str) -> int:
    token = part.need(key, form)
    if not re.fullmatch(r"\d{1,4}", token.value) or not 1 <= int(token.value) <= MOST:
        raise ProfileError(
            f'{key} "{token.value}" is out of bounds'
            if token.value.isdigit()
            else f'{key} "{token.value}" is no number',
            where=part.where(token.column),
            expected=f"{key}1 to {key}{MOST}",
            nearest=f"{key}{min(max(int(token.value), 1), MOST)}" if re.fullmatch(r"\d+", token.value) else None,
        )
    return int(token.value)


# --- weapons ---------------------------------------------------------------------------------------------------

_ATTACK_KEYS = ("A", "BS", "WS", "S", "AP", "D", "R", "x")


def parse_attack(text: str) -> tuple[TextWeapon, ...]:
    """Read one or more weapons.

    ``A``, ``S`` and ``D`` take numbers or dice (``A6D6``, ``DD6+1``; ``D10`` is Damage 10). ``BS`` may be left out
    with TORRENT; ``WS`` makes it a melee weapon. ``R24"`` (its range) and ``x5`` (so many of it) may be added.

    Raises:
        ProfileError: with the place of the fault and the nearest valid form.
    """
    return tuple(_weapon(part) for part in cut_into_parts(text, "attack", _ATTACK_KEYS, "[]", _ATTACK_FORM))


def _weapon(part: Part) -> TextWeapon:
    abilities = []
    for item, column in part.items:
        try:
            abilities.append(parse_weapon_ability(item))
        except ProfileError as fault:
            raise ProfileError(
                fault.what,
                where=part.where(column),
                expected=fault.expected or "an ability such as LETHAL HITS or ANTI-VEHICLE 4+",
                nearest=fault.nearest,
            ) from fault
    attacks = _dice(part, "A", _ATTACK_FORM)
    skill = _skill(part, abilities)
    strength = None if part.need("S", _ATTACK_FORM).value == "-" else _dice(part, "S", _ATTACK_FORM)
    melee = "WS" in part.tokens
    ap = part.need("AP", _ATTACK_FORM)
    if not re.fullmatch(r"-\d|0", ap.value):
        bare = ap.value.lstrip("+")
        raise ProfileError(
            f'"AP{ap.value}" is not how AP is written',
            where=part.where(ap.column),
            expected="AP0 or AP-1",
            nearest=f"AP-{bare}" if re.fullmatch(r"\d", bare) else None,
        )
    profile = WeaponProfile(
        name=_weapon_name(part),
        profile="",
        melee=melee,
        range=_range(part, melee),
        attacks=attacks,
        skill=skill,
        strength=strength,
        armour_penetration=int(ap.value),
        damage=_dice(part, "D", _ATTACK_FORM),
        abilities=tuple(abilities),
    )
    return TextWeapon(profile, _number(part, "x", _ATTACK_FORM) if "x" in part.tokens else 1)


def _weapon_name(part: Part) -> str:
    return " ".join(f"{key}{part.tokens[key].value}" for key in _ATTACK_KEYS[:-1] if key in part.tokens)


def _skill(part: Part, abilities: Sequence[WeaponAbility]) -> int | None:
    both = [key for key in ("BS", "WS") if key in part.tokens]
    if len(both) == 2:
        raise ProfileError(
            "BS and WS exclude each other", where=part.where(part.tokens["WS"].column), expected="one of them"
        )
    torrent = has_ability(abilities, WeaponAbilityName.TORRENT)
    if not both:
        if not torrent:
            raise ProfileError("BS is missing", where=part.where(0), expected="BS3+, WS3+ or [TORRENT]")
        return None
    skill = _result(part, both[0], 2, 6)
    if skill is None and not torrent:
        raise ProfileError(
            f"{both[0]} is missing", where=part.where(part.tokens[both[0]].column), expected=f"{both[0]}3+"
        )
    return skill


def _range(part: Part, melee: bool) -> float | None:
    token = part.tokens.get("R")
    if token is None or (melee and token.value.lower() == "melee"):
        return None
    if melee or not re.fullmatch(r"\d{1,3}(\.\d+)?\"?", token.value):
        raise ProfileError(f'R "{token.value}" is no range', where=part.where(token.column), expected='R24"')
    return float(token.value.rstrip('"'))


def format_attack(weapons: Sequence[TextWeapon]) -> str:
    """Weapons as :func:`parse_attack` reads them."""
    return " + ".join(_format_weapon(weapon) for weapon in weapons)


def _format_weapon(weapon: TextWeapon) -> str:
    profile = weapon.profile
    words = [f"A{profile.attacks}"]
    if profile.skill is not None or profile.melee:
        shown = "-" if profile.skill is None else f"{profile.skill}+"
        words.append(f"{'WS' if profile.melee else 'BS'}{shown}")
    words.append(f"S{'-' if profile.strength is None else profile.strength}")
    words.append(f"AP{profile.armour_penetration}")
    words.append(f"D{profile.damage}")
    if profile.range is not None:
        words.append(f'R{profile.range:g}"')
    if weapon.count != 1:
        words.append(f"x{weapon.count}")
    if profile.abilities:
        words.append(f"[{', '.join(str(ability) for ability in profile.abilities)}]")
    return " ".join(words)


# --- targets ---------------------------------------------------------------------------------------------------

_TARGET_KEYS = ("T", "Sv", "InSv", "W", "FNP", "x")


def parse_target(text: str, models: int | None = None) -> TargetView:
    """Read one or more groups of models; with CHARACTERS beside others they are an attached unit.

    ``Sv-`` is no save; ``x`` is 1 where it is left out; STEALTH among the keywords is the ability.

    Args:
        models: how many models the target has, whatever the text says; it must then have one group only.

    Raises:
        ProfileError: with the place of the fault and the nearest valid form.
    """
    parts = cut_into_parts(text, "target", _TARGET_KEYS, "{}", _TARGET_FORM)
    groups = numbered([_group(part) for part in parts], models)
    characters = [profile.is_character for profile, _ in groups]
    attached = any(characters) and not all(characters)
    return TargetView(
        tuple(
            TargetModel(profile, profile.wounds, bodyguard=not (attached and profile.is_character))
            for profile, count in groups
            for _ in range(count)
        ),
        attached=attached,
    )


def _group(part: Part) -> tuple[ModelProfile, int]:
    toughness = _number(part, "T", _TARGET_FORM)
    part.need("Sv", _TARGET_FORM)
    save = _result(part, "Sv", 2, 7)
    wounds = _number(part, "W", _TARGET_FORM)
    feel_no_pain = _result(part, "FNP", 2, 6) if "FNP" in part.tokens else None
    keywords = frozenset().union(*(keyword_list(item) for item, _ in part.items))
    stealth = "STEALTH" in keywords
    abilities = [CoreAbility(CoreAbilityName.STEALTH)] if stealth else []
    if feel_no_pain is not None:
        abilities.append(CoreAbility(CoreAbilityName.FEEL_NO_PAIN, threshold=feel_no_pain))
    profile = ModelProfile(
        name=" ".join(f"{key}{part.tokens[key].value}" for key in _TARGET_KEYS[:-1] if key in part.tokens),
        move=None,
        toughness=toughness,
        save=save,
        invulnerable=_result(part, "InSv", 2, 6) if "InSv" in part.tokens else None,
        wounds=wounds,
        leadership=None,
        objective_control=None,
        keywords=keywords - {"STEALTH"},
        abilities=tuple(abilities),
    )
    return profile, _number(part, "x", _TARGET_FORM) if "x" in part.tokens else 1


def format_target(target: TargetView) -> str:
    """A target of unhurt models as :func:`parse_target` reads it."""
    counts: dict[ModelProfile, int] = {}
    for model in target.models:
        counts[model.profile] = counts.get(model.profile, 0) + 1
    return " + ".join(_format_group(profile, count) for profile, count in counts.items())


def _format_group(profile: ModelProfile, count: int) -> str:
    words = [f"T{profile.toughness}", "Sv-" if profile.save is None else f"Sv{profile.save}+"]
    if profile.invulnerable is not None:
        words.append(f"InSv{profile.invulnerable}+")
    words.append(f"W{profile.wounds}")
    if profile.feel_no_pain is not None:
        words.append(f"FNP{profile.feel_no_pain}+")
    words.append(f"x{count}")
    keywords = sorted(profile.keywords) + (["STEALTH"] if profile.has(CoreAbilityName.STEALTH) else [])
    if keywords:
        words.append(f"{{{', '.join(keywords)}}}")
    return " ".join(words)
