"""Who may be aboard of what (18.01): capacity, allowed passengers, and who is aboard now."""

from __future__ import annotations

from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import acting, bookkeeping
from battlewright.editions.eleventh.events import UnitEmbarked
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.scene import Battle11, Scene, living
from battlewright.editions.eleventh.state import NOBODY, EleventhState

__all__ = [
    "aboard",
    "board",
    "capacity",
    "has_room_for",
    "is_aboard",
    "is_dedicated",
    "is_transport",
    "may_carry",
    "models_aboard",
]


def is_transport(scene: Scene, unit: int) -> bool:
    """Whether the unit can carry anybody."""
    return any(scene.models[row].transport is not None for row in scene.units[unit].rows)


def is_dedicated(scene: Scene, unit: int) -> bool:
    """Whether the unit is a DEDICATED TRANSPORT."""
    return any(scene.models[row].has("DEDICATED TRANSPORT") for row in scene.units[unit].rows)


def is_aboard(state: EleventhState, unit: int) -> bool:
    """Whether the unit is aboard of a transport."""
    return state.units[unit].embarked_in != NOBODY


def aboard(state: EleventhState, transport: int) -> list[int]:
    """The units aboard of a transport that have living models, in the order of the list."""
    return [
        unit
        for unit, each in enumerate(state.units)
        if each.embarked_in == transport and any(state.wounds[row] > 0 for row in each.models)
    ]


def models_aboard(state: EleventhState, transport: int) -> list[int]:
    """Rows of the living models aboard of a transport."""
    return [row for unit in aboard(state, transport) for row in living(state, unit)]


@rule("11e.core.18.01-capacity")
def capacity(scene: Scene, state: EleventhState, transport: int) -> int:
    """How many models the living models of a transport unit carry (18.01)."""
    carriers = (scene.models[row].transport for row in living(state, transport))
    return sum(each.capacity for each in carriers if each is not None)


@rule("11e.core.18.01-capacity")
def may_carry(scene: Scene, transport: int, unit: int) -> bool:
    """Whether each model of a unit is an allowed passenger of a transport of its own side (18.01).

    RULING: 11e.core.18.01-capacity every model takes one place; where data names no allowed passengers we take
    INFANTRY, and no transport carries a transport.
    """
    own, other = scene.units[transport], scene.units[unit]
    if own.side != other.side or transport == unit or is_transport(scene, unit):
        return False
    carriers = [each for row in own.rows if (each := scene.models[row].transport) is not None]
    if not carriers:
        return False
    first = carriers[0]
    for row in other.rows:
        keywords = scene.models[row].profile.keywords
        if first.only and not keywords_match("/".join(first.only), keywords):
            return False
        if first.not_for and keywords_match("/".join(first.not_for), keywords):
            return False
    return True


@rule("11e.core.18.01-capacity")
def has_room_for(scene: Scene, state: EleventhState, transport: int, unit: int) -> bool:
    """Whether a transport carries such a unit and has places left for all its living models."""
    if not may_carry(scene, transport, unit):
        return False
    taken = len(models_aboard(state, transport))
    return taken + len(living(state, unit)) <= capacity(scene, state, transport)


@rule("11e.core.mission.leaving-the-battlefield")
def board(battle: Battle11, unit: int, transport: int, *rules: str) -> None:
    """Put a unit aboard; what it leaves on the battlefield is nothing."""
    state, scene = battle.state, battle.scene
    rows = tuple(row for row in state.units[unit].models if state.on_table[row])
    state.on_table[list(rows)] = False
    state.units[unit].embarked_in = transport
    acting.fail(battle, unit, "left")
    if rows:
        bookkeeping.note_left(state, unit)
        battle.happened(ModelsRemoved(unit=scene.units[unit].id, models=rows, why="embarked", rules=rules))
    battle.happened(UnitEmbarked(unit=scene.units[unit].id, transport=scene.units[transport].id, rules=rules))
