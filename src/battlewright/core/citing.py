"""Rule ids of one book said in those of another, where two editions share a procedure.

A procedure names its rules by the ids of the edition in which it first stood; a later edition says where the same rules
stand in its own book, and whatever a person sees of its battles names them so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

__all__ = ["cited"]

T = TypeVar("T")


def cited(value: T, cites: Mapping[str, str]) -> T:
    """A value with every rule id in it replaced that the mapping names; the value itself where it holds none.

    Goes into tuples and frozen dataclasses, which is what events and violations are made of.
    """
    if not cites:
        return value
    found: T = _cited(value, cites)
    return found


def _cited(value: Any, cites: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return cites.get(value, value)
    if isinstance(value, tuple) and type(value) is tuple:
        changed = tuple(_cited(each, cites) for each in value)
        return value if all(new is old for new, old in zip(changed, value, strict=True)) else changed
    if is_dataclass(value) and not isinstance(value, type):
        changes = {
            field.name: new
            for field in fields(value)
            if field.init and (new := _cited(old := getattr(value, field.name), cites)) is not old
        }
        return replace(value, **changes) if changes else value
    return value
