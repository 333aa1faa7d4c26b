"""Moves into, within and out of close combat of the 3rd edition as their owners place them, and the Marshal's cases."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_third_assault_phase import exarch, fight, play, scorpion, templars
from tests.support.classic import UnitSpec, mixed, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.dice import SeededDice
from battlewright.core.shapes import TOLERANCE
from battlewright.core.table import Edge
from battlewright.editions.classic.morale import why_no_rally
from battlewright.editions.classic.procedures.board import combat_of, gaps, in_combat
from battlewright.editions.classic.procedures.charging import charge_space
from battlewright.editions.classic.procedures.close_moves import CloseSpace
from battlewright.editions.classic.procedures.flight import flight_space
from battlewright.editions.classic.procedures.movement import limits_of, why_not_move
from battlewright.editions.classic.procedures.nerve import rally_conditions
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed, Phase


def to(row: int, x: float, y: float) -> ModelMove:
    return ModelMove(row, ((round(x * 1000), round(y * 1000), 0, 0),))


def until(battle: ClassicBattle, kind: str, **answers: str) -> None:
    """Play by default, and by these answers, to a decision of a kind."""
    while battle.decision is not None and battle.decision.kind != kind:
        asked = battle.decision.kind.replace("-", "_")
        given = "end" if asked == "select_unit_to_assault" else answers.get(asked, "")
        listed = [option.key for option in battle.decision.options()]
        battle.answer(Pick(given) if given in listed else battle.decision.default())
    assert battle.decision is not None, f"nobody was asked for {kind}"


# -- into contact -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.assault-move.unengaged-first", "3e.assault-move.nearest-first", "3e.core.assault.charge-moves")
def test_a_free_enemy_that_can_be_reached_has_to_be_contacted() -> None:
    battle = scene(unit(2).on((10, 10), (11.5, 10)), unit(2).on((10, 13), (13, 13)), phase=Phase.ASSAULT)
    space = charge_space(battle.scene, battle.state, 0, [0, 1], [2, 3], 6.0)
    best = space.default()
    assert space.check(best) == []
    both_at_one = Place((best.moves[0], to(1, 10.984, 13.0)))
    refused = [violation.text for violation in space.check(both_at_one)]
    assert any("could do better" in text for text in refused)


@pytest.mark.rule("3e.assault-move.several-targets", "3e.drawn.no-nearest")
def test_any_free_enemy_within_reach_will_do() -> None:
    battle = scene(unit(1).at(10, 10), [unit(1).at(10, 13), unit(1, name="Far").at(14, 11)], phase=Phase.ASSAULT)
    space = charge_space(battle.scene, battle.state, 0, [0], [1, 2], 6.0)
    assert space.check(Place((to(0, 13.016, 11.0),))) == []


@pytest.mark.rule("3e.core.assault.several-targets")
def test_all_who_are_linked_by_contact_are_in_one_combat() -> None:
    apart = 0.984
    enemies = [unit(1).at(10 + apart, 10), unit(1).at(10 - apart, 10), unit(1).at(30, 30)]
    battle = scene(unit(1).at(10, 10), enemies, phase=Phase.ASSAULT)
    assert sorted(combat_of(battle.scene, battle.state, 0)) == [0, 1, 2]
    assert sorted(combat_of(battle.scene, battle.state, 2)) == [0, 1, 2]
    assert combat_of(battle.scene, battle.state, 3) == [3]


@pytest.mark.rule("3e.assault-move.short-move")
def test_who_cannot_get_there_goes_as_far_as_he_may() -> None:
    battle = scene(unit(1).at(10, 10), unit(1).at(10, 15.984), phase=Phase.ASSAULT)
    space = charge_space(battle.scene, battle.state, 0, [0], [1], 3.0)
    assert space.check(Place(()))
    assert space.check(Place((to(0, 10, 13),))) == []
    assert space.check(Place((to(0, 10, 13.1),)))


# -- drawn, won -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.drawn.pile-in", "3e.drawn.ignore-terrain", "3e.drawn.contact-stay", "3e.drawn.free-enemies-first")
def test_after_a_drawn_combat_owners_place_who_is_free() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20), unit(3, I=4).on((10, 20.984), (12, 24.5), (14, 24)),
        ("hit", [4]), ("wound", [4]), ("save", [1]), ("lost combat", [1, 2]), ("who moves first", [6, 2]),
    )  # fmt: skip
    until(battle, "move-pile-in", select_model="model:1")
    decision = battle.decision
    assert decision is not None
    space = decision.choices
    assert isinstance(space, CloseSpace)
    assert set(space.limits.values()) == {6000}
    assert decision.check(Place(())), "they have to"
    battle.answer(decision.default())


@pytest.mark.rule("3e.result.destroyed-direction", "3e.result.destroyed-choice", "3e.core.assault.wiped-out")
def test_a_sweep_after_wiping_out_the_enemy_goes_towards_one_of_the_others() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        [unit(1).at(10, 20.984), unit(1, name="Near").at(10, 27), unit(1, name="Far").at(22, 20)],
        ("hit", [4]), ("wound", [4]), ("save", [1]), ("sweep", [2, 2]),
    )  # fmt: skip
    until(battle, "select-sweep", select_reaction="sweep")
    assert {option.key for option in battle.decision.options()} == {"b.2", "b.3"}  # type: ignore[union-attr]
    battle.answer(Pick("b.3"))
    decision = battle.decision
    assert decision is not None
    assert decision.check(Place((to(0, 6, 20),))), "away from them all"
    assert decision.check(decision.default()) == []


@pytest.mark.rule("3e.outside.consolidate-distance", "3e.core.assault.consolidate")
@pytest.mark.rule("3e.core.assault.consolidate-not-into-contact", "3e.consolidate.ignore-terrain")
def test_a_consolidation_is_three_inches_any_way_but_never_near_an_enemy() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20), [unit(1).at(10, 20.984), unit(1, name="Other").at(10, 23.5)],
        ("hit", [4]), ("wound", [4]), ("save", [1]),
    )  # fmt: skip
    until(battle, "move-consolidate", select_reaction="consolidate")
    decision = battle.decision
    assert decision is not None
    assert decision.check(Place((to(0, 13, 20),))) == []
    assert decision.check(Place(())) == []
    assert decision.check(Place((to(0, 13.1, 20),)))
    assert decision.check(Place((to(0, 10, 22.516),)))


# -- swept into -------------------------------------------------------------------------------------------------


def swept(**flags: Any) -> ClassicBattle:
    """Sweepers touch the first of three models of a unit whose turn it is."""
    sweepers = unit(1, name="Sweepers").at(10, 20.984).having(charged=True)
    return scene(
        unit(3).on((10, 20), (12, 20), (14, 20)).having(**flags), sweepers, phase=Phase.MOVEMENT, dice=SeededDice(1)
    )


@pytest.mark.rule("3e.partial-contact.contact-stay", "3e.partial-contact.others-move")
def test_models_that_sweepers_touch_stay_and_the_others_may_move() -> None:
    battle = swept()
    assert in_combat(battle.scene, battle.state, 0)
    assert why_not_move(battle.scene, battle.state, 0) == []
    assert set(limits_of(battle.scene, battle.state, 0)) == {1, 2}


@pytest.mark.rule("3e.partial-contact.others-assault", "3e.partial-contact.no-assault-stationary-fire")
def test_the_others_may_join_the_combat_unless_the_unit_stood_and_fired() -> None:
    for flags, able in (({"moved": True}, True), ({"deeds": frozenset({Deed.FIRED_RAPID_STANDING})}, False)):
        sweepers = unit(1, name="Sweepers").at(10, 20.984).having(charged=True)
        battle = scene(
            unit(3).on((10, 20), (12, 20), (14, 20)).having(**flags), sweepers,
            phase=Phase.ASSAULT, alone=True, dice=SeededDice(1),
        )  # fmt: skip
        asked = battle.decision is not None and battle.decision.kind == "select-unit-to-assault"
        assert asked == able
        if able:
            battle.answer(Pick("a.1"))
            battle.answer(Pick("b.1"))
            assert battle.decision is not None
            assert battle.decision.kind == "move-assault"


# -- falling back -----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.fall-back.into-formation", "3e.formation.repair-while-falling-back", "3e.fall-back.direction")
def test_models_out_of_formation_close_up_while_they_fall_back() -> None:
    battle = scene(unit(2).on((10, 30), (15, 30)), unit(1).at(60, 40), phase=Phase.MOVEMENT)
    space = flight_space(battle.scene, battle.state, 0, Edge.SOUTH, 6.0)
    found = space.default()
    assert space.check(found) == []
    ends = {move.model: move.path[-1] for move in found.moves}
    apart = ((ends[0][0] - ends[1][0]) ** 2 + (ends[0][1] - ends[1][1]) ** 2) ** 0.5 / 1000 - 0.984
    assert apart <= 2.0 + 0.01
    assert all(end[1] <= 30000 for end in ends.values())
    assert space.check(Place((to(0, 10, 24), to(1, 15, 24)))), "straight on, the gap would stay"
    assert space.check(Place(()))


@pytest.mark.rule("3e.fall-back.formation-not-reachable", "3e.formation.no-rally")
def test_where_the_gap_cannot_be_closed_the_move_is_legal_all_the_same() -> None:
    battle = scene(unit(2).on((10, 30), (23, 30)), unit(1).at(60, 40), phase=Phase.MOVEMENT)
    space = flight_space(battle.scene, battle.state, 0, Edge.SOUTH, 2.0)
    assert space.check(space.default()) == []
    assert float(gaps(battle.scene, battle.state, [0], [1])[0, 0]) > 2.0 + TOLERANCE
    assert "is out of formation" in [
        clause for _, clause in why_no_rally(rally_conditions(battle.scene, battle.state, 0))
    ]


# -- the Marshal's cases ----------------------------------------------------------------------------------------


def with_marshal(*, joined: bool) -> list[UnitSpec]:
    """A Paladin and the Marshal in reach of a Scorpion, three Paladins behind; the Marshal joined or beside them."""
    marshal = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Marshal", WS=5, T=4, W=2, I=1)
    squad = templars("paladin", "paladin", "paladin", "paladin")
    places = ((9.3, 20.692), (9, 24), (11, 24), (13, 24))
    if joined:
        return [mixed("Templars", squad, marshal).on(*places, (10.7, 20.692))]
    return [squad.on(*places), marshal.on((10.7, 20.692))]


@pytest.mark.rule("3e.cc-example.marshal-split", "3e.cc-example.marshal-joined-or-not", "3e.split.character-is-unit")
def test_the_marshals_case_a_scorpion_splits_between_him_and_the_squad_joined_or_not() -> None:
    for joined in (True, False):
        battle = scene(
            scorpion(2).at(10, 20), with_marshal(joined=joined), phase=Phase.ASSAULT, alone=True, dice=SeededDice(1)
        )
        until(battle, "aim-attacks")
        labels = {option.label for option in battle.decision.options()}  # type: ignore[union-attr]
        assert {"2 at Marshal", "2 at Paladin"} <= labels


@pytest.mark.rule("3e.cc-example.marshal-squad-overflow", "3e.split.carries-over")
def test_the_marshals_case_wounds_on_the_squad_carry_on_in_it_and_never_to_him() -> None:
    battle = fight(
        scorpion(3).at(10, 20), with_marshal(joined=True), ("hit", [4, 4, 4]), ("wound", [4, 4, 4]),
        ("hit", [1]), ("lost combat", [1, 1]),
    )  # fmt: skip
    until(battle, "aim-attacks")
    options = battle.decision.options()  # type: ignore[union-attr]
    battle.answer(Pick(next(option.key for option in options if option.label == "3 at Paladin")))
    while battle.decision is not None and battle.decision.kind == "select-model":
        battle.answer(battle.decision.default())
    names = sorted(battle.scene.models[row].name for row in standing(battle.state, 1))
    assert names == ["Marshal", "Paladin"]


@pytest.mark.rule("3e.cc-example.exarch-two-two", "3e.char-combat.directed-touch-only")
def test_the_exarchs_case_two_blows_each_at_two_paladins_kill_these_two_at_most() -> None:
    foes = templars("fist", "paladin", "paladin").on((9.3, 20.692), (10.7, 20.692), (9, 24))
    battle = fight(
        exarch().at(10, 20), foes, ("hit", [4, 4]), ("wound", [4, 4]), ("hit", [4, 4]), ("wound", [4, 4]),
        ("lost combat", [1, 1]), ("who moves first", [6, 2]),
    )  # fmt: skip
    until(battle, "aim-attacks")
    options = battle.decision.options()  # type: ignore[union-attr]
    wanted = "2 at Fist Paladin (model 1) and 2 at Paladin (model 2)"
    battle.answer(Pick(next(option.key for option in options if option.label == wanted)))
    play(battle)
    assert standing(battle.state, 1) == [3]
    result = next(event for event in battle.events if event.kind == "combat-resolved")
    assert result.to_json()["wounds"] == [2, 0]


@pytest.mark.rule("3e.char-combat.joined-together", "3e.char-combat.alone-free")
def test_joined_together_captain_and_squad_assault_as_one() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain", W=2).at(14, 10)
    for joined, able in ((-1, {"a.1", "a.2"}), (0, {"a.1"})):
        battle = scene(
            [unit(2).at(10, 10), captain.having(joined=joined)], unit(2).on((10, 14), (14, 14)),
            phase=Phase.ASSAULT, alone=True, dice=SeededDice(1),
        )  # fmt: skip
        assert {option.key for option in battle.decision.options()} - {"end"} == able  # type: ignore[union-attr]


@pytest.mark.rule("3e.split.undeclared", "3e.assault.simple-case")
def test_what_is_not_declared_goes_to_the_more_common_enemy_where_the_players_say_so() -> None:
    for option, label in (("reroll", "2 at Neophyte"), ("common-target", "2 at Paladin")):
        foes = templars("neophyte", "paladin", "paladin", "paladin").on(
            (9.3, 20.692), (10.7, 20.692), (9, 24), (11, 24)
        )
        battle = scene(
            scorpion(2).at(10, 20), foes, phase=Phase.ASSAULT, alone=True, dice=SeededDice(1),
            options={"undeclared_split": option},
        )  # fmt: skip
        until(battle, "aim-attacks")
        decision = battle.decision
        assert decision is not None
        default = decision.default()
        assert isinstance(default, Pick)
        assert next(each.label for each in decision.options() if each.key == default.option) == label
