"""Answers about an attack: probabilities of damage, of models slain and of what is left, and what led to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from battlewright.attacks.description import Target
from battlewright.attacks.tokens import Floats

__all__ = ["Odds", "Stage", "TargetState"]


@dataclass(frozen=True, slots=True)
class Stage:
    """One line of the table that leads from attacks to slain models; all numbers are expectations.

    Attributes:
        name: ``"attacks"``, a step's name, ``"save"``, ``"feel-no-pain"``, ``"damage"``, ``"slain"``.
        rolled: how many tokens come to it.
        passed: how many go on: attacks, hits, wounds, failed saves, wounds lost, models.
        critical: how many of those are critical.
        outcomes: how many come to each outcome, by name.
        volley: name of the weapon.
    """

    name: str
    rolled: float
    passed: float
    critical: float = 0.0
    outcomes: tuple[tuple[str, float], ...] = ()
    volley: str = ""


@dataclass(frozen=True, slots=True)
class TargetState:
    """What is left of a target, as probabilities; handed from one volley to the next.

    Attributes:
        removed: possible states, each the wounds removed from every group along the order in which models are lost.
        probabilities: of each of them.
    """

    removed: tuple[tuple[int, ...], ...]
    probabilities: tuple[float, ...]

    @classmethod
    def unhurt(cls, target: Target) -> TargetState:
        """The target exactly as it is described."""
        return cls(((0,) * len(target.groups),), (1.0,))

    def remaining(self, target: Target) -> list[tuple[float, tuple[tuple[int, ...], ...]]]:
        """For each state its probability and the wounds remaining of each living model of each group."""
        return [
            (p, tuple(_remaining(group.remaining, taken) for group, taken in zip(target.groups, state, strict=True)))
            for state, p in zip(self.removed, self.probabilities, strict=True)
        ]


def _remaining(models: tuple[int, ...], taken: int) -> tuple[int, ...]:
    left = []
    for wounds in models:
        lost = min(wounds, taken)
        taken -= lost
        if wounds > lost:
            left.append(wounds - lost)
    return tuple(left)


@dataclass(frozen=True)
class Odds:
    """The distribution of what one volley, or several in sequence, do to a target.

    Wounds and models are counted from the target as its description has it.

    Attributes:
        target: as described by the first volley.
        damage: probability of each number of wounds really removed, from 0.
        slain: probability of each number of models slain, from 0.
        p_destroyed: probability that no model is left.
        expected_points: points of the models slain, on average.
        state: what is left, with probabilities.
        effects: for each effect the probability of each number of times it is suffered, from 0.
        choices: the alternative taken at each choice point, by volley and point: ``"weapon: lethal"``.
        trials: how many samples the numbers rest on; 0 for exact ones.
    """

    target: Target
    damage: Floats
    slain: Floats
    p_destroyed: float
    expected_points: float
    state: TargetState
    effects: Mapping[str, Floats]
    choices: Mapping[str, str]
    tell: Callable[[Odds], tuple[Stage, ...]] = field(repr=False, compare=False)
    trials: int = 0

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Expected numbers, stage by stage, from attacks to slain models."""
        return self.tell(self)

    @cached_property
    def mean_damage(self) -> float:
        """Wounds removed on average."""
        return float(self.damage @ np.arange(len(self.damage)))

    @cached_property
    def mean_slain(self) -> float:
        """Models slain on average."""
        return float(self.slain @ np.arange(len(self.slain)))

    def error(self, p: Floats | float) -> Floats:
        """The standard errors of probabilities that were sampled; 0 for exact ones."""
        chance = np.asarray(p, dtype=np.float64)
        return np.sqrt(chance * (1.0 - chance) / self.trials) if self.trials else np.zeros_like(chance)

    @property
    def mean_damage_error(self) -> float:
        """The standard error of the mean damage; 0 for an exact one."""
        return _mean_error(self.damage, self.trials)

    @property
    def mean_slain_error(self) -> float:
        """The standard error of the mean number of models slain; 0 for an exact one."""
        return _mean_error(self.slain, self.trials)


def _mean_error(probabilities: Floats, trials: int) -> float:
    if not trials:
        return 0.0
    values = np.arange(len(probabilities))
    mean = float(probabilities @ values)
    return float(np.sqrt(max(float(probabilities @ values**2) - mean**2, 0.0) / trials))
