"""Declaring attacks (04.01, 04.02): which weapons, in which profile, at which targets, before dice are rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from battlewright.core.decisions import (
    Answer,
    AttackDeclaration,
    Declare,
    Option,
    RandomSource,
    UnitId,
    Violation,
)
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.circumstances import attacks_in_use
from battlewright.editions.eleventh.core_abilities import one_shots_left
from battlewright.editions.eleventh.datasheet import WeaponAbilityName, WeaponProfile
from battlewright.editions.eleventh.pools import Circumstances
from battlewright.editions.eleventh.scene import Battle11, WeaponInfo, weapons_of
from battlewright.editions.eleventh.targeting import AttackKind, Targeting, is_big

__all__ = ["DeclareSpace"]

T = TypeVar("T")

_STEPS = "11e.core.04-steps"


class DeclareSpace:
    """The attacks that a unit may declare, for one kind of attack; the answer is a ``Declare``.

    Args:
        kind: the shooting type, or fighting.

    Declaring nothing is legal for shooting; a fighting model that can attack has to. What is possible is worked out
    when it is first asked for, against the state as it stands at the decision.
    """

    def __init__(self, battle: Battle11, unit: int, kind: AttackKind) -> None:
        self._battle, self.unit, self.kind = battle, unit, kind

    @cached_property
    def targeting(self) -> Targeting:
        """What each model can aim at."""
        return Targeting(self._battle.scene, self._battle.state, self.unit, self.kind)

    @cached_property
    def uses(self) -> dict[tuple[int, int, int], tuple[int, ...]]:
        """By model, weapon and profile, what can be aimed at which enemy units; without what cannot be aimed at all."""
        found = {}
        for row in self.targeting.rows:
            for weapon, info in enumerate(self.weapons(row)):
                for number, profile in enumerate(info.profiles):
                    targets = () if self._spent(row, weapon, profile) else self.targeting.eligible(row, profile)
                    if targets:
                        found[row, weapon, number] = targets
        return found

    # -- as every decision's choices --------------------------------------------------------------------------------

    def options(self) -> tuple[Option, ...]:
        """A space lists nothing."""
        return ()

    @rule("11e.core.04-steps", "11e.core.04.02-targets-before-dice")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that a declaration breaks: use by use, then model by model."""
        if not isinstance(answer, Declare):
            return [Violation(_STEPS, "The attacks of the unit have to be declared")]
        found: list[Violation] = []
        known: list[AttackDeclaration] = []
        for attack in answer.attacks:
            faults = self._misnamed(attack)
            found += faults
            if not faults:
                known.append(attack)
                found += self._use_faults(attack)
        found += self._repeated_faults(known)
        for row in self.targeting.rows:
            mine = [attack for attack in known if attack.model == row]
            found += self._melee_faults(row, mine) if self.kind.melee else self._either_or_faults(row, mine)
        return found

    def default(self) -> Answer:
        """Everything at the nearest unit that it can be aimed at; of melee weapons the one that does most."""
        return self._build(_Taste())

    def sample(self, rng: RandomSource) -> Answer:
        """Some declaration: most weapons fire, each at any target it has; melee attacks are sometimes divided."""
        return self._build(_RandomTaste(rng))

    def describe(self) -> dict[str, Any]:
        """For each use of a weapon the units it can be aimed at, and how many attacks may be divided among them."""
        scene = self._battle.scene
        uses = []
        for (row, weapon, number), targets in self.uses.items():
            profile = self.weapons(row)[weapon].profiles[number]
            divisible = self.divisible(row, weapon, number)
            uses.append(
                {
                    "model": row,
                    "weapon": weapon,
                    "profile": number,
                    "name": profile.full_name,
                    "attacks": str(profile.attacks),
                    "targets": [scene.units[UnitId(foe)].id for foe in targets],
                    "divides": divisible if divisible > 1 else 0,
                }
            )
        return {"space": "declare", "attack": str(self.kind), "unit": scene.units[UnitId(self.unit)].id, "uses": uses}

    # -- judgements -------------------------------------------------------------------------------------------------

    def weapons(self, row: int) -> tuple[WeaponInfo, ...]:
        """The weapons of a model, those lent to it included."""
        return weapons_of(self._battle.scene, self._battle.state, row)

    def profile_of(self, attack: AttackDeclaration) -> WeaponProfile:
        """The profile that a declaration names; it has to name one."""
        return self.weapons(attack.model)[attack.weapon].profiles[attack.profile]

    @rule("11e.core.04.02-melee-targets")
    def divisible(self, row: int, weapon: int, number: int) -> int:
        """How many attacks of a melee weapon may be divided among several units: its A, with what modifies it.

        RULING: 11e.core.04.02-melee-targets a random A cannot be divided before it is rolled: such a weapon has one
        target. What a rule adds to A against some targets alone is not there to be divided.
        """
        profile = self.weapons(row)[weapon].profiles[number]
        if not profile.melee or profile.attacks.is_random:
            return 0
        contexts = (
            self._circumstances.context(row, profile, foe, single_target=False)
            for foe in self.uses.get((row, weapon, number), ())
        )
        return min((attacks_in_use(profile, each).values[0] for each in contexts), default=0)

    @cached_property
    def _circumstances(self) -> Circumstances:
        return Circumstances(self.targeting)

    @rule("11e.core.04.01-profiles", "11e.core.01.10-off-the-battlefield")
    def _misnamed(self, attack: AttackDeclaration) -> list[Violation]:
        """Whether model, weapon, profile and target exist at all."""
        if attack.model not in self.targeting.rows:
            return [Violation(_STEPS, f"model {attack.model} is no model of the unit on the battlefield")]
        weapons = self.weapons(attack.model)
        if not 0 <= attack.weapon < len(weapons):
            return [Violation(_STEPS, f"model {attack.model} has no weapon {attack.weapon}")]
        profiles = weapons[attack.weapon].profiles
        if not 0 <= attack.profile < len(profiles):
            text = f"{weapons[attack.weapon].name} has no profile {attack.profile}"
            return [Violation("11e.core.04.01-profiles", text)]
        if self._battle.scene.by_id.get(attack.target, -1) not in self.targeting.foes:
            return [Violation(_STEPS, f"{attack.target} is no enemy unit on the battlefield")]
        return []

    @rule("11e.core.04.01-ranged-weapons", "11e.core.04.01-melee-weapons")
    def _use_faults(self, attack: AttackDeclaration) -> list[Violation]:
        """What is wrong with one use of one weapon by itself."""
        profile, row = self.profile_of(attack), attack.model
        if profile.melee is not self.kind.melee:
            which = "11e.core.04.01-melee-weapons" if self.kind.melee else "11e.core.04.01-ranged-weapons"
            return [Violation(which, f"{profile.full_name} is a {'melee' if profile.melee else 'ranged'} weapon")]
        found = self.targeting.weapon_faults(row, profile)
        found += self.targeting.faults(row, profile, self._battle.scene.by_id[attack.target])
        if self._spent(row, attack.weapon, profile):
            text = f"{profile.full_name} of model {row} has been selected in this battle"
            found.append(Violation("11e.24.26-one-shot.once-per-battle", text))
        if attack.count is not None and not self.kind.melee:
            text = f"the attacks of {profile.full_name} cannot be divided"
            found.append(Violation("11e.core.04.02-ranged-targets", text))
        return found

    @rule(
        "11e.24.26-one-shot.once-per-battle",
        "11e.24.26-one-shot.returned-model",
        "11e.24.26.01-multiple-one-shot.each-once",
    )
    def _spent(self, row: int, weapon: int, profile: WeaponProfile) -> bool:
        """Whether this copy of a ONE SHOT weapon was selected before; a model that returns keeps its row, and this."""
        selected = (row, weapon) in self._battle.state.units[self.unit].one_shot
        return profile.has(WeaponAbilityName.ONE_SHOT) and one_shots_left(1, int(selected)) == 0

    @rule("11e.core.04.02-ranged-targets", "11e.core.04.02-melee-targets", "11e.core.04.01-profiles")
    def _repeated_faults(self, attacks: Sequence[AttackDeclaration]) -> list[Violation]:
        """One profile and, for a ranged weapon, one target for each use; divided melee attacks all accounted for."""
        found: list[Violation] = []
        for (row, weapon), mine in _by_weapon(attacks).items():
            name = self.weapons(row)[weapon].name
            profiles = {attack.profile for attack in mine}
            if len(profiles) > 1:
                text = f"{name} of model {row} is used with {len(profiles)} profiles"
                found.append(Violation("11e.core.04.01-profiles", text))
                continue
            if not self.kind.melee:
                if len(mine) > 1:
                    text = f"{name} of model {row} is aimed {len(mine)} times"
                    found.append(Violation("11e.core.04.02-ranged-targets", text))
                continue
            found += self._division_faults(f"{name} of model {row}", self.profile_of(mine[0]), mine)
        return found

    def _division_faults(self, name: str, profile: WeaponProfile, mine: Sequence[AttackDeclaration]) -> list[Violation]:
        rule_id = "11e.core.04.02-melee-targets"
        found = []
        if len({attack.target for attack in mine}) < len(mine):
            found.append(Violation(rule_id, f"{name} has the same target more than once"))
        if len(mine) == 1 and mine[0].count is None:
            return found
        if profile.attacks.is_random:
            return [*found, Violation(rule_id, f"{name} has A {profile.attacks}, which cannot be divided")]
        attacks = self.divisible(mine[0].model, mine[0].weapon, mine[0].profile)
        if any(attack.count is None or attack.count < 1 for attack in mine):
            return [*found, Violation(rule_id, f"{name}: at least 1 attack has to be declared for each target")]
        declared = sum(attack.count or 0 for attack in mine)
        if declared != attacks:
            found.append(Violation(rule_id, f"{name} has {attacks} attacks, {declared} are declared"))
        return found

    @rule(
        "11e.core.04.01-close-quarters-or-others",
        "11e.24.07-close-quarters.either-or-per-model",
        "11e.24.07-close-quarters.choice-is-per-model",
        "11e.24.07-close-quarters.monster-vehicle-exempt",
        "11e.24.27-pistol.same-as-close-quarters",
    )
    def _either_or_faults(self, row: int, mine: Sequence[AttackDeclaration]) -> list[Violation]:
        """But in close-quarters shooting, a model uses its CLOSE-QUARTERS weapons or its others, unless it is big."""
        if self.kind is AttackKind.CLOSE_QUARTERS or is_big(self._battle.scene, row):
            return []
        if len({self.profile_of(attack).has(WeaponAbilityName.CLOSE_QUARTERS) for attack in mine}) < 2:
            return []
        text = f"model {row} uses CLOSE-QUARTERS weapons and others"
        return [Violation("11e.24.07-close-quarters.either-or-per-model", text)]

    @rule(
        "11e.core.04.01-melee-weapons",
        "11e.24.11-extra-attacks.in-addition",
        "11e.24.11-extra-attacks.select-all",
        "11e.24.11-extra-attacks.one-other",
        "11e.24.11.01-only-extra-attacks.not-required",
    )
    def _melee_faults(self, row: int, mine: Sequence[AttackDeclaration]) -> list[Violation]:
        """Exactly one melee weapon and all EXTRA ATTACKS weapons, as far as the model can aim them (04.01, 24.11).

        RULING: 11e.24.11.01-only-extra-attacks.not-required we read it as: another weapon is mandatory where the model
        can use one, and its absence never blocks the EXTRA ATTACKS weapons.
        """
        used = {attack.weapon for attack in mine}
        usable = {weapon for model, weapon, _ in self.uses if model == row}
        extra = {weapon for weapon in usable if self._is_extra(row, weapon)}
        found = [
            Violation("11e.24.11-extra-attacks.select-all", f"model {row} has to use {self.weapons(row)[weapon].name}")
            for weapon in sorted(extra - used)
        ]
        others = [weapon for weapon in sorted(used) if not self._is_extra(row, weapon)]
        if len(others) > 1:
            which = "11e.24.11-extra-attacks.one-other" if extra else "11e.core.04.01-melee-weapons"
            found.append(Violation(which, f"model {row} uses {len(others)} melee weapons, one is allowed"))
        if not others and usable - extra:
            found.append(Violation("11e.core.04.01-melee-weapons", f"model {row} has to use one melee weapon"))
        return found

    def _is_extra(self, row: int, weapon: int) -> bool:
        return any(profile.has(WeaponAbilityName.EXTRA_ATTACKS) for profile in self.weapons(row)[weapon].profiles)

    # -- building answers -------------------------------------------------------------------------------------------

    def _build(self, taste: _Taste) -> Declare:
        """A legal declaration to somebody's taste."""
        attacks: list[AttackDeclaration] = []
        for row in self.targeting.rows:
            profiles: dict[int, list[int]] = {}
            for model, weapon, number in self.uses:
                if model == row:
                    profiles.setdefault(weapon, []).append(number)
            picked = [(weapon, taste.one_of(numbers)) for weapon, numbers in profiles.items()]
            picked = self._of_melee(row, picked, taste) if self.kind.melee else self._of_ranged(row, picked, taste)
            for weapon, number in picked:
                attacks += self._aimed(row, weapon, number, taste)
        return Declare(tuple(attacks))

    def _of_melee(self, row: int, uses: list[tuple[int, int]], taste: _Taste) -> list[tuple[int, int]]:
        """One melee weapon and all EXTRA ATTACKS weapons."""
        extra = [use for use in uses if self._is_extra(row, use[0])]
        others = [use for use in uses if use not in extra]
        if not others:
            return extra
        weapons = self.weapons(row)
        return [taste.best_of(others, lambda use: _worth(weapons[use[0]].profiles[use[1]])), *extra]

    def _of_ranged(self, row: int, uses: list[tuple[int, int]], taste: _Taste) -> list[tuple[int, int]]:
        """Ranged weapons that may be used together: the others rather than the CLOSE-QUARTERS ones."""
        weapons = self.weapons(row)
        close = [use for use in uses if weapons[use[0]].profiles[use[1]].has(WeaponAbilityName.CLOSE_QUARTERS)]
        others = [use for use in uses if use not in close]
        if close and others and self.kind is not AttackKind.CLOSE_QUARTERS and not is_big(self._battle.scene, row):
            uses = close if taste.likes(_UNUSUAL) else others
        return [use for use in uses if not taste.likes(_SPARED)]

    def _aimed(self, row: int, weapon: int, number: int, taste: _Taste) -> Iterator[AttackDeclaration]:
        """One use of a weapon, its attacks divided between two targets where that is possible and liked."""
        targets, units = self.uses[row, weapon, number], self._battle.scene.units
        attacks = self.divisible(row, weapon, number) if self.kind.melee and len(targets) > 1 else 0
        if attacks > 1 and taste.likes(_DIVIDED):
            first = taste.one_of(range(1, attacks))
            for target, count in zip(targets[:2], (first, attacks - first), strict=True):
                yield AttackDeclaration(row, weapon, number, units[UnitId(target)].id, count)
            return
        target = taste.best_of(targets, self._nearness)
        yield AttackDeclaration(row, weapon, number, units[UnitId(target)].id)

    def _nearness(self, foe: int) -> float:
        return -min(self.targeting.reach(row, foe) for row in self.targeting.rows)


