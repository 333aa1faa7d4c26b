"""What the log says of rolls outside attacks: what was needed, and what came of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import battlewright.report.classic
import battlewright.report.eleventh  # noqa: F401  (registers its formatters)
from battlewright.armies import load_army
from battlewright.core.decisions import Side
from battlewright.core.dice import Roll
from battlewright.core.events import Rolled
from battlewright.editions.edition import EDITIONS
from battlewright.editions.happenings import AttacksDeclared, Settled
from battlewright.players import make_player
from battlewright.report import rolls
from battlewright.report.narrate import Level, Names, Narrator
from battlewright.start import Battle
from support.small_armies import GOLD, GREEN

A, B = Side(0), Side(1)
RULES = Path(__file__).resolve().parents[2] / "src" / "battlewright" / "editions"


@pytest.fixture(scope="module")
def names() -> Names:
    return Names.of_armies((load_army(GREEN).for_side("a"), load_army(GOLD).for_side("b")))


def roll(purpose: str, *faces: int, needed: int | None = None, result: int | None = None, sides: int = 6) -> Rolled:
    return Rolled(roll=Roll(purpose, sides, faces), side=A, unit="a.1", needed=needed, result=result)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (roll("seize", 3, needed=6), "roll to seize the initiative, 3 (D6) → 6+ needed, not seized"),
        (roll("seize", 6, needed=6), "roll to seize the initiative, 6 (D6) → 6+ needed, seized"),
        (roll("objectives", 5, result=5), "roll for the number of objectives, 5 (D6) → 5 objectives"),
        (roll("night-falls", 4, needed=4), "roll for night, 4 (D6) → 4+ needed, it is night"),
        (roll("charge", 2, 6, result=8), 'charge roll, 2 6 (2D6) → up to 8"'),
        (roll("run", 4), 'run roll, 4 (D6) → up to 4"'),
        (roll("explosives", 4, 1, needed=4), "Explosives, 4 1 (2D6) → 4+ needed each, 1 mortal wound"),
        (roll("explosives", 3, 1, needed=4), "Explosives, 3 1 (2D6) → 4+ needed each, no mortal wounds"),
        (roll("hit", 3, needed=7), "roll to hit with a blast, 3 (D6) → none can succeed, miss"),
        (roll("vehicle-terrain", 6, 1, needed=2), "test for difficult terrain, 6 1 (2D6) → 2+ needed each, failed"),
        (roll("blind", 5, result=0), "Initiative test against blindness, 5 (D6) → blinded"),
        (roll("save", 5, needed=4), "save, 5 (D6) → 4+ needed, saved"),
        (roll("reserves", 5, needed=4), "reserves roll, 5 (D6) → 4+ needed, arrives"),
        (roll("sabotage", 5, needed=2), "roll for the sabotaged objective, 5 (D6) → 2+ needed, nothing happens"),
        (roll("hammer-of-wrath", 5), "hammer of wrath roll, 5 (D6)"),
        (roll("unheard-of", 5, 2, needed=4), "unheard of roll, 5 2 (2D6) → 4+ needed each, 1 succeeds"),
    ],
)
def test_a_roll_says_what_it_was_for_what_was_needed_and_what_came(names: Names, event: Rolled, text: str) -> None:
    assert [line.text for line in Narrator(names).tell(event)] == [f"Boyz: {text}"]


@pytest.mark.parametrize("purpose", ["terrain-test", "warlord-trait", "escape"])
def test_a_roll_that_an_event_tells_with_its_dice_is_not_told_twice(names: Names, purpose: str) -> None:
    assert [line.level for line in Narrator(names).tell(roll(purpose, 3))] == [Level.FULL]


def test_every_purpose_that_has_words_is_rolled_for_somewhere() -> None:
    written = "\n".join(path.read_text(encoding="utf-8") for path in RULES.rglob("*.py"))
    known = {purpose for purpose in rolls._WORDS if not re.search(rf'"{re.escape(purpose)}"', written)}
    assert known == set()


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Settled(side=B, what="first-turn"), "First turn: Adeptus Custodes"),
        (Settled(side=A, what="attacker"), "Attacker: Orks & [red]friends[/red]; Defender: Adeptus Custodes"),
        (Settled(side=A, what="zone", name="north_east"), "Orks & [red]friends[/red]: deploys in the north east zone"),
    ],
)
def test_what_falls_to_a_side_before_the_battle_is_told(names: Names, event: Settled, text: str) -> None:
    assert [(line.text, line.level) for line in Narrator(names).tell(event)] == [(text, Level.BRIEF)]


@pytest.mark.parametrize(
    ("edition", "army"), [("3", "third-orks-500"), ("4", "fourth-orks-500"), ("6", "sixth-orks-500")]
)
def test_who_goes_first_is_told_before_the_first_round(edition: str, army: str) -> None:
    battle = Battle.start((load_army(army), load_army(army)), edition, seed=4)
    player = make_player("random", edition, seed=2)
    while not battle.state.round:
        assert battle.decision is not None
        battle.answer(player.decide(battle.seat(battle.decision.side)))
    found = [event for event in battle.events if isinstance(event, Settled) and event.what == "first-turn"]
    assert [event.side for event in found] == [battle.state.first]


def test_missions_are_called_as_their_books_spell_them() -> None:
    titles = {
        (edition.id, mission): edition.switchboard().title_of(mission)
        for edition in EDITIONS.values()
        for mission in edition.switchboard().missions()
    }
    assert titles["6", "emperors-will"] == "The Emperor's Will"
    assert titles["11", "destroyers-wrath"] == "Destroyer's Wrath"
    assert titles["3", "night-fight"] == "Night fight"


def test_a_unit_that_was_selected_and_has_nothing_to_fire_says_so(names: Names) -> None:
    event = AttacksDeclared(unit="a.1", pools=())
    assert [line.text for line in Narrator(names).tell(event)] == ["Boyz: makes no attacks"]
