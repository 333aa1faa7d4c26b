"""Reads the rulebook's YAML and writes the JSON that is shipped.

This module needs only the standard library and PyYAML and imports nothing else of ours, so that the build of a
wheel can load it by its path. The YAML is what people edit; the JSON holds the same, plus an index of ids.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["INDEX", "build", "is_current", "read_index", "read_sources", "source_files"]

INDEX = "index.json"
_TOLD = ("rule", "kind", "phase", "given", "when", "then", "note")
_FIELDS = frozenset(("id", *_TOLD, "values", "default", "table", "confidence", "section"))

Source = dict[str, Any]
"""One file: edition, book, language, source, glossary, chapters; each chapter with id, title, where and rules."""


def source_files(folder: Path) -> list[Path]:
    """The YAML files of the rulebook, by name; empty in an installed wheel, which holds the JSON alone."""
    return sorted(folder.glob("*.yaml"))


def read_sources(folder: Path) -> dict[str, Source]:
    """Every YAML file, by its stem.

    Raises:
        ValueError: for an id that stands twice, or a field that the rulebook does not know; names both.
    """
    import yaml

    sources: dict[str, Source] = {}
    seen: dict[str, str] = {}
    for path in source_files(folder):
        source: Source = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for rule in _rules(source):
            if rule["id"] in seen:
                raise ValueError(f"{rule['id']} stands in {seen[rule['id']]} and again in {path.name}")
            if unknown := set(rule) - _FIELDS:
                raise ValueError(f"{rule['id']} in {path.name} has unknown fields: {', '.join(sorted(unknown))}")
            seen[rule["id"]] = path.name
        sources[path.stem] = source
    return sources


def read_index(sources: dict[str, Source]) -> dict[str, list[str]]:
    """The ids of each file, in the file's order."""
    return {stem: [rule["id"] for rule in _rules(source)] for stem, source in sources.items()}


def is_current(folder: Path) -> bool:
    """Whether the JSON is there and not older than any YAML file beside it."""
    index = folder / INDEX
    if not index.exists():
        return False
    built = index.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= built for path in source_files(folder))


def build(folder: Path) -> list[Path]:
    """Write the JSON of every file and the index, the index last; returns what was written.

    Each file is written beside its place and then moved into it, so that a reader never meets half a file.
    """
    sources = read_sources(folder)
    written = [_write(folder / f"{stem}.json", source) for stem, source in sources.items()]
    return [*written, _write(folder / INDEX, read_index(sources))]


def _rules(source: Source) -> Iterator[dict[str, Any]]:
    for chapter in source["chapters"]:
        yield from chapter["rules"]


def _write(path: Path, content: object) -> Path:
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    part.replace(path)
    return path
