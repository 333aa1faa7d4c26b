"""What a seat is shown, walked through whole battles in search of what its side may not know.

Two arguments are made. *Of choices*: two battles that differ in nothing but what the opponent has chosen in secret
show a seat the same, its forks included, for as long as the choice is secret. *Of dice*: what a seat is shown does not
change when the stream of dice is another from here on, and the seed stands nowhere in it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from battlewright.core.battle import Battle, Seat
from battlewright.core.decisions import SIDES, Pick, Side, answer_to_json, opponent
from battlewright.core.state import plain

__all__ = ["fork_of", "secret_stretch", "shown", "walk"]

Starting = Callable[[], Battle[Any, Any]]


def shown(seat: Seat[Any, Any], since: int = 0) -> dict[str, Any]:
    """Everything that a seat tells its player at present, of the events those from ``since`` on."""
    decision = seat.decision
    return {
        "view": plain(seat.view()),
        "events": [event.to_json() for event in seat.events[since:]],
        "decision": None if decision is None else decision.to_json(),
        "default": None if decision is None else answer_to_json(decision.default()),
        "options": [(option.key, option.label) for option in seat.options()],
        "number": seat.number,
        "header": (seat.scene.header.seed, seat.scene.header.mission, dict(seat.scene.header.options)),
    }


def fork_of(seat: Seat[Any, Any], seed: int) -> dict[str, Any]:
    """Everything that a copy made by a seat tells."""
    copy = seat.fork(seed)
    return {
        "state": plain(copy.state),
        "events": [event.to_json() for event in copy.events],
        "record": [(each.side, answer_to_json(each.answer), each.checksum) for each in copy.record],
        "decision": None if copy.decision is None else copy.decision.to_json(),
        "seed": copy.header.seed,
        "checksum": copy.checksum(),
    }


def secret_stretch(
    start: Starting, side: Side, kinds: tuple[str, ...], is_over: Callable[[Battle[Any, Any]], bool], seed: int
) -> list[Any]:
    """What a side is shown while the opponent chooses in secret: his answers of these kinds are drawn with ``seed``.

    Everything else is answered alike for every seed.
    """
    battle, theirs, mine = start(), random.Random(seed), random.Random(0)
    found: list[Any] = []
    waiting = False
    while not is_over(battle):
        decision = battle.decision
        assert decision is not None
        seat = battle.seat(side)
        if decision.side == side or not waiting:
            found.append(shown(seat))
        if decision.side == side:
            found.append(fork_of(seat, 5))
        waiting = decision.side != side
        if decision.side == side:
            answer = decision.sample(mine)
        else:
            answer = decision.sample(theirs) if decision.kind in kinds else decision.default()
        battle.answer(answer)
    return found


def walk(battle: Battle[Any, Any], rng: random.Random) -> None:
    """Play to the end at random; fail where either seat is shown the seed, the stream, or another's decision."""
    secret = str(battle.header.seed)
    assert len(secret) > 20, "a seed that could not stand anywhere by chance"
    seen = dict.fromkeys(SIDES, 0)
    while battle.decision is not None:
        for side in SIDES:
            seat = battle.seat(side)
            now = shown(seat, seen[side])
            _nothing_of_the_stream(battle, side, now, secret)
            if rng.random() < 0.1:
                _other_dice_show_the_same(battle, side, now)
                _forks_hold_no_secret(battle, side, secret)
            seen[side] += len(now["events"])
        battle.answer(battle.decision.sample(rng))


def _nothing_of_the_stream(battle: Battle[Any, Any], side: Side, now: dict[str, Any], secret: str) -> None:
    assert secret not in json.dumps(now), "a seat is shown the seed"
    assert now["view"]["dice"] == 0, "a view tells how far the stream of dice has been used"
    assert battle.decision is not None
    if battle.decision.side == opponent(side):
        assert now["decision"] is None, "a seat is shown the other's decision"
        assert not now["options"], "a seat is shown the other's options"
        assert battle.seat(side).check(Pick("?")) == [], "a seat may try answers to the other's decision"
    assert all(event["seen_by"] in (None, side) for event in now["events"]), "a seat is shown another's event"


def _other_dice_show_the_same(battle: Battle[Any, Any], side: Side, now: dict[str, Any]) -> None:
    other = shown(battle.fork(reseed=11).seat(side))
    for what in ("view", "decision", "default", "options"):
        assert other[what] == now[what], f"the {what} of a seat depends on dice that have not been thrown"


def _forks_hold_no_secret(battle: Battle[Any, Any], side: Side, secret: str) -> None:
    seat = battle.seat(side)
    copy = fork_of(seat, 5)
    assert secret not in json.dumps(copy), "a seat's copy holds the seed"
    assert all(not checksum for _, _, checksum in copy["record"]), "a seat's copy holds checksums of the whole state"
    made = seat.fork(5)
    assert made.dice is not battle.dice, "a seat's copy throws the battle's dice"
    assert repr(made.decision) == repr(battle.decision), "a seat's copy stands at another decision"
    mine, theirs = plain(seat.view()), plain(made.seat(side).view())
    differing = {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}
    assert not differing, f"a seat's copy differs in what its side may see: {differing}"
