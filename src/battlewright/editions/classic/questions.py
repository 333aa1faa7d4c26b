"""Questions about classic attacks: from profiles and settings to descriptions of attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from battlewright.attacks.description import Policy, RerollPermission, RerollWhich, Volley, amount
from battlewright.attacks.exact import exact
from battlewright.core.citing import cited
from battlewright.core.decisions import SIDES
from battlewright.core.dice import DiceExpression, Modifier
from battlewright.core.errors import BadInput, CannotAttack
from battlewright.core.roster import Unit, Weapon
from battlewright.core.roster import WeaponProfile as PrintedProfile
from battlewright.core.shapes import within
from battlewright.editions.classic import damage_tables
from battlewright.editions.classic.armour import DamageTable
from battlewright.editions.classic.attack import compile_volley, draft_attack
from battlewright.editions.classic.bearers import Bearer, attacking, bout_of, guarded, ignores_wound_on, names_of_unit
from battlewright.editions.classic.draft import AttackContext, Draft
from battlewright.editions.classic.firing import Firing
from battlewright.editions.classic.profile_text import TextWeapon, parse_attack, parse_target
from battlewright.editions.classic.profiles import Facing, ModelProfile, read_model
from battlewright.editions.classic.special_rules import Bout, Encounter, Guard, Harm, Occasion, Saves
from battlewright.editions.classic.state import ClassicUnit
from battlewright.editions.classic.table import ClassicRules
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import BARE, WeaponProfile, read_weapon

__all__ = ["KEYS", "ClassicQuestions"]

KEYS: Mapping[str, str] = {
    "hit": "±n, modifier of hit rolls",
    "wound": "±n, modifier of wound rolls",
    "save": "±n, modifier of save rolls; +1 helps the defender",
    "strength": "±n, added to the Strength of each attack, 10 at most",
    "attacks": "±n, added to the attacks of each weapon",
    "penetration": "±n, added to armour penetration rolls",
    "reroll_hits": "ones|failures|all, which hit dice are thrown again",
    "reroll_wounds": "ones|failures|all, which wound dice are thrown again",
    "reroll_saves": "ones|failures|all, which save dice the defender throws again",
    "range": "inches to the target: shots of rapid fire weapons and pistols, half range of melta weapons",
    "half_range": "the target is within half range (melta), in place of range",
    "moved": "the attacker's unit has moved",
    "charged": "the attacker's unit has charged: one attack more",
    "cover": "3+ to 6+, the cover save of a target that states none; true is 5+",
    "facing": "front|side|rear, the side of a vehicle that is hit",
    "hull_down": "the vehicle counts as hull down",
    "hits": "n, hits that each weapon has scored already, by a marker or template",
    "automatic": "the attacks hit without a roll",
    "damage_tables": "FILE.yaml, damage tables of your own; or what the header of a saved battle says of them",
    "melee": "a unit fights in close combat, though it could shoot",
    "once": "a pistol that could fire twice fires once",
    "bare": "models of a unit without a close combat weapon strike too",
}
"""The settings of a question, each with what it takes and means; where no value is named, true or false."""

_REROLLS = {"reroll_hits": "hit", "reroll_wounds": "wound", "reroll_saves": "save"}
_NUMBERS = frozenset({"hit", "wound", "save", "strength", "attacks", "penetration"})
_TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_MOST = 100
_WOODS = 5
_NOBODY = ClassicUnit(side=SIDES[0], models=())
"""A unit to whom nothing has happened."""


@dataclass(frozen=True, slots=True)
class _Use:
    """One weapon as it is used: by whom, how often, so many of it; ``names`` are what its user has."""

    weapon: WeaponProfile
    skill: int
    strength: int
    attacks: DiceExpression | None
    count: int
    has_range: bool = True
    names: frozenset[str] = frozenset()


class ClassicQuestions:
    """A classic edition's side of the odds: what may be asked, and how it is written down.

    Args:
        rules: the edition's table.
        tables: its damage tables by their names in files.
        cites: where rules that an earlier edition's ids name stand in this edition's book.
    """

    keys: Mapping[str, str] = KEYS

    def __init__(
        self, rules: ClassicRules, cites: Mapping[str, str] | None = None, *, tables: Mapping[str, DamageTable]
    ) -> None:
        self.rules, self.cites, self.tables = rules, cites or {}, tables

    def target_of(self, text: str) -> str:
        """A target in full, where an edition knows some by their names."""
        return text

    def attack_of(self, text: str) -> str:
        """An attack in full, where an edition knows some by their names."""
        return text

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
        """See :class:`~battlewright.editions.edition.Questions`.

        Raises:
            ProfileError: for a profile that cannot be read.
            BadInput: for a setting that cannot be read, a number out of bounds, and a target out of range.
        """
        given = dict(settings or {})
        tables = given.pop(damage_tables.NAME, None)
        if tables is not None:
            asked = self._with_tables(str(tables))
            more = {"weapon": weapon, "models": models, "target_models": target_models}
            return asked.volleys(attack, target, settings=given, **more)  # type: ignore[arg-type]
        values = {key: _value(key, value, self.keys) for key, value in (settings or {}).items() if value is not None}
        view = (
            parse_target(self.target_of(target), target_models)
            if isinstance(target, str)
            else _unit_target(target, target_models)
        )
        view = _placed(view, values)
        if models is not None and not 1 <= models <= 1000:
            raise BadInput(f"{models} attacking models are out of bounds", where="models", expected="1 to 1000")
        if isinstance(attack, Unit):
            uses = self._weapons_of(attack, view, values, weapon, models)
        else:
            uses = [_text_use(each, models or 1) for each in parse_attack(self.attack_of(attack))]
        found = [volley for use in uses if (volley := self._volley(use, view, values)) is not None]
        if not found:
            raise CannotAttack(
                "none of the weapons may be fired so", where="moved", expected="weapons that can be used"
            )
        rerolls = {step: RerollWhich(values[key]) for key, step in _REROLLS.items() if key in values}
        return tuple(cited(each, self.cites) for each in found), Policy(rerolls)

    def _with_tables(self, text: str) -> ClassicQuestions:
        """The same side of the odds with damage tables of the players in place of the book's."""
        asked = copy(self)
        attack = damage_tables.with_damage_tables(self.rules.attack, text, self.tables)
        asked.rules = replace(self.rules, attack=attack)
        return asked

    def _volley(self, use: _Use, view: TargetView, values: Mapping[str, Any]) -> Volley | None:
        """The attacks of one weapon; None when it may not be fired."""
        weapon, distance = use.weapon, values.get("range")
        rules, moved = self.rules.shooting, values.get("moved", False)
        snap = not weapon.melee and (values.get("snap", False) or rules.snaps(_NOBODY, weapon, moved))
        shots = use.attacks
        if not weapon.melee:
            if distance is not None:
                _judge_range(use, distance)
            if shots is None:
                firing = Firing(moved, distance if distance is not None else 0.0, once=values.get("once", False))
                shots = self.rules.shooting.shots[weapon.type](weapon, firing)
            if shots is None or (snap and not self.rules.shooting.may_snap(weapon, use.skill)):
                return None
        charged = weapon.melee and values.get("charged", False)
        bout = self._bout(use, charged=charged)
        more = values.get("attacks", 0) + bout.attacks + bout.charging
        dice = shots or DiceExpression(0, 0, 1)
        dice = DiceExpression(dice.count, dice.sides, dice.bonus + int(more))
        if dice.minimum < 1:
            raise BadInput("no attack is left", where="attacks", expected="at least one")

        def permission(key: str) -> RerollPermission | None:
            return RerollPermission(RerollWhich(values[key]), "question") if key in values else None

        strength = values.get("strength", 0)
        if strength and weapon.strength.fixed is not None:
            fixed = min(max(weapon.strength.fixed + strength, 1), 10)
            weapon = replace(weapon, strength=replace(weapon.strength, fixed=fixed))
        half = values.get("half_range", distance is not None and within(distance, weapon.range / 2))
        context = AttackContext(
            skill=bout.weapon_skill,
            strength=min(max(bout.strength + strength, 1), 10),
            attacks=amount(dice),
            hits=amount(values["hits"]) if "hits" in values else None,
            automatic=values.get("automatic", False),
            half_range=half,
            snap=snap,
            hit_modifier=values.get("hit", 0),
            wound_modifier=values.get("wound", 0),
            save_modifier=values.get("save", 0),
            reroll_hits=permission("reroll_hits"),
            reroll_wounds=permission("reroll_wounds"),
            reroll_saves=permission("reroll_saves"),
            penetration=(Modifier("question", values["penetration"]),) if values.get("penetration") else (),
        )
        special = self.rules.characters.special_rules
        encounter = Encounter(
            weapon=weapon,
            target=view.models[0].profile,
            target_names=names_of_unit(special, [Bearer(_names(model.profile)) for model in view.models]),
            close_combat=weapon.melee,
            first_round=charged,
        )
        context = attacking(special, use.names, context, encounter)
        view = self._guarded(view, weapon)
        volley = compile_volley(self.rules.attack, weapon, use.count, context, view)
        return self._enduring(volley, view, draft_attack(self.rules.attack, weapon, context, view))

    def _bout(self, use: _Use, *, charged: bool) -> Bout:
        """What special rules make of who strikes; attacks are those that they add."""
        bout = Bout(strength=use.strength, weapon_skill=use.skill, initiative=1, attacks=0, charging=charged)
        if not use.weapon.melee or not use.names:
            return bout
        occasion = Occasion(names=use.names, charged=charged)
        return bout_of(self.rules.characters.special_rules, bout, occasion)

    def _guarded(self, view: TargetView, weapon: WeaponProfile) -> TargetView:
        """The target with the saves that its wargear gives it against a weapon."""
        found = []
        for model in view.models:
            profile = model.profile
            saves = guarded(
                self.rules.characters.special_rules,
                _names(profile),
                Saves(profile.save, profile.invulnerable),
                Guard(close_combat=weapon.melee),
            )
            if not profile.is_vehicle and saves != (profile.save, profile.invulnerable):
                profile = replace(profile, save=saves.armour, invulnerable=saves.invulnerable)
                model = replace(model, profile=profile)
            found.append(model)
        return replace(view, models=tuple(found))

    def _enduring(self, volley: Volley, view: TargetView, draft: Draft) -> Volley:
        """The attacks with what their targets shrug off."""
        groups, rules = [], self.rules.attack
        kinds = rules.groups(view) if view.armour is None else ()
        for group, kind in zip(volley.target.groups, kinds, strict=False):
            model = view.models[kind.models[0]].profile
            outright = draft.kills or rules.kills_outright(draft.strength, model.base_toughness)
            harm = Harm(outright=outright, close_combat=draft.weapon.melee, denies_armour=draft.ignores_armour)
            found = ignores_wound_on(self.rules.characters.special_rules, _names(model), harm)
            if found is not None:
                group = replace(group, feel_no_pain=found[0], feel_no_pain_rules=found[1][:1])
            groups.append(group)
        if not any(group.feel_no_pain for group in groups):
            return volley
        return replace(volley, target=replace(volley.target, groups=tuple(groups)))

    def _weapons_of(
        self, unit: Unit, view: TargetView, values: Mapping[str, Any], only: str | None, models: int | None
    ) -> list[_Use]:
        """The weapons that a unit would use: of each model the one that does most, alike ones together."""
        standing = unit.models if models is None else (*unit.models, *[unit.models[-1]] * models)[:models]
        melee = values.get("melee")
        if melee is None:
            melee = not any(not each.profiles[0].melee for model in standing for each in model.weapons)
        chosen: dict[_Use, int] = {}
        worth: dict[_Use, float] = {}
        for model in standing:
            profile = read_model(model)
            uses = [
                _own_use(profile, read_weapon(each, weapon.name))
                for weapon in model.weapons
                for each in weapon.profiles
                if each.melee == melee
                and (only is None or only.strip().lower() in (weapon.name.lower(), _called(weapon, each)))
            ]
            if melee and values.get("bare") and not uses and profile.weapon_skill:
                uses = [_own_use(profile, BARE)]
            for use in uses:
                if use not in worth:
                    volley = self._volley(use, view, values) if _reaches(use, values) else None
                    worth[use] = -1.0 if volley is None else exact(volley).mean_damage + _effects_worth(volley)
            best = max(uses, key=lambda use: worth[use], default=None)
            if best is not None and worth[best] >= 0:
                chosen[best] = chosen.get(best, 0) + 1
        if not chosen:
            names = sorted({weapon.name for model in standing for weapon in model.weapons})
            close = get_close_matches(only or "", names, n=1, cutoff=0.5)
            raise CannotAttack(
                f"{unit.name} has no weapon to use so",
                where="weapon",
                expected=", ".join(names) or "a unit with weapons",
                nearest=close[0] if close else None,
            )
        return [replace(use, count=count) for use, count in chosen.items()]


