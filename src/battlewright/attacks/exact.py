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
from itertools import product

import numpy as np

from battlewright.attacks.chains import Order, Space, space_of
from battlewright.attacks.choices import pools, save_tables
from battlewright.attacks.collapse import collapse, gather
from battlewright.attacks.description import Allocation, Packet, Policy, Target, Volley
from battlewright.attacks.distributions import Odds, Stage, TargetState
from battlewright.attacks.even import deal_out
from battlewright.attacks.plans import Axis, Pool, axes_of, order_of, plan_pool
from battlewright.attacks.tokens import (
    Floats,
    Poly,
    attack_poly,
    choice_points,
    count_array,
    count_tensor,
    expected_attacks,
    expected_tokens,
    fail_chance,
)
from battlewright.core.errors import BadInput

__all__ = ["best_choices", "exact", "odds_of", "one_target", "stage_table"]

_MOST_ENTRIES = 20_000
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
    state = _vector(space, start)
    chosen = []
    saves: list[dict[str, float]] = []
    for volley in listed:
        choices, state, failed = _decide(volley, policy, space, state)
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
        gather(space.damage, state, sum(space.wounds) + 1),
        gather(space.models, state, models + 1),
        float(state[space.destroyed].sum()),
        float(state @ (space.slain @ points)) if points.any() else 0.0,
        TargetState(tuple(map(tuple, space.removed[present].tolist())), tuple(state[present].tolist())),
        effects,
        choices,
        tell,
        trials,
    )


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


def _space(volleys: Sequence[Volley], start: TargetState) -> Space:
    target = one_target(volleys)
    orders: set[Order] = set()
    for volley in volleys:
        if volley.target.allocation is Allocation.EVEN:
            orders |= {(group,) for group in range(len(target.groups))}
        else:
            orders |= {order_of(volley.target, packet) for packet in volley.packets}
    return space_of(tuple(g.remaining for g in target.groups), tuple(sorted(orders)), start.removed)


def _vector(space: Space, start: TargetState) -> Floats:
    """The probabilities of a target's states as a vector over the space."""
    state = np.zeros(len(space))
    for removed, p in zip(start.removed, start.probabilities, strict=True):
        state[space.index(removed)] += p
    return state


# -- running ----------------------------------------------------------------------------------------------------------


class _Reading:
    """One volley against the states of a target; choices can be tried out on it."""

    def __init__(self, volley: Volley, policy: Policy, space: Space, state: Floats) -> None:
        self.volley, self.policy, self.space, self.state = volley, policy, space, state
        self._pools: list[Pool] = []
        self._axes: list[Axis] = []
        self._packets: dict[str, Poly] = {}
        self._is_even = volley.target.allocation is Allocation.EVEN
        if not self._is_even:
            self._pools = [plan_pool(volley, p, policy, space) for p in pools(volley) if p.effect is None]
            self._lay_out(whole=False)

    def _lay_out(self, *, whole: bool) -> None:
        self._axes, packets = axes_of(self._pools, self.space, self.state, whole=whole)
        self._packets = {packet.name: {0: 1.0} for packet in self.volley.packets if packet.effect is not None} | packets

    def _poly(self, choices: Mapping[str, str]) -> Poly:
        return attack_poly(self.volley, self._packets, self.policy, choices)

    def run(self, choices: Mapping[str, str]) -> tuple[Floats, dict[str, float]]:
        """The states after the volley, and the failed saves that could not be counted without the target."""
        failed: dict[str, float] = {}
        if self._is_even:
            return deal_out(self.volley, self.policy, choices, self.space, self.state)
        if not self._axes:
            return self.state, failed
        if len(self._axes) == 1:
            counts: Floats | None = count_array(self.volley, self._poly(choices))
        else:
            counts = count_tensor(self.volley, self._poly(choices), len(self._axes), _MOST_ENTRIES)
        if counts is None:
            self._lay_out(whole=True)
            counts = count_tensor(self.volley, self._poly(choices), len(self._axes), 2**62)
        assert counts is not None
        return collapse(counts, self._axes, self.space, self.state, failed), failed

    def clearly_best(self, candidates: Sequence[Mapping[str, str]]) -> Mapping[str, str] | None:
        """The choices that make more packets than all others whatever the dice, where packets are all alike."""
        if len(self._axes) != 1 or self._axes[0].band is None:
            return None
        tails = []
        for candidate in candidates:
            poly = self._poly(candidate)
            beyond = np.zeros(max(poly) + 1)
            for count, p in poly.items():
                beyond[: count + 1] += p
            tails.append(beyond)
        longest = max(len(tail) for tail in tails)
        table = np.array([np.pad(tail, (0, longest - len(tail))) for tail in tails])
        for row, candidate in zip(table, candidates, strict=True):
            if (row >= table.max(axis=0) - 1e-14).all():
                return candidate
        return None


# -- choices ----------------------------------------------------------------------------------------------------------


def best_choices(volley: Volley, policy: Policy) -> dict[str, str]:
    """The alternative taken at each choice point: what the policy names, else what does more damage on average.

    Choice points that are left to be decided are decided together; among equals the first alternative is taken.

    Raises:
        BadInput: when the policy names an alternative that there is not.
    """
    start = TargetState.unhurt(volley.target)
    space = _space((volley,), start)
    return _decide(volley, policy, space, _vector(space, start))[0]


def _decide(
    volley: Volley, policy: Policy, space: Space, state: Floats
) -> tuple[dict[str, str], Floats, dict[str, float]]:
    """The choices, and what :meth:`_Reading.run` says of them."""
    points = choice_points(volley)
    options: list[tuple[str, ...]] = []
    for point, ways in points.items():
        named = policy.choices.get(point, "best")
        if named != "best" and named not in ways:
            raise BadInput(f'"{named}" is no way to decide "{point}"', expected=", ".join((*ways, "best")))
        options.append(ways if named == "best" else (named,))
    candidates = [dict(zip(points, ways, strict=True)) for ways in product(*options)]
    reading = _Reading(volley, policy, space, state)
    if len(candidates) > 1 and (clear := reading.clearly_best(candidates)) is not None:
        candidates = [dict(clear)]
    best, (after, failed) = candidates[0], reading.run(candidates[0])
    most = float(after @ space.damage)
    for candidate in candidates[1:]:
        other, other_failed = reading.run(candidate)
        damage = float(other @ space.damage)
        if damage > most + 1e-12:
            best, most, after, failed = candidate, damage, other, other_failed
    return best, after, failed


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
        unsaved_total += sum(through[packet.name] for packet in volley.packets if packet.effect is None)
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
