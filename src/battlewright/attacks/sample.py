"""The sampling reader: many volleys at once, every count of dice drawn for all trials together.

It shares with the exact reader what a step's outcomes weigh, and nothing of how a target is worked through: here each
trial has a target of its own, hurt packet by packet. Its stream is its own and plays no part in a battle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.chains import Space, kept_chance
from battlewright.attacks.choices import are_alike, kept_on, pools, reroll_class, save_tables
from battlewright.attacks.description import Allocation, Amount, Packet, Policy, SaveTable, Volley
from battlewright.attacks.distributions import Odds, Stage, TargetState
from battlewright.attacks.exact import exact, odds_of, one_target
from battlewright.attacks.plans import order_of
from battlewright.attacks.tokens import (
    amount_chances,
    choice_points,
    damage_weights,
    emitted,
    fail_chance,
    outcome_weights,
    save_faces,
)

__all__ = ["sample"]

Counts: TypeAlias = NDArray[np.int64]
"""One number per trial."""


def sample(
    volleys: Volley | Sequence[Volley],
    policy: Policy | None = None,
    target_state: TargetState | None = None,
    *,
    trials: int = 100_000,
    seed: int = 0,
) -> Odds:
    """Estimate the odds of a volley, or of several in sequence against one target, from so many trials.

    Args:
        volleys: against one and the same target.
        policy: decides re-rolls and choices; choices left to be decided are decided by the exact odds.
        target_state: what earlier volleys left.
        trials: how many times the whole sequence is played.
        seed: of the sampler's own stream.

    Raises:
        BadInput: as :func:`~battlewright.attacks.exact.exact` does.
    """
    listed = (volleys,) if isinstance(volleys, Volley) else tuple(volleys)
    policy = policy or Policy()
    target = one_target(listed)
    start = target_state or TargetState.unhurt(target)
    random = np.random.Generator(np.random.PCG64(seed))
    drawn = random.choice(len(start.removed), trials, p=np.array(start.probabilities) / sum(start.probabilities))
    removed = np.array(start.removed, dtype=np.int64)[drawn]
    effects: dict[str, Counts] = {}
    names: dict[str, str] = {}
    stages: list[Stage] = []
    unsaved = 0.0
    for volley, choices in zip(listed, _decided(listed, policy, start), strict=True):
        names |= {f"{volley.name}: {point}": way for point, way in choices.items()}
        trial = _Trials(volley, policy, choices, random, removed)
        trial.play()
        for name, suffered in trial.effects.items():
            effects[name] = effects.get(name, np.zeros(trials, dtype=np.int64)) + suffered
        stages += trial.stages
        unsaved += trial.unsaved
    rows, counts = np.unique(removed, axis=0, return_counts=True)
    space = Space([group.remaining for group in target.groups], (), [tuple(row) for row in rows.tolist()])

    def tell(odds: Odds) -> tuple[Stage, ...]:
        return (
            *stages,
            Stage("damage", unsaved, odds.mean_damage),
            Stage("slain", odds.mean_damage, odds.mean_slain),
        )

    distributions = {name: np.bincount(suffered) / trials for name, suffered in effects.items()}
    return odds_of(target, space, counts / trials, distributions, names, tell, trials)


def _decided(volleys: Sequence[Volley], policy: Policy, state: TargetState) -> list[dict[str, str]]:
    """The alternative taken at each choice point of each volley: what the policy names, else as the exact odds decide.

    What volleys without an open choice do to the target is left out of the deciding.
    """
    found: list[dict[str, str]] = []
    for volley in volleys:
        points = choice_points(volley)
        named = {point: policy.choices[point] for point in points if policy.choices.get(point) in points[point]}
        if len(named) == len(points):
            found.append(named)
            continue
        odds = exact(volley, policy, state)
        state = odds.state
        found.append({point: odds.choices[f"{volley.name}: {point}"] for point in points})
    return found


@dataclass(slots=True)
class _Trials:
    """One volley played in every trial; ``removed`` (trials, groups) is changed in place."""

    volley: Volley
    policy: Policy
    choices: Mapping[str, str]
    random: np.random.Generator
    removed: Counts
    effects: dict[str, Counts] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    unsaved: float = 0.0
    _ends: list[Counts] = field(default_factory=list)

    def play(self) -> None:
        """From the attack dice to the last wound."""
        trials = len(self.removed)
        volley = self.volley
        for group in volley.target.groups:
            bounds = np.cumsum((0, *group.remaining))
            ends = np.repeat(bounds[1:], group.remaining)
            self._ends.append(np.append(ends, bounds[-1]))
        names = [step.name for step in volley.steps] + [packet.name for packet in volley.packets]
        waiting = {name: np.zeros(trials, dtype=np.int64) for name in names}
        attacks = np.zeros(trials, dtype=np.int64)
        for dice in volley.dice:
            attacks += self._amounts(dice.each, np.full(trials, dice.weapons))
        self._told("attacks", float(attacks.mean()), float(attacks.mean()))
        for emit in volley.entry:
            waiting[emit.to] += self._amounts(emit.count, attacks)
        for step in volley.steps:
            counts = self._split(
                waiting[step.name], outcome_weights(step, reroll_class(self.policy, step.name, step.reroll))
            )
            for outcome, count in zip(step.outcomes, counts, strict=True):
                for emit in emitted(outcome, self.choices):
                    waiting[emit.to] += self._amounts(emit.count, count)
            means = [float(count.mean()) for count in counts]
            passed = sum(n for outcome, n in zip(step.outcomes, means, strict=True) if outcome.success)
            critical = sum(n for outcome, n in zip(step.outcomes, means, strict=True) if outcome.critical)
            outcomes = tuple((outcome.name, n) for outcome, n in zip(step.outcomes, means, strict=True))
            self._told(step.name, sum(means), passed, critical, outcomes)
        failed = self._allocate(waiting)
        self.unsaved = sum(failed[packet.name] for packet in volley.packets if packet.effect is None)
        saved = [packet.name for packet in volley.packets if save_tables(volley, packet)]
        if saved:
            rolled = sum(float(waiting[name].mean()) for name in saved)
            self._told("save", rolled, sum(failed[name] for name in saved), outcomes=tuple(failed.items()))

    def _told(
        self,
        name: str,
        rolled: float,
        passed: float,
        critical: float = 0.0,
        outcomes: tuple[tuple[str, float], ...] = (),
    ) -> None:
        self.stages.append(Stage(name, rolled, passed, critical, outcomes, self.volley.name))

    def _split(self, counts: Counts, weights: Sequence[float]) -> list[Counts]:
        """Throw so many dice and count how many come to each of the weighted outcomes."""
        found = []
        left, total = counts, sum(weights)
        for weight in weights[:-1]:
            chance = min(weight / total, 1.0) if total > 1e-15 else 0.0
            part = self.random.binomial(left, chance) if 0.0 < chance < 1.0 else left * int(chance)
            found.append(part)
            left = left - part
            total -= weight
        return [*found, left]

    def _amounts(self, amount: Amount, counts: Counts) -> Counts:
        """The sum of an amount rolled so many times."""
        if not amount.dice.is_random:
            return counts * max(amount.values[0], 0)
        chances = amount_chances(amount)
        parts = self._split(counts, list(chances.values()))
        found = np.zeros_like(counts)
        for value, part in zip(chances, parts, strict=True):
            found += value * part
        return found

    # -- the target ---------------------------------------------------------------------------------------------------

    def _allocate(self, waiting: Mapping[str, Counts]) -> dict[str, float]:
        """Deal with all packets; returns how many failed saves each kind has on average."""
        volley = self.volley
        failed: dict[str, float] = {}
        even = volley.target.allocation is Allocation.EVEN
        offset = np.zeros(len(self.removed), dtype=np.int64)
        stage: int | None = None
        living: list[Counts] = []
        for packet in pools(volley):
            counts = waiting[packet.name]
            tables = save_tables(volley, packet)
            if packet.effect is not None:
                through = self.random.binomial(counts, fail_chance(tables[0], self.policy)) if tables else counts
                before = self.effects.get(packet.effect, np.zeros_like(through))
                self.effects[packet.effect] = before + through
                failed[packet.name] = float(through.mean())
                continue
            if even:
                if packet.stage != stage:
                    stage, living = packet.stage, self._living()
                    offset = np.zeros_like(offset)
                shares = _shares(offset, offset + counts, living)
                offset = offset + counts
                failed[packet.name] = sum(
                    self._alike(packet, (group,), share, [tables[group]] * len(tables) if tables else ())
                    for group, share in enumerate(shares)
                )
                continue
            order = order_of(volley.target, packet)
            if tables and volley.target.allocation is Allocation.SORTED and not are_alike(tables):
                failed[packet.name] = self._sorted(packet, order, counts, tables)
            else:
                failed[packet.name] = self._alike(packet, order, counts, tables)
        return failed

    def _living(self) -> list[Counts]:
        """Living models of each group."""
        found = []
        for group, row in enumerate(self.volley.target.groups):
            bounds = np.cumsum(row.remaining)
            found.append(len(bounds) - np.searchsorted(bounds, self.removed[:, group], side="right"))
        return found

    def _current(self, order: Sequence[int], trials: Counts) -> Counts:
        """The group in front in each of the trials, -1 when nobody is left."""
        found = np.full(len(trials), -1)
        for group in reversed(order):
            found[self.removed[trials, group] < self._ends[group][-1]] = group
        return found

    def _alike(self, packet: Packet, order: Sequence[int], counts: Counts, tables: Sequence[SaveTable]) -> float:
        """Packets whose saves do not care for the order of the dice; returns the failed saves on average."""
        chances = np.ones(len(self.volley.target.groups))
        if tables:
            chances = np.array([fail_chance(table, self.policy) for table in tables])
        if len(set(chances[list(order)].tolist())) == 1:
            chance = float(chances[order[0]])
            failed = self.random.binomial(counts, chance) if chance < 1.0 else counts
            for trials in _rounds(failed):
                self._suffer(packet, order, trials)
            return float(failed.mean())
        total = 0
        for trials in _rounds(counts):
            front = self._current(order, trials)
            fails = self.random.random(len(trials)) < chances[np.where(front < 0, order[-1], front)]
            total += int(fails.sum())
            self._suffer(packet, order, trials[fails])
        return total / len(counts)

    def _sorted(self, packet: Packet, order: Sequence[int], counts: Counts, tables: Sequence[SaveTable]) -> float:
        """All save dice thrown at once and worked from the lowest face to the highest."""
        everyone = np.arange(len(counts))
        front = self._current(order, everyone)
        faces = [np.zeros_like(counts) for _ in range(6)]
        for group, table in enumerate(tables):
            trials = everyone[front == group]
            parts = self._split(counts[trials], save_faces(table, self.policy))
            for dice, part in zip(faces, parts, strict=True):
                dice[trials] = part
        total = 0
        for face, dice in enumerate(faces):
            stops = np.array([table.stops[face] for table in tables])
            if stops.all():
                continue
            for trials in _rounds(dice):
                front = self._current(order, trials)
                fails = ~stops[np.where(front < 0, order[-1], front)]
                total += int(fails.sum())
                self._suffer(packet, order, trials[fails])
        return total / len(counts)

    def _suffer(self, packet: Packet, order: Sequence[int], trials: Counts) -> None:
        """One packet that nothing stopped, in each of the trials named."""
        front = self._current(order, trials)
        alive = front >= 0
        trials, front = trials[alive], front[alive]
        points = self._damage(packet, len(trials))
        if packet.spills:
            for at in _rounds(points):
                now = self._current(order, trials[at])
                self._lose(packet, trials[at], now, np.ones(len(at), dtype=np.int64))
            return
        self._lose(packet, trials, front, points)

    def _damage(self, packet: Packet, size: int) -> Counts:
        weights = damage_weights(packet, self.policy)
        values = np.array(list(weights))
        if len(values) == 1:
            return np.full(size, values[0])
        return values[np.searchsorted(np.cumsum(list(weights.values()))[:-1], self.random.random(size), side="right")]

    def _lose(self, packet: Packet, trials: Counts, groups: Counts, points: Counts) -> None:
        """The model in front of a group loses what Feel No Pain does not keep, up to what it has."""
        for number in range(len(self.volley.target.groups)):
            here = groups == number
            if not here.any():
                continue
            who, lost = (trials, points) if here.all() else (trials[here], points[here])
            threshold = kept_on(self.volley, packet, number)
            if threshold is not None:
                lost = self.random.binomial(lost, 1.0 - kept_chance(threshold))
            before = self.removed[who, number]
            self.removed[who, number] = np.minimum(before + lost, self._ends[number][before])


def _rounds(counts: Counts) -> list[Counts]:
    """For 1, 2, ... the trials that have at least so many."""
    trials = np.flatnonzero(counts > 0)
    found = []
    n = 1
    while len(trials):
        found.append(trials)
        trials = trials[counts[trials] > n]
        n += 1
    return found


def _shares(start: Counts, end: Counts, living: Sequence[Counts]) -> list[Counts]:
    """How many of the packets from ``start`` to ``end`` go to each group when they are dealt out in rounds."""
    models = np.maximum(sum(living, np.zeros_like(start)), 1)
    shares = []
    first, last = start % models, end % models
    rounds = end // models - start // models
    for size in living:
        shares.append(rounds * size + np.minimum(size, last) - np.minimum(size, first))
        first = np.maximum(first - size, 0)
        last = np.maximum(last - size, 0)
    return shares
