"""The actions of the mission cards (16, event pack): who may do them where, and what they do.

Targets are named as the book names places (``"area:07+10"``, ``"objective:central"``), units by their ids. What an
action is worth stands on the cards, which read what was completed in this turn and the marks it has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from battlewright.core.bases import Polygon
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.actions import Action, Completes, UseLimit
from battlewright.editions.eleventh.book import area_place, marks_of, objective_place
from battlewright.editions.eleventh.cards.primary import MARKER, OPERATION, PrimaryCard
from battlewright.editions.eleventh.in_range import is_controlling, objectives_in_range
from battlewright.editions.eleventh.look import Look, home_objective
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.mission_steps import areas_outside_zone, mark, unmark
from battlewright.editions.eleventh.scene import Battle11, Scene
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.visibility import is_unit_visible
from battlewright.editions.eleventh.whereabouts import areas_of, territory_of, units_within_area

__all__ = ["ACTIONS", "actions_of"]

SURVEIL_RANGE = 18.0
"""Inches within which a unit can be surveilled."""


def _side(state: EleventhState, unit: int) -> Side:
    return Side(state.units[unit].side)


def _with_primary(*cards: str, from_round: int = 1) -> Callable[[Scene, EleventhState, Side], bool]:
    """Offered to a side that has one of these primary cards, from a round on."""
    rules = {f"11e.core.primary.{card}" for card in cards}

    def offered(scene: Scene, state: EleventhState, side: Side) -> bool:
        return scene.mission.cards[side].rule in rules and state.round >= from_round

    return offered


def _with_secondary(card: str) -> Callable[[Scene, EleventhState, Side], bool]:
    def offered(scene: Scene, state: EleventhState, side: Side) -> bool:
        return card in state.book.active[side]

    return offered


def _nothing(battle: Battle11, unit: int, target: str) -> Procedure[None]:
    """No effect besides having been done."""
    yield from ()


def _marking(*kinds: str) -> Callable[[Battle11, int, str], Procedure[None]]:
    """Lays marks of these kinds at the target."""

    def effect(battle: Battle11, unit: int, target: str) -> Procedure[None]:
        for kind in kinds:
            mark(battle, _side(battle.state, unit), kind, target, "11e.core.16-parts")
        yield from ()

    return effect


# -- at objectives --------------------------------------------------------------------------------------------------


def _non_home(scene: Scene, state: EleventhState, unit: int) -> Iterable[int]:
    """Objectives that the unit is in range of, but for its player's own home."""
    home = home_objective(scene, state, _side(state, unit))
    return (goal for goal in objectives_in_range(scene, state, unit) if goal != home)


def _places(scene: Scene, goals: Iterable[int]) -> tuple[str, ...]:
    return tuple(objective_place(scene, goal) for goal in goals)


