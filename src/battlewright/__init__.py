"""Battlewright: a rules engine for Warhammer 40,000 in four editions. Unofficial, not affiliated."""
