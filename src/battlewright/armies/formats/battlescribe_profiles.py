"""Printed profiles of classic catalogues and rosters, brought into the form that the classic editions read.

Their authors spell freely: ``Heavy 3``, ``HEavy D6``, ``Ordinance 1/Blast``, ``Assault 1, Melta``, a flamer's range as
``Template`` or ``Flame``, a guessed one as ``G12-48"``; strengths such as ``User x2``, ``S+1 (Max S7)`` or ``2+``
(always wounds on 2+). Where a weapon's column of remarks is a sentence, what it names is taken, never the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches

from battlewright.armies.formats.battlescribe_selection import Printed
from battlewright.armies.names import name_key
from battlewright.core.roster import WeaponProfile

__all__ = [
    "capacity_of",
    "is_model",
    "is_vehicle",
    "is_weapon",
    "model_values",
    "type_words",
    "values_of",
    "weapon_profile",
]

_KEYS = {
    "ld": "Ld", "leadership": "Ld", "sv": "Sv", "save": "Sv", "ws": "WS", "bs": "BS", "s": "S", "strength": "S",
    "t": "T", "w": "W", "i": "I", "a": "A", "front": "front", "side": "side", "rear": "rear", "front armor": "front",
    "side armor": "side", "rear armor": "rear", "front armour": "front", "side armour": "side", "rear armour": "rear",
    "range": "R", "ap": "AP", "type": "type", "unit type": "type", "abilities": "notes", "info": "notes",
    "details": "notes", "capacity": "capacity", "transport capacity": "capacity", "hp": "HP",
}  # fmt: skip
_LIVING = ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv")
_WALKING = ("WS", "BS", "S", "I", "A")
_TYPES = ("rapid fire", "assault", "heavy", "ordnance", "pistol", "melee")
_FLAMER = '8"'
_ANYWHERE = '200"'
_MOST = 10

_NOTES: tuple[tuple[str, str], ...] = (
    (r"\btwin[- ]linked\b", "TWIN-LINKED"),
    (r"\bgets? hot\b|\boverheat", "GETS HOT"),
    (r"\bmelta\b|\bheat rays?\b", "MELTA"),
    (r"\bpinning\b", "PINNING"),
    (r"\brending\b", "RENDING"),
    (r"\bsniper\b", "SNIPER"),
    (r"\blance\b|greater than 12 as 12|higher than 12 as 12", "LANCE"),
    (r"\bbarrage\b", "BARRAGE"),
    (r"\bone[- ]shot\b|\bonce per (?:battle|game)\b", "ONE SHOT"),
    (r"\btemplate\b", "TEMPLATE"),
    (r"\bpower weapon\b|\bignores? (?:all )?armou?r saves?\b|\bno armou?r saves?\b", "POWER WEAPON"),
    (r"\blarge blast\b|\bord(?:nance|inance)? blast\b", "BLAST 5"),
    (r"\bblast\b", "BLAST"),
)
"""What a type or a remark names, and the ability that it is; the first of two of one name counts."""

_BY_NAME: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"twin ?linked|^tl ", ("TWIN-LINKED",)),
    (r"power ?(fist|claw|klaw)|chain ?fist|thunder hammer", ("POWER FIST",)),
    (r"lightning claw", ("LIGHTNING CLAW",)),
    (r"force (weapon|sword|axe|staff)", ("POWER WEAPON", "FORCE WEAPON")),
    (r"power (weapon|sword|axe|maul)|crozius|dreadnought close combat", ("POWER WEAPON",)),
    (r"witch ?blade|singing spear", ("POISONED 2",)),
    (r"^choppa$|chain ?axe|heavy close combat weapon", ("CHOPPA",)),
    (r"rending claws", ("RENDING",)),
    (r"plasma (gun|pistol|cannon)|^mega blasta|kustom mega ?blasta", ("GETS HOT",)),
    (r"melta ?gun|multi ?melta|fusion (gun|blaster|pistol)|fire ?pike", ("MELTA",)),
    (r"sniper rifle|long rifle", ("SNIPER",)),
    (r"bright lance|dark lance|^blaster$", ("LANCE",)),
    (r"^gauss ", ("GAUSS",)),
    (r"^mortar$|whirlwind|earthshaker|lobba|griffon", ("BARRAGE",)),
)
"""What weapons of a well-known name do, for catalogues that leave it to a sentence."""

_ONE_HANDED = re.compile(
    r"^(close combat weapon|chain ?sword|power (weapon|sword|axe|maul)|choppa|force (weapon|sword)|witch ?blade"
    r"|crozius.*|knife|combat blade|scorpion chainsword|dire ?sword)s?$"
)
_REACH = re.compile(r"\d|melee|template|flame|unlimited")
_HAND_WEAPON = re.compile(r"close combat weapon|(fist|claw|klaw|hammer|sword|blade|axe|choppa|maul|fang)s?$")
"""Names of weapons that some catalogues print without any value."""
_SHORT = 40
"""Characters up to which a remark is a list of abilities rather than a sentence."""
_IN_SENTENCES = frozenset({"GETS HOT", "MELTA", "PINNING", "RENDING", "LANCE", "BARRAGE", "ONE SHOT"})


def values_of(printed: Printed) -> dict[str, str]:
    """The characteristics under our abbreviations, empty ones left out."""
    found: dict[str, str] = {}
    for name, value in printed.values.items():
        key = _KEYS.get(" ".join(name.lower().split()))
        if key and value and key not in found:
            found[key] = " ".join(value.split())
    return found


def is_vehicle(printed: Printed) -> bool:
    """Whether it is the profile of a vehicle."""
    return "front" in values_of(printed)


def is_model(printed: Printed) -> bool:
    """Whether it is the profile of a model, living or vehicle; one without any value is none."""
    values = values_of(printed)
    return "front" in values or ("T" in values and "WS" in values)


def is_weapon(printed: Printed) -> bool:
    """Whether it is the profile of a weapon; one without any value is a piece of wargear."""
    if is_model(printed):
        return False
    if printed.kind.lower().startswith("melee weapon"):
        return True
    values = values_of(printed)
    reach = values.get("R", "").lower()
    if _REACH.search(reach) and (values.get("S") or values.get("type")):
        return True
    return printed.kind.lower() == "weapon" and bool(_HAND_WEAPON.search(name_key(printed.name)))


def capacity_of(printed: Printed) -> int | None:
    """How many models a transport carries: the first number of its capacity."""
    found = re.search(r"\d{1,3}", values_of(printed).get("capacity", ""))
    return int(found[0]) if found else None


def type_words(printed: Printed) -> list[str]:
    """The unit types that a model's profile names: ``"Jump Infantry, Character"``."""
    return [word.strip().lower() for word in re.split(r"[,/;]", values_of(printed).get("type", "")) if word.strip()]


