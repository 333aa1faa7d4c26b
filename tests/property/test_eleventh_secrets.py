"""No seat is shown what its side may not know: secret choices, the stream of dice, what is drawn from decks."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core import roster
from battlewright.core.battle import Battle as CoreBattle
from battlewright.core.battle import Seat
from battlewright.core.decisions import SIDES, Side
from battlewright.core.roster import Transport
from battlewright.core.state import plain
from battlewright.editions.eleventh import battle_formations, secondaries
from battlewright.editions.eleventh.rules import EleventhRules
from battlewright.start import Battle
from support.eleventh import unit, weapon
from support.sight_of_seats import secret_stretch, walk

SEED = 2**255 + 1234567890123456789
BOLTER = weapon("Bolter", "RAPID FIRE 1", A=2)
FIST = weapon("Fist", melee=True, A=2, S=6, D=2)
CHOOSING = ("choose-secondaries",)
FORMATIONS = ("declare-embarked", "declare-reserves")


def army(letter: str) -> roster.Army:
    specs = [
        *(unit(3, weapons=(BOLTER, FIST), W=2, points=100, name=f"Squad {n}") for n in range(3)),
        unit(1, "VEHICLE", "TRANSPORT", weapons=(BOLTER,), base="80mm", W=8, points=100, transport=Transport(7)),
        unit(1, "AIRCRAFT", "FLY", weapons=(BOLTER,), base="60mm", M='20"', W=5, points=100, name="Flyer"),
        unit(3, weapons=(FIST,), points=100, name="Runners"),
    ]
    units = tuple(roster.Unit(f"{letter}.{n}", s.name, s.components, s.models) for n, s in enumerate(specs, 1))
    return roster.Army(letter, "11", "", units)


def begin(seed: int = SEED, **options: str) -> Battle:
    return Battle.start((army("a"), army("b")), seed=seed, options=options)


def is_chosen(battle: Any) -> bool:
    return bool(battle.state.book.revealed)


def is_deployment(battle: Any) -> bool:
    return bool(battle.state.phase != "setup") or battle.state.step >= 4


def hold_choices_secret(side: Side) -> None:
    """The opponent's choices of both kinds, drawn in several ways, make no difference to what the side is shown."""
    stretches = (
        (lambda: begin(), CHOOSING, is_chosen),
        *((lambda seed=seed: begin(seed, secondaries="none"), FORMATIONS, is_deployment) for seed in (1, 2, 3, 4)),
    )
    for start, kinds, is_over in stretches:
        ways = [secret_stretch(start, side, kinds, is_over, seed) for seed in range(6)]
        assert any(ways[0])
        for other in ways[1:]:
            assert other == ways[0], "a seat is shown what its opponent has chosen in secret"


@pytest.mark.rule("11e.core.mission.choosing-secondaries", "11e.core.mission.battle-formations")
@pytest.mark.parametrize("side", SIDES)
def test_what_the_opponent_chooses_in_secret_makes_no_difference_to_a_seat(side: Side) -> None:
    hold_choices_secret(side)


@pytest.mark.parametrize(("seed", "setting"), [(1, "choose"), (2, "tactical"), (3, "fixed")])
def test_no_seat_of_a_whole_battle_is_shown_the_stream_or_the_others_decision(seed: int, setting: str) -> None:
    battle = begin(SEED + seed, secondaries=setting)
    walk(battle, random.Random(seed))
    assert battle.state.round > 1


def test_the_opponents_choices_do_differ() -> None:
    """Otherwise the test above would show nothing."""
    found = set()
    for seed in range(6):
        battle, rng = begin(1, secondaries="none"), random.Random(seed)
        while not is_deployment(battle):
            assert battle.decision is not None
            battle.answer(battle.decision.sample(rng))
        found.add(tuple((each.embarked_in, each.in_reserves) for each in battle.state.units))
    assert len(found) > 2


# -- a leak is found -----------------------------------------------------------------------------------------------


def _everything(rules: EleventhRules, scene: Any, state: Any, side: Any) -> Any:
    return state.copy()


def _but_the_stream(rules: EleventhRules, scene: Any, state: Any, side: Any) -> Any:
    copy = state.copy()
    copy.dice = 0
    return copy


def _nothing(*arguments: Any, **more: Any) -> None:
    return None


def _counting_all(seat: Seat[Any, Any]) -> int:
    return seat._battle.number


def _whole_fork(battle: CoreBattle[Any, Any], side: Side, seed: int) -> CoreBattle[Any, Any]:
    return battle.fork(reseed=seed)


