"""The non-interference proof, applied to a small game with secrets of every kind.

The proof plays pairs of worlds, which are games that differ only in hidden cards, and compares what audiences
receive.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ludarium_engine.kernel import Event, Frame, Offer, Title, contract, describe, each
from ludarium_engine.kernel.bodies import Focus, Piece
from ludarium_engine.kernel.choices import CARD, Verb
from ludarium_engine.kernel.describe import OfferGroup
from ludarium_engine.kernel.facts import Moved, Told, Uncovered
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import Ask, Script
from ludarium_engine.kernel.undo import UndoObstacle
from ludarium_engine.testkit import audiences as eyes
from ludarium_engine.testkit import noninterference as worlds
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.flips import flips
from ludarium_engine.testkit.fuzz import Case, play
from ludarium_engine.testkit.memory import Memory
from ludarium_engine.testkit.noninterference import (
    DIFFERS,
    IMPOSSIBLE,
    NOTHING_HIDDEN,
    SAME,
    changed,
    keeps_promises,
    permutation,
    trials,
    trials_of,
)
from ludarium_engine.testkit.steps import Step, steps_of
from ludarium_engine.testkit.witness import apart, leak
from tests.engine.kernel.tiny import T, Tiny, TinyOptions, at, blank, tiny
from tests.engine.proof import peek as game
from tests.engine.proof.peek import keep_or_leave, peek

SEEDS = range(20)


def found(case: Case) -> Counter[str]:
    return trials(Observer(case.title), case, SEEDS)


def is_found(title: Title[Tiny, TinyOptions]) -> bool:
    """Return whether any trial finds a leak, stopping after the first one."""
    case = Case(title, {}, 3)
    return any(result == DIFFERS for seed in SEEDS for result in trials_of(Observer(title), case, seed))


def test_nobody_can_tell_two_worlds_apart() -> None:
    for seats in (2, 3, 4):
        results = found(Case(peek(), {}, seats))
        assert not results[DIFFERS] and results[SAME] > 100 and changed(results) >= 0.9


def test_its_random_games_hold() -> None:
    for seed in SEEDS:
        assert play(Case(peek(), {}, 3), seed).outcome


def test_each_secret_of_it_is_noticed_when_it_is_opened() -> None:
    title = peek()
    noticed = {flip.name: flip.noticed for flip in flips(title, [Case(title, {}, 3)], SEEDS)}
    assert {name for name, found in noticed.items() if found} == {
        "zone hand", "zone deck", "zone discard", "zone shown", "cards of moves", "order of shuffles", "agendas",
        "revealed to some", "told to some", "actions", "picks",
    }  # fmt: skip
    assert False not in noticed.values()


# --- planted leaks ------------------------------------------------------------------------------------------------------
def test_a_sentence_that_tells_too_many_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Told, "redacted", lambda self, layout, audience: self)
    assert is_found(peek())


def names_the_next_card(t: T, f: Frame) -> None:
    """Name the next card, which the kernel refuses in games but not in the proof."""
    if t.s.deck:
        t.say("names", f.seat, t.s.deck[-1])
    game.next_turn(t, f)


def test_a_sentence_that_names_a_card_which_no_fact_shows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], names_the_next_card))
    assert is_found(peek())


def only_high_cards(s: Tiny, f: Frame, seat: int) -> list[Offer]:
    """Offer to pass only if the deck has a high card on top."""
    return [Offer("take"), *([Offer("pass")] if s.deck and s.deck[-1] > 4 else [])]


def test_an_offer_that_looks_into_the_deck_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Ask("play", lambda s, f, seat: only_high_cards(s, f, seat) + game.plays(s, f, seat), game.play), *game.turn.rows[1:]
    monkeypatch.setattr(game.turn, "rows", rows)
    assert is_found(peek())


def counts_a_secret(t: T, f: Frame) -> None:
    """Set a public number that follows from hidden cards."""
    t.set(at.coins, [sum(hand) for hand in t.s.hand])
    game.next_turn(t, f)


# A focus is made of the view, so only a second way to the secret can leak it.
def test_a_focus_that_points_to_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[Tiny] = []

    def view(title: Title[Tiny, Any], s: Tiny, audience: int, layout: Layout | None = None) -> Tiny:
        whole.append(s)
        return contract.view(title, s, audience, layout)

    monkeypatch.setattr(describe, "view", view)
    title = replace(peek(), focus=lambda s: Focus([Piece("card", max(whole[-1].deck, default=0))]))
    assert is_found(title)


def test_groups_that_look_into_the_deck_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    one = OfferGroup("pass", None, [])
    monkeypatch.setattr(eyes, "grouped", lambda title, s, offers: [one] * (s.deck[-1] if s.deck else 0))
    assert is_found(peek())


def test_a_cause_that_follows_from_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason why an undo is impossible is compared too."""
    def cause(layout: Layout, seats: int, event: Event) -> UndoObstacle:
        high = any(card > 4 for fact in event.facts if isinstance(fact, Moved) for card in fact.cards)
        return "learned" if high else "chance"

    monkeypatch.setattr(eyes, "undo_obstacle", cause)
    assert is_found(peek())


