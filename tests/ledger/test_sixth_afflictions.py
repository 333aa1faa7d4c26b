"""What weapons of the 6th edition leave behind, the end of a turn, and wargear that goes with armour."""

from __future__ import annotations

import pytest
from tests.support.classic import model, printed_weapon, scene, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.editions.classic.procedures.movement import move_kinds
from battlewright.editions.classic.procedures.prowess import guarded_profile
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Guard, Saves
from battlewright.editions.classic.state import Phase
from battlewright.editions.sixth.afflictions import (
    ABLAZE,
    BLIND_HIT,
    BLINDED,
    STRUCK_DOWN,
    Struck,
    blinded_shots,
    burns_on,
    is_blinded,
    is_struck_down,
    take_sight_tests,
    what_is_left,
)
from battlewright.editions.sixth.firing import is_relentless
from battlewright.editions.sixth.special_rules import iron_halo, storm_shield, terminator_armour


def to_the_end(battle: ClassicBattle, **answers: str) -> None:
    while battle.decision is not None:
        kind = battle.decision.kind.replace("-", "_")
        listed = [option.key for option in battle.decision.options()]
        battle.answer(Pick(answers[kind]) if answers.get(kind) in listed else battle.decision.default())


def shot_at(*abilities: str, dice: list[tuple[str, list[int]]], **target: object) -> ClassicBattle:
    """One soldier with such a weapon has fired at two models; the dice are those of the phase."""
    gun = printed_weapon("Gun", *abilities)
    battle = scene(
        unit(1, weapons=[gun]).at(20, 20), unit(2, **target).at(30, 20), phase=Phase.SHOOTING, alone=True, edition="6",
        dice=dice,
    )  # fmt: skip
    battle.answer(Pick("a.1"))
    to_the_end(battle, select_target="b.1")
    return battle


@pytest.mark.rule("6e.core.weapons.blind")
def test_who_is_hit_by_a_blind_weapon_tests_at_the_end_of_the_phase_and_sees_nothing_for_a_turn() -> None:
    assert what_is_left(weapon("BLIND"), Struck(hits=1)) == {BLIND_HIT}
    assert what_is_left(weapon("BLIND"), Struck()) == frozenset()
    for face, blind in ((4, False), (5, True)):
        battle = shot_at("BLIND", dice=[("hit", [3]), ("wound", [1]), ("blind", [face])])
        assert battle.state.units[1].has(BLIND_HIT)
        take_sight_tests(battle)
        assert is_blinded(battle.state.units[1]) == blind
    upon = next(iter(battle.state.units[1].powers))
    assert upon == (BLINDED, battle.state.turns + 1), "to the end of its next turn"
    lasts = unit(1, WS=6, A=1, I=1).at(20, 20).having(powers=frozenset({(BLINDED, 99)}))
    fight = scene(
        lasts, unit(1, WS=4, A=1, I=5).at(20.984, 20), phase=Phase.ASSAULT, alone=True, edition="6",
        dice=[("hit", [3]), ("wound", [1]), ("hit", [4])],
    )  # fmt: skip
    to_the_end(fight)
    needed = [event.needed for event in fight.events if getattr(event, "stage", "") == "hit"]
    assert needed == [3, 5], "he is struck on 3+ and strikes on 5+, as with a WS of 1"


@pytest.mark.rule("6e.core.weapons.blind")
def test_a_blinded_unit_shoots_with_a_skill_of_one() -> None:
    battle = scene(
        unit(1, weapons=[printed_weapon("Gun")]).at(20, 20).having(powers=frozenset({(BLINDED, 99)})),
        unit(1).at(30, 20), phase=Phase.SHOOTING, alone=True, edition="6", dice=[("hit", [5])],
    )  # fmt: skip
    battle.answer(Pick("a.1"))
    to_the_end(battle, select_target="b.1")
    assert [event.needed for event in battle.events if getattr(event, "stage", "") == "hit"] == [6]
    assert blinded_shots is not None


