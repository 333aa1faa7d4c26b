"""The primary mission cards: who has which, what each scores and when, and what players choose for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core.decisions import Side
from battlewright.core.errors import BadInput
from battlewright.core.roster import Army
from battlewright.core.rulebook import entry
from battlewright.core.table import Objective
from battlewright.editions.eleventh import bookkeeping, damage, mission_steps, missions
from battlewright.editions.eleventh.book import Kill, Mark
from battlewright.editions.eleventh.cards import PRIMARIES
from battlewright.editions.eleventh.events import Marked, Scored, Unmarked
from battlewright.editions.eleventh.look import Look, Time
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, Phase
from battlewright.start import Battle
from support.combat import events_of, run, run_asking
from support.eleventh import UnitSpec, decision, scene, unit
from support.eleventh_table import CENTRAL, EAST, GOALS, HOME, PLACES, THEIRS, WEST, WOODS


def begun(
    card: str,
    a: UnitSpec | Sequence[UnitSpec] = (),
    b: UnitSpec | Sequence[UnitSpec] = (),
    *,
    held: Sequence[int] = (),
    lost: Sequence[int] = (),
    battle_round: int = 2,
    goals: Sequence[Objective] = GOALS,
    done: tuple[tuple[int, str, str], ...] = (),
    **book: Any,
) -> Battle11:
    """A battle in side a's turn, side a having the card, these objectives controlled, the book as given."""
    battle = scene(
        a or unit(1).at(2, 2),
        b or unit(1).at(40, 58),
        objectives=goals,
        terrain=WOODS,
        mission=card,
        battle_round=battle_round,
    )
    battle.state.control = tuple(
        0 if number in held else 1 if number in lost else NOBODY for number in range(len(goals))
    )
    battle.state.book = replace(battle.state.book, control=(NOBODY,) * len(goals), **book)
    battle.state.actions_completed = done
    return battle


def score(battle: Battle11, time: Time, side: int = 0) -> int:
    card = battle.scene.mission.cards[side]
    return sum(points for _, points in card.score(Look(battle.scene, battle.state, Side(side)), time))


ENEMY_DIED = (Kill(1),)
"""Unit 1 is side b's only one, unit 0 side a's."""


# -- which card -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.mission.primary-by-pairing")
def test_each_players_card_is_found_from_both_dispositions():
    table = entry("11e.core.mission.primary-by-pairing").table
    for own, row in table.items():
        for theirs, name in row.items():
            found = missions.mission_of(own.lower().replace(" ", "-"), theirs.lower().replace(" ", "-"))
            assert found.cards[0].name == name
            assert found.cards[1].name == table[theirs][own]
    assert len(missions.MISSIONS) == len(PRIMARIES) == 25


@pytest.mark.parametrize("name", ["Destroyer's Wrath", "destroyers-wrath", "purge_the_foe vs priority_assets"])
def test_a_mission_goes_by_its_card_or_its_pairing(name: str):
    assert missions.find_mission(name).dispositions == ("purge-the-foe", "priority-assets")
    assert missions.find_mission(name).layouts[0] == "purge_the_foe_vs_priority_assets_a"


def test_an_unknown_mission_is_refused():
    with pytest.raises(BadInput, match="Sightseeing"):
        missions.find_mission("Sightseeing")


def army(*offered: str, chosen: str | None = None) -> Army:
    return Army("Mine", "11", "", (), disposition=chosen, dispositions=offered)


@pytest.mark.rule("11e.core.mission.dispositions")
def test_a_mission_is_found_from_the_armies_dispositions():
    both = army("Take and Hold", "Disruption", chosen="Disruption"), army("Reconnaissance")
    assert missions.choose_mission("pairing", None, both, 0) == ("smoke-and-mirrors", None)
    for open_one in (army("Take and Hold", "Disruption"), army()):
        with pytest.raises(BadInput, match="disposition"):
            missions.choose_mission("pairing", None, (open_one, both[1]), 0)


