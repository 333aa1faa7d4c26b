"""Flyers of the 6th edition: reserve, measuring, zooming and hovering, leaving the table, locked velocity."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.support.classic import UnitSpec, scene, unit, weapon

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.errors import IllegalChoice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.flying import Span
from battlewright.editions.classic.gunnery import Driven, Gun
from battlewright.editions.classic.procedures.board import contact_gaps, gaps, pose_of, touched_units
from battlewright.editions.classic.procedures.boarding import exit_space
from battlewright.editions.classic.procedures.damaging import damage_vehicle
from battlewright.editions.classic.procedures.dashing import second_move_of
from battlewright.editions.classic.procedures.driving import meetings
from battlewright.editions.classic.procedures.passengers import has_to_wait, hatches_of, may_get_out, transports_for
from battlewright.editions.classic.procedures.tank_shock import may_tank_shock
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.transports import Boarding, Leaving
from battlewright.editions.sixth import flyers
from battlewright.editions.sixth.charging import why_not_this
from battlewright.editions.sixth.flight import flies_on, flight_space, modes_of
from battlewright.editions.sixth.flights import FlightSpace
from battlewright.editions.sixth.flyers import Mode, Speed
from battlewright.editions.sixth.gunnery import salvos
from battlewright.editions.sixth.vehicles import why_no_boarding, why_no_disembarking

GUN = ("HEAVY 1",)


def sixth(a: Any, b: Any = (), **more: Any) -> ClassicBattle:
    return scene(a, b, edition="6", **more)


def flyer(*keywords: str, count: int = 1, name: str = "Flyer", **features: Any) -> UnitSpec:
    """A flyer with a hull of 6" by 5"; its stand is 60 mm across."""
    features.setdefault("AV", "11/11/10")
    features.setdefault("HP", 3)
    features.setdefault("base", "hull 6x5in flying")
    features.setdefault("height", 2.0)
    return unit(count, "VEHICLE", "FLYER", *keywords, name=name, **features)


def aloft(spec: UnitSpec, **flags: Any) -> UnitSpec:
    return spec.having(aloft=True, **flags)


def to(row: int, *points: tuple[float, float, float]) -> Place:
    """A flight of one model by these places and facings."""
    path = tuple((round(1000 * x), round(1000 * y), 0, round(1000 * facing) % 360_000) for x, y, facing in points)
    return Place((ModelMove(row, path),))


def ahead(battle: ClassicBattle, row: int, inches: float, turn: float = 0.0) -> Place:
    """A flight of so many inches after a turn of so many degrees to the left."""
    x, y, _, facing = (value / 1000 for value in battle.state.position[row].tolist())
    heading = (facing + turn) % 360.0
    angle = math.radians(heading)
    return to(row, (x + inches * math.cos(angle), y + inches * math.sin(angle), heading))


def selected(battle: ClassicBattle, mode: str | None = None) -> FlightSpace:
    """The flight that a.1 is asked for when it has been selected, and has declared that mode."""
    battle.answer(Pick("a.1"))
    if mode is not None:
        battle.answer(Pick(mode))
    space = battle.decision.choices
    assert isinstance(space, FlightSpace)
    return space


def refused(space: FlightSpace, answer: Place) -> set[str]:
    return {fault.rule for fault in space.check(answer)}


def keys(battle: ClassicBattle) -> list[str]:
    return [option.key for option in battle.decision.options()]


FOE = unit(1).at(70, 46)


# -- reserve ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.flyer-reserve.must-start-in-reserve")
def test_flyers_of_either_sort_begin_in_reserve_and_take_nobody_s_place_there() -> None:
    riders = unit(3, name="Riders")
    battle = sixth([flyer("HOVER", abilities=["TRANSPORT CAPACITY 5"]), flyer(), riders], FOE, phase=Phase.SETUP)
    while battle.decision.kind != "select-unit-to-deploy":
        battle.answer(battle.decision.default())
    state = battle.state
    assert [state.units[each].in_reserves for each in range(3)] == [True, True, False]
    assert has_to_wait(battle.scene, 0)
    assert not has_to_wait(battle.scene, 2)
    while battle.decision.side != 0:
        battle.answer(battle.decision.default())
    assert "a.1" not in keys(battle)
    assert "a.3:in:a.1" in keys(battle), "who begins aboard of it waits with it"
    assert "a.3:reserve" in keys(battle), "the flyers do not count as held back"


# -- measuring, others beneath ------------------------------------------------------------------------------------


@pytest.mark.rule("6e.flyer-measuring.hull", "6e.flyer-measuring.charge-contact")
def test_distances_run_to_the_hull_and_contact_is_made_with_hull_or_stand() -> None:
    battle = sixth([flyer("HOVER").at(20, 20)], unit(3).on((30, 20), (22, 20), (20 + 1.181 + 0.492, 20)))
    assert gaps(battle.scene, battle.state, [0], [1])[0, 0] == pytest.approx(10 - 3 - 0.492, abs=0.01)
    apart = contact_gaps(battle.scene, battle.state, [0], [1, 2, 3])[0]
    assert apart[0] == pytest.approx(10 - 3 - 0.492, abs=0.01)
    assert apart[1] > 0, "beneath the hull, beside the stand"
    assert apart[2] == 0, "it touches the stand, though not the hull"
    assert touched_units(battle.scene, battle.state, 1, locked=False) == [0]
    beside = sixth([flyer("HOVER").at(20, 20)], unit(1).at(23.492, 20))
    assert touched_units(beside.scene, beside.state, 1, locked=False) == [0], "the edge of the hull does as well"
    zooming = sixth([aloft(flyer()).at(20, 20)], unit(1).at(23.492, 20))
    assert touched_units(zooming.scene, zooming.state, 1, locked=False) == []


@pytest.mark.rule("6e.flyer-measuring.base-is-access-point")
def test_passengers_leave_by_the_stand() -> None:
    carrier = flyer("HOVER", abilities=["TRANSPORT CAPACITY 5"]).at(30, 20)
    battle = sixth([carrier, unit(2, name="Riders").having(embarked=0)], FOE)
    assert hatches_of(battle.scene, battle.state, 0) is None
    battle.answer(Pick("a.2:disembark"))
    space = battle.decision.choices
    stand = 30 / 25.4

    def beside(away: float) -> Place:
        points = ((1, 30 + stand + away, 20.0), (2, 30 + stand + away, 21.5))
        return Place(tuple(ModelMove(row, ((round(1000 * x), round(1000 * y), 0, 0),)) for row, x, y in points))

    assert space.check(beside(0.5)) == [], "beneath the hull, at the stand"
    assert space.check(beside(5.2)) == [], "wholly within 6 inches of the stand"
    assert space.check(beside(5.9)) != []
    assert exit_space(battle.scene, battle.state, 1).found.moves


@pytest.mark.rule("6e.flyer-other-models.move-beneath", "6e.flyer-other-models.one-inch-from-base")
def test_who_fits_moves_beneath_a_hull_but_keeps_an_inch_from_the_stand() -> None:
    battle = sixth([unit(1).at(14, 20)], [aloft(flyer()).at(20, 20)])
    battle.answer(Pick("a.1"))
    space = battle.decision.choices
    assert space.check(to(0, (17.3, 20, 0))) == [], "beneath the hull, 1.03 inches from the stand"
    assert space.check(to(0, (17.5, 20, 0))) != [], "0.83 inches from it"
    giant = sixth([unit(1, height=5.0).at(14, 20)], [aloft(flyer()).at(20, 20)])
    giant.answer(Pick("a.1"))
    assert "6e.flyer-other-models.move-beneath" in {
        fault.rule for fault in giant.decision.choices.check(to(0, (17.3, 20, 0)))
    }


@pytest.mark.rule("6e.flyer-other-models.end-above", "6e.flyer-other-models.one-inch-from-base")
def test_a_flyer_ends_above_others_its_stand_an_inch_from_enemies() -> None:
    squad = unit(2).on((40, 22.8), (42.6, 20))
    battle = sixth([aloft(flyer()).at(20, 20)], squad)
    space = selected(battle)
    assert space.check(ahead(battle, 0, 19)) == [], "above both, its stand more than an inch from either"
    assert refused(space, ahead(battle, 0, 20.5)) == {"6e.flyer-other-models.one-inch-from-base"}
    tall = sixth([aloft(flyer()).at(20, 20)], unit(1, height=5.0).at(40, 22.8))
    assert refused(selected(tall), ahead(tall, 0, 19)) == {"6e.flyer-other-models.move-beneath"}


# -- zooming ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.zoom.who", "6e.hover.option", "6e.hover.declare-first")
def test_all_flyers_zoom_and_those_of_the_hover_type_say_before_they_move_whether_they_hover() -> None:
    assert flyers.modes({"VEHICLE", "FLYER"}) == (Mode.ZOOM,)
    assert flyers.modes({"VEHICLE", "SKIMMER"}) == ()
    plain = sixth([aloft(flyer()).at(20, 20)], FOE)
    selected(plain)
    both = sixth([aloft(flyer("HOVER")).at(20, 20)], FOE)
    both.answer(Pick("a.1"))
    assert both.decision.kind == "declare-mode"
    assert keys(both) == ["zoom", "hover"]
    both.answer(Pick("hover"))
    assert both.decision.kind == "move-normal"
    assert not both.state.units[0].aloft
    both.answer(to(0, (32, 20, 0)))
    assert both.state.units[0].moved_distance == 12_000


@pytest.mark.rule("6e.zoom.speeds", "6e.zoom.minimum")
def test_a_zooming_flyer_flies_eighteen_inches_to_thirty_six() -> None:
    speeds = [flyers.speed_of(inches) for inches in (17.9, 18.0, 18.1, 36.0, 36.1)]
    assert speeds == [None, Speed.COMBAT, Speed.CRUISING, Speed.CRUISING, None]
    battle = sixth([aloft(flyer()).at(15, 20)], FOE)
    space = selected(battle)
    for inches, fine in ((15.0, False), (17.9, False), (18.0, True), (36.0, True), (36.1, False)):
        assert (space.check(ahead(battle, 0, inches)) == []) == fine, inches
    assert refused(space, Place(())) == {"6e.zoom.minimum"}, "nor may it stay where it is"


@pytest.mark.rule("6e.zoom.minimum")
def test_a_zooming_flyer_that_nobody_selects_still_has_to_fly() -> None:
    battle = sixth([aloft(flyer()).at(15, 20), unit(1).at(5, 5)], FOE)
    battle.answer(Pick("end"))
    assert battle.decision.kind == "move-zoom"
    battle.answer(ahead(battle, 0, 20))
    assert battle.state.units[0].moved_distance == 20_000


@pytest.mark.rule("6e.zoom.forced-short")
def test_one_that_finds_no_place_to_fly_to_is_wrecked_and_crashes() -> None:
    wall = unit(14, base="60mm", name="Wall").at(36, 20 - 6.5 * 1.0, apart=1.0, rank=1)
    blocked = aloft(flyer(), stunned=True, locked=frozenset({(0, 18_000)})).at(18, 20)
    battle = sixth([blocked, unit(1).at(5, 5)], wall, dice=[("scatter", [6, 1, 1])])
    space = selected(battle)
    assert refused(space, ahead(battle, 0, 14)) >= {"6e.locked-velocity.keeps-speed"}
    assert not space.found.moves, "straight on, 18 inches, and there an enemy stands"
    with pytest.raises(IllegalChoice):
        battle.answer(ahead(battle, 0, 18))
    battle.answer(Place(()))
    assert standing(battle.state, 0) == []
    assert battle.state.wrecks == ()


@pytest.mark.rule("6e.zoom.single-pivot", "6e.zoom.straight-line")
def test_one_turn_before_it_flies_of_ninety_degrees_then_straight_ahead() -> None:
    battle = sixth([aloft(flyer()).at(20, 10, facing=90.0)], FOE)
    space = selected(battle)
    assert space.check(ahead(battle, 0, 20, -90)) == [], "it faced north and turns east"
    assert refused(space, ahead(battle, 0, 20, -100)) == {"6e.zoom.single-pivot"}
    assert refused(space, to(0, (20, 30, 80))) == {"6e.zoom.single-pivot"}, "a second turn at the end"
    assert refused(space, to(0, (20, 20, 90), (25, 28, 90))) >= {"6e.zoom.straight-line"}


@pytest.mark.rule("6e.zoom.arrival-direction", "6e.hover.declare-before-arrival")
def test_it_comes_on_in_any_direction_that_keeps_it_above_the_table() -> None:
    battle = sixth([flyer("HOVER").having(in_reserves=True, arriving=True)], FOE)
    assert battle.decision.kind == "declare-mode", "before it is placed"
    battle.answer(Pick("zoom"))
    space = battle.decision.choices
    assert battle.decision.kind == "arrive-flying"

    def entering(x: float, heading: float, inches: float) -> Place:
        angle = math.radians(heading)
        return to(0, (x, 0, heading), (x + inches * math.cos(angle), inches * math.sin(angle), heading))

    assert space.check(entering(60, 90, 18)) == []
    assert refused(space, entering(60, 40, 18)) == {"6e.zoom.arrival-direction"}, (
        "over the adjacent edge after 16 inches"
    )
    assert space.check(entering(60, 120, 36)) == []
    assert refused(space, entering(60, 90, 15)) == {"6e.zoom.minimum"}
    assert space.check(to(0, (60, 3, 90), (60, 25, 90))) != [], "it has to come from its own edge"
    battle.answer(entering(60, 120, 36))
    mine = battle.state.units[0]
    assert mine.aloft
    assert mine.moved_distance == 36_000
    assert not mine.in_reserves
    hovering = sixth([flyer("HOVER").having(in_reserves=True, arriving=True)], FOE)
    hovering.answer(Pick("hover"))
    assert hovering.decision.kind == "arrive"
    assert not hovering.state.units[0].aloft


@pytest.mark.rule("6e.zoom.overflies", "6e.zoom.no-dangerous-tests")
def test_it_passes_over_units_and_cliffs_and_takes_no_tests() -> None:
    wood = TerrainArea("wood", ((15, 15), (25, 15), (25, 25), (15, 25)), tags=frozenset({"difficult"}))
    cliff = TerrainArea("cliff", ((28, 10), (32, 10), (32, 30), (28, 30)), tags=frozenset({"impassable"}))
    lava = TerrainArea("lava", ((40, 15), (52, 15), (52, 25), (40, 25)), tags=frozenset({"impassable"}))
    battle = sixth(
        [aloft(flyer()).at(20, 20), unit(1).at(5, 5)], unit(3).at(35, 18), terrain=[wood, cliff, lava], dice=[]
    )
    selected(battle)
    battle.answer(ahead(battle, 0, 24))
    assert battle.state.position[0, 0] == 44_000
    assert battle.decision.kind == "select-unit-to-move", "no die was thrown"


@pytest.mark.rule("6e.zoom.no-embark-disembark")
def test_nobody_gets_in_or_out_of_a_zooming_flyer() -> None:
    carrier = flyer("HOVER", abilities=["TRANSPORT CAPACITY 5"])
    riders = unit(2, name="Riders").having(embarked=0)
    for up in (True, False):
        battle = sixth([carrier.at(30, 20).having(aloft=up), riders], FOE)
        assert may_get_out(battle.scene, battle.state, 1) is not up
        empty = sixth([carrier.at(30, 20).having(aloft=up), unit(1).at(28, 20)], FOE)
        assert bool(transports_for(empty.scene, empty.state, 1)) is not up
    assert {rule for rule, _ in why_no_disembarking(Leaving(aloft=True))} == {"6e.zoom.no-embark-disembark"}
    assert {rule for rule, _ in why_no_boarding(Boarding(gaps=[0.0], capacity=9, aloft=True))} == {
        "6e.zoom.no-embark-disembark"
    }


@pytest.mark.rule("6e.zoom-ram.cannot-make", "6e.zoom-ram.cannot-suffer")
def test_it_neither_rams_nor_is_rammed() -> None:
    battle = sixth([aloft(flyer("HOVER", "TANK")).at(20, 20)], [aloft(flyer()).at(40, 20)])
    assert not may_tank_shock(battle.scene, battle.state, 0)
    hovering = sixth([flyer("HOVER", "TANK").at(20, 20)], [aloft(flyer()).at(40, 20), unit(1).at(46, 20)])
    assert may_tank_shock(hovering.scene, hovering.state, 0)
    met = meetings(hovering.scene, hovering.state, 0, pose_of(hovering.state, 0), 30.0)
    assert [meeting.unit for meeting in met] == [2], "no collision with what zooms above"


# -- leaving the table, locked velocity ---------------------------------------------------------------------------


@pytest.mark.rule("6e.leaving-airspace.ongoing-reserves", "6e.leaving-airspace.returns-zooming")
@pytest.mark.rule("6e.outside.ongoing-reserves")
def test_who_flies_off_the_table_waits_in_ongoing_reserves_and_comes_back_zooming() -> None:
    battle = sixth([aloft(flyer("HOVER")).at(62, 20), unit(1).at(5, 5)], FOE, dice=None)
    space = selected(battle, "zoom")
    assert space.check(ahead(battle, 0, 18)) == [], "ten inches ahead is the edge"
    battle.answer(ahead(battle, 0, 18))
    mine = battle.state.units[0]
    assert (mine.in_reserves, mine.ongoing, mine.returning) == (True, True, True)
    assert standing(battle.state, 0) == []
    while not (battle.state.turn == 0 and battle.state.round == 3 and battle.decision.kind == "arrive-flying"):
        assert battle.decision.kind != "declare-mode", "it has no choice when it comes back"
        battle.answer(battle.decision.default())
    battle.answer(battle.decision.default())
    assert battle.state.units[0].aloft
    assert modes_of(battle.scene, battle.state, 0) == [Mode.ZOOM, Mode.HOVER], "next turn it may hover again"


def immobilise(battle: ClassicBattle, row: int) -> DamageResult | None:
    """An immobilised result on a flyer; what becomes of it."""
    going = damage_vehicle(battle, row, DamageResult.IMMOBILISED)
    try:
        next(going)
    except StopIteration as done:
        result: DamageResult | None = done.value
        return result
    raise AssertionError("nothing is asked")


@pytest.mark.rule("6e.locked-velocity.keeps-speed", "6e.locked-velocity.may-turn", "6e.locked-velocity.no-hover")
@pytest.mark.rule("6e.locked-velocity.no-evade-no-flat-out", "6e.locked-velocity.may-leave-table")
def test_an_immobilised_flyer_flies_on_at_its_speed() -> None:
    battle = sixth([aloft(flyer("HOVER"), moved_before=30_000).at(50, 20), unit(1).at(5, 5)], FOE)
    battle.state.turn = 1  # type: ignore[assignment]
    assert immobilise(battle, 0) is None
    battle.state.turn = 0  # type: ignore[assignment]
    mine = battle.state.units[0]
    assert mine.locked == {(0, 30_000)}
    assert mine.immobilised == frozenset()
    assert modes_of(battle.scene, battle.state, 0) == [Mode.ZOOM], "it cannot switch to hover"
    space = selected(battle)
    assert refused(space, ahead(battle, 0, 18.0, 180.0)) >= {"6e.locked-velocity.keeps-speed"}
    assert refused(space, ahead(battle, 0, 18.0, 80.0)) == {"6e.locked-velocity.keeps-speed"}
    assert space.check(ahead(battle, 0, 18.1, 80.0)) == [], "any cruising speed, after a turn of 80 degrees"
    assert not flyers.may_evade(mine, flyers=True)
    assert flies_on(battle.scene, battle.state, 0) is None
    assert space.check(ahead(battle, 0, 24.0)) == []
    battle.answer(ahead(battle, 0, 24.0))
    assert mine.in_reserves
    assert battle.state.units[0].returning
    assert immobilise(sixth([aloft(flyer(), locked=frozenset({(0, 18_000)})).at(50, 20)], FOE), 0) is None
    slow = sixth([aloft(flyer(HP=1), locked=frozenset({(0, 18_000)})).at(50, 20)], FOE)
    assert immobilise(slow, 0) is DamageResult.WRECKED, "a second one costs a hull point"
    assert flyers.zoom_span(18.0) == Span(18.0, 18.0)


@pytest.mark.rule("6e.outside.locked-exact-distance")
@pytest.mark.parametrize(("value", "shorter"), [("off", True), ("on", False)])
def test_the_players_may_agree_that_it_repeats_the_very_distance(value: str, shorter: bool) -> None:
    locked = aloft(flyer(), locked=frozenset({(0, 36_000)})).at(5, 20)
    battle = sixth([locked], FOE, options={"locked_exact_distance": value})
    space = selected(battle)
    assert space.check(ahead(battle, 0, 36.0)) == []
    assert (space.check(ahead(battle, 0, 30.0)) == []) is shorter
    assert flyers.exact_span(30.0) == Span(30.0, 30.0)


# -- hovering ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.hover.squadron-same-mode")
def test_a_squadron_hovers_or_zooms_as_one() -> None:
    battle = sixth([aloft(flyer("HOVER", count=2)).on((20, 20), (20, 26))], FOE)
    battle.answer(Pick("a.1"))
    assert battle.decision.kind == "declare-mode"
    battle.answer(Pick("zoom"))
    space = battle.decision.choices
    one = ahead(battle, 0, 20).moves
    assert space.check(Place(one)) != [], "all of them fly"
    assert space.check(Place(one + ahead(battle, 1, 20).moves)) == []
    assert "6e.outside.squadrons" in refused(space, Place(one + ahead(battle, 1, 30).moves))
    mixed_types = sixth([aloft(flyer(count=1)).at(20, 20)], FOE)
    assert modes_of(mixed_types.scene, mixed_types.state, 0) == [Mode.ZOOM]


@pytest.mark.rule("6e.hover.as-fast-skimmer")
def test_a_hovering_flyer_is_a_fast_skimmer_in_every_respect() -> None:
    guns = [Gun(place, weapon(*GUN, name=f"Gun {place}")) for place in range(3)]
    words = {"VEHICLE", "FLYER", "HOVER", "FAST", "SKIMMER"}
    fired = salvos(words, Driven(moved=12.0), guns)
    assert all(sum(not snap for _, snap in way) == 2 and len(way) == 3 for way in fired), (
        "two aimed, the rest snap shots"
    )
    battle = sixth([flyer("HOVER").at(20, 20)], [unit(1).at(30, 20)], phase=Phase.SHOOTING)
    assert {"FAST", "SKIMMER"} <= battle.scene.models[0].profile.keywords
    dash = second_move_of(battle.scene, battle.state, 0)
    assert dash is not None
    battle.answer(Pick("a.1:flat-out"))
    assert battle.decision.choices.check(to(0, (20, 38, 0))) == [], "18 inches flat out"
    assert not flyers.snaps_aloft(words, aloft=False, skyfire=False)
    chargers = sixth([unit(1, S=6).at(24, 20)], [flyer("HOVER").at(20, 20)], phase=Phase.ASSAULT)
    assert why_not_this(chargers.scene, chargers.state, 0, 1) == []


@pytest.mark.rule("6e.hover.as-fast-skimmer")
def test_a_hovering_flyer_takes_a_skimmer_s_terrain_tests() -> None:
    wood = TerrainArea("wood", ((26, 10), (40, 10), (40, 30), (26, 30)), tags=frozenset({"difficult"}))
    battle = sixth([flyer("HOVER").at(20, 20)], FOE, terrain=[wood], dice=[("vehicle-terrain", [4])])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("hover"))
    battle.answer(to(0, (31, 20, 0)))
    assert battle.state.position[0, 0] == 31_000


# -- in the assault ---------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.charging-zoomers.cannot")
def test_a_zooming_flyer_cannot_be_charged() -> None:
    for up in (True, False):
        battle = sixth([unit(1, S=6).at(24, 20)], [flyer("HOVER").at(20, 20).having(aloft=up)], phase=Phase.ASSAULT)
        barred = {rule for rule, _ in why_not_this(battle.scene, battle.state, 0, 1)}
        assert ("6e.charging-zoomers.cannot" in barred) is up


@pytest.mark.rule("6e.zoom-flat-out.distance", "6e.bombs.no-flat-out", "6e.locked-velocity.no-evade-no-flat-out")
def test_it_goes_flat_out_twelve_to_twenty_four_inches_straight_ahead() -> None:
    flown = aloft(flyer(), moved=True, moved_distance=20_000).at(20, 20)
    battle = sixth([flown, unit(1).at(5, 5)], FOE, phase=Phase.SHOOTING)
    battle.answer(Pick("a.1:flat-out"))
    space = battle.decision.choices
    assert isinstance(space, FlightSpace)
    for inches, fine in ((11.0, False), (12.0, True), (24.0, True), (25.0, False)):
        assert (space.check(ahead(battle, 0, inches)) == []) == fine, inches
    assert refused(space, ahead(battle, 0, 20.0, 10.0)) == {"6e.zoom.single-pivot"}
    battle.answer(ahead(battle, 0, 24.0))
    assert battle.state.units[0].has(Deed.FLAT_OUT)
    bombed = aloft(flyer(), deeds=frozenset({Deed.BOMBED})).at(20, 20)
    locked = aloft(flyer(), locked=frozenset({(0, 18_000)})).at(20, 20)
    for spec in (bombed, locked):
        other = sixth([spec], FOE, phase=Phase.SHOOTING)
        assert second_move_of(other.scene, other.state, 0) is None


@pytest.mark.rule("6e.zoom.single-pivot")
def test_a_stunned_crew_flies_straight_on() -> None:
    battle = sixth([aloft(flyer(), stunned=True).at(20, 20)], FOE)
    space = flight_space(battle.scene, battle.state, 0, Mode.ZOOM)
    assert refused(space, ahead(battle, 0, 18, 30)) == {"6e.zoom.single-pivot"}
    assert space.check(ahead(battle, 0, 18)) == []
    assert refused(space, ahead(battle, 0, 20)) == {"6e.zoom.minimum"}
