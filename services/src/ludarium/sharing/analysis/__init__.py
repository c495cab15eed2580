"""Moves that somebody tries beside a game: positions made and told, and nothing kept."""
