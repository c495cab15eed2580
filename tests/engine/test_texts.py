"""Every locale has its own words for all texts that a client may show.

There are no texts that are never shown.
"""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ludarium_engine.kernel import Title
from ludarium_engine.kernel.folder import read_json_files, translations
from ludarium_engine.kernel.title import Ruling
from ludarium_engine.registry import titles
from ludarium_engine.testkit.icu import message_arguments
from ludarium_engine.testkit.messages import families, malformed, messages, missing_texts, wrong_sentences

AnyTitle = Title[Any, Any]
LOCALES = {"en", "es", "hu"}
PAGES = Path(__file__).parents[2] / "docs" / "rules"
OTHERS = ("score.", "made.", "option.sets.", "story.", "arg.", "short.", "result.", "why.")
"""Parts of scores; what other texts are made of; options that a title checks itself; what stories of all titles say; words for
arguments of verbs, where clients have none of their own; words for where there is little room; how a game with a loser ends."""

every_title = pytest.mark.parametrize("title", titles().values(), ids=titles())


def parameters(text: str) -> set[str]:
    """Return the parameters of a text, whether they are inserted or choose a wording."""
    return {re.sub(r"^n(?=\d)", "", name) for name, _ in message_arguments(text)} - {"sound"}


@every_title
def test_every_locale_has_the_same_messages(title: AnyTitle) -> None:
    assert title.texts.keys() == LOCALES == title.name.keys()
    for locale in LOCALES:
        assert not sorted(said(title, locale) ^ said(title, "en")), locale


@every_title
def test_sentences_have_the_parameters_that_the_rules_give(title: AnyTitle) -> None:
    assert not wrong_sentences(title)


@every_title
def test_every_text_is_a_message(title: AnyTitle) -> None:
    assert not malformed(title)


@pytest.mark.parametrize("text", ["{0", "{n1, plural, =1 {card}}", "{1, number}", "{}", "{a b}", "{0?card|cards}"])
def test_a_malformed_text_is_found(text: str) -> None:
    title = titles()["game-of-kingdoms"]
    texts = {**title.texts, "hu": {**title.texts["hu"], "said.leads": text}}
    assert [fault.split(":")[1] for fault in malformed(replace(title, texts=texts))] == [" said.leads"]


@pytest.mark.parametrize("text", ["{3} goes", "{n0, plural, =1 {card} other {cards}}"])
def test_a_sentence_with_other_parameters_is_found(text: str) -> None:
    title = titles()["game-of-kingdoms"]
    texts = {**title.texts, "hu": {**title.texts["hu"], "said.leads": text}}
    assert wrong_sentences(replace(title, texts=texts)) == ["game-of-kingdoms, hu: said.leads"]


@pytest.mark.parametrize("gone", ["said.leads", "prompt.add.piling", "verb.pass_on"])
def test_a_sentence_a_prompt_or_a_label_without_a_text_is_found(gone: str) -> None:
    title = titles()["game-of-kingdoms"]
    texts = {**title.texts, "es": {message: text for message, text in title.texts["es"].items() if message != gone}}
    assert wrong_sentences(replace(title, texts=texts)) == [f"game-of-kingdoms, es: {gone}"]


def said(title: AnyTitle, locale: str) -> set[str]:
    """Return the messages for which a locale has its own text.

    The text may be in the catalogue or in the title's data. English texts used as a fallback do not count.
    """
    printed = import_module(f"{title.package}.words").PRINTED
    return {*read_json_files(title.package, "texts")[locale], *translations(printed, locale)}


@every_title
def test_all_that_clients_look_up_is_there(title: AnyTitle) -> None:
    for locale in LOCALES:
        missing = ", ".join(sorted(missing_texts(title, locale)))
        assert not missing, f"{locale}: {missing}"


@every_title
def test_every_locale_has_the_same_parameters(title: AnyTitle) -> None:
    for locale, texts in title.texts.items():
        english = title.texts["en"]
        assert not [message for message, text in texts.items() if parameters(text) != parameters(english[message])], locale


@every_title
def test_the_id_of_a_phrase_begins_with_its_row_or_its_verb(title: AnyTitle) -> None:
    rows = {row.name for script in title.scripts.values() for row in script.rows if not callable(row)}
    assert {*title.prompts} <= rows and title.labels.keys() <= title.verbs.keys()
    begun = {"prompt": title.prompts, "verb": title.labels}
    assert not [phrase for phrase in title.phrases if phrase.split(".")[1] not in begun[phrase.split(".")[0]]]


@every_title
def test_no_text_is_empty_or_has_a_blank_at_its_ends(title: AnyTitle) -> None:
    for texts in title.texts.values():
        assert not [message for message, text in texts.items() if not text or text != text.strip()]


@every_title
def test_no_message_is_there_for_nobody(title: AnyTitle) -> None:
    assert not sorted(unasked(title))


def unasked(title: AnyTitle) -> Iterator[str]:
    known, begun = messages(title), (*families(title), *OTHERS)
    return (message for message in title.texts["en"] if message not in known and not message.startswith(begun))


@every_title
def test_the_catalogues_leave_to_the_data_what_the_data_say(title: AnyTitle) -> None:
    for locale, texts in read_json_files(title.package, "texts").items():
        assert not [message for message, text in texts.items() if title.texts[locale][message] != text], locale


@every_title
def test_rules_on_cards_are_translated(title: AnyTitle) -> None:
    """A name may be the same in two languages, but the text of a card may not."""
    shown = {f"card.{card.kind}.text" for card in title.cards} | {f"ruling.{ruling.id}" for ruling in title.rulings}
    for locale in LOCALES - {"en"}:
        assert not [message for message in sorted(shown) if title.texts[locale][message] == title.texts["en"][message]], locale


@every_title
def test_the_rules_page_tells_every_ruling(title: AnyTitle) -> None:
    rulings = [row_of(title, ruling) for ruling in title.rulings]
    page = (PAGES / f"{title.id}.md").read_text().splitlines()
    table = page.index("| | what is played | option | follows |")
    assert page[table + 2 :] == rulings


@every_title
def test_the_rules_page_names_every_option(title: AnyTitle) -> None:
    page = (PAGES / f"{title.id}.md").read_text()
    assert not [name for name in title.options.__struct_fields__ if f"`{name}`" not in page]


def row_of(title: AnyTitle, ruling: Ruling) -> str:
    option = f"`{ruling.option}`" if ruling.option else ""
    return f"| {ruling.id.replace('_', ' ')} | {ruling.text} | {option} | {follows(title, ruling)} |"


def follows(title: AnyTitle, ruling: Ruling) -> str:
    """Return the source that a ruling follows, and the reason why there is a ruling."""
    texts = title.texts["en"]
    basis = texts[f"source.{ruling.source}"] if ruling.source else "house"
    return f"{basis}; {texts[f'why.{ruling.why}']}"


@every_title
def test_each_ruling_says_what_it_follows_and_why_there_is_one(title: AnyTitle) -> None:
    for ruling in title.rulings:
        assert ruling.why and (ruling.basis == "house") == ruling.house == (ruling.source is None), ruling.id
    assert {f"source.{ruling.source}" for ruling in title.rulings if ruling.source} <= title.texts["hu"].keys()


@every_title
def test_words_for_arguments_are_of_arguments(title: AnyTitle) -> None:
    known = {f"arg.{name}.{nth}" for name, verb in title.verbs.items() for nth in range(verb.arity)}
    assert {message for message in title.texts["en"] if message.startswith("arg.")} <= known
