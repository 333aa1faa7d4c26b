"""The bundled armies of the classic editions are what their own force charts allow."""

from __future__ import annotations

import pytest

from battlewright.armies import load_army, sample_armies
from battlewright.editions.classic.procedures.events import ForceChecked
from battlewright.editions.edition import EDITIONS
from battlewright.start import Battle

SAMPLES = [(edition, name) for edition in EDITIONS if edition != "11" for name in sample_armies(edition)]


@pytest.mark.parametrize(("edition", "name"), SAMPLES)
def test_a_bundled_army_keeps_to_the_chart_of_the_first_mission(edition: str, name: str) -> None:
    """A character who starts in a unit of troops is a choice of his own, his bodyguard is none beside him."""
    army = load_army(name)
    battle = Battle.start((army, army), edition, seed=1)
    assert [event.faults for event in battle.events if isinstance(event, ForceChecked)] == [(), ()]
