"""Objectives (14), the end of a turn and of the battle (07, mission sequence)."""

from __future__ import annotations

import math

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.battle import Procedure, Result, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, distance_edge_to_point, touches_polygon, within
from battlewright.editions.eleventh import coherency, damage, missions
from battlewright.editions.eleventh.events import ObjectiveControlChanged
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import NOBODY, EleventhState

__all__ = [
    "control_levels",
    "determine_control",
    "end_of_battle",
    "end_of_turn",
    "is_controlling",
    "is_in_range",
    "objective_control",
    "result_of",
]

MARKER_RANGE = 3.0
"""Inches from the edge of an objective marker, horizontally (14)."""
MARKER_HEIGHT = 5.0
"""Inches up or down from an objective marker (14)."""

_COHERENCY, _SCORING = 1, 2


# -- range and control (14) -------------------------------------------------------------------------------------


@rule("11e.core.14-terrain-objective", "11e.core.14-objective-marker")
def is_in_range(scene: Scene, state: EleventhState, row: int, objective: int) -> bool:
    """Whether a model is in range: within the terrain area that is the objective, else 3" across and 5" up or down of
    its 40 mm marker (14)."""
    goal = scene.battlefield.objectives[objective]
    base, pose = scene.models[row].base, Pose.from_row(state.position[row])
    if goal.area is not None:
        return touches_polygon(base, pose, scene.battlefield.area(goal.area).polygon)
    gap = distance_edge_to_point(base, pose, goal.point) - goal.radius
    return within(gap, MARKER_RANGE) and within(abs(pose.z), MARKER_HEIGHT)


@rule("11e.ds-profile.oc-dash", "11e.core.01.07-shocked-oc")
def objective_control(scene: Scene, state: EleventhState, row: int) -> int:
    """What the model adds to its side's level of control: its OC; nothing for OC "-" or while battle-shocked."""
    model = scene.models[row]
    if state.units[model.unit].battle_shocked:
        return 0
    return model.profile.objective_control or 0


@rule("11e.core.14-level-of-control")
def control_levels(scene: Scene, state: EleventhState, objective: int) -> tuple[int, int]:
    """The sums of OC of each side's models in range of the objective (14)."""
    levels = [0, 0]
    for row in _candidates(scene, state, objective):
        worth = objective_control(scene, state, row)
        if worth and is_in_range(scene, state, row, objective):
            levels[scene.models[row].side] += worth
    return levels[0], levels[1]


def _candidates(scene: Scene, state: EleventhState, objective: int) -> list[int]:
    """Living models on the table whose centres are near enough to be in range; all others cannot be."""
    key = "objective circle", objective
    if key not in scene.cache:
        goal = scene.battlefield.objectives[objective]
        corners = (goal.point,) if goal.area is None else scene.battlefield.area(goal.area).polygon
        margin = goal.radius + MARKER_RANGE if goal.area is None else 0.0
        scene.cache[key] = max(math.dist(goal.point, corner) for corner in corners) + margin + 2 * TOLERANCE
    x, y = scene.battlefield.objectives[objective].point
    centres = state.position[:, :2] / 1000.0
    near = np.hypot(centres[:, 0] - x, centres[:, 1] - y) <= scene.reach + scene.cache[key]
    rows: list[int] = np.flatnonzero(near & state.on_table & (state.wounds > 0)).tolist()
    return rows


@rule("11e.core.14-control", "11e.core.14-secured", "11e.core.14-uncontrolled-at-start", "11e.core.07-objectives-first")
def determine_control(battle: Battle11) -> None:
    """Settle who controls each objective: the higher level; equal levels leave it to whoever secured it, else nobody.

    A secured objective is lost once the opponent's level is higher at the end of a phase (14).
    """
    scene, state = battle.scene, battle.state
    control, secured = list(state.control), list(state.secured)
    for number, goal in enumerate(scene.battlefield.objectives):
        levels = control_levels(scene, state, number)
        holder = NOBODY if levels[0] == levels[1] else SIDES[levels[1] > levels[0]]
        if holder != NOBODY and secured[number] == opponent(Side(holder)):
            secured[number] = NOBODY
        if holder == NOBODY:
            holder = secured[number]
        if holder != control[number]:
            battle.happened(
                ObjectiveControlChanged(
                    objective=goal.id,
                    side=None if holder == NOBODY else Side(holder),
                    levels=levels,
                    rules=("11e.core.14-control",),
                )
            )
        control[number] = holder
    state.control, state.secured = tuple(control), tuple(secured)


@rule("11e.core.14-controlling-unit")
def is_controlling(scene: Scene, state: EleventhState, unit: int, objective: int) -> bool:
    """Whether the unit is controlling the objective: its player does, and a model of it in range has OC 1 or more."""
    return state.control[objective] == state.units[unit].side and any(
        objective_control(scene, state, row) >= 1 and is_in_range(scene, state, row, objective)
        for row in standing(state, unit)
    )


# -- end of turn (07) -------------------------------------------------------------------------------------------


@resumable
@rule("11e.core.07-coherency-at-end-of-turn", "11e.core.03.03-end-of-turn-removal")
def end_of_turn(battle: Battle11) -> Procedure[None]:
    """Objective control, then incoherent units lose models one by one, then the mission scores (07, 03.03).

    RULING: 11e.core.07-objectives-first we read "the very first thing" as settling control for the scoring of this
    turn, so that models removed for coherency afterwards do not change it.
    """
    state = battle.state
    if state.begin(_COHERENCY):
        determine_control(battle)
    while (unit := _next_incoherent(battle)) is not None:
        yield from _remove_one(battle, unit)
    if state.begin(_SCORING):
        missions.end_of_turn(battle, state.turn)


def _next_incoherent(battle: Battle11) -> int | None:
    scene, state = battle.scene, battle.state
    for side in (state.turn, opponent(state.turn)):
        for unit in scene.units_of(side):
            if not coherency.is_coherent(scene, state, standing(state, unit.index)):
                return unit.index
    return None


@resumable
@rule("11e.core.03.03-removal-triggers-nothing")
def _remove_one(battle: Battle11, unit: int) -> Procedure[None]:
    """The unit's owner removes one of its models; it counts as destroyed but triggers nothing (03.03)."""
    scene, state = battle.scene, battle.state
    info = scene.units[unit]
    choices = Options(
        lambda: [Option(f"model:{row}", scene.models[row].name, row) for row in standing(state, unit)],
        rule="11e.core.03.03-end-of-turn-removal",
    )
    decision = Decision(
        info.side,
        "remove-incoherent-model",
        f"{info.name} is out of coherency: remove a model",
        "11e.core.03.03-end-of-turn-removal",
        choices,
        is_checkpoint=True,
        subject=info.index,
    )
    answer = yield decision
    row = choices.value_of(answer)
    damage.remove_incoherent(battle, row)


# -- end of the battle ------------------------------------------------------------------------------------------


def end_of_battle(battle: Battle11) -> None:
    """Score what is scored at the end of the battle; the result follows from the state."""
    missions.end_of_battle(battle)


@rule("11e.core.mission.victor")
def result_of(state: EleventhState, rounds: int) -> Result:
    """Most victory points win; equal is a draw."""
    a, b = state.vp
    return Result(None if a == b else SIDES[b > a], (a, b), rounds)
