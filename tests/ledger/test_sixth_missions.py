"""Missions of the 6th edition: maps, objectives, points, length, night, reserves."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.core.bases import to_inches
from battlewright.core.decisions import SIDES
from battlewright.editions.classic.force_chart import Slot, chart_faults
from battlewright.editions.classic.missions import winner
from battlewright.editions.classic.procedures.counting import counters_held, lines_of
from battlewright.editions.classic.procedures.events import ForceChecked
from battlewright.editions.classic.procedures.setting_out import places_for_a_counter
from battlewright.editions.classic.state import NOWHERE, Phase
from battlewright.editions.edition import find_edition
from battlewright.editions.sixth.missions import (
    CHARTS,
    MAPS,
    MISSIONS,
    carry_the_relic,
    chart_of,
    denies,
    detachments,
    map_of,
    most_in_reserve,
    night_on_four,
    roll_mission,
    scores,
    seize,
    warlord_of,
    winner_deploys_first_or_second,
)
from support.classic import rolling, scene, unit

A, B = SIDES


def battle(*specs: Any, mission: str = "crusade", **how: Any) -> Any:
    return scene(*specs, edition="6", mission=mission, **how)


def points(found: Any, side: int) -> dict[str, int]:
    return {line.what.split(",")[0]: line.points for line in lines_of(found.scene, found.state, SIDES[side])}


class TestArmies:
    @pytest.mark.rule("6e.core.missions.force-chart")
    def test_charts_of_detachments(self) -> None:
        assert not chart_faults(chart_of("primary"), {Slot.HQ: 1, Slot.TROOPS: 2})
        assert len(chart_faults(chart_of("allied"), {Slot.HQ: 2, Slot.TROOPS: 3})) == 2
        assert (detachments(1999), detachments(2000)) == ("primary", "two primaries")
        assert not chart_faults(CHARTS["two primaries"], {Slot.HQ: 4, Slot.TROOPS: 12})

    @pytest.mark.rule("6e.core.missions.force-chart")
    @pytest.mark.parametrize(("points", "faults"), [(499, 1), (500, 0)])
    def test_an_army_of_2000_points_may_have_two_primary_detachments(self, points: int, faults: int) -> None:
        army = [unit(1, "INFANTRY", "HQ", points=points) for _ in range(3)] + [
            unit(1, "INFANTRY", "TROOPS", points=250)
        ] * 2
        found = scene(army, unit(1), edition="6", mission="crusade", phase=Phase.SETUP)
        told = next(event for event in found.events if isinstance(event, ForceChecked) and event.side == A)
        assert len(told.faults) == faults

    @pytest.mark.rule("6e.core.missions.deployment-maps", "6e.core.missions.set-up-order")
    def test_mission_and_map_may_be_rolled_for(self) -> None:
        assert roll_mission(lambda what: {"mission": 2, "map": 5}[what]) == ("purge-the-alien", "vanguard_strike")
        board = find_edition("6").switchboard()
        found = {board.arrange("Rolled", None, (), seed) for seed in range(300)}
        assert found == {(mission, place) for mission in MISSIONS for place in MAPS}
        assert board.arrange("rolled", "open_table", (), 1)[1] == "open_table"
        assert board.arrange(None, None, (), 1) == ("crusade", None)
        assert not find_edition("3").switchboard().mission_words()

    @pytest.mark.rule("6e.core.missions.deployment-maps")
    def test_armies_stand_more_than_a_foot_from_the_line(self) -> None:
        assert [map_of(face) for face in range(1, 7)] == [MAPS[0], MAPS[0], MAPS[1], MAPS[1], MAPS[2], MAPS[2]]
        for name in MAPS:
            table = find_edition("6").switchboard().battlefield(name)
            first, second = (zone["outline"] for zone in table["zones"])
            apart = min(((x - u) ** 2 + (y - v) ** 2) ** 0.5 for x, y in _along(first) for u, v in _along(second))
            assert apart == pytest.approx(24.0, abs=0.2)

    @pytest.mark.rule("6e.core.missions.how-many-reserves")
    def test_half_of_the_units_may_wait(self) -> None:
        assert (most_in_reserve(7), most_in_reserve(8)) == (4, 4)

    @pytest.mark.rule("6e.core.missions.set-up-order", "6e.core.missions.seize")
    def test_who_deploys_first_goes_first_unless_the_other_seizes(self) -> None:
        found = battle(unit(1).at(5, 5), unit(1).at(5, 40), dice=[("deploy-first", (2, 5)), ("seize", (6,))])
        asking = winner_deploys_first_or_second(found)
        decision = next(asking)
        assert decision.side == B
        assert asking.send(decision.choices.options()[0] and _pick("first")).kind == "choose-zone"
        with pytest.raises(StopIteration):
            asking.send(_pick("south"))
        assert (found.state.chooser, found.state.first) == (B, B)
        assert found.state.zones == ("north", "south")
        assert list(seize(found)) == []
        assert found.state.first == A


def _pick(key: str) -> Any:
    from battlewright.core.decisions import Pick

    return Pick(key)


def _along(outline: Any) -> list[tuple[float, float]]:
    found = []
    for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        found += [(x0 + (x1 - x0) * k / 200, y0 + (y1 - y0) * k / 200) for k in range(200)]
    return found


class TestObjectives:
    @pytest.mark.rule("6e.core.missions.objectives")
    def test_they_lie_six_inches_from_edges_and_a_foot_apart(self) -> None:
        found = places_for_a_counter([(36.0, 24.0)], 72.0, 48.0, edge=6.0, apart=12.0)
        assert (6.0, 6.0) in found
        assert (36.0, 33.0) not in found
        assert (3.0, 24.0) not in found

    @pytest.mark.rule("6e.core.missions.holding", "6e.core.missions.scoring")
    def test_troops_hold_and_any_troops_on_foot_deny(self) -> None:
        mine = [unit(1, "INFANTRY", "TROOPS").at(20, 24), unit(1, "INFANTRY", "ELITES").at(50, 24)]
        found = battle(mine, unit(1, "INFANTRY", "ELITES").at(60, 24))
        found.state.objectives = ((20000, 26000), (50000, 26000))
        assert counters_held(found.scene, found.state) == (1, 0)
        assert (scores(found.scene, found.state, 1), denies(found.scene, found.state, 1)) == (False, True)
        found.state.position[2][:2] = (20000, 28500)
        assert counters_held(found.scene, found.state) == (0, 0)
        found.state.units[2].falling_back = True
        assert counters_held(found.scene, found.state) == (1, 0)

    @pytest.mark.rule("6e.core.missions.scoring")
    def test_a_vehicle_neither_scores_nor_denies(self) -> None:
        found = battle(unit(1, "VEHICLE", "TROOPS").at(20, 24), unit(1).at(60, 24))
        assert not scores(found.scene, found.state, 0)
        assert not denies(found.scene, found.state, 0)

    @pytest.mark.rule("6e.core.missions.relic")
    def test_the_relic_goes_six_inches_with_its_carrier(self) -> None:
        found = battle(unit(1, "INFANTRY", "TROOPS").at(36, 24.5), unit(1).at(60, 24), mission="the-relic")
        found.state.objectives = ((36000, 24000),)
        carry_the_relic(found)
        assert found.state.carrier == 0
        found.state.position[0][:2] = (36000, 29000)
        carry_the_relic(found)
        assert found.state.objectives == ((36000, 29000),)
        found.state.position[0][:2] = (36000, 40000)
        carry_the_relic(found)
        assert found.state.objectives == ((36000, 35000),)
        assert found.state.carrier == NOWHERE
        assert to_inches(found.state.position[0])[1] == 40.0


class TestPoints:
    @pytest.mark.rule("6e.core.missions.crusade", "6e.core.missions.big-guns")
    def test_objectives_are_worth_three_and_heavy_support_scores_in_big_guns(self) -> None:
        mine = unit(1, "VEHICLE", "HEAVY SUPPORT").at(20, 24)
        for mission, expected in (("crusade", 0), ("big-guns-never-tire", 3)):
            found = battle(mine, unit(1, "INFANTRY", "HEAVY SUPPORT").at(60, 24), mission=mission)
            found.state.objectives = ((20000, 24000),)
            assert points(found, 0)["objectives"] == expected
        found.state.wounds[1] = 0
        assert points(found, 0)["Heavy Support destroyed"] == 1

    @pytest.mark.rule("6e.core.missions.purge-the-alien")
    def test_a_point_for_each_unit_destroyed(self) -> None:
        found = battle(unit(1).at(5, 5), [unit(1).at(5, 40), unit(1).at(15, 40)], mission="purge-the-alien")
        found.state.wounds[2] = 0
        assert (points(found, 0)["units destroyed"], points(found, 1)["units destroyed"]) == (1, 0)

    @pytest.mark.rule("6e.core.missions.scouring")
    def test_counters_of_the_scouring_are_worth_what_was_drawn_and_fast_attack_scores(self) -> None:
        found = battle(
            unit(1, "BIKE", "FAST ATTACK").at(20, 24), unit(1, "BIKE", "FAST ATTACK").at(60, 24), mission="the-scouring"
        )
        found.state.objectives, found.state.worths = ((20000, 24000), (40000, 24000)), (4, 1)
        assert points(found, 0)["objectives"] == 4
        seen = found.rules.visible_state(found.scene, found.state, A)
        assert seen.worths == ()
        found.state.wounds[1] = 0
        assert points(found, 0)["Fast Attack destroyed"] == 1

    @pytest.mark.rule("6e.core.missions.scouring", "6e.core.missions.objectives")
    def test_six_counters_are_laid_and_their_worth_is_drawn(self) -> None:
        found = battle(unit(1).at(5, 5), unit(1).at(5, 40), mission="the-scouring")
        laying = MISSIONS["the-scouring"].lay(found)
        sides = []
        decision = next(laying)
        while True:
            sides.append(decision.side)
            try:
                decision = laying.send(decision.default())
            except StopIteration:
                break
        assert sides == [A, B, A, B, A, B]
        assert sorted(found.state.worths) == [1, 2, 2, 3, 3, 4]

    @pytest.mark.rule("6e.core.missions.emperors-will")
    def test_each_player_lays_one_counter_in_his_own_zone(self) -> None:
        found = battle(unit(1).at(5, 5), unit(1).at(5, 40), mission="emperors-will")
        laying = MISSIONS["emperors-will"].lay(found)
        decision = next(laying)
        decision = laying.send(decision.default())
        with pytest.raises(StopIteration):
            laying.send(decision.default())
        (_, first), (_, second) = found.state.objectives
        assert first <= 12000
        assert second >= 36000

    @pytest.mark.rule("6e.core.missions.secondary-objectives")
    def test_first_blood_the_warlord_and_the_breaker_of_lines(self) -> None:
        enemies = [unit(1, "INFANTRY", "HQ", Ld="9").at(5, 40), unit(1).at(15, 40)]
        found = battle(unit(1).at(30, 44), enemies, mission="purge-the-alien")
        assert warlord_of(found.scene, B) == 1
        assert points(found, 0) == {"units destroyed": 0, "line-breaker": 1}
        found.state.wounds[1] = 0
        found.state.destroyed = (1,)
        assert points(found, 0) == {"units destroyed": 1, "first blood": 1, "slay the warlord": 1, "line-breaker": 1}
        assert "first blood" not in points(found, 1)

    @pytest.mark.rule("6e.core.missions.wiped-out")
    def test_who_has_nothing_on_the_table_loses_whatever_the_points(self) -> None:
        found = battle(unit(1).at(5, 5), unit(1).at(5, 40))
        found.state.vp = (0, 9)
        assert winner(found.scene, found.state) == B
        found.state.on_table[1] = False
        assert winner(found.scene, found.state) == A


class TestTime:
    @pytest.mark.rule("6e.core.missions.length")
    def test_three_after_the_fifth_four_after_the_sixth_never_an_eighth(self) -> None:
        found = battle(unit(1).at(5, 5), unit(1).at(5, 40), dice=[("game-length", (f,)) for f in (2, 3, 3, 4)])
        goes_on = MISSIONS["crusade"].goes_on
        for turn, expected in ((4, True), (5, False), (5, True), (6, False), (6, True), (7, False)):
            found.state.round = turn
            assert goes_on(found) is expected
        found.state.round, found.state.on_table[1] = 2, False
        assert not goes_on(found)

    @pytest.mark.rule("6e.core.missions.night")
    def test_night_in_the_first_turn_or_late(self) -> None:
        early, late = rolling(4, round=1, nights=""), rolling(3, 3, 4, round=1, nights="")
        assert (night_on_four(early), night_on_four(late)) == (True, False)
        early.state.round = late.state.round = 5
        assert (night_on_four(early), night_on_four(late)) == (False, False)
        late.state.round = 6
        assert night_on_four(late)
