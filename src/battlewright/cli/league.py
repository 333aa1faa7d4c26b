"""``battlewright league``: armies against each other, many times."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from battlewright.cli.common import AsJson, Edition, Seed, check_seed, edition_of, key_values, print_json, say, screen
from battlewright.core.errors import BadInput

if TYPE_CHECKING:
    from battlewright.simulate import Game, Standing

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("league")(_league)


def _league(
    armies: Annotated[list[str], typer.Argument(help="Army lists, or names of bundled armies; two or more.")],
    games: Annotated[int, typer.Option(metavar="N", help="Games for each pair of armies.")] = 10,
    edition: Edition = "11",
    mission: Annotated[str | None, typer.Option(metavar="NAME", help="The edition's first one if not given.")] = None,
    players: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who plays both sides; the best there is if not given.")
    ] = None,
    backend: Annotated[str, typer.Option(metavar="local|ray", help="Where the games are played.")] = "local",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="K=V", help="A switch.")] = None,
    seed: Seed = 0,
    as_is: Annotated[bool, typer.Option("--as-is", help="Play lists that do not add up.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A line for each game; goes on where it ends.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play every army against every other and print the table."""
    from battlewright.cli.armies import read_army
    from battlewright.editions.agreement import with_files
    from battlewright.editions.edition import find_edition
    from battlewright.players import best_player
    from battlewright.simulate import play_league, standings

    wanted = edition_of(edition)
    find_edition(wanted).rules()  # refuse what is not built before anything is read
    lists = [read_army(name, wanted, as_is=as_is) for name in armies]
    before = _kept(out)
    league = play_league(
        lists,
        games,
        edition=wanted,
        players=players if players is not None else best_player(wanted),
        mission=mission,
        options=with_files(wanted, key_values(option or [], "--option")),
        seed=check_seed(seed),
        backend=backend,
        after=before,
    )
    total = games * len(lists) * (len(lists) - 1) // 2
    played = list(_watched(league, out, len(before), total, quiet=as_json))
    table = standings(played)
    if as_json:
        print_json({"edition": wanted, "games": len(played), "standings": [_row(each) for each in table]})
    else:
        _show(table)
    if out is not None:
        say(f"Wrote {out}")


def _kept(out: Path | None) -> list[Game]:
    """The games that the file holds already; it is made when there is none.

    Raises:
        BadInput: when it holds anything else.
    """
    from battlewright.simulate import Game

    if out is None:
        return []
    try:
        text = out.read_text(encoding="utf-8") if out.exists() else ""
    except UnicodeDecodeError as error:
        raise BadInput("this is no text", where=str(out), expected="games of a league") from error
    *lines, rest = text.split("\n")
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(Game.from_json(json.loads(line)))
        except (json.JSONDecodeError, BadInput) as error:
            raise BadInput("this is no game of a league", where=f"{out}, line {number}") from error
    if rest and not found:
        raise BadInput("this is no game of a league", where=str(out))
    with out.open("a", encoding="utf-8") as file:
        if rest:  # a last line that a crash cut short: that game is played again
            file.truncate(len("".join(f"{line}\n" for line in lines).encode()))
    return found


def _watched(league: Iterator[Game], out: Path | None, done: int, total: int, *, quiet: bool) -> Iterator[Game]:
    """The games as they end; new ones are kept at once, and the progress is shown."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), disable=quiet, transient=True) as progress:
        task = progress.add_task("games", total=total)
        for number, game in enumerate(league):
            if out is not None and number >= done:
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(game.to_json(), ensure_ascii=False) + "\n")
            progress.advance(task)
            yield game


def _row(each: Standing) -> dict[str, str | int | float]:
    return {
        "army": each.army,
        "games": each.games,
        "wins": each.wins,
        "draws": each.draws,
        "losses": each.losses,
        "share": round(each.share, 6),
        "error": round(each.error, 6),
        "difference": round(each.difference, 3),
    }


def _show(table: list[Standing]) -> None:
    from rich.markup import escape
    from rich.table import Table

    shown = Table("army", "games", "won", "drawn", "lost", "share", "points more", box=None, header_style="bold")
    for each in table:
        share = f"{each.share:.1%} ± {each.error:.1%}"
        counts = (each.games, each.wins, each.draws, each.losses)
        shown.add_row(escape(each.army), *map(str, counts), share, f"{each.difference:+.1f}")
    screen().print(shown)
