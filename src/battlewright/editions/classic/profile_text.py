"""Classic profiles in text: ``"A2 BS4 S4 AP5"`` against ``"T4 Sv3+ W1 x10"`` or ``"AV 13/11/10 {OPEN-TOPPED}"``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from battlewright.core import roster
from battlewright.core.dice import DiceExpression, parse_dice
from battlewright.core.errors import DiceSyntaxError, ProfileError
from battlewright.editions.classic.profiles import ModelProfile, read_model
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import WeaponProfile, read_weapon
from battlewright.editions.profile_parts import MOST, Part, cut_into_parts, numbered

__all__ = ["TextWeapon", "format_attack", "parse_attack", "parse_target"]

_ATTACK_FORM = "A2 BS4 S4 AP5 [TWIN-LINKED]"
_TARGET_FORM = "T4 Sv3+ W1 x10, or AV 13/11/10 {OPEN-TOPPED}"
_ATTACK_KEYS = ("A", "BS", "WS", "S", "AP", "R", "x")
_TARGET_KEYS = ("T", "Sv", "InSv", "Cover", "W", "HP", "WS", "AV", "x")
_FURTHEST = 1000


@dataclass(frozen=True, slots=True)
class TextWeapon:
    """A weapon read from text.

    Attributes:
        skill: BS, or WS of a weapon for close combat; None where it was left out.
        strength: the Strength of the attack; a power fist doubles it.
        attacks: what A says, None where it was left out and the weapon's type decides.
        has_range: whether the text states a range.
        count: how many of it.
    """

    profile: WeaponProfile
    skill: int | None
    strength: int
    attacks: DiceExpression | None
    has_range: bool
    count: int = 1


def _number(part: Part, key: str, form: str, low: int, high: int) -> int:
    token = part.need(key, form)
    if not token.value.isdecimal() or not low <= int(token.value) <= high:
        raise ProfileError(
            f'{key} "{token.value}" is no number from {low} to {high}',
            where=part.where(token.column),
            expected=f"{key}{low} to {key}{high}",
        )
    return int(token.value)


def _attacks(part: Part) -> DiceExpression | None:
    if "A" not in part.tokens:
        return None
    token = part.tokens["A"]
    try:
        dice = parse_dice(token.value)
    except DiceSyntaxError as fault:
        raise ProfileError(f"A: {fault.what}", where=part.where(token.column), expected="A2 or AD6") from fault
    if dice.minimum < 1:
        raise ProfileError(f'A "{token.value}" can be less than 1', where=part.where(token.column), expected="A1")
    return dice


def parse_attack(text: str) -> tuple[TextWeapon, ...]:
    """Read one or more weapons, joined by `` + ``.

    ``BS4`` makes it a weapon for shooting, ``WS4`` one for close combat; ``S`` is the Strength of the attack, ``AP-``
    none. The number of shots stands as ``A`` or in the weapon's type (``[HEAVY 3]``). ``R24"`` and ``x5`` may be added.

    Raises:
        ProfileError: with the place of the fault and the nearest valid form.
    """
    return tuple(_weapon(part) for part in cut_into_parts(text, "attack", _ATTACK_KEYS, "[]", _ATTACK_FORM))


def _weapon(part: Part) -> TextWeapon:
    both = [key for key in ("BS", "WS") if key in part.tokens]
    abilities = tuple(item.upper() for item, _ in part.items)
    if len(both) == 2:
        raise ProfileError(
            "BS and WS exclude each other", where=part.where(part.tokens["WS"].column), expected="one of them"
        )
    if not both and not any(ability.startswith("TEMPLATE") for ability in abilities):
        raise ProfileError("BS is missing", where=part.where(0), expected="BS4, WS4 or [TEMPLATE]")
    melee = "WS" in part.tokens
    strength = _number(part, "S", _ATTACK_FORM, 1, 10)
    ap = part.tokens["AP"].value if "AP" in part.tokens else "-"
    if ap != "-" and ap not in {"1", "2", "3", "4", "5", "6"}:
        raise ProfileError(
            f'"AP{ap}" is not how AP is written',
            where=part.where(part.tokens["AP"].column),
            expected="AP1 to AP6, or AP-",
            nearest=f"AP{ap[1:]}" if re.fullmatch(r"-[1-6]", ap) else None,
        )
    printed = {"R": "Melee" if melee else _range(part) or f'{_FURTHEST}"', "S": "User" if melee else str(strength)}
    name = " ".join(f"{key}{part.tokens[key].value}" for key in _ATTACK_KEYS[:-1] if key in part.tokens)
    profile = read_weapon(roster.WeaponProfile("", melee, {**printed, "AP": ap}, abilities), name)
    if profile.unknown:
        column = next(column for item, column in part.items if item.upper() == profile.unknown[0])
        raise ProfileError(
            f'"{profile.unknown[0]}" is no weapon type or ability', where=part.where(column), expected="[HEAVY 3]"
        )
    return TextWeapon(
        profile,
        _number(part, both[0], _ATTACK_FORM, 0, 10) if both else None,
        strength,
        _attacks(part),
        "R" in part.tokens,
        _number(part, "x", _ATTACK_FORM, 1, MOST) if "x" in part.tokens else 1,
    )


def _range(part: Part) -> str | None:
    token = part.tokens.get("R")
    if token is None:
        return None
    if not re.fullmatch(r"\d{1,3}(\.\d+)?\"?", token.value):
        raise ProfileError(f'R "{token.value}" is no range', where=part.where(token.column), expected='R24"')
    return token.value


def format_attack(weapons: tuple[TextWeapon, ...]) -> str:
    """Weapons as :func:`parse_attack` reads them."""
    return " + ".join(_format_weapon(weapon) for weapon in weapons)


def _format_weapon(weapon: TextWeapon) -> str:
    profile = weapon.profile
    words = [] if weapon.attacks is None else [f"A{weapon.attacks}"]
    if weapon.skill is not None:
        words.append(f"{'WS' if profile.melee else 'BS'}{weapon.skill}")
    words.append(f"S{weapon.strength}")
    words.append(f"AP{'-' if profile.ap is None else profile.ap}")
    if weapon.has_range:
        words.append(f'R{profile.range:g}"')
    if weapon.count != 1:
        words.append(f"x{weapon.count}")
    kind = str(profile.type).upper()
    kinds = [] if profile.melee else [f"{kind} {profile.shots}" if str(profile.shots) != "1" else kind]
    return f"{' '.join(words)} [{', '.join([*kinds, *map(str, profile.abilities)])}]".replace(" []", "")


def parse_target(text: str, models: int | None = None) -> TargetView:
    """Read a vehicle, or one or more groups of models, joined by `` + ``.

    ``Sv-`` or no Sv is no save, ``Cover5+`` a cover save; W and x are 1 and WS is 4 where they are left out; ``T4(5)``
    is a Toughness of 4 that a bike makes 5. Behind ``AV 13/11/10`` stand the vehicle's keywords.

    Args:
        models: how many models the target has, whatever the text says; it must then have one group only.

    Raises:
        ProfileError: with the place of the fault and the nearest valid form.
    """
    parts = cut_into_parts(text, "target", _TARGET_KEYS, "{}", _TARGET_FORM)
    groups = numbered([_group(part) for part in parts], models)
    if any(model.profile.is_vehicle for model, _ in groups) and (len(groups) > 1 or groups[0][1] > 1):
        raise ProfileError("a vehicle is a target of its own", where="target", expected="AV 13/11/10 alone")
    return TargetView(tuple(replace(model) for model, count in groups for _ in range(count)))


def _group(part: Part) -> tuple[TargetModel, int]:
    words = tuple(item.upper() for item, _ in part.items)
    name = " ".join(f"{key}{part.tokens[key].value}" for key in _TARGET_KEYS[:-1] if key in part.tokens)
    is_vehicle = "AV" in part.tokens
    keys: tuple[str, ...] = ("T", "Sv", "InSv", "W", "HP", "WS", "AV")
    printed = {key: part.tokens[key].value for key in keys if key in part.tokens}
    printed.setdefault("WS", "0" if is_vehicle else "4")
    if not is_vehicle:
        part.need("T", _TARGET_FORM)
    kinds = ("VEHICLE",) if is_vehicle else ("INFANTRY",)
    try:
        profile: ModelProfile = read_model(
            roster.Model(name=name, base="25mm", height=1.0, characteristics=printed, keywords=(*words, *kinds))
        )
    except ProfileError as fault:
        raise ProfileError(fault.what, where=part.where(0), expected=fault.expected) from fault
    model = TargetModel(profile, profile.wounds, _cover(part))
    return model, _number(part, "x", _TARGET_FORM, 1, MOST) if "x" in part.tokens else 1


def _cover(part: Part) -> int | None:
    token = part.tokens.get("Cover")
    if token is None or token.value == "-":
        return None
    found = re.fullmatch(r"([2-6])\+", token.value)
    if found is None:
        raise ProfileError(f'"{token.value}" is no cover', where=part.where(token.column), expected="Cover5+")
    return int(found[1])
