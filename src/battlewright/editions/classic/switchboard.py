"""How battles of the classic editions are laid out: missions, layouts, switches, and what of a unit is enforced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlewright.core.decisions import Violation
from battlewright.core.errors import ArmyError, BadInput
from battlewright.core.roster import Army, Enforcement, Unit
from battlewright.core.rulebook import rule
from battlewright.editions.drawing import drawn
from battlewright.editions.switches import Switch, resolve_switches

if TYPE_CHECKING:
    from battlewright.editions.classic.missions import Mission

__all__ = ["ClassicSwitchboard"]

ROLLED = "rolled"
"""The word for a mission that is rolled for."""
_LAYOUTS = Path(__file__).parent / "layouts"


class ClassicSwitchboard:
    """See :class:`~battlewright.editions.edition.Switchboard`; an edition names its switches and its folder.

    Missions and special rules are imported when they are asked for, so that the switches can be listed at once.

    Args:
        title: what the edition is called where a switch is unknown.
        switches: in the order of the agreement sheet.
        folder: the edition's package; its ``missions`` hold ``MISSIONS``, the default first, and its ``table`` holds
            the table of rules under the package's own name in capitals.
    """

    def __init__(self, title: str, switches: Sequence[Switch], folder: str) -> None:
        self._title, self._switches, self._folder = title, tuple(switches), folder

    @property
    def _missions(self) -> Mapping[str, Mission]:
        """The default mission first."""
        missions: Mapping[str, Mission] = import_module(f"{self._folder}.missions").MISSIONS
        return missions

    def enforcement(self, unit: Unit) -> Enforcement:
        """Weapon abilities that the edition's table knows are enforced, and traits that some rule asks for."""
        from battlewright.editions.classic.enforcement import enforcement

        table = getattr(import_module(f"{self._folder}.table"), self._folder.rpartition(".")[2].upper())
        return enforcement(table, unit)

    def missions(self) -> Sequence[str]:
        """See the protocol."""
        return tuple(self._missions)

    def mission(self, name: str) -> Mission:
        """The mission of that name; spaces and capitals do not matter.

        Raises:
            BadInput: for an unknown mission.
        """
        known = self._missions
        key = name.strip().lower().replace(" ", "-").replace("_", "-")
        if key not in known:
            raise BadInput(f'there is no mission "{name}"', expected=" or ".join(sorted(known)))
        return known[key]

    def title_of(self, mission: str) -> str:
        """See the protocol."""
        return self.mission(mission).title

    def layouts(self, mission: str) -> Sequence[str]:
        """See the protocol.

        Raises:
            BadInput: for an unknown mission.
        """
        return self.mission(mission).layouts

    def arrange(
        self, mission: str | None, layout: str | None, armies: Sequence[Army], seed: int
    ) -> tuple[str, str | None]:
        """See the protocol: missions and layouts go by name, or are rolled for where the edition tells how."""
        rolls = self.rolls
        if rolls is not None and mission is not None and mission.strip().lower() == ROLLED:
            name, place = rolls(lambda what: drawn(seed, what, 6) + 1)
            return name, layout or place
        return (self.missions()[0] if mission is None else mission), layout

    def mission_words(self) -> Mapping[str, str]:
        """See the protocol."""
        return {} if self.rolls is None else {ROLLED: "rolled for with the dice"}

    @property
    def rolls(self) -> Callable[[Callable[[str], int]], tuple[str, str | None]] | None:
        """How the edition rolls for a mission: its name and its layout by a D6 for each thing that is rolled for; None
        where nothing tells."""
        return None

    def battlefield(self, layout: str) -> Mapping[str, Any]:
        """See the protocol.

        Raises:
            BadInput: for an unknown layout.
        """
        from battlewright.core.table import load_battlefield

        known = {path.stem: path for path in _LAYOUTS.glob("*.yaml")}
        name = layout.strip().lower().replace(" ", "_").replace("-", "_")
        if name not in known:
            raise BadInput(f'there is no layout "{layout}"', expected=" or ".join(sorted(known)))
        return load_battlefield(known[name]).to_json()

    def options(self) -> Sequence[Switch]:
        """See the protocol."""
        return self._switches

    @rule("3e.basis.options-agreed")
    def resolve_options(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Every switch with its value: what the players have ticked, else the settled reading.

        Raises:
            BadInput: for an unknown switch or value.
        """
        return resolve_switches(self._switches, chosen, self._title)

    def breaches(self, army: Army) -> Sequence[Violation]:
        """See the protocol: army lists of these editions are not judged."""
        return ()

    def remarks(self, army: Army) -> Sequence[str]:
        """See the protocol."""
        return ()

    def attach(self, army: Army, unit: str, bodyguard: str) -> Army:
        """See the protocol: a character joins units on the table.

        Raises:
            ArmyError: always.
        """
        raise ArmyError("no list attaches units in this edition: characters join them on the table")

    def split(self, army: Army, unit: str) -> Army:
        """See the protocol.

        Raises:
            ArmyError: always.
        """
        raise ArmyError("no list splits units in this edition")
