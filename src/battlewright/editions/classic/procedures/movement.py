"""The Movement phase: units move in turn, take terrain tests, march, are joined and left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.editions.classic.arrivals import may_move_after_arrival
from battlewright.editions.classic.artillery import guns_served, is_gun
from battlewright.editions.classic.footwork import why_unit_may_not_move
from battlewright.editions.classic.formation import march_allowance, must_be_in_formation
from battlewright.editions.classic.joining import limits_together
from battlewright.editions.classic.kinds import move_allowance
from battlewright.editions.classic.procedures import boarding, joining, roads
from battlewright.editions.classic.procedures.accidents import carry_out
from battlewright.editions.classic.procedures.board import free_in_combat, in_combat, nearest_enemy, swept_into
from battlewright.editions.classic.procedures.crossing import TerrainTest, pieces_in_reach
from battlewright.editions.classic.procedures.ground import difficult_of, kind_rules
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.passengers import may_get_out
from battlewright.editions.classic.procedures.psychic import use_powers
from battlewright.editions.classic.procedures.reserves import arrive
from battlewright.editions.classic.procedures.retreat import start_of_turn_tests, tests_for_losses
from battlewright.editions.classic.procedures.smoke import launch_smoke
from battlewright.editions.classic.procedures.squadrons import abandon_vehicles
from battlewright.editions.classic.procedures.tank_shock import may_tank_shock, tank_shock
from battlewright.editions.classic.procedures.terrain_rolls import terrain_test
from battlewright.editions.classic.psychic import Moment
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, own_unit, standing
from battlewright.editions.classic.state import NOWHERE, ClassicState, Deed, MoveKind, Phase
from battlewright.editions.classic.vehicles import condition_of, why_no_move
from battlewright.editions.happenings import UnitSelected

__all__ = [
    "limits_of",
    "move_kinds",
    "move_space",
    "movement_phase",
    "why_not_move",
]

END: Final = "end"
_SELECT = "3e.terms.phases"
_MOVE = "3e.movement.six"
ENTER: Final = "terrain"
"""The option to take a terrain test."""


@resumable
@rule("3e.terms.phases", "3e.core.turn.sequence", "4e.core.turn.sequence", "6e.core.turn.movement-order")
def movement_phase(battle: ClassicBattle) -> Procedure[None]:
    """Characters are announced, units move one after another; those that are not selected stay; characters join."""
    state = battle.state
    if state.begin():
        _release_orphans(battle)
        yield from arrive(battle)
        yield from _shock_on_arrival(battle)
        if battle.scene.rules.movement.flight_in_movement:
            yield from start_of_turn_tests(battle)
        yield from use_powers(battle, Moment.MOVEMENT)
        yield from joining.declare_joining(battle)
        state.step = 2
    while state.step == 2:
        if not _selectable(battle) and not _leaving(battle):
            break
        yield from _move_one(battle)
    if state.step <= 3:
        state.step = 3
        if battle.scene.rules.vehicles.fire.smoke_in is Phase.MOVEMENT:
            yield from launch_smoke(battle)
        state.step = 4
        yield from joining.end_of_movement_joining(battle)
        yield from abandon_vehicles(battle)
        _note_formation(battle)
        yield from battle.scene.rules.flight.after_movement(battle)
        if battle.scene.rules.morale.losses_in_movement:
            yield from tests_for_losses(battle)


@rule("6e.tank-shock-reserve.allowed", "6e.tank-shock-reserve.declare-first")
def _shock_on_arrival(battle: ClassicBattle) -> Procedure[None]:
    """Tanks that have come on by tank shock drive on at once.

    RULING: 6e.tank-shock-reserve.allowed their own length, on the table already, is taken off the drive.
    """
    scene, state = battle.scene, battle.state
    for info in scene.units_of(state.turn):
        if not state.units[info.index].has(Deed.COMES_SHOCKING):
            continue
        limits = limits_of(scene, state, info.index, MoveKind.NORMAL)
        length = max((scene.models[row].base.length for row in limits), default=0.0)
        yield from tank_shock(battle, int(info.index), min(limits.values(), default=0) / 1000 - length)


@rule("3e.core.movement.locked-and-pinned", "3e.outside.pinned", "3e.core.vehicles.shaken-and-stunned")
def why_not_move(scene: Scene, state: ClassicState, unit: int) -> list[tuple[str, str]]:
    """Why a unit may not be moved by its player: rule and clause for each reason; none when it may."""
    mine = state.units[unit]
    partly = swept_into(scene, state, unit) and free_in_combat(scene, state, unit)
    found = why_unit_may_not_move(mine, in_combat=in_combat(scene, state, unit) and not partly)
    if mine.falling_back:
        found.append(("3e.fall-back.each-turn", "is falling back"))
    if mine.has(Deed.RALLIED):
        found.append(("3e.outside.rally-time", "has rallied this turn"))
    if not may_move_after_arrival(mine.deeds):
        found.append(("3e.core.missions.deep-strike", "has arrived by deep strike"))
    rows = standing(state, unit)
    stuck = [why_no_move(condition_of(mine, row, ())) for row in rows if scene.models[row].profile.is_vehicle]
    if rows and not mine.aloft and len(stuck) == len(rows) and all(stuck):
        found += stuck[0]
    return found


def _selectable(battle: ClassicBattle) -> list[int]:
    scene, state = battle.scene, battle.state
    return [
        int(info.index)
        for info in scene.units_of(state.turn)
        if not state.units[info.index].acted
        and standing(state, info.index)
        and not why_not_move(scene, state, info.index)
    ]


@rule("4e.transport-use.character-may-get-out")
def _leaving(battle: ClassicBattle) -> list[tuple[int, int]]:
    """Who may get out of a vehicle, each with the unit that he leaves aboard: none, or that of a character alone."""
    scene, state = battle.scene, battle.state
    units = [int(info.index) for info in scene.units_of(state.turn)]
    alone = [
        (each, state.units[each].joined)
        for each in units
        if state.units[each].joined != NOWHERE and may_get_out(scene, state, state.units[each].joined)
    ]
    whole = [(each, NOWHERE) for each in units if may_get_out(scene, state, each)]
    return whole + [
        (each, unit) for each, unit in alone if any(row not in scene.units[each].rows for row in living(state, unit))
    ]


def _parting(battle: ClassicBattle) -> list[int]:
    scene, state = battle.scene, battle.state
    return [int(info.index) for info in scene.units_of(state.turn) if joining.may_part(scene, state, info.index)]


@resumable
def _move_one(battle: ClassicBattle) -> Procedure[None]:
    state, units = battle.state, battle.scene.units
    choices = Options(
        lambda: [
            *(Option(units[unit].id, units[unit].name, (unit, False)) for unit in _selectable(battle)),
            *(
                Option(f"{units[each].id}:leave", f"{units[each].name} sets out", (each, True))
                for each in _parting(battle)
            ),
            *(
                Option(f"{units[each].id}:disembark", f"{units[each].name} gets out", (each, None))
                for each, _ in _leaving(battle)
            ),
            Option(END, "end the phase; all others stay where they are", None),
        ],
        rule=_SELECT,
    )
    answer = yield Decision(
        state.turn, "select-unit-to-move", "Select a unit to move", _SELECT, choices, is_checkpoint=True
    )
    picked: tuple[int, bool | None] | None = choices.value_of(answer)
    if picked is None:
        yield from _fly_on(battle)
        yield from _close_ranks(battle)
        state.step = 3
        return
    unit, leaves = picked
    if leaves is None:
        yield from _get_out(battle, unit)
        return
    left = state.units[unit].joined
    if leaves:
        joining.part(battle, unit, "3e.char-units.leave")
    yield from move_unit(battle, unit)
    if leaves:
        joining.settle_after_move(battle, unit, left)


@rule("3e.core.vehicles.disembarking")
@rule("4e.transport-use.character-may-get-out", "4e.transport-use.character-must-get-out")
@rule("6e.ic-transport.split-by-staying", "6e.ic-transport.leave-together")
def _get_out(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """A unit gets out of its vehicle; a character by himself, if his comrades stay."""
    mine = battle.state.units[unit]
    if mine.joined != NOWHERE:
        transport = battle.state.units[mine.joined].embarked
        joining.part(battle, unit, "3e.char-units.leave")
        mine.embarked = transport
    yield from boarding.disembark(battle, unit)


@rule("6e.zoom.minimum")
def _fly_on(battle: ClassicBattle) -> Procedure[None]:
    """What is aloft cannot stay where it is: it moves even if its player did not select it."""
    for unit in _selectable(battle):
        if battle.state.units[unit].aloft:
            yield from move_unit(battle, unit)


@rule("3e.formation.regain", "3e.core.fundamentals.restoring-coherency")
def _close_ranks(battle: ClassicBattle) -> Procedure[None]:
    """Units out of formation that were not selected still have to close up as far as they can."""
    scene, state = battle.scene, battle.state
    for unit in _selectable(battle):
        if len(standing(state, unit)) > 1:
            space = move_space(scene, state, unit, MoveKind.NORMAL, limits_of(scene, state, unit))
            if space.check(Place(())):
                yield from _place(battle, space, f"{scene.units[unit].name} has to close up")


# -- one unit ----------------------------------------------------------------------------------------------------


def limits_of(
    scene: Scene, state: ClassicState, unit: int, way: MoveKind = MoveKind.NORMAL, test: TerrainTest | None = None
) -> dict[int, int]:
    """How far each model of a unit may go, in thousandths of an inch.

    Args:
        way: the way of moving.
        test: the terrain test that the unit has taken; without one, models slowed by the difficult terrain that they
            stand in are left out. Where a test binds the whole unit it is the limit of all, and nobody moves without
            one as long as somebody stands so.
    """
    by_name = scene.rules.movement.enters_by_model is not None
    rows = free_in_combat(scene, state, unit)
    held = _held(scene, state, rows, way) if test is None else set[int]()
    if held and not by_name:
        return {}
    found: dict[int, int] = {}
    mine = state.units[unit]
    for row in rows:
        if row in held or row in mine.stunned or row in mine.immobilised or row in _unserved(scene, state, unit):
            continue
        profile = scene.models[row].profile
        inches = move_allowance(scene.rules.movement.kinds, profile.kind, profile.keywords, way)
        if way is MoveKind.ROAD:
            inches = roads.allowance(scene, row, inches)
        if way is MoveKind.MARCH:
            inches = march_allowance(inches)
        if test is not None and not by_name:
            inches = min(inches, float(test.allowed))
        found[row] = round(1000 * inches)
    return limits_together(found, [row for row in rows if own_unit(scene, state, row) != unit])


@rule("4e.artillery.crew-to-move")
def _unserved(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The guns of a battery that there is no crewman left to move: those that stand last in the list."""
    rows = standing(state, unit)
    guns = [row for row in rows if is_gun(scene.models[row].profile)]
    return guns[guns_served(len(rows) - len(guns), len(guns)) :] if guns else []


