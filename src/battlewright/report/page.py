"""A battle as one page that needs no network: the table to scale, a slider through the battle, the log with its rules.

Everything that comes from files reaches the page as JSON in which no tag can begin, and is written there as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from importlib import resources
from typing import Any

import battlewright.report.classic
import battlewright.report.eleventh  # noqa: F401  (registers its formatters)
from battlewright.core.battle import Battle
from battlewright.core.decisions import Side
from battlewright.core.events import Event, ModelsMoved
from battlewright.core.header import Header, Result
from battlewright.core.roster import Unit
from battlewright.core.rulebook import entry, is_known
from battlewright.core.table import Battlefield, Objective
from battlewright.editions.classic.events import ObjectiveLaid
from battlewright.editions.edition import EDITIONS
from battlewright.report.board import BOARD_STYLE, Drawing, board_svg, models_of
from battlewright.report.film import Film, Moment
from battlewright.report.narrate import Names, Narrator

__all__ = ["battle_page", "battle_picture", "clear_of_each_other", "film_data", "laid_out"]

_LONGEST_LABEL = 24


def battle_page(film: Film, result: Result | None = None) -> str:
    """The page of a battle that was watched from its start.

    Args:
        film: what was seen.
        result: how the battle ended, None when it did not.

    Raises:
        ValueError: when the film is empty.
    """
    data = film_data(film, result)
    header = film.header
    assert header is not None
    battlefield = laid_out(header, [event for moment in film.moments for event in moment.events])
    board = board_svg(battlefield, models_of(header.armies), styled=False, title=" against ".join(data["sides"]))
    template = resources.files("battlewright.report").joinpath("page.html").read_text(encoding="utf-8")
    return _filled(
        template,
        {
            "TITLE": escape(" against ".join(data["sides"])),
            "BOARD_STYLE": BOARD_STYLE,
            "BOARD": board,
            "DATA": _inert(data),
        },
    )


def film_data(film: Film, result: Result | None = None) -> dict[str, Any]:
    """What was seen of a battle, as JSON values: units, moments with their lines, rules behind the lines.

    Args:
        film: what was seen.
        result: how the battle ended, None when it did not.

    Raises:
        ValueError: when the film is empty.
    """
    if film.header is None:
        raise ValueError("the film shows nothing")
    header = film.header
    battlefield = Battlefield.from_json(header.battlefield)
    names = Names.of_armies(header.armies)
    narrator = Narrator(names)
    moments = [_moment(moment, narrator) for moment in film.moments]
    return {
        "sides": names.sides,
        "edition": EDITIONS[header.edition].title,
        "mission": header.mission,
        "layout": battlefield.name,
        "seed": str(header.seed),
        "table": {"width": battlefield.width, "height": battlefield.height},
        "units": _units(header, names),
        "moments": moments,
        "rules": _rules(film.moments),
        "result": None if result is None else {"winner": result.winner, "score": result.score},
    }


def laid_out(header: Header, events: Iterable[Event]) -> Battlefield:
    """The battlefield of a battle with the objectives that its players have laid, beside those of its layout."""
    field = Battlefield.from_json(header.battlefield)
    points = [event.point for event in events if isinstance(event, ObjectiveLaid)]
    laid = tuple(Objective(f"laid-{number}", point) for number, point in enumerate(points, 1))
    return replace(field, objectives=(*field.objectives, *laid))


def battle_picture(battle: Battle[Any, Any]) -> str:
    """The table of a battle as it stands now, as an SVG drawing with the units' names."""
    header, state = battle.header, battle.state
    names = Names.of_armies(header.armies)
    standing = []
    for model in models_of(header.armies):
        if state.on_table[model.row]:
            x, y, _, facing = (int(value) / 1000 for value in state.position[model.row])
            standing.append(replace(model, x=x, y=y, facing=facing))
    field = laid_out(header, battle.events)
    drawing = Drawing(field.width, field.height)
    labels = []
    for unit in _units(header, names):
        places = [drawing.at(model.x, model.y) for model in standing if model.row in unit["rows"]]
        if places:
            middle = sum(x for x, _ in places) / len(places)
            labels.append((str(unit["label"]), middle, min(y for _, y in places) - 1.1))
    held = dict(holder for event in battle.events if (holder := _holder(event)))
    return board_svg(
        field,
        standing,
        names=clear_of_each_other(labels),
        held=[(objective, side) for objective, side in held.items() if side is not None],
        title=f"{names.sides[0]} against {names.sides[1]}, round {state.round}",
    )


