"""A question of odds as the command line puts it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from battlewright.cli.common import Edition, check_seed, edition_of, key_values
from battlewright.core.errors import BadInput

if TYPE_CHECKING:
    from battlewright.core.roster import Army, Unit
    from battlewright.odds import Answer

__all__ = ["Question", "takes_question"]


@dataclass(frozen=True)
class Question:
    """The options that every question has; :func:`takes_question` makes them options of a command."""

    edition: Edition = "11"
    attack: Annotated[str | None, typer.Option(metavar="PROFILE", help='"A2 BS3+ S4 AP-1 D1 [HEAVY]".')] = None
    unit: Annotated[str | None, typer.Option(metavar="NAME", help="A unit attacks, in place of a profile.")] = None
    weapon: Annotated[str | None, typer.Option(metavar="NAME", help="The unit's only weapon.")] = None
    target: Annotated[str | None, typer.Option(metavar="PROFILE", help='"T4 Sv3+ W2 x10 {INFANTRY}".')] = None
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="A unit is the target, in place of a profile.")
    ] = None
    army: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A list to find --unit in; a second one for --against. Repeatable."),
    ] = None
    models: Annotated[int | None, typer.Option(metavar="N", help="Models that attack.")] = None
    target_models: Annotated[int | None, typer.Option(metavar="N", help="Models of the target.")] = None
    distance: Annotated[float | None, typer.Option("--range", metavar="INCHES", help="To the target.")] = None
    cover: Annotated[bool, typer.Option("--cover", help="The target has the benefit of cover.")] = False
    moved: Annotated[bool, typer.Option("--moved", help="The attacker has moved.")] = False
    charged: Annotated[bool, typer.Option("--charged", help="The attacker has charged.")] = False
    setting: Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="See --keys; repeatable.")] = None
    sample: Annotated[int | None, typer.Option(metavar="N", min=1, help="Roll N times instead.")] = None
    seed: Annotated[int, typer.Option(metavar="N", help="Of the samples.")] = 0

    def ask(self) -> Answer:
        """Put the question.

        Raises:
            BadInput: for anything in it that cannot be read.
        """
        from battlewright.editions.agreement import with_files
        from battlewright.odds import volley

        edition = edition_of(self.edition)
        attacker: Any = _one_of(self.attack, self.unit, "--attack", "--unit")
        defender: Any = _one_of(self.target, self.against, "--target", "--against")
        if self.weapon is not None and self.unit is None:
            raise BadInput("--weapon goes with --unit", where="--weapon", expected="--unit NAME")
        armies = self._armies(edition)
        asked: dict[str, Any] = with_files(edition, self.settings())
        if self.unit is not None:
            attacker = _unit(self.unit, edition, armies, self.models, self.weapon)
        if self.unit is None or armies:
            asked |= {"models": self.models, "weapon": self.weapon}
        if self.against is not None:
            defender = _unit(self.against, edition, armies[::-1], self.target_models, None)
        if self.against is None or armies:
            asked |= {"target_models": self.target_models}
        if self.sample is not None:
            asked |= {"sample": self.sample, "seed": check_seed(self.seed)}
        return volley(attacker, defender, edition=edition, **asked)

    def settings(self) -> dict[str, Any]:
        """The circumstances, those of ``--set`` and those that have an option of their own."""
        found: dict[str, Any] = key_values(self.setting or [], "--set")
        if self.distance is not None:
            found.setdefault("range", self.distance)
        for name in ("cover", "moved", "charged"):
            if getattr(self, name):
                found.setdefault(name, True)
        return found

    def changed(self, changes: Mapping[str, str]) -> Question:
        """The same question with some options changed, named as on the command line, or settings.

        Raises:
            BadInput: when a number cannot be read.
        """
        made: dict[str, Any] = {}
        settings = key_values(self.setting or [], "--set")
        for key, value in changes.items():
            name = key.replace("-", "_")
            match name:
                case "attack":
                    made |= {"attack": value, "unit": None, "weapon": None}
                case "target":
                    made |= {"target": value, "against": None}
                case "unit" | "against":
                    made |= {name: value, {"unit": "attack", "against": "target"}[name]: None}
                case "weapon":
                    made["weapon"] = value
                case "models" | "target_models":
                    made[name] = _whole(value, key)
                case _:
                    settings[name] = value
                    if name == "range":
                        made["distance"] = None
                    elif name in ("cover", "moved", "charged"):
                        made[name] = False
        return replace(self, **made, setting=[f"{key}={value}" for key, value in settings.items()])

    def _armies(self, edition: str) -> list[Army]:
        if not self.army:
            return []
        if len(self.army) > 2:
            raise BadInput("three lists are too many", where="--army", expected="one, or one for each side")
        if self.unit is None and self.against is None:
            raise BadInput("--army goes with --unit or --against", where="--army", expected="--unit NAME")
        from battlewright.armies import load_army

        return [load_army(path, edition) for path in self.army]


def takes_question(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose first argument is a :class:`Question`, made from the options of its own."""
    own = [each for each in inspect.signature(command).parameters.values() if each.name != "question"]
    names = [each.name for each in fields(Question)]

    def run(**given: Any) -> None:
        command(Question(**{name: given.pop(name) for name in names}), **given)

    hints = get_type_hints(Question, include_extras=True)
    hints |= {name: hint for name, hint in get_type_hints(command, include_extras=True).items() if name != "question"}
    asked = [
        inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(Question)
    ]
    own = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[each.name]) for each in own]
    vars(run).update(__doc__=command.__doc__, __signature__=inspect.Signature([*asked, *own]))
    run.__doc__ = command.__doc__
    run.__annotations__ = hints
    return run


def _one_of(profile: str | None, name: str | None, by_profile: str, by_name: str) -> str:
    if profile is not None and name is None:
        return profile
    if name is not None and profile is None:
        return name
    raise BadInput(f"a question needs {by_profile} or {by_name}, one of them", expected=f'{by_profile} "PROFILE"')


def _unit(name: str, edition: str, armies: list[Army], models: int | None, weapon: str | None) -> Unit:
    from battlewright.armies import find_unit, unit_of

    if armies:
        return unit_of(armies, name)
    return find_unit(name, edition, models=models, weapon=weapon)


def _whole(text: str, where: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadInput(f'"{text}" is no whole number', where=f"--compare {where}", expected=f"{where}=10") from None
