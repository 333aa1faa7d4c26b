"""The core stratagems (15.02 to 15.12): on which units each can be used, and what it does.

They are named here, since the app and the first print number two of them the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, UnitId, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh import charge, damage, fight, shooting
from battlewright.editions.eleventh.abilities.in_force import profile_in_force
from battlewright.editions.eleventh.command_re_roll import COMMAND_RE_ROLL
from battlewright.editions.eleventh.engagement import engaged_matrix, engaged_units, is_engaged
from battlewright.editions.eleventh.keywords import keywords_match, matching_models
from battlewright.editions.eleventh.measuring import distances, unit_distance
from battlewright.editions.eleventh.reserves import ingress, ingress_space, is_aircraft, may_ingress
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.stratagems import Mode, Stratagem, Use, Whose
from battlewright.editions.eleventh.targeting import unit_keywords
from battlewright.editions.eleventh.triggers import Occasion, while_moving
from battlewright.editions.eleventh.visibility import visible_to_models

__all__ = ["CORE_STRATAGEMS", "DICE_OF_EXPLOSIVES", "FRAY", "LEAP", "MOST_OF_IMPACT"]

LEAP: Final = "leap-to-defend"
FRAY: Final = "into-the-fray"

DICE_OF_EXPLOSIVES = 6
_EXPLOSIVES_RANGE = 8.0
MOST_OF_IMPACT = 6
"""Mortal wounds that a Crushing Impact inflicts on each of the two units at the most."""
_INTERVENTION_RANGE = 12.0
_FRAY_RANGE = 6


def _own(scene: Scene, state: EleventhState, side: Side) -> list[int]:
    """The side's units on the battlefield."""
    return [int(unit.index) for unit in scene.units_of(side) if standing(state, unit.index)]


def _enemies_within(scene: Scene, state: EleventhState, unit: int, limit: float) -> list[int]:
    enemy = opponent(Side(state.units[unit].side))
    return [foe for foe in _own(scene, state, enemy) if within(unit_distance(scene, state, unit, foe), limit)]


def _pick(battle: Battle11, used: Use, kind: str, prompt: str, options: Sequence[Option]) -> Procedure[int]:
    """One of the options by the stratagem's player; a single one needs no question."""
    rule_id, info = used.stratagem.rule, battle.scene.units[UnitId(used.unit)]
    if len(options) == 1:
        only: int = options[0].value
        return only
    choices = Options(options, rule=rule_id, default=options[0].key)
    picked: int = yield from choose(
        Decision(used.side, kind, f"{used.stratagem.name}: {prompt}", rule_id, choices, subject=info.index)
    )
    return picked


def _units(scene: Scene, units: Iterable[int]) -> list[Option]:
    named = [scene.units[UnitId(unit)] for unit in units]
    return [Option(each.id, each.name, int(each.index)) for each in named]


def _models(scene: Scene, rows: Iterable[int]) -> list[Option]:
    return [Option(f"model:{row}", scene.models[row].name, row) for row in rows]


# -- Insane Bravery (15.04) -------------------------------------------------------------------------------------


