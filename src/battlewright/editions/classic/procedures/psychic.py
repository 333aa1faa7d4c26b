"""Psychic powers as they are used: chosen, tested for, undone by a hood, and what perils do to the psyker."""

from __future__ import annotations

import math
from collections.abc import Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.charts import wound_on
from battlewright.editions.classic.events import PowerUndone, PowerUsed
from battlewright.editions.classic.procedures.arming import Shot
from battlewright.editions.classic.procedures.board import gaps, pose_of
from battlewright.editions.classic.procedures.harm import lose_wounds
from battlewright.editions.classic.procedures.nerve import names_of
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.procedures.troop_hits import hits_on_troops
from battlewright.editions.classic.procedures.volleys import clear_away, suffer
from battlewright.editions.classic.psychic import (
    Moment,
    Power,
    PowerKind,
    beam_strengths,
    is_nullified,
    picks_model,
    strikes,
    why_no_power,
)
from battlewright.editions.classic.scene import ClassicBattle, Scene, own_unit, present_unit, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.target import kills_outright
from battlewright.editions.classic.weapons import AbilityName

__all__ = ["force", "hood_nullifies", "manifest", "psychic_shots", "use_powers"]

_TEST, _PERILS, _HOOD = (
    "3e.core.characters.psychic-test",
    "3e.core.characters.perils",
    "3e.core.characters.hood",
)
_HOODED = "PSYCHIC HOOD"


def _deed(row: int, power: str) -> str:
    return f"used a power: {row} {power}"


def powers_used(state: ClassicState, scene: Scene, row: int) -> list[str]:
    """The powers that a psyker has tried this turn."""
    start = _deed(row, "")
    deeds = state.units[own_unit(scene, state, row)].deeds
    return sorted(deed.removeprefix(start) for deed in deeds if deed.startswith(start))


@rule("3e.core.characters.psychic-test")
def why_not_now(scene: Scene, state: ClassicState, row: int, power: str, charge: int = 1) -> list[tuple[str, str]]:
    """Why a model may not use a power now: rule and clause for each reason.

    Args:
        charge: what the power costs.
    """
    names, rules = names_of(scene, state, row), scene.rules.characters
    used = powers_used(state, scene, row)
    found = why_no_power(
        names,
        sum(rules.powers[each].charge if each in rules.powers else 1 for each in used) + charge - 1,
        each_turn=rules.powers_each_turn(names),
        locked_out=state.units[present_unit(scene, state, row)].falling_back or not state.on_table[row],
    )
    if power in used:
        found.append((_TEST, f"has tried {power.title()} this turn"))
    return found


# -- the test ---------------------------------------------------------------------------------------------------


@rule("3e.core.characters.psychic-test", "3e.core.characters.perils", "4e.psychic.psychic-test")
@rule("4e.perils.power-works-on-two", "4e.psychic.failed-test")
def manifest(battle: ClassicBattle, row: int, power: str, on: int | None = None) -> Procedure[bool]:
    """Whether a power that a psyker tries to use works; see :func:`_attempt`."""
    _, works = yield from _attempt(battle, row, power, on)
    return works


@rule("3e.core.characters.psychic-test", "3e.core.characters.perils", "4e.psychic.psychic-test")
@rule("6e.core.characters.psychic-test", "6e.core.characters.warp-charges")
def _attempt(battle: ClassicBattle, row: int, power: str, on: int | None) -> Procedure[tuple[int, bool]]:
    """A psyker tries to use a power: the test, what perils do to him, and whether the enemy undoes it.

    Args:
        on: the unit that it is used on, None for none.

    Returns:
        The total of the test, and whether the power works; it does on a 2 even when the psyker is killed by it.
    """
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.characters
    model = scene.models[row]
    state.units[model.unit].did(_deed(row, power))
    faces = battle.roll(2, 6, "psychic-test").faces
    test = rules.psychic_test(faces, model.profile.leadership)
    battle.happened(
        PowerUsed(
            unit=scene.units[present_unit(scene, state, row)].id,
            model=row,
            power=power.title(),
            on=scene.units[on].id if on is not None else "",
            faces=faces,
            needed=model.profile.leadership,
            works=test.works,
            perils=test.perils,
            rules=(_TEST,),
        )
    )
    undone = test.works and (yield from rules.is_denied(battle, row, on))
    if undone:
        name = scene.units[present_unit(scene, state, row)].id
        battle.happened(PowerUndone(unit=name, model=row, power=power.title(), rules=(_TEST,)))
    if test.perils:
        _perils(battle, row)
    return sum(faces), test.works and not undone


