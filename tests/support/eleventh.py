"""Scenes of the 11th edition that fit in a few lines: who stands where, in which phase, with which dice.

    battle = scene(unit(5).at(10, 10), unit(3, base="40mm").at(10, 16), phase=Phase.MOVEMENT)

A scene is a real battle that begins where the test needs it: on a table of 44" by 60" without terrain or objectives
unless they are given, at the start of a phase, with the dice that are written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from battlewright.core import roster
from battlewright.core.decisions import SIDES, Decision, ModelMove, Place, Side
from battlewright.core.dice import DiceSource, ScriptedDice, ScriptedRoll, SeededDice
from battlewright.core.header import Header
from battlewright.core.table import Battlefield, Category, Floor, Objective, TerrainArea, TerrainFeature, Zone
from battlewright.editions.eleventh import bookkeeping
from battlewright.editions.eleventh.rules import EleventhRules
from battlewright.editions.eleventh.scene import Battle11, Scene
from battlewright.editions.eleventh.state import EleventhState, Phase
from support.units import UnitSpec

WIDTH, HEIGHT = 44.0, 60.0
Dice = DiceSource | Sequence[tuple[str, Sequence[int]]]


def unit(
    models: int = 1,
    *keywords: str,
    base: str = "32mm",
    height: float = 1.5,
    weapons: Sequence[roster.Weapon] = (),
    abilities: Sequence[str] = (),
    name: str = "Squad",
    points: int = 0,
    transport: roster.Transport | None = None,
    overhang: float = 0.0,
    **characteristics: object,
) -> UnitSpec:
    """A unit of like models: INFANTRY, M 6", T 4, Sv 3+, W 1, Ld 7+, OC 1 unless said otherwise."""
    printed = {"M": '6"', "T": "4", "Sv": "3+", "W": "1", "Ld": "7+", "OC": "1"}
    printed.update({key: str(value) for key, value in characteristics.items()})
    model = roster.Model(
        name=name,
        base=base,
        height=height,
        characteristics=printed,
        keywords=(*(keywords or ("INFANTRY",)), name.upper()),
        weapons=tuple(weapons),
        abilities=tuple(roster.Ability(ability) for ability in abilities),
        transport=transport,
        overhang=overhang,
    )
    return UnitSpec((model,) * models, name, components=(roster.Component(name, points=points),))


def attached(bodyguard: UnitSpec, *others: UnitSpec, role: roster.Role = roster.Role.LEADER) -> UnitSpec:
    """An attached unit: the bodyguard, then its leaders or support; place it afterwards."""
    models, components = list(bodyguard.models), list(bodyguard.components)
    for other in others:
        models += [replace(model, component=len(components)) for model in other.models]
        components.append(replace(other.components[0], role=role))
    return UnitSpec(tuple(models), bodyguard.name, components=tuple(components))


def weapon(name: str = "Rifle", *abilities: str, melee: bool = False, **characteristics: object) -> roster.Weapon:
    """A weapon with one profile: A 1, BS or WS 3+, S 4, AP 0, D 1, 24" unless said otherwise."""
    skill = "WS" if melee else "BS"
    printed = {"R": "Melee" if melee else '24"', "A": "1", skill: "3+", "S": "4", "AP": "0", "D": "1"}
    printed.update({key: str(value) for key, value in characteristics.items()})
    return roster.Weapon(name, (roster.WeaponProfile("", melee, printed, tuple(abilities)),))


def box(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    height: float,
    category: Category = Category.DENSE,
    *,
    floors: Iterable[float] = (),
    solid: bool = False,
    name: str = "box",
) -> TerrainArea:
    """A rectangular feature that fills its own area, with floors of its whole size at these heights."""
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    levels = tuple(Floor(outline, elevation) for elevation in floors)
    feature = TerrainFeature(f"{name}.1", outline, height, category=category, floors=levels, solid=solid)
    return TerrainArea(name, outline, category, (feature,))


