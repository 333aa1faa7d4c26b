"""Real lists as players exported them, held against their own totals."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from battlewright.armies import army_from_json, army_report, army_to_json, load_army
from battlewright.core.roster import AbilitySource, Army, Enforcement, Model, Role, Unit

ROSTERS = Path(__file__).resolve().parents[3] / "shared" / "rosters"

pytestmark = pytest.mark.skipif(not ROSTERS.is_dir(), reason="the exported lists are not here")


def nothing_enforced(unit: Unit) -> Enforcement:
    return Enforcement()


def load(name: str) -> Army:
    return load_army(ROSTERS / name)


def unit_with(army: Army, component: str) -> Unit:
    return next(unit for unit in army.units if any(each.name == component for each in unit.components))


def models_of(army: Army, component: str) -> list[Model]:
    unit = unit_with(army, component)
    index = next(index for index, each in enumerate(unit.components) if each.name == component)
    return [model for model in unit.models if model.component == index]


@pytest.fixture(scope="module")
def custodes() -> Army:
    return load("custodes-1990.newrecruit-wtc.txt")


@pytest.fixture(scope="module")
def orks() -> Army:
    return load("orks-1995.gw-app.txt")


def test_the_custodes_have_twelve_units_and_1990_points(custodes: Army) -> None:
    report = army_report(custodes, nothing_enforced)
    assert (report["points"], len(report["units"])) == (1990, 12)
    assert sum(row["points"] for row in report["units"]) == 1990
    assert report["reconciled"] is True
    assert report["unresolved"] == []
    assert (custodes.faction, custodes.detachments) == ("Adeptus Custodes", ("Lions of the Emperor",))
    assert custodes.disposition == "Take and Hold"


def test_the_custodes_leaders_lead_whom_the_list_says(custodes: Army) -> None:
    rows = {row["name"]: row["attached_to"] for row in army_report(custodes, nothing_enforced)["units"]}
    assert {name: guard for name, guard in rows.items() if guard} == {
        "Blade Champion": "Custodian Guard",
        "Valerian": "Custodian Wardens",
    }
    assert unit_with(custodes, "Shield-Captain on Dawneagle Jetbike").components[0].role is Role.UNIT


def test_every_custodian_carries_its_own_weapons(custodes: Army) -> None:
    assert [len(unit.models) for unit in custodes.units] == [6, 1, 6, 6, 6, 4, 4, 2, 2, 5]
    for model in models_of(custodes, "Allarus Custodians"):
        assert Counter(weapon.name for weapon in model.weapons) == {
            "Balistus grenade launcher": 1,
            "Guardian Spear": 1,
        }
    assert unit_with(custodes, "Witchseekers").weapon_counts() == {"Close combat weapon": 5, "Witchseeker flamer": 5}
    superior = models_of(custodes, "Prosecutors")[0]
    assert superior.name == "Prosecutor Sister Superior"
    assert [weapon.name for weapon in superior.weapons] == ["Boltgun", "Close combat weapon"]


def test_the_vexilla_is_on_one_warden_and_no_weapon(custodes: Army) -> None:
    wardens = models_of(custodes, "Custodian Wardens")
    bearers = [model for model in wardens if any(each.name == "Vexilla" for each in model.abilities)]
    assert len(wardens) == 5
    assert len(bearers) == 1
    assert all([weapon.name for weapon in model.weapons] == ["Guardian Spear"] for model in wardens)


def test_enhancements_and_the_warlord_are_where_the_list_puts_them(custodes: Army) -> None:
    bearers = {
        component.name: component.enhancement
        for unit in custodes.units
        for component in unit.components
        if component.enhancement
    }
    assert bearers == {
        "Blade Champion": "Superior Creation",
        "Shield-Captain on Dawneagle Jetbike": "Praesidius",
    }
    champion = models_of(custodes, "Blade Champion")[0]
    assert [each.name for each in champion.abilities if each.source is AbilitySource.ENHANCEMENT] == [
        "Superior Creation"
    ]
    warlords = [model.name for _, model in custodes.models() if "WARLORD" in model.keywords]
    assert warlords == ["Valerian"]


def test_profiles_are_read_as_printed(custodes: Army) -> None:
    champion = models_of(custodes, "Blade Champion")[0]
    assert champion.characteristics == {
        "M": '6"', "T": "6", "Sv": "2+", "InSv": "4+", "W": "6", "Ld": "6+", "OC": "2",
    }  # fmt: skip
    swords = champion.weapons[0]
    assert [profile.name for profile in swords.profiles] == ["Hurricanis", "Behemor", "Victus"]
    assert swords.profiles[2].characteristics == {"R": "Melee", "A": "5", "WS": "2+", "S": "6", "AP": "-3", "D": "3"}
    assert [profile.abilities for profile in swords.profiles] == [
        ("SUSTAINED HITS 1",),
        ("PRECISION",),
        ("DEVASTATING WOUNDS",),
    ]
    valerian = models_of(custodes, "Valerian")[0]
    assert {"Feel No Pain 6+", "Deep Strike", "Leader"} <= {
        each.name for each in valerian.abilities if each.source is AbilitySource.CORE
    }


def test_both_detachments_of_the_orks_resolve(orks: Army) -> None:
    assert orks.detachments == ("Freebooter Krew", "More Dakka!")
    assert not any("detachment" in each.text for each in orks.unresolved)
    assert orks.dispositions == ("Purge the Foe", "Take and Hold")
    assert orks.disposition == "Take and Hold"  # the title says which


def test_the_orks_add_up(orks: Army) -> None:
    report = army_report(orks, nothing_enforced)
    assert report["reconciled"] is True
    assert (report["points"], sum(row["points"] for row in report["units"]), len(report["units"])) == (1995, 1995, 20)
    assert {row["name"]: row["models"] for row in report["units"]} == {
        "Squighog Boyz": 8, "Beastboss on Squigosaur": 1, "Beast Snagga Boyz": 10, "Beastboss": 1, "Breaka Boyz": 6,
        "Bigboss": 1, "Flash Gitz": 10, "Bannernob": 1, "Tankbustas": 6, "Big Mek with Shokk Attack Gun": 1,
        "Wazdakka Gutsmek": 1, "Boyz": 10, "Trukk": 1, "Big Mek Dakkarig": 1, "Gretchin": 11, "Kommandos": 10,
        "Stormboyz": 5,
    }  # fmt: skip


def test_the_orks_leaders_and_support_are_attached(orks: Army) -> None:
    attached = {
        unit.components[0].name: [(each.name, each.role) for each in unit.components[1:]]
        for unit in orks.units
        if len(unit.components) > 1
    }
    assert attached == {
        "Squighog Boyz": [("Beastboss on Squigosaur", Role.LEADER)],
        "Beast Snagga Boyz": [("Beastboss", Role.LEADER)],
        "Breaka Boyz": [("Bigboss", Role.LEADER)],
        "Flash Gitz": [("Bannernob", Role.SUPPORT)],
        "Tankbustas": [("Big Mek with Shokk Attack Gun", Role.LEADER)],
    }


def test_weapons_sit_on_the_models_that_carry_them(orks: Army) -> None:
    kommandos = models_of(orks, "Kommandos")
    assert Counter((model.name, *(weapon.name for weapon in model.weapons)) for model in kommandos) == {
        ("Kommando", "Choppa", "Slugga"): 8,
        ("Kommando", "Breacha ram"): 1,
        ("Boss Nob", "Power klaw", "Slugga"): 1,
    }
    breakas = models_of(orks, "Breaka Boyz")
    assert Counter((model.name, *(weapon.name for weapon in model.weapons)) for model in breakas) == {
        ("Boss Nob", "Choppa", "Rokkit pistol", "Smash hammer"): 1,
        ("Breaka Boy", "Smash hammer"): 4,
        ("Breaka Boy", "Tankhammer"): 1,
    }
    nob = next(model for model in models_of(orks, "Tankbustas") if model.name == "Boss Nob")
    assert [weapon.name for weapon in nob.weapons] == ["Choppa", "Rokkit pistol", "Rokkit pistol"]


def test_models_of_one_unit_differ_in_wounds_saves_and_bases(orks: Army) -> None:
    squighogs = {model.name: model for model in models_of(orks, "Squighog Boyz")}
    assert squighogs["Squighog Boy"].characteristics["W"] == "3"
    assert squighogs["Nob on Smasha Squig"].characteristics["W"] == "4"
    assert {model.base for model in squighogs.values()} == {"75x42mm", "90x52.5mm"}
    gretchin = {model.name: model for model in models_of(orks, "Gretchin")}
    assert (gretchin["Gretchin"].characteristics["Sv"], gretchin["Runtherd"].characteristics["Sv"]) == ("6+", "5+")


def test_a_profile_belongs_to_the_unit_and_the_weapon(orks: Army) -> None:
    def choppa(component: str) -> dict[str, str]:
        weapons = (weapon for model in models_of(orks, component) for weapon in model.weapons)
        return dict(next(weapon for weapon in weapons if weapon.name == "Choppa").profiles[0].characteristics)

    assert (choppa("Bannernob")["A"], choppa("Flash Gitz")["A"], choppa("Boyz")["A"]) == ("5", "4", "3")
    assert (choppa("Bannernob")["S"], choppa("Boyz")["S"]) == ("4", "5")


def test_what_has_no_profile_stays_and_is_named(orks: Army) -> None:
    squighogs = unit_with(orks, "Squighog Boyz")
    assert squighogs.weapon_counts()["Saddlegit weapons"] == 6
    assert "Saddlegit weapons" in squighogs.not_enforced
    assert "Da Kaptin" in squighogs.not_enforced
    lines = {each.line: each for each in orks.unresolved}
    assert lines[24].nearest == "Saddlegit’s Shiv"
    assert not any(each.fatal for each in orks.unresolved)
    for unit in orks.units:
        bare = {weapon.name for model in unit.models for weapon in model.weapons if not weapon.profiles}
        assert bare <= set(unit.not_enforced)
        assert {"Freebooter Krew", "More Dakka!"} <= set(unit.not_enforced)


def test_the_squigs_and_runts_that_come_along_are_no_models(orks: Army) -> None:
    squighogs = unit_with(orks, "Squighog Boyz")
    assert "Bomb Squig" not in {model.name for model in squighogs.models}
    assert sum(any(each.name == "Bomb Squig" for each in model.abilities) for model in squighogs.models) >= 2
    assert any(each.name == "Ammo Runt" for each in unit_with(orks, "Flash Gitz").abilities)


def test_assumed_footprints_and_heights_are_marked(orks: Army) -> None:
    trukk = models_of(orks, "Trukk")[0]
    assert (trukk.base, trukk.assumed) == ("hull 5x3.3in", ("base", "height"))
    boy = models_of(orks, "Boyz")[0]
    assert (boy.base, boy.assumed) == ("32mm", ("height",))
    assert all(model.height > 0 for _, model in orks.models())


COUNTED = re.compile(r"^ +◦ (\d+)x (.+)$|^  • (\d+)x (.+)$")


def test_the_weapons_of_the_app_list_are_conserved(orks: Army) -> None:
    """Counted anew from the raw lines: whatever is no model and no wargear is carried as often as the list says."""
    listed: Counter[str] = Counter()
    for line in (ROSTERS / "orks-1995.gw-app.txt").read_text(encoding="utf-8").splitlines():
        if found := COUNTED.match(line):
            count, name = (found[1], found[2]) if found[1] else (found[3], found[4])
            listed[name] += int(count)
    for name in {model.name for _, model in orks.models()} | {"Bomb Squig", "Ammo Runt", "Distraction Grot"}:
        listed.pop(name, None)
    carried = Counter(weapon.name for _, model in orks.models() for weapon in model.weapons)
    assert carried == listed


@pytest.mark.parametrize(
    "name",
    [
        "chaos-knights-houndpack.input.newrecruit-json.json",
        "chaos-knights-houndpack.input.newrecruit-simple.txt",
        "chaos-knights-houndpack.input.newrecruit-wtc-compact.txt",
        "chaos-knights-houndpack.input.newrecruit-wtc-full.txt",
        "chaos-knights-houndpack.input.rosterizer.json",
    ],
)
def test_one_list_in_five_formats_is_one_army(name: str) -> None:
    army = load(name)
    rows = army_report(army, nothing_enforced)["units"]
    assert [(row["name"], row["models"], row["points"], row["weapons"]) for row in rows] == [
        ("War Dog Karnivore", 1, 165, {"Reaper chaintalon": 1, "Slaughterclaw": 1, "Havoc multi-launcher": 1}),
        ("War Dog Karnivore", 1, 150, {"Reaper chaintalon": 1, "Slaughterclaw": 1, "Havoc multi-launcher": 1}),
        ("War Dog Executioner", 1, 130, {"Armoured feet": 1, "War Dog autocannon": 2, "Diabolus heavy stubber": 1}),
        ("Nurglings", 3, 40, {"Diseased claws and teeth": 3}),
    ]
    assert (army.points, army.faction, army.detachments) == (485, "Chaos Knights", ("Houndpack Lance",))
    assert army.units[0].components[0].enhancement == "Preyslayer's Mantle"
    assert [unit.name for unit, model in army.models() if "WARLORD" in model.keywords] == ["War Dog Executioner"]
    # No disposition is only a warning; the detachment offers one.
    assert army.reconciled
    assert [each.fatal for each in army.unresolved] == [False]
    assert army.disposition == "Reconnaissance"


def test_the_fenced_list_with_bullets_reconciles() -> None:
    army = load("gw-chaos-knights.input.gw.txt")
    assert (army.reconciled, army.points, len(army.units)) == (True, 2000, 16)
    assert sum(len(unit.models) for unit in army.units) == 20
    granted = [unit.name for unit, model in army.models() if "CHARACTER" in model.keywords]
    assert granted == ["War Dog Executioner", "War Dog Karnivore", "War Dog Stalker"]
    assert all("BATTLELINE" in model.keywords for unit, model in army.models() if unit.name.startswith("War Dog"))


def test_a_list_cut_short_does_not_reconcile() -> None:
    army = load("cd-daemonic-incursion.input.listforge-text.txt")
    assert not army.reconciled
    fatal = [each for each in army.unresolved if each.fatal]
    assert [(each.line, each.text) for each in fatal] == [(1, "the units cost 795 points, but the list states 1995")]
    assert [len(unit.models) for unit in army.units] == [1, 1, 1, 10, 5]
    hounds = army.units[4]
    assert [(model.name, len(model.weapons)) for model in hounds.models] == [("Gore Hound", 2)] + [
        ("Flesh Hound", 1)
    ] * 4
    assert "Burning maw" in hounds.not_enforced


def test_two_detachments_and_no_wargear_take_the_default() -> None:
    army = load("sm-dual-detachment.input.newrecruit-json.json")
    assert army.reconciled
    assert army.detachments == ("1st Company Task Force", "Librarius Conclave")
    assert army.dispositions == ("Purge the Foe", "Reconnaissance")
    assert army.units[0].weapon_counts()["Lancer laser destroyer"] == 1
    assert any("default" in each.text for each in army.unresolved)


@pytest.mark.parametrize("path", sorted(ROSTERS.glob("*")) if ROSTERS.is_dir() else [], ids=lambda path: path.name)
def test_every_list_survives_the_save_header(path: Path) -> None:
    army = load_army(path)
    assert army_from_json(json.loads(json.dumps(army_to_json(army)))) == army
    assert load_army(path.read_text(encoding="utf-8")).units == army.units
