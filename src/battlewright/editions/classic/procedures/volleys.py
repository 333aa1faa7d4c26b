"""Attacks of the 3rd edition as they are rolled: several weapons to their wounding hits, shared out together, saved.

A unit's attacks on another are resolved as one: every weapon is rolled as far as the hits that wound, these are dealt
out over the target's models in one go, and then saves are rolled. Who falls is the caller's affair, for fire and close
combat differ in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias

from battlewright.attacks.choices import deal_evenly, save_tables
from battlewright.attacks.description import ChoicePoint, Packet, RerollWhich, Volley
from battlewright.attacks.resolve import Again, Explanation, Throw, roll_saves, roll_to_packets
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side
from battlewright.core.dice import Roll
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.casualties import one_each_faults
from battlewright.editions.classic.procedures.damaging import damage_vehicle
from battlewright.editions.classic.procedures.harm import bury, lose_wounds
from battlewright.editions.classic.procedures.prowess import MASTER_CRAFTED, crafted, kills_at_once, shrugs_off
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.target import TargetGroup, TargetView
from battlewright.editions.happenings import StageResolved

__all__ = [
    "Arrived",
    "Batch",
    "BeforeSharing",
    "Host",
    "Unsaved",
    "clear_away",
    "failed_saves",
    "suffer",
    "unsaved_by",
    "unsaved_wounds",
    "wound_of",
    "wounding_hits",
]

OVERHEATED = "gets hot"
_OUTRIGHT = 10
_MOST = 4
"""Groups, or kinds of wounding hits, up to which every order of them is listed."""
_SHARE = "3e.mixed.one-each"
_NEVER = 13
"""The number needed where no total of one die or two is enough."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Identical attacks of one unit on one target.

    Attributes:
        rows: models that make them.
        pins: whether losses by them may pin.
        concusses: whether whoever loses a wound to them is concussed.
        covered: rows under the template that they come from; None for anything else.
        again: which dice of a throw are thrown again that no rule of the attack itself lets him.
    """

    volley: Volley
    rows: tuple[int, ...]
    pins: bool = False
    covered: tuple[int, ...] | None = None
    concusses: bool = False
    again: Callable[[Throw], Procedure[Sequence[Again]]] | None = None


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Wounds that no save stopped.

    Attributes:
        rows: the models that may take them, alike in saves, wounds and Toughness.
        outright: whether each kills whoever takes it.
        wounds: how many wounds each of them takes from a model otherwise.
        precise: whether the attacker picks who takes them.
    """

    batch: Batch
    rows: tuple[int, ...]
    count: int
    outright: bool
    wounds: int = 1
    precise: bool = False


Arrived: TypeAlias = list[tuple[Batch, Packet, int]]
"""Wounding hits: of which batch, of which kind, how many."""
BeforeSharing: TypeAlias = Callable[[Arrived], Procedure[tuple[Arrived, list[Unsaved]]]]


