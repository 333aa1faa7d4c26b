"""An attack worked through by the letter, every die face by face, in fractions: the slow twin of the exact odds.

It shares nothing with the readers but the description. A distribution is a dict from a value to a fraction; ``bind``
goes through all that may happen next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial
from typing import TypeVar

from battlewright.attacks.description import (
    Allocation,
    Amount,
    Outcome,
    Packet,
    Policy,
    RerollPermission,
    RerollWhich,
    SaveTable,
    Volley,
)

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)
Dist = dict[A, Fraction]
Models = tuple[tuple[int, ...], ...]
"""Wounds remaining of every model of every group; 0 for the slain."""

WIDTH = ["none", "ones", "failures", "noncritical", "all"]


def bind(dist: Dist[A], following: Callable[[A], Dist[B]]) -> Dist[B]:
    found: Dist[B] = {}
    for value, p in dist.items():
        for next_value, q in following(value).items():
            found[next_value] = found.get(next_value, Fraction(0)) + p * q
    return found


def mapped(dist: Dist[A], change: Callable[[A], B]) -> Dist[B]:
    return bind(dist, lambda value: {change(value): Fraction(1)})


def dice(count: int, sides: int) -> Dist[int]:
    total: Dist[int] = {0: Fraction(1)}
    for _ in range(count):
        total = bind(total, lambda so_far: {so_far + face: Fraction(1, sides) for face in range(1, sides + 1)})
    return total


def rolled(amount: Amount) -> Dist[int]:
    """Each throw of the amount's dice, as total with the bonus."""
    return mapped(dice(amount.dice.count, amount.dice.sides), lambda total: total + amount.dice.bonus)


def number(amount: Amount) -> Dist[int]:
    if amount.dice.count == 0:
        return {max(amount.values[0], 0): Fraction(1)}
    low = amount.dice.count + amount.dice.bonus
    return mapped(rolled(amount), lambda total: max(amount.values[total - low], 0))


def class_of(policy: Policy, name: str, permission: RerollPermission | None) -> str:
    if permission is None:
        return "none"
    wanted = policy.rerolls.get(name, RerollWhich.FAILURES)
    return WIDTH[min(WIDTH.index(wanted), WIDTH.index(permission.widest))]


def again(dist: Dist[A], is_again: Callable[[A], bool]) -> Dist[A]:
    """Thrown again once where it must be."""
    return bind(dist, lambda value: dist if is_again(value) else {value: Fraction(1)})


def add(counts: tuple[tuple[str, int], ...], to: str, n: int) -> tuple[tuple[str, int], ...]:
    found = dict(counts)
    found[to] = found.get(to, 0) + n
    return tuple(sorted(found.items()))


def arrivals(volley: Volley, policy: Policy, choices: dict[str, str]) -> Dist[tuple[tuple[str, int], ...]]:
    """How many packets of each kind reach the target, jointly."""
    attacks: Dist[int] = {0: Fraction(1)}
    for gathered in volley.dice:
        for _ in range(gathered.weapons):
            attacks = bind(attacks, lambda n, each=gathered.each: mapped(number(each), lambda more: n + more))  # type: ignore[misc]
    waiting: Dist[tuple[tuple[str, int], ...]] = {}

    def enter(n: int) -> Dist[tuple[tuple[str, int], ...]]:
        entered: Dist[tuple[tuple[str, int], ...]] = {(): Fraction(1)}
        for _ in range(n):
            for emit in volley.entry:
                entered = bind(entered, lambda c, e=emit: mapped(number(e.count), lambda k: add(c, e.to, k)))  # type: ignore[misc]
        return entered

    waiting = bind(attacks, enter)
    for step in volley.steps:
        which = class_of(policy, step.name, step.reroll)
        low = step.dice.count + step.dice.bonus

        def outcome(total: int, step=step, low=low) -> Outcome:  # type: ignore[no-untyped-def]
            return step.outcomes[step.by_total[total - low]]  # type: ignore[no-any-return]

        def is_again(total: int, outcome=outcome, low=low, which=which) -> bool:  # type: ignore[no-untyped-def]
            return {
                "none": False,
                "ones": total == low,
                "failures": not outcome(total).success,
                "noncritical": not outcome(total).critical,
                "all": True,
            }[which]

        faces = again(mapped(dice(step.dice.count, step.dice.sides), lambda t, s=step: t + s.dice.bonus), is_again)  # type: ignore[misc]

        def one(counts, faces=faces, outcome=outcome):  # type: ignore[no-untyped-def]
            def hand_on(total: int):  # type: ignore[no-untyped-def]
                found = outcome(total)
                emits = list(found.emits)
                if found.choice is not None:
                    emits += [
                        e
                        for way in found.choice.alternatives
                        if way.name == choices[found.choice.name]
                        for e in way.emits
                    ]
                after = {counts: Fraction(1)}
                for emit in emits:
                    after = bind(after, lambda c, e=emit: mapped(number(e.count), lambda k: add(c, e.to, k)))  # type: ignore[misc]
                return after

            return bind(faces, hand_on)

        def all_tokens(counts, step=step, one=one):  # type: ignore[no-untyped-def]
            tokens = dict(counts).get(step.name, 0)
            after = {tuple(pair for pair in counts if pair[0] != step.name): Fraction(1)}
            for _ in range(tokens):
                after = bind(after, one)
            return after

        waiting = bind(waiting, all_tokens)
    return waiting


