"""The Movement phase of the 3rd edition as it is played: ledger and core rules, scene by scene."""

from __future__ import annotations

import pytest

from battlewright.core.decisions import ModelMove, Place
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.procedures.joining import may_part
from battlewright.editions.classic.procedures.movement import limits_of, move_space
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Deed, MoveKind, Phase
from support.classic import printed_weapon, scene, unit

ONE_INCH = "25.4mm"


def wood(x0: float, y0: float, x1: float, y1: float) -> TerrainArea:
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return TerrainArea("wood", corners, tags=frozenset({"difficult", "area", "woods"}))


def to(row: int, *points: tuple[float, float]) -> ModelMove:
    return ModelMove(row, tuple((round(1000 * x), round(1000 * y), 0, 0) for x, y in points))


def space_of(battle: ClassicBattle, number: int = 0, kind: MoveKind = MoveKind.NORMAL) -> MoveSpace:
    return move_space(battle.scene, battle.state, number, kind, limits_of(battle.scene, battle.state, number, kind))


def faults(space: MoveSpace, *moves: ModelMove) -> list[str]:
    return [violation.rule for violation in space.check(Place(moves))]


@pytest.mark.rule("3e.movement.six", "3e.core.movement.infantry")
def test_infantry_moves_six_inches() -> None:
    space = space_of(scene(unit(1, base=ONE_INCH).at(10, 10)))
    assert faults(space, to(0, (16, 10))) == []
    assert faults(space, to(0, (16.1, 10))) == ["3e.movement.six"]


@pytest.mark.rule("3e.movement.one-inch-movement", "3e.core.movement.one-inch", "3e.movement.one-inch-always")
def test_nobody_comes_nearer_than_an_inch_to_an_enemy() -> None:
    battle = scene(unit(1, base=ONE_INCH).at(10, 10), unit(1, base=ONE_INCH).at(16, 10))
    assert faults(space_of(battle), to(0, (14.5, 10))) == ["3e.movement.one-inch-movement"]
    assert faults(space_of(battle), to(0, (14.0, 10))) == []


@pytest.mark.rule("3e.formation.two-inch", "3e.formation.checked-end-of-movement", "3e.char-units.upgrade-formation")
def test_a_unit_that_could_stay_in_formation_has_to() -> None:
    battle = scene(unit(3, base=ONE_INCH).at(10, 10, apart=2))
    assert faults(space_of(battle), to(2, (17, 10))) == ["3e.formation.checked-end-of-movement"]
    assert faults(space_of(battle), to(2, (15, 10))) == []


@pytest.mark.rule("3e.formation.regain", "3e.core.fundamentals.restoring-coherency")
def test_a_gap_that_can_be_closed_has_to_be_closed() -> None:
    battle = scene(unit(3, base=ONE_INCH).on((10, 10), (12, 10), (18, 10)))
    space = space_of(battle)
    assert faults(space) == ["3e.formation.checked-end-of-movement"]
    assert space.check(space.default()) == []
    battle.answer("end")
    assert battle.decision is not None
    assert battle.decision.kind == "move-normal"
    battle.answer(battle.decision.default())
    assert space_of(battle).is_in_formation


@pytest.mark.rule("3e.formation.only-if-possible", "3e.formation.penalty")
def test_a_gap_that_cannot_be_closed_bars_from_shooting() -> None:
    gun = unit(1, weapons=[printed_weapon()])
    battle = scene([unit(2, base=ONE_INCH).on((10, 10), (31, 10)), gun.at(10, 30)], unit(1).at(10, 40))
    best = space_of(battle).default()
    battle.answer("a.1")
    battle.answer(best)
    battle.answer("end")
    assert battle.state.phase == Phase.SHOOTING
    assert battle.state.units[0].has(Deed.OUT_OF_FORMATION)


@pytest.mark.rule("3e.terrain.others-unaffected", "3e.core.movement.avoiding-terrain")
def test_without_a_test_models_keep_out_of_difficult_terrain() -> None:
    battle = scene(unit(1, base=ONE_INCH).at(10, 10), terrain=[wood(12, 8, 20, 12)])
    assert faults(space_of(battle), to(0, (14, 10))) == ["3e.terrain.test"]
    assert faults(space_of(battle), to(0, (10, 16))) == []


def entering(dice: list[int], gap: float) -> MoveSpace:
    """One model of 1" before a wood, after the test; declared to enter."""
    battle = scene(
        unit(1, base=ONE_INCH).at(10, 10), terrain=[wood(10.5 + gap, 5, 25, 15)], dice=[("terrain-test", dice)]
    )
    for answer in ("a.1", "terrain", "all"):
        battle.answer(answer)
    assert battle.decision is not None
    space = battle.decision.choices
    assert isinstance(space, MoveSpace)
    return space


@pytest.mark.rule("3e.terrain.enter-cap", "3e.terrain.test", "3e.core.movement.difficult-terrain")
def test_who_enters_moves_as_far_as_the_higher_die() -> None:
    space = entering([3, 5], 2.0)
    assert faults(space, to(0, (15, 10))) == []
    assert faults(space, to(0, (15.2, 10))) == ["3e.terrain.enter-cap"]


