"""Verbs of the game and the types of their arguments."""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, SEAT, Verb
from ludarium_engine.kernel.scripts import by_name

hail = Verb("hail", SEAT, "sign.")
bearing = Verb("bearing", SEAT)
name = Verb("name", SEAT, "sign.", "sign.")
silence = Verb("silence")
pay = Verb("pay", CARD)
VERBS = by_name(hail, bearing, name, silence, pay)
