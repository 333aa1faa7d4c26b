"""The player of the classic editions: what it answers, and that it beats one who draws its moves."""

from __future__ import annotations

import pytest

from battlewright.armies import load_army
from battlewright.core.decisions import SIDES, ModelMove, Pick, Place
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

    def test_who_guesses_ranges_fires_before_others_measure(self) -> None:
        mortar = printed_weapon("Mortar", "HEAVY 1", "GUESS", "BARRAGE", "BLAST", R='48"', S=4, AP=6)
        squads = [unit(5, weapons=[RIFLE]).at(10, 14), unit(3, weapons=[mortar]).at(20, 8)]
        battle = scene(squads, unit(5, Sv="6+").at(12, 30), phase=Phase.SHOOTING)
        assert answered(battle) == Pick("a.2")

    def test_a_tank_fires_what_reaches(self) -> None:
        bolter = printed_weapon("Heavy bolter", "HEAVY 3", "TURRET", R='36"', S=5, AP=4)
        cannon = printed_weapon("Battle cannon", "ORDNANCE 1", "BLAST", "TURRET", R='72"', S=8, AP=3)
        tank = unit(1, "VEHICLE", "TANK", base="hull 4x3in", weapons=[bolter, cannon]).at(10, 10)
        battle = scene(tank, unit(5).at(60, 10), phase=Phase.SHOOTING)
        battle.answer("a.1")
        battle.answer("b.1")
        assert battle.decision is not None
        labels = {option.key: option.label for option in battle.decision.options()}
        picked = answered(battle)
        assert isinstance(picked, Pick)
        assert labels[picked.option].startswith("Battle cannon")

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

    def test_a_flyer_flies_over_the_table_to_face_whom_it_can_hurt(self) -> None:
        flyer = unit(1, "VEHICLE", "FLYER", base="hull 6x5in flying", HP="3", weapons=[CANNON]).at(20, 10, facing=90.0)
        battle = scene([flyer.having(aloft=True), unit(1).at(2, 2)], unit(3).at(50, 10), edition="6")
        battle.answer("a.1")
        move = answered(battle)
        assert isinstance(move, Place)
        x, y, _, facing = move.moves[0].path[-1]
        assert 0 < x < 72_000
        assert 0 < y < 48_000
        assert facing in (0, 345_000, 330_000), "it turns towards the enemy in the east"

    def test_a_bomb_falls_where_most_of_the_enemy_stands(self) -> None:
        bomb = printed_weapon("Bomb", "BOMB", "LARGE BLAST", R='0"', S=6, AP=4)
        flyer = unit(1, "VEHICLE", "FLYER", base="hull 6x5in flying", HP="3", weapons=[bomb]).at(10, 20)
        crowd = unit(5).at(24, 20, apart=1.2)
        battle = scene(
            [flyer.having(aloft=True), unit(1).at(2, 2)], [unit(1, points=10).at(18, 20), crowd], edition="6"
        )
        battle.answer("a.1")
        battle.answer(Place((ModelMove(0, ((40_000, 20_000, 0, 0),)),)))
        picked = answered(battle)
        assert isinstance(picked, Pick)
        assert int(picked.option.rpartition(":")[2]) in range(4, 8), "amid the crowd, not on the one by himself"

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


class TestSmash:
    @pytest.mark.parametrize(("foe", "wanted"), [("VEHICLE", "smash:0"), ("INFANTRY", "weapon:0")])
    def test_it_halves_its_attacks_where_harder_ones_do_more(self, foe: str, wanted: str) -> None:
        monster = unit(1, "MONSTROUS CREATURE", name="Monster", A=4, S=6, WS=6, W=4, base="60mm")
        walker = unit(1, "VEHICLE", "WALKER", AV="13/12/12", HP=3, WS=4, S=6, I=1, A=2, base="60mm")
        troops = unit(6, T=3, Sv="6+", W=1)
        other = walker.at(10, 22.363) if foe == "VEHICLE" else troops.at(8, 21.673, apart=1.0)
        battle = scene(monster.at(10, 20), other, phase=Phase.ASSAULT, edition="6")
        while battle.decision is not None and battle.decision.kind != "select-close-combat-weapon":
            battle.answer(battle.decision.default())
        assert answered(battle) == Pick(wanted)
