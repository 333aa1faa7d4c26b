"""Events as text at three levels: a line per activation, a line per roll, everything with its rules.

A formatter is registered for each class of event and gives plain text; whoever shows it escapes it for the terminal
or the page. An event of a class without a formatter is told by its name and fields, so that nothing is swallowed.

>>> from battlewright.core.events import PhaseBegan
>>> narrator = Narrator(Names.of_armies(()))
>>> [line.text for line in narrator.tell(PhaseBegan(name="shooting", round=2, turn=0))]
['Round 2, side A: shooting']
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, TypeVar

from battlewright.core.decisions import Side
from battlewright.core.events import Event, ModelsMoved, ModelsRemoved, PhaseBegan, Rolled
from battlewright.core.roster import Army, part_name
from battlewright.report.rolls import is_told_by_what_follows, rolled_for, what_came

__all__ = ["Level", "Line", "Names", "Narrator", "Told", "counted", "dice", "formatted_kinds", "inches", "tells"]

EventT = TypeVar("EventT", bound=Event)


class Level(StrEnum):
    """How much is told."""

    BRIEF = "brief"
    """A line per activation."""
    ROLLS = "rolls"
    """A line per roll."""
    FULL = "full"
    """A line per roll, each with the rules behind it."""

    def shows(self, line: Level) -> bool:
        """Whether a line that belongs to a level is shown at this one."""
        order = list(Level)
        return order.index(line) <= order.index(self)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log, as plain text.

    Attributes:
        text: a sentence without markup; may hold anything that stands in an army list.
        level: the briefest level at which it is shown.
        side: whose doing it is, None for nobody's.
        heading: whether it begins a part of the battle.
        rules: ids of the rules behind it.
    """

    text: str
    level: Level
    side: Side | None = None
    heading: bool = False
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What a formatter says of an event: the text, the level, whose doing it is, whether it is a heading."""

    text: str
    level: Level = Level.ROLLS
    side: Side | None = None
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """What to call sides, units and models.

    Attributes:
        sides: of side a and side b.
        units: by printed id; those of a side that share a name are numbered.
        models: by row.
    """

    sides: tuple[str, str]
    units: dict[str, str]
    models: tuple[str, ...]

    @classmethod
    def of_armies(cls, armies: Sequence[Army]) -> Names:
        """The names that the armies of a battle give; without armies, the letters of the sides."""
        units: dict[str, str] = {}
        for army in armies:
            shared, so_far = Counter(unit.name for unit in army.units), Counter[str]()
            for unit in army.units:
                so_far[unit.name] += 1
                units[unit.id] = unit.name if shared[unit.name] == 1 else f"{unit.name} {so_far[unit.name]}"
        models = tuple(model.name for army in armies for _, model in army.models())
        return cls(_side_names(armies), units, models)

    def unit(self, unit_id: str) -> str:
        """The unit of a printed id, or the part of one; an id that names none stands for itself."""
        whole, _, number = unit_id.rpartition(".")
        if unit_id not in self.units and whole in self.units:
            return part_name(self.units[whole], number)
        return self.units.get(unit_id, unit_id)

    def model(self, row: int) -> str:
        """The model of a row."""
        return self.models[row] if 0 <= row < len(self.models) else f"model {row}"

    def model_of(self, row: int, unit_id: str) -> str:
        """The model of a row with its unit; once where both are called the same."""
        model, unit = self.model(row), self.unit(unit_id)
        return unit if unit.rstrip(" 0123456789") == model else f"{model} of {unit}"

    def side(self, side: Side | None) -> str:
        """A side, or nobody."""
        return "nobody" if side is None else self.sides[side]

    def side_of(self, unit_id: str) -> Side | None:
        """The side a printed id belongs to."""
        return {"a": Side(0), "b": Side(1)}.get(unit_id.partition(".")[0])


def _side_names(armies: Sequence[Army]) -> tuple[str, str]:
    """Factions where they tell the sides apart, else the armies' names, else letters."""
    for names in ([army.faction for army in armies], [army.name for army in armies]):
        if len(names) == 2 and all(names) and names[0] != names[1]:
            return names[0], names[1]
    return "side A", "side B"


Formatter = Callable[[Any, Names], Told | None]
_FORMATTERS: dict[type[Event], Formatter] = {}


def tells(
    kind: type[EventT],
) -> Callable[[Callable[[EventT, Names], Told | None]], Callable[[EventT, Names], Told | None]]:
    """Register a function as the formatter of a class of event; None from it says that nothing is to be told."""

    def register(formatter: Callable[[EventT, Names], Told | None]) -> Callable[[EventT, Names], Told | None]:
        _FORMATTERS[kind] = formatter
        return formatter

    return register


def formatted_kinds() -> frozenset[type[Event]]:
    """The classes of event that have a formatter of their own."""
    return frozenset(_FORMATTERS)


