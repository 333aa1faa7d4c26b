"""Vehicles of the 3rd edition in the Shooting phase: damage, what it leaves on the table, smoke, squadrons."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.support.classic import UnitSpec, printed_weapon, scene, unit

from battlewright.core.decisions import Pick
from battlewright.editions.classic.procedures.covering import cover_against
from battlewright.editions.classic.procedures.ground import difficult_of
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed, Phase, Wreck

LASCANNON = printed_weapon("Lascannon", "HEAVY 1", S=9, AP=2, R='48"')
BOLTER = printed_weapon("Boltgun", "HEAVY 1", R='48"')
CANNON = printed_weapon("Cannon", "HEAVY 1", S=7, AP=4, R='48"')


def fire(battle: ClassicBattle, who: str = "a.1", target: str = "b.1", **answers: str) -> None:
    """One unit fires at another; other choices by default, or as written down for their kinds."""
    battle.answer(Pick(who))
    wanted: Mapping[str, str] = {"select-target": target, **{k.replace("_", "-"): v for k, v in answers.items()}}
    while battle.decision is not None and battle.decision.kind != "select-unit-to-shoot":
        key = wanted.get(battle.decision.kind)
        battle.answer(Pick(key) if key else battle.decision.default())
        if battle.state.phase != Phase.SHOOTING:
            return


def tank(**features: object) -> UnitSpec:
    return unit(1, "VEHICLE", "TANK", name="Tank", base="60mm", height=2.0, AV="12/12/10", **features)


def gunner(*, name: str = "Gunner") -> UnitSpec:
    return unit(1, weapons=[LASCANNON], name=name)


def shot(*rolls: tuple[str, list[int]]) -> list[tuple[str, list[int]]]:
    """A hit that penetrates, and what comes after it."""
    return [("hit", [4]), ("penetration", [6]), *rolls]


@pytest.mark.rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.armour-face")
def test_a_destroyed_tank_leaves_a_wreck_that_hides_slows_and_covers() -> None:
    tanks = tank().at(30, 20)
    behind = unit(1, name="Behind").at(30, 23)
    dice = shot(("penetrating table", [4]))
    battle = scene([gunner().at(30, 5)], [tanks, behind], phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    assert battle.state.wrecks == (Wreck(1, "wreck"),)
    assert not battle.state.on_table[1]
    assert 2 not in seen_by(battle.scene, battle.state, 0), "it blocks sight as the vehicle did"
    assert not len(difficult_of(battle.scene))
    assert len(difficult_of(battle.scene, battle.state)) == 1
    battle.state.position[2, :2] = [30000, 20000]
    assert 2 in seen_by(battle.scene, battle.state, 0), "who stands on it is seen"
    assert cover_against(battle.scene, battle.state, 2, 0) == 4


@pytest.mark.rule("3e.core.vehicles.penetrating-table")
def test_an_explosion_harms_the_troops_around_and_leaves_nothing() -> None:
    # D6 of 4: the two models within 4" of the hull are hit with S3, the third is not; vehicles are not harmed.
    near = unit(3, name="Near", Sv="-", T=3).on((30, 24), (31.5, 24), (30, 28))
    dice = shot(("penetrating table", [6]), ("explosion", [4]), ("wound", [4, 4]), ("losses", [1, 1]))
    other = tank().at(34, 20)
    battle = scene([gunner().at(30, 5)], [tank().at(30, 20), near, other], phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    assert battle.state.wrecks == ()
    assert standing(battle.state, 2) == [4]
    assert standing(battle.state, 3) == [5]


@pytest.mark.rule("3e.core.vehicles.ordnance-table")
def test_an_annihilated_tank_leaves_a_crater() -> None:
    gun = printed_weapon("Great gun", "ORDNANCE 1", S=9, AP=2, R='48"')
    rolls = [
        ("scatter", [6, 1, 1]),
        ("penetration", [6]),
        ("ordnance table", [6]),
        ("explosion", [1]),
    ]
    firer = unit(1, "VEHICLE", "TANK", name="Gun", base="60mm", weapons=[gun]).at(30, 5)
    battle = scene(firer, tank().at(30, 20), phase=Phase.SHOOTING, alone=True, dice=rolls)
    fire(battle)
    assert battle.state.wrecks == (Wreck(1, "crater"),)
    assert len(difficult_of(battle.scene, battle.state)) == 1


@pytest.mark.rule("3e.core.vehicles.glancing-table", "3e.core.vehicles.immobilised-twice")
def test_a_random_weapon_is_lost_and_then_the_tracks() -> None:
    armed = tank(weapons=[LASCANNON, BOLTER]).at(30, 20)
    dice = [("hit", [4]), ("penetration", [3]), ("glancing table", [5]), ("weapon-destroyed", [2])]
    dice += [("hit", [4]), ("penetration", [3]), ("glancing table", [5])]
    dice += [("hit", [4]), ("penetration", [3]), ("glancing table", [5])]
    firers = [gunner(name=f"Gunner {n}").at(20 + 5 * n, 5) for n in range(3)]
    battle = scene(firers, armed, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle, "a.1")
    assert battle.state.units[3].weapons_lost == {(3, 1)}
    fire(battle, "a.2")
    assert battle.state.units[3].weapons_lost == {(3, 0), (3, 1)}
    assert not battle.state.units[3].immobilised
    fire(battle, "a.3")
    assert battle.state.units[3].immobilised == {3}


# -- fire of vehicles -------------------------------------------------------------------------------------------


def armed_tank(*abilities: str, **flags: object) -> UnitSpec:
    """A tank that faces north-east of nothing: to the right, along the long edge, with guns so mounted."""
    guns = [printed_weapon(f"{ability} gun", "HEAVY 1", ability, R='48"') for ability in abilities]
    return unit(1, "VEHICLE", "TANK", name="Tank", base="60mm", height=2.0, weapons=guns).having(**flags)


def kinds(battle: ClassicBattle) -> list[str]:
    return [event.kind for event in battle.events]


def declared(battle: ClassicBattle) -> list[str]:
    """The weapons that were declared."""
    pools = next(event for event in battle.events if event.kind == "attacks-declared").pools  # type: ignore[attr-defined]
    return [pool[0] for pool in pools]


@pytest.mark.rule("3e.core.vehicles.one-target", "3e.core.vehicles.fire-stationary")
def test_only_the_weapons_that_bear_are_fired() -> None:
    # It looks along +x; the target stands to its left, in the traverse of the turret and of the left sponson.
    firer = armed_tank("TURRET", "HULL", "SPONSON", "SPONSON").at(30, 10)
    battle = scene(firer, unit(1, Sv="2+", T=8).at(30, 30), phase=Phase.SHOOTING, alone=True, dice=[("hit", [1])] * 2)
    fire(battle)
    assert declared(battle) == ["TURRET gun", "SPONSON gun"]


@pytest.mark.rule("3e.core.vehicles.fire-slow", "3e.core.vehicles.shaken-and-stunned")
def test_after_a_slow_move_one_weapon_is_picked_and_a_shaken_crew_fires_none() -> None:
    moved = armed_tank("TURRET", "PINTLE", moved=True, moved_distance=5000).at(30, 10)
    shaken = armed_tank("TURRET", shaken=True).at(40, 10)
    battle = scene([moved, shaken], unit(1, T=8).at(30, 30), phase=Phase.SHOOTING, alone=True, dice=[("hit", [1])])
    fire(battle, "a.1", select_weapon="way:1")
    assert declared(battle) == ["PINTLE gun"]
    assert battle.decision is None, "the shaken crew is not offered"
    assert not battle.state.units[1].has(Deed.FIRED)


# -- smoke and hull down ----------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.smoke")
def test_smoke_is_launched_after_moving_once_and_makes_penetrating_hits_glance() -> None:
    smoky = tank(abilities=("Smoke Launchers",), weapons=[CANNON]).at(30, 20)
    dice = shot(("glancing table", [1]))
    battle = scene([smoky, tank(name_of_models="Other").at(40, 20)], gunner().at(30, 40), dice=dice)
    battle.answer(Pick("end"))
    assert battle.decision is not None
    assert battle.decision.kind == "select-unit-to-smoke"
    assert [option.key for option in battle.decision.options()] == ["a.1", "end"]
    battle.answer(Pick("a.1"))
    assert battle.state.units[0].smoke == 1
    while battle.state.phase == Phase.SHOOTING and battle.state.turn == 0:
        assert battle.decision is not None
        battle.answer(battle.decision.default())
    assert not battle.state.units[0].has(Deed.FIRED), "it fires nothing this turn"
    while not (battle.state.phase == Phase.SHOOTING and battle.state.turn == 1):
        assert battle.decision is not None
        battle.answer(battle.decision.default())
    fire(battle, "b.1", "a.1")
    assert battle.state.units[0].shaken == {0}
    assert battle.state.units[0].smoke == -1, "it is gone after the enemy's Shooting phase"


@pytest.mark.rule("3e.core.vehicles.hull-down")
def test_half_hidden_behind_another_vehicle_it_is_hull_down() -> None:
    # The wall of a second tank hides the half of it that lies to the east.
    dice = shot(("glancing table", [1])) + shot(("penetrating table", [1]))
    other = tank().at(31, 17)
    battle = scene(
        [gunner().at(30, 5), gunner(name="Left").at(14, 20)],
        [tank().at(30, 20), other],
        phase=Phase.SHOOTING,
        alone=True,
        dice=dice,
    )
    fire(battle, "a.1", "b.1")
    assert battle.state.units[2].shaken == {2}
    fire(battle, "a.2", "b.1")
    assert battle.state.units[2].stunned == {2}


# -- squadrons --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.squadrons")
def test_hits_on_a_squadron_are_spread_the_nearest_first() -> None:
    # Two hits on two vehicles: one each. The nearer is stunned, the other only shaken.
    squadron = unit(2, "VEHICLE", "FAST", name="Buggies", base="60mm", AV="10/10/10").on((30, 20), (33, 22))
    cannon = printed_weapon("Twin cannon", "HEAVY 2", S=7, R='48"')
    dice = [("hit", [4, 4]), ("penetration", [6]), ("penetrating table", [1])]
    dice += [("penetration", [3]), ("glancing table", [1])]
    battle = scene(unit(1, weapons=[cannon]).at(30, 5), squadron, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    assert battle.state.units[1].stunned == {1}
    assert battle.state.units[1].shaken == {2}


@pytest.mark.rule("3e.core.vehicles.squadrons", "3e.core.vehicles.shaken-and-stunned")
def test_one_vehicle_of_a_squadron_is_shaken_and_the_other_fires() -> None:
    squadron = unit(2, "VEHICLE", name="Buggies", base="60mm", weapons=[CANNON]).on((30, 10), (33, 10))
    battle = scene(
        squadron.having(shaken=frozenset({0})),
        unit(1, T=8).at(30, 30),
        phase=Phase.SHOOTING,
        alone=True,
        dice=[("hit", [1])],
    )
    fire(battle)
    assert kinds(battle).count("attacks-declared") == 1
