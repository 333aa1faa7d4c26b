"""The Charge phase of the 11th edition (11) by its rules."""

from __future__ import annotations

import pytest

from battlewright.core.decisions import Pick, Place
from battlewright.core.dice import Modifier
from battlewright.editions.eleventh.charge import charge_distance, charge_targets, may_declare_charge
from battlewright.editions.eleventh.close_moves import charge_space
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from support.eleventh import place, scene, unit, walk, weapon


def chargers(battle: Battle11) -> list[str]:
    return [
        unit.id
        for unit in battle.scene.units_of(battle.state.turn)
        if may_declare_charge(battle.scene, battle.state, unit.index)
    ]


@pytest.mark.rule("11e.core.11-eligible-to-charge")
def test_who_may_declare_a_charge() -> None:
    line = [
        unit(1).at(20, 12),
        unit(1).at(17, 12).having(advanced=True),
        unit(1).at(23, 12).having(fell_back=True),
        unit(1).at(26, 12).having(declared_charge=True),
        unit(1).at(26, 17.5),  # engaged
        unit(1).at(30, 2),  # no enemy within 12"
        unit(1),  # off the table
    ]
    battle = scene(line, unit(5).at(22, 20), phase=Phase.CHARGE)
    assert chargers(battle) == ["a.1"]


@pytest.mark.rule("11e.core.11-sequence")
def test_a_charge_is_declared_without_a_target_then_rolled_then_aimed() -> None:
    ours = [unit(1).at(10, 10), unit(1).at(14, 10)]
    battle = scene(ours, unit(1).at(10, 18), phase=Phase.CHARGE, dice=[("charge", [3, 4])])
    assert [option.key for option in battle.options()] == ["a.1", "a.2", "end"]
    battle.answer("a.1")
    assert battle.decision is not None
    assert battle.decision.kind == "choose-charge-targets"
    declared = next(event for event in battle.events if event.kind == "charge-declared").to_json()
    assert declared["faces"] == [3, 4]
    assert declared["distance"] == 7
    battle.answer("none")
    assert battle.events[-1].kind != "models-moved"
    assert battle.state.units[0].charged is False
    assert [option.key for option in battle.options()] == ["a.2", "end"], "a unit declares once"


@pytest.mark.rule("11e.ds-roll-modifiers.charge-cap", "11e.core.11-double-one")
def test_the_charge_roll_is_twelve_at_the_most() -> None:
    assert charge_distance([6, 5], [Modifier("", 3)]) == 12
    assert charge_distance([1, 1]) == 2
    battle = scene(unit(1).at(10, 10), unit(1).at(10, 14), phase=Phase.CHARGE, dice=[("charge", [1, 1])])
    battle.answer("a.1")  # 2.7" apart, so not engaged; 2" are not enough to find a target
    assert battle.decision is None or battle.decision.kind != "choose-charge-targets"


@pytest.mark.rule("11e.core.11.04-targets")
def test_targets_lie_within_twelve_inches_and_within_the_maximum_distance() -> None:
    battle = scene(unit(1).at(10, 10), [unit(1).at(10, 17), unit(1).at(10, 22.5)], phase=Phase.CHARGE)
    assert charge_targets(battle.scene, battle.state, 0, 6) == [1]
    assert charge_targets(battle.scene, battle.state, 0, 12) == [1, 2]
    assert charge_targets(battle.scene, battle.state, 0, 3) == []


@pytest.mark.rule("11e.core.11.04-model-conditions")
def test_a_charging_model_ends_closer_engaged_and_within_an_inch_if_it_can() -> None:
    battle = scene(unit(2).on((10, 10), (12, 10)), unit(1).at(10, 16), phase=Phase.CHARGE)
    space = charge_space(battle, 0, [1], 7)
    near = walk(0, (10, 14.2))  # 0.54" from the target
    assert space.check(place(near, walk(1, (11.5, 15.0)))) == []
    away = space.check(place(near, walk(1, (12, 9))))
    assert any("no closer" in violation.text for violation in away)
    lazy = space.check(place(near, walk(1, (12, 12.4))))
    assert [violation.rule for violation in lazy] == ["11e.core.11.04-model-conditions"]
    assert "could end within" in lazy[0].text
    halfway = space.check(place(walk(0, (10, 13.0)), walk(1, (11.5, 15.0))))
    assert any("within 1" in violation.text for violation in halfway)


