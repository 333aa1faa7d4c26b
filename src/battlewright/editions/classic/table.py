"""The table of rules: what an edition decides, each by a function or a piece of data of its own.

An edition builds its table once, from the one before it, by giving only what differs; the players' switches are worked
in when a battle is set up. Procedures ask the table of their scene and never which edition it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from battlewright.core.battle import Procedure
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rules_of
from battlewright.editions.classic import damage_tables
from battlewright.editions.classic.armour import DamageTable
from battlewright.editions.classic.assault import AssaultRules
from battlewright.editions.classic.attack import AttackRules
from battlewright.editions.classic.characters import CharacterRules
from battlewright.editions.classic.flying import GROUNDED, FlightRules
from battlewright.editions.classic.mission_rules import MissionRules
from battlewright.editions.classic.morale import MoraleRules
from battlewright.editions.classic.movement import MovementRules
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.sequence import PhaseRule
from battlewright.editions.classic.shooting import ShootingRules
from battlewright.editions.classic.vehicle_rules import VehicleRules

__all__ = [
    "Change",
    "ClassicRules",
    "Origin",
    "chapter",
    "differences",
    "entries",
    "origin",
    "with_switches",
]


@dataclass(frozen=True)
class ClassicRules:
    """Everything that an edition decides, chapter by chapter.

    Attributes:
        set_up: what is done before the first turn; ``end`` when the last one is over.
        phases: of a player turn, in order.
        movement: marching, terrain.
        vehicles: what is different for vehicles, whom they carry, how they are damaged.
        attack: hitting, wounding, saving, penetrating.
        shooting: weapon types, targets, casualties.
        assault: moving into contact, striking, splitting.
        morale: tests and rallying.
        missions: charts, setting up, reserves, holding ground.
        characters: joining, special rules, psychic powers.
        unit_type: what the type of a unit of a kind is called.
        flight: what zooms or swoops above the table; nothing does in editions without flyers.
    """

    set_up: Callable[[ClassicBattle], Procedure[None]]
    end: Callable[[ClassicBattle], None]
    phases: tuple[PhaseRule, ...]
    movement: MovementRules
    vehicles: VehicleRules
    attack: AttackRules
    shooting: ShootingRules
    assault: AssaultRules
    morale: MoraleRules
    missions: MissionRules
    characters: CharacterRules
    unit_type: Callable[[Kind], str]
    flight: FlightRules = GROUNDED


Change: TypeAlias = Callable[[ClassicRules], ClassicRules]
"""What a switch does to a table when it stands at a value other than the settled one."""


def chapter(name: str, **changes: object) -> Change:
    """The change that gives entries of one chapter: ``chapter("morale", is_bound=released)``."""
    return lambda rules: replace(rules, **{name: replace(getattr(rules, name), **changes)})


def with_switches(
    rules: ClassicRules,
    changes: Mapping[tuple[str, str], Change],
    options: Mapping[str, str],
    tables: Mapping[str, DamageTable],
) -> ClassicRules:
    """A table with the players' switches worked in.

    Args:
        changes: by name and value of a switch.
        options: every switch with its value.
        tables: the edition's damage tables by their names in files, in whose place the players may put their own.
    """
    for chosen in options.items():
        change = changes.get(chosen)
        rules = change(rules) if change is not None else rules
    text = options.get(damage_tables.NAME, damage_tables.BOOK)
    if text == damage_tables.BOOK:
        return rules
    return replace(rules, attack=damage_tables.with_damage_tables(rules.attack, text, tables))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an entry of a table is decided.

    Attributes:
        name: of the entry, with its chapter: ``"attack.wound_on"``.
        file: of the package, ``"editions/classic/charts.py"``; ``line`` where the function begins.
        function: its name there.
        rules: ids of the rulebook that it cites.
    """

    name: str
    file: str
    line: int
    function: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}: {self.function}, {self.file}:{self.line} ({', '.join(self.rules) or 'no rule cited'})"


def entries(table: object, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every entry of a table by its full name, chapters and mappings gone into."""
    for field in fields(table):  # type: ignore[arg-type]
        value, name = getattr(table, field.name), f"{prefix}{field.name}"
        if is_dataclass(value) and not isinstance(value, type) and value.__module__.startswith(__package__ or ""):
            yield from entries(value, f"{name}.")
        elif hasattr(value, "items"):
            yield from ((f"{name}.{_key_text(key)}", each) for key, each in value.items())
        elif isinstance(value, tuple) and value and isinstance(value[0], PhaseRule):
            yield from ((f"{name}.{each.name}", each.procedure) for each in value)
        else:
            yield name, value


def _key_text(key: object) -> str:
    """The key of a mapping as a part of a name: several words joined by a plus."""
    if isinstance(key, tuple | frozenset):
        parts = [_key_text(each) for each in key]
        return " + ".join(sorted(parts) if isinstance(key, frozenset) else parts)
    return str(key)


def origin(table: ClassicRules, name: str) -> Origin:
    """Where an entry is decided: ``"wound_on"``, or with its chapter ``"attack.wound_on"``.

    Raises:
        BadInput: when the table has no such entry, or when it is a piece of data and no function.
    """
    found = dict(entries(table))
    matches = [full for full in found if full == name or full.rpartition(".")[2] == name]
    if not matches:
        raise BadInput(f'the rules have no entry "{name}"', expected=", ".join(sorted(found)))
    function = _plain(found[matches[0]])
    code = getattr(inspect.unwrap(function) if callable(function) else function, "__code__", None)
    if code is None:
        raise BadInput(f'"{matches[0]}" is data, not a function', expected="an entry that decides something")
    package = Path(__file__).resolve().parents[2]
    file = Path(code.co_filename).resolve().relative_to(package).as_posix()
    return Origin(matches[0], file, code.co_firstlineno, function.__qualname__, rules_of(function))


def differences(table: ClassicRules, other: ClassicRules) -> dict[str, tuple[Any, Any]]:
    """The entries that two tables decide differently, by full name; None where one has no such entry."""
    first, second = dict(entries(table)), dict(entries(other))
    return {
        name: (first.get(name), second.get(name))
        for name in dict.fromkeys((*first, *second))
        if first.get(name) != second.get(name)
    }


def _plain(value: Any) -> Any:
    """The function that an entry was made from by giving some of its arguments."""
    while isinstance(value, partial):
        value = value.func
    return value