@rule("3e.core.characters.perils", "4e.perils.hit", "6e.core.characters.perils")
def _perils(battle: ClassicBattle, row: int) -> None:
    """The warp strikes the psyker: a hit that no save stops, or a wound by itself where the edition has it so."""
    scene, strength = battle.scene, battle.scene.rules.characters.perils_strength
    profile = scene.models[row].profile
    outright = False
    if strength is not None:
        needed = wound_on(strength, profile.toughness)
        least = 7 if needed is None else needed
        face = battle.rolled(battle.roll(1, 6, "perils"), scene.models[row].side, _PERILS, needed=least).total
        if needed is None or face < needed:
            return
        outright = kills_outright(strength, profile.base_toughness)
    suffer(battle, row, outright, "perils of the warp", _PERILS)
    clear_away(battle, [row], aboard=True)


@rule("3e.core.characters.hood")
def hood_nullifies(battle: ClassicBattle, row: int, on: int | None) -> Procedure[bool]:
    """Whether an enemy with a psychic hood nullifies a power: his player says whether he tries, then both roll."""
    scene, state = battle.scene, battle.state
    psyker = scene.models[row]
    enemies = [
        other
        for info in scene.units_of(opponent(psyker.side))
        for other in standing(state, info.index)
        if _HOODED in names_of(scene, state, other)
    ]
    if not enemies:
        return False
    bearer = max(enemies, key=lambda other: scene.models[other].profile.leadership)
    info = scene.unit_of(bearer)
    choices = Options(
        [Option("use", "try to nullify it", True), Option("let", "let it be", False)], rule=_HOOD, default="use"
    )
    tries: bool = yield from choose(
        Decision(info.side, "use-hood", f"{info.name}: use the psychic hood?", _HOOD, choices, subject=info.index)
    )
    if not tries:
        return False
    mine = battle.rolled(battle.roll(1, 6, "psyker"), psyker.side, _HOOD).total
    theirs = battle.rolled(battle.roll(1, 6, "hood"), info.side, _HOOD).total
    return is_nullified((mine, psyker.profile.leadership), (theirs, scene.models[bearer].profile.leadership))


# -- powers that are no weapons ---------------------------------------------------------------------------------


@rule("3e.core.characters.psychic-test", "4e.psychic.other-phases", "4e.psychic.powers-per-list")
@rule("6e.core.characters.power-kinds")
def use_powers(battle: ClassicBattle, moment: Moment) -> Procedure[None]:
    """The player whose turn it is uses the powers of his psykers that are used at this moment, one after another."""
    side, passed = battle.state.turn, False
    while not passed and (ways := _ways(battle, moment)):
        scene = battle.scene
        options = [
            Option(f"{row}:{power.name}:{scene.units[unit].id}", _said(scene, row, power, unit), (row, power, unit))
            for row, power, unit in ways
        ]
        choices = Options([*options, Option("none", "no power", None)], rule=_TEST, default="none")
        picked: tuple[int, Power, int] | None = yield from choose(
            Decision(side, "use-power", "Use a psychic power?", _TEST, choices)
        )
        passed = picked is None
        if picked is not None:
            yield from _use(battle, *picked)


