"""The missions of the 6th edition and their deployment maps, and what it decides about all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from battlewright.core.bases import to_inches
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, opponent
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.editions.classic.force_chart import STANDARD, ForceChart, Slot, slot_of
from battlewright.editions.classic.missions import Line, Mission, mission_of
from battlewright.editions.classic.procedures.counting import for_counters, wholly_in
from battlewright.editions.classic.procedures.setting_out import (
    a_counter_in_each_zone,
    a_counter_in_the_middle,
    choose_zone,
    counters_in_turn,
    rolls_after,
)
from battlewright.editions.classic.scene import ClassicBattle, Scene, UnitInfo, own_rows, standing
from battlewright.editions.classic.state import NOWHERE, ClassicState, Phase
from battlewright.editions.fourth.missions import MISSION_RULES as FOURTH_RULES
from battlewright.editions.rolling_off import roll_off
from battlewright.editions.sixth.identifying import identify

__all__ = ["MAPS", "MISSIONS", "MISSION_RULES", "map_of", "roll_mission", "warlord_of"]

TURNS = 7
"""The last game turn that there may be."""
MAPS = ("dawn_of_war", "hammer_and_anvil", "vanguard_strike")


@rule("6e.core.missions.deployment-maps")
def map_of(face: int) -> str:
    """The deployment map that a D6 gives.

    >>> [map_of(face) for face in (2, 3, 6)]
    ['dawn_of_war', 'hammer_and_anvil', 'vanguard_strike']
    """
    return MAPS[(face - 1) // 2]


# -- armies -------------------------------------------------------------------------------------------------------

_CHART = "6e.core.missions.force-chart"
CHARTS: Mapping[str, ForceChart] = {
    "primary": replace(STANDARD, rule=_CHART),
    "two primaries": ForceChart({slot: (least, 2 * most) for slot, (least, most) in STANDARD.limits.items()}, _CHART),
    "allied": ForceChart(
        {
            Slot.HQ: (1, 1),
            Slot.ELITES: (0, 1),
            Slot.TROOPS: (1, 2),
            Slot.FAST_ATTACK: (0, 1),
            Slot.HEAVY_SUPPORT: (0, 1),
        },
        _CHART,
    ),
}
"""What a detachment may be made of.

DEVIATION: 6e.core.missions.force-chart fortifications are not played.
"""


@rule("6e.core.missions.force-chart")
def chart_of(name: str) -> ForceChart:
    """The force chart of a detachment.

    Raises:
        BadInput: for an unknown name.
    """
    if name not in CHARTS:
        raise BadInput(f'there is no force chart "{name}"', expected=" or ".join(CHARTS))
    return CHARTS[name]


@rule("6e.core.missions.force-chart")
def detachments(points: int) -> str:
    """The chart of an army of so many points: from 2000 on a second primary detachment is allowed."""
    return "two primaries" if points >= 2000 else "primary"


def chart_for(name: str, points: int) -> str:
    """The name of the chart that an army of so many points keeps to where the mission names one."""
    return detachments(points) if name == "primary" else name


def _slot(scene: Scene, unit: int) -> Slot | None:
    return slot_of(scene.models[row].profile.keywords for row in scene.units[unit].rows)


def _is_vehicle(scene: Scene, unit: int) -> bool:
    return any(scene.models[row].profile.is_vehicle for row in scene.units[unit].rows)


@rule("6e.core.missions.scoring", "6e.core.missions.big-guns", "6e.core.missions.scouring")
def scores(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit holds objectives: Troops that are no vehicle and do not fall back; others by the mission."""
    slot, extra = _slot(scene, unit), mission_of(scene).scoring_slots
    if state.units[unit].falling_back:
        return False
    return (slot is Slot.TROOPS and not _is_vehicle(scene, unit)) or (slot is not None and slot.value in extra)


