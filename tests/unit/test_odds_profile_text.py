"""Weapon and target profiles of the 11th edition in text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlewright.core.dice import DiceExpression
from battlewright.core.errors import ProfileError
from battlewright.editions.eleventh.ability_text import WeaponAbility, WeaponAbilityName, fixed
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.profile_text import (
    TextWeapon,
    format_attack,
    format_target,
    parse_attack,
    parse_target,
)


def test_a_weapon_is_read_with_dice_and_abilities() -> None:
    (read,) = parse_attack("A6D6 BS3+ S4 AP-1 DD6+1 [RAPID FIRE 1, LETHAL HITS]")
    profile = read.profile
    assert (str(profile.attacks), profile.skill, str(profile.strength)) == ("6D6", 3, "4")
    assert (profile.armour_penetration, str(profile.damage), profile.melee) == (-1, "D6+1", False)
    assert [str(ability) for ability in profile.abilities] == ["RAPID FIRE 1", "LETHAL HITS"]
    assert str(parse_attack("A1 WS2+ S4 AP0 D10")[0].profile.damage) == "10"
    assert parse_attack("A1 WS2+ S4 AP0 D10")[0].profile.melee
    assert parse_attack('a2 s4 ap0 d1 r12" x3 [torrent]')[0].count == 3


def test_a_target_is_read_with_saves_keywords_and_groups() -> None:
    target = parse_target("T4 Sv3+ InSv4+ W2 FNP5+ x10 {INFANTRY, IMPERIUM}")
    profile = target.models[0].profile
    assert len(target.models) == 10
    assert (profile.toughness, profile.save, profile.invulnerable, profile.wounds) == (4, 3, 4, 2)
    assert (profile.feel_no_pain, profile.keywords) == (5, {"INFANTRY", "IMPERIUM"})
    assert parse_target("T4 Sv- W1").models[0].profile.save is None
    led = parse_target("T4 Sv3+ W2 x5 + T4 Sv2+ W4 {CHARACTER}")
    assert led.attached
    assert [model.bodyguard for model in led.models] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A2 BS3", r'column 4: "BS3" .*did you mean "BS3\+"'),
        ("A2 BS3+ S4 AP-1 DD7", "column 17: .* die of 7 sides"),
        ("A2 BS3+ S4 AP-1 D1 [SUSTAIND HITS 1]", 'column 21: .*did you mean "SUSTAINED HITS 1"'),
        ("A2 BS3+ S4 AP1 D1", 'column 12: .*did you mean "AP-1"'),
        ("A2 BS3+ S4 AP-1", "D is missing"),
        ("A2 S4 AP0 D1", r"BS is missing; expected BS3\+, WS3\+ or \[TORRENT\]"),
        ("A2 BS- S4 AP0 D1", "column 4: BS is missing"),
        ("A2 BS1+ S4 AP0 D1", r"BS2\+ to BS6\+"),
        ("A2 BS3+ WS3+ S4 AP0 D1", "exclude each other"),
        ("A2 A3 BS3+ S4 AP0 D1", "column 4: A stands twice"),
        ("A0 BS3+ S4 AP0 D1", "less than 1"),
        ("AD6-1 BS3+ S4 AP0 D1", "less than 1"),
        ("A2 BS3+ S4 AP0 D1 [BLAST", "never closed"),
        ("A2 BS3+ S4 AP0 D1 ]", "no characteristic"),
        ("A2 BS3+ S4 AP0 D1 QQ", "column 19"),
        ("A2 BS3+ S4 AP0 D1 + ", "incomplete"),
        ("A2 BS3+ S4 AP0 D1 Rfar", "no range"),
        ("", "the attack is empty"),
    ],
)
def test_a_weapon_that_cannot_be_read_is_refused_by_its_place(text: str, told: str) -> None:
    with pytest.raises(ProfileError, match=told):
        parse_attack(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("T4 Sv3+ W0", "column 9: .* out of bounds"),
        ("T4 Sv3+ W2 x0", "column 12: .* out of bounds"),
        ("T4 Sv3 W2", r'did you mean "Sv3\+"'),
        ("T4 W2", "Sv is missing"),
        ("", "the target is empty"),
        ("   ", "the target is empty"),
        ("T4 Sv3+ W2 x900 + T4 Sv2+ W2 x900", "too many models"),
        ("T4 Sv3+ Wmany", "no number"),
    ],
)
def test_a_target_that_cannot_be_read_is_refused_by_its_place(text: str, told: str) -> None:
    with pytest.raises(ProfileError, match=told):
        parse_target(text)


def test_a_number_of_models_does_not_fit_several_groups() -> None:
    with pytest.raises(ProfileError, match="several groups"):
        parse_target("T4 Sv3+ W2 + T4 Sv2+ W2", models=3)


numbers = st.integers(1, 20).map(fixed)
dice = st.builds(DiceExpression, st.integers(1, 4), st.sampled_from([3, 6]), st.integers(0, 6))
plain = st.sampled_from([WeaponAbilityName.LETHAL_HITS, WeaponAbilityName.HEAVY, WeaponAbilityName.TORRENT])
valued = st.sampled_from([WeaponAbilityName.SUSTAINED_HITS, WeaponAbilityName.RAPID_FIRE, WeaponAbilityName.BLAST])
gates = st.sampled_from([frozenset[str](), frozenset({"INFANTRY"}), frozenset({"MONSTER", "VEHICLE"})])
abilities = st.one_of(
    st.builds(WeaponAbility, plain, gate=gates),
    st.builds(WeaponAbility, valued, st.one_of(numbers, dice), gate=gates),
    st.builds(WeaponAbility, st.just(WeaponAbilityName.ANTI), keyword=st.just("FLY"), threshold=st.integers(2, 6)),
)


@st.composite
def weapons(draw: st.DrawFn) -> TextWeapon:
    melee = draw(st.booleans())
    profile = WeaponProfile(
        name="",
        profile="",
        melee=melee,
        range=None if melee else draw(st.one_of(st.none(), st.integers(1, 120).map(float))),
        attacks=draw(st.one_of(numbers, dice)),
        skill=draw(st.integers(2, 6)),
        strength=draw(st.one_of(numbers, dice, st.none())),
        armour_penetration=-draw(st.integers(0, 6)),
        damage=draw(st.one_of(numbers, dice)),
        abilities=tuple(draw(st.lists(abilities, max_size=3))),
    )
    return TextWeapon(profile, draw(st.integers(1, 20)))


@given(st.lists(weapons(), min_size=1, max_size=3))
def test_a_weapon_written_down_is_read_again(written: list[TextWeapon]) -> None:
    text = format_attack(written)
    assert format_attack(parse_attack(text)) == text
    for wrote, read in zip(written, parse_attack(text), strict=True):
        for field in ("attacks", "skill", "strength", "armour_penetration", "damage", "abilities", "range", "melee"):
            assert getattr(read.profile, field) == getattr(wrote.profile, field)
        assert read.count == wrote.count


results = st.one_of(st.none(), st.integers(2, 6))


@given(st.integers(1, 14), results, results, st.integers(1, 30), results, st.integers(1, 30), gates)
def test_a_target_written_down_is_read_again(
    t: int, sv: int | None, insv: int | None, w: int, fnp: int | None, count: int, keywords: frozenset[str]
) -> None:
    words = [f"T{t}", f"Sv{sv}+" if sv else "Sv-"]
    words += [f"InSv{insv}+"] if insv else []
    words += [f"W{w}"] + ([f"FNP{fnp}+"] if fnp else []) + [f"x{count}"]
    words += [f"{{{', '.join(sorted(keywords))}}}"] if keywords else []
    text = " ".join(words)
    assert format_target(parse_target(text)) == text
