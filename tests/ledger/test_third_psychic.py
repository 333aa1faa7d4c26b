"""Psychic powers of the 3rd edition as they are used: by a test, at their moment, at the psyker's risk."""

from __future__ import annotations

import pytest
from tests.support.classic import UnitSpec, printed_weapon, scene, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.events import PowerUsed
from battlewright.editions.classic.procedures.nerve import names_of
from battlewright.editions.classic.procedures.prowess import context_against
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase

BOLT = printed_weapon("Bolt", "ASSAULT 1", "PSYCHIC", S=4)
TEST = "psychic-test"


def psyker(*abilities: str, **features: object) -> UnitSpec:
    return unit(1, "INFANTRY", "PSYKER", abilities=abilities, name="Seer", **features)


def used(battle: ClassicBattle) -> list[PowerUsed]:
    return [event for event in battle.events if isinstance(event, PowerUsed)]


def decide(battle: ClassicBattle, **answers: str) -> None:
    """Answer by kind of decision until another one comes."""
    while battle.decision is not None and (kind := battle.decision.kind.replace("-", "_")) in answers:
        battle.answer(Pick(answers[kind]))


@pytest.mark.rule("3e.core.characters.psychic-test")
def test_a_power_works_on_the_leadership_or_less_and_only_one_is_used_in_a_turn() -> None:
    battle = scene(
        [psyker("Guide", "Fortune", Ld=8).at(10, 10), unit(3).at(10, 13)],
        unit(3).at(10, 40),
        dice=[(TEST, [4, 4])],
    )
    assert [option.key for option in battle.options()] == [
        "0:FORTUNE:a.1",
        "0:FORTUNE:a.2",
        "0:GUIDE:a.1",
        "0:GUIDE:a.2",
        "none",
    ]
    battle.answer(Pick("0:GUIDE:a.2"))
    assert battle.decision is not None
    assert battle.decision.kind != "use-power", "one power is all"
    assert used(battle)[0].works
    state = battle.state
    assert "UNDER GUIDE" in names_of(battle.scene, state, 1)
    shot = context_against(battle.scene, state, 1, 4, weapon(), AttackContext(skill=4))
    assert shot.reroll_hits is not None
    assert context_against(battle.scene, state, 0, 4, weapon(), AttackContext(skill=4)).reroll_hits is None


@pytest.mark.rule("3e.core.characters.psychic-test")
def test_a_failed_test_wastes_the_power() -> None:
    battle = scene([psyker("Fortune", Ld=8).at(10, 10)], unit(3).at(10, 40), dice=[(TEST, [4, 5])])
    battle.answer(Pick("0:FORTUNE:a.1"))
    assert not used(battle)[0].works
    assert not battle.state.units[0].powers


@pytest.mark.rule("3e.core.characters.perils")
def test_a_two_works_though_the_psyker_is_struck_down() -> None:
    battle = scene(
        [psyker("Fortune", Ld=8, InSv="2+").at(10, 10), unit(3).at(10, 13)],
        unit(3).at(10, 40),
        dice=[(TEST, [1, 1]), ("perils", [2])],
    )
    battle.answer(Pick("0:FORTUNE:a.2"))
    assert standing(battle.state, 0) == [], "no save stops a hit of Strength 6"
    assert "UNDER FORTUNE" in names_of(battle.scene, battle.state, 1)


@pytest.mark.rule("3e.core.characters.perils")
def test_a_twelve_fails_and_a_wound_roll_of_one_spares_the_psyker() -> None:
    battle = scene([psyker("Fortune", Ld=10).at(10, 10)], unit(1).at(10, 40), dice=[(TEST, [6, 6]), ("perils", [1])])
    battle.answer(Pick("0:FORTUNE:a.1"))
    assert not used(battle)[0].works
    assert standing(battle.state, 0) == [0]


@pytest.mark.rule("3e.core.characters.hood")
@pytest.mark.parametrize(("hood", "works"), [(4, False), (3, True)])
def test_a_hood_nullifies_a_power_that_has_passed_its_test(hood: int, works: bool) -> None:
    battle = scene(
        psyker("Fortune", Ld=8).at(10, 10),
        unit(1, abilities=("Psychic Hood",), Ld=9).at(10, 40),
        dice=[(TEST, [3, 3]), ("psyker", [4]), ("hood", [hood])],
    )
    decide(battle, use_power="0:FORTUNE:a.1", use_hood="use")
    assert bool(battle.state.units[0].powers) is works
    assert ("power-undone" in [event.kind for event in battle.events]) is not works


@pytest.mark.rule("3e.core.characters.psychic-test")
@pytest.mark.parametrize("works", [True, False])
def test_a_power_that_strikes_is_tested_for_before_it_is_fired(works: bool) -> None:
    fired = [("hit", [1])] if works else []
    battle = scene(
        psyker(weapons=[BOLT]).at(10, 10),
        unit(1).at(10, 20),
        phase=Phase.SHOOTING,
        alone=True,
        dice=[(TEST, [4, 4] if works else [4, 5]), *fired],
    )
    decide(battle, select_unit_to_shoot="a.1", select_target="b.1", select_weapon="weapon:0")
    assert battle.decision is None
    assert battle.state.units[0].target == (1 if works else -1)


@pytest.mark.rule("3e.core.characters.psychic-test")
def test_a_psyker_who_falls_back_uses_no_power() -> None:
    battle = scene(psyker("Fortune").at(10, 10).having(falling_back=True), unit(1).at(10, 40), alone=True)
    assert battle.decision is None or battle.decision.kind != "use-power"
