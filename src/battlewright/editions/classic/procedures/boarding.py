"""Getting into vehicles and out of them."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.procedures import joining
from battlewright.editions.classic.procedures.board import unit_gap
from battlewright.editions.classic.procedures.exits import ExitSpace, NearHatch
from battlewright.editions.classic.procedures.ground import PLACING
from battlewright.editions.classic.procedures.passengers import (
    aboard,
    hatches_of,
    leaving_of,
    transports_for,
)
from battlewright.editions.classic.procedures.stepping_out import (
    OnFoot,
    dare_the_ground,
    minds_ground,
    take_ground_test,
)
from battlewright.editions.classic.procedures.unloading import get_out
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.happenings import UnitEmbarked

__all__ = ["board", "disembark", "exit_space", "offer_boarding"]

_IN, _OUT = "3e.core.vehicles.embarking", "3e.core.vehicles.disembarking"


# -- getting in -------------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.embarking", "3e.core.vehicles.capacity")
@rule("4e.embarking.reach", "4e.embarking.vehicle-moved-first", "4e.embarking.vehicle-not-moved")
def offer_boarding(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """After its move a unit all of whose models have come to a hatch may get in.

    RULING: 3e.core.vehicles.capacity a character who gets in beside a unit has joined it.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    found = transports_for(scene, state, unit) if standing(state, unit) else []
    if not found:
        return
    options = [Option(scene.units[each].id, f"get into {scene.units[each].name}", each) for each in found]
    choices = Options([*options, Option("stay", "stay outside", None)], rule=_IN, default="stay")
    transport: int | None = yield from choose(
        Decision(info.side, "embark", f"Does {info.name} get in?", _IN, choices, subject=info.index)
    )
    if transport is not None:
        board(battle, unit, transport, _IN)


@rule("6e.ic-transport.auto-join", "6e.ic-transport.join-by-boarding")
def board(battle: ClassicBattle, unit: int, transport: int, *rules: str) -> None:
    """Put a unit into a vehicle; characters aboard join it, and a character joins the unit that is aboard."""
    scene, state = battle.scene, battle.state
    others = aboard(state, transport)
    gone = tuple(standing(state, unit))
    state.on_table[list(gone)] = False
    mine = state.units[unit]
    mine.embarked, mine.deployed = transport, True
    mine.did(Deed.EMBARKED)
    state.units[transport].did(Deed.LOADED)
    if gone:
        battle.happened(ModelsRemoved(unit=scene.units[unit].id, models=gone, why="embarked", rules=rules))
    battle.happened(UnitEmbarked(unit=scene.units[unit].id, transport=scene.units[transport].id, rules=rules))
    units = [*others, unit]
    lone = [each for each in units if _is_lone(scene, state, each)]
    squads = [each for each in units if each not in lone]
    for character in lone if squads else ():
        joining.join(battle, character, squads[0], "3e.char-units.join")


def _is_lone(scene: Scene, state: ClassicState, unit: int) -> bool:
    rows = living(state, unit)
    return len(rows) == 1 and scene.models[rows[0]].profile.is_independent


# -- getting out ------------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.disembarking")
@rule("4e.disembarking.placement", "4e.disembarking.enemy-blocks-exit", "4e.access-points.within-two")
@rule("6e.disembark-placement.forbidden-spots", "6e.disembark-placement.move-within-six")
@rule("6e.disembark-placement.whole-unit-coherent", "6e.disembark-placement.start-at-access-point")
@rule("6e.disembark-placement.flying-stand", "6e.disembark-placement.terrain-tests")
def exit_space(
    scene: Scene, state: ClassicState, unit: int, *, on_foot: bool = False, allowed: float | None = None
) -> ExitSpace:
    """Where a unit may be placed that gets out of the vehicle that it is in: at its hatches, in formation, 1" from
    enemies.

    Args:
        on_foot: whether difficult terrain counts; ``allowed`` inches of a terrain test that has been taken.

    RULING: 6e.disembark-placement.flying-stand distances to hatches are measured on the plan, so that a model reaches a
    hatch above the table.
    """
    hull = standing(state, state.units[unit].embarked)[0]
    near = _at_hatches(scene, state, hull)
    besides = (OnFoot(near.points, hull, allowed),) if on_foot else ()
    return ExitSpace(scene, state, unit, living(state, unit), hull, near, _OUT, besides)


def _at_hatches(scene: Scene, state: ClassicState, hull: int) -> NearHatch:
    rules = scene.rules.vehicles.transports
    points = tuple(hatches_of(scene, state, hull) or ())
    return NearHatch(points, hull, rules.exit_reach, rules.exit_wholly)


