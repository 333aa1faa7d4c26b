"""What a seat may ask about a battle of the 11th edition as it stands: sight, distance, the odds of a declaration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.description import Volley
from battlewright.core.decisions import Declare
from battlewright.core.errors import BadInput
from battlewright.editions.eleventh.declaring import DeclareSpace
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.pools import Circumstances, Use, pools_of, target_view, volley_of
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState, Phase
from battlewright.editions.eleventh.visibility import lines_between, models_in_cover, visible_matrix

__all__ = ["EleventhInquiries"]


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
        return bool(np.asarray(models_in_cover(scene, state, unit, target)).all())

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
