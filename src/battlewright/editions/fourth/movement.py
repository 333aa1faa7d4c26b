"""Movement in the 4th edition: what differs from the 3rd."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic import terrain
from battlewright.editions.classic.arrivals import Landing, Touchdown
from battlewright.editions.classic.footwork import SecondMove
from battlewright.editions.classic.joining import is_free_character
from battlewright.editions.classic.kinds import THREE_D6, KindRules, KindTable, Risk
from battlewright.editions.classic.movement import Accident
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.state import ClassicUnit, Deed, MoveKind
from battlewright.editions.third.movement import MOVEMENT as THIRD

__all__ = ["KINDS", "MOVEMENT", "always_tests", "boosters_protect", "rerolls_accident", "rerolls_distance"]

CLEAR = 1.0
"""Inches that models keep from enemies."""
BOOSTED_FAR = 18_000
"""Thousandths of an inch that boosted bikes have to get away from where they began."""

_JUMP = KindRules(
    move=12.0,
    fall_back=THREE_D6,
    sweep=THREE_D6,
    flies=True,
    over_enemies=True,
    slowed=False,
    risk=Risk.LANDING,
    cite="4e.jump-infantry.move",
)
_BIKE = KindRules(
    move=12.0,
    fall_back=THREE_D6,
    sweep=THREE_D6,
    slowed=False,
    risk=Risk.TOUCHING,
    traits=frozenset({"TURBO BOOSTERS"}),
    cite="4e.bikes.move",
)
_JETBIKE = replace(_BIKE, flies=True, over_enemies=True, risk=Risk.NONE, cite="4e.jetbikes.move")
_RIDER = KindRules(
    assault=12.0,
    fall_back=THREE_D6,
    sweep=THREE_D6,
    traits=frozenset({"FLEET"}),
    cite="4e.beasts-cavalry.otherwise-infantry",
)

KINDS = KindTable(
    {
        Kind.INFANTRY: KindRules(),
        Kind.JUMP: _JUMP,
        Kind.BIKE: _BIKE,
        Kind.JETBIKE: _JETBIKE,
        Kind.CAVALRY: _RIDER,
        Kind.BEAST: _RIDER,
        Kind.MONSTROUS: KindRules(),
        Kind.ARTILLERY: KindRules(assault=0.0, cite="4e.artillery.move"),
        Kind.VEHICLE: KindRules(move=12.0, assault=0.0, slowed=False, cite="4e.vehicle-movement.max-12"),
    },
    {
        "JET PACK": replace(_JUMP, move=6.0, cite="4e.jet-packs.move"),
        "WALKER": KindRules(cite="4e.walker-movement.move-6"),
        "FAST": KindRules(move=24.0, assault=0.0, slowed=False, cite="4e.vehicle-movement.fast-24"),
    },
    {
        (MoveKind.FOOT, Kind.JUMP): KindRules(fall_back=THREE_D6, sweep=THREE_D6, cite="4e.jump-infantry.walk-option"),
        (MoveKind.ASSAULT, Kind.JUMP): KindRules(fall_back=THREE_D6, sweep=THREE_D6),
        (MoveKind.ASSAULT, Kind.JETBIKE): replace(_JETBIKE, risk=Risk.TOUCHING),
        (MoveKind.AMONG, Kind.JETBIKE): replace(_JETBIKE, risk=Risk.TOUCHING, cite="4e.jetbikes.through-terrain"),
        (MoveKind.TURBO, Kind.BIKE): replace(_BIKE, move=24.0, cite="4e.turbo-boosters.speed"),
        (MoveKind.TURBO, Kind.JETBIKE): replace(_JETBIKE, move=24.0, cite="4e.turbo-boosters.speed"),
    },
    other_phases=frozenset({MoveKind.ASSAULT}),
)
"""By kind; jump troops may go on foot, jetbikes in among terrain, and both sorts of bike have turbo boosters.