def test_a_mission_is_drawn_by_the_seed_with_its_layout():
    drawn = {missions.choose_mission("drawn", None, (), seed) for seed in range(200)}
    assert drawn == {missions.choose_mission("drawn", None, (), seed) for seed in range(200)}
    assert len({name for name, _ in drawn}) == 25
    assert all(layout in missions.MISSIONS[name].layouts for name, layout in drawn)
    assert missions.choose_mission("drawn", "open_table", (), 3)[1] == "open_table"
    assert missions.choose_mission(None, None, (), 3) == ("battlefield-dominance", None)
    specs = unit(1), unit(1)
    battle = scene(*specs, phase=Phase.SETUP)
    armies = battle.header.armies
    started = Battle.start(armies, mission="drawn", seed=7)
    assert started.header.mission == missions.choose_mission("drawn", None, (), 7)[0]


# -- limits and times -----------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.mission.end-of-battle-points", "11e.core.mission.scoring-times")
def test_points_at_the_end_of_the_battle_are_outside_the_limit_of_the_round():
    battle = begun("inescapable-dominion", held=[THEIRS], battle_round=5)
    battle.state.primary = battle.state.vp = (20, 0)
    battle.state.primary_this_round = (15, 0)
    missions.end_of_battle(battle)
    assert (battle.state.primary, battle.state.vp) == ((25, 0), (25, 0))
    battle.state.primary = (42, 0)
    missions.end_of_battle(battle)
    assert battle.state.primary == (45, 0), "the limit of the whole battle holds"


@pytest.mark.rule("11e.core.mission.painted-army")
@pytest.mark.parametrize(("painted", "vp"), [("none", (0, 0)), ("a", (10, 0)), ("b", (0, 10)), ("both", (10, 10))])
def test_a_painted_army_gives_10_points(painted: str, vp: tuple[int, int]):
    battle = scene(unit(1).at(2, 2), unit(1).at(40, 58), objectives=GOALS, options={"painted": painted})
    missions.end_of_battle(battle)
    assert battle.state.vp == vp


@pytest.mark.rule("11e.core.mission.scoring-times")
@pytest.mark.parametrize(("battle_round", "command", "turn"), [(1, 0, 3), (2, 10, 3), (4, 10, 3), (5, 0, 13)])
def test_the_command_phase_scores_from_round_2_and_in_round_5_the_turn_instead(
    battle_round: int, command: int, turn: int
):
    battle = begun("immovable-object", held=[CENTRAL, EAST], battle_round=battle_round)
    run(missions.end_of_command_phase(battle))
    assert battle.state.vp == (command, 0)
    run(missions.end_of_turn(battle))
    assert battle.state.vp == (command + turn, 0)


@pytest.mark.rule("11e.core.mission.leaving-the-battlefield")
def test_a_unit_leaves_the_battlefield_when_it_dies_embarks_or_goes_into_reserves():
    battle = begun("punishment", unit(1).at(2, 2), [unit(1).at(20, 50), unit(1).at(30, 50), unit(1).at(36, 50)])
    battle.state.on_table[1] = False
    battle.state.wounds[2] = 0
    bookkeeping.settle_turn(battle.scene, battle.state)
    assert battle.state.book.left == {1, 2}
    assert battle.state.book.kills == (Kill(2),)
    bookkeeping.note_left(battle.state, 3)
    assert battle.state.book.left == {1, 2, 3}, "even if it is back by the end of the turn"


def test_a_turn_remembers_who_was_destroyed_by_whom_and_the_turn_before():
    battle = begun("meatgrinder", unit(2).at(21, 29), unit(1).at(30, 50))
    state = battle.state
    state.attacking = 0
    damage.lose_wounds(battle, 2, 1, "test")
    run(damage.resolve_destroyed(battle))
    assert state.book.kills == (Kill(1, 0, on_objective=True),)
    assert (state.book.slain, state.book.left) == ((2,), {1})
    bookkeeping.begin_turn(battle.scene, state)
    assert (state.book.kills, state.book.kills_before) == ((), (Kill(1, 0, on_objective=True),))
    assert state.book.on_objective == {(0, CENTRAL)}
    assert (state.book.alive, state.book.standing) == ({0}, {0})


# -- Take and Hold --------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.primary.immovable-object")
@pytest.mark.parametrize(
    ("held", "turn", "command"), [([], 0, 0), ([HOME], 0, 0), ([CENTRAL], 3, 5), ([HOME, THEIRS, EAST, WEST], 0, 15)]
)
def test_immovable_object(held: list[int], turn: int, command: int):
    battle = begun("immovable-object", held=held)
    assert (score(battle, Time.TURN), score(battle, Time.COMMAND)) == (turn, command)


