"""Fire of the 3rd edition in unusual cases: at night, guessed, into combats, with combi-weapons, by marksmen."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.ledger.test_third_shooting_phase import BOLTER, answer, fire, losses
from tests.support.classic import UnitSpec, printed_weapon, scene, unit

from battlewright.core import roster
from battlewright.core.decisions import Pick
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed, Phase

MORTAR = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", "GUESS", R='48"', S=4, AP=6)
BATTLE_CANNON = printed_weapon("Battle cannon", "ORDNANCE 1", "BLAST", R='72"', S=8, AP=3)


def shooting(
    a: UnitSpec | Sequence[UnitSpec], b: UnitSpec | Sequence[UnitSpec], dice: object, **more: object
) -> ClassicBattle:
    return scene(a, b, phase=Phase.SHOOTING, alone=True, dice=dice, **more)  # type: ignore[arg-type]


def offered(battle: ClassicBattle) -> list[str]:
    assert battle.decision is not None
    return [option.key for option in battle.decision.options()]


@pytest.mark.rule("3e.core.missions.night-fighting")
def test_at_night_a_unit_fires_no_further_than_it_sees() -> None:
    near = unit(1, weapons=[BOLTER]).at(10, 8)
    battle = shooting(near, unit().at(10, 31), [("night", [3, 4])], dark=True)
    fire(battle)
    assert "attacks-lost" in [event.kind for event in battle.events], "22 inches away, 21 to be seen"


@pytest.mark.rule("3e.core.missions.night-fighting", "3e.core.weapons.ordnance")
def test_ordnance_fired_blindly_scatters_twice_as_far() -> None:
    tank = unit(1, "VEHICLE", name="Tank", base="hull 6x4in", weapons=[BATTLE_CANNON]).at(30, 4)
    dice = [("night", [1, 1]), ("scatter", [1, 1, 1]), ("scatter-distance", [5])]
    battle = shooting(tank, unit(1).at(30, 40), dice, dark=True)
    fire(battle)
    laid = next(event for event in battle.events if event.kind == "marker-laid").to_json()
    assert laid["centre"] == [40000, 40000], "ten inches for a five, to the east"


@pytest.mark.rule("3e.core.shooting.guess-first")
def test_a_guess_weapon_does_not_fire_once_its_player_has_measured() -> None:
    battle = shooting(
        [unit(1, weapons=[MORTAR]).at(10, 8), unit(1, weapons=[BOLTER]).at(20, 8)], unit().at(10, 28), [("hit", [1])]
    )
    assert offered(battle) == ["a.1", "a.2", "end"]
    fire(battle, "a.2")
    assert battle.state.units[1].has(Deed.MEASURED)
    assert battle.decision is None or offered(battle) == ["end"]


@pytest.mark.rule("3e.core.traits.targeter", "3e.shooting.special-premeasure")
def test_after_a_targeter_has_measured_guess_weapons_do_not_fire() -> None:
    targeting = unit(1, weapons=[BOLTER], abilities=("Targeter",)).at(20, 8)
    battle = shooting([unit(1, weapons=[MORTAR]).at(10, 8), targeting], unit().at(10, 40), [])
    battle.answer(Pick("a.2"))
    assert battle.decision is None or offered(battle) == ["end"]


@pytest.mark.rule("3e.core.weapons.combi")
def test_the_second_part_of_a_combi_weapon_fires_once_a_game() -> None:
    values = {"R": '24"', "S": "4", "AP": "5"}
    parts = (
        roster.WeaponProfile("Boltgun", False, values, ("RAPID FIRE", "COMBI")),
        roster.WeaponProfile("Plasma gun", False, {**values, "S": "7", "AP": "2"}, ("RAPID FIRE", "COMBI")),
    )
    combi = roster.Weapon("Combi-plasma", parts)
    bearer = unit(1, weapons=[combi]).at(10, 8)
    battle = shooting(bearer, unit().at(10, 30), [("hit", [1])])
    fire(battle, select_weapon="weapon:1")
    assert battle.state.units[0].parts_spent == {(0, 0)}
    again = shooting(bearer.having(parts_spent=frozenset({(0, 0)})), unit().at(10, 30), [])
    again.answer(Pick("a.1"))
    answer(again, {"select-target": "b.1"})
    assert again.decision is not None
    assert [option.label.partition(":")[0] for option in again.decision.options()] == [
        "Combi-plasma (Boltgun)",
        "it holds its fire",
    ]


@pytest.mark.rule("3e.outside.vehicle-target")
def test_nobody_holds_his_fire_at_a_vehicle() -> None:
    tank = unit(1, "VEHICLE", name="Tank", AV="14/14/14").at(10, 20)
    battle = shooting(unit(3, weapons=[BOLTER]).at(10, 8), tank, [])
    battle.answer(Pick("a.1"))
    answer(battle, {"select-target": "b.1"})
    assert offered(battle) == ["weapon:0"]


@pytest.mark.rule("3e.core.characters.marksmen")
def test_a_marksman_picks_his_victim() -> None:
    rifle = printed_weapon("Rifle", "HEAVY 1", "SNIPER", R='36"')
    targets = unit(3, Sv="-").at(10, 20)
    dice = [("hit", [4]), ("wound", [4]), ("pinning", [1, 1])]
    battle = shooting(unit(1, weapons=[rifle], abilities=("Marksman",)).at(10, 8), targets, dice)
    battle.answer(Pick("a.1"))
    answer(battle, {"select-target": "b.1"})
    answer(battle)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.side) == ("select-model", 0)


@pytest.mark.rule("3e.core.weapons.barrage-on-combat")
def test_a_barrage_that_drifts_onto_a_combat_hits_both_sides() -> None:
    friends = unit(1, T=4, Sv="-", name="Friends").on((20, 28))
    foes = unit(1, T=4, Sv="-", name="Foes").on((20.98, 28))
    battle = shooting(
        [unit(1, weapons=[MORTAR]).at(15, 8), friends],
        [unit(1, name="Target").at(15, 28), foes],
        [("scatter", [1, 1, 1]), ("scatter-distance", [5]), ("wound", [1]), ("wound", [1])],
    )
    fire(battle, guess_range="inches:20")
    laid = next(event for event in battle.events if event.kind == "marker-laid").to_json()
    assert laid["hits"] == 2


@pytest.mark.rule("3e.core.weapons.barrage-pins")
def test_cover_from_a_barrage_is_judged_from_its_marker() -> None:
    wall = TerrainArea(
        "wall", ((0, 19), (40, 19), (40, 19.3), (0, 19.3)), height=1.0, tags=frozenset({"obstacle", "wall"})
    )
    targets = unit(1, T=4, Sv="-").at(10, 20.5)
    dice = [("scatter", [5, 1, 1]), ("wound", [4]), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[MORTAR]).at(10, 4), targets, dice, terrain=[wall])
    fire(battle, guess_range="inches:16")
    assert losses(battle, 1) == 1, "no save against what bursts on this side of the wall"


@pytest.mark.rule("3e.char-shooting.joined-nearest-option")
def test_by_a_switch_a_joined_character_who_is_nearest_may_be_picked() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain", Sv="-").at(10, 16)
    squad = unit(2, name="Squad", Sv="-").on((10, 20), (12, 20))
    for option, keys in (("no", ["b.1", "none"]), ("yes", ["b.1", "b.1/3", "none"])):
        battle = shooting(
            unit(1, weapons=[BOLTER]).at(10, 8),
            [squad, captain],
            [("hit", [3, 3]), ("wound", [4, 4])] if option == "yes" else [],
            options={"joined_nearest_may_be_shot": option},
        )
        state = battle.state
        state.units[2].joined, state.units[2].models, state.units[1].models = 1, (), (1, 2, 3)
        battle.answer(Pick("a.1"))
        assert offered(battle) == keys
        if option == "yes":
            answer(battle, {"select-target": "b.1/3"})
            answer(battle)
            assert standing(battle.state, 1) == [1, 2], "he alone can be lost"


@pytest.mark.rule("3e.core.units.swarms")
def test_a_blast_hits_swarms_twice() -> None:
    missile = printed_weapon("Missile", "HEAVY 1", "BLAST", S=4, AP=6, R='48"')
    swarm = unit(1, "INFANTRY", "SWARM", base="40mm", W=3, T=4, Sv="-").at(10, 20)
    battle = shooting(unit(1, weapons=[missile]).at(10, 8), swarm, [("hit", [4]), ("wound", [4, 4])])
    fire(battle)
    assert int(battle.state.wounds[1]) == 1


@pytest.mark.rule("3e.partial-contact.one-target", "3e.partial-contact.reply", "3e.partial-contact.not-into-combat")
@pytest.mark.rule("3e.core.shooting.not-into-combat", "3e.sweep.shoot-at-sweepers")
def test_a_unit_that_was_swept_into_fires_at_one_target_and_touching_models_only_back() -> None:
    swept = unit(3, weapons=[BOLTER], name="Swept").on((10, 10), (14, 10), (16, 10))
    sweepers = unit(1, name="Sweepers").on((10.98, 10)).having(charged=True)
    fighting = unit(1, name="Fighting").on((40, 20))
    battle = shooting(
        [swept, unit(1, name="Locked").on((40.98, 20))],
        [sweepers, unit(1, name="Free").at(14, 20), fighting],
        [("hit", [1, 1, 1, 1])],
    )
    battle.answer(Pick("a.1"))
    assert offered(battle) == ["b.1", "b.2", "none"], "not the one that fights somebody else"
    battle.answer(Pick("b.2"))
    answer(battle)
    lost = next(event for event in battle.events if event.kind == "attacks-lost").to_json()
    assert lost["weapons"] == ["Boltgun"], "the model that is touched does not fire away from the sweepers"


@pytest.mark.rule("3e.core.weapons.blast-casualties")
def test_the_owner_removes_casualties_of_a_blast_from_the_whole_unit() -> None:
    missile = printed_weapon("Missile", "HEAVY 1", "BLAST", S=4, AP=6, R='48"')
    targets = unit(2, T=4, Sv="-").on((10, 20), (18, 20))
    dice = [("hit", [4]), ("wound", [4]), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[missile]).at(10, 8), targets, dice)
    battle.answer(Pick("a.1"))
    while battle.decision is not None and battle.decision.kind != "select-model":
        answer(battle, {"select-target": "b.1"})
    assert offered(battle) == ["model:1", "model:2"], "one of them is far from the marker"
