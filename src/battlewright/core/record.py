"""A battle on disk: JSON lines, the header first, then one line per answer.

Saving is appending, so a crash loses nothing that was written; loading is replaying. The file holds no code and no
object of Python's, only the header's data and the answers in their JSON form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from battlewright.core.battle import Header, Recorded
from battlewright.core.decisions import Side, answer_from_json, answer_to_json
from battlewright.core.errors import BadInput, SaveError

__all__ = ["FORMAT", "Recorder", "header_from_json", "header_to_json", "read_record"]

FORMAT = "battlewright-battle-1"
_LONGEST_LINE = 16 * 2**20


def header_to_json(header: Header) -> dict[str, Any]:
    """The header as JSON; :func:`header_from_json` is its inverse."""
    return {"format": FORMAT, **asdict(header)}


def header_from_json(data: object, where: str = "") -> Header:
    """Read a header.

    Raises:
        SaveError: for data of any other shape, naming the first fault.
    """
    from pydantic import TypeAdapter, ValidationError  # a saved file is an edge; nothing else needs it

    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SaveError("the first line is no header of a battle", where=where, expected=f'"format": "{FORMAT}"')
    try:
        return TypeAdapter(Header).validate_python({key: value for key, value in data.items() if key != "format"})
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise SaveError(f"the header's {place} is not usable: {fault['msg']}", where=where) from error


class Recorder:
    """Appends a battle to a file as it is played: the header at once, each answer when it has been given.

    Raises:
        SaveError: when the file cannot be opened for writing.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._written = 0
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8")
        except OSError as error:
            raise SaveError(f"cannot be written: {error.strerror}", where=str(path)) from error
        self._line(header_to_json(header))

    def append(self, recorded: Recorded) -> None:
        """Write one answer and flush it."""
        self._written += 1
        self._line(
            {
                "n": self._written,
                "side": recorded.side,
                "answer": answer_to_json(recorded.answer),
                "checksum": recorded.checksum,
            }
        )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _line(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data, separators=(",", ":"), ensure_ascii=False) + "\n")
        self._file.flush()


def read_record(path: Path) -> tuple[Header, list[Recorded]]:
    """Read a saved battle without replaying it.

    A last line that was cut short by a crash is passed over: its answer was never acknowledged.

    Raises:
        SaveError: when the file cannot be read, or a line of it is no answer; names the line.
    """
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        raise SaveError("the file is empty", where=str(path), expected="a saved battle")
    header = header_from_json(_parse(first, f"{path}, line 1"), f"{path}, line 1")
    records: list[Recorded] = []
    for number, line in enumerate(lines, start=2):
        where = f"{path}, line {number}"
        if not line.endswith("\n"):
            break
        records.append(_recorded(_parse(line, where), number - 1, where))
    return header, records


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8") as file:
            while line := file.readline(_LONGEST_LINE):
                yield line
    except OSError as error:
        raise SaveError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise SaveError("is not UTF-8 text", where=str(path), expected="a saved battle") from error


def _parse(line: str, where: str) -> object:
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise SaveError("is no JSON", where=where, expected="a line of a saved battle") from error


def _recorded(data: object, number: int, where: str) -> Recorded:
    if not isinstance(data, dict) or data.get("n") != number or data.get("side") not in (0, 1):
        raise SaveError("is not the next answer", where=where, expected=f'"n": {number} and "side": 0 or 1')
    digest = data.get("checksum")
    if not isinstance(digest, str):
        raise SaveError("has no checksum", where=where, expected="sixteen hexadecimal digits")
    try:
        return Recorded(Side(int(data["side"])), answer_from_json(data.get("answer")), digest)
    except BadInput as error:
        raise SaveError(str(error), where=where) from error
