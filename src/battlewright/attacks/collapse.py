"""Taking the exact reader's tensor axis by axis through the states of a target; see :mod:`~battlewright.attacks.exact`.

Arrays here have one axis per :class:`~battlewright.attacks.plans.Axis` still to come, and the states as the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.chains import Space
from battlewright.attacks.description import Packet
from battlewright.attacks.plans import Axis, Band, Pool
from battlewright.attacks.tokens import Floats, binomial

__all__ = ["collapse", "gather"]

_TAIL = 1e-17
_SMALL_PRODUCT = 250_000
"""Multiplications up to which a matrix product stays on one thread; larger ones wait for others on a busy machine."""


def gather(places: NDArray[np.int64] | list[int], weights: Floats, length: int) -> Floats:
    """The sum of the weights at each place."""
    return np.asarray(np.bincount(places, weights, length), dtype=np.float64)


def _product(a: Floats, b: Floats) -> Floats:
    """The product of two matrices, in pieces small enough for one thread."""
    rows = max(_SMALL_PRODUCT // (a.shape[1] * b.shape[1]), 1)
    if len(a) <= rows:
        return np.asarray(a @ b)
    return np.concatenate([a[start : start + rows] @ b for start in range(0, len(a), rows)])


def collapse(counts: Floats, axes: Sequence[Axis], space: Space, state: Floats, failed: dict[str, float]) -> Floats:
    """The states after everything that ``counts`` (one axis each) counts.

    Args:
        failed: gets the expected failed saves of each kind of packet whose saves depend on who is in front.
    """
    first = axes[0]
    if first.band is None:
        values = _pool_first(counts, first, space, state, failed)
    else:
        values = _first(_saturated(counts, first, space), first, state, failed)
    for axis in axes[1:]:
        if axis.band is None:
            values = _pool_later(values, axis, space, failed)
        else:
            values = _horner(_saturated(values, axis, space), axis.band, axis.packet, failed)
    return values


def _saturated(values: Floats, axis: Axis, space: Space) -> Floats:
    """Count no further along the first axis than the target has wounds to lose, where each packet takes one."""
    assert axis.band is not None
    most = sum(space.wounds)
    if axis.band.fails is not None or not axis.band.transition.always_hurts or len(values) <= most + 1:
        return values
    kept = values[: most + 1].copy()
    kept[most] += values[most + 1 :].sum(axis=0)
    return kept


def _first(counts: Floats, axis: Axis, state: Floats, failed: dict[str, float]) -> Floats:
    """The sum over n of ``counts[n, ...] * state @ transition**n``: every other axis, then the states."""
    assert axis.band is not None
    following = axis.band.transition.following
    if following is not None and axis.band.fails is None and np.count_nonzero(state) == 1:
        at = int(np.flatnonzero(state)[0])
        visited = [at]
        for _ in range(len(counts) - 1):
            at = int(following[at])
            visited.append(at)
        if counts.ndim == 1:
            return gather(visited, counts * state.sum(), len(state))
        values: Floats = np.zeros((*counts.shape[1:], len(state)))
        for n, at in enumerate(visited):
            values[..., at] += counts[n]
        return np.asarray(values * state.sum())
    if counts.ndim == 1:
        return _horner(counts[:, None] * state, axis.band, axis.packet, failed)
    rows = _rows(state, axis.band, len(counts))
    if axis.band.fails is not None:
        at_least = counts.reshape(len(counts), -1).sum(axis=1)[::-1].cumsum()[::-1]
        _add(failed, axis.packet, float(at_least[1:] @ (rows[:-1] @ axis.band.fails)))
    flat = counts.reshape(len(counts), -1)
    return _product(flat.T, rows).reshape(*counts.shape[1:], len(state))


def _rows(state: Floats, band: Band, length: int) -> Floats:
    """``state @ transition**n`` for n from 0."""
    rows = np.empty((length, len(state)))
    rows[0] = state
    for n in range(1, length):
        np.dot(rows[n - 1], band.transition.matrix, out=rows[n])
    return rows


def _horner(values: Floats, band: Band, packet: Packet, failed: dict[str, float], mass: Floats | None = None) -> Floats:
    """The sum over n of ``values[n] @ transition**n``; ``mass`` weighs the rows of each where they are compressed."""
    matrix, fails = band.transition.matrix, band.fails
    total: Floats = values[-1]
    found = 0.0
    for n in range(len(values) - 2, -1, -1):
        if fails is not None:
            each = total @ fails
            found += float(each.sum() if mass is None else each @ mass)
        total = _product(total, matrix) if total.ndim == 2 else total @ matrix
        total += values[n]
    if fails is not None:
        _add(failed, packet, found)
    return total


# -- whole pools ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _binomials(most: int, chance: float) -> tuple[Floats, Floats]:
    """For 0 to ``most`` dice (rows) the probability of each number that succeed, and of at least each."""
    table = np.zeros((most + 1, most + 1))
    for dice in range(most + 1):
        table[dice, : dice + 1] = binomial(dice, chance)
    at_least = table[:, ::-1].cumsum(axis=1)[:, ::-1]
    return table, at_least


def _likely(values: Floats, at_least: Floats) -> int:
    """How many numbers of dice used in a band, from 0, are not beyond all likelihood."""
    weights = np.abs(values).reshape(len(values), -1).sum(axis=1)
    return max(int(np.count_nonzero(weights @ at_least > _TAIL)), 1)


def _pool_first(counts: Floats, axis: Axis, space: Space, state: Floats, failed: dict[str, float]) -> Floats:
    """Work a pool through whose dice are the first axis of ``counts``, everything standing at ``state``.

    The other axes hardly depend on how many dice there are, so that few combinations of them say everything.
    """
    assert axis.pool is not None
    flat = counts.reshape(len(counts), -1)
    mass = np.ones(flat.shape[1])
    back: Floats | None = None
    if flat.shape[1] > 8:
        flat, back = _combined(flat)
        mass = back.sum(axis=1)
    done: Floats = np.zeros((flat.shape[1], len(state)))
    for part, bands in _by_front(state, axis.pool, space):
        if bands:
            done += _first_band(flat, part, axis.pool, bands, mass, failed)
        else:
            done += np.multiply.outer(flat.sum(axis=0), part)
    if back is not None:
        done = np.maximum(_product(back.T, done), 0.0)
    return np.asarray(done.reshape(*counts.shape[1:], len(state)))


def _pool_later(values: Floats, axis: Axis, space: Space, failed: dict[str, float]) -> Floats:
    """Work a pool through; the first axis of ``values`` counts its dice, the last the states."""
    assert axis.pool is not None
    flat = values.reshape(len(values), -1, values.shape[-1])
    done: Floats = np.zeros(flat.shape[1:])
    mass = np.ones(flat.shape[1])
    for part, bands in _by_front(flat, axis.pool, space):
        done += _later_bands(part, axis.pool, bands, 1.0, mass, failed)
    return np.asarray(done.reshape(values.shape[1:]))


def _combined(matrix: Floats) -> tuple[Floats, Floats]:
    """Two factors of a matrix with as few combinations in between as 1e-17 allows (LU with complete pivoting)."""
    rest = matrix.copy()
    left, right = [], []
    for _ in range(min(matrix.shape)):
        row, column = divmod(int(np.abs(rest).argmax()), rest.shape[1])
        pivot = rest[row, column]
        if abs(pivot) <= _TAIL:
            break
        left.append(rest[:, column].copy())
        right.append(rest[row] / pivot)
        rest -= np.multiply.outer(left[-1], right[-1])
    return np.array(left).T, np.array(right)


def _by_front(values: Floats, pool: Pool, space: Space) -> list[tuple[Floats, Sequence[Band]]]:
    """The states apart by who is in front when the dice are thrown, and the bands for each."""
    if len(pool.bands) == 1:
        return [(values, pool.bands[0])]
    front = space.current(pool.order)
    parts: list[tuple[Floats, Sequence[Band]]] = [
        (values * (front == group), bands) for group, bands in enumerate(pool.bands)
    ]
    parts.append((values * (front < 0), ()))
    return [(part, bands) for part, bands in parts if part.any()]


def _first_band(
    flat: Floats, state: Floats, pool: Pool, bands: Sequence[Band], mass: Floats, failed: dict[str, float]
) -> Floats:
    """The first band of a pool, ``flat`` having dice and combinations, and then the others."""
    band = bands[0]
    table, at_least = _binomials(len(flat) - 1, min(band.weight, 1.0))
    likely = _likely(flat, at_least)
    rows = _rows(state, band, likely)
    if band.fails is not None:
        reached = (flat @ mass) @ at_least[:, 1:likely]
        _add(failed, pool.packet, float(reached @ (rows[:-1] @ band.fails)))
    if len(bands) == 1:
        return _product(_product(table[:, :likely].T, flat).T, rows)
    spread = np.zeros((*flat.shape, likely))
    for used in range(likely):
        spread[: len(flat) - used, :, used] = table[used:, used, None] * flat[used:]
    return _later_bands(spread @ rows, pool, bands[1:], 1.0 - band.weight, mass, failed)


def _later_bands(
    values: Floats, pool: Pool, bands: Sequence[Band], left: float, mass: Floats, failed: dict[str, float]
) -> Floats:
    """Bands in turn; ``values`` has the dice left, combinations, states; ``left`` is the probability not yet used."""
    for number, band in enumerate(bands):
        chance = min(band.weight / left, 1.0) if left > 0.0 else 0.0
        left -= band.weight
        table, at_least = _binomials(len(values) - 1, chance)
        likely = _likely(values, at_least)
        if number == len(bands) - 1:  # nobody asks how many dice are left after the last
            thinned = table[:, :likely].T @ values.transpose(1, 0, 2)
            return _horner(thinned.transpose(1, 0, 2), band, pool.packet, failed, mass)
        following = np.zeros_like(values)
        moved = values
        for used in range(likely):
            if used:
                moved = moved[1:]
                if band.fails is not None:
                    reached = ((moved @ band.fails) @ mass) @ at_least[used:, used]
                    _add(failed, pool.packet, float(reached))
                moved = moved @ band.transition.matrix
            following[: len(values) - used] += moved * table[used:, used, None, None]
        values = following
    return np.asarray(values.sum(axis=0))


def _add(failed: dict[str, float], packet: Packet, count: float) -> None:
    failed[packet.name] = failed.get(packet.name, 0.0) + count
