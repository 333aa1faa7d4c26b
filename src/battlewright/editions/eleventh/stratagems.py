"""Stratagems (15.01): what one is, who may use it on whom, what it costs, and using it.

A stratagem is a value: when it may be used, on which units, what it does. The twelve of the core rules are in
:mod:`~battlewright.editions.eleventh.core_stratagems`; the scene holds all that a battle has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from battlewright.core.battle import Procedure
from battlewright.core.decisions import Side, UnitId
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.in_force import stratagem_cost_changes
from battlewright.editions.eleventh.events import StratagemUsed
from battlewright.editions.eleventh.scene import Battle11, Scene
from battlewright.editions.eleventh.state import NOBODY, EleventhState, StratagemRule
from battlewright.editions.eleventh.triggers import Occasion, Trigger

__all__ = [
    "Mode",
    "Stratagem",
    "Use",
    "Whose",
    "cp_cost",
    "free_change",
    "is_single",
    "key_of",
    "may_use",
    "pay",
    "stratagem_triggers",
    "text_of",
    "use",
    "uses",
]

Targets: TypeAlias = "Callable[[Scene, EleventhState, Side, int, str], Iterable[int]]"
"""Of the side, the occasion's subject and the mode: the own units that can be its target."""


class Whose(StrEnum):
    """In whose turn a stratagem may be used."""

    OWN = "own"
    OPPONENTS = "opponents"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to use a stratagem; ``extra`` CP for an optional section are part of its cost."""

    id: str = ""
    text: str = ""
    extra: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Stratagem:
    """A stratagem: WHEN, TARGET, EFFECT, and its cost in CP (15.01).

    Attributes:
        id: in small letters, ``"fire-overwatch"``.
        rule: id of the rulebook's entry.
        occasion: the moment at which it may be used, in the turn of ``whose``.
        targets: which own units it can be used on; besides, every stratagem is limited by :func:`may_use`.
        effect: what it does; it may ask, but holds no checkpoint.
        modes: the ways to use it, one of which is picked with the target.
        is_once_in_battle: whether it may be used once in the whole battle.
        adds_copy: whether it adds a copy of a destroyed unit, which makes it one for once in the battle.
    """

    id: str
    name: str
    rule: str
    cost: int
    occasion: Occasion
    whose: Whose
    targets: Targets
    effect: Callable[[Battle11, Use], Procedure[None]]
    modes: tuple[Mode, ...] = (Mode(),)
    is_once_in_battle: bool = False
    adds_copy: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a stratagem: whose, on which unit, in which mode, and the unit that the occasion is about."""

    stratagem: Stratagem
    side: Side
    unit: int
    mode: Mode
    subject: int = NOBODY


# -- cost (15.01, 01.05) ----------------------------------------------------------------------------------------


@rule(
    "11e.core.01.05-stratagem-cost-caps",
    "11e.ds-other-modified.cp-increase-limit",
    "11e.ds-other-modified.cp-minimum",
    "11e.core.15.01-sequence",
)
def cp_cost(printed: int, extra: int = 0, changes: Sequence[int] = ()) -> int:
    """The cost of a stratagem in CP: with its optional section, then all modifiers, which raise it by 1 at most.

    >>> cp_cost(1, changes=(1, 1)), cp_cost(1, changes=(-1, -1)), cp_cost(1, 1, (1,))
    (2, 0, 3)
    """
    return max(0, printed + extra + min(1, sum(changes)))


@rule("11e.core.15.01-zero-cost-rules")
def free_change(given: StratagemRule, stratagem: Stratagem, cost: int) -> int:
    """What a rule that lets a unit be targeted for 0CP adds to the cost: all of it off if it names the stratagem, else
    1 off."""
    return -cost if given.stratagem == stratagem.id else -1


def _changes(state: EleventhState, used: Use, *, foreseen: bool) -> list[int]:
    """What the rules at work add to the cost; only the own ones where the player has to foresee it."""
    cost = used.stratagem.cost + used.mode.extra
    found = []
    for given in state.stratagem_rules:
        if not _concerns(given, used) or (foreseen and given.is_opponents):
            continue
        found.append(free_change(given, used.stratagem, cost) if given.is_free else given.change)
    return found


def _concerns(given: StratagemRule, used: Use) -> bool:
    return given.side == used.side and given.stratagem in ("", used.stratagem.id) and given.unit in (NOBODY, used.unit)


# -- limits (15.01) ---------------------------------------------------------------------------------------------


@rule("11e.core.15.01-copies-once")
def is_single(stratagem: Stratagem) -> bool:
    """Whether it may be used once in the whole battle, by what is printed or since it adds a copy of a unit."""
    return stratagem.is_once_in_battle or stratagem.adds_copy


