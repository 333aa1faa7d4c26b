"""The numbers of the mission cards, the deployment and the muster, as a battle or a list comes to them.

Every row is played: units stand where they would, the turn goes to its end, and what counts is what was scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core.decisions import Side
from battlewright.editions.eleventh import damage
from battlewright.editions.eleventh.cards.secondary import SECONDARIES
from battlewright.editions.eleventh.events import Scored
from battlewright.editions.eleventh.missions import MISSIONS
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, Phase
from support.combat import events_of, run
from support.eleventh import UnitSpec, decision, scene, unit
from support.eleventh_table import CENTRAL, EAST, GOALS, HOME, THEIRS, WEST, WOODS

AT = {HOME: (22, 6), THEIRS: (22, 54), CENTRAL: (22, 29), EAST: (38, 40), WEST: (6, 20)}
FAR = (2, 2)


def standing_at(goals: Sequence[int], away: tuple[float, float]) -> list[UnitSpec]:
    """A unit at each of these objectives; one out of everybody's way where there is none."""
    return [unit(1).at(*AT[goal]) for goal in goals] or [unit(1).at(*away)]


def on(
    card: str,
    held: Sequence[int],
    theirs: Sequence[int] = (),
    *,
    battle_round: int = 2,
    phase: Phase = Phase.MOVEMENT,
    turn: int = 0,
    extra: Sequence[UnitSpec] = (),
) -> Battle11:
    """Side a with the card and a unit at each of the objectives it is to hold, side b likewise."""
    return scene(
        standing_at(held, FAR),
        [*standing_at(theirs, (42, 58)), *extra],
        objectives=GOALS,
        terrain=WOODS,
        mission=card,
        battle_round=battle_round,
        phase=phase,
        turn=turn,
    )


def destroy(battle: Battle11, unit_id: str, by: str = "a.1") -> None:
    """A unit falls to another one's attacks."""
    battle.state.attacking = battle.scene.by_id[by]
    for row in battle.state.units[battle.scene.by_id[unit_id]].models:
        damage.lose_wounds(battle, row, 99, "test")
    run(damage.resolve_destroyed(battle))
    battle.state.attacking = NOBODY


def to_the_end_of_the_turn(battle: Battle11) -> Battle11:
    """Play on with defaults until the next turn begins, or the battle is over."""
    turns = battle.state.turns
    while battle.decision is not None and battle.state.turns == turns:
        battle.answer(decision(battle).default())
    return battle


def scored(battle: Battle11, side: int = 0) -> int:
    return sum(event.points for event in events_of(battle, Scored) if event.side == side)


# -- primary missions: the end of the own Command phase ---------------------------------------------------------------

COMMAND = [
    ("battlefield-dominance", [HOME, CENTRAL, EAST], [], 2, 13),
    ("battlefield-dominance", [CENTRAL, EAST], [], 2, 6),
    ("battlefield-dominance", [HOME, CENTRAL, EAST], [], 1, 0),
    ("immovable-object", [HOME, CENTRAL, EAST], [], 2, 10),
    ("determined-acquisition", [HOME, CENTRAL, EAST], [], 2, 12),
    ("purge-and-secure", [HOME, CENTRAL, EAST], [], 2, 8),
    ("inescapable-dominion", [HOME, CENTRAL], [], 2, 9),
    ("inescapable-dominion", [HOME, CENTRAL], [THEIRS, EAST], 2, 5),
    ("unstoppable-force", [HOME, CENTRAL, EAST], [], 2, 8),
    ("meatgrinder", [HOME, CENTRAL], [], 2, 4),
    ("meatgrinder", [HOME], [], 2, 0),
    ("punishment", [HOME, CENTRAL], [], 2, 9),
    ("consecrate", [HOME, CENTRAL], [], 2, 8),
    ("destroyers-wrath", [HOME, CENTRAL], [], 2, 10),
    ("death-trap", [CENTRAL], [], 2, 4),
    ("delaying-action", [CENTRAL], [], 2, 4),
    ("delaying-action", [THEIRS], [], 2, 0),
    ("outmanoeuvre", [HOME, CENTRAL, EAST], [], 2, 10),
    ("outmanoeuvre", [HOME, CENTRAL, EAST], [], 4, 0),
    ("smoke-and-mirrors", [CENTRAL], [], 2, 4),
    ("locate-and-deny", [CENTRAL], [], 2, 4),
    ("reconnaissance-sweep", [CENTRAL], [], 2, 3),
    ("triangulation", [CENTRAL], [], 2, 4),
    ("surveil-the-foe", [HOME, CENTRAL], [], 2, 8),
    ("gather-intel", [CENTRAL], [], 2, 4),
    ("search-and-scour", [CENTRAL, EAST, HOME], [], 2, 8),
    ("secure-asset", [CENTRAL], [], 2, 4),
    ("secure-asset", [CENTRAL, EAST, HOME], [], 2, 8),
    ("vital-link", [EAST], [], 2, 4),
    ("vital-link", [CENTRAL], [], 2, 8),
    ("extract-relic", [CENTRAL], [], 2, 4),
    ("vanguard-operation", [CENTRAL], [], 2, 4),
    ("sabotage", [CENTRAL], [], 2, 4),
]


