"""Special rules of the 6th edition: what each of them changes.

RULING: 6e.core.characters.rules-do-not-spread which rules a unit has through one model that has them is said by each
rule itself; where our outline does not say, we go by what is commonly known of the edition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.kinds import THREE_D6
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.special_rules import (
    Bout,
    BreakOff,
    Caught,
    Encounter,
    Guard,
    Harm,
    Nerve,
    Occasion,
    Saves,
    SpecialRule,
    Spread,
    Test,
)
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.sixth.chariots import better_save
from battlewright.editions.third.special_rules import EVERY_TEST, bionics

__all__ = [
    "SPECIAL_RULES",
    "counter_attack",
    "daemon",
    "feel_no_pain",
    "furious_charge",
    "hatred",
    "iron_halo",
    "monster_hunter",
    "preferred_enemy",
    "rage",
    "smash",
    "smash_harder",
    "storm_shield",
    "tank_hunters",
    "terminator_armour",
]

_CORE = "6e.core.special-rules."
D3 = DiceExpression(1, 3, 0)


def _again(rule_id: str, which: RerollWhich = RerollWhich.FAILURES) -> RerollPermission:
    return RerollPermission(which, _CORE + rule_id)


def _named(encounter: Encounter) -> bool:
    """Whether the enemy is the one that the special rule names; every enemy is where it names none."""
    return not encounter.argument or encounter.argument in encounter.target_names | encounter.target.keywords


# -- close combat -----------------------------------------------------------------------------------------------


@rule("6e.core.special-rules.counter-attack")
def counter_attack(bout: Bout, occasion: Occasion) -> Bout:
    """One attack more when charged and not already locked."""
    return replace(bout, attacks=bout.attacks + 1) if occasion.charged_at else bout


@rule("6e.core.special-rules.furious-charge")
def furious_charge(bout: Bout, occasion: Occasion) -> Bout:
    """Strength is 1 more in an ordered charge, 10 at most."""
    return replace(bout, strength=min(bout.strength + 1, 10)) if occasion.charged else bout


@rule("6e.core.special-rules.rage")
def rage(bout: Bout, occasion: Occasion) -> Bout:
    """Two attacks more for charging in place of one."""
    return replace(bout, attacks=bout.attacks + 1) if occasion.charged and bout.charging else bout


@rule("6e.core.special-rules.hatred", "6e.core.special-rules.zealot")
def hatred(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Misses of the first round of a combat are rolled again."""
    if not (encounter.close_combat and encounter.first_round and _named(encounter)):
        return context
    return replace(context, reroll_hits=_again("hatred"))


@rule("6e.core.special-rules.smash")
def smash(weapon: WeaponProfile) -> WeaponProfile:
    """Blows have AP 2 at least."""
    return replace(weapon, ap=min(weapon.ap or 7, 2)) if weapon.melee else weapon


@rule("6e.core.special-rules.smash")
def smash_harder(weapon: WeaponProfile) -> WeaponProfile:
    """A weapon in a smash attack: it strikes with double its bearer's Strength."""
    strength = replace(weapon.strength, times=2 * weapon.strength.times)
    return replace(weapon, name=f"{weapon.name}, smashing", strength=strength)


# -- attacks of any sort ------------------------------------------------------------------------------------------


