"""Facts, their effects, and what each audience knew, learns and is told.

The verbs that record facts are tested too.
"""
from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ludarium_engine.kernel import HIDDEN_ACTION, SPECTATOR, UNKNOWN, Action, Event, Frame, redact_event, undo_obstacle
from ludarium_engine.kernel.draws import is_draw, matches_seed
from ludarium_engine.kernel.facts import (
    EVERYBODY,
    Admitted,
    Agenda,
    AnyFact,
    Became,
    Counted,
    Ended,
    Moved,
    Preferred,
    Revealed,
    Rolled,
    Said,
    Shuffled,
    Told,
    TurnPassed,
    Uncovered,
    Unsealed,
)
from ludarium_engine.kernel.undo import UndoObstacle
from tests.engine.kernel.tiny import CHANCE, T, Tiny, TinyOptions, at, blank, table, tiny

TITLE = tiny()
LAYOUT = TITLE.layout
a: Any = at                                     # here slots are looked at as what they are: ints
YES, NO = (0,), ()


def seen(fact: AnyFact, audience: int) -> AnyFact | None:
    return fact.redacted(LAYOUT, audience)


def asked(fact: AnyFact, audience: int) -> tuple[set[int], set[int]]:
    return set(fact.known_before(LAYOUT, audience)), set(fact.learned(LAYOUT, audience))


# --- moves ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("src", "dst", "mover", "others"), [
    (a.hand[0], a.table, {0, 1}, {0, 1}),       # played openly
    (a.hand[0], a.deck, {0, 1}, set()),         # put away
    (a.deck, a.hand[0], {0, 1}, set()),         # drawn
    (a.deck, a.table, {0, 1}, {0, 1}),          # turned up
    (a.deck, a.gone, set(), set()),
    (a.table, a.gone, {0, 1}, {0, 1}),
    (a.hand[0], a.discard[0], {0, 1}, {1}),     # others see what lies on top then
    (a.hand[0], a.shown, {0, 1}, {1}),
    (a.discard[1], a.deck, {0}, {0}),           # its top card, which lay open; seat 0 is no owner here
    (a.shown, a.hand[0], {0, 1}, {0}),
])  # fmt: skip
def test_which_cards_of_a_move_are_seen(src: int, dst: int, mover: set[int], others: set[int]) -> None:
    top = 0 if LAYOUT.shows_top[src >> 6] else UNKNOWN
    fact = Moved((7, 8), src, dst, top)
    for audience, indices in ((0, mover), (2, others), (SPECTATOR, others)):
        told = seen(fact, audience)
        assert isinstance(told, Moved) and (told.src, told.dst) == (src, dst)
        assert told.cards == tuple(card if i in indices else UNKNOWN for i, card in enumerate((7, 8)))
        assert told.top == (top if top in indices else UNKNOWN)


def test_a_move_of_cards_that_its_audience_knew_teaches_nothing() -> None:
    assert asked(Moved((7,), a.hand[0], a.table), 0) == ({0}, {0})
    assert asked(Moved((7,), a.hand[0], a.table), 1) == (set(), {0})
    assert asked(Moved((7,), a.table, a.deck), 1) == ({0}, set())


def test_moving_changes_two_piles() -> None:
    s = blank(TinyOptions(), 2)
    Moved((3, 5), a.deck, a.hand[1]).apply(s)
    assert s.hand[1] == [3, 5] and s.deck == [0, 1, 2, 4, 6, 7, 8, 9]


# --- the others ---------------------------------------------------------------------------------------------------------
HIDES = [
    (Uncovered(3, a.discard[0]), (YES, YES), (NO, YES)),
    (Uncovered(3, a.shown), (NO, YES), (NO, YES)),
    (Uncovered(3, a.deck), (NO, NO), (NO, NO)),
    (Counted(a.purse[0], 2), (YES, YES), (NO, NO)),
    (Counted(a.coins[0], 2), (YES, YES), (YES, YES)),
    (Became(a.fate, 2), (NO, NO), (NO, NO)),
    (Became(a.ready, True), (YES, YES), (YES, YES)),
    (Rolled(a.die, 2, (1, 2)), (NO, YES), (NO, YES)),
    (Rolled(a.purse[0], 2, (1, 2)), (NO, YES), (NO, NO)),
    (Rolled(a.fate, 2, (1, 2)), (NO, NO), (NO, NO)),
    (Revealed((3,), a.hand[0], EVERYBODY), (YES, YES), (NO, YES)),
    (Revealed((3,), a.hand[1], (0,)), (NO, YES), (NO, NO)),
    (Told("paid", (1, 2), EVERYBODY), (YES, YES), (YES, YES)),
    (Told("paid", (1, 2), (0,)), (YES, YES), (NO, NO)),
    (Told("paid", (1, 2)), (NO, NO), (NO, NO)),
    (Admitted("holds", (2, 3), 1, EVERYBODY), (NO, YES), (NO, YES)),
    (Admitted("holds", (2, 3), 1, (0,)), (NO, YES), (NO, NO)),
    (Preferred(0, "main", True), (YES, YES), (NO, NO)),
    (Agenda(0, ()), (NO, NO), (NO, NO)),
]