@pytest.mark.rule("11e.core.mission.scoring-times")
@pytest.mark.parametrize(("card", "held", "theirs", "battle_round", "points"), COMMAND)
def test_numbers_of_the_primary_at_the_end_of_the_command_phase(
    card: str, held: list[int], theirs: list[int], battle_round: int, points: int
) -> None:
    battle = on(card, held, theirs, battle_round=battle_round, phase=Phase.COMMAND)
    while battle.state.phase == Phase.COMMAND:
        battle.answer(decision(battle).default())
    assert scored(battle) == points


def test_every_primary_has_its_number_at_the_end_of_the_command_phase() -> None:
    assert {card for card, *_, points in COMMAND if points} == set(MISSIONS)


# -- primary missions: the end of the own turn ------------------------------------------------------------------------

TURN = [
    ("battlefield-dominance", [HOME, CENTRAL], [THEIRS], 1, 2),
    ("battlefield-dominance", [HOME, CENTRAL], [THEIRS], 2, 2),
    ("battlefield-dominance", [HOME, CENTRAL], [THEIRS], 3, 0),
    ("battlefield-dominance", [HOME], [THEIRS], 2, 0),
    ("immovable-object", [CENTRAL], [], 2, 3),
    ("immovable-object", [CENTRAL, EAST], [], 5, 13),
    ("determined-acquisition", [HOME, CENTRAL, EAST], [], 2, 4),
    ("purge-and-secure", [CENTRAL], [], 2, 3),
    ("purge-and-secure", [CENTRAL], [], 1, 0),
    ("inescapable-dominion", [HOME, CENTRAL, EAST], [], 2, 4),
    ("unstoppable-force", [CENTRAL], [], 2, 3),
    ("meatgrinder", [THEIRS], [], 2, 5),
    ("delaying-action", [CENTRAL, EAST], [], 2, 3),
    ("delaying-action", [CENTRAL, EAST], [], 1, 0),
    ("outmanoeuvre", [CENTRAL, EAST], [], 1, 8),
    ("outmanoeuvre", [THEIRS], [], 2, 10),
    ("outmanoeuvre", [CENTRAL, EAST], [], 4, 12),
    ("gather-intel", [CENTRAL], [], 1, 6),
    ("gather-intel", [CENTRAL], [], 2, 0),
    ("search-and-scour", [CENTRAL], [], 2, 3),
    ("surveil-the-foe", [HOME], [], 2, 5),
    ("vital-link", [CENTRAL], [], 2, 2),
]


@pytest.mark.rule("11e.core.mission.scoring-times")
@pytest.mark.parametrize(("card", "held", "theirs", "battle_round", "points"), TURN)
def test_numbers_of_the_primary_at_the_end_of_the_turn(
    card: str, held: list[int], theirs: list[int], battle_round: int, points: int
) -> None:
    assert scored(to_the_end_of_the_turn(on(card, held, theirs, battle_round=battle_round))) == points


@pytest.mark.rule("11e.core.primary.reconnaissance-sweep", "11e.core.01.04-table-quarters")
@pytest.mark.parametrize(("quarters", "points"), [(2, 0), (3, 3), (4, 6)])
def test_numbers_of_reconnaissance_sweep_by_quarters(quarters: int, points: int) -> None:
    corners = [unit(1).at(*point) for point in ((5, 5), (40, 5), (5, 55), (40, 55))][:quarters]
    battle = scene(corners, unit(1).at(2, 30), objectives=GOALS, mission="reconnaissance-sweep", phase=Phase.MOVEMENT)
    assert scored(to_the_end_of_the_turn(battle)) == points


KILLS = [
    ("purge-and-secure", 3),
    ("unstoppable-force", 3),
    ("meatgrinder", 8),
    ("destroyers-wrath", 7),
    ("delaying-action", 2),
    ("reconnaissance-sweep", 1),
    ("vanguard-operation", 2),
]


