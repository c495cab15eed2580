"""The steps of a turn: play cards, discard, rebuild the pyramid, draw a hand."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import DONE, Ask, Handlers, Script, by_name, turn_order_from
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import actions, forced, reactions, verbs
from .actions import begin
from .cards import COST, FACTS, GOLD, KIND, TYPE
from .draws import draw
from .memory import seen, seen_to_get
from .outlook import outlook
from .plans import PLANS, executable
from .pyramid import (
    BASE,
    MIDDLE,
    SPACES,
    cards_in,
    crumble,
    fork,
    occupied,
    refill,
    remove,
    stock_left,
)
from .reactions import boat, sacrifice_card
from .scoring import outcome, score
from .state import FOR_A_PURCHASE, FRESH, T, Valley, at, freshen
from .stock import accession, build_stock, choose_pool, deal, deal_pharaohs

REACHES: tuple[Sequence[int], ...] = (BASE, BASE + MIDDLE, SPACES)


# --- step 1: any number of hand cards in any order, each as gold, as an action or, once a turn, into the tomb -------
def play_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    hand = s.hand[seat]
    tombs = [] if s.entombed else each(verbs.entomb, hand)
    rest = (*s.played[seat], *hand)
    end = verbs.end(pool=rest, least=0, most=len(rest)) if rest else verbs.end()
    return [*each(verbs.act, acting(s, seat)), *tombs, *purchases(s, tuple(hand)), *abilities(s, seat), end]


def acting(s: Valley, seat: int) -> list[int]:
    """Return the cards in the seat's hand whose action can be completed.

    All cards of a kind have the same result, so each kind is checked once.
    """
    able: dict[int, bool] = {}
    w = outlook(s, seat)
    for card in s.hand[seat]:
        kind = KIND[card]
        if kind not in able:
            plan = PLANS[kind]
            able[kind] = bool(plan.parts) and (not plan.certain or executable(w.playing(card), kind))
    return [card for card in s.hand[seat] if able[KIND[card]]]


def abilities(s: Valley, seat: int) -> list[Offer]:
    """Return the offer to use the pharaoh's ability, which is possible once a turn."""
    if s.ability or not s.pharaoh[seat]:
        return []
    return each(verbs.rule, [c for c in s.pharaoh[seat] if executable(outlook(s, seat), KIND[c])])


def purchases(s: Valley, hand: tuple[int, ...]) -> list[Offer]:
    """Return the offers to buy a pyramid card.

    The seat may pay more gold than the card costs, and loses the surplus.
    """
    worth = tuple([gold(s, card) for card in hand])
    purse = sum(worth) + (s.gold_once if hand else 0)
    prices = [(i, max(0, COST[card] - s.discount)) for i, card in for_sale(s)]
    return [verbs.buy(i, pool=hand, worth=worth, least=to_pay(s, price)) for i, price in prices if price <= purse]


def for_sale(s: Valley) -> list[tuple[int, int]]:
    """Return the spaces within reach, with their cards.

    Cards that a Kite has turned face down are left out.
    """
    covered = [card for cards in s.covered for card in cards]
    return [(i, pile[0]) for i in REACHES[s.reach] if (pile := s.pyramid[i]) and pile[0] not in covered]


def to_pay(s: Valley, price: int) -> int:
    """Return the least worth of the cards that must be paid.

    `gold_once` is added to any payment of at least one card, and each card is worth at least 1.
    """
    return max(1, price - s.gold_once) if price else 0


def gold(s: Valley, card: int) -> int:
    more = s.gold_starter if s.gold_starter and TYPE[card] == "starter" else 0
    return (s.gold_set or GOLD[card]) + s.gold_add + more


def act(t: T, f: Frame, seat: int, card: int) -> None:
    t.say("uses", seat, t.move(card, at.hand[seat], at.played[seat]))
    begin(t, seat, card, card)


def entomb(t: T, f: Frame, seat: int, card: int) -> None:
    """Put a card into the tomb without using its gold or action."""
    t.set(at.entombed, True)
    t.say("entombs", seat, t.move(card, at.hand[seat], at.tomb[seat]))


def rule(t: T, f: Frame, seat: int, pharaoh: int) -> None:
    t.set(at.ability, True)
    t.say("rules", seat, pharaoh)
    begin(t, seat, pharaoh, pharaoh)


def buy(t: T, f: Frame, seat: int, where: int, *payment: int) -> None:
    """Buy a pyramid card for the discard pile or, by an effect, for the deck.

    The pyramid crumbles first. Then opponents may use a Boat. Effects on the next purchase are used up.
    """
    what = t.s.pyramid[where][0]
    paid = t.move(payment, at.hand[seat], at.played[seat])
    t.set(at.bought, max(t.s.bought, COST[what]))
    to_deck = t.s.to_deck
    freshen(t, (*FOR_A_PURCHASE, "gold_once") if payment else FOR_A_PURCHASE)
    say_bought(t, seat, remove(t, where, at.deck[seat] if to_deck else at.discard[seat]), paid)
    if to_deck:
        t.say("onto_deck", seat)
        seen_to_get(t, seat, what)
    else:
        seen(t, what, seat)
    t.ask(boat, seat, card=what)
    crumble(t, seat, where)


