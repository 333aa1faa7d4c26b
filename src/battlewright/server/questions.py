"""Questions that a seat may ask about a battle as it stands; nothing changes by them, and they add no rule."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.description import Policy, Volley
from battlewright.attacks.exact import exact
from battlewright.core.battle import Battle
from battlewright.core.decisions import Decision, Declare, Option, Place, Side, answer_from_json, answer_to_json
from battlewright.core.errors import BadInput, CannotAttack
from battlewright.core.roster import Unit
from battlewright.core.table import Battlefield
from battlewright.editions.edition import Inquiries, find_edition
from battlewright.editions.placing.setting_up import SetUpSpace
from battlewright.odds.answer import Answer

__all__ = ["answer_question"]

_MOST_MODELS = 40
_MOST_LINES = 400
_PENETRATION = "penetration"
"""The stage of an attack that is met by armour all round, in the editions that have it."""


@runtime_checkable
class _Reaching(Protocol):
    """Choices that can tell where a model could end."""

    limits: Mapping[int, int]

    def reach_of(self, row: int) -> list[tuple[int, int]]: ...


def answer_question(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    """The fields of an ``answered`` message for one question; ``fault`` where there is no answer."""
    try:
        return _ANSWERS[question["kind"]](battle, sides, question)
    except BadInput as error:
        return {"fault": str(error)}


def _own(battle: Battle[Any, Any], sides: Sequence[Side]) -> Decision:
    if battle.decision is None or battle.decision.side not in sides:
        raise BadInput("there is nothing for this seat to choose")
    return battle.decision


def _default(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    return {"answer": answer_to_json(_own(battle, sides).default())}


def _sample(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    return {"answer": answer_to_json(_own(battle, sides).sample(random.Random(question["seed"])))}


@runtime_checkable
class _Heading(Protocol):
    """Choices that find a legal placement near a point, in inches."""

    def towards(self, goal: tuple[float, float]) -> Place: ...


def _towards(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    decision = _own(battle, sides)
    x, y = question["point"]
    match decision.choices:
        case SetUpSpace() as setting_up:
            found = setting_up.pack((x / 1000, y / 1000))
        case _Heading() as moving:
            found = moving.towards((x / 1000, y / 1000))
        case _:
            raise BadInput("nothing is to be placed now")
    if decision.check(found):
        raise BadInput("no legal place was found near there")
    return {"answer": answer_to_json(found)}


# --- reach -----------------------------------------------------------------------------------------------------------


def _reach(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    choices = _own(battle, sides).choices
    if not isinstance(choices, _Reaching):
        raise BadInput("nothing moves now")
    asked = list(choices.limits) if question["models"] is None else question["models"]
    rows = [row for row in asked if row in choices.limits][:_MOST_MODELS]
    return {
        "reach": [
            {
                "model": row,
                "start": battle.state.position[row].tolist(),
                "most": choices.limits[row],
                "outline": choices.reach_of(row),
            }
            for row in rows
        ]
    }


# --- sight and range -------------------------------------------------------------------------------------------------


def _pair(battle: Battle[Any, Any], question: dict[str, Any]) -> tuple[int, int, Inquiries]:
    """The two units of a question, both on the table."""
    found = []
    for name in (question["unit"], question["target"]):
        index = battle.scene.by_id.get(name)
        if index is None:
            raise BadInput(f'there is no unit "{name}"')
        rows = battle.state.units[index].models
        if not any(battle.state.on_table[row] for row in rows):
            raise BadInput(f"{battle.scene.units[index].name} is not on the table")
        found.append(int(index))
    return found[0], found[1], find_edition(battle.header.edition).inquiries()


def _range(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    unit, target, inquiries = _pair(battle, question)
    if not inquiries.may_measure(battle.scene, battle.state, unit):
        raise BadInput("this edition does not let anybody measure before declaring")
    distance = inquiries.distance(battle.scene, battle.state, unit, target)
    return {"range": round(distance, 3)} if math.isfinite(distance) else {"fault": "there is no distance"}


def _sight(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    unit, target, inquiries = _pair(battle, question)
    scene, state = battle.scene, battle.state
    observers, targets, seen = inquiries.sees(scene, state, unit, target)
    rule = battle.rules.cites.get(inquiries.sight_rule, inquiries.sight_rule)
    look = _of(int(seen.any(axis=1).sum()), len(observers)) if observers else "nobody looks"
    words = (
        look if len(targets) == 1 else f"{look}, {int(seen.any(axis=0).sum())} of its {len(targets)} models are seen"
    )
    return {
        "sight": {
            "visible": bool(seen.any()),
            "words": words,
            "rule": rule,
            "cover": inquiries.has_cover(scene, state, unit, target),
            "lines": list(_lines(battle, observers, targets, seen)),
        }
    }


def _of(seeing: int, looking: int) -> str:
    if looking == 1:
        return "sees it" if seeing else "does not see it"
    return f"{seeing} of {looking} models see it"


def _lines(
    battle: Battle[Any, Any], observers: Sequence[int], targets: Sequence[int], seen: NDArray[np.bool_]
) -> Iterator[dict[str, Any]]:
    """A line for each model that looks: to the nearest that it sees, else to the nearest, and what it meets first."""
    places, obstacles = battle.state.position[:, :2].astype(np.float64) / 1000, _Obstacles(battle)
    for place, row in enumerate(observers[:_MOST_LINES]):
        away = np.hypot(*(places[list(targets)] - places[row]).T)
        free = bool(seen[place].any())
        nearest = int(np.argmin(np.where(seen[place], away, np.inf) if free else away))
        other = targets[nearest]
        blocked = "" if free else obstacles.first_met(places[row], places[other], (row, other))
        yield {
            "model": row,
            "target": other,
            "free": free,
            "start": battle.state.position[row, :2].tolist(),
            "end": battle.state.position[other, :2].tolist(),
            "blocked_by": blocked,
        }


class _Obstacles:
    """What a straight line on the table may meet: outlines of terrain, and models."""

    def __init__(self, battle: Battle[Any, Any]) -> None:
        field: Battlefield = battle.scene.battlefield
        outlines = [
            (name, np.array(polygon, np.float64))
            for area in field.areas
            for name, polygon in [(area.id, area.polygon), *((each.id, each.polygon) for each in area.features)]
        ]
        self._terrain = [f"terrain {name}" for name, corners in outlines for _ in corners]
        self._corners = np.concatenate([corners for _, corners in outlines] or [np.zeros((0, 2))])
        ends = [np.roll(corners, -1, axis=0) for _, corners in outlines]
        self._sides = np.concatenate(ends or [np.zeros((0, 2))]) - self._corners
        models = [model for model in battle.scene.models if battle.state.on_table[model.row]]
        self._models = [model.name for model in models]
        self._rows = np.array([model.row for model in models], np.int64)
        self._radii = np.array([model.base.core_radius for model in models], np.float64)
        self._places = battle.state.position[self._rows, :2].astype(np.float64) / 1000

    def first_met(self, start: NDArray[np.float64], end: NDArray[np.float64], without: Sequence[int]) -> str:
        """What a line meets first, in words, some models left out; nothing where it meets nothing."""
        way, to = end - start, self._corners - start
        cross = way[0] * self._sides[:, 1] - way[1] * self._sides[:, 0]
        safe = np.where(np.abs(cross) < 1e-12, np.nan, cross)
        along = (to[:, 0] * self._sides[:, 1] - to[:, 1] * self._sides[:, 0]) / safe
        across = (to[:, 0] * way[1] - to[:, 1] * way[0]) / safe
        crossed = (along > 0) & (along < 1) & (across >= 0) & (across <= 1)
        met = [(float(along[side]), self._terrain[side]) for side in np.flatnonzero(crossed)]
        to = self._places - start
        part = to @ way / (float(way @ way) or 1.0)
        beside = np.hypot(*(to - part[:, None] * way).T)
        touched = (part > 0) & (part < 1) & (beside <= self._radii) & ~np.isin(self._rows, without)
        met += [(float(part[model]), self._models[model]) for model in np.flatnonzero(touched)]
        return min(met)[1] if met else ""


# --- odds ------------------------------------------------------------------------------------------------------------


def _odds(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    edition = find_edition(battle.header.edition)
    if question["answer"] is not None:
        _own(battle, sides)
        given = answer_from_json(question["answer"])
        assert isinstance(given, Declare)
        volleys = edition.inquiries().declared(battle, given)
        return {"odds": [_told(battle, target, each, Policy()) for target, each in volleys.items()]}
    if question["unit"] is None or question["target"] is None:
        raise BadInput("a question of odds needs a declaration, or a unit and a target")
    unit, target, inquiries = _pair(battle, question)
    melee = question["melee"]
    if melee is None:
        chooser = battle.state.turn if battle.decision is None else battle.decision.side
        melee = inquiries.is_close(battle.scene, battle.state, chooser)
    settings: dict[str, Any] = {"melee": "true" if melee else "false"}
    settings |= inquiries.circumstances(battle.scene, battle.state, unit, target, close=melee)
    if not melee and inquiries.may_measure(battle.scene, battle.state, unit):
        settings["range"] = round(inquiries.distance(battle.scene, battle.state, unit, target), 2)
    attacker, defender = _as_it_stands(battle, unit), _as_it_stands(battle, target)
    weapons: Sequence[str | None] = question.get("weapons") or (None,)
    if question.get("option") is not None:
        option = _option(_own(battle, sides), question["option"])
        weapons = option.weapons or (None,)
        settings |= dict(option.settings)
    found: list[Volley] = []
    for weapon in weapons:
        try:
            some, policy = edition.questions().volleys(attacker, defender, weapon=weapon, settings=settings)
        except CannotAttack:
            if weapon is weapons[-1] and not found:
                raise
            continue
        found += some
    told = _told(battle, target, found, policy)
    arrival = inquiries.arrival(battle.scene, battle.state, unit, target) if melee else None
    if arrival is not None:
        told["arrival"] = {"chance": arrival.chance, "words": arrival.words}
    return {"odds": [told]}


def _option(decision: Decision, key: str) -> Option:
    for option in decision.options():
        if option.key == key:
            return option
    raise BadInput(f'"{key}" is not among the options')


def _as_it_stands(battle: Battle[Any, Any], unit: int) -> Unit:
    """A unit of the list with those of its models that are left."""
    info = battle.scene.units[unit]
    own = battle.state.units[unit].models or info.rows
    left = [row for row in info.rows if row in own and battle.state.wounds[row] > 0]
    models = tuple(info.roster.models[row - info.rows[0]] for row in left)
    roster: Unit = info.roster
    return replace(roster, models=models or roster.models)


def _told(battle: Battle[Any, Any], target: int, volleys: Sequence[Volley], policy: Policy) -> dict[str, Any]:
    info = battle.scene.units[target]
    answer = Answer(battle.header.edition, "", info.name, tuple(volleys), exact(tuple(volleys), policy))
    told = answer.to_json()
    kept = ("damage", "slain", "mean_damage", "mean_slain", "p_destroyed", "stages", "rules")
    found = {"target": info.id, **{name: told[name] for name in kept}}
    if not any(stage["name"] == _PENETRATION for stage in told["stages"]):
        return found
    hits: Counter[str] = Counter()
    for stage in told["stages"]:
        if stage["name"] == _PENETRATION:
            hits.update({name: number for name, number in stage["outcomes"].items() if name.endswith(" hit")})
    results = {name: 1.0 - times.get("0", 0.0) for name, times in told["effects"].items()}
    several = max(map(int, told["damage"]), default=0) > 1 and len(volleys[0].target.groups) == 1
    lost = "hull points" if several else "wounds"
    return {**found, "hits": dict(hits), "results": results, "lost": lost}


_ANSWERS: dict[str, Callable[[Battle[Any, Any], Sequence[Side], dict[str, Any]], dict[str, Any]]] = {
    "default": _default,
    "advice": _default,
    "sample": _sample,
    "towards": _towards,
    "reach": _reach,
    "range": _range,
    "sight": _sight,
    "odds": _odds,
}
