"""The battle: drives an edition's procedures, asks, records answers, replays, undoes and forks.

A procedure is a generator that yields :class:`~battlewright.core.decisions.Decision` and is sent the answer. A
generator cannot be copied, so a battle is copied from its *checkpoints*: decisions at which the procedures can be
entered afresh from the state alone. Elsewhere a copy is the last checkpoint plus the answers since.

Rules for procedures, each held by a test:

- at a checkpoint the stack of generators holds only loops marked ``@resumable``, each with its step in the state;
- between checkpoints locals hold only what replaying the answers rebuilds, and nothing a view or checksum needs;
- no ``with`` or ``try/finally`` around a ``yield``: it would run when an old generator is dropped;
- options and checks read the state and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import GEN_CLOSED, getgeneratorstate
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from battlewright.core.citing import cited
from battlewright.core.decisions import (
    Answer,
    Decision,
    Option,
    Options,
    Pick,
    RandomSource,
    Side,
    Violation,
)
from battlewright.core.dice import DiceSource, Drawing, Roll, SeededDice
from battlewright.core.errors import (
    BattlewrightError,
    EngineError,
    IllegalChoice,
    ReplayMismatch,
    ScriptError,
    StaleAnswer,
)
from battlewright.core.events import Event, Rolled
from battlewright.core.header import Header, Recorded, Result, recorded_checksum
from battlewright.core.state import State, checksum

__all__ = [
    "Battle",
    "EditionRules",
    "Procedure",
    "Redraws",
    "Seat",
    "choose",
    "resumable",
]

T = TypeVar("T")
SceneT = TypeVar("SceneT")
StateT = TypeVar("StateT", bound=State)

Procedure: TypeAlias = Generator[Decision, Answer, T]
"""A rule that may ask: yields decisions, is sent answers, returns a value."""

_RESUMABLE: set[Any] = set()
CallableT = TypeVar("CallableT", bound=Callable[..., Any])


def resumable(procedure: CallableT) -> CallableT:
    """Mark a procedure as one that can be entered afresh from the state at any checkpoint within it."""
    _RESUMABLE.add(procedure.__code__)
    return procedure


@resumable
def choose(decision: Decision) -> Procedure[Any]:
    """Ask, and return what the picked option stands for.

    Raises:
        EngineError: when the decision's choices are no list of options.
        IllegalChoice: when the answer picks none of them (answers are checked before they are sent).
    """
    answer = yield decision
    if not isinstance(decision.choices, Options):
        raise EngineError(f"{decision!r} has no options to choose from")
    return decision.choices.value_of(answer)


class EditionRules(Protocol[SceneT, StateT]):
    """What the core asks of an edition."""

    @property
    def id(self) -> str:
        """The edition's id, ``"11"``."""
        ...

    @property
    def cites(self) -> Mapping[str, str]:
        """Where rules that its procedures name by another edition's ids stand in its own book; mostly empty."""
        ...

    def set_up(self, header: Header) -> tuple[SceneT, StateT]:
        """Read the header once into an immutable scene and the state before anything has happened."""
        ...

    def resume(self, battle: Battle[SceneT, StateT]) -> Procedure[None]:
        """The whole battle as a procedure, entered at the place where the state stands."""
        ...

    def result(self, battle: Battle[SceneT, StateT]) -> Result:
        """Who has won, once the procedure has returned."""
        ...

    def visible_state(self, scene: SceneT, state: StateT, side: Side | None) -> StateT:
        """A copy of the state without what the side (None: a spectator) may not know."""
        ...


@runtime_checkable
class Redraws(Protocol):
    """What an edition offers besides where a side may not know everything: to draw the unknown anew."""

    def redraw(self, scene: Any, state: Any, side: Side, rng: RandomSource) -> None:
        """Put something legal, drawn with ``rng``, in the place of all that the side may not know.

        Changes the state, a copy that stands at a checkpoint; what the side sees of it stays as it was, and the same
        decision is asked there. What is secret must therefore be decided at checkpoints alone.
        """
        ...


@dataclass(slots=True)
class _Checkpoint(Generic[StateT]):
    answers: int
    events: int
    state: StateT
    dice: DiceSource


