"""Close combat of the 3rd edition: moving in, who strikes when and how often, splitting attacks, casualties."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest
from tests.support.classic import model, rules_with, scene, unit

from battlewright.editions.classic.assault import (
    Contact,
    any_free_enemy,
    assault_order,
    enemies_to_contact,
    reaches,
    why_no_assault,
)
from battlewright.editions.classic.splitting import (
    Aim,
    Opponent,
    TargetKind,
    must_name_targets,
    opponents_to_strike,
    split_faults,
    target_kinds,
)
from battlewright.editions.classic.state import ClassicUnit, Deed, Phase
from battlewright.editions.classic.striking import (
    FIRST,
    LAST,
    Approach,
    Fighter,
    Footing,
    Reach,
    any_part_within,
    attacks_of,
    footing_of,
    next_step,
    strike_step,
    strikes_together,
    takes_part,
    uses_special_attacks,
)
from battlewright.editions.third.assaulting import short_move
from battlewright.editions.third.splitting import may_single_out, next_to_fall, split_unit
from battlewright.editions.third.striking import reach_of, whole_model_within

EVEN, COVERED, LEVELLED = Footing.EVEN, Footing.COVERED, Footing.LEVELLED


TROOPER, EXARCH = model(), model("INFANTRY", "CHARACTER", name="Exarch")


def losses(
    unsaved: Sequence[tuple[TargetKind | int, int]], opponents: Sequence[Opponent], keep: Collection[int] = ()
) -> tuple[list[int], int]:
    """Whom unsaved wounds fell, in order, and how many were lost: directed ones first, each on one who may fall."""
    left = {opponent.row: opponent.left for opponent in opponents}
    slain: list[int] = []
    counted = 0
    for target, wounds in sorted(unsaved, key=lambda each: isinstance(each[0], TargetKind)):
        for _ in range(wounds):
            rows = next_to_fall(target, [opponent for opponent in opponents if left[opponent.row]])
            if not rows:
                break
            row = min(rows, key=lambda each: (each in keep, left[each], each))
            left[row] -= 1
            counted += 1
            if not left[row]:
                slain.append(row)
    return slain, counted


def fighter(initiative: int = 4, attacks: int = 1, reach: Reach = Reach.CONTACT, **more: bool) -> Fighter:
    return Fighter(row=0, initiative=initiative, attacks=attacks, reach=reach, **more)


def unit_having(*deeds: str, **flags: bool) -> ClassicUnit:
    unit = ClassicUnit(side=0, models=(0,), **flags)  # type: ignore[arg-type]
    unit.did(*deeds)
    return unit


def rules(**options: str):  # type: ignore[no-untyped-def]
    return rules_with("3", options).assault


# -- within -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.terms.within", "3e.terms.within-transport", "3e.core.fundamentals.measuring")
def test_within_is_a_gap_not_larger_than_the_value() -> None:
    assert any_part_within(2.0, 3.0, 2.0)
    assert not any_part_within(2.1, 3.1, 2.0)


@pytest.mark.rule("3e.terms.within-whole-model")
def test_any_part_or_the_whole_model() -> None:
    assert rules().is_within(1.5, 2.5, 2.0)
    assert not rules(within="whole-model").is_within(1.5, 2.5, 2.0)
    assert whole_model_within(0.5, 1.5, 2.0)


# -- moving in --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.assault-move.within-six", "3e.assault-move.reach-counts", "3e.assault-move.out-of-range-no-move")
def test_an_enemy_six_inches_away_may_be_assaulted() -> None:
    assert reaches(6.0, 6.0)
    assert not reaches(7.0, 6.0)
    assert reaches(11.0, 12.0)


@pytest.mark.rule("3e.assault-move.strict-within")
def test_exactly_six_inches_is_within_reach_or_not() -> None:
    assert rules().reaches(6.0, 6.0)
    strict = rules(assault_reach="strict")
    assert not strict.reaches(6.0, 6.0)
    assert strict.reaches(5.9, 6.0)


@pytest.mark.rule("3e.assault-move.nearest-first", "3e.core.assault.charge-moves")
def test_the_nearest_models_move_first() -> None:
    assert assault_order([5.0, 2.0, 3.0]) == [1, 2, 0]


@pytest.mark.rule("3e.assault-move.unengaged-first", "3e.drawn.free-enemies-first", "3e.assault-move.several-targets")
def test_free_enemies_are_contacted_before_engaged_ones() -> None:
    free, taken = Contact(1, 4.0, engaged=False), Contact(2, 4.0, engaged=True)
    assert enemies_to_contact([free, taken], 6.0) == [free]
    assert enemies_to_contact([taken], 6.0) == [taken]
    assert enemies_to_contact([Contact(1, 8.0, engaged=False), taken], 6.0) == [taken]
    assert enemies_to_contact([free, Contact(3, 5.0, engaged=False)], 6.0) == [free, Contact(3, 5.0, engaged=False)]


@pytest.mark.rule("3e.assault-move.nearest-to-nearest", "3e.drawn.no-nearest")
def test_either_free_enemy_or_the_nearer_one() -> None:
    near, far = Contact(1, 2.0, engaged=False), Contact(2, 5.0, engaged=False)
    assert list(any_free_enemy([near, far])) == [near, far]
    assert list(rules().free_enemies([near, far])) == [near, far]
    assert list(rules(nearest_to_nearest="yes").free_enemies([near, far])) == [near]


@pytest.mark.rule(
    "3e.assault-move.one-in-contact", "3e.outside.contact-required", "3e.assault-move.short-move-no-attacks"
)
def test_one_model_must_be_in_contact_for_a_combat() -> None:
    assert takes_part([Reach.CONTACT, Reach.SUPPORT])
    assert not takes_part([Reach.SUPPORT, Reach.NONE])
    assert reach_of(0.5, 9.0, True) is Reach.SUPPORT


@pytest.mark.rule("3e.assault-move.short-move")
def test_a_unit_stopped_by_terrain_still_moves() -> None:
    assert short_move(5.0, 3.0) == 3.0
    assert short_move(2.0, 3.0) == 2.0


@pytest.mark.rule("3e.outside.contact-required")
def test_a_failed_assault_makes_its_move_and_no_combat() -> None:
    assert short_move(6.0, 5.0) == 5.0
    assert not takes_part([reach_of(1.0, 9.0, True)])


@pytest.mark.rule("3e.outside.pinned", "3e.formation.penalty", "3e.march.no-assault", "3e.core.assault.may-not-charge")
def test_what_keeps_a_unit_from_assaulting() -> None:
    assert why_no_assault(unit_having()) == []
    for kept, rule in (
        (unit_having(pinned=True), "3e.outside.pinned"),
        (unit_having(Deed.OUT_OF_FORMATION), "3e.formation.penalty"),
        (unit_having(Deed.MARCHED), "3e.march.no-assault"),
        (unit_having(falling_back=True), "3e.fall-back.no-assault"),
        (unit_having(Deed.FIRED_HEAVY), "3e.outside.fire-then-assault"),
    ):
        assert [each for each, _ in why_no_assault(kept)] == [rule]
    assert why_no_assault(unit_having(), in_combat=True)


# -- who strikes when -------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.initiative", "3e.core.assault.initiative", "3e.core.assault.step-together")
def test_by_initiative_and_equal_ones_together() -> None:
    steps = [(0, strike_step(fighter(4), EVEN, EVEN)), (1, strike_step(fighter(4), EVEN, EVEN)), (2, 3)]
    assert next_step(steps, None) == 4
    assert strikes_together(steps, 4) == [0, 1]
    assert next_step(steps, 4) == 3
    assert next_step(steps, 3) is None


@pytest.mark.rule("3e.fight-order.cover-first", "3e.core.assault.cover-strikes-first")
def test_defenders_of_cover_strike_first_in_the_first_round() -> None:
    footing = footing_of(Approach(assaulted_in_cover=True, first_round=True, cancelled=False))
    assert strike_step(fighter(2), footing, EVEN) > strike_step(fighter(5), EVEN, footing)


@pytest.mark.rule("3e.fight-order.later-rounds")
def test_later_rounds_go_by_initiative() -> None:
    footing = footing_of(Approach(assaulted_in_cover=True, first_round=False, cancelled=False))
    assert strike_step(fighter(5), EVEN, footing) == 5
    assert strike_step(fighter(2), footing, EVEN) == 2


@pytest.mark.rule("3e.special-attacks.frag-effect", "3e.core.traits.frag-grenades")
def test_frag_grenades_make_both_sides_strike_together() -> None:
    footing = footing_of(Approach(assaulted_in_cover=True, first_round=True, cancelled=True))
    assert footing is LEVELLED
    assert strike_step(fighter(3), footing, EVEN) == strike_step(fighter(4), EVEN, footing)


@pytest.mark.rule("3e.fight-order.fist-last-in-cover", "3e.fight-order.fist-last-grenades")
def test_neither_cover_nor_grenades_help_a_power_fist() -> None:
    fist = fighter(4, strikes_last=True)
    assert strike_step(fist, COVERED, EVEN) == LAST
    assert strike_step(fighter(2), COVERED, EVEN) == FIRST
    assert strike_step(fighter(4), EVEN, COVERED) == 4
    assert strike_step(fist, EVEN, LEVELLED) == LAST


@pytest.mark.rule("3e.outside.power-fist-last", "3e.core.assault.strikes-last")
def test_a_power_fist_strikes_after_initiative_one() -> None:
    assert strike_step(fighter(6, strikes_last=True), EVEN, EVEN) < strike_step(fighter(1), EVEN, EVEN)


@pytest.mark.rule("3e.special-attacks.frag-users")
def test_who_may_use_frag_grenades() -> None:
    settled, wide = rules(), rules(frag_users="any-side")
    assert settled.frag_cancels(True)
    assert not settled.frag_cancels(False)
    assert wide.frag_cancels(False)


@pytest.mark.rule("3e.outside.who-fights", "3e.core.turn.both-sides-fight")
@pytest.mark.parametrize("turn", [0, 1])
def test_both_sides_fight_in_every_assault_phase(turn: int) -> None:
    sides = [unit(1, W=3).at(10, 10), unit(1).at(30, 10)], unit(1, W=3).at(10, 10.984)
    dice = [("hit", [1]), ("hit", [1]), ("tied combat", [1, 1])]
    battle = scene(*sides, phase=Phase.ASSAULT, alone=True, turn=turn, dice=dice)
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    struck = [event.to_json()["unit"] for event in battle.events if event.kind == "stage-resolved"]
    assert sorted(struck) == ["a.1", "b.1"], "who touches nobody does not"


# -- how often --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.support.one-attack", "3e.support.regardless", "3e.core.assault.supporting")
def test_a_supporter_makes_one_attack_whatever_it_has() -> None:
    assert reach_of(1.8, 9.0, True) is Reach.SUPPORT
    assert attacks_of(fighter(attacks=3, reach=Reach.SUPPORT)) == 1
    assert attacks_of(fighter(attacks=1, reach=Reach.SUPPORT, two_weapons=True, charging=True)) == 1


@pytest.mark.rule("3e.support.timing")
def test_supporters_strike_in_order_of_initiative() -> None:
    assert strike_step(fighter(4), EVEN, EVEN) > strike_step(fighter(3, reach=Reach.SUPPORT), EVEN, EVEN)


@pytest.mark.rule("3e.support.beyond-two", "3e.core.assault.engaged")
def test_beyond_two_inches_nobody_strikes() -> None:
    far = reach_of(2.2, 9.0, any_part_within(2.2, 3.2, 2.0))
    assert attacks_of(fighter(attacks=3, reach=far)) == 0
    assert reach_of(0.0, 9.0, True) is Reach.CONTACT


@pytest.mark.rule("3e.outside.charge-bonus", "3e.outside.two-weapons", "3e.core.assault.attacks")
def test_an_assault_and_a_second_weapon_give_an_attack_each() -> None:
    assert attacks_of(fighter(charging=True)) == 2
    assert attacks_of(fighter(two_weapons=True)) == 2
    assert attacks_of(fighter(attacks=2, charging=True, two_weapons=True)) == 4


@pytest.mark.rule("3e.special-attacks.contact-only", "3e.special-attacks.applies-to")
def test_special_attacks_need_base_contact() -> None:
    assert uses_special_attacks(fighter())
    assert not uses_special_attacks(fighter(reach=Reach.SUPPORT))


@pytest.mark.rule("3e.cc-casualties.no-start-no-special")
def test_a_fist_that_did_not_begin_in_contact_makes_an_ordinary_attack() -> None:
    support = fighter(4, attacks=2, reach=Reach.SUPPORT, strikes_last=True)
    assert not uses_special_attacks(support)
    assert (attacks_of(support), strike_step(support, EVEN, EVEN)) == (1, 4)


# -- splitting --------------------------------------------------------------------------------------------------


def opponent(row: int, ws: int = 4, toughness: int = 4, unit: int = 0, **more: object) -> Opponent:
    return Opponent(row=row, unit=unit, weapon_skill=ws, toughness=toughness, **more)  # type: ignore[arg-type]


LOW, HIGH = opponent(1, ws=3), opponent(2, ws=4)


@pytest.mark.rule("3e.split.must-different")
def test_different_skills_or_toughness_must_be_told_apart() -> None:
    assert must_name_targets([LOW, HIGH])
    assert must_name_targets([opponent(1, toughness=3), opponent(2)])
    assert not must_name_targets([HIGH, opponent(3)])


@pytest.mark.rule("3e.split.any-share")
def test_every_share_is_legal() -> None:
    for share in range(4):
        aims = [Aim(LOW.kind, share), Aim(HIGH.kind, 3 - share)]
        assert split_faults(3, [LOW, HIGH], aims, singles_out=False) == []
    assert split_faults(3, [LOW, HIGH], [Aim(LOW.kind, 2)], singles_out=False)


@pytest.mark.rule("3e.split.support-assigned")
def test_the_one_attack_of_a_supporter_is_assigned() -> None:
    assert must_name_targets([LOW, HIGH])
    assert split_faults(1, [LOW, HIGH], [Aim(HIGH.kind, 1)], singles_out=False) == []
    assert split_faults(1, [LOW, HIGH], [Aim(LOW.kind, 1), Aim(HIGH.kind, 1)], singles_out=False)


@pytest.mark.rule("3e.split.must-two-units", "3e.char-combat.two-units", "3e.split.characters-also-must")
def test_two_units_are_told_apart_even_with_equal_profiles() -> None:
    both = [opponent(1, unit=0), opponent(2, unit=1)]
    assert must_name_targets(both)
    assert target_kinds(both) == (TargetKind(0, 4, 4), TargetKind(1, 4, 4))
    aims = [Aim(both[0].kind, 2), Aim(both[1].kind, 1)]
    assert split_faults(3, both, aims, singles_out=True) == []


@pytest.mark.rule("3e.split.character-is-unit", "3e.cc-example.marshal-joined-or-not")
def test_a_character_is_a_unit_of_its_own_joined_or_not() -> None:
    member = opponent(1, unit=split_unit(0, 1, TROOPER))
    for home in (0, 7):
        character = opponent(2, unit=split_unit(home, 2, EXARCH))
        assert must_name_targets([member, character])


@pytest.mark.rule("3e.split.characters-free", "3e.char-combat.always-split")
def test_characters_spread_their_attacks_freely() -> None:
    three = [opponent(row) for row in (1, 2, 3)]
    aims = [Aim(row, 1) for row in (1, 2, 3)]
    assert split_faults(3, three, aims, singles_out=True) == []
    assert may_single_out(EXARCH)


@pytest.mark.rule("3e.char-combat.ordinary-split")
def test_ordinary_models_may_not() -> None:
    faults = split_faults(2, [opponent(1), opponent(2)], [Aim(1, 2)], singles_out=False)
    assert [fault.rule for fault in faults] == ["3e.char-combat.ordinary-split"]


@pytest.mark.rule("3e.char-combat.mix")
def test_a_character_may_mix_directed_and_ordinary_attacks() -> None:
    two = [opponent(1), opponent(2)]
    assert split_faults(3, two, [Aim(1, 1), Aim(two[0].kind, 2)], singles_out=True) == []
    assert split_faults(3, two, [Aim(9, 1), Aim(two[0].kind, 2)], singles_out=True)


@pytest.mark.rule("3e.split.undeclared")
def test_attacks_without_a_declared_target() -> None:
    counts = {LOW.kind: 2, HIGH.kind: 5}
    assert rules().target_of_undeclared([LOW.kind, HIGH.kind], counts) is None
    assert rules(undeclared_split="common-target").target_of_undeclared([LOW.kind, HIGH.kind], counts) == HIGH.kind


@pytest.mark.rule("3e.split.carries-over", "3e.split.directed-no-carry")
def test_attacks_on_a_kind_carry_over_and_directed_ones_do_not() -> None:
    models = [opponent(1, in_contact=True), *[opponent(row) for row in (2, 3, 4, 5)]]
    assert len(losses([(models[0].kind, 3)], models)[0]) == 3
    assert losses([(1, 3)], models) == ([1], 1)


@pytest.mark.rule("3e.char-combat.directed-touch-only")
def test_directed_attacks_fell_only_the_models_named() -> None:
    models = [opponent(row, in_contact=row < 3) for row in (1, 2, 3, 4)]
    assert losses([(1, 2), (2, 2)], models) == ([1, 2], 2)


# -- casualties -------------------------------------------------------------------------------------------------

NINE = [opponent(row, in_contact=row < 2, within_two=row < 5) for row in range(9)]
"""Two models in contact, three within 2", four behind."""


