"""``battlewright serve``: the table in the browser."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("serve")(_serve)


def _serve(
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of the protocol, and end.")] = False,
) -> None:
    """Open the table in the browser."""
    if schema:
        from battlewright.server.schema import schema_text

        sys.stdout.write(schema_text())
