"""Server and web client format messages identically."""
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludarium_engine.kernel.folder import read_json_files
from ludarium_engine.registry import titles
from ludarium_engine.story.formatting import Argument, card_list, formatted
from ludarium_engine.testkit.icu import fault_of
from tests.support import node

PROJECT = Path(__file__).parents[3]
EXAMPLES = json.loads(Path(__file__).with_name("formatting.json").read_bytes())
TEXTS = read_json_files("ludarium_engine", "texts")
NUMBERS = (0, 1, 2, 5, 11, 21, 22, 1000)
NAMES = ("Ada", "D'Arcy", "'{0}'", "{n1} # ''", "$& |")
MOST_PARAMETERS = 12
LEAST_TEXTS = 6_000


@pytest.mark.parametrize("example", EXAMPLES["formatted"], ids=lambda example: f"{example['locale']}: {example['said']}")
def test_messages_are_formatted(example: dict[str, Any]) -> None:
    arguments = [Argument(*argument) for argument in example["arguments"]]
    assert formatted(example["locale"], example["text"], arguments) == example["said"]


@pytest.mark.parametrize("example", EXAMPLES["listed"], ids=lambda example: f"{example['locale']}: {example['said']}")
def test_cards_are_listed(example: dict[str, Any]) -> None:
    locale = example["locale"]
    assert card_list(locale, TEXTS[locale], example["names"], example["hidden"]) == example["said"]


def test_the_texts_of_the_web_client_are_messages() -> None:
    assert not [(locale, text, fault) for locale, text in web_texts() if (fault := fault_of(locale, text))]


def test_server_and_web_client_format_every_text_alike(tmp_path: Path) -> None:
    """All texts in all languages are formatted.

    Their arguments are numbers, and names full of syntax.
    """
    texts = {*web_texts(), *title_texts()}
    assert len(texts) > LEAST_TEXTS
    samples: list[Any] = [[locale, text, arguments] for locale, text in sorted(texts) for arguments in samples_of(text)]
    samples += [[example["locale"], example["text"], example["arguments"]] for example in EXAMPLES["formatted"]]
    path = tmp_path / "samples.json"
    path.write_text(json.dumps(samples))
    there = json.loads(node.output(Path(__file__).with_name("format.mjs"), path))
    here = [formatted(locale, text, [Argument(*argument) for argument in arguments]) for locale, text, arguments in samples]
    differing = [(sample, ours, theirs) for sample, ours, theirs in zip(samples, here, there, strict=True) if ours != theirs]
    assert not differing[:5]


def samples_of(text: str) -> Iterator[list[tuple[str, int]]]:
    if "{" not in text:
        yield []
        return
    for number in NUMBERS:
        yield [(str(number), number)] * MOST_PARAMETERS
    yield [(NAMES[nth % len(NAMES)], nth) for nth in range(MOST_PARAMETERS)]


def web_texts() -> Iterator[tuple[str, str]]:
    for path in sorted(PROJECT.glob("clients/web/src/*/*.json")):
        yield from ((path.stem, text) for text in json.loads(path.read_bytes()).values())


def title_texts() -> Iterator[tuple[str, str]]:
    for title in titles().values():
        yield from ((locale, text) for locale, texts in title.texts.items() for text in texts.values())
