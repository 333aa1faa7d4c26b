"""Mustering (25): what makes a list illegal, each rule by itself and real lists as wholes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest

from battlewright.armies import army_report, load_army, sample_armies
from battlewright.armies.dataset import data_set
from battlewright.armies.resolve import faction_abilities_work
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army, Component, Enforcement, Model, Role, Unit, Weapon, WeaponProfile
from battlewright.editions.eleventh import army_list, muster
from battlewright.editions.eleventh.army_list import battle_size
from battlewright.editions.eleventh.muster import breaches, most_copies, price
from battlewright.editions.eleventh.muster_attachments import attach, bodyguards_for
from battlewright.editions.eleventh.muster_units import (
    Kind,
    UnitSheet,
    WargearOption,
    composition_faults,
    keyword_lists,
    sheet_of,
    wargear_faults,
)
from battlewright.editions.eleventh.package import records
from battlewright.editions.eleventh.switchboard import EleventhSwitchboard
from support.abilities import ability, effect

SHARED = Path(__file__).resolve().parents[3] / "shared" / "rosters"
LIONS = "Lions of the Emperor"


def entry(name: str, *keywords: str, models: int = 1, faction: str = "ADEPTUS CUSTODES", **component: Any) -> Unit:
    """A unit of one component, with the keywords of its faction, its name, and these."""
    words = (*(each.upper() for each in keywords), "IMPERIUM", faction, name.upper())
    model = Model(name, "40mm", 1.5, {}, tuple(word for word in words if word))
    return Unit("a.1", name, (Component(name, **component),), (model,) * models)


def led(guard: Unit, *others: Unit) -> Unit:
    """An attached unit."""
    models, components = list(guard.models), list(guard.components)
    for other in others:
        role = other.components[0].role if other.components[0].role is not Role.UNIT else Role.LEADER
        models += [replace(model, component=len(components)) for model in other.models]
        components.append(replace(other.components[0], role=role))
    return replace(guard, components=tuple(components), models=tuple(models))


GUARD = entry("Custodian Guard", "INFANTRY", "BATTLELINE", models=4)
CHAMPION = entry("Blade Champion", "INFANTRY", "CHARACTER", warlord=True)
WARDENS = entry("Custodian Wardens", "INFANTRY", models=4)


def army(*units: Unit, points: int = 500, **values: Any) -> Army:
    """An army of the Adeptus Custodes, legal but for what is given."""
    numbered = tuple(replace(unit, id=f"a.{number}") for number, unit in enumerate(units, 1))
    settings: dict[str, Any] = {"detachments": (LIONS,), "disposition": "Take and Hold", **values}
    return Army("Mine", "11", settings.pop("faction", "Adeptus Custodes"), numbered, points, **settings)


def broken(*units: Unit, **values: Any) -> list[str]:
    """The last words of the ids of the rules that an army breaks."""
    return [each.rule.removeprefix("11e.core.").removeprefix("25-") for each in breaches(army(*units, **values))]


def test_a_legal_army_breaks_nothing():
    assert broken(led(GUARD, CHAMPION), WARDENS) == []


@pytest.mark.rule("11e.core.25-battle-size")
@pytest.mark.parametrize(
    ("points", "name", "detachment_points", "enhancements", "copies"),
    [
        (500, "Incursion", 2, 2, 2),
        (1000, "Incursion", 2, 2, 2),
        (1001, "Strike Force", 3, 4, 3),
        (2000, "Strike Force", 3, 4, 3),
        (2995, "Onslaught", 3, 4, 3),
        (4000, "Onslaught", 3, 4, 3),
    ],
)
def test_battle_sizes(points: int, name: str, detachment_points: int, enhancements: int, copies: int):
    size = battle_size(points)
    assert (size.name, size.detachment_points, size.enhancements, size.copies) == (
        name,
        detachment_points,
        enhancements,
        copies,
    )


@pytest.mark.rule("11e.core.25-battle-size")
def test_no_battle_size_holds_more_than_3000_points():
    assert broken(led(GUARD, CHAMPION), points=3000) == []
    assert broken(led(GUARD, CHAMPION), points=3005) == ["battle-size"]


@pytest.mark.rule("11e.core.25-copies", "11e.core.25-battle-size")
def test_copies_of_a_datasheet():
    assert most_copies(battle_size(2000), epic_hero=False, doubled=False) == 3
    assert most_copies(battle_size(1000), epic_hero=False, doubled=True) == 4
    assert most_copies(battle_size(3000), epic_hero=True, doubled=True) == 1
    hero, carrier = entry("Valerian", "CHARACTER", "EPIC HERO"), entry("Rhino", "VEHICLE", "DEDICATED TRANSPORT")
    leader = led(GUARD, CHAMPION)
    assert broken(leader, WARDENS, WARDENS) == []
    assert broken(leader, WARDENS, WARDENS, WARDENS) == ["copies"]
    assert broken(leader, *[WARDENS] * 3, points=1500) == []
    assert broken(leader, *[GUARD] * 3) == [], "BATTLELINE, four with the led one"
    assert broken(leader, *[GUARD] * 4) == ["copies"]
    assert "copies" not in broken(leader, *[carrier] * 4), "DEDICATED TRANSPORT"
    assert "copies" in broken(leader, *[carrier] * 5)
    assert broken(leader, hero, hero).count("copies") == 1


@pytest.mark.rule("11e.core.25-faction")
def test_every_unit_belongs_to_the_faction_or_is_an_ally():
    stranger = entry("Boyz", "INFANTRY", faction="ORKS", models=10)
    assert broken(led(GUARD, CHAMPION), stranger) == ["faction"]
    agent = entry("Inquisitor", "INFANTRY", "CHARACTER", faction="AGENTS OF THE IMPERIUM")
    assert broken(led(GUARD, CHAMPION), agent) == [], "made available to it by a rule"
    assert broken(led(GUARD, CHAMPION), stranger, faction="Nobody's") == [], "an unknown faction is not judged"


def detachment(**wanted: Any) -> Any:
    """A record of a detachment of these qualities."""
    return next(
        each
        for each in records("detachments")
        if all(bool(each.get(key)) if value is True else each.get(key) == value for key, value in wanted.items())
    )


@pytest.mark.rule("11e.core.25-detachments", "11e.core.25-incursion-detachment")
def test_detachments_and_their_points(monkeypatch: pytest.MonkeyPatch):
    def found(*costs: int, points: int) -> list[str]:
        names = [f"D{number}" for number in range(len(costs))]
        base = {**detachment(name=LIONS), "tags": None}
        made = [
            {**base, "id": name, "name": name, "detachment_points": cost}
            for name, cost in zip(names, costs, strict=True)
        ]
        monkeypatch.setattr(army_list, "records", lambda kind: made if kind == "detachments" else records(kind))
        return broken(led(GUARD, CHAMPION), points=points, detachments=tuple(names))

    assert found(1, 1, points=1000) == []
    assert found(2, 1, points=1000) == ["detachments"]
    assert found(2, 1, points=2000) == []
    assert found(2, 2, points=2000) == ["detachments"]
    assert found(3, points=1000) == [], "the only one, of 3 points"
    assert found(3, points=2000) == []
    assert found(points=2000) == ["detachments"], "none"


@pytest.mark.rule("11e.core.25-detachments")
def test_detachments_are_different_and_of_the_faction():
    assert broken(led(GUARD, CHAMPION), points=2000, detachments=(LIONS, LIONS)).count("detachments") >= 1
    foreign = detachment(faction_id="orks")["name"]
    assert "detachments" in broken(led(GUARD, CHAMPION), detachments=(foreign,))


@pytest.mark.rule("11e.core.25-detachment-limits")
def test_detachments_with_limits(monkeypatch: pytest.MonkeyPatch):
    def found(*more: dict[str, Any]) -> list[str]:
        base = {**detachment(name=LIONS), "detachment_points": 1, "tags": None}
        made = [{**base, "id": f"D{n}", "name": f"D{n}", **each} for n, each in enumerate(more)]
        monkeypatch.setattr(army_list, "records", lambda kind: made if kind == "detachments" else records(kind))
        return broken(led(GUARD, CHAMPION), WARDENS, detachments=tuple(each["name"] for each in made), points=2000)

    assert found({}) == []
    assert found({"tags": ["lions"]}, {"tags": ["lions"]}) == ["detachment-limits"]
    assert found({"tags": ["lions"]}, {"tags": ["wolves"]}) == []
    assert found({"restrictions": {"required_keywords": ["Battleline"]}}) == ["detachment-limits"] * 2
    assert found({"restrictions": {"excluded_keywords": ["Custodian Wardens"]}}) == ["detachment-limits"]
    assert found({"restrictions": {"required_keywords": ["Adeptus Custodes"]}}) == []
    assert found({"unit_minimums": [{"keyword": "Infantry", "min": 3}]}) == []
    assert found({"unit_minimums": [{"keyword": "Infantry", "min": 4}]}) == ["detachment-limits"]


@pytest.mark.rule("11e.core.mission.dispositions")
def test_the_disposition_is_one_that_a_detachment_offers():
    offered = {name.replace("-", " ") for name in detachment(name=LIONS)["force_dispositions"]}
    for name in ("Take and Hold", "Purge the Foe", "Disruption", "Reconnaissance", "Priority Assets"):
        expected = [] if name.lower() in offered else ["mission.dispositions"]
        assert broken(led(GUARD, CHAMPION), disposition=name) == expected
    assert broken(led(GUARD, CHAMPION), disposition=None) == []


@pytest.mark.rule("11e.core.25-warlord")
def test_one_character_of_the_faction_is_the_warlord():
    nobody = entry("Blade Champion", "CHARACTER")
    assert broken(led(GUARD, nobody)) == ["warlord"]
    assert broken(led(GUARD, CHAMPION), led(WARDENS, CHAMPION)) == ["warlord"]
    assert broken(led(GUARD, nobody), entry("Allarus Custodians", "INFANTRY", models=3, warlord=True)) == ["warlord"]
    agent = entry("Inquisitor", "CHARACTER", faction="AGENTS OF THE IMPERIUM", warlord=True)
    assert broken(led(GUARD, nobody), agent) == ["warlord"]


def ruled(unit: Unit, *restrictions: str, warlord: bool) -> Unit:
    """A unit whose models have to be, or cannot be, the WARLORD."""
    abilities = tuple(ability(effect("attack-restriction", restriction=each), name=each) for each in restrictions)
    models = tuple(replace(model, abilities=abilities) for model in unit.models)
    return replace(unit, models=models, components=(replace(unit.components[0], warlord=warlord),))


@pytest.mark.rule("11e.core.25-warlord")
def test_who_must_be_the_warlord_is_unless_he_cannot_be():
    other = entry("Shield-Captain", "INFANTRY", "CHARACTER", warlord=True)

    def judged(*restrictions: str, warlord: bool) -> list[str]:
        champion = ruled(CHAMPION, *restrictions, warlord=warlord)
        return broken(
            led(GUARD, champion),
            led(WARDENS, replace(other, components=(replace(other.components[0], warlord=not warlord),))),
        )

    assert judged("must-be-warlord", warlord=True) == []
    assert judged("must-be-warlord", warlord=False) == ["warlord"]
    assert judged("cannot-be-warlord", warlord=False) == []
    assert judged("cannot-be-warlord", warlord=True) == ["warlord"]
    assert judged("must-be-warlord", "cannot-be-warlord", warlord=False) == []
    assert judged("must-be-warlord", "cannot-be-warlord", warlord=True) == ["warlord"]


@pytest.mark.rule(
    "11e.core.25-attachments",
    "11e.24.22-leader.limit-one-each",
    "11e.24.34-support.limit-one-each",
    "11e.core.19.01-support-must-attach",
)
def test_attachments():
    other = entry("Shield-Captain", "INFANTRY", "CHARACTER")
    assert broken(led(GUARD, CHAMPION, other)) == ["attachments"], "two leaders"
    assert broken(led(GUARD, replace(CHAMPION, components=(replace(CHAMPION.components[0], role=Role.SUPPORT),)))) == []
    tank = entry("Caladius Grav-tank", "VEHICLE")
    assert broken(led(tank, CHAMPION)) == ["attachments"]
    marines = {"faction": "Adeptus Astartes", "detachments": ("Gladius Task Force",), "disposition": None}
    captain = entry("Captain", "CHARACTER", faction="ADEPTUS ASTARTES", warlord=True)
    squad = entry("Hellblaster Squad", "INFANTRY", faction="ADEPTUS ASTARTES", models=5)
    lieutenant = entry("Lieutenant", "CHARACTER", faction="ADEPTUS ASTARTES")
    alone = broken(led(squad, captain), lieutenant, **marines)
    assert [each for each in alone if each == "attachments"] == ["attachments"], "SUPPORT has to be attached"
    helper = replace(lieutenant, components=(replace(lieutenant.components[0], role=Role.SUPPORT),))
    assert "attachments" not in broken(led(squad, captain, helper), **marines)


def bearing(name: str | None, base: Unit = CHAMPION, *, warlord: bool = False) -> Unit:
    return replace(base, components=(replace(base.components[0], enhancement=name, warlord=warlord),))


LION_GIFTS = [each for each in records("enhancements") if each["detachment_id"] == detachment(name=LIONS)["id"]]
PLAIN = [str(each["name"]) for each in LION_GIFTS if not each.get("upgrade_tag") and not each.get("exclusion_keywords")]


@pytest.mark.rule("11e.core.25-enhancements")
def test_enhancements():
    first, second = PLAIN[:2]
    leader = led(GUARD, CHAMPION)
    captain = entry("Shield-Captain", "INFANTRY", "CHARACTER")
    assert "enhancements" not in broken(leader, bearing(first, captain))
    assert broken(leader, bearing(first, WARDENS)).count("enhancements") >= 1, "no CHARACTER"
    hero = entry("Valerian", "INFANTRY", "CHARACTER", "EPIC HERO")
    assert broken(leader, bearing(first, hero)).count("enhancements") >= 1, "an EPIC HERO"
    assert "enhancements" in broken(leader, bearing(first, captain), bearing(first, captain)), "each once"
    both = led(bearing(second, captain), bearing(first, CHAMPION, warlord=True))
    assert "enhancements" in broken(both), "an attached unit is one unit"
    foreign = next(str(each["name"]) for each in records("enhancements") if each["detachment_id"] == "hallowed-martyrs")
    assert "enhancements" in broken(leader, bearing(foreign, captain))


@pytest.mark.rule("11e.core.25-enhancements", "11e.core.25-battle-size")
def test_how_many_enhancements_an_army_has(monkeypatch: pytest.MonkeyPatch):
    base = LION_GIFTS[0]
    made = [{**base, "name": f"Gift {n}", "keyword_restrictions": [], "upgrade_tag": False} for n in range(5)]
    monkeypatch.setattr(army_list, "records", lambda kind: made if kind == "enhancements" else records(kind))
    captain = entry("Shield-Captain", "INFANTRY", "CHARACTER")

    def found(count: int, points: int) -> list[str]:
        bearers = [bearing(f"Gift {n}", replace(captain, name=f"Captain {n}")) for n in range(count)]
        return [each for each in broken(led(GUARD, CHAMPION), *bearers, points=points) if each != "copies"]

    assert found(2, 1000) == []
    assert found(3, 1000) == ["enhancements"]
    assert found(4, 2000) == []
    assert found(5, 2000) == ["enhancements"]


@pytest.mark.rule("11e.core.25-upgrades")
def test_upgrades(monkeypatch: pytest.MonkeyPatch):
    base = {**LION_GIFTS[0], "keyword_restrictions": [], "keyword_restriction_groups": None}
    made = [{**base, "name": "Honed", "upgrade_tag": True}, {**base, "name": "Gift", "upgrade_tag": False}]
    monkeypatch.setattr(army_list, "records", lambda kind: made if kind == "enhancements" else records(kind))
    leader, squads = led(GUARD, CHAMPION), [bearing("Honed", WARDENS), bearing("Honed (Upgrade)", GUARD)]
    assert broken(leader, *squads, bearing("Honed", GUARD)) == [], "on units that are no CHARACTERS, three times"
    assert broken(leader, *squads, bearing("Honed", GUARD), bearing("Honed", WARDENS), points=1500) == ["upgrades"]
    captain = entry("Shield-Captain", "INFANTRY", "CHARACTER")
    counted = broken(leader, *squads, bearing("Honed", GUARD), bearing("Gift", captain))
    assert "enhancements" not in counted, "three count as one, and an Incursion army has two"
    both = led(bearing("Honed", GUARD), bearing("Gift", CHAMPION, warlord=True))
    assert broken(both) == ["enhancements"], "not besides another"


@pytest.mark.rule("11e.core.25-points")
@pytest.mark.parametrize(
    ("models", "copy", "expected"),
    [(3, 1, 90), (4, 1, 100), (5, 1, 120), (7, 1, 160), (8, 1, 160), (4, 4, 110), (9, 4, 110)],
)
def test_points_go_by_brackets_of_unit_size_and_by_copies(models: int, copy: int, expected: int):
    tiers = [
        {"models": 3, "cost": 90, "unit_count_min": 1, "unit_count_max": 3},
        {"models": 4, "cost": 100, "unit_count_min": 1, "unit_count_max": 3},
        {"models": 5, "models_max": 6, "cost": 120, "unit_count_min": 1, "unit_count_max": 3},
        {"models": 8, "cost": 160, "unit_count_min": 1, "unit_count_max": 3},
        {"models": 4, "cost": 110, "unit_count_min": 4, "unit_count_max": None},
    ]
    assert price({"points": tiers, "faction_id": "x"}, models, copy, None) == expected


@pytest.mark.rule("11e.core.25-points", "11e.core.25-battle-size")
def test_an_army_that_is_too_large_by_the_data_packages_points():
    units = [led(GUARD, CHAMPION), *[WARDENS] * 2, *[GUARD] * 3]
    cost = sum(price(each, 4, 1, None) for each in records("units") if each["name"] in ("Custodian Wardens",))
    assert cost > 0
    assert broken(*units, points=990) == ["points"]
    assert broken(*units, points=1500) == []


# -- whole lists ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(sample_armies("11")))
def test_the_bundled_armies_are_legal(name: str):
    assert breaches(load_army(name)) == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared lists are not here")
@pytest.mark.parametrize("path", sorted(SHARED.glob("*")) if SHARED.exists() else [], ids=lambda path: path.name)
def test_real_lists_are_judged_without_a_fault_of_ours(path: Path):
    found = breaches(load_army(path))
    assert all(each.rule and each.text for each in found)
    if path.name in ("custodes-1990.newrecruit-wtc.txt", "cd-daemonic-incursion.input.listforge-text.txt"):
        assert [each for each in found if not each.rule.endswith("25-points")] == []


def test_army_show_names_the_breaches():
    found = army(led(GUARD, CHAMPION), led(WARDENS, CHAMPION))
    report = army_report(found, lambda unit: Enforcement(), EleventhSwitchboard().breaches(found))
    assert [each["rule"] for each in report["breaches"]] == ["11e.core.25-warlord"]
    assert army_report(found, lambda unit: Enforcement())["breaches"] == []


# -- datasheets (02) ------------------------------------------------------------------------------------------------

SQUAD = UnitSheet(
    "Squad",
    sizes=((Kind("Sergeant", 1, 1, ("Rifle", "Knife")), Kind("Trooper", 4, 9, ("Rifle", "Knife"))),),
    options=(WargearOption((("Flamer",),), kind="Trooper", most=1),),
)
BARE = replace(SQUAD, options=())


@pytest.mark.rule("11e.ds-composition.number-and-types")
def test_a_sergeant_and_four_to_nine_troopers():
    for models, legal in ((5, True), (10, True), (11, False), (4, False)):
        assert (composition_faults(SQUAD, ["Sergeant", *["Trooper"] * (models - 1)]) == []) is legal
    assert composition_faults(SQUAD, ["Trooper"] * 6) != [], "without its Sergeant"
    assert composition_faults(SQUAD, ["Sergeant"] * 2 + ["Trooper"] * 4) != []
    assert composition_faults(SQUAD, ["Guardian of the Vault"] * 6) == [], "by names of its own only the number counts"


@pytest.mark.rule("11e.ds-composition.number-and-types")
def test_the_sizes_of_real_units_are_judged():
    assert "11e.ds-composition.number-and-types" in broken(replace(WARDENS, models=WARDENS.models[:1] * 12))
    assert broken(led(GUARD, CHAMPION), WARDENS) == []


@pytest.mark.rule("11e.ds-wargear.options", "11e.ds-wargear.only-listed")
def test_one_model_may_swap_its_rifle_for_a_flamer_while_the_army_is_made():
    models = {"Sergeant": 1, "Trooper": 4}
    assert wargear_faults(SQUAD, models, {"Rifle": 5, "Knife": 5}) == []
    assert wargear_faults(SQUAD, models, {"Rifle": 4, "Knife": 5, "Flamer": 1}) == []
    assert [each.weapon for each in wargear_faults(SQUAD, models, {"Rifle": 3, "Flamer": 2})] == ["Flamer"]
    (refused,) = wargear_faults(BARE, models, {"Rifle": 4, "Knife": 5, "Flamer": 1})
    assert (refused.weapon, refused.is_listed, refused.may_be_renamed) == ("Flamer", False, False)
    with pytest.raises(FrozenInstanceError):  # in the battle a roster does not change, and no decision asks
        GUARD.models[0].weapons = ()  # type: ignore[misc]


def armed(base: Unit, *names: str) -> Unit:
    """The unit, each of its models with these weapons."""
    profile = WeaponProfile("", True, {"R": "Melee", "A": "1", "WS": "3+", "S": "4", "AP": "0", "D": "1"})
    weapons = tuple(Weapon(name, (profile,)) for name in names)
    return replace(base, models=tuple(replace(model, weapons=weapons) for model in base.models))


@pytest.mark.rule("11e.ds-wargear.only-listed", "11e.ds-wargear.options")
def test_the_wargear_of_real_units_is_judged_where_the_data_knows_it():
    assert broken(led(armed(GUARD, "Guardian spear"), CHAMPION)) == []
    stolen = led(armed(GUARD, "Gauss flayer"), CHAMPION)
    assert broken(stolen) == ["11e.ds-wargear.only-listed"]
    renamed = army(led(armed(GUARD, "Guardian's spear of old"), CHAMPION))
    assert breaches(renamed) == []
    assert [each for each in muster.remarks(renamed) if "Guardian's spear of old" in each]
    odd = next(each for each in records("units") if sheet_of(each) is None)
    assert any(str(odd["name"]) in each for each in muster.remarks(army(entry(str(odd["name"])))))


@pytest.mark.rule("11e.ds-composition.default-wargear")
def test_a_unit_that_names_no_wargear_has_its_default():
    sheet = next(each for each in records("units") if each["id"] == "celestian-sacresants")
    head = "Sisters (75 points)\n\nAdepta Sororitas\nHallowed Martyrs\n\nOTHER DATASHEETS\n\n"
    loaded = load_army(f"{head}Celestian Sacresants (75 points)\n")
    (squad,) = loaded.units
    assert any("default is taken" in each.text for each in loaded.unresolved)
    made = sheet_of(sheet)
    assert made is not None
    for model in squad.models:
        assert [weapon.name for weapon in model.weapons] == list(made.kinds[1].default)
    assert wargear_faults(made, {"Celestian Sacresant": 5}, squad.weapon_counts()) == []


@pytest.mark.rule("11e.ds-keywords.two-lists", "11e.ds-keywords.faction-use")
def test_faction_keywords_stand_apart_and_decide_who_may_be_in_an_army():
    record = {"faction_keywords": ["Adeptus Astartes"], "keywords": ["Infantry", "Tacticus"]}
    assert keyword_lists(record) == (("ADEPTUS ASTARTES",), ("INFANTRY", "TACTICUS"))
    orks: dict[str, Any] = {"faction": "Orks", "detachments": ("War Horde",), "disposition": None}
    boyz = entry("Boyz", "INFANTRY", faction="ORKS", models=10)
    mob = entry("Warboss", "INFANTRY", "CHARACTER", faction="ORKS", warlord=True)
    assert "faction" not in broken(mob, boyz, **orks)
    assert "faction" in broken(mob, entry("Custodian Wardens", "INFANTRY", models=5), **orks)
    disguised = entry("Custodian Wardens", "INFANTRY", "ORKS", models=5)
    assert "faction" not in broken(mob, disguised, **orks), "a keyword that its list adds is its faction's"


MARINES: dict[str, Any] = {"faction": "Adeptus Astartes", "detachments": ("Gladius Task Force",), "disposition": None}
CAPTAIN = entry("Captain", "CHARACTER", faction="ADEPTUS ASTARTES", warlord=True)


@pytest.mark.rule("11e.24.22-leader.select-bodyguard", "11e.ds-composition.other-rules", "11e.core.19.01-attaching")
def test_a_leader_is_given_one_of_the_units_that_it_may_lead_or_none():
    squads = [
        entry(name, "INFANTRY", faction="ADEPTUS ASTARTES", models=5)
        for name in ("Hellblaster Squad", "Tactical Squad", "Scout Squad")
    ]
    mine = army(CAPTAIN, *squads, **MARINES)
    captain = mine.units[0]
    assert bodyguards_for(mine, "a.1") == ("a.2", "a.3"), "a Captain leads no Scouts"
    assert bodyguards_for(mine, "a.2") == (), "a unit that leads nobody"
    assert any("Hellblaster Squad or Tactical Squad" in each for each in muster.remarks(mine))
    for choice in ("a.2", "a.3"):
        made = EleventhSwitchboard().attach(mine, "a.1", choice)
        (united,) = [unit for unit in made.units if len(unit.components) == 2]
        assert (united.id, united.components[1].role, len(united.models)) == (choice, Role.LEADER, 6)
        assert united.models[-1].name == captain.name
        assert "attachments" not in [each.rule for each in breaches(made)]
        with pytest.raises(ArmyError, match="no unit"):
            attach(made, "a.1", "a.3" if choice == "a.2" else "a.2")  # it is part of a unit now
    with pytest.raises(ArmyError, match="Scout Squad"):
        attach(mine, "a.1", "a.4")
    another = army(CAPTAIN, *squads, entry("Captain", "CHARACTER", faction="ADEPTUS ASTARTES"), **MARINES)
    assert bodyguards_for(attach(another, "a.1", "a.2"), "a.5") == ("a.3",), "one leader to a bodyguard unit"


@pytest.mark.rule("11e.core.19.01-attaching")
def test_an_attached_unit_is_one_unit_with_one_leader_and_one_support_at_most():
    other = entry("Shield-Captain", "INFANTRY", "CHARACTER")
    assert broken(led(GUARD, CHAMPION, other)) == ["attachments"]
    support = replace(CHAMPION, components=(replace(CHAMPION.components[0], role=Role.SUPPORT),))
    assert broken(led(GUARD, support)) == []
    assert len(army(led(GUARD, support)).units) == 1


@pytest.mark.rule("11e.core.22.02-faction-abilities")
def test_faction_abilities_work_only_in_an_army_of_the_unit_own_faction():
    data = data_set()
    sheet = data.unit("Custodian Guard", data.family(data.faction("Adeptus Custodes")))
    assert sheet is not None
    assert faction_abilities_work(data.faction("Adeptus Custodes"), sheet)
    assert not faction_abilities_work(data.faction("Adeptus Astartes"), sheet)
    assert faction_abilities_work(None, sheet)
