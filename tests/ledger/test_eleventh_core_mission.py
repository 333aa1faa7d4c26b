"""The mission: before the battle, the order of turns, scoring Battlefield Dominance, and the victor."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.core.decisions import Place, Side
from battlewright.core.events import PhaseBegan
from battlewright.core.table import Objective, ObjectiveRole
from battlewright.editions.eleventh import missions, setup
from battlewright.editions.eleventh.events import RollOff, Scored
from battlewright.editions.eleventh.look import Look, Time
from battlewright.editions.eleventh.missions import home_objective, primary_points
from battlewright.editions.eleventh.objectives import result_of
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, Phase
from support.combat import events_of, no_dice_left, run
from support.eleventh import decision, pass_formations, scene, unit

GOALS = [
    Objective("attacker-home", (22.0, 6.0), role=ObjectiveRole.HOME, owner="attacker"),
    Objective("defender-home", (22.0, 54.0), role=ObjectiveRole.HOME, owner="defender"),
    Objective("central", (22.0, 30.0), role=ObjectiveRole.CENTRAL),
    Objective("east", (38.0, 30.0), role=ObjectiveRole.EXPANSION),
    Objective("west", (6.0, 30.0), role=ObjectiveRole.EXPANSION),
]
A_HOME, B_HOME, CENTRAL, EAST, WEST = range(5)


def waiting(*held_by_a: int, b: tuple[int, ...] = (), **flags: Any) -> Battle11:
    """A battle that waits in side a's Movement phase, side a being the Attacker, with these objectives controlled."""
    battle = scene(unit(1).at(2, 2), unit(1).at(40, 57), objectives=GOALS, **flags)
    battle.state.control = tuple(
        0 if number in held_by_a else 1 if number in b else NOBODY for number in range(len(GOALS))
    )
    return battle


def dominance(battle: Battle11, time: Time) -> int:
    card = battle.scene.mission.cards[0]
    return sum(each for _, each in card.score(Look(battle.scene, battle.state, Side(0)), time))


def command_phase_ends(battle: Battle11, side: int) -> None:
    battle.state.turn = Side(side)
    run(missions.end_of_command_phase(battle))


def turn_ends(battle: Battle11, side: int) -> None:
    battle.state.turn = Side(side)
    run(missions.end_of_turn(battle))


# -- before the battle ------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.01.05-roll-off")
@pytest.mark.parametrize(
    ("throws", "winner"), [([(5, 2)], 0), ([(1, 2)], 1), ([(3, 3), (6, 6), (2, 4)], 1), ([(1, 1), (6, 5)], 0)]
)
def test_the_higher_die_wins_a_roll_off_and_ties_are_rolled_again(throws: list[tuple[int, int]], winner: int):
    battle = waiting(dice=[("test", faces) for faces in throws])
    assert setup.roll_off(battle, "test") == winner
    (event,) = events_of(battle, RollOff)
    assert (event.faces, event.winner) == (tuple(throws), winner)
    no_dice_left(battle)


def before(*squads: Any, dice: Any = None) -> Battle11:
    a, b = squads
    return scene(a, b, phase=Phase.SETUP, dice=dice, objectives=GOALS)


@pytest.mark.rule("11e.core.mission.attacker-and-defender")
@pytest.mark.parametrize(("faces", "winner"), [((6, 1), 0), ((1, 6), 1)])
@pytest.mark.parametrize("role", ["attacker", "defender"])
def test_the_winner_of_the_roll_off_chooses_a_role(faces: tuple[int, int], winner: int, role: str):
    battle = before(unit(1), unit(1), dice=[("attacker-roll-off", faces), ("first-turn-roll-off", (1, 2))])
    assert decision(battle).side == winner
    assert [option.key for option in battle.options()] == ["attacker", "defender"]
    battle.answer(role)
    pass_formations(battle)
    assert battle.state.attacker == (winner if role == "attacker" else 1 - winner)
    assert decision(battle).side == 1 - battle.state.attacker, "the Defender deploys first"


def deployers(battle: Battle11) -> str:
    """Answers by default until the battle begins; the units in the order in which they were deployed."""
    order = []
    battle.answer("attacker")
    while battle.state.phase == Phase.SETUP:
        if decision(battle).kind == "select-unit-to-deploy":
            battle.answer(battle.options()[0].key)
            order.append(battle.scene.units[decision(battle).subject or 0].id)
        battle.answer(decision(battle).default())
    return " ".join(order)


DICE = [("attacker-roll-off", (6, 1)), ("first-turn-roll-off", (1, 2))]


@pytest.mark.rule("11e.core.mission.deployment")
def test_units_are_deployed_alternately_the_defender_first_until_both_are_done():
    battle = before([unit(1)] * 4, [unit(1)] * 2, dice=DICE)
    assert deployers(battle) == "b.1 a.1 b.2 a.2 a.3 a.4"
    assert all(each.deployed for each in battle.state.units)
    assert battle.state.on_table.all()


