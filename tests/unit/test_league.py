"""Leagues: what is played, that it repeats, and what the table says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from battlewright.armies import load_army
from battlewright.core.errors import BadInput
from battlewright.simulate import Game, play_league, standings
from support.commands import Run, assert_bad_input
from support.small_armies import write_armies

NECRONS, TAU = load_army("eleventh-necrons-500"), load_army("eleventh-tau-500")


def test_a_league_changes_sides_and_layouts_and_repeats_by_seed() -> None:
    games = list(play_league([NECRONS, TAU], 4, players="random", seed=3, jobs=1))
    assert [game.armies for game in games] == [
        (NECRONS.name, TAU.name),
        (TAU.name, NECRONS.name),
        (NECRONS.name, TAU.name),
        (TAU.name, NECRONS.name),
    ]
    assert len({game.seed for game in games}) == 4
    assert len({game.layout for game in games}) == 2
    assert games == list(play_league([NECRONS, TAU], 4, players="random", seed=3, jobs=2))
    assert games != list(play_league([NECRONS, TAU], 4, players="random", seed=4, jobs=1))


def test_the_table_counts_draws_as_halves_and_says_how_sure_it_is() -> None:
    won = Game(1, "", ("A", "B"), "A", (30, 10), 5, 1, "")
    games = [won, replace(won, winner="B", score=(10, 20)), replace(won, winner=None, score=(9, 9)), won]
    first, second = standings(games)
    assert (first.army, first.wins, first.draws, first.losses) == ("A", 2, 1, 1)
    assert first.share == pytest.approx(0.625)
    assert first.error == pytest.approx(((2 + 0.25) / 4 - 0.625**2) ** 0.5 / 2)
    assert (first.difference, second.difference) == (7.5, -7.5)


@pytest.mark.parametrize(
    ("armies", "games", "backend", "message"),
    [
        ([NECRONS], 1, "local", "two or more armies"),
        ([NECRONS, NECRONS], 1, "local", "different names"),
        ([NECRONS, TAU], 0, "local", "0 games"),
        ([NECRONS, TAU], 1, "cloud", "local or ray"),
    ],
)
def test_a_league_that_cannot_be_played_is_refused(armies: list, games: int, backend: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        list(play_league(armies, games, players="random", backend=backend))


def test_the_command_prints_the_table_and_writes_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from battlewright.cli import main

    out = tmp_path / "games.jsonl"
    arguments = ["league", "eleventh-necrons-500", "eleventh-tau-500", "--games", "2", "--players", "random"]
    with pytest.raises(SystemExit) as caught:
        main([*arguments, "--out", str(out), "--json"])
    assert not caught.value.code
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 2
    assert {row["army"] for row in told["standings"]} == {NECRONS.name, TAU.name}
    assert len(out.read_text().splitlines()) == 2


class TestCommand:
    ARMIES = ("eleventh-necrons-500", "eleventh-tau-500")
    LEAGUE = (*ARMIES, "--games", "2", "--players", "default", "--seed", "4", "--json")

    def test_an_interrupted_league_goes_on_where_it_ended(self, run: Run, tmp_path: Path) -> None:
        out = tmp_path / "games.jsonl"
        whole = json.loads(run("league", *self.LEAGUE, "--out", str(out)).out)
        text = out.read_text(encoding="utf-8")
        out.write_text(text[:-20], encoding="utf-8")
        assert json.loads(run("league", *self.LEAGUE, "--out", str(out)).out) == whole
        assert out.read_text(encoding="utf-8") == text

    def test_a_file_of_other_games_is_refused_and_left_alone(self, run: Run, tmp_path: Path) -> None:
        out = tmp_path / "games.jsonl"
        run("league", *self.LEAGUE, "--out", str(out))
        before = out.read_bytes()
        assert_bad_input(run("league", *self.ARMIES, "--games", "2", "--seed", "5", "--out", str(out), "--json"))
        assert out.read_bytes() == before
        for content in ("hello\n", "hello", "[]\n", "{}\n"):
            out.write_text(content, encoding="utf-8")
            assert_bad_input(run("league", *self.LEAGUE, "--out", str(out)))
            assert out.read_text(encoding="utf-8") == content

    def test_a_list_that_does_not_add_up_stops_it(self, run: Run, tmp_path: Path) -> None:
        green, gold = write_armies(tmp_path)
        path = Path(green)
        path.write_text(path.read_text(encoding="utf-8").replace("points: 160", "points: 500"), encoding="utf-8")
        assert_bad_input(run("league", green, gold, "--games", "1", "--players", "default"))
        assert run("league", green, gold, "--games", "1", "--players", "default", "--as-is").code == 0

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--games", "0"),
            ("--players", "nobody"),
            ("--backend", "nowhere"),
            ("--edition", "12"),
            ("--mission", "nowhere"),
            ("--option", "nothing=1"),
            ("--seed", "-1"),
            ("--out", "no/such/folder/x"),
        ],
    )
    def test_bad_input(self, run: Run, arguments: tuple[str, ...]) -> None:
        assert_bad_input(run("league", *self.ARMIES, *arguments))


def test_the_best_player_of_an_edition_is_the_one_that_plans_where_there_is_one() -> None:
    from battlewright.players import best_player

    assert [best_player(edition) for edition in ("3", "4", "6", "11")] == ["heuristic"] * 4
