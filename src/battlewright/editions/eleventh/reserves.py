"""Strategic reserves (20), Deep Strike (24.09), and AIRCRAFT that come and go (23.01)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from battlewright.core.bases import Base, Polygon
from battlewright.core.battle import Procedure
from battlewright.core.decisions import Decision, Place, Side, opponent
from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import acting, bookkeeping, moves
from battlewright.editions.eleventh.abilities.in_force import arrival_denied, profile_in_force
from battlewright.editions.eleventh.conditions import (
    Condition,
    FarFromEnemies,
    FarFromThese,
    OutsideOf,
    TouchesEdge,
    WhollyWithin,
)
from battlewright.editions.eleventh.core_abilities import ENEMY_DISTANCE, every_model_has
from battlewright.editions.eleventh.datasheet import CoreAbilityName
from battlewright.editions.eleventh.events import UnitDestroyed, UnitInReserves
from battlewright.editions.eleventh.passengers import aboard, is_aboard
from battlewright.editions.eleventh.placed import Box
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing
from battlewright.editions.eleventh.setting_up import SetUpSpace, zones_of
from battlewright.editions.eleventh.state import EleventhState, MoveKind, Phase

__all__ = [
    "FIRST_ROUND",
    "STRIP",
    "aircraft_leave",
    "arrival_conditions",
    "destroy_reserves",
    "in_reserves",
    "ingress",
    "ingress_space",
    "is_aircraft",
    "is_held_at_edge",
    "is_kept_from_moves",
    "may_ingress",
    "points_limit",
    "reposition",
    "reserves_limit",
]

FIRST_ROUND: Final = 2
"""The battle round from which units arrive (20.03)."""
STRIP: Final = 6.0
"""Inches from an edge of the battlefield within which a unit arrives (20.04)."""
_LAST_TO_ARRIVE: Final = 3
_ZONE_CLOSED_UNTIL: Final = 2
_STEP: Final = 500


def is_aircraft(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit is AIRCRAFT: a living model of it is."""
    return any(scene.models[row].has("AIRCRAFT") for row in living(state, unit))


def in_reserves(state: EleventhState, unit: int) -> bool:
    """Whether the unit is in reserves: itself, or aboard of a transport that is."""
    mine = state.units[unit]
    return mine.in_reserves or (is_aboard(state, unit) and state.units[mine.embarked_in].in_reserves)


# -- declaring (20.01) -------------------------------------------------------------------------------------------


