"""Questions that players ask in public are answered where they look.

`questions.json` has them by title, in our own words. `at` is where a player has the question: `asked-`, `card-` or
`option-` with a name, as in the web client, or `guide` for the whole page. `answers` are the texts that answer it,
and `says` words of theirs in English. `seen` is where the question was found: an answer or text of the publisher, a
rules site, an issue of another implementation, or `common` if it is asked at many tables.
"""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from ludarium_engine.guides import chapters_of, guide_of, ruled_in
from ludarium_engine.kernel import Title
from ludarium_engine.registry import titles

AnyTitle = Title[Any, Any]
LEAST = 20
"""The least number of questions for each title that has a printed edition."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    question: str
    at: str
    answers: list[str]
    says: list[str]
    seen: Literal["publisher", "rules site", "issue", "common"]


QUESTIONS = msgspec.json.decode((Path(__file__).parent / "questions.json").read_bytes(), type=dict[str, list[Question]])
ASKED = [pytest.param(title, each, id=f"{title}-{each.question}") for title, asked in QUESTIONS.items() for each in asked]


def shown(title: AnyTitle, at: str) -> set[str]:
    """Return the ids of the texts that a player finds at a place."""
    kind, _, name = at.partition("-")
    return SHOWN[kind](title, name)


def beside_a_prompt(title: AnyTitle, prompt: str) -> set[str]:
    return {f"hint.{prompt}"} | {f"ruling.{ruling.id}" for ruling in ruled_in(title).values() if prompt in ruling.asks}


def on_a_card(title: AnyTitle, kind: str) -> set[str]:
    assert kind in chapters_of(guide_of(title))
    return {f"card.{kind}.text"} | {f"ruling.{ruling.id}" for ruling in ruled_in(title).values() if kind in ruling.cards}


def at_an_option(title: AnyTitle, name: str) -> set[str]:
    return {f"how.option.{name}"} | {f"ruling.{ruling.id}" for ruling in title.rulings if ruling.option == name}


def in_the_guide(title: AnyTitle, name: str) -> set[str]:
    return {f"how.{chapter.id}" for chapter in guide_of(title)} | {f"ruling.{ruling.id}" for ruling in title.rulings}


SHOWN: dict[str, Callable[[AnyTitle, str], set[str]]] = {
    "asked": beside_a_prompt, "card": on_a_card, "option": at_an_option, "guide": in_the_guide,
}  # fmt: skip


def unanswered(title: AnyTitle, question: Question) -> list[str]:
    """Return the answers that are not found where the question is, and the words that they do not say."""
    elsewhere = [answer for answer in question.answers if answer not in shown(title, question.at)]
    said = " ".join(title.texts["en"].get(answer, "") for answer in question.answers)
    return elsewhere + [words for words in question.says if words not in said]


@pytest.mark.parametrize(("title_id", "question"), ASKED)
def test_a_public_question_is_answered_where_players_look(title_id: str, question: Question) -> None:
    title = titles()[title_id]
    assert question.answers and question.says and not unanswered(title, question)
    assert all(title.texts[locale].get(answer) for locale in title.texts for answer in question.answers)


@pytest.mark.parametrize("title_id", QUESTIONS)
def test_each_printed_title_has_at_least_twenty_questions(title_id: str) -> None:
    asked = [question.question for question in QUESTIONS[title_id]]
    assert len({*asked}) == len(asked) >= LEAST
    public = [question for question in QUESTIONS[title_id] if question.seen != "common"]
    assert 2 * len(public) >= LEAST


def test_titles_with_a_printed_edition_or_public_rules_have_questions() -> None:
    assert {*QUESTIONS} == {*titles()} - {"lights-in-the-fog"}            # a game of our own, which has no public questions


@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        ({"at": "asked-lead"}, "ruling.taking_freely"), ({"says": ["never takes"]}, "never takes"),
        ({"answers": ["ruling.bluffing"]}, "ruling.bluffing"),
    ],
)  # fmt: skip
def test_a_question_that_is_answered_elsewhere_or_otherwise_is_found(changed: dict[str, Any], missing: str) -> None:
    question = next(each for each in QUESTIONS["game-of-kingdoms"] if each.answers == ["ruling.taking_freely"])
    assert missing in unanswered(titles()["game-of-kingdoms"], msgspec.structs.replace(question, **changed))
