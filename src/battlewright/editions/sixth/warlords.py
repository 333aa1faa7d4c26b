"""Warlords of the 6th edition: who leads an army, the trait that he rolls; powers generated before the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side
from battlewright.core.rulebook import rule
from battlewright.editions.classic.events import PowersKnown, WarlordNamed
from battlewright.editions.classic.procedures.nerve import names_of
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.sixth.psychic import DISCIPLINES, generated, mastery_level

__all__ = ["TRAITS", "generate_powers", "may_lead", "name_warlords", "prepare", "trait_of"]

_WARLORD, _TRAIT = "6e.core.characters.warlord", "6e.core.characters.warlord-trait"

TRAITS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "command": (
            'friends within 12" use his Leadership',
            'enemies within 12" use their lowest Leadership',
            'friends within 12" move through cover',
            'friends within 12" run 1" further',
            'friends within 12" re-roll 1s to hit near objectives',
            'friends within 12" charge 1" further',
        ),
        "personal": (
            "counter-attack in the own zone",
            "furious charge in the enemy zone",
            "outflank",
            "a point for each character slain in a challenge",
            'feel no pain within 3" of an objective',
            "he scores",
        ),
        "strategic": (
            "stealth and move through cover in ruins",
            "chooses night fighting",
            "infiltrate for D3 units",
            "re-rolls reserves",
            "the enemy takes 1 from reserves",
            "redeploys D3 units",
        ),
    }
)
"""The three tables, each for the faces 1 to 6.

DEVIATION: 6e.core.characters.warlord-trait traits are rolled and named; what they do is not enforced, but for the first
of the command table.
"""


@rule("6e.core.characters.warlord")
def may_lead(leaderships: Mapping[int, int]) -> list[int]:
    """The models of which one is the warlord: the HQ characters of the highest Leadership.

    Args:
        leaderships: of the HQ characters of an army, by row.
    """
    best = max(leaderships.values(), default=0)
    return [row for row, leadership in leaderships.items() if leadership == best]


@rule("6e.core.characters.warlord-trait")
def trait_of(table: str, face: int) -> str:
    """The trait of a table for the face of a D6."""
    return TRAITS[table][face - 1]


def _commanders(scene: Scene, side: Side) -> dict[int, int]:
    """The HQ characters of a side with their Leadership."""
    return {
        row: scene.models[row].profile.leadership
        for info in scene.units_of(side)
        for row in info.rows
        if scene.models[row].profile.is_character and "HQ" in scene.models[row].profile.keywords
    }


@rule("6e.core.characters.warlord", "6e.core.characters.warlord-trait")
def name_warlords(battle: ClassicBattle) -> Procedure[None]:
    """Each army's warlord is named, and rolls his trait on the table that his player picks."""
    scene, state = battle.scene, battle.state
    for side in SIDES:
        rows = may_lead(_commanders(scene, side))
        if not rows:
            continue
        options = [Option(f"model:{row}", scene.models[row].name, row) for row in rows]
        row = (
            rows[0]
            if len(rows) == 1
            else (yield from _ask(side, "select-warlord", "Who is your warlord?", _WARLORD, options))
        )
        tables = [Option(table, f"the {table} table", table) for table in TRAITS]
        table = yield from _ask(
            side, "select-trait-table", "On which table does your warlord roll for a trait?", _TRAIT, tables
        )
        info = scene.unit_of(row)
        face = battle.rolled(battle.roll(1, 6, "warlord-trait"), side, _TRAIT, unit=info.id).total
        trait = f"{table} {face}"
        state.warlords = (*state.warlords, (row, trait))
        battle.happened(
            WarlordNamed(unit=info.id, model=row, table=table, trait=trait_of(table, face), rules=(_WARLORD, _TRAIT))
        )


def _ask(side: Side, kind: str, prompt: str, rule_id: str, options: Sequence[Option]) -> Procedure[Any]:
    choices = Options(options, rule=rule_id, default=options[0].key)
    picked: Any = yield from choose(Decision(side, kind, prompt, rule_id, choices))
    return picked


@rule("6e.core.characters.warp-charges")
def generate_powers(battle: ClassicBattle) -> None:
    """Psykers with a discipline get as many powers of it as their mastery level says."""
    scene, state, rule_id = battle.scene, battle.state, "6e.core.characters.warp-charges"
    for info in scene.units:
        for row in info.rows:
            names = names_of(scene, state, row)
            for discipline in sorted(names & DISCIPLINES.keys()):
                roll = battle.roll(mastery_level(names), 6, "discipline")
                faces = battle.rolled(roll, info.side, rule_id, unit=info.id).faces
                powers = generated(discipline, faces)
                mine = state.units[info.index]
                mine.known = mine.known | {(row, power) for power in powers}
                battle.happened(PowersKnown(unit=info.id, model=row, powers=powers, rules=(rule_id,)))


def prepare(battle: ClassicBattle) -> Procedure[None]:
    """What characters do before the armies are set up."""
    yield from name_warlords(battle)
    generate_powers(battle)
