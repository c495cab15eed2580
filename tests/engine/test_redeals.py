"""Deals of hidden cards for a seat in every title, and wrong dealers.

A dealer arranges the unknown cards at random so that they agree with everything that the seat knows. The checks must find
dealers that do so wrongly.
"""
from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, takewhile
from random import Random
from typing import Any, get_type_hints

import pytest

from ludarium_engine.branches import answers, blocks, counting, resampling
from ludarium_engine.branches.resampling import Sampler, resample
from ludarium_engine.kernel import Action, Chance, State, act_in_place, clone, legal_offers, new_game, seats_to_act
from ludarium_engine.kernel import knowledge as knowing
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.observations import observe
from ludarium_engine.kernel.title import Predicate
from ludarium_engine.registry import made_from, titles
from ludarium_engine.testkit.evenness import evenness
from ludarium_engine.testkit.fuzz import AnyTitle, Case, Failure, cases, chance_of
from ludarium_engine.testkit.redeals import LEAST, check_redeals, knowledge_of
from ludarium_engine.testkit.sample import random_move
from tests.engine.branches import MOST_WORLDS, dealt, position, scripted
from tests.engine.proof.cups import cups
from tests.engine.proof.partners import partners

EVERY = {title.id: cases(title) for title in titles().values()}
TABLES = [Case(cups(), {}, 3), Case(partners(), {}, 4)]
TABLES += [next(case for case in tables if case.seats == min(3, tables[-1].seats)) for tables in EVERY.values()]
FOG = Case(titles()["lights-in-the-fog"], {}, 3)


@pytest.mark.parametrize("case", TABLES, ids=lambda case: case.title.id)
def test_a_deal_knows_nothing_and_satisfies_all_that_its_seat_was_told(case: Case) -> None:
    """In two worlds that look the same to a seat, its deals are the same.

    No deal is refused or contradicts an answer, and all of them are equally likely.
    """
    found = check_redeals(case, 5)
    assert found.deals and not found.refused and found.are_even


@pytest.mark.parametrize("title", ["game-of-kingdoms", "kemet", "lights-in-the-fog", "valeria", "valley-of-the-kings"])
def test_other_worlds_are_found_in_each_title(title: str) -> None:
    """Otherwise the check that deals are the same in both worlds would check nothing."""
    case = next(case for case in TABLES if case.title.id == title)
    assert check_redeals(case, 5, every=1000, positions=0).worlds > 2


def test_no_deal_is_refused_in_whole_games_of_lights_in_the_fog() -> None:
    found = [check_redeals(case, seed, every=3, positions=2) for seed in range(2) for case in EVERY[FOG.title.id]]
    p = [each for dealt in found for each in dealt.even]
    assert sum(dealt.deals for dealt in found) > 200 and not sum(dealt.refused for dealt in found)
    assert len(p) > 10 and min(p) * len(p) > LEAST


# --- dealers that the checks find -----------------------------------------------------------------------------------------
def by_the_true_cards(knowledge: Knowledge, truth: State, rng: Random) -> State:
    """Deal two unknown cards in an order that depends on their true order."""
    other = resample(knowledge, rng)
    for (slot, pile), (_, true) in zip(FOG.title.layout.piles(other), FOG.title.layout.piles(truth), strict=True):
        may = [knowledge.identities.may_be(token) for token in knowledge.tokens[slot]]
        if len(pile) > 1 and len({*may}) == 1 and true[0] > true[1]:
            pile[0], pile[1] = pile[1], pile[0]
    return other


def the_truth(knowledge: Knowledge, truth: State, rng: Random) -> State:
    return clone(truth)


def without_answers(knowledge: Knowledge, truth: State, rng: Random) -> State:
    deaf = clone_of(knowledge)
    deaf.admissions.clear()
    return resample(deaf, rng)


def clone_of(knowledge: Knowledge) -> Knowledge:
    other = object.__new__(Knowledge)
    other.__dict__.update(knowledge.__dict__, admissions=[*knowledge.admissions])
    return other


@pytest.mark.parametrize(("dealer", "what"), [
    (by_the_true_cards, "differs between two worlds"), (the_truth, "differs between two worlds"),
    (without_answers, "contradicts"),
])  # fmt: skip
def test_a_wrong_dealer_is_found(dealer: Any, what: str) -> None:
    with pytest.raises(Failure, match=what):
        for seed in range(6):
            check_redeals(FOG, seed, every=2, positions=0, dealer=dealer)


def test_a_dealer_that_prefers_some_deals_is_found() -> None:
    def sorted_dealer(knowledge: Knowledge, truth: State, rng: Random) -> State:
        """Draw two deals, and return the one that comes first in sorting order."""
        return min((resample(knowledge, rng) for _ in range(2)), key=encode)

    found = [check_redeals(FOG, seed, every=200, positions=3, dealer=sorted_dealer) for seed in range(1)]
    assert not all(dealt.are_even for dealt in found)


def reads_the_deck(s: Any, ship: int, other: int) -> int:
    return (s.deck[-1] if s.deck else 0) % 2


def test_a_predicate_that_reads_more_than_it_declares_is_found() -> None:
    higher = FOG.title.predicates["higher"]._replace(function=reads_the_deck)
    title = replace(FOG.title, predicates={**FOG.title.predicates, "higher": higher})
    with pytest.raises(Failure, match="higher"):
        for seed in range(6):
            check_redeals(Case(title, {}, 3), seed, every=1000, positions=0)


