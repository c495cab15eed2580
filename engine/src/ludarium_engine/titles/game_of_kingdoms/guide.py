"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter, Ruled

from .cards import CARDS
from .state import KingdomsOptions

GUIDE = (
    Chapter("goal"),
    Chapter("start", cards=tuple(card.kind for card in CARDS)),
    Chapter("turn", asks=("lead", "defend", "add", "throw")),
    Chapter("end"),
    Chapter("options", options=KingdomsOptions.__struct_fields__),
)

RULED = (
    Ruled("seats"),
    Ruled("no_trump_dealt", asks=("lead",)),
    Ruled("dealer"),
    Ruled("alternation", asks=("lead", "add")),
    Ruled("limit", asks=("lead", "add", "throw")),
    Ruled("mixed_ranks", asks=("add", "throw")),
    Ruled("first_lead", asks=("lead",)),
    Ruled("taking_freely", asks=("defend",)),
    Ruled("pile_on_take", asks=("defend", "add")),
    Ruled("draw", asks=("add", "throw")),
    Ruled("variants"),
    Ruled("standings"),
    Ruled("first_word", asks=("add", "throw")),
    Ruled("waves", asks=("throw",)),
    Ruled("surplus", asks=("throw",)),
    Ruled("could_match", asks=("add", "throw")),
    Ruled("wave_order", asks=("add", "throw")),
    Ruled("last_wave", asks=("add", "throw")),
    Ruled("returned", asks=("defend", "throw")),
    Ruled("passing_on", asks=("defend",)),
    Ruled("one_card_passes", asks=("defend",)),
    Ruled("draw_after_passing", asks=("defend",)),
    Ruled("face_down_pile"),
    Ruled("repetition", asks=("lead",)),
    Ruled("no_progress", asks=("lead",)),
)  # fmt: skip
