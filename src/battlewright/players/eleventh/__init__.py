"""The heuristic player of the 11th edition: plays to win by holding objectives and by the exact odds of attacks."""

from battlewright.players.eleventh.heuristic import EleventhHeuristic

__all__ = ["EleventhHeuristic"]
