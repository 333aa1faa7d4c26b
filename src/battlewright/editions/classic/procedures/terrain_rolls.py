"""Terrain tests on the table: the dice that say how far a unit goes in difficult ground, and who enters it."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.footwork import terrain_test_dice
from battlewright.editions.classic.procedures.crossing import TerrainTest, pieces_in_reach, who_may_enter
from battlewright.editions.classic.procedures.events import TerrainTested
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed, MoveKind
from battlewright.editions.classic.terrain import higher_die

__all__ = [
    "terrain_test",
]


@rule(
    "3e.terrain.test",
    "3e.terrain.enter-needs-six",
    "3e.core.movement.difficult-terrain",
    "3e.core.movement.extra-terrain-die",
    "3e.characters.terrain-reroll",
)
def terrain_test(battle: ClassicBattle, unit: int, way: MoveKind) -> Procedure[TerrainTest]:
    """The dice are thrown, and the higher counts, of three where a special rule gives one more; before that the models
    that want to enter are named where the edition has them named."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    movement = scene.rules.movement
    entering = (
        (yield from _declare_entering(battle, unit, way)) if movement.enters_by_model is not None else frozenset[int]()
    )
    rows = standing(state, unit)
    dice = terrain_test_dice(traits_of(scene, state, unit))
    faces = battle.rolled(battle.roll(dice, 6, "terrain-test"), info.side, "3e.terrain.test", unit=info.id).faces
    mine = state.units[unit]
    if movement.rerolls_distance(
        scene.models[rows[0]].profile, alone=len(rows) == 1, rerolled=mine.has(Deed.REROLLED_TERRAIN)
    ) and (yield from ask_reroll(battle, unit, f"the terrain test shows {higher_die(faces)}", higher_die(faces))):
        mine.did(Deed.REROLLED_TERRAIN)
        again = battle.roll(dice, 6, "terrain-test")
        faces = battle.rolled(again, info.side, "3e.characters.terrain-reroll", unit=info.id).faces
    allowed = higher_die(faces)
    battle.happened(
        TerrainTested(
            unit=info.id, faces=faces, allowed=allowed, entering=tuple(sorted(entering)), rules=("3e.terrain.test",)
        )
    )
    return TerrainTest(allowed, entering)


_POOR = 4
"""Inches below which a terrain test is worth another throw."""


def ask_reroll(battle: ClassicBattle, unit: int, what: str, inches: int) -> Procedure[bool]:
    """Whether the dice of a terrain test are thrown again, by those who may; the default does where it lost most.

    Args:
        inches: that they give.
    """
    info, rule_id = battle.scene.units[unit], "3e.characters.terrain-reroll"
    choices = Options(
        [Option("again", "roll again", True), Option("keep", "keep it", False)],
        rule=rule_id,
        default="again" if inches < _POOR else "keep",
    )
    again: bool = yield from choose(
        Decision(info.side, "reroll-terrain", f"{info.name}: {what}; roll again?", rule_id, choices, subject=info.index)
    )
    return again


def _declare_entering(battle: ClassicBattle, unit: int, way: MoveKind) -> Procedure[frozenset[int]]:
    """Which models enter difficult terrain: named one by one, or all that could at once."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    reach = max((kind_rules(scene, row, way).move for row in standing(state, unit)), default=0.0)
    able = sorted(
        {
            row
            for piece in pieces_in_reach(scene, state, unit, reach)
            for row in who_may_enter(scene, state, unit, piece, reach, way)
        }
    )
    entering: frozenset[int] = frozenset()
    rule_id = "3e.terrain.enter-needs-six"
    while left := [row for row in able if row not in entering]:
        options = [Option(f"model:{row}", f"{scene.models[row].name} (model {row}) enters", {row}) for row in left]
        options += [Option("all", "all of these enter", set(left)), Option("done", "nobody else enters", set())]
        picked: set[int] = yield from choose(
            Decision(
                info.side,
                "declare-entering",
                f"Which models of {info.name} enter difficult terrain?",
                rule_id,
                Options(options, rule=rule_id),
                subject=info.index,
            )
        )
        if not picked:
            break
        entering = entering | picked
    return entering
