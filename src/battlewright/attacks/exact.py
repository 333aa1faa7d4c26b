"""The exact reader: probability mass functions of what volleys do to a target.

Every attack is alike, so one attack is a small polynomial over *axes*: how many packets, or save dice of one band of
faces, it sends at the target (:mod:`~battlewright.attacks.tokens`). Its power over all attacks is a tensor ``C``, one
axis each in the order in which they are dealt with. Each axis has a transition of the target
(:mod:`~battlewright.attacks.chains`), and the answer is the sum over all counts of
``C[a, b, ...] * start @ A**a @ B**b ...``, taken axis by axis in Horner's way.

Save dice that are sorted need no sorting: worked from the lowest to the highest, they fall into bands of faces that
fail the same groups, and each band is an axis. Where the re-roll of a save depends on which group is in front when
the dice are thrown, or where the tensor would be too large, the pool stays one axis of dice and is worked through
band by band with the number of dice left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.chains import Order, Space, Transition, kept_chance, lost_wounds, space_of
from battlewright.attacks.choices import are_alike, pools, save_tables
from battlewright.attacks.description import Allocation, Packet, Policy, SaveTable, Target, Volley
from battlewright.attacks.distributions import Odds, Stage, TargetState
from battlewright.attacks.even import deal_out
from battlewright.attacks.tokens import (
    BITS,
    Floats,
    Poly,
    attack_poly,
    binomial,
    choice_points,
    count_array,
    count_tensor,
    damage_weights,
    expected_attacks,
    expected_tokens,
    fail_chance,
    save_faces,
)
from battlewright.core.errors import BadInput

__all__ = ["best_choices", "exact", "odds_of", "one_target", "order_of", "stage_table"]

_MOST_ENTRIES = 2_000_000
"""Larger tensors are not built; see the module's text."""


def exact(
    volleys: Volley | Sequence[Volley], policy: Policy | None = None, target_state: TargetState | None = None
) -> Odds:
    """The exact odds of a volley, or of several in sequence against one target.

    Args:
        volleys: against one and the same target: the same groups with the same models.
        policy: decides re-rolls and choices; the default re-rolls failures and takes what does more damage.
        target_state: what earlier volleys left; the damage they did is counted too.

    Raises:
        BadInput: when the volleys do not have the same target, or the policy names an unknown alternative.
    """
    listed = (volleys,) if isinstance(volleys, Volley) else tuple(volleys)
    policy = policy or Policy()
    start = target_state or TargetState.unhurt(one_target(listed))
    space = _space(listed, start)
    state = np.zeros(len(space))
    for removed, p in zip(start.removed, start.probabilities, strict=True):
        state[space.index(removed)] += p
    chosen = []
    saves: list[dict[str, float]] = []
    for volley in listed:
        choices = best_choices(volley, policy, space, state)
        state, failed = _run(volley, policy, choices, space, state)
        chosen.append(choices)
        saves.append(failed)

    def tell(odds: Odds) -> tuple[Stage, ...]:
        return stage_table(listed, policy, chosen, saves, odds)

    effects = _effects(listed, policy, chosen)
    names = {
        f"{volley.name}: {point}": way
        for volley, choices in zip(listed, chosen, strict=True)
        for point, way in choices.items()
    }
    return odds_of(listed[0].target, space, state, effects, names, tell)


def odds_of(
    target: Target,
    space: Space,
    state: Floats,
    effects: Mapping[str, Floats],
    choices: Mapping[str, str],
    tell: Callable[[Odds], tuple[Stage, ...]],
    trials: int = 0,
) -> Odds:
    """Odds from the probabilities of a target's states."""
    models = sum(len(group.remaining) for group in target.groups)
    points = np.array([group.points for group in target.groups])
    present = np.flatnonzero(state)
    return Odds(
        target,
        _gather(space.damage, state, sum(space.wounds) + 1),
        _gather(space.models, state, models + 1),
        float(state[space.destroyed].sum()),
        float(state @ (space.slain @ points)) if points.any() else 0.0,
        TargetState(tuple(map(tuple, space.removed[present].tolist())), tuple(state[present].tolist())),
        effects,
        choices,
        tell,
        trials,
    )


