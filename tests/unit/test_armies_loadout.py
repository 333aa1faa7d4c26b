"""Sharing out weapons among the models of a group."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from battlewright.armies.loadout import distribute


def test_what_goes_round_is_shared_evenly() -> None:
    assert distribute(3, [3, 6], [False, False]) == [[1, 2], [1, 2], [1, 2]]
    assert distribute(1, [2, 1], [True, True]) == [[2, 1]]


def test_default_weapons_stay_together_and_others_fill_the_gaps() -> None:
    kommandos = distribute(9, [1, 8, 8], [False, True, True])
    assert kommandos == [[0, 1, 1]] * 8 + [[1, 0, 0]]


def test_special_weapons_go_to_different_models() -> None:
    squad = distribute(10, [7, 1, 2, 10], [True, False, False, True])
    assert squad[:7] == [[1, 0, 0, 1]] * 7
    assert sorted(squad[7:]) == [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]]


def test_a_weapon_goes_to_the_model_that_lacks_what_it_replaces() -> None:
    # The third weapon replaces the first; the second is missing from another model for another reason.
    shares = distribute(3, [2, 2, 1], [True, True, False], [(), (), (0,)])
    assert [row for row in shares if row[2]] == [[0, 0, 1]]


@given(
    models=st.integers(1, 20),
    weapons=st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=6),
)
def test_counts_are_conserved(models: int, weapons: list[tuple[int, bool]]) -> None:
    counts = [count for count, _ in weapons]
    shares = distribute(models, counts, [default for _, default in weapons])
    assert len(shares) == models
    assert [sum(row[index] for row in shares) for index in range(len(counts))] == counts
    for index in range(len(counts)):
        column = [row[index] for row in shares]
        assert max(column) - min(column) <= 1
