"""Tank shock: a tank drives straight into enemies, who flee, step aside, or stand and strike at it."""

from __future__ import annotations

from dataclasses import dataclass, field

from battlewright.core.bases import Pose
from battlewright.core.battle import Procedure
from battlewright.core.decisions import Decision, ModelMove, Place
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.procedures.accidents import dare_vehicle, up_to_terrain
from battlewright.editions.classic.procedures.board import enemies_on_table, in_combat, pose_of
from battlewright.editions.classic.procedures.crossing import crossings_of
from battlewright.editions.classic.procedures.driving import (
    DriveSpace,
    Meeting,
    Way,
    along,
    may_turn,
    meetings,
    stops_by_ground,
    way_of,
)
from battlewright.editions.classic.procedures.glory import offer_glory, stands_and_strikes
from battlewright.editions.classic.procedures.ground import barring_wrecks, is_squadron_vehicle
from battlewright.editions.classic.procedures.making_way import Track, make_way
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.procedures.nerve import losses_modifiers, passes_without_roll, take_morale_test
from battlewright.editions.classic.procedures.ramming import collide
from battlewright.editions.classic.procedures.retreat import fall_back
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.special_rules import Test
from battlewright.editions.classic.state import ClassicState, Deed, MoveKind
from battlewright.editions.classic.tank_shock import (
    holds_its_ground,
    shocked_units,
    stops_at,
    why_no_death_or_glory,
)
from battlewright.editions.classic.vehicles import is_walker

__all__ = ["drive_space", "may_tank_shock", "tank_shock"]

_RULE = "3e.core.vehicles.tank-shock"


@dataclass(slots=True)
class _Drive:
    """A drive while it goes on.

    Attributes:
        row: the tank; ``unit`` its unit; ``start`` where it stood when it had turned.
        inches: how far it would still go in all; ``at`` how far it has come; ``rams`` whether into vehicles.
        met: units that have been dealt with; ``held`` those of them that have held their ground.
    """

    row: int
    unit: int
    start: Pose
    inches: float
    at: float = 0.0
    rams: bool = False
    met: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)


