"""Declare Battle Formations (mission sequence, step 7; 18.01, 20.01): who begins aboard of what, who in reserves.

Each side declares without knowing what the other does, embarked units first; what was declared is revealed when both
have ended. Units that do not stand on the battlefield do not take part in the deployment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, RandomSource, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import passengers, reserves
from battlewright.editions.eleventh.events import UnitEmbarked, UnitInReserves
from battlewright.editions.eleventh.scene import Battle11, Scene
from battlewright.editions.eleventh.state import NOBODY, EleventhState

__all__ = [
    "aircraft_begin_in_reserves",
    "boardings",
    "declare_embarked",
    "declare_reserves",
    "end_part",
    "hide_declarations",
    "may_reserve",
    "redraw_declarations",
    "reveal",
]

_RULE = "11e.core.mission.battle-formations"


@resumable
@rule("11e.core.mission.battle-formations", "11e.core.18.01-capacity")
def declare_embarked(battle: Battle11) -> Procedure[None]:
    """Each side, the Attacker first, puts units aboard of its transports until it has had enough (18.01)."""
    yield from _each_side(
        battle, lambda side: bool(boardings(battle.scene, battle.state, side)), lambda side: _embark_one(battle, side)
    )


@resumable
@rule("11e.core.mission.battle-formations", "11e.core.20.01-declaring")
def declare_reserves(battle: Battle11) -> Procedure[None]:
    """Each side, the Attacker first, puts units into reserves until it has had enough (20.01)."""
    yield from _each_side(
        battle, lambda side: bool(reservable(battle.scene, battle.state, side)), lambda side: _reserve_one(battle, side)
    )


@resumable
def _each_side(
    battle: Battle11, is_able: Callable[[Side], bool], act: Callable[[Side], Procedure[None]]
) -> Procedure[None]:
    state = battle.state
    for side in (state.attacker, opponent(state.attacker)):
        while not state.finished[side] and is_able(side):
            yield from act(side)


def end_part(state: EleventhState, side: Side) -> None:
    """Note that a side has ended its part of the present step."""
    a, b = state.finished
    state.finished = (True, b) if side == SIDES[0] else (a, True)


# -- embarked units ----------------------------------------------------------------------------------------------


@rule("11e.core.18.01-capacity")
def boardings(scene: Scene, state: EleventhState, side: Side) -> list[tuple[int, int]]:
    """Pairs of a unit and a transport that it may begin the battle in, with what has been declared so far."""
    units = [unit.index for unit in scene.units_of(side)]
    carriers = [unit for unit in units if passengers.is_transport(scene, unit)]
    return [
        (unit, carrier)
        for unit in units
        if not passengers.is_aboard(state, unit)
        for carrier in carriers
        if passengers.has_room_for(scene, state, carrier, unit)
    ]


@resumable
def _embark_one(battle: Battle11, side: Side) -> Procedure[None]:
    scene, state = battle.scene, battle.state

    def options() -> list[Option]:
        pairs = boardings(scene, state, side)
        named = [(scene.units[unit], scene.units[carrier]) for unit, carrier in pairs]
        return [
            *(
                Option(f"{unit.id}:{carrier.id}", f"{unit.name} in {carrier.name}", (unit.index, carrier.index))
                for unit, carrier in named
            ),
            Option("end", "nobody else begins embarked", None),
        ]

    choices = Options(options, rule=_RULE, default=_suggested(scene, state, side))
    answer = yield Decision(
        side, "declare-embarked", "Which units begin the battle embarked?", _RULE, choices, is_checkpoint=True
    )
    pair: tuple[int, int] | None = choices.value_of(answer)
    if pair is None:
        end_part(state, side)
    else:
        state.units[pair[0]].embarked_in = pair[1]


def _suggested(scene: Scene, state: EleventhState, side: Side) -> str:
    """The key of the pair that the army list asks for, or that saves a DEDICATED TRANSPORT from going empty."""
    pairs = boardings(scene, state, side)
    for unit, carrier in pairs:
        wanted = {each.embarked_in for each in scene.units[unit].roster.components if each.embarked_in}
        if scene.units[carrier].name in wanted:
            return f"{scene.units[unit].id}:{scene.units[carrier].id}"
    for unit, carrier in pairs:
        if passengers.is_dedicated(scene, carrier) and not passengers.aboard(state, carrier):
            return f"{scene.units[unit].id}:{scene.units[carrier].id}"
    return "end"


# -- reserves ----------------------------------------------------------------------------------------------------


@rule("11e.core.23.01-reserves")
def aircraft_begin_in_reserves(battle: Battle11) -> None:
    """AIRCRAFT start in reserves (23.01)."""
    for unit in battle.scene.units:
        if reserves.is_aircraft(battle.scene, battle.state, unit.index):
            battle.state.units[unit.index].in_reserves = True


@rule("11e.core.20.01-declaring")
def may_reserve(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may be declared in reserves: no FORTIFICATION, on its own feet, and within the limit (20.01).

    The points of passengers count with those of their transport.
    """
    mine = state.units[unit]
    if mine.in_reserves or passengers.is_aboard(state, unit):
        return False
    if any(scene.models[row].has("FORTIFICATION") for row in scene.units[unit].rows):
        return False
    declared = [each.index for each in scene.units_of(mine.side) if state.units[each.index].in_reserves]
    total = sum(_points(scene, state, each) for each in (*declared, unit))
    return total <= reserves.reserves_limit(scene)


