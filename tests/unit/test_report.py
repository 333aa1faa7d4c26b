"""A battle told as text, as a drawing and as a page."""

from __future__ import annotations

import io
import json
import random
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from typing import Any

import pytest
from rich.console import Console

import battlewright as bw
import battlewright.report.eleventh
from battlewright.core.bases import Base
from battlewright.core.battle import Battle
from battlewright.core.decisions import Side
from battlewright.core.dice import Modifier, Reroll, Roll
from battlewright.core.events import Event, ModelsMoved, ModelsRemoved, PhaseBegan, Rolled, event_kinds
from battlewright.core.header import Result
from battlewright.core.table import Battlefield
from battlewright.editions.eleventh import events as eleventh
from battlewright.report.board import Drawing, Placed, board_svg, draw_model
from battlewright.report.film import Film
from battlewright.report.narrate import Level, Names, Narrator, formatted_kinds
from battlewright.report.page import battle_page
from battlewright.report.terminal import BattleView, result_in_words
from support.small_armies import GOLD, GREEN

A, B = Side(0), Side(1)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def names() -> Names:
    return Names.of_armies((bw.load_army(GREEN).for_side("a"), bw.load_army(GOLD).for_side("b")))


def play(watch: Any) -> Battle[Any, Any]:
    battle = bw.start_battle((bw.load_army(GREEN), bw.load_army(GOLD)), seed=3)
    watch(battle)
    rng = random.Random(1)
    while battle.decision:
        battle.answer(battle.decision.sample(rng))
        watch(battle)
    return battle


class TestNarrator:
    @pytest.mark.parametrize(
        ("event", "text"),
        [
            (PhaseBegan(name="end-of-turn", round=2, turn=B), "Round 2, Adeptus Custodes: end of turn"),
            (PhaseBegan(name="setup", round=0, turn=A), "Setup"),
            (
                Rolled(roll=Roll("charge", 6, (2, 5), (Reroll(0, 2, 6),), (Modifier("r", -1),)), side=A, unit="a.1"),
                "Boyz: charge roll, 2 5 (2D6); a 2 again: 6; -1 (r)",
            ),
            (
                ModelsMoved(
                    unit="a.1", how="fall-back", paths=((0, ((0, 0, 0, 0), (3000, 4000, 0, 0), (3000, 5200, 0, 0))),)
                ),
                'Boyz: fall back move of up to 6.2"',
            ),
            (
                ModelsMoved(unit="a.1", how="normal", paths=((0, ((0, 0, 0, 0), (0, 0, 0, 0))),)),
                "Boyz: no move",
            ),
            (
                ModelsMoved(unit="b.1", how="set-up", paths=((6, ((0, 0, 0, 0),)),)),
                "Custodian Guard: set up, 1 model",
            ),
            (ModelsRemoved(unit="a.1", models=(0, 1), why="destroyed"), "Boyz: 2 × Boyz destroyed"),
            (
                eleventh.StageResolved(
                    unit="a.1",
                    target="b.1",
                    weapon="Shoota",
                    stage="hit",
                    faces=(6, 1, 4),
                    needed=5,
                    outcomes=(("critical-hit", 1), ("hit", 0), ("miss", 2)),
                    modifiers=(("cover", -1),),
                ),
                "Shoota, hit: 6 1 4, 5+ needed, -1 cover → 1 critical hit, 2 misses",
            ),
            (
                eleventh.StageResolved(
                    unit="a.1",
                    target="b.1",
                    weapon="Zzap gun",
                    stage="penetration-second",
                    faces=(2,),
                    needed=4,
                    outcomes=(("no effect", 1),),
                    modifiers=(("3e.core.vehicles.penetration", 8),),
                ),
                "Zzap gun, penetration, second die: 2, 4+ needed, +8 Strength → 1 without effect",
            ),
            (
                eleventh.StageResolved(
                    unit="a.1",
                    target="b.1",
                    weapon="Shoota",
                    stage="hit",
                    faces=(6,),
                    needed=5,
                    outcomes=(("hit", 1),),
                    modifiers=(("11e.24.16-heavy.plus-one-to-hit", 1), ("11e.core.17.03-penalty", -1)),
                ),
                "Shoota, hit: 6, 5+ needed, +1 heavy, -1 penalty → 1 hit",
            ),
            (eleventh.BattleShocked(unit="a.1"), "Boyz: battle-shocked"),
            (
                eleventh.AttacksLost(unit="a.1", weapons=("Slugga", "Slugga", "Shoota")),
                "Boyz: nothing comes of 2 × Slugga, Shoota, no target is left in reach",
            ),
            (
                eleventh.AttacksMade(unit="a.1", target="b.1", wounds_lost=3, slain=1),
                "Boyz, attacks on Custodian Guard: 3 wounds lost, 1 model slain",
            ),
            (
                eleventh.AttacksMade(unit="a.1", target="b.1", wounds_lost=0, slain=0),
                "Boyz, attacks on Custodian Guard: no wounds lost",
            ),
            (
                eleventh.WoundsLost(unit="a.2", model=5, lost=1, left=5, why="mortal-wounds"),
                "Warboss <b>Gork</b>: 1 wound lost, 5 left (mortal wounds)",
            ),
            (
                eleventh.BattleShockTested(unit="a.1", faces=(1, 2), leadership=7, battle_shocked=True),
                "Boyz: battle-shocked, 1 2 against Leadership 7+",
            ),
            (
                eleventh.ObjectiveControlChanged(objective="central", side=None, levels=(2, 2)),
                "Objective central: controlled by nobody, Level of Control 2 to 2",
            ),
            (eleventh.Marked(side=B, what="condemned", place="a.1"), "Adeptus Custodes: Boyz, condemned"),
            (
                eleventh.Unmarked(side=B, what="marker", place="area:07"),
                "Adeptus Custodes: marker removed from terrain area 07",
            ),
            (
                eleventh.SecondariesChosen(side=B, mode="fixed", cards=("assassination", "bring-it-down")),
                "Adeptus Custodes: fixed secondary missions: Assassination and Bring it Down",
            ),
            (eleventh.CardDrawn(side=B, card="no-prisoners"), "Adeptus Custodes: No Prisoners drawn"),
            (
                eleventh.CardDiscarded(side=B, card="cleanse", why="shuffled-back"),
                "Adeptus Custodes: Cleanse shuffled back",
            ),
        ],
    )
    def test_an_event_in_words(self, names: Names, event: Event, text: str) -> None:
        assert [line.text for line in Narrator(names).tell(event)] == [text]

    def test_every_kind_of_event_has_words_of_its_own(self) -> None:
        known = {kind for kind in event_kinds().values() if kind.__module__.startswith("battlewright.")}
        assert known - formatted_kinds() == set()

    def test_an_event_without_words_is_told_by_its_fields(self, names: Names) -> None:
        @dataclass(frozen=True, slots=True, kw_only=True)
        class NobodyKnows(Event):
            number: int

        assert [line.text for line in Narrator(names).tell(NobodyKnows(number=3))] == ["nobody knows: number 3"]

    def test_what_a_side_may_not_see_is_not_told_to_it(self, names: Names) -> None:
        secret = ModelsRemoved(unit="a.1", models=(0,), why="destroyed", seen_by=A)
        assert list(Narrator(names, seen_by=A).tell(secret))
        assert list(Narrator(names).tell(secret))
        assert not list(Narrator(names, seen_by=B).tell(secret))

    def test_levels_nest(self, names: Names) -> None:
        film = Film()
        battle = play(film)
        told = [[line.text for line in Narrator(names).tell_all(battle.events, level)] for level in Level]
        assert 0 < len(told[0]) < len(told[1]) <= len(told[2])
        assert [text for text in told[1] if text in set(told[0])] == told[0]

    def test_units_that_share_a_name_are_numbered(self) -> None:
        twice = GREEN.replace("Warboss <b>Gork</b>", "Boyz")
        names = Names.of_armies((bw.load_army(twice).for_side("a"), bw.load_army(GOLD).for_side("b")))
        assert names.unit("a.1") == "Boyz 1"
        assert names.unit("a.2") == "Boyz 2"
        assert names.unit("b.1") == "Custodian Guard"


