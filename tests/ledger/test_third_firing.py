"""Weapon types of the 3rd edition: shots after a move, and what firing bars a unit from."""

from __future__ import annotations

import pytest

from battlewright.editions.classic.firing import (
    Firing,
    assault_shots,
    bars_assault,
    deeds_of_fire,
    heavy_shots,
    ordnance_shots,
    pistol_shots,
)
from battlewright.editions.classic.state import Deed
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.third.shooting import SHOOTING, rapid_fire_shots
from support.classic import weapon

STOOD, MOVED = Firing(), Firing(moved=True)


def shots(gun: WeaponProfile, firing: Firing) -> str | None:
    found = SHOOTING.shots[gun.type](gun, firing)
    return None if found is None else str(found)


@pytest.mark.rule("3e.outside.rapid-fire", "3e.core.weapons.rapid-fire")
def test_rapid_fire() -> None:
    bolter = weapon("RAPID FIRE")
    assert shots(bolter, Firing(distance=11)) == "2"
    assert shots(bolter, Firing(moved=True, distance=11)) == "1"
    assert shots(bolter, Firing(distance=20)) == "1"
    assert rapid_fire_shots(bolter, Firing(moved=True, distance=20)) is None


@pytest.mark.rule("3e.fall-back.rapid-fire-twelve", "3e.fall-back.no-heavy")
def test_units_that_fall_back_fire_as_having_moved() -> None:
    assert str(rapid_fire_shots(weapon("RAPID FIRE"), Firing(moved=True, distance=11))) == "1"
    assert rapid_fire_shots(weapon("RAPID FIRE"), Firing(moved=True, distance=14)) is None
    assert heavy_shots(weapon("HEAVY 2"), MOVED) is None


@pytest.mark.rule("3e.outside.assault-weapon", "3e.core.weapons.assault")
def test_an_assault_weapon_fires_all_its_shots_and_bars_nothing() -> None:
    gun = weapon("ASSAULT 2")
    assert shots(gun, MOVED) == shots(gun, STOOD) == "2"
    fired = assault_shots(gun, MOVED)
    assert fired is not None
    assert bars_assault(deeds_of_fire(gun, MOVED, fired)) == []


@pytest.mark.rule("3e.outside.heavy-weapon", "3e.core.weapons.heavy")
def test_a_heavy_weapon_does_not_fire_after_a_move() -> None:
    gun = weapon("HEAVY 3")
    assert shots(gun, MOVED) is None
    assert shots(gun, STOOD) == "3"
    assert ordnance_shots(weapon("ORDNANCE 1"), MOVED) is None


@pytest.mark.rule("3e.outside.fire-then-assault", "3e.core.weapons.rapid-fire-and-charge")
def test_rapid_fire_standing_still_bars_an_assault() -> None:
    bolter = weapon("RAPID FIRE")
    fired = rapid_fire_shots(bolter, Firing(distance=8))
    assert fired is not None
    reasons = bars_assault(deeds_of_fire(bolter, STOOD, fired))
    assert reasons == [("3e.core.weapons.rapid-fire-and-charge", "stood still and fired rapid fire weapons this turn")]
    assert bars_assault(deeds_of_fire(bolter, MOVED, fired)) == []


@pytest.mark.rule("3e.outside.pistol", "3e.core.weapons.pistol")
def test_a_pistol_fired_twice_bars_an_assault() -> None:
    pistol = weapon("PISTOL", R='12"')
    twice, once = pistol_shots(pistol, STOOD), pistol_shots(pistol, Firing(once=True))
    assert twice is not None
    assert once is not None
    assert (str(twice), str(once), shots(pistol, MOVED)) == ("2", "1", "1")
    assert bars_assault(deeds_of_fire(pistol, STOOD, twice))
    assert bars_assault(deeds_of_fire(pistol, Firing(once=True), once)) == []


@pytest.mark.rule("3e.core.weapons.ordnance-and-charge", "3e.core.assault.may-not-charge")
def test_heavy_weapons_ordnance_and_deep_strike_bar_an_assault() -> None:
    for gun in (weapon("HEAVY 1"), weapon("ORDNANCE 1")):
        assert len(bars_assault(deeds_of_fire(gun, STOOD, gun.shots))) == 1
    assert len(bars_assault({Deed.DEEP_STRUCK})) == 1
    assert bars_assault({Deed.RALLIED, Deed.FIRED}) == []
