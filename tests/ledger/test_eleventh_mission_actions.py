"""The actions of the mission cards: who may do them where, when they complete, and what they leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core.decisions import Side
from battlewright.editions.eleventh.acting import action_of, action_targets, complete_actions, start_action, startable
from battlewright.editions.eleventh.actions import Completes
from battlewright.editions.eleventh.book import Mark
from battlewright.editions.eleventh.events import ActionCompleted, ActionFailed
from battlewright.editions.eleventh.look import Look, Time
from battlewright.editions.eleventh.mission_actions import ACTIONS
from battlewright.editions.eleventh.missions import MISSIONS
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, Phase
from support.combat import events_of, run, run_asking
from support.eleventh import UnitSpec, scene, unit
from support.eleventh_table import CENTRAL, EAST, GOALS, HOME, THEIRS, WEST, WOODS

AT_CENTRAL, AT_EAST, AT_WEST, AT_HOME, AT_THEIRS = (
    unit(1).at(22, 29),
    unit(1).at(38, 40),
    unit(1).at(6, 20),
    unit(1).at(22, 6),
    unit(1).at(22, 54),
)
AWAY, FAR = unit(1).at(2, 2), unit(1).at(43, 58)


def acting(
    card: str,
    a: UnitSpec | Sequence[UnitSpec],
    b: UnitSpec | Sequence[UnitSpec] = FAR,
    *,
    held: Sequence[int] = (CENTRAL, EAST, WEST, HOME),
    battle_round: int = 2,
    **book: Any,
) -> Battle11:
    """Side a's Shooting phase with that primary card."""
    battle = scene(a, b, phase=Phase.SHOOTING, objectives=GOALS, terrain=WOODS, mission=card, battle_round=battle_round)
    battle.state.control = tuple(0 if number in held else NOBODY for number in range(len(GOALS)))
    battle.state.book = replace(battle.state.book, **book)
    return battle


def targets(battle: Battle11, name: str, unit_index: int = 0) -> list[str]:
    action = action_of(battle.scene, name)
    if not action.is_offered(battle.scene, battle.state, Side(0)):
        return []
    return list(action_targets(battle.scene, battle.state, unit_index, action))


def do(battle: Battle11, name: str, *answers: str, unit_index: int = 0) -> None:
    run(start_action(battle, unit_index, action_of(battle.scene, name)), *answers)


def end(battle: Battle11, *answers: str) -> None:
    run(complete_actions(battle), *answers)


def score(battle: Battle11) -> int:
    look = Look(battle.scene, battle.state, Side(0))
    return sum(points for _, points in battle.scene.mission.cards[0].score(look, Time.TURN))


def test_each_mission_has_the_actions_of_its_cards_and_of_the_secondary_ones():
    for mission in MISSIONS.values():
        rules = {card.rule for card in mission.cards}
        names = {action.id for action in mission.actions}
        assert {"cleanse", "plunder"} <= names
        assert len(names) == len(mission.actions)
        for action in ACTIONS:
            assert (action.id in names) >= (action.rule in rules)
    assert MISSIONS["extract-relic"].actions[0].id == "sensor-sweep"
    assert {action.id for action in MISSIONS["meatgrinder"].actions} == {"cleanse", "plunder"}


def test_an_action_is_offered_to_the_side_that_has_the_card():
    battle = acting("smoke-and-mirrors", AT_CENTRAL)
    assert [action.id for _, action in startable(battle.scene, battle.state, Side(0))] == ["decoy"]
    theirs = acting("surveil-the-foe", AT_CENTRAL)
    assert "decoy" not in [action.id for _, action in startable(theirs.scene, theirs.state, Side(0))]


# -- at objectives ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.primary.smoke-and-mirrors")
def test_decoy():
    battle = acting("smoke-and-mirrors", [AT_CENTRAL, AT_EAST, AT_HOME, AWAY])
    assert [targets(battle, "decoy", each) for each in range(4)] == [["objective:central"], ["objective:east"], [], []]
    do(battle, "decoy")
    assert battle.state.book.marks == (), "it completes at the end of the turn"
    assert targets(battle, "decoy", 1) == ["objective:east"], "any number of units"
    do(battle, "decoy", unit_index=1)
    battle.state.control = (NOBODY, NOBODY, 0, NOBODY, NOBODY)
    end(battle)
    assert battle.state.book.marks == (
        Mark(0, "decoyed", "objective:central"),
        Mark(0, "marker", "objective:central"),
    )
    assert [event.why for event in events_of(battle, ActionFailed)] == ["condition not met"]
    assert score(battle) == 2
    again = acting("smoke-and-mirrors", AT_CENTRAL, marks=battle.state.book.marks)
    assert targets(again, "decoy") == [], "decoyed already"