def _held(scene: Scene, state: ClassicState, rows: Sequence[int], way: MoveKind) -> set[int]:
    """The models that difficult terrain slows and that stand in some."""
    pieces = difficult_of(scene, state)
    slowed = [row for row in rows if kind_rules(scene, row, way).slowed]
    if not slowed or not len(pieces):
        return set()
    touched = pieces.touched(scene.bases.some_at(slowed, state.position[slowed] / 1000.0))
    inside = touched[:, ~pieces.linear & pieces.slowing]
    return {row for place, row in enumerate(slowed) if inside[place].any()}


@rule("3e.march.eligible", "3e.march.double", "3e.core.movement.difficult-terrain", "3e.core.movement.avoiding-terrain")
def move_kinds(scene: Scene, state: ClassicState, unit: int) -> tuple[str, ...]:
    """How a unit may move: as usual; with a terrain test where difficult terrain is within its reach; on a march."""
    kinds: list[str] = [MoveKind.NORMAL]
    slowed = [row for row in standing(state, unit) if kind_rules(scene, row).slowed]
    if slowed:
        if scene.rules.movement.always_tests(traits_of(scene, state, unit)):
            return (ENTER,)
        reach = max(kind_rules(scene, row).move for row in slowed)
        if pieces_in_reach(scene, state, unit, reach):
            kinds.append(ENTER)
    kinds += _further_ways(scene, state, unit)
    if roads.may_keep_to_road(scene, state, unit):
        kinds.append(MoveKind.ROAD)
    if not scene.rules.movement.why_no_march(state.units[unit], nearest_enemy(scene, state, unit)):
        kinds.append(MoveKind.MARCH)
    if may_tank_shock(scene, state, unit):
        kinds.append(MoveKind.TANK_SHOCK)
        ram = scene.rules.vehicles.tank_shock.ram
        most = min(limits_of(scene, state, unit).values(), default=0) / 1000
        if ram is not None and most > ram.more_than:
            kinds.append(MoveKind.RAM)
    return tuple(kinds)


