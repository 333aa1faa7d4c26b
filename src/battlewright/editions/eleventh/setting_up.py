"""Setting up (03.02): where a unit may come onto the table, and deployment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from battlewright.core.bases import Polygon
from battlewright.core.decisions import Answer, Place, RandomSource, Side, Violation
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import formations
from battlewright.editions.eleventh.conditions import (
    ClearOfModels,
    Coherent,
    Condition,
    DeployedOrInfiltrated,
    Ending,
    OnTable,
    StandsOnTerrain,
    Unengaged,
    WhollyWithin,
)
from battlewright.editions.eleventh.core_abilities import ENEMY_DISTANCE, every_model_has
from battlewright.editions.eleventh.datasheet import CoreAbilityName
from battlewright.editions.eleventh.placed import Box, Placed
from battlewright.editions.eleventh.scene import Battle11, Scene, living
from battlewright.editions.eleventh.spaces import LOOKOUT, Space, Suggestion
from battlewright.editions.eleventh.state import EleventhState, MoveKind

__all__ = ["SetUpSpace", "box_of", "deployment_space", "zone_space", "zones_of"]

_SET_UP: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(moved=False), Coherent())


class SetUpSpace(Space):
    """One unit that comes onto the table (03.02): every living model is placed once, by a path of one waypoint.

    Args:
        region: x0, y0, x1, y1 in inches, a rectangle that holds every allowed place.
        strips: rectangles within it, outside of which no model's middle may stand; the whole region when empty.
        after: what must hold besides what always must.
        near: where the default is looked for first, inches; the middle of the region when None.
    """

    def __init__(
        self,
        scene: Scene,
        state: EleventhState,
        unit: int,
        *,
        rule: str,
        region: Box,
        strips: Sequence[Box] = (),
        after: Sequence[Condition] = (),
        near: tuple[float, float] | None = None,
        suggest: Suggestion | None = None,
        kind: MoveKind = MoveKind.SET_UP,
    ) -> None:
        super().__init__(scene, state, unit, kind, living(state, unit), rule, (*_SET_UP, *after), suggest)
        self.region, self.strips = region, tuple(strips)
        self.near = near if near is not None else ((region[0] + region[2]) / 2, (region[1] + region[3]) / 2)

    def _reach(self) -> Box:
        x0, y0, x1, y1 = self.region
        return x0 - LOOKOUT, y0 - LOOKOUT, x1 + LOOKOUT, y1 + LOOKOUT

    @rule("11e.core.03.02-set-up", "11e.core.03.02-set-up-whole")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the set-up would break.

        The empty placement says that there is no room for the whole unit. It is refused where a search from places
        one inch apart finds some: the default is the witness.
        """
        if not isinstance(answer, Place):
            return [Violation(self.rule, "A unit is set up by a placement of its models")]
        if not answer.moves:
            if not self.found.moves:
                return []
            x, y = (value / 1000 for value in self.found.moves[0].path[-1][:2])
            return [Violation("11e.core.03.02-set-up-whole", f"The unit can be set up, from {x:.2f}, {y:.2f} on")]
        found = self._known(answer.moves)
        found += [
            Violation(self.rule, f"{self.name(move.model)} is set up in one place, not along a path")
            for move in answer.moves
            if len(move.path) > 1
        ]
        missing = set(self.index) - {move.model for move in answer.moves}
        if missing:
            names = ", ".join(self.name(row) for row in sorted(missing))
            found.append(Violation("11e.core.03.02-set-up-whole", f"All models have to be set up; missing: {names}"))
        return found or self.end_violations(self.ending(answer))

    def accepts(self, answer: Place) -> bool:
        """Whether the set-up would be accepted."""
        return not self.check(answer)

    def ending(self, placement: Place) -> Ending:
        """The unit as placed."""
        rows = np.array([move.model for move in placement.moves], np.intp)
        poses = np.array([move.path[-1] for move in placement.moves], np.float64) / 1000.0
        return Ending(Placed(self.around, rows, poses), poses, np.ones(len(rows), np.bool_))

    @cached_property
    def found(self) -> Place:
        """The place nearest to ``near`` that one search finds, as compact as may be; empty when there is none."""
        return self.pack(self.near)

    def pack(self, near: tuple[float, float]) -> Place:
        """The unit set up as near to a point, in inches, as one search finds; empty when it finds no place."""
        return formations.pack(self, near)

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`."""
        return self.found if self._suggest is None else self._suggest(self)

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: packed near some place of the region."""
        boxes = self.strips or (self.region,)
        x0, y0, x1, y1 = boxes[rng.randrange(len(boxes))]
        return self.pack((x0 + (x1 - x0) * rng.random(), y0 + (y1 - y0) * rng.random()))

    def describe(self) -> dict[str, Any]:
        """The models to place and the rectangle that holds every allowed place, in thousandths of an inch."""
        return {
            "place": self.kind.value,
            "unit": self.scene.units[self.unit].id,
            "models": [{"model": row} for row in self.index],
            "region": [round(value * 1000) for value in self.region],
        }


def zones_of(scene: Scene, state: EleventhState, side: Side) -> tuple[Polygon, Polygon]:
    """A side's own deployment zone and its opponent's."""
    names = ("attacker", "defender") if side == state.attacker else ("defender", "attacker")
    own, other = (scene.battlefield.zone(name).polygon for name in names)
    return own, other


@rule(
    "11e.core.mission.deployment",
    "11e.core.03.02-set-up",
    "11e.ds-profile.m-dash-setup",
    "11e.24.20-infiltrators.placement",
    "11e.24.20-infiltrators.every-model",
)
def deployment_space(battle: Battle11, unit: int) -> SetUpSpace:
    """Where a unit may be deployed: wholly within its player's zone, in coherency, unengaged, on no other model.

    With Infiltrators also anywhere more than 8" from the enemy's zone and from each enemy unit (24.20).
    """
    scene, state = battle.scene, battle.state
    rule_id = "11e.core.mission.deployment"
    zone, enemy_zone = zones_of(scene, state, state.units[unit].side)
    box = box_of(zone)
    profiles = [scene.models[row].profile for row in living(state, unit)]
    if every_model_has(profiles, CoreAbilityName.INFILTRATORS):
        table = scene.battlefield
        return SetUpSpace(
            scene,
            state,
            unit,
            rule="11e.24.20-infiltrators.placement",
            region=(0.0, 0.0, table.width, table.height),
            near=((box[0] + box[2]) / 2, (box[1] + box[3]) / 2),
            after=(Unengaged(), DeployedOrInfiltrated(zone, enemy_zone, ENEMY_DISTANCE)),
        )
    return zone_space(scene, state, unit, rule_id)


def zone_space(scene: Scene, state: EleventhState, unit: int, rule_id: str) -> SetUpSpace:
    """Set-up wholly within the own deployment zone, unengaged."""
    zone, _ = zones_of(scene, state, state.units[unit].side)
    return SetUpSpace(
        scene,
        state,
        unit,
        rule=rule_id,
        region=box_of(zone),
        after=(Unengaged(), WhollyWithin((zone,), "its deployment zone", rule_id)),
    )


def box_of(polygon: Polygon) -> Box:
    """The rectangle around a polygon."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)