@pytest.mark.rule("3e.terrain.enter-minimum", "3e.terrain.no-withdrawal")
def test_who_enters_gets_at_least_just_inside_and_has_to() -> None:
    space = entering([1, 2], 4.0)
    assert faults(space, to(0, (15, 10))) == []
    assert faults(space, to(0, (15.5, 10))) == ["3e.terrain.enter-cap"]
    assert faults(space, to(0, (10, 14))) == ["3e.terrain.no-withdrawal"]
    assert faults(space) == ["3e.terrain.no-withdrawal"]
    assert space.check(space.default()) == []


@pytest.mark.rule("3e.terrain.enter-needs-six")
def test_only_who_would_get_inside_may_try() -> None:
    battle = scene(unit(1, base=ONE_INCH).at(10, 10), terrain=[wood(16, 5, 25, 15)], dice=[("terrain-test", [3, 5])])
    battle.answer("a.1")
    battle.answer("terrain")
    assert battle.decision is not None
    assert battle.decision.kind == "move-normal"  # nobody could be declared


@pytest.mark.rule("3e.terrain.leave-short", "3e.terrain.leave-cap")
def test_who_does_not_get_out_stays_inside() -> None:
    battle = scene(unit(1, base=ONE_INCH).at(10, 10), terrain=[wood(5, 5, 12.5, 15)], dice=[("terrain-test", [2, 1])])
    battle.answer("a.1")
    battle.answer("terrain")
    assert battle.decision is not None
    space = battle.decision.choices
    assert isinstance(space, MoveSpace)
    assert faults(space, to(0, (11.9, 10))) == []
    assert "3e.terrain.leave-short" in faults(space, to(0, (13.2, 10)))


@pytest.mark.rule("3e.core.movement.locked-and-pinned", "3e.outside.pinned")
def test_who_is_pinned_or_locked_is_not_moved() -> None:
    a = [unit(1).at(10, 10).having(pinned=True), unit(1, base=ONE_INCH).at(30, 10), unit(1).at(50, 10)]
    battle = scene(a, unit(1, base=ONE_INCH).at(31, 10))
    assert battle.decision is not None
    assert [option.key for option in battle.options()] == ["a.3", "end"]


@pytest.mark.rule(
    "3e.jump.end-test", "3e.jump.no-saves", "3e.jump.only-own-models", "3e.core.movement.dangerous-by-type"
)
def test_jump_troops_risk_landing_in_a_wood() -> None:
    battle = scene(
        unit(3, "JUMP TROOPS", base=ONE_INCH).at(10, 10, apart=2),
        terrain=[wood(8, 14, 12.8, 20)],
        dice=[("terrain-accident", [1, 4])],
    )
    battle.answer("a.1")
    battle.answer("normal")
    battle.answer(Place((to(0, (10, 16)), to(1, (12, 16)), to(2, (14, 16)))))
    assert battle.state.wounds.tolist() == [0, 1, 1]
    assert not battle.state.on_table[0]


@pytest.mark.rule("3e.cavalry.start-or-through", "3e.cavalry.not-slowed", "3e.bikes.test", "3e.jetbikes.over-free")
@pytest.mark.parametrize(("kind", "dice"), [("CAVALRY", [4]), ("BIKE", [4]), ("JETBIKE", None)])
def test_riders_cross_a_wood_at_their_risk(kind: str, dice: list[int] | None) -> None:
    battle = scene(
        unit(1, kind, base=ONE_INCH).at(10, 10),
        terrain=[wood(11, 5, 13, 15)],
        dice=[("terrain-accident", dice)] if dice else [],
    )
    battle.answer("a.1")
    battle.answer(Place((to(0, (16, 10)),)))
    assert battle.state.position[0, 0] == 16_000


@pytest.mark.rule("3e.core.vehicles.difficult-terrain", "3e.core.vehicles.movement")
def test_a_vehicle_stops_where_it_breaks_down() -> None:
    battle = scene(
        unit(1, "VEHICLE", base=ONE_INCH).at(10, 10), terrain=[wood(14, 5, 20, 15)], dice=[("vehicle-terrain", [1])]
    )
    battle.answer("a.1")
    battle.answer(Place((to(0, (18, 10)),)))
    assert battle.state.units[0].immobilised
    assert 13_300 < battle.state.position[0, 0] <= 13_500


@pytest.mark.rule("3e.march.double", "3e.march.eligible")
def test_a_unit_far_from_enemies_marches_where_that_was_agreed() -> None:
    battle = scene([unit(1).at(5, 5), unit(1).at(5, 40)], unit(1).at(70, 5), options={"march_moves": "yes"})
    battle.answer("a.1")
    battle.answer("march")
    battle.answer(Place((to(0, (17, 5)),)))
    assert battle.state.units[0].has(Deed.MARCHED)


