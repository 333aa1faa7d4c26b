"""Missions of the 4th edition: what each counts, what its level adds, victory points, reserves, night."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.armies import load_army
from battlewright.core.decisions import SIDES
from battlewright.editions.classic.cleanse import quarters_held
from battlewright.editions.classic.force_chart import chart_faults, choices
from battlewright.editions.classic.missions import winner
from battlewright.editions.classic.procedures.counting import (
    counters_held,
    end_of_battle,
    in_enemy_zone,
    lines_of,
    near_the_centre,
    scoring_left,
)
from battlewright.editions.classic.procedures.reserves import roll_for_reserves
from battlewright.editions.classic.procedures.setting_out import places_for_a_counter
from battlewright.editions.classic.scoring import Remains
from battlewright.editions.classic.state import Phase
from battlewright.editions.edition import find_edition
from battlewright.editions.fourth.missions import (
    MISSION_RULES,
    MISSIONS,
    comes_late,
    concealed,
    dusk_and_dawn,
    roll_mission,
    rolled_mission,
    scores,
)
from battlewright.start import Battle
from support.classic import rolling, scene, unit

A, B = SIDES


def battle(*specs: Any, mission: str = "take-and-hold", **how: Any) -> Any:
    return scene(*specs, edition="4", mission=mission, **how)


class TestChoosing:
    @pytest.mark.rule("4e.core.missions.mission-roll")
    def test_a_mission_may_be_rolled_for(self) -> None:
        def rolled(**faces: int) -> tuple[str, str | None]:
            return roll_mission(lambda what: faces[what.replace(" ", "_")])

        assert rolled(mission=1, level=2) == ("cleanse", None)
        assert rolled(mission=4, level=3) == ("recon-gamma", None)
        assert rolled(mission=6, mission_1=6, mission_2=5, level=6) == ("take-and-hold-omega", None)
        board = find_edition("4").switchboard()
        assert "rolled" in board.mission_words()
        found = {board.arrange("rolled", None, (), seed)[0] for seed in range(400)}
        assert found == set(MISSIONS)

    @pytest.mark.rule("4e.core.missions.mission-roll", "4e.core.missions.levels")
    def test_two_dice_give_the_mission_and_its_level(self) -> None:
        assert [rolled_mission(kind, 1) for kind in range(1, 6)] == [
            "cleanse",
            "secure-and-control",
            "seek-and-destroy",
            "recon",
            "take-and-hold",
        ]
        assert rolled_mission(6, 3, "recon") == "recon-gamma"
        assert rolled_mission(1, 6) == "cleanse-omega"
        alpha, gamma, omega = (MISSIONS[f"recon{level}"] for level in ("", "-gamma", "-omega"))
        assert (alpha.infiltrators, gamma.infiltrators) == (False, True)
        assert (alpha.night, gamma.night) == (False, True)
        assert omega.late is comes_late
        assert (gamma.turns, omega.turns) == (6, 7)

    @pytest.mark.rule("4e.core.missions.levels")
    def test_escalation_keeps_all_but_men_on_foot_in_reserve(self) -> None:
        found = battle([unit(5), unit(1, "VEHICLE", "TANK"), unit(3, "BIKE"), unit(3, "BIKE", "SCOUTS")], unit(1)).scene
        assert [comes_late(found, number) for number in range(4)] == [False, True, True, False]

    @pytest.mark.rule("4e.core.missions.levels")
    def test_an_omega_battle_rolls_for_a_sixth_and_a_seventh_turn(self) -> None:
        goes_on = MISSIONS["recon-omega"].goes_on
        assert goes_on(rolling(round=4))
        assert (goes_on(rolling(2, round=5)), goes_on(rolling(3, round=5))) == (False, True)
        assert (goes_on(rolling(3, round=6)), goes_on(rolling(4, round=6))) == (False, True)
        assert not goes_on(rolling(round=7))

    @pytest.mark.rule("4e.core.missions.force-chart")
    def test_an_army_needs_an_hq_and_two_troops(self) -> None:
        chart = MISSION_RULES.chart_of("standard")
        army = [[{"HQ"}], [{"TROOPS"}], [{"TROOPS"}]]
        assert not chart_faults(chart, choices(army))
        assert len(chart_faults(chart, choices(army[1:2]))) == 2

    @pytest.mark.rule("4e.core.missions.deployment")
    def test_the_winner_of_a_roll_off_says_who_is_first(self) -> None:
        army = load_army("fourth-guard-500", "4")
        played = Battle.start((army, army), "4", seed=5)
        while played.decision is not None and played.decision.kind != "choose-first-turn":
            played.answer(played.decision.default())
        assert played.decision is not None
        side = played.decision.side
        played.answer("second")
        assert played.state.turn != side


class TestWhatCounts:
    @pytest.mark.rule("4e.core.missions.take-and-hold", "4e.core.missions.scoring-unit")
    def test_scoring_units_within_a_foot_of_the_centre_count(self) -> None:
        mine = [unit(1).at(36, 14), unit(1).at(36, 8), unit(1).at(30, 24)]
        found = battle(mine, unit(4).at(40, 24))
        assert near_the_centre(found.scene, found.state) == (2, 1)
        found.state.units[2].falling_back = True
        found.state.wounds[[3, 4, 5]] = 0
        assert near_the_centre(found.scene, found.state) == (1, 0)

    @pytest.mark.rule("4e.core.missions.scoring-unit")
    def test_half_of_the_models_are_enough_and_wheels_have_to_turn(self) -> None:
        found = battle([unit(4).at(10, 10), unit(1, "VEHICLE").at(20, 10)], unit(1).at(10, 40))
        assert scores(found.scene, found.state, 0)
        found.state.wounds[[0, 1]] = 0
        assert scores(found.scene, found.state, 0)
        found.state.wounds[2] = 0
        assert not scores(found.scene, found.state, 0)
        assert scores(found.scene, found.state, 1)
        found.state.units[1].immobilised = frozenset({4})
        assert not scores(found.scene, found.state, 1)

    @pytest.mark.rule("4e.core.missions.secure-and-control")
    def test_a_counter_is_held_within_six_inches_with_no_enemy_as_near(self) -> None:
        found = battle([unit(1).at(20, 24), unit(1).at(50, 24)], unit(1).at(50, 29))
        found.state.objectives = ((20000, 30000), (50000, 25000), (10000, 10000))
        assert counters_held(found.scene, found.state) == (1, 0)
        places = places_for_a_counter([(36.0, 24.0)], 72.0, 48.0, edge=12.0, apart=12.0)
        assert (36.0, 24.0) not in places
        assert (24.0, 24.0) in places
        assert all(12.0 <= x <= 60.0 and 12.0 <= y <= 36.0 for x, y in places)

    @pytest.mark.rule("4e.core.missions.recon")
    def test_scoring_units_in_the_enemys_zone_count(self) -> None:
        found = battle([unit(1).at(20, 40), unit(1).at(20, 30)], [unit(1).at(50, 5), unit(2).at(60, 5)])
        assert in_enemy_zone(found.scene, found.state) == (1, 2)

    @pytest.mark.rule("4e.core.missions.seek-and-destroy")
    def test_more_scoring_units_left_win(self) -> None:
        found = battle([unit(1).at(20, 40), unit(1).at(20, 30)], unit(1).at(50, 5), mission="seek-and-destroy")
        assert scoring_left(found.scene, found.state) == (2, 1)
        end_of_battle(found)
        assert winner(found.scene, found.state) == A
        assert MISSIONS["seek-and-destroy"].apart == 24.0

    @pytest.mark.rule("4e.core.missions.cleanse")
    def test_quarters_with_a_scoring_unit_and_no_enemy_one_count(self) -> None:
        assert quarters_held([(A, 0), (A, 1), (B, 1), (B, 3)]) == (1, 1)
        found = battle([unit(1).at(20, 10), unit(1).at(60, 10)], unit(1).at(20, 40), mission="cleanse")
        end_of_battle(found)
        assert found.state.vp == (2, 1)
        assert winner(found.scene, found.state) == A


class TestPoints:
    @pytest.mark.rule("4e.core.missions.victory-points")
    def test_destroyed_is_worth_all_and_below_half_is_worth_half(self) -> None:
        worth = MISSION_RULES.worth_of_losses
        assert worth(Remains(points=101, left=0, begun=10)) == 101
        assert worth(Remains(points=100, left=5, begun=10)) == 0
        assert worth(Remains(points=101, left=4, begun=10)) == 50
        assert worth(Remains(points=120, left=1, begun=1, vehicle=True, immobilised=True)) == 60

    @pytest.mark.rule("4e.core.missions.victory-points", "4e.core.missions.levels")
    def test_a_lead_of_less_than_a_tenth_is_a_draw_at_the_higher_levels(self) -> None:
        found = battle(unit(1, points=1000).at(20, 10), unit(1, points=1000).at(20, 40), mission="recon-gamma")
        found.state.vp = (300, 205)
        assert winner(found.scene, found.state) is None
        found.state.vp = (300, 200)
        assert winner(found.scene, found.state) == A
        lines = lines_of(found.scene, found.state, A)
        assert [line.what for line in lines] == ["enemy losses", "units in the enemy's zone, 0"]


class TestNight:
    @pytest.mark.rule("4e.core.missions.dusk-and-dawn")
    def test_a_roll_says_whether_it_is_night_first_or_late(self) -> None:
        early, late = rolling(4, round=1, nights=""), rolling(3, round=1, nights="")
        assert (dusk_and_dawn(early), dusk_and_dawn(late)) == (True, False)
        early.state.round = late.state.round = 5
        assert (dusk_and_dawn(early), dusk_and_dawn(late)) == (False, True)

    @pytest.mark.rule("4e.core.missions.concealment")
    def test_concealment_makes_the_first_turn_dark(self) -> None:
        late = rolling(3, round=1, nights="")
        assert concealed(late)
        late.state.round = 2
        assert not concealed(late)

    @pytest.mark.rule("4e.core.missions.reserves")
    def test_reserves_come_on_four_three_and_two(self) -> None:
        arrives_on = find_edition("4").part("table").movement.arrivals.arrives_on
        assert [arrives_on(turn) for turn in (1, 2, 3, 4, 5)] == [None, 4, 3, 2, 2]
        found = battle(unit(1).at(5, 5), unit(1).at(5, 40), phase=Phase.MOVEMENT, dice=[("reserves", (4,))])
        found.state.units[0].in_reserves = True
        roll_for_reserves(found)
        assert found.state.units[0].arriving
