"""Odds as the table tells them beside a choice: of the option itself, in the game's words, once a charge arrives."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.classic import printed_weapon, roster, scene, unit
from tests.support.gunfire import gun, gunner, tank

from battlewright.core.battle import Battle
from battlewright.core.decisions import Pick
from battlewright.core.dice import SeededDice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.state import Phase
from battlewright.editions.eleventh.state import Phase as EleventhPhase
from battlewright.server.questions import answer_question
from support import eleventh

LAUNCHER = roster.Weapon(
    "Launcher",
    (
        roster.WeaponProfile("Krak", False, {"R": '48"', "S": "8", "AP": "3"}, ("HEAVY 1",)),
        roster.WeaponProfile("Shell", False, {"R": '36"', "S": "4", "AP": "6"}, ("HEAVY 1",)),
    ),
)
PISTOL = printed_weapon("Pistol", "PISTOL", R='12"')
WOOD = TerrainArea("wood", ((0, 12), (60, 12), (60, 18), (0, 18)), tags=frozenset({"difficult"}))


def odds(battle: Battle[Any, Any], **more: Any) -> dict[str, Any]:
    assert battle.decision is not None
    question = {"kind": "odds", "answer": None, "unit": "a.1", "target": "b.1", "melee": None, **more}
    found = answer_question(battle, [battle.decision.side], question)
    assert "fault" not in found, found
    told: dict[str, Any] = found["odds"][0]
    return told


def aiming(edition: str, *shooters: Any, target: Any) -> Battle[Any, Any]:
    """The battle when a unit has named its target and is asked for its weapons."""
    battle = scene(list(shooters), target, phase=Phase.SHOOTING, alone=True, dice=SeededDice(1), edition=edition)
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    return battle


def test_each_profile_of_a_weapon_has_its_own_odds_and_says_what_it_is() -> None:
    battle = aiming("3", gunner(LAUNCHER).at(10, 8), target=unit(1, W=3).at(10, 20))
    assert battle.decision is not None
    labels = {option.key: option.label for option in battle.decision.options()}
    assert labels["weapon:0"] == 'Launcher (Krak): 48", S8, AP3, heavy 1'
    assert labels["weapon:1"] == 'Launcher (Shell): 36", S4, AP6, heavy 1'
    krak, shell = (odds(battle, option=key)["mean_damage"] for key in ("weapon:0", "weapon:1"))
    assert krak > shell > 0


def test_one_shot_of_a_pistol_has_half_the_odds_of_two() -> None:
    battle = aiming("3", gunner(PISTOL).at(10, 8), target=unit(5).at(10, 12))
    assert battle.decision is not None
    assert [option.label for option in battle.decision.options()][:2] == [
        'Pistol: 12", S4, AP5, pistol',
        'Pistol, one shot: 12", S4, AP5, pistol',
    ]
    both, once = (odds(battle, option=key)["mean_slain"] for key in ("weapon:0", "weapon:1"))
    assert both == pytest.approx(2 * once)


def test_an_option_that_is_none_has_no_odds() -> None:
    battle = aiming("3", gunner(LAUNCHER).at(10, 8), target=unit(1).at(10, 20))
    assert battle.decision is not None
    question = {"kind": "odds", "answer": None, "unit": "a.1", "target": "b.1", "melee": None, "option": "weapon:9"}
    assert "weapon:9" in answer_question(battle, [battle.decision.side], question)["fault"]


@pytest.mark.parametrize("edition", ["3", "4", "6"])
def test_fire_at_a_vehicle_is_told_in_the_games_words(edition: str) -> None:
    rifle = printed_weapon("Rifle", "RAPID FIRE", S="3")
    shooters = unit(1, weapons=[gun(), rifle], name="Gunner").at(10, 8)
    target = tank(**({"HP": 3} if edition == "6" else {})).at(10, 20)
    battle = aiming(edition, shooters, target=target)
    told = odds(battle, weapons=["Lascannon"])
    assert set(told["hits"]) == {"glancing hit", "penetrating hit"}
    assert all(0 < mean < 1 for mean in told["hits"].values())
    assert set(told["results"]) >= {"crew stunned", "immobilised"}
    assert told["lost"] == ("hull points" if edition == "6" else "wounds")
    weak = odds(battle, weapons=["Rifle"])
    assert sum(weak["hits"].values()) == 0
    assert weak["p_destroyed"] == 0


def test_a_weapon_that_does_not_reach_is_not_asked_about_where_range_is_measured_first() -> None:
    long, short = gun("Long"), gun("Short", R='6"')
    both = unit(1, weapons=[long, short], name="Gunner").at(10, 8)
    other = gunner(short, name="Other").at(12, 8)
    battle = aiming("6", both, other, target=unit(1).at(10, 20))
    assert battle.decision is not None
    assert [option.key.partition(":")[0] for option in battle.decision.options()].count("weapon") == 1
    assert battle.decision.options()[0].label.startswith("Long:")
    assert "measured afterwards" not in battle.decision.prompt


def test_a_weapon_is_asked_about_and_the_prompt_says_so_where_range_is_measured_afterwards() -> None:
    both = unit(1, weapons=[gun("Long"), gun("Short", R='6"')], name="Gunner").at(10, 8)
    battle = aiming("4", both, target=unit(1).at(10, 20))
    assert battle.decision is not None
    assert [option.label.partition(":")[0] for option in battle.decision.options()][:2] == ["Long", "Short"]
    assert "measured afterwards" in battle.decision.prompt


def assaulting(edition: str, gap: float, *areas: TerrainArea) -> Battle[Any, Any]:
    """The battle when a unit is asked whom it charges."""
    battle = scene(
        unit(5).at(10, 8),
        unit(5).at(10, 8 + gap),
        phase=Phase.ASSAULT,
        alone=True,
        dice=SeededDice(1),
        edition=edition,
        **({"terrain": areas} if areas else {}),
    )
    battle.answer(Pick("a.1"))
    return battle


def test_a_charge_of_the_6th_edition_arrives_as_2d6_reach() -> None:
    near, far = odds(assaulting("6", 5.0)), odds(assaulting("6", 9.0))
    assert near["arrival"]["words"].startswith("2D6 against")
    assert 0 < far["arrival"]["chance"] < near["arrival"]["chance"] <= 1


def test_what_nobody_may_measure_is_not_told_by_the_odds_of_an_assault() -> None:
    told = odds(assaulting("4", 5.0))["arrival"]
    assert told["chance"] is None
    assert told == odds(assaulting("4", 9.0))["arrival"], "the distance shows"
    wooded = odds(assaulting("4", 9.0, WOOD))["arrival"]
    assert "highest of 2D6" in wooded["words"]


def test_a_charge_of_the_11th_edition_says_with_each_unit_how_likely_it_is() -> None:
    blade = eleventh.weapon("Blade", melee=True)
    charger = eleventh.unit(1, weapons=[blade]).at(10, 10)
    battle = eleventh.scene(charger, eleventh.unit(1).at(10, 18.2), phase=EleventhPhase.CHARGE)
    assert battle.decision is not None
    label = battle.decision.options()[0].label
    told = odds(battle)["arrival"]
    assert told["words"] == '2D6 against 6.9"'
    assert told["chance"] == pytest.approx(21 / 36)
    assert f"{told['chance']:.0%}" in label
