"""What the events of the 11th edition say. Importing this module registers the formatters."""

from __future__ import annotations

import re

from battlewright.core.decisions import Side, opponent
from battlewright.editions.eleventh import events as kinds
from battlewright.editions.eleventh.cards.secondary import SECONDARIES
from battlewright.report.narrate import Level, Names, Told, counted, dice, listed, tells

__all__: list[str] = []

_NEVER = 7
_NUMBERED = re.compile(r"\d+-(.+)")
"""The part of a rule's id that names it: ``"16-heavy"``."""
_TOTAL = "sum"
"""The outcome of a step that adds its dice up."""


def _words(name: str) -> str:
    return name.replace("-", " ").replace("_", " ")


@tells(kinds.RollOff)
def _roll_off(event: kinds.RollOff, names: Names) -> Told:
    throws = ", then ".join(f"{a} against {b}" for a, b in event.faces)
    purpose = _words(event.purpose.removesuffix("-roll-off"))
    return Told(f"Roll-off ({purpose}): {throws}, won by {names.side(event.winner)}", Level.BRIEF, event.winner)


@tells(kinds.UnitSelected)
def _unit_selected(event: kinds.UnitSelected, names: Names) -> Told:
    how = f" ({_words(event.how)})" if event.how else ""
    side = names.side_of(event.unit)
    return Told(f"{names.unit(event.unit)}: selected to {_words(event.to)}{how}", Level.ROLLS, side)


@tells(kinds.CommandPointsGained)
def _command_points(event: kinds.CommandPointsGained, names: Names) -> Told:
    return Told(f"Command points: {names.side(Side(0))} {event.cp[0]}, {names.side(Side(1))} {event.cp[1]}")


@tells(kinds.BattleShockTested)
def _battle_shock(event: kinds.BattleShockTested, names: Names) -> Told:
    outcome = "battle-shocked" if event.battle_shocked else "not battle-shocked"
    thrown = f", {dice(event.faces)} against Leadership {event.leadership}+" if event.faces else ""
    return Told(f"{names.unit(event.unit)}: {outcome}{thrown}", Level.BRIEF, names.side_of(event.unit))


@tells(kinds.BattleShocked)
def _shocked(event: kinds.BattleShocked, names: Names) -> Told:
    return Told(f"{names.unit(event.unit)}: battle-shocked", Level.BRIEF, names.side_of(event.unit))


@tells(kinds.AttacksDeclared)
def _attacks_declared(event: kinds.AttacksDeclared, names: Names) -> Told:
    pools = ", ".join(
        f"{f'{count} × ' if count > 1 else ''}{weapon} at {names.unit(target)}" for weapon, count, target in event.pools
    )
    text = f"{names.unit(event.unit)}: {pools or 'makes no attacks'}"
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.Settled)
def _settled(event: kinds.Settled, names: Names) -> Told:
    side = names.side(event.side)
    match event.what:
        case "first-turn":
            text = f"First turn: {side}"
        case "attacker":
            text = f"Attacker: {side}; Defender: {names.side(opponent(event.side))}"
        case "zone":
            text = f"{side}: deploys in the {_words(event.name)} zone"
        case _:
            text = f"{side}: {_words(event.what)} {_words(event.name)}".rstrip()
    return Told(text, Level.BRIEF, event.side)


_COUNTED = {
    "hit": "hit",
    "miss": "miss",
    "wound": "wound",
    "critical-hit": "critical hit",
    "critical-wound": "critical wound",
    "rending": "rending wound",
    "glancing hit": "glancing hit",
    "penetrating hit": "penetrating hit",
}
_NAMED = {"fail": "failed", "stopped": "saved", "gets-hot": "got hot", "no effect": "without effect"}


def _outcome(name: str, count: int) -> str:
    """What so many of the dice came to."""
    if name in _COUNTED:
        return counted(count, _COUNTED[name])
    if name in _NAMED:
        return f"{count} {_NAMED[name]}"
    if name.startswith("burst"):
        return f"{counted(count, 'die')} goes on" if count == 1 else f"{count} dice go on"
    result = _words(name).removeprefix("vehicle ")
    return result if count == 1 else f"{count} × {result}"


def _stage(stage: str) -> str:
    """A step of an attack, with which die it is where a step throws more than one."""
    match stage.split("-"):
        case [step, "second"]:
            return f"{step}, second die"
        case [step, "second", "glancing"]:
            return f"{step}, second die after a glancing hit"
        case [step, "burst", _]:
            return f"{step}, die after a 6"
        case _:
            return _words(stage)


