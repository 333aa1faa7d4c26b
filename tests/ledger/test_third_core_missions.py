"""Armies and missions of the 3rd edition: charts, setting up, Cleanse, victory points, reserves, night, obstacles."""

from __future__ import annotations

import pytest

from battlewright.core.bases import Base, Pose
from battlewright.core.decisions import SIDES, ModelMove, Place, Side
from battlewright.core.errors import BadInput
from battlewright.editions.classic.arrivals import (
    deeds_of_deep_strike,
    infiltrator_faults,
    lands_at,
    may_move_after_arrival,
    mine_goes_off,
)
from battlewright.editions.classic.cleanse import quarter_of, quarters_held
from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.force_chart import (
    DEPLOYMENT_ORDER,
    STANDARD,
    Slot,
    chart_faults,
    choices,
    next_slot,
    slot_of,
)
from battlewright.editions.classic.markers import Scatter
from battlewright.editions.classic.missions import winner
from battlewright.editions.classic.night import NightShot, night_shot, spotting_distance
from battlewright.editions.classic.procedures.setup import deployment_space
from battlewright.editions.classic.reserves import arrives, arrives_on
from battlewright.editions.classic.scoring import Remains, points_for_losses, points_for_survivors
from battlewright.editions.classic.state import Phase
from battlewright.editions.edition import find_edition
from battlewright.editions.third.arrivals import (
    deep_strike_faults,
    lost_on_landing,
    tank_trap_sections,
    wire_sections,
)
from battlewright.editions.third.forces import CHARTS, chart_of
from battlewright.editions.third.markers import night_scatter
from battlewright.editions.third.rules import ThirdRules
from support.classic import scene, unit, weapon

A, B = SIDES


# -- armies -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.terms.unit")
def test_a_unit_is_one_choice_however_many_models_it_has() -> None:
    squad = [{"INFANTRY", "TROOPS"}] * 10
    tank = [{"VEHICLE", "TANK", "HEAVY SUPPORT"}]
    assert choices([squad, squad, tank]) == {Slot.TROOPS: 2, Slot.HEAVY_SUPPORT: 1}
    assert slot_of([{"VEHICLE", "TRANSPORT"}]) is None


@pytest.mark.rule("3e.core.missions.force-charts")
def test_the_standard_chart() -> None:
    legal = {Slot.HQ: 1, Slot.TROOPS: 2}
    assert chart_faults(STANDARD, legal) == []
    assert len(chart_faults(STANDARD, {})) == 2
    for slot, most in zip(Slot, (2, 3, 6, 3, 3), strict=True):
        assert chart_faults(STANDARD, {**legal, slot: most}) == []
        assert len(chart_faults(STANDARD, {**legal, slot: most + 1})) == 1


@pytest.mark.rule("3e.core.missions.force-charts")
def test_attackers_and_defenders_have_charts_of_their_own() -> None:
    assert len(CHARTS) == 7
    raiders = chart_of("Raid, attacker")
    assert chart_faults(raiders, {Slot.TROOPS: 1}) == []
    assert chart_faults(raiders, {Slot.TROOPS: 1, Slot.HEAVY_SUPPORT: 2})
    assert chart_faults(chart_of("breakthrough attacker"), {Slot.TROOPS: 1})
    assert chart_faults(chart_of("battle-attacker"), {Slot.HQ: 1, Slot.TROOPS: 1, Slot.HEAVY_SUPPORT: 1}) == []
    with pytest.raises(BadInput, match="no force chart"):
        chart_of("siege")


@pytest.mark.rule("3e.core.missions.set-up")
def test_units_are_deployed_by_slot() -> None:
    heavy, troops, elites, hq, fast = DEPLOYMENT_ORDER
    assert (heavy, troops, elites, hq, fast) == (
        Slot.HEAVY_SUPPORT,
        Slot.TROOPS,
        Slot.ELITES,
        Slot.HQ,
        Slot.FAST_ATTACK,
    )
    assert next_slot([fast, troops, hq]) is troops
    assert next_slot([fast, None]) is fast
    assert next_slot([None]) is None


# -- winning ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.missions.cleanse")
def test_cleanse_is_won_by_quarters_and_then_by_points() -> None:
    assert [quarter_of(point, 72, 48) for point in ((1, 1), (71, 1), (1, 47), (71, 47))] == [0, 1, 2, 3]
    assert quarters_held([(A, 0), (A, 1), (B, 1), (B, 3), (A, 2)]) == (2, 1)

    def won(ours: list[tuple[int, int]], points: tuple[int, int]) -> Side | None:
        units = [unit(1).at(*at) for at in ours]
        battle = scene(units, unit(1).at(60, 40), mission="cleanse", vp=points)
        return winner(battle.scene, battle.state)

    assert won([(10, 10), (60, 10)], (0, 900)) == A
    assert won([(10, 10)], (300, 400)) == B
    assert won([(10, 10)], (300, 300)) is None


@pytest.mark.rule("3e.core.missions.cleanse")
def test_cleanse_is_set_up_in_opposite_quarters_eighteen_inches_apart() -> None:
    zones = find_edition("3").switchboard().battlefield("quarters")["zones"]
    assert quarter_of(zones[0]["outline"][3], 72, 48) == 3
    assert quarter_of(zones[1]["outline"][0], 72, 48) == 0
    battle = scene(unit(1), unit(1).at(40, 29), mission="cleanse", phase=Phase.SETUP)
    space = deployment_space(battle.scene, battle.state, 0)
    for y, faults in ((11, 1), (9, 0)):
        answer = Place((ModelMove(0, ((40_000, y * 1000, 0, 0),)),))
        assert len(space.check(answer)) == faults, y


