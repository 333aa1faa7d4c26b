"""Debian's PostgreSQL on a folder and a port of its own, for as long as a test needs it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from itertools import count
from pathlib import Path

__all__ = ["Postgres", "find_postgres"]

_USER = "postgres"
"""Who runs it where the tests run as root, which PostgreSQL refuses to do."""


def find_postgres() -> Path | None:
    """The folder of its programs; None where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


class Postgres:
    """A server without passwords on the loopback, empty at first."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        self._numbers = count(1)

    def __enter__(self) -> Postgres:
        self._folder = Path(tempfile.mkdtemp(prefix="battlewright-postgres-"))
        self._as: dict[str, int] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(_USER)
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._run("initdb", "-D", "data", "-U", "table", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._control("start")
        return self

    def __exit__(self, *error: object) -> None:
        self._run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    def restart(self) -> None:
        """Cut off whoever is connected, and begin anew."""
        self._control("restart", "-m", "immediate")

    def _control(self, *what: str) -> None:
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder}"
        self._run("pg_ctl", "-D", "data", "-o", options, "-l", "log", "-w", *what)

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"table{next(self._numbers)}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", "table", name)
        return f"postgresql://table@127.0.0.1:{self._port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._binaries / program), *arguments],
            cwd=self._folder,
            env={"PATH": os.environ["PATH"], "HOME": str(self._folder), "LC_ALL": "C"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            **self._as,  # type: ignore[arg-type]
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