def _modifier(stage: str, rule: str) -> str:
    """What a modifier comes from: the name of its rule, which stands behind a number or else last; of penetration rolls
    the weapon's Strength."""
    *_, word = parts = rule.split(".")
    if stage.startswith("penetration") and word in ("penetration", "roll"):
        return "Strength"
    if word in _SOURCES:
        return _SOURCES[word]
    numbered = [match[1] for part in parts if (match := _NUMBERED.fullmatch(part))]
    return _words(numbered[-1] if numbered else word)


_SOURCES = {"damage-modifiers": "AP", "open-topped-damage": "open-topped"}
"""What some modifiers come from, by the last word of their rule."""


@tells(kinds.StageResolved)
def _stage_resolved(event: kinds.StageResolved, names: Names) -> Told:
    outcomes = dict(event.outcomes)
    thrown_each = len(event.faces) // max(1, sum(outcomes.values()))
    together = " of two dice together" if thrown_each == 2 else ""
    possible = event.needed <= 12 if together else event.needed < _NEVER
    needed = f", {event.needed}+ needed{together}" if possible else ", none can succeed"
    if not event.faces or _TOTAL in outcomes:
        needed = ""
    if event.label:
        needed = f" ({event.label})"
    rerolls = "".join(f", a {was} again: {now}" for _, was, now in event.rerolls)
    modifiers = "".join(f", {amount:+d} {_modifier(event.stage, rule)}" for rule, amount in event.modifiers)
    counts = ", ".join(_outcome(name, count) for name, count in outcomes.items() if count) or "nothing"
    if _TOTAL in outcomes:
        counts = f"{outcomes[_TOTAL]} in all"
    thrown = f": {dice(event.faces)}" if event.faces else ""
    text = f"{event.weapon}, {_stage(event.stage)}{thrown}{rerolls}{needed}{modifiers} → {counts}"
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.WoundsLost)
def _wounds_lost(event: kinds.WoundsLost, names: Names) -> Told:
    left = f"{event.left} left" if event.left else "destroyed"
    text = f"{names.model_of(event.model, event.unit)}: {counted(event.lost, 'wound')} lost, {left}"
    return Told(f"{text} ({_cause(event.why)})" if event.why else text, Level.ROLLS, names.side_of(event.unit))


def _cause(why: str) -> str:
    """What took wounds: the name of a weapon as it is printed, or an id in words."""
    return _words(why) if why == why.lower() else why


@tells(kinds.WoundsHealed)
def _wounds_healed(event: kinds.WoundsHealed, names: Names) -> Told:
    text = f"{names.unit(event.unit)}, {names.model(event.model)}: {counted(event.healed, 'wound')} healed"
    return Told(f"{text}, {event.left} left ({_words(event.why)})", Level.ROLLS, names.side_of(event.unit))


@tells(kinds.ModelReturned)
def _model_returned(event: kinds.ModelReturned, names: Names) -> Told:
    back = "finds no room to come back" if event.where == "nowhere" else f"is back ({_words(event.where)})"
    text = f"{names.unit(event.unit)}: {names.model(event.model)} {back}, by {_words(event.why)}"
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.AttacksLost)
def _attacks_lost(event: kinds.AttacksLost, names: Names) -> Told:
    why = event.why or "no target is left in reach"
    text = f"{names.unit(event.unit)}: nothing comes of {listed(event.weapons)}, {why}"
    return Told(text, Level.ROLLS, names.side_of(event.unit))


@tells(kinds.AttacksMade)
def _attacks_made(event: kinds.AttacksMade, names: Names) -> Told:
    unit, target = names.unit(event.unit), names.unit(event.target)
    if not event.wounds_lost:
        text = f"{unit}, attacks on {target}: no wounds lost"
    else:
        slain = f", {counted(event.slain, 'model')} slain" if event.slain else ""
        text = f"{unit}, attacks on {target}: {counted(event.wounds_lost, 'wound')} lost{slain}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.UnitDestroyed)
def _unit_destroyed(event: kinds.UnitDestroyed, names: Names) -> Told:
    by = f" by {names.unit(event.by)}" if event.by else ""
    return Told(f"{names.unit(event.unit)}: destroyed{by}", Level.BRIEF, names.side_of(event.unit))


@tells(kinds.UnitInReserves)
def _in_reserves(event: kinds.UnitInReserves, names: Names) -> Told:
    text = f"{names.unit(event.unit)}: in reserves ({_words(event.why)})"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.UnitEmbarked)
def _embarked(event: kinds.UnitEmbarked, names: Names) -> Told:
    text = f"{names.unit(event.unit)}: aboard {names.unit(event.transport)}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.UnitDisembarked)
def _disembarked(event: kinds.UnitDisembarked, names: Names) -> Told:
    text = f"{names.unit(event.unit)}: gets out of {names.unit(event.transport)}"
    text += "" if event.how in ("", "out") else f" ({_words(event.how)} disembark)"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.ChargeDeclared)
