"""Skeletons of texts by Unicode's table of confusable characters (UTS #39)."""

import unicodedata
from functools import cache

from confusable_homoglyphs.confusables import confusables_data


def skeleton(text: str) -> str:
    return "".join(map(prototype, unicodedata.normalize("NFD", text))).casefold()


@cache
def prototype(letter: str) -> str:
    """Return the letter that stands for all its look-alikes.

    The data lists pairs both ways (a under b, and b under a), so take the smaller of the two.
    """
    alike = confusables_data.get(letter, [])
    if len(alike) != 1:
        return letter
    other: str = alike[0]["c"]
    return min(letter, other) if len(confusables_data.get(other, [])) == 1 else other
