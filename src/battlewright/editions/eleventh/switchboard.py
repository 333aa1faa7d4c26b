"""How a battle of the 11th edition is laid out: missions, layouts, switches, and what of a unit is enforced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from battlewright.core.decisions import Violation
from battlewright.core.errors import BadInput, ProfileError
from battlewright.core.roster import Army, Enforcement, Unit
from battlewright.core.rulebook import rule
from battlewright.core.table import load_battlefield
from battlewright.editions.eleventh.abilities import read_ability
from battlewright.editions.eleventh.abilities.sources import works_in
from battlewright.editions.eleventh.datasheet import parse_core_ability, read_weapon
from battlewright.editions.eleventh.event_layouts import event_battlefield, event_layouts
from battlewright.editions.eleventh.missions import MISSION_WORDS, MISSIONS, choose_mission, find_mission
from battlewright.editions.eleventh.options import OPTIONS, resolve_options
from battlewright.editions.switches import Switch

__all__ = ["EleventhSwitchboard"]

_LAYOUTS = Path(__file__).parent / "layouts"


class EleventhSwitchboard:
    """See :class:`~battlewright.editions.edition.Switchboard`."""

    def missions(self) -> Sequence[str]:
        """See the protocol."""
        return tuple(MISSIONS)

    def title_of(self, mission: str) -> str:
        """See the protocol: a mission goes by side a's card."""
        return find_mission(mission).cards[0].name

    def layouts(self, mission: str) -> Sequence[str]:
        """See the protocol."""
        return find_mission(mission).layouts

    def arrange(
        self, mission: str | None, layout: str | None, armies: Sequence[Army], seed: int
    ) -> tuple[str, str | None]:
        """See the protocol."""
        return choose_mission(mission, layout, armies, seed)

    def mission_words(self) -> Mapping[str, str]:
        """See the protocol."""
        return MISSION_WORDS

    @rule("11e.core.deployment.battlefield-dominance-a", "11e.core.mission.layout")
    def battlefield(self, layout: str) -> Mapping[str, Any]:
        """See the protocol. The layouts of the event pack are made when they are asked for.

        Raises:
            BadInput: for an unknown layout, and for one that the data package does not carry.
        """
        known = {path.stem: path for path in _LAYOUTS.glob("*.yaml")}
        name = layout.strip().lower().replace(" ", "_").replace("-", "_")
        if name in event_layouts():
            return event_battlefield(name).to_json()
        if name not in known:
            others = "one of the event pack: take_and_hold_vs_purge_the_foe_a, ..."
            raise BadInput(f'there is no layout "{layout}"', expected=f"{' or '.join(sorted(known))} or {others}")
        return load_battlefield(known[name]).to_json()

    def options(self) -> Sequence[Switch]:
        """See the protocol."""
        return OPTIONS

    def resolve_options(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """See the protocol."""
        return resolve_options(chosen)

    def breaches(self, army: Army) -> Sequence[Violation]:
        """See the protocol: chapter 25, by the data package."""
        from battlewright.editions.eleventh.muster import breaches

        return breaches(army)

    def remarks(self, army: Army) -> Sequence[str]:
        """See the protocol: what the data package does not tell of units, attachments that are open, and stratagems of
        detachments that have no effect."""
        from battlewright.editions.eleventh.muster import remarks

        found = list(remarks(army))
        missing = [each.name for each in army.stratagems if not read_ability(each).is_enforced]
        if missing:
            found.append(f"Stratagems that have no effect in a battle: {', '.join(missing)}")
        return found

    def attach(self, army: Army, unit: str, bodyguard: str) -> Army:
        """The army with a leader or support attached to a bodyguard unit, both by id, for lists that say nothing.

        Raises:
            ArmyError: when it may not be attached to that unit.
        """
        from battlewright.editions.eleventh.muster_attachments import attach

        return attach(army, unit, bodyguard)

    def split(self, army: Army, unit: str) -> Army:
        """The army with a unit, by id, split in two for the battle.

        Raises:
            ArmyError: when it may not be.
        """
        from battlewright.editions.eleventh.muster_attachments import split

        return split(army, unit)

    def enforcement(self, unit: Unit) -> Enforcement:
        """The core and weapon abilities of chapter 24 are enforced."""
        enforced: list[str] = []
        missing: list[str] = list(unit.not_enforced)
        for ability in unit.abilities:
            try:
                parse_core_ability(ability.name)
            except ProfileError:
                (enforced if works_in(ability, unit) else missing).append(ability.name)
            else:
                enforced.append(ability.name)
        for model in unit.models:
            for weapon in model.weapons:
                for profile in weapon.profiles:
                    read = read_weapon(profile, weapon.name)
                    enforced.extend(f"[{text}]" for text in profile.abilities if text not in read.unknown)
                    missing.extend(f"[{text}]" for text in read.unknown)
        return Enforcement(tuple(dict.fromkeys(enforced)), tuple(dict.fromkeys(missing)))
