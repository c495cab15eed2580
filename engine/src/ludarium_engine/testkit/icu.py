"""Find arguments and errors in texts written in ICU MessageFormat."""
from __future__ import annotations

import re
from collections.abc import Iterator

from icu4py.messageformat import MessageFormat

LITERAL = re.compile(r"'[{}#|](?:[^']|'')*'?|''")
ARGUMENT = re.compile(r"\s*(\w+)\s*(?:,\s*(\w+)\s*)?([,}])")


def message_arguments(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, type) of each argument, where type "" inserts the value.

    Raises:
        ValueError: an argument is malformed.
    """
    text = LITERAL.sub("", text)
    in_message, at = [True], 0                  # False between the cases of an argument
    while at < len(text):
        if text[at] == "}":
            in_message.pop()
        elif text[at] == "{" and in_message[-1]:
            found = ARGUMENT.match(text, at + 1)
            if found is None:
                raise ValueError(f"not an argument: {text[at:]}")
            yield found[1], found[2] or ""
            in_message += [False] if found[3] == "," else []
            at = found.end() - 1
        elif text[at] == "{":
            in_message.append(True)
        at += 1


def fault_of(locale: str, text: str) -> str | None:
    """Return why clients cannot format a text, or None if they can."""
    try:
        MessageFormat(text, locale)
        kinds = {kind for _, kind in message_arguments(text)} - {"", "plural", "selectordinal", "select"}
    except ValueError as error:
        return str(error)
    return f"arguments of type {', '.join(sorted(kinds))}" if kinds else None
