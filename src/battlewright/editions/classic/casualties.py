"""Removing casualties of fire: who may fall, in what order, and how wounds collect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule

__all__ = [
    "Candidate",
    "common_pool",
    "eligible",
    "may_pick_a_model",
    "next_casualties",
    "one_each_faults",
    "remove",
    "template_wounds",
    "why_not_next",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A model of the unit that was fired at.

    Attributes:
        left, wounds: wounds it has left and had.
        in_range: whether it is within range of the attacking weapons.
        visible: whether the shooter can see it.
        cover: whether it is in cover.
        is_character: whether it is a character.
    """

    row: int
    left: int = 1
    wounds: int = 1
    in_range: bool = True
    visible: bool = True
    cover: bool = False
    is_character: bool = False

    @property
    def is_hurt(self) -> bool:
        """Whether it has lost wounds."""
        return self.left < self.wounds


@rule("4e.core.shooting.casualties")
@rule("3e.casualties.in-range-only", "3e.casualties.visible-only", "3e.casualties.from-the-rear")
def eligible(models: Sequence[Candidate]) -> list[Candidate]:
    """The models that may fall: those within range that the shooter sees, however far back they stand."""
    return [model for model in models if model.in_range and model.visible and model.left]


@rule("3e.multi-wound.pool", "3e.multi-wound.whole-models")
def common_pool(model: Candidate) -> int:
    """Which pool of wounds a model belongs to: one for the whole unit."""
    return 0


@rule("4e.core.shooting.casualties", "4e.core.shooting.whole-models")
@rule("4e.core.shooting.excess-lost")
@rule(
    "3e.casualties.owner-chooses",
    "3e.casualties.open-first",
    "3e.casualties.surplus-lost",
    "3e.multi-wound.whole-models",
    "3e.multi-wound.no-spreading",
    "3e.multi-wound.exception-not-eligible",
)
@rule("3e.instant-kill.unwounded-first", "3e.instant-kill.last-model", "3e.casualties.spare-specialists")
@rule("3e.core.shooting.owners-choice", "3e.core.shooting.whole-models", "3e.multi-wound.pool")
def next_casualties(
    models: Sequence[Candidate], *, outright: bool = False, pool: Callable[[Candidate], int] = common_pool
) -> list[int]:
    """The models among which the owner picks who takes the next unsaved wound; nobody: the wound is lost.

    Models in the open come before those in cover. A model that has already lost wounds takes the next one, so that
    whole models fall; but one that kills outright goes to unhurt models while there are any.

    Args:
        models: of the unit, with the wounds they have left now.
        outright: whether the wound kills whoever takes it.
    """
    open_to = eligible(models)
    tier = [model for model in open_to if not model.cover] or open_to
    hurt = [model for model in tier if model.is_hurt]
    if outright:
        whole = [model for model in open_to if not model.is_hurt]
        return [model.row for model in ([each for each in tier if not each.is_hurt] or whole or tier)]
    if hurt:
        pools = {pool(model) for model in hurt}
        free = [model for model in tier if pool(model) not in pools]
        return [model.row for model in (*hurt, *free)]
    return [model.row for model in tier]


@rule("3e.casualties.owner-chooses", "3e.instant-kill.unwounded-first", "3e.multi-wound.no-spreading")
def why_not_next(row: int, models: Sequence[Candidate], *, outright: bool = False) -> list[Violation]:
    """Why a model may not take the next wound; nothing when it may."""
    if row in next_casualties(models, outright=outright):
        return []
    model = next((each for each in models if each.row == row), None)
    if model is None or not model.left:
        return [Violation("3e.casualties.owner-chooses", f"Model {row} is no living model of the unit")]
    if not model.in_range:
        return [Violation("3e.casualties.in-range-only", f"Model {row} is out of range")]
    if not model.visible:
        return [Violation("3e.casualties.visible-only", f"Model {row} cannot be seen")]
    if outright and model.is_hurt:
        return [Violation("3e.instant-kill.unwounded-first", f"Model {row} is hurt already; unhurt models come first")]
    if model.cover:
        return [Violation("3e.casualties.open-first", f"Model {row} is in cover; models in the open come first")]
    return [Violation("3e.multi-wound.no-spreading", "A model that is hurt already takes the next wound")]


@rule("3e.casualties.spare-specialists", "3e.casualties.surplus-lost", "3e.multi-wound.whole-models")
@rule("3e.multi-wound.pool", "3e.multi-wound.exception-not-eligible", "3e.casualties.in-range-only")
def remove(
    models: Sequence[Candidate],
    wounds: int,
    *,
    outright: bool = False,
    keep: Collection[int] = (),
    pool: Callable[[Candidate], int] = common_pool,
) -> dict[int, int]:
    """The wounds that each model has left after unsaved wounds, those that nobody may take being lost.

    Args:
        keep: rows that the owner spares as long as he may; among the others the last in the list fall first.
    """
    now = {model.row: model for model in models}
    for _ in range(wounds):
        rows = next_casualties(list(now.values()), outright=outright, pool=pool)
        if not rows:
            break
        row = min(rows, key=lambda each: (each in keep, now[each].left, -each))
        taken = now[row].left if outright else 1
        model = now[row]
        now[row] = Candidate(
            row=row,
            left=model.left - taken,
            wounds=model.wounds,
            in_range=model.in_range,
            visible=model.visible,
            cover=model.cover,
            is_character=model.is_character,
        )
    return {row: model.left for row, model in now.items()}


@rule("3e.core.characters.marksmen")
def may_pick_a_model(*, marksman: bool) -> bool:
    """Whether the firer picks the model that he shoots: a marksman does, everybody else leaves it to the owner."""
    return marksman


@rule("3e.multi-wound.exception-template", "3e.multi-wound.record")
def template_wounds(models: Sequence[Candidate], hit: Collection[int], unsaved: int) -> dict[int, int]:
    """The wounds left after a template: each model under it takes a single one at most, so several may be hurt at once.

    Args:
        hit: rows under the template; ``unsaved`` wounds that no save stopped.
    """
    left = {model.row: model.left for model in models}
    for row in [model.row for model in models if model.row in hit and model.left][:unsaved]:
        left[row] -= 1
    return left


@rule("4e.mixed-armour.step-second-round")
@rule("3e.mixed.one-each", "3e.mixed.ex-incubi", "3e.mixed.armour-ignored")
def one_each_faults(shares: Sequence[Sequence[int]], models: Sequence[int]) -> list[Violation]:
    """Why the owner may not share hits out so; nothing when he may.

    Every model must have been given one hit before any gets a second; which hits, and whose armour is how good, is his
    own affair.

    Args:
        shares: for each model the hits it is given, one number per sort of hit.
        models: their rows.
    """
    totals = [sum(share) for share in shares]
    if not totals or max(totals) - min(totals) <= 1:
        return []
    most, least = models[totals.index(max(totals))], models[totals.index(min(totals))]
    return [
        Violation(
            "3e.mixed.one-each",
            f"Model {most} has {max(totals)} hits while model {least} has {min(totals)}",
        )
    ]
