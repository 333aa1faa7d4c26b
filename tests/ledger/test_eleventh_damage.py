"""Losing wounds, mortal wounds, hazard rolls, destruction and Deadly Demise (01.08, 06.02, 06.03, 24.08, 24.12)."""

from __future__ import annotations

import pytest

from battlewright.core.events import ModelsRemoved
from battlewright.editions.eleventh import damage
from battlewright.editions.eleventh.events import UnitDestroyed
from battlewright.editions.eleventh.state import NOBODY, Phase
from support.combat import events_of, no_dice_left, run, run_asking, wounds
from support.eleventh import attached, scene, unit


def captain(**characteristics: object):
    return unit(1, "CHARACTER", "INFANTRY", name="Captain", **characteristics)


@pytest.mark.rule("11e.core.01.08-destroyed", "11e.core.05.04-damage")
def test_a_model_at_no_wounds_is_destroyed_and_no_wound_spills():
    battle = scene(unit(2, W=2).at(10, 10), phase=Phase.SHOOTING)
    assert damage.lose_wounds(battle, 0, 5, "Cannon") == 2
    assert wounds(battle, "a.1") == [0, 2]
    assert battle.state.fallen == (0,)


@pytest.mark.rule("11e.core.01.08-destroyed")
def test_a_unit_is_destroyed_with_its_last_model():
    battle = scene(unit(2).at(10, 10), phase=Phase.SHOOTING)
    damage.lose_wounds(battle, 0, 1, "x")
    run(damage.resolve_destroyed(battle))
    assert not events_of(battle, UnitDestroyed)
    damage.lose_wounds(battle, 1, 1, "x")
    run(damage.resolve_destroyed(battle))
    assert [event.unit for event in events_of(battle, UnitDestroyed)] == ["a.1"]
    assert not battle.state.on_table[:2].any()


@pytest.mark.rule("11e.core.06.02-mortal-wounds", "11e.core.06.02-mortal-wounds-carry-over")
def test_mortal_wounds_spare_characters_and_go_from_model_to_model():
    squad = attached(unit(2, W=2), captain(W=4)).on((10, 10), (12, 10), (14, 10))
    battle = scene(squad, phase=Phase.SHOOTING)
    rows = damage.mortal_wound_candidates(battle.scene, battle.state, 0)
    assert rows == (0, 1), "any model that is no CHARACTER"
    assert run(damage.mortal_wounds(battle, 0, 1, "x"), "model:0") == 1
    assert damage.mortal_wound_candidates(battle.scene, battle.state, 0) == (0,), "the wounded one"
    assert run(damage.mortal_wounds(battle, 0, 4, "x")) == 4
    assert wounds(battle, "a.1") == [0, 0, 3]


@pytest.mark.rule("11e.core.06.02-mortal-wounds")
def test_among_characters_the_wounded_one_goes_first():
    squad = attached(captain(W=4), captain(W=4)).on((10, 10), (12, 10)).having(wounds=(4, 3))
    battle = scene(squad, phase=Phase.SHOOTING)
    assert damage.mortal_wound_candidates(battle.scene, battle.state, 0) == (1,)


@pytest.mark.rule(
    "11e.24.12-feel-no-pain.roll-per-wound",
    "11e.24.12-feel-no-pain.success-keeps-wound",
    "11e.core.05.04-feel-no-pain",
)
def test_feel_no_pain_is_rolled_for_each_wound_also_of_mortal_wounds():
    tough = unit(1, W=5, abilities=("Feel No Pain 5+",)).at(10, 10)
    battle = scene(tough, phase=Phase.SHOOTING, dice=[("feel-no-pain", (5, 4, 6)), ("feel-no-pain", (5,))])
    assert damage.wounds_not_kept(battle, 0, 3) == 1
    assert run(damage.mortal_wounds(battle, 0, 1, "x")) == 0
    no_dice_left(battle)


@pytest.mark.rule("11e.24.02-duplicated-abilities.controller-selects")
def test_of_two_feel_no_pains_one_is_in_force():
    tough = unit(1, W=5, abilities=("Feel No Pain 6+", "Feel No Pain 5+")).at(10, 10)
    battle = scene(tough, phase=Phase.SHOOTING, dice=[("feel-no-pain", (5,))])
    assert damage.wounds_not_kept(battle, 0, 1) == 0
    no_dice_left(battle)


@pytest.mark.rule("11e.core.06.03-hazard-roll", "11e.core.06.03-several-at-once")
def test_hazard_rolls_of_infantry_cost_one_wound_each():
    battle = scene(unit(3, W=3).at(10, 10), phase=Phase.SHOOTING, dice=[("hazard", (1, 2, 3))])
    assert run(damage.hazard_rolls(battle, 0, 3), "model:1") == 2
    assert wounds(battle, "a.1") == [3, 1, 3]
    no_dice_left(battle)