class Host:
    """The battle as the host of an attack: its dice, its models, its players.

    Attributes:
        overheated: how many attacks hit the firers themselves.
        destroyed: the result that has destroyed the vehicle that is attacked, None while it lives.
        results: every result of a damage table that it has suffered, as its own equipment lets it.
        stages: the names of the steps that were rolled.
    """

    def __init__(self, battle: ClassicBattle, attacker: int, target: int, batch: Batch, row: int | None = None) -> None:
        self._battle, self._attacker, self._target = battle, attacker, target
        self._weapon, self._rows, self._again = batch.volley.name, batch.rows, batch.again
        self._row = row
        self.overheated = 0
        self.destroyed: DamageResult | None = None
        self.results: list[DamageResult] = []
        self.stages: set[str] = set()

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """See :class:`~battlewright.attacks.resolve.Host`."""
        return self._battle.roll(count, sides, purpose)

    def rerolls(self, throw: Throw) -> Procedure[Sequence[Again]]:
        """Whoever threw the dice throws again what a rule lets him; there is no reason not to.

        A master-crafted weapon repeats one miss, and has used it up for the turn.
        """
        tokens: Sequence[int] = ()
        if throw.permission is not None:
            widest = RerollWhich.ONES if throw.permission.widest is RerollWhich.ONES else RerollWhich.FAILURES
            tokens = throw.classes.get(widest, ())
            if throw.permission.rule == MASTER_CRAFTED:
                tokens = tokens[: len(self._rows)]
                self._battle.state.units[self._attacker].did(*(crafted(row) for row in self._rows[: len(tokens)]))
            if tokens:
                return [Again(token, throw.permission.rule) for token in tokens]
        return () if self._again is None else (yield from self._again(throw))

    def choose(self, point: ChoicePoint, count: int) -> Procedure[Sequence[int]]:
        """No attack of this edition leaves a choice."""
        raise NotImplementedError(f"{point.name} is no choice of the classic editions")
        yield

    def order_pools(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[int]]:
        """As they are written: damage before effects makes no difference to a single vehicle."""
        return range(len(waiting))
        yield

    def order_groups(self, packet: Packet, count: int) -> Procedure[None]:
        """A vehicle is one group."""
        return
        yield

    def current_group(self) -> int | None:
        """See :class:`~battlewright.attacks.resolve.Host`."""
        return 0 if self._alive() else None

    def deal(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[Sequence[int]]]:
        """All to the vehicle."""
        return [(count,) for _, count in waiting]
        yield

    def select_model(self, group: int) -> Procedure[int | None]:
        """The vehicle while it lives."""
        return self._row if self._alive() else None
        yield

    def _alive(self) -> bool:
        return self._row is not None and int(self._battle.state.wounds[self._row]) > 0

    def remaining(self, model: int) -> int:
        """See :class:`~battlewright.attacks.resolve.Host`."""
        return int(self._battle.state.wounds[model])

    def lose_wounds(self, model: int, wounds: int, packet: Packet) -> Procedure[int]:
        """A result that destroys the vehicle."""
        lost = min(wounds, self.remaining(model))
        yield from self._damage(model, packet)
        return lost

    def suffer_effect(self, model: int, packet: Packet) -> Procedure[None]:
        """A result that leaves the vehicle, or brings it down; or a weapon that has hit its own bearer."""
        if packet.effect == OVERHEATED:
            self.overheated += 1
        elif self._alive():
            yield from self._damage(model, packet)

    def _damage(self, model: int, packet: Packet) -> Procedure[None]:
        result = DamageResult(packet.name)
        scene = self._battle.scene
        self.results.append(scene.rules.vehicles.damage.softened(scene.models[model].profile.abilities, result))
        self.destroyed = yield from damage_vehicle(self._battle, model, result)

    def explain(self, explanation: Explanation) -> None:
        """Record what was thrown and what it came to."""
        units = self._battle.scene.units
        self.stages.add(explanation.purpose)
        attacker, target = units[self._attacker].id, units[self._target].id
        self._battle.happened(
            StageResolved.of(explanation, unit=attacker, target=target, weapon=self._weapon, never=_NEVER)
        )


# -- living models ----------------------------------------------------------------------------------------------


def wounding_hits(
    battle: ClassicBattle, attacker: int, target: int, batches: Sequence[Batch]
) -> Procedure[tuple[Arrived, list[tuple[Batch, int]]]]:
    """Roll all the batches to their wounding hits; and for each that hit its own bearers how often it did."""
    arrived: Arrived = []
    overheated: list[tuple[Batch, int]] = []
    for batch in batches:
        done = yield from roll_to_packets(batch.volley, Host(battle, attacker, target, batch))
        for packet in batch.volley.packets:
            count = done.packets[packet.name]
            if count and packet.effect == OVERHEATED:
                overheated.append((batch, count))
            elif count:
                arrived.append((batch, packet, count))
    return arrived, overheated


@rule("3e.casualties.open-first", "3e.mixed.armour-ignored", "3e.mixed.one-each", "3e.mixed.ex-incubi")
@rule("3e.core.shooting.order", "3e.core.shooting.partly-in-cover", "3e.outside.hits-open-first")
def unsaved_wounds(
    battle: ClassicBattle,
    attacker: int,
    target: int,
    batches: Sequence[Batch],
    view: TargetView,
    before: BeforeSharing | None = None,
) -> Procedure[tuple[list[Unsaved], list[tuple[Batch, int]]]]:
    """Roll all the batches to their wounding hits, share these out together, and save.

    Args:
        view: the models that can be harmed, as the volleys were compiled against them.
        before: what an edition does with the wounding hits before they are shared out: those that are left, and wounds
            that no save has stopped.

    Returns:
        The wounds that no save stopped; and for each batch that hit its own bearers how often.
    """
    arrived, overheated = yield from wounding_hits(battle, attacker, target, batches)
    found: list[Unsaved] = []
    if before is not None:
        arrived, found = yield from before(arrived)
    groups = battle.scene.rules.attack.groups(view)
    defender = battle.scene.units[target].side
    order = yield from _order_of_groups(battle, defender, target, groups, view, sum(count for *_, count in arrived))
    kinds = yield from _order_of_kinds(battle, defender, target, arrived, len(groups))
    arrived = [arrived[number] for number in kinds]
    shares = deal_evenly([count for *_, count in arrived], [len(groups[number].models) for number in order])
    _check_shares(shares, [groups[number] for number in order], view)
    for (batch, packet, _), row in zip(arrived, shares, strict=True):
        for number, share in zip(order, row, strict=True):
            failed = yield from failed_saves(battle, attacker, target, batch, packet, number, share)
            if failed:
                rows = tuple(view.models[index].id for index in groups[number].models)
                found.append(unsaved_by(batch, packet, rows, failed))
    return found, overheated


