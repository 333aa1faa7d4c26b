"""What the page asks over HTTP besides battles: editions, army lists, odds, rules, saved battles."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from battlewright.armies import load_army, sample_armies
from battlewright.core import rulebook
from battlewright.core.record import Recorder
from battlewright.editions.edition import EDITIONS, find_edition
from battlewright.odds import keys, volley
from battlewright.players import make_player
from battlewright.server.api import ROUTERS, Aside, Shelf, add_refusals
from battlewright.server.api.refusals import TooLarge, Unknown
from battlewright.start import Battle

ROSTERS = Path(__file__).resolve().parents[3] / "shared" / "rosters"
MARINES = sample_armies()["third-marines-500"].read_text(encoding="utf-8")


class Api:
    """The application, asked without a network."""

    def __init__(self) -> None:
        app = FastAPI()
        app.state.shelf, app.state.aside = Shelf(), Aside()
        for router in ROUTERS:
            app.include_router(router)
        add_refusals(app)
        self.app = app

    def ask(self, method: str, path: str, **rest: Any) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
                return await client.request(method, f"/api{path}", **rest)

        return asyncio.run(asked())

    def get(self, path: str, **query: Any) -> Any:
        answer = self.ask("GET", path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any) -> Any:
        answer = self.ask("POST", path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, method: str, path: str, status: int, **rest: Any) -> str:
        """The sentence of a refusal."""
        answer = self.ask(method, path, **rest)
        assert answer.status_code == status, answer.text
        sentence = answer.json()["error"]
        assert isinstance(sentence, str)
        assert sentence
        assert "\n" not in sentence
        return sentence


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    made = Api()
    yield made
    made.app.state.aside.close()


class TestEditions:
    def test_every_edition_tells_what_may_be_played(self, api: Api) -> None:
        told = {edition["id"]: edition for edition in api.get("/editions")}
        assert set(told) == set(EDITIONS)
        for edition in told.values():
            assert edition["missions"]
            assert all(mission["layouts"] for mission in edition["missions"])
            assert len(edition["armies"]) >= 2
        for switch in find_edition("3").switchboard().options():
            row = next(row for row in told["3"]["options"] if row["name"] == switch.name)
            assert (row["values"], row["default"], row["id"]) == (list(switch.values), switch.default, switch.rule)

    def test_words_for_a_mission_can_be_played(self, api: Api) -> None:
        told = {edition["id"]: edition for edition in api.get("/editions")}
        assert {word["name"] for word in told["11"]["mission_words"]} == {"pairing", "drawn"}
        armies = load_army("eleventh-necrons-500"), load_army("eleventh-tau-500")
        for word in told["11"]["mission_words"]:
            assert (
                Battle.start(armies, "11", mission=word["name"]).header.mission
                in find_edition("11").switchboard().missions()
            )
        assert told["3"]["mission_words"] == []

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_a_layout_can_be_drawn(self, api: Api, edition: str) -> None:
        board = find_edition(edition).switchboard()
        layout = board.layouts(board.missions()[0])[0]
        assert api.get(f"/editions/{edition}/layouts/{layout}")["width"] == board.battlefield(layout)["width"]

    def test_an_unknown_layout_or_edition_is_refused(self, api: Api) -> None:
        assert "moon" in api.refused("GET", "/editions/3/layouts/moon", 404)
        assert "edition" in api.refused("GET", "/editions/5/layouts/village", 422)

    def test_a_sheet_is_written_as_a_file(self, api: Api) -> None:
        switch = find_edition("3").switchboard().options()[0]
        sheet = api.post("/editions/3/agreement", {switch.name: switch.values[-1]})
        assert f'{switch.name}: "{switch.values[-1]}"' in sheet["text"]
        assert "no option" in api.refused("POST", "/editions/3/agreement", 422, json={"nonsense": "yes"})


class TestArmies:
    def test_a_pasted_list_is_read_and_kept(self, api: Api) -> None:
        read = api.post("/armies", {"edition": "3", "text": MARINES})
        assert read["report"]["reconciled"]
        assert read["report"]["points"] == load_army("third-marines-500").points
        assert api.get(f"/armies/{read['id']}") == read
        assert api.post("/armies", {"text": MARINES})["id"] == read["id"]

    def test_a_packed_roster_is_taken_as_base64(self, api: Api) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("list.yaml", MARINES)
        body = {"base64": base64.b64encode(packed.getvalue()).decode(), "name": "list.rosz"}
        assert api.post("/armies", body)["report"]["name"] == load_army("third-marines-500").name

    def test_a_bundled_army_goes_by_its_name(self, api: Api) -> None:
        told = api.post("/armies", {"edition": "11", "bundled": "eleventh-necrons-500"})
        assert told["id"] == "eleventh-necrons-500"
        assert told["report"]["points"] == 500

    def test_what_does_not_add_up_is_named_with_its_line(self, api: Api) -> None:
        broken = MARINES.replace("points: 511", "points: 900")
        assert broken != MARINES
        report = api.post("/armies", {"text": broken})["report"]
        assert not report["reconciled"]
        assert any("900" in each["text"] for each in report["unresolved"])

    @pytest.mark.parametrize(
        ("body", "status", "words"),
        [
            ({"text": "hello"}, 422, "format"),
            ({"text": "/etc/passwd"}, 422, "format"),
            ({"text": "third-marines-500"}, 422, "format"),
            ({"text": "  \n"}, 422, "empty"),
            ({"text": "a\0b"}, 422, "not a text"),
            ({"base64": "%%%"}, 422, "base64"),
            ({}, 422, "a list is needed"),
            ({"text": "x", "base64": "eA=="}, 422, "one of them"),
            ({"bundled": "nobody"}, 404, "nobody"),
            ({"bundled": "third-marines-500", "edition": "11"}, 422, "edition 3"),
            ({"text": "x" * 2_000_001}, 413, "2000000"),
            ({"text": "é" * 1_500_000}, 413, "2 MB"),
            ({"text": "x", "colour": "red"}, 422, "colour"),
        ],
    )
    def test_what_cannot_be_read_is_refused_in_one_sentence(
        self, api: Api, body: dict[str, Any], status: int, words: str
    ) -> None:
        assert words.lower() in api.refused("POST", "/armies", status, json=body).lower()

    def test_no_file_of_the_server_is_ever_read(self, api: Api, tmp_path: Path) -> None:
        file = tmp_path / "list.yaml"
        file.write_text(MARINES, encoding="utf-8")
        assert "Marines" not in api.refused("POST", "/armies", 422, json={"text": str(file)})

    def test_a_list_that_was_dropped_says_so(self, api: Api) -> None:
        assert "no longer" in api.refused("GET", "/armies/list-0123", 404)

    def test_the_shelf_keeps_within_its_bounds(self) -> None:
        async def fill() -> None:
            shelf = Shelf(most=2)
            texts = [MARINES.replace("points: 511", f"points: {600 + n}") for n in range(3)]
            names = [(await shelf.read(text.encode(), None, "x"))[0] for text in texts]
            assert len(set(names)) == 3
            with pytest.raises(Unknown, match="no longer"):
                await shelf.army(names[0])
            assert (await shelf.army(names[2])).edition == "3"
            with pytest.raises(TooLarge):
                await Shelf(largest=1000).read(texts[0].encode(), None, "x")

        asyncio.run(fill())

    @pytest.mark.skipif(not ROSTERS.exists(), reason="the lists lie beside the checkout")
    def test_real_lists_are_read_whatever_their_format(self, api: Api) -> None:
        for file in sorted(ROSTERS.iterdir()):
            body = {"base64": base64.b64encode(file.read_bytes()).decode(), "name": file.name}
            report = api.post("/armies", body)["report"]
            assert report["units"], file.name


class TestOdds:
    def test_the_answer_is_the_calculators(self, api: Api) -> None:
        attack, target = "A10 BS3+ S4 AP-1 D1 [LETHAL HITS]", "T4 Sv3+ W2 x10"
        told = api.post("/odds", {"attack": attack, "target": target, "settings": {"reroll_hits": "ones"}})
        answer = volley(attack, target, reroll_hits="ones")
        assert told["mean_damage"] == answer.mean_damage
        assert told["slain"] == answer.to_json()["slain"]
        assert {rule["id"] for rule in told["told_rules"]} >= set(told["rules"])
        assert [stage["name"] for stage in told["explained"]] == [stage["name"] for stage in told["stages"]]

    def test_units_of_lists_attack_each_other(self, api: Api) -> None:
        read = api.post("/armies", {"text": MARINES})
        unit = read["report"]["units"][1]["name"]
        body = {"edition": "3", "unit": unit, "army": read["id"], "against": unit, "against_army": "third-marines-500"}
        assert api.post("/odds", body)["mean_damage"] > 0

    def test_no_file_is_read_for_a_setting(self, api: Api, tmp_path: Path) -> None:
        file = tmp_path / "tables.yaml"
        file.write_text("glancing: [a, b]", encoding="utf-8")
        body = {"edition": "4", "attack": "A1 BS4 S9 AP2 R48", "target": "AV 13/11/10"}
        body |= {"settings": {"damage_tables": str(file)}}  # type: ignore[dict-item]
        assert "is no damage table" in api.refused("POST", "/odds", 422, json=body)

    def test_a_datasheet_attacks_a_profile(self, api: Api) -> None:
        told = api.post("/odds", {"unit": "Intercessor Squad", "target": "T4 Sv3+ W2 x10", "models": 10})
        assert told["mean_damage"] > 0

    def test_a_question_too_large_to_be_exact_is_rolled_so_often_that_it_ends(self, api: Api) -> None:
        groups = " + ".join(f"T{toughness} Sv{save}+ W3 x9" for toughness, save in ((3, 6), (4, 5), (5, 4), (6, 3)))
        attack = "A8 BS2+ S8 AP-1 DD3 [DEVASTATING WOUNDS, SUSTAINED HITS 2]"
        told = api.post("/odds", {"attack": attack, "target": groups, "models": 100})
        assert 2_000 <= told["trials"] < 10_000

    @pytest.mark.parametrize("edition", EDITIONS)
    def test_every_setting_is_told_with_what_it_takes(self, api: Api, edition: str) -> None:
        told = api.get("/odds/keys", edition=edition)
        files = {key for key, text in keys(edition).items() if text.startswith("FILE")}
        assert [each["key"] for each in told] == [key for key in keys(edition) if key not in files]
        kinds = {each["key"]: each["kind"] for each in told}
        assert kinds["hit"] == "modifier"
        assert kinds["reroll_hits"] == "choice"
        assert kinds["range"] == "number"
        assert kinds["moved"] == "flag"

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ({"attack": "A2", "target": "T4 Sv3+ W1"}, "missing"),
            ({"target": "T4 Sv3+ W1"}, "attack or unit"),
            ({"attack": "A2 BS3+ S4 AP0 D1", "target": "T4 Sv3+ W1", "settings": {"covr": True}}, "cover"),
            ({"attack": "A2 BS3+ S4 AP0 D1", "target": "T4 Sv3+ W1", "settings": {"seed": 1}}, "no setting"),
            ({"attack": "A2 BS3+ S4 AP0 D1", "target": "T4 Sv3+ W1", "edition": "5"}, "edition"),
            ({"unit": "Nobody At All", "target": "T4 Sv3+ W1"}, "Nobody"),
            ({"attack": "A2 BS3+ S4 AP0 D1", "target": "T4 Sv3+ W1", "sample": 10**9}, "sample"),
            ({"attack": "A2 BS3+ S4 AP0 D1", "target": "T4 Sv3+ W1", "weapon": "bolter"}, "weapon"),
            ({"attack": "A100 BS3+ S4 AP0 D1 x50", "target": "T4 Sv3+ W1"}, "5000 attacks"),
        ],
    )
    def test_what_cannot_be_answered_is_refused_in_one_sentence(
        self, api: Api, body: dict[str, Any], words: str
    ) -> None:
        assert words.lower() in api.refused("POST", "/odds", 422, json=body).lower()


class TestRules:
    def test_a_search_stands_side_by_side(self, api: Api) -> None:
        told = api.get("/rules", q="coherency", limit=3)["editions"]
        assert list(told) == list(rulebook.EDITIONS)
        assert all(len(found["entries"]) <= 3 <= found["count"] for found in told.values() if found["count"] > 3)
        assert {entry["edition"] for entry in told["4"]["entries"]} == {"4"}

    def test_a_term_of_the_source_language_finds_its_rules(self, api: Api) -> None:
        told = api.get("/rules", q="halálos seb", lang="hu")["editions"]["11"]
        assert told["count"]
        assert "mortal wound" in json.dumps(told["entries"])

    def test_an_entry_is_told_in_full(self, api: Api) -> None:
        told = api.get("/rules/3e.formation.two-inch")
        assert told["given"]
        assert told["code"]
        assert told["covered"]

    def test_chapters_hold_their_entries(self, api: Api) -> None:
        rows = api.get("/rules/chapters", edition="3")["3"]
        assert [row["id"] for row in rows] == [chapter.id for chapter in rulebook.chapters("3")]
        inside = api.get(f"/rules/chapters/3/{rows[0]['id']}")
        assert all(entry["chapter"] == rows[0]["title"] for entry in inside)
        assert inside

    def test_the_glossary_stands_by_language_and_edition(self, api: Api) -> None:
        told = api.get("/rules/glossary")
        assert set(told) <= set(rulebook.LANGUAGES)
        assert "Modell" in told["de"]["3"]["model"]

    def test_editions_are_named_as_they_are_read(self, api: Api) -> None:
        told = {each["id"]: each for each in api.get("/rules/editions")}
        assert {each: row["ordinal"] for each, row in told.items()} == {
            "3": "3rd",
            "4": "4th",
            "6": "6th",
            "11": "11th",
        }
        assert told["3"]["title"] == "3rd edition"
        assert [each for each, row in told.items() if row["compares"]] == ["3", "4", "6"]

    def test_what_two_editions_decide_otherwise_is_what_the_command_tells(self, api: Api) -> None:
        told = api.get("/rules/differences/3/4")
        rows = {row["entry"]: row for chapter in told["chapters"].values() for row in chapter}
        assert rows.keys() == find_edition("3").diff(find_edition("4")).keys()
        assert rows["assault.may_spare"]["about"]
        assert [rows["assault.may_spare"][side]["does"] for side in ("first", "second")] == ["yes", "no"]
        assert rows["assault.alike"]["about"] == ""
        assert rows["assault.alike"]["second"]["rules"] == ["4e.core.assault.majority"]
        assert api.get("/rules/differences/4/4")["chapters"] == {}

    def test_an_edition_without_a_table_is_not_compared(self, api: Api) -> None:
        assert "11th edition" in api.refused("GET", "/rules/differences/6/11", 422)
        assert "edition" in api.refused("GET", "/rules/differences/6/5", 422)

    def test_coverage_is_the_committed_one(self, api: Api) -> None:
        assert api.get("/rules/coverage", edition="4")["4"]["ledger"]["entries"] > 0

    def test_what_is_unknown_is_refused_with_the_nearest(self, api: Api) -> None:
        assert "3e.formation.two-inch" in api.refused("GET", "/rules/3e.formation.two-inhc", 404)
        assert "edition" in api.refused("GET", "/rules?q=x&edition=5", 422)
        assert "glossary" in api.refused("GET", "/rules?q=x&lang=fr", 422)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    armies = load_army("third-marines-500"), load_army("third-orks-500")
    battle = Battle.start(armies, "3", seed=5)
    player = make_player("default", "3")
    file = tmp_path_factory.mktemp("saves") / "battle.save"
    recorder = Recorder(file, battle.header)
    for _ in range(25):
        assert battle.decision is not None
        battle.answer(player.decide(battle.seat(battle.decision.side)))
        recorder.append(battle.record[-1])
    recorder.close()
    return file.read_text(encoding="utf-8")


class TestReplay:
    def test_a_saved_battle_becomes_a_film(self, api: Api, saved: str) -> None:
        film = api.post("/replay", {"text": saved})
        assert film["answers"] == 25
        assert [moment["n"] for moment in film["moments"]] == list(range(26))
        assert len(film["scene"]["models"]) == sum(len(unit["rows"]) for unit in film["units"])
        assert film["scene"]["battlefield"]["width"] == film["table"]["width"]

    def test_a_forged_answer_is_found(self, api: Api, saved: str) -> None:
        lines = saved.splitlines()
        digest = json.loads(lines[5])["checksum"]
        lines[5] = lines[5].replace(digest, "0" * 16)
        forged = "\n".join(lines) + "\n"
        assert "answer 5" in api.refused("POST", "/replay", 422, json={"text": forged})

    @pytest.mark.parametrize(
        ("text", "status", "words"),
        [("hello\n", 422, "JSON"), ("{}\n", 422, "header"), ("", 422, "text"), ("x" * 16_000_001, 413, "16000000")],
    )
    def test_what_is_no_battle_is_refused(self, api: Api, text: str, status: int, words: str) -> None:
        assert words in api.refused("POST", "/replay", status, json={"text": text})
