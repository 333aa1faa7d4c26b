"""Movement in the 3rd edition."""

from __future__ import annotations

from battlewright.editions.classic import arrivals, footwork, formation, terrain
from battlewright.editions.classic.arrivals import ArrivalRules, DeepStrikeRules
from battlewright.editions.classic.movement import Accident, EnteringByModel, MovementRules
from battlewright.editions.classic.reserves import arrives_on
from battlewright.editions.third import kinds, terrain_tests
from battlewright.editions.third.arrivals import deep_strike_faults, landing_by_marker

__all__ = ["MOVEMENT"]

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
    assault_phase_move=lambda traits: None,
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
