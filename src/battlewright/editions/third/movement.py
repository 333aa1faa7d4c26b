"""Movement in the 3rd edition."""

from __future__ import annotations

from collections.abc import Collection

from battlewright.core.rulebook import rule
from battlewright.editions.classic import arrivals, footwork, formation, terrain
from battlewright.editions.classic.arrivals import ArrivalRules, DeepStrikeRules
from battlewright.editions.classic.footwork import SecondMove
from battlewright.editions.classic.movement import Accident, EnteringByModel, MovementRules
from battlewright.editions.classic.reserves import arrives_on
from battlewright.editions.classic.state import MoveKind
from battlewright.editions.third import kinds, terrain_tests
from battlewright.editions.third.arrivals import deep_strike_faults, landing_by_marker

__all__ = ["MOVEMENT"]


@rule("3e.outside.jetbike-move")
def jetbike_move(traits: Collection[str]) -> SecondMove | None:
    """The move of jetbikes in the Assault phase in place of an assault: 6", any way.

    RULING: 3e.outside.jetbike-move every jetbike is an Eldar jetbike.
    """
    if "JETBIKE" not in traits:
        return None
    return SecondMove(MoveKind.THRUST, "fly on", "3e.outside.jetbike-move", dice=0)


MOVEMENT = MovementRules(
    kinds=kinds.KINDS,
    character_traits=frozenset(),
    why_no_march=formation.no_marches,
    enters_by_model=EnteringByModel(
        terrain_tests.may_enter,
        terrain_tests.entering_allowance,
        terrain_tests.may_leave,
        terrain_tests.leaving_allowance,
    ),
    always_tests=lambda traits: False,
    rerolls_distance=terrain_tests.rerolls_distance,
    rerolls_accident=terrain_tests.rerolls_accident,
    accident_dice=terrain.dice_of_each,
    passes_accidents=lambda traits: False,
    accident=Accident.REMOVED,
    second_move=footwork.fleet_move,
    assault_phase_move=jetbike_move,
    arrivals=ArrivalRules(
        arrives_on=arrives_on,
        may_charge=True,
        deep_strike=DeepStrikeRules(
            may=arrivals.strikes_deep,
            faults=deep_strike_faults,
            outcome=landing_by_marker,
            rule="3e.core.missions.deep-strike",
        ),
        outflanks=lambda traits: False,
        infiltration=12.0,
        scouts=frozenset({"SCOUTS", "RAPID DEPLOYMENT"}),
    ),
    flight_in_movement=False,
    hovers=lambda profile, way: False,
    boosters_protect=lambda unit: False,
)
"""The chapter on movement of the edition."""