@pytest.mark.rule("3e.char-units.join", "3e.char-units.declare", "3e.core.characters.joining")
def test_a_character_within_two_inches_may_join() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", base=ONE_INCH, name="Captain")
    battle = scene([unit(2, base=ONE_INCH).at(10, 10), captain.at(20, 10)])
    battle.answer("a.2")
    battle.answer(Place((to(2, (15, 10)),)))
    battle.answer("end")
    battle.answer("a.1")
    assert battle.state.units[1].joined == 0
    assert battle.state.units[0].models == (0, 1, 2)


@pytest.mark.rule("3e.char-units.leave", "3e.char-units.joined-formation")
def test_a_character_leaves_by_moving_out_of_formation() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", base=ONE_INCH, name="Captain")
    for x, joined in ((19.5, -1), (15.0, 0)):
        battle = scene([unit(2, base=ONE_INCH).at(10, 10), captain.at(14, 10)])
        battle.answer("end")
        battle.answer("a.1")
        while battle.state.turn != 0 or battle.state.phase != Phase.MOVEMENT or battle.state.round == 2:
            assert battle.decision is not None
            battle.answer(battle.decision.default())
        battle.answer("a.2:leave")
        battle.answer(Place((to(2, (x, 10)),)))
        assert battle.state.units[1].joined == joined


@pytest.mark.rule("3e.char-units.leave", "3e.char-units.only-movement")
def test_a_character_who_fell_in_his_unit_sets_out_no_more() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", base=ONE_INCH, name="Captain")
    battle = scene([unit(2, base=ONE_INCH).at(10, 10), captain.at(14, 10)])
    battle.answer("end")
    battle.answer("a.1")
    state = battle.state
    while state.turn != 0 or state.phase != Phase.MOVEMENT or state.round == 2:
        assert battle.decision is not None
        battle.answer(battle.decision.default())
    assert may_part(battle.scene, state, 1)
    state.wounds[2], state.on_table[2] = 0, False
    assert not may_part(battle.scene, state, 1)


@pytest.mark.rule("3e.core.movement.not-through-friends")
def test_nobody_walks_through_friends_unless_a_base_fits_between_them() -> None:
    walker, friends = unit(1, base=ONE_INCH).at(10, 10), unit(2, base=ONE_INCH)
    for apart, free in ((2.1, True), (1.9, False)):
        battle = scene([walker, friends.on((12, 10 - apart / 2), (12, 10 + apart / 2))])
        assert (faults(space_of(battle), to(0, (14, 10))) == []) is free
    jumper = unit(1, "JUMP TROOPS", base=ONE_INCH).at(10, 10)
    assert faults(space_of(scene([jumper, friends.on((12, 9.5), (12, 10.5))])), to(0, (14, 10))) == []


@pytest.mark.rule("3e.core.units.jump-troops", "3e.core.movement.terrain-classes")
def test_jump_troops_may_go_on_foot() -> None:
    battle = scene(unit(1, "JUMP TROOPS", base=ONE_INCH).at(10, 10), terrain=[wood(12, 8, 20, 12)])
    battle.answer("a.1")
    assert [option.key for option in battle.options()] == ["normal", "on foot", "on foot:terrain"]
    battle.answer("on foot")
    assert battle.decision is not None
    space = battle.decision.choices
    assert isinstance(space, MoveSpace)
    assert faults(space, to(0, (10, 16))) == []
    assert faults(space, to(0, (10, 17))) == ["3e.movement.six"]
    assert faults(space, to(0, (14, 10))) == ["3e.terrain.test"]


@pytest.mark.rule("3e.core.movement.fleet")
def test_fleet_troops_move_a_die_in_place_of_shooting_over_any_ground() -> None:
    runners = unit(1, "BEAST", abilities=["Fleet of Claw"], base=ONE_INCH).at(10, 10)
    battle = scene(
        runners,
        unit(1).at(40, 10),
        phase=Phase.SHOOTING,
        terrain=[wood(11, 8, 20, 12)],
        dice=[("fleet", [4])],
    )
    assert [option.key for option in battle.options()] == ["a.1:fleet", "end"]
    battle.answer("a.1:fleet")
    assert battle.decision is not None
    space = battle.decision.choices
    assert isinstance(space, MoveSpace)
    assert faults(space, to(0, (14, 10))) == []
    assert faults(space, to(0, (14.2, 10))) == ["3e.core.movement.fleet"]
    battle.answer(Place((to(0, (14, 10)),)))
    assert battle.state.units[0].has(Deed.DASHED)
    assert battle.state.phase != Phase.SHOOTING


@pytest.mark.rule("3e.core.missions.minefield")
def test_a_minefield_goes_off_under_who_crosses_it() -> None:
    corners = ((12.0, 6.0), (16.0, 6.0), (16.0, 14.0), (12.0, 14.0))
    mines = TerrainArea("mines", corners, tags=frozenset({"minefield"}))
    battle = scene(
        unit(2, base=ONE_INCH, Sv="6+").on((10, 8), (10, 10)),
        terrain=[mines],
        dice=[("mines", [3, 4]), ("wound", [6]), ("save", [5])],
        alone=True,
    )
    battle.answer("a.1")
    battle.answer(Place((to(0, (15, 8)), to(1, (15, 10)))))
    assert battle.state.wounds.tolist() == [1, 0]
