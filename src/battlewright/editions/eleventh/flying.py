"""Taking to the skies (21.03), Super-Heavy Walker (24.35) and surge moves (21.01)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Answer, Decision, Option, Options, Place, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.eleventh import acting, moves
from battlewright.editions.eleventh.close_moves import GAPS, CloserToGoal, CloseSpace, goal_gaps
from battlewright.editions.eleventh.conditions import Unengaged
from battlewright.editions.eleventh.contact import in_contact
from battlewright.editions.eleventh.core_abilities import mobile_walk_shocks, skies_reduction
from battlewright.editions.eleventh.engagement import ENGAGEMENT_RANGE, is_engaged
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.moves import MoveSpace, may_ever_move
from battlewright.editions.eleventh.reserves import is_aircraft, is_kept_from_moves
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind

__all__ = [
    "aloft_limits",
    "can_fly",
    "closest_enemies",
    "loss_aloft",
    "may_surge",
    "mobile_risk",
    "surge",
    "surge_space",
    "take_mobile",
    "take_to_the_skies",
    "without_aircraft",
]


# -- taking to the skies (21.03) ---------------------------------------------------------------------------------


def can_fly(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit can FLY: a living model of it has the keyword."""
    return any(scene.models[row].has("FLY") for row in living(state, unit))


@rule("11e.core.21.03-take-to-the-skies")
def take_to_the_skies(battle: Battle11, unit: int) -> Procedure[bool]:
    """Whether a unit that can FLY takes to the skies, asked before any die of its move is rolled (21.03)."""
    if not can_fly(battle.scene, battle.state, unit):
        return False
    info, rule_id = battle.scene.units[unit], "11e.core.21.03-take-to-the-skies"
    loss = loss_aloft(battle.scene, battle.state, unit)
    options = [
        Option("skies", f'take to the skies: {loss:g}" less, over models and terrain', True),
        Option("ground", "move over the ground", False),
    ]
    aloft: bool = yield from choose(
        Decision(
            info.side,
            "take-to-the-skies",
            f"Does {info.name} take to the skies?",
            rule_id,
            Options(options, rule=rule_id),
            subject=info.index,
        )
    )
    return aloft


@rule("11e.core.21.03-take-to-the-skies", "11e.24.17-hover.no-two-inch-loss")
def loss_aloft(scene: Scene, state: EleventhState, unit: int) -> float:
    """Inches that a unit's maximum distance loses by taking to the skies: 2, with Hover none."""
    return skies_reduction(scene.models[row].profile for row in standing(state, unit))


@rule("11e.core.21.03-take-to-the-skies", "11e.24.17-hover.no-two-inch-loss")
def aloft_limits(scene: Scene, state: EleventhState, unit: int, limits: Mapping[int, int]) -> dict[int, int]:
    """The distances of a move, in thousandths of an inch, of a unit that has taken to the skies."""
    loss = round(1000 * loss_aloft(scene, state, unit))
    return {row: max(0, limit - loss) for row, limit in limits.items()}


# -- Super-Heavy Walker (24.35) ----------------------------------------------------------------------------------


@rule("11e.24.35-super-heavy-walker.optional-mobile", "11e.24.35-super-heavy-walker.move-types")
def take_mobile(battle: Battle11, unit: int, kind: MoveKind) -> Procedure[bool]:
    """Whether a Super-Heavy Walker unit takes MOBILE for its normal, advance or fall-back move (24.35).

    Not asked where no dense terrain stands that it would matter for.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    space = MoveSpace(scene, state, unit, kind, rule="", limits={})
    freed = MoveSpace(scene, state, unit, kind, rule="", limits={}, mobile=True)
    if len(freed.obstacles.walls) == len(space.obstacles.walls):
        return False
    rule_id = "11e.24.35-super-heavy-walker.optional-mobile"
    options = [
        Option("mobile", "MOBILE until the move ends; battle-shocked on a 1", True),
        Option("no", "no", False),
    ]
    mobile: bool = yield from choose(
        Decision(
            info.side,
            "take-mobile",
            f"Does {info.name} take MOBILE for this move?",
            rule_id,
            Options(options, rule=rule_id),
            subject=info.index,
        )
    )
    return mobile


@rule("11e.24.35-super-heavy-walker.mobile-risk", "11e.24.35-super-heavy-walker.no-mobile-no-roll")
def mobile_risk(battle: Battle11, unit: int) -> None:
    """The D6 at the end of a move for which MOBILE was taken (24.35)."""
    info, rule_id = battle.scene.units[unit], "11e.24.35-super-heavy-walker.mobile-risk"
    roll = battle.rolled(battle.roll(1, 6, "super-heavy-walker"), info.side, rule_id, unit=info.id, needed=2)
    if mobile_walk_shocks(roll.total):
        acting.shock(battle, unit, rule_id)


# -- AIRCRAFT and the closest enemy (23.02) ----------------------------------------------------------------------


@rule("11e.core.23.02-not-the-closest")
def without_aircraft(scene: Scene, state: EleventhState, unit: int, foes: Iterable[int]) -> list[int]:
    """The enemies that a unit considers for pile-in, consolidation and surge moves: no AIRCRAFT unless it can FLY."""
    if can_fly(scene, state, unit):
        return list(foes)
    return [foe for foe in foes if not is_aircraft(scene, state, foe)]


# -- surge moves (21.01) -----------------------------------------------------------------------------------------


@rule("11e.core.21.01-surge-eligible", "11e.core.20.04-after-ingress", "11e.core.23.01-reserves")
def may_surge(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether a rule that is triggered may let the unit make a surge move (21.01): not AIRCRAFT, nor who has just
    arrived from reserves."""
    mine = state.units[unit]
    return (
        bool(standing(state, unit))
        and not mine.battle_shocked
        and not mine.moved_this_phase
        and not is_kept_from_moves(scene, state, unit)
        and not is_engaged(scene, state, unit)
        and bool(closest_enemies(scene, state, unit))
    )


