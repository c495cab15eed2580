"""Each base card, with its effect, choices and the rulebook's clarifications."""
from __future__ import annotations

from ludarium_engine.kernel import SPECTATOR, Action, Event, decide, redact_event, view
from ludarium_engine.titles.valley_of_the_kings import TITLE
from tests.engine.valley_of_the_kings.scene import PYRAMID, table

OWN_PILE = {"bastet": "own_pile"}
POOR = dict(hand1="urn urn", deck1="urn urn", discard1="urn")              # five cards: exempt
RICH = dict(hand1="kite shabti", deck1="urn urn", discard1="menial embalmer")

# In hand, not offered; the condition that is missing.
REFUSED = [
    ("shabti", "a pyramid card", dict(pyramid="- - - - - -")),
    ("urn", "a card in the discard pile", dict()),
    ("box_of_food", "two hand cards of different cost", dict(hand="urn shabti")),
    ("outer_sarcophagus", "a card to give", dict(deck="urn")),
    ("middle_sarcophagus", "a second hand card", dict(hand="urn")),
    ("imsety_jar", "a hand card of cost 4 or less", dict(hand="statue_isis book_dead")),
    ("hapi_jar", "a hand card to discard", dict()),
    ("hapi_jar", "a pyramid card", dict(hand="urn", pyramid="- - - - - -")),
    ("tyet_amulet", "an action executed this turn", dict(hand="statue_horus urn")),
    ("heart_scarab_amulet", "a card in the discard pile", dict()),
    ("wadj_amulet", "a card in the tomb", dict(hand="urn")),
    ("wadj_amulet", "a hand card", dict(tomb="urn")),
    ("djed_amulet", "a pyramid card of a set in the tomb", dict(tomb="urn boat duamutef_jar", pyramid="statue_isis - - - - -")),
    ("weres_amulet", "a hand card", dict(deck="urn")),
    ("book_gates", "a card in deck or discard pile", dict(hand="urn")),
    ("book_netherworld", "a card in the stock", dict()),
    ("book_heavens", "five cards in the discard pile", dict(discard="urn urn urn shabti")),
    ("book_eternity", "a purchase this turn", dict()),
    ("book_eternity", "a cheaper card than the one bought", dict(bought=5)),
    ("book_earth", "a hand card to sacrifice", dict()),
    ("book_earth", "a pyramid card of at most twice its cost", dict(hand="urn")),
    ("book_dead", "a pyramid card", dict(pyramid="- - - - - -")),
    ("statue_osiris", "a hand card to discard", dict(deck="urn")),
    ("statue_horus", "a hand card", dict()),
    ("statue_sobek", "three cards in deck and discard pile", dict(deck="urn", discard="urn")),
    ("statue_isis", "a pyramid card of cost 6 or less", dict(pyramid="statue_sobek - - - - -")),
    ("chariot", "a hand card to discard", dict(boneyard="urn")),
    ("chariot", "a card in the boneyard", dict(hand="urn")),
    ("burial_mask", "a card in hand or discard pile", dict()),
    ("censer", "a card on an opponent's discard pile", dict(discard="urn")),
    ("ka_figure", "a set card whose set is in the pyramid", dict(hand="urn duamutef_jar", pyramid="statue_isis - - - - -")),
]  # fmt: skip


def shown_to(event: Event, audience: int) -> set[int]:
    """Return the cards that an event names to an audience."""
    return {card for fact in redact_event(TITLE.layout, event, audience).facts for card in getattr(fact, "cards", ())}


def test_shabti_swaps_two_cards_and_nothing_crumbles() -> None:
    scene = table(hand="shabti", pyramid="statue_horus - hapi_jar - - -").play("shabti").way("exchange")
    scene.forced().ends(pyramid="hapi_jar - statue_horus - - -", played="shabti")
    assert scene.s.changed


def test_shabti_sacrifices_a_pyramid_card_which_crumbles() -> None:
    scene = table(hand="shabti", boneyard="urn").play("shabti").way("sacrifice").pick("statue_horus")
    scene.ends(pyramid="book_dead book_earth hapi_jar statue_isis weres_amulet -", boneyard="urn statue_horus")


def test_shabti_cannot_swap_with_an_empty_space() -> None:
    scene = table(hand="shabti", pyramid="statue_horus - - - - -").play("shabti")
    scene.forced().ends(pyramid="- - - - - -", boneyard="statue_horus")


