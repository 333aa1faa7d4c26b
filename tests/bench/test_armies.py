"""How long it takes to read a list once the data set is loaded (goal: 5 ms)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from battlewright.armies import load_army, sample_armies
from battlewright.armies.dataset import data_set

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

UNITS = (("Overlord", 90, "Staff of light"), ("Plasmancer", 60, "Plasmic lance"))
HORDES = (("Necron Warriors", 190, 20, "Gauss flayer"), ("Immortals", 140, 10, "Tesla carbine"))
BODY = "".join(f"1x {name} ({points} pts): {weapon}\n" for name, points, weapon in UNITS) + "".join(
    f"{count}x {name} ({points} pts): {count} with {weapon}, Close combat weapon\n"
    for name, points, count, weapon in HORDES
)
LIST = (
    "+++\n+ FACTION KEYWORD: Xenos - Necrons\n+ DETACHMENT: Awakened Dynasty\n+ FORCE DISPOSITION: Take and Hold\n"
    f"+ TOTAL ARMY POINTS: 1920pts\n+ NUMBER OF UNITS: 16\n+++\n\n{BODY * 4}"
)


def test_a_list_of_sixteen_units(benchmark: BenchmarkFixture) -> None:
    data_set()
    army = benchmark(load_army, LIST)
    assert army.reconciled


def test_an_army_file(benchmark: BenchmarkFixture) -> None:
    army = benchmark(load_army, sample_armies("11")["eleventh-marines-1000"])
    assert army.reconciled
