"""Where the heuristic player of the classic editions flies: to face whom its guns are worth most against.

A flight is answered in a space of its own that lists ways worth a look; the edition that has it decides what is legal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

from battlewright.core.decisions import Answer, Place, Violation
from battlewright.editions.classic.scene import standing
from battlewright.editions.classic.state import ClassicState
from battlewright.players.classic.plans import Plans

__all__ = ["Flights", "best_flight", "is_flight", "worth_of_bomb"]

_AHEAD = 30.0
"""Degrees off its nose within which a flyer is taken to bring its guns to bear."""
_NEXT = 18.0
"""Inches that it will have to fly in its next turn."""
_ROUGHLY = 6.0
"""Inches to which distances are rounded, so that few odds are asked."""
_BLAST = 2.5


class Flights(Protocol):
    """The space of a flight, as far as it matters here."""

    def ways(self) -> Iterator[Place]:
        """Flights worth a look, legal or not."""
        ...

    def leaves(self, answer: Place) -> bool:
        """Whether a flight leads off the table."""
        ...

    def check(self, answer: Answer) -> list[Violation]:
        """What is wrong with it."""
        ...


def is_flight(space: object) -> bool:
    """Whether a space is that of a flight."""
    return hasattr(space, "ways") and hasattr(space, "leaves")


def best_flight(plans: Plans, state: ClassicState, unit: int, space: Flights) -> Place | None:
    """The flight that leaves a unit best placed to fire, and not about to leave the table; None where none is legal.

    Args:
        unit: that flies.
    """
    foes = plans.enemies(state, state.units[unit].side)
    centres = {foe: plans.centre(state, foe) for foe in foes}
    gains: dict[tuple[int, int], float] = {}
    best, found = -math.inf, None
    for way in space.ways():
        worth = _worth(plans, state, unit, way, centres, gains)
        if worth > best and not space.check(way) and not space.leaves(way):
            best, found = worth, way
    return found


def _worth(
    plans: Plans,
    state: ClassicState,
    unit: int,
    way: Place,
    centres: dict[int, tuple[float, float]],
    gains: dict[tuple[int, int], float],
) -> float:
    """Points that the best shot from the end of a flight is worth, less where the next flight would leave the table."""
    x, y, _, facing = (value / 1000.0 for value in way.moves[0].path[-1])
    angle = math.radians(facing)
    table = plans.scene.battlefield
    ahead = x + _NEXT * math.cos(angle), y + _NEXT * math.sin(angle)
    inside = 0.0 <= ahead[0] <= table.width and 0.0 <= ahead[1] <= table.height
    best = 0.0
    for foe, there in centres.items():
        far = math.dist((x, y), there)
        off = abs((math.degrees(math.atan2(there[1] - y, there[0] - x)) - facing + 180.0) % 360.0 - 180.0)
        key = foe, round(far / _ROUGHLY)
        if key not in gains:
            distance = max(1.0, key[1] * _ROUGHLY)
            gains[key] = plans.estimates.shooting(state, unit, foe, distance, moved=True).points
        best = max(best, gains[key] * (1.0 if off <= _AHEAD else 0.3))
    return best + (0.0 if inside else -0.25 * best - 0.01)


def worth_of_bomb(plans: Plans, state: ClassicState, side: int, row: int) -> float:
    """How many points of the enemy, less those of friends, stand about a model, of either side."""
    x, y = state.position[row, :2] / 1000.0
    total = 0.0
    for info in plans.scene.units:
        sign = -1.0 if info.side == side else 1.0
        for each in standing(state, int(info.index)):
            u, v = state.position[each, :2] / 1000.0
            if math.hypot(u - x, v - y) <= _BLAST:
                total += sign * plans.scene.models[each].points
    return total
