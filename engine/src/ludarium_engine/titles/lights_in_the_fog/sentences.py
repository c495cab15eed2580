"""Sentences of the game log and the types of their arguments.

Each sentence has a text `said.<id>`. Answers about a ship's lamps are logged with the texts of their predicates.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARDS, NUMBER, SEAT

SENTENCES = {
    "is_first": (SEAT,),
    "masks": (SEAT, CARDS),
    "hails": (SEAT, SEAT, "sign."),
    "sights": (SEAT, SEAT),
    "names": (SEAT, SEAT, "sign.", "sign."),
    "keeps_silent": (SEAT,),
    "logs": (SEAT, CARDS, SEAT),
    "hands_over": (SEAT, CARDS, SEAT),
    "has_none": (SEAT,),
    "bell": (NUMBER,),
    "early_end": (),
    "scores": (SEAT, NUMBER, NUMBER, NUMBER),
    "wins": (SEAT, NUMBER, NUMBER),
    "shares": (SEAT, NUMBER, NUMBER),
}
