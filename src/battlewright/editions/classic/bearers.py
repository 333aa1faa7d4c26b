"""Who has which special rules, and what these come to: the judgements that procedures ask."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from battlewright.core.dice import DiceExpression, Modifier
from battlewright.core.rulebook import rule, rules_of
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.special_rules import (
    Bout,
    BreakOff,
    Caught,
    Encounter,
    Guard,
    Harm,
    Occasion,
    Registry,
    Saves,
    SpecialRule,
    Spread,
    Test,
)
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = [
    "Bearer",
    "acts_freely_after_rallying",
    "armed",
    "attacking",
    "bout_of",
    "break_off",
    "causes_fear",
    "endures",
    "fate_when_caught",
    "guarded",
    "ignores_wound_on",
    "may_rally_below_half",
    "may_repeat",
    "may_sweep",
    "names_of_model",
    "names_of_unit",
    "nerve_modifiers",
    "passes",
    "pursuit_dice",
    "rallies_by_itself",
    "rampage_dice",
    "regains_on",
    "smashing",
    "split_name",
    "wins_tie_break",
]


_ARGUMENT = re.compile(r"(?P<name>[^(:]+?)\s*(?:\((?P<inside>[^)]*)\)|:\s*(?P<after>.+))")


def split_name(name: str) -> tuple[str, str]:
    """The name of an ability, and the argument that it brings.

    >>> split_name("PREFERRED ENEMY (ORKS)"), split_name("FLEET")
    (('PREFERRED ENEMY', 'ORKS'), ('FLEET', ''))
    """
    found = _ARGUMENT.fullmatch(name)
    if found is None:
        return name, ""
    return found["name"], (found["inside"] or found["after"] or "").strip()


def _rules_of(registry: Registry, names: Iterable[str]) -> Iterator[tuple[SpecialRule, str]]:
    """The special rules among these names, each with its argument, in the order of their names."""
    for name in sorted(names):
        found, argument = registry.get(name), ""
        if found is None:
            base, argument = split_name(name)
            found = registry.get(base)
        if found is not None:
            yield found, argument


@dataclass(frozen=True, slots=True)
class Bearer:
    """A living model of a unit: its own names, and whether it belongs to a character who has joined the unit."""

    names: frozenset[str]
    joined: bool = False


def _rule_of(registry: Registry, name: str) -> SpecialRule | None:
    return registry.get(name) or registry.get(split_name(name)[0])


@rule("4e.usr.asterisk-character-loses", "4e.usr.asterisk-unit-loses", "4e.usr.asterisk-list")
@rule("4e.character-joining.abilities-not-shared", "4e.character-joining.abilities-lost")
@rule("4e.fearless.character-gains", "4e.fearless.character-loses", "4e.stubborn.character-gives")
@rule("4e.stubborn.unit-gives", "4e.night-vision.character-gives", "4e.night-vision.unit-gives")
@rule("6e.core.characters.rules-do-not-spread")
def names_of_unit(registry: Registry, bearers: Sequence[Bearer]) -> frozenset[str]:
    """Keywords, special rules and wargear that a unit has, each as its rule says; keywords when every model does.

    Args:
        bearers: its living models.
    """
    if not bearers:
        return frozenset()
    hosts = [bearer for bearer in bearers if not bearer.joined] or list(bearers)
    found = set()
    for name in frozenset().union(*(bearer.names for bearer in bearers)):
        special = _rule_of(registry, name)
        match special.spread if special is not None else Spread.ALL:
            case Spread.ANY:
                found.add(name)
            case Spread.HOST:
                if all(name in bearer.names for bearer in hosts):
                    found.add(name)
            case Spread.ALL:
                if all(name in bearer.names for bearer in bearers):
                    found.add(name)
    return frozenset(found)


@rule("4e.usr.asterisk-character-loses", "4e.usr.asterisk-unit-loses", "4e.character-joining.abilities-not-shared")
@rule("4e.fearless.character-gains", "4e.fearless.character-loses", "4e.stubborn.unit-gives")
@rule("6e.core.characters.rules-do-not-spread")
def names_of_model(registry: Registry, bearer: Bearer, unit: frozenset[str]) -> frozenset[str]:
    """What one model of a unit has: its own names without those that joining takes away, and those the unit gives it.

    Args:
        unit: what the unit has, from :func:`names_of_unit`.
    """
    found = set()
    for name in bearer.names | unit:
        special = _rule_of(registry, name)
        bound = special is not None and (special.lost_by_joining or special.spread is Spread.HOST)
        given = special is not None and special.spread is not Spread.ALL and name in unit
        if given or (name in bearer.names and (name in unit or not bound)):
            found.add(name)
    return frozenset(found)


# -- nerve --------------------------------------------------------------------------------------------------------


@rule("3e.immunity.morale-not-leadership", "3e.immunity.leadership-all", "3e.core.shooting.pinning-immunity")
@rule("3e.core.morale.fearless", "3e.core.morale.vehicles", "4e.fearless.auto-pass", "4e.fearless.no-pinning")
@rule("4e.stubborn.as-fearless", "4e.stubborn.pinning-tested", "4e.tank-hunters.auto-pass-shock")
@rule("6e.core.special-rules.fearless", "6e.outside.fearless", "6e.outside.embarked-fearless")
@rule("6e.core.special-rules.zealot")
def passes(registry: Registry, names: Collection[str], test: Test) -> bool:
    """Whether a unit passes a test without a roll; one that ignores morale tests alone still takes the others."""
    return any(test in special.nerve.passes for special, _ in _rules_of(registry, names))


@rule("3e.core.traits.resolute")
def may_repeat(registry: Registry, names: Collection[str], test: Test, *, passed: bool, rerolled: bool) -> bool:
    """Whether a test may be rolled again: a failed one, once, by troops whose rules say so."""
    return not passed and not rerolled and any(test in each.nerve.repeats for each, _ in _rules_of(registry, names))


@rule("6e.core.special-rules.stubborn")
def nerve_modifiers(registry: Registry, names: Collection[str], modifiers: Sequence[Modifier]) -> tuple[Modifier, ...]:
    """What is left of the modifiers of a unit's Leadership."""
    if any(special.nerve.ignores_penalties for special, _ in _rules_of(registry, names)):
        return tuple(modifier for modifier in modifiers if modifier.amount > 0)
    return tuple(modifiers)