@pytest.mark.rule("11e.core.mission.cumulative-lines")
@pytest.mark.parametrize(("card", "points"), KILLS)
def test_numbers_of_the_primary_for_a_unit_destroyed(card: str, points: int) -> None:
    """An enemy unit that began the turn in range of an objective falls; nothing is held and no own unit fell."""
    battle = on(card, [], [THEIRS], extra=[unit(1).at(42, 58)])
    destroy(battle, "b.1")
    assert scored(to_the_end_of_the_turn(battle)) == points


@pytest.mark.rule("11e.core.mission.end-of-battle-points")
@pytest.mark.parametrize(
    ("card", "held", "points"),
    [
        ("inescapable-dominion", [THEIRS], 5),
        ("unstoppable-force", [CENTRAL], 5),
        ("punishment", [THEIRS], 8),
        ("search-and-scour", [], 5),
        ("vital-link", [THEIRS], 10),
        ("vanguard-operation", [THEIRS], 10),
    ],
)
def test_numbers_of_the_primary_at_the_end_of_the_battle(card: str, held: list[int], points: int) -> None:
    battle = on(card, held, battle_round=5, turn=1, phase=Phase.MOVEMENT)
    before = scored(battle)
    to_the_end_of_the_turn(battle)
    assert battle.decision is None
    assert scored(battle) - before == points


# -- secondary missions -----------------------------------------------------------------------------------------------


def holding_card(
    card: str,
    a: Sequence[UnitSpec],
    b: Sequence[UnitSpec] = (),
    *,
    fixed: bool = False,
    turn: int = 0,
    battle_round: int = 2,
    **book: Any,
) -> Battle11:
    """Side a with one active card at the end of a turn."""
    battle = scene(
        list(a) or [unit(1).at(*FAR)],
        list(b) or [unit(1).at(42, 58)],
        objectives=GOALS,
        turn=turn,
        battle_round=battle_round,
        phase=Phase.MOVEMENT,
        options={"secondaries": "tactical"},
    )
    mode = "fixed" if fixed else "tactical"
    battle.state.book = replace(
        battle.state.book, modes=(mode, ""), active=((card,), ()), decks=((), ()), revealed=True, **book
    )
    return battle


def worth(battle: Battle11, card: str) -> int:
    name = SECONDARIES[card].name
    to_the_end_of_the_turn(battle)
    return sum(event.points for event in events_of(battle, Scored) if event.card == name and event.side == 0)


def there(*points: tuple[float, float]) -> list[UnitSpec]:
    return [unit(1).at(*point) for point in points]


CORNERS = [(5, 5), (40, 5), (5, 55), (40, 55)]
POSITIONS: list[tuple[str, list[tuple[float, float]], dict[str, Any], int]] = [
    ("behind-enemy-lines", [(10, 55)], {}, 3),
    ("behind-enemy-lines", [(10, 55), (20, 55)], {}, 5),
    ("centre-ground", [(22, 30)], {}, 5),
    ("centre-ground", [(22, 30)], {"b": [(22, 25)]}, 3),
    ("centre-ground", [(22, 30)], {"b": [(22, 32.6)]}, 0),
    ("display-of-might", [(10, 30)], {}, 2),
    ("display-of-might", [(10, 30)], {"turn": 1}, 5),
    ("engage-on-all-fronts", CORNERS[:3], {}, 3),
    ("engage-on-all-fronts", CORNERS, {}, 5),
    ("engage-on-all-fronts", CORNERS[:3], {"fixed": True}, 2),
    ("engage-on-all-fronts", CORNERS, {"fixed": True}, 4),
    ("outflank", [(5, 40)], {}, 3),
    ("outflank", [(5, 40), (39, 20)], {}, 5),
    ("defend-stronghold", [AT[HOME]], {"turn": 1}, 5),
    ("defend-stronghold", [AT[HOME]], {"turn": 1, "b": [(40, 5)]}, 3),
    ("forward-position", [AT[THEIRS]], {}, 5),
    ("forward-position", [AT[EAST], AT[WEST]], {}, 5),
    ("secure-no-mans-land", [AT[CENTRAL], AT[EAST]], {}, 5),
    ("a-tempting-target", [AT[EAST]], {"chosen": ((0, "a-tempting-target", EAST),)}, 5),
    ("beacon", [(10, 20)], {"turn": 1, "chosen": ((0, "beacon", 0),)}, 3),
    ("beacon", [(10, 40)], {"turn": 1, "chosen": ((0, "beacon", 0),)}, 5),
    ("burden-of-trust", [AT[EAST]], {"turn": 1, "guards": frozenset({(0, EAST, 0)})}, 2),
    (
        "burden-of-trust",
        [AT[EAST], AT[WEST], AT[CENTRAL]],
        {"turn": 1, "guards": frozenset({(0, EAST, 0), (0, WEST, 1), (0, CENTRAL, 2)})},
        5,
    ),
]