class Battle(Generic[SceneT, StateT]):
    """One battle, standing at its present decision.

    Attributes:
        header: what it started from.
        rules: the edition.
        scene: what never changes during the battle (shared by copies).
        state: what does.
        events: what has happened, in order; those of a copy begin at the checkpoint that it was made from.
        decision: the choice that is waited for; None when the battle has ended.
        record: the answers given so far.

    Args:
        dice: a stream in place of the one that the header's seed determines.
        keep: keep every checkpoint and checksum, for undo and saving.
        arrange: changes the state before the battle begins, to start it from a position; what it does is not part of
            the header, so such a battle cannot be replayed from header and answers alone.
    """

    def __init__(
        self,
        header: Header,
        rules: EditionRules[SceneT, StateT],
        *,
        dice: DiceSource | None = None,
        keep: bool = True,
        arrange: Callable[[SceneT, StateT], None] | None = None,
    ) -> None:
        self.header = header
        self.rules = rules
        self.dice: DiceSource = dice if dice is not None else SeededDice(header.seed)
        self.scene, self.state = rules.set_up(replace(header, seed=0))  # players see the scene; none may see the seed
        if arrange is not None:
            arrange(self.scene, self.state)
        self.events: list[Event] = []
        self.record: list[Recorded] = []
        self.decision: Decision | None = None
        self._result: Result | None = None
        self._keep = keep
        self._checkpoints = [_Checkpoint(0, 0, self.state.copy(), self.dice)]
        self._since: list[Answer] = []
        self._swap: tuple[int, DiceSource] | None = None
        self._origin = self._before = 0
        self._enter()

    # -- what a player or a page does ---------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the present decision, counted from 1."""
        return self._before + len(self.record) + 1

    @property
    def result(self) -> Result | None:
        """How the battle ended, or None while it goes on."""
        return self._result

    def options(self) -> tuple[Option, ...]:
        """The present decision's options; empty for a space or when the battle is over."""
        return self.decision.options() if self.decision else ()

    def check(self, answer: Answer | str) -> list[Violation]:
        """Every rule that the answer would break; an empty list accepts it.

        Raises:
            BattlewrightError: when the battle has ended.
            EngineError: for a fault of ours.
        """
        decision = self._present()
        try:
            found = decision.check(Pick(answer) if isinstance(answer, str) else answer)
            return [cited(each, self.rules.cites) for each in found]
        except Exception as error:
            raise EngineError(f"a rule failed while checking an answer to {decision!r}: {error!r}") from error

    def answer(self, answer: Answer | str, *, number: int | None = None) -> None:
        """Give the present decision its answer and go on to the next.

        Args:
            answer: a plain text picks the option of that key.
            number: the decision that is meant; any other than the present one is refused.

        Raises:
            IllegalChoice: with every violation; the battle is exactly as it was.
            StaleAnswer: when ``number`` is not the present decision's.
            EngineError: for a fault of ours; the battle is exactly as it was, with a new object for its state.
            ScriptError: when scripted dice are others than those that the rules ask for; likewise.
        """
        if number is not None and number != self.number:
            raise StaleAnswer(number, self.number)
        given = Pick(answer) if isinstance(answer, str) else answer
        decision = self._present()
        if violations := self.check(given):
            raise IllegalChoice(violations)
        before = len(self.events)
        try:
            self._advance(given)
            digest = recorded_checksum(given, self.state) if self._keep else ""
        except BaseException as error:  # a generator that raised is gone: rebuild it before anybody sees the battle
            self._rebuild(len(self.record))
            assert len(self.events) == before, "rebuilding must lead to the same events"
            if isinstance(error, ScriptError) or not isinstance(error, Exception):
                raise
            raise EngineError(f"a rule failed while answering {decision!r}: {error!r}") from error
        self.record.append(Recorded(decision.side, given, digest))
        self._mark()

    def undo(self) -> None:
        """Take back the last answer.

        Raises:
            BattlewrightError: when no answer has been given, or in a copy none since it was made: with dice of its
                own it would otherwise go back to those of the battle.
        """
        if not self.record:
            raise BattlewrightError("nothing has been answered yet")
        if len(self.record) <= self._origin:
            raise BattlewrightError("a copy cannot go back beyond the decision it was made at")
        self._rebuild(len(self.record) - 1)

    def look_back(self, answers: int) -> Battle[SceneT, StateT]:
        """A copy that stands where this battle stood after so many answers, to be looked at.

        Raises:
            BattlewrightError: when there have not been as many, or they lie before what is kept.
        """
        if not 0 <= answers <= len(self.record):
            raise BattlewrightError(f"{answers} answers have not been given")
        for kept in reversed(self._checkpoints):
            if kept.answers <= answers:
                since = [recorded.answer for recorded in self.record[kept.answers : answers]]
                place = _Checkpoint(kept.answers, 0, kept.state, kept.dice)
                return self._copy(place, self.record[:answers], self._before, None, since)
        raise BattlewrightError("this battle keeps only its last checkpoint and cannot go back beyond it")

    def thin_out(self, *, recent: int, every: int) -> None:
        """Keep fewer checkpoints: the latest ones, and of those before them about one for ``every`` answers.

        Going back to where there is none replays the answers since the one before it; nothing else changes.
        """
        old, new = self._checkpoints[:-recent], self._checkpoints[-recent:]
        kept = old[:1]
        for checkpoint in old[1:]:
            if checkpoint.answers - kept[-1].answers >= every:
                kept.append(checkpoint)
        self._checkpoints = kept + new

    def fork(self, *, reseed: int | None = None) -> Battle[SceneT, StateT]:
        """An independent copy that stands at the same decision.

        Args:
            reseed: give the copy a stream of its own from here on, so that a search cannot read the future; its
                header then names this seed.
        """
        last = self._checkpoints[-1]
        return self._copy(_Checkpoint(last.answers, 0, last.state, last.dice), self.record.copy(), self._before, reseed)

    def imagine(self, side: Side, seed: int) -> Battle[SceneT, StateT]:
        """A copy in which all that a side may not know is drawn anew: the dice to come and what the edition redraws.

        Its record begins at the last checkpoint and holds no checksums, which would tell of what is secret.
        """
        last = self._checkpoints[-1]
        state = last.state
        if isinstance(self.rules, Redraws):
            state = state.copy()
            self.rules.redraw(self.scene, state, side, Drawing(seed))
        since = [replace(recorded, checksum="") for recorded in self.record[last.answers :]]
        return self._copy(_Checkpoint(0, 0, state, last.dice), since, self._before + last.answers, seed)

    def _copy(
        self,
        last: _Checkpoint[StateT],
        record: list[Recorded],
        before: int,
        reseed: int | None,
        since: list[Answer] | None = None,
    ) -> Battle[SceneT, StateT]:
        """A copy that goes on from a checkpoint by the answers since, with ``before`` answers that it does not hold."""
        copy = self._bare()
        copy.state, copy.dice = last.state.copy(), last.dice
        copy.record, copy._before = record, before
        copy._checkpoints = [last]
        copy._origin = len(record)
        copy._since = self._since.copy() if since is None else since
        copy._swap = self._swap if since is None else None
        copy._enter()
        copy._replay_since()
        if reseed is not None:
            copy.header = replace(self.header, seed=reseed)
            copy._reseed(SeededDice(reseed))
        return copy

    def replay(self, answers: Sequence[Answer | Recorded]) -> None:
        """Give answers in turn; recorded ones must lead to their checksums.

        Raises:
            ReplayMismatch: at the first answer that is refused, or whose checksum or side differs.
        """
        for given in answers:
            number = self.number
            if self.decision is None:
                raise ReplayMismatch(number, "the battle has already ended")
            answer = given.answer if isinstance(given, Recorded) else given
            if isinstance(given, Recorded) and given.side != self.decision.side:
                raise ReplayMismatch(number, f"side {self.decision.side} has to answer, not side {given.side}")
            try:
                self.answer(answer)
            except IllegalChoice as error:
                raise ReplayMismatch(number, str(error)) from error
            if isinstance(given, Recorded) and given.checksum and given.checksum != self.record[-1].checksum:
                raise ReplayMismatch(number, "it and the state after it have another checksum")

    def seat(self, side: Side) -> Seat[SceneT, StateT]:
        """What the player of a side is handed."""
        return Seat(self, side)

    def checksum(self) -> str:
        """Digest of the present state."""
        return checksum(self.state)

    # -- what rules do ------------------------------------------------------------------------------------------

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Throw dice from the battle's stream without recording an event; see :meth:`rolled`."""
        faces, self.state.dice = self.dice.throw(self.state.dice, count, sides, purpose)
        return Roll(purpose, sides, faces)

    def rolled(
        self, roll: Roll, side: Side, *rules: str, unit: str = "", needed: int | None = None, result: int | None = None
    ) -> Roll:
        """Record a roll as an event and return it; see :class:`Rolled` for what was needed and came of it."""
        self.happened(Rolled(roll=roll, side=side, unit=unit, needed=needed, result=result, rules=rules))
        return roll

    def happened(self, event: Event) -> None:
        """Record an event."""
        self.events.append(cited(event, self.rules.cites))

    # -- machinery ----------------------------------------------------------------------------------------------

    def _present(self) -> Decision:
        if self.decision is None:
            raise BattlewrightError("the battle has ended")
        return self.decision

    def _bare(self) -> Battle[SceneT, StateT]:
        copy = Battle.__new__(type(self))
        copy.header, copy.rules, copy.scene, copy.dice = self.header, self.rules, self.scene, self.dice
        copy.events, copy.record = [], []
        copy.decision, copy._result, copy._keep, copy._swap = None, None, False, None
        return copy

    def _enter(self) -> None:
        """Start the edition's procedure where the state stands, and run to its first decision."""
        self._procedure = self.rules.resume(self)
        self._advance(None)

    def _advance(self, answer: Answer | None) -> None:
        if answer is not None and getgeneratorstate(self._procedure) == GEN_CLOSED:
            raise EngineError("an earlier fault has ended the procedure of this battle")
        try:
            decision = next(self._procedure) if answer is None else self._procedure.send(answer)
            decision.rule = self.rules.cites.get(decision.rule, decision.rule)
            self.decision = decision
        except StopIteration:
            self.decision = None
            self._result = self.rules.result(self)

    def _mark(self) -> None:
        """After an answer: take a checkpoint if the battle stands at one, else note the answer.

        The end is no checkpoint: entering there would work through the end of the battle a second time.
        """
        if self.decision is not None and self.decision.is_checkpoint:
            checkpoint = _Checkpoint(len(self.record), len(self.events), self.state.copy(), self.dice)
            self._swap = None
            if self._keep:
                self._checkpoints.append(checkpoint)
            else:
                self._checkpoints = [checkpoint]
            self._since = []
        else:
            self._since.append(self.record[-1].answer)

    def _rebuild(self, answers: int) -> None:
        """Stand where the battle stood after so many answers."""
        while len(self._checkpoints) > 1 and self._checkpoints[-1].answers > answers:
            self._checkpoints.pop()
        checkpoint = self._checkpoints[-1]
        if checkpoint.answers > answers:
            raise BattlewrightError("this battle keeps only its last checkpoint and cannot go back beyond it")
        del self.record[answers:]
        self._since = [recorded.answer for recorded in self.record[checkpoint.answers :]]
        self.state, self.dice = checkpoint.state.copy(), checkpoint.dice
        self._result = None
        del self.events[checkpoint.events :]
        if checkpoint.answers:
            self._quiet(self._enter)
        else:
            self._enter()
        self._replay_since()

    def _replay_since(self) -> None:
        """Send the answers since the last checkpoint again, changing the stream where it was changed before."""
        for number, answer in enumerate(self._since):
            if self._swap is not None and self._swap[0] == number:
                self.dice, self.state.dice = self._swap[1], 0
            self._advance(answer)
        if self._swap is not None and self._swap[0] == len(self._since):
            self.dice, self.state.dice = self._swap[1], 0

    def _reseed(self, dice: DiceSource) -> None:
        self.dice, self.state.dice = dice, 0
        if self.decision is None or not self.decision.is_checkpoint:
            self._swap = (len(self._since), dice)
        else:
            self._checkpoints = [_Checkpoint(len(self.record), len(self.events), self.state.copy(), dice)]

    def _quiet(self, act: Callable[[], None]) -> None:
        """Re-enter at a checkpoint: what led up to it has been recorded already."""
        events = len(self.events)
        act()
        assert len(self.events) == events, "re-entering a checkpoint must record nothing"

    def stack(self) -> Iterator[str]:
        """Qualified names of the generators that are suspended, outermost first (for tests)."""
        generator: Any = self._procedure
        while generator is not None and hasattr(generator, "gi_code"):
            yield generator.gi_code.co_qualname
            generator = generator.gi_yieldfrom

    def stack_is_resumable(self) -> bool:
        """Whether every suspended generator may be entered afresh (for tests of checkpoints)."""
        generator: Any = self._procedure
        while generator is not None and hasattr(generator, "gi_code"):
            if generator.gi_code not in _RESUMABLE:
                return False
            generator = generator.gi_yieldfrom
        return True


