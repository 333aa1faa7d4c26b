"""Datasheets of the 11th edition: profiles, weapons, abilities and keywords as they are printed."""

from __future__ import annotations

import pytest

from battlewright.core.dice import parse_dice
from battlewright.core.errors import ProfileError
from battlewright.editions.eleventh.datasheet import (
    CoreAbilityName,
    WeaponAbilityName,
    has_ability,
    parse_ability,
    parse_core_ability,
    parse_weapon_ability,
    weapons_with,
)
from battlewright.editions.eleventh.keywords import keywords_match, keywords_of_models, matching_models, normal_keyword
from ledger.eleventh_builders import model, weapon

# --- 24.01: abilities


@pytest.mark.rule("11e.24.01-abilities.core-on-datasheet", "11e.ds-abilities.listed-here")
def test_a_unit_has_the_core_abilities_its_datasheet_names_and_no_other() -> None:
    assert [each.name for each in model(abilities=("Deep Strike", "Stealth")).abilities] == [
        CoreAbilityName.DEEP_STRIKE,
        CoreAbilityName.STEALTH,
    ]


@pytest.mark.rule("11e.24.01-abilities.weapon-in-profile")
def test_each_weapon_has_the_abilities_of_its_own_profile() -> None:
    rifle, launcher = weapon("RAPID FIRE 1"), weapon("BLAST")
    assert [str(each) for each in rifle.abilities] == ["RAPID FIRE 1"]
    assert [str(each) for each in launcher.abilities] == ["BLAST"]


@pytest.mark.rule("11e.24.01-abilities.bracket-notation")
def test_brackets_mark_a_weapon_ability() -> None:
    assert parse_ability("[HEAVY]").name is WeaponAbilityName.HEAVY
    assert parse_ability("Stealth").name is CoreAbilityName.STEALTH
    with pytest.raises(ProfileError):
        parse_ability("HEAVY")


@pytest.mark.rule("11e.24.01-abilities.named-by-ability")
def test_a_rule_naming_an_ability_means_every_weapon_that_has_it() -> None:
    mortar, rifle, cannon = weapon("BLAST"), weapon("RAPID FIRE 1"), weapon("BLAST 2")
    assert weapons_with((mortar, rifle, cannon), WeaponAbilityName.BLAST) == (mortar, cannon)


@pytest.mark.rule(
    "11e.24.01.01-with-the-x-ability.number-ignored-effect",
    "11e.24.01.01-with-the-x-ability.number-ignored-selection",
    "11e.24.01.01-with-the-x-ability.example-deadly-demise",
)
@pytest.mark.parametrize(
    ("name", "printed"),
    [
        (CoreAbilityName.SCOUTS, ['Scouts 6"', 'Scouts 9"', "Stealth"]),
        (CoreAbilityName.FEEL_NO_PAIN, ["Feel No Pain 4+", "Feel No Pain 6+", "Stealth"]),
        (CoreAbilityName.DEADLY_DEMISE, ["Deadly Demise 1", "Deadly Demise D3", "Deadly Demise D6", "Hover"]),
    ],
)
def test_the_number_behind_an_ability_plays_no_part_in_who_has_it(name: CoreAbilityName, printed: list[str]) -> None:
    has = [has_ability((parse_core_ability(text),), name) for text in printed]
    assert has == [True] * (len(printed) - 1) + [False]


# --- the forms of chapter 24


@pytest.mark.rule("11e.24.03-anti.form")
def test_anti_has_a_keyword_and_a_threshold() -> None:
    ability = parse_weapon_ability("[ANTI-FLY 3+]")
    assert (ability.name, ability.keyword, ability.threshold) == (WeaponAbilityName.ANTI, "FLY", 3)
    with pytest.raises(ProfileError, match=r"expected ANTI-VEHICLE 4\+"):
        parse_weapon_ability("[ANTI-FLY]")


