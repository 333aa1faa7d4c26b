"""Flight as it is played in the 6th edition: the mode of a turn, zooming and swooping, coming on, leaving the table."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.core.table import Edge
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.flying import FlightRules
from battlewright.editions.classic.footwork import SecondMove
from battlewright.editions.classic.procedures.accidents import note_move
from battlewright.editions.classic.procedures.arming import arms_of
from battlewright.editions.classic.procedures.board import enemies_on_table, own_edge
from battlewright.editions.classic.procedures.landing import put_on_table
from battlewright.editions.classic.procedures.vehicle_hits import harm_vehicle
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.state import ClassicState, Deed, MoveKind
from battlewright.editions.classic.weapons import AbilityName
from battlewright.editions.happenings import UnitInReserves, UnitSelected
from battlewright.editions.placing.moves import way_length
from battlewright.editions.sixth import flyers
from battlewright.editions.sixth.bombing import bombing_run
from battlewright.editions.sixth.crashing import crash_and_burn, fall_to_earth
from battlewright.editions.sixth.flights import FlightSpace
from battlewright.editions.sixth.flyers import Mode
from battlewright.editions.sixth.intercepting import intercept
from battlewright.editions.sixth.mysteries import may_fire_at_the_sky

__all__ = ["FLIGHT", "flight_space", "modes_of"]

_ZOOM, _SWOOP, _MODE = "6e.zoom.minimum", "6e.core.movement.swooping", "6e.hover.declare-first"
_LEAVES = "6e.leaving-airspace.ongoing-reserves"


def _keywords(scene: Scene, state: ClassicState, unit: int) -> list[frozenset[str]]:
    return [scene.models[row].profile.keywords for row in living(state, unit)]


@rule("6e.hover.squadron-same-mode", "6e.zoom.who", "6e.hover.option")
def modes_of(scene: Scene, state: ClassicState, unit: int) -> list[Mode]:
    """The modes that a unit may choose for this turn, the first the usual one: those that all its models may.

    RULING: 6e.outside.stunned a stunned crew cannot change its mode; a hovering flyer that is immobilised cannot zoom.
    """
    mine = state.units[unit]
    found: list[Mode] | None = None
    for words in _keywords(scene, state, unit):
        each = flyers.modes(words, locked=bool(mine.locked), returning=mine.returning)
        found = [mode for mode in (each if found is None else found) if mode in each]
    found = found or []
    held = (mine.stunned or mine.immobilised) and not mine.in_reserves
    return [mode for mode in found if not held or mode.is_aloft == mine.aloft]


@rule("6e.hover.declare-first", "6e.hover.declare-before-arrival", "6e.hover.squadron-same-mode")
def _declare_mode(battle: ClassicBattle, unit: int) -> Procedure[Mode | None]:
    """The owner says how a unit that flies moves this turn, before it moves; nothing is said of others."""
    info, ways = battle.scene.units[unit], modes_of(battle.scene, battle.state, unit)
    if len(ways) <= 1:
        return ways[0] if ways else None
    options = [Option(str(mode), str(mode), mode) for mode in ways]
    picked: Mode = yield from choose(
        Decision(
            info.side,
            "declare-mode",
            f"{info.name}: how does it move this turn?",
            _MODE,
            Options(options, rule=_MODE, default=options[0].key),
            subject=info.index,
        )
    )
    return picked


@rule("6e.locked-velocity.keeps-speed", "6e.locked-velocity.may-turn", "6e.zoom.single-pivot", "6e.outside.stunned")
def flight_space(scene: Scene, state: ClassicState, unit: int, mode: Mode, edge: Edge | None = None) -> FlightSpace:
    """The flight of a unit in its Movement phase: what may be answered.

    RULING: 6e.outside.stunned a stunned crew whose speed is locked flies straight on at that speed.
    """
    mine, winged = state.units[unit], mode is Mode.SWOOP
    rows = living(state, unit)
    locked = dict(mine.locked)
    spans = {row: flyers.swoop_span() if winged else scene.rules.flight.span(None) for row in rows}
    spans |= {row: flyers.stunned_span() for row in rows if row in mine.stunned}
    spans |= {row: scene.rules.flight.span(locked[row] / 1000) for row in rows if row in locked}
    turns = {row: 0.0 if row in mine.stunned else flyers.PIVOT for row in rows}
    kind, rule_id = (MoveKind.SWOOP, _SWOOP) if winged else (MoveKind.ZOOM, _ZOOM)
    far = "6e.locked-velocity.keeps-speed" if locked else rule_id
    return FlightSpace(scene, state, unit, kind, spans=spans, turns=turns, rule=rule_id, far=far, edge=edge)


@rule("6e.zoom.minimum", "6e.zoom.no-dangerous-tests", "6e.zoom-ram.cannot-make", "6e.hover.declare-first")
@rule("6e.core.movement.swooping")
def take_off(battle: ClassicBattle, unit: int) -> Procedure[bool]:
    """A unit that could fly moves: its mode is declared; zooming or swooping it flies, otherwise it moves as ever."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mode = yield from _declare_mode(battle, unit)
    if mode is None:
        return False
    mine = state.units[unit]
    mine.aloft, mine.returning = mode.is_aloft, False
    if not mode.is_aloft:
        return False
    space = flight_space(scene, state, unit, mode)
    battle.happened(UnitSelected(unit=info.id, to="move", how=mode, rules=(space.rule,)))
    placement = yield Decision(
        info.side, f"move-{space.kind}", f"{info.name} flies: {_far(space)}", space.rule, space, subject=info.index
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        yield from _stopped_short(battle, unit, mode)
        return True
    starts = space.begins(placement)
    _fly(battle, space, placement)
    if mode is Mode.ZOOM:
        yield from bombing_run(battle, unit, starts)
    return True


def _far(space: FlightSpace) -> str:
    return ", ".join(dict.fromkeys(str(span) for span in space.spans.values()))


@rule("6e.zoom.forced-short")
def _stopped_short(battle: ClassicBattle, unit: int, mode: Mode) -> Procedure[None]:
    """Who finds no place to fly to: flyers are wrecked, winged monsters glide where they are."""
    if mode is Mode.SWOOP:
        battle.state.units[unit].aloft = False
        return
    for row in standing(battle.state, unit):
        yield from harm_vehicle(battle, row, DamageResult.WRECKED)


@rule("6e.zoom.overflies", "6e.leaving-airspace.ongoing-reserves", "6e.locked-velocity.may-leave-table")
def _fly(battle: ClassicBattle, space: FlightSpace, placement: Place) -> None:
    """A checked flight is made; who leaves the table by it goes into ongoing reserves."""
    leaves = space.leaves(placement)
    mine = battle.state.units[space.unit]
    note_move(battle, space.unit, placement, space.kind, space.rule)
    mine.last_way = space.kind
    if leaves:
        leave_the_table(battle, space.unit)


@rule("6e.leaving-airspace.ongoing-reserves", "6e.leaving-airspace.returns-zooming")
def leave_the_table(battle: ClassicBattle, unit: int) -> None:
    """A unit that has flown off the table waits in ongoing reserves, from which it comes back as it left."""
    state, info = battle.state, battle.scene.units[unit]
    rows = tuple(standing(state, unit))
    state.on_table[list(rows)] = False
    mine = state.units[unit]
    mine.in_reserves = mine.ongoing = mine.returning = True
    battle.happened(ModelsRemoved(unit=info.id, models=rows, why="flew off the table", rules=(_LEAVES,)))
    battle.happened(UnitInReserves(unit=info.id, why="flew off the table", rules=(_LEAVES,)))


@rule("6e.zoom.arrival-direction", "6e.hover.declare-before-arrival", "6e.leaving-airspace.returns-zooming")
@rule("6e.locked-velocity.may-leave-table")
def arrive(battle: ClassicBattle, unit: int) -> Procedure[bool]:
    """A unit that could fly comes on: its mode is declared before it is placed; zooming it flies in from its own edge.

    RULING: 6e.zoom.arrival-direction its move is measured from the point of the edge that the middle of its hull
    crosses. Where there is no room for that it waits for another turn.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine = state.units[unit]
    words = _keywords(scene, state, unit)
    if not (mine.returning or all(flyers.is_flyer(each) for each in words)):
        return False
    mode = yield from _declare_mode(battle, unit)
    if mode is None or not mode.is_aloft:
        mine.aloft = False
        return False
    edge = own_edge(scene, state, info.side)
    space = flight_space(scene, state, unit, mode, edge)
    placement = yield Decision(
        info.side, "arrive-flying", f"{info.name} flies in from the {edge} edge", space.rule, space, subject=info.index
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        mine.ongoing = True
        return True
    starts = space.begins(placement)
    far = max(way_length(move.path) for move in placement.moves)
    put_on_table(battle, unit, placement, space.rule)
    mine.in_reserves = mine.ongoing = mine.returning = False
    mine.aloft = mine.acted = mine.moved = True
    mine.moved_distance = far
    mine.last_way = space.kind
    mine.did(Deed.ARRIVED)
    if mode is Mode.ZOOM:
        yield from bombing_run(battle, unit, starts)
    return True


# -- the Shooting phase -----------------------------------------------------------------------------------------


@rule("6e.zoom-flat-out.distance", "6e.locked-velocity.no-evade-no-flat-out", "6e.bombs.no-flat-out")
@rule("6e.core.movement.swooping")
def flies_on(scene: Scene, state: ClassicState, unit: int) -> SecondMove | None:
    """The move of what is aloft in place of shooting: flyers go flat out, winged monsters run 2D6"."""
    mine = state.units[unit]
    if any(flyers.is_winged(words) for words in _keywords(scene, state, unit)):
        return SecondMove(MoveKind.RUN, "run", _SWOOP, dice=2, adds_up=True, ends_turn=True)
    if not flyers.may_go_flat_out(mine):
        return None
    return SecondMove(MoveKind.FLAT_OUT, "go flat out", "6e.zoom-flat-out.distance", dice=0, ends_turn=True)


@rule("6e.zoom-flat-out.distance")
def fly_on(battle: ClassicBattle, unit: int, second: SecondMove) -> Procedure[bool]:
    """Flyers that go flat out fly straight ahead; whether they have moved so, since winged monsters run as all do."""
    if second.way is not MoveKind.FLAT_OUT:
        return False
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    rows = standing(state, unit)
    space = FlightSpace(
        scene,
        state,
        unit,
        second.way,
        spans=dict.fromkeys(rows, flyers.flat_out_span()),
        turns=dict.fromkeys(rows, 0.0),
        rule=second.rule,
        far=second.rule,
    )
    battle.happened(UnitSelected(unit=info.id, to="move", how=second.way, rules=(second.rule,)))
    placement = yield Decision(
        info.side, "fly-flat-out", f"{info.name} goes flat out: {_far(space)}", second.rule, space, subject=info.index
    )
    assert isinstance(placement, Place)
    if placement.moves:
        _fly(battle, space, placement)
    return True


@rule("6e.flyer-skyfire.choice", "6e.flyer-skyfire.all-weapons", "6e.core.missions.mysterious-objectives")
def choose_skyfire(battle: ClassicBattle) -> Procedure[None]:
    """At the start of a player's Shooting phase he says of each of his flyers whether its weapons have Skyfire.

    RULING: 6e.core.missions.mysterious-objectives a unit that has Skyfire from an objective has the choice, too; it is
    asked while an enemy is in the air.
    RULING: 6e.flyer-skyfire.choice a flyer that hovers has the choice, too; the flyers of a squadron choose alike.
    """
    scene, state, rule_id = battle.scene, battle.state, "6e.flyer-skyfire.choice"
    above = any(state.units[foe].aloft for foe in enemies_on_table(scene, state, state.turn))
    for info in scene.units_of(state.turn):
        rows = standing(state, info.index)
        flies = all(flyers.is_flyer(scene.models[row].profile.keywords) for row in rows)
        if not rows or not (flies or (above and may_fire_at_the_sky(state.units[info.index]))):
            continue
        if not any(arms_of(scene, state, info.index, row) for row in rows):
            continue
        options = [Option("ground", "fire at the ground", False), Option("sky", "fire at the sky (Skyfire)", True)]
        up: bool = yield from choose(
            Decision(
                info.side,
                "choose-skyfire",
                f"{info.name}: do its weapons have Skyfire this turn?",
                rule_id,
                Options(options, rule=rule_id, default=options[0].key),
                subject=info.index,
            )
        )
        if up:
            state.units[info.index].did(Deed.SKYFIRE)


@rule("6e.evade.when", "6e.evade.effect", "6e.locked-velocity.no-evade-no-flat-out")
def offer_evasion(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """The owner of a zooming flyer that has been hit says whether it evades, before penetration is rolled.

    RULING: 6e.evade.when the flyers of a squadron evade together.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine, rule_id = state.units[unit], "6e.evade.when"
    if not flyers.may_evade(mine, all(flyers.is_flyer(words) for words in _keywords(scene, state, unit))):
        return
    options = [Option("evade", "evade", True), Option("hold", "fly on", False)]
    evades: bool = yield from choose(
        Decision(
            info.side,
            "evade",
            f"{info.name} has been hit: does it evade?",
            rule_id,
            Options(options, rule=rule_id, default="evade"),
            subject=info.index,
        )
    )
    if evades:
        mine.evading = 2 if mine.side == state.turn else 1


@rule("6e.core.units.grounding")
def may_fall(battle: ClassicBattle, unit: int, hits: int) -> Procedure[None]:
    """A swooping creature that a unit's fire has hit may fall to the ground.

    RULING: 6e.core.units.grounding it then takes a hit of Strength 9 that neither armour nor cover stops.
    """
    state, info = battle.state, battle.scene.units[unit]
    mine = state.units[unit]
    rows = standing(state, unit)
    if not (mine.aloft and hits and rows) or not any(
        flyers.is_winged(battle.scene.models[row].profile.keywords) for row in rows
    ):
        return
    rule_id = "6e.core.units.grounding"
    roll = battle.rolled(battle.roll(1, 6, "grounding"), info.side, rule_id, unit=info.id, needed=3)
    if flyers.falls_from_the_sky(roll.total):
        mine.aloft = False
        yield from fall_to_earth(battle, unit, rows)


FLIGHT = FlightRules(
    stand=flyers.stand,
    lift=flyers.lift,
    waits=flyers.must_begin_in_reserve,
    span=flyers.zoom_span,
    take_off=take_off,
    arrive=arrive,
    flies_on=flies_on,
    fly_on=fly_on,
    before_shooting=choose_skyfire,
    under_fire=offer_evasion,
    after_fire=may_fall,
    falls=crash_and_burn,
    immobilised=flyers.when_immobilised,
    after_movement=intercept,
    under_markers=flyers.under_markers,
    meets_drives=flyers.meets_drives,
    why_no_charge=flyers.why_no_charge,
    weapon_abilities=frozenset({AbilityName.BOMB, AbilityName.INTERCEPTOR, AbilityName.SKYFIRE}),
)
"""The chapter on flyers of the edition."""
