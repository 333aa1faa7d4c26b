"""Who sees whom in the 11th edition, who is hidden, has cover, plunges (06.01, 13.08 to 13.11, 22.05, 24.24)."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.core.table import Category, Floor, TerrainArea, TerrainFeature
from battlewright.editions.eleventh import visibility
from battlewright.editions.eleventh.attacking import AttackKind
from battlewright.editions.eleventh.modifiers import Change, Operation
from battlewright.editions.eleventh.state import Phase
from support.combat import aim, attack, broken, stages, wounds
from support.eleventh import attached, box, scene, unit, weapon

LIGHT, DENSE, EXPOSED = Category.LIGHT, Category.DENSE, Category.EXPOSED
WIDTH = 32 / 25.4
"""Of a 32 mm base, in inches."""


def rectangle(x0, y0, x1, y1):
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def area(outline, *features, name="area"):
    """A terrain area with features (rectangle, height, category)."""
    made = tuple(
        TerrainFeature(f"{name}.{number}", rectangle(*corners), height, category=category)
        for number, (corners, height, category) in enumerate(features)
    )
    return TerrainArea(name, rectangle(*outline), made[0].category if made else EXPOSED, made)


def look(a, b, *terrain, units_between=(), **more):
    """What the first unit of side a sees of the first of side b, with anybody else between."""
    battle = scene([a, *units_between], b, phase=Phase.SHOOTING, terrain=terrain, **more)
    return battle, visibility.visible_matrix(battle.scene, battle.state, 0, battle.scene.by_id["b.1"])


def sees(a, b, *terrain, **more):
    return bool(look(a, b, *terrain, **more)[1].any())


def covers(a, b, *terrain, **more):
    battle, _ = look(a, b, *terrain, **more)
    return visibility.models_in_cover(battle.scene, battle.state, 0, battle.scene.by_id["b.1"]).tolist()


HERE, THERE = unit(1).at(10, 10), unit(1).at(10, 20)
VEHICLE = unit(1, "VEHICLE", name="Car")


# -- lines of sight (06.01) -------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.06.01-line-of-sight", "11e.core.06.01-visible")
def test_a_line_from_any_part_to_any_part_is_enough():
    high = area((8, 14, 12, 16), ((8, 14, 12, 16), 5, EXPOSED))
    slit = area((8, 14, 9.9, 16), ((8, 14, 9.9, 16), 5, EXPOSED))
    low = area((8, 14, 12, 16), ((8, 14, 12, 16), 1, EXPOSED))
    assert sees(HERE, THERE)
    assert not sees(HERE, THERE, high), "five inches hide models of one and a half"
    assert sees(HERE, THERE, slit), "a part of it shows beside"
    assert sees(HERE, THERE, low), "and above"
    assert sees(HERE, unit(1, height=14).at(10, 20), high), "a taller model shows its head"


@pytest.mark.rule("11e.core.06.01-what-blocks")
def test_other_models_block_but_not_those_of_the_two_units():
    wall = unit(5, base="60mm", height=5).at(5, 15, apart=2.4)
    assert not sees(HERE, THERE, units_between=[wall])
    behind = unit(6, height=5).on((10, 10), *((6 + 1.5 * i, 12) for i in range(5)))
    assert sees(behind, THERE)
    screened = unit(6, height=5).on((10, 20), *((6 + 1.5 * i, 18) for i in range(5)))
    battle, seen = look(HERE, screened)
    assert seen.all(), "the models of the observed unit hide nobody"
    assert visibility.is_unit_visible(battle.scene, battle.state, 0, 1)


@pytest.mark.rule("11e.core.06.01-fully-visible")
def test_a_model_is_fully_visible_when_all_that_faces_the_observer_is_seen():
    corner = area((9, 14, 9.9, 16), ((9, 14, 9.9, 16), 5, EXPOSED))
    battle, _ = look(HERE, THERE, corner)
    lines = visibility.lines_between(battle.scene, battle.state, 0, 1)
    assert (lines.seen.all(), lines.full.all(), lines.clear.all()) == (True, False, False)
    friend = unit(1, base="25mm", height=5).at(9.5, 15)
    battle, _ = look(HERE, THERE, units_between=[friend])
    lines = visibility.lines_between(battle.scene, battle.state, 0, 2)
    assert (lines.seen.all(), lines.full.all(), lines.clear.all()) == (True, False, True), "a model is no feature"


def test_lines_are_kept_for_the_positions_they_were_drawn_at():
    battle, _ = look(HERE, THERE)
    first = visibility.lines_between(battle.scene, battle.state, 0, 1)
    assert visibility.lines_between(battle.scene, battle.state, 0, 1) is first
    battle.state.position[0, 0] += 1000
    assert visibility.lines_between(battle.scene, battle.state, 0, 1) is not first
    for step in range(30):
        battle.state.position[0, 0] += step
        visibility.lines_between(battle.scene, battle.state, 0, 1)
    assert len(battle.scene.cache["standing"]) <= 8


# -- obscuring and solid (13.10, 13.11) -------------------------------------------------------------------------

ACROSS = (2, 13, 20, 17)
"""An area between HERE and THERE, wider than any view."""


@pytest.mark.rule("11e.core.13.10-obscuring", "11e.core.13.10-height-plays-no-part", "11e.core.13.02-categories")
@pytest.mark.parametrize(("category", "seen"), [(LIGHT, False), (DENSE, False), (EXPOSED, True)])
def test_an_area_with_a_light_or_dense_feature_obscures_at_any_height(category, seen):
    pebble = area(ACROSS, ((3, 14, 3.5, 14.5), 0.2, category))
    assert sees(HERE, THERE, pebble) is seen
    assert sees(unit(1, height=30).at(10, 10), THERE, pebble) is seen


@pytest.mark.rule("11e.core.13.10-obscuring", "11e.core.13.10-upper-floors")
def test_areas_that_observer_or_target_is_within_do_not_obscure():
    ruin = area(ACROSS, ((3, 14, 3.5, 14.5), 0.2, DENSE))
    edge = unit(1).at(10, 12.5)
    assert sees(edge, THERE, ruin)
    assert sees(THERE, edge, ruin)
    floor = Floor(rectangle(8, 14, 12, 16), 6)
    feature = TerrainFeature("t", rectangle(8, 15.9, 12, 16), 0.1, floors=(floor,))
    tower = TerrainArea("tower", rectangle(*ACROSS), DENSE, (feature,))
    assert sees(unit(1).on((10, 15, 6)), THERE, tower), "on an upper floor it is within"
    other = area((2, 18, 20, 18.5), ((3, 18.1, 3.5, 18.4), 0.2, LIGHT), name="other")
    assert not sees(edge, THERE, ruin, other), "a second area obscures still"


@pytest.mark.rule("11e.core.13.11-solid")
def test_no_line_passes_a_dense_feature_near_the_ground_but_above_where_it_has_gaps():
    def ruin(*tags):
        outline = rectangle(8, 12, 12, 12.5)
        return TerrainArea("r", outline, DENSE, (TerrainFeature("r.1", outline, 9, tags=frozenset(tags)),))

    behind = unit(1, height=5).at(10, 11.5)
    assert not sees(behind, THERE, ruin())
    assert sees(behind, THERE, ruin("gaps"))
    assert not sees(unit(1).at(10, 11.5), unit(1).at(10, 13), ruin("gaps"))


# -- hidden (13.09, 13.11.01) -----------------------------------------------------------------------------------

GRASS = area((0, 18, 30, 60), ((28, 50, 29, 51), 1, LIGHT))
"""An area that hides whoever stands from y = 18 on."""


def watcher(gap):
    """An enemy so many inches from a model at (10, 20)."""
    return unit(1).at(10, 20 - WIDTH - gap)


@pytest.mark.rule("11e.core.13.09-hidden", "11e.core.13.09-detection-range")
def test_hidden_models_are_seen_from_fifteen_inches_only():
    assert sees(watcher(15), THERE, GRASS)
    assert not sees(watcher(15.1), THERE, GRASS)
    assert sees(watcher(15.1), VEHICLE.at(10, 20), GRASS)
    assert sees(watcher(16), THERE, area((0, 18, 30, 60), ((28, 50, 29, 51), 1, EXPOSED)))


@pytest.mark.rule("11e.core.13.09-hidden", "11e.core.13.09-previous-turn", "11e.core.13.09-first-turn")
def test_a_unit_that_shot_this_turn_or_in_the_one_before_is_not_hidden():
    def hidden(last_shot, turns):
        battle, _ = look(watcher(16), THERE.having(last_shot=last_shot), GRASS)
        battle.state.turns = turns
        return bool(visibility.hidden_models(battle.scene, battle.state, [1]).all())

    assert [hidden(last, 4) for last in (4, 3, 2, 0)] == [False, False, True, True]
    assert hidden(0, 1)


@pytest.mark.rule("11e.core.13.09-hidden")
@pytest.mark.parametrize(("option", "seen"), [("light-or-dense", False), ("dense", True)])
def test_which_features_hide_is_a_switch(option, seen):
    assert sees(watcher(16), THERE, GRASS, options={"hidden_terrain": option}) is seen


@pytest.mark.rule("11e.core.13.11.01-gone-to-ground")
def test_models_behind_a_dense_feature_go_to_ground():
    def woods(category):
        return area((0, 18, 30, 60), ((9, 18.5, 9.9, 19), 2, category))

    assert sees(watcher(13), THERE, woods(LIGHT))
    assert not sees(watcher(13), THERE, woods(DENSE))
    assert sees(watcher(12), THERE, woods(DENSE))


@pytest.mark.rule("11e.core.13.09-detection-limits", "11e.core.13.09-detection-range")
def test_detection_ranges_stay_between_nine_and_thirty():
    clear = np.array([[True, False]])
    assert visibility.detection_ranges(clear).tolist() == [[15, 12]]
    shorter, longer = Change(Operation.SUBTRACT, 5, "x"), Change(Operation.ADD, 20, "x")
    assert visibility.detection_ranges(clear, (shorter,)).tolist() == [[10, 9]]
    assert visibility.detection_ranges(clear, (longer,)).tolist() == [[30, 30]]


@pytest.mark.rule(
    "11e.24.24-lone-operative.not-visible", "11e.24.24-lone-operative.x-form-visibility", "11e.core.24-lone-operative"
)
@pytest.mark.parametrize(("ability", "limit"), [("Lone Operative", 12), ('Lone Operative 15"', 15)])
def test_lone_operatives_are_not_seen_from_afar(ability, limit):
    alone = unit(1, abilities=(ability,)).at(10, 20)
    three = unit(3).on(*((10, 20 - WIDTH - gap) for gap in (limit - 1, limit, limit + 1)))
    assert look(three, alone)[1].tolist() == [[True], [True], [False]]


@pytest.mark.rule("11e.24.24-lone-operative.attached-exempt", "11e.24.24.01-attached-lone-operative.reactivates")
def test_a_bodyguard_without_the_ability_exposes_a_lone_operative_until_it_is_dead():
    pair = attached(unit(1), unit(1, "CHARACTER", abilities=("Lone Operative",))).on((12, 20), (10, 20))
    assert sees(watcher(20 - WIDTH - 1), pair)
    assert not sees(watcher(20 - WIDTH - 1), pair.having(wounds=(0, 1)))


# -- cover (13.08) ----------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.13.08-benefit-of-cover")
def test_feet_within_an_area_give_cover_if_every_model_has_it():
    bush = area((5, 19, 12, 25))
    assert covers(HERE, THERE, bush) == [True]
    assert covers(HERE, VEHICLE.at(10, 20), bush) == [False]
    assert covers(HERE, unit(2).on((10, 20), (14, 20)), bush) == [False]
    assert covers(HERE, THERE) == [False]


@pytest.mark.rule("11e.core.13.08-benefit-of-cover", "11e.core.13.08-per-attacker")
def test_a_model_partly_behind_a_feature_or_an_obscuring_area_has_cover_from_there():
    post = area((9, 18, 9.9, 18.5), ((9, 18, 9.9, 18.5), 5, EXPOSED))
    two = unit(2).on((10, 10), (30, 21))
    assert covers(two, VEHICLE.at(10, 20), post) == [True, False]
    haze = area((4, 17, 9.9, 18), ((4.1, 17.1, 4.2, 17.2), 0.1, LIGHT))
    assert covers(two, VEHICLE.at(10, 20), haze) == [True, False]
    friend = unit(1, base="25mm", height=5).at(9.5, 15)
    assert covers(HERE, THERE, units_between=[friend]) == [False], "models give none"


@pytest.mark.rule("11e.core.04.03-cover-splits-pools", "11e.core.13.08-effect", "11e.core.13.08-per-attacker")
def test_cover_splits_a_pool_and_makes_bs_one_worse():
    post = area((9, 18, 9.9, 18.5), ((9, 18, 9.9, 18.5), 5, EXPOSED))
    two = unit(2, weapons=[weapon()]).on((10, 10), (30, 21))
    battle = scene(two, VEHICLE.at(10, 20), phase=Phase.SHOOTING, terrain=[post],
                   dice=[("hit", (3,)), ("hit", (3,)), ("wound", (1,))])  # fmt: skip
    attack(battle, aim("b.1", 0, 1))
    assert [event.needed for event in stages(battle, "hit")] == [4, 3]


# -- plunging fire (22.05) --------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.22.05-plunging-fire", "11e.core.22.05-not-aircraft")
def test_plunging_fire_from_three_inches_or_by_towering_models():
    def plunges(a, b):
        battle, _ = look(a, b)
        return visibility.plunging_models(battle.scene, battle.state, 0, 1).tolist()

    three = unit(3).on((8, 10, 3), (10, 10, 2.9), (12, 10))
    assert plunges(three, THERE) == [True, False, False]
    assert plunges(three, unit(1).on((10, 20, 3))) == [False] * 3, "nobody on the ground"
    assert plunges(three, unit(1, "AIRCRAFT").at(10, 20)) == [False] * 3
    tall = unit(1, "TOWERING", "VEHICLE")
    assert plunges(tall.at(10, 20 - WIDTH - 12), THERE) == [True]
    assert plunges(tall.at(10, 20 - WIDTH - 12.1), THERE) == [False]
    assert plunges(unit(1, "AIRCRAFT").on((10, 10, 5)), THERE) == [False]


@pytest.mark.rule("11e.core.22.05-plunging-fire")
def test_plunging_fire_needs_sight():
    wall = area((2, 14, 20, 15), ((2, 14, 20, 15), 40, EXPOSED))
    battle, _ = look(unit(1).on((10, 10, 3)), THERE, wall)
    assert visibility.plunging_models(battle.scene, battle.state, 0, 1).tolist() == [False]


# -- what attacks see of it -------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.04.02-ranged-targets", "11e.core.10.07-indirect")
def test_targets_are_visible_but_for_indirect_fire():
    wall = area((2, 14, 20, 15), ((2, 14, 20, 15), 40, EXPOSED))
    mortar = unit(1, weapons=[weapon("Mortar", "INDIRECT FIRE"), weapon("Rifle")]).at(10, 10)
    battle = scene(mortar, THERE, phase=Phase.SHOOTING, terrain=[wall])
    assert broken(battle, AttackKind.NORMAL, aim("b.1", 0)) == {"11e.core.04.02-ranged-targets"}
    assert broken(battle, AttackKind.INDIRECT, aim("b.1", 0)) == set()
    assert broken(battle, AttackKind.INDIRECT, aim("b.1", 0, weapon=1)) == {"11e.core.04.02-ranged-targets"}


@pytest.mark.rule(
    "11e.24.28-precision.visibility-required", "11e.24.28-precision.one-visible-is-enough", "11e.core.05.03-precision"
)
@pytest.mark.parametrize(("models", "answers", "left"), [((0,), [], [0, 2]), ((0, 1), ["group:1"], [1, 0])])
def test_precision_needs_one_attacker_who_sees_the_character(models, answers, left):
    screen = area((2, 17, 10.5, 17.5), ((2, 17, 10.5, 17.5), 40, EXPOSED))
    snipers = unit(2, weapons=[weapon("Sniper", "PRECISION", S=8, AP=-6, D=2)]).on((11, 16), (4, 40))
    prey = attached(unit(1), unit(1, "CHARACTER", "INFANTRY", W=2)).on((14, 20), (6, 20))
    rolls = (5,) * len(models)
    dice = [("hit", rolls), ("wound", (5, 1)[: len(models)]), ("save", (1,))]
    battle = scene(snipers, prey, phase=Phase.SHOOTING, terrain=[screen], dice=dice)
    attack(battle, aim("b.1", *models), answers=answers)
    assert wounds(battle, "b.1") == left


def test_boxes_of_the_scene_builder_are_obscuring_too():
    assert not sees(HERE, THERE, box(2, 14, 20, 15, 0.5, LIGHT))