RULING: 4e.jetbikes.ignore-terrain a jetbike that starts in terrain and flies out of it takes no test either.
"""


@rule("4e.slow-and-purposeful.always-difficult", "4e.core.movement.move-through-cover")
def always_tests(traits: Collection[str]) -> bool:
    """Whether a unit of these traits moves as in difficult terrain wherever it goes."""
    return "SLOW AND PURPOSEFUL" in traits


@rule("4e.monstrous.terrain-reroll")
def rerolls_distance(profile: ModelProfile, *, alone: bool, rerolled: bool) -> bool:
    """Whether the dice for a unit's distance in difficult terrain may be thrown again: those of monstrous creatures.

    All of them together, once; the second throw stands.
    """
    return profile.kind is Kind.MONSTROUS and not rerolled


@rule("4e.skilled-rider.reroll", "4e.character-movement.skilled-rider")
def rerolls_accident(profile: ModelProfile, *, joined: bool, rerolled: bool) -> bool:
    """Whether a model's die for dangerous terrain may be thrown again: skilled riders', as independent characters are.

    Each of a model's dice once, whatever else it has thrown again.
    """
    return profile.has("SKILLED RIDER") or is_free_character(profile, 0)


@rule("4e.turbo-boosters.invulnerable", "4e.turbo-boosters.eighteen")
def boosters_protect(unit: ClassicUnit) -> bool:
    """Whether turbo boosters make a unit's armour saves invulnerable now, in the enemy's turn after they were used.

    They do if every model that moved ended at least 18" from where it began.
    """
    return Deed.BOOSTED in unit.deeds_before and unit.displaced_before >= BOOSTED_FAR


@rule("4e.jetbikes.hover-no-cover", "4e.jetbikes.cover-inside", "4e.jetbikes.hover-height")
def hovers(profile: ModelProfile, way: str) -> bool:
    """Whether a model hovers above the terrain that it is over: a jetbike that has flown there, not gone in among it.

    RULING: 4e.jetbikes.hover-no-cover one that has not moved yet since it was set up stands among the terrain.

    Args:
        way: in which its unit last moved, "" when it has not.
    """
    return profile.kind is Kind.JETBIKE and way in (MoveKind.NORMAL, MoveKind.TURBO)


@rule("4e.core.missions.deep-strike")
def landing_in_rings(down: Touchdown) -> Landing:
    """What comes of a landing: off the table the whole unit is lost, else whoever stands where nobody may."""
    lost = (place for place, gap in enumerate(down.gaps) if down.off_table or gap < CLEAR - TOLERANCE)
    return Landing(frozenset(lost))


ARRIVALS = replace(
    THIRD.arrivals,
    deep_strike=replace(
        THIRD.arrivals.deep_strike, faults=None, outcome=landing_in_rings, rule="4e.core.missions.deep-strike"
    ),
    infiltration=18.0,
    infiltrates_unseen=12.0,
    transport_bars_infiltration=True,
    scouts=frozenset({"SCOUTS"}),
)
"""Coming into play."""


@rule("4e.jet-packs.assault-move")
def jet_pack_move(traits: Collection[str]) -> SecondMove | None:
    """The move of jet packs in the Assault phase without an assault: as far as in the Movement phase, any way."""
    if "JET PACK" not in traits:
        return None
    return SecondMove(MoveKind.THRUST, "move away or ahead", "4e.jet-packs.assault-move", dice=0)


MOVEMENT = replace(
    THIRD,
    arrivals=ARRIVALS,
    kinds=KINDS,
    character_traits=frozenset({"MOVE THROUGH COVER", "SKILLED RIDER"}),
    enters_by_model=None,
    always_tests=always_tests,
    rerolls_distance=rerolls_distance,
    rerolls_accident=rerolls_accident,
    accident_dice=terrain.dice_with_dangerous,
    accident=Accident.WOUND,
    assault_phase_move=jet_pack_move,
    hovers=hovers,
    boosters_protect=boosters_protect,
)
"""The chapter on movement of the edition."""
