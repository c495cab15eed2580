"""The additional unique cards of the premium box, and the pharaohs."""
from __future__ import annotations

import pytest

from tests.engine.valley_of_the_kings.scene import Table, table

NO_PYRAMID = "- - - - - -"
REFUSED = [
    ("oil_lamp", "a card in the stock", dict()),
    ("obelisk", "two pyramid cards", dict(pyramid="urn - - - - -")),
    ("obelisk", "a card of cost 4 or less that can be at the base", dict()),
    ("double_crown", "a hand card", dict()),
]
UNABLE = [
    ("narmer", "two pyramid cards", dict(pyramid="urn - - - - -")),
    ("khufu", "a pyramid card", dict(pyramid=NO_PYRAMID)),
    ("thutmose3", "a hand card", dict(deck="kite")),
    ("amenhotep3", "a card in the discard pile", dict(deck="kite")),
    ("akhenaten", "a hand card", dict(deck="kite")),
    ("tutankhamun", "a hand card of cost 1 or less", dict(hand="kite box_of_food")),
    ("tutankhamun", "a card to discard", dict(hand="urn")),
    ("seti1", "a card in the stock", dict()),
]


def test_sistrum_draws_and_so_do_opponents_with_fewer_than_five_cards() -> None:
    zones = dict(hand1="urn urn urn urn urn", hand2="kite", deck="shabti", deck1="menial", deck2="menial")
    scene = table(3, hand="sistrum", **zones).play("sistrum").ends(hand="shabti", hand2="kite menial")
    scene.ends(hand1="urn urn urn urn urn", deck1="menial")


def test_scarab_seal_sends_the_next_purchase_to_the_deck() -> None:
    scene = table(hand="scarab_seal urn urn", pyramid="urn kite - - - -", deck="menial").play("scarab_seal")
    scene.buy("urn", "urn").ends(deck="menial urn", discard="", to_deck=0)


def test_oil_lamp_takes_one_of_two_stock_cards_and_puts_the_other_under_it() -> None:
    scene = table(hand="oil_lamp", stock="menial urn kite", under="boat").play("oil_lamp").pick("urn")
    scene.ends(discard="urn", stock="menial", under="boat kite", looked="")


def test_obelisk_swaps_and_takes_a_cheap_base_card() -> None:
    pyramid = "statue_horus book_earth hapi_jar urn weres_amulet statue_isis"
    scene = table(hand="obelisk", pyramid=pyramid).play("obelisk")
    assert scene.can("exchange") == ["book_earth urn", "hapi_jar urn", "statue_horus urn"]
    scene.pick("hapi_jar", "urn").forced().ends(discard="urn")


def test_sun_barque_shuffles_the_discard_pile_into_the_deck_and_draws_two() -> None:
    scene = table(hand="sun_barque", deck="urn", discard="urn urn").play("sun_barque")
    scene.ends(hand="urn urn", deck="urn", discard="")


def test_double_crown_draws_for_a_set_card_that_is_new_to_the_tomb() -> None:
    new = table(hand="double_crown statue_horus", tomb="statue_isis", deck="urn").play("double_crown")
    new.pick("statue_horus").ends(hand="urn", tomb="statue_isis statue_horus")
    old = table(hand="double_crown statue_isis", tomb="statue_isis", deck="urn", pyramid=NO_PYRAMID)
    old.play("double_crown").pick("statue_isis").ends(hand="")
    starter = table(hand="double_crown kite", deck="urn").play("double_crown").pick("kite").ends(hand="")
    assert starter.s.tomb[0]


# --- pharaohs: an ability once a turn, no action that could be repeated ----------------------------------------------
def ruler(name: str, **zones: str) -> Table:
    return table(pharaoh=f"pharaoh_{name}", **zones)


@pytest.mark.parametrize(("name", "missing", "zones"), UNABLE, ids=[f"{name}: {why}" for name, why, _ in UNABLE])
def test_no_ability_without(name: str, missing: str, zones: dict[str, str]) -> None:
    assert ruler(name, **zones).can("rule") == [], f"{name} offered without {missing}"


def test_an_ability_is_used_once_a_turn_and_repeated_by_nothing() -> None:
    scene = ruler("narmer", hand="tyet_amulet").rule().pick("statue_horus", "hapi_jar")
    assert scene.can("rule") == [] and scene.can("act") == []


def test_narmer_swaps_two_pyramid_cards() -> None:
    scene = ruler("narmer").rule().pick("statue_horus", "hapi_jar")
    scene.ends(pyramid="hapi_jar book_earth statue_horus book_dead weres_amulet statue_isis")


def test_djoser_opens_the_middle_row() -> None:
    assert ruler("djoser", hand="statue_isis statue_sobek").rule().ends(reach=1).can("buy") == list("01234")


def test_khufu_sacrifices_a_pyramid_card() -> None:
    ruler("khufu").rule().pick("statue_isis").ends(boneyard="statue_isis")


def test_hatshepsut_makes_the_next_purchase_cheaper() -> None:
    scene = ruler("hatshepsut", hand="urn", pyramid="kite - - - - -").rule().buy("kite", "urn").ends(discard="kite")
    scene.ends(discount=0)


def test_thutmose_discards_and_draws() -> None:
    ruler("thutmose3", hand="urn", deck="kite").rule().pick("urn").ends(discard="urn", hand="kite")


def test_amenhotep_puts_the_top_discard_on_the_deck() -> None:
    ruler("amenhotep3", discard="urn kite").rule().ends(discard="urn", deck="kite")


def test_akhenaten_sacrifices_and_draws() -> None:
    ruler("akhenaten", hand="urn", deck="kite").rule().pick("urn").ends(boneyard="urn", hand="kite")


def test_tutankhamun_discards_and_entombs_a_card_of_cost_1_or_less() -> None:
    scene = ruler("tutankhamun", hand="urn kite").rule()
    assert scene.can("discard_one") == ["kite"]
    scene.pick("kite").pick("urn").ends(discard="kite", tomb="urn")


def test_seti_looks_at_the_top_of_the_stock_and_may_put_it_under() -> None:
    zones = dict(stock="urn kite", under="menial")
    ruler("seti1", **zones).rule().choose("put_on_top", "kite").ends(stock="urn kite", under="menial")
    ruler("seti1", **zones).rule().choose("put_under", "kite").ends(stock="urn", under="menial kite")


def test_ramesses_makes_one_card_worth_one_more() -> None:
    scene = ruler("ramesses2", hand="urn urn urn", pyramid="kite ring - - - -").rule().ends(gold_once=1)
    scene.buy("kite", "urn").ends(gold_once=0, discard="kite")
    assert scene.can("buy") == []


def test_a_free_card_does_not_use_up_ramesses() -> None:
    scene = ruler("ramesses2", hand="ring ring", pyramid="dagger - - - - -").rule().play("ring").play("ring")
    scene.buy("dagger").ends(gold_once=1, discard="dagger")
