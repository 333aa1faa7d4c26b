"""A target as a chain of states: where the wounds of its groups stand, and where one packet takes them.

A state is how many wounds have been removed from each group, along the order in which its models are lost. Packets
only ever move a target forward. When all packets take the groups in one order, the states form a single line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.description import Group
from battlewright.attacks.tokens import Floats, binomial

__all__ = ["Blow", "Order", "Space", "Transition", "kept_chance", "lost_wounds", "space_of"]

Ints: TypeAlias = NDArray[np.int64]
Order: TypeAlias = tuple[int, ...]
"""Groups in the order in which a packet takes them."""
Blow: TypeAlias = tuple[float, ...]
"""Probabilities that one packet takes 1, 2, ... wounds from a group's model; what is missing to 1 takes none."""


def kept_chance(threshold: int | None) -> float:
    """The probability that Feel No Pain keeps a wound."""
    return 0.0 if threshold is None else min(max(7 - threshold, 0), 6) / 6


@lru_cache(maxsize=1024)
def _lost(points: int, threshold: int) -> tuple[float, ...]:
    return tuple(binomial(points, 1.0 - kept_chance(threshold)).tolist())


def lost_wounds(damage: dict[int, float], group: Group, threshold: int | None) -> tuple[float, ...]:
    """The probabilities that one packet takes 0, 1, ..., W wounds from an unhurt model of a group.

    Feel No Pain is rolled for every point of the damage, and only then the rest is limited by what a model has.

    Args:
        threshold: the lowest D6 that keeps a wound.
    """
    found = [0.0] * (group.wounds + 1)
    for points, p in damage.items():
        if threshold is None:
            found[min(points, group.wounds)] += p
        else:
            for lost, q in enumerate(_lost(points, threshold)):
                found[min(lost, group.wounds)] += p * q
    return tuple(found)


@dataclass(frozen=True, eq=False, slots=True)
class Transition:
    """What one packet does to every state.

    Attributes:
        matrix: probabilities from state to state (rows to columns).
        following: the one state that follows each, where nothing is left to chance; else None.
        always_hurts: whether each packet takes at least one wound until the target is destroyed.
    """

    matrix: Floats
    following: Ints | None
    always_hurts: bool