@rule("3e.core.units.jump-troops", "4e.jump-infantry.walk-option", "4e.jetbikes.through-terrain")
@rule("4e.bikes.turbo", "4e.jetbikes.turbo", "4e.turbo-boosters.speed", "6e.core.units.jump")
def _further_ways(scene: Scene, state: ClassicState, unit: int) -> list[str]:
    """Other ways of moving that are open to a unit of its kind: on foot, boosted, in among terrain."""
    rows = standing(state, unit)
    found = []
    for way in scene.rules.movement.kinds.ways_of(scene.models[row].profile.kind for row in rows):
        reach = max(kind_rules(scene, row, way).move for row in rows)
        near = bool(pieces_in_reach(scene, state, unit, reach))
        if way is not MoveKind.AMONG or near:
            found.append(str(way))
        if near and any(kind_rules(scene, row, way).slowed for row in rows):
            found.append(f"{way}:{ENTER}")
    return found


_LABELS: Final[Mapping[str, str]] = {
    MoveKind.NORMAL: "move, but not through difficult terrain",
    ENTER: "move through difficult terrain, after a terrain test",
    MoveKind.MARCH: "march",
    MoveKind.FOOT: "move on foot",
    f"{MoveKind.FOOT}:{ENTER}": "move on foot through difficult terrain, after a terrain test",
    MoveKind.TURBO: "use turbo boosters: go further, and neither fire nor assault this turn",
    MoveKind.AMONG: "move in among the terrain",
    MoveKind.ROAD: "keep to the road, further than usual, and do nothing else this turn",
    MoveKind.RAM: "drive straight into enemies, vehicles too (ram)",
    MoveKind.TANK_SHOCK: "drive straight into enemies (tank shock)",
}


