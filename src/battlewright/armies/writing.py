"""Writing units in our own army format, so that they can be put into an army file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import yaml

from battlewright.core.roster import Ability, Model, Role, Unit, Weapon, WeaponProfile

__all__ = ["unit_entries", "units_as_yaml"]

_WIDTH = 116


class _Block(dict[str, Any]):
    """A mapping that is written one key a line."""


class _Dumper(yaml.SafeDumper):
    """Writes small lists and mappings on one line, weapons one a line, and no aliases, which the format refuses."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(
    _Block, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=False)
)


def units_as_yaml(units: Iterable[Unit]) -> str:
    """The entries of these units as they stand below ``units:`` in an army file.

    Statistics are written out; the text reads back into equal units but for their ids, the keywords that the file
    gives to all its models, and what is remembered of which bases were assumed.
    """
    entries = [entry for unit in units for entry in unit_entries(unit)]
    return yaml.dump(
        entries, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=_WIDTH
    )


def unit_entries(unit: Unit) -> list[dict[str, Any]]:
    """One entry for each component of a unit, the one that the others are attached to first."""
    entries = []
    for index, component in enumerate(unit.components):
        models = [model for model in unit.models if model.component == index]
        entry: dict[str, Any] = {"name": component.name, "points": component.points}
        if component.role is not Role.UNIT:
            entry |= {"attached_to": unit.components[0].name, "role": str(component.role)}
        if component.warlord:
            entry["warlord"] = True
        if component.enhancement is not None:
            entry["enhancement"] = component.enhancement
        if component.embarked_in is not None:
            entry["embarked_in"] = component.embarked_in
        names = _weapon_names(models)
        shared = _shared_keywords(models, component.name)
        if names:
            entry["weapons"] = _Block((name, _weapon(weapon)) for name, weapon in names)
        entry["models"] = [_models(list(alike), names, shared, component.name) for _, alike in groupby(models)]
        if shared:
            entry = _inserted(entry, "keywords", list(shared), before="weapons" if names else "models")
        entries.append(entry)
    return entries


def _inserted(entry: dict[str, Any], key: str, value: Any, before: str) -> dict[str, Any]:
    at = list(entry).index(before)
    items = list(entry.items())
    return dict([*items[:at], (key, value), *items[at:]])


def _shared_keywords(models: Sequence[Model], name: str) -> tuple[str, ...]:
    first = models[0].keywords if models else ()
    return tuple(
        word
        for word in first
        if word not in (name.upper(), "WARLORD") and all(word in model.keywords for model in models)
    )


def _weapon_names(models: Sequence[Model]) -> list[tuple[str, Weapon]]:
    """Each weapon that differs from the others, under a name of its own."""
    found: list[tuple[str, Weapon]] = []
    for model in models:
        for weapon in model.weapons:
            if any(weapon == each for _, each in found):
                continue
            taken = {name for name, _ in found}
            name = weapon.name
            if name in taken:
                name = f"{weapon.name}, {model.name}"
            while name in taken:
                name += "'"
            found.append((name, weapon))
    return found


def _weapon(weapon: Weapon) -> str | dict[str, str]:
    if len(weapon.profiles) == 1 and not weapon.profiles[0].name:
        return _profile(weapon.profiles[0])
    return _Block((profile.name or weapon.name, _profile(profile)) for profile in weapon.profiles)


def _profile(profile: WeaponProfile) -> str:
    """A profile in its short form; a range that is not melee ends with inches."""
    words = ["Melee" if profile.melee else profile.characteristics.get("R", '0"')]
    words += [f"{key}{value}" for key, value in profile.characteristics.items() if key != "R"]
    return f"{' '.join(words)} [{', '.join(profile.abilities)}]" if profile.abilities else " ".join(words)


def _models(
    models: Sequence[Model], names: Sequence[tuple[str, Weapon]], shared: Sequence[str], unit: str
) -> dict[str, Any]:
    model = models[0]
    entry: dict[str, Any] = {"name": model.name}
    if len(models) > 1:
        entry["count"] = len(models)
    entry |= {"stats": _statistics(model.characteristics), "base": model.base, "height": float(model.height)}
    if model.overhang:
        entry["overhang"] = model.overhang
    known = {*shared, unit.upper(), "WARLORD"}
    if keywords := [word for word in model.keywords if word not in known]:
        entry["keywords"] = keywords
    if model.abilities:
        entry["abilities"] = _abilities(model.abilities)
    carried: dict[str, int] = {}
    for weapon in model.weapons:
        name = next(name for name, each in names if each == weapon)
        carried[name] = carried.get(name, 0) + 1
    if carried:
        entry["weapons"] = [f"{count}x {name}" if count > 1 else name for name, count in carried.items()]
    return entry


def _statistics(characteristics: Mapping[str, str]) -> str | dict[str, str]:
    if all(value and not any(letter.isspace() for letter in value) for value in characteristics.values()):
        return " ".join(f"{key}{value}" for key, value in characteristics.items())
    return dict(characteristics)


def _abilities(abilities: Sequence[Ability]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for ability in abilities:
        told: Any = ability.name
        if ability.encoding:
            told = {"name": ability.name, "encoding": json.loads(ability.encoding)}
        found.setdefault(str(ability.source), []).append(told)
    return found
