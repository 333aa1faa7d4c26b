"""The pages beside the table: the lobby, setting up, odds, rules, replay."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from battlewright.armies import load_army, sample_armies
from battlewright.core.record import Recorder
from battlewright.odds import volley
from battlewright.players import make_player
from battlewright.start import Battle
from browser.conftest import OpenPage

Shot = Callable[[Page, str], None]
Faults = Callable[..., list[str]]
Fits = Callable[[Page], int]

ROSTERS = Path(__file__).resolve().parents[3] / "shared" / "rosters"
PAGES = {
    "lobby": ("/", "[data-test=start]:enabled"),
    "setting-up": ("/new?edition=3", "[data-test=report] >> nth=1"),
    "odds": ("/odds?set=cover%3Dtrue", "[data-test=answer] svg >> nth=1"),
    "rules": ("/rules?q=coherency", ".entry >> nth=3"),
    "chapters": ("/rules?edition=6", "section ul >> nth=1"),
    "entry": ("/rules?id=3e.formation.two-inch", "[data-test=entry]"),
    "differences": ("/rules?diff=3,4", "[data-test=difference] >> nth=20"),
    "replay": ("/replay", "input[type=file]"),
    "about": ("/about", "h1"),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved battle of the 3rd edition, some way into it."""
    armies = load_army("third-marines-500"), load_army("third-orks-500")
    battle = Battle.start(armies, "3", seed=5)
    player = make_player("random", "3", seed=1)
    file = tmp_path_factory.mktemp("saves") / "battle.jsonl"
    recorder = Recorder(file, battle.header)
    while battle.decision is not None and len(battle.record) < 80:
        battle.answer(player.decide(battle.seat(battle.decision.side)))
        recorder.append(battle.record[-1])
    recorder.close()
    return file


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_accessible_and_fits_a_phone(
    name: str, open_page: OpenPage, accessible: Faults, fits: Fits, shot: Shot
) -> None:
    path, ready = PAGES[name]
    page = open_page(path)
    page.wait_for_selector(ready)
    shot(page, f"{name}-desk")
    faults = accessible(page)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 360, "height": 740})
    shot(page, f"{name}-phone")
    assert fits(page) <= 0
    assert faults + accessible(page, "color-contrast") == []


class TestLobby:
    def test_one_click_starts_a_battle_against_the_computer(self, open_page: OpenPage) -> None:
        page = open_page("/")
        page.get_by_label("3rd edition").check()
        page.get_by_role("button", name="Play against the computer").click()
        page.wait_for_url(re.compile(r"/play/"))
        page.goto(page.url.split("/play/")[0] + "/")
        expect(page.get_by_role("heading", name="Your battles on this device")).to_be_visible()
        expect(page.get_by_role("link", name="Space Marines against Orks")).to_be_visible()

    def test_an_open_battle_is_found_and_joined(self, open_page: OpenPage, shot: Shot) -> None:
        host = open_page("/new?edition=3&seats=person,open")
        host.get_by_label("Name of the battle").fill("Come <b>all</b>")
        host.locator("[data-test=begin]:enabled").click()
        expect(host.get_by_label("Side A (you)")).to_have_value(re.compile(r"/play/.+#.+"))
        host.get_by_role("button", name="Copy").first.click()
        expect(host.get_by_role("button", name="Copied")).to_be_visible()
        shot(host, "links-desk")
        guest = open_page("/")
        guest.locator("li", has_text="Come <b>all</b>").get_by_role("button", name="Join").click()
        guest.wait_for_url(re.compile(r"/play/"))


