"""Choosing whom a unit fires at: the enemies that it sees, why some of them may not be chosen, the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.gunnery import Gun
from battlewright.editions.classic.joining import is_free_character
from battlewright.editions.classic.measuring import TARGETER, is_in_range
from battlewright.editions.classic.procedures.arming import arms_of, is_barrage
from battlewright.editions.classic.procedures.board import enemies_on_table, gaps, in_combat, touched_units, unit_gap
from battlewright.editions.classic.procedures.fire_points import firing_rows, places_of
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.seeing import target_units
from battlewright.editions.classic.procedures.vehicle_fire import brings_to_bear
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, own_unit, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.targets import Candidate, separate_targets

__all__ = ["Aim", "candidates_of", "select_target", "swept_into", "targets_of"]

_TARGET = "3e.shooting.unit-at-unit"
_LARGE = (Kind.MONSTROUS, Kind.ARTILLERY)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a unit fires at: a unit, or one model picked out of it.

    Attributes:
        row: of the model; None for the unit as a whole.
        barrages_only: whether nothing is fired at it but barrages.
    """

    unit: int
    row: int | None = None
    barrages_only: bool = False


def swept_into(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The enemy units that have swept into a unit, have not fought it yet, and may be fired back at."""
    return [
        enemy
        for enemy in touched_units(scene, state, unit)
        if scene.rules.shooting.fires_back(
            target_swept_into_us=state.units[enemy].charged and not state.units[unit].charged,
            own_turn=state.units[unit].side == state.turn,
        )
    ]


@rule("3e.shooting.unit-at-unit", "3e.core.shooting.one-target", "3e.core.shooting.not-into-combat")
@rule("3e.shooting.special-premeasure", "3e.partial-contact.not-into-combat", "3e.sweep.shoot-at-sweepers")
def targets_of(scene: Scene, state: ClassicState, unit: int) -> list[Aim]:
    """What a unit may choose as its target: of the enemies that it sees (barrages see everybody) those in no close
    combat that nothing protects. Nothing is measured, unless a rule lets the unit do so.
    """
    rules = scene.rules.shooting
    found = []
    measures = rules.may_measure_first(TARGETER in traits_of(scene, state, unit))
    candidates, guns = candidates_of(scene, state, unit), _guns_of_vehicles(scene, state, unit)
    for enemy, candidate in candidates.items():
        others = [
            (each, unit_gap(scene, state, enemy, other) if candidate.lone_character else 0.0)
            for other, each in candidates.items()
            if other != enemy
        ]
        if rules.target_faults(candidate, others, rules.is_possible_target):
            continue
        if (measures and not candidate.in_range) or not _bears_on(scene, state, guns, enemy):
            continue
        joined = [row for row in standing(state, enemy) if own_unit(scene, state, row) != enemy]
        found += [Aim(each) for each in separate_targets(enemy, joined)]
        if joined and rules.may_pick_joined(candidate):
            found.append(Aim(enemy, candidate.nearest_row))
    return found


def _guns_of_vehicles(scene: Scene, state: ClassicState, unit: int) -> Mapping[int, Sequence[Gun]] | None:
    """The weapons of each vehicle of a unit that may fire; None where not all who may fire are vehicles."""
    rows = firing_rows(scene, state, unit)
    if not all(scene.models[row].profile.is_vehicle for row in rows):
        return None
    return {row: [Gun(arm.weapon, arm.profile) for arm in arms_of(scene, state, unit, row)] for row in rows}


@rule("3e.core.vehicles.one-target", "3e.range.mount", "4e.vehicle-los.los-needed")
def _bears_on(scene: Scene, state: ClassicState, guns: Mapping[int, Sequence[Gun]] | None, target: int) -> bool:
    """Whether one of a unit's weapons can be brought to bear on a unit, where it is made of vehicles."""
    if guns is None:
        return True
    return any(brings_to_bear(scene, state, row, target, armed) for row, armed in guns.items())


@rule("3e.core.shooting.not-into-combat", "3e.partial-contact.reply", "3e.partial-contact.not-into-combat")
@rule("4e.entangled.targets-for-others")
@rule(
    "4e.vehicles-as-targets.engaged-walkers", "4e.vehicles-as-targets.bailed-out-targets", "4e.vehicle-los.los-needed"
)
def candidates_of(scene: Scene, state: ClassicState, unit: int) -> Mapping[int, Candidate]:
    """The enemy units that a unit sees, but for those in close combat that have not just swept into it."""
    rows = firing_rows(scene, state, unit)
    if any(is_barrage(profile) for row in rows for each in scene.models[row].weapons for profile in each.profiles):
        seen = enemies_on_table(scene, state, scene.units[unit].side)
    else:
        seen = target_units(scene, state, places_of(state, unit, rows))
    back = swept_into(scene, state, unit)
    return {
        enemy: _candidate(scene, state, unit, enemy)
        for enemy in seen
        if enemy in back or not in_combat(scene, state, enemy)
    }


def _candidate(scene: Scene, state: ClassicState, unit: int, enemy: int) -> Candidate:
    rows, theirs = firing_rows(scene, state, unit), standing(state, enemy)
    apart = gaps(scene, state, places_of(state, unit, rows), theirs)
    profiles = [
        profile
        for row in rows
        for weapon in scene.models[row].weapons
        for profile in weapon.profiles
        if not profile.melee
    ]
    model = scene.models[theirs[0]].profile
    nearest = theirs[int(apart.min(axis=0).argmin())]
    attack = scene.rules.attack
    return Candidate(
        unit=enemy,
        distance=float(apart.min()),
        lone_character=len(theirs) == 1 and is_free_character(model, len(living(state, enemy)) - 1),
        in_range=is_in_range(float(apart.min()), max((profile.range for profile in profiles), default=0.0)),
        damageable=any(
            profile.strength.of(0) + 6 >= model.armour.rear
            if model.armour is not None
            else attack.wound_on(max(profile.strength.of(0), 1), model.toughness) is not None
            for profile in profiles
        ),
        nearest_is_joined=own_unit(scene, state, nearest) != enemy,
        nearest_row=nearest,
        is_monstrous=model.kind is Kind.MONSTROUS,
        is_large=model.is_vehicle or model.kind in _LARGE,
        falls_back=state.units[enemy].falling_back,
    )


@rule("3e.partial-contact.one-target", "3e.core.shooting.one-target", "3e.shooting.unit-at-unit")
@rule("4e.squadron-shooting.same-target")
@rule("4e.vehicle-shooting.one-target")
def select_target(battle: ClassicBattle, unit: int, found: Sequence[Aim]) -> Procedure[Aim | None]:
    """The one target that the unit's player names for all its models; None when it does not fire."""
    scene = battle.scene
    info = scene.units[unit]
    options = []
    for aim in found:
        key, label = scene.units[aim.unit].id, scene.units[aim.unit].name
        if aim.row is not None:
            key, label = f"{key}/{aim.row}", f"{scene.models[aim.row].name} in {label}"
        options.append(Option(key, label, aim.unit if aim.row is None else (aim.unit, aim.row)))
    options.append(Option("none", "do not fire", None))
    picked: int | tuple[int, int] | None = yield from choose(
        Decision(
            info.side,
            "select-target",
            f"{info.name}: at whom does it fire?",
            _TARGET,
            Options(options, rule=_TARGET),
            subject=info.index,
        )
    )
    if picked is None:
        return None
    return Aim(*picked) if isinstance(picked, tuple) else Aim(picked)
