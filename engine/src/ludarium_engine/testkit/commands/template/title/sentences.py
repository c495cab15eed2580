"""Sentences of the game log and the types of their arguments.

Each sentence has a text `said.<id>`. Do not change or remove sentences, since stored games refer to them; append new ones.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARDS, SEAT

SENTENCES = {"is_dealt": (SEAT, CARDS), "plays": (SEAT, CARDS)}
