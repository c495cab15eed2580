"""Tournaments: registration, rounds, officials and results.

`ludarium_pairing` pairs and scores.
"""