@pytest.mark.rule("11e.core.06.03-hazard-roll")
@pytest.mark.parametrize(("riders", "lost"), [((), 3), (("INFANTRY",), 1)])
def test_hazard_rolls_of_vehicles_cost_three_unless_others_are_with_them(riders, lost):
    tank = unit(1, "VEHICLE", W=9)
    unit_a = attached(tank, unit(1, *riders, W=9)).on((10, 10), (13, 10)) if riders else tank.at(10, 10)
    battle = scene(unit_a, phase=Phase.SHOOTING, dice=[("hazard", (2,))])
    assert run(damage.hazard_rolls(battle, 0, 1)) == lost


def bomb(x: float, y: float, *abilities: str):
    return unit(1, "VEHICLE", W=1, abilities=abilities or ("Deadly Demise 3",), name="Bomb").at(x, y)


def demise_scene(*dice, abilities=()):
    """A bomb of side a at (10, 10); units 2", 6" and 6.5" from its edge, the first a friend."""
    inch = 32 / 25.4
    near, at_six, far = (unit(1, W=9).at(10 + inch + gap, 10) for gap in (2, 6, 6.5))
    return scene([bomb(10, 10, *abilities), near], [at_six, far], phase=Phase.SHOOTING, dice=list(dice))


@pytest.mark.rule("11e.24.08-deadly-demise.on-six", "11e.24.08-deadly-demise.both-sides", "11e.core.24-deadly-demise")
@pytest.mark.parametrize(("face", "left"), [(6, [6, 6, 9]), (5, [9, 9, 9])])
def test_a_demise_on_a_six_strikes_every_unit_within_six_inches(face, left):
    battle = demise_scene(("deadly-demise", (face,)))
    damage.lose_wounds(battle, 0, 1, "x")
    run(damage.resolve_destroyed(battle))
    assert [wounds(battle, each)[0] for each in ("a.2", "b.1", "b.2")] == left
    no_dice_left(battle)


@pytest.mark.rule("11e.24.08-deadly-demise.random-per-unit")
def test_a_random_demise_is_rolled_for_each_unit():
    dice = ("deadly-demise", (6,)), ("deadly-demise-wounds", (2,)), ("deadly-demise-wounds", (5,))
    battle = demise_scene(*dice, abilities=("Deadly Demise D6",))
    damage.lose_wounds(battle, 0, 1, "x")
    run(damage.resolve_destroyed(battle))
    assert [wounds(battle, each)[0] for each in ("a.2", "b.1")] == [7, 4]
    no_dice_left(battle)


@pytest.mark.rule(
    "11e.24.02-duplicated-abilities.core-number-is-duplicate", "11e.24.02-duplicated-abilities.not-cumulative"
)
def test_of_two_demises_the_controller_selects_one():
    battle = demise_scene(("deadly-demise", (6,)), abilities=("Deadly Demise 1", "Deadly Demise D6"))
    damage.lose_wounds(battle, 0, 1, "x")
    _, asked = run_asking(damage.resolve_destroyed(battle), "instance:0")
    assert [(each.kind, each.side) for each in asked] == [("select-instance", 0)]
    assert [wounds(battle, each)[0] for each in ("a.2", "b.1")] == [8, 8]
    no_dice_left(battle)


@pytest.mark.rule(
    "11e.24.08-deadly-demise.roll-on-destruction",
    "11e.core.01.08-destroyed-triggers-first",
    "11e.core.01.03.02-new-triggers-wait",
)
def test_a_demise_that_destroys_another_bomb_is_followed_by_that_ones_after_the_batch():
    row = [bomb(10, 10), bomb(13, 10), bomb(30, 30)]
    dice = [("deadly-demise", (6,)), ("deadly-demise", (1,)), ("deadly-demise", (2,))]
    battle = scene(row, phase=Phase.SHOOTING, dice=dice)
    for model in (0, 2):
        damage.lose_wounds(battle, model, 1, "x")
    run(damage.resolve_destroyed(battle))
    assert [event.models for event in events_of(battle, ModelsRemoved)] == [(0,), (2,), (1,)]
    assert not battle.state.on_table.any()
    no_dice_left(battle)


@pytest.mark.rule("11e.core.01.03-active-while-attacking", "11e.core.01.03.02-simultaneous-order")
def test_the_active_players_triggers_come_first():
    dice = [("deadly-demise", (6,)), ("deadly-demise", (1,))]
    battle = scene(bomb(10, 10), [bomb(13, 10), unit(1, W=9).at(10, 16)], phase=Phase.SHOOTING, dice=dice, turn=0)
    battle.state.attacking = 1
    assert damage.active_side(battle.state) == 1, "the controller of the unit that attacks"
    for model in (0, 1):
        damage.lose_wounds(battle, model, 1, "x")
    run(damage.resolve_destroyed(battle))
    assert wounds(battle, "b.2") == [6], "the six was for the bomb of side b, whose reach it is in too"
    assert [event.unit for event in events_of(battle, ModelsRemoved)] == ["b.1", "a.1"]


@pytest.mark.rule("11e.core.01.03-active-player")
def test_without_attacks_the_player_whose_turn_it_is_is_active():
    battle = scene(unit().at(10, 10), phase=Phase.SHOOTING)
    battle.state.attacking, battle.state.turn = NOBODY, 1
    assert damage.active_side(battle.state) == 1
