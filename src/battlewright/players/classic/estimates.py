"""What attacks are worth in a classic edition: points of the enemy that they remove on average, by the exact odds.

Everything is asked of the scene's table of rules, so that one estimator serves every edition of the lineage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from battlewright.attacks.description import Amount, amount
from battlewright.attacks.exact import exact
from battlewright.core.dice import DiceExpression
from battlewright.core.errors import BattlewrightError
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.firing import Firing
from battlewright.editions.classic.procedures.blades import BARE
from battlewright.editions.classic.procedures.fire_points import firing_rows, places_left
from battlewright.editions.classic.procedures.prowess import weapon_in_hand
from battlewright.editions.classic.profiles import Facing, ModelProfile
from battlewright.editions.classic.scene import Scene, living, present_unit, standing, traits_of_model
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile

__all__ = ["NOTHING", "Estimates", "Worth"]

_MOST_KEPT = 20_000
_UNDER_A_MARKER = 3
"""Models that a small blast or a template is expected to touch."""
_HURT = 0.12
"""Of a vehicle's cost, what each damage result short of its destruction is worth."""

Armed: TypeAlias = tuple[WeaponProfile, int, int, int]
"""A weapon with its user's skill and Strength, and his attacks in close combat."""
Target: TypeAlias = tuple[Hashable, TargetView]


@dataclass(frozen=True, slots=True)
class Worth:
    """What attacks do on average: wounds removed, and points of the target that they stand for."""

    damage: float
    points: float

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.damage + other.damage, self.points + other.points)


NOTHING = Worth(0.0, 0.0)


