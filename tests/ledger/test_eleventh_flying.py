"""Taking to the skies, Hover, Super-Heavy Walker, AIRCRAFT in combat, surge moves (21, 23, 24.17, 24.35)."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.core.decisions import Place
from battlewright.editions.eleventh.charge import charge_targets, may_declare_charge
from battlewright.editions.eleventh.close_moves import charge_space
from battlewright.editions.eleventh.events import ChargeDeclared
from battlewright.editions.eleventh.fight import consolidation_mode, may_pile_in
from battlewright.editions.eleventh.flying import (
    aloft_limits,
    closest_enemies,
    loss_aloft,
    may_surge,
    surge,
    surge_space,
    take_mobile,
    take_to_the_skies,
)
from battlewright.editions.eleventh.movement import (
    advance_space,
    eligible_moves,
    fall_back_space,
    may_be_selected_to_move,
    normal_space,
)
from battlewright.editions.eleventh.moves import MoveSpace, carry_out
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import MoveKind, Phase
from battlewright.editions.eleventh.targeting import AttackKind
from support.combat import aim, broken, events_of, no_dice_left, run, run_asking
from support.eleventh import UnitSpec, attached, box, decision, place, rules_broken, scene, unit, walk, weapon

SKIES = "11e.core.21.03-take-to-the-skies"
NORMAL = "11e.core.09.05-normal-move"
WALL = "11e.core.13.06-dense-others"
THROUGH = "11e.core.03.01-not-through-enemies"

JETS = unit(1, "MOUNTED", "FLY", base="25.4mm", M='12"', name="Jet")


def faults(space: MoveSpace, *points: tuple[float, ...]) -> set[str]:
    """What a move of the one model by these points would break."""
    return {each.rule for each in space.check(place(walk(0, *points)))}


def normal(battle: Battle11, inches: float = 12, **how: bool) -> MoveSpace:
    return normal_space(battle.scene, battle.state, 0, {0: round(1000 * inches)}, **how)


# -- taking to the skies (21.03, 24.17) -------------------------------------------------------------------------


@pytest.mark.rule(SKIES)
@pytest.mark.parametrize("kind", ["normal", "advance", "fall-back"])
def test_a_unit_that_can_fly_may_take_to_the_skies_before_its_move(kind: str) -> None:
    foe = unit(base="25.4mm").at(10, 12) if kind == "fall-back" else unit().at(40, 50)
    battle = scene(JETS.at(10, 10), foe, dice=[("advance", (3,))] if kind == "advance" else [])
    battle.answer("a.1")
    battle.answer(kind)
    assert [option.key for option in battle.options()] == ["skies", "ground"]
    battle.answer("skies")
    if kind == "fall-back":
        battle.answer("ordered-retreat")
    far = 13.0 if kind == "advance" else 10.0
    assert rules_broken(battle, place(walk(0, (10 + far, 10)))) == set()
    assert rules_broken(battle, place(walk(0, (10 + far + 0.1, 10)))) == {decision(battle).rule}


@pytest.mark.rule(SKIES)
def test_others_are_not_asked_and_one_that_can_fly_is_enough() -> None:
    for spec, asked in ((unit().at(5, 5), False), (attached(unit(2), JETS).at(5, 5), True)):
        battle = scene(spec)
        assert bool(run_asking(take_to_the_skies(battle, 0))[1]) is asked


@pytest.mark.rule("11e.24.17-hover.no-two-inch-loss", SKIES)
def test_hover_keeps_the_full_distance() -> None:
    for abilities, loss in ((["Hover"], 0), ([], 2)):
        battle = scene(unit(1, "VEHICLE", "FLY", M='12"', abilities=abilities).at(5, 5))
        assert loss_aloft(battle.scene, battle.state, 0) == loss
        assert aloft_limits(battle.scene, battle.state, 0, {0: 12_000}) == {0: 12_000 - 1000 * loss}


@pytest.mark.rule(SKIES)
def test_in_the_skies_models_and_terrain_are_no_hindrance() -> None:
    tank = unit(1, "VEHICLE", base="60mm").at(10, 15)
    battle = scene(JETS.at(10, 10), [tank, unit().at(15, 10)], terrain=[box(4, 12, 6, 14, 6)])
    ground, aloft = normal(battle), normal(battle, aloft=True)
    for point, breach in (((10, 20), THROUGH), ((20, 10), THROUGH)):
        assert (faults(ground, point), faults(aloft, point)) == ({breach}, set())
    assert faults(normal(battle), (5, 10), (5, 17)) == {WALL}
    assert faults(normal(battle, aloft=True), (5, 10), (5, 17)) == set()


@pytest.mark.rule(SKIES, "11e.core.21.03-end-conditions")
def test_height_costs_nothing_in_the_skies_and_the_end_conditions_hold() -> None:
    tower = box(10, 14, 20, 20, 6, floors=[6.0])
    battle = scene(JETS.at(12, 10), unit(base="25.4mm").at(30, 10), terrain=[tower])
    assert faults(normal(battle, 9, aloft=True), (12, 18, 6)) == set()
    assert NORMAL in faults(normal(battle, 9), (12, 10, 6), (12, 18, 6))
    assert faults(normal(battle, 20, aloft=True), (28, 10)) == {"11e.core.03.04-unengaged"}
    assert faults(normal(battle, 20, aloft=True), (30, 10)) >= {"11e.core.03.01-end-check"}
    assert faults(normal(battle, 20, aloft=True), (12, 13.8, 6)) == {"11e.core.13.06-ending-above-ground"}


@pytest.mark.rule(SKIES)
def test_models_of_the_unit_that_cannot_fly_stay_on_the_ground() -> None:
    battle = scene(attached(JETS, unit(1, "INFANTRY", base="25.4mm", name="Rider")).on((10, 10), (11.5, 10)),
                   unit(3, base="60mm").at(9, 15, apart=2.4))  # fmt: skip
    space = normal_space(battle.scene, battle.state, 0, {0: 12_000, 1: 12_000}, aloft=True)
    found = space.check(place(walk(0, (10, 20)), walk(1, (11.5, 20))))
    assert {each.rule for each in found} == {THROUGH}
    assert all("model 1" in each.text for each in found)


@pytest.mark.rule("11e.core.21-heavy-and-fly")
@pytest.mark.parametrize(("keyword", "gone"), [("FLY", 2.0), ("INFANTRY", 8.0)])
def test_of_a_model_that_flies_only_the_horizontal_distance_counts_for_heavy(keyword: str, gone: float) -> None:
    battle = scene(unit(1, keyword).at(10, 10))
    carry_out(battle, 0, place(walk(0, (10, 10, 6), (12, 10, 6))), MoveKind.NORMAL)
    assert battle.state.units[0].moved_distance == 1000 * gone


@pytest.mark.rule(SKIES, "11e.core.11-take-to-the-skies")
@pytest.mark.parametrize(("abilities", "reach"), [([], 6), (["Hover"], 8)])
def test_a_charge_through_the_skies_is_two_inches_shorter(abilities: list[str], reach: int) -> None:
    flier = unit(1, "VEHICLE", "FLY", base="25.4mm", abilities=abilities)
    screen = unit(1, base="25.4mm", name="Screen").at(14, 10)
    battle = scene(flier.at(10, 10), [unit(base="25.4mm").at(18, 10), screen], phase=Phase.CHARGE, dice=[
        ("charge", (4, 4)),
    ])  # fmt: skip
    battle.answer("a.1")
    assert decision(battle).kind == "take-to-the-skies"
    battle.answer("skies")
    assert events_of(battle, ChargeDeclared)[0].distance == reach
    for aloft in (False, True):
        space = charge_space(battle, 0, [1], 12, aloft=aloft)
        assert (THROUGH in {each.rule for each in space.check(place(walk(0, (16.5, 10))))}) is not aloft


# -- Super-Heavy Walker (24.35) ---------------------------------------------------------------------------------

WALKER = unit(1, "VEHICLE", "WALKER", base="50.8mm", M='10"', name="Knight", abilities=["Super-Heavy Walker"])
SHW = "11e.24.35-super-heavy-walker."


@pytest.mark.rule(SHW + "move-types", SHW + "through-models")
def test_a_super_heavy_walker_passes_through_models_in_three_moves() -> None:
    foe = unit(1, "INFANTRY").at(20, 15)
    battle = scene(WALKER.at(20, 10), foe)
    limits = {0: 10_000}
    for space in (
        normal_space(battle.scene, battle.state, 0, limits),
        advance_space(battle.scene, battle.state, 0, limits),
        fall_back_space(battle.scene, battle.state, 0, limits, desperate=False),
    ):
        assert faults(space, (20, 20)) == set()
    assert THROUGH in faults(charge_space(battle, 0, [1], 12), (20, 20))
    plain = scene(unit(1, "VEHICLE", base="50.8mm").at(20, 10), foe)
    assert faults(fall_back_space(plain.scene, plain.state, 0, limits, desperate=False), (20, 20)) == {THROUGH}


@pytest.mark.rule(SHW + "through-models", SHW + "not-through-titanic")
@pytest.mark.parametrize(("keywords", "passes"), [(("VEHICLE",), True), (("MONSTER",), True),
                                                  (("VEHICLE", "TITANIC"), False)])  # fmt: skip
def test_it_passes_through_vehicles_and_monsters_but_not_titans(keywords: tuple[str, ...], passes: bool) -> None:
    for foe in (True, False):
        other = unit(1, *keywords, base="50.8mm").at(20, 15)
        battle = scene(WALKER.at(20, 10), other) if foe else scene([WALKER.at(20, 10), other])
        assert (faults(normal(battle, 10), (20, 20)) == set()) is passes


@pytest.mark.rule(SHW + "through-low-terrain")
@pytest.mark.parametrize(("height", "passes"), [(4.0, True), (4.5, False)])
def test_it_passes_through_walls_of_four_inches(height: float, passes: bool) -> None:
    battle = scene(WALKER.at(20, 10), terrain=[box(15, 14, 25, 15, height)])
    assert faults(normal(battle, 10), (20, 20)) == (set() if passes else {WALL})
    plain = scene(unit(1, "VEHICLE", base="50.8mm").at(20, 10), terrain=[box(15, 14, 25, 15, height)])
    assert faults(normal(plain, 10), (20, 20)) == {WALL}
    start, end = np.array([[20.0, 10.0, 0.0, 0.0]]), np.array([[20.0, 20.0, 0.0, 0.0]])
    assert bool(normal(battle, 10).passes(np.array([0]), start, end)[0]) is passes


HIGH = box(15, 14, 25, 15, 6)


@pytest.mark.rule(SHW + "optional-mobile", SHW + "mobile-dense-terrain", SHW + "move-types")
def test_mobile_is_a_choice_for_one_move_and_opens_dense_terrain() -> None:
    battle = scene(WALKER.at(20, 10), unit().at(2, 50), terrain=[HIGH])
    for kind, asked in ((MoveKind.NORMAL, 1), (MoveKind.ADVANCE, 1), (MoveKind.FALL_BACK, 1), (MoveKind.CHARGE, 0)):
        assert len(run_asking(take_mobile(battle, 0, kind))[1]) == asked
    battle.answer("a.1")
    battle.answer("normal")
    battle.answer("mobile")
    assert rules_broken(battle, place(walk(0, (20, 20)))) == set()
    assert faults(normal(battle, 10), (20, 20)) == {WALL}, "without MOBILE"


@pytest.mark.rule(SHW + "mobile-risk", SHW + "no-mobile-no-roll")
@pytest.mark.parametrize(("answer", "dice", "shocked"), [("mobile", (1,), True), ("mobile", (2,), False),
                                                         ("no", (), False)])  # fmt: skip
def test_a_one_after_a_move_with_mobile_shocks(answer: str, dice: tuple[int, ...], shocked: bool) -> None:
    script = [("super-heavy-walker", dice)] if dice else []
    battle = scene([WALKER.at(20, 10), unit().at(2, 2)], unit().at(2, 50), terrain=[HIGH], dice=script)
    battle.answer("a.1")
    battle.answer("normal")
    battle.answer(answer)
    battle.answer(place(walk(0, (20, 12))))
    assert battle.state.units[0].battle_shocked is shocked
    no_dice_left(battle)


# -- AIRCRAFT (23) ----------------------------------------------------------------------------------------------

PLANE = unit(
    1, "AIRCRAFT", "VEHICLE", "FLY", base="25.4mm", M='20"', name="Plane", weapons=[weapon("Claw", melee=True)]
)
TROOPS = unit(1, base="25.4mm", weapons=[weapon("Knife", melee=True)])
FLIERS = unit(1, "INFANTRY", "FLY", base="25.4mm", weapons=[weapon("Knife", melee=True)])


@pytest.mark.rule("11e.core.23.03-no-charges", "11e.core.11-aircraft-targets")
def test_aircraft_do_not_charge_and_only_fliers_charge_them() -> None:
    battle = scene([PLANE.at(20, 20), TROOPS.at(5, 24), FLIERS.at(35, 24)],
                   [PLANE.at(5, 30), PLANE.at(35, 30), TROOPS.at(20, 26)], phase=Phase.CHARGE)  # fmt: skip
    assert [may_declare_charge(battle.scene, battle.state, each) for each in (0, 1, 2)] == [False, False, True]
    assert charge_targets(battle.scene, battle.state, 2, 12) == [4]


@pytest.mark.rule("11e.core.23.04-melee")
def test_aircraft_fight_and_are_fought_by_fliers_only() -> None:
    for attacker, target, allowed in (
        (TROOPS, PLANE, False), (FLIERS, PLANE, True), (PLANE, TROOPS, False), (PLANE, FLIERS, True),
    ):  # fmt: skip
        battle = scene(attacker.at(20, 20), target.at(20, 22), phase=Phase.FIGHT)
        found = broken(battle, AttackKind.FIGHT, aim("b.1", 0))
        assert found == (set() if allowed else {"11e.core.23.04-melee"})


@pytest.mark.rule("11e.core.23.02-not-the-closest")
def test_only_fliers_mind_aircraft_when_they_pile_in_consolidate_and_surge() -> None:
    def closest(spec: UnitSpec) -> tuple[list[int], bool, str]:
        battle = scene(spec.at(20, 20).having(charged=True), [PLANE.at(20, 23.5), TROOPS.at(20, 27)], phase=Phase.FIGHT)
        state = battle.state
        return (
            closest_enemies(battle.scene, state, 0),
            may_pile_in(battle.scene, state, 0),
            consolidation_mode(battle.scene, state, 0),
        )

    assert closest(TROOPS) == ([2], False, "")
    assert closest(FLIERS) == ([1], True, "engaging")


@pytest.mark.rule("11e.core.23.02-moving-through")
def test_any_model_moves_through_aircraft() -> None:
    battle = scene(unit().at(20, 10), PLANE.at(20, 15))
    assert faults(normal(battle), (20, 20)) == set()


@pytest.mark.rule("11e.core.09-engaged-with-aircraft-only", "11e.core.09.05-normal-move", "11e.core.09.06-advance-move")
def test_whom_only_aircraft_engage_moves_as_ever_and_ends_unengaged() -> None:
    battle = scene(unit().at(20, 10), PLANE.at(20, 12))
    assert set(eligible_moves(battle.scene, battle.state, 0)) >= {MoveKind.NORMAL, MoveKind.ADVANCE}
    assert faults(normal(battle), (20, 16)) == set()
    assert faults(normal(battle), (20, 14)) == {"11e.core.03.04-unengaged"}
    battle = scene(unit().at(20, 10), PLANE.at(20, 17))
    assert faults(normal(battle), (20, 15)) == {"11e.core.03.04-unengaged"}


# -- surge moves (21.01) ----------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.21.01-surge-eligible")
def test_who_may_surge() -> None:
    def may(spec: UnitSpec, foe: tuple[float, float] = (20, 30)) -> bool:
        battle = scene(spec, TROOPS.at(*foe), phase=Phase.SHOOTING)
        return may_surge(battle.scene, battle.state, 0)

    assert may(TROOPS.at(20, 20))
    assert not may(TROOPS.at(20, 20).having(battle_shocked=True))
    assert not may(TROOPS.at(20, 20).having(moved_this_phase=True))
    assert not may(TROOPS.at(20, 20), (20, 22))
    assert not may(TROOPS)


@pytest.mark.rule("11e.core.21.01-surge-move")
def test_a_surge_move_goes_for_the_closest_enemy_and_is_the_last_of_the_phase() -> None:
    battle = scene(unit(2, base="25.4mm").at(20, 20), [TROOPS.at(20, 25), TROOPS.at(20, 31)])
    space = surge_space(battle.scene, battle.state, 0, 1, 6)

    def broken_by(*points: tuple[float, float]) -> set[str]:
        return {each.rule for each in space.check(place(*(walk(k, point) for k, point in enumerate(points))))}

    rule_id = "11e.core.21.01-surge-move"
    assert broken_by((20, 24), (20.87, 24.5)) == set()
    assert broken_by((20, 21), (22, 21)) == {rule_id}, "it could be engaged"
    assert broken_by((19, 19), (21, 19)) == {rule_id}, "no closer"
    beyond = scene(unit(1, base="25.4mm").at(20, 20), [TROOPS.at(20, 23.5), TROOPS.at(20, 24.8)])
    both = surge_space(beyond.scene, beyond.state, 0, 1, 6)
    assert {each.rule for each in both.check(place(walk(0, (18.9, 23.5))))} == {rule_id}, "engaged with the other"
    assert run(surge(battle, 0, 6))
    mine = battle.state.units[0]
    assert (mine.surged, mine.moved_as) == (True, MoveKind.SURGE)
    assert not may_be_selected_to_move(battle.scene, battle.state, 0)
    assert not run(surge(battle, 0, 6)), "it has moved this phase"


@pytest.mark.rule("11e.core.21.01-surge-move", "11e.core.01.04-equally-close")
def test_of_enemies_equally_close_the_controller_chooses() -> None:
    battle = scene(TROOPS.at(20, 20), [TROOPS.at(20, 26), TROOPS.at(20, 14), TROOPS.at(30, 20)])
    _, asked = run_asking(surge(battle, 0, 6), "b.2", Place(()))
    assert [option.key for option in asked[0].options()] == ["b.1", "b.2"]
