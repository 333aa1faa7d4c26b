"""Passengers who fire out of the vehicle that they are in: who may, how, from where, and what that leaves open.

Who is aboard has no place of his own on the table: whatever he fires comes from the hull of his vehicle.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.falling_back import counts_as_moved
from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.damaging import vehicle_condition
from battlewright.editions.classic.scene import ClassicBattle, ModelInfo, Scene, living, standing
from battlewright.editions.classic.state import NOWHERE, ClassicState, ClassicUnit, Deed
from battlewright.editions.classic.transports import Riding, fire_points_of, may_shoot_from_aboard

__all__ = [
    "carrier_of",
    "counts_as",
    "fires_aboard",
    "firing_rows",
    "has_moved",
    "note_fire",
    "places_left",
    "places_of",
    "take_places",
    "was_fired_out_of",
]

OPEN_TOPPED = "OPEN-TOPPED"
_FIRED_OUT = " fired out of it"
_PASSENGERS = "3e.core.vehicles.open-topped-fire"


def _fired_out(row: int) -> str:
    """What a vehicle's unit has done when a passenger has fired out of it: one of its places is taken this turn."""
    return f"model {row}{_FIRED_OUT}"


def was_fired_out_of(vehicle: ClassicUnit) -> bool:
    """Whether passengers of a vehicle have fired out of it this turn."""
    return any(deed.endswith(_FIRED_OUT) for deed in vehicle.deeds)


def carrier_of(state: ClassicState, unit: int) -> int | None:
    """The row of the vehicle that a unit rides in; None for one that is on foot, or whose vehicle is not there."""
    transport = state.units[unit].embarked
    hulls = [] if transport == NOWHERE else standing(state, transport)
    return hulls[0] if hulls else None


@rule("4e.passenger-fire.over-12-none", "4e.crew-shaken.passengers-no-fire", "4e.crew-stunned.passengers-no-fire")
@rule("6e.outside.fire-points", "3e.core.vehicles.open-topped-fire")
def fires_aboard(scene: Scene, state: ClassicState, unit: int) -> Readiness:
    """How much a unit may fire out of the vehicle that it is in, by what that has done and suffered."""
    hull = carrier_of(state, unit)
    if hull is None:
        return Readiness.NONE
    vehicle = state.units[state.units[unit].embarked]
    return scene.rules.vehicles.transports.fires_aboard(
        Riding(
            condition=vehicle_condition(scene, state, hull),
            moved=vehicle.moved_distance / 1000,
            flat_out=vehicle.has(Deed.FLAT_OUT),
            rammed=vehicle.has(Deed.RAMMED),
            smoked=vehicle.has(Deed.SMOKED),
        )
    )


@rule("4e.passenger-fire.closed-number", "4e.passenger-fire.open-all", "4e.fire-points.closed-only")
def places_left(scene: Scene, state: ClassicState, transport: int) -> int:
    """How many passengers may still fire out of a vehicle this turn."""
    hulls = standing(state, transport)
    if not hulls:
        return 0
    profile = scene.models[hulls[0]].profile
    taken: int = sum(deed.endswith(_FIRED_OUT) for deed in state.units[transport].deeds)
    most = may_shoot_from_aboard(profile.keywords, len(scene.models), fire_points_of(profile.abilities))
    return max(most - taken, 0)


