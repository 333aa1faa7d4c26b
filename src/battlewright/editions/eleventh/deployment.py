"""Deployment maps of the event pack: where the two zones lie and where the territories meet, in inches.

One zone is given for each map; the other is its image under a half turn about the middle of the table. A layout says
whether the map is mirrored and which player has the zone that is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battlewright.core.bases import Point, Polygon
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule

__all__ = ["HEIGHT", "MAPS", "MAPS_OF_PAIRINGS", "WIDTH", "DeploymentMap", "deployment_map", "half_turn", "mirrored"]

WIDTH, HEIGHT = 44.0, 60.0
"""The battlefield of the event pack: x along the short edge, y along the long one."""


@dataclass(frozen=True, slots=True)
class DeploymentMap:
    """A deployment map.

    Attributes:
        name: what it is called.
        zone: the zone that is given.
        line: two points of the line at which the territories meet.
        disc: centre and radius of a disc that is no part of either zone, or None.
        edges: the table edges of the given zone's player and of the other.
    """

    name: str
    zone: Polygon
    line: tuple[Point, Point]
    disc: tuple[Point, float] | None = None
    edges: tuple[str, str] | None = None


_NORTH_SOUTH = ("south", "north")

# RULING: 11e.core.mission.territory the layouts give the line; where we have no figures for a layout we take the
# straight line midway between the zones of its map, which is what Battlefield Dominance A has.
MAPS: Mapping[str, DeploymentMap] = {
    each.name: each
    for each in (
        DeploymentMap(
            "Tipping Point",
            ((0, 0), (44, 0), (44, 12), (22, 12), (22, 20), (0, 20)),
            ((0, 34), (44, 26)),
            edges=_NORTH_SOUTH,
        ),
        DeploymentMap("Dawn of War", ((0, 0), (12, 0), (12, 60), (0, 60)), ((22, 0), (22, 60)), edges=("west", "east")),
        DeploymentMap(
            "Search and Destroy",
            ((0, 0), (22, 0), (22, 30), (0, 30)),
            ((0, 60), (44, 0)),
            disc=((22, 30), 9),
        ),
        DeploymentMap(
            "Sweeping Engagement",
            ((0, 0), (8, 0), (8, 30), (14, 30), (14, 60), (0, 60)),
            ((19, 0), (25, 60)),
            edges=("west", "east"),
        ),
        DeploymentMap(
            "Hammer and Anvil", ((0, 42), (44, 42), (44, 60), (0, 60)), ((0, 30), (44, 30)), edges=("north", "south")
        ),
        DeploymentMap("Crucible of Battle", ((0, 60), (0, 30), (44, 60)), ((0, 15), (44, 45))),
    )
}

_TIPPING, _DAWN, _SEARCH, _SWEEPING, _HAMMER, _CRUCIBLE = MAPS

MAPS_OF_PAIRINGS: Mapping[str, tuple[str, str, str]] = {
    "take-and-hold-vs-take-and-hold": (_TIPPING, _DAWN, _SEARCH),
    "take-and-hold-vs-purge-the-foe": (_SWEEPING, _SEARCH, _HAMMER),
    "take-and-hold-vs-disruption": (_SWEEPING, _CRUCIBLE, _HAMMER),
    "take-and-hold-vs-reconnaissance": (_TIPPING, _DAWN, _SEARCH),
    "take-and-hold-vs-priority-assets": (_CRUCIBLE, _HAMMER, _DAWN),
    "purge-the-foe-vs-purge-the-foe": (_SEARCH, _TIPPING, _SWEEPING),
    "purge-the-foe-vs-disruption": (_SEARCH, _TIPPING, _SWEEPING),
    "purge-the-foe-vs-reconnaissance": (_HAMMER, _DAWN, _CRUCIBLE),
    "purge-the-foe-vs-priority-assets": (_DAWN, _SEARCH, _HAMMER),
    "disruption-vs-disruption": (_CRUCIBLE, _TIPPING, _SWEEPING),
    "disruption-vs-reconnaissance": (_TIPPING, _DAWN, _SEARCH),
    "disruption-vs-priority-assets": (_SWEEPING, _TIPPING, _SEARCH),
    "reconnaissance-vs-reconnaissance": (_SWEEPING, _CRUCIBLE, _TIPPING),
    "reconnaissance-vs-priority-assets": (_CRUCIBLE, _TIPPING, _SWEEPING),
    "priority-assets-vs-priority-assets": (_SWEEPING, _CRUCIBLE, _TIPPING),
}
"""The maps of the layouts A, B and C of each pairing."""


@rule(
    "11e.core.deployment.tipping-point",
    "11e.core.deployment.dawn-of-war",
    "11e.core.deployment.search-and-destroy",
    "11e.core.deployment.sweeping-engagement",
    "11e.core.deployment.hammer-and-anvil",
    "11e.core.deployment.crucible-of-battle",
)
def _map_named(name: str) -> DeploymentMap:
    if name not in MAPS:
        raise BadInput(f'there is no deployment map "{name}"', expected=" or ".join(MAPS))
    return MAPS[name]


@rule("11e.core.deployment.half-turn")
def half_turn(polygon: Polygon) -> Polygon:
    """The image of a polygon under a half turn about (22, 30)."""
    return tuple((WIDTH - x, HEIGHT - y) for x, y in polygon)


def mirrored(polygon: Polygon) -> Polygon:
    """The image of a polygon with east and west exchanged, its corners in the other order."""
    return tuple((WIDTH - x, y) for x, y in reversed(polygon))


_OTHER_EDGE = {"west": "east", "east": "west", "north": "north", "south": "south"}


@rule("11e.core.deployment.which-end")
def deployment_map(name: str, *, mirror: bool = False, attacker_given: bool = True) -> dict[str, Any]:
    """The zones and the territory line of a map as a battlefield's file has them.

    Args:
        name: of the map.
        mirror: east and west exchanged.
        attacker_given: the Attacker has the zone that the map gives, else the other.

    Raises:
        BadInput: for an unknown map.
    """
    found = _map_named(name)
    given = mirrored(found.zone) if mirror else found.zone
    zones = {True: given, False: half_turn(given)}
    line = mirrored(found.line) if mirror else found.line
    value: dict[str, Any] = {"zones": [], "territory_line": [list(point) for point in line]}
    for player in ("attacker", "defender"):
        has_given = (player == "attacker") is attacker_given
        zone: dict[str, Any] = {"name": player, "outline": [list(corner) for corner in zones[has_given]]}
        if found.disc is not None:
            zone["without"] = {"centre": list(found.disc[0]), "radius": found.disc[1]}
        if found.edges is not None:
            edge = found.edges[0 if has_given else 1]
            zone["edge"] = _OTHER_EDGE[edge] if mirror else edge
        value["zones"].append(zone)
    return value