class Estimates:
    """Answers questions of odds about the units of one scene, and keeps the answers.

    An answer depends on weapons, how many of each, the circumstances and the target's models; nothing else.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._volleys: dict[Hashable, Worth] = {}

    def target(self, state: ClassicState, unit: int, *, facing: Facing = Facing.FRONT, close: bool = False) -> Target:
        """The unit as a target, and a key that two equal targets share.

        Args:
            close: whether it is struck in close combat, where no cover helps.
        """
        rows = living(state, unit)
        models = [self.scene.models[row] for row in rows]
        if any(model.profile.is_vehicle for model in models):
            rows, models = rows[:1], models[:1]
        wounds = tuple(int(state.wounds[row]) for row in rows)
        view = TargetView(
            tuple(
                TargetModel(model.profile, left, None, model.row, model.points)
                for model, left in zip(models, wounds, strict=True)
            ),
            facing,
        )
        return (tuple(rows), wounds, facing, close), view

    def points_left(self, state: ClassicState, unit: int) -> float:
        """What is left of a unit, in points."""
        return sum(
            self.scene.models[row].points * int(state.wounds[row]) / self.scene.models[row].profile.wounds
            for row in living(state, unit)
        )

    # -- one kind of weapon -----------------------------------------------------------------------------------------

    def _worth(
        self, armed: Armed, count: int, target: Target, *, attacks: Amount | None, automatic: bool, half_range: bool
    ) -> Worth:
        weapon, skill, strength, _ = armed
        key = (id(weapon), skill, strength, count, str(attacks), automatic, half_range, target[0])
        found = self._volleys.get(key)
        if found is None:
            if len(self._volleys) > _MOST_KEPT:
                self._volleys.clear()
            context = AttackContext(
                skill=skill, strength=strength, attacks=attacks, automatic=automatic, half_range=half_range
            )
            found = self._volleys[key] = self._odds(weapon, count, context, target[1])
        return found

    def _odds(self, weapon: WeaponProfile, count: int, context: AttackContext, view: TargetView) -> Worth:
        if not view.models:
            return NOTHING
        try:
            odds = exact(compile_volley(self.scene.rules.attack, weapon, count, context, view))
        except BattlewrightError:  # an attack that the odds cannot tell is worth nothing to somebody who goes by them
            return NOTHING
        wounds = sum(model.remaining for model in view.models)
        points = sum(model.points * model.remaining / model.profile.wounds for model in view.models)
        share = min(1.0, odds.mean_damage / max(1, wounds))
        if view.armour is not None:
            hurt = sum(float(times[1:].sum()) for times in odds.effects.values())
            share = min(1.0, share + _HURT * hurt)
        return Worth(odds.mean_damage, points * share)

    # -- whole units ------------------------------------------------------------------------------------------------

    def melee(self, state: ClassicState, unit: int, foe: int, *, charged: bool = False) -> Worth:
        """What a unit does to another in one round of close combat with the best that each model has."""
        view = self.target(state, foe, facing=Facing.REAR, close=True)
        found = NOTHING
        for armed, count in self._melee_weapons(state, unit).items():
            attacks = amount(DiceExpression(0, 0, max(1, armed[3] + charged)))
            found += self._worth(armed, count, view, attacks=attacks, automatic=False, half_range=False)
        return found

    def _melee_weapons(self, state: ClassicState, unit: int) -> Counter[Armed]:
        found: Counter[Armed] = Counter()
        for row in (*standing(state, unit), *self._riders(state, unit)):
            model = self.scene.models[row]
            if model.profile.is_vehicle and not model.profile.weapon_skill:
                continue
            melee = [profile for weapon in model.weapons for profile in weapon.profiles if profile.melee]
            profile = model.profile
            if profile.attacks:
                best = max(melee, key=lambda weapon: _rough(weapon, profile)) if melee else BARE
                found[(best, best.skill or profile.weapon_skill, profile.strength, profile.attacks)] += 1
        return found

    def blow(self, state: ClassicState, row: int, foe: int, weapon: WeaponProfile, *, halved: bool) -> Worth:
        """What a model does to a unit in a round of close combat with a weapon, perhaps for half its Attacks."""
        profile = self.scene.models[row].profile
        weapon = weapon_in_hand(self.scene, state, row, weapon)
        attacks = (profile.attacks + 1) // 2 if halved else profile.attacks
        attacks += state.units[present_unit(self.scene, state, row)].charged
        view = self.target(state, foe, facing=Facing.REAR, close=True)
        key = (weapon, profile.weapon_skill, profile.strength, attacks, view[0])
        if key not in self._volleys:
            context = AttackContext(
                skill=weapon.skill or profile.weapon_skill,
                strength=profile.strength,
                attacks=amount(DiceExpression(0, 0, attacks)),
            )
            self._volleys[key] = self._odds(weapon, 1, context, view[1])
        return self._volleys[key]

    def _riders(self, state: ClassicState, unit: int) -> list[int]:
        """Those who fight from the vehicles of a unit."""
        fights_from = self.scene.rules.characters.riding
        if not any(fights_from(self.scene.models[row].profile.keywords) for row in standing(state, unit)):
            return []
        return [row for each, mine in enumerate(state.units) if mine.embarked == unit for row in living(state, each)]

    def shooting(
        self,
        state: ClassicState,
        unit: int,
        foe: int,
        distance: float,
        *,
        moved: bool,
        only: Collection[str] | None = None,
    ) -> Worth:
        """What a unit does to another by shooting from a distance in inches, sight not considered.

        Args:
            only: the names of the weapons that it fires; all when None.
        """
        view = self.target(state, foe)
        found = NOTHING
        for armed, count in self.guns(state, unit).items():
            if only is not None and armed[0].name not in only:
                continue
            aimed = self._aimed(state, armed, unit, foe)
            if aimed is not None:
                found += self._fire(aimed, count, view, distance, moved=moved)
        return found

    def _aimed(self, state: ClassicState, armed: Armed, unit: int, foe: int) -> Armed | None:
        """A weapon with the skill that it has against what is fired at: 1 in snap shots; None where it makes none."""
        weapon, skill, strength, attacks = armed
        rules, target = self.scene.rules.shooting, living(state, foe)
        bearer = {"SKYFIRE"} if state.units[unit].has(Deed.SKYFIRE) else set[str]()
        names = traits_of_model(self.scene, target[0]) if target else frozenset[str]()
        if not rules.snaps_at(weapon, bearer, names, state.units[foe].aloft):
            return armed
        return (weapon, 1, strength, attacks) if rules.may_snap(weapon, skill) else None

    def _fire(self, armed: Armed, count: int, view: Target, distance: float, *, moved: bool) -> Worth:
        weapon = armed[0]
        if distance > weapon.range and not weapon.has(AbilityName.TEMPLATE):
            return NOTHING
        shots = self.scene.rules.shooting.shots[weapon.type](weapon, Firing(moved=moved, distance=distance))
        if shots is None:
            return NOTHING
        if weapon.has(AbilityName.TEMPLATE):
            if distance > 8.0:
                return NOTHING
            shots, automatic = DiceExpression(0, 0, min(_UNDER_A_MARKER, len(view[1].models))), True
        else:
            automatic = False
            if weapon.has(AbilityName.BLAST) and view[1].armour is None:
                count *= min(_UNDER_A_MARKER, len(view[1].models))
        half = distance <= weapon.range / 2
        return self._worth(armed, count, view, attacks=amount(shots), automatic=automatic, half_range=half)

    def guns(self, state: ClassicState, unit: int, rows: Sequence[int] | None = None) -> Counter[Armed]:
        """The ranged weapons of the standing models, of infantry the strongest of each."""
        found: Counter[Armed] = Counter()
        lost = state.units[unit].weapons_lost
        for row in self._firing(state, unit) if rows is None else rows:
            model = self.scene.models[row]
            profile = model.profile
            ranged = [
                weapon.profiles[0]
                for place, weapon in enumerate(model.weapons)
                if not weapon.melee and (row, place) not in lost
            ]
            if not profile.is_vehicle and len(ranged) > 1:
                ranged = [max(ranged, key=lambda weapon: _rough(weapon, profile) * min(weapon.range, 36.0))]
            for weapon in ranged:
                found[(weapon, weapon.skill or profile.ballistic_skill, profile.strength, profile.attacks)] += 1
        return found

    def guesses(self, state: ClassicState, unit: int) -> bool:
        """Whether the range of one of a unit's weapons is guessed."""
        return any(armed[0].has(AbilityName.GUESS) for armed in self.guns(state, unit))

    def _firing(self, state: ClassicState, unit: int) -> Sequence[int]:
        """The models of a unit that could fire: of passengers as many as there are places."""
        rows, transport = firing_rows(self.scene, state, unit), state.units[unit].embarked
        return rows if transport < 0 else rows[: places_left(self.scene, state, transport)]

    def reach(self, state: ClassicState, unit: int) -> float:
        """The range in inches at which most of the unit's shooting is done; 0 for a unit without ranged weapons."""
        ranges = [(armed[0].range, count * _rough(armed[0], None)) for armed, count in self.guns(state, unit).items()]
        total = sum(share for _, share in ranges)
        return sum(min(distance, 72.0) * share for distance, share in ranges) / total if total else 0.0


def _rough(weapon: WeaponProfile, user: ModelProfile | None) -> float:
    """A weapon's weight among others, when no target is known yet."""
    strength = weapon.strength.of(user.strength if user is not None else 4)
    pierces = 0 if weapon.ap is None else 7 - weapon.ap
    wide = _UNDER_A_MARKER if weapon.has(AbilityName.BLAST) or weapon.has(AbilityName.TEMPLATE) else 1
    return max(1.0, weapon.shots.mean) * wide * (1 + strength) * (1 + 0.4 * pierces)
