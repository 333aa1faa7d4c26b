"""The circumstances of a shot as the attack is compiled with them."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.arming import Shot
from battlewright.editions.classic.procedures.prowess import context_against
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState

__all__ = ["context_of"]


@rule("4e.vehicle-shooting.crew-bs", "4e.vehicles-as-targets.to-hit-normal")
def context_of(scene: Scene, state: ClassicState, shot: Shot, at: int, **more: object) -> AttackContext:
    """The circumstances of a shot at a model, or at its unit, special rules included; ``more`` are further ones."""
    profile = scene.models[shot.arm.row].profile
    context = AttackContext(
        skill=profile.ballistic_skill,
        strength=profile.strength,
        half_range=shot.half_range,
        snap=shot.snap,
        picks=scene.rules.shooting.picks(profile),
        **more,  # type: ignore[arg-type]
    )
    return context_against(scene, state, shot.arm.row, at, shot.arm.profile, context)
