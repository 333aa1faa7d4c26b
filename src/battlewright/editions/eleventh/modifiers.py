"""Modifiers of characteristics, rolls and other values (02.02): order, limits, and leave to ignore them.

A modified value keeps its steps: the number used and the explanation shown are one object.

Numbers stand here as they do in profiles: ``3`` for ``3+``, ``-1`` for AP -1, ``None`` for ``"-"``, ``"*"`` and
``"N/A"``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from battlewright.attacks.description import Amount, amount
from battlewright.core.dice import DiceExpression, Modifier
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule

__all__ = [
    "LIMITS",
    "Applied",
    "Change",
    "Characteristic",
    "Limits",
    "Modified",
    "ModifiedRoll",
    "ModifierKind",
    "Operation",
    "charge_roll",
    "detection_range",
    "improve",
    "is_harmful",
    "kept_modifiers",
    "lone_operative_distance",
    "may_ignore",
    "modified_amount",
    "modified_hit_roll",
    "modified_roll",
    "modified_wound_roll",
    "modify",
    "roll_modifier",
    "signed",
    "without_harmful",
    "worsen",
]


class Operation(StrEnum):
    """What a modifier does, in the order in which modifiers are applied (02.02.01)."""

    SET = "set"
    MULTIPLY = "multiply"
    ADD = "add"
    DIVIDE = "divide"
    SUBTRACT = "subtract"


class Characteristic(StrEnum):
    """The characteristics of models and weapons."""

    M = "M"
    T = "T"
    SV = "Sv"
    INSV = "InSv"
    W = "W"
    LD = "Ld"
    OC = "OC"
    RANGE = "Range"
    A = "A"
    WS = "WS"
    BS = "BS"
    S = "S"
    AP = "AP"
    D = "D"


_PLUS = frozenset({Characteristic.WS, Characteristic.BS, Characteristic.SV, Characteristic.INSV, Characteristic.LD})
"""Written with a plus sign, so that a smaller number is better. InSv is treated like Sv."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The lowest and the highest number that a value may end at; None where there is no limit."""

    low: int | None = None
    high: int | None = None

    def clamp(self, value: int) -> int:
        """The nearest allowed number."""
        if self.low is not None and value < self.low:
            return self.low
        return self.high if self.high is not None and value > self.high else value


_NO_LIMITS = Limits()
LIMITS: dict[Characteristic, Limits] = {
    Characteristic.M: Limits(low=1),
    Characteristic.T: Limits(low=1),
    Characteristic.SV: Limits(low=2),
    Characteristic.INSV: Limits(low=2),
    Characteristic.LD: Limits(low=5, high=8),
    Characteristic.OC: Limits(low=0),
    Characteristic.RANGE: Limits(low=1),
    Characteristic.A: Limits(low=1),
    Characteristic.WS: Limits(low=2, high=6),
    Characteristic.BS: Limits(low=2, high=6),
    Characteristic.S: Limits(low=1),
    Characteristic.AP: Limits(high=0),
    Characteristic.D: Limits(low=1),
}
"""Where the end values of characteristics are kept after every modifier has been applied (02.02)."""


@dataclass(frozen=True, slots=True)
class Change:
    """One modifier of a value as data.

    Attributes:
        operation: what it does.
        amount: by how much; for ``SET`` None stands for ``"-"`` and ``"*"``.
        rule: the id or name of the rule that makes it.
    """

    operation: Operation
    amount: int | None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Applied:
    """One step of a calculation: the change (None for rounding and limits) and the value before and after it."""

    change: Change | None
    before: Fraction | None
    after: Fraction | None
    why: str


