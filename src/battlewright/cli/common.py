"""What every command shares: its options, where its output goes, and how it complains."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from battlewright.core.errors import BadInput
from battlewright.core.rulebook import EDITIONS

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "AnyEdition",
    "AsJson",
    "Edition",
    "Seed",
    "check_seed",
    "complain",
    "edition_of",
    "key_values",
    "may_be_written",
    "ordinal",
    "print_json",
    "say",
    "screen",
    "write_whole",
]

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else.")]
Edition: TypeAlias = Annotated[str, typer.Option("--edition", "-e", metavar="3|4|6|11", help="The edition.")]
AnyEdition: TypeAlias = Annotated[
    str | None, typer.Option("--edition", "-e", metavar="3|4|6|11", help="One edition only.")
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", metavar="N", help="Makes every die repeatable.")]

_LONGEST_COMPLAINT = 900
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
"""What a message may quote from a file but a terminal would obey."""


def edition_of(text: str) -> str:
    """The edition that a text such as ``4``, ``4e`` or ``4th`` names.

    Raises:
        BadInput: when there is no such edition.
    """
    number = re.sub(r"(e|st|nd|rd|th)$", "", text.strip().lower())
    if number not in EDITIONS:
        raise BadInput(f'there is no edition "{text}"', where="--edition", expected="3, 4, 6 or 11")
    return number


def ordinal(edition: str) -> str:
    """How to read an edition aloud: ``"3rd"``, ``"11th"``."""
    from battlewright.editions.edition import EDITIONS as BUILT

    return BUILT[edition].ordinal


def check_seed(seed: int) -> int:
    """The seed itself.

    Raises:
        BadInput: when it is negative or has more than 256 bits.
    """
    if not 0 <= seed < 2**256:
        raise BadInput(f"the seed {seed} is out of bounds", where="--seed", expected="a whole number from 0")
    return seed


def key_values(pairs: Sequence[str], where: str) -> dict[str, str]:
    """Repeated ``key=value`` options as a mapping; a key alone means ``key=true``.

    Raises:
        BadInput: when a key is empty or stands twice.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not key or (equals and not value):
            raise BadInput(f'"{pair}" is no setting', where=where, expected="key=value")
        if key in found:
            raise BadInput(f'"{key}" is set twice', where=where)
        found[key] = value if equals else "true"
    return found


def print_json(value: Any) -> None:
    """Print a value as JSON on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def screen() -> Console:
    """Standard output; a pipe gets plain lines that are not cut to the width of a terminal."""
    from rich.console import Console

    plain = Console(highlight=False)
    return plain if plain.is_terminal else Console(highlight=False, width=120, soft_wrap=False)


def say(message: str) -> None:
    """Tell the person something that is not the command's output."""
    sys.stderr.write(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", message) + "\n")


def complain(message: str) -> None:
    """Tell the person what is wrong, in a few lines at most."""
    text = " ".join(message.split())
    if len(text) > _LONGEST_COMPLAINT:
        text = text[:_LONGEST_COMPLAINT].rsplit(" ", 1)[0] + " ..."
    say(f"battlewright: {text}")


def _part_of(path: Path) -> Path:
    """Where a file is written before it takes its place."""
    if not path.name:
        raise BadInput("is no place for a file", where=str(path))
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def may_be_written(path: Path) -> None:
    """Refuse a path at which no file can be written, before anything long is done for it.

    Raises:
        BadInput: naming the path.
    """
    part = _part_of(path)
    try:
        if path.is_dir():
            raise BadInput("is a folder", where=str(path))
        part.touch()
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
    part.unlink()


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises:
        BadInput: when it cannot be written.
    """
    part = _part_of(path)
    try:
        part.write_text(text, encoding="utf-8", errors="replace")  # half of a surrogate pair is a name too
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
