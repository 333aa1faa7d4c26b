"""Pools of identical attacks (04.03): what each use of a weapon is like, and which uses are rolled together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.description import AttackDice, Volley, amount
from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.eleventh.abilities.in_force import attack_context, profile_in_force
from battlewright.editions.eleventh.attack import AttackContext, attack_key, compile_volley
from battlewright.editions.eleventh.circumstances import close_quarters_penalties
from battlewright.editions.eleventh.core_abilities import is_damaged
from battlewright.editions.eleventh.datasheet import WeaponAbility, WeaponAbilityName, WeaponProfile
from battlewright.editions.eleventh.scene import Scene, can_be_hurt, standing
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.target import TargetModel, TargetView, toughness_against
from battlewright.editions.eleventh.targeting import AttackKind, Targeting, is_big, shoots_indirectly
from battlewright.editions.eleventh.visibility import behind_smoke, is_unit_visible, models_in_cover, plunging_models
from battlewright.editions.eleventh.weapon_abilities import heavy_applies, within_half_range

__all__ = ["Circumstances", "Pool", "Use", "pools_of", "remained_stationary", "target_view", "volley_of"]


@dataclass(frozen=True, slots=True)
class Use:
    """One use of one weapon at one target, as of the Select Targets step.

    Attributes:
        row: the model.
        weapon: its place among the model's weapons.
        divided: attacks declared for this target where a melee weapon's attacks are divided, else None.
        target: the target unit.
    """

    row: int
    weapon: int
    profile: WeaponProfile
    divided: int | None
    target: int
    context: AttackContext


@dataclass(frozen=True, slots=True)
class Pool:
    """Uses whose attacks are identical, in the order in which they were declared."""

    uses: tuple[Use, ...]

    @property
    def target(self) -> int:
        """The unit that all of them are aimed at."""
        return self.uses[0].target

    @property
    def name(self) -> str:
        """The names of the weapons."""
        return " + ".join(dict.fromkeys(use.profile.full_name for use in self.uses))


class Circumstances:
    """What bears upon the attacks of one unit, worked out once for each target in the Select Targets step.

    RULING: 11e.core.13.08-per-attacker cover is judged in the Select Targets step: who is destroyed by the same unit's
    attacks stays on the table until all of them are resolved (01.08), so that nothing is uncovered meanwhile.
    """

    def __init__(self, targeting: Targeting) -> None:
        self._targeting = targeting
        self._scene, self._state, self._unit = targeting.scene, targeting.state, targeting.unit
        self._cover: dict[int, NDArray[np.bool_]] = {}
        self._plunging: dict[int, NDArray[np.bool_]] = {}
        self._spotted: dict[int, bool] = {}
        self._toughness: dict[int, int] = {}

    @rule("11e.core.24-additional-attacks", "11e.core.04-out-of-phase")
    def context(
        self,
        row: int,
        profile: WeaponProfile,
        target: int,
        *,
        single_target: bool = True,
        chosen: tuple[WeaponAbility, ...] = (),
    ) -> AttackContext:
        """The circumstances of one model's attacks with one weapon on one target."""
        state, model = self._state, self._scene.models[row]
        melee, place = profile.melee, self._targeting.rows.index(row)
        indirect = not melee and shoots_indirectly(profile, self._targeting.kind)
        plain = AttackContext(
            half_range=not melee and within_half_range(self._targeting.reach(row, target), profile.range),
            cover=not melee and self._has_cover(place, target),
            plunging=not melee and not indirect and self._plunges(place, target),
            heavy=not melee and self._is_steady,
            charged=state.units[self._unit].charged,
            indirect=indirect,
            snap=self._targeting.kind is AttackKind.SNAP,
            torrent_rolls=self._scene.options["torrent_in_snap_shooting"] == "sixes",
            spotted=indirect and self._is_spotted(target),
            damaged=is_damaged(model.profile, int(state.wounds[row])),
            target_models=len(standing(state, target)),
            single_target=single_target,
            hit_modifiers=() if melee else self._penalties(row, profile, target),
            granted=self._granted(row) if melee else (),
            chosen=chosen,
        )
        return attack_context(
            plain,
            self._scene,
            state,
            row,
            profile,
            target,
            lambda: self._toughness_of(target),
            lambda: self._closest(row, profile, target),
        )

    @rule("11e.ds-abilities.example-rerolls")
    def _closest(self, row: int, profile: WeaponProfile, target: int) -> float | None:
        """Inches to the target where no other eligible target of the model's weapon is closer, else None."""
        reach = {foe: self._targeting.reach(row, foe) for foe in self._targeting.eligible(row, profile)}
        own = reach.get(target)
        return own if own is not None and own <= min(reach.values()) + TOLERANCE else None

    def _toughness_of(self, target: int) -> int:
        if target not in self._toughness:
            self._toughness[target] = toughness_against(target_view(self._scene, self._state, target))
        return self._toughness[target]

    @rule("11e.core.15.03-epic-challenge")
    def _granted(self, row: int) -> tuple[WeaponAbility, ...]:
        """Abilities that rules give to the melee weapons of a model: PRECISION in an Epic Challenge (15.03)."""
        is_challenger = row == self._state.units[self._unit].challenger
        return (WeaponAbility(WeaponAbilityName.PRECISION),) if is_challenger else ()

    @property
    def _is_steady(self) -> bool:
        """Whether the conditions of HEAVY are met."""
        unit = self._state.units[self._unit]
        return heavy_applies(
            own_shooting_phase=self._targeting.is_own_shooting_phase,
            engaged=bool(self._targeting.engaged_with),
            set_up_this_turn=unit.set_up_this_turn,
            moved=(unit.moved_distance / 1000,),
        )

    def _penalties(self, row: int, profile: WeaponProfile, target: int) -> tuple[Modifier, ...]:
        return close_quarters_penalties(
            profile,
            close_quarters_shooting=self._targeting.kind is AttackKind.CLOSE_QUARTERS,
            shooter_is_monster_or_vehicle=is_big(self._scene, row),
            engaged_with_target=target in self._targeting.engaged_with,
            target_is_engaged_monster_or_vehicle=target in self._targeting.engaged_foes
            and self._targeting.is_big_unit(target),
        )

    def _has_cover(self, place: int, target: int) -> bool:
        if target not in self._cover:
            covered = models_in_cover(self._scene, self._state, self._unit, target)
            self._cover[target] = covered | behind_smoke(self._scene, self._state, self._unit, target)
        return bool(self._cover[target][place])

    def _plunges(self, place: int, target: int) -> bool:
        if target not in self._plunging:
            self._plunging[target] = plunging_models(self._scene, self._state, self._unit, target)
        return bool(self._plunging[target][place])

    @rule("11e.core.10.07-indirect-penalties")
    def _is_spotted(self, target: int) -> bool:
        """Whether the unit remained stationary this turn and some friendly unit sees the target (10.07)."""
        if target not in self._spotted:
            self._spotted[target] = remained_stationary(self._state, self._unit) and any(
                is_unit_visible(self._scene, self._state, friend.index, target)
                for friend in self._scene.units_of(self._state.units[self._unit].side)
                if standing(self._state, friend.index)
            )
        return self._spotted[target]


