"""Each invariant of random games is broken on purpose, and the fuzzer finds that."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from ludarium_engine.kernel import Action, Event, Frame, Illegal, Offer
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.facts import Became, Counted
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.kernel.slots import State
from ludarium_engine.testkit.fuzz import Case, Failure, cases, play
from tests.engine.kernel.tiny import T, Tiny, TinyOptions, at
from tests.engine.proof import peek as game
from tests.engine.proof.peek import peek

a: Any = at


def instead_of_the_next_turn(rule: Callable[[T, Frame], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], rule))


def fails(match: str, case: Case | None = None) -> Failure:
    with pytest.raises(Failure, match=match) as caught:
        play(case or Case(peek(), {}, 3), 1)
    return caught.value


def loses_a_card(t: T, f: Frame) -> None:
    t.s.hand[f.seat].clear()
    t.s.deck[:] = []
    game.next_turn(t, f)


def empties_the_deck(t: T, f: Frame) -> None:
    """Empty the deck by a fact that bypasses the kernel's own check."""
    lost = Became(int(a.deck), ())
    lost.apply(t.s)
    t.facts.append(lost)
    game.next_turn(t, f)


def beside_the_log(t: T, f: Frame) -> None:
    t.s.turn += 1
    game.next_turn(t, f)


def into_debt(t: T, f: Frame) -> None:
    t.add(at.coins[f.seat], -1)
    game.next_turn(t, f)


def asks_nobody(t: T, f: Frame) -> None:
    """Ask no seat anything, although the game is not over."""


def never_ends(t: T, f: Frame) -> None:
    t.add(at.die, -1)
    game.next_turn(t, f)


def ends_without_a_winner(t: T, f: Frame) -> None:
    t.end([2, 2, 2])


@pytest.mark.parametrize(("rule", "match"), [
    (loses_a_card, "other than by a verb"), (beside_the_log, "other than by a verb"), (into_debt, "coins fell below 0"),
    (asks_nobody, "nobody is asked"), (never_ends, "does not end"), (ends_without_a_winner, "outcome"),
])  # fmt: skip
def test_what_must_hold(rule: Callable[[T, Frame], None], match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_the_next_turn(rule, monkeypatch)
    fails(match)


def test_a_card_that_a_fact_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_the_next_turn(empties_the_deck, monkeypatch)
    fails("cards were lost")


def test_somebody_asked_and_offered_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (Ask("play", lambda s, f, seat: [], game.play), game.next_turn))
    fails("offered nothing")


def test_two_offers_of_one_id(monkeypatch: pytest.MonkeyPatch) -> None:
    twice: Sequence[Offer] = [Offer("pass"), Offer("pass")]
    monkeypatch.setattr(game.turn, "rows", (Ask("play", lambda s, f, seat: [*twice], game.play), game.next_turn))
    fails("one id")


def test_an_error_in_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_the_next_turn(lambda t, f: t.move(99, at.deck, at.table), monkeypatch)
    fails("RulesError: tiny: turn, <lambda>, seat 0: ")


def test_what_the_api_cannot_send() -> None:
    fails("KeyError", Case(peek(verbs={}), {}, 3))


def test_a_titles_own_invariants() -> None:
    def small_hands(s: Tiny) -> None:
        assert all(len(hand) < 3 for hand in s.hand), "a hand grew"

    fails("a hand grew", Case(peek(invariants=small_hands), {"hand": 3}, 2))


def test_an_invariant_without_words_is_told_as_it_is_written_and_where_the_game_stood() -> None:
    def small_hands(s: Tiny) -> None:
        if max(map(len, s.hand)) > 2:
            raise AssertionError

    failure = fails("it does not hold: raise AssertionError", Case(peek(invariants=small_hands), {"hand": 3}, 2))
    assert "RulesError: tiny: turn, ask " in str(failure) and ", seat " in str(failure)


def test_a_title_may_let_a_number_fall_below_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_the_next_turn(into_debt, monkeypatch)
    assert play(Case(peek(lowest={"coins": -game.TURNS}), {}, 3), 1).outcome


def test_a_failure_tells_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_the_next_turn(into_debt, monkeypatch)
    case = Case(peek(), {"hand": 1}, 2)
    first, second = fails("seed 1", case), fails("seed 1", case)
    assert first.report() == second.report()
    report = msgspec.json.decode(msgspec.json.encode(first.report()))
    assert (report["ruleset"], report["options"], report["seats"], report["seed"]) == ("tiny", {"hand": 1}, 2, 1)
    events = msgspec.convert(report["events"], list[Event])
    assert Counted(a.coins[0], -1) in events[-1].facts


def test_a_failure_shows_the_position_by_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"en": {f"card.{card}": f"Card {card}" for card in range(10)}}
    instead_of_the_next_turn(into_debt, monkeypatch)
    told = fails("coins fell", Case(peek(texts=texts), {}, 2)).explain()
    assert "after seat 0: " in told and "coins: [-1, 0]" in told and "Card " in told and "seat 1 may: draw; peek" in told
    assert told.endswith("again: ludarium-engine fuzz tiny --games 1 --seats 2 --seed 1")


def test_a_game_that_cannot_be_read_again_is_kept_all_the_same() -> None:
    stored = encode(Event(0, Action("go"), [Became(int(a.done), (1.5,))]))      # type: ignore[arg-type]
    failure = Failure("it broke", Case(peek(), {}, 2), 7, [stored])
    assert failure.report()["events"] == [stored.hex()]
    assert "the position cannot be told: ValidationError" in failure.explain() and "--seed 7" in failure.explain()


def test_cases_are_the_variants_at_the_seats_that_fit() -> None:
    def only_pairs_hold_three(options: TinyOptions, seats: int) -> None:
        if options.hand == 3 and seats > 2:
            raise Illegal("too many cards")

    title = peek(check_options=only_pairs_hold_three, variants=({}, {"hand": 3}))
    assert [(case.raw, case.seats) for case in cases(title)] == [({}, 2), ({}, 3), ({}, 4), ({"hand": 3}, 2)]
    assert [case.seats for case in cases(title, range(3, 5))] == [3, 4]


def test_a_game_is_the_same_from_the_same_seed() -> None:
    case = Case(peek(), {}, 3)
    assert play(case, 5) == play(case, 5) and play(case, 5) != play(case, 6)
    assert issubclass(case.title.state, State)
