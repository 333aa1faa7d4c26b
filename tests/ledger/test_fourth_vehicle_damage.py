"""Vehicles of the 4th edition that fire and are fired at."""

from __future__ import annotations

import pytest
from tests.support.classic import model, printed_weapon, scene, squad, unit, weapon

from battlewright.attacks.exact import exact
from battlewright.editions.classic.armour import DamageResult, Verdict
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.damage import Flight
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.gunnery import Driven, Gun, Mounting, Seen
from battlewright.editions.classic.vehicles import Condition
from battlewright.editions.fourth.attack import ATTACK
from battlewright.editions.fourth.damage import (
    GLANCING,
    ORDNANCE,
    PENETRATING,
    by_ap,
    can_be_destroyed,
    crashes,
    damage_tables,
    explosion,
    passengers,
    settled,
)
from battlewright.editions.fourth.gunnery import Category, bears, category_of, may_turn, salvos, shelter
from battlewright.editions.fourth.mustering import breaches

TANK, FAST, WALKER = frozenset({"VEHICLE"}), frozenset({"VEHICLE", "FAST"}), frozenset({"VEHICLE", "WALKER"})
MAIN, OTHER = (Gun(place, weapon("HEAVY 1", S=9)) for place in (0, 1))
SMALL, SHELL = Gun(2, weapon("HEAVY 3", S=6)), Gun(3, weapon("ORDNANCE 1", S=8))


def fired(keywords: frozenset[str], moved: float, *guns: Gun) -> list[list[Gun]]:
    return [[gun for gun, _ in way] for way in salvos(keywords, Driven(moved), guns)]


@pytest.mark.rule("4e.vehicle-move-fire.table", "4e.vehicle-weapons.speed-limits", "4e.vehicle-weapons.defensive")
@pytest.mark.rule("4e.vehicle-weapons.main", "4e.vehicle-shooting.move-and-fire")
def test_one_main_weapon_and_all_defensive_ones_after_a_slow_move() -> None:
    assert category_of(SMALL) is Category.DEFENSIVE
    assert category_of(MAIN) is Category.MAIN
    assert fired(TANK, 6.0, MAIN, OTHER, SMALL, SHELL) == [[MAIN, SMALL], [OTHER, SMALL], [SHELL]]
    assert fired(TANK, 0.0, MAIN, OTHER, SMALL) == [[MAIN, OTHER, SMALL]]
    assert fired(TANK, 6.1, MAIN, SMALL) == fired(FAST, 12.1, MAIN, SMALL) == []
    assert fired(FAST, 12.0, MAIN, OTHER, SMALL) == [[MAIN, SMALL], [OTHER, SMALL]]
    assert fired(WALKER, 6.0, MAIN, OTHER) == [[MAIN, OTHER]]


@pytest.mark.rule("4e.vehicle-weapons.categories", "4e.vehicle-weapons.strength-of-shot", "4e.core.weapons.defensive")
def test_a_weapon_counts_by_the_shot_that_it_uses() -> None:
    guns = [SHELL, Gun(0, weapon("HEAVY 1", S=9)), Gun(1, weapon("HEAVY 1", S=5)), Gun(2, weapon("HEAVY 1", S=5))]
    assert [str(category_of(gun)) for gun in guns] == ["ordnance", "main weapon", *["defensive weapon"] * 2]
    krak, frag = Gun(3, weapon("HEAVY 1", S=8)), Gun(3, weapon("HEAVY 1", "BLAST", S=4))
    assert (category_of(krak), category_of(frag)) == (Category.MAIN, Category.DEFENSIVE)
    assert fired(TANK, 6.0, MAIN, krak, frag) == [[MAIN, frag], [krak]], "fired as a frag missile it is no main weapon"


@pytest.mark.rule("4e.vehicle-move-fire.table", "4e.vehicle-move-fire.fast-no-ordnance")
def test_no_barrage_after_a_move_and_no_ordnance_on_fast_vehicles() -> None:
    barrage = Gun(4, weapon("ORDNANCE 1", "BARRAGE", S=9))
    assert category_of(barrage) is Category.ORDNANCE_BARRAGE
    assert fired(TANK, 0.0, MAIN, barrage) == [[MAIN], [barrage]]
    assert fired(TANK, 1.0, MAIN, barrage, SHELL) == [[MAIN], [SHELL]]
    assert fired(FAST, 0.0, MAIN, SHELL, barrage) == [[MAIN]]
    shells = [printed_weapon("Great gun", "ORDNANCE 1")]
    judged = [
        breaches(scene(unit(1, "VEHICLE", *words, weapons=shells), edition="4").header.armies[0])
        for words in (("FAST",), ())
    ]
    assert [[each.rule for each in found] for found in judged] == [["4e.vehicle-move-fire.fast-no-ordnance"], []]