@pytest.mark.rule("11e.core.primary.determined-acquisition", "11e.core.mission.cumulative-lines")
@pytest.mark.parametrize(
    ("held", "before", "turn", "command"),
    [
        ([HOME, CENTRAL, WEST], [], 4, 9),
        ([HOME, CENTRAL, WEST], [CENTRAL], 2, 9),
        ([THEIRS, EAST], [EAST, CENTRAL], 2, 12),
        ([], [CENTRAL], 0, 0),
    ],
)
def test_determined_acquisition(held: list[int], before: list[int], turn: int, command: int):
    battle = begun("determined-acquisition", held=held)
    control = tuple(0 if number in before else NOBODY for number in range(5))
    battle.state.book = replace(battle.state.book, control=control)
    assert (score(battle, Time.TURN), score(battle, Time.COMMAND)) == (turn, command)


@pytest.mark.rule("11e.core.primary.purge-and-secure")
def test_purge_and_secure():
    def turn(battle_round: int = 2, held: Sequence[int] = (), **book: Any) -> int:
        return score(begun("purge-and-secure", held=held, battle_round=battle_round, **book), Time.TURN)

    there = frozenset({(1, EAST)})
    assert turn(kills=ENEMY_DIED) == 0
    assert turn(kills=(Kill(1, 0, on_objective=True),)) == 3
    assert turn(kills=ENEMY_DIED, on_objective=there) == 3
    assert turn(kills=(Kill(1, 0, on_objective=True),), on_objective=there) == 3, "one or the other"
    assert turn(kills=(Kill(0, 1, on_objective=True),), on_objective=frozenset({(0, EAST)})) == 0, "an own unit"
    assert turn(held=[EAST, WEST]) == 3
    assert turn(held=[EAST], battle_round=1) == 0
    assert turn(held=[HOME]) == 0
    assert score(begun("purge-and-secure", held=[HOME, CENTRAL, EAST]), Time.COMMAND) == 8


@pytest.mark.rule("11e.core.primary.inescapable-dominion")
@pytest.mark.parametrize(
    ("held", "lost", "turn", "command", "end"),
    [
        ([HOME], [], 0, 4, 0),
        ([HOME, WEST], [EAST, THEIRS], 0, 5, 0),
        ([HOME, WEST, THEIRS], [EAST], 4, 9, 5),
        ([], [EAST], 0, 0, 0),
    ],
)
def test_inescapable_dominion(held: list[int], lost: list[int], turn: int, command: int, end: int):
    battle = begun("inescapable-dominion", held=held, lost=lost)
    assert [score(battle, time) for time in (Time.TURN, Time.COMMAND, Time.BATTLE)] == [turn, command, end]


# -- Purge the Foe --------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.primary.unstoppable-force")
def test_unstoppable_force():
    assert score(begun("unstoppable-force", kills=ENEMY_DIED, held=[EAST]), Time.TURN) == 6
    assert score(begun("unstoppable-force", kills=ENEMY_DIED, held=[EAST], battle_round=1), Time.TURN) == 3
    assert score(begun("unstoppable-force", kills=(Kill(0),), held=[HOME]), Time.TURN) == 0
    assert score(begun("unstoppable-force", held=[HOME, EAST, WEST]), Time.COMMAND) == 8
    assert score(begun("unstoppable-force", held=[CENTRAL]), Time.BATTLE) == 5
    assert score(begun("unstoppable-force", held=[EAST]), Time.BATTLE) == 0


@pytest.mark.rule("11e.core.primary.meatgrinder", "11e.core.primary.destroyers-wrath")
@pytest.mark.parametrize(
    ("killed", "lost", "battle_round", "meatgrinder", "wrath"),
    [(0, 0, 2, 0, 0), (1, 0, 2, 8, 7), (1, 1, 2, 3, 3), (2, 1, 2, 8, 7), (1, 0, 1, 3, 3), (0, 1, 2, 0, 0)],
)
def test_killing_more_than_was_lost_in_the_turn_before(
    killed: int, lost: int, battle_round: int, meatgrinder: int, wrath: int
):
    squads = [unit(1).at(2 + 3 * i, 2) for i in range(2)], [unit(1).at(2 + 3 * i, 58) for i in range(2)]
    book = {"kills": tuple(Kill(2 + i) for i in range(killed)), "kills_before": tuple(Kill(i) for i in range(lost))}
    for card, expected in (("meatgrinder", meatgrinder), ("destroyers-wrath", wrath)):
        assert score(begun(card, *squads, battle_round=battle_round, **book), Time.TURN) == expected


