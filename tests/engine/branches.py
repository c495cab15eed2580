"""Small positions with few possible deals, and how often each deal is drawn.

A deal or world is an arrangement of the hidden cards. Since all possible worlds are listed by brute force, the deals drawn
for bots can be compared with them.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, permutations
from random import Random
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from ludarium_engine.branches.resampling import Sampler
from ludarium_engine.kernel import (
    UNKNOWN,
    Action,
    Chance,
    Event,
    Frame,
    Offer,
    State,
    Title,
    act_in_place,
    clone,
    each,
    new_game,
    redact_event,
)
from ludarium_engine.kernel.choices import CARD, SEAT, Options, Verb
from ludarium_engine.kernel.facts import EVERYBODY, Admitted, AnyFact, Moved, Shuffled
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.observations import observe
from ludarium_engine.kernel.scripts import Ask, Script, by_name
from ludarium_engine.kernel.slots import Hidden, Owner, OwnerTop, Pile, Piles, Public, empty_piles, read_slot, slots_of
from ludarium_engine.kernel.table import Table
from ludarium_engine.kernel.title import Card, some_card
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.testkit.memory import all_cards
from ludarium_engine.testkit.sample import random_move

CARDS = range(5)
MOVES = 6
SEATS = 3
MOST_WORLDS = 150


# --- a small game of moves that only some see ---------------------------------------------------------------------------
class SmallOptions(Options, frozen=True):
    """The options of the small game.

    Attributes:
        asks: Whether a seat may be asked whether it has an odd card.
    """

    asks: bool = False


class Small(State, array_like=True):
    options: SmallOptions
    hand: Owner[Piles] = []
    deck: Hidden[Pile] = []
    discard: OwnerTop[Piles] = []
    table: Public[Pile] = []
    moves: Public[int] = 0


at = slots_of(Small)
T = Table[Small]


def plays(s: Small, f: Frame, seat: int) -> list[Offer]:
    deck = [Offer("draw")] if s.deck else []
    back = [Offer("reshuffle")] if s.discard[seat] else []
    ask = [Offer("ask")] if s.options.asks else []
    return [*deck, *back, *ask, Offer("pass"), *(offer for verb in OF_A_CARD for offer in each(verb, s.hand[seat]))]


def play(t: T, f: Frame, seat: int, action: Action) -> None:
    t.add(at.moves, 1)
    match action.verb, action.args:
        case "draw", ():
            t.draw(1, at.deck, at.hand[seat])
        case "reshuffle", ():
            t.move_all(at.discard[seat], at.deck)
            t.shuffle(at.deck)
        case "give", (card,):
            t.move(card, at.hand[seat], at.hand[(seat + 1) % SEATS])
        case "show", (card,):
            t.move(card, at.hand[seat], at.table)
        case "discard", (card,):
            t.move(card, at.hand[seat], at.discard[seat])
        case "lay", (card,):
            t.move(card, at.hand[seat], at.deck)
        case "ask", ():
            t.admit("odd", (seat + 1) % SEATS, to=EVERYBODY)


def next_turn(t: T, f: Frame) -> None:
    if t.s.moves == MOVES:
        t.end([1] * SEATS)
    else:
        t.ask(turn, (f.seat + 1) % SEATS)


def setup(t: T) -> None:
    t.shuffle(at.deck)
    for seat in range(SEATS):
        t.draw(1, at.deck, at.hand[seat])
    t.ask(turn, 0)


OF_A_CARD = [Verb(name, CARD) for name in ("give", "show", "discard", "lay")]
turn = Script("turn", Ask("play", plays, play), next_turn)


def is_odd(card: int) -> bool:
    return card % 2 == 1


ODD = some_card("hand", (SEAT,), is_odd)


def blank(options: SmallOptions, seats: int) -> Small:
    return Small(seats, options, hand=empty_piles(seats), deck=[*CARDS], discard=empty_piles(seats))


def small(asks: bool = False) -> Title[Small, SmallOptions]:
    return Title(
        id="small", name={"en": "Small"}, revision=1, seats=range(SEATS, SEATS + 1), state=Small, blank=blank, setup=setup,
        standing=lambda s: [1] * SEATS, scripts=by_name(turn), disclosures={}, sentences={}, data=b"{}", rulings=(),
        texts={"en": {}}, predicates={"odd": ODD} if asks else {},
        verbs=by_name(*map(Verb, ("draw", "reshuffle", "pass", "ask")), *OF_A_CARD), cards=[Card(n, str(n), {}) for n in CARDS],
    )  # fmt: skip


# --- its positions --------------------------------------------------------------------------------------------------------
class Position(NamedTuple):
    """A state, an audience's knowledge about it, and all worlds that its events allow.

    The worlds are found by brute force.
    """

    title: Title[Any, Any]
    s: State
    knowledge: Knowledge
    worlds: set[Any]


def game(rng: Random, chance: Chance) -> list[tuple[State, Event, State]]:
    """Return the events of a game up to some move, each with the states around it."""
    title = small()
    options = SmallOptions()
    before: State = title.blank(options, SEATS)
    s, event = new_game(title, options, SEATS, chance)
    told: list[tuple[State, Event, State]] = [(before, event, clone(s))]
    for _ in range(rng.randrange(MOVES)):
        before = clone(s)
        event = act_in_place(title, s, *random_move(title, s, rng), chance)
        told.append((before, event, clone(s)))
    return told


def mind(told: Sequence[tuple[State, Event, State]], audience: int) -> Knowledge:
    options = cast(Small, told[0][0]).options
    title = small(options.asks)
    knowledge = Knowledge(title, title.layout, audience, options, SEATS)
    for _, event, after in told:
        knowledge.apply(observe(title.layout, event, after, audience))
    return knowledge


def scripted(verbs: Sequence[str], chance: Chance) -> list[tuple[State, Event, State]]:
    """Play these verbs in turn, each with its first offer; return events like `game`."""
    title, options = small(asks=True), SmallOptions(asks=True)
    before: State = title.blank(options, SEATS)
    s, event = new_game(title, options, SEATS, chance)
    told: list[tuple[State, Event, State]] = [(before, event, clone(s))]
    for verb in verbs:
        before, seat = clone(s), s.agenda[-1].seat
        offer = next(offer for offer in plays(s, s.agenda[-1], seat) if offer.verb == verb)
        event = act_in_place(title, s, seat, Action(verb, offer.args), chance)
        told.append((before, event, clone(s)))
    return told


def positions(seed: int) -> Iterator[Position]:
    """Yield positions of a random game, one for each audience.

    Positions with nothing to deal or with too many worlds are left out.
    """
    told = game(Random(seed), chance_of(seed))
    found = (position(told, audience) for audience in range(-1, SEATS))
    yield from (one for one in found if 1 < len(one.worlds) <= MOST_WORLDS)


def position(told: Sequence[tuple[State, Event, State]], audience: int) -> Position:
    """Return the position after these events for an audience.

    If there are more than MOST_WORLDS worlds, not all of them are listed.
    """
    knowledge = mind(told, audience)
    title, worlds = knowledge.title, {frozen(knowledge.title, told[0][0])}
    for _, event, after in told:
        if len(worlds) <= MOST_WORLDS:
            worlds = {*worlds_after(title, worlds, redact_event(title.layout, event, audience), after, audience)}
    return Position(title, told[-1][2], knowledge, worlds)


def frozen(title: Title[Any, Any], s: State) -> Any:
    return tuple(tuple(pile) for _, pile in title.layout.piles(s))


def thawed(title: Title[Any, Any], s: State, world: Any) -> State:
    other = clone(s)
    for (_, pile), cards in zip(title.layout.piles(other), world, strict=True):
        pile[:] = cards
    return other


def worlds_after(title: Title[Any, Any], worlds: set[Any], event: Event, after: State, audience: int) -> Iterator[Any]:
    """Yield each world after an event that gives the audience its actual view.

    Every way to fill in the hidden parts of the event is tried by brute force.
    """
    view = title.layout.view(after, audience)
    for world in worlds:
        states = {world: thawed(title, after, world)}
        for fact in event.facts:
            states = {frozen(title, s): s for one in states.values() for s in made_whole(one, fact)}
        for s in states.values():
            if frozen(title, title.layout.view(s, audience)) == frozen(title, view):
                yield frozen(title, s)


def made_whole(s: State, fact: AnyFact) -> Iterator[State]:
    match fact:
        case Moved(cards, src):
            free = [card for card in read_slot(s, src) if card not in cards]
            fits = {*cards} - {UNKNOWN} <= {*read_slot(s, src)}          # else the audience saw a card that lies elsewhere
            for some in permutations(free, cards.count(UNKNOWN)) if fits else ():
                yield applied(s, replace(fact, cards=filled(cards, some)))
        case Shuffled(slot):
            yield from (applied(s, replace(fact, order=order)) for order in permutations(read_slot(s, slot)))
        case Admitted(_, args, answer):
            yield from [s] if ODD.answer(s, args) == answer else []
        case _:
            yield s


def filled(cards: Sequence[int], unknown: Sequence[int]) -> tuple[int, ...]:
    left = [*unknown]
    return tuple(left.pop(0) if card == UNKNOWN else card for card in cards)


def applied(s: State, fact: AnyFact) -> State:
    other = clone(s)
    fact.apply(other)
    return other


# --- what is dealt --------------------------------------------------------------------------------------------------------
def may_lie(knowledge: Knowledge) -> list[list[Collection[int]]]:
    """Return, by pile and place, the cards that may lie there."""
    return [[knowledge.identities.may_be(token) for token in pile] for pile in knowledge.tokens.values()]


def allowed(position: Position) -> set[Any]:
    """Return every arrangement in which each card lies where it may, by brute force."""
    may = may_lie(position.knowledge)
    fits = [cards for pile in may for cards in pile]
    orders = (order for order in permutations(all_cards(position.title, position.s))
              if all(card in cards for card, cards in zip(order, fits, strict=True)))
    return {tuple(tuple(islice(cards, len(pile))) for pile in may) for cards in map(iter, orders)}


def dealt(position: Position, deals: int, rng: Random) -> Counter[Any]:
    sampler = Sampler(position.knowledge)
    return Counter(frozen(position.title, sampler.deal(rng)) for _ in range(deals))


def unevenness(found: Counter[Any], worlds: int) -> float:
    """Return how far the counts deviate from even chances, in standard deviations.

    This is the chi-square statistic, normalised by the method of Wilson and Hilferty.
    """
    expected, free = found.total() / worlds, worlds - 1
    square = sum((n - expected) ** 2 / expected for n in found.values()) + expected * (worlds - len(found))
    return float(((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5)


class Look(NamedTuple):
    """The comparison of a position's deals with its worlds.

    Attributes:
        exact: Whether the allowed deals are exactly the possible worlds.
        uneven: How unevenly the deals occur, in standard deviations.
        truth: How far the true deal is from its expected share, in standard deviations.
    """

    exact: bool
    uneven: float
    truth: float


def look(position: Position, deals: int, rng: Random) -> Look:
    """Draw deals for a position, and compare them with its worlds.

    Raises:
        AssertionError: A possible world is not allowed, a deal that is not allowed occurs, or an allowed one never
            occurs.
    """
    may = allowed(position)
    assert position.worlds <= may, "a world that the audience may be in is ruled out"
    found, share = dealt(position, deals, rng), deals / len(may)
    assert {*found} <= may
    truth = (found[frozen(position.title, position.s)] - share) / share**0.5
    return Look(may == position.worlds, unevenness(found, len(may)), truth)
