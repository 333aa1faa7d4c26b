"""A player of the classic editions that plays to win: it goes where its units are worth most, shoots where the exact
odds say that most is gained, assaults when that pays, and takes ground when the battle nears its end.

It looks one decision ahead and draws nothing: the same battle gets the same answers. What it has no opinion about it
leaves to the rules' own defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from battlewright.core.battle import Seat
from battlewright.core.decisions import Answer, Decision, Option, Pick, Place
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.ground import difficult_of
from battlewright.editions.classic.procedures.moving import MoveSpace as ClassicMove
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.placing import formations
from battlewright.editions.placing.moves import MoveSpace
from battlewright.editions.placing.setting_up import SetUpSpace
from battlewright.players.classic.estimates import Estimates
from battlewright.players.classic.flights import Flights, best_flight, is_flight, worth_of_bomb
from battlewright.players.classic.plans import Plan, Plans
from battlewright.players.opinionated import Handler, Opinionated

__all__ = ["ClassicHeuristic"]


class ClassicHeuristic(Opinionated):
    """Answers by rules of thumb and by the exact odds of attacks.

    Args:
        seed: not used; the player draws nothing.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._plans: Plans | None = None

    def sit_down(self, scene: Scene) -> None:
        """See the base."""
        self._plans = Plans(scene, Estimates(scene))

    def handler(self, kind: str) -> Handler | None:
        """See the base."""
        return _HANDLERS.get(kind)

    @property
    def plans(self) -> Plans:
        """What units should do in the present battle."""
        assert self._plans is not None
        return self._plans

    # -- before the battle ------------------------------------------------------------------------------------------

    def _deployed(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """As the list has it: in their vehicles those who begin there, all others on the table."""
        return decision.default()

    def _deploy(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        space = decision.choices
        if not isinstance(space, SetUpSpace) or decision.subject is None:
            return decision.default()
        point = self.plans.deployment_point(state, decision.subject, space.region)
        answer = formations.pack(space, point)
        return answer if answer.moves and not space.check(answer) else decision.default()

    # -- movement ---------------------------------------------------------------------------------------------------

    def _mover(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """Passengers who are where they are wanted, then those nearest to the enemy; who should stay is not moved."""
        options = [option for option in decision.options() if isinstance(option.value, tuple)]
        out = [option for option in options if option.value[1] is None and self.plans.gets_out(state, option.value[0])]
        if out:
            return Pick(out[0].key)
        units = [option for option in options if option.value[1] is False and standing(state, option.value[0])]
        going = [option for option in units if not self.plans.plan(state, option.value[0]).stays]
        if not going:
            return Pick("end") if any(option.key == "end" for option in decision.options()) else decision.default()
        return Pick(min(going, key=lambda option: (self._distance(state, option.value[0]), option.value[0])).key)

    def _distance(self, state: ClassicState, unit: int) -> float:
        foes = self.plans.enemies(state, state.units[unit].side)
        return min((self.plans.gap(state, unit, foe) for foe in foes), default=0.0)

    def _move_kind(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        assert decision.subject is not None
        offered = {option.key for option in decision.options()}
        plan = self.plans.plan(state, decision.subject)
        if "terrain" in offered and self._is_slowed(seat.scene, state, decision.subject, plan):
            return Pick("terrain")
        return Pick("normal") if "normal" in offered else decision.default()

    def _is_slowed(self, scene: Scene, state: ClassicState, unit: int, plan: Plan) -> bool:
        """Whether difficult terrain lies on the straight way that the unit would go this turn, or around it already."""
        pieces = difficult_of(scene)
        if not len(pieces):
            return False
        here = np.array(self.plans.centre(state, unit))
        way = np.array(plan.goal) - here
        far = float(np.hypot(*way))
        ahead = here + way * (min(1.0, self.plans.speed(state, unit) / far) if far else 0.0)
        row = standing(state, unit)[0]
        poses = np.array([[*(here + (ahead - here) * part), 0.0, 0.0] for part in (0.0, 0.25, 0.5, 0.75, 1.0)])
        return bool(pieces.touched(scene.bases.some_at([row] * len(poses), poses)).any())

    def _entering(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        return Pick("all") if any(option.key == "all" for option in decision.options()) else decision.default()

    def _move(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        space = decision.choices
        if not isinstance(space, MoveSpace) or decision.subject is None or not standing(state, decision.subject):
            return decision.default()
        plan = self.plans.plan(state, decision.subject)
        stay = Place(())
        if plan.stays and not space.check(stay):
            return stay
        mover = space.mobile if isinstance(space, ClassicMove) else space
        answer = formations.towards(mover, plan.goal, stop=plan.stop)
        return answer if answer.moves and not space.check(answer) else decision.default()

    # -- flying -----------------------------------------------------------------------------------------------------

    def _mode(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """Hover to let passengers out where they are wanted; glide to where a charge pays; otherwise fly."""
        offered = {option.key for option in decision.options()}
        unit = decision.subject
        if unit is None or not standing(state, unit):
            return decision.default()
        riders = [each for each, mine in enumerate(state.units) if mine.embarked == unit]
        if "hover" in offered and any(self.plans.gets_out(state, each) for each in riders):
            return Pick("hover")
        if "swoop" in offered and self.plans.charge_gain(state, unit, reach=_SWOOPED) <= 0:
            return Pick("swoop")
        return decision.default()

    def _fly(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        space = decision.choices
        if not is_flight(space) or decision.subject is None:
            return decision.default()
        return best_flight(self.plans, state, decision.subject, cast(Flights, space)) or decision.default()

    def _bomb(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """Where most of the enemy stands close together; nowhere rather than among friends."""
        worth = {
            option.key: worth_of_bomb(self.plans, state, decision.side, option.value[1])
            for option in decision.options()
            if option.value is not None
        }
        best = max(worth, key=lambda key: worth[key])
        return Pick(best) if worth[best] > 0 else Pick("none")

    def _sky(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """At the sky where something flies that is worth more than whatever is on the ground."""
        unit = decision.subject
        if unit is None:
            return decision.default()
        foes = self.plans.enemies(state, state.units[unit].side)
        target, _ = self.plans.best_target(state, unit, foes)
        return Pick("sky") if target is not None and state.units[target].aloft else Pick("ground")

    # -- shooting ---------------------------------------------------------------------------------------------------

    def _shooter(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """The first unit that has somebody worth shooting at, unless shooting would keep it from a better assault.

        Who guesses ranges is asked before the others, since nobody guesses once something has been measured.
        """
        units = [option for option in decision.options() if isinstance(option.value, int)]
        for option in sorted(units, key=lambda each: not self.plans.estimates.guesses(state, each.value)):
            foes = self.plans.enemies(state, state.units[option.value].side)
            target, gain = self.plans.best_target(state, option.value, foes)
            if target is not None and not self.plans.holds_fire(state, option.value, gain):
                return Pick(option.key)
        for option in decision.options():
            if isinstance(option.value, tuple) and not self.plans.plan(state, option.value[0]).stays:
                return Pick(option.key)  # who has nobody to shoot at runs, where that is possible
        return Pick("end") if any(option.key == "end" for option in decision.options()) else decision.default()

    def _target(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        if decision.subject is None:
            return decision.default()
        options = {
            _aimed_at(option.value): option for option in reversed(decision.options()) if option.value is not None
        }
        target, _ = self.plans.best_target(state, decision.subject, list(options))
        if target is not None:
            return Pick(options[target].key)
        none = [option.key for option in decision.options() if option.value is None]
        return Pick(none[0]) if none else decision.default()

    def _salvo(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """Of the weapons that a vehicle may fire together those that gain most at this distance."""
        ways = [option for option in decision.options() if option.key.startswith("way:")]
        unit, foe = decision.subject, decision.target
        if not ways or unit is None or foe is None:
            return decision.default()
        gains = {way.key: self.plans.salvo_gain(state, unit, foe, way.weapons) for way in ways}
        return Pick(max(gains, key=lambda key: gains[key]))

    # -- powers, scouts, characters -----------------------------------------------------------------------------------

    def _power(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """A power on whom it matters most; enemies count as well as friends, since each power names its own sort."""
        ways = [option for option in decision.options() if option.value is not None]
        best = max(ways, key=lambda option: self.plans.estimates.points_left(state, option.value[2]), default=None)
        return decision.default() if best is None else Pick(best.key)

    def _first(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """The first that is offered rather than nothing."""
        return Pick(decision.options()[0].key)

    # -- assaulting -------------------------------------------------------------------------------------------------

    def _charger(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        best, found = 0.0, None
        for option in decision.options():
            if isinstance(option.value, int):
                gain = self.plans.charge_gain(state, option.value)
                if gain > best:
                    best, found = gain, option.key
        return Pick(found) if found is not None else Pick(_last(decision).key)

    def _assaulted(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """The enemy that most is gained from, of those near enough; one only."""
        assert decision.subject is not None
        if decision.prompt.endswith("besides?"):
            return Pick("none")
        gains = {
            option.key: self.plans.clash(state, decision.subject, option.value)
            for option in decision.options()
            if isinstance(option.value, int) and self.plans.gap(state, decision.subject, option.value) <= _NEAR
        }
        best = max(gains, key=lambda key: gains[key], default="none")
        return Pick(best) if gains.get(best, 0.0) > 0 else Pick("none")

    def _reaction(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """Pursue whenever it is allowed."""
        keys = [option.key for option in decision.options()]
        return Pick("sweep") if "sweep" in keys else decision.default()

    def _blade(self, seat: Seat[Any, Any], decision: Decision, state: ClassicState) -> Answer:
        """Half the Attacks for harder ones where these do more; else what is the default."""
        default, unit, foe = decision.default(), decision.subject, decision.target
        harder = [option for option in decision.options() if option.key.startswith("smash:")]
        if not harder or unit is None or foe is None or not standing(state, unit):
            return default
        estimates, row = self.plans.estimates, standing(state, unit)[0]

        def worth(option: Option, halved: bool) -> float:
            found = estimates.blow(state, row, foe, option.value, halved=halved)
            return found.points or found.damage

        plain = [option for option in decision.options() if default == Pick(option.key)]
        best = max(harder, key=lambda option: worth(option, True))
        return Pick(best.key) if plain and worth(best, True) > worth(plain[0], False) else default


_SWOOPED = 20.0
"""Inches within which a winged monster looks for somebody to charge."""
_NEAR = 12.0
"""Inches to the furthest enemy that any assault could reach."""


def _aimed_at(value: int | Aim) -> int:
    """The unit that a target stands for: itself, or the one that a model is picked out of."""
    return value.unit if isinstance(value, Aim) else value


def _last(decision: Decision) -> Option:
    return decision.options()[-1]


_HANDLERS: Mapping[str, Handler] = {
    "select-close-combat-weapon": ClassicHeuristic._blade,
    "select-unit-to-deploy": ClassicHeuristic._deployed,
    "deploy": ClassicHeuristic._deploy,
    "select-unit-to-move": ClassicHeuristic._mover,
    "select-move": ClassicHeuristic._move_kind,
    "declare-entering": ClassicHeuristic._entering,
    "declare-mode": ClassicHeuristic._mode,
    "arrive-flying": ClassicHeuristic._fly,
    "move-zoom": ClassicHeuristic._fly,
    "move-swoop": ClassicHeuristic._fly,
    "fly-flat-out": ClassicHeuristic._fly,
    "drop-bomb": ClassicHeuristic._bomb,
    "choose-skyfire": ClassicHeuristic._sky,
    "move-normal": ClassicHeuristic._move,
    "move-march": ClassicHeuristic._move,
    "move-flat-out": ClassicHeuristic._move,
    "move-scout": ClassicHeuristic._move,
    "select-scouts": ClassicHeuristic._first,
    "join-unit": ClassicHeuristic._first,
    "choose-first-turn": ClassicHeuristic._first,
    "sweep-attack": ClassicHeuristic._first,
    "use-power": ClassicHeuristic._power,
    "move-fleet": ClassicHeuristic._move,
    "move-run": ClassicHeuristic._move,
    "move-turbo-boost": ClassicHeuristic._move,
    "select-unit-to-shoot": ClassicHeuristic._shooter,
    "select-target": ClassicHeuristic._target,
    "select-weapon": ClassicHeuristic._salvo,
    "select-unit-to-assault": ClassicHeuristic._charger,
    "select-unit-assaulted": ClassicHeuristic._assaulted,
    "select-reaction": ClassicHeuristic._reaction,
}
"""What it has an opinion about, by kind of decision."""
