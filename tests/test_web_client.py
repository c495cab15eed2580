"""The web client's sources name no title, and its texts are complete."""

import json
import re
from pathlib import Path

import pytest

from ludarium_engine.registry import titles
from ludarium_engine.testkit.icu import message_arguments

CLIENT = Path(__file__).parents[1] / "clients/web"
SOURCES = [*CLIENT.glob("src/**/*.ts"), *CLIENT.glob("src/**/*.tsx"), *CLIENT.glob("src/**/*.css"), CLIENT / "index.html"]
MADE = ("schema.ts", "live-schema.ts", "keyless-schema.ts")
WORDS = {path.stem: json.loads(path.read_bytes()) for path in CLIENT.glob("src/i18n/*.json")}


COMPOSED = (
    "theme.", "bot.", "connection.", "winner", "fault.", "answer.", "asks.", "deed.", "ended.", "policy.", "settled.",
    "house.", "reason.", "kind.", "pan-", "cards.one", "rows.one", "shuffles.one", "dice.one",
    "access.", "log.agreed", "log.refused", "log.resigned", "log.timed_out", "counted.",
)  # fmt: skip
"""Prefixes of text ids that the client composes."""


def test_it_knows_no_title() -> None:
    code = {path: path.read_text().lower() for path in SOURCES if path.name not in MADE}
    assert len(code) > 20
    named = [(path.name, title) for title in titles() for path, text in code.items() if title in text]
    assert not named


def test_it_asks_for_no_zone_verb_or_script_of_a_title() -> None:
    """Only names of several words are checked, since `hand`, say, is also a shape."""
    names = {name for title in titles().values() for name in own_names(title) if "_" in name}
    code = "".join(path.read_text() for path in SOURCES if path.name not in MADE)
    assert not {name for name in names if re.search(rf"\b{name}\b", code)}


def own_names(title: object) -> set[str]:
    layout, verbs, scripts = (getattr(title, name) for name in ("layout", "verbs", "scripts"))
    return {field.name for field in layout.fields} | set(verbs) | set(scripts)


@pytest.mark.parametrize("locale", sorted(WORDS))
def test_its_words_are_complete_in_every_language(locale: str) -> None:
    english, words = WORDS["en"], WORDS[locale]
    assert words.keys() == english.keys()
    assert all(words.values())
    assert {word for word, text in words.items() if parameters(text) != parameters(english[word])} == set()


def parameters(text: str) -> set[str]:
    return {name.removeprefix("n") for name, _ in message_arguments(text)}


def test_it_uses_every_word_that_it_has() -> None:
    code = "".join(path.read_text() for path in SOURCES if path.suffix in (".ts", ".tsx"))
    assert not {word for word in WORDS["en"] if f'"{word}"' not in code and not word.startswith(COMPOSED)}
