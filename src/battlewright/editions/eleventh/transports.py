"""Transports (18): embarking, disembarking, and what becomes of passengers whose transport is destroyed."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.eleventh import acting, damage, moves
from battlewright.editions.eleventh.abilities.in_force import permits
from battlewright.editions.eleventh.abilities.language import Permit
from battlewright.editions.eleventh.beside import BesideSpace, EmergencySpace
from battlewright.editions.eleventh.conditions import Condition, Unengaged, WhollyWithinReach
from battlewright.editions.eleventh.engagement import engaged_units
from battlewright.editions.eleventh.events import UnitDisembarked
from battlewright.editions.eleventh.measuring import distances
from battlewright.editions.eleventh.passengers import aboard, board, has_room_for, is_aboard, is_transport
from battlewright.editions.eleventh.reserves import arrival_conditions
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing
from battlewright.editions.eleventh.state import NOBODY, EleventhState, MoveKind

__all__ = [
    "Mode",
    "disembark",
    "disembark_mode",
    "disembark_space",
    "embark",
    "embarkable",
    "emergency_disembark",
    "may_disembark",
]

EMBARK: Final = 3.0
"""Inches from the transport within which each model has to be to embark (18.02)."""


class Mode(StrEnum):
    """The modes of disembarking (18.04 to 18.07)."""

    RAPID = "rapid"
    TACTICAL = "tactical"
    COMBAT = "combat"
    EMERGENCY = "emergency"
    ASSAULT = "assault"
    SHOCK = "shock"

    @property
    def distance(self) -> float:
        """Inches from the transport within which each model is set up wholly."""
        return 6.0 if self in (Mode.COMBAT, Mode.EMERGENCY) else 3.0

    @property
    def rule_id(self) -> str:
        """The rule that the mode comes from."""
        return f"11e.core.{_RULES[self]}"


_RULES: Final = {
    Mode.RAPID: "18.04-rapid",
    Mode.TACTICAL: "18.04-tactical",
    Mode.COMBAT: "18.04-combat",
    Mode.EMERGENCY: "18.05-emergency",
    Mode.ASSAULT: "18.06-assault-disembark",
    Mode.SHOCK: "18.07-shock-disembark",
}
_MAY_CHARGE: Final = (Mode.TACTICAL, Mode.ASSAULT)


# -- embarking (18.02) -------------------------------------------------------------------------------------------


@rule("11e.core.18.02-embark", "11e.core.18.02-not-after-scouting")
def embarkable(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """The transports that a unit may embark in after the move it has made (18.02)."""
    mine = state.units[unit]
    rows = standing(state, unit)
    moved = mine.moved_as in (MoveKind.NORMAL, MoveKind.ADVANCE, MoveKind.FALL_BACK)
    if not rows or not moved or mine.set_up_this_turn:
        return []
    found = []
    for other in scene.units_of(mine.side):
        if not is_transport(scene, other.index) or not has_room_for(scene, state, other.index, unit):
            continue
        carriers = standing(state, other.index)
        if carriers and (distances(scene, state, rows, carriers).min(axis=1) <= EMBARK + TOLERANCE).all():
            found.append(int(other.index))
    return found


@rule("11e.core.18.02-embark")
def embark(battle: Battle11, unit: int) -> Procedure[None]:
    """After a move: let the unit embark where it can (18.02)."""
    scene, info = battle.scene, battle.scene.units[unit]
    carriers = embarkable(scene, battle.state, unit)
    if not carriers:
        return
    rule_id = "11e.core.18.02-embark"
    options = [Option(scene.units[each].id, f"embark in {scene.units[each].name}", each) for each in carriers]
    choices = Options([*options, Option("stay", "stay on the battlefield", None)], rule=rule_id)
    carrier: int | None = yield from choose(
        Decision(info.side, "embark", f"Does {info.name} embark?", rule_id, choices, subject=info.index)
    )
    if carrier is not None:
        battle.state.units[unit].embarked = True
        board(battle, unit, carrier, rule_id)


# -- disembarking (18.04, 18.06, 18.07) --------------------------------------------------------------------------


@rule("11e.core.18.04-disembark", "11e.core.18.07-shock-disembark")
def may_disembark(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether a unit aboard may be selected to disembark in its own Movement phase (18.04).

    It has not embarked this phase, and its transport is on the battlefield and has neither advanced, unless a rule lets
    passengers out after that, nor fallen back.
    """
    mine = state.units[unit]
    if not is_aboard(state, unit) or mine.embarked or mine.side != state.turn or not living(state, unit):
        return False
    carrier = state.units[mine.embarked_in]
    if not standing(state, mine.embarked_in) or carrier.moved_as == MoveKind.FALL_BACK:
        return False
    if carrier.moved_as != MoveKind.ADVANCE or carrier.shock_disembark:
        return True
    return permits(scene, state, mine.embarked_in, Permit.SHOCK_DISEMBARK)


@rule(
    "11e.core.18.04-rapid",
    "11e.core.18.04-tactical",
    "11e.core.18.04-combat",
    "11e.core.18.06-assault-disembark",
    "11e.core.18.07-shock-disembark",
    "11e.core.09-modes-in-order",
)
def disembark_mode(scene: Scene, state: EleventhState, unit: int) -> Mode | None:
    """The first mode in the printed order that fits, None where there is no room by any (18.04)."""
    index = state.units[unit].embarked_in
    carrier = state.units[index]
    if carrier.moved_as in (MoveKind.NORMAL, MoveKind.INGRESS):
        allowed = carrier.assault_disembark or permits(scene, state, index, Permit.ASSAULT_DISEMBARK)
        modes = [Mode.ASSAULT if allowed and carrier.moved_as == MoveKind.NORMAL else Mode.RAPID]
    elif carrier.moved_as == MoveKind.ADVANCE:
        modes = [Mode.SHOCK]
    else:
        modes = [Mode.TACTICAL, Mode.COMBAT]
    return next((mode for mode in modes if disembark_space(scene, state, unit, mode).found.moves), None)


