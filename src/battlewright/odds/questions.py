"""Questions in text, put to the edition and to the calculator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battlewright.attacks.exact import exact
from battlewright.core.roster import Unit
from battlewright.editions.edition import find_edition
from battlewright.odds.answer import Answer

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
    **settings: Any,
) -> Answer:
    """The exact odds of attacks against a target.

    Args:
        attack: one weapon or several, joined by `` + ``, resolved in that order; or a unit of a list, which uses
            its weapons as is best on average.
        target: one group of models or several, joined by `` + ``; or a unit of a list.
        weapon: for a unit, the only weapon to use.
        models: how many models attack: each with every weapon of the text (1 by default), or of the unit.
        target_models: how many models the target has, whatever its text or list says.
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
    told = {"weapon": weapon, "models": models, "target_models": target_models, **settings}
    return Answer(edition, asked[0], asked[1], volleys, exact(volleys, policy), told, policy)
