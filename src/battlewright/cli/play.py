"""``battlewright play``: the table in the browser with a battle ready to start."""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from battlewright.cli.common import Edition, check_seed, edition_of, key_values, say
from battlewright.core.errors import BadInput

__all__ = ["add_to"]

_PATIENCE = 60.0
"""Seconds that the server may take to begin to answer."""


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("play")(_play)


def _play(
    army_a: Annotated[str | None, typer.Argument(help="Your army: a list, or the name of a bundled one.")] = None,
    army_b: Annotated[str | None, typer.Argument(help="The other side's.")] = None,
    edition: Edition = "11",
    mission: Annotated[str | None, typer.Option(metavar="NAME", help="The first one if not given.")] = None,
    layout: Annotated[str | None, typer.Option(metavar="NAME", help="The mission's first one if not given.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="K=V", help="A switch; repeatable.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Makes the dice repeatable.")] = None,
    as_is: Annotated[bool, typer.Option("--as-is", help="Play a list that does not add up.")] = False,
    hot_seat: Annotated[bool, typer.Option("--hot-seat", help="Two players at one screen, no computer.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address, open no browser.")] = False,
    host: Annotated[str, typer.Option(metavar="H", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="0 takes a free one.")] = 0,
    database: Annotated[str | None, typer.Option(metavar="URL", help="Where battles are kept.")] = None,
) -> None:
    """Open the table in the browser with a battle ready to start against the computer.

    Raises:
        BadInput: when the battle that is asked for cannot be set up; the table is closed again.
    """
    wanted = edition_of(edition)
    form: dict[str, Any] = {
        "edition": wanted,
        "mission": mission,
        "layout": layout,
        "options": key_values(option or [], "--option"),
        "seats": ["person", "person"] if hot_seat else ["person", "computer"],
        "hot_seat": hot_seat,
        "seed": None if seed is None else str(check_seed(seed)),
        "title": "A battle at home",
    }
    lists = [_list_of(each) for each in (army_a, army_b)]
    from battlewright.server.run import run

    failed: list[BadInput] = []

    def begin(address: str) -> None:
        try:
            _begin(address, form, lists, as_is, no_open)
        except (BadInput, OSError) as error:
            failed.append(error if isinstance(error, BadInput) else BadInput(f"the table does not answer: {error}"))
            signal.raise_signal(signal.SIGTERM)

    run(host, port, database, (), 1, say, ready=begin)
    if failed:
        raise failed[0]


def _list_of(named: str | None) -> Mapping[str, str] | None:
    """What to send for an army: the name of a bundled one, or a file; None for whichever is at hand."""
    if named is None:
        return None
    path = Path(named)
    if not path.is_file():
        from battlewright.armies import sample_armies

        if named not in sample_armies():
            raise BadInput(
                f'"{named}" is neither a file nor a bundled army', expected="battlewright army list names them"
            )
        return {"bundled": named}
    return {"name": path.name, "base64": base64.b64encode(path.read_bytes()).decode()}


def _begin(
    address: str, form: dict[str, Any], lists: list[Mapping[str, str] | None], as_is: bool, no_open: bool
) -> None:
    """Set the battle up at the server that has just begun, and show where it is."""
    _await(address)
    named = _small_ones(address, form["edition"]) if None in lists else []
    armies = []
    for asked in lists:
        found = asked or {"bundled": named.pop(0)}
        read = _post(address, "armies", {"edition": form["edition"], **found})
        armies.append({"id": read["id"], "as_is": as_is})
    made = _post(address, "battles", {**form, "armies": armies})
    link = address + made["links"]["both" if form["hot_seat"] else "a"]
    say(f"Your battle: {link}")
    if not no_open and _has_display():
        import webbrowser

        webbrowser.open(link)


def _await(address: str) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + _PATIENCE
    waiting = threading.Event()
    while True:
        try:
            with urllib.request.urlopen(f"{address}/api/health", timeout=5):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            waiting.wait(0.1)


def _small_ones(address: str, edition: str) -> list[str]:
    """Two bundled armies of an edition: the smallest of two factions."""
    with urllib.request.urlopen(f"{address}/api/editions", timeout=60) as answer:
        editions = json.load(answer)
    found: dict[str, str] = {}
    armies = next(each["armies"] for each in editions if each["id"] == edition)
    for army in sorted(armies, key=lambda each: each["points"]):
        found.setdefault(army["faction"], army["name"])
    return list(found.values())[:2]


def _post(address: str, what: str, body: Mapping[str, Any]) -> Any:
    data = json.dumps(body).encode()
    asked = urllib.request.Request(f"{address}/api/{what}", data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        told = json.loads(error.read() or b"{}")
        raise BadInput(str(told.get("error", error.reason)).rstrip(".")) from error


def _has_display() -> bool:
    """Whether a browser that is opened would be seen."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
