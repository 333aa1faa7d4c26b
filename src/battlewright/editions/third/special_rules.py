"""Special rules and wargear of the 3rd edition: what each of them changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.kinds import THREE_D6
from battlewright.editions.classic.special_rules import (
    MORALE,
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
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType

__all__ = [
    "ASKED_BY_NAME",
    "SPECIAL_RULES",
    "bionics",
    "furious_charge",
    "is_rifle",
    "storm_shield",
    "tank_hunters",
    "terminator_armour",
    "true_grit",
]

EVERY_TEST = frozenset(Test)


# -- armour and shields -----------------------------------------------------------------------------------------


@rule("3e.core.traits.terminator-armour")
def terminator_armour(saves: Saves, guard: Guard) -> Saves:
    """A 2+ armour save and a 5+ invulnerable save, whatever the list states."""
    return Saves(min(saves.armour or 7, 2), min(saves.invulnerable or 7, 5))


@rule("3e.core.traits.storm-shield")
def storm_shield(saves: Saves, guard: Guard) -> Saves:
    """A 4+ invulnerable save in close combat, against one opponent in a round."""
    if not guard.close_combat or guard.opponents > 1:
        return saves
    return saves._replace(invulnerable=min(saves.invulnerable or 7, 4))


@rule("3e.core.traits.bionics")
def bionics(harm: Harm) -> int | None:
    """Bionics ignore a wound on a 6."""
    return 6


# -- close combat -----------------------------------------------------------------------------------------------


@rule("3e.core.traits.furious-charge", "4e.furious-charge.bonus")
def furious_charge(bout: Bout, occasion: Occasion) -> Bout:
    """Strength and Initiative are 1 more in the turn of the charge; neither rises above 10."""
    if not occasion.charged:
        return bout
    return replace(bout, strength=min(bout.strength + 1, 10), initiative=min(bout.initiative + 1, 10))


def is_rifle(weapon: WeaponProfile) -> bool:
    """Whether a gun is held as a pistol by those with true grit: a rapid fire weapon."""
    return weapon.type is WeaponType.RAPID_FIRE


@rule("3e.core.traits.true-grit")
def true_grit(bout: Bout, occasion: Occasion) -> Bout:
    """A rifle beside a close combat weapon counts as a pistol; its extra attack takes the place of the charge's."""
    if bout.two_weapons or not occasion.free_hand or not any(is_rifle(gun) for gun in occasion.guns):
        return bout
    return replace(bout, two_weapons=True, charging=False)


@rule("3e.core.traits.tank-hunters", "4e.tank-hunters.penetration-bonus")
def tank_hunters(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Armour penetration rolls are 1 more."""
    if not encounter.target.is_vehicle:
        return context
    return replace(context, penetration=(*context.penetration, Modifier("3e.core.traits.tank-hunters", 1)))


# -- the table --------------------------------------------------------------------------------------------------

ASKED_BY_NAME = (
    "DOZER BLADE",
    "FLEET",
    "FRAG GRENADES",
    "HAYWIRE GRENADES",
    "INFILTRATE",
    "KRAK GRENADES",
    "MELTA BOMBS",
    "MOVE THROUGH COVER",
    "PLASMA GRENADES",
    "PSYCHIC HOOD",
    "RAPID DEPLOYMENT",
    "SCOUTS",
    "TARGETER",
)
"""Special rules and wargear that a procedure asks for by name, where they act."""

SPECIAL_RULES: Mapping[str, SpecialRule] = MappingProxyType(
    {
        **{name: SpecialRule() for name in ASKED_BY_NAME},
        "BIONICS": SpecialRule(ignores_wound=bionics),
        "COUNTER-ATTACK": SpecialRule(wins_ties=True),
        "FEARLESS": SpecialRule(nerve=Nerve(passes=EVERY_TEST)),
        "HIT AND RUN": SpecialRule(breaks_off=BreakOff(THREE_D6)),
        "FURIOUS CHARGE": SpecialRule(fights=furious_charge),
        "IGNORES LEADERSHIP TESTS": SpecialRule(nerve=Nerve(passes=EVERY_TEST)),
        "IGNORES MORALE TESTS": SpecialRule(nerve=Nerve(passes=MORALE)),
        "KNOW NO FEAR": SpecialRule(
            nerve=Nerve(below_half=True, by_itself=True, acts_freely=True, caught=Caught.LOCKED)
        ),
        "RESOLUTE": SpecialRule(nerve=Nerve(repeats=MORALE | {Test.LAST_MAN})),
        "STEADFAST": SpecialRule(nerve=Nerve(below_half=True)),
        "STORM SHIELD": SpecialRule(guards=storm_shield),
        "TANK HUNTERS": SpecialRule(attacks=tank_hunters, nerve=Nerve(passes=frozenset({Test.TANK_SHOCK}))),
        "TERMINATOR": SpecialRule(spread=Spread.ANY, may_sweep=False),
        "TERMINATOR ARMOUR": SpecialRule(spread=Spread.ANY, may_sweep=False, guards=terminator_armour),
        "TRUE GRIT": SpecialRule(fights=true_grit),
        "VEHICLE": SpecialRule(nerve=Nerve(passes=EVERY_TEST)),
    }
)
"""What each special rule does."""
