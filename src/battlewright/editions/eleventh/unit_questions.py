"""Questions about whole units: who stands in the target, and which weapons a unit would use against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cache

from battlewright.attacks.description import AttackDice, Emit, Outcome, Packet, Step, Target, Volley, amount
from battlewright.core.errors import BadInput, CannotAttack
from battlewright.core.roster import Model, Role, Unit, Weapon
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh.abilities.asked import asked_target
from battlewright.editions.eleventh.abilities.sources import with_own_abilities
from battlewright.editions.eleventh.ability_text import WeaponAbilityName
from battlewright.editions.eleventh.core_abilities import hazard_damage
from battlewright.editions.eleventh.datasheet import WeaponProfile, read_model, read_weapon
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.target import TargetModel, TargetView
from battlewright.editions.eleventh.weapon_abilities import hazard_rolls

__all__ = ["HAZARD", "Worth", "hazards", "may_target", "target_of_unit", "weapons_of_unit"]

Worth = Callable[[WeaponProfile], float]
"""What an attack with one weapon of this profile is worth against the target."""

_MOST = 1000
HAZARD = "mortal wounds to the attacker"
"""What the answer counts of hazard rolls, before any Feel No Pain of the attacker."""


def _so_many(models: Sequence[Model], count: int | None, where: str) -> tuple[Model, ...]:
    """The first so many models; the last is repeated where there are fewer."""
    if count is None:
        return tuple(models)
    if not 1 <= count <= _MOST or not models:
        raise BadInput(f"{count} models are out of bounds", where=where, expected=f"1 to {_MOST}")
    return (*models[:count], *[models[-1]] * (count - len(models)))


def target_of_unit(unit: Unit, models: int | None = None) -> TargetView:
    """A unit as a target, unhurt; an attached unit with its bodyguard.

    Args:
        models: how many models it has; as the list says by default.

    Raises:
        ProfileError: when a model's characteristics cannot be read.
    """
    sizes = Counter(model.component for model in unit.models)
    found: dict[int, TargetModel] = {}
    standing = _so_many(unit.models, models, "target_models")
    for model in standing:
        if id(model) not in found:
            component = unit.components[model.component]
            profile = with_own_abilities(read_model(model), model, unit)
            found[id(model)] = TargetModel(
                profile,
                profile.wounds,
                bodyguard=component.role is Role.UNIT,
                points=component.points / sizes[model.component],
            )
    view = TargetView(tuple(found[id(model)] for model in standing), attached=len(unit.components) > 1)
    last = len(unit.models) - 1
    return asked_target(unit, view, [min(place, last) for place in range(len(standing))])


@rule("11e.core.04.01-hunter")
def may_target(weapon: WeaponProfile, target: frozenset[str]) -> bool:
    """Whether a profile may be used against a unit with these keywords: a hunter of keywords needs one of them."""
    return all(keywords_match(hunter.gate, target) for hunter in weapon.instances(WeaponAbilityName.HUNTER))


def weapons_of_unit(
    unit: Unit,
    target: TargetView,
    worth: Worth,
    *,
    weapon: str | None = None,
    melee: bool | None = None,
    distance: float | None = None,
    models: int | None = None,
) -> list[tuple[WeaponProfile, int]]:
    """The weapons that a unit would use against a target, so many of each.

    A model shoots with all its ranged weapons, or only with its CLOSE-QUARTERS weapons where these are worth more;
    it fights with its best melee weapon and all that have EXTRA ATTACKS. Of several profiles the one worth most is
    used.

    Args:
        worth: what one weapon of a profile is worth.
        weapon: name of the only weapon to use.
        melee: whether the unit fights; by default it shoots if it can.
        distance: inches to the target; weapons that do not reach are left out.
        models: how many models attack; as the list says by default.

    Raises:
        BadInput: when the unit has no such weapon.
        CannotAttack: when it has none that it could use.
    """
    attackers = _so_many(unit.models, models, "models")
    worth = cache(worth)
    if weapon is not None:
        _check_name(unit, weapon)
    best = _best_profiles(attackers, target, worth, distance)
    usable = [
        (model, [best[id(w)] for w in model.weapons if id(w) in best and _is_meant(w, weapon)]) for model in attackers
    ]
    if melee is None:
        carried = [each for model in attackers for each in model.weapons if each.profiles and _is_meant(each, weapon)]
        melee = all(each.profiles[0].melee for each in carried)
    used: Counter[WeaponProfile] = Counter()
    for model, profiles in usable:
        mine = [profile for profile in profiles if profile.melee is melee]
        used.update(mine if weapon is not None else _together(model, mine, worth))
    if not used:
        raise CannotAttack(f"{unit.name} has no weapon that it could use here", where=weapon or "unit")
    return list(used.items())


def _is_meant(weapon: Weapon, name: str | None) -> bool:
    return name is None or weapon.name.casefold() == name.strip().casefold()


def _check_name(unit: Unit, name: str) -> None:
    carried = unit.weapon_counts()
    if not any(known.casefold() == name.strip().casefold() for known in carried):
        close = get_close_matches(name, list(carried), n=1, cutoff=0.4)
        nearest = close[0] if close else None
        raise BadInput(
            f'{unit.name} carries no "{name}"', where="weapon", expected="one of its weapons", nearest=nearest
        )


def _best_profiles(
    attackers: Iterable[Model], target: TargetView, worth: Worth, distance: float | None
) -> dict[int, WeaponProfile]:
    """For each weapon, by its identity, the profile that is worth most; none for those that cannot be used."""
    keywords = target.keywords
    found: dict[int, WeaponProfile] = {}
    for weapon in {id(weapon): weapon for model in attackers for weapon in model.weapons}.values():
        usable = [
            profile
            for profile in (read_weapon(printed, weapon.name) for printed in weapon.profiles)
            if may_target(profile, keywords) and _reaches(profile, distance)
        ]
        if usable:
            found[id(weapon)] = max(usable, key=worth) if len(usable) > 1 else usable[0]
    return found


def _reaches(profile: WeaponProfile, distance: float | None) -> bool:
    return profile.melee or distance is None or profile.range is None or within(distance, profile.range)


@rule("11e.core.04.01-ranged-weapons", "11e.core.04.01-melee-weapons", "11e.core.04.01-close-quarters-or-others")
def _together(model: Model, mine: Sequence[WeaponProfile], worth: Worth) -> Sequence[WeaponProfile]:
    """The weapons that one model may use together, the most worthwhile choice of them."""
    if mine and mine[0].melee:
        extra = [profile for profile in mine if profile.has(WeaponAbilityName.EXTRA_ATTACKS)]
        others = [profile for profile in mine if not profile.has(WeaponAbilityName.EXTRA_ATTACKS)]
        return [*extra, *([max(others, key=worth) if len(others) > 1 else others[0]] if others else [])]
    close = [profile for profile in mine if profile.has(WeaponAbilityName.CLOSE_QUARTERS)]
    others = [profile for profile in mine if not profile.has(WeaponAbilityName.CLOSE_QUARTERS)]
    if not close or not others or keywords_match("MONSTER/VEHICLE", model.keywords):
        return mine
    return max((others, close), key=lambda some: sum(worth(profile) for profile in some))


@rule("11e.core.06.03-hazard-roll", "11e.24.15-hazardous.timing")
def hazards(
    weapons: Iterable[tuple[WeaponProfile, int]], attackers: Iterable[Iterable[str]], target: Target
) -> Volley | None:
    """The hazard rolls that the attacker makes after all its attacks, as a volley whose effects are mortal wounds.

    Args:
        weapons: those that were used, so many of each.
        attackers: keywords of each attacking model.
        target: of the attacks, which the rolls leave alone.
    """
    rolls = sum(hazard_rolls([profile]) * count for profile, count in weapons)
    if not rolls:
        return None
    models = [frozenset(keywords) for keywords in attackers]
    wounds = [hazard_damage(die, models) for die in range(1, 7)]
    step = Step(
        "hazard",
        (Outcome("safe", success=True), Outcome("hazard", (Emit(HAZARD, amount(max(wounds))),))),
        tuple(int(lost > 0) for lost in wounds),
        rules=("11e.core.06.03-hazard-roll",),
    )
    return Volley(
        name="hazard rolls",
        dice=(AttackDice(rolls, amount(1)),),
        entry=(Emit("hazard"),),
        steps=(step,),
        packets=(Packet(HAZARD, saved=False, effect=HAZARD, rules=("11e.core.06.03-hazard-roll",)),),
        saves=(),
        target=target,
        rules=("11e.24.15-hazardous.count",),
    )
