"""Secondary missions: the eighteen cards, fixed and tactical; choosing, drawing, scoring, discarding; secrets."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core.decisions import Side, opponent
from battlewright.core.state import plain
from battlewright.editions.eleventh import damage, missions, secondaries
from battlewright.editions.eleventh.book import Kill
from battlewright.editions.eleventh.cards.secondary import SECONDARIES
from battlewright.editions.eleventh.events import CardDiscarded, CardDrawn, Scored, SecondariesChosen
from battlewright.editions.eleventh.look import Look
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.secondaries import FIXED, secondary_points
from battlewright.editions.eleventh.state import NOBODY, Phase
from support.combat import events_of, no_dice_left, run, run_asking
from support.eleventh import UnitSpec, decision, scene, unit
from support.eleventh_table import CENTRAL, EAST, GOALS, HOME, THEIRS, WEST


def begun(
    a: UnitSpec | Sequence[UnitSpec] = (),
    b: UnitSpec | Sequence[UnitSpec] = (),
    *,
    held: Sequence[int] = (),
    turn: int = 0,
    battle_round: int = 2,
    dice: Any = None,
    active: Sequence[str] = (),
    mode: str = "tactical",
    done: tuple[tuple[int, str, str], ...] = (),
    **book: Any,
) -> Battle11:
    """A battle with tactical side a, these cards active, its deck the rest of the eighteen unless one is given."""
    battle = scene(
        a or unit(1).at(2, 2),
        b or unit(1).at(40, 58),
        objectives=GOALS,
        turn=turn,
        battle_round=battle_round,
        dice=dice,
        options={"secondaries": "tactical"},
    )
    battle.state.control = tuple(0 if number in held else NOBODY for number in range(len(GOALS)))
    battle.state.actions_completed = done
    rest = tuple(key for key in SECONDARIES if key not in active)
    values = {"decks": (rest if mode == "tactical" else (), ()), **book}
    battle.state.book = replace(
        battle.state.book, modes=(mode, ""), active=(tuple(active), ()), revealed=True, **values
    )
    return battle


def worth(battle: Battle11, card: str, *, fixed: bool = False) -> int:
    return SECONDARIES[card].score(Look(battle.scene, battle.state, Side(0)), fixed)


def both_turns(card: str, *squads: Any, **settings: Any) -> tuple[int, int]:
    """What side a's card is worth at the end of its own turn and of its opponent's."""
    mine, theirs = (worth(begun(*squads, turn=turn, **settings), card) for turn in (0, 1))
    return mine, theirs


# -- the cards: destroying --------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.secondary.a-grievous-blow", "11e.core.secondary.tactical-cap")
@pytest.mark.parametrize(
    ("strengths", "fixed", "tactical"), [((12,), 0, 0), ((13,), 4, 5), ((13, 20), 8, 5), ((), 0, 0)]
)
def test_a_grievous_blow(strengths: tuple[int, ...], fixed: int, tactical: int):
    foes = [unit(1).at(2 + 3 * i, 58).having(starting_strength=each) for i, each in enumerate(strengths)]
    battle = begun((), foes, kills=tuple(Kill(1 + i) for i in range(len(strengths))))
    assert (worth(battle, "a-grievous-blow", fixed=True), worth(battle, "a-grievous-blow")) == (fixed, tactical)


@pytest.mark.rule("11e.core.secondary.assassination")
def test_assassination():
    captain, squire = unit(1, "CHARACTER", W=4).at(2, 58), unit(1, "CHARACTER", W=3).at(6, 58)
    battle = begun((), [captain, squire, unit(1).at(10, 58)])
    assert worth(battle, "assassination") == 0
    battle.state.book = replace(battle.state.book, slain=(3,))
    assert worth(battle, "assassination") == 0, "not a CHARACTER"
    battle.state.book = replace(battle.state.book, slain=(2,))
    assert worth(battle, "assassination") == 5
    battle.state.book = replace(battle.state.book, slain=())
    battle.state.wounds[[1, 2]] = 0
    assert worth(battle, "assassination") == 5, "all are dead"
    assert worth(begun(), "assassination") == 0, "there never was one"


@pytest.mark.rule("11e.core.secondary.assassination", "11e.core.mission.fixed-cards")
def test_fixed_assassination_scores_at_once():
    captain, squire = unit(1, "CHARACTER", W=4).at(2, 58), unit(1, "CHARACTER", W=3).at(6, 58)
    battle = begun((), [captain, squire, unit(1).at(10, 58)], mode="fixed", active=["assassination", "bring-it-down"])
    for row, total in ((3, 0), (1, 4), (2, 7)):
        damage.lose_wounds(battle, row, 9, "test")
        run(damage.resolve_destroyed(battle))
        assert battle.state.vp == (total, 0)
    run(secondaries.end_of_turn(battle))
    assert battle.state.vp == (7, 0), "and no second time"
    assert battle.state.book.active[0] == ("assassination", "bring-it-down")


@pytest.mark.rule("11e.core.secondary.bring-it-down")
def test_bring_it_down():
    foes = [unit(2, "MONSTER", W=10).at(2, 58), unit(1, W=9).at(10, 58)]
    for slain, fixed, tactical in ((3,), 0, 0), ((1,), 4, 5), ((1, 2), 8, 5), ((0,), 0, 0):
        battle = begun((), foes, slain=slain)
        assert (worth(battle, "bring-it-down", fixed=True), worth(battle, "bring-it-down")) == (fixed, tactical)


@pytest.mark.rule("11e.core.secondary.no-prisoners", "11e.core.secondary.tactical-cap")
@pytest.mark.parametrize(("killed", "expected"), [(0, 0), (1, 2), (2, 4), (3, 5)])
def test_no_prisoners(killed: int, expected: int):
    foes = [unit(1).at(2 + 3 * i, 58) for i in range(3)]
    kills = (Kill(0), *(Kill(1 + i) for i in range(killed)))
    assert both_turns("no-prisoners", (), foes, kills=kills) == (expected, expected)


@pytest.mark.rule("11e.core.secondary.overwhelming-force", "11e.core.secondary.tactical-cap")
@pytest.mark.parametrize(("on_objectives", "expected"), [(0, 0), (1, 3), (2, 5)])
def test_overwhelming_force(on_objectives: int, expected: int):
    foes = [unit(1).at(2 + 3 * i, 58) for i in range(3)]
    there = frozenset((1 + i, EAST) for i in range(on_objectives))
    kills = tuple(Kill(1 + i) for i in range(3))
    assert both_turns("overwhelming-force", (), foes, kills=kills, on_objective=there) == (expected, expected)


# -- the cards: objectives --------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.secondary.a-tempting-target")
def test_a_tempting_target():
    chosen = ((0, "a-tempting-target", EAST),)
    assert both_turns("a-tempting-target", held=[EAST], chosen=chosen) == (5, 0)
    assert both_turns("a-tempting-target", held=[WEST], chosen=chosen) == (0, 0)
    assert both_turns("a-tempting-target", held=[EAST], chosen=((1, "a-tempting-target", EAST),)) == (0, 0)


@pytest.mark.rule("11e.core.secondary.burden-of-trust", "11e.core.secondary.tactical-cap")
def test_burden_of_trust():
    squads = [unit(1).at(22, 29), unit(1).at(38, 40), unit(1).at(6, 20)]
    guards = frozenset({(0, CENTRAL, 0), (0, EAST, 1), (0, WEST, 2)})
    assert both_turns("burden-of-trust", squads, held=[CENTRAL, EAST, WEST], guards=guards) == (0, 5)
    assert both_turns("burden-of-trust", squads, held=[CENTRAL, EAST], guards=guards) == (0, 4)
    assert both_turns("burden-of-trust", squads, held=[CENTRAL], guards=frozenset({(0, CENTRAL, 1)})) == (0, 0)
    last = begun(squads, held=[CENTRAL], guards=guards, turn=1, battle_round=5)
    assert worth(last, "burden-of-trust") == 2
    last.state.first, last.state.turn = Side(1), Side(0)
    assert worth(last, "burden-of-trust") == 2, "the end of round 5"


@pytest.mark.rule("11e.core.secondary.cleanse", "11e.core.secondary.plunder")
def test_cleanse_and_plunder_score_for_their_actions():
    for places, expected in ([], 0), (["objective:east"], 2), (["objective:east", "objective:west"], 5):
        done = tuple((0, "cleanse", place) for place in places)  # type: ignore[union-attr]
        assert both_turns("cleanse", done=done) == (expected, 0)
    assert both_turns("plunder", done=((0, "plunder", "area:1"),)) == (5, 0)
    assert both_turns("plunder", done=((1, "plunder", "area:1"),)) == (0, 0)


@pytest.mark.rule("11e.core.secondary.defend-stronghold")
def test_defend_stronghold():
    away, inside, at_the_line = unit(1).at(40, 58), unit(1).at(40, 5), unit(1).at(40, 12.5)
    assert both_turns("defend-stronghold", (), away, held=[HOME]) == (0, 5)
    assert both_turns("defend-stronghold", (), inside, held=[HOME]) == (0, 3)
    assert both_turns("defend-stronghold", (), at_the_line, held=[HOME]) == (0, 3)
    assert both_turns("defend-stronghold", (), away, held=[EAST]) == (0, 0)
    assert both_turns("defend-stronghold", (), away, held=[HOME], battle_round=1) == (0, 0)


@pytest.mark.rule("11e.core.secondary.forward-position")
@pytest.mark.parametrize(
    ("held", "expected"), [([EAST], 0), ([EAST, WEST], 5), ([THEIRS], 5), ([THEIRS, EAST, WEST], 5), ([HOME], 0)]
)
def test_forward_position(held: list[int], expected: int):
    assert both_turns("forward-position", held=held) == (expected, 0)


@pytest.mark.rule("11e.core.secondary.secure-no-mans-land", "11e.core.mission.territory")
@pytest.mark.parametrize(
    ("held", "expected"), [([CENTRAL], 0), ([CENTRAL, EAST], 5), ([HOME, EAST], 0), ([THEIRS, EAST], 0)]
)
def test_secure_no_mans_land(held: list[int], expected: int):
    assert both_turns("secure-no-mans-land", held=held) == (expected, 0)


# -- the cards: positions ---------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.secondary.beacon")
@pytest.mark.parametrize(("y", "expected"), [(5, 0), (12.5, 0), (20, 3), (30, 3), (40, 5)])
def test_beacon(y: float, expected: int):
    chosen = ((0, "beacon", 0),)
    assert both_turns("beacon", unit(1).at(10, y), chosen=chosen) == (0, expected)
    assert both_turns("beacon", unit(1), chosen=chosen) == (0, 0), "off the battlefield"
    assert both_turns("beacon", unit(1).at(10, y)) == (0, 0), "none was picked"


@pytest.mark.rule(
    "11e.core.secondary.behind-enemy-lines", "11e.core.secondary.tactical-cap", "11e.core.secondary.who-counts"
)
def test_behind_enemy_lines():
    there, across, shocked = unit(1).at(10, 55), unit(1).at(14, 48), unit(1).at(18, 55).having(battle_shocked=True)
    plane = unit(1, "AIRCRAFT", "VEHICLE").at(30, 55)
    assert both_turns("behind-enemy-lines", [there]) == (3, 0)
    assert both_turns("behind-enemy-lines", [there, unit(1).at(24, 55)]) == (5, 0)
    assert both_turns("behind-enemy-lines", [across, shocked, plane]) == (0, 0)


@pytest.mark.rule("11e.core.secondary.centre-ground", "11e.core.secondary.who-counts")
@pytest.mark.parametrize(
    ("mine", "foe", "expected"),
    [(22, 40, 5), (22, 27, 3), (22, 24.5, 0), (26, 40, 0), (24.5, 40, 5)],
)
def test_centre_ground(mine: float, foe: float, expected: int):
    squad, enemy = unit(1).at(mine, 30), unit(1).at(foe, 30)
    assert both_turns("centre-ground", squad, enemy) == (expected, 0)
    assert both_turns("centre-ground", squad.having(battle_shocked=True), enemy) == (0, 0)
    assert both_turns("centre-ground", squad, enemy.having(battle_shocked=True)) == (expected, 0)


@pytest.mark.rule("11e.core.secondary.display-of-might", "11e.core.mission.territory", "11e.core.secondary.who-counts")
def test_display_of_might():
    middle, zone, foe = unit(1).at(10, 30), unit(1).at(10, 12.3), unit(1).at(30, 40)
    assert both_turns("display-of-might", [middle], unit(1).at(30, 58)) == (2, 5)
    assert both_turns("display-of-might", [middle], foe) == (0, 0)
    assert both_turns("display-of-might", [middle, zone], foe) == (0, 0)
    assert both_turns("display-of-might", [middle, unit(1).at(14, 30)], foe) == (2, 5)
    assert both_turns("display-of-might", [middle], foe.having(battle_shocked=True)) == (2, 5)


@pytest.mark.rule("11e.core.secondary.engage-on-all-fronts", "11e.core.01.04-table-quarters")
def test_engage_on_all_fronts():
    corners = [unit(1).at(*point) for point in ((5, 5), (40, 5), (5, 55), (40, 55))]
    for count, fixed, tactical in (2, 0, 0), (3, 2, 3), (4, 4, 5):
        battle = begun(corners[:count])
        card = "engage-on-all-fronts"
        assert (worth(battle, card, fixed=True), worth(battle, card)) == (fixed, tactical)
        battle.state.units[0].battle_shocked = True
        assert worth(battle, card) == (0, 0, 0, 0, 3)[count]
    assert worth(begun(corners, turn=1), "engage-on-all-fronts") == 0


@pytest.mark.rule("11e.core.secondary.outflank", "11e.core.mission.territory")
@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([(5, 40)], 3),
        ([(7.5, 40)], 0),
        ([(5, 20)], 0),  # in the own territory
        ([(5, 40), (39, 20)], 5),
        ([(5, 40), (22, 57)], 3),  # not opposite edges
        ([(5, 20), (39, 20)], 0),
        ([(22, 57), (22, 3)], 5),
    ],
)
def test_outflank(points: list[tuple[float, float]], expected: int):
    assert both_turns("outflank", [unit(1).at(*point) for point in points]) == (expected, 0)


# -- choosing ---------------------------------------------------------------------------------------------------------


def before(setting: str) -> Battle11:
    dice = [("attacker-roll-off", (6, 1)), ("first-turn-roll-off", (6, 1))]
    battle = scene(unit(1), unit(1), phase=Phase.SETUP, objectives=GOALS, dice=dice, options={"secondaries": setting})
    battle.answer("attacker")
    return battle


@pytest.mark.rule("11e.core.mission.choosing-secondaries", "11e.core.secondary.decks")
def test_each_player_chooses_two_fixed_cards_or_the_deck():
    battle = before("choose")
    keys = [option.key for option in battle.options()]
    assert (decision(battle).side, len(keys), keys[-1]) == (0, 7, "tactical")
    assert all(set(key.split("+")) < set(FIXED) for key in keys[:-1])
    assert sorted(FIXED) == ["a-grievous-blow", "assassination", "bring-it-down", "engage-on-all-fronts"]
    battle.answer("assassination+engage-on-all-fronts")
    assert decision(battle).side == 1
    battle.answer("tactical")
    book = battle.state.book
    assert (book.modes, book.active) == (("fixed", "tactical"), (("assassination", "engage-on-all-fronts"), ()))
    assert book.decks == ((), tuple(SECONDARIES))
    assert len(SECONDARIES) == 18
    assert [(event.side, event.mode) for event in events_of(battle, SecondariesChosen)] == [
        (0, "fixed"),
        (1, "tactical"),
    ]


@pytest.mark.rule("11e.core.mission.choosing-secondaries")
def test_until_both_have_chosen_nobody_sees_the_others_choice():
    battle = before("choose")
    battle.answer("assassination+engage-on-all-fronts")
    assert battle.seat(Side(0)).view().book.active[0] == ("assassination", "engage-on-all-fronts")
    for side in (Side(1), None):
        seen = battle.rules.visible_state(battle.scene, battle.state, side)
        assert "assassination" not in json.dumps(plain(seen))
        assert (seen.book.modes, seen.book.active, seen.book.decks) == (("", ""), ((), ()), ((), ()))
    assert events_of(battle, SecondariesChosen) == []
    assert "assassination" not in json.dumps([event.to_json() for event in battle.events])
    battle.answer("tactical")
    assert battle.seat(Side(1)).view().book.active[0] == ("assassination", "engage-on-all-fronts")


@pytest.mark.parametrize(("setting", "kinds"), [("none", []), ("tactical", []), ("fixed", [0, 1])])
def test_the_switch_decides_what_is_asked(setting: str, kinds: list[int]):
    battle = before(setting)
    asked = []
    while decision(battle).kind == "choose-secondaries":
        asked.append(int(decision(battle).side))
        assert len(battle.options()) == 6
        battle.answer(battle.options()[0].key)
    assert asked == kinds
    assert (
        battle.state.book.modes == {"none": ("", ""), "fixed": ("fixed",) * 2, "tactical": ("tactical",) * 2}[setting]
    )
    assert battle.state.book.revealed


# -- drawing ----------------------------------------------------------------------------------------------------------


def position(card: str, *without: str) -> int:
    """The face that draws the card from the deck without some others."""
    return [key for key in SECONDARIES if key not in without].index(card) + 1


@pytest.mark.rule("11e.core.mission.drawing-cards", "11e.core.mission.no-hand-limit")
def test_a_tactical_player_draws_two_cards_at_the_start_of_the_command_phase():
    active = ("outflank", "no-prisoners", "display-of-might")
    dice = [
        ("draw-secondary", (position("centre-ground", *active),)),
        ("draw-secondary", (position("assassination", *active, "centre-ground"),)),
    ]
    battle = begun(active=active, dice=dice)
    run(missions.start_of_command_phase(battle))
    assert battle.state.book.active[0] == (*active, "centre-ground", "assassination")
    assert len(battle.state.book.decks[0]) == 18 - 5
    assert [event.card for event in events_of(battle, CardDrawn)] == ["centre-ground", "assassination"]
    no_dice_left(battle)


@pytest.mark.rule("11e.core.mission.drawing-cards", "11e.core.mission.fixed-cards")
def test_nothing_is_drawn_from_an_empty_deck_with_fixed_cards_or_in_the_opponents_turn():
    empty = begun(decks=((), ()), dice=[])
    fixed = begun(mode="fixed", active=["assassination", "bring-it-down"], dice=[])
    theirs = begun(turn=1, dice=[])
    for battle in (empty, fixed, theirs):
        run(missions.start_of_command_phase(battle))
        assert events_of(battle, CardDrawn) == []
    one = begun(decks=(("outflank",), ()), dice=[])
    run(missions.start_of_command_phase(one))
    assert one.state.book.active[0] == ("outflank",)


def drawing(*cards: str, answers: Sequence[str] = (), deck: Sequence[str] = (), **settings: Any) -> Battle11:
    """Side a draws these cards one after the other, from the cards and the rest of the deck, giving these answers."""
    left = [key for key in SECONDARIES if key in cards or key in deck]
    dice = []
    for card in cards:
        if len(left) > 1:
            dice.append(("draw-secondary", (left.index(card) + 1,)))
        left.remove(card)
    battle = begun(decks=(tuple(key for key in SECONDARIES if key in (*cards, *deck)), ()), dice=dice, **settings)
    run(secondaries.draw(battle, Side(0)), *answers)
    no_dice_left(battle)
    return battle


@pytest.mark.rule("11e.core.secondary.behind-enemy-lines", "11e.core.secondary.forward-position")
@pytest.mark.parametrize("card", ["behind-enemy-lines", "forward-position"])
def test_in_round_1_some_cards_may_be_shuffled_back(card: str):
    battle = drawing(card, "outflank", answers=["another"], battle_round=1)
    assert (battle.state.book.active[0], battle.state.book.decks[0]) == (("outflank",), (card,))
    assert [(event.card, event.why) for event in events_of(battle, CardDiscarded)] == [(card, "shuffled-back")]
    kept = drawing(card, deck=["outflank"], answers=["keep"], battle_round=1)
    assert kept.state.book.active[0] == (card,)
    later = drawing(card, deck=["outflank"], battle_round=2)
    assert later.state.book.active[0] == (card,)


@pytest.mark.rule("11e.core.secondary.defend-stronghold")
def test_in_round_1_defend_stronghold_is_shuffled_back():
    battle = drawing("defend-stronghold", "outflank", battle_round=1)
    assert (battle.state.book.active[0], battle.state.book.decks[0]) == (("outflank",), ("defend-stronghold",))


@pytest.mark.rule("11e.core.secondary.cleanse", "11e.core.secondary.plunder")
@pytest.mark.parametrize(("card", "other"), [("cleanse", "plunder"), ("plunder", "cleanse")])
def test_cleanse_and_plunder_do_not_have_to_go_together(card: str, other: str):
    battle = drawing(card, "outflank", answers=["another"], active=[other])
    assert battle.state.book.active[0] == (other, "outflank")
    assert drawing(card, deck=["outflank"]).state.book.active[0] == (card,)


@pytest.mark.rule("11e.core.secondary.a-grievous-blow", "11e.core.secondary.bring-it-down")
@pytest.mark.parametrize(
    ("card", "target"), [("a-grievous-blow", unit(13).at(2, 58)), ("bring-it-down", unit(1, "MONSTER", W=10).at(2, 58))]
)
def test_cards_without_a_target_may_be_replaced(card: str, target: UnitSpec):
    battle = drawing(card, "outflank", answers=["another"])
    assert (battle.state.book.active[0], battle.state.book.decks[0]) == (("outflank",), ())
    there = target.having(starting_strength=len(target.models))
    assert drawing(card, deck=["outflank"], b=there).state.book.active[0] == (card,)


@pytest.mark.rule("11e.core.secondary.a-tempting-target")
def test_the_opponent_picks_the_tempting_target():
    battle = begun(decks=(("a-tempting-target",), ()), dice=[])
    _, asked = run_asking(secondaries.draw(battle, Side(0)), "objective:west")
    assert [(each.side, [option.key for option in each.options()]) for each in asked] == [
        (1, ["objective:central", "objective:east", "objective:west"])
    ]
    assert battle.state.book.chosen == ((0, "a-tempting-target", WEST),)


@pytest.mark.rule("11e.core.secondary.beacon")
def test_the_beacon_is_an_own_unit_on_the_battlefield_or_aboard_a_transport_on_it():
    aboard = unit(1).having(embarked_in=0)
    battle = begun([unit(1).at(2, 2), unit(1), unit(1).at(10, 2), aboard], decks=(("beacon",), ()), dice=[])
    _, asked = run_asking(secondaries.draw(battle, Side(0)), "a.3")
    assert [(each.side, [option.key for option in each.options()]) for each in asked] == [(0, ["a.1", "a.3", "a.4"])]
    assert battle.state.book.chosen == ((0, "beacon", 2),)


@pytest.mark.rule("11e.core.secondary.burden-of-trust")
def test_guards_are_assigned_when_drawn_and_anew_at_the_start_of_own_turns():
    battle = begun(decks=(("burden-of-trust",), ()), dice=[])
    run(secondaries.draw(battle, Side(0)), "nobody", "nobody", "a.1", "a.1", "nobody")
    assert battle.state.book.guards == {(0, CENTRAL, 0), (0, EAST, 0)}
    _, asked = run_asking(missions.start_of_command_phase(battle), "a.1", "nobody", "nobody", "nobody", "nobody")
    assert len(asked) == 5
    assert battle.state.book.guards == {(0, HOME, 0)}


@pytest.mark.rule("11e.core.mission.replacing-a-card")
def test_once_a_battle_a_card_is_replaced_for_1_cp():
    dice = [("draw-secondary", (position("outflank", "no-prisoners", "beacon"),))]
    battle = begun(active=["no-prisoners", "beacon"], chosen=((0, "beacon", 0),), dice=dice)
    battle.state.cp = (0, 3)
    run(secondaries.end_of_command_phase(battle))
    assert not battle.state.book.replaced[0], "it cannot be paid"
    battle.state.cp = (2, 3)
    run(secondaries.end_of_command_phase(battle), "keep")
    run(secondaries.end_of_command_phase(battle), "beacon")
    assert (battle.state.cp, battle.state.book.active[0]) == ((1, 3), ("no-prisoners", "outflank"))
    assert battle.state.book.chosen == (), "what was picked for it is forgotten"
    _, asked = run_asking(secondaries.end_of_command_phase(battle))
    assert asked == []


# -- scoring ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.mission.secondary-limits")
@pytest.mark.parametrize(
    ("points", "this_round", "in_all", "from_card", "counted"),
    [
        (5, 0, 0, None, 5),
        (5, 12, 12, None, 3),
        (5, 0, 42, None, 3),
        (5, 0, 45, None, 0),
        (8, 0, 20, 16, 4),
        (8, 10, 20, 8, 5),
        (4, 0, 20, 20, 0),
    ],
)
def test_secondary_points_have_limits(points: int, this_round: int, in_all: int, from_card: int | None, counted: int):
    assert secondary_points(points, this_round, in_all, from_card) == counted


@pytest.mark.rule("11e.core.mission.secondary-limits", "11e.core.mission.fixed-cards")
def test_a_fixed_card_gives_20_at_most_and_stays_active():
    foes = [unit(1, "MONSTER", W=10).at(2 + 4 * i, 58) for i in range(3)]
    battle = begun((), foes, mode="fixed", active=["assassination", "bring-it-down"], slain=(1, 2, 3))
    run(secondaries.end_of_turn(battle))
    assert battle.state.book.secondary == (12, 0)
    battle.state.book = replace(battle.state.book, secondary_this_round=(0, 0))
    run(secondaries.end_of_turn(battle))
    assert (battle.state.book.secondary, battle.state.vp) == ((20, 0), (20, 0))
    assert battle.state.book.fixed_points == ((0, "bring-it-down", 20),)
    assert battle.state.book.active[0] == ("assassination", "bring-it-down")


@pytest.mark.rule("11e.core.mission.scoring-secondaries")
def test_a_tactical_card_may_be_scored_and_is_then_discarded():
    cards = ["no-prisoners", "outflank", "cleanse"]
    battle = begun(unit(1).at(5, 40), kills=(Kill(1),), active=cards)
    _, asked = run_asking(secondaries.end_of_turn(battle), "outflank", "done", "done")
    assert [option.key for option in asked[0].options()] == ["no-prisoners", "outflank", "done"]
    assert [option.key for option in asked[1].options()] == ["no-prisoners", "done"]
    assert battle.state.book.active[0] == ("no-prisoners", "cleanse")
    assert (battle.state.vp, battle.state.book.secondary) == ((3, 0), (3, 0))
    assert [(event.card, event.points) for event in events_of(battle, Scored)] == [("Outflank", 3)]
    assert "outflank" not in battle.state.book.decks[0], "it does not come back"


@pytest.mark.rule("11e.core.mission.scoring-secondaries")
def test_at_the_end_of_every_turn_the_turn_player_scores_first():
    battle = begun((), [unit(1).at(40, 58), unit(1).at(36, 58)], kills=(Kill(1), Kill(0)), turn=1)
    book = battle.state.book
    battle.state.book = replace(book, modes=("tactical", "tactical"), active=(("no-prisoners",), ("no-prisoners",)))
    _, asked = run_asking(secondaries.end_of_turn(battle))
    assert [each.side for each in asked] == [1, 0]
    assert battle.state.vp == (2, 2)


@pytest.mark.rule("11e.core.mission.discarding-for-cp", "11e.core.08-one-more-command-point")
def test_the_turn_player_may_discard_any_number_of_cards_for_1_cp_in_all():
    battle = begun(active=["beacon", "outflank", "plunder"])
    run(secondaries.end_of_turn(battle), "beacon", "plunder", "done")
    assert (battle.state.cp, battle.state.book.active[0]) == ((1, 0), ("outflank",))
    run(secondaries.end_of_turn(battle), "outflank")
    assert battle.state.cp == (1, 0), "one more in a battle round, and not two"
    theirs = begun(active=["beacon"], turn=1)
    _, asked = run_asking(secondaries.end_of_turn(theirs))
    assert asked == []


# -- whole battles ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_no_view_or_event_of_a_battle_tells_what_a_side_may_not_know(seed: int):
    """The other's choice before it is revealed, and what will be drawn: no view says how far the dice have come."""
    battle = scene(
        [unit(1), unit(3)],
        [unit(1), unit(3)],
        phase=Phase.SETUP,
        objectives=GOALS,
        options={"secondaries": "choose"},
        mission="meatgrinder",
    )
    rng = random.Random(seed)
    while battle.decision is not None:
        book = battle.state.book
        for side in (Side(0), Side(1), None):
            seen = battle.rules.visible_state(battle.scene, battle.state, side)
            assert seen.dice == 0
            assert seen.book.decks == book.decks or not book.revealed
            for other in (Side(0), Side(1)):
                hidden = not book.revealed and other != side
                assert (seen.book.modes[other], seen.book.active[other]) == (
                    ("", ()) if hidden else (book.modes[other], book.active[other])
                )
        for deck in book.decks:
            assert list(deck) == [key for key in SECONDARIES if key in deck], "a deck has no order to be read"
        side = battle.decision.side
        assert battle.seat(opponent(side)).decision is None
        battle.answer(battle.decision.sample(rng))
    assert battle.header.seed == 0
    assert not any("draw-secondary" in json.dumps(event.to_json()) for event in battle.events)


def test_a_copy_with_dice_of_its_own_draws_other_cards():
    battle = scene(
        unit(1).at(2, 2),
        unit(1).at(40, 58),
        phase=Phase.COMMAND,
        turn=1,
        objectives=GOALS,
        options={"secondaries": "tactical"},
        book=replace(begun().state.book, modes=("tactical", ""), decks=(tuple(SECONDARIES), ())),
    )
    drawn = set()
    for seed in range(1, 6):
        copy = battle.fork(reseed=seed)
        while copy.decision is not None and copy.state.turn == 1:
            copy.answer(copy.decision.default())
        drawn.add(tuple(event.card for event in events_of(copy, CardDrawn)))
    assert len(drawn) > 1