class Seat(Generic[SceneT, StateT]):
    """What a player is handed instead of the battle: a view, the decision, its checks, and forks.

    Nothing here tells what its side may not know.
    """

    __slots__ = ("_battle", "side")

    def __init__(self, battle: Battle[SceneT, StateT], side: Side) -> None:
        self._battle = battle
        self.side = side

    @property
    def decision(self) -> Decision | None:
        """The present decision if it is this side's to make."""
        decision = self._battle.decision
        return decision if decision is not None and decision.side == self.side else None

    @property
    def scene(self) -> SceneT:
        """What never changes during the battle."""
        return self._battle.scene

    @property
    def number(self) -> int:
        """How many decisions this side has been asked, as far as the record goes, the present one of its own included.

        The battle's own count would tell how many choices the opponent has made in secret.
        """
        mine = sum(recorded.side == self.side for recorded in self._battle.record)
        return mine + (self.decision is not None)

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened, as far as this side may see it."""
        return tuple(event for event in self._battle.events if event.seen_by in (None, self.side))

    def view(self) -> StateT:
        """A copy of the state without what this side may not know."""
        return self._battle.rules.visible_state(self._battle.scene, self._battle.state, self.side)

    def options(self) -> tuple[Option, ...]:
        """The options of this side's decision; empty for a space or when another has to decide."""
        return self.decision.options() if self.decision else ()

    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the answer would break."""
        return self.decision.check(answer) if self.decision else []

    def fork(self, seed: int) -> Battle[SceneT, StateT]:
        """A copy of the battle to try things out in: dice and whatever else this side may not know are drawn anew."""
        return self._battle.imagine(self.side, seed)
