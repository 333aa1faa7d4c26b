"""The Fight phase of the 11th edition (12) by its rules."""

from __future__ import annotations

import pytest

from battlewright.core.decisions import Place
from battlewright.core.table import Objective
from battlewright.editions.eleventh.close_moves import engaging_space, pile_in_space
from battlewright.editions.eleventh.fight import (
    consolidation_mode,
    has_fights_first,
    is_eligible_to_fight,
    may_consolidate,
    may_pile_in,
)
from battlewright.editions.eleventh.objective_moves import objective_space
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from support.eleventh import place, scene, unit, walk, weapon

SWORD = weapon("Sword", melee=True, A=1)
HARMLESS = weapon("Club", melee=True, A=1, S=1, WS="6+")


def kinds(battle: Battle11) -> str:
    assert battle.decision is not None
    return battle.decision.kind


def skip_to_fights(battle: Battle11) -> None:
    while battle.decision is not None and battle.decision.kind == "select-unit-to-pile-in":
        battle.answer("end")


@pytest.mark.rule("11e.core.12.02-pile-in-order", "11e.core.12-steps", "11e.core.12.03-pile-in-eligible")
def test_the_turn_player_piles_in_first_then_the_opponent() -> None:
    ours = [unit(2).at(10, 10), unit(1).at(30, 10)]
    battle = scene(ours, unit(2).at(10, 12.5), phase=Phase.FIGHT)
    assert battle.decision is not None
    assert (battle.decision.side, kinds(battle)) == (0, "select-unit-to-pile-in")
    assert [option.key for option in battle.options()] == ["a.1", "end"]
    battle.answer("a.1")
    battle.answer(Place(()))
    assert (battle.decision.side, kinds(battle)) == (1, "select-unit-to-pile-in")
    assert not may_pile_in(battle.scene, battle.state, 0), "once in the step"


@pytest.mark.rule("11e.core.12.03-pile-in-eligible", "11e.core.12.03-pile-in-targets")
def test_a_unit_that_charged_piles_in_towards_enemies_within_five_inches_of_its_choice() -> None:
    foes = [unit(1).at(10, 14), unit(1).at(14.5, 10), unit(1).at(10, 17)]
    battle = scene(unit(1).at(10, 10).having(charged=True), foes, phase=Phase.FIGHT)
    battle.answer("a.1")
    assert kinds(battle) == "choose-pile-in-targets"
    assert [option.key for option in battle.options()] == ["b.1", "b.2", "none"]


@pytest.mark.rule("11e.core.12.03-base-contact-stays")
def test_a_model_in_base_contact_does_not_pile_in() -> None:
    battle = scene(unit(2).on((10, 10), (12, 10)), unit(1).at(10, 11.26), phase=Phase.FIGHT)
    space = pile_in_space(battle, 0, [1], 3.0)
    refused = space.check(place(walk(0, (10.5, 10))))
    assert any("may not be moved" in violation.text for violation in refused)
    assert space.check(place(walk(1, (11.4, 10.6)))) == []


@pytest.mark.rule("11e.core.12.03-pile-in-models", "11e.core.12.03-pile-in-after")
def test_piling_in_brings_models_closer_and_keeps_every_engagement() -> None:
    foes = [unit(1).at(10, 13), unit(1).at(7.5, 10)]
    battle = scene(unit(1).at(10, 10), foes, phase=Phase.FIGHT)
    space = pile_in_space(battle, 0, [1, 2], 3.0)
    assert any("no closer" in violation.text for violation in space.check(place(walk(0, (10, 9.9)))))
    leaving = space.check(place(walk(0, (12, 11.5))))
    assert any(violation.rule == "11e.core.12.03-pile-in-after" for violation in leaving)
    assert space.check(place(walk(0, (9.2, 10.3)))) == []
    far = space.check(place(walk(0, (10, 13.5))))
    assert far, "3 inches at the most, and not onto another model"


