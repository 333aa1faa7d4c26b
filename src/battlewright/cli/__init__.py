"""The command ``battlewright``: thin commands over the library.

Machine-readable output goes to stdout with ``--json``, messages go to stderr. Exit codes: 0 done; 1 the check that
was asked for failed; 2 bad input, told in a sentence and without a traceback; 3 a fault of ours.

Each command imports what it needs when it runs, so that ``rules`` from a cold shell loads no geometry, ``odds`` no
data set it was not asked about, and none of them a web server.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from battlewright.cli import armies, battles, comparing, league, odds, play, rules, scenarios, serve
from battlewright.cli.common import complain
from battlewright.core.errors import BattlewrightError, EngineError, ReplayMismatch

__all__ = ["app", "main"]

app = typer.Typer(
    name="battlewright",
    help="Warhammer 40,000 in its 3rd, 4th, 6th and 11th edition: play, ask the odds, simulate, look up. Unofficial.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for commands in (battles, odds, comparing, armies, rules, scenarios, league, play, serve):
    commands.add_to(app)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"battlewright {version('battlewright')}")
        except PackageNotFoundError:  # run from a checkout that was never installed
            typer.echo("battlewright, not installed")
        raise typer.Exit


@app.callback()
def _options(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True)) -> None:
    """Options of every command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command line (of the process, if none is given) and exit with its code.

    Raises:
        SystemExit: always.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without a character still gets the rest
    try:
        app(args=None if arguments is None else list(arguments))
    except ReplayMismatch as error:
        complain(str(error))
        raise SystemExit(1) from None
    except EngineError as error:
        complain(f"a fault of ours, please report it: {error}")
        raise SystemExit(3) from error.__cause__
    except BattlewrightError as error:
        complain(str(error))
        raise SystemExit(2) from None
    except OSError as error:
        complain(f"{error.filename or 'a file'}: {error.strerror or error}")
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
