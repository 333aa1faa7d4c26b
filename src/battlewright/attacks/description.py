"""An attack as data: what a pool of identical attacks does, written down before any die is rolled.

A :class:`Volley` is a pool of identical attacks against one target. Each attack is a token. A token enters at the
first step and is thrown through :class:`Step` after :class:`Step`; the face of the die picks an :class:`Outcome`,
which hands tokens on to later steps or to a :class:`Packet`, the damage that arrives at the target. An edition says
which steps there are, in which order, and what each face does; nothing here knows a rule.

The readers are :mod:`~battlewright.attacks.resolve` (rolls one pool, one step at a time, and explains it),
:mod:`~battlewright.attacks.exact` (probability mass functions) and :mod:`~battlewright.attacks.sample` (millions at
once). One description has three readers, so the odds cannot disagree with the game.

Four volleys, to show the reach (tests/unit/test_description.py builds them):

- 11th edition: attacks -> hit (critical: choice to skip the wound roll; extra hits) -> wound (critical: a mortal
  packet) -> packet with saves, sorted dice, allocation groups;
- a classic lascannon on AV 13: attacks -> hit -> penetration (D6 + 9 against 13: glancing, penetrating) -> the table
  of damage results -> packets that are effects instead of wounds;
- a blast of n hits: tokens enter at the wound step;
- classic mixed armour: groups with saves of their own, wounds dealt out evenly instead of in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from battlewright.core.dice import DiceExpression, Modifier

__all__ = [
    "D6",
    "ONE",
    "Allocation",
    "Alternative",
    "Amount",
    "AttackDice",
    "ChoicePoint",
    "Emit",
    "Group",
    "Outcome",
    "Packet",
    "Policy",
    "RerollPermission",
    "RerollWhich",
    "SaveTable",
    "Step",
    "Target",
    "Volley",
    "amount",
]

D6 = DiceExpression(1, 6, 0)
"""One ordinary die."""
_NONE = DiceExpression(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that may have to be rolled, with everything that modifies it worked in.

    Attributes:
        dice: what is thrown.
        values: the resulting number for each total of the dice, from the lowest total to the highest; exactly one
            entry when nothing is thrown.
        printed: how the characteristic reads, ``"D6+1"``, for explanations.
        modifiers: what was worked in, for explanations.
    """

    dice: DiceExpression
    values: tuple[int, ...]
    printed: str = ""
    modifiers: tuple[Modifier, ...] = ()

    def value(self, total: int) -> int:
        """The number for a total of the dice (0 when nothing is thrown)."""
        return self.values[total - self.dice.minimum] if self.dice.is_random else self.values[0]

    def weights(self) -> dict[int, int]:
        """How many of the equally likely throws give each number."""
        found: dict[int, int] = {}
        for total, weight in self.dice.weights().items():
            number = self.value(total)
            found[number] = found.get(number, 0) + weight
        return found

    @property
    def maximum(self) -> int:
        """The highest number it can be."""
        return max(self.values)


def amount(dice: DiceExpression | int) -> Amount:
    """An amount that nothing modifies."""
    if isinstance(dice, int):
        return Amount(_NONE, (dice,), str(dice))
    if not dice.is_random:
        return Amount(_NONE, (dice.bonus,), str(dice))
    return Amount(dice, tuple(range(dice.minimum, dice.maximum + 1)), str(dice))


ONE = amount(1)
"""Exactly one."""


@dataclass(frozen=True, slots=True)
class Emit:
    """Tokens handed on: how many, and the name of the step or packet they go to. Each token rolls its own amount."""

    to: str
    count: Amount = ONE


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way a choice can go: its name (``"take"``), what it hands on, and the rule behind it."""

    name: str
    emits: tuple[Emit, ...]
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoicePoint:
    """A choice that belongs to an outcome, made attack by attack (``"lethal"``)."""

    name: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a face of a step's die means.

    Attributes:
        name: ``"miss"``, ``"hit"``, ``"critical-hit"``; unique within the step.
        emits: tokens always handed on.
        choice: tokens handed on by choice, besides ``emits``.
        success: whether this is what the roller wants (a "failure" that re-rolls speak of is its opposite).
        critical: whether the edition calls it critical.
        rules: ids of the rules that shaped it.
    """

    name: str
    emits: tuple[Emit, ...] = ()
    choice: ChoicePoint | None = None
    success: bool = False
    critical: bool = False
    rules: tuple[str, ...] = ()


