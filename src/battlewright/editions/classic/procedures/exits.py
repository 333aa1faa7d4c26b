"""Where models are placed that get out of a vehicle, or of its wreck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import Point, Pose
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.procedures.conditions import ALWAYS, Coherent, OneInch
from battlewright.editions.classic.procedures.field import outline_of
from battlewright.editions.classic.procedures.ground import PLACING
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.placing.beside import BesideSpace, region_around
from battlewright.editions.placing.conditions import Condition, WhollyWithin, gaps_to_rows
from battlewright.editions.placing.placed import Booleans, Floats, Placed
from battlewright.editions.placing.setting_up import SetUpSpace

__all__ = ["ExitSpace", "NearHatch", "OffHull", "crater_space"]


@dataclass(frozen=True)
class NearHatch(Condition):
    """Every model ends near a hatch of its vehicle.

    Attributes:
        points: where the hatches are; empty where any part of the hull serves.
        hull: the row of the vehicle.
        reach: inches; ``wholly`` whether the whole of each base has to be so near.
    """

    points: tuple[Point, ...]
    hull: int
    reach: float
    wholly: bool = False
    rule_id: str = "3e.core.vehicles.disembarking"

    def _distances(self, placed: Placed) -> tuple[Floats, Floats]:
        """(n,), (n,): inches to the nearest part and to the furthest one of each base."""
        bases = [placed.around.scene.models[int(row)].base for row in placed.rows]
        far = np.array([2 * base.reach for base in bases])
        if not self.points:
            near = np.maximum(gaps_to_rows(placed, [self.hull])[:, 0], 0.0)
            return near, near + far
        centres = np.array(self.points)[None, :, :] - placed.poses[:, None, :2]
        middle = np.hypot(centres[:, :, 0], centres[:, :, 1]).min(axis=1)
        return np.maximum(middle - far / 2, 0.0), middle + far / 2

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        near, far = self._distances(placed)
        if self.wholly:
            return np.array([within(float(each), self.reach) for each in far], np.bool_)
        is_within = placed.around.scene.rules.assault.is_within  # type: ignore[attr-defined]
        return np.array([is_within(float(a), float(b), self.reach) for a, b in zip(near, far, strict=True)], np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        near, far = self._distances(placed)
        gap = float(far[index] if self.wholly else near[index])
        return f'ends {gap:.2f}" from the nearest hatch; {self.reach:g}" at most'


@dataclass(frozen=True)
class OffHull(Condition):
    """Nobody ends where the hull of the vehicle is, though it is about to be a wreck."""

    hull: int
    rule_id: str = ""

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        return np.asarray(gaps_to_rows(placed, [self.hull])[:, 0] >= -TOLERANCE, dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        return "ends on the vehicle that it gets out of"


def crater_space(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], hull: int, rule_id: str
) -> SetUpSpace:
    """Where a unit is placed whose vehicle has exploded: in the space that the hull took."""
    pose, base = Pose.from_row(state.position[hull]), scene.models[hull].base
    footprint = outline_of(base, pose)
    xs, ys = [x for x, _ in footprint], [y for _, y in footprint]
    return _Crater(
        scene,
        state,
        unit,
        MoveKind.SET_UP,
        rows=rows,
        rule=rule_id,
        region=(min(xs), min(ys), max(xs), max(ys)),
        conditions=(*ALWAYS, Coherent(), OneInch(), WhollyWithin((footprint,), "the vehicle's space", rule_id)),
    )


class _Crater(SetUpSpace):
    placing = PLACING
    scene: Scene
    state: ClassicState


class ExitSpace(BesideSpace):
    """Where a unit is placed that gets out of a vehicle.

    Args:
        rows: its models; ``hull`` the row of the vehicle, which may be gone.
        condition: how near to it they have to be; ``besides`` what must hold more.
    """

    placing = PLACING
    scene: Scene
    state: ClassicState

    def __init__(
        self,
        scene: Scene,
        state: ClassicState,
        unit: int,
        rows: Sequence[int],
        hull: int,
        condition: NearHatch,
        rule_id: str,
        besides: Sequence[Condition] = (),
    ) -> None:
        distance = condition.reach + (0.0 if condition.wholly else 2 * max(float(scene.reach[row]) for row in rows))
        table = scene.battlefield
        super().__init__(
            scene,
            state,
            unit,
            MoveKind.SET_UP,
            rows=rows,
            rule=rule_id,
            region=region_around(scene, state, [hull], distance),
            conditions=(*ALWAYS, Coherent(), OneInch(), condition, *besides),
            near=(table.width / 2, table.height / 2),
        )
        self.hubs, self.distance = (hull,), distance
