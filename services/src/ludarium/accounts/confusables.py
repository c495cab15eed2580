"""What a text looks like, by Unicode's list of letters that are taken for one another."""

import unicodedata
from functools import cache

from confusable_homoglyphs.confusables import confusables_data


def skeleton(text: str) -> str:
    return "".join(map(prototype, unicodedata.normalize("NFD", text))).casefold()


@cache
def prototype(letter: str) -> str:
    """What it is taken for. The data lists alike both ways: a letter under its prototype, and that under the letter."""
    alike = confusables_data.get(letter, [])
    if len(alike) != 1:
        return letter
    other: str = alike[0]["c"]
    return min(letter, other) if len(confusables_data.get(other, [])) == 1 else other
