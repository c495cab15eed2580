"""A small game with features that Game of Kingdoms lacks.

These are piles with a visible top, reveals and sentences for some seats, and hidden picks. In a turn, a seat draws,
discards its hand or puts it on the common pile with one card on top, picks up that pile's top card, buries a card in the
deck, looks at the top of the deck and takes or leaves it, or shows a card to the neighbour. After twelve turns, the seat
with the most cards wins.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludarium_engine.kernel import Action, Frame, Offer, Title, each
from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT, Verb
from ludarium_engine.kernel.scripts import Ask, Pick, Script, by_name
from tests.engine.kernel.tiny import T, Tiny, TinyOptions, at, deal, tiny

TURNS = 12
OF_A_CARD = [Verb(name, CARD) for name in ("discard", "lay", "bury", "tell")]
looked_at = Pick("looked at", CARD)


def plays(s: Tiny, f: Frame, seat: int) -> list[Offer]:
    deck = [Offer("draw"), Offer("peek")] if s.deck else []
    top = [Offer("pick_up")] if s.shown else []
    return [*deck, *top, *(offer for verb in OF_A_CARD for offer in each(verb, s.hand[seat])), Offer("pass")]


def play(t: T, f: Frame, seat: int, action: Action) -> None:
    t.add(at.die, 1)
    match action.verb, action.args:
        case "draw", ():
            t.draw(1, at.deck, at.hand[seat])
        case "peek", ():
            t.reveal(t.s.deck[-1], at.deck, to=lookers(seat))
            t.ask(peeked, seat, looked_at=t.s.deck[-1])
        case "discard", (card,):
            t.move(topped(t.s.hand[seat], card), at.hand[seat], at.discard[seat])
        case "lay", (card,):
            t.move(topped(t.s.hand[seat], card), at.hand[seat], at.shown)
        case "pick_up", ():
            t.move(t.s.shown[-1], at.shown, at.hand[seat])
        case "bury", (card,):
            t.move(card, at.hand[seat], at.deck)
            t.shuffle(at.deck)
        case "tell", (card,):
            t.disclose("paid", seat, card, to=[seat, (seat + 1) % t.s.seats])


def lookers(seat: int) -> Sequence[int]:
    """Return the seats that see the card at which a seat peeks."""
    return (seat,)


def topped(hand: list[int], card: int) -> list[int]:
    """Return the hand with the given card on top."""
    return [*(c for c in hand if c != card), card]


def keep_or_leave(s: Tiny, f: Frame, seat: int) -> list[Offer]:
    return [Offer("take"), Offer("pass")]


def keep(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "take":
        t.move(looked_at(f), at.deck, at.hand[seat])


def next_turn(t: T, f: Frame) -> None:
    if t.s.die == TURNS:
        most = max(map(len, t.s.hand))
        t.end([1 if len(hand) == most else 2 for hand in t.s.hand])
    else:
        t.pass_turn((f.seat + 1) % t.s.seats)
        t.ask(turn, t.s.turn)


turn = Script("turn", Ask("play", plays, play), next_turn)
peeked = Script("peeked", Ask("keep", keep_or_leave, keep), picks=(looked_at,))


def setup(t: T) -> None:
    deal(t)
    t.ask(turn, 0)


def peek(**words: Any) -> Title[Tiny, TinyOptions]:
    verbs = by_name(*map(Verb, ("draw", "peek", "take", "pass", "pick_up")), *OF_A_CARD)
    told = {"paid": (SEAT, CARD), "ranked": (SEAT, NUMBER)}
    about = {"setup": setup, "verbs": verbs, "disclosures": told, "most_events": 60, **words}
    return tiny(turn, peeked, **about)
