"""The table in a real browser: a server of its own, Debian's Chromium, and what every page has to hold.

All of it is skipped where Chromium is not installed or the page cannot be built.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "test-output"
expect.set_options(timeout=60_000)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser; every test has a context of its own in it."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built_page() -> None:
    """The page, built from the present sources."""
    SHOTS.mkdir(exist_ok=True)
    with (SHOTS / ".building").open("w") as lock:  # tests may run in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [sys.executable, str(ROOT / "tools" / "build_web.py"), "--if-older"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the page cannot be built here: {done.stderr[-300:]}")


@pytest.fixture(scope="session")
def table(built_page: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs for these tests alone."""
    folder = tmp_path_factory.mktemp("table")
    server = subprocess.Popen(
        [sys.executable, "-m", "battlewright", "serve", "--port", "0", "--database", str(folder / "table.db")],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    for line in server.stderr:
        if (found := re.search(r"http://\S+?(?=/)", line)) is not None:
            address = found[0]
            break
    else:
        pytest.fail("the server did not say where it is")
    yield address
    server.terminate()
    server.wait()


@pytest.fixture
def open_page(chromium: Browser, table: str) -> Iterator[OpenPage]:
    """Opens addresses of the table, and at the end holds that no page complained of anything in its console."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        refused = "the server responded with a status of 4" in message.text  # what the page itself shows as a sentence
        if message.type in ("error", "warning") and not refused:
            complaints.append(message.text)

    def opened(path: str, *, phone: bool = False, scheme: str = "dark", loses_server: bool = False) -> Page:
        context = chromium.new_context(
            base_url=table,
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            color_scheme=scheme,  # type: ignore[arg-type]
            has_touch=phone,
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        if not loses_server:  # a browser tells of every connection that is refused
            page.on("console", complain)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path if path.startswith("http") else table + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """Keeps a picture of a page among the output of the tests."""

    def taken(page: Page, name: str) -> None:
        page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    return taken


@pytest.fixture
def accessible() -> Callable[..., list[str]]:
    """Every fault that axe finds in a page as it stands, of every rule or of those named: what, and where."""
    if not AXE.is_file():
        pytest.skip("axe is not installed")
    source = AXE.read_text(encoding="utf-8")

    def faults(page: Page, *rules: str) -> list[str]:
        page.evaluate(source)
        asked = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
        found = page.evaluate("(asked) => axe.run(document, asked)", asked)
        return [f"{each['id']}: {each['nodes'][0]['target']}" for each in found["violations"]]

    return faults


@pytest.fixture
def fits() -> Callable[[Page], int]:
    """By how many pixels a page is wider than its window."""
    return lambda page: page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
