"""The switches of the 11th edition: where published layers of the rules differ, both readings can be played."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.editions.switches import Switch, resolve_switches

__all__ = ["OPTIONS", "resolve_options"]

OPTIONS: tuple[Switch, ...] = (
    Switch(
        "secondaries",
        ("choose", "none", "fixed", "tactical"),
        "11e.core.mission.choosing-secondaries",
        "Secondary missions: each player chooses in secret, none (the smallest game), or both fixed or tactical",
    ),
    Switch(
        "painted",
        ("none", "a", "b", "both"),
        "11e.core.mission.painted-army",
        "Whose army is painted, which gives 10 victory points",
    ),
    Switch(
        "hidden_terrain",
        ("light-or-dense", "dense"),
        "11e.core.13.09-hidden",
        "Which features make the models of an area hidden: light or dense ones (app), or dense ones only (June PDF)",
    ),
    Switch(
        "offer_command_re_roll",
        ("important", "all", "never"),
        "11e.core.15.02-command-re-roll",
        "After which rolls a player with a CP is asked for a Command Re-roll: those that went badly and in which one "
        "die counts for much, all that it may be used on, or none",
    ),
    Switch(
        "stratagems",
        ("all", "core", "none"),
        "11e.core.15.01-sequence",
        "Which stratagems the players have: those of the core rules and of their detachments, those of the core rules, "
        "or none for a simpler battle",
    ),
    Switch(
        "torrent_in_snap_shooting",
        ("hits", "sixes"),
        "11e.core.15.09-snap-shooting",
        "Whether TORRENT weapons hit without fail in snap shooting as elsewhere, or need unmodified 6s like the others",
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
