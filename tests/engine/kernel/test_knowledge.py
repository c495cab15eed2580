"""The knowledge of an audience is compared with every world that its events allow.

A world is an arrangement of the hidden cards. Each allowed world must be dealt equally often.
"""
from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from ludarium_engine.branches.placing import position_facts
from ludarium_engine.branches.resampling import NoDeal, resample
from ludarium_engine.kernel import SPECTATOR, Event, State, evolve, legal_offers, new_game, redact_event, seats_to_act
from ludarium_engine.kernel.contract import NEW, encode
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.observations import observe
from ludarium_engine.registry import titles
from ludarium_engine.testkit.folded import audiences, random_event
from ludarium_engine.testkit.fuzz import AnyTitle, Case, chance_of
from ludarium_engine.testkit.memory import all_cards
from ludarium_engine.testkit.steps import steps_of
from tests.engine.branches import game, look, may_lie, mind, positions
from tests.engine.folded import largest
from tests.engine.proof.peek import peek

LARGEST = [largest(title) for title in titles().values()]
SOME = 600
"""Deals of each position; `make prove ONLY=branches` deals 10,000."""


def test_each_deal_that_an_audience_may_be_in_is_as_likely() -> None:
    looks = [look(position, SOME, Random(seed)) for seed in range(12) for position in positions(seed)]
    assert len(looks) > 30 and sum(each.exact for each in looks) / len(looks) > 0.9
    assert max(each.uneven for each in looks) < 4
    assert max(abs(each.truth) for each in looks) < 4.5


def test_what_is_known_says_nothing_of_the_world_that_is_true() -> None:
    """Games with different shuffles may give an audience the same events.

    In each of them, the audience must know the same about every place.
    """
    same, seen = 0, dict[bytes, Any]()
    for seed in range(400):
        told = game(Random(seed % 4), chance_of(seed))
        for audience in (SPECTATOR, 0, 1, 2):
            knowledge = mind(told, audience)
            events = encode((audience, [redact_event(knowledge.title.layout, event, audience) for _, event, _ in told]))
            places = may_lie(knowledge)
            same += seen.get(events) == places
            assert seen.setdefault(events, places) == places
    assert same > 400


@pytest.mark.parametrize("case", LARGEST, ids=lambda case: case.title.id)
def test_whatever_is_dealt_looks_the_same_and_can_be_played(case: Case) -> None:
    title, rng, chance = case.title, Random(4), chance_of(4)
    minds = minds_of(case)
    s, event = new_game(title, case.options, case.seats, chance)
    for nth in range(60):
        for knowledge in minds:
            knowledge.apply(observe(title.layout, event, s, knowledge.audience))
            assert is_allowed(knowledge, s), "the truth is ruled out"
            if nth % 10 == 0:
                check_dealt(title, s, resample(knowledge, rng), knowledge.audience)
        if not seats_to_act(s):
            return
        s, event = random_event(title, s, rng, chance)


def minds_of(case: Case) -> list[Knowledge]:
    return [Knowledge(case.title, case.title.layout, audience, case.options, case.seats) for audience in audiences(case.seats)]


def is_allowed(knowledge: Knowledge, s: State) -> bool:
    """Check that each card of a state lies where it may, as far as the audience knows.

    Piles from which an unidentified card has left are skipped.
    """
    return all(
        card in knowledge.identities.may_be(token)
        for slot, pile in knowledge.title.layout.piles(s) if not knowledge.open.get(slot)
        for card, token in zip(pile, knowledge.tokens[slot], strict=True)
    )  # fmt: skip


def check_dealt(title: AnyTitle, s: State, other: State, audience: int) -> None:
    one, same = title.layout.view(s, audience), title.layout.view(other, audience)
    assert all(getattr(one, f.name) == getattr(same, f.name) for f in title.layout.fields)
    assert all_cards(title, other) == all_cards(title, s) and not other.drawn
    title.invariants(other)
    blank = title.blank(s.options, s.seats)
    assert evolve(blank, Event(SPECTATOR, NEW, position_facts(title.layout, title.blank(s.options, s.seats), other))) == other
    assert all(legal_offers(title, other, seat) for seat in seats_to_act(other))


def knowing(case: Case, audience: int, events: Iterable[tuple[Event, State]]) -> Knowledge:
    knowledge = Knowledge(case.title, case.title.layout, audience, case.options, case.seats)
    for event, after in events:
        knowledge.apply(observe(case.title.layout, event, after, audience))
    return knowledge


def test_others_sealed_answers_are_open_again() -> None:
    case = next(case for case in LARGEST if case.title.id == "kemet")
    title, rng, chance = case.title, Random(2), chance_of(2)
    s, event = new_game(title, case.options, case.seats, chance)
    knowledge = knowing(case, 0, [(event, s)])
    while not (s.agenda and any(seat for seat, _ in s.agenda[-1].sealed)):
        s, event = random_event(title, s, rng, chance)
        knowledge.apply(observe(title.layout, event, s, 0))
    other = resample(knowledge, rng)
    assert all(seat == 0 for seat, _ in other.agenda[-1].sealed)
    assert {*other.agenda[-1].asked} == {*s.agenda[-1].asked} | {seat for seat, _ in s.agenda[-1].sealed if seat}


def test_what_is_hidden_and_declares_no_values_is_not_dealt() -> None:
    case = Case(peek(), {}, 3)
    (setup,) = steps_of(case, 1, 0)
    with pytest.raises(NoDeal, match=r"hidden in purse, fate"):
        resample(knowing(case, 0, [(setup.event, setup.after)]), Random(1))
