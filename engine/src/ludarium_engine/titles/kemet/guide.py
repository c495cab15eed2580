"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter

from .cards import CARDS
from .state import KemetOptions


def kinds(*of: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(card.kind for card in CARDS if card.facts["kind"] in of))


GUIDE = (
    Chapter("goal"),
    Chapter("start", asks=("choose_city", "found_pyramid", "garrison")),
    Chapter("night", asks=("use_night_tile", "keep_one", "name_next")),
    Chapter(
        "turn",
        asks=(
            "take_turn", "raise_pyramid", "buy_tile", "replace_card", "muster", "place_units", "storm", "deploy",
            "bring_creature", "lead_out", "march_on",
        ),
        cards=kinds("tile", "creature"),
    ),
    Chapter(
        "battle",
        asks=("escape", "flee", "choose_cards", "show", "wound", "take_fate", "send_away", "rest"),
        cards=kinds("battle"),
    ),
    Chapter("interventions", asks=("veto", "burn"), cards=kinds("intervention")),
    Chapter("end", asks=("sacrifice",)),
    Chapter("options", options=KemetOptions.__struct_fields__),
)  # fmt: skip
