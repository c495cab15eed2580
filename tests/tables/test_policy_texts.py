"""Every value of every policy has a text in each language."""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from ludarium.clocks.settings import LiveClock, TurnBasedClock
from ludarium.platform.locale import LOCALES, policy_texts
from ludarium.tables.model.policies import Entrance, Order, Remedy, Takeback, Talk, Watchers
from ludarium.tables.schemas import AbsenceBody, PoliciesBody, SpectatorsBody
from ludarium.tables.text_fields import TextFields
from ludarium_engine.registry import titles
from ludarium_engine.story.words import Words

CLOCK = LiveClock(bank=300, increment=3)


def variants() -> Iterator[PoliciesBody]:
    """Yield policies in which each value of each setting occurs."""
    yield from (PoliciesBody(join=each) for each in get_args(Entrance))
    yield from (PoliciesBody(spectators=SpectatorsBody(who=each)) for each in get_args(Watchers))
    yield from (PoliciesBody(undo=each) for each in get_args(Takeback))
    yield from (PoliciesBody(chat=each) for each in get_args(Talk))
    yield from (PoliciesBody(clock=CLOCK, absence=AbsenceBody(remedy=each)) for each in get_args(Remedy))
    yield from (PoliciesBody(clock=each) for each in (None, LiveClock(bank=90), TurnBasedClock(days=1), TurnBasedClock(days=3)))
    yield from (PoliciesBody(order=each) for each in get_args(Order))
    for on in (False, True):
        yield PoliciesBody(rated=on, auto_start=on, substitutes=on, branches=on)


def told(locale: str, policies: PoliciesBody) -> dict[str, str]:
    body: dict[str, Any] = {"policies": msgspec.json.decode(msgspec.json.encode(policies))}
    TextFields(Words(titles()["kemet"], locale)).policies(body)
    found: dict[str, str] = body["policy_texts"]
    return found


@pytest.mark.parametrize("locale", LOCALES)
def test_each_value_has_a_text_and_each_text_is_used(locale: str) -> None:
    found = [told(locale, policies) for policies in variants()]
    sentences = {text for texts in found for text in texts.values()}
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)
    constant = {text for text in policy_texts(locale).values() if "{" not in text}
    assert constant <= sentences
    assert policy_texts(locale).keys() == policy_texts("en").keys()


@pytest.mark.parametrize(("locale", "text"), [
    ("en", "Each player has 1:30 minutes."), ("es", "Cada jugador tiene 1:30 minutos."),
    ("hu", "Minden játékosnak 1:30 perce van."),
])  # fmt: skip
def test_a_clock_without_an_increment(locale: str, text: str) -> None:
    assert told(locale, PoliciesBody(clock=LiveClock(bank=90)))["clock"] == text
