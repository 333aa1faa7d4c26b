"""How far each kind of model moves in the 3rd edition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.kinds import THREE_D6, TWO_D6, KindRules
from battlewright.editions.classic.profiles import Kind

__all__ = ["KINDS", "assault_reach", "fall_back_dice", "move_allowance", "sweep_dice", "unit_type"]

KINDS: Mapping[Kind, KindRules] = {
    Kind.INFANTRY: KindRules(),
    Kind.JUMP: KindRules(move=12.0, fall_back=THREE_D6, sweep=THREE_D6),
    Kind.BIKE: KindRules(move=12.0, fall_back=THREE_D6, sweep=THREE_D6),
    Kind.JETBIKE: KindRules(move=12.0, fall_back=THREE_D6, sweep=THREE_D6),
    Kind.CAVALRY: KindRules(assault=12.0, fall_back=THREE_D6, sweep=THREE_D6),
    Kind.BEAST: KindRules(assault=12.0, fall_back=THREE_D6, sweep=THREE_D6),
    Kind.MONSTROUS: KindRules(),
    Kind.ARTILLERY: KindRules(assault=0.0),
    Kind.VEHICLE: KindRules(move=12.0, assault=0.0),
}
_WALKER = KindRules()
_FAST_MOVE = 24.0
_TYPES = {Kind.BIKE: "bikes", Kind.JETBIKE: "bikes", Kind.CAVALRY: "cavalry", Kind.BEAST: "cavalry"}


@rule("3e.terms.unit-types", "3e.terms.infantry-default")
def unit_type(kind: Kind) -> str:
    """The type of a unit of this kind: infantry, bikes, cavalry or vehicles; jump troops are infantry."""
    return "vehicles" if kind.is_vehicle else _TYPES.get(kind, "infantry")


@rule("3e.terms.jump-type")
def unit_type_with_jump_troops(kind: Kind) -> str:
    """The type of a unit of this kind where jump troops are a type of their own."""
    return "jump troops" if kind is Kind.JUMP else unit_type(kind)


@rule(
    "3e.movement.six",
    "3e.outside.jump-move",
    "3e.outside.bike-move",
    "3e.outside.jetbike-move",
    "3e.outside.cavalry-move",
    "3e.core.movement.infantry",
    "3e.core.vehicles.movement",
)
def move_allowance(kind: Kind, keywords: Collection[str] = ()) -> float:
    """How far a model may move in the Movement phase, in inches."""
    if kind.is_vehicle and "WALKER" in keywords:
        return _WALKER.move
    return _FAST_MOVE if kind.is_vehicle and "FAST" in keywords else KINDS[kind].move


@rule("3e.outside.cavalry-assault", "3e.core.assault.charge-reach", "3e.core.vehicles.walkers-in-assault")
def assault_reach(kind: Kind, keywords: Collection[str] = ()) -> float:
    """How far an assault move may go, in inches."""
    return _WALKER.assault if kind.is_vehicle and "WALKER" in keywords else KINDS[kind].assault


@rule(
    "3e.fall-back.distance",
    "3e.fall-back.types-override",
    "3e.outside.jump-fall-back",
    "3e.outside.bike-fall-back",
    "3e.outside.cavalry-fall-back",
    "3e.core.morale.fall-back",
)
def fall_back_dice(kinds: Iterable[Kind]) -> DiceExpression:
    """The dice of a unit's fall-back move: 2D6, or 3D6 for a unit of jump troops, bikes, cavalry or beasts.

    RULING: 3e.fall-back.types-override a unit of several kinds falls back as its slowest models do.
    """
    return THREE_D6 if all(KINDS[kind].fall_back == THREE_D6 for kind in kinds) else TWO_D6


@rule("3e.outside.sweep-distance", "3e.core.assault.fast-sweeping-advance", "3e.core.assault.sweeping-advance")
def sweep_dice(kinds: Iterable[Kind]) -> DiceExpression:
    """The dice of a unit's sweeping advance: 2D6, or 3D6 for a unit of jump troops, bikes, cavalry or beasts."""
    return THREE_D6 if all(KINDS[kind].sweep == THREE_D6 for kind in kinds) else TWO_D6
