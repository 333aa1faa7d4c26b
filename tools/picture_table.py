"""Take the picture of the table that README.md shows: ``python tools/picture_table.py [--out docs/table.webp]``.

A battle of the 11th edition is played by the suggestions until the second battle round is in its Shooting phase and a
unit is about to fire; then the page is taken as Chromium draws it. The seed makes the same battle each time.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
ARMIES = ("eleventh-marines-1000", "eleventh-tyranids-1000")
SIZE = (1280, 800)
QUALITY = 86
"""Of the picture, of 100: its letters stay sharp and it stays well below 300 kB."""


def opened(address: str, seed: str) -> str:
    """The link to the first seat of a new battle against the computer."""
    form = {
        "edition": "11",
        "armies": [{"bundled": name} for name in ARMIES],
        "seats": ["person", "computer"],
        "seed": seed,
    }
    asked = urllib.request.Request(
        f"{address}/api/battles", json.dumps(form).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked) as answer:
        return address + str(json.load(answer)["links"]["a"])


def play(page: Page, least_lines: int) -> None:
    """Answer by the suggestions until a unit of which so many models see their target declares its attacks.

    Raises:
        RuntimeError: no such moment came in 600 choices.
    """
    for _ in range(600):
        page.wait_for_selector("h2[data-kind]")
        asked = page.locator("h2[data-kind]")
        kind, before = asked.get_attribute("data-kind"), asked.get_attribute("data-decision")
        if kind == "declare-attacks" and "Round 2" in page.inner_text("header .phase"):
            page.wait_for_timeout(1500)
            if page.locator("path.sight").count() >= least_lines:
                return
        page.keyboard.press("s")
        page.wait_for_function(
            "before => document.querySelector('h2[data-kind]')?.dataset.decision !== before", arg=before
        )
    raise RuntimeError("no unit was about to fire in the second battle round")


def picture(page: Page) -> bytes:
    taken = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    return base64.b64decode(taken["data"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "table.webp")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--lines", type=int, default=3, help="lines of sight that the picture shall show at least")
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "battlewright", "serve", "--port", "0", "--database", f"{folder}/table.db"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            address = next(found[0] for line in server.stderr if (found := re.search(r"http://\S+?(?=/)", line)))
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                page = browser.new_page(
                    viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="dark", reduced_motion="reduce"
                )
                page.set_default_timeout(120_000)
                page.goto(opened(address, asked.seed))
                play(page, asked.lines)
                page.mouse.move(0, 0)
                page.wait_for_timeout(500)
                asked.out.write_bytes(picture(page))
                browser.close()
        finally:
            server.terminate()
            server.wait()
    print(f"{asked.out}: {asked.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
