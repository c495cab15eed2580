"""What may lie in a place, held against every world that an audience's own events allow; and deals, each as likely."""
from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ludarium_engine.branches.placing import position_facts
from ludarium_engine.branches.resampling import NoDeal, resample
from ludarium_engine.kernel import SPECTATOR, Event, State, evolve, legal_offers, new_game, redact_event, seats_to_act
from ludarium_engine.kernel.contract import NEW, encode
from ludarium_engine.kernel.knowledge import Knowledge, all_cards
from ludarium_engine.registry import titles
from ludarium_engine.testkit.folded import audiences, random_event
from ludarium_engine.testkit.fuzz import AnyTitle, Case, chance_of
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
    """Other shuffles that an audience is told the same of: it knows the same, place by place."""
    same, seen = 0, dict[bytes, Any]()
    for seed in range(400):
        told = game(Random(seed % 4), chance_of(seed))
        for audience in (SPECTATOR, 0, 1, 2):
            knowledge, s = mind(told, audience), told[-1][2]
            events = encode((audience, [redact_event(knowledge.title.layout, event, audience) for _, event, _ in told]))
            places = [[frozenset(may_lie(knowledge, card)) for card in pile] for _, pile in knowledge.title.layout.piles(s)]
            same += seen.get(events) == places
            assert seen.setdefault(events, places) == places
    assert same > 400


@pytest.mark.parametrize("case", LARGEST, ids=lambda case: case.title.id)
def test_whatever_is_dealt_looks_the_same_and_can_be_played(case: Case) -> None:
    title, rng, chance = case.title, Random(4), chance_of(4)
    before = title.blank(case.options, case.seats)
    minds = [Knowledge(title, title.layout, audience, before) for audience in audiences(case.seats)]
    s, event = new_game(title, case.options, case.seats, chance)
    for nth in range(60):
        for knowledge in minds:
            knowledge.apply(before, event)
            assert all(card in may_lie(knowledge, card) for card in all_cards(title, s)), "the truth is ruled out"
            if nth % 10 == 0 and not knowledge.ambiguous:
                check_dealt(title, s, resample(title, s, knowledge, rng), knowledge.audience)
        if not seats_to_act(s):
            return
        before = s
        s, event = random_event(title, s, rng, chance)


def check_dealt(title: AnyTitle, s: State, other: State, audience: int) -> None:
    one, same = title.layout.view(s, audience), title.layout.view(other, audience)
    assert all(getattr(one, f.name) == getattr(same, f.name) for f in title.layout.fields)
    assert all_cards(title, other) == all_cards(title, s) and not other.drawn
    title.invariants(other)
    blank = title.blank(s.options, s.seats)
    assert evolve(blank, Event(SPECTATOR, NEW, position_facts(title.layout, title.blank(s.options, s.seats), other))) == other
    assert all(legal_offers(title, other, seat) for seat in seats_to_act(other))


def test_others_sealed_answers_are_open_again() -> None:
    case = next(case for case in LARGEST if case.title.id == "kemet")
    title, rng, chance = case.title, Random(2), chance_of(2)
    before = title.blank(case.options, case.seats)
    s, event = new_game(title, case.options, case.seats, chance)
    knowledge = Knowledge(title, title.layout, 0, before)
    while not (s.agenda and any(seat for seat, _ in s.agenda[-1].sealed)):
        knowledge.apply(before, event)
        before = s
        s, event = random_event(title, s, rng, chance)
    knowledge.apply(before, event)
    other = resample(title, s, knowledge, rng)
    assert all(seat == 0 for seat, _ in other.agenda[-1].sealed)
    assert {*other.agenda[-1].asked} >= {seat for seat, _ in s.agenda[-1].sealed if seat}


def test_what_is_hidden_and_no_card_is_not_dealt() -> None:
    title: AnyTitle = peek()
    (setup,) = steps_of(Case(title, {}, 3), 1, 0)
    knowledge = Knowledge(title, title.layout, 0, setup.before)
    with pytest.raises(NoDeal, match=r"purse, fate is no card"):
        resample(title, setup.after, knowledge, Random(1))


def test_no_deal_contradicts_what_was_admitted() -> None:
    title: AnyTitle = titles()["lights-in-the-fog"]
    case, dealt = Case(title, {}, 4), 0
    for seed in range(8):
        steps = [*steps_of(case, seed, 6)]
        knowledge = Knowledge(title, title.layout, 1, steps[0].before)
        for step in steps:
            knowledge.apply(step.before, step.event)
        if knowledge.admissions and not knowledge.ambiguous:
            dealt += 1
            check_dealt(title, steps[-1].after, resample(title, steps[-1].after, knowledge, Random(seed)), 1)
    assert dealt > 2


def test_what_was_admitted_of_cards_that_cannot_be_followed_is_said() -> None:
    title: AnyTitle = titles()["lights-in-the-fog"]
    steps = [*steps_of(Case(title, {}, 2), 1, 60)]
    knowledge = Knowledge(title, title.layout, 1, steps[0].before)
    for step in steps:
        knowledge.apply(step.before, step.event)
    with pytest.raises(NoDeal, match="cannot be followed"):
        resample(title, steps[-1].after, knowledge, Random(1))
