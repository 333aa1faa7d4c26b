"""Special rules: what each of them may change, as functions that an edition registers under the rule's name.

A :class:`SpecialRule` is a handful of hooks; procedures ask them through the judgements below and never for a rule by
its name. Which rules an edition has, and what each does in it, stands in its table
(``rules.characters.special_rules``). Whether a unit has a rule that not all of its models have is the rule's own
affair, :class:`Spread`.

An ability may bring an argument: ``Preferred Enemy (Orks)``, ``Feel No Pain (5+)``; the hooks are told it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from battlewright.core.dice import DiceExpression, Modifier
from battlewright.core.rulebook import rule, rules_of
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = [
    "Bearer",
    "Bout",
    "BreakOff",
    "Caught",
    "Encounter",
    "Guard",
    "Harm",
    "Nerve",
    "Occasion",
    "Registry",
    "Saves",
    "SpecialRule",
    "Spread",
    "Test",
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
    "split_name",
    "wins_tie_break",
]

_ARGUMENT = re.compile(r"(?P<name>[^(:]+?)\s*(?:\((?P<inside>[^)]*)\)|:\s*(?P<after>.+))")


class Spread(StrEnum):
    """When a unit has a special rule."""

    ALL = "every model of it has it"
    ANY = "one model that has it is enough"
    HOST = "its own models have it: a joined character takes it from them, and has it only through them"


class Test(StrEnum):
    """The tests on Leadership that a special rule may settle."""

    __test__ = False

    LOSSES = "losses"
    LOST_COMBAT = "lost combat"
    TANK_SHOCK = "tank shock"
    PINNING = "pinning"
    LAST_MAN = "last man"
    REGROUP = "regroup"
    FEAR = "fear"
    OTHER = "any other"


MORALE = frozenset({Test.LOSSES, Test.LOST_COMBAT, Test.TANK_SHOCK})
"""The tests that are called morale tests."""


class Caught(StrEnum):
    """What becomes of a beaten unit that its pursuers catch."""

    DESTROYED = "destroyed"
    LOCKED = "locked"
    """It stays in the combat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nerve:
    """What a special rule makes of a unit's nerve.

    Attributes:
        passes: tests that it passes without a roll.
        repeats: tests that it may roll again, once, when it has failed.
        ignores_penalties: whether nothing is taken off its Leadership.
        below_half: whether it may rally however few are left.
        by_itself: whether it rallies without a test at the end of a fall-back move.
        acts_freely: whether it acts as usual after it has rallied.
        caught: what becomes of it when pursuers catch it.
    """

    passes: frozenset[Test] = frozenset()
    repeats: frozenset[Test] = frozenset()
    ignores_penalties: bool = False
    below_half: bool = False
    by_itself: bool = False
    acts_freely: bool = False
    caught: Caught = Caught.DESTROYED


@dataclass(frozen=True, slots=True, kw_only=True)
class Bout:
    """How a model fights a round of close combat.

    Attributes:
        attacks: without those for charging and for a second weapon.
        charging: whether it has the extra attack of a charge; ``two_weapons`` the one of a second weapon.
    """

    strength: int
    weapon_skill: int
    initiative: int
    attacks: int
    charging: bool = False
    two_weapons: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What special rules ask about a model in a round of close combat.

    Attributes:
        charged: whether its unit has charged this turn into this combat.
        charged_at: whether enemies have charged its unit this turn while nobody fought it.
        disordered: whether the charge brings no bonus.
        outnumbered: whether its side has fewer models in the combat.
        free_hand: whether it has a close combat weapon or pistol for one hand besides its guns.
        guns: what it could fire.
        names: its own keywords, special rules and wargear.
        argument: of the special rule that is asked.
    """

    charged: bool = False
    charged_at: bool = False
    disordered: bool = False
    outnumbered: bool = False
    free_hand: bool = False
    guns: tuple[WeaponProfile, ...] = ()
    names: frozenset[str] = frozenset()
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """An attack as special rules see it.

    Attributes:
        weapon: that it is made with.
        target: a model of the unit that is attacked; ``target_names`` what the unit has.
        close_combat: whether it is a blow; ``first_round`` of a combat.
        argument: of the special rule that is asked.
    """

    weapon: WeaponProfile
    target: ModelProfile
    target_names: frozenset[str] = frozenset()
    close_combat: bool = False
    first_round: bool = False
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """An unsaved wound.

    Attributes:
        outright: whether it kills whatever wounds are left.
        close_combat: whether a blow brought it; ``denies_armour`` whether its weapon leaves no armour save.
        argument: of the special rule that is asked.
    """

    outright: bool = False
    close_combat: bool = False
    denies_armour: bool = False
    argument: str = ""


class Saves(NamedTuple):
    """The two saves of a model's wargear; None for none."""

    armour: int | None
    invulnerable: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Blows or shots that a model may have a save of its wargear against.

    Attributes:
        opponents: how many opponents it has been used against this round, the present ones included.
    """

    close_combat: bool = False
    opponents: int = 1


@dataclass(frozen=True, slots=True)
class BreakOff:
    """How a unit leaves a close combat of its own will: by so many inches, on an Initiative test or without one."""

    dice: DiceExpression
    initiative_test: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialRule:
    """What a special rule does; a hook that is left out changes nothing.

    Attributes:
        spread: when a unit has it.
        lost_by_joining: whether a character who joins a unit, or the unit, is without it while not all have it.
        nerve: see :class:`Nerve`.
        fights: the model in a round of close combat.
        attacks: attacks that its bearer makes; ``suffers`` those made at its bearer's unit.
        ignores_wound: the lowest D6 that ignores an unsaved wound, None for none.
        guards: the saves that it leaves its bearer with, from those that he has without.
        wins_ties: whether its bearers win the roll after a tied round.
        may_sweep: whether its bearers may pursue a beaten enemy.
        breaks_off: how its bearers leave a close combat of their own will, None when they may not.
        arms: what it makes of a weapon in its bearer's hands.
        sweeps_with: dice added to the pursuit of a beaten enemy.
        rampages: dice of attacks that its bearer has more when it is outnumbered.
        regains_on: the lowest D6 with which its bearer regains a lost wound at the end of each of its turns.
        causes_fear: whether enemies that touch its bearer test or fight badly.
        endures: whether what kills outright takes one wound only.
    """

    spread: Spread = Spread.ALL
    lost_by_joining: bool = False
    nerve: Nerve = Nerve()
    fights: Callable[[Bout, Occasion], Bout] | None = None
    attacks: Callable[[AttackContext, Encounter], AttackContext] | None = None
    suffers: Callable[[AttackContext, Encounter], AttackContext] | None = None
    ignores_wound: Callable[[Harm], int | None] | None = None
    guards: Callable[[Saves, Guard], Saves] | None = None
    wins_ties: bool = False
    may_sweep: bool = True
    breaks_off: BreakOff | None = None
    arms: Callable[[WeaponProfile], WeaponProfile] | None = None
    sweeps_with: DiceExpression | None = None
    rampages: DiceExpression | None = None
    regains_on: int | None = None
    causes_fear: bool = False
    endures: bool = False


Registry: TypeAlias = Mapping[str, SpecialRule]
"""The special rules of an edition by name, in capitals."""


# -- who has it -------------------------------------------------------------------------------------------------


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


# -- nerve ------------------------------------------------------------------------------------------------------


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
