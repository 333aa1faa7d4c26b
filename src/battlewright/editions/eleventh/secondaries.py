"""Secondary missions: choosing fixed cards or the deck, drawing, scoring, discarding, and their limits (event pack).

A side's deck is the set of cards it has still to draw from; which of them comes next is decided by a roll when it is
drawn. That is a shuffled deck whose order nobody can look into, because there is none yet. Nothing here is a
checkpoint but the choices before the battle, which are secret until both have been made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, RandomSource, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.book import MissionBook, add_to, objective_place
from battlewright.editions.eleventh.cards.secondary import (
    BIG,
    GRIEVOUS,
    SECONDARIES,
    assassination_at_once,
)
from battlewright.editions.eleventh.command_points import gain_command_points
from battlewright.editions.eleventh.events import CardDiscarded, CardDrawn, Scored, SecondariesChosen
from battlewright.editions.eleventh.look import Look
from battlewright.editions.eleventh.scene import Battle11, living, standing
from battlewright.editions.eleventh.state import NOBODY

__all__ = [
    "FIXED",
    "choose_secondaries",
    "end_of_command_phase",
    "end_of_turn",
    "redraw_choice",
    "score_at_once",
    "secondary_points",
    "start_of_command_phase",
    "without_secrets",
]

SECONDARY_LIMIT, ROUND_LIMIT, FIXED_CARD_LIMIT = 45, 15, 20
"""Secondary victory points in a whole battle, in one round, and from one fixed card."""
TACTICAL = "tactical"
FIXED = tuple(key for key, card in SECONDARIES.items() if card.fixed)
"""The cards that may be taken as fixed ones."""

_CHOOSING, _DRAWING = "11e.core.mission.choosing-secondaries", "11e.core.mission.drawing-cards"
_SCORING, _DISCARDING = "11e.core.mission.scoring-secondaries", "11e.core.mission.discarding-for-cp"
_REPLACING = "11e.core.mission.replacing-a-card"


def _set(pair: tuple[object, object], side: Side, value: object) -> tuple[object, object]:
    return (value, pair[1]) if side == SIDES[0] else (pair[0], value)


def _change(battle: Battle11, side: Side, **values: object) -> None:
    """Put a side's values into pairs of the book."""
    book = battle.state.book
    changed = {name: _set(getattr(book, name), side, value) for name, value in values.items()}
    battle.state.book = replace(book, **changed)  # type: ignore[arg-type]


# -- before the battle --------------------------------------------------------------------------------------------


@resumable
@rule("11e.core.mission.choosing-secondaries", "11e.core.secondary.decks")
def choose_secondaries(battle: Battle11) -> Procedure[None]:
    """Each player chooses in secret two fixed cards or the deck, as the switch leaves a choice; then both reveal."""
    setting = battle.scene.options["secondaries"]
    if setting == "none":
        battle.state.book = replace(battle.state.book, revealed=True)
        return
    for side in SIDES:
        if not battle.state.book.modes[side]:
            yield from _choose(battle, side, setting)
    battle.state.book = replace(battle.state.book, revealed=True)
    for side in SIDES:
        book = battle.state.book
        battle.happened(
            SecondariesChosen(side=side, mode=book.modes[side], cards=book.active[side], rules=(_CHOOSING,))
        )


@resumable
def _choose(battle: Battle11, side: Side, setting: str) -> Procedure[None]:
    options = _ways(setting)
    cards: tuple[str, ...] = options[0].value
    if len(options) > 1:
        prompt, choices = "Fixed secondary missions, or tactical ones?", Options(options, rule=_CHOOSING)
        cards = yield from choose(Decision(side, "choose-secondaries", prompt, _CHOOSING, choices, is_checkpoint=True))
    battle.state.book = _chosen(battle.state.book, side, cards)