@rule("3e.core.vehicles.disembarking", "3e.core.assault.from-a-transport")
@rule("4e.disembarking.shoot-after", "4e.disembarking.after-move-no-move", "4e.disembarking.before-move-free")
@rule("6e.disembark-timing.window", "6e.disembark-timing.vehicle-moves-afterwards")
def disembark(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """Let a unit out; whether it may still move depends on whether the vehicle has. Without room for it, it stays."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine, leaving = state.units[unit], leaving_of(scene, state, unit)
    rules, hull = scene.rules.vehicles.transports, standing(state, mine.embarked)[0]
    minded = rules.exit_is_move and minds_ground(scene, state, unit, hull, rules.exit_reach)
    space = exit_space(scene, state, unit, on_foot=minded)
    if minded and (space.found.moves or exit_space(scene, state, unit).found.moves):
        allowed = yield from take_ground_test(battle, unit, dry=bool(space.found.moves))
        space = exit_space(scene, state, unit, on_foot=True, allowed=allowed)
    if rules.emergency and not space.found.moves:
        yield from _emergency(battle, unit)
        return
    placement = yield Decision(
        info.side, "disembark", f"{info.name} gets out: place it at the hatches", _OUT, space, subject=info.index
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        mine.acted = True
        return
    get_out(battle, unit, placement, "out", _OUT)
    if rules.exit_is_move:
        hatches = tuple(hatches_of(scene, state, hull) or ())
        yield from dare_the_ground(battle, unit, space.ending(placement), hatches, hull)
    mine.did(*rules.deeds_of_disembarking(leaving))
    still, _ = rules.moves_after_disembarking(leaving.moved)
    mine.acted, mine.moved = not still, True
    _settle_parting(battle, unit)


@rule("6e.emergency-disembarkation.trigger", "6e.emergency-disembarkation.any-hull-point")
@rule("6e.emergency-disembarkation.impossible", "6e.emergency-disembarkation.no-voluntary-actions")
def _emergency(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """Where no hatch can be used the unit may get out over any part of the hull, and does nothing more this turn; if
    not all of it finds a place it stays inside."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine, rule_id = state.units[unit], "6e.emergency-disembarkation.trigger"
    mine.acted = True
    hull = standing(state, mine.embarked)[0]
    rules = scene.rules.vehicles.transports
    near = NearHatch((), hull, rules.exit_reach, rules.exit_wholly, rule_id)
    space = ExitSpace(scene, state, unit, living(state, unit), hull, near, rule_id)
    if not space.found.moves:
        return
    options = [Option("out", "get out in an emergency", True), Option("stay", "stay inside", False)]
    leaves: bool = yield from choose(
        Decision(
            info.side,
            "emergency",
            f"{info.name} cannot use a hatch: does it get out in an emergency?",
            rule_id,
            Options(options, rule=rule_id, default="stay"),
            subject=info.index,
        )
    )
    if not leaves:
        return
    placement = yield Decision(
        info.side, "disembark", f"{info.name} gets out over the hull", rule_id, space, subject=info.index
    )
    assert isinstance(placement, Place)
    leaving = leaving_of(scene, state, unit)
    get_out(battle, unit, placement, "emergency", rule_id)
    mine.did(Deed.EMERGENCY, *rules.deeds_of_disembarking(leaving))
    mine.moved = True


@rule("6e.ic-transport.split-outside", "6e.ic-transport.leave-together", "6e.ic-transport.split-by-staying")
def still_one_unit(gap: float) -> bool:
    """Whether a unit and a character who have got out in the same turn are one unit still: within 2" of each other."""
    return within(gap, PLACING.closeness.near)


def _settle_parting(battle: ClassicBattle, unit: int) -> None:
    """Where the edition says so, who got out of one vehicle and ended near each other are one unit."""
    scene, state = battle.scene, battle.state
    if not scene.rules.vehicles.transports.parts_outside:
        return
    outside = [
        each
        for each, mine in enumerate(state.units)
        if mine.side == state.turn and mine.has(Deed.DISEMBARKED) and standing(state, each)
    ]
    lone = [each for each in outside if joining.is_lone_character(scene, state, each)]
    for character in lone:
        for other in outside:
            near = unit in (character, other) and other not in lone
            if near and still_one_unit(unit_gap(scene, state, character, other)):
                joining.join(battle, character, other, "6e.ic-transport.split-outside")
                break
