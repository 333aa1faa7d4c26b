"""Movement in the 6th edition: what differs from the 4th."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.editions.classic.arrivals import Landing, Touchdown
from battlewright.editions.classic.footwork import SecondMove
from battlewright.editions.classic.kinds import THREE_D6, KindRules, KindTable, Risk
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.state import ClassicUnit, MoveKind
from battlewright.editions.fourth.movement import MOVEMENT as FOURTH
from battlewright.editions.fourth.movement import landing_in_rings
from battlewright.editions.sixth.afflictions import is_struck_down
from battlewright.editions.sixth.chariots import sweep

__all__ = ["KINDS", "MOVEMENT", "charge_way", "keeps_packs", "run", "thrust"]

_REACH = 12.0
"""Inches to the furthest enemy that a charge may be declared at."""
_MARCHERS = KindRules(assault=_REACH)
_JUMP = KindRules(
    move=12.0,
    assault=_REACH,
    fall_back=THREE_D6,
    sweep=THREE_D6,
    flies=True,
    over_enemies=True,
    slowed=False,
    risk=Risk.EITHER,
    traits=frozenset({"BULKY", "DEEP STRIKE"}),
)
_OFF_PACKS = replace(_MARCHERS, fall_back=THREE_D6, sweep=THREE_D6, traits=_JUMP.traits)
"""Jump troops that do not use their packs, as nobody does who piles in or consolidates."""
_BIKE = KindRules(
    move=12.0,
    assault=_REACH,
    fall_back=THREE_D6,
    sweep=THREE_D6,
    slowed=False,
    risk=Risk.TOUCHING,
    traits=frozenset({"HAMMER OF WRATH", "JINK", "RELENTLESS", "VERY BULKY"}),
)
_JETBIKE = replace(_BIKE, flies=True, over_enemies=True, risk=Risk.EITHER)
_BEAST = KindRules(
    move=12.0,
    assault=_REACH,
    fall_back=THREE_D6,
    sweep=THREE_D6,
    slowed=False,
    risk=Risk.TOUCHING,
    traits=frozenset({"FLEET", "MOVE THROUGH COVER"}),
)

KINDS = KindTable(
    {
        Kind.INFANTRY: _MARCHERS,
        Kind.JUMP: _JUMP,
        Kind.BIKE: _BIKE,
        Kind.JETBIKE: _JETBIKE,
        Kind.CAVALRY: replace(_BEAST, traits=frozenset({"FLEET", "HAMMER OF WRATH", "SKILLED RIDER"})),
        Kind.BEAST: _BEAST,
        Kind.MONSTROUS: replace(
            _MARCHERS, traits=frozenset({"FEAR", "HAMMER OF WRATH", "MOVE THROUGH COVER", "RELENTLESS", "SMASH"})
        ),
        Kind.ARTILLERY: KindRules(assault=0.0),
        Kind.VEHICLE: KindRules(move=12.0, assault=0.0, slowed=False),
    },
    {
        "JET PACK": replace(_JUMP, move=6.0, traits=frozenset({"BULKY", "DEEP STRIKE", "JET PACK", "RELENTLESS"})),
        "FLYING MONSTROUS CREATURE": replace(
            _JUMP, traits=frozenset({"FEAR", "HAMMER OF WRATH", "MOVE THROUGH COVER", "RELENTLESS", "SMASH"})
        ),
        "SWARM": replace(_MARCHERS, slowed=False, traits=frozenset({"STEALTH", "SWARMS"})),
        "WALKER": _MARCHERS,
        "HEAVY": KindRules(assault=0.0, slowed=False),
        "CHARIOT": KindRules(move=12.0, assault=_REACH, slowed=False),
    },
    {
        (MoveKind.FOOT, Kind.JUMP): _OFF_PACKS,
        (MoveKind.PILE_IN, Kind.JUMP): _OFF_PACKS,
        (MoveKind.CONSOLIDATE, Kind.JUMP): _OFF_PACKS,
        (MoveKind.TURBO, Kind.BIKE): _BIKE,
        (MoveKind.TURBO, Kind.JETBIKE): replace(_JETBIKE, move=24.0),
    },
    ways_by_words={
        (MoveKind.FLAT_OUT, frozenset({"FAST", "SKIMMER"})): KindRules(move=18.0, slowed=False),
        (MoveKind.FLAT_OUT, frozenset({"FAST"})): KindRules(move=12.0, slowed=False),
        (MoveKind.FLAT_OUT, frozenset({"VEHICLE"})): KindRules(slowed=False),
    },
    other_phases=frozenset({MoveKind.TURBO, MoveKind.PILE_IN, MoveKind.CONSOLIDATE}),
)
"""By kind; jump troops that go on foot keep their packs for the charge, and bikes boost in the Shooting phase.

