"""``battlewright league``: armies against each other, many times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from battlewright.cli.common import AsJson, Edition, Seed, check_seed, edition_of, print_json, say, screen

if TYPE_CHECKING:
    from battlewright.simulate import Standing

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("league")(_league)


def _league(
    armies: Annotated[list[str], typer.Argument(help="Army lists, or names of bundled armies; two or more.")],
    games: Annotated[int, typer.Option(metavar="N", help="Games for each pair of armies.")] = 10,
    edition: Edition = "11",
    mission: Annotated[str | None, typer.Option(metavar="NAME", help="The edition's first one if not given.")] = None,
    players: Annotated[str, typer.Option(metavar="NAME", help="Who plays both sides.")] = "heuristic",
    backend: Annotated[str, typer.Option(metavar="local|ray", help="Where the games are played.")] = "local",
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Every game as a line of JSON.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play every army against every other and print the table."""
    from battlewright.armies import load_army
    from battlewright.simulate import play_league, standings

    wanted = edition_of(edition)
    lists = [load_army(name, wanted) for name in armies]
    played = []
    file = out.open("w", encoding="utf-8") if out is not None else None
    try:
        for game in play_league(
            lists,
            games,
            edition=wanted,
            players=players,
            mission=mission,
            seed=check_seed(seed),
            backend=backend,
        ):
            played.append(game)
            if file is not None:
                file.write(json.dumps(game.to_json(), ensure_ascii=False) + "\n")
                file.flush()
    finally:
        if file is not None:
            file.close()
    table = standings(played)
    if as_json:
        print_json({"edition": wanted, "games": len(played), "standings": [_row(each) for each in table]})
    else:
        _show(table)
    if out is not None:
        say(f"Wrote {out}")


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
