"""Rule ids of a shared procedure are said in the ids of the edition that is played."""

from __future__ import annotations

from battlewright.core.citing import cited
from battlewright.core.decisions import SIDES, Violation
from battlewright.core.dice import Roll
from battlewright.core.events import PhaseBegan, Rolled

CITES = {"3e.terms.phases": "4e.core.turn.sequence"}


def test_ids_are_replaced_wherever_they_stand() -> None:
    event = PhaseBegan(name="movement", round=1, turn=SIDES[0], rules=("3e.terms.phases", "3e.other"))
    assert cited(event, CITES).rules == ("4e.core.turn.sequence", "3e.other")
    assert cited(Violation("3e.terms.phases", "no"), CITES) == Violation("4e.core.turn.sequence", "no")


def test_what_holds_no_such_id_is_left_as_it_is() -> None:
    event = Rolled(roll=Roll("hit", 6, (1, 2)), side=SIDES[0], rules=("3e.other",))
    assert cited(event, CITES) is event
    assert cited(event, {}) is event
