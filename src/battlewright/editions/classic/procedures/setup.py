"""Before a battle of the 3rd edition: force charts, zones, deployment in order, infiltrators, who goes first."""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.bases import Polygon
from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, Place, Side, opponent
from battlewright.core.events import PhaseBegan
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.arrivals import infiltrates as infiltrates_by_rule
from battlewright.editions.classic.force_chart import chart_faults, choices, next_slot, slot_of
from battlewright.editions.classic.frames import SetUpStep, set_up_steps
from battlewright.editions.classic.missions import mission_of
from battlewright.editions.classic.procedures.boarding import board
from battlewright.editions.classic.procedures.conditions import ALWAYS, Coherent, Infiltrated, OneInch, WhollyWithin
from battlewright.editions.classic.procedures.events import ForceChecked
from battlewright.editions.classic.procedures.landing import SetUpSpace, put_on_table
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.passengers import (
    begins_in,
    bought_for,
    has_to_wait,
    is_transport,
    transports_for,
)
from battlewright.editions.classic.procedures.scouting import scout
from battlewright.editions.classic.scene import ClassicBattle, Scene, UnitInfo, living
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.happenings import Settled, UnitInReserves
from battlewright.editions.placing.conditions import Condition, FarFromEnemies
from battlewright.editions.placing.placed import Box

__all__ = ["before_the_battle", "deployment_space", "infiltrates", "next_to_deploy"]

_RULE = "3e.core.missions.set-up"
_DEPLOY, _INFILTRATE, _SCOUT, _READY = 2, 3, 4, 5
"""Steps of setting up in the state: the zones are chosen by then."""
_TABLE, _RESERVE = -1, -2
"""In place of the vehicle in which a unit begins: none, it stands on the table, or waits."""


@resumable
@rule("3e.core.missions.set-up")
def before_the_battle(battle: ClassicBattle) -> Procedure[None]:
    """Hold armies against their charts, choose zones, deploy, infiltrators last, move scouts, roll who is first."""
    state = battle.state
    steps = set_up_steps()
    if state.begin():
        battle.happened(PhaseBegan(name="setup", round=0, turn=state.turn, rules=(_RULE,)))
        _check_forces(battle)
        yield from battle.scene.rules.characters.prepare(battle)
        yield from battle.scene.rules.missions.zones(battle)
        yield from mission_of(battle.scene).lay(battle)
        _hold_back(battle)
        state.step = _DEPLOY
    while state.step < _SCOUT and {SetUpStep.UNITS, SetUpStep.INFILTRATORS} <= set(steps):
        while any(next_to_deploy(battle.scene, state, side) for side in SIDES):
            if not next_to_deploy(battle.scene, state, state.chooser):
                state.chooser = opponent(state.chooser)
            yield from _deploy_one(battle)
        state.step += 1
    if SetUpStep.SCOUTS in steps:
        yield from scout(battle)
    state.step = _READY
    yield from battle.scene.rules.missions.first_turn(battle)
    battle.happened(Settled(side=state.first, what="first-turn", rules=(_RULE,)))


@rule("3e.core.missions.force-charts")
def _check_forces(battle: ClassicBattle) -> None:
    """Say where an army does not keep to the mission's chart; the players may have agreed on it, so it is played."""
    name = mission_of(battle.scene).chart
    if not name:
        return
    for side in SIDES:
        used = choices(each for info in battle.scene.listed(side) for each in _chosen(battle.scene, info))
        rules, points = battle.scene.rules.missions, sum(each.roster.points for each in battle.scene.listed(side))
        chart = rules.chart_of(rules.chart_for(name, points))
        faults = [str(fault) for fault in chart_faults(chart, used)]
        barred = battle.scene.rules.characters.why_not_fielded(battle.scene.header.armies[side])
        faults += [f"{clause} ({rule_id})" for rule_id, clause in barred]
        battle.happened(ForceChecked(side=side, faults=tuple(faults), rules=("3e.core.missions.force-charts",)))


