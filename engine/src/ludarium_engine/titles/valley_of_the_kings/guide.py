"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter

from .cards import ROWS
from .state import ValleyOptions


def kinds(*of: str) -> tuple[str, ...]:
    return tuple(row.id for row in ROWS if row.type in of and row.reaction is None)


GUIDE = (
    Chapter("goal"),
    Chapter("start", cards=kinds("starter")),
    Chapter("turn", asks=("play",), cards=kinds("set", "unique")),
    Chapter("pyramid", asks=("fall", "sacrifice_one", "sacrifice_stalled")),
    Chapter("actions", asks=("take", "read_page", "discard_forced", "sacrifice_forced", "put_forced")),
    Chapter(
        "reactions",
        asks=("use_boats", "use_cat", "heal", "rest"),
        cards=tuple(row.id for row in ROWS if row.reaction is not None),
    ),
    Chapter("pharaohs", asks=("keep_pharaohs",), cards=kinds("pharaoh")),
    Chapter("end"),
    Chapter("options", options=ValleyOptions.__struct_fields__),
)
