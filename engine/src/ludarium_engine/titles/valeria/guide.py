"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter

from .cards import CARDS
from .state import ValeriaOptions


def kinds(*of: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(card.kind for card in CARDS if card.facts["kind"] in of))


GUIDE = (
    Chapter("goal", cards=kinds("duke")),
    Chapter("start", asks=("keep",)),
    Chapter("turn", asks=("change", "harvest", "act"), cards=kinds("citizen")),
    Chapter(
        "rewards",
        asks=("claim", "rob", "slay_extra", "purloin", "put_back_monster", "put_back_citizen"),
        cards=kinds("monster", "domain"),
    ),
    Chapter("solo", asks=("strike",)),
    Chapter("end"),
    Chapter("options", options=ValeriaOptions.__struct_fields__),
)
