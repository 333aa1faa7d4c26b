"""Small YAML and JSON files from strangers: bounded in size, plain data only, one sentence for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from battlewright.core.errors import BadInput

__all__ = ["LARGEST_FILE", "parse_plain", "read_plain"]

LARGEST_FILE = 2_000_000
"""Characters of the largest file that is read."""


def read_plain(path: Path) -> Any:
    """The value of a YAML or JSON file.

    Raises:
        BadInput: when it cannot be read, is too large, or is neither.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LARGEST_FILE + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise BadInput(f"cannot be read: {reason}", where=str(path)) from error
    return parse_plain(text, str(path))


def parse_plain(text: str, where: str) -> Any:
    """The value of a YAML or JSON text, its size bounded and aliases refused, so that it cannot grow.

    Raises:
        BadInput: when it is too large or not well-formed; names ``where`` and the line.
    """
    import yaml

    if len(text) > LARGEST_FILE:
        raise BadInput("the file is too large", where=where, expected=f"at most {LARGEST_FILE} characters")
    try:
        if text.lstrip().startswith("{"):
            return json.loads(text)
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.CSafeLoader)):
            raise BadInput("YAML aliases are not read", where=where)
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}" if mark is not None else ""
        raise BadInput("not well-formed YAML or JSON", where=": ".join(p for p in (where, line) if p)) from error
