"""The Shooting phase of the 3rd edition: what its weapon types fire, and all else that it decides."""

from __future__ import annotations

from collections.abc import Collection

from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic import firing
from battlewright.editions.classic.artillery import range_from_gun
from battlewright.editions.classic.casualties import common_pool
from battlewright.editions.classic.firing import CLOSE, ONE, TWO, Firing
from battlewright.editions.classic.measuring import from_base, may_measure_first
from battlewright.editions.classic.night import night_shot
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.covering import covers_one_by_one
from battlewright.editions.classic.procedures.resolving_fire import resolve_together
from battlewright.editions.classic.procedures.spotting import spot_by_dice
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.shooting import ShootingRules
from battlewright.editions.classic.sight import combats_hide_nobody, is_higher, sees_through_area
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType
from battlewright.editions.third import barrages, firing_orders, pursuit, sight, targets
from battlewright.editions.third.terrain_tests import cover_of
from battlewright.editions.third.troops import counts_as_moving, swarm_cover

__all__ = ["SHOOTING", "rapid_fire_shots"]


@rule("3e.outside.rapid-fire", "3e.core.weapons.rapid-fire", "3e.fall-back.rapid-fire-twelve")
def rapid_fire_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """Standing still two shots at 12" or less and one beyond; having moved one at 12" or less and none beyond."""
    near = within(firing.distance, CLOSE)
    if firing.moved:
        return ONE if near else None
    return TWO if near else ONE


@rule("3e.bikes.no-cover", "3e.cavalry.cover-stationary", "3e.core.units.swarms")
def cover_of_model(profile: ModelProfile, save: int | None, moved_last: bool) -> int | None:
    """The cover save that a model really has: by its kind, and one better for a swarm."""
    return swarm_cover(profile.keywords, cover_of(profile.kind, save, moved_last=moved_last))


@rule("3e.core.units.bikes", "3e.core.units.large-creatures", "3e.core.vehicles.walkers-fire")
def fires_as_moved(profile: ModelProfile, weapon: WeaponProfile, moved: bool) -> bool:
    """Whether a weapon is fired as after a move: by its bearer's kind; vehicles fire what their speed lets them."""
    return not profile.is_vehicle and counts_as_moving(profile.kind, weapon.type, moved=moved)


@rule("3e.core.weapons.rapid-fire-and-charge", "3e.outside.fire-then-assault", "3e.outside.pistol")
def deeds_of(profile: ModelProfile, weapon: WeaponProfile, how: Firing, shots: DiceExpression) -> frozenset[Deed]:
    """What firing a weapon is noted as, whoever fires it."""
    return firing.deeds_of_fire(weapon, how, shots)


@rule("3e.core.shooting.one-weapon")
def one_weapon(profile: ModelProfile) -> int:
    """How many weapons a model that is no vehicle fires: one."""
    return 1


def never_snaps(unit: ClassicUnit, weapon: WeaponProfile, moved: bool) -> bool:
    """This edition knows no snap shots."""
    return False


def never_snaps_at(weapon: WeaponProfile, bearer: Collection[str], target: Collection[str], aloft: bool) -> bool:
    """This edition knows no snap shots."""
    return False


def no_snap_shots(weapon: WeaponProfile, ballistic_skill: int) -> bool:
    """This edition knows no snap shots."""
    return False


def printed_range(weapon: WeaponProfile, firing: Firing) -> float:
    """How far a weapon carries, in inches: always as far as is printed."""
    return weapon.range


def nobody_picks(profile: ModelProfile) -> bool:
    """No roll to hit lets its firer pick who is wounded in this edition."""
    return False


def no_size(profile: ModelProfile) -> int:
    """This edition knows no sizes: heights decide."""
    return 0


def stay_with(battle: ClassicBattle, unit: int, aim: Aim) -> Procedure[Aim]:
    """The target once named is fired at."""
    return aim
    yield


SHOOTING = ShootingRules(
    shots={
        WeaponType.ASSAULT: firing.assault_shots,
        WeaponType.HEAVY: firing.heavy_shots,
        WeaponType.ORDNANCE: firing.ordnance_shots,
        WeaponType.PISTOL: firing.pistol_shots,
        WeaponType.RAPID_FIRE: rapid_fire_shots,
    },
    fires_as_moved=fires_as_moved,
    snaps=never_snaps,
    snaps_at=never_snaps_at,
    may_snap=no_snap_shots,
    reach=printed_range,
    deeds=deeds_of,
    range_from=from_base,
    battery_range=range_from_gun,
    counts_unseen=sight.unseen_models_do_not_block,
    hides_comrades=sight.comrades_do_not_hide,
    pool=common_pool,
    is_possible_target=targets.sight_only,
    may_pick_joined=targets.joined_never_picked,
    why_no_fire=firing_orders.why_unit_may_not_fire,
    fires_back=pursuit.may_shoot_into_combat,
    may_measure_first=may_measure_first,
    target_faults=targets.target_faults,
    commit=stay_with,
    weapons_allowed=one_weapon,
    may_hold_fire=firing_orders.may_hold_fire,
    bars_guess=firing_orders.guess_faults,
    guess=barrages.guess_ranges,
    spot=spot_by_dice,
    in_the_dark=night_shot,
    picks=nobody_picks,
    size_of=no_size,
    visible=sight.visible_rows,
    through_area=sees_through_area,
    over_area=is_higher,
    cover_of=cover_of_model,
    wounds_stay_under_template=True,
    charge_ends_pinning=False,
    torrent=False,
    combat_hides=combats_hide_nobody,
    covers=covers_one_by_one,
    lay=barrages.lay_markers,
    resolve=resolve_together,
)
