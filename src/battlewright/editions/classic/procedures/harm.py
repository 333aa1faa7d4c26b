"""Losing wounds and falling."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Answer, Decision, Option, Options, Side, Violation
from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.editions.classic.artillery import guns_left, is_gun
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.scene import ClassicBattle, living, own_rows, own_unit
from battlewright.editions.happenings import UnitDestroyed, WoundsLost

__all__ = ["bury", "lose_wounds", "pick_model"]


def lose_wounds(battle: ClassicBattle, row: int, wounds: int, why: str, *rules: str) -> int:
    """Take wounds from a model, at most those it has left; returns how many it lost. Without wounds it is gone."""
    state = battle.state
    lost = min(wounds, int(state.wounds[row]))
    if lost <= 0:
        return 0
    left = int(state.wounds[row]) - lost
    state.wounds[row] = left
    unit = battle.scene.units[unit_in(state, row)].id
    battle.happened(WoundsLost(unit=unit, model=row, lost=lost, left=left, why=why, rules=rules))
    return lost


def bury(
    battle: ClassicBattle, rows: Collection[int], why: str, *rules: str, by: str = "", aboard: bool = False
) -> None:
    """Take models off the table, and say which units are gone with them.

    Args:
        aboard: whether they were in a vehicle, or on one, and so not on the table themselves.
    """
    state, scene = battle.state, battle.scene
    for unit in dict.fromkeys(unit_in(state, row) for row in rows):
        gone = tuple(
            sorted(row for row in set(rows) if row in state.units[unit].models and (aboard or state.on_table[row]))
        )
        if not gone:
            continue
        state.wounds[list(gone)] = 0
        state.on_table[list(gone)] = False
        battle.happened(ModelsRemoved(unit=scene.units[unit].id, models=gone, why=why, rules=rules))
        for own in dict.fromkeys(own_unit(scene, state, row) for row in gone):
            if not any(state.wounds[row] > 0 for row in own_rows(scene, state, own)):
                state.destroyed = (*state.destroyed, int(own))
        if not living(state, unit):
            battle.happened(UnitDestroyed(unit=scene.units[unit].id, by=by, rules=rules))
        elif guns := _guns_without_crew(battle, unit):
            bury(battle, guns, "their crew is dead", "4e.artillery.crew-dead", by=by)


@rule("4e.artillery.crew-dead")
def _guns_without_crew(battle: ClassicBattle, unit: int) -> list[int]:
    """The guns of a battery whose last crewman is gone."""
    models, left = battle.scene.models, living(battle.state, unit)
    guns = [row for row in left if is_gun(models[row].profile)]
    manned = any(not is_gun(models[row].profile) for row in battle.state.units[unit].models)
    return guns if manned and guns and not guns_left(len(guns), len(left) - len(guns)) else []


class _Casualties(Options):
    """The models that may take a wound; whoever names another is told why it may not."""

    __slots__ = ("_why",)

    def __init__(
        self, options: Sequence[Option], rule_id: str, default: str, why: Callable[[int], list[Violation]]
    ) -> None:
        super().__init__(options, rule=rule_id, default=default)
        self._why = why

    def check(self, answer: Answer) -> list[Violation]:
        """Every reason why the model named may not take the wound."""
        found = super().check(answer)
        key = getattr(answer, "option", "")
        if found and key.startswith("model:") and key[6:].isdecimal():
            return self._why(int(key[6:])) or found
        return found


def pick_model(
    battle: ClassicBattle,
    rows: Sequence[int],
    prompt: str,
    rule_id: str,
    why: Callable[[int], list[Violation]] = lambda row: [],
    side: Side | None = None,
) -> Procedure[int]:
    """The pick of one of these models by their owner; a single one needs no question.

    The default is the plainest: armed as most of them are, the last of these in the order of the list.

    Args:
        why: why some other model may not be picked.
        side: who picks; None for their owner.
    """
    if len(rows) == 1:
        return rows[0]
    scene, unit = battle.scene, battle.scene.units[unit_in(battle.state, rows[0])]
    arms = [tuple(weapon.name for weapon in scene.models[row].weapons) for row in rows]
    plainest = max(range(len(rows)), key=lambda place: (arms.count(arms[place]), place))
    options = [Option(f"model:{row}", scene.models[row].name, row) for row in rows]
    picked: int = yield from choose(
        Decision(
            unit.side if side is None else side,
            "select-model",
            f"{unit.name}: {prompt}",
            rule_id,
            _Casualties(options, rule_id, options[plainest].key, why),
            subject=unit.index,
        )
    )
    return picked
