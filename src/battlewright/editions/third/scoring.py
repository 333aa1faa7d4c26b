"""The end of a battle of the 3rd edition: victory points, table quarters, who has won."""

from __future__ import annotations

from battlewright.core.bases import to_inches
from battlewright.core.decisions import SIDES, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import inside_rectangle
from battlewright.editions.classic.missions import Winning, mission_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, UnitInfo
from battlewright.editions.classic.scoring import Remains, points_for_losses
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.happenings import Scored
from battlewright.editions.third.cleanse import cleanse_winner, quarter_of, quarters_held

__all__ = ["end_of_battle", "quarters_of", "victory_points", "winner"]


def _strength(scene: Scene, state: ClassicState, info: UnitInfo) -> tuple[int, int]:
    """Models left and begun of a unit, wherever its models stand; of a single model its wounds."""
    rows = info.rows
    if len(rows) == 1:
        return int(state.wounds[rows[0]]), scene.models[rows[0]].profile.wounds
    return sum(1 for row in rows if state.wounds[row] > 0), len(rows)


@rule("3e.core.missions.victory-points")
def victory_points(scene: Scene, state: ClassicState, side: Side) -> int:
    """What a side has from its enemies' losses as things stand."""
    total = 0
    for info in scene.units_of(opponent(side)):
        mine = state.units[info.index]
        holder = state.units[mine.joined] if mine.joined >= 0 else mine
        left, begun = _strength(scene, state, info)
        total += points_for_losses(
            Remains(
                points=int(info.roster.points),
                left=left,
                begun=begun,
                vehicle=scene.models[info.rows[0]].profile.is_vehicle,
                fled=holder.falling_back,
                immobilised=bool(mine.immobilised),
                weapon_lost=bool(mine.weapons_lost),
            )
        )
    return total


@rule("3e.core.missions.cleanse")
def quarters_of(scene: Scene, state: ClassicState) -> tuple[int, int]:
    """How many quarters of the table each side holds.

    RULING: 3e.core.missions.cleanse a unit scores that stands with its whole bases in one quarter and does not fall
    back.
    """
    table = scene.battlefield
    scoring = []
    for info in scene.units:
        rows = [row for row in state.units[info.index].models if state.on_table[row] and state.wounds[row] > 0]
        if not rows or state.units[info.index].falling_back:
            continue
        poses = to_inches(state.position[rows])
        quarter = quarter_of((float(poses[0, 0]), float(poses[0, 1])), table.width, table.height)
        poses[:, 0] -= (quarter % 2) * table.width / 2
        poses[:, 1] -= (quarter // 2) * table.height / 2
        if inside_rectangle(scene.bases.some_at(rows, poses), table.width / 2, table.height / 2).all():
            scoring.append((info.side, quarter))
    return quarters_held(scoring)


@rule("3e.core.missions.victory-points", "3e.core.missions.cleanse")
def end_of_battle(battle: ClassicBattle) -> None:
    """Count the victory points of both sides."""
    scene, state = battle.scene, battle.state
    points = [victory_points(scene, state, side) for side in SIDES]
    state.vp = (points[0], points[1])
    for side in SIDES:
        battle.happened(
            Scored(
                side=side,
                card="victory points",
                line="enemy losses",
                points=points[side],
                total=points[side],
                rules=("3e.core.missions.victory-points",),
            )
        )


@rule("3e.core.missions.higher-total", "3e.core.missions.cleanse")
def winner(scene: Scene, state: ClassicState) -> Side | None:
    """Who has won: by quarters where the mission says so, else, or if equal, by the higher total; None for a draw."""
    if mission_of(scene).winning is Winning.QUARTERS:
        return cleanse_winner(quarters_of(scene, state), state.vp)
    a, b = state.vp
    return None if a == b else SIDES[b > a]
