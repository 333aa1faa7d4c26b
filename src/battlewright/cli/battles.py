"""``battlewright battle`` and ``battlewright replay``: playing to the end, and playing again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from battlewright.cli.armies import Attach, Split, armies_for_battle, warnings_of, with_attachments
from battlewright.cli.common import (
    AsJson,
    Edition,
    check_seed,
    edition_of,
    key_values,
    may_be_written,
    print_json,
    say,
    screen,
    write_whole,
)
from battlewright.core.errors import BadInput

if TYPE_CHECKING:
    from battlewright.players import Player
    from battlewright.report.narrate import Level
    from battlewright.start import Battle

__all__ = ["add_to"]

_LETTERS = ("a", "b")


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("battle")(_battle)
    app.command("replay")(_replay)


def _battle(
    army_a: Annotated[str | None, typer.Argument(help="An army list, or the name of a bundled army.")] = None,
    army_b: Annotated[str | None, typer.Argument(help="The other side's.")] = None,
    edition: Edition = "11",
    mission: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="By name; or pairing or drawn (11th edition), rolled (4th, 6th). The first if not given.",
        ),
    ] = None,
    layout: Annotated[str | None, typer.Option(metavar="NAME", help="The mission's first one if not given.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="K=V", help="A switch; repeatable.")
    ] = None,
    agreed: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A saved sheet of options; --option goes before it.")
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="A,B", help="Who plays side a and side b; the best there are if not given.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Makes the battle repeatable.")] = None,
    as_is: Annotated[bool, typer.Option("--as-is", help="Play a list that does not add up.")] = False,
    attach: Attach = None,
    split: Split = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Record the battle as it is played.")] = None,
    level: Annotated[str, typer.Option(metavar="brief|rolls|full", help="How much is told.")] = "brief",
    as_json: AsJson = False,
) -> None:
    """Play a battle to the end and show it as it goes."""
    from battlewright.editions.agreement import with_files
    from battlewright.editions.edition import find_edition
    from battlewright.start import Battle

    chosen, told, wanted = _seed(seed), _level(level), edition_of(edition)
    find_edition(wanted).rules()  # refuse what is not built before anything is read
    both = _players(players, wanted, chosen)
    armies = with_attachments(armies_for_battle((army_a, army_b), wanted, as_is=as_is), attach or (), split or ())
    options = {**_agreed(agreed, wanted), **with_files(wanted, key_values(option or [], "--option"))}
    battle = Battle.start(armies, wanted, seed=chosen, mission=mission, layout=layout, options=options)
    begun = time.perf_counter()
    messages = [f"seed {chosen}"] if seed is None else []
    for army, file in zip(armies, (army_a, army_b), strict=True):
        messages += warnings_of(army, file or army.name)
    _play(battle, both, save, None if as_json else told, messages)
    seconds = time.perf_counter() - begun
    if as_json:
        print_json({**_outcome(battle), "seconds": round(seconds, 3)})
    else:
        _tell_outcome(battle, f"{len(battle.record)} decisions in {seconds:.1f} s")


def _play(
    battle: Battle, players: tuple[Player, Player], save: Path | None, level: Level | None, messages: Sequence[str]
) -> None:
    """Play to the end, recording and showing on the way, after the messages: from here on nothing is refused."""
    from battlewright.core.record import Recorder

    with ExitStack() as stack:
        watchers: list[Callable[[Battle], None]] = []
        if save is not None:
            recorder = Recorder(save, battle.header)
            stack.callback(recorder.close)
            watchers.append(lambda battle: recorder.append(battle.record[-1]))
        for message in messages:
            say(message)
        if level is not None:
            from battlewright.report.terminal import BattleView

            view = stack.enter_context(BattleView(screen(), level))
            view(battle)
            watchers.append(view)
        while battle.decision is not None:
            side = battle.decision.side
            battle.answer(players[side].decide(battle.seat(side)))
            for watcher in watchers:
                watcher(battle)


def _outcome(battle: Battle) -> dict[str, Any]:
    """What a battle came to, as the contract of ``--json`` has it."""
    result, state = battle.result, battle.state
    score = result.score if result else state.vp
    winner = None if result is None or result.winner is None else _LETTERS[result.winner]
    survivors = {
        letter: sum(int(state.wounds[row] > 0) for unit in state.units if unit.side == side for row in unit.models)
        for side, letter in enumerate(_LETTERS)
    }
    return {
        "edition": battle.header.edition,
        "seed": battle.header.seed,
        "winner": winner,
        "score": dict(zip(_LETTERS, score, strict=True)),
        "rounds": result.rounds if result else state.round,
        "survivors": survivors,
        "decisions": len(battle.record),
        "checksum": battle.checksum(),
    }


def _tell_outcome(battle: Battle, how: str) -> None:
    from rich.text import Text

    from battlewright.report.narrate import Names
    from battlewright.report.terminal import result_in_words

    names, outcome = Names.of_armies(battle.header.armies), _outcome(battle)
    console = screen()
    console.print()
    if battle.result is not None:
        console.print(Text(result_in_words(battle.result, names), style="bold"))
    elif battle.decision is not None:
        score = f"{outcome['score']['a']} to {outcome['score']['b']}"
        text = f"Round {battle.state.round}, {score}. {names.side(battle.decision.side)}: {battle.decision.prompt}."
        console.print(Text(text, style="bold"))
    left = ", ".join(f"{names.sides[side]} {outcome['survivors'][letter]}" for side, letter in enumerate(_LETTERS))
    console.print(Text(f"Models left: {left}. {how}, checksum {outcome['checksum']}."))


def _agreed(sheet: Path | None, edition: str) -> Mapping[str, str]:
    """What two players have ticked."""
    if sheet is None:
        return {}
    from battlewright.editions.agreement import read_agreement

    found = read_agreement(sheet)
    if found.edition != edition:
        raise BadInput(f"the sheet is of edition {found.edition}", where=str(sheet), expected=edition)
    return found.options


def _seed(seed: int | None) -> int:
    if seed is not None:
        return check_seed(seed)
    import secrets

    return secrets.randbits(32)


def _level(text: str) -> Level:
    from battlewright.report.narrate import Level

    if text not in list(Level):
        raise BadInput(f'there is no level "{text}"', where="--level", expected="brief, rolls or full")
    return Level(text)


def _players(text: str | None, edition: str, seed: int) -> tuple[Player, Player]:
    from battlewright.players import best_player, make_player

    names = [best_player(edition)] * 2 if text is None else text.split(",")
    if len(names) != 2:
        raise BadInput(f'"{text}" names no two players', where="--players", expected="two names with a comma between")
    first, second = (make_player(name, edition, seed=seed + side) for side, name in enumerate(names))
    return first, second


def _replay(
    file: Annotated[Path, typer.Argument(help="A recorded battle.")],
    verify: Annotated[bool, typer.Option("--verify", help="Say whether every checksum agrees.")] = False,
    to: Annotated[int | None, typer.Option(metavar="N", min=0, help="Stop after so many answers.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write the battle as a page of its own.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw the table as it stands at the end.")] = None,
    level: Annotated[str | None, typer.Option(metavar="brief|rolls|full", help="Tell what happened.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a recorded battle again, comparing every checksum; exit code 1 names the first answer that differs."""
    from battlewright.core.record import read_record
    from battlewright.start import replay

    told = _level(level) if level else None
    header, records = read_record(file)
    if to is not None and to > len(records):
        raise BadInput(f"the record has {len(records)} answers, not {to}", where="--to")
    for wanted in (html, svg):
        if wanted is not None:
            may_be_written(wanted)
    watchers: list[Callable[[Battle], None]] = []
    with ExitStack() as stack:
        if html is not None:
            from battlewright.report.film import Film

            film = Film()
            watchers.append(film)
        if told is not None and not as_json:
            from battlewright.report.terminal import BattleView

            watchers.append(stack.enter_context(BattleView(screen(), told)))

        def watch(battle: Battle) -> None:
            for watcher in watchers:
                watcher(battle)

        battle = replay(header, records, watch=watch, to=to)
    if html is not None:
        from battlewright.report.page import battle_page

        write_whole(html, battle_page(film, battle.result))
    if svg is not None:
        from battlewright.report.page import battle_picture

        write_whole(svg, battle_picture(battle))
    if as_json:
        print_json({**_outcome(battle), "finished": battle.result is not None, "verified": True})
        return
    _tell_outcome(battle, f"{len(battle.record)} answers replayed")
    if verify:
        say("Every checksum agrees.")
    for written in (html, svg):
        if written is not None:
            say(f"Wrote {written}")
