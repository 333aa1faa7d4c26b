"""Rules that come into play at the same moment, and their order (01.03).

A *window* is a moment of the turn at which rules of both players may come into play: stratagems, abilities, the
mission's own rules. Each source says which of its rules are triggered there, as :class:`Trigger` objects;
:func:`resolve_triggers` works through them. What can be used is judged anew before it is offered, so nobody is asked
where nothing can be done. Nothing of it is a checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TypeVar

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, EleventhState

__all__ = ["Occasion", "Trigger", "TriggerKind", "active_side", "resolve_triggers", "while_moving"]

T = TypeVar("T")

_ORDER = "11e.core.01.03.02-simultaneous-order"


class Occasion(StrEnum):
    """Moments at which rules may come into play; the subject is a unit, or nobody."""

    COMMAND_ABILITIES = "command-abilities"
    """After battle-shock, when abilities of the Command phase work (08)."""
    COMMAND_BEGINS = "command-begins"
    BATTLE_SHOCK_ROLL = "battle-shock-roll"
    """Before the subject makes a battle-shock roll in its player's Battle-shock step."""
    ENEMY_MOVED = "enemy-moved"
    """The subject has ended a move in its Movement phase, of which its opponent's rules may take note."""
    MOVEMENT_ENDS = "movement-ends"
    SHOOTING_BEGINS = "shooting-begins"
    SHOOTING = "shooting"
    """In the Shooting phase, between two units that shoot."""
    HAS_SHOT = "has-shot"
    """The subject has resolved its attacks in the Shooting phase."""
    CHARGE_MOVE_ENDS = "charge-move-ends"
    """The subject has ended a charge move."""
    CHARGES_END = "charges-end"
    SELECTED_TO_MOVE = "selected-to-move"
    """The subject has been selected to move."""
    SELECTED_TO_SHOOT = "selected-to-shoot"
    """The subject has been selected to shoot."""
    TARGETED = "targeted"
    """An enemy unit has selected the subject as a target of its attacks, which are to be resolved next."""
    FIGHT_BEGINS = "fight-begins"
    SELECTED_TO_FIGHT = "selected-to-fight"
    """The subject has been selected to fight."""
    HAS_FOUGHT = "has-fought"
    """The subject has resolved its attacks in the Fight phase."""
    TURN_ENDS = "turn-ends"
    """The end of a player's turn, before the mission scores."""
    ROLLED = "rolled"
    """Just after a roll for the subject."""


_TOLD = {
    Occasion.BATTLE_SHOCK_ROLL: "{} has to take a battle-shock test",
    Occasion.ENEMY_MOVED: "{} has ended its move",
    Occasion.HAS_SHOT: "{} has shot",
    Occasion.CHARGE_MOVE_ENDS: "{} has charged",
    Occasion.SELECTED_TO_MOVE: "{} is about to move",
    Occasion.SELECTED_TO_SHOOT: "{} is about to shoot",
    Occasion.TARGETED: "{} is about to be attacked",
    Occasion.SELECTED_TO_FIGHT: "{} is about to fight",
    Occasion.HAS_FOUGHT: "{} has fought",
    Occasion.ROLLED: "Dice were rolled for {}",
}


_MOMENTS = {
    Occasion.COMMAND_BEGINS: "{} Command phase begins",
    Occasion.MOVEMENT_ENDS: "{} Movement phase ends",
    Occasion.SHOOTING_BEGINS: "{} Shooting phase begins",
    Occasion.CHARGES_END: "{} charges are over",
    Occasion.FIGHT_BEGINS: "{} Fight phase begins",
    Occasion.TURN_ENDS: "{} turn ends",
}
"""Occasions that are about no unit, of the player whose turn it is."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When rules come into play, for whoever is asked; the subject is a unit, or NOBODY."""

    occasion: Occasion | None = None
    subject: int = NOBODY

    def told(self, name: str, *, own_turn: bool) -> str:
        """The moment as a sentence about the unit of that name; empty where it needs no words.

        >>> Moment(Occasion.MOVEMENT_ENDS).told("", own_turn=False)
        "Your opponent's Movement phase ends. "
        """
        if self.occasion in _MOMENTS:
            return _MOMENTS[self.occasion].format("Your" if own_turn else "Your opponent's") + ". "
        if not name or self.occasion not in _TOLD:
            return ""
        return _TOLD[self.occasion].format(name) + ". "


class TriggerKind(IntEnum):
    """What a triggered rule is, in the order in which the kinds are resolved."""

    MISSION_ALWAYS = 0
    """A rule of the mission that always happens."""
    PLAYERS = 1
    """A rule of a player: of an army, detachment, datasheet, enhancement, or a stratagem."""
    MISSION = 2
    """Another rule of the mission."""


