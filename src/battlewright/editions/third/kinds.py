"""How far each kind of model moves in the 3rd edition, and what its units are called."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.editions.classic.kinds import THREE_D6, KindRules, KindTable, Risk
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import MoveKind

__all__ = ["KINDS", "unit_type"]

KINDS = KindTable(
    {
        Kind.INFANTRY: KindRules(),
        Kind.JUMP: KindRules(
            move=12.0, fall_back=THREE_D6, sweep=THREE_D6, flies=True, slowed=False, risk=Risk.LANDING
        ),
        Kind.BIKE: KindRules(move=12.0, fall_back=THREE_D6, sweep=THREE_D6, slowed=False, risk=Risk.TOUCHING),
        Kind.JETBIKE: KindRules(
            move=12.0, fall_back=THREE_D6, sweep=THREE_D6, flies=True, slowed=False, risk=Risk.BOTH
        ),
        Kind.CAVALRY: KindRules(assault=12.0, fall_back=THREE_D6, sweep=THREE_D6, slowed=False, risk=Risk.TOUCHING),
        Kind.BEAST: KindRules(assault=12.0, fall_back=THREE_D6, sweep=THREE_D6),
        Kind.MONSTROUS: KindRules(),
        Kind.ARTILLERY: KindRules(assault=0.0),
        Kind.VEHICLE: KindRules(move=12.0, assault=0.0, slowed=False),
    },
    {
        "WALKER": KindRules(slowed=False),
        "FAST": KindRules(move=24.0, assault=0.0, slowed=False),
    },
    {(MoveKind.FOOT, Kind.JUMP): KindRules(fall_back=THREE_D6, sweep=THREE_D6)},
)
"""By kind; jump troops may go on foot."""
_TYPES = {Kind.BIKE: "bikes", Kind.JETBIKE: "bikes", Kind.CAVALRY: "cavalry", Kind.BEAST: "cavalry"}


@rule("3e.terms.unit-types", "3e.terms.infantry-default")
def unit_type(kind: Kind) -> str:
    """The type of a unit of this kind: infantry, bikes, cavalry or vehicles; jump troops are infantry."""
    return "vehicles" if kind.is_vehicle else _TYPES.get(kind, "infantry")


@rule("3e.terms.jump-type")
def unit_type_with_jump_troops(kind: Kind) -> str:
    """The type of a unit of this kind where jump troops are a type of their own."""
    return "jump troops" if kind is Kind.JUMP else unit_type(kind)
