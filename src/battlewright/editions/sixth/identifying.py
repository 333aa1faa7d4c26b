"""Mysterious objectives as they are played: who identifies them, whom they serve, and how they blow up."""

from __future__ import annotations

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.events import ObjectiveExploded, ObjectiveIdentified
from battlewright.editions.classic.markers import ORDNANCE
from battlewright.editions.classic.missions import mission_of
from battlewright.editions.classic.procedures.counting import holders_of, places, way_to
from battlewright.editions.classic.procedures.laying import touched_by_marker
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.sixth.crashing import strike_each
from battlewright.editions.sixth.mysteries import NATURES, RULE, explodes_on, lend

__all__ = ["blow_up", "identify"]

NEAR = 3.0
"""Inches from an objective within which it is identified."""
STRENGTH = 4


@rule("6e.core.missions.mysterious-objectives")
def identify(battle: ClassicBattle) -> None:
    """When a phase is over, objectives that a unit has come near to are identified, and serve whoever holds them.

    RULING: 6e.core.missions.mysterious-objectives any unit on the ground identifies one, of either side; which units
    hold one, and so have what it lends, is looked at when a phase is over: those that score it, not their enemies.
    """
    scene, state = battle.scene, battle.state
    if not mission_of(scene).mysterious or not state.objectives:
        return
    faces = list(state.natures or (0,) * len(state.objectives))
    for number, (x, y) in enumerate(state.objectives):
        near = _near(scene, state, (x / 1000.0, y / 1000.0)) if not faces[number] else []
        if not near:
            continue
        info = scene.units[near[0]]
        roll = battle.roll(1, 6, "mysterious-objective")
        faces[number] = battle.rolled(roll, info.side, RULE, unit=info.id).total
        nature = NATURES[faces[number]].name
        battle.happened(ObjectiveIdentified(unit=info.id, point=(x, y), face=faces[number], what=nature, rules=(RULE,)))
    if any(faces):
        state.natures = tuple(faces)
        _serve(scene, state)


def _near(scene: Scene, state: ClassicState, point: tuple[float, float]) -> list[int]:
    """The units that identify an objective at a point, those of the side whose turn it is first."""
    found = [
        int(info.index)
        for info in scene.units
        if not state.units[info.index].aloft
        and standing(state, info.index)
        and within(way_to(scene, state, int(info.index), point), NEAR)
    ]
    return sorted(found, key=lambda unit: (state.units[unit].side != state.turn, unit))


def _serve(scene: Scene, state: ClassicState) -> None:
    held: dict[int, set[int]] = {}
    for face, point in zip(state.natures, places(scene, state), strict=True):
        for unit in holders_of(scene, state, point) if face else ():
            held.setdefault(unit, set()).add(face)
    for number, unit_state in enumerate(state.units):
        lend(unit_state, frozenset(held.get(number, ())))


@rule("6e.core.missions.mysterious-objectives", "6e.core.turn.end")
def blow_up(battle: ClassicBattle) -> Procedure[None]:
    """The end of every player turn: a die for each sabotaged objective, which explodes on a 1 under a large marker.

    RULING: 6e.core.missions.mysterious-objectives we read "each later turn end" as every one from that of the turn on
    in which it was identified; it goes on being an objective, and may explode again. Every model under the marker is
    hit once, vehicles on the side, and no cover helps.
    """
    scene, state = battle.scene, battle.state
    for number, face in enumerate(state.natures):
        if not face or not NATURES[face].explodes:
            continue
        if not explodes_on(battle.rolled(battle.roll(1, 6, "sabotage"), state.turn, RULE, needed=2).total):
            continue
        x, y = state.objectives[number]
        hit = touched_by_marker(scene, state, (x / 1000.0, y / 1000.0), ORDNANCE)
        models = sum(len(rows) for rows in hit.values())
        battle.happened(ObjectiveExploded(point=(x, y), hits=models, rules=(RULE,)))
        for unit, rows in hit.items():
            yield from strike_each(battle, unit, unit, rows, STRENGTH, "sabotaged objective")
