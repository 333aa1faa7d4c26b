"""Attaching leaders and supports in the Muster Armies step (19.01, 24.22, 24.34), for lists that do not say it."""

from __future__ import annotations

from dataclasses import replace

from battlewright.core.errors import ArmyError
from battlewright.core.roster import Ability, Army, Component, Role, Unit
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities import read_ability
from battlewright.editions.eleventh.abilities.language import Division
from battlewright.editions.eleventh.army_list import Entry, Muster
from battlewright.editions.eleventh.core_abilities import may_attach
from battlewright.editions.eleventh.package import records

__all__ = ["attach", "bodyguards_for", "choices_of", "may_be_attached_to", "split"]

_ROLES = {"leader": Role.LEADER, "support": Role.SUPPORT}


def _role(muster: Muster, unit: Unit) -> Role:
    """What the unit could be in an attached unit; ``Role.UNIT`` for a bodyguard, or one that is attached already."""
    sheet = muster.sheet(_entry(muster, unit)) if len(unit.components) == 1 else None
    return _ROLES.get(str(sheet.get("attachment_role")), Role.UNIT) if sheet is not None else Role.UNIT


def _entry(muster: Muster, unit: Unit) -> Entry:
    return next(entry for entry in muster.entries if entry.unit is unit)


def _unit(army: Army, unit: str) -> Unit:
    for each in army.units:
        if each.id == unit:
            return each
    raise ArmyError(f'the army has no unit "{unit}"', expected=" or ".join(each.id for each in army.units))


@rule("11e.ds-composition.other-rules", "11e.24.22-leader.select-bodyguard")
def may_be_attached_to(muster: Muster, entry: Entry, guard: str) -> bool | None:
    """Whether the entry's datasheet, or its enhancement, lists a datasheet of that name among those that it may lead or
    support; None where the data package does not tell."""
    sheet, host = muster.sheet(entry), muster.sheet_named(guard)
    if sheet is None or host is None:
        return None
    listed = [each for each in records("leader_attachments") if each["leader_id"] == sheet["id"]]
    if not listed:
        return None
    allowed = {each for record in listed for each in record["eligible_bodyguard_ids"]}
    return host["id"] in allowed | set((muster.enhancement(entry) or {}).get("attachment_bodyguard_ids") or ())


@rule("11e.24.22-leader.select-bodyguard", "11e.24.34-support.limit-one-each", "11e.core.19.01-attaching")
def bodyguards_for(army: Army, unit: str) -> tuple[str, ...]:
    """The ids of the units that a leader or support may be given as its bodyguard; empty for any other unit.

    One that has joined a unit is no unit of its own any more: it leads one bodyguard at the most.
    """
    muster, joining = Muster(army), _unit(army, unit)
    role = _role(muster, joining)
    if role is Role.UNIT:
        return ()
    entry = _entry(muster, joining)
    return tuple(
        guard.id
        for guard in army.units
        if guard is not joining
        and _role(muster, guard) is Role.UNIT
        and may_attach(role, [component.role for component in guard.components[1:]])
        and may_be_attached_to(muster, entry, guard.components[0].name)
    )


@rule("11e.24.22-leader.select-bodyguard", "11e.core.19.01-attaching", "11e.ds-composition.other-rules")
def attach(army: Army, unit: str, bodyguard: str) -> Army:
    """The army with a leader or support attached to a bodyguard unit, whose id the attached unit keeps.

    Raises:
        ArmyError: when the army has no such unit, or when it may not be attached to that one.
    """
    joining, guard = _unit(army, unit), _unit(army, bodyguard)
    allowed = bodyguards_for(army, unit)
    if bodyguard not in allowed:
        raise ArmyError(
            f"{joining.name} cannot be attached to {guard.name} (11e.ds-composition.other-rules)",
            expected=" or ".join(_unit(army, each).name for each in allowed) or "no unit of this army",
        )
    place = len(guard.components)
    component: Component = replace(joining.components[0], role=_role(Muster(army), joining))
    united = replace(
        guard,
        name=f"{guard.name} + {joining.name}",
        components=(*guard.components, component),
        models=(*guard.models, *(replace(model, component=place) for model in joining.models)),
        not_enforced=tuple(dict.fromkeys((*guard.not_enforced, *joining.not_enforced))),
    )
    units = tuple(united if each is guard else each for each in army.units if each is not joining)
    return replace(army, units=units)


@rule("11e.core.01.11-splitting")
def split(army: Army, unit: str) -> Army:
    """The army with a unit split in two, as an ability of it allows, for lists of which the player has decided so.

    Both are units of their own from then on, with starting strengths of their own; neither can be split again.
    DEVIATION: 01.11 the choice is made with the list, not in the Declare Battle Formations step.

    Raises:
        ArmyError: when the army has no such unit, or when it may not be split.
    """
    whole = _unit(army, unit)
    counts = _division(whole)
    if counts is None or len(whole.components) != 1 or sum(counts) != len(whole.models):
        raise ArmyError(f"{whole.name} cannot be split (11e.core.01.11-splitting)")
    halves = []
    for number, models in enumerate((whole.models[: counts[0]], whole.models[counts[0] :])):
        kept = tuple(replace(each, abilities=tuple(a for a in each.abilities if not _divides(a))) for each in models)
        points = whole.points - whole.points // 2 if number == 0 else whole.points // 2
        component = replace(whole.components[0], points=points, warlord=whole.components[0].warlord and number == 0)
        name = unit if number == 0 else f"a.{1 + max(int(each.id.partition('.')[2]) for each in army.units)}"
        halves.append(replace(whole, id=name, components=(component,), models=kept))
    place = army.units.index(whole)
    return replace(army, units=(*army.units[:place], *halves, *army.units[place + 1 :]))


def _divides(ability: Ability) -> bool:
    clauses = read_ability(ability).clauses if ability.encoding else ()
    return any(isinstance(clause.effect, Division) for clause in clauses)


def _division(unit: Unit) -> tuple[int, int] | None:
    """The numbers of models into which an ability lets the unit be split, as equal as possible; None without any."""
    for ability in unit.abilities:
        for clause in read_ability(ability).clauses if ability.encoding else ():
            if isinstance(clause.effect, Division) and abs(clause.effect.counts[0] - clause.effect.counts[1]) <= 1:
                return clause.effect.counts
    return None


@rule("11e.24.22-leader.select-bodyguard")
def choices_of(army: Army) -> list[str]:
    """For each leader or support that the list attaches to nobody: whom it may be attached to, one sentence each."""
    found = []
    for unit in army.units:
        names = dict.fromkeys(_unit(army, each).name for each in bodyguards_for(army, unit.id))
        if names:
            found.append(f"{unit.name} is attached to nobody; it may be attached to {' or '.join(names)}")
    return found
