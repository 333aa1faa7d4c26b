"""Leadership and morale: when a unit tests, with what modifiers, and what an edition decides about it.

A test is 2D6 against Leadership, what modifiers have left of it. Modifiers are data, so that the number used and the
explanation shown are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.core.table import Edge
from battlewright.editions.classic.charts import passes_leadership_test
from battlewright.editions.classic.state import ClassicState, Deed

if TYPE_CHECKING:
    from battlewright.editions.classic.scene import Scene

__all__ = [
    "ENEMY_TOO_NEAR",
    "REGROUPING",
    "LeadershipSource",
    "MoraleRules",
    "RallyConditions",
    "below_half",
    "best_leadership",
    "deeds_of_regrouping",
    "half_strength_modifier",
    "is_last_man",
    "is_pinned_by",
    "last_chance_survivors",
    "last_man_acts",
    "leadership_used",
    "lost_combat_modifiers",
    "may_rally_now",
    "must_test_for_losses",
    "outnumbered_modifier",
    "passes_morale_test",
    "quarter_lost",
    "why_no_rally",
]


@rule("3e.fire-morale.quarter", "3e.fire-morale.current-strength", "3e.fire-morale.one-phase")
@rule("4e.core.morale.quarter-losses", "6e.core.morale.quarter-losses")
def quarter_lost(strength: int, lost: int) -> bool:
    """Whether a unit lost a quarter or more.

    Args:
        strength: models when the phase began, whatever the unit numbered at first.
        lost: models lost in that one phase that count.

    >>> quarter_lost(8, 2), quarter_lost(10, 2)
    (True, False)
    """
    return lost > 0 and 4 * lost >= strength


@rule("3e.outside.half-strength", "3e.core.fundamentals.below-half", "4e.core.fundamentals.below-half")
def below_half(left: int, begun: int) -> bool:
    """Whether fewer than half are left of those that the battle began with: models, for a single model wounds."""
    return 2 * left < begun


@rule("3e.outside.half-strength", "3e.core.assault.below-half-modifier", "4e.core.assault.below-half-modifier")
def half_strength_modifier(left: int, begun: int) -> tuple[Modifier, ...]:
    """The modifier of a morale test for being below half strength."""
    return (Modifier("3e.outside.half-strength", -1),) if below_half(left, begun) else ()


@rule("3e.outside.outnumbered", "3e.core.assault.outnumbered-modifier", "4e.core.assault.outnumbered-modifier")
def outnumbered_modifier(own: int, enemies: int) -> tuple[Modifier, ...]:
    """The modifier of a beaten unit that is outnumbered in its combat: -1, or -n where the enemy is n to 1, to -4.

    >>> outnumbered_modifier(4, 9)[0].amount, outnumbered_modifier(5, 5)
    (-2, ())
    """
    if enemies <= own:
        return ()
    times = enemies // own if own else 4
    return (Modifier("3e.outside.outnumbered", -min(max(times, 1), 4)),)


@dataclass(frozen=True, slots=True)
class LeadershipSource:
    """A model whose Leadership counts: its value, and whether it is a leader that the unit borrows it from."""

    leadership: int
    borrowed: bool = False


@rule("4e.character-leaders.use-leadership", "4e.character-leaders.leadership-only-if-higher")
@rule("3e.char-leaders.leadership", "3e.core.morale.best-leadership", "3e.core.fundamentals.leadership-test")
@rule("6e.core.fundamentals.leadership-test", "6e.core.fundamentals.highest-value")
def best_leadership(sources: Iterable[LeadershipSource]) -> int:
    """The Leadership of a unit: the best in it, that of a joined character included; 0 for nobody."""
    return max((source.leadership for source in sources), default=0)


def leadership_used(leadership: int, modifiers: Sequence[Modifier]) -> int:
    """The number that a test needs or less."""
    return leadership + sum(modifier.amount for modifier in modifiers)


@rule("3e.outside.two-always", "3e.outside.ld-test", "4e.core.fundamentals.insane-heroism", "6e.outside.morale")
def passes_morale_test(faces: Sequence[int], leadership: int) -> bool:
    """Whether two dice pass a morale test: the Leadership or less, and a natural 2 always."""
    total = sum(faces)
    return total == 2 or passes_leadership_test(total, leadership)


@dataclass(frozen=True, slots=True, kw_only=True)
class RallyConditions:
    """What is asked of a unit that would rally.

    Attributes:
        left, begun: models now and when the battle began; of a single model wounds.
        in_formation: whether it is.
        nearest_enemy: inches to the nearest enemy model, None when there is none.
        has_leader: whether an independent character leads it.
        may_below_half: whether a special rule lets it rally below half strength.
        sees_enemies: looks whether any enemy is in sight.
    """

    left: int
    begun: int
    in_formation: bool
    nearest_enemy: float | None
    has_leader: bool = False
    may_below_half: bool = False
    sees_enemies: Callable[[], bool] = lambda: True


@dataclass(frozen=True)
class MoraleRules:
    """What an edition decides about morale.

    Attributes:
        losses_that_count: of models lost in a phase, and those of them lost with their transport.
        last_man_modifiers: of the test of a unit's last survivor, by models left and begun.
        why_no_rally: rule and clause for each reason why a unit may not try to rally.
        may_rally_in_cover: whether the attempt in cover is allowed, by whether it is the owner's movement phase.
        is_bound: whether a joined character whose unit is gone shares its fate.
        own_losses_count: whether what a unit loses in a Shooting phase of its owner's, to no enemy's fire, calls for a
            test for losses.
        losses_modifiers: of a test for losses, by models left and begun; ``losses_in_movement`` whether losses of the
            Movement phase call for one too.
        is_last_man: whether a unit's last survivor tests at the start of its turns, by models left and begun, and
            whether it is a character.
        fall_back_distance: how far a unit falls back, by its dice and whether difficult terrain lies in its way.
        is_cut_off: whether a unit that falls back to an edge so far, in inches, is destroyed by who stands in its way.
        last_chance: what a fall-back move to the edge brings: for each model whether it has reached it, and why the
            unit may not rally; ``"none"``, ``"test"`` or ``"removed"``.
        rally_modifiers: of the test to rally, by the conditions and the unit's Leadership.
        pinned_skip: whether pinned units take no test for losses; where they do, falling back gets them on their feet.
        rallies_on_the_run: whether troops that rally by themselves do so when they have fallen back, and not before
            their owner's next turn.
        regroups_when_charged: whether a unit charged while it falls back takes a test to regroup as ever.
        stays_down: whether who is pinned in a turn of his owner's stays so through the next one.
    """

    losses_that_count: Callable[[int, int], int]
    last_man_modifiers: Callable[[int, int], tuple[Modifier, ...]]
    why_no_rally: Callable[[RallyConditions], list[tuple[str, str]]]
    may_rally_in_cover: Callable[[bool], bool]
    is_bound: Callable[[], bool]
    losses_modifiers: Callable[[int, int], tuple[Modifier, ...]]
    losses_in_movement: bool
    is_last_man: Callable[[int, int, bool], bool]
    fall_back_distance: Callable[[int, bool], float]
    is_cut_off: Callable[[Scene, ClassicState, int, Edge, float], bool]
    last_chance: Callable[[Sequence[bool], Collection[tuple[str, str]]], str]
    rally_modifiers: Callable[[RallyConditions, int], tuple[Modifier, ...]]
    own_losses_count: bool = False
    pinned_skip: bool = True
    rallies_on_the_run: bool = True
    regroups_when_charged: bool = False
    stays_down: bool = False


REGROUPING = 3.0
"""Inches within which a regrouped unit re-forms."""


@rule("3e.core.morale.after-regrouping", "4e.core.morale.regroup", "6e.core.morale.after-regrouping")
def deeds_of_regrouping() -> frozenset[Deed]:
    """What regrouping is noted as: the unit counts as having moved, may shoot, and neither moves on nor charges."""
    return frozenset({Deed.RALLIED})


@rule(
    "3e.fire-morale.test-at-end",
    "3e.fire-morale.quarter",
    "3e.core.morale.quarter-losses",
    "3e.core.morale.pinned-skip",
    "3e.core.morale.vehicles",
    "4e.vehicle-morale.no-tests",
    "4e.vehicle-morale.shaken-stunned-instead",
)
def must_test_for_losses(strength: int, lost: int, *, pinned: bool = False, vehicle: bool = False) -> bool:
    """Whether a unit tests at the end of the shooting phase, once for everything it lost in it.

    A pinned unit and a vehicle do not; a unit of which nobody is left has no test to take.
    """
    return not pinned and not vehicle and lost < strength and quarter_lost(strength, lost)


@rule("3e.fire-morale.transport-counts", "6e.core.morale.quarter-losses")
def all_losses(lost: int, in_transport: int) -> int:
    """Losses that count towards the quarter where all of them do, those in a transport too."""
    return lost


@rule("3e.last-man.pass", "3e.last-man.fail")
def last_man_acts(faces: Sequence[int], leadership: int) -> bool:
    """Whether the last survivor acts normally this turn; failing, it falls back."""
    return passes_morale_test(faces, leadership)


@rule("3e.last-chance.fail", "3e.last-chance.pass")
def last_chance_survivors(rows: Sequence[int], *, passed: bool) -> list[int]:
    """The models left after the last chance: all of them, and the unit has rallied; or none, wherever they stand."""
    return list(rows) if passed else []


@rule("3e.outside.pinning-sources", "3e.core.shooting.pinning-test")
def is_pinned_by(lost: int, *, pins: bool) -> bool:
    """Whether the losses that one enemy unit's fire caused call for a pinning test: any by a weapon that pins."""
    return pins and lost > 0


