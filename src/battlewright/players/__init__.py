"""Who answers: players decide at a seat and never hold the battle itself."""

from battlewright.players.player import Player, best_player, make_player
from battlewright.players.random_player import RandomPlayer
from battlewright.players.scripted import DefaultPlayer, ScriptedPlayer

__all__ = ["DefaultPlayer", "Player", "RandomPlayer", "ScriptedPlayer", "best_player", "make_player"]
