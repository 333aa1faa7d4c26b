"""``/api/odds``: what an attack does, exactly; the same questions as ``battlewright odds`` takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool

from battlewright.armies import find_unit, unit_of
from battlewright.attacks.tokens import expected_attacks
from battlewright.core.errors import BadInput
from battlewright.core.roster import Army, Unit
from battlewright.core.rulebook import entry, is_known
from battlewright.editions.edition import find_edition
from battlewright.odds import explain, keys, volley
from battlewright.odds.measures import Measure, distribution, quantile
from battlewright.odds.sampling import TRIALS, is_too_large
from battlewright.server.api.armies import shelf_of
from battlewright.server.api.aside import Aside
from battlewright.server.api.refusals import REFUSALS
from battlewright.server.forms import KeyInfo, OddsForm, OddsTold

__all__ = ["router"]

_MOST_ATTACKS = 1_000
_MOST_EXACT = 1_000
"""Attacks times groups of the target, where it has several, that are worked out exactly."""
_MOST_ROLLED = 2_000_000
"""Attacks that are rolled for one answer, over all its trials, where it cannot be exact."""
_FEWEST_TRIALS = 2_000

router = APIRouter(prefix="/api/odds", tags=["odds"], responses=REFUSALS)


@router.get("/keys")
def odds_keys(edition: Annotated[str, Query(max_length=4)] = "11") -> list[KeyInfo]:
    """The settings that questions of an edition take: the key, what it means, and what may stand for it.

    Those that stand for a file are left out: none is read here.
    """
    known = keys(edition).items()
    return [KeyInfo(key=key, text=text, **_taken(text)) for key, text in known if not text.startswith("FILE")]


@router.post("")
async def ask(form: OddsForm, request: Request) -> OddsTold:
    """Put a question; the answer is that of ``odds explain --json``, with the quartiles of both distributions.

    A server has a process for it, so that no question, however large, delays a battle.
    """
    shelf, named = shelf_of(request), {form.army, form.against_army} - {None}
    lists = {str(name): await shelf.army(str(name), form.edition) for name in named}
    reckoner: Aside | None = getattr(request.app.state, "reckoner", None)
    if reckoner is None:
        told = await run_in_threadpool(told_odds, form, lists)
    else:
        told = await reckoner.run(told_odds, form, lists)
    return OddsTold.model_validate(told)


def told_odds(form: OddsForm, lists: Mapping[str, Army]) -> dict[str, Any]:
    """The answer to a question, as JSON values; ``lists`` holds those that it names.

    Raises:
        BadInput: for anything in it that cannot be read.
    """
    answer = _answered(form, lists)
    rules = dict.fromkeys(answer.rules)
    explained = [each.to_json() for each in explain(answer)]
    rules.update(dict.fromkeys(rule for stage in explained for rule in stage["rules"]))
    quartiles = {
        name: [quantile(distribution(answer, measure), share) for share in (0.25, 0.5, 0.75)]
        for name, measure in (("damage", Measure.DAMAGE), ("slain", Measure.SLAIN))
    }
    return {
        **answer.to_json(),
        "settings": answer.told_settings,
        "quartiles": quartiles,
        "explained": explained,
        "told_rules": [
            {"id": rule, "rule": entry(rule).rule, "chapter": entry(rule).chapter.title}
            for rule in rules
            if is_known(rule)
        ],
    }


def _answered(form: OddsForm, lists: Mapping[str, Army]) -> Any:
    attacker = _side(form, form.attack, form.unit, form.army, lists, attacks=True)
    target = _side(form, form.target, form.against, form.against_army, lists, attacks=False)
    asked: dict[str, Any] = dict(form.settings)
    for name in ("weapon", "models", "target_models", "sample", "seed", "edition", "attack", "target"):
        if name in asked:
            raise BadInput(f'"{name}" is no setting', where="settings", expected="one of /api/odds/keys")
    if form.weapon is not None and form.unit is None:
        raise BadInput("a weapon's name goes with a unit", where="weapon", expected="unit")
    if form.unit is None or form.army is not None:
        asked |= {"models": form.models, "weapon": form.weapon}
    if form.against is None or form.against_army is not None:
        asked |= {"target_models": form.target_models}
    trials = _trials(form, attacker, target, asked)
    if trials is not None:
        asked |= {"sample": trials, "seed": form.seed}
    return volley(attacker, target, edition=form.edition, **asked)


def _trials(form: OddsForm, attacker: str | Unit, target: str | Unit, asked: Mapping[str, Any]) -> int | None:
    """How often to roll, so that an answer takes a second or two; None where it can be exact.

    Raises:
        BadInput: for more attacks than are counted.
    """
    sizes = {name: asked.get(name) for name in ("weapon", "models", "target_models")}
    settings = {key: value for key, value in asked.items() if key not in sizes}
    questions = find_edition(form.edition).questions()
    volleys, _ = questions.volleys(attacker, target, settings=settings, **sizes)
    attacks = sum(expected_attacks(each) for each in volleys)
    if attacks > _MOST_ATTACKS:
        raise BadInput(f"{attacks:.0f} attacks are more than are counted here", expected=f"{_MOST_ATTACKS} at most")
    groups = len(volleys[0].target.groups)
    is_long = is_too_large(volleys) or (groups > 1 and attacks * groups > _MOST_EXACT)
    if form.sample is None and not is_long:
        return None
    return min(form.sample or TRIALS, max(_FEWEST_TRIALS, int(_MOST_ROLLED / max(attacks, 1.0))))


def _side(
    form: OddsForm, profile: str | None, name: str | None, army: str | None, lists: Mapping[str, Army], *, attacks: bool
) -> str | Unit:
    """The attacker or the target: a profile in text, a unit of an army, or of a datasheet."""
    by_profile, by_name = ("attack", "unit") if attacks else ("target", "against")
    if (profile is None) == (name is None):
        raise BadInput(f"a question needs {by_profile} or {by_name}, one of them", where=by_profile)
    if profile is not None:
        return profile
    assert name is not None
    if army is not None:
        return unit_of([lists[army]], name)
    models = form.models if attacks else form.target_models
    return find_unit(name, form.edition, models=models, weapon=form.weapon if attacks else None)


def _taken(text: str) -> dict[str, Any]:
    """What may stand for a setting, as its description begins: ``±n``, ``n``, ``ones|all``, ``3+ to 6+``."""
    if text.startswith("±n"):
        return {"kind": "modifier"}
    if text.startswith(("n,", "inches")):
        return {"kind": "number"}
    if "|" in text.split(",")[0]:
        return {"kind": "choice", "values": text.split(",")[0].split("|")}
    if (found := re.match(r"(\d)\+ to (\d)\+", text)) is not None:
        return {"kind": "choice", "values": [f"{number}+" for number in range(int(found[1]), int(found[2]) + 1)]}
    if text.startswith("weapon abilities"):
        return {"kind": "text"}
    return {"kind": "flag"}