@pytest.mark.rule("11e.core.primary.meatgrinder", "11e.core.primary.destroyers-wrath")
def test_what_meatgrinder_and_destroyers_wrath_score_for_objectives():
    for held, meatgrinder, wrath in ([HOME], 0, 6), ([EAST], 4, 10), ([EAST, WEST, HOME], 4, 10), ([], 0, 0):
        assert score(begun("meatgrinder", held=held), Time.COMMAND) == meatgrinder  # type: ignore[arg-type]
        assert score(begun("destroyers-wrath", held=held), Time.COMMAND) == wrath  # type: ignore[arg-type]
    assert score(begun("destroyers-wrath", held=[EAST], lost=[WEST]), Time.COMMAND) == 4
    assert score(begun("meatgrinder", held=[THEIRS]), Time.TURN) == 5
    assert score(begun("meatgrinder", held=[THEIRS], battle_round=1), Time.TURN) == 0


@pytest.mark.rule("11e.core.primary.punishment")
def test_punishment():
    gone = {"condemned": frozenset({1}), "left": frozenset({1})}
    for time in (Time.TURN, Time.OPPONENTS_TURN):
        assert score(begun("punishment", **gone), time) == 5
        assert score(begun("punishment", condemned=frozenset({1})), time) == 0
        assert score(begun("punishment", left=frozenset({1})), time) == 0
    assert score(begun("punishment", held=[EAST], lost=[WEST]), Time.COMMAND) == 4
    assert score(begun("punishment", held=[EAST]), Time.COMMAND) == 9
    assert score(begun("punishment", held=[THEIRS]), Time.BATTLE) == 8


@pytest.mark.rule("11e.core.primary.punishment")
def test_who_may_be_condemned():
    squads = [unit(1).at(5 + 6 * i, 54) for i in range(5)]  # b.4 is in range of the defender's home
    battle = begun("punishment", unit(1).at(2, 2), squads, kills_before=(Kill(0, 2),))
    units, most = mission_steps.condemnable(battle, Side(0))
    assert most == 3
    assert units == [2, 4], "the killer, and the one in range of the objective"
    _, asked = run_asking(mission_steps.start_of_turn(battle), "b.2", "done")
    assert [option.key for option in asked[0].options()] == ["b.2", "b.4"], "one at least"
    assert [option.key for option in asked[1].options()] == ["b.4", "done"]
    assert battle.state.book.condemned == {2}
    assert [(event.what, event.place) for event in events_of(battle, Marked)] == [("condemned", "b.2")]


@pytest.mark.rule("11e.core.primary.punishment")
def test_where_nobody_deserves_it_any_one_is_condemned_until_the_next_own_turn():
    battle = begun("punishment", unit(1).at(2, 2), [unit(1).at(2, 58), unit(1).at(40, 58)])
    battle.state.book = replace(battle.state.book, condemned=frozenset({1}))
    _, asked = run_asking(mission_steps.start_of_turn(battle), "b.2")
    assert len(asked) == 1
    assert battle.state.book.condemned == {2}
    battle.state.turn = Side(1)
    _, asked = run_asking(mission_steps.start_of_turn(battle))
    assert (asked, battle.state.book.condemned) == ([], {2}), "the opponent's card is another"


@pytest.mark.rule("11e.core.primary.punishment", "11e.core.mission.scoring-times")
def test_a_condemned_unit_that_leaves_in_the_opponents_turn_scores_too():
    battle = begun("punishment", condemned=frozenset({1}))
    battle.state.turn = Side(1)
    battle.state.wounds[1] = 0
    run(missions.end_of_turn(battle))
    assert [(event.side, event.points) for event in events_of(battle, Scored) if event.card == "Punishment"] == [(0, 5)]


@pytest.mark.rule("11e.core.primary.consecrate")
@pytest.mark.parametrize(("places", "turn", "end"), [([], 0, 0), ([2], 3, 0), ([2, 1], 3, 5), ([2, 3, 4], 6, 0)])
def test_consecrate(places: list[int], turn: int, end: int):
    marks = tuple(Mark(0, "consecrated", PLACES[number]) for number in places)
    battle = begun("consecrate", marks=marks, held=[EAST])
    assert [score(battle, time) for time in (Time.TURN, Time.COMMAND, Time.BATTLE)] == [turn, 8, end]
    assert score(begun("consecrate", held=[EAST], lost=[WEST]), Time.COMMAND) == 4
    theirs = tuple(replace(each, side=1) for each in marks)
    assert score(begun("consecrate", marks=theirs), Time.TURN) == 0


