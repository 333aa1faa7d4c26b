"""Where units should go, and which fights they should seek."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.decisions import Side, opponent
from battlewright.core.sweeps import Sweeps
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.acting import action_of
from battlewright.editions.eleventh.core_abilities import every_model_has
from battlewright.editions.eleventh.datasheet import CoreAbilityName
from battlewright.editions.eleventh.engagement import engaged_units, is_engaged
from battlewright.editions.eleventh.flying import loss_aloft
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.missions import zone_name
from battlewright.editions.eleventh.objectives import objective_control, ranges_of
from battlewright.editions.eleventh.placed import terrain_of
from battlewright.editions.eleventh.scene import Scene, living, standing
from battlewright.editions.eleventh.state import NOBODY, EleventhState
from battlewright.players.eleventh.estimates import Estimates
from battlewright.players.eleventh.scoring import MissionSense

__all__ = ["REACHES", "Plan", "Plans"]

_PER_INCH = 1.4
"""What each inch of the way costs, in the same points."""
_SHOT_AT = 0.25
"""The share of what could be shot at a unit that arrives early which counts against it: the enemy has other targets."""
_RETALIATION = 0.6
"""How much of what an enemy would strike back with counts against a charge."""

_STEP_OUT = 6.0
"""Inches beyond its move at which passengers count a goal as near: the way out of the transport, and some more."""
_SHORT = 18.0
"""Inches of range up to which a unit that can arrive anywhere had better wait for it."""

REACHES = {total: sum(1 for a in range(1, 7) for b in range(1, 7) if a + b >= total) / 36 for total in range(2, 14)}
"""The chance that 2D6 reach at least each sum."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a unit should go: a point in inches, and how far from it to stop; ``objective`` when it is one."""

    goal: tuple[float, float]
    stop: float = 0.0
    objective: int | None = None


