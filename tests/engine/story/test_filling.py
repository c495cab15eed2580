"""The examples that the web client is held to as well."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludarium_engine.kernel.folder import read_json_files
from ludarium_engine.story.filling import Filling, filled, listed

EXAMPLES = json.loads(Path(__file__).with_name("filling.json").read_bytes())
TEXTS = read_json_files("ludarium_engine", "texts")


@pytest.mark.parametrize("example", EXAMPLES["filled"], ids=lambda example: example["text"])
def test_blanks_are_filled(example: dict[str, Any]) -> None:
    assert filled(example["text"], [Filling(*filling) for filling in example["fillings"]]) == example["said"]


@pytest.mark.parametrize("example", EXAMPLES["listed"], ids=lambda example: example["said"])
def test_cards_are_listed(example: dict[str, Any]) -> None:
    assert listed(TEXTS[example["locale"]], example["names"], example["unseen"]) == example["said"]
