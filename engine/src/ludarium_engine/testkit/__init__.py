"""Checks for titles: random games, non-interference, position counts, simulation."""
