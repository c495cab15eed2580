"""Deals for a seat: they know nothing that the seat is not sent, satisfy all that it was told, and are each as likely.

A check takes a dealer, so that it can be shown to find a wrong one.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from ludarium_engine.branches.resampling import NoDeal, resample
from ludarium_engine.kernel import SPECTATOR, Event, State, clone, legal_offers, seats_to_act
from ludarium_engine.kernel.choices import SEAT
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.facts import Admitted, Shuffled
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.observations import observe
from ludarium_engine.testkit.audiences import AnyTitle
from ludarium_engine.testkit.enumeration import enumerated, small_parts
from ludarium_engine.testkit.evenness import evenness
from ludarium_engine.testkit.fuzz import Case, Failure, chance_of
from ludarium_engine.testkit.heard import Heard
from ludarium_engine.testkit.invariants import check_invariants
from ludarium_engine.testkit.memory import admitted, all_cards, learned
from ludarium_engine.testkit.noninterference import dealt, dealt_anew, redealt, repeated
from ludarium_engine.testkit.steps import Step, log_of, steps_of

Dealer = Callable[[Knowledge, State, Random], State]
MOST_EVENTS = 120                               # of a game that is looked at
WORLDS = 3                                      # other worlds of a game, of different lengths
DEALS = 800                                     # of a position whose deals are counted
LEAST = 0.001
"""The p-value of all positions together below which deals are uneven (Bonferroni)."""


def blind(knowledge: Knowledge, truth: State, rng: Random) -> State:
    """The dealer that ships. It does not look at the state."""
    return resample(knowledge, rng)


class Dealt(NamedTuple):
    """What was checked. uneven: the p-value of each position whose deals were counted."""

    deals: int
    refused: int
    worlds: int
    even: Sequence[float]

    @property
    def are_even(self) -> bool:
        return not self.even or min(self.even) * len(self.even) > LEAST


def check_redeals(case: Case, seed: int, every: int = 10, positions: int = 2, dealer: Dealer = blind) -> Dealt:
    """Check the deals along a random game.

    Args:
        every: deal for each audience after every so many events.
        positions: how many positions are counted against all their deals.

    Raises:
        Failure: a deal tells the truth apart, contradicts what its seat was told, or cannot be played.
    """
    try:
        steps = [*steps_of(case, seed, MOST_EVENTS)]
        for step in steps:
            check_zones(case.title, step)
        deals, refused = check_told(case, steps, every, dealer)
        return Dealt(deals, refused, check_worlds(case, steps, seed, dealer), [*uneven(case, steps, seed, positions, dealer)])
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}", case, seed, log_of(case, seed, MOST_EVENTS), "prove") from error


# --- what a seat was told ---------------------------------------------------------------------------------------------
def check_told(case: Case, steps: Sequence[Step], every: int, dealer: Dealer) -> tuple[int, int]:
    """Return how many deals were made and how many were refused."""
    deals = refused = 0
    for audience in audiences(case):
        knowledge, heard = knowledge_of(case, audience), Heard(case.title)
        for nth, step in enumerate(steps):
            told = observe(case.title.layout, step.event, step.after, audience)
            heard.apply(told.event)
            knowledge.apply(told)
            assert may_be(knowledge, step.after), f"audience {audience}: the true cards are ruled out"
            if nth % every == 0 or nth == len(steps) - 1:
                deals += 1
                try:
                    check_deal(case.title, knowledge, step.after, heard, dealer(knowledge, step.after, Random(nth)))
                except NoDeal:
                    refused += 1
    return deals, refused


def check_zones(title: AnyTitle, step: Step) -> None:
    """Raises AssertionError if a predicate reads more than it declares, or the order of a pile."""
    for audience in {audience for fact in step.event.facts if isinstance(fact, Admitted) for audience in fact.to}:
        for one in admitted(step.before, step.event, max(audience, 0)):
            seats = {arg for kind, arg in zip(title.predicates[one.fact.what].args, one.fact.args, strict=True) if kind == SEAT}
            if (zone := title.predicates[one.fact.what].zone) is not None:
                then, there = clone(title.layout.view(one.state, SPECTATOR)), getattr(one.state, zone)
                for seat in seats:
                    getattr(then, zone)[seat] = there[seat][::-1] if isinstance(there[seat], list) else there[seat]
                assert one.holds_in(title, then, one.fact.args), f"{one.fact.what} reads more than the {zone} of its seats"


def check_deal(title: AnyTitle, knowledge: Knowledge, truth: State, heard: Heard, other: State) -> None:
    """Raises AssertionError if the audience could tell that this is not its game, or if it cannot be played."""
    audience = knowledge.audience
    one, same = title.layout.view(truth, audience), title.layout.view(other, audience)
    strange = [f.name for f in title.layout.fields if getattr(one, f.name) != getattr(same, f.name)]
    assert not strange, f"audience {audience}: a deal looks different in {strange}"
    assert all_cards(title, other) == all_cards(title, truth), f"audience {audience}: a deal has lost cards"
    contradicted = heard.contradicted(other)
    assert not contradicted, f"audience {audience}: a deal contradicts {contradicted}"
    check_invariants(title, other)
    assert {*seats_to_act(truth)} <= {*seats_to_act(other)}, f"audience {audience}: a deal asks other seats"
    assert all(legal_offers(title, other, seat) for seat in seats_to_act(other)), f"audience {audience}: a deal offers nothing"


def may_be(knowledge: Knowledge, s: State) -> bool:
    """Whether the knowledge allows the cards where they are. Which token of a pile has left it may be open."""
    piles = [(pile, knowledge.tokens[slot]) for slot, pile in knowledge.title.layout.piles(s) if not knowledge.open.get(slot)]
    return all(card in knowledge.may_be(token) for pile, tokens in piles for card, token in zip(pile, tokens, strict=True))


# --- two worlds -------------------------------------------------------------------------------------------------------
def check_worlds(case: Case, steps: Sequence[Step], seed: int, dealer: Dealer) -> int:
    """Check that another world which looks the same gives the same deal, to the byte; return how many did."""
    rng, found = Random(seed), 0
    for audience in audiences(case):
        for until in range(1, len(steps) + 1, max(1, len(steps) // WORLDS)):
            pairs = other_world(case, steps[:until], audience, rng)
            found += bool(pairs) and same_deals(case, pairs, audience, dealer)
    return found


Pairs = list[tuple[Step, State, Event]]         # what happened, and the state and the event instead


def other_world(case: Case, steps: Sequence[Step], audience: int, rng: Random) -> Pairs:
    """Return a world in which cards came out of a shuffle of the set-up otherwise, as far as it looks the same."""
    title, start = case.title, steps[0]
    shuffles = {nth: fact.order for nth, fact in enumerate(start.event.facts) if isinstance(fact, Shuffled)}
    told = [learned(title, step.after, step.event, audience) for step in steps[1:]]
    seen = start.known[audience].union(*told)
    heard = [one for step in steps for one in admitted(step.before, step.event, audience)]
    swaps = [(nth, dealt(title, {*order} - seen, heard, rng, 1)) for nth, order in shuffles.items()]
    found = [(nth, swap) for nth, swap in swaps if swap]
    if not found:
        return []
    nth, swap = rng.choice(found)
    return [*followed(case, steps, audience, swap, shuffled_otherwise(case, start, nth, swap), rng)]


def shuffled_otherwise(case: Case, start: Step, nth: int, swap: dict[int, int]) -> tuple[State, Event]:
    """Return the state after the set-up, and the set-up, with cards swapped from a shuffle on."""
    facts = [fact if n < nth else dealt_anew(case.title, fact, swap) for n, fact in enumerate(start.event.facts)]
    return redealt(case.title, start.after, swap), Event(start.event.seat, start.event.action, facts)


def followed(
    case: Case, steps: Sequence[Step], audience: int, swap: dict[int, int], begun: tuple[State, Event], rng: Random
) -> Iterator[tuple[Step, State, Event]]:
    """Yield the steps in both worlds, as long as their commands are possible in the other one and it looks the same."""
    title, (after, event) = case.title, begun
    for nth, step in enumerate(steps):
        if nth:
            happened = repeated(title, step, after, swap, audience, chance_of(rng.getrandbits(32)))
            if happened is None:
                return
            after, event, _ = happened
        here, there = (observe(title.layout, *what, audience) for what in ((step.event, step.after), (event, after)))
        if encode(here) != encode(there):
            return
        yield step, after, event


def same_deals(case: Case, pairs: Pairs, audience: int, dealer: Dealer) -> bool:
    one, other = knowledge_of(case, audience), knowledge_of(case, audience)
    for step, after, event in pairs:
        one.apply(observe(case.title.layout, step.event, step.after, audience))
        other.apply(observe(case.title.layout, event, after, audience))
    step, after, _ = pairs[-1]
    deals = [encode(dealer(knowledge, s, Random(5))) for knowledge, s in ((one, step.after), (other, after))]
    assert deals[0] == deals[1], f"audience {audience}: a deal differs between two worlds that look the same"
    return True


# --- each deal as likely ----------------------------------------------------------------------------------------------
def uneven(case: Case, steps: Sequence[Step], seed: int, most: int, dealer: Dealer) -> Iterator[float]:
    """Yield the p-value of each of a few positions with few deals, all of which are told one by one."""
    found = [*small_positions(case, steps)]
    for audience, until, nth in Random(seed).sample(found, min(most, len(found))):
        knowledge, truth = known_after(case, steps[:until], audience), steps[until - 1].after
        rng, position = Random(seed), enumerated([*small_parts(knowledge)][nth])
        counts = Counter(position.key(dealer(knowledge, truth, rng)) for _ in range(DEALS))
        yield evenness(counts, position.shares)


def small_positions(case: Case, steps: Sequence[Step]) -> Iterator[tuple[int, int, int]]:
    """Yield an audience, how many events it has seen, and which part of its knowledge has few deals."""
    for audience in audiences(case):
        knowledge = knowledge_of(case, audience)
        for nth, step in enumerate(steps):
            knowledge.apply(observe(case.title.layout, step.event, step.after, audience))
            if nth % 4 == 0 or nth == len(steps) - 1:
                yield from ((audience, nth + 1, part) for part, _ in enumerate(small_parts(knowledge)))


def known_after(case: Case, steps: Sequence[Step], audience: int) -> Knowledge:
    knowledge = knowledge_of(case, audience)
    for step in steps:
        knowledge.apply(observe(case.title.layout, step.event, step.after, audience))
    return knowledge


def knowledge_of(case: Case, audience: int) -> Knowledge:
    return Knowledge(case.title, case.title.layout, audience, case.options, case.seats)


def audiences(case: Case) -> Sequence[int]:
    return (*range(case.seats), SPECTATOR)
