"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter, Ruled

from .cards import CARDS

GUIDE = (
    Chapter("goal"),
    Chapter("start", cards=tuple(dict.fromkeys(card.kind for card in CARDS))),
    Chapter("turn", asks=("play",)),
    Chapter("end"),
)

RULED = (Ruled("ties"),)
