"""Each card of Afterlife, which uses the starters of the base box."""
from __future__ import annotations

from tests.engine.valley_of_the_kings.scene import PYRAMID, table

NO_PYRAMID = "- - - - - -"
REFUSED = [
    ("antechamber", "a card to put back", dict()),
    ("burial_chamber", "a hand card", dict()),
    ("throwing_stick", "a pyramid card", dict(pyramid=NO_PYRAMID)),
    ("bow", "a card of cost 5 or less above the base", dict(pyramid="urn book_earth hapi_jar book_dead - -")),
    ("earrings", "a card to discard", dict()),
    ("bracelet", "a card in the discard pile", dict()),
    ("pectoral", "a card in the discard pile", dict()),
    ("broad_collar", "a pyramid card of cost 5 or less", dict(pyramid="statue_isis - - - - -")),
    ("natron", "a hand card to sacrifice", dict(deck="urn")),
    ("linen_wrappings", "a starter in hand or discard pile", dict(hand="statue_isis", discard="boat")),
    ("embalming_oil", "a card in deck or discard pile", dict()),
    ("resin", "a card in the discard pile", dict()),
    ("canopic_chest", "a set card in hand", dict(hand="urn boat")),
    ("ritual_adze", "a card in the tomb", dict(discard="urn")),
    ("ritual_adze", "a card in the discard pile", dict(tomb="urn")),
    ("ostracon", "two pyramid cards", dict(pyramid="urn - - - - -")),
    ("painted_relief", "a hand card to discard", dict(deck="urn")),
    ("tomb_model", "a card at the apex", dict(pyramid=PYRAMID.replace("statue_isis", "-"))),
    ("stela", "a pyramid card that costs no more than the tomb has cards", dict(tomb="urn urn urn urn")),
    ("false_door", "two cards in the boneyard", dict(boneyard="urn")),
    ("star_ceiling", "a card in the stock", dict()),
    ("calcite_cup", "a card to put back", dict()),
    ("senet_board", "a hand card", dict(boneyard="urn")),
    ("senet_board", "a card in the boneyard", dict(hand="urn")),
    ("throne", "a card at the base", dict(pyramid=NO_PYRAMID)),
    ("golden_shrine", "a hand card", dict(discard="urn")),
    ("golden_shrine", "a card in the discard pile", dict(hand="urn")),
]  # fmt: skip


def test_antechamber_draws_then_puts_a_card_on_the_deck() -> None:
    scene = table(hand="antechamber urn", deck="shabti kite").play("antechamber")
    scene.pick("urn").ends(hand="kite", deck="shabti urn")
    table(hand="antechamber", deck="kite").play("antechamber").pick("kite").ends(deck="kite", hand="")


def test_treasury_takes_the_top_of_the_boneyard_or_draws() -> None:
    table(hand="treasury", boneyard="urn kite").play("treasury").way("take").ends(discard="kite", boneyard="urn")
    table(hand="treasury", deck="kite").play("treasury").forced().ends(hand="kite")


def test_burial_chamber_entombs_one_card_and_maybe_another() -> None:
    table(hand="burial_chamber urn kite").play("burial_chamber").pick("urn").pick("kite").ends(tomb="urn kite")
    table(hand="burial_chamber urn kite").play("burial_chamber").pick("urn").skip().ends(tomb="urn", hand="kite")
    table(hand="burial_chamber urn").play("burial_chamber").pick("urn").ends(tomb="urn")


def test_throwing_stick_sacrifices_a_pyramid_card_and_draws() -> None:
    scene = table(hand="throwing_stick", deck="kite").play("throwing_stick").pick("statue_isis")
    scene.ends(boneyard="statue_isis", hand="kite", pyramid=PYRAMID.replace("statue_isis", "-"))


def test_dagger_makes_one_opponent_discard_two() -> None:
    scene = table(3, hand="dagger", hand1="urn", hand2="kite urn shabti").play("dagger").pick("2")
    scene.several("discard", "kite", "shabti").ends(discard2="kite shabti", hand2="urn", hand1="urn")


