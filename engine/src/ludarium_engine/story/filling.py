"""The small language in which texts are written: blanks, forms that a number chooses, and lists of names.

`{1}` is the parameter of that number (the first is 0). `{1?card|cards}` chooses by it: the first form for one, the last for any
other number; of three forms the first is for none. `#` in a form is the number; that of cards is how many they are.

clients/web/src/table/filling.ts is the same in TypeScript; both are held to tests/engine/story/filling.json.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

BLANK = re.compile(r"\{(\d+)(?:\?([^{}]*))?\}")


class Filling(NamedTuple):
    """What stands in a blank, and the number by which its forms are chosen."""

    text: str
    number: int = 0


def filled(text: str, fillings: Sequence[Filling]) -> str:
    def blank(found: re.Match[str]) -> str:
        filling = fillings[int(found[1])]
        return filling.text if found[2] is None else form(found[2].split("|"), filling.number)

    return BLANK.sub(blank, text)


def form(forms: Sequence[str], number: int) -> str:
    if number == 0 and len(forms) > 2:
        return forms[0]
    chosen = forms[-2] if number == 1 and len(forms) > 1 else forms[-1]
    return chosen.replace("#", str(number))


def listed(texts: Mapping[str, str], names: Sequence[str], unseen: int) -> str:
    """Cards: those that are seen by name, alike ones once, and how many others there are. texts: of the language."""
    parts = [times(texts, name, names.count(name)) for name in dict.fromkeys(names)]
    if unseen or not names:
        parts.append(filled(texts["story.cards"], [Filling("", unseen)]))
    return joined(texts, parts)


def times(texts: Mapping[str, str], name: str, count: int) -> str:
    return name if count == 1 else filled(texts["story.times"], [Filling(name), Filling(str(count), count)])


def joined(texts: Mapping[str, str], parts: Sequence[str]) -> str:
    whole = parts[0]
    for nth, part in enumerate(parts[1:], 2):
        whole = filled(texts["story.last" if nth == len(parts) else "story.list"], [Filling(whole), Filling(part)])
    return whole
