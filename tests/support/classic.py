"""Scenes of the classic editions that fit in a few lines: who stands where, in which phase, with which dice.

    battle = scene(unit(5).at(10, 10), unit(3, base="40mm").at(10, 16), phase=Phase.SHOOTING)

A scene is a real battle, of the 3rd edition unless another is named, that begins where the test needs it: on a table
of 72" by 48" without terrain unless it is given, at the start of a phase, with the dice that are written down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from battlewright.attacks.resolve import Resolution
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core import roster
from battlewright.core.battle import EditionRules, Procedure
from battlewright.core.decisions import SIDES, Side
from battlewright.core.dice import DiceSource, ScriptedDice, ScriptedRoll, SeededDice
from battlewright.core.header import Header
from battlewright.core.table import Battlefield, Edge, TerrainArea, Zone
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.edition import ClassicEdition
from battlewright.editions.classic.profiles import ModelProfile, read_model
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.state import ClassicState, Phase
from battlewright.editions.classic.table import ClassicRules
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import WeaponProfile, read_weapon
from battlewright.editions.edition import find_edition
from battlewright.editions.third.attack import ATTACK
from support.units import UnitSpec

WIDTH, HEIGHT = 72.0, 48.0
Dice = DiceSource | Sequence[tuple[str, Sequence[int]]]
INFANTRY = {"WS": "4", "BS": "4", "S": "4", "T": "4", "W": "1", "I": "4", "A": "1", "Ld": "8", "Sv": "3+"}
VEHICLE = {"BS": "4", "AV": "12/10/10"}


def rules_with(edition: str, options: Mapping[str, str] | None = None) -> ClassicRules:
    """The table of an edition with these switches worked in."""
    rules = find_edition(edition).rules()
    assert isinstance(rules, ClassicEdition)
    return rules.rules_with(rules.switchboard.resolve_options(options or {}))


# -- profiles ---------------------------------------------------------------------------------------------------


def printed_model(
    *keywords: str,
    abilities: Sequence[str] = (),
    name: str = "Trooper",
    base: str = "25mm",
    height: float = 1.2,
    weapons: Sequence[roster.Weapon] = (),
    **characteristics: object,
) -> roster.Model:
    """A model as a list prints it: INFANTRY with 4 in everything, Ld 8, Sv 3+, unless said otherwise."""
    words = keywords or ("INFANTRY",)
    printed = dict(VEHICLE if "VEHICLE" in words else INFANTRY)
    printed.update({key: str(value) for key, value in characteristics.items()})
    return roster.Model(
        name=name,
        base=base,
        height=height,
        characteristics=printed,
        keywords=tuple(words),
        weapons=tuple(weapons),
        abilities=tuple(roster.Ability(ability) for ability in abilities),
    )


def model(
    *keywords: str, abilities: Sequence[str] = (), name: str = "Trooper", **characteristics: object
) -> ModelProfile:
    """The profile of such a model."""
    return read_model(printed_model(*keywords, abilities=abilities, name=name, **characteristics))


def printed_weapon(name: str = "Gun", *abilities: str, melee: bool = False, **characteristics: object) -> roster.Weapon:
    """A weapon as a list prints it: 24", S 4, AP 5, one shot; in close combat its user's Strength."""
    values = {"R": "Melee", "S": "User"} if melee else {"R": '24"', "S": "4", "AP": "5"}
    values.update({key: str(value) for key, value in characteristics.items()})
    return roster.Weapon(name, (roster.WeaponProfile("", melee, values, tuple(abilities)),))


def weapon(*abilities: str, name: str = "Gun", melee: bool = False, **characteristics: object) -> WeaponProfile:
    """The profile of such a weapon."""
    return read_weapon(printed_weapon(name, *abilities, melee=melee, **characteristics).profiles[0], name)


def squad(
    *models: ModelProfile,
    cover: Mapping[int, int] | int | None = None,
    remaining: Mapping[int, int] | None = None,
    **view: Any,
) -> TargetView:
    """A target of these models; cover for all of them or by index, wounds left of wounded ones by index."""
    left = remaining or {}
    covers = cover if isinstance(cover, Mapping) else dict.fromkeys(range(len(models)), cover)
    return TargetView(
        tuple(
            TargetModel(profile, left.get(index, profile.wounds), covers.get(index), index)
            for index, profile in enumerate(models)
        ),
        **view,
    )


def attack(
    gun: WeaponProfile,
    target: TargetView,
    *script: tuple[str, str],
    count: int = 1,
    skill: int = 4,
    strength: int = 4,
    **context: Any,
) -> tuple[Resolution, list[int]]:
    """Resolve an attack with scripted dice, each roll a purpose and its faces (``("hit", "366")``).

    Returns:
        What it came to, and the wounds left of every model, group by group.
    """
    volley = compile_volley(ATTACK, gun, count, AttackContext(skill=skill, strength=strength, **context), target)
    dice = ScriptedDice([ScriptedRoll(purpose, tuple(map(int, faces))) for purpose, faces in script])
    host = SimulatedHost(volley, dice)
    done = simulate(volley, host)
    dice.finish(host.position)
    return done, [left for group in host.wounds for left in group]


# -- battles ----------------------------------------------------------------------------------------------------


def unit(models: int = 1, *keywords: str, name: str = "Squad", points: int = 100, **features: Any) -> UnitSpec:
    """A unit of like models, see :func:`printed_model`; 25 mm bases are 0.984" across."""
    features.setdefault("name_of_models", name)
    called = features.pop("name_of_models")
    each = printed_model(*keywords, name=called, **features)
    return UnitSpec((each,) * models, name, components=(roster.Component(name, points=points),))