def model_values(printed: Printed) -> dict[str, str]:
    """A model's characteristics in the classic form: ``T4(5)``, ``Sv6+ InSv5+``, ``AV13/11/10``."""
    values = values_of(printed)
    if "front" in values:
        walking = {key: _plain(values[key]) for key in _WALKING if key in values}
        return {**walking, "AV": "/".join(_plain(values.get(side, "10")) for side in ("front", "side", "rear"))}
    found = {key: _plain(values[key]) for key in _LIVING if key in values and key not in ("T", "Sv")}
    toughness = re.search(r"(\d+)\s*(?:\((\d+)\))?", values["T"])
    found["T"] = values["T"] if toughness is None else toughness[1] + (f"({toughness[2]})" if toughness[2] else "")
    found.update(_saves(values.get("Sv", "-")))
    return {key: found[key] for key in (*_LIVING, "InSv") if key in found}


def _plain(text: str) -> str:
    """The number of a characteristic; of ``2(3)`` the first, of ``2+1`` the sum; a dash stays one."""
    if found := re.fullmatch(r"(\d+)\s*\+\s*(\d+)", text):
        return str(int(found[1]) + int(found[2]))
    found = re.match(r"\d+(?![dD])", text)
    return found[0] if found and not text.upper().startswith("D") else ("-" if text in ("-", "*", "") else text)


