"""Give tokens for the cards that the dice activate.

Thieves come first, then gains without a choice, and finally each seat gives one answer for all its choices. Which token a
player chooses, whether the player pays, and in which order only matter by their result. So a seat is offered the different
total changes of gold, strength and magic that its cards allow.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .cards import TABLEAU
from .data_file import Effect, Tokens
from .dice import FACES
from .rewards import take_from_somebody
from .state import T, Valeria, at
from .tokens import RESOURCES, amounts, brings, credit, gain, purse, resting

Purse = tuple[int, int, int]                    # gold, strength, magic
Trade = tuple[Purse, Purse]                     # the price, and the net change
NOTHING: Purse = (0, 0, 0)
DICE = [(a, b) for a in FACES for b in FACES]
TIMES = {  # activations of each card: one for each die and for the sum if they match
    (a, b): {card: sum(n in face.activation for n in (a, b, a + b)) for card, face in TABLEAU.items()} for a, b in DICE
}
LEFT, RIGHT = (
    {dice: {card: [(card, side(TABLEAU[card]))] * n for card, n in times.items()} for dice, times in TIMES.items()}
    for side in (attrgetter("on_turn"), attrgetter("off_turn"))
)
ANY_ONE = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
REAPS = "reaps", "reaps_2", "reaps_3"           # by the number of named cards; takes fewer bytes than revealing them


def activated(s: Valeria, seat: int) -> list[int]:
    """Return a seat's activated cards, repeated as often as each is activated."""
    times = TIMES[s.dice[0], s.dice[1]]
    return [card for card in s.tableau[seat] for _ in range(times[card])]


def harvesters(s: Valeria) -> list[int]:
    return [seat for seat in range(s.seats) if seat != resting(s)]


def thieves(t: T, f: Frame) -> None:
    for card in activated(t.s, f.seat):
        if TABLEAU[card].on_turn.take:
            take_from_somebody(t, f.seat, card)


def at_work(s: Valeria, seat: int, left: bool) -> list[tuple[int, Effect]]:
    """Return a seat's activated cards with their effects.

    Args:
        s: the state.
        seat: the seat.
        left: True for the left side of the cards, which applies on the seat's own turn; False for the right side.
    """
    side = (LEFT if left else RIGHT)[s.dice[0], s.dice[1]]
    return [*chain.from_iterable(map(side.__getitem__, s.tableau[seat]))]


def powers(s: Valeria, seat: int, left: bool) -> list[Effect]:
    return [power for _, power in at_work(s, seat, left)]


# --- at once ----------------------------------------------------------------------------------------------------------
def bring_in(t: T, f: Frame) -> None:
    for seat in harvesters(t.s):
        bring_in_for(t, seat, seat == t.s.turn)


def bring_in_for(t: T, seat: int, left: bool) -> None:
    """Give a seat the total of its gains that need no choice."""
    mine = [(card, power) for card, power in at_work(t.s, seat, left) if not power.asks]
    total: Tokens = {}
    for _, power in mine:
        for name, n in brings(t.s, seat, power).items():
            total[name] = total.get(name, 0) + n
    if any(total.values()):
        gain(t, seat, total)
        tell_of(t, seat, total, named(card for card, _ in mine))


def named(cards: Iterable[int]) -> list[int]:
    """Return one card with each name."""
    return [*{TABLEAU[card].named: card for card in cards}.values()]


def tell_of(t: T, seat: int, total: Tokens, cards: list[int]) -> None:
    if len(cards) <= len(REAPS):
        t.say(REAPS[len(cards) - 1], seat, *amounts(total), *cards)
    else:
        t.say("harvests", seat, *amounts(total), show(t, seat, cards))


def show(t: T, seat: int, cards: Iterable[int]) -> FactNumbers:
    return t.reveal(cards, at.tableau[seat], to=EVERYBODY)