def _ways(setting: str) -> list[Option]:
    """Two fixed cards, or (an empty value) the deck, as the switch leaves a choice."""
    pairs = [] if setting == TACTICAL else list(combinations(FIXED, 2))
    options = [Option("+".join(pair), " and ".join(SECONDARIES[key].name for key in pair), pair) for pair in pairs]
    if setting != "fixed":
        options.append(Option(TACTICAL, "tactical missions, drawn from the deck", ()))
    return options


def _chosen(book: MissionBook, side: Side, cards: tuple[str, ...]) -> MissionBook:
    values: dict[str, object] = {"modes": "fixed" if cards else TACTICAL, "active": cards}
    values["decks"] = () if cards else tuple(SECONDARIES)
    return replace(book, **{name: _set(getattr(book, name), side, value) for name, value in values.items()})  # type: ignore[arg-type]


def redraw_choice(book: MissionBook, setting: str, side: Side, rng: RandomSource) -> MissionBook:
    """The book with what the opponent of a side has chosen, and not yet revealed, drawn anew."""
    other = opponent(side)
    if book.revealed or not book.modes[other]:
        return book
    ways = _ways(setting)
    return _chosen(book, other, ways[rng.randrange(len(ways))].value)


def without_secrets(book: MissionBook, side: Side | None) -> MissionBook:
    """The book as a side (None: a spectator) may see it: before both are revealed, its own choice alone."""
    if book.revealed:
        return book
    for other in SIDES:
        if other != side:
            book = replace(
                book,
                modes=_set(book.modes, other, ""),  # type: ignore[arg-type]
                active=_set(book.active, other, ()),  # type: ignore[arg-type]
                decks=_set(book.decks, other, ()),  # type: ignore[arg-type]
            )
    return book


# -- the Command phase --------------------------------------------------------------------------------------------


@rule("11e.core.mission.drawing-cards", "11e.core.mission.no-hand-limit", "11e.core.mission.fixed-cards")
def start_of_command_phase(battle: Battle11) -> Procedure[None]:
    """A tactical player draws two cards; there is no limit to how many are active."""
    side = battle.state.turn
    if "burden-of-trust" in battle.state.book.active[side]:
        yield from _assign_guards(battle, side)
    if battle.state.book.modes[side] == TACTICAL:
        for _ in range(2):
            yield from draw(battle, side)


@rule("11e.core.mission.replacing-a-card")
def end_of_command_phase(battle: Battle11) -> Procedure[None]:
    """Once a battle a tactical player may pay 1 CP to discard a card and draw another."""
    state, side = battle.state, battle.state.turn
    book = state.book
    if book.modes[side] != TACTICAL or book.replaced[side] or not book.active[side] or not state.cp[side]:
        return
    if not book.decks[side]:
        return
    options = [Option(key, f"replace {SECONDARIES[key].name} for 1 CP", key) for key in book.active[side]]
    options.append(Option("keep", "keep all cards", None))
    prompt = "Replace a secondary mission?"
    card: str | None = yield from choose(
        Decision(side, "replace-secondary", prompt, _REPLACING, Options(options, rule=_REPLACING))
    )
    if card is None:
        return
    state.cp = add_to(state.cp, side, -1)
    _change(battle, side, replaced=True)
    _drop(battle, side, card, "replaced", _REPLACING)
    yield from draw(battle, side)


@rule("11e.core.mission.drawing-cards")
def draw(battle: Battle11, side: Side) -> Procedure[None]:
    """Draw a card from the side's deck and do what it says when drawn; nothing once the deck is empty."""
    card = _take(battle, side)
    while card is not None:
        how = yield from _goes_back(battle, side, card)
        if not how:
            yield from _when_drawn(battle, side, card)
            return
        # RULING: 11e.core.mission.drawing-cards a card drawn in the place of another may be put back in its turn.
        new = _take(battle, side)
        _drop(battle, side, card, "shuffled-back" if how == "shuffle" else "replaced", SECONDARIES[card].rule)
        if how == "shuffle":
            _change(battle, side, decks=_in_order((*battle.state.book.decks[side], card)))
        card = new


