"""The primary mission cards of Take and Hold."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.cards.primary import Lines, card, each, if_so
from battlewright.editions.eleventh.look import Look, Time

__all__ = [
    "battlefield_dominance",
    "determined_acquisition",
    "immovable_object",
    "inescapable_dominion",
    "purge_and_secure",
]


@card("Battlefield Dominance")
@rule("11e.core.primary.battlefield-dominance", "11e.core.mission.cumulative-lines")
def battlefield_dominance(look: Look, time: Time) -> Lines:
    """E in rounds 1 and 2: 2 for more than the opponent. C: 3 for each; with home, 2 more for each of the others."""
    if time is Time.COMMAND:
        more = 2 * (len(look.held) - 1) if look.home in look.held else 0
        return [*each(look.held, 3, "objective"), *if_so(more, more, "home controlled with them")]
    if time is Time.TURN and look.round <= 2:
        return if_so(look.has_more, 2, "more objectives than the opponent")
    return []


@card("Immovable Object")
@rule("11e.core.primary.immovable-object")
def immovable_object(look: Look, time: Time) -> Lines:
    """E: 3 for a central. C: 5 for each non-home."""
    if time is Time.COMMAND:
        return each(look.non_home, 5)
    if time is Time.TURN:
        return if_so(look.held_of(ObjectiveRole.CENTRAL), 3, "a central objective controlled")
    return []


@card("Determined Acquisition")
@rule("11e.core.primary.determined-acquisition", "11e.core.mission.cumulative-lines")
def determined_acquisition(look: Look, time: Time) -> Lines:
    """E: 2 for each non-home controlled now and not as the turn began. C: 3 for each, 3 more in enemy territory."""
    if time is Time.COMMAND:
        there = [number for number in look.held if look.in_enemy_territory(number)]
        return [*each(look.held, 3, "objective"), *each(there, 3, "objective", " in enemy territory")]
    if time is Time.TURN:
        return each(look.newly, 2, "newly taken objective")
    return []


@card("Purge and Secure")
@rule("11e.core.primary.purge-and-secure")
def purge_and_secure(look: Look, time: Time) -> Lines:
    """E: 3 for a kill by one on an objective, or of who began there. C: 4 per non-home. From 2: 3 for a new one."""
    if time is Time.COMMAND:
        return each(look.non_home, 4)
    if time is Time.TURN:
        there = [kill for kill in look.kills if kill.on_objective or look.began_on(kill.unit)]
        return [
            *if_so(there, 3, "an enemy unit destroyed at an objective"),
            *if_so(look.round >= 2 and look.newly, 3, "a newly controlled objective"),
        ]
    return []


@card("Inescapable Dominion")
@rule("11e.core.primary.inescapable-dominion")
def inescapable_dominion(look: Look, time: Time) -> Lines:
    """E: 4 for three or more. C: 5 for two or more, 4 for more than the opponent. G: 5 for the enemy home."""
    match time:
        case Time.COMMAND:
            return [
                *if_so(len(look.held) >= 2, 5, "two or more objectives controlled"),
                *if_so(look.has_more, 4, "more objectives than the opponent"),
            ]
        case Time.TURN:
            return if_so(len(look.held) >= 3, 4, "three or more objectives controlled")
        case Time.BATTLE:
            return if_so(look.holds_enemy_home, 5, "the enemy home controlled")
        case _:
            return []
