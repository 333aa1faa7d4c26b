"""``battlewright odds``: what an attack does, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from battlewright.cli.common import AsJson, Edition, check_seed, edition_of, key_values, print_json, say, screen
from battlewright.core.errors import BadInput

if TYPE_CHECKING:
    from battlewright.odds import Answer

__all__ = ["add_to"]

_EFFECTS = 6


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("odds")(_odds)


def _odds(
    edition: Edition = "11",
    attack: Annotated[str | None, typer.Option(metavar="PROFILE", help='"A2 BS3+ S4 AP-1 D1 [HEAVY]".')] = None,
    unit: Annotated[
        str | None, typer.Option(metavar="NAME", help="A unit that attacks, in place of a profile.")
    ] = None,
    weapon: Annotated[str | None, typer.Option(metavar="NAME", help="The unit's only weapon.")] = None,
    target: Annotated[str | None, typer.Option(metavar="PROFILE", help='"T4 Sv3+ W2 x10 {INFANTRY}".')] = None,
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="A unit as target, in place of a profile.")
    ] = None,
    models: Annotated[int | None, typer.Option(metavar="N", help="Models that attack.")] = None,
    target_models: Annotated[int | None, typer.Option(metavar="N", help="Models of the target.")] = None,
    distance: Annotated[float | None, typer.Option("--range", metavar="INCHES", help="To the target.")] = None,
    cover: Annotated[bool, typer.Option("--cover", help="The target has the benefit of cover.")] = False,
    moved: Annotated[bool, typer.Option("--moved", help="The attacker has moved.")] = False,
    charged: Annotated[bool, typer.Option("--charged", help="The attacker has charged.")] = False,
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="See --keys; repeatable.")] = None,
    keys: Annotated[bool, typer.Option("--keys", help="List the settings that --set takes.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the distributions.")] = None,
    sample: Annotated[int | None, typer.Option(metavar="N", min=1, help="Roll N times instead.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the samples.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Say what an attack does to a target: damage, models slain, stage by stage, exactly."""
    wanted = edition_of(edition)
    if keys:
        _show_keys(wanted, as_json)
        return
    attacker = _one_of(attack, unit, "--attack", "--unit")
    defender = _one_of(target, against, "--target", "--against")
    if weapon is not None and unit is None:
        raise BadInput("--weapon goes with --unit", where="--weapon", expected="--unit NAME")
    settings: dict[str, Any] = key_values(setting or [], "--set")
    for name, value in (("range", distance), ("cover", cover), ("moved", moved), ("charged", charged)):
        if value or (name == "range" and value is not None):
            settings.setdefault(name, value)
    if unit is not None:
        attacker, models = _unit(attacker, wanted, models, weapon), None
    if against is not None:
        defender, target_models = _unit(defender, wanted, target_models, None), None
    if sample is not None:
        settings |= {"sample": sample, "seed": check_seed(seed)}
    if models is not None:
        settings["models"] = models
    from battlewright.odds import volley

    answer = volley(attacker, defender, edition=wanted, target_models=target_models, **settings)
    if plot is not None:
        _plot(plot, answer)
    if as_json:
        print_json(answer.to_json())
    else:
        _show(answer)


def _one_of(profile: str | None, name: str | None, by_profile: str, by_name: str) -> Any:
    if (profile is None) == (name is None):
        raise BadInput(f"a question needs {by_profile} or {by_name}, one of them", expected=f'{by_profile} "PROFILE"')
    return name if profile is None else profile


def _unit(name: str, edition: str, models: int | None, weapon: str | None) -> Any:
    from battlewright.armies import find_unit

    return find_unit(name, edition, models=models, weapon=weapon)


def _show_keys(edition: str, as_json: bool) -> None:
    from battlewright.odds import keys

    known = keys(edition)
    if as_json:
        print_json(dict(known))
        return
    for key, meaning in known.items():
        typer.echo(f"{key:<18} {meaning}")


def _chances(probabilities: Any) -> dict[int, float]:
    return {number: float(chance) for number, chance in enumerate(probabilities)}


def _show(answer: Answer) -> None:
    from rich.text import Text

    from battlewright.report.chances import bars

    console = screen()
    console.print(Text.assemble((answer.attack, "bold"), " against ", (answer.target, "bold")))
    console.print(
        Text(
            f"{answer.mean_damage:.2f} wounds and {answer.mean_slain:.2f} models on average, "
            f"{answer.p_destroyed:.1%} to destroy the target"
        )
    )
    for name, chances in (("models slain", _chances(answer.slain)), ("wounds removed", _chances(answer.damage))):
        console.print()
        console.print(Text(f"{name}, probability, probability of so many or more", style="dim"))
        for line in bars(chances):
            console.print(Text(line))
    console.print()
    console.print(_stages(answer))
    _show_rest(answer.to_json())


def _stages(answer: Answer) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title="expected numbers", title_justify="left", title_style="dim")
    for column in ("stage", "rolled", "passed", "critical"):
        table.add_column(column, justify="left" if column == "stage" else "right")
    several = len({stage.volley for stage in answer.stages if stage.volley}) > 1
    for stage in answer.stages:
        name = f"{stage.volley}: {stage.name}" if several and stage.volley else stage.name
        numbers = (stage.rolled, stage.passed, stage.critical or None)
        table.add_row(Text(name), *("" if number is None else f"{number:.3f}" for number in numbers))
    return table


def _show_rest(answer: Mapping[str, Any]) -> None:
    for point, alternative in answer["choices"].items():
        say(f"choice: {point}: {alternative}")
    if answer["trials"]:
        say(f"from {answer['trials']} samples")
    if answer["rules"]:
        say(f"rules: {', '.join(answer['rules'])}")


def _plot(path: Path, answer: Answer) -> None:
    from battlewright.report.chances import plot

    parts = (("models slain", _chances(answer.slain)), ("wounds removed", _chances(answer.damage)))
    try:
        plot(path, f"{answer.attack}  against  {answer.target}", parts)
    except ValueError as error:
        raise BadInput(f"no picture can be written with this ending: {error}", where=str(path)) from error
