"""Sentences of the game log and the types of their arguments.

Each sentence has a text `said.<id>`. Do not change or remove sentences, since stored games refer to them; append new ones.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, CARDS, NUMBER, SEAT

SENTENCES = {
    "deals": (SEAT,),
    "is_dealt": (SEAT, CARDS),
    "trump": ("colour.", CARDS),
    "shows": (SEAT, CARDS),
    "is_chosen": (SEAT,),
    "begins": (SEAT, SEAT),
    "leads": (SEAT, CARDS),
    "beats": (SEAT, CARD, CARDS),
    "passes_on": (SEAT, SEAT, CARDS),
    "gives_up": (SEAT,),
    "adds": (SEAT, CARDS),
    "is_done": (SEAT,),
    "throws": (SEAT, CARDS),
    "throws_nothing": (SEAT,),
    "gets_back": (SEAT, CARDS),
    "holds": (SEAT, CARDS),
    "takes": (SEAT, CARDS),
    "draws": (SEAT, CARDS),
    "is_out": (SEAT, NUMBER),
    "loses": (SEAT,),
    "nobody_loses": (),
    "repeats": (),
    "stalls": (NUMBER,),
}
