"""Rule ids of a shared procedure are said in the ids of the edition that is played."""

from __future__ import annotations

from battlewright.armies import load_army
from battlewright.core.citing import cited
from battlewright.core.decisions import SIDES, Violation
from battlewright.core.dice import Roll
from battlewright.core.events import PhaseBegan, Rolled
from battlewright.players import make_player
from battlewright.start import Battle

CITES = {"3e.terms.phases": "4e.core.turn.sequence"}


def test_ids_are_replaced_wherever_they_stand() -> None:
    event = PhaseBegan(name="movement", round=1, turn=SIDES[0], rules=("3e.terms.phases", "3e.other"))
    assert cited(event, CITES).rules == ("4e.core.turn.sequence", "3e.other")
    assert cited(Violation("3e.terms.phases", "no"), CITES) == Violation("4e.core.turn.sequence", "no")


def test_what_holds_no_such_id_is_left_as_it_is() -> None:
    event = Rolled(roll=Roll("hit", 6, (1, 2)), side=SIDES[0], rules=("3e.other",))
    assert cited(event, CITES) is event
    assert cited(event, {}) is event


def test_a_battle_of_a_later_edition_names_its_own_rules_alone() -> None:
    army = load_army("fourth-guard-500", "4")
    battle = Battle.start((army, army), "4", seed=3)
    player, asked = make_player("heuristic", "4"), set()
    while battle.decision is not None:
        asked.add(battle.decision.rule)
        battle.answer(player.decide(battle.seat(battle.decision.side)))
    named = {rule for event in battle.events for rule in event.rules} | asked
    assert {rule for rule in named if not rule.startswith("4e.")} == set()