# -- the target -------------------------------------------------------------------------------------------------------


def throws(count: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every unordered throw of so many D6, lowest first."""
    for faces in combinations_with_replacement(range(1, 7), count):
        ways = factorial(count)
        for n in Counter(faces).values():
            ways //= factorial(n)
        yield faces, Fraction(ways, 6**count)


def face_again(table: SaveTable, face: int, policy: Policy) -> bool:
    return {
        "none": False,
        "ones": face == 1,
        "failures": not table.stops[face - 1],
        "noncritical": True,
        "all": True,
    }[class_of(policy, "save", table.reroll)]


def save_dice(table: SaveTable, count: int, policy: Policy) -> Dist[tuple[int, ...]]:
    return _save_dice(tuple(face_again(table, face, policy) for face in range(1, 7)), count)


@lru_cache(maxsize=1000)
def _save_dice(is_again: tuple[bool, ...], count: int) -> Dist[tuple[int, ...]]:
    found: Dist[tuple[int, ...]] = {}
    for faces, p in throws(count):
        kept = [face for face in faces if not is_again[face - 1]]
        for second, q in throws(count - len(kept)):
            final = tuple(sorted([*kept, *second]))
            found[final] = found.get(final, Fraction(0)) + p * q
    return found


def front(models: Models, order: Iterable[int]) -> int | None:
    return next((group for group in order if any(models[group])), None)


def hurt(models: Models, group: int, wounds: int) -> Models:
    """The first living model of a group loses wounds, no more than it has."""
    row = list(models[group])
    for index, left in enumerate(row):
        if left:
            row[index] = max(left - wounds, 0)
            break
    return (*models[:group], tuple(row), *models[group + 1 :])


def lost_of(points: int, threshold: int | None) -> Dist[int]:
    if threshold is None:
        return {points: Fraction(1)}
    lost: Dist[int] = {0: Fraction(1)}
    for _ in range(points):
        lost = bind(
            lost,
            lambda n: mapped({face: Fraction(1, 6) for face in range(1, 7)}, lambda face: n + (face < threshold)),
        )
    return lost


def suffer(
    volley: Volley, packet: Packet, models: Models, group: int, order: tuple[int, ...], policy: Policy
) -> Dist[Models]:
    """One packet that nothing has stopped."""
    key = (packet.name, models, group, order)
    if key not in SUFFERED:
        SUFFERED[key] = _suffer(volley, packet, models, group, order, policy)
    return SUFFERED[key]


SUFFERED: dict[tuple[str, Models, int, tuple[int, ...]], Dist[Models]] = {}
"""What has been worked out for the volley at hand."""


def _suffer(
    volley: Volley, packet: Packet, models: Models, group: int, order: tuple[int, ...], policy: Policy
) -> Dist[Models]:
    low = packet.damage.dice.count + packet.damage.dice.bonus
    throw = rolled(packet.damage)
    mean = sum(p * packet.damage.values[total - low] for total, p in throw.items()) if packet.damage.dice.count else 0

    def is_again(total: int) -> bool:
        return {
            "none": False,
            "ones": total == low,
            "failures": packet.damage.values[total - low] < mean,
            "noncritical": True,
            "all": True,
        }[class_of(policy, "damage", packet.reroll_damage)]

    if packet.damage.dice.count:
        points = mapped(again(throw, is_again), lambda total: max(packet.damage.values[total - low], 0))
    else:
        points = {max(packet.damage.values[0], 0): Fraction(1)}

    def inflict(n: int) -> Dist[Models]:
        if not packet.spills:
            return mapped(lost_of(n, volley.target.groups[group].feel_no_pain), lambda lost: hurt(models, group, lost))
        after: Dist[Models] = {models: Fraction(1)}
        for _ in range(n):

            def point(now: Models) -> Dist[Models]:
                at = front(now, order)
                if at is None:
                    return {now: Fraction(1)}
                return mapped(lost_of(1, volley.target.groups[at].feel_no_pain), lambda lost: hurt(now, at, lost))

            after = bind(after, point)
        return after

    return bind(points, inflict)


def pool(volley: Volley, packet: Packet, count: int, models: Models, policy: Policy) -> Dist[Models]:
    target = volley.target
    order = tuple(range(len(target.groups)))
    if target.precision_group is not None and packet.keeps_group:
        order = (target.precision_group, *(group for group in order if group != target.precision_group))
    tables = (packet.saves if packet.saves is not None else volley.saves) if packet.saved else ()
    now: Dist[Models] = {models: Fraction(1)}
    if not tables:
        for _ in range(count):
            now = bind(now, lambda m: _next(volley, packet, m, order, policy))
        return now
    if target.allocation is Allocation.IN_ORDER:
        for _ in range(count):
            now = bind(now, lambda m: _sorted(volley, packet, 1, m, order, tables, policy))
        return now
    return _sorted(volley, packet, count, models, order, tables, policy)


def _next(volley: Volley, packet: Packet, models: Models, order: tuple[int, ...], policy: Policy) -> Dist[Models]:
    group = front(models, order)
    return {models: Fraction(1)} if group is None else suffer(volley, packet, models, group, order, policy)


def _sorted(
    volley: Volley,
    packet: Packet,
    count: int,
    models: Models,
    order: tuple[int, ...],
    tables: tuple[SaveTable, ...],
    policy: Policy,
) -> Dist[Models]:
    first = front(models, order)
    if first is None:
        return {models: Fraction(1)}

    def work(faces: tuple[int, ...]) -> Dist[Models]:
        now: Dist[Models] = {models: Fraction(1)}
        for face in faces:

            def die(m: Models, face: int = face) -> Dist[Models]:
                group = front(m, order)
                if group is None or tables[group].stops[face - 1]:
                    return {m: Fraction(1)}
                return suffer(volley, packet, m, group, order, policy)

            now = bind(now, die)
        return now

    return bind(save_dice(tables[first], count, policy), work)


def evenly(volley: Volley, present: list[tuple[Packet, int]], models: Models, policy: Policy) -> Dist[Models]:
    """Dealt round by round, one to each living model, group after group; each group saves and bears its own."""
    seats = [group for group, row in enumerate(models) for left in row if left]
    now: Dist[Models] = {models: Fraction(1)}
    if not seats:
        return now
    seat = 0
    for packet, count in present:
        shares: Counter[int] = Counter()
        for _ in range(count):
            shares[seats[seat % len(seats)]] += 1
            seat += 1
        tables = (packet.saves if packet.saves is not None else volley.saves) if packet.saved else ()
        for group, share in sorted(shares.items()):
            for _ in range(share):

                def one(m: Models, packet: Packet = packet, group: int = group, tables=tables) -> Dist[Models]:  # type: ignore[no-untyped-def]
                    if not any(m[group]):
                        return {m: Fraction(1)}
                    if not tables:
                        return suffer(volley, packet, m, group, (group,), policy)
                    return bind(
                        save_dice(tables[group], 1, policy),
                        lambda faces: (
                            {m: Fraction(1)}
                            if tables[group].stops[faces[0] - 1]
                            else suffer(volley, packet, m, group, (group,), policy)
                        ),
                    )

                now = bind(now, one)
    return now


def literally(
    volley: Volley,
    policy: Policy | None = None,
    choices: dict[str, str] | None = None,
    start: Dist[Models] | None = None,
) -> Dist[Models]:
    """What may be left of the target after a volley."""
    SUFFERED.clear()
    policy = policy or Policy()
    models = start or {tuple(group.remaining for group in volley.target.groups): Fraction(1)}
    arriving = arrivals(volley, policy, choices or {})
    stages = sorted({packet.stage for packet in volley.packets})

    known: dict[tuple[str, int, Models], Dist[Models]] = {}

    def pooled(packet: Packet, n: int, before: Models) -> Dist[Models]:
        key = (packet.name, n, before)
        if key not in known:
            known[key] = pool(volley, packet, n, before, policy)
        return known[key]

    def allocate(counts: tuple[tuple[str, int], ...], now: Dist[Models]) -> Dist[Models]:
        for stage in stages:
            present = [(p, dict(counts).get(p.name, 0)) for p in volley.packets if p.stage == stage]
            present = [(p, n) for p, n in present if n and p.effect is None]
            if volley.target.allocation is Allocation.EVEN:
                now = bind(now, lambda m, k=present: evenly(volley, k, m, policy))  # type: ignore[misc]
            else:
                for packet, n in present:
                    now = bind(now, lambda m, k=packet, n=n: pooled(k, n, m))  # type: ignore[misc]
        return now

    return bind(arriving, lambda counts: allocate(counts, models))