def remained_stationary(state: EleventhState, unit: int) -> bool:
    """Whether the unit made no move and was not set up this turn."""
    mine = state.units[unit]
    return not mine.has_moved and not mine.set_up_this_turn


def target_view(scene: Scene, state: EleventhState, unit: int) -> TargetView:
    """The unit's living models as an attack sees them; the ``id`` of each is its row."""
    info = scene.units[unit]
    points = info.roster.points / max(1, len(info.rows))
    return TargetView(
        tuple(
            TargetModel(
                profile_in_force(scene, state, row),
                int(state.wounds[row]),
                bodyguard=scene.models[row].role == "unit",
                id=row,
                points=points,
            )
            for row in can_be_hurt(state, unit)
        ),
        attached=info.is_attached,
    )


@rule("11e.core.04.03-identical-attacks", "11e.core.04.03-cover-splits-pools")
def pools_of(uses: Sequence[Use], view: TargetView) -> list[Pool]:
    """The uses that are aimed at one target gathered into pools of identical attacks, in order of appearance."""
    keys: dict[tuple[WeaponProfile, AttackContext], Hashable] = {}
    pools: dict[Hashable, list[Use]] = {}
    for use in uses:
        alike = (use.profile, use.context)
        if alike not in keys:
            keys[alike] = attack_key(use.profile, use.context, view)
        pools.setdefault(keys[alike], []).append(use)
    return [Pool(tuple(some)) for some in pools.values()]


def volley_of(pool: Pool, view: TargetView) -> Volley:
    """The pool written down as one volley against the target as it stands; divided attacks count as declared."""
    counts = Counter((use.profile, use.context, use.divided) for use in pool.uses)
    volleys = [
        (compile_volley(profile, count, context, view), count, divided)
        for (profile, context, divided), count in counts.items()
    ]
    dice: tuple[AttackDice, ...] = ()
    for volley, count, divided in volleys:
        dice += volley.dice if divided is None else (AttackDice(count, amount(divided)),)
    return replace(volleys[0][0], name=pool.name, dice=dice)
