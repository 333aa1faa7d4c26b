"""Computer players: each battle that has one is followed in a copy, at which its player sits and decides.

The copy is replayed from the header and the answers, in a process of its own, so that no other table waits for a
player that thinks.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from battlewright.core.battle import Battle
from battlewright.core.decisions import Side, answer_from_json, answer_to_json
from battlewright.core.record import header_from_json
from battlewright.editions.edition import find_edition
from battlewright.players import Player, make_player
from battlewright.server.frames import Missing

__all__ = ["Thinking", "Thought"]

_FOLLOWED = 24


@dataclass(frozen=True, slots=True)
class Thought:
    """What is asked: the player's answer at one decision of a battle.

    Attributes:
        keep: how many answers the copy has in common with the battle; the later ones are in ``answers``.
        header: only where the copy has to be made anew; then ``answers`` holds all.
        player: the kind of player; ``seed`` what it draws with.
    """

    battle: str
    side: int
    player: str
    seed: int
    keep: int
    answers: tuple[str, ...]
    header: str = ""


@dataclass(slots=True)
class _Followed:
    battle: Battle[Any, Any]
    players: dict[int, Player] = field(default_factory=dict)


class Thinking:
    """The battles that computer players follow."""

    def __init__(self) -> None:
        self._followed: OrderedDict[str, _Followed] = OrderedDict()

    def think(self, thought: Thought) -> Iterator[Any]:
        """The answer as JSON, last of all; :class:`Missing` where the whole record is needed first."""
        followed = self._followed.get(thought.battle)
        if thought.header:
            header = header_from_json(json.loads(thought.header))
            followed = _Followed(Battle(header, find_edition(header.edition).rules()))
            self._followed[thought.battle] = followed
        elif followed is None or len(followed.battle.record) < thought.keep:
            yield Missing()
            return
        self._followed.move_to_end(thought.battle)
        while len(self._followed) > _FOLLOWED:
            self._followed.popitem(last=False)
        battle = followed.battle
        while len(battle.record) > thought.keep:
            battle.undo()
        for number, text in enumerate(thought.answers, 1):
            battle.answer(answer_from_json(json.loads(text)["answer"]))
            if number % 4 == 0:
                yield None
        yield self._decide(followed, thought)

    def _decide(self, followed: _Followed, thought: Thought) -> dict[str, Any]:
        battle, side = followed.battle, thought.side
        if side not in followed.players:
            seed = (thought.seed + side) % 2**32
            followed.players[side] = make_player(thought.player, battle.header.edition, seed=seed)
        assert battle.decision is not None
        assert battle.decision.side == side
        return answer_to_json(followed.players[side].decide(battle.seat(Side(side))))
