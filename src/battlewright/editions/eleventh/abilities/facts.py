"""What the conditions of abilities ask of a battle as it stands."""

from __future__ import annotations

from functools import cached_property

from battlewright.core.decisions import Side, opponent
from battlewright.core.roster import Role
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh.abilities.conditions import Situation
from battlewright.editions.eleventh.engagement import is_engaged
from battlewright.editions.eleventh.keywords import keywords_match, keywords_of_models
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.scene import Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind, Phase

__all__ = [
    "BattleFacts",
    "is_in_play",
    "phase_of",
    "situation",
]


class BattleFacts:
    """A unit of a battle as conditions ask about it; see :class:`~.conditions.Facts`. Good for one moment only."""

    def __init__(self, scene: Scene, state: EleventhState, unit: int) -> None:
        self._scene, self._state, self._unit = scene, state, unit
        self._mine = state.units[unit]

    @cached_property
    def keywords(self) -> frozenset[str]:
        """See the protocol."""
        return keywords_of_models(self._scene.models[row].profile.keywords for row in living(self._state, self._unit))

    @cached_property
    @rule("11e.core.19.04-leading-without-bodyguard")
    def is_led(self) -> bool:
        """See the protocol; a leader's own abilities work on when its bodyguard is gone (19.04)."""
        return self._scene.units[self._unit].is_attached and any(
            self._scene.models[row].role is not Role.UNIT and is_in_play(self._state, row) for row in self._mine.models
        )

    @property
    def is_battle_shocked(self) -> bool:
        """See the protocol."""
        return self._mine.battle_shocked

    @cached_property
    def is_below_starting_strength(self) -> bool:
        """See the protocol."""
        from battlewright.editions.eleventh.command import is_below_starting_strength  # it asks for Ld in force

        return is_below_starting_strength(self._scene, self._state, self._unit)

    @cached_property
    def is_below_half_strength(self) -> bool:
        """See the protocol."""
        from battlewright.editions.eleventh.command import is_below_half_strength  # it asks for Ld in force

        return is_below_half_strength(self._scene, self._state, self._unit)

    @cached_property
    def is_near_objective(self) -> bool:
        """See the protocol."""
        from battlewright.editions.eleventh.in_range import ranges_of  # it asks for OC in force

        first = self._mine.models[0]
        near = ranges_of(self._scene, self._state, self._unit)
        return any(bool(near[row - first].any()) for row in standing(self._state, self._unit))

    def is_near_controlled(self, own: bool) -> bool:
        """See the protocol."""
        from battlewright.editions.eleventh.in_range import objectives_in_range  # it asks for OC in force

        side = self._mine.side if own else opponent(Side(self._mine.side))
        near = objectives_in_range(self._scene, self._state, self._unit)
        return any(self._state.control[objective] == side for objective in near)

    def has_friend_within(self, inches: float, needed: tuple[str, ...], barred: str) -> bool:
        """See the protocol."""
        scene, state = self._scene, self._state
        if not standing(state, self._unit):
            return False
        for other in scene.units_of(Side(self._mine.side)):
            if other.index == self._unit or not standing(state, other.index):
                continue
            words = keywords_of_models(scene.models[row].profile.keywords for row in living(state, other.index))
            if not all(keywords_match(each, words) for each in needed) or (barred and keywords_match(barred, words)):
                continue
            if within(unit_distance(scene, state, self._unit, other.index), inches):
                return True
        return False

    @cached_property
    def is_engaged(self) -> bool:
        """See the protocol."""
        return is_engaged(self._scene, self._state, self._unit)

    @property
    def has_charged(self) -> bool:
        """See the protocol."""
        return self._mine.charged

    @property
    def has_advanced(self) -> bool:
        """See the protocol."""
        return self._mine.advanced

    @property
    def has_disembarked(self) -> bool:
        """See the protocol."""
        return self._mine.moved_as == MoveKind.DISEMBARK

    @property
    def has_ingressed(self) -> bool:
        """See the protocol."""
        return self._mine.moved_as == MoveKind.INGRESS

    @property
    def is_stationary(self) -> bool:
        """See the protocol."""
        return self._mine.moved_as in ("", MoveKind.STATIONARY) and not self._mine.set_up_this_turn


def is_in_play(state: EleventhState, row: int) -> bool:
    """Whether a model lives, or has fallen and is still on the table until the attacks are resolved."""
    return bool(state.wounds[row] > 0) or row in state.fallen


def phase_of(state: EleventhState) -> Phase | None:
    """The phase of the moment; None outside the phases of a turn."""
    return Phase(state.phase) if state.phase in list(Phase) else None


def situation(scene: Scene, state: EleventhState, unit: int) -> Situation:
    """The moment as conditions of a unit's abilities ask about it."""
    return Situation(
        own=BattleFacts(scene, state, unit),
        phase=phase_of(state),
        own_turn=state.turn == state.units[unit].side,
        battle_round=state.round,
    )
