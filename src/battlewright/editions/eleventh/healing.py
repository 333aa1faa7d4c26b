"""Healing and reviving (02): wounds come back one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule

__all__ = ["Healable", "has_full_wounds", "heal_choices", "heal_model", "heal_unit", "wounds_after"]


@dataclass(frozen=True, slots=True)
class Healable:
    """A model as healing sees it.

    Attributes:
        remaining: wounds it has left; 0 for a destroyed one.
        wounds: its W now.
        starting: the wounds it had at the start of the battle.
    """

    remaining: int
    wounds: int
    starting: int
    is_character: bool = False


@rule("11e.ds-profile.w-zero-destroyed", "11e.core.01.08-destroyed")
def wounds_after(remaining: int, lost: int) -> tuple[int, bool]:
    """The wounds that a model has left after losing some, never below 0, and whether it is destroyed."""
    left = max(0, remaining - lost)
    return left, left == 0


@rule("11e.ds-healing.full-wounds")
def has_full_wounds(model: Healable) -> bool:
    """Whether a model's remaining wounds equal its W."""
    return model.remaining == model.wounds


@rule(
    "11e.ds-healing.wounded-first",
    "11e.ds-healing.revive-when-all-full",
    "11e.ds-healing.no-character-revive",
    "11e.ds-healing.not-above-start",
    "11e.core.02-heal",
)
def heal_choices(models: Sequence[Healable]) -> tuple[int, ...]:
    """The models of a unit that the next wound healed may go to: a wounded one, else a destroyed one to revive.

    No CHARACTER is revived, and no model goes above the wounds it started with. The controlling player picks.
    """
    wounded = tuple(
        n for n, model in enumerate(models) if 0 < model.remaining < model.starting and not has_full_wounds(model)
    )
    if wounded:
        return wounded
    return tuple(n for n, model in enumerate(models) if not model.remaining and not model.is_character)


@rule(
    "11e.ds-healing.unit-heals-up-to",
    "11e.ds-healing.revive-one-wound",
    "11e.ds-healing.revived-then-heals",
)
def heal_unit(
    models: Sequence[Healable], wounds: int, pick: Callable[[Sequence[int]], int] = lambda choices: choices[0]
) -> tuple[int, ...]:
    """Heal a unit: up to so many wounds, one at a time.

    Args:
        pick: which of the possible models a wound goes to; the first by default.

    Returns:
        The wounds that each model then has.
    """
    now = list(models)
    for _ in range(wounds):
        choices = heal_choices(now)
        if not choices:
            break
        at = pick(choices)
        model = now[at]
        now[at] = Healable(model.remaining + 1, model.wounds, model.starting, model.is_character)
    return tuple(model.remaining for model in now)


@rule(
    "11e.ds-healing.model-heals-only-itself",
    "11e.ds-healing.model-heal-excess-lost",
    "11e.core.02-heal-model",
)
def heal_model(model: Healable, wounds: int) -> int:
    """The wounds a model has after a rule healed it alone: no more than it started with, the excess is lost.

    A destroyed model is not revived.
    """
    return min(model.starting, model.remaining + wounds) if model.remaining else 0
