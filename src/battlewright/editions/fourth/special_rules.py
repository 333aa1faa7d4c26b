"""Universal special rules of the 4th edition: what each of them changes, and what joining does to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from battlewright.core.rulebook import rule
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.kinds import THREE_D6
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.special_rules import (
    Bout,
    BreakOff,
    Encounter,
    Harm,
    Nerve,
    Occasion,
    SpecialRule,
    Spread,
    Test,
)
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType
from battlewright.editions.third import special_rules as third
from battlewright.editions.third.special_rules import EVERY_TEST

__all__ = [
    "ASTERISK",
    "SPECIAL_RULES",
    "UNSHAKEN",
    "feel_no_pain",
    "is_held_in_one_hand",
    "may_be_hated",
    "no_bonus_for_charging",
    "preferred_enemy",
    "sentry_notices_within",
    "true_grit",
]

ASTERISK = ("COUNTER-ATTACK", "FLEET", "HIT AND RUN", "INFILTRATE", "SCOUTS", "TURBO BOOSTERS")
"""Special rules that a character, or a unit, is without while not everybody has them."""


@rule("4e.feel-no-pain.roll", "4e.feel-no-pain.not-instant-death", "4e.feel-no-pain.not-power-weapons")
def feel_no_pain(harm: Harm) -> int | None:
    """A 4 or more ignores an unsaved wound; not one that kills outright, nor a blow that leaves no armour save."""
    if harm.outright or (harm.close_combat and harm.denies_armour):
        return None
    return 4


@rule("4e.preferred-enemy.not-against", "4e.preferred-enemy.walkers-allowed")
def may_be_hated(target: ModelProfile) -> bool:
    """Whether a preferred enemy's model is hit more easily: no independent character, monstrous creature or vehicle
    without Weapon Skill is."""
    if target.is_vehicle:
        return target.weapon_skill > 0
    return not target.is_independent and target.kind is not Kind.MONSTROUS


@rule("4e.preferred-enemy.hit-on-three")
def preferred_enemy(context: AttackContext, encounter: Encounter) -> AttackContext:
    """In close combat the named enemy is hit on 3+, whatever the Weapon Skills are."""
    named = not encounter.argument or encounter.argument in encounter.target_names | encounter.target.keywords
    if not encounter.close_combat or not named or not may_be_hated(encounter.target):
        return context
    return replace(context, needed=3)


@rule("4e.true-grit.bolter-one-hand", "4e.true-grit.no-combi", "4e.true-grit.grey-knights")
def is_held_in_one_hand(gun: WeaponProfile, names: frozenset[str]) -> bool:
    """Whether a gun leaves a hand free: a boltgun does, no combi-weapon; for Grey Knights a storm bolter."""
    name = gun.name.upper()
    if "COMBI" in name:
        return False
    if "STORM BOLTER" in name:
        return any("GREY KNIGHT" in each for each in names)
    return gun.type is WeaponType.RAPID_FIRE and "BOLTGUN" in name


@rule("4e.true-grit.bolter-one-hand", "4e.true-grit.not-on-charge")
def true_grit(bout: Bout, occasion: Occasion) -> Bout:
    """A boltgun beside a weapon in the other hand gives an extra attack, not in a turn in which its bearer charges."""
    if bout.charging or bout.two_weapons or not occasion.free_hand:
        return bout
    held = any(is_held_in_one_hand(gun, occasion.names) for gun in occasion.guns)
    return replace(bout, two_weapons=True) if held else bout


@rule("4e.slow-and-purposeful.no-charge-bonus")
def no_bonus_for_charging(bout: Bout, occasion: Occasion) -> Bout:
    """No extra attack for charging."""
    return replace(bout, charging=False)


@rule("4e.night-vision.sentries")
def sentry_notices_within(profile: ModelProfile) -> float:
    """How near a sentry notices anybody, in inches: within its Initiative, and twice that with night vision.

    RULING: 4e.night-vision.sentries no mission of the rulebook has sentries; without night vision it is the Initiative.
    """
    return float(profile.initiative * (2 if profile.has("NIGHT VISION") else 1))


ASKED_BY_NAME = (
    "MOVE THROUGH COVER",
    "SKILLED RIDER",
    "SMALL TARGETS",
    "STEALTH",
    "SWARMS",
    "VULNERABLE TO BLASTS",
)

SPECIAL_RULES: Mapping[str, SpecialRule] = MappingProxyType(
    {
        **{name: each for name, each in third.SPECIAL_RULES.items() if name not in ("RESOLUTE", "STEADFAST")},
        **{name: SpecialRule() for name in ASKED_BY_NAME},
        **{name: SpecialRule(lost_by_joining=True) for name in ASTERISK},
        "FEARLESS": SpecialRule(spread=Spread.HOST, nerve=Nerve(passes=EVERY_TEST)),
        "FEEL NO PAIN": SpecialRule(ignores_wound=feel_no_pain),
        "HIT AND RUN": SpecialRule(lost_by_joining=True, breaks_off=BreakOff(THREE_D6)),
        "NIGHT VISION": SpecialRule(spread=Spread.ANY),
        "PREFERRED ENEMY": SpecialRule(attacks=preferred_enemy),
        "SLOW AND PURPOSEFUL": SpecialRule(fights=no_bonus_for_charging),
        "STUBBORN": SpecialRule(spread=Spread.ANY, nerve=Nerve(passes=EVERY_TEST - {Test.PINNING, Test.OTHER})),
        "TRUE GRIT": SpecialRule(fights=true_grit),
    }
)
"""What each special rule does."""

UNSHAKEN = SpecialRule(spread=Spread.ANY, nerve=Nerve(ignores_penalties=True))
"""What players may agree on of the stubborn: that they test, and nothing is taken off their Leadership."""