class TestSettingUp:
    @pytest.mark.skipif(not ROSTERS.exists(), reason="the lists lie beside the checkout")
    def test_every_list_can_be_uploaded_and_is_reported(self, open_page: OpenPage, shot: Shot) -> None:
        page = open_page("/new?edition=11")
        page.wait_for_selector("[data-test=report] >> nth=1")
        side = page.locator("fieldset.army").first
        for file in sorted(ROSTERS.iterdir()):
            army = load_army(file)
            side.locator("input[type=file]").set_input_files(file)
            report = side.locator("[data-test=report]")
            expect(report).to_contain_text(f"{army.points} points")
            expect(report).to_contain_text("Adds up" if army.reconciled else "Does not add up")
            for fault in army.unresolved[:3]:
                expect(report).to_contain_text(fault.text)
        shot(page, "upload-desk")

    def test_what_does_not_add_up_is_named_and_played_only_as_is(self, open_page: OpenPage, shot: Shot) -> None:
        page = open_page("/new?edition=3")
        page.wait_for_selector("[data-test=report] >> nth=1")
        text = sample_armies()["third-orks-500"].read_text(encoding="utf-8")
        side = page.locator("fieldset.army").nth(1)
        side.get_by_text("or paste a list").click()
        side.get_by_label("The list, as an army builder").fill(re.sub(r"(?m)^points: \d+", "points: 900", text))
        side.get_by_role("button", name="Read it").click()
        expect(side.locator("[data-test=report]")).to_contain_text("This list does not add up")
        expect(page.locator("[data-test=begin]")).to_be_disabled()
        shot(page, "does-not-add-up-desk")
        side.get_by_label("Play as is").check()
        expect(page.locator("[data-test=begin]")).to_be_enabled()

    def test_nothing_of_a_list_is_taken_for_markup(self, open_page: OpenPage) -> None:
        page = open_page("/new?edition=3")
        page.wait_for_selector("[data-test=report] >> nth=1")
        evil = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
        text = sample_armies()["third-marines-500"].read_text(encoding="utf-8")
        text = re.sub(r"(?m)^name: .*$", lambda _: f"name: {json.dumps(evil)}", text, count=1)
        side = page.locator("fieldset.army").first
        side.locator("input[type=file]").set_input_files(
            {"name": f"{evil[:40]}.yaml", "mimeType": "text/yaml", "buffer": text.encode()}
        )
        expect(side.locator("[data-test=report]")).to_contain_text("<script>document.title='taken'</script>")
        assert page.locator("main script, main img").count() == 0
        side.locator("input[type=file]").set_input_files(
            {"name": "<script>.txt", "mimeType": "text/plain", "buffer": f"{evil}\n{evil}".encode()}
        )
        expect(side.get_by_role("alert")).to_contain_text("<script>.txt: no army list of a known format")
        assert "taken" not in page.title()

    def test_the_sheet_of_options_is_kept(self, open_page: OpenPage, shot: Shot) -> None:
        page = open_page("/new?edition=3")
        page.get_by_text("options: all as the rules are usually read").click()
        page.locator("input[name=option-march_moves][value=yes]").check()
        expect(page.get_by_text("options: 1 changed")).to_be_visible()
        shot(page, "options-desk")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the sheet").click()
        assert 'march_moves: "yes"' in download.value.path().read_text(encoding="utf-8")


class TestOdds:
    def test_the_whole_question_stands_in_the_address(self, open_page: OpenPage) -> None:
        page = open_page("/odds?edition=4&attack=A1+BS4+S4+AP5+R24&models=10&target=T4+Sv5%2B+W1+x12&set=hit%3D-1")
        answer = volley("A1 BS4 S4 AP5 R24", "T4 Sv5+ W1 x12", edition="4", models=10, hit=-1)
        told = page.locator("[data-test=answer] h2").first
        expect(told).to_contain_text(f"{answer.mean_slain:.2f} models slain")
        for rule in answer.rules[:3]:
            expect(page.locator("dt", has_text=rule).first).to_be_visible()
        page.get_by_label("Models that attack").fill("20")
        expect(page).to_have_url(re.compile("models=20"))
        again = open_page(page.url.split("/", 3)[3].join(["/", ""]))
        expect(again.locator("[data-test=answer] h2").first).to_contain_text(
            f"{volley('A1 BS4 S4 AP5 R24', 'T4 Sv5+ W1 x12', edition='4', models=20, hit=-1).mean_slain:.2f} models"
        )

    def test_a_profile_that_cannot_be_read_says_where(self, open_page: OpenPage) -> None:
        page = open_page("/odds?attack=A2+BS3%2B&target=T4+Sv3%2B+W1")
        expect(page.get_by_role("alert")).to_contain_text("missing")

    def test_units_of_armies_attack_each_other(self, open_page: OpenPage, shot: Shot) -> None:
        page = open_page("/odds?edition=3")
        for number in (0, 1):
            page.get_by_label("A unit").nth(number).check()
        expect(page.locator("[data-test=answer] h2").first).to_contain_text("on average")
        expect(page).to_have_url(re.compile("unit=.*against="))
        expect(page.locator("[data-test=answer]:not(.asking)")).to_contain_text("Warlock")
        shot(page, "odds-units-desk")