def _points(scene: Scene, state: EleventhState, unit: int) -> int:
    return sum(scene.units[each].roster.points for each in (unit, *passengers.aboard(state, unit)))


def reservable(scene: Scene, state: EleventhState, side: Side) -> list[int]:
    """The units of a side that may still be declared in reserves."""
    return [unit.index for unit in scene.units_of(side) if may_reserve(scene, state, unit.index)]


@resumable
def _reserve_one(battle: Battle11, side: Side) -> Procedure[None]:
    scene, state = battle.scene, battle.state
    rule_id = "11e.core.20.01-declaring"
    choices = Options(
        lambda: [
            *(Option(scene.units[each].id, scene.units[each].name, each) for each in reservable(scene, state, side)),
            Option("end", "no further unit begins in reserves", None),
        ],
        rule=rule_id,
    )
    answer = yield Decision(
        side, "declare-reserves", "Which units begin the battle in reserves?", rule_id, choices, is_checkpoint=True
    )
    unit: int | None = choices.value_of(answer)
    if unit is None:
        end_part(state, side)
    else:
        state.units[unit].in_reserves = True


# -- revealing ---------------------------------------------------------------------------------------------------


@rule("11e.core.mission.battle-formations", "11e.core.18.01-dedicated-transports")
def reveal(battle: Battle11) -> None:
    """Tell what was declared; a DEDICATED TRANSPORT that nobody is aboard of is destroyed and triggers nothing."""
    scene, state = battle.scene, battle.state
    for unit in scene.units:
        mine = state.units[unit.index]
        if mine.embarked_in != NOBODY:
            carrier = scene.units[mine.embarked_in].id
            battle.happened(UnitEmbarked(unit=unit.id, transport=carrier, rules=(_RULE,)))
        if mine.in_reserves:
            battle.happened(UnitInReserves(unit=unit.id, why="declared", rules=(_RULE,)))
    for unit in scene.units:
        if passengers.is_dedicated(scene, unit.index) and not passengers.aboard(state, unit.index):
            reserves.destroy_unit(battle, unit.index, "11e.core.18.01-dedicated-transports")


@rule("11e.core.mission.battle-formations")
def hide_declarations(state: EleventhState, side: Side | None) -> None:
    """Take out of a copy of the state what the opponents of a side (None: both sides) have declared so far.

    Whether they have said that it is enough is hidden too: who has nothing left to declare is not asked.
    """
    for unit in state.units:
        if unit.side != side:
            unit.in_reserves, unit.embarked_in = False, NOBODY
    a, b = (finished and each == side for each, finished in zip(SIDES, state.finished, strict=True))
    state.finished = a, b


def redraw_declarations(scene: Scene, state: EleventhState, side: Side, rng: RandomSource, *, reserving: bool) -> None:
    """Put legal declarations, drawn anew, in the place of those that the opponent of a side has made in secret.

    Args:
        reserving: whether reserves are being declared, with embarked units behind us; else embarked units are.
    """
    other = opponent(side)
    able = reservable if reserving else boardings
    goes_first = other == state.attacker
    is_done = goes_first and (state.finished[other] or not able(scene, state, other))
    has_begun = goes_first or state.finished[side] or not able(scene, state, side)
    _undeclare(scene, state, other, reserving=reserving)
    if reserving or has_begun:
        while pair := _drawn(boardings(scene, state, other), rng):
            state.units[pair[0]].embarked_in = pair[1]
    if reserving and has_begun:
        while (reserve := _drawn(reservable(scene, state, other), rng)) is not None:
            state.units[reserve].in_reserves = True
    if is_done:
        end_part(state, other)
    elif has_begun and not able(scene, state, other):  # still being asked: something must be left to ask for
        _undeclare(scene, state, other, reserving=reserving)


def _undeclare(scene: Scene, state: EleventhState, side: Side, *, reserving: bool) -> None:
    for unit in scene.units_of(side):
        mine = state.units[unit.index]
        mine.embarked_in, mine.in_reserves = NOBODY, reserving and reserves.is_aircraft(scene, state, unit.index)


T = TypeVar("T")


def _drawn(choices: Sequence[T], rng: RandomSource) -> T | None:
    """One of the choices, or None, all equally likely."""
    number = rng.randrange(len(choices) + 1)
    return choices[number] if number < len(choices) else None
