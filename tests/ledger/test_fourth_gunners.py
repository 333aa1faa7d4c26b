"""Batteries and their crews: who serves a gun, what becomes of guns without a crew, blasts and minimum ranges."""

from __future__ import annotations

import pytest
from tests.ledger.test_fourth_shooting import CANNON, MISSILE, offered, shooting
from tests.ledger.test_third_shooting_phase import answer, fire, losses
from tests.support.classic import UnitSpec, mixed, printed_weapon, scene, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.editions.classic.markers import diameter_of
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase

KANNON = printed_weapon("Kannon", "HEAVY 1", R='36"', S=8, AP=3)
RIFLE = printed_weapon("Rifle", "ASSAULT 1", S=3, AP="-", R='24"')


def battery(*, crew: int = 2) -> UnitSpec:
    guns = unit(1, "VEHICLE", "ARTILLERY", name="Gun", AV="10/10/10", base="60mm", weapons=[KANNON])
    men = unit(crew, name="Crew", T=3, Sv="-", weapons=[RIFLE])
    return mixed("Battery", guns, men)


@pytest.mark.rule("4e.artillery.crew-dead")
def test_guns_go_with_the_last_of_their_crew() -> None:
    target = battery(crew=1).on((10, 24), (13, 24))
    dice = [("hit", [4]), ("artillery-hits", [1]), ("wound", [4])]
    battle = shooting(unit(1, weapons=[CANNON]).at(10, 8), target, dice)
    fire(battle, name_model="none")
    assert standing(battle.state, 1) == []


@pytest.mark.rule("4e.artillery.blast-hits")
def test_a_blast_hits_whoever_lies_under_it() -> None:
    target = battery().on((10, 24), (11.7, 24), (20, 24))
    dice = [("hit", [4]), ("partly-covered", [4]), ("penetration", [1]), ("wound", [1])]
    battle = shooting(unit(1, weapons=[MISSILE]).at(10, 8), target, dice)
    fire(battle)
    assert losses(battle, 1) == 0


@pytest.mark.rule("4e.artillery.blast-hits")
def test_a_crewman_whom_a_blast_covers_in_part_and_misses_is_not_hit_in_place_of_the_gun() -> None:
    target = battery().on((10, 24), (11.7, 24), (10, 25.7))
    dice = [("hit", [4]), ("partly-covered", [4, 1]), ("penetration", [1]), ("wound", [1])]
    battle = shooting(unit(1, weapons=[MISSILE]).at(10, 8), target, dice)
    fire(battle)
    assert losses(battle, 1) == 0


@pytest.mark.rule("4e.artillery.crew-to-fire", "4e.artillery.no-own-weapons")
def test_a_gun_takes_a_crewman_within_two_inches_who_fires_nothing_else() -> None:
    for places, told in (
        (((10, 8), (12.2, 8), (14, 8)), ["Kannon", "Rifle"]),
        (((10, 8), (18, 8), (20, 8)), ["Rifle"]),
    ):
        battle = shooting(battery().on(*places), unit(9).at(10, 24), None)
        fire(battle)
        declared = next(event for event in battle.events if event.kind == "attacks-declared").to_json()
        assert [pool[0] for pool in declared["pools"]] == told
        assert sum(pool[1] for pool in declared["pools"]) == 2


@pytest.mark.rule("4e.core.weapons.barrage")
def test_a_barrage_has_a_minimum_range() -> None:
    mortar = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", "MINIMUM 12", R='48"', S=4, AP=6)
    battle = shooting(unit(1, weapons=[mortar]).at(10, 8), unit(1).at(10, 18), [])
    battle.answer(Pick("a.1"))
    assert offered(battle) == ["b.1", "none"]
    answer(battle, {"select-target": "b.1"})
    answer(battle)
    assert "attacks-lost" in [event.kind for event in battle.events]
    assert diameter_of(weapon("HEAVY 1", "BLAST 5")) == 5.0


MORTAR = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", R='48"', S=4, AP=6)
AT_WILL = [unit(1, name="Near").at(10, 18), unit(1, name="Far").at(20, 24)]


def mortars(crew: int) -> UnitSpec:
    """A mortar and a crew of poor Leadership, who fail a test of target priority unless they throw a double 1."""
    piece = unit(1, "VEHICLE", "ARTILLERY", name="Gun", AV="10/10/10", base="60mm", Ld=2, weapons=[MORTAR])
    return mixed("Battery", piece, unit(crew, name="Crew", T=3, Sv="-", Ld=2, weapons=[RIFLE]))


def pools(battle: ClassicBattle) -> list[tuple[str, str]]:
    """What was fired at whom."""
    told = [event.to_json() for event in battle.events if event.kind == "attacks-declared"]
    return [(weapon, target) for each in told for weapon, _, target in each["pools"]]


@pytest.mark.rule("4e.core.shooting.automatic-priority", "4e.artillery.no-own-weapons")
def test_gunners_who_serve_a_mortar_fire_it_at_whom_they_like() -> None:
    battle = shooting(mortars(1).on((10, 8), (12, 8)), AT_WILL, None)
    fire(battle, target="b.2")
    assert pools(battle) == [("Mortar", "b.2")], "his rifle is no reason for a test"


@pytest.mark.rule("4e.core.shooting.automatic-priority", "4e.core.shooting.target-priority")
def test_a_battery_with_a_crewman_to_spare_fires_its_barrages_alone_or_tests() -> None:
    mine = mortars(2).on((10, 8), (12, 8), (8, 8))
    alone = shooting(mine, AT_WILL, None)
    fire(alone, target="b.2", hold_for_barrages="barrages")
    assert pools(alone) == [("Mortar", "b.2")]
    every = shooting(mine, AT_WILL, None)
    fire(every, target="b.2", hold_for_barrages="all")
    assert sorted(pools(every)) == [("Mortar", "b.1"), ("Rifle", "b.1")]
    near = shooting(mine, AT_WILL, None)
    fire(near, target="b.1", hold_for_barrages="nobody asks")
    assert len(pools(near)) == 2


@pytest.mark.rule("3e.core.units.artillery-hits")
def test_one_marker_for_two_hits_strikes_gun_and_crewman_twice_in_the_third_edition() -> None:
    dice = [("hit", [4, 4]), ("penetration", [1]), ("penetration", [1]), ("wound", [1, 1])]
    target = battery(crew=2).on((10, 24), (10, 25.3), (20, 24))
    wide = printed_weapon("Battle cannon", "HEAVY 1", "LARGE BLAST", R='48"', S=4, AP=6)
    battle = scene(unit(2, weapons=[wide]).at(10, 8), target, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    assert losses(battle, 1) == 0
