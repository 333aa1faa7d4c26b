"""Answers to decisions: plain immutable values with a JSON form and a short text form, both of which read back.

::

    {"kind": "pick", "option": "a.3"}                                  pick a.3
    {"kind": "place", "moves": [{"model": 4, "path": [[x, y, z, f]]}]}  place 4:9.25,20,0,90>12,20,0,90
    {"kind": "declare", "attacks": [{"model": 4, "weapon": 0, "profile": 0, "target": "b.1", "count": null}]}
                                                                       declare 4/0/0@b.1
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from battlewright.core.errors import BadInput

__all__ = [
    "Answer",
    "AttackDeclaration",
    "Declare",
    "ModelMove",
    "Pick",
    "Place",
    "Waypoint",
    "answer_from_json",
    "answer_to_json",
    "fault_of",
    "format_answer",
    "parse_answer",
]


@dataclass(frozen=True, slots=True)
class Pick:
    """The choice of one listed option, by its key."""

    option: str


Waypoint: TypeAlias = tuple[int, int, int, int]
"""x, y, z in thousandths of an inch and facing in thousandths of a degree from 0 to 359999."""


@dataclass(frozen=True, slots=True)
class ModelMove:
    """One model's way: the waypoints it passes in straight lines, the last being where it ends.

    A model that is set up has a path of one waypoint. A model that stays where it is may be left out. An empty path
    declares that the model cannot be placed.
    """

    model: int
    path: tuple[Waypoint, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """An ordered list of moves or set-ups, carried out in that order."""

    moves: tuple[ModelMove, ...]


@dataclass(frozen=True, slots=True)
class AttackDeclaration:
    """One use of one weapon: which model, which of its weapons and profiles, at which unit.

    Attributes:
        target: the target unit's printed id.
        count: how many of the weapon's attacks, where they are split between targets; None for all of them.
    """

    model: int
    weapon: int
    profile: int
    target: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Declare:
    """Every attack that a unit declares, before any die is rolled."""

    attacks: tuple[AttackDeclaration, ...]


Answer: TypeAlias = Pick | Place | Declare


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """The JSON form of an answer; :func:`answer_from_json` is its inverse."""
    match answer:
        case Pick(option):
            return {"kind": "pick", "option": option}
        case Place(moves):
            return {
                "kind": "place",
                "moves": [{"model": move.model, "path": [list(waypoint) for waypoint in move.path]} for move in moves],
            }
        case Declare(attacks):
            return {
                "kind": "declare",
                "attacks": [
                    {
                        "model": attack.model,
                        "weapon": attack.weapon,
                        "profile": attack.profile,
                        "target": attack.target,
                        "count": attack.count,
                    }
                    for attack in attacks
                ],
            }


_LARGEST = 10**9
"""The largest number in an answer; larger ones would not fit into the arrays of a state."""


def _whole(value: object, what: str, least: int = -_LARGEST) -> int:
    if type(value) is int and least <= value <= _LARGEST:
        return value
    raise BadInput(f"{what} is {_shown(value)}", expected=f"a whole number from {least} to {_LARGEST}")


def _shown(value: object) -> str:
    """A value from outside for a sentence: short, and however deep or large it is."""
    return "too large" if isinstance(value, int) and abs(value) > _LARGEST else reprlib.repr(value)


def answer_from_json(data: object) -> Answer:
    """Read the JSON form of an answer.

    Raises:
        BadInput: for a value of any other shape.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise BadInput("an answer has no kind", expected='an object with "kind": "pick", "place" or "declare"')
    try:
        match data["kind"]:
            case "pick":
                if not isinstance(data["option"], str):
                    raise BadInput("the option of an answer is no text", expected="an option's key")
                return Pick(data["option"])
            case "place":
                return Place(tuple(_move_from_json(move) for move in _listed(data["moves"])))
            case "declare":
                return Declare(tuple(_attack_from_json(attack) for attack in _listed(data["attacks"])))
    except KeyError as error:
        raise BadInput(f"an answer of kind {data['kind']!r} lacks its {error.args[0]}") from error
    raise BadInput(f"an answer of kind {_shown(data['kind'])} is unknown", expected="pick, place or declare")


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadInput(f"an answer holds {_shown(value)}", expected="a list")
    return value


