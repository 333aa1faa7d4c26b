"""The primary mission cards of Purge the Foe."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.book import marks_of, objective_place
from battlewright.editions.eleventh.cards.primary import Lines, card, counted, each, enemy_destroyed, if_so
from battlewright.editions.eleventh.look import Look, Time

__all__ = ["consecrate", "destroyers_wrath", "meatgrinder", "punishment", "unstoppable_force"]


@card("Unstoppable Force")
@rule("11e.core.primary.unstoppable-force")
def unstoppable_force(look: Look, time: Time) -> Lines:
    """E: 3 for a kill; from round 2, 3 for a newly controlled non-home. C: 4 per non-home. G: 5 for a central."""
    match time:
        case Time.COMMAND:
            return each(look.non_home, 4)
        case Time.TURN:
            newly = look.round >= 2 and look.newly
            return [*enemy_destroyed(look, 3), *if_so(newly, 3, "a newly controlled objective")]
        case Time.BATTLE:
            return if_so(look.held_of(ObjectiveRole.CENTRAL), 5, "a central objective controlled")
        case _:
            return []


def _out_killed(look: Look, points: int) -> Lines:
    more = look.round >= 2 and len(look.kills) > len(look.losses_before)
    return if_so(more, points, "more enemy units destroyed than own ones in the turn before")


@card("Meatgrinder")
@rule("11e.core.primary.meatgrinder")
def meatgrinder(look: Look, time: Time) -> Lines:
    """E: 3 for a kill; from 2, 5 for more kills than own losses in the turn before, 5 for the enemy home. C: 4."""
    if time is Time.COMMAND:
        return if_so(look.non_home, 4, "a non-home objective controlled")
    if time is Time.TURN:
        return [
            *enemy_destroyed(look, 3),
            *_out_killed(look, 5),
            *if_so(look.round >= 2 and look.holds_enemy_home, 5, "the enemy home controlled"),
        ]
    return []


@card("Punishment")
@rule("11e.core.primary.punishment")
def punishment(look: Look, time: Time) -> Lines:
    """End of any turn: 5 if a condemned unit left the battlefield. C: 4, and 5 for more. G: 8 for enemy home."""
    match time:
        case Time.COMMAND:
            return [
                *if_so(look.non_home, 4, "a non-home objective controlled"),
                *if_so(look.has_more, 5, "more objectives than the opponent"),
            ]
        case Time.TURN | Time.OPPONENTS_TURN:
            gone = [unit for unit in look.book.condemned & look.book.left if look.state.units[unit].side != look.side]
            return if_so(gone, 5, "a condemned unit left the battlefield")
        case Time.BATTLE:
            return if_so(look.holds_enemy_home, 8, "the enemy home controlled")


@card("Consecrate")
@rule("11e.core.primary.consecrate")
def consecrate(look: Look, time: Time) -> Lines:
    """E: 3 for one or two consecrated, 6 for three or more. C: 4, and 4 for more. G: 5 for the enemy home."""
    marked = {mark.place for mark in marks_of(look.book, look.side, "consecrated")}
    match time:
        case Time.COMMAND:
            return [
                *if_so(look.non_home, 4, "a non-home objective controlled"),
                *if_so(look.has_more, 4, "more objectives than the opponent"),
            ]
        case Time.TURN:
            return if_so(marked, 6 if len(marked) >= 3 else 3, f"{counted(len(marked), 'objective')} consecrated")
        case Time.BATTLE:
            home = look.enemy_home
            there = home is not None and objective_place(look.scene, home) in marked
            return if_so(there, 5, "the enemy home consecrated")
        case _:
            return []


@card("Destroyer's Wrath")
@rule("11e.core.primary.destroyers-wrath")
def destroyers_wrath(look: Look, time: Time) -> Lines:
    """E: 3 for a kill; from round 2, 4 for more kills than own losses in the turn before. C: 4 and 6 for more."""
    if time is Time.COMMAND:
        return [
            *if_so(look.non_home, 4, "a non-home objective controlled"),
            *if_so(look.has_more, 6, "more objectives than the opponent"),
        ]
    if time is Time.TURN:
        return [*enemy_destroyed(look, 3), *_out_killed(look, 4)]
    return []
