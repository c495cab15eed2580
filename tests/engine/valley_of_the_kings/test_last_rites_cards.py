"""Each card of Last Rites, which has its own starters."""
from __future__ import annotations

from tests.engine.valley_of_the_kings.scene import PYRAMID, table

NO_PYRAMID = "- - - - - -"
REFUSED = [
    ("embalmer", "three hand cards, one of cost 2 or less", dict(hand="urn kite")),
    ("embalmer", "a hand card of cost 2 or less", dict(hand="statue_isis statue_horus book_dead")),
    ("kite", "a pyramid card that lies face up", dict(pyramid=NO_PYRAMID)),
    ("priestess_isis", "a card of cost 3 or less in the discard pile", dict(discard="statue_isis")),
    ("priestess_neith", "a cheaper card in the discard pile", dict(hand="urn", discard="shabti")),
    ("stonemason", "two pyramid cards", dict(pyramid="urn - - - - -")),
    ("engineer", "a second pyramid card that costs no more", dict(pyramid="statue_horus - - - - -")),
    ("architect", "a pyramid card of cost 7 or less", dict(pyramid="statue_isis - - - - -")),
    ("scribe", "a card in deck or discard pile", dict(hand="urn")),
    ("vizier", "an action at the base", dict(pyramid="boat mummified_cat vizier - - -")),
    ("vizier", "an action at the base that can be completed", dict(pyramid="statue_horus - - - - -")),
    ("potter", "two cards in the discard pile", dict(discard="urn")),
    ("weaver", "a hand card of cost 3 or less", dict(hand="statue_isis")),
    ("painter", "a hand card that costs at most 1 less than a pyramid card", dict(hand="urn kite")),
    ("glassmaker", "a hand card", dict(discard="urn")),
    ("glassmaker", "a card in the discard pile", dict(hand="urn")),
    ("sculptor", "a set card in hand that is not in the tomb", dict(hand="urn potter", tomb="potter")),
    ("priest_sobek", "a hand card to sacrifice", dict(hand1="urn")),
    ("priest_anubis", "a cheap card in the boneyard or a pyramid card", dict(pyramid=NO_PYRAMID, boneyard="statue_isis")),
    ("priest_ptah", "a pyramid card of cost 5 or less", dict(pyramid="statue_isis - - - - -")),
    ("priest_osiris", "a card in the discard pile", dict(hand="urn")),
    ("priest_re", "a second pyramid card of cost 4 or less", dict(pyramid="urn statue_isis - - - -")),
    ("astrologer", "a card in the stock", dict(deck="urn")),
    ("muu_dancer", "an opponent with cards in hand", dict(hand="urn")),
    ("muu_dancer", "a hand card", dict(hand1="urn")),
    ("tomb_robber", "a card on an opponent's discard pile", dict(hand="urn", discard="urn")),
    ("lector", "an action executed this turn", dict(hand="urn")),
    ("royal_widow", "two hand cards", dict(hand="urn")),
]  # fmt: skip


def test_menial_opens_the_whole_pyramid_to_the_next_purchase() -> None:
    scene = table(hand="menial statue_isis statue_sobek").play("menial").way("reach").ends(reach=2)
    assert scene.can("buy") == ["0", "1", "2", "3", "4", "5"]
    scene.buy("statue_isis", "statue_isis", "statue_sobek").ends(discard="statue_isis", reach=0)


def test_menial_discards_and_draws() -> None:
    table(hand="menial urn", deck="kite").play("menial").way("discard").pick("urn").ends(discard="urn", hand="kite")
    assert table(hand="menial").play("menial").can("way") == ["reach"]


def test_embalmer_discards_two_cards_and_entombs_a_cheap_one() -> None:
    scene = table(hand="embalmer urn kite statue_isis").play("embalmer").pick("statue_isis")
    scene.pick("urn").pick("kite").ends(discard="statue_isis urn", tomb="kite")


def test_embalmer_keeps_a_card_that_can_be_entombed() -> None:
    scene = table(hand="embalmer urn statue_isis book_dead").play("embalmer")
    assert scene.can("discard_one") == ["book_dead", "statue_isis"]


