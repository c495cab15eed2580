"""Rulings that no other test covers."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import view
from ludarium_engine.titles.valley_of_the_kings import TITLE
from tests.engine.valley_of_the_kings.scene import PYRAMID, table

DECK = "urn " * 5


def test_an_unchanged_pyramid_must_lose_a_card() -> None:
    scene = table(pyramid=PYRAMID, deck=DECK).end()
    assert {offer.split()[0] for offer in scene.offered()} == {"sacrifice"}
    assert scene.asked == [0]


@pytest.mark.parametrize("hand", ["wall_painting", "statue_osiris urn"])
def test_a_part_that_draws_is_carried_out_with_nothing_to_draw(hand: str) -> None:
    action, *others = hand.split()
    scene = table(hand=hand).play(action)
    for card in others:
        scene.pick(card)
    scene.ends(played=action, deck="")


@pytest.mark.parametrize("zones", [{"hand1": ""}, {"hand1": "", "discard1": "urn"}])
def test_an_action_on_opponents_may_hit_nobody(zones: dict[str, str]) -> None:
    scene = table(hand="duamutef_jar", **zones).play("duamutef_jar")
    assert scene.asked == [0]
    scene.ends(played="duamutef_jar", discard1=zones.get("discard1", ""))


def test_of_two_cats_the_first_in_turn_order_from_the_active_seat_on_gets_the_card() -> None:
    scene = table(3, hand="natron urn", hand1="mummified_cat", hand2="kite", deck="kite kite").play("natron").pick("urn")
    assert scene.asked == [1, 2]
    scene.react(1, "cat", "mummified_cat").ends(discard1="mummified_cat urn")


def test_heavens_counts_the_discard_pile_as_it_is_when_carried_out() -> None:
    scene = table(hand="book_heavens urn", discard="urn urn kite shabti", pyramid="urn - - - - -")
    assert "book_heavens" not in scene.can("act")
    scene.buy("urn", "urn")
    assert scene.can("act") == ["book_heavens"]
    assert "skip" not in scene.play("book_heavens").offered()


def test_a_window_opens_while_a_copy_may_lie_hidden() -> None:
    """A window opens even while the Boat is on the buyer's discard pile.

    Once the Boat is in a tomb, no window opens.
    """
    hidden = table(hand="statue_isis", hand1="urn", discard="boat").buy("statue_horus", "statue_isis")
    assert hidden.asked == [1] and hidden.offered(1) == ["pass"]
    assert table(hand="statue_isis", hand1="urn", tomb="boat").buy("statue_horus", "statue_isis").asked == [0]


def test_the_own_discard_pile_may_be_looked_through_in_the_own_turn() -> None:
    scene = table(discard="urn kite")
    assert view(TITLE, scene.s, 0).discard[0] == scene.s.discard[0]
    assert view(TITLE, scene.s, 1).discard[0][0] == -1


def test_how_many_cards_lie_where_is_public_in_every_turn() -> None:
    scene = table(hand="urn", hand1="kite kite", deck1="urn", stock="boat", under="urn urn")
    seen = view(TITLE, scene.s, 0)
    assert (seen.hand[1], seen.deck[1], seen.stock, seen.under) == ([-1, -1], [-1], [-1], [-1, -1])
