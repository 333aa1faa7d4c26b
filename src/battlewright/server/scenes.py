"""The scene of a battle as the table shows it: armies, bases, weapons, what is enforced, and the battlefield."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from battlewright.core.bases import MM_PER_INCH, Base
from battlewright.core.battle import Battle
from battlewright.core.header import Header
from battlewright.core.roster import Army, Model, Role, Unit
from battlewright.editions.edition import Edition, find_edition
from battlewright.report.narrate import Names
from battlewright.server.messages import (
    ArmyCard,
    BaseShape,
    ModelCard,
    ProfileCard,
    Scene,
    Switch,
    UnitCard,
    WeaponCard,
)

__all__ = ["make_scene"]


def make_scene(header: Header, battle: Battle[Any, Any] | None = None) -> Scene:
    """What never changes during a battle, the seed left out.

    Args:
        battle: the battle itself where it goes on; without it the phases of a turn are not told.
    """
    edition, names = find_edition(header.edition), Names.of_armies(header.armies)
    phases, may_measure = _manners(edition, battle) if battle is not None else ([], True)
    engagement = edition.inquiries().engagement(battle.scene) if battle is not None else None
    first, second = (_army(army, names.sides[side]) for side, army in enumerate(header.armies))
    return Scene(
        edition=edition.id,
        edition_title=edition.title,
        mission=header.mission,
        mission_title=edition.switchboard().title_of(header.mission),
        battlefield=dict(header.battlefield),
        armies=(first, second),
        units=list(_units(header, edition, names, () if battle is None else battle.scene.units)),
        models=list(_models(header)),
        options=list(_options(header, edition)),
        may_measure=may_measure,
        phases=phases,
        engagement=engagement,
    )


def _manners(edition: Edition, battle: Battle[Any, Any]) -> tuple[list[str], bool]:
    """The phases of a turn, and whether every unit's player may measure before he declares."""
    inquiries, scene = edition.inquiries(), battle.scene
    may_measure = all(inquiries.may_measure(scene, battle.state, unit) for unit in range(len(scene.units)))
    return list(inquiries.phases(scene)), may_measure


def _army(army: Army, side_name: str) -> ArmyCard:
    return ArmyCard(
        name=army.name,
        side_name=side_name,
        faction=army.faction,
        detachments=list(army.detachments),
        points=army.points,
    )


def _units(header: Header, edition: Edition, names: Names, known: Sequence[Any]) -> Iterator[UnitCard]:
    """The units of the lists, and after them those that the battle knows besides: models that may be left behind."""
    board, row, index = edition.switchboard(), 0, 0
    cards: list[UnitCard] = []
    for side, army in enumerate(header.armies):
        for unit in army.units:
            applied = board.enforcement(unit)
            card = UnitCard(
                id=unit.id,
                index=index,
                side=1 if side else 0,
                name=names.unit(unit.id),
                models=list(range(row, row + len(unit.models))),
                points=unit.points,
                enforced=list(applied.enforced),
                not_enforced=list(dict.fromkeys((*unit.not_enforced, *applied.not_enforced))),
            )
            cards.append(card)
            row, index = row + len(unit.models), index + 1
    yield from cards
    for info in known[len(cards) :]:
        whole = next(card for card in cards if info.rows[0] in card.models)
        told = {"id": info.id, "index": int(info.index), "name": names.unit(info.id), "models": list(info.rows)}
        yield whole.model_copy(update={**told, "points": info.roster.points, "part_of": whole.id})


def _models(header: Header) -> Iterator[ModelCard]:
    row = 0
    for army in header.armies:
        for unit, model in army.models():
            yield _model(row, unit, model)
            row += 1


def _model(row: int, unit: Unit, model: Model) -> ModelCard:
    return ModelCard(
        row=row,
        unit=unit.id,
        name=model.name,
        base=_base(Base.parse(model.base)),
        height=model.height,
        characteristics=dict(model.characteristics),
        keywords=list(model.keywords),
        weapons=[
            WeaponCard(
                name=weapon.name,
                profiles=[
                    ProfileCard(
                        name=profile.name,
                        melee=profile.melee,
                        characteristics=dict(profile.characteristics),
                        abilities=list(profile.abilities),
                    )
                    for profile in weapon.profiles
                ],
            )
            for weapon in model.weapons
        ],
        abilities=[ability.name for ability in model.abilities],
        character=unit.components[model.component].role is not Role.UNIT or "CHARACTER" in model.keywords,
    )


def _base(base: Base) -> BaseShape:
    return BaseShape(
        text=str(base),
        kind=base.kind.value,
        length=round(base.length * MM_PER_INCH, 3),
        width=round(base.width * MM_PER_INCH, 3),
        outline=[(round(x * MM_PER_INCH, 3), round(y * MM_PER_INCH, 3)) for x, y in base.outline],
        flying=base.flying,
    )


def _options(header: Header, edition: Edition) -> Iterator[Switch]:
    for switch in edition.switchboard().options():
        yield Switch(
            name=switch.name,
            value=header.options.get(switch.name, switch.values[0]),
            default=switch.values[0],
            text=switch.text,
            rule=switch.rule,
        )
