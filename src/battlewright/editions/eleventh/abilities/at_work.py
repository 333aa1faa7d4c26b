"""Which effects of abilities are at work on an attack, and what they make of its circumstances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.clauses import Clause
from battlewright.editions.eleventh.abilities.language import (
    Cover,
    Critical,
    Ignore,
    Ignored,
    Reroll,
    Roll,
    RollChange,
    SnapHits,
    WeaponChange,
    WeaponGrant,
)
from battlewright.editions.eleventh.circumstances import AttackContext
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.modifiers import Characteristic, ModifierKind

__all__ = ["with_abilities"]

_CHANGES = {
    Characteristic.A: "attacks_changes",
    Characteristic.S: "strength_changes",
    Characteristic.AP: "ap_changes",
    Characteristic.D: "damage_changes",
    Characteristic.BS: "skill_changes",
    Characteristic.WS: "skill_changes",
}
_MODIFIERS = {Roll.HIT: "hit_modifiers", Roll.WOUND: "wound_modifiers", Roll.SAVE: "save_modifiers"}
_REROLLS = {Roll.HIT: "reroll_hits", Roll.WOUND: "reroll_wounds", Roll.DAMAGE: "reroll_damage"}
_WIDTH = tuple(RerollWhich)


@rule("11e.ds-abilities.nested-condition", "11e.ds-abilities.example-rerolls")
def _widest(known: RerollPermission | None, which: RerollWhich, ability: str) -> RerollPermission:
    """Of two re-rolls of one roll the wider: of a rule with a second, narrower condition the improved version, which
    needs both."""
    if known is not None and _WIDTH.index(which) <= _WIDTH.index(known.widest):
        return known
    return RerollPermission(which, ability)


def with_abilities(context: AttackContext, profile: WeaponProfile, clauses: Iterable[Clause]) -> AttackContext:
    """The circumstances of an attack with all that these clauses do to it.

    Of several re-rolls of one roll the widest is taken, of several critical thresholds the lowest.
    """
    found: dict[str, Any] = {}

    def now(name: str) -> Any:
        return found.get(name, getattr(context, name))

    for clause in clauses:
        effect = clause.effect
        melee = getattr(effect, "melee", None)
        if melee is not None and melee is not profile.melee:
            continue
        match effect:
            case RollChange(roll, amount):
                name = _MODIFIERS[roll]
                found[name] = (*now(name), Modifier(clause.ability, amount))
            case WeaponChange(characteristic, change):
                name = _CHANGES[characteristic]
                found[name] = (*now(name), change)
            case Critical(roll, least):
                name = "critical_hits" if roll is Roll.HIT else "critical_wounds"
                found[name] = min(now(name), least)
            case Reroll(roll, which):
                name = _REROLLS[roll]
                found[name] = _widest(now(name), which, clause.ability)
            case WeaponGrant(abilities):
                found["granted"] = (*now("granted"), *abilities)
            case Ignore(Ignored.WEAPON):
                found["ignores"] = now("ignores") | {ModifierKind.WEAPON}
            case Ignore(what):
                found["ignoring"] = now("ignoring") | {what.value}
            case SnapHits(least):
                found["snap_hits"] = min(now("snap_hits"), least)
            case Cover():
                found["cover"] = now("cover") or not profile.melee
            case _:
                pass
    return replace(context, **found) if found else context
