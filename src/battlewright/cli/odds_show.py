"""Answers of odds in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table
from rich.text import Text

from battlewright.cli.common import say, screen
from battlewright.odds.measures import Measure, distribution, quantile
from battlewright.report.chances import bars, bars_beside

if TYPE_CHECKING:
    from battlewright.odds import Answer, Comparison, Explained

__all__ = ["show_answer", "show_comparison", "show_explained"]

_PARTS = ((Measure.SLAIN, "models slain"), (Measure.DAMAGE, "wounds removed"))


def show_answer(answer: Answer) -> None:
    """Print an answer: what happens on average, bar charts, and the stages."""
    console = screen()
    console.print(_asked(answer))
    console.print(Text(_average(answer)))
    for measure, name in _PARTS:
        chances = _whole(answer, measure)
        low, middle, high = (quantile(distribution(answer, measure), share) for share in (0.25, 0.5, 0.75))
        console.print()
        told = f"{name}, probability, probability of so many or more; quartiles {low:g}, {middle:g}, {high:g}"
        console.print(Text(told, style="dim"))
        for line in bars(chances):
            console.print(Text(line))
    console.print()
    if answer.odds.effects:
        console.print(Text("suffered at least once, probability", style="dim"))
        for name, times in answer.odds.effects.items():
            console.print(Text(f"{1.0 - float(times[0]):6.1%}  {name}"))
        console.print()
    console.print(_stages(answer))
    _tell_rest(answer)


def show_comparison(comparison: Comparison) -> None:
    """Print two answers side by side, and how often which does better."""
    console = screen()
    for label, name in zip("AB", comparison.names, strict=True):
        console.print(Text.assemble((f"{label}  ", "bold"), name))
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("", "A, average", "B, average", "A does better", "equal", "B does better"):
        table.add_column(column, justify="right" if column else "left")
    for measure, better in comparison.better.items():
        chances = (f"{p:.1%}" for p in (better.first, better.equal, better.second))
        table.add_row(_called(measure), *(f"{mean:.2f}" for mean in better.means), *chances)
    destroyed = (f"{answer.p_destroyed:.1%}" for answer in (comparison.first, comparison.second))
    table.add_row("target destroyed", *destroyed, "", "", "")
    console.print(table)
    for measure, name in _PARTS:
        console.print(Text(f"{name}, probability", style="dim"))
        for line in bars_beside(_whole(comparison.first, measure), _whole(comparison.second, measure)):
            console.print(Text(line))
        console.print()


def show_explained(answer: Answer, explained: Sequence[Explained]) -> None:
    """Print each stage of an answer: its numbers, what the dice mean, and the rules in our own words."""
    from battlewright.core.rulebook import entry

    console = screen()
    console.print(_asked(answer))
    told: set[str] = set()
    several = len({each.stage.volley for each in explained if each.stage.volley}) > 1
    for each in explained:
        stage = each.stage
        name = f"{stage.volley}: {stage.name}" if several and stage.volley else stage.name
        critical = f", {stage.critical:.3f} of them critical" if stage.critical else ""
        console.print()
        console.print(Text.assemble((name, "bold"), f"  {stage.rolled:.3f} -> {stage.passed:.3f}{critical}"))
        for line in each.says:
            console.print(Text(f"  {line}"))
        for rule in each.rules:
            text = "as above" if rule in told else entry(rule).rule
            console.print(Text.assemble("    ", (rule, "cyan"), f"  {text}"))
            told.add(rule)
    console.print()
    console.print(Text(_average(answer)))


def _asked(answer: Answer) -> Text:
    settings = f"  ({answer.told_settings})" if answer.told_settings else ""
    return Text.assemble((answer.attack, "bold"), " against ", (answer.target, "bold"), settings)


def _average(answer: Answer) -> str:
    points = answer.odds.expected_points
    worth = f", {points:.1f} points" if points else ""
    return (
        f"{answer.mean_damage:.2f} wounds and {answer.mean_slain:.2f} models on average{worth}, "
        f"{answer.p_destroyed:.1%} to destroy the target"
    )


def _called(measure: Measure) -> str:
    return dict(_PARTS).get(measure, "points destroyed")


def _whole(answer: Answer, measure: Measure) -> dict[int, float]:
    return {int(number): p for number, p in distribution(answer, measure).items()}


def _stages(answer: Answer) -> Any:
    table = Table(box=box.SIMPLE_HEAD, title="expected numbers", title_justify="left", title_style="dim")
    for column in ("stage", "rolled", "passed", "critical"):
        table.add_column(column, justify="left" if column == "stage" else "right")
    several = len({stage.volley for stage in answer.stages if stage.volley}) > 1
    for stage in answer.stages:
        name = f"{stage.volley}: {stage.name}" if several and stage.volley else stage.name
        numbers = (stage.rolled, stage.passed, stage.critical or None)
        table.add_row(Text(name), *("" if number is None else f"{number:.3f}" for number in numbers))
    return table


def _tell_rest(answer: Answer) -> None:
    for point, alternative in answer.odds.choices.items():
        say(f"choice: {point}: {alternative}")
    if answer.odds.trials:
        say(_sampled(answer))
    if answer.rules:
        say(f"rules: {', '.join(answer.rules)}")


def _sampled(answer: Answer) -> str:
    errors = answer.errors
    told = (
        f"sampled: {answer.odds.trials} trials; standard errors {errors['mean_damage']:.2g} wounds, "
        f"{errors['mean_slain']:.2g} models, {errors['p_destroyed']:.2g} to destroy"
    )
    return told if answer.asked_trials else f"{told}; too large for exact odds"