def _called(weapon: Weapon, profile: PrintedProfile) -> str:
    """A weapon with one of its profiles, in small letters."""
    return read_weapon(profile, weapon.name).name.lower()


def _effects_worth(volley: Volley) -> float:
    """A little for what an attack may do to a vehicle short of destroying it."""
    return 0.01 * sum(float(times[1:].sum()) for times in exact(volley).effects.values())


def _text_use(weapon: TextWeapon, models: int) -> _Use:
    attacks = weapon.attacks
    skill = weapon.skill if weapon.skill is not None else 0
    return _Use(weapon.profile, skill, weapon.strength, attacks, weapon.count * models, weapon.has_range)


def _own_use(profile: ModelProfile, weapon: WeaponProfile) -> _Use:
    attacks = DiceExpression(0, 0, max(profile.attacks, 1)) if weapon.melee else None
    skill = profile.weapon_skill if weapon.melee else profile.ballistic_skill
    return _Use(weapon, skill, profile.strength, attacks, 1, names=_names(profile))


def _names(profile: ModelProfile) -> frozenset[str]:
    """Keywords, special rules and wargear of a model."""
    return profile.keywords | profile.abilities


def _reaches(use: _Use, values: Mapping[str, Any]) -> bool:
    return use.weapon.melee or "range" not in values or within(values["range"], use.weapon.range)


