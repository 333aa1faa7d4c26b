"""Vehicles of the 6th edition that fire and are fired at: hull points, one table, snap shots, cover saves, smoke."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.classic import model, squad, weapon

from battlewright.attacks.exact import exact
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.damage import Flight
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.gunnery import Driven, Gun, Mounting, Readiness, Seen
from battlewright.editions.classic.state import Phase
from battlewright.editions.classic.vehicles import Condition
from battlewright.editions.classic.wrecks import NO_HARM, Leaves
from battlewright.editions.sixth.attack import ATTACK
from battlewright.editions.sixth.damage import (
    crashes,
    damage_tables,
    explosion,
    leaves,
    lies_on_passengers,
    passengers,
    passengers_fire,
    settled,
    softened,
    table_modifiers,
)
from battlewright.editions.sixth.gunnery import FIRE, bears, cover_save, may_turn, readiness, salvos, shelter

TANK, FAST = frozenset({"VEHICLE", "TANK"}), frozenset({"VEHICLE", "FAST"})
HEAVY, WALKER = frozenset({"VEHICLE", "HEAVY"}), frozenset({"VEHICLE", "WALKER"})
GUNS = tuple(Gun(place, weapon("HEAVY 1", name=f"Gun {place}")) for place in range(4))
SHELL = Gun(9, weapon("ORDNANCE 1", name="Shell"))


def counts(keywords: frozenset[str], moved: float, guns: int, **driven: bool) -> set[tuple[int, int]]:
    """How many weapons fire with full skill and how many make snap shots, in whatever salvo."""
    found = salvos(keywords, Driven(moved, **driven), GUNS[:guns])
    return {(sum(not snap for _, snap in way), sum(snap for _, snap in way)) for way in found}


# -- fire by speed ----------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.vehicle-shooting", "6e.outside.machine-spirit")
def test_the_others_make_snap_shots_after_a_move() -> None:
    assert [counts(TANK, moved, 3) for moved in (0.0, 6.0, 12.0)] == [{(3, 0)}, {(1, 2)}, {(0, 3)}]
    assert len(salvos(TANK, Driven(6.0), GUNS[:3])) == 3, "any of them may be the one"
    assert counts(TANK, 0.0, 3, flat_out=True) == set()
    assert counts(TANK | {"POWER OF THE MACHINE SPIRIT"}, 12.0, 3) == {(1, 2)}


@pytest.mark.rule("6e.fast.combat-speed-fire", "6e.fast.cruising-speed-fire", "6e.heavy.always-stationary")
@pytest.mark.rule("6e.walker-shooting.all-weapons-after-moving")
def test_fast_and_heavy_vehicles_and_walkers_fire_more() -> None:
    assert counts(FAST, 6.0, 3) == {(3, 0)}
    assert counts(FAST, 9.0, 4) == {(2, 2)}
    assert counts(HEAVY, 6.0, 4) == {(4, 0)}
    assert counts(WALKER, 6.0, 2) == {(2, 0)}


@pytest.mark.rule("6e.outside.ordnance")
def test_with_ordnance_all_else_are_snap_shots() -> None:
    ways = salvos(HEAVY, Driven(0.0), (SHELL, *GUNS[:3]))
    assert tuple((gun, gun is not SHELL) for gun in (SHELL, *GUNS[:3])) in ways
    assert all(not any(gun is SHELL for gun, _ in way) or sum(not snap for _, snap in way) == 1 for way in ways)


@pytest.mark.rule("6e.outside.shaken", "6e.outside.stunned", "6e.smoke-launchers.no-shooting")
def test_shaken_and_stunned_crews_make_snap_shots_and_smoke_bars_fire() -> None:
    assert readiness(Condition(), False) is Readiness.FULL
    assert readiness(Condition(shaken=True), False) is readiness(Condition(stunned=True), False) is Readiness.SNAP_SHOTS
    assert readiness(Condition(), True) is Readiness.NONE


@pytest.mark.rule("6e.outside.weapon-arcs", "6e.walker-shooting.immobilised-arc", "6e.walker-shooting.pivot-to-target")
@pytest.mark.rule("6e.walker-shooting.pivot-not-movement", "6e.walker-shooting.final-facing")
def test_hull_weapons_have_an_arc_and_walkers_turn() -> None:
    assert not bears(TANK, Mounting.HULL, 60.0)
    assert bears(TANK, Mounting.TURRET, 180.0)
    assert bears(WALKER, Mounting.OPEN, 45.0)
    assert not bears(WALKER, Mounting.OPEN, 60.0)
    assert may_turn(WALKER, Driven(), False)
    assert not may_turn(WALKER, Driven(), True)
    assert not may_turn(TANK, Driven(), False)


# -- shelter ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.cover-obscured", "6e.smoke-launchers.cover-save", "6e.smoke-launchers.expires")
def test_a_quarter_hidden_has_the_cover_of_what_hides_it() -> None:
    assert cover_save(0.4, 4) == 4
    assert cover_save(1.0, 4, other_side=True) == 3
    assert cover_save(0.2, 4) is None
    assert shelter(Seen(in_smoke=True)).save == 5
    assert shelter(Seen()).save is None
    assert FIRE.smoke_in is Phase.SHOOTING


@pytest.mark.rule("6e.outside.jink", "6e.skimmer-special.jink")
def test_skimmers_that_moved_jink() -> None:
    assert shelter(Seen(jinks=True, moved=1.0)).save == 5
    assert shelter(Seen(jinks=True, moved=18.0, flat_out=True)).save == 4
    assert shelter(Seen(jinks=True)).save is None
    assert shelter(Seen(jinks=False, moved=6.0)).save is None


# -- damage -----------------------------------------------------------------------------------------------------


def odds(gun: str, av: str, hp: int, *keywords: str, ap: object = 4, s: int = 8, cover: int | None = None):  # type: ignore[no-untyped-def]
    """The exact odds of one automatic hit in the front."""
    target = squad(model("VEHICLE", *keywords, AV=av, HP=hp), cover=cover)
    profile = weapon(gun, S=s, AP=ap)
    return exact(compile_volley(ATTACK, profile, 1, AttackContext(skill=4, automatic=True), target))


@pytest.mark.rule("6e.outside.hull-points", "6e.outside.penetration", "6e.outside.damage-table")
def test_every_hit_that_glances_takes_a_hull_point_and_those_that_penetrate_roll() -> None:
    # S8 against AV 12: 4 glances, 5 and 6 penetrate and explode on a 6.
    found = odds("HEAVY 1", "12/12/10", 3)
    lost = [Fraction(3, 6), Fraction(1, 6) + Fraction(2, 6) * Fraction(5, 6), 0, Fraction(2, 6) * Fraction(1, 6)]
    assert [found.damage[number] for number in range(4)] == pytest.approx([float(each) for each in lost])
    assert float(found.effects["crew shaken"][1]) == pytest.approx(2 / 6 * 2 / 6)
    assert float(found.effects["immobilised"][1]) == pytest.approx(2 / 6 * 1 / 6)
    table = damage_tables()["damage"]
    assert [str(table.result(total)) for total in (1, 2, 3, 4, 5, 6, 9)] == [
        "crew shaken",
        "crew shaken",
        "crew stunned",
        "armament destroyed",
        "immobilised",
        "vehicle explodes",
        "vehicle explodes",
    ]


@pytest.mark.rule("6e.outside.damage-modifiers", "6e.open-topped.damage-plus-one")
def test_ap_and_open_tops_add_to_the_roll() -> None:
    assert [sum(each.amount for each in table_modifiers(ap)) for ap in (1, 2, 3, 6, None)] == [2, 1, 0, 0, 0]
    # AP 1 against an open-topped vehicle: 3 and more explodes; S8 penetrates AV 10 on 3 and more.
    found = odds("HEAVY 1", "10/10/10", 3, "OPEN-TOPPED", ap=1)
    assert found.p_destroyed == pytest.approx(4 / 6 * 4 / 6)


@pytest.mark.rule("6e.outside.cover-obscured", "6e.outside.hull-points")
def test_a_cover_save_cancels_whole_hits() -> None:
    open_ground, covered = odds("HEAVY 1", "12/12/10", 3), odds("HEAVY 1", "12/12/10", 3, cover=4)
    assert covered.mean_damage == pytest.approx(open_ground.mean_damage / 2)


@pytest.mark.rule("6e.outside.immobilised", "6e.outside.weapon-destroyed", "6e.extra-armour.stunned-to-shaken")
def test_what_results_come_to() -> None:
    armed, stuck = Condition(weapons=frozenset({(0, 0)})), Condition(immobilised=True)
    assert settled(armed, DamageResult.ARMAMENT) is DamageResult.ARMAMENT
    assert settled(Condition(), DamageResult.ARMAMENT) is DamageResult.IMMOBILISED
    assert settled(stuck, DamageResult.IMMOBILISED) is settled(stuck, DamageResult.ARMAMENT) is DamageResult.HULL_POINT
    assert softened({"EXTRA ARMOUR"}, DamageResult.STUNNED) is DamageResult.SHAKEN
    assert softened((), DamageResult.STUNNED) is DamageResult.STUNNED


@pytest.mark.rule("6e.skimmer-damage.immobilised-at-speed", "6e.skimmer-damage.immobilised-otherwise")
def test_a_skimmer_at_full_speed_crashes() -> None:
    assert crashes({"VEHICLE", "SKIMMER"}, Flight(12.0, flat_out=True))
    assert not crashes({"VEHICLE", "SKIMMER"}, Flight(12.0))
    assert not crashes({"VEHICLE"}, Flight(12.0, flat_out=True))


@pytest.mark.rule("6e.outside.explodes", "6e.passenger-damage.explodes-hits", "6e.passenger-damage.explodes-pinning")
@pytest.mark.rule("6e.passenger-damage.wrecked-exit", "6e.passenger-damage.wrecked-pinning")
@pytest.mark.rule("6e.passenger-damage.weapon-or-immobilised")
def test_explosions_wrecks_and_passengers() -> None:
    blast = explosion(DamageResult.EXPLODES)
    assert blast is not None
    assert blast.strength == 3
    assert explosion(DamageResult.WRECKED) is None
    assert leaves(DamageResult.WRECKED) is Leaves.WRECK
    assert leaves(DamageResult.EXPLODES) is Leaves.NOTHING
    exploded, wrecked = passengers(DamageResult.EXPLODES), passengers(DamageResult.WRECKED)
    assert (exploded.strength, exploded.tests_pinning) == (4, True)
    assert (wrecked.strength, wrecked.clear, wrecked.tests_pinning) == (None, 3.0, True)
    assert passengers(DamageResult.IMMOBILISED) == passengers(DamageResult.ARMAMENT) == NO_HARM


@pytest.mark.rule("6e.passenger-damage.shaken", "6e.passenger-damage.stunned")
def test_a_shaken_crew_shakes_its_passengers() -> None:
    assert passengers_fire({lies_on_passengers(DamageResult.SHAKEN)}) is Readiness.SNAP_SHOTS
    assert passengers_fire({lies_on_passengers(DamageResult.STUNNED)}) is Readiness.NONE
    assert passengers_fire(()) is Readiness.FULL
    assert lies_on_passengers(DamageResult.IMMOBILISED) == lies_on_passengers(DamageResult.ARMAMENT) == ""
