"""Choose one of the service's languages for a caller.

This module parses all language tags from callers, in queries, in paths, in Accept-Language, and in the `hello` message
of WebSockets.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files

ENGLISH = "en"
LOCALES = (ENGLISH, "es", "hu")
TAG = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,7}$"
"""A language tag (BCP 47), such as `es`, `es-MX` or `zh-Hant-TW`."""
AUTO = "auto"
"""In place of a tag: the language that Accept-Language asks for."""
TAG_OR_AUTO = f"{TAG}|^{AUTO}$"
LONGEST = 256
"""Maximum number of characters of an Accept-Language header that are parsed."""
RANGE = re.compile(r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")


def preferred(ranges: str, available: Collection[str] = LOCALES) -> str:
    """Return the best available locale, English if none matches.

    Args:
        ranges: the value of an Accept-Language header (RFC 9110), or a single tag.
        available: the locales to choose from.
    """
    wishes = sorted(weighted(ranges[:LONGEST]), key=lambda wish: -wish[1])
    found = (lookup(tag, available) for tag, weight in wishes if weight > 0)
    return next((locale for locale in found if locale), ENGLISH)


def lookup(tag: str, available: Collection[str]) -> str | None:
    """Return the locale with the longest matching tag, such as `es` for `es-MX`.

    See RFC 4647, section 3.4.
    """
    known = {locale.lower(): locale for locale in available}
    subtags = tag.lower().split("-")
    while subtags:
        if found := known.get("-".join(subtags)):
            return found
        del subtags[-2 if len(subtags) > 2 and len(subtags[-2]) == 1 else -1 :]    # a single letter never ends a tag
    return None


def weighted(ranges: str) -> Iterator[tuple[str, float]]:
    """Yield each language range with its weight, and skip malformed ranges."""
    for part in ranges.split(","):
        if found := RANGE.fullmatch(part):
            yield found[1], float(found[2] or 1)


def language_of(tag: str) -> str:
    """Return the primary language of a tag, in lower case."""
    return tag.partition("-")[0].lower()


@cache
def problem_titles(locale: str) -> Mapping[str, str]:
    """Return the titles of problems by code, in a language other than English.

    The English titles are in `ludarium.platform.problems`.
    """
    titles: dict[str, str] = json.loads((files("ludarium") / "texts" / f"{locale}.json").read_bytes())
    return titles


@cache
def policy_texts(locale: str) -> Mapping[str, str]:
    """Return the texts of table policies, in ICU MessageFormat, by setting and value."""
    texts: dict[str, str] = json.loads((files("ludarium") / "texts/policies" / f"{locale}.json").read_bytes())
    return texts


@cache
def phrases() -> Mapping[str, Mapping[str, str]]:
    """Return the predefined chat phrases, by id and then by locale."""
    said = {locale: json.loads((files("ludarium") / "texts/phrases" / f"{locale}.json").read_bytes()) for locale in LOCALES}
    return {id_: {locale: said[locale][id_] for locale in LOCALES} for id_ in said[ENGLISH]}
