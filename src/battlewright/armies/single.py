"""One unit by its name: of a list, or for questions that need no army list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from battlewright.armies.dataset import DATA_EDITION, DataSet, data_set
from battlewright.armies.datasheet import Datasheet
from battlewright.armies.names import name_key, nearest
from battlewright.armies.parsed import MAX_MODELS, Item, ModelGroup, ParsedList, ParsedUnit
from battlewright.armies.reading import Source
from battlewright.armies.resolve import resolve
from battlewright.armies.samples import sample_armies
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army, Unit

__all__ = ["find_unit", "unit_of"]

_NUMBERED = re.compile(r"(.*\S)\s*#\s*(\d{1,3})")


def find_unit(name: str, edition: str, *, models: int | None = None, weapon: str | None = None) -> Unit:
    """The unit of a datasheet's name, without any detachment; or a unit of that name in a bundled army.

    Args:
        name: as the datasheet spells it; capitals and punctuation do not matter.
        models: how many; the fewest that the datasheet allows when None. A bundled unit stays as it is.
        weapon: what every model carries, in place of the datasheet's default.

    Raises:
        ArmyError: for an unknown unit, a weapon that it cannot carry, or a number of models out of bounds.
    """
    if models is not None and not 1 <= models <= MAX_MODELS:
        raise ArmyError(f"{models} models of {name}", expected=f"1 to {MAX_MODELS}")
    if edition == DATA_EDITION:
        return _of_datasheet(data_set(), name, models, weapon)
    return _bundled(name, edition)


def _of_datasheet(data: DataSet, name: str, models: int | None, weapon: str | None) -> Unit:
    sheet = data.unit(name)
    if sheet is None:
        raise ArmyError(f'no unit "{name}" is known', nearest=data.nearest_unit(name))
    if weapon is not None and sheet.weapon(weapon) is None:
        raise ArmyError(f'{sheet.name} has no weapon "{weapon}"', nearest=sheet.nearest_weapon(weapon))
    count = models if models is not None else sheet.least
    parsed = ParsedUnit(sheet.name, points=0, stated_models=count, models=_groups(sheet, count, weapon))
    army = resolve(ParsedList(name=sheet.name, units=[parsed]), data, Source("", sheet.name))
    return army.units[0]


def _groups(sheet: Datasheet, count: int, weapon: str | None) -> list[ModelGroup]:
    """So many models of a datasheet: those that lead it as often as it asks for, the rest of its main kind."""
    main = next((row for row in sheet.rows if not row.leads), sheet.rows[0])
    groups, left = [], count
    for row in (*(row for row in sheet.rows if row.leads and row is not main), main):
        number = left if row is main else min(max(row.least, 1), left - 1)
        if number > 0:
            carried = [weapon] if weapon is not None else row.default
            groups.append(ModelGroup(row.name, number, items=[Item(name, number) for name in carried]))
            left -= number
    return groups


def _bundled(name: str, edition: str) -> Unit:
    from battlewright.armies import load_army

    units = {unit.name: unit for path in sample_armies(edition).values() for unit in load_army(path).units}
    for known, unit in units.items():
        if name_key(known) == name_key(name):
            return unit
    raise ArmyError(f'no unit "{name}" is bundled', nearest=nearest(name, units))


def unit_of(armies: Sequence[Army], name: str) -> Unit:
    """The unit of that name in one of the armies, the first army that has one.

    Args:
        name: of the unit or of one of its components; ``"Boyz #2"`` is the second of several with that name.

    Raises:
        ArmyError: when there is none, or there are several that differ and no number says which.
    """
    numbered = _NUMBERED.fullmatch(name.strip())
    wanted, number = (numbered[1], int(numbered[2])) if numbered else (name, 0)
    for army in armies:
        whole = [unit for unit in army.units if name_key(unit.name) == name_key(wanted)]
        found = whole or [unit for unit in army.units if name_key(wanted) in map(name_key, _components(unit))]
        if not found:
            continue
        if number > len(found):
            raise ArmyError(f'"{army.name}" has no {number} units "{wanted}"', expected=f"#1 to #{len(found)}")
        if not number and any(replace(unit, id="") != replace(found[0], id="") for unit in found):
            raise ArmyError(
                f'"{army.name}" has {len(found)} units "{wanted}" that differ', expected=f'"{wanted} #1"', nearest=None
            )
        return found[max(number - 1, 0)]
    known = [each for army in armies for unit in army.units for each in (unit.name, *_components(unit))]
    names = " and ".join(f'"{army.name}"' for army in armies)
    raise ArmyError(f'no unit "{wanted}" in {names}', nearest=nearest(wanted, known))


def _components(unit: Unit) -> list[str]:
    return [component.name for component in unit.components]
