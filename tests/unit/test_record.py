"""Battles on disk: what is written is read back, and what was cut, altered or made up is refused by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from battlewright.core.errors import BattlewrightError, SaveError
from battlewright.core.header import Header
from battlewright.core.record import Recorder, header_from_json, header_to_json, read_record
from battlewright.core.roster import Ability, AbilitySource, Army, Component, Model, Role, Unit, Weapon, WeaponProfile
from battlewright.start import Battle, load_battle
from support.race import finish, start

RIFLE = Weapon("Rifle", (WeaponProfile("", False, {"R": '24"', "A": "1", "BS": "3+", "S": "4", "AP": "0", "D": "1"}),))
PRINTED = {"M": '6"', "T": "4", "Sv": "3+", "W": "2", "Ld": "7+", "OC": "1"}
TROOPER = Model("Trooper", "32mm", 1.5, PRINTED, ("INFANTRY",), (RIFLE,), (Ability("Stealth", AbilitySource.CORE),))


def army(name: str) -> Army:
    unit = Unit("x.1", "Squad", (Component("Squad", Role.UNIT, 90),), (TROOPER, TROOPER))
    return Army(name, "11", "Øks", (unit,), 90)


def battle() -> Battle:
    return Battle.start((army("α"), army("β")), layout="open_table", seed=7)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A battle of the 11th edition, some answers long."""
    path, played = tmp_path / "a.battle", battle()
    recorder = Recorder(path, played.header)
    for _ in range(3):
        assert played.decision is not None
        played.answer(played.decision.default())
        recorder.append(played.record[-1])
    recorder.close()
    return path


def test_a_header_reads_back_whatever_sort_of_mapping_it_holds() -> None:
    header = battle().header
    assert header_from_json(json.loads(json.dumps(header_to_json(header)))) == header
    frozen = replace(
        header, options=MappingProxyType({"hidden_terrain": "dense"}), versions=MappingProxyType({"engine": "1"})
    )
    again = header_from_json(json.loads(json.dumps(header_to_json(frozen))))
    assert again == replace(header, options={"hidden_terrain": "dense"}, versions={"engine": "1"})


def test_a_saved_battle_is_played_to_where_it_was_left(saved: Path) -> None:
    loaded = load_battle(saved)
    assert loaded.number == 4
    assert read_record(saved) == (loaded.header, loaded.record)


def test_a_battle_is_read_back_line_by_line(tmp_path: Path) -> None:
    played, path = start(seed=4), tmp_path / "a.battle"
    recorder = Recorder(path, played.header)
    finish(played, 1)
    for recorded in played.record:
        recorder.append(recorded)
    recorder.close()
    assert read_record(path) == (played.header, played.record)


def test_whatever_a_crash_leaves_of_the_last_line_is_passed_over(saved: Path) -> None:
    whole, (header, records) = saved.read_bytes(), read_record(saved)
    last = whole.rindex(b"\n", 0, -1) + 1
    for cut in range(last, len(whole)):
        saved.write_bytes(whole[:cut])
        assert read_record(saved) == (header, records[:-1])
    saved.write_bytes(whole[:last] + b'{"n":3,"side":0,"answer":{"kind":"pick","option":"\xc3')
    assert read_record(saved) == (header, records[:-1])


def test_saving_goes_on_after_a_crash(saved: Path) -> None:
    whole = saved.read_bytes()
    saved.write_bytes(whole[:-9])
    played = load_battle(saved)
    recorder = Recorder.reopen(saved)
    assert played.decision is not None
    played.answer(played.decision.default())
    recorder.append(played.record[-1])
    assert saved.read_bytes() == whole
    recorder.take_back()
    played.undo()
    assert read_record(saved) == (played.header, played.record)
    recorder.close()


def test_no_more_answers_are_taken_back_than_there_are(saved: Path) -> None:
    recorder = Recorder.reopen(saved)
    for _ in range(3):
        recorder.take_back()
    with pytest.raises(SaveError, match="no answer"):
        recorder.take_back()
    recorder.close()
    assert read_record(saved)[1] == []


def test_answers_of_a_copy_are_not_saved(tmp_path: Path) -> None:
    copy = start().fork()
    copy.answer("1")
    recorder = Recorder(tmp_path / "a.battle", copy.header)
    with pytest.raises(SaveError, match="checksum"):
        recorder.append(copy.record[-1])
    recorder.close()


def answer_line(number: int, **changes: Any) -> Callable[[list[Any]], None]:
    def change(lines: list[Any]) -> None:
        lines[number].update(changes)

    return change