@pytest.mark.rule("3e.core.missions.victory-points")
def test_losses_give_full_or_half_points() -> None:
    def worth(left: int, **fate: bool) -> int:
        return points_for_losses(Remains(points=151, left=left, begun=10, **fate))

    assert [worth(left) for left in (0, 1, 5, 6, 10)] == [151, 75, 75, 0, 0]
    assert worth(10, fled=True) == 151
    tank = {"points": 200, "left": 1, "begun": 1, "vehicle": True}
    assert points_for_losses(Remains(**tank)) == 0
    assert points_for_losses(Remains(**tank, immobilised=True)) == 100
    assert points_for_losses(Remains(**tank, weapon_lost=True)) == 100
    assert points_for_losses(Remains(**{**tank, "left": 0})) == 200


@pytest.mark.rule("3e.core.missions.own-survivors")
def test_survivors_give_full_or_half_points() -> None:
    def worth(left: int, **fate: bool) -> int:
        return points_for_survivors(Remains(points=160, left=left, begun=8, **fate))

    assert [worth(left) for left in (8, 6, 5, 2, 1, 0)] == [160, 160, 80, 80, 0, 0]
    assert worth(8, fled=True) == 0
    tank = {"points": 200, "left": 1, "begun": 1, "vehicle": True}
    assert points_for_survivors(Remains(**tank)) == 200
    assert points_for_survivors(Remains(**tank, weapon_lost=True)) == 100
    assert points_for_survivors(Remains(**tank, immobilised=True)) == 0


@pytest.mark.rule("3e.core.missions.higher-total")
def test_the_higher_total_wins() -> None:
    for points, won in (((5, 3), A), ((3, 5), B), ((4, 4), None)):
        battle = scene(unit(1).at(5, 5), unit(1).at(5, 20), vp=points)
        assert ThirdRules().result(battle).winner == won


# -- coming into play -------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.missions.reserves")
def test_reserves_arrive_ever_more_easily() -> None:
    assert [arrives_on(turn) for turn in range(1, 7)] == [None, 4, 3, 2, 2, 2]
    assert [arrives(arrives_on(2), face) for face in (3, 4)] == [False, True]
    assert not arrives(arrives_on(1), 6)
    assert arrives(arrives_on(2), 3, bonus=1)


@pytest.mark.rule("3e.core.missions.deep-strike")
def test_a_deep_strike_scatters_and_its_models_land_within_the_marker() -> None:
    assert lands_at((30, 20), Scatter(hit=True), (3, 4)) == (30, 20)
    assert lands_at((30, 20), Scatter(hit=False, degrees=0.0), (3, 4)) == pytest.approx((37, 20))
    base = Base.parse("25mm")
    assert deep_strike_faults((30, 20), [(base, Pose(30, 20, 0, 0)), (base, Pose(32, 20, 0, 0))]) == []
    assert deep_strike_faults((30, 20), [(base, Pose(32.1, 20, 0, 0))])
    assert lost_on_landing([0.9, 1.0, 4.0]) == [0]
    assert lost_on_landing([9.0, 9.0], marker_astray=True) == [0, 1]


@pytest.mark.rule("3e.core.missions.deep-strike")
def test_who_has_arrived_so_neither_moves_nor_charges() -> None:
    deeds = deeds_of_deep_strike()
    assert not may_move_after_arrival(deeds)
    assert may_move_after_arrival(frozenset())
    assert [rule for rule, _ in bars_assault(deeds)] == ["3e.core.missions.deep-strike"]


@pytest.mark.rule("3e.core.missions.infiltrators")
def test_infiltrators_come_last_unseen_and_far_away() -> None:
    assert infiltrator_faults([(False, 12.1), (False, 30.0)], 12.0, all_others_set_up=True) == []
    assert infiltrator_faults([(False, 12.1)], 12.0, all_others_set_up=False)
    assert infiltrator_faults([(True, 30.0)], 12.0, all_others_set_up=True)
    assert infiltrator_faults([(False, 12.0)], 12.0, all_others_set_up=True)


# -- night and obstacles ----------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.missions.night-fighting")
def test_at_night_one_sees_two_dice_times_three_inches() -> None:
    rifle, mortar, cannon = weapon("RAPID FIRE"), weapon("HEAVY 1", "GUESS"), weapon("ORDNANCE 1")
    sight = spotting_distance((3, 4))
    for gun in (rifle, mortar, cannon):
        assert night_shot(gun, 21.0, sight) is NightShot.AIMED
    assert night_shot(rifle, 21.1, sight) is NightShot.NONE
    assert night_shot(mortar, 21.1, sight) is night_shot(cannon, 21.1, sight) is NightShot.BLIND
    assert night_scatter(4.0, NightShot.BLIND) == 8.0
    assert night_scatter(4.0, NightShot.AIMED) == 4.0


@pytest.mark.rule("3e.core.missions.obstacles")
def test_how_many_obstacles_there_are() -> None:
    assert [wire_sections(face) for face in range(1, 7)] == [4, 4, 5, 5, 6, 6]
    assert [tank_trap_sections(face) for face in range(1, 7)] == [3, 3, 6, 6, 9, 9]


@pytest.mark.rule("3e.core.missions.minefield")
def test_mines_go_off_on_four_and_more() -> None:
    assert [mine_goes_off(face) for face in range(1, 7)] == [False] * 3 + [True] * 3
