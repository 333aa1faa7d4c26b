"""Small things of the 11th edition for tests: models and weapons with everything that a rule does not need left out."""

from __future__ import annotations

from typing import Any

from battlewright.attacks.resolve import Resolution
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core import roster
from battlewright.core.dice import ScriptedDice, ScriptedRoll
from battlewright.editions.eleventh.attack import AttackContext, TargetModel, TargetView, compile_volley
from battlewright.editions.eleventh.datasheet import ModelProfile, WeaponProfile, read_model, read_weapon


def model(
    *keywords: str, abilities: tuple[str, ...] = (), name: str = "Model", **characteristics: object
) -> ModelProfile:
    """A model: T 4, Sv 3+, W 1 unless said otherwise."""
    printed = {"M": '6"', "T": "4", "Sv": "3+", "W": "1", "Ld": "7+", "OC": "1"}
    printed.update({key: str(value) for key, value in characteristics.items()})
    return read_model(
        roster.Model(
            name=name,
            base="32mm",
            height=1.5,
            characteristics=printed,
            keywords=keywords,
            abilities=tuple(roster.Ability(ability) for ability in abilities),
        )
    )


def weapon(*abilities: str, name: str = "Weapon", melee: bool = False, **characteristics: object) -> WeaponProfile:
    """A weapon: A 1, BS or WS 3+, S 4, AP 0, D 1, 24" unless said otherwise."""
    skill = "WS" if melee else "BS"
    printed = {"R": "Melee" if melee else '24"', "A": "1", skill: "3+", "S": "4", "AP": "0", "D": "1"}
    printed.update({key: str(value) for key, value in characteristics.items()})
    return read_weapon(roster.WeaponProfile("", melee, printed, abilities), name)


def squad(*models: ModelProfile, remaining: dict[int, int] | None = None, bodyguards: int | None = None) -> TargetView:
    """A target of these models; ``remaining`` for wounded ones by index.

    With ``bodyguards`` it is an attached unit of which so many models, the first, are the bodyguard.
    """
    left = remaining or {}
    return TargetView(
        tuple(
            TargetModel(profile, left.get(index, profile.wounds), bodyguard=bodyguards is None or index < bodyguards)
            for index, profile in enumerate(models)
        ),
        attached=bodyguards is not None,
    )


def attack(
    weapon: WeaponProfile,
    target: TargetView,
    *script: tuple[str, str],
    count: int = 1,
    lethal: str = "take",
    **context: Any,
) -> tuple[Resolution, list[int]]:
    """Resolve an attack with scripted dice, each roll a purpose and its faces (``("hit", "366")``).

    Returns:
        What it came to, and the wounds left of every model, group by group in allocation order.
    """
    volley = compile_volley(weapon, count, AttackContext(**context), target)
    dice = ScriptedDice([ScriptedRoll(purpose, tuple(map(int, faces))) for purpose, faces in script])
    host = SimulatedHost(volley, dice, choices={"lethal": lethal})
    done = simulate(volley, host)
    dice.finish(host.position)
    return done, [left for group in host.wounds for left in group]


def attacks(weapon: WeaponProfile, target: TargetView, count: int = 1, **context: Any) -> int:
    """How many attack dice are gathered where no die is needed to know."""
    dice = compile_volley(weapon, count, AttackContext(**context), target).dice
    assert not any(part.each.dice.is_random for part in dice)
    return sum(part.weapons * part.each.values[0] for part in dice)


def outcome(weapon: WeaponProfile, target: TargetView, step: str, die: int, **context: Any) -> str:
    """What a die of a step means: ``"hit"``, ``"critical-wound"``."""
    return compile_volley(weapon, 1, AttackContext(**context), target).step(step).outcome(die).name
