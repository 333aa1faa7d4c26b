"""Getting out of a vehicle as a move: from a hatch straight to where a model ends, with what terrain makes of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.footprints import Footprints
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.footwork import terrain_test_dice
from battlewright.editions.classic.procedures.accidents import dare
from battlewright.editions.classic.procedures.events import TerrainTested
from battlewright.editions.classic.procedures.ground import difficult_of, kind_rules
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, living
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.terrain import Crossing, higher_die
from battlewright.editions.placing.beside import region_around
from battlewright.editions.placing.conditions import Condition, gaps_to_rows
from battlewright.editions.placing.placed import Booleans, Floats, Placed

__all__ = ["OnFoot", "dare_the_ground", "minds_ground", "take_ground_test"]

_RULE = "6e.disembark-placement.terrain-tests"


@dataclass(frozen=True)
class OnFoot(Condition):
    """Models whom difficult terrain slows keep out of it on their straight way from the vehicle, or within their test.

    Attributes:
        points: where the hatches are; empty where any part of the hull serves.
        hull: the row of the vehicle.
        allowed: inches that a terrain test allows them to move; None without one.
    """

    points: tuple[Point, ...]
    hull: int
    allowed: float | None
    rule_id: str = _RULE

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        scene, state = placed.around.scene, placed.around.state
        assert isinstance(scene, Scene)
        assert isinstance(state, ClassicState)
        rows = [int(row) for row in placed.rows]
        slowed = np.array([kind_rules(scene, row).slowed for row in rows], np.bool_)
        starts = starts_of(placed, self.points, self.hull)
        if self.allowed is not None:
            length = np.hypot(*(placed.poses[:, :2] - starts[:, :2]).T)
            return np.asarray(~slowed | (length <= self.allowed + TOLERANCE), dtype=np.bool_)
        pieces = difficult_of(scene, state)
        wet = pieces.touched(_ways(scene, rows, starts, placed.poses))[:, pieces.slowing].any(axis=1)
        return np.asarray(~slowed | ~wet, dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        if self.allowed is not None:
            return f'goes further from the hatch than the {self.allowed:g}" of the terrain test'
        return "gets out through difficult terrain without a terrain test"


def starts_of(placed: Placed, points: Sequence[Point], hull: int) -> Floats:
    """(n, 4): where models begin that get out: their bases against the nearest hatch, or against the hull."""
    poses = placed.poses.copy()
    if not points:
        gaps = np.maximum(gaps_to_rows(placed, [hull])[:, 0], 0.0)
        middle = placed.around.state.position[hull, :2] / 1000.0
        way = middle[None, :] - poses[:, :2]
        poses[:, :2] += way / np.maximum(np.hypot(*way.T), TOLERANCE)[:, None] * gaps[:, None]
        return poses
    hatches = np.array(points, np.float64)
    apart = np.hypot(*(poses[:, None, :2] - hatches[None]).transpose(2, 0, 1))
    nearest = hatches[apart.argmin(axis=1)]
    away = apart.min(axis=1)
    radius = np.array([placed.around.scene.models[int(row)].base.width / 2 for row in placed.rows])
    share = np.minimum(radius / np.maximum(away, TOLERANCE), 1.0)
    poses[:, :2] = nearest + (poses[:, :2] - nearest) * share[:, None]
    return poses


def _ways(scene: Scene, rows: Sequence[int], starts: Floats, ends: Floats) -> Footprints:
    return scene.bases.some_at(rows, starts).swept(ends[:, :2] - starts[:, :2])


def minds_ground(scene: Scene, state: ClassicState, unit: int, hull: int, reach: float) -> bool:
    """Whether difficult terrain lies within reach of a vehicle from which models get out whom it slows."""
    pieces = difficult_of(scene, state)
    if not len(pieces) or not any(kind_rules(scene, row).slowed for row in living(state, unit)):
        return False
    x0, y0, x1, y1 = region_around(scene, state, [hull], reach)
    boxes = pieces.boxes[pieces.slowing]
    near = (boxes[:, 0] <= x1) & (boxes[:, 2] >= x0) & (boxes[:, 1] <= y1) & (boxes[:, 3] >= y0)
    return bool(near.any())


@rule("6e.disembark-placement.terrain-tests")
def take_ground_test(battle: ClassicBattle, unit: int, *, dry: bool) -> Procedure[int | None]:
    """The terrain test of a unit that gets out, in inches; None when it keeps out of difficult terrain.

    Args:
        dry: whether it finds places without entering any; where it does not it has to take the test.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    if dry:
        options = [
            Option("dry", "keep out of difficult terrain", False),
            Option("terrain", "take a terrain test", True),
        ]
        tested: bool = yield from choose(
            Decision(
                info.side,
                "select-exit",
                f"How does {info.name} get out?",
                _RULE,
                Options(options, rule=_RULE, default="dry"),
                subject=info.index,
            )
        )
        if not tested:
            return None
    dice = terrain_test_dice(traits_of(scene, state, unit))
    faces = battle.rolled(battle.roll(dice, 6, "terrain-test"), info.side, _RULE, unit=info.id).faces
    battle.happened(TerrainTested(unit=info.id, faces=faces, allowed=higher_die(faces), entering=(), rules=(_RULE,)))
    return higher_die(faces)


@rule("6e.disembark-placement.terrain-tests")
def dare_the_ground(
    battle: ClassicBattle, unit: int, placed: Placed, points: Sequence[Point], hull: int
) -> Procedure[None]:
    """Dangerous ground on the way out, model by model.

    Args:
        placed: where they have got out to; ``points`` the hatches, ``hull`` the row of the vehicle.
    """
    pieces = difficult_of(battle.scene, battle.state)
    if not len(pieces):
        return
    rows = [int(row) for row in placed.rows]
    starts = starts_of(placed, points, hull)
    first = pieces.touched(battle.scene.bases.some_at(rows, starts))
    last = pieces.touched(battle.scene.bases.some_at(rows, placed.poses))
    between = pieces.touched(_ways(battle.scene, rows, starts, placed.poses))
    met = {
        row: [
            Crossing(
                bool(first[n, k]),
                bool(last[n, k]),
                bool(between[n, k]),
                bool(pieces.slowing[k]),
                bool(pieces.dangerous[k]),
            )
            for k in np.flatnonzero(between[n])
        ]
        for n, row in enumerate(rows)
    }
    lost = yield from dare(battle, unit, met)
    bury(battle, lost, "lost in difficult terrain", "3e.core.movement.dangerous-by-type")
