"""Weapon abilities as judgements (24): which instance is in force, and what each of them comes to.

:mod:`~battlewright.editions.eleventh.attack` works them into the description of an attack; nothing here rolls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh.ability_text import WeaponAbility, WeaponAbilityName, fixed
from battlewright.editions.eleventh.datasheet import WeaponProfile, weapons_with
from battlewright.editions.eleventh.keywords import keywords_match

__all__ = [
    "abilities_in_force",
    "anti_threshold",
    "blast_dice",
    "cleave_dice",
    "find",
    "hazard_rolls",
    "heavy_applies",
    "instances_to_choose",
    "is_psychic_attack",
    "rapid_fire_dice",
    "within_half_range",
    "without_excluded",
    "works_against",
]

_MODELS_PER_DIE = 5
_HEAVY_INCHES = 3.0


# --- which abilities are in force ------------------------------------------------------------------------------


@rule(
    "11e.24.01-abilities.keyword-gate",
    "11e.24.01-abilities.keyword-gate-example-lethal",
    "11e.24.01-abilities.keyword-gate-example-sustained",
)
def works_against(ability: WeaponAbility, target: frozenset[str]) -> bool:
    """Whether an ability works against a unit with these keywords: always, or if it has one of the gate's keywords."""
    return not ability.gate or keywords_match(ability.gate, target)


@rule("11e.24.37.01-torrent-exclusions.no-indirect-no-precision")
def without_excluded(abilities: Sequence[WeaponAbility]) -> tuple[WeaponAbility, ...]:
    """The abilities that a weapon really has: one with TORRENT has neither INDIRECT FIRE nor PRECISION."""
    if find(abilities, WeaponAbilityName.TORRENT) is None:
        return tuple(abilities)
    excluded = (WeaponAbilityName.INDIRECT_FIRE, WeaponAbilityName.PRECISION)
    return tuple(ability for ability in abilities if ability.name not in excluded)


@rule(
    "11e.24.02-duplicated-abilities.not-cumulative",
    "11e.24.02-duplicated-abilities.weapon-selection-timing",
    "11e.24.02-duplicated-abilities.weapon-number-is-duplicate",
    "11e.24.02-duplicated-abilities.weapon-keyword-is-duplicate",
    "11e.24.01-abilities.weapon-in-profile",
)
def abilities_in_force(
    weapon: WeaponProfile,
    target: frozenset[str],
    granted: Iterable[WeaponAbility] = (),
    chosen: Sequence[WeaponAbility] = (),
) -> tuple[WeaponAbility, ...]:
    """The abilities of a weapon that work against a unit with these keywords, one instance of each name.

    Args:
        granted: abilities that other rules give the weapon.
        chosen: for duplicated abilities the instances that the controller picked in the Select Weapons step; of
            the others the one that is best against this target is used.
    """
    held = without_excluded((*weapon.abilities, *granted))
    in_force = []
    for name in dict.fromkeys(ability.name for ability in held):
        instances = [ability for ability in held if ability.name is name]
        picked = [ability for ability in chosen if ability in instances]
        ability = picked[0] if picked else max(instances, key=lambda each: _merit(each, target))
        if works_against(ability, target):
            in_force.append(ability)
    return tuple(in_force)


def _merit(ability: WeaponAbility, target: frozenset[str]) -> tuple[bool, float]:
    works = works_against(ability, target)
    if ability.threshold is not None:
        return works and keywords_match(ability.keyword, target), -ability.threshold
    return works, ability.value.mean if ability.value is not None else 1.0


@rule("11e.24.02-duplicated-abilities.weapon-selection-timing")
def instances_to_choose(weapon: WeaponProfile, granted: Iterable[WeaponAbility] = ()) -> tuple[WeaponAbility, ...]:
    """The instances of duplicated abilities between which the controller chooses each time the unit attacks."""
    held = tuple(dict.fromkeys(without_excluded((*weapon.abilities, *granted))))
    names = [ability.name for ability in held]
    return tuple(ability for ability in held if names.count(ability.name) > 1)


def find(abilities: Iterable[WeaponAbility], name: WeaponAbilityName) -> WeaponAbility | None:
    """The ability of that name among them, or None."""
    return next((ability for ability in abilities if ability.name is name), None)


