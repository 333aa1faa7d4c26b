"""Base contact of models whose parts reach beyond their bases (11th edition, 01.04)."""

from __future__ import annotations

import pytest

from battlewright.core.decisions import Place
from battlewright.editions.eleventh.close_moves import charge_space, pile_in_space
from battlewright.editions.eleventh.flying import surge_space
from battlewright.editions.eleventh.moves import carry_out
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import MoveKind, Phase, new_turn
from support.eleventh import place, scene, unit, walk

RULE = "11e.core.01.04-base-contact-with-overhang"
HALF_AN_INCH = 12.7


def winged(overhang: float = HALF_AN_INCH, foes: float = 0.0) -> Battle11:
    """One model 5" from an enemy, both on bases of an inch; what reaches beyond them in millimetres."""
    ours, theirs = (unit(1, base="25.4mm", overhang=each) for each in (overhang, foes))
    return scene(ours.at(10, 10), theirs.at(10, 16), phase=Phase.CHARGE, dice=[("charge", [4, 4])])


def stays(battle: Battle11, mine: int) -> bool:
    """Whether the unit's only model may not pile in, since it is in base contact."""
    return not pile_in_space(battle, mine, [1 - mine], 3.0).limits


@pytest.mark.rule(RULE)
def test_a_charge_that_overhanging_parts_stop_ends_in_base_contact() -> None:
    battle = winged()
    for answer in ("a.1", "b.1"):
        battle.answer(answer)
    assert battle.decision is not None
    refused = battle.decision.check(place(walk(0, (10, 15))))
    assert [(each.rule, "0.50" in each.text) for each in refused] == [(RULE, True)], "bases cannot touch"
    battle.answer(place(walk(0, (10, 14.5))))
    assert battle.state.units[0].charged
    assert stays(battle, 0)
    assert stays(battle, 1), "contact is mutual"
    new_turn(battle.state.units[0])
    assert not stays(battle, 0), "until the end of the turn"


@pytest.mark.rule(RULE)
def test_a_model_that_could_have_come_closer_is_not_in_contact() -> None:
    battle = winged()
    carry_out(battle, 0, place(walk(0, (10, 14.3))), MoveKind.CHARGE)
    assert not stays(battle, 0)
    plain = winged(overhang=0)
    carry_out(plain, 0, place(walk(0, (10, 14.5))), MoveKind.CHARGE)
    assert not stays(plain, 0), "nothing keeps the bases apart"


@pytest.mark.rule(RULE)
def test_the_parts_of_both_models_keep_their_bases_apart() -> None:
    battle = winged(foes=HALF_AN_INCH)
    space = charge_space(battle, 0, [1], 8)
    assert RULE in {each.rule for each in space.check(place(walk(0, (10, 14.5))))}
    assert space.check(place(walk(0, (10, 14)))) == []


@pytest.mark.rule(RULE)
def test_whoever_is_to_come_as_close_as_possible_comes_as_close_as_parts_allow() -> None:
    battle = winged()
    surge = surge_space(battle.scene, battle.state, 0, 1, 6)
    closest = surge.default()
    assert isinstance(closest, Place)
    carry_out(battle, 0, closest, MoveKind.SURGE)
    assert battle.state.position[0].tolist()[:2] == [10_000, 14_495]
    assert stays(battle, 0)


def test_friends_are_in_nobodys_way() -> None:
    battle = scene(unit(2, overhang=20, M='6"').on((10, 10), (12, 10)), unit(1).at(30, 40), phase=Phase.MOVEMENT)
    battle.answer("a.1")
    battle.answer("normal")
    assert battle.decision is not None
    assert battle.decision.check(place(walk(0, (10.7, 10)))) == []
