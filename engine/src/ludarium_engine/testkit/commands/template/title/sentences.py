"""Sentences of the game log and the types of their arguments.

Each has a text `said.<id>`. Only append new ones: stored games use the present ones.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARDS, SEAT

SENTENCES = {"is_dealt": (SEAT, CARDS), "plays": (SEAT, CARDS)}
