"""One battle at the table: seats answer, ask, and take back, and every audience gets its own news of it.

Nothing here waits for anybody: a table is driven by a worker process, which holds many of them. What has to be stored
before it may be told is handed back together with what will be told then.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from battlewright.core.battle import Battle
from battlewright.core.decisions import Side, Violation, answer_from_json, answer_to_json, opponent
from battlewright.core.dice import SeededDice
from battlewright.core.errors import BadInput, IllegalChoice
from battlewright.core.header import Recorded
from battlewright.core.record import header_from_json
from battlewright.editions.edition import find_edition
from battlewright.report.narrate import Names
from battlewright.server.formalities import hidden_from, is_formality
from battlewright.server.messages import Role
from battlewright.server.scenes import make_scene
from battlewright.server.views import Audience, answered, as_json, decision_id, sides_of

__all__ = ["STRETCH", "Opening", "Reply", "Table"]

STRETCH = 0.005
"""Seconds after which long work lets others go on."""
_THIN_EVERY = 64
_RECENT = 24
_KEEP_EVERY = 12
_ALL: tuple[Role, ...] = ("a", "b", "both", "watch")


@dataclass(slots=True)
class Reply:
    """What came of a request.

    Attributes:
        mine: messages for whoever asked, to be sent at once or, where something has to be stored, after that.
        news: messages for each audience, likewise.
        store: the answer to append, as JSON values: n, side, answer, checksum.
        keep: after an undo, how many answers are left.
        era: how many undos there have been.
        turn: the side that has to choose now, None when the battle is over.
        number: answers given so far.
        result: the outcome once the battle is over.
    """

    mine: list[str] = field(default_factory=list)
    news: dict[Role, list[str]] = field(default_factory=dict)
    store: dict[str, Any] | None = None
    keep: int | None = None
    era: int = 0
    turn: int | None = None
    number: int = 0
    result: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What a table is opened from: all of it can be stored.

    Attributes:
        id: of the battle.
        header: its JSON form, as text.
        key: makes the ids of decisions.
        given: whether the seed was chosen by whoever set the battle up.
        answers: those given so far, as JSON texts of ``{side, answer, checksum}``.
    """

    id: str
    header: str
    key: bytes
    era: int = 0
    given: bool = False
    answers: tuple[str, ...] = ()


