"""Assaults of the 3rd edition where an exception holds: cover, obstacles, stunned crews, riders, instant kills."""

from __future__ import annotations

import pytest
from tests.ledger.test_third_assault_phase import FIST, exarch, fight, play, templars
from tests.ledger.test_third_sweeps_in_battle import block, wall
from tests.support.classic import mixed, scene, unit

from battlewright.core.decisions import Pick
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.scene import standing
from battlewright.editions.classic.state import Phase

# -- cover ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.fight-order.cover-first", "3e.core.assault.cover-strikes-first")
def test_only_models_in_cover_strike_first() -> None:
    battle = fight(
        unit(1, I=5, A=1, W=3, Sv="-").at(11, 10),
        unit(2, I=2, Sv="-").on((10, 14), (12, 14)),
        ("hit", [4]), ("wound", [4]),
        ("hit", [1, 1]),
        ("hit", [1]),
        ("lost combat", [1, 1]),
        ("who moves first", [6, 1]),
        terrain=[block(0, 12, 11, 20, "area", "ruins")],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert int(battle.state.wounds[0]) == 2


@pytest.mark.rule("3e.fight-order.cover-first", "3e.core.assault.cover-strikes-first", "3e.core.movement.obstacles")
def test_defenders_behind_a_wall_strike_first_and_the_wall_slows_who_comes_over_it() -> None:
    battle = fight(
        unit(1, I=5, Sv="-").at(10, 10),
        unit(1, I=2).at(10, 14),
        ("terrain", [4, 2]), ("hit", [4]), ("wound", [4]),
        terrain=[wall(0, 13.0, 60, 13.2)],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"), consolidate="stay")
    assert standing(battle.state, 0) == []


@pytest.mark.rule("3e.fight-order.later-rounds")
def test_a_combat_that_goes_on_is_fought_by_initiative_though_others_join_it() -> None:
    battle = fight(
        [unit(1, I=5, Sv="-").at(10, 10), unit(1, I=5, Sv="-").at(11, 12.016)],
        unit(1, I=2, W=3).at(11, 13),
        ("hit", [1, 1]), ("hit", [1]), ("hit", [1]), ("tied combat", [1, 1]),
        terrain=[block(0, 12.2, 60, 20, "area", "ruins")],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("3e.bikes.no-cover", "3e.fight-order.cover-first")
def test_bikes_gain_nothing_from_cover_when_they_are_assaulted_either() -> None:
    battle = fight(
        unit(1, I=5).at(10, 10),
        unit(1, "BIKE", I=2, Sv="-").at(10, 14),
        ("hit", [4, 1]), ("wound", [4]),
        terrain=[block(0, 13, 60, 20, "area", "ruins")],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"), select_reaction="consolidate")
    assert standing(battle.state, 1) == []


# -- who may, and how far ---------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.shaken-and-stunned", "3e.core.assault.may-not-charge")
def test_a_walker_with_a_stunned_crew_does_not_assault() -> None:
    walker = unit(1, "VEHICLE", "WALKER", name="Walker", WS=4, S=6, I=4, A=2, AV="12/12/10", base="60mm")
    for stunned in (True, False):
        battle = fight(walker.at(10, 10).having(stunned=stunned), unit(1).at(10, 15))
        assert (battle.decision is not None) is not stunned


@pytest.mark.rule("3e.core.vehicles.difficult-terrain", "3e.core.vehicles.walkers-in-assault")
def test_a_walker_that_assaults_through_difficult_terrain_may_be_immobilised() -> None:
    walker = unit(1, "VEHICLE", "WALKER", name="Walker", WS=4, S=6, I=4, A=2, AV="12/12/10", base="60mm")
    battle = fight(walker.at(10, 10), unit(1).at(10, 15), ("vehicle-terrain", [1]), terrain=[block(0, 12, 60, 13.5)])
    play(battle, ("a.1", "b.1"))
    assert battle.state.units[0].immobilised
    assert not in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("3e.outside.jetbike-move")
def test_jetbikes_may_fly_on_six_inches_in_place_of_an_assault() -> None:
    battle = fight(unit(2, "JETBIKE").on((10, 10), (12, 10)), unit(1).at(40, 40))
    assert battle.decision is not None
    assert [option.key for option in battle.decision.options()] == ["a.1", "a.1:thrust", "end"]
    battle.answer(Pick("a.1:thrust"))
    decision = battle.decision
    assert decision is not None
    assert decision.kind == "move-thrust"
    assert set(decision.choices.limits.values()) == {6000}  # type: ignore[union-attr]
    battle.answer(decision.default())
    assert battle.decision is None, "they do not assault as well"


@pytest.mark.rule("3e.outside.charge-bonus", "3e.fall-back.charged-fail")
def test_who_charged_a_unit_that_was_destroyed_has_no_bonus_left_for_later() -> None:
    battle = fight(
        unit(1).at(10, 20), unit(1, Ld=7).at(10, 24).having(falling_back=True),
        ("assaulted while falling back", [4, 4]),
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert standing(battle.state, 1) == []
    assert not battle.state.units[0].charged


# -- aims and casualties ----------------------------------------------------------------------------------------


@pytest.mark.rule("3e.split.characters-free", "3e.char-combat.always-split")
def test_a_character_puts_an_attack_on_each_of_three_models_that_he_touches() -> None:
    foes = templars("paladin", "paladin", "paladin").on((9.148, 20.492), (10, 20.984), (10.852, 20.492))
    battle = fight(exarch(3).at(10, 20), foes, *[(what, [4]) for _ in range(3) for what in ("hit", "wound")])
    while battle.decision is not None:
        if battle.decision.kind == "aim-attacks":
            labels = {option.label: option.key for option in battle.decision.options()}
            battle.answer(Pick(labels[" and ".join(f"1 at Paladin (model {row})" for row in (1, 2, 3))]))
        elif battle.decision.kind == "select-unit-to-assault":
            battle.answer(Pick("end"))
        else:
            battle.answer(battle.decision.default())
    assert standing(battle.state, 1) == []


@pytest.mark.rule("3e.instant-kill.unwounded-first", "3e.instant-kill.last-model", "3e.core.assault.power-fist")
def test_a_fist_that_kills_outright_takes_an_unhurt_model_before_a_hurt_one() -> None:
    brutes = mixed("Brutes", unit(2, name="Brute", W=3, I=6, Sv="-"))
    battle = fight(
        unit(1, A=1, weapons=[FIST]).at(10, 20),
        brutes.on((9.5, 20.848), (10.5, 20.848)).having(wounds=(1, 3)),
        ("hit", [1, 1]), ("hit", [4]), ("wound", [4]), ("lost combat", [1, 1]),
    )  # fmt: skip
    play(battle)
    assert [int(left) for left in battle.state.wounds[1:]] == [1, 0]


# -- ignoring terrain -------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.consolidate.ignore-terrain", "3e.jump.end-test")
def test_jump_troops_that_consolidate_into_a_wood_throw_no_dice() -> None:
    battle = scene(
        unit(1, "JUMP TROOPS", I=5).at(10, 20), [unit(1).at(10, 20.984), unit(1).at(60, 40)],
        phase=Phase.ASSAULT, alone=True, dice=[("hit", [4]), ("wound", [4]), ("save", [1])],
        terrain=[block(0, 21.2, 60, 28)],
    )  # fmt: skip
    play(battle, select_reaction="consolidate")
    assert battle.decision is None
    assert int(battle.state.position[0][1]) > 20500


# -- drawn combats ----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.drawn.roll-for-first")
def test_the_dice_for_who_moves_in_first_are_told() -> None:
    battle = fight(
        unit(2, I=5).on((10, 10), (12, 7)), unit(2, I=4).on((10, 14), (12, 18)),
        ("hit", [1, 1, 1]), ("hit", [1]), ("tied combat", [3, 3]),
        ("who moves first", [3, 3]), ("who moves first", [6, 2]),
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    told = next(event.to_json() for event in battle.events if event.kind == "roll-off")
    assert (told["purpose"], told["winner"]) == ("who moves first", 0)
    assert told["faces"] == [[3, 3], [6, 2]]


@pytest.mark.rule("3e.assault-move.short-move", "3e.assault-move.short-move-no-attacks")
def test_it_is_told_that_a_charge_through_terrain_does_not_get_there() -> None:
    battle = fight(
        unit(1).at(10, 10), unit(1).at(10, 15),
        ("terrain", [1, 2]),
        terrain=[wall(0, 13.0, 60, 13.2)],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    short = next(event.to_json() for event in battle.events if event.kind == "assault-fell-short")
    assert (short["targets"], short["moved"]) == (["b.1"], True)
