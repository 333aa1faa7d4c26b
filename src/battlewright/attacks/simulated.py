"""A host without a battle: a plain target, a stream of dice, and a policy in place of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battlewright.attacks.choices import deal_evenly, reroll_class
from battlewright.attacks.description import Allocation, ChoicePoint, Packet, Policy, RerollWhich, Volley
from battlewright.attacks.resolve import Again, Explanation, Resolution, Throw, resolve
from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceSource, Roll
from battlewright.core.errors import BattlewrightError

__all__ = ["SimulatedHost", "simulate"]


class SimulatedHost:
    """Implements :class:`~battlewright.attacks.resolve.Host` over a volley's own target.

    Args:
        volley: that will be resolved; later volleys against the same target take :meth:`begin`.
        dice: where dice come from.
        policy: which dice are thrown again.
        choices: the alternative taken at each choice point, by name; the first one where none is named.

    Attributes:
        wounds: wounds remaining of every model, group by group, in the order in which they are lost; 0 for the slain.
        position: in the stream of dice.
        explanations: every throw so far.
        suffered: model and effect, in order.
    """

    def __init__(
        self,
        volley: Volley,
        dice: DiceSource,
        policy: Policy | None = None,
        choices: Mapping[str, str] | None = None,
        position: int = 0,
    ) -> None:
        self.dice = dice
        self.policy = policy or Policy()
        self.choices = dict(choices or {})
        self.position = position
        self.wounds = [list(group.remaining) for group in volley.target.groups]
        self.explanations: list[Explanation] = []
        self.suffered: list[tuple[int, str]] = []
        self.begin(volley)

    def begin(self, volley: Volley) -> None:
        """Take up a volley against the target as it is now."""
        self.volley = volley
        self._order = list(range(len(volley.target.groups)))
        self._models = [(g, i) for g, models in enumerate(self.wounds) for i in range(len(models))]
        self._numbers = {model: number for number, model in enumerate(self._models)}

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """See :meth:`Host.roll`."""
        faces, self.position = self.dice.throw(self.position, count, sides, purpose)
        return Roll(purpose, sides, faces)

    def rerolls(self, throw: Throw) -> Procedure[Sequence[Again]]:
        """See :meth:`Host.rerolls`; the class that the policy names, without asking."""
        return self._rerolls(throw)
        yield  # a procedure that asks nothing

    def _rerolls(self, throw: Throw) -> Sequence[Again]:
        which = reroll_class(self.policy, throw.purpose, throw.permission)
        if which is RerollWhich.NONE or throw.permission is None:
            return ()
        return [Again(token, throw.permission.rule) for token in throw.classes[which]]

    def choose(self, point: ChoicePoint, count: int) -> Procedure[Sequence[int]]:
        """See :meth:`Host.choose`; all go the same way."""
        names = [alternative.name for alternative in point.alternatives]
        taken = self.choices.get(point.name, names[0])
        return [count if name == taken else 0 for name in names]
        yield

    def order_pools(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[int]]:
        """See :meth:`Host.order_pools`; as they are written."""
        return range(len(waiting))
        yield

    def order_groups(self, packet: Packet, count: int) -> Procedure[None]:
        """See :meth:`Host.order_groups`; as written, the attacker's pick first for packets that follow it."""
        target = self.volley.target
        self._order = list(range(len(target.groups)))
        if target.precision_group is not None and packet.keeps_group and target.allocation is not Allocation.EVEN:
            self._order.remove(target.precision_group)
            self._order.insert(0, target.precision_group)
        return
        yield

    def current_group(self) -> int | None:
        """See :meth:`Host.current_group`."""
        for group in self._order:
            if any(self.wounds[group]):
                return group
        return None

    def deal(self, waiting: Sequence[tuple[Packet, int]]) -> Procedure[Sequence[Sequence[int]]]:
        """See :meth:`Host.deal`; in rounds over the models that live."""
        sizes = [sum(1 for left in models if left) for models in self.wounds]
        return deal_evenly([count for _, count in waiting], sizes)
        yield

    def select_model(self, group: int) -> Procedure[int | None]:
        """See :meth:`Host.select_model`; the first in the order of loss."""
        for index, left in enumerate(self.wounds[group]):
            if left:
                return self._numbers[group, index]
        return None
        yield

    def remaining(self, model: int) -> int:
        """See :meth:`Host.remaining`."""
        group, index = self._models[model]
        return self.wounds[group][index]

    def lose_wounds(self, model: int, wounds: int, packet: Packet) -> Procedure[int]:
        """See :meth:`Host.lose_wounds`."""
        group, index = self._models[model]
        lost = min(wounds, self.wounds[group][index])
        self.wounds[group][index] -= lost
        return lost
        yield

    def suffer_effect(self, model: int, packet: Packet) -> Procedure[None]:
        """See :meth:`Host.suffer_effect`."""
        self.suffered.append((model, packet.effect or ""))
        return
        yield

    def explain(self, explanation: Explanation) -> None:
        """See :meth:`Host.explain`."""
        self.explanations.append(explanation)

    @property
    def slain(self) -> int:
        """Models that have no wounds left."""
        return sum(1 for models in self.wounds for left in models if not left)


def simulate(volley: Volley, host: SimulatedHost) -> Resolution:
    """Resolve a volley at once with a host that asks nobody.

    Raises:
        BattlewrightError: when the procedure asks after all.
    """
    procedure = resolve(volley, host)
    try:
        asked = next(procedure)
    except StopIteration as stopped:
        done: Resolution = stopped.value
        return done
    raise BattlewrightError(f"a simulated host answers everything itself, yet {asked!r} was asked")
