"""Which dice are thrown again, and how wounds are dealt out: judgements that all three readers share.

Where nothing is critical (saves, damage), :attr:`RerollWhich.NONCRITICAL` names every die; a damage roll "fails" when
it is below its mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.attacks.description import (
    Amount,
    Packet,
    Policy,
    RerollPermission,
    RerollWhich,
    SaveTable,
    Volley,
)

__all__ = [
    "are_alike",
    "deal_evenly",
    "is_damage_rerolled",
    "is_save_rerolled",
    "kept_on",
    "pools",
    "reroll_class",
    "rerolls_within",
    "save_tables",
]

_WIDENING = tuple(RerollWhich)
"""From the narrowest class to the widest; each holds the ones before it."""


def rerolls_within(permission: RerollPermission | None) -> tuple[RerollWhich, ...]:
    """The classes that a permission reaches, narrowest first, ``NONE`` included."""
    widest = permission.widest if permission else RerollWhich.NONE
    return _WIDENING[: _WIDENING.index(widest) + 1]


def reroll_class(policy: Policy, name: str, permission: RerollPermission | None) -> RerollWhich:
    """The class a policy throws again at a step (or ``"save"``, ``"damage"``): what it names, within the permission."""
    if permission is None:
        return RerollWhich.NONE
    wanted = policy.rerolls.get(name, RerollWhich.FAILURES)
    return min(wanted, permission.widest, key=_WIDENING.index)


def is_save_rerolled(table: SaveTable, face: int, which: RerollWhich) -> bool:
    """Whether a save die of this face is among those that ``which`` names."""
    match which:
        case RerollWhich.NONE:
            return False
        case RerollWhich.ONES:
            return face == 1
        case RerollWhich.FAILURES:
            return not table.stops[face - 1]
        case RerollWhich.NONCRITICAL | RerollWhich.ALL:
            return True


def is_damage_rerolled(damage: Amount, total: int, which: RerollWhich) -> bool:
    """Whether a damage roll of this total is among those that ``which`` names."""
    match which:
        case RerollWhich.NONE:
            return False
        case RerollWhich.ONES:
            return total == damage.dice.minimum
        case RerollWhich.FAILURES:
            weights = damage.weights()
            return damage.value(total) * sum(weights.values()) < sum(value * n for value, n in weights.items())
        case RerollWhich.NONCRITICAL | RerollWhich.ALL:
            return True


def save_tables(volley: Volley, packet: Packet) -> tuple[SaveTable, ...]:
    """The tables that stand against a packet, one per group; empty when nothing stands against it."""
    if not packet.saved:
        return ()
    return packet.saves if packet.saves is not None else volley.saves


def kept_on(volley: Volley, packet: Packet, group: int) -> int | None:
    """The lowest D6 that keeps a wound of a packet in one of the groups, None when nothing does."""
    return packet.keeps[group] if packet.keeps is not None else volley.target.groups[group].feel_no_pain


def are_alike(tables: Sequence[SaveTable]) -> bool:
    """Whether the same dice stop an attack, and may be thrown again, for every group."""
    return all(table.stops == tables[0].stops and table.reroll == tables[0].reroll for table in tables)


def pools(volley: Volley) -> tuple[Packet, ...]:
    """The packets in the order in which they are dealt with: by stage, then as written."""
    return tuple(sorted(volley.packets, key=lambda packet: packet.stage))


def deal_evenly(counts: Sequence[int], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Deal packets out in rounds: one to each model of the first group, then of the next, then again from the start.

    Args:
        counts: how many packets of each kind, dealt in this order.
        sizes: models of each group.

    Returns:
        For each kind how many go to each group; all zeros when there are no models.

    >>> deal_evenly([20], [6, 5])
    ((12, 8),)
    >>> deal_evenly([4, 4], [6, 5])
    ((4, 0), (2, 2))
    """
    models = sum(sizes)
    dealt = []
    start = 0
    for count in counts:
        end = start + count
        dealt.append(
            tuple(b - a for a, b in zip(_dealt(start, sizes, models), _dealt(end, sizes, models), strict=True))
        )
        start = end
    return tuple(dealt)


def _dealt(count: int, sizes: Sequence[int], models: int) -> list[int]:
    """How many of the first ``count`` packets go to each group."""
    if not models:
        return [0] * len(sizes)
    rounds, left = divmod(count, models)
    shares = []
    for size in sizes:
        part = min(size, left)
        left -= part
        shares.append(rounds * size + part)
    return shares
