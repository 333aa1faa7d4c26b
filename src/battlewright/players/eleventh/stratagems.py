"""When a stratagem is worth its command points, and on whom it is used.

Values are points of an army, as those of plans and estimates. A command point comes in every Command phase and is lost
with the battle, so that a modest gain is worth one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil

from battlewright.core.decisions import Decision, Option
from battlewright.editions.eleventh.circumstances import AttackContext
from battlewright.editions.eleventh.command import best_leadership
from battlewright.editions.eleventh.core_stratagems import FRAY, explosives_targets, intervention_targets
from battlewright.editions.eleventh.engagement import engaged_units
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.objectives import ranges_of
from battlewright.editions.eleventh.scene import Scene, living, standing
from battlewright.editions.eleventh.shooting import SNAP_RANGE, foes_nearby
from battlewright.editions.eleventh.state import EleventhState
from battlewright.players.eleventh.estimates import Estimates
from battlewright.players.eleventh.plans import REACHES, Plans

__all__ = ["StratagemSense"]

_PER_CP = 8.0
"""Points that a use has to gain for each CP that it costs."""
_OBJECTIVE = 25.0
"""What it is worth that a unit on an objective is not battle-shocked."""
_COVER = 0.25
"""The share of what is shot at a unit that cover keeps off it, roughly."""
_NEAREST = 3
"""Enemy units that are looked at."""
_SHARE = 0.1
"""The share of a unit's points that a stratagem for its attacks, or its defence, is worth, roughly."""
_SPARE_CP = 2
"""CP from which one may go on a re-roll that gains little."""
_LEAST_HOPE = 0.4
"""The chance of a charge's second roll from which it is made."""
_PRECIOUS = 40
"""Points of a model for which a failed save is worth a re-roll."""


