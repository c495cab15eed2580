"""A small game of hidden numbers.

It has dice under cups, life totals that only their owners see, sealed bids, and a number that no seat sees. In a turn, a
seat bids in secret as often as it likes. It then shakes its dice and the hidden number, lifts its cup in public, looks at
the hidden number, hits the next seat so that all learn whether that seat has fallen, or opens all bids, of which the
highest takes a coin. A game has twelve turns.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from ludarium_engine.kernel import Frame, Offer, State, Title, each
from ludarium_engine.kernel.choices import NUMBER, SEAT, Options, Verb
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.scripts import DONE, Ask, Script, by_name
from ludarium_engine.kernel.slots import Hidden, Owner, Public, Values, slots_of
from ludarium_engine.kernel.table import Table, standings
from ludarium_engine.kernel.title import Predicate

TURNS, DICE = 12, 3
FACES, FATES = range(1, 7), range(10)
NO_BID, HIGHEST_BID = 1000, 1200
FALLEN, FULL_LIFE = 10, 13


class Cups(State, array_like=True):
    options: Options
    dice: Owner[Annotated[list[list[int]], Values(1, 6)]] = []
    life: Owner[Annotated[list[int], Values(FALLEN, 19)]] = []
    bid: Owner[Annotated[list[int], Values(NO_BID, HIGHEST_BID)]] = []
    fate: Hidden[Annotated[int, Values(0, 9)]] = 0
    shown: Public[list[list[int]]] = []
    coins: Public[list[int]] = []
    turns: Public[int] = 0


at = slots_of(Cups)
T = Table[Cups]
BID = Verb("bid", range(NO_BID, HIGHEST_BID + 1), secret=True)
SHAKE, LIFT, LOOK, HIT, OPEN = Verb("shake"), Verb("lift"), Verb("look"), Verb("hit"), Verb("open")


def blank(options: Options, seats: int) -> Cups:
    return Cups(
        seats, options, dice=[[] for _ in range(seats)], life=[FULL_LIFE] * seats, bid=[NO_BID] * seats,
        shown=[[] for _ in range(seats)], coins=[0] * seats,
    )  # fmt: skip


def fallen(s: Cups, seat: int) -> bool:
    return s.life[seat] == FALLEN


def turns(s: Cups, f: Frame, seat: int) -> list[Offer]:
    return [*each(BID, range(NO_BID, HIGHEST_BID + 1, 50)), SHAKE(), LIFT(), LOOK(), HIT(), OPEN()]


def bid(t: T, f: Frame, seat: int, value: int) -> None:
    t.set(at.bid[seat], value)
    t.say("has_bid", seat)


def shake(t: T, f: Frame, seat: int) -> None:
    t.roll_several(DICE, at.dice[seat], FACES)
    t.roll(at.fate, FATES)
    t.say("shakes", seat)


def lift(t: T, f: Frame, seat: int) -> None:
    t.reveal_number(at.dice[seat], to=EVERYBODY)
    t.set(at.shown[seat], t.s.dice[seat])


def look(t: T, f: Frame, seat: int) -> None:
    t.reveal_number(at.fate, to=lookers(seat))


def lookers(seat: int) -> Sequence[int]:
    """Return the seats that see the number when a seat looks at it."""
    return (seat,)


def hit(t: T, f: Frame, seat: int) -> None:
    other = (seat + 1) % t.s.seats
    t.add(at.life[other], -1)
    if t.admit("fallen", other, to=EVERYBODY):
        t.add(at.coins[seat], 1)
        t.set(at.life[other], FULL_LIFE)


def open_bids(t: T, f: Frame, seat: int) -> None:
    for other in range(t.s.seats):
        t.reveal_number(at.bid[other], to=EVERYBODY)
    t.add(at.coins[t.s.bid.index(max(t.s.bid))], 1)
    t.set(at.bid, [NO_BID] * t.s.seats)


def next_turn(t: T, f: Frame) -> None:
    t.add(at.turns, 1)
    if t.s.turns == TURNS:
        t.end(standings(t.s.coins))
    else:
        t.pass_turn((f.seat + 1) % t.s.seats)
        t.ask(turn, t.s.turn)


def ends_turn(handler: Callable[[T, Frame, int], None]) -> Callable[[T, Frame, int], bool]:
    def handle(t: T, f: Frame, seat: int) -> bool:
        handler(t, f, seat)
        return DONE

    return handle


def take_turn(handlers: Mapping[Verb, Callable[..., None]]) -> Ask[Cups]:
    ended = {verb: handler if verb is BID else ends_turn(handler) for verb, handler in handlers.items()}
    return Ask("take_turn", turns, ended, repeat=True)


HANDLERS: Mapping[Verb, Callable[..., None]] = {BID: bid, SHAKE: shake, LIFT: lift, LOOK: look, HIT: hit, OPEN: open_bids}
turn = Script("turn", take_turn(HANDLERS), next_turn)


def setup(t: T) -> None:
    for seat in range(t.s.seats):
        t.roll_several(DICE, at.dice[seat], FACES)
    t.roll(at.fate, FATES)
    t.ask(turn, 0)


def cups(**words: Any) -> Title[Cups, Options]:
    about: dict[str, Any] = {
        "id": "cups", "name": {"en": "Cups"}, "revision": 1, "seats": range(2, 5), "state": Cups, "blank": blank,
        "setup": setup, "standing": lambda s: [1] * s.seats, "scripts": by_name(turn), "verbs": by_name(*HANDLERS),
        "predicates": {"fallen": Predicate(fallen, (SEAT,))}, "most_events": 200,
        "sentences": {"has_bid": (SEAT,), "shakes": (SEAT,), "counts": (NUMBER,)},
        "data": b"{}", "cards": (), "rulings": (), "texts": {"en": {}},
    }  # fmt: skip
    return Title(**{**about, **words})
