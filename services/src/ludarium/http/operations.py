"""Declare the problems with which an operation may refuse a request."""

from typing import Any

from ludarium.platform.problems import KINDS

ALWAYS = ("rate-limited", "internal", "unavailable")
"""Problems with which every operation may refuse a request."""


def operation(*problems: str, **opt: Any) -> dict[str, Any]:
    """Return the `opt` of a route handler, with its problems for the OpenAPI document.

    Args:
        problems: the codes of the problems.
        opt: further entries of the handler's `opt`.

    Raises:
        KeyError: there is no problem with such a code.
    """
    unknown = set(problems) - KINDS.keys()
    if unknown:
        raise KeyError(*unknown)
    return {"problems": problems, **opt}
