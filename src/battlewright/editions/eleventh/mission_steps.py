"""What players choose for their primary cards besides actions: condemning, consecrating, laying out markers.

None of these decisions is a checkpoint: they are asked within one step of the phase they belong to.
"""

from __future__ import annotations

from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.book import Mark, area_place, marks_of, objective_place
from battlewright.editions.eleventh.cards.primary import MARKER, OPERATION
from battlewright.editions.eleventh.events import Marked, Unmarked
from battlewright.editions.eleventh.in_range import objectives_in_range
from battlewright.editions.eleventh.look import Look
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.whereabouts import zone_name

__all__ = ["areas_outside_zone", "end_of_turn", "mark", "note_move", "start_of_turn", "unmark"]

_PUNISHMENT, _CONSECRATE = "11e.core.primary.punishment", "11e.core.primary.consecrate"
_LOCATE, _SURVEIL = "11e.core.primary.locate-and-deny", "11e.core.primary.surveil-the-foe"
MOST_MARKERS = 5
MOST_CONDEMNED = 3


def start_of_turn(battle: Battle11) -> Procedure[None]:
    """Before the first turn each player lays out the markers of their card; then the turn player condemns units."""
    if battle.state.turns == 1:
        for side in SIDES:
            if battle.scene.mission.cards[side].rule == _LOCATE:
                yield from _lay_out_markers(battle, side)
    if battle.scene.mission.cards[battle.state.turn].rule == _PUNISHMENT:
        yield from _condemn(battle, battle.state.turn)


def end_of_turn(battle: Battle11) -> Procedure[None]:
    """The turn player's units consecrate objectives."""
    if battle.scene.mission.cards[battle.state.turn].rule == _CONSECRATE:
        yield from _consecrate(battle, battle.state.turn)


def mark(battle: Battle11, side: Side, kind: str, place: str, *rules: str) -> None:
    """Lay a marker, or note what a place has become."""
    battle.state.book = replace(battle.state.book, marks=(*battle.state.book.marks, Mark(side, kind, place)))
    battle.happened(Marked(side=side, what=kind, place=place, rules=rules))


def unmark(battle: Battle11, gone: Mark, *rules: str) -> None:
    """Take one marker away."""
    marks = list(battle.state.book.marks)
    marks.remove(gone)
    battle.state.book = replace(battle.state.book, marks=tuple(marks))
    battle.happened(Unmarked(side=Side(gone.side), what=gone.kind, place=gone.place, rules=rules))


# -- Locate and Deny ----------------------------------------------------------------------------------------------


def areas_outside_zone(scene: Scene, state: EleventhState, side: Side) -> list[int]:
    """The terrain areas no part of which lies in the side's deployment zone."""
    owner = zone_name(state, side)
    known: dict[str, list[int]] = scene.cache.setdefault("areas-outside-zones", {})
    if owner not in known:
        import shapely

        zone = shapely.Polygon(scene.battlefield.zone(owner).polygon)
        known[owner] = [
            number
            for number, area in enumerate(scene.battlefield.areas)
            if zone.intersection(shapely.Polygon(area.polygon)).area < 1e-3
        ]
    return known[owner]


@rule("11e.core.primary.locate-and-deny")
def _lay_out_markers(battle: Battle11, side: Side) -> Procedure[None]:
    """Own markers in five terrain areas outside the own zone, or in all of them where there are fewer.

    RULING: 11e.core.primary.locate-and-deny we read "before the battle" as at the start of the first turn.
    """
    scene, state = battle.scene, battle.state
    free = areas_outside_zone(scene, state, side)
    for _ in range(MOST_MARKERS):
        if not free:
            return
        choices = Options(
            [
                Option(area_place(scene, area), f"terrain area {scene.battlefield.areas[area].id}", area)
                for area in free
            ],
            rule=_LOCATE,
        )
        picked: int = yield from choose(
            Decision(side, "place-marker", "Lay a marker in a terrain area outside your zone", _LOCATE, choices)
        )
        free = [area for area in free if area != picked]
        mark(battle, side, OPERATION, area_place(scene, picked), _LOCATE)


# -- Punishment ---------------------------------------------------------------------------------------------------


