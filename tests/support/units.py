"""Units of a scene: who is in them, where they stand, what state they are in; for every edition's scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from battlewright.core import roster

__all__ = ["UnitSpec"]


@dataclass(frozen=True)
class UnitSpec:
    """A unit of a scene: its roster, where its models stand in inches (nowhere: off the table), its state's flags."""

    models: tuple[roster.Model, ...]
    name: str
    poses: tuple[tuple[float, float, float, float], ...] = ()
    flags: Mapping[str, Any] = field(default_factory=dict)
    wounds: tuple[int, ...] = ()
    components: tuple[roster.Component, ...] = ()

    def at(
        self, x: float, y: float, *, apart: float = 2.0, rank: int = 99, z: float = 0.0, facing: float = 0.0
    ) -> UnitSpec:
        """In ranks of so many from (x, y) to the right and then up, the centres so far apart."""
        places = [(i % rank, i // rank) for i in range(len(self.models))]
        return replace(self, poses=tuple((x + apart * i, y + apart * j, z, facing) for i, j in places))

    def on(self, *points: Sequence[float]) -> UnitSpec:
        """One point (x, y[, z[, facing]]) for each model."""
        assert len(points) == len(self.models), "one point for each model"
        poses = [(*map(float, point), 0.0, 0.0)[:4] if len(point) < 4 else tuple(point) for point in points]
        return replace(self, poses=tuple((p[0], p[1], p[2], p[3]) for p in poses))

    def having(self, *, wounds: Sequence[int] = (), **flags: Any) -> UnitSpec:
        """With flags of the unit's state set, and wounds left for each model (0: destroyed).

        What is kept vehicle by vehicle (``immobilised=True``) holds for all of them.
        """
        return replace(self, flags={**self.flags, **flags}, wounds=tuple(wounds) or self.wounds)