# --- by choice --------------------------------------------------------------------------------------------------------
def outcomes(s: Valeria, seat: int, mine: list[Effect]) -> list[Purse]:
    """Return the possible changes of a seat's gold, strength and magic.

    If no card was activated, the seat may take any one token.
    """
    if not mine:
        return ANY_ONE
    choices = [power.choose for power in mine if power.choose]
    trades = [trade(power) for power in mine if power.pay]
    if not choices and not trades:
        return [NOTHING]
    return sorted(reachable(purse(s, seat), picked(choices), tuple(sorted(trades))))


def picked(choices: Sequence[Sequence[Effect]]) -> frozenset[Purse]:
    """Return every possible total of one option from each choice.

    Gains are added before payments, since this allows every result that another order would.
    """
    sums = {NOTHING}
    for options in choices:
        sums = {plus(total, vector(option.gain)) for total in sums for option in options}
    return frozenset(sums)


@lru_cache(4096)
def reachable(held: Purse, gained: frozenset[Purse], trades: tuple[Trade, ...]) -> frozenset[Purse]:
    """Return every possible total change after some of the trades in any order.

    Args:
        held: the seat's tokens before the harvest.
        gained: the possible changes before any trade.
        trades: the available trades, each with its price and net change.
    """
    seen = frontier = {(change, trades) for change in gained}
    while frontier:
        frontier = {step for change, rest in frontier for step in steps(held, change, rest)} - seen
        seen = seen | frontier
    return frozenset(change for change, _ in seen)


def steps(held: Purse, change: Purse, trades: tuple[Trade, ...]) -> Iterable[tuple[Purse, tuple[Trade, ...]]]:
    now = plus(held, change)
    for i, (price, effect) in enumerate(trades):
        if all(n >= due for n, due in zip(now, price, strict=True)):
            yield plus(change, effect), trades[:i] + trades[i + 1 :]


def trade(power: Effect) -> Trade:
    price = vector(power.pay)
    return price, plus(vector(power.gain), minus(price))


def vector(tokens: Tokens) -> Purse:
    return tokens.get("gold", 0), tokens.get("strength", 0), tokens.get("magic", 0)


def plus(a: Purse, b: Purse) -> Purse:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Purse) -> Purse:
    return -a[0], -a[1], -a[2]


def harvest_seats(s: Valeria, f: Frame) -> list[int]:
    """Return the seats with more than one possible outcome."""
    return [seat for seat in harvesters(s) if len(outcomes(s, seat, powers(s, seat, seat == s.turn))) > 1]


def harvest_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.harvest, outcomes(s, seat, powers(s, seat, seat == s.turn)))


def harvest(t: T, f: Frame, seat: int, action: Action) -> None:
    decided(t, seat, seat == t.s.turn, action.args)


def decided(t: T, seat: int, left: bool, change: Sequence[int]) -> None:
    for name, n in zip(RESOURCES, change, strict=True):
        credit(t, seat, name, n)
    if cards := named(card for card, power in at_work(t.s, seat, left) if power.choose or power.pay):
        tell_of_choice(t, seat, change, cards)
    else:
        t.say("consoled", seat, ANY_ONE.index((change[0], change[1], change[2])))


def tell_of_choice(t: T, seat: int, change: Sequence[int], cards: list[int]) -> None:
    tokens = *[max(0, n) for n in change], *[max(0, -n) for n in change]
    if not any(change):
        t.say("leaves", seat, show(t, seat, cards))
    elif len(cards) == 1:
        t.say("turns", seat, *tokens, *cards)
    else:
        t.say("uses", seat, *tokens, show(t, seat, cards))


# --- solo: a second harvest, of the right sides -----------------------------------------------------------------------
def bring_in_right(t: T, f: Frame) -> None:
    t.say("harvests_again", f.seat)
    bring_in_for(t, f.seat, left=False)


def right_harvest_seats(s: Valeria, f: Frame) -> list[int]:
    return [f.seat] if len(right_harvest_offers(s, f, f.seat)) > 1 else []


def right_harvest_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.harvest, outcomes(s, seat, powers(s, seat, left=False)))


def harvest_right(t: T, f: Frame, seat: int, action: Action) -> None:
    decided(t, seat, False, action.args)
