"""Vehicles of the 4th edition under fire: obscured, in smoke, open-topped, in squadrons; and their passengers."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_fourth_vehicle_moves import inside, rhino, tank
from tests.ledger.test_third_vehicle_fire import fire, shot
from tests.support.classic import UnitSpec, model, printed_weapon, scene, squad, unit, weapon

from battlewright.attacks.exact import exact
from battlewright.core.decisions import Pick
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.armour import Verdict
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.events import VehicleDamaged
from battlewright.editions.classic.gunnery import Gun, Readiness
from battlewright.editions.classic.procedures.aiming import targets_of
from battlewright.editions.classic.procedures.fire_at_vehicles import view_of
from battlewright.editions.classic.procedures.shelter import seen_of
from battlewright.editions.classic.procedures.smoke import launch, may_launch, smoke_clears
from battlewright.editions.classic.procedures.vehicle_fire import driven, readiness_of
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase
from battlewright.editions.classic.vehicles import smoke_after_shooting, spread_hits, why_no_smoke
from battlewright.editions.fourth.attack import ATTACK
from battlewright.editions.fourth.damage import by_ap
from battlewright.editions.fourth.gunnery import Category, category_of, shelter

LASER = printed_weapon("Lascannon", "HEAVY 1", S=9, AP=2, R='48"')
WOOD = TerrainArea(
    "wood", ((26, 17), (34, 17), (34, 23), (26, 23)), height=3.0, tags=frozenset({"area", "woods", "difficult"})
)


def shooting(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="4", alone=True, phase=Phase.SHOOTING, **more)


def gunner(name: str = "Gunner") -> UnitSpec:
    return unit(1, weapons=[LASER], name=name)


def smoky(*abilities: str, **more: Any) -> UnitSpec:
    return tank(abilities=["Smoke Launchers", *abilities], AV="12/12/10", **more)


def results(battle: ClassicBattle) -> list[tuple[int, str]]:
    return [(event.model, event.result) for event in battle.events if isinstance(event, VehicleDamaged)]


# -- obscured ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.obscured.own-cover-rule", "4e.obscured.save")
@pytest.mark.parametrize(("die", "table"), [(4, "glancing table"), (3, "penetrating table")])
def test_a_tank_in_a_wood_has_no_cover_save_and_a_die_against_each_penetrating_hit(die: int, table: str) -> None:
    dice = shot(("obscured", [die]), (table, [1]))
    battle = shooting(gunner().at(30, 5), tank(AV="12/12/10").at(30, 20), terrain=[WOOD], dice=dice)
    view = view_of(battle.scene, battle.state, 1, 0, Facing.SIDE)
    assert (view.models[0].cover, view.obscured_on) == (None, 4)
    fire(battle)
    assert results(battle) == [(1, "crew shaken" if die == 4 else "crew stunned")]


@pytest.mark.rule("4e.obscured.check-each-shot", "4e.obscured.half-hidden")
def test_of_two_firers_one_sees_the_whole_side_and_the_other_half_of_it() -> None:
    wall = TerrainFeature(
        "wall",
        ((24.5, 14), (30.5, 14), (30.5, 14.5), (24.5, 14.5)),
        4.0,
        solid=True,
        tags=frozenset({"obstacle", "wall"}),
    )
    area = TerrainArea("yard", wall.polygon, features=(wall,))
    firers = [gunner("Free").at(52, 20), gunner("Before the wall").at(30, 2)]
    dice = shot(("penetrating table", [1])) + shot(("obscured", [6]), ("glancing table", [1]))
    battle = shooting(firers, tank(AV="12/12/10").at(30, 20), terrain=[area], dice=dice)
    assert [shelter(seen_of(battle.scene, battle.state, 2, row)).downgrade_on for row in (0, 1)] == [None, 4]
    fire(battle, "a.1")
    fire(battle, "a.2")
    assert results(battle) == [(2, "crew stunned"), (2, "crew shaken")]


@pytest.mark.rule("4e.obscured.glancing-unaffected")
def test_no_die_is_rolled_for_a_glancing_hit_on_an_obscured_tank() -> None:
    dice = [("hit", [4]), ("penetration", [3]), ("glancing table", [1])]
    battle = shooting(gunner().at(30, 5), tank(AV="12/12/10").at(30, 20), terrain=[WOOD], dice=dice)
    fire(battle)
    assert results(battle) == [(1, "crew shaken")]


@pytest.mark.rule("4e.skimmer-movement.hover-no-cover", "4e.fast-skimmers.no-immobile")
def test_a_skimmer_has_nothing_of_the_wood_below_it_until_it_has_landed_and_nothing_of_its_speed_then() -> None:
    skimmer = tank("SKIMMER", "FAST", AV="12/12/10").at(30, 20).having(moved_before=9000, displaced_before=9000)
    battle = shooting(gunner().at(30, 5), skimmer, terrain=[WOOD])
    flying = shelter(seen_of(battle.scene, battle.state, 1, 0))
    assert (flying.downgrade_on, flying.glances_only) == (None, True)
    battle.state.units[1].immobilised = frozenset({1})
    landed = shelter(seen_of(battle.scene, battle.state, 1, 0))
    assert (landed.downgrade_on, landed.glances_only) == (4, False)


# -- smoke ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.smoke.some-vehicles", "4e.smoke.once", "4e.smoke.shaken-stunned")
def test_smoke_needs_launchers_and_is_used_once_however_far_and_in_whatever_state() -> None:
    assert [rule for rule, _ in why_no_smoke(smoke=0, launchers=False, fired=False)] == ["3e.core.vehicles.smoke"]
    units = [
        smoky().at(30, 20).having(moved_distance=12000, moved=True),
        smoky().at(40, 20).having(stunned=True),
        tank().at(50, 20),
    ]
    battle = scene(units, unit(1).at(30, 40), edition="4", alone=True)
    assert [may_launch(battle.scene, battle.state, each) for each in range(3)] == [True, True, False]
    battle.answer(Pick("end"))
    assert [option.key for option in battle.options()] == ["a.1", "a.2", "end"]
    assert battle.decision is not None
    assert battle.decision.rule == "4e.smoke.once"
    battle.answer(Pick("a.1"))
    assert [option.key for option in battle.options()] == ["a.2", "end"], "once"
    battle.state.units[0].smoke = smoke_after_shooting(1, enemys=True)
    assert not may_launch(battle.scene, battle.state, 0), "once in a game"


@pytest.mark.rule("4e.smoke.no-shooting", "4e.smoke.ends")
def test_who_is_in_smoke_of_his_own_does_not_shoot_and_stands_clear_after_the_enemys_turn() -> None:
    battle = shooting(smoky(weapons=[LASER]).at(30, 20), unit(1, T=8).at(30, 40))
    assert readiness_of(battle.scene, battle.state, 0, 0) is Readiness.FULL
    launch(battle, 0)
    assert readiness_of(battle.scene, battle.state, 0, 0) is Readiness.NONE
    smoke_clears(battle)
    assert seen_of(battle.scene, battle.state, 0, 1).in_smoke, "its own Shooting phase takes nothing off it"
    battle.state.turn = battle.state.units[1].side
    smoke_clears(battle)
    assert not seen_of(battle.scene, battle.state, 0, 1).in_smoke


@pytest.mark.rule("4e.smoke.shooting-only", "4e.smoke.glancing")
def test_smoke_helps_against_shots_and_not_against_grenades() -> None:
    target = smoky().at(30, 20).having(smoke=1, displaced_before=0)
    shots = shooting(gunner().at(30, 5), target, dice=shot(("glancing table", [1])))
    fire(shots)
    assert results(shots) == [(1, "crew shaken")]
    dice = [("penetration", [6]), ("penetrating table", [1])]
    charge = scene(
        unit(1, abilities=("Krak Grenades",)).at(27, 20), tank(AV="11/11/10").on((30, 20, 0, 90)).having(smoke=1),
        edition="4", alone=True, phase=Phase.ASSAULT, dice=dice,
    )  # fmt: skip
    while charge.decision is not None:
        keys = [option.key for option in charge.decision.options()]
        charge.answer(Pick("a.1") if "a.1" in keys else charge.decision.default())
    assert results(charge) == [(1, "crew stunned")], "6 and 6 are more than 11, and stay so"


# -- open-topped ------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.open-topped.damage-bonus")
def test_a_roll_of_three_counts_as_four_on_an_open_topped_vehicle() -> None:
    dice = shot(("penetrating table", [3]))
    battle = shooting(gunner().at(30, 5), tank("OPEN-TOPPED", AV="10/10/10").at(30, 20), dice=dice)
    fire(battle)
    assert results(battle) == [(1, "vehicle destroyed")]


@pytest.mark.rule("4e.open-topped.vulnerable", "4e.vulnerable-blasts.vehicle-two-hits")
def test_one_hit_of_a_blast_or_template_makes_two_penetration_rolls_at_an_open_topped_vehicle() -> None:
    flamer = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", S=5, AP=5, R='8"')
    dice = [("penetration", [6, 6]), ("penetrating table", [1, 1])]
    buggy = tank("OPEN-TOPPED", AV="10/10/10").at(30, 20)
    battle = shooting(unit(1, weapons=[flamer]).at(30, 15), buggy, dice=dice)
    fire(battle)
    assert len(results(battle)) == 2
    open_top, closed = (squad(model("VEHICLE", *words, AV="10/10/10")) for words in (("OPEN-TOPPED",), ()))
    blast, plain = weapon("HEAVY 1", "BLAST", S=9, AP=4), weapon("HEAVY 1", S=9, AP=4)
    context = AttackContext(skill=4)
    rolls = [
        next(step for step in compile_volley(ATTACK, gun, 1, context, target).steps if step.name == "hit")
        for gun, target in ((blast, open_top), (blast, closed), (plain, open_top))
    ]
    assert [step.outcomes[1].emits[0].count.values for step in rolls] == [(2,), (1,), (1,)]


# -- squadrons --------------------------------------------------------------------------------------------------


def squadron(*points: tuple[float, float], count: int = 3, **more: Any) -> UnitSpec:
    return unit(count, "VEHICLE", "FAST", name="Vypers", base="60mm", AV="10/10/10", **more).on(*points)


@pytest.mark.rule("4e.squadron-shooting.distribute-hits", "4e.squadron-shooting.no-second-before-first")
def test_hits_go_round_the_nearest_first() -> None:
    assert spread_hits(4, [10.0, 12.0, 14.0]) == [2, 1, 1]
    assert spread_hits(3, [14.0, 12.0, 10.0]) == [1, 1, 1]
    assert spread_hits(2, [14.0, 12.0, 10.0]) == [0, 1, 1]


@pytest.mark.rule("4e.squadron-shooting.roll-separately", "4e.squadron-shooting.distribute-hits")
def test_what_was_shared_out_is_rolled_for_each_vehicle_and_not_shared_anew() -> None:
    # X has two of four hits and is destroyed by the first; the second is not given to anybody else.
    cannon = printed_weapon("Cannon", "HEAVY 4", S=7, AP=4, R='48"')
    dice = [("hit", [4, 4, 4, 4]), ("penetration", [6, 6]), ("penetrating table", [4, 1])]
    dice += [("penetration", [1]), ("penetration", [4]), ("penetrating table", [1])]
    battle = shooting(unit(1, weapons=[cannon]).at(30, 5), squadron((30, 15), (34, 17), (26, 18)), dice=dice)
    fire(battle)
    assert not battle.state.wounds[1]
    assert results(battle)[-1] == (3, "crew stunned")
    assert standing(battle.state, 1) == [2, 3]


@pytest.mark.rule("4e.squadron-shooting.example-vypers")
def test_two_hits_on_two_vypers_are_one_each() -> None:
    shoota = printed_weapon("Big shoota", "ASSAULT 3", S=5, AP=5, R='36"')
    trukk = unit(1, "VEHICLE", "FAST", name="Trukk", BS=2, AV="10/10/10", base="60mm", weapons=[shoota]).at(30, 5)
    dice = [
        ("hit", [5, 5, 1]),
        ("penetration", [5]),
        ("glancing table", [1]),
        ("penetration", [5]),
        ("glancing table", [1]),
    ]
    battle = shooting(trukk, squadron((30, 20), (33, 20), count=2), dice=dice)
    fire(battle)
    assert sorted(results(battle)) == [(1, "crew shaken"), (2, "crew shaken")]


@pytest.mark.rule("4e.squadron-shooting.same-target", "4e.squadron-shooting.weapons-by-distance")
def test_a_squadron_fires_everything_at_one_unit_as_its_furthest_member_has_moved() -> None:
    guns = [
        printed_weapon("Shuriken cannon", "HEAVY 1", S=6, R='48"'),
        printed_weapon("Small cannon", "HEAVY 1", S=5, R='48"'),
    ]
    mine = squadron((30, 10), (33, 10), (36, 10), weapons=guns)
    dice = [("hit", [1, 1, 1]), ("hit", [1, 1, 1])]
    battle = shooting(mine, [unit(1, T=8).at(30, 30), unit(1, T=8).at(40, 30)], dice=dice)
    fire(battle)
    assert battle.state.units[0].target == 1
    assert battle.decision is None, "nothing of it is left to fire at the other"
    plain = unit(2, "VEHICLE", "TANK", base="60mm", weapons=[LASER, LASER]).on((30, 10), (33, 10))
    furthest = shooting(plain.having(moved=True, moved_distance=6000), unit(1, T=8).at(30, 30), dice=[("hit", [1, 1])])
    assert driven(furthest.state.units[0], 0).moved == 6.0
    fire(furthest)


# -- who has lost his transport ---------------------------------------------------------------------------------


@pytest.mark.rule("4e.entangled.even-immune", "4e.entangled.pinned", "4e.entangled.targets-for-others")
def test_who_bails_out_is_pinned_though_fearless_and_a_target_for_those_who_have_not_fired() -> None:
    riders = unit(3, name="Riders", abilities=("Fearless",))
    dice = shot(("penetrating table", [4]), ("passengers", [1, 1, 1]))
    firers = [gunner("First").at(30, 5), gunner("Second").at(33, 5)]
    battle = shooting(firers, [rhino().at(30, 20), inside(riders, 2)], dice=dice)
    assert [aim.unit for aim in targets_of(battle.scene, battle.state, 1)] == [2]
    fire(battle)
    assert battle.state.units[3].pinned
    assert 3 in [aim.unit for aim in targets_of(battle.scene, battle.state, 1)]
    assert "b.2" in _targets(battle)


def _targets(battle: ClassicBattle) -> list[str]:
    battle.answer(Pick("a.2"))
    return [option.key for option in battle.options()]


# -- weapons ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.weapons.ap-one", "4e.core.weapons.defensive")
def test_ap_one_betters_a_glance_and_strength_parts_main_from_defensive() -> None:
    assert by_ap(Verdict.GLANCING, 1) is Verdict.PENETRATING
    assert by_ap(Verdict.PENETRATING, None) is Verdict.GLANCING
    assert [category_of(Gun(0, weapon("HEAVY 1", S=s))) is Category.DEFENSIVE for s in (6, 7)] == [True, False]
    melta = compile_volley(
        ATTACK,
        weapon("ASSAULT 1", S=8, AP=1),
        1,
        AttackContext(skill=4, automatic=True),
        squad(model("VEHICLE", AV="12/12/10")),
    )
    # 4 equals the armour and penetrates all the same: 4, 5, 6 to penetrate, then 4 and more of the table destroys.
    assert exact(melta).p_destroyed == pytest.approx(3 / 6 * 3 / 6)