def scene(
    a: UnitSpec | Sequence[UnitSpec] = (),
    b: UnitSpec | Sequence[UnitSpec] = (),
    *,
    phase: Phase = Phase.MOVEMENT,
    turn: int = 0,
    battle_round: int = 2,
    dice: Dice | None = None,
    terrain: Sequence[TerrainArea] = (),
    objectives: Sequence[Objective] = (),
    options: Mapping[str, str] | None = None,
    mission: str = "battlefield-dominance",
    stratagems: Sequence[roster.Ability] = (),
    **flags: Any,
) -> Battle11:
    """A battle at the start of a phase.

    Args:
        a: the units of side a, ids ``a.1`` and on; ``b`` those of side b.
        turn: the side whose turn it is.
        dice: (purpose, faces) pairs of a script, or a source; seed 0 when None.
        options: switches that differ from their defaults; there are no secondary missions unless they are chosen.
        mission: by the card of side a.
        stratagems: of both sides' detachments.
        flags: further attributes of the state.
    """
    sides = [[each] if isinstance(each, UnitSpec) else list(each) for each in (a, b)]
    armies = tuple(
        roster.Army(
            name=letter,
            edition="11",
            faction="",
            units=tuple(
                roster.Unit(f"{letter}.{number}", spec.name, spec.components, spec.models)
                for number, spec in enumerate(specs, 1)
            ),
            stratagems=tuple(stratagems),
        )
        for letter, specs in zip("ab", sides, strict=True)
    )
    table = Battlefield(
        "Scene",
        WIDTH,
        HEIGHT,
        areas=tuple(terrain),
        zones=(
            Zone("attacker", ((0, 0), (WIDTH, 0), (WIDTH, 12), (0, 12)), ((0, 0), (WIDTH, 0), (WIDTH, 30), (0, 30))),
            Zone(
                "defender",
                ((0, 48), (WIDTH, 48), (WIDTH, HEIGHT), (0, HEIGHT)),
                ((0, 30), (WIDTH, 30), (WIDTH, HEIGHT), (0, HEIGHT)),
            ),
        ),
        objectives=tuple(objectives),
    )
    header = Header("11", (armies[0], armies[1]), mission, table.to_json(), {"secondaries": "none", **(options or {})})
    rules = _SceneRules([spec for specs in sides for spec in specs], phase, SIDES[turn], battle_round, flags)
    return Battle11(header, rules, dice=_dice(dice))


def _dice(dice: Dice | None) -> DiceSource:
    if dice is None:
        return SeededDice(0)
    if isinstance(dice, ScriptedDice | SeededDice):
        return dice
    return ScriptedDice([ScriptedRoll(purpose, tuple(faces)) for purpose, faces in dice])  # type: ignore[union-attr]


class _SceneRules(EleventhRules):
    def __init__(
        self, specs: list[UnitSpec], phase: Phase, turn: Side, battle_round: int, flags: Mapping[str, Any]
    ) -> None:
        self._specs, self._phase, self._turn, self._round, self._flags = specs, phase, turn, battle_round, flags

    def set_up(self, header: Header) -> tuple[Scene, EleventhState]:
        found, state = super().set_up(header)
        for info, spec in zip(found.units, self._specs, strict=True):
            mine = state.units[info.index]
            mine.deployed = bool(spec.poses)
            for name, value in spec.flags.items():
                assert hasattr(mine, name), f"a unit has no {name}"
                setattr(mine, name, value)
            for row, wounds in zip(info.rows, spec.wounds, strict=False):
                state.wounds[row] = wounds
            for row, pose in zip(info.rows, spec.poses, strict=False):
                state.position[row] = [round(value * 1000) for value in pose]
                state.on_table[row] = state.wounds[row] > 0
        if self._phase is not Phase.SETUP:
            state.phase, state.turn, state.round = self._phase, self._turn, self._round
            state.turns = 2 * self._round - 1 + (self._turn != state.first)
            bookkeeping.begin_turn(found, state)
        for name, value in self._flags.items():
            assert hasattr(state, name), f"the state has no {name}"
            setattr(state, name, value)
        return found, state


# -- answers ----------------------------------------------------------------------------------------------------


def walk(row: int, *points: Sequence[float]) -> ModelMove:
    """A model's way by points (x, y[, z[, facing]]) in inches and degrees."""
    path = []
    for point in points:
        x, y, z, facing = (*map(float, point), 0.0, 0.0)[:4]
        path.append((round(x * 1000), round(y * 1000), round(z * 1000), round(facing * 1000)))
    return ModelMove(row, tuple(path))


def place(*moves: ModelMove) -> Place:
    """A placement of these moves, in this order."""
    return Place(moves)


def shift(battle: Battle11, unit_index: int, dx: float, dy: float) -> Place:
    """Every standing model of the unit moved by the same vector, in inches, the foremost first."""
    state = battle.state
    rows = [row for row in state.units[unit_index].models if state.on_table[row] and state.wounds[row] > 0]
    rows.sort(key=lambda row: -(state.position[row, 0] * dx + state.position[row, 1] * dy))
    moves = []
    for row in rows:
        x, y, z, facing = (int(value) for value in state.position[row])
        moves.append(ModelMove(row, ((x + round(dx * 1000), y + round(dy * 1000), z, facing),)))
    return Place(tuple(moves))


def decision(battle: Battle11) -> Decision:
    """The decision that the battle waits for; fails when it is over."""
    assert battle.decision is not None, "the battle has ended"
    return battle.decision


def pass_formations(battle: Battle11) -> None:
    """Let both sides declare nothing in the Declare Battle Formations step."""
    while decision(battle).kind in ("declare-embarked", "declare-reserves"):
        battle.answer("end")


def rules_broken(battle: Battle11, answer: Any) -> set[str]:
    """Ids of the rules that an answer to the present decision would break."""
    return {violation.rule for violation in battle.check(answer)}
