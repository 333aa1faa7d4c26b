"""Battle formations, reserves, arriving, Infiltrators and Scouts (03.02, 20, 24.09, 24.20, 24.31, 24.32)."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.core.decisions import Place
from battlewright.core.roster import Transport
from battlewright.editions.eleventh import setup
from battlewright.editions.eleventh.charge import may_declare_charge
from battlewright.editions.eleventh.core_abilities import scouts_distances
from battlewright.editions.eleventh.events import UnitDestroyed, UnitInReserves
from battlewright.editions.eleventh.movement import eligible_moves
from battlewright.editions.eleventh.moves import deployment_space
from battlewright.editions.eleventh.reserves import ingress_space, may_ingress, reposition, reserves_limit
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.scouting import may_scout, scout_space
from battlewright.editions.eleventh.shooting import is_eligible_to_shoot
from battlewright.editions.eleventh.state import MoveKind, Phase
from support.combat import events_of
from support.eleventh import (
    UnitSpec,
    attached,
    decision,
    pass_formations,
    place,
    rules_broken,
    scene,
    unit,
    walk,
    weapon,
)

FORMATIONS = "11e.core.mission.battle-formations"
INGRESS = "11e.core.20.04-ingress"
DEEP = "11e.24.09-deep-strike.more-than-eight"
ROLES = [("attacker-roll-off", (6, 1)), ("first-turn-roll-off", (6, 1))]
DEEP_STRIKERS = unit(1, abilities=["Deep Strike"])


def reserved(spec: UnitSpec = DEEP_STRIKERS, *others: UnitSpec, b: Any = (), **scene_flags: Any) -> Battle11:
    """Side a's Movement phase with this unit in reserves."""
    return scene([spec.having(in_reserves=True), *others], b, **scene_flags)


def spots(battle: Battle11, *points: tuple[float, ...]) -> list[set[str]]:
    """What setting up the single model of unit a.1 from reserves at each point would break."""
    space = ingress_space(battle.scene, battle.state, 0)
    return [{each.rule for each in space.check(place(walk(0, point)))} for point in points]


# -- declaring (20.01) ------------------------------------------------------------------------------------------


def declaring(a: Any, b: Any = (), *, dice: Any = ROLES) -> Battle11:
    battle = scene(a, b, phase=Phase.SETUP, dice=dice)
    battle.answer("attacker")
    return battle


@pytest.mark.rule("11e.core.20.01-declaring")
def test_half_of_the_points_may_begin_in_reserves_and_no_fortification() -> None:
    bunker = unit(1, "FORTIFICATION", name="Bunker", points=10)
    battle = declaring([unit(points=500), unit(points=500), unit(points=250), bunker])
    assert reserves_limit(battle.scene) == 750
    assert [option.key for option in battle.options()] == ["a.1", "a.2", "a.3", "end"]
    battle.answer("a.1")
    assert [option.key for option in battle.options()] == ["a.3", "end"], "500 and 500 are more than 750"


@pytest.mark.rule(FORMATIONS, "11e.core.20.01-declaring")
def test_formations_are_secret_until_both_have_declared_and_then_revealed() -> None:
    battle = declaring([unit(), unit()], [unit(), unit()])
    battle.answer("a.1")
    battle.answer("end")
    assert decision(battle).side == 1
    assert battle.state.units[0].in_reserves
    assert not battle.seat(1).view().units[0].in_reserves
    assert battle.seat(0).view().units[0].in_reserves
    assert not battle.rules.visible_state(battle.scene, battle.state, None).units[0].in_reserves
    assert not events_of(battle, UnitInReserves)
    battle.answer("end")
    assert [event.unit for event in events_of(battle, UnitInReserves)] == ["a.1"]
    assert battle.seat(1).view().units[0].in_reserves
    assert decision(battle).kind == "select-unit-to-deploy"


@pytest.mark.rule("11e.core.20.01-declaring", "11e.core.mission.deployment")
def test_a_unit_in_reserves_is_not_deployed() -> None:
    battle = declaring([unit(), unit()], unit())
    battle.answer("a.2")
    while battle.state.phase == Phase.SETUP:
        battle.answer(decision(battle).default())
    assert [each.deployed for each in battle.state.units] == [True, False, True]


