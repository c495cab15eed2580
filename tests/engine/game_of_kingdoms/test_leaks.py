"""The non-interference proof finds leaks that a test builds into the rules."""
from __future__ import annotations

from typing import Any

import pytest

from ludarium_engine.kernel import Frame, Offer
from ludarium_engine.kernel.choices import SEAT
from ludarium_engine.kernel.facts import Agenda, Event, Fact, Moved, Shuffled
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.fuzz import Case
from ludarium_engine.testkit.noninterference import DIFFERS, trials_of
from ludarium_engine.titles.game_of_kingdoms import TITLE, memory, rules
from ludarium_engine.titles.game_of_kingdoms.sentences import SENTENCES
from ludarium_engine.titles.game_of_kingdoms.state import Kingdoms

RUTHLESS = Case(TITLE, {"version": "ruthless"}, 4)
could_match, leads = memory.could_match, rules.lead_offers


def found() -> bool:
    return any(result == DIFFERS for seed in range(5) for result in trials_of(Observer(TITLE), RUTHLESS, seed))


def whole(self: Fact, layout: Layout, audience: int) -> Any:
    return self


def asks_only_who_can(s: Kingdoms, seat: int) -> bool:
    return could_match(s, seat) and bool(rules.matching(s, seat))


def fears_the_defenders_trumps(s: Kingdoms, f: Frame, seat: int) -> list[Offer]:
    trumps = sum(card % 4 == s.trump for card in s.hand[s.defender])
    return leads(s, f, seat)[: max(1, 6 - trumps)]


def everything_sealed(self: Layout, f: Frame, audience: int) -> Frame:
    return f


def with_its_action(layout: Layout, event: Event, audience: int) -> Event:
    facts = [fact.redacted(layout, audience) for fact in event.facts]
    return Event(event.seat, event.action, [fact for fact in facts if fact is not None])


def test_without_a_leak_nothing_is_found() -> None:
    assert not found()


def test_asking_only_who_can_throw_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "could_match", asks_only_who_can)
    assert found()


def test_offers_that_look_into_another_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Ask("lead", fears_the_defenders_trumps, rules.lead), *rules.round_.rows[1:]
    monkeypatch.setattr(rules.round_, "rows", rows)
    assert found()


@pytest.mark.parametrize("kind", [Moved, Shuffled, Agenda])
def test_a_fact_that_is_not_redacted(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "redacted", whole)
    assert found()


def test_sealed_answers_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Layout, "frame", everything_sealed)
    assert found()


def test_actions_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludarium_engine.testkit.audiences.redact_event", with_its_action)
    assert found()


def test_hands_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    masked = {name: n for name, n in TITLE.layout.masked_fields.items() if name != "hand"}
    monkeypatch.setattr(TITLE.layout, "masked_fields", masked)
    assert found()


def test_an_answer_that_a_hidden_hand_forces_must_not_be_given_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forced `take` without a question would reveal that no card can beat."""
    row = Ask("defend", rules.defend_offers, rules.DEFENCES, rules.defend_seats, repeat=True, answer_if_forced=True)
    monkeypatch.setattr(rules.bout, "rows", (row, *rules.bout.rows[1:]))
    monkeypatch.setitem(SENTENCES, "forced", (SEAT,))
    assert found()