def mixed(name: str, *specs: UnitSpec) -> UnitSpec:
    """One unit of the models of several, in order; place it afterwards."""
    return UnitSpec(
        tuple(each for spec in specs for each in spec.models), name, components=(roster.Component(name, points=100),)
    )


def scene(
    a: UnitSpec | Sequence[UnitSpec] = (),
    b: UnitSpec | Sequence[UnitSpec] = (),
    *,
    phase: Phase = Phase.MOVEMENT,
    turn: int = 0,
    game_turn: int = 2,
    dice: Dice | None = None,
    terrain: Sequence[TerrainArea] = (),
    options: Mapping[str, str] | None = None,
    alone: bool = False,
    edition: str = "3",
    mission: str | None = None,
    **flags: Any,
) -> ClassicBattle:
    """A battle at the start of a phase.

    Args:
        a: the units of side a, ids ``a.1`` and on; ``b`` those of side b.
        turn: the side whose turn it is.
        dice: (purpose, faces) pairs of a script, or a source; seed 0 when None.
        alone: whether the battle is over when this phase is.
        edition: the id of the classic edition that is played.
        flags: further attributes of the state.
    """
    sides = [[each] if isinstance(each, UnitSpec) else list(each) for each in (a, b)]
    armies = tuple(
        roster.Army(
            name=letter,
            edition=edition,
            faction="",
            units=tuple(
                roster.Unit(f"{letter}.{number}", spec.name, spec.components, spec.models)
                for number, spec in enumerate(specs, 1)
            ),
        )
        for letter, specs in zip("ab", sides, strict=True)
    )
    table = Battlefield(
        "Scene",
        WIDTH,
        HEIGHT,
        areas=tuple(terrain),
        zones=(
            Zone("south", ((0, 0), (WIDTH, 0), (WIDTH, 12), (0, 12)), edge=Edge.SOUTH),
            Zone("north", ((0, 36), (WIDTH, 36), (WIDTH, HEIGHT), (0, HEIGHT)), edge=Edge.NORTH),
        ),
    )
    named = find_edition(edition).switchboard().missions()
    played = mission or named[0]
    header = Header(edition, (armies[0], armies[1]), played, table.to_json(), dict(options or {}))
    rules = _SceneRules(
        find_edition(edition).rules(),
        [spec for specs in sides for spec in specs],
        phase,
        SIDES[turn],
        game_turn,
        flags,
        alone,
    )
    return ClassicBattle(header, rules, dice=_dice(dice))


def _dice(dice: Dice | None) -> DiceSource:
    if dice is None:
        return SeededDice(0)
    if isinstance(dice, ScriptedDice | SeededDice):
        return dice
    return ScriptedDice([ScriptedRoll(purpose, tuple(faces)) for purpose, faces in dice])  # type: ignore[union-attr]


class _SceneRules(ClassicEdition):
    def __init__(
        self,
        played: EditionRules[Any, Any],
        specs: list[UnitSpec],
        phase: Phase,
        turn: Side,
        game_turn: int,
        flags: Mapping[str, Any],
        alone: bool,
    ) -> None:
        super().__init__(**vars(played))
        self._alone = alone
        self._specs, self._phase, self._turn, self._game_turn, self._flags = specs, phase, turn, game_turn, flags

    def set_up(self, header: Header) -> tuple[Scene, ClassicState]:
        found, state = super().set_up(header)
        for info, spec in zip(found.units[: len(self._specs)], self._specs, strict=True):
            mine = state.units[info.index]
            mine.deployed = bool(spec.poses)
            for row, wounds in zip(info.rows, spec.wounds, strict=False):
                state.wounds[row] = wounds
            for row, pose in zip(info.rows, spec.poses, strict=False):
                state.position[row] = [round(value * 1000) for value in pose]
                state.on_table[row] = state.wounds[row] > 0
            mine.phase_strength = sum(1 for row in info.rows if state.wounds[row] > 0)
            for name, value in spec.flags.items():
                assert hasattr(mine, name), f"a unit has no {name}"
                of_vehicles = isinstance(getattr(mine, name), frozenset) and isinstance(value, int)
                setattr(mine, name, frozenset(info.rows if value else ()) if of_vehicles else value)
        state.zones = ("south", "north")
        if self._phase is not Phase.SETUP:
            state.phase, state.turn, state.round = self._phase, self._turn, self._game_turn
            state.turns = 2 * self._game_turn - 1 + (self._turn != state.first)
        for name, value in self._flags.items():
            assert hasattr(state, name), f"the state has no {name}"
            setattr(state, name, value)
        return found, state

    def resume(self, battle: ClassicBattle) -> Procedure[None]:
        if not self._alone:
            return super().resume(battle)
        phases = {phase.name: phase.procedure for phase in battle.scene.rules.phases}
        return phases[self._phase](battle)


def rolling(*faces: int, **state: Any) -> Any:
    """Just enough of a battle to roll these dice in, its state with these attributes."""
    waiting = iter(faces)
    roll = SimpleNamespace(roll=lambda *_: None, rolled=lambda *_, **__: SimpleNamespace(faces=(next(waiting),)))
    roll.state = SimpleNamespace(first=SIDES[0], **state)
    roll.happened = lambda event: None
    return roll