class TestTerminal:
    @pytest.mark.parametrize("terminal", [True, False])
    def test_the_whole_battle_is_told_whatever_the_terminal(self, names: Names, terminal: bool) -> None:
        console = Console(file=io.StringIO(), force_terminal=terminal, width=200, height=60, color_system=None)
        with BattleView(console, Level.ROLLS) as view:
            battle = play(view)
        assert isinstance(console.file, io.StringIO)
        printed = console.file.getvalue()
        for line in Narrator(names).tell_all(battle.events, Level.ROLLS):
            if not line.heading:
                assert line.text in printed
        assert ("◎" in printed) is terminal

    def test_headings_with_nothing_under_them_are_left_out(self) -> None:
        console = Console(file=io.StringIO(), width=200)
        with BattleView(console, Level.BRIEF) as view:
            play(view)
        assert isinstance(console.file, io.StringIO)
        lines = [line for line in console.file.getvalue().splitlines() if line]
        headings = [index for index, line in enumerate(lines) if not line.startswith("▌")]
        assert all(index + 1 not in headings for index in headings)

    def test_a_result_in_words(self, names: Names) -> None:
        assert (
            result_in_words(Result(B, (10, 40), 5), names) == "Victory for Adeptus Custodes, 40 to 10, after 5 rounds."
        )
        assert result_in_words(Result(None, (10, 10), 5), names) == "A draw, 10 to 10, after 5 rounds."