@rule("3e.core.traits.steadfast", "3e.core.morale.know-no-fear", "4e.atsknf.below-half")
def may_rally_below_half(registry: Registry, names: Collection[str]) -> bool:
    """Whether troops may rally below half strength."""
    return any(special.nerve.below_half for special, _ in _rules_of(registry, names))


@rule("3e.core.morale.know-no-fear", "4e.atsknf.regroup", "6e.core.special-rules.know-no-fear")
def rallies_by_itself(registry: Registry, names: Collection[str], reasons: Collection[tuple[str, str]]) -> bool:
    """Whether troops rally at the end of a fall-back move without a test.

    Args:
        reasons: why the unit could not try to rally otherwise; one is enough against it.
    """
    return not reasons and any(special.nerve.by_itself for special, _ in _rules_of(registry, names))


@rule("3e.core.morale.know-no-fear", "4e.atsknf.regrouped-may-move", "6e.core.special-rules.know-no-fear")
def acts_freely_after_rallying(registry: Registry, names: Collection[str]) -> bool:
    """Whether troops that have rallied act as usual this turn."""
    return any(special.nerve.acts_freely for special, _ in _rules_of(registry, names))


@rule("3e.core.morale.know-no-fear", "4e.atsknf.not-destroyed-by-sweep", "6e.core.special-rules.know-no-fear")
def fate_when_caught(registry: Registry, names: Collection[str]) -> Caught:
    """What becomes of troops that pursuers have caught."""
    locked = any(special.nerve.caught is Caught.LOCKED for special, _ in _rules_of(registry, names))
    return Caught.LOCKED if locked else Caught.DESTROYED


# -- fighting and being harmed ------------------------------------------------------------------------------------


@rule("4e.usr.override")
def bout_of(registry: Registry, bout: Bout, occasion: Occasion) -> Bout:
    """How a model fights a round, once its special rules have had their say."""
    for special, argument in _rules_of(registry, occasion.names):
        if special.fights is not None:
            bout = special.fights(bout, replace(occasion, argument=argument))
    return bout


def attacking(
    registry: Registry, names: Collection[str], context: AttackContext, encounter: Encounter
) -> AttackContext:
    """The circumstances of an attack, once the special rules of both sides have had their say.

    Args:
        names: what the attacker has.
    """
    for special, argument in _rules_of(registry, names):
        if special.attacks is not None:
            context = special.attacks(context, replace(encounter, argument=argument))
    for special, argument in _rules_of(registry, encounter.target_names):
        if special.suffers is not None:
            context = special.suffers(context, replace(encounter, argument=argument))
    return context


