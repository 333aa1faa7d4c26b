"""Game turns, player turns and phases of a classic battle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.core.battle import Battle, Procedure, resumable
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.events import PhaseBegan
from battlewright.core.header import Header
from battlewright.editions.classic.scene import ClassicBattle, Scene, make_scene, make_state
from battlewright.editions.classic.sequence import PhaseRule
from battlewright.editions.classic.state import ClassicState, Deed, Phase
from battlewright.editions.third.missions import MISSIONS
from battlewright.editions.third.rules import ThirdRules
from battlewright.editions.third.table import THIRD
from support.classic import scene, unit


@resumable
def _ask(battle: ClassicBattle) -> Procedure[None]:
    """A phase in which the player whose turn it is passes twice."""
    while battle.state.step < 2:
        rule = "3e.terms.phases"
        yield Decision(
            battle.state.turn, "pass", "Pass", rule, Options([Option("pass", "pass")], rule=rule), is_checkpoint=True
        )
        battle.state.step += 1


@resumable
def _at_once(battle: ClassicBattle) -> Procedure[None]:
    """Setting up where everybody stands already."""
    yield from ()


class _Asking(ThirdRules):
    def set_up(self, header: Header) -> tuple[Scene, ClassicState]:
        phases = tuple(PhaseRule(each.name, _ask, each.rule) for each in THIRD.phases)
        bare, _ = super().set_up(header)
        found = make_scene(
            header,
            bare.battlefield,
            replace(MISSIONS["patrol"], turns=2),
            bare.options,
            replace(bare.rules, phases=phases, set_up=_at_once),
        )
        return found, make_state(found)


def asking() -> ClassicBattle:
    return Battle(scene(unit(5).at(10, 10), unit(5).at(10, 30)).header, _Asking())


@pytest.mark.rule("3e.terms.phases", "3e.terms.round", "3e.core.turn.sequence", "3e.core.turn.game-length")
def test_each_player_has_a_turn_of_three_phases_in_every_round() -> None:
    battle = asking()
    while battle.decision is not None:
        battle.answer("pass")
    began = [(event.round, event.turn, event.name) for event in battle.events if isinstance(event, PhaseBegan)]
    phases = ["start-of-turn", "movement", "shooting", "assault"]
    assert began == [(game_turn, side, phase) for game_turn in (1, 2) for side in (0, 1) for phase in phases]
    assert battle.result is not None
    assert ThirdRules().switchboard.mission("Patrol").turns == 6


def test_the_battle_can_be_copied_at_every_decision() -> None:
    battle = asking()
    for _ in range(20):
        copy = battle.fork()
        for each in (battle, copy):
            each.answer("pass")
        assert copy.checksum() == battle.checksum()
        assert (copy.state.phase, copy.state.turn) == (battle.state.phase, battle.state.turn)


def test_what_belongs_to_a_turn_or_a_phase_is_forgotten() -> None:
    battle = asking()
    mine = battle.state.units[0]
    mine.moved, mine.acted = True, True
    mine.did(Deed.FIRED, Deed.TRIED_TO_RALLY)
    for _ in range(2):
        battle.answer("pass")
    assert battle.state.phase == Phase.MOVEMENT
    assert not battle.state.units[0].acted
    assert battle.state.units[0].has(Deed.FIRED)
    assert not battle.state.units[0].has(Deed.TRIED_TO_RALLY)
    for _ in range(6):
        battle.answer("pass")
    assert battle.state.turn == 1
    assert not battle.state.units[0].deeds
    assert battle.state.units[0].moved_last
    assert not battle.state.units[0].moved
    for _ in range(8):
        battle.answer("pass")
    assert battle.state.turn == 0
    assert battle.state.units[0].moved_last


def test_a_scene_holds_profiles_and_the_table() -> None:
    battle = scene([unit(5, name="Boyz", T=4, points=50).at(10, 10), unit(1, "VEHICLE", name="Trukk")], unit(2))
    boy = battle.scene.models[0]
    assert (boy.name, boy.profile.toughness, boy.points) == ("Boyz", 4, 10.0)
    assert battle.scene.rules == THIRD
    assert battle.scene.by_id["a.2"] == 1
    assert battle.scene.models[5].profile.is_vehicle
    assert battle.state.on_table.tolist() == [True] * 5 + [False] * 3
