"""Where units of a classic edition should go, whom they should shoot at and whom they should assault."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from battlewright.core.decisions import Side, opponent
from battlewright.editions.classic.firing import Firing, bars_assault, deeds_of_fire
from battlewright.editions.classic.missions import mission_of
from battlewright.editions.classic.procedures.counting import places
from battlewright.editions.classic.procedures.fire_points import carrier_of, has_moved
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.players.classic.estimates import Estimates

__all__ = ["Plan", "Plans", "Point"]

Point = tuple[float, float]

_ASSAULT = 6.0
"""Inches that most units assault over."""
_RETALIATION = 0.7
"""The share of what is struck back that is held against an assault."""
_GET_OUT = 14.0
"""Inches from the enemy at which passengers get out."""
_NEAR_ENOUGH = 2.5
"""Inches from the middle of a unit to the ground that it holds."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a unit should do with its move.

    Attributes:
        goal: a point in inches. ``stop``: how far from it the move should end.
        stays: whether it does better where it stands.
        foe: whom it goes for, None for ground.
    """

    goal: Point
    stop: float = 0.0
    stays: bool = False
    foe: int | None = None


class Plans:
    """Looks at a state and says what units should do; keeps nothing but the odds."""

    def __init__(self, scene: Scene, estimates: Estimates) -> None:
        self.scene, self.estimates = scene, estimates
        table = scene.battlefield
        self.middle: Point = (table.width / 2, table.height / 2)

    # -- looking ----------------------------------------------------------------------------------------------------

    def centre(self, state: ClassicState, unit: int) -> Point:
        """The middle of a unit's standing models, in inches."""
        x, y = state.position[standing(state, unit)][:, :2].mean(axis=0) / 1000.0
        return float(x), float(y)

    def gap(self, state: ClassicState, unit: int, other: int) -> float:
        """Inches between the nearest models of two units, their bases taken for circles."""
        rows, others = standing(state, unit) or self._aboard(state, unit), standing(state, other)
        here, there = state.position[rows][:, None, :2] / 1000.0, state.position[others][None, :, :2] / 1000.0
        apart = np.hypot(*np.moveaxis(here - there, -1, 0))
        apart = apart - self.scene.reach[rows][:, None] - self.scene.reach[others][None, :]
        return max(0.0, float(apart.min()))

    def _aboard(self, state: ClassicState, unit: int) -> list[int]:
        """The vehicle that a unit is in."""
        hull = carrier_of(state, unit)
        return [] if hull is None else [hull]

    def enemies(self, state: ClassicState, side: Side) -> list[int]:
        """The enemy's units on the table."""
        return [int(info.index) for info in self.scene.units_of(opponent(side)) if standing(state, info.index)]

    def speed(self, state: ClassicState, unit: int) -> float:
        """Inches that the unit usually moves, by its slowest model."""
        rows = standing(state, unit) or list(state.units[unit].models)
        return max(1.0, min(kind_rules(self.scene, row).move for row in rows))

    def gets_out(self, state: ClassicState, unit: int) -> bool:
        """Whether passengers are near enough to what they are for: an enemy, or the end of the battle."""
        carrier = state.units[unit].embarked
        foes = self.enemies(state, state.units[unit].side)
        if carrier < 0 or not standing(state, carrier) or not foes:
            return True
        if self._fought_from(state, carrier):
            return False
        late = state.round >= self.scene.mission.turns - 1
        return late or min(self.gap(state, carrier, foe) for foe in foes) <= _GET_OUT

    def _fought_from(self, state: ClassicState, carrier: int) -> bool:
        """Whether those aboard of a vehicle fight from it."""
        fights_from = self.scene.rules.characters.riding
        return any(fights_from(self.scene.models[row].profile.keywords) for row in standing(state, carrier))

    # -- what is gained -----------------------------------------------------------------------------------------------

    def clash(self, state: ClassicState, unit: int, foe: int) -> float:
        """Points gained, on balance, by assaulting an enemy: what is struck less a share of what is struck back."""
        if state.units[foe].aloft:
            return 0.0
        mine = self.estimates.melee(state, unit, foe, charged=True)
        wounds = sum(int(state.wounds[row]) for row in standing(state, foe))
        left = max(0.0, 1.0 - mine.damage / max(1, wounds))
        back = self.estimates.melee(state, foe, unit)
        return mine.points - _RETALIATION * left * back.points

    def charge_gain(self, state: ClassicState, unit: int, *, reach: float = _ASSAULT) -> float:
        """The best of assaulting an enemy within so many inches."""
        side = state.units[unit].side
        near = [foe for foe in self.enemies(state, side) if self.gap(state, unit, foe) <= reach]
        return max((self.clash(state, unit, foe) for foe in near), default=0.0)

    def fire_gain(self, state: ClassicState, unit: int, foe: int, *, moved: bool, nearer: float = 0.0) -> float:
        """Points that a unit's shooting at an enemy gains, from so many inches nearer than it stands."""
        distance = max(1.0, self.gap(state, unit, foe) - nearer)
        return self.estimates.shooting(state, unit, foe, distance, moved=moved).points

    def salvo_gain(self, state: ClassicState, unit: int, foe: int, weapons: Collection[str]) -> float:
        """Points that a unit gains by firing weapons of these names alone at an enemy."""
        distance, moved = max(1.0, self.gap(state, unit, foe)), has_moved(state, unit)
        return self.estimates.shooting(state, unit, foe, distance, moved=moved, only=weapons).points

    def best_target(self, state: ClassicState, unit: int, foes: list[int]) -> tuple[int | None, float]:
        """Whom of these it gains most to shoot at, and what; None where nothing is gained."""
        moved = has_moved(state, unit)
        gains = {foe: self.fire_gain(state, unit, foe, moved=moved) for foe in foes}
        best = max(gains, key=lambda foe: (gains[foe], -foe), default=None)
        return (best, gains[best]) if best is not None and gains[best] > 0 else (None, 0.0)

    def holds_fire(self, state: ClassicState, unit: int, gain: float) -> bool:
        """Whether a unit should rather assault than shoot, and shooting would keep it from that."""
        moved = state.units[unit].moved
        shots = self.scene.rules.shooting.shots
        barred = any(
            bars_assault(deeds_of_fire(armed[0], firing, fired))
            for armed in self.estimates.guns(state, unit)
            if (fired := shots[armed[0].type](armed[0], firing := Firing(moved=moved, distance=_ASSAULT))) is not None
        )
        return barred and self.charge_gain(state, unit) > gain

    # -- going --------------------------------------------------------------------------------------------------------

    def plan(self, state: ClassicState, unit: int) -> Plan:
        """Where a unit should go in its movement."""
        ground = self._ground(state, unit)
        if ground is not None:
            return ground
        here, side = self.centre(state, unit), state.units[unit].side
        foes = self.enemies(state, side)
        if not foes:
            return Plan(self.middle)
        if any(each.embarked == unit for each in state.units) and not self._fought_from(state, unit):
            foe = min(foes, key=lambda each: (self.gap(state, unit, each), each))
            return Plan(self.centre(state, foe), stop=_GET_OUT - 3.0, foe=foe)
        speed = self.speed(state, unit)
        standing_still = max(self.fire_gain(state, unit, foe, moved=False) for foe in foes)
        best, found = -math.inf, Plan(here, stays=True)
        reach = self.estimates.reach(state, unit)
        for foe in foes:
            apart = self.gap(state, unit, foe)
            there = self.centre(state, foe)
            fights = self.clash(state, unit, foe)
            after = max(0.0, apart - speed)
            if fights > 0:
                turns = max(0.0, math.ceil((after - _ASSAULT) / speed))
                worth = fights / (1.0 + 0.6 * turns) + self.fire_gain(state, unit, foe, moved=True, nearer=speed)
                if worth > best:
                    best, found = worth, Plan(there, stop=0.0, foe=foe)
            if reach:
                distance = max(2.0, min(reach * 0.95, apart))
                turns = max(0.0, math.ceil((apart - speed - distance) / speed))
                nearer = min(speed, max(0.0, apart - distance))
                worth = self.estimates.shooting(state, unit, foe, distance, moved=nearer > 0).points / (1 + 0.5 * turns)
                if worth > best:
                    way = math.dist(here, there) - apart + distance
                    best, found = worth, Plan(there, stop=way, foe=foe)
        if standing_still > 0 and standing_still >= best:
            return Plan(here, stays=True)
        return found

    def _ground(self, state: ClassicState, unit: int) -> Plan | None:
        """Ground that this unit should hold when the battle ends, if it is time to go there."""
        side = state.units[unit].side
        place = self._holders(state, side).get(unit)
        if place is None:
            return None
        way = math.dist(self.centre(state, unit), place)
        needed = math.ceil(max(0.0, way - _NEAR_ENOUGH) / self.speed(state, unit))
        if self.scene.mission.turns - state.round + 1 > needed + 1:
            return None
        return Plan(place, stays=way <= _NEAR_ENOUGH)

    def _holders(self, state: ClassicState, side: Side) -> dict[int, Point]:
        """For each place worth holding the nearest of the units that may hold it and have none yet."""
        mission, rules = mission_of(self.scene), self.scene.rules.missions
        points = places(self.scene, state) if mission.places is None else mission.places(self.scene, state, side)
        free = {
            unit: self.centre(state, unit) for unit in self._mine(state, side) if rules.scores(self.scene, state, unit)
        }
        found: dict[int, Point] = {}
        for point in points:
            if free:
                unit = min(free, key=lambda each: (math.dist(free[each], point), each))
                found[unit] = point
                del free[unit]
        return found

    def _mine(self, state: ClassicState, side: Side) -> list[int]:
        return [int(info.index) for info in self.scene.units_of(side) if standing(state, info.index)]

    # -- setting up ---------------------------------------------------------------------------------------------------

    def deployment_point(self, state: ClassicState, unit: int, box: tuple[float, float, float, float]) -> Point:
        """Where a unit should be set up in a zone: those that fight in front, those that shoot far behind them."""
        x0, y0, x1, y1 = box
        side = state.units[unit].side
        mine = [info.index for info in self.scene.listed(side)]
        place = (mine.index(self.scene.units[unit].index) * 7) % max(1, len(mine))
        along = (place + 0.5) / max(1, len(mine))
        deep = 0.75 if self._range_of(unit) > 30.0 else 0.12
        wide = x1 - x0 >= y1 - y0
        front = self.middle[1] if wide else self.middle[0]
        low, high = (y0, y1) if wide else (x0, x1)
        near, far = (high, low) if abs(high - front) <= abs(low - front) else (low, high)
        across = near + (far - near) * deep
        return (x0 + (x1 - x0) * along, across) if wide else (across, y0 + (y1 - y0) * along)

    def _range_of(self, unit: int) -> float:
        """The longest range of a unit's heavy weapons, in inches."""
        ranges = [
            weapon.profiles[0].range
            for row in self.scene.units[unit].rows
            for weapon in self.scene.models[row].weapons
            if not weapon.melee
        ]
        return max(ranges, default=0.0)