@rule("11e.core.15.04-insane-bravery", "11e.core.15.04-not-when-shocked")
def _about_to_roll(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> list[int]:
    """The unit about to make a battle-shock roll, if it is not battle-shocked already."""
    mine = state.units[subject]
    return [subject] if mine.side == side and not mine.battle_shocked else []


@rule("11e.core.15.04-insane-bravery")
def _stand_firm(battle: Battle11, used: Use) -> Procedure[None]:
    battle.state.units[used.unit].stands_firm = True
    yield from ()


# -- Rapid Ingress (15.07) --------------------------------------------------------------------------------------


@rule("11e.core.15.07-rapid-ingress")
def _arriving(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> Iterator[int]:
    """Own units in reserves that may arrive in this round, are no AIRCRAFT and find room."""
    for unit in scene.units_of(side):
        if may_ingress(state, unit.index) and not is_aircraft(scene, state, unit.index):
            space = ingress_space(scene, state, unit.index)
            if space.default().moves:
                yield int(unit.index)


@rule("11e.core.15.07-rapid-ingress")
def _arrive(battle: Battle11, used: Use) -> Procedure[None]:
    yield from while_moving(battle, used.unit, ingress(battle, used.unit))


# -- Fire Overwatch and snap shooting (15.08, 15.09) ----------------------------------------------------------------


@rule("11e.core.15.08-fire-overwatch")
def _overwatching(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> Iterator[int]:
    """Own unengaged units that are not TITANIC and have somebody to shoot at."""
    for unit in _own(scene, state, side):
        if keywords_match("TITANIC", unit_keywords(scene, state, unit)) or is_engaged(scene, state, unit):
            continue
        if any(shooting.may_snap_shoot_at(scene, state, unit, foe) for foe in shooting.foes_nearby(scene, state, unit)):
            yield unit


@rule("11e.core.15.08-fire-overwatch")
def _overwatch(battle: Battle11, used: Use) -> Procedure[None]:
    """Pick the target, then snap shooting."""
    scene, state = battle.scene, battle.state
    foes = [
        foe
        for foe in shooting.foes_nearby(scene, state, used.unit)
        if shooting.may_snap_shoot_at(scene, state, used.unit, foe)
    ]
    target = yield from _pick(battle, used, "select-snap-target", "which target?", _units(scene, foes))
    yield from shooting.snap_shoot(battle, used.unit, target)


# -- Smokescreen (15.10) ----------------------------------------------------------------------------------------


@rule("11e.core.15.10-smokescreen")
def _smoking(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> list[int]:
    return [u for u in _own(scene, state, side) if keywords_match("SMOKE", unit_keywords(scene, state, u))]


@rule("11e.core.15.10-smokescreen")
def _smoke(battle: Battle11, used: Use) -> Procedure[None]:
    battle.state.units[used.unit].smoke = True
    yield from ()


# -- Explosives (15.05) -----------------------------------------------------------------------------------------


def _throwers(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    rows = standing(state, unit)
    words = [scene.models[row].profile.keywords for row in rows]
    return [rows[place] for place in matching_models("EXPLOSIVES/GRENADES", words, speaks_of_models=True)]


@rule("11e.core.15.05-explosives")
def explosives_targets(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """Unengaged enemy units within 8" of, and visible to, one and the same EXPLOSIVES or GRENADES model of the unit."""
    throwers, observers = _throwers(scene, state, unit), standing(state, unit)
    found = []
    for foe in _enemies_within(scene, state, unit, _EXPLOSIVES_RANGE) if throwers else ():
        if is_engaged(scene, state, foe):
            continue
        near = distances(scene, state, throwers, standing(state, foe)).min(axis=1)
        sees = visible_to_models(scene, state, unit, foe)
        if any(
            within(float(gap), _EXPLOSIVES_RANGE) and sees[observers.index(row)]
            for row, gap in zip(throwers, near, strict=True)
        ):
            found.append(foe)
    return found


@rule("11e.core.15.05-explosives")
def _with_explosives(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> Iterator[int]:
    """Own unengaged units with such a model, eligible to shoot, that did not advance and have a target."""
    for unit in _own(scene, state, side):
        if not _throwers(scene, state, unit) or state.units[unit].advanced:
            continue
        if is_engaged(scene, state, unit) or not shooting.is_eligible_to_shoot(scene, state, unit):
            continue
        if explosives_targets(scene, state, unit):
            yield unit


@rule("11e.core.15.05-explosives")
def _throw_explosives(battle: Battle11, used: Use) -> Procedure[None]:
    """6D6, each 4+ a mortal wound on the picked unit."""
    targets = explosives_targets(battle.scene, battle.state, used.unit)
    target = yield from _pick(battle, used, "select-explosives-target", "which target?", _units(battle.scene, targets))
    rule_id = used.stratagem.rule
    roll = battle.roll(DICE_OF_EXPLOSIVES, 6, "explosives")
    battle.rolled(roll, used.side, rule_id, unit=battle.scene.units[UnitId(used.unit)].id, needed=4)
    wounds = sum(face >= 4 for face in roll.unmodified)
    yield from damage.mortal_wounds(battle, target, wounds, "explosives", rule_id)
    yield from damage.resolve_destroyed(battle, used.unit)


# -- Crushing Impact (15.06) ------------------------------------------------------------------------------------


@rule("11e.core.15.06-crushing-impact")
def _crushing(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> list[int]:
    """The own MONSTER or VEHICLE unit that has ended a charge move in its Charge phase."""
    mine = state.units[subject]
    if mine.side != side or not keywords_match("MONSTER/VEHICLE", unit_keywords(scene, state, subject)):
        return []
    return [subject] if engaged_units(scene, state, subject) else []


@rule("11e.core.15.06-crushing-impact")
def crushing_models(scene: Scene, state: EleventhState, unit: int, foe: int) -> list[int]:
    """Models of the unit that are engaged with the enemy unit, one for each T."""
    rows = standing(state, unit)
    near = np.asarray(engaged_matrix(scene, state, rows, standing(state, foe)).any(axis=1), np.bool_)
    by_toughness: dict[int, int] = {}
    for row, is_near in zip(rows, near, strict=True):
        if is_near:
            by_toughness.setdefault(profile_in_force(scene, state, row).toughness, row)
    return list(by_toughness.values())


@rule("11e.core.15.06-crushing-impact")
def _crush(battle: Battle11, used: Use) -> Procedure[None]:
    """D6 equal to the T of an own model engaged with the enemy unit: each 1 hurts the own unit, each 5+ the enemy.

    RULING: 11e.core.15.06-crushing-impact we read it as inflicting the enemy's wounds first; models that either
    destroys leave the battlefield after both.
    """
    scene, state, rule_id = battle.scene, battle.state, used.stratagem.rule
    foes = sorted(engaged_units(scene, state, used.unit))
    foe = yield from _pick(battle, used, "select-crushed-unit", "which enemy unit?", _units(scene, foes))
    rows = crushing_models(scene, state, used.unit, foe)
    row = yield from _pick(battle, used, "select-crushing-model", "with which model?", _models(scene, rows))
    roll = battle.roll(profile_in_force(scene, state, row).toughness, 6, "crushing-impact")
    battle.rolled(roll, used.side, rule_id, unit=scene.units[UnitId(used.unit)].id, needed=5)
    for unit, wounds in (
        (foe, sum(face >= 5 for face in roll.unmodified)),
        (used.unit, sum(face == 1 for face in roll.unmodified)),
    ):
        yield from damage.mortal_wounds(battle, unit, min(MOST_OF_IMPACT, wounds), "crushing-impact", rule_id)
    yield from damage.resolve_destroyed(battle, used.unit)


# -- Heroic Intervention (15.11) --------------------------------------------------------------------------------


@rule("11e.core.15.11-heroic-intervention", "11e.core.15.11-leap-to-defend", "11e.core.15.11-into-the-fray")
def _intervening(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> Iterator[int]:
    """Own unengaged units within 12" of an enemy that have somebody to charge in that mode; of VEHICLES only CHARACTERS
    and WALKERS.

    RULING: 11e.core.15.11-heroic-intervention we read "resolves a charge" as asking that the unit be eligible to
    declare one, so that nothing that bars charges is got round.
    """
    for unit in _own(scene, state, side):
        words = unit_keywords(scene, state, unit)
        if keywords_match("VEHICLE", words) and not keywords_match("CHARACTER/WALKER", words):
            continue
        if intervention_targets(scene, state, unit, mode) and charge.may_declare_charge(scene, state, unit):
            yield unit


@rule("11e.core.15.11-leap-to-defend", "11e.core.15.11-into-the-fray")
def intervention_targets(scene: Scene, state: EleventhState, unit: int, mode: str) -> list[int]:
    """The enemy units that the mode allows as targets, before the charge roll; as for any charge AIRCRAFT only for a
    unit that can FLY (11.04, 23.03)."""
    if mode == FRAY:
        return charge.charge_targets(scene, state, unit, _FRAY_RANGE)
    near = charge.charge_targets(scene, state, unit, _INTERVENTION_RANGE)
    return [foe for foe in near if state.units[foe].charged]


@rule("11e.core.15.11-heroic-intervention")
def _intervene(battle: Battle11, used: Use) -> Procedure[None]:
    """A charge of the unit with the limits of the mode."""
    allowed = frozenset(intervention_targets(battle.scene, battle.state, used.unit, used.mode.id))
    most = _FRAY_RANGE if used.mode.id == FRAY else None
    move = charge.charge(battle, used.unit, charge.ChargeLimits(allowed, most))
    yield from while_moving(battle, used.unit, move)


# -- Epic Challenge and Counteroffensive (15.03, 15.12) -------------------------------------------------------------


@rule("11e.core.15.03-epic-challenge")
def _challenging(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> list[int]:
    """The own CHARACTER unit that has been selected to fight."""
    return [subject] if state.units[subject].side == side and _characters(scene, state, subject) else []


def _characters(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    return [row for row in standing(state, unit) if scene.models[row].profile.is_character]


@rule("11e.core.15.03-epic-challenge")
def _challenge(battle: Battle11, used: Use) -> Procedure[None]:
    """The melee weapons of one of its CHARACTERS get PRECISION until the end of the phase."""
    rows = _characters(battle.scene, battle.state, used.unit)
    row = yield from _pick(battle, used, "select-challenger", "which CHARACTER?", _models(battle.scene, rows))
    battle.state.units[used.unit].challenger = row


@rule("11e.core.15.12-counteroffensive")
def _striking_back(scene: Scene, state: EleventhState, side: Side, subject: int, mode: str) -> list[int]:
    """After an enemy unit's attacks the own units that are eligible to fight."""
    if state.units[subject].side == side:
        return []
    return [unit for unit in _own(scene, state, side) if fight.is_eligible_to_fight(scene, state, unit)]


@rule("11e.core.15.12-counteroffensive")
def _strike_back(battle: Battle11, used: Use) -> Procedure[None]:
    """The unit has Fights First until the end of the phase and is the next that its player selects."""
    state = battle.state
    state.units[used.unit].fights_first = True
    following = list(state.next_to_fight)
    following[used.side] = used.unit
    state.next_to_fight = (following[0], following[1])
    yield from ()


# -- all of them ------------------------------------------------------------------------------------------------

CORE_STRATAGEMS: tuple[Stratagem, ...] = (
    COMMAND_RE_ROLL,
    Stratagem(
        "epic-challenge",
        "Epic Challenge",
        "11e.core.15.03-epic-challenge",
        1,
        Occasion.SELECTED_TO_FIGHT,
        Whose.ANY,
        _challenging,
        _challenge,
    ),
    Stratagem(
        "insane-bravery",
        "Insane Bravery",
        "11e.core.15.04-insane-bravery",
        1,
        Occasion.BATTLE_SHOCK_ROLL,
        Whose.OWN,
        _about_to_roll,
        _stand_firm,
        is_once_in_battle=True,
    ),
    Stratagem(
        "explosives",
        "Explosives",
        "11e.core.15.05-explosives",
        1,
        Occasion.SHOOTING,
        Whose.OWN,
        _with_explosives,
        _throw_explosives,
    ),
    Stratagem(
        "crushing-impact",
        "Crushing Impact",
        "11e.core.15.06-crushing-impact",
        1,
        Occasion.CHARGE_MOVE_ENDS,
        Whose.OWN,
        _crushing,
        _crush,
    ),
    Stratagem(
        "rapid-ingress",
        "Rapid Ingress",
        "11e.core.15.07-rapid-ingress",
        1,
        Occasion.MOVEMENT_ENDS,
        Whose.OPPONENTS,
        _arriving,
        _arrive,
    ),
    Stratagem(
        "fire-overwatch",
        "Fire Overwatch",
        "11e.core.15.08-fire-overwatch",
        1,
        Occasion.MOVEMENT_ENDS,
        Whose.OPPONENTS,
        _overwatching,
        _overwatch,
    ),
    Stratagem(
        "smokescreen",
        "Smokescreen",
        "11e.core.15.10-smokescreen",
        1,
        Occasion.SHOOTING_BEGINS,
        Whose.OPPONENTS,
        _smoking,
        _smoke,
    ),
    Stratagem(
        "heroic-intervention",
        "Heroic Intervention",
        "11e.core.15.11-heroic-intervention",
        1,
        Occasion.CHARGES_END,
        Whose.OPPONENTS,
        _intervening,
        _intervene,
        modes=(Mode(LEAP, "Leap to Defend"), Mode(FRAY, "Into the Fray", 1)),
    ),
    Stratagem(
        "counteroffensive",
        "Counteroffensive",
        "11e.core.15.12-counteroffensive",
        2,
        Occasion.HAS_FOUGHT,
        Whose.OPPONENTS,
        _striking_back,
        _strike_back,
    ),
)
"""Those of the core rules, in the order of their numbers in the app but for Command Re-roll, which has no window."""