def test_no_function_that_deals_takes_a_state_of_the_game() -> None:
    """These functions only get views, and states that they have made themselves."""
    own = {"state", "is_possible", "unsealed"}
    for module in (knowing, resampling, answers, blocks, counting):
        for name, function in functions(module):
            hints = {key: hint for key, hint in get_type_hints(function).items() if key != "return"}
            assert name in own or State not in hints.values(), f"{module.__name__}.{name}"
    assert [*inspect.signature(resample).parameters] == ["knowledge", "rng"]
    assert [*inspect.signature(Knowledge.__init__).parameters][1:] == ["title", "layout", "audience", "options", "seats"]


def functions(module: Any) -> Iterator[tuple[str, Any]]:
    for holder in [module, *(each for _, each in inspect.getmembers(module, inspect.isclass))]:
        if getattr(holder, "__module__", module.__name__) == module.__name__:
            yield from ((name, each) for name, each in vars(holder).items()
                        if inspect.isfunction(each) and each.__module__ == module.__name__)


# --- against every order of the deck ----------------------------------------------------------------------------------
class Ordered(Chance):
    """A random source whose shuffles give a fixed order."""

    def __init__(self, chance: Chance, order: tuple[int, ...]) -> None:
        super().__init__(chance.seed)
        self.order = order

    def shuffled(self, pile: Any, stream: str, nth: int) -> tuple[int, ...]:
        return self.order


def small_fog() -> AnyTitle:
    """Return a game with six lamps, of which each of two ships carries two."""
    data = json.loads(titles()["lights-in-the-fog"].data)
    small = {**data, "colours": data["colours"][:2], "points": [2, 3, 4], "hand": [2, 1, 1]}
    return made_from("lights-in-the-fog", json.dumps(small).encode())




def undeclared(title: AnyTitle) -> AnyTitle:
    """Return a title that does not declare which fields its predicates read."""
    return replace(title, predicates={name: Predicate(*predicate[:3]) for name, predicate in title.predicates.items()})


Moves = list[tuple[int, Action]]


def seen_with(case: Case, order: tuple[int, ...], moves: Moves, audience: int) -> Iterator[tuple[bytes, State]]:
    """Yield what the audience receives if the deck has this order, with the states.

    The generator ends at a move that is impossible.
    """
    title, chance = case.title, Ordered(chance_of(0), order)
    s, event = new_game(title, case.options, case.seats, chance)
    yield encode(observe(title.layout, event, s, audience)), s
    for seat, action in moves:
        if seat not in seats_to_act(s) or not any(offer.allows(action) for offer in legal_offers(title, s, seat)):
            return
        event = act_in_place(title, s, seat, action, chance)
        yield encode(observe(title.layout, event, s, audience)), s


def worlds(case: Case, order: tuple[int, ...], moves: Moves, audience: int) -> Counter[bytes]:
    """Count the orders of the deck that look the same to the audience, by final cards."""
    truth, found = [sent for sent, _ in seen_with(case, order, moves, audience)], Counter[bytes]()
    for other in permutations(order):
        pairs = zip(seen_with(case, other, moves, audience), truth, strict=False)
        same = [s for (_, s), _ in takewhile(lambda pair: pair[0][0] == pair[1], pairs)]
        if len(same) == len(truth):
            found[encode([pile for _, pile in case.title.layout.piles(same[-1])])] += 1
    return found


@pytest.mark.parametrize("declared", [True, False], ids=["zones", "no zones"])
@pytest.mark.parametrize("seed", range(6))
def test_each_order_of_the_deck_is_as_likely(seed: int, declared: bool) -> None:
    """Some lamps have left a ship after answers, and can no longer be followed."""
    case = Case(small_fog() if declared else undeclared(small_fog()), {}, 2)
    order = tuple(Random(seed).sample(range(6), 6))
    s, _ = new_game(case.title, case.options, 2, Ordered(chance_of(0), order))
    rng, moves = Random(seed), Moves()
    while s.outcome is None and len(moves) < 14:
        moves.append(random_move(case.title, s, rng))
        act_in_place(case.title, s, *moves[-1], Ordered(chance_of(0), order))
    for audience in (0, 1, -1):
        for until in {len(moves) // 2, len(moves)}:
            check_orders(case, order, moves[:until], audience)


def check_orders(case: Case, order: tuple[int, ...], moves: Moves, audience: int) -> None:
    knowledge, title, chance = knowledge_of(case, audience), case.title, Ordered(chance_of(0), order)
    s, event = new_game(title, case.options, case.seats, chance)
    knowledge.apply(observe(title.layout, event, s, audience))
    for seat, action in moves:
        event = act_in_place(title, s, seat, action, chance)
        knowledge.apply(observe(title.layout, event, s, audience))
    expected, sampler, rng = worlds(case, order, moves, audience), Sampler(knowledge), Random(1)
    deals = max(400, 10 * len(expected))
    found = Counter(encode([pile for _, pile in title.layout.piles(sampler.deal(rng))]) for _ in range(deals))
    assert evenness(found, expected) > LEAST / 36


@pytest.mark.parametrize("verbs", [
    ["ask", "draw", "pass", "pass", "give"], ["ask", "draw", "pass", "pass", "lay"], ["ask", "draw", "ask", "ask", "lay"],
    ["ask", "draw", "pass", "ask", "lay", "draw"],
], ids="-".join)  # fmt: skip
def test_answers_are_kept_while_cards_are_mixed(verbs: list[str]) -> None:
    """A card leaves a hand unseen after answers about only some of the hand's cards.

    The deals are compared with every world that the events allow.
    """
    mixed = 0
    for seed in range(6):
        for audience in (-1, 0, 2):
            found = position(scripted(verbs, chance_of(seed)), audience)
            mixed += bool(found.knowledge.mixes)
            if len(found.worlds) <= MOST_WORLDS:
                assert {*dealt(found, 200, Random(seed))} <= found.worlds
    assert mixed > 5