@pytest.mark.rule("11e.core.mission.scoring-secondaries")
@pytest.mark.parametrize(("card", "points", "settings", "expected"), POSITIONS)
def test_numbers_of_secondary_missions_for_positions(
    card: str, points: list[tuple[float, float]], settings: dict[str, Any], expected: int
) -> None:
    said = {**settings, "b": there(*settings["b"])} if "b" in settings else settings
    assert worth(holding_card(card, there(*points), **said), card) == expected


SLAIN: list[tuple[str, list[UnitSpec], int, bool, int]] = [
    ("a-grievous-blow", [unit(13)], 1, True, 4),
    ("a-grievous-blow", [unit(13)], 1, False, 5),
    ("a-grievous-blow", [unit(12)], 1, False, 0),
    ("assassination", [unit(1, "CHARACTER", W=4)], 1, True, 4),
    ("assassination", [unit(1, "CHARACTER", W=3)], 1, True, 3),
    ("assassination", [unit(1, "CHARACTER", W=3)], 1, False, 5),
    ("bring-it-down", [unit(1, "MONSTER", W=10)], 1, True, 4),
    ("bring-it-down", [unit(1, "MONSTER", W=10)], 1, False, 5),
    ("no-prisoners", [unit(1), unit(1)], 1, False, 2),
    ("no-prisoners", [unit(1), unit(1)], 2, False, 4),
    ("no-prisoners", [unit(1), unit(1), unit(1)], 3, False, 5),
    ("overwhelming-force", [unit(1)], 1, False, 3),
]


@pytest.mark.rule("11e.core.mission.scoring-secondaries", "11e.core.secondary.tactical-cap")
@pytest.mark.parametrize(("card", "foes", "fallen", "fixed", "expected"), SLAIN)
def test_numbers_of_secondary_missions_for_the_destroyed(
    card: str, foes: list[UnitSpec], fallen: int, fixed: bool, expected: int
) -> None:
    enemies = [foe.at(21 + 2 * place, 39.5 + place, rank=5) for place, foe in enumerate(foes)]
    if card == "overwhelming-force":
        enemies = [foes[0].at(*AT[EAST])]
    battle = holding_card(card, [], [*enemies, unit(1).at(42, 58)], fixed=fixed)
    for number in range(fallen):
        destroy(battle, f"b.{number + 1}")
    assert worth(battle, card) == expected


@pytest.mark.rule("11e.core.secondary.cleanse", "11e.core.secondary.plunder")
@pytest.mark.parametrize(
    ("card", "done", "expected"),
    [
        ("cleanse", ["objective:east"], 2),
        ("cleanse", ["objective:east", "objective:west"], 5),
        ("plunder", ["area:1"], 5),
    ],
)
def test_numbers_of_secondary_missions_for_actions(card: str, done: list[str], expected: int) -> None:
    battle = holding_card(card, there(AT[EAST]))
    battle.state.actions_completed = tuple((0, card, place) for place in done)
    assert worth(battle, card) == expected


def test_every_secondary_has_its_numbers() -> None:
    cards = {row[0] for row in (*POSITIONS, *SLAIN)} | {"cleanse", "plunder"}
    assert cards == set(SECONDARIES)


# -- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "11e.core.mission.primary-limits", "11e.core.mission.secondary-limits", "11e.core.mission.fixed-cards"
)
def test_numbers_of_the_limits_15_a_round_45_in_all_20_for_a_fixed_card() -> None:
    battle = on("outmanoeuvre", [HOME, CENTRAL, EAST, WEST, THEIRS], battle_round=4)
    assert scored(to_the_end_of_the_turn(battle)) == 15, "10 and 24 are more"
    battle = on("outmanoeuvre", [HOME, CENTRAL, EAST, WEST, THEIRS], battle_round=4)
    battle.state.primary = battle.state.vp = (40, 0)
    to_the_end_of_the_turn(battle)
    assert battle.state.primary == (45, 0)
    battle = holding_card("engage-on-all-fronts", there(*CORNERS), fixed=True)
    battle.state.book = replace(battle.state.book, fixed_points=((Side(0), "engage-on-all-fronts", 18),))
    assert worth(battle, "engage-on-all-fronts") == 2
    battle = holding_card("engage-on-all-fronts", there(*CORNERS))
    battle.state.book = replace(battle.state.book, secondary=(42, 0))
    assert worth(battle, "engage-on-all-fronts") == 3