def test_urn_puts_the_top_discard_on_the_deck_and_a_card_bought_this_turn_may_be_it() -> None:
    table(hand="urn", discard="menial kite", deck="boat").play("urn").ends(discard="menial", deck="boat kite")
    bought = table(hand="urn statue_isis", pyramid="kite - - - - -").buy("kite", "statue_isis").play("urn")
    bought.ends(deck="kite", discard="")


def test_box_of_food_sacrifices_the_dearer_card_and_entombs_a_cheaper_one() -> None:
    scene = table(hand="box_of_food urn kite statue_horus").play("box_of_food")
    assert scene.can("sacrifice") == ["kite", "statue_horus"]
    scene.pick("kite")
    assert scene.can("entomb") == ["urn"]
    scene.pick("urn").ends(tomb="urn", boneyard="kite", hand="statue_horus")


def test_outer_sarcophagus_goes_on_an_opponents_deck_unseen_then_a_card_is_drawn() -> None:
    scene = table(3, hand="outer_sarcophagus urn", deck="kite", deck2="shabti").play("outer_sarcophagus")
    assert scene.can("give_to_deck") == ["urn 1", "urn 2"]
    scene.pick("urn", "2").ends(deck2="shabti urn", hand="kite")
    assert view(TITLE, scene.s, 2).deck[2] == [-1, -1]


def test_outer_sarcophagus_shows_the_card_to_giver_and_receiver_alone() -> None:
    scene = table(3, hand="outer_sarcophagus urn").play("outer_sarcophagus")
    card = scene.s.hand[0][0]
    _, event = decide(TITLE, scene.s, 0, Action("give_to_deck", (card, 2)), scene.chance)
    named = [card in shown_to(event, audience) for audience in (0, 1, 2, SPECTATOR)]
    assert named == [True, False, True, False]
    scene.pick("urn", "2")
    assert [scene.shown(audience) for audience in (0, 1, 2, SPECTATOR)] == [[], [], ["urn"], []]


def test_middle_sarcophagus_sacrifices_one_card_and_entombs_another() -> None:
    scene = table(hand="middle_sarcophagus urn kite").play("middle_sarcophagus").pick("urn").pick("kite")
    scene.ends(boneyard="urn", tomb="kite", hand="")


def test_inner_sarcophagus_makes_everybody_discard_three_the_active_player_last() -> None:
    scene = table(hand="inner_sarcophagus urn kite menial shabti", hand1="urn shabti kite menial box_of_food")
    scene.play("inner_sarcophagus")
    assert scene.asked == [1]
    scene.several("discard", "kite", "urn", "shabti").ends(discard1="kite urn shabti", hand1="menial box_of_food")
    scene.several("discard", "urn", "kite", "menial").ends(discard="urn kite menial", hand="shabti")


def test_inner_sarcophagus_takes_what_there_is_and_may_be_played_with_an_empty_hand() -> None:
    scene = table(hand="inner_sarcophagus", hand1="urn shabti").play("inner_sarcophagus")
    scene.several("discard", "shabti", "urn").ends(discard1="shabti urn", hand1="")
    assert scene.asked == [0] and scene.offered()[-1].startswith("end")


def test_inner_sarcophagus_can_be_limited_to_opponents() -> None:
    scene = table(options={"inner_sarcophagus": "opponents"}, hand="inner_sarcophagus urn", hand1="urn")
    scene.play("inner_sarcophagus").several("discard", "urn").ends(hand="urn", discard1="urn")


def test_duamutef_makes_each_opponent_discard_and_skips_empty_hands() -> None:
    scene = table(4, hand="duamutef_jar urn", hand1="urn kite", hand3="shabti").play("duamutef_jar")
    scene.several("discard", "kite").several("discard", "shabti")
    scene.ends(discard1="kite", discard3="shabti", hand="urn", discard2="")
    assert scene.asked == [0]


def test_imsety_entombs_a_card_of_cost_4_or_less() -> None:
    scene = table(hand="imsety_jar statue_bastet statue_isis").play("imsety_jar")
    assert scene.can("entomb") == ["statue_bastet"]
    scene.pick("statue_bastet").ends(tomb="statue_bastet")


def test_hapi_discards_and_takes_the_cheapest_card_of_the_pyramid_ones_choice_among_ties() -> None:
    scene = table(hand="hapi_jar urn", pyramid="statue_horus book_earth djed_amulet book_dead weres_amulet statue_isis")
    scene.play("hapi_jar").pick("urn")
    assert scene.can("take") == ["djed_amulet", "statue_horus"]
    scene.pick("djed_amulet").ends(discard="urn djed_amulet")


