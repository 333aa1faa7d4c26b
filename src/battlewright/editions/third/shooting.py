"""The Shooting phase of the 3rd edition: what its weapon types fire."""

from __future__ import annotations

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic import firing
from battlewright.editions.classic.casualties import common_pool
from battlewright.editions.classic.firing import CLOSE, ONE, TWO, Firing
from battlewright.editions.classic.measuring import from_base
from battlewright.editions.classic.shooting import ShootingRules
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType
from battlewright.editions.third import sight, targets

__all__ = ["SHOOTING", "rapid_fire_shots"]


@rule("3e.outside.rapid-fire", "3e.core.weapons.rapid-fire", "3e.fall-back.rapid-fire-twelve")
def rapid_fire_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """Standing still two shots at 12" or less and one beyond; having moved one at 12" or less and none beyond."""
    near = within(firing.distance, CLOSE)
    if firing.moved:
        return ONE if near else None
    return TWO if near else ONE


SHOOTING = ShootingRules(
    shots={
        WeaponType.ASSAULT: firing.assault_shots,
        WeaponType.HEAVY: firing.heavy_shots,
        WeaponType.ORDNANCE: firing.ordnance_shots,
        WeaponType.PISTOL: firing.pistol_shots,
        WeaponType.RAPID_FIRE: rapid_fire_shots,
    },
    range_from=from_base,
    counts_unseen=sight.unseen_models_do_not_block,
    hides_comrades=sight.comrades_do_not_hide,
    pool=common_pool,
    is_possible_target=targets.sight_only,
    may_pick_joined=targets.joined_never_picked,
)
