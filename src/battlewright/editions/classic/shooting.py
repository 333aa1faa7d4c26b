"""What an edition decides about shooting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression
from battlewright.core.prisms import Prisms
from battlewright.editions.classic.firing import Firing, Shots
from battlewright.editions.classic.night import NightShot
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.sight import Body, SightRules
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed
from battlewright.editions.classic.targets import Candidate, Possible
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType

if TYPE_CHECKING:
    from battlewright.editions.classic.procedures.aiming import Aim
    from battlewright.editions.classic.procedures.arming import Arm, Shot
    from battlewright.editions.classic.procedures.laying import UnitHits
    from battlewright.editions.classic.procedures.seeing import Source
    from battlewright.editions.classic.scene import ClassicBattle, Scene

__all__ = ["Fault", "ShootingRules"]

Fault = tuple[str, str]
"""A rule and, in a clause, why it forbids something."""


def nothing_settled(battle: ClassicBattle) -> None:
    """What an edition puts in where nothing is settled at the end of a phase."""


@dataclass(frozen=True)
class ShootingRules:
    """What an edition decides about shooting; procedures are generators that may ask and roll.

    Attributes:
        shots: what each weapon type fires.
        fires_as_moved: whether a model fires a weapon as after a move, by whether its unit counts as having moved.
        snaps: whether a weapon makes snap shots, by its unit, and whether it is fired as after a move.
        snaps_at: whether a weapon makes snap shots by the names of its bearer and of what it is fired at, and by
            whether that is aloft.
        may_snap: whether a weapon in the hands of somebody of this BS may make snap shots.
        reach: how far a weapon carries, in inches.
        deeds: what firing a weapon is noted as, by its bearer, how it is fired and its shots.
        range_from: the distance that counts, of those to the points that it may be measured from.
        battery_range: the same of a gun, of its own distance and of its crewman's.
        counts_unseen: whether an enemy model may block sight, by whether the shooter sees it.
        hides_comrades: whether a model may block sight to comrades of its own unit.
        pool: which pool of wounds a model of several wounds belongs to.
        is_possible_target: whether a unit that is seen protects a lone character near it.
        may_pick_joined: whether a character may be picked out of the unit that he has joined.
        why_no_fire: why a unit may not fire, by itself and by whether it is in close combat.
        fires_back: whether a unit may fire at enemies who are in close combat, by whether they have swept into it.
        may_measure_first: whether range is measured before a target is named, by whether the unit has a targeter.
        target_faults: why a unit may not be chosen as a target, beside the others that are seen.
        commit: a procedure: the target that is fired at in the end, once one has been named (target priority).
        weapons_allowed: how many weapons a model that is no vehicle fires.
        may_hold_fire: whether a model may hold its fire, by whether its unit fires at a vehicle.
        bars_guess: why guess weapons may not be fired, by whether their player has measured anything in the phase.
        guess: a procedure: the inches guessed for each arm whose range is guessed; None for a shot that is wasted.
        spot: a procedure: how far the firers see, in inches; None by day.
        in_the_dark: how a weapon fires at a distance in the dark, by how far its bearer sees.
        picks: whether a model that rolls a 6 to hit picks who is wounded.
        size_of: the size of a model for sight, 0 in editions that know no sizes.
        visible: the enemy models that a shooter sees past terrain and other models.
        through_area: whether sight passes area terrain.
        over_area: whether a model is taller than area terrain of some height, by its profile, the height that it stands
            at and its own.
        cover_of: the cover save that a model really has from terrain, by whether its unit moved when it last could.
        wounds_stay_under_template: whether each model under a template takes one wound of it at most, and nobody else.
        charge_ends_pinning: whether a unit that is charged is no longer pinned.
        combat_hides: whether a combat between two models hides the one from the other, by the sizes of who fights in
            it and of the two.
        torrent: whether a unit that causes as many wounds as there are targets names one model that has to save.
        covers: the cover saves of rows of a unit of a unit against what comes from there.
        lay: a procedure: whom markers and templates hit.
        resolve: a procedure: all that a unit fires at living models of one other.
        phase_ends: what fire and blows settle when a phase is over; asks nothing.
    """

    shots: Mapping[WeaponType, Shots]
    fires_as_moved: Callable[[ModelProfile, WeaponProfile, bool], bool]
    snaps: Callable[[ClassicUnit, WeaponProfile, bool], bool]
    snaps_at: Callable[[WeaponProfile, Collection[str], Collection[str], bool], bool]
    may_snap: Callable[[WeaponProfile, int], bool]
    reach: Callable[[WeaponProfile, Firing], float]
    deeds: Callable[[ModelProfile, WeaponProfile, Firing, DiceExpression], frozenset[Deed]]
    range_from: Callable[[Any], float]
    battery_range: Callable[[float, float], float]
    counts_unseen: Callable[[bool], bool]
    hides_comrades: Callable[[], bool]
    pool: Callable[[Any], int]
    is_possible_target: Callable[[Any], bool]
    may_pick_joined: Callable[[Any], bool]
    why_no_fire: Callable[[ClassicUnit, bool], list[Fault]]
    fires_back: Callable[..., bool]
    may_measure_first: Callable[[bool], bool]
    target_faults: Callable[[Candidate, Sequence[tuple[Candidate, float]], Possible], list[Fault]]
    commit: Callable[[ClassicBattle, int, Aim], Procedure[Aim]]
    weapons_allowed: Callable[[ModelProfile], int]
    may_hold_fire: Callable[[bool], bool]
    bars_guess: Callable[[bool], Sequence[Any]]
    guess: Callable[[ClassicBattle, int, int, Sequence[Arm]], Procedure[Mapping[Arm, float | None]]]
    spot: Callable[[ClassicBattle, int], Procedure[float | None]]
    in_the_dark: Callable[[WeaponProfile, float, float], NightShot]
    picks: Callable[[ModelProfile], bool]
    size_of: Callable[[ModelProfile], int]
    visible: Callable[[SightRules, Body, Sequence[Body], Prisms | None], frozenset[int]]
    through_area: Callable[[bool, bool, float], bool]
    over_area: Callable[[ModelProfile, float, float, float], bool]
    cover_of: Callable[[ModelProfile, int | None, bool], int | None]
    wounds_stay_under_template: bool
    charge_ends_pinning: bool
    torrent: bool
    combat_hides: Callable[[Collection[int], int, int], bool]
    covers: Callable[[Scene, ClassicState, int, Sequence[int], Sequence[Source]], Mapping[int, int | None]]
    lay: Callable[[ClassicBattle, int, int, Sequence[Shot]], Procedure[list[tuple[Shot, UnitHits]]]]
    resolve: Callable[[ClassicBattle, int, Aim, Sequence[Shot], Sequence[tuple[Shot, UnitHits]]], Procedure[None]]
    phase_ends: Callable[[ClassicBattle], None] = nothing_settled
