"""Drawing from one's own deck."""
from __future__ import annotations

from .memory import pile_mixed
from .state import T, at


def draw(t: T, seat: int, n: int) -> None:
    """Up to n cards into one's hand."""
    if not off_deck(t, seat, n, at.hand[seat], "draws"):
        t.say("draws_nothing", seat)


def off_deck(t: T, seat: int, n: int, dst: list[int], said: str) -> bool:
    """The top n cards; when one is needed and the deck is empty, the discard pile is shuffled into a new one."""
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
    """The discard pile becomes part of the deck."""
    pile_mixed(t, seat)
    cards = t.move_all(at.discard[seat], at.deck[seat])
    t.shuffle(at.deck[seat])
    t.say("reshuffles", seat, cards)