def test_kite_bars_a_card_from_sale_until_ones_next_turn_and_leaves_it_open() -> None:
    scene = table(hand="kite statue_thoth book_dead", hand1="statue_sobek statue_thoth", deck="urn " * 5)
    scene.play("kite").pick("statue_horus")
    assert scene.can("buy") == ["1", "2"]
    assert not scene.s.changed
    scene.end().pick("book_dead")
    scene.ends(pyramid="statue_horus book_earth hapi_jar statue_isis weres_amulet -")
    assert scene.can("buy") == ["1", "2"]
    scene.end().pick("weres_amulet")
    assert scene.s.covered == [[], []]


def test_a_card_turned_face_down_may_be_swapped_and_taken_and_is_open_again_then() -> None:
    scene = table(hand="kite shabti statue_isis").play("kite").pick("statue_horus").play("shabti").way("exchange")
    scene.pick("statue_horus", "hapi_jar").play("statue_isis").pick("statue_horus").ends(discard="statue_horus")
    assert scene.s.covered == [[], []]


def test_two_kites_cannot_turn_the_same_card() -> None:
    scene = table(hand="kite kite", pyramid="statue_horus - - - - -").play("kite").forced()
    assert scene.can("act") == []


def test_priestess_hathor_draws_and_may_discard_to_draw_again() -> None:
    zones = dict(hand="priestess_hathor urn", deck="shabti kite")
    table(**zones).play("priestess_hathor").way("discard").pick("urn").ends(discard="urn", hand="kite shabti")
    table(**zones).play("priestess_hathor").skip().ends(hand="urn kite")


def test_priestess_isis_puts_a_cheap_discard_into_the_hand() -> None:
    scene = table(hand="priestess_isis", discard="urn statue_isis ring").play("priestess_isis")
    assert scene.can("to_hand") == ["ring", "urn"]
    scene.pick("ring").ends(hand="ring", discard="urn statue_isis")


def test_priestess_neith_entombs_a_hand_card_and_a_cheaper_discard() -> None:
    scene = table(hand="priestess_neith urn kite", discard="shabti statue_isis").play("priestess_neith")
    assert scene.can("entomb") == ["kite"]
    scene.pick("kite")
    assert scene.can("entomb") == ["shabti"]
    scene.pick("shabti").ends(tomb="kite shabti", discard="statue_isis")


def test_carpenter_makes_the_next_purchase_cheaper_and_opens_the_middle_row() -> None:
    scene = table(hand="carpenter statue_sobek book_earth", pyramid=PYRAMID.replace("weres_amulet", "statue_bastet"))
    scene.play("carpenter").ends(reach=1, discount=1)
    assert scene.can("buy") == ["0", "1", "2", "3", "4"]
    scene.buy("book_dead", "statue_sobek", "book_earth").ends(discard="book_dead", reach=0, discount=0)


def test_stonemason_swaps_and_may_sacrifice() -> None:
    pyramid = "statue_horus book_earth - - - -"
    scene = table(hand="stonemason", pyramid=pyramid).play("stonemason").forced()
    scene.pick("book_earth").ends(pyramid="- statue_horus - - - -", boneyard="book_earth")
    scene = table(hand="stonemason", pyramid=pyramid).play("stonemason").forced().skip()
    scene.ends(pyramid="book_earth statue_horus - - - -")


def test_engineer_sacrifices_a_pyramid_card_and_takes_one_that_costs_no_more() -> None:
    scene = table(hand="engineer").play("engineer").pick("weres_amulet")
    assert scene.can("take") == ["book_earth", "hapi_jar", "statue_horus"]
    scene.pick("hapi_jar").ends(discard="hapi_jar", boneyard="weres_amulet")


def test_engineer_offers_only_cards_after_which_another_can_be_taken() -> None:
    scene = table(hand="engineer", pyramid="statue_horus statue_isis - - - -").play("engineer")
    scene.forced().ends(discard="statue_horus", boneyard="statue_isis")