def _chosen(scene: Scene, info: UnitInfo) -> list[list[frozenset[str]]]:
    """What of a unit the army's owner chose: the keywords of the models of each choice.

    RULING: 3e.core.missions.force-charts whoever starts in a unit is a choice of his own; the unit that he starts in is
    one beside him unless it is of his slot: such a bodyguard is part of his choice.
    """
    parts = [
        [scene.models[row].profile.keywords for row in info.rows if scene.models[row].component == component]
        for component in range(len(info.roster.components))
    ]
    body, joined = parts[0], parts[1:]
    bodyguard = slot_of(body) in {slot_of(each) for each in joined}
    return joined if bodyguard else [body, *joined]


def _hold_back(battle: ClassicBattle) -> None:
    """Units that the mission keeps off the table wait in reserve."""
    scene, late = battle.scene, mission_of(battle.scene).late
    listed = [info for side in SIDES for info in scene.listed(side)]
    for info in listed:
        if has_to_wait(scene, info.index):
            battle.state.units[info.index].in_reserves = True
            rules = ("6e.flyer-reserve.must-start-in-reserve",)
            battle.happened(UnitInReserves(unit=info.id, why="flyers come later", rules=rules))
    if late is None:
        return
    for info in listed:
        if late(scene, info.index) and not battle.state.units[info.index].in_reserves:
            battle.state.units[info.index].in_reserves = True
            battle.happened(UnitInReserves(unit=info.id, why="mission", rules=("3e.core.missions.reserves",)))


def _words(scene: Scene, unit: int) -> list[frozenset[str]]:
    """The keywords of a unit's models."""
    return [scene.models[row].profile.keywords for row in scene.units[unit].rows]


# -- deployment --------------------------------------------------------------------------------------------------


