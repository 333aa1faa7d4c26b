"""Reserves of the 3rd edition: who waits, when they arrive, and how they come onto the table."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.rulebook import rule
from battlewright.core.table import Edge
from battlewright.editions.classic.missions import mission_of
from battlewright.editions.classic.procedures.board import own_edge
from battlewright.editions.classic.procedures.conditions import ALWAYS, Coherent, OneInch, WhollyWithin
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.landing import SetUpSpace, land, put_on_table
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.reserves import arrives
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.state import ClassicState, Deed, MoveKind
from battlewright.editions.placing.conditions import Condition
from battlewright.editions.placing.placed import Box

__all__ = ["SetUpSpace", "arrival_space", "arrive", "put_on_table", "roll_for_reserves"]

_RULE = "3e.core.missions.reserves"


@rule("3e.core.missions.reserves", "3e.core.turn.start", "4e.infiltrate.no-earlier-reserves")
@rule("6e.core.missions.reserves", "6e.outside.ongoing-reserves", "6e.core.turn.start")
def roll_for_reserves(battle: ClassicBattle) -> None:
    """At the start of a player's turn, from the second game turn on, a die for each of his units in reserve."""
    scene, state = battle.scene, battle.state
    needed = scene.rules.movement.arrivals.arrives_on(state.round)
    if needed is None:
        return
    for info in scene.units_of(state.turn):
        mine = state.units[info.index]
        if not mine.in_reserves or not living(state, info.index):
            continue
        if needed <= 1 or mine.ongoing:
            mine.arriving = True
        else:
            face = battle.rolled(battle.roll(1, 6, "reserves"), info.side, _RULE, unit=info.id, needed=needed).faces[0]
            mine.arriving = arrives(needed, face)


@resumable
@rule("3e.core.missions.reserves")
def arrive(battle: ClassicBattle) -> Procedure[None]:
    """Units that have arrived move on from their own edge; one for which there is no room waits another turn.

    RULING: 3e.core.missions.reserves we read "arrives by its own edge" as placed wholly within its move of the edge.
    """
    scene, state = battle.scene, battle.state
    while waiting := [int(info.index) for info in scene.units_of(state.turn) if state.units[info.index].arriving]:
        unit = waiting[0]
        info, mine = scene.units[unit], state.units[unit]
        mine.arriving = False
        if (yield from scene.rules.flight.arrive(battle, unit)):
            continue
        how = yield from _select_arrival(battle, unit)
        if how == _ABOVE:
            yield from land(battle, unit)
            continue
        edge = own_edge(scene, state, info.side)
        if how == _FLANK:
            edge = yield from _flank(battle, unit, edge)
        space = arrival_space(scene, state, unit, edge, at_edge=how == _SHOCK)
        placement = yield Decision(
            info.side, "arrive", f"{info.name} comes on from the {edge} edge", _RULE, space, subject=info.index
        )
        assert isinstance(placement, Place)
        if placement.moves:
            put_on_table(battle, unit, placement, _RULE)
            mine.in_reserves, mine.acted, mine.moved = False, True, True
            mine.moved_distance = max(mine.moved_distance, _longest(scene, state, unit))
            mine.ongoing = False
            if how == _SHOCK:
                mine.did(Deed.COMES_SHOCKING)
                mine.moved_distance = 0
            mine.entry_edge = str(edge) if how == _FLANK else ""
            if not scene.rules.movement.arrivals.may_charge:
                mine.did(Deed.ARRIVED)


@rule("3e.core.missions.deep-strike", "4e.core.missions.deep-strike", "6e.core.missions.deep-strike")
@rule("6e.core.missions.outflank")
def _select_arrival(battle: ClassicBattle, unit: int) -> Procedure[str]:
    """How a unit arrives: from its edge, or by deep strike or on a flank where it may; its owner says so.

    RULING: 3e.core.missions.deep-strike we read it as said when the unit arrives.
    """
    scene, info, rules = battle.scene, battle.scene.units[unit], battle.scene.rules.movement.arrivals
    traits = traits_of(scene, battle.state, unit)
    options = [Option(_EDGE, "from the table edge", _EDGE)]
    if mission_of(scene).deep_strike and rules.deep_strike.may(traits):
        options.insert(0, Option(_ABOVE, "by deep strike", _ABOVE))
    if rules.outflanks(traits):
        options.append(Option(_FLANK, "on a flank", _FLANK))
    if _may_shock(scene, unit):
        options.append(Option(_SHOCK, "from the table edge, by tank shock", _SHOCK))
    if len(options) == 1:
        return _EDGE
    how: str = yield from choose(
        Decision(
            info.side,
            "select-arrival",
            f"How does {info.name} arrive?",
            rules.deep_strike.rule,
            Options(options, rule=rules.deep_strike.rule, default=_EDGE),
            subject=info.index,
        )
    )
    return how