@rule("3e.core.vehicles.tank-shock")
@rule("6e.tank-shock.declare", "6e.tank-shock-limits.no-shock-after-transfer")
@rule("6e.disembark-timing.no-tank-shock-or-ram", "4e.skimmers-assault.skimmer-tank-shock")
def may_tank_shock(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit that may move may drive into enemies instead: all its vehicles are tanks."""
    rows = standing(state, unit)
    mine = state.units[unit]
    if not rows or not enemies_on_table(scene, state, scene.units[unit].side):
        return False
    if not scene.rules.flight.meets_drives(mine.aloft):
        return False
    why = scene.rules.vehicles.tank_shock.why_no_tank_shock
    transfers = mine.has(Deed.LOADED) or mine.has(Deed.UNLOADED)
    return all(not why(scene.models[row].profile.keywords, transferred=transfers) for row in rows)


@rule("6e.tank-shock.minimum-speed", "6e.ram.cruising-speed")
@rule("6e.tank-shock.not-against-locked")
def drive_space(scene: Scene, state: ClassicState, row: int, most: float, *, ram: bool = False) -> DriveSpace:
    """How a tank may drive; whoever rams goes further than at combat speed."""
    rules = scene.rules.vehicles.tank_shock
    more_than = rules.ram.more_than if ram and rules.ram is not None else rules.more_than
    return DriveSpace(scene, state, row, most, (_RULE, _RULE, _RULE), more_than)


@rule("3e.core.vehicles.tank-shock")
@rule("4e.tank-shock.declare", "4e.tank-shock.reach-check", "4e.tank-shock.not-reached")
@rule("4e.squadron-movement.tank-shock", "4e.squadron-movement.tank-shock-order")
@rule("6e.tank-shock.aim-and-distance", "6e.tank-shock.straight")
@rule("6e.tank-shock.nothing-hit")
def tank_shock(battle: ClassicBattle, unit: int, most: float, *, ram: bool = False) -> Procedure[None]:
    """A tank is driven straight ahead as its owner declares; the tanks of a squadron side by side, one after another.

    Args:
        most: inches that it may drive.
        ram: whether it goes for vehicles, too.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    rows = standing(state, unit)
    space = drive_space(scene, state, rows[0], most, ram=ram)
    placement = yield Decision(
        info.side, "tank-shock", f"{info.name}: turn, and drive straight ahead", _RULE, space, subject=info.index
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        return
    state.units[unit].did(Deed.TANK_SHOCKED, *((Deed.RAMMED,) if ram else ()))
    start, inches = way_of(pose_of(state, rows[0]), placement.moves[0].path[0])
    held: set[int] = set()
    for row in rows:
        here = pose_of(state, row)
        turned = Pose(here.x, here.y, here.z, start.facing)
        drive = _Drive(row, unit, turned, inches, rams=ram, held=held)
        if row != rows[0] and not may_turn(scene, state, row, turned):
            continue
        yield from _drive(battle, drive)


@rule("6e.tank-shock.through-enemies-not-friends", "6e.tank-shock.stop-one-inch")
@rule("6e.tank-shock.continues", "6e.ram.not-buildings")
def _drive(battle: ClassicBattle, drive: _Drive) -> Procedure[None]:
    """One tank from its start to where it stops, everybody whom it meets in turn."""
    scene, state = battle.scene, battle.state
    drive.inches = stops_at(drive.inches, [_before_the_ground(scene, state, drive)])
    alive = yield from _through_terrain(battle, drive)
    while alive:
        meeting = _next(scene, state, drive)
        if meeting is None:
            break
        drive.met.add(meeting.unit)
        if drive.rams and meeting.what is Way.VEHICLE:
            if not (yield from _ram(battle, drive, meeting)):
                return
            continue
        if _is_stopped(scene, state, drive, meeting):
            short = max(drive.at, meeting.inches - scene.rules.vehicles.tank_shock.halt)
            drive.inches = stops_at(drive.inches, [short])
            break
        if (yield from _shock(battle, drive, meeting)):
            return
    if alive:
        _go(battle, drive, drive.inches)


def _before_the_ground(scene: Scene, state: ClassicState, drive: _Drive) -> float:
    """How far the ground lets the tank drive: the table's edge, impassable terrain, wrecks that it cannot pass."""
    wrecks = [wreck.polygon for wreck in barring_wrecks(scene, state, [drive.row])]
    free = stops_by_ground(scene, drive.row, drive.start, drive.inches, wrecks)
    if free >= drive.inches - TOLERANCE:
        return drive.inches
    return max(0.0, free - scene.rules.vehicles.tank_shock.halt)


def _through_terrain(battle: ClassicBattle, drive: _Drive) -> Procedure[bool]:
    """The tests for difficult terrain on the way; whether the tank lives."""
    scene, state = battle.scene, battle.state
    end = along(drive.start, drive.inches).to_row()
    space = MoveSpace(
        scene,
        state,
        drive.unit,
        MoveKind.TANK_SHOCK,
        rule=_RULE,
        limits={drive.row: round(drive.inches * 1000)},
    )
    move = ModelMove(drive.row, (end,))
    met = crossings_of(scene, state, space.bases, space.legs((move,)), drives=True)
    crossings = [crossing for _, crossing in met.get(space.index[drive.row], [])]
    what = yield from dare_vehicle(battle, space, move, crossings)
    if what is DamageResult.IMMOBILISED and state.wounds[drive.row] > 0:
        short = up_to_terrain(battle, space, move)
        drive.inches = way_of(drive.start, short.path[-1])[1] if short.path else 0.0
    return bool(state.wounds[drive.row] > 0)


def _next(scene: Scene, state: ClassicState, drive: _Drive) -> Meeting | None:
    """Whom the tank meets next: a model of a unit that has not been dealt with."""
    found = meetings(scene, state, drive.row, drive.start, drive.inches, {*drive.met, drive.unit})
    units = shocked_units((meeting.unit, True) for meeting in found)
    return next((meeting for meeting in found if meeting.unit == units[0]), None) if units else None


@rule("4e.tank-shock.no-friends", "4e.tank-shock.vehicle-stops-tank")
def _is_stopped(scene: Scene, state: ClassicState, drive: _Drive, meeting: Meeting) -> bool:
    """Whether who is met stops the tank: friends, combats, and vehicles that do not make way."""
    if meeting.what is Way.FRIEND or in_combat(scene, state, meeting.unit):
        return True
    if meeting.what is Way.TROOPS:
        return False
    mine, other = scene.models[drive.row].profile.armour, scene.models[meeting.row].profile.armour
    assert mine is not None
    assert other is not None
    immobile = meeting.row in state.units[meeting.unit].immobilised
    return scene.rules.vehicles.tank_shock.stays(mine.front, other.front, immobile=immobile)


@rule("3e.core.vehicles.tank-shock", "3e.core.vehicles.death-or-glory")
@rule("4e.tank-shock.morale-failed", "4e.death-or-glory.who", "4e.death-or-glory.walkers-too")
@rule("4e.death-or-glory.unit-gives-way", "4e.squadron-movement.tank-shock-glory")
@rule("6e.tank-shock.passed", "6e.tank-shock.morale")
@rule("6e.tank-shock-falling-back.second-contact", "6e.death-or-glory.who")
@rule("6e.tank-shock-example.predator")
def _shock(battle: ClassicBattle, drive: _Drive, meeting: Meeting) -> Procedure[bool]:
    """A unit that the tank reaches tests its morale and flees, or holds and may strike; whether the tank is stopped."""
    scene, state, unit = battle.scene, battle.state, meeting.unit
    if meeting.what is Way.TROOPS and not _holds(battle, drive, unit):
        yield from fall_back(battle, unit)
        if scene.rules.vehicles.tank_shock.fails_at_once(falling_back=True) and _is_caught_up(
            scene, state, drive, meeting
        ):
            drive.met.discard(unit)
        return False
    path = meetings(scene, state, drive.row, drive.start, drive.inches, {drive.unit})
    at = {each.row: each.inches for each in path if each.unit == unit}
    able = [row for row in at if _may_strike(scene, row)]
    if not able or why_no_death_or_glory(in_path=True, unit_holds=True, somebody_stands=False):
        return False
    stand = yield from offer_glory(battle, drive.row, unit, able)
    if stand is None:
        return False
    row, weapon = stand
    _go(battle, drive, at[row], but_for=row)
    stopped = yield from stands_and_strikes(battle, drive.row, row, weapon)
    return stopped or not state.wounds[drive.row]


@rule("6e.ram.target-remains", "6e.ram.target-explodes", "6e.ram.infantry-in-path", "6e.ram.cruising-speed")
def _ram(battle: ClassicBattle, drive: _Drive, meeting: Meeting) -> Procedure[bool]:
    """The tank drives up to a vehicle and into it; whether it drives on from there."""
    rules = battle.scene.rules.vehicles.tank_shock.ram
    assert rules is not None, "it rams"
    _go(battle, drive, max(drive.at, meeting.inches - 2 * TOLERANCE))
    return (yield from collide(battle, drive.row, meeting.row, meeting.inches, rules))


def _may_strike(scene: Scene, row: int) -> bool:
    profile = scene.models[row].profile
    return not is_squadron_vehicle(scene, row) or is_walker(profile.keywords)


@rule("4e.tank-shock.morale-test", "4e.squadron-movement.tank-shock-once")
@rule("6e.tank-shock.morale", "6e.tank-shock-falling-back.auto-fail")
def _holds(battle: ClassicBattle, drive: _Drive, unit: int) -> bool:
    """Whether a unit holds its ground: by its nature, because it has held it against this squadron, or by a test."""
    scene, state = battle.scene, battle.state
    if scene.rules.vehicles.tank_shock.fails_at_once(falling_back=state.units[unit].falling_back):
        return False
    if unit in drive.held or passes_without_roll(scene, state, unit, Test.TANK_SHOCK):
        return True
    modifiers = losses_modifiers(scene, state, unit)
    passed = take_morale_test(battle, unit, "tank shock", modifiers, _RULE, test=Test.TANK_SHOCK)
    if holds_its_ground(passed):
        drive.held.add(unit)
    return holds_its_ground(passed)


def _is_caught_up(scene: Scene, state: ClassicState, drive: _Drive, meeting: Meeting) -> bool:
    """Whether the tank will come to a unit that has just fled from it, further on."""
    others = {*drive.met, drive.unit} - {meeting.unit}
    again = [
        each
        for each in meetings(scene, state, drive.row, drive.start, drive.inches, others)
        if each.unit == meeting.unit
    ]
    return bool(again) and again[0].inches > meeting.inches + TOLERANCE


@rule("3e.core.vehicles.tank-shock")
def _go(battle: ClassicBattle, drive: _Drive, to: float, but_for: int = -1) -> None:
    """Drive on so far; who is in the way makes way first.

    Args:
        but_for: the row of a model that stands its ground.
    """
    scene, state = battle.scene, battle.state
    rules, mine = scene.rules.vehicles.tank_shock, state.units[drive.unit]
    track = Track(drive.row, drive.start, to, rules.clearance, rules.clears_the_way, rules.coherent)
    path = meetings(scene, state, drive.row, drive.start, to, {drive.unit})
    if not rules.clears_the_way:
        path = [each for each in path if track.is_under(scene, each.row, pose_of(state, each.row))]
    enemies = [each.row for each in path if each.what is not Way.FRIEND and each.row != but_for]
    make_way(battle, track, enemies)
    x, y, z, facing = (int(value) for value in state.position[drive.row])
    end = along(drive.start, to).to_row()
    state.position[drive.row] = end
    turned = (x, y, z, drive.start.to_row()[3])
    mine.moved_distance = max(mine.moved_distance, round(to * 1000))
    mine.displaced = max(mine.displaced, round(to * 1000))
    mine.moved = mine.moved or to > TOLERANCE
    drive.at = to
    way = ((x, y, z, facing), turned, end)
    battle.happened(
        ModelsMoved(unit=scene.units[drive.unit].id, how=MoveKind.TANK_SHOCK, paths=((drive.row, way),), rules=(_RULE,))
    )
