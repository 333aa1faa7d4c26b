"""How far each kind of model moves in the 3rd edition, and what its units are called."""

from __future__ import annotations

from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.editions.classic.kinds import THREE_D6, KindRules, KindTable, Risk
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import MoveKind

__all__ = ["KINDS", "unit_type"]

_JUMP = KindRules(
    move=12.0,
    fall_back=THREE_D6,
    sweep=THREE_D6,
    flies=True,
    slowed=False,
    risk=Risk.LANDING,
    cite="3e.outside.jump-move",
)
_BIKE = KindRules(
    move=12.0, fall_back=THREE_D6, sweep=THREE_D6, slowed=False, risk=Risk.TOUCHING, cite="3e.outside.bike-move"
)
_JETBIKE = replace(_BIKE, flies=True, risk=Risk.BOTH, cite="3e.outside.jetbike-move")
_CAVALRY = replace(_BIKE, move=6.0, assault=12.0, cite="3e.outside.cavalry-move")
_IN_PERIL = {Kind.JUMP: _JUMP, Kind.BIKE: _BIKE, Kind.JETBIKE: _JETBIKE, Kind.CAVALRY: _CAVALRY}
_HEEDLESS = (MoveKind.CONSOLIDATE, MoveKind.PILE_IN)
"""Moves that ignore difficult terrain: nobody who makes them has an accident in it."""

KINDS = KindTable(
    {
        Kind.INFANTRY: KindRules(),
        **_IN_PERIL,
        Kind.BEAST: KindRules(assault=12.0, fall_back=THREE_D6, sweep=THREE_D6, cite="3e.core.units.beasts"),
        Kind.MONSTROUS: KindRules(cite="3e.core.units.large-creatures"),
        Kind.ARTILLERY: KindRules(assault=0.0, cite="3e.core.units.artillery"),
        Kind.VEHICLE: KindRules(move=12.0, assault=0.0, slowed=False, cite="3e.core.vehicles.movement"),
    },
    {
        "WALKER": KindRules(slowed=False, cite="3e.core.vehicles.movement"),
        "FAST": KindRules(move=24.0, assault=0.0, slowed=False, cite="3e.core.vehicles.movement"),
    },
    {
        (MoveKind.FOOT, Kind.JUMP): KindRules(fall_back=THREE_D6, sweep=THREE_D6),
        (MoveKind.THRUST, Kind.JETBIKE): replace(_JETBIKE, move=6.0),
        **{(way, kind): replace(rules, risk=Risk.NONE) for way in _HEEDLESS for kind, rules in _IN_PERIL.items()},
    },
    other_phases=frozenset({MoveKind.THRUST, *_HEEDLESS}),
)
"""By kind; jump troops may go on foot, jetbikes fly on in the Assault phase.

RULING: 3e.consolidate.ignore-terrain, 3e.drawn.ignore-terrain who ignores difficult terrain throws no die for it.
"""

_TYPES = {Kind.BIKE: "bikes", Kind.JETBIKE: "bikes", Kind.CAVALRY: "cavalry", Kind.BEAST: "cavalry"}


@rule("3e.terms.unit-types", "3e.terms.infantry-default")
def unit_type(kind: Kind) -> str:
    """The type of a unit of this kind: infantry, bikes, cavalry or vehicles; jump troops are infantry."""
    return "vehicles" if kind.is_vehicle else _TYPES.get(kind, "infantry")


@rule("3e.terms.jump-type")
def unit_type_with_jump_troops(kind: Kind) -> str:
    """The type of a unit of this kind where jump troops are a type of their own."""
    return "jump troops" if kind is Kind.JUMP else unit_type(kind)
