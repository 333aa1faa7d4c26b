"""The switches of the 11th edition: where published layers of the rules differ, both readings can be played."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.editions.switches import Switch, resolve_switches

__all__ = ["OPTIONS", "resolve_options"]

OPTIONS: tuple[Switch, ...] = (
    Switch(
        "hidden_terrain",
        ("light-or-dense", "dense"),
        "11e.core.13.09-hidden",
        "Which features make the models of an area hidden: light or dense ones (app), or dense ones only (June PDF)",
    ),
    Switch(
        "ongoing_forces_fights",
        ("no", "yes"),
        "11e.core.12.08-ongoing-forces-fights",
        "Whether an ongoing consolidation lets the enemy units it is engaged with fight, as an engaging one does",
    ),
)


def resolve_options(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """Every switch with its value.

    Raises:
        BadInput: for an unknown switch or value.
    """
    return resolve_switches(OPTIONS, chosen, "11th edition")