class Table:
    """A battle with its audiences. Make it with :meth:`open`."""

    def __init__(self, opening: Opening) -> None:
        self.id, self.key, self.era, self._given = opening.id, opening.key, opening.era, opening.given
        header = header_from_json(json.loads(opening.header))
        edition = find_edition(header.edition)
        self.battle: Battle[Any, Any] = Battle(header, edition.rules())
        self._names = Names.of_armies(header.armies)
        self._audiences: dict[Role, Audience] = {}
        self._events_after: list[int] = [len(self.battle.events)]
        self._dice_after: list[int] = [self.battle.state.dice]
        self._asked_undo: tuple[Side, int] | None = None
        self._scene = ""
        self._commitment = {
            "algorithm": "sha256-of-decimal-seed",
            "digest": SeededDice(header.seed).commitment(),
            "given": opening.given,
        }

    @classmethod
    def open(cls, opening: Opening) -> Iterator[Table | None]:
        """Open a battle and replay its answers, a stretch at a time; the last value is the table.

        Raises:
            ReplayMismatch: when an answer does not lead to its checksum.
        """
        table = cls(opening)
        begun = time.monotonic()
        for text in opening.answers:
            given = json.loads(text)
            table.battle.replay([Recorded(Side(given["side"]), answer_from_json(given["answer"]), given["checksum"])])
            table._mark()
            if time.monotonic() - begun > STRETCH:
                yield None
                begun = time.monotonic()
        yield table

    # -- what everybody may know ----------------------------------------------------------------------------------

    @property
    def decision(self) -> str:
        """The id of the present decision; empty when the battle is over."""
        return decision_id(self.key, self.era, self.battle.number) if self.battle.decision is not None else ""

    def _audience(self, role: Role) -> Audience:
        if role not in self._audiences:
            self._audiences[role] = Audience(role, self._names)
        return self._audiences[role]

    def _mark(self) -> None:
        self._events_after.append(len(self.battle.events))
        self._dice_after.append(self.battle.state.dice)
        if len(self.battle.record) % _THIN_EVERY == 0:
            self.battle.thin_out(recent=_RECENT, every=_KEEP_EVERY)

    def _reply(self, *mine: dict[str, Any]) -> Reply:
        battle = self.battle
        result = battle.result
        outcome = None if result is None else {"winner": result.winner, "score": result.score, "rounds": result.rounds}
        turn = None if battle.decision is None else int(battle.decision.side)
        return Reply(
            [as_json(each) for each in mine], era=self.era, turn=turn, number=len(battle.record), result=outcome
        )

    def _ended(self) -> list[str]:
        """The last message of a battle: how it ended, and the seed."""
        result = self.battle.result
        if result is None:
            return []
        outcome = {"winner": result.winner, "score": result.score, "rounds": result.rounds}
        proof = {"seed": str(self.battle.header.seed), "digest": self._commitment["digest"]}
        return [as_json({"type": "ended", "result": outcome, "proof": proof})]

    def _news(self, reply: Reply, audiences: Sequence[Role], *, anew: bool = False) -> Reply:
        for role in audiences:
            audience = self._audience(role)
            tell = audience.anew if anew else audience.news
            told = tell(self.battle, self.decision, self.era) + self._ended()
            if told:
                reply.news[role] = told
        return reply

    # -- requests ---------------------------------------------------------------------------------------------------

    def stand(self) -> Reply:
        """Whose choice it is, and how far the battle has come."""
        return self._reply()

    def join(self, role: Role, since: int, era: int) -> Reply:
        """Somebody has come: the welcome, what he missed, and how things stand. Seats are put in by the hall."""
        if not self._scene:
            self._scene = as_json(make_scene(self.battle.header, self.battle))
        audience = self._audience(role)
        known = since if era == self.era else 0
        caught_up = audience.catch_up(self.battle, self.decision, known, self.era)
        welcome = as_json(
            {
                "type": "welcome",
                "protocol": 1,
                "battle": self.id,
                "you": role,
                "sides": sides_of(role),
                "edition": self.battle.header.edition,
                "commitment": self._commitment,
                "era": self.era,
                "events": audience.count,
            }
        )
        reply = self._reply()
        reply.mine = [f'{welcome[:-1]},"scene":{self._scene}}}', *caught_up, *self._ended(), *self._asking(role)]
        return reply

    def answer(self, role: Role, decision: str, data: Any, audiences: Sequence[Role]) -> Reply:
        """Give an answer; a refused one changes nothing.

        Raises:
            EngineError: for a fault of ours; the battle is as it was.
        """
        present = self.battle.decision
        if present is None or decision != self.decision:
            return self._reply({"type": "refused", "decision": decision, "late": True, "violations": []})
        if present.side not in sides_of(role):
            return self._fault("not-yours", "another side has to choose")
        try:
            given = answer_from_json(data)
            self.battle.answer(given)
        except (BadInput, IllegalChoice) as error:
            found = error.violations if isinstance(error, IllegalChoice) else (Violation(present.rule, str(error)),)
            faults = [{"rule": each.rule, "text": each.text} for each in found]
            return self._reply({"type": "refused", "decision": decision, "late": False, "violations": faults})
        self._mark()
        self._asked_undo = None
        recorded = self.battle.record[-1]
        reply = self._reply({"type": "accepted", "decision": decision})
        reply.store = {
            "n": len(self.battle.record) - 1,
            "side": int(recorded.side),
            "answer": answer_to_json(recorded.answer),
            "checksum": recorded.checksum,
        }
        return self._news(reply, audiences)

    def check(self, role: Role, ref: str, data: Any) -> Reply:
        """Whether an answer would be accepted."""
        present = self.battle.decision
        if present is None or present.side not in sides_of(role):
            return self._fault("not-yours", "there is nothing for this seat to choose")
        warnings: Sequence[Violation] = ()
        try:
            given = answer_from_json(data)
            found = self.battle.check(given)
            if not found:
                inquiries = find_edition(self.battle.header.edition).inquiries()
                warnings = inquiries.warnings(self.battle.scene, self.battle.state, present, given)
        except BadInput as error:
            found = [Violation(present.rule, str(error))]
        cites = self.battle.rules.cites
        faults = [{"rule": each.rule, "text": each.text} for each in found]
        risks = [{"rule": cites.get(each.rule, each.rule), "text": each.text} for each in warnings]
        return self._reply({"type": "checked", "ref": ref, "violations": faults, "warnings": risks})

    def ask(self, role: Role, ref: str, question: dict[str, Any]) -> Reply:
        """A question from a seat."""
        from battlewright.server.questions import answer_question

        told = answered(ref, question["kind"])
        return self._reply(told | answer_question(self.battle, sides_of(role), question))

    def events(self, role: Role, since: int) -> Reply:
        """The events from a number on, once more."""
        audience = self._audience(role)
        reply = self._reply()
        reply.mine = [audience.events_from(self.battle, min(since, audience.count), self.era)]
        return reply

    def rewind(self, role: Role, to: int) -> Reply:
        """The table as it stood when this audience had seen so many events."""
        audience = self._audience(role)
        place, answers = audience.place_of(to), 0
        for number, events in enumerate(self._events_after):
            if events <= place:
                answers = number
        then = self.battle if answers == len(self.battle.record) else self.battle.look_back(answers)
        reply = self._reply()
        shown = min(to, audience.count)
        reply.mine = [f'{{"type":"rewound","to":{shown},"view":{audience.view_of(then)}}}']
        return reply

    # -- taking back --------------------------------------------------------------------------------------------------

    def undo(self, role: Role, audiences: Sequence[Role], asks: bool) -> Reply:
        """Take back a side's last answer that was a choice, with formalities since, or ask for it.

        Args:
            asks: whether there is an opponent who could agree.
        """
        sides = sides_of(role)
        if not sides:
            return self._fault("not-yours", "whoever looks on takes nothing back")
        if self.battle.decision is None:
            return self._reply({"type": "undo-done", "done": False, "why": "the battle is over"})
        last = self._last_choice(sides)
        if last is None:
            return self._reply({"type": "undo-done", "done": False, "why": "nothing has been answered yet"})
        if role == "both" or self._is_fair(last):
            return self._take_back(last, audiences)
        side = self.battle.record[last].side
        if not asks:
            why = "dice have been rolled, something was revealed, or the opponent has answered since"
            return self._reply({"type": "undo-done", "done": False, "why": why})
        self._asked_undo = (side, last)
        reply = self._reply()
        for each in audiences:
            reply.news[each] = self._asking(each)
        return reply

    def _asking(self, role: Role) -> list[str]:
        """The request for an undo that waits for an answer, as that role is told of it."""
        if self._asked_undo is None:
            return []
        side = self._asked_undo[0]
        return [as_json({"type": "undo-asked", "side": side, "yours": opponent(side) in sides_of(role)})]

    def undo_reply(self, role: Role, agree: bool, audiences: Sequence[Role]) -> Reply:
        """The opponent's word on an undo."""
        asked = self._asked_undo
        if asked is None or opponent(asked[0]) not in sides_of(role):
            return self._fault("not-yours", "nobody has asked this seat for an undo")
        self._asked_undo = None
        if agree:
            return self._take_back(asked[1], audiences)
        reply = self._reply()
        told = as_json({"type": "undo-done", "done": False, "why": "the opponent does not agree"})
        reply.news = {each: [told] for each in audiences}
        return reply

    def _last_choice(self, sides: Sequence[Side]) -> int | None:
        """The number of the last answer of these sides that was no formality; of their first one if all were."""
        own = [number for number, each in enumerate(self.battle.record) if each.side in sides]
        while len(own) > 1 and is_formality(self.battle.look_back(own[-1])):
            own.pop()
        return own[-1] if own else None

    def _is_fair(self, last: int) -> bool:
        """Whether nothing was rolled or revealed since that answer, and nobody else has answered."""
        side = self.battle.record[last].side
        if any(each.side != side for each in self.battle.record[last:]):
            return False
        if self._dice_after[last] != self._dice_after[-1]:
            return False
        before = self.battle.look_back(last)
        return hidden_from(before, side) <= hidden_from(self.battle, side)

    def _take_back(self, keep: int, audiences: Sequence[Role]) -> Reply:
        while len(self.battle.record) > keep:
            self.battle.undo()
        self.era += 1
        self._asked_undo = None
        del self._events_after[keep + 1 :], self._dice_after[keep + 1 :]
        for audience in self._audiences.values():
            audience.forget(len(self.battle.events))
        reply = self._news(self._reply(), audiences, anew=True)
        done = as_json({"type": "undo-done", "done": True, "why": ""})
        reply.news = {role: [done, *told] for role, told in reply.news.items()}
        reply.keep = keep
        return reply

    def _fault(self, code: str, text: str) -> Reply:
        return self._reply({"type": "fault", "code": code, "text": text})
