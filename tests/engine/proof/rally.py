"""A small game of several deals with a score.

In a turn, a seat plays a card, folds with the worst free place, or goes out with the best free place if its hand is empty.
A deal ends when one seat is left. Each place below one's own brings a point. New deals follow until a single seat has the
target.
"""
from __future__ import annotations

from typing import Annotated, Any

from ludarium_engine.kernel import PASS, Frame, Offer, State, Title, each
from ludarium_engine.kernel.choices import CARD, SEAT, Options, Verb
from ludarium_engine.kernel.deals import add_scores, clear_for_new_deal, is_decided
from ludarium_engine.kernel.elimination import final_places, finish, knock_out, next_seat_left, places_by_result, seats_left
from ludarium_engine.kernel.scripts import Ask, Script, by_name
from ludarium_engine.kernel.slots import Hidden, Owner, Pile, Piles, Public, Values, empty_piles, slots_of
from ludarium_engine.kernel.table import Table, standings
from ludarium_engine.kernel.title import Card

DECK, HAND, TARGET = range(12), 2, 4
KEPT = ["score", "dealer", "deals"]


class Rally(State, array_like=True):
    options: Options
    hand: Owner[Piles] = []
    deck: Hidden[Pile] = []
    played: Public[Piles] = []
    marks: Owner[Annotated[list[int], Values(0, 9)]] = []
    folded: Public[list[bool]] = []
    place: Public[list[int]] = []
    dealer: Public[int] = 0
    deals: Public[int] = 0
    score: Public[list[int]] = []


at = slots_of(Rally)
T = Table[Rally]
PLAY, FOLD, GO_OUT = Verb("play", CARD), Verb("fold"), Verb("go_out")


def blank(options: Options, seats: int) -> Rally:
    return Rally(
        seats, options, hand=empty_piles(seats), deck=[*DECK], played=empty_piles(seats), marks=[0] * seats,
        folded=[False] * seats, place=[0] * seats, score=[0] * seats,
    )  # fmt: skip


def turns(s: Rally, f: Frame, seat: int) -> list[Offer]:
    return [*each(PLAY, s.hand[seat]), FOLD(), PASS] if s.hand[seat] else [GO_OUT(), FOLD()]


def play(t: T, f: Frame, seat: int, card: int) -> None:
    t.move(card, at.hand[seat], at.played[seat])


def fold(t: T, f: Frame, seat: int) -> None:
    t.set(at.folded[seat], True)
    knock_out(t, at.place, [seat])


def go_out(t: T, f: Frame, seat: int) -> None:
    finish(t, at.place, [seat])


def next_turn(t: T, f: Frame) -> None:
    if len(seats_left(t.s.place)) > 1:
        begin(t, next_seat_left(t.s.place, f.seat))
        return
    add_scores(t, at.score, [t.s.seats - place for place in final_places(t.s.place)])
    if is_decided(t.s.score, TARGET, one_leader=True):
        t.end(standings(t.s.score))
    else:
        clear_for_new_deal(t, KEPT)
        t.set(at.dealer, (t.s.dealer + 1) % t.s.seats)
        deal(t)


def begin(t: T, seat: int) -> None:
    t.pass_turn(seat)
    t.ask(turn, seat)


def deal(t: T) -> None:
    t.add(at.deals, 1)
    t.shuffle(at.deck)
    for seat in range(t.s.seats):
        t.draw(HAND, at.deck, at.hand[seat])
        t.roll(at.marks[seat], range(10))
    begin(t, t.s.dealer)


HANDLERS: dict[Verb, Any] = {PLAY: play, FOLD: fold, GO_OUT: go_out, Verb("pass"): lambda t, f, seat: None}
turn = Script("turn", Ask("take_turn", turns, HANDLERS), next_turn)


def standing(s: Rally) -> list[int]:
    """Return the places if play stopped here, by score and then by the current deal."""
    places = places_by_result(s.place, {seat: len(s.played[seat]) for seat in seats_left(s.place)})
    return standings([(score, -place) for score, place in zip(s.score, places, strict=True)])


def invariants(s: Rally) -> None:
    assert s.outcome or s.turn in seats_left(s.place)
    assert sum(map(len, s.hand)) + sum(map(len, s.played)) == HAND * s.seats


def rally(**words: Any) -> Title[Rally, Options]:
    about: dict[str, Any] = {
        "id": "rally", "name": {"en": "Rally"}, "revision": 1, "seats": range(2, 6), "state": Rally, "blank": blank,
        "setup": deal, "standing": standing, "scripts": by_name(turn), "verbs": by_name(*HANDLERS), "invariants": invariants,
        "data": b"{}", "cards": [Card(card, str(card), {}) for card in DECK], "rulings": (), "texts": {"en": {}},
        "numbers": {"dealer": SEAT}, "most_events": 1000,
    }  # fmt: skip
    return Title(**{**about, **words})
