"""Core abilities of the 11th edition as judgements (chapter 24), and healing (02)."""

from __future__ import annotations

import pytest

from battlewright.core.roster import Role
from battlewright.editions.eleventh.ability_text import CoreAbilityName
from battlewright.editions.eleventh.core_abilities import (
    MoveType,
    deadly_demise,
    demise_victims,
    every_model_has,
    firing_deck,
    hazard_damage,
    is_damaged,
    is_fights_first_unit,
    is_hidden_lone_operative,
    lone_operative_range,
    may_attach,
    may_walk_through_model,
    may_walk_through_terrain,
    mobile_walk_shocks,
    one_shots_left,
    scouts_distance,
    scouts_distances,
    skies_reduction,
    wounds_kept,
)
from battlewright.editions.eleventh.datasheet import ModelProfile
from battlewright.editions.eleventh.healing import (
    Healable,
    has_full_wounds,
    heal_choices,
    heal_model,
    heal_unit,
    wounds_after,
)
from battlewright.editions.eleventh.state import Phase
from ledger.eleventh_builders import model
from support.eleventh import attached, scene, unit


def having(*abilities: str) -> ModelProfile:
    return model("INFANTRY", abilities=abilities)


# --- 24.02, 24.31, 24.32: Scouts


@pytest.mark.rule(
    "11e.24.02-duplicated-abilities.scouts-lowest",
    "11e.24.02-duplicated-abilities.scouts-example-shared",
    "11e.24.02-duplicated-abilities.scouts-example-mixed",
    "11e.24.32-scout-move.maximum-distance",
)
def test_a_unit_scouts_as_far_as_its_slowest_model() -> None:
    assert scouts_distances([having('Scouts 9"')] * 3 + [having('Scouts 5"')]) == (5,)
    assert scouts_distances([having('Scouts 6"', 'Scouts 8"')] * 5) == (6, 8)
    assert scouts_distances([having('Scouts 6"')] + [having('Scouts 8"')] * 5) == (6,)
    assert scouts_distances([having('Scouts 6"', 'Scouts 8"')] * 2 + [having('Scouts 6"')] * 3) == (6,)
    assert scouts_distance([having('Scouts 7"')]) == 7


@pytest.mark.rule("11e.24.31-scouts.every-model", "11e.24.31-scouts.option-transport-all-aboard")
def test_scouts_needs_the_ability_on_every_model() -> None:
    assert not every_model_has([having('Scouts 6"')] * 5 + [having()], CoreAbilityName.SCOUTS)
    assert every_model_has([having('Scouts 6"')] * 10, CoreAbilityName.SCOUTS)
    assert scouts_distance([having('Scouts 6"')] * 5 + [having()]) is None


# --- 24.08: Deadly Demise


@pytest.mark.rule("11e.24.02-duplicated-abilities.core-number-is-duplicate")
def test_one_of_two_demises_is_used() -> None:
    walker = having("Deadly Demise 1", "Deadly Demise D6")
    assert [str(deadly_demise(walker, chosen)) for chosen in (0, 1)] == ["1", "D6"]
    assert deadly_demise(having()) is None


@pytest.mark.rule("11e.24.08-deadly-demise.on-six", "11e.24.08-deadly-demise.both-sides")
def test_a_six_strikes_every_unit_within_six_inches() -> None:
    assert demise_victims(6, [2, 6, 6.5]) == (0, 1)
    assert demise_victims(5, [2, 6, 6.5]) == ()


# --- 24.09, 24.20, 24.32: distances to enemies


@pytest.mark.rule("11e.24.09-deep-strike.every-model", "11e.24.20-infiltrators.every-model")
@pytest.mark.parametrize("name", [CoreAbilityName.DEEP_STRIKE, CoreAbilityName.INFILTRATORS])
def test_placement_abilities_need_every_model(name: CoreAbilityName) -> None:
    able = having(name.title())
    assert every_model_has([able] * 5, name)
    assert not every_model_has([able] * 5 + [having()], name)


