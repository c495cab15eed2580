"""Skeletons of texts from Unicode's table of confusable characters (UTS #39).

Texts that look alike have the same skeleton.
"""

import unicodedata
from functools import cache

from confusable_homoglyphs.confusables import confusables_data


def skeleton(text: str) -> str:
    return "".join(map(prototype, unicodedata.normalize("NFD", text))).casefold()


@cache
def prototype(letter: str) -> str:
    """Return the character that represents all its look-alikes.

    The data lists each pair in both directions (a under b, and b under a), so the smaller of the two is taken.
    """
    alike = confusables_data.get(letter, [])
    if len(alike) != 1:
        return letter
    other: str = alike[0]["c"]
    return min(letter, other) if len(confusables_data.get(other, [])) == 1 else other
