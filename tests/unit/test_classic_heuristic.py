"""The player of the classic editions: what it answers, and that it beats one who draws its moves."""

from __future__ import annotations

import pytest

from battlewright.armies import load_army
from battlewright.core.decisions import SIDES, Pick, Place
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Phase
from battlewright.players import RandomPlayer, make_player
from battlewright.players.classic import ClassicHeuristic
from battlewright.start import Battle
from support.classic import printed_weapon, scene, unit

A, B = SIDES


def answered(battle: ClassicBattle) -> object:
    assert battle.decision is not None
    answer = ClassicHeuristic().decide(battle.seat(battle.decision.side))
    assert not battle.check(answer)
    return answer


RIFLE = printed_weapon("Rifle", "RAPID FIRE")
CANNON = printed_weapon("Cannon", "HEAVY 2", R='48"', S=8, AP=2)


class TestAnswers:
    def test_it_shoots_at_whom_it_hurts_most(self) -> None:
        easy, hard = unit(5, Sv="6+").at(10, 30), unit(5, Sv="2+", T="6").at(16, 30)
        battle = scene(unit(5, weapons=[RIFLE]).at(10, 14), [hard, easy], phase=Phase.SHOOTING)
        battle.answer("a.1")
        assert answered(battle) == Pick("b.2")

    def test_it_does_not_assault_whom_it_cannot_beat(self) -> None:
        weak, strong = unit(2, WS="2", S="2").at(10, 10), unit(10, WS="6", S="6", A="3", Sv="2+").at(10, 14)
        battle = scene(weak, strong, phase=Phase.ASSAULT)
        assert answered(battle) == Pick("end")

    def test_it_assaults_whom_it_beats(self) -> None:
        strong, weak = unit(10, WS="6", S="6", A="3", Sv="2+").at(10, 10), unit(2, WS="2", S="2", Sv="-").at(10, 14)
        battle = scene(strong, weak, phase=Phase.ASSAULT)
        assert answered(battle) == Pick("a.1")
        battle.answer("a.1")
        assert answered(battle) == Pick("b.1")

    def test_who_only_fights_goes_for_the_enemy(self) -> None:
        battle = scene(unit(3, WS="6", S="6", A="3").at(10, 10), unit(3, Sv="-").at(10, 30), phase=Phase.MOVEMENT)
        battle.answer(answered(battle))
        move = answered(battle)
        assert isinstance(move, Place)
        assert all(each.path[-1][1] > 14.0 for each in move.moves)

    def test_who_has_a_target_for_heavy_weapons_stays(self) -> None:
        guns = unit(3, weapons=[CANNON]).at(10, 10)
        assert answered(scene(guns, unit(5).at(10, 40), phase=Phase.MOVEMENT)) == Pick("end")


@pytest.mark.parametrize("edition", ["3", "4"])
def test_it_beats_a_player_that_draws_its_moves(edition: str) -> None:
    name = {"3": "third-marines-500", "4": "fourth-guard-500"}[edition]
    won = 0
    for seed in range(6):
        side = SIDES[seed % 2]
        armies = (load_army(name, edition), load_army(name, edition))
        battle = Battle.start(armies, edition, seed=seed)
        players = [RandomPlayer(seed), RandomPlayer(seed)]
        planned = make_player("heuristic", edition)
        while battle.decision is not None:
            player = planned if battle.decision.side == side else players[battle.decision.side]
            battle.answer(player.decide(battle.seat(battle.decision.side)))
        assert battle.result is not None
        won += battle.result.winner == side
    assert won >= 4
