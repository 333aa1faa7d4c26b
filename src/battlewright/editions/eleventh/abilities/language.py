"""What an ability's encoding is read into: effects, whom they reach, and the conditions that they stand under.

All of it is immutable data. An *encoding* is a JSON object in the condition/effect language of the data package,
kept in the roster as text; :func:`~.reading.read_ability` makes a :class:`Reading` of it, in which either everything
is understood or nothing has an effect.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from battlewright.attacks.description import RerollWhich
from battlewright.core.dice import DiceExpression
from battlewright.editions.eleventh.ability_text import CoreAbility, WeaponAbility
from battlewright.editions.eleventh.modifiers import Change, Characteristic

__all__ = [
    "AllOf",
    "AnyOf",
    "ArrivalDenied",
    "ChargedAt",
    "CombatReach",
    "Condition",
    "CoreGrant",
    "Cover",
    "Critical",
    "Division",
    "Effect",
    "ExtraMove",
    "FightOnDeath",
    "ForceTest",
    "Ignore",
    "Ignored",
    "KeywordGrant",
    "ModelChange",
    "Mustering",
    "NotUnderstood",
    "Permission",
    "Permit",
    "Record",
    "Reposition",
    "Reroll",
    "Restore",
    "Return",
    "Roll",
    "RollChange",
    "Secure",
    "SnapHits",
    "StratagemCost",
    "Surge",
    "TargetedWithin",
    "Test",
    "Until",
    "WeaponChange",
    "WeaponGrant",
    "Whose",
]

Record: TypeAlias = Mapping[str, Any]
"""A JSON object of an encoding."""


class NotUnderstood(Exception):
    """A part of an encoding that the interpreter does not know; the message names it, for people."""


class Roll(StrEnum):
    """The rolls that effects change or let be made again."""

    HIT = "hit"
    WOUND = "wound"
    SAVE = "save"
    DAMAGE = "damage"
    CHARGE = "charge"
    ADVANCE = "advance"
    BATTLE_SHOCK = "battle-shock"


class Whose(StrEnum):
    """Whom an effect reaches."""

    BEARER = "bearer"
    """The models that have the ability, and their attacks; nobody else of an attached unit (19.04)."""
    UNIT = "unit"
    """Every model of the bearer's unit, attached ones included, and their attacks."""
    AGAINST = "against"
    """Attacks that target the bearer's unit."""
    FRIENDS = "friends"
    """Friendly units within reach of a bearer, its own included, and their attacks."""
    ENEMIES = "enemies"
    """Enemy units within reach of a bearer, and their attacks."""


class Until(StrEnum):
    """How long an ability that was used is in force."""

    ATTACKS = "attacks"
    """Until its unit has resolved its attacks."""
    PHASE = "phase"
    TURN = "turn"
    NEXT_COMMAND = "next-command"
    """Until its player's next Command phase begins."""


