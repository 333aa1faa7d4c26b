"""The scene of a battle of the 11th edition: everything that is read once and never changes.

Rosters become typed profiles, bases become arrays, the mission and the battlefield are fixed. Copies of a battle
share their scene; the only things in it that grow are caches whose keys hold all that they depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from battlewright.core.bases import MM_PER_INCH, Base
from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, Side, UnitId
from battlewright.core.footprints import BaseSet
from battlewright.core.header import Header
from battlewright.core.roster import Role, Transport, Unit
from battlewright.core.rulebook import rule
from battlewright.core.table import Battlefield
from battlewright.editions.eleventh.abilities.sources import Sources, with_own_abilities
from battlewright.editions.eleventh.datasheet import ModelProfile, WeaponProfile, read_model, read_weapon
from battlewright.editions.eleventh.state import EleventhState, EleventhUnit, Phase

if TYPE_CHECKING:
    from battlewright.editions.eleventh.missions import Mission
    from battlewright.editions.eleventh.stratagems import Stratagem

__all__ = [
    "Battle11",
    "ModelInfo",
    "Scene",
    "UnitInfo",
    "WeaponInfo",
    "can_be_hurt",
    "is_lingering",
    "living",
    "make_scene",
    "make_state",
    "standing",
    "weapons_of",
]


@dataclass(frozen=True, slots=True, eq=False)
class WeaponInfo:
    """One copy of a weapon carried by one model, with the profiles its user chooses between."""

    name: str
    profiles: tuple[WeaponProfile, ...]

    @property
    def melee(self) -> bool:
        """Whether it is used in the Fight phase."""
        return self.profiles[0].melee


@dataclass(frozen=True, slots=True, eq=False)
class ModelInfo:
    """One model: its row in the arrays of the state, its profile, base and weapons.

    Attributes:
        height: inches above where it stands.
        role: the part of its component in the unit; a bodyguard or an ordinary model is ``Role.UNIT``.
        transport: what it can carry (18.01), None when it carries nobody.
        overhang: inches that its parts reach beyond its base (01.04).
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
    transport: Transport | None = None
    overhang: float = 0.0

    def has(self, keyword: str) -> bool:
        """Whether the model itself has the keyword (in capitals)."""
        return keyword in self.profile.keywords


@dataclass(frozen=True, slots=True, eq=False)
class UnitInfo:
    """One unit: its place in the state's list, its printed id, its rows and what the list says of it."""

    index: UnitId
    id: str
    name: str
    side: Side
    rows: tuple[int, ...]
    roster: Unit

    @property
    @rule("11e.24.22-leader.forms-attached-unit")
    def is_attached(self) -> bool:
        """Whether it is an attached unit (24.22, chapter 19): one unit of all its components' models for the battle."""
        return len(self.roster.components) > 1


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything that is read once.

    Attributes:
        models: by row.
        units: by index.
        bases: of all models, by row.
        reach: (n,) the largest distance in inches from a model's centre to its base's edge.
        options: every switch of the edition with its value.
        stratagems: all that the players have (15).
        sources: what abilities of the rosters do, by what hooks ask for.
        cache: for results that depend on positions alone; keys hold what they depend on.
    """

    header: Header
    battlefield: Battlefield
    mission: Mission
    options: Mapping[str, str]
    models: tuple[ModelInfo, ...]
    units: tuple[UnitInfo, ...]
    bases: BaseSet
    reach: np.ndarray[Any, np.dtype[np.float64]]
    by_id: Mapping[str, UnitId]
    stratagems: tuple[Stratagem, ...] = ()
    sources: Sources = field(default_factory=Sources)
    cache: dict[Any, Any] = field(default_factory=dict)

    def units_of(self, side: Side) -> Iterator[UnitInfo]:
        """The units of one side, in the order of its list."""
        return (unit for unit in self.units if unit.side == side)

    def unit_of(self, row: int) -> UnitInfo:
        """The unit that a model belongs to."""
        return self.units[self.models[row].unit]


Battle11: TypeAlias = Battle[Scene, EleventhState]
"""A battle of the 11th edition."""


def living(state: EleventhState, unit: int) -> list[int]:
    """Rows of the unit's models that have wounds left, on the table or not."""
    wounds = state.wounds
    return [row for row in state.units[unit].models if wounds[row] > 0]


def is_lingering(state: EleventhState, row: int) -> bool:
    """Whether the model has been destroyed and stays in play until its unit has fought (01.08)."""
    return any(row == each for each, _ in state.lingering)


@rule("11e.core.01.08-fight-on-death")
def can_be_hurt(state: EleventhState, unit: int) -> list[int]:
    """Rows of the living models that wounds go to: those that have been destroyed and stay in play only where there
    are no others."""
    alive = living(state, unit)
    if not state.lingering:
        return alive
    return [row for row in alive if not is_lingering(state, row)] or alive


@rule("11e.core.01-unit-is-models")
def standing(state: EleventhState, unit: int) -> list[int]:
    """Rows of the unit's living models on the battlefield."""
    wounds, on_table = state.wounds, state.on_table
    return [row for row in state.units[unit].models if wounds[row] > 0 and on_table[row]]


@rule("11e.24.14-firing-deck.step3-transport-has-weapons")
def weapons_of(scene: Scene, state: EleventhState, row: int) -> tuple[WeaponInfo, ...]:
    """The weapons that the model has at present: its own, then those lent to it by Firing Deck (24.14)."""
    own = scene.models[row].weapons
    if not state.lent:
        return own
    return (*own, *(scene.models[giver].weapons[weapon] for taker, giver, weapon in state.lent if taker == row))


def make_scene(
    header: Header,
    battlefield: Battlefield,
    mission: Mission,
    options: Mapping[str, str],
    stratagems: Sequence[Stratagem] = (),
) -> Scene:
    """Read a header into a scene.

    Raises:
        ProfileError: when a characteristic or weapon ability of a roster cannot be read; names unit and weapon.
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
                    if weapon.profiles  # one that no profile is known for has no effect; the army's report names it
                )
                models.append(
                    ModelInfo(
                        len(models),
                        index,
                        side,
                        model.name,
                        with_own_abilities(read_model(model), model, unit),
                        Base.parse(model.base),
                        model.height,
                        weapons,
                        unit.components[model.component].role,
                        model.component,
                        model.transport,
                        model.overhang / MM_PER_INCH,
                    )
                )
            units.append(UnitInfo(index, unit.id, unit.name, side, tuple(range(first, len(models))), unit))
    bases = [model.base for model in models]
    return Scene(
        header,
        battlefield,
        mission,
        options,
        tuple(models),
        tuple(units),
        BaseSet.of(bases),
        np.array([base.reach for base in bases]),
        {unit.id: unit.index for unit in units},
        tuple(stratagems),
        Sources.of(
            (unit.roster for unit in units),
            ((side, each) for side in SIDES for each in header.armies[side].stratagems),
        ),
    )


@rule("11e.core.14-uncontrolled-at-start")
def make_state(scene: Scene) -> EleventhState:
    """The state before anything has happened: nobody on the table, everybody unhurt, no objective controlled."""
    count = len(scene.models)
    return EleventhState(
        position=np.zeros((count, 4), np.int32),
        wounds=np.array([model.profile.wounds for model in scene.models], np.int16),
        on_table=np.zeros(count, np.bool_),
        units=[EleventhUnit(unit.side, unit.rows, starting_strength=len(unit.rows)) for unit in scene.units],
        phase=Phase.SETUP,
        control=(-1,) * len(scene.battlefield.objectives),
        secured=(-1,) * len(scene.battlefield.objectives),
    )