def test_a_secret_made_a_public_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], counts_a_secret))
    assert is_found(peek())


def buries_covered(t: T, f: Frame) -> None:
    t.draw(1, at.deck, at.gone)
    game.next_turn(t, f)


def test_a_covered_zone_must_not_hide_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], buries_covered))
    with pytest.raises(AssertionError, match="covered zone"):
        found(Case(peek(), {}, 3))


def test_a_witness_says_what_gave_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], counts_a_secret))
    told = leak(Case(peek(), {}, 3), SEEDS)
    assert told is not None and "view.coins[" in told and "in the other" in told
    rows = Ask("play", lambda s, f, seat: only_high_cards(s, f, seat) + game.plays(s, f, seat), game.play), game.next_turn
    monkeypatch.setattr(game.turn, "rows", rows)
    assert ": choice[0] is [" in str(leak(Case(peek(), {}, 3), SEEDS))


def test_a_witness_of_nothing_says_nothing() -> None:
    assert leak(Case(peek(), {}, 3), SEEDS[:2]) is None
    assert apart({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "view") == "view.a[1].b is 2 in one world, 3 in the other"


# --- parts --------------------------------------------------------------------------------------------------------------
def after(steps: Sequence[Step], verb: str) -> Step:
    return next(step for step in steps if step.event.action.verb == verb)


def test_what_was_seen_is_known_until_it_cannot_be_followed() -> None:
    case = Case(peek(), {}, 3)
    steps = [step for seed in range(30) for step in steps_of(case, seed, 60)]
    seat, card = (peeking := after(steps, "peek")).event.seat, peeking.after.agenda[-1].picks[0]
    for audience, knows in ((seat, True), ((seat + 1) % 3, False)):
        mind = Memory(case.title, audience, peeking.before)
        mind.known = set()
        mind.apply(peeking.before, peeking.event)
        assert (card in mind.known) is knows
    buried = after(steps, "bury")
    mind = Memory(case.title, buried.event.seat, buried.before)
    mind.apply(buried.before, buried.event)
    assert buried.event.action.args[0] not in mind.known


def test_what_is_uncovered_is_known_to_all() -> None:
    case = Case(peek(), {}, 3)
    steps = [step for seed in range(30) for step in steps_of(case, seed, 60)]
    step = next(step for step in steps if any(isinstance(fact, Uncovered) for fact in step.event.facts))
    assert isinstance(step.after, Tiny)
    for audience in (0, 1, 2, -1):
        mind = Memory(case.title, audience, step.before)
        mind.known = set()
        mind.apply(step.before, step.event)
        assert step.after.shown[-1] in mind.known


def test_a_long_game_is_looked_at_up_to_a_point() -> None:
    first, *others = steps_of(Case(peek(), {}, 3), 1, 3)
    assert first.event.action.verb == "new" and len(others) == 3


def test_cards_change_places_only_with_cards_of_their_back() -> None:
    title = peek(card_back=lambda card: card % 2)
    for attempt in (0, 1):
        swap = permutation(title, {1, 2, 3, 4, 6}, Random(1), attempt)
        assert swap and all(a % 2 == b % 2 and a != b for a, b in swap.items()) and set(swap) == set(swap.values())
    assert permutation(title, {1, 2}, Random(1)) == {}


def test_a_promise_that_the_other_world_cannot_keep_makes_it_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking is offered only for high cards, so all worlds must have one there."""
    high = Ask("keep", lambda s, f, seat: keep_or_leave(s, f, seat)[game.looked_at(f) < 5 :], game.keep)
    monkeypatch.setattr(game.peeked, "rows", (high,))
    retried = found(Case(peek(), {}, 3))
    monkeypatch.setattr(worlds, "ATTEMPTS", 1)
    once = found(Case(peek(), {}, 3))
    assert once[IMPOSSIBLE] > retried[IMPOSSIBLE] and not once[DIFFERS] + retried[DIFFERS]


def test_a_question_that_waits_beneath_must_have_an_answer_in_both_worlds() -> None:
    lay = Verb("lay", CARD)
    waiting = Script("waiting", Ask("play", lambda s, f, seat: each(lay, [c for c in s.hand[seat] if c < 5]), game.play))
    title = tiny(waiting, game.peeked)
    low, other, high = (blank(TinyOptions(), 2) for _ in range(3))
    for s, hand in ((low, [3, 4]), (other, [1, 9]), (high, [8, 9])):
        s.hand[0], s.agenda = hand, [Frame("waiting", 0), Frame("peeked", 0, 0, (0,), (7,))]
    assert keeps_promises(title, low, other) and not keeps_promises(title, low, high)


def test_a_game_without_secrets_proves_nothing() -> None:
    assert changed(Counter({NOTHING_HIDDEN: 10})) == 0
