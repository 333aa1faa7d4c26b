"""Movement of the 3rd edition as judgements: formation, terrain, accidents, cover, marches, characters."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from battlewright.core.rulebook import entry
from battlewright.editions.classic.characters import Declaration
from battlewright.editions.classic.cover import CoverKind, cover_save, gives_cover, improved_cover
from battlewright.editions.classic.formation import (
    closes_gaps_better,
    in_formation,
    march_allowance,
    march_ends_legally,
    must_be_in_formation,
    why_no_march,
)
from battlewright.editions.classic.joining import assaults_with, may_join, may_leave, why_not_join
from battlewright.editions.classic.kinds import move_allowance
from battlewright.editions.classic.movement import MovementRules
from battlewright.editions.classic.profiles import CharacterKind, Kind
from battlewright.editions.classic.state import ClassicUnit, Deed, Phase
from battlewright.editions.classic.terrain import (
    Crossing,
    accident_dice,
    higher_die,
    is_slowed_by,
    may_come_so_near,
    may_pass_over_enemies,
    suffers_accident,
)
from battlewright.editions.third.formation import why_no_shooting
from battlewright.editions.third.kinds import KINDS
from battlewright.editions.third.terrain_tests import (
    cover_of,
    entering_allowance,
    is_own_test,
    leaving_allowance,
    may_enter,
    may_reroll_test,
)
from battlewright.editions.third.terrain_tests import may_leave as may_leave_terrain
from support.classic import rules_with

BASE = 1.0
"""Inches across the round base of the examples."""
THROUGH, INTO, OUT, HOP = (
    Crossing(passes=True),
    Crossing(ends=True),
    Crossing(starts=True),
    Crossing(starts=True, ends=True),
)


def rules(**options: str) -> MovementRules:
    return rules_with("3", options).movement


def unit(*deeds: str, **flags: bool) -> ClassicUnit:
    found = ClassicUnit(side=0, models=(0,), **flags)  # type: ignore[arg-type]
    found.did(*deeds)
    return found


def gaps(*places: tuple[float, float]) -> np.ndarray:
    points = np.array(places)
    apart = np.hypot(*(points[:, None] - points[None, :]).transpose(2, 0, 1)) - BASE
    np.fill_diagonal(apart, np.inf)
    return np.asarray(apart)


def row(*steps: float) -> list[tuple[float, float]]:
    """Bases in a line with these gaps between them."""
    places = [0.0]
    for step in steps:
        places.append(places[-1] + step + BASE)
    return [(x, 0.0) for x in places]


# -- moving -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.movement.six")
def test_infantry_moves_six_inches() -> None:
    assert 6.0 <= move_allowance(KINDS, Kind.INFANTRY) < 6.1


@pytest.mark.rule("3e.movement.one-inch-movement", "3e.movement.one-inch-always", "3e.core.movement.one-inch")
def test_models_stay_an_inch_from_enemies() -> None:
    assert not may_come_so_near(5.0 - 4.5, into_combat=False)
    assert may_come_so_near(5.0 - 4.0, into_combat=False)
    assert not may_come_so_near(0.8, into_combat=False)


@pytest.mark.rule("3e.movement.one-inch-assault", "3e.jump.one-inch", "3e.jetbikes.one-inch")
def test_but_for_moves_into_close_combat() -> None:
    assert may_come_so_near(0.0, into_combat=True)
    assert not may_come_so_near(0.8, into_combat=False)
    assert not may_come_so_near(0.5, into_combat=False)


@pytest.mark.rule("3e.jump.not-over-enemies", "3e.jump.not-over-enemies-fall-back")
@pytest.mark.rule("3e.jetbikes.not-skimmers", "3e.jetbikes.not-over-fall-back")
def test_nobody_but_skimmers_moves_over_enemies() -> None:
    for kind in (Kind.JUMP, Kind.JETBIKE, Kind.INFANTRY):
        assert not may_pass_over_enemies(KINDS.of(kind))
    assert may_pass_over_enemies(KINDS.of(Kind.VEHICLE), {"SKIMMER"}, vehicle=True)


# -- formation --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.formation.two-inch", "3e.core.fundamentals.coherency")
def test_formation_is_a_chain_of_two_inch_steps() -> None:
    assert in_formation(gaps(*row(2.0, 2.0, 2.0, 2.0)))
    assert not in_formation(gaps(*row(2.0, 2.0, 2.0, 2.1)))
    assert not in_formation(gaps(*row(1.0, 5.0, 1.0)))
    assert in_formation(gaps((0, 0)))


@pytest.mark.rule("3e.formation.checked-end-of-movement", "3e.formation.not-in-other-phases", "3e.formation.regain")
def test_it_is_checked_at_the_end_of_the_owners_movement_phase() -> None:
    assert must_be_in_formation(unit(), end_of_own_movement=True, in_combat=False)
    assert not must_be_in_formation(unit(), end_of_own_movement=False, in_combat=False)


@pytest.mark.rule("3e.formation.exempt-combat", "3e.formation.exempt-falling-back")
def test_units_in_combat_or_falling_back_are_free_of_it() -> None:
    assert not must_be_in_formation(unit(), end_of_own_movement=True, in_combat=True)
    assert not must_be_in_formation(unit(falling_back=True), end_of_own_movement=True, in_combat=False)


@pytest.mark.rule("3e.formation.only-if-possible")
def test_the_duty_goes_as_far_as_the_moves() -> None:
    assert not closes_gaps_better(widest=8.0, best=8.0)
    assert closes_gaps_better(widest=3.0, best=2.0)
    assert not closes_gaps_better(widest=2.0, best=0.0)


@pytest.mark.rule("3e.formation.repair-while-falling-back", "3e.fall-back.into-formation")
def test_a_fall_back_move_closes_gaps() -> None:
    assert closes_gaps_better(widest=4.0, best=2.0)
    assert not closes_gaps_better(widest=2.0, best=2.0)


@pytest.mark.rule("3e.formation.penalty")
def test_out_of_formation_a_unit_does_not_shoot() -> None:
    assert [rule for rule, _ in why_no_shooting(unit(Deed.OUT_OF_FORMATION))] == ["3e.formation.penalty"]
    assert why_no_shooting(unit()) == []


@pytest.mark.rule("3e.outside.pinned", "3e.core.shooting.pinned")
def test_a_pinned_unit_does_not_shoot() -> None:
    assert [rule for rule, _ in why_no_shooting(unit(pinned=True))] == ["3e.outside.pinned"]


# -- difficult terrain ------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.terrain.test", "3e.terrain.distribution", "3e.core.movement.difficult-terrain")
def test_the_higher_of_two_dice() -> None:
    assert higher_die((2, 5)) == 5
    found = {str(n): 0 for n in range(1, 7)}
    for faces in product(range(1, 7), repeat=2):
        found[str(higher_die(faces))] += 1
    table = entry("3e.terrain.distribution").table
    assert {face: Fraction(count, 36) for face, count in found.items()} == {k: Fraction(v) for k, v in table.items()}


@pytest.mark.rule("3e.terrain.enter-needs-six")
def test_entering_needs_a_move_that_gets_inside() -> None:
    assert not may_enter(5.5 + BASE)
    assert may_enter(5.0 + BASE)


@pytest.mark.rule("3e.terrain.enter-cap")
def test_who_enters_moves_what_was_rolled() -> None:
    inside = 2.0 + BASE
    assert entering_allowance(inside, higher_die((3, 5))) == 5.0
    assert entering_allowance(inside, 5) - inside == 2.0


@pytest.mark.rule("3e.terrain.enter-minimum")
def test_but_gets_just_inside_at_least() -> None:
    assert entering_allowance(4.0 + BASE, 2) == 5.0


@pytest.mark.rule("3e.terrain.never-over-six")
def test_and_never_over_six_inches() -> None:
    assert entering_allowance(1.0 + BASE, 6) == 6.0
    assert entering_allowance(5.9, 1) < 6.1


@pytest.mark.rule("3e.terrain.others-unaffected", "3e.core.movement.avoiding-terrain")
def test_models_that_keep_out_are_not_limited() -> None:
    assert is_slowed_by(KINDS.of(Kind.INFANTRY), INTO)
    assert not is_slowed_by(KINDS.of(Kind.INFANTRY), Crossing())


@pytest.mark.rule("3e.terrain.no-withdrawal")
def test_who_has_declared_to_enter_can() -> None:
    for to_inside in (1.0, 3.0, 6.0):
        assert entering_allowance(to_inside, 1) >= to_inside


@pytest.mark.rule("3e.terrain.leave-cap")
def test_who_leaves_moves_what_was_rolled() -> None:
    assert leaving_allowance(0.2 + BASE, 1, touches_edge=False) == 1.0
    assert not may_leave_terrain(0.2 + BASE, higher_die((1, 1)), touches_edge=False)


@pytest.mark.rule("3e.terrain.leave-short")
def test_or_has_to_stay_inside() -> None:
    assert leaving_allowance(2.0 + BASE, higher_die((2, 1)), touches_edge=False) == 2.0
    assert not may_leave_terrain(2.0 + BASE, 2, touches_edge=False)
    assert may_leave_terrain(2.0 + BASE, 3, touches_edge=False)


@pytest.mark.rule("3e.terrain.leave-touching-edge")
def test_who_touches_the_edge_may_always_leave() -> None:
    forty = 40 / 25.4
    assert may_leave_terrain(forty, higher_die((1, 1)), touches_edge=True)
    assert leaving_allowance(forty, 5, touches_edge=True) == 5.0


# -- independent characters and terrain ---------------------------------------------------------------------------


@pytest.mark.rule("3e.characters.terrain-reroll", "3e.characters.terrain-reroll-once")
def test_a_lone_character_rolls_again_once_in_a_phase() -> None:
    assert may_reroll_test(independent=True, own_test=True, rerolled_this_phase=False)
    assert not may_reroll_test(independent=True, own_test=True, rerolled_this_phase=True)
    assert not may_reroll_test(independent=False, own_test=True, rerolled_this_phase=False)


@pytest.mark.rule("3e.characters.joined-still-ic")
def test_on_a_bike_he_may_do_so_for_his_own_die_among_others() -> None:
    own = is_own_test(Kind.BIKE, joined=True)
    assert may_reroll_test(independent=True, own_test=own, rerolled_this_phase=False)


@pytest.mark.rule("3e.characters.joined-infantry-no-use")
def test_on_foot_the_common_test_is_not_his() -> None:
    own = is_own_test(Kind.INFANTRY, joined=True)
    assert not may_reroll_test(independent=True, own_test=own, rerolled_this_phase=False)
    assert is_own_test(Kind.INFANTRY, joined=False)


# -- accidents --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.jump.ignore-terrain", "3e.jump.end-test", "3e.jump.only-own-models")
def test_jump_troops_test_where_they_land() -> None:
    assert accident_dice(KINDS.of(Kind.JUMP).risk, THROUGH) == 0
    landing = [INTO, INTO, Crossing(), Crossing(), Crossing()]
    assert sum(accident_dice(KINDS.of(Kind.JUMP).risk, crossing) for crossing in landing) == 2
    assert suffers_accident([1])
    assert not suffers_accident([2])


@pytest.mark.rule("3e.jump.no-saves", "3e.cavalry.no-saves", "3e.bikes.no-saves")
def test_an_accident_allows_no_save() -> None:
    assert suffers_accident([1])


@pytest.mark.rule("3e.jump.no-two-dice", "3e.cavalry.not-slowed")
def test_jump_troops_and_cavalry_are_not_slowed() -> None:
    for kind in (Kind.JUMP, Kind.CAVALRY, Kind.BIKE, Kind.JETBIKE):
        assert not is_slowed_by(KINDS.of(kind), INTO)


@pytest.mark.rule("3e.jump.full-six")
def test_jump_troops_assault_the_full_distance_at_their_risk() -> None:
    assert accident_dice(KINDS.of(Kind.JUMP).risk, INTO) == 1
    assert not is_slowed_by(KINDS.of(Kind.JUMP), INTO)


@pytest.mark.rule(
    "3e.cavalry.test", "3e.cavalry.start-or-through", "3e.cavalry.only-own-models", "3e.cavalry.each-move"
)
def test_cavalry_tests_for_every_move_in_out_or_through() -> None:
    assert [accident_dice(KINDS.of(Kind.CAVALRY).risk, crossing) for crossing in (INTO, OUT, THROUGH, HOP)] == [
        1,
        1,
        1,
        1,
    ]
    riders = [THROUGH] * 3 + [Crossing()] * 3
    assert sum(accident_dice(KINDS.of(Kind.CAVALRY).risk, crossing) for crossing in riders) == 3
    assert (
        accident_dice(KINDS.of(Kind.CAVALRY).risk, THROUGH) + accident_dice(KINDS.of(Kind.CAVALRY).risk, THROUGH) == 2
    )
    assert suffers_accident([1])


@pytest.mark.rule("3e.bikes.test", "3e.bikes.start-inside", "3e.bikes.only-own-models", "3e.bikes.assault-test")
def test_bikes_test_likewise_in_assaults_too() -> None:
    assert [accident_dice(KINDS.of(Kind.BIKE).risk, crossing) for crossing in (INTO, OUT, THROUGH)] == [1, 1, 1]
    assert sum(accident_dice(KINDS.of(Kind.BIKE).risk, each) for each in [THROUGH] * 2 + [Crossing()] * 3) == 2
    assert suffers_accident([1])


@pytest.mark.rule("3e.bikes.full-or-removed", "3e.core.movement.dangerous-by-type")
def test_a_bike_moves_the_full_distance_or_suffers_accident() -> None:
    assert not suffers_accident([4])
    assert suffers_accident([1])
    assert accident_dice(KINDS.of(Kind.INFANTRY).risk, HOP) == 0


@pytest.mark.rule("3e.jetbikes.start-test", "3e.jetbikes.end-test", "3e.jetbikes.over-free")
def test_jetbikes_test_where_they_start_and_where_they_end() -> None:
    assert accident_dice(KINDS.of(Kind.JETBIKE).risk, OUT) == accident_dice(KINDS.of(Kind.JETBIKE).risk, INTO) == 1
    assert accident_dice(KINDS.of(Kind.JETBIKE).risk, THROUGH) == 0
    assert suffers_accident([1])


@pytest.mark.rule("3e.jetbikes.both-tests")
def test_a_hop_inside_one_wood_takes_two_tests() -> None:
    assert accident_dice(KINDS.of(Kind.JETBIKE).risk, HOP) == 2
    survived = sum(not suffers_accident(faces) for faces in product(range(1, 7), repeat=2))
    assert Fraction(survived, 36) == Fraction(25, 36)


@pytest.mark.rule("3e.jetbikes.single-test")
def test_or_one_by_the_first_reading() -> None:
    assert rules().accident_dice(KINDS.of(Kind.JETBIKE), [HOP]) == 2
    assert rules(jetbikes_single_test="yes").accident_dice(KINDS.of(Kind.JETBIKE), [HOP]) == 1


@pytest.mark.rule("3e.jetbikes.low-flying")
def test_or_one_for_flying_low() -> None:
    from_wood_to_wood = [Crossing(starts=True), Crossing(ends=True)]
    for value, hop in (("no", 2), ("yes", 1)):
        found = rules(jetbikes_fly_low=value)
        assert found.accident_dice(KINDS.of(Kind.JETBIKE), [HOP]) == hop
        assert found.accident_dice(KINDS.of(Kind.JETBIKE), from_wood_to_wood) == 2


# -- cover ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.cover-table", "3e.core.shooting.cover-woods", "3e.core.shooting.cover-other")
def test_cover_saves_by_kind() -> None:
    assert [cover_save(kind) for kind in ("hedge", "woods", "ruins", "bunker")] == [6, 5, 4, 3]
    assert cover_save("pond") is None


@pytest.mark.rule("3e.cover.agree-before", "3e.cover.area-type", "3e.cover.obstacle-type")
def test_cover_is_what_was_agreed_to_be() -> None:
    assert not gives_cover(None, inside=True, partly_hidden=True)
    assert gives_cover(CoverKind.AREA, inside=True, partly_hidden=False)
    assert gives_cover(CoverKind.OBSTACLE, inside=False, partly_hidden=True)
    assert not gives_cover(CoverKind.OBSTACLE, inside=True, partly_hidden=False)


@pytest.mark.rule("3e.cavalry.cover-stationary", "3e.bikes.no-cover")
def test_cavalry_has_cover_when_it_stood_still_and_bikes_never() -> None:
    assert cover_of(Kind.CAVALRY, 5, moved_last=True) is None
    assert cover_of(Kind.CAVALRY, 5, moved_last=False) == 5
    assert cover_of(Kind.BIKE, 4, moved_last=False) is None
    assert cover_of(Kind.INFANTRY, 4, moved_last=True) == 4


@pytest.mark.rule("3e.core.shooting.cover-bonus")
def test_a_bonus_improves_cover_and_gives_none() -> None:
    assert improved_cover(5, 1) == 4
    assert improved_cover(None, 1) is None


# -- march moves ------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.march.enabled", "3e.march.eligible")
def test_marching_is_an_option_and_has_conditions() -> None:
    assert rules().why_no_march(unit(), 60.0)
    agreed = rules(march_moves="yes").why_no_march
    assert agreed(unit(), 49.0) == []
    assert agreed(unit(), None) == []
    assert agreed(unit(), 48.0)
    assert why_no_march(unit(pinned=True), 60.0)
    assert why_no_march(unit(falling_back=True), 60.0)


@pytest.mark.rule("3e.march.double")
def test_a_march_is_twice_the_distance() -> None:
    assert march_allowance(move_allowance(KINDS, Kind.INFANTRY)) == 12.0


@pytest.mark.rule("3e.march.no-terrain", "3e.march.no-closer-24")
def test_a_march_avoids_terrain_and_keeps_away_from_enemies() -> None:
    assert not march_ends_legally([60.0], crosses_difficult=True)
    assert march_ends_legally([50.0 - 26.0], crosses_difficult=False)
    assert not march_ends_legally([50.0 - 26.1], crosses_difficult=False)


@pytest.mark.rule("3e.march.no-shooting")
def test_who_marched_does_not_shoot() -> None:
    assert [rule for rule, _ in why_no_shooting(unit(Deed.MARCHED))] == ["3e.march.no-shooting"]


# -- characters and units -----------------------------------------------------------------------------------------

INDEPENDENT, UPGRADE = CharacterKind.INDEPENDENT, CharacterKind.UPGRADE


@pytest.mark.rule("3e.char-units.join", "3e.characters.independent", "3e.core.characters.joining")
def test_a_character_joins_by_moving_into_formation() -> None:
    assert may_join(INDEPENDENT, Phase.MOVEMENT, 2.0)
    assert why_not_join(INDEPENDENT, Phase.MOVEMENT, 3.0)[0][0] == "3e.char-units.join"


@pytest.mark.rule("3e.char-units.leave")
def test_and_leaves_by_moving_out_of_it() -> None:
    assert may_leave(INDEPENDENT, Phase.MOVEMENT, unit(), 5.0)
    assert not may_leave(INDEPENDENT, Phase.MOVEMENT, unit(), 1.0)


@pytest.mark.rule("3e.char-units.only-movement")
def test_in_the_movement_phase_alone() -> None:
    assert why_not_join(INDEPENDENT, Phase.ASSAULT, 1.0)[0][0] == "3e.char-units.only-movement"
    assert not may_leave(INDEPENDENT, Phase.ASSAULT, unit(), 5.0)


@pytest.mark.rule("3e.characters.upgrade")
def test_a_character_that_is_part_of_his_unit_stays() -> None:
    assert why_not_join(UPGRADE, Phase.MOVEMENT, 1.0)[0][0] == "3e.characters.upgrade"
    assert not may_leave(UPGRADE, Phase.MOVEMENT, unit(), 5.0)


@pytest.mark.rule("3e.char-leaders.no-leaving")
def test_nobody_leaves_a_unit_that_falls_back() -> None:
    assert not may_leave(INDEPENDENT, Phase.MOVEMENT, unit(falling_back=True), 5.0)


@pytest.mark.rule("3e.char-units.declare")
def test_when_joining_is_declared() -> None:
    assert rules_with("3").characters.joining_declared() is Declaration.END_OF_MOVEMENT
    early = rules_with("3", {"joining_declared": "start-of-turn"})
    assert early.characters.joining_declared() is Declaration.START_OF_TURN


@pytest.mark.rule("3e.char-units.joined-formation", "3e.char-units.upgrade-formation")
def test_characters_keep_formation_with_their_unit() -> None:
    assert in_formation(gaps(*row(1.0, 1.0, 2.0)))
    assert not in_formation(gaps(*row(1.0, 1.0, 3.0)))


@pytest.mark.rule("3e.char-combat.joined-together", "3e.char-combat.alone-free")
def test_joined_characters_assault_with_their_unit() -> None:
    assert assaults_with(4, 2) == 2
    assert assaults_with(4, -1) == 4