def _saves(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, marks in re.findall(r"([1-7])\s*(\++)", text):
        key = "InSv" if len(marks) > 1 or "Sv" in found else "Sv"
        found.setdefault(key, f"{number}+")
    return {"Sv": "-", **found}


def weapon_profile(printed: Printed, user: Mapping[str, str], extra: tuple[str, ...] = ()) -> WeaponProfile:
    """A weapon's profile in the classic form.

    Args:
        user: characteristics of the model that carries it, for strengths and shots made of its own.
        extra: abilities that a rule beside the weapon gives it, in capitals.
    """
    values = values_of(printed)
    key = name_key(printed.name)
    melee, reach, ranged = _reach(values.get("R", ""), printed)
    strength, wounding = _strength(values.get("S", ""), user, melee=melee)
    kind = _kind(values.get("type", ""), user)
    remarks = "" if melee else values.get("notes", "")
    in_remarks = _named(remarks, only=None if len(remarks) <= _SHORT else _IN_SENTENCES)
    in_type = _named(values.get("type", ""))
    abilities = [*kind, *ranged, *wounding, *extra, *in_type, *in_remarks, *_by_name(key)]
    if melee:
        abilities = [each for each in abilities if each.split(" ")[0] not in _SHOOTING]
        abilities += _named(values.get("notes", ""), only=("POWER WEAPON", "RENDING"))
        if _ONE_HANDED.match(key):
            abilities.append("ONE-HANDED")
        if "POWER FIST" in abilities or "LIGHTNING CLAW" in abilities:
            abilities = [each for each in abilities if each != "POWER WEAPON"]
            strength = "User"
        if "dreadnought close combat" in key:
            strength = str(min(2 * int(user["S"]), _MOST)) if user.get("S", "").isdecimal() else strength
    if "ORDNANCE" in {each.split(" ")[0] for each in abilities}:
        abilities = ["BLAST" if each == "BLAST 5" else each for each in abilities]
    found = {"R": reach, "S": strength, "AP": _penetration(values.get("AP", "-"))}
    return WeaponProfile("", melee, found, _once(abilities))


_SHOOTING = {"HEAVY", "ASSAULT", "RAPID", "PISTOL", "ORDNANCE", "TEMPLATE", "BLAST", "MINIMUM", "GUESS"}


def _once(abilities: list[str]) -> tuple[str, ...]:
    """Each ability once, by its name without its number."""
    found: dict[str, str] = {}
    for each in abilities:
        found.setdefault(re.sub(r"\s*\S*\d\S*$", "", each), each)
    return tuple(found.values())


def _reach(text: str, printed: Printed) -> tuple[bool, str, list[str]]:
    """Whether the weapon is for close combat, its range, and what its range says of it."""
    lower = text.lower()
    inches = [int(each) for each in re.findall(r"\d+", text)]
    if not inches and (lower.startswith("melee") or not text or printed.kind.lower().startswith("melee")):
        return True, "Melee", []
    if lower.startswith(("template", "flame")):
        return False, _FLAMER, ["TEMPLATE"]
    if not inches:
        return False, _ANYWHERE, []
    marks = ["GUESS"] if re.search(r"\bg|g\b", lower) else []
    if len(inches) > 1 and inches[0] < inches[-1]:
        marks.append(f"MINIMUM {inches[0]}")
    return False, f'{inches[-1] if "-" in text else inches[0]}"', marks


def _strength(text: str, user: Mapping[str, str], *, melee: bool) -> tuple[str, list[str]]:
    """The Strength, and the ability that stands in its place (``2+`` wounds on 2+ always)."""
    lower = text.lower().replace(" ", "")
    own = int(user["S"]) if user.get("S", "").isdecimal() else 3
    if found := re.match(r"([2-6])\+", lower):
        return ("User" if melee else str(own)), [f"POISONED {found[1]}"]
    if found := re.match(r"(\d{1,2})(?!d)", lower):
        return str(min(int(found[1]), _MOST)), []
    if found := re.match(r"(?:asuser|user|s)?x(\d)", lower):
        return f"x{found[1]}", []
    if found := re.match(r"(?:asuser|user|s)?([+-])(\d)", lower):
        change = int(found[1] + found[2])
        if melee and change > 0:
            return f"+{change}", []
        most = re.search(r"maxs?\.?(\d+)", lower)
        return str(max(1, min(own + change, int(most[1]) if most else _MOST))), []
    if melee:
        return "User", []
    return str(own), []


def _penetration(text: str) -> str:
    found = re.match(r"[1-6](?!\d)", text.strip())
    return found[0] if found else "-"


def _kind(text: str, user: Mapping[str, str]) -> list[str]:
    """The weapon's type with its number of shots; nothing for close combat."""
    words = re.split(r"[,/(]", text.strip(), maxsplit=1)
    found = re.match(r"(?P<name>rapid fire|[a-z]+)\s*(?P<shots>.*)", words[0].strip().lower())
    if found is None:
        return []
    near = get_close_matches(found["name"], _TYPES, n=1, cutoff=0.7)
    if not near or near[0] == "melee":
        return []
    shots = re.match(r"(?P<dice>\d*d[36](?:\+\d)?)|(?P<times>\d*)\s*[xa]\b|(?P<number>\d+)", found["shots"])
    if shots is None:
        return [near[0].upper()]
    own = int(user["A"]) if user.get("A", "").isdecimal() else 1
    count = shots["dice"] or shots["number"] or str(own * int(shots["times"] or 1))
    return [near[0].upper() if near[0] in ("rapid fire", "pistol") else f"{near[0].upper()} {count.upper()}"]


def _named(text: str, only: Collection[str] | None = None) -> list[str]:
    lower = text.lower()
    return [name for pattern, name in _NOTES if (only is None or name in only) and re.search(pattern, lower)]


def _by_name(key: str) -> list[str]:
    return [name for pattern, names in _BY_NAME if re.search(pattern, key) for name in names]
