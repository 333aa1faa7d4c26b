"""A volley resolved throw by throw: the order of the throws, what they come to, and how they are explained."""

from __future__ import annotations

import pytest

from attack_scenes import group, save, script, volley
from battlewright.attacks.description import Allocation, AttackDice, Emit, Packet, Policy, RerollWhich, Target, Volley
from battlewright.attacks.resolve import Resolution
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core.dice import ScriptedDice, SeededDice


def play(
    attack: Volley,
    dice: ScriptedDice,
    policy: Policy | None = None,
    choices: dict[str, str] | None = None,
) -> tuple[Resolution, SimulatedHost]:
    """Resolve with scripted dice; every die of the script must have been used."""
    host = SimulatedHost(attack, dice, policy, choices)
    done = simulate(attack, host)
    dice.finish(host.position)
    return done, host


def test_each_step_of_a_pool_is_one_throw_and_saves_come_before_any_damage() -> None:
    attack = volley(4, 3, 4, target=group(2, 3), saves=4, damage="D3")
    dice = script(
        ("hit", [1, 3, 6, 2]),
        ("wound", [4, 5]),
        ("save", [3, 1]),
        ("damage", [2]),
        ("damage", [3]),
    )
    done, host = play(attack, dice)
    assert done.outcomes == {
        "hit": {"failure": 2, "success": 1, "critical": 1},
        "wound": {"failure": 0, "success": 2, "critical": 0},
    }
    assert (done.damage, host.wounds) == (3, [[0, 3]])  # 2, then 3 of which the model has 1 left
    assert [told.purpose for told in host.explanations] == ["hit", "wound", "save", "damage", "damage"]


def test_sustained_hits_are_tokens_of_their_own_and_do_not_wound_with_lethal() -> None:
    attack = volley(2, 3, 4, target=group(10), sustained="D3", lethal=True)
    dice = script(("hit", [6, 6]), ("critical-amount", [1, 3]), ("wound", [1, 2, 3, 4]), ("save", [2, 2, 2]))
    done, _ = play(attack, dice, choices={"lethal": "take"})
    assert done.packets == {"damage": 3}  # two automatic wounds and the one that was rolled


def test_lethal_may_be_declined() -> None:
    attack = volley(1, 3, 4, target=group(3, 3), lethal=True, devastating=True, damage=2)
    done, host = play(attack, script(("hit", [6]), ("wound", [6])), choices={"lethal": "decline"})
    assert done.packets == {"damage": 0, "devastating": 1}
    assert host.wounds == [[1, 3, 3]]


def test_save_dice_are_worked_from_the_lowest_and_a_dead_group_passes_the_rest_on() -> None:
    # Two of 5+ in front of one of 3+: the 4 would stop nothing in front, but the front is dead by then.
    attack = volley(4, None, None, target=[group(2), group(1)], saves=[save(5), save(3)])
    done, host = play(attack, script(("save", [4, 2, 5, 1])))
    assert host.wounds == [[0, 0], [1]]
    assert done.unsaved == {"damage": 2}


def test_dice_left_when_the_unit_is_destroyed_are_lost() -> None:
    done, host = play(volley(3, None, None, target=group(1), damage="D6"), script(("save", [1, 1, 1]), ("damage", [1])))
    assert (done.damage, host.slain, done.unsaved) == (1, 1, {"damage": 1})


def test_devastating_follows_the_normal_damage_and_stays_with_one_model() -> None:
    attack = volley(3, None, 4, target=group(3, 2), devastating=True, damage=3, saves=3)
    done, host = play(attack, script(("wound", [6, 4, 6]), ("save", [2])))
    assert host.wounds == [[0, 0, 0]]
    assert done.damage == 6
    attack = volley(1, None, 4, target=group(3, 2), devastating=True, damage=3)
    assert play(attack, script(("wound", [6])))[1].wounds == [[0, 2, 2]]