def _gather(places: NDArray[np.int64] | list[int], weights: Floats, length: int) -> Floats:
    """The sum of the weights at each place."""
    return np.asarray(np.bincount(places, weights, length), dtype=np.float64)


# -- targets ----------------------------------------------------------------------------------------------------------


def one_target(volleys: Sequence[Volley]) -> Target:
    """The target that all of the volleys have.

    Raises:
        BadInput: when they do not have the same one, or there is no volley.
    """
    if not volleys:
        raise BadInput("no volley is given", expected="at least one")
    first = volleys[0].target
    for volley in volleys[1:]:
        if [g.remaining for g in volley.target.groups] != [g.remaining for g in first.groups]:
            raise BadInput(
                f'"{volley.name}" is aimed at another target than "{volleys[0].name}"',
                expected="volleys against the same groups of models",
            )
    return first


def order_of(target: Target, packet: Packet) -> Order:
    """The groups in the order in which packets of this kind take them: as described, the attacker's pick first."""
    order = list(range(len(target.groups)))
    if target.precision_group is not None and packet.keeps_group:
        order.remove(target.precision_group)
        order.insert(0, target.precision_group)
    return tuple(order)


def _space(volleys: Sequence[Volley], start: TargetState) -> Space:
    target = one_target(volleys)
    orders: set[Order] = set()
    for volley in volleys:
        if volley.target.allocation is Allocation.EVEN:
            orders |= {(group,) for group in range(len(target.groups))}
        else:
            orders |= {order_of(volley.target, packet) for packet in volley.packets}
    return space_of(tuple(g.remaining for g in target.groups), tuple(sorted(orders)), start.removed)


# -- plans ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Band:
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
class _Pool:
    """The packets of one kind: their bands from the lowest dice to the highest, for each group in front.

    Attributes:
        bands: one list when it does not matter who is in front, else one per group.
    """

    packet: Packet
    order: Order
    bands: tuple[tuple[_Band, ...], ...]


@dataclass(slots=True)
class _Axis:
    """One axis of the tensor: a band, or a whole pool that is worked through with the dice left."""

    packet: Packet
    band: _Band | None
    pool: _Pool | None = None


def _pool(volley: Volley, packet: Packet, policy: Policy, space: Space) -> _Pool:
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
                    _band(packet, target, damage, space, order, weight, failing)
                    for weight, failing in _faces_together(tables, front)
                )
                for front in fronts
            )
            return _Pool(packet, order, bands)
    return _Pool(packet, order, ((_band(packet, target, damage, space, order, 1.0, fails, len(set(fails)) > 1),),))


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
    target: Target,
    damage: dict[int, float],
    space: Space,
    order: Order,
    weight: float,
    fails: Sequence[float],
    is_counted: bool = True,
) -> _Band:
    """A band whose packets hurt each group with its chance to fail; packets that hurt nobody are left out of it."""
    if packet.spills:
        # RULING: points of a packet that spills are saved together, by the group in front
        hurting = max(fails)
        transition = _spilling(target, damage, space, order, [f / hurting if hurting else 0.0 for f in fails])
    else:
        lost = [lost_wounds(damage, group) for group in target.groups]
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
    return _Band(weight * hurting, transition, counted)


def _spilling(
    target: Target, damage: dict[int, float], space: Space, order: Order, fails: Sequence[float]
) -> Transition:
    loss = tuple(1.0 - kept_chance(group.feel_no_pain) for group in target.groups)
    whole = space.spill(order, tuple(sorted(damage.items())), loss)
    if min(fails) == 1.0:
        return whole
    failing = np.array([*fails, 1.0])[space.current(order)][:, None]
    matrix = whole.matrix * failing + np.diag(1.0 - failing[:, 0])
    return Transition(matrix, None, False)


