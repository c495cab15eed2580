"""Pairings, standings, tie-breaks and ratings as pure functions.

docs/tournaments.md specifies them. All input and output is in whole numbers.
"""
