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


def test_every_mission_of_every_edition_has_a_playthrough() -> None:
    played = {(settings["edition"], settings["mission"]) for settings in PLAYTHROUGHS.values()}
    for edition in EDITIONS.values():
        if "rules" in edition.parts:
            for mission in edition.switchboard().missions():
                assert (edition.id, mission) in played
