"""Format texts written in ICU MessageFormat 1 with positional arguments.

Parsed messages are cached. A message can use each argument under two names. For argument 1 (counting from 0), `{1}` inserts
the text, and `n1` is the number for `plural` and `selectordinal`. An example is
`{0} discards {n1, plural, =0 {no cards} =1 {one card} other {{1} cards}}`. Arguments are inserted verbatim, so braces,
apostrophes and `#` in a player's name have no special meaning.

`clients/web/src/table/formatting.ts` does the same in TypeScript. See docs/decisions/134.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from icu4py.messageformat import MessageFormat

SYNTAX = re.compile(r"[{']")
USED = re.compile(r"\{\s*(n?)(\d+)\s*[,}]")
CACHED_MESSAGES = 16_384
I_SOUND = re.compile("[iíIÍ]|[hH][iíIÍ](?![aeAE])")


class Argument(NamedTuple):
    """A message argument with its text and the number that selects the plural form."""

    text: str
    number: int = 0


class Parsed(NamedTuple):
    """A parsed message and the arguments that it uses.

    Attributes:
        message: the parsed message.
        used: for each argument name, (name, position, index of the field in `Argument`).
    """

    message: MessageFormat
    used: tuple[tuple[str, int, int], ...]


def formatted(locale: str, text: str, arguments: Sequence[Argument], **others: str) -> str:
    """Format a message.

    Args:
        locale: the text's locale, which selects the plural rules.
        text: the message in ICU MessageFormat.
        arguments: the positional arguments.
        others: arguments that the message uses by name.

    Raises:
        ValueError: the text is not valid ICU MessageFormat.
    """
    parsed = parse(locale, text)
    if parsed is None:
        return text
    count = len(arguments)
    values: dict[str, Any] = {name: arguments[nth][field] for name, nth, field in parsed.used if nth < count}
    return parsed.message.format(values | others if others else values)


@lru_cache(CACHED_MESSAGES)
def parse(locale: str, text: str) -> Parsed | None:
    """Parse a message, or return None if the text needs no formatting.

    A text without braces and apostrophes needs none.
    """
    if not SYNTAX.search(text):
        return None
    used = {(f"{n}{nth}", int(nth), Argument._fields.index("number" if n else "text")) for n, nth in USED.findall(text)}
    return Parsed(MessageFormat(text, locale), tuple(sorted(used)))


def card_list(locale: str, texts: Mapping[str, str], names: Sequence[str], hidden: int) -> str:
    """Return a list of the visible cards' names and the number of hidden cards.

    Each name is listed once, with a count if there are several such cards.
    """
    parts = [times(locale, texts, name, names.count(name)) for name in dict.fromkeys(names)]
    if hidden or not names:
        parts.append(formatted(locale, texts["story.cards"], [Argument(str(hidden), hidden)]))
    return joined(locale, texts, parts)


def times(locale: str, texts: Mapping[str, str], name: str, count: int) -> str:
    return name if count == 1 else formatted(locale, texts["story.times"], [Argument(name), Argument(str(count), count)])


def joined(locale: str, texts: Mapping[str, str], parts: Sequence[str]) -> str:
    """Join the parts of a list with the messages `story.list` and `story.last`.

    The argument `sound` of `story.last` is "i" if the last part begins with that sound, otherwise "other". Spanish needs this
    argument, since "and" is "e" in "Ana e Isabel" but "y" in "Ana y Pedro".
    """
    whole = parts[0]
    for nth, part in enumerate(parts[1:], 2):
        pair = [Argument(whole), Argument(part)]
        if nth == len(parts):
            return formatted(locale, texts["story.last"], pair, sound="i" if I_SOUND.match(part) else "other")
        whole = formatted(locale, texts["story.list"], pair)
    return whole
