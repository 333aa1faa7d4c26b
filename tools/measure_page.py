"""Measure the page in Chromium: ``python tools/measure_page.py [--models 300] [--json]``.

A battle of the 3rd edition is set up with so many models on the table; then the board is panned and a unit dragged as
with a mouse while every frame is timed, and each live check of the placement is timed from the question to its answer.
What is loaded first is counted as a server would send it, compressed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "src" / "battlewright" / "server" / "static"
UNIT = 15
"""Models of one unit."""
_FRAMES = """() => {
    window.frames_ = [];
    const next = (now) => { window.frames_.push(now); window.going_ = requestAnimationFrame(next); };
    window.going_ = requestAnimationFrame(next);
}"""
_STOP = "() => { cancelAnimationFrame(window.going_); return window.frames_; }"


def army(side: int, models: int) -> str:
    """A list of the 3rd edition with so many models in units of :data:`UNIT`."""
    count = max(1, models // UNIT)
    lines = [
        'edition: "3"',
        f"name: Crowd {side}",
        f"faction: {('Orks', 'Imperial Guard')[side]}",
        f"points: {100 * count}",
        "units:",
    ]
    for number in range(count):
        lines += [
            f"  - name: Mob {number + 1}",
            "    points: 100",
            "    stats: WS3 BS3 S3 T3 W1 I3 A1 Ld7 Sv6+",
            "    base: 25mm",
            "    height: 1.1",
            "    keywords: [INFANTRY, TROOPS]",
            "    weapons:",
            "      Shoota: '18\" S4 AP6 [ASSAULT 2]'",
            "    models:",
            f"      - {{name: Boy, count: {UNIT}, weapons: [Shoota]}}",
        ]
    return "\n".join(lines) + "\n"


def post(address: str, what: str, body: dict[str, Any]) -> Any:
    data = json.dumps(body).encode()
    asked = urllib.request.Request(f"{address}/api/{what}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


def first_load() -> int:
    """Bytes of everything that a battle's page loads first, compressed."""
    names = ["index.html", *sorted(path.relative_to(STATIC).as_posix() for path in (STATIC / "assets").iterdir())]
    wanted = [
        name
        for name in names
        if name == "index.html" or re.match(r"assets/(index|Play|Board|lib|api|Icon|settings|RuleCard)", name)
    ]
    return sum(len(gzip.compress((STATIC / name).read_bytes())) for name in wanted)


def frames(page: Page, act: Any) -> dict[str, float]:
    """How evenly frames came while something was done: their distance, and how many came a second."""
    page.evaluate(_FRAMES)
    act()
    times = page.evaluate(_STOP)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    ordered = sorted(gaps)
    return {
        "frames": len(gaps),
        "median_ms": round(statistics.median(gaps), 2),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 2),
        "per_second": round(1000 * len(gaps) / (times[-1] - times[0]), 1),
    }


def stroke(page: Page, start: tuple[float, float], steps: int, by: tuple[float, float]) -> None:
    """A drag to and fro, a step each frame."""
    page.mouse.move(*start)
    page.mouse.down()
    for step in range(steps):
        part = abs((step % 60) - 30) / 30
        page.mouse.move(start[0] + by[0] * (1 - part), start[1] + by[1] * (1 - part))
        page.wait_for_timeout(8)
    page.mouse.up()


def measure(page: Page, link: str) -> dict[str, Any]:
    page.goto(link)
    for _ in range(400):
        page.wait_for_selector("h2[data-kind]")
        heading = page.locator("h2[data-kind]")
        kind, before = heading.get_attribute("data-kind"), heading.get_attribute("data-decision")
        if kind == "move-normal":
            break
        if kind == "select-unit-to-move":
            page.locator("[data-option]").nth(4).click()
        else:
            page.keyboard.press("s")
        page.wait_for_function(
            "before => document.querySelector('h2[data-kind]')?.dataset.decision !== before", arg=before
        )
    page.wait_for_timeout(1500)
    board = page.locator(".board").bounding_box()
    ghost = page.locator(".ghost .ghost-base").first.bounding_box()
    assert board is not None
    assert ghost is not None
    models = page.locator(".model").count()
    free = board["x"] + board["width"] / 2, board["y"] + board["height"] / 2
    panned = frames(page, lambda: stroke(page, free, 180, (120, 60)))
    page.keyboard.press("0")
    page.wait_for_timeout(500)
    grip = ghost["x"] + ghost["width"] / 2, ghost["y"] + ghost["height"] / 2
    page.evaluate("() => performance.clearMeasures()")
    dragged = frames(page, lambda: stroke(page, grip, 180, (60, 60)))
    page.wait_for_timeout(500)
    checks = sorted(page.evaluate("() => performance.getEntriesByName('check').map(each => each.duration)"))
    return {
        "models": models,
        "pan": panned,
        "drag": dragged,
        "checks": len(checks),
        "check_median_ms": round(statistics.median(checks), 1),
        "check_p95_ms": round(checks[int(0.95 * (len(checks) - 1))], 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("Chromium is not installed", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "battlewright", "serve", "--port", "0", "--database", f"{folder}/table.db"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            address = next(found[1] for line in server.stderr if (found := re.search(r"(http://\S+?)/ ", line)))
            lists = [
                post(address, "armies", {"edition": "3", "name": "crowd.yaml", "text": army(side, asked.models // 2)})
                for side in (0, 1)
            ]
            form = {"edition": "3", "armies": [{"id": each["id"], "as_is": True} for each in lists], "seed": "1"}
            form |= {"seats": ["person", "person"], "hot_seat": True}
            made = post(address, "battles", form)
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-background-networking"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(120_000)
            page.add_init_script("localStorage.setItem('battlewright.settings', '{\"handover\": false}')")
            found = measure(page, address + made["links"]["both"])
            browser.close()
        finally:
            server.terminate()
            server.wait()
    found["first_load_kb"] = round(first_load() / 1000, 1)
    print(json.dumps(found, indent=None if asked.json else 1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
