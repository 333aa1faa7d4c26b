"""Psykers and warlords of the 6th edition."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_third_assault_phase import play
from tests.support.classic import UnitSpec, mixed, printed_weapon, scene, unit
from tests.support.combat import run

from battlewright.core.decisions import Pick
from battlewright.editions.classic.events import PowerUsed
from battlewright.editions.classic.procedures.nerve import leadership_of, names_of
from battlewright.editions.classic.procedures.psychic import use_powers
from battlewright.editions.classic.psychic import (
    Moment,
    PowerKind,
    beam_strengths,
    moment_of,
    picks_model,
    psychic_test,
    strikes,
)
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase
from battlewright.editions.sixth.psychic import denial_needed, generated, mastery_level
from battlewright.editions.sixth.warlords import generate_powers, may_lead, name_warlords, trait_of

TEST = "psychic-test"
FORCE = printed_weapon("Force sword", "FORCE", "ONE-HANDED", melee=True)


def psyker(*abilities: str, **features: Any) -> UnitSpec:
    return unit(1, "INFANTRY", "PSYKER", abilities=abilities, name="Seer", **features)


def decide(battle: ClassicBattle, **answers: str) -> None:
    while battle.decision is not None and (kind := battle.decision.kind.replace("-", "_")) in answers:
        battle.answer(Pick(answers[kind]))


def shooting(a: UnitSpec, b: Any, *dice: tuple[str, list[int]]) -> ClassicBattle:
    return scene(a, b, phase=Phase.SHOOTING, alone=True, edition="6", dice=list(dice))


# -- charges, tests, perils ---------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.characters.warp-charges", "6e.core.characters.psychic-test")
def test_a_psyker_has_as_many_charges_as_levels_and_uses_each_power_once() -> None:
    assert mastery_level({"PSYKER", "MASTERY LEVEL 2"}) == 2
    assert mastery_level({"PSYKER (MASTERY LEVEL 3)"}) == 3
    assert mastery_level({"PSYKER"}) == 1
    assert mastery_level({"INFANTRY"}) == 0
    seer = psyker("Mastery Level 2", "Fortune", "Guide", "Prescience", Ld=8)
    battle = scene(seer.at(10, 10), unit(1).at(60, 40), edition="6", dice=[(TEST, [4, 4]), (TEST, [4, 5])])
    battle.answer(Pick("0:FORTUNE:a.1"))
    assert [option.key for option in battle.options()] == ["0:GUIDE:a.1", "0:PRESCIENCE:a.1", "none"]
    battle.answer(Pick("0:PRESCIENCE:a.1"))
    used = [event for event in battle.events if isinstance(event, PowerUsed)]
    assert [event.works for event in used] == [True, False]
    assert used[0].rules == ("6e.core.characters.psychic-test",)
    assert battle.decision is not None
    assert battle.decision.kind != "use-power", "both charges are paid"


@pytest.mark.rule("6e.core.characters.warp-charges")
def test_powers_of_a_discipline_are_rolled_before_the_game() -> None:
    assert generated("DIVINATION", [1]) == ("PRESCIENCE",)
    assert generated("BIOMANCY", [3, 3]) == ("ENDURANCE", "SMITE")
    assert generated("TELEKINESIS", [1, 4]) == ("CRUSH", "SHOCKWAVE")
    seer = psyker("Mastery Level 2", "Telekinesis").at(10, 10)
    battle = scene(seer, unit(1).at(60, 40), edition="6", alone=True, dice=[("discipline", [1, 4])])
    generate_powers(battle)
    assert battle.state.units[0].known == {(0, "CRUSH"), (0, "SHOCKWAVE")}


@pytest.mark.rule("6e.core.characters.perils")
@pytest.mark.parametrize(("faces", "works"), [([1, 1], True), ([6, 6], False)])
def test_a_double_one_or_six_takes_a_wound_that_nothing_saves(faces: list[int], works: bool) -> None:
    seer = psyker("Fortune", W=2, T=8, Sv="2+", InSv="2+", Ld=10)
    battle = scene(seer.at(10, 10), unit(1).at(60, 40), edition="6", dice=[(TEST, faces)])
    battle.answer(Pick("0:FORTUNE:a.1"))
    assert int(battle.state.wounds[0]) == 1
    assert ("UNDER FORTUNE" in names_of(battle.scene, battle.state, 0)) is works
    assert psychic_test(faces, 10).perils


@pytest.mark.rule("6e.core.characters.deny-the-witch", "6e.core.special-rules.adamantium-will")
def test_the_number_that_denies_a_power() -> None:
    assert denial_needed(1, []) == 6
    assert denial_needed(2, [1]) == denial_needed(1, [1]) == 5
    assert denial_needed(1, [2]) == 4
    assert denial_needed(1, [], adamantium=True) == 5


@pytest.mark.rule("6e.core.characters.deny-the-witch")
@pytest.mark.parametrize(("face", "denied"), [(5, False), (6, True)])
def test_a_unit_denies_a_power_that_is_used_on_it(face: int, denied: bool) -> None:
    battle = scene(
        psyker("Doom", Ld=8).at(10, 10),
        unit(3).at(10, 20),
        edition="6",
        dice=[(TEST, [3, 4]), ("deny-the-witch", [face])],
    )
    battle.answer(Pick("0:DOOM:b.1"))
    assert ("UNDER DOOM" in names_of(battle.scene, battle.state, 1)) is not denied


# -- kinds of power -----------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.characters.power-kinds")
def test_when_powers_are_used_and_whom_they_strike() -> None:
    assert moment_of(PowerKind.BLESSING) is moment_of(PowerKind.MALEDICTION) is Moment.MOVEMENT
    for kind in (PowerKind.WITCHFIRE, PowerKind.NOVA, PowerKind.MAELSTROM, PowerKind.BEAM, PowerKind.FOCUSSED):
        assert moment_of(kind) is Moment.SHOOTING
    assert strikes(PowerKind.NOVA, friend=False)
    assert not strikes(PowerKind.NOVA, friend=True)
    assert strikes(PowerKind.MAELSTROM, friend=True)
    assert strikes(PowerKind.MAELSTROM, friend=False)


@pytest.mark.rule("6e.core.characters.power-kinds")
def test_a_nova_strikes_every_enemy_unit_in_range() -> None:
    battle = scene(
        [psyker("Shockwave").at(10, 10), unit(1, Sv="-").at(13, 10)],
        [unit(1, Sv="-").at(10, 18), unit(1, Sv="-").at(10, 40)],
        phase=Phase.SHOOTING,
        alone=True,
        edition="6",
        dice=[(TEST, [3, 3]), ("hits", [2]), ("wound", [5, 5])],
    )
    decide(battle, use_power="0:SHOCKWAVE:a.1")
    assert [len(standing(battle.state, each)) for each in range(4)] == [1, 1, 0, 1]


@pytest.mark.rule("6e.core.characters.beam")
def test_a_beam_grows_weaker_with_each_model_that_it_crosses() -> None:
    assert beam_strengths(6, 3) == (6, 5, 4)
    assert beam_strengths(2, 5) == (2, 1)
    battle = shooting(
        psyker("Assail").at(10, 10),
        [unit(1, T=4, W=9, Sv="-").at(10, 15), unit(1, T=4, W=9, Sv="-").at(10, 20)],
        (TEST, [3, 4]),
        ("deny-the-witch", [1]),
        ("wound", [2]),
        ("wound", [2]),
    )
    decide(battle, use_power="0:ASSAIL:b.1")
    assert [int(wounds) for wounds in battle.state.wounds[1:]] == [8, 9], "Strength 5 needs a 3 against Toughness 4"


@pytest.mark.rule("6e.core.characters.focussed-witchfire")
@pytest.mark.parametrize(("faces", "victim"), [([2, 3], 2), ([3, 3], 3)])
def test_a_focussed_witchfire_picks_its_model_on_a_low_total(faces: list[int], victim: int) -> None:
    assert [picks_model(total) for total in (5, 6)] == [True, False]
    random = [] if sum(faces) <= 5 else [("victim", [3])]
    battle = shooting(
        psyker("Crush").at(10, 10),
        unit(3, Sv="-").at(10, 18),
        (TEST, faces),
        ("deny-the-witch", [1]),
        *random,
        ("wound", [2]),
    )
    decide(battle, use_power="0:CRUSH:b.1", select_victim="model:2")
    assert not battle.state.wounds[victim]
    assert len(standing(battle.state, 1)) == 2


@pytest.mark.rule("6e.core.characters.power-kinds")
def test_a_power_is_offered_at_its_moment_only() -> None:
    battle = shooting(psyker("Fortune").at(10, 10), unit(1).at(60, 40))
    assert battle.decision is None or battle.decision.kind != "use-power"
    assert list(use_powers(battle, Moment.SHOOTING)) == []


@pytest.mark.rule("6e.core.characters.force-weapon")
@pytest.mark.parametrize(("faces", "left"), [([4, 4], 0), ([5, 4], 2)])
def test_a_force_weapon_slays_whom_it_has_wounded(faces: list[int], left: int) -> None:
    battle = scene(
        psyker(I=9, Ld=8, weapons=[FORCE]).at(10, 20),
        unit(1, W=3, I=1, Sv="-", Ld=10).at(10, 20.984),
        phase=Phase.ASSAULT,
        alone=True,
        edition="6",
        dice=[
            ("hit", [4]),
            ("wound", [4]),
            (TEST, faces),
            *([("deny-the-witch", [1]), ("consolidation", [1])] if not left else []),
            *([("hit", [1]), ("lost combat", [1, 1])] if left else []),
        ],
    )
    play(battle)
    assert int(battle.state.wounds[1]) == left


# -- warlords -----------------------------------------------------------------------------------------------------


def lord(name: str, leadership: int) -> UnitSpec:
    return unit(1, "INFANTRY", "HQ", "INDEPENDENT CHARACTER", name=name, Ld=leadership)


@pytest.mark.rule("6e.core.characters.warlord", "6e.core.characters.warlord-trait")
def test_the_hq_character_of_the_highest_leadership_leads_and_rolls_a_trait() -> None:
    assert may_lead({0: 9, 1: 10, 2: 10}) == [1, 2]
    assert may_lead({}) == []
    assert trait_of("command", 1) == 'friends within 12" use his Leadership'
    battle = scene(
        [lord("Captain", 9).at(10, 10), unit(3, Ld=7).at(12, 12), unit(3, Ld=7).at(50, 10)],
        unit(1).at(60, 40),
        edition="6",
        alone=True,
        dice=[("warlord-trait", [1])],
    )
    run(name_warlords(battle), "command")
    assert battle.state.warlords == ((0, "command 1"),)
    assert leadership_of(battle.scene, battle.state, 1) == 9
    assert leadership_of(battle.scene, battle.state, 2) == 7


@pytest.mark.rule("6e.core.characters.warlord")
def test_in_a_tie_the_owner_picks() -> None:
    battle = scene(
        [lord("Captain", 9).at(10, 10), lord("Master", 9).at(14, 10), mixed("Squad", unit(2)).at(20, 20)],
        unit(1).at(60, 40),
        edition="6",
        alone=True,
        dice=[("warlord-trait", [6])],
    )
    run(name_warlords(battle), "model:1", "personal")
    assert battle.state.warlords == ((1, "personal 6"),)