@pytest.mark.rule("11e.core.12.04-eligible-to-fight")
def test_who_is_eligible_to_fight() -> None:
    ours = [
        unit(1).at(10, 10),  # engaged
        unit(1).at(30, 10).having(charged=True),
        unit(1).at(30, 20).having(engaged_at_fights=True),
        unit(1).at(12, 10).having(selected_to_fight=True),
        unit(1).at(40, 10),
    ]
    battle = scene(ours, unit(2).at(10, 12.5), phase=Phase.FIGHT)
    eligible = [is_eligible_to_fight(battle.scene, battle.state, number) for number in range(5)]
    assert eligible == [True, True, True, False, False]


@pytest.mark.rule(
    "11e.core.12.04-fights-first-combats", "11e.core.12.04-remaining-combats", "11e.core.11.04-fights-first"
)
def test_units_with_fights_first_go_first_and_the_players_alternate() -> None:
    ours = [
        unit(1, weapons=[HARMLESS]).at(10, 10),
        unit(1, weapons=[HARMLESS]).at(20, 10).having(charged=True),
    ]
    foes = [
        unit(1, weapons=[HARMLESS], W=9).at(10, 12.5),
        unit(1, weapons=[HARMLESS], W=9, abilities=["Fights First"]).at(20, 12.5),
    ]
    battle = scene(ours, foes, phase=Phase.FIGHT, turn=1)
    assert has_fights_first(battle.scene, battle.state, 1)
    skip_to_fights(battle)
    order = []
    while battle.decision is not None and battle.state.phase == Phase.FIGHT and battle.state.step == 3:
        if battle.decision.kind == "select-unit-to-fight":
            order.append([option.key for option in battle.options()])
        battle.answer(
            battle.decision.default() if battle.decision.kind == "declare-attacks" else battle.options()[0].key
        )
    assert order == [["b.2"], ["a.2"], ["b.1"], ["a.1"]]


@pytest.mark.rule("11e.core.12.04-passing", "11e.core.12.04-compulsory")
def test_passing_needs_all_eligible_units_far_from_the_enemy() -> None:
    battle = scene(unit(1).at(10, 10).having(charged=True), unit(1).at(10, 30), phase=Phase.FIGHT)
    skip_to_fights(battle)
    assert [option.key for option in battle.options()] == ["a.1", "pass"]
    near = scene(unit(1, weapons=[SWORD]).at(10, 10), unit(1, weapons=[SWORD]).at(10, 12.5), phase=Phase.FIGHT)
    skip_to_fights(near)
    assert [option.key for option in near.options()] == ["a.1"], "who can fight has to"


@pytest.mark.rule("11e.core.12.06-overrun-fight")
def test_an_unengaged_unit_may_pile_in_once_more_and_then_fight() -> None:
    ours = unit(1, weapons=[HARMLESS]).at(10, 10).having(charged=True)
    battle = scene(ours, unit(1, W=9).at(10, 14.5), phase=Phase.FIGHT, dice=[("hit", [1])])
    skip_to_fights(battle)
    battle.answer("a.1")
    assert kinds(battle) == "choose-pile-in-targets"
    battle.answer("b.1")
    battle.answer(battle.decision.choices.press())  # type: ignore[union-attr]
    assert kinds(battle) == "declare-attacks"
    battle.answer(battle.decision.default())  # type: ignore[union-attr]
    assert battle.state.units[0].overrun


@pytest.mark.rule("11e.core.12.08-modes", "11e.core.12.07-consolidation-eligible")
def test_the_mode_of_a_consolidation_is_the_first_that_fits() -> None:
    goal = Objective("middle", (30, 30))
    ours = [
        unit(1).at(10, 10).having(eligible_fought=True),
        unit(1).at(20, 10).having(eligible_fought=True),
        unit(1).at(30, 26).having(eligible_fought=True),
        unit(1).at(40, 50).having(eligible_fought=True),
        unit(1).at(12, 10),
    ]
    foes = [unit(1).at(10, 12.5), unit(1).at(20, 14)]
    battle = scene(ours, foes, phase=Phase.FIGHT, step=4, objectives=[goal])
    modes = [consolidation_mode(battle.scene, battle.state, number) for number in range(4)]
    assert modes == ["ongoing", "engaging", "objective", ""]
    assert [may_consolidate(battle.scene, battle.state, number) for number in range(5)] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.rule("11e.core.12.08-engaging", "11e.core.12.08-engaging-forces-fights")
