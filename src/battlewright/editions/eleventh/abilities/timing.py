"""When an ability that does not always work is used, and for how long it is in force then.

The data give a trigger, a duration and a limit of uses, for stratagems phases, turn and cost on a card of their own.
What is not told is not guessed: the ability then has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from battlewright.core.roster import AbilitySource
from battlewright.editions.eleventh.abilities.clauses import Clause, Moment, Timing
from battlewright.editions.eleventh.abilities.conditions import read_condition
from battlewright.editions.eleventh.abilities.effects import is_of_attack, is_of_defence
from battlewright.editions.eleventh.abilities.language import (
    AllOf,
    Condition,
    CoreGrant,
    ModelChange,
    NotUnderstood,
    Permission,
    Record,
    Secure,
    Test,
    Until,
    Whose,
)
from battlewright.editions.eleventh.state import Phase

__all__ = ["ARMY", "is_always_at_work", "keywords_asked", "read_timing", "suits"]

ARMY = (AbilitySource.FACTION, AbilitySource.DETACHMENT, AbilitySource.STRATAGEM)
"""Where the abilities of a whole army come from."""
_ROLLS = ("before-hit-roll", "before-wound-roll", "before-damage-roll")
_SELECTED = {"selected-to-shoot": Moment.SELECTED_TO_SHOOT, "selected-to-fight": Moment.SELECTED_TO_FIGHT}
_UNTIL = {"phase": Until.PHASE, "attack-sequence": Until.ATTACKS}
_ONCE = {"frequency": "n-per-battle", "count": 1}
_OFTEN_ENOUGH = ("once-per-phase", "once-per-turn")
"""Limits that a unit which is selected once in a phase cannot pass."""
_PHASES = {
    "movement": Moment.SELECTED_TO_MOVE,
    "shooting": Moment.SELECTED_TO_SHOOT,
    "fight": Moment.SELECTED_TO_FIGHT,
}


# -- always at work after all --------------------------------------------------------------------------------------


def is_always_at_work(record: Record, clauses: Sequence[Clause]) -> bool:
    """Whether an ability works by itself although its encoding names an event or a duration.

    - each roll of the bearers' attacks as the event: the ability is simply at work in those attacks;
    - a reaction that lasts for good against attacks: it reacts to every attack;
    - until the end of the turn, in a turn in which the unit has charged: the condition says from when.
    """
    if record.get("usage") or not clauses:
        return False
    behavior, duration = record.get("behavior"), (record.get("scope") or {}).get("duration")
    trigger = record.get("trigger")
    if all(isinstance(each.effect, Secure) for each in clauses):
        return duration in ("permanent", "battle") and behavior in ("passive", "reactive") and _is_end_of_phase(trigger)
    if isinstance(trigger, Mapping) and behavior in ("passive", "aura"):
        if trigger.get("event") == "charge-move":
            return set(trigger) == {"event"} and duration == "turn" and _charged(clauses)
        return _is_each_roll(trigger, behavior) and all(is_of_attack(each.effect) for each in clauses)
    if trigger:
        return False
    if behavior == "reactive" and duration == "permanent":
        return all(is_of_defence(each.effect, each.whose) for each in clauses)
    return behavior == "passive" and duration == "turn" and _charged(clauses)


def _is_end_of_phase(trigger: object) -> bool:
    """Whether it is the end of each phase, at which control is determined, or of some by a condition."""
    if not trigger:
        return True
    known = {"event", "subject", "condition"}
    return isinstance(trigger, Mapping) and trigger.get("event") == "end-of-phase" and set(trigger) <= known


def _is_each_roll(trigger: Record, behavior: object) -> bool:
    subjects = ("friendly-unit",) if behavior == "aura" else (None, "self", "bearer")
    known = {"event", "optional", "subject", *(("proximity",) if behavior == "aura" else ())}
    return trigger.get("event") in _ROLLS and trigger.get("subject") in subjects and set(trigger) <= known


def _charged(clauses: Iterable[Clause]) -> bool:
    return all(Test("charged-this-turn") in each.conditions for each in clauses)


# -- used at a moment ----------------------------------------------------------------------------------------------


def read_timing(record: Record, source: AbilitySource) -> Timing | None:
    """The moment and the end of an ability's effect; None where the encoding does not tell them.

    Raises:
        NotUnderstood: when the trigger has a condition that is not known.
    """
    if source is AbilitySource.STRATAGEM:
        return _of_stratagem(record)
    trigger, scope = record.get("trigger"), record.get("scope") or {}
    until, limit = _UNTIL.get(str(scope.get("duration"))), _is_once(record.get("usage"))
    if not isinstance(trigger, Mapping) or set(trigger) - {"event", "optional", "subject", "condition"}:
        return None
    if until is None or limit is None:
        return None
    subjects = ("friendly-unit",) if source in ARMY else ("self", "bearer")
    if trigger.get("subject") not in subjects:
        return None
    conditions = (read_condition(trigger["condition"]),) if "condition" in trigger else ()
    moment = _SELECTED.get(str(trigger.get("event")))
    if trigger.get("event") == "start-of-phase" and conditions == (Test("phase-is", Phase.FIGHT),):
        moment = Moment.FIGHT_BEGINS
    if moment is None:
        return None
    return Timing((moment,), until, bool(trigger.get("optional")), once=limit, conditions=conditions)


def _is_once(usage: object) -> bool | None:
    """Whether it is used once in the battle, by each unit; None for a limit that is not known."""
    if not usage:
        return False
    if not isinstance(usage, Mapping) or usage.get("per") not in (None, "unit", "model"):
        return None
    if {key: value for key, value in usage.items() if key != "per"} == _ONCE:
        return True
    return False if usage.get("frequency") in _OFTEN_ENOUGH and set(usage) <= {"frequency", "per"} else None


def _of_stratagem(record: Record) -> Timing | None:
    """By its card: which phases, whose turn, how many CP.

    RULING: 11e.core.15.01-sequence where the card tells phase and turn alone we let a stratagem for the unit's own
    attacks be used when the unit is selected to shoot or fight, and one against attacks when it has been selected as
    their target: moments within what the card allows.
    """
    card, scope, trigger = record.get("card") or {}, record.get("scope") or {}, record.get("trigger")
    usage = record.get("usage")
    phases, turn = card.get("phases") or (), card.get("turn")
    until = {"phase": Until.PHASE, "turn": Until.TURN}.get(str(scope.get("duration")))
    if scope.get("range") != "unit" or until is None or not phases or not set(phases) <= set(_PHASES):
        return None
    if until is Until.TURN and list(phases) != ["movement"]:
        return None  # what lasts beyond its phase is followed from the move on alone
    if usage and {key: value for key, value in usage.items() if key != "per"} != _ONCE:
        return None
    reacts = record.get("behavior") == "reactive"
    if trigger and not _is_selection(trigger, reacts):
        return None
    if not reacts and record.get("behavior") != "activated":
        return None
    moments = (Moment.TARGETED,) if reacts else tuple(_PHASES[phase] for phase in phases)
    return Timing(
        moments,
        until,
        once=bool(usage),
        conditions=keywords_asked(record.get("applies_to")),
        phases=tuple(str(phase) for phase in phases),
        turn=str(turn),
        cost=int(card["cost"]),
    )


def _is_selection(trigger: object, reacts: bool) -> bool:
    """Whether the trigger is that the unit is selected; of a reaction, that an enemy unit has selected it."""
    if not isinstance(trigger, Mapping) or trigger.get("event") != "on-unit-selected":
        return False
    if reacts:
        return dict(trigger) == {"event": "on-unit-selected", "subject": "enemy-unit"}
    return set(trigger) <= {"event", "optional", "subject"} and trigger.get("subject") in (None, "friendly-unit")


def keywords_asked(applies_to: object) -> tuple[Condition, ...]:
    """The keywords that are asked, and those that are not allowed, of a unit that an ability is for."""
    if not isinstance(applies_to, Mapping):
        return ()
    needed = [Test("unit-has-keyword", each.upper()) for each in applies_to.get("required_keywords", ())]
    barred = [Test("unit-has-keyword", each.upper()) for each in applies_to.get("excluded_keywords", ())]
    return (*needed, *((AllOf(tuple(barred), negated=True),) if barred else ()))


def suits(timing: Timing, clauses: Iterable[Clause]) -> None:
    """Refuse effects that come too late, or mean nothing, at the moment of their use.

    Raises:
        NotUnderstood: naming what it is.
    """
    for clause in clauses:
        if clause.reach is not None or clause.whole_unit:
            raise NotUnderstood("timing: for units around")
        own = is_of_attack(clause.effect) and clause.whose in (Whose.BEARER, Whose.UNIT)
        defends = is_of_defence(clause.effect, clause.whose) or (
            isinstance(clause.effect, ModelChange | CoreGrant) and clause.whose in (Whose.BEARER, Whose.UNIT)
        )
        if Moment.TARGETED in timing.moments and not defends:
            raise NotUnderstood("timing: when it is used")
        if Moment.SELECTED_TO_MOVE in timing.moments:
            permitted = isinstance(clause.effect, Permission) and clause.whose is Whose.UNIT
            if not permitted and not (timing.until is Until.TURN and own):
                raise NotUnderstood("timing: when it is used")
        elif Moment.TARGETED not in timing.moments and not own:
            raise NotUnderstood("timing: when it is used")