@pytest.mark.parametrize(("fact", "first", "second"), HIDES, ids=lambda value: type(value).__name__)
def test_what_seat_0_and_seat_2_knew_and_learn(fact: AnyFact, first: tuple[Any, Any], second: tuple[Any, Any]) -> None:
    for audience, (knew, learns) in ((0, first), (2, second), (SPECTATOR, second)):
        assert asked(fact, audience) == (set(knew), set(learns))
        written = isinstance(fact, Became | Rolled)         # that a number was written is seen by all
        assert seen(fact, audience) == (fact if learns else replace(fact, value=UNKNOWN) if written else None)


def test_everybody_sees_that_it_was_shuffled_and_nobody_the_order() -> None:
    for audience in (0, 1, SPECTATOR):
        assert seen(Shuffled(a.deck, (3, 1, 2)), audience) == Shuffled(a.deck, ())


@pytest.mark.parametrize("fact", [Unsealed((0, 1)), TurnPassed(1), Ended((1, 2))])
def test_some_are_said_to_everybody(fact: AnyFact) -> None:
    assert all(seen(fact, audience) is fact for audience in (0, 1, SPECTATOR))


def test_the_last_of_several_sealed_answers_is_news() -> None:
    assert asked(Unsealed((0, 1)), 0)[1] and not asked(Unsealed((0,)), 0)[1]


def test_what_facts_do() -> None:
    s = blank(TinyOptions(), 2)
    facts: list[AnyFact] = [
        Counted(a.coins[1], 4), Counted(a.coins[1], -1), Became(a.ready, True), Became(a.grid[1], (5, 6)),
        Became(a.done, (True, False)), Rolled(a.die, 6, (6,)), Shuffled(a.deck, (1, 0)), TurnPassed(1),
        Preferred(0, "w", True), Preferred(1, "w", True),
        Preferred(0, "w", False), Revealed((1,), a.deck), Told("paid"), Uncovered(1, a.shown), Unsealed((0,)),
        Agenda(0, (Frame("x", 0),)),
    ]  # fmt: skip
    for fact in facts:
        fact.apply(s)
    assert (s.coins, s.ready, s.grid, s.done, s.die) == ([0, 3], True, [[0, 0], [5, 6]], [True, False], 6)
    assert (s.deck, s.turn, s.always_passes, s.agenda) == ([1, 0], 1, [(1, "w")], [Frame("x", 0)])
    assert s.drawn == {"die": 1, "deck": 1}
    Ended((1, 2)).apply(s)
    assert s.outcome == [1, 2] and not s.agenda


# --- events -------------------------------------------------------------------------------------------------------------
def test_an_action_is_seen_by_its_seat_alone() -> None:
    event = Event(1, Action("play", (3,)), [TurnPassed(2)])
    assert redact_event(TITLE.layout, event, 1) == event
    for audience in (0, 2, SPECTATOR):
        assert redact_event(TITLE.layout, event, audience) == Event(1, HIDDEN_ACTION, [TurnPassed(2)])


def test_an_event_that_shows_nothing_tells_not_even_whose_it_was() -> None:
    event = Event(1, Action("play", (3,)), [Agenda(0, ())])
    assert redact_event(TITLE.layout, event, 0) == Event(UNKNOWN, HIDDEN_ACTION, [])
    assert redact_event(TITLE.layout, event, 1) == Event(1, Action("play", (3,)), [])


def test_the_spectator_is_not_whose_event_the_setup_is() -> None:
    event = Event(SPECTATOR, Action("new"), [TurnPassed(0)])
    assert redact_event(TITLE.layout, event, SPECTATOR).action == HIDDEN_ACTION


# --- verbs --------------------------------------------------------------------------------------------------------------
def test_one_verb_is_one_fact() -> None:
    t = table()
    t.move(3, at.deck, at.table)
    t.move([1, 2], at.deck, at.hand[0])
    t.move_all(at.hand[0], at.hand[1])
    t.draw(2, at.deck, at.hand[0])
    t.add(at.coins[0], 2)
    t.set(at.die, 4)
    t.set(at.grid[0], [1, 2])
    t.reveal(9, at.hand[0], to=EVERYBODY)
    t.reveal([8, 9], at.hand[0], to=[1])
    t.disclose("paid", 1, 2, to=[1])
    t.pass_turn(2)
    assert t.facts == [
        Moved((3,), a.deck, a.table), Moved((1, 2), a.deck, a.hand[0]), Moved((1, 2), a.hand[0], a.hand[1]),
        Moved((9, 8), a.deck, a.hand[0]), Counted(a.coins[0], 2), Became(a.die, 4), Became(a.grid[0], (1, 2)),
        Revealed((9,), a.hand[0], EVERYBODY), Revealed((8, 9), a.hand[0], (1,)), Told("paid", (1, 2), (1,)), TurnPassed(2),
    ]  # fmt: skip