@rule("6e.core.special-rules.preferred-enemy")
def preferred_enemy(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Dice of 1 to hit and to wound the named enemy are rolled again."""
    if not _named(encounter):
        return context
    ones = _again("preferred-enemy", RerollWhich.ONES)
    return replace(context, reroll_hits=context.reroll_hits or ones, reroll_wounds=context.reroll_wounds or ones)


@rule("6e.core.special-rules.monster-hunter")
def monster_hunter(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Failed rolls to wound monstrous creatures are made again."""
    if encounter.target.kind is not Kind.MONSTROUS:
        return context
    return replace(context, reroll_wounds=_again("monster-hunter"))


@rule("6e.core.special-rules.tank-hunters")
def tank_hunters(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Failed armour penetration rolls are made again; glances are kept, though they might be."""
    if not encounter.target.is_vehicle:
        return context
    return replace(context, reroll_penetration=_again("tank-hunters"))


# -- wounds and saves ---------------------------------------------------------------------------------------------


@rule("6e.core.special-rules.feel-no-pain")
def feel_no_pain(harm: Harm) -> int | None:
    """An unsaved wound is ignored on 5+, or as the rule's number says; not one that inflicts instant death."""
    if harm.outright:
        return None
    number = harm.argument.rstrip("+")
    return int(number) if number.isdecimal() else 5


@rule("6e.core.special-rules.daemon")
def daemon(saves: Saves, guard: Guard) -> Saves:
    """A 5+ invulnerable save."""
    return saves._replace(invulnerable=min(saves.invulnerable or 7, 5))


def _shielded(invulnerable: int, armour: int | None = None) -> Callable[[Saves, Guard], Saves]:
    """Wargear that gives an invulnerable save, and perhaps an armour save."""

    @rule("6e.core.missions.terminator-armour")
    def guards(saves: Saves, guard: Guard) -> Saves:
        worn = saves.armour if armour is None else min(saves.armour or 7, armour)
        return Saves(worn, min(saves.invulnerable or 7, invulnerable))

    return guards


terminator_armour = _shielded(5, armour=2)
storm_shield = _shielded(3)
iron_halo = _shielded(4)


# -- the table --------------------------------------------------------------------------------------------------

ASKED_BY_NAME = (
    "DEFENSIVE GRENADES",
    "DOZER BLADE",
    "EXTRA ARMOUR",
    "FRAG GRENADES",
    "HAYWIRE GRENADES",
    "JINK",
    "KRAK GRENADES",
    "MELTA BOMBS",
    "PHOTON GRENADES",
    "PLASMA GRENADES",
)
"""Wargear and traits that a procedure asks for by name, where they act."""

_ANY = SpecialRule(spread=Spread.ANY)
_OWN = SpecialRule()
_FEARLESS = SpecialRule(spread=Spread.ANY, nerve=Nerve(passes=EVERY_TEST))

SPECIAL_RULES: Mapping[str, SpecialRule] = MappingProxyType(
    {
        "ACUTE SENSES": _ANY,
        "ADAMANTIUM WILL": _ANY,
        "BIONICS": SpecialRule(ignores_wound=bionics),
        "CHARIOT RIDER": SpecialRule(guards=better_save),
        "COUNTER-ATTACK": SpecialRule(fights=counter_attack),
        "CRUSADER": SpecialRule(spread=Spread.ANY, sweeps_with=D3),
        "DAEMON": SpecialRule(guards=daemon, causes_fear=True),
        "ETERNAL WARRIOR": SpecialRule(endures=True),
        "FEAR": SpecialRule(causes_fear=True),
        "FEARLESS": _FEARLESS,
        "FEEL NO PAIN": SpecialRule(ignores_wound=feel_no_pain),
        "FLEET": _OWN,
        "FURIOUS CHARGE": SpecialRule(fights=furious_charge),
        "HAMMER OF WRATH": _OWN,
        "HATRED": SpecialRule(attacks=hatred),
        "HIT AND RUN": SpecialRule(spread=Spread.ANY, breaks_off=BreakOff(THREE_D6, initiative_test=True)),
        "INFILTRATE": _ANY,
        "IRON HALO": SpecialRule(guards=iron_halo),
        "IT WILL NOT DIE": SpecialRule(regains_on=5),
        "KNOW NO FEAR": SpecialRule(
            nerve=Nerve(
                passes=frozenset({Test.FEAR}), below_half=True, by_itself=True, acts_freely=True, caught=Caught.LOCKED
            )
        ),
        "MONSTER HUNTER": SpecialRule(spread=Spread.ANY, attacks=monster_hunter),
        "MOVE THROUGH COVER": _ANY,
        "NIGHT VISION": _ANY,
        "OUTFLANK": _ANY,
        "PREFERRED ENEMY": SpecialRule(spread=Spread.ANY, attacks=preferred_enemy),
        "RAGE": SpecialRule(fights=rage),
        "RAMPAGE": SpecialRule(rampages=D3),
        "RELENTLESS": _OWN,
        "SCOUTS": _ANY,
        "SHROUDED": _ANY,
        "SKILLED RIDER": _OWN,
        "SLOW AND PURPOSEFUL": SpecialRule(spread=Spread.ANY, may_sweep=False),
        "SMASH": SpecialRule(arms=smash, smashes=smash_harder),
        "SPLIT FIRE": _ANY,
        "STEALTH": _ANY,
        "STORM SHIELD": SpecialRule(guards=storm_shield),
        "STUBBORN": SpecialRule(spread=Spread.ANY, nerve=Nerve(ignores_penalties=True)),
        "SWARMS": _OWN,
        "TANK HUNTERS": SpecialRule(spread=Spread.ANY, attacks=tank_hunters),
        "TERMINATOR ARMOUR": SpecialRule(guards=terminator_armour),
        "VEHICLE": SpecialRule(nerve=Nerve(passes=EVERY_TEST)),
        "ZEALOT": SpecialRule(spread=Spread.ANY, nerve=Nerve(passes=EVERY_TEST), attacks=hatred),
        **dict.fromkeys(ASKED_BY_NAME, _OWN),
    }
)
"""What each special rule does; those without a hook are asked for by name where they act."""
