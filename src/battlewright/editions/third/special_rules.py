"""Special rules and wargear of the 3rd edition: what each of them changes, as functions of who has it."""

from __future__ import annotations

from collections.abc import Collection

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.third.striking import Reach

__all__ = [
    "armour_of_terminators",
    "bionics_ignore",
    "charge_characteristics",
    "fate_when_swept",
    "ignores_tank_shock",
    "may_regroup_below_half",
    "may_repeat_a_miss",
    "may_repeat_morale_test",
    "only_consolidates",
    "penetration_by_tank_hunters",
    "regroups_by_itself",
    "shield_save",
    "true_grit_attacks",
    "wins_tie_break",
]

TERMINATOR = "TERMINATOR"
STORM_SHIELD = "STORM SHIELD"
KNOW_NO_FEAR = frozenset({"AND THEY SHALL KNOW NO FEAR", "KNOW NO FEAR"})
NEAR = 6.0
"""Inches within which an enemy keeps a unit from regrouping."""


# -- armour and shields -----------------------------------------------------------------------------------------


@rule("3e.core.traits.terminator-armour")
def armour_of_terminators() -> tuple[int, int]:
    """The armour save and the invulnerable save that Terminator armour gives."""
    return 2, 5


@rule("3e.core.traits.terminator-armour")
def only_consolidates(names: Collection[str]) -> bool:
    """Whether a unit is too slow for a sweeping advance: one model in Terminator armour is enough.

    Args:
        names: keywords and abilities of its models.
    """
    return TERMINATOR in names or "TERMINATOR ARMOUR" in names


@rule("3e.core.traits.terminator-armour")
def may_teleport(names: Collection[str], *, mission_allows: bool) -> bool:
    """Whether a unit may be held back to arrive by deep strike: in Terminator armour, where the mission has it."""
    return mission_allows and only_consolidates(names)


@rule("3e.core.traits.storm-shield")
def shield_save(names: Collection[str], invulnerable: int | None, *, close_combat: bool, opponents: int) -> int | None:
    """The invulnerable save of a model with what a storm shield gives it: 4+ in close combat.

    Args:
        invulnerable: the save that it has without.
        opponents: how many opponents its shield has been used against this round, the present one included; it covers
            one.
    """
    if STORM_SHIELD not in names or not close_combat or opponents > 1:
        return invulnerable
    return 4 if invulnerable is None else min(invulnerable, 4)


@rule("3e.core.traits.bionics")
def bionics_ignore(names: Collection[str], face: int) -> bool:
    """Whether bionics ignore a wound: on a 6."""
    return "BIONICS" in names and face == 6


# -- close combat -----------------------------------------------------------------------------------------------


@rule("3e.core.traits.furious-charge")
def charge_characteristics(
    names: Collection[str], strength: int, initiative: int, *, charging: bool
) -> tuple[int, int]:
    """Strength and Initiative of a model that has charged this turn, or not; neither rises above 10."""
    if not charging or "FURIOUS CHARGE" not in names:
        return strength, initiative
    return min(strength + 1, 10), min(initiative + 1, 10)


@rule("3e.core.traits.counter-attack")
def wins_tie_break(own: Collection[str], enemy: Collection[str]) -> bool:
    """Whether a side wins the roll after a tied round without rolling: it counter-attacks and its enemy does not."""
    return "COUNTER-ATTACK" in own and "COUNTER-ATTACK" not in enemy


@rule("3e.core.traits.true-grit")
def true_grit_attacks(names: Collection[str], attacks: int, reach: Reach, *, charging: bool) -> int:
    """The attacks of a model that fights with a close combat weapon and a rifle held as a pistol.

    One more for the rifle in place of the one for charging; without true grit the rifle adds nothing.

    Args:
        attacks: of its profile.
    """
    if reach is not Reach.CONTACT:
        return 1 if reach is Reach.SUPPORT else 0
    return attacks + 1 if "TRUE GRIT" in names else attacks + charging


@rule("3e.core.traits.tank-hunters")
def penetration_by_tank_hunters(names: Collection[str]) -> tuple[Modifier, ...]:
    """What is added to a model's armour penetration rolls."""
    return (Modifier("3e.core.traits.tank-hunters", 1),) if "TANK HUNTERS" in names else ()


@rule("3e.core.traits.tank-hunters")
def ignores_tank_shock(names: Collection[str]) -> bool:
    """Whether a unit takes no test when a tank drives into it."""
    return "TANK HUNTERS" in names


@rule("3e.core.traits.master-crafted")
def may_repeat_a_miss(*, master_crafted: bool, missed: bool, used_this_turn: bool) -> bool:
    """Whether an attack with a weapon may be rolled again: one miss of a master-crafted one in a turn."""
    return master_crafted and missed and not used_this_turn


# -- nerve ------------------------------------------------------------------------------------------------------


@rule("3e.core.traits.resolute")
def may_repeat_morale_test(names: Collection[str], *, passed: bool, rerolled: bool) -> bool:
    """Whether a morale test may be rolled again: resolute troops' when it failed, once."""
    return "RESOLUTE" in names and not passed and not rerolled


@rule("3e.core.traits.steadfast")
def may_regroup_below_half(names: Collection[str]) -> bool:
    """Whether troops may regroup below half strength."""
    return "STEADFAST" in names or bool(KNOW_NO_FEAR & set(names))


@rule("3e.core.morale.know-no-fear")
def regroups_by_itself(names: Collection[str], *, in_formation: bool, nearest_enemy: float | None) -> bool:
    """Whether troops regroup at the end of a fall-back move without a test, even below half strength.

    Args:
        nearest_enemy: inches, None when there is none.
    """
    far = nearest_enemy is None or not within(nearest_enemy, NEAR)
    return bool(KNOW_NO_FEAR & set(names)) and in_formation and far


@rule("3e.core.morale.know-no-fear")
def fate_when_swept(names: Collection[str]) -> str:
    """What becomes of troops that pursuers have caught: ``"destroyed"``; who knows no fear stays ``"locked"``."""
    return "locked" if KNOW_NO_FEAR & set(names) else "destroyed"