# --- conditions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Test:
    """One question about the situation.

    Attributes:
        kind: the name under which :mod:`.conditions` knows it.
        value: what it is compared with, as read.
    """

    kind: str
    value: Hashable = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AllOf:
    """Holds when every part holds, or, negated, when none does."""

    parts: tuple[Condition, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Holds when some part holds."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = "Test | AllOf | AnyOf"


# --- effects ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RollChange:
    """A modifier of a roll; + helps who rolls.

    Attributes:
        melee: whether it is for melee attacks or for ranged ones only; None for both. So in all effects on attacks.
    """

    roll: Roll
    amount: int
    melee: bool | None = None


@dataclass(frozen=True, slots=True)
class Critical:
    """The lowest unmodified hit or wound roll that is critical."""

    roll: Roll
    least: int
    melee: bool | None = None


@dataclass(frozen=True, slots=True)
class Reroll:
    """Leave to make a roll again."""

    roll: Roll
    which: RerollWhich
    melee: bool | None = None


class Ignored(StrEnum):
    """What the modifiers are of that an ability lets a unit ignore."""

    HIT = "hit"
    WOUND = "wound"
    SKILL = "skill"
    """BS and WS."""
    CLOSE_QUARTERS = "close-quarters"
    """The penalty for shooting while engaged (10.06)."""
    WEAPON = "weapon"
    """Every characteristic of weapons."""
    PROFILE = "profile"
    """Every characteristic of models."""
    CHARGE = "charge"
    ADVANCE = "advance"


@dataclass(frozen=True, slots=True)
class Ignore:
    """Leave to ignore modifiers: all of them or only some, so that harmful ones are."""

    what: Ignored
    melee: bool | None = None


@dataclass(frozen=True, slots=True)
class SnapHits:
    """The lowest unmodified hit roll that hits in snap shooting."""

    least: int


@dataclass(frozen=True, slots=True)
class WeaponGrant:
    """Weapon abilities for attacks."""

    abilities: tuple[WeaponAbility, ...]
    melee: bool | None = None


@dataclass(frozen=True, slots=True)
class WeaponChange:
    """A change of A, S, AP, D, BS or WS for attacks."""

    characteristic: Characteristic
    change: Change
    melee: bool | None = None


@dataclass(frozen=True, slots=True)
class ModelChange:
    """A change of M, T, Sv, InSv, W, Ld or OC."""

    characteristic: Characteristic
    change: Change


@dataclass(frozen=True, slots=True)
class CoreGrant:
    """A core ability for models."""

    ability: CoreAbility


@dataclass(frozen=True, slots=True)
class KeywordGrant:
    """Further keywords for the bearers, for as long as they live."""

    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cover:
    """The benefit of cover against attacks that target the unit."""


class Permit(StrEnum):
    """What a unit may do in spite of an earlier move."""

    CHARGE_AFTER_ADVANCE = "charge-after-advance"
    CHARGE_AFTER_FALL_BACK = "charge-after-fall-back"
    SHOOT_AFTER_ADVANCE = "shoot-after-advance"
    SHOOT_AFTER_FALL_BACK = "shoot-after-fall-back"
    ASSAULT_DISEMBARK = "assault-disembark"
    """Of a transport: its passengers may charge after they got out of it, when it has made a normal move (18.06)."""
    SHOCK_DISEMBARK = "shock-disembark"
    """Of a transport: its passengers may get out of it when it has advanced (18.07)."""


@dataclass(frozen=True, slots=True)
class Permission:
    """Leave for the unit to do something in spite of an earlier move."""

    permit: Permit


@dataclass(frozen=True, slots=True)
class Restore:
    """Wounds or models that come back in the own Command phase (01.09, 02).

    Attributes:
        amount: of wounds, or of models.
        models: whether models are revived, with all their wounds, rather than wounds healed.
        bodyguard: whether only models of the bodyguard are.
    """

    amount: DiceExpression
    models: bool = False
    bodyguard: bool = False


@dataclass(frozen=True, slots=True)
class FightOnDeath:
    """Models that are destroyed before their unit has fought stay until it has (01.08)."""


@dataclass(frozen=True, slots=True)
class Secure:
    """Objectives that the unit is controlling are secured (14)."""


@dataclass(frozen=True, slots=True)
class Mustering:
    """A rule about the list that a unit is in, which mustering judges (25); it does nothing in a battle.

    Attributes:
        rule: ``"must-be-warlord"`` or ``"cannot-be-warlord"``.
    """

    rule: str


@dataclass(frozen=True, slots=True)
class Surge:
    """A surge move after an enemy unit has shot at the unit (21.01).

    Attributes:
        distance: in inches.
        slain: whether a model has to be destroyed by it, rather than wounds lost.
    """

    distance: DiceExpression
    slain: bool


@dataclass(frozen=True, slots=True)
class ExtraMove:
    """A further normal move of up to so many inches: after the unit has shot, or after an enemy unit has ended a move.

    Attributes:
        no_charge: whether the unit does not charge this turn then.
        within: inches from the enemy unit that has ended its move; None for a move after shooting.
        kinds: the moves of it that count; any when empty.
        limit: until when it is not done again.
    """

    distance: DiceExpression
    no_charge: bool = False
    within: float | None = None
    kinds: tuple[str, ...] = ()
    limit: Until | None = None


@dataclass(frozen=True, slots=True)
class Reposition:
    """Once in the battle, at the end of the opponent's turn, the unit may be put into reserves (20.02)."""


@dataclass(frozen=True, slots=True)
class Return:
    """Once in the battle a destroyed bearer comes back as the phase ends (01.09).

    Attributes:
        least: the lowest D6 on which it does.
        wounds: how many it has then; None for all.
    """

    least: int
    wounds: int | None


@dataclass(frozen=True, slots=True)
class Division:
    """When battle formations are declared the unit may be split in two (01.11)."""

    counts: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ForceTest:
    """At the start of the Fight phase each enemy unit that the unit is engaged with makes a battle-shock roll."""


@dataclass(frozen=True, slots=True)
class TargetedWithin:
    """The unit can be the target of ranged attacks of models within so many inches alone."""

    inches: float


@dataclass(frozen=True, slots=True)
class ArrivalDenied:
    """Units that arrive from reserves cannot be set up within so many inches of the unit."""

    inches: float


@dataclass(frozen=True, slots=True)
class StratagemCost:
    """What a use of a stratagem on a unit costs more."""

    amount: int


@dataclass(frozen=True, slots=True)
class CombatReach:
    """The distance, in inches, of pile-in or consolidation moves in place of 3\"."""

    consolidating: bool
    inches: float


@dataclass(frozen=True, slots=True)
class ChargedAt:
    """A modifier of charge rolls that target the unit."""

    amount: int


Effect: TypeAlias = (
    RollChange
    | Critical
    | Reroll
    | Ignore
    | SnapHits
    | WeaponGrant
    | WeaponChange
    | ModelChange
    | CoreGrant
    | KeywordGrant
    | Cover
    | Permission
    | Restore
    | FightOnDeath
    | Secure
    | Mustering
    | Surge
    | ExtraMove
    | Reposition
    | ForceTest
    | Return
    | Division
    | ArrivalDenied
    | StratagemCost
    | TargetedWithin
    | CombatReach
    | ChargedAt
)