CHOICE_LEAKS: dict[str, tuple[Any, str, Any]] = {
    "a view of everything": (EleventhRules, "visible_state", _but_the_stream),
    "formations in the view": (battle_formations, "hide_declarations", _nothing),
    "secondaries in the view": (
        EleventhRules,
        "visible_state",
        lambda rules, scene, state, side: _formations_hidden(state, side),
    ),
    "copies that redraw nothing": (EleventhRules, "redraw", _nothing),
    "copies with the whole record": (CoreBattle, "imagine", _whole_fork),
    "the number of decisions": (Seat, "number", property(_counting_all)),
}


def _formations_hidden(state: Any, side: Any) -> Any:
    copy = state.copy()
    copy.dice = 0
    if copy.step in (2, 3):
        battle_formations.hide_declarations(copy, side)
    return copy


@pytest.mark.parametrize("leak", CHOICE_LEAKS)
def test_a_leak_of_secret_choices_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*CHOICE_LEAKS[leak])
    with pytest.raises(AssertionError, match="in secret"):
        deque(map(hold_choices_secret, SIDES))


DICE_LEAKS: dict[str, tuple[Any, str, Any, str]] = {
    "the place in the stream": (EleventhRules, "visible_state", _everything, "stream of dice"),
    "the seed": (Seat, "number", property(lambda seat: seat._battle.header.seed), "the seed"),
    "checksums": (CoreBattle, "imagine", _whole_fork, "checksums"),
    "the battle's dice": (CoreBattle, "imagine", lambda battle, side, seed: battle.fork(), "seed|dice|checksums"),
    "the other's decision": (Seat, "decision", property(lambda seat: seat._battle.decision), "the other's decision"),
    "what will be rolled": (
        Seat,
        "options",
        lambda seat: (_Told(str(seat._battle.dice.throw(seat._battle.state.dice, 3, 6, "x"))),),
        "not been thrown|the other's options",
    ),
}


class _Told:
    def __init__(self, text: str) -> None:
        self.key = self.label = text


@pytest.mark.parametrize("leak", DICE_LEAKS)
def test_a_leak_of_the_dice_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, value, told = DICE_LEAKS[leak]
    monkeypatch.setattr(where, name, value)
    with pytest.raises(AssertionError, match=told):
        walk(begin(SEED, secondaries="none"), random.Random(1))


def test_an_event_for_one_side_is_shown_to_it_alone() -> None:
    battle = begin()
    hidden = replace(battle.events[0], seen_by=SIDES[0])
    battle.events.append(hidden)
    assert hidden in battle.seat(SIDES[0]).events
    assert hidden not in battle.seat(SIDES[1]).events


# -- what copies draw anew ----------------------------------------------------------------------------------------


def after_choosing(pick: Callable[[Any], bool]) -> Battle:
    """The battle at side b's choice of secondary missions, side a having chosen."""
    battle = begin()
    while battle.decision is not None and not pick(battle):
        battle.answer(battle.decision.default())
    return battle


def test_a_seats_copies_draw_the_unrevealed_choice_in_many_ways_and_alike_by_seed() -> None:
    battle = after_choosing(lambda each: each.decision.kind == "choose-secondaries" and each.decision.side == SIDES[1])
    assert battle.state.book.modes[0]
    books = {battle.seat(SIDES[1]).fork(seed).state.book.active[0] for seed in range(40)}
    assert len(books) > 4
    assert plain(battle.seat(SIDES[1]).fork(7).state) == plain(battle.seat(SIDES[1]).fork(7).state)
    mine = {battle.seat(SIDES[0]).fork(seed).state.book.active[0] for seed in range(10)}
    assert mine == {battle.state.book.active[0]}, "what a side has chosen itself it knows"


def test_a_seats_copies_declare_legal_formations_and_can_be_played_to_the_end() -> None:
    battle = begin(1, secondaries="none")
    rng = random.Random(3)
    while battle.decision is not None and battle.decision.kind != "declare-reserves":
        battle.answer(battle.decision.sample(rng))
    assert battle.decision is not None
    side = battle.decision.side
    for seed in range(3):
        copy = battle.seat(side).fork(seed)
        while copy.decision is not None:
            copy.answer(copy.decision.default())
        assert copy.result is not None


def test_a_seats_copies_draw_other_cards_from_the_deck_than_the_battle() -> None:
    battle = begin(secondaries="tactical")
    while battle.decision is not None and not battle.state.round:
        battle.answer(battle.decision.default())
    decks = set()
    for seed in range(6):
        copy = battle.seat(SIDES[0]).fork(seed)
        while copy.decision is not None and copy.state.turns < 3:
            copy.answer(copy.decision.default())
        decks.add(copy.state.book.decks)
    assert len(decks) > 2


def test_the_forced_choice_of_a_switch_is_no_secret() -> None:
    assert len(secondaries._ways("tactical")) == 1
