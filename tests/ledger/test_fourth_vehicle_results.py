"""What results of the damage tables of the 4th edition do to vehicles, to their crews, and to whoever is near."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.support.classic import UnitSpec, scene, unit, weapon
from tests.support.gunfire import asked, fire, gun, gunner, keys, results, tank

from battlewright.core.decisions import Pick
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.procedures.ground import difficult_of
from battlewright.editions.classic.procedures.shelter import seen_of
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Phase, Wreck
from battlewright.editions.classic.vehicles import Condition, after_damage, after_own_turn
from battlewright.editions.fourth.damage import can_be_destroyed, settled

Roll = tuple[str, Sequence[int]]


def shooting(a: UnitSpec | Sequence[UnitSpec], b: UnitSpec | Sequence[UnitSpec], *dice: Roll) -> ClassicBattle:
    return scene(a, b, phase=Phase.SHOOTING, alone=True, edition="4", dice=dice)


def hit_on(target: UnitSpec | Sequence[UnitSpec], table: str, face: int, *dice: Roll) -> ClassicBattle:
    """A lascannon glances off armour 12 (3) or pierces it (6), with this face on the table; then further dice."""
    die = 3 if table == "glancing table" else 6
    rolls: list[Roll] = [("hit", [4]), ("penetration", [die]), (table, [face]), *dice]
    battle = shooting(gunner().at(30, 5), target, *rolls)
    fire(battle, select_weapon_to_destroy="weapon:0")
    return battle


def moving(tank_: UnitSpec) -> ClassicBattle:
    return scene([tank_, unit(1, name="Man").at(50, 10)], unit(1).at(30, 40), phase=Phase.MOVEMENT, edition="4")


def to_shooting(battle: ClassicBattle) -> None:
    while battle.state.phase == Phase.MOVEMENT:
        battle.answer(Pick("end"))


def declared(battle: ClassicBattle) -> list[str]:
    pools = [event.pools for event in battle.events if event.kind == "attacks-declared"]  # type: ignore[attr-defined]
    return [pool[0] for each in pools for pool in each]


# -- the crew ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.crew-shaken.no-shooting")
def test_a_shaken_crew_moves_and_does_not_shoot() -> None:
    battle = moving(tank(weapons=[gun()]).at(30, 10, facing=90).having(shaken=True))
    assert "a.1" in keys(battle)
    to_shooting(battle)
    assert "a.1" not in keys(battle)


@pytest.mark.rule("4e.crew-stunned.no-move-no-shoot", "4e.crew-stunned.not-cumulative")
def test_a_stunned_crew_does_neither_for_one_turn_however_often_it_was_stunned() -> None:
    battle = moving(tank(weapons=[gun()]).at(30, 10, facing=90).having(stunned=True))
    assert "a.1" not in keys(battle)
    to_shooting(battle)
    assert "a.1" not in keys(battle)
    condition = Condition()
    for _ in range(3):
        condition = after_damage(condition, DamageResult.STUNNED)
    assert condition.stunned
    assert not after_own_turn(condition).stunned, "it misses its next turn and no other"


@pytest.mark.rule("4e.vehicle-weapons.speed-limits", "4e.vehicle-move-fire.table")
def test_a_tank_that_moved_too_far_is_not_asked_to_fire() -> None:
    firers = [tank(weapons=[gun()], name=f"Tank {n}").at(20 + 10 * n, 10, facing=90) for n in range(3)]
    moves = (0, 6000, 7000)
    firers = [each.having(moved=far > 0, moved_distance=far) for each, far in zip(firers, moves, strict=True)]
    assert keys(shooting(firers, tank().at(30, 30))) == ["a.1", "a.2", "end"]


# -- weapons and tracks -----------------------------------------------------------------------------------------


@pytest.mark.rule("4e.armament-destroyed.equipment-counts")
def test_a_storm_bolter_bought_for_a_transport_is_destroyed_and_not_its_tracks() -> None:
    assert can_be_destroyed([weapon("RAPID FIRE", S=4)])
    carrier = tank(weapons=[gun("Storm bolter", "ASSAULT 2", S=4)], abilities=("Transport Capacity 10",)).at(30, 30)
    battle = hit_on(carrier, "glancing table", 4)
    assert battle.state.units[1].weapons_lost == {(1, 0)}
    assert not battle.state.units[1].immobilised


@pytest.mark.rule("4e.immobilised.no-move")
def test_an_immobilised_tank_does_not_move_any_more() -> None:
    battle = moving(tank(weapons=[gun()]).at(30, 10, facing=90).having(immobilised=True))
    assert "a.1" not in keys(battle)
    to_shooting(battle)
    assert "a.1" in keys(battle), "but it fires"


@pytest.mark.rule("4e.immobilised.no-pivot", "4e.vehicle-facing-targets.turret", "4e.immobilised.arcs-fixed")
def test_an_immobilised_tank_turns_its_turret_and_nothing_else() -> None:
    guns = [gun("Turret gun", "HEAVY 1", "TURRET"), gun("Hull gun", "HEAVY 1", "HULL")]
    firer = tank(weapons=guns).at(30, 20, facing=90)
    stuck = shooting(firer.having(immobilised=True), tank().at(30, 5), ("hit", [1]))
    assert "turn-to-fire" not in fire(stuck)
    assert declared(stuck) == ["Turret gun"]
    free = shooting(firer, tank().at(30, 5), ("hit", [1]))
    assert "turn-to-fire" in fire(free, turn_to_fire="stay")
    assert declared(free) == ["Turret gun"], "turning the turret alone is enough, and it has not moved by that"
    side = tank(weapons=[gun("Side gun", "HEAVY 1", "RIGHT SPONSON")]).at(30, 20, facing=90).having(immobilised=True)
    blind = shooting(side, tank().at(10, 20))
    fire(blind)
    assert declared(blind) == [], "it covers the right and the target is on the left"


@pytest.mark.rule("4e.immobilised.second-immobilised")
def test_immobilised_again_it_loses_a_weapon_of_the_attackers_choice() -> None:
    assert (
        settled(Condition(immobilised=True, weapons=frozenset({(1, 0)})), DamageResult.IMMOBILISED)
        == "armament destroyed"
    )
    armed = tank(weapons=[gun("Battle cannon", S=8), gun("Heavy bolter", S=5)]).at(30, 30).having(immobilised=True)
    rolls: list[Roll] = [("hit", [4]), ("penetration", [3]), ("glancing table", [5])]
    battle = shooting(gunner().at(30, 5), armed, *rolls)
    asked_for = fire(battle, select_weapon_to_destroy="weapon:1")
    assert "select-weapon-to-destroy" in asked_for
    assert battle.state.units[1].weapons_lost == {(1, 1)}


@pytest.mark.rule("4e.immobilised.skimmer-lands")
def test_a_slow_skimmer_lands_and_is_a_skimmer_no_longer() -> None:
    skimmer = tank("SKIMMER", "FAST").at(30, 30).having(moved_before=6000, displaced_before=6000)
    battle = hit_on(skimmer, "glancing table", 5)
    assert standing(battle.state, 1) == [1]
    assert battle.state.units[1].immobilised == {1}
    assert not seen_of(battle.scene, battle.state, 1, 0).skims


# -- the end ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.vehicle-destroyed.wreck", "4e.vehicle-destroyed.crew-dead")
def test_a_destroyed_tank_is_a_wreck_without_a_crew() -> None:
    battle = hit_on([tank().at(30, 30), unit(1, name="Else").at(60, 40)], "penetrating table", 4)
    assert battle.state.wrecks == (Wreck(1, "wreck"),)
    assert living(battle.state, 1) == [], "nothing of it acts any more, and nobody gets out"
    assert battle.decision is None
    assert asked(battle) == ""


@pytest.mark.rule("4e.vehicle-explodes.wounds", "4e.vehicle-explodes.vehicles-immune", "4e.vehicle-explodes.crater")
@pytest.mark.rule("4e.vehicle-destroyed.crew-dead")
def test_an_explosion_wounds_on_four_and_leaves_a_crater() -> None:
    # 2" from the hull, the debris flies 4": the wound of a 5 is not saved by a 2. The tank at 1" is not harmed.
    near = unit(1, name="Near").at(30, 33.673)
    other = tank(name="Second").at(33.37, 30)
    battle = hit_on(
        [tank().at(30, 30), near, other], "penetrating table", 6, ("explosion", [4]), ("explosion", [5]), ("save", [2])
    )
    assert living(battle.state, 2) == []
    assert standing(battle.state, 3) == [3]
    assert not battle.state.units[3].shaken | battle.state.units[3].stunned | battle.state.units[3].immobilised
    debris = [e.rules for e in battle.events if e.kind == "rolled" and e.roll.purpose == "explosion"]  # type: ignore[attr-defined]
    assert debris == [("4e.vehicle-explodes.wounds",)] * 2
    assert battle.state.wrecks == (Wreck(1, "crater"),)
    assert not battle.state.on_table[1]
    assert len(difficult_of(battle.scene, battle.state)) == 1


@pytest.mark.rule("4e.vehicle-explodes.wounds")
def test_no_save_is_rolled_for_who_has_none() -> None:
    bare = unit(1, name="Near", Sv="-").at(30, 33.673)
    battle = hit_on([tank().at(30, 30), bare], "penetrating table", 6, ("explosion", [4]), ("explosion", [5]))
    assert living(battle.state, 2) == []


@pytest.mark.rule("4e.vehicle-annihilated.wounds", "4e.vehicle-annihilated.crater")
def test_an_annihilated_tank_wounds_within_six_inches_and_leaves_a_crater() -> None:
    firer = tank(weapons=[gun("Great gun", "ORDNANCE 1")]).at(30, 5, facing=90)
    foes = [tank().at(30, 30), unit(1, name="Near", Sv="4+").at(30, 34.673), tank(name="Second").at(34, 30)]
    rolls: list[Roll] = [
        ("scatter", [6, 1, 1]),
        ("penetration", [6]),
    ]
    rolls += [("ordnance table", [6]), ("explosion", [4]), ("save", [3])]
    battle = shooting(firer, foes, *rolls)
    fire(battle)
    assert living(battle.state, 2) == [], "a wound of a 4 that a 3 does not save"
    assert standing(battle.state, 3) == [3]
    assert battle.state.wrecks == (Wreck(1, "crater"),)
    assert results(battle) == ["vehicle annihilated"]
