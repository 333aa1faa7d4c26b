"""Close combat results, tests of the loser, sweeping advances and consolidation in the 3rd edition."""

from __future__ import annotations

import pytest

from battlewright.core.decisions import SIDES
from battlewright.editions.classic.pursuit import (
    Blow,
    Reaction,
    after_morale_test,
    consolidation_distance,
    is_drawn,
    may_move_in_combat,
    winner_by_wounds,
    wounds_counted,
)
from battlewright.editions.third.pursuit import (
    counts_as_charging,
    is_caught,
    is_towards_an_enemy,
    may_join_their_combat,
    may_shoot_into_combat,
    moves_first,
    reactions,
    sweep_distance,
    sweeps_stop,
    tied_winner,
)

A, B = SIDES


# -- the result -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.result.sum", "3e.core.assault.result")
def test_more_lost_wounds_win() -> None:
    assert winner_by_wounds([(A, 4), (B, 2)]) == A
    assert winner_by_wounds([(A, 2), (B, 2)]) is None


@pytest.mark.rule("3e.result.all-units")
def test_all_units_of_a_side_count_together() -> None:
    assert winner_by_wounds([(A, 1), (A, 3), (B, 3)]) == A


@pytest.mark.rule("3e.result.saved-excluded", "3e.result.overkill-excluded", "3e.result.partial-counts")
def test_what_counts_are_wounds_really_lost() -> None:
    assert wounds_counted(Blow(wounds=5 - 3, left=10)) == 2
    assert wounds_counted(Blow(wounds=2, left=1)) == 1
    assert wounds_counted(Blow(wounds=1, left=4)) == 1


@pytest.mark.rule("3e.cc-example.exarch-result")
def test_surplus_damage_of_directed_attacks_is_not_added() -> None:
    assert wounds_counted(Blow(wounds=3, left=1)) == 1


@pytest.mark.rule("3e.result.tie-roll", "3e.result.tie-equal", "3e.core.assault.draw")
def test_ties_are_rolled_off() -> None:
    assert tied_winner((5, 3)) == A
    assert tied_winner((2, 6)) == B
    assert tied_winner((4, 4)) is None


@pytest.mark.rule("3e.drawn.when", "3e.loser-morale.pass")
def test_a_combat_is_drawn_when_nobody_won_or_the_loser_held() -> None:
    assert is_drawn(None, [])
    assert is_drawn(A, [True, True])
    assert not is_drawn(A, [True, False])


@pytest.mark.rule("3e.loser-morale.test", "3e.loser-morale.fail", "3e.multi-combat.separate-tests")
def test_each_unit_of_the_loser_tests_for_itself() -> None:
    assert after_morale_test([True, False, True]) == [False, True, False]


# -- reactions --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.result.destroyed-choice", "3e.core.assault.wiped-out", "3e.core.assault.still-locked")
def test_winners_choose_between_sweeping_and_consolidating() -> None:
    assert reactions(by_tie_roll=False, still_engaged=False) == (Reaction.SWEEP, Reaction.CONSOLIDATE)
    assert reactions(by_tie_roll=False, still_engaged=True) == ()


@pytest.mark.rule(
    "3e.sweep.tie-roll-only-consolidate", "3e.core.assault.slow-troops", "3e.core.assault.not-after-vehicles"
)
def test_who_may_only_consolidate() -> None:
    only = (Reaction.CONSOLIDATE,)
    assert reactions(by_tie_roll=True, still_engaged=False) == only
    assert reactions(by_tie_roll=False, still_engaged=False, slow=True) == only
    assert reactions(by_tie_roll=False, still_engaged=False, beat_only_vehicles=True) == only


@pytest.mark.rule("3e.sweep.catch", "3e.sweep.equal-escapes", "3e.core.assault.caught")
def test_a_higher_roll_catches_the_enemy() -> None:
    assert is_caught(7, 8)
    assert not is_caught(7, 7)
    assert not is_caught(7, 6)