# -- arriving (20.03, 20.04) ------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.20.03-arriving", "11e.core.20.03-not-back-in-round-one", "11e.core.09-reinforcements-step")
@pytest.mark.parametrize(("battle_round", "may"), [(1, False), (2, True), (5, True)])
def test_units_arrive_from_the_second_round_on(battle_round: int, may: bool) -> None:
    battle = reserved(DEEP_STRIKERS, unit().at(10, 10), battle_round=battle_round)
    assert may_ingress(battle.state, 0) is may
    assert ("a.1" in {option.key for option in battle.options()}) is may


@pytest.mark.rule(INGRESS)
def test_a_unit_arrives_near_an_edge_and_far_from_enemies() -> None:
    battle = reserved(unit(1, base="50.8mm"), b=unit(1, base="50.8mm").at(1, 30), battle_round=3)
    assert spots(battle, (5, 20), (5.1, 20), (39, 20), (38.9, 20), (22, 1), (22, 55.1)) == [
        set(), {INGRESS}, set(), {INGRESS}, set(), set(),
    ]  # fmt: skip
    assert spots(battle, (1, 19.99), (1, 20.01)) == [set(), {INGRESS}], 'more than 8" from each enemy'


@pytest.mark.rule(INGRESS)
@pytest.mark.parametrize(("battle_round", "open_zone"), [(2, False), (3, True)])
def test_the_enemy_zone_is_closed_in_the_first_two_rounds(battle_round: int, open_zone: bool) -> None:
    battle = reserved(unit(), b=unit().at(40, 58), battle_round=battle_round)
    assert spots(battle, (3, 50), (3, 47.5), (3, 10)) == [set() if open_zone else {INGRESS}] * 2 + [set()]
    assert spots(battle, (3, 47.3)) == [set()], "no part of the base in the zone"


@pytest.mark.rule("11e.core.20.04-after-ingress", INGRESS)
def test_after_arriving_a_unit_does_not_move_again_but_charges() -> None:
    battle = reserved(unit(), unit().at(10, 10), b=unit().at(1, 30), battle_round=3)
    battle.answer("a.1")
    battle.answer("ingress")
    battle.answer(place(walk(0, (1, 20))))
    assert battle.state.units[0].moved_as == MoveKind.INGRESS
    assert battle.state.units[0].set_up_this_turn
    assert [option.key for option in battle.options()] == ["a.2", "end"]
    while battle.state.phase != Phase.CHARGE:
        battle.answer("end")
    assert [option.key for option in battle.options()] == ["a.1", "end"]


@pytest.mark.rule("11e.core.03.02-set-up-whole")
def test_a_unit_without_room_stays_in_reserves_and_may_be_selected_again_after_others() -> None:
    crowd = [unit(1, base="100mm", name=f"Crowd {x} {y}").at(x, y) for x in range(4, 44, 9) for y in range(4, 60, 9)]
    battle = reserved(unit(5), unit(1).at(8.5, 8.5), b=crowd, battle_round=3)
    battle.answer("a.1")
    battle.answer("ingress")
    assert rules_broken(battle, Place(())) == set()
    battle.answer(Place(()))
    assert battle.state.units[0].in_reserves
    assert [option.key for option in battle.options()] == ["a.2", "end"]
    battle.answer("a.2")
    battle.answer("normal")
    battle.answer(place(walk(battle.state.units[1].models[0], (9, 8.5))))
    assert [option.key for option in battle.options()] == ["a.1", "end"]


@pytest.mark.rule("11e.core.03.02-oversized-reserves")
@pytest.mark.parametrize(("keyword", "restricted"), [("VEHICLE", True), ("AIRCRAFT", False)])
def test_a_model_too_large_for_the_strip_arrives_at_an_edge(keyword: str, restricted: bool) -> None:
    battle = reserved(unit(1, keyword, base="200mm"), unit().at(40, 5), b=unit().at(40, 58), battle_round=3)
    radius = 100 / 25.4
    assert spots(battle, (radius, 20), (radius + 0.2, 20)) == [set(), {"11e.core.03.02-oversized-reserves"}]
    battle.answer("a.1")
    battle.answer("ingress")
    battle.answer(place(walk(0, (radius, 20))))
    mine = battle.state.units[0]
    assert (mine.may_not_charge, mine.may_not_shoot) == (restricted, restricted)