@pytest.mark.rule("4e.vehicle-los.walker-arc", "4e.vehicle-los.fixed-arc", "4e.vehicle-los.limited-arc")
@pytest.mark.rule("4e.vehicle-facing-targets.pivot-in-place", "4e.vehicle-facing-targets.no-pivot-after-move")
def test_arcs_and_turning() -> None:
    assert [bears(WALKER, Mounting.OPEN, angle) for angle in (80.0, 100.0)] == [True, False]
    assert [bears(TANK, Mounting.HULL, angle) for angle in (44.0, 46.0)] == [True, False]
    assert not bears(TANK, Mounting.LEFT, -90.0)
    assert may_turn(TANK, Driven(), False)
    assert not may_turn(TANK, Driven(3.0), False)
    assert not may_turn(TANK, Driven(), True)


@pytest.mark.rule("4e.ap1.upgrade", "4e.ap1.downgrade-after", "4e.ap-dash.glance-only")
def test_ap_one_penetrates_and_ap_dash_glances() -> None:
    assert by_ap(Verdict.GLANCING, 1) is Verdict.PENETRATING
    assert by_ap(Verdict.PENETRATING, None) is Verdict.GLANCING
    assert by_ap(Verdict.GLANCING, 2) is Verdict.GLANCING


@pytest.mark.rule("4e.damage-rolls.glancing-table", "4e.damage-rolls.penetrating-table")
@pytest.mark.rule("4e.damage-rolls.ordnance-table", "4e.ordnance.own-table", "4e.damage-rolls.result-cap")
def test_the_tables() -> None:
    assert damage_tables() == {"glancing": GLANCING, "penetrating": PENETRATING, "ordnance": ORDNANCE}
    assert GLANCING.result(7) is GLANCING.result(6) is PENETRATING.result(4) is DamageResult.DESTROYED
    assert ORDNANCE.result(6) is DamageResult.ANNIHILATED


@pytest.mark.rule("4e.obscured.save", "4e.obscured.half-hidden", "4e.obscured.los-through-terrain", "4e.smoke.glancing")
@pytest.mark.rule("4e.fast-skimmers.glance-only", "4e.fast-skimmers.displacement")
def test_shelter_and_its_odds() -> None:
    assert shelter(Seen(hidden=0.5)).downgrade_on == shelter(Seen(through_tall=True)).downgrade_on == 4
    assert shelter(Seen(in_smoke=True)).glances_only
    assert shelter(Seen(skims=True, moved=9.0, displaced=9.0)).glances_only
    assert not shelter(Seen(skims=True, moved=12.0, displaced=4.0)).glances_only
    # S9 AP2 against AV 12: a 3 glances, 4 to 6 penetrate; half of these only glance.
    target = squad(model("VEHICLE", AV="12/12/10"), obscured_on=4)
    volley = compile_volley(ATTACK, weapon("HEAVY 1", S=9, AP=2), 1, AttackContext(skill=4, automatic=True), target)
    assert exact(volley).p_destroyed == pytest.approx((1 / 6 + 1 / 4) * 1 / 6 + 1 / 4 * 3 / 6)


@pytest.mark.rule(
    "4e.armament-destroyed.no-weapon-left", "4e.immobilised.nothing-left", "4e.armament-destroyed.lose-weapon"
)
@pytest.mark.rule("4e.immobilised.skimmer-crash-speed", "4e.immobilised.skimmer-crash-terrain")
def test_what_results_come_to() -> None:
    assert settled(Condition(), DamageResult.ARMAMENT) is DamageResult.IMMOBILISED
    assert settled(Condition(immobilised=True), DamageResult.IMMOBILISED) is DamageResult.DESTROYED
    assert [can_be_destroyed([weapon("HEAVY 1", S=s)]) for s in (3, 4)] == [False, True]
    assert crashes({"SKIMMER"}, Flight(7.0))
    assert crashes({"SKIMMER"}, Flight(0.0, over_difficult=True))
    assert not crashes({"SKIMMER"}, Flight(6.0))


@pytest.mark.rule("4e.vehicle-explodes.radius", "4e.vehicle-annihilated.radius", "4e.passenger-casualties.table")
@pytest.mark.rule("4e.entangled.pinned", "4e.vehicle-annihilated.passengers-die")
def test_explosions_and_passengers() -> None:
    burst, end = explosion(DamageResult.EXPLODES), explosion(DamageResult.ANNIHILATED)
    assert burst is not None
    assert end is not None
    assert (burst.radius.is_random, end.radius.bonus) == (True, 6)
    fate = passengers(DamageResult.DESTROYED)
    assert (fate.wounded_on, fate.entangled) == (4, True)
    assert passengers(DamageResult.ANNIHILATED).killed