@rule("6e.tank-shock-reserve.allowed", "6e.tank-shock-reserve.declare-first")
def _may_shock(scene: Scene, unit: int) -> bool:
    """Whether a unit may come on by tank shock, which its owner says before it is on the table: a tank may."""
    rules = scene.rules.vehicles.tank_shock
    keywords = [scene.models[row].profile.keywords for row in scene.units[unit].rows]
    return rules.from_reserve and all(not rules.why_no_tank_shock(words) for words in keywords)


_ABOVE, _EDGE, _FLANK, _SHOCK = "deep-strike", "edge", "outflank", "tank-shock"
_LEFT: Mapping[Edge, Edge] = {
    Edge.SOUTH: Edge.WEST,
    Edge.WEST: Edge.NORTH,
    Edge.NORTH: Edge.EAST,
    Edge.EAST: Edge.SOUTH,
}
"""The edge on the left of a player who looks at the table from an edge of his."""
_RIGHT: Mapping[Edge, Edge] = {left: edge for edge, left in _LEFT.items()}


@rule("6e.core.missions.outflank", "6e.core.special-rules.acute-senses")
def _flank(battle: ClassicBattle, unit: int, own: Edge) -> Procedure[Edge]:
    """The edge on which a unit outflanks: the left on 1 and 2, the right on 3 and 4, its owner's choice on 5 and 6."""
    info, rule_id = battle.scene.units[unit], "6e.core.missions.outflank"
    sides = (_LEFT[own], _RIGHT[own])
    face = battle.rolled(battle.roll(1, 6, "outflank"), info.side, rule_id, unit=info.id).faces[0]
    if face < 5 and "ACUTE SENSES" in traits_of(battle.scene, battle.state, unit):
        senses = "6e.core.special-rules.acute-senses"
        options = [Option("again", "roll again", True), Option("keep", "keep it", False)]
        again: bool = yield from choose(
            Decision(
                info.side,
                "reroll-flank",
                f"{info.name} comes from the {sides[(face - 1) // 2]}; roll again?",
                senses,
                Options(options, rule=senses, default="keep"),
                subject=info.index,
            )
        )
        if again:
            face = battle.rolled(battle.roll(1, 6, "outflank"), info.side, senses, unit=info.id).faces[0]
    if face < 5:
        return sides[(face - 1) // 2]
    edge: Edge = yield from choose(
        Decision(
            info.side,
            "select-flank",
            f"{info.name}: from which side does it come?",
            rule_id,
            Options([Option(str(edge), f"the {edge} edge", edge) for edge in sides], rule=rule_id),
            subject=info.index,
        )
    )
    return edge


def _longest(scene: Scene, state: ClassicState, unit: int) -> int:
    return round(1000 * max(kind_rules(scene, row).move for row in standing(state, unit)))


def arrival_space(scene: Scene, state: ClassicState, unit: int, edge: Edge, *, at_edge: bool = False) -> SetUpSpace:
    """Where a unit comes onto the table: within its move of an edge, 1" from enemies, in formation.

    Args:
        at_edge: whether it stays at the edge for now.
    """
    rows = living(state, unit)
    depth = 0.0 if at_edge else min(kind_rules(scene, row).move for row in rows)
    depth = max(depth, 2 * max(float(scene.reach[row]) for row in rows))
    strip = scene.battlefield.strip(edge, depth)
    conditions: tuple[Condition, ...] = (
        *ALWAYS,
        Coherent(),
        OneInch(),
        WhollyWithin((strip,), f'{depth:g}" of the {edge} edge', _RULE),
    )
    return SetUpSpace(
        scene,
        state,
        unit,
        MoveKind.SET_UP,
        rows=rows,
        rule=_RULE,
        region=_strip_box(scene, edge, depth),
        conditions=conditions,
    )


def _strip_box(scene: Scene, edge: Edge, depth: float) -> Box:
    corners = scene.battlefield.strip(edge, depth)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
