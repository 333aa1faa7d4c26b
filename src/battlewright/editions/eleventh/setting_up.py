"""Setting up (03.02): where a unit may come onto the table, and deployment."""

from __future__ import annotations

import math
from collections.abc import Sequence

from battlewright.core.bases import Point, Polygon
from battlewright.core.decisions import Answer, ModelMove, Place, Side, Violation
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.in_force import profile_in_force
from battlewright.editions.eleventh.conditions import (
    ClearOfModels,
    Coherent,
    Condition,
    DeployedOrInfiltrated,
    OnTable,
    StandsOnTerrain,
    TouchesEdge,
    Unengaged,
    WhollyWithin,
)
from battlewright.editions.eleventh.contact import clear_of_parts
from battlewright.editions.eleventh.core_abilities import ENEMY_DISTANCE, every_model_has
from battlewright.editions.eleventh.datasheet import CoreAbilityName
from battlewright.editions.eleventh.placed import PLACING, Box
from battlewright.editions.eleventh.scene import Battle11, Scene, living
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.placing import setting_up
from battlewright.editions.placing.spaces import Suggestion

__all__ = ["SetUpSpace", "box_of", "deployment_space", "is_too_large", "zone_space", "zones_of"]

_SET_UP: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(moved=False), Coherent())


class SetUpSpace(setting_up.SetUpSpace):
    """One unit that comes onto the table (03.02): every living model is placed once, by a path of one waypoint.

    Args:
        region: x0, y0, x1, y1 in inches, a rectangle that holds every allowed place.
        strips: rectangles within it, outside of which no model's middle may stand; the whole region when empty.
        after: what must hold besides what always must.
        near: where the default is looked for first, inches; the middle of the region when None.
        rows: the models; all living ones of the unit when None.
    """

    placing = PLACING
    scene: Scene
    state: EleventhState
    kind: MoveKind

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
        rows: Sequence[int] | None = None,
    ) -> None:
        super().__init__(
            scene,
            state,
            unit,
            kind,
            rows=living(state, unit) if rows is None else rows,
            rule=rule,
            region=region,
            strips=strips,
            conditions=(*_SET_UP, *clear_of_parts(scene), *after),
            near=near,
            suggest=suggest,
        )

    @rule("11e.core.03.02-set-up", "11e.core.03.02-set-up-whole")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the set-up would break; the empty placement says that there is no room for the unit."""
        return super().check(answer)


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
    profiles = [profile_in_force(scene, state, row) for row in living(state, unit)]
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
    if is_too_large(scene, state, unit):
        return _at_own_edge(scene, state, unit)
    return zone_space(scene, state, unit, rule_id)


@rule("11e.core.03.02-oversized-deployment")
def is_too_large(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether a model of the unit is too large for its deployment zone (03.02).

    RULING: 11e.core.03.02-oversized-deployment we read it of bases that are wider, however turned, than the narrow side
    of the rectangle around the zone.
    """
    zone, _ = zones_of(scene, state, state.units[unit].side)
    x0, y0, x1, y1 = box_of(zone)
    bases = (scene.models[row].base for row in living(state, unit))
    return any(min(base.length, base.width) > min(x1 - x0, y1 - y0) for base in bases)


@rule("11e.core.03.02-oversized-deployment")
def _at_own_edge(scene: Scene, state: EleventhState, unit: int) -> SetUpSpace:
    """Set-up touching an edge of the battlefield along which the own zone lies (03.02)."""
    zone, _ = zones_of(scene, state, state.units[unit].side)
    table, rule_id = scene.battlefield, "11e.core.03.02-oversized-deployment"
    sides = zip(zone, (*zone[1:], zone[0]), strict=True)
    edges = tuple(
        (a, b)
        for a, b in sides
        if (a[0] == b[0] and a[0] in (0.0, table.width)) or (a[1] == b[1] and a[1] in (0.0, table.height))
    )
    reach = max(scene.models[row].base.reach for row in living(state, unit))
    x0, y0, x1, y1 = box_of(zone)
    space = _EdgeSpace(
        scene,
        state,
        unit,
        rule=rule_id,
        region=(
            max(0.0, x0 - reach),
            max(0.0, y0 - reach),
            min(table.width, x1 + reach),
            min(table.height, y1 + reach),
        ),
        after=(Unengaged(), TouchesEdge(rule_id, edges)),
    )
    space.edges = edges
    return space


class _EdgeSpace(SetUpSpace):
    """A set-up of one model against an edge; places are looked for along the edges, an inch apart."""

    edges: tuple[tuple[Point, Point], ...] = ()

    def pack(self, near: tuple[float, float]) -> Place:
        """See :meth:`SetUpSpace.pack`."""
        row, table = int(self.rows[0]), self.scene.battlefield
        base = self.scene.models[row].base
        across, along = base.length / 2, base.width / 2
        tried = []
        for (ax, ay), (bx, by) in self.edges:
            steps = max(1, round(abs(bx - ax) + abs(by - ay)))
            for k in range(steps + 1):
                x, y = ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps
                tried.append((min(max(x, across), table.width - across), min(max(y, along), table.height - along)))
        for x, y in sorted(tried, key=lambda point: math.dist(point, near)):
            answer = Place((ModelMove(row, ((round(x * 1000), round(y * 1000), 0, 0),)),))
            if self.accepts(answer):
                return answer
        return Place(())


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