def _said(scene: Scene, row: int, power: Power, unit: int) -> str:
    return f"{scene.models[row].name}: {power.name.title()} on {scene.units[unit].name}"


def _ways(battle: ClassicBattle, moment: Moment) -> list[tuple[int, Power, int]]:
    """Every psyker with a power of his for this moment and a unit that it may be used on."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.characters
    found = []
    for info in scene.units_of(state.turn):
        for row in standing(state, info.index):
            given = {name for owner, name in state.units[own_unit(scene, state, row)].known if owner == row}
            names = sorted(names_of(scene, state, row) | given)
            for power in (rules.powers[name] for name in names if name in rules.powers):
                if power.moment is moment and not why_not_now(scene, state, row, power.name, power.charge):
                    found += [(row, power, unit) for unit in _targets(scene, state, row, power)]
    return found


def _targets(scene: Scene, state: ClassicState, row: int, power: Power) -> list[int]:
    side = scene.models[row].side
    wanted = side if power.kind is PowerKind.BLESSING else opponent(side)
    if power.kind in (PowerKind.NOVA, PowerKind.MAELSTROM):
        return [present_unit(scene, state, row)]
    found = []
    for info in scene.units_of(wanted):
        rows = standing(state, info.index)
        if not rows or not within(float(gaps(scene, state, [row], rows).min()), power.range):
            continue
        if power.moment is Moment.SHOOTING and not any(each in seen_by(scene, state, row) for each in rows):
            continue
        found.append(int(info.index))
    return found


def _use(battle: ClassicBattle, row: int, power: Power, unit: int) -> Procedure[None]:
    state = battle.state
    total, works = yield from _attempt(battle, row, power.name, unit)
    if not works:
        return
    if power.moment is Moment.SHOOTING:
        yield from _strike(battle, row, power, unit, total)
        return
    mine = state.units[unit]
    mine.powers = mine.powers | {(power.name, state.turns + power.lasts)}


# -- powers that strike all around, along a line, one model ----------------------------------------------------------


@rule("6e.core.characters.power-kinds", "6e.core.characters.beam", "6e.core.characters.focussed-witchfire")
def _strike(battle: ClassicBattle, row: int, power: Power, unit: int, total: int) -> Procedure[None]:
    """What a power that strikes without a weapon does.

    DEVIATION: 6e.core.characters.power-kinds it harms troops only, no vehicles.
    """
    scene, state = battle.scene, battle.state
    mine, why = present_unit(scene, state, row), power.name.lower()
    match power.kind:
        case PowerKind.BEAM:
            for foe, strength in zip(
                crossed := _crossed(scene, state, row, unit, power.range),
                beam_strengths(power.strength, len(crossed)),
                strict=False,
            ):
                if state.wounds[foe]:
                    yield from hits_on_troops(battle, mine, present_unit(scene, state, foe), [foe], 1, strength, why)
        case PowerKind.FOCUSSED:
            foe = yield from _victim(battle, row, unit, total)
            yield from hits_on_troops(battle, mine, unit, [foe], 1, power.strength, why)
        case _:
            for info in scene.units:
                friend = info.side == scene.models[row].side
                rows = [each for each in standing(state, info.index) if not scene.models[each].profile.is_vehicle]
                if info.index == mine or not rows or not strikes(power.kind, friend=friend):
                    continue
                if within(float(gaps(scene, state, [row], rows).min()), power.range):
                    dice = power.hits
                    roll = battle.rolled(battle.roll(dice.count, dice.sides, "hits"), info.side, _TEST, unit=info.id)
                    yield from hits_on_troops(battle, mine, int(info.index), rows, roll.total, power.strength, why)


@rule("6e.core.characters.beam")
def _crossed(scene: Scene, state: ClassicState, row: int, unit: int, reach: float) -> list[int]:
    """The models, friends among them, that a line from the psyker over the nearest model of a unit crosses, nearest
    first; vehicles are left out."""
    rows = standing(state, unit)
    nearest = rows[int(gaps(scene, state, [row], rows)[0].argmin())]
    start, over = pose_of(state, row), pose_of(state, nearest)
    long = max(math.hypot(over.x - start.x, over.y - start.y), 0.001)
    dx, dy = (over.x - start.x) / long, (over.y - start.y) / long
    found = []
    for other in range(len(scene.models)):
        if (
            other == row
            or not state.on_table[other]
            or not state.wounds[other]
            or scene.models[other].profile.is_vehicle
        ):
            continue
        pose = pose_of(state, other)
        along = (pose.x - start.x) * dx + (pose.y - start.y) * dy
        beside = abs((pose.x - start.x) * dy - (pose.y - start.y) * dx)
        if 0.0 < along <= reach and beside <= float(scene.reach[other]):
            found.append((along, other))
    return [other for _, other in sorted(found)]


@rule("6e.core.characters.focussed-witchfire")
def _victim(battle: ClassicBattle, row: int, unit: int, total: int) -> Procedure[int]:
    """The model that a focussed witchfire strikes: the psyker's pick on a low total, else a random one."""
    scene, rows = battle.scene, standing(battle.state, unit)
    if len(rows) == 1:
        return rows[0]
    side, rule_id = scene.models[row].side, "6e.core.characters.focussed-witchfire"
    if not picks_model(total):
        roll = battle.rolled(battle.roll(1, len(rows), "victim"), side, rule_id, unit=scene.units[unit].id)
        return rows[roll.total - 1]
    options = [Option(f"model:{each}", scene.models[each].name, each) for each in rows]
    choices = Options(options, rule=rule_id, default=options[0].key)
    picked: int = yield from choose(Decision(side, "select-victim", "Whom does the power strike?", rule_id, choices))
    return picked


