"""The 3rd edition as the core asks for it."""

from __future__ import annotations

from battlewright.core.battle import Header, Procedure, Result
from battlewright.core.decisions import Side
from battlewright.core.rulebook import rule
from battlewright.core.table import Battlefield
from battlewright.editions.classic.scene import ClassicBattle, Scene, make_scene, make_state
from battlewright.editions.classic.sequence import whole_battle
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.third.missions import find_mission
from battlewright.editions.third.scoring import winner
from battlewright.editions.third.switches import resolve_options
from battlewright.editions.third.table import third_rules

__all__ = ["ThirdRules"]


class ThirdRules:
    """Sets battles of the 3rd edition up, drives them, and says who has won."""

    id = "3"

    def set_up(self, header: Header) -> tuple[Scene, ClassicState]:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        options = resolve_options(header.options)
        scene = make_scene(
            header,
            Battlefield.from_json(header.battlefield),
            find_mission(header.mission),
            options,
            third_rules(options),
        )
        return scene, make_state(scene)

    def resume(self, battle: ClassicBattle) -> Procedure[None]:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        return whole_battle(battle)

    @rule("3e.core.missions.higher-total")
    def result(self, battle: ClassicBattle) -> Result:
        """What the mission says decides; by default the higher total of victory points, equal totals being a draw."""
        state = battle.state
        return Result(winner(battle.scene, state), state.vp, battle.scene.mission.turns)

    def visible_state(self, scene: Scene, state: ClassicState, side: Side | None) -> ClassicState:
        """Nothing but the stream of dice is secret, so only the place in it is hidden."""
        copy = state.copy()
        copy.dice = 0
        return copy
