"""A battle on disk: JSON lines, the header first, then one line per answer.

Saving is appending, so a crash loses nothing that was written; loading is replaying. The file holds no code and no
object of Python's, only the header's data and the answers in their JSON form.
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

from battlewright.core.decisions import Side, answer_from_json, answer_to_json
from battlewright.core.errors import BadInput, SaveError
from battlewright.core.header import Header, Recorded
from battlewright.core.roster import unprintable_text

__all__ = ["FORMAT", "Recorder", "header_from_json", "header_to_json", "read_record", "record_of_bytes"]

FORMAT = "battlewright-battle-1"
_LONGEST_LINE = 16 * 2**20
_DIGEST = re.compile(r"[0-9a-f]{16}")


def header_to_json(header: Header) -> dict[str, Any]:
    """The header as JSON; :func:`header_from_json` is its inverse."""
    data: dict[str, Any] = _data(header)
    return {"format": FORMAT, **data}


def _data(value: Any) -> Any:
    """Dataclasses and mappings of any kind as objects, sequences as lists."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _data(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: _data(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_data(item) for item in value]
    return value


def header_from_json(data: object, where: str = "") -> Header:
    """Read a header.

    Raises:
        SaveError: for data of any other shape, naming the first fault.
    """
    from pydantic import TypeAdapter, ValidationError  # a saved file is an edge; nothing else needs it

    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SaveError("the first line is no header of a battle", where=where, expected=f'"format": "{FORMAT}"')
    try:
        header = TypeAdapter(Header).validate_python({key: value for key, value in data.items() if key != "format"})
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise SaveError(f"the header's {place} is not usable: {fault['msg']}", where=where) from error
    if contradiction := _contradiction(header):
        raise SaveError(f"the header is not usable: {contradiction}", where=where)
    return header


def _contradiction(header: Header) -> str:
    """What a type cannot say: names can be printed, ids are unique, every model belongs to a component of its unit."""
    if (text := unprintable_text(header.armies)) is not None:
        return f"{text!a} holds a control character"
    units = [unit for army in header.armies for unit in army.units]
    if len({unit.id for unit in units}) < len(units):
        return "two units have the same id"
    for unit in units:
        if not unit.models:
            return f'the unit "{unit.id}" has no models'
        if not all(0 <= model.component < len(unit.components) for model in unit.models):
            return f'a model of "{unit.id}" belongs to none of its components'
    return ""


class Recorder:
    """Appends a battle to a file as it is played: the header at once, each answer when it has been given.

    The file is begun anew; :meth:`reopen` goes on with one that exists.

    Raises:
        SaveError: when the file cannot be opened for writing or written to.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._ends: list[int] = []
        self._file = self._open("wb")
        self._line(header_to_json(header))

    @classmethod
    def reopen(cls, path: Path) -> Recorder:
        """Go on with a saved battle after its last whole answer; what a crash left of another one is cut off.

        Raises:
            SaveError: when the file is no saved battle, or cannot be written to.
        """
        read_record(path)
        recorder = cls.__new__(cls)
        recorder.path = path
        recorder._file = recorder._open("r+b")
        recorder._ends = [recorder._file.tell() for line in iter(recorder._file.readline, b"") if line[-1:] == b"\n"]
        recorder._cut()
        return recorder

    def append(self, recorded: Recorded) -> None:
        """Write one answer and flush it.

        Raises:
            SaveError: when the file cannot be written to, or the answer was given in a copy, which keeps no checksums.
        """
        if not _DIGEST.fullmatch(recorded.checksum):
            raise SaveError("an answer without a checksum cannot be saved", where=str(self.path))
        self._line(
            {
                "n": len(self._ends),
                "side": recorded.side,
                "answer": answer_to_json(recorded.answer),
                "checksum": recorded.checksum,
            }
        )

    def take_back(self) -> None:
        """Take the last answer out of the file, as :meth:`~battlewright.core.battle.Battle.undo` does in the battle.

        Raises:
            SaveError: when it holds no answer, or cannot be written to.
        """
        if len(self._ends) < 2:
            raise SaveError("holds no answer to take back", where=str(self.path))
        self._ends.pop()
        self._cut()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _open(self, mode: str) -> IO[bytes]:
        try:
            file: IO[bytes] = self.path.open(mode)
        except OSError as error:
            self._fail(error)
        return file

    def _line(self, data: dict[str, Any]) -> None:
        line = json.dumps(data, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            self._fail(error)
        self._ends.append(self._file.tell())

    def _cut(self) -> None:
        try:
            self._file.truncate(self._ends[-1])
            self._file.seek(self._ends[-1])
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> NoReturn:
        raise SaveError(f"cannot be written: {error.strerror}", where=str(self.path)) from error


def read_record(path: Path) -> tuple[Header, list[Recorded]]:
    """Read a saved battle without replaying it.

    A last line that was cut short by a crash is passed over: its answer was never acknowledged.

    Raises:
        SaveError: when the file cannot be read, or a line of it is no answer; names the line.
    """
    try:
        with path.open("rb") as file:
            return _read(file, str(path))
    except OSError as error:
        raise SaveError(f"cannot be read: {error.strerror}", where=str(path)) from error


def record_of_bytes(data: bytes, where: str = "the saved battle") -> tuple[Header, list[Recorded]]:
    """A saved battle that was handed over; see :func:`read_record`.

    Args:
        where: what to call it in complaints.

    Raises:
        SaveError: when a line of it is no answer; names the line.
    """
    return _read(io.BytesIO(data), where)


def _read(file: IO[bytes], name: str) -> tuple[Header, list[Recorded]]:
    lines = _lines(file, name)
    first = next(lines, None)
    if first is None:
        raise SaveError("the file is empty", where=name, expected="a saved battle")
    header = header_from_json(_parse(first, f"{name}, line 1"), f"{name}, line 1")
    records: list[Recorded] = []
    for number, line in enumerate(lines, start=2):
        where = f"{name}, line {number}"
        if not line.endswith(b"\n"):
            break
        records.append(_recorded(_parse(line, where), number - 1, where))
    return header, records


def _lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            raise SaveError("has a line that is too long", where=name, expected="a saved battle")
        yield line


def _parse(line: bytes, where: str) -> object:
    try:
        return json.loads(line, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise SaveError("is not UTF-8 text", where=where, expected="a line of a saved battle") from error
    except (ValueError, RecursionError) as error:
        raise SaveError("is no JSON", where=where, expected="a line of a saved battle") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _recorded(data: object, number: int, where: str) -> Recorded:
    if not isinstance(data, dict) or data.get("n") != number or data.get("side") not in (0, 1):
        raise SaveError("is not the next answer", where=where, expected=f'"n": {number} and "side": 0 or 1')
    digest = data.get("checksum")
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise SaveError("has no checksum", where=where, expected="sixteen hexadecimal digits")
    try:
        return Recorded(Side(int(data["side"])), answer_from_json(data.get("answer")), digest)
    except BadInput as error:
        raise SaveError(str(error), where=where) from error
