"""Blows of the 6th edition: who crashes in with a charge, who takes wounds, and who steps in for him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.attacks.choices import save_tables
from battlewright.attacks.description import Packet
from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.artillery import is_gun
from battlewright.editions.classic.procedures.blades import BARE
from battlewright.editions.classic.procedures.fray import Round
from battlewright.editions.classic.procedures.melee import Blows, carry_off, victim_of, wound
from battlewright.editions.classic.procedures.volleys import Arrived, failed_saves
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.splitting import Opponent
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.weapons import Strength, WeaponProfile
from battlewright.editions.sixth.allocating import look_out_sir, look_out_sir_on
from battlewright.editions.sixth.chariots import CHARIOT, hammer_blows
from battlewright.editions.sixth.movement import keeps_packs

__all__ = ["allocate_blows", "crash", "crashes_in", "crashing"]

_HAMMER = "6e.chariot-special.hammer-of-wrath"
_OUTRIGHT = 10


# -- crashing in ------------------------------------------------------------------------------------------------


@rule("6e.core.assault.hammer-of-wrath", "6e.core.special-rules.hammer-of-wrath", "6e.outside.hammer-of-wrath")
def crashes_in(profile: ModelProfile, *, charged: bool, in_contact: bool) -> bool:
    """Whether a model makes a Hammer of Wrath hit: a monstrous creature or jump troops that have charged, in contact.

    RULING: 6e.core.assault.hammer-of-wrath jump troops keep their packs for the charge unless they moved with them.
    """
    return charged and in_contact and (profile.kind in (Kind.MONSTROUS, Kind.JUMP) or profile.has("HAMMER OF WRATH"))


@rule("6e.core.assault.hammer-of-wrath", "6e.outside.hammer-of-wrath", "6e.chariot-special.hammer-of-wrath")
def crashing(scene: Scene, state: ClassicState, fought: Round) -> tuple[int, ...]:
    """The models of a round that crash in at Initiative 10, if they touch somebody then."""
    found = []
    for unit in fought.units:
        mine = state.units[unit]
        for row in standing(state, unit) if mine.charged else ():
            profile = scene.models[row].profile
            kept = keeps_packs(mine) or profile.kind is Kind.MONSTROUS
            if CHARIOT in profile.keywords or crashes_in(profile, charged=kept, in_contact=True):
                found.append(row)
    return tuple(row for row in found if row in fought.opponents)


@rule("6e.core.assault.hammer-of-wrath", "6e.chariot-special.hammer-of-wrath", "6e.outside.hammer-of-wrath")
def crash(battle: ClassicBattle, row: int) -> tuple[WeaponProfile, int]:
    """What a model crashes in with: one blow at its own Strength without AP, of a chariot a D6 of them at 6."""
    profile, count = battle.scene.models[row].profile, 1
    strength = profile.strength
    if CHARIOT in profile.keywords:
        info = battle.scene.units[battle.scene.unit_of(row).index]
        roll = battle.roll(1, 6, "hammer-of-wrath")
        count, strength = hammer_blows(profile.keywords, battle.rolled(roll, info.side, _HAMMER, unit=info.id).total)
    return replace(BARE, name="hammer of wrath", strength=Strength(strength)), count


# -- wounds -----------------------------------------------------------------------------------------------------


@rule("6e.core.assault.allocation", "6e.core.assault.challengers", "6e.outside.precision-strike")
def allocate_blows(battle: ClassicBattle, fought: Round, waiting: Sequence[tuple[Blows, Arrived]]) -> Procedure[None]:
    """The wounding hits of one step: each goes to a model in contact first and is saved by whoever takes it."""
    fell: list[int] = []
    for blows, arrived in waiting:
        for _, packet, count in arrived:
            yield from _allocate(battle, fought, blows, packet, count, fell)
    carry_off(battle, fell)


@rule("6e.core.assault.allocation", "6e.core.shooting.look-out-sir", "6e.core.shooting.equal-saves")
def _allocate(
    battle: ClassicBattle, fought: Round, blows: Blows, packet: Packet, count: int, fell: list[int]
) -> Procedure[None]:
    """Wounds of one sort: saved all at once where saves are equal and nobody can be covered for, else one at a time.

    RULING: 6e.core.assault.challengers nobody steps in for one of two who fight a challenge.
    """
    scene, state, groups = battle.scene, battle.state, _groups(battle, blows)
    tables = save_tables(blows.batch.volley, packet)
    precise, outright = packet.name.startswith("precise"), packet.damage.values[0] >= _OUTRIGHT
    alive = [row for row in groups if state.wounds[row]]
    duel = {row for pair in state.challenges for row in pair}
    covered = [row for row in alive if row not in duel and look_out_sir_on(scene.models[row].profile) is not None]
    alike = len({tables[groups[row]].stops for row in alive}) <= 1 if tables else True
    at_once = alike and not precise and not (covered and len(standing(state, blows.owner)) > 1)
    if at_once and alive:
        batch = blows.batch
        count = yield from failed_saves(battle, blows.unit, blows.owner, batch, packet, groups[alive[0]], count)
    for _ in range(count):
        row = yield from victim_of(battle, blows, _living(battle, fought), precise=precise)
        if row is None:
            break
        if not at_once:
            other = row if row in duel else (yield from look_out_sir(battle, blows.owner, row))
            group, row = groups.get(other, groups.get(row, 0)), other
            if not (yield from failed_saves(battle, blows.unit, blows.owner, blows.batch, packet, group, 1)):
                continue
        if (yield from wound(battle, fought, blows, row, outright=outright)):
            fell.append(row)


def _groups(battle: ClassicBattle, blows: Blows) -> dict[int, int]:
    """The group, alike in saves and wounds, that each model belongs to that is struck."""
    alike = battle.scene.rules.attack.groups(blows.view)
    return {blows.view.models[index].id: number for number, group in enumerate(alike) for index in group.models}


def _living(battle: ClassicBattle, fought: Round) -> list[Opponent]:
    """The models of the round that live, guns apart."""
    models, state = battle.scene.models, battle.state
    return [
        each for each in fought.opponents.values() if state.wounds[each.row] and not is_gun(models[each.row].profile)
    ]
