"""Exact odds where wounds are dealt out evenly before any save is rolled (:attr:`Allocation.EVEN`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from battlewright.attacks.chains import Space, Transition, kept_chance, lost_wounds, space_of
from battlewright.attacks.choices import deal_evenly, kept_on, pools, save_tables
from battlewright.attacks.description import Group, Packet, Policy, Volley
from battlewright.attacks.tokens import (
    BITS,
    Floats,
    Poly,
    attack_poly,
    count_array,
    count_tensor,
    damage_weights,
    fail_chance,
)

__all__ = ["deal_out"]


def deal_out(
    volley: Volley, policy: Policy, choices: Mapping[str, str], space: Space, state: Floats
) -> tuple[Floats, dict[str, float]]:
    """The states after a volley whose packets are dealt out evenly, and the failed saves of each kind.

    Given how many packets of each kind there are, the groups fare independently of each other.
    """
    kinds = [packet for packet in pools(volley) if packet.effect is None]
    if not kinds:
        return state, {}
    packets: dict[str, Poly] = {packet.name: {0: 1.0} for packet in volley.packets}
    packets |= {packet.name: {1 << BITS * i: 1.0} for i, packet in enumerate(kinds)}
    poly = attack_poly(volley, packets, policy, choices)
    counts = count_array(volley, poly) if len(kinds) == 1 else count_tensor(volley, poly, len(kinds), 2**62)
    assert counts is not None
    shares = _Shares(volley, policy, kinds)
    values = np.multiply.outer(counts, state)
    done = 0
    for _, stage in groupby(kinds, key=lambda packet: packet.stage):
        size = len(list(stage))
        values = shares.stage(values, list(range(done, done + size)), space)
        done += size
    return values, shares.failed


class _Shares:
    """What so many packets of each kind do to each group alone."""

    def __init__(self, volley: Volley, policy: Policy, kinds: Sequence[Packet]) -> None:
        self.groups = volley.target.groups
        self.kinds = kinds
        self.failed = {packet.name: 0.0 for packet in kinds}
        self._chances: list[list[float]] = []
        self._moves: list[list[Transition]] = []
        for packet in kinds:
            tables = save_tables(volley, packet)
            fails = []
            moves = []
            for number, group in enumerate(self.groups):
                fail = fail_chance(tables[number], policy) if tables else 1.0
                fails.append(fail)
                moves.append(_move(packet, group, kept_on(volley, packet, number), policy, fail))
            self._chances.append(fails)
            self._moves.append(moves)
        self._known: dict[tuple[int, int, tuple[int, ...]], Floats] = {}

    def stage(self, values: Floats, kinds: Sequence[int], space: Space) -> Floats:
        """Deal out the packets of one stage; its kinds are the first axes of ``values``, the states the last."""
        shape = values.shape[: len(kinds)]
        rest = values.shape[len(kinds) : -1]
        flat = values.reshape(*shape, -1, values.shape[-1])
        done = np.zeros((flat.shape[-2], flat.shape[-1]))
        for start in np.flatnonzero(flat.reshape(-1, flat.shape[-1]).any(axis=0)):
            removed = space.removed[start]
            living = [len(g.remaining) - int(n) for g, n in zip(self.groups, space.slain[start], strict=True)]
            for numbers in np.ndindex(*shape):
                mass = flat[(*numbers, slice(None), start)]
                if not mass.any():
                    continue
                rows = deal_evenly(numbers, living)
                after = np.ones(1)
                for group in range(len(self.groups)):
                    share = tuple(row[group] for row in rows)
                    after = np.multiply.outer(after, self._alone(group, int(removed[group]), kinds, share)).ravel()
                    for kind, count in zip(kinds, share, strict=True):
                        self.failed[self.kinds[kind].name] += float(mass.sum()) * count * self._chances[kind][group]
                done += np.multiply.outer(mass, _into(after, space))
        return done.reshape(*rest, values.shape[-1])

    def _alone(self, group: int, removed: int, kinds: Sequence[int], share: tuple[int, ...]) -> Floats:
        """Probabilities of the wounds removed from one group after its share."""
        key = (group, removed, (kinds[0], *share))
        if key not in self._known:
            state = np.zeros(sum(self.groups[group].remaining) + 1)
            state[removed] = 1.0
            for kind, count in zip(kinds, share, strict=True):
                for _ in range(count):
                    state = state @ self._moves[kind][group].matrix
            self._known[key] = state
        return self._known[key]


def _into(after: Floats, space: Space) -> Floats:
    """Probabilities over the product of all groups' states, as a vector over the space."""
    sizes = [wounds + 1 for wounds in space.wounds]
    return np.asarray(after.reshape(sizes)[tuple(space.removed.T)])


def _move(packet: Packet, group: Group, threshold: int | None, policy: Policy, fail: float) -> Transition:
    """What one packet does to a group alone, its save worked in."""
    space = space_of((group.remaining,), ((0,),), ((0,),))
    damage = damage_weights(packet, policy)
    if packet.spills:
        whole = space.spill((0,), tuple(sorted(damage.items())), (1.0 - kept_chance(threshold),))
        return Transition(whole.matrix * fail + np.eye(len(space)) * (1.0 - fail), None, False)
    return space.blow((0,), (tuple(fail * p for p in lost_wounds(damage, group, threshold)[1:]),))
