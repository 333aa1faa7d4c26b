"""Command Re-roll (15.02): just after a roll its player may throw one of its dice again, a charge roll whole.

Players would be asked after every roll while they have a CP; the option ``offer_command_re_roll`` says after which.
"Important" rolls are those that have gone badly and in which one die counts for much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from battlewright.attacks.resolve import Again, Throw
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, UnitId
from battlewright.core.dice import Reroll, Roll
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.re_rolls import with_ability_re_roll
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.stratagems import Mode, Stratagem, Use, Whose, may_use, pay
from battlewright.editions.eleventh.triggers import Occasion

__all__ = ["COMMAND_RE_ROLL", "FEW_DICE", "may_re_roll", "re_roll_of_throw", "with_re_roll"]

_RULE: Final = "11e.core.15.02-command-re-roll"

FEW_DICE = 3
"""Dice of a hit, wound or save roll up to which one of them is important."""

_HAZARD_FAILS = 2
_LOW_ADVANCE = 3


def _nothing(battle: Battle11, used: Use) -> Procedure[None]:
    """The re-roll itself is made by whoever has made the roll."""
    yield from ()


COMMAND_RE_ROLL = Stratagem(
    id="command-re-roll",
    name="Command Re-roll",
    rule=_RULE,
    cost=1,
    occasion=Occasion.ROLLED,
    whose=Whose.ANY,
    targets=lambda scene, state, side, subject, mode: (),
    effect=_nothing,
)
"""It is offered where rolls are made, not in a window: its target is the unit that the roll was made for."""


def may_re_roll(battle: Battle11, unit: int) -> bool:
    """Whether the unit's player could use Command Re-roll on a roll made for it now, and is asked at all."""
    side = battle.scene.units[UnitId(unit)].side
    if not battle.state.cp[side] and not battle.state.stratagem_rules:
        return False
    if battle.scene.options["offer_command_re_roll"] == "never" or COMMAND_RE_ROLL not in battle.scene.stratagems:
        return False
    return may_use(battle.state, _use(battle, unit))


def _use(battle: Battle11, unit: int) -> Use:
    return Use(COMMAND_RE_ROLL, battle.scene.units[UnitId(unit)].side, unit, Mode(), unit)


def _asks_about_all(battle: Battle11) -> bool:
    return battle.scene.options["offer_command_re_roll"] == "all"


# -- rolls for a unit: advance, charge, hazard --------------------------------------------------------------------


@rule("11e.core.15.02-command-re-roll", "11e.core.01.05-reroll-once", "11e.core.01.05-reroll-whole-roll")
def with_re_roll(battle: Battle11, unit: int, roll: Roll) -> Procedure[Roll]:
    """The advance, charge or hazard roll just made for a unit, one of its dice (a charge roll whole) thrown again if
    its player wishes and pays for it, or all of them if an ability allows it. Its purpose says which of them it is."""
    roll = yield from with_ability_re_roll(battle, unit, roll)
    if roll.rerolls or not may_re_roll(battle, unit):
        return roll
    whole = roll.purpose == "charge"
    if whole:
        places: Sequence[int] = range(len(roll.faces))
        options = [Option(f"total:{roll.total}", f"re-roll {' and '.join(map(str, roll.faces))}", tuple(places))]
    else:
        options = _one_of_each_face(roll.faces, _bad(battle, roll))
    picked = yield from _ask(battle, unit, roll.purpose, options)
    if not picked:
        return roll
    again = battle.roll(len(picked), roll.sides, f"{roll.purpose}-reroll")
    return roll.with_rerolls(
        [Reroll(place, roll.faces[place], now, _RULE) for place, now in zip(picked, again.faces, strict=True)]
    )


def _bad(battle: Battle11, roll: Roll) -> list[int]:
    """The dice that are offered: all of them, or those that went badly."""
    worst = _HAZARD_FAILS if roll.purpose == "hazard" else _LOW_ADVANCE
    return [place for place, face in enumerate(roll.faces) if _asks_about_all(battle) or face <= worst]


# -- rolls of an attack: attacks, hit, wound, save, damage ---------------------------------------------------------


@rule("11e.core.15.02-command-re-roll", "11e.core.01.05-reroll-once")
def re_roll_of_throw(
    battle: Battle11, unit: int, throw: Throw, kind: str, failed: Callable[[int], bool]
) -> Procedure[list[Again]]:
    """The one die of an attack's throw that is thrown again, or none; dice that were thrown again already are not.

    Args:
        unit: the unit that the roll was made for.
        kind: of the roll: attacks, hit, wound, save, damage.
        failed: whether a face of a die of the throw is a failure, or low where it is an amount.
    """
    if not may_re_roll(battle, unit):
        return []
    faces = throw.roll.unmodified
    done = {reroll.index for reroll in throw.roll.rerolls}
    places = [place for place in range(len(faces)) if place not in done]
    if not _asks_about_all(battle):
        if len(faces) > FEW_DICE and kind not in ("damage", "attacks"):
            return []
        places = [place for place in places if failed(faces[place])]
    if not places:
        return []
    options = _one_of_each_face(faces, places)
    picked = yield from _ask(battle, unit, kind, options)
    return [Again(place // throw.dice, _RULE, die=place % throw.dice) for place in picked]


# -- asking --------------------------------------------------------------------------------------------------------


def _one_of_each_face(faces: Sequence[int], places: Iterable[int]) -> list[Option]:
    """One option for each face among the dice in these places, from the lowest face."""
    first: dict[int, int] = {}
    for place in places:
        first.setdefault(faces[place], place)
    return [Option(f"die:{face}", f"re-roll a {face}", (first[face],)) for face in sorted(first)]


def _ask(battle: Battle11, unit: int, purpose: str, options: Sequence[Option]) -> Procedure[tuple[int, ...]]:
    """Let the unit's player pick the dice, and pay; nothing to pick from, nothing asked.

    The decision's kind ends in the purpose of the roll; keys name the face of the die, or the total of a whole roll.
    """
    if not options:
        return ()
    info = battle.scene.units[UnitId(unit)]
    decision = Decision(
        info.side,
        f"command-re-roll-{purpose}",
        f"{info.name}: Command Re-roll of this {purpose} roll?",
        _RULE,
        Options([*options, Option("none", "keep it", ())], rule=_RULE, default="none"),
        subject=info.index,
    )
    picked: tuple[int, ...] = yield from choose(decision)
    if picked and not pay(battle, _use(battle, unit)):
        return ()
    return picked
