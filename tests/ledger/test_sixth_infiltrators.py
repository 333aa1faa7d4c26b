"""Infiltrators of the 6th edition: set up last, far from enemies who see them, nearer to those who do not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.classic import scene, unit

from battlewright.core.decisions import ModelMove, Place
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.arrivals import infiltrators_too_near, why_no_charge_ahead
from battlewright.editions.classic.procedures.setup import deployment_space, next_to_deploy
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Phase
from battlewright.editions.sixth.movement import ARRIVALS


def before(*terrain: TerrainArea) -> ClassicBattle:
    """Infiltrators wait; an enemy stands at (36, 40)."""
    waiting: list[Any] = [unit(1, abilities=["INFILTRATE"]), unit(1, name="Others")]
    return scene(waiting, unit(1).at(36, 40), phase=Phase.SETUP, edition="6", terrain=terrain)


def at(x: float, y: float) -> Place:
    return Place((ModelMove(0, ((round(1000 * x), round(1000 * y), 0, 0),)),))


@pytest.mark.rule("6e.core.special-rules.infiltrate")
def test_infiltrators_keep_eighteen_inches_from_who_sees_them_and_twelve_from_who_does_not() -> None:
    assert infiltrators_too_near([(True, 18.1), (False, 12.1)], 18.0, 12.0) == []
    assert infiltrators_too_near([(True, 15.0)], 18.0, 12.0)
    assert infiltrators_too_near([(False, 12.0)], 18.0, 12.0)
    assert why_no_charge_ahead(ARRIVALS, 1, ahead=True)
    assert why_no_charge_ahead(ARRIVALS, 2, ahead=True) == []
    opened = before()
    space = deployment_space(opened.scene, opened.state, 0)
    assert space.check(at(36, 20)) == []
    refused = space.check(at(36, 25))
    assert [each.rule for each in refused] == ["6e.core.special-rules.infiltrate"]
    corners = ((20, 28), (52, 28), (52, 29), (20, 29))
    wall = TerrainArea("wall", corners, features=(TerrainFeature("wall: hull", corners, 5.0, solid=True),))
    hidden = before(wall)
    behind = deployment_space(hidden.scene, hidden.state, 0)
    assert behind.check(at(36, 25)) == [], "14 inches away behind the wall"
    assert behind.check(at(36, 27.3)), "11.7 inches away"


@pytest.mark.rule("6e.core.special-rules.infiltrate")
def test_infiltrators_are_set_up_last() -> None:
    battle = before()
    battle.state.step = 1
    assert 0 not in next_to_deploy(battle.scene, battle.state, 0)


@pytest.mark.parametrize(("edition", "open_"), [("6", {0, 1}), ("3", {0})])
def test_who_sets_up_a_whole_army_does_so_in_any_order(edition: str, open_: set[int]) -> None:
    waiting: list[Any] = [unit(1, "INFANTRY", "HEAVY SUPPORT"), unit(1, "INFANTRY", "TROOPS")]
    battle = scene(waiting, unit(1).at(36, 40), phase=Phase.SETUP, edition=edition)
    battle.state.step = 1
    assert set(next_to_deploy(battle.scene, battle.state, 0)) == open_
