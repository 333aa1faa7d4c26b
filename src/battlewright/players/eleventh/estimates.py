"""What attacks are worth: points of the enemy that they remove on average, by the exact odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from battlewright.attacks.exact import exact
from battlewright.core.roster import Role
from battlewright.editions.eleventh.abilities.in_force import attack_context, profile_in_force
from battlewright.editions.eleventh.attack import compile_volley
from battlewright.editions.eleventh.circumstances import AttackContext
from battlewright.editions.eleventh.datasheet import WeaponAbilityName, WeaponProfile
from battlewright.editions.eleventh.scene import Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.target import TargetModel, TargetView, toughness_against

__all__ = ["Estimates", "Worth"]

_MOST_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class Worth:
    """What a volley does on average: wounds removed, and points of the target that they stand for."""

    damage: float
    points: float


NOTHING = Worth(0.0, 0.0)
Target: TypeAlias = tuple[Hashable, TargetView]


class Estimates:
    """Answers questions of odds about the units of one scene, and keeps the answers.

    An answer depends on the weapon, how many of it, the circumstances, and the target's models; nothing else.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._volleys: dict[Hashable, Worth] = {}
        self._views: dict[Hashable, Target] = {}
        self._armed: dict[tuple[int, ...], Counter[WeaponProfile]] = {}

    def target(self, state: EleventhState, unit: int) -> Target:
        """The unit as a target, and a key that two equal targets share."""
        rows = living(state, unit)
        key: Hashable = (unit, tuple((row, int(state.wounds[row])) for row in rows))
        if state.timed or self.scene.sources.concerning(unit, "profile"):
            key = (key, tuple(profile_in_force(self.scene, state, row) for row in rows))
        found = self._views.get(key)
        if found is None:
            if len(self._views) > _MOST_KEPT:
                self._views.clear()
            found = self._views[key] = (key, self._view(state, unit, rows))
        return found

    def _view(self, state: EleventhState, unit: int, rows: list[int]) -> TargetView:
        info = self.scene.units[unit]
        each = info.roster.points / max(1, len(info.rows))
        models = tuple(
            TargetModel(
                profile_in_force(self.scene, state, row),
                int(state.wounds[row]),
                self.scene.models[row].role is Role.UNIT,
                row,
                each,
            )
            for row in rows
        )
        return TargetView(models, attached=info.is_attached)

    def worth(
        self, weapon: WeaponProfile, count: int, context: AttackContext, target: Target, *, changed: bool = False
    ) -> Worth:
        """What so many of the weapon do to the target on average.

        Args:
            changed: whether abilities have changed the circumstances beyond what they are in themselves.
        """
        circumstances: Hashable = (context.half_range, context.cover, context.heavy, context.charged, context.snap)
        if changed:
            circumstances = context
        key = (id(weapon), count, circumstances, target[0])
        found = self._volleys.get(key)
        if found is None:
            if len(self._volleys) > _MOST_KEPT:
                self._volleys.clear()
            if not target[1].models:
                return NOTHING
            odds = exact(compile_volley(weapon, count, context, target[1]))
            found = self._volleys[key] = Worth(odds.mean_damage, self._points(odds.mean_damage, target[1]))
        return found

    def _points(self, damage: float, target: TargetView) -> float:
        """Points that so many wounds of the target stand for."""
        wounds = sum(model.remaining for model in target.models)
        points = sum(model.points * model.remaining / model.profile.wounds for model in target.models)
        return points * damage / max(1, wounds)

    # -- whole units ----------------------------------------------------------------------------------------------

    def melee(self, state: EleventhState, unit: int, target: int, *, charged: bool = False) -> Worth:
        """What a unit does to another in melee if all its models fight with their best weapon."""
        return self.attacks(state, unit, target, self._melee_weapons(state, unit), AttackContext(charged=charged))

    def shooting(self, state: EleventhState, unit: int, target: int, distance: float) -> Worth:
        """What a unit does to another by shooting from a distance in inches, sight not considered."""
        damage = points = 0.0
        for weapon, count in self.ranged_weapons(state, unit).items():
            if weapon.range is not None and weapon.range >= distance:
                context = AttackContext(half_range=distance <= weapon.range / 2)
                found = self.attacks(state, unit, target, {weapon: count}, context)
                damage, points = damage + found.damage, points + found.points
        return Worth(damage, points)

    def attacks(
        self,
        state: EleventhState,
        unit: int,
        target: int,
        weapons: Mapping[WeaponProfile, int],
        context: AttackContext,
    ) -> Worth:
        """What weapons of a unit do to another, with the abilities of either that are in force."""
        view = self.target(state, target)
        sources = self.scene.sources
        concerned = state.timed or sources.concerning(unit, "attack") or sources.concerning(target, "defence")
        damage = points = 0.0
        for weapon, count in weapons.items():
            now = self._with_abilities(state, unit, target, weapon, context, view) if concerned else context
            found = self.worth(weapon, count, now, view, changed=now is not context)
            damage, points = damage + found.damage, points + found.points
        return Worth(damage, points)

    def _with_abilities(
        self,
        state: EleventhState,
        unit: int,
        target: int,
        weapon: WeaponProfile,
        context: AttackContext,
        view: Target,
    ) -> AttackContext:
        """The circumstances of a weapon's attacks with what abilities make of them now.

        Those that work for their bearers alone are seen where the first model with the weapon bears them; a condition
        that asks for the phase is asked for the present one.
        """
        row = self._carrier(state, unit, weapon)
        if row is None or not view[1].models:
            return context
        return attack_context(context, self.scene, state, row, weapon, target, lambda: toughness_against(view[1]))

    def _carrier(self, state: EleventhState, unit: int, weapon: WeaponProfile) -> int | None:
        """The first standing model of the unit with the weapon."""
        for row in standing(state, unit):
            if any(weapon in each.profiles for each in self.scene.models[row].weapons):
                return row
        return None

    def ranged_weapons(
        self, state: EleventhState, unit: int, rows: Sequence[int] | None = None
    ) -> Counter[WeaponProfile]:
        """The ranged weapons of the standing models, or of these rows, one profile each, close-quarters ones only where
        nothing else."""
        found: Counter[WeaponProfile] = Counter()
        for row in standing(state, unit) if rows is None else rows:
            ranged = [weapon.profiles[0] for weapon in self.scene.models[row].weapons if not weapon.melee]
            others = [weapon for weapon in ranged if not weapon.has(WeaponAbilityName.CLOSE_QUARTERS)]
            found.update(others or ranged)
        return found

    def _melee_weapons(self, state: EleventhState, unit: int) -> Counter[WeaponProfile]:
        rows = tuple(standing(state, unit))
        found = self._armed.get(rows)
        if found is None:
            found = self._armed[rows] = self._best_melee_weapons(rows)
        return found

    def _best_melee_weapons(self, rows: tuple[int, ...]) -> Counter[WeaponProfile]:
        found: Counter[WeaponProfile] = Counter()
        for row in rows:
            melee = [
                profile for weapon in self.scene.models[row].weapons if weapon.melee for profile in weapon.profiles
            ]
            extra = [weapon for weapon in melee if weapon.has(WeaponAbilityName.EXTRA_ATTACKS)]
            others = [weapon for weapon in melee if not weapon.has(WeaponAbilityName.EXTRA_ATTACKS)]
            found.update(extra)
            if others:
                found[max(others, key=_rough)] += 1
        return found

    def reach(self, state: EleventhState, unit: int, rows: Sequence[int] | None = None) -> float:
        """The range in inches at which most of the unit's shooting is done; 0 for a unit without ranged weapons."""
        ranges: list[tuple[float, float]] = []
        for weapon, count in self.ranged_weapons(state, unit, rows).items():
            ranges.append((weapon.range or 0.0, count * _rough(weapon)))
        total = sum(share for _, share in ranges)
        if not total:
            return 0.0
        return sum(distance * share for distance, share in ranges) / total


def _rough(weapon: WeaponProfile) -> float:
    """A weapon's weight among others, when no target is known yet."""
    skill = weapon.skill if weapon.skill is not None else 2
    return (
        weapon.attacks.mean
        * (7 - skill)
        * weapon.strength_in_use.mean
        * weapon.damage.mean
        * (1.0 - weapon.armour_penetration * 0.3)
    )
