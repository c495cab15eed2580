"""Assign letters to seats, for use where there is no room for names."""
from __future__ import annotations

from functools import cache
from string import ascii_uppercase
from typing import Any

from ludarium_engine.kernel.title import Title


@cache
def letters(title: Title[Any, Any]) -> list[str]:
    """Return one letter for each seat.

    A letter that is part of a space's name in any language, as in "City A", is skipped.
    """
    spaces = [text for texts in title.texts.values() for name, text in texts.items() if name.startswith("space.")]
    taken = {word.strip(",.;:()") for text in spaces for word in text.split()}
    return [letter for letter in ascii_uppercase if letter not in taken][: title.seats.stop - 1]