# -- powers that strike -----------------------------------------------------------------------------------------


@rule("3e.core.characters.psychic-test", "4e.psychic.as-shooting", "4e.psychic.one-target")
def psychic_shots(
    battle: ClassicBattle, target: int, shots: Sequence[Shot]
) -> Procedure[tuple[list[Shot], list[Shot]]]:
    """The shots that are made, and those that come to nothing since a psyker has failed with them.

    Powers that strike are fired as weapons are: at the target of the unit, in sight and range of it.
    """
    made: list[Shot] = []
    lost: list[Shot] = []
    for shot in shots:
        row, name = shot.arm.row, shot.arm.profile.name.upper()
        works = not shot.arm.profile.has(AbilityName.PSYCHIC)
        if not works and not why_not_now(battle.scene, battle.state, row, name):
            works = yield from manifest(battle, row, name, target)
        (made if works else lost).append(shot)
    return made, lost


@rule("6e.core.characters.force-weapon", "4e.core.weapons.force-weapon")
def force(battle: ClassicBattle, bearers: Sequence[int], victim: int) -> Procedure[None]:
    """After an unsaved wound by a force weapon its bearer may use its power: the victim dies.

    Args:
        bearers: rows of those who have struck with such weapons; the first of them who can tries.
    """
    scene, state, rule_id = battle.scene, battle.state, "6e.core.characters.force-weapon"
    name = "FORCE WEAPON"
    able = [row for row in bearers if state.wounds[row] and not why_not_now(scene, state, row, name)]
    if not able:
        return
    info = scene.unit_of(able[0])
    choices = Options(
        [Option("use", "slay the victim", True), Option("keep", "keep the charge", False)], rule=rule_id, default="use"
    )
    prompt = f"{info.name}: use the force weapon?"
    uses: bool = yield from choose(
        Decision(info.side, "use-force-weapon", prompt, rule_id, choices, subject=info.index)
    )
    if not uses:
        return
    _, works = yield from _attempt(battle, able[0], name, present_unit(scene, state, victim))
    if works:
        lose_wounds(battle, victim, int(state.wounds[victim]), "force weapon", rule_id)