def test_qebehsenuef_makes_opponents_sacrifice_in_turn_order() -> None:
    extra = dict(hand2="shabti kite", deck2="urn urn urn urn")
    scene = table(3, hand="qebehsenuef_jar urn", **RICH, **extra).play("qebehsenuef_jar")
    scene.pick("kite").pick("shabti").ends(boneyard="kite shabti", hand1="shabti", hand2="kite", hand="urn")


def test_qebehsenuef_exempts_who_owns_five_cards_or_fewer_tombs_not_counted() -> None:
    scene = table(hand="qebehsenuef_jar", tomb1="urn urn", **POOR).play("qebehsenuef_jar")
    scene.ends(boneyard="", hand1="urn urn")


def test_tyet_repeats_an_executed_action_with_fresh_choices() -> None:
    scene = table(hand="tyet_amulet statue_horus urn kite").play("statue_horus").pick("urn").play("tyet_amulet")
    assert scene.can("repeat") == ["statue_horus"]
    scene.pick("statue_horus").pick("kite").ends(tomb="urn kite", played="statue_horus tyet_amulet")


def test_tyet_repeats_no_gold_no_entombing_no_thoth_and_no_tyet() -> None:
    table(hand="tyet_amulet urn kite", pyramid="urn - - - - -").buy("urn", "urn").ends(hand="tyet_amulet kite")
    gold = table(hand="tyet_amulet urn kite", pyramid="urn - - - - -").buy("urn", "urn").entomb("kite")
    assert gold.can("act") == []
    assert table(hand="tyet_amulet statue_thoth").play("statue_thoth").can("act") == []
    twice = table(hand="tyet_amulet tyet_amulet statue_anubis").play("statue_anubis").play("tyet_amulet")
    twice.pick("statue_anubis").play("tyet_amulet")
    assert twice.can("repeat") == ["statue_anubis"]


def test_tyet_repeats_no_censer() -> None:
    scene = table(hand="tyet_amulet censer", discard1="urn kite").play("censer").forced()
    assert scene.can("act") == []


def test_heart_scarab_entombs_any_card_of_the_discard_pile() -> None:
    scene = table(hand="heart_scarab_amulet", discard="urn kite shabti").play("heart_scarab_amulet").pick("kite")
    scene.ends(tomb="kite", discard="urn shabti")


def test_wadj_exchanges_a_hand_card_and_a_tomb_card_which_may_be_used_this_turn() -> None:
    scene = table(hand="wadj_amulet urn", tomb="statue_anubis").play("wadj_amulet").pick("urn", "statue_anubis")
    scene.ends(tomb="urn", hand="statue_anubis").play("statue_anubis")


def test_djed_takes_a_card_of_a_set_in_the_tomb_from_anywhere() -> None:
    scene = table(hand="djed_amulet", tomb="statue_bastet urn").play("djed_amulet")
    assert scene.can("take") == ["statue_horus", "statue_isis"]
    scene.pick("statue_isis").ends(discard="statue_isis")


def test_weres_puts_a_card_into_an_opponents_tomb_and_draws_three() -> None:
    scene = table(3, hand="weres_amulet urn", deck="kite shabti menial").play("weres_amulet").pick("urn", "1")
    scene.ends(tomb1="urn", hand="kite shabti menial")


def test_gates_executes_the_revealed_action_then_discards_the_card() -> None:
    scene = table(hand="book_gates urn", deck="statue_horus").play("book_gates")
    assert scene.offered() == ["act statue_horus"]
    scene.choose("act", "statue_horus").pick("urn").ends(tomb="urn", discard="statue_horus", played="book_gates")


def test_gates_reshuffles_an_empty_deck_and_leaves_what_is_impossible() -> None:
    scene = table(hand="book_gates", discard="box_of_food").play("book_gates")
    assert scene.offered() == ["skip"]
    scene.skip().ends(discard="box_of_food", hand="")


def test_gates_only_discards_a_card_that_reacts() -> None:
    table(hand="book_gates", deck="boat").play("book_gates").ends(discard="boat", played="book_gates")


def test_gates_into_gates_into_a_card_and_all_pages_are_discarded() -> None:
    scene = table(hand="book_gates", deck="statue_anubis book_gates").play("book_gates")
    scene.forced().ends(discard="statue_anubis book_gates", bonus=1)