# -- Deep Strike (24.09) ----------------------------------------------------------------------------------------


@pytest.mark.rule("11e.24.09-deep-strike.ingress-anywhere", "11e.core.20.04-deep-strike")
def test_deep_strike_arrives_anywhere() -> None:
    battle = reserved(unit(1, base="25.4mm", abilities=["Deep Strike"]), b=unit(1, base="25.4mm").at(20, 39.1))
    assert spots(battle, (20, 30)) == [set()], '8.1" between the bases'


@pytest.mark.rule(DEEP)
@pytest.mark.parametrize("height", [0.0, 6.0])
def test_deep_strike_stays_more_than_eight_inches_away_whatever_the_height(height: float) -> None:
    striker = unit(1, base="25.4mm", abilities=["Deep Strike"])
    battle = reserved(striker, b=unit(1, base="25.4mm").on((20, 39.0, height)))
    assert spots(battle, (20, 30)) == [{DEEP}]
    assert spots(battle, (20, 29.99)) == [set()]


@pytest.mark.rule("11e.24.09-deep-strike.every-model")
def test_deep_strike_needs_every_model() -> None:
    squad = unit(5, abilities=["Deep Strike"])
    mixed = attached(squad, unit(1, name="Captain"))
    for spec, allowed in ((squad, True), (mixed, False)):
        battle = reserved(spec, b=unit().at(40, 58))
        answer = place(*(walk(row, (20 + 2 * row, 30)) for row in range(len(spec.models))))
        found = {each.rule for each in ingress_space(battle.scene, battle.state, 0).check(answer)}
        assert found == (set() if allowed else {INGRESS})


@pytest.mark.rule("11e.24.09-deep-strike.enemy-zone-allowed")
def test_deep_strike_may_arrive_in_the_enemy_zone() -> None:
    battle = reserved(unit(1, base="25.4mm", abilities=["Deep Strike"]), b=unit(1, base="25.4mm").at(30, 54))
    assert spots(battle, (20, 54)) == [set()], '9" from the enemy, in the second round'


# -- leaving and never arriving (20.02, 20.05, 23.01) -----------------------------------------------------------


@pytest.mark.rule("11e.core.20.02-repositioned", "11e.core.01.10-durations-run-on")
def test_a_repositioned_unit_keeps_what_it_did_and_what_affects_it() -> None:
    battle = scene(unit(2).at(10, 10).having(advanced=True, moved_as="advance", battle_shocked=True), unit().at(40, 50))
    reposition(battle, 0)
    mine = battle.state.units[0]
    assert not battle.state.on_table[[0, 1]].any()
    assert (mine.in_reserves, mine.repositioned, mine.advanced, mine.battle_shocked) == (True,) * 4


def at_the_end(battle_round: int, *specs: UnitSpec) -> Battle11:
    """The second player's turn of a round, played by default up to the next turn or the end."""
    battle = scene([*specs, unit().at(2, 2)], unit().at(40, 50), phase=Phase.FIGHT, turn=1, battle_round=battle_round)
    while battle.decision and battle.state.round == battle_round:
        battle.answer(battle.decision.default())
    return battle


@pytest.mark.rule("11e.core.20.05-end-of-round-three")
def test_what_never_arrived_is_lost_at_the_end_of_the_third_round() -> None:
    waiting = unit(2).having(in_reserves=True)
    back = unit().having(in_reserves=True, has_ingressed=True)
    moved = unit().having(in_reserves=True, repositioned=True)
    carrier = unit(1, "VEHICLE", transport=Transport(5)).having(in_reserves=True)
    passenger = unit(2).having(embarked_in=3)
    carried = unit(1, "VEHICLE", transport=Transport(5)).at(20, 5).having(has_ingressed=True)
    aboard = unit(2).having(embarked_in=5)
    battle = at_the_end(3, waiting, back, moved, carrier, passenger, carried, aboard)
    assert [event.unit for event in events_of(battle, UnitDestroyed)] == ["a.1", "a.5", "a.4"]
    assert not events_of(at_the_end(2, waiting), UnitDestroyed)