@rule("4e.passenger-fire.may-shoot", "3e.core.vehicles.open-topped-fire", "6e.open-topped.fire-anywhere")
def firing_rows(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The models of a unit that could fire: those on the table, or aboard of a vehicle those whom it lets fire."""
    rows = standing(state, unit)
    if rows or state.units[unit].embarked == NOWHERE:
        return rows
    if fires_aboard(scene, state, unit) is Readiness.NONE or not places_left(scene, state, state.units[unit].embarked):
        return []
    return living(state, unit)


def places_of(state: ClassicState, unit: int, rows: Sequence[int]) -> list[int]:
    """Where models of a unit fire from: their own rows, or that of the vehicle that they are in.

    RULING: 4e.passenger-fire.may-shoot range and sight of passengers are taken from the hull of their vehicle.
    """
    hull = carrier_of(state, unit)
    return list(rows) if hull is None else [hull] * bool(rows)


@rule("4e.passenger-fire.count-as-moved", "4e.passenger-fire.heavy-weapons", "6e.outside.fire-points")
def has_moved(state: ClassicState, unit: int) -> bool:
    """Whether a unit fires as having moved: it has, or the vehicle that it is in."""
    mine = state.units[unit]
    if counts_as_moved(mine):
        return True
    return bool(mine.embarked != NOWHERE and state.units[mine.embarked].moved_distance / 1000 > TOLERANCE)


@rule("4e.passenger-fire.closed-number", "6e.outside.fire-points")
def take_places(battle: ClassicBattle, unit: int, rows: Sequence[int]) -> Procedure[list[int]]:
    """The passengers who fire where not all of them can: one after the other their owner names one of each armament.

    Args:
        rows: those who have something to fire.
    """
    scene, state = battle.scene, battle.state
    waiting = list(rows)
    if carrier_of(state, unit) is None:
        return waiting
    left = places_left(scene, state, state.units[unit].embarked)
    if left >= len(waiting):
        return waiting
    taken: list[int] = []
    while len(taken) < left:
        kinds: dict[tuple[str, ...], int] = {}
        for row in waiting:
            kinds.setdefault(tuple(weapon.name for weapon in scene.models[row].weapons if not weapon.melee), row)
        row = yield from _pick(battle, unit, sorted(kinds.values(), key=lambda each: (-_might(scene, each), each)))
        waiting.remove(row)
        taken.append(row)
    return sorted(taken)


def _might(scene: Scene, row: int) -> int:
    """The Strength of a model's strongest gun, by which it is offered first."""
    model = scene.models[row]
    guns = [profile for weapon in model.weapons for profile in weapon.profiles if not profile.melee]
    return max((gun.strength.of(model.profile.strength) for gun in guns), default=0)


def _pick(battle: ClassicBattle, unit: int, rows: Sequence[int]) -> Procedure[int]:
    if len(rows) == 1:
        return rows[0]
    scene, info = battle.scene, battle.scene.units[unit]
    options = [Option(f"model:{row}", _armed(scene.models[row]), row) for row in rows]
    picked: int = yield from choose(
        Decision(
            info.side,
            "select-passenger",
            f"{info.name}: who fires out of the vehicle?",
            _PASSENGERS,
            Options(options, rule=_PASSENGERS, default=options[0].key),
            subject=info.index,
        )
    )
    return picked


def _armed(model: ModelInfo) -> str:
    return f"{model.name} with {', '.join(weapon.name for weapon in model.weapons if not weapon.melee)}"


@rule("4e.passenger-fire.counts-open-topped", "4e.passenger-fire.built-in-exempt")
def note_fire(battle: ClassicBattle, unit: int, rows: Sequence[int], *, by_own_weapons: bool) -> None:
    """Passengers have fired: their places are taken, and some vehicles are left open by that.

    Args:
        rows: those who have; ``by_own_weapons`` whether any of them by a weapon that is not built into the vehicle.
    """
    scene, state = battle.scene, battle.state
    hull, vehicle = carrier_of(state, unit), state.units[state.units[unit].embarked]
    if hull is None or not rows:
        return
    vehicle.did(*(_fired_out(row) for row in rows))
    saves = [scene.models[row].profile.save for row in living(state, unit)]
    closed = not scene.models[hull].has(OPEN_TOPPED)
    if closed and by_own_weapons and scene.rules.vehicles.transports.leaves_open(saves):
        vehicle.did(Deed.LEFT_OPEN)


@rule("4e.passenger-fire.counts-open-topped")
def counts_as(state: ClassicState, row: int) -> frozenset[str]:
    """What a vehicle counts as besides: open-topped in the enemy's turn after passengers have left it open."""
    mine = state.units[unit_in(state, row)]
    left_open = mine.side != state.turn and Deed.LEFT_OPEN in mine.deeds_before
    return frozenset({OPEN_TOPPED}) if left_open else frozenset()
