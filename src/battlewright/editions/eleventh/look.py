"""What a mission card asks of a battle, seen from its owner's side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.bases import holds_point
from battlewright.core.decisions import SIDES, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.table import Objective, ObjectiveRole
from battlewright.editions.eleventh.book import Kill, MissionBook
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.whereabouts import quarter_of, territory_of, zone_name, zone_of

__all__ = ["LAST_ROUND", "Look", "Time", "home_objective"]

LAST_ROUND = 5


class Time(StrEnum):
    """When a primary card is asked what it scores."""

    COMMAND = "command"
    """C: end of the owner's Command phase from round 2, in round 5 end of the owner's turn."""
    TURN = "turn"
    """E: end of the owner's turn."""
    OPPONENTS_TURN = "opponents-turn"
    """End of the opponent's turn."""
    BATTLE = "battle"
    """G: end of the battle."""


@rule("11e.core.mission.objectives")
def home_objective(scene: Scene, state: EleventhState, side: Side) -> int | None:
    """The side's home objective, or None where the layout has none."""
    owner = zone_name(state, side)
    for number, goal in enumerate(scene.battlefield.objectives):
        if goal.role is ObjectiveRole.HOME and goal.owner == owner:
            return number
    return None


@dataclass(frozen=True, slots=True)
class Look:
    """A battle as a card of one side sees it."""

    scene: Scene
    state: EleventhState
    side: Side

    @property
    def book(self) -> MissionBook:
        """What the mission remembers."""
        return self.state.book

    @property
    def round(self) -> int:
        """The battle round."""
        return self.state.round

    @property
    def is_last_turn(self) -> bool:
        """Whether the present turn is the last of the battle."""
        return self.state.round == LAST_ROUND and self.state.turn != self.state.first

    # -- objectives -----------------------------------------------------------------------------------------------

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """All objectives of the battlefield."""
        return self.scene.battlefield.objectives

    @property
    def held(self) -> list[int]:
        """The objectives that the side controls."""
        return [number for number, holder in enumerate(self.state.control) if holder == self.side]

    @property
    def has_more(self) -> bool:
        """Whether the side controls more objectives than the opponent."""
        return len(self.held) > sum(holder == opponent(self.side) for holder in self.state.control)

    @property
    def home(self) -> int | None:
        """The side's home objective."""
        return home_objective(self.scene, self.state, self.side)

    @property
    def enemy_home(self) -> int | None:
        """The opponent's home objective."""
        return home_objective(self.scene, self.state, opponent(self.side))

    @property
    def non_home(self) -> list[int]:
        """The objectives controlled but for the side's own home."""
        return [number for number in self.held if number != self.home]

    @property
    def nobodys_home(self) -> list[int]:
        """The objectives controlled that are no player's home."""
        return [number for number in self.held if self.objectives[number].role is not ObjectiveRole.HOME]

    @property
    def newly(self) -> list[int]:
        """The non-home objectives controlled now that were not when the turn began."""
        return [number for number in self.non_home if self.book.control[number : number + 1] != (self.side,)]

    @property
    def holds_enemy_home(self) -> bool:
        """Whether the side controls the opponent's home objective."""
        return self.enemy_home is not None and self.enemy_home in self.held

    def held_of(self, role: ObjectiveRole) -> list[int]:
        """The objectives of a role that the side controls."""
        return [number for number in self.held if self.objectives[number].role is role]

    def in_enemy_territory(self, objective: int) -> bool:
        """Whether an objective's point lies in the opponent's territory."""
        return holds_point(territory_of(self.scene, self.state, opponent(self.side)), self.objectives[objective].point)

    def in_no_mans_land(self, objective: int) -> bool:
        """Whether an objective's point lies outside both deployment zones."""
        point = self.objectives[objective].point
        return not any(holds_point(zone_of(self.scene, self.state, side), point) for side in SIDES)

    # -- the fallen -------------------------------------------------------------------------------------------------

    @property
    def kills(self) -> list[Kill]:
        """The enemy units destroyed in this turn."""
        return [kill for kill in self.book.kills if self.state.units[kill.unit].side != self.side]

    @property
    def losses_before(self) -> list[Kill]:
        """The own units destroyed in the turn before."""
        return [kill for kill in self.book.kills_before if self.state.units[kill.unit].side == self.side]

    def began_on(self, unit: int, role: ObjectiveRole | None = None) -> bool:
        """Whether a unit began the turn in range of an objective, of that role."""
        return any(
            each == unit and (role is None or self.objectives[goal].role is role)
            for each, goal in self.book.on_objective
        )

    def areas_begun_in(self, unit: int) -> list[int]:
        """The terrain areas that a unit was within when the turn began."""
        return sorted(area for each, area in self.book.in_area if each == unit)

    def done(self, action: str) -> list[str]:
        """What the side has completed an action on in this turn, by name."""
        return [
            target
            for unit, name, target in self.state.actions_completed
            if name == action and self.state.units[unit].side == self.side
        ]

    # -- units ------------------------------------------------------------------------------------------------------

    def units(self, side: Side) -> Iterator[int]:
        """A side's units on the battlefield."""
        for unit in self.scene.units_of(side):
            if standing(self.state, unit.index):
                yield int(unit.index)

    @rule("11e.core.secondary.who-counts")
    def counted_units(self, side: Side) -> Iterator[int]:
        """Those that are counted for their position: no AIRCRAFT, and not battle-shocked."""
        for unit in self.units(side):
            shocked = self.state.units[unit].battle_shocked
            if not shocked and not any(self.scene.models[row].has("AIRCRAFT") for row in standing(self.state, unit)):
                yield unit

    def quarters(self, units: Iterator[int]) -> int:
        """In how many table quarters one of the units is, wholly and not within 6" of the centre."""
        found = {quarter_of(self.scene, self.state, unit) for unit in units}
        return len(found - {None})
