"""Fire in scenes of the classic editions: one unit at another, with what answers, and what was told of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.classic import UnitSpec, printed_weapon, unit

from battlewright.core.decisions import Pick
from battlewright.core.roster import Weapon
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Phase

__all__ = ["asked", "fire", "gun", "gunner", "keys", "results", "tank"]


def gun(name: str = "Lascannon", *abilities: str, **characteristics: object) -> Weapon:
    """A heavy weapon of 48" that never fails for its range: S 9 AP 2 unless said otherwise."""
    return printed_weapon(name, *(abilities or ("HEAVY 1",)), **{"R": '48"', "S": 9, "AP": 2, **characteristics})


def gunner(weapon: Weapon | None = None, *, name: str = "Gunner", **features: Any) -> UnitSpec:
    """One man with a weapon."""
    return unit(1, weapons=[weapon or gun()], name=name, **features)


def tank(*keywords: str, name: str = "Tank", **features: Any) -> UnitSpec:
    """A vehicle of 60 mm, 2" high, AV 12/12/10."""
    return unit(1, "VEHICLE", *keywords, name=name, **{"base": "60mm", "height": 2.0, "AV": "12/12/10", **features})


def fire(battle: ClassicBattle, who: str = "a.1", target: str = "b.1", **answers: str) -> list[str]:
    """One unit fires at another, other choices by default or as written down for their kinds; the kinds asked."""
    found = []
    battle.answer(Pick(who))
    wanted = {"select-target": target, **{kind.replace("_", "-"): key for kind, key in answers.items()}}
    while battle.decision is not None and battle.decision.kind != "select-unit-to-shoot":
        found.append(battle.decision.kind)
        key = wanted.get(battle.decision.kind)
        battle.answer(Pick(key) if key else battle.decision.default())
        if battle.state.phase != Phase.SHOOTING:
            break
    return found


def keys(battle: ClassicBattle) -> list[str]:
    """The keys of what is to be decided; none when nothing is."""
    return [option.key for option in battle.decision.options()] if battle.decision is not None else []


def asked(battle: ClassicBattle) -> str:
    """The kind of what is to be decided, "" when nothing is."""
    return battle.decision.kind if battle.decision is not None else ""


def results(battle: ClassicBattle) -> Sequence[str]:
    """What befell vehicles, in order."""
    return [event.result for event in battle.events if event.kind == "vehicle-damaged"]  # type: ignore[attr-defined]
