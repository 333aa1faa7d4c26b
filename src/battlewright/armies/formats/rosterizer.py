"""Rosterizer's JSON: a tree of assets, each named "Classification§Designation"."""

from __future__ import annotations

from typing import Any

from battlewright.armies.formats.adapter import Adapter, check_edition, over_data_set
from battlewright.armies.formats.json_tree import MAX_DEPTH, as_dict, as_text, count_of, dicts
from battlewright.armies.parsed import MAX_MODELS, MAX_UNITS, Item, ModelGroup, ParsedList, ParsedUnit
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["ROSTERIZER"]


def _detects(source: Source) -> bool:
    return source.looks_like_json and '"assets"' in source.text and "§" in source.text


def _parse(source: Source) -> ParsedList:
    document = as_dict(source.json)
    rulebook = as_dict(document.get("rulebook"))
    for key in ("name", "game"):
        check_edition(as_text(rulebook.get(key)), None, source)
    roster = as_dict(document.get("snapshot")) or as_dict(
        as_dict(as_dict(document.get("history")).get("present")).get("roster")
    )
    parsed = ParsedList(name=as_text(roster.get("name")), points=_points(roster))
    for asset in _children(roster):
        _top(asset, parsed, source)
    if not parsed.units:
        raise ArmyError("the roster names no units", where=source.where)
    return parsed


def _top(asset: dict[str, Any], parsed: ParsedList, source: Source) -> None:
    kind, name = _kind(asset)
    match kind:
        case "faction":
            parsed.faction = name
        case "detachment":
            parsed.detachments.append((name, None))
        case "force disposition":
            parsed.dispositions.append((name, None))
        case "battle size" | "trait":
            pass
        case _ if _points(asset) is not None or kind in ("unit", "squad", "character", "epic hero", "model"):
            if len(parsed.units) >= MAX_UNITS:
                raise ArmyError(f"the roster has more than {MAX_UNITS} entries", where=source.where)
            count = count_of(asset.get("quantity"), f"{source.where}, {name}", MAX_MODELS)
            unit = ParsedUnit(name=name, points=_points(asset), stated_models=count)
            _under(asset, unit, None, source, 0)
            if unit.models and unit.stated_models == 1:
                unit.stated_models = None
            parsed.units.append(unit)
        case _:
            parsed.note(None, f'the asset "{asset.get("item")}" has no effect')


def _under(parent: dict[str, Any], unit: ParsedUnit, group: ModelGroup | None, source: Source, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ArmyError(f"assets are nested more than {MAX_DEPTH} deep", where=source.where)
    for asset in _children(parent):
        kind, name = _kind(asset)
        where, inner = f"{source.where}, {name}", group
        if kind == "model":
            inner = ModelGroup(name, count_of(asset.get("quantity"), where, MAX_MODELS))
            unit.models.append(inner)
        elif kind == "enhancement":
            unit.enhancements.append(Item(name, 1))
            unit.points = (unit.points or 0) + (_points(asset) or 0)
        elif name.lower() == "warlord":
            unit.warlord = True
        elif name.lower().startswith("attachment:"):
            role, _, target = name.partition(":")[2].partition("->")
            unit.role, unit.leads = role.strip().lower(), target.replace("[provisional]", "").strip()
        else:
            if points := _points(asset):
                unit.points = (unit.points or 0) + points
            (group.items if group else unit.items).append(Item(name, count_of(asset.get("quantity"), where)))
        _under(asset, unit, inner, source, depth + 1)


def _children(asset: dict[str, Any]) -> list[dict[str, Any]]:
    assets = as_dict(asset.get("assets"))
    return [*dicts(assets.get("included")), *dicts(assets.get("traits"))]


def _kind(asset: dict[str, Any]) -> tuple[str, str]:
    kind, _, designation = as_text(asset.get("item")).partition("§")
    return kind.lower(), as_text(asset.get("name")) or designation


def _points(asset: dict[str, Any]) -> int | None:
    value = as_dict(as_dict(asset.get("stats")).get("Points")).get("value")
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9 else None


ROSTERIZER = Adapter("Rosterizer's JSON", _detects, over_data_set(_parse))