def test_bow_takes_a_card_above_the_base() -> None:
    pyramid = "statue_horus book_earth hapi_jar throne bow statue_bastet"
    scene = table(hand="bow", pyramid=pyramid).play("bow")
    assert scene.can("take") == ["bow", "statue_bastet"]
    scene.pick("bow").ends(discard="bow", pyramid="statue_horus book_earth hapi_jar throne statue_bastet -")


def test_khopesh_makes_opponents_sacrifice_their_top_discard() -> None:
    rich = dict(discard1="urn kite", hand1="urn urn", deck1="urn urn")
    scene = table(3, hand="khopesh", discard2="urn kite", **rich).play("khopesh")
    scene.ends(boneyard="kite", discard1="urn", discard2="urn kite")


def test_earrings_draw_two_then_discard_one() -> None:
    table(hand="earrings", deck="urn kite").play("earrings").pick("urn").ends(hand="kite", discard="urn")


def test_ring_makes_the_next_purchase_2_cheaper_and_no_further_one() -> None:
    scene = table(hand="ring urn statue_isis", pyramid="dagger statue_bastet - - - -").play("ring").ends(discount=2)
    scene.buy("dagger", "urn", "statue_isis").ends(discount=0, discard="dagger", bought=4)


def test_two_rings_add_up_and_a_free_card_needs_no_payment() -> None:
    scene = table(hand="ring ring", pyramid="dagger - - - - -").play("ring").play("ring").ends(discount=4)
    scene.buy("dagger").ends(discard="dagger")


def test_bracelet_puts_any_discard_on_the_deck() -> None:
    scene = table(hand="bracelet", discard="urn kite shabti", deck="menial").play("bracelet").pick("urn")
    scene.ends(deck="menial urn", discard="kite shabti")


def test_pectoral_entombs_the_top_discard_and_draws() -> None:
    table(hand="pectoral", discard="urn kite", deck="shabti").play("pectoral").ends(tomb="kite", hand="shabti")


def test_broad_collar_takes_a_card_into_the_hand() -> None:
    scene = table(hand="broad_collar").play("broad_collar")
    assert scene.can("to_hand") == ["hapi_jar", "statue_horus"]
    scene.pick("hapi_jar").ends(hand="hapi_jar", discard="")


def test_natron_sacrifices_a_card_and_draws_two() -> None:
    scene = table(hand="natron urn", deck="kite shabti").play("natron").pick("urn")
    scene.ends(boneyard="urn", hand="kite shabti")


def test_linen_entombs_a_starter_from_hand_or_discard_pile() -> None:
    scene = table(hand="linen_wrappings urn boat", discard="kite throne").play("linen_wrappings")
    assert scene.can("entomb") == ["kite", "urn"]
    scene.pick("kite").ends(tomb="kite", discard="throne")


def test_embalming_oil_entombs_the_revealed_card_or_discards_it() -> None:
    table(hand="embalming_oil", deck="kite").play("embalming_oil").ends(revealed="kite").pick("kite").ends(tomb="kite")
    table(hand="embalming_oil", deck="kite").play("embalming_oil").skip().ends(discard="kite", revealed="")


def test_resin_puts_any_discard_into_the_hand() -> None:
    table(hand="resin", discard="urn kite").play("resin").pick("urn").ends(hand="urn", discard="kite")


def test_canopic_chest_entombs_a_set_card_and_maybe_another_of_its_set() -> None:
    hand = "canopic_chest natron resin dagger urn"
    scene = table(hand=hand).play("canopic_chest")
    assert scene.can("entomb") == ["dagger", "natron", "resin"]
    scene.pick("natron")
    assert scene.offered() == ["entomb resin", "skip"]
    scene.pick("resin").ends(tomb="natron resin")
    alone = table(hand=hand).play("canopic_chest").pick("dagger")
    assert alone.offered() == ["skip"]
    alone.skip().ends(tomb="dagger")


