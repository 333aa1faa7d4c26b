"""Hits and wounds on troops that no weapon of a model deals: explosions, wrecks, being run down."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.harm import pick_model
from battlewright.editions.classic.procedures.volleys import Batch, clear_away, suffer, unsaved_wounds
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import Strength, WeaponProfile, WeaponType

__all__ = ["hits_on_troops", "wound_each"]

_TABLE = "3e.core.vehicles.penetrating-table"


@rule("6e.passenger-damage.explodes-hits", "6e.passenger-damage.explodes-owner-allocates", "6e.outside.explodes")
def hits_on_troops(
    battle: ClassicBattle,
    by: int,
    unit: int,
    rows: Sequence[int],
    hits: int,
    strength: int,
    why: str,
    ap: int | None = None,
) -> Procedure[None]:
    """Hits of some Strength, of no AP unless it is given, on models of a unit; their owner says who takes the wounds.

    Args:
        by: the unit that they come from.
        rows: the models that may be harmed.
    """
    scene, state = battle.scene, battle.state
    weapon = WeaponProfile(why, WeaponType.ASSAULT, 0.0, Strength(strength), ap, DiceExpression(0, 0, 1))
    view = TargetView(
        tuple(TargetModel(scene.models[row].profile, int(state.wounds[row]), None, row) for row in sorted(rows))
    )
    volley = compile_volley(scene.rules.attack, weapon, 1, AttackContext(skill=0, hits=amount(hits)), view)
    unsaved, _ = yield from unsaved_wounds(battle, by, unit, [Batch(volley, ())], view)
    fell: list[int] = []
    for each in unsaved:
        for _ in range(each.count):
            among = [row for row in each.rows if state.wounds[row] > 0]
            if not among:
                break
            row = yield from pick_model(battle, among, f"who falls to the {why}?", "3e.casualties.owner-chooses")
            suffer(battle, row, each.outright, why, _TABLE)
            fell.append(row)
    clear_away(battle, fell, scene.units[by].id)


@rule("4e.vehicle-explodes.wounds", "4e.vehicle-annihilated.wounds")
def wound_each(battle: ClassicBattle, unit: int, rows: Sequence[int], needed: int, why: str, *rules: str) -> None:
    """Each model is wounded on a D6 of so much or more, and may save with its armour.

    Args:
        rules: that say so.
    """
    scene, info = battle.scene, battle.scene.units[unit]
    cites = rules or (_TABLE,)
    faces = battle.rolled(battle.roll(len(rows), 6, why), info.side, cites[0], unit=info.id, needed=needed).faces
    wounded = [row for row, face in zip(rows, faces, strict=True) if face >= needed]
    if not wounded:
        return
    best = {row: _best_save(scene, row) for row in wounded}
    saving = [row for row in wounded if best[row] is not None]
    saves: tuple[int, ...] = ()
    if saving:
        saves = battle.rolled(battle.roll(len(saving), 6, "save"), info.side, cites[0], unit=info.id).faces
    saved = {row for row, face in zip(saving, saves, strict=True) if face >= (best[row] or 7)}
    fell = [row for row in wounded if row not in saved]
    for row in fell:
        suffer(battle, row, False, why, *cites)
    clear_away(battle, fell)


def _best_save(scene: Scene, row: int) -> int | None:
    """The better of a model's armour and invulnerable saves, None where it has neither."""
    profile = scene.models[row].profile
    return min((save for save in (profile.save, profile.invulnerable) if save is not None), default=None)
