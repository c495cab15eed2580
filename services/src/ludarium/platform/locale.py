"""The languages that the service speaks, and which of them a caller would rather hear."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

ENGLISH = "en"
LOCALES = (ENGLISH, "es", "hu")
LONGEST = 256
"""Bytes of an Accept-Language that are read."""
RANGE = re.compile(r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")


def preferred(accept_language: str) -> str:
    """The locale of ours that a header Accept-Language (RFC 9110) likes best; English if it names none of them."""
    wishes = [wish for wish in wished(accept_language[:LONGEST]) if wish[0] in LOCALES and wish[1] > 0]
    return max(wishes, key=lambda wish: wish[1], default=(ENGLISH, 0))[0]


def wished(accept_language: str) -> Iterator[tuple[str, float]]:
    """Languages without their regions, each with its weight; what cannot be read is left out."""
    for part in accept_language.split(","):
        if found := RANGE.fullmatch(part):
            yield found[1].lower(), float(found[2] or 1)


@cache
def problem_titles(locale: str) -> Mapping[str, str]:
    """By code, in a language other than English, which stands in `ludarium.platform.problems`."""
    titles: dict[str, str] = json.loads((files("ludarium") / "texts" / f"{locale}.json").read_bytes())
    return titles


@cache
def phrases() -> Mapping[str, Mapping[str, str]]:
    """What may be said at a table in words of the house: by id, then by locale."""
    said = {locale: json.loads((files("ludarium") / "texts/phrases" / f"{locale}.json").read_bytes()) for locale in LOCALES}
    return {id_: {locale: said[locale][id_] for locale in LOCALES} for id_ in said[ENGLISH]}