class TestRules:
    def test_editions_stand_side_by_side(self, open_page: OpenPage) -> None:
        page = open_page("/rules")
        page.get_by_role("searchbox").fill("coherency")
        for edition in ("3rd", "4th", "6th", "11th"):
            section = page.locator("section", has=page.get_by_role("heading", name=f"{edition} edition"))
            expect(section.locator(".entry").first).to_be_visible()
        expect(page).to_have_url(re.compile("q=coherency"))
        page.get_by_role("checkbox", name="6th").uncheck()
        expect(page.get_by_role("heading", name="6th edition")).to_have_count(0)

    def test_what_is_typed_goes_to_the_search_box(self, open_page: OpenPage) -> None:
        page = open_page("/rules")
        expect(page.locator("section ul").first).to_be_visible()
        page.keyboard.type("cover save")
        expect(page.get_by_role("searchbox")).to_have_value("cover save")
        expect(page).to_have_url(re.compile("q=cover"))
        expect(page.locator(".entry").first).to_be_visible()
        page.get_by_role("checkbox", name="6th").focus()
        page.keyboard.type("/morale")
        expect(page.get_by_role("searchbox")).to_have_value("morale")
        page.get_by_label("Terms in").focus()
        page.keyboard.type("d")
        expect(page.get_by_role("searchbox")).to_have_value("morale")

    def test_a_list_of_another_edition_is_told_what_would_do(self, open_page: OpenPage) -> None:
        page = open_page("/new?edition=3")
        page.wait_for_selector("[data-test=report] >> nth=1")
        side = page.locator("fieldset.army").first
        side.get_by_text("or paste a list").click()
        side.get_by_role("textbox").fill(sample_armies()["fourth-orks-500"].read_text(encoding="utf-8"))
        side.get_by_role("button", name="Read it").click()
        said = side.get_by_role("alert")
        expect(said).to_contain_text("edition 4")
        expect(said).to_contain_text("BattleScribe's or New Recruit's roster of edition 3")

    def test_terms_of_the_source_stand_beside_ours(self, open_page: OpenPage) -> None:
        page = open_page("/rules?q=halálos seb")
        expect(page.locator(".entry").first).to_be_visible()
        page.get_by_label("Terms in").select_option("hu")
        expect(page.locator("i[lang=hu]").first).to_be_visible()

    def test_two_editions_are_laid_side_by_side(self, open_page: OpenPage) -> None:
        page = open_page("/rules")
        page.get_by_role("link", name="3rd and 4th").click()
        row = page.locator("[data-test=difference]", has_text="assault.may_spare")
        expect(row).to_contain_text(re.compile("3rd edition.*yes.*4th edition.*no", re.DOTALL))
        page.locator("[data-test=second-edition]").select_option("6")
        expect(page).to_have_url(re.compile("diff=3,6$"))
        expect(page.locator("[data-test=difference]").first).to_contain_text("6th edition")

    def test_an_entry_is_told_in_full(self, open_page: OpenPage) -> None:
        page = open_page("/rules?q=two-inch&edition=3")
        page.get_by_role("link", name="3e.formation.two-inch").click()
        entry = page.locator("[data-test=entry]")
        expect(entry).to_contain_text("five models in a line")
        expect(entry).to_contain_text("editions/classic/formation.py")
        page.go_back()
        expect(page.locator(".entry").first).to_be_visible()


class TestReplay:
    def test_a_saved_battle_is_stepped_through(
        self, open_page: OpenPage, saved: Path, shot: Shot, accessible: Faults, fits: Fits
    ) -> None:
        page = open_page("/replay")
        page.locator("input[type=file]").set_input_files(saved)
        expect(page.locator("[data-test=facts]")).to_contain_text("80 answers")
        slider = page.get_by_role("slider", name="Answer")
        expect(slider).to_be_focused()
        page.keyboard.press("End")
        expect(slider).to_have_value("80")
        page.get_by_role("button", name="Back by a phase").click()
        assert int(slider.input_value()) < 80
        page.keyboard.press("Tab")
        shot(page, "replay-film-desk")
        why = page.locator(".why").last
        why.click()
        expect(page.locator(".log dd").first).not_to_be_empty()
        assert accessible(page) == []
        page.set_viewport_size({"width": 360, "height": 740})
        shot(page, "replay-film-phone")
        assert fits(page) <= 0

    def test_a_battle_of_this_server_needs_no_file(self, open_page: OpenPage) -> None:
        page = open_page("/about")
        armies = [{"bundled": "third-marines-500"}, {"bundled": "third-orks-500"}]
        form = {"edition": "3", "armies": armies, "seats": ["person", "person"], "hot_seat": True}
        made = page.request.post("/api/battles", data=form).json()
        page = open_page(f"/replay?battle={made['battle']}#{made['tokens']['both']}")
        expect(page.locator("[data-test=facts]")).to_contain_text("0 answers")

    def test_a_forged_file_is_refused_by_answer(self, open_page: OpenPage, saved: Path) -> None:
        lines = saved.read_text(encoding="utf-8").splitlines(keepends=True)
        lines[7] = re.sub(r'"checksum":"\w+"', '"checksum":"' + "0" * 16 + '"', lines[7])
        page = open_page("/replay")
        page.locator("input[type=file]").set_input_files(
            {"name": "forged.jsonl", "mimeType": "application/json", "buffer": "".join(lines).encode()}
        )
        expect(page.get_by_role("alert")).to_contain_text("answer 7")
