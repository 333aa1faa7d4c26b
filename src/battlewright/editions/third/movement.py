"""Movement in the 3rd edition."""

from __future__ import annotations

from battlewright.editions.classic import footwork, formation, terrain
from battlewright.editions.classic.movement import Accident, EnteringByModel, MovementRules
from battlewright.editions.third import kinds, terrain_tests

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
    boosters_protect=lambda unit: False,
)
"""The chapter on movement of the edition."""