DEVIATION: 6e.core.movement.swooping flying monstrous creatures glide; they do not swoop.
"""

_PASSES = frozenset({"MOVE THROUGH COVER", "SKILLED RIDER"})


@rule("6e.core.special-rules.move-through-cover", "6e.core.special-rules.skilled-rider")
@rule("6e.core.movement.beasts-and-cavalry", "6e.core.units.beasts", "6e.core.units.cavalry")
def passes_accidents(traits: Collection[str]) -> bool:
    """Whether a model of these traits passes tests for dangerous terrain without dice."""
    return bool(_PASSES & set(traits))


@rule("6e.core.units.jump")
def keeps_packs(unit: ClassicUnit) -> bool:
    """Whether jump troops have their packs left for the charge: they stood, or went on foot."""
    return not unit.moved or unit.last_way == MoveKind.FOOT


@rule("6e.core.units.jump")
def charge_way(unit: ClassicUnit, profile: ModelProfile) -> MoveKind:
    """The way in which a model charges: on foot where jump troops have moved on their packs."""
    return MoveKind.FOOT if profile.kind is Kind.JUMP and not keeps_packs(unit) else MoveKind.ASSAULT


def never_again(profile: ModelProfile, **circumstances: bool) -> bool:
    """Dice for terrain are thrown once."""
    return False


@rule("6e.core.movement.run", "6e.core.movement.infantry", "6e.core.special-rules.fleet")
@rule("6e.core.special-rules.crusader", "6e.core.special-rules.slow-and-purposeful", "6e.core.units.artillery")
@rule("6e.core.movement.bike", "6e.core.movement.jetbike", "6e.outside.flat-out", "6e.heavy.speed-limit")
@rule("6e.walker-movement.as-infantry", "6e.after-disembarking.run-instead")
@rule("6e.walker-shooting.run")
def run(traits: Collection[str], kinds: Collection[Kind]) -> SecondMove | None:
    """The move in place of shooting: all troops run a D6", bikes boost; who is slow and purposeful has none.

    Fleet troops may throw again, crusaders take the best of two dice. Guns and vehicles do not run, walkers do.
    """
    there = set(kinds)
    if there <= {Kind.BIKE, Kind.JETBIKE}:
        return SecondMove(MoveKind.TURBO, "turbo-boost", "6e.core.movement.bike", dice=0, ends_turn=True)
    if there == {Kind.VEHICLE} and not {"WALKER", "HEAVY"} & set(traits):
        return SecondMove(MoveKind.FLAT_OUT, "go flat out", "6e.outside.flat-out", dice=0, ends_turn=True)
    stays = there & {Kind.ARTILLERY, Kind.BIKE, Kind.JETBIKE} or "SLOW AND PURPOSEFUL" in traits
    if stays or (Kind.VEHICLE in there and "WALKER" not in traits):
        return None
    return SecondMove(
        MoveKind.RUN,
        "run",
        "6e.core.movement.run",
        dice=2 if "CRUSADER" in traits else 1,
        rerolls="FLEET" in traits,
        ends_turn=True,
    )


@rule("6e.core.units.jet-pack")
def thrust(traits: Collection[str]) -> SecondMove | None:
    """The move of jet packs in the Assault phase without a charge: 2D6"."""
    if "JET PACK" not in traits:
        return None
    return SecondMove(MoveKind.THRUST, "thrust", "6e.core.units.jet-pack", dice=2, adds_up=True)


# -- coming into play -------------------------------------------------------------------------------------------


@rule("6e.core.missions.reserves", "6e.outside.reserves")
def arrives_on(game_turn: int) -> int | None:
    """What a unit in reserve needs to arrive: 3 in turns 2 and 3, from turn 4 on they come without a die (1)."""
    return None if game_turn < 2 else 3 if game_turn < 4 else 1


@rule("6e.core.missions.deep-strike", "6e.core.missions.mishap")
def all_or_mishap(down: Touchdown) -> Landing:
    """What comes of a landing: where anybody stands as nobody may, the whole unit has a mishap."""
    return Landing(mishap=down.off_table or bool(landing_in_rings(down).lost))


@rule("6e.core.special-rules.scout")
def scout_reach(on_foot: bool) -> float:
    """How far scouts move before the first turn, in inches: infantry 6", others 12"."""
    return 6.0 if on_foot else 12.0


@rule("6e.core.missions.outflank", "6e.core.special-rules.scout", "6e.core.special-rules.infiltrate")
def outflanks(traits: Collection[str]) -> bool:
    """Whether a unit in reserve may outflank: by the rule of that name, and as scouts and infiltrators do."""
    return bool({"OUTFLANK", "SCOUT", "SCOUTS", "INFILTRATE"} & set(traits))


ARRIVALS = replace(
    FOURTH.arrivals,
    outflanks=outflanks,
    arrives_on=arrives_on,
    may_charge=False,
    transport_bars_infiltration=False,
    deep_strike=replace(FOURTH.arrivals.deep_strike, outcome=all_or_mishap, rule="6e.core.missions.deep-strike"),
    scouts=frozenset({"SCOUT", "SCOUTS"}),
    scout_reach=scout_reach,
    scout_gap=12.0,
)
"""Coming into play."""

MOVEMENT = replace(
    FOURTH,
    kinds=KINDS,
    character_traits=frozenset(),
    always_tests=is_struck_down,
    rerolls_distance=never_again,
    rerolls_accident=never_again,
    passes_accidents=passes_accidents,
    second_move=run,
    assault_phase_move=thrust,
    arrivals=ARRIVALS,
    flight_in_movement=True,
    hovers=lambda profile, way: False,
    boosters_protect=lambda unit: False,
    moved=sweep,
    charge_way=charge_way,
)
"""The chapter on movement of the edition."""