@pytest.mark.rule("11e.core.primary.triangulation")
def test_triangulate():
    battle = acting("triangulation", [AT_CENTRAL, AT_EAST])
    assert targets(acting("triangulation", AT_CENTRAL, battle_round=1), "triangulate") == []
    do(battle, "triangulate")
    assert targets(battle, "triangulate", 1) == [], "once a turn"
    end(battle)
    assert battle.state.book.marks[0] == Mark(0, "triangulated", "objective:central")
    assert score(battle) == 3


@pytest.mark.rule("11e.core.primary.gather-intel")
def test_extract_intelligence():
    battle = acting("gather-intel", [AT_CENTRAL, AT_EAST, AT_THEIRS], held=[CENTRAL, EAST, THEIRS])
    assert targets(acting("gather-intel", AT_CENTRAL, battle_round=1), "extract-intelligence") == []
    for each in range(3):
        do(battle, "extract-intelligence", unit_index=each)
    end(battle)
    assert score(battle) == 21
    assert {mark.place for mark in battle.state.book.marks} == {
        "objective:central",
        "objective:east",
        "objective:defender-home",
    }
    again = acting("gather-intel", AT_CENTRAL, marks=battle.state.book.marks)
    assert targets(again, "extract-intelligence") == []


@pytest.mark.rule("11e.core.primary.secure-asset", "11e.core.primary.sabotage", "11e.core.14-controlling-unit")
@pytest.mark.parametrize(("card", "action", "each"), [("secure-asset", "secure-asset", 4), ("sabotage", "sabotage", 3)])
def test_secure_asset_and_sabotage(card: str, action: str, each: int):
    battle = acting(card, [AT_CENTRAL, AT_WEST, AT_HOME])
    assert [targets(battle, action, index) for index in range(3)] == [["objective:central"], ["objective:west"], []]
    do(battle, action)
    assert targets(battle, action, 1) == ([] if card == "secure-asset" else ["objective:west"])
    end(battle)
    assert score(battle) == each
    empty = acting(card, unit(1, OC=0).at(22, 29))
    assert list(startable(empty.scene, empty.state, Side(0))) == [], "OC 0 starts no action"


@pytest.mark.rule("11e.core.primary.vital-link")
def test_maintain_control():
    battle = acting("vital-link", [AT_CENTRAL, AT_EAST])
    assert [targets(battle, "maintain-control", each) for each in range(2)] == [["objective:central"], []]
    do(battle, "maintain-control")
    end(battle)
    assert battle.state.book.marks == (Mark(0, "marker", "objective:central"),)
    assert score(battle) == 2 + 1


SWEPT = tuple(Mark(0, "operation", f"area:{number}") for number in (1, 2))


@pytest.mark.rule("11e.core.primary.locate-and-deny", "11e.core.primary.extract-relic")
@pytest.mark.parametrize(("card", "owner"), [("locate-and-deny", 0), ("extract-relic", 1)])
def test_sensor_sweep(card: str, owner: int):
    marks = tuple(replace(mark, side=owner) for mark in SWEPT)
    battle = acting(card, [AT_CENTRAL, AT_EAST], marks=marks)
    assert [targets(battle, "sensor-sweep", each) for each in range(2)] == [["objective:central"], []]
    do(battle, "sensor-sweep")
    end(battle, "area:2")
    assert battle.state.book.marks == marks[:1]
    assert score(battle) == (4 if card == "extract-relic" else 0)
    last = acting(card, AT_CENTRAL, marks=marks[:1])
    assert targets(last, "sensor-sweep") == [], "not the last"
    others = acting(card, AT_CENTRAL, marks=tuple(replace(mark, side=1 - owner) for mark in SWEPT))
    assert targets(others, "sensor-sweep") == []
    late = acting(card, AT_CENTRAL, marks=marks)
    do(late, "sensor-sweep")
    late.state.book = replace(late.state.book, marks=marks[:1])
    end(late)
    assert late.state.book.marks == marks[:1], "only one is left by then"


