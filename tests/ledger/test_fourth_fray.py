"""Rounds of close combat of the 4th edition as they are fought: what beasts, walkers and mixed squads make of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_third_assault_phase import play
from tests.support.classic import UnitSpec, mixed, printed_weapon, scene, unit, weapon

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.dice import SeededDice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.shelter import seen_of
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.vehicles import stood_still
from battlewright.editions.fourth.assault import CLAWS, with_claws
from battlewright.editions.fourth.damage import can_be_destroyed

POWER = printed_weapon("Talons", "POWER WEAPON", melee=True)
RENDING = printed_weapon("Claws", "RENDING", melee=True)
WOOD = TerrainArea("wood", ((0, 12), (60, 12), (60, 14), (0, 14)), tags=frozenset({"difficult"}))
Rolls = tuple[str, list[int]]


def fight(a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: Rolls, **more: Any) -> ClassicBattle:
    return scene(a, b, phase=Phase.ASSAULT, alone=True, dice=list(dice), edition="4", **more)


def monster(*, weapons: list[Any], **more: Any) -> UnitSpec:
    values = {"I": 5, "A": 1, "S": 6, "W": 4, **more}
    return unit(1, "MONSTROUS CREATURE", name="Monster", base="60mm", weapons=weapons, **values)


def walker(*keywords: str, **more: Any) -> UnitSpec:
    values = {"WS": 4, "S": 6, "I": 4, "A": 1, "AV": "12/12/10", **more}
    return unit(1, "VEHICLE", "WALKER", *keywords, name="Walker", base="60mm", **values)


# -- monstrous creatures ----------------------------------------------------------------------------------------


@pytest.mark.rule("4e.monstrous.vehicle-penetration", "4e.monstrous.special-weapon")
def test_a_beast_with_a_power_weapon_penetrates_with_two_dice_all_the_same() -> None:
    tank = unit(1, "VEHICLE", name="Tank", AV="13/13/13", base="hull 6x4in").on((20, 24, 0, 180))
    battle = fight(
        monster(weapons=[POWER]).at(14, 24), tank.having(displaced_before=5000), ("hit", [4, 1]),
        ("penetration", [3, 5]), ("penetrating table", [1]),
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert living(battle.state, 1), "6 and 8 are 14, more than 13"
    assert with_claws(weapon(melee=True, S="User")) == CLAWS
    for special in (weapon("POWER FIST", melee=True, S="User"), weapon(melee=True, S=9)):
        words = [each.name for each in with_claws(special).abilities]
        assert "MELTA" not in words, "what raises the Strength keeps its own way"
        assert "POWER WEAPON" in words


@pytest.mark.rule("4e.monstrous.no-armour-save")
def test_no_armour_save_is_allowed_whatever_a_beast_fights_with() -> None:
    battle = fight(
        monster(weapons=[RENDING]).at(10, 21.673), unit(1, I=1, Sv="2+").at(10, 20),
        ("hit", [4]), ("wound", [4]), ("consolidation", [1]),
    )  # fmt: skip
    play(battle)
    assert standing(battle.state, 1) == []


# -- charges through difficult terrain --------------------------------------------------------------------------


@pytest.mark.rule("4e.move-through-cover.extra-die", "4e.character-movement.move-through-cover")
def test_who_moves_through_cover_charges_with_a_third_die() -> None:
    battle = fight(
        unit(1, abilities=("Move Through Cover",), I=5).at(10, 10), unit(1, W=9).at(10, 15.984),
        ("terrain", [1, 2, 6]), ("hit", [1, 1]), ("hit", [1]), terrain=[WOOD],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("4e.slow-and-purposeful.always-difficult", "4e.slow-and-purposeful.no-charge-bonus")
def test_the_slow_and_purposeful_charge_as_through_difficult_terrain_on_open_ground() -> None:
    slow = unit(1, abilities=("Slow and Purposeful",), I=5, A=2)
    battle = fight(slow.at(10, 10), unit(1).at(10, 15.984), ("terrain", [2, 4]))
    play(battle, ("a.1", "b.1"))
    assert battle.state.position[0].tolist()[:2] == [10000, 10000], '4" do not bridge 5"'
    battle = fight(
        slow.at(10, 10), unit(1, W=9).at(10, 14.5), ("terrain", [2, 4]), ("hit", [1, 1]), ("hit", [1])
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert in_combat(battle.scene, battle.state, 0), "with two attacks, none for charging"


@pytest.mark.rule("4e.monstrous.terrain-reroll")
def test_a_beast_throws_the_dice_for_its_charge_again() -> None:
    battle = fight(
        monster(weapons=[]).at(10, 10), unit(1, W=9, I=1).at(10, 16),
        ("terrain", [1, 2]), ("terrain", [3, 5]), ("hit", [1, 1]), ("hit", [1]), terrain=[WOOD],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"), reroll_terrain="again")
    assert in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("4e.core.assault.charge-reach")
def test_a_unit_of_which_some_stand_in_difficult_terrain_is_slowed_as_a_whole() -> None:
    mud = TerrainArea("mud", ((0, 0), (60, 0), (60, 9), (0, 9)), tags=frozenset({"difficult"}))
    battle = fight(unit(2).on((10, 10), (10, 8)), unit(1).at(10, 15.984), ("terrain", [3, 4]), terrain=[mud])
    play(battle, ("a.1", "b.1"))
    assert not in_combat(battle.scene, battle.state, 0)


# -- walkers ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.dreadnought-weapons.arm-lost", "4e.armament-destroyed.lose-weapon")
def test_the_attacker_may_name_an_arm_of_a_walker() -> None:
    arm, fists = weapon("POWER WEAPON", melee=True, S=10), weapon(melee=True, S="User")
    assert can_be_destroyed([arm])
    assert not can_be_destroyed([fists])
    assert not can_be_destroyed([weapon("ASSAULT 2", S=3)])
    assert can_be_destroyed([weapon("ASSAULT 2", S=4)])


@pytest.mark.rule("4e.walker-assault.reduced-attacks", "4e.dreadnought-weapons.arm-lost")
def test_damage_tells_at_once_on_a_walker_that_strikes_later_in_the_round() -> None:
    arm = printed_weapon("Close combat weapon", "POWER WEAPON", melee=True, S=10)
    for table, strikes in ((1, 2), (4, 2)):
        battle = fight(
            unit(1, I=5, S=8, W=9).at(10, 20), walker(A=2, I=3, weapons=[arm, arm]).at(10, 21.673),
            ("hit", [4]), ("penetration", [4]), ("glancing table", [table]), ("hit", [1] * strikes),
        )  # fmt: skip
        play(battle)
        assert living(battle.state, 1)


@pytest.mark.rule("4e.squadron-assault.individual-speed", "4e.fast-skimmers.displacement")
def test_a_vehicle_that_stood_while_its_squadron_moved_has_no_speed() -> None:
    words = ("VEHICLE", "SKIMMER", "SQUADRON")
    pair = unit(2, *words, name="Skimmer", AV="10/10/10", base="40mm", height=2.0).on((20, 20, 0, 0), (27, 23, 0, 0))
    sides = [pair, unit(1).at(5, 5)], unit(1).at(60, 40)
    battle = scene(*sides, phase=Phase.MOVEMENT, edition="4", dice=SeededDice(1))
    state = battle.state
    state.units[0].stunned = frozenset({0})
    battle.answer(Pick("a.1"))
    battle.answer(Place((ModelMove(1, ((20_000, 23_000, 0, 0),)),)))
    assert state.units[0].moved_distance == 7000
    assert [seen_of(battle.scene, state, row, 3).moved for row in (0, 1)] == [0.0, 7.0]
    buggies = unit(2, "VEHICLE", name="Buggy", AV="10/10/10", base="40mm").on((9, 21, 0, 270), (11, 21, 0, 270))
    stood = buggies.having(displaced_before=8000, deeds_before=frozenset({stood_still(1)}))
    for x, dice in ((9.0, [("penetration", [1])]), (11.0, [("hit", [5])])):
        battle = fight(unit(1, A=1).at(x, 19.72), stood, *dice)
        play(battle)
        assert living(battle.state, 1)


# -- results ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.walker-assault.no-retreat", "4e.walker-assault.loss-is-draw")
def test_an_outnumbered_walker_that_loses_suffers_glancing_hits() -> None:
    crowd = unit(2, I=5, S=8, W=9).on((9.4, 20), (10.6, 20))
    for keywords, name, face in (((), "crew shaken", 1), (("OPEN-TOPPED",), "vehicle destroyed", 5)):
        battle = fight(
            crowd, walker(*keywords, A=2).at(10, 21.5617), ("hit", [4, 1]), ("penetration", [4]),
            ("glancing table", [1]), ("hit", [1]), ("glancing table", [face]),
            ("glancing table", [face]) if face == 1 else ("consolidation", [1]),
        )  # fmt: skip
        play(battle)
        found = [event.result for event in battle.events if event.kind == "vehicle-damaged"]  # type: ignore[attr-defined]
        assert found[-1] == name
        assert bool(living(battle.state, 1)) == (face == 1)


@pytest.mark.rule("4e.core.assault.no-retreat", "4e.core.shooting.whole-models")
def test_who_is_wounded_already_takes_the_next_wound_of_not_running() -> None:
    fearless = unit(2, I=1, W=2, Sv="-", abilities=("Fearless",)).on((10, 20.984), (11.2, 20.984))
    crowd = unit(4, I=5, W=9).on((10, 20), (11.2, 20), (8.8, 20), (12.4, 20))
    battle = fight(crowd, fearless, ("hit", [4, 1, 1, 1]), ("wound", [4]), ("hit", [1, 1]))
    play(battle, select_model="model:4")
    assert [int(battle.state.wounds[row]) for row in (4, 5)] == [0, 1], "two to one: two wounds, the first is hurt"


@pytest.mark.rule("4e.core.assault.consolidation")
def test_nobody_consolidates_into_those_who_fall_back() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        [unit(1, I=4).at(10, 20.984), unit(3, name="Broken").at(10, 23).having(falling_back=True)],
        ("hit", [4]), ("wound", [4]), ("save", [1]), ("consolidation", [3]),
    )  # fmt: skip
    play(battle)
    assert not in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("4e.core.morale.charged-while-falling-back")
def test_the_test_of_who_is_charged_while_falling_back_is_told() -> None:
    battle = fight(
        unit(1).at(10, 10), unit(1, Ld=8).at(10, 14).having(falling_back=True), ("assaulted while falling back", [5, 4])
    )
    play(battle, ("a.1", "b.1"))
    told = next(event for event in battle.events if event.kind == "leadership-tested").to_json()
    assert (told["faces"], told["needed"], told["passed"]) == ([5, 4], 8, False)
    assert told["rules"] == ["4e.core.morale.charged-while-falling-back"]
    assert standing(battle.state, 1) == []


@pytest.mark.rule("4e.core.morale.falling-back-acts")
def test_who_falls_back_from_a_vehicle_fights_no_more_where_it_still_stands_at_it() -> None:
    tank = unit(1, "VEHICLE", name="Tank", AV="10/10/10", base="hull 6x4in").on((20, 24, 0, 180))
    runs, fights = unit(1, S=8).at(16.508, 24), unit(1, S=8).at(20, 26.492)
    for broken, dice in (([runs], []), ([runs, fights], [("penetration", [1])])):
        mine = [each.having(falling_back=each is runs) for each in broken]
        battle = fight(mine, tank.having(displaced_before=0), *dice)
        play(battle)
        assert [Deed.FOUGHT in each.deeds for each in battle.state.units[: len(broken)]] == [False, True][: len(broken)]


# -- casualties -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.mixed-armour.unsaved-to-saver", "4e.core.assault.casualties")
def test_in_close_combat_too_those_fall_whose_armour_failed() -> None:
    squad = mixed("Mixed", unit(2, Sv="3+", I=1), unit(1, Sv="4+", I=1)).on((9, 20.984), (10, 20.984), (11, 20.984))
    battle = fight(
        unit(1, I=5, A=3).at(10, 20), squad,
        ("hit", [4, 4, 4]), ("wound", [4, 4, 4]), ("save", [3, 3]), ("save", [3]),
        ("hit", [1, 1]), ("lost combat", [1, 1]),
    )  # fmt: skip
    play(battle)
    assert standing(battle.state, 1) == [1, 2], "the 4+ failed on a 3"


@pytest.mark.rule("4e.mixed-armour.step-count", "4e.mixed-armour.step-majority", "4e.core.assault.casualties")
def test_only_the_engaged_count_for_the_majority_of_armour() -> None:
    squad = mixed("Mixed", unit(1, Sv="3+", I=1), unit(3, Sv="4+", I=1)).on((10, 20.984), (10, 24), (11, 25), (9, 25))
    battle = fight(
        unit(1, I=5).at(10, 20), squad, ("hit", [4]), ("wound", [4]), ("save", [3]), ("hit", [1])
    )  # fmt: skip
    play(battle)
    assert len(standing(battle.state, 1)) == 4, "the one in contact saves on 3+"


@pytest.mark.rule("4e.core.assault.engaged", "4e.character-assault.separate-unit")
def test_nobody_is_engaged_through_a_character() -> None:
    hero = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Hero", I=5, A=1).at(10, 20)
    squad = unit(1, I=5, A=3).at(10, 18.5)
    battle = fight([hero, squad], unit(1, W=9, I=1).at(10, 20.984), ("hit", [1]), ("hit", [1]))
    state = battle.state
    state.units[0].joined, state.units[1].models, state.units[0].models = 1, (1, 0), ()
    play(battle)
    assert int(state.wounds[2]) == 9, "he behind the hero does not strike"
