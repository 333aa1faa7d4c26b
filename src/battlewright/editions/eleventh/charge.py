"""The Charge phase."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.editions.eleventh.scene import Battle11

__all__ = ["charge_phase"]


@resumable
def charge_phase(battle: Battle11) -> Procedure[None]:
    """Not filled in yet: nobody does anything."""
    battle.state.begin()
    yield from ()