@pytest.mark.rule("3e.cc-casualties.owner-removes", "3e.cc-casualties.contact-first", "3e.core.assault.casualties")
def test_losses_come_first_from_models_in_contact() -> None:
    assert next_to_fall(NINE[0].kind, NINE) == (0, 1)
    assert losses([(NINE[0].kind, 1)], NINE, keep=[0])[0] == [1]


@pytest.mark.rule("3e.cc-casualties.then-two-inch")
def test_then_from_models_within_two_inches() -> None:
    slain, _ = losses([(NINE[0].kind, 4)], NINE)
    assert sorted(slain) == [0, 1, 2, 3]
    assert next_to_fall(NINE[0].kind, NINE[2:]) == (2, 3, 4)


@pytest.mark.rule("3e.cc-casualties.then-rest")
def test_and_last_from_the_rest() -> None:
    slain, _ = losses([(NINE[0].kind, 6)], NINE)
    assert set(slain) > {0, 1, 2, 3, 4}
    assert next_to_fall(NINE[0].kind, NINE[5:]) == (5, 6, 7, 8)


@pytest.mark.rule("3e.cc-casualties.directed-only-target")
def test_attacks_aimed_at_a_model_harm_only_it() -> None:
    assert next_to_fall(0, NINE) == (0,)
    assert losses([(0, 2)], NINE) == ([0], 1)


