"""A small game of deduction with ten cards of five ranks.

Each seat has a card, and the rest are face down. In a turn, a seat does one of four things. It names a rank, so that all
learn whether the next seat's card has it, in which case that card is shown and buried. It compares cards with the next
seat, and these two learn whose card is higher. It shuffles its card into the deck and draws another. Or it passes. After
twelve turns, the seat with the most right guesses wins.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludarium_engine.kernel import PASS, Action, Frame, Offer, Title, each
from ludarium_engine.kernel.choices import NUMBER, SEAT, Verb
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.scripts import Ask, Script, by_name
from ludarium_engine.kernel.title import COMPARED, Predicate
from tests.engine.kernel.tiny import T, Tiny, TinyOptions, at, tiny

TURNS = 12
RANKS = range(5)
GRAB, KEEP, GO = Verb("grab", "rank."), Verb("keep", SEAT), Verb("go")
HOLDS, MEASURED = "holds", "measured"


def holds(s: Tiny, seat: int, rank: int) -> bool:
    return any(card % 5 == rank for card in s.hand[seat])


def measured(s: Tiny, seat: int, other: int) -> int:
    mine, theirs = s.hand[seat][0] % 5, s.hand[other][0] % 5
    return (mine > theirs) - (mine < theirs)


def next_to(s: Tiny, seat: int) -> int:
    return (seat + 1) % s.seats


def turns(s: Tiny, f: Frame, seat: int) -> list[Offer]:
    return [*each(GRAB, RANKS), KEEP(next_to(s, seat)), GO(), PASS]


def take_turn(t: T, f: Frame, seat: int, action: Action) -> None:
    t.add(at.die, 1)
    match action.verb, action.args:
        case "grab", (rank,):
            say(t, next_to(t.s, seat), rank)
            punish(t, next_to(t.s, seat), rank)
        case "keep", (other,):
            t.admit(MEASURED, seat, other, to=measurers(seat, other))
        case "go", ():
            change(t, seat)


def say(t: T, seat: int, rank: int) -> None:
    t.admit(HOLDS, seat, rank, to=EVERYBODY)


def punish(t: T, seat: int, rank: int) -> None:
    if holds(t.s, seat, rank):
        t.add(at.coins[t.s.turn], 1)
        t.move_all(at.hand[seat], at.table)
        t.draw(1, at.deck, at.hand[seat])
        t.move(t.s.table[0], at.table, at.deck)
        t.shuffle(at.deck)


def measurers(seat: int, other: int) -> Sequence[int]:
    """Return the seats that learn whose card is higher."""
    return (seat, other)


def change(t: T, seat: int) -> None:
    t.move_all(at.hand[seat], at.deck)
    t.shuffle(at.deck)
    t.draw(1, at.deck, at.hand[seat])


def next_turn(t: T, f: Frame) -> None:
    if t.s.die == TURNS:
        most = max(t.s.coins)
        t.end([1 if coins == most else 2 for coins in t.s.coins])
    else:
        t.pass_turn(next_to(t.s, f.seat))
        t.ask(turn, t.s.turn)


turn = Script("turn", Ask("take_turn", turns, take_turn), next_turn)


def setup(t: T) -> None:
    t.shuffle(at.deck)
    for seat in range(t.s.seats):
        t.draw(1, at.deck, at.hand[seat])
    t.ask(turn, 0)


def guessing(**words: Any) -> Title[Tiny, TinyOptions]:
    verbs = by_name(GRAB, KEEP, GO, Verb("pass"))
    predicates = {HOLDS: Predicate(holds, (SEAT, "rank.")), MEASURED: Predicate(measured, (SEAT, SEAT), COMPARED)}
    disclosures = {"ranked": (SEAT, NUMBER)}
    about = {"setup": setup, "verbs": verbs, "predicates": predicates, "disclosures": disclosures, "most_events": 60}
    return tiny(turn, **{**about, **words})
