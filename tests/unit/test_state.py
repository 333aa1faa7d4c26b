"""The state: copies that share nothing that changes, and checksums that depend on nothing but the values."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from battlewright.core.decisions import SIDES
from battlewright.core.state import State, UnitState, checksum, plain, stateful


class Mood(StrEnum):
    CALM = "calm"


class Rank(IntEnum):
    LOW = 1


@stateful
@dataclass(slots=True)
class Squad(UnitState):
    brave: bool = True
    used: frozenset[tuple[int, int]] = frozenset()
    mood: str = Mood.CALM
    rank: int = Rank.LOW


@stateful
@dataclass(slots=True)
class Field(State):
    units: list[Squad] = field(metadata={"each": True})
    marks: dict[str, int] = field(default_factory=dict)
    fallen: list[int] = field(default_factory=list)
    odds: tuple[int, ...] = ()


def make() -> Field:
    units = [Squad(SIDES[0], (0, 1)), Squad(SIDES[1], (2,), used=frozenset({(2, 0), (1, 1)}))]
    return Field(np.zeros((3, 4), np.int32), np.full(3, 2, np.int16), np.ones(3, np.bool_), units)


def put(name: str, value: Any) -> Callable[[Field], None]:
    return lambda state: setattr(state, name, value)


def put_unit(name: str, value: Any, unit: int = 1) -> Callable[[Field], None]:
    return lambda state: setattr(state.units[unit], name, value)


CHANGES: dict[str, Callable[[Field], Any]] = {
    "position": lambda state: state.position.__setitem__((1, 2), 1),
    "wounds": lambda state: state.wounds.__setitem__(0, 1),
    "on the table": lambda state: state.on_table.__setitem__(0, False),
    "dice": put("dice", 1),
    "round": put("round", 1),
    "turn": put("turn", SIDES[1]),
    "phase": put("phase", "x"),
    "step": put("step", 1),
    "points": put("vp", (0, 1)),
    "points of the other": put("vp", (1, 0)),
    "tuple": put("odds", (1,)),
    "mark": lambda state: state.marks.__setitem__("a", 1),
    "list": lambda state: state.fallen.append(1),
    "unit's models": put_unit("models", (2, 0)),
    "models moved between units": lambda state: [
        put_unit("models", (0, 1, 2), 0)(state),
        put_unit("models", ())(state),
    ],
    "unit's side": put_unit("side", SIDES[0]),
    "truth value": put_unit("brave", False),
    "truth value of the other": put_unit("brave", False, 0),
    "set": put_unit("used", frozenset({(2, 0)})),
    "empty set": put_unit("used", frozenset()),
    "text": put_unit("mood", "wild"),
    "number": put_unit("rank", 7),
    "number of another kind": put_unit("rank", 2**70),
    "number in place of a truth value": put_unit("brave", 1),
    "order of units": lambda state: state.units.reverse(),
    "unit less": lambda state: state.units.pop(),
    "no units": lambda state: state.units.clear(),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_copy_shares_nothing_that_changes_and_every_change_shows(what: str) -> None:
    state = make()
    copy, before = state.copy(), checksum(state)
    assert checksum(copy) == before
    CHANGES[what](copy)
    assert checksum(state) == before != checksum(copy)
    assert plain(state) == plain(make())


def test_changes_lead_to_different_checksums() -> None:
    found = set()
    for change in CHANGES.values():
        state = make()
        change(state)
        found.add(checksum(state))
    assert len(found) == len(CHANGES)


def test_members_of_enumerations_count_as_their_values() -> None:
    state = make()
    for unit in state.units:
        unit.mood, unit.rank = "calm", 1
    assert checksum(state) == checksum(make())
    assert plain(state) == plain(make())


def test_the_order_in_which_a_dict_or_set_was_filled_does_not_matter() -> None:
    one, other = make(), make()
    one.marks, other.marks = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    one.units[0].used, other.units[0].used = frozenset([(9, 1), (1, 9)]), frozenset([(1, 9), (9, 1)])
    assert checksum(one) == checksum(other)


PINNED = "968a56521542b667"
"""Saved battles rest on it; it changes only together with the format of saved battles."""


@pytest.mark.parametrize("hash_seed", ["0", "1", "12345"])
def test_a_checksum_is_the_same_in_every_process(hash_seed: str) -> None:
    tests = Path(__file__).resolve().parents[1]
    code = "from unit.test_state import make, checksum; print(checksum(make()))"
    path = os.pathsep.join([str(tests), str(tests.parent / "src")])
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == checksum(make()) == PINNED


@pytest.mark.parametrize(
    "change",
    [
        *(put("dice", np.int64(3)), put("odds", {1}), put("odds", (np.int32(1),)), put("phase", object())),
        *(put_unit("rank", np.int64(3)), put_unit("brave", np.bool_(True))),
        *(put_unit("models", (np.intp(1),)), put_unit("used", {1})),
    ],
    ids=range(8),
)
def test_scalars_of_numpy_and_other_strangers_are_refused(change: Callable[[Field], None]) -> None:
    state = make()
    change(state)
    with pytest.raises(TypeError, match="canonical"):
        checksum(state)
    with pytest.raises(TypeError, match="canonical"):
        plain(state)


def test_floats_have_no_canonical_form() -> None:
    for change in (put("odds", (0.5,)), put_unit("rank", 1.0), put("dice", np.float64(1))):
        state = make()
        change(state)
        with pytest.raises(TypeError, match="canonical"):
            plain(state)


@pytest.mark.parametrize(
    "kind",
    [
        "set[int]",
        "tuple[list[int], ...]",
        "NDArray[np.int8] | None",
        "dict[str, int] | None",
        "np.ndarray",
        "deque[int]",
    ],
)
def test_a_field_that_a_copy_would_share_is_refused_at_once(kind: str) -> None:
    made = dataclasses.make_dataclass("Wrong", [("value", kind)])
    with pytest.raises(TypeError, match="share"):
        stateful(made)


def test_arrays_are_copied_and_frozen_sets_shared() -> None:
    @stateful
    @dataclass(slots=True)
    class Small:
        grid: NDArray[np.int8]
        names: frozenset[str]

    small = Small(np.zeros(2, np.int8), frozenset("ab"))
    copy = small.copy()  # type: ignore[attr-defined]
    assert copy.names is small.names
    assert not np.shares_memory(copy.grid, small.grid)


def test_a_step_begins_once() -> None:
    state = make()
    assert [state.begin(1), state.begin(1), state.begin(2), state.begin(1)] == [True, False, True, False]
    assert state.step == 2
