"""Check deals of the cards that a seat does not know (see `branches.resampling`).

A deal must agree with the events that the seat was sent, must not depend on anything else, and all such deals must be equally
likely. The checks take the dealing function as an argument, so that tests can show that a wrong dealer is detected.
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
MOST_EVENTS = 120                               # the most events of a game that are tested
WORLDS = 3                                      # other worlds for each audience of a game, after different numbers of events
DEALS = 800                                     # the deals drawn for each position whose deals are counted
LEAST = 0.001
"""The significance level, to be divided by the number of positions (Bonferroni)."""


def blind(knowledge: Knowledge, truth: State, rng: Random) -> State:
    """Deal with `resample`, as the product does, and ignore the true state."""
    return resample(knowledge, rng)


class Dealt(NamedTuple):
    """The results of checking deals along a game.

    Attributes:
        deals: the number of deals requested.
        refused: the number of deals that the dealer refused.
        worlds: the number of other worlds that were checked to have the same deal.
        even: the p-value for each position whose deals were counted.
    """

    deals: int
    refused: int
    worlds: int
    even: Sequence[float]

    @property
    def are_even(self) -> bool:
        return not self.even or min(self.even) * len(self.even) > LEAST


def check_redeals(case: Case, seed: int, every: int = 10, positions: int = 2, dealer: Dealer = blind) -> Dealt:
    """Check deals along a random game.

    Args:
        case: the title with its options and number of seats.
        seed: the seed of the game.
        every: the number of events between two deals for an audience.
        positions: the maximum number of positions whose deals are compared with a list of all possible deals.
        dealer: the dealing function under test.

    Raises:
        Failure: a deal depends on hidden information, contradicts events that the seat was sent, or cannot be played.
    """
    try:
        steps = [*steps_of(case, seed, MOST_EVENTS)]
        for step in steps:
            check_zones(case.title, step)
        deals, refused = check_told(case, steps, every, dealer)
        return Dealt(deals, refused, check_worlds(case, steps, seed, dealer), [*uneven(case, steps, seed, positions, dealer)])
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}", case, seed, log_of(case, seed, MOST_EVENTS), "prove") from error


# --- what a seat was sent ---------------------------------------------------------------------------------------------
def check_told(case: Case, steps: Sequence[Step], every: int, dealer: Dealer) -> tuple[int, int]:
    """Check that deals agree with the events that each audience was sent.

    Returns:
        The number of deals requested, and how many of these were refused.
    """
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
    """Check that predicates depend only on their declared zone.

    The order of cards within the zone's piles must not matter either.

    Raises:
        AssertionError: a predicate depends on something else.
    """
    for audience in {audience for fact in step.event.facts if isinstance(fact, Admitted) for audience in fact.to}:
        for one in admitted(step.before, step.event, max(audience, 0)):
            seats = {arg for kind, arg in zip(title.predicates[one.fact.what].args, one.fact.args, strict=True) if kind == SEAT}
            if (zone := title.predicates[one.fact.what].zone) is not None:
                then, there = clone(title.layout.view(one.state, SPECTATOR)), getattr(one.state, zone)
                for seat in seats:
                    getattr(then, zone)[seat] = there[seat][::-1] if isinstance(there[seat], list) else there[seat]
                assert one.holds_in(title, then, one.fact.args), f"{one.fact.what} reads more than the {zone} of its seats"


def check_deal(title: AnyTitle, knowledge: Knowledge, truth: State, heard: Heard, other: State) -> None:
    """Check that a deal looks like the true game to its audience and can be played.

    Raises:
        AssertionError: the audience can distinguish the deal from the true game, or the deal cannot be played.
    """
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
    """Return whether the true cards are possible according to the knowledge.

    Piles that an unknown card has left are skipped.
    """
    piles = [(pile, knowledge.tokens[slot]) for slot, pile in knowledge.title.layout.piles(s) if not knowledge.open.get(slot)]
    may_be = knowledge.identities.may_be
    return all(card in may_be(token) for pile, tokens in piles for card, token in zip(pile, tokens, strict=True))


# --- two worlds -------------------------------------------------------------------------------------------------------
def check_worlds(case: Case, steps: Sequence[Step], seed: int, dealer: Dealer) -> int:
    """Check that worlds that look the same lead to byte-identical deals.

    Returns:
        The number of other worlds that were compared.
    """
    rng, found = Random(seed), 0
    for audience in audiences(case):
        for until in range(1, len(steps) + 1, max(1, len(steps) // WORLDS)):
            pairs = other_world(case, steps[:until], audience, rng)
            found += bool(pairs) and same_deals(case, pairs, audience, dealer)
    return found


Pairs = list[tuple[Step, State, Event]]         # the true step, and the state and event of the other world


def other_world(case: Case, steps: Sequence[Step], audience: int, rng: Random) -> Pairs:
    """Return a world with another shuffle in the set-up that looks the same.

    The returned steps end where the audience could first notice a difference.
    """
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
    """Return the other world's state after the set-up, and its set-up event.

    Cards are exchanged from fact `nth` on.
    """
    facts = [fact if n < nth else dealt_anew(case.title, fact, swap) for n, fact in enumerate(start.event.facts)]
    return redealt(case.title, start.after, swap), Event(start.event.seat, start.event.action, facts)


def followed(
    case: Case, steps: Sequence[Step], audience: int, swap: dict[int, int], begun: tuple[State, Event], rng: Random
) -> Iterator[tuple[Step, State, Event]]:
    """Yield the steps in both worlds until a command is illegal or the views differ."""
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


# --- equally likely deals ---------------------------------------------------------------------------------------------
def uneven(case: Case, steps: Sequence[Step], seed: int, most: int, dealer: Dealer) -> Iterator[float]:
    """Yield the p-values for at most `most` positions, whose deals are listed."""
    found = [*small_positions(case, steps)]
    for audience, until, nth in Random(seed).sample(found, min(most, len(found))):
        knowledge, truth = known_after(case, steps[:until], audience), steps[until - 1].after
        rng, position = Random(seed), enumerated([*small_parts(knowledge)][nth])
        counts = Counter(position.key(dealer(knowledge, truth, rng)) for _ in range(DEALS))
        yield evenness(counts, position.shares)


def small_positions(case: Case, steps: Sequence[Step]) -> Iterator[tuple[int, int, int]]:
    """Yield positions with few deals as (audience, number of events, index of the part)."""
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
