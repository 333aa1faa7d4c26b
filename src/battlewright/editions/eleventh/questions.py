"""Questions about attacks of the 11th edition: from profiles and settings to descriptions of attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from battlewright.attacks.description import Policy, RerollPermission, RerollWhich, Volley
from battlewright.attacks.exact import exact
from battlewright.core.dice import Modifier
from battlewright.core.errors import BadInput, ProfileError
from battlewright.core.roster import Unit
from battlewright.core.shapes import within
from battlewright.editions.eleventh.abilities.asked import asked_context
from battlewright.editions.eleventh.ability_text import WeaponAbility, WeaponAbilityName, parse_weapon_ability
from battlewright.editions.eleventh.attack import AttackContext, compile_volley, pool_identical
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.modifiers import Change, Operation
from battlewright.editions.eleventh.profile_text import parse_attack, parse_target
from battlewright.editions.eleventh.target import TargetView
from battlewright.editions.eleventh.unit_questions import hazards, target_of_unit, weapons_of_unit
from battlewright.editions.eleventh.weapon_abilities import within_half_range

__all__ = ["KEYS", "EleventhQuestions", "Settings", "read_settings"]

KEYS: Mapping[str, str] = {
    "hit": "±n, modifier of hit rolls; all together come to 1 at most",
    "wound": "±n, modifier of wound rolls; all together come to 1 at most",
    "save": "±n, modifier of save rolls, invulnerable ones too; +1 helps the defender",
    "skill": "±n, makes BS or WS better (+) or worse (-), beside the limit of hit modifiers",
    "ap": "±n, added to the printed AP: -1 turns AP-1 into AP-2",
    "strength": "±n, added to S",
    "attacks": "±n, added to A of each weapon",
    "damage": "±n, added to D",
    "critical_hits": "n, the lowest unmodified hit roll that is critical",
    "critical_wounds": "n, the lowest unmodified wound roll that is critical",
    "reroll_hits": "ones|failures|noncritical|all, which hit dice are thrown again",
    "reroll_wounds": "ones|failures|noncritical|all, which wound dice are thrown again",
    "reroll_saves": "ones|failures|all, which save dice the defender throws again",
    "reroll_damage": "ones|failures|all, which damage rolls are thrown again; a failure is below the mean",
    "halve_damage": "D is halved, rounded up at the end",
    "lethal": "take|decline|best, what is done with LETHAL HITS",
    "grant": "weapon abilities that every weapon has besides its own: LETHAL HITS, SUSTAINED HITS 1",
    "without": "weapon abilities that no weapon has, whatever its profile says: LETHAL HITS, TORRENT",
    "half_range": "the target is within half range (RAPID FIRE, MELTA)",
    "range": "inches to the target, in place of half_range; the attack must state its R",
    "cover": "the target has the benefit of cover: BS one worse",
    "plunging": "plunging fire: BS one better",
    "stationary": "the unit meets the conditions of HEAVY",
    "moved": "the unit has moved: the conditions of HEAVY are not met",
    "charged": "the unit made a charge move this turn (LANCE)",
    "indirect": "INDIRECT FIRE weapons shoot indirectly: cover, only sixes hit, no re-rolls",
    "spotted": "with indirect: stationary, and a friendly unit sees the target; 4 or more hits",
    "snap": "snap shooting: only sixes hit, and are not critical",
    "damaged": "the attacking model is damaged: -1 to hit",
    "close_quarters": "-1 to hit for MONSTERS and VEHICLES that are, or shoot, in close quarters",
    "precision": "PRECISION picks the target's first CHARACTER",
    "several_targets": "the attacks of a CLEAVE weapon have other targets as well",
    "melee": "a unit fights with its melee weapons, though it could shoot",
    "counted_models": "n, models of the target when targets were selected (BLAST, CLEAVE)",
}
"""The settings of a question, each with what it takes and means; where no value is named, true or false."""

_STEP_OF = {"reroll_hits": "hit", "reroll_wounds": "wound", "reroll_saves": "save", "reroll_damage": "damage"}
_NUMBERS = frozenset({"hit", "wound", "save", "skill", "ap", "strength", "attacks", "damage"})
_WHOLE = {"critical_hits": (2, 6), "critical_wounds": (2, 6), "counted_models": (1, 1000)}
_MOST = 100
_ENOUGH_WOUNDS = 300


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a question as read.

    Attributes:
        context: without what depends on the weapon or the target.
        distance: inches to the target, or None.
        precision: whether PRECISION picks a CHARACTER.
        policy: re-rolls and choices.
        granted: abilities that every weapon has besides its own.
        without: names of abilities that no weapon has.
    """

    context: AttackContext
    distance: float | None
    precision: bool
    policy: Policy
    granted: tuple[WeaponAbility, ...] = ()
    without: frozenset[WeaponAbilityName] = frozenset()

    def armed(self, weapon: WeaponProfile) -> WeaponProfile:
        """A weapon with the abilities that the question gives and takes away."""
        if not self.granted and not self.without:
            return weapon
        kept = tuple(ability for ability in weapon.abilities if ability.name not in self.without)
        return replace(weapon, abilities=(*kept, *(each for each in self.granted if each not in kept)))


