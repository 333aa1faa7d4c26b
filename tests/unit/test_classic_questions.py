"""Questions of odds in the classic editions: profiles in text, settings, units."""

from __future__ import annotations

import json

import pytest

from battlewright.core import roster
from battlewright.core.errors import BadInput, ProfileError
from battlewright.editions.classic.profile_text import format_attack, parse_attack, parse_target
from battlewright.odds import keys, volley
from support.classic import printed_model, printed_weapon
from support.commands import Run


def slain(attack: str, target: str, **settings: object) -> float:
    return volley(attack, target, edition="3", **settings).mean_slain


@pytest.mark.parametrize(
    "text",
    [
        "A2 BS4 S4 AP5 [ASSAULT]",
        'BS3 S5 AP- R36" [HEAVY 3, TWIN-LINKED]',
        "AD6 BS2 S7 AP4 x3 [ORDNANCE D6]",
        "A3 WS5 S4 AP- [POISONED 3]",
        "S4 AP5 [ASSAULT, TEMPLATE]",
        "BS4 S4 AP5 [RAPID FIRE] + A1 WS4 S8 AP- [POWER FIST]",
    ],
)
def test_weapons_read_and_written_are_the_same(text: str) -> None:
    assert format_attack(parse_attack(text)) == text
    assert parse_attack(format_attack(parse_attack(text))) == parse_attack(text)


def test_targets() -> None:
    rider = parse_target("T4(5) Sv3+ InSv5+ W2 Cover4+ WS5 x3 {BIKE}")
    assert len(rider.models) == 3
    profile = rider.models[0].profile
    assert (profile.base_toughness, profile.toughness, profile.wounds, rider.models[0].cover) == (4, 5, 2, 4)
    tank = parse_target("AV 13/11/10 {OPEN-TOPPED, SKIMMER}")
    assert str(tank.armour) == "13/11/10"
    assert "OPEN-TOPPED" in tank.traits
    assert len(parse_target("T3", 7).models) == 7


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A2 S4",
        "BS4 WS4 S4",
        "BS11 S4",
        "BS4 S11",
        "BS4 S4 AP7",
        "BS4 S4 AP-3",
        "BS4 S4 R?",
        "BS4 S4 [SHINY]",
        "BS4 S4 x0",
        "A0 BS4 S4",
        "ADD BS4 S4",
    ],
)
def test_faulty_weapons(text: str) -> None:
    with pytest.raises(ProfileError):
        parse_attack(text)


@pytest.mark.parametrize(
    "text",
    ["", "T11", "Sv3+", "T4 Sv3", "AV 13/11", "T4 x0", "T4 Cover9+", "AV 13/11/10 + T4", "T4 W11", "AV 10/10/10 x2"],
)
def test_faulty_targets(text: str) -> None:
    with pytest.raises(ProfileError):
        parse_target(text)


def test_settings() -> None:
    plain = slain("A1 BS4 S4 AP5", "T4 Sv3+ x10")
    assert plain == pytest.approx(4 / 6 * 3 / 6 * 2 / 6)
    assert slain("A1 BS4 S4 AP5", "T4 Sv3+ x10", hit=1) == pytest.approx(5 / 6 * 3 / 6 * 2 / 6)
    assert slain("A1 BS4 S4 AP5", "T4 Sv3+ x10", attacks=2) == pytest.approx(3 * plain)
    assert slain("A1 BS4 S4 AP5", "T4 Sv3+ x10", strength="+1") == pytest.approx(4 / 6 * 4 / 6 * 2 / 6)
    assert slain("A1 BS4 S4 AP2", "T4 Sv3+ x10", cover="5+") == pytest.approx(4 / 6 * 3 / 6 * 4 / 6)
    assert slain("A1 BS4 S4 AP2", "T4 Sv3+ x10", cover=True) == pytest.approx(4 / 6 * 3 / 6 * 4 / 6)
    assert slain("A1 BS4 S4 AP5", "T4 Sv3+ x10", reroll_hits="failures") == pytest.approx((1 - 4 / 36) * 1 / 6)
    assert slain("A1 WS4 S4", "T4 Sv- WS4 x10", charged=True) == pytest.approx(2 * 3 / 6 * 3 / 6)
    assert slain("S4 AP5 [TEMPLATE]", "T4 Sv- x10", hits=4) == pytest.approx(2.0)
    for key, value in (
        ("hit", "x"),
        ("cover", "9"),
        ("facing", "top"),
        ("range", "far"),
        ("moved", "maybe"),
        ("hop", 1),
    ):
        with pytest.raises(BadInput):
            slain("A1 BS4 S4 AP5", "T4", **{key: value})
    assert set(keys("3")) >= {"cover", "facing", "hull_down"}