@dataclass(frozen=True, slots=True, eq=False)
class Trigger:
    """One rule that is triggered.

    Attributes:
        key: unique among the triggers of its side; also the key of its option.
        text: what the option says.
        rule: id of the rulebook's entry.
        side: whose rule it is; of a rule of the mission, whom it concerns.
        act: resolves it.
        is_optional: whether its player may leave it.
        holds: whether it still can be resolved.
    """

    key: str
    text: str
    rule: str
    side: Side
    act: Callable[[Battle11], Procedure[None]]
    is_optional: bool = True
    kind: TriggerKind = TriggerKind.PLAYERS
    holds: Callable[[Battle11], bool] = lambda battle: True


@rule("11e.core.01.03-active-player", "11e.core.01.03-active-while-attacking", "11e.core.01.03-active-while-moving")
def active_side(state: EleventhState) -> Side:
    """The active player: the controller of the unit that resolves its attacks or makes its move, else the player whose
    turn it is."""
    for unit in (state.attacking, state.moving):
        if unit != NOBODY:
            return Side(state.units[unit].side)
    return state.turn


@rule("11e.core.01.03-active-while-moving")
def while_moving(battle: Battle11, unit: int, move: Procedure[T]) -> Procedure[T]:
    """Work through a unit's move, from its selection to the end of it, with its controller as the active player."""
    battle.state.moving = unit
    result = yield from move
    battle.state.moving = NOBODY
    return result


@rule("11e.core.01.03.02-new-triggers-wait")
def resolve_triggers(
    battle: Battle11, collect: Callable[[], Iterable[Trigger]], occasion: Occasion | None = None, subject: int = NOBODY
) -> Procedure[None]:
    """Resolve a batch of triggers, then what has been triggered meanwhile, until nothing new comes up (01.03).

    Args:
        collect: every rule that is triggered, as things stand.
        occasion: the moment, and ``subject`` the unit that it is about, to tell whoever is asked.
    """
    moment = Moment(occasion, subject)
    known: set[tuple[Side, str]] = set()
    while batch := [trigger for trigger in collect() if (trigger.side, trigger.key) not in known]:
        known |= {(trigger.side, trigger.key) for trigger in batch}
        yield from _resolve_batch(battle, batch, moment)


@rule(
    "11e.core.01.03.02-simultaneous-order",
    "11e.core.01.03-players-rules",
    "11e.core.01.03-always-mission-rules-first",
)
def _resolve_batch(battle: Battle11, batch: Sequence[Trigger], moment: Moment) -> Procedure[None]:
    """First the mission's rules that always happen, then the players', then the mission's others; of each kind those of
    the active player before those of the opponent, and of each player what is mandatory before what is optional."""
    active = active_side(battle.state)
    for kind in TriggerKind:
        for side in (active, opponent(active)):
            mine = [trigger for trigger in batch if trigger.kind is kind and trigger.side == side]
            yield from _mandatory(battle, side, [trigger for trigger in mine if not trigger.is_optional])
            yield from _optional(battle, side, [trigger for trigger in mine if trigger.is_optional], moment)


def _mandatory(battle: Battle11, side: Side, waiting: list[Trigger]) -> Procedure[None]:
    """All of them, in the order that their player picks."""
    while waiting := [trigger for trigger in waiting if trigger.holds(battle)]:
        picked = waiting[0]
        if len(waiting) > 1:
            choices = Options([Option(each.key, each.text, each) for each in waiting], rule=_ORDER)
            picked = yield from choose(Decision(side, "order-rules", "Which rule first?", _ORDER, choices))
        waiting = [trigger for trigger in waiting if trigger is not picked]
        yield from picked.act(battle)


def _optional(battle: Battle11, side: Side, waiting: list[Trigger], moment: Moment) -> Procedure[None]:
    """As many of them as their player likes, one after the other."""
    while waiting := [trigger for trigger in waiting if trigger.holds(battle)]:
        options = [*(Option(each.key, each.text, each) for each in waiting), Option("none", "none")]
        subject = None if moment.subject == NOBODY else battle.scene.units[moment.subject]
        told = moment.told("" if subject is None else subject.name, own_turn=side == active_side(battle.state))
        decision = Decision(
            side,
            "use-rule",
            told + "Use one of these?",
            waiting[0].rule,
            Options(options, rule=_ORDER, default="none"),
            subject=None if subject is None else subject.index,
        )
        picked: Trigger | None = yield from choose(decision)
        if picked is None:
            return
        waiting = [trigger for trigger in waiting if trigger is not picked]
        yield from picked.act(battle)
