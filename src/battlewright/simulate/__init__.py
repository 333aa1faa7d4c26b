"""Many battles: who wins, by how much, and how sure one can be of it."""

from battlewright.simulate.league import Game, Standing, play_league, standings

__all__ = ["Game", "Standing", "play_league", "standings"]