# --- reading settings ------------------------------------------------------------------------------------------


def read_settings(given: Mapping[str, Any]) -> Settings:
    """Read the settings of a question, from keyword arguments or from a command line's texts.

    Raises:
        BadInput: naming the setting, with the nearest known name, or what it takes.
    """
    values = {key: _value(key, value) for key, value in given.items() if value is not None}
    if values.get("stationary") and values.get("moved"):
        raise BadInput("stationary and moved exclude each other", where="moved", expected="one of them")
    rerolls = {_STEP_OF[key]: RerollWhich(values[key]) for key in _STEP_OF if key in values}

    def permission(step: str) -> RerollPermission | None:
        return RerollPermission(rerolls[step], "question") if step in rerolls else None

    def modifiers(*keys: str) -> tuple[Modifier, ...]:
        return tuple(Modifier("question", values[key]) for key in keys if values.get(key))

    context = AttackContext(
        half_range=values.get("half_range", False),
        cover=values.get("cover", False),
        plunging=values.get("plunging", False),
        heavy=values.get("stationary", False),
        charged=values.get("charged", False),
        indirect=values.get("indirect", False),
        spotted=values.get("spotted", False),
        snap=values.get("snap", False),
        damaged=values.get("damaged", False),
        target_models=values.get("counted_models"),
        single_target=not values.get("several_targets", False),
        hit_modifiers=modifiers("hit")
        + ((Modifier("11e.core.17.03-penalty", -1),) if values.get("close_quarters") else ()),
        wound_modifiers=modifiers("wound"),
        save_modifiers=modifiers("save"),
        skill_changes=_added(-values.get("skill", 0)),
        strength_changes=_added(values.get("strength", 0)),
        ap_changes=_added(values.get("ap", 0)),
        attacks_changes=_added(values.get("attacks", 0)),
        damage_changes=(
            *_added(values.get("damage", 0)),
            *((Change(Operation.DIVIDE, 2, "question"),) if values.get("halve_damage") else ()),
        ),
        critical_hits=values.get("critical_hits", 6),
        critical_wounds=values.get("critical_wounds", 6),
        reroll_hits=permission("hit"),
        reroll_wounds=permission("wound"),
        reroll_saves=permission("save"),
        reroll_damage=permission("damage"),
    )
    choices = {} if values.get("lethal", "best") == "best" else {"lethal": values["lethal"]}
    return Settings(
        context,
        values.get("range"),
        values.get("precision", False),
        Policy(rerolls, choices),
        values.get("grant", ()),
        values.get("without", frozenset()),
    )


def _added(number: int) -> tuple[Change, ...]:
    if not number:
        return ()
    return (Change(Operation.ADD if number > 0 else Operation.SUBTRACT, abs(number), "question"),)


def _value(key: str, value: Any) -> Any:
    """One setting's value from a text or a Python value."""
    if key not in KEYS:
        close = get_close_matches(key, list(KEYS), n=1, cutoff=0.5)
        raise BadInput(
            f'there is no setting "{key}"',
            expected="one of the settings of the edition",
            nearest=close[0] if close else None,
        )
    text = str(value).strip().lower()
    expected = KEYS[key]
    if key in _STEP_OF:
        allowed: Sequence[str] = [which.value for which in RerollWhich]
        if text in allowed:
            return text
    elif key == "lethal":
        if text in ("take", "decline", "best"):
            return text
    elif key == "range":
        return _range(value, text)
    elif key == "grant":
        return tuple(_ability(each, key) for each in str(value).split(",") if each.strip())
    elif key == "without":
        return frozenset(_ability_name(each) for each in str(value).split(",") if each.strip())
    elif key in _NUMBERS or key in _WHOLE:
        low, high = _WHOLE.get(key, (-_MOST, _MOST))
        number = _whole(text)
        if number is not None and low <= number <= high:
            return number
        expected = f"a whole number from {low} to {high}"
    elif text in _TRUTHS:
        return _TRUTHS[text]
    else:
        expected = "true or false"
    raise BadInput(f'"{value}" is no value of {key}', where=key, expected=expected)


_TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _range(value: Any, text: str) -> float:
    try:
        inches = float(text.rstrip('"'))
    except ValueError:
        inches = -1.0
    if not 0 <= inches <= 1000:
        raise BadInput(f'"{value}" is no range', where="range", expected="inches")
    return inches


def _ability(text: str, where: str) -> WeaponAbility:
    try:
        return parse_weapon_ability(text)
    except ProfileError as fault:
        raise BadInput(fault.what, where=where, expected=fault.expected, nearest=fault.nearest) from fault


