"""Command Re-roll (15.02): after which rolls, by whom, of which dice, and when a player is asked at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from battlewright.core.decisions import SIDES
from battlewright.core.dice import Roll
from battlewright.editions.eleventh import command_re_roll, damage
from battlewright.editions.eleventh.events import ChargeDeclared, StratagemUsed
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase, StratagemRule
from support.combat import aim, declare, events_of, no_dice_left, run, run_asking, stages, wounds
from support.eleventh import UnitSpec, decision, scene, unit, weapon

COMMAND_RE_ROLL = "11e.core.15.02-command-re-roll"
SOMEBODY = unit(1, name="Somebody").at(2, 2)
GUN = weapon("Gun", A=2, BS="3+", S=4, AP=-1, D="D6")


Dice = Sequence[tuple[str, Sequence[int]]]


def shooting(*guns: Any, dice: Dice, cp: tuple[int, int] = (1, 0), **settings: Any) -> Battle11:
    """One model with these weapons has declared its attacks on a unit of three; everything may be re-rolled."""
    options = {"offer_command_re_roll": settings.pop("ask", "all")}
    target = settings.pop("target", unit(3, W=3, Sv="4+").at(10, 30))
    battle = scene(
        [unit(1, weapons=guns or (GUN,)).at(10, 14), SOMEBODY],
        target,
        phase=Phase.SHOOTING,
        options=options,
        dice=dice,
        cp=cp,
        **settings,
    )
    battle.answer("a.1")
    battle.answer(declare(*(aim("b.1", 0, weapon=number) for number in range(len(guns) or 1))))
    return battle


def keys(battle: Battle11) -> list[str]:
    return [option.key for option in battle.options()]


def asked(battle: Battle11) -> str:
    return decision(battle).kind


# -- rolls of an attack -----------------------------------------------------------------------------------------


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_one_die_of_a_hit_roll_is_thrown_again():
    battle = shooting(dice=[("hit", (1, 2)), ("hit-reroll", (5,)), ("wound", (1,))])
    assert asked(battle).startswith("command-re-roll-")
    assert keys(battle) == ["die:1", "die:2", "none"]
    battle.answer("die:2")
    assert stages(battle, "hit")[0].rerolls == ((1, 2, 5),)
    assert battle.state.cp == (0, 0)
    assert [(e.stratagem, e.unit) for e in events_of(battle, StratagemUsed)] == [("Command Re-roll", "a.1")]
    no_dice_left(battle)


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_so_is_one_of_a_wound_roll_and_nothing_more_in_the_phase():
    battle = shooting(
        dice=[("hit", (5, 5)), ("wound", (1, 1)), ("wound-reroll", (4,)), ("save", (1,)), ("damage", (1,))], cp=(3, 0)
    )
    battle.answer("none")
    battle.answer("die:1")
    while asked(battle) == "select-model":
        battle.answer(decision(battle).default())
    assert sum(wounds(battle, "b.1")) == 8
    assert len(events_of(battle, StratagemUsed)) == 1
    no_dice_left(battle)


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_the_defender_re_rolls_a_save():
    battle = shooting(dice=[("hit", (5, 1)), ("wound", (5,)), ("save", (4,)), ("save-reroll", (5,))], cp=(0, 1))
    assert (decision(battle).side, decision(battle).subject) == (1, 2)
    battle.answer("die:4")
    assert wounds(battle, "b.1") == [3, 3, 3]
    assert battle.state.cp == (0, 0)
    no_dice_left(battle)


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_a_damage_roll_is_thrown_again():
    battle = shooting(
        dice=[("hit", (5, 1)), ("wound", (5,)), ("save", (1,)), ("damage", (1,)), ("damage-reroll", (3,))]
    )
    for _ in range(2):
        battle.answer("none")
    while asked(battle) == "select-model":
        battle.answer(decision(battle).default())
    assert keys(battle) == ["die:1", "none"]
    battle.answer("die:1")
    assert sorted(wounds(battle, "b.1")) == [0, 3, 3]
    no_dice_left(battle)


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_of_a_number_of_attacks_rolled_with_two_dice_one_is_thrown_again():
    battle = shooting(weapon("Storm", A="2D6"), dice=[("attacks", (1, 6)), ("attacks-reroll", (2,)), ("hit", (1,) * 8)])
    assert keys(battle) == ["die:1", "die:6", "none"]
    battle.answer("die:1")
    assert stages(battle, "attacks")[0].outcomes == (("sum", 8),)


@pytest.mark.rule(COMMAND_RE_ROLL, "11e.core.01.05-reroll-once")
def test_a_die_thrown_again_by_another_rule_is_not_thrown_again_once_more():
    battle = shooting(
        weapon("Twin", "TWIN-LINKED", A=2, S=4),
        dice=[("hit", (5, 5)), ("wound", (1, 3)), ("wound-reroll", (1,)), ("wound-reroll", (6,)), ("save", (1,))],
    )
    battle.answer("none")
    assert asked(battle) == "re-roll"
    battle.answer("ones")
    assert asked(battle).startswith("command-re-roll-")
    assert keys(battle) == ["die:3", "none"], "the other one has been thrown again"
    battle.answer("die:3")
    assert stages(battle, "wound")[0].rerolls == ((0, 1, 1), (1, 3, 6))
    while asked(battle) == "select-model":
        battle.answer(decision(battle).default())
    no_dice_left(battle)


@pytest.mark.rule("11e.core.10.07-indirect-penalties")
def test_hit_rolls_of_indirect_shooting_are_not_re_rolled():
    mortar = weapon("Mortar", "INDIRECT FIRE", A=1)
    battle = scene(
        [unit(1, weapons=(mortar,)).at(10, 14), SOMEBODY],
        unit(3).at(10, 30),
        phase=Phase.SHOOTING,
        options={"offer_command_re_roll": "all"},
        dice=[("hit", (1,))],
        cp=(1, 0),
    )
    battle.answer("a.1")
    battle.answer("indirect")
    battle.answer(declare(aim("b.1", 0)))
    assert asked(battle) == "select-unit-to-shoot"


# -- advance, charge, hazard ------------------------------------------------------------------------------------


@pytest.mark.rule(COMMAND_RE_ROLL, "11e.core.01.05-reroll-whole-roll")
def test_a_charge_roll_is_thrown_again_whole():
    battle = scene(
        [unit(1).at(10, 10), SOMEBODY],
        unit(1).at(10, 20),
        phase=Phase.CHARGE,
        dice=[("charge", (6, 1)), ("charge-reroll", (2, 3))],
        cp=(1, 0),
    )
    battle.answer("a.1")
    assert keys(battle) == ["total:7", "none"]
    battle.answer("total:7")
    declared = events_of(battle, ChargeDeclared)[0]
    assert (declared.faces, declared.rerolls) == ((2, 3), ((0, 6, 2), (1, 1, 3)))
    assert [event.cp for event in events_of(battle, StratagemUsed)] == [(0, 0)]


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_an_advance_roll_is_thrown_again():
    battle = scene(
        [unit(1).at(10, 10), SOMEBODY],
        phase=Phase.MOVEMENT,
        dice=[("advance", (1,)), ("advance-reroll", (6,))],
        cp=(1, 0),
    )
    battle.answer("a.1")
    battle.answer("advance")
    battle.answer("die:1")
    assert decision(battle).prompt == "Advance Squad, 6 rolled"


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_one_die_of_several_hazard_rolls_is_thrown_again():
    battle = scene(unit(4).at(10, 10), dice=[("hazard", (1, 2, 3, 6)), ("hazard-reroll", (5,))], cp=(1, 0))
    _, decisions = run_asking(damage.hazard_rolls(battle, 0, 4), "die:2")
    assert [option.key for option in decisions[0].options()] == ["die:1", "die:2", "none"]
    assert sum(wounds(battle, "a.1")) == 3
    no_dice_left(battle)


# -- who is asked, and when -------------------------------------------------------------------------------------


def ask_about(mine: UnitSpec, faces: Sequence[int], purpose: str = "hazard", **settings: Any) -> list[list[str]]:
    """What is offered after a roll for the first unit."""
    settings.setdefault("cp", (1, 0))
    battle = scene(mine, options={"offer_command_re_roll": settings.pop("ask", "important")}, **settings)
    roll = Roll(purpose, 6, tuple(faces))
    _, decisions = run_asking(command_re_roll.with_re_roll(battle, 0, roll))
    return [[option.key for option in each.options()] for each in decisions]


@pytest.mark.rule(COMMAND_RE_ROLL, "11e.core.15.01-one-per-unit", "11e.core.01.07-shocked-no-stratagems")
def test_nobody_is_asked_who_could_not_use_it():
    squad = unit(2).at(10, 10)
    assert ask_about(squad, (1, 5)) == [["die:1", "none"]]
    assert ask_about(squad, (1, 5), cp=(0, 1)) == []
    assert ask_about(squad.having(battle_shocked=True), (1, 5)) == []
    assert ask_about(squad.having(stratagem="explosives"), (1, 5)) == []
    assert ask_about(squad, (1, 5), stratagems_used=((0, "command-re-roll"),)) == []
    assert ask_about(squad, (1, 5), stratagems_used=((1, "command-re-roll"),)) == [["die:1", "none"]]


@pytest.mark.parametrize(
    ("purpose", "faces", "ask", "offered"),
    [
        ("hazard", (3, 6), "important", []),
        ("hazard", (3, 6), "all", [["die:3", "die:6", "none"]]),
        ("hazard", (1, 6), "never", []),
        ("advance", (4,), "important", []),
        ("advance", (3,), "important", [["die:3", "none"]]),
        ("charge", (4, 4), "important", [["total:8", "none"]]),
    ],
)
def test_the_option_says_after_which_rolls_a_player_is_asked(
    purpose: str, faces: tuple[int, ...], ask: str, offered: list[list[str]]
):
    assert ask_about(unit(2).at(10, 10), faces, purpose, ask=ask) == offered


def test_important_are_throws_of_few_dice_one_of_which_failed():
    many = weapon("Many", A=4)
    assert asked(shooting(many, dice=[("hit", (1, 1, 1, 1))], ask="important")) == "select-unit-to-shoot"
    few = weapon("Few", A=3)
    battle = shooting(few, dice=[("hit", (1, 6, 6)), ("wound", (6, 6)), ("save", (6, 6))], ask="important", cp=(1, 1))
    assert keys(battle) == ["die:1", "none"]
    battle.answer("none")
    assert asked(battle) == "select-unit-to-shoot", "nothing failed"


@pytest.mark.rule(COMMAND_RE_ROLL)
def test_a_re_roll_that_the_opponent_makes_too_dear_is_not_made():
    raised = (StratagemRule(SIDES[0], "a rule", change=1, is_opponents=True),)
    battle = scene(unit(1).at(10, 10), cp=(1, 0), stratagem_rules=raised, dice=[])
    roll = Roll("charge", 6, (1, 1))
    assert run(command_re_roll.with_re_roll(battle, 0, roll), "total:2") == roll
    assert battle.state.cp == (1, 0)
