"""Lines of sight in the 6th edition: true sight, past everything that does not hide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from battlewright.core.prisms import GROUP, Prisms
from battlewright.core.rulebook import rule
from battlewright.core.sight import Visibility, visibility_matrix
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.sight import LARGE, Body, SightRules, nearest_first

__all__ = ["everybody_hides", "sees_through_everything", "visible_rows"]


def everybody_hides(profile: ModelProfile) -> int:
    """The size of a model for sight: this edition knows no sizes, and any body may hide what is behind it."""
    return LARGE


@rule("6e.core.shooting.line-of-sight")
def sees_through_everything(inside_shooter: bool, inside_target: bool, depth: float) -> bool:
    """Whether sight passes area terrain: nothing blocks but by hiding."""
    return True


@rule("6e.core.shooting.line-of-sight")
def visible_rows(
    rules: SightRules, shooter: Body, models: Sequence[Body], terrain: Prisms | None = None
) -> frozenset[int]:
    """The enemy models that a shooter sees any part of past terrain and past models of other units.

    Args:
        models: every other model on the table that could matter.
        terrain: what of the terrain blocks, as upright bodies with their heights.

    RULING: 6e.core.shooting.line-of-sight models of the target's own unit do not hide one another, for one looks past
    bodies that are less broad than their bases.
    """
    targets = [body for body in models if body.side != shooter.side]
    if not targets:
        return frozenset()
    units = sorted({body.unit for body in (shooter, *models)})
    number = {unit: place for place, unit in enumerate(units)}
    obstacles = Prisms.empty() if terrain is None else Prisms.empty().joined(terrain)
    obstacles.rows[:, GROUP] = -1
    bodies = nearest_first(shooter, [body for body in models if body.unit != shooter.unit])
    if bodies:
        joined = bodies[0].prism.joined(*(body.prism for body in bodies[1:]))
        joined.rows[:, GROUP] = [number[body.unit] for body in bodies]
        obstacles = obstacles.joined(joined)
    ignored = np.zeros((len(targets), len(units)), np.bool_)
    ignored[np.arange(len(targets)), [number[body.unit] for body in targets]] = True
    aims = targets[0].prism.joined(*(body.prism for body in targets[1:]))
    own = np.zeros((1, len(units)), np.bool_)
    own[0, number[shooter.unit]] = True
    seen = visibility_matrix(shooter.prism, aims, obstacles, own, ignored)[0] != Visibility.NONE
    return frozenset(body.row for body, there in zip(targets, seen, strict=True) if there)