def _charge_declared(event: kinds.ChargeDeclared, names: Names) -> Told:
    text = f'{names.unit(event.unit)}: charge roll {dice(event.faces)}, up to {event.distance}"'
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.ChargeFailed)
def _charge_failed(event: kinds.ChargeFailed, names: Names) -> Told:
    return Told(f"{names.unit(event.unit)}: makes no charge move", Level.BRIEF, names.side_of(event.unit))


@tells(kinds.StratagemUsed)
def _stratagem(event: kinds.StratagemUsed, names: Names) -> Told:
    mode = f", {event.mode}" if event.mode else ""
    text = f"{names.side(event.side)}: {event.stratagem}{mode} with {names.unit(event.unit)}"
    text += (
        f" for {event.cost}CP, {event.cp[event.side]} left" if event.paid else f", but {event.cost}CP are not to be had"
    )
    return Told(text, Level.BRIEF, event.side)


@tells(kinds.AbilityUsed)
def _ability(event: kinds.AbilityUsed, names: Names) -> Told:
    return Told(f"{names.unit(event.unit)}: uses {event.ability}", Level.BRIEF, names.side_of(event.unit))


@tells(kinds.ActionStarted)
def _action_started(event: kinds.ActionStarted, names: Names) -> Told:
    text = f"{names.unit(event.unit)}: starts {event.action}{_at(event.target, names)}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.ActionCompleted)
def _action_completed(event: kinds.ActionCompleted, names: Names) -> Told:
    text = f"{names.unit(event.unit)}: completes {event.action}{_at(event.target, names)}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


@tells(kinds.ActionFailed)
def _action_failed(event: kinds.ActionFailed, names: Names) -> Told:
    text = f"{names.unit(event.unit)}: {event.action}{_at(event.target, names)} fails, {event.why}"
    return Told(text, Level.BRIEF, names.side_of(event.unit))


def _at(target: str, names: Names) -> str:
    return f" ({_words(_place(target, names))})" if target else ""


@tells(kinds.ObjectiveControlChanged)
def _objective(event: kinds.ObjectiveControlChanged, names: Names) -> Told:
    held = "controlled by nobody" if event.side is None else f"controlled by {names.side(event.side)}"
    levels = f"Level of Control {event.levels[0]} to {event.levels[1]}" if any(event.levels) else "nobody is there"
    text = f"Objective {_words(event.objective)}: {held}, {levels}"
    return Told(text, Level.BRIEF, event.side)


@tells(kinds.Scored)
def _scored(event: kinds.Scored, names: Names) -> Told:
    points = counted(event.points, "point")
    what = f"{event.card} ({event.line})" if event.line in _MODES else f"{event.line} ({event.card})"
    text = f"{names.side(event.side)}: {points} for {what}, {event.total} in all"
    return Told(text, Level.BRIEF, event.side)


_MODES = ("fixed", "tactical")
"""Secondary cards score by these as a whole, and have no line of their own."""


def _card(key: str) -> str:
    return SECONDARIES[key].name if key in SECONDARIES else _words(key)


def _place(place: str, names: Names) -> str:
    """A place or unit of a mission: an objective, a terrain area, or a unit by its id."""
    what, colon, name = place.partition(":")
    if not colon:
        return names.unit(place)
    return f"terrain area {name}" if what == "area" else f"{what} {name}"


@tells(kinds.Marked)
def _marked(event: kinds.Marked, names: Names) -> Told:
    text = f"{names.side(event.side)}: {_place(event.place, names)}, {event.what.replace('-', ' ')}"
    return Told(text, Level.BRIEF, event.side)


@tells(kinds.Unmarked)
def _unmarked(event: kinds.Unmarked, names: Names) -> Told:
    text = f"{names.side(event.side)}: {event.what.replace('-', ' ')} removed from {_place(event.place, names)}"
    return Told(text, Level.BRIEF, event.side)


@tells(kinds.SecondariesChosen)
def _secondaries_chosen(event: kinds.SecondariesChosen, names: Names) -> Told:
    cards = f": {' and '.join(map(_card, event.cards))}" if event.cards else ""
    return Told(f"{names.side(event.side)}: {event.mode} secondary missions{cards}", Level.BRIEF, event.side)


@tells(kinds.CardDrawn)
def _card_drawn(event: kinds.CardDrawn, names: Names) -> Told:
    return Told(f"{names.side(event.side)}: {_card(event.card)} drawn", Level.BRIEF, event.side)


@tells(kinds.CardDiscarded)
def _card_discarded(event: kinds.CardDiscarded, names: Names) -> Told:
    why = event.why.replace("-", " ")
    return Told(f"{names.side(event.side)}: {_card(event.card)} {why}", Level.BRIEF, event.side)