def _ability_name(text: str) -> WeaponAbilityName:
    """The ability that a bare name means (``SUSTAINED HITS``), or a whole one."""
    name = " ".join(text.upper().strip().strip("[]").split())
    if name in list(WeaponAbilityName):
        return WeaponAbilityName(name)
    return _ability(text, "without").name


# --- questions -------------------------------------------------------------------------------------------------


class EleventhQuestions:
    """The 11th edition's side of the odds: what may be asked, and how it is written down."""

    keys: Mapping[str, str] = KEYS

    def volleys(
        self,
        attack: str | Unit,
        target: str | Unit,
        *,
        weapon: str | None = None,
        models: int | None = None,
        target_models: int | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> tuple[tuple[Volley, ...], Policy]:
        """The volleys that a question is about, in sequence, and the policy to ask them with.

        Args:
            attack: weapons in text, or a unit of a list.
            target: groups of models in text, or a unit of a list.
            weapon: for a unit, the only weapon to use.
            models: how many models attack: each with every weapon of the text (1 by default), or of the unit.
            target_models: how many models the target has, whatever its text or list says.

        Raises:
            ProfileError: for a profile that cannot be read.
            BadInput: for a setting that cannot be read, and for a target out of range.
        """
        given = dict(settings or {})
        melee = given.pop("melee", None)
        read = read_settings(given)
        view = parse_target(target, target_models) if isinstance(target, str) else target_of_unit(target, target_models)
        context = _picking(read, view)

        units = (attack if isinstance(attack, Unit) else None, target if isinstance(target, Unit) else None)

        def worth(profile: WeaponProfile) -> float:
            own = self._in_context(context, profile, None, units, view)
            return exact(_at_few(compile_volley(read.armed(profile), 1, own, view)), read.policy).mean_damage

        if isinstance(attack, Unit):
            fights = None if melee is None else _value("melee", melee)
            weapons = weapons_of_unit(
                attack, view, worth, weapon=weapon, melee=fights, distance=read.distance, models=models
            )
        else:
            if not 1 <= (models or 1) <= 1000 or models == 0:
                raise BadInput(f"{models} attacking models are out of bounds", where="models", expected="1 to 1000")
            weapons = [(each.profile, each.count * (models or 1)) for each in parse_attack(attack)]
        weapons = [(read.armed(profile), count) for profile, count in weapons]
        made = [
            (profile, count, self._in_context(context, profile, read.distance, units, view))
            for profile, count in weapons
        ]
        if isinstance(attack, Unit):
            volleys = pool_identical(made, view)
        else:
            volleys = tuple(compile_volley(profile, count, own, view) for profile, count, own in made)
        attackers = [model.keywords for model in attack.models] if isinstance(attack, Unit) else [()]
        if (rolls := hazards(weapons, attackers, volleys[0].target)) is not None:
            volleys = (*volleys, rolls)
        return volleys, _on_every_wound_step(read.policy, volleys)

    def _in_context(
        self,
        context: AttackContext,
        weapon: WeaponProfile,
        distance: float | None,
        units: tuple[Unit | None, Unit | None],
        view: TargetView,
    ) -> AttackContext:
        if distance is not None and not weapon.melee:
            context = replace(context, half_range=_judge_range(weapon, distance))
        if units == (None, None):
            return context
        return asked_context(context, weapon, *units, view)


def _at_few(volley: Volley) -> Volley:
    """The volley of one weapon at no more models than it could hurt, so that a horde is not worked through for it."""
    groups = tuple(
        replace(group, remaining=group.remaining[: max(_ENOUGH_WOUNDS // group.wounds, 1)])
        for group in volley.target.groups
    )
    return replace(volley, target=replace(volley.target, groups=groups))


def _picking(read: Settings, target: TargetView) -> AttackContext:
    """The context with the CHARACTER that PRECISION picks, where that is asked for."""
    if not read.precision:
        return read.context
    characters = [number for number, model in enumerate(target.models) if model.profile.is_character]
    if not characters:
        raise BadInput("the target has no CHARACTER", where="precision", expected="{CHARACTER} in a group")
    return replace(read.context, precision=characters[0])


def _judge_range(weapon: WeaponProfile, distance: float) -> bool:
    if weapon.range is None:
        raise BadInput(f"{weapon.full_name} states no range", where="range", expected='R24" in the attack')
    if not within(distance, weapon.range):
        raise BadInput(
            f'the target is out of range at {distance:g}"', where="range", expected=f'{weapon.range:g}" or less'
        )
    return within_half_range(distance, weapon.range)


def _on_every_wound_step(policy: Policy, volleys: Sequence[Volley]) -> Policy:
    """A policy for wound rolls, also where a random S makes several steps of them."""
    if "wound" not in policy.rerolls:
        return policy
    names = {step.name for volley in volleys for step in volley.steps if step.name.startswith("wound-")}
    return replace(policy, rerolls={**policy.rerolls, **dict.fromkeys(names, policy.rerolls["wound"])})
