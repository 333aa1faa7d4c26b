"""Names of units on a drawing of the table."""

from __future__ import annotations

from itertools import pairwise

from battlewright.report.page import clear_of_each_other


def test_names_of_units_that_stand_close_together_lie_over_no_other() -> None:
    crowd = [("War Dog Stalker", 10 + 0.1 * number, 20.0) for number in range(6)]
    found = clear_of_each_other([*crowd, ("Boyz", 40.0, 20.0)])
    heights = sorted(y for text, _, y in found if text != "Boyz")
    assert all(after - before > 0.9 for before, after in pairwise(heights))
    assert found[0] == crowd[0], "the first name stays where it is"
    assert found[-1] == ("Boyz", 40.0, 20.0), "one with room about it stays too"
    assert [(text, x) for text, x, _ in found[:-1]] == [(text, x) for text, x, _ in crowd]