@pytest.mark.rule(
    "11e.24.06-cleave.form",
    "11e.24.25-melta.form",
    "11e.24.30-rapid-fire.form",
    "11e.24.36-sustained-hits.form",
)
@pytest.mark.parametrize(
    ("text", "value"), [("CLEAVE 2", "2"), ("MELTA 4", "4"), ("RAPID FIRE 3", "3"), ("SUSTAINED HITS D3", "D3")]
)
def test_an_ability_that_needs_a_number_is_a_fault_without_one(text: str, value: str) -> None:
    assert parse_weapon_ability(f"[{text}]").value == parse_dice(value)
    with pytest.raises(ProfileError):
        parse_weapon_ability(text.rpartition(" ")[0])


@pytest.mark.rule(
    "11e.24.08-deadly-demise.form", "11e.24.12-feel-no-pain.form", "11e.24.31-scouts.form", "11e.24.39-damaged.form"
)
def test_core_abilities_carry_their_numbers() -> None:
    assert parse_core_ability("Deadly Demise D3").value == parse_dice("D3")
    assert parse_core_ability("Feel No Pain 5+").threshold == 5
    assert parse_core_ability('Scouts 7"').distance == 7
    assert parse_core_ability("Damaged 5").value == parse_dice("5")
    for bare in ("Deadly Demise", "Feel No Pain", "Scouts", "Damaged"):
        with pytest.raises(ProfileError):
            parse_core_ability(bare)


def test_what_is_printed_but_unknown_is_kept_by_name_and_breaks_nothing() -> None:
    assert weapon("CONVERSION", "HEAVY").unknown == ("CONVERSION",)
    assert model(abilities=("Oath of Moment",)).unknown == ("Oath of Moment",)
    with pytest.raises(ProfileError, match='did you mean "SUSTAINED HITS 1"'):
        parse_weapon_ability("SUSTAIND HITS 1")


# --- 02: profiles


@pytest.mark.rule(
    "11e.ds-profile.characteristics-list",
    "11e.ds-profile.sv-dice-result",
    "11e.ds-profile.insv-dice-result",
    "11e.ds-profile.insv-optional",
    "11e.ds-profile.ld-dice-result",
)
def test_a_model_profile_holds_its_characteristics() -> None:
    terminator = model(M='5"', T=5, Sv="4+", InSv="5+", W=3, Ld="7+", OC=1)
    assert (terminator.move, terminator.toughness, terminator.save) == (parse_dice("5"), 5, 4)
    assert (terminator.invulnerable, terminator.wounds, terminator.leadership) == (5, 3, 7)
    assert terminator.objective_control == 1
    assert model().invulnerable is None
    assert model(M="-", OC="-").move is model(M="-", OC="-").objective_control is None


@pytest.mark.parametrize("broken", [{"W": 0}, {"W": "-"}, {"T": "x"}, {"Sv": "3++"}])
def test_a_profile_that_cannot_be_read_is_refused_by_name(broken: dict[str, object]) -> None:
    with pytest.raises(ProfileError, match="Model"):
        model(**broken)


@pytest.mark.rule("11e.ds-weapons.characteristics-list", "11e.ds-weapons.range-melee")
def test_a_weapon_whose_range_reads_melee_is_a_melee_weapon() -> None:
    sword, gun = weapon(melee=True, R="Melee", WS="2+"), weapon(R='12"', A="D6", S=5, AP=-2, D="D3+1")
    assert (sword.melee, sword.range, sword.skill) == (True, None, 2)
    assert (gun.melee, gun.range, gun.skill, gun.armour_penetration) == (False, 12, 3, -2)
    assert (str(gun.attacks), str(gun.strength), str(gun.damage)) == ("D6", "5", "D3+1")


@pytest.mark.rule("11e.ds-weapons.missing-s-is-one", "11e.core.02-no-strength")
def test_a_weapon_without_strength_counts_as_strength_one() -> None:
    torch = weapon(S="-")
    assert torch.strength is None
    assert torch.strength_in_use == parse_dice("1")


# --- 02: keywords


@pytest.mark.rule("11e.ds-name.name-is-keyword", "11e.ds-keywords.same-function")
def test_datasheet_names_and_faction_keywords_work_as_keywords() -> None:
    unit = keywords_of_models([model("INFANTRY", "Imperium", "ADEPTUS ASTARTES", "Intercessor Squad").keywords])
    assert keywords_match("INTERCESSOR SQUAD", unit)
    assert keywords_match("ADEPTUS ASTARTES", unit)


