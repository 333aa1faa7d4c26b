"""Fights of the 6th edition as they are played: who steps in for whom, who crashes in when, who watches a challenge."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.classic import UnitSpec, mixed, scene, unit

from battlewright.core.decisions import Pick
from battlewright.core.events import ModelsMoved
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase


def fight(
    a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: tuple[str, list[int]], **more: Any
) -> ClassicBattle:
    return scene(a, b, phase=Phase.ASSAULT, alone=True, dice=list(dice), edition="6", **more)


def play(battle: ClassicBattle, **answers: str | list[str]) -> list[str]:
    """To the end, answers by kind of decision (a list one after another), else by default; the kinds asked."""
    kinds = []
    while battle.decision is not None:
        kind = battle.decision.kind.replace("-", "_")
        kinds.append(battle.decision.kind)
        listed = [option.key for option in battle.decision.options()]
        wanted: str | list[str] = answers.get(kind, "")
        if isinstance(wanted, list):
            wanted = wanted.pop(0) if wanted and wanted[0] in listed else ""
        if not wanted and kind == "select_unit_to_assault":
            wanted = "end"
        battle.answer(Pick(wanted) if wanted in listed else battle.decision.default())
    return kinds


def hero(**more: Any) -> UnitSpec:
    return unit(1, "INFANTRY", "CHARACTER", name="Hero", **more)


# -- look out, sir ----------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.shooting.look-out-sir", "6e.core.assault.allocation", "6e.core.characters.abilities")
@pytest.mark.parametrize(("face", "answer", "falls"), [(4, "yes", 1), (3, "yes", 0), (None, "no", 0)])
def test_a_comrade_may_step_in_for_a_character_in_close_combat(face: int | None, answer: str, falls: int) -> None:
    squad = mixed("Squad", hero(I=4, W=2, Sv="3+"), unit(1, I=4, Sv="5+")).on((10, 20), (11.2, 20))
    foe = unit(1, I=5, A=1, W=9).on((10, 20.984))
    stepped = [("look-out-sir", [face])] if face else []
    dice = [("hit", [4]), ("wound", [4]), *stepped, ("save", [2])]
    after = [("hit", [1])] if falls else [("hit", [1]), ("hit", [1])]
    battle = fight(foe, squad, *dice, *after, ("lost combat", [1, 1]))
    play(battle, look_out_sir=answer)
    assert int(battle.state.wounds[1]) == (2 if falls else 1)
    assert int(battle.state.wounds[2]) == (0 if falls else 1)


@pytest.mark.rule("6e.core.assault.challengers", "6e.core.shooting.look-out-sir")
def test_nobody_steps_in_for_a_challenger() -> None:
    ours = mixed("Ours", hero(I=4, W=2), unit(2, I=1)).on((10, 20), (11.2, 20), (12.4, 20))
    theirs = mixed("Theirs", hero(I=5, W=3), unit(2, I=1)).on((10, 20.984), (11.2, 20.984), (12.4, 20.984))
    dice = [("hit", [4]), ("wound", [4]), ("save", [1]), ("hit", [1]), ("hit", [1, 1]), ("hit", [1, 1])]
    battle = fight(theirs, ours, *dice, ("lost combat", [1, 1]))
    kinds = play(battle, challenge=["model:0", "model:3"])
    assert "look-out-sir" not in kinds
    assert int(battle.state.wounds[3]) == 1


@pytest.mark.rule("6e.core.assault.allocation", "6e.outside.precision-strike")
def test_the_striker_picks_who_takes_a_precise_wound_and_a_comrade_may_still_step_in() -> None:
    squad = mixed("Squad", unit(1, I=1), hero(I=1, W=2)).on((10, 20), (11.2, 20))
    foe = hero(I=5, A=1, W=9).on((10, 20.984))
    dice = [("hit", [6]), ("precise wound", [4]), ("look-out-sir", [4]), ("save", [1]), ("hit", [1])]
    battle = fight(foe, squad, *dice, ("lost combat", [1, 1]))
    kinds = play(battle, challenge="none", select_model="model:2")
    assert "look-out-sir" in kinds
    assert (int(battle.state.wounds[1]), int(battle.state.wounds[2])) == (0, 2)


# -- challenges -------------------------------------------------------------------------------------------------


def watched(friends: int, *dice: tuple[str, list[int]], **more: Any) -> ClassicBattle:
    """A hero with so many friends behind him meets one character alone."""
    spots = [(10.0, 20.0), *((7.0 + 1.05 * n, 18.5) for n in range(friends))]
    ours = mixed("Ours", hero(I=5, A=more.get("A", 2)), unit(friends, I=4)).on(*spots)
    return fight(ours, hero(I=2, W=3).on((10, 20.984)), *dice)


@pytest.mark.rule("6e.core.assault.moral-support")
def test_five_who_watch_let_a_challenger_throw_one_die_again() -> None:
    dice = [
        ("hit", [1, 2]), ("hit-reroll", [4]), ("wound", [1]), ("hit", [1]), ("lost combat", [1, 1]),
    ]  # fmt: skip
    battle = watched(5, *dice[:4])
    kinds = play(battle, challenge=["model:0", "model:6"])
    assert kinds.count("moral-support") == 1, "it is used up by the hit roll"
    kept = watched(5, ("hit", [1, 4]), ("wound", [1]), ("wound-reroll", [4]), ("save", [1]), *dice[3:])
    kinds = play(kept, challenge=["model:0", "model:6"], moral_support=["again:0", "again:1"])
    assert kinds.count("moral-support") == 2
    assert int(kept.state.wounds[6]) == 2


@pytest.mark.rule("6e.core.assault.moral-support", "6e.core.assault.challengers")
def test_four_who_watch_give_nothing_nor_do_those_who_fight() -> None:
    battle = watched(4, ("hit", [1, 2]), ("hit", [1]))
    assert "moral-support" not in play(battle, challenge=["model:0", "model:5"])
    ours = mixed("Ours", hero(I=5), unit(5, I=4)).on((10, 20), *((11 + n, 20) for n in range(5)))
    foes = mixed("Theirs", hero(I=2), unit(5, I=3)).on((10, 20.984), *((11 + n, 20.984) for n in range(5)))
    busy = fight(ours, foes, ("hit", [1]), ("hit", [1] * 5), ("hit", [1] * 5), ("hit", [1]))
    assert "moral-support" not in play(busy, challenge=["model:0", "model:6"])


@pytest.mark.rule("6e.core.assault.challengers")
def test_a_challenger_changes_places_with_the_comrade_who_touches_his_opponent() -> None:
    ours = mixed("Ours", unit(1, I=1), hero(I=1)).on((10, 20), (11.2, 18.5))
    theirs = mixed("Theirs", hero(I=1), unit(1, I=1)).on((10, 20.984), (11.2, 20.984))
    battle = fight(ours, theirs, ("hit", [1, 1]), ("hit", [1, 1]), ("hit", [1]), ("hit", [1]))
    while battle.decision is not None and battle.decision.kind != "challenge":
        battle.answer(Pick("end"))
    battle.answer(Pick("model:1"))
    battle.answer(Pick("model:2"))
    state = battle.state
    assert float(gaps(battle.scene, state, [1], [2])[0, 0]) == 0.0
    assert state.position[1].tolist()[:2] == [10_000, 20_000]
    assert state.position[0].tolist()[:2] == [11_200, 18_500]
    moved = [event for event in battle.events if isinstance(event, ModelsMoved)]
    assert [event.how for event in moved] == ["challenge"]
    assert {row for row, _ in moved[0].paths} == {0, 1}


@pytest.mark.rule("6e.core.assault.challengers")
@pytest.mark.parametrize(
    ("mine", "theirs", "base"),
    [
        (((10, 20), (10, 18.5)), ((10, 20.984), (10, 22.5)), "25mm"),
        (((10, 20), (11.5, 18.5)), ((10, 20.984), (11.2, 22)), "40mm"),
    ],
)
def test_both_come_together_however_they_stand(
    mine: tuple[tuple[float, float], ...], theirs: tuple[tuple[float, float], ...], base: str
) -> None:
    ours = mixed("Ours", unit(1, I=1), hero(I=1, base=base)).on(*mine)
    others = mixed("Theirs", unit(1, I=1), hero(I=1, base="25mm")).on(*theirs)
    battle = scene(ours, others, phase=Phase.ASSAULT, alone=True, edition="6")
    while battle.decision is not None and battle.decision.kind != "challenge":
        battle.answer(Pick("end"))
    battle.answer(Pick("model:1"))
    battle.answer(Pick("model:3"))
    assert float(gaps(battle.scene, battle.state, [1], [3])[0, 0]) == 0.0


# -- hammer of wrath --------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.assault.hammer-of-wrath", "6e.core.special-rules.hammer-of-wrath")
@pytest.mark.rule("6e.outside.hammer-of-wrath", "6e.core.assault.initiative-steps")
@pytest.mark.parametrize(("quick", "struck"), [(10, 3), (9, 4)])
def test_a_crash_comes_at_initiative_ten_together_with_the_blows_of_that_step(quick: int, struck: int) -> None:
    monster = unit(1, "MONSTROUS CREATURE", name="Monster", I=1, A=1, S=6, W=4, T=4, Sv="-", base="60mm")
    foe = unit(1, I=quick, A=1, Sv="-")
    blows = [("wound", [4]), *([("hit", [4]), ("wound", [4])] if quick == 10 else [])]
    battle = fight(monster.at(10, 10), foe.at(10, 14), ("charge", [4, 4]), ("fear", [1, 1]), *blows,
                   ("consolidation", [1]))  # fmt: skip
    play(battle, select_unit_to_assault="a.1", select_unit_assaulted="b.1")
    assert not standing(battle.state, 1)
    assert int(battle.state.wounds[0]) == struck, "who strikes at 10 has struck when he falls"


@pytest.mark.rule("6e.core.assault.hammer-of-wrath", "6e.outside.hammer-of-wrath")
def test_a_crash_is_one_hit_on_one_of_the_units_that_are_touched() -> None:
    monster = unit(1, "MONSTROUS CREATURE", name="Monster", I=1, A=1, S=6, W=4, base="60mm").having(charged=True)
    foes = [unit(1, I=5).on((10, 21.673)), unit(1, I=5).on((11.673, 20))]
    battle = fight(monster.at(10, 20), foes, ("fear", [1, 1]), ("fear", [1, 1]), ("wound", [1]), ("hit", [1]),
                   ("hit", [1]), ("hit", [1, 1]))  # fmt: skip
    kinds = play(battle)
    assert kinds.count("aim-attacks") == 2, "of the crash, and of the blows"
