"""Choosing a target in the 4th edition: the test of target priority, large targets, characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.procedures.aiming import Aim, candidates_of
from battlewright.editions.classic.procedures.arming import arms_of, is_barrage, not_firing
from battlewright.editions.classic.procedures.fire_points import firing_rows, places_of
from battlewright.editions.classic.procedures.nerve import take_leadership_test
from battlewright.editions.classic.procedures.seeing import target_units
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.targets import Candidate, Possible, nearest_target

__all__ = ["hold_priority", "may_be_ignored", "needs_no_test", "passes_by_itself", "target_faults"]

PRIORITY = "4e.core.shooting.target-priority"


@rule("4e.core.shooting.lone-characters", "4e.shooting-at-characters.lone-closest-only")
@rule("4e.shooting-at-characters.monster-always", "4e.shooting-at-characters.monster-in-monsters")
@rule("4e.shooting-at-characters.attached-not-target")
def target_faults(
    candidate: Candidate, others: Sequence[tuple[Candidate, float]], counts: Possible
) -> list[tuple[str, str]]:
    """Why a unit may not be chosen as target, beside the others that are seen: a lone character only while he is the
    nearest; a monstrous one always. One who has joined a unit is no target of his own.
    """
    if candidate.is_monstrous or not candidate.lone_character:
        return []
    if all(candidate.distance <= other.distance + TOLERANCE for other, _ in others):
        return []
    return [("4e.shooting-at-characters.lone-closest-only", "is not the nearest target")]


@rule("4e.core.shooting.ignored-targets")
def may_be_ignored(candidate: Candidate) -> bool:
    """Whether a unit does not count when the nearest is sought: one that falls back does not."""
    return candidate.falls_back


@rule("4e.core.shooting.target-priority", "4e.core.shooting.large-targets", "4e.core.shooting.ignored-targets")
@rule("4e.vehicles-as-targets.nearest-vehicle", "4e.vehicles-as-targets.farther-vehicle")
def needs_no_test(chosen: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether a target may be fired at without a test: the nearest, and the nearest of the large ones.

    Args:
        others: the other enemy units that the firers see and may shoot at.

    RULING: 4e.core.shooting.ignored-targets a unit that falls back may be fired at without a test when none of those
    that count is nearer.
    """
    counting = [other for other in others if not may_be_ignored(other)]
    if chosen.is_large:
        counting = [other for other in counting if other.is_large]
    return all(chosen.distance <= other.distance + TOLERANCE for other in counting)


@rule("4e.core.shooting.automatic-priority", "4e.monstrous.free-target", "4e.vehicle-target-choice.auto-pass")
def passes_by_itself(kinds: Sequence[Kind], barrages: Sequence[bool]) -> bool:
    """Whether a unit fires at whom it likes: vehicles, monstrous creatures, and units that fire nothing but barrages.

    Args:
        kinds: of its models; ``barrages`` for each weapon that they can fire now whether it is one.
    """
    return all(kind in (Kind.VEHICLE, Kind.MONSTROUS) for kind in kinds) or (bool(barrages) and all(barrages))


@rule("4e.core.shooting.target-priority", "4e.core.shooting.automatic-priority", "4e.artillery.no-own-weapons")
def hold_priority(battle: ClassicBattle, unit: int, aim: Aim) -> Procedure[Aim]:
    """The target that is fired at: the one named, or after a failed test the nearest.

    RULING: 4e.core.shooting.automatic-priority a unit that has barrages and other weapons to fire takes no test if its
    player has it fire nothing but the barrages, as it does at whom it does not see; whom it does not see counts for
    nothing else. What gunners carry does not count while they serve their guns.
    """
    scene, state = battle.scene, battle.state
    rows, idle = firing_rows(scene, state, unit), not_firing(scene, state, unit)
    guns = [arm.profile for row in rows if row not in idle for arm in arms_of(scene, state, unit, row)]
    barrages = [is_barrage(gun) for gun in guns]
    if passes_by_itself([scene.models[row].profile.kind for row in rows], barrages):
        return aim
    visible = set(target_units(scene, state, places_of(state, unit, rows)))
    if aim.unit not in visible:
        return replace(aim, barrages_only=True)
    seen = {enemy: each for enemy, each in candidates_of(scene, state, unit).items() if enemy in visible}
    rules = scene.rules.shooting
    open_to = [
        each
        for each in seen.values()
        if not rules.target_faults(each, [(other, 0.0) for other in seen.values() if other is not each], _everybody)
    ]
    chosen = seen[aim.unit]
    if needs_no_test(chosen, [each for each in open_to if each is not chosen]):
        return aim
    if any(barrages) and (yield from _fires_barrages_only(battle, unit, aim)):
        return replace(aim, barrages_only=True)
    if take_leadership_test(battle, unit, "target priority", PRIORITY):
        return aim
    nearest = nearest_target([each for each in open_to if not may_be_ignored(each)])
    return aim if nearest is None else Aim(nearest)


def _fires_barrages_only(battle: ClassicBattle, unit: int, aim: Aim) -> Procedure[bool]:
    """Whether a unit's player holds back everything but its barrages, so that it needs no test."""
    info, rule_id = battle.scene.units[unit], "4e.core.shooting.automatic-priority"
    options = [
        Option("all", "with everything, after a test of target priority", False),
        Option("barrages", "with nothing but its barrages, without a test", True),
    ]
    held: bool = yield from choose(
        Decision(
            info.side,
            "hold-for-barrages",
            f"{info.name}: with what does it fire at {battle.scene.units[aim.unit].name}?",
            rule_id,
            Options(options, rule=rule_id, default="all"),
            subject=info.index,
            target=battle.scene.units[aim.unit].index,
        )
    )
    return held


def _everybody(candidate: Candidate) -> bool:
    return True