def test_feel_no_pain_is_thrown_for_every_point_before_the_limit_of_the_model() -> None:
    attack = volley(1, None, None, target=group(2, 2, fnp=5), damage=3)
    assert play(attack, script(("save", [1]), ("feel-no-pain", [5, 4, 1])))[1].wounds == [[0, 2]]
    assert play(attack, script(("save", [1]), ("feel-no-pain", [5, 6, 1])))[1].wounds == [[1, 2]]


def test_mortal_wounds_spill_one_by_one_and_waste_no_die() -> None:
    mortal = Packet("mortal", volley(damage=4).packets[0].damage, saved=False, spills=True)
    attack = Volley(
        "mortal", volley(1).dice, (Emit("mortal"),), (), (mortal,), (), Target((group([1, 2], 2, fnp=6), group(1, 3)))
    )
    dice = script(("feel-no-pain", [6]), ("feel-no-pain", [1]), ("feel-no-pain", [1, 1]))
    done, host = play(attack, dice)
    assert (host.wounds, done.damage) == ([[0, 0], [3]], 3)


def test_the_attackers_pick_goes_first_until_it_is_dead() -> None:
    target = Target((group(3), group(1, 2, character=True)), precision_group=1)
    attack = volley(4, None, None, target=target, saves=[save(None), save(None)])
    assert play(attack, script(("save", [1, 1, 1, 1])))[1].wounds == [[0, 0, 1], [0]]


def test_wounds_are_dealt_out_evenly_and_each_group_bears_its_own() -> None:
    target = Target((group(6, name="Initiates"), group(5, name="Neophytes")), Allocation.EVEN)
    attack = volley(8, None, None, target=target, saves=[save(3), save(4)])
    done, host = play(attack, script(("save", [3, 3, 3, 2, 1, 6]), ("save", [3, 4])))
    assert (host.wounds, done.unsaved) == ([[0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1]], {"damage": 3})


def test_one_by_one_each_packet_is_saved_by_whoever_is_in_front() -> None:
    target = Target((group(1), group(2)), Allocation.IN_ORDER)
    attack = volley(3, None, None, target=target, saves=[save(5), save(3)])
    assert play(attack, script(("save", [4]), ("save", [4]), ("save", [2])))[1].wounds == [[0], [0, 1]]


@pytest.mark.parametrize(
    ("which", "first", "again"),
    [("ones", [1, 2, 5, 6], [3]), ("failures", [1, 2, 5, 6], [3, 3]), ("noncritical", [1, 2, 5, 6], [3, 3, 3])],
)
def test_dice_are_thrown_again_once_within_the_permission(which: str, first: list[int], again: list[int]) -> None:
    attack = volley(4, 3, 5, target=group(9), reroll_hit="noncritical")
    dice = script(("hit", first), ("hit-reroll", again), ("wound", [1] * 4 if which != "ones" else [1] * 3))
    done, host = play(attack, dice, Policy(rerolls={"hit": RerollWhich(which)}))
    roll = host.explanations[0].roll
    assert roll is not None
    assert roll.faces == tuple(first)
    assert [again.was for again in roll.rerolls] == first[: len(again)]
    assert done.outcomes["hit"]["critical"] == 1


def test_a_policy_reaches_no_further_than_the_permission() -> None:
    attack = volley(2, 3, 5, target=group(9), reroll_hit="ones")
    dice = script(("hit", [1, 2]), ("hit-reroll", [1]))
    play(attack, dice, Policy(rerolls={"hit": RerollWhich.ALL}))


def test_random_attacks_are_thrown_together() -> None:
    attack = volley([AttackDice(2, volley("D3").dice[0].each), AttackDice(1, volley(2).dice[0].each)], 3)
    done, _ = play(attack, script(("attacks", [1, 3]), ("hit", [1] * 6)))
    assert done.attacks == 6


def test_a_seed_repeats_a_resolution() -> None:
    attack = volley("2D6", 3, 4, target=group(10, 2, fnp=6), saves=4, damage="D3", sustained=1, devastating=True)
    first, second = (SimulatedHost(attack, SeededDice(5)) for _ in range(2))
    assert simulate(attack, first) == simulate(attack, second)
    assert first.explanations == second.explanations
