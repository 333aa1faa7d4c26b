"""The scene of a battle of the classic editions: everything that is read once and never changes.

Rosters become typed profiles, bases become arrays; mission, battlefield and the edition's table of rules, with the
players' switches worked in, are fixed. Copies of a battle share their scene; the only things in it that grow are
caches whose keys hold all that they depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from battlewright.core.bases import Base
from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, Side, UnitId
from battlewright.core.footprints import BaseSet
from battlewright.core.header import Header
from battlewright.core.roster import Role, Unit
from battlewright.core.rulebook import rule
from battlewright.core.table import Battlefield
from battlewright.editions.classic.joining import is_free_character
from battlewright.editions.classic.profiles import ModelProfile, read_model
from battlewright.editions.classic.state import NOWHERE, ClassicState, ClassicUnit, Phase
from battlewright.editions.classic.vehicles import may_be_in_squadron
from battlewright.editions.classic.weapons import WeaponProfile, read_weapon

if TYPE_CHECKING:
    from battlewright.editions.classic.table import ClassicRules

__all__ = [
    "ClassicBattle",
    "Mission",
    "ModelInfo",
    "Scene",
    "UnitInfo",
    "WeaponInfo",
    "living",
    "make_scene",
    "make_state",
    "own_rows",
    "own_unit",
    "present_unit",
    "standing",
    "traits_of_model",
]


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission as far as every classic edition knows one.

    Attributes:
        turns: game turns.
        layouts: names of the layouts it is played on, the default first.
    """

    name: str
    turns: int
    layouts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WeaponInfo:
    """One copy of a weapon carried by one model, with the profiles its user chooses between."""

    name: str
    profiles: tuple[WeaponProfile, ...]

    @property
    def melee(self) -> bool:
        """Whether it is used in close combat."""
        return self.profiles[0].melee


@dataclass(frozen=True, slots=True, eq=False)
class ModelInfo:
    """One model: its row in the arrays of the state, its profile, base and weapons.

    Attributes:
        unit: the unit that it was bought in; an independent character keeps its own when it joins another.
        height: inches from where it stands to its head.
        role: the part of its component in the unit; a bodyguard or an ordinary model is ``Role.UNIT``.
        points: its share of its unit's cost.
        part: the unit of its own that it becomes when its squadron leaves it behind, ``NOWHERE`` for none.
    """

    row: int
    unit: UnitId
    side: Side
    name: str
    profile: ModelProfile
    base: Base
    height: float
    weapons: tuple[WeaponInfo, ...]
    role: Role
    component: int
    points: float = 0.0
    part: int = NOWHERE

    def has(self, name: str) -> bool:
        """Whether the model itself has the keyword, special rule or wargear (in capitals)."""
        return self.profile.has(name)


@dataclass(frozen=True, slots=True, eq=False)
class UnitInfo:
    """One unit: its place in the state's list, its printed id, its rows and what the list says of it.

    Attributes:
        part_of: the squadron of which it is a vehicle, ``NOWHERE`` for a unit of the list. Such a unit is none before
            that vehicle has been left behind: until then it has no models in the state.
    """

    index: UnitId
    id: str
    name: str
    side: Side
    rows: tuple[int, ...]
    roster: Unit
    part_of: int = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything that is read once.

    Attributes:
        rules: the edition's table of rules, the players' switches worked in.
        models: by row.
        units: by index: those of the lists, then those that vehicles of squadrons become if they are left behind.
        bases: of all models, by row.
        reach: (n,) the largest distance in inches from a model's centre to its base's edge.
        parts: units that are none before a squadron has left a vehicle behind.
        options: every switch of the edition with its value, for the record; no rule reads them.
        cache: for results that depend on positions alone; keys hold what they depend on.
    """

    header: Header
    battlefield: Battlefield
    mission: Mission
    options: Mapping[str, str]
    rules: ClassicRules
    models: tuple[ModelInfo, ...]
    units: tuple[UnitInfo, ...]
    bases: BaseSet
    reach: np.ndarray[Any, np.dtype[np.float64]]
    by_id: Mapping[str, UnitId]
    parts: tuple[int, ...] = ()
    cache: dict[Any, Any] = field(default_factory=dict)

    def units_of(self, side: Side) -> Iterator[UnitInfo]:
        """The units of one side, in the order of its list; those of vehicles left behind, and of none yet, are last."""
        return (unit for unit in self.units if unit.side == side)

    def listed(self, side: Side) -> Iterator[UnitInfo]:
        """The units of one side's list alone."""
        return (unit for unit in self.units if unit.side == side and unit.part_of == NOWHERE)

    def unit_of(self, row: int) -> UnitInfo:
        """The unit that a model was bought in."""
        return self.units[self.models[row].unit]


ClassicBattle: TypeAlias = Battle[Scene, ClassicState]
"""A battle of a classic edition."""


def living(state: ClassicState, unit: int) -> list[int]:
    """Rows of the unit's models that have wounds left, on the table or not."""
    wounds = state.wounds
    return [row for row in state.units[unit].models if wounds[row] > 0]