# -- running ----------------------------------------------------------------------------------------------------------


def _run(
    volley: Volley, policy: Policy, choices: Mapping[str, str], space: Space, state: Floats
) -> tuple[Floats, dict[str, float]]:
    """The states after a volley, and the failed saves that could not be counted without the target."""
    if volley.target.allocation is Allocation.EVEN:
        return deal_out(volley, policy, choices, space, state)
    planned = [_pool(volley, packet, policy, space) for packet in pools(volley) if packet.effect is None]
    axes, packets = _axes(planned, space, state, whole=False)
    counts = _counts(volley, packets, policy, choices, len(axes))
    if counts is None:
        axes, packets = _axes(planned, space, state, whole=True)
        counts = _counts(volley, packets, policy, choices, len(axes))
        if counts is None:
            counts = count_tensor(volley, attack_poly(volley, packets, policy, choices), len(axes), 2**62)
    assert counts is not None
    failed: dict[str, float] = {}
    if not axes:
        return state, failed
    return _collapse(counts, axes, space, state, failed), failed


def _axes(planned: Sequence[_Pool], space: Space, state: Floats, *, whole: bool) -> tuple[list[_Axis], dict[str, Poly]]:
    """The axes of a volley's pools, and what one packet of each kind is on them."""
    axes: list[_Axis] = []
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
            axes.append(_Axis(pool.packet, None, pool))
            packets[pool.packet.name] = {1 << BITS * (len(axes) - 1): 1.0}
            continue
        poly: Poly = {}
        for band in bands:
            if not band.weight:
                continue
            last = axes[-1].band if axes else None
            same = last is not None and last.transition is band.transition and last.fails is band.fails is None
            if not same:
                axes.append(_Axis(pool.packet, band))
            key = 1 << BITS * (len(axes) - 1)
            poly[key] = poly.get(key, 0.0) + band.weight
        rest = 1.0 - sum(poly.values())
        if rest > 1e-15:
            poly[0] = rest
        packets[pool.packet.name] = poly
    return axes, packets


def _counts(
    volley: Volley, packets: Mapping[str, Poly], policy: Policy, choices: Mapping[str, str], axes: int
) -> Floats | None:
    effects: dict[str, Poly] = {packet.name: {0: 1.0} for packet in volley.packets if packet.effect is not None}
    poly = attack_poly(volley, {**packets, **effects}, policy, choices)
    if axes == 1:
        return count_array(volley, poly)
    if axes == 0:
        return np.ones(1)
    return count_tensor(volley, poly, axes, _MOST_ENTRIES)


def _collapse(counts: Floats, axes: Sequence[_Axis], space: Space, state: Floats, failed: dict[str, float]) -> Floats:
    """Work through the axes in order; ``counts`` has one axis each."""
    first = axes[0]
    if first.band is None:
        values = np.multiply.outer(counts, state)
    else:
        values = _first(_saturate(counts, first, space), first, state, failed)
        axes = axes[1:]
    for axis in axes:
        if axis.band is None:
            values = _dice_left(values, axis, space, failed)
        else:
            values = _horner(_saturate(values, axis, space), axis, failed)
    return values


def _saturate(values: Floats, axis: _Axis, space: Space) -> Floats:
    """Count no further along the first axis than the target has wounds to lose, where each packet takes one."""
    assert axis.band is not None
    most = sum(space.wounds)
    if axis.band.fails is not None or not axis.band.transition.always_hurts or len(values) <= most + 1:
        return values
    kept = values[: most + 1].copy()
    kept[most] += values[most + 1 :].sum(axis=0)
    return kept