@pytest.mark.rule("11e.core.mission.deployment")
def test_a_side_without_units_is_passed_over():
    assert deployers(before([unit(1)] * 2, (), dice=DICE)) == "a.1 a.2"


@pytest.mark.rule("11e.core.mission.deployment")
def test_a_unit_is_set_up_wholly_in_its_players_zone():
    battle = before(unit(1), unit(1), dice=DICE)
    battle.answer("attacker")
    pass_formations(battle)
    battle.answer("b.1")
    (only,) = decision(battle).default().moves  # type: ignore[union-attr]

    def at(y: float) -> list[str]:
        move = type(only)(only.model, ((22_000, round(y * 1000), 0, 0),))
        return [violation.rule for violation in battle.check(Place((move,)))]

    assert at(55) == []
    assert at(48.63) == [], "the base just inside"
    assert at(48.5) == ["11e.core.mission.deployment"], "a part of the base outside"
    assert at(6) == ["11e.core.mission.deployment"], "the other's zone"


@pytest.mark.rule("11e.core.mission.titanic-deployment", "11e.core.mission.deployment")
def test_a_titanic_unit_costs_its_player_the_next_go():
    giant = unit(1, "VEHICLE", "TITANIC", base="100mm", name="Giant")
    assert deployers(before([unit(1)] * 3, [giant, unit(1), unit(1)], dice=DICE)) == "b.1 a.1 a.2 b.2 a.3 b.3"
    assert deployers(before([giant, unit(1)], [unit(1)] * 4, dice=DICE)) == "b.1 a.1 b.2 b.3 a.2 b.4"


@pytest.mark.rule("11e.core.mission.titanic-deployment")
def test_no_go_is_lost_when_the_other_side_is_done_and_none_after_the_last():
    giant = unit(1, "VEHICLE", "TITANIC", base="100mm", name="Giant")
    battle = before([giant, unit(1), unit(1)], unit(1), dice=DICE)
    assert deployers(battle) == "b.1 a.1 a.2 a.3"
    assert deployers(before([unit(1)] * 3, [unit(1), giant], dice=DICE)) == "b.1 a.1 b.2 a.2 a.3"


@pytest.mark.rule("11e.core.mission.first-turn")
@pytest.mark.parametrize(("faces", "first"), [((6, 1), 0), ((2, 5), 1)])
def test_the_winner_of_a_second_roll_off_takes_the_first_turn(faces: tuple[int, int], first: int):
    battle = before(unit(1), unit(1), dice=[DICE[0], ("first-turn-roll-off", faces)])
    deployers(battle)
    assert (battle.state.first, battle.state.turn, battle.state.round) == (first, first, 1)
    assert decision(battle).side == first


# -- the order of turns -----------------------------------------------------------------------------------------


@pytest.mark.rule(
    "11e.core.07-round",
    "11e.core.07-turn",
    "11e.core.07-five-rounds",
    "11e.core.mission.end-of-battle",
    "11e.core.mission.first-turn",
)
@pytest.mark.parametrize("first", [0, 1])
def test_five_rounds_of_two_turns_each_the_same_player_first(first: int):
    battle = scene(unit(1).at(2, 2), unit(1).at(40, 57), phase=Phase.COMMAND, turn=first, battle_round=1, first=first)
    while battle.decision:
        battle.answer(battle.decision.default())
    phases = ["movement", "shooting", "charge", "fight", "end-of-turn", "command"]
    seen = [("command", 1, first)] + [(event.name, event.round, event.turn) for event in events_of(battle, PhaseBegan)]
    expected = [
        (name, number, side)
        for number in range(1, 6)
        for side in (first, 1 - first)
        for name in ["command", *phases[:-1]]
    ]
    assert seen == expected
    assert battle.result is not None
    assert battle.result.rounds == 5


@pytest.mark.rule("11e.core.mission.end-of-battle")
def test_a_player_without_models_goes_on_playing():
    battle = scene(unit(1, OC=1).at(22, 30), (), phase=Phase.COMMAND, battle_round=1, objectives=[GOALS[CENTRAL]])
    while battle.decision:
        assert decision(battle).side == 0
        battle.answer(decision(battle).default())
    assert [(event.round, event.turn) for event in events_of(battle, PhaseBegan) if event.name == "fight"][-1] == (5, 1)
    assert battle.result is not None
    assert battle.result.score == (2 + 2 + 3 * 4, 0)


# -- scoring ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.mission.objectives")
def test_each_player_has_the_home_of_their_end_of_the_table():
    battle = waiting()
    for attacker, homes in ((0, (A_HOME, B_HOME)), (1, (B_HOME, A_HOME))):
        battle.state.attacker = attacker  # type: ignore[assignment]
        assert tuple(home_objective(battle.scene, battle.state, side) for side in (0, 1)) == homes  # type: ignore[arg-type]
    bare = scene(unit(1).at(2, 2), objectives=GOALS[2:])
    assert home_objective(bare.scene, bare.state, 0) is None  # type: ignore[arg-type]


