"""Whom a unit's weapons may be aimed at (04.02, 10.04 to 10.07, 17.03): the Select Targets step as a judgement.

A :class:`Targeting` belongs to one unit that makes attacks of one kind at one moment. It measures and looks once for
each enemy unit and keeps what it found, so that a declaration of many weapons asks nothing twice.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from battlewright.core.decisions import UnitId, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh.abilities.in_force import is_granted, targeted_within
from battlewright.editions.eleventh.core_abilities import is_hidden_lone_operative
from battlewright.editions.eleventh.datasheet import WeaponAbilityName, WeaponProfile
from battlewright.editions.eleventh.engagement import engaged_matrix, engaged_units
from battlewright.editions.eleventh.keywords import keywords_match, keywords_of_models
from battlewright.editions.eleventh.measuring import distances
from battlewright.editions.eleventh.scene import Scene, standing
from battlewright.editions.eleventh.state import EleventhState, Phase
from battlewright.editions.eleventh.visibility import lone_operative_reach, visible_to_models

__all__ = ["AttackKind", "Targeting", "is_big", "shoots_indirectly", "unit_keywords"]


class AttackKind(StrEnum):
    """How a unit makes its attacks: the shooting types of chapter 10, or fighting."""

    NORMAL = "normal"
    ASSAULT = "assault"
    CLOSE_QUARTERS = "close-quarters"
    INDIRECT = "indirect"
    SNAP = "snap"
    FIGHT = "fight"

    @property
    def melee(self) -> bool:
        """Whether melee weapons are used."""
        return self is AttackKind.FIGHT


def is_big(scene: Scene, row: int) -> bool:
    """Whether the model itself is a MONSTER or a VEHICLE."""
    return keywords_match("MONSTER/VEHICLE", scene.models[row].profile.keywords)


@rule("11e.core.01.08-destroyed-keywords", "11e.core.19.03-keywords")
def unit_keywords(scene: Scene, state: EleventhState, unit: int) -> frozenset[str]:
    """The keywords of the unit: those of its models that live (01.08)."""
    return keywords_of_models(
        scene.models[row].profile.keywords for row in state.units[unit].models if state.wounds[row] > 0
    )


@rule("11e.core.10.07-indirect", "11e.24.37.01-torrent-exclusions.no-indirect-no-precision")
def shoots_indirectly(profile: WeaponProfile, kind: AttackKind) -> bool:
    """Whether the weapon makes an indirect attack: in indirect shooting, with INDIRECT FIRE, which TORRENT excludes."""
    return (
        kind is AttackKind.INDIRECT
        and profile.has(WeaponAbilityName.INDIRECT_FIRE)
        and not profile.has(WeaponAbilityName.TORRENT)
    )


class Targeting:
    """What each model of a unit can aim at, for attacks of one kind, as the state stands.

    Args:
        snap_target: the unit that snap shooting is meant for; that which was picked when None.

    Attributes:
        rows: the models that can attack, in the order of the list.
        foes: the enemy units on the battlefield, in the order of the list.
    """

    def __init__(
        self, scene: Scene, state: EleventhState, unit: int, kind: AttackKind, snap_target: int | None = None
    ) -> None:
        self.scene, self.state, self.unit, self.kind = scene, state, unit, kind
        self.side = state.units[unit].side
        self.rows = tuple(standing(state, unit))
        self.foes = self._foes(snap_target)
        self._place = {row: place for place, row in enumerate(self.rows)}
        self._reach: dict[int, NDArray[np.float64]] = {}
        self._seen: dict[int, NDArray[np.bool_]] = {}
        self._contact: dict[int, NDArray[np.bool_]] = {}

    # -- facts ------------------------------------------------------------------------------------------------------

    @rule("11e.core.15.09-snap-shooting")
    def _foes(self, snap_target: int | None) -> tuple[int, ...]:
        """The enemy units on the battlefield; in snap shooting the one that was picked (15.09)."""
        foes = tuple(
            int(foe.index) for foe in self.scene.units if foe.side != self.side and standing(self.state, foe.index)
        )
        if self.kind is AttackKind.SNAP:
            picked = self.state.units[self.unit].snap_target if snap_target is None else snap_target
            return tuple(foe for foe in foes if foe == picked)
        return foes

    @cached_property
    def engaged_with(self) -> frozenset[int]:
        """The enemy units that the attacking unit is engaged with."""
        return engaged_units(self.scene, self.state, self.unit)

    @cached_property
    def engaged_foes(self) -> frozenset[int]:
        """The enemy units that are engaged with any unit of the attacker's side."""
        return frozenset(foe for foe in self.foes if engaged_units(self.scene, self.state, foe))

    @cached_property
    def is_own_shooting_phase(self) -> bool:
        """Whether it is the Shooting phase of the attacker's own turn."""
        return self.state.phase == Phase.SHOOTING and self.state.turn == self.side

    def reach(self, row: int, foe: int) -> float:
        """Inches from a model to the closest model of an enemy unit."""
        if foe not in self._reach:
            self._reach[foe] = distances(self.scene, self.state, self.rows, standing(self.state, foe)).min(axis=1)
        return float(self._reach[foe][self._place[row]])

    def sees(self, row: int, foe: int) -> bool:
        """Whether some model of an enemy unit is visible to a model (06.01)."""
        if foe not in self._seen:
            self._seen[foe] = visible_to_models(self.scene, self.state, self.unit, foe)
        return bool(self._seen[foe][self._place[row]])

    def is_engaged(self, row: int, foe: int) -> bool:
        """Whether a model itself is engaged with an enemy unit (03.04)."""
        if foe not in self._contact:
            foes = standing(self.state, foe)
            near = engaged_matrix(self.scene, self.state, list(self.rows), foes)
            self._contact[foe] = np.asarray(near.any(axis=1), np.bool_)
        return bool(self._contact[foe][self._place[row]])

    def is_big_unit(self, foe: int) -> bool:
        """Whether an enemy unit is a MONSTER or VEHICLE unit."""
        return keywords_match("MONSTER/VEHICLE", unit_keywords(self.scene, self.state, foe))

    # -- judgements -------------------------------------------------------------------------------------------------

    def faults(self, row: int, profile: WeaponProfile, foe: int) -> list[Violation]:
        """Every rule by which a model's weapon cannot be aimed at an enemy unit; an empty list allows it."""
        found = self._hunter_faults(profile, foe)
        if self.kind.melee:
            return found + self._melee_faults(row, profile, foe)
        return found + self._ranged_faults(row, profile, foe) + self._engagement_faults(row, profile, foe)

    def eligible(self, row: int, profile: WeaponProfile) -> tuple[int, ...]:
        """The enemy units that a model's weapon may be aimed at, in the order of the list."""
        if profile.melee is not self.kind.melee or self.weapon_faults(row, profile):
            return ()
        limit = profile.range
        near = [foe for foe in self.foes if limit is None or within(self.reach(row, foe), limit)]
        return tuple(foe for foe in near if not self.faults(row, profile, foe))

    @rule("11e.core.10.05-assault", "11e.core.10.06-other-models")
    def weapon_faults(self, row: int, profile: WeaponProfile) -> list[Violation]:
        """Every rule of the kind of attack by which the model may not use the weapon at all."""
        if self.kind is AttackKind.ASSAULT and not self._has(row, profile, WeaponAbilityName.ASSAULT):
            return [Violation("11e.core.10.05-assault", f"{profile.full_name} is no ASSAULT weapon")]
        is_small_in_close = self.kind is AttackKind.CLOSE_QUARTERS and not is_big(self.scene, row)
        if is_small_in_close and not profile.has(WeaponAbilityName.CLOSE_QUARTERS):
            return [Violation("11e.core.10.06-other-models", f"{profile.full_name} is no CLOSE-QUARTERS weapon")]
        return []

    def _has(self, row: int, profile: WeaponProfile, name: WeaponAbilityName) -> bool:
        """Whether the weapon has the ability, by its profile or by another rule."""
        return profile.has(name) or is_granted(self.scene, self.state, row, profile, name)

    @rule("11e.core.04.01-hunter")
    def _hunter_faults(self, profile: WeaponProfile, foe: int) -> list[Violation]:
        for hunter in profile.instances(WeaponAbilityName.HUNTER):
            if not keywords_match("/".join(sorted(hunter.gate)), unit_keywords(self.scene, self.state, foe)):
                text = f"{profile.full_name} can be used only against {'/'.join(sorted(hunter.gate))}"
                return [Violation("11e.core.04.01-hunter", f"{text}, not against {self._name(foe)}")]
        return []

    @rule("11e.core.04.02-melee-targets", "11e.core.23.04-melee")
    def _melee_faults(self, row: int, profile: WeaponProfile, foe: int) -> list[Violation]:
        """Only units that the model is engaged with (04.02); AIRCRAFT and those without FLY do not fight (23.04)."""
        model, words = self.scene.models[row], unit_keywords(self.scene, self.state, foe)
        if "AIRCRAFT" in words and not model.has("FLY"):
            return [Violation("11e.core.23.04-melee", f"model {row} cannot FLY and {self._name(foe)} is AIRCRAFT")]
        if model.has("AIRCRAFT") and "FLY" not in words:
            return [Violation("11e.core.23.04-melee", f"model {row} is AIRCRAFT and {self._name(foe)} cannot FLY")]
        if self.is_engaged(row, foe):
            return []
        return [Violation("11e.core.04.02-melee-targets", f"model {row} is not engaged with {self._name(foe)}")]

    @rule(
        "11e.core.04.02-ranged-targets",
        "11e.core.10.07-indirect",
        "11e.24.24-lone-operative.no-indirect",
        "11e.24.24-lone-operative.x-form-indirect",
    )
    def _ranged_faults(self, row: int, profile: WeaponProfile, foe: int) -> list[Violation]:
        """In range and visible (04.02); an indirect attack need not see, but Lone Operative keeps its distance."""
        found = []
        reach = self.reach(row, foe)
        if profile.range is not None and not within(reach, profile.range):
            text = f'{self._name(foe)} is {reach:.2f}" from model {row}, the range of {profile.full_name} is'
            found.append(Violation("11e.core.04.02-ranged-targets", f'{text} {profile.range:g}"'))
        near = targeted_within(self.scene, self.state, foe)
        if near is not None and not within(reach, near):
            text = f'{self._name(foe)} can be aimed at within {near:g}" alone, model {row} is {reach:.2f}" away'
            found.append(Violation("11e.core.15.01-protection-range", text))
        if shoots_indirectly(profile, self.kind):
            limit = lone_operative_reach(self.scene, self.state, foe)
            if limit is not None and is_hidden_lone_operative(limit, reach):
                text = f'{self._name(foe)} is a Lone Operative {reach:.2f}" from model {row}, more than {limit:g}"'
                found.append(Violation("11e.24.24-lone-operative.no-indirect", text))
        elif not self.sees(row, foe):
            text = f"{self._name(foe)} is not visible to model {row}"
            found.append(Violation("11e.core.04.02-ranged-targets", text))
        return found

    @rule(
        "11e.core.04.02-ranged-targets",
        "11e.core.10.06-close-quarters",
        "11e.core.10.06-blast",
        "11e.core.10.06-other-models",
        "11e.core.17.03-shooting-at-engaged",
        "11e.core.17.03-no-blast",
    )
    def _engagement_faults(self, row: int, profile: WeaponProfile, foe: int) -> list[Violation]:
        """Only unengaged units (04.02), but in close-quarters shooting those that the unit is engaged with (10.06), and
        in the own Shooting phase engaged MONSTERS and VEHICLES (17.03); BLAST at neither."""
        if self.kind is AttackKind.CLOSE_QUARTERS and foe in self.engaged_with:
            return self._blast_faults(row, profile, foe, "11e.core.10.06-blast")
        if self.kind is AttackKind.CLOSE_QUARTERS and not is_big(self.scene, row):
            text = f"model {row} shoots only at units that its unit is engaged with, not at {self._name(foe)}"
            return [Violation("11e.core.10.06-other-models", text)]
        if foe not in self.engaged_foes:
            return []
        if not (self.is_own_shooting_phase and self.is_big_unit(foe)):
            return [Violation("11e.core.04.02-ranged-targets", f"{self._name(foe)} is engaged")]
        return self._blast_faults(row, profile, foe, "11e.core.17.03-no-blast")

    def _blast_faults(self, row: int, profile: WeaponProfile, foe: int, rule_id: str) -> list[Violation]:
        if not self._has(row, profile, WeaponAbilityName.BLAST):
            return []
        return [Violation(rule_id, f"{profile.full_name} has BLAST and {self._name(foe)} is engaged")]

    def _name(self, foe: int) -> str:
        return self.scene.units[UnitId(foe)].name