@pytest.mark.rule("11e.core.20.05-end-of-battle")
def test_all_reserves_are_lost_at_the_end_of_the_final_turn() -> None:
    moved = unit(abilities=["Deadly Demise 1"]).having(in_reserves=True, repositioned=True)
    battle = at_the_end(5, moved)
    assert battle.result is not None
    assert [event.unit for event in events_of(battle, UnitDestroyed)] == ["a.1"]


PLANE = unit(1, "AIRCRAFT", "VEHICLE", "FLY", base="60mm", M='20"', name="Plane")


@pytest.mark.rule("11e.core.23.01-reserves")
def test_aircraft_begin_in_reserves() -> None:
    battle = declaring([PLANE, unit()], unit())
    pass_formations(battle)
    assert battle.state.units[0].in_reserves
    assert "a.1" not in {option.key for option in battle.options()}


@pytest.mark.rule("11e.core.23.01-reserves")
@pytest.mark.parametrize(("turn", "leaves"), [(0, False), (1, True)])
def test_aircraft_leave_at_the_end_of_the_opponents_turn(turn: int, leaves: bool) -> None:
    battle = scene([PLANE.at(20, 20), unit().at(2, 2)], unit().at(40, 50), phase=Phase.FIGHT, turn=turn)
    while battle.state.turn == turn:
        battle.answer(decision(battle).default())
    assert battle.state.units[0].in_reserves is leaves
    assert bool(battle.state.on_table[0]) is not leaves


@pytest.mark.rule("11e.core.23.01-reserves", "11e.core.03.01-move-types")
def test_aircraft_make_no_move_but_ingress() -> None:
    battle = scene([PLANE.at(20, 20), PLANE.having(in_reserves=True)], unit().at(40, 50))
    battle.answer("a.1")
    assert decision(battle).kind == "select-unit-to-move", "it remains stationary without a question"
    battle.answer("a.2")
    assert [option.key for option in battle.options()] == ["ingress", "stationary"]


# -- Infiltrators (24.20) ---------------------------------------------------------------------------------------

SPIES = unit(1, base="25.4mm", abilities=["Infiltrators"])


def infiltrating(spec: UnitSpec, *points: tuple[float, ...], b: Any = ()) -> set[str]:
    """What it breaks to deploy side a's unit, the Attacker's, at these points."""
    battle = scene(spec, b, phase=Phase.SETUP)
    answer = place(*(walk(row, point) for row, point in enumerate(points)))
    return {each.rule for each in deployment_space(battle, 0).check(answer)}


@pytest.mark.rule("11e.24.20-infiltrators.placement")
def test_infiltrators_deploy_anywhere_far_from_the_enemy_and_their_zone() -> None:
    foe = unit(1, base="25.4mm").at(20, 50)
    assert infiltrating(SPIES, (20, 39), b=foe) == set(), '8.5" from the zone, 10" from the enemy'
    assert infiltrating(SPIES, (20, 6), b=unit(1, base="25.4mm").at(20, 13)) == set(), "in its own zone as ever"


@pytest.mark.rule("11e.24.20-infiltrators.distance-strict")
def test_infiltrators_keep_more_than_eight_inches() -> None:
    assert infiltrating(SPIES, (20, 39.5)) == {"11e.24.20-infiltrators.distance-strict"}, 'exactly 8" from the zone'
    near = unit(1, base="25.4mm").at(28, 35.5)
    assert infiltrating(SPIES, (20, 35.5), b=near) == {"11e.24.20-infiltrators.distance-strict"}
    pair = unit(2, base="25.4mm", abilities=["Infiltrators"])
    split = infiltrating(pair, (20, 11), (20, 13), b=unit(1, base="25.4mm").at(20, 18))
    assert split == {"11e.24.20-infiltrators.distance-strict"}, "one in the zone, one near an enemy"


@pytest.mark.rule("11e.24.20-infiltrators.every-model")
def test_infiltrators_need_every_model() -> None:
    squad = unit(2, abilities=["Infiltrators"])
    assert infiltrating(squad, (20, 30), (22, 30)) == set()
    led = attached(squad, unit(1, name="Captain"))
    assert infiltrating(led, (20, 30), (22, 30), (24, 30)) == {"11e.core.mission.deployment"}


