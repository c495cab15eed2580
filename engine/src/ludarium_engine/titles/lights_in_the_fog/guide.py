"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter

from .cards import CARDS
from .state import FogOptions

GUIDE = (
    Chapter("goal"),
    Chapter("start", cards=tuple(card.kind for card in CARDS)),
    Chapter("turn", asks=("signal", "name", "pay")),
    Chapter("end"),
    Chapter("options", options=FogOptions.__struct_fields__),
)
