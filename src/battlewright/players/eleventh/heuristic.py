"""A player that plays to win: it spreads over the objectives, shoots where the exact odds say that most is gained,
charges when that pays, and keeps its units in coherency and, where it can, in cover.

It looks one decision ahead and draws nothing: the same battle gets the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battlewright.core.battle import Seat
from battlewright.core.decisions import Answer, Decision, Pick, Place
from battlewright.editions.eleventh import formations
from battlewright.editions.eleventh.close_moves import CloseSpace
from battlewright.editions.eleventh.declaring import DeclareSpace
from battlewright.editions.eleventh.firing_deck import lendable
from battlewright.editions.eleventh.moves import MoveSpace, SetUpSpace
from battlewright.editions.eleventh.scene import Scene
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.stratagems import Use
from battlewright.players.eleventh.estimates import Estimates
from battlewright.players.eleventh.plans import Plan, Plans
from battlewright.players.eleventh.stratagems import StratagemSense
from battlewright.players.eleventh.targets import declare
from battlewright.players.opinionated import Handler, Opinionated

__all__ = ["EleventhHeuristic"]


class EleventhHeuristic(Opinionated):
    """Answers by rules of thumb and by the exact odds of attacks.

    Args:
        seed: not used; the player draws nothing.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._estimates: Estimates | None = None
        self._plans: Plans | None = None
        self._sense: StratagemSense | None = None

    def sit_down(self, scene: Scene) -> None:
        """See the base."""
        self._estimates = Estimates(scene)
        self._plans = Plans(scene, self._estimates)
        self._sense = StratagemSense(scene, self._estimates, self._plans)

    def handler(self, kind: str) -> Handler | None:
        """See the base."""
        return _HANDLERS.get(kind)

    @property
    def estimates(self) -> Estimates:
        """What attacks are worth in the present battle."""
        assert self._estimates is not None
        return self._estimates

    @property
    def plans(self) -> Plans:
        """Where units should go in the present battle."""
        assert self._plans is not None
        return self._plans

    @property
    def sense(self) -> StratagemSense:
        """What stratagems are worth in the present battle."""
        assert self._sense is not None
        return self._sense

    def _plan(self, state: EleventhState, unit: int) -> Plan:
        return self.plans.plan(state, unit)

    # -- before the battle ------------------------------------------------------------------------------------------

    def _role(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        return Pick("attacker")

    def _deployed(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """The cheapest first, so that the ones that matter see what they are up against."""
        units = [option.value for option in decision.options()]
        unit = min(units, key=lambda each: (seat.scene.units[each].roster.points, each))
        return Pick(seat.scene.units[unit].id)

    def _deploy(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        space = decision.choices
        assert isinstance(space, SetUpSpace)
        assert decision.subject is not None
        answer = formations.pack(space, self.plans.deployment_point(state, decision.subject))
        return answer if answer.moves and not space.check(answer) else decision.default()

    def _reserved(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """Those with Deep Strike that have to get near before they do anything."""
        units = [option for option in decision.options() if option.value is not None]
        wanted = [option for option in units if self.plans.belongs_in_reserves(state, option.value)]
        return Pick(wanted[0].key) if wanted else Pick("end")

    def _arrive(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """As near to the objective most worth it, or to the weakest enemy, as the rules let it."""
        space = decision.choices
        assert isinstance(space, SetUpSpace)
        assert decision.subject is not None
        answer = space.pack(self.plans.arrival_point(state, decision.subject))
        return answer if answer.moves and not space.check(answer) else decision.default()

    # -- movement ---------------------------------------------------------------------------------------------------

    def _mover(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """Passengers, while their transport has not moved; then those nearest to the enemy, out of others' way."""
        units = [option.value for option in decision.options() if option.value is not None]
        if not units:
            return decision.default()
        unit = min(units, key=lambda each: (not self.plans.is_aboard(state, each), self._distance(state, each), each))
        return Pick(seat.scene.units[unit].id)

    def _distance(self, state: EleventhState, unit: int) -> float:
        return self.plans.nearest_enemy(state, unit)[1]

    def _fly(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        assert decision.subject is not None
        return Pick("skies" if self.plans.wants_to_fly(state, decision.subject) else "ground")

    def _move_kind(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        assert decision.subject is not None
        offered = {option.key for option in decision.options()}
        kind = self.plans.move_kind(state, decision.subject, offered)
        return Pick(kind if kind in offered else decision.options()[-1].key)

    def _move(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        space = decision.choices
        assert isinstance(space, MoveSpace)
        assert decision.subject is not None
        plan = self._plan(state, decision.subject)
        return self._best_of(space, [formations.towards(space, plan.goal, stop=plan.stop)])

    def _fall_back(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        space = decision.choices
        assert isinstance(space, MoveSpace)
        return self._best_of(space, [formations.away_from_enemies(space)])

    def _fall_back_mode(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        return Pick(decision.options()[0].key)

    def _best_of(self, space: MoveSpace, answers: list[Place]) -> Answer:
        for answer in answers:
            if answer.moves and not space.check(answer):
                return answer
        return space.default()

    def _embark(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """Aboard where that is the quicker way; the transport moves afterwards."""
        assert decision.subject is not None
        for option in decision.options():
            if option.value is not None and self.plans.rides(state, decision.subject, option.value):
                return Pick(option.key)
        return decision.default()

    # -- shooting ---------------------------------------------------------------------------------------------------

    def _shooter(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """A stratagem that pays, an action that is worth more than shooting and charging, else the first unit with
        something to shoot."""
        use = self.sense.best_use(state, [option for option in decision.options() if isinstance(option.value, Use)])
        if use is not None:
            return Pick(use)
        acting = {option.key: option.value for option in decision.options() if isinstance(option.value, tuple)}
        gains = {key: self.plans.action_gain(state, *value) for key, value in acting.items()}
        if gains and max(gains.values()) > 0:
            return Pick(max(gains, key=lambda key: gains[key]))
        units = [option.value for option in decision.options() if isinstance(option.value, int)]
        armed = [
            unit for unit in units if self.estimates.ranged_weapons(state, unit) or lendable(seat.scene, state, unit)
        ]
        if not armed:
            return decision.default()
        return Pick(seat.scene.units[armed[0]].id)

    def _declare(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        space = decision.choices
        assert isinstance(space, DeclareSpace)
        answer = declare(space, state, self.estimates)
        return answer if not space.check(answer) else decision.default()

    # -- the mission ------------------------------------------------------------------------------------------------

    def _secondaries(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """Tactical missions where they may be had."""
        return Pick(decision.options()[-1].key)

    def _discard(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        card = self.plans.sense.to_discard(state.book.active[decision.side])
        return decision.default() if card is None else Pick(card)

    def _beacon(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """The unit that is furthest forward."""
        return Pick(min(decision.options(), key=lambda option: self.plans.way_to_middle(state, option.value)).key)

    def _guard(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """The first unit in range of the objective, else nobody."""
        units = [option for option in decision.options() if option.value is not None]
        there = [option.key for option in units if self.plans.is_at(state, option.value[1], option.value[0])]
        return Pick(there[0]) if there else decision.default()

    # -- charging and fighting --------------------------------------------------------------------------------------

    def _charger(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        best, found = 0.0, None
        for option in decision.options():
            if option.value is not None:
                gain = self.plans.charge_gain(state, option.value)
                if gain > best:
                    best, found = gain, option.key
        return Pick(found) if found is not None else decision.default()

    def _charge_target(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        assert decision.subject is not None
        options = decision.options()
        if options[-1].key == "done":
            return Pick("done")
        worth = {
            option.key: self.plans.clash(state, decision.subject, option.value)
            for option in options
            if option.value is not None
        }
        return Pick(max(worth, key=lambda key: worth[key])) if worth else decision.default()

    def _press(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        space = decision.choices
        return space.press() if isinstance(space, CloseSpace) else decision.default()

    def _consolidate(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        space = decision.choices
        if isinstance(space, CloseSpace):
            return space.press()
        assert isinstance(space, MoveSpace)
        assert decision.subject is not None
        return self._best_of(space, [formations.towards(space, self.plans.nearest_objective(state, decision.subject))])

    def _everyone(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """Select the first unit that is offered rather than stop."""
        return Pick(decision.options()[0].key)

    def _fighter(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """The unit that does most is the one to fight before it is struck."""
        units = [option for option in decision.options() if option.value is not None]
        if not units:
            return decision.default()
        return Pick(max(units, key=lambda option: self.plans.melee_worth(state, option.value)).key)

    def _engage(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        """Consolidate into a new enemy only where that is worth it; never into a second one."""
        assert decision.subject is not None
        options = decision.options()
        if options[-1].key == "done":
            return Pick("done")
        worth = {option.key: self.plans.clash(state, decision.subject, option.value) for option in options[:-1]}
        best = max(worth, key=lambda key: worth[key])
        return Pick(best) if worth[best] > 0 else Pick(options[-1].key)

    def _pile_in_target(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        options = decision.options()
        return Pick("done") if options[-1].key == "done" else Pick(options[0].key)

    # -- stratagems -------------------------------------------------------------------------------------------------

    def _use(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        return Pick(self.sense.best_use(state, decision.options()) or "none")

    def _aim(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        return Pick(self.sense.target(state, decision))

    def _crush(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        return Pick(self.sense.strongest_model(decision))

    def _re_roll(self, seat: Seat[Any, Any], decision: Decision, state: EleventhState) -> Answer:
        return Pick(self.sense.re_roll(state, decision))


_HANDLERS: Mapping[str, Handler] = {
    "use-rule": EleventhHeuristic._use,
    "select-snap-target": EleventhHeuristic._aim,
    "select-explosives-target": EleventhHeuristic._aim,
    "select-crushed-unit": EleventhHeuristic._aim,
    "select-crushing-model": EleventhHeuristic._crush,
    **{
        f"command-re-roll-{kind}": EleventhHeuristic._re_roll
        for kind in ("advance", "charge", "hazard", "attacks", "hit", "wound", "save", "damage")
    },
    "choose-role": EleventhHeuristic._role,
    "select-unit-to-deploy": EleventhHeuristic._deployed,
    "deploy": EleventhHeuristic._deploy,
    "declare-reserves": EleventhHeuristic._reserved,
    "select-unit-to-scout": EleventhHeuristic._everyone,
    "scout-move": EleventhHeuristic._move,
    "ingress-move": EleventhHeuristic._arrive,
    "disembark-move": EleventhHeuristic._arrive,
    "embark": EleventhHeuristic._embark,
    "take-to-the-skies": EleventhHeuristic._fly,
    "select-unit-to-move": EleventhHeuristic._mover,
    "select-move": EleventhHeuristic._move_kind,
    "move-normal": EleventhHeuristic._move,
    "move-advance": EleventhHeuristic._move,
    "move-fall-back": EleventhHeuristic._fall_back,
    "select-fall-back-mode": EleventhHeuristic._fall_back_mode,
    "select-unit-to-shoot": EleventhHeuristic._shooter,
    "declare-attacks": EleventhHeuristic._declare,
    "select-unit-to-charge": EleventhHeuristic._charger,
    "choose-charge-targets": EleventhHeuristic._charge_target,
    "charge-move": EleventhHeuristic._press,
    "select-unit-to-pile-in": EleventhHeuristic._everyone,
    "choose-pile-in-targets": EleventhHeuristic._pile_in_target,
    "pile-in-move": EleventhHeuristic._press,
    "select-unit-to-fight": EleventhHeuristic._fighter,
    "select-unit-to-consolidate": EleventhHeuristic._everyone,
    "choose-consolidation-targets": EleventhHeuristic._engage,
    "consolidate-move": EleventhHeuristic._consolidate,
    "choose-objective": EleventhHeuristic._everyone,
    "choose-secondaries": EleventhHeuristic._secondaries,
    "redraw-secondary": EleventhHeuristic._everyone,
    "discard-secondary": EleventhHeuristic._discard,
    "condemn": EleventhHeuristic._everyone,
    "pick-beacon": EleventhHeuristic._beacon,
    "assign-guard": EleventhHeuristic._guard,
}
