"""Texts are those of the formatter of the game log, for every message in every language."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import msgspec
import pytest

from ludarium.platform.locale import LOCALES
from ludarium.tables.event_views import event_body
from ludarium.tables.story import words_of
from ludarium.tables.text_fields import TextFields
from ludarium.tables.views import table_view
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.bodies import Piece
from ludarium_engine.registry import titles
from ludarium_engine.story.formatting import Argument, formatted
from ludarium_engine.story.words import MINUS, Words
from ludarium_engine.testkit.icu import message_arguments
from tests.api.test_texts import messages, stripped
from tests.engine.story.test_formatting import NAMES, NUMBERS
from tests.support.pure_games import Game

Json = dict[str, Any]
SEATED = 3
SEATS = range(len(NAMES))
SAMPLES = (*NUMBERS, -3)
every_title = pytest.mark.parametrize("ruleset", sorted(titles()))


def sampled(text: str) -> Iterator[list[tuple[Json, Argument]]]:
    """Yield parameters for a message, and the arguments that they stand for: numbers, and names full of syntax."""
    count = 1 + max((int(name.lstrip("n")) for name, _ in message_arguments(text)), default=-1)
    for number in SAMPLES if count else SAMPLES[:1]:
        numbers = {"kind": "number", "value": number}, Argument(str(number).replace("-", MINUS), number)
        seats = [({"kind": "seat", "value": seat}, Argument(NAMES[seat])) for seat in SEATS]
        yield [*islice(cycle([numbers, *seats]), count)]
        yield [*islice(cycle([*seats, numbers]), count)]


@every_title
@pytest.mark.parametrize("locale", LOCALES)
def test_every_message_is_formatted_as_in_the_game_log(ruleset: str, locale: str) -> None:
    title = titles()[ruleset]
    fields, checked = TextFields(Words(title, locale, NAMES)), 0
    for message, text in title.texts[locale].items():
        if any(not name.lstrip("n").isdecimal() for name, _ in message_arguments(text)):
            continue                            # of lists and guides, which are no messages of the rules
        for pairs in sampled(text):
            body = {"id": message, "params": [piece for piece, _ in pairs]}
            fields.event({"data": {"story": [{"message": body}]}})
            assert body["text"] == formatted(locale, text, [argument for _, argument in pairs]), (message, pairs)
            checked += 1
    assert checked > len(title.texts[locale])


@every_title
@pytest.mark.parametrize("locale", LOCALES)
def test_a_whole_game_has_a_text_wherever_there_is_a_message(ruleset: str, locale: str) -> None:
    title = titles()[ruleset]
    game = Game(f"texts of {ruleset}", ruleset, SEATED)
    game.start()
    found = 0
    for _ in range(40):
        if game.history.status != "playing":
            break
        game.answer()
        fields = TextFields(words_of(game.history, locale, {}))
        for audience in (SPECTATOR, *range(SEATED)):
            event = msgspec.json.decode(msgspec.json.encode(event_body(game.rows[-1], audience, game.history)))
            event["data"]["view"] = msgspec.json.decode(msgspec.json.encode(table_view(game.history, audience)))
            plain = msgspec.json.encode(event)
            fields.event(event)
            assert msgspec.json.encode(stripped(event)) == plain
            found += check_texts(event, Words(title, locale, fields.words.names, fields.words.spaces))
    assert found > 40


def check_texts(event: Json, words: Words) -> int:
    """Check all texts of an event, and return the number of messages."""
    told = [*messages(event)]
    for message in told:
        given = [words.argument(Piece(**piece)) for piece in message["params"]]
        assert message["text"] == formatted(words.locale, words.texts[message["id"]], given)
    choice = event["data"]["view"]["choice"]
    if choice:
        offers = {offer["id"]: offer for offer in choice["offers"]}
        assert all(group["text"] for group in choice["groups"])
        assert all(piece["text"] for offer in offers.values() for piece in offer["touches"])
        for subset in (offer["subset"] for offer in offers.values() if offer["subset"]):
            assert len(subset["texts"]) == len(subset["pool"]) and all(subset["texts"])
    return len(told)