# --- 24.12: Feel No Pain


@pytest.mark.rule(
    "11e.24.12-feel-no-pain.roll-per-wound",
    "11e.24.12-feel-no-pain.success-keeps-wound",
    "11e.24.02-duplicated-abilities.controller-selects",
)
def test_a_die_for_each_wound_keeps_it_or_not() -> None:
    assert wounds_kept(having("Feel No Pain 5+"), [5, 4, 6]) == 2
    hardy = having("Feel No Pain 5+", "Feel No Pain 6+")
    five, six = hardy.instances(CoreAbilityName.FEEL_NO_PAIN)
    assert wounds_kept(hardy, [5], five) == 1
    assert wounds_kept(hardy, [5], six) == 0
    assert wounds_kept(having(), [6]) == 0


# --- 24.13: Fights First


@pytest.mark.rule("11e.24.13-fights-first.all-models", "11e.24.13-fights-first.partial-does-not-count")
def test_every_model_that_is_left_must_fight_first() -> None:
    leader, bodyguard = having("Fights First"), having()
    assert is_fights_first_unit([leader] * 5)
    assert not is_fights_first_unit([leader, bodyguard, bodyguard])
    assert is_fights_first_unit([leader])


# --- 24.14, 24.26: Firing Deck, ONE SHOT


@pytest.mark.rule("11e.24.14-firing-deck.trigger", "11e.24.14-firing-deck.step1-up-to-x")
def test_firing_deck_runs_in_the_own_shooting_phase_with_somebody_aboard() -> None:
    transport = having("Firing Deck 2")
    assert firing_deck(transport, 0, own_shooting_phase=True) == 0
    assert firing_deck(transport, 5, own_shooting_phase=True) == 2
    assert firing_deck(transport, 5, own_shooting_phase=False) == 0


@pytest.mark.rule(
    "11e.24.26-one-shot.once-per-battle",
    "11e.24.26-one-shot.returned-model",
    "11e.24.26-one-shot.new-unit",
    "11e.24.26.01-multiple-one-shot.each-once",
)
def test_each_one_shot_weapon_is_selected_once_in_the_battle() -> None:
    assert one_shots_left(copies=1, selected=0) == 1
    assert one_shots_left(copies=1, selected=1) == 0
    assert [one_shots_left(copies=2, selected=already) for already in (0, 1, 2)] == [2, 1, 0]


# --- 24.17, 24.35: moving


@pytest.mark.rule("11e.24.17-hover.no-two-inch-loss")
def test_hover_keeps_the_full_distance_in_the_skies() -> None:
    assert (12 - skies_reduction([having("Hover")]), 12 - skies_reduction([having()])) == (12, 10)


@pytest.mark.rule(
    "11e.24.35-super-heavy-walker.move-types",
    "11e.24.35-super-heavy-walker.through-models",
    "11e.24.35-super-heavy-walker.not-through-titanic",
)
def test_a_super_heavy_walker_passes_through_models_but_not_titanic_ones() -> None:
    walker = having("Super-Heavy Walker")
    passes = [may_walk_through_model(walker, move, ["INFANTRY"]) for move in MoveType]
    assert passes == [True, True, True, False, False]
    assert may_walk_through_model(walker, MoveType.NORMAL, ["VEHICLE"])
    assert not may_walk_through_model(walker, MoveType.NORMAL, ["VEHICLE", "TITANIC"])


