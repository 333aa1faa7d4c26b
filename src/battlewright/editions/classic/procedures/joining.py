"""Characters who join units and leave them in the movement phase (3rd edition)."""

from __future__ import annotations

from collections.abc import Iterator

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options, Side
from battlewright.core.rulebook import rule
from battlewright.editions.classic.characters import Declaration
from battlewright.editions.classic.joining import is_free_character, may_leave, why_not_join
from battlewright.editions.classic.procedures.board import in_combat, unit_gap
from battlewright.editions.classic.procedures.events import CharacterJoined, CharacterLeft
from battlewright.editions.classic.profiles import CharacterKind
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.state import NOWHERE, ClassicState, Phase

__all__ = [
    "declare_joining",
    "end_of_movement_joining",
    "is_lone_character",
    "join",
    "joined_characters",
    "may_part",
    "orphans",
    "part",
    "settle_after_move",
]

ALONE = "alone"
_RULE = "3e.char-units.declare"


def is_lone_character(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit is an independent character by himself, on the table and not with another unit."""
    rows = standing(state, unit)
    if len(rows) != 1 or state.units[unit].joined != NOWHERE:
        return False
    return is_free_character(scene.models[rows[0]].profile, len(living(state, unit)) - 1)


def joined_characters(state: ClassicState, unit: int) -> list[int]:
    """The independent characters that are with a unit at the moment."""
    return [number for number, other in enumerate(state.units) if other.joined == unit]


def join(battle: ClassicBattle, character: int, unit: int, *rules: str) -> None:
    """Put a character's model among those of a unit."""
    state, units = battle.state, battle.scene.units
    mine, theirs = state.units[character], state.units[unit]
    mine.joined = unit
    theirs.models = (*theirs.models, *mine.models)
    theirs.phase_strength += len(standing(state, character))
    mine.models = ()
    battle.happened(CharacterJoined(unit=units[character].id, joined=units[unit].id, rules=rules))


def part(battle: ClassicBattle, character: int, *rules: str) -> None:
    """Take a character's model out of the unit that he had joined."""
    state, units = battle.state, battle.scene.units
    mine = state.units[character]
    unit = mine.joined
    rows = units[character].rows
    theirs = state.units[unit]
    theirs.models = tuple(row for row in theirs.models if row not in rows)
    theirs.phase_strength -= sum(1 for row in rows if state.wounds[row] > 0)
    mine.models, mine.joined = rows, NOWHERE
    mine.phase_strength = len(standing(state, character))
    battle.happened(CharacterLeft(unit=units[character].id, left=units[unit].id, rules=rules))


@rule("3e.char-leaders.orphan")
def orphans(scene: Scene, state: ClassicState, side: Side) -> list[int]:
    """The characters of a side of whose units nobody else is left, but for those in close combat."""
    found = []
    for info in scene.units_of(side):
        unit = state.units[info.index].joined
        if unit < 0 or not any(state.wounds[row] > 0 for row in info.rows):
            continue
        if all(row in info.rows for row in living(state, unit)) and not in_combat(scene, state, unit):
            found.append(int(info.index))
    return found


@rule("3e.char-units.leave", "3e.char-leaders.no-leaving", "3e.char-units.only-movement")
def may_part(scene: Scene, state: ClassicState, character: int) -> bool:
    """Whether a joined character may set out on his own: he lives, neither he nor his unit has moved, it is free to."""
    unit = state.units[character].joined
    if unit == NOWHERE or state.units[character].acted:
        return False
    theirs = state.units[unit]
    rows = standing(state, unit)
    his = [row for row in rows if row in scene.units[character].rows]
    bound = theirs.acted or theirs.falling_back or theirs.pinned or in_combat(scene, state, unit)
    return 0 < len(his) < len(rows) and not bound


@rule("3e.char-units.leave", "3e.char-units.joined-formation")
def settle_after_move(battle: ClassicBattle, character: int, unit: int) -> None:
    """When a character who set out has moved: within 2" of his old unit he has not left it."""
    scene, state = battle.scene, battle.state
    if not standing(state, character) or not standing(state, unit):
        return
    gap = unit_gap(scene, state, character, unit)
    if not may_leave(CharacterKind.INDEPENDENT, Phase(state.phase), state.units[unit], gap):
        join(battle, character, unit, "3e.char-units.joined-formation")


# -- joining ----------------------------------------------------------------------------------------------------


def _hosts(scene: Scene, state: ClassicState, character: int) -> Iterator[int]:
    """The units that a lone character may join where he stands."""
    for info in scene.units_of(scene.units[character].side):
        unit = int(info.index)
        theirs = state.units[unit]
        rows = standing(state, unit)
        profiles = [scene.models[other].profile for other in rows]
        if unit == character or not rows or scene.rules.characters.why_no_host(profiles, theirs):
            continue
        gap = unit_gap(scene, state, character, unit)
        if not why_not_join(CharacterKind.INDEPENDENT, Phase(state.phase), gap):
            yield unit


def _lone(battle: ClassicBattle, side: Side) -> list[int]:
    scene, state = battle.scene, battle.state
    return [
        int(info.index)
        for info in scene.units_of(side)
        if is_lone_character(scene, state, info.index)
        and not state.units[info.index].falling_back
        and not in_combat(scene, state, info.index)
    ]


@resumable
@rule("3e.char-units.join", "3e.char-units.declare", "3e.core.characters.joining")
def end_of_movement_joining(battle: ClassicBattle) -> Procedure[None]:
    """Characters who stand within 2" of a unit of theirs are asked, one after another, whether they join it."""
    scene, state = battle.scene, battle.state
    early = scene.rules.characters.joining_declared() is Declaration.START_OF_TURN
    while True:
        waiting = [each for each in _lone(battle, state.turn) if not state.units[each].asked_to_join]
        if not waiting:
            return
        character = waiting[0]
        hosts = list(_hosts(scene, state, character))
        state.units[character].asked_to_join = True
        if early:
            hosts = [unit for unit in hosts if unit == state.units[character].joining]
            if hosts:
                join(battle, character, hosts[0], "3e.char-units.join")
            continue
        if hosts:
            chosen = yield from _ask(battle, character, hosts)
            if chosen is not None:
                join(battle, character, chosen, "3e.char-units.join")


@resumable
@rule("3e.char-units.declare")
def declare_joining(battle: ClassicBattle) -> Procedure[None]:
    """Where the players agreed on it, a player says before any move which unit each of his characters will join."""
    scene, state = battle.scene, battle.state
    if scene.rules.characters.joining_declared() is not Declaration.START_OF_TURN:
        return
    while True:
        waiting = [each for each in _lone(battle, state.turn) if not state.units[each].asked_to_join]
        if not waiting:
            break
        state.units[waiting[0]].asked_to_join = True
        units = [
            int(info.index)
            for info in scene.units_of(state.turn)
            if info.index != waiting[0]
            and standing(state, info.index)
            and not is_lone_character(scene, state, info.index)
            and not scene.models[standing(state, info.index)[0]].profile.is_vehicle
        ]
        if units:
            unit = yield from _ask(battle, waiting[0], units)
            state.units[waiting[0]].joining = NOWHERE if unit is None else unit
    for unit_state in state.units:
        unit_state.asked_to_join = False


def _ask(battle: ClassicBattle, character: int, units: list[int]) -> Procedure[int | None]:
    infos, info = battle.scene.units, battle.scene.units[character]
    choices = Options(
        [
            *(Option(infos[unit].id, f"join {infos[unit].name}", unit) for unit in units),
            Option(ALONE, "stay on his own", None),
        ],
        rule=_RULE,
    )
    prompt = f"Does {info.name} join a unit?"
    unit: int | None = yield from choose(Decision(info.side, "join-unit", prompt, _RULE, choices, subject=info.index))
    return unit
