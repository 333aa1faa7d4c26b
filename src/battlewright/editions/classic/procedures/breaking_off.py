"""Units that leave a close combat of their own will when a round of it is over."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.table import Edge
from battlewright.editions.classic.bearers import break_off
from battlewright.editions.classic.charts import passes_characteristic_test
from battlewright.editions.classic.procedures.aftermath import consolidate, may_advance
from battlewright.editions.classic.procedures.board import in_combat, touched_units
from battlewright.editions.classic.procedures.close_moves import make_move
from battlewright.editions.classic.procedures.flight import flight_space
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import BreakOff
from battlewright.editions.classic.state import Deed

__all__ = ["breaking_off"]

_RULE = "3e.core.units.hit-and-run"


def breaking_off(battle: ClassicBattle) -> Procedure[None]:
    """Every unit of both sides that may leave its combat is asked whether it does, in the order of the lists."""
    scene, state = battle.scene, battle.state
    for unit in range(len(state.units)):
        if not standing(state, unit):
            continue
        way = break_off(
            scene.rules.characters.special_rules,
            traits_of(scene, state, unit),
            in_combat=in_combat(scene, state, unit),
            fought=state.units[unit].has(Deed.FOUGHT),
        )
        if way is not None:
            yield from _leave(battle, unit, way)


@rule("3e.core.units.hit-and-run", "4e.hit-and-run.choose", "4e.hit-and-run.distance", "4e.hit-and-run.no-charge")
@rule("4e.hit-and-run.enemy-consolidates", "4e.hit-and-run.auto-breakoff", "6e.core.special-rules.hit-and-run")
def _leave(battle: ClassicBattle, unit: int, way: BreakOff) -> Procedure[None]:
    """A unit is asked whether it leaves, and towards which edge; it passes through whoever fought it and ends near no
    enemy. Those who are left with no opponent consolidate.

    DEVIATION: 4e.hit-and-run.distance of all directions those to the four edges are offered.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    options = [Option(edge.value, f"leave to the {edge.value}", edge) for edge in Edge]
    choices = Options([Option("stay", "stay and fight", None), *options], rule=_RULE, default="stay")
    edge: Edge | None = yield from choose(
        Decision(info.side, "break-off", f"{info.name}: does it leave the combat?", _RULE, choices, subject=info.index)
    )
    if edge is None:
        return
    if way.initiative_test:
        initiative = max(scene.models[row].profile.initiative for row in standing(state, unit))
        face = battle.rolled(battle.roll(1, 6, "initiative"), info.side, _RULE, unit=info.id).total
        if not passes_characteristic_test(face, initiative):
            return
    roll = battle.rolled(battle.roll(way.dice.count, way.dice.sides, "break-off"), info.side, _RULE, unit=info.id)
    enemies = touched_units(scene, state, unit)
    yield from make_move(battle, flight_space(scene, state, unit, edge, float(roll.total)), f"{info.name} breaks off")
    if in_combat(scene, state, unit):
        return
    for enemy in enemies:
        if not in_combat(scene, state, enemy) and may_advance(battle, enemy):
            yield from consolidate(battle, enemy, scene.rules.assault.consolidation(battle, enemy, False))