# -- in terrain areas -------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.primary.death-trap")
def test_booby_trap():
    at = [unit(1).at(10, 35), unit(1).at(34, 25), unit(1).at(5, 6), AT_EAST, AT_HOME, unit(1).at(34, 22.5)]
    battle = acting("death-trap", at)
    found = [targets(battle, "booby-trap", each) for each in range(6)]
    assert found == [["area:1"], ["area:2"], [], ["objective:east"], [], ["area:2", "area:4"]]
    do(battle, "booby-trap")
    assert battle.state.book.marks == (Mark(0, "trapped", "area:1"),), "at once"
    do(battle, "booby-trap", unit_index=3)
    do(battle, "booby-trap", "area:4", unit_index=5)
    assert targets(battle, "booby-trap", 1) == ["area:2"]
    assert score(battle) == 2 + 2 + 3 + 2
    again = acting("death-trap", at, marks=battle.state.book.marks)
    assert targets(again, "booby-trap", 5) == ["area:2"], "trapped already"


@pytest.mark.rule("11e.core.primary.vanguard-operation")
def test_vanguard_operation():
    crossed, theirs, mine = unit(1).at(10, 33), unit(1).at(10, 45), unit(1).at(34, 25)
    battle = acting("vanguard-operation", [crossed, theirs, mine])
    assert [targets(battle, "vanguard-operation", each) for each in range(3)] == [["area:1"], ["area:3"], []]
    do(battle, "vanguard-operation", unit_index=1)
    end(battle)
    assert score(battle) == 4
    held = acting("vanguard-operation", theirs, unit(1).at(8, 47))
    do(held, "vanguard-operation")
    end(held)
    assert score(held) == 0
    assert [event.why for event in events_of(held, ActionFailed)] == ["condition not met"]


@pytest.mark.rule("11e.core.secondary.plunder")
def test_plunder():
    at = [unit(1).at(10, 45), unit(1).at(34, 25), unit(1).at(10, 35)]
    battle = acting("meatgrinder", at, active=(("plunder",), ()))
    assert [targets(battle, "plunder", each) for each in range(3)] == [["area:3"], [], ["area:1"]]
    do(battle, "plunder")
    assert battle.state.actions_completed == ((0, "plunder", "area:3"),)
    assert targets(battle, "plunder", 2) == [], "once a turn"
    assert targets(acting("meatgrinder", at), "plunder") == [], "the card is not active"


@pytest.mark.rule("11e.core.secondary.cleanse", "11e.core.14-controlling-unit")
def test_cleanse():
    battle = acting("meatgrinder", [AT_CENTRAL, AT_EAST, AT_HOME], held=[CENTRAL], active=(("cleanse",), ()))
    assert [targets(battle, "cleanse", each) for each in range(3)] == [["objective:central"], ["objective:east"], []]
    do(battle, "cleanse")
    do(battle, "cleanse", unit_index=1)
    end(battle)
    assert battle.state.actions_completed == ((0, "cleanse", "objective:central"),)
    assert [event.action for event in events_of(battle, ActionCompleted)] == ["Cleanse"]


# -- units ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.primary.surveil-the-foe")
def test_surveil():
    near, far = unit(1).at(22, 40), unit(1).at(22, 55)
    battle = acting("surveil-the-foe", [AT_CENTRAL, unit(1).at(26, 29)], [near, far], battle_round=1)
    assert targets(battle, "surveil") == ["b.1"]
    do(battle, "surveil")
    assert targets(battle, "surveil", 1) == [], "surveilled in this turn"
    assert score(battle) == 4


def test_actions_are_started_in_the_shooting_phase_and_complete_before_the_mission_scores():
    battle = acting("secure-asset", [AT_CENTRAL, unit(1).at(2, 2)])
    keys = [option.key for option in battle.options()]
    assert "a.1:secure-asset" in keys
    battle.answer("a.1:secure-asset")
    asked = []
    while battle.decision is not None and battle.state.turn == 0:
        asked.append(battle.decision.kind)
        battle.answer(battle.decision.default())
    assert battle.state.primary[0] >= 4
    assert battle.state.vp[0] == 4, "the action; the battle is in round 2, after the Command phase"
    assert {action.completes for action in ACTIONS} == set(Completes)


def test_a_default_is_offered_for_every_choice_of_an_action():
    battle = acting("death-trap", unit(1).at(34, 22.5))
    _, asked = run_asking(start_action(battle, 0, action_of(battle.scene, "booby-trap")))
    assert [option.key for option in asked[0].options()] == ["area:2", "area:4"]
