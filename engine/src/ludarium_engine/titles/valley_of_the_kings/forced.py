"""Carry out what an action demands of other seats.

The seats follow in turn order, beginning to the left of the acting seat. The acting seat itself is last, if it is concerned.
Each seat chooses its own cards. A seat with a ward in hand (Offering Table, Medjay) may reveal it instead: the demand then
does not affect that seat, and the ward stays in hand for later use. A ward does not work against the seat's own action.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.scripts import Ask, Pick, Script, turn_order_from
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .cards import COST, GOLD, KIND, REACTION
from .draws import draw
from .memory import seen
from .reactions import headrest, sacrifice
from .state import T, Valley, at
from .steps import Force

number = Pick("number", shown=True)
exempt_at = Pick("exempt at", shown=True)
richer = Pick("richer", shown=True)
receiver = Pick("receiver", shown=True)         # the seat whose discard pile gets the card


def force(t: T, seat: int, step: Force, target: int | None = None) -> None:
    """Begin a demand on other seats.

    A Headrest can be used after all seats have met the demand.

    Args:
        t: the table.
        seat: the acting seat.
        step: the demand.
        target: the opponent chosen for it; None if the step itself says which seats are concerned.
    """
    t.set(at.struck, [])
    t.ask(headrest, seat)
    for p in reversed(concerned(t.s, seat, step, target)):
        if step.what == "put":
            t.ask(must_put, p, receiver=seat, exempt_at=step.exempt_at)
        else:
            t.ask(FORCED[step.what], p, number=step.n, exempt_at=step.exempt_at, richer=step.richer)


def concerned(s: Valley, seat: int, step: Force, target: int | None) -> list[int]:
    if target is not None:
        return [target]
    seats = turn_order_from(s, seat + 1)
    seats = seats if step.who == "each_player" else [p for p in seats if p != seat]
    return [p for p in seats if not step.hand_below or len(s.hand[p]) < step.hand_below]


def exempt(s: Valley, f: Frame) -> bool:
    """Return whether the seat has too few cards to be affected.

    This is decided when it is the seat's time to comply, by numbers that all players see.
    """
    owned = len(s.hand[f.seat]) + len(s.deck[f.seat]) + len(s.discard[f.seat])
    return owned <= exempt_at(f)


def spared(s: Valley, f: Frame) -> bool:
    return exempt(s, f) or (richer(f) > 0 and len(s.tomb[f.seat]) <= len(s.tomb[s.turn]))


def forced_seats(s: Valley, f: Frame) -> Sequence[int]:
    return [f.seat] if s.hand[f.seat] and not spared(s, f) else []


def cheapest_first(s: Valley, seat: int) -> tuple[int, ...]:
    """Return the seat's hand, the cheapest cards first.

    If the seat runs out of time, the first cards of this list are given up.
    """
    return tuple(sorted(s.hand[seat], key=lambda card: (COST[card], GOLD[card], card)))


def wards(s: Valley, seat: int) -> list[Offer]:
    if seat == s.turn:
        return []
    kinds = {KIND[card]: card for card in s.hand[seat] if REACTION[card] == "ward"}
    return each(verbs.show, kinds.values())


def struck(t: T, seat: int) -> None:
    if seat != t.s.turn and seat not in t.s.struck:
        t.set(at.struck, [*t.s.struck, seat])


def unless_shown(give_up: Callable[[T, int, tuple[int, ...]], None], t: T, seat: int, action: Action) -> None:
    if action.verb == "show":
        t.say("wards", seat, t.reveal(action.args, at.hand[seat], to=EVERYBODY))
    else:
        give_up(t, seat, action.args)
        struck(t, seat)


# --- cards from hand to the seat's own discard pile -----------------------------------------------------------------
def discard_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    n = min(number(f), len(s.hand[seat]))
    return [verbs.discard(pool=cheapest_first(s, seat), least=n, most=n), *wards(s, seat)]


def discard_forced(t: T, f: Frame, seat: int, action: Action) -> None:
    unless_shown(to_discard, t, seat, action)


def to_discard(t: T, seat: int, cards: tuple[int, ...]) -> None:
    t.say("discards", seat, t.move(cards, at.hand[seat], at.discard[seat]))


# --- a card from hand to the boneyard -------------------------------------------------------------------------------
def sacrifice_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    return [*each(verbs.sacrifice, cheapest_first(s, seat)), *wards(s, seat)]


def sacrifice_forced(t: T, f: Frame, seat: int, action: Action) -> None:
    unless_shown(to_boneyard, t, seat, action)


def to_boneyard(t: T, seat: int, cards: tuple[int, ...]) -> None:
    sacrifice(t, seat, cards[0], at.hand[seat])


# --- the top card of the discard pile to the boneyard: no ward, since the hand is not affected -----------------------
def sacrifice_top(t: T, f: Frame) -> None:
    if t.s.discard[f.seat] and not exempt(t.s, f):
        struck(t, f.seat)
        sacrifice(t, f.seat, t.s.discard[f.seat][-1], at.discard[f.seat])


def draw_one(t: T, f: Frame) -> None:
    draw(t, f.seat, number(f))


# --- a card from hand onto another seat's discard pile: neither a discard nor a sacrifice, so no ward ------------------
def put_seats(s: Valley, f: Frame) -> Sequence[int]:
    return [f.seat] if s.hand[f.seat] and not exempt(s, f) else []


def put_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.put, cheapest_first(s, seat))


def put_forced(t: T, f: Frame, seat: int, action: Action) -> None:
    seen(t, action.args[0], receiver(f))
    t.say("gives_to_discard", seat, t.move(action.args, at.hand[seat], at.discard[receiver(f)]), receiver(f))


LIMITS = (number, exempt_at, richer)
must_discard = Script("must discard", Ask("discard_forced", discard_offers, discard_forced, forced_seats), picks=LIMITS)
must_sacrifice = Script(
    "must sacrifice", Ask("sacrifice_forced", sacrifice_offers, sacrifice_forced, forced_seats), picks=LIMITS
)
top_goes = Script("top goes", sacrifice_top, picks=LIMITS)
may_draw = Script("draws", draw_one, picks=LIMITS)
must_put = Script("must put", Ask("put_forced", put_offers, put_forced, put_seats), picks=(receiver, exempt_at))
FORCED = {"discard": must_discard, "sacrifice": must_sacrifice, "sacrifice_discard_top": top_goes, "draw": may_draw}
SCRIPTS = (must_discard, must_sacrifice, top_goes, may_draw, must_put)