@rule("3e.rally.whole-unit", "3e.rally.once", "3e.rally.not-after-combat", "3e.rally.in-cover")
def may_rally_now(in_cover: Sequence[bool], deeds: Collection[str], *, beaten_in_combat: bool) -> bool:
    """Whether a unit on its fall-back move takes a test in cover at this place of its way.

    Args:
        in_cover: for each of its models whether it stands in cover here.
        deeds: of the unit this turn; one attempt in a phase is all.
        beaten_in_combat: whether it was beaten in close combat this turn.
    """
    return bool(in_cover) and all(in_cover) and Deed.TRIED_TO_RALLY not in deeds and not beaten_in_combat


ENEMY_TOO_NEAR = 6.0
"""Inches within which an enemy keeps a unit from rallying."""


@rule("3e.last-man.each-turn", "3e.core.morale.lone-survivor", "4e.core.morale.last-man")
@rule("4e.character-leaders.no-last-man")
def is_last_man(left: int, begun: int, character: bool = False) -> bool:
    """Whether the last survivor of a unit tests at the start of its turn; characters and single models do not."""
    return left == 1 and begun > 1 and not character


@rule("3e.loser-morale.test", "3e.outside.outnumbered", "3e.core.assault.losers-test")
@rule("4e.core.assault.below-half-modifier", "4e.core.assault.outnumbered-modifier")
def lost_combat_modifiers(left: int, begun: int, own: int, enemies: int, lost_by: int = 0) -> tuple[Modifier, ...]:
    """The modifiers of a beaten unit's morale test.

    Args:
        left, begun: its models now and when the battle began.
        own, enemies: models of both sides in the combat.
        lost_by: how many wounds the winner caused more; it does not count.
    """
    return (*half_strength_modifier(left, begun), *outnumbered_modifier(own, enemies))


@rule(
    "3e.outside.rally-conditions",
    "3e.formation.no-rally",
    "3e.last-man.never-rally",
    "3e.rally.bans-apply",
    "3e.core.morale.regroup",
    "3e.fall-back.formation-not-reachable",
    "4e.core.morale.regroup",
)
def why_no_rally(unit: RallyConditions) -> list[tuple[str, str]]:
    """Why a unit may not try to rally: rule and clause for each reason; none when it may."""
    found = []
    if not unit.in_formation:
        found.append(("3e.formation.no-rally", "is out of formation"))
    if below_half(unit.left, unit.begun) and not unit.may_below_half:
        found.append(("3e.outside.rally-conditions", f"has {unit.left} left of {unit.begun}, less than half"))
    near = unit.nearest_enemy
    if near is not None and within(near, ENEMY_TOO_NEAR):
        found.append(("3e.outside.rally-conditions", f'has an enemy {near:.1f}" away; {ENEMY_TOO_NEAR:g}" or less'))
    return found
