"""Blows at a battery in close combat: rolled against the crew, and shared out between guns and crew by dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.artillery import crew_skill, hits_without_roll, split_by_dice
from battlewright.editions.classic.charts import strike_on
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.batteries import guns_and_crew, pierce_guns
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = ["strike_battery"]

_SHARED = "4e.artillery.assaulted-random"


@rule("4e.artillery.assaulted-ws", "4e.artillery.assaulted-random", "4e.artillery.guns-only-auto")
def strike_battery(
    battle: ClassicBattle,
    unit: int,
    target: int,
    weapon: WeaponProfile,
    context: AttackContext,
    made: Sequence[tuple[int, int]],
) -> Procedure[AttackContext | None]:
    """The blows of a unit at a battery, as far as the guns go.

    Args:
        made: who strikes, and how often.

    Returns:
        The circumstances of what is left for the crew, as hits that have been scored; None where nothing is.
    """
    scene, info = battle.scene, battle.scene.units[unit]
    guns, crew = guns_and_crew(scene, battle.state, target)
    hits = attacks = sum(count for _, count in made)
    if not hits_without_roll(len(crew)):
        skill = crew_skill([scene.models[row].profile.weapon_skill for row in crew])
        roll = battle.roll(attacks, 6, "hit")
        faces = battle.rolled(roll, info.side, "4e.artillery.assaulted-ws", unit=info.id).faces
        hits = sum(face >= strike_on(context.skill, skill) for face in faces)
    if not hits:
        return None
    shared: Sequence[int] = ()
    at_guns, at_crew = hits, 0
    if crew:
        roll = battle.roll(hits, 6, "artillery-hits")
        shared = battle.rolled(roll, info.side, _SHARED, unit=info.id).faces
        at_guns, at_crew = split_by_dice(shared, len(guns), len(crew))
    if at_guns:
        scored = replace(context, hits=amount(at_guns), attacks=None, half_range=True)
        yield from pierce_guns(battle, unit, target, weapon, scored, tuple(row for row, _ in made))
    return replace(context, hits=amount(at_crew), attacks=None) if at_crew else None