@pytest.mark.rule("11e.core.primary.battlefield-dominance")
@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ((), 0),
        ((CENTRAL,), 3),
        ((CENTRAL, EAST, WEST), 9),
        ((B_HOME, CENTRAL), 6),
        ((A_HOME,), 3),
        ((A_HOME, CENTRAL), 6 + 2),
        ((A_HOME, CENTRAL, EAST), 9 + 4),
        ((A_HOME, B_HOME, CENTRAL, EAST, WEST), 15 + 8),
    ],
)
def test_dominance_gives_3_for_each_objective_and_2_more_for_each_but_home_with_home(
    held: tuple[int, ...], expected: int
):
    battle = waiting(*held)
    assert dominance(battle, Time.COMMAND) == expected
    battle.state.attacker = 1  # type: ignore[assignment]
    battle.state.control = tuple(battle.state.control[i] for i in (B_HOME, A_HOME, CENTRAL, EAST, WEST))
    assert dominance(battle, Time.COMMAND) == expected


@pytest.mark.rule("11e.core.primary.battlefield-dominance")
@pytest.mark.parametrize("battle_round", [1, 2, 3, 5])
@pytest.mark.parametrize(
    ("mine", "theirs", "more"), [((), (), 0), ((1, 2), (0, 3), 0), ((2,), (), 2), ((2,), (3, 4), 0)]
)
def test_dominance_gives_2_in_rounds_1_and_2_for_more_objectives_than_the_opponent(
    battle_round: int, mine: tuple[int, ...], theirs: tuple[int, ...], more: int
):
    battle = waiting(*mine, b=theirs, battle_round=battle_round)
    expected = more if battle_round <= 2 else 0
    assert dominance(battle, Time.TURN) == expected


@pytest.mark.rule("11e.core.mission.scoring-times", "11e.core.primary.battlefield-dominance")
@pytest.mark.parametrize(
    ("battle_round", "command_phase", "own_turn"), [(1, 0, 2), (2, 3, 2), (3, 3, 0), (4, 3, 0), (5, 0, 3)]
)
def test_when_dominance_is_scored(battle_round: int, command_phase: int, own_turn: int):
    battle = waiting(CENTRAL, battle_round=battle_round)
    command_phase_ends(battle, 0)
    assert battle.state.vp == (command_phase, 0)
    turn_ends(battle, 0)
    assert battle.state.vp == (command_phase + own_turn, 0)
    command_phase_ends(battle, 1)
    turn_ends(battle, 1)
    missions.end_of_battle(battle)
    assert battle.state.vp == (command_phase + own_turn, 0), "the other holds nothing"


@pytest.mark.rule("11e.core.mission.primary-limits")
@pytest.mark.parametrize(
    ("points", "this_round", "in_all", "counted"),
    [(9, 0, 0, 9), (23, 0, 0, 15), (9, 10, 10, 5), (2, 15, 15, 0), (9, 0, 40, 5), (9, 0, 45, 0), (9, 12, 44, 1)],
)
def test_15_points_in_a_round_and_45_in_all_count(points: int, this_round: int, in_all: int, counted: int):
    assert primary_points(points, this_round, in_all) == counted


@pytest.mark.rule("11e.core.mission.primary-limits", "11e.core.mission.scoring-times")
def test_surplus_points_are_lost_and_each_player_has_limits_of_their_own():
    battle = waiting(A_HOME, CENTRAL, EAST, WEST, b=(B_HOME,), battle_round=2)
    command_phase_ends(battle, 0)
    assert [(event.points, event.total) for event in events_of(battle, Scored)] == [(12, 12), (3, 15)]
    turn_ends(battle, 0)
    command_phase_ends(battle, 1)
    state = battle.state
    assert (state.vp, state.primary, state.primary_this_round) == ((15, 3), (15, 3), (15, 3))


@pytest.mark.rule("11e.core.mission.primary-limits")
def test_the_limit_of_a_round_begins_anew_and_the_whole_one_does_not():
    holder = unit(1, OC=5)
    everywhere = [holder.at(goal.point[0], goal.point[1]) for goal in GOALS]
    battle = scene(everywhere, unit(1).at(40, 57), phase=Phase.COMMAND, battle_round=1, objectives=GOALS)
    while battle.decision:
        battle.answer(battle.decision.default())
    scored = [event.points for event in events_of(battle, Scored)]
    assert scored == [2, 15, 15, 13]
    assert battle.result is not None
    assert battle.result.score == (45, 0)


@pytest.mark.rule("11e.core.mission.victor")
@pytest.mark.parametrize(("vp", "winner"), [((10, 9), 0), ((0, 1), 1), ((7, 7), None), ((0, 0), None)])
def test_most_points_win_and_equal_points_are_a_draw(vp: tuple[int, int], winner: int | None):
    battle = waiting()
    battle.state.vp = vp
    result = result_of(battle.state, 5)
    assert (result.winner, result.score, result.rounds) == (winner, vp, 5)
