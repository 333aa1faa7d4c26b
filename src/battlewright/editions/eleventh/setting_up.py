"""Setting up (03.02): where a unit may come onto the table, and deployment."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.bases import Polygon
from battlewright.core.decisions import Answer, Side, Violation
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.conditions import (
    ClearOfModels,
    Coherent,
    Condition,
    DeployedOrInfiltrated,
    OnTable,
    StandsOnTerrain,
    Unengaged,
    WhollyWithin,
)
from battlewright.editions.eleventh.core_abilities import ENEMY_DISTANCE, every_model_has
from battlewright.editions.eleventh.datasheet import CoreAbilityName
from battlewright.editions.eleventh.placed import PLACING, Box
from battlewright.editions.eleventh.scene import Battle11, Scene, living
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.placing import setting_up
from battlewright.editions.placing.spaces import Suggestion

__all__ = ["SetUpSpace", "box_of", "deployment_space", "zone_space", "zones_of"]

_SET_UP: tuple[Condition, ...] = (OnTable(), ClearOfModels(), StandsOnTerrain(moved=False), Coherent())


class SetUpSpace(setting_up.SetUpSpace):
    """One unit that comes onto the table (03.02): every living model is placed once, by a path of one waypoint.

    Args:
        region: x0, y0, x1, y1 in inches, a rectangle that holds every allowed place.
        strips: rectangles within it, outside of which no model's middle may stand; the whole region when empty.
        after: what must hold besides what always must.
        near: where the default is looked for first, inches; the middle of the region when None.
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
    ) -> None:
        super().__init__(
            scene,
            state,
            unit,
            kind,
            rows=living(state, unit),
            rule=rule,
            region=region,
            strips=strips,
            conditions=(*_SET_UP, *after),
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
