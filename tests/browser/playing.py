"""A person at the table in a browser: what is asked, and answering it by clicks alone."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

SMALL = {
    "3": ("third-orks-500", "third-marines-500"),
    "4": ("fourth-orks-500", "fourth-marines-500"),
    "6": ("sixth-orks-500", "sixth-marines-500"),
    "11": ("eleventh-necrons-500", "eleventh-tau-500"),
}
_ASKED = "h2[data-kind]"
_KIND = """() => document.querySelector(".end") !== null
    ? "over" : document.querySelector("h2[data-kind]")?.dataset.kind"""
_GONE_ON = """before => {
    const asked = document.querySelector("h2[data-kind]");
    return document.querySelector(".end") !== null || (asked !== null && asked.dataset.decision !== before);
}"""
_CONFIRMED = """before => {
    const asked = document.querySelector("h2[data-kind]");
    if (document.querySelector(".end") !== null) return true;
    if (asked === null) return false;
    if (asked.dataset.decision !== before) return true;
    const confirm = document.querySelector(".choice .confirm:enabled");
    confirm?.click();
    return confirm !== null;
}"""


def new_battle(table: str, edition: str = "11", **more: Any) -> dict[str, str]:
    """The links of a new battle of small bundled armies, by whom they are for."""
    first, second = SMALL[edition]
    form = {"edition": edition, "armies": [{"bundled": first}, {"bundled": second}], "seed": "7", **more}
    data = json.dumps(form).encode()
    asked = urllib.request.Request(f"{table}/api/battles", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        links: dict[str, str] = json.load(answer)["links"]
    return links


class Player:
    """Somebody before a page of the table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def asked(self) -> str:
        """The kind of choice that is asked for, once one is."""
        found = self.page.wait_for_function(_KIND).json_value()
        return "" if found == "over" else str(found)

    @property
    def decision(self) -> str:
        return self.page.get_attribute(_ASKED, "data-decision") or ""

    def has_been_answered(self, before: str) -> None:
        """Wait until another choice is asked for, or the battle is over."""
        self.page.wait_for_function(_GONE_ON, arg=before)

    def answer(self) -> None:
        """Answer whatever is asked as somebody does who clicks on what the page offers first."""
        before = self.decision
        options = self.page.locator(".choice [data-option]")
        self.page.wait_for_selector(".choice [data-option], .choice .confirm:enabled")  # either, once it is drawn
        if options.count():
            options.first.click()
        # Some options are to be confirmed, others are not. Looked at and clicked in one step, lest the next choice come
        # in between and be confirmed unseen.
        self.page.wait_for_function(_CONFIRMED, arg=before)
        self.has_been_answered(before)

    def suggestion(self) -> None:
        before = self.decision
        self.page.keyboard.press("s")
        self.has_been_answered(before)

    def until(self, *kinds: str, by: Callable[[Player], None] | None = None, most: int = 300) -> str:
        """Answer until one of these kinds of choice is asked for: by the suggestions if not otherwise."""
        for _ in range(most):
            if (kind := self.asked) in kinds:
                return kind
            if not kind:
                break
            (by or Player.suggestion)(self)
        raise AssertionError(f"never asked for {kinds}")

    def point(self, inches: tuple[float, float]) -> tuple[float, float]:
        """Where on the screen a point of the drawing is, in inches from its corner."""
        box = self.page.locator(".stage svg").first.bounding_box()
        wide, high = (
            float(part) for part in (self.page.locator(".stage svg").first.get_attribute("viewBox") or "").split()[2:]
        )
        assert box is not None
        return box["x"] + (inches[0] + 1) * box["width"] / wide, box["y"] + (inches[1] + 1) * box["height"] / high

    def ghost(self, number: int = 0) -> tuple[float, float]:
        """The middle of a model that is being moved, on the screen."""
        box = self.page.locator(".ghost .ghost-base").nth(number).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: tuple[float, float], by: tuple[float, float], steps: int = 8) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for step in range(1, steps + 1):
            mouse.move(start[0] + by[0] * step / steps, start[1] + by[1] * step / steps)
        mouse.up()
