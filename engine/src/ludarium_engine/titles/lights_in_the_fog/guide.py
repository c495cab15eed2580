"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter, Ruled

from .cards import CARDS
from .state import FogOptions

GUIDE = (
    Chapter("goal"),
    Chapter("start", cards=tuple(card.kind for card in CARDS)),
    Chapter("turn", asks=("signal", "name", "pay")),
    Chapter("end"),
    Chapter("options", options=FogOptions.__struct_fields__),
)

RULED = (
    Ruled("rounds"),
    Ruled("first ship", asks=("signal",)),
    Ruled("masked only", asks=("signal",)),
    Ruled("no masked lamps", asks=("signal", "name")),
    Ruled("wrong name without a lamp", asks=("name", "pay")),
    Ruled("empty hold", asks=("name",)),
    Ruled("slate", asks=("signal", "name")),
    Ruled("early end"),
    Ruled("ties"),
)  # fmt: skip