@pytest.mark.rule(
    "11e.24.35-super-heavy-walker.through-low-terrain",
    "11e.24.35-super-heavy-walker.mobile-dense-terrain",
    "11e.24.35-super-heavy-walker.mobile-risk",
)
def test_a_super_heavy_walker_passes_through_low_and_with_mobile_through_dense_terrain() -> None:
    walker = having("Super-Heavy Walker")
    assert may_walk_through_terrain(walker, MoveType.NORMAL, 4)
    assert not may_walk_through_terrain(walker, MoveType.NORMAL, 4.5)
    assert may_walk_through_terrain(walker, MoveType.NORMAL, 6, dense=True, mobile=True)
    assert not may_walk_through_terrain(walker, MoveType.NORMAL, 6, dense=True)
    assert [mobile_walk_shocks(die) for die in (1, 2)] == [True, False]


# --- 24.22, 24.34: attaching


@pytest.mark.rule("11e.24.22-leader.limit-one-each", "11e.24.34-support.limit-one-each")
def test_a_bodyguard_takes_one_leader_and_one_support() -> None:
    assert not may_attach(Role.LEADER, [Role.LEADER])
    assert may_attach(Role.SUPPORT, [Role.LEADER])
    assert not may_attach(Role.SUPPORT, [Role.SUPPORT])
    assert may_attach(Role.LEADER, [Role.SUPPORT])


@pytest.mark.rule("11e.24.22-leader.forms-attached-unit")
def test_a_leader_and_its_bodyguard_are_one_unit_throughout_the_battle() -> None:
    battle = scene([attached(unit(5), unit(1, name="Captain")).at(10, 10), unit(5).at(10, 20)], phase=Phase.COMMAND)
    assert [(len(each.rows), each.is_attached) for each in battle.scene.units] == [(6, True), (5, False)]
    assert battle.state.units[0].starting_strength == 6


# --- 24.24: Lone Operative


@pytest.mark.rule(
    "11e.24.24-lone-operative.not-visible",
    "11e.24.24-lone-operative.no-indirect",
    "11e.24.24-lone-operative.x-form-visibility",
    "11e.24.24-lone-operative.x-form-indirect",
)
def test_a_lone_operative_is_hidden_from_afar() -> None:
    plain, far = [having("Lone Operative")], [having('Lone Operative 15"')]
    near, away = lone_operative_range(plain), lone_operative_range(far)
    assert [is_hidden_lone_operative(near, inches) for inches in (10, 11, 12, 13, 20)] == [False] * 3 + [True] * 2
    assert [is_hidden_lone_operative(away, inches) for inches in (14, 15, 15.5, 16)] == [False] * 2 + [True] * 2


@pytest.mark.rule(
    "11e.24.24-lone-operative.attached-exempt",
    "11e.24.24.01-attached-lone-operative.all-models",
    "11e.24.24.01-attached-lone-operative.highest-value",
    "11e.24.24.01-attached-lone-operative.on-battlefield-only",
)
def test_an_attached_unit_is_protected_while_every_model_is_at_the_largest_distance() -> None:
    lone, far, other = having("Lone Operative"), having('Lone Operative 18"'), having()
    assert lone_operative_range([lone] + [other] * 5) is None
    assert not is_hidden_lone_operative(lone_operative_range([lone] + [other] * 5), 20)
    assert is_hidden_lone_operative(lone_operative_range([lone] * 6), 13)
    assert not is_hidden_lone_operative(lone_operative_range([lone, far]), 16)
    assert is_hidden_lone_operative(lone_operative_range([lone, far]), 19)
    assert is_hidden_lone_operative(lone_operative_range([lone]), 16)


@pytest.mark.rule(
    "11e.24.24.01-attached-lone-operative.reactivates",
    "11e.24.24.01-attached-lone-operative.example-fifteen",
    "11e.24.24.01-attached-lone-operative.example-reactivation",
)
def test_the_protection_returns_when_only_lone_operatives_are_left() -> None:
    character, bodyguard = having("Lone Operative"), having()
    for left in range(5, 0, -1):
        assert not is_hidden_lone_operative(lone_operative_range([character] + [bodyguard] * left), 20)
    assert is_hidden_lone_operative(lone_operative_range([character]), 20)
    assert is_hidden_lone_operative(lone_operative_range([character]), 13)
    led = [character] + [having('Lone Operative 15"')] * 5
    assert [is_hidden_lone_operative(lone_operative_range(led), inches) for inches in (14, 16)] == [False, True]