@pytest.mark.rule("11e.core.03.02-oversized-deployment")
def test_a_model_too_large_for_its_zone_stands_at_its_edge_and_does_nothing_in_its_first_turn() -> None:
    base = unit(1, "VEHICLE", base="hull 14x13in", M='12"', name="Ark", weapons=[weapon(R='48"')])
    battle = scene(base, unit().at(20, 40), phase=Phase.SETUP)
    space = deployment_space(battle, 0)
    assert space.check(space.default()) == []
    assert space.default().moves
    assert {each.rule for each in space.check(place(walk(0, (20, 6.5))))} == set()
    assert {each.rule for each in space.check(place(walk(0, (20, 6.6))))} == {"11e.core.03.02-oversized-deployment"}
    assert {each.rule for each in space.check(place(walk(0, (20, 53.5))))} == {"11e.core.03.02-oversized-deployment"}
    for battle_round, held in ((1, True), (2, False)):
        there = scene(base.at(20, 6.5).having(is_oversized=True), unit().at(20, 22), battle_round=battle_round)
        assert (len(eligible_moves(there.scene, there.state, 0)) == 1) is held
        assert may_declare_charge(there.scene, there.state, 0) is not held
        assert is_eligible_to_shoot(there.scene, there.state, 0) is not held


# -- redeploying (step 9) ---------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.mission.redeployment", "11e.core.03.02-redeploy")
def test_units_are_redeployed_in_turn_the_attacker_first() -> None:
    mine, theirs = unit(points=100), unit(points=100).having(may_redeploy=True)
    a = [mine.at(5, 5).having(may_redeploy=True), mine.at(9, 5).having(may_redeploy=True)]
    battle = scene(a, theirs.at(9, 55), phase=Phase.SETUP, step=setup.REDEPLOYMENT, dice=ROLES[1:])
    assert (decision(battle).side, decision(battle).kind) == (0, "select-unit-to-redeploy")
    battle.answer("a.1")
    assert rules_broken(battle, place(walk(0, (5, 30)))) == {"11e.core.mission.deployment"}
    battle.answer(place(walk(0, (30, 5))))
    assert decision(battle).side == 1
    battle.answer("end")
    assert decision(battle).side == 0
    battle.answer("a.2:reserves")
    assert battle.state.phase != Phase.SETUP
    assert [each.in_reserves for each in battle.state.units] == [False, True, False]
    assert battle.state.position[0].tolist()[:2] == [30_000, 5_000]


# -- Scouts (24.31, 24.32) --------------------------------------------------------------------------------------

SCOUTS = unit(1, base="25.4mm", abilities=['Scouts 6"'])


def pre_battle(a: Any, b: Any = (), **flags: Any) -> Battle11:
    return scene(a, b, phase=Phase.SETUP, step=setup.PRE_BATTLE, dice=[], **flags)


@pytest.mark.rule("11e.core.mission.pre-battle-rules", "11e.core.24-scouts")
def test_scouts_act_in_turn_the_player_with_the_first_turn_first() -> None:
    squad = [SCOUTS.at(x, 10) for x in (5, 10, 15)]
    foes = [SCOUTS.at(x, 50) for x in (5, 10)]
    battle = pre_battle(squad, foes, first=1, chooser=1)
    sides = []
    while battle.state.phase == Phase.SETUP:
        if decision(battle).kind == "select-unit-to-scout":
            sides.append(decision(battle).side)
            battle.answer(battle.options()[0].key)
        else:
            battle.answer(Place(()))
    assert sides == [1, 0, 1, 0, 0]


@pytest.mark.rule("11e.24.31-scouts.every-model", "11e.24.31-scouts.one-option")
def test_a_unit_scouts_once_and_only_if_all_its_models_can() -> None:
    led = attached(unit(5, abilities=['Scouts 6"']), unit(1, name="Captain"))
    battle = pre_battle([led.at(5, 5), SCOUTS.at(5, 10)])
    assert [option.key for option in battle.options()] == ["a.2", "end"]
    battle.answer("a.2")
    battle.answer(Place(()))
    assert battle.state.phase != Phase.SETUP, "nobody has anything left to do"