def test_gates_reveals_a_censer_which_goes_to_the_opponent() -> None:
    scene = table(hand="book_gates", deck="censer", discard1="urn").play("book_gates")
    scene.forced().ends(discard="urn", discard1="censer")


def test_tyet_repeats_what_a_page_of_gates_did_but_not_the_gates_under_way() -> None:
    scene = table(hand="book_gates", deck="tyet_amulet").play("book_gates")
    scene.skip().ends(discard="tyet_amulet")
    after = table(hand="book_gates tyet_amulet", deck="statue_anubis").play("book_gates")
    after.forced().play("tyet_amulet")
    assert after.can("repeat") == ["book_gates", "statue_anubis"]
    after.pick("statue_anubis").ends(bonus=2)


def test_netherworld_takes_the_top_of_the_stock_and_the_pyramid_has_not_changed() -> None:
    scene = table(hand="book_netherworld", stock="urn kite").play("book_netherworld").ends(discard="kite", stock="urn")
    assert not scene.s.changed


def test_heavens_entombs_one_of_five_discards() -> None:
    scene = table(hand="book_heavens", discard="urn urn urn kite shabti").play("book_heavens")
    assert scene.offered() == ["entomb kite", "entomb shabti", "entomb urn"]
    scene.pick("kite").ends(tomb="kite")


def test_eternity_goes_by_the_dearest_purchase_of_the_turn() -> None:
    pyramid = PYRAMID.replace("hapi_jar", "tyet_amulet").replace("statue_isis", "statue_bastet")
    scene = table(hand="statue_isis statue_sobek book_eternity", pyramid=pyramid).buy("tyet_amulet", "statue_sobek")
    assert "book_eternity" not in scene.can("act")
    scene.buy("statue_horus", "statue_isis").ends(bought=5).play("book_eternity")
    scene.forced().ends(discard="tyet_amulet statue_horus statue_bastet")


def test_eternity_takes_from_anywhere_in_the_pyramid() -> None:
    scene = table(hand="book_eternity", bought=6).play("book_eternity")
    assert scene.can("take") == ["hapi_jar", "statue_horus"]
    scene.pick("hapi_jar").ends(discard="hapi_jar")


def test_earth_takes_a_card_of_at_most_twice_the_sacrificed_cost() -> None:
    cheap = "urn kite statue_bastet heart_scarab_amulet statue_anubis chariot"
    scene = table(hand="book_earth box_of_food urn", pyramid=cheap).play("book_earth").pick("box_of_food")
    assert scene.can("take") == ["chariot", "kite", "statue_anubis", "statue_bastet", "urn"]
    scene.pick("chariot").ends(discard="chariot", boneyard="box_of_food")


def test_dead_entombs_the_cheapest_card_and_the_turns_entombing_is_left() -> None:
    scene = table(hand="book_dead urn", pyramid="statue_isis - - - - -")
    scene.play("book_dead").forced().entomb("urn").ends(tomb="statue_isis urn")


def test_dead_leaves_ties_to_the_player() -> None:
    scene = table(hand="book_dead").play("book_dead")
    assert scene.can("entomb") == ["hapi_jar", "statue_horus"]


def test_bastet_fills_the_active_players_pile_and_no_ward_helps() -> None:
    rich = {**RICH, "hand1": "offering_table shabti"}
    scene = table(hand="statue_bastet urn", deck="urn " * 5, **rich).play("statue_bastet")
    assert scene.offered() == ["put offering_table", "put shabti"]
    scene.pick("shabti").ends(discard="shabti", hand="urn", hand1="offering_table")


def test_bastet_exempts_who_owns_five_cards_or_fewer() -> None:
    scene = table(hand="statue_bastet urn", **POOR).play("statue_bastet")
    scene.ends(hand="urn", hand1="urn urn")


def test_bastet_by_option_is_for_everybody_on_their_own_pile_the_active_player_last() -> None:
    scene = table(options=OWN_PILE, hand="statue_bastet urn", deck="kite kite kite kite kite", **RICH).play("statue_bastet")
    scene.several("discard", "kite").several("discard", "urn")
    scene.ends(discard1="menial embalmer kite", discard="urn", hand="")