class TestDrawing:
    @pytest.mark.parametrize("drawing", [Drawing(60, 44), Drawing(44, 60)])
    def test_a_model_looks_where_it_faces_and_is_not_mirrored(self, drawing: Drawing) -> None:
        """A turn of the whole table: the matrix takes front and left to where the points beside the model are drawn."""
        placed = drawing.placing(10, 20, 30)
        a, b, c, d, e, f = (float(value) for value in placed.removeprefix("matrix(").removesuffix(")").split())
        for ahead, left in ((1, 0), (0, 1)):
            x = 10 + ahead * 0.8660254 - left * 0.5
            y = 20 + ahead * 0.5 + left * 0.8660254
            assert (a * ahead + c * left + e, b * ahead + d * left + f) == pytest.approx(drawing.at(x, y), abs=0.002)

    def test_a_high_table_is_turned_and_never_mirrored(self) -> None:
        assert Drawing(44, 60).size == (60, 44)
        assert not Drawing(60, 44).turned
        for drawing in (Drawing(60, 44), Drawing(44, 60)):
            (ox, oy), (ex, ey), (nx, ny) = drawing.at(0, 0), drawing.at(1, 0), drawing.at(0, 1)
            assert (ex - ox) * (ny - oy) - (ey - oy) * (nx - ox) == -1

    @pytest.mark.parametrize(
        ("base", "shape", "sizes"),
        [
            ("25.4mm", "circle", {"r": "0.5000"}),
            ("50.8x25.4mm", "ellipse", {"rx": "1.0000", "ry": "0.5000"}),
            ("hull 4x2in", "polygon", {"points": "2.0000,1.0000 -2.0000,1.0000 -2.0000,-1.0000 2.0000,-1.0000"}),
        ],
    )
    def test_bases_are_drawn_to_scale(self, base: str, shape: str, sizes: dict[str, str]) -> None:
        model = ElementTree.fromstring(draw_model(Placed(3, 0, Base.parse(base), 1, 2, 0), Drawing(60, 44)))
        drawn = model.find(shape)
        assert drawn is not None
        assert {name: drawn.get(name) for name in sizes} == sizes

    def test_the_drawing_is_well_formed_whatever_the_names(self) -> None:
        board = bw.start_battle((bw.load_army(GREEN), bw.load_army(GOLD))).header.battlefield
        field = Battlefield.from_json({**board, "name": 'A "table" <script>'})
        svg = ElementTree.fromstring(
            board_svg(
                field,
                [Placed(0, 1, Base.parse("32mm"), 5, 5, 0, title="<b>&</b>", is_character=True)],
                names=[("<Boyz> & co", 5, 5)],
                held=[(field.objectives[0].id, 1)],
            )
        )
        assert len(svg.findall(f".//{SVG}polygon[@class]")) >= len(field.areas)
        texts = [text.text for text in svg.iter(f"{SVG}text")]
        assert "<Boyz> & co" in texts
        objectives = svg.findall(f".//{SVG}g[@data-objective]")
        assert [each.get("class") for each in objectives][:2] == ["objective b", "objective "]


@pytest.fixture(scope="module")
def seen() -> tuple[Film, Battle[Any, Any]]:
    film = Film()
    return film, play(film)


@pytest.fixture
def film(seen: tuple[Film, Battle[Any, Any]]) -> Film:
    return seen[0]


@pytest.fixture
def battle(seen: tuple[Film, Battle[Any, Any]]) -> Battle[Any, Any]:
    return seen[1]


class TestFilmAndPage:
    def test_the_moments_add_up_to_the_final_state(self, film: Film, battle: Battle[Any, Any]) -> None:
        models: dict[int, tuple[int, ...]] = {}
        for moment in film.moments:
            models |= {row: tuple(values) for row, *values in moment.changed}
        assert len(film.moments) == len(battle.record) + 1
        for row in range(len(battle.state.wounds)):
            x, y, z, facing = (int(value) for value in battle.state.position[row])
            expected = (x, y, z, facing, int(battle.state.wounds[row]), int(battle.state.on_table[row]))
            assert models[row] == expected
        assert [event for moment in film.moments for event in moment.events] == battle.events
        assert film.moments[-1].vp == battle.state.vp

    def test_choices_are_told_with_the_label_of_what_was_picked(self, film: Film) -> None:
        assert any(moment.choice.endswith(": Custodian Guard") for moment in film.moments)

    def test_the_page_needs_nothing_from_elsewhere_and_holds_no_markup_of_others(
        self, film: Film, battle: Battle[Any, Any]
    ) -> None:
        page = battle_page(film, battle.result)
        assert not re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?(?!data:)[a-z]+:""", page)
        assert "Warboss <b>" not in page
        assert "[red]friends" in page
        assert "@@" not in page
        assert "not affiliated" in page

    def test_its_data_says_what_the_film_does(self, film: Film, battle: Battle[Any, Any]) -> None:
        page = battle_page(film, battle.result)
        text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
        assert text is not None
        data = json.loads(text[1])
        assert len(data["moments"]) == len(film.moments)
        assert [unit["name"] for unit in data["units"]] == ["Boyz", "Warboss <b>Gork</b>", "Custodian Guard"]
        assert sorted(row for unit in data["units"] for row in unit["rows"]) == list(range(10))
        cited = {rule for moment in data["moments"] for line in moment["lines"] for rule in line["r"]}
        assert cited
        assert set(data["rules"]) == cited
        assert page.count('data-row="') == 10

    def test_an_empty_film_has_no_page(self) -> None:
        with pytest.raises(ValueError, match="nothing"):
            battle_page(Film())
