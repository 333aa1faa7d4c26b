"""Starting, saving and loading battles: the place where the core meets the editions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import battlewright
from battlewright.core import battle as core
from battlewright.core.dice import DiceSource
from battlewright.core.errors import BadInput, SaveError
from battlewright.core.header import Header, Recorded
from battlewright.core.record import read_record
from battlewright.core.roster import Army
from battlewright.core.rulebook import rulebook_version
from battlewright.editions.edition import find_edition

__all__ = ["Battle", "load_battle", "replay", "start_battle", "versions"]


class Battle(core.Battle[Any, Any]):
    """A battle of any edition; see :class:`battlewright.core.battle.Battle`."""

    @staticmethod
    def start(
        armies: tuple[Army, Army],
        edition: str = "11",
        *,
        seed: int = 0,
        mission: str | None = None,
        layout: str | None = None,
        options: Mapping[str, str] | None = None,
        dice: DiceSource | None = None,
    ) -> Battle:
        """Start a battle.

        Args:
            armies: of side a and side b.
            edition: the edition's id.
            seed: of the dice, from 0 to 2**256 - 1.
            mission: name of a mission, or what else the edition takes for one; its first one when None.
            layout: name of a layout of the mission; its first one when None.
            options: switches that differ from their defaults.
            dice: a stream in place of the seeded one.

        Raises:
            BadInput: for an unknown edition, mission, layout, option, or a seed out of bounds.
        """
        found = find_edition(edition)
        board = found.switchboard()
        chosen = dict(options or {})
        settled = board.resolve_options(chosen)
        chosen = {name: settled[name] for name in chosen}
        name, place = board.arrange(mission, layout, armies, seed)
        field = board.battlefield(place if place is not None else board.layouts(name)[0])
        for army in armies:
            if army.edition != found.id:
                raise BadInput(f'the army "{army.name}" is of edition {army.edition}', expected=f"edition {found.id}")
        sides = armies[0].for_side("a"), armies[1].for_side("b")
        header = Header(found.id, sides, name, field, chosen, seed, versions())
        return Battle(header, found.rules(), dice=dice)


def start_battle(armies: tuple[Army, Army], edition: str = "11", **settings: Any) -> Battle:
    """See :meth:`Battle.start`."""
    return Battle.start(armies, edition, **settings)


def versions() -> dict[str, str]:
    """What a saved battle rests on: the versions of the engine and of the rulebook."""
    return {"engine": battlewright.__version__, "rulebook": rulebook_version()}


def replay(
    header: Header, records: list[Recorded], *, watch: Callable[[Battle], None] | None = None, to: int | None = None
) -> Battle:
    """Play a record again, comparing every checksum.

    Args:
        watch: called before the first answer and after each.
        to: stop after so many answers.

    Raises:
        SaveError: when the record was made by another version.
        ReplayMismatch: at the first answer whose result differs.
    """
    for what, version in versions().items():
        made = header.versions.get(what)
        if made != version:
            raise SaveError(f"the battle was saved with {what} {made}", expected=f"{what} {version}")
    battle = Battle(header, find_edition(header.edition).rules())
    if watch is not None:
        watch(battle)
    for recorded in records if to is None else records[:to]:
        battle.replay([recorded])
        if watch is not None:
            watch(battle)
    return battle


def load_battle(path: Path) -> Battle:
    """Read a saved battle and play it to where it was left.

    Raises:
        SaveError: when the file cannot be read or was made by another version.
        ReplayMismatch: when an answer in it does not lead to the checksum beside it.
    """
    header, records = read_record(path)
    return replay(header, records)
