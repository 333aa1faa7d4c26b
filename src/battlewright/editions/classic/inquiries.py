"""What a seat may ask about a classic battle as it stands: sight, and distance where it may be measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battlewright.attacks.description import Volley
from battlewright.core.decisions import SIDES, Answer, Decision, Declare, Place, Side, Violation
from battlewright.core.errors import BadInput
from battlewright.editions.classic.falling_back import counts_as_moved
from battlewright.editions.classic.measuring import TARGETER
from battlewright.editions.classic.procedures.accidents import foresee_accidents
from battlewright.editions.classic.procedures.board import facing_towards, gaps, pose_of, touched_units, unit_gap
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, Phase
from battlewright.editions.edition import Arrival, Standing
from battlewright.editions.placing.moves import MoveSpace

__all__ = ["ClassicInquiries"]


class ClassicInquiries:
    """See :class:`~battlewright.editions.edition.Inquiries`."""

    sight_rule = "3e.core.shooting.line-of-sight"

    def may_measure(self, scene: Scene, state: ClassicState, unit: int) -> bool:
        """As the edition's shooting has it: always, or only with a targeter."""
        return scene.rules.shooting.may_measure_first(TARGETER in traits_of(scene, state, unit))

    def phases(self, scene: Scene) -> Sequence[str]:
        """Those of the edition's player turn in which players choose."""
        apart = (Phase.START_OF_TURN, Phase.END_OF_TURN)
        return tuple(str(phase.name) for phase in scene.rules.phases if phase.name not in apart)

    def distance(self, scene: Scene, state: ClassicState, unit: int, target: int) -> float:
        """Inches between the closest models of two units."""
        return unit_gap(scene, state, unit, target)

    def sees(
        self, scene: Scene, state: ClassicState, unit: int, target: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], NDArray[np.bool_]]:
        """Rows that look, rows that are looked at, and which of these (n, m) are visible."""
        observers, targets = tuple(standing(state, unit)), tuple(standing(state, target))
        seen = np.zeros((len(observers), len(targets)), np.bool_)
        for place, row in enumerate(observers):
            found = seen_by(scene, state, row)
            seen[place] = [other in found for other in targets]
        return observers, targets, seen

    def has_cover(self, scene: Scene, state: ClassicState, unit: int, target: int) -> bool | None:
        """Cover is judged when wounds are shared out, model by model: not told beforehand."""
        return None

    def is_close(self, scene: Scene, state: ClassicState, side: Side) -> bool:
        """In the Assault phase."""
        return state.phase == Phase.ASSAULT

    def circumstances(
        self, scene: Scene, state: ClassicState, unit: int, target: int, *, close: bool
    ) -> Mapping[str, Any]:
        """Whether the unit has moved or charges, and which side of a vehicle its nearest model is at."""
        mine = state.units[unit]
        if close:
            found: dict[str, Any] = {"bare": True, "charged": mine.charged or not touched_units(scene, state, unit)}
        else:
            found = {"moved": counts_as_moved(mine)}
        rows, theirs = standing(state, unit), standing(state, target)
        hulls = [row for row in theirs if scene.models[row].profile.is_vehicle]
        if rows and hulls:
            nearest = min(rows, key=lambda row: float(gaps(scene, state, [row], hulls[:1])[0, 0]))
            pose = pose_of(state, nearest)
            found["facing"] = str(facing_towards(scene, state, hulls[0], (pose.x, pose.y)))
        return found

    def warnings(self, scene: Scene, state: ClassicState, decision: Decision, answer: Answer) -> Sequence[Violation]:
        """The dice for dangerous and difficult terrain, and mines, on the way of a move."""
        if not isinstance(answer, Place) or not isinstance(decision.choices, MoveSpace):
            return ()
        return foresee_accidents(scene, state, decision.choices, answer)

    def arrival(self, scene: Scene, state: ClassicState, unit: int, target: int) -> Arrival | None:
        """As the edition's assaults have it; None outside the Assault phase, for who fights already, and aboard."""
        if state.phase != Phase.ASSAULT or not standing(state, unit) or touched_units(scene, state, unit):
            return None
        return scene.rules.assault.foresees(scene, state, unit, target)

    def engagement(self, scene: Scene) -> float | None:
        """None: only bases in contact fight."""
        return None

    def standing(self, scene: Scene, state: ClassicState) -> Standing:
        """Whose deployment zone is whose, once that is settled."""
        return Standing(zones={name: side for side, name in zip(SIDES, state.zones, strict=True) if name})

    def declared(self, battle: ClassicBattle, answer: Declare) -> Mapping[int, tuple[Volley, ...]]:
        """No classic edition declares attacks so.

        Raises:
            BadInput: always.
        """
        raise BadInput("attacks are not declared so in this edition", expected="a unit and its target")