@rule("11e.core.primary.punishment")
def condemnable(battle: Battle11, side: Side) -> tuple[list[int], int]:
    """The enemy units that may be condemned, and how many of them.

    Up to three of those in range of an objective or that destroyed an own unit in the previous turn; if there is none,
    one of all.

    RULING: 11e.core.primary.punishment only units on the battlefield can be condemned, since others cannot leave it.
    """
    scene, state, look = battle.scene, battle.state, Look(battle.scene, battle.state, side)
    killers = {kill.by for kill in look.losses_before}
    there = list(look.units(opponent(side)))
    guilty = [unit for unit in there if unit in killers or objectives_in_range(scene, state, unit)]
    return (guilty, MOST_CONDEMNED) if guilty else (there, 1)


@rule("11e.core.primary.punishment")
def _condemn(battle: Battle11, side: Side) -> Procedure[None]:
    """Condemn enemy units until the own next turn, one at least."""
    scene, state = battle.scene, battle.state
    theirs = {unit.index for unit in scene.units_of(opponent(side))}
    state.book = replace(state.book, condemned=frozenset(state.book.condemned - theirs))
    units, most = condemnable(battle, side)
    for number in range(most):
        free = [unit for unit in units if unit not in state.book.condemned]
        if not free:
            return
        options = [Option(scene.units[unit].id, scene.units[unit].name, unit) for unit in free]
        if number:
            options.append(Option("done", "condemn no more", None))
        choices = Options(options, rule=_PUNISHMENT, default=options[0].key)
        picked: int | None = yield from choose(Decision(side, "condemn", "Condemn an enemy unit", _PUNISHMENT, choices))
        if picked is None:
            return
        state.book = replace(state.book, condemned=state.book.condemned | {picked})
        battle.happened(Marked(side=side, what="condemned", place=scene.units[picked].id, rules=(_PUNISHMENT,)))


# -- Consecrate ---------------------------------------------------------------------------------------------------


@rule("11e.core.primary.consecrate")
def _consecrate(battle: Battle11, side: Side) -> Procedure[None]:
    """Each own unit that has destroyed an enemy unit may consecrate one non-home objective it is in range of."""
    scene, state, look = battle.scene, battle.state, Look(battle.scene, battle.state, side)
    killers = {kill.by for kill in look.kills if kill.by >= 0 and state.units[kill.by].side == side}
    state.book = replace(state.book, consecrators=state.book.consecrators | killers)
    for unit in sorted(state.book.consecrators):
        if state.units[unit].side != side or not standing(state, unit):
            continue
        done = {each.place for each in marks_of(state.book, side, "consecrated")}
        free = [
            goal
            for goal in objectives_in_range(scene, state, unit)
            if goal != look.home and objective_place(scene, goal) not in done
        ]
        if not free:
            continue
        options = [Option(objective_place(scene, goal), look.objectives[goal].id, goal) for goal in free]
        options.append(Option("no", "consecrate nothing", None))
        choices = Options(options, rule=_CONSECRATE, default=options[0].key)
        prompt = f"{scene.units[unit].name}: consecrate an objective?"
        picked: int | None = yield from choose(
            Decision(side, "consecrate", prompt, _CONSECRATE, choices, subject=scene.units[unit].index)
        )
        if picked is not None:
            state.book = replace(state.book, consecrators=state.book.consecrators - {unit})
            mark(battle, side, "consecrated", objective_place(scene, picked), _CONSECRATE)


# -- Surveil the Foe ----------------------------------------------------------------------------------------------


@rule("11e.core.primary.surveil-the-foe")
def note_move(battle: Battle11, unit: int) -> None:
    """A unit has ended a move: with Surveil the Foe it removes the opponent's markers at objectives in its range.

    RULING: 11e.core.primary.surveil-the-foe what an objective has become (decoyed) stays when its marker is removed.
    """
    side = Side(battle.state.units[unit].side)
    if battle.scene.mission.cards[side].rule != _SURVEIL:
        return
    theirs = marks_of(battle.state.book, opponent(side), MARKER)
    if not theirs:
        return
    there = {objective_place(battle.scene, goal) for goal in objectives_in_range(battle.scene, battle.state, unit)}
    for each in theirs:
        if each.place in there:
            unmark(battle, each, _SURVEIL)
