"""Morale, falling back and artillery in the 4th edition; characters bound to their units in assault."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, unit

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure
from battlewright.core.decisions import ModelMove, Place
from battlewright.core.dice import SeededDice
from battlewright.core.table import Edge
from battlewright.editions.classic.artillery import (
    abandoned_guns,
    cannot_escape,
    crew_may_use_own_weapons,
    crew_skill,
    crewmen_serving,
    dangerous_tests,
    guns_left,
    guns_served,
    has_line_of_sight,
    hits_a_gun,
    hits_by_blast,
    hits_without_roll,
    may_charge_with,
    range_counted,
    split_by_dice,
    strikes_back,
    takes_morale_tests,
)
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.falling_back import (
    Outcome,
    counts_as_moved,
    fall_back_distance,
    rally_when_assaulted,
)
from battlewright.editions.classic.morale import (
    RallyConditions,
    is_last_man,
    must_test_for_losses,
    quarter_lost,
    why_no_rally,
)
from battlewright.editions.classic.procedures.battery_blows import strike_battery
from battlewright.editions.classic.procedures.blades import BARE
from battlewright.editions.classic.procedures.glory import glory_attacks
from battlewright.editions.classic.procedures.movement import limits_of, move_space
from battlewright.editions.classic.procedures.nerve import losses_call_for_a_test
from battlewright.editions.classic.procedures.shooting_phase import may_fire
from battlewright.editions.classic.procedures.tank_shock import may_tank_shock
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed, MoveKind, Phase
from battlewright.editions.classic.terrain import Crossing, is_slowed_by
from battlewright.editions.fourth.morale import better_out_of_sight, is_trapped, never_on_the_way, removed_at_the_edge
from battlewright.editions.fourth.movement import KINDS

FIT = RallyConditions(left=7, begun=10, in_formation=True, nearest_enemy=10.0)


def begin_turn(a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: tuple[str, list[int]], **more: Any):  # type: ignore[no-untyped-def]
    """A turn of side a from its start, to the end of what comes before the first move."""
    seed = more.pop("seed", None)
    source = list(dice) if seed is None else SeededDice(seed)
    return scene(a, b, phase=Phase.START_OF_TURN, alone=True, dice=source, edition="4", **more)


def to_the_end(battle: ClassicBattle) -> list[str]:
    kinds = []
    while battle.decision is not None:
        kinds.append(battle.decision.kind)
        battle.answer(battle.decision.default())
    return kinds


# -- morale -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.core.morale.quarter-losses")
def test_a_quarter_lost_to_shooting_calls_for_a_test() -> None:
    assert quarter_lost(8, 2)
    assert not quarter_lost(10, 2)
    hurt = unit(8).at(10, 10).having(wounds=(0, 0, 1, 1, 1, 1, 1, 1), phase_strength=8)
    battle = scene(hurt, unit(1).at(10, 40), phase=Phase.SHOOTING, edition="4")
    battle.state.units[0].phase_strength = 8
    assert losses_call_for_a_test(battle.scene, battle.state, 0)


@pytest.mark.rule("4e.core.morale.fall-back")
def test_falling_back_is_halved_in_difficult_terrain_and_ends_at_the_edge() -> None:
    assert fall_back_distance(9, True) == 4.5
    assert removed_at_the_edge([False, True], []) == "removed"
    battle = begin_turn(
        unit(2, Ld=7).on((10, 3), (12, 3)).having(falling_back=True), unit(1).at(10, 40),
        ("rally", [6, 6]), ("fall-back", [3, 3]),
    )  # fmt: skip
    to_the_end(battle)
    assert standing(battle.state, 0) == [], "removed at its own edge, without a test"


@pytest.mark.rule("4e.core.morale.falling-back-acts")
def test_who_falls_back_counts_as_having_moved() -> None:
    battle = begin_turn(unit(1).at(10, 20), unit(1).at(10, 40), seed=1)
    mine = battle.state.units[0]
    assert not counts_as_moved(mine)
    mine.falling_back = True
    assert counts_as_moved(mine)


@pytest.mark.rule("4e.core.morale.trapped")
def test_a_unit_without_a_way_out_is_destroyed() -> None:
    wall = unit(7, name="Wall").on(*((8.5 + 0.5 * (i % 7), 18.4) for i in range(7)))
    battle = begin_turn(unit(1).at(10, 20), wall, seed=1)
    assert is_trapped(battle.scene, battle.state, 0, Edge.SOUTH, 2.0)
    assert not is_trapped(battle.scene, battle.state, 0, Edge.SOUTH, 7.0), "beyond them there is room"
    assert not is_trapped(battle.scene, battle.state, 0, Edge.NORTH, 2.0)
    caught = begin_turn(
        unit(1, Ld=7).at(10, 20).having(falling_back=True), wall, ("fall-back", [1, 1]), zones=("south", "north")
    )
    to_the_end(caught)
    assert standing(caught.state, 0) == []


@pytest.mark.rule("4e.core.morale.trapped")
def test_a_unit_that_friends_alone_stand_in_the_way_of_waits_behind_them() -> None:
    friends = unit(6, name="Friends").on(*((9.0 + x, y) for y in (19.0, 18.2) for x in (0.0, 1.0, 2.0)))
    runs = unit(1, Ld=7).at(10, 20).having(falling_back=True)
    far, near = unit(1).at(40, 45), unit(1).at(10, 21.9)
    alone = begin_turn([runs, friends], far, ("rally", [6, 6]), ("fall-back", [1, 1]), zones=("south", "north"))
    to_the_end(alone)
    assert standing(alone.state, 0) == [0], "no enemy holds it"
    assert alone.state.units[0].falling_back
    caught = begin_turn([runs, friends], near, ("fall-back", [1, 1]), zones=("south", "north"))
    to_the_end(caught)
    assert standing(caught.state, 0) == []


@pytest.mark.rule("4e.core.morale.charged-while-falling-back")
def test_charged_while_falling_back_it_stands_or_is_destroyed() -> None:
    assert rally_when_assaulted((4, 4), 8) is Outcome.RALLIED
    assert rally_when_assaulted((4, 5), 8) is Outcome.DESTROYED


@pytest.mark.rule("4e.core.morale.regroup")
def test_who_may_regroup_and_how() -> None:
    assert why_no_rally(FIT) == []
    for unfit in (
        RallyConditions(left=4, begun=10, in_formation=True, nearest_enemy=10.0),
        RallyConditions(left=7, begun=10, in_formation=False, nearest_enemy=10.0),
        RallyConditions(left=7, begun=10, in_formation=True, nearest_enemy=6.0),
    ):
        assert why_no_rally(unfit)
    assert better_out_of_sight(FIT, 8) == ()
    unseen = RallyConditions(left=7, begun=10, in_formation=True, nearest_enemy=None, sees_enemies=lambda: False)
    assert [each.amount for each in better_out_of_sight(unseen, 8)] == [1]
    assert not never_on_the_way(True)


@pytest.mark.rule("4e.core.morale.regroup")
def test_a_unit_that_regroups_moves_three_inches_and_counts_as_having_moved() -> None:
    battle = begin_turn(
        unit(3).at(10, 20).having(falling_back=True), unit(1).at(10, 40), ("rally", [4, 4]),
    )  # fmt: skip
    assert "move-rally" in to_the_end(battle)
    mine = battle.state.units[0]
    assert not mine.falling_back
    assert mine.moved
    assert mine.has(Deed.RALLIED)


@pytest.mark.rule("4e.core.morale.last-man")
def test_the_last_man_tests_each_turn_characters_do_not() -> None:
    assert is_last_man(1, 8)
    assert not is_last_man(1, 8, True)
    alone = unit(3).at(10, 20).having(wounds=(0, 0, 1))
    battle = begin_turn(alone, unit(1).at(10, 40), ("last man", [6, 6]), ("fall-back", [2, 2]))
    to_the_end(battle)
    assert battle.state.units[0].falling_back


# -- characters -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.character-assault.charge-with-unit", "4e.character-assault.charge-alone")
@pytest.mark.rule("4e.character-assault.locked-with-unit")
def test_an_attached_character_charges_with_his_unit_a_free_one_by_himself() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain", W=2).at(14, 10)
    for joined, able in ((-1, {"a.1", "a.2"}), (0, {"a.1"})):
        battle = scene(
            [unit(2).at(10, 10), captain.having(joined=joined)], unit(2).on((10, 14), (14, 14)),
            phase=Phase.ASSAULT, alone=True, edition="4", dice=SeededDice(1),
        )  # fmt: skip
        assert battle.decision is not None
        assert {option.key for option in battle.decision.options()} - {"end"} == able


# -- artillery --------------------------------------------------------------------------------------------------


def battery(guns: int, crew: int) -> UnitSpec:
    models = [unit(guns, "VEHICLE", "ARTILLERY", name="Gun", base="60mm", AV="10/10/10")] if guns else []
    return mixed("Battery", *models, unit(crew, name="Crew", Ld=7)) if crew else mixed("Battery", *models)


@pytest.mark.rule("4e.artillery.crew-dead")
def test_guns_go_with_the_last_of_the_crew() -> None:
    assert guns_left(2, 1) == 2
    assert guns_left(2, 0) == 0


@pytest.mark.rule("4e.artillery.move", "4e.artillery.crew-to-move", "4e.artillery.gun-dangerous-test")
def test_each_gun_needs_a_crewman_to_move_and_tests_in_difficult_terrain() -> None:
    assert guns_served(2, 3) == 2
    assert dangerous_tests(2, 4) == 2


@pytest.mark.rule("4e.artillery.crew-to-fire", "4e.artillery.no-own-weapons")
def test_a_different_crewman_within_two_inches_of_each_gun() -> None:
    assert len(crewmen_serving(np.array([[1.0], [1.9]]))) == 1
    assert crewmen_serving(np.array([[1.0, 1.5], [1.9, 5.0]])) == {0: 1, 1: 0}
    assert not crew_may_use_own_weapons(serves_firing_gun=True)
    assert crew_may_use_own_weapons(serves_firing_gun=False)


@pytest.mark.rule("4e.artillery.los-both", "4e.artillery.range-from-crew")
def test_gun_and_crew_both_see_the_target_and_range_is_the_crews() -> None:
    assert not has_line_of_sight(gun=True, crew=False, barrage=False)
    assert has_line_of_sight(gun=False, crew=False, barrage=True)
    assert range_counted(24.5, 23.5) == 23.5


@pytest.mark.rule("4e.artillery.random-hits", "4e.artillery.hit-table", "4e.artillery.blast-hits")
@pytest.mark.rule("4e.artillery.assaulted-random")
def test_hits_are_shared_by_dice_those_of_markers_by_who_lies_under() -> None:
    assert [hits_a_gun(face) for face in (1, 4, 5, 6)] == [False, False, True, True]
    assert split_by_dice([1, 4, 5, 6], 1, 2) == (2, 2)
    assert split_by_dice([5, 6], 0, 2) == (0, 2)
    assert hits_by_blast(1, 2) == (1, 2)


@pytest.mark.rule("4e.artillery.no-charge", "4e.artillery.assaulted-ws", "4e.artillery.guns-only-auto")
@pytest.mark.rule("4e.artillery.crew-strike")
def test_a_battery_in_close_combat() -> None:
    assert not may_charge_with(1)
    assert may_charge_with(0)
    assert crew_skill([3, 3, 4]) == 3
    assert hits_without_roll(0)
    assert not hits_without_roll(2)
    assert strikes_back(gun=False, engaged=True)
    assert not strikes_back(gun=True, engaged=True)
    battle = scene(
        battery(1, 2).on((10, 10), (11.8, 10), (11.8, 11)), unit(1).at(10, 14),
        phase=Phase.ASSAULT, alone=True, edition="4", dice=SeededDice(1),
    )  # fmt: skip
    assert battle.decision is None, "nobody charges while a gun is left"


@pytest.mark.rule("4e.artillery.morale-as-infantry", "4e.artillery.fall-back-guns", "4e.artillery.swept")
def test_a_crew_that_falls_back_leaves_guns_and_never_outruns_pursuers() -> None:
    assert takes_morale_tests(2)
    assert abandoned_guns(3, 2) == 1
    assert cannot_escape([model(), model("VEHICLE", "ARTILLERY", AV="10/10/10")])
    assert not cannot_escape([model()])
    guns = battery(3, 2).on((10, 20), (13, 20), (16, 20), (11.8, 21), (14.8, 21)).having(falling_back=True)
    battle = begin_turn(guns, unit(1).at(10, 40), ("rally", [6, 6]), ("fall-back", [2, 2]))
    to_the_end(battle)
    assert len(standing(battle.state, 0)) == 4, "one gun stayed behind"


@pytest.mark.rule("4e.artillery.crew-dead", "4e.artillery.crew-strike")
def test_in_battle_guns_are_taken_away_with_the_last_crewman_and_never_strike() -> None:
    battle = scene(
        battery(1, 1).on((10, 20.0), (10, 22.2)), unit(2, I=5, A=2).on((10, 23.184), (40, 40)),
        phase=Phase.ASSAULT, alone=True, edition="4", turn=1,
        dice=[("hit", [4, 4]), ("artillery-hits", [1, 4]), ("wound", [4, 4]), ("save", [1, 1]), ("consolidation", [1])],
    )  # fmt: skip
    to_the_end(battle)
    assert standing(battle.state, 0) == []


@pytest.mark.rule("4e.artillery.slowed")
def test_difficult_terrain_slows_artillery() -> None:
    assert is_slowed_by(KINDS.of(Kind.ARTILLERY), Crossing(passes=True))
    assert not is_slowed_by(KINDS.of(Kind.ARTILLERY), Crossing())


@pytest.mark.rule("4e.vehicle-morale.no-tests", "4e.vehicle-morale.shaken-stunned-instead")
def test_vehicles_take_no_morale_tests() -> None:
    assert must_test_for_losses(3, 1)
    assert not must_test_for_losses(3, 1, vehicle=True)


@pytest.mark.rule("4e.assaulting-vehicles.may-stay-and-shoot")
def test_a_tank_among_infantry_may_stay_and_shoot_at_it() -> None:
    gun = printed_weapon("Gun", "HEAVY 1")
    tank = unit(1, "VEHICLE", name="Tank", AV="12/10/10", base="hull 6x4in", weapons=[gun]).on((20, 24, 0, 0))
    battle = scene(tank, unit(1).at(20, 26.492), phase=Phase.SHOOTING, alone=True, edition="4", dice=SeededDice(1))
    assert may_fire(battle.scene, battle.state, 0)


@pytest.mark.rule("4e.grenades.death-or-glory")
def test_grenades_may_be_used_for_death_or_glory() -> None:
    battle = scene(unit(1, abilities=("Melta Bombs",)).at(10, 10), unit(1).at(40, 40), edition="4", dice=SeededDice(1))
    assert "Melta bomb" in [weapon.name for weapon in glory_attacks(battle.scene, battle.state, 0)]


@pytest.mark.rule("4e.skimmers-assault.over-infantry", "4e.skimmers-assault.skimmer-tank-shock")
def test_skimmers_fly_over_infantry_or_drive_into_it_if_they_are_tanks() -> None:
    skimmer = unit(1, "VEHICLE", "SKIMMER", "TANK", name="Skimmer", AV="10/10/10", base="60mm").at(10, 10)
    battle = scene(skimmer, unit(3).on((10, 15), (11.5, 15), (8.5, 15)), edition="4", dice=SeededDice(1))
    state = battle.state
    space = move_space(battle.scene, state, 0, MoveKind.NORMAL, limits_of(battle.scene, state, 0))
    assert space.check(Place((ModelMove(0, ((10000, 21000, 0, 0),)),))) == []
    assert may_tank_shock(battle.scene, state, 0)


def returned(procedure: Procedure[Any]) -> Any:
    """What a procedure that asks nobody returns."""
    with pytest.raises(StopIteration) as done:
        next(procedure)
    return done.value.value


@pytest.mark.rule("4e.artillery.assaulted-ws", "4e.artillery.assaulted-random", "4e.artillery.guns-only-auto")
def test_blows_at_a_battery_are_rolled_against_the_crew_and_shared_out_by_dice() -> None:
    context = AttackContext(skill=4, strength=4)
    at_both = scene(
        battery(2, 2).on((10, 20), (13, 20), (10, 22), (13, 22)), unit(1).at(40, 40), edition="4",
        dice=[("hit", [4, 4, 4, 4, 3]), ("artillery-hits", [1, 4, 5, 6]), ("penetration", [6, 5])],
    )  # fmt: skip
    row = int(at_both.scene.units[1].rows[0])
    left = returned(strike_battery(at_both, 1, 0, BARE, context, [(row, 5)]))
    assert left is not None
    assert left.hits is not None
    assert left.hits == amount(2)
    assert standing(at_both.state, 0) == [1, 2, 3], "4 and 6 glance on armour 10, 4 and 5 do not"
    guns = scene(
        battery(1, 0).at(10, 20), unit(1).at(40, 40), edition="4", dice=[("penetration", [1, 1, 1])]
    )  # fmt: skip
    assert returned(strike_battery(guns, 1, 0, BARE, context, [(1, 3)])) is None, "three hits without a roll"
