"""Attaching leaders and supports by name, for lists that say of nobody whom he leads."""

from __future__ import annotations

from collections.abc import Iterable

from battlewright.armies.names import loose_key, nearest
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army, Unit
from battlewright.editions.edition import EDITIONS

__all__ = ["attach_by_name", "attached", "split_units"]


def attach_by_name(army: Army, leader: str, bodyguard: str) -> Army:
    """The army with the first unit called so attached to the first unit of the other name that it may join.

    Args:
        leader: a unit's name, or its id (``"a.3"``); so the bodyguard.

    Raises:
        ArmyError: when the army has no unit of that name, or none of them may be attached so.
    """
    switchboard = EDITIONS[army.edition].switchboard()
    refusal: ArmyError | None = None
    for joining in _called(army, leader):
        for guard in _called(army, bodyguard):
            if guard is joining:
                continue
            try:
                return switchboard.attach(army, joining.id, guard.id)
            except ArmyError as fault:
                refusal = refusal or fault
    raise refusal or ArmyError(f"{leader} cannot be attached to itself")


def split_units(army: Army, names: Iterable[str]) -> Army:
    """The army with these units, by name or id, split in two.

    Raises:
        ArmyError: when the army has no unit of a name, or when it may not be split.
    """
    switchboard = EDITIONS[army.edition].switchboard()
    for name in names:
        army = switchboard.split(army, _called(army, name)[0].id)
    return army


def attached(army: Army, sayings: Iterable[str]) -> Army:
    """The army after every ``"Captain=Intercessor Squad"``, one after the other.

    Raises:
        ArmyError: for one that is not of that form, or that is not allowed.
    """
    for saying in sayings:
        leader, sign, bodyguard = (part.strip() for part in saying.partition("="))
        if not (leader and sign and bodyguard):
            raise ArmyError(f'"{saying}" attaches nobody', expected='"Captain=Intercessor Squad"')
        army = attach_by_name(army, leader, bodyguard)
    return army


def _called(army: Army, name: str) -> list[Unit]:
    """The units of that name or id; an attached unit goes by its bodyguard's name, too."""
    key = loose_key(name)
    found = [
        unit
        for unit in army.units
        if unit.id == name or key in (loose_key(unit.name), loose_key(unit.components[0].name))
    ]
    if not found:
        names = dict.fromkeys(unit.components[0].name for unit in army.units)
        raise ArmyError(f'the army has no unit "{name}"', where=army.name, nearest=nearest(name, names))
    return found