class RerollWhich(StrEnum):
    """Which dice of a step are thrown again."""

    NONE = "none"
    ONES = "ones"
    FAILURES = "failures"
    NONCRITICAL = "noncritical"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class RerollPermission:
    """A rule that lets dice of a step be thrown again, once each.

    Attributes:
        widest: the widest class of dice it reaches; its user may always re-roll fewer.
        rule: the rule that permits it.
    """

    widest: RerollWhich
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One throw per token and what each face of it does.

    Attributes:
        name: ``"hit"``, ``"wound"``, ``"penetration"``; also the purpose of the roll.
        dice: what is thrown for each token, normally one D6.
        outcomes: the distinct outcomes.
        by_total: for each unmodified total from the lowest to the highest, an index into ``outcomes``.
        needed: the lowest total that succeeds, as a person knows it, modifiers not included; None when none does.
        reroll: permission to throw again, or None.
        modifiers: the modifiers that were worked into ``by_total``, for explanations.
        rules: ids of the rules that shaped the step.
    """

    name: str
    outcomes: tuple[Outcome, ...]
    by_total: tuple[int, ...]
    dice: DiceExpression = D6
    needed: int | None = None
    reroll: RerollPermission | None = None
    modifiers: tuple[Modifier, ...] = ()
    rules: tuple[str, ...] = ()

    def outcome(self, total: int) -> Outcome:
        """The outcome of an unmodified total."""
        return self.outcomes[self.by_total[total - self.dice.minimum]]

    def is_rerolled(self, total: int, which: RerollWhich) -> bool:
        """Whether a die of this total is among those that ``which`` names."""
        outcome = self.outcome(total)
        match which:
            case RerollWhich.NONE:
                return False
            case RerollWhich.ONES:
                return total == self.dice.minimum
            case RerollWhich.FAILURES:
                return not outcome.success
            case RerollWhich.NONCRITICAL:
                return not outcome.critical
            case RerollWhich.ALL:
                return True


@dataclass(frozen=True, slots=True)
class Packet:
    """What arrives at the target for one token: damage to one model, mortal wounds, or an effect.

    Attributes:
        name: ``"damage"``, ``"devastating"``; unique within the volley.
        damage: wounds it takes, rolled once its model is known.
        saved: whether save tables stand against it.
        saves: its own tables, one per group, where they differ from the volley's (an AP that a critical improves).
        keeps: the lowest D6 that keeps a wound of it, one per group, where that is another than the groups' own.
        spills: whether damage beyond one model goes on to the next.
        stage: packets of a lower stage are all dealt with before those of a higher one.
        reroll_damage: permission to throw the damage again.
        effect: name of an effect in place of damage (``"immobilised"``, ``"stunned"``), or None. It touches no wounds:
            what removes a model outright is a packet whose damage is all of its wounds.
        keeps_group: whether it follows the group that the attacker picked (11th: Precision).
        rules: ids of the rules that shaped it.
    """

    name: str
    damage: Amount = ONE
    saved: bool = True
    spills: bool = False
    stage: int = 0
    reroll_damage: RerollPermission | None = None
    effect: str | None = None
    keeps_group: bool = True
    rules: tuple[str, ...] = ()
    saves: tuple[SaveTable, ...] | None = None
    keeps: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class SaveTable:
    """What each face of a save die does for the models of one group against this volley.

    Attributes:
        stops: six truth values, for the unmodified faces 1 to 6: whether the attack is stopped.
        label: as a person knows it, ``"Sv 3+ at AP-1: 4+"``.
        reroll: permission for the defender to throw failed saves again.
        modifiers: those worked into ``stops``.
        rules: ids of the rules that shaped it.
    """

    stops: tuple[bool, bool, bool, bool, bool, bool]
    label: str = ""
    reroll: RerollPermission | None = None
    modifiers: tuple[Modifier, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Models of the target that are alike for allocation.

    Attributes:
        name: what to call it, ``"Boyz"``.
        wounds: W of each model.
        remaining: wounds remaining of each living model, in the order in which they will be lost (a wounded one
            first).
        feel_no_pain: lowest D6 that keeps a wound, or None.
        is_character: whether mortal wounds and allocation spare it while others live.
        points: cost of one model, for the expected points destroyed.
        feel_no_pain_rules: ids of the rules that give it.
    """

    name: str
    wounds: int
    remaining: tuple[int, ...]
    feel_no_pain: int | None = None
    is_character: bool = False
    points: float = 0.0
    feel_no_pain_rules: tuple[str, ...] = ()


class Allocation(StrEnum):
    """How wounds are dealt out to the groups of a target."""

    SORTED = "sorted"
    """All save dice at once, then from the lowest to the highest die to the current group (11th edition, 05.03-04)."""
    EVEN = "even"
    """Dealt out in rounds before any die is rolled, one to each model of the first group, then of the next, and again
    from the start; each group saves its own and bears its own (classic mixed armour)."""
    IN_ORDER = "in-order"
    """One at a time: each is saved and borne by the group that is current when its turn comes."""


@dataclass(frozen=True, slots=True)
class Target:
    """Who is attacked: its groups in allocation order.

    Attributes:
        precision_group: index of the group that the attacker has picked, which goes first, or None.
    """

    groups: tuple[Group, ...]
    allocation: Allocation = Allocation.SORTED
    precision_group: int | None = None

    @property
    def models(self) -> int:
        """How many models are left."""
        return sum(len(group.remaining) for group in self.groups)


@dataclass(frozen=True, slots=True)
class AttackDice:
    """How many attacks: so many weapons, each rolling its own amount."""

    weapons: int
    each: Amount


@dataclass(frozen=True, slots=True)
class Volley:
    """A pool of identical attacks against one target.

    Attributes:
        name: of the weapon.
        dice: how many attack dice are gathered.
        entry: where each attack enters, normally one token to the first step.
        steps: in the order in which they are worked through; tokens only go forward.
        packets: what may arrive.
        saves: one table per group of the target; empty when no packet is saved. Packets may bring their own.
        target: who is attacked.
        rules: ids of the rules that shaped the number of attacks and the whole.
    """

    name: str
    dice: tuple[AttackDice, ...]
    entry: tuple[Emit, ...]
    steps: tuple[Step, ...]
    packets: tuple[Packet, ...]
    saves: tuple[SaveTable, ...]
    target: Target
    rules: tuple[str, ...] = ()

    def step(self, name: str) -> Step:
        """The step of that name.

        Raises:
            KeyError: when the volley has none.
        """
        for step in self.steps:
            if step.name == name:
                return step
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Policy:
    """How a calculator decides the named choices; a battle asks a player instead.

    Attributes:
        rerolls: which dice are thrown again, by step name; also ``"save"`` and ``"damage"``. Steps not named use
            every re-roll that is permitted on failures (saves, hits, wounds), and none on damage above the mean.
        choices: which alternative is taken, by choice point; ``"best"`` (the default) takes the one with the
            higher expected damage.
    """

    rerolls: dict[str, RerollWhich] = field(default_factory=dict)
    choices: dict[str, str] = field(default_factory=dict)
