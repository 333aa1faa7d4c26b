"""Wrecks of the 4th edition: what stays of a vehicle on the table, as terrain, as cover, and before the eyes."""

from __future__ import annotations

import pytest
from tests.ledger.test_fourth_vehicle_moves import drive, fourth, keys, place, tank
from tests.support.classic import UnitSpec, printed_weapon, unit

from battlewright.core.decisions import Pick
from battlewright.core.errors import IllegalChoice
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.procedures.board import pose_of
from battlewright.editions.classic.procedures.covering import cover_against
from battlewright.editions.classic.procedures.field import field_of
from battlewright.editions.classic.procedures.ground import barring_wrecks
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.procedures.vehicle_hits import destroy_vehicle
from battlewright.editions.classic.state import Phase, Wreck
from battlewright.editions.fourth.vehicles import wreck_bars

LASER = printed_weapon("Lascannon", "HEAVY 1", S=9, AP=2, R='48"')


def hulk(AV: str = "12/11/10") -> UnitSpec:
    """A vehicle that has been destroyed; the second unit of a scene's side b, its row follows from the others'."""
    return tank(AV=AV, name="Hulk").having(wounds=[0])


@pytest.mark.rule("4e.wrecks.marked-and-stays", "4e.wrecks.blocks-los")
def test_what_is_destroyed_stays_where_it_was_and_hides_as_it_did() -> None:
    firer, squad = unit(1, weapons=[LASER]).at(30, 8), unit(1, name="Behind").at(30, 26)
    battle = fourth([firer], [tank().at(30, 20), squad], phase=Phase.SHOOTING)
    assert 2 not in seen_by(battle.scene, battle.state, 0)
    battle.state.wounds[1] = 0
    for _ in destroy_vehicle(battle, 1, DamageResult.DESTROYED):
        raise AssertionError("nobody is asked")
    assert battle.state.wrecks == (Wreck(1, "wreck"),)
    left = field_of(battle.scene, battle.state).areas[-1]
    assert (left.id, "wreck" in left.tags) == ("wreck of model 1", True)
    assert 2 not in seen_by(battle.scene, battle.state, 0), "blocked as by the vehicle"


@pytest.mark.rule("4e.wrecks.difficult-infantry")
def test_infantry_rolls_for_its_way_over_a_wreck() -> None:
    squad = unit(1, name="Squad").at(30, 17)
    battle = fourth(
        [squad], [hulk().at(30, 20), unit(1).at(60, 40)], wrecks=(Wreck(1, "wreck"),), dice=[("terrain-test", [2, 5])]
    )
    battle.answer(Pick("a.1"))
    assert keys(battle) == ["normal", "terrain"]
    battle.answer(Pick("terrain"))
    with pytest.raises(IllegalChoice):
        battle.answer(place(0, (30, 22.5)))
    battle.answer(place(0, (30, 22)))
    assert pose_of(battle.state, 0).y == 22


@pytest.mark.rule("4e.wrecks.vehicle-higher-front")
@pytest.mark.parametrize("face", [4, 1])
def test_better_front_armour_drives_over_a_wreck_with_a_test(face: int) -> None:
    battle = fourth(
        [tank(AV="14/13/10").at(24, 20)],
        [hulk("12/12/10").at(30, 20), unit(1).at(60, 40)],
        wrecks=(Wreck(1, "wreck"),),
        dice=[("vehicle-terrain", [face])],
    )
    drive(battle, "a.1", (30, 20))
    assert pose_of(battle.state, 0).x == (30 if face > 1 else pytest.approx(26, abs=0.1))
    assert bool(battle.state.units[0].immobilised) == (face == 1)


@pytest.mark.rule("4e.wrecks.vehicle-lower-front")
@pytest.mark.parametrize("front", [11, 12])
def test_for_no_better_front_armour_a_wreck_is_impassable(front: int) -> None:
    def battle(*words: str) -> object:
        return fourth(
            [tank("TANK", *words, AV=f"{front}/11/10").at(24, 20)],
            [hulk("12/12/10").at(30, 20), unit(1).at(60, 40)],
            wrecks=(Wreck(1, "wreck"),),
        )

    assert wreck_bars(front, 12)
    barred = battle()
    assert [piece.id for piece in barring_wrecks(barred.scene, barred.state, [0])] == ["wreck of model 1"]
    with pytest.raises(IllegalChoice, match="passes through terrain wreck of model 1"):
        drive(barred, "a.1", (30, 20))
    around = battle()
    drive(around, "a.1", (26, 20))
    assert pose_of(around.state, 0).x == 26, "up to it"
    skimmer = battle("SKIMMER")
    drive(skimmer, "a.1", (30, 20))
    assert pose_of(skimmer.state, 0).x == 30, "it flies over"


@pytest.mark.rule("4e.wrecks.cover")
def test_a_wreck_shelters_who_is_on_it_and_who_is_behind_it() -> None:
    firer = unit(1, weapons=[LASER]).at(30, 8)
    on, around, off = unit(1).at(30, 20), unit(1).at(32, 22.2), unit(1).at(45, 20)
    battle = fourth([firer], [hulk().at(30, 20), on, around, off], phase=Phase.SHOOTING, wrecks=(Wreck(1, "wreck"),))
    assert [cover_against(battle.scene, battle.state, row, 0) for row in (2, 3, 4)] == [4, 4, None]
