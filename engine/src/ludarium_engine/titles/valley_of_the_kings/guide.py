"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter, Ruled

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

RULED = (
    Ruled("first"),
    Ruled("unchanged", asks=("sacrifice_one", "play")),
    Ruled("changed", asks=("sacrifice_one",), cards=("boat", "kite")),
    Ruled("mix"),
    Ruled("extra_uniques"),
    Ruled("set_sizes"),
    Ruled("starters"),
    Ruled("solo"),
    Ruled("pharaohs", asks=("keep_pharaohs", "play"), cards=kinds("pharaoh")),
    Ruled("fill", asks=("fall",)),
    Ruled("in_play", asks=("play",)),
    Ruled(
        "purchase_help",
        asks=("play",),
        cards=("menial", "ring", "carpenter", "treasurer", "pharaoh_djoser", "pharaoh_hatshepsut", "scarab_seal"),
    ),
    Ruled("reach", asks=("play",), cards=("menial", "carpenter", "pharaoh_djoser")),
    Ruled("look_ahead", asks=("play", "take")),
    Ruled("nothing_to_draw", asks=("play",)),
    Ruled("nobody_hit", asks=("play",)),
    Ruled("forced_order", asks=("discard_forced", "sacrifice_forced", "put_forced")),
    Ruled("bastet", asks=("put_forced",), cards=("statue_bastet",)),
    Ruled("inner_sarcophagus", asks=("discard_forced",), cards=("inner_sarcophagus",)),
    Ruled("ward", asks=("discard_forced", "sacrifice_forced"), cards=("offering_table", "medjay")),
    Ruled(
        "exemption",
        asks=("sacrifice_forced", "put_forced"),
        cards=("qebehsenuef_jar", "statue_bastet", "khopesh"),
    ),
    Ruled(
        "windows",
        asks=("use_boats", "use_cat", "heal", "rest"),
        cards=("boat", "mummified_cat", "physician", "headrest"),
    ),
    Ruled("boat", asks=("use_boats",), cards=("boat",)),
    Ruled("cat", asks=("use_cat",), cards=("mummified_cat",)),
    Ruled("physician", asks=("heal",), cards=("physician", "mummified_cat")),
    Ruled("headrest", asks=("rest",), cards=("headrest",)),
    Ruled("take", asks=("take", "use_boats"), cards=("boat", "book_eternity")),
    Ruled("eternity", cards=("book_eternity",)),
    Ruled("heavens", cards=("book_heavens",)),
    Ruled("tyet", asks=("take",), cards=("tyet_amulet", "lector")),
    Ruled("vizier", asks=("take",), cards=("vizier",)),
    Ruled("gates", asks=("read_page",), cards=("book_gates",)),
    Ruled("thoth", cards=("statue_thoth",)),
    Ruled("weres", cards=("weres_amulet",)),
    Ruled("outer_sarcophagus", cards=("outer_sarcophagus",)),
    Ruled("censer", cards=("censer",)),
    Ruled("looking", asks=("take",), cards=("star_ceiling", "astrologer", "oil_lamp", "pharaoh_seti1", "scribe")),
    Ruled("kite", cards=("kite",)),
    Ruled("discard_order", asks=("play",)),
    Ruled("stall", asks=("sacrifice_stalled",)),
    Ruled("discard_view", asks=("play",)),
    Ruled("counts", asks=("play",)),
)  # fmt: skip
