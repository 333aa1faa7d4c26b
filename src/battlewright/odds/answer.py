"""What a question of odds is answered with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.description import Policy, Volley
from battlewright.attacks.distributions import Odds, Stage

__all__ = ["Answer"]

_LEAST = 1e-15
"""Probabilities below this are left out of the JSON form."""


@dataclass(frozen=True)
class Answer:
    """The odds of one or more volleys against a target.

    Attributes:
        edition: id of the edition.
        attack, target: the question, as it was asked.
        volleys: the attacks as they were described.
        odds: the distributions, as the calculator gives them.
        settings: circumstances and other rules, as they were asked.
        policy: which dice are thrown again and how choices are made.
        asked_trials: how many trials were asked for; 0 where the answer is exact if it can be.
    """

    edition: str
    attack: str
    target: str
    volleys: tuple[Volley, ...]
    odds: Odds
    settings: Mapping[str, Any] = field(default_factory=dict)
    policy: Policy = field(default_factory=Policy)
    asked_trials: int = 0

    @property
    def told_settings(self) -> str:
        """The settings in a row: ``"cover, reroll_hits=ones"``."""
        asked = {key: str(value).lower() for key, value in self.settings.items() if value is not None}
        return ", ".join(key if value == "true" else f"{key}={value}" for key, value in asked.items())

    @property
    def slain(self) -> NDArray[np.float64]:
        """The probability of each number of models slain, from 0."""
        return self.odds.slain

    @property
    def damage(self) -> NDArray[np.float64]:
        """The probability of each number of wounds really removed, from 0."""
        return self.odds.damage

    @property
    def mean_slain(self) -> float:
        """Models slain on average."""
        return self.odds.mean_slain

    @property
    def mean_damage(self) -> float:
        """Wounds really removed on average."""
        return self.odds.mean_damage

    @property
    def p_destroyed(self) -> float:
        """The probability that no model of the target is left."""
        return self.odds.p_destroyed

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors of the means and of ``p_destroyed``; empty where the answer is exact."""
        if not self.odds.trials:
            return {}
        return {
            "mean_damage": self.odds.mean_damage_error,
            "mean_slain": self.odds.mean_slain_error,
            "p_destroyed": float(self.odds.error(self.p_destroyed)),
        }

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Expected numbers, stage by stage, from attacks to slain models."""
        return self.odds.stages

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """Ids of the rules at work, in the order in which the attack meets them."""
        found: dict[str, None] = {}
        for each in self.volleys:
            found.update(dict.fromkeys(_rules_of(each)))
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON values; impossible numbers are left out of the distributions."""
        return {
            "edition": self.edition,
            "attack": self.attack,
            "target": self.target,
            "damage": _shares(self.damage),
            "slain": _shares(self.slain),
            "mean_damage": self.mean_damage,
            "mean_slain": self.mean_slain,
            "p_destroyed": self.p_destroyed,
            "effects": {name: _shares(times) for name, times in self.odds.effects.items()},
            "choices": dict(self.odds.choices),
            "stages": [_stage(stage) for stage in self.stages],
            "rules": list(self.rules),
            "trials": self.odds.trials,
            "errors": self.errors,
        }


def _shares(probabilities: NDArray[np.float64]) -> dict[str, float]:
    return {str(number): float(p) for number, p in enumerate(probabilities) if p > _LEAST}


def _stage(stage: Stage) -> dict[str, Any]:
    return {
        "volley": stage.volley,
        "name": stage.name,
        "rolled": stage.rolled,
        "passed": stage.passed,
        "critical": stage.critical,
        "outcomes": dict(stage.outcomes),
    }


def _rules_of(volley: Volley) -> list[str]:
    """The ids of the rulebook that a description names; names of other sources are left out."""
    found = list(volley.rules)
    for dice in volley.dice:
        found += [modifier.rule for modifier in dice.each.modifiers]
    for step in volley.steps:
        found += step.rules
        found += [modifier.rule for modifier in step.modifiers]
        found += [step.reroll.rule] if step.reroll is not None else []
        for outcome in step.outcomes:
            found += outcome.rules
            if outcome.choice is not None:
                found += [rule for way in outcome.choice.alternatives for rule in way.rules]
    for table in volley.saves:
        found += table.rules
    for packet in volley.packets:
        found += packet.rules
        found += [modifier.rule for modifier in packet.damage.modifiers]
    for group in volley.target.groups:
        found += group.feel_no_pain_rules
    return [rule for rule in found if "." in rule]
