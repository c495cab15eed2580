"""Drawing from one's own deck."""
from __future__ import annotations

from .state import T, at


def draw(t: T, seat: int, n: int) -> None:
    """Up to n cards into one's hand."""
    off_deck(t, seat, n, at.hand[seat])


def off_deck(t: T, seat: int, n: int, dst: list[int]) -> None:
    """The top n cards; when one is needed and the deck is empty, the discard pile is shuffled into a new one."""
    now = min(n, len(t.s.deck[seat]))
    t.draw(now, at.deck[seat], dst)
    if now < n and t.s.discard[seat]:
        t.move_all(at.discard[seat], at.deck[seat])
        t.shuffle(at.deck[seat])
        t.draw(n - now, at.deck[seat], dst)
