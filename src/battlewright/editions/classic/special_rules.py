"""Special rules: what each of them may change, as functions that an edition registers under the rule's name.

A :class:`SpecialRule` is a handful of hooks; procedures ask them through the judgements of :mod:`.bearers` and never
for a rule by its name. Which rules an edition has, and what each does in it, stands in its table
(``rules.characters.special_rules``). Whether a unit has a rule that not all of its models have is the rule's own
affair, :class:`Spread`.

An ability may bring an argument: ``Preferred Enemy (Orks)``, ``Feel No Pain (5+)``; the hooks are told it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from battlewright.core.dice import DiceExpression
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = [
    "MORALE",
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
]


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
        outnumbered: whether its side has fewer models in the combat.
        free_hand: whether it has a close combat weapon or pistol for one hand besides its guns.
        guns: what it could fire.
        names: its own keywords, special rules and wargear.
        argument: of the special rule that is asked.
    """

    charged: bool = False
    charged_at: bool = False
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
        smashes: what a weapon is to its bearer when he halves his Attacks for it, rounded up; None where he may not.
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
    smashes: Callable[[WeaponProfile], WeaponProfile] | None = None
    sweeps_with: DiceExpression | None = None
    rampages: DiceExpression | None = None
    regains_on: int | None = None
    causes_fear: bool = False
    endures: bool = False


Registry: TypeAlias = Mapping[str, SpecialRule]
"""The special rules of an edition by name, in capitals."""
