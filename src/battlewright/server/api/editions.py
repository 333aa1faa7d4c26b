"""``/api/editions``: what may be played: missions, layouts, the sheet of options, bundled armies; one layout drawn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path

from battlewright.armies import load_army, sample_armies
from battlewright.armies.dataset import DATA_EDITION
from battlewright.core.errors import BadInput
from battlewright.editions.agreement import agreement_text, switch_rows
from battlewright.editions.edition import EDITIONS, find_edition
from battlewright.players import best_player
from battlewright.server.api.refusals import REFUSALS, Unknown
from battlewright.server.forms import BundledArmy, EditionInfo, LayoutInfo, MissionInfo, MissionWord, SwitchInfo

__all__ = ["router"]

router = APIRouter(prefix="/api/editions", tags=["editions"], responses=REFUSALS)

EditionId = Annotated[str, Path(max_length=4)]


@router.get("")
def editions() -> list[EditionInfo]:
    """Every edition that is built, the newest first."""
    return [_told(edition) for edition in reversed(list(EDITIONS)) if EDITIONS[edition].parts]


@router.get("/{edition}/layouts/{layout}")
def layout(edition: EditionId, layout: Annotated[str, Path(max_length=120)]) -> Mapping[str, Any]:
    """A layout's battlefield: its JSON form, in inches."""
    board = find_edition(edition).switchboard()
    if layout not in {name for mission in board.missions() for name in board.layouts(mission)}:
        raise Unknown(f'there is no layout "{layout}"', expected="the name of a layout of that edition")
    return board.battlefield(layout)


@router.post("/{edition}/agreement")
def agreement(edition: EditionId, options: dict[str, str]) -> dict[str, str]:
    """The sheet of options as a file that ``battlewright battle --agreed`` takes."""
    found = find_edition(edition)
    if len(options) > 200:
        raise BadInput("so many options are no sheet", expected="200 at most")
    found.switchboard().resolve_options(options)
    return {"name": f"agreement-{found.id}.yaml", "text": agreement_text(found.id, options)}


@cache
def _told(edition: str) -> EditionInfo:
    found = EDITIONS[edition]
    board = found.switchboard()
    return EditionInfo(
        id=found.id,
        title=found.title,
        missions=[
            MissionInfo(name=name, title=board.title_of(name), layouts=[_layout(each) for each in board.layouts(name)])
            for name in board.missions()
        ],
        options=[SwitchInfo(**row) for row in switch_rows(edition)],
        armies=[_bundled(name) for name in sample_armies(edition)],
        player=best_player(edition),
        mission_words=[MissionWord(name=name, text=text) for name, text in board.mission_words().items()],
        datasheets=edition == DATA_EDITION,
    )


def _layout(name: str) -> LayoutInfo:
    return LayoutInfo(name=name, title=_titled(name))


def _bundled(name: str) -> BundledArmy:
    army = load_army(sample_armies()[name])
    return BundledArmy(
        name=name,
        title=army.name or army.faction,
        faction=army.faction,
        points=army.points,
        units=len(army.units),
        models=sum(len(unit.models) for unit in army.units),
    )


def _titled(name: str) -> str:
    """A name as a person would write it: ``"death-trap"`` is ``"Death trap"``."""
    words = name.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]