class Space:
    """All states that a target can come to.

    Attributes:
        removed: wounds removed from each group in each state (shape states, groups), the start first.
        slain: models slain of each group in each state (same shape).
        wounds: wounds that each group has to lose.
        destroyed: for each state whether nobody is left.
    """

    def __init__(self, groups: Sequence[tuple[int, ...]], orders: Sequence[Order], starts: Sequence[Order]) -> None:
        self.wounds = [sum(remaining) for remaining in groups]
        self._bounds = [np.cumsum((0, *remaining)) for remaining in groups]
        self._strides = [1] * len(groups)
        for group in range(len(groups) - 2, -1, -1):
            self._strides[group] = self._strides[group + 1] * (self.wounds[group + 1] + 1)
        reached = _reach(self.wounds, orders, starts)
        self.removed: Ints = np.array(reached, dtype=np.int64).reshape(len(reached), len(groups))
        self._codes: Ints = self.removed @ np.array(self._strides, dtype=np.int64)
        self.slain: Ints = np.empty_like(self.removed)
        self._ends: Ints = np.empty_like(self.removed)
        for group, bounds in enumerate(self._bounds):
            taken = self.removed[:, group]
            self.slain[:, group] = np.searchsorted(bounds, taken, side="right") - 1
            self._ends[:, group] = bounds[np.minimum(self.slain[:, group] + 1, len(bounds) - 1)]
        self.destroyed = (self.removed == np.array(self.wounds, dtype=np.int64)).all(axis=1)
        self.damage: Ints = self.removed.sum(axis=1)
        self.models: Ints = self.slain.sum(axis=1)
        self._transitions: dict[object, Transition] = {}
        self._current: dict[Order, Ints] = {}

    def __len__(self) -> int:
        return len(self._codes)

    def index(self, removed: Sequence[int]) -> int:
        """The number of a state.

        Raises:
            KeyError: when the target cannot come to it.
        """
        code = sum(taken * stride for taken, stride in zip(removed, self._strides, strict=True))
        at = int(np.searchsorted(self._codes, code))
        if at == len(self._codes) or self._codes[at] != code:
            raise KeyError(tuple(removed))
        return at

    def current(self, order: Order) -> Ints:
        """The group that is current in each state; -1 when the order has nobody left."""
        found = self._current.get(order)
        if found is None:
            found = np.full(len(self), -1)
            for group in reversed(order):
                found[self.removed[:, group] < self.wounds[group]] = group
            self._current[order] = found
        return found

    def blow(self, order: Order, blows: tuple[Blow | None, ...]) -> Transition:
        """One packet that stays with one model; ``blows`` has one entry per group, None where it does nothing."""
        key = (order, blows)
        if key not in self._transitions:
            self._transitions[key] = self._blow(order, blows)
        return self._transitions[key]

    def _blow(self, order: Order, blows: tuple[Blow | None, ...]) -> Transition:
        current = self.current(order)
        matrix = np.zeros((len(self), len(self)))
        for group in order:
            blow = blows[group]
            states = np.flatnonzero(current == group)
            if blow is None or not len(states):
                continue
            left = self._ends[states, group] - self.removed[states, group]
            for lost, p in enumerate(blow, 1):
                if p:
                    code = self._codes[states] + np.minimum(left, lost) * self._strides[group]
                    matrix[states, np.searchsorted(self._codes, code)] += p
        return self._finish(matrix)

    def spill(self, order: Order, points: tuple[tuple[int, float], ...], loss: tuple[float, ...]) -> Transition:
        """One packet of points that go on from model to model; ``loss`` is each group's chance to lose a point."""
        key = (order, points, loss)
        if key not in self._transitions:
            one = self.blow(order, tuple((p,) for p in loss)).matrix
            matrix = np.zeros_like(one)
            power = np.eye(len(self))
            chances = dict(points)
            for n in range(
                min(max(chances), int(self.damage[-1])) + 1 if not any(map(_partial, loss)) else max(chances) + 1
            ):
                matrix += chances.pop(n, 0.0) * power
                power = power @ one
            matrix += sum(chances.values()) * power
            self._transitions[key] = self._finish(matrix, complete=True)
        return self._transitions[key]

    def _finish(self, matrix: Floats, complete: bool = False) -> Transition:
        diagonal = np.einsum("ii->i", matrix)
        if not complete:
            missing = 1.0 - matrix.sum(axis=1)
            diagonal += np.where(np.abs(missing) < 1e-14, 0.0, missing)
        hurts = not diagonal[~self.destroyed].any()
        following = matrix.argmax(axis=1) if (matrix.max(axis=1) == 1.0).all() else None
        return Transition(matrix, following, hurts)


def _partial(p: float) -> bool:
    return 0.0 < p < 1.0


def _reach(wounds: Sequence[int], orders: Sequence[Order], starts: Sequence[Order]) -> list[Order]:
    """Every state that single wounds can lead to, in ascending order."""
    found = set(starts)
    ahead = list(starts)
    while ahead:
        state = ahead.pop()
        for order in orders:
            for group in order:
                if state[group] < wounds[group]:
                    following = (*state[:group], state[group] + 1, *state[group + 1 :])
                    if following not in found:
                        found.add(following)
                        ahead.append(following)
                    break
    return sorted(found)


@lru_cache(maxsize=256)
def space_of(groups: tuple[tuple[int, ...], ...], orders: tuple[Order, ...], starts: tuple[Order, ...]) -> Space:
    """The states of a target whose groups have models of so many wounds remaining; the same ones are shared.

    Args:
        groups: wounds remaining of each model of each group, in the order of loss.
        orders: every order in which packets take the groups.
        starts: wounds already removed from each group, where the packets may begin.
    """
    return Space(groups, orders, starts)