@pytest.mark.rule("3e.cc-casualties.opponent-slain", "3e.cc-casualties.fist-keeps")
def test_a_model_whose_opponents_were_slain_strikes_the_rest_of_their_unit() -> None:
    assert opponents_to_strike(NINE[:2], NINE) == tuple(NINE[:2])
    assert opponents_to_strike(NINE[:2], NINE[2:]) == tuple(NINE[2:])
    fist = fighter(attacks=2, strikes_last=True)
    assert uses_special_attacks(fist)
    assert attacks_of(fist) == 2


# -- the worked example: Striking Scorpions and their Exarch against Black Templars ---------------------------------

SQUAD_UNIT = 0
NEOPHYTES = [opponent(row, ws=3, in_contact=row == 1) for row in range(1, 6)]
PALADINS = [opponent(row, ws=4, in_contact=row < 13) for row in range(11, 17)]
MARSHAL = Opponent(
    row=20, unit=split_unit(SQUAD_UNIT, 20, EXARCH), weapon_skill=5, toughness=4, left=2, in_contact=True
)
FIST = 11
"""The row of the Paladin with the power fist; a second one stands elsewhere in the squad."""
TEMPLARS = [*NEOPHYTES, *PALADINS, MARSHAL]


@pytest.mark.rule("3e.cc-example.types-split")
def test_scorpions_touching_neophytes_and_paladins_must_split() -> None:
    touched = [NEOPHYTES[0], PALADINS[0]]
    assert must_name_targets(touched)
    for share in ((1, 1), (2, 0), (0, 2)):
        aims = [Aim(model.kind, n) for model, n in zip(touched, share, strict=True)]
        assert split_faults(2, touched, aims, singles_out=False) == []