@rule(
    "11e.core.18.04-disembark",
    "11e.core.18.04-rapid",
    "11e.core.18.04-tactical",
    "11e.core.18.04-combat",
    "11e.core.03.02-oversized-disembark",
)
def disembark_space(scene: Scene, state: EleventhState, unit: int, mode: Mode) -> BesideSpace:
    """Where a unit may be set up when it disembarks (18.04).

    Unengaged, but that in a combat disembark its models may be engaged with those that the transport is engaged with;
    and after an ingress by the limits of the transport's.
    """
    carrier = state.units[unit].embarked_in
    hubs = tuple(standing(state, carrier))
    allowed = engaged_units(scene, state, carrier) if mode is Mode.COMBAT else frozenset()
    after: list[Condition] = [
        WhollyWithinReach(hubs, mode.distance, mode.rule_id),
        Unengaged("11e.core.03.02-set-up", but_for=allowed),
    ]
    if mode is Mode.RAPID and state.units[carrier].moved_as == MoveKind.INGRESS:
        after += arrival_conditions(scene, state, carrier)
    return BesideSpace(
        scene, state, unit, rule="11e.core.18.04-disembark", hubs=hubs, distance=mode.distance, after=after
    )


@rule("11e.core.18.04-disembark", "11e.core.18.04-rapid", "11e.core.18.04-combat", "11e.core.03.02-set-up-whole")
def disembark(battle: Battle11, unit: int) -> Procedure[Mode | None]:
    """Let a unit out; returns the mode, None where there was no room for it (18.04).

    A combat disembark begins with a hazard roll for each model. What follows a tactical one is the caller's.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mode = disembark_mode(scene, state, unit)
    if mode is None:
        return None
    if mode is Mode.COMBAT:
        yield from damage.hazard_rolls(battle, unit, len(living(state, unit)))
        if not living(state, unit) or not standing(state, state.units[unit].embarked_in):
            return mode
    placement = yield Decision(
        info.side,
        "disembark-move",
        f'Set up {info.name} wholly within {mode.distance:g}" of its transport ({mode} disembark)',
        mode.rule_id,
        disembark_space(scene, state, unit, mode),
        subject=info.index,
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        return None
    _leave(battle, unit, placement, mode)
    return mode


@rule(
    "11e.core.18.04-rapid",
    "11e.core.18.04-combat",
    "11e.core.18.05-emergency",
    "11e.core.18.06-assault-disembark",
    "11e.core.18.07-shock-disembark",
)
def _leave(battle: Battle11, unit: int, placement: Place, mode: Mode) -> None:
    """Carry a disembark out: who may not charge, who is battle-shocked."""
    scene, mine = battle.scene, battle.state.units[unit]
    carrier = scene.units[mine.embarked_in].id
    mine.embarked_in, mine.deployed = NOBODY, True
    battle.happened(
        UnitDisembarked(unit=scene.units[unit].id, transport=carrier, how=mode.value, rules=(mode.rule_id,))
    )
    moves.carry_out(battle, unit, placement, MoveKind.DISEMBARK, mode.rule_id)
    if mode not in _MAY_CHARGE:
        mine.may_not_charge = True
    if mode in (Mode.COMBAT, Mode.EMERGENCY):
        acting.shock(battle, unit, mode.rule_id)


# -- emergency (18.05) -------------------------------------------------------------------------------------------


@rule("11e.core.18.05-emergency", "11e.core.18-deadly-demise-after", "11e.24.08-deadly-demise.after-disembark")
def emergency_disembark(battle: Battle11, row: int) -> Procedure[None]:
    """When a transport's last model is destroyed, before it is removed, its passengers get out (18.05).

    RULING: 11e.core.18.05-emergency several units get out in the order of the list.
    """
    state = battle.state
    carrier = battle.scene.models[row].unit
    if living(state, carrier):
        return
    for unit in aboard(state, carrier):
        yield from _emergency(battle, unit, row)


@rule("11e.core.18.05-emergency", "11e.core.18.05-no-room")
def _emergency(battle: Battle11, unit: int, row: int) -> Procedure[None]:
    """One hazard roll for each model, then the set-up; who finds no place is destroyed."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    yield from damage.hazard_wounds(battle, unit, len(living(state, unit)))
    rule_id = Mode.EMERGENCY.rule_id
    placed: set[int] = set()
    if living(state, unit):
        space = EmergencySpace(
            scene,
            state,
            unit,
            rule=rule_id,
            hubs=(row,),
            distance=Mode.EMERGENCY.distance,
            after=(WhollyWithinReach((row,), Mode.EMERGENCY.distance, rule_id),),
        )
        prompt = f'Set up {info.name} wholly within 6" of its destroyed transport, as close as possible'
        placement = yield Decision(info.side, "emergency-disembark", prompt, rule_id, space, subject=info.index)
        assert isinstance(placement, Place)
        placed = {move.model for move in placement.moves}
        _leave(battle, unit, placement, Mode.EMERGENCY)
    state.units[unit].embarked_in = NOBODY
    for left in living(state, unit):
        if left not in placed:
            damage.lose_wounds(battle, left, int(state.wounds[left]), "no-room", "11e.core.18.05-no-room")
