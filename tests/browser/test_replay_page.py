"""The page of a battle in a real browser; skipped where Chromium is not installed."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from battlewright.armies import load_army, sample_armies
from battlewright.players import make_player
from battlewright.report.film import Film
from battlewright.report.page import battle_page
from battlewright.start import Battle

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

ASK = """
const found = {};
const see = (name) => { found[name] = {
  at: Number(document.getElementById("slider").value),
  score: [...document.querySelectorAll(".score b")].map((node) => Number(node.textContent)),
  models: document.querySelectorAll(".model:not(.off):not(.fell)").length,
  now: document.querySelectorAll("#log li.now").length,
}; };
const key = (name, shiftKey = false) => document.dispatchEvent(new KeyboardEvent("keydown", {key: name, shiftKey}));
const lines = (level) => {
  document.querySelector(`[data-level=${level}]`).click();
  return [...document.querySelectorAll("#log li")].filter((line) => line.offsetParent).length;
};
window.addEventListener("error", (event) => { found.error = event.message; });
see("start"); key("ArrowRight"); see("right"); key("ArrowRight", true); see("phase"); key("End"); see("end");
key("ArrowLeft"); see("left"); key("Home"); see("home"); key("End");
found.lines = ["full", "rolls", "brief"].map(lines);
document.querySelector(".model:not(.off)").dispatchEvent(new MouseEvent("click", {bubbles: true}));
found.card = document.getElementById("card").textContent;
const why = [...document.querySelectorAll("#log .why")].find((button) => button.offsetParent);
why.click();
const rule = why.parentElement.querySelector("details p");
found.rule = rule && rule.offsetParent ? rule.textContent : "";
const pre = document.createElement("pre");
pre.id = "found";
pre.textContent = JSON.stringify(found);
document.body.append(pre);
"""


@pytest.fixture(scope="module")
def film() -> tuple[Film, Battle]:
    film = Film()
    known = sample_armies("11")
    armies = (load_army(known["eleventh-necrons-500"]), load_army(known["eleventh-tau-500"]))
    battle = Battle.start(armies, "11", seed=3)
    players = [make_player("random", "11", seed=side) for side in (0, 1)]
    film(battle)
    while battle.decision is not None:
        side = battle.decision.side
        battle.answer(players[side].decide(battle.seat(side)))
        film(battle)
    return film, battle


@pytest.fixture(scope="module")
def found(film: tuple[Film, Battle], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the page showed while keys were pressed."""
    assert CHROMIUM is not None
    folder = tmp_path_factory.mktemp("page")
    page = battle_page(film[0], film[1].result).replace("</body>", f"<script>{{{ASK}}}</script></body>")
    path = folder / "battle.html"
    path.write_text(page, encoding="utf-8")
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--dump-dom")
    command = [
        CHROMIUM,
        *flags,
        f"--user-data-dir={folder / 'profile'}",
        "--virtual-time-budget=2000",
        Path(path).as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    text = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert text is not None
    told: dict[str, Any] = json.loads(html.unescape(text[1]))
    return told


def test_keys_walk_through_the_battle(film: tuple[Film, Battle], found: dict[str, Any]) -> None:
    last = len(film[0].moments) - 1
    places = [found[name]["at"] for name in ("start", "right", "end", "left", "home")]
    assert places == [0, 1, last, last - 1, 0]
    assert 1 < found["phase"]["at"] < last
    assert "error" not in found


def test_the_end_is_the_end_of_the_battle(film: tuple[Film, Battle], found: dict[str, Any]) -> None:
    battle = film[1]
    assert battle.result is not None
    assert found["end"]["score"] == list(battle.result.score)
    assert found["end"]["models"] == int(battle.state.on_table.sum())
    assert found["start"]["models"] == 0
    assert found["end"]["now"] > 0


def test_levels_tell_less_and_less(found: dict[str, Any]) -> None:
    full, rolls, brief = found["lines"]
    assert full > rolls > brief > 0


def test_a_unit_and_a_rule_are_shown_when_asked_for(film: tuple[Film, Battle], found: dict[str, Any]) -> None:
    assert any(unit.name in found["card"] for army in film[1].header.armies for unit in army.units)
    assert len(found["rule"]) > 20
