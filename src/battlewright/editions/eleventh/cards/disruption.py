"""The primary mission cards of Disruption."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.book import area_place, marks_of, objective_place
from battlewright.editions.eleventh.cards.markers import last_marker_is_held
from battlewright.editions.eleventh.cards.primary import (
    Lines,
    card,
    counted,
    each,
    if_so,
    killed_from_objective,
    marked_objectives,
)
from battlewright.editions.eleventh.look import Look, Time

__all__ = ["death_trap", "delaying_action", "locate_and_deny", "outmanoeuvre", "smoke_and_mirrors"]


@card("Death Trap")
@rule("11e.core.primary.death-trap", "11e.core.mission.cumulative-lines")
def death_trap(look: Look, time: Time) -> Lines:
    """E: 2 per area trapped this turn, 3 more if an objective; 3 for a kill of who began in a trapped one. C: 4."""
    if time is Time.COMMAND:
        return if_so(look.non_home, 4, "a non-home objective controlled")
    if time is not Time.TURN:
        return []
    trapped = look.done("booby-trap")
    goals = [place for place in trapped if _is_objective(look, place)]
    places = {mark.place for mark in marks_of(look.book, look.side, "trapped")}
    caught = [kill for kill in look.kills if places & _places_begun_in(look, kill.unit)]
    return [
        (f"{counted(len(trapped), 'place')} trapped", 2 * len(trapped)),
        (f"{counted(len(goals), 'objective')} among them", 3 * len(goals)),
        *if_so(caught, 3, "an enemy unit that began the turn in a trapped place destroyed"),
    ]


def _is_objective(look: Look, place: str) -> bool:
    areas = {f"area:{goal.area}" for goal in look.objectives if goal.area is not None}
    return place.startswith("objective:") or place in areas


def _places_begun_in(look: Look, unit: int) -> set[str]:
    """Terrain areas, and objectives without one, that a unit was in when the turn began."""
    goals = {objective_place(look.scene, goal) for each, goal in look.book.on_objective if each == unit}
    return goals | {area_place(look.scene, area) for area in look.areas_begun_in(unit)}


@card("Delaying Action")
@rule("11e.core.primary.delaying-action")
def delaying_action(look: Look, time: Time) -> Lines:
    """E: 2 per enemy unit destroyed; from round 2, 3 for a central with an expansion. C: 4 for one that is no home."""
    if time is Time.COMMAND:
        return if_so(look.nobodys_home, 4, "an objective controlled that is nobody's home")
    if time is Time.TURN:
        both = look.round >= 2 and look.held_of(ObjectiveRole.CENTRAL) and look.held_of(ObjectiveRole.EXPANSION)
        killed = len(look.kills)
        return [
            (f"{counted(killed, 'enemy unit')} destroyed", 2 * killed),
            *if_so(both, 3, "a central and an expansion objective controlled"),
        ]
    return []


@card("Outmanoeuvre")
@rule("11e.core.primary.outmanoeuvre")
def outmanoeuvre(look: Look, time: Time) -> Lines:
    """E: 10 for the enemy home; per non-home 4 at E of round 1, 5 at C of rounds 2 and 3, 6 at E of rounds 4 and 5."""
    if time is Time.COMMAND:
        return each(look.non_home, 5) if look.round in (2, 3) else []
    if time is Time.TURN:
        rate = {1: 4, 4: 6, 5: 6}.get(look.round, 0)
        return [*if_so(look.holds_enemy_home, 10, "the enemy home controlled"), *each(look.non_home, rate)]
    return []


@card("Smoke and Mirrors")
@rule("11e.core.primary.smoke-and-mirrors", "11e.core.mission.cumulative-lines")
def smoke_and_mirrors(look: Look, time: Time) -> Lines:
    """E: 2 per decoyed objective, 2 more in enemy territory. C: 4 for a non-home. G: 10 for four or more decoyed."""
    decoyed = marked_objectives(look, "decoyed")
    match time:
        case Time.COMMAND:
            return if_so(look.non_home, 4, "a non-home objective controlled")
        case Time.TURN:
            there = [number for number in decoyed if look.in_enemy_territory(number)]
            return [
                (f"{counted(len(decoyed), 'objective')} decoyed", 2 * len(decoyed)),
                (f"{len(there)} of them in enemy territory", 2 * len(there)),
            ]
        case Time.BATTLE:
            return if_so(len(decoyed) >= 4, 10, "four or more objectives decoyed")
        case _:
            return []


@card("Locate and Deny")
@rule("11e.core.primary.locate-and-deny")
def locate_and_deny(look: Look, time: Time) -> Lines:
    """E: 4 for a kill of who began on an objective; 4 for the last own marker held. C: 4. G: 5 for that."""
    match time:
        case Time.COMMAND:
            return if_so(look.non_home, 4, "a non-home objective controlled")
        case Time.TURN:
            held = last_marker_is_held(look, of_opponent=False)
            return [*killed_from_objective(look, 4), *if_so(held, 4, "the last marker held")]
        case Time.BATTLE:
            return if_so(last_marker_is_held(look, of_opponent=False), 5, "the last marker held")
        case _:
            return []
