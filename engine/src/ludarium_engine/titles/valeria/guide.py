"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter, Ruled

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

RULED = (
    Ruled("area_order"),
    Ruled("left_resources", asks=("keep", "act"), cards=kinds("duke")),
    Ruled("tie", asks=("act",)),
    Ruled(
        "new_domain",
        asks=("act", "change"),
        cards=(
            "pratchetts_plateau", "emerald_stronghold", "blood_crow_army", "halfpenny_hill",
            "monolith_of_ostendaar", "forgotten_sorrows", "the_violet_thorn",
        ),
    ),
    Ruled("end", asks=("act",)),
    Ruled("taking", asks=("rob",), cards=("cathedral_of_st_aquila", "the_orb_of_urdr", "cutthroats_truce")),
    Ruled("thief", asks=("rob", "harvest"), cards=("thief",)),
    Ruled(
        "resting_target",
        asks=("rob",),
        cards=("thief", "cathedral_of_st_aquila", "the_orb_of_urdr", "cutthroats_truce"),
    ),
    Ruled("exact_tokens", asks=("act", "change", "harvest")),
    Ruled("starters", asks=("act",), cards=("starter_peasant", "starter_knight")),
    Ruled("counted_roles", asks=("harvest",), cards=("blacksmith", "warlord", "butcher")),
    Ruled("exhausted", asks=("act",)),
    Ruled(
        "returned_card",
        asks=("put_back_monster", "put_back_citizen"),
        cards=("watcher_on_the_water", "nest_of_the_weaver_witch"),
    ),
    Ruled("perch", asks=("purloin",), cards=("purloiners_perch",)),
    Ruled(
        "impossible",
        asks=("act", "claim"),
        cards=(
            "wraith", "bane_spider", "spider_queen", "orc_warrior", "darktide_harbour", "cloudriders_camp",
            "rogues_landing", "shattered_hand", "grimmwater_keep",
        ),
    ),
    Ruled("no_consolation", asks=("harvest",)),
    Ruled("solo", asks=("strike", "change", "harvest")),
    Ruled("after_a_return", asks=("put_back_citizen",), cards=("nest_of_the_weaver_witch",)),
    Ruled("magic_to_come", asks=("act",), cards=("forgotten_sorrows", "the_violet_thorn")),
    Ruled("no_idle_die", asks=("change",), cards=("foxgrove_palisade", "the_desert_orchid", "palace_of_the_dawn")),
    Ruled("harvest", asks=("harvest",)),
    Ruled("mixed_small"),
    Ruled("mastery", cards=("foxgrove_palisade", "eye_of_asteraten", "gargans_embrace", "blood_crow_army")),
    Ruled("resting_consolation", asks=("harvest",)),
    Ruled("solo_draw", asks=("strike",)),
    Ruled("solo_exhausted", asks=("strike",)),
    Ruled("extra_areas"),
    Ruled("max_rounds", asks=("act",)),
)  # fmt: skip
