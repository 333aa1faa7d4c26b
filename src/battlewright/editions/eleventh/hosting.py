"""The battle as the host of an attack (05): its dice, its models, and the players who choose.

:func:`battlewright.attacks.resolve.resolve` works through a volley and asks a :class:`BattleHost` for everything that
belongs to the battle. Choices become decisions only where there is something to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from battlewright.attacks.choices import save_tables
from battlewright.attacks.description import Allocation, ChoicePoint, Packet, RerollWhich, Volley
from battlewright.attacks.resolve import Again, Explanation, Throw
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side
from battlewright.core.dice import Roll
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.circumstances import is_indirect
from battlewright.editions.eleventh.command_re_roll import may_re_roll, re_roll_of_throw
from battlewright.editions.eleventh.damage import (
    is_wounded,
    lose_wounds,
    mortal_wound_candidates,
    select_model,
)
from battlewright.editions.eleventh.datasheet import WeaponAbilityName
from battlewright.editions.eleventh.events import StageResolved
from battlewright.editions.eleventh.pools import Pool
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.target import TargetView, allocation_groups, is_legal_order, precision_choices
from battlewright.editions.eleventh.visibility import visible_matrix
from battlewright.editions.eleventh.weapon_abilities import abilities_in_force, find

__all__ = ["BattleHost"]

_MOST_ORDERS = 4
"""Kinds of packets of one stage up to which every order is listed."""
_NEVER = 7
"""The number needed where no face is enough."""

_ASKED = {"lethal": "critical hits may wound at once"}
_WORDS = {"take": "wound at once", "decline": "roll to wound"}
"""Choices of an attack and their ways, as a player speaks of them."""


def _ways(first: str, some: int, second: str, others: int) -> str:
    """So many of the attacks go one way, so many the other."""
    parts = [(some, first), (others, second)]
    return ", ".join(f"{count} {_WORDS.get(name, name)}" for count, name in parts if count)


class BattleHost:
    """What :mod:`~battlewright.attacks.resolve` asks, answered by the battle.

    Args:
        attacker: the unit that attacks.
        view: the target as the volley was compiled against it; the ``id`` of each of its models is its row.

    Attributes:
        lost: wounds lost by the target.
        slain: models of it destroyed.
    """

    def __init__(self, battle: Battle11, attacker: int, pool: Pool, view: TargetView, volley: Volley) -> None:
        self._battle, self._attacker, self._pool, self._view = battle, attacker, pool, view
        self._target = pool.target
        self._weapon, self._volley = volley.name, volley
        self._groups = allocation_groups(view)
        self._rows = [[view.models[index].id for index in group.models] for group in self._groups]
        self._order = list(range(len(self._groups)))
        self._picked: int | None = None
        self._is_pick_settled = self._is_order_settled = False
        self._packet: Packet | None = None
        self.lost = self.slain = 0

    # -- dice -------------------------------------------------------------------------------------------------------

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """See :class:`~battlewright.attacks.resolve.Host`."""
        return self._battle.roll(count, sides, purpose)

    @rule("11e.24.38-twin-linked.reroll-wound")
    def rerolls(self, throw: Throw) -> Procedure[Sequence[Again]]:
        """Whoever threw the dice picks one of the classes of dice that a rule permits to throw again, or none; if none,
        it may use Command Re-roll on one of them."""
        again = yield from self._permitted(throw)
        return again or (yield from self._command_re_roll(throw))

    def _permitted(self, throw: Throw) -> Procedure[Sequence[Again]]:
        classes: dict[tuple[int, ...], RerollWhich] = {}
        for which in (RerollWhich.FAILURES, *throw.classes):  # of classes that name the same dice, failures by name
            if tokens := throw.classes.get(which):
                classes.setdefault(tokens, which)
        if throw.permission is None or not classes:
            return ()
        permission = throw.permission
        options = [
            Option(str(which), f"re-roll {len(tokens)} dice ({which})", tokens) for tokens, which in classes.items()
        ]
        side = self._defender if throw.purpose == "save" else self._side
        keys = [option.key for option in options]
        default = str(RerollWhich.FAILURES) if str(RerollWhich.FAILURES) in keys else "none"
        choices = Options([*options, Option("none", "keep them", ())], rule=permission.rule, default=default)
        again: tuple[int, ...] = yield from choose(
            Decision(side, "re-roll", f"{self._weapon}: re-roll {throw.purpose} dice?", permission.rule, choices)
        )
        return [Again(token, permission.rule) for token in again]

    @rule("11e.core.15.09-snap-shooting", "11e.core.10.07-indirect-penalties")
    def _command_re_roll(self, throw: Throw) -> Procedure[Sequence[Again]]:
        """For hit, wound, save and damage rolls and numbers of attacks; no hit rolls of snap and indirect shooting."""
        kind = throw.purpose.partition("-")[0]
        if kind not in ("attacks", "hit", "wound", "save", "damage"):
            return ()
        unit = self._target if kind == "save" else self._attacker
        if not may_re_roll(self._battle, unit) or (kind == "hit" and self._keeps_hits()):
            return ()
        return (yield from re_roll_of_throw(self._battle, unit, throw, kind, self._failures(kind, throw)))

    def _keeps_hits(self) -> bool:
        """Whether hit rolls of these attacks are never thrown again."""
        use = self._pool.uses[0]
        in_force = abilities_in_force(use.profile, self._view.keywords, use.context.granted, use.context.chosen)
        return use.context.snap or is_indirect(in_force, use.context)

    def _failures(self, kind: str, throw: Throw) -> Callable[[int], bool]:
        """Which faces of a die of the throw are failures; low ones where it is an amount."""
        if kind in ("hit", "wound"):
            step = self._volley.step(throw.purpose)
            return lambda face: not step.outcome(face).success
        if kind == "save":
            assert self._packet is not None, "a save is rolled for a packet"
            group = self.current_group()
            assert group is not None, "a save is rolled for a model that lives"
            table = save_tables(self._volley, self._packet)[group]
            return lambda face: not table.stops[face - 1]
        return lambda face: 2 * face <= throw.roll.sides

    def explain(self, explanation: Explanation) -> None:
        """Record what was thrown and what it came to."""
        units = self._battle.scene.units
        attacker, target = units[self._attacker].id, units[self._target].id
        self._battle.happened(
            StageResolved.of(explanation, unit=attacker, target=target, weapon=self._weapon, never=_NEVER)
        )

    # -- choices of the attacker --------------------------------------------------------------------------------------

    @rule("11e.24.23-lethal-hits.auto-wound-option", "11e.24.23-lethal-hits.may-decline")
    def choose(self, point: ChoicePoint, count: int) -> Procedure[Sequence[int]]:
        """How many of the attacks go each way; asked once for all of them, as a number for the first way."""
        assert len(point.alternatives) == 2, "a choice of an attack has two ways"
        first, second = point.alternatives
        rule_id = (first.rules or second.rules)[0]
        options = [
            Option(f"{first.name}:{number}", _ways(first.name, number, second.name, count - number), number)
            for number in range(count, -1, -1)
        ]
        choices = Options(options, rule=rule_id, default=f"{first.name}:{count}")
        number: int = yield from choose(
            Decision(
                self._side,
                point.name,
                f"{self._weapon}: {_ASKED.get(point.name, point.name)} ({count})",
                rule_id,
                choices,
            )
        )
        return (number, count - number)

    @rule("11e.core.05.03-split-pools")
    def order_pools(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[int]]:
        """The active player, who is the attacker, orders the kinds of wounds that differ."""
        if len(waiting) > _MOST_ORDERS:
            return tuple(range(len(waiting)))
        rule_id = "11e.core.05.03-split-pools"
        options = []
        for order in permutations(range(len(waiting))):
            names = [f"{waiting[number][1]} {waiting[number][0].name}" for number in order]
            options.append(Option("-".join(map(str, order)), ", then ".join(names), order))
        choices = Options(options, rule=rule_id, default=options[0].key)
        picked: tuple[int, ...] = yield from choose(
            Decision(self._side, "order-pools", f"{self._weapon}: which wounds first?", rule_id, choices)
        )
        return picked

    @rule(
        "11e.24.28-precision.select-character-group",
        "11e.24.28-precision.timing",
        "11e.24.28-precision.visibility-required",
        "11e.core.05.03-precision",
        "11e.core.06.02-precision",
    )
    def _pick_group(self) -> Procedure[None]:
        """With PRECISION the attacker may pick the group of a CHARACTER that one of the attacking models sees."""
        use = self._pool.uses[0]
        in_force = abilities_in_force(use.profile, self._view.keywords, use.context.granted, use.context.chosen)
        if find(in_force, WeaponAbilityName.PRECISION) is None:
            return
        numbers = precision_choices(self._view, self._groups, self._seen())
        if not numbers:
            return
        rule_id = "11e.24.28-precision.select-character-group"
        options = [Option(f"group:{number}", self._group_name(number), number) for number in numbers]
        choices = Options([*options, Option("none", "nobody", None)], rule=rule_id, default=options[0].key)
        self._picked = yield from choose(
            Decision(self._side, "precision", f"{self._weapon}: pick a CHARACTER?", rule_id, choices)
        )

    def _seen(self) -> list[list[int]]:
        """For each attacking model the places in the view of the models that it sees."""
        scene, state = self._battle.scene, self._battle.state
        visible = visible_matrix(scene, state, self._attacker, self._target)
        observers = [row for row in state.units[self._attacker].models if state.on_table[row] and state.wounds[row] > 0]
        shooters = [observers.index(row) for row in dict.fromkeys(use.row for use in self._pool.uses)]
        return [[place for place in range(visible.shape[1]) if visible[shooter, place]] for shooter in shooters]

    # -- allocation by the defender -----------------------------------------------------------------------------------

    def order_groups(self, packet: Packet, count: int) -> Procedure[None]:
        """The attacker's pick first, then the defender's order; both once for all attacks of the pool."""
        self._packet = packet
        if not self._is_pick_settled:
            self._is_pick_settled = True
            yield from self._pick_group()
        if not self._is_order_settled:
            self._is_order_settled = True
            yield from self._order_blocks()

    @rule("11e.core.05.03-order", "11e.core.05.03-several-wounded")
    def _order_blocks(self) -> Procedure[None]:
        """Wounded groups that are of no CHARACTER, then the others, then wounded CHARACTERS, then the others of them.

        Among equals the defender orders; a single way needs no question.
        """
        wounded = {group.block for group in self._groups if group.is_wounded}
        ranks: dict[tuple[bool, bool], list[int]] = {}
        for number in self._order:
            group = self._groups[number]
            some = ranks.setdefault((group.is_character, group.block not in wounded), [])
            if group.block not in some:
                some.append(group.block)
        order: list[int] = []
        for rank in sorted(ranks):
            left = ranks[rank]
            while len(left) > 1:
                picked = yield from self._next_block(left)
                order.append(picked)
                left = [block for block in left if block != picked]
            order += left
        self._order.sort(key=lambda number: order.index(self._groups[number].block))
        assert is_legal_order(self._groups, self._order), "only orders that 05.03 allows are offered"

    def _next_block(self, blocks: Sequence[int]) -> Procedure[int]:
        rule_id = "11e.core.05.03-order"
        options = []
        for block in blocks:
            number = next(n for n in self._order if self._groups[n].block == block)
            options.append(Option(f"group:{number}", self._group_name(number), block))
        choices = Options(options, rule=rule_id, default=options[0].key)
        target = self._battle.scene.units[self._target]
        picked: int = yield from choose(
            Decision(
                self._defender,
                "order-groups",
                f"{target.name}: which group takes the attacks of {self._weapon} first?",
                rule_id,
                choices,
                subject=target.index,
            )
        )
        return picked

    @rule(
        "11e.core.05.04-next-group",
        "11e.24.28-precision.duration",
        "11e.core.06.02-mortal-wounds",
        "11e.core.05.04-saves-of-a-model",
    )
    def current_group(self) -> int | None:
        """The picked group while it lives, else the next in order with a model left; mortal wounds by 06.02.

        RULING: 11e.core.06.02-mortal-wounds "any model that is not a CHARACTER" is taken from the group that the
        defender has put first.
        """
        assert self._packet is not None, "the order of the groups is settled first"
        if self._picked is not None and self._packet.keeps_group and self._alive(self._picked):
            return self._picked
        candidates = self._candidates()
        return next((group for group in self._order if self._alive(group, candidates)), None)

    def _candidates(self) -> frozenset[int] | None:
        """The models that mortal wounds may go to; None where these are no mortal wounds."""
        assert self._packet is not None
        if self._packet.saved:
            return None
        return frozenset(mortal_wound_candidates(self._battle.scene, self._battle.state, self._target))

    def _alive(self, group: int, among: frozenset[int] | None = None) -> list[int]:
        wounds = self._battle.state.wounds
        return [row for row in self._rows[group] if wounds[row] > 0 and (among is None or row in among)]

    @rule("11e.core.05.04-select-model")
    def select_model(self, group: int) -> Procedure[int | None]:
        """A wounded model of the group if there is one, else one that the defender selects."""
        scene, state = self._battle.scene, self._battle.state
        candidates = self._candidates() if group != self._picked else None
        alive = self._alive(group, candidates) or self._alive(group)
        if not alive:
            return None
        rows = [row for row in alive if is_wounded(scene, state, row)] or alive
        picked: int = yield from select_model(
            self._battle, rows, f"which model do the attacks of {self._weapon} wound?", "11e.core.05.04-select-model"
        )
        return picked

    def remaining(self, model: int) -> int:
        """See :class:`~battlewright.attacks.resolve.Host`."""
        return int(self._battle.state.wounds[model])

    def lose_wounds(self, model: int, wounds: int, packet: Packet) -> Procedure[int]:
        """The model loses wounds; destroyed, it stays on the table until the unit's attacks are resolved (01.08)."""
        lost = lose_wounds(self._battle, model, wounds, self._weapon, *packet.rules)
        self.lost += lost
        self.slain += lost > 0 and self.remaining(model) == 0
        return lost
        yield

    # -- what this edition does not have ------------------------------------------------------------------------------

    def deal(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[Sequence[int]]]:
        """Dealing out evenly is no allocation of this edition."""
        raise NotImplementedError(f"the 11th edition allocates {Allocation.SORTED}")
        yield

    def suffer_effect(self, model: int, packet: Packet) -> Procedure[None]:
        """Packets of this edition are damage."""
        raise NotImplementedError(f"{packet.name} has an effect in place of damage")
        yield

    # -- sides --------------------------------------------------------------------------------------------------------

    @property
    def _side(self) -> Side:
        return self._battle.scene.units[self._attacker].side

    @property
    def _defender(self) -> Side:
        return self._battle.scene.units[self._target].side

    def _group_name(self, number: int) -> str:
        group = self._groups[number]
        names = dict.fromkeys(self._view.models[index].profile.name for index in group.models)
        return f"{len(group.models)} {' + '.join(names)}"
