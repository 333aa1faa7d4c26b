"""What the 6th edition decides about shooting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.night import NightShot
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.sight import combats_hide_nobody
from battlewright.editions.classic.targets import Candidate, Possible
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType
from battlewright.editions.fourth.shooting import SHOOTING as BEFORE
from battlewright.editions.sixth import allocating, covering, firing, laying, sight
from battlewright.editions.sixth.afflictions import take_sight_tests
from battlewright.editions.third.shooting import stay_with

__all__ = ["SHOOTING"]

DARK = 36.0
"""Inches beyond which nothing is shot at by night."""


@rule("6e.core.fundamentals.measuring", "6e.core.shooting.target")
def always_measures(has_targeter: bool) -> bool:
    """Whether range is measured before a target is named: distances may be measured at any time."""
    return True


@rule("6e.core.shooting.target")
def no_target_faults(
    candidate: Candidate, others: Sequence[tuple[Candidate, float]], counts: Possible
) -> list[tuple[str, str]]:
    """Nothing protects a unit that is in sight and range, and no test is taken."""
    return []


@rule("6e.core.shooting.night-fighting", "6e.outside.night-fighting")
def seen_at_night(battle: ClassicBattle, unit: int) -> Procedure[float | None]:
    """How far one shoots in the dark; None by day."""
    return DARK if battle.state.dark else None
    yield


@rule("6e.core.shooting.night-fighting", "6e.outside.night-fighting")
def in_the_dark(weapon: WeaponProfile, distance: float, sight: float) -> NightShot:
    """How a weapon fires in the dark: as by day at what is near enough, and not at all beyond."""
    return NightShot.AIMED if within(distance, sight) else NightShot.NONE


@rule("6e.core.characters.abilities", "6e.core.shooting.precision-wound")
def picks(profile: ModelProfile) -> bool:
    """Whether a model that rolls a 6 to hit picks who is wounded: a character does."""
    return profile.is_character or profile.is_independent


SHOOTING = replace(
    BEFORE,
    shots={
        **BEFORE.shots,
        WeaponType.HEAVY: firing.heavy_shots,
        WeaponType.ORDNANCE: firing.ordnance_shots,
        WeaponType.PISTOL: firing.pistol_shots,
        WeaponType.RAPID_FIRE: firing.rapid_fire_shots,
        WeaponType.SALVO: firing.salvo_shots,
    },
    fires_as_moved=firing.fires_as_moved,
    snaps=firing.snaps,
    snaps_at=firing.snaps_at,
    may_snap=firing.may_snap,
    reach=firing.reach_of,
    deeds=firing.deeds_of,
    why_no_fire=firing.why_no_fire,
    may_measure_first=always_measures,
    target_faults=no_target_faults,
    commit=stay_with,
    weapons_allowed=firing.weapons_allowed,
    spot=seen_at_night,
    in_the_dark=in_the_dark,
    picks=picks,
    size_of=sight.everybody_hides,
    visible=sight.visible_rows,
    through_area=sight.sees_through_everything,
    cover_of=covering.as_printed,
    covers=covering.covers_of,
    torrent=False,
    combat_hides=combats_hide_nobody,
    lay=laying.lay_markers,
    resolve=allocating.resolve_nearest_first,
    phase_ends=take_sight_tests,
)