def test_an_engaging_consolidation_lets_the_engaged_fight_back() -> None:
    ours = unit(1, W=9).at(20, 10).having(eligible_fought=True)
    foe = unit(1, weapons=[HARMLESS]).at(20, 14)
    battle = scene(ours, foe, phase=Phase.FIGHT, step=4, dice=[("hit", [1])])
    refused = engaging_space(battle, 0, [1], 3.0).check(place(walk(0, (20, 10.5))))
    assert any(violation.rule == "11e.core.12.08-engaging" for violation in refused)
    battle.answer("a.1")
    battle.answer("b.1")
    battle.answer(place(walk(0, (20, 12.5))))
    assert (kinds(battle), battle.decision.side) == ("declare-attacks", 1)  # type: ignore[union-attr]


@pytest.mark.rule("11e.core.12.08-ongoing-forces-fights", "11e.core.12.08-ongoing")
def test_an_ongoing_consolidation_forces_fights_only_by_the_option() -> None:
    for option, forced in (("no", False), ("yes", True)):
        ours = unit(1, W=9).at(20, 10).having(eligible_fought=True, selected_to_fight=True)
        foe = unit(1, weapons=[HARMLESS]).at(20, 12.8).having(engaged_at_fights=False)
        battle = scene(
            ours, foe, phase=Phase.FIGHT, step=4, options={"ongoing_forces_fights": option}, dice=[("hit", [1])]
        )
        battle.answer("a.1")
        battle.answer(place(walk(0, (20, 10.6))))
        assert (kinds(battle) == "declare-attacks") is forced


@pytest.mark.rule("11e.core.12.08-objective")
def test_a_consolidation_towards_an_objective_ends_in_range_and_unengaged() -> None:
    goal = Objective("middle", (30, 30))
    battle = scene(unit(1).at(30, 24), [unit(1).at(30, 33)], phase=Phase.FIGHT, step=4, objectives=[goal])
    space = objective_space(battle, 0, 0, 3.0)
    assert space.check(place(walk(0, (30, 26.9)))) == []
    assert any("out of range" in violation.text for violation in space.check(place(walk(0, (30, 24.5)))))
    assert any("no closer" in violation.text for violation in space.check(place(walk(0, (30, 23)))))


@pytest.mark.rule("11e.core.12.08-objective")
def test_a_model_that_consolidates_ends_in_range_of_the_objective_if_it_can() -> None:
    goal = Objective("middle", (30, 30))
    battle = scene(unit(2).on((30, 25), (31.5, 25)), unit(1).at(10, 50), phase=Phase.FIGHT, step=4, objectives=[goal])
    space = objective_space(battle, 0, 0, 3.0)
    lazy = place(walk(0, (30, 27)), walk(1, (31.4, 25.4)))
    refused = space.check(lazy)
    assert [violation.rule for violation in refused] == ["11e.core.12.08-objective"]
    x, y = (float(value) for value in refused[0].text.rsplit("at ", 1)[1].split(", "))
    assert space.check(place(walk(0, (30, 27)), walk(1, (x, y)))) == []
    far = scene(unit(2).on((30, 25), (31.5, 23)), unit(1).at(10, 50), phase=Phase.FIGHT, step=4, objectives=[goal])
    closer = place(walk(0, (30, 26.2)), walk(1, (31.4, 24.4)))
    assert objective_space(far, 0, 0, 2.0).check(closer) == [], "it cannot, so that closer is enough"


def pick(battle: Battle11) -> tuple[int, list[str]]:
    """Who picks the next unit to fight, and from which."""
    while kinds(battle) != "select-unit-to-fight":
        assert battle.decision is not None
        battle.answer(battle.decision.default())
    assert battle.decision is not None
    return battle.decision.side, [option.key for option in battle.options()]


