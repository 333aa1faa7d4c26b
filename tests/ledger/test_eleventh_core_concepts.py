"""Core concepts of the 11th edition (01) and what chapters 19 and 22 make of them, by their rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.core.roster import AbilitySource
from battlewright.editions.eleventh import acting, damage, objectives
from battlewright.editions.eleventh.abilities.in_force import characteristic_in_force, profile_in_force
from battlewright.editions.eleventh.attacking import AttackKind
from battlewright.editions.eleventh.book import Mark, MissionBook, marks_of
from battlewright.editions.eleventh.charge import charge_targets, may_declare_charge
from battlewright.editions.eleventh.event_layouts import event_battlefield, event_layouts
from battlewright.editions.eleventh.events import UnitDestroyed
from battlewright.editions.eleventh.in_range import objective_control
from battlewright.editions.eleventh.measuring import distances, unit_distance
from battlewright.editions.eleventh.modifiers import Characteristic
from battlewright.editions.eleventh.movement import normal_space
from battlewright.editions.eleventh.scene import Battle11, standing
from battlewright.editions.eleventh.shooting import is_eligible_to_shoot, shooting_types
from battlewright.editions.eleventh.state import NOBODY, Phase
from battlewright.editions.eleventh.targeting import unit_keywords
from battlewright.editions.eleventh.whereabouts import units_within_area
from support.abilities import ability, effect, with_ability
from support.combat import aim, attack, events_of, no_dice_left, run, wounds
from support.eleventh import UnitSpec, attached, decision, place, scene, unit, walk, weapon
from support.eleventh_table import wood

C = "11e.core."
RADIUS = 16 / 25.4
"""Of a base of 32 mm, in inches."""
RIFLE = weapon()
FOE = unit(1, name="Foe")
IDLE = unit(1, weapons=[RIFLE])
"""Has something to do, so that a phase does not end by itself."""


# -- units (01) -------------------------------------------------------------------------------------------------


@pytest.mark.rule(C + "01-unit-is-models")
def test_what_befalls_a_unit_befalls_each_of_its_models_and_a_base_is_part_of_its_model() -> None:
    tough = ability(effect("feel-no-pain", threshold=5))
    battle = scene(with_ability(unit(3), tough).at(10, 10), FOE.at(10, 20))
    rows = standing(battle.state, 0)
    assert [profile_in_force(battle.scene, battle.state, row).feel_no_pain for row in rows] == [5, 5, 5]
    battle.state.units[0].battle_shocked = True
    assert [objective_control(battle.scene, battle.state, row) for row in rows] == [0, 0, 0]
    assert distances(battle.scene, battle.state, [0], [3])[0, 0] == pytest.approx(10 - 2 * RADIUS, abs=0.001)


SHADOW = ability(
    effect("objective-control-modifier", "enemy-within-aura", operation="subtract", value=1), "Shadow", scope="aura-6"
)
BANNER = ability(
    effect("objective-control-modifier", "friendly-within-aura", operation="add", value=1), "Banner", scope="aura-6"
)


def control(battle: Battle11, row: int) -> int:
    return objective_control(battle.scene, battle.state, row)


@pytest.mark.rule(C + "01-friendly-and-enemy")
def test_friend_and_enemy_are_seen_from_the_owner_of_the_rule_and_else_both_are_meant() -> None:
    ours, theirs = unit(1).at(10, 13), with_ability(unit(1), SHADOW, BANNER).at(10, 10)
    battle = scene(ours, [theirs, unit(1).at(13, 10)], turn=0)
    assert [control(battle, row) for row in range(3)] == [0, 2, 2], "b's friends and b's enemies, in a's turn"
    bomb = unit(1, "VEHICLE", name="Bomb", abilities=["Deadly Demise 1"]).at(10, 10)
    both = scene(
        [bomb, unit(1, W=2).at(13, 10)], unit(1, W=2).at(10, 13), phase=Phase.SHOOTING, dice=[("deadly-demise", [6])]
    )
    damage.lose_wounds(both, 0, 1, "test")
    run(damage.resolve_destroyed(both))
    assert both.state.wounds.tolist() == [0, 1, 1], "a rule that names neither reaches both armies"


@pytest.mark.rule(C + "01-one-or-more")
def test_one_model_that_meets_a_descriptor_is_enough_for_its_unit() -> None:
    plane = unit(1, "AIRCRAFT", "VEHICLE", "FLY", name="Plane").at(10, 20)
    for others in ((), ("FLY",)):
        mixed = attached(unit(2), unit(1, "INFANTRY", *others, name="Leader")).at(10, 10)
        battle = scene(mixed, plane, phase=Phase.CHARGE)
        assert may_declare_charge(battle.scene, battle.state, 0) is bool(others)


@pytest.mark.rule(C + "01-markers-are-not-models")
def test_a_marker_is_no_model() -> None:
    battle = scene(unit(1).at(10, 10), terrain=[wood("grove", 10, 14)])
    battle.state.book = MissionBook(marks=(Mark(1, "operation", "area:grove"),))
    assert len(marks_of(battle.state.book, 1, "operation")) == 1
    assert units_within_area(battle.scene, battle.state, 1, 0) == []
    space = normal_space(battle.scene, battle.state, 0, {0: 6000})
    assert space.check(place(walk(0, (10, 14)))) == [], "models move over it and stand on it"


# -- measuring (01.04) ------------------------------------------------------------------------------------------


@pytest.mark.rule(C + "01.04-within")
@pytest.mark.parametrize(("gap", "within"), [(11.999, True), (12.0, True), (12.002, False)])
def test_within_is_that_distance_or_less_of_any_model(gap: float, within: bool) -> None:
    away = 10 + 2 * RADIUS + gap
    battle = scene(unit(2).on((10, 10), (8, 10)), unit(2).on((10, away), (10, away + 2)), phase=Phase.CHARGE)
    assert unit_distance(battle.scene, battle.state, 0, 1) == pytest.approx(gap, abs=0.001)
    assert charge_targets(battle.scene, battle.state, 0, 12) == ([1] if within else [])


# -- destroyed (01.08, 03.03) -----------------------------------------------------------------------------------


@pytest.mark.rule(C + "03.03-removal-triggers-nothing")
def test_models_removed_for_coherency_trigger_nothing_but_count_for_scoring() -> None:
    bombs = unit(2, "VEHICLE", name="Bomb", abilities=["Deadly Demise 3"]).on((10, 10), (30, 10))
    battle = scene(bombs, FOE.at(10, 13), phase=Phase.FIGHT, dice=[])
    battle.state.phase, battle.state.step = Phase.END_OF_TURN, 0
    run(objectives.end_of_turn(battle), "model:0")
    assert wounds(battle, "a.1") == [0, 1]
    assert wounds(battle, "b.1") == [1], "no roll for Deadly Demise was asked of the script"
    assert battle.state.book.slain == (0,)
    damage.remove_incoherent(battle, 1)
    assert [(kill.unit, kill.by) for kill in battle.state.book.kills] == [(0, NOBODY)]
    no_dice_left(battle)


# -- saves (05.04) ----------------------------------------------------------------------------------------------


@pytest.mark.rule(C + "05.04-saves-of-a-model")
def test_a_save_of_one_model_counts_only_while_that_model_is_in_the_current_group() -> None:
    ward = with_ability(unit(1, name="Warded", W=2), ability(effect("invulnerable-save", "bearer", invuln_sv=4)))
    target = attached(unit(1, W=1), ward).at(10, 20)
    gun = weapon("Melter", A=2, S=8, AP="-6")
    for order, left in (("group:0", [0, 2]), ("group:1", [1, 2])):
        dice = [("hit", [5, 5]), ("wound", [5, 5]), ("save", [4, 4])]
        battle = scene(unit(1, weapons=[gun]).at(10, 10), target, phase=Phase.SHOOTING, dice=dice)
        attack(battle, aim("b.1", 0), answers=[order])
        assert wounds(battle, "b.1") == left, "a 4 saves the warded model, and nobody else"


# -- after moves (09.06, 09.07, 10) -----------------------------------------------------------------------------


def abilities_of(spec: UnitSpec) -> tuple[bool, bool, bool]:
    """Whether the unit may shoot, declare a charge, start an action."""
    battle = scene([spec.at(10, 10), IDLE.at(30, 10)], FOE.at(10, 18), phase=Phase.SHOOTING)
    args = battle.scene, battle.state, 0
    return is_eligible_to_shoot(*args), may_declare_charge(*args), acting.may_start_actions(*args)


@pytest.mark.rule(C + "09.06-after-advancing", C + "09.07-after-falling-back")
def test_what_a_unit_that_advanced_or_fell_back_does_not_do() -> None:
    squad, stormers = unit(1, weapons=[RIFLE]), unit(1, weapons=[weapon("Carbine", "ASSAULT")])
    assert abilities_of(squad) == (True, True, True)
    assert abilities_of(squad.having(advanced=True)) == (False, False, False)
    assert abilities_of(stormers.having(advanced=True)) == (True, False, False)
    battle = scene([stormers.having(advanced=True).at(10, 10), IDLE.at(30, 10)], FOE.at(10, 18), phase=Phase.SHOOTING)
    assert shooting_types(battle.scene, battle.state, 0) == (AttackKind.ASSAULT,)
    assert abilities_of(squad.having(fell_back=True)) == (False, False, False)
    assert abilities_of(stormers.having(fell_back=True)) == (False, False, False)


@pytest.mark.rule(C + "10-no-action-after")
def test_a_unit_that_was_selected_to_shoot_starts_no_action_in_the_phase() -> None:
    battle = scene([unit(1, weapons=[RIFLE]).at(10, 10), unit(1).at(30, 10)], FOE.at(10, 18), phase=Phase.SHOOTING)
    assert acting.may_start_actions(battle.scene, battle.state, 0)
    battle.answer("a.1")
    battle.answer(decision(battle).default())
    assert not acting.may_start_actions(battle.scene, battle.state, 0)
    assert acting.may_start_actions(battle.scene, battle.state, 1)


# -- terrain areas (13.01) --------------------------------------------------------------------------------------


@pytest.mark.rule(C + "13.01-joined-areas")
def test_a_layout_may_make_adjacent_areas_one() -> None:
    fields = {name: event_battlefield(name) for name in event_layouts()[:6]}
    joined = [area for field in fields.values() for area in field.areas if len(area.parts) > 1]
    apart = [area for field in fields.values() for area in field.areas if len(area.parts) <= 1]
    assert joined, "some layouts group areas in the middle of the table"
    assert apart, "the others are kept separate"
    for field in fields.values():
        for area in field.areas:
            for part in area.parts:
                assert field.area(part) is area, "each part answers for the one area"


# -- attached units (19) ----------------------------------------------------------------------------------------


def led(*, flying: bool = False) -> UnitSpec:
    keywords = ("INFANTRY", "CHARACTER", *(("FLY",) if flying else ()))
    return attached(unit(2), unit(1, *keywords, name="Leader")).at(10, 10)


@pytest.mark.rule(C + "19.03-keywords", C + "19.03-destroyed-unit")
def test_an_attached_unit_has_the_keywords_of_living_components_and_dies_with_its_last_model() -> None:
    battle = scene(led(flying=True), FOE.at(10, 30))
    words = unit_keywords(battle.scene, battle.state, 0)
    assert {"FLY", "CHARACTER", "SQUAD", "LEADER"} <= words
    assert [battle.scene.models[row].has("FLY") for row in range(3)] == [False, False, True]
    damage.lose_wounds(battle, 2, 1, "test")
    run(damage.resolve_destroyed(battle))
    assert not {"FLY", "CHARACTER"} & unit_keywords(battle.scene, battle.state, 0)
    assert events_of(battle, UnitDestroyed) == [], "the leader is gone, the unit is not"
    for row in (0, 1):
        damage.lose_wounds(battle, row, 1, "test")
        run(damage.resolve_destroyed(battle))
    assert [event.unit for event in events_of(battle, UnitDestroyed)] == ["a.1"]
    assert [kill.unit for kill in battle.state.book.kills] == [0]


# -- auras and wargear (22) -------------------------------------------------------------------------------------


@pytest.mark.rule(C + "22.01-aura")
def test_a_model_is_in_range_of_its_own_aura_and_the_same_aura_counts_once() -> None:
    other = ability(effect("objective-control-modifier", "friendly-within-aura", operation="add", value=1), "Icon",
                    scope="aura-6")  # fmt: skip
    alone = scene(with_ability(unit(1), BANNER).at(10, 10), FOE.at(10, 30))
    assert control(alone, 0) == 2
    twice = [with_ability(unit(1), BANNER).at(10, 10), with_ability(unit(1), BANNER).at(12, 10)]
    assert control(scene(twice, FOE.at(10, 30)), 0) == 2, "the same aura"
    mixed = [with_ability(unit(1), BANNER).at(10, 10), with_ability(unit(1), other).at(12, 10)]
    assert control(scene(mixed, FOE.at(10, 30)), 0) == 3, "different auras add up"


def with_item(spec: UnitSpec, target: str) -> UnitSpec:
    """The unit, its first model with a banner that gives +1 OC to whom it says."""
    item = ability(effect("objective-control-modifier", target, operation="add", value=1), "Banner",
                   source=AbilitySource.WARGEAR)  # fmt: skip
    first, *others = spec.models
    return replace(spec, models=(replace(first, abilities=(item,)), *others))


@pytest.mark.rule(C + "22.04-wargear-abilities", "11e.ds-composition.bearer", "11e.ds-composition.unit-equipment")
def test_an_item_of_wargear_is_its_bearers_or_its_units() -> None:
    def oc(battle: Battle11) -> list[int | None]:
        args = battle.scene, battle.state
        return [characteristic_in_force(*args, row, Characteristic.OC, 1) for row in standing(battle.state, 0)]

    bearers = scene(with_item(unit(5), "bearer").at(10, 10), FOE.at(10, 30))
    assert [control(bearers, row) for row in range(5)] == [2, 1, 1, 1, 1]
    units = scene(with_item(unit(5), "unit").at(10, 10), FOE.at(10, 30))
    assert oc(units) == [2, 2, 2, 2, 2], "one vox in the unit equips the unit"
    units.state.wounds[0] = 0
    assert oc(units) == [1, 1, 1, 1], "it went with the model that carried it"
