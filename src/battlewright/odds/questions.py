"""Questions in text, put to the edition and to the calculator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battlewright.attacks.exact import exact
from battlewright.core.errors import BadInput
from battlewright.core.roster import Unit
from battlewright.editions.edition import find_edition
from battlewright.odds.answer import Answer
from battlewright.odds.sampling import MOST_TRIALS, TRIALS, is_too_large, sampled

__all__ = ["keys", "volley"]


def keys(edition: str = "11") -> Mapping[str, str]:
    """The settings that questions of an edition take, each with a line that says what it means.

    Raises:
        BadInput: for an edition that is not known or not built.
    """
    return find_edition(edition).questions().keys


def volley(
    attack: str | Unit,
    target: str | Unit,
    *,
    edition: str = "11",
    weapon: str | None = None,
    models: int | None = None,
    target_models: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    **settings: Any,
) -> Answer:
    """The odds of attacks against a target: exact, or sampled where that is asked for or they are too large.

    What is too large, :mod:`battlewright.odds.sampling` says; the answer's ``odds.trials`` is then not 0.

    Args:
        attack: one weapon or several, joined by `` + ``, resolved in that order; or a unit of a list, which uses
            its weapons as is best on average.
        target: one group of models or several, joined by `` + ``; or a unit of a list.
        weapon: for a unit, the only weapon to use.
        models: how many models attack: each with every weapon of the text (1 by default), or of the unit.
        target_models: how many models the target has, whatever its text or list says.
        sample: roll so many trials instead, up to two million.
        seed: of the trials.
        settings: circumstances and other rules, see :func:`keys`.

    Raises:
        ProfileError: for a profile that cannot be read.
        BadInput: for a setting or an edition that is not known.
    """
    volleys, policy = (
        find_edition(edition)
        .questions()
        .volleys(attack, target, weapon=weapon, models=models, target_models=target_models, settings=settings)
    )
    asked = [side if isinstance(side, str) else side.name for side in (attack, target)]
    if sample is not None and not 1 <= sample <= MOST_TRIALS:
        raise BadInput(f"{sample} trials are out of bounds", where="sample", expected=f"1 to {MOST_TRIALS}")
    if sample is not None or is_too_large(volleys):
        odds = sampled(volleys, policy, sample or TRIALS, seed)
    else:
        odds = exact(volleys, policy)
    told = {"weapon": weapon, "models": models, "target_models": target_models, **settings}
    return Answer(edition, asked[0], asked[1], volleys, odds, told, policy, sample or 0)
