"""The 11th edition as the core asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from battlewright.core.battle import Procedure
from battlewright.core.decisions import RandomSource, Side
from battlewright.core.header import Header, Result
from battlewright.core.table import Battlefield
from battlewright.editions.eleventh import battle_formations, setup
from battlewright.editions.eleventh.core_stratagems import CORE_STRATAGEMS
from battlewright.editions.eleventh.missions import find_mission
from battlewright.editions.eleventh.objectives import result_of
from battlewright.editions.eleventh.options import resolve_options
from battlewright.editions.eleventh.scene import Battle11, Scene, make_scene, make_state
from battlewright.editions.eleventh.secondaries import redraw_choice, without_secrets
from battlewright.editions.eleventh.sequence import ROUNDS, whole_battle
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.timed import detachment_stratagems

__all__ = ["EleventhRules"]


class EleventhRules:
    """Sets battles of the 11th edition up, drives them, and says who has won."""

    id = "11"
    cites: Mapping[str, str] = MappingProxyType({})

    def set_up(self, header: Header) -> tuple[Scene, EleventhState]:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        options = resolve_options(header.options)
        scene = make_scene(
            header,
            Battlefield.from_json(header.battlefield),
            find_mission(header.mission),
            options,
            CORE_STRATAGEMS if options["stratagems"] != "none" else (),
        )
        if options["stratagems"] == "all":
            scene = replace(scene, stratagems=(*scene.stratagems, *detachment_stratagems(scene)))
        return scene, make_state(scene)

    def resume(self, battle: Battle11) -> Procedure[None]:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        return whole_battle(battle)

    def result(self, battle: Battle11) -> Result:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        return result_of(battle.state, ROUNDS)

    def visible_state(self, scene: Scene, state: EleventhState, side: Side | None) -> EleventhState:
        """Secret are the place in the stream of dice and, until they are revealed, what the other has chosen before the
        battle: secondary missions and battle formations."""
        copy = state.copy()
        copy.dice = 0
        copy.book = without_secrets(copy.book, side)
        if setup.is_declaring(state):
            battle_formations.hide_declarations(copy, side)
        return copy

    def redraw(self, scene: Scene, state: EleventhState, side: Side, rng: RandomSource) -> None:
        """See :class:`~battlewright.core.battle.Redraws`. The decks have no order that could be known (secondaries)."""
        state.book = redraw_choice(state.book, scene.options["secondaries"], side, rng)
        if setup.is_declaring(state):
            battle_formations.redraw_declarations(scene, state, side, rng, reserving=setup.is_reserving(state))