class StratagemSense:
    """What the units of one scene could gain by stratagems."""

    def __init__(self, scene: Scene, estimates: Estimates, plans: Plans) -> None:
        self.scene, self.estimates, self.plans = scene, estimates, plans

    # -- what is used -----------------------------------------------------------------------------------------------

    def best_use(self, state: EleventhState, options: Sequence[Option]) -> str | None:
        """Of the offered uses the one that gains most beyond its cost; None where none pays."""
        best, found = 0.0, None
        for option in options:
            name, unit, mode = self._read(option.key)
            if name == "ability":
                return option.key  # it costs nothing, and what would be saved may never be of use
            value = StratagemSense._of_detachment if name.startswith("detachment-") else self._VALUES.get(name)
            if value is None or unit is None:
                continue
            cost = 2 if name == "counteroffensive" or mode == FRAY else 1
            gain = value(self, state, unit, mode) - _PER_CP * cost
            if gain > best:
                best, found = gain, option.key
        return found

    def _read(self, key: str) -> tuple[str, int | None, str]:
        """The stratagem, unit and mode that an option's key names; no unit where it names none."""
        name, _, rest = key.partition(":")
        unit, _, mode = rest.partition(":")
        return name, self.scene.by_id.get(unit), mode

    # -- what each gains --------------------------------------------------------------------------------------------

    def _of_detachment(self, state: EleventhState, unit: int, mode: str) -> float:
        """A share of the unit: what is done for its attacks, or against those at it, is worth most on the dearest."""
        return _SHARE * self.scene.units[unit].roster.points

    def _bravery(self, state: EleventhState, unit: int, mode: str) -> float:
        """The chance to fail the roll, times what is lost by it."""
        leadership = best_leadership(self.scene, state, unit)
        fails = 1.0 - REACHES.get(leadership, 0.0)
        return fails * _OBJECTIVE * 2 if self._is_on_objective(state, unit) else 0.0

    def _is_on_objective(self, state: EleventhState, unit: int) -> bool:
        return bool(standing(state, unit)) and bool(ranges_of(self.scene, state, unit).any())

    def _overwatch(self, state: EleventhState, unit: int, mode: str) -> float:
        foes = foes_nearby(self.scene, state, unit)[:_NEAREST]
        return max((self.snap(state, unit, foe) for foe in foes), default=0.0)

    def snap(self, state: EleventhState, unit: int, foe: int) -> float:
        """Points that snap shooting at the enemy unit removes on average."""
        distance = unit_distance(self.scene, state, unit, foe)
        if distance > SNAP_RANGE:
            return 0.0
        view, context = self.estimates.target(state, foe), AttackContext(snap=True)
        return sum(
            self.estimates.worth(weapon, count, context, view).points
            for weapon, count in self.estimates.ranged_weapons(state, unit).items()
            if weapon.range is not None and weapon.range >= distance
        )

    def _smoke(self, state: EleventhState, unit: int, mode: str) -> float:
        """What the enemies in reach would shoot at it, as far as cover keeps it off."""
        incoming = 0.0
        for foe in self.plans.enemies(state, state.units[unit].side):
            distance = unit_distance(self.scene, state, unit, foe)
            incoming += self.estimates.shooting(state, foe, unit, distance).points
        return _COVER * min(incoming, float(self.scene.units[unit].roster.points))

    def _explosives(self, state: EleventhState, unit: int, mode: str) -> float:
        targets = explosives_targets(self.scene, state, unit)
        return max((self.mortal_wounds(state, target, 3.0) for target in targets), default=0.0)

    def mortal_wounds(self, state: EleventhState, unit: int, wounds: float) -> float:
        """Points that so many mortal wounds on the unit stand for."""
        info = self.scene.units[unit]
        whole = sum(self.scene.models[row].profile.wounds for row in info.rows)
        left = sum(int(state.wounds[row]) for row in living(state, unit))
        return info.roster.points * min(wounds, left) / max(1, whole)

    def _impact(self, state: EleventhState, unit: int, mode: str) -> float:
        toughness = max((self.scene.models[row].profile.toughness for row in standing(state, unit)), default=0)
        foes = engaged_units(self.scene, state, unit)
        gain = max((self.mortal_wounds(state, foe, min(6.0, toughness / 3)) for foe in foes), default=0.0)
        return gain - self.mortal_wounds(state, unit, toughness / 6)

    def _intervention(self, state: EleventhState, unit: int, mode: str) -> float:
        """The best of the charges that the mode allows, weighed by the chance of the roll."""
        best = 0.0
        for foe in intervention_targets(self.scene, state, unit, mode):
            need = max(2, ceil(unit_distance(self.scene, state, unit, foe) - 1e-3))
            best = max(best, REACHES.get(need, 0.0) * self.plans.clash(state, unit, foe))
        return best

    def _ingress(self, state: EleventhState, unit: int, mode: str) -> float:
        """What the unit is worth at an objective before its own turn, when control of it is scored."""
        return self.plans.arrival_worth(state, unit)

    def _counteroffensive(self, state: EleventhState, unit: int, mode: str) -> float:
        """What it would strike for, as far as it would be lost to those who have still to fight."""
        foes = [foe for foe in engaged_units(self.scene, state, unit) if not state.units[foe].selected_to_fight]
        incoming = sum(self.estimates.melee(state, foe, unit, charged=state.units[foe].charged).points for foe in foes)
        share = min(1.0, incoming / max(1, self.scene.units[unit].roster.points))
        return share * self.plans.melee_worth(state, unit)

    def _challenge(self, state: EleventhState, unit: int, mode: str) -> float:
        """Where an enemy CHARACTER stands among bodyguards, a good part of what the own CHARACTER strikes for."""
        hidden = [
            foe
            for foe in engaged_units(self.scene, state, unit)
            if len({self.scene.models[row].profile.is_character for row in standing(state, foe)}) == 2
        ]
        own = [row for row in standing(state, unit) if self.scene.models[row].profile.is_character]
        share = len(own) / max(1, len(standing(state, unit)))
        return max((share * self.estimates.melee(state, unit, foe).points for foe in hidden), default=0.0)

    _VALUES: Mapping[str, Callable[[StratagemSense, EleventhState, int, str], float]] = {
        "insane-bravery": _bravery,
        "fire-overwatch": _overwatch,
        "smokescreen": _smoke,
        "explosives": _explosives,
        "crushing-impact": _impact,
        "heroic-intervention": _intervention,
        "rapid-ingress": _ingress,
        "counteroffensive": _counteroffensive,
        "epic-challenge": _challenge,
    }

    # -- on whom ----------------------------------------------------------------------------------------------------

    def target(self, state: EleventhState, decision: Decision) -> str:
        """The unit to aim at among those offered: where most points are removed."""
        unit = decision.subject
        assert unit is not None

        def worth(option: Option) -> float:
            if decision.kind == "select-snap-target":
                return self.snap(state, unit, option.value)
            return self.mortal_wounds(state, option.value, 3.0)

        return max(decision.options(), key=worth).key

    def strongest_model(self, decision: Decision) -> str:
        """The model to crush with: that of the highest T."""
        return max(decision.options(), key=lambda option: self.scene.models[option.value].profile.toughness).key

    # -- Command Re-roll --------------------------------------------------------------------------------------------

    def re_roll(self, state: EleventhState, decision: Decision) -> str:
        """Which die is thrown again, or "none"."""
        unit, first = decision.subject, decision.options()[0].key
        assert unit is not None
        kind = decision.kind.removeprefix("command-re-roll-")
        shown = int(first.partition(":")[2])
        spare = state.cp[state.units[unit].side] >= _SPARE_CP
        wanted = False
        if kind == "charge":
            wanted = self._is_short(state, unit, shown)
        elif kind == "hazard":
            wanted = shown <= 2 and spare
        elif kind == "save":
            points = self.scene.units[unit].roster.points / max(1, len(self.scene.units[unit].rows))
            wanted = spare and points >= _PRECIOUS
        elif kind in ("damage", "attacks"):
            wanted = spare and shown == 1
        elif kind in ("hit", "wound"):
            wanted = spare and len(standing(state, unit)) <= 3
        return first if wanted else "none"

    def _is_short(self, state: EleventhState, unit: int, total: int) -> bool:
        """Whether a charge roll reaches no enemy worth charging although a second one well might."""
        needs = [
            max(2, ceil(unit_distance(self.scene, state, unit, foe) - 1e-3))
            for foe in self.plans.enemies(state, state.units[unit].side)
            if unit_distance(self.scene, state, unit, foe) <= 12.0 and self.plans.clash(state, unit, foe) > 0
        ]
        if not needs or min(needs) <= total:
            return False
        return REACHES.get(min(needs), 0.0) >= _LEAST_HOPE
