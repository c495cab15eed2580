"""Offers, the actions that they allow, and random choices among them."""
from __future__ import annotations

from itertools import chain, combinations, permutations
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ludarium_engine.kernel import Action, Illegal, Offer, RulesError, each
from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT, Verb
from ludarium_engine.kernel.describe import action_of
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.testkit.perft import actions
from ludarium_engine.testkit.sample import random_action_of


def test_an_offer_without_a_pool_allows_itself() -> None:
    offer = Offer("beat", (0, 7))
    assert offer.id == "beat:0:7" and offer.allows(Action("beat", (0, 7)))
    for action in (Action("beat", (0,)), Action("beat", (0, 7, 7)), Action("take", (0, 7)), Action("beat", (7, 0))):
        assert not offer.allows(action)


def test_a_subset_keeps_its_bounds() -> None:
    offer = Offer("add", (), (3, 5, 9), (), 1, 2)
    allowed = [(3,), (5,), (9, 3), (5, 9)]
    assert all(offer.allows(Action("add", subset)) for subset in allowed)
    assert not any(offer.allows(Action("add", subset)) for subset in [(), (3, 5, 9), (3, 3), (4,), (3, 4)])


def test_the_bounds_are_of_the_worth() -> None:
    offer = Offer("pay", (1,), (3, 5, 9), (1, 2, 4), 3, 5)
    assert offer.allows(Action("pay", (1, 5, 3))) and offer.allows(Action("pay", (1, 9)))
    assert not offer.allows(Action("pay", (1, 5))) and not offer.allows(Action("pay", (1, 5, 9)))


def test_all_actions_of_an_offer() -> None:
    assert [*actions(Offer("take"))] == [Action("take")]
    assert [a.args for a in actions(Offer("add", (8,), (3, 5), (), 0, 1))] == [(8,), (8, 3), (8, 5)]


def test_one_offer_for_each() -> None:
    assert each(Verb("hit", SEAT), [2, 4]) == [Offer("hit", (2,)), Offer("hit", (4,))]


def test_a_verb_is_offered_with_the_arguments_that_it_takes() -> None:
    grab = Verb("grab", CARD, range(1, 4), subset=CARD)
    assert (grab.args, grab.ranges) == ((CARD, NUMBER), (None, range(1, 4)))
    assert grab(5, 2, pool=(7, 8), least=1) == Offer("grab", (5, 2), (7, 8), (), 1)
    with pytest.raises(RulesError, match="grab takes"):
        grab(5)
    with pytest.raises(RulesError, match="grab takes"):
        each(grab, [(5, 2), (5,)])
    assert each(grab, [(5, 2), (6, 3)]) == [grab(5, 2), grab(6, 3)]


def test_who_takes_a_verb_takes_its_arguments() -> None:
    def take(t: object, f: object, seat: int, card: int) -> None: ...

    assert Ask("row", lambda s, f, seat: [], {Verb("grab", CARD): take, Verb("lay", subset=CARD): take})
    for verb in (Verb("grab"), Verb("grab", CARD, SEAT), Verb("grab", CARD, SEAT, subset=CARD)):
        with pytest.raises(TypeError, match="take does not take"):
            Ask("row", lambda s, f, seat: [], {verb: take})


@pytest.mark.parametrize("text", ["beat:0:7", "take", "pass:-1"])
def test_an_id_is_read_back(text: str) -> None:
    action = action_of(text, [4])
    assert Offer(action.verb, action.args[:-1]).id == text and action.args[-1] == 4


@pytest.mark.parametrize(
    "text", ["beat:", "beat:x", "beat:1.5", "beat:٣", "beat:--1", "beat:1234567890", "beat:1:", "beat: 1", "beat:+1"]
)
def test_what_cannot_be_an_id(text: str) -> None:
    with pytest.raises(Illegal):
        action_of(text)


pieces = st.lists(st.integers(0, 9), max_size=6)


@given(pieces, st.integers(0, 20), st.integers(0, 20), st.integers(0, 1 << 30))
def test_any_subset_is_found_if_there_is_one(worth: list[int], least: int, most: int, seed: int) -> None:
    offer = Offer("pay", (7,), tuple(range(100, 100 + len(worth))), tuple(worth), least, most)
    fitting = [*actions(offer)]
    if fitting and worth:
        assert offer.allows(random_action_of(offer, Random(seed)))
    elif worth:
        with pytest.raises(ValueError, match="no subset"):
            random_action_of(offer, Random(seed))


@given(pieces, st.integers(0, 12), st.integers(0, 12))
def test_the_listed_actions_are_those_that_are_allowed(worth: list[int], least: int, most: int) -> None:
    assume(worth)
    pool = tuple(range(len(worth)))
    offer = Offer("pay", (), pool, tuple(worth), least, most)
    subsets = chain.from_iterable(combinations(pool, n) for n in range(len(pool) + 1))
    assert [a.args for a in actions(offer)] == [s for s in subsets if offer.allows(Action("pay", s))]


def test_every_subset_and_order_comes_up() -> None:
    offer, rng = Offer("add", (), (1, 2, 3), (), 1, 2), Random(4)
    found = {random_action_of(offer, rng).args for _ in range(400)}
    assert found == {*permutations((1, 2, 3), 1), *permutations((1, 2, 3), 2)}
