"""Losing wounds, falling, and what damage does to vehicles (3rd edition)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Answer, Decision, Option, Options, Violation
from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.events import VehicleDamaged
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.scene import ClassicBattle, living
from battlewright.editions.happenings import UnitDestroyed, WoundsLost

__all__ = ["bury", "damage_vehicle", "lose_wounds", "pick_model", "settle_vehicle_turn"]


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


def bury(battle: ClassicBattle, rows: Collection[int], why: str, *rules: str, by: str = "") -> None:
    """Take models off the table, and say which units are gone with them."""
    state, scene = battle.state, battle.scene
    for unit in dict.fromkeys(unit_in(state, row) for row in rows):
        gone = tuple(sorted(row for row in rows if row in state.units[unit].models and state.on_table[row]))
        if not gone:
            continue
        state.wounds[list(gone)] = 0
        state.on_table[list(gone)] = False
        battle.happened(ModelsRemoved(unit=scene.units[unit].id, models=gone, why=why, rules=rules))
        if not living(state, unit):
            battle.happened(UnitDestroyed(unit=scene.units[unit].id, by=by, rules=rules))


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
) -> Procedure[int]:
    """The pick of one of these models by their owner; a single one needs no question.

    The default is the plainest: armed as most of them are, the last of these in the order of the list.

    Args:
        why: why some other model may not be picked.
    """
    if len(rows) == 1:
        return rows[0]
    scene, unit = battle.scene, battle.scene.units[unit_in(battle.state, rows[0])]
    arms = [tuple(weapon.name for weapon in scene.models[row].weapons) for row in rows]
    plainest = max(range(len(rows)), key=lambda place: (arms.count(arms[place]), place))
    options = [Option(f"model:{row}", scene.models[row].name, row) for row in rows]
    picked: int = yield from choose(
        Decision(
            unit.side,
            "select-model",
            f"{unit.name}: {prompt}",
            rule_id,
            _Casualties(options, rule_id, options[plainest].key, why),
            subject=unit.index,
        )
    )
    return picked


# -- vehicles ---------------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.shaken-and-stunned", "3e.core.vehicles.immobilised-twice", "3e.core.vehicles.glancing-table")
@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
def damage_vehicle(battle: ClassicBattle, row: int, result: DamageResult, by: str = "") -> None:
    """Put a result of a damage table on a vehicle.

    Armament destroyed takes a random weapon of those it has left, and immobilises it when it has none; a vehicle that
    is immobilised already loses a weapon in place of being immobilised again. Nothing more happens to one that has
    lost both.

    DEVIATION: the vehicles of a squadron share what shakes, stuns and immobilises them.
    DEVIATION: wrecks and craters are not left on the table.
    """
    state = battle.state
    unit = state.units[unit_in(state, row)]
    # A result of the owner's own turn lasts to the end of his next one.
    turns = 2 if unit.side == state.turn else 1
    weapon = ""
    match result:
        case DamageResult.SHAKEN:
            unit.shaken = max(unit.shaken, turns)
        case DamageResult.STUNNED:
            unit.stunned = max(unit.stunned, turns)
        case DamageResult.ARMAMENT:
            weapon = _lose_weapon(battle, row)
            unit.immobilised = unit.immobilised or not weapon
        case DamageResult.IMMOBILISED if unit.immobilised:
            weapon = _lose_weapon(battle, row)
        case DamageResult.IMMOBILISED:
            unit.immobilised = True
    name = battle.scene.units[unit_in(state, row)].id
    battle.happened(
        VehicleDamaged(
            unit=name, model=row, result=str(result), weapon=weapon, rules=("3e.core.vehicles.shaken-and-stunned",)
        )
    )
    if result.destroys:
        bury(battle, [row], "destroyed", "3e.core.vehicles.penetrating-table", by=by)


def _lose_weapon(battle: ClassicBattle, row: int) -> str:
    """Destroy a random weapon that the vehicle has left; its name, "" when it has none."""
    state, model = battle.state, battle.scene.models[row]
    unit = state.units[unit_in(state, row)]
    left = [place for place in range(len(model.weapons)) if (row, place) not in unit.weapons_lost]
    if not left:
        return ""
    place = 0
    if len(left) > 1:
        roll = battle.roll(1, len(left), "weapon-destroyed")
        place = battle.rolled(roll, model.side, "3e.core.vehicles.glancing-table").total - 1
    unit.weapons_lost = unit.weapons_lost | {(row, left[place])}
    return model.weapons[left[place]].name


@rule("3e.core.vehicles.shaken-and-stunned", "3e.outside.pinned", "3e.core.shooting.pinned")
def settle_vehicle_turn(battle: ClassicBattle) -> None:
    """The end of a player's turn: what kept his crews from acting has lasted its turn, his pinned units may act."""
    state = battle.state
    for unit in state.units:
        if unit.side == state.turn:
            unit.shaken, unit.stunned = max(0, unit.shaken - 1), max(0, unit.stunned - 1)
            unit.pinned = False