@pytest.mark.rule("11e.ds-keywords.notation", "11e.ds-keywords.singular-plural")
def test_singular_and_plural_are_one_keyword_and_capitals_do_not_matter() -> None:
    assert keywords_match("immortal", frozenset({"IMMORTALS"}))
    assert normal_keyword("Beasts") == normal_keyword("BEAST")
    assert normal_keyword("TACTICUS") == "TACTICUS"


@pytest.mark.rule(
    "11e.ds-keywords.unit-has-all",
    "11e.ds-keywords.model-own-only",
    "11e.ds-keywords.unit-rule",
    "11e.ds-keywords.model-rule",
    "11e.core.02-unit-keywords",
)
def test_a_unit_has_the_keywords_of_all_its_models_and_a_model_its_own() -> None:
    models = [model("INFANTRY").keywords] * 9 + [model("INFANTRY", "PSYKER", "CHARACTER").keywords]
    assert keywords_of_models(models) == {"INFANTRY", "PSYKER", "CHARACTER"}
    assert keywords_match("PSYKER", keywords_of_models(models))
    assert not keywords_match("PSYKER", keywords_of_models(models[:1]))
    assert matching_models("PSYKER", models, speaks_of_models=True) == (9,)


@pytest.mark.rule("11e.ds-keywords.non-keyword", "11e.ds-keywords.model-rule")
def test_a_rule_for_non_character_models_reaches_the_others() -> None:
    models = [model("INFANTRY").keywords] * 5 + [model("INFANTRY", "CHARACTER").keywords]
    assert matching_models("non-CHARACTER", models, speaks_of_models=True) == (0, 1, 2, 3, 4)


@pytest.mark.rule("11e.ds-keywords.non-keyword-example")
def test_a_rule_for_non_vehicle_units_asks_every_model() -> None:
    infantry, vehicle, mixed = {"INFANTRY"}, {"VEHICLE"}, keywords_of_models([["INFANTRY"], ["VEHICLE"]])
    assert [keywords_match("non-VEHICLE", unit) for unit in (infantry, vehicle, mixed)] == [True, False, False]


@pytest.mark.rule("11e.ds-keywords.mixed-unit", "11e.ds-keywords.model-only-in-mixed")
def test_a_mixed_unit_is_reached_by_rules_for_either_keyword_but_only_where_the_rule_says() -> None:
    models = [["CAVALRY"], ["CAVALRY"], ["INFANTRY"]]
    unit = keywords_of_models(models)
    assert keywords_match("CAVALRY", unit)
    assert keywords_match("INFANTRY", unit)
    assert matching_models("CAVALRY", models, speaks_of_models=True) == (0, 1)


@pytest.mark.rule(
    "11e.ds-keywords.any-of-list",
    "11e.ds-keywords.any-of-example",
    "11e.ds-keywords.adjacent-all",
    "11e.core.02-keyword-lists",
)
def test_separators_mean_any_and_adjacency_means_all() -> None:
    for wanted in ("MONSTER/VEHICLE", "MONSTER, VEHICLE", "MONSTER or VEHICLE"):
        assert [keywords_match(wanted, {unit}) for unit in ("MONSTER", "VEHICLE", "INFANTRY")] == [True, True, False]
    named = "Immortals, Deathmarks or Lychguard"
    assert [keywords_match(named, {unit}) for unit in ("IMMORTALS", "DEATHMARKS", "LYCHGUARD", "WARRIORS")] == [
        True,
        True,
        True,
        False,
    ]
    assert keywords_match("Aeldari Guardians", {"AELDARI", "GUARDIANS"})
    assert not keywords_match("Aeldari Guardians", {"AELDARI"})
    assert not keywords_match("Aeldari Guardians", {"GUARDIANS"})


@pytest.mark.rule("11e.ds-keywords.older-rules-mean-units")
def test_an_older_rule_that_names_bare_keywords_means_units() -> None:
    models = [["INFANTRY"], ["VEHICLE"], ["INFANTRY"]]
    assert matching_models("MONSTER/VEHICLE", models, speaks_of_models=False) == (0, 1, 2)
    assert matching_models("MONSTER", models, speaks_of_models=False) == ()