_LINE, _LETTER = 0.95, 0.52
"""Height of a line of the names of units, and the usual width of a letter of theirs, in inches."""


def clear_of_each_other(labels: Sequence[tuple[str, float, float]]) -> list[tuple[str, float, float]]:
    """The names with as many of them moved, a line up or down after the other, as lie over others.

    Where there is no room within seven lines a name stays. The page itself does the same (``clearOf``).
    """
    placed: list[tuple[str, float, float]] = []
    for text, x, y in labels:
        steps = [_LINE * (-(step + 1) // 2 if step % 2 else step // 2) for step in range(15)]
        free = (y + by for by in steps if not any(_overlap((text, x, y + by), other) for other in placed))
        placed.append((text, x, next(free, y)))
    return placed


def _overlap(one: tuple[str, float, float], other: tuple[str, float, float]) -> bool:
    width = (len(one[0]) + len(other[0])) * _LETTER / 2
    return abs(one[1] - other[1]) < width and abs(one[2] - other[2]) < _LINE - 1e-6


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """The template with its parts in place; a part's own text is not searched again."""
    pieces = []
    for number, piece in enumerate(template.split("@@")):
        pieces.append(parts[piece] if number % 2 else piece)
    return "".join(pieces)


def _inert(data: Any) -> str:
    """JSON that can stand inside a script element: no tag or comment can begin in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _units(header: Header, names: Names) -> list[dict[str, Any]]:
    units, row = [], 0
    for side, army in enumerate(header.armies):
        for unit in army.units:
            rows = list(range(row, row + len(unit.models)))
            row += len(rows)
            units.append(
                {
                    "id": unit.id,
                    "name": names.unit(unit.id),
                    "label": _label(unit),
                    "side": side,
                    "rows": rows,
                    "points": unit.points,
                }
            )
    return units


def _label(unit: Unit) -> str:
    """A name short enough for the table: the first component, and how many are attached to it."""
    first, attached = unit.components[0].name, len(unit.components) - 1
    name = first if len(first) <= _LONGEST_LABEL else first[: _LONGEST_LABEL - 1].rstrip() + "…"
    return f"{name} +{attached}" if attached else name


def _moment(moment: Moment, narrator: Narrator) -> dict[str, Any]:
    lines = [
        {"t": line.text, "l": line.level, "s": line.side, "h": line.heading, "r": list(line.rules)}
        for event in moment.events
        for line in narrator.tell(event)
    ]
    return {
        "n": moment.number,
        "side": moment.side,
        "choice": moment.choice,
        "round": moment.round,
        "turn": moment.turn,
        "phase": moment.phase,
        "vp": moment.vp,
        "set": moment.changed,
        "lines": lines,
        "ways": [way for event in moment.events for way in _ways(event)],
        "shots": [shot for event in moment.events if (shot := _shot(event))],
        "held": dict(holder for event in moment.events if (holder := _holder(event))),
    }


def _shot(event: Event) -> tuple[str, str] | None:
    """The unit that attacked and its target, whatever the edition."""
    if event.kind != "attacks-made":
        return None
    told = event.to_json()
    return told["unit"], told["target"]


def _holder(event: Event) -> tuple[str, Side | None] | None:
    """An objective that changed hands and who holds it now, whatever the edition."""
    if event.kind != "objective-control-changed":
        return None
    told = event.to_json()
    return told["objective"], told["side"]


def _ways(event: Event) -> Iterator[list[Any]]:
    """The row and the places of each model that went somewhere."""
    if isinstance(event, ModelsMoved):
        for row, path in event.paths:
            if len(path) > 1:
                yield [row, [point[:2] for point in path]]


def _rules(moments: Sequence[Moment]) -> dict[str, dict[str, str]]:
    """What the rulebook says behind every line."""
    cited = dict.fromkeys(rule_id for moment in moments for event in moment.events for rule_id in event.rules)
    found = (entry(rule_id) for rule_id in cited if is_known(rule_id))
    return {
        rule.id: {"rule": rule.rule, "chapter": rule.chapter.title, "section": rule.section or rule.chapter.where}
        for rule in found
    }