def say_bought(t: T, seat: int, bought: FactNumbers, paid: FactNumbers) -> None:
    if paid:
        t.say("buys", seat, bought, paid)
    else:
        t.say("buys_free", seat, bought)


def end(t: T, f: Frame, seat: int, *on_top: int) -> bool:
    discarded = discard_all(t, seat, on_top)
    if discarded:
        t.say("ends", seat, discarded)
    else:
        t.say("just_ends", seat)
    return DONE


PLAYS: Handlers = {verbs.act: act, verbs.entomb: entomb, verbs.buy: buy, verbs.rule: rule, verbs.end: end}


# --- step 2: played cards and the rest of the hand are discarded, in any order ---------------------------------------
def discard_all(t: T, seat: int, on_top: tuple[int, ...]) -> FactNumbers:
    """Discard the hand and all played cards.

    Args:
        t: the table.
        seat: the seat.
        on_top: the cards that end on top of the pile; the last one is uppermost.
    """
    gone = t.move([card for card in t.s.hand[seat] if card not in on_top], at.hand[seat], at.discard[seat])
    gone += t.move([card for card in t.s.played[seat] if card not in on_top], at.played[seat], at.discard[seat])
    in_play = set(t.s.played[seat])
    for played, cards in groupby(on_top, key=in_play.__contains__):
        gone += t.move(cards, at.played[seat] if played else at.hand[seat], at.discard[seat])
    return gone


# --- step 3: an unchanged pyramid loses a card; empty spaces are filled from the base up ----------------------------
def sacrifice_one_seats(s: Valley, f: Frame) -> Sequence[int]:
    return [f.seat] if occupied(s) and not s.changed else []


def sacrifice_stalled_seats(s: Valley, f: Frame) -> Sequence[int]:
    """Return the seat if only swaps have happened for a number of rounds.

    The data file has the number as `stall_rounds`.
    """
    return [f.seat] if occupied(s) and s.quiet_turns >= FACTS.stall_rounds * s.seats else []


def pyramid_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.sacrifice, cards_in(s))


def sacrifice_one(t: T, f: Frame, seat: int, action: Action) -> None:
    sacrifice_card(t, seat, action.args[0], "unchanged")


def sacrifice_stalled(t: T, f: Frame, seat: int, action: Action) -> None:
    sacrifice_card(t, seat, action.args[0], "stalled")


def rebuild(t: T, f: Frame) -> None:
    refill(t)


# --- step 4: a new hand; then the next turn -------------------------------------------------------------------------
def clear(t: T, f: Frame) -> None:
    """End all effects that last for the turn, except extra cards for the new hand."""
    freshen(t, [name for name in FRESH if name != "bonus"])
    t.add(at.quiet_turns, 1)


def new_hand(t: T, f: Frame) -> None:
    n = FACTS.hand + t.s.bonus
    freshen(t, ("bonus",))
    draw(t, f.seat, n)


def next_turn(t: T, f: Frame) -> None:
    """Begin the next turn, or end the game.

    The game ends after a full round with an empty stock and an empty pyramid.
    """
    seat = turn_order_from(t.s, f.seat + 1)[0]
    if seat == t.s.first and not stock_left(t.s) and not occupied(t.s):
        return finish(t)
    t.pass_turn(seat)
    return t.ask(turn, seat)


def finish(t: T) -> None:
    """Log the points of all tombs, best first, and the winners; then end the game."""
    places = outcome(t.s)
    t.say("all_buried")
    for seat in sorted(range(t.s.seats), key=places.__getitem__):
        t.say("scores", seat, score(t.s.tomb[seat]), len(t.s.tomb[seat]))
    first = [seat for seat in range(t.s.seats) if places[seat] == 1]
    for seat in first:
        t.say("shares" if len(first) > 1 else victory(t.s, seat), seat)
    t.end(places)


def victory(s: Valley, seat: int) -> str:
    """Return the sentence about the winner.

    It tells whether a smaller tomb decided between equal points.
    """
    points = [score(tomb) for tomb in s.tomb]
    return "wins_by_tomb" if points.count(points[seat]) > 1 else "wins"


def uncover_own(t: T, f: Frame) -> None:
    """Turn the pyramid cards face up that the seat turned face down."""
    if t.s.covered[f.seat]:
        t.set(at.covered[f.seat], [])
        t.say("uncovers", f.seat)


turn = Script(
    "turn",
    uncover_own,
    Ask("play", play_offers, PLAYS, repeat=True),
    Ask("sacrifice_one", pyramid_offers, sacrifice_one, sacrifice_one_seats, answer_if_forced=True),
    Ask("sacrifice_stalled", pyramid_offers, sacrifice_stalled, sacrifice_stalled_seats, answer_if_forced=True),
    rebuild,
    clear,
    new_hand,
    next_turn,
)
SCRIPTS = by_name(turn, fork, accession, *reactions.SCRIPTS, *forced.SCRIPTS, *actions.SCRIPTS)


def setup(t: T) -> None:
    choose_pool(t)
    deal(t)
    build_stock(t)
    if t.s.options.first is None:
        t.roll(at.first, range(t.s.seats))
    else:
        t.set(at.first, t.s.options.first)
    t.say("first", t.s.first)
    t.ask(turn, t.s.first)
    if t.s.options.pharaohs:
        deal_pharaohs(t)
    t.pass_turn(t.s.first)
