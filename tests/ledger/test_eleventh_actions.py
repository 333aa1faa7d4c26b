"""Actions (16): who may start one, what it costs, what breaks it off, when it completes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core.battle import Procedure
from battlewright.core.events import PhaseBegan
from battlewright.editions.eleventh import acting, missions
from battlewright.editions.eleventh.actions import Action, Completes, UseLimit
from battlewright.editions.eleventh.charge import may_declare_charge
from battlewright.editions.eleventh.command import battle_shock_roll
from battlewright.editions.eleventh.events import ActionCompleted, ActionFailed, ActionStarted
from battlewright.editions.eleventh.movement import normal_space
from battlewright.editions.eleventh.moves import carry_out
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.shooting import is_eligible_to_shoot
from battlewright.editions.eleventh.state import MoveKind, Phase
from support.combat import events_of, run
from support.eleventh import UnitSpec, decision, scene, shift, unit, weapon

RIFLE = weapon("Rifle")
BYSTANDER = unit(1, weapons=(RIFLE,), name="Bystander", OC=0).at(2, 2)
"""Keeps the battle waiting; it can shoot and start no action."""
RULE = "11e.core.16-parts"


def seen(battle: Battle11, unit: int, target: str) -> Procedure[None]:
    """An effect that can be read off the state."""
    battle.state.vp = (battle.state.vp[0] + 1, battle.state.vp[1])
    yield from ()


def cleanse(**changes: Any) -> Action:
    action = Action("cleanse", "Cleanse", RULE, lambda scene, state, side: side == 0, seen)
    return replace(action, **changes)


@pytest.fixture
def with_action(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Battle11]:
    """Makes a battle in the Shooting phase of side a, whose mission has an action."""

    def make(
        *mine: UnitSpec, action: Action | None = None, theirs: UnitSpec | tuple[()] = (), **flags: Any
    ) -> Battle11:
        mission = replace(missions.MISSIONS["battlefield-dominance"], actions=(action or cleanse(),))
        monkeypatch.setitem(missions.MISSIONS, "battlefield-dominance", mission)  # type: ignore[arg-type]
        return scene([*mine, BYSTANDER], theirs, phase=flags.pop("phase", Phase.SHOOTING), **flags)

    return make


def squad(*keywords: str, **characteristics: object) -> UnitSpec:
    return unit(2, *(keywords or ("INFANTRY",)), weapons=(RIFLE,), **characteristics).at(10, 10)


def may_start(battle: Battle11) -> bool:
    return acting.may_start_actions(battle.scene, battle.state, 0)


def to_the_end_of_the_turn(battle: Battle11) -> None:
    turns = battle.state.turns
    while battle.decision is not None and battle.state.turns == turns:
        battle.answer("end" if "end" in [option.key for option in battle.options()] else battle.decision.default())


# -- who may ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.16-eligible", "11e.core.01.07-shocked-no-actions")
@pytest.mark.parametrize(
    "flags",
    [
        {"battle_shocked": True},
        {"advanced": True},
        {"fell_back": True},
        {"started_action": True},
        {"selected_to_shoot": True},
        {"snap_shot": True},
    ],
)
def test_what_a_unit_did_or_suffered_keeps_it_from_starting_an_action(with_action, flags: dict[str, bool]):
    assert may_start(with_action(squad()))
    assert not may_start(with_action(squad().having(**flags)))


@pytest.mark.rule("11e.core.16-eligible")
def test_units_off_the_battlefield_aircraft_fortifications_and_units_without_oc_start_no_action(with_action):
    assert not may_start(with_action(unit(2)))
    assert not may_start(with_action(squad("VEHICLE", "AIRCRAFT")))
    assert not may_start(with_action(squad("FORTIFICATION")))
    assert not may_start(with_action(squad(OC=0)))
    assert not may_start(with_action(squad(OC="-")))


@pytest.mark.rule("11e.core.16-eligible")
def test_an_engaged_unit_starts_no_action_unless_it_is_titanic(with_action):
    foe = unit(1).at(10, 12)
    assert not may_start(with_action(squad(), theirs=foe))
    assert may_start(with_action(squad("VEHICLE", "TITANIC"), theirs=foe))


@pytest.mark.rule("11e.core.16-core-actions")
def test_there_are_no_actions_but_those_of_the_mission():
    battle = scene(squad(), phase=Phase.SHOOTING)
    assert list(acting.startable(battle.scene, battle.state, battle.state.turn)) == []
    assert [option.key for option in battle.options()] == ["a.1", "end"]


# -- starting ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.16-parts", "11e.core.16-restrictions", "11e.core.10-fell-back-or-acting")
def test_a_unit_that_started_an_action_neither_shoots_nor_charges_that_turn(with_action):
    battle = with_action(squad(), unit(1, weapons=(RIFLE,)).at(30, 10), theirs=unit(1).at(12, 18))
    assert [option.key for option in battle.options()] == ["a.1", "a.2", "a.3", "a.1:cleanse", "a.2:cleanse", "end"]
    battle.answer("a.1:cleanse")
    assert [(e.unit, e.action, e.target) for e in events_of(battle, ActionStarted)] == [("a.1", "Cleanse", "")]
    assert [option.key for option in battle.options()] == ["a.2", "a.3", "end"], "once a turn"
    assert not is_eligible_to_shoot(battle.scene, battle.state, 0)
    assert not may_declare_charge(battle.scene, battle.state, 0)
    battle.state.units[0].started_action = False
    assert may_declare_charge(battle.scene, battle.state, 0)


@pytest.mark.rule("11e.core.16-restrictions")
def test_a_titanic_unit_shoots_although_it_acts_but_does_not_charge(with_action):
    battle = with_action(squad("VEHICLE", "TITANIC"), theirs=unit(1).at(12, 18))
    battle.answer("a.1:cleanse")
    assert is_eligible_to_shoot(battle.scene, battle.state, 0)
    assert not may_declare_charge(battle.scene, battle.state, 0)


@pytest.mark.rule("11e.core.16-parts")
def test_an_action_of_which_each_use_needs_another_target(with_action):
    action = cleanse(
        limit=UseLimit.ONCE_A_TURN_EACH_TARGET, targets=lambda scene, state, unit: ("east", "west") if unit < 2 else ()
    )
    battle = with_action(squad(), squad().at(20, 10), squad().at(30, 10), action=action)
    assert [o.key for o in battle.options() if ":" in o.key] == ["a.1:cleanse", "a.2:cleanse"]
    battle.answer("a.1:cleanse")
    assert decision(battle).kind == "select-action-target"
    assert [option.key for option in battle.options()] == ["east", "west"]
    battle.answer("west")
    battle.answer("a.2:cleanse")
    assert battle.state.actions_started == (("cleanse", "west"), ("cleanse", "east")), "only one target is left"


@pytest.mark.rule("11e.core.16-parts")
def test_an_action_that_completes_at_once_and_has_no_limit(with_action):
    action = cleanse(limit=UseLimit.UNLIMITED, completes=Completes.AT_ONCE)
    battle = with_action(squad(), squad().at(20, 10), action=action)
    battle.answer("a.1:cleanse")
    assert battle.state.vp == (1, 0)
    battle.answer("a.2:cleanse")
    assert battle.state.vp == (2, 0)
    assert battle.state.actions_completed == ((0, "cleanse", ""), (1, "cleanse", ""))


# -- failing and completing -------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.16-parts")
@pytest.mark.parametrize("holds", [True, False])
def test_at_the_end_of_the_turn_it_completes_if_its_condition_holds(with_action, holds: bool):
    battle = with_action(squad(), action=cleanse(condition=lambda scene, state, unit, target: holds))
    battle.answer("a.1:cleanse")
    assert battle.state.vp == (0, 0)
    to_the_end_of_the_turn(battle)
    assert battle.state.vp == (int(holds), 0)
    assert len(events_of(battle, ActionCompleted)) == int(holds)
    assert [e.why for e in events_of(battle, ActionFailed)] == ([] if holds else ["condition not met"])
    told = list(battle.events)
    done = next(i for i, event in enumerate(told) if isinstance(event, ActionCompleted | ActionFailed))
    last = next(e for e in reversed(told[:done]) if isinstance(e, PhaseBegan))
    assert last.name == Phase.END_OF_TURN


@pytest.mark.rule("11e.core.16-failure")
def test_it_fails_when_the_unit_moves_but_not_when_it_piles_in(with_action):
    battle = with_action(squad())
    battle.answer("a.1:cleanse")
    before = battle.state.units[0].action
    carry_out(battle, 0, shift(battle, 0, 1, 0), MoveKind.PILE_IN)
    carry_out(battle, 0, shift(battle, 0, 1, 0), MoveKind.CONSOLIDATE)
    assert battle.state.units[0].action == before == "cleanse"
    placement = shift(battle, 0, 1, 0)
    assert normal_space(battle.scene, battle.state, 0, dict.fromkeys((0, 1), 6000)).check(placement) == []
    carry_out(battle, 0, placement, MoveKind.NORMAL)
    assert battle.state.units[0].action == ""
    assert [e.why for e in events_of(battle, ActionFailed)] == ["moved"]
    assert battle.state.units[0].started_action, "it has started one all the same"


@pytest.mark.rule("11e.core.16-failure", "11e.core.01.07-shocked-no-actions")
def test_it_fails_when_the_unit_becomes_battle_shocked(with_action):
    battle = with_action(squad(), dice=[("battle-shock", (1, 1))])
    battle.answer("a.1:cleanse")
    battle_shock_roll(battle, 0)
    assert [e.why for e in events_of(battle, ActionFailed)] == ["battle-shocked"]
    run(acting.complete_actions(battle))
    assert battle.state.vp == (0, 0)


@pytest.mark.rule("11e.core.16-failure")
def test_it_fails_when_the_unit_is_not_on_the_battlefield_any_more(with_action):
    battle = with_action(squad())
    battle.answer("a.1:cleanse")
    for row in battle.state.units[0].models:
        battle.state.on_table[row] = False
    to_the_end_of_the_turn(battle)
    assert battle.state.vp == (0, 0)
    assert [e.why for e in events_of(battle, ActionFailed)] == ["cannot complete"]
