"""What the mission is worth to a side: objectives by what the cards of both would score, actions, secondary cards."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from battlewright.core.decisions import Side, opponent
from battlewright.editions.eleventh.actions import Action
from battlewright.editions.eleventh.look import LAST_ROUND, Look, Time
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import NOBODY, EleventhState

__all__ = ["POINTS_PER_VP", "MissionSense"]

POINTS_PER_VP = 8.0
"""Points of an army that a victory point is worth to a plan."""
_GROUND = 15.0
"""What an objective is worth that no card scores now, in the same points."""
_DENIAL = 0.5
"""How much what the opponent would score counts against what the side itself would."""
_MOST_KEPT = 4000

_ACTIONS = {
    "decoy": 4.0,
    "booby-trap": 3.0,
    "sensor-sweep": 3.0,
    "triangulate": 6.0,
    "surveil": 4.0,
    "extract-intelligence": 7.0,
    "secure-asset": 4.0,
    "maintain-control": 2.5,
    "vanguard-operation": 4.0,
    "sabotage": 3.5,
    "cleanse": 3.0,
    "plunder": 5.0,
}
"""Victory points that an action brings on average, what its marks score later included."""
_ONE_IS_ENOUGH = ("surveil",)
_MOST_IN_ROUND = 15


class MissionSense:
    """Answers about the mission of one scene; what it has worked out it keeps."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._known: dict[Hashable, tuple[float, ...]] = {}

    def worth(self, state: EleventhState, side: Side, objective: int) -> float:
        """Points that controlling an objective is worth to a side, by what both cards would score with and without."""
        key = (state.round, state.turn, state.control, state.attacker, state.book, side)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            goals = range(len(self.scene.battlefield.objectives))
            found = self._known[key] = tuple(self._worth(state, side, goal) for goal in goals)
        return found[objective]

    def _worth(self, state: EleventhState, side: Side, objective: int) -> float:
        mine = self._scored(state, side, objective, side) - self._scored(state, side, objective, NOBODY)
        other = opponent(side)
        theirs = self._scored(state, other, objective, other) - self._scored(state, other, objective, NOBODY)
        return _GROUND + POINTS_PER_VP * (max(0.0, mine) + _DENIAL * max(0.0, theirs))

    def _scored(self, state: EleventhState, side: Side, objective: int, holder: int) -> float:
        """What the side's card scores next if the objective is held by a side (or nobody), all else as it is."""
        card, look = self.scene.mission.cards[side], Look(self.scene, state, side)
        control, number = state.control, state.round
        state.control = (*control[:objective], holder, *control[objective + 1 :])
        try:
            points = float(sum(each for _, each in card.score(look, Time.TURN)))
            points += 0.5 * sum(each for _, each in card.score(look, Time.BATTLE)) * (number >= LAST_ROUND - 1)
            state.round = min(number + 1, LAST_ROUND)
            return points + sum(each for _, each in card.score(look, Time.COMMAND))
        finally:
            state.control, state.round = control, number

    def action_worth(self, state: EleventhState, side: Side, action: Action) -> float:
        """Points that starting an action is worth, before what the unit could do instead."""
        secondary = action.rule.startswith("11e.core.secondary.")
        scored = state.book.secondary_this_round[side] if secondary else state.primary_this_round[side]
        if action.id in _ONE_IS_ENOUGH and Look(self.scene, state, side).done(action.id):
            return 0.0
        return POINTS_PER_VP * min(_ACTIONS.get(action.id, 2.0), max(0, _MOST_IN_ROUND - scored))

    @staticmethod
    def to_discard(active: Sequence[str]) -> str | None:
        """A card to give up for a command point: the oldest of more than three."""
        return active[0] if len(active) > 3 else None
