"""The primary mission cards of Priority Assets."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.book import marks_of, objective_place
from battlewright.editions.eleventh.cards.markers import last_marker_is_held
from battlewright.editions.eleventh.cards.primary import (
    MARKER,
    Lines,
    card,
    counted,
    enemy_destroyed,
    has_done,
    if_so,
    killed_from_objective,
)
from battlewright.editions.eleventh.look import Look, Time

__all__ = ["extract_relic", "sabotage", "secure_asset", "vanguard_operation", "vital_link"]


@card("Secure Asset")
@rule("11e.core.primary.secure-asset")
def secure_asset(look: Look, time: Time) -> Lines:
    """E: 4 if done; 2 for a kill of who began on a central. C: 4 for a non-home, 4 for three or more."""
    if time is Time.COMMAND:
        return [
            *if_so(look.non_home, 4, "a non-home objective controlled"),
            *if_so(len(look.held) >= 3, 4, "three or more objectives controlled"),
        ]
    if time is Time.TURN:
        return [*has_done(look, "secure-asset", 4), *killed_from_objective(look, 2, ObjectiveRole.CENTRAL)]
    return []


@card("Vital Link")
@rule("11e.core.primary.vital-link", "11e.core.mission.cumulative-lines")
def vital_link(look: Look, time: Time) -> Lines:
    """E: 2 for a central, 1 more per own marker on those held. C: 4, 4 more for a central. G: 10 for enemy home."""
    central = look.held_of(ObjectiveRole.CENTRAL)
    match time:
        case Time.COMMAND:
            return [
                *if_so(look.non_home, 4, "a non-home objective controlled"),
                *if_so(central, 4, "one of them central"),
            ]
        case Time.TURN:
            places = {objective_place(look.scene, number) for number in central}
            markers = sum(mark.place in places for mark in marks_of(look.book, look.side, MARKER))
            return [
                *if_so(central, 2, "a central objective controlled"),
                *if_so(markers, markers, f"{counted(markers, 'own marker')} there"),
            ]
        case Time.BATTLE:
            return if_so(look.holds_enemy_home, 10, "the enemy home controlled")
        case _:
            return []


@card("Extract Relic")
@rule("11e.core.primary.extract-relic")
def extract_relic(look: Look, time: Time) -> Lines:
    """E: 4 if done; 3 for a kill of who began on an objective; 4 for the last marker. C: 4. G: 5 for that."""
    match time:
        case Time.COMMAND:
            return if_so(look.non_home, 4, "a non-home objective controlled")
        case Time.TURN:
            held = last_marker_is_held(look, of_opponent=True)
            return [
                *has_done(look, "sensor-sweep", 4),
                *killed_from_objective(look, 3),
                *if_so(held, 4, "the last marker held"),
            ]
        case Time.BATTLE:
            return if_so(last_marker_is_held(look, of_opponent=True), 5, "the last marker held")
        case _:
            return []


@card("Vanguard Operation")
@rule("11e.core.primary.vanguard-operation")
def vanguard_operation(look: Look, time: Time) -> Lines:
    """E: 4 if done; 2 for a kill. C: 4 for a non-home. G: 10 for the enemy home."""
    match time:
        case Time.COMMAND:
            return if_so(look.non_home, 4, "a non-home objective controlled")
        case Time.TURN:
            return [*has_done(look, "vanguard-operation", 4), *enemy_destroyed(look, 2)]
        case Time.BATTLE:
            return if_so(look.holds_enemy_home, 10, "the enemy home controlled")
        case _:
            return []


@card("Sabotage")
@rule("11e.core.primary.sabotage", "11e.core.mission.cumulative-lines")
def sabotage(look: Look, time: Time) -> Lines:
    """E: 3 per unit that did it, 2 more on an objective in enemy territory. C: 4 for a non-home."""
    if time is Time.COMMAND:
        return if_so(look.non_home, 4, "a non-home objective controlled")
    if time is not Time.TURN:
        return []
    done = look.done("sabotage")
    numbers = {objective_place(look.scene, number): number for number in range(len(look.objectives))}
    there = [place for place in done if look.in_enemy_territory(numbers[place])]
    return [
        (f"{counted(len(done), 'unit')} committed sabotage", 3 * len(done)),
        (f"{len(there)} of them in enemy territory", 2 * len(there)),
    ]