def move_space(
    scene: Scene,
    state: ClassicState,
    unit: int,
    kind: MoveKind,
    limits: Mapping[int, int],
    test: TerrainTest | None = None,
) -> MoveSpace:
    """The move of a unit: what may be answered."""
    rows = standing(state, unit)
    own = kind_rules(scene, rows[0], kind).cite if rows else ""
    rule_id = "3e.march.double" if kind is MoveKind.MARCH else own or _MOVE
    if kind is MoveKind.ROAD:
        return roads.RoadSpace(scene, state, unit, kind, rule="4e.roads.bonus", limits=limits)
    return MoveSpace(scene, state, unit, kind, rule=rule_id, limits=limits, test=test)


def _label_of(kind: str, kinds: Sequence[str]) -> str:
    """What a way of moving is called among others: only who is slowed by difficult terrain is told that it is shut."""
    if kind == MoveKind.NORMAL and ENTER not in kinds and f"{kind}:{ENTER}" not in kinds and MoveKind.FOOT in kinds:
        return "jump, over whatever is in the way"
    return _LABELS[kind]


@rule("3e.movement.six", "3e.movement.measure-from-base", "3e.core.movement.infantry", "3e.terrain.test")
def move_unit(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """Choose how the unit moves, take the terrain test that it needs, and move it."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    state.units[unit].acted = True
    if (yield from scene.rules.flight.take_off(battle, unit)):
        return
    kinds = move_kinds(scene, state, unit)
    kind = kinds[0] if len(kinds) == 1 else (yield from _select_kind(battle, unit, kinds))
    battle.happened(UnitSelected(unit=info.id, to="move", how=kind, rules=(_SELECT,)))
    if kind in (MoveKind.TANK_SHOCK, MoveKind.RAM):
        limits = limits_of(scene, state, unit, MoveKind.NORMAL)
        yield from tank_shock(battle, unit, min(limits.values(), default=0) / 1000, ram=kind == MoveKind.RAM)
        return
    way, tested = _way_of(kind)
    test = (yield from terrain_test(battle, unit, way)) if tested else None
    space = move_space(scene, state, unit, way, limits_of(scene, state, unit, way, test), test)
    yield from _place(battle, space, f"Move {info.name}" + (f", {test.allowed} rolled" if test else ""))
    yield from boarding.offer_boarding(battle, unit)


def _way_of(key: str) -> tuple[MoveKind, bool]:
    """The way of moving that an option names, and whether it is one with a terrain test."""
    word, _, after = key.partition(":")
    return (MoveKind.NORMAL, True) if word == ENTER else (MoveKind(word), after == ENTER)


def _place(battle: ClassicBattle, space: MoveSpace, prompt: str) -> Procedure[None]:
    info = battle.scene.units[space.unit]
    placement = yield Decision(info.side, f"move-{space.kind}", prompt, space.rule, space, subject=info.index)
    assert isinstance(placement, Place)
    if not placement.moves:
        return
    told = len(battle.events)
    yield from carry_out(battle, space, placement)
    mine = battle.state.units[space.unit]
    mine.last_way = space.kind
    mine.did(*((_DEEDS[space.kind],) if space.kind in _DEEDS else ()))
    mine_alone = [event for event in list(battle.events)[told:] if isinstance(event, ModelsMoved)]
    ways = [way for event in mine_alone if event.unit == info.id for way in event.paths]
    yield from battle.scene.rules.movement.moved(battle, space.unit, ways)


_DEEDS: Final = {MoveKind.ROAD: Deed.ON_ROAD, MoveKind.MARCH: Deed.MARCHED, MoveKind.TURBO: Deed.BOOSTED}
"""What some ways of moving are noted as."""


def _select_kind(battle: ClassicBattle, unit: int, kinds: tuple[str, ...]) -> Procedure[str]:
    info = battle.scene.units[unit]
    choices = Options(
        [Option(str(kind), _label_of(kind, kinds), kind) for kind in kinds],
        rule="3e.terrain.test",
        default=str(kinds[0]),
    )
    prompt = f"How does {info.name} move?"
    kind: str = yield from choose(
        Decision(info.side, "select-move", prompt, "3e.terrain.test", choices, subject=info.index)
    )
    return kind


# -- beginning and end -------------------------------------------------------------------------------------------


@rule("3e.char-leaders.orphan", "3e.char-leaders.no-leaving")
def _release_orphans(battle: ClassicBattle) -> None:
    """A character of whose unit nobody else is left goes his own way in his next free movement phase.

    Where the players agreed that such a character is not bound, falling back does not keep him either.
    """
    state = battle.state
    for character in joining.orphans(battle.scene, state, state.turn):
        held = battle.scene.rules.morale.is_bound() and state.units[state.units[character].joined].falling_back
        if not held:
            joining.part(battle, character, "3e.char-leaders.orphan")


@rule("3e.formation.penalty", "3e.formation.exempt-combat", "3e.formation.exempt-falling-back")
def _note_formation(battle: ClassicBattle) -> None:
    """Units that end the phase out of formation, though they were to be in it, neither shoot nor assault this turn."""
    scene, state = battle.scene, battle.state
    for info in scene.units_of(state.turn):
        rows = standing(state, info.index)
        if len(rows) < 2:
            continue
        fights = in_combat(scene, state, info.index)
        if must_be_in_formation(state.units[info.index], end_of_own_movement=True, in_combat=fights):
            space = move_space(scene, state, info.index, MoveKind.NORMAL, {})
            if not space.is_in_formation:
                state.units[info.index].did(Deed.OUT_OF_FORMATION)
