"""The primary mission cards of Reconnaissance."""

from __future__ import annotations

from battlewright.core.decisions import opponent
from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.book import marks_of, objective_place
from battlewright.editions.eleventh.cards.primary import MARKER, Lines, card, counted, each, if_so, marked_objectives
from battlewright.editions.eleventh.in_range import objectives_in_range
from battlewright.editions.eleventh.look import Look, Time
from battlewright.editions.eleventh.whereabouts import is_wholly_within, territory_of

__all__ = ["gather_intel", "reconnaissance_sweep", "search_and_scour", "surveil_the_foe", "triangulation"]


@card("Reconnaissance Sweep")
@rule("11e.core.primary.reconnaissance-sweep")
def reconnaissance_sweep(look: Look, time: Time) -> Lines:
    """E: 3 for units in three quarters, 6 for four, not within 6" of the centre; 1 per enemy unit destroyed. C: 3."""
    if time is Time.COMMAND:
        return if_so(look.non_home, 3, "a non-home objective controlled")
    if time is Time.TURN:
        quarters, killed = look.quarters(look.units(look.side)), len(look.kills)
        return [
            *if_so(quarters >= 3, 6 if quarters == 4 else 3, f"units in {quarters} table quarters"),
            (f"{counted(killed, 'enemy unit')} destroyed", killed),
        ]
    return []


@card("Triangulation")
@rule("11e.core.primary.triangulation")
def triangulation(look: Look, time: Time) -> Lines:
    """C: 4. E from round 2: 3, 6, 10 for one, two, three or more triangulated. G: 10 for four objectives."""
    match time:
        case Time.COMMAND:
            return if_so(look.non_home, 4, "a non-home objective controlled")
        case Time.TURN:
            count = len(marked_objectives(look, "triangulated"))
            return if_so(
                look.round >= 2 and count, (0, 3, 6, 10)[min(count, 3)], f"{counted(count, 'objective')} triangulated"
            )
        case Time.BATTLE:
            return if_so(len(look.held) >= 4, 10, "four or more objectives controlled")
        case _:
            return []


@card("Surveil the Foe")
@rule("11e.core.primary.surveil-the-foe")
def surveil_the_foe(look: Look, time: Time) -> Lines:
    """E: 4 for a surveilled unit not shielded by markers; from 2, 5 if no enemy marker is left. C: 4, 4 for more.

    RULING: 11e.core.primary.surveil-the-foe a surveilled unit that is destroyed in the same turn has been surveilled
    all the same; it is on no objective any more, so that no marker shields it.
    """
    if time is Time.COMMAND:
        return [
            *if_so(look.non_home, 4, "a non-home objective controlled"),
            *if_so(look.has_more, 4, "more objectives than the opponent"),
        ]
    if time is not Time.TURN:
        return []
    theirs = marks_of(look.book, opponent(look.side), MARKER)
    seen = look.done("surveil")
    bare = [unit for unit in seen if not _is_shielded(look, unit, {mark.place for mark in theirs})]
    return [
        *if_so(bare, 4, "an enemy unit surveilled"),
        *if_so(look.round >= 2 and not theirs, 5, "no enemy marker left"),
    ]


def _is_shielded(look: Look, unit_id: str, places: set[str]) -> bool:
    unit = look.scene.by_id[unit_id]
    return any(
        objective_place(look.scene, goal) in places for goal in objectives_in_range(look.scene, look.state, unit)
    )


@card("Gather Intel")
@rule("11e.core.primary.gather-intel")
def gather_intel(look: Look, time: Time) -> Lines:
    """Round 1 E: 6 for a central, then 7 per unit that gathered. C: 4. G: 5 for three markers, 5 for enemy home."""
    match time:
        case Time.COMMAND:
            return if_so(look.non_home, 4, "a non-home objective controlled")
        case Time.TURN:
            if look.round == 1:
                return if_so(look.held_of(ObjectiveRole.CENTRAL), 6, "a central objective controlled")
            done = len(look.done("extract-intelligence"))
            return [(f"{counted(done, 'unit')} gathered intelligence", 7 * done)]
        case Time.BATTLE:
            mine = marks_of(look.book, look.side, MARKER)
            home = look.enemy_home
            there = home is not None and any(mark.place == objective_place(look.scene, home) for mark in mine)
            return [*if_so(len(mine) >= 3, 5, "three or more markers"), *if_so(there, 5, "a marker on the enemy home")]
        case _:
            return []


@card("Search and Scour")
@rule("11e.core.primary.search-and-scour")
def search_and_scour(look: Look, time: Time) -> Lines:
    """E: 3 for a central; 2 for a kill of who began in terrain. C: 4 per non-home. G: 5 if own territory is clear."""
    match time:
        case Time.COMMAND:
            return each(look.non_home, 4)
        case Time.TURN:
            there = [kill for kill in look.kills if look.areas_begun_in(kill.unit)]
            return [
                *if_so(look.held_of(ObjectiveRole.CENTRAL), 3, "a central objective controlled"),
                *if_so(there, 2, "an enemy unit that began the turn in a terrain area destroyed"),
            ]
        case Time.BATTLE:
            mine = territory_of(look.scene, look.state, look.side)
            foes = [
                unit for unit in look.units(opponent(look.side)) if is_wholly_within(look.scene, look.state, unit, mine)
            ]
            return if_so(not foes, 5, "no enemy unit wholly in the own territory")
        case _:
            return []
