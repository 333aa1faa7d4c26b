"""The bundled sample armies."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from battlewright.armies import army_from_json, army_to_json, load_army, sample_armies
from battlewright.core.roster import Role
from battlewright.editions.eleventh.datasheet import read_model, read_weapon

SAMPLES = sample_armies("11")


def test_there_are_two_armies_of_a_thousand_points_and_two_of_five_hundred() -> None:
    points = sorted(load_army(path).points for path in SAMPLES.values())
    assert points == [500, 500, 995, 1000]
    assert set(SAMPLES) <= set(sample_armies())


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_whole(name: str) -> None:
    army = load_army(name, "11")
    assert (army.edition, army.unresolved) == ("11", ())
    assert sum(unit.points for unit in army.units) == army.points
    assert army.disposition
    assert any(component.role is not Role.UNIT for unit in army.units for component in unit.components)
    assert [model for _, model in army.models() if "WARLORD" in model.keywords].__len__() == 1
    assert {"VEHICLE", "MONSTER"} & {keyword for _, model in army.models() for keyword in model.keywords}
    assert army_from_json(json.loads(json.dumps(army_to_json(army)))) == army


@pytest.mark.parametrize("name", SAMPLES)
def test_the_edition_reads_every_profile_of_a_sample(name: str) -> None:
    for _, model in load_army(name).models():
        assert read_model(model).wounds > 0
        assert any(profile.melee for weapon in model.weapons for profile in weapon.profiles)
        for weapon in model.weapons:
            for profile in weapon.profiles:
                assert read_weapon(profile, weapon.name).unknown == ()


def test_a_sample_that_names_no_detachment_loads_without_the_data_set() -> None:
    """A detachment's stratagems come from the data set; nothing else of an army in our own form does."""
    code = (
        "import sys\nfrom battlewright.armies import load_army, sample_armies\n"
        "load_army(next(iter(sample_armies('3').values())))\nprint('wh40kdc' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
