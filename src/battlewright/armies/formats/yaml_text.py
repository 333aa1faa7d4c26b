"""YAML from strangers: no aliases, bounded size and depth, no key twice, and a line for every fault."""

from __future__ import annotations

from typing import Any

import yaml

from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["MAX_YAML", "Lines", "load_yaml"]

MAX_YAML = 1_000_000
"""The longest YAML text that is read."""
_MAX_DEPTH = 24

Lines = dict[tuple[str | int, ...], int]
"""The line, counted from 1, of each place in the document."""


def load_yaml(source: Source) -> tuple[Any, Lines]:
    """The document and where each part of it stands.

    Raises:
        ArmyError: broken, too large, nested too deep, with aliases, or with one key twice.
    """
    if len(source.text) > MAX_YAML:
        raise ArmyError(f"the YAML is larger than {MAX_YAML // 1_000_000} MB", where=source.where)
    try:
        _check_events(source)
        loader = yaml.CSafeLoader(source.text)
        try:
            node = loader.get_single_node()
            lines: Lines = {}
            if node is not None:
                _walk(node, (), lines, source)
            return (loader.construct_document(node) if node is not None else None), lines
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line = None if mark is None else mark.line + 1
        raise ArmyError(f"the YAML is broken: {fault.problem or fault.context}", where=source.at(line)) from None
    except yaml.YAMLError as fault:
        raise ArmyError(f"the YAML is broken: {str(fault).splitlines()[0]}", where=source.where) from None
    except ValueError as fault:
        raise ArmyError(f"the YAML holds a value that cannot be read: {fault}", where=source.where) from None


def _line(event: yaml.Event) -> int | None:
    return None if event.start_mark is None else event.start_mark.line + 1


def _check_events(source: Source) -> None:
    depth = 0
    for event in yaml.parse(source.text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise ArmyError("YAML aliases are not allowed", where=source.at(_line(event)))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _MAX_DEPTH:
                raise ArmyError(f"the YAML is nested more than {_MAX_DEPTH} deep", where=source.where)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _walk(node: yaml.Node, place: tuple[str | int, ...], lines: Lines, source: Source) -> None:
    lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _walk(child, (*place, index), lines, source)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, child in node.value:
            name = str(key.value)
            if name in seen:
                raise ArmyError(f'the key "{name}" stands twice', where=source.at(key.start_mark.line + 1))
            seen.add(name)
            _walk(child, (*place, name), lines, source)
            lines[*place, name] = key.start_mark.line + 1
