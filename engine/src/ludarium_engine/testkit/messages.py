"""List the message ids that a title needs, and find missing or malformed texts."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec.inspect import LiteralType, Type, UnionType, VarTupleType, type_info

from ludarium_engine.guides import guide_of, pictures_in
from ludarium_engine.kernel.choices import CARDS, NUMBER
from ludarium_engine.kernel.house_values import counted, counted_by_option, extent_of_title
from ludarium_engine.kernel.title import Card, Title
from ludarium_engine.testkit.icu import fault_of, message_arguments


def missing_texts(title: Title[Any, Any], locale: str) -> set[str]:
    """Return the ids of messages that clients may need but that have no text."""
    return messages(title) - set(title.texts[locale])


def wrong_sentences(title: Title[Any, Any]) -> list[str]:
    """Return the sentences, prompts and labels whose text is missing or wrong.

    A text is wrong if it uses arguments that the rules do not pass.
    """
    spoken = {**{f"said.{name}": kinds for name, kinds in title.sentences.items()},
              **{f"told.{name}": kinds for name, kinds in title.disclosures.items()}, **title.phrases}
    return [f"{title.id}, {locale}: {message}" for locale, texts in title.texts.items() for message, kinds in spoken.items()
            if message not in texts or not set(message_arguments(texts[message])) <= set(fitting(kinds))]


def malformed(title: Title[Any, Any]) -> list[str]:
    """Return texts that clients cannot format as ICU messages, with the reason."""
    return [f"{title.id}, {locale}: {message}: {fault}" for locale, texts in title.texts.items()
            for message, text in texts.items() if (fault := fault_of(locale, text))]


def fitting(kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, type) of each argument that a message may use."""
    for nth, kind in enumerate(kinds):
        yield f"{nth}", ""
        if kind in (NUMBER, CARDS):
            yield from ((f"n{nth}", choice) for choice in ("plural", "selectordinal"))


def messages(title: Title[Any, Any]) -> set[str]:
    """Return the ids of the messages that a title needs.

    Ids that end in a number (see `families`) and texts that are only inserted into other texts are left out.
    """
    asks = [row for script in title.scripts.values() for row in script.rows if not callable(row)]
    return {
        "name", "about", *guide_messages(title), *(f"hint.{row.name}" for row in asks),
        *(f"prompt.{row.name}" for row in asks if row.name not in title.prompts),
        *(f"verb.{name}" for name in title.verbs if name not in title.labels),
        *title.phrases,
        *(f"subset.{name}" for name, verb in title.verbs.items() if verb.subset == NUMBER),
        *(f"told.{name}" for name in title.disclosures),
        *(f"said.{name}" for name in title.sentences),
        *(f"admit.{name}.{word}" for name, predicate in title.predicates.items() for word in predicate.words),
        *(f"zone.{f.name}" for f in title.layout.fields),
        *(f"ruling.{ruling.id}" for ruling in title.rulings),
        *(f"source.{ruling.source}" for ruling in title.rulings if ruling.source),
        *(f"why.{ruling.why}" for ruling in title.rulings if ruling.why),
        *(f"space.{space.id}" for board in title.boards for space in board.spaces),
        *(f"fact.{badge.fact}" for badge in title.face.badges),
        *house_messages(title),
        *chain.from_iterable(card_messages(title, card) for card in title.cards),
        *chain.from_iterable(option_messages(f.name, type_info(f.type)) for f in msgspec.structs.fields(title.options)),
    }  # fmt: skip


def guide_messages(title: Title[Any, Any]) -> Iterator[str]:
    """Yield the message ids that the guide needs.

    These are the messages for chapters, pictures, and options that no ruling explains.
    """
    ruled = {ruling.option for ruling in title.rulings}
    for chapter in guide_of(title):
        yield from (f"how.{chapter.id}", f"how.{chapter.id}.name")
        yield from (f"how.option.{name}" for name in chapter.options if name not in ruled)
    yield from (f"how.{chapter}.picture" for chapter in pictures_in(title.package))


def house_messages(title: Title[Any, Any]) -> Iterator[str]:
    """Yield the ids of the messages that say which card values are house values.

    House values are those that do not come from the printed game. A title without house values needs no such messages.
    """
    if extent_of_title(title) != "none":
        yield from ("house", "house.card", "house.extent.values", "house.extent.cards")
        yield from (f"house.field.{field}" for field in counted(title.cards).fields)
        for option, values in counted_by_option(title.cards, title.cards_of_options).items():
            yield from (f"house.{option}.{value}" for value, found in values.items() if found.extent != "none")


def card_messages(title: Title[Any, Any], card: Card) -> Iterator[str]:
    """Yield the ids of the messages for a card's name, text and displayed facts.

    A fact's message is `fact.<name>`. If the value is a word, there is also `fact.<name>.<value>`.
    """
    yield from (f"card.{card.kind}", f"card.{card.kind}.text")
    for name, value in card.facts.items():
        if f"fact.{name}" in title.texts["en"]:
            yield f"fact.{name}"
            values = value if isinstance(value, list) else [value]
            yield from (f"fact.{name}.{value}" for value in values if isinstance(value, str))


def option_messages(name: str, kind: Type) -> Iterator[str]:
    """Yield the ids of the messages for an option.

    These are `option.<name>` and, if the values are words, `option.<name>.<value>`.
    """
    yield f"option.{name}"
    match kind:
        case LiteralType(values=values):
            yield from (f"option.{name}.{value}" for value in values)
        case UnionType(types=kinds):
            yield from chain.from_iterable(option_messages(name, one) for one in kinds)
        case VarTupleType(item_type=item):
            yield from option_messages(name, item)


def families(title: Title[Any, Any]) -> set[str]:
    """Return the prefixes (ending in ".") of message ids that end in a number.

    Such ids are used for arguments of verbs, sentences, phrases and predicates, and for numbers in zones.
    """
    kinds = {*title.numbers.values()}
    kinds |= set(chain.from_iterable([*title.disclosures.values(), *title.sentences.values(), *title.phrases.values()]))
    kinds |= set(chain.from_iterable(verb.args for verb in title.verbs.values()))
    kinds |= set(chain.from_iterable(predicate.args for predicate in title.predicates.values()))
    return {kind for kind in kinds if kind.endswith(".")}
