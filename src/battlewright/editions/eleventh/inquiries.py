"""What a seat may ask about a battle of the 11th edition as it stands: sight, distance, the odds of a declaration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.description import Volley
from battlewright.core.decisions import SIDES, Answer, Decision, Declare, Side, Violation
from battlewright.core.errors import BadInput
from battlewright.editions.edition import Arrival, Standing
from battlewright.editions.eleventh.cards.secondary import SECONDARIES
from battlewright.editions.eleventh.charge import foresee_charge
from battlewright.editions.eleventh.core_abilities import is_damaged
from battlewright.editions.eleventh.declaring import DeclareSpace
from battlewright.editions.eleventh.engagement import ENGAGEMENT_RANGE, engaged_units
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.pools import Circumstances, Use, pools_of, target_view, volley_of
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState, Phase
from battlewright.editions.eleventh.targeting import is_big, unit_keywords
from battlewright.editions.eleventh.visibility import (
    behind_smoke,
    lines_between,
    models_in_cover,
    plunging_models,
    visible_matrix,
)
from battlewright.editions.eleventh.weapon_abilities import heavy_applies
from battlewright.editions.eleventh.whereabouts import zone_name

__all__ = ["EleventhInquiries"]

_BEFORE_CHARGES = (Phase.COMMAND, Phase.MOVEMENT, Phase.SHOOTING)


class EleventhInquiries:
    """See :class:`~battlewright.editions.edition.Inquiries`."""

    sight_rule = "11e.core.06.01-visible"

    def may_measure(self, scene: Scene, state: EleventhState, unit: int) -> bool:
        """Everything may be measured at any time (01.04)."""
        return True

    def phases(self, scene: Scene) -> Sequence[str]:
        """The five phases of a turn."""
        return tuple(str(phase) for phase in Phase if phase not in (Phase.SETUP, Phase.END_OF_TURN))

    def distance(self, scene: Scene, state: EleventhState, unit: int, target: int) -> float:
        """Inches between the closest models of two units; infinite when one of them is not there."""
        return unit_distance(scene, state, unit, target)

    def sees(
        self, scene: Scene, state: EleventhState, unit: int, target: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], NDArray[np.bool_]]:
        """Rows that look, rows that are looked at, and which of these (n, m) are visible."""
        lines = lines_between(scene, state, unit, target)
        return lines.observers, lines.targets, visible_matrix(scene, state, unit, target)

    def has_cover(self, scene: Scene, state: EleventhState, unit: int, target: int) -> bool | None:
        """Whether the target has the benefit of cover against every model that looks."""
        if not standing(state, unit) or not standing(state, target):
            return None
        covered = models_in_cover(scene, state, unit, target) | behind_smoke(scene, state, unit, target)
        return bool(np.asarray(covered).all())

    def is_close(self, scene: Scene, state: EleventhState, side: Side) -> bool:
        """In the Fight phase, and in one's own Charge phase: in the opponent's one can only shoot."""
        return state.phase == Phase.FIGHT or (state.phase == Phase.CHARGE and side == state.turn)

    def circumstances(
        self, scene: Scene, state: EleventhState, unit: int, target: int, *, close: bool
    ) -> Mapping[str, Any]:
        """Whether the unit charges; when shooting whether HEAVY helps it as it stands (in its own turn), whether the
        target has cover from all of it, whether all of it shoots from above, whether all of it is damaged, and whether
        MONSTERS or VEHICLES shoot out of a combat or are shot at in one."""
        mine, rows = state.units[unit], standing(state, unit)
        damaged = bool(rows) and all(is_damaged(scene.models[row].profile, int(state.wounds[row])) for row in rows)
        if close:
            return {"charged": mine.charged or state.phase == Phase.CHARGE, "damaged": damaged}
        there = bool(rows) and bool(standing(state, target))
        engaged = bool(engaged_units(scene, state, unit))
        steady = heavy_applies(
            own_shooting_phase=mine.side == state.turn and state.phase in _BEFORE_CHARGES,
            engaged=engaged,
            set_up_this_turn=mine.set_up_this_turn,
            moved=(mine.moved_distance / 1000,),
        )
        hampered = (engaged and all(is_big(scene, row) for row in rows)) or (
            bool(engaged_units(scene, state, target))
            and keywords_match("MONSTER/VEHICLE", unit_keywords(scene, state, target))
        )
        return {
            "stationary": steady,
            "cover": bool(self.has_cover(scene, state, unit, target)),
            "plunging": there and bool(np.asarray(plunging_models(scene, state, unit, target)).all()),
            "damaged": damaged,
            "close_quarters": hampered,
        }

    def warnings(self, scene: Scene, state: EleventhState, decision: Decision, answer: Answer) -> Sequence[Violation]:
        """None: no terrain of the 11th edition asks for dice."""
        return ()

    def arrival(self, scene: Scene, state: EleventhState, unit: int, target: int) -> Arrival | None:
        """The charge roll against the distance, in the Charge phase before it is made."""
        mine = state.units[unit]
        if state.phase != Phase.CHARGE or mine.declared_charge or engaged_units(scene, state, unit):
            return None
        return foresee_charge(scene, state, unit, target)

    def engagement(self, scene: Scene) -> float | None:
        """The engagement range (03.04)."""
        return ENGAGEMENT_RANGE

    def standing(self, scene: Scene, state: EleventhState) -> Standing:
        """Command points, active secondary missions, and whose end of the table is whose once that is settled."""
        settled = state.phase != Phase.SETUP or state.step > 1
        return Standing(
            zones={zone_name(state, side): side for side in SIDES} if settled else {},
            counters=(("command points", state.cp),),
            cards=tuple(
                (side, SECONDARIES[key].name, SECONDARIES[key].rule)
                for side in SIDES
                for key in state.book.active[side]
            ),
        )

    def declared(self, battle: Battle11, answer: Declare) -> Mapping[int, tuple[Volley, ...]]:
        """The volleys of a declaration at the present decision, by target unit, as they would be resolved.

        Raises:
            BadInput: when no attacks are to be declared, or these may not be.
        """
        space = battle.decision.choices if battle.decision is not None else None
        if not isinstance(space, DeclareSpace):
            raise BadInput("no attacks are to be declared now")
        if violations := space.check(answer):
            raise BadInput(str(violations[0]))
        circumstances = Circumstances(space.targeting)
        aimed = Counter((attack.model, attack.weapon) for attack in answer.attacks)
        uses: dict[int, list[Use]] = {}
        for attack in answer.attacks:
            profile, target = space.profile_of(attack), int(battle.scene.by_id[attack.target])
            single = aimed[attack.model, attack.weapon] == 1
            context = circumstances.context(attack.model, profile, target, single_target=single)
            use = Use(attack.model, attack.weapon, profile, None if single else attack.count, target, context)
            uses.setdefault(target, []).append(use)
        found = {}
        for target, some in uses.items():
            view = target_view(battle.scene, battle.state, target)
            found[target] = tuple(volley_of(pool, view) for pool in pools_of(some, view))
        return found
