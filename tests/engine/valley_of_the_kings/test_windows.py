"""Windows ask exactly the seats that may have the card, by public knowledge."""
from __future__ import annotations

from typing import Any

import pytest

from ludarium_engine.kernel import Action, Chance, decide, legal_offers, new_game, seats_to_act
from ludarium_engine.titles.valley_of_the_kings import TITLE
from ludarium_engine.titles.valley_of_the_kings.memory import in_this_game
from ludarium_engine.titles.valley_of_the_kings.state import ValleyOptions
from tests.engine.valley_of_the_kings.scene import AT_PLAY, Table, table


def fresh(seats: int = 3, /, **zones: Any) -> Table:
    """Return a table with full public knowledge about cards that react."""
    scene = table(seats, **zones)
    scene.s.lacks = [in_this_game(scene.s) for _ in range(seats)]
    scene.s.buried = [[card for card in in_this_game(scene.s) if card in pile] for pile in scene.s.discard]
    return scene


def next_turn(scene: Table, seat: int) -> Table:
    """Let the same table continue with that seat's turn."""
    scene.s.turn = seat
    return scene.asks("turn", seat, AT_PLAY)


@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_asked_after_the_first_purchase_of_a_game(seed: int) -> None:
    chance = Chance(bytes([seed] * 32))
    s, _ = new_game(TITLE, ValleyOptions(), 4, chance)
    (seat,) = seats_to_act(s)
    offer = next(o for o in legal_offers(TITLE, s, seat) if o.verb == "buy" and o.args[0] != 1)
    s, _ = decide(TITLE, s, seat, Action("buy", (*offer.args, *offer.pool)), chance)
    assert seats_to_act(s) == (seat,)


def test_a_card_that_was_bought_lies_on_the_discard_pile() -> None:
    scene = fresh(hand="statue_isis urn", hand1="statue_horus", hand2="kite", pyramid="boat ring shabti - - -", deck="urn " * 5)
    scene.buy("boat", "statue_isis").end("urn")
    assert next_turn(scene, 1).buy("ring", "statue_horus").asked == [1]


def test_a_pile_that_was_shuffled_may_have_given_the_card() -> None:
    scene = fresh(hand="sun_barque", discard="boat urn kite", hand1="statue_isis", hand2="kite", pyramid="ring urn - - - -")
    scene.play("sun_barque")
    assert next_turn(scene, 1).buy("ring", "statue_isis").asked == [0]


def test_a_pile_that_is_searched_unseen_may_have_lost_the_card() -> None:
    scene = fresh(hand="resin", discard="boat kite", hand1="statue_isis", hand2="urn", pyramid="ring urn - - - -")
    scene.play("resin").pick("boat")
    assert next_turn(scene, 1).buy("ring", "statue_isis").asked == [0]


def test_a_pile_is_searched_for_something_else_and_its_owner_is_asked_all_the_same() -> None:
    scene = fresh(hand="resin", discard="boat urn kite", hand1="statue_isis", hand2="urn", pyramid="ring urn - - - -")
    scene.play("resin").pick("urn")
    assert next_turn(scene, 1).buy("ring", "statue_isis").asked == [0]


def test_who_is_seen_to_take_it_into_the_hand_is_asked() -> None:
    scene = fresh(hand="broad_collar", hand1="statue_isis", hand2="urn", pyramid="boat ring kite - - -")
    scene.play("broad_collar").pick("boat")
    assert next_turn(scene, 1).buy("ring", "statue_isis").asked == [0]


def test_who_loses_it_before_everybodys_eyes_is_not_asked_any_more() -> None:
    scene = fresh(hand="tomb_robber urn", hand1="statue_isis", discard1="boat", hand2="statue_isis", pyramid="ring urn - - - -")
    scene.play("tomb_robber").pick("1").pick("urn")
    assert next_turn(scene, 2).buy("ring", "statue_isis").asked == [0]


@pytest.mark.parametrize("given", ["boat", "urn"])
def test_what_is_given_face_down_may_be_it(given: str) -> None:
    hands = dict(hand="outer_sarcophagus boat urn kite", hand1="kite", hand2="statue_isis", hand3="urn")
    scene = fresh(4, **hands, pyramid="ring urn - - - -")
    scene.s.lacks[0].clear()
    scene.play("outer_sarcophagus").pick(given, "1")
    assert next_turn(scene, 2).buy("ring", "statue_isis").asked == [0, 1]


def test_a_card_that_was_used_lies_on_the_discard_pile() -> None:
    scene = fresh(hand="statue_isis statue_horus", hand1="boat urn", hand2="urn", pyramid="ring kite scribe - - -")
    scene.s.lacks[1].clear()
    scene.buy("ring", "statue_isis").react(1, "boat", "kite")
    assert scene.buy("scribe", "statue_horus").asked == [0]