def nothing(t: T) -> None:
    t.move([], at.deck, at.table)
    t.move_all(at.table, at.deck)
    t.draw(0, at.deck, at.table)
    t.draw(-3, at.deck, at.table)
    t.draw(3, at.table, at.deck)
    t.add(at.coins[0], 0)
    t.set(at.die, 0)
    t.set(at.coins, [0, 0, 0])


def test_a_verb_that_changes_nothing_is_no_fact() -> None:
    t = table()
    nothing(t)
    assert t.facts == []


def test_a_draw_takes_what_there_is() -> None:
    s = blank(TinyOptions(), 3)
    s.deck = [4, 5]
    t = table(s)
    t.draw(6, at.deck, at.hand[0])
    assert s.hand[0] == [5, 4] and s.deck == []


@pytest.mark.parametrize(
    ("cards", "top", "uncovered"), [([6], 0, 5), ([5], UNKNOWN, None), ([5, 6], 1, 4), ([6, 5, 4], 0, None)]
)
def test_a_pile_that_shows_its_top_says_what_is_uncovered(cards: list[int], top: int, uncovered: int | None) -> None:
    s = blank(TinyOptions(), 3)
    s.discard[1] = [4, 5, 6]
    t = table(s)
    t.move(cards, at.discard[1], at.deck)
    assert t.facts[0] == Moved(tuple(cards), a.discard[1], a.deck, top)
    assert t.facts[1:] == ([] if uncovered is None else [Uncovered(uncovered, a.discard[1])])


def test_chance_draws_from_a_stream_of_the_slot_and_counts() -> None:
    s = blank(TinyOptions(), 3)
    t = table(s)
    for _ in range(2):
        t.roll(at.die, range(1, 7))
        t.shuffle(at.hand[0])
    t.shuffle(at.deck)
    rolls = [fact.value for fact in t.facts if isinstance(fact, Rolled)]
    assert rolls == [1 + CHANCE.below(6, "die", n) for n in (0, 1)] and s.die == rolls[1]
    assert tuple(s.deck) == CHANCE.shuffled(range(10), "deck", 0)
    assert s.drawn == {"die": 2, "hand.0": 2, "deck": 1}


# --- undo ---------------------------------------------------------------------------------------------------------------
def against(*facts: AnyFact) -> UndoObstacle | None:
    return undo_obstacle(LAYOUT, 3, Event(0, Action("play"), list(facts)))


@pytest.mark.parametrize(("fact", "learned"), [
    (Moved((3,), a.hand[0], a.table), False),   # the others may forget what the actor knew
    (Moved((3,), a.deck, a.hand[0]), True),
    (Moved((3,), a.deck, a.table), True),
    (Moved((3,), a.deck, a.gone), False),
    (Moved((3,), a.hand[1], a.table), True),
    (Moved((3,), a.table, a.deck), False),
    (Uncovered(3, a.shown), True),
    (Uncovered(3, a.discard[0]), False),        # its owner knew what lies beneath
    (Counted(a.coins[0], 1), False),
    (Counted(a.purse[0], 1), False),
    (Revealed((3,), a.hand[0], EVERYBODY), False),
    (Revealed((3,), a.hand[1], (0,)), True),
    (Told("paid", (), EVERYBODY), False),
    (Told("paid", (), (1,)), False),
    (Admitted("holds", (1, 3), 0, EVERYBODY), True),
    (Admitted("holds", (0, 3), 0, (0,)), True),
    (Unsealed((0, 1)), True),
    (Unsealed((0,)), False),
    (Said("paid", (1, 3)), False),
    (Agenda(0, ()), False),
    (Became(a.fate, 1), False),
], ids=str)  # fmt: skip
def test_what_was_learned_cannot_be_taken_back(fact: AnyFact, learned: bool) -> None:
    assert against(fact) == ("learned" if learned else None)


def test_nor_a_draw_of_chance_nor_a_turn_that_was_passed() -> None:
    assert against(Shuffled(a.deck, (1,))) == against(Rolled(a.fate, 1, (1, 2))) == "chance"
    assert against(Revealed((3,), a.hand[1], (0,)), Rolled(a.die, 1, (1, 2))) == "chance"
    assert against(Rolled(a.die, 1, (1, 2)), TurnPassed(1)) == "turn-passed"


def test_what_is_a_draw_and_whether_the_seed_gives_it() -> None:
    s = blank(TinyOptions(), 3)
    true, false = CHANCE.shuffled(s.deck, "deck", 0), tuple(s.deck)
    for fact, draw, drawn in (
        (Shuffled(a.deck, true), True, True), (Shuffled(a.deck, false), True, False),
        (Rolled(a.die, 1, (1, 2)), True, CHANCE.below(2, "die", 0) == 0),
        (Rolled(a.die, 2, (1, 2)), True, CHANCE.below(2, "die", 0) == 1), (TurnPassed(1), False, True),
    ):  # fmt: skip
        assert (is_draw(fact), matches_seed(s, fact, CHANCE)) == (draw, drawn)


def test_the_states_are_typed() -> None:
    assert type(table().s) is Tiny
