"""Who fights: models, weapons, units and armies as an army list states them.

A roster is text-level data, the same for every edition: characteristics stay as they are printed (``"3+"``,
``"D6+1"``, ``"-"``) and an edition reads them into its own typed profiles once, when a battle is set up. It is
immutable, belongs to the header of a battle, and knows nothing of what happens in it.

Weapons sit on the models that carry them: a model with two pistols has two :class:`Weapon` entries.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

__all__ = [
    "MAX_OVERHANG",
    "Ability",
    "AbilitySource",
    "Army",
    "Component",
    "Enforcement",
    "Model",
    "Role",
    "Transport",
    "Unit",
    "Unresolved",
    "Weapon",
    "WeaponProfile",
    "part_name",
    "unprintable_text",
]

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e]")
"""Characters that steer a terminal or turn the order of a line round, and that no XML may hold; a tab is none."""


MAX_OVERHANG: Final = 25.0
"""Millimetres of the largest overhang: two of them still let enemies come within 2" of each other."""


class AbilitySource(StrEnum):
    """Where an ability of a unit comes from."""

    CORE = "core"
    FACTION = "faction"
    DATASHEET = "datasheet"
    DETACHMENT = "detachment"
    ENHANCEMENT = "enhancement"
    WARGEAR = "wargear"
    STRATAGEM = "stratagem"


class Role(StrEnum):
    """The part a component plays in its unit."""

    UNIT = "unit"
    """The unit itself, or the bodyguard of an attached unit."""
    LEADER = "leader"
    SUPPORT = "support"


@dataclass(frozen=True, slots=True)
class Ability:
    """A named ability as printed, numbers included: ``"Feel No Pain 5+"``, ``"Deep Strike"``.

    Whether the engine enforces it is not a fact of the list: ask the edition.

    Attributes:
        encoding: what it does, as a JSON object in the edition's language of conditions and effects, written with
            sorted keys; empty where nobody has encoded it. It travels with the list, so that a saved battle does not
            depend on the data that it was made from.
    """

    name: str
    source: AbilitySource = AbilitySource.DATASHEET
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class WeaponProfile:
    """One way to use a weapon.

    Attributes:
        name: the profile's own name, ``""`` when the weapon has only one.
        melee: whether it is used in the Fight phase.
        characteristics: as printed, keyed by the edition's abbreviations (11th: R, A, BS or WS, S, AP, D).
        abilities: weapon abilities as printed, without brackets: ``"RAPID FIRE 1"``.
    """

    name: str
    melee: bool
    characteristics: Mapping[str, str]
    abilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Weapon:
    """One copy of a weapon carried by one model; several profiles when its user chooses between them."""

    name: str
    profiles: tuple[WeaponProfile, ...]


@dataclass(frozen=True, slots=True)
class Transport:
    """What a model can carry.

    Attributes:
        capacity: how many models.
        only: keywords in capitals of which each passenger has one; empty when all may board.
        not_for: keywords in capitals of which no passenger has any.
        assumed: whether ``only`` comes from our own reading rather than from data.
    """

    capacity: int
    only: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Model:
    """One model.

    Attributes:
        name: what the list calls it.
        base: its base in the text form of :mod:`battlewright.core.shapes` (``"32mm"``, ``"60x35mm"``,
            ``"hull 6.2x4.1in"``).
        height: height in inches above the ground it stands on.
        characteristics: as printed, keyed by the edition's abbreviations (11th: M, T, Sv, InSv, W, Ld, OC).
        keywords: the model's own keywords, faction keywords and its datasheet's name included, in capitals.
        weapons: one entry per copy carried.
        abilities: the abilities of this model.
        component: index into the unit's components.
        assumed: which of ``"base"`` and ``"height"`` come from our own table rather than from data.
        transport: what it can carry, None when it carries nobody.
        overhang: how far parts of it reach beyond its base on every side, in millimetres; 0 where no data tells.
    """

    name: str
    base: str
    height: float
    characteristics: Mapping[str, str]
    keywords: tuple[str, ...]
    weapons: tuple[Weapon, ...] = ()
    abilities: tuple[Ability, ...] = ()
    component: int = 0
    assumed: tuple[str, ...] = ()
    transport: Transport | None = None
    overhang: float = 0.0


def part_name(name: str, number: int | str) -> str:
    """What to call one model of a unit that has become a unit of its own."""
    return f"{name}, no. {number}"