@pytest.mark.rule("3e.sweep.roll-not-distance")
def test_the_dice_are_compared_and_not_the_distances() -> None:
    assert not is_caught(8, 6)
    assert sweep_distance(6, difficult=False) > 8 / 2


@pytest.mark.rule("3e.sweep.reaches-anyway")
def test_pursuers_that_would_overtake_stop_an_inch_behind() -> None:
    assert sweeps_stop(6.0, escaped=4.0, fresh=None) == (3.0, False)
    assert sweeps_stop(6.0, escaped=12.0, fresh=None) == (6.0, False)


@pytest.mark.rule("3e.sweep.halved")
def test_difficult_terrain_halves_the_advance_but_not_the_dice() -> None:
    assert sweep_distance(9, difficult=True) == 4.5
    assert is_caught(8, 9)


@pytest.mark.rule("3e.sweep.types-override")
def test_jump_troops_are_not_slowed_by_what_they_fly_over() -> None:
    assert sweep_distance(9, difficult=True, ignores_terrain=True) == 9


@pytest.mark.rule("3e.outside.sweep-stops", "3e.core.assault.advance-into-fresh-enemy")
def test_an_advance_ends_at_the_first_enemy_it_touches() -> None:
    assert sweeps_stop(12.0, escaped=None, fresh=9.0) == (9.0, True)
    assert sweeps_stop(8.0, escaped=None, fresh=9.0) == (8.0, False)


@pytest.mark.rule("3e.sweep.new-combat")
def test_who_sweeps_into_a_new_combat_has_the_extra_attack() -> None:
    assert counts_as_charging(swept_in=True, charged=False)
    assert not counts_as_charging(swept_in=False, charged=False)


@pytest.mark.rule("3e.result.destroyed-direction")
def test_an_advance_over_a_destroyed_enemy_goes_towards_another() -> None:
    assert is_towards_an_enemy([5.0, 9.0], [11.0, 3.0])
    assert is_towards_an_enemy([5.0, 9.0], [1.0, 12.0])
    assert not is_towards_an_enemy([5.0, 9.0], [11.0, 12.0])


@pytest.mark.rule("3e.consolidate.ignore-terrain", "3e.outside.consolidate-distance", "3e.core.assault.consolidate")
def test_consolidation_ignores_terrain() -> None:
    assert consolidation_distance(difficult=True) == consolidation_distance(difficult=False) == 3


# -- contact after a sweep --------------------------------------------------------------------------------------


@pytest.mark.rule("3e.sweep.shoot-at-sweepers", "3e.partial-contact.reply", "3e.partial-contact.not-into-combat")
def test_fire_into_combat_is_allowed_only_back_at_sweepers() -> None:
    assert may_shoot_into_combat(target_swept_into_us=True, own_turn=True)
    assert not may_shoot_into_combat(target_swept_into_us=True, own_turn=False)
    assert not may_shoot_into_combat(target_swept_into_us=False, own_turn=True)


@pytest.mark.rule("3e.partial-contact.contact-stay", "3e.partial-contact.others-move", "3e.drawn.contact-stay")
def test_models_in_contact_stay_and_the_others_may_move() -> None:
    assert may_move_in_combat({0, 1}, range(8)) == [2, 3, 4, 5, 6, 7]


@pytest.mark.rule("3e.partial-contact.others-assault", "3e.partial-contact.no-assault-stationary-fire")
def test_free_models_may_join_their_combat() -> None:
    assert may_join_their_combat(moved=True, fired_heavy_or_rapid=False)
    assert may_join_their_combat(moved=False, fired_heavy_or_rapid=False)
    assert not may_join_their_combat(moved=False, fired_heavy_or_rapid=True)


@pytest.mark.rule("3e.drawn.roll-for-first")
def test_the_higher_die_moves_first() -> None:
    assert moves_first((6, 2)) == A
    assert moves_first((3, 3)) is None