@pytest.mark.rule("11e.24.31-scouts.option-reserves", "11e.core.24-scouts")
def test_scouts_in_reserves_may_be_set_up_in_their_own_zone() -> None:
    battle = pre_battle(SCOUTS.having(in_reserves=True), unit().at(22, 13))
    battle.answer("a.1")
    assert rules_broken(battle, place(walk(0, (30, 11.6)))) == {"11e.24.31-scouts.option-reserves"}
    battle.answer(place(walk(0, (22, 9))))
    assert (battle.state.units[0].in_reserves, bool(battle.state.on_table[0])) == (False, True)


@pytest.mark.rule("11e.24.31-scouts.option-scout-move", "11e.24.32-scout-move.eligibility")
def test_a_scout_move_needs_the_whole_unit_in_its_zone_before_the_battle() -> None:
    battle = pre_battle([SCOUTS.at(5, 11.5), SCOUTS.at(10, 11.6)])
    assert [may_scout(battle.scene, battle.state, each) for each in (0, 1)] == [True, False]
    later = scene(SCOUTS.at(5, 11), battle_round=1)
    assert not may_scout(later.scene, later.state, 0)


@pytest.mark.rule("11e.24.31-scouts.option-transport", "11e.24.31-scouts.option-transport-all-aboard")
def test_a_dedicated_transport_scouts_once_while_all_aboard_are_scouts() -> None:
    truck = unit(1, "VEHICLE", "TRANSPORT", "DEDICATED TRANSPORT", base="100mm", transport=Transport(12), M='12"')
    riders = [unit(5, abilities=[f'Scouts {x}"']).having(embarked_in=0) for x in (6, 8)]
    battle = pre_battle([truck.at(20, 8), *riders], unit().at(40, 58))
    assert [option.key for option in battle.options()] == ["a.1", "end"]
    battle.answer("a.1")
    assert rules_broken(battle, place(walk(0, (20, 14.1)))) == {"11e.24.32-scout-move.maximum-distance"}
    battle.answer(place(walk(0, (20, 14))))
    assert battle.state.phase != Phase.SETUP
    captain = unit(1, name="Captain").having(embarked_in=0)
    for others, parked in (([*riders, captain], 8), (riders, 11), ([], 8)):
        assert pre_battle([truck.at(20, parked), *others]).state.phase != Phase.SETUP, "nobody may scout"


@pytest.mark.rule("11e.24.32-scout-move.moves-as-moving", "11e.24.32-scout-move.maximum-distance")
def test_a_scout_move_is_a_move_of_x_inches() -> None:
    battle = pre_battle([unit(1, M='10"', abilities=['Scouts 7"']).at(5, 10)], unit().at(5, 12.5))
    battle = pre_battle([unit(1, M='10"', abilities=['Scouts 7"']).at(5, 10)], unit(base="25.4mm").at(40, 50))
    space = scout_space(battle.scene, battle.state, 0, scouts_distances([battle.scene.models[0].profile])[0])
    assert {each.rule for each in space.check(place(walk(0, (5, 17))))} == set()
    assert {each.rule for each in space.check(place(walk(0, (5, 17.1))))} == {"11e.24.32-scout-move.maximum-distance"}
    assert {each.rule for each in space.check(place(walk(0, (-2, 10))))} >= {"11e.core.03.01-not-through-enemies"}


@pytest.mark.rule("11e.24.32-scout-move.after-move-distance")
@pytest.mark.parametrize(("y", "legal"), [(14.0, False), (13.8, True)])
def test_a_scout_move_ends_more_than_eight_inches_from_enemies(y: float, legal: bool) -> None:
    battle = pre_battle(SCOUTS.at(20, 10), unit(1, base="25.4mm").at(20, 23))
    battle.answer("a.1")
    found = rules_broken(battle, place(walk(0, (20, y))))
    assert found == (set() if legal else {"11e.24.32-scout-move.after-move-distance"})


@pytest.mark.rule("11e.24.02-duplicated-abilities.scouts-lowest")
def test_of_several_distances_the_controller_chooses() -> None:
    battle = pre_battle(unit(1, abilities=['Scouts 6"', 'Scouts 8"']).at(20, 10))
    battle.answer("a.1")
    assert [option.key for option in battle.options()] == ["6", "8"]
    battle.answer("6")
    assert rules_broken(battle, place(walk(0, (20, 17)))) == {"11e.24.32-scout-move.maximum-distance"}