def test_bastet_by_option_judges_each_exemption_when_the_players_turn_comes() -> None:
    """The active player owns six cards until the statue of Bastet is in play."""
    scene = table(options=OWN_PILE, hand="statue_bastet urn", deck="urn urn urn urn", **RICH).play("statue_bastet")
    scene.several("discard", "kite").ends(hand="urn", discard="")


def test_bastet_by_option_is_a_discard_that_a_ward_keeps_away() -> None:
    rich = {**RICH, "hand1": "offering_table shabti"}
    scene = table(options=OWN_PILE, hand="statue_bastet", **rich).play("statue_bastet").choose("show", "offering_table")
    scene.ends(hand1="offering_table shabti")


def test_anubis_draws_one_card_more_at_the_end() -> None:
    scene = table(hand="statue_anubis", deck="urn " * 7, pyramid="- - - - - -").play("statue_anubis").ends(bonus=1)
    scene.end().ends(hand="urn " * 6, bonus=0)


def test_osiris_discards_one_and_draws_three() -> None:
    scene = table(hand="statue_osiris urn", deck="kite kite shabti menial").play("statue_osiris").pick("urn")
    scene.ends(discard="urn", hand="kite shabti menial")


def test_thoth_makes_every_hand_card_worth_4_even_the_dearer_ones_and_later_draws() -> None:
    scene = table(hand="statue_thoth statue_isis wall_painting", deck="urn urn", pyramid="statue_horus - - - - -")
    scene.play("statue_thoth").play("wall_painting").refuses(0, Action("buy", (0, scene.s.hand[0][0])))
    scene.buy("statue_horus", "urn", "urn").ends(discard="statue_horus", hand="statue_isis")


def test_horus_entombs_a_hand_card() -> None:
    table(hand="statue_horus urn kite").play("statue_horus").pick("kite").ends(tomb="kite", hand="urn")


def test_sobek_discards_entombs_and_gives_the_revealed_cards() -> None:
    scene = table(3, hand="statue_sobek", deck="urn kite shabti").play("statue_sobek").ends(revealed="shabti kite urn")
    scene.pick("kite").pick("urn")
    assert scene.can("give") == ["shabti 1", "shabti 2"]
    scene.pick("shabti", "1").ends(discard="kite", tomb="urn", discard1="shabti", revealed="")


def test_isis_takes_a_card_of_cost_6_or_less_and_the_pyramid_crumbles() -> None:
    scene = table(hand="statue_isis", pyramid="statue_horus book_earth hapi_jar book_dead weres_amulet urn")
    scene.play("statue_isis")
    assert scene.can("take") == ["book_earth", "hapi_jar", "statue_horus", "urn", "weres_amulet"]
    scene.pick("statue_horus").ends(pyramid="book_dead book_earth hapi_jar urn weres_amulet -", discard="statue_horus")


def test_gates_asks_for_cards_besides_the_revealed_one() -> None:
    scene = table(hand="book_gates urn", deck="statue_osiris").play("book_gates").choose("act", "statue_osiris")
    assert scene.can("discard_one") == ["urn"]


def test_heavens_does_not_count_cards_in_play() -> None:
    played = "urn urn"
    assert table(hand="book_heavens", played=played, discard="urn shabti kite").can("act") == []


def test_chariot_discards_a_card_and_takes_the_top_of_the_boneyard() -> None:
    scene = table(hand="chariot urn", boneyard="kite shabti").play("chariot").pick("urn")
    scene.ends(discard="urn shabti", boneyard="kite")


def test_burial_mask_entombs_from_hand_or_discard_pile() -> None:
    both = dict(hand="burial_mask urn", discard="kite shabti")
    table(**both).play("burial_mask").pick("urn").ends(tomb="urn")
    table(**both).play("burial_mask").pick("kite").ends(tomb="kite", discard="shabti")


def test_censer_takes_the_top_of_an_opponents_pile_and_lies_there_itself() -> None:
    scene = table(3, hand="censer", discard="urn", discard1="kite shabti").play("censer")
    scene.forced().ends(discard="urn shabti", discard1="kite censer", played="")


def test_ka_figure_discards_a_set_card_and_takes_one_of_its_set() -> None:
    scene = table(hand="ka_figure statue_bastet book_gates urn boat inner_sarcophagus").play("ka_figure")
    assert scene.can("discard_one") == ["book_gates", "statue_bastet"]
    scene.pick("statue_bastet")
    assert scene.can("take") == ["statue_horus", "statue_isis"]
    scene.pick("statue_horus").ends(discard="statue_bastet statue_horus")