@pytest.mark.rule("11e.core.primary.consecrate")
def test_a_unit_that_killed_consecrates_one_objective_in_its_range():
    battle = begun("consecrate", [unit(1).at(22, 29), unit(1).at(22, 6)], kills=(Kill(2, 0), Kill(2, 1)))
    run(mission_steps.end_of_turn(battle), "objective:central")
    assert battle.state.book.marks == (Mark(0, "consecrated", "objective:central"),)
    assert battle.state.book.consecrators == {1}, "the other has only the own home in range, and keeps the right"
    run(mission_steps.end_of_turn(battle))
    assert len(battle.state.book.marks) == 1, "there already"


@pytest.mark.rule("11e.core.primary.consecrate")
def test_consecrating_may_be_put_off():
    battle = begun("consecrate", unit(1).at(22, 29), kills=(Kill(1, 0),))
    run(mission_steps.end_of_turn(battle), "no")
    assert (battle.state.book.marks, battle.state.book.consecrators) == ((), {0})


# -- Disruption -----------------------------------------------------------------------------------------------------


def done(action: str, *places: str, side: int = 0) -> tuple[tuple[int, str, str], ...]:
    """Completed by the first unit of the side, where it has no more than one."""
    return tuple((side, action, place) for place in places)


@pytest.mark.rule("11e.core.primary.death-trap", "11e.core.mission.cumulative-lines")
def test_death_trap():
    def turn(**book: Any) -> int:
        return score(begun("death-trap", **book), Time.TURN)

    assert turn() == 0
    assert turn(done=done("booby-trap", "area:1")) == 2
    assert turn(done=done("booby-trap", "area:1", "objective:east")) == 2 + 2 + 3
    assert turn(done=done("booby-trap", "area:1", side=1)) == 0
    trapped = (Mark(0, "trapped", "area:1"), Mark(0, "trapped", "objective:east"))
    assert turn(marks=trapped, kills=ENEMY_DIED) == 0
    assert turn(marks=trapped, kills=ENEMY_DIED, in_area=frozenset({(1, 0)})) == 3
    assert turn(marks=trapped, kills=ENEMY_DIED, on_objective=frozenset({(1, EAST)})) == 3
    assert turn(marks=trapped, kills=ENEMY_DIED, in_area=frozenset({(1, 1)})) == 0
    assert score(begun("death-trap", held=[HOME]), Time.COMMAND) == 0
    assert score(begun("death-trap", held=[EAST, WEST]), Time.COMMAND) == 4


@pytest.mark.rule("11e.core.primary.delaying-action")
def test_delaying_action():
    squads = unit(1).at(2, 2), [unit(1).at(2, 58), unit(1).at(8, 58)]
    assert score(begun("delaying-action", *squads, kills=(Kill(1), Kill(2), Kill(0))), Time.TURN) == 4
    assert score(begun("delaying-action", held=[CENTRAL, WEST]), Time.TURN) == 3
    assert score(begun("delaying-action", held=[CENTRAL, WEST], battle_round=1), Time.TURN) == 0
    assert score(begun("delaying-action", held=[CENTRAL, THEIRS]), Time.TURN) == 0
    assert score(begun("delaying-action", held=[THEIRS, HOME]), Time.COMMAND) == 0, "somebody's home"
    assert score(begun("delaying-action", held=[EAST]), Time.COMMAND) == 4


@pytest.mark.rule("11e.core.primary.outmanoeuvre")
@pytest.mark.parametrize(
    ("battle_round", "turn", "command"), [(1, 8, 0), (2, 0, 10), (3, 0, 10), (4, 12, 0), (5, 12, 0)]
)
def test_outmanoeuvre(battle_round: int, turn: int, command: int):
    battle = begun("outmanoeuvre", held=[HOME, CENTRAL, EAST], battle_round=battle_round)
    assert (score(battle, Time.TURN), score(battle, Time.COMMAND)) == (turn, command)
    home = begun("outmanoeuvre", held=[THEIRS], battle_round=battle_round)
    assert score(home, Time.TURN) == 10 + turn // 2