def ignores_wound_on(registry: Registry, names: Collection[str], harm: Harm) -> tuple[int, tuple[str, ...]] | None:
    """The lowest D6 with which a model ignores an unsaved wound, and the rules that say so; None: it may not try."""
    found = [
        (needed, rules_of(special.ignores_wound))
        for special, argument in _rules_of(registry, names)
        if special.ignores_wound is not None
        and (needed := special.ignores_wound(replace(harm, argument=argument))) is not None
    ]
    return min(found, default=None)


def guarded(registry: Registry, names: Collection[str], saves: Saves, guard: Guard) -> Saves:
    """The saves of a model with what its wargear gives it against these attacks."""
    for special, _ in _rules_of(registry, names):
        if special.guards is not None:
            saves = special.guards(saves, guard)
    return saves


@rule("3e.core.traits.counter-attack")
def wins_tie_break(registry: Registry, own: Collection[str], enemy: Collection[str]) -> bool:
    """Whether a side wins the roll after a tied round without rolling: by a rule that its enemy does not have."""
    mine, theirs = (any(special.wins_ties for special, _ in _rules_of(registry, names)) for names in (own, enemy))
    return mine and not theirs


@rule("3e.core.traits.terminator-armour", "6e.core.special-rules.slow-and-purposeful")
def may_sweep(registry: Registry, names: Collection[str]) -> bool:
    """Whether a unit may pursue a beaten enemy, as far as its special rules go."""
    return all(special.may_sweep for special, _ in _rules_of(registry, names))


@rule("3e.core.units.hit-and-run", "4e.hit-and-run.choose", "4e.hit-and-run.must-have-fought")
@rule("4e.hit-and-run.auto-breakoff", "6e.core.special-rules.hit-and-run")
def break_off(registry: Registry, names: Collection[str], *, in_combat: bool, fought: bool) -> BreakOff | None:
    """How a unit may leave a close combat at the end of a round; None when it may not.

    Args:
        fought: whether it took part in the fighting of this phase.
    """
    if not (in_combat and fought):
        return None
    return next((each.breaks_off for each, _ in _rules_of(registry, names) if each.breaks_off is not None), None)


@rule("6e.core.special-rules.crusader")
def pursuit_dice(registry: Registry, names: Collection[str]) -> DiceExpression | None:
    """The dice that a unit adds to its pursuit of a beaten enemy, None for none."""
    return next((each.sweeps_with for each, _ in _rules_of(registry, names) if each.sweeps_with is not None), None)


@rule("6e.core.special-rules.rampage")
def rampage_dice(registry: Registry, names: Collection[str], *, outnumbered: bool) -> DiceExpression | None:
    """The dice of attacks that a model has more when its side is outnumbered, None for none."""
    if not outnumbered:
        return None
    return next((each.rampages for each, _ in _rules_of(registry, names) if each.rampages is not None), None)


@rule("6e.core.special-rules.it-will-not-die")
def regains_on(registry: Registry, names: Collection[str]) -> int | None:
    """The lowest D6 with which a model regains a lost wound or hull point; None when it cannot."""
    return next((each.regains_on for each, _ in _rules_of(registry, names) if each.regains_on is not None), None)


@rule("6e.core.special-rules.fear", "6e.core.special-rules.daemon")
def causes_fear(registry: Registry, names: Collection[str]) -> bool:
    """Whether a model causes fear."""
    return any(special.causes_fear for special, _ in _rules_of(registry, names))


@rule("6e.core.special-rules.eternal-warrior")
def endures(registry: Registry, names: Collection[str]) -> bool:
    """Whether what kills outright takes one wound only from a model."""
    return any(special.endures for special, _ in _rules_of(registry, names))


@rule("6e.core.special-rules.smash")
def armed(registry: Registry, names: Collection[str], weapon: WeaponProfile) -> WeaponProfile:
    """A weapon as it is in the hands of a model."""
    for special, _ in _rules_of(registry, names):
        if special.arms is not None:
            weapon = special.arms(weapon)
    return weapon


@rule("6e.core.special-rules.smash")
def smashing(registry: Registry, names: Collection[str], weapon: WeaponProfile) -> WeaponProfile | None:
    """A weapon as it is to a model that halves its Attacks to strike harder; None when none of its rules lets it."""
    for special, _ in _rules_of(registry, names):
        if special.smashes is not None:
            return special.smashes(weapon)
    return None