@pytest.mark.rule("6e.core.weapons.strikedown")
def test_whom_a_weapon_strikes_down_moves_as_in_difficult_terrain() -> None:
    assert what_is_left(weapon("STRIKEDOWN"), Struck(hits=1, wounds=1)) == {STRUCK_DOWN}
    assert what_is_left(weapon("STRIKEDOWN"), Struck(hits=1)) == frozenset()
    saved = shot_at("STRIKEDOWN", dice=[("hit", [3]), ("wound", [4]), ("save", [3])], Sv="3+")
    assert len(standing(saved.state, 1)) == 2, "the wound was saved"
    assert (STRUCK_DOWN, saved.state.turns + 1) in saved.state.units[1].powers
    assert move_kinds(saved.scene, saved.state, 1) == ("terrain",)
    assert move_kinds(saved.scene, saved.state, 0) == ("normal",)
    assert is_struck_down({f"UNDER {STRUCK_DOWN}"})


@pytest.mark.rule("6e.core.weapons.soul-blaze", "6e.core.turn.end")
def test_a_unit_ablaze_burns_at_the_end_of_every_turn_until_the_blaze_goes_out() -> None:
    assert [burns_on(face) for face in (3, 4)] == [False, True]
    assert what_is_left(weapon("SOUL BLAZE"), Struck(hits=1, wounds=1, unsaved=1)) == {ABLAZE}
    assert what_is_left(weapon("SOUL BLAZE"), Struck(hits=1, wounds=1)) == frozenset()
    lit = shot_at("SOUL BLAZE", dice=[("hit", [3]), ("wound", [4]), ("losses", [1, 1])], Sv="-")
    assert any(name == ABLAZE for name, _ in lit.state.units[1].powers)
    ablaze = unit(5, Sv="5+", T=4, Ld=10).at(30, 20).having(powers=frozenset({(ABLAZE, 10_000)}))
    for script, left, burns in (
        ([("soul-blaze", [4]), ("soul-blaze-hits", [2]), ("wound", [4, 4])], 3, True),
        ([("soul-blaze", [3])], 5, False),
    ):
        battle = scene(unit(1).at(10, 10), ablaze, phase=Phase.ASSAULT, alone=True, edition="6", dice=script)
        to_the_end(battle)
        assert len(standing(battle.state, 1)) == left, "AP 5 leaves no save of 5+"
        assert any(name == ABLAZE for name, _ in battle.state.units[1].powers) == burns


@pytest.mark.rule("6e.core.turn.end", "6e.core.turn.sequence")
def test_the_check_for_length_comes_after_the_turns_of_both() -> None:
    one = scene(unit(1).at(10, 10), unit(1).at(20, 10), phase=Phase.ASSAULT, turn=0, game_turn=5, edition="6", dice=[])
    one.answer(Pick("end"))
    assert (one.state.turn, one.state.round) == (1, 5), "no roll after the first player's turn"
    both = scene(
        unit(1).at(10, 10), unit(1).at(20, 10), phase=Phase.ASSAULT, turn=1, game_turn=5, edition="6",
        dice=[("game-length", [1])],
    )  # fmt: skip
    both.answer(Pick("end"))
    assert both.decision is None
    assert both.state.over
    alone = scene(
        unit(1).at(10, 10), unit(1).at(30, 30).having(wounds=[0]), phase=Phase.ASSAULT, turn=1, game_turn=2,
        edition="6", dice=[],
    )  # fmt: skip
    assert alone.state.over, "a side with nothing on the table has lost"


@pytest.mark.rule("6e.core.missions.terminator-armour")
def test_terminator_armour_shields_and_halos() -> None:
    assert terminator_armour(Saves(3, None), Guard()) == Saves(2, 5)
    assert terminator_armour(Saves(2, 4), Guard(close_combat=True)) == Saves(2, 4)
    assert storm_shield(Saves(3, None), Guard()) == Saves(3, 3)
    assert iron_halo(Saves(3, None), Guard()) == Saves(3, 4)
    assert is_relentless(model(abilities=["TERMINATOR ARMOUR"]))
    assert not is_relentless(model())
    battle = scene(unit(1, Sv="3+", abilities=["TERMINATOR ARMOUR", "STORM SHIELD"]).at(10, 10), edition="6")
    worn = guarded_profile(battle.scene, battle.state, 0, close_combat=False)
    assert (worn.save, worn.invulnerable) == (2, 3)