@pytest.mark.rule("11e.core.primary.smoke-and-mirrors", "11e.core.mission.cumulative-lines")
@pytest.mark.parametrize(
    ("places", "turn", "end"), [([], 0, 0), ([CENTRAL], 2, 0), ([CENTRAL, EAST], 6, 0), ([1, 2, 3, 4], 12, 10)]
)
def test_smoke_and_mirrors(places: list[int], turn: int, end: int):
    marks = tuple(Mark(0, "decoyed", PLACES[number]) for number in places)
    battle = begun("smoke-and-mirrors", marks=marks, held=[EAST, WEST])
    assert [score(battle, time) for time in (Time.TURN, Time.COMMAND, Time.BATTLE)] == [turn, 4, end]


LAST = (Mark(0, "operation", "area:1"),)
THEIR_LAST = (Mark(1, "operation", "area:1"),)


@pytest.mark.rule("11e.core.primary.locate-and-deny", "11e.core.primary.extract-relic")
@pytest.mark.parametrize(
    ("card", "marks", "for_kill"), [("locate-and-deny", LAST, 4), ("extract-relic", THEIR_LAST, 3)]
)
def test_the_last_marker(card: str, marks: tuple[Mark, ...], for_kill: int):
    here, away = unit(1).at(10, 35), unit(1).at(2, 2)
    foe_away, foe_here = unit(1).at(40, 58), unit(1).at(12, 36)

    def scored(mine: UnitSpec, theirs: UnitSpec, **book: Any) -> tuple[int, int]:
        battle = begun(card, mine, theirs, **book)
        return score(battle, Time.TURN), score(battle, Time.BATTLE)

    assert scored(here, foe_away, marks=marks) == (4, 5)
    assert scored(away, foe_away, marks=marks) == (0, 0)
    assert scored(here, foe_here, marks=marks) == (0, 0)
    assert scored(here, foe_away, marks=(*marks, replace(marks[0], place="area:2"))) == (0, 0), "two are left"
    assert scored(here, foe_away, marks=(replace(marks[0], side=1 - marks[0].side),)) == (0, 0), "of the other player"
    assert scored(away, foe_away, kills=ENEMY_DIED, on_objective=frozenset({(1, EAST)})) == (for_kill, 0)
    assert scored(away, foe_away, kills=ENEMY_DIED) == (0, 0)
    assert score(begun(card, held=[EAST]), Time.COMMAND) == 4


@pytest.mark.rule("11e.core.primary.locate-and-deny")
def test_before_the_first_turn_markers_are_laid_in_areas_outside_the_own_zone():
    battle = begun("locate-and-deny", battle_round=1)
    battle.state.turns = 1
    outside = mission_steps.areas_outside_zone(battle.scene, battle.state, Side(0))
    assert outside == [0, 1, 2, 3]
    _, asked = run_asking(mission_steps.start_of_turn(battle), "area:3", "area:1")
    assert [option.key for option in asked[1].options()] == ["area:1", "area:2", "area:4"]
    marks = battle.state.book.marks
    assert len(marks) == 4, "there are fewer than five such areas"
    assert {(mark.side, mark.kind) for mark in marks} == {(0, "operation")}
    battle.state.turns = 2
    _, asked = run_asking(mission_steps.start_of_turn(battle))
    assert asked == []


# -- Reconnaissance -------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.primary.reconnaissance-sweep")
@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([(5, 5), (40, 5)], 0),
        ([(5, 5), (40, 5), (5, 55)], 3),
        ([(5, 5), (40, 5), (5, 55), (40, 55)], 6),
        ([(5, 5), (40, 5), (5, 55), (26, 33)], 3),  # within 6" of the centre
        ([(5, 5), (22, 5), (5, 55)], 0),  # on a line
        ([(5, 5), (8, 5), (11, 5), (14, 5)], 0),
    ],
)
def test_reconnaissance_sweep(points: list[tuple[float, float]], expected: int):
    battle = begun("reconnaissance-sweep", [unit(1).at(*point) for point in points], held=[EAST])
    assert score(battle, Time.TURN) == expected
    assert score(battle, Time.COMMAND) == 3
    foe = len(points)
    battle.state.book = replace(battle.state.book, kills=(Kill(foe),))
    assert score(battle, Time.TURN) == expected + 1


