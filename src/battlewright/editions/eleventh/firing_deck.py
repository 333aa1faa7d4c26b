"""Firing Deck (24.14): passengers lend their weapons to the transport that shoots."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.core_abilities import firing_deck
from battlewright.editions.eleventh.datasheet import WeaponAbilityName
from battlewright.editions.eleventh.passengers import aboard, models_aboard
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState, Phase

__all__ = ["bar_passengers", "lend_weapons", "lendable", "may_be_lent"]

_FIRST = "11e.24.14-firing-deck.step1-up-to-x"


@rule(
    "11e.24.14-firing-deck.step1-already-selected",
    "11e.24.14-firing-deck.step2-one-weapon",
    "11e.24.14-firing-deck.step2-no-one-shot",
)
def lendable(scene: Scene, state: EleventhState, transport: int) -> list[tuple[int, int]]:
    """(model, weapon) pairs of which one may still be chosen: ranged weapons, none of them ONE SHOT, of models aboard
    that have not been chosen and whose unit has not been selected to shoot this phase."""
    chosen = {giver for _, giver, _ in state.lent}
    return [
        (row, number)
        for unit in aboard(state, transport)
        if not state.units[unit].selected_to_shoot
        for row in living(state, unit)
        if row not in chosen
        for number, weapon in enumerate(scene.models[row].weapons)
        if not weapon.melee and not any(each.has(WeaponAbilityName.ONE_SHOT) for each in weapon.profiles)
    ]


def places(scene: Scene, state: EleventhState, transport: int) -> tuple[int, int]:
    """The first model of the transport that has Firing Deck, and how many models it may pick in all; (-1, 0) without.

    RULING: 11e.24.14-firing-deck.step1-up-to-x of a unit of several transports the first one takes all the weapons.
    """
    own = state.phase == Phase.SHOOTING and state.turn == state.units[transport].side
    count = len(models_aboard(state, transport))
    for row in standing(state, transport):
        most = firing_deck(scene.models[row].profile, count, own_shooting_phase=own)
        if most:
            return row, most
    return -1, 0


@rule("11e.24.14-firing-deck.trigger")
def may_be_lent(scene: Scene, state: EleventhState, transport: int, name: WeaponAbilityName) -> bool:
    """Whether models aboard could lend the transport a weapon with the ability."""
    _, most = places(scene, state, transport)
    return most > 0 and any(
        profile.has(name)
        for row, number in lendable(scene, state, transport)
        for profile in scene.models[row].weapons[number].profiles
    )


@rule(
    "11e.24.14-firing-deck.trigger",
    "11e.24.14-firing-deck.order",
    "11e.24.14-firing-deck.step1-up-to-x",
    "11e.24.14-firing-deck.step2-one-weapon",
    "11e.24.14-firing-deck.step3-transport-has-weapons",
)
def lend_weapons(battle: Battle11, transport: int) -> Procedure[bool]:
    """Let models aboard lend one weapon each, up to X; returns whether the sequence ran (24.14).

    Model and weapon are picked together. The default takes the first weapon of as many models as may be.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[transport]
    row, most = places(scene, state, transport)
    if not most:
        return False
    while len(state.lent) < most and lendable(scene, state, transport):
        options = _options(scene, state, transport)
        choices = Options(options, rule=_FIRST, default="all")
        prompt = f"{info.name}: which passengers fire from it ({len(state.lent)} of {most})?"
        picked: list[tuple[int, int]] = yield from choose(
            Decision(info.side, "firing-deck", prompt, _FIRST, choices, subject=info.index)
        )
        if not picked:
            break
        left = most - len(state.lent)
        state.lent += tuple((row, giver, weapon) for giver, weapon in picked[:left])
    return True


def _options(scene: Scene, state: EleventhState, transport: int) -> list[Option]:
    """One model of each kind with each of its weapons; all that are left with their first weapons; nobody."""
    kinds: dict[tuple[int, str, str], tuple[int, int]] = {}
    first: dict[int, int] = {}
    for row, weapon in lendable(scene, state, transport):
        model = scene.models[row]
        kinds.setdefault((model.unit, model.name, model.weapons[weapon].name), (row, weapon))
        first.setdefault(row, weapon)
    return [
        *(
            Option(f"{row}:{weapon}", f"{name} with {arm}", [(row, weapon)])
            for (_, name, arm), (row, weapon) in kinds.items()
        ),
        Option("all", "as many as may, each with its first weapon", list(first.items())),
        Option("done", "nobody else", []),
    ]


@rule("11e.24.14-firing-deck.step4-embarked-cannot-shoot", "11e.24.14-firing-deck.order")
def bar_passengers(state: EleventhState, units: Sequence[int]) -> None:
    """Step 4: no unit that was aboard is eligible to shoot until the turn ends, picked or not (24.14)."""
    for unit in units:
        state.units[unit].may_not_shoot = True
