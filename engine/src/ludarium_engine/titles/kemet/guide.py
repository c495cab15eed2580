"""The chapters of the guide for new players, with the things that each explains."""
from __future__ import annotations

from ludarium_engine.guides import Chapter, Ruled

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

RULED = (
    Ruled("boards", asks=("choose_city",)),
    Ruled("sanctuary", asks=("sacrifice",)),
    Ruled("setup_order", asks=("choose_city", "found_pyramid", "garrison")),
    Ruled("battle_cards", asks=("choose_cards",)),
    Ruled("di_copies"),
    Ruled("victory_tokens"),
    Ruled("night_cap", asks=("use_night_tile",), cards=("w2_high_priest", "w4_priest_of_amon")),
    Ruled("empty_piles", asks=("keep_one",), cards=("w2_divine_boon",)),
    Ruled("night_tiles", asks=("use_night_tile",), cards=("w3_hand_of_god", "w3_vision", "b4_reinforcements")),
    Ruled("reinforcements", asks=("use_night_tile", "place_units"), cards=("b4_reinforcements",)),
    Ruled(
        "row_rule",
        asks=("take_turn",),
        cards=("w4_act_of_god", "r4_act_of_god", "b4_act_of_god", "b4_divine_will"),
    ),
    Ruled("idle_action", asks=("take_turn",)),
    Ruled(
        "tokens_at_once",
        asks=("take_turn", "buy_tile"),
        cards=("w4_act_of_god", "r4_act_of_god", "b4_act_of_god", "b4_divine_will"),
    ),
    Ruled("ra_recruiting", asks=("muster", "raise_pyramid", "buy_tile"), cards=("w4_priest_of_ra",)),
    Ruled("prayer_priest", asks=("take_turn",), cards=("prayer", "w1_priest")),
    Ruled("raise_lost", asks=("raise_pyramid",)),
    Ruled("raise_captured", asks=("raise_pyramid",)),
    Ruled("recruit_battles", asks=("muster", "place_units", "storm")),
    Ruled("walls", asks=("march_on",), cards=("open_gates_di", "r2_open_gates", "phoenix")),
    Ruled("teleports", asks=("march_on",), cards=("r1_stargate", "r2_teleport")),
    Ruled("two_creatures", asks=("march_on", "deploy", "bring_creature"), cards=kinds("creature")),
    Ruled("passing_through", asks=("march_on",), cards=("b2_legion",)),
    Ruled("initiative", asks=("march_on",), cards=("r4_initiative",)),
    Ruled("crusade", asks=("choose_cards",), cards=("w2_crusade",)),
    Ruled("holy_war", asks=("choose_cards",), cards=("w3_holy_war",)),
    Ruled("escape", asks=("escape", "flee", "veto"), cards=("escape",)),
    Ruled(
        "battle_choice",
        asks=("choose_cards",),
        cards=("war_rage", "war_fury", "blood_battle", "blood_bath", "bronze_wall", "iron_wall"),
    ),
    Ruled("prescience", asks=("show", "choose_cards"), cards=("b3_prescience",)),
    Ruled("divine_wound", asks=("wound",), cards=("r3_divine_wound",)),
    Ruled("retreat", asks=("take_fate", "send_away")),
    Ruled("lone_defender", asks=("take_fate", "rest")),
    Ruled("lone_loser", asks=("take_fate",)),
    Ruled("vetoed_cost", asks=("veto", "take_turn"), cards=("veto",)),
    Ruled("first_veto", asks=("veto",), cards=("veto",)),
    Ruled("veto_window", asks=("veto", "escape"), cards=("veto",)),
    Ruled("temple_income", asks=("sacrifice",)),
    Ruled("sanctuary_sacrifice", asks=("sacrifice",)),
    Ruled("last_unit", asks=("sacrifice",)),
    Ruled("end_of_day", asks=("sacrifice",)),
    Ruled("win_check", asks=("take_turn",)),
    Ruled("max_days"),
    Ruled("length", asks=("take_turn",)),
    Ruled("ranking", asks=("name_next",)),
    Ruled("teleport_card", asks=("march_on",), cards=("teleportation",)),
    Ruled("lone_creature", asks=("bring_creature", "lead_out"), cards=kinds("creature")),
    Ruled(
        "new_creature",
        asks=("bring_creature",),
        cards=(
            "w4_mummy", "r3_royal_scarab", "r4_giant_scorpion", "r4_phoenix", "b2_ancestral_elephant",
            "b2_deep_desert_snake", "b4_sphinx",
        ),
    ),
    Ruled(
        "extra_tokens",
        asks=("take_turn",),
        cards=("w4_act_of_god", "r4_act_of_god", "b4_act_of_god", "b4_divine_will"),
    ),
    Ruled("vision", asks=("keep_one",), cards=("w3_vision",)),
    Ruled("enlistment", asks=("place_units",), cards=("enlistment",)),
)  # fmt: skip