def _first(counts: Floats, axis: _Axis, state: Floats, failed: dict[str, float]) -> Floats:
    """The sum over n of ``counts[n, ...] * state @ transition**n``: every other axis, then the states."""
    assert axis.band is not None
    transition = axis.band.transition
    if transition.following is not None and np.count_nonzero(state) == 1 and axis.band.fails is None:
        at = int(np.flatnonzero(state)[0])
        visited = [at]
        following = transition.following
        for _ in range(len(counts) - 1):
            at = int(following[at])
            visited.append(at)
        if counts.ndim == 1:
            return _gather(visited, counts * state.sum(), len(state))
        values: Floats = np.zeros((*counts.shape[1:], len(state)))
        for n, at in enumerate(visited):
            values[..., at] += counts[n]
        return np.asarray(values * state.sum())
    if counts.ndim == 1:
        return _horner(counts[:, None] * state, axis, failed)
    rows = np.empty((len(counts), len(state)))
    rows[0] = state
    for n in range(1, len(counts)):
        np.dot(rows[n - 1], transition.matrix, out=rows[n])
    if axis.band.fails is not None:
        at_least = counts.reshape(len(counts), -1).sum(axis=1)[::-1].cumsum()[::-1]
        _add(failed, axis.packet, float(at_least[1:] @ (rows[:-1] @ axis.band.fails)))
    return np.asarray(np.tensordot(counts, rows, axes=(0, 0)))


def _horner(values: Floats, axis: _Axis, failed: dict[str, float]) -> Floats:
    """The sum over n of ``values[n] @ transition**n``, the states being the last axis."""
    assert axis.band is not None
    matrix, fails = axis.band.transition.matrix, axis.band.fails
    total: Floats = values[-1]
    found = 0.0
    for n in range(len(values) - 2, -1, -1):
        if fails is not None:
            found += float((total @ fails).sum())
        total = total @ matrix
        total += values[n]
    if fails is not None:
        _add(failed, axis.packet, found)
    return total


def _dice_left(values: Floats, axis: _Axis, space: Space, failed: dict[str, float]) -> Floats:
    """Work a pool through band by band; the first axis of ``values`` counts its dice, the last the states."""
    assert axis.pool is not None
    pool = axis.pool
    if len(pool.bands) == 1:
        return _bands(values, pool, pool.bands[0], failed)
    front = space.current(pool.order)
    done: Floats = np.asarray(values.sum(axis=0) * (front < 0))
    for group, bands in enumerate(pool.bands):
        here = values * (front == group)
        if here.any():
            done = done + _bands(here, pool, bands, failed)
    return done


def _bands(values: Floats, pool: _Pool, bands: Sequence[_Band], failed: dict[str, float]) -> Floats:
    left = 1.0
    for band in bands:
        chance = min(band.weight / left, 1.0)
        left = max(left - band.weight, 1e-300)
        most = len(values) - 1
        following = np.zeros_like(values)
        moved = values
        chances = np.zeros((most + 1, most + 1))
        for dice in range(most + 1):
            chances[dice, : dice + 1] = binomial(dice, chance)
        at_least = chances[:, ::-1].cumsum(axis=1)[:, ::-1]
        shape = (-1,) + (1,) * (values.ndim - 1)
        for used in range(most + 1):
            if used:
                if band.fails is not None:
                    weights = at_least[used:, used].reshape(shape)
                    _add(failed, pool.packet, float(((moved[1:] * weights) @ band.fails).sum()))
                moved = moved[1:] @ band.transition.matrix
            following[: most + 1 - used] += moved * chances[used:, used].reshape(shape)
        values = following
    return np.asarray(values.sum(axis=0))


def _add(failed: dict[str, float], packet: Packet, count: float) -> None:
    failed[packet.name] = failed.get(packet.name, 0.0) + count


# -- choices ----------------------------------------------------------------------------------------------------------