def unsaved_by(batch: Batch, packet: Packet, rows: tuple[int, ...], count: int) -> Unsaved:
    """So many unsaved wounds of a packet."""
    wounds = packet.damage.values[0]
    return Unsaved(batch, rows, count, wounds >= _OUTRIGHT, wounds, packet.name.startswith("precise"))


def failed_saves(
    battle: ClassicBattle, attacker: int, target: int, batch: Batch, packet: Packet, group: int, share: int
) -> Procedure[int]:
    """How many of a group's share of wounding hits no save stops."""
    tables = save_tables(batch.volley, packet)
    if not share or not tables or not any(tables[group].stops):
        return share
    faces = yield from roll_saves(packet, tables[group], share, Host(battle, attacker, target, batch))
    return sum(not tables[group].stops[face - 1] for face in faces)


def _check_shares(shares: Sequence[Sequence[int]], groups: Sequence[TargetGroup], view: TargetView) -> None:
    """Dealing in rounds gives nobody a second hit before everybody has one; among models in cover by themselves."""
    each, rows = [], []
    for place, group in enumerate(groups):
        total = sum(row[place] for row in shares)
        size = len(group.models)
        for number, index in enumerate(group.models):
            each.append((total // size + (number < total % size),))
            rows.append(view.models[index].id)
    assert not one_each_faults(each, rows), "hits are shared out one to each model before any gets a second"


def _order_of_groups(
    battle: ClassicBattle, side: Side, target: int, groups: Sequence[TargetGroup], view: TargetView, hits: int
) -> Procedure[tuple[int, ...]]:
    """The owner's order of groups that differ in saves or wounds; asked only where it can matter."""
    plain = tuple(range(len(groups)))
    models = sum(len(group.models) for group in groups)
    if not 1 < len(groups) <= _MOST or not hits or hits % models == 0:
        return plain
    legal = battle.scene.rules.attack.is_legal_order
    orders = [order for order in permutations(plain) if legal(groups, order)]
    if len(orders) == 1:
        return plain
    names = [view.models[group.models[0]].profile.name for group in groups]
    options = [Option("-".join(map(str, order)), ", then ".join(names[n] for n in order), order) for order in orders]
    picked: tuple[int, ...] = yield from _asked(battle, side, target, "order-groups", options)
    return picked


def _order_of_kinds(
    battle: ClassicBattle, side: Side, target: int, arrived: Sequence[tuple[Batch, Packet, int]], groups: int
) -> Procedure[tuple[int, ...]]:
    """The owner's order of the kinds of wounding hits, so that he says which models take which."""
    plain = tuple(range(len(arrived)))
    if groups == 1 or not 1 < len(arrived) <= _MOST:
        return plain
    names = [f"{count} × {wound_of(batch.volley.name, packet.name)}" for batch, packet, count in arrived]
    options = [
        Option("-".join(map(str, order)), ", then ".join(names[n] for n in order), order)
        for order in permutations(plain)
    ]
    picked: tuple[int, ...] = yield from _asked(battle, side, target, "order-hits", options)
    return picked


def wound_of(weapon: str, kind: str) -> str:
    """A wound as players call it: by its weapon, and by its kind where it is no ordinary one."""
    return weapon if kind == "damage" else f"{weapon} ({kind.removesuffix(' damage')})"


def _asked(
    battle: ClassicBattle, side: Side, target: int, kind: str, options: Sequence[Option]
) -> Procedure[tuple[int, ...]]:
    info = battle.scene.units[target]
    picked: tuple[int, ...] = yield from choose(
        Decision(
            side,
            kind,
            f"{info.name}: in which order are hits shared out?",
            _SHARE,
            Options(options, rule=_SHARE, default=options[0].key),
            subject=info.index,
        )
    )
    return picked


def suffer(battle: ClassicBattle, row: int, outright: bool, why: str, *rules: str, wounds: int = 1) -> int:
    """One unsaved wound on a model; returns the wounds lost, none where the model shrugs it off.

    The dead stay until :func:`clear_away`.

    Args:
        wounds: how many wounds it counts as.
    """
    left = int(battle.state.wounds[row])
    if outright and not kills_at_once(battle.scene, battle.state, row, outright=outright):
        outright, wounds = False, 1
    if left and shrugs_off(battle, row, outright=outright):
        return 0
    return lose_wounds(battle, row, left if outright else min(wounds, left), why, *rules)


def clear_away(battle: ClassicBattle, rows: Sequence[int], by: str = "", *, aboard: bool = False) -> int:
    """Take those among these models who have no wounds left off the table; how many they are.

    Args:
        aboard: whether they may be in a vehicle, and so not on the table themselves.
    """
    gone = [row for row in rows if not battle.state.wounds[row] and (aboard or battle.state.on_table[row])]
    bury(battle, gone, "destroyed", "3e.casualties.owner-chooses", by=by, aboard=aboard)
    return len(gone)