def _fields(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadInput(f"an answer holds {_shown(value)}", expected="an object")
    return value


def _move_from_json(data: object) -> ModelMove:
    move = _fields(data)
    path = []
    for waypoint in _listed(move["path"]):
        x, y, z, facing = (_whole(value, "a coordinate") for value in _four(waypoint))
        path.append((x, y, z, facing))
    return ModelMove(_whole(move["model"], "a model", 0), tuple(path))


def _four(waypoint: object) -> Sequence[object]:
    if not isinstance(waypoint, Sequence) or isinstance(waypoint, str) or len(waypoint) != 4:
        raise BadInput("a waypoint is misshapen", expected="four whole numbers: x, y, z, facing in thousandths")
    return waypoint


def _attack_from_json(data: object) -> AttackDeclaration:
    attack = _fields(data)
    count = attack.get("count")
    if not isinstance(attack["target"], str):
        raise BadInput("the target of an attack is no text", expected="a unit's id")
    return AttackDeclaration(
        _whole(attack["model"], "a model", 0),
        _whole(attack["weapon"], "a weapon", 0),
        _whole(attack["profile"], "a profile", 0),
        attack["target"],
        None if count is None else _whole(count, "a number of attacks", 1),
    )


def fault_of(answer: object) -> str:
    """What keeps a value from being an answer that reads back as itself, in one sentence; empty when nothing does."""
    match answer:
        case Pick(option):
            return "" if type(option) is str else "The option of an answer is a text"
        case Place(moves):
            return "" if _is_placement(moves) else _PLACE_FAULT
        case Declare(attacks):
            return "" if type(attacks) is tuple and all(map(_is_attack, attacks)) else _DECLARE_FAULT
    return "An answer is a pick, a placement or a declaration"


_PLACE_FAULT = "A placement names models by number, from 0, each with waypoints of four whole numbers of thousandths"
_DECLARE_FAULT = "A declaration names model, weapon and profile by number, from 0, a unit's id, and 1 attack or more"


def _is_placement(moves: object) -> bool:
    """Placements are large and checked often, so this goes over all numbers at once."""
    if type(moves) is not tuple or not _all_are(ModelMove, moves):
        return False
    paths = [move.path for move in moves]
    if not _all_are(tuple, paths):
        return False
    points = list(chain.from_iterable(paths))
    if not _all_are(tuple, points) or not set(map(len, points)) <= {4}:
        return False
    models, numbers = [move.model for move in moves], list(chain.from_iterable(points))
    if not _all_are(int, models) or not _all_are(int, numbers):
        return False
    return (
        min(models, default=0) >= 0
        and max(models, default=0) <= _LARGEST
        and min(numbers, default=0) >= -_LARGEST
        and max(numbers, default=0) <= _LARGEST
    )


def _all_are(kind: type, values: Iterable[object]) -> bool:
    return set(map(type, values)) <= {kind}


def _is_attack(attack: object) -> bool:
    return (
        type(attack) is AttackDeclaration
        and _is_whole(attack.model, 0)
        and _is_whole(attack.weapon, 0)
        and _is_whole(attack.profile, 0)
        and type(attack.target) is str
        and (attack.count is None or _is_whole(attack.count, 1))
    )


def _is_whole(value: object, least: int = -_LARGEST) -> bool:
    return type(value) is int and least <= value <= _LARGEST


def format_answer(answer: Answer) -> str:
    """The short text form of an answer; :func:`parse_answer` is its inverse.

    >>> format_answer(Place((ModelMove(4, ((9250, 20000, 0, 90000),)),)))
    'place 4:9.25,20,0,90'
    """
    match answer:
        case Pick(option):
            return f"pick {option}"
        case Place(moves):
            return " ".join(
                ["place"]
                + [
                    f"{move.model}:" + ">".join(",".join(_milli(value) for value in point) for point in move.path)
                    for move in moves
                ]
            )
        case Declare(attacks):
            return " ".join(
                ["declare"]
                + [
                    f"{attack.model}/{attack.weapon}/{attack.profile}@{attack.target}"
                    + ("" if attack.count is None else f"*{attack.count}")
                    for attack in attacks
                ]
            )


def _milli(value: int) -> str:
    whole, rest = divmod(abs(value), 1000)
    text = f"{whole}.{rest:03d}".rstrip("0").rstrip(".") if rest else str(whole)
    return f"-{text}" if value < 0 else text


def parse_answer(text: str) -> Answer:
    """Read the short text form of an answer: distances in inches, angles in degrees, decimals without exponents.

    Raises:
        BadInput: for text of any other shape.
    """
    kind, _, rest = text.strip().partition(" ")
    try:
        match kind:
            case "pick" if rest:
                return Pick(rest)
            case "place":
                return Place(tuple(_parse_move(move) for move in rest.split()))
            case "declare":
                return Declare(tuple(_parse_attack(attack) for attack in rest.split()))
    except ValueError as error:
        raise BadInput(f"{_shown(text)} is no answer", expected="such as: place 4:9.25,20,0,90>12,20,0,90") from error
    raise BadInput(f"{_shown(text)} is no answer", expected='"pick OPTION", "place MOVES" or "declare ATTACKS"')


_INCHES = re.compile(r"[+-]?\d{1,7}(\.\d{1,15})?", re.ASCII)


def _inches(text: str) -> int:
    if not _INCHES.fullmatch(text):
        raise ValueError(f"{text} is no distance")
    return round(float(text) * 1000)


def _count(text: str, least: int = 0) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= least):
        raise ValueError(f"{text} is no number")
    return int(text)


def _parse_move(text: str) -> ModelMove:
    model, colon, way = text.partition(":")
    if not colon:
        raise ValueError("no path")
    path = []
    for point in way.split(">") if way else ():
        x, y, z, facing = (_inches(value) for value in point.split(","))
        path.append((x, y, z, facing))
    return ModelMove(_count(model), tuple(path))


def _parse_attack(text: str) -> AttackDeclaration:
    weapon_use, _, target = text.partition("@")
    model, weapon, profile = (_count(value) for value in weapon_use.split("/"))
    target, star, count = target.partition("*")
    if not target:
        raise ValueError("no target")
    return AttackDeclaration(model, weapon, profile, target, _count(count, 1) if star else None)
