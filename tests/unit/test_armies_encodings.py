"""The encodings of abilities in rosters: from the data set, in files of our own, in saves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.small_armies import GOLD

from battlewright.armies import load_army
from battlewright.armies.dataset import DataSet, data_set
from battlewright.armies.encodings import encoding_of
from battlewright.armies.json_form import army_from_json, army_to_json
from battlewright.core.roster import Ability
from battlewright.editions.eleventh.switchboard import EleventhSwitchboard

RECORD = {
    "ability_id": "steady",
    "name": "Steady",
    "ability_type": "unit",
    "behavior": "passive",
    "scope": {"range": "unit", "duration": "permanent"},
    "effect": {"type": "fight-first", "target": "unit", "modifier": {}},
    "source_digest": "0" * 64,
}


def test_an_encoding_holds_what_an_ability_does_and_no_words_about_it() -> None:
    found = json.loads(encoding_of({**RECORD, "community_notes": "Veterans of many wars."}))
    assert found == {key: RECORD[key] for key in ("behavior", "scope", "effect")}


@pytest.mark.parametrize(
    "note",
    ["[APPROX] drops the range", "the second half is not encoded", "gating carried as prose", "Once per battle, +1"],
)
def test_what_the_notes_call_incomplete_is_marked_so(note: str) -> None:
    assert json.loads(encoding_of({**RECORD, "community_notes": note}))["approximate"] is True


def test_stratagems_and_disputed_encodings_are_marked() -> None:
    found = json.loads(encoding_of({**RECORD, "ability_type": "stratagem", "disputed": True}))
    assert found["stratagem"] is True
    assert found["disputed"] is True


@pytest.fixture(scope="module")
def data() -> DataSet:
    return data_set()


def test_datasheets_detachments_and_enhancements_bring_their_encodings(data: DataSet) -> None:
    guard = data.unit("Custodian Guard", ("adeptus-custodes",))
    assert guard is not None
    vigil = next(ability for ability in guard.abilities if ability.name == "Stand Vigil")
    assert json.loads(vigil.encoding)["behavior"] == "passive"
    detachment = data.detachment("Chorus of Condemnation", ("adepta-sororitas",))
    assert detachment is not None
    assert data.detachment_rules(detachment, ("adepta-sororitas",))[0].encoding
    enhancement = data.enhancement("Auric Mantle", ())
    assert enhancement is not None
    assert "stat-modifier" in data.enhancement_encoding(enhancement)


def written(folder: Path) -> Path:
    """The small golden army with an encoded ability."""
    encoding = json.dumps({key: RECORD[key] for key in ("behavior", "scope", "effect")})
    entry = f"    abilities: [{{name: Steady, encoding: {encoding}}}, Deep Strike]\n"
    path = folder / "gold.yaml"
    path.write_text(GOLD.replace("    base: 40mm\n", entry + "    base: 40mm\n"), encoding="utf-8")
    return path


def test_a_file_of_our_own_may_hold_encodings(tmp_path: Path) -> None:
    unit = load_army(str(written(tmp_path))).units[0]
    assert [ability.name for ability in unit.abilities] == ["Steady", "Deep Strike"]
    assert EleventhSwitchboard().enforcement(unit).enforced[:2] == ("Steady", "Deep Strike")


def test_a_save_keeps_encodings_and_an_older_one_has_none(tmp_path: Path) -> None:
    army = load_army(str(written(tmp_path)))
    told = json.loads(json.dumps(army_to_json(army)))
    assert army_from_json(told) == army
    for model in told["units"][0]["models"]:
        for ability in model["abilities"]:
            del ability["encoding"]
    assert army_from_json(told).units[0].abilities[0] == Ability("Steady")