class Narrator:
    """Tells events of one battle.

    Args:
        names: what to call units and sides.
        seen_by: the side that listens, None for somebody who may know everything.
    """

    def __init__(self, names: Names, seen_by: Side | None = None) -> None:
        self.names = names
        self.seen_by = seen_by

    def tell(self, event: Event) -> Iterator[Line]:
        """The lines of one event; none for an event that says nothing or that this listener may not see."""
        if self.seen_by is not None and event.seen_by not in (None, self.seen_by):
            return
        told = _FORMATTERS.get(type(event), _by_fields)(event, self.names)
        if told is not None:
            yield Line(told.text, told.level, told.side, told.heading, event.rules)

    def tell_all(self, events: Iterable[Event], level: Level = Level.FULL) -> Iterator[Line]:
        """The lines of many events that a level shows."""
        for event in events:
            for line in self.tell(event):
                if level.shows(line.level):
                    yield line


def _by_fields(event: Event, names: Names) -> Told:
    told = [
        f"{field.name} {getattr(event, field.name)!r}"
        for field in dataclasses.fields(event)
        if field.name not in ("rules", "seen_by")
    ]
    return Told(f"{event.kind.replace('-', ' ')}: {', '.join(told)}")


# --- words ---------------------------------------------------------------------------------------------------------


def counted(count: int, one: str) -> str:
    """A number with its noun.

    >>> counted(1, "model"), counted(3, "miss")
    ('1 model', '3 misses')
    """
    ending = "es" if one.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{count} {one if count == 1 else one + ending}"


def listed(things: Iterable[str]) -> str:
    """Things by name in the order in which they first come, equal ones with their number.

    >>> listed(["Shotgun", "Bolter", "Shotgun"])
    '2 × Shotgun, Bolter'
    """
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in Counter(things).items())


def dice(faces: Sequence[int]) -> str:
    """Faces as a short text, lowest first when there are many.

    >>> dice((5, 2)), dice((1, 6, 6, 3, 3, 3, 1, 1, 2, 5, 6, 6, 4))
    ('5 2', '1×3 2×1 3×3 4×1 5×1 6×4')
    """
    if len(faces) <= 12:
        return " ".join(str(face) for face in faces)
    return " ".join(f"{face}×{count}" for face, count in sorted(Counter(faces).items()))


def inches(thousandths: float) -> str:
    """A length in thousandths of an inch, to the tenth.

    >>> inches(6000), inches(4449)
    ('6"', '4.4"')
    """
    return f'{round(thousandths / 1000, 1):g}"'


# --- what every edition knows --------------------------------------------------------------------------------------


@tells(PhaseBegan)
def _phase_began(event: PhaseBegan, names: Names) -> Told:
    phase = event.name.replace("-", " ")
    if not event.round:
        return Told(phase.capitalize(), Level.BRIEF, heading=True)
    return Told(f"Round {event.round}, {names.side(event.turn)}: {phase}", Level.BRIEF, event.turn, heading=True)


@tells(Rolled)
def _rolled(event: Rolled, names: Names) -> Told:
    roll = event.roll
    who = names.unit(event.unit) if event.unit else names.side(event.side)
    thrown = f"D{roll.sides}" if len(roll.faces) == 1 else f"{len(roll.faces)}D{roll.sides}"
    text = f"{who}: {rolled_for(roll.purpose)}, {dice(roll.faces)} ({thrown})"
    for reroll in roll.rerolls:
        text += f"; a {reroll.was} again: {reroll.now}"
    if roll.modifiers:
        text += "; " + ", ".join(f"{modifier.amount:+d} ({modifier.rule})" for modifier in roll.modifiers)
    came = what_came(event)
    level = Level.FULL if is_told_by_what_follows(roll.purpose) else Level.ROLLS
    return Told(f"{text} → {came}" if came else text, level, event.side)


@tells(ModelsMoved)
def _models_moved(event: ModelsMoved, names: Names) -> Told | None:
    side, unit = names.side_of(event.unit), names.unit(event.unit)
    if event.how == "set-up":
        return Told(f"{unit}: set up, {counted(len(event.paths), 'model')}", Level.BRIEF, side)
    furthest = max((_length(path) for _, path in event.paths), default=0.0)
    if not furthest:
        turned = any(path[0][3] != path[-1][3] for _, path in event.paths)
        return Told(f"{unit}: {'turns on the spot' if turned else 'no move'}", Level.ROLLS, side)
    how = event.how.replace("-", " ")
    return Told(f"{unit}: {how} move of up to {inches(furthest)}", Level.BRIEF, side)


def _length(path: Sequence[Sequence[int]]) -> float:
    """How far a path leads, in thousandths of an inch, changes of height included."""
    return sum(math.dist(start[:3], end[:3]) for start, end in pairwise(path))


_WHY_REMOVED = {"incoherent": "out of coherency"}


@tells(ModelsRemoved)
def _models_removed(event: ModelsRemoved, names: Names) -> Told:
    models = listed(names.model(row) for row in event.models)
    why = _WHY_REMOVED.get(event.why, event.why)
    gone = "destroyed" if event.why == "destroyed" else f"removed ({why})"
    unit = names.unit(event.unit)
    text = f"{unit}: {gone}" if models == unit else f"{unit}: {models} {gone}"
    if event.details:
        text += ": " + "; ".join(event.details)
    return Told(text, Level.ROLLS, names.side_of(event.unit))