def test_architect_takes_any_card_of_cost_7_or_less() -> None:
    scene = table(hand="architect").play("architect")
    assert "statue_isis" not in scene.can("take")
    scene.pick("book_dead").ends(discard="book_dead")


def test_scribe_puts_one_of_three_cards_into_the_hand_and_discards_the_others() -> None:
    scene = table(hand="scribe", deck="menial urn kite shabti").play("scribe").ends(looked="shabti kite urn")
    scene.pick("kite").ends(hand="kite", discard="shabti urn", deck="menial", looked="")


def test_steward_makes_starters_worth_one_more() -> None:
    scene = table(hand="steward urn urn", pyramid="dagger ring - - - -").play("steward")
    scene.buy("dagger", "urn", "urn").ends(discard="dagger")


def test_overseer_makes_one_opponent_discard_then_draws() -> None:
    scene = table(3, hand="overseer", hand1="urn", hand2="kite", deck="menial").play("overseer").pick("1")
    scene.several("discard", "urn").ends(discard1="urn", hand2="kite", hand="menial")


def test_treasurer_makes_the_next_purchase_3_cheaper() -> None:
    scene = table(hand="treasurer urn", pyramid="dagger - - - - -").play("treasurer").buy("dagger", "urn")
    scene.ends(discard="dagger", discount=0)


def test_vizier_executes_the_action_of_a_base_card_which_stays() -> None:
    scene = table(hand="vizier urn", pyramid="statue_horus statue_anubis boat - - -").play("vizier")
    assert scene.can("repeat") == ["statue_anubis", "statue_horus"]
    scene.pick("statue_horus").pick("urn").ends(tomb="urn", pyramid="statue_horus statue_anubis boat - - -")


def test_vizier_as_a_censer_goes_to_the_opponent_itself() -> None:
    scene = table(hand="vizier", pyramid="censer - - - - -", discard1="urn").play("vizier").pick("censer").forced()
    scene.ends(discard="urn", discard1="vizier", pyramid="censer - - - - -")


def test_vizier_borrows_no_vizier_tyet_or_lector() -> None:
    scene = table(hand="statue_anubis vizier", pyramid="vizier tyet_amulet lector - - -").play("statue_anubis")
    assert scene.can("act") == []


def test_potter_puts_the_top_two_discards_on_the_deck_in_any_order() -> None:
    zones = dict(hand="potter", discard="shabti urn kite")
    table(**zones).play("potter").pick("urn").ends(deck="urn kite", discard="shabti")
    table(**zones).play("potter").pick("kite").ends(deck="kite urn", discard="shabti")


def test_weaver_entombs_a_card_of_cost_3_or_less() -> None:
    scene = table(hand="weaver ring dagger").play("weaver")
    assert scene.can("entomb") == ["ring"]
    scene.pick("ring").ends(tomb="ring")


def test_painter_discards_and_takes_a_card_that_costs_at_most_one_more() -> None:
    scene = table(hand="painter statue_bastet urn").play("painter")
    assert scene.can("discard_one") == ["statue_bastet"]
    scene.pick("statue_bastet")
    assert scene.can("take") == ["hapi_jar", "statue_horus"]
    scene.pick("hapi_jar").ends(discard="statue_bastet hapi_jar")


def test_glassmaker_exchanges_a_hand_card_and_a_discard() -> None:
    scene = table(hand="glassmaker urn", discard="kite shabti").play("glassmaker").pick("urn", "kite")
    scene.ends(hand="kite", discard="shabti urn")


def test_sculptor_entombs_a_set_card_that_is_new_to_the_tomb() -> None:
    scene = table(hand="sculptor urn potter weaver", tomb="potter").play("sculptor")
    assert scene.can("entomb") == ["weaver"]
    scene.pick("weaver").ends(tomb="potter weaver")


def test_goldsmith_makes_every_card_worth_one_more() -> None:
    scene = table(hand="goldsmith urn dagger", pyramid="djed_amulet - - - - -").play("goldsmith")
    scene.buy("djed_amulet", "urn", "dagger").ends(discard="djed_amulet")