def standing(state: ClassicState, unit: int) -> list[int]:
    """Rows of the unit's living models on the battlefield."""
    wounds, on_table = state.wounds, state.on_table
    return [row for row in state.units[unit].models if wounds[row] > 0 and on_table[row]]


def own_unit(scene: Scene, state: ClassicState, row: int) -> int:
    """The unit that a model is of, whomever that has joined: the one that it was bought in, or itself alone where its
    squadron has left it behind."""
    model = scene.models[row]
    return model.part if model.part != NOWHERE and state.units[model.part].models else int(model.unit)


def own_rows(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """Rows of the models that are of a unit, destroyed ones included, whomever it has joined; none where it is the unit
    of a vehicle that has not been left behind."""
    return [row for row in scene.units[unit].rows if own_unit(scene, state, row) == unit]


def present_unit(scene: Scene, state: ClassicState, row: int) -> int:
    """The unit that a model belongs to at the moment: for a joined character the one that it has joined."""
    own = own_unit(scene, state, row)
    joined: int = state.units[own].joined
    return own if joined == NOWHERE else joined


def traits_of_model(scene: Scene, row: int) -> frozenset[str]:
    """Keywords, special rules and wargear of a model, with those that go with its kind and with being a character."""
    profile, movement = scene.models[row].profile, scene.rules.movement
    found = profile.keywords | profile.abilities | movement.kinds.of(profile.kind, profile.keywords).traits
    return found | movement.character_traits if is_free_character(profile, 0) else found


@rule("3e.terms.unit", "3e.terms.model", "4e.squadrons.single-default", "4e.squadrons.squadron-size")
@rule(
    "6e.hunter-killer-missile.additional-weapon", "6e.hunter-killer-missile.profile", "6e.outside.hunter-killer-profile"
)
def make_scene(
    header: Header, battlefield: Battlefield, mission: Mission, options: Mapping[str, str], rules: ClassicRules
) -> Scene:
    """Read a header into a scene.

    Raises:
        ProfileError: when a characteristic or weapon of a roster cannot be read; names model or weapon.
    """
    models: list[ModelInfo] = []
    units: list[UnitInfo] = []
    for side in SIDES:
        for unit in header.armies[side].units:
            index = UnitId(len(units))
            first = len(models)
            for model in unit.models:
                weapons = tuple(
                    WeaponInfo(weapon.name, tuple(read_weapon(profile, weapon.name) for profile in weapon.profiles))
                    for weapon in model.weapons
                )
                others = len(unit.models) > 1
                profile = read_model(model, with_retinue=others)
                extra = rules.vehicles.fire.extra_weapons if profile.is_vehicle else {}
                weapons += tuple(WeaponInfo(gun.name, (gun,)) for name, gun in extra.items() if profile.has(name))
                models.append(
                    ModelInfo(
                        len(models),
                        index,
                        side,
                        model.name,
                        profile,
                        Base.parse(model.base),
                        model.height,
                        weapons,
                        unit.components[model.component].role,
                        model.component,
                        unit.points / len(unit.models),
                    )
                )
            units.append(UnitInfo(index, unit.id, unit.name, side, tuple(range(first, len(models))), unit))
    if rules.vehicles.movement.left_behind is not None:
        _add_parts(models, units)
    bases = [model.base for model in models]
    return Scene(
        header,
        battlefield,
        mission,
        options,
        rules,
        tuple(models),
        tuple(units),
        BaseSet.of(bases),
        np.array([base.reach for base in bases]),
        {unit.id: unit.index for unit in units},
        tuple(int(unit.index) for unit in units if unit.part_of != NOWHERE),
    )


@rule("6e.outside.squadrons")
def _add_parts(models: list[ModelInfo], units: list[UnitInfo]) -> None:
    """A unit for each vehicle of a squadron, in case that it is left behind; its id is the squadron's with a number."""
    for squadron in list(units):
        rows = squadron.rows
        if len(rows) < 2 or not all(may_be_in_squadron(models[row].profile) for row in rows):
            continue
        for number, row in enumerate(rows, 1):
            index, alone = UnitId(len(units)), squadron.roster.part(number)
            units.append(UnitInfo(index, alone.id, alone.name, squadron.side, (row,), alone, int(squadron.index)))
            models[row] = replace(models[row], part=int(index))


def make_state(scene: Scene) -> ClassicState:
    """The state before anything has happened: nobody on the table, everybody unhurt."""
    count = len(scene.models)
    return ClassicState(
        position=np.zeros((count, 4), np.int32),
        wounds=np.array([model.profile.wounds for model in scene.models], np.int16),
        on_table=np.zeros(count, np.bool_),
        units=[
            ClassicUnit(unit.side, unit.rows, starting_strength=len(unit.rows), phase_strength=len(unit.rows))
            if unit.part_of == NOWHERE
            else ClassicUnit(unit.side, ())
            for unit in scene.units
        ],
        phase=Phase.SETUP,
    )