def _judge_range(use: _Use, distance: float) -> None:
    if not use.has_range:
        raise BadInput(f"{use.weapon.name} states no range", where="range", expected='R24" in the attack')
    if not within(distance, use.weapon.range):
        raise BadInput(
            f'the target is out of range at {distance:g}"', where="range", expected=f'{use.weapon.range:g}" or less'
        )


def _unit_target(unit: Unit, count: int | None) -> TargetView:
    if count is not None and not 1 <= count <= 1000:
        raise BadInput(f"{count} models are out of bounds", where="target_models", expected="1 to 1000")
    models: Sequence[Any] = unit.models
    if count is not None:
        models = (*unit.models, *[unit.models[-1]] * count)[:count]
    profiles = [read_model(model) for model in models]
    if any(profile.is_vehicle for profile in profiles):
        profiles = profiles[:1]
    each = unit.points / len(unit.models)
    return TargetView(tuple(TargetModel(profile, profile.wounds, points=each) for profile in profiles))


def _placed(view: TargetView, values: Mapping[str, Any]) -> TargetView:
    """The target with the cover, facing and hull-down of the settings."""
    cover = values.get("cover")
    models = tuple(
        replace(model, cover=cover) if cover is not None and model.cover is None else model for model in view.models
    )
    facing = Facing(values.get("facing", "front"))
    return replace(view, models=models, facing=facing, hull_down=values.get("hull_down", False))


