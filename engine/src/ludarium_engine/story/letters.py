"""The sign of a seat where there is no room for a name: a letter that stands for nothing on the map."""
from __future__ import annotations

from functools import cache
from string import ascii_uppercase
from typing import Any

from ludarium_engine.kernel.title import Title


@cache
def letters(title: Title[Any, Any]) -> list[str]:
    """The first of the alphabet that stand for nothing on the map, in any language: no City A beside a seat A."""
    spaces = [text for texts in title.texts.values() for name, text in texts.items() if name.startswith("space.")]
    taken = {word.strip(",.;:()") for text in spaces for word in text.split()}
    return [letter for letter in ascii_uppercase if letter not in taken][: title.seats.stop - 1]