@pytest.mark.rule("11e.core.primary.triangulation")
@pytest.mark.parametrize(("count", "turn"), [(0, 0), (1, 3), (2, 6), (3, 10), (4, 10)])
def test_triangulation(count: int, turn: int):
    marks = tuple(Mark(0, "triangulated", place) for place in PLACES[1 : 1 + count])
    battle = begun("triangulation", marks=marks, held=[HOME, CENTRAL, EAST])
    assert [score(battle, time) for time in (Time.TURN, Time.COMMAND, Time.BATTLE)] == [turn, 4, 0]
    assert score(begun("triangulation", marks=marks, battle_round=1), Time.TURN) == 0
    assert score(begun("triangulation", held=[HOME, CENTRAL, EAST, WEST]), Time.BATTLE) == 10


@pytest.mark.rule("11e.core.primary.surveil-the-foe")
def test_surveil_the_foe():
    shield = (Mark(1, "marker", "objective:east"),)
    on_it, off_it = unit(1).at(38, 40), unit(1).at(30, 50)

    def turn(*foes: UnitSpec, battle_round: int = 2, seen: Sequence[str] = (), **book: Any) -> int:
        battle = begun(
            "surveil-the-foe",
            unit(1).at(2, 2),
            foes,
            battle_round=battle_round,
            done=done("surveil", *seen),
            **book,
        )
        return score(battle, Time.TURN)

    assert turn(off_it) == 5, "no marker is left"
    assert turn(off_it, battle_round=1) == 0
    assert turn(off_it, marks=shield) == 0
    assert turn(off_it, marks=shield, seen=["b.1"]) == 4
    assert turn(on_it, marks=shield, seen=["b.1"]) == 0, "the only one is on an objective with a marker"
    assert turn(on_it, off_it, marks=shield, seen=["b.1", "b.2"]) == 4
    assert turn(on_it, seen=["b.1"]) == 9
    assert score(begun("surveil-the-foe", held=[EAST]), Time.COMMAND) == 8
    assert score(begun("surveil-the-foe", held=[EAST], lost=[WEST]), Time.COMMAND) == 4


@pytest.mark.rule("11e.core.primary.surveil-the-foe")
def test_units_that_end_a_move_at_an_objective_remove_the_opponents_markers_there():
    marks = (Mark(1, "marker", "objective:east"), Mark(1, "decoyed", "objective:east"), Mark(1, "marker", PLACES[1]))
    battle = begun("surveil-the-foe", unit(1).at(38, 38), marks=marks)
    mission_steps.note_move(battle, 1)
    assert battle.state.book.marks == marks, "its owner's units do nothing to it"
    battle.answer("a.1")
    battle.answer("normal")
    battle.answer(decision(battle).default())
    assert battle.state.book.marks == marks, "it did not move"
    mission_steps.note_move(battle, 0)
    assert battle.state.book.marks == marks[1:]
    assert [event.place for event in events_of(battle, Unmarked)] == ["objective:east"]


@pytest.mark.rule("11e.core.primary.gather-intel")
def test_gather_intel():
    assert score(begun("gather-intel", held=[CENTRAL], battle_round=1), Time.TURN) == 6
    assert score(begun("gather-intel", held=[CENTRAL]), Time.TURN) == 0
    assert score(begun("gather-intel", done=done("extract-intelligence", *PLACES[2:4])), Time.TURN) == 14
    assert score(begun("gather-intel", held=[CENTRAL, EAST]), Time.COMMAND) == 4
    for places, expected in ([2, 3], 0), ([2, 3, 4], 5), ([1], 5), ([1, 2, 3], 10):
        marks = tuple(Mark(0, "marker", PLACES[number]) for number in places)  # type: ignore[union-attr]
        assert score(begun("gather-intel", marks=marks), Time.BATTLE) == expected


@pytest.mark.rule("11e.core.primary.search-and-scour")
def test_search_and_scour():
    assert score(begun("search-and-scour", held=[CENTRAL]), Time.TURN) == 3
    assert score(begun("search-and-scour", kills=ENEMY_DIED), Time.TURN) == 0
    assert score(begun("search-and-scour", kills=ENEMY_DIED, in_area=frozenset({(1, 0)})), Time.TURN) == 2
    assert score(begun("search-and-scour", held=[HOME, CENTRAL, EAST]), Time.COMMAND) == 8
    mine = unit(1).at(2, 2)
    assert score(begun("search-and-scour", mine, unit(1).at(20, 40)), Time.BATTLE) == 5
    assert score(begun("search-and-scour", mine, unit(1).at(20, 30)), Time.BATTLE) == 5, "not wholly"
    assert score(begun("search-and-scour", mine, unit(1).at(20, 20)), Time.BATTLE) == 0


