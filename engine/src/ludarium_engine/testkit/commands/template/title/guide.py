"""How the game is told to who learns it: which chapter explains what."""
from __future__ import annotations

from ludarium_engine.guides import Chapter

from .cards import CARDS

GUIDE = (
    Chapter("goal"),
    Chapter("start", cards=tuple(dict.fromkeys(card.kind for card in CARDS))),
    Chapter("turn", asks=("play",)),
    Chapter("end"),
)
