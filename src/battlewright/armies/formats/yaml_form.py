"""Battlewright's own army files: YAML with every statistic written out, for any edition.

The format is described in ``docs/army-format.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from battlewright.armies.dataset import DATA_EDITION
from battlewright.armies.formats.adapter import forms_for
from battlewright.armies.formats.yaml_text import Lines, load_yaml
from battlewright.armies.names import loose_key, name_key, nearest
from battlewright.armies.parsed import MAX_MODELS, MAX_UNITS
from battlewright.armies.reading import Source
from battlewright.core.bases import Base
from battlewright.core.errors import ArmyError, BadInput
from battlewright.core.roster import (
    MAX_OVERHANG,
    Ability,
    AbilitySource,
    Army,
    Component,
    Model,
    Role,
    Transport,
    Unit,
    Unresolved,
    Weapon,
    WeaponProfile,
)

__all__ = ["load_yaml_army", "parse_statistics", "parse_weapon_profile"]

_KEYS = ("InSv", "Sv", "WS", "BS", "Ld", "OC", "AV", "HP", "AP", "M", "T", "W", "S", "I", "A", "D", "R")
_TOKEN = re.compile(rf"({'|'.join(_KEYS)})(\S+)")
_PROFILE = re.compile(r"^(?P<stats>[^\[\]]*?)\s*(?:\[(?P<abilities>[^\[\]]*)\])?$")
_RANGE = re.compile(r"^R?(?P<inches>\d+(?:\.\d+)?)\"$")
_CARRIED = re.compile(r"^(?:(?P<count>\d{1,3})x\s+)?(?P<name>\S.*)$")


def parse_statistics(text: str) -> dict[str, str]:
    """Characteristics from their short form, as printed.

    Raises:
        ValueError: a word that begins with no known abbreviation, or one abbreviation twice.

    >>> parse_statistics('M6" T4 Sv3+ W2')
    {'M': '6"', 'T': '4', 'Sv': '3+', 'W': '2'}
    """
    values: dict[str, str] = {}
    for word in text.split():
        found = _TOKEN.fullmatch(word)
        if found is None:
            raise ValueError(f'"{word}" begins with no characteristic; known are {", ".join(sorted(_KEYS))}')
        if found[1] in values:
            raise ValueError(f"{found[1]} stands twice")
        values[found[1]] = found[2]
    return values


def parse_weapon_profile(text: str, name: str = "") -> WeaponProfile:
    """A weapon's profile from its short form: range or ``Melee``, characteristics, abilities in brackets.

    Raises:
        ValueError: it is not of that form.

    >>> profile = parse_weapon_profile('24" A2 BS3+ S4 AP-1 D1 [RAPID FIRE 1, HEAVY]')
    >>> profile.characteristics["R"], profile.abilities
    ('24"', ('RAPID FIRE 1', 'HEAVY'))
    """
    found = _PROFILE.match(text.strip())
    words = found["stats"].split() if found else []
    if not found or not words:
        raise ValueError("expected a profile such as '24\" A2 BS3+ S4 AP-1 D1 [HEAVY]'")
    melee = words[0].lower() == "melee"
    distance = _RANGE.match(words[0])
    if melee or distance:
        reach = "Melee" if melee else f'{distance["inches"]}"' if distance else ""
        values = {"R": reach, **parse_statistics(" ".join(words[1:]))}
    else:
        raise ValueError(f'the profile begins with "{words[0]}", not with a range such as 24" or with Melee')
    abilities = tuple(each.strip().upper() for each in (found["abilities"] or "").split(",") if each.strip())
    return WeaponProfile(name, melee, values, abilities)


def _statistics(value: Any) -> Any:
    if isinstance(value, str):
        return parse_statistics(value)
    if isinstance(value, Mapping):
        return {str(key): str(each) for key, each in value.items()}
    return value


def _abilities(value: Any) -> Any:
    return {"datasheet": value} if isinstance(value, list) else value


def _printed(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


_Text = Annotated[str, Field(min_length=1, max_length=200)]
_Statistics = Annotated[dict[str, str], BeforeValidator(_statistics)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _AbilityEntry(_Strict):
    """An ability with what it does, in the edition's language of conditions and effects."""

    name: _Text
    encoding: dict[str, Any]

    @property
    def text(self) -> str:
        """The encoding in the form that rosters keep."""
        return json.dumps(self.encoding, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


_Abilities = Annotated[dict[AbilitySource, list[_Text | _AbilityEntry]], BeforeValidator(_abilities)]


class _TransportEntry(_Strict):
    capacity: int = Field(ge=1, le=MAX_MODELS)
    only: list[_Text] = []
    not_for: list[_Text] = []


class _ModelEntry(_Strict):
    name: _Text | None = None
    count: int = Field(1, ge=1, le=MAX_MODELS)
    stats: _Statistics | None = None
    base: str | None = None
    height: float | None = Field(None, gt=0, le=40)
    overhang: float | None = Field(None, ge=0, le=MAX_OVERHANG)
    keywords: list[_Text] = []
    abilities: _Abilities = {}
    weapons: list[_Text] = []
    transport: _TransportEntry | None = None


class _UnitEntry(_Strict):
    name: _Text
    points: int = Field(ge=0, le=100_000)
    stats: _Statistics | None = None
    base: str | None = None
    height: float | None = Field(None, gt=0, le=40)
    overhang: float = Field(0.0, ge=0, le=MAX_OVERHANG)
    keywords: list[_Text] = []
    abilities: _Abilities = {}
    weapons: dict[_Text, str | dict[_Text, str]] = {}
    models: list[_ModelEntry] = Field(min_length=1, max_length=100)
    role: Literal["leader", "support"] | None = None
    attached_to: _Text | None = None
    warlord: bool = False
    enhancement: _Text | None = None
    embarked_in: _Text | None = None


class _ArmyFile(_Strict):
    edition: Annotated[str, BeforeValidator(_printed)]
    name: _Text
    faction: _Text
    points: int = Field(ge=0, le=1_000_000)
    detachments: list[_Text] = []
    disposition: _Text | None = None
    keywords: list[_Text] = []
    units: list[_UnitEntry] = Field(min_length=1, max_length=MAX_UNITS)


def load_yaml_army(source: Source, edition: str | None) -> Army:
    """The army of a file in our own format.

    Raises:
        ArmyError: the first fault, with its line.
    """
    document, lines = load_yaml(source)
    try:
        file = _ArmyFile.model_validate(document)
    except ValidationError as fault:
        raise _error(fault, lines, source) from None
    if edition is not None and file.edition != edition:
        raise ArmyError(
            f"the army is of edition {file.edition}",
            where=source.at(lines.get(("edition",))),
            expected=forms_for(edition),
        )
    return _Builder(file, lines, source).army()


def _error(fault: ValidationError, lines: Lines, source: Source) -> ArmyError:
    """The first fault as one sentence with its line."""
    first = fault.errors(include_url=False)[0]
    place = tuple(each for each in first["loc"] if each != "[key]")
    line = next((lines[place[:end]] for end in range(len(place), -1, -1) if place[:end] in lines), None)
    words = ".".join(map(str, place)) or "the file"
    known = None
    if first["type"] == "extra_forbidden":
        fields = {**_ArmyFile.model_fields, **_UnitEntry.model_fields, **_ModelEntry.model_fields}
        return ArmyError(
            f'"{words}" is no key of the format', where=source.at(line), nearest=nearest(str(place[-1]), fields)
        )
    message = first["msg"].removeprefix("Value error, ")
    return ArmyError(f"{words}: {message}", where=source.at(line), nearest=known)


class _Builder:
    def __init__(self, file: _ArmyFile, lines: Lines, source: Source) -> None:
        self._file, self._lines, self._source = file, lines, source
        self._notes: list[Unresolved] = []

    def army(self) -> Army:
        file = self._file
        total = sum(unit.points for unit in file.units)
        if total != file.points:
            text = f"the units cost {total} points, but the list states {file.points}"
            self._notes.append(Unresolved(self._lines.get(("points",)), text))
        groups = self._grouped()
        units = []
        for number, group in enumerate(groups, 1):
            components = tuple(self._component(index, first=not position) for position, index in enumerate(group))
            models = [model for position, index in enumerate(group) for model in self._models(index, position)]
            name = " + ".join(each.name for each in components)
            units.append(Unit(f"a.{number}", name, components, tuple(models)))
        return Army(
            name=file.name,
            edition=file.edition,
            faction=file.faction,
            units=tuple(units),
            points=file.points,
            detachments=tuple(file.detachments),
            disposition=file.disposition,
            stratagems=self._stratagems(),
            unresolved=tuple(self._notes),
            dispositions=(file.disposition,) if file.disposition else (),
        )

    def _stratagems(self) -> tuple[Ability, ...]:
        """Those of the detachments that the file names, from the data set of the edition that has one."""
        if not self._file.detachments or self._file.edition not in (DATA_EDITION,):
            return ()
        from battlewright.armies.dataset import data_set  # read only where it is needed: it is large

        data = data_set()
        family = data.family(data.faction(self._file.faction))
        records = [data.detachment(name, family) for name in self._file.detachments]
        return tuple(each for record in records if record for each in data.stratagems_of(record, family))

    def _fault(self, place: tuple[str | int, ...], what: str, close: str | None = None) -> ArmyError:
        line = next((self._lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in self._lines), None)
        return ArmyError(what, where=self._source.at(line), nearest=close)

    def _grouped(self) -> list[list[int]]:
        """Indices of the entries that form each unit, the bodyguard first."""
        units = self._file.units
        heads: dict[int, list[int]] = {index: [index] for index, unit in enumerate(units) if unit.attached_to is None}
        for index, unit in enumerate(units):
            if unit.attached_to is None:
                continue
            role = unit.role or "leader"
            free = [
                head
                for head, group in heads.items()
                if loose_key(units[head].name) == loose_key(unit.attached_to)
                and all((units[each].role or "leader") != role for each in group[1:])
            ]
            if not free:
                names = (units[head].name for head in heads)
                raise self._fault(
                    ("units", index, "attached_to"),
                    f'{unit.name} is attached to "{unit.attached_to}", which no free unit is called',
                    nearest(unit.attached_to, names),
                )
            heads[free[0]].append(index)
        return list(heads.values())

    def _component(self, index: int, *, first: bool) -> Component:
        unit = self._file.units[index]
        role = Role.UNIT if first else Role(unit.role or "leader")
        return Component(unit.name, role, unit.points, unit.enhancement, unit.warlord, unit.embarked_in)

    def _models(self, index: int, position: int) -> list[Model]:
        unit = self._file.units[index]
        weapons = self._weapons(index)
        found: list[Model] = []
        for number, entry in enumerate(unit.models):
            place = ("units", index, "models", number)
            stats = {**(unit.stats or {}), **(entry.stats or {})}
            base, height = entry.base or unit.base, entry.height or unit.height
            if not stats or base is None or height is None:
                missing = "stats" if not stats else "base" if base is None else "height"
                raise self._fault(place, f"a model of {unit.name} has no {missing}")
            try:
                Base.parse(base)
            except BadInput as fault:
                raise self._fault((*(place if entry.base else place[:2]), "base"), str(fault)) from None
            words = [*entry.keywords, *unit.keywords, unit.name, *self._file.keywords, self._file.faction]
            model = Model(
                name=entry.name or unit.name,
                base=base,
                height=height,
                characteristics=stats,
                keywords=tuple(dict.fromkeys(word.upper() for word in words)),
                weapons=self._carried(entry, place, weapons),
                abilities=_listed(unit, entry),
                component=position,
                transport=_transport(entry.transport),
                overhang=unit.overhang if entry.overhang is None else entry.overhang,
            )
            found += [model] * entry.count
        if unit.warlord:
            found[0] = replace(found[0], keywords=(*found[0].keywords, "WARLORD"))
        return found

    def _weapons(self, index: int) -> dict[str, Weapon]:
        found: dict[str, Weapon] = {}
        for name, text in self._file.units[index].weapons.items():
            place = ("units", index, "weapons", name)
            texts = {"": text} if isinstance(text, str) else text
            try:
                profiles = tuple(parse_weapon_profile(each, profile) for profile, each in texts.items())
            except ValueError as fault:
                raise self._fault(place, f"{name}: {fault}") from None
            found[name_key(name)] = Weapon(name, profiles)
        return found

    def _carried(
        self, entry: _ModelEntry, place: tuple[str | int, ...], weapons: dict[str, Weapon]
    ) -> tuple[Weapon, ...]:
        carried: list[Weapon] = []
        for number, text in enumerate(entry.weapons):
            found = _CARRIED.match(text)
            weapon = weapons.get(name_key(found["name"])) if found else None
            if found is None or weapon is None:
                close = nearest(text, (each.name for each in weapons.values()))
                raise self._fault((*place, "weapons", number), f'no profile is written for "{text}"', close)
            carried += [weapon] * int(found["count"] or 1)
        return tuple(carried)


def _transport(entry: _TransportEntry | None) -> Transport | None:
    if entry is None:
        return None
    return Transport(
        entry.capacity,
        tuple(each.upper() for each in entry.only),
        tuple(each.upper() for each in entry.not_for),
    )


def _listed(unit: _UnitEntry, entry: _ModelEntry) -> tuple[Ability, ...]:
    found = [
        Ability(told, source) if isinstance(told, str) else Ability(told.name, source, told.text)
        for each in (unit, entry)
        for source, some in each.abilities.items()
        for told in some
    ]
    if unit.enhancement and not any(each.name == unit.enhancement for each in found):
        found.append(Ability(unit.enhancement, AbilitySource.ENHANCEMENT))
    return tuple(dict.fromkeys(found))
