"""Tournaments: `core` pairs, scores and rates; it knows no clock, no store and no network."""
