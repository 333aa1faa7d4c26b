"""Joining leaders and supports to the units that the list attaches them to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from battlewright.armies.entries import Entry
from battlewright.armies.names import loose_key
from battlewright.core.roster import Component, Model, Role, Unresolved

__all__ = ["joined"]

Joined: TypeAlias = tuple[list[Component], list[Model], list[str]]
"""Components, models and names of what is not enforced, of one unit."""


def joined(
    entries: Sequence[Entry], component: Callable[[Entry, Role], Component]
) -> tuple[list[Joined], list[Unresolved]]:
    """The units that the entries form, in the list's order, each with its bodyguard first.

    Returns:
        The units, and every attachment that the list tells but that cannot be made.
    """
    notes: list[Unresolved] = []
    followers: dict[int, list[int]] = {}
    bodyguard_of: dict[int, int] = {}
    for leader, guard in [*_by_group(entries, notes), *_by_name(entries, notes)]:
        bodyguard_of[leader] = guard
        followers.setdefault(guard, []).append(leader)
    units: list[Joined] = []
    done: set[int] = set()
    for index in range(len(entries)):
        head = bodyguard_of.get(index, index)
        if head in done:
            continue
        done.add(head)
        units.append(_unit(entries, [head, *followers.get(head, [])], component))
    return units, notes


def _unit(entries: Sequence[Entry], members: list[int], component: Callable[[Entry, Role], Component]) -> Joined:
    components: list[Component] = []
    models: list[Model] = []
    not_enforced: list[str] = []
    for position, member in enumerate(members):
        entry = entries[member]
        components.append(component(entry, _role(entry) if position else Role.UNIT))
        moved: dict[int, Model] = {}
        for model in entry.models:
            if id(model) not in moved:
                moved[id(model)] = replace(model, component=position) if position else model
            models.append(moved[id(model)])
        not_enforced += entry.not_enforced
    return components, models, not_enforced


def _role(entry: Entry) -> Role:
    said = entry.parsed.role or entry.sheet.attachment_role
    return Role.SUPPORT if said == "support" else Role.LEADER


def _by_group(entries: Sequence[Entry], notes: list[Unresolved]) -> list[tuple[int, int]]:
    """Pairs of leader and bodyguard from lists that number their attached units."""
    groups: dict[str, list[int]] = {}
    for index, entry in enumerate(entries):
        if entry.parsed.group:
            groups.setdefault(entry.parsed.group, []).append(index)
    pairs: list[tuple[int, int]] = []
    for name, members in groups.items():
        guards = [each for each in members if entries[each].parsed.role == "bodyguard"]
        if not guards and any(entries[each].parsed.role is None for each in members):
            unsaid = [each for each in members if entries[each].parsed.role is None]
            guards = [each for each in unsaid if entries[each].sheet.attachment_role is None] or unsaid[-1:]
        if len(guards) != 1 or len(members) < 2:
            first = entries[members[0]].parsed
            text = f'"{name}" has {len(guards)} bodyguards and {len(members)} entries; its entries stand alone'
            notes.append(Unresolved(first.line, text))
            continue
        pairs += [(each, guards[0]) for each in members if each != guards[0]]
    return pairs


def _by_name(entries: Sequence[Entry], notes: list[Unresolved]) -> list[tuple[int, int]]:
    """Pairs from lists where a leader says whom it leads and a unit says who is attached to it."""
    pairs: list[tuple[int, int]] = []
    said = {index: list(entry.parsed.led_by) for index, entry in enumerate(entries)}
    for index, entry in enumerate(entries):
        if not entry.parsed.leads:
            continue
        guards = [each for each in range(len(entries)) if each != index and _is(entries[each], entry.parsed.leads)]
        both = [each for each in guards if any(loose_key(name) == loose_key(entry.parsed.name) for name in said[each])]
        free = [each for each in guards if not said[each] and all(each != taken for _, taken in pairs)]
        guard = next(iter([*both, *free]), None)
        if guard is None:
            text = f'{entry.parsed.name} leads "{entry.parsed.leads}", which the list does not hold'
            notes.append(Unresolved(entry.parsed.line, text))
            continue
        said[guard] = [name for name in said[guard] if loose_key(name) != loose_key(entry.parsed.name)]
        pairs.append((index, guard))
    for index, names in said.items():
        for name in names:
            leaders = [
                each
                for each, entry in enumerate(entries)
                if _is(entry, name) and entry.parsed.leads is None and all(each != led for led, _ in pairs)
            ]
            if leaders:
                pairs.append((leaders[0], index))
            else:
                text = f'"{name}" is said to be attached to {entries[index].parsed.name}, but does not say so itself'
                notes.append(Unresolved(entries[index].parsed.line, text))
    return pairs


def _is(entry: Entry, name: str) -> bool:
    return loose_key(entry.parsed.name) == loose_key(name) or loose_key(entry.sheet.name) == loose_key(name)
