"""The odds of classic units with special rules: the same hooks as in battle."""

from __future__ import annotations

import pytest
from tests.support.classic import printed_model, printed_weapon

from battlewright.attacks.exact import exact
from battlewright.core.roster import Component, Unit
from battlewright.editions.edition import find_edition

BLADE = printed_weapon("Blade", melee=True)
GUN = printed_weapon("Gun", "HEAVY 1")


def squad(*abilities: str, weapon: object = GUN, **features: object) -> Unit:
    trooper = printed_model("INFANTRY", abilities=abilities, weapons=[weapon], **features)  # type: ignore[list-item]
    return Unit("a.1", "Squad", (Component("Squad", points=10),), (trooper,))


def damage(edition: str, attacker: Unit, target: Unit, **settings: object) -> float:
    volleys, _ = find_edition(edition).questions().volleys(attacker, target, settings=settings)
    return sum(exact(volley).mean_damage for volley in volleys)


@pytest.mark.parametrize(("edition", "kept"), [("4", 1 / 2), ("6", 2 / 3)])
def test_who_feels_no_pain_loses_fewer_wounds(edition: str, kept: float) -> None:
    plain, numb = squad(Sv="-"), squad("Feel No Pain", Sv="-")
    assert damage(edition, squad(), numb) == pytest.approx(kept * damage(edition, squad(), plain))


def test_furious_chargers_wound_more_easily() -> None:
    target = squad(Sv="-")
    fierce, tame = squad("Furious Charge", weapon=BLADE), squad(weapon=BLADE)
    assert damage("3", fierce, target, charged=True) == pytest.approx(1 - (1 - 0.5 * 2 / 3) ** 2)
    assert damage("3", tame, target, charged=True) == pytest.approx(1 - (1 - 0.5 * 0.5) ** 2)
    assert damage("3", fierce, target) == damage("3", tame, target)


def test_a_preferred_enemy_is_hit_on_three() -> None:
    target = squad(Sv="-", WS=9)
    hating = squad("Preferred Enemy", weapon=BLADE, WS=3)
    assert damage("4", hating, target) == pytest.approx(2 / 3 * 0.5)


def test_a_daemon_has_a_save_against_anything() -> None:
    daemon = squad("Daemon", Sv="-")
    assert damage("6", squad(), daemon) == pytest.approx(2 / 3 * damage("6", squad(), squad(Sv="-")))
