"""Vehicles of the 3rd edition in the Shooting phase: damage, what it leaves on the table, smoke, squadrons."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.support.classic import UnitSpec, printed_weapon, scene, unit

from battlewright.core.decisions import Pick
from battlewright.editions.classic.procedures.board import cover_against, seen_by
from battlewright.editions.classic.procedures.ground import difficult_of
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase, Wreck

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