@pytest.mark.rule("11e.core.11.04-model-conditions")
def test_the_witness_of_a_refusal_would_itself_be_accepted() -> None:
    battle = scene(unit(2).on((10, 10), (12, 10)), unit(1).at(10, 16), phase=Phase.CHARGE)
    space = charge_space(battle, 0, [1], 7)
    answer = place(walk(0, (10, 14.2)), walk(1, (12, 12.4)))
    text = space.check(answer)[0].text
    x, y = (float(value) for value in text.rsplit("at ", 1)[1].split(", "))
    assert space.check(place(walk(0, (10, 14.2)), walk(1, (x, y)))) == []


@pytest.mark.rule("11e.core.11.04-after", "11e.core.11.04-fights-first")
def test_a_charge_ends_engaged_with_every_target_and_nobody_else() -> None:
    foes = [unit(1).at(10, 16), unit(1).at(20, 16), unit(1).at(12.5, 16)]
    battle = scene(unit(1).at(10, 10), foes, phase=Phase.CHARGE, dice=[("charge", [4, 4])])
    both = charge_space(battle, 0, [1, 2], 12).check(place(walk(0, (10, 14.2))))
    assert any(violation.rule == "11e.core.11.04-after" and "has to engage" in violation.text for violation in both)
    stray = charge_space(battle, 0, [1], 8).check(place(walk(0, (10.8, 14.4))))
    assert any(violation.rule == "11e.core.11.04-after" for violation in stray)
    battle.answer("a.1")
    battle.answer("b.1")
    battle.answer("done")
    battle.answer(place(walk(0, (9.2, 14.4))))
    assert battle.state.units[0].charged


def test_the_default_of_a_charge_is_the_best_that_the_search_finds() -> None:
    battle = scene(unit(5).at(8, 10), unit(5).at(8, 16), phase=Phase.CHARGE, dice=[("charge", [3, 3])])
    battle.answer("a.1")
    battle.answer("b.1")
    assert battle.decision is not None
    answer = battle.decision.default()
    assert isinstance(answer, Place)
    assert len(answer.moves) == 5
    battle.answer(answer)
    assert battle.state.units[0].charged


def test_no_charge_move_is_made_where_none_is_wanted() -> None:
    battle = scene(unit(1).at(10, 10), unit(1).at(10, 16), phase=Phase.CHARGE, dice=[("charge", [6, 6])])
    battle.answer("a.1")
    battle.answer(Pick("b.1"))
    battle.answer(Place(()))
    assert not battle.state.units[0].charged
    assert any(event.kind == "charge-failed" for event in battle.events)


@pytest.mark.rule("11e.core.11-nothing-inside-the-charge")
def test_a_charge_brings_no_attacks_and_no_overwatch_within_it() -> None:
    blade, rifle = weapon("Blade", melee=True), weapon()
    battle = scene(
        unit(1, weapons=[blade]).at(10, 10),
        unit(1, weapons=[blade, rifle]).at(10, 18),
        phase=Phase.CHARGE,
        dice=[("charge", [6, 5])],
        cp=(5, 5),
        options={"offer_command_re_roll": "never"},
    )
    battle.answer("a.1")
    asked = []
    while battle.decision is not None and not battle.state.units[0].charged:
        asked.append((battle.decision.side, battle.decision.kind))
        battle.answer("b.1" if battle.decision.kind == "choose-charge-targets" else battle.decision.default())
    assert asked == [(0, "choose-charge-targets"), (0, "charge-move")], "from the roll to the end of the move"
    assert not [event for event in battle.events if event.kind in ("attacks-declared", "stratagem-used")]
    assert battle.state.wounds.tolist() == [1, 1]
