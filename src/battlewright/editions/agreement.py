"""The agreement of two players: which switches of an edition they have ticked, as a small file.

    edition: "3"
    options:
      march_moves: yes

What the file leaves out is played by the settled reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from battlewright.core.errors import BadInput
from battlewright.core.plain_files import read_plain
from battlewright.core.rulebook import entries
from battlewright.editions.edition import EDITIONS, find_edition

__all__ = ["Agreement", "agreement_text", "read_agreement", "switch_rows", "with_files"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What was agreed for which edition: switches by name, those left out at their defaults."""

    edition: str
    options: Mapping[str, str]


def switch_rows(edition: str) -> list[dict[str, Any]]:
    """The edition's switches, then those options of its rulebook that no switch stands for, as JSON values.

    Each has ``id`` (of its rule), ``name`` (None for an option that no switch stands for), ``text``, ``values``,
    ``default`` and ``note``.
    """
    found = EDITIONS[edition]
    switches = found.switchboard().options() if "switchboard" in found.parts else ()
    rows = [
        {
            "id": switch.rule,
            "name": switch.name,
            "text": switch.text,
            "values": list(switch.values),
            "default": switch.values[0],
            "note": "\n".join(switch.notes()) if switch.notes is not None else "",
        }
        for switch in switches
    ]
    standing = {row["id"] for row in rows}
    return rows + [
        {
            "id": entry.id,
            "name": None,
            "text": entry.rule,
            "values": list(entry.values),
            "default": entry.default,
            "note": entry.note,
        }
        for entry in entries(edition)
        if entry.kind == "option" and entry.id not in standing
    ]


def with_files(edition: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Options as they are kept: a file that a person has named for one is read, and what it holds stands in its place.

    Raises:
        BadInput: when such a file cannot be read or holds something else; names it.
    """
    found = dict(chosen)
    for switch in find_edition(edition).switchboard().options():
        value = chosen.get(switch.name, "")
        if switch.from_file is not None and Path(value).suffix.lower() in _FILES:
            found[switch.name] = switch.from_file(Path(value))
    return found


_FILES = (".yaml", ".yml", ".json")


def agreement_text(edition: str, options: Mapping[str, str]) -> str:
    """The file for an agreement: YAML in which each switch stands under what it decides."""
    lines = [f"# The agreement of two players for the {EDITIONS[edition].title}.", f'edition: "{edition}"', "options:"]
    for switch in find_edition(edition).switchboard().options():
        lines += [f"  # {switch.text}", f"  #   {' or '.join(switch.values)}"]
        lines.append(f'  {switch.name}: "{options.get(switch.name, switch.default)}"')
    if lines[-1] == "options:":
        lines[-1] = "options: {}"
    return "\n".join(lines) + "\n"


def read_agreement(path: Path) -> Agreement:
    """Read a saved sheet.

    Raises:
        BadInput: when it cannot be read, is no such sheet, or names something that is unknown; names it.
    """
    value = read_plain(path)
    where = str(path)
    if not isinstance(value, dict) or set(value) - {"edition", "options"} or "edition" not in value:
        raise BadInput("is no sheet of options", where=where, expected="edition and options, and nothing else")
    options = value.get("options") or {}
    if not isinstance(options, dict):
        raise BadInput("options is no mapping", where=where, expected="a value for each name")
    chosen = {str(name): _word(each) for name, each in options.items()}
    try:
        edition = find_edition(str(value["edition"]))
        edition.switchboard().resolve_options(chosen)
    except BadInput as error:
        raise BadInput(error.what, where=where, expected=error.expected, nearest=error.nearest) from error
    return Agreement(edition.id, chosen)


def _word(value: object) -> str:
    """A value as the switches write it; YAML reads yes and no as truth values."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