_SPARED, _UNUSUAL, _DIVIDED = 0.15, 0.3, 0.5
"""How often a sample spares a weapon, prefers CLOSE-QUARTERS weapons, divides melee attacks."""


class _Taste:
    """What the default declaration picks: the best, else the first, and nothing unusual."""

    def one_of(self, things: Sequence[T]) -> T:
        return things[0]

    def best_of(self, things: Sequence[T], worth: Callable[[T], float]) -> T:
        return max(things, key=worth)

    def likes(self, chance: float) -> bool:
        return False


class _RandomTaste(_Taste):
    """What a sample picks: anything."""

    def __init__(self, rng: RandomSource) -> None:
        self._rng = rng

    def one_of(self, things: Sequence[T]) -> T:
        return things[self._rng.randrange(len(things))]

    def best_of(self, things: Sequence[T], worth: Callable[[T], float]) -> T:
        return self.one_of(things)

    def likes(self, chance: float) -> bool:
        return self._rng.random() < chance


def _worth(profile: WeaponProfile) -> float:
    """A rough measure of what a melee weapon does, for the default declaration."""
    return profile.attacks.mean * profile.damage.mean * profile.strength_in_use.mean * (8 - (profile.skill or 2))


def _by_weapon(attacks: Sequence[AttackDeclaration]) -> dict[tuple[int, int], list[AttackDeclaration]]:
    found: dict[tuple[int, int], list[AttackDeclaration]] = {}
    for attack in attacks:
        found.setdefault((attack.model, attack.weapon), []).append(attack)
    return found