@rule("11e.24.29-psychic.psychic-attack-name", "11e.core.22.03-psychic")
def is_psychic_attack(weapon: WeaponProfile, in_force: Iterable[WeaponAbility] = ()) -> bool:
    """Whether attacks with the weapon are psychic attacks, by its profile or by an ability that is in force."""
    return weapon.has(WeaponAbilityName.PSYCHIC) or find(in_force, WeaponAbilityName.PSYCHIC) is not None


# --- additional attack dice: so many throws of an expression for each weapon -----------------------------------


@rule(
    "11e.24.30-rapid-fire.extra-dice",
    "11e.24.30-rapid-fire.measured-at-select-targets",
    "11e.24.30-rapid-fire.example",
)
def rapid_fire_dice(ability: WeaponAbility | None, half_range: bool) -> tuple[int, DiceExpression]:
    """Additional attack dice of RAPID FIRE X: X if the target was within half range in the Select Targets step."""
    if ability is None or ability.value is None or not half_range:
        return 0, fixed(0)
    return 1, ability.value


@rule(
    "11e.24.05-blast.per-five-models",
    "11e.24.05-blast.round-down",
    "11e.24.05-blast.counted-at-select-targets",
    "11e.24.05-blast.x-form-replaces",
    "11e.24.05-blast.example",
)
def blast_dice(ability: WeaponAbility | None, target_models: int) -> tuple[int, DiceExpression]:
    """Additional attack dice of BLAST (one) or BLAST X (X) for each full five models at Select Targets."""
    if ability is None:
        return 0, fixed(0)
    return target_models // _MODELS_PER_DIE, ability.value if ability.value is not None else fixed(1)


@rule(
    "11e.24.06-cleave.extra-dice",
    "11e.24.06-cleave.single-target-only",
    "11e.24.06-cleave.round-down",
    "11e.24.06-cleave.counted-at-select-targets",
    "11e.24.06-cleave.example",
)
def cleave_dice(ability: WeaponAbility | None, target_models: int, single_target: bool) -> tuple[int, DiceExpression]:
    """Additional attack dice of CLEAVE X: X for each full five models, if all its attacks have that one target."""
    if ability is None or ability.value is None or not single_target:
        return 0, fixed(0)
    return target_models // _MODELS_PER_DIE, ability.value


@rule("11e.24.25-melta.measured-at-select-targets", "11e.24.30-rapid-fire.measured-at-select-targets")
def within_half_range(distance: float, reach: float | None) -> bool:
    """Whether a target is within half a weapon's range, both in inches; never for a melee weapon."""
    return reach is not None and within(distance, reach / 2)


# --- rolls -----------------------------------------------------------------------------------------------------


@rule(
    "11e.24.16-heavy.own-shooting-phase",
    "11e.24.16-heavy.unengaged",
    "11e.24.16-heavy.not-set-up-this-turn",
    "11e.24.16-heavy.moved-at-most-three",
    "11e.core.24-heavy",
)
def heavy_applies(*, own_shooting_phase: bool, engaged: bool, set_up_this_turn: bool, moved: Iterable[float]) -> bool:
    """Whether attacks of a unit with HEAVY weapons get +1 to hit.

    Args:
        moved: inches that each model of the unit has moved this turn; when it FLEW, horizontally.
    """
    steady = all(within(distance, _HEAVY_INCHES) for distance in moved)
    return own_shooting_phase and not engaged and not set_up_this_turn and steady


@rule(
    "11e.24.03-anti.critical-threshold",
    "11e.24.03-anti.keyword-required",
    "11e.24.03-anti.unmodified-value",
    "11e.24.03-anti.example-vehicle",
    "11e.24.03-anti.example-psyker",
    "11e.ds-keywords.attacks-target-units",
)
def anti_threshold(ability: WeaponAbility | None, target: frozenset[str], usual: int = 6) -> int:
    """The lowest unmodified wound roll that is a critical wound against a unit with these keywords."""
    if ability is None or ability.threshold is None or not keywords_match(ability.keyword, target):
        return usual
    return min(usual, ability.threshold)


@rule(
    "11e.24.15-hazardous.count",
    "11e.24.15-hazardous.shoot-and-fight",
    "11e.core.24-hazardous",
)
def hazard_rolls(selected: Iterable[WeaponProfile]) -> int:
    """Hazard rolls that a unit makes after all its attacks: one for each HAZARDOUS weapon that was selected."""
    return len(weapons_with(selected, WeaponAbilityName.HAZARDOUS))
