"""A classic edition as the core asks for it, made from its table of rules, its missions and its switches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from battlewright.core.battle import Header, Procedure, Result
from battlewright.core.decisions import Side
from battlewright.core.rulebook import rule
from battlewright.core.table import Battlefield
from battlewright.editions.classic.missions import Mission
from battlewright.editions.classic.scene import ClassicBattle, Scene, make_scene, make_state
from battlewright.editions.classic.sequence import whole_battle
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.table import ClassicRules

__all__ = ["ClassicEdition"]


@dataclass(eq=False)
class ClassicEdition:
    """Sets battles of an edition up, drives them, and says who has won.

    Attributes:
        id: the edition's.
        find_mission: the mission of a name; raises BadInput for an unknown one.
        resolve_options: every switch with its value; raises BadInput for unknown ones.
        rules_with: the table of rules with the players' switches worked in.
        winner: who has won a battle that is over; None for a draw.
        cites: where rules that shared procedures name by an earlier edition's ids stand in this edition's book.
    """

    id: str
    find_mission: Callable[[str], Mission]
    resolve_options: Callable[[Mapping[str, str]], Mapping[str, str]]
    rules_with: Callable[[Mapping[str, str]], ClassicRules]
    winner: Callable[[Scene, ClassicState], Side | None]
    cites: Mapping[str, str] = field(default_factory=dict)

    def set_up(self, header: Header) -> tuple[Scene, ClassicState]:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        options = self.resolve_options(header.options)
        scene = make_scene(
            header,
            Battlefield.from_json(header.battlefield),
            self.find_mission(header.mission),
            options,
            self.rules_with(options),
        )
        return scene, make_state(scene)

    def resume(self, battle: ClassicBattle) -> Procedure[None]:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        return whole_battle(battle)

    @rule("3e.core.missions.higher-total")
    def result(self, battle: ClassicBattle) -> Result:
        """What the mission says decides; by default the higher total of victory points, equal totals being a draw."""
        state = battle.state
        return Result(self.winner(battle.scene, state), state.vp, state.round)

    def visible_state(self, scene: Scene, state: ClassicState, side: Side | None) -> ClassicState:
        """The place in the stream of dice is hidden, and what counters are worth where nobody knows it yet."""
        copy = state.copy()
        copy.dice = 0
        copy.worths = copy.worths if copy.over else ()
        return copy