@dataclass(frozen=True, slots=True)
class Modified:
    """A value with everything that was done to it.

    Attributes:
        printed: the value before any modifier.
        value: the number to use, None for ``"-"``.
        steps: in the order applied; empty when nothing changed it.
    """

    printed: int | None
    value: int | None
    steps: tuple[Applied, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that changed it, in order."""
        return tuple(step.change.rule for step in self.steps if step.change is not None and step.change.rule)

    @property
    def number(self) -> int:
        """The value where there is one.

        Raises:
            BadInput: when it is ``"-"``.
        """
        if self.value is None:
            raise BadInput('a characteristic of "-" has no number')
        return self.value

    def __str__(self) -> str:
        shown = ["-" if self.printed is None else str(self.printed)]
        shown += [f"{_shown(step.after)} ({step.why})" for step in self.steps]
        return " -> ".join(shown)


def _shown(value: Fraction | None) -> str:
    return "-" if value is None else f"{float(value):g}"


_ORDER = (Operation.MULTIPLY, Operation.ADD, Operation.DIVIDE, Operation.SUBTRACT)


@rule(
    "11e.ds-modifier-order.order",
    "11e.ds-modifier-order.cumulative",
    "11e.ds-modifier-order.replace-first",
    "11e.ds-modifier-order.replace-lock",
    "11e.ds-modifier-order.multiply-before-add",
    "11e.ds-modifier-order.add-before-divide",
    "11e.ds-modifier-order.divide-before-subtract",
    "11e.ds-modifier-order.round-up-last",
    "11e.ds-modifier-basics.modified-naming",
    "11e.ds-characteristic-modifiers.dash-star-na",
    "11e.ds-characteristic-modifiers.limits",
    "11e.ds-characteristic-modifiers.limits-at-the-end",
    "11e.ds-characteristic-modifiers.limit-m",
    "11e.ds-characteristic-modifiers.limit-t",
    "11e.ds-characteristic-modifiers.limit-sv",
    "11e.ds-characteristic-modifiers.limit-insv",
    "11e.ds-characteristic-modifiers.limit-ld",
    "11e.ds-characteristic-modifiers.limit-oc",
    "11e.ds-characteristic-modifiers.limit-range",
    "11e.ds-characteristic-modifiers.limit-a",
    "11e.ds-characteristic-modifiers.limit-ws",
    "11e.ds-characteristic-modifiers.limit-bs",
    "11e.ds-characteristic-modifiers.limit-s",
    "11e.ds-characteristic-modifiers.limit-ap",
    "11e.ds-characteristic-modifiers.limit-d",
    "11e.core.01.05-modifier-order",
    "11e.core.01.05-characteristic-caps",
)
def modify(printed: int | None, changes: Iterable[Change], limits: Limits = _NO_LIMITS) -> Modified:
    """Apply modifiers in the game's order: set, multiply, add, divide, subtract, round up, then the limits.

    A value of ``"-"`` is never changed. A value that was set to 0, ``"-"`` or ``"*"`` takes no further modifier, and
    no limit lifts it.

    RULING: 11e.ds-modifier-order.replace-first we read it as: of several set values the one listed last stands.
    """
    waiting = list(changes)
    if printed is None or not waiting:
        return Modified(printed, printed)
    value: Fraction | None = Fraction(printed)
    steps: list[Applied] = []
    for change in waiting:
        if change.operation is Operation.SET:
            after = None if change.amount is None else Fraction(change.amount)
            steps.append(Applied(change, value, after, change.rule or "set"))
            value = after
    if steps and not value:
        return Modified(printed, None if value is None else 0, tuple(steps))
    assert value is not None
    for operation in _ORDER:
        for change in waiting:
            if change.operation is operation:
                after = _apply(value, change)
                steps.append(Applied(change, value, after, change.rule or str(operation)))
                value = after
    if not steps:
        return Modified(printed, printed)
    whole = math.ceil(value)
    if whole != value:
        steps.append(Applied(None, value, Fraction(whole), "rounded up"))
    ended = limits.clamp(whole)
    if ended != whole:
        steps.append(Applied(None, Fraction(whole), Fraction(ended), "limit"))
    return Modified(printed, ended, tuple(steps))


def _apply(value: Fraction, change: Change) -> Fraction:
    by = change.amount if change.amount is not None else 0
    match change.operation:
        case Operation.MULTIPLY:
            return value * by
        case Operation.ADD:
            return value + by
        case Operation.DIVIDE:
            return value / by
        case _:
            return value - by


@rule("11e.ds-random.operator-part-of-d", "11e.core.01.05-value-after-operator")
def modified_amount(dice: DiceExpression, changes: Sequence[Change], limits: Limits) -> Amount:
    """A characteristic that may be random, with its modifiers worked into every value that it can take."""
    if not changes:
        return amount(dice)
    totals = range(dice.minimum, dice.maximum + 1) if dice.is_random else (dice.bonus,)
    values = tuple(modify(total, changes, limits).number for total in totals)
    explained = tuple(Modifier(change.rule, _signed_amount(change)) for change in changes)
    return Amount(dice if dice.is_random else DiceExpression(0, 0, 0), values, str(dice), explained)


def _signed_amount(change: Change) -> int:
    by = change.amount or 0
    return -by if change.operation in (Operation.SUBTRACT, Operation.DIVIDE) else by


# --- improving and worsening -----------------------------------------------------------------------------------


@rule(
    "11e.ds-improve-worsen.counts-as-modifying",
    "11e.ds-improve-worsen.improve-plus-type",
    "11e.ds-improve-worsen.improve-ap",
    "11e.ds-improve-worsen.improve-other",
)
def improve(characteristic: Characteristic, by: int, rule_name: str = "") -> Change:
    """A modifier that makes a characteristic better: less before a plus sign, more negative AP, more of others."""
    lower = characteristic in _PLUS or characteristic is Characteristic.AP
    return Change(Operation.SUBTRACT if lower else Operation.ADD, by, rule_name)


@rule(
    "11e.ds-improve-worsen.counts-as-modifying",
    "11e.ds-improve-worsen.worsen-plus-type",
    "11e.ds-improve-worsen.worsen-ap",
    "11e.ds-improve-worsen.worsen-other",
)
def worsen(characteristic: Characteristic, by: int, rule_name: str = "") -> Change:
    """A modifier that makes a characteristic worse: the opposite of :func:`improve`. AP stops at 0 at the end.

    RULING: 11e.ds-improve-worsen.worsen-ap we read it as: the stop at 0 is a limit applied when all is done.
    """
    lower = characteristic in _PLUS or characteristic is Characteristic.AP
    return Change(Operation.ADD if lower else Operation.SUBTRACT, by, rule_name)


@rule(
    "11e.ds-modifier-basics.modifier-defined",
    "11e.ds-modifier-basics.notation",
    "11e.ds-modifier-basics.plus-improves",
    "11e.ds-modifier-basics.plus-example-ap",
    "11e.ds-modifier-basics.minus-worsens",
    "11e.ds-modifier-basics.minus-example-sv",
)
def signed(characteristic: Characteristic, number: int, rule_name: str = "") -> Change:
    """What ``+n`` or ``-n`` to a characteristic means: better, or worse, by n."""
    if number >= 0:
        return improve(characteristic, number, rule_name)
    return worsen(characteristic, -number, rule_name)


def is_harmful(characteristic: Characteristic, change: Change, printed: int) -> bool:
    """Whether a change by itself would make this characteristic worse."""
    after = modify(printed, (change,)).value
    if after is None:
        return True
    lower = characteristic in _PLUS or characteristic is Characteristic.AP
    return after > printed if lower else after < printed


# --- rolls -----------------------------------------------------------------------------------------------------

_CAP = 1
_HIGHEST_CHARGE = 12


@dataclass(frozen=True, slots=True)
class ModifiedRoll:
    """A roll with its modifiers.

    Attributes:
        unmodified: the die as it stands after re-rolls.
        modifiers: all that are in force.
        applied: their sum after the limit.
        modified: the result, at least 1.
    """

    unmodified: int
    modifiers: tuple[Modifier, ...]
    applied: int
    modified: int


@rule(
    "11e.ds-roll-modifiers.hit-cap-upper",
    "11e.ds-roll-modifiers.hit-cap-lower",
    "11e.ds-roll-modifiers.wound-cap-upper",
    "11e.ds-roll-modifiers.wound-cap-lower",
    "11e.ds-roll-modifiers.cap-on-total",
    "11e.core.01.05-modifier-caps",
)
def roll_modifier(modifiers: Iterable[Modifier], cap: int | None = _CAP) -> int:
    """The sum of all modifiers of a roll, kept within the cap (hit and wound rolls: 1 either way) as a whole."""
    total = sum(modifier.amount for modifier in modifiers)
    return total if cap is None else max(-cap, min(cap, total))


@rule(
    "11e.ds-roll-modifiers.after-rerolls",
    "11e.ds-roll-modifiers.unmodified",
    "11e.ds-roll-modifiers.above-maximum",
    "11e.ds-roll-modifiers.minimum-one",
    "11e.ds-modifier-basics.modified-naming",
    "11e.core.01.05-reroll-before-modifiers",
)
def modified_roll(unmodified: int, modifiers: Sequence[Modifier], cap: int | None = None) -> ModifiedRoll:
    """Modify a die that stands after re-rolls; it may go above its highest face, never below 1."""
    applied = roll_modifier(modifiers, cap)
    return ModifiedRoll(unmodified, tuple(modifiers), applied, max(1, unmodified + applied))


def modified_hit_roll(unmodified: int, modifiers: Sequence[Modifier]) -> ModifiedRoll:
    """A hit roll: the modifiers come to +1 or -1 at most."""
    return modified_roll(unmodified, modifiers, _CAP)


def modified_wound_roll(unmodified: int, modifiers: Sequence[Modifier]) -> ModifiedRoll:
    """A wound roll: the modifiers come to +1 or -1 at most."""
    return modified_roll(unmodified, modifiers, _CAP)


@rule("11e.ds-roll-modifiers.charge-cap")
def charge_roll(dice: Sequence[int], modifiers: Sequence[Modifier] = ()) -> ModifiedRoll:
    """The result of a charge roll in inches: 13 or more counts as 12."""
    roll = modified_roll(sum(dice), modifiers)
    return replace(roll, modified=min(_HIGHEST_CHARGE, roll.modified))


# --- other modified rules --------------------------------------------------------------------------------------

_DISTANCES = Limits(low=9, high=30)


@rule("11e.ds-other-modified.detection-range-limits")
def detection_range(inches: int, changes: Sequence[Change] = ()) -> Modified:
    """A detection range with its modifiers: 9 to 30 inches."""
    return modify(inches, changes, _DISTANCES)


@rule("11e.ds-other-modified.lone-operative-limits")
def lone_operative_distance(inches: int, changes: Sequence[Change] = ()) -> Modified:
    """The distance of Lone Operative with its modifiers: 9 to 30 inches."""
    return modify(inches, changes, _DISTANCES)


# --- ignoring modifiers ----------------------------------------------------------------------------------------


class ModifierKind(StrEnum):
    """What a modifier alters, as rules that ignore modifiers distinguish it."""

    ROLL = "roll"
    PROFILE = "profile"
    WEAPON = "weapon"


@rule("11e.ds-ignore-modifiers.scope")
def may_ignore(kind: ModifierKind, permitted: Collection[ModifierKind] = tuple(ModifierKind)) -> bool:
    """Whether leave to ignore modifiers covers this kind; unless it says otherwise it covers all three."""
    return kind in permitted


@rule("11e.ds-ignore-modifiers.all-or-some", "11e.ds-ignore-modifiers.example-hit")
def kept_modifiers(modifiers: Sequence[Modifier], ignored: Collection[int]) -> tuple[Modifier, ...]:
    """What is left when a player with leave to ignore modifiers drops those at these places: all, some or none."""
    return tuple(modifier for place, modifier in enumerate(modifiers) if place not in ignored)


@rule("11e.ds-ignore-modifiers.all-or-some", "11e.ds-ignore-modifiers.example-move")
def without_harmful(characteristic: Characteristic, printed: int, changes: Sequence[Change]) -> tuple[Change, ...]:
    """What is left when a player with leave to ignore modifiers of a characteristic drops just the harmful ones."""
    return tuple(change for change in changes if not is_harmful(characteristic, change, printed))
