"""What moving and setting up share; see :mod:`battlewright.editions.placing.spaces`."""

from __future__ import annotations

from battlewright.editions.placing.spaces import FARTHEST, LOOKOUT, Space, Suggestion, move_kernels

__all__ = ["FARTHEST", "LOOKOUT", "Space", "Suggestion", "move_kernels"]
