"""A game small enough to be held in one's head, to try the battle's machinery on.

Two sides take turns. Each turn its side picks how many dice to throw (a checkpoint), then whether to keep the sum
(between checkpoints). After three rounds each side gains a point for having come so far, and the higher score wins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from battlewright.core.battle import Battle, Procedure, choose, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side, opponent
from battlewright.core.header import Header, Result
from battlewright.core.roster import Army
from battlewright.core.state import State, stateful

RULE = "test.race"


@stateful
@dataclass(slots=True)
class RaceState(State):
    held: int = 0


def ask(side: Side, kind: str, keys: list[str], *, checkpoint: bool = False) -> Decision:
    options = Options([Option(key, key, key) for key in keys], rule=RULE)
    return Decision(side, kind, kind, RULE, options, is_checkpoint=checkpoint)


class Race:
    id = "race"
    cites: Mapping[str, str] = {}
    fault: int | None = None
    """The sum of dice at which its rule for throwing fails."""

    def set_up(self, header: Header) -> tuple[None, RaceState]:
        none = np.zeros((0, 4), np.int32)
        return None, RaceState(none, np.zeros(0, np.int16), np.zeros(0, np.bool_), [])

    @resumable
    def resume(self, battle: Battle[None, RaceState]) -> Procedure[None]:
        state = battle.state
        while state.round < 3:
            yield from self.turn(battle)
            state.turn = opponent(state.turn)
            if state.turn == SIDES[0]:
                state.round += 1
        state.vp = (state.vp[0] + 1, state.vp[1] + 1)

    @resumable
    def turn(self, battle: Battle[None, RaceState]) -> Procedure[None]:
        picked = yield from choose(ask(battle.state.turn, "how-many", ["1", "2", "3"], checkpoint=True))
        yield from throw(battle, int(picked))

    def result(self, battle: Battle[None, RaceState]) -> Result:
        a, b = battle.state.vp
        return Result(None if a == b else SIDES[a < b], battle.state.vp, battle.state.round)

    def visible_state(self, scene: None, state: RaceState, side: Side | None) -> RaceState:
        return state.copy()


def throw(battle: Battle[None, RaceState], count: int) -> Procedure[None]:
    state, side = battle.state, battle.state.turn
    roll = battle.rolled(battle.roll(count, 6, "race"), side, RULE)
    if roll.total == battle.rules.fault:  # type: ignore[attr-defined]
        raise ZeroDivisionError("thirteen")
    if (yield from choose(ask(side, "keep", ["keep", "again", "pass"]))) == "again":
        roll = battle.rolled(battle.roll(count, 6, "race"), side, RULE)
        yield from choose(ask(opponent(side), "nod", ["nod"]))
    state.vp = (state.vp[0] + roll.total, state.vp[1]) if side == 0 else (state.vp[0], state.vp[1] + roll.total)


def start(seed: int = 1, **kwargs: object) -> Battle[None, RaceState]:
    army = Army("x", "race", "x", ())
    return Battle(Header("race", (army, army), "race", {}, seed=seed), Race(), **kwargs)  # type: ignore[arg-type]


def play(battle: Battle[None, RaceState], rng: random.Random) -> Iterator[None]:
    while battle.decision:
        yield
        battle.answer(battle.decision.sample(rng))


def finish(battle: Battle[None, RaceState], seed: int) -> str:
    for _ in play(battle, random.Random(seed)):
        pass
    return battle.checksum()