@rule("6e.core.missions.scoring")
def denies(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit keeps the enemy from holding an objective: any that is no vehicle and does not fall back."""
    return not _is_vehicle(scene, unit) and not state.units[unit].falling_back


# -- setting up ---------------------------------------------------------------------------------------------------

_ORDER = "6e.core.missions.set-up-order"


@rule("6e.core.missions.set-up-order")
def winner_deploys_first_or_second(battle: ClassicBattle) -> Procedure[None]:
    """The winner of a roll-off deploys and goes first, or second; who deploys first takes the zone that he likes.

    RULING: 6e.core.missions.set-up-order who chooses his zone is not said; we read it as the one who deploys first.
    """
    winner = roll_off(battle, "deploy-first", _ORDER)
    choices = Options(
        [
            Option("first", "deploy first and have the first turn", winner),
            Option("second", "deploy second and have the second turn", opponent(winner)),
        ],
        rule=_ORDER,
    )
    first: Side = yield from choose(Decision(winner, "choose-first-turn", "Who begins?", _ORDER, choices))
    yield from choose_zone(battle, first, _ORDER)
    battle.state.chooser = battle.state.first = first


@rule("6e.core.missions.seize")
def seize(battle: ClassicBattle) -> Procedure[None]:
    """The player who goes second seizes the initiative on a 6."""
    state = battle.state
    second = opponent(state.first)
    if battle.rolled(battle.roll(1, 6, "seize"), second, "6e.core.missions.seize", needed=6).total >= 6:
        state.first = second
    yield from ()


@rule("6e.core.missions.how-many-reserves")
def most_in_reserve(units: int) -> int:
    """Half of the units, rounded up.

    >>> most_in_reserve(7)
    4
    """
    return (units + 1) // 2


MISSION_RULES = replace(
    FOURTH_RULES,
    chart_of=chart_of,
    chart_for=chart_for,
    zones=winner_deploys_first_or_second,
    deploys_in_turns=False,
    first_turn=seize,
    most_in_reserve=most_in_reserve,
    scores=scores,
    denies=denies,
    holding_distance=3.0,
    identify=identify,
)


# -- points -------------------------------------------------------------------------------------------------------


def _lost(scene: Scene, state: ClassicState, side: Side) -> list[UnitInfo]:
    """The units of a side of which nobody is left."""
    return [
        info
        for info in scene.units_of(side)
        if (rows := own_rows(scene, state, info.index)) and not any(state.wounds[row] > 0 for row in rows)
    ]


@rule("6e.core.missions.purge-the-alien")
def for_units(scene: Scene, state: ClassicState, side: Side) -> Iterable[Line]:
    """A point for each enemy unit destroyed."""
    return (Line("units destroyed", len(_lost(scene, state, opponent(side))), "6e.core.missions.purge-the-alien"),)


@rule("6e.core.missions.big-guns")
def for_heavy_support(scene: Scene, state: ClassicState, side: Side) -> Iterable[Line]:
    """A point for each Heavy Support unit destroyed."""
    return (_kills(scene, state, side, Slot.HEAVY_SUPPORT, "6e.core.missions.big-guns"),)


@rule("6e.core.missions.scouring")
def for_fast_attack(scene: Scene, state: ClassicState, side: Side) -> Iterable[Line]:
    """A point for each Fast Attack unit destroyed."""
    return (_kills(scene, state, side, Slot.FAST_ATTACK, "6e.core.missions.scouring"),)


def _kills(scene: Scene, state: ClassicState, side: Side, slot: Slot, rule_id: str) -> Line:
    killed = sum(1 for info in _lost(scene, state, opponent(side)) if _slot(scene, info.index) is slot)
    return Line(f"{slot.title()} destroyed", killed, rule_id)


def warlord_of(scene: Scene, side: Side) -> int | None:
    """The row of a side's warlord: its HQ model of the highest Leadership, the first of them; None where it has none.

    RULING: 6e.core.missions.secondary-objectives lists do not always name a warlord; we take the best leader of the HQ.
    """
    rows = [
        row
        for info in scene.units_of(side)
        for row in info.rows
        if not scene.models[row].profile.is_vehicle and "HQ" in scene.models[row].profile.keywords
    ]
    return max(rows, key=lambda row: (scene.models[row].profile.leadership, -row), default=None)


@rule("6e.core.missions.secondary-objectives")
def secondaries(scene: Scene, state: ClassicState, side: Side) -> Iterable[Line]:
    """A point each for the first unit destroyed, for the enemy's warlord, and for a unit of one's own in his zone."""
    rule_id, enemy = "6e.core.missions.secondary-objectives", opponent(side)
    if state.destroyed and scene.units[state.destroyed[0]].side == enemy:
        yield Line("first blood", 1, rule_id)
    warlord = warlord_of(scene, enemy)
    if warlord is not None and not state.wounds[warlord] > 0:
        yield Line("slay the warlord", 1, rule_id)
    zone = scene.battlefield.zone(state.zones[enemy]).polygon if state.zones[enemy] else ()
    own = [int(info.index) for info in scene.units_of(side) if standing(state, info.index)]
    if zone and any(denies(scene, state, unit) and wholly_in(scene, state, unit, zone) for unit in own):
        yield Line("line-breaker", 1, rule_id)


# -- counters -----------------------------------------------------------------------------------------------------

_VALUES = (1, 2, 2, 3, 3, 4)
_CARRY = 6.0
_OBJECTIVES = "6e.core.missions.objectives"


@rule("6e.core.missions.scouring", "6e.core.missions.objectives")
def six_of_hidden_value(battle: ClassicBattle) -> Procedure[None]:
    """Six counters are laid in turn; what each is worth is drawn without being shown."""
    yield from counters_in_turn("6e.core.missions.scouring", edge=6.0, apart=12.0, number=len(_VALUES))(battle)
    left, drawn = list(_VALUES), []
    for _ in battle.state.objectives:
        sides = len(left)
        drawn.append(left.pop(battle.roll(1, sides, "hidden-value").faces[0] - 1 if sides > 1 else 0))
    battle.state.worths = tuple(drawn)


@rule("6e.core.missions.relic")
def carry_the_relic(battle: ClassicBattle) -> None:
    """When a movement phase is over the relic has gone up to 6" with the unit that carries it.

    RULING: 6e.core.missions.relic a scoring unit that ends its movement within 1" of the relic takes it up unless an
    enemy carries it; one that moves further than 6" goes ahead of it and drops it.
    """
    scene, state = battle.scene, battle.state
    if state.phase != Phase.MOVEMENT or not state.objectives:
        return
    here = (state.objectives[0][0] / 1000.0, state.objectives[0][1] / 1000.0)
    if state.carrier != NOWHERE and (not standing(state, state.carrier) or not scores(scene, state, state.carrier)):
        state.carrier = NOWHERE
    if state.carrier != NOWHERE and state.units[state.carrier].side == state.turn:
        goal = _nearest(scene, state, state.carrier, here)
        far = math.dist(here, goal)
        part = min(1.0, _CARRY / far) if far else 0.0
        here = (here[0] + (goal[0] - here[0]) * part, here[1] + (goal[1] - here[1]) * part)
        state.objectives = ((round(here[0] * 1000), round(here[1] * 1000)),)
        if part < 1.0 and far:
            state.carrier = NOWHERE
    if state.carrier == NOWHERE:
        near = [
            int(info.index)
            for info in scene.units_of(state.turn)
            if standing(state, info.index)
            and scores(scene, state, info.index)
            and math.dist(_nearest(scene, state, info.index, here), here) <= 1.0 + float(scene.reach.max())
        ]
        state.carrier = near[0] if near else NOWHERE


def _nearest(scene: Scene, state: ClassicState, unit: int, point: tuple[float, float]) -> tuple[float, float]:
    poses = to_inches(state.position[standing(state, unit)])
    best = min(poses, key=lambda pose: math.dist((pose[0], pose[1]), point))
    return float(best[0]), float(best[1])


# -- night --------------------------------------------------------------------------------------------------------


@rule("6e.core.missions.night")
def night_on_four(battle: ClassicBattle) -> bool:
    """Whether it is night: on 4 or more in the first turn; if it was not, on 4 or more from the fifth turn on."""
    state = battle.state
    if state.round > 1 and (state.nights == "first" or state.round < 5):
        return False
    face = battle.rolled(battle.roll(1, 6, "night-falls"), state.first, "6e.core.missions.night", needed=4).faces[0]
    if state.round <= 1 and face >= 4:
        state.nights = "first"
    return face >= 4


@rule("6e.core.missions.length")
def _length(battle: ClassicBattle) -> bool:
    """Whether another game turn follows; a side without anybody on the table has lost already."""
    scene, state = battle.scene, battle.state
    sides = {info.side for info in scene.units if standing(state, info.index)}
    return len(sides) > 1 and _ROLLS(battle)


_ROLLS = rolls_after({5: 3, 6: 4}, "6e.core.missions.length")


def _mission(name: str, **what: Any) -> Mission:
    mission = Mission(
        name,
        TURNS,
        MAPS,
        chart="primary",
        reserves=True,
        is_dark=night_on_four,
        goes_on=_length,
        wiped_out_loses=True,
    )
    return replace(mission, **what)


_THREES = counters_in_turn("6e.core.missions.objectives", edge=6.0, apart=12.0)

MISSIONS: Mapping[str, Mission] = {
    mission.name: mission
    for mission in (
        _mission(
            "crusade", lay=_THREES, mysterious=True, scores=(for_counters(3, "6e.core.missions.crusade"), secondaries)
        ),
        _mission("purge-the-alien", scores=(for_units, secondaries)),
        _mission(
            "big-guns-never-tire",
            lay=_THREES,
            mysterious=True,
            scores=(for_counters(3, "6e.core.missions.big-guns"), for_heavy_support, secondaries),
            scoring_slots=frozenset({Slot.HEAVY_SUPPORT.value}),
        ),
        _mission(
            "the-scouring",
            lay=six_of_hidden_value,
            mysterious=True,
            scores=(for_counters(3, "6e.core.missions.scouring"), for_fast_attack, secondaries),
            scoring_slots=frozenset({Slot.FAST_ATTACK.value}),
        ),
        _mission(
            "emperors-will",
            printed="The Emperor's Will",
            lay=a_counter_in_each_zone("6e.core.missions.emperors-will"),
            mysterious=True,
            scores=(for_counters(3, "6e.core.missions.emperors-will"), secondaries),
        ),
        _mission(
            "the-relic",
            lay=a_counter_in_the_middle("6e.core.missions.relic"),
            scores=(for_counters(3, "6e.core.missions.relic"), secondaries),
            after_phase=carry_the_relic,
        ),
    )
}


@rule("6e.core.missions.set-up-order", "6e.core.missions.deployment-maps")
def roll_mission(die: Callable[[str], int]) -> tuple[str, str]:
    """The mission and the deployment map that two dice give.

    Args:
        die: throws a D6 for something.
    """
    return tuple(MISSIONS)[die("mission") - 1], map_of(die("map"))