def _in_order(cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(key for key in SECONDARIES if key in cards)


def _take(battle: Battle11, side: Side) -> str | None:
    """The card that comes off the deck, active from now on."""
    deck = battle.state.book.decks[side]
    if not deck:
        return None
    card = deck[0] if len(deck) == 1 else deck[battle.roll(1, len(deck), "draw-secondary").faces[0] - 1]
    _change(
        battle,
        side,
        decks=tuple(key for key in deck if key != card),
        active=(*battle.state.book.active[side], card),
    )
    battle.happened(CardDrawn(side=side, card=card, rules=(_DRAWING,)))
    return card


def _drop(battle: Battle11, side: Side, card: str, why: str, *rules: str) -> None:
    """A card is active no longer; what was picked for it is forgotten."""
    book = battle.state.book
    _change(battle, side, active=tuple(key for key in book.active[side] if key != card))
    chosen = tuple(each for each in battle.state.book.chosen if each[:2] != (side, card))
    guards = book.guards
    if card == "burden-of-trust":
        guards = frozenset(each for each in guards if each[0] != side)
    battle.state.book = replace(battle.state.book, chosen=chosen, guards=guards)
    battle.happened(CardDiscarded(side=side, card=card, why=why, rules=rules))


# -- when drawn -----------------------------------------------------------------------------------------------------


_ROUND_ONE = ("behind-enemy-lines", "forward-position", "defend-stronghold")
_PAIR = {"cleanse": "plunder", "plunder": "cleanse"}


@rule(
    "11e.core.secondary.a-grievous-blow",
    "11e.core.secondary.bring-it-down",
    "11e.core.secondary.behind-enemy-lines",
    "11e.core.secondary.forward-position",
    "11e.core.secondary.cleanse",
    "11e.core.secondary.plunder",
)
def _goes_back(battle: Battle11, side: Side, card: str) -> Procedure[str]:
    """Whether a card just drawn is shuffled back (``"shuffle"``) or replaced (``"replace"``), or stays (``""``)."""
    how = ""
    if (card in _ROUND_ONE and battle.state.round == 1) or (
        card in _PAIR and _PAIR[card] in battle.state.book.active[side]
    ):
        how = "shuffle"
    elif card in _TARGETS and not _TARGETS[card](battle, opponent(side)):
        how = "replace"
    if not how or not battle.state.book.decks[side]:
        return ""
    return how if card == "defend-stronghold" else (yield from _may_go_back(battle, side, card, how))


@rule("11e.core.secondary.defend-stronghold")
def _may_go_back(battle: Battle11, side: Side, card: str, how: str) -> Procedure[str]:
    """Ask; Defend Stronghold alone goes back unasked."""
    rule_id, name = SECONDARIES[card].rule, SECONDARIES[card].name
    text = "shuffle it back" if how == "shuffle" else "discard it"
    choices = Options([Option("another", f"{text} and draw another", how), Option("keep", "keep it", "")], rule=rule_id)
    answer: str = yield from choose(
        Decision(side, "redraw-secondary", f"Secondary mission {name}: draw another?", rule_id, choices)
    )
    return answer


def _has_horde(battle: Battle11, side: Side) -> bool:
    return any(
        battle.state.units[unit.index].starting_strength >= GRIEVOUS and standing(battle.state, unit.index)
        for unit in battle.scene.units_of(side)
    )


def _has_giant(battle: Battle11, side: Side) -> bool:
    return any(
        battle.scene.models[row].profile.wounds >= BIG
        for unit in battle.scene.units_of(side)
        for row in standing(battle.state, unit.index)
    )


_TARGETS: Mapping[str, Callable[[Battle11, Side], bool]] = {"a-grievous-blow": _has_horde, "bring-it-down": _has_giant}


def _when_drawn(battle: Battle11, side: Side, card: str) -> Procedure[None]:
    if card == "a-tempting-target":
        yield from _pick_target(battle, side)
    elif card == "beacon":
        yield from _pick_beacon(battle, side)
    elif card == "burden-of-trust":
        yield from _assign_guards(battle, side)


@rule("11e.core.secondary.a-tempting-target")
def _pick_target(battle: Battle11, side: Side) -> Procedure[None]:
    """The opponent picks a non-home objective in No Man's Land."""
    look, rule_id = Look(battle.scene, battle.state, side), SECONDARIES["a-tempting-target"].rule
    goals = [
        number
        for number, goal in enumerate(look.objectives)
        if goal.role is not ObjectiveRole.HOME and look.in_no_mans_land(number)
    ]
    if not goals:
        return
    options = [
        Option(objective_place(battle.scene, goal), look.objectives[goal].id.replace("-", " "), goal) for goal in goals
    ]
    prompt = "Pick the objective that is your opponent's tempting target"
    picked: int = yield from choose(
        Decision(opponent(side), "pick-tempting-target", prompt, rule_id, Options(options, rule=rule_id))
    )
    battle.state.book = replace(
        battle.state.book, chosen=(*battle.state.book.chosen, (int(side), "a-tempting-target", picked))
    )


@rule("11e.core.secondary.beacon")
def _pick_beacon(battle: Battle11, side: Side) -> Procedure[None]:
    """The side picks a unit of its own, on the battlefield or aboard a transport on it."""
    scene, state, rule_id = battle.scene, battle.state, SECONDARIES["beacon"].rule
    units = [
        int(unit.index)
        for unit in scene.units_of(side)
        if standing(state, unit.index) or _is_carried(battle, unit.index)
    ]
    if not units:
        return
    options = [Option(scene.units[unit].id, scene.units[unit].name, unit) for unit in units]
    picked: int = yield from choose(
        Decision(side, "pick-beacon", "Pick the unit that is your beacon", rule_id, Options(options, rule=rule_id))
    )
    battle.state.book = replace(battle.state.book, chosen=(*battle.state.book.chosen, (int(side), "beacon", picked)))


def _is_carried(battle: Battle11, unit: int) -> bool:
    carrier = battle.state.units[unit].embarked_in
    return carrier != NOBODY and bool(living(battle.state, unit)) and bool(standing(battle.state, carrier))


@rule("11e.core.secondary.burden-of-trust")
def _assign_guards(battle: Battle11, side: Side) -> Procedure[None]:
    """For each objective a unit may be assigned to guard it until the start of the side's next turn."""
    scene, rule_id = battle.scene, SECONDARIES["burden-of-trust"].rule
    look = Look(scene, battle.state, side)
    guards = {each for each in battle.state.book.guards if each[0] != side}
    for goal, objective in enumerate(look.objectives):
        units = [scene.units[unit] for unit in look.units(side)]
        if not units:
            break
        options = [Option(unit.id, unit.name, (goal, int(unit.index))) for unit in units]
        options.append(Option("nobody", "nobody", None))
        choices = Options(options, rule=rule_id)
        picked: tuple[int, int] | None = yield from choose(
            Decision(
                side, "assign-guard", f"Who guards the objective {objective.id.replace('-', ' ')}?", rule_id, choices
            )
        )
        if picked is not None:
            guards.add((int(side), *picked))
    battle.state.book = replace(battle.state.book, guards=frozenset(guards))


# -- scoring ----------------------------------------------------------------------------------------------------------


@rule("11e.core.mission.secondary-limits")
def secondary_points(points: int, this_round: int, in_all: int, from_fixed_card: int | None = None) -> int:
    """How many of the points count: 15 in a battle round, 45 in all, and 20 from one fixed card."""
    room = min(ROUND_LIMIT - this_round, SECONDARY_LIMIT - in_all)
    if from_fixed_card is not None:
        room = min(room, FIXED_CARD_LIMIT - from_fixed_card)
    return max(0, min(points, room))


@rule("11e.core.secondary.assassination")
def score_at_once(battle: Battle11, rows: Sequence[int]) -> None:
    """Models were destroyed: fixed Assassination scores at once."""
    for side in SIDES:
        book = battle.state.book
        if book.modes[side] == "fixed" and "assassination" in book.active[side]:
            look = Look(battle.scene, battle.state, side)
            _gain(battle, side, "assassination", sum(assassination_at_once(look, row) for row in rows))


@rule("11e.core.mission.scoring-secondaries", "11e.core.mission.discarding-for-cp", "11e.core.mission.fixed-cards")
def end_of_turn(battle: Battle11) -> Procedure[None]:
    """Each player, the turn player first, scores active cards; then the turn player may discard for 1 CP in all."""
    turn = battle.state.turn
    for side in (turn, opponent(turn)):
        if battle.state.book.modes[side] == "fixed":
            for card in battle.state.book.active[side]:
                _gain(battle, side, card, _worth(battle, side, card, fixed=True))
        elif battle.state.book.modes[side] == TACTICAL:
            yield from _score_tactical(battle, side)
    if battle.state.book.modes[turn] == TACTICAL:
        yield from _discard(battle, turn)


def _worth(battle: Battle11, side: Side, card: str, *, fixed: bool) -> int:
    return SECONDARIES[card].score(Look(battle.scene, battle.state, side), fixed)


def _score_tactical(battle: Battle11, side: Side) -> Procedure[None]:
    """Ask which of the cards whose condition is met are scored; they are discarded."""
    while True:
        worth = {card: _worth(battle, side, card, fixed=False) for card in battle.state.book.active[side]}
        met = [card for card, points in worth.items() if points]
        if not met:
            return
        options = [Option(card, f"{SECONDARIES[card].name}, {worth[card]} points", card) for card in met]
        options.append(Option("done", "score no more", None))
        choices = Options(options, rule=_SCORING, default=options[0].key)
        card: str | None = yield from choose(
            Decision(side, "score-secondary", "Score a secondary mission?", _SCORING, choices)
        )
        if card is None:
            return
        _gain(battle, side, card, worth[card])
        _drop(battle, side, card, "scored", _SCORING)


def _discard(battle: Battle11, side: Side) -> Procedure[None]:
    gained = False
    while battle.state.book.active[side]:
        options = [Option(card, f"discard {SECONDARIES[card].name}", card) for card in battle.state.book.active[side]]
        options.append(Option("done", "discard no more", None))
        prompt = "Discard secondary missions for 1 CP in all?"
        card: str | None = yield from choose(
            Decision(side, "discard-secondary", prompt, _DISCARDING, Options(options, rule=_DISCARDING))
        )
        if card is None:
            return
        _drop(battle, side, card, "discarded", _DISCARDING)
        if not gained:
            gain_command_points(battle, side, 1)
            gained = True


def _gain(battle: Battle11, side: Side, card: str, points: int) -> None:
    state, book = battle.state, battle.state.book
    fixed = book.modes[side] == "fixed"
    before = sum(each[2] for each in book.fixed_points if each[:2] == (side, card))
    counted = secondary_points(points, book.secondary_this_round[side], book.secondary[side], before if fixed else None)
    if not counted:
        return
    fixed_points = book.fixed_points
    if fixed:
        others = tuple(each for each in fixed_points if each[:2] != (side, card))
        fixed_points = tuple(sorted((*others, (int(side), card, before + counted))))
    state.book = replace(
        book,
        secondary=add_to(book.secondary, side, counted),
        secondary_this_round=add_to(book.secondary_this_round, side, counted),
        fixed_points=fixed_points,
    )
    state.vp = add_to(state.vp, side, counted)
    name, rule_id = SECONDARIES[card].name, SECONDARIES[card].rule
    line = "fixed" if fixed else "tactical"
    battle.happened(
        Scored(
            side=side,
            card=name,
            line=line,
            points=counted,
            total=state.vp[side],
            rules=(rule_id, "11e.core.mission.secondary-limits"),
        )
    )
