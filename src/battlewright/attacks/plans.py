"""How the packets of a volley are laid out as axes for the exact reader; see :mod:`~battlewright.attacks.exact`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.attacks.chains import Order, Space, Transition, kept_chance, lost_wounds
from battlewright.attacks.choices import are_alike, kept_on, save_tables
from battlewright.attacks.description import Allocation, Packet, Policy, SaveTable, Target, Volley
from battlewright.attacks.tokens import BITS, Floats, Poly, damage_weights, fail_chance, save_faces

__all__ = ["Axis", "Band", "Pool", "axes_of", "order_of", "plan_pool"]


def order_of(target: Target, packet: Packet) -> Order:
    """The groups in the order in which packets of this kind take them: as described, the attacker's pick first."""
    order = list(range(len(target.groups)))
    if target.precision_group is not None and packet.keeps_group:
        order.remove(target.precision_group)
        order.insert(0, target.precision_group)
    return tuple(order)


@dataclass(frozen=True, slots=True)
class Band:
    """Save dice of some faces, or packets against which no save differs.

    Attributes:
        weight: probability that a packet of the pool is one of these.
        transition: what one does to the target.
        fails: for each state how many failed saves one counts for; None where that is known without the target.
    """

    weight: float
    transition: Transition
    fails: Floats | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """The packets of one kind: their bands from the lowest dice to the highest, for each group in front.

    Attributes:
        bands: one list when it does not matter who is in front, else one per group.
    """

    packet: Packet
    order: Order
    bands: tuple[tuple[Band, ...], ...]


@dataclass(slots=True)
class Axis:
    """One axis of the tensor: a band, or a whole pool that is worked through with the dice left."""

    packet: Packet
    band: Band | None
    pool: Pool | None = None


def plan_pool(volley: Volley, packet: Packet, policy: Policy, space: Space) -> Pool:
    """The pool of one kind of packet against the states of the volley's target."""
    target = volley.target
    order = order_of(target, packet)
    tables = save_tables(volley, packet)
    damage = damage_weights(packet, policy)
    fails = [1.0] * len(target.groups)
    if tables:
        fails = [fail_chance(table, policy) for table in tables]
        if target.allocation is Allocation.SORTED and not are_alike(tables):
            faces = [save_faces(table, policy) for table in tables]
            fronts = [faces[0]] if all(table.reroll is None for table in tables) else faces
            bands = tuple(
                tuple(
                    _band(packet, volley, damage, space, order, weight, failing)
                    for weight, failing in _faces_together(tables, front)
                )
                for front in fronts
            )
            return Pool(packet, order, bands)
    return Pool(packet, order, ((_band(packet, volley, damage, space, order, 1.0, fails, len(set(fails)) > 1),),))


def _faces_together(tables: Sequence[SaveTable], faces: Sequence[int]) -> list[tuple[float, list[float]]]:
    """Neighbouring faces that fail the same groups: their probability together, and 1 for each group that fails."""
    found: list[tuple[int, list[float]]] = []
    for face, cases in enumerate(faces):
        failing = [0.0 if table.stops[face] else 1.0 for table in tables]
        if found and found[-1][1] == failing:
            found[-1] = (found[-1][0] + cases, failing)
        else:
            found.append((cases, failing))
    return [(cases / 36, failing) for cases, failing in found if any(failing) and cases]


def _band(
    packet: Packet,
    volley: Volley,
    damage: dict[int, float],
    space: Space,
    order: Order,
    weight: float,
    fails: Sequence[float],
    is_counted: bool = True,
) -> Band:
    """A band whose packets hurt each group with its chance to fail; packets that hurt nobody are left out of it."""
    keeps = [kept_on(volley, packet, group) for group in range(len(volley.target.groups))]
    if packet.spills:
        # RULING: points of a packet that spills are saved together, by the group in front
        hurting = max(fails)
        transition = _spilling(keeps, damage, space, order, [f / hurting if hurting else 0.0 for f in fails])
    else:
        lost = [lost_wounds(damage, group, kept) for group, kept in zip(volley.target.groups, keeps, strict=True)]
        chances = [f * (1.0 - by[0]) for f, by in zip(fails, lost, strict=True)]
        hurting = max(chances)
        blows = tuple(
            tuple(p / (1.0 - by[0]) * (chance / hurting) for p in by[1:]) if chance else None
            for by, chance in zip(lost, chances, strict=True)
        )
        transition = space.blow(order, blows)
    counted = None
    if is_counted:
        share = [f / hurting if hurting else 0.0 for f in fails]
        counted = np.array([*share, share[order[-1]]])[space.current(order)]
    return Band(weight * hurting, transition, counted)


def _spilling(
    keeps: Sequence[int | None], damage: dict[int, float], space: Space, order: Order, fails: Sequence[float]
) -> Transition:
    loss = tuple(1.0 - kept_chance(threshold) for threshold in keeps)
    whole = space.spill(order, tuple(sorted(damage.items())), loss)
    if min(fails) == 1.0:
        return whole
    failing = np.array([*fails, 1.0])[space.current(order)][:, None]
    matrix = whole.matrix * failing + np.diag(1.0 - failing[:, 0])
    return Transition(matrix, None, False)


def axes_of(planned: Sequence[Pool], space: Space, state: Floats, *, whole: bool) -> tuple[list[Axis], dict[str, Poly]]:
    """The axes of a volley's pools, and what one packet of each kind is on them."""
    axes: list[Axis] = []
    packets: dict[str, Poly] = {}
    for pool in planned:
        bands = pool.bands[0]
        unclear = len(pool.bands) > 1
        if unclear and not axes:
            fronts = np.unique(space.current(pool.order)[(state > 0) & ~space.destroyed])
            if len(fronts) <= 1:
                bands = pool.bands[int(fronts[0]) if len(fronts) else 0]
                unclear = False
        if unclear or (whole and len(bands) > 1):
            axes.append(Axis(pool.packet, None, pool))
            packets[pool.packet.name] = {1 << BITS * (len(axes) - 1): 1.0}
            continue
        poly: Poly = {}
        for band in bands:
            if not band.weight:
                continue
            last = axes[-1].band if axes else None
            same = last is not None and last.transition is band.transition and last.fails is band.fails is None
            if not same:
                axes.append(Axis(pool.packet, band))
            key = 1 << BITS * (len(axes) - 1)
            poly[key] = poly.get(key, 0.0) + band.weight
        rest = 1.0 - sum(poly.values())
        if rest > 1e-15:
            poly[0] = rest
        packets[pool.packet.name] = poly
    return axes, packets
