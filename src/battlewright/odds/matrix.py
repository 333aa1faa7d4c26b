"""Each unit of one army against each unit of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battlewright.core.errors import BadInput, CannotAttack
from battlewright.core.roster import Army, Unit
from battlewright.odds.answer import Answer
from battlewright.odds.measures import Measure
from battlewright.odds.questions import volley

__all__ = ["Cell", "Matrix", "Way", "matrix"]


class Way(StrEnum):
    """How a unit attacks; ``best`` is whichever does more, cell by cell."""

    BEST = "best"
    SHOOTING = "shooting"
    MELEE = "melee"


_ASKED = {Way.SHOOTING: False, Way.MELEE: True}
"""The setting ``melee`` that asks for each way."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one unit does to another in one attack with all that it has.

    Attributes:
        weapons: names of the weapons used, in the order in which they are resolved.
        points, damage, slain: points of slain models, wounds removed and models slain, on average.
        p_destroyed: probability that nobody of the target is left.
        earned: points of slain models for each point of the attacking unit; 0 where it costs nothing.
    """

    weapons: tuple[str, ...]
    points: float
    damage: float
    slain: float
    p_destroyed: float
    earned: float

    def value(self, measure: Measure) -> float:
        """The number that a measure asks for."""
        number: float = getattr(self, measure.value)
        return number

    def to_json(self) -> dict[str, Any]:
        """The cell as JSON values."""
        return {"weapons": list(self.weapons)} | {measure.value: self.value(measure) for measure in Measure}


@dataclass(frozen=True)
class Matrix:
    """Each unit of one army against each unit of another, both unhurt.

    Attributes:
        attackers, targets: names of the units, in the order of their lists; namesakes are numbered.
        attacking_army, target_army: names of the armies.
        cells: for ``shooting`` and ``melee``, a row for each attacker with a cell for each target; None where the
            attacker has no weapon for it.
    """

    edition: str
    attacking_army: str
    target_army: str
    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    cells: Mapping[Way, tuple[tuple[Cell | None, ...], ...]]

    def cell(self, attacker: int, target: int, way: Way = Way.BEST, measure: Measure = Measure.POINTS) -> Cell | None:
        """One cell; for ``best`` the one with the higher measure, shooting among equals."""
        if way is not Way.BEST:
            return self.cells[way][attacker][target]
        both = [cell for each in _ASKED if (cell := self.cells[each][attacker][target]) is not None]
        return max(both, key=lambda cell: cell.value(measure), default=None)

    def values(self, measure: Measure = Measure.POINTS, way: Way = Way.BEST) -> NDArray[np.float64]:
        """One measure of every cell (shape attackers, targets); NaN where the attacker has no weapon."""
        found = np.full((len(self.attackers), len(self.targets)), np.nan)
        for row in range(len(self.attackers)):
            for column in range(len(self.targets)):
                cell = self.cell(row, column, way, measure)
                if cell is not None:
                    found[row, column] = cell.value(measure)
        return found

    def to_json(self) -> dict[str, Any]:
        """The matrix as JSON values: one list of rows for each way."""
        return {
            "edition": self.edition,
            "attacking_army": self.attacking_army,
            "target_army": self.target_army,
            "attackers": list(self.attackers),
            "targets": list(self.targets),
            **{
                way.value: [[None if cell is None else cell.to_json() for cell in row] for row in rows]
                for way, rows in self.cells.items()
            },
        }


def matrix(army_a: Army, army_b: Army, edition: str | None = None, **settings: Any) -> Matrix:
    """The exact odds of each unit of one army against each unit of another, shooting and fighting.

    Every unit uses its weapons as is best on average against that target. Without a ``range`` everything is in range,
    though not in half range.

    Args:
        army_a: attacks.
        army_b: is attacked.
        edition: of both armies; theirs by default.
        settings: circumstances of every attack, see :func:`~battlewright.odds.keys`, except ``melee``.

    Raises:
        BadInput: when the armies are of another edition, an army has no unit, or a setting is not known.
    """
    edition = edition or army_a.edition
    for army in (army_a, army_b):
        if army.edition != edition:
            raise BadInput(f'"{army.name}" is a list of another edition', where="edition", expected=army.edition)
        if not army.units:
            raise BadInput(f'"{army.name}" has no units', expected="at least one unit")
    if "melee" in settings:
        raise BadInput("a matrix always has both shooting and melee", where="melee", expected="other settings")
    cells = {
        way: tuple(
            tuple(_cell(unit, target, edition, {**settings, "melee": melee}) for target in army_b.units)
            for unit in army_a.units
        )
        for way, melee in _ASKED.items()
    }
    return Matrix(edition, army_a.name, army_b.name, _names(army_a.units), _names(army_b.units), cells)


def _cell(unit: Unit, target: Unit, edition: str, settings: Mapping[str, Any]) -> Cell | None:
    try:
        answer = volley(unit, target, edition=edition, **settings)
    except CannotAttack:
        return None
    return _summary(answer, unit.points)


def _summary(answer: Answer, cost: int) -> Cell:
    points = answer.odds.expected_points
    return Cell(
        tuple(each.name for each in answer.volleys if any(packet.effect is None for packet in each.packets)),
        points,
        answer.mean_damage,
        answer.mean_slain,
        answer.p_destroyed,
        points / cost if cost else 0.0,
    )


def _names(units: Sequence[Unit]) -> tuple[str, ...]:
    """The units' names; those that stand several times get a number."""
    names = [unit.name for unit in units]
    return tuple(
        f"{name} #{names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)
    )