def _at_non_home(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    return _places(scene, _non_home(scene, state, unit))


def _at_unmarked(kind: str) -> Callable[[Scene, EleventhState, int], tuple[str, ...]]:
    """Non-home objectives in range that the side has not marked so."""

    def targets(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
        done = {each.place for each in marks_of(state.book, _side(state, unit), kind)}
        return tuple(place for place in _at_non_home(scene, state, unit) if place not in done)

    return targets


def _at_central(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    goals = scene.battlefield.objectives
    return _places(
        scene,
        (goal for goal in objectives_in_range(scene, state, unit) if goals[goal].role is ObjectiveRole.CENTRAL),
    )


@rule("11e.core.14-controlling-unit", "11e.core.secondary.cleanse")
def _controls(scene: Scene, state: EleventhState, unit: int, target: str) -> bool:
    """Whether the unit is controlling the objective.

    RULING: 11e.core.14-controlling-unit "if controlled" asks for the acting unit, not only for its player.
    """
    return any(
        objective_place(scene, goal) == target and is_controlling(scene, state, unit, goal)
        for goal in range(len(scene.battlefield.objectives))
    )


# -- in terrain areas -----------------------------------------------------------------------------------------------


def _areas_of(scene: Scene, territory: Polygon, *, wholly: bool) -> frozenset[int]:
    """The terrain areas that lie wholly in a territory, or those no part of which does; none without a line."""
    known: dict[tuple[bool, Polygon], frozenset[int]] = scene.cache.setdefault("areas-by-territory", {})
    if (wholly, territory) not in known:
        found: list[int] = []
        if territory:
            import shapely

            ground = shapely.Polygon(territory)
            for number, area in enumerate(scene.battlefield.areas):
                outline = shapely.Polygon(area.polygon)
                share = float(ground.intersection(outline).area / outline.area)
                if share > 1 - 1e-4 if wholly else share < 1e-4:
                    found.append(number)
        known[wholly, territory] = frozenset(found)
    return known[wholly, territory]


@rule("11e.core.secondary.plunder")
def _plunderable(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    """Terrain areas that the unit is within, no part of them in its player's territory."""
    free = _areas_of(scene, territory_of(scene, state, _side(state, unit)), wholly=False)
    return tuple(area_place(scene, area) for area in areas_of(scene, state, unit) if area in free)


@rule("11e.core.primary.vanguard-operation")
def _vanguard_areas(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    """Terrain areas that the unit is within, the whole of them in the opponent's territory.

    RULING: 11e.core.primary.vanguard-operation an area that the line crosses is in nobody's territory.
    """
    there = _areas_of(scene, territory_of(scene, state, opponent(_side(state, unit))), wholly=True)
    return tuple(area_place(scene, area) for area in areas_of(scene, state, unit) if area in there)


@rule("11e.core.primary.vanguard-operation")
def _is_clear(scene: Scene, state: EleventhState, unit: int, target: str) -> bool:
    """Whether no enemy unit is within the terrain area."""
    area = next(n for n in range(len(scene.battlefield.areas)) if area_place(scene, n) == target)
    return not units_within_area(scene, state, opponent(_side(state, unit)), area)


@rule("11e.core.primary.death-trap")
def _trappable(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    """Terrain areas outside the own zone that the unit is within, and non-home objectives it is on, not yet trapped.

    An objective that is a terrain area is trapped as that.
    """
    side = _side(state, unit)
    outside = areas_outside_zone(scene, state, side)
    places = [area_place(scene, area) for area in areas_of(scene, state, unit) if area in outside]
    for goal in _non_home(scene, state, unit):
        area = scene.battlefield.objectives[goal].area
        places.append(f"area:{area}" if area is not None else objective_place(scene, goal))
    trapped = {each.place for each in marks_of(state.book, side, "trapped")}
    return tuple(place for place in dict.fromkeys(places) if place not in trapped)


# -- units and markers ------------------------------------------------------------------------------------------------


@rule("11e.core.primary.surveil-the-foe")
def _in_sight(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    """Enemy units within 18" of the unit and visible to it."""
    foes = Look(scene, state, _side(state, unit)).units(opponent(_side(state, unit)))
    return tuple(
        scene.units[foe].id
        for foe in foes
        if unit_distance(scene, state, unit, foe) <= SURVEIL_RANGE and is_unit_visible(scene, state, unit, foe)
    )


def _owner_of_markers(scene: Scene, side: Side) -> Side:
    """Whose operation markers a Sensor Sweep of the side removes: its own with Locate and Deny, else the opponent's."""
    return side if scene.mission.cards[side].rule == "11e.core.primary.locate-and-deny" else opponent(side)


@rule("11e.core.primary.locate-and-deny", "11e.core.primary.extract-relic")
def _sweepable(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    """A central objective in range, while more than one marker is left."""
    left = marks_of(state.book, _owner_of_markers(scene, _side(state, unit)), OPERATION)
    return _at_central(scene, state, unit) if len(left) > 1 else ()


@rule("11e.core.primary.locate-and-deny", "11e.core.primary.extract-relic")
def _sweep(battle: Battle11, unit: int, target: str) -> Procedure[None]:
    """The acting unit's player removes a marker, not the last."""
    rule_id, side = "11e.core.primary.locate-and-deny", _side(battle.state, unit)
    left = marks_of(battle.state.book, _owner_of_markers(battle.scene, side), OPERATION)
    if len(left) < 2:
        return
    choices = Options([Option(each.place, each.place.replace(":", " "), each) for each in left], rule=rule_id)
    gone = yield from choose(Decision(side, "remove-marker", "Remove an operation marker", rule_id, choices))
    unmark(battle, gone, rule_id)


# -- the actions ------------------------------------------------------------------------------------------------------

_EACH, _ONCE = UseLimit.ONCE_A_TURN_EACH_TARGET, UseLimit.ONCE_A_TURN
_AT_ONCE = Completes.AT_ONCE

ACTIONS: tuple[Action, ...] = (
    Action(
        "decoy",
        "Decoy",
        "11e.core.primary.smoke-and-mirrors",
        _with_primary("smoke-and-mirrors"),
        _marking("decoyed", MARKER),
        targets=_at_unmarked("decoyed"),
        limit=_EACH,
        condition=_controls,
    ),
    Action(
        "booby-trap",
        "Booby Trap",
        "11e.core.primary.death-trap",
        _with_primary("death-trap"),
        _marking("trapped"),
        targets=_trappable,
        limit=_EACH,
        completes=_AT_ONCE,
    ),
    Action(
        "sensor-sweep",
        "Sensor Sweep",
        "11e.core.primary.locate-and-deny",
        _with_primary("locate-and-deny", "extract-relic"),
        _sweep,
        targets=_sweepable,
        limit=_ONCE,
        condition=_controls,
    ),
    Action(
        "triangulate",
        "Triangulate",
        "11e.core.primary.triangulation",
        _with_primary("triangulation", from_round=2),
        _marking("triangulated", MARKER),
        targets=_at_unmarked("triangulated"),
        limit=_ONCE,
        condition=_controls,
    ),
    Action(
        "surveil",
        "Surveil the Foe",
        "11e.core.primary.surveil-the-foe",
        _with_primary("surveil-the-foe"),
        _nothing,
        targets=_in_sight,
        limit=_EACH,
        completes=_AT_ONCE,
    ),
    Action(
        "extract-intelligence",
        "Extract Intelligence",
        "11e.core.primary.gather-intel",
        _with_primary("gather-intel", from_round=2),
        _marking(MARKER),
        targets=_at_unmarked(MARKER),
        limit=_EACH,
        condition=_controls,
    ),
    Action(
        "secure-asset",
        "Secure Asset",
        "11e.core.primary.secure-asset",
        _with_primary("secure-asset"),
        _nothing,
        targets=_at_non_home,
        limit=_ONCE,
        condition=_controls,
    ),
    Action(
        "maintain-control",
        "Maintain Control",
        "11e.core.primary.vital-link",
        _with_primary("vital-link"),
        _marking(MARKER),
        targets=_at_central,
        limit=_ONCE,
        condition=_controls,
    ),
    Action(
        "vanguard-operation",
        "Vanguard Operation",
        "11e.core.primary.vanguard-operation",
        _with_primary("vanguard-operation"),
        _nothing,
        targets=_vanguard_areas,
        limit=_ONCE,
        condition=_is_clear,
    ),
    Action(
        "sabotage",
        "Sabotage",
        "11e.core.primary.sabotage",
        _with_primary("sabotage"),
        _nothing,
        targets=_at_non_home,
        limit=_EACH,
        condition=_controls,
    ),
    Action(
        "cleanse",
        "Cleanse",
        "11e.core.secondary.cleanse",
        _with_secondary("cleanse"),
        _nothing,
        targets=_at_non_home,
        limit=_EACH,
        condition=_controls,
    ),
    Action(
        "plunder",
        "Plunder",
        "11e.core.secondary.plunder",
        _with_secondary("plunder"),
        _nothing,
        targets=_plunderable,
        limit=_ONCE,
        completes=_AT_ONCE,
    ),
)
"""All actions of the event pack's cards."""

_OF_SECONDARIES = ("cleanse", "plunder")
_SHARED = {"11e.core.primary.extract-relic": "sensor-sweep"}


def actions_of(cards: Iterable[PrimaryCard]) -> tuple[Action, ...]:
    """The actions of these primary cards, and of the secondary ones, which any mission may have."""
    rules = {card.rule for card in cards}
    wanted = {_SHARED.get(each, "") for each in rules}
    return tuple(
        action for action in ACTIONS if action.rule in rules or action.id in wanted or action.id in _OF_SECONDARIES
    )
