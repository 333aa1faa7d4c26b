"""Tokens as polynomials: what one attack comes to, and how many of each thing a whole volley makes.

A *polynomial* is a probability mass function over counts of several things at once, written as a dict from an encoded
tuple of counts to a probability. Thing ``i`` counts in bits ``i * BITS`` and up, so that adding two keys adds the
counts; key 0 is "nothing". A step's polynomial is the mixture over its outcomes of the product of what they emit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.choices import is_damage_rerolled, is_save_rerolled, reroll_class
from battlewright.attacks.description import (
    Amount,
    Emit,
    Outcome,
    Packet,
    Policy,
    RerollWhich,
    SaveTable,
    Step,
    Volley,
)

__all__ = [
    "BITS",
    "Floats",
    "Poly",
    "amount_chances",
    "attack_poly",
    "binomial",
    "choice_points",
    "count_array",
    "count_tensor",
    "damage_weights",
    "emitted",
    "expected_attacks",
    "expected_tokens",
    "fail_chance",
    "outcome_weights",
    "save_faces",
]

Floats: TypeAlias = NDArray[np.float64]
Poly: TypeAlias = dict[int, float]

BITS = 24
"""Bits for the count of one thing; sixteen million are more than any volley makes."""
_NOTHING: Poly = {0: 1.0}
_TAIL = 1e-17
_EXACT_COMB = 1000


def outcome_weights(step: Step, which: RerollWhich) -> list[float]:
    """The probability of each outcome of a step, one re-roll of the named dice included."""
    dice = step.dice
    chances = (1,) * dice.sides if dice.count == 1 else dice.weights().values()
    throws = dice.sides**dice.count
    kept = [0] * len(step.outcomes)
    every = [0] * len(step.outcomes)
    rerolled = 0
    for total, (index, chance) in enumerate(zip(step.by_total, chances, strict=True), dice.minimum):
        every[index] += chance
        if which is not RerollWhich.NONE and step.is_rerolled(total, which):
            rerolled += chance
        else:
            kept[index] += chance
    return [(first * throws + rerolled * second) / throws**2 for first, second in zip(kept, every, strict=True)]


def save_faces(table: SaveTable, policy: Policy) -> tuple[int, ...]:
    """How many of 36 cases give each face of a save die, the re-roll that policy and table give included."""
    which = reroll_class(policy, "save", table.reroll)
    again = [is_save_rerolled(table, face, which) for face in range(1, 7)]
    return tuple((0 if is_again else 6) + sum(again) for is_again in again)


def fail_chance(table: SaveTable, policy: Policy) -> float:
    """The probability that a save die does not stop an attack."""
    return sum(n for n, stops in zip(save_faces(table, policy), table.stops, strict=True) if not stops) / 36


def damage_weights(packet: Packet, policy: Policy) -> dict[int, float]:
    """The probability of each damage of a packet, its re-roll included; nothing is below 0."""
    damage = packet.damage
    if not damage.dice.is_random:
        return {max(damage.values[0], 0): 1.0}
    which = reroll_class(policy, "damage", packet.reroll_damage)
    totals = damage.dice.weights()
    throws = sum(totals.values())
    rerolled = sum(weight for total, weight in totals.items() if is_damage_rerolled(damage, total, which))
    found: dict[int, int] = {}
    for total, weight in totals.items():
        kept = rerolled + (0 if is_damage_rerolled(damage, total, which) else throws)
        value = max(damage.value(total), 0)
        found[value] = found.get(value, 0) + kept * weight
    return {value: weight / throws**2 for value, weight in found.items() if weight}


def choice_points(volley: Volley) -> dict[str, tuple[str, ...]]:
    """The choice points of a volley and the names of their alternatives."""
    return {
        outcome.choice.name: tuple(way.name for way in outcome.choice.alternatives)
        for step in volley.steps
        for outcome in step.outcomes
        if outcome.choice is not None
    }


def emitted(outcome: Outcome, choices: Mapping[str, str]) -> tuple[Emit, ...]:
    """What an outcome hands on, the alternative chosen included."""
    if outcome.choice is None:
        return outcome.emits
    taken = choices[outcome.choice.name]
    return outcome.emits + next(way.emits for way in outcome.choice.alternatives if way.name == taken)


# -- polynomials ------------------------------------------------------------------------------------------------------


def _product(a: Poly, b: Poly) -> Poly:
    found: Poly = {}
    for i, p in a.items():
        for j, q in b.items():
            found[i + j] = found.get(i + j, 0.0) + p * q
    return found


def _compose(weights: Mapping[int, float], base: Poly) -> Poly:
    """The sum over n of ``weights[n] * base**n``."""
    if len(weights) == 1 and 1 in weights:
        return base
    found: Poly = {}
    for n in range(max(weights), -1, -1):
        if found:
            found = _product(found, base)
        if n in weights:
            found[0] = found.get(0, 0.0) + weights[n]
    return found


@lru_cache(maxsize=256)
def amount_chances(amount: Amount) -> Mapping[int, float]:
    """The probability of each number that an amount can be; nothing is below 0."""
    weights = amount.weights()
    throws = sum(weights.values())
    found: dict[int, float] = {}
    for value, weight in weights.items():
        found[max(value, 0)] = found.get(max(value, 0), 0.0) + weight / throws
    return found


def _emitted(emits: tuple[Emit, ...], polys: Mapping[str, Poly]) -> Poly:
    found = _NOTHING
    for emit in emits:
        count = emit.count
        one = polys[emit.to]
        if count.dice.is_random or count.values[0] != 1:
            one = _compose(amount_chances(count), one)
        found = one if found is _NOTHING else _product(found, one)
    return found


def attack_poly(volley: Volley, packets: Mapping[str, Poly], policy: Policy, choices: Mapping[str, str]) -> Poly:
    """What one attack comes to, given what one packet of each kind comes to."""
    polys = dict(packets)
    for step in reversed(volley.steps):
        weights = outcome_weights(step, reroll_class(policy, step.name, step.reroll))
        mixed: Poly = {}
        for outcome, weight in zip(step.outcomes, weights, strict=True):
            if weight:
                for key, p in _emitted(emitted(outcome, choices), polys).items():
                    mixed[key] = mixed.get(key, 0.0) + weight * p
        polys[step.name] = mixed
    return _emitted(volley.entry, polys)


# -- whole volleys ----------------------------------------------------------------------------------------------------


def _fixed_and_random(volley: Volley) -> tuple[int, list[tuple[int, Mapping[int, float]]]]:
    """The number of attacks that are certain, and the weapons that roll for theirs."""
    fixed = 0
    rolled = []
    for dice in volley.dice:
        if dice.each.dice.is_random:
            rolled.append((dice.weapons, amount_chances(dice.each)))
        else:
            fixed += dice.weapons * max(dice.each.values[0], 0)
    return fixed, rolled


@lru_cache(maxsize=512)
def _combinations(n: int) -> Floats:
    return np.array([comb(n, k) for k in range(n + 1)], dtype=np.float64)


@lru_cache(maxsize=512)
def _numbers(n: int) -> Floats:
    return np.arange(n + 1, dtype=np.float64)


def binomial(n: int, p: float) -> Floats:
    """The probability of 0 to ``n`` successes of ``n`` tries (shape ``n + 1``)."""
    if n > _EXACT_COMB:
        return _power(np.array([1.0 - p, p]), n)
    k = _numbers(n)
    return np.asarray(_combinations(n) * (p**k * (1.0 - p) ** k[::-1]))


def _power(base: Floats, n: int) -> Floats:
    if len(base) == 2 and n <= _EXACT_COMB:
        return binomial(n, float(base[1]))
    result: Floats | None = None
    while n:
        if n & 1:
            result = base if result is None else np.convolve(result, base)
        n >>= 1
        if n:
            base = np.convolve(base, base)
    return np.ones(1) if result is None else result


def count_array(volley: Volley, poly: Poly) -> Floats:
    """How many of the one thing a whole volley makes: probabilities of 0, 1, 2, ..."""
    base = np.zeros(max(poly) + 1)
    for key, p in poly.items():
        base[key] = p
    fixed, rolled = _fixed_and_random(volley)
    result = _power(base, fixed)
    for weapons, chances in rolled:
        one = np.zeros(1)
        for n in range(max(chances), -1, -1):
            one = np.convolve(one, base) if one.any() else one
            one[0] += chances.get(n, 0.0)
        result = np.convolve(result, _power(one, weapons))
    return result


def count_tensor(volley: Volley, poly: Poly, things: int, limit: int) -> Floats | None:
    """How many of each of several things a whole volley makes, as a tensor with one axis per thing.

    Each axis ends where less than 1e-17 of the probability lies beyond. None when there would be more than ``limit``
    entries.
    """
    mask = (1 << BITS) - 1
    shape = []
    for thing in range(things):
        single: Poly = {}
        for key, p in poly.items():
            count = key >> (BITS * thing) & mask
            single[count] = single.get(count, 0.0) + p
        beyond = np.cumsum(count_array(volley, single)[::-1])[::-1]
        shape.append(max(int(np.count_nonzero(beyond > _TAIL)), 1))
    if np.prod(shape, dtype=np.float64) > limit:
        return None
    base = np.zeros(shape)
    for key, p in poly.items():
        at = tuple((key >> (BITS * thing) & mask) % shape[thing] for thing in range(things))
        base[at] += p
    wave = np.fft.rfftn(base)
    fixed, rolled = _fixed_and_random(volley)
    total = _wave_power(wave, fixed)
    for weapons, chances in rolled:
        one = np.zeros_like(wave)
        for n in range(max(chances), -1, -1):
            one = one * wave + chances.get(n, 0.0)
        total = total * _wave_power(one, weapons)
    return np.maximum(np.fft.irfftn(total, s=shape, axes=tuple(range(things))), 0.0)


def _wave_power(wave: NDArray[np.complex128], n: int) -> NDArray[np.complex128]:
    result = np.ones_like(wave)
    while n:
        if n & 1:
            result = result * wave
        n >>= 1
        if n:
            wave = wave * wave
    return result


# -- expectations -----------------------------------------------------------------------------------------------------


def _mean(amount: Amount) -> float:
    return sum(value * p for value, p in amount_chances(amount).items())


def expected_attacks(volley: Volley) -> float:
    """How many attacks are made on average."""
    return sum(dice.weapons * _mean(dice.each) for dice in volley.dice)


def expected_tokens(
    volley: Volley, policy: Policy, choices: Mapping[str, str]
) -> tuple[dict[str, float], dict[str, Sequence[float]]]:
    """How many tokens reach each step and packet on average, and how many come to each outcome of each step."""
    reached = {step.name: 0.0 for step in volley.steps} | {packet.name: 0.0 for packet in volley.packets}
    attacks = expected_attacks(volley)
    for emit in volley.entry:
        reached[emit.to] += attacks * _mean(emit.count)
    outcomes: dict[str, Sequence[float]] = {}
    for step in volley.steps:
        weights = outcome_weights(step, reroll_class(policy, step.name, step.reroll))
        outcomes[step.name] = [reached[step.name] * weight for weight in weights]
        for outcome, count in zip(step.outcomes, outcomes[step.name], strict=True):
            for emit in emitted(outcome, choices):
                reached[emit.to] += count * _mean(emit.count)
    return reached, outcomes