def best_choices(
    volley: Volley, policy: Policy, space: Space | None = None, state: Floats | None = None
) -> dict[str, str]:
    """The alternative taken at each choice point: what the policy names, else what does more damage on average.

    Choice points that are left to be decided are decided together; among equals the first alternative is taken.

    Raises:
        BadInput: when the policy names an alternative that there is not.
    """
    points = choice_points(volley)
    options: list[tuple[str, ...]] = []
    for point, ways in points.items():
        named = policy.choices.get(point, "best")
        if named != "best" and named not in ways:
            raise BadInput(f'"{named}" is no way to decide "{point}"', expected=", ".join((*ways, "best")))
        options.append(ways if named == "best" else (named,))
    candidates = [dict(zip(points, ways, strict=True)) for ways in product(*options)]
    if len(candidates) == 1:
        return candidates[0]
    if space is None or state is None:
        start = TargetState.unhurt(volley.target)
        space = _space((volley,), start)
        state = np.zeros(len(space))
        state[space.index(start.removed[0])] = 1.0
    best, most = candidates[0], -1.0
    for candidate in candidates:
        after, _ = _run(volley, policy, candidate, space, state)
        damage = float(after @ space.damage)
        if damage > most + 1e-12:
            best, most = candidate, damage
    return best


# -- effects and stages -----------------------------------------------------------------------------------------------


def _effects(volleys: Sequence[Volley], policy: Policy, chosen: Sequence[Mapping[str, str]]) -> dict[str, Floats]:
    """How often each effect is suffered; a packet that is saved is saved by the first group."""
    found: dict[str, Floats] = {}
    for volley, choices in zip(volleys, chosen, strict=True):
        for name in dict.fromkeys(packet.effect for packet in volley.packets if packet.effect is not None):
            packets: dict[str, Poly] = {}
            for packet in volley.packets:
                through = _through(volley, packet, policy) if packet.effect == name else 0.0
                packets[packet.name] = {0: 1.0 - through, 1: through} if through else {0: 1.0}
            poly = attack_poly(volley, packets, policy, choices)
            counts = count_array(volley, poly)
            found[name] = np.convolve(found[name], counts) if name in found else counts
    return found


def _through(volley: Volley, packet: Packet, policy: Policy) -> float:
    """The chance that the first group's save does not stop a packet."""
    tables = save_tables(volley, packet)
    return fail_chance(tables[0], policy) if tables else 1.0


def stage_table(
    volleys: Sequence[Volley],
    policy: Policy,
    chosen: Sequence[Mapping[str, str]],
    failed: Sequence[Mapping[str, float]],
    odds: Odds,
) -> tuple[Stage, ...]:
    """Expected numbers stage by stage: attacks, each step, saves of each volley, then damage and slain models."""
    stages = []
    unsaved_total = 0.0
    for volley, choices, counted in zip(volleys, chosen, failed, strict=True):
        reached, outcomes = expected_tokens(volley, policy, choices)
        attacks = expected_attacks(volley)
        stages.append(Stage("attacks", attacks, attacks, volley=volley.name))
        for step in volley.steps:
            counts = list(zip(step.outcomes, outcomes[step.name], strict=True))
            stages.append(
                Stage(
                    step.name,
                    reached[step.name],
                    sum(n for outcome, n in counts if outcome.success),
                    sum(n for outcome, n in counts if outcome.critical),
                    tuple((outcome.name, n) for outcome, n in counts),
                    volley.name,
                )
            )
        saved = [packet for packet in volley.packets if save_tables(volley, packet)]
        through = {
            packet.name: counted.get(packet.name, reached[packet.name] * _through(volley, packet, policy))
            for packet in volley.packets
        }
        unsaved_total += sum(through.values())
        if saved:
            stages.append(
                Stage(
                    "save",
                    sum(reached[packet.name] for packet in saved),
                    sum(through[packet.name] for packet in saved),
                    outcomes=tuple((packet.name, through[packet.name]) for packet in volley.packets),
                    volley=volley.name,
                )
            )
    stages.append(Stage("damage", unsaved_total, odds.mean_damage))
    stages.append(Stage("slain", odds.mean_damage, odds.mean_slain))
    return tuple(stages)