def test_ritual_adze_exchanges_a_tomb_card_and_a_discard_then_draws() -> None:
    scene = table(hand="ritual_adze", tomb="urn", discard="kite shabti", deck="menial").play("ritual_adze")
    scene.pick("kite", "urn").ends(tomb="kite", discard="shabti urn", hand="menial")


def test_ostracon_swaps_and_draws() -> None:
    scene = table(hand="ostracon", deck="urn").play("ostracon").pick("statue_horus", "statue_isis")
    scene.ends(pyramid="statue_isis book_earth hapi_jar book_dead weres_amulet statue_horus", hand="urn")


def test_wall_painting_draws_two_or_what_there_is() -> None:
    table(hand="wall_painting", deck="urn kite").play("wall_painting").ends(hand="urn kite")
    table(hand="wall_painting").play("wall_painting").ends(hand="")


def test_painted_relief_discards_one_to_three_and_draws_as_many() -> None:
    scene = table(hand="painted_relief urn kite shabti menial", deck="boat throne").play("painted_relief")
    scene.several("discard", "kite", "urn").ends(discard="kite urn", hand="shabti menial boat throne")


def test_tomb_model_takes_the_apex() -> None:
    table(hand="tomb_model").play("tomb_model").ends(discard="statue_isis", pyramid=PYRAMID.replace("statue_isis", "-"))


def test_stela_takes_a_card_of_at_most_the_tombs_size() -> None:
    scene = table(hand="stela", tomb="urn urn urn kite kite").play("stela")
    assert scene.can("take") == ["hapi_jar", "statue_horus"]
    scene.pick("hapi_jar").ends(discard="hapi_jar")


def test_false_door_takes_two_cards_of_the_boneyard() -> None:
    table(hand="false_door", boneyard="urn kite shabti").play("false_door").ends(boneyard="urn", discard="shabti kite")


def test_star_ceiling_takes_one_of_three_and_puts_the_others_back_in_any_order() -> None:
    scene = table(hand="star_ceiling", stock="menial urn kite shabti").play("star_ceiling").pick("kite")
    scene.several("put_back", "shabti", "urn").ends(stock="menial shabti urn", discard="kite", looked="")


def test_star_ceiling_looks_at_what_a_short_stock_has() -> None:
    table(hand="star_ceiling", under="kite").play("star_ceiling").pick("kite").ends(discard="kite", under="")


def test_calcite_cup_draws_two_and_puts_one_back() -> None:
    table(hand="calcite_cup", deck="urn kite").play("calcite_cup").pick("urn").ends(hand="kite", deck="urn")


def test_senet_board_exchanges_a_hand_card_with_the_boneyards_top_and_sacrifices_nothing() -> None:
    scene = table(hand="senet_board urn", boneyard="shabti kite", hand1="mummified_cat").play("senet_board")
    scene.pick("urn", "kite").ends(hand="kite", boneyard="shabti urn")
    assert scene.asked == [0]


def test_crook_and_flail_strikes_opponents_with_larger_tombs() -> None:
    zones = dict(tomb="urn", tomb1="kite kite", tomb2="shabti", hand1="urn shabti", hand2="urn", deck="menial")
    scene = table(3, hand="crook_and_flail", **zones).play("crook_and_flail")
    assert scene.asked == [1]
    scene.several("discard", "shabti").passes().ends(hand="menial", discard1="shabti", hand2="urn")


def test_throne_puts_a_base_card_on_the_deck() -> None:
    scene = table(hand="throne", deck="urn").play("throne")
    assert scene.can("to_deck") == ["book_earth", "hapi_jar", "statue_horus"]
    scene.pick("hapi_jar").ends(deck="urn hapi_jar")


def test_golden_shrine_entombs_a_hand_card_and_the_top_discard() -> None:
    scene = table(hand="golden_shrine urn kite", discard="shabti menial").play("golden_shrine").pick("kite")
    scene.ends(tomb="kite menial", discard="shabti")