def points_limit(scene: Scene) -> int:
    """The points that the battle is played at.

    RULING: 11e.core.20.01-declaring an army list does not say what limit it was made for; we take the larger army's
    points, rounded up to the next 500.
    """
    most = max(max(army.points, sum(unit.points for unit in army.units)) for army in scene.header.armies)
    return -(-most // _STEP) * _STEP


@rule("11e.core.20.01-declaring")
def reserves_limit(scene: Scene) -> float:
    """Points of units that a player may declare in reserves: half of the points limit (20.01)."""
    return points_limit(scene) / 2


# -- arriving (20.03, 20.04, 24.09) -------------------------------------------------------------------------------


@rule("11e.core.20.03-arriving", "11e.core.20.03-not-back-in-round-one", "11e.core.09-reinforcements-step")
def may_ingress(state: EleventhState, unit: int) -> bool:
    """Whether a unit in reserves may make an ingress move: from the second round on (20.03).

    That keeps units repositioned in the first round away until the second, too.
    """
    return state.units[unit].in_reserves and state.round >= FIRST_ROUND and bool(living(state, unit))


def is_oversized(base: Base) -> bool:
    """Whether a base has no room in the strip in which units arrive, however it is turned."""
    return base.width > STRIP + 1e-9 and base.length > STRIP + 1e-9


@rule("11e.core.20.04-ingress", "11e.core.20.04-deep-strike", "11e.core.03.02-oversized-reserves")
def arrival_conditions(scene: Scene, state: EleventhState, unit: int) -> tuple[Condition, ...]:
    """What a unit's arrival, and that of its passengers, has to hold to (20.04, 24.09, 03.02)."""
    denied = arrival_denied(scene, state, state.units[unit].side)
    kept = (FarFromThese(rows, inches, ability, "11e.core.22.01-aura") for rows, inches, ability in denied)
    return (*_own_conditions(scene, state, unit), *kept)


def _own_conditions(scene: Scene, state: EleventhState, unit: int) -> tuple[Condition, ...]:
    profiles = [profile_in_force(scene, state, row) for row in living(state, unit)]
    if every_model_has(profiles, CoreAbilityName.DEEP_STRIKE):
        return (FarFromEnemies(ENEMY_DISTANCE, "11e.24.09-deep-strike.more-than-eight"),)
    rule_id = "11e.core.20.04-ingress"
    found: list[Condition] = [FarFromEnemies(ENEMY_DISTANCE, rule_id)]
    if any(is_oversized(scene.models[row].base) for row in living(state, unit)):
        found = [FarFromEnemies(ENEMY_DISTANCE, rule_id), TouchesEdge("11e.core.03.02-oversized-reserves")]
    else:
        found.append(WhollyWithin(_strips(scene), f'{STRIP:g}" of an edge of the battlefield', rule_id))
    if state.round <= _ZONE_CLOSED_UNTIL:
        _, enemy_zone = zones_of(scene, state, state.units[unit].side)
        found.append(OutsideOf(enemy_zone, "the opponent's deployment zone", rule_id))
    return tuple(found)


def _strips(scene: Scene) -> tuple[Polygon, ...]:
    return tuple(((a, b), (c, b), (c, d), (a, d)) for a, b, c, d in _strip_boxes(scene))


def _strip_boxes(scene: Scene) -> tuple[Box, ...]:
    w, h = scene.battlefield.width, scene.battlefield.height
    return (0.0, 0.0, STRIP, h), (w - STRIP, 0.0, w, h), (0.0, 0.0, w, STRIP), (0.0, h - STRIP, w, h)


@rule(
    "11e.core.20.04-ingress",
    "11e.core.20.04-deep-strike",
    "11e.24.09-deep-strike.ingress-anywhere",
    "11e.24.09-deep-strike.every-model",
    "11e.24.09-deep-strike.enemy-zone-allowed",
    "11e.24.09-deep-strike.more-than-eight",
)
def ingress_space(scene: Scene, state: EleventhState, unit: int) -> SetUpSpace:
    """Where a unit may arrive: in the strips along the edges, with Deep Strike anywhere, far from enemies (20.04).

    The default stands as near to the own deployment zone as may be.
    """
    table = scene.battlefield
    after = arrival_conditions(scene, state, unit)
    in_strips = any(isinstance(each, WhollyWithin) for each in after)
    zone, _ = zones_of(scene, state, state.units[unit].side)
    return SetUpSpace(
        scene,
        state,
        unit,
        rule="11e.core.20.04-ingress",
        region=(0.0, 0.0, table.width, table.height),
        strips=_strip_boxes(scene) if in_strips else (),
        near=(sum(x for x, _ in zone) / len(zone), sum(y for _, y in zone) / len(zone)),
        after=after,
        kind=MoveKind.INGRESS,
    )


@rule("11e.core.20.04-ingress", "11e.core.20.04-after-ingress", "11e.core.03.02-set-up-whole")
def ingress(battle: Battle11, unit: int) -> Procedure[bool]:
    """Set the unit up from reserves; returns whether there was room for it (20.04, 03.02).

    Afterwards it makes no other move until the next Charge phase. A model too large for the strips neither shoots nor
    charges this turn, unless it is AIRCRAFT.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    placement = yield Decision(
        info.side,
        "ingress-move",
        f"Set up {info.name} from reserves",
        "11e.core.20.04-ingress",
        ingress_space(scene, state, unit),
        subject=info.index,
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        return False
    moves.carry_out(battle, unit, placement, MoveKind.INGRESS, "11e.core.20.04-ingress")
    mine = state.units[unit]
    mine.in_reserves, mine.deployed, mine.has_ingressed = False, True, True
    if _is_oversized_arrival(scene, state, unit):
        mine.may_not_charge = mine.may_not_shoot = True
    return True


@rule("11e.core.03.02-oversized-reserves")
def _is_oversized_arrival(scene: Scene, state: EleventhState, unit: int) -> bool:
    conditions = arrival_conditions(scene, state, unit)
    return any(isinstance(each, TouchesEdge) for each in conditions) and not is_aircraft(scene, state, unit)


@rule("11e.core.03.02-oversized-deployment")
def is_held_at_edge(state: EleventhState, unit: int) -> bool:
    """Whether the unit was too large for its zone and therefore neither moves, charges nor shoots in its first turn."""
    return state.units[unit].is_oversized and state.round == 1


@rule("11e.core.20.04-after-ingress", "11e.core.23.01-reserves")
def is_kept_from_moves(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit makes no move that some rule would let it make: AIRCRAFT never do, and who has made an ingress
    move in this turn does not until the next Charge phase begins (20.04, 23.01)."""
    arrived = state.units[unit].moved_as == MoveKind.INGRESS and state.phase in (Phase.MOVEMENT, Phase.SHOOTING)
    return arrived or is_aircraft(scene, state, unit)


# -- leaving (20.02, 23.01) ---------------------------------------------------------------------------------------


@rule("11e.core.20.02-repositioned", "11e.core.01.10-durations-run-on", "11e.core.mission.leaving-the-battlefield")
def reposition(battle: Battle11, unit: int, why: str = "repositioned", *rules: str) -> None:
    """Put a unit that is on the battlefield, with all aboard of it, into reserves (20.02).

    What it has done this turn and what affects it stays in its state.
    """
    state, info = battle.state, battle.scene.units[unit]
    rows = tuple(standing(state, unit))
    state.on_table[list(rows)] = False
    mine = state.units[unit]
    mine.in_reserves = mine.repositioned = True
    acting.fail(battle, unit, "left")
    bookkeeping.note_left(state, unit)
    rules = rules or ("11e.core.20.02-repositioned",)
    if rows:
        battle.happened(ModelsRemoved(unit=info.id, models=rows, why=why, rules=rules))
    battle.happened(UnitInReserves(unit=info.id, why=why, rules=rules))


@rule("11e.core.23.01-reserves")
def aircraft_leave(battle: Battle11) -> None:
    """At the end of a turn all AIRCRAFT of the opponent of its player go back into reserves (23.01)."""
    scene, state = battle.scene, battle.state
    for unit in scene.units_of(opponent(state.turn)):
        if standing(state, unit.index) and is_aircraft(scene, state, unit.index):
            reposition(battle, unit.index, "aircraft", "11e.core.23.01-reserves")


# -- never arriving (20.05) ---------------------------------------------------------------------------------------


def _left_in_reserves(battle: Battle11, side: Side) -> list[int]:
    state = battle.state
    return [unit.index for unit in battle.scene.units_of(side) if state.units[unit.index].in_reserves]


@rule("11e.core.20.05-end-of-round-three", "11e.core.20.05-end-of-battle")
def destroy_reserves(battle: Battle11, sides: Sequence[Side], *, all_of_them: bool) -> None:
    """Destroy the units in reserves that never arrived, and whoever is aboard of them; it triggers nothing (20.05).

    RULING: 11e.core.20.05-end-of-round-three a passenger's transport decides for it, since both are in reserves
    together.

    Args:
        all_of_them: also those that have arrived before or were repositioned (at the end of the battle).
    """
    state = battle.state
    rule_id = "11e.core.20.05-end-of-battle" if all_of_them else "11e.core.20.05-end-of-round-three"
    for side in sides:
        for unit in _left_in_reserves(battle, side):
            mine = state.units[unit]
            if all_of_them or not (mine.has_ingressed or mine.repositioned):
                for each in (*aboard(state, unit), unit):
                    destroy_unit(battle, each, rule_id)


def is_last_round_to_arrive(state: EleventhState) -> bool:
    """Whether what is in reserves at the end of this round, and never arrived, is lost (20.05)."""
    return state.round == _LAST_TO_ARRIVE


def destroy_unit(battle: Battle11, unit: int, *rules: str) -> None:
    """Destroy a unit that is off the battlefield without anything being triggered."""
    state, info = battle.state, battle.scene.units[unit]
    if not living(state, unit):
        return
    mine = state.units[unit]
    state.wounds[list(mine.models)] = 0
    mine.in_reserves = False
    battle.happened(UnitDestroyed(unit=info.id, by="", rules=rules))
