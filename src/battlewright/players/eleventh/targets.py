"""Which weapon fires at what: each group of alike weapons where it removes most points, spread over the targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from battlewright.core.decisions import AttackDeclaration, Declare
from battlewright.editions.eleventh.circumstances import AttackContext
from battlewright.editions.eleventh.datasheet import WeaponAbilityName, WeaponProfile
from battlewright.editions.eleventh.declaring import DeclareSpace
from battlewright.editions.eleventh.scene import living
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.targeting import is_big
from battlewright.players.eleventh.estimates import Estimates

__all__ = ["declare"]

Use: TypeAlias = tuple[int, int, int]
"""Model, weapon, profile."""

_HOLDS_OBJECTIVE = 1.25


def declare(space: DeclareSpace, state: EleventhState, estimates: Estimates) -> Declare:
    """The declaration that the odds recommend.

    Alike weapons of models that can aim at the same targets are one group. Groups are aimed one after the other, the
    strongest first; what is planned already against a target makes the next shot at it worth less.
    """
    chosen = _uses(space, state, estimates)
    groups: dict[tuple[int, tuple[int, ...]], list[Use]] = {}
    for use, targets in chosen.items():
        profile = _profile(space, use)
        groups.setdefault((id(profile), targets), []).append(use)
    planned: dict[int, float] = {}
    attacks: list[AttackDeclaration] = []
    for (_, targets), uses in groups.items():
        profile = _profile(space, uses[0])
        target = _aim(profile, uses, targets, space, state, estimates, planned)
        units = space.targeting.scene.units
        attacks += [AttackDeclaration(row, weapon, number, units[target].id) for row, weapon, number in uses]
    return Declare(tuple(attacks))


def _profile(space: DeclareSpace, use: Use) -> WeaponProfile:
    row, weapon, number = use
    return space.weapons(row)[weapon].profiles[number]


def _aim(
    profile: WeaponProfile,
    uses: list[Use],
    targets: tuple[int, ...],
    space: DeclareSpace,
    state: EleventhState,
    estimates: Estimates,
    planned: dict[int, float],
) -> int:
    """The target for a group of alike weapons; notes the wounds it is expected to take."""
    best, found, damage = -1.0, targets[0], 0.0
    for target in targets:
        context = _context(profile, uses, target, space, state)
        worth = estimates.attacks(state, space.unit, target, {profile: len(uses)}, context)
        wounds = sum(int(state.wounds[row]) for row in living(state, target))
        left = max(0.0, wounds - planned.get(target, 0.0))
        useful = min(worth.damage, left) / worth.damage if worth.damage else 0.0
        value = worth.points * useful
        if value > best:
            best, found, damage = value, target, worth.damage
    planned[found] = planned.get(found, 0.0) + damage
    return found


def _context(
    profile: WeaponProfile, uses: list[Use], target: int, space: DeclareSpace, state: EleventhState
) -> AttackContext:
    if profile.melee:
        return AttackContext(charged=state.units[space.unit].charged)
    distance = min(space.targeting.reach(row, target) for row, _, _ in uses)
    return AttackContext(half_range=profile.range is not None and distance <= profile.range / 2)


def _uses(space: DeclareSpace, state: EleventhState, estimates: Estimates) -> dict[Use, tuple[int, ...]]:
    """Which uses of weapons are made: of each model's weapons those that may be used together and do most."""
    by_model: dict[int, dict[int, list[Use]]] = {}
    for row, weapon, number in space.uses:
        by_model.setdefault(row, {}).setdefault(weapon, []).append((row, weapon, number))

    def value(use: Use) -> float:
        profile = _profile(space, use)
        return max(
            estimates.attacks(
                state, space.unit, target, {profile: 1}, _context(profile, [use], target, space, state)
            ).points
            for target in space.uses[use]
        )

    found: dict[Use, tuple[int, ...]] = {}
    for row, weapons in by_model.items():
        best = [max(uses, key=value) if len(uses) > 1 else uses[0] for uses in weapons.values()]
        picked = _melee(space, best, value) if space.kind.melee else _ranged(space, row, best, value)
        for use in picked:
            found[use] = space.uses[use]
    return found


def _melee(space: DeclareSpace, uses: list[Use], value: Callable[[Use], float]) -> list[Use]:
    """All EXTRA ATTACKS weapons and the best of the others."""
    extra = [use for use in uses if _profile(space, use).has(WeaponAbilityName.EXTRA_ATTACKS)]
    others = [use for use in uses if use not in extra]
    return [*extra, *([max(others, key=value)] if others else [])]


def _ranged(space: DeclareSpace, row: int, uses: list[Use], value: Callable[[Use], float]) -> list[Use]:
    """Either the CLOSE-QUARTERS weapons or the others, whichever do more; all of them for a MONSTER or VEHICLE."""
    if space.kind == "close-quarters" or is_big(space.targeting.scene, row):
        return uses
    close = [use for use in uses if _profile(space, use).has(WeaponAbilityName.CLOSE_QUARTERS)]
    others = [use for use in uses if use not in close]
    if not close or not others:
        return uses
    return close if sum(map(value, close)) > sum(map(value, others)) else others