class Plans:
    """Plans for the units of one scene. Nothing is remembered between questions but the odds."""

    def __init__(self, scene: Scene, estimates: Estimates) -> None:
        self.scene, self.estimates, self.sense = scene, estimates, MissionSense(scene)
        self._points = [goal.point for goal in scene.battlefield.objectives]
        self._latest: tuple[object, Plan] | None = None

    # -- deployment -------------------------------------------------------------------------------------------------

    def deployment_point(self, state: EleventhState, unit: int) -> tuple[float, float]:
        """Where to set a unit up: shooters towards the home objective, the rest spread along the front."""
        side = state.units[unit].side
        zone = self.scene.battlefield.zone(zone_name(state, side))
        xs, ys = [x for x, _ in zone.polygon], [y for _, y in zone.polygon]
        home = self._home(state, side)
        mine = [each.index for each in self.scene.units_of(side)]
        if home is not None and mine.index(self.scene.units[unit].index) == self._keeper(state, side):
            return self._points[home]
        goals = [
            point
            for point, goal in zip(self._points, self.scene.battlefield.objectives, strict=True)
            if goal.role is not ObjectiveRole.HOME
        ] or [self._middle()]
        goal = goals[mine.index(self.scene.units[unit].index) % len(goals)]
        profiles = [self.scene.models[row].profile for row in living(state, unit)]
        if every_model_has(profiles, CoreAbilityName.INFILTRATORS):
            return goal
        return (min(max(goal[0], min(xs) + 3), max(xs) - 3), min(max(goal[1], min(ys) + 3), max(ys) - 3))

    def belongs_in_reserves(self, state: EleventhState, unit: int) -> bool:
        """Whether a unit with Deep Strike does better by arriving later: it shoots no further than it would have to
        go, does not keep home, and no more than a quarter of the army waits with it."""
        profiles = [self.scene.models[row].profile for row in living(state, unit)]
        if not every_model_has(profiles, CoreAbilityName.DEEP_STRIKE):
            return False
        side = state.units[unit].side
        mine = list(self.scene.units_of(side))
        if [each.index for each in mine].index(self.scene.units[unit].index) == self._keeper(state, side):
            return False
        waiting = sum(each.roster.points for each in mine if state.units[each.index].in_reserves)
        total = sum(each.roster.points for each in mine)
        if 4 * (waiting + self.scene.units[unit].roster.points) > total:
            return False
        return self.estimates.reach(state, unit, living(state, unit)) <= _SHORT

    def arrival_point(self, state: EleventhState, unit: int) -> tuple[float, float]:
        """Where a unit that comes onto the table is needed most: at an objective."""
        values = [self._objective_value(state, unit, number) for number in range(len(self._points))]
        return self._points[values.index(max(values))] if values else self._middle()

    def arrival_worth(self, state: EleventhState, unit: int) -> float:
        """What it is worth to come onto the table now, at the objective that needs the unit most, less a share of what
        the enemies near it would shoot at the unit."""
        if not self._points:
            return 0.0
        values = [self._objective_value(state, unit, number) for number in range(len(self._points))]
        best = max(values)
        x, y = self._points[values.index(best)]
        incoming = 0.0
        for foe in self.enemies(state, Side(state.units[unit].side)):
            u, v = self.centre(state, foe)
            incoming += self.estimates.shooting(state, foe, unit, float(np.hypot(x - u, y - v))).points
        return best - _SHOT_AT * min(incoming, float(self.scene.units[unit].roster.points))

    def rides(self, state: EleventhState, unit: int, carrier: int) -> bool:
        """Whether a unit that could embark gets sooner to where it should go aboard of a transport that has still to
        move: further away than two moves of its own, with nobody to shoot at or to charge from here."""
        if state.units[carrier].selected_to_move or state.units[carrier].moved_this_phase:
            return False
        plan, here = self.plan(state, unit), self.centre(state, unit)
        way = float(np.hypot(plan.goal[0] - here[0], plan.goal[1] - here[1]))
        if way <= 2 * self.speed(state, unit) or self.speed(state, carrier) <= self.speed(state, unit):
            return False
        return self.nearest_enemy(state, unit)[1] > max(self.estimates.reach(state, unit), 12.0)

    def action_gain(self, state: EleventhState, unit: int, action: str) -> float:
        """Points gained, on balance, by an action of a unit instead of its shooting and charging."""
        found = action_of(self.scene, action)
        worth = self.sense.action_worth(state, Side(state.units[unit].side), found)
        shots = max(
            (
                self.estimates.shooting(state, unit, foe, unit_distance(self.scene, state, unit, foe)).points
                for foe in self.enemies(state, Side(state.units[unit].side))
            ),
            default=0.0,
        )
        return worth - shots - max(0.0, self.charge_gain(state, unit))

    def way_to_middle(self, state: EleventhState, unit: int) -> float:
        """Inches from the unit to the middle of the table."""
        (x, y), (u, v) = self.centre(state, unit), self._middle()
        return float(np.hypot(x - u, y - v))

    def is_at(self, state: EleventhState, unit: int, objective: int) -> bool:
        """Whether the unit is in range of the objective."""
        return self._bound_for(state, unit, objective)

    def _middle(self) -> tuple[float, float]:
        return self.scene.battlefield.width / 2, self.scene.battlefield.height / 2

    def _home(self, state: EleventhState, side: Side) -> int | None:
        owner = zone_name(state, side)
        for number, goal in enumerate(self.scene.battlefield.objectives):
            if goal.role is ObjectiveRole.HOME and goal.owner == owner:
                return number
        return None

    def _keeper(self, state: EleventhState, side: Side) -> int:
        """Place in the side's list of the unit that keeps home: the cheapest that can hold an objective."""
        units = list(self.scene.units_of(side))
        able = [
            place
            for place, unit in enumerate(units)
            if any(self.scene.models[row].profile.objective_control for row in living(state, unit.index))
        ]
        return min(able or range(len(units)), key=lambda place: (units[place].roster.points, place))

    # -- movement ---------------------------------------------------------------------------------------------------

    def centre(self, state: EleventhState, unit: int) -> tuple[float, float]:
        """The middle of the unit's standing models, in inches; of its transport, or of the table, for a unit off it."""
        rows = standing(state, unit)
        if not rows:
            carrier = state.units[unit].embarked_in
            return self._middle() if carrier == NOBODY or not standing(state, carrier) else self.centre(state, carrier)
        x, y = state.position[rows, :2].mean(axis=0) / 1000.0
        return float(x), float(y)

    def enemies(self, state: EleventhState, side: Side) -> list[int]:
        """The enemy units on the battlefield."""
        return [unit.index for unit in self.scene.units_of(opponent(side)) if standing(state, unit.index)]

    def nearest_enemy(self, state: EleventhState, unit: int) -> tuple[int | None, float]:
        """The nearest enemy unit and its distance in inches; (None, 99) when there is none."""
        foes = self.enemies(state, state.units[unit].side)
        found = [(unit_distance(self.scene, state, unit, foe), foe) for foe in foes]
        if not found:
            return None, 99.0
        distance, foe = min(found)
        return foe, distance

    def nearest_objective(self, state: EleventhState, unit: int) -> tuple[float, float]:
        """The point of the objective nearest to the unit."""
        here = self.centre(state, unit)
        return min(self._points, key=lambda point: float(np.hypot(point[0] - here[0], point[1] - here[1])))

    def speed(self, state: EleventhState, unit: int, rows: Sequence[int] | None = None) -> float:
        """Inches of the slowest model's move, of those standing or of these rows."""
        rows = standing(state, unit) if rows is None else rows
        moves = [self.scene.models[row].profile.move for row in rows]
        return min((move.mean for move in moves if move is not None), default=0.0)

    def plan(self, state: EleventhState, unit: int) -> Plan:
        """The best of: hold or take an objective, or go for an enemy worth fighting."""
        key = (unit, state.turns, state.position.tobytes(), state.wounds.tobytes())
        if self._latest is None or self._latest[0] != key:
            self._latest = key, self._best_plan(state, unit)
        return self._latest[1]

    def _best_plan(self, state: EleventhState, unit: int) -> Plan:
        best, found = -1e9, Plan(self._middle())
        here, speed = self.centre(state, unit), max(1.0, self.speed(state, unit))
        for number, point in enumerate(self._points):
            value = self._objective_value(state, unit, number)
            way = float(np.hypot(point[0] - here[0], point[1] - here[1]))
            value -= _PER_INCH * way * (6.0 / (speed + 2.0))
            if value > best:
                best, found = value, Plan(point, 0.0, number)
        hunt = self._hunt(state, unit, here, speed)
        if hunt is not None and hunt[0] > best:
            return hunt[1]
        return found

    def _hunt(
        self, state: EleventhState, unit: int, here: tuple[float, float], speed: float
    ) -> tuple[float, Plan] | None:
        """The enemy most worth going for in melee, if there is one."""
        best: tuple[float, Plan] | None = None
        for foe in self.enemies(state, state.units[unit].side):
            gain = self.clash(state, unit, foe)
            if gain <= 0:
                continue
            there = self.centre(state, foe)
            way = float(np.hypot(there[0] - here[0], there[1] - here[1]))
            value = 0.6 * gain - _PER_INCH * max(0.0, way - speed - 7.0)
            if best is None or value > best[0]:
                best = value, Plan(there, 0.0)
        return best

    def _objective_value(self, state: EleventhState, unit: int, objective: int) -> float:
        """What it is worth that this unit goes to, or stays on, the objective."""
        side = state.units[unit].side
        own = self._control_of(state, unit)
        ours = theirs = 0
        for other in self.scene.units:
            if other.index == unit or not standing(state, other.index):
                continue
            if self._bound_for(state, other.index, objective):
                if other.side == side:
                    ours += self._control_of(state, other.index)
                else:
                    theirs += self._control_of(state, other.index)
        worth = self.sense.worth(state, side, objective)
        if ours > theirs:
            return worth * (0.1 if ours > theirs + own else 0.25)
        if ours + own > theirs:
            return worth
        return worth * 0.5

    def _bound_for(self, state: EleventhState, unit: int, objective: int) -> bool:
        first = self.scene.units[unit].rows[0]
        near = ranges_of(self.scene, state, unit)[:, objective]
        return bool(near.any()) and any(near[row - first] for row in standing(state, unit))

    def _control_of(self, state: EleventhState, unit: int) -> int:
        return sum(objective_control(self.scene, state, row) for row in standing(state, unit))

    def move_kind(self, state: EleventhState, unit: int, offered: Collection[str]) -> str:
        """Which of the offered types of move: fall back out of a losing fight, advance when nothing is lost by it."""
        if "ingress" in offered:
            return "ingress"
        if "disembark" in offered:
            return "disembark" if self._is_near_goal(state, unit) else "stationary"
        if "normal" not in offered:
            return "fall-back" if "fall-back" in offered and self._is_losing(state, unit) else "stationary"
        plan = self.plan(state, unit)
        here = self.centre(state, unit)
        way = float(np.hypot(plan.goal[0] - here[0], plan.goal[1] - here[1]))
        if plan.objective is not None and self._bound_for(state, unit, plan.objective) and way < 2.0:
            return "stationary"
        _, distance = self.nearest_enemy(state, unit)
        speed, reach = self.speed(state, unit), self.estimates.reach(state, unit)
        shoots = reach > 0 and distance <= reach + speed
        charges = distance <= speed + 9.0 and self.charge_gain(state, unit, ahead=speed) > 0
        if way > speed + 2.0 and not shoots and not charges and "advance" in offered:
            return "advance"
        return "normal"

    def is_aboard(self, state: EleventhState, unit: int) -> bool:
        """Whether the unit is aboard of a transport."""
        return state.units[unit].embarked_in != NOBODY

    def _is_near_goal(self, state: EleventhState, unit: int) -> bool:
        """Whether passengers that get out now get to where they should go, or have enemies to deal with."""
        carrier = state.units[unit].embarked_in
        goal, here = self.arrival_point(state, unit), self.centre(state, carrier)
        speed = self.speed(state, unit, living(state, unit))
        if float(np.hypot(goal[0] - here[0], goal[1] - here[1])) <= speed + _STEP_OUT:
            return True
        return self.nearest_enemy(state, carrier)[1] <= speed + _STEP_OUT

    def wants_to_fly(self, state: EleventhState, unit: int) -> bool:
        """Whether taking to the skies pays: when it costs nothing, or walls or enemies lie across the way."""
        if loss_aloft(self.scene, state, unit) == 0:
            return True
        if is_engaged(self.scene, state, unit):
            return False
        goal, here = np.array(self.plan(state, unit).goal), np.array(self.centre(state, unit))
        way = goal - here
        far = float(np.hypot(*way))
        if far <= 1.0:
            return False
        ahead = here + way * min(1.0, self.speed(state, unit) / far)
        walls = terrain_of(self.scene).walls
        rows = standing(state, unit)[:1]
        if not len(walls):
            return False
        sweeps = Sweeps.straight(
            self.scene.bases.take(rows), np.array([[*here, 0.0, 0.0]]), np.array([[*ahead, 0.0, 0.0]])
        )
        light = all("INFANTRY" in self.scene.models[row].profile.keywords for row in rows)
        return not light and bool(sweeps.cross(walls).any())

    def _is_losing(self, state: EleventhState, unit: int) -> bool:
        if state.units[unit].battle_shocked:
            return False
        foes = engaged_units(self.scene, state, unit)
        gain = max((self.clash(state, unit, foe) for foe in foes), default=0.0)
        return gain < -20.0

    # -- fights -----------------------------------------------------------------------------------------------------

    def clash(self, state: EleventhState, unit: int, foe: int) -> float:
        """Points gained, on balance, by charging an enemy: what is struck less a share of what is struck back."""
        mine = self.estimates.melee(state, unit, foe, charged=True)
        wounds = sum(int(state.wounds[row]) for row in living(state, foe))
        left = max(0.0, 1.0 - mine.damage / max(1, wounds))
        back = self.estimates.melee(state, foe, unit)
        bonus = 10.0 if any(self._bound_for(state, foe, goal) for goal in range(len(self._points))) else 0.0
        return mine.points + bonus - _RETALIATION * left * back.points

    def charge_gain(self, state: EleventhState, unit: int, *, ahead: float = 0.0) -> float:
        """The best of charging any enemy, weighed by the chance of the roll; ``ahead`` inches nearer than now."""
        if is_engaged(self.scene, state, unit):
            return 0.0
        best = 0.0
        for foe in self.enemies(state, state.units[unit].side):
            distance = unit_distance(self.scene, state, unit, foe) - ahead
            if distance > 12.0:
                continue
            need = max(2, int(np.ceil(distance - 1e-3)))
            best = max(best, REACHES.get(need, 0.0) * self.clash(state, unit, foe))
        return best

    def melee_worth(self, state: EleventhState, unit: int) -> float:
        """What the unit strikes for among those it is engaged with."""
        foes = engaged_units(self.scene, state, unit)
        return max((self.estimates.melee(state, unit, foe).points for foe in foes), default=0.0)
