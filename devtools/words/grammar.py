"""Grammar of the English texts, by Harper, with the kinds of rules that find more faults than they imagine."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from harper import Dialect, Linter

from devtools.words.catalogues import Text

KINDS = {"Agreement", "Grammar", "Repetition", "Miscellaneous"}
"""Kinds of rules that are used. The others are about style, or take names of games for mistakes."""
OFF = "MassNouns"
"""A rule that takes "bearing" and "ruling" for nouns without a plural."""
RIGHT = {"are is inferred", "paid for it are lost", "your awake cards"}
"""Phrases that Harper takes for mistakes."""


@cache
def linter() -> Linter:
    made = Linter(dialect=Dialect.BRITISH)
    made.set_lint_config({**made.get_lint_config(), OFF: False})
    return made


def mistakes(texts: Iterable[Text]) -> Iterator[str]:
    """Yield a line for each mistake in a text without arguments; Harper knows no messages."""
    for catalogue, id, text in texts:
        if "{" not in text and not any(phrase in text for phrase in RIGHT):
            for found in linter().lint(text):
                if found.lint_kind in KINDS:
                    yield f"{catalogue}: {id}: {re.sub(r'[`*]', '', found.message)}: {text}"
