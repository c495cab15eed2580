"""Titles mark, card by card, which values are our own choice and not printed."""
from __future__ import annotations

from typing import Any

import pytest

from ludarium_engine.kernel.house_values import PARTS, counted, counted_by_option, house_texts
from ludarium_engine.kernel.title import Card, Title
from ludarium_engine.registry import titles

every_title = pytest.mark.parametrize("title", titles().values(), ids=titles())
PRINTED = Card(0, "page", {"gold": 1})
NUMBERS = Card(1, "knight", {"gold": 2}, ["gold"])
OWN = Card(2, "queen", {"gold": 3}, ["name", "gold", "effect"])
TEXTS = {
    "name": "Harbour", "option.edition": "Edition", "option.edition.new": "New", "option.more": "More cards",
    "made.house.cards": "{0}: our own cards ({1})", "made.house.values": "{0}: our own values ({1})",
    "made.house.card": "Ours: {0}", "made.house.extent.cards": "our own cards", "made.house.extent.values": "our own values",
    **{f"made.house.field.{name}": name for name in (*PARTS, "gold", "map")},
}  # fmt: skip


@every_title
def test_a_mark_is_of_a_value_that_the_card_has(title: Title[Any, Any]) -> None:
    for card in title.cards:
        assert {*card.house} <= {*PARTS, *card.facts} and len({*card.house}) == len(card.house), card.kind


@every_title
def test_copies_of_a_kind_have_the_same_marks(title: Title[Any, Any]) -> None:
    marks = {(card.kind, *card.house) for card in title.cards}
    assert len(marks) == len({kind for kind, *_ in marks})


@every_title
def test_options_bring_kinds_that_there_are(title: Title[Any, Any]) -> None:
    kinds = {card.kind for card in title.cards}
    assert title.cards_of_options.keys() <= {*title.options.__struct_fields__}
    assert all(brought and {*brought} <= kinds for values in title.cards_of_options.values() for brought in values.values())


@pytest.mark.parametrize(
    ("cards", "extent"),
    [
        ([PRINTED], "none"), ([PRINTED, NUMBERS], "values"), ([PRINTED, OWN], "values"), ([NUMBERS, OWN, OWN], "values"),
        ([OWN], "cards"),
    ],
)  # fmt: skip
def test_cards_are_our_own_if_most_effects_are(cards: list[Card], extent: str) -> None:
    found = counted(cards)
    assert found.extent == extent and found.kinds == len({card.kind for card in cards})


def test_each_field_is_counted_once_a_kind_and_the_most_frequent_comes_first() -> None:
    assert [*counted([OWN, OWN, NUMBERS]).fields.items()] == [("gold", 2), ("name", 1), ("effect", 1)]


def test_sentences_follow_from_the_marks() -> None:
    options = {"edition": {"old": ["page"], "new": ["queen"]}, "more": {"true": ["knight"]}}
    texts = house_texts([PRINTED, NUMBERS, OWN], options)(TEXTS)
    assert texts["house"] == "Harbour: our own values (gold, name, effect)"
    assert texts["house.edition.new"] == "New: our own cards (name, gold, effect)"
    assert texts["house.more.true"] == "More cards: our own values (gold)"
    assert "house.edition.old" not in texts
    own_words = {**TEXTS, "made.house.edition.cards": "Our own cards on {0}: {1}", "made.house.edition.new": "the new sets"}
    assert house_texts([OWN], options)(own_words)["house.edition.new"] == "Our own cards on the new sets: name, gold, effect"


def test_a_title_of_which_all_is_printed_says_nothing() -> None:
    assert house_texts([PRINTED], {"edition": {"old": ["page"]}})(TEXTS) == {}
    assert counted_by_option([PRINTED], {"edition": {"old": ["page"]}})["edition"]["old"].extent == "none"