@rule("11e.core.21.01-surge-move", "11e.core.23.02-not-the-closest", "11e.core.01.04-equally-close")
def closest_enemies(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """The closest enemy units, several where they are equally close."""
    side = state.units[unit].side
    foes = [int(foe.index) for foe in scene.units if foe.side != side and standing(state, foe.index)]
    reach = {foe: unit_distance(scene, state, unit, foe) for foe in without_aircraft(scene, state, unit, foes)}
    least = min(reach.values(), default=0.0)
    return [foe for foe, distance in reach.items() if distance <= least + TOLERANCE]


class SurgeSpace(CloseSpace):
    """A move towards enemies in which every model ends as close to them as possible (01.04, 21.01).

    RULING: 11e.core.01.04-as-close-as-possible we read it for the unit as a whole, against one search: a move is
    refused that engages fewer models than it, brings fewer into base contact, or leaves them further away by half an
    inch each.
    """

    gaps = (0.005, *GAPS)
    grain = 0.05

    @rule("11e.core.21.01-surge-move", "11e.core.01.04-as-close-as-possible")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the move would break; what could be done better is shown by the default."""
        found = super().check(answer)
        if found or not isinstance(answer, Place) or not answer.moves:
            return found
        engaged, touching, far = self._measure(answer)
        best_engaged, best_touching, best_far = self._best
        if engaged < best_engaged:
            text = f"{engaged} models end engaged with the target; {best_engaged} could"
            return [Violation("11e.core.21.01-surge-move", text)]
        if touching < best_touching or far > best_far + _SLACK * len(self.rows):
            text = f'{touching} models end in base contact, all of them {far:.1f}" away'
            could = f'{best_touching} and {best_far:.1f}" could be reached'
            return [Violation("11e.core.01.04-as-close-as-possible", f"{text}; {could}")]
        return []

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`."""
        return self._found

    @cached_property
    def _found(self) -> Place:
        return self.press()

    @cached_property
    def _best(self) -> tuple[int, int, float]:
        self.__dict__.setdefault("_best", (0, 0, np.inf))  # press() asks check(), which must not ask for it
        found = self._found
        return self._measure(found) if found.moves else (0, 0, np.inf)

    def _measure(self, answer: Place) -> tuple[int, int, float]:
        """Models engaged with the target, models in base contact with it, and inches to it in all."""
        ending = self.ending(self.legs(answer.moves))
        (target,) = self.goals
        apart = goal_gaps(ending, [(row,) for row in target])
        overhang, everybody = self.facts.overhang, np.ones(apart.shape, np.bool_)
        touching = in_contact(apart, overhang[self.rows], overhang[list(target)], everybody).any(axis=1)
        gaps = np.maximum(apart.min(axis=1), 0.0)
        return int((gaps <= ENGAGEMENT_RANGE + TOLERANCE).sum()), int(touching.sum()), float(gaps.sum())


_SLACK = 0.5
"""Inches for each model by which a surge move may end further from the target than the default."""


@rule("11e.core.21.01-surge-move")
def surge_space(scene: Scene, state: EleventhState, unit: int, target: int, distance: float) -> CloseSpace:
    """A surge move: every moved model ends as close as it can to the target, engaged with it if it can; engaged with no
    other."""
    rule_id = "11e.core.21.01-surge-move"
    rows = standing(state, unit)
    goals = (tuple(standing(state, target)),)
    space = SurgeSpace(
        scene,
        state,
        unit,
        MoveKind.SURGE,
        rule=rule_id,
        limits={row: round(1000 * distance) for row in rows if may_ever_move(scene, row)},
        after=(CloserToGoal(goals, rule_id), Unengaged(rule_id, but_for=frozenset({target}))),
    )
    space.goals, space.wants, space.must = goals, ((ENGAGEMENT_RANGE, rule_id),), True
    return space


@rule("11e.core.01.04-already-closest-stays")
def _none_can_move(battle: Battle11, unit: int, space: CloseSpace) -> bool:
    """Whether no model of the unit can come closer and none may be moved; the unit has moved all the same (01.04)."""
    if space.default().moves:
        return False
    mine = battle.state.units[unit]
    mine.moved_as, mine.moved_this_phase, mine.surged = MoveKind.SURGE.value, True, True
    return True


@rule("11e.core.21.01-surge-eligible", "11e.core.21.01-surge-move")
def surge(battle: Battle11, unit: int, distance: float) -> Procedure[bool]:
    """Make a surge move of up to so many inches, which a rule has triggered; returns whether one was made (21.01)."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    if not may_surge(scene, state, unit):
        return False
    rule_id = "11e.core.21.01-surge-move"
    closest = closest_enemies(scene, state, unit)
    target = closest[0]
    if len(closest) > 1:
        options = [Option(scene.units[each].id, scene.units[each].name, each) for each in closest]
        target = yield from choose(
            Decision(
                info.side,
                "select-surge-target",
                f"Which enemy does {info.name} surge towards?",
                rule_id,
                Options(options, rule=rule_id),
                subject=info.index,
            )
        )
    space = surge_space(scene, state, unit, target, distance)
    if _none_can_move(battle, unit, space):
        return True
    placement = yield Decision(
        info.side,
        "surge-move",
        f"Surge with {info.name} towards {scene.units[target].name}, up to {distance:g} inches",
        rule_id,
        space,
        subject=info.index,
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        return False
    moves.carry_out(battle, unit, placement, MoveKind.SURGE, rule_id)
    state.units[unit].surged = True
    return True
