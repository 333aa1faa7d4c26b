"""Taking in a file or text from a stranger: found, bounded, decoded, or refused with one sentence."""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from battlewright.core.errors import ArmyError

__all__ = ["MAX_BYTES", "MAX_LINE", "Source", "read_source", "source_of_bytes"]

MAX_BYTES = 8_000_000
"""The largest list, unpacked, that is read."""
MAX_LINE = 2_000
"""The longest line of a text list."""
_MAX_PATH = 1_024


@dataclass(frozen=True)
class Source:
    """An army list's text and where it came from.

    Attributes:
        where: the file's name, or ``"the list"`` for text that came from no file.
    """

    text: str
    where: str = "the list"

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; those that are too long are refused."""
        lines = self.text.splitlines()
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE:
                raise ArmyError(f"the line has {len(line)} characters, more than {MAX_LINE}", where=self.at(number))
        return lines

    @property
    def head(self) -> str:
        """The first characters, enough to recognise a format by."""
        return self.text[:4_000]

    @cached_property
    def looks_like_json(self) -> bool:
        """Whether it begins as JSON does."""
        return self.text[:200].lstrip()[:1] in ("{", "[")

    @cached_property
    def json(self) -> Any:
        """The text as JSON.

        Raises:
            ArmyError: it is cut short, malformed, nested too deep or holds a number beyond reason.
        """
        try:
            return json.loads(self.text, parse_constant=_no_constant)
        except json.JSONDecodeError as fault:
            raise ArmyError(f"the JSON is broken or cut short: {fault.msg}", where=self.at(fault.lineno)) from fault
        except RecursionError:
            raise ArmyError("the JSON is nested too deep", where=self.where) from None
        except ValueError as fault:
            raise ArmyError(f"the JSON cannot be read: {fault}", where=self.where) from None

    def at(self, line: int | None) -> str:
        """The place of a line, for messages."""
        return self.where if line is None else f"{self.where}, line {line}"


def read_source(path_or_text: str | os.PathLike[str]) -> Source:
    """The text behind a path, or the text itself.

    A string is text when it holds a line break or begins like JSON; anything else names a file.

    Raises:
        ArmyError: no such file, a folder, an empty, too large, packed too tightly, or not a text.
    """
    if isinstance(path_or_text, str):
        if not path_or_text.strip():
            raise ArmyError("the list is empty")
        if "\n" in path_or_text or "\r" in path_or_text or path_or_text.lstrip()[:1] in ("{", "["):
            if len(path_or_text) > MAX_BYTES:
                raise ArmyError(f"the list is larger than {MAX_BYTES // 1_000_000} MB")
            if "\0" in path_or_text:
                raise ArmyError("the list is not a text")
            return Source(path_or_text)
        if len(path_or_text) > _MAX_PATH or "\0" in path_or_text:
            raise ArmyError("the list is one line that names no file", expected="the path of a list, or a list")
    return _from_file(Path(path_or_text))


def _from_file(path: Path) -> Source:
    where = str(path)
    try:
        if path.is_dir():
            raise ArmyError("is a folder, not an army list", where=where)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ArmyError("no such file", where=where) from None
    except OSError as fault:
        raise ArmyError(f"cannot be opened: {fault.strerror or fault}", where=where) from None
    return source_of_bytes(data, where)


def source_of_bytes(data: bytes, where: str = "the list") -> Source:
    """A list as it stands in a file, or in a request; never looked up as a path.

    Raises:
        ArmyError: an empty, too large, packed too tightly, or not a text.
    """
    if len(data) > MAX_BYTES:
        raise ArmyError(f"the file is larger than {MAX_BYTES // 1_000_000} MB", where=where)
    if data[:4] == b"PK\x03\x04":
        data = _unpacked(data, where)
    text = _decoded(data, where)
    if not text.strip():
        raise ArmyError("the file is empty", where=where)
    return Source(text, where)


def _unpacked(data: bytes, where: str) -> bytes:
    """The one member of a zip archive such as a ``.rosz``, never more than the bound of it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) != 1:
                raise ArmyError(f"the archive holds {len(members)} files", where=where, expected="exactly one")
            if members[0].flag_bits & 1:
                raise ArmyError("the archive is locked with a password", where=where)
            with archive.open(members[0]) as member:
                unpacked = member.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError) as fault:
        raise ArmyError(f"the archive is broken: {fault}", where=where) from None
    if len(unpacked) > MAX_BYTES:
        raise ArmyError(f"the archive unpacks to more than {MAX_BYTES // 1_000_000} MB", where=where)
    return unpacked


def _decoded(data: bytes, where: str) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ArmyError("the file is not a text in UTF-8", where=where) from None
    if "\0" in text:
        raise ArmyError("the file is not a text", where=where)
    return text


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")