def fight_with(battle: Battle11, unit_id: str) -> None:
    battle.answer(unit_id)
    while battle.decision is not None and kinds(battle) in ("declare-attacks", "choose-fight-type"):
        battle.answer(battle.decision.default())


@pytest.mark.rule("11e.24.13-fights-first.resolution-step", "11e.core.12.05-normal-fight")
def test_a_fights_first_unit_is_offered_in_the_step_of_fights_first_combats() -> None:
    ours = [
        unit(1, weapons=[HARMLESS]).at(10, 10),
        unit(1, weapons=[HARMLESS], abilities=["Fights First"]).at(20, 10),
    ]
    foes = [unit(1, weapons=[HARMLESS], W=9).at(10, 12.5), unit(1, weapons=[HARMLESS], W=9).at(20, 12.5)]
    battle = scene(ours, foes, phase=Phase.FIGHT)
    skip_to_fights(battle)
    assert pick(battle) == (0, ["a.2"]), "both are eligible; one is offered before the other"
    fight_with(battle, "a.2")
    selected = [event.to_json() for event in battle.events if event.kind == "unit-selected"]
    assert [(event["unit"], event["how"]) for event in selected] == [("a.2", "normal")]
    assert [event for event in battle.events if event.kind == "attacks-made"], "an engaged unit makes attacks"
    assert pick(battle) == (1, ["b.1", "b.2"]), "then the remaining combats"


@pytest.mark.rule("11e.core.12.04-back-to-fights-first")
def test_a_fights_first_unit_that_becomes_eligible_goes_before_the_remaining_combats() -> None:
    sword = weapon("Sword", melee=True, A=9, S=9, AP="-6", WS="2+")
    ours = [
        unit(1, weapons=[HARMLESS]).at(10, 10),
        unit(1, weapons=[sword]).at(12, 12.5),
        unit(1, weapons=[HARMLESS]).at(30, 10),
    ]
    foes = [
        unit(1, weapons=[HARMLESS]).at(10, 12.5),
        unit(1, weapons=[HARMLESS], W=9, abilities=["Fights First"]).at(6, 10),
        unit(1, weapons=[HARMLESS], W=9).at(30, 12.5),
    ]
    battle = scene(ours, foes, phase=Phase.FIGHT)
    skip_to_fights(battle)
    assert pick(battle) == (0, ["a.1", "a.2", "a.3"])
    fight_with(battle, "a.2")
    assert battle.state.wounds[3] == 0
    assert pick(battle) == (1, ["b.3"]), "b.2 is engaged with nobody"
    fight_with(battle, "b.3")
    battle.answer("a.1")  # left alone, it makes an overrun fight and piles in towards b.2
    battle.answer("b.2")
    battle.answer(battle.decision.choices.press())  # type: ignore[union-attr]
    while kinds(battle) == "declare-attacks":
        battle.answer(battle.decision.default())  # type: ignore[union-attr]
    assert pick(battle) == (1, ["b.2"])
    fight_with(battle, "b.2")
    assert pick(battle) == (0, ["a.3"])
    fight_with(battle, "a.3")
    assert battle.state.step > 3, "nobody is eligible any more"


@pytest.mark.rule("11e.core.12.07-consolidation-order")
def test_the_turn_player_consolidates_first_then_the_opponent_each_unit_once_or_not_at_all() -> None:
    ours = [unit(1).at(10, 10), unit(1).at(20, 10)]
    foes = [unit(1).at(10, 12.5), unit(1).at(20, 12.5)]
    battle = scene(ours, foes, phase=Phase.FIGHT)
    asked = []
    while battle.decision is not None and battle.state.phase == Phase.FIGHT:
        if kinds(battle) == "select-unit-to-consolidate":
            asked.append((battle.decision.side, [option.key for option in battle.options()]))
            battle.answer("a.1" if len(asked) == 1 else "end" if len(asked) == 2 else battle.options()[0].key)
        else:
            battle.answer(battle.decision.default())
    assert asked == [
        (0, ["a.1", "a.2", "end"]),
        (0, ["a.2", "end"]),
        (1, ["b.1", "b.2", "end"]),
        (1, ["b.2", "end"]),
    ]