@rule("3e.core.missions.infiltrators", "4e.infiltrate.lost-with-transport")
def infiltrates(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether every model of a unit has a rule that lets it be set up last."""
    bars = scene.rules.movement.arrivals.transport_bars_infiltration
    rides = bars and any(
        bought_for(scene, info.index) == unit for info in scene.units if is_transport(scene, info.index)
    )
    return infiltrates_by_rule(
        traits_of(scene, state, unit), mission_allows=mission_of(scene).infiltrators, has_transport=rides
    )


def next_to_deploy(scene: Scene, state: ClassicState, side: Side) -> list[int]:
    """The units that a side may deploy next: where sides take turns, of the first category of which any is left."""
    waiting = [
        int(info.index)
        for info in scene.units_of(side)
        if not state.units[info.index].deployed
        and not state.units[info.index].in_reserves
        and living(state, info.index)
        and (state.step == _INFILTRATE or not infiltrates(scene, state, info.index))
    ]
    if not scene.rules.missions.deploys_in_turns:
        return waiting
    slots = {unit: slot_of(_words(scene, unit)) for unit in waiting}
    first = next_slot(set(slots.values()))
    return [unit for unit in waiting if slots[unit] == first]


def _deployments(scene: Scene, state: ClassicState, side: Side) -> list[Option]:
    """What a player may do next: set a unit up, hold it in reserve, let it begin in a vehicle.

    The value is the unit and the vehicle, ``_TABLE`` or ``_RESERVE``.
    """
    waiting = [scene.units[unit] for unit in next_to_deploy(scene, state, side)]
    options = [Option(info.id, info.name, (info.index, _TABLE)) for info in waiting]
    free = [info.index for info in scene.listed(side) if not has_to_wait(scene, info.index)]
    held = sum(state.units[unit].in_reserves for unit in free)
    most = scene.rules.missions.most_in_reserve(len(free))
    if mission_of(scene).reserves and held < most:
        options += [
            Option(f"{info.id}:reserve", f"{info.name}: hold in reserve", (info.index, _RESERVE)) for info in waiting
        ]
    for info in waiting:
        for other in transports_for(scene, state, info.index, beforehand=True):
            vehicle = scene.units[other]
            options.append(
                Option(f"{info.id}:in:{vehicle.id}", f"{info.name}: begin in {vehicle.name}", (info.index, other))
            )
    return options


def _listed_so(scene: Scene, state: ClassicState, side: Side) -> str:
    """The key of the default: the first unit as the list has it, in its vehicle or on the table."""
    info = scene.units[next_to_deploy(scene, state, side)[0]]
    named = begins_in(info.roster)
    for other in transports_for(scene, state, info.index, beforehand=True) if named else ():
        if scene.units[other].name == named:
            return f"{info.id}:in:{scene.units[other].id}"
    return info.id


@resumable
def _deploy_one(battle: ClassicBattle) -> Procedure[None]:
    scene, state = battle.scene, battle.state
    side = state.chooser
    choices = Options(lambda: _deployments(scene, state, side), rule=_RULE, default=_listed_so(scene, state, side))
    answer = yield Decision(
        side, "select-unit-to-deploy", "Select a unit to deploy", _RULE, choices, is_checkpoint=True
    )
    picked: tuple[int, int] = choices.value_of(answer)
    unit, where = picked
    info, reserved = scene.units[unit], where == _RESERVE
    if where >= 0:
        board(battle, unit, where, "3e.core.vehicles.capacity")
    elif not reserved:
        space = deployment_space(scene, state, unit)
        placement = yield Decision(side, "deploy", f"Set up {info.name}", _RULE, space, subject=info.index)
        assert isinstance(placement, Place)
        reserved = not placement.moves
        if placement.moves:
            put_on_table(battle, unit, placement, _RULE)
            state.units[unit].ahead = infiltrates(scene, state, unit)
    if reserved:
        # RULING: 3e.core.missions.set-up we read it as holding back what its zone has no room for.
        state.units[unit].in_reserves = True
        battle.happened(UnitInReserves(unit=info.id, why="declared", rules=("3e.core.missions.reserves",)))
    if scene.rules.missions.deploys_in_turns:
        state.chooser = opponent(side)


class DeploymentSpace(SetUpSpace):
    """A unit that is set up before the battle; where the mission keeps armies apart, enemies far off are seen."""

    def _reach(self) -> Box:
        x0, y0, x1, y1 = super()._reach()
        more = mission_of(self.scene).apart
        return x0 - more, y0 - more, x1 + more, y1 + more


@dataclass(frozen=True)
class ApartFrom(FarFromEnemies):
    """The armies are set up so many inches apart."""

    rule_id: str = _RULE
    is_compiled = False


@rule("3e.core.missions.set-up", "3e.core.missions.infiltrators", "3e.core.missions.cleanse")
def deployment_space(scene: Scene, state: ClassicState, unit: int) -> DeploymentSpace:
    """Where a unit may be deployed: wholly within its zone and in formation; infiltrators anywhere 12" from enemies.

    DEVIATION: 3e.core.missions.infiltrators out of sight is not asked for; the distance is.
    """
    rows, side = living(state, unit), scene.units[unit].side
    table = scene.battlefield
    zone = table.zone(state.zones[side]).polygon
    box = _box(zone)
    conditions: tuple[Condition, ...] = (*ALWAYS, Coherent(), OneInch())
    if infiltrates(scene, state, unit):
        arrivals = scene.rules.movement.arrivals
        conditions = (*conditions, Infiltrated(arrivals.infiltration, unseen=arrivals.infiltrates_unseen))
        region, near = (0.0, 0.0, table.width, table.height), ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    else:
        conditions = (*conditions, WhollyWithin((zone,), "its deployment zone", _RULE))
        if apart := mission_of(scene).apart:
            conditions = (*conditions, ApartFrom(apart - 2 * TOLERANCE))
        region, near = box, None
    return DeploymentSpace(
        scene,
        state,
        unit,
        MoveKind.SET_UP,
        rows=rows,
        rule=_RULE,
        region=region,
        conditions=conditions,
        near=near,
    )


def _box(polygon: Polygon) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)
