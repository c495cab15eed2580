"""Patterns of English that was translated word for word."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from devtools.words.catalogues import Text

TELLTALES = {
    "'who' without a noun before it":
        r"(?:^|[.;:,(] ?|\b(?:by|to|for|of|only|and|as) )who (?!are\b|can\b|is (?:first|next)\?)\w+(?!\w| ?\?)",
    "'by chance': at random": r"\b(?:by chance|chance (?:has|picks|picked|does|is))\b",
    "'go on': continue": r"\b(?:go|goes|going|went) on(?! (?:top|your|the|their|a)\b)\b",
    "', for': because": r", for (?:of|no|six|they|then|nobody)\b|, for \w+ \w+ (?:is|has|have)\b",
    "', too' at the end": r", too\b",
    "-body: -one, or a passive": r"\b(?:some|no|every|any)body\b",
    "a clause with 'what' as a noun": r"\bwhat (?:holds|told|you (?:owe|have)|lies|is (?:played|kept|to)|others|was|becomes)\b",
    "'whoever', 'whatever': the player who, anything": r"\b(?:whoever|whatever|whomever)\b",
    "'one' for 'you'": r"\b(?:one's|one may|one can|which one)\b",
    "'beside': next to": r"\bbeside\b",
    "'house' for the site": r"\b(?:this|the|of) house\b(?! value)",
    "'mend': fix, rename": r"\bmend",
    "'letter', 'mail': e-mail": r"\b(?:letter is|from the letter|(?<!e-)mail address|by mail|verified mail)\b",
    "'shall'": r"\bshall\b",
    "'as many', 'as often' at the end": r"\bas (?:often|many)[.;,]|\bas many (?:lives|in)\b",
    "'together N': N in all": r"\btogether \{",
    "'place N': Nth": r"\bplace \{\d+\}|\bplace 1\b|^Place \{place\}",
}
MOST = 36
"""Texts with a tell-tale phrase that are accepted, most of them in rulings. Only lower it."""
COMPILED = {name: re.compile(pattern, re.IGNORECASE if "place" not in name else 0) for name, pattern in TELLTALES.items()}


def telltales(texts: Iterable[Text]) -> Iterator[str]:
    """Yield a line for each pattern that a text matches."""
    for catalogue, id, text in texts:
        for name, pattern in COMPILED.items():
            if found := pattern.search(text):
                yield f'{catalogue}: {id}: "{found[0].strip()}" ({name}): {text}'
