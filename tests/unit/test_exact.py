"""Exact odds against fractions that can be worked out by hand, one trap at a time."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from attack_scenes import group, number, save, volley
from battlewright.attacks.description import (
    Allocation,
    Alternative,
    AttackDice,
    ChoicePoint,
    Emit,
    Outcome,
    Packet,
    Policy,
    RerollPermission,
    RerollWhich,
    SaveTable,
    Step,
    Target,
    Volley,
)
from battlewright.attacks.exact import best_choices, exact
from battlewright.core.errors import BadInput

F = Fraction


def assert_is(found: np.ndarray, *expected: Fraction | int) -> None:
    """The probabilities are exactly these fractions, and nothing lies beyond them."""
    assert sum(expected) == 1
    wanted = np.zeros(len(found))
    wanted[: len(expected)] = [float(p) for p in expected]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-14)


def test_importing_it_needs_nothing_but_numpy() -> None:
    code = (
        "import sys, battlewright.attacks.exact as e; "
        "bad = {'scipy', 'numba', 'shapely', 'matplotlib', 'pydantic'} & set(sys.modules); "
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_one_attack() -> None:
    odds = exact(volley(1, 3, 4, target=group(1), saves=4))
    assert_is(odds.damage, F(5, 6), F(1, 6))
    assert odds.p_destroyed == pytest.approx(1 / 6)


def test_no_attacks_hurt_nobody() -> None:
    odds = exact(volley(0, 3, 4, target=group(2, 2)))
    assert_is(odds.damage, 1)
    assert odds.state.remaining(odds.target) == [(1.0, ((2, 2),))]


def test_extra_hits_are_packets_of_their_own() -> None:
    # A 6 to hit sends two packets of damage 1, not one of 2: a model of one wound each.
    odds = exact(volley(1, 4, None, target=group(2), sustained=1))
    assert_is(odds.slain, F(1, 2), F(2, 6), F(1, 6))


def test_extra_hits_do_not_wound_by_themselves_with_lethal() -> None:
    # The critical hit wounds; its extra hit needs 4+.
    odds = exact(volley(1, 6, 4, target=group(3), sustained=1, lethal=True), Policy(choices={"lethal": "take"}))
    assert_is(odds.damage, F(5, 6), F(1, 12), F(1, 12))


def test_each_critical_rolls_its_own_amount() -> None:
    # Two criticals: the sum of two D3, never twice the same one: 1 + 1 extra at 1/9, and so on.
    odds = exact(volley(2, 2, None, critical_hit=2, target=group(12), sustained="D3"))
    both = F(25, 36)
    one = F(10, 36)
    assert_is(
        odds.damage,
        F(1, 36),
        0,
        one / 3,
        one / 3,
        one / 3 + both * F(1, 9),
        both * F(2, 9),
        both * F(3, 9),
        both * F(2, 9),
        both * F(1, 9),
    )


def test_devastating_does_not_spill() -> None:
    odds = exact(volley(1, None, 6, target=group(3, 2), devastating=True, damage=5))
    assert_is(odds.damage, F(5, 6), 0, F(1, 6))
    assert_is(odds.slain, F(5, 6), F(1, 6))


def test_mortal_wounds_spill() -> None:
    odds = exact(volley(1, None, 6, target=group(3, 2), damage=5, spills=True))
    assert_is(odds.damage, F(5, 6), 0, 0, 0, 0, F(1, 6))
    assert_is(odds.slain, F(5, 6), 0, F(1, 6))


def test_damage_beyond_a_model_is_lost_before_the_next_packet() -> None:
    # Two packets of 2 on models of 3 wounds: 2, then 1 of 2.
    odds = exact(volley(2, 2, None, critical_hit=7, target=group(2, 3), damage=2))
    assert_is(odds.damage, F(1, 36), 0, F(10, 36), F(25, 36))


def test_feel_no_pain_is_rolled_for_every_point_before_the_limit() -> None:
    # Three points at a model of one wound: it lives only when all three are kept.
    odds = exact(volley(1, None, None, target=group(2, 1, fnp=5), damage=3))
    assert_is(odds.damage, F(1, 27), F(26, 27))


def test_random_damage_is_rolled_per_packet() -> None:
    odds = exact(volley(2, None, None, target=group(1, 7), damage="D3"))
    assert_is(odds.damage, 0, 0, F(1, 9), F(2, 9), F(3, 9), F(2, 9), F(1, 9))


def test_everything_but_criticals_is_thrown_again() -> None:
    attack = volley(1, 4, None, target=group(2), sustained=1, reroll_hit="noncritical")
    odds = exact(attack, Policy(rerolls={"hit": RerollWhich.NONCRITICAL}))
    assert_is(odds.damage, F(5, 6) * F(1, 2), F(5, 6) * F(2, 6), F(1, 6) + F(5, 6) * F(1, 6))
    odds = exact(attack)  # only failures
    assert_is(odds.damage, F(1, 4), F(1, 2), F(1, 4))


def test_a_policy_reaches_no_further_than_the_permission() -> None:
    attack = volley(1, 4, None, target=group(2), reroll_hit="ones")
    assert_is(exact(attack, Policy(rerolls={"hit": RerollWhich.ALL})).damage, F(5, 12), F(7, 12))
    assert_is(exact(attack, Policy(rerolls={"hit": RerollWhich.NONE})).damage, F(1, 2), F(1, 2))


def test_damage_is_thrown_again_below_its_mean() -> None:
    attack = volley(1, None, None, target=group(1, 6), damage="D6", reroll_damage="all")
    assert_is(exact(attack).damage, 0, *[F(1, 12)] * 3, *[F(1, 4)] * 3)


def test_critical_on_five_looks_at_the_die_itself() -> None:
    # Needed 6 after a modifier, critical on 5: the unmodified 5 is a critical hit and so hits.
    assert_is(exact(volley(1, 6, None, critical_hit=5, target=group(1))).damage, F(2, 3), F(1, 3))


def test_slain_models_never_exceed_the_unit() -> None:
    odds = exact(volley(200, 2, 2, target=group(5, 2), damage=3, sustained=3, devastating=True))
    assert len(odds.slain) == 6
    assert len(odds.damage) == 11
    assert odds.p_destroyed == pytest.approx(1.0, abs=1e-12)
    assert odds.mean_slain == pytest.approx(5.0, abs=1e-12)


def test_the_defender_throws_failed_saves_again() -> None:
    assert_is(exact(volley(1, None, None, target=group(1), saves=save(4, "failures"))).damage, F(3, 4), F(1, 4))
    assert_is(exact(volley(1, None, None, target=group(1), saves=save(4, "ones"))).damage, F(7, 12), F(5, 12))


def test_sorted_dice_spare_the_better_save_behind() -> None:
    # One model of 5+ before one of 3+, two dice. Front dies at a 4 or less; the higher die then meets 3+.
    odds = exact(volley(2, None, None, target=[group(1), group(1)], saves=[save(5), save(3)]))
    both = F(2, 6) ** 2  # both dice at most 2
    none = F(2, 6) ** 2  # both at least 5
    assert_is(odds.slain, none, 1 - both - none, both)


def test_save_rerolls_follow_the_group_in_front() -> None:
    attack = volley(1, None, None, target=[group(1), group(1)], saves=[save(5), save(3, "failures")])
    assert_is(exact(attack).damage, F(1, 3), F(2, 3))
    odds = exact([attack, attack])  # the second volley meets whoever is in front by then
    assert_is(odds.damage, F(1, 9), F(1, 3) * F(2, 3) + F(2, 3) * F(8, 9), F(2, 3) * F(1, 9))


def test_the_attackers_pick_goes_first_and_mortal_packets_that_do_not_follow_it_spare_it() -> None:
    groups = (group(2), group(1, 2, character=True))
    attack = volley(1, None, None, target=Target(groups, precision_group=1), damage=1)
    assert exact(attack).state.remaining(attack.target) == [(1.0, ((1, 1), (1,)))]
    loose = Packet("mortal", number(1), saved=False, keeps_group=False, stage=1)
    both = Volley(
        "both", attack.dice, (*attack.entry, Emit("mortal")), (), (*attack.packets, loose), attack.saves, attack.target
    )
    assert exact(both).state.remaining(attack.target) == [(1.0, ((1,), (1,)))]


def test_volleys_in_sequence_hand_the_state_on() -> None:
    first = volley(1, None, None, target=group(2, 3), damage="D3")
    second = volley(1, None, None, target=group(2, 3), damage=2)
    together = exact([first, second])
    assert_is(together.damage, 0, 0, 0, F(2, 3) + 0, 0, F(1, 3))
    after = exact(first)
    np.testing.assert_allclose(exact(second, target_state=after.state).damage, together.damage, atol=1e-15)


def test_volleys_at_different_targets_are_refused() -> None:
    with pytest.raises(BadInput, match="another target"):
        exact([volley(1, target=group(2)), volley(1, target=group(3))])


def test_a_wounded_model_is_the_first_to_be_hurt() -> None:
    odds = exact(volley(2, None, None, target=group([1, 3, 3], 3), damage=3))
    assert odds.state.remaining(odds.target) == [(1.0, ((3,),))]
    assert_is(odds.slain, 0, 0, 1)


def test_points_destroyed_count_whole_models() -> None:
    odds = exact(volley(1, 4, None, target=group(2, 2, points=20.0), damage="D3"))
    assert odds.expected_points == pytest.approx(0.5 * 2 / 3 * 20)


@pytest.mark.parametrize(("devastating", "best"), [(False, "take"), (True, "decline")])
def test_the_best_choice_does_more_damage(devastating: bool, best: str) -> None:
    # Against a good save a wound roll that may be critical beats an automatic wound; without that it never does.
    attack = volley(
        6, 6, 2, critical_wound=2, target=group(5, 2), saves=2, lethal=True, devastating=devastating, damage=2
    )
    odds = exact(attack)
    assert odds.choices == {"weapon: lethal": best}
    other = {"take": "decline", "decline": "take"}[best]
    assert odds.mean_damage > exact(attack, Policy(choices={"lethal": other})).mean_damage
    assert best_choices(attack, Policy()) == {"lethal": best}


def test_an_unknown_alternative_is_refused() -> None:
    with pytest.raises(BadInput, match="maybe"):
        exact(volley(1, lethal=True), Policy(choices={"lethal": "maybe"}))


def test_random_attacks_are_rolled_weapon_by_weapon() -> None:
    odds = exact(volley([AttackDice(2, number("D3"))], None, None, target=group(9)))
    assert_is(odds.damage, 0, 0, F(1, 9), F(2, 9), F(3, 9), F(2, 9), F(1, 9))


def test_wounds_dealt_out_evenly_stay_with_their_group() -> None:
    # Three wounds over two models of 5+ and one of 2+: two and one.
    target = Target((group(2), group(1)), Allocation.EVEN)
    odds = exact(volley(3, None, None, target=target, saves=[save(5), save(2)]))
    front = [F(1, 9), F(4, 9), F(4, 9)]
    assert_is(
        odds.slain,
        front[0] * F(5, 6),
        front[1] * F(5, 6) + front[0] / 6,
        front[2] * F(5, 6) + front[1] / 6,
        front[2] / 6,
    )


def test_a_packet_may_bring_its_own_saves() -> None:
    steps = (
        Step(
            "wound",
            (
                Outcome("failure"),
                Outcome("wound", (Emit("damage"),), success=True),
                Outcome("rend", (Emit("rending"),), success=True, critical=True),
            ),
            (0, 0, 0, 1, 1, 2),
        ),
    )
    packets = (Packet("damage"), Packet("rending", saves=(save(None),)))
    attack = Volley("claws", volley(1).dice, (Emit("wound"),), steps, packets, (save(3),), Target((group(1),)))
    assert_is(exact(attack).damage, 1 - F(2, 6) * F(1, 3) - F(1, 6), F(2, 6) * F(1, 3) + F(1, 6))


def test_effects_have_a_distribution_of_their_own() -> None:
    steps = (
        Step(
            "penetration", (Outcome("fail"), Outcome("glance", (Emit("stunned"),), success=True)), (0,) * 4 + (1,) * 2
        ),
    )
    packets = (Packet("stunned", saved=True, effect="stunned"),)
    attack = Volley(
        "cannon", volley(2).dice, (Emit("penetration"),), steps, packets, (save(4),), Target((group(1, 3),))
    )
    odds = exact(attack)
    assert_is(odds.effects["stunned"], F(25, 36), F(10, 36), F(1, 36))
    assert_is(odds.damage, 1)


def test_stages_tell_how_it_came_about() -> None:
    odds = exact(volley(12, 3, 4, target=group(10, 2), saves=5, damage=2, sustained=1))
    found = {stage.name: (stage.rolled, stage.passed, stage.critical) for stage in odds.stages}
    assert found["attacks"] == pytest.approx((12, 12, 0))
    assert found["hit"] == pytest.approx((12, 8, 2))
    assert found["wound"] == pytest.approx((10, 5, 10 / 6))
    assert found["save"] == pytest.approx((5, 10 / 3, 0))
    assert found["damage"] == pytest.approx((10 / 3, odds.mean_damage, 0))
    assert found["slain"] == pytest.approx((odds.mean_damage, odds.mean_slain, 0))


def test_failed_saves_are_counted_by_the_group_in_front() -> None:
    odds = exact(volley(2, None, None, target=[group(1), group(1)], saves=[save(5), save(3)]))
    saves = next(stage for stage in odds.stages if stage.name == "save")
    # 2 dice: two failures when both are at most 2, none when both are 5+, else one.
    assert saves.passed == pytest.approx(2 * 4 / 36 + 28 / 36)


def test_two_choice_points_are_decided_together() -> None:
    way = ChoicePoint("a", (Alternative("less", (Emit("p"),)), Alternative("more", (Emit("p"), Emit("p")))))
    other = ChoicePoint("b", (Alternative("more", (Emit("p"), Emit("p"))), Alternative("less", (Emit("p"),))))
    step = Step("s", (Outcome("low", (), way), Outcome("high", (), other)), (0, 0, 0, 1, 1, 1))
    attack = Volley("x", volley(1).dice, (Emit("s"),), (step,), (Packet("p", saved=False),), (), Target((group(5),)))
    assert exact(attack).choices == {"x: a": "more", "x: b": "more"}


def test_a_large_tensor_falls_back_to_dice_left(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [group(2, 2, fnp=5), group(2, 1), group(1, 3)]
    attack = volley(9, 3, 3, target=groups, saves=[save(6), save(4), save(2)], damage="D3", devastating=True)
    direct = exact(attack)
    monkeypatch.setattr("battlewright.attacks.exact._MOST_ENTRIES", 100)
    other = exact(attack)
    np.testing.assert_allclose(other.damage, direct.damage, atol=1e-13)
    for one, two in zip(other.stages, direct.stages, strict=True):
        assert one.passed == pytest.approx(two.passed)


def test_many_attacks_into_three_groups_come_out_the_same_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [group(10, 2, fnp=5), group(5, 3, fnp=5), group(1, 5, fnp=5, character=True)]
    attack = volley(80, 3, 4, target=groups, saves=[save(4), save(3), save(2)], damage=2, devastating=True, sustained=1)
    found = exact(attack)
    monkeypatch.setattr("battlewright.attacks.exact._MOST_ENTRIES", 10**9)
    wanted = exact(attack)
    np.testing.assert_allclose(found.damage, wanted.damage, rtol=0, atol=1e-12)
    assert min(found.damage) >= 0.0
    for one, two in zip(found.stages, wanted.stages, strict=True):
        assert one.passed == pytest.approx(two.passed, rel=1e-10)


def test_save_table_need_not_be_a_threshold() -> None:
    odd = SaveTable((True, False, True, False, True, False))
    assert_is(exact(volley(1, None, None, target=group(1), saves=odd)).damage, F(1, 2), F(1, 2))


def test_a_permission_may_be_for_all() -> None:
    step = volley(1, 4, None, target=group(1), reroll_hit="all").steps[0]
    assert step.reroll == RerollPermission(RerollWhich.ALL, "re-roll all")