@dataclass(frozen=True, slots=True)
class Component:
    """One entry of the army list within a unit: the bodyguard, its leader, its support.

    Attributes:
        name: the datasheet's name.
        role: what it is in the unit.
        points: its cost, enhancements included.
        enhancement: the name of its enhancement, if any.
        warlord: whether it holds the army's warlord.
        embarked_in: name of the list entry it starts embarked in, if the list says so.
    """

    name: str
    role: Role = Role.UNIT
    points: int = 0
    enhancement: str | None = None
    warlord: bool = False
    embarked_in: str | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """Models that move and fight together: one list entry, or several attached to each other.

    Attributes:
        id: unique within the battle, the side's letter and a number: ``"a.3"``.
        name: what to call it, the components joined by " + ".
        not_enforced: names of abilities, weapons and enhancements of this unit that have no effect in the battle,
            because no profile or rule for them is known at the time of loading; the edition adds its own.
    """

    id: str
    name: str
    components: tuple[Component, ...]
    models: tuple[Model, ...]
    not_enforced: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """The cost of all components."""
        return sum(component.points for component in self.components)

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """Every ability that some model has, in order of first appearance."""
        return tuple(dict.fromkeys(ability for model in self.models for ability in model.abilities))

    def part(self, number: int) -> Unit:
        """One of its models, counted from 1, as a unit of its own: ``"a.3"`` becomes ``"a.3.2"`` for the second."""
        model = self.models[number - 1]
        component = replace(self.components[model.component], points=self.points // len(self.models))
        return replace(
            self,
            id=f"{self.id}.{number}",
            name=part_name(self.name, number),
            components=(component,),
            models=(replace(model, component=0),),
        )

    def weapon_counts(self) -> dict[str, int]:
        """How many copies of each weapon the unit carries, by name."""
        return dict(Counter(weapon.name for model in self.models for weapon in model.weapons))


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Something of a list file that could not be brought onto the table.

    Attributes:
        line: line of the file, counted from 1; None where the whole list is meant (totals).
        text: what stands there, or what does not add up, as one sentence.
        nearest: the closest known name, when one is close.
        fatal: whether it changes who stands on the table, so that a battle may not start without ``--as-is``.
    """

    line: int | None
    text: str
    nearest: str | None = None
    fatal: bool = True


@dataclass(frozen=True, slots=True)
class Army:
    """One side's force as resolved from its list.

    Attributes:
        faction: name of the army's faction.
        detachments: names, as resolved.
        disposition: the force disposition (11th edition), or None where it is open.
        points: what the list says it costs in all.
        unresolved: what the import could not reconcile or has to warn of, by name and line.
        dispositions: every disposition that the list offers its player (11th edition).
        stratagems: those of its detachments beside those of the core rules (11th edition).
    """

    name: str
    edition: str
    faction: str
    units: tuple[Unit, ...]
    points: int = 0
    detachments: tuple[str, ...] = ()
    disposition: str | None = None
    unresolved: tuple[Unresolved, ...] = ()
    dispositions: tuple[str, ...] = ()
    stratagems: tuple[Ability, ...] = ()

    @property
    def reconciled(self) -> bool:
        """Whether the list's own totals were found again in the units: nothing unresolved is fatal."""
        return not any(each.fatal for each in self.unresolved)

    def for_side(self, letter: str) -> Army:
        """The army with the ids of its units begun with a side's letter: ``"a.3"`` becomes ``"b.3"``."""
        renamed = (replace(unit, id=f"{letter}.{unit.id.rpartition('.')[2]}") for unit in self.units)
        return replace(self, units=tuple(renamed))

    def models(self) -> Iterator[tuple[Unit, Model]]:
        """Every model with its unit, in order."""
        for unit in self.units:
            for model in unit.models:
                yield unit, model


@dataclass(frozen=True, slots=True)
class Enforcement:
    """What of one unit's rules the engine applies.

    Attributes:
        enforced: names of the abilities that the edition implements.
        not_enforced: names of those that it does not, each of which has no effect at all.
    """

    enforced: tuple[str, ...] = ()
    not_enforced: tuple[str, ...] = field(default=())


def unprintable_text(value: Any) -> str | None:
    """A text anywhere in a roster that holds a character not to be printed; None when all of it can be read.

    >>> unprintable_text(Component("Boyz")), unprintable_text(Component("Bo\\x1b[31myz"))
    (None, 'Bo\\x1b[31myz')
    """
    texts: set[str] = set()
    _collect(value, texts, set())
    return next((text for text in sorted(texts) if _UNPRINTABLE.search(text)), None)


def _collect(value: Any, texts: set[str], seen: set[int]) -> None:
    """Every text in a value; models share weapons and profiles, and each of these is looked at once."""
    if isinstance(value, str):
        texts.add(value)
    elif value is None or isinstance(value, int | float) or id(value) in seen:
        return
    else:
        seen.add(id(value))
        if isinstance(value, Mapping):
            texts.update(value)
            value = value.values()
        elif dataclasses.is_dataclass(value):
            value = [getattr(value, name) for name in value.__dataclass_fields__]
        for each in value:
            _collect(each, texts, seen)
