"""Sentences of the story refer to their facts, and are redacted with them."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import SPECTATOR, Action, Event, RulesError, redact_event, undo_obstacle
from ludarium_engine.kernel.facts import EVERYBODY, AnyFact, Moved, Revealed, Said
from ludarium_engine.kernel.slots import UNKNOWN
from tests.engine.kernel.tiny import T, at, table, tiny

TITLE = tiny()


def heard(t: T, audience: int) -> list[AnyFact]:
    return redact_event(TITLE.layout, Event(0, Action("x"), t.facts), audience).facts


def test_a_sentence_points_to_what_moves_its_cards() -> None:
    t = table()
    t.say("moves", 1, t.draw(2, at.deck, at.hand[1]))
    assert t.facts[1:] == [Said("moves", (1, (0,)))]
    for audience, cards in ((1, (9, 8)), (0, (UNKNOWN, UNKNOWN)), (SPECTATOR, (UNKNOWN, UNKNOWN))):
        moved, said = heard(t, audience)
        assert isinstance(moved, Moved) and moved.cards == cards and said == t.facts[1]


def test_cards_of_several_facts_and_of_none() -> None:
    t = table()
    shown = t.move(3, at.deck, at.table) + t.draw(0, at.deck, at.table) + t.reveal(9, at.deck, to=EVERYBODY)
    t.say("swaps", shown, ())
    assert t.facts[-1] == Said("swaps", ((0, 1), ()))


def test_what_is_uncovered_is_no_card_of_the_move() -> None:
    t = table()
    t.move([1, 2], at.deck, at.shown)
    assert t.move(2, at.shown, at.table) == (1,) and len(t.facts) == 3


def test_it_points_to_the_same_facts_where_others_are_hidden() -> None:
    t = table()
    t.add(at.purse[0], 2)
    t.say("moves", 0, t.move(4, at.deck, at.table))
    t.say("names", 0, 4)
    assert heard(t, 1) == [t.facts[1], Said("moves", (0, (0,))), Said("names", (0, 4))] and heard(t, 0) == t.facts


def test_nobody_hears_of_cards_that_were_shown_to_others_alone() -> None:
    t = table()
    t.say("moves", 0, t.reveal(9, at.deck, to=[2]))
    t.say("moves", 0, t.move(4, at.deck, at.table))
    assert heard(t, 2) == t.facts
    assert heard(t, 1) == [Moved((4,), t.facts[2].src, t.facts[2].dst), Said("moves", (0, (0,)))]  # type: ignore[union-attr]


def test_it_is_nothing_new() -> None:
    t = table()
    t.say("moves", 0, t.move(4, at.deck, at.gone))
    assert undo_obstacle(TITLE.layout, 3, Event(0, Action("x"), t.facts)) is None
    t.disclose("paid", 0, 4, to=[1])
    t.say("ranks", 4)
    t.record(Revealed((5,), 64, (1,)))
    assert undo_obstacle(TITLE.layout, 3, Event(0, Action("x"), t.facts))


def test_it_names_a_card_only_where_everybody_sees_it() -> None:
    t = table()
    t.move([2, 3], at.deck, at.shown)
    t.say("names", 0, 3)
    for card in (2, 7):
        with pytest.raises(RulesError, match="not everybody sees"):
            t.say("names", 0, card)


def test_it_points_to_no_fact_without_cards() -> None:
    t = table()
    t.add(at.coins[0], 1)
    with pytest.raises(RulesError, match="points to no facts that move or show cards"):
        t.say("moves", 0, (0,))
