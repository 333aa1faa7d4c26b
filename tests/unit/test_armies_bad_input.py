"""What is no list, too much of a list, or a list for another edition: one sentence each."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path

import pytest

from battlewright.armies import load_army
from battlewright.armies.reading import MAX_BYTES
from battlewright.core.errors import ArmyError

SMALL = 'edition: "11"\nname: X\nfaction: Y\npoints: 1\nunits:\n  - name: {name}\n    points: 1\n'
SMALL += """    stats: 'M6" T4 Sv3+ W2 Ld6+ OC1'\n""" + "    base: 32mm\n    height: 1.5\n    models: [{{}}]\n"
HEADING = "++++\n+ FACTION KEYWORD: Xenos - Necrons\n+ DETACHMENT: Awakened Dynasty\n+ TOTAL ARMY POINTS: 70pts\n++++\n"


def refused(given: str | Path, edition: str | None = None) -> ArmyError:
    with pytest.raises(ArmyError) as caught:
        load_army(given, edition)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return caught.value


def file(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_an_empty_list(text: str, tmp_path: Path) -> None:
    assert refused(text).what == "the list is empty"
    assert refused(file(tmp_path / "list.txt", text.encode())).what == "the file is empty"


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    assert str(refused("no/such/list.txt")) == "no/such/list.txt: no such file"
    assert refused(tmp_path / "list.txt").what == "no such file"
    assert "folder" in refused(tmp_path).what


def test_what_is_no_list() -> None:
    error = refused("Dear diary,\ntoday it rained.\n")
    assert error.what == "no army list of a known format"
    assert "app" in error.expected


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not a text"),
        (b"\xff\xfe\xfd\xfc" * 9, "no army list"),
        (b"caf\xe9 (10 Points)\n", "UTF-8"),
        (b"PK\x03\x04" + b"x" * 100, "archive is broken"),
        (b"x" * (MAX_BYTES + 1), "larger than 8 MB"),
        (b"List (100 Points)\n" + b"a" * 500_000, "characters, more than"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"roster": {"forces": [', "broken or cut short"),
        (b'{"roster": {"forces": 5, "name": NaN}}', "NaN"),
        (b'{"roster": {"forces": 5}}', "names no units"),
        (b'{"a": ' + b"9" * 10_000 + b', "roster": 1, "forces": 2}', "cannot be read"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_broken_and_oversized_files(data: bytes, says: str, tmp_path: Path) -> None:
    path = file(tmp_path / "list.txt", data)
    if data.startswith(b"["):
        data = data + b'"roster" "forces"'
        path = file(path, b'{"roster": 1, "forces": ' + data)
    assert says in str(refused(path))


def archive(*members: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for name, data in members:
            into.writestr(name, data)
    return packed.getvalue()


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    bomb = archive(("a.ros", b"0" * 60_000_000))
    assert len(bomb) < 100_000
    assert "unpacks to more than 8 MB" in str(refused(file(tmp_path / "a.rosz", bomb)))


def test_an_archive_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    bomb = bytearray(archive(("a.ros", b"0" * 60_000_000)))
    central = bomb.rindex(b"PK\x01\x02")
    bomb[central + 24 : central + 28] = struct.pack("<I", 1000)
    assert refused(file(tmp_path / "a.rosz", bytes(bomb)))


def test_an_archive_holds_exactly_one_list(tmp_path: Path) -> None:
    assert "holds 2 files" in str(refused(file(tmp_path / "a.rosz", archive(("a", b"x"), ("b", b"y")))))
    packed = archive(("list.txt", (HEADING + "5x Immortals (70 pts): 5 with Gauss blaster\n").encode()))
    assert load_army(file(tmp_path / "b.zip", packed)).points == 70


def test_a_heading_without_units() -> None:
    assert refused(HEADING).what == "the list names no units"
    assert refused("++++\n+ FACTION KEYWORD: Necrons\n").what == "the list ends within its heading"


def test_counts_beyond_reason_are_refused() -> None:
    assert "counts 999999999" in refused(HEADING + "999999999x Immortals (70 pts): Gauss blaster\n").what
    assert "counts 499995" in refused(HEADING + "5x Immortals (70 pts): 5 with 99999x Gauss blaster\n").what
    many = "1x Overlord (1 pts): Staff of light\n" * 300
    assert "more than 200 entries" in refused(HEADING + many).what
    unit = {"name": "Immortals", "type": "unit", "selections": [{"name": "Immortal", "type": "model", "number": 1e12}]}
    roster = {"roster": {"forces": [{"catalogueName": "Necrons", "selections": [unit]}]}}
    assert "more than 300" in refused(json.dumps(roster)).what


@pytest.mark.parametrize(
    "text",
    [
        HEADING.replace("++++\n+ FACTION", "++++\n+ EDITION: 10th\n+ FACTION", 1) + "1x Overlord (70 pts): Staff\n",
        HEADING.replace("Awakened Dynasty", "Awakened Dynasty, tenth edition") + "1x Overlord (70 pts): Staff\n",
        "My list (70 Points)\n\nNecrons\nWarhammer 40,000 9th Edition\n\nCHARACTERS\n\nOverlord (70 Points)\n",
        '{"gameSystemName": "Warhammer 40,000 10th Edition",\n "roster": {"forces": []}}',
    ],
)
def test_a_list_that_names_another_edition(text: str) -> None:
    error = refused(text)
    assert error.what.startswith("the list itself is of another edition")
    assert error.expected.startswith("what an army builder exports as text or JSON for edition 11")


def test_a_list_without_statistics_for_a_classic_edition() -> None:
    error = refused(HEADING + "1x Overlord (70 pts): Staff of light\n", "4")
    assert "of edition 11, not 4" in error.what
    assert "BattleScribe's or New Recruit's roster of edition 4, or Battlewright's own YAML" in error.expected


def test_what_is_no_list_is_told_only_of_forms_that_would_do_for_the_edition() -> None:
    error = refused("Dear diary,\ntoday it rained.\n", "4")
    assert error.expected.startswith("BattleScribe's or New Recruit's roster")
    assert "app" not in error.expected


@pytest.mark.parametrize("name", ['"Bo\\e[31myz"', '"Boyz\\a"', '"Bo\\u202Eyz"', '"Bo\\nyz"'])
def test_a_name_that_would_steer_a_terminal_is_refused(name: str) -> None:
    assert load_army(SMALL.format(name="Boyz")).units[0].name == "Boyz"
    error = refused(SMALL.format(name=name))
    assert str(error).isprintable()
    assert "control character" in str(error)
