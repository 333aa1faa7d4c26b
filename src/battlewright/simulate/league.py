"""A league: every army against every other, so many games each, sides and layouts in turn.

Games are independent and repeatable: each has a seed that follows from the league's. They are spread over processes
by joblib, here or, with its Ray backend, over a cluster.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations
from typing import Any

from joblib import Parallel, delayed, parallel_config

from battlewright.core.errors import BadInput, EngineError
from battlewright.core.roster import Army
from battlewright.editions.edition import find_edition
from battlewright.players import make_player
from battlewright.start import Battle

__all__ = ["BACKENDS", "Game", "Standing", "play_league", "standings"]

BACKENDS = ("local", "ray")
"""Where games are played: processes of this machine, or a Ray cluster (extra ``cluster``)."""

_MOST_GAMES = 1_000_000


@dataclass(frozen=True, slots=True)
class Game:
    """One game as it ended.

    Attributes:
        armies: names of side a's and side b's army.
        winner: name of the winning army, None for a draw.
        score: victory points of side a and side b.
    """

    seed: int
    layout: str
    armies: tuple[str, str]
    winner: str | None
    score: tuple[int, int]
    rounds: int
    decisions: int
    checksum: str

    def to_json(self) -> dict[str, Any]:
        """The game as JSON; :meth:`from_json` is its inverse."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> Game:
        """Read a game.

        Raises:
            BadInput: for a value of any other shape.
        """
        try:
            return cls(**{**value, "armies": tuple(value["armies"]), "score": tuple(value["score"])})
        except (KeyError, TypeError) as error:
            raise BadInput("this is no game of a league") from error


@dataclass(frozen=True, slots=True)
class Standing:
    """How one army has done.

    Attributes:
        share: wins and half the draws, of all its games.
        error: the standard error of the share.
        difference: victory points more than the opponents, on average.
    """

    army: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float
    error: float
    difference: float


def play_league(
    armies: Sequence[Army],
    games: int,
    *,
    edition: str = "11",
    players: str = "heuristic",
    mission: str | None = None,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    backend: str = "local",
    jobs: int = -1,
    after: Sequence[Game] = (),
) -> Iterator[Game]:
    """Play a league; games come in a fixed order, whatever the processes do.

    Args:
        games: for each pair of armies; sides change after each game and layouts after each two.
        players: the player of both sides.
        seed: of the league; every game has one of its own.
        options: switches of the edition that differ from their defaults.
        jobs: processes, -1 for one per core; the local backend only.
        after: the first games of this league, played before; they are given again and the rest is played.

    Raises:
        BadInput: for fewer than two armies, a name twice, no games, an unknown mission, option, player or backend,
            or when ``after`` are games of another league.
    """
    names = [army.name for army in armies]
    if len(armies) < 2 or len(set(names)) < len(names):
        raise BadInput(f"a league of {', '.join(names) or 'nobody'}", expected="two or more armies of different names")
    if not 1 <= games <= _MOST_GAMES:
        raise BadInput(f"{games} games", where="--games", expected=f"1 to {_MOST_GAMES}")
    board = find_edition(edition).switchboard()
    chosen = mission if mission is not None else board.missions()[0]
    layouts = list(board.layouts(chosen))
    make_player(players, edition)
    board.resolve_options(options or {})
    tasks = []
    for pair, (one, other) in enumerate(combinations(armies, 2)):
        for number in range(games):
            sides = (one, other) if number % 2 == 0 else (other, one)
            own_seed = (seed * 1_000_003 + pair) * _MOST_GAMES + number
            layout = layouts[number // 2 % len(layouts)]
            tasks.append(_Task(sides, edition, chosen, layout, dict(options or {}), players, own_seed))
    for number, game in enumerate(after):
        if number >= len(tasks) or not tasks[number].was(game):
            raise BadInput(f"game {number + 1} is not of this league")
    if backend not in BACKENDS:
        raise BadInput(f'there is no backend "{backend}"', where="--backend", expected=" or ".join(BACKENDS))
    if backend == "ray":
        _register_ray()
    return chain(after, _spread(tasks[len(after) :], backend, jobs))


@dataclass(frozen=True, slots=True)
class _Task:
    sides: tuple[Army, Army]
    edition: str
    mission: str
    layout: str
    options: Mapping[str, str]
    players: str
    seed: int

    def was(self, game: Game) -> bool:
        """Whether the game is one that came of this task."""
        names = (self.sides[0].name, self.sides[1].name)
        return (game.seed, game.layout, game.armies) == (self.seed, self.layout, names)


def _register_ray() -> None:
    try:
        from ray.util.joblib import register_ray
    except ImportError as error:
        raise BadInput(
            "Ray is not installed", where="--backend", expected="pip install battlewright[cluster]"
        ) from error
    register_ray()


def _spread(tasks: Sequence[_Task], backend: str, jobs: int) -> Iterator[Game]:
    if backend == "local":
        yield from Parallel(n_jobs=jobs, return_as="generator")(delayed(_play)(task) for task in tasks)
        return
    with parallel_config(backend="ray"):
        games = Parallel()(delayed(_play)(task) for task in tasks)
    yield from games


def _play(task: _Task) -> Game:
    sides, seed = task.sides, task.seed
    battle = Battle.start(
        sides, task.edition, seed=seed, mission=task.mission, layout=task.layout, options=task.options
    )
    both = [make_player(task.players, task.edition, seed=2 * seed + side) for side in (0, 1)]
    try:
        while battle.decision is not None:
            side = battle.decision.side
            battle.answer(both[side].decide(battle.seat(side)))
    except EngineError as error:
        names = " against ".join(army.name for army in sides)
        raise EngineError(f"{names} on {task.layout} with seed {seed}, decision {battle.number}: {error}") from error
    result = battle.result
    assert result is not None
    return Game(
        seed,
        task.layout,
        (sides[0].name, sides[1].name),
        None if result.winner is None else sides[result.winner].name,
        result.score,
        result.rounds,
        len(battle.record),
        battle.checksum(),
    )


def standings(games: Sequence[Game]) -> list[Standing]:
    """The table, best share first; equal ones by the difference in points, then by name.

    >>> games = [Game(1, "", ("A", "B"), "A", (40, 20), 5, 1, ""), Game(2, "", ("B", "A"), None, (30, 30), 5, 1, "")]
    >>> [(each.army, each.share, each.difference) for each in standings(games)]
    [('A', 0.75, 10.0), ('B', 0.25, -10.0)]
    """
    names = dict.fromkeys(name for game in games for name in game.armies)
    table = [_standing(name, [game for game in games if name in game.armies]) for name in names]
    return sorted(table, key=lambda each: (-each.share, -each.difference, each.army))


def _standing(name: str, games: Sequence[Game]) -> Standing:
    wins = sum(game.winner == name for game in games)
    draws = sum(game.winner is None for game in games)
    difference = sum((game.score[0] - game.score[1]) * (1 if game.armies[0] == name else -1) for game in games)
    count = len(games)
    share = (wins + draws / 2) / count
    spread = (wins + draws / 4) / count - share**2
    return Standing(
        name, count, wins, draws, count - wins - draws, share, math.sqrt(max(spread, 0.0) / count), difference / count
    )