def test_thoth_sets_the_gold_first_and_goldsmith_adds_to_it() -> None:
    scene = table(hand="goldsmith statue_thoth urn", pyramid="djed_amulet - - - - -").play("goldsmith")
    scene.play("statue_thoth").buy("djed_amulet", "urn").ends(discard="djed_amulet")


def test_priest_of_thoth_draws_two() -> None:
    table(hand="priest_thoth", deck="urn kite shabti").play("priest_thoth").ends(hand="kite shabti", deck="urn")


def test_priest_of_sobek_sacrifices_and_makes_opponents_discard() -> None:
    scene = table(hand="priest_sobek urn", hand1="kite").play("priest_sobek").pick("urn")
    scene.several("discard", "kite").ends(boneyard="urn", discard1="kite")


def test_priest_of_anubis_takes_a_cheap_boneyard_card_or_sacrifices() -> None:
    cheap = table(hand="priest_anubis", boneyard="urn").play("priest_anubis")
    cheap.way("take").ends(discard="urn", boneyard="")
    dear = table(hand="priest_anubis", boneyard="statue_isis").play("priest_anubis")
    dear.forced().pick("statue_isis").ends(boneyard="statue_isis statue_isis")


def test_priest_of_ptah_puts_a_card_on_the_deck() -> None:
    table(hand="priest_ptah").play("priest_ptah").pick("hapi_jar").ends(deck="hapi_jar", discard="")


def test_priest_of_osiris_entombs_a_discard_and_may_sacrifice() -> None:
    zones = dict(hand="priest_osiris urn", discard="kite shabti")
    table(**zones).play("priest_osiris").pick("kite").pick("urn").ends(tomb="kite", boneyard="urn")
    table(**zones).play("priest_osiris").pick("kite").skip().ends(tomb="kite", hand="urn")


def test_priest_of_amun_draws_two_and_may_entomb_a_cheap_card() -> None:
    zones = dict(hand="priest_amun", deck="statue_isis urn")
    table(**zones).play("priest_amun").pick("urn").ends(tomb="urn", hand="statue_isis")
    table(**zones).play("priest_amun").skip().ends(tomb="", hand="urn statue_isis")


def test_priest_of_re_takes_two_cheap_cards_the_second_after_the_crumble() -> None:
    scene = table(hand="priest_re", pyramid="urn statue_isis statue_sobek ring statue_horus -").play("priest_re")
    scene.pick("urn").forced().ends(discard="urn ring", pyramid="- statue_isis statue_sobek - statue_horus -")


def test_astrologer_orders_the_top_three_of_the_stock_and_draws() -> None:
    scene = table(hand="astrologer", stock="menial urn kite shabti", deck="boat").play("astrologer")
    scene.several("put_back", "kite", "shabti", "urn").ends(stock="menial kite shabti urn", hand="boat")


def test_muu_dancer_trades_hand_cards_onto_discard_piles_and_no_ward_helps() -> None:
    scene = table(3, hand="muu_dancer urn", hand1="offering_table kite").play("muu_dancer")
    assert scene.can("give") == ["urn 1"]
    scene.pick("urn", "1")
    assert scene.offered() == ["put kite", "put offering_table"]
    scene.pick("kite").ends(discard="kite", discard1="urn", hand="", hand1="offering_table")


def test_tomb_robber_takes_an_opponents_top_discard_and_leaves_a_hand_card() -> None:
    scene = table(hand="tomb_robber", discard1="urn kite").play("tomb_robber").pick("1").ends(hand="kite")
    scene.pick("kite").ends(discard1="urn kite", hand="")


def test_lector_repeats_an_action_and_tyet_may_repeat_the_lector() -> None:
    scene = table(hand="lector statue_anubis tyet_amulet").play("statue_anubis").play("lector").pick("statue_anubis")
    scene.ends(bonus=2).play("tyet_amulet")
    assert scene.can("repeat") == ["lector", "statue_anubis"]
    scene.pick("lector").pick("statue_anubis").ends(bonus=3)


def test_royal_widow_entombs_two_cards() -> None:
    table(hand="royal_widow urn kite boat").play("royal_widow").pick("urn").pick("kite").ends(tomb="urn kite", hand="boat")
