"""Format messages: texts in ICU MessageFormat 1 with positional arguments.

Parsed messages are cached. Each argument has two names. For argument 1 (counted from 0), `{1}` inserts its text and `n1` is
its number, for `plural` and `selectordinal`: `{0} discards {n1, plural, =0 {no cards} =1 {one card} other {{1} cards}}`.
Arguments are inserted verbatim: braces, apostrophes and `#` in a player's name have no special meaning.

`clients/web/src/table/formatting.ts` is the same in TypeScript. See docs/decisions/134.
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
    """An argument of a message: its text, and the number that selects a plural form."""

    text: str
    number: int = 0


class Parsed(NamedTuple):
    """A parsed message and the arguments that it uses.

    used: (name, position, index of the field of `Argument`).
    """

    message: MessageFormat
    used: tuple[tuple[str, int, int], ...]


def formatted(locale: str, text: str, arguments: Sequence[Argument], **others: str) -> str:
    """Format a message.

    Args:
        locale: the locale of the text, for plural rules.
        text: the message in ICU MessageFormat.
        arguments: the positional arguments.
        others: named arguments.

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
    """Parse a message; None if it needs no formatting.

    That is so without arguments and apostrophes.
    """
    if not SYNTAX.search(text):
        return None
    used = {(f"{n}{nth}", int(nth), Argument._fields.index("number" if n else "text")) for n, nth in USED.findall(text)}
    return Parsed(MessageFormat(text, locale), tuple(sorted(used)))


def card_list(locale: str, texts: Mapping[str, str], names: Sequence[str], hidden: int) -> str:
    """List the visible cards by name, and the number of hidden ones.

    Equal cards are listed once, with a count.
    """
    parts = [times(locale, texts, name, names.count(name)) for name in dict.fromkeys(names)]
    if hidden or not names:
        parts.append(formatted(locale, texts["story.cards"], [Argument(str(hidden), hidden)]))
    return joined(locale, texts, parts)


def times(locale: str, texts: Mapping[str, str], name: str, count: int) -> str:
    return name if count == 1 else formatted(locale, texts["story.times"], [Argument(name), Argument(str(count), count)])


def joined(locale: str, texts: Mapping[str, str], parts: Sequence[str]) -> str:
    """Join the parts of a list by the messages `story.list` and `story.last`.

    `story.last` gets the argument `sound`: "i" if the last part begins with that sound, otherwise "other". Spanish needs it:
    "Ana e Isabel", but "Ana y Pedro".
    """
    whole = parts[0]
    for nth, part in enumerate(parts[1:], 2):
        pair = [Argument(whole), Argument(part)]
        if nth == len(parts):
            return formatted(locale, texts["story.last"], pair, sound="i" if I_SOUND.match(part) else "other")
        whole = formatted(locale, texts["story.list"], pair)
    return whole