def _value(key: str, value: Any, keys: Mapping[str, str]) -> Any:
    """One setting's value from a text or a Python value."""
    if key not in keys:
        close = get_close_matches(key, list(keys), n=1, cutoff=0.5)
        raise BadInput(
            f'there is no setting "{key}"',
            expected="one of the settings of the edition",
            nearest=close[0] if close else None,
        )
    text = str(value).strip().lower()
    expected = keys[key]
    if key in _REROLLS:
        if text in ("ones", "failures", "all"):
            return text
    elif key == "facing":
        if text in tuple(Facing):
            return text
    elif key == "cover":
        if text in _TRUTHS and text not in ("0", "1"):
            return _WOODS if _TRUTHS[text] else None
        if text.rstrip("+") in ("2", "3", "4", "5", "6"):
            return int(text.rstrip("+"))
    elif key == "range":
        try:
            inches = float(text.rstrip('"'))
        except ValueError:
            inches = -1.0
        if 0 <= inches <= 1000:
            return inches
    elif key in _NUMBERS or key == "hits":
        low = 1 if key == "hits" else -_MOST
        if text.lstrip("+-").isdecimal() and low <= int(text) <= _MOST:
            return int(text)
        expected = f"a whole number from {low} to {_MOST}"
    elif text in _TRUTHS:
        return _TRUTHS[text]
    else:
        expected = "true or false"
    raise BadInput(f'"{value}" is no value of {key}', where=key, expected=expected)
