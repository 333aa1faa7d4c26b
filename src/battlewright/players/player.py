"""What a player is."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from battlewright.core.battle import Seat
from battlewright.core.decisions import Answer
from battlewright.core.errors import BadInput

__all__ = ["PLAYERS", "Player", "best_player", "make_player"]


class Player(Protocol):
    """Answers the decisions of one side."""

    @property
    def name(self) -> str:
        """What to call it."""
        ...

    def decide(self, seat: Seat[Any, Any]) -> Answer:
        """An answer to the seat's present decision; it has to be legal."""
        ...


PLAYERS: Mapping[str, Mapping[str, str]] = {
    "heuristic": {
        "11": "battlewright.players.eleventh:EleventhHeuristic",
        **dict.fromkeys(("3", "4", "6"), "battlewright.players.classic:ClassicHeuristic"),
    },
    "random": {"": "battlewright.players.random_player:RandomPlayer"},
    "default": {"": "battlewright.players.scripted:DefaultPlayer"},
}
"""Where each kind of player stands, by edition; ``""`` serves every edition that is not named."""


def best_player(edition: str) -> str:
    """Name of the player that plays an edition best: the first of :data:`PLAYERS` that knows it."""
    return next(name for name, where in PLAYERS.items() if edition in where or "" in where)


def make_player(name: str, edition: str, *, seed: int = 0) -> Player:
    """A player of that name for an edition.

    Args:
        seed: for players that draw; the others ignore it.

    Raises:
        BadInput: for an unknown name, or when that player does not know the edition.
    """
    where = PLAYERS.get(name.strip().lower())
    if where is None:
        raise BadInput(f'there is no player "{name}"', expected=" or ".join(PLAYERS))
    place = where.get(edition, where.get(""))
    if place is None:
        raise BadInput(f"the {name} player does not play edition {edition}", expected=" or ".join(where))
    module, _, attribute = place.partition(":")
    make: Callable[..., Player] = getattr(importlib.import_module(module), attribute)
    return make(seed=seed)
