"""The table itself, in a real browser: from a newcomer's first battle to a server that is restarted in the middle."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from browser.conftest import OpenPage
from browser.playing import Player, new_battle

Shot = Callable[[Page, str], None]
Faults = Callable[..., list[str]]
Fits = Callable[[Page], int]

USE = {"model": 0, "weapon": 0, "profile": 0}


WIDER_THAN_ITS_PLACE = """() => {
    const body = document.querySelector(".choice .body");
    return body.scrollWidth - body.clientWidth;
}"""
NAMES_LIE_OVER_EACH_OTHER = """() => {
    const boxOf = (name) => [name.textContent, name.firstChild.getBoundingClientRect()];
    const names = [...document.querySelectorAll(".unit-name")].map(boxOf);
    if (names.length < 4) return ["hardly any names"];
    const over = (a, b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return names.flatMap(([one, a], i) =>
        names.slice(i + 1).filter(([, b]) => over(a, b)).map(([other]) => `${one} over ${other}`));
}"""


def _asked(name: str, choices: dict[str, Any]) -> dict[str, Any]:
    told = {"prompt": name, "kind": name, "rule": "11e.core.04-steps", "subject": "a.1", "target": None}
    return {"type": "decision", "side": 0, "yours": True, "decision": name, **told, "choices": choices}


AGAIN = {"options": [{"key": "again", "label": "roll again"}, {"key": "keep", "label": "keep it"}]}
DIVIDED = [
    _asked(
        "first",
        {
            "space": "declare",
            "attack": "fight",
            "unit": "a.1",
            "uses": [{**USE, "name": "Blade", "attacks": "4", "targets": ["b.1", "b.2"], "divides": 4}],
        },
    ),
    *(_asked(name, AGAIN) for name in ("second", "third", "fourth")),
]
"""Choices that one answer after the other leads to."""

PICTURED = ("deploy", "select-unit-to-move", "move-normal", "declare-attacks", "select-model")


@contextmanager
def running(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own, and the last address that it tells of at its start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "battlewright", *command], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    wanted = r"Your battle: (\S+)" if command[0] == "play" else r"table is at (\S+)/ "
    for line in process.stderr:
        if (found := re.search(wanted, line)) is not None:
            break
    else:
        pytest.fail("the server did not say where it is")
    try:
        yield process, found[1]
    finally:
        process.terminate()
        process.wait()


def test_a_newcomer_plays_his_first_round_by_clicks(open_page: OpenPage, tmp_path: Path, shot: Shot) -> None:
    command = ("play", "--no-open", "--port", "0", "--seed", "7", "--database", str(tmp_path / "battles.db"))
    with running(*command) as (_, link):
        page = open_page(link)
        player = Player(page)
        assert player.asked
        shot(page, "play-first-sight")
        seen = {player.asked}
        moved = False
        for _ in range(220):
            kind = player.asked
            if kind not in seen:
                seen.add(kind)
                assert page.evaluate(WIDER_THAN_ITS_PLACE) <= 0, kind
                if kind in PICTURED:
                    shot(page, f"play-{kind}")
            if kind == "move-normal" and not moved:
                moved = True
                player.drag(player.ghost(), (24, 0))
                page.wait_for_selector(".faults li, .confirm:enabled")
                page.keyboard.press("Escape")
            player.answer()
            if "Round 2" in page.inner_text("header .phase"):
                break
        else:
            pytest.fail("the first round did not end")
        assert moved, "a unit was dragged on its way"
        assert {"deploy", "select-unit-to-move", "move-normal", "select-unit-to-shoot"} <= seen
        assert page.locator(".log p").count() > 20
        assert page.evaluate(NAMES_LIE_OVER_EACH_OTHER) == []
        page.close()


@pytest.mark.parametrize("edition", ["3", "4", "6", "11"])
def test_a_whole_battle_is_played_by_suggestions(
    edition: str, table: str, open_page: OpenPage, accessible: Faults, shot: Shot
) -> None:
    page = open_page(new_battle(table, edition)["a"])
    assert Player(page).asked
    page.get_by_label("Menu").click()
    page.get_by_text("To the end of the battle").click()
    page.keyboard.press("Escape")
    end = page.locator(".end")
    expect(end).to_be_visible(timeout=240_000)
    expect(end).to_contain_text("The dice are those that were committed to")
    shot(page, f"play-end-{edition}")
    places = page.eval_on_selector_all(".stage .objective", "all => all.map(each => each.getAttribute('transform'))")
    assert len(set(places)) == len(places), "objectives lie in places of their own, those that players laid among them"
    assert accessible(page) == []
    page.keyboard.press("Escape")
    expect(end).to_have_count(0)
    page.keyboard.press("u")
    expect(page.get_by_role("status").filter(has_text="The battle is over.")).to_be_visible()


def test_a_move_is_refused_with_its_reason_and_its_rule(table: str, open_page: OpenPage, shot: Shot) -> None:
    page = open_page(new_battle(table)["a"])
    player = Player(page)
    player.until("deploy")
    page.wait_for_selector(".ghost")
    x, y = player.ghost()
    right, _ = player.point((59, 22))
    player.drag((x, y), (right - x, 0))
    page.wait_for_selector(".faults li")
    expect(page.locator(".confirm")).to_be_disabled()
    shot(page, "play-refused")
    page.locator(".faults").get_by_role("button", name="Rule", exact=True).first.click()
    expect(page.get_by_role("dialog").locator("code")).to_contain_text("11e.")
    page.keyboard.press("Escape")
    page.keyboard.press("a")  # the table arranges it
    expect(page.locator(".faults li")).to_have_count(0)
    before = player.decision
    page.locator(".confirm").click()
    player.has_been_answered(before)


def test_two_browsers_play_each_other_and_take_back_by_agreement(table: str, open_page: OpenPage, shot: Shot) -> None:
    links = new_battle(table, "3", seats=["person", "person"])
    pages = [open_page(links[side]) for side in ("a", "b")]
    watcher = open_page(links["watch"])
    for _ in range(24):
        for page in pages:
            page.wait_for_selector("h2[data-kind], .who")
        turn = next((page for page in pages if page.query_selector("h2[data-kind]")), None)
        if turn is None:
            pages[0].wait_for_timeout(50)
            continue
        before = Player(turn).decision
        turn.keyboard.press("s")
        turn.wait_for_function(
            "before => { const asked = document.querySelector('h2[data-kind]');"
            " return asked === null ? document.querySelector('.who') !== null : asked.dataset.decision !== before }",
            arg=before,
        )
    assert watcher.locator("h2[data-kind]").count() == 0
    assert watcher.locator(".model").count() > 10
    turn = next(page for page in pages if page.query_selector("h2[data-kind]"))
    other = next(page for page in pages if page is not turn)
    other.keyboard.press("u")  # it has chosen before the one who chooses now, so that it has to ask
    agree, done = turn.get_by_role("button", name="Agree"), other.get_by_text("Taken back.")
    while not (agree.count() or done.count()):
        turn.wait_for_timeout(20)
    if agree.count():
        shot(turn, "play-undo-asked")
        turn.keyboard.press("s")  # with a further answer the request lapses, and nobody is asked any more
        expect(agree).to_have_count(0)
        expect(other.get_by_text("The other side has been asked")).to_have_count(0)
        other.keyboard.press("u")
        agree.click()
    expect(other.get_by_text("Taken back.")).to_be_visible()


def test_a_link_that_is_no_seat_says_what_to_do(open_page: OpenPage) -> None:
    for cut in ("/play/", "/play/zzz#abc", "/play/%E0%A4%A", f"/play/zzz#{'x' * 200}"):
        page = open_page(cut)
        expect(page.get_by_role("alert")).to_contain_text("opy the whole link, or ask whoever sent it for another")
        page.get_by_role("link", name="To the first page").click()
        expect(page.locator("[data-test=start]")).to_be_visible()
    page = open_page("/play/a%2Fb", loses_server=True)  # an address at which nobody answers
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_two_at_one_screen_hand_it_over_and_look_back(table: str, open_page: OpenPage, shot: Shot) -> None:
    page = open_page(new_battle(table, "3", seats=["person", "person"], hot_seat=True)["both"])
    player = Player(page)
    handed = 0
    while player.asked != "select-unit-to-move":
        cover = page.get_by_role("alertdialog")
        if cover.count():
            handed += 1
            if handed == 1:
                shot(page, "play-handover")
                asked = player.decision
                page.keyboard.press("1")  # of a table that is covered nothing is chosen unseen
                page.keyboard.press("s")
                page.keyboard.press("Shift+Tab")
                page.keyboard.press("Tab")
                assert page.evaluate("document.activeElement.closest('.table') === null")
                page.wait_for_timeout(1000)
                assert player.decision == asked
            cover.get_by_role("button", name="Go on").click()
            expect(cover).to_have_count(0)
        player.suggestion()
    assert handed > 2
    if page.get_by_role("alertdialog").count():
        page.get_by_role("button", name="Go on").click()
    standing = page.locator(".model").count()
    page.get_by_role("button", name="look back").first.click()
    expect(page.get_by_text("The table as it stood before the battle")).to_be_visible()
    assert page.locator(".model").count() < standing
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".model")).to_have_count(standing)
    page.get_by_role("button", name="look back").first.click()
    expect(page.get_by_text("The table as it stood before the battle")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".model")).to_have_count(standing)


def test_the_attacks_of_one_weapon_are_divided_and_the_second_click_of_two_is_not_counted(
    table: str, open_page: OpenPage, shot: Shot
) -> None:
    """A fight against two units at once, as the server asks for it: put in the place of what it really asks."""
    page = open_page("/about")
    heard: list[dict[str, Any]] = []
    asked_once: list[bool] = []

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            said = json.loads(message)
            asked = said.get("question", {}).get("kind")
            if said["type"] == "answer":
                heard.append(said)
                route.send(json.dumps(DIVIDED[min(len(heard), len(DIVIDED) - 1)]))
            elif said["type"] == "check":
                route.send(json.dumps({"type": "checked", "ref": said["ref"], "violations": []}))
            elif asked is not None:
                answer = {"kind": "declare", "attacks": [{**USE, "target": "b.1", "count": None}]}
                route.send(
                    json.dumps({"type": "answered", "ref": said["ref"], "kind": asked, "answer": answer, "odds": []})
                )
            else:
                server.send(message)

        def from_server(message: str | bytes) -> None:
            if json.loads(message)["type"] != "decision":
                route.send(message)
            elif not asked_once:  # the computer of the other side may choose meanwhile, and lead to another choice
                asked_once.append(True)
                route.send(json.dumps(DIVIDED[0]))

        route.on_message(from_page)
        server.on_message(from_server)

    page.route_web_socket(re.compile("/ws/"), between)
    page.goto(table + new_battle(table)["a"])
    page.locator(".weapon select").select_option("divide")
    page.get_by_label("One attack more at").nth(1).click()
    page.get_by_label("One attack more at").nth(1).click()
    expect(page.locator("output")).to_have_text(["2", "2"])
    shot(page, "play-divided")
    page.locator(".confirm").click()
    assert [(each["target"], each["count"]) for each in heard[0]["answer"]["attacks"]] == [("b.1", 2), ("b.2", 2)]
    expect(page.locator("[data-option]")).to_have_count(2)
    page.locator("[data-option=again]").click()
    expect(page.locator("h2[data-decision=third]")).to_be_visible()
    for press in (page.mouse.down, page.mouse.up):  # the second click falls on what has taken the first one's place
        press(click_count=2)
    page.locator("[data-option=keep]").click()
    page.wait_for_selector("h2[data-decision=fourth]")
    assert [each["answer"].get("option") for each in heard[1:]] == ["again", "keep"]


def test_a_page_that_was_cut_off_comes_back(table: str, open_page: OpenPage) -> None:
    links = new_battle(table)
    page = open_page("/about")
    sockets: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        sockets.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile("/ws/"), through)
    page.goto(table + links["a"])
    player = Player(page)
    player.until("deploy")
    lines = page.locator(".log p").count()
    before = player.decision
    sockets[-1].close(code=1012, reason="cut off")
    page.wait_for_function("() => document.querySelector('header .link')?.textContent === ''")
    while len(sockets) < 2:
        page.wait_for_timeout(20)
    assert player.decision == before
    assert page.locator(".log p").count() == lines
    player.suggestion()
    assert page.locator(".log p").count() > lines


def test_a_battle_outlives_its_server(open_page: OpenPage, tmp_path: Path) -> None:
    database = str(tmp_path / "battles.db")
    with running("serve", "--port", "0", "--database", database) as (server, address):
        page = open_page(address + new_battle(address, "3")["a"], loses_server=True)
        player = Player(page)
        player.until("select-unit-to-move")
        before, port = player.decision, address.rpartition(":")[2]
        models = page.locator(".model").count()
        server.kill()
        server.wait()
        expect(page.locator("header .link")).to_contain_text("Connection lost")
    with running("serve", "--port", port, "--database", database):
        expect(page.locator("header .link")).to_have_text("")
        assert player.decision == before
        assert page.locator(".model").count() == models
        player.suggestion()


def test_a_phone_deploys_and_moves_by_touch(table: str, open_page: OpenPage, fits: Fits, shot: Shot) -> None:
    page = open_page(new_battle(table, "3")["a"], phone=True)
    player = Player(page)
    player.until("deploy")
    page.wait_for_selector(".ghost")
    shot(page, "play-phone-deploy")
    assert fits(page) <= 0
    before = player.decision
    page.locator(".confirm").tap()
    player.has_been_answered(before)
    player.until("move-normal", by=Player.answer)
    page.wait_for_selector(".ghost")
    page.get_by_label("Show the whole table").tap()
    page.wait_for_timeout(300)  # the drawing is made anew once the hand rests
    page.touchscreen.tap(*player.point((40.0, 28.0)))  # point where the unit shall go, over open ground
    page.wait_for_function("() => document.querySelector('.confirm')?.textContent?.includes('Move here')")
    shot(page, "play-phone-move")
    assert fits(page) <= 0
    before = player.decision
    page.locator(".confirm").tap()
    player.has_been_answered(before)
    assert player.asked == "select-unit-to-move"
    expect(page.locator(".model.pickable").first).to_be_in_viewport()  # the view was near the unit that has moved
    expect(page.get_by_role("button", name="Suggestion")).to_be_in_viewport()  # whatever is listed above it
    for name in ("Log", "Dice", "Units"):
        page.get_by_role("tab", name=name).tap()
        assert fits(page) <= 0
    shot(page, "play-phone-units")
    page.get_by_role("tab", name="Choose").tap()
    page.set_viewport_size({"width": 740, "height": 360})  # on its side: the board to the left of what is to be chosen
    expect(page.get_by_role("button", name="Suggestion")).to_be_in_viewport(ratio=1)
    board, choice = page.locator(".board").bounding_box(), page.locator(".choice").bounding_box()
    assert board is not None
    assert choice is not None
    assert board["x"] + board["width"] <= choice["x"] + 1
    assert board["height"] > 250
    assert fits(page) <= 0
    shot(page, "play-phone-on-its-side")
