"""``battlewright serve``: the table in the browser."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from battlewright.cli.common import say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("serve")(_serve)


def _serve(
    host: Annotated[str, typer.Option(metavar="H", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="0 takes a free one.")] = 8411,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE, postgresql://..., or a file."),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="HOST", help="A host name to answer to; repeatable.")
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Processes that hold tables.")] = 1,
    a_minute: Annotated[
        int, typer.Option("--a-minute", metavar="N", min=1, help="Battles that one address may set up in a minute.")
    ] = 60,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of the protocol, and end.")] = False,
) -> None:
    """Open the table in the browser."""
    if schema:
        from battlewright.server.schema import schema_text

        sys.stdout.write(schema_text())
        return
    from battlewright.server.run import run

    run(host, port, database, tuple(name or ()), workers, say, a_minute=a_minute)
