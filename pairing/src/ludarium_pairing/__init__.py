"""Compute pairings, standings, tie-breaks and ratings as pure functions.

They are specified in docs/tournaments.md. Input and output are whole numbers.
"""
