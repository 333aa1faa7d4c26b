"""Every playthrough is followed line by line."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from battlewright.editions.edition import EDITIONS
from support.playthrough import FOLDER, PLAYTHROUGHS, lines


@pytest.mark.parametrize("name", sorted(PLAYTHROUGHS))
def test_a_playthrough_is_repeated_line_by_line(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for number, (before, now) in enumerate(zip_longest(written, lines(PLAYTHROUGHS[name])), start=1):
        assert now == before, f"{name}.txt, line {number}"


def test_every_edition_that_plays_battles_has_a_playthrough_and_the_11th_three() -> None:
    played = [settings["edition"] for settings in PLAYTHROUGHS.values()]
    for edition in EDITIONS.values():
        if "rules" in edition.parts:
            assert edition.id in played, f"no playthrough of edition {edition.id}"
    missions = {settings["mission"] for settings in PLAYTHROUGHS.values() if settings["edition"] == "11"}
    assert len(missions) >= 3


def test_every_playthrough_is_of_a_mission_and_layout_that_are_there() -> None:
    for settings in PLAYTHROUGHS.values():
        board = EDITIONS[settings["edition"]].switchboard()
        assert settings["layout"] in board.layouts(settings["mission"])
