"""The heuristic player of the classic editions: goes where its units are worth most by the exact odds of attacks."""

from battlewright.players.classic.heuristic import ClassicHeuristic

__all__ = ["ClassicHeuristic"]