# -- Priority Assets ------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.primary.secure-asset")
def test_secure_asset():
    assert score(begun("secure-asset", done=done("secure-asset", PLACES[2])), Time.TURN) == 4
    assert score(begun("secure-asset", done=done("secure-asset", PLACES[2], side=1)), Time.TURN) == 0
    assert score(begun("secure-asset", kills=ENEMY_DIED, on_objective=frozenset({(1, CENTRAL)})), Time.TURN) == 2
    assert score(begun("secure-asset", kills=ENEMY_DIED, on_objective=frozenset({(1, EAST)})), Time.TURN) == 0
    assert score(begun("secure-asset", held=[HOME, EAST]), Time.COMMAND) == 4
    assert score(begun("secure-asset", held=[HOME, EAST, WEST]), Time.COMMAND) == 8


@pytest.mark.rule("11e.core.primary.vital-link", "11e.core.mission.cumulative-lines")
def test_vital_link():
    marker = Mark(0, "marker", "objective:central")
    assert score(begun("vital-link", held=[CENTRAL]), Time.TURN) == 2
    assert score(begun("vital-link", held=[CENTRAL], marks=(marker, marker)), Time.TURN) == 4
    assert score(begun("vital-link", marks=(marker, marker)), Time.TURN) == 0
    assert score(begun("vital-link", held=[CENTRAL], marks=(replace(marker, side=1),)), Time.TURN) == 2
    assert score(begun("vital-link", held=[EAST]), Time.COMMAND) == 4
    assert score(begun("vital-link", held=[EAST, CENTRAL]), Time.COMMAND) == 8
    assert score(begun("vital-link", held=[THEIRS]), Time.BATTLE) == 10


@pytest.mark.rule("11e.core.primary.extract-relic", "11e.core.primary.vanguard-operation")
def test_what_extract_relic_and_vanguard_operation_score_for_their_actions():
    assert score(begun("extract-relic", done=done("sensor-sweep", PLACES[2])), Time.TURN) == 4
    assert score(begun("vanguard-operation", done=done("vanguard-operation", "area:3")), Time.TURN) == 4
    assert score(begun("vanguard-operation", kills=ENEMY_DIED), Time.TURN) == 2
    assert score(begun("vanguard-operation", held=[EAST, WEST]), Time.COMMAND) == 4
    assert score(begun("vanguard-operation", held=[THEIRS]), Time.BATTLE) == 10


@pytest.mark.rule("11e.core.primary.sabotage", "11e.core.mission.cumulative-lines")
@pytest.mark.parametrize(("places", "expected"), [([], 0), ([WEST], 3), ([EAST], 5), ([EAST, WEST, THEIRS], 13)])
def test_sabotage(places: list[int], expected: int):
    battle = begun("sabotage", done=done("sabotage", *(PLACES[number] for number in places)), held=[EAST])
    assert (score(battle, Time.TURN), score(battle, Time.COMMAND)) == (expected, 4)


@pytest.mark.parametrize("name", PRIMARIES)
def test_every_card_scores_something_at_a_known_time_and_cites_its_rule(name: str):
    card = PRIMARIES[name]
    assert card.rule == f"11e.core.primary.{name}"
    battle = begun(name, held=[HOME, THEIRS, CENTRAL, EAST, WEST], kills=ENEMY_DIED, battle_round=2)
    assert any(score(battle, time) for time in Time)
    assert score(begun(name), Time.BATTLE) == (5 if name == "search-and-scour" else 0)


def test_a_line_says_how_many_in_the_singular_and_in_the_plural():
    def lines(held: Sequence[int]) -> list[str]:
        battle = begun("battlefield-dominance", held=held)
        look = Look(battle.scene, battle.state, Side(0))
        return [line for line, points in battle.scene.mission.cards[0].score(look, Time.COMMAND) if points]

    assert lines([CENTRAL]) == ["1 objective controlled"]
    assert lines([CENTRAL, EAST]) == ["2 objectives controlled"]
