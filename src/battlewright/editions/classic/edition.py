"""A classic edition as the core asks for it, made from its table of rules and its switchboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from battlewright.core.battle import Procedure
from battlewright.core.decisions import Side
from battlewright.core.header import Header, Result
from battlewright.core.rulebook import rule
from battlewright.core.table import Battlefield
from battlewright.editions.classic.armour import DamageTable
from battlewright.editions.classic.missions import winner
from battlewright.editions.classic.scene import ClassicBattle, Scene, make_scene, make_state
from battlewright.editions.classic.sequence import whole_battle
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.switchboard import ClassicSwitchboard
from battlewright.editions.classic.table import Change, ClassicRules, with_switches

__all__ = ["ClassicEdition"]


@dataclass(eq=False)
class ClassicEdition:
    """Sets battles of an edition up, drives them, and says who has won.

    Attributes:
        id: the edition's.
        switchboard: its missions and switches.
        table: its rules as they are settled.
        changes: by name and value of a switch, what it changes in them.
        damage_tables: by their names in files; the players may put their own in their place.
        cites: where rules that shared procedures name by an earlier edition's ids stand in this edition's book.
    """

    id: str
    switchboard: ClassicSwitchboard
    table: ClassicRules
    changes: Mapping[tuple[str, str], Change]
    damage_tables: Mapping[str, DamageTable]
    cites: Mapping[str, str] = field(default_factory=dict)

    def rules_with(self, options: Mapping[str, str]) -> ClassicRules:
        """The table with the players' switches worked in.

        Args:
            options: every switch with its value.
        """
        return with_switches(self.table, self.changes, options, self.damage_tables)

    def set_up(self, header: Header) -> tuple[Scene, ClassicState]:
        """See :class:`~battlewright.core.battle.EditionRules`."""
        options = self.switchboard.resolve_options(header.options)
        scene = make_scene(
            header,
            Battlefield.from_json(header.battlefield),
            self.switchboard.mission(header.mission),
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
        return Result(winner(battle.scene, state), state.vp, state.round)

    def visible_state(self, scene: Scene, state: ClassicState, side: Side | None) -> ClassicState:
        """The place in the stream of dice is hidden, and what counters are worth where nobody knows it yet."""
        copy = state.copy()
        copy.dice = 0
        copy.worths = copy.worths if copy.over else ()
        return copy
