"""Crash and burn: what becomes of a zooming flyer that is destroyed, of those beneath it, and of those aboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.attacks.description import amount
from battlewright.core.bases import Point
from battlewright.core.battle import Procedure
from battlewright.core.decisions import Decision, Place
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.board import pose_of, unit_in
from battlewright.editions.classic.procedures.conditions import ALWAYS, Coherent, OneInch
from battlewright.editions.classic.procedures.harm import bury, lose_wounds, pick_model
from battlewright.editions.classic.procedures.landing import SetUpSpace
from battlewright.editions.classic.procedures.laying import hits_under, scatter_marker
from battlewright.editions.classic.procedures.passengers import aboard
from battlewright.editions.classic.procedures.troop_hits import hits_on_troops
from battlewright.editions.classic.procedures.unloading import get_out
from battlewright.editions.classic.procedures.vehicle_hits import attack_vehicle
from battlewright.editions.classic.procedures.volleys import Batch
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import NOWHERE, MoveKind
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import Strength, WeaponProfile, WeaponType
from battlewright.editions.placing.conditions import Condition
from battlewright.editions.placing.placed import Booleans, Floats, Placed

__all__ = ["NearMarker", "crash_and_burn", "fall_to_earth", "strike_each"]

MARKER = 5.0
"""Inches across of the marker of the debris."""
CLEAR = 3.0
"""Inches from the marker within which survivors are placed."""
DEBRIS, ABOARD, FALL = 6, 10, 9
"""Strengths: of the debris, of the hits on those aboard, of a winged monster's fall."""
_NO_ARMOUR = 1
_MARKER, _HITS, _GONE = "6e.crash-and-burn.marker", "6e.crash-and-burn.hits", "6e.crash-and-burn.removed"
_OUT, _LOST = "6e.crash-and-burn.survivors-placed", "6e.crash-and-burn.unplaceable"


@rule("6e.crash-and-burn.marker", "6e.crash-and-burn.hits", "6e.crash-and-burn.removed", "6e.outside.scatter-die")
def crash_and_burn(battle: ClassicBattle, row: int, by: str) -> Procedure[None]:
    """The end of a zooming flyer: debris falls where a large marker scatters 2D6" to, the flyer is taken off the table
    and leaves nothing, whoever was aboard is hit.

    Args:
        by: the id of the unit that has done it, "" for nobody.
    """
    state = battle.state
    unit, here = unit_in(state, row), pose_of(state, row)
    centre = scatter_marker(battle, unit, (here.x, here.y), dice=2, inches=sum, rule_id=_MARKER)
    for hits in hits_under(battle, unit, "debris", centre, MARKER, any_touch=True):
        others = [each for each in hits.rows if each != row]
        yield from strike_each(battle, unit, hits.unit, others, DEBRIS, "debris")
    bury(battle, [row], "destroyed", _GONE, by=by)
    if not standing(state, unit):
        for riders in aboard(state, unit):
            yield from _bail_out(battle, unit, riders, centre)
        state.units[unit].aloft = False


@rule("6e.crash-and-burn.hits")
def strike_each(
    battle: ClassicBattle, by: int, unit: int, rows: Sequence[int], strength: int, why: str
) -> Procedure[None]:
    """Each of some models of a unit takes a hit of some Strength.

    RULING: 6e.crash-and-burn.hits it strikes the sides of vehicles.

    Args:
        by: the unit that it comes from.
    """
    scene, state = battle.scene, battle.state
    vehicles = [row for row in rows if scene.models[row].profile.is_vehicle]
    troops = [row for row in rows if row not in vehicles and state.wounds[row] > 0]
    for row in troops:
        yield from hits_on_troops(battle, by, unit, [row], 1, strength, why)
    for row in vehicles:
        if state.wounds[row] > 0:
            weapon = WeaponProfile(why, WeaponType.ASSAULT, 0.0, Strength(strength), None, DiceExpression(0, 0, 1))
            view = TargetView(
                (TargetModel(scene.models[row].profile, int(state.wounds[row]), None, row),), facing=Facing.SIDE
            )
            volley = compile_volley(scene.rules.attack, weapon, 1, AttackContext(skill=0, hits=amount(1)), view)
            yield from attack_vehicle(battle, by, unit, row, Batch(volley, ()))


@dataclass(frozen=True)
class NearMarker(Condition):
    """Every model ends near a marker: some part of its base within so many inches of the marker's edge."""

    centre: Point = (0.0, 0.0)
    rule_id: str = _OUT

    def _away(self, placed: Placed) -> Floats:
        reach = placed.around.scene.reach[placed.rows]
        apart = np.hypot(placed.poses[:, 0] - self.centre[0], placed.poses[:, 1] - self.centre[1])
        return np.asarray(np.maximum(apart - reach - MARKER / 2, 0.0), dtype=np.float64)

    @rule("6e.crash-and-burn.survivors-placed")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        return np.array([within(float(away), CLEAR) for away in self._away(placed)], np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        return f'ends {float(self._away(placed)[index]):.2f}" from the marker; {CLEAR:g}" at most'


@rule("6e.crash-and-burn.passengers-hit", "6e.crash-and-burn.survivors-placed", "6e.crash-and-burn.unplaceable")
def _bail_out(battle: ClassicBattle, flyer: int, unit: int, centre: Point) -> Procedure[None]:
    """Everybody aboard takes a hit of Strength 10 that no armour stops; survivors are placed near the debris, and those
    for whom there is no room are lost, as their owner says.

    RULING: 6e.crash-and-burn.survivors-placed the 3" run from the marker's edge to the nearest part of a base.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine, before = state.units[unit], living(state, unit)
    for row in before:
        yield from hits_on_troops(battle, flyer, unit, [row], 1, ABOARD, "crash", ap=_NO_ARMOUR)
    rows = living(state, unit)
    reach = MARKER / 2 + CLEAR + 2 * max((float(scene.reach[row]) for row in rows), default=0.0)
    while rows:
        space = SetUpSpace(
            scene,
            state,
            unit,
            MoveKind.SET_UP,
            rows=rows,
            rule=_OUT,
            region=(centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach),
            conditions=(*ALWAYS, Coherent(), OneInch(), NearMarker(centre=centre)),
            near=centre,
        )
        if space.found.moves:
            break
        row = yield from pick_model(battle, rows, "for whom is there no room beside the debris?", _LOST)
        lose_wounds(battle, row, int(state.wounds[row]), "no room beside the debris", _LOST)
        rows = [each for each in rows if each != row]
    if rows:
        placement = yield Decision(
            info.side, "bail-out", f"{info.name} gets clear of the debris", _OUT, space, subject=info.index
        )
        assert isinstance(placement, Place)
        get_out(battle, unit, placement, "crash", _OUT)
        own = mine.side == state.turn
        mine.acted, mine.moved = mine.acted or own, mine.moved or own
    mine.embarked = NOWHERE
    mine.spared += len(before) - len(rows)
    lost = [row for row in before if row not in rows]
    if lost:
        bury(battle, lost, "lost with its flyer", _LOST, aboard=True)


@rule("6e.core.units.grounding")
def fall_to_earth(battle: ClassicBattle, unit: int, rows: Sequence[int]) -> Procedure[None]:
    """A winged monster falls and takes a hit of Strength 9 that neither armour nor cover stops."""
    yield from hits_on_troops(battle, unit, unit, rows, len(rows), FALL, "fall", ap=_NO_ARMOUR)
