"""Only an admission's audience learns more, and the proof finds cheating rules."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

import pytest

from ludarium_engine.kernel import Frame, undo_obstacle
from ludarium_engine.kernel.facts import EVERYBODY, WHOLE_FACT, Admitted
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import Ask, Script
from ludarium_engine.testkit import noninterference as worlds
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.disclosures import disclosures
from ludarium_engine.testkit.flips import flips
from ludarium_engine.testkit.fuzz import Case, play
from ludarium_engine.testkit.noninterference import DIFFERS, SAME, changed, trials, trials_of
from ludarium_engine.testkit.steps import steps_of
from tests.engine.kernel import tiny
from tests.engine.kernel.tiny import T, at
from tests.engine.proof import guess as game
from tests.engine.proof.guess import HOLDS, guessing
from tests.engine.proof.peek import peek

SEEDS = range(10)


def found(seats: int = 3) -> Counter[str]:
    case = Case(guessing(), {}, seats)
    return trials(Observer(case.title), case, SEEDS)


def is_found() -> bool:
    """Return whether any trial finds a leak, stopping after the first one."""
    case = Case(guessing(), {}, 3)
    return any(result == DIFFERS for seed in SEEDS for result in trials_of(Observer(case.title), case, seed))


def lines() -> list[str]:
    return disclosures([Case(guessing(), {}, 3)], SEEDS)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_admitted_lets_nobody_tell_worlds_apart_that_agree_on_it(seats: int) -> None:
    results = found(seats)
    assert not results[DIFFERS] and results[SAME] > 100 and changed(results) >= 0.9
    assert play(Case(guessing(), {}, seats), 1).outcome


def test_its_secrets_are_noticed_when_they_are_opened() -> None:
    title = guessing()
    noticed = {flip.name: flip.noticed for flip in flips(title, [Case(title, {}, 3)], SEEDS)}
    assert noticed["admitted to some"] and noticed["zone hand"] and False not in noticed.values()


def test_who_hears_it_is_a_line_of_the_disclosures() -> None:
    assert {line for line in lines() if "admit" in line} == {
        "turn: ask take_turn: admit holds(seat, rank.) -> everybody",
        "turn: ask take_turn: admit measured(seat, seat) -> a seat that it names and the seat that acts",
    }  # fmt: skip


# --- rules that use an admission later ----------------------------------------------------------------------------------
def says_and_notes(t: T, seat: int, rank: int) -> None:
    t.admit(HOLDS, seat, rank, to=EVERYBODY)
    if not game.holds(t.s, seat, rank):
        t.set(at.grid[0], [rank + 1, 0])


def makes_it_a_number(t: T, f: Frame) -> None:
    """Set a public number from an answer that was public before the last question."""
    rank = t.s.grid[0][0] - 1
    if rank >= 0:
        t.set(at.ready, game.holds(t.s, game.next_to(t.s, f.seat), rank))
        t.set(at.grid[0], [0, 0])
    game.next_turn(t, f)


def test_worlds_are_dealt_under_all_that_was_admitted_before(monkeypatch: pytest.MonkeyPatch) -> None:
    between = Ask("between", tiny.offering("pass"), lambda t, f, seat, action: None)
    monkeypatch.setattr(game, "say", says_and_notes)
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], between, makes_it_a_number))
    results = found()
    assert not results[DIFFERS] and changed(results) >= 0.9
    monkeypatch.setattr(worlds, "as_admitted", lambda title, heard, swap, numbers: True)
    assert is_found()


# --- planted faults -----------------------------------------------------------------------------------------------------
def test_an_answer_to_the_wrong_seat_is_a_changed_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "measurers", lambda seat, other: (seat, (other + 1) % 3))
    line = "turn: ask take_turn: admit measured(seat, seat) -> the seat that acts and one other seat"
    assert line in lines()


def test_an_answer_that_reaches_the_wrong_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Admitted, "redacted", lambda self, layout, audience: self)
    assert is_found()


def computes(t: T, seat: int, rank: int) -> None:
    t.disclose("ranked", seat, int(game.holds(t.s, seat, rank)), to=EVERYBODY)


def admits_to_one_and_acts_for_all(t: T, seat: int, rank: int) -> None:
    t.admit(HOLDS, seat, rank, to=(t.s.turn,))
    if game.holds(t.s, seat, rank):
        t.add(at.coins[t.s.turn], 1)


def admits_only_sometimes(t: T, seat: int, rank: int) -> None:
    """Admit an answer only if the deck has a certain card on top."""
    if t.s.deck[-1] > 4:
        t.admit(HOLDS, seat, rank, to=EVERYBODY)


@pytest.mark.parametrize("rule", [computes, admits_to_one_and_acts_for_all, admits_only_sometimes])
def test_a_rule_that_gives_the_answer_away_is_found(
    rule: Callable[[T, int, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "say", rule)
    monkeypatch.setattr(game, "punish", lambda t, seat, rank: None)
    assert is_found()


def test_no_admission_can_be_taken_back_freely(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(guessing(), {}, 3)
    admitting = [step.event for seed in SEEDS for step in steps_of(case, seed, 60)
                 if any(isinstance(fact, Admitted) for fact in step.event.facts)]
    assert admitting and all(undo_obstacle(case.title.layout, 3, event) for event in admitting)
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], stays))
    monkeypatch.setattr(Admitted, "known_before", knew_it_all_along)
    with pytest.raises(AssertionError, match="admits, and may be taken back"):
        found()


def stays(t: T, f: Frame) -> None:
    """Let the same seat continue, so that the change of turn does not forbid an undo."""
    if t.s.die == game.TURNS:
        t.end([1] * t.s.seats)
    else:
        t.ask(game.turn, f.seat)


def knew_it_all_along(fact: Admitted, layout: Layout, audience: int) -> Collection[int]:
    return WHOLE_FACT


def tells_the_top_card(t: T, f: Frame) -> None:
    t.disclose("paid", f.seat, t.s.deck[-1], to=(f.seat,))
    t.end([1] * t.s.seats)


def test_a_sentence_that_names_a_hidden_card_cannot_be_taken_back_freely(monkeypatch: pytest.MonkeyPatch) -> None:
    title = peek(setup=asks_once, scripts={"once": once})
    (_, step) = steps_of(Case(title, {}, 3), 1, 60)
    assert undo_obstacle(title.layout, 3, step.event)
    monkeypatch.setattr(Layout, "unseen_at", lambda layout, s, card, to: ())
    with pytest.raises(AssertionError, match="which may be taken back"):
        list(steps_of(Case(title, {}, 3), 1, 60))


once = Script("once", Ask("once", tiny.offering("pass"), lambda t, f, seat, action: None), tells_the_top_card, tiny.finish)


def asks_once(t: T) -> None:
    tiny.deal(t)
    t.ask(once, 0)
