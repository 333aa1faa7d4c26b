"""Shooting of the 3rd edition: lines of sight, range, targets, casualties, several wounds, markers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from battlewright.core.bases import Base, Pose
from battlewright.core.prisms import Prisms
from battlewright.core.templates import Cover
from battlewright.editions.classic.casualties import (
    Candidate,
    common_pool,
    eligible,
    next_casualties,
    one_each_faults,
    remove,
    template_wounds,
    why_not_next,
)
from battlewright.editions.classic.markers import (
    Placement,
    Scatter,
    covered_worth,
    further_markers,
    hits_of,
    marker_size,
    placement_faults,
    scatter_of,
    scattered,
    template_faults,
    touches_marker,
)
from battlewright.editions.classic.measuring import RangeFrom, from_base, is_in_range, may_measure_first, shots_are_lost
from battlewright.editions.classic.shooting import ShootingRules
from battlewright.editions.classic.sight import Body, may_block, possible_targets, sees_through_area
from battlewright.editions.classic.targets import Candidate as Enemy
from battlewright.editions.classic.targets import nearest_target, separate_targets
from battlewright.editions.third import targets
from battlewright.editions.third.attack import groups_majority_first
from battlewright.editions.third.markers import hits_of_several, is_wasted, may_reposition, reposition_faults
from battlewright.editions.third.sight import blocks_by_height, visible_rows
from support.classic import model, rules_with, squad


def rules(**options: str) -> ShootingRules:
    return rules_with("3", options).shooting


SETTLED = rules()

# -- lines of sight ---------------------------------------------------------------------------------------------

INCH = Base.round(25.4)


def body(
    row: int,
    x: float,
    y: float = 0.0,
    *,
    height: float = 1.2,
    side: int = 1,
    unit: int | None = None,
    vehicle: bool = False,
    z: float = 0.0,
) -> Body:
    return Body(row, row if unit is None else unit, side, INCH, Pose(x, y, z), height, vehicle)


def wall(x: float, height: float, *, width: float = 10.0, y: float = 0.0) -> Prisms:
    outline = ((x, y - width / 2), (x + 0.2, y - width / 2), (x + 0.2, y + width / 2), (x, y + width / 2))
    return Prisms.of_polygons([outline], 0.0, height)


def sees(*others: Body, terrain: Prisms | None = None, shooter: Body | None = None, **options: str) -> set[int]:
    """Rows of the enemies that a shooter at the left sees."""
    me = shooter or body(0, 0, side=0, height=1.2)
    return set(visible_rows(rules(**options), me, others, terrain))


@pytest.mark.rule("3e.los.enemy-models-block")
def test_single_enemy_models_block_and_the_lanes_between_them_do_not() -> None:
    target = body(9, 12)
    assert 9 in sees(body(1, 6, 1.0), body(2, 6, -1.0), target)
    assert 9 not in sees(body(1, 6, 0.0), target)


@pytest.mark.rule("3e.los.vehicles-block", "3e.core.shooting.sight-to-vehicles")
def test_vehicles_of_either_side_block() -> None:
    transport = body(5, 6, height=2.0, side=0, vehicle=True)
    assert may_block(SETTLED, body(0, 0, side=0), transport, body(9, 12))
    assert sees(transport, body(9, 12)) == set()


@pytest.mark.rule("3e.los.friendly-models", "3e.core.shooting.line-of-sight")
def test_friends_that_are_no_vehicles_do_not_block() -> None:
    assert sees(body(5, 6, side=0), body(9, 12)) == {9}


@pytest.mark.rule("3e.los.unseen-does-not-block", "3e.los.unseen-no-influence")
def test_a_hidden_grot_blocks_nothing() -> None:
    grot, ork = body(1, 7, height=0.8), body(2, 8.2, height=1.4)
    assert sees(grot, ork, terrain=wall(6, 1.0)) == {2}


@pytest.mark.rule("3e.los.hidden-models-block")
def test_by_the_letter_even_a_hidden_model_blocks() -> None:
    grot, ork = body(1, 7, height=0.8), body(2, 8.2, height=1.4)
    assert sees(grot, ork, terrain=wall(6, 1.0), hidden_models_block="yes") == set()
    taller = replace(ork, height=1.7)
    assert sees(grot, taller, terrain=wall(6, 1.0), hidden_models_block="yes") == {2}


@pytest.mark.rule("3e.los.over-and-around")
def test_sight_passes_above_and_beside_terrain() -> None:
    assert sees(body(9, 12, height=3.0), terrain=wall(6, 1.0)) == {9}
    assert sees(body(9, 7, height=1.0), terrain=wall(6, 1.3)) == set()
    assert sees(body(9, 12, height=1.0), terrain=wall(6, 3.0, width=2.0, y=3.0)) == {9}


@pytest.mark.rule("3e.los.double-height")
def test_an_enemy_hides_what_is_up_to_twice_as_tall() -> None:
    assert blocks_by_height(1.5, 3.0)
    assert sees(body(1, 6, height=1.5), body(9, 7, height=3.0)) == {1}


@pytest.mark.rule("3e.los.taller-than-double")
def test_and_nothing_taller() -> None:
    assert not blocks_by_height(1.5, 3.1)
    assert sees(body(1, 6, height=1.5), body(9, 7, height=3.1)) == {1, 9}


GUARDIAN, WRAITHGUARD, WRAITHLORD = body(1, 6, height=1.2), body(2, 8, height=2.2), body(3, 10, height=4.0)


@pytest.mark.rule("3e.los.ex-guardian-wraithguard")
def test_guardians_hide_wraithguard() -> None:
    assert 2 not in sees(GUARDIAN, WRAITHGUARD, WRAITHLORD)


@pytest.mark.rule("3e.los.ex-wraithguard-wraithlord")
def test_wraithguard_that_are_seen_hide_a_wraithlord() -> None:
    assert sees(WRAITHGUARD, WRAITHLORD) == {2}


@pytest.mark.rule("3e.los.ex-chain")
def test_guardians_do_not_hide_a_wraithlord_by_way_of_hidden_wraithguard() -> None:
    assert sees(GUARDIAN, WRAITHGUARD, WRAITHLORD) == {1, 3}


@pytest.mark.rule("3e.los.cylinder", "3e.los.any-part")
def test_a_model_is_a_cylinder_up_to_its_head_and_any_part_of_it_counts() -> None:
    assert sees(body(9, 8, height=1.4), terrain=wall(7, 1.45)) == set()
    assert sees(body(9, 8, height=2.4), terrain=wall(7, 1.45)) == {9}
    assert sees(body(9, 8), terrain=wall(7, 5.0, width=4.0, y=-1.6)) == {9}
    assert sees(body(9, 8), terrain=wall(7, 5.0, width=4.0, y=-1.0)) == set()


@pytest.mark.rule("3e.core.shooting.models-block-sight")
def test_on_higher_ground_a_model_is_seen_over_others() -> None:
    assert 9 in sees(body(1, 4, height=1.2), body(9, 10, z=6.0))
    assert 9 not in sees(body(1, 4, height=1.2), body(9, 10))


@pytest.mark.rule("3e.core.shooting.area-terrain")
def test_sight_reaches_six_inches_into_woods_and_never_through_them() -> None:
    assert sees_through_area(False, True, 6.0)
    assert not sees_through_area(False, True, 6.5)
    assert not sees_through_area(False, False, 1.0)


@pytest.mark.rule("3e.casualties.same-unit-never-blocks", "3e.casualties.same-unit-blocks")
def test_a_single_file_is_seen_whole_or_its_first_model_alone() -> None:
    file = [body(row, 5.0 + row, unit=7) for row in range(1, 6)]
    assert sees(*file) == {1, 2, 3, 4, 5}
    assert sees(*file, same_unit_blocks="yes") == {1}


@pytest.mark.rule("3e.casualties.other-unit-blocks")
def test_models_of_one_unit_hide_those_of_another() -> None:
    front = [body(row, 6, 2.0 - row, unit=1) for row in (1, 2)]
    back = [body(10 + n, 8, y, unit=2) for n, y in enumerate((1.0, 0.0, -2.0, -3.0))]
    seen = sees(*front, *back)
    assert {1, 2} <= seen
    assert {10, 11} & seen == set()
    assert {12, 13} <= seen


# -- range ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.range.from-edge")
def test_range_is_measured_from_the_edge_of_the_base() -> None:
    assert is_in_range(from_base(RangeFrom(base=24.0)), 24.0)
    assert not is_in_range(from_base(RangeFrom(base=24.1)), 24.0)


@pytest.mark.rule("3e.range.partly-inside")
def test_any_part_of_the_base_is_enough() -> None:
    assert is_in_range(23.9, 24.0)


@pytest.mark.rule("3e.range.mount")
def test_without_a_base_from_the_mount_of_the_weapon() -> None:
    assert not is_in_range(from_base(RangeFrom(mount=12.5, muzzle=10.5)), 12.0)


@pytest.mark.rule("3e.range.from-barrel")
def test_from_the_base_or_from_the_barrel() -> None:
    points = RangeFrom(base=24.5, muzzle=24.0)
    assert not is_in_range(rules().range_from(points), 24.0)
    assert is_in_range(rules(range_from="barrel").range_from(points), 24.0)


@pytest.mark.rule("3e.shooting.target-first", "3e.core.shooting.out-of-range")
def test_shots_at_a_target_out_of_range_are_lost() -> None:
    assert shots_are_lost(25.0, 24.0)
    assert not shots_are_lost(24.0, 24.0)


@pytest.mark.rule("3e.shooting.special-premeasure", "3e.core.traits.targeter")
def test_only_special_rules_measure_first() -> None:
    assert may_measure_first(True)
    assert not may_measure_first(False)


# -- targets ----------------------------------------------------------------------------------------------------


def captain(distance: float) -> Enemy:
    return Enemy(unit=1, distance=distance, lone_character=True)


def other(distance: float, **more: bool) -> Enemy:
    return Enemy(unit=2, distance=distance, **more)  # type: ignore[arg-type]


def refused(who: Enemy, *others: tuple[Enemy, float], **options: str) -> bool:
    return bool(targets.lone_character_faults(who, others, rules(**options).is_possible_target))


@pytest.mark.rule("3e.shooting.unit-at-unit", "3e.core.shooting.one-target")
def test_a_unit_shoots_at_a_unit() -> None:
    assert targets.lone_character_faults(captain(20), [], targets.sight_only) == []


@pytest.mark.rule("3e.char-shooting.over-six")
def test_a_lone_character_far_from_others_may_be_chosen() -> None:
    assert not refused(captain(20), (other(25), 7.0))


@pytest.mark.rule("3e.char-shooting.nearest-twelve")
def test_so_may_the_nearest_target_within_twelve_inches() -> None:
    assert not refused(captain(11), (other(12), 3.0))


@pytest.mark.rule("3e.char-shooting.otherwise-not")
def test_and_nobody_else() -> None:
    assert refused(captain(13), (other(14), 4.0))
    assert refused(captain(11), (other(10), 4.0))


@pytest.mark.rule("3e.char-shooting.possible-target")
def test_every_unit_that_is_seen_is_a_possible_target() -> None:
    tank = other(40, in_range=False, damageable=False)
    assert rules().is_possible_target(tank)
    assert possible_targets({3, 4, 9}, {3: 1, 4: 1, 9: 2}.__getitem__) == [1, 2]
    assert refused(captain(39), (tank, 5.0))


@pytest.mark.rule("3e.char-shooting.possible-range")
def test_a_unit_out_of_range_protects_nobody_by_the_house_rule() -> None:
    far = other(30, in_range=False)
    assert refused(captain(26), (far, 5.0))
    assert not refused(captain(26), (far, 5.0), possible_target_in_range="yes")


@pytest.mark.rule("3e.char-shooting.possible-damage")
def test_nor_does_one_that_cannot_be_hurt() -> None:
    tank = other(18, damageable=False)
    assert refused(captain(20), (tank, 5.0))
    assert not refused(captain(20), (tank, 5.0), possible_target_damageable="yes")
    both = {"possible_target_damageable": "yes", "possible_target_in_range": "yes"}
    assert refused(captain(20), (other(18), 5.0), **both)


@pytest.mark.rule(
    "3e.char-shooting.upgrade-not-apart", "3e.char-shooting.joined-not-apart", "3e.core.characters.joined"
)
def test_characters_of_a_unit_are_no_targets_of_their_own() -> None:
    assert separate_targets(4, [7, 8]) == [4]


@pytest.mark.rule("3e.char-shooting.joined-nearest-is-unit")
def test_a_joined_character_in_front_makes_his_unit_the_nearest() -> None:
    led = replace(other(8.0), unit=5, nearest_is_joined=True)
    assert nearest_target([other(9.0), led]) == 5


@pytest.mark.rule("3e.char-shooting.joined-nearest-option")
def test_a_joined_character_may_be_picked_by_a_readers_argument_alone() -> None:
    led = other(8.0, nearest_is_joined=True)
    assert not rules().may_pick_joined(led)
    assert rules(joined_nearest_may_be_shot="yes").may_pick_joined(led)
    assert not rules(joined_nearest_may_be_shot="yes").may_pick_joined(other(13.0, nearest_is_joined=True))


# -- casualties -------------------------------------------------------------------------------------------------


def ranks(count: int, **features: object) -> list[Candidate]:
    return [Candidate(row=row, **features) for row in range(count)]  # type: ignore[arg-type]


def fallen(models: list[Candidate], wounds: int, **how: object) -> list[int]:
    return [row for row, left in remove(models, wounds, **how).items() if not left]  # type: ignore[arg-type]


@pytest.mark.rule("3e.casualties.owner-chooses", "3e.core.shooting.owners-choice")
def test_the_owner_names_any_of_the_eligible() -> None:
    ten = ranks(10)
    assert next_casualties(ten) == list(range(10))
    assert all(why_not_next(row, ten) == [] for row in range(10))
    assert why_not_next(99, ten)
    assert len(fallen(ten, 3)) == 3


@pytest.mark.rule("3e.casualties.in-range-only")
def test_only_models_in_range_fall() -> None:
    unit = [*ranks(6), *[Candidate(row=row, in_range=False) for row in range(6, 10)]]
    assert len(eligible(unit)) == 6
    assert fallen(unit, 8) == list(range(6))


@pytest.mark.rule("3e.casualties.visible-only")
def test_only_models_that_are_seen_fall() -> None:
    unit = [*ranks(4), *[Candidate(row=row, visible=False) for row in range(4, 10)]]
    assert len(eligible(unit)) == 4
    assert fallen(unit, 5) == [0, 1, 2, 3]


@pytest.mark.rule("3e.casualties.surplus-lost")
def test_wounds_that_nobody_may_take_are_lost() -> None:
    assert fallen(ranks(2), 3) == [0, 1]
    assert next_casualties([Candidate(row=0, left=0)]) == []


@pytest.mark.rule("3e.casualties.open-first")
def test_models_in_the_open_fall_first() -> None:
    unit = [*ranks(3), *[Candidate(row=row, cover=True) for row in range(3, 8)]]
    lost = fallen(unit, 4)
    assert lost[:3] == [0, 1, 2]
    assert len(lost) == 4
    assert [fault.rule for fault in why_not_next(5, unit)] == ["3e.casualties.open-first"]


@pytest.mark.rule("3e.casualties.from-the-rear")
def test_casualties_may_be_taken_from_the_rear() -> None:
    thirty = ranks(30)
    assert {model.row for model in eligible(thirty)} >= {26, 27, 28, 29}
    assert fallen(thirty, 4) == [26, 27, 28, 29]


@pytest.mark.rule("3e.casualties.spare-specialists")
def test_leaders_and_special_weapons_may_be_spared() -> None:
    lost = fallen(ranks(8), 5, keep=[0, 7])
    assert len(lost) == 5
    assert not {0, 7} & set(lost)


# -- mixed units, instant kills, several wounds -----------------------------------------------------------------


@pytest.mark.rule("3e.mixed.one-each")
def test_every_model_gets_a_hit_before_any_gets_two() -> None:
    assert one_each_faults([[1], [1], [1], [1], [2]], range(5)) == []
    assert one_each_faults([[2], [2], [1], [1], [0]], range(5))


@pytest.mark.rule("3e.mixed.ex-incubi")
def test_incubi_take_the_lasguns_and_warriors_the_lascannon() -> None:
    lasgun, lascannon = 0, 1
    shares = [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    assert one_each_faults(shares, range(5)) == []
    assert sum(share[lasgun] for share in shares) == 3
    assert sum(share[lascannon] for share in shares) == 2


@pytest.mark.rule("3e.mixed.mixed-armour-rule")
def test_one_books_rule_may_be_used_for_every_army() -> None:
    nobs = squad(*[model(Sv="4+")] * 2, *[model(Sv="6+")] * 8)
    for value, first in (("none", 4), ("space-wolves", 6), ("black-templars", 6), ("orks", 6)):
        attack = rules_with("3", {"mixed_armour": value}).attack
        assert attack.groups(nobs)[0].save == first
    assert groups_majority_first(nobs)[1].save == 4


@pytest.mark.rule("3e.instant-kill.unwounded-first", "3e.instant-kill.last-model")
def test_who_takes_a_wound_that_kills_outright() -> None:
    three = [Candidate(row=0, left=1, wounds=2), Candidate(row=1, left=2, wounds=2), Candidate(row=2, left=2, wounds=2)]
    assert next_casualties(three, outright=True) == [1, 2]
    assert [fault.rule for fault in why_not_next(0, three, outright=True)] == ["3e.instant-kill.unwounded-first"]
    assert next_casualties(three[:1], outright=True) == [0]
    assert remove(three, 1, outright=True) == {0: 1, 1: 2, 2: 0}


@pytest.mark.rule("3e.multi-wound.whole-models", "3e.core.shooting.whole-models")
def test_seven_wounds_on_models_of_three() -> None:
    assert sorted(remove(ranks(4, left=3, wounds=3), 7).values()) == [0, 0, 2, 3]


@pytest.mark.rule("3e.multi-wound.pool")
def test_wounds_collect_from_volley_to_volley() -> None:
    first = remove(ranks(3, left=2, wounds=2), 1)
    assert sorted(first.values()) == [1, 2, 2]
    again = remove([Candidate(row=row, left=left, wounds=2) for row, left in first.items()], 1)
    assert sorted(again.values()) == [0, 2, 2]


@pytest.mark.rule("3e.multi-wound.no-spreading")
def test_wounds_may_not_be_spread() -> None:
    unit = [Candidate(row=0, left=2, wounds=3), *[Candidate(row=row, left=3, wounds=3) for row in (1, 2)]]
    assert next_casualties(unit) == [0]
    assert [fault.rule for fault in why_not_next(1, unit)] == ["3e.multi-wound.no-spreading"]
    assert sorted(remove(ranks(3, left=3, wounds=3), 3).values()) == [0, 3, 3]


@pytest.mark.rule("3e.multi-wound.character-pool")
def test_a_character_may_have_a_pool_of_its_own() -> None:
    boss = Candidate(row=0, left=2, wounds=3, is_character=True)
    unit = [boss, Candidate(row=1, left=2, wounds=2)]
    assert next_casualties(unit, pool=rules().pool) == [0]
    assert next_casualties(unit, pool=rules(character_pool="yes").pool) == [0, 1]
    assert common_pool(boss) == 0


@pytest.mark.rule("3e.multi-wound.exception-not-eligible")
def test_wounds_pass_a_hurt_model_out_of_range() -> None:
    hurt = Candidate(row=0, left=1, wounds=2, in_range=False)
    left = remove([hurt, Candidate(row=1, left=2, wounds=2), Candidate(row=2, left=2, wounds=2)], 2)
    assert sorted(left.values()) == [0, 1, 2]
    assert left[0] == 1


@pytest.mark.rule("3e.multi-wound.exception-template", "3e.multi-wound.record")
def test_from_a_template_each_model_takes_one_wound() -> None:
    assert template_wounds(ranks(3, left=2, wounds=2), {0, 1, 2}, 3) == {0: 1, 1: 1, 2: 1}
    assert template_wounds(ranks(3, left=2, wounds=2), {1}, 3) == {0: 2, 1: 1, 2: 2}


# -- markers ----------------------------------------------------------------------------------------------------


def covering(fully: int, partly: int = 0, **more: object) -> Placement:
    return Placement(fully=fully, partly=partly, **more)  # type: ignore[arg-type]


@pytest.mark.rule("3e.outside.marker-sizes")
def test_markers_are_three_and_five_inches() -> None:
    assert (marker_size(ordnance=False), marker_size(ordnance=True)) == (3.0, 5.0)


@pytest.mark.rule("3e.outside.partial-hit", "3e.core.weapons.blast")
def test_partly_covered_models_are_hit_on_four() -> None:
    covers = [Cover.FULLY, Cover.PARTLY, Cover.FULLY, Cover.PARTLY, Cover.NONE]
    assert hits_of(covers, (4, 3)) == 3
    assert hits_of(covers, (6, 4)) == 4


@pytest.mark.rule("3e.outside.several-markers", "3e.core.weapons.several-blasts")
def test_three_missiles_over_three_models_are_nine_hits() -> None:
    assert hits_of_several(3, 3) == 9


@pytest.mark.rule("3e.blast.centre-free", "3e.blast.as-many-as-possible", "3e.core.weapons.blast-other-units")
def test_a_marker_may_lie_wherever_it_covers_most() -> None:
    assert placement_faults(covering(4)) == []
    assert placement_faults(covering(5)) == []
    assert placement_faults(covering(3, friends=1))
    assert placement_faults(covering(0))


@pytest.mark.rule("3e.blast.reposition")
def test_the_opponent_may_lay_it_anew_over_as_many() -> None:
    assert reposition_faults(covering(3, 2), covering(4)) == []
    assert reposition_faults(covering(3, 2), covering(3, 1))


@pytest.mark.rule("3e.blast.two-partials")
def test_two_partly_covered_models_count_as_one() -> None:
    assert covered_worth(3, 1) == Fraction(7, 2)
    assert reposition_faults(covering(4), covering(3, 1))
    assert reposition_faults(covering(4), covering(3, 2)) == []


@pytest.mark.rule("3e.blast.reposition-limits")
def test_it_stays_in_range_and_in_sight() -> None:
    for lost in ("in_range", "in_sight"):
        faults = reposition_faults(covering(2), covering(2, **{lost: False}))
        assert [fault.rule for fault in faults] == ["3e.blast.reposition-limits"]


@pytest.mark.rule("3e.blast.reposition-same-unit", "3e.blast.ex-units-a-b")
def test_only_the_target_unit_counts() -> None:
    assert reposition_faults(covering(2, others=5), covering(2, others=0)) == []
    assert reposition_faults(covering(2, others=5), covering(1, others=9))


@pytest.mark.rule("3e.outside.reposition-official")
def test_it_may_come_to_lie_over_the_firers_models() -> None:
    assert reposition_faults(covering(4), covering(4, friends=1)) == []


@pytest.mark.rule("3e.outside.flamer-no-reposition")
def test_a_flamers_template_stays() -> None:
    assert not may_reposition(template=True)
    assert may_reposition(template=False)


@pytest.mark.rule("3e.outside.flamer-maximum", "3e.core.weapons.template")
def test_a_flamer_covers_as_many_as_it_can() -> None:
    assert template_faults(3, 5)
    assert template_faults(5, 5) == []
    assert template_faults(5, 5, friends=1)


@pytest.mark.rule("3e.core.fundamentals.scatter-die")
def test_a_scatter_die_has_two_hits_and_four_arrows() -> None:
    assert [scatter_of(face, (1, 1)).hit for face in range(1, 7)] == [False] * 4 + [True] * 2
    degrees = {scatter_of(1, (a, b)).degrees for a in range(1, 7) for b in range(1, 7)}
    assert degrees == {10.0 * n for n in range(36)}


@pytest.mark.rule("3e.barrage.contact-ranging")
def test_a_further_marker_touches_the_ranging_shot() -> None:
    arrow, ranging = Scatter(hit=False, degrees=90.0), (10.0, 10.0)
    assert further_markers(arrow, [ranging, (15.0, 10.0)], 5.0) == [ranging]
    second = scattered(ranging, arrow, 5.0)
    assert touches_marker(second, ranging, 5.0)
    assert second == pytest.approx((10.0, 15.0))


@pytest.mark.rule("3e.barrage.hit-symbol")
def test_on_a_hit_it_may_touch_any_marker() -> None:
    laid = [(10.0, 10.0), (15.0, 10.0), (15.0, 15.0)]
    assert further_markers(Scatter(hit=True), laid, 5.0) == laid
    assert touches_marker((20.0, 10.0), laid[1], 5.0)
    assert not touches_marker((21.0, 10.0), laid[1], 5.0)


@pytest.mark.rule("3e.core.weapons.barrage-scatter", "3e.core.weapons.ordnance")
def test_a_hit_stays_where_it_was_aimed() -> None:
    assert scattered((3.0, 4.0), Scatter(hit=True), 6.0) == (3.0, 4.0)
    assert np.allclose(scattered((3.0, 4.0), Scatter(hit=False, degrees=180.0), 6.0), (-3.0, 4.0))


@pytest.mark.rule("3e.core.weapons.barrage")
def test_a_guess_inside_the_minimum_or_beyond_the_range_is_wasted() -> None:
    assert is_wasted(10.0, 12.0, 48.0)
    assert is_wasted(49.0, 12.0, 48.0)
    assert not is_wasted(48.0, 12.0, 48.0)
