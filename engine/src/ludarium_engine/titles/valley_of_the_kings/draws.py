"""Draw cards from a seat's own deck."""
from __future__ import annotations

from .memory import pile_mixed
from .state import T, at


def draw(t: T, seat: int, n: int) -> None:
    """Draw up to n cards into the seat's hand."""
    if not off_deck(t, seat, n, at.hand[seat], "draws"):
        t.say("draws_nothing", seat)


def off_deck(t: T, seat: int, n: int, dst: list[int], said: str) -> bool:
    """Move the top n cards of a seat's deck, and return whether any card moved.

    If the deck has too few cards, the discard pile is shuffled into a new deck, and the rest is drawn from it.
    """
    left = n - len(t.s.deck[seat])
    found = [draw_and_say(t, seat, n, dst, said)]
    if left > 0 and t.s.discard[seat]:
        reshuffle(t, seat)
        found.append(draw_and_say(t, seat, left, dst, said))
    return any(found)


def draw_and_say(t: T, seat: int, n: int, dst: list[int], said: str) -> bool:
    drawn = t.draw(n, at.deck[seat], dst)
    if drawn:
        t.say(said, seat, drawn)
    return bool(drawn)


def reshuffle(t: T, seat: int) -> None:
    """Shuffle the seat's discard pile into its deck."""
    pile_mixed(t, seat)
    cards = t.move_all(at.discard[seat], at.deck[seat])
    t.shuffle(at.deck[seat])
    t.say("reshuffles", seat, cards)
