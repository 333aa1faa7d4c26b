"""The battle's reader: rolls a volley one step of one pool at a time, and explains every throw.

:func:`resolve` is a procedure over a :class:`Host`, who owns everything that belongs to the battle: its dice, its
models, and the players who choose. The battle's host asks its players and keeps the models in the state;
:class:`~battlewright.attacks.simulated.SimulatedHost` answers by a policy and keeps a plain target.

The order is: the number of attacks; each step for all tokens that have reached it, as one throw; then the packets,
stage by stage and kind by kind. Every throw is followed by the question which of its dice are thrown again.

Purposes of the throws: ``"attacks"``, the names of the steps (``"hit"``, ``"wound"``), ``"save"``, ``"damage"``,
``"feel-no-pain"``, and ``"<outcome>-amount"`` for the amounts that an outcome hands on; ``"<purpose>-reroll"`` for
dice thrown again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from battlewright.attacks.choices import (
    are_alike,
    is_damage_rerolled,
    is_save_rerolled,
    kept_on,
    pools,
    rerolls_within,
    save_tables,
)
from battlewright.attacks.description import (
    D6,
    Allocation,
    Amount,
    ChoicePoint,
    Emit,
    Packet,
    RerollPermission,
    RerollWhich,
    SaveTable,
    Step,
    Volley,
)
from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression, Modifier, Reroll, Roll

__all__ = ["Again", "Explanation", "Host", "Resolution", "Throw", "resolve", "roll_saves", "roll_to_packets"]


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice just thrown, before anything is made of them: what a re-roll is decided on.

    Attributes:
        purpose: of the throw.
        roll: the dice; each token has ``dice`` of them, one after the other.
        dice: how many dice each token has.
        permission: a rule of the description that lets tokens be thrown again, or None. The host may know others.
            Once dice have been thrown again the host is asked a second time, with no permission left.
        classes: for each class within the permission the numbers of the tokens it names; ``NONE`` included.
    """

    purpose: str
    roll: Roll
    dice: int
    permission: RerollPermission | None
    classes: Mapping[RerollWhich, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Again:
    """One token whose dice are thrown again: its number, the rule that lets it, and which of its dice; None for all."""

    token: int
    rule: str = ""
    die: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """One throw, or one thing that needed none, as it can be told afterwards.

    Attributes:
        purpose: ``"hit"``, ``"save"``, ``"damage"``, ...
        roll: the dice with their re-rolls; None when nothing was thrown.
        outcomes: how many tokens came to which outcome, in the order of the step's outcomes.
        needed: the lowest total that succeeds, modifiers not included; None when there is no such number.
        label: what the dice were rolled against, ``"Sv 3+ at AP-1: 4+"``, or the packet's name.
        modifiers: what was worked in.
        rules: ids of the rules that shaped it.
        model: the model that it concerns, or None.
    """

    purpose: str
    roll: Roll | None
    outcomes: tuple[tuple[str, int], ...]
    needed: int | None = None
    label: str = ""
    modifiers: tuple[Modifier, ...] = ()
    rules: tuple[str, ...] = ()
    model: int | None = None


class Host(Protocol):
    """What the resolution of a volley asks of the battle that it happens in.

    A *group* is an index into ``volley.target.groups`` (and the save tables); a *model* is whatever number the host
    gives its models.
    """

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Throw dice from the battle's stream; ``count`` is at least 1."""
        ...

    def rerolls(self, throw: Throw) -> Procedure[Sequence[Again]]:
        """Which tokens of a throw are thrown again; asked after every throw, and once more if some were. No die is
        thrown again twice."""
        ...

    def choose(self, point: ChoicePoint, count: int) -> Procedure[Sequence[int]]:
        """How many of ``count`` attacks at a choice go each way, one number per alternative."""
        ...

    def order_pools(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[int]]:
        """In which order two or more kinds of packets of one stage are dealt with, as numbers into ``waiting``."""
        ...

    def order_groups(self, packet: Packet, count: int) -> Procedure[None]:
        """Settle the order of the groups for the packets now to be dealt with, the attacker's pick included."""
        ...

    def current_group(self) -> int | None:
        """The group that packets go to at this moment; None when no model of the target is left to take them."""
        ...

    def deal(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[Sequence[int]]]:
        """For allocation ``EVEN``: how many packets of each kind go to each group, one row per kind."""
        ...

    def select_model(self, group: int) -> Procedure[int | None]:
        """The model of a group that takes the next packet, a wounded one if there is one; None when none is left."""
        ...

    def remaining(self, model: int) -> int:
        """Wounds that the model has left."""
        ...

    def lose_wounds(self, model: int, wounds: int, packet: Packet) -> Procedure[int]:
        """Take wounds from a model, at most those it has left, and deal with its end; returns how many it lost."""
        ...

    def suffer_effect(self, model: int, packet: Packet) -> Procedure[None]:
        """Put the packet's effect on a model."""
        ...

    def explain(self, explanation: Explanation) -> None:
        """Record a throw, its re-rolls included."""
        ...


@dataclass(slots=True)
class Resolution:
    """What a volley has come to.

    Attributes:
        attacks: how many attacks were made.
        outcomes: for each step how many tokens came to each outcome.
        packets: how many packets of each kind arrived at the target.
        unsaved: how many of them no save stopped; those lost with the target's last model are not counted.
        damage: wounds really removed.
        effects: how often each effect was suffered.
    """

    attacks: int = 0
    outcomes: dict[str, dict[str, int]] = field(default_factory=dict)
    packets: dict[str, int] = field(default_factory=dict)
    unsaved: dict[str, int] = field(default_factory=dict)
    damage: int = 0
    effects: dict[str, int] = field(default_factory=dict)


def resolve(volley: Volley, host: Host) -> Procedure[Resolution]:
    """Resolve a volley from its attack dice to the last wound.

    Returns:
        What it came to; each throw has been explained to the host as it happened.
    """
    done = yield from roll_to_packets(volley, host)
    done.unsaved = {packet.name: 0 for packet in volley.packets}
    stages = sorted({packet.stage for packet in volley.packets})
    for stage in stages:
        present = [(p, done.packets[p.name]) for p in pools(volley) if p.stage == stage and done.packets[p.name]]
        yield from _stage(volley, present, host, done)
    return done


def roll_to_packets(volley: Volley, host: Host) -> Procedure[Resolution]:
    """The first half of an attack: from its attack dice to the packets that arrive at the target, none dealt with yet.

    For editions in which the attacks of several weapons are shared out together before any save is rolled.
    """
    done = Resolution()
    waiting: dict[str, int] = {step.name: 0 for step in volley.steps} | {packet.name: 0 for packet in volley.packets}
    for dice in volley.dice:
        done.attacks += yield from _amounts(host, dice.each, dice.weapons, "attacks", volley.rules)
    for emit in volley.entry:
        waiting[emit.to] += yield from _amounts(host, emit.count, done.attacks, "entry-amount", volley.rules)
    for step in volley.steps:
        if waiting[step.name]:
            yield from _step(step, waiting, host, done)
    done.packets = {packet.name: waiting[packet.name] for packet in volley.packets}
    return done


def _amounts(host: Host, each: Amount, tokens: int, purpose: str, rules: tuple[str, ...]) -> Procedure[int]:
    """The sum of an amount that each of so many tokens has, rolled for each of them in one throw."""
    if not each.dice.is_random or not tokens:
        return each.values[0] * tokens if tokens else 0
    roll, totals = yield from _thrown(host, each.dice, tokens, purpose)
    number = sum(each.value(total) for total in totals)
    host.explain(
        Explanation(purpose, roll, (("sum", number),), label=each.printed, modifiers=each.modifiers, rules=rules)
    )
    return number


def _thrown(
    host: Host,
    dice: DiceExpression,
    tokens: int,
    purpose: str,
    permission: RerollPermission | None = None,
    names: Callable[[int, RerollWhich], bool] = lambda total, which: False,
) -> Procedure[tuple[Roll, list[int]]]:
    """Throw for so many tokens, let the host have some thrown again, and return the roll and each token's total."""
    each = dice.count
    roll = host.roll(tokens * each, dice.sides, purpose)
    totals = _totals(dice, roll.faces)
    within = rerolls_within(permission) if permission else ()
    classes = {which: tuple(i for i, total in enumerate(totals) if names(total, which)) for which in within}
    again = yield from host.rerolls(Throw(purpose, roll, each, permission, classes))
    if again:
        roll = _thrown_again(host, roll, each, again)
        if more := (yield from host.rerolls(Throw(purpose, roll, each, None, {}))):
            roll = _thrown_again(host, roll, each, more)
        totals = _totals(dice, roll.unmodified)
    return roll, totals


def _thrown_again(host: Host, roll: Roll, each: int, again: Sequence[Again]) -> Roll:
    """The roll with the chosen dice thrown again, in one throw, in the order of the dice."""
    done = {reroll.index for reroll in roll.rerolls}
    places: dict[int, str] = {}
    for choice in again:
        for die in range(each) if choice.die is None else (choice.die,):
            at = choice.token * each + die
            assert at not in done | places.keys(), "a die is thrown again once at most"
            places[at] = choice.rule
    second = host.roll(len(places), roll.sides, f"{roll.purpose}-reroll")
    return roll.with_rerolls(
        [Reroll(at, roll.faces[at], now, places[at]) for at, now in zip(sorted(places), second.faces, strict=True)]
    )


def _totals(dice: DiceExpression, faces: Sequence[int]) -> list[int]:
    if dice.count == 1:
        return [face + dice.bonus for face in faces]
    return [sum(faces[i : i + dice.count]) + dice.bonus for i in range(0, len(faces), dice.count)]


def _step(step: Step, waiting: dict[str, int], host: Host, done: Resolution) -> Procedure[None]:
    """Throw for every token at a step and hand on what their outcomes emit."""
    roll, totals = yield from _thrown(host, step.dice, waiting[step.name], step.name, step.reroll, step.is_rerolled)
    counts = [0] * len(step.outcomes)
    for total in totals:
        counts[step.by_total[total - step.dice.minimum]] += 1
    found = tuple((outcome.name, n) for outcome, n in zip(step.outcomes, counts, strict=True))
    done.outcomes[step.name] = dict(found)
    host.explain(
        Explanation(
            step.name,
            roll.with_modifiers(step.modifiers) if step.modifiers else roll,
            found,
            needed=step.needed,
            modifiers=step.modifiers,
            rules=step.rules + tuple(r for o, n in zip(step.outcomes, counts, strict=True) if n for r in o.rules),
        )
    )
    for outcome, count in zip(step.outcomes, counts, strict=True):
        if not count:
            continue
        yield from _emit(outcome.emits, count, outcome.name, outcome.rules, waiting, host)
        if outcome.choice is not None:
            ways = yield from host.choose(outcome.choice, count)
            assert sum(ways) == count, "every attack goes one way"
            assert min(ways) >= 0, "no alternative is taken less than never"
            for way, n in zip(outcome.choice.alternatives, ways, strict=True):
                yield from _emit(way.emits, n, outcome.name, way.rules, waiting, host)


def _emit(
    emits: tuple[Emit, ...], count: int, name: str, rules: tuple[str, ...], waiting: dict[str, int], host: Host
) -> Procedure[None]:
    for emit in emits:
        waiting[emit.to] += yield from _amounts(host, emit.count, count, f"{name}-amount", rules)


def _stage(volley: Volley, present: list[tuple[Packet, int]], host: Host, done: Resolution) -> Procedure[None]:
    """Deal with all packets of one stage."""
    if not present:
        return
    order: Sequence[int] = range(len(present))
    if len(present) > 1:
        order = yield from host.order_pools(present)
        assert sorted(order) == list(range(len(present))), "every pool comes once"
    present = [present[i] for i in order]
    if volley.target.allocation is Allocation.EVEN:
        shares = yield from host.deal(present)
        for (packet, count), row in zip(present, shares, strict=True):
            assert sum(row) in (0, count), "every packet goes to one group"
            yield from host.order_groups(packet, count)
            for group, share in enumerate(row):
                yield from _share(volley, packet, group, share, host, done)
        return
    for packet, count in present:
        yield from host.order_groups(packet, count)
        tables = save_tables(volley, packet)
        if not tables:
            yield from _unsaved_pool(volley, packet, count, host, done)
        elif volley.target.allocation is Allocation.SORTED or are_alike(tables):
            yield from _sorted_pool(volley, packet, tables, count, host, done)
        else:
            for _ in range(count):
                yield from _sorted_pool(volley, packet, tables, 1, host, done)


def roll_saves(packet: Packet, table: SaveTable, count: int, host: Host) -> Procedure[list[int]]:
    """The save dice of one packet or more, rolled against one table; the faces after re-rolls, lowest first."""
    roll, faces = yield from _thrown(
        host,
        D6,
        count,
        "save",
        table.reroll,
        lambda face, which: is_save_rerolled(table, face, which),
    )
    failed = sum(not table.stops[face - 1] for face in faces)
    host.explain(
        Explanation(
            "save",
            roll.with_modifiers(table.modifiers) if table.modifiers else roll,
            (("stopped", count - failed), ("failed", failed)),
            needed=next((face for face in range(1, 7) if all(table.stops[face - 1 :])), None),
            label=table.label,
            modifiers=table.modifiers,
            rules=packet.rules + table.rules,
        )
    )
    return sorted(faces)


def _sorted_pool(
    volley: Volley, packet: Packet, tables: Sequence[SaveTable], count: int, host: Host, done: Resolution
) -> Procedure[None]:
    """All save dice at once, then from the lowest to the highest against the group that is current then.

    Re-rolls act on the dice before they are sorted, as the group allows that is current when they are thrown.
    """
    group = host.current_group()
    if group is None:
        return
    faces = yield from roll_saves(packet, tables[group], count, host)
    for face in faces:
        group = host.current_group()
        if group is None:
            return
        if not tables[group].stops[face - 1]:
            done.unsaved[packet.name] += 1
            yield from _arrive(volley, packet, group, host, done)


def _unsaved_pool(volley: Volley, packet: Packet, count: int, host: Host, done: Resolution) -> Procedure[None]:
    for _ in range(count):
        group = host.current_group()
        if group is None:
            return
        done.unsaved[packet.name] += 1
        yield from _arrive(volley, packet, group, host, done)


def _share(volley: Volley, packet: Packet, group: int, share: int, host: Host, done: Resolution) -> Procedure[None]:
    """A group's own share of the packets: it saves them and bears them; what it cannot bear is lost."""
    tables = save_tables(volley, packet)
    failed = share
    if tables and share:
        faces = yield from roll_saves(packet, tables[group], share, host)
        failed = sum(not tables[group].stops[face - 1] for face in faces)
    for _ in range(failed):
        if (model := (yield from host.select_model(group))) is None:
            return
        done.unsaved[packet.name] += 1
        yield from _suffer(volley, packet, group, model, host, done)


def _arrive(volley: Volley, packet: Packet, group: int, host: Host, done: Resolution) -> Procedure[None]:
    model = yield from host.select_model(group)
    if model is not None:
        yield from _suffer(volley, packet, group, model, host, done)


def _suffer(volley: Volley, packet: Packet, group: int, model: int, host: Host, done: Resolution) -> Procedure[None]:
    """An effect, or damage rolled for this packet, on a model and, where the packet spills, on those after it."""
    if packet.effect is not None:
        done.effects[packet.effect] = done.effects.get(packet.effect, 0) + 1
        yield from host.suffer_effect(model, packet)
        return
    damage = packet.damage.values[0]
    if packet.damage.dice.is_random:
        damage = yield from _damage_roll(packet, model, host)
    if not packet.spills:
        lost = yield from _feel_no_pain(volley, packet, group, model, damage, host)
        done.damage += yield from host.lose_wounds(model, lost, packet)
        return
    at: int | None = group
    while damage > 0 and at is not None:
        taker = yield from host.select_model(at)
        if taker is None:
            return
        part = min(damage, host.remaining(taker))
        lost = yield from _feel_no_pain(volley, packet, at, taker, part, host)
        done.damage += yield from host.lose_wounds(taker, lost, packet)
        damage -= part
        if volley.target.allocation is not Allocation.EVEN:
            at = host.current_group()


def _damage_roll(packet: Packet, model: int, host: Host) -> Procedure[int]:
    roll, totals = yield from _thrown(
        host,
        packet.damage.dice,
        1,
        "damage",
        packet.reroll_damage,
        lambda total, which: is_damage_rerolled(packet.damage, total, which),
    )
    damage = packet.damage.value(totals[0])
    host.explain(
        Explanation(
            "damage",
            roll,
            (("damage", damage),),
            label=packet.damage.printed,
            modifiers=packet.damage.modifiers,
            rules=packet.rules,
            model=model,
        )
    )
    return damage


def _feel_no_pain(volley: Volley, packet: Packet, group: int, model: int, wounds: int, host: Host) -> Procedure[int]:
    """How many of the wounds about to be lost are lost: one die for each, thrown before the model's own limit."""
    target = volley.target.groups[group]
    threshold = kept_on(volley, packet, group)
    if threshold is None or wounds <= 0:
        return max(wounds, 0)
    roll, faces = yield from _thrown(host, D6, wounds, "feel-no-pain")
    kept = sum(face >= threshold for face in faces)
    host.explain(
        Explanation(
            "feel-no-pain",
            roll,
            (("kept", kept), ("lost", wounds - kept)),
            needed=threshold,
            label=packet.name,
            rules=target.feel_no_pain_rules,
            model=model,
        )
    )
    return wounds - kept