@rule(
    "11e.core.15.01-once-per-phase",
    "11e.core.15.01-one-per-unit",
    "11e.core.01.07-shocked-no-stratagems",
)
def may_use(state: EleventhState, used: Use) -> bool:
    """Whether the limits of every stratagem allow this use, and its player can pay for it (15.01).

    Once in a phase, and one stratagem of its player for each unit; never on battle-shocked units.
    """
    mine = state.units[used.unit]
    if mine.battle_shocked or mine.stratagem or mine.side != used.side:
        return False
    name = (int(used.side), used.stratagem.id)
    if (name in state.stratagems_used or (is_single(used.stratagem) and name in state.stratagems_ever)) and not (
        _is_limit_lifted(state, used)
    ):
        return False
    return cp_cost(used.stratagem.cost, used.mode.extra, _changes(state, used, foreseen=True)) <= state.cp[used.side]


@rule("11e.core.15.01-limits-need-a-name")
def _is_limit_lifted(state: EleventhState, used: Use) -> bool:
    """Whether a rule lets this stratagem be used once more; it has to name it."""
    return any(
        given.lifts_limits and given.stratagem == used.stratagem.id and _concerns(given, used)
        for given in state.stratagem_rules
    )


def uses(scene: Scene, state: EleventhState, side: Side, occasion: Occasion, subject: int = NOBODY) -> Iterator[Use]:
    """Every use that the side could make of its stratagems at the occasion and could pay for."""
    if state.cp == (0, 0) and not state.stratagem_rules:
        return
    whose = Whose.OWN if state.turn == side else Whose.OPPONENTS
    for stratagem in scene.stratagems:
        if stratagem.occasion is not occasion or stratagem.whose not in (whose, Whose.ANY):
            continue
        for mode in stratagem.modes:
            if not _could_pay(state, side, stratagem, mode):
                continue
            for unit in stratagem.targets(scene, state, side, subject, mode.id):
                used = Use(stratagem, side, unit, mode, subject)
                if may_use(state, used):
                    yield used


def _could_pay(state: EleventhState, side: Side, stratagem: Stratagem, mode: Mode) -> bool:
    """A quick look before targets are searched: whether its player has the CP, or rules that make it cheaper."""
    return stratagem.cost + mode.extra <= state.cp[side] or any(given.side == side for given in state.stratagem_rules)


# -- using ------------------------------------------------------------------------------------------------------


@rule("11e.core.15.01-sequence", "11e.core.15.01-raised-cost", "11e.core.15.01-once-per-phase")
def pay(battle: Battle11, used: Use) -> bool:
    """Pay for a use and note it; returns whether it takes effect.

    Where the opponent's rules raise the cost beyond what its player has, nothing is spent and nothing happens, but the
    stratagem counts as used.
    """
    state, stratagem = battle.state, used.stratagem
    changes = [*_changes(state, used, foreseen=False), *stratagem_cost_changes(battle.scene, state, used.unit)]
    cost = cp_cost(stratagem.cost, used.mode.extra, changes)
    is_paid = cost <= state.cp[used.side]
    state.stratagems_used += ((int(used.side), stratagem.id),)
    if is_paid:
        left = list(state.cp)
        left[used.side] -= cost
        state.cp = (left[0], left[1])
        state.units[used.unit].stratagem = stratagem.id
        if is_single(stratagem):
            state.stratagems_ever += ((int(used.side), stratagem.id),)
    battle.happened(
        StratagemUsed(
            side=used.side,
            stratagem=stratagem.name,
            unit=battle.scene.units[UnitId(used.unit)].id,
            mode=used.mode.text,
            cost=cost,
            paid=is_paid,
            cp=state.cp,
            rules=(stratagem.rule,),
        )
    )
    return is_paid


@rule("11e.core.15.01-sequence")
def use(battle: Battle11, used: Use) -> Procedure[None]:
    """Use a stratagem whose target is chosen: pay, then resolve it (15.01)."""
    if pay(battle, used):
        yield from used.stratagem.effect(battle, used)


def stratagem_triggers(battle: Battle11, occasion: Occasion, subject: int) -> Iterator[Trigger]:
    """The uses of stratagems by either side that the occasion allows, as optional rules of their players."""
    for side in (battle.state.turn, Side(1 - battle.state.turn)):
        for used in uses(battle.scene, battle.state, side, occasion, subject):
            yield _trigger(battle, used)


def _trigger(battle: Battle11, used: Use) -> Trigger:
    return Trigger(
        key=key_of(battle.scene, used),
        text=text_of(battle.scene, used),
        rule=used.stratagem.rule,
        side=used.side,
        act=lambda battle: use(battle, used),
        holds=lambda battle: (
            may_use(battle.state, used)
            and used.unit in used.stratagem.targets(battle.scene, battle.state, used.side, used.subject, used.mode.id)
        ),
    )


def key_of(scene: Scene, used: Use) -> str:
    """The key of the option to make this use: ``"heroic-intervention:a.1:leap-to-defend"``."""
    parts = (used.stratagem.id, scene.units[UnitId(used.unit)].id, used.mode.id)
    return ":".join(part for part in parts if part)


def text_of(scene: Scene, used: Use) -> str:
    """What the option to make this use says, with its printed cost."""
    mode = f", {used.mode.text}" if used.mode.text else ""
    cost = used.stratagem.cost + used.mode.extra
    return f"{used.stratagem.name} ({cost}CP) with {scene.units[UnitId(used.unit)].name}{mode}"
