"""A table of rules told to a reader: what each entry is about, and how an edition decides it.

Functions tell themselves by their descriptions. Data are told by their values, and by what the chapter says of the
field that holds them.
"""

from __future__ import annotations

import dis
import inspect
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import partial
from typing import Any

from battlewright.core.rulebook import entry as rulebook_entry
from battlewright.core.rulebook import is_known
from battlewright.editions.classic.table import ClassicRules, Origin, entries, origin

__all__ = ["Decided", "about", "decided", "told"]

_UNTOLD = "a formula without a description"


@dataclass(frozen=True, slots=True)
class Decided:
    """How a table decides one entry, for a reader.

    Attributes:
        does: in a sentence: what the function's own description begins with, or the data.
        origin: where the function stands and which rules it cites; None for data.
        describes_itself: whether what it does can be understood without what the entry is about.
    """

    does: str
    origin: Origin | None
    describes_itself: bool = True


def decided(table: ClassicRules, name: str) -> Decided | None:
    """How a table decides the entry of that full name; None where it has none."""
    known = dict(entries(table))
    if name not in known:
        return None
    value = known[name]
    if not callable(value) or is_dataclass(value):
        return Decided(told(value), None, describes_itself=False)
    while isinstance(value, partial):
        value = value.func
    text = " ".join((inspect.getdoc(value) or "").split())
    first = text.split(". ")[0].rstrip(".")
    return Decided(first or _constant(value), origin(table, name), describes_itself=bool(first))


def _constant(function: Any) -> str:
    """What a function without a description answers to everything, if that is one and the same."""
    steps = [step for step in dis.get_instructions(inspect.unwrap(function)) if step.opname != "RESUME"]
    if [step.opname for step in steps] == ["LOAD_CONST", "RETURN_VALUE"]:
        return f"always {told(steps[0].argval)}"
    return _UNTOLD


def about(table: ClassicRules, name: str) -> str:
    """What the entry of that full name holds, as its chapter describes the field; "" where nothing is said of it."""
    part: Any = table
    text = ""
    for word in name.split("."):
        if not is_dataclass(part) or not hasattr(part, word):
            break
        text = _described(type(part), word)
        part = getattr(part, word)
    return text


def _described(kind: type, field: str) -> str:
    """What a class says of one of its fields, in its own entry or, in double backticks, in that of a neighbour."""
    _, _, listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    if not listed:
        return ""
    items = {}
    for item in re.split(r"\n    (?=\w+: )", "\n" + listed.split("\n\n")[0]):
        key, _, text = item.strip().partition(": ")
        items[key] = " ".join(text.split()).rstrip(".")
    parts = [(key, part) for key, text in items.items() for part in [*re.split(r"; (?=``\w+`` )", text)]]
    for key, part in parts:
        found = re.match(r"``(\w+)`` (.*)", part)
        if (found[1] if found else key) == field:
            return found[2] if found else part
    return ""


# -- values -----------------------------------------------------------------------------------------------------


def told(value: object) -> str:
    """A piece of data in words.

    A table of values is told by those of its fields that are not as they are unless something else is said.

    >>> told(None), told(True), told(12.0), told(("a", "b"))
    ('none', 'yes', '12', 'a, b')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        return _of_rule(str(value))
    if is_dataclass(value) and not isinstance(value, type):
        return _fields_told(value)
    if isinstance(value, Mapping):
        return "; ".join(f"{told(key)}: {told(each)}" for key, each in value.items()) or "none"
    if isinstance(value, frozenset | set):
        return ", ".join(sorted(map(told, value))) or "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(told, value)) or "none"
    if callable(value):
        name = str(getattr(value, "__name__", ""))
        return name.replace("_", " ") if name.isidentifier() else _UNTOLD
    return str(value)


def _fields_told(value: Any) -> str:
    if "__str__" in type(value).__dict__:
        return str(value)
    shown = [(field.name, getattr(value, field.name)) for field in fields(value)]
    usual = {field.name: _default(field) for field in fields(value)}
    parts = [(name, each) for name, each in shown if usual[name] is MISSING or each != usual[name]]
    words = [
        name.replace("_", " ") if each is True else f"{name.replace('_', ' ')} {told(each)}" for name, each in parts
    ]
    return ", ".join(words) or "as usual"


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _of_rule(text: str) -> str:
    """A text as it is; behind the id of a rule what the rule says."""
    return f"{text} ({rulebook_entry(text).rule})" if is_known(text) else text