@pytest.mark.rule("3e.cc-example.type-overflow")
def test_losses_on_neophytes_carry_on_to_neophytes() -> None:
    slain, _ = losses([(NEOPHYTES[0].kind, 3)], TEMPLARS)
    assert len(slain) == 3
    assert set(slain) <= {model.row for model in NEOPHYTES}


@pytest.mark.rule("3e.cc-example.type-stays")
def test_and_never_to_paladins() -> None:
    two_left = [*NEOPHYTES[:2], *PALADINS, MARSHAL]
    assert losses([(NEOPHYTES[0].kind, 3)], two_left) == ([1, 2], 2)


@pytest.mark.rule("3e.cc-example.marshal-split")
def test_the_marshal_counts_as_a_separate_unit() -> None:
    assert must_name_targets([MARSHAL, PALADINS[0]])
    assert len(target_kinds([MARSHAL, PALADINS[0]])) == 2


@pytest.mark.rule("3e.cc-example.marshal-squad-overflow")
def test_attacks_on_the_squad_carry_on_past_the_marshal() -> None:
    slain, _ = losses([(PALADINS[0].kind, 3)], TEMPLARS)
    assert len(slain) == 3
    assert set(slain) <= {model.row for model in PALADINS}


@pytest.mark.rule("3e.cc-example.trooper-no-pick")
def test_a_scorpion_cannot_single_out_the_power_fist() -> None:
    assert split_faults(2, PALADINS[:2], [Aim(FIST, 2)], singles_out=False)
    assert not may_single_out(TROOPER)


@pytest.mark.rule("3e.cc-example.exarch-pick")
def test_the_exarch_may() -> None:
    assert split_faults(4, PALADINS[:2], [Aim(FIST, 4)], singles_out=True) == []


@pytest.mark.rule("3e.cc-example.exarch-no-overflow")
def test_his_surplus_reaches_nobody() -> None:
    assert losses([(FIST, 3)], TEMPLARS) == ([FIST], 1)


@pytest.mark.rule("3e.cc-example.exarch-two-two")
def test_two_attacks_on_each_of_two_paladins_kill_at_most_two() -> None:
    assert losses([(11, 2), (12, 2)], TEMPLARS) == ([11, 12], 2)


@pytest.mark.rule("3e.cc-example.exarch-mixed")
def test_the_undirected_part_carries_over() -> None:
    aims = [Aim(FIST, 2), Aim(PALADINS[0].kind, 2)]
    assert split_faults(4, PALADINS[:2], aims, singles_out=True) == []
    slain, counted = losses([(PALADINS[0].kind, 2), (FIST, 2)], TEMPLARS)
    assert slain[:2] == [FIST, 12]
    assert len(slain) == counted == 3
