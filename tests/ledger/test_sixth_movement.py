"""Movement in the 6th edition as it is played: core rules, scene by scene."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.core.decisions import Place
from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.footwork import why_no_second_move, why_unit_may_not_move
from battlewright.editions.classic.formation import in_formation
from battlewright.editions.classic.kinds import move_allowance
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.procedures.dashing import second_move_of, thrust_of
from battlewright.editions.classic.procedures.passengers import boarding_of
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.reserves import arrives
from battlewright.editions.classic.scene import ClassicBattle, traits_of_model
from battlewright.editions.classic.state import ClassicUnit, Deed, MoveKind, Phase
from battlewright.editions.classic.terrain import Crossing, accident_dice, dice_with_dangerous
from battlewright.editions.classic.transports import room_of, why_no_boarding
from battlewright.editions.classic.weapons import Strength
from battlewright.editions.sixth.allocating import may_go_to_ground
from battlewright.editions.sixth.charging import charge_range, strikes_late
from battlewright.editions.sixth.covering import with_bonuses
from battlewright.editions.sixth.firing import snaps
from battlewright.editions.sixth.movement import KINDS, arrives_on, passes_accidents, run
from support.classic import UnitSpec, scene, unit, weapon
from support.moving import asked, faults, space_of, to, wood

ONE_INCH = "25.4mm"


def field(*units: Any, **features: Any) -> ClassicBattle:
    return scene(list(units), features.pop("b", ()), edition="6", **features)


def keys(battle: ClassicBattle) -> list[str]:
    return [option.key for option in battle.options()]


# -- moving -----------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "6e.core.movement.infantry",
    "6e.core.movement.monstrous",
    "6e.core.movement.jump",
    "6e.core.movement.jet-pack",
    "6e.core.movement.bike",
    "6e.core.movement.jetbike",
)
def test_how_far_each_kind_moves() -> None:
    found = {kind: move_allowance(KINDS, kind) for kind in Kind}
    assert {kind for kind, inches in found.items() if inches == 6.0} == {
        Kind.INFANTRY,
        Kind.MONSTROUS,
        Kind.ARTILLERY,
    }
    assert {inches for inches in found.values() if inches != 6.0} == {12.0}
    assert move_allowance(KINDS, Kind.JUMP, ("JET PACK",)) == 6.0


@pytest.mark.rule("6e.core.movement.difficult-terrain", "6e.outside.difficult-terrain", "6e.core.movement.infantry")
def test_difficult_terrain_caps_every_model_at_the_higher_die() -> None:
    battle = field(
        unit(2, base=ONE_INCH).on((10, 10), (10, 12)), terrain=[wood(12, 8, 20, 11)], dice=[("terrain-test", [2, 4])]
    )
    space = asked(battle, "a.1", "terrain")
    assert faults(space, to(0, (14, 10)), to(1, (14, 12))) == []
    assert faults(space, to(0, (13, 10)), to(1, (14.2, 12)))


@pytest.mark.rule("6e.core.movement.monstrous", "6e.core.special-rules.move-through-cover")
def test_monstrous_creatures_take_the_best_of_three_dice() -> None:
    battle = field(
        unit(1, "MONSTROUS CREATURE", base=ONE_INCH).at(10, 10),
        terrain=[wood(12, 8, 20, 12)],
        dice=[("terrain-test", [1, 2, 6])],
    )
    assert faults(asked(battle, "a.1", "terrain"), to(0, (16, 10))) == []


@pytest.mark.rule("6e.core.movement.dangerous-terrain", "6e.outside.dangerous-terrain")
def test_dangerous_terrain_wounds_on_a_one_each_area_once() -> None:
    battle = field(
        unit(1, base=ONE_INCH, W=2, Sv="2+").at(10, 10),
        terrain=[wood(12, 8, 20, 12, "dangerous")],
        dice=[("terrain-accident", [1])],
    )
    battle.answer("a.1")
    battle.answer(Place((to(0, (14, 10)),)))
    assert battle.state.wounds[0] == 1
    both = Crossing(starts=True, ends=True, passes=True, dangerous=True)
    assert dice_with_dangerous(KINDS.of(Kind.INFANTRY), [both]) == 1
    assert dice_with_dangerous(KINDS.of(Kind.JUMP), [both]) == 1


@pytest.mark.rule("6e.core.movement.jump", "6e.core.movement.jet-pack", "6e.core.movement.jetbike")
@pytest.mark.rule("6e.core.movement.bike")
def test_who_flies_tests_where_he_starts_or_ends() -> None:
    for rules in (KINDS.of(Kind.JUMP), KINDS.of(Kind.JUMP, ("JET PACK",)), KINDS.of(Kind.JETBIKE)):
        crossings = (Crossing(passes=True), Crossing(starts=True), Crossing(ends=True), Crossing(True, True))
        assert [accident_dice(rules.risk, each) for each in crossings] == [0, 1, 1, 1]
        assert rules.flies
        assert not rules.slowed
    assert accident_dice(KINDS.of(Kind.BIKE).risk, Crossing(passes=True)) == 1
    battle = field(unit(1, "JUMP TROOPS", base=ONE_INCH).at(10, 10), terrain=[wood(12, 8, 18, 12)], dice=[])
    assert faults(space_of(battle), to(0, (22, 10))) == []


@pytest.mark.rule("6e.core.movement.beasts-and-cavalry", "6e.core.special-rules.skilled-rider")
@pytest.mark.rule("6e.core.units.beasts", "6e.core.units.cavalry")
@pytest.mark.parametrize("kind", ["BEAST", "CAVALRY"])
def test_beasts_and_cavalry_cross_a_wood_without_dice(kind: str) -> None:
    battle = field(unit(1, kind, base=ONE_INCH).at(10, 10), terrain=[wood(12, 8, 18, 12)], dice=[])
    asked(battle, "a.1")
    battle.answer(Place((to(0, (22, 10)),)))
    assert battle.state.position[0, 0] == 22_000
    traits = traits_of_model(battle.scene, 0)
    assert "FLEET" in traits
    assert passes_accidents(traits)


@pytest.mark.rule("6e.core.movement.one-inch", "6e.core.movement.impassable")
def test_nobody_moves_over_models_or_near_enemies_unless_he_flies() -> None:
    foe = unit(3, base=ONE_INCH).on((13, 8.9), (13, 10), (13, 11.1))
    walker = field(unit(1, base=ONE_INCH).at(10, 10), b=foe, terrain=[wood(5, 12, 15, 20, "impassable")])
    assert faults(space_of(walker), to(0, (15.5, 10)))
    assert faults(space_of(walker), to(0, (11.5, 10)))
    assert faults(space_of(walker), to(0, (10, 13)))
    flier = field(unit(1, "JETBIKE", base=ONE_INCH).at(10, 10), b=foe)
    assert faults(space_of(flier), to(0, (15.5, 10))) == []


@pytest.mark.rule("6e.core.fundamentals.coherency", "6e.outside.coherency")
def test_coherency_is_two_inches() -> None:
    battle = field(unit(2, base=ONE_INCH).on((10, 10), (13.2, 10)))
    assert not in_formation(gaps(battle.scene, battle.state, [0, 1], [0, 1]))
    near = field(unit(2, base=ONE_INCH).on((10, 10), (13, 10)))
    assert in_formation(gaps(near.scene, near.state, [0, 1], [0, 1]))


@pytest.mark.rule("6e.core.units.jump")
def test_jump_units_may_keep_their_packs_for_the_charge() -> None:
    battle = field(unit(1, "JUMP TROOPS", base=ONE_INCH).at(10, 10), alone=True)
    battle.answer("a.1")
    assert keys(battle) == ["normal", "on foot"]
    space = asked(battle, "on foot")
    assert faults(space, to(0, (16, 10))) == []
    assert faults(space, to(0, (16.2, 10)))
    battle.answer(Place((to(0, (16, 10)),)))
    assert battle.state.units[0].last_way == MoveKind.FOOT
    assert {"BULKY", "DEEP STRIKE"} <= traits_of_model(battle.scene, 0)


# -- running, boosting, thrusting -------------------------------------------------------------------------------


def shooting(one: UnitSpec, *dice: tuple[str, list[int]]) -> ClassicBattle:
    return field(
        one.at(10, 10),
        b=unit(1, base=ONE_INCH).at(60, 40),
        phase=Phase.SHOOTING,
        terrain=[wood(11, 8, 20, 12)],
        dice=list(dice),
        alone=True,
    )


@pytest.mark.rule("6e.core.movement.run", "6e.core.movement.infantry")
def test_everybody_runs_in_place_of_shooting_and_charges_no_more() -> None:
    battle = shooting(unit(1, base=ONE_INCH), ("run", [5]))
    space = asked(battle, "a.1:run")
    assert faults(space, to(0, (15, 10))) == []
    assert faults(space, to(0, (15.2, 10)))
    battle.answer(Place((to(0, (15, 10)),)))
    mine = battle.state.units[0]
    assert mine.has(Deed.RAN)
    assert bars_assault(mine.deeds)


@pytest.mark.rule("6e.core.special-rules.fleet", "6e.core.movement.run")
def test_fleet_troops_throw_the_run_again() -> None:
    battle = shooting(unit(1, base=ONE_INCH, abilities=["Fleet"]), ("run", [1]), ("run", [4]))
    space = asked(battle, "a.1:run", "again")
    assert faults(space, to(0, (14, 10))) == []
    assert faults(space, to(0, (14.2, 10)))


@pytest.mark.rule("6e.core.special-rules.crusader", "6e.core.special-rules.slow-and-purposeful")
@pytest.mark.rule("6e.core.units.artillery")
def test_crusaders_run_better_and_the_slow_and_guns_not_at_all() -> None:
    found = run({"CRUSADER"}, [Kind.INFANTRY])
    assert found is not None
    assert found.dice == 2
    assert run({"SLOW AND PURPOSEFUL"}, [Kind.INFANTRY]) is None
    assert run(frozenset(), [Kind.ARTILLERY, Kind.INFANTRY]) is None
    flat_out = run(frozenset(), [Kind.VEHICLE])
    assert flat_out is not None
    assert flat_out.way == "flat-out"
    walker = run({"WALKER"}, [Kind.VEHICLE])
    assert walker is not None
    assert walker.way == found.way


@pytest.mark.rule("6e.core.movement.bike", "6e.core.movement.jetbike")
@pytest.mark.parametrize(("kind", "inches"), [("BIKE", 12), ("JETBIKE", 24)])
def test_bikes_boost_in_place_of_shooting(kind: str, inches: int) -> None:
    battle = shooting(unit(1, kind, base=ONE_INCH), ("terrain-accident", [4]))
    space = asked(battle, "a.1:turbo-boost")
    assert faults(space, to(0, (10, 10 + inches))) == []
    assert faults(space, to(0, (10, 10.2 + inches)))
    battle.answer(Place((to(0, (10, 10 + inches)),)))
    assert bars_assault(battle.state.units[0].deeds)


@pytest.mark.rule("6e.core.units.jet-pack")
def test_jet_packs_thrust_two_dice_in_the_assault_phase() -> None:
    one = unit(1, "JUMP TROOPS", "JET PACK", base=ONE_INCH).at(10, 10)
    battle = field(one, b=unit(1, base=ONE_INCH).at(60, 40), phase=Phase.ASSAULT, dice=[("thrust", [3, 4])])
    space = asked(battle, "a.1:thrust")
    assert faults(space, to(0, (17, 10))) == []
    assert faults(space, to(0, (17.2, 10)))
    battle.answer(Place((to(0, (17, 10)),)))
    assert thrust_of(battle.scene, battle.state, 0) is None
    assert {"BULKY", "DEEP STRIKE", "RELENTLESS"} <= traits_of_model(battle.scene, 0)


@pytest.mark.rule("6e.core.movement.run")
def test_who_is_pinned_or_falls_back_does_not_run() -> None:
    for flag in ("pinned", "falling_back"):
        battle = shooting(unit(1, base=ONE_INCH).having(**{flag: True}))
        assert second_move_of(battle.scene, battle.state, 0) is None


# -- coming into play -------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.missions.reserves", "6e.outside.reserves")
def test_reserves_arrive_on_three_and_then_without_a_die() -> None:
    assert [arrives_on(turn) for turn in range(1, 6)] == [None, 3, 3, 1, 1]
    assert [arrives(arrives_on(2), face) for face in (2, 3)] == [False, True]
    held = unit(1, base=ONE_INCH).having(in_reserves=True)
    battle = field(held, unit(1).at(10, 10), b=unit(1).at(60, 40), phase=Phase.START_OF_TURN, game_turn=4, dice=[])
    assert battle.decision is not None
    assert battle.decision.kind == "arrive"
    battle.answer(battle.decision.default())
    assert bars_assault(battle.state.units[0].deeds)


def dropped(*dice: tuple[str, list[int]]) -> ClassicBattle:
    drop = unit(2, "JUMP TROOPS", base=ONE_INCH).having(in_reserves=True, arriving=True)
    battle = field(drop, unit(1).at(5, 5), b=unit(1, base=ONE_INCH).at(32, 20), dice=[("scatter", [6, 1, 1]), *dice])
    battle.answer("deep-strike")
    battle.answer(Place((to(0, (30, 20)),)))
    return battle


@pytest.mark.rule("6e.core.missions.deep-strike", "6e.core.missions.mishap")
def test_a_deep_strike_that_cannot_be_placed_has_a_mishap() -> None:
    gone = dropped(("mishap", [1]))
    assert not any(gone.state.wounds[:2])
    moved = dropped(("mishap", [2]))
    assert moved.decision is not None
    assert moved.decision.kind == "place-astray"
    assert moved.decision.side == 1
    moved.answer(moved.decision.default())
    assert moved.state.on_table[:2].all()
    back = dropped(("mishap", [4]))
    assert back.state.units[0].in_reserves
    assert back.state.units[0].ongoing


@pytest.mark.rule("6e.core.special-rules.scout")
def test_scouts_move_ahead_keep_away_and_do_not_charge_in_the_first_turn() -> None:
    one = unit(1, base=ONE_INCH, abilities=["Scout"])
    battle = field(one, b=unit(1, base=ONE_INCH), phase=Phase.SETUP)
    before = ("choose-first-turn", "choose-zone", "lay-objective", "select-unit-to-deploy", "deploy")
    while battle.decision is not None and battle.decision.kind in before:
        battle.answer(battle.decision.default())
    space = asked(battle, "a.1")
    assert battle.decision is not None
    assert battle.decision.kind == "move-scout"
    x, y = (float(value) / 1000 for value in battle.state.position[0, :2])
    inward = 1 if y < 24 else -1
    assert faults(space, to(0, (x, y + 6 * inward))) == []
    assert faults(space, to(0, (x, y + 6.2 * inward)))
    battle.answer(Place((to(0, (x, y + 6 * inward)),)))
    assert battle.state.units[0].ahead


@pytest.mark.rule("6e.core.missions.outflank", "6e.core.special-rules.acute-senses")
def test_outflanking_units_come_on_from_a_side() -> None:
    def flank(*dice: list[int], senses: bool = False) -> ClassicBattle:
        words = ["Outflank", "Acute Senses"] if senses else ["Outflank"]
        held = unit(1, base=ONE_INCH, abilities=words).having(in_reserves=True, arriving=True)
        battle = field(held, unit(1).at(40, 5), b=unit(1).at(60, 40), dice=[("outflank", faces) for faces in dice])
        battle.answer("outflank")
        return battle

    for face, x in ((2, 3), (3, 69)):
        battle = flank([face])
        assert battle.decision is not None
        assert battle.decision.check(Place((to(0, (x, 30)),))) == []
        assert battle.decision.check(Place((to(0, (36, 3)),)))
    assert keys(flank([5])) == ["west", "east"]
    again = flank([1], [4], senses=True)
    assert keys(again) == ["again", "keep"]
    again.answer("again")
    assert again.decision is not None
    assert again.decision.check(Place((to(0, (69, 30)),))) == []


@pytest.mark.rule("6e.core.units.bulky")
def test_bulky_models_take_more_room() -> None:
    assert [room_of({name}) for name in ("INFANTRY", "BULKY", "VERY BULKY", "EXTREMELY BULKY")] == [1, 2, 3, 5]
    hull = unit(1, "VEHICLE", "TRANSPORT", abilities=["Transport Capacity 4"], base="60mm").at(20, 20)
    for words, fits in (((), True), (("BULKY",), False)):
        three = unit(3, "INFANTRY", *words, base=ONE_INCH).on((20, 22), (21, 22), (19, 22))
        battle = field(hull, three)
        found = why_no_boarding(boarding_of(battle.scene, battle.state, 1, 0))
        assert (not found) is fits


@pytest.mark.rule("6e.core.movement.gliding")
def test_flying_monsters_glide_as_jump_units() -> None:
    words = ("MONSTROUS CREATURE", "FLYING MONSTROUS CREATURE")
    assert move_allowance(KINDS, Kind.MONSTROUS, words) == 12.0
    rules = KINDS.of(Kind.MONSTROUS, words)
    assert (rules.flies, rules.slowed, rules.risk) == (True, False, KINDS.of(Kind.JUMP).risk)


@pytest.mark.rule("6e.core.movement.going-to-ground", "6e.core.movement.no-ground", "6e.core.movement.gone-to-ground")
def test_who_has_gone_to_ground_has_better_cover_and_does_little() -> None:
    assert with_bonuses(5, frozenset(), gone_to_ground=True) == 4
    assert with_bonuses(None, frozenset(), gone_to_ground=True) == 6
    assert may_go_to_ground([Kind.INFANTRY], fearless=False, down=False, falls_back=False)
    assert not may_go_to_ground([Kind.VEHICLE], fearless=False, down=False, falls_back=False)
    assert not may_go_to_ground([Kind.INFANTRY], fearless=True, down=False, falls_back=False)
    down = ClassicUnit(0, (), pinned=True)
    assert why_unit_may_not_move(down, in_combat=False)
    assert why_no_second_move(down)
    assert snaps(down, weapon(), False)


def charged(*, down: bool, fell: bool) -> tuple[ClassicBattle, float]:
    """A charge through a wood at enemies who lie on the ground or not, by a unit that has gone to ground or not."""
    battle = field(
        unit(1, base=ONE_INCH).at(10, 10),
        b=unit(1, base=ONE_INCH).at(16, 10).having(pinned=down),
        phase=Phase.ASSAULT,
        terrain=[wood(11.5, 5, 13, 15)],
        dice=[] if fell else [("charge", [3, 4, 6])],
    )
    battle.state.units[0].pinned = fell
    procedure = charge_range(battle, 0, [1], 12.0)
    try:
        next(procedure)
    except StopIteration as done:
        return battle, float(done.value)
    raise AssertionError("nobody has anything to choose")


@pytest.mark.rule("6e.core.movement.ground-in-a-charge", "6e.core.movement.charged-on-the-ground")
def test_going_to_ground_and_charges() -> None:
    battle, inches = charged(down=False, fell=False)
    assert inches == 7.0
    assert battle.state.units[0].charged_through
    battle, inches = charged(down=True, fell=False)
    assert inches == 7.0
    assert not battle.state.units[0].charged_through
    assert not strikes_late(difficult=True, down=[True])
    assert charged(down=False, fell=True)[1] == 0.0


@pytest.mark.rule("6e.core.fundamentals.modifier-order")
def test_multiplying_comes_before_adding_and_ten_is_the_most() -> None:
    assert Strength(times=2, more=1).of(4) == 9
    assert Strength(times=2, more=1).of(6) == 10
    assert Strength(fixed=8).of(3) == 8