def test_rapid_fire_goes_by_range_and_move() -> None:
    bolter = 'BS4 S4 AP5 R24" [RAPID FIRE]'
    once = slain(bolter, "T4 Sv3+ x10", range=20)
    assert slain(bolter, "T4 Sv3+ x10", range=12) == pytest.approx(2 * once)
    assert slain(bolter, "T4 Sv3+ x10", range=12, moved=True) == pytest.approx(once)
    for faulty in ({"range": 20, "moved": True}, {"range": 25}):
        with pytest.raises(BadInput):
            slain(bolter, "T4 Sv3+ x10", **faulty)
    with pytest.raises(BadInput, match="no range"):
        slain("BS4 S4 AP5", "T4", range=3)


def test_armour_by_facing_and_melta_by_range() -> None:
    tank = "AV 14/12/10"
    front = volley("BS4 S8 AP1 R12 [ASSAULT 1, MELTA]", tank, edition="3", range=12)
    near = volley("BS4 S8 AP1 R12 [ASSAULT 1, MELTA]", tank, edition="3", range=6)
    rear = volley("BS4 S8 AP1 R12 [ASSAULT 1, MELTA]", tank, edition="3", range=12, facing="rear")
    down = volley("BS4 S8 AP1 R12 [ASSAULT 1, MELTA]", tank, edition="3", range=6, hull_down=True)
    assert front.p_destroyed < down.p_destroyed < near.p_destroyed
    assert front.p_destroyed < rear.p_destroyed
    assert "immobilised" in rear.to_json()["effects"]


def squad_of(*weapons: roster.Weapon, count: int = 5) -> roster.Unit:
    model = printed_model(weapons=weapons)
    return roster.Unit("a.1", "Squad", (roster.Component("Squad", points=100),), (model,) * count)


def test_units_use_the_weapon_that_does_most() -> None:
    bolter, flame = printed_weapon("Bolter", "RAPID FIRE"), printed_weapon("Popgun", "ASSAULT 1", S=2)
    blade = printed_weapon("Blade", melee=True)
    unit = squad_of(flame, bolter, blade)
    found = volley(unit, "T4 Sv3+ x10", edition="3", range=12)
    assert found.mean_slain == pytest.approx(slain('BS4 S4 AP5 R24" x5 [RAPID FIRE]', "T4 Sv3+ x10", range=12))
    fight = volley(unit, "T4 Sv3+ x10", edition="3", melee=True, charged=True)
    assert fight.mean_slain == pytest.approx(slain("A1 WS4 S4 x5", "T4 Sv3+ x10", charged=True))
    only = volley(unit, unit, edition="3", weapon="popgun")
    assert only.mean_slain < found.mean_slain
    assert volley("A1 BS4 S4", unit, edition="3", target_models=3).slain.shape == (4,)
    with pytest.raises(BadInput, match="no weapon"):
        volley(unit, "T4", edition="3", weapon="boltr")


def test_the_command(run: Run) -> None:
    ran = run("odds", "--edition", "3", "--attack", "A2 BS4 S4 AP5", "--target", "T4 Sv3+ W1 x10", "--json")
    assert json.loads(ran.out)["mean_slain"] == pytest.approx(2 * 4 / 6 * 3 / 6 * 2 / 6)
    assert run("odds", "--edition", "3", "--attack", "A2 BS3+", "--target", "T4").code == 2