# --- 24.39 and hazard rolls


@pytest.mark.rule("11e.24.39-damaged.threshold", "11e.core.24-damaged")
def test_a_model_is_damaged_at_so_many_wounds_or_fewer() -> None:
    tank = model("VEHICLE", W=12, abilities=("Damaged 4",))
    assert [is_damaged(tank, wounds) for wounds in (5, 4, 5)] == [False, True, False]


@pytest.mark.rule("11e.core.06.03-hazard-roll")
def test_a_hazard_roll_hurts_units_of_monsters_and_vehicles_more() -> None:
    assert [hazard_damage(die, [["INFANTRY"]]) for die in (1, 2, 3)] == [1, 1, 0]
    assert hazard_damage(1, [["VEHICLE"], ["MONSTER"]]) == 3
    assert hazard_damage(1, [["VEHICLE"], ["INFANTRY"]]) == 1


# --- 02: wounds and healing


def hurt(remaining: int, wounds: int, *, character: bool = False) -> Healable:
    return Healable(remaining, wounds, wounds, character)


@pytest.mark.rule("11e.ds-profile.w-zero-destroyed")
def test_a_model_without_wounds_is_destroyed() -> None:
    assert wounds_after(1, 1) == wounds_after(1, 3) == (0, True)
    assert wounds_after(3, 1) == (2, False)


@pytest.mark.rule("11e.ds-healing.unit-heals-up-to", "11e.ds-healing.wounded-first", "11e.core.02-heal")
def test_a_unit_heals_its_wounded_models_first() -> None:
    assert heal_unit([hurt(1, 3), hurt(3, 3)], 3) == (3, 3)
    unit = [hurt(1, 3), hurt(0, 3), hurt(3, 3)]
    assert heal_choices(unit) == (0,)
    assert heal_unit(unit, 1) == (2, 0, 3)


@pytest.mark.rule(
    "11e.ds-healing.revive-when-all-full", "11e.ds-healing.revive-one-wound", "11e.ds-healing.revived-then-heals"
)
def test_then_it_revives_one_model_after_the_other() -> None:
    assert sum(heal_unit([hurt(1, 1)] * 8 + [hurt(0, 1)] * 2, 1)) == 9
    assert heal_unit([hurt(3, 3)] * 4 + [hurt(0, 3)], 1) == (3, 3, 3, 3, 1)
    assert heal_unit([hurt(3, 3)] * 3 + [hurt(0, 3)] * 2, 4) == (3, 3, 3, 3, 1)


@pytest.mark.rule("11e.ds-healing.no-character-revive", "11e.ds-healing.not-above-start")
def test_no_character_is_revived_and_nobody_goes_above_the_start() -> None:
    unit = [hurt(1, 1)] * 5 + [hurt(0, 5, character=True)]
    assert heal_choices(unit) == ()
    assert heal_unit(unit, 3) == (1, 1, 1, 1, 1, 0)
    assert heal_unit([hurt(3, 4)], 5) == (4,)
    assert heal_choices([Healable(remaining=4, wounds=5, starting=4)]) == ()


@pytest.mark.rule(
    "11e.ds-healing.model-heals-only-itself", "11e.ds-healing.model-heal-excess-lost", "11e.core.02-heal-model"
)
def test_a_rule_that_heals_a_model_heals_nobody_else() -> None:
    assert heal_model(hurt(4, 5, character=True), 3) == 5
    assert heal_model(hurt(0, 5), 3) == 0


@pytest.mark.rule("11e.ds-healing.full-wounds")
def test_full_wounds_are_as_many_as_the_characteristic() -> None:
    assert has_full_wounds(hurt(4, 4))
    assert not has_full_wounds(hurt(3, 4))