def header_line(path: str, value: Any) -> Callable[[list[Any]], None]:
    def change(lines: list[Any]) -> None:
        *way, last = path.split(".")
        part = lines[0]
        for step in way:
            part = part[int(step) if isinstance(part, list) else step]
        part[int(last) if isinstance(part, list) else last] = value

    return change


ALTERED: dict[str, Callable[[list[Any]], Any]] = {
    "number": answer_line(2, n=3),
    "no number": answer_line(2, n=None),
    "side": lambda lines: lines[1].update(side=1 - lines[1]["side"]),
    "no side": answer_line(1, side=2),
    "list for side": answer_line(1, side=[]),
    "checksum": answer_line(2, checksum="0" * 16),
    "empty checksum": answer_line(2, checksum=""),
    "odd checksum": answer_line(2, checksum="X" * 16),
    "no checksum": answer_line(2, checksum=None),
    "answer": answer_line(1, answer={"kind": "pick", "option": "nonsense"}),
    "no answer": answer_line(1, answer=None),
    "answer of another kind": answer_line(1, answer={"kind": "place", "moves": []}),
    "line removed": lambda lines: lines.pop(2),
    "line doubled": lambda lines: lines.insert(2, lines[2]),
    "lines swapped": lambda lines: lines.append(lines.pop(2)),
    "header removed": lambda lines: lines.pop(0),
    "format": header_line("format", "battlewright-battle-9"),
    "engine": header_line("versions.engine", "0.0.0"),
    "rulebook": header_line("versions.rulebook", "00000000"),
    "no versions": header_line("versions", {}),
    "edition": header_line("edition", "12"),
    "edition of another kind": header_line("edition", 11),
    "mission": header_line("mission", "x"),
    "option": header_line("options", {"x": "y"}),
    "seed": header_line("seed", -1),
    "large seed": header_line("seed", 2**256),
    "another seed": header_line("seed", 0),
    "seed of another kind": header_line("seed", "seven"),
    "battlefield": header_line("battlefield", {}),
    "width": header_line("battlefield.width", 1e308),
    "armies": header_line("armies", []),
    "base": header_line("armies.0.units.0.models.0.base", "0mm"),
    "characteristic": header_line("armies.0.units.0.models.0.characteristics", {"M": "x"}),
    "component": header_line("armies.0.units.0.models.0.component", 7),
    "negative component": header_line("armies.0.units.0.models.0.component", -1),
    "no models": header_line("armies.0.units.0.models", []),
    "same id": header_line("armies.0.units.0.id", "b.1"),
    "control character": header_line("armies.0.units.0.name", "Bo\x1b[31myz"),
}


@pytest.mark.parametrize("what", ALTERED)
def test_an_altered_file_is_refused(saved: Path, what: str) -> None:
    lines = [json.loads(line) for line in saved.read_text(encoding="utf-8").splitlines()]
    ALTERED[what](lines)
    saved.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(BattlewrightError) as caught:
        load_battle(saved)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "match"),
    [
        (b"", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"n":' + b"9" * 5000 + b"}", "no JSON"),
        (b'{"n":NaN}', "no JSON"),
        (b'{"n":4,"side":0,"answer":{"kind":"pick","option":"\xff"},"checksum":"0123456789abcdef"}', "UTF-8"),
        (b'{"n":4,"side":0,"answer":{"kind":"pick","option":"x"},"checksum":"0123456789abcdef","n":5}', "next answer"),
        (b"null", "next answer"),
        (b"x" * (16 * 2**20 + 5), "too long"),
    ],
    ids=range(8),
)
def test_hostile_lines_are_refused_by_number(saved: Path, line: bytes, match: str) -> None:
    saved.write_bytes(saved.read_bytes() + line + b"\n")
    with pytest.raises(SaveError, match=match) as caught:
        read_record(saved)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("content", [b"", b"\n", b"\x00\xff\xfe\n", b"null\n", b'{"format":"battlewright-battle-1"}\n'])
def test_what_is_no_battle_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.battle"
    path.write_bytes(content)
    for read in (read_record, Recorder.reopen):
        with pytest.raises(SaveError):
            read(path)
    assert path.read_bytes() == content


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="cannot be read"):
        read_record(tmp_path / "none")
    with pytest.raises(SaveError, match="cannot be read"):
        read_record(tmp_path)
    with pytest.raises(SaveError, match="cannot be written"):
        Recorder(tmp_path / "none" / "a.battle", battle().header)


def test_a_name_that_no_text_can_hold_does_not_stop_the_writing(tmp_path: Path) -> None:
    header = Header("11", (army("\ud800").for_side("a"), army("b").for_side("b")), "m", {})
    Recorder(tmp_path / "a.battle", header).close()
    assert (tmp_path / "a.battle").read_bytes().endswith(b"\n")
    assert read_record(tmp_path / "a.battle")[0] == header
